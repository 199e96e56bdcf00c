"""What is written stays, what is damaged is said, what is brought along is bounded."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from children import Children
from warcabinet.cli.main import main
from warcabinet.game import Conflict, Game
from warcabinet.game.throws import Seed, dice_for, sealed_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.events import DiceRolled
from warcabinet.store import (
    Bounds,
    Damaged,
    StorageError,
    create_game,
    examine,
    export_game,
    import_game,
    open_game,
    open_journal,
    whole_file,
)
from warcabinet.store.backup import back_up, recover
from warcabinet.store.journal import SqlJournal

FIXTURES = Path(__file__).parents[2] / "fixtures"
FORMATS = ("game-0.1.0-unmarked", "game-0.1.0", "game-0.2.0", "game-format-3")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.warcabinet"


@pytest.fixture
def played(file: Path) -> Path:
    """A game with an order, a throw, an undo and another throw."""
    game = create_game(file)
    game.do({"do": "spend", "power": "germany", "brp": 9, "on": "other"})
    game.do({"do": "roll", "purpose": "weather"})
    game.undo(consent=True)
    game.do({"do": "roll", "purpose": "weather"})
    game.do({"do": "spend", "power": "germany", "brp": 4, "on": "other"})
    assert isinstance(game.journal, SqlJournal)
    game.journal.close()
    return file


def change(file: Path, *statements: Any) -> None:
    with sqlite3.connect(file) as db:
        for statement in statements:
            db.execute(*statement) if isinstance(statement, tuple) else db.execute(statement)
    db.close()


# -- numbers, and what was written ---------------------------------------------------------------------------------


def test_a_number_that_could_not_be_read_back_is_refused(file: Path) -> None:
    game = create_game(file)
    for number in (10**4300, -(10**18), 10**9 + 1):
        with pytest.raises(WarCabinetError, match="a number lies between"):
            game.do({"do": "report_brp", "power": "germany", "brp": number, "cause": "other"})
    assert open_game(file).head.id == 1


def test_an_argument_that_is_no_text_is_refused(file: Path) -> None:
    game = create_game(file)
    with pytest.raises(WarCabinetError, match="cannot be written down"):
        game.do({"do": "roll", "purpose": "\udcff"})  # a byte 0xff on a command line
    assert open_game(file).head.id == 1


def test_a_move_is_read_back_before_it_is_acknowledged(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_game(played)
    stood = game.state.fingerprint()
    monkeypatch.setattr("warcabinet.store.journal.row_of", _losing(2))
    with pytest.raises(StorageError, match="could not be read back"):
        game.do({"do": "spend", "power": "germany", "brp": 1, "on": "other"})
    monkeypatch.undo()
    assert (game.head.id, game.state.fingerprint()) == (6, stood)
    assert open_game(played).verify() == []
    game.do({"do": "spend", "power": "germany", "brp": 1, "on": "other"})


def _losing(call: int) -> Any:
    """Rows as they are made, but for one that comes out of the database as another."""
    from warcabinet.store.journal import row_of

    calls = 0

    def made(move: Any) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        return {**row_of(move), "seat": "someone"} if calls == call else row_of(move)

    return made


def test_a_move_that_another_wrote_as_a_game_was_opened_is_on_its_line(played: Path) -> None:
    """Somebody else moved between looking at the journal and reading its last move."""
    journal = open_journal(played)
    assert set(journal.befores()) == {1, 2, 3, 4, 5, 6}
    open_game(played).do({"do": "spend", "power": "germany", "brp": 1, "on": "other"})
    game = Game(journal)
    assert game.journal.befores()[game.head.at] == 6


def test_the_folder_is_synced_with_every_move(played: Path) -> None:
    journal = open_journal(played)
    with journal.engine.connect() as db:
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 3  # EXTRA


# -- kills ---------------------------------------------------------------------------------------------------------


def test_sqlite_puts_right_what_a_kill_left_before_a_file_is_judged(played: Path) -> None:
    """A transaction that was killed after its first pages were written: the file's header lies, the journal knows."""
    with sqlite3.connect(played) as db:
        db.execute("pragma cache_size=1")  # so that pages reach the file before the commit
        db.execute("begin immediate")
        db.execute("update meta set value = 'half' where key = 'end'")
        db.execute("create table big (x)")
        db.executemany("insert into big values (?)", [("y" * 3000,)] * 200)
        for name in (played.name, f"{played.name}-journal"):
            shutil.copy(played.with_name(name), played.with_name(f"killed-{name}"))
        db.rollback()
    killed = played.with_name(f"killed-{played.name}")
    with killed.open("r+b") as raw:  # the new length stands in the header, the pages are not there yet
        raw.seek(28)
        raw.write((10_000).to_bytes(4, "big"))
    assert open_game(killed).head.id == 6
    assert examine(killed).ok


# -- what opening and making leave -----------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_only_its_owner_reads_a_game(file: Path, played: Path, tmp_path: Path) -> None:
    lines = list(export_game(open_game(played)))
    import_game(lines, tmp_path / "copy.warcabinet")
    for made in (played, tmp_path / "copy.warcabinet"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_what_a_killed_program_left_is_taken_away(tmp_path: Path, file: Path) -> None:
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    part = tmp_path / f".{file.name}.{dead.stdout.strip()}.part"
    part.write_text("half")
    create_game(file)
    assert [it.name for it in tmp_path.iterdir()] == [file.name]


SIZES = (0, 1, 512, 1024, 3000, 4096, 8192, 12_288, 20_000, 40_000, 60_000, 120_000, 1 << 22)


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.end()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("work", ["new", "import", "export", "move"])
def test_a_full_disk_leaves_nothing_half(played: Path, tmp_path: Path, children: Children, work: str) -> None:
    """Files may not grow beyond a size that becomes larger and larger: whatever fails, fails cleanly."""
    lines = list(export_game(open_game(played)))
    stood = open_game(played).head.id
    whole = 0
    for size in SIZES:
        target = tmp_path / f"out-{size}"
        told = children.child(_limited, size, _WORKS[work], played, target, lines)
        assert "Traceback" not in told
        # Beside a game that is there SQLite may leave a journal: it puts the game right when it is opened.
        left = {it.name for it in tmp_path.iterdir()} - {played.name, f"{played.name}-journal"}
        assert left <= {f"out-{size}" for size in SIZES}
        if target.exists():
            whole += 1
            assert work == "export" or examine(target).ok
        if work == "move":
            report = examine(played)
            assert report.ok, report.faults
            whole += report.moves > stood
            stood = report.moves
    assert whole > 0


def _limited(size: int, work: Any, played: Path, target: Path, lines: list[str]) -> None:
    """Do something where no file may grow beyond a size."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    work(played, target, lines)


def _new(played: Path, target: Path, lines: list[str]) -> None:
    create_game(target)


def _import(played: Path, target: Path, lines: list[str]) -> None:
    import_game(lines, target)


def _export(played: Path, target: Path, lines: list[str]) -> None:
    with whole_file(target) as part:
        part.write_text("\n".join(lines), encoding="utf-8")


def _move(played: Path, target: Path, lines: list[str]) -> None:
    open_game(played).do({"do": "roll", "purpose": "weather"})


_WORKS = {"new": _new, "import": _import, "export": _export, "move": _move}


# -- formats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_games_of_every_format_are_read_verified_and_played_on(name: str, file: Path) -> None:
    shutil.copy(FIXTURES / f"{name}.warcabinet", file)
    before = file.read_bytes()
    game = open_game(file)
    assert game.verify() == []
    assert file.read_bytes() == before
    head, stood = game.head.id, game.state.fingerprint()
    rolled = game.do({"do": "roll", "purpose": "weather"})
    again = open_game(file)
    assert again.verify() == []
    assert (again.head.id, again.journal.state_at(again.journal.move(head).at).fingerprint()) == (head + 1, stood)
    assert rolled.records
    if name == "game-format-3":
        assert [(seed.sealed, seed.revealed) for seed in again.journal.seeds()] == [(True, True), (True, False)]
        assert again.journal.keyed("first") == again.journal.move(2)
        return
    # The throw that found the old seed is the last that anybody who had it could foretell.
    assert [seed.sealed for seed in again.journal.seeds()] == [False, True]
    assert again.journal.seeds()[-1].first == head + 2


@pytest.mark.parametrize("name", ["game-0.1.0", "game-0.2.0", "game-format-3"])
def test_exports_of_every_format_are_read(name: str, file: Path) -> None:
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert import_game(lines, file).verify() == []


def test_a_game_is_renewed_without_a_move(file: Path) -> None:
    shutil.copy(FIXTURES / "game-0.1.0.warcabinet", file)
    journal = open_journal(file)
    journal.renew()
    assert journal.seeds()[-1] == journal.seeds()[1]
    again = open_game(file)
    assert again.journal.seeds()[-1].first == again.head.id + 1
    assert again.verify() == []


# -- verify ----------------------------------------------------------------------------------------------------------


DAMAGES = {
    "bytes that are no text": "update moves set seat = cast(x'ff80fe' as text) where id = 2",
    "records that are no text": "update moves set records = x'ff80' where id = 2",
    "a blob that is gone": ("update moves set redo = zeroblob(0), checked = zeroblob(0) where id = 3",),
    "a number that is none": "update moves set moment = 'soon' where id = 2",
    "a move that follows itself": "update moves set before = 3 where id = 3",
    "moves that follow each other": "update moves set before = 6 where id = 2",
    "a kind that there is not": "update moves set kind = 'dream' where id = 2",
    "a snapshot": "update snapshots set state = replace(state, '\"step\":3', '\"step\":4')",
    "postings": "delete from postings where move = 2",
    "postings from nowhere": "insert into postings values ('brp/germany', 99)",
    "a snapshot from nowhere": "insert into snapshots (move, state) values (99, x'00')",
    "who moved": "update moves set seat = 'another' where id = 2",
    "an end that is no text": "update meta set value = x'36' where key = 'end'",
    "the last move": "delete from moves where id = 6",
    "all moves": "delete from moves",
    "the format": "delete from meta where key = 'format'",
    "the dice": "delete from dice",
    "a die": "update moves set records = replace(cast(records as text), '\"face\":', '\"face\":1') where id = 5",
    "a table": "drop table postings",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_verify_says_what_is_wrong_and_never_crashes(played: Path, damage: Any) -> None:
    assert examine(played).ok
    change(played, damage)
    report = examine(played)
    assert report.faults
    try:
        game = open_game(played)
        game.line()
        game.log()
    except WarCabinetError:
        pass


def test_verify_says_how_far_a_game_is_whole_and_that_is_recovered(played: Path, tmp_path: Path) -> None:
    wanted = open_game(played).journal.state_at(3).fingerprint()
    change(played, "update moves set records = x'00' where id = 5")
    report = examine(played)
    assert (report.moves, report.whole) == (5, 4)
    saved, shown = recover(played, tmp_path / "saved.warcabinet")
    assert (saved.head.id, shown) == (4, 5)
    assert saved.verify() == []
    assert saved.journal.state_at(3).fingerprint() == wanted
    saved.do({"do": "roll", "purpose": "weather"})
    assert open_game(tmp_path / "saved.warcabinet").verify() == []


def test_a_changed_snapshot_is_not_played_on(played: Path) -> None:
    stood = open_game(played).state.fingerprint()
    change(played, "update snapshots set state = replace(cast(state as text), ':150', ':950')")
    assert open_game(played).state.fingerprint() == stood


def test_a_game_whose_last_moves_are_gone_is_refused(played: Path) -> None:
    change(played, "delete from moves where id > 4")
    with pytest.raises(Damaged, match="ended with move 6 and now ends with 4"):
        open_game(played)


@pytest.mark.parametrize("seed", range(60))
def test_random_damage_gives_a_clear_word(played: Path, seed: int) -> None:
    import random

    dice = random.Random(seed)
    data = bytearray(played.read_bytes())
    # Every third file is damaged in its first page, where SQLite describes the tables.
    size = 4096 if seed % 3 == 0 else len(data)
    for _ in range(dice.choice((1, 8, 64))):
        data[dice.randrange(size)] = dice.randrange(256)
    if seed % 5 == 0:
        del data[dice.randrange(len(data)) :]
    played.write_bytes(data)
    report = examine(played)
    try:
        game = open_game(played)
        fine = game.head.id == 6 and not report.faults
    except WarCabinetError:
        fine = False
    assert fine or report.faults


# -- imports ---------------------------------------------------------------------------------------------------------


def _edited(lines: list[str], number: int, old: str, new: str) -> list[str]:
    """A line that someone changed who can reckon: the export's mark at its end fits again."""
    assert old in lines[number], (old, lines[number][:300])
    changed = [*lines[:number], lines[number].replace(old, new), *lines[number + 1 :]]
    if number == len(lines) - 1:
        return changed
    mark = hashlib.sha256("".join(f"{line}\n" for line in changed[1:-1]).encode()).hexdigest()
    return [*changed[:-1], f'{{"end":{len(lines) - 2},"mark":"{mark}"}}']


EDITS = {
    "a batch of 2**64": (2, '"batch":2', '"batch":18446744073709551616'),
    "a batch that is another's": (3, '"batch":3', '"batch":2'),
    "a move that points nowhere": (4, '"at":2', '"at":99'),
    "an undo that leads elsewhere": (4, '"at":2', '"at":1'),
    "another redo": (4, '"redo":[3]', '"redo":[2]'),
    "a negative moment": (2, '"batch":2,"moment":', '"batch":2,"moment":-'),
    "a negative moment in an event": (2, '"happening":{"moment":', '"happening":{"moment":-'),
    "a step of a million": (1, '"step":3', '"step":1000000'),
    "a turn of another century": (1, '"turn":7758', '"turn":9758'),
    "a second start": (2, '"kind":"command"', '"kind":"start"'),
    "another move before it": (6, '"before":5', '"before":2'),
    "empty postings": (2, '"postings":[[', '"postings":[],"was":[['),
    "a kind": (4, '"kind":"undo"', '"kind":"command"'),
    "a barrier": (3, '"barrier":"die"', '"barrier":"wall"'),
    "no barrier": (3, '"barrier":"die",', ""),
    "its events": (2, '"seq":', '"seq":1'),
    "an order of a power that there is not": (2, '"germany"', '"atlantis"'),
    "points of a power that there is not": (2, '["brp","germany"]', '["brp","atlantis"]'),
    "an amount": (2, "-9", "-8"),
    "a number that is too long": (2, '"brp":9', '"brp":9' + "0" * 30),
    "reasons of reasons": (2, '"checked":[', '"checked":[' + '["x","",[],0,[' * 900 + '],[],""]' * 900 + ","),
    "the mark": (7, '"mark":"', '"mark":"0'),
    "not JSON": (2, "{", "{{"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_an_edited_export_is_refused_and_leaves_nothing(played: Path, tmp_path: Path, edit: Any) -> None:
    lines = list(export_game(open_game(played)))
    import_game(lines, tmp_path / "fine.warcabinet")
    with pytest.raises(WarCabinetError):
        import_game(_edited(lines, *edit), tmp_path / "wrong.warcabinet")
    assert not list(tmp_path.glob("*wrong*"))
    assert not list(tmp_path.glob(".*"))


def test_an_import_is_bounded_before_anything_is_built(played: Path, tmp_path: Path) -> None:
    lines = list(export_game(open_game(played)))
    place = tmp_path / "wrong.warcabinet"
    deep = '{"id":1,"checked":' + "[" * 900 + "]" * 900 + "}"
    with pytest.raises(WarCabinetError, match="nested deeper"):
        import_game([lines[0], deep, *lines[2:]], place)
    with pytest.raises(WarCabinetError, match="larger than is read"):
        import_game(lines, place, Bounds(bytes=2000))
    with pytest.raises(WarCabinetError, match="at most 3 moves"):
        import_game(lines, place, Bounds(moves=3))
    with pytest.raises(WarCabinetError, match="longer than is allowed"):
        import_game(lines, place, Bounds(seconds=-1))
    assert not place.exists()


# -- dice ------------------------------------------------------------------------------------------------------------


def test_seeds_have_256_bits_and_are_committed_to_before_the_first_throw(file: Path) -> None:
    game = create_game(file)
    (seed,) = game.journal.seeds()
    assert len(bytes.fromhex(seed.secret)) == 32
    assert seed.fits()
    assert seed.secret not in "".join(export_game(game))
    assert seed.commitment in next(export_game(game))
    move = game.do({"do": "roll", "purpose": "weather"})
    faces = [record.event.face for record in move.records if isinstance(record.event, DiceRolled)]
    assert faces == [dice_for([seed], move.id).throw()]


def test_sealed_dice_are_fair_enough() -> None:
    dice = sealed_seed(1).dice(0)
    thrown = [dice.throw() for _ in range(6000)]
    assert all(800 < thrown.count(face) < 1200 for face in range(1, 7))


def test_an_import_throws_by_a_seed_of_its_own(played: Path, tmp_path: Path) -> None:
    source = open_game(played)
    lines = list(export_game(source))
    known = sealed_seed(1)
    head = lines[0].replace(source.journal.seeds()[0].commitment, known.commitment)
    head = head.replace('"first":1', f'"first":1,"secret":"{known.secret}","revealed":true')
    one, two = (import_game([head, *lines[1:]], tmp_path / name) for name in ("one.warcabinet", "two.warcabinet"))
    last = [game.journal.seeds()[-1] for game in (one, two)]
    assert [seed.first for seed in last] == [7, 7]
    assert len({known.secret, last[0].secret, last[1].secret}) == 3


def test_revealed_dice_are_checked_by_whoever_has_the_export(played: Path, tmp_path: Path) -> None:
    journal = open_journal(played)
    journal.reveal()
    game = open_game(played)
    game.do({"do": "roll", "purpose": "weather"})
    lines = list(export_game(game))
    told = import_game(lines, tmp_path / "check.warcabinet")
    assert told.verify() == []
    assert [bool(seed.secret) for seed in told.journal.seeds()] == [True, False, True]
    other = sealed_seed(1)
    false = Seed(1, other.commitment, other.secret, revealed=True)
    first = told.journal.seeds()[0]
    forged = lines[0].replace(first.secret, false.secret).replace(first.commitment, false.commitment)
    # Another seed throws other faces, but for one chance in 36.
    thrown = [dice_for([false], move).throw() for move in (3, 5)]
    honest = [dice_for([first], move).throw() for move in (3, 5)]
    faults = import_game([forged, *lines[1:]], tmp_path / "forged.warcabinet").verify()
    assert bool(faults) == (thrown != honest)


def test_dice_that_were_given_are_no_fault(file: Path) -> None:
    game = create_game(file)
    game.do({"do": "roll", "purpose": "weather"}, dice=[6])
    assert open_game(file).verify() == []


# -- keys, copies ----------------------------------------------------------------------------------------------------


def test_a_key_is_used_once(played: Path) -> None:
    game = open_game(played)
    made = game.do({"do": "roll", "purpose": "weather"}, key="k1")
    assert game.journal.keyed("k1") == made
    with pytest.raises(Conflict):
        game.do({"do": "roll", "purpose": "weather"}, key="k1")
    assert open_game(played).journal.keyed("k1") == made


def test_a_running_game_is_backed_up(played: Path, tmp_path: Path) -> None:
    game = open_game(played)
    with sqlite3.connect(played) as writer:
        game.do({"do": "roll", "purpose": "weather"})
        back_up(played, tmp_path / "copy.warcabinet")
    writer.close()
    assert open_game(tmp_path / "copy.warcabinet").state.fingerprint() == game.state.fingerprint()
    with pytest.raises(WarCabinetError, match="exists already"):
        back_up(played, tmp_path / "copy.warcabinet")


def test_backup_recover_and_dice_on_the_command_line(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["backup", str(played), str(tmp_path / "copy.warcabinet")])
    main(["recover", str(played), str(tmp_path / "saved.warcabinet")])
    main(["dice", "-g", str(played), "--reveal"])
    main(["verify", "-g", str(played)])
    told = capsys.readouterr().out
    assert "6 of 6 moves are saved" in told
    assert "not revealed" in told
    assert "revealed" in told
