"""Rings on the map and the judge answer one question: where may these units go, and why not elsewhere.

Places all over the boards are asked of, for units of several kinds and sides: what rings call legal is refused for no
reason that another place would not have, and where they name a reason the judge gives it too.
`--all` asks of twenty times as many.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bounds import many
from warcabinet.board.maps import board
from warcabinet.figures.position import Position
from warcabinet.game.engine import as_command, decide
from warcabinet.game.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.web.map.hands import lifted
from warcabinet.web.map.legal_places import all_places

UNITS = {
    "units.germany.Berlin.infantry 3-3": 1,
    "units.germany.Kiel.destroyer": 1,
    "units.germany.Berlin.army air": 1,
    "units.britain.London.infantry 3-4": 1,
    "units.britain.Gibraltar.destroyer": 1,
    "units.russia.Moscow.infantry 2-3": 1,
    "units.india.box/india_box.infantry 2-2": 1,
    "units.hungary.Budapest.infantry 1-3": 1,
    "units.finland.Helsinki.infantry 2-3": 1,
    "units.japan.Hanoi.infantry 2-2": 1,
}
NATIONS = tuple(dict.fromkeys(it.split(".")[1] for it in UNITS))

POSITIONS: dict[str, dict[str, object]] = {
    "as war begins": {},
    "results, allies and wars, after France has surrendered": {
        "countries.bulgaria": {"status": "controlled", "by": "germany"},
        "countries.hungary": {"status": "allied", "by": "germany"},
        "countries.finland": {"status": "associated", "by": "germany"},
        "control.Brussels": "germany",
        "powers.france.surrendered": True,
    },
}


def position(figures: dict[str, object]) -> State:
    return new_game(Position("classic-1939", set={**UNITS, **figures}), MemoryJournal()).state


def asked(state: State, nation: str, unit: str, origin: str, key: str, how: str) -> set[tuple[str, str]]:
    """The reasons that the judge has against a move."""
    told = {"nation": nation, "unit": unit, "from": origin, "to": key, "how": how, "count": 1}
    return {(it.rule, it.clause) for it in decide(state, as_command({"do": "move", **told})).refusals}


@pytest.mark.parametrize("step", ["movement", "redeployment"])
@pytest.mark.parametrize("figures", POSITIONS.values(), ids=POSITIONS.keys())
def test_rings_say_what_the_judge_says(figures: dict[str, object], step: str) -> None:
    begun, seen = position(figures), {"legal": 0, "closed": 0}
    stacks = {(it.nation, it.branch): it for nation in NATIONS for it in begun.pieces.of(nation)}
    for stack in stacks.values():
        player = "axis" if stack.nation in ("germany", "hungary", "finland", "japan") else "allied"
        state = replace(begun, step=calendar.step_index(player, step))
        one = board("pacific" if stack.place.startswith("pacific/") else "europe")
        rings = lifted(state, stack.nation, stack.unit, 1, stack.place, one)
        if rings.command != "move":
            continue
        how = str(rings.known["how"])
        reasons = {key: reason.clause for reason in rings.reasons for key in reason.places}
        against = {
            key: asked(state, stack.nation, stack.unit, stack.place, key, rings.ways.get(key, how))
            for key in all_places(one)[:: many(149, all=7)]
        }
        everywhere = set.intersection(*against.values())
        for key, found in against.items():
            if key in rings.legal:
                seen["legal"] += 1
                assert found <= everywhere, (stack, key, found)
            elif key in reasons:
                seen["closed"] += 1
                assert reasons[key] in {clause for _, clause in found}, (stack, key, reasons[key], found)
    assert min(seen.values()) > 10, seen
