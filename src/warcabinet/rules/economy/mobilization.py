"""Mobilization: the order that makes one, what it adds to base, level and force pools, and when it is a duty (36.1 to
36.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from warcabinet.kernel.kept import once
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp, Mobilization, Source, World
from warcabinet.model.commands.economy import ReportBase
from warcabinet.model.commands.forces import Mobilize
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import EntryPosted, Event, Happened, TrackMoved
from warcabinet.model.ledger import entry
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, happened_to
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.rules.common.moments import Foreseen, foresees, reading_in_force
from warcabinet.rules.common.war_and_peace import player_of, went_to_war
from warcabinet.rules.economy.base import keeps_brps, track
from warcabinet.rules.economy.deferral import announce, defer, use_deferred
from warcabinet.rules.economy.industrial_centers import construct_ic
from warcabinet.rules.economy.mobilization_record import THEATERS, half_done, label, mobilized_now, theater_of
from warcabinet.rules.economy.mobilization_schedule import (
    AMERICAN_MOMENT,
    ENEMY,
    SCHEDULES,
    START,
    at_start,
    brings_ic,
    judged,
    mobilization_due,
    mobilization_open,
    scheduled,
    takes_two_turns,
    theaters_of,
    triggered_by_tension,
)
from warcabinet.rules.economy.shipbuilding import INCREASE, raise_rate, tension_of_increase
from warcabinet.rules.economy.spending import WAR_TO_COME, sources
from warcabinet.rules.kinds import limit, opening, order, value


def in_play(s: State, power: str, theater: str) -> bool:
    """Whether the scenario keeps this power's economy (and theater), and the power is still in the war."""
    if s.powers[power].surrendered or not keeps_brps(s, power):
        return False
    return not (s.options.scope == "europe" and (power == "japan" or theater == "pacific"))


@once
def mobilizations_due(s: State) -> list[tuple[str, str]]:
    """The mobilizations that must be made before the game goes on: power and theater."""
    # Nobody acts in the year start, nor before one that opens the game: it is made as the spring turn starts.
    if not scheduled(s) or not s.player or s.turn < calendar.parse_turn(s.options.start):
        return []
    theirs = _may_fall_due(s.step, AMERICAN_MOMENT)
    return [it for it in theirs if mobilization_due(s, *it) and in_play(s, *it)]


@cache
def _may_fall_due(step: int, american: str) -> tuple[tuple[str, str], ...]:
    """The mobilizations that can fall due at a step: tension may call Japan and Russia at any, others at theirs."""
    player, name = calendar.players()[step], calendar.steps()[step].step.name

    def may(power: str) -> bool:
        if power == "japan":
            return True
        if player_of(power) != player:
            return False
        return power == "russia" or name == (american if power == "usa" else START)

    return tuple((power, theater) for power in powers() if may(power) for theater in theaters_of(power))


@limit("36.351", "A mobilization that is due may be neither postponed nor declined", on=Advance, when=scheduled)
def mobilizations_are_made(s: State, cmd: Advance) -> str | None:
    due = mobilizations_due(s)
    if not due:
        return None
    names = [
        f"{powers()[power].name} ({theater.capitalize()})" if theater else powers()[power].name
        for power, theater in due
    ]
    return f"must mobilize now: {', '.join(names)}"


SIZES = {
    "germany": (20, "36.31A"),
    "japan": (20, "36.31A"),
    "russia": (20, "36.31A"),
    "usa": (20, "36.31A"),
    "britain": (16, "36.31B"),
    "france": (12, "36.31C"),
    "italy": (8, "36.31D"),
    "china": (0, "36.11E"),
}
ADDITION = (10, "36.21A")
ADDITIONS = {"usa": (25, "36.21B"), "russia": (0, "36.21C"), "china": (0, "36.11E")}


# -- What a mobilization brings ----------------------------------------------------------------------------------


@value("36.21", covers=("36.21A", "36.21B", "36.21C"))
def mobilization_brps(s: State, power: str) -> int:
    """What a mobilization adds to base, construction limit and level, unprorated."""
    brp, clause = ADDITIONS.get(power, ADDITION)
    note("addition", clause, brp, power)
    if brp:
        note("base_rises_within_the_year", "35.41", brp, power)
        note("not_prorated", "35.62", brp, power)
    if power == "usa":
        note("american_mobilization", "35.84", brp, power)
    return brp


@value("36.31", covers=("36.31A", "36.31B", "36.31C", "36.31D"))
def mobilization_size(s: State, power: str) -> int:
    """BRPs of units that a power's mobilization brings; in two turns the first two Russian ones in peace."""
    brp, clause = SIZES[power]
    if power == "russia" and (half_done(s) is not None or takes_two_turns(s)):
        brp = 10
    note("size", clause, brp, power)
    return brp


def part_of(s: State, power: str, theater: str) -> str:
    """Under which name this mobilization is entered: a theater, a half, or the whole."""
    if theater:
        return theater
    if power != "russia":
        return "whole"
    if half_done(s) is not None:
        return "second half"
    return "first half" if takes_two_turns(s) else "whole"


def economic_effects(s: State, power: str, theater: str) -> list[tuple[Event, str]]:
    """The entries that every mobilization makes, whatever units it brings: also what a forecast reckons with."""
    part = part_of(s, power, theater)
    record = entry("mobilization", (Mobilization(power, part, s.turn), 1), (World("mobilization"), -1))
    made: list[tuple[Event, str]] = [(EntryPosted(record), "36.11")]
    brp = mobilization_brps(s, power)
    if brp and keeps_brps(s, power):
        _, clause = ADDITIONS.get(power, ADDITION)
        base = entry("mobilization", (Base(power), brp), (World("base"), -brp))
        level = entry("mobilization", (Brp(power), brp), (Source("brp", "mobilization"), -brp))
        made += [(EntryPosted(base), clause), (EntryPosted(level), clause)]
    return made


# -- When it may be made -----------------------------------------------------------------------------------------


def right_time(s: State, power: str, theater: str) -> bool:
    """The start of the own player turn; the U.S. until its diplomatic phase ends; whenever one falls due."""
    if at_start(s, power) or (judged(s) and mobilization_due(s, power, theater)):
        return True
    early = ("diplomatic phase", "end of diplomatic phase")
    return power == "usa" and s.player == "allied" and s.place.step.name in early


@opening("36.11D", "Theaters of a mobilization: the American ones", on=Mobilize)
def theaters_open(s: State, cmd: Mobilize) -> Choice:
    return Choice("theater", THEATERS if cmd.power == "usa" else ())


def in_its_time(s: State, cmd: Mobilize) -> State:
    """The position at the moment for which the order would be right: a wrong moment is no fault of the schedule."""
    if right_time(s, cmd.power, theater_of(cmd)):
        return s
    step = AMERICAN_MOMENT if cmd.power == "usa" else "start of player turn"
    return s.at(s.turn, calendar.step_index(player_of(cmd.power), step))


@limit("36.11", on=Mobilize, covers=("36.11A", "36.11B", "36.11C"))
def may_mobilize(s: State, cmd: Mobilize) -> Iterator[Refusal]:
    """A power mobilizes as its player turn starts, once a turn, when its schedule calls for it; China never does.

    The U.S. mobilizes in a theater, once in each, whatever happens in the other.
    """
    power, name = cmd.power, powers()[cmd.power].name
    if power == "china":
        yield Refusal("36.11E", "China has no mobilizations")
    if power == "usa" and cmd.theater not in THEATERS:
        yield Refusal("36.11D", "say in which theater: europe or pacific")
    elif power != "china":
        theater = theater_of(cmd)
        if not right_time(s, power, theater):
            now = calendar.moment_name(s.moment)
            yield Refusal("36.11", f"{name} mobilizes at the start of its player turn; it is now {now}")
        if mobilized_now(s, power, theater):
            where, clause = (f" in {theater}", "36.41B") if theater else ("", "36.41")
            yield Refusal(clause, f"{name} has mobilized{where} this turn")
        elif judged(s) and not (in_play(s, power, theater) and mobilization_open(in_its_time(s, cmd), power, theater)):
            told = f"nothing calls for an American mobilization in {theater} now" if theater else ""
            yield Refusal(SCHEDULES[power], told or f"{name} has no mobilization to make now")
    if power != "usa" and cmd.theater:
        yield Refusal("36.11D", "only the U.S. mobilizes by theater")


# -- How much it brings ------------------------------------------------------------------------------------------


def worth(s: State, cmd: Mobilize) -> int:
    """The BRPs of units that an order uses up: units, shipbuilding, what is deferred, less what others pay for."""
    asked = cost_of(counted(cmd.units)) + INCREASE * cmd.shipbuilding + cmd.defer
    return asked - cmd.deferred - cmd.production


@limit("36.31", on=Mobilize, covers=("36.34",))
def fits_its_size(s: State, cmd: Mobilize) -> Iterator[Refusal]:
    """A mobilization brings its number of BRPs of units, no more, and none of them is declined; production pays for
    units.
    """
    asked, size = worth(s, cmd), mobilization_size(s, cmd.power)
    told = f"{asked} BRPs of units, a mobilization brings {size}"
    if asked > size and cmd.power != "china":
        yield Refusal("36.31", told)
    elif asked < size and reading_in_force(s, "R-0303") == "a":
        yield Refusal("36.351", told)
    if (units := cost_of(counted(cmd.units))) < cmd.production:
        yield Refusal("36.351", f"{cmd.production} BRPs of production for {units} BRPs of units")


@order("36.31", on=Mobilize, out_of_turn=True)
def mobilize(p: Proceedings, cmd: Mobilize) -> None:
    """A power mobilizes: units are announced and placed on the turn record track."""
    power, theater, name = cmd.power, cmd.theater, label(p.s, cmd.power, cmd.theater)
    founds_ic = power == "russia" and brings_ic(p.s)
    on_tension = power == "japan" and triggered_by_tension(p.s)
    tension = tension_of_increase(p.s) if power == "japan" and cmd.shipbuilding else 0
    # Deferral and units belong to the mobilization under way, so they are entered before it is counted as made.
    brought = [(unit, *it) for unit, count in counted(cmd.units).items() for it in sources(p.s, cmd, unit, count)]
    use_deferred(p, power, cmd.deferred, counted(cmd.units))
    for unit, count, source in brought:
        announce(p, power, unit, count, source)
    raise_rate(p, power, theater, cmd.shipbuilding, name)
    defer(p, power, theater, cmd.defer)
    for event, clause in economic_effects(p.s, power, theater):
        p.do(event, clause)
    if founds_ic:
        note("ic", "36.21C", "an industrial center", "russia")
        construct_ic(p, cmd.ic_at, cmd.oil)
    if tension:
        p.do(TrackMoved("usjt", track(p.s, "usjt") + tension), "36.341E(2)")
    if on_tension:
        _mobilized_on_tension(p)
    if cmd.war_on:
        p.do(Happened(Happening(p.s.moment, WAR_TO_COME, cmd.war_on)), "36.32F(1)")


def _mobilized_on_tension(p: Proceedings) -> None:
    """Remember it for a Japanese attack this turn; where that came first, tension rises now (36.11C)."""
    p.do(Happened(Happening(p.s.moment, "mobilized on tension", "japan")), "36.11C(3)")
    if happened(p.s, "japan attacks", "usa", "turn"):
        p.do(TrackMoved("usjt", track(p.s, "usjt") + 1), "36.11C(3)")


@limit("36.32F(1)", on=Mobilize, when=lambda s, cmd: bool(cmd.war_on), also=("36.341A",))
def mobilizes_for_its_war(s: State, cmd: Mobilize) -> str | None:
    """The U.S. alone mobilizes for a war that it declares in the same player turn (R-2330)."""
    if cmd.power != "usa":
        return f"{powers()[cmd.power].name} mobilizes alike at peace and at war"
    return "the U.S. has gone to war with it already" if went_to_war(s, "usa", cmd.war_on) else None


@opening("36.32F(1)", "Wars to mobilize for: those that the U.S. has yet to declare, or none (R-2330)", on=Mobilize)
def wars_to_come(s: State, cmd: Mobilize) -> Choice:
    if cmd.power != "usa":
        return Choice("war_on", ())
    to_come = [it for it in ENEMY.values() if not went_to_war(s, "usa", it)]
    return Choice("war_on", ("", *to_come) if to_come else ())


def wars_owed(s: State) -> list[str]:
    """On whom the U.S. has yet to declare war, having mobilized for it in this player turn."""
    return [it for it in happened_to(s, (WAR_TO_COME,), "player turn") if not went_to_war(s, "usa", it)]


@limit(
    "36.32F(1)",
    on=Advance,
    when=lambda s, cmd: (
        s.player == "allied"
        and s.place.step.name == "declarations of war"
        and bool(happened_to(s, (WAR_TO_COME,), "player turn"))
    ),
    also=("36.341A",),
)
def war_is_declared(s: State, cmd: Advance) -> str | None:
    """A war for which the U.S. has mobilized is declared before play goes on (R-2330)."""
    owed = wars_owed(s)
    return f"the U.S. has mobilized for war: declare it on {powers()[owed[0]].name}" if owed else None


@foresees
def war_is_owed(s: State) -> Iterator[Foreseen]:
    when = calendar.moment(s.turn, calendar.step_index("allied", "declarations of war"))
    for enemy in wars_owed(s):
        told = f"Declares war on {powers()[enemy].name}, for which it has mobilized"
        yield Foreseen(when, "36.32F(1)", told, "usa", "", "")


@limit("36.11", on=ReportBase, when=lambda s, cmd: scheduled(s) and cmd.cause == "mobilization")
def mobilizations_are_ordered(s: State, cmd: ReportBase) -> str:
    """Where the schedule is kept, mobilizations are ordered, not reported."""
    return "it is ordered as a mobilization, so that its units are placed too"
