"""The table of figures: every row can be read, set as its example says or refused, listed and completed."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.cli.session import Words
from warcabinet.figures.blanks import BLANKS
from warcabinet.figures.figure import Figure, Unfit, blanks_in, filled
from warcabinet.figures.position import Position, set_up
from warcabinet.figures.table import (
    FIGURES,
    completions,
    correction,
    find,
    proposals,
    read,
    reckoned_by,
    spelled_out,
    spread,
)
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.tables import Document
from warcabinet.model.apply import apply
from warcabinet.model.state import State


@pytest.fixture(scope="module")
def state() -> State:
    return set_up(Position(turn="Winter 1941", set={"countries.poland": {"status": "allied", "by": "italy"}}))[0]


def example(row: Figure) -> list[tuple[str, Any]]:
    """The figures of a row's example, as a position would set them."""
    written = Document(row.path, row.example).data
    return [it for path, to in written.items() for it in spread(path, to)]


@pytest.mark.parametrize("row", FIGURES, ids=lambda it: it.path)
def test_every_example_is_of_its_own_row(row: Figure) -> None:
    found = [find(path)[0].path for path, _ in example(row)]
    # `mobilizations` shows how several are written at once; every other example is the figure itself.
    wanted = {"mobilizations": ["mobilizations.<power>", *["mobilizations.<power>.<part>"] * 2]}
    assert found == wanted.get(row.path, [row.path])


@pytest.mark.parametrize("row", [it for it in FIGURES if it.settable], ids=lambda it: it.path)
def test_what_is_set_is_read_again(row: Figure, state: State) -> None:
    for path, to in example(row):
        after = state
        for fact in correction(state, path, to):
            after = apply(after, fact)
        assert _as_written(row, read(after, path)) == to
        assert _as_written(row, read(state, path)) != to


def _as_written(row: Figure, found: Any) -> Any:
    """What was read as the example writes it: places by name, a moment by the stretch of time that it lies in."""
    if row.path == "control":
        names = {spelled_out(f"control.{name}")[8:]: name for name in ("Brussels", "europe/K28", "Cairo", "Belgrade")}
        held = {by: [names[key].removeprefix("europe/") for key in keys if key in names] for by, keys in found.items()}
        return {by: places for by, places in held.items() if places}
    if row.path == "happened":
        return [{**it, "in": "player turn"} for it in found]
    return found


@pytest.mark.parametrize("row", [it for it in FIGURES if not it.settable], ids=lambda it: it.path)
def test_what_cannot_be_set_says_why(row: Figure, state: State) -> None:
    assert isinstance(row.write, str)
    ((path, to),) = example(row)
    read(state, path)
    with pytest.raises(WarCabinetError) as refused:
        correction(state, path, to)
    assert str(refused.value) == filled(row.write, row.path, find(path)[1])


def test_a_figure_of_its_own_comes_before_any_value() -> None:
    assert find("powers.U S.brp")[0].path == "powers.<power>.brp"
    assert find("powers.usa.growth_rate") == (FIGURES_BY_PATH["powers.<power>.<value>"], ("usa", "growth_rate"))
    assert find("units.usa.unbuilt.infantry 2-2")[1] == ("usa", "infantry 2-2")


FIGURES_BY_PATH = {row.path: row for row in FIGURES}


def test_a_place_may_have_dots_in_its_name() -> None:
    row, names = find("units.usa.Atlantic U.S. box.infantry 3-4")
    assert (row.path, names) == ("units.<nation>.<place>.<unit>", ("usa", "box/atlantic_us", "infantry 3-4"))
    nested = {"usa": {"Atlantic U.S. box": {"infantry 3-4": 2}}}
    assert list(spread("units", nested)) == [("units.usa.Atlantic U.S. box.infantry 3-4", 2)]


def test_a_mapping_is_several_figures_unless_it_is_the_figure() -> None:
    poland = {"status": "conquered", "by": "germany"}
    assert list(spread("countries", {"poland": poland})) == [("countries.poland", poland)]
    assert list(spread("powers", {"usa": {"brp": 3}})) == [("powers.usa.brp", 3)]
    assert list(spread("tracks.usat", {"now": 3})) == [("tracks.usat", {"now": 3})]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("powers.germany", "write powers.<power>.base or "),
        ("powers.germany.factio", "did you mean faction"),
        ("powrs.germany.brp", "unknown figure 'powrs.germany.brp'; did you mean powers.<power>.brp"),
        ("isolated.london", "no industrial center"),
        ("shipbuilding.usa.atlantic", "unknown theater 'atlantic'"),
        ("wars.now", "write wars, not wars.now"),
    ],
)
def test_a_wrong_name_is_told_what_would_be_right(path: str, told: str, state: State) -> None:
    with pytest.raises(WarCabinetError, match=told):
        read(state, path)


def test_figures_say_which_value_reckons_them() -> None:
    assert reckoned_by("powers.U S.brp") == ("level", ("usa",))
    assert reckoned_by("powers.usa.growth_rate") == ("growth_rate", ("usa",))
    assert reckoned_by("tracks.usat") is None
    for row in FIGURES:
        if row.rule and not blanks_in(row.rule):
            assert len(RULES.values()[row.rule].parameters) == len(blanks_in(row.path))


def test_proposals_are_figures_that_can_be_set() -> None:
    found = dict(proposals())
    assert found["powers.germany.brp"] == "BRP level"
    assert "tracks.usat" in found
    for path in found:
        assert find(path)[0].settable
    assert not any("<" in path for path in found)


def test_completion_goes_on_name_by_name() -> None:
    assert "powers." in completions("")
    assert "powers.germany." in completions("powers.ger")
    assert {"powers.germany.brp", "powers.germany.growth_rate"} <= set(completions("powers.germany.b"))
    assert completions("transports.") == [f"transports.{ocean}" for ocean in BLANKS["ocean"].known()]
    words = Words()
    assert "figure=tracks.usat" in words._candidates(["correct", "figure=tracks."])
    assert "tracks.usat" in words._candidates(["why", "tracks."])


def nothing(s: State) -> int:
    return 0


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (("x", "", "x: 1", nothing, "no"), "say what it is"),
        (("x", "a figure", "", nothing, "no"), "say what it is"),
        (("x", "a figure", "x: 1", nothing, ""), "why it cannot be"),
        (("x", "a figure", "y: 1", nothing, "no"), "of another figure"),
        (("x.<soul>", "a figure", "x.y: 1", nothing, "no"), "nothing is known of <soul>"),
        (("x.<power>", "a figure", "x.usa: 1", nothing, "no"), "does not take 2 arguments"),
        (("x", "a figure", "x: 1", nothing, nothing), "does not take 2 arguments"),
    ],
)
def test_a_row_that_cannot_stand_fails_at_import(row: tuple[Any, ...], told: str) -> None:
    with pytest.raises(Unfit, match=told):
        Figure(*row)
