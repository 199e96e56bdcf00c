"""True reports of one player turn lead to the same position in whatever order, and however late, they arrive (83.5)."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import as_command, decide
from warcabinet.model.calendar import moment_name
from warcabinet.model.names import areas, countries
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.traits import conquest_places, home_hexes

SIDES = {"axis": ("germany", "italy"), "allied": ("usa", "britain", "france")}
# Countries with one capital, two, several key cities, islands, a colony, a conquest of the other side.
FIELDS = ("yugoslavia", "greece", "spain", "baltic_states", "egypt", "belgium", "rumania", "sweden")
STANDINGS: tuple[dict[str, Any], ...] = (
    {},
    {"status": "independent"},
    {"status": "associated", "by": "OTHER"},
    {"status": "conquered", "by": "OTHER"},
    {"status": "controlled", "by": "OTHER"},
)


def position(player: str, country: str, standing: dict[str, Any]) -> State:
    """The side that moves is at war with a country and with everybody on the other side."""
    others = SIDES["allied" if player == "axis" else "axis"]
    mine = SIDES[player]
    facts = {key: others[0] if value == "OTHER" else value for key, value in standing.items()}
    wars = [{"between": [one, other]} for one in mine for other in others]
    wars += [{"between": [one, country], "since": "Spring 1942", "declared_by": one} for one in mine]
    given: dict[str, Any] = {"wars": wars}
    if facts and countries()[country].kind != "colony":
        given[f"countries.{country}"] = facts
    where = {"turn": "Spring 1942", "player": player, "phase": "combat"}
    state, _ = set_up(Position("empty", set=given, **where))
    return state


def reports(player: str, country: str, dice: random.Random) -> list[dict[str, Any]]:
    """What partners did in one country: the places that decide it, some others, and who took part."""
    mine = SIDES[player]
    others = [key for key in home_hexes(country) if key not in conquest_places(country)]
    keys = [*conquest_places(country), *dice.sample(others, min(2, len(others)))]
    found = [
        {"do": "report_control", "places": [key], "by": dice.choice(mine)}
        for key in dice.sample(keys, min(3, len(keys)))
    ]
    how = dice.choice(("offensive operations", "attrition", "grant"))
    return [*found, {"do": "report_participation", "power": dice.choice(mine), "area": country, "how": how}]


def done(state: State, asked: dict[str, Any]) -> State:
    ruling = decide(state, as_command(asked))
    # What has gone to the conqueror meanwhile is no longer the partner's who entered it first (83.22B, 83.61).
    assert {it.clause for it in ruling.refusals} <= {"83.61"}, (asked, ruling.refusals)
    return state if ruling.refusals else ruling.state


def until(state: State, step: str) -> State:
    while state.place.step.name != step:
        state = done(state, {"do": "advance"})
    return state


def outcome(state: State, country: str) -> dict[str, Any]:
    """All that is left of the turn: who holds what, what the country is, what is on the books and on the agenda."""
    ahead = sorted((it.effect, it.power, it.about, it.brp, moment_name(it.due)) for it in state.agenda)
    held = {key: holder(state, key) for key in {*home_hexes(country), *conquest_places(country)}}
    standing = state.countries[country]
    books = {str(account): amount for account, amount in state.ledger.items() if amount}
    return {"held": held, "is": (standing.status, standing.by), "ahead": ahead, "books": books}


@pytest.mark.parametrize("country", FIELDS)
def test_the_order_of_reports_does_not_matter(country: str) -> None:
    dice = random.Random(country)
    for standing in STANDINGS:
        player = dice.choice(("axis", "allied")) if areas()[country].kind != "colony" else "axis"
        for _ in range(2):
            start, told = position(player, country, standing), reports(player, country, dice)
            outcomes = []
            for late in (False, True):
                for order in permutations(told):
                    state = start
                    for number, asked in enumerate(order):
                        state = until(state, "unit construction") if late and number == 2 else state
                        state = done(state, asked)
                    outcomes.append((order, outcome(until(state, "end of player turn"), country)))
            first = outcomes[0]
            for order, found in outcomes:
                assert found == first[1], (player, standing, first[0], order)
