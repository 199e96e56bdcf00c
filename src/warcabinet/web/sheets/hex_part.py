"""The card of a hex: what is known of it as a part of a page, and what can be done from it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from warcabinet.model.state import State
from warcabinet.views.words import name, place_name
from warcabinet.web.map.map_questions import HexFacts
from warcabinet.web.map.supply_layer import SupplyLine
from warcabinet.web.map.waters import waters
from warcabinet.web.sheets.drawn import drawn, several


class Missing(msgspec.Struct, frozen=True):
    """A side without units in a hex, and where its nearest stand."""

    side: str
    text: str


class HexPart(msgspec.Struct, frozen=True):
    title: str
    drawn: str
    absent: tuple[Missing, ...]
    #: The powers that may take it by report, and whose enemies stand there.
    takers: tuple[str, ...]
    enemies: tuple[str, ...]
    #: The supply line to it, or what cuts it.
    line: SupplyLine | None


def hex_part(facts: HexFacts, state: State) -> HexPart:
    since = facts.since if facts.since and facts.since.move > 1 else None
    shut = [it for it in waters(state) if facts.key in it.hexes]
    line = facts.supply.line if facts.supply else None
    return HexPart(
        ", ".join(it.name for it in facts.places) or f"Hex {facts.id}",
        drawn("sheet-hex.html", hex=facts, since=since, zones=list(_zones(facts)), waters=shut),
        tuple(Missing(it.side, _nearest(it.nearest, it.hexes, it.counters)) for it in facts.absent),
        facts.takers,
        facts.enemies,
        line if line and (line.path or line.cut) else None,
    )


def _zones(facts: HexFacts) -> Iterator[str]:
    """Whose armor stands there, and whose keeps its zone of control over it."""
    yield from (f"{name(it)}’s armor stands here" for it in facts.armor)
    yield from (f"{name(it)}’s reaches here" for it in facts.zones if it not in facts.armor)


def _nearest(place: str, hexes: int, counters: int) -> str:
    if not place:
        return "none on this board"
    return f"none; nearest {place_name(place)}, {several(hexes, 'hex', 'hexes')} off, {several(counters, 'counter')}"
