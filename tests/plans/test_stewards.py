"""Stewards: plans that ship, one for each power, legal to the end of the war."""

from __future__ import annotations

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.game import Refused, new_game
from warcabinet.game.engine import decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.model.calendar import parse_moment
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers
from warcabinet.plans.acting import Broken, Deed, steward
from warcabinet.plans.editing import written_out
from warcabinet.plans.form import check_keep, plan_of, read_plan
from warcabinet.plans.housekeeping import answers
from warcabinet.plans.judging import Judged, better
from warcabinet.plans.one import deeds_of, open_future
from warcabinet.plans.stewardship import steward_question
from warcabinet.rules.common.books import on_books

WHOLE_WAR = "plan: Nobody orders anything\nuntil: Winter 1946\n"


@pytest.mark.parametrize("power", powers())
def test_each_power_has_a_steward(power: str) -> None:
    check_keep(steward(power))
    assert steward(power).build


def test_eight_stewards_keep_house_to_the_end() -> None:
    """From Fall 1939 to the end of 1946: no order refused, no duty unmet, the journal sound."""
    program = plan_of("stewards.yaml", WHOLE_WAR)
    game = new_game(Position("classic-1939"), MemoryJournal())
    assert open_future(program, 1, 0, game) == []
    assert game.state.moment >= program.until
    assert game.verify() == []
    built = {move.command.power for move in game.log() if move.command and name_of(move.command) == "build"}  # type: ignore[attr-defined]
    assert built == set(powers())


@pytest.mark.parametrize("name", ["as-it-happened", "germany-grows-first", "allied-aid"])
@pytest.mark.parametrize("future", [0, 7])
def test_they_meet_every_duty_of_a_war(name: str, future: int) -> None:
    """With attacks, conquests and surrenders reported, the stewards answer all that the game waits for."""
    program = read_plan(name)
    found = [it for it, _ in deeds_of(program, 1939, future, program.start())]
    assert [it for it in found if isinstance(it, Broken)] == []
    assert {it.by for it in found if isinstance(it, Deed)} >= {"order", "preference", "duty", "step"}


@pytest.mark.parametrize(
    ("nation", "unit", "left"),
    [("france", "infantry 2-3", 5), ("tunisia", "infantry 2-3", 5), ("germany", "armor 4-6", 1)],
)
def test_guests_too_many_do_not_stop_the_game(nation: str, unit: str, left: int) -> None:
    """What Finland does not admit leaves (82.32, 82.322), whoever commands it or nobody; what it admits stays."""
    game = new_game(
        Position("classic-1939", options={"set_up": "reported", "mobilization": "reported"}), MemoryJournal()
    )
    game.advance("Fall 1939, Axis, diplomatic phase")
    friend = "germany" if nation == "germany" else "britain"
    game.do(
        {
            "do": "report_status",
            "country": "finland",
            "status": "controlled",
            "power": friend,
            "brp": 0,
            "by_rule": "a pact",
        }
    )
    game.advance("Fall 1939, Axis, movement" if friend == "germany" else "Fall 1939, Allied, movement")
    game.do(
        {
            "do": "report_units",
            "nation": nation,
            "unit": unit,
            "at": "Helsinki",
            "count": 6,
            "by_rule": "a pact",
            "beyond_list": True,
        }
    )
    with pytest.raises(Refused):
        game.advance()
    program = plan_of("guests.yaml", "plan: Nobody orders anything\nuntil: Winter 1939\n")
    assert open_future(program, 1, 0, game) == []
    assert game.figure(f"units.{nation}.Helsinki.{unit}") == left


def test_the_last_factory_that_can_rise_rises_twice() -> None:
    """Where no other can, Russia's steward raises one industrial center from ten to twenty (37.13C)."""
    given = {
        "wars": [{"between": ["germany", "russia"], "since": "Summer 1941", "declared_by": "germany"}],
        "books.russia.ic_gorki": 10,
        "mobilizations": {"russia": ["Spring 1941", "Summer 1941", "Fall 1941", "Winter 1941", "Spring 1942"]},
    }
    state, _ = set_up(Position("empty", "Summer 1942", player="allied", phase="unit construction", set=given))
    ways = [it for it in answers(state, {"russia": steward("russia")}) if name_of(it) == "raise_ics"]
    raised = [decide(state, it) for it in ways]
    assert [it.accepted for it in raised] == [True]
    assert on_books(raised[0].state, "russia", "ic_gorki") == 20


def test_what_a_steward_should_prefer_is_asked_of_a_plan() -> None:
    """As the question stands it is the steward that ships; growth is not bought with units."""
    quiet = plan_of("quiet.yaml", "plan: Nobody orders anything\n")
    asked = steward_question(quiet, "germany", quiet.start(), 1)
    own, ships = asked.plan.keep["germany"], steward("germany")
    assert (own.build, own.mobilize, own.leave) == (ships.build, ships.mobilize, ships.leave)
    assert asked.goals[0].moments == tuple(parse_moment(f"Spring {year}") for year in (1940, 1941, 1942, 1943))
    (claim,) = asked.plan.never
    assert claim.startswith("season is Spring and germany unbuilt > ")
    assert not Judged(asked, 1, 0, 2).verdict(quiet.start()).broken
    with pytest.raises(WarCabinetError, match="atlantis"):
        steward_question(quiet, "atlantis", quiet.start(), 1)


#: What stewards preferred before better was looked for: what they build and mobilize first, leave and raise.
FORMER = {
    "germany": {
        "mobilize": ["armor 4-6", "army air", "infantry 3-3"],
        "build": ["armor 5-6", "armor 4-6", "infantry 3-3", "army air", "infantry 1-3", "replacement", "destroyer"],
        "build_at": ["Berlin", "Leipzig", "Breslau"],
        "leave": 20,
    },
    "japan": {
        "mobilize": ["naval air", "army air", "infantry 2-2", "infantry 1-2"],
        "build": ["naval air", "army air", "infantry 3-2", "infantry 2-2", "infantry 1-2", "armor 2-3", "armor 1-3"],
        "build_at": ["Tokyo", "Osaka"],
        "leave": 15,
    },
    "usa": {
        "mobilize": ["armor 5-6", "army air", "infantry 3-4", "infantry 2-2", "infantry 1-2"],
        "build": ["armor 5-6", "army air", "infantry 3-4", "naval air", "infantry 2-2", "infantry 1-2"],
        "leave": 30,
    },
}
#: By how much what ships is better, at the least: the bases of 1940 to 1943 together.
BETTER = {"germany": 1, "japan": 15, "usa": 20}


@pytest.mark.parametrize("power", FORMER)
def test_what_a_steward_prefers_is_better_than_what_it_preferred(power: str) -> None:
    """On futures that no search has seen."""
    data = {key: it for key, it in Document("the plan", read_plan("as-it-happened").text).data.items() if key != "ask"}
    data |= {"until": "Spring 1943"}
    data |= {"want": [{"most": f"{power} base", "at": [f"Spring {year}" for year in range(1940, 1944)]}]}
    now, before = (plan_of(power, written_out(data | {"keep": keep})) for keep in ({}, {power: FORMER[power]}))
    mine, its = (Judged(it, 1, 7_000_000, 4).verdict(it.start()) for it in (now, before))
    by, margin, _ = better(mine.values[0], its.values[0], 1)
    assert by - margin > BETTER[power]
