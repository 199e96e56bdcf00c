"""Units taken into the hand: by which order they go, where they may be put down, and who stands in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from warcabinet.board.maps import Board
from warcabinet.game.offers import refused_values
from warcabinet.model.keys import Unit
from warcabinet.model.names import powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.units import unit_branch, unit_kind
from warcabinet.rules.common.pieces import patron
from warcabinet.web.map.enemies import opposed
from warcabinet.web.map.legal_places import PlacesForbidden, all_places, legal_places

#: How units of each branch go from place to place by hand, in the phases in which they do.
WAYS = {
    "movement": {"ground": "movement", "partisan": "movement", "air": "staging", "naval": "base change"},
    "combat": {"ground": "advance", "partisan": "advance"},
    "redeployment": dict.fromkeys(("ground", "partisan", "air", "naval"), "redeployment"),
}
#: Other ways that lead where the plain one does not: over water, and into and out of boxes (71.22, 72.22, 81.63).
OTHERWISE = {
    "movement": ("sea transport",),
    "staging": ("sea transport",),
    "redeployment": ("tactical redeployment", "strategic redeployment", "naval redeployment"),
}
#: Units are not put among an enemy's (84.45B): dropping them there is an attack, and no forbidden ground.
STANDING_ENEMY = "84.45B"
#: What this table leaves to the players when units move.
UNJUDGED = "movement cost, stacking, combat"


class Deed(msgspec.Struct, frozen=True):
    """Something that is done by hand: what it is called, and how it goes."""

    deed: Literal["move", "attack", "build"]
    name: str
    text: str


_ONTO = "Drag stacks and aircraft onto an enemy, or choose his hex and press A: the battle sheet opens."
#: What hands do in a phase.
DEEDS = {
    "movement": (
        Deed("move", "Move your units", "Drag a counter or a stack to a hex, or choose its hex and press M."),
        Deed("attack", "Attack", _ONTO),
    ),
    "combat": (
        Deed("attack", "Attack and advance", _ONTO),
        Deed("move", "Move your units", "Those that advance or retreat: drag them, or choose their hex and press M."),
    ),
    "unit construction": (
        Deed("build", "Build by hand", "Drag counters from the force pool to the map, then give the orders together."),
    ),
    "redeployment": (
        Deed(
            "move",
            "Redeploy your units",
            "Drag a counter to where it goes, a box included, or choose its hex and press M.",
        ),
    ),
}


class EnemyPlace(msgspec.Struct, frozen=True):
    """A place that is an enemy's: whose, and how many of his counters stand there."""

    place: str
    holder: str
    counters: int


class Lifted(msgspec.Struct, frozen=True):
    """What can be done with units that are taken up: the order with all but the place, and the places."""

    command: str
    known: dict[str, str | int | list[str]]
    field: str
    #: Who takes a hex that these units enter, if it is an enemy's; nobody by aircraft and ships.
    taker: str
    legal: tuple[str, ...]
    #: Places that are reached in another way than the order says: by it they are legal.
    ways: dict[str, str]
    reasons: tuple[PlacesForbidden, ...]
    enemies: tuple[EnemyPlace, ...]
    #: The printed movement factor, where there is one.
    reach: int
    unjudged: str


def lifted(state: State, nation: str, unit: Unit, count: int, key: str, one: Board) -> Lifted:
    """The order by which units at a place go now, and what the rules say of every place of a board."""
    command, known = _order(state, nation, unit, count, key)
    places = legal_places(state, command, dict(known), "to", one)
    ways = dict(_ways(state, command, known, places.legal, one))
    kind, strength = unit_kind(unit), unit.rpartition("-")[2]
    ground = kind.branch == "ground"
    enemies = tuple(_enemies(state, nation, one))
    attacked = {it.place for it in enemies if it.counters}
    return Lifted(
        command=command,
        known=known,
        field="to",
        taker=patron(state, nation) if ground else "",
        legal=(*places.legal, *ways),
        ways=ways,
        reasons=tuple(_but(it, {*ways, *(attacked if it.clause == STANDING_ENEMY else ())}) for it in places.reasons),
        enemies=enemies,
        reach=int(strength) if strength.isdigit() else 0,
        unjudged=UNJUDGED,
    )


def _ways(
    state: State, command: str, known: dict[str, Any], legal: tuple[str, ...], one: Board
) -> Iterator[tuple[str, str]]:
    """Places that only another way reaches: boxes, and all that lies around a box from which units come."""
    origin = str(known.get("from", ""))
    wanted = (
        set(all_places(one)) if origin.startswith("box/") else {it for it in all_places(one) if it.startswith("box/")}
    )
    wanted -= {*legal, origin}
    for how in OTHERWISE.get(str(known.get("how", "")), ()):
        if not wanted:
            return
        refused = refused_values(state, command, {**known, "how": how}, "to", sorted(wanted))
        for key in sorted(wanted - set(refused)):
            yield key, how
            wanted.discard(key)


def _but(reason: PlacesForbidden, others: set[str]) -> PlacesForbidden:
    return msgspec.structs.replace(reason, places=tuple(it for it in reason.places if it not in others))


def _order(state: State, nation: str, unit: Unit, count: int, key: str) -> tuple[str, dict[str, Any]]:
    """The order in the phases in which units move; at other times it is reported that they did."""
    how = WAYS.get(state.place.step.name, {}).get(unit_branch(unit))
    if how or nation not in powers():
        return "move", {"nation": nation, "unit": unit, "from": key, "how": how or "movement", "count": count}
    return "report_move", {"power": nation, "units": [f"{count} {unit}"], "origin": key}


def _enemies(state: State, nation: str, one: Board) -> list[EnemyPlace]:
    fights: dict[str, bool] = {}

    def foe(other: str) -> bool:
        if other not in fights:
            fights[other] = bool(other) and opposed(state, nation, other)
        return fights[other]

    found = []
    for key in all_places(one):
        counters, held_by = sum(it.count for it in state.pieces.at(key) if foe(it.nation)), holder(state, key)
        if counters or foe(held_by):
            found.append(EnemyPlace(key, held_by, counters))
    return found
