"""The state as one sitter may see it. Built from figures, values and tables: new chapters appear by themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

from warcabinet.figures.position import scenarios
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual
from warcabinet.model.forces import stacks
from warcabinet.model.ledger import balance
from warcabinet.model.names import TRACKS, Power, areas, countries, powers
from warcabinet.model.state import State
from warcabinet.rules.common.waiting import waits_text
from warcabinet.web.rights import Sitter
from warcabinet.words import name, rule_title, undertaking_lines

#: Figures of a power card in order: label, rule, how it is shown.
CARD = (
    ("level", "level"),
    ("base", "base"),
    ("deficit", "deficit_limit"),
    ("limit", "construction_limit"),
    ("built", "constructed"),
    ("spendable", "spendable"),
)
FIRST_YEAR, LAST_YEAR = 1939, 1946


def clock(state: State) -> dict[str, Any]:
    """Where the game stands: turn, side, phase, and the phases of this part of the turn."""
    part = state.place.part
    track = [
        {"name": place.step.name, "step": index, "automatic": place.step.automatic, "source": place.step.source}
        for index, place in enumerate(calendar.steps())
        if place.part == part
    ]
    return {
        "turn": state.turn,
        "turn_name": calendar.turn_name(state.turn),
        "year": state.year,
        "part": part,
        "player": state.player,
        "phase": state.place.step.name,
        "step": state.step,
        "moment": state.moment,
        "text": calendar.moment_name(state.moment),
        "steps": track,
        "phases": list(dict.fromkeys(place.step.name for place in calendar.steps())),
        "due": sorted({calendar.split(it.due)[0] for it in state.agenda}),
        "years": [max(FIRST_YEAR, calendar.year(calendar.parse_turn(state.options.start))), LAST_YEAR],
        "start": calendar.parse_turn(state.options.start),
    }


@cache
def assumed_figures(scenario: str) -> frozenset[str]:
    """Figures of a scenario that rest on no clause."""
    found = scenarios().get(scenario)
    return frozenset(line.set for line in found.figures if line.source.startswith("assumed")) if found else frozenset()


def _figure(state: State, rule: str, power: str) -> int | None:
    if rule not in RULES.values():
        return None
    value = RULES.values()[rule](state, power)
    return int(value) if isinstance(value, int) else None


def stance(state: State, power: str) -> str:
    """A power's politics in a few words."""
    if state.powers[power].surrendered:
        return "surrendered"
    enemies = [w for w in state.wars if w.ended is None and power in w.between]
    others = [next(side for side in w.between if side != power) for w in enemies]
    majors = [name(other) for other in others if other in powers()]
    if len(majors) == 1 and _neutral(state, power):
        return f"at war with {majors[0]}"
    if majors:
        return "at war"
    return "at war with " + name(others[0]) if others else "neutral"


def _neutral(state: State, power: str) -> bool:
    rule = RULES.values().get("neutral_power")
    return bool(rule(state, power)) if rule else False


def may_run_deficits(state: State, power: str) -> bool:
    """Whether a power's deficit limit means anything now."""
    rule = RULES.values().get("may_deficit_spend")
    return rule is None or bool(rule(state, power))


def _card(state: State, power: Power, mine: bool) -> dict[str, Any]:
    assumed = assumed_figures(state.scenario)
    figures = {label: _figure(state, rule, power.power) for label, rule in CARD}
    if not may_run_deficits(state, power.power):
        figures["deficit"] = 0
    kept = RULES.values().get("keeps_brps")
    return {
        "power": power.power,
        "name": power.name,
        "seal": power.seal,
        "player": power.player,
        "faction": state.powers[power.power].faction,
        "stance": stance(state, power.power),
        "mine": mine,
        "kept": bool(kept(state, power.power)) if kept else True,
        "figures": figures,
        "assumed": [
            label for label, path in (("base", "base"), ("level", "brp")) if f"powers.{power.power}.{path}" in assumed
        ],
    }


def card_rules() -> dict[str, str]:
    """Which value explains which figure of a card."""
    return {label: rule for label, rule in CARD if rule in RULES.values()}


def pieces(state: State) -> list[dict[str, Any]]:
    """What stands where."""
    found = stacks(state)
    return [{"nation": it.nation, "place": it.place, "unit": it.unit, "count": it.count} for it in found]


def politics(state: State) -> list[dict[str, Any]]:
    """Every country with its standing, in the order of the table of areas."""
    return [
        {
            "id": id,
            "name": area.name,
            "kind": area.kind,
            "theater": area.theater,
            "brp": area.brp,
            "status": state.countries[id].status,
            "by": state.countries[id].by,
            "result": state.results.get(id, ""),
            "places": list(area.places),
        }
        for id, area in countries().items()
        if id in state.countries
    ]


def tracks(state: State) -> list[dict[str, Any]]:
    """Tension and resistance levels that have been set."""
    return [{"track": t, "name": text, "level": state.tracks[t]} for t, text in TRACKS.items() if t in state.tracks]


def wars(state: State) -> list[dict[str, Any]]:
    return [
        {"between": list(w.between), "since": calendar.turn_name(w.since), "declared_by": w.declared_by}
        for w in state.wars
        if w.ended is None
    ]


def waits(state: State, held: tuple[str, ...]) -> list[dict[str, Any]]:
    """Operations under way, the one to be replied to first: what they are, of whom they ask what, and since when."""
    return [
        {
            "id": it.id,
            "title": it.title,
            "text": waits_text(it),
            "asks": it.asks,
            "clause": it.clause,
            "since": calendar.moment_name(it.since),
            "waits_for": [{"power": power, "name": name(power)} for power in it.waits_for],
            "mine": bool(set(it.waits_for) & set(held)),
            "replies": list(it.replies),
            "lines": undertaking_lines(it.about),
        }
        for it in reversed(state.operations)
    ]


def position(state: State, held: tuple[str, ...]) -> dict[str, Any]:
    """All figures of a state that the page draws."""
    return {
        "clock": clock(state),
        "waits": waits(state, held),
        "powers": [_card(state, power, power.power in held) for power in powers().values()],
        "card_rules": card_rules(),
        "tracks": tracks(state),
        "wars": wars(state),
        "control": state.control,
        "pieces": pieces(state),
        "countries": politics(state),
        "scenario": state.scenario,
        "transports": state.transports,
        "rulings": [
            {"rule": rule, "title": rule_title(rule), "args": args, "value": fixed.value, "reason": fixed.reason}
            for rule, by_args in state.determinations.items()
            for args, fixed in by_args.items()
            if fixed.reason.startswith("referee")
        ],
        "readings": state.readings,
    }


def books(state: State, power: str) -> list[dict[str, Any]]:
    """What a power has on its books a year, by area."""
    found = []
    for area in areas():
        amount = balance(state.books, Annual(power, area))
        if amount:
            found.append({"area": area, "name": areas()[area].name, "kind": areas()[area].kind, "brp": amount})
    return found


def me(sitter: Sitter) -> dict[str, Any]:
    """The reader's own place at the table."""
    return {
        "name": sitter.person.name,
        "host": sitter.host,
        "seats": [{"id": s.id, "title": s.title, "role": s.role, "powers": list(s.powers)} for s in sitter.seats],
        "powers": list(sitter.powers),
        "player": bool(sitter.players),
        "referee": sitter.referee is not None,
    }
