"""Which names are near an unknown one is worked out when somebody reads it, and for the first few of many."""

from __future__ import annotations

import difflib
import pickle
from typing import Any

import pytest

from warcabinet.board.names import find
from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import as_command, decide
from warcabinet.kernel.errors import FEW, UnknownName, WarCabinetError, unknown
from warcabinet.plans.form import plan_of


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The words for which near names were looked for."""
    asked: list[Any] = []
    look = difflib.get_close_matches

    def counted(word: Any, *among: Any, **how: Any) -> list[Any]:
        asked.append(word)
        return look(word, *among, **how)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    return asked


def test_no_suggestion_is_worked_out_that_nobody_reads(worked_out: list[Any]) -> None:
    claims = " and ".join(["usat < 1"] * 20)
    program = plan_of("x", f"plan: x\nask: [{{question: q, at: Fall 1940, if: '{claims}'}}]\n")
    assert len(program.questions) == 1
    with pytest.raises(WarCabinetError):
        find("Nowhereville")
    assert worked_out == []


@pytest.mark.parametrize("name", ["Nowhereville", "QQ99", "europe:A99"])
def test_a_suggestion_is_worked_out_once_when_it_is_read(worked_out: list[Any], name: str) -> None:
    with pytest.raises(UnknownName) as error:
        find(name)
    told = str(error.value)
    before = len(worked_out)
    assert str(error.value) == told
    assert len(worked_out) == before <= 2
    assert told.count(";") >= 1


def test_of_many_unknown_names_the_first_few_have_suggestions(worked_out: list[Any]) -> None:
    state = set_up(Position("classic-1939"))[0]
    units = [f"{n} infantri 1-3" for n in range(1, 41)]
    order = as_command({"do": "build", "power": "germany", "at": "Berlin", "units": units})
    refusals = decide(state, order).refusals
    assert len(refusals) == 40
    assert len([it for it in refusals if "did you mean infantry" in it.text]) == FEW
    assert len(worked_out) == FEW
    assert refusals[-1].text == "units: unknown unit type 'infantri'"


def test_an_unknown_name_is_the_same_in_another_process() -> None:
    error = unknown("season", "Sumer", ("Spring", "Summer"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "unknown season 'Sumer'; did you mean Summer?"
