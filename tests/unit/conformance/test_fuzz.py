"""Random politics: a planted fault is found, shrunk to the commands that it takes, and saved as a case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from warcabinet.cli.main import main
from warcabinet.conformance.cases import read_cases
from warcabinet.conformance.fuzz.games import (
    Attempt,
    Broken,
    Fault,
    Step,
    Tally,
    attempt,
    play,
    play_game,
    politics,
    shrink,
)
from warcabinet.conformance.fuzz.invariants import INVARIANTS, Deed, Invariant, Wrong
from warcabinet.conformance.fuzz.orders import opening
from warcabinet.figures.position import set_up
from warcabinet.kernel.clause import catalogue


def _nobody_attacks(deed: Deed) -> Iterator[Wrong]:
    if deed.command["do"] == "declare_war":
        yield Wrong("war", "somebody declared war", {"powers.germany.brp": -1})


PLANTED = {"planted": Invariant("planted", "82.41", "Nobody declares war", _nobody_attacks)}


def _outcome(*words: str) -> int:
    try:
        main(list(words))
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def test_invariants_rest_on_clauses() -> None:
    assert all(it.clause in catalogue() and it.gist for it in INVARIANTS.values())


def test_a_game_is_the_same_each_time() -> None:
    games = [[made.step for made in play(4, 30)] for _ in range(2)]
    assert games[0] == games[1]
    assert len(games[0]) == 30


def test_planted_fault_is_found_shrunk_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally()
    play_game(tally, 3, politics(160, PLANTED), tmp_path, PLANTED)
    (find,) = tally.finds
    played = [made for made in play(3, 160, PLANTED) if made.accepted]
    first = next(number for number, made in enumerate(played, 1) if made.faults)
    assert find.commands < first
    ((case, _),) = read_cases(Path(find.file))
    assert [step["do"] for step in case.when if step["do"] != "advance"] == ["declare_war"]
    # The figures that it says should be are not so: that is all that is wrong with it.
    assert _outcome("check", find.file, "--json") == 1
    (told,) = json.loads(capsys.readouterr().out)["cases"]
    assert len(told["faults"]) == 1


def test_a_fault_is_kept_when_shrinking_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warcabinet.conformance.fuzz.games.shrink", stopped)
    tally = Tally()
    with pytest.raises(KeyboardInterrupt):
        play_game(tally, 0, politics(160, PLANTED), tmp_path, PLANTED)
    assert [Path(find.file).exists() for find in tally.finds] == [True]


def test_what_the_engine_falls_over_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def falls(*_: object) -> None:
        raise KeyError("belgium")

    monkeypatch.setattr("warcabinet.conformance.fuzz.games.decide", falls)
    made: Attempt = attempt(set_up(opening(0))[0], {"do": "advance"}, repeat(1), INVARIANTS)
    assert not made.accepted
    assert [it.key for it in made.faults] == [("engine", "KeyError")]


def test_shrinking_ends_in_time() -> None:
    fault = Fault("planted", "82.41", "war", "somebody declared war")
    broken = Broken((Step({"do": "advance"}), Step({"do": "advance"})), fault)
    assert shrink(opening(0), broken, PLANTED, commands=0) == broken


def test_command_sums_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("fuzz", "--games", "2", "--length", "20", "--into", str(tmp_path))
    assert _outcome(*words) == 0
    assert "2 games, 40 moves" in capsys.readouterr().out
    for name in list(INVARIANTS):
        monkeypatch.delitem(INVARIANTS, name)
    monkeypatch.setitem(INVARIANTS, "planted", PLANTED["planted"])
    assert _outcome(*words, "--length", "160", "--json") == 1
    assert json.loads(capsys.readouterr().out)["finds"][0]["fault"]["invariant"] == "planted"
    assert len(list(tmp_path.glob("*.yaml"))) == 1


def test_stopped_by_hand_it_sums_up(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warcabinet.cli.fuzz.play_game", stopped)
    assert _outcome("fuzz", "--hours", "1") == 0
    assert "0 games" in capsys.readouterr().out
    assert _outcome("fuzz", "--hours", "1", "--games", "1") == 2
