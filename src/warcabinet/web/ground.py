"""The ground under the orders: where a place may be named and why not elsewhere; how far a power's supply reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import Board, board
from warcabinet.board.names import places
from warcabinet.board.seas import passages, ports, sail
from warcabinet.board.supply import reach, trace
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands import Field, command_types, fields
from warcabinet.model.names import power_named
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.offers import Offer, narrow, sift
from warcabinet.rules.common.supply import eastern_edge, friends, hexes_of, passable
from warcabinet.web.errors import Problem, not_found
from warcabinet.words import listed, spoken

#: What a board lists as a source of a power's supply; whether it counts as one is for the rules and the referee.
SOURCES = ("supply_unlimited", "supply_limited", "key_area")
LAND = ("land", "coastal")


def the_board(named: str) -> Board:
    if named not in ("europe", "pacific"):
        raise not_found(f"board {named}")
    return board(named)


def all_places(one: Board) -> list[str]:
    """Every hex of a board that has land, and every box."""
    return [*(h.key for h in one if h.kind in LAND), *(f"box/{id_}" for id_ in boxes())]


def _field(command: str, field: str) -> Field:
    kind = command_types().get(command)
    found = next((it for it in fields(kind) if it.name == field), None) if kind else None
    if found is None:
        raise not_found(f"field {field} of a command {command}")
    if not found.kind.startswith(("place", "placement")):
        raise Problem(400, f"{field} of {command} names no place")
    return found


def legal_places(
    state: State, command: str, known: dict[str, Any], field: str, one: Board, unit: str = "", place: str = ""
) -> dict[str, Any]:
    """Which places of a board a field may name, and for the others the reason, grouped by the rule that forbids them.

    With `place` the answer is about that place alone, in the words that fit it.
    """
    asked = _field(command, field)
    only = place_key(place) if place else ""
    keys = list(dict.fromkeys([*all_places(one), *([only] if only else [])]))
    written = {f"{unit} at {key}" if asked.kind == "placement" else key: key for key in keys}
    refused = sift(state, command, known, field, written)
    offered = narrow(state, command, {k: v for k, v in known.items() if k != field}).fields[field]
    chosen = {place_key(name) for name in offered.among}
    reasons: dict[str, dict[str, Any]] = {}
    legal = []
    for value, key in written.items():
        if only and key != only:
            continue
        refusal = refused.get(value)
        if refusal is None and chosen and key not in chosen:
            refusal = Refusal(offered.by[0] if offered.by else "", f"only {listed(offered.among)}")
        if refusal is None:
            legal.append(key)
        else:
            reasons.setdefault(refusal.rule, _reason(refusal, exact=bool(only)))["places"].append(key)
    return {"field": field, "legal": legal, "reasons": list(reasons.values())}


def _reason(refusal: Refusal, exact: bool) -> dict[str, Any]:
    """Why places are not legal. The words for one place say its name; for many the gist must do."""
    rule = RULES.by_name.get(refusal.rule)
    gist = rule.gist if rule else refusal.text
    return {"clause": refusal.clause, "gist": gist, "text": spoken(refusal.text) if exact else gist, "places": []}


def refused_at(state: State, offered: Iterable[Offer], key: str) -> list[dict[str, Any]]:
    """The orders, possible as such, that may not name this place, each with the reason."""
    found = []
    for offer in offered:
        for field in offer.fields.values():
            if not offer.available or field.kind != "place":
                continue
            refusal = sift(state, offer.command, offer.known, field.name, [key]).get(key)
            if refusal is not None:
                found.append(
                    {
                        "command": offer.command,
                        "known": offer.known,
                        "field": field.name,
                        **_reason(refusal, exact=True),
                    }
                )
    return found


def sources(one: Board, power: str) -> list[str]:
    """The hexes of a board from which a power's lines can start, as far as the board knows them."""
    found = {
        place.hex
        for place in places().values()
        if place.board == one.name and any(role.role in SOURCES and role.of == power for role in place.roles)
    }
    if power == "russia" and one.name == "europe":
        found |= {key.partition("/")[2] for key in eastern_edge()}
    return sorted(found)


def supply(state: State, one: Board, power: str, to: str = "") -> dict[str, Any]:
    """How far a power's lines reach: over land, then by sea between friendly ports; what it holds beyond is cut off."""
    power = power_named(power).power
    permitted = passable(state, one, power)
    start = one.bits(sources(one, power)) & permitted
    by_land = reach(one, start, permitted)
    open_ways = _open_passages(state, one, power)
    everywhere, harbours = _by_sea(one, by_land, permitted, open_ways)
    mine = hexes_of(state, one, friends(state, power))
    found: dict[str, Any] = {
        "power": power,
        "sources": list(one.ids(start)),
        "land": list(one.ids(by_land)),
        "sea": list(one.ids(everywhere & ~by_land)),
        "cut": list(one.ids(mine & ~everywhere)),
        "ports": harbours,
        "shut": [it.name for it in passages(one).values() if it.id not in open_ways],
    }
    if to:
        found["line"] = _line(one, start, permitted, everywhere, to)
    return found


def _open_passages(state: State, one: Board, power: str) -> list[str]:
    """The passages all of whose shores are friendly."""
    holds = hexes_of(state, one, friends(state, power))
    return [it.id for it in passages(one).values() if not one.bits(it.needs) & ~holds]


def _by_sea(one: Board, by_land: int, permitted: int, open_ways: list[str]) -> tuple[int, list[str]]:
    """The land reached from the ports to which ships can sail from ports in supply, and all those ports."""
    friendly = {hex_ for hex_ in ports(one).values() if one.bits((hex_,)) & permitted and one[hex_].seas}
    reached, todo = by_land, [hex_ for hex_ in sorted(friendly) if one.bits((hex_,)) & by_land]
    used = set(todo)
    while todo:
        water = sail(one, todo.pop(), open_ways)
        landed = {hex_ for hex_ in friendly - used if one.bits((hex_,)) & water}
        reached |= reach(one, one.bits(landed), permitted)
        used |= landed
        todo += sorted(hex_ for hex_ in friendly - used if one.bits((hex_,)) & reached)
        used |= {hex_ for hex_ in friendly if one.bits((hex_,)) & reached}
    return reached, sorted(used)


def _line(one: Board, start: int, permitted: int, everywhere: int, to: str) -> dict[str, Any]:
    """The shortest line to one hex, or what cuts it; by sea where no land leads there."""
    key = place_key(to)
    if not key.startswith(one.name + "/"):
        raise Problem(400, f"{to} is not on the {one.name} board")
    # The hex itself may lie in an enemy zone of control; the line to it may not.
    goal = one.bits((key,))
    line = trace(one, start, goal, permitted | goal)
    return {
        "found": line.found,
        "by_sea": not line.found and bool(everywhere & goal),
        "path": [f"{one.name}/{id_}" for id_ in line.path],
        "cut": [f"{one.name}/{id_}" for id_ in line.cut],
        "steps": max(0, len(line.path) - 1),
    }
