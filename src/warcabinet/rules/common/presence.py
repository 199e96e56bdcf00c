"""What a command says of units and ground, whichever door they come by: whose units would be where, and to do what.

A prohibition that speaks of units at a place is written once, over presences (`barred`), and holds for every command
that brings units to a place or a place to a holder. What only a report needs is asked here alone: whether it names a
rule outside the documents that allows it, and whether the position knows who declared war on whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, wraps
from typing import Any, Literal, NamedTuple

from warcabinet.kernel.limits import Finding, Limit, Refusal
from warcabinet.kernel.why import telling
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import Deploy, Displace, MoveUnits, Rebuild, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Reported
from warcabinet.model.names import called
from warcabinet.model.places import NOWHERE, Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import capital, set_up_hexes
from warcabinet.model.unit_lists import counted, parse_placement
from warcabinet.model.units import ANY_UNIT, Unit, UnitKind, unit_kind
from warcabinet.rules.common.pieces import land_beside
from warcabinet.rules.kinds import Excusable, limit, refused_unless_excused
from warcabinet.rules.kinds import excused as excused
from warcabinet.rules.kinds import unless_excused as unless_excused


def keep_excuse(p: Proceedings, cmd: Excusable) -> None:
    """The log keeps by which rule a report was allowed."""
    if excused(cmd):
        p.do(Reported("by rule", f"by a rule outside these documents: {cmd.by_rule.strip()}"), "WC.7")


#: Offensive operations and attrition belong to a player turn; otherwise units also meet an enemy in his.
ATTACKS = ("attack", "attrition")
#: Missions by which a country, or whoever stands in it, is attacked.
HOSTILE = ("attack", "attrition", "bombing", "shore bombardment")
#: Missions by which units attack out of a country, whether or not it is said whom.
SALLIES = (*HOSTILE, "attack sea supply", "raid", "submarine interception")
#: Missions that are flown or sailed, whichever units are named.
FLOWN_OR_SAILED = (
    *("intercept naval mission", "submarine interception", "intercept air transport", "defensive air support"),
    *("attack sea supply", "sea escort", "shore bombardment", "bombing", "raid"),
)
#: Missions for which aircraft and ships leave a base of their own; what ships carry may come from another port.
FROM_BASES = (*SALLIES, *FLOWN_OR_SAILED)


def attacks(cmd: ReportOperation) -> bool:
    return cmd.mission in ATTACKS and bool(cmd.at)


def hostile(cmd: ReportOperation) -> bool:
    return cmd.mission in HOSTILE and bool(cmd.at)


#: What units do at a place: come to it, attack it, take part in what else is fought there, operate out of it, carry
#: others out of it, bring it under control, or take it as partisans; are built or set up in it.
Act = Literal["enter", "attack", "join", "operate", "carry", "take", "rise", "build", "set up"]
ACTS: tuple[Act, ...] = ("enter", "attack", "operate", "take", "rise")


class Door(NamedTuple):
    """The fields of a command that say whose units come, where, which of them, whence and how."""

    nation: str
    place: str
    units: str = ""
    origin: str = ""
    how: str = ""


class Presence:
    """Units of a nation at a place, as a command has it.

    Its parts are read when they are looked at, so that a command still being filled in says which field is open.
    """

    def __init__(
        self, cmd: Any, act: Act, door: Door, named: Place | None = None, units: tuple[Unit, ...] | None = None
    ) -> None:
        self.cmd, self.act, self._door, self._named, self._units = cmd, act, door, named, units
        #: Whether a place is named, and not a whole country.
        self.exact = door is not _IN_COUNTRY
        self.reported = cmd.__class__ not in ORDERED

    @cached_property
    def nation(self) -> str:
        return str(getattr(self.cmd, self._door.nation))

    @property
    def place(self) -> str:
        """The place, or the whole country that is named, as people call it."""
        return place_called(self.at) if self.exact else called(str(self.cmd.country))

    @cached_property
    def at(self) -> Place:
        """The place; where a whole country is named its capital, or where else its forces are at home."""
        if self.exact:
            return getattr(self.cmd, self._door.place) if self._named is None else self._named
        return capital(self.cmd.country) or set_up_hexes(self.cmd.country)[0]

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The kinds of units, where it is said which."""
        if self._units is not None:
            return self._units
        named: Any = getattr(self.cmd, self._door.units) if self._door.units else ANY_UNIT
        return tuple(counted(named)) if isinstance(named, tuple) else (named,) if named else ()

    @cached_property
    def kinds(self) -> tuple[UnitKind, ...]:
        """What kinds of units these are."""
        return tuple(unit_kind(it) for it in self.units)

    @property
    def origin(self) -> Place:
        """Whence they come, if that is said."""
        return getattr(self.cmd, self._door.origin) if self._door.origin else NOWHERE

    @property
    def count(self) -> int:
        """How many units there are, where one kind is counted; by the order they are rebuilt one by one."""
        return 1 if self.cmd.__class__ is Rebuild else int(self.cmd.count)

    @property
    def how(self) -> str:
        return getattr(self.cmd, self._door.how) if self._door.how else ""

    @property
    def stays_in(self) -> str:
        """The country within which units only make way in its capital, if they do (82.56)."""
        return str(self.cmd.country) if isinstance(self.cmd, Displace) else ""

    @cached_property
    def regular(self) -> bool:
        """Whether regular units are there; partisans rise where they are not wanted."""
        if self.act == "rise":
            return False
        return not self.units or any(it.branch != "partisan" for it in self.kinds)

    def brings(self, *kinds: str) -> bool:
        """Whether there are units of one of these kinds or branches among them; a mission may name a branch alone."""
        if self._door.how == "mission" and not self.units:
            return self.cmd.branch in kinds
        return any(it.unit in kinds or it.branch in kinds for it in self.kinds)


class Supposed(NamedTuple):
    """A presence that no command tells of: what would be if units came to a place."""

    nation: str
    at: Place
    act: Act = "enter"
    place: str = ""
    origin: Place = NOWHERE
    how: str = ""
    reported: bool = False
    exact: bool = True


#: Commands that tell of one presence each: what the units do there, and the fields that say the rest.
SIMPLE: dict[type[Command], tuple[Act, Door]] = {
    MoveUnits: ("enter", Door("nation", "to", "unit", "from_", "how")),
    ReportMove: ("enter", Door("power", "to", "units", "origin")),
    Build: ("build", Door("power", "at", "units")),
    Rebuild: ("build", Door("country", "at", "unit")),
}
_UNITS = Door("nation", "at", "unit")
_CONTROL = Door("by", "places")
_TARGET = Door("nation", "at", "unit", "origin", "mission")
_BASE = Door("nation", "origin", "unit", "", "mission")
_IN_COUNTRY = Door("nation", "country", "unit", "origin", "mission")
_DISPLACED = Door("by", "to")
_SET_UP = Door("country", "units")
#: Doors that are orders: none of them can name a rule outside the documents.
ORDERED = (MoveUnits, Displace, Build, Rebuild, Deploy)

#: The commands by which units come to a place, or a place to a holder, and what they may do there.
DOORS: dict[type[Command], tuple[Act, ...]] = {
    **{command: (act,) for command, (act, _) in SIMPLE.items()},
    ReportUnits: ("enter",),
    Displace: ("enter",),
    Deploy: ("set up",),
    ReportControl: ("take", "rise"),
    ReportOperation: ("attack", "join", "operate", "carry"),
}


def presences(cmd: Any) -> Iterator[Presence]:
    """Every presence that a command tells of."""
    kind = cmd.__class__
    if kind in SIMPLE:
        yield Presence(cmd, *SIMPLE[kind])
    elif kind is ReportUnits and cmd.count > 0:
        yield Presence(cmd, "enter", _UNITS)
    elif kind is Displace and (seat := capital(cmd.country)) and cmd.to in land_beside(seat):
        # Where they must go at all 82.56 says.
        yield Presence(cmd, "enter", _DISPLACED)
    elif kind is Deploy:
        for it in cmd.units:
            placed = parse_placement(it)
            yield Presence(cmd, "set up", _SET_UP, placed.place, (placed.unit,))
    elif kind is ReportControl:
        for named in cmd.places:
            yield Presence(cmd, "rise" if cmd.partisans else "take", _CONTROL, named)
    elif kind is ReportOperation:
        if cmd.mission in HOSTILE and (cmd.at or cmd.country):
            yield Presence(cmd, "attack", _TARGET if cmd.at else _IN_COUNTRY)
        elif cmd.at and cmd.mission not in HOSTILE and cmd.mission != "pass":
            yield Presence(cmd, "join", _TARGET)
        if cmd.origin:
            yield Presence(cmd, "operate" if cmd.mission in FROM_BASES else "carry", _BASE)


def _presences(cmd: Any) -> Iterable[Presence]:
    """The same; of a whole command they are the same for all limits that look at them one after the other."""
    global _latest
    if type(cmd) not in DOORS:
        return presences(cmd)
    latest = _latest
    if latest[0] is not cmd:
        latest = _latest = cmd, tuple(presences(cmd))
    return latest[1]


_latest: tuple[Any, tuple[Presence, ...]] = None, ()


def barred(
    clause: str,
    gist: str = "",
    *,
    acts: tuple[Act, ...],
    when: Callable[[State, Presence], bool] | None = None,
    displaces: Limit[State, Any] | tuple[Limit[State, Any], ...] = (),
    covers: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    declared: bool = False,
    final: bool = False,
    by: Callable[[State, Presence], str] | None = None,
) -> Callable[[Callable[[State, Presence], Finding]], Limit[State, Any]]:
    """Register what forbids units to be at a place, or to do something there, by whichever command they would.

    A report may name a rule outside the documents that allows it, unless this is `final`. What is `declared` is judged
    of a report only where the position knows who declared war on whom. `by` tells the clause that a refusal
    cites; where it names none nothing is judged.
    """
    doors = tuple(it for it, may in DOORS.items() if set(may) & set(acts))

    def judged(s: State, cmd: Any) -> Iterator[Presence]:
        for it in _presences(cmd):
            if it.act not in acts or (declared and it.reported and s.options.declarations != "ordered"):
                continue
            if (when is None or when(s, it)) and (by is None or by(s, it) != ""):
                yield it

    def register(fn: Callable[[State, Presence], Finding]) -> Limit[State, Any]:
        @wraps(fn)
        def refuses(s: State, cmd: Any) -> Finding:
            for it in judged(s, cmd):
                finding = fn(s, it)
                if by and isinstance(finding, str):
                    finding = Refusal(by(s, it), finding)
                if it.reported and not final:
                    finding = refused_unless_excused(cmd, finding)
                if finding is not None:
                    return finding
            return None

        def holds(s: State, cmd: Any) -> bool:
            # Whether it holds matters to what it sets aside and to who reads the reasons; else it is judged once.
            return not (displaces or telling()) or any(True for _ in judged(s, cmd))

        return limit(clause, gist, on=doors, when=holds, displaces=displaces, covers=covers, also=also)(refuses)

    return register
