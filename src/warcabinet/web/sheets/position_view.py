"""The state as one sitter may see it. Built from figures, values and tables: new chapters appear by themselves."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.figures.position import scenarios
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Answer as Value
from warcabinet.model import calendar
from warcabinet.model.names import TRACKS, Power, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.model.unit_lists import stacks, waiting
from warcabinet.rules.common.waiting import waits_text
from warcabinet.rules.common.war_and_peace import opponents
from warcabinet.views.words import in_number, name, undertaking_lines
from warcabinet.web.hall.rights import Sitter, may_advance
from warcabinet.web.map.enemies import Unreported, unreported
from warcabinet.web.map.hands import DEEDS, Deed
from warcabinet.web.map.standing import Nation, nations, worn
from warcabinet.web.map.waters import WaterLine, waters
from warcabinet.web.orders.offer_list import OfferLine
from warcabinet.web.orders.order_words import CALLED, way_on
from warcabinet.web.sheets.agenda_lines import AgendaLine, agenda_lines

#: Figures of a power card in order: label, rule, how it is shown.
CARD = (
    ("level", "level"),
    ("base", "base"),
    ("deficit", "deficit_limit"),
    ("limit", "construction_limit"),
    ("built", "constructed"),
    ("spendable", "spendable"),
)
#: The clock shows the years of the war from this one on.
FIRST_YEAR = 1939


class ClockStep(msgspec.Struct, frozen=True):
    """A phase of the part of the turn under way."""

    name: str
    step: int
    automatic: bool
    source: str


class Arrivals(msgspec.Struct, frozen=True):
    """What the turn record track brings into the force pools in a turn, power by power."""

    turn: int
    text: str


class Clock(msgspec.Struct, frozen=True):
    """Where the game stands: turn, side, phase, and the phases of this part of the turn."""

    turn: int
    turn_name: str
    year: int
    part: str
    player: str
    phase: str
    step: int
    moment: int
    text: str
    steps: tuple[ClockStep, ...]
    #: The next phase of this part in which something is decided; empty where the part ends first.
    next: str
    phases: tuple[str, ...]
    #: What a phase is called in short, where that is another word.
    called: dict[str, str]
    #: What going on from here is called: which phase it closes.
    close: str
    #: Turns in which something falls due.
    due: tuple[int, ...]
    #: What enters the force pools in later turns.
    arrivals: tuple[Arrivals, ...]
    years: tuple[int, ...]
    start: int


class PowerCard(msgspec.Struct, frozen=True):
    """A power at a glance: its politics and the figures that everybody watches."""

    power: str
    name: str
    seal: str
    player: str
    faction: str
    stance: str
    mine: bool
    kept: bool
    figures: dict[str, int | None]
    #: Figures that rest on no clause.
    assumed: tuple[str, ...]


class TrackLevel(msgspec.Struct, frozen=True):
    track: str
    name: str
    level: int


class WarLine(msgspec.Struct, frozen=True):
    between: tuple[str, ...]
    since: str
    declared_by: str


class CountryLine(msgspec.Struct, frozen=True):
    """A country and its standing."""

    id: str
    name: str
    kind: str
    theater: str
    brp: int
    status: str
    by: str
    #: How it stands, in a few words.
    standing: str
    result: str
    places: tuple[str, ...]


class RefereeRuling(msgspec.Struct, frozen=True):
    """A value that the referee has fixed."""

    rule: str
    title: str
    args: str
    value: Value
    reason: str


class NamedPower(msgspec.Struct, frozen=True):
    power: str
    name: str


class WaitLine(msgspec.Struct, frozen=True):
    """An operation under way: what it is, of whom it asks what, since when, and whether the reader is asked."""

    id: str
    title: str
    text: str
    asks: str
    clause: str
    since: str
    waits_for: tuple[NamedPower, ...]
    mine: bool
    replies: tuple[str, ...]
    lines: tuple[str, ...]


class PositionView(msgspec.Struct, frozen=True):
    """All that the page draws of one moment, with what this sitter can do there."""

    move: int
    scenario: str
    clock: Clock
    #: Operations under way, the one to be replied to first.
    waits: tuple[WaitLine, ...]
    powers: tuple[PowerCard, ...]
    #: The reader's own powers that move now, the first first.
    moving: tuple[str, ...]
    #: Whether it is for the reader to say that the game goes on.
    may_advance: bool
    #: Which value explains which figure of a card.
    card_rules: dict[str, str]
    tracks: tuple[TrackLevel, ...]
    wars: tuple[WarLine, ...]
    #: Who was reported to hold a hex.
    control: dict[str, str]
    #: Passages that are shut and waters that are mined.
    waters: tuple[WaterLine, ...]
    pieces: tuple[Stack, ...]
    #: Every nation with units in play: its side, and whether the reader takes its counters up.
    nations: dict[str, Nation]
    #: In which power's colours holders and countries are drawn.
    worn: dict[str, str]
    #: What is done by hand in this phase, the first thing one comes for first.
    by_hand: tuple[Deed, ...]
    #: Captures that nobody has reported yet.
    unreported: tuple[Unreported, ...]
    countries: tuple[CountryLine, ...]
    transports: dict[str, int]
    rulings: tuple[RefereeRuling, ...]
    readings: dict[str, str]
    agenda: tuple[AgendaLine, ...]
    offers: tuple[OfferLine, ...]


def clock(state: State) -> Clock:
    part = state.place.part
    track = tuple(
        ClockStep(place.step.name, index, place.step.automatic, place.step.source)
        for index, place in enumerate(calendar.steps())
        if place.part == part
    )
    start = calendar.parse_turn(state.options.start)
    return Clock(
        turn=state.turn,
        turn_name=calendar.turn_name(state.turn),
        year=state.year,
        part=part,
        player=state.player,
        phase=state.place.step.name,
        step=state.step,
        moment=state.moment,
        text=calendar.moment_name(state.moment),
        steps=track,
        next=next((it.name for it in track if it.step > state.step and not it.automatic), ""),
        phases=tuple(dict.fromkeys(place.step.name for place in calendar.steps())),
        called=CALLED,
        close=way_on(state),
        due=tuple(sorted({calendar.split(it.due)[0] for it in state.agenda})),
        arrivals=_arrivals(state),
        years=(max(FIRST_YEAR, calendar.year(start)), calendar.LAST_YEAR),
        start=start,
    )


def _arrivals(state: State) -> tuple[Arrivals, ...]:
    """The turn record track of all powers, turn by turn."""
    by_turn: dict[int, dict[str, list[str]]] = {}
    for power in powers():
        for turn, unit, count in sorted(waiting(state, power)):
            by_turn.setdefault(turn, {}).setdefault(name(power), []).append(in_number(f"{count} {unit}"))
    return tuple(
        Arrivals(turn, "; ".join(f"{power} {', '.join(units)}" for power, units in its.items()))
        for turn, its in sorted(by_turn.items())
    )


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
    others = list(opponents(state, power))
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


def _card(state: State, power: Power, mine: bool) -> PowerCard:
    assumed = assumed_figures(state.scenario)
    figures = {label: _figure(state, rule, power.power) for label, rule in CARD}
    if not may_run_deficits(state, power.power):
        figures["deficit"] = 0
    kept = RULES.values().get("keeps_brps")
    shown = (("base", "base"), ("level", "brp"))
    return PowerCard(
        power=power.power,
        name=power.name,
        seal=power.seal,
        player=power.player,
        faction=state.powers[power.power].faction,
        stance=stance(state, power.power),
        mine=mine,
        kept=bool(kept(state, power.power)) if kept else True,
        figures=figures,
        assumed=tuple(label for label, path in shown if f"powers.{power.power}.{path}" in assumed),
    )


def cards(state: State, held: tuple[str, ...]) -> tuple[PowerCard, ...]:
    """Every power's card, for somebody who holds some of them."""
    return tuple(_card(state, power, power.power in held) for power in powers().values())


def card_rules() -> dict[str, str]:
    """Which value explains which figure of a card."""
    return {label: rule for label, rule in CARD if rule in RULES.values()}


def standing(state: State, country: str) -> str:
    """How a country stands, in a few words: held by Germany; allied, Italy; neutral."""
    it = state.countries[country]
    if not it.by:
        return it.status
    if it.status in ("colony", "commonwealth"):
        return name(it.by)
    return f"held by {name(it.by)}" if it.status == "conquered" else f"{it.status}, {name(it.by)}"


def politics(state: State) -> tuple[CountryLine, ...]:
    """Every country with its standing, in the order of the table of areas."""
    return tuple(
        CountryLine(
            id=id,
            name=area.name,
            kind=area.kind,
            theater=area.theater,
            brp=area.brp,
            status=state.countries[id].status,
            by=state.countries[id].by,
            standing=standing(state, id),
            result=state.results.get(id, ""),
            places=tuple(area.places),
        )
        for id, area in countries().items()
        if id in state.countries
    )


def tracks(state: State) -> tuple[TrackLevel, ...]:
    """Tension and resistance levels that have been set."""
    return tuple(TrackLevel(t, text, state.tracks[t]) for t, text in TRACKS.items() if t in state.tracks)


def wars(state: State) -> tuple[WarLine, ...]:
    return tuple(
        WarLine(tuple(w.between), calendar.turn_name(w.since), w.declared_by) for w in state.wars if w.ended is None
    )


def waits(state: State, held: tuple[str, ...]) -> tuple[WaitLine, ...]:
    return tuple(
        WaitLine(
            id=it.id,
            title=it.title,
            text=waits_text(it),
            asks=it.asks,
            clause=it.clause,
            since=calendar.moment_name(it.since),
            waits_for=tuple(NamedPower(power, name(power)) for power in it.waits_for),
            mine=bool(set(it.waits_for) & set(held)),
            replies=tuple(it.replies),
            lines=tuple(undertaking_lines(it.about)),
        )
        for it in reversed(state.operations)
    )


def position(state: State, sitter: Sitter, move: int, offers: tuple[OfferLine, ...]) -> PositionView:
    """All figures of a state that the page draws."""
    held = sitter.powers
    return PositionView(
        move=move,
        scenario=state.scenario,
        clock=clock(state),
        waits=waits(state, held),
        powers=cards(state, held),
        moving=tuple(power for power in held if powers()[power].player == state.player),
        may_advance=bool(offers) and may_advance(sitter, state),
        card_rules=card_rules(),
        tracks=tracks(state),
        wars=wars(state),
        control=state.control,
        waters=waters(state),
        pieces=tuple(stacks(state)),
        nations=nations(state, held, sitter.impartial, sitter.referee is not None),
        worn=worn(state),
        by_hand=DEEDS.get(state.place.step.name, ()),
        unreported=unreported(state),
        countries=politics(state),
        transports=state.transports,
        rulings=tuple(
            RefereeRuling(rule, rule_title(rule), args, fixed.value, fixed.reason)
            for rule, by_args in state.determinations.items()
            for args, fixed in by_args.items()
            if fixed.reason.startswith("referee")
        ),
        readings=state.readings,
        agenda=agenda_lines(state),
        offers=offers,
    )
