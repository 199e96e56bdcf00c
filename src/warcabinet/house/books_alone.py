"""The books alone (WC.29): counters stand on the players' own map, so nothing here asks or judges where they are.

What the documents make of the places of units is taken as the players report it; the limits that look there are set
aside, and a page can tell which they are. What follows from BRPs, control, status, wars and tracks is judged as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from warcabinet.kernel.limits import Draft, Finding, Limit, Refusal, StillOpen, settled_limits
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why, note, telling
from warcabinet.model import calendar
from warcabinet.model.commands.aid import GrantBrps, JoinConvoy, OpposeConvoy, SailConvoy
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.colonies import RaiseIndianPartisan, UseCanadianShipyard
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import (
    Build,
    BuildByCount,
    ReportInversion,
    ReportLoss,
    ReportLossByCount,
    ReportMove,
)
from warcabinet.model.commands.middle_east import DisplaceFleet, RaisePartisans
from warcabinet.model.commands.minors import (
    DeclareWar,
    Deploy,
    DeployRest,
    Displace,
    MoveUnits,
    Rebuild,
    RebuildByCount,
    Repair,
    ReportDamage,
    ReportLent,
    ReportUnits,
)
from warcabinet.model.commands.politics import ReportControl, ReportWar
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import called, countries
from warcabinet.model.state import State, happened_to
from warcabinet.rules.aid.china import air_transport_is_there
from warcabinet.rules.aid.convoys import legs
from warcabinet.rules.aid.granting import transports_are_free
from warcabinet.rules.aid.murmansk import escorts_fit
from warcabinet.rules.common.books import keeps_transports
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.common.ways import named
from warcabinet.rules.commonwealth.deployment import garrison_restored
from warcabinet.rules.countries.displacement import PORTS, ports_cleared
from warcabinet.rules.garrisons.counting import siberia_to_fill
from warcabinet.rules.garrisons.declarations import (
    declarers,
    manchuria_is_set_up,
    may_be_declared,
    siberia_is_set_up,
    tension_allows_war,
)
from warcabinet.rules.garrisons.strength import armor_owed, garrisons_are_built, garrisons_first, minimum_to_restore
from warcabinet.rules.garrisons.transfers import siberia_has_minimum
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.attack import garrison_must_be_fought
from warcabinet.rules.minors.building import unit_was_lost
from warcabinet.rules.minors.limits import CHECKED, admitted, finnish_limit, limited, ten_factor_limit
from warcabinet.rules.minors.restrictions import capitals_cleared
from warcabinet.rules.minors.set_up import set_up_before_the_fighting, set_up_now
from warcabinet.rules.minors.units import units_stay_on_map

#: Commands that say where a counter stands; each with what is entered instead, if anything is.
OF_COUNTERS: dict[type[Command], str] = {
    Build: "build_by_count",
    ReportLoss: "report_loss_by_count",
    Rebuild: "rebuild_by_count",
    BuildPartisan: "what it cost, as spending on unit construction",
    OpposeConvoy: "what was sunk, by report_convoy_interception, then let_convoy_pass",
    **dict.fromkeys((MoveUnits, ReportMove, ReportUnits, Deploy, DeployRest, Displace, DisplaceFleet), ""),
    **dict.fromkeys((Repair, ReportDamage, ReportInversion, RaisePartisans, RaiseIndianPartisan), ""),
}
#: Commands that only a table of books knows, with what a whole table has for them.
OF_BOOKS: dict[type[Command], str] = {
    BuildByCount: "build",
    ReportLossByCount: "report_loss",
    RebuildByCount: "rebuild",
}

About = Callable[[State, Any], Sequence[str]]


class Left(NamedTuple):
    """A limit that is left to the players, the question that they answer in its place, and about whom it is asked.

    Where nobody is named nothing is asked; yes is what the rules want, and whoever goes on says it.
    """

    limit: Limit[State, Any]
    asks: str
    about: About


def _while(it: Limit[State, Any]) -> About:
    return lambda s, cmd: ("",) if it.holds(s, cmd) else ()


def _in(player: str, step: str, *about: str) -> About:
    return lambda s, cmd: about or ("",) if (s.player, s.place.step.name) == (player, step) else ()


def _restored(s: State, cmd: Advance) -> Sequence[str]:
    return [it for step in ("unit construction", "redeployment") for it in _in("allied", step)(s, cmd)]


def _struck(s: State, cmd: Advance) -> Sequence[str]:
    """The countries that were attacked or turned, as their forces are set up."""
    if s.place.step.name != "set-up of attacked minors":
        return ()
    struck = happened_to(s, ("attacked", "diplomatic result", "turned", "joined"), "player turn")
    return [called(it) for it in struck if it in countries()]


def _ports(s: State, cmd: Advance) -> Sequence[str]:
    """The ports that changed hands in this player turn and are left then."""
    fell = s.frame("player turn").before
    entered = [it for port in PORTS for it in sorted(port.places & {*fell})]
    return [named(it) for it in entered] if s.place.step.name == "combat" else ()


def _limited(s: State, cmd: Advance) -> Sequence[str]:
    return [f"{called(it)} ({admitted(s, it)})" for it in limited(s)] if ten_factor_limit.holds(s, cmd) else ()


def _finland(s: State, cmd: Advance) -> Sequence[str]:
    finland = s.countries["finland"]
    return ("",) if s.place.step.name in CHECKED and finland.by == "germany" and finland.status != "conquered" else ()


def _guarded(s: State, cmd: DeclareWar) -> Sequence[str]:
    """The countries on which war is declared that another side controls, whose power is at peace with the attacker."""
    held = [it for it in cmd.on if it in countries() and s.countries[it].status == "controlled"]
    return [
        called(it) for it in held if not at_war(s, cmd.power, s.countries[it].by) and s.countries[it].by != cmd.power
    ]


def _first_step(s: State, cmd: Advance) -> Sequence[str]:
    begins = s.turn == calendar.parse_turn(s.options.start) and s.step == calendar.first_step("axis")
    return ("",) if begins and s.options.scope != "europe" else ()


def _owing(s: State, power: str) -> Sequence[str]:
    """The garrison that a power has still to bring up to strength."""
    if power == "russia" and (siberia_to_fill(s) or minimum_to_restore(s)) and siberia_has_minimum(s):
        return ("Siberia",)
    return ("Manchuria",) if power == "japan" and armor_owed(s) else ()


def _garrison(s: State, cmd: Advance) -> Sequence[str]:
    built = s.place.step.name == "unit construction"
    return _owing(s, {"axis": "japan", "allied": "russia"}.get(s.player, "")) if built else ()


def _oceans(s: State, cmd: GrantBrps) -> Sequence[str]:
    """The oceans that something crosses and whose transports the table does not count."""
    oceans = dict.fromkeys(it.ocean for it in legs(cmd.power, cmd.to, cmd.by))
    return [it.replace("_", " ").title() for it in oceans if not keeps_transports(s, it)]


def _deterred(s: State, cmd: DeclareWar | ReportWar) -> Sequence[str]:
    return ("",) if "russia" in declarers(cmd) and not tension_allows_war(s) else ()


GARRISONS = "the minimum garrisons of Australia and India"
#: What is left to the players where nobody says where counters stand.
LEFT: tuple[Left, ...] = (
    Left(set_up_now, "Are the forces of {} set up?", _struck),
    Left(capitals_cleared, "Has every stranger left the capital of {}?", _struck),
    Left(
        set_up_before_the_fighting,
        "Were the forces of the country set up before the fighting?",
        _while(set_up_before_the_fighting),
    ),
    Left(units_stay_on_map, "Do units that left a place stand at another?", _while(units_stay_on_map)),
    Left(ports_cleared, "Have Allied ships, and aircraft in the Philippines, left {}?", _ports),
    Left(ten_factor_limit, "Are there no more foreign factors than this in {}?", _limited),
    Left(finnish_limit, "Are at most five Axis factors in Finland, one armor unit among them?", _finland),
    Left(garrison_restored, f"Are {GARRISONS} restored, built again or brought home?", _restored),
    Left(garrison_must_be_fought, "Has no power that stays at peace a garrison in {}?", _guarded),
    Left(manchuria_is_set_up, "Did Japan set up its 45 BRPs of units in Manchuria?", _first_step),
    Left(siberia_is_set_up, "Did Russia set up its units in Siberia?", _first_step),
    Left(garrisons_are_built, "Is the garrison of {} built up as far as can be?", _garrison),
    Left(garrisons_first, "Is what the garrison of {} lacks paid first?", lambda s, cmd: _owing(s, cmd.power)),
    Left(
        air_transport_is_there, "Does an uninverted air transport stand at that base?", _while(air_transport_is_there)
    ),
    Left(
        escorts_fit,
        "Do its escorts, if any, come from western front ports, and can they leave the board in the north?",
        _while(escorts_fit),
    ),
)
#: What is judged where the books know enough for it, and asked where they do not.
ASKED: tuple[Left, ...] = (
    Left(transports_are_free, "Are there transports of the {} for it?", _oceans),
    Left(may_be_declared, "Is the Manchurian garrison too weak to deter Russia?", _deterred),
)
JUDGED_WITHOUT: tuple[type[Command], ...] = (
    *(Advance, DeclareWar, ReportWar, Spend, BuildByCount, ReportControl, GrantBrps),
    *(SailConvoy, JoinConvoy, UseCanadianShipyard, ReportLent),
)


class Question(msgspec.Struct, frozen=True):
    """What the players answer for themselves before they go on: by which clause, in words, and what no would break."""

    clause: str
    text: str
    rule: str


def questions(s: State, cmd: Command) -> tuple[Question, ...]:
    """What is asked before a command where only the books are kept; whoever gives it says yes to all of it."""
    if not s.options.counted:
        return ()
    fitting = ((it, it.about(s, cmd)) for it in (*LEFT, *ASKED) if cmd.__class__ in it.limit.on)
    return tuple(
        Question(it.limit.clause, it.asks.format(", ".join(about)), it.limit.gist) for it, about in fitting if about
    )


@limit(
    "WC.29",
    on=(*JUDGED_WITHOUT, *OF_COUNTERS),
    when=lambda s, cmd: s.options.counted,
    displaces=tuple(it.limit for it in LEFT),
)
def counters_stand_elsewhere(s: State, cmd: Command) -> str | None:
    """Counters stand on the players' own map: nothing is entered of where they are, nor judged that hangs on it."""
    if (instead := OF_COUNTERS.get(cmd.__class__)) is not None:
        told = "this table keeps the books alone: counters stand on your own map"
        return f"{told}; enter {instead.replace('_', ' ')} instead" if instead else f"{told}, nothing need be entered"
    if isinstance(cmd, SailConvoy | JoinConvoy) and cmd.escorts:
        return "escorts stand on your own map: leave them out, and enter what is lost by report loss by count"
    for it in questions(s, cmd) if telling() else ():
        note(WORD, it.clause, True, text=it.text)
    return None


@limit(
    "WC.29",
    on=(DeclareWar, ReportWar),
    when=lambda s, cmd: s.options.counted and bool(declarers(cmd)),
    displaces=may_be_declared,
    covers=("81.51A", "81.51B"),
)
def manchuria_is_asked_for(s: State, cmd: DeclareWar | ReportWar) -> Iterator[Finding]:
    """Where counters stand elsewhere the players know whether Manchuria deters Russia; Japan is judged as ever."""
    if "russia" not in declarers(cmd):
        yield from may_be_declared.findings(s, cmd)


@limit("WC.29", on=RebuildByCount, when=lambda s, cmd: s.options.counted)
def rebuilt_as_elsewhere(s: State, cmd: RebuildByCount) -> Iterator[Refusal]:
    """A minor country's unit is rebuilt as at a whole table; its place, and that it was lost, the players know."""
    draft: Any = Draft(Rebuild, {"power": cmd.power, "country": cmd.country, "unit": cmd.unit})
    aside: tuple[Limit[State, Any], ...] = (counters_stand_elsewhere, unit_was_lost, *(it.limit for it in LEFT))
    for it in settled_limits(s, draft, RULES.limits[Rebuild], aside):
        with suppress(StillOpen):  # it looks at the place
            yield from filter(None, (it.judge(draft, found) for found in it.findings(s, draft)))


#: How a reason is known that rests on the players' word.
WORD = "players_word"


def words_taken(checked: Iterable[Why]) -> tuple[Question, ...]:
    """What a move rests on by the players' word, as its reasons tell it."""
    found = (it for why in checked for it in why.because if it.rule == WORD)
    return tuple(Question(it.clause, it.note, "") for it in found)


@limit("WC.29", on=tuple(OF_BOOKS), when=lambda s, cmd: not s.options.counted)
def counters_stand_here(s: State, cmd: Command) -> str:
    """A whole table knows where counters stand, and is told the place of those that are built or lost."""
    return f"this table has its counters on the boards: name the place, by {OF_BOOKS[cmd.__class__]}"


def fits_table(s: State, kind: type[Command]) -> bool:
    """Whether a kind of command belongs to this kind of table; others are offered to nobody here."""
    return kind not in (OF_COUNTERS if s.options.counted else OF_BOOKS)


class NotJudged(msgspec.Struct, frozen=True):
    """A limit that a table of books leaves to its players, and what they are asked in its place."""

    clause: str
    text: str
    asks: str


def not_judged() -> tuple[NotJudged, ...]:
    """What a table of books leaves to its players, each with its clause."""
    return tuple(NotJudged(it.limit.clause, it.limit.gist, it.asks.format("…")) for it in (*LEFT, *ASKED))
