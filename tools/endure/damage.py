"""Damaged files and saves: a clear word, never a traceback, never a state that is not the one that was played."""

from __future__ import annotations

import io
import json
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from warcabinet.cli.main import main as command_line
from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import create_game, examine, export_game, import_game, open_game
from warcabinet.store.backup import recover

PAGE = 4096
#: Every so many files and saves are given to the command line as well.
LINE_EVERY = 10


class Truth:
    """A game that was played, with what is right about it."""

    def __init__(self, file: Path) -> None:
        game = create_game(file)
        for n in range(12):
            game.do({"do": "spend", "power": "germany", "brp": 1 + n % 3, "on": "other"})
            game.do({"do": "roll", "purpose": "weather"})
        game.undo(consent=True)
        game.do({"do": "report_control", "places": ["Paris"], "by": "germany"})
        game.do({"do": "roll", "purpose": "weather"})
        self.data = _closed(game, file)
        self.game = open_game(file)
        self.save = "\n".join(export_game(self.game)) + "\n"
        self.last = self.game.head.id
        self.moves = [self.game.journal.move(id) for id in range(1, self.last + 1)]
        self.states = {move.id: self.game.journal.state_at(move.at).fingerprint() for move in self.moves}

    def same(self, game: Game) -> bool:
        """Whether a game stands where this one stood after as many moves."""
        return self.states.get(game.head.id) == game.state.fingerprint()


def _closed(game: Game, file: Path) -> bytes:
    game.journal.close()  # type: ignore[attr-defined]
    return file.read_bytes()


# -- kinds of damage -------------------------------------------------------------------------------------------------


def _flipped(data: bytearray, dice: random.Random) -> None:
    size = PAGE if dice.random() < 0.3 else len(data)  # the first page is where SQLite describes the tables
    for _ in range(dice.choice((1, 8, 64))):
        data[dice.randrange(min(size, len(data)))] ^= 1 << dice.randrange(8)


def _cut(data: bytearray, dice: random.Random) -> None:
    del data[dice.randrange(len(data)) :]


def _swapped(data: bytearray, dice: random.Random) -> None:
    one, two = (dice.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def _emptied(data: bytearray, dice: random.Random) -> None:
    at = dice.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE)


def _patched(data: bytearray, dice: random.Random) -> None:
    """A digit somewhere in what was written is another one: still a sound SQLite file."""
    digits = [at for at in range(len(data)) if 48 <= data[at] < 58]
    data[dice.choice(digits)] = 48 + dice.randrange(10)


FILES: tuple[Callable[[bytearray, random.Random], None], ...] = (_flipped, _flipped, _cut, _swapped, _emptied, _patched)


def _changed_value(lines: list[str], dice: random.Random) -> None:
    """One value of one line of JSON is another."""
    at = dice.randrange(len(lines))
    told = json.loads(lines[at])
    places = list(_places(told))
    holder, key = dice.choice(places)
    holder[key] = _another(holder[key], dice)
    lines[at] = json.dumps(told, separators=(",", ":"), ensure_ascii=False)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _another(value: Any, dice: random.Random) -> Any:
    junk = (None, True, -1, 10**30, 1.5, "", "\x00", "germany", [], {}, [[[]]], {"do": "spend"})
    if isinstance(value, bool) or dice.random() < 0.4:
        return dice.choice(junk)
    if isinstance(value, int):
        return value + dice.choice((-1, 1, 100))
    return value[:-1] if isinstance(value, str | list) and value else dice.choice(junk)


def _mixed_lines(lines: list[str], dice: random.Random) -> None:
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    what = dice.randrange(3)
    if what == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif what == 1:
        del lines[one]
    else:
        lines.insert(one, lines[two])


def _flipped_text(lines: list[str], dice: random.Random) -> None:
    data = bytearray("\n".join(lines).encode())
    _flipped(data, dice)
    lines[:] = data.decode(errors="replace").split("\n")


def _cut_text(lines: list[str], dice: random.Random) -> None:
    text = "\n".join(lines)
    lines[:] = text[: dice.randrange(len(text))].split("\n")


SAVES: tuple[Callable[[list[str], random.Random], None], ...] = (
    _changed_value,
    _changed_value,
    _mixed_lines,
    _flipped_text,
    _cut_text,
)


# -- what must come of it --------------------------------------------------------------------------------------------


def damaged_file(truth: Truth, folder: Path, number: int, dice: random.Random) -> Iterator[str]:
    data = bytearray(truth.data)
    damage = FILES[number % len(FILES)]
    damage(data, dice)
    file = folder / "damaged.warcabinet"
    _fresh(file).write_bytes(data)
    what = f"file {number} ({damage.__name__.strip('_')})"
    try:
        report = examine(file)
        yield from _opened(truth, file, bool(report.faults), what)
        yield from _recovered(truth, file, folder, what)
        if number % LINE_EVERY == 0:
            yield from _on_the_line(["verify", "-g", str(file)], bool(report.faults), what)
            yield from _on_the_line(["status", "-g", str(file)], None, what)
    except Exception:
        yield f"{what}: {traceback.format_exc()}"


def _opened(truth: Truth, file: Path, told: bool, what: str) -> Iterator[str]:
    try:
        game = open_game(file)
    except WarCabinetError as error:
        yield from _clear(str(error), what)
        if not told:
            yield f"{what}: it does not open ({error}), but verify finds nothing"
        return
    try:
        if not told and not (truth.same(game) and game.head.id == truth.last):
            yield f"{what}: another state, without a word"
        game.line()
        game.log()
    except WarCabinetError as error:
        yield from _clear(str(error), what)
        if not told:
            yield f"{what}: it cannot be read ({error}), but verify finds nothing"
    finally:
        game.journal.close()  # type: ignore[attr-defined]


def _recovered(truth: Truth, file: Path, folder: Path, what: str) -> Iterator[str]:
    target = _fresh(folder / "recovered.warcabinet")
    try:
        game, _ = recover(file, target)
    except WarCabinetError as error:
        yield from _clear(str(error), what)
        if target.exists():
            yield f"{what}: recover was refused and left a file"
        return
    if not truth.same(game):
        yield f"{what}: what was recovered is not what was played"
    game.journal.close()  # type: ignore[attr-defined]


def damaged_save(truth: Truth, folder: Path, number: int, dice: random.Random) -> Iterator[str]:
    lines = truth.save.splitlines()
    damage = SAVES[number % len(SAVES)]
    damage(lines, dice)
    target = _fresh(folder / "imported.warcabinet")
    what = f"save {number} ({damage.__name__.strip('_')})"
    try:
        if number % LINE_EVERY == 0:
            save = folder / "save.jsonl"
            save.write_text("\n".join(lines), encoding="utf-8", errors="replace")
            yield from _on_the_line(["import", str(save), str(folder / "line.warcabinet")], None, what)
            _fresh(folder / "line.warcabinet")
        game = import_game(lines, target)
        if not (truth.same(game) and game.head.id == truth.last):
            yield f"{what}: another state was taken in"
        if [move.records for move in truth.moves] != [game.journal.move(it.id).records for it in truth.moves]:
            yield f"{what}: other events were taken in"
        yield from (f"{what}: taken in, but {fault}" for fault in game.verify())
        game.journal.close()  # type: ignore[attr-defined]
    except WarCabinetError as error:
        yield from _clear(str(error), what)
        if target.exists():
            yield f"{what}: the import was refused and left a file"
    except Exception:
        yield f"{what}: {traceback.format_exc()}"


def _clear(text: str, what: str) -> Iterator[str]:
    if not text.strip() or "Traceback" in text or "object at 0x" in text:
        yield f"{what}: no clear word: {text!r}"


def _on_the_line(words: list[str], fails: bool | None, what: str) -> Iterator[str]:
    told, status = io.StringIO(), 0
    try:
        with redirect_stdout(told), redirect_stderr(told):
            command_line(words)
    except SystemExit as end:
        status = int(end.code or 0)
    if "Traceback" in told.getvalue() or (fails is not None and bool(status) != fails):
        yield f"{what}: `{words[0]}` ended with {status}: {told.getvalue()[-400:]}"


def _fresh(file: Path) -> Path:
    for beside in file.parent.glob(f"{file.name}*"):
        beside.unlink()
    return file


def damage_all(folder: Path, count: int, dice: random.Random, tick: Callable[[], None]) -> Iterator[str]:
    """Half files, half saves."""
    truth = Truth(folder / "truth.warcabinet")
    for number in range(count):
        make = damaged_file if number % 2 == 0 else damaged_save
        yield from make(truth, folder, number // 2, dice)
        tick()
