"""Egypt and the Suez Canal: what the loss of Alexandria and Suez touches, and who passes (88.31, 88.32, 88.36)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import europe
from warcabinet.board.names import areas as board_areas
from warcabinet.board.seas import passages
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.events import ControlChanged, Reported, UnitsMoved
from warcabinet.model.names import called
from warcabinet.model.pieces import At
from warcabinet.model.places import PARTISANS, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.moments import Foreseen, foresees, reading_in_force
from warcabinet.rules.common.pieces import controlled_for, faction, held_by_partisans, patron, side_of
from warcabinet.rules.countries.middle_east import (
    AXIS,
    ETHIOPIA,
    INDIAN_OCEAN,
    WEST,
    Sailing,
    ends,
    leads_through_canal,
    sailings,
)
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.year_start import diplomatic_points
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.operations import sails

PORTS = {place_key(it): it for it in ("Alexandria", "Suez")}
USAT, BRITISH, ITALIAN = "the USAT level", "the British DP allotment", "the Italian DP allotment"
ALLOTMENTS = {"britain": BRITISH, "italy": ITALIAN}


@value("88.32", "What the loss of Alexandria or Suez touches: never BRPs; Wafdists only cost British points")
def touched_by_loss(s: State, place: str) -> tuple[str, ...]:
    key = place_key(place)
    held_by = holder(s, key)
    note("held_by", "88.32", held_by, place)
    if key not in PORTS:
        return ()
    if faction(s, held_by) == AXIS:
        return (USAT, BRITISH, ITALIAN)
    return (BRITISH,) if held_by_partisans(s, key) else ()


def _told(s: State, touched: str) -> list[str]:
    """The ports of which the loss touches something."""
    return [port for port in PORTS.values() if touched in touched_by_loss(s, port)]


@value(
    "88.32",
    adds_to=diplomatic_points,
    when=lambda s, power: bool(ALLOTMENTS.get(power) and _told(s, ALLOTMENTS[power])),
)
def points_for_egyptian_ports(s: State, power: str) -> int:
    """What the loss of Alexandria and Suez does to British and Italian diplomatic points: by a table that is not
    here.
    """
    note(
        "lost", "88.32", ", ".join(_told(s, ALLOTMENTS.get(power, ""))), power, text="the referee rules how many points"
    )
    return 0


@foresees
def allotments_to_come(s: State) -> Iterator[Foreseen]:
    """At the next year start the loss of a port tells on the allotments, unless it is retaken before."""
    spring = calendar.turn_number(calendar.SPRING, s.year + 1)
    when = calendar.moment(spring, calendar.step_index("year start", "allotments"))
    for power, allotment in ALLOTMENTS.items():
        ports = " and ".join(_told(s, allotment))
        if ports and keeps_brps(s, power):
            told = f"{ports} lost: {allotment} is changed, by a table of another chapter"
            yield Foreseen(when, "88.32", told, power, "egypt", f"{ports} in Allied hands again before then")


@effect("88.32", on=ControlChanged, when=lambda s, changed: not PORTS.keys().isdisjoint(changed.places))
def egyptian_port_changes_hands(p: Proceedings, changed: ControlChanged) -> None:
    """Alexandria or Suez changes hands: what that touches is told, and costs Britain no BRPs."""
    for key in changed.places:
        if key in PORTS:
            touched = touched_by_loss(p.s, key)
            now = f"{' and '.join(touched)} must be adjusted" if touched else "nothing is touched by its loss any more"
            p.do(Reported("egypt", f"{PORTS[key]} changes hands: {now}"))


@tells_of("egypt")
def egyptian_page(s: State) -> Iterator[Told]:
    for key, name in PORTS.items():
        touched = touched_by_loss(s, key)
        told = f"{name} is lost: {', '.join(touched)} are changed by it" if touched else f"{name} is not lost"
        yield Told("88.32", told)
    loss = f"lost to the Axis they touch {USAT}, {BRITISH} and {ITALIAN}, lost to Wafdists only {BRITISH}"
    yield Told("88.32", f"{loss}; by how much stands in another chapter, and is for the referee to rule")


_PASSAGE = passages(europe())["suez"]
BESIDE = tuple(f"europe/{id}" for id in _PASSAGE.needs)

# -- the canal itself ---------------------------------------------------------------------------------------------


@definition("88.341", "A hexside of the Suez canal: a river for all purposes, save that ships pass along it")
def canal_side(s: State, from_: str, to: str) -> bool:
    one, other = (place_key(it).partition("/")[2] for it in (from_, to))
    side = europe().special_sides.get((one, other))
    return side is not None and side.kind == "canal"


@value("88.342", "The hexes in which ships that pass the canal may be intercepted from air and sea")
def canal_interception(s: State) -> tuple[str, ...]:
    return _PASSAGE.hexes


@definition("88.342", "The Gulf of Suez, two full sea hexes south of the canal")
def gulf_of_suez(s: State, place: str) -> bool:
    return place_key(place) in board_areas()["gulf_of_suez"].keys


def shut_by(s: State, side: str) -> str:
    """An enemy who holds a hex beside the canal and so closes it to a side, if there is one."""
    foe = {AXIS: WEST, WEST: AXIS}.get(side, "")
    shut = next((key for key in BESIDE if foe and controlled_for(s, key, foe)), "")
    return PARTISANS if shut and held_by_partisans(s, shut) else holder(s, shut) if shut else ""


@definition("88.342", "The canal is open to those who control every hex beside it", covers=("88.344",))
def canal_open(s: State, power: str) -> bool:
    side = faction(s, power)
    foe = shut_by(s, side)
    if foe:
        note("closed_by", "88.344", foe, "suez")
    return not foe and all(controlled_for(s, key, side) for key in BESIDE)


@definition("88.46", "Axis ships may operate from Suez: the Axis hold the canal and Ethiopia")
def axis_base_at_suez(s: State) -> bool:
    return canal_open(s, "germany") and faction(s, holder(s, ETHIOPIA)) == AXIS


# -- who may pass -------------------------------------------------------------------------------------------------


def _passing(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether units other than Axis ones pass the canal; what the Axis may do there is settled apart (88.37)."""
    if not leads_through_canal(*ends(cmd)) or round_africa(s, *ends(cmd)):
        return False
    return any(it.through_canal and side_of(s, it.nation) != AXIS for it in sailings(s, cmd))


def round_africa(s: State, *ends: str) -> bool:
    """Whether ships between the Mediterranean and the Indian Ocean SW box need no canal (R-2022)."""
    return INDIAN_OCEAN in ends and reading_in_force(s, "R-2022") == "b"


def mover(cmd: MoveUnits | ReportMove) -> str:
    return cmd.nation if isinstance(cmd, MoveUnits) else cmd.power


@limit("88.342", "Only those who control every hex beside the canal pass it", on=(MoveUnits, ReportMove), when=_passing)
def canal_passage(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    leader = patron(s, mover(cmd))
    return None if leader and canal_open(s, leader) else "the hexes beside the Suez canal are not all in friendly hands"


@limit(
    "88.344",
    on=(MoveUnits, ReportMove),
    displaces=canal_passage,
    when=lambda s, cmd: _passing(s, cmd) and bool(shut_by(s, side_of(s, mover(cmd)))),
)
def canal_closed(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """One enemy hex beside the canal, Wafdist partisans' too, closes it."""
    return f"the Suez canal is closed: a hex beside it is held by {called(shut_by(s, side_of(s, mover(cmd))))}"


@effect(
    "88.342",
    on=UnitsMoved,
    when=lambda s, moved: (
        isinstance(moved.origin, At)
        and isinstance(moved.to, At)
        and Sailing(moved.nation, moved.unit, moved.origin.place, moved.to.place, "").through_canal
    ),
)
def seen_in_the_canal(p: Proceedings, moved: UnitsMoved) -> None:
    """Ships that pass the canal pass through two hexes, in which they may be intercepted."""
    hexes = " and ".join(canal_interception(p.s))
    p.do(Reported("canal", f"{moved.count} {moved.unit} pass the Suez canal: they may be intercepted in {hexes}"))


def mission_ends(cmd: ReportOperation) -> Sailing:
    at, origin = (place_key(it) if it else "" for it in (cmd.at, cmd.origin))
    return Sailing(cmd.nation, "destroyer", origin, at, "")


def of_axis(s: State, nation: str) -> bool:
    return side_of(s, nation) == AXIS


def sails_through(s: State, cmd: ReportOperation) -> bool:
    """Whether ships, or the troops that they land, reach a mission through the canal."""
    if not (cmd.at and cmd.origin) or not sails(cmd):
        return False
    return mission_ends(cmd).through_canal and not round_africa(s, place_key(cmd.at))


@limit("88.344", on=ReportOperation, when=lambda s, cmd: sails_through(s, cmd) and not of_axis(s, cmd.nation))
def mission_through_canal(s: State, cmd: ReportOperation) -> str | None:
    """No naval mission leads through a closed canal."""
    leader = patron(s, cmd.nation)
    return None if leader and canal_open(s, leader) else f"{cmd.at} lies beyond the Suez canal, which is closed"
