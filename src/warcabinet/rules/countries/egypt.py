"""Egypt and the Suez canal: what the loss of its ports touches, who passes, what the Axis
may do there, and how the Western Allies are redeployed and escorted by way of Suez, Basra and Abadan (88.3, 88.54).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from warcabinet.board.maps import by_key, europe
from warcabinet.board.names import areas as board_areas
from warcabinet.board.seas import passages
from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.events import ControlChanged, Reported, UnitsMoved
from warcabinet.model.happenings import Raided, WentBySea, deeds, sum_of
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At
from warcabinet.model.places import NOWHERE, PARTISANS, Place, board_of, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import Unit, kind_name
from warcabinet.rules.common.moments import Foreseen, foresees, reading_in_force
from warcabinet.rules.common.pieces import (
    controlled_for,
    faction,
    held_by_partisans,
    patron,
    side_of,
    standing_at,
    units_at,
)
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.waiting import COMING, Coming, goal_of, nation_of, units_going
from warcabinet.rules.common.ways import NR, branch_of, marches, must_pass, named
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.year_start import diplomatic_points
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors import voyages
from warcabinet.rules.minors.operations import sails

PORTS: dict[Place, str] = {place_key(it): it for it in ("Alexandria", "Suez")}
USAT, BRITISH, ITALIAN = "the USAT level", "the British DP allotment", "the Italian DP allotment"
ALLOTMENTS = {"britain": BRITISH, "italy": ITALIAN}


@value("88.32", "What the loss of Alexandria or Suez touches: never BRPs; Wafdists only cost British points")
def touched_by_loss(s: State, place: Place) -> tuple[str, ...]:
    held_by = holder(s, place)
    note("held_by", "88.32", held_by, place)
    if place not in PORTS:
        return ()
    if faction(s, held_by) == voyages.AXIS:
        return (USAT, BRITISH, ITALIAN)
    return (BRITISH,) if held_by_partisans(s, place) else ()


def _told(s: State, touched: str) -> list[str]:
    """The ports of which the loss touches something."""
    return [name for port, name in PORTS.items() if touched in touched_by_loss(s, port)]


@value(
    "88.32",
    adds_to=diplomatic_points,
    when=lambda s, power: bool(ALLOTMENTS.get(power) and _told(s, ALLOTMENTS[power])),
)
def points_for_egyptian_ports(s: State, power: str) -> int:
    """What the loss of Alexandria and Suez does to British and Italian diplomatic points, by a table not here."""
    lost = ", ".join(_told(s, ALLOTMENTS.get(power, "")))
    note("lost", "88.32", lost, power, text="the referee rules how many points")
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
    for key in map(Place, changed.places):
        if key in PORTS:
            touched = touched_by_loss(p.s, key)
            now = f"{' and '.join(touched)} must be adjusted" if touched else "nothing is touched by its loss any more"
            p.do(Reported("egypt", f"{PORTS[key]} changes hands: {now}"))


_PASSAGE = passages(europe())["suez"]
BESIDE = tuple(Place(f"europe/{id}") for id in _PASSAGE.needs)

# -- the canal itself ---------------------------------------------------------------------------------------------


@definition("88.341", "A hexside of the Suez canal: a river for all purposes, save that ships pass along it")
def canal_side(s: State, from_: Place, to: Place) -> bool:
    one, other = (it.partition("/")[2] for it in (from_, to))
    side = europe().special_sides.get((one, other))
    return side is not None and side.kind == "canal"


@value("88.342", "The hexes in which ships that pass the canal may be intercepted from air and sea")
def canal_interception(s: State) -> tuple[str, ...]:
    return _PASSAGE.hexes


@definition("88.342", "The Gulf of Suez, two full sea hexes south of the canal")
def gulf_of_suez(s: State, place: Place) -> bool:
    return place in board_areas()["gulf_of_suez"].keys


def shut_by(s: State, side: str) -> str:
    """An enemy who holds a hex beside the canal and so closes it to a side, if there is one."""
    foe = {voyages.AXIS: voyages.WEST, voyages.WEST: voyages.AXIS}.get(side, "")
    shut = next((key for key in BESIDE if foe and controlled_for(s, key, foe)), NOWHERE)
    return PARTISANS if shut and held_by_partisans(s, shut) else holder(s, shut) if shut else ""


@definition("88.342", "The canal is open to those who control every hex beside it")
def canal_open(s: State, power: str) -> bool:
    side = faction(s, power)
    foe = shut_by(s, side)
    if foe:
        note("closed_by", "88.344", foe, "suez")
    return not foe and all(controlled_for(s, key, side) for key in BESIDE)


@definition("88.46", "Axis ships may operate from Suez: the Axis hold the canal and Ethiopia")
def axis_base_at_suez(s: State) -> bool:
    return canal_open(s, "germany") and faction(s, holder(s, voyages.ETHIOPIA)) == voyages.AXIS


# -- who may pass -------------------------------------------------------------------------------------------------


def of_axis(s: State, nation: str) -> bool:
    return side_of(s, nation) == voyages.AXIS


def _through_canal(s: State, cmd: voyages.Sailed) -> bool:
    """Whether ships, or troops that they carry, pass the canal: round Africa one sails from the Atlantic (R-2022)."""
    return voyages.leads_through_canal(*voyages.ends(cmd)) and any(it.through_canal for it in voyages.sailings(s, cmd))


@limit(
    "88.342",
    on=(MoveUnits, ReportMove, ReportOperation),
    when=lambda s, cmd: not of_axis(s, nation_of(cmd)) and _through_canal(s, cmd),
)
def canal_passage(s: State, cmd: voyages.Sailed) -> Refusal | None:
    """Only those who control every hex beside the canal pass it; one enemy hex, Wafdist partisans' too, closes it."""
    leader = patron(s, nation_of(cmd))
    if leader and canal_open(s, leader):
        return None
    if foe := shut_by(s, side_of(s, nation_of(cmd))):
        return Refusal("88.344", f"the Suez canal is closed: a hex beside it is held by {called(foe)}")
    return Refusal("88.342", "the hexes beside the Suez canal are not all in friendly hands", also=("88.344",))


@effect(
    "88.342",
    on=UnitsMoved,
    when=lambda s, moved: (
        isinstance(moved.origin, At)
        and isinstance(moved.to, At)
        and voyages.Voyage(moved.nation, moved.unit, moved.origin.place, moved.to.place).through_canal
    ),
)
def seen_in_the_canal(p: Proceedings, moved: UnitsMoved) -> None:
    """Ships that pass the canal pass through two hexes, in which they may be intercepted."""
    hexes = " and ".join(canal_interception(p.s))
    p.do(Reported("canal", f"{moved.count} {moved.unit} pass the Suez canal: they may be intercepted in {hexes}"))


# -- the Axis: Ethiopia apart, raiders and submarines, and nothing else -------------------------------------------

RAIDERS = 3
#: Naval units that carry and guard, and so do not raid.
NO_RAIDERS = ("transport", "asw")


def ethiopia_fallen(s: State) -> bool:
    """Whether the Western Allies have conquered Ethiopia."""
    standing = s.countries["ethiopia"]
    return standing.status == "conquered" and faction(s, standing.by) == voyages.WEST


def _is_submarine(unit: Unit) -> bool:
    return kind_name(unit) == "submarine"


def _based_at_suez(it: voyages.Voyage) -> bool:
    """Whether these could be raiders, which are German or Italian ships, or are German submarines."""
    if _is_submarine(it.unit):
        return it.nation == "germany"
    return it.nation in ("germany", "italy") and it.branch == "naval" and kind_name(it.unit) not in NO_RAIDERS


def _axis_ships(s: State, cmd: Coming) -> tuple[voyages.Voyage, ...]:
    """Axis units that use the canal or leave Suez by sea, or are built or reported where only the canal leads them.

    Those that go to Ethiopia have a clause of their own.
    """
    if not of_axis(s, nation_of(cmd)):
        return ()
    if isinstance(cmd, MoveUnits | ReportMove):
        both = origin, to = voyages.ends(cmd)
        if voyages.ETHIOPIA in both or not (
            to == voyages.INDIAN_OCEAN or origin == voyages.SUEZ or voyages.leads_through_canal(*both)
        ):
            return ()
        gone = voyages.sailings(s, cmd)
        return gone if voyages.INDIAN_OCEAN in both or any(it.by_sea for it in gone) else ()
    to = goal_of(cmd)
    if to != voyages.INDIAN_OCEAN and not voyages.eastern_waters(to):
        return ()
    there = (voyages.Voyage(nation_of(cmd), unit, NOWHERE, to) for unit, count in units_going(cmd).items() if count)
    return tuple(it for it in there if it.branch == "naval")


@limit(
    "88.37", on=COMING, when=lambda s, cmd: bool(_axis_ships(s, cmd)), covers=("88.37B", "88.37C", "88.344", "88.43B")
)
def axis_beyond_canal(s: State, cmd: Coming) -> Refusal | None:
    """The Axis use the canal for Ethiopia, raiders and submarines only, and have no other ships beyond it."""
    shut = filter(None, (_not_beyond_canal(s, it) for it in _axis_ships(s, cmd)))
    found = next(shut, None) or (_too_many_raiders(s, units_going(cmd)) if goal_of(cmd) == voyages.SUEZ else None)
    if found is None or not isinstance(cmd, ReportUnits):
        return found
    text = unless_excused(cmd, found.text)
    return Refusal(found.clause, text) if text else None


def _not_beyond_canal(s: State, it: voyages.Voyage) -> Refusal | None:
    """Why Axis units do not go where only the canal leads, or come from there; nothing if they may."""
    if it.to == voyages.INDIAN_OCEAN:
        clause = "88.43B" if ethiopia_fallen(s) else "88.37C"
        if it.nation != "germany" or not _is_submarine(it.unit):
            return Refusal(clause, "only German submarines enter the Indian Ocean through Suez")
        return None if axis_base_at_suez(s) else Refusal(clause, "the Axis do not control canal and Ethiopia")
    if it.origin == voyages.INDIAN_OCEAN:
        told = f"from the Indian Ocean to {place_called(it.to)} one sails through the Suez canal, which is closed"
        return None if canal_open(s, "germany") else Refusal("88.344", told)
    if voyages.SUEZ in it.ends and (not it.origin or voyages.mediterranean(it.other_end(voyages.SUEZ))):
        if not axis_base_at_suez(s):
            return Refusal("88.37", "for raiders and submarines the Axis must control canal and Ethiopia")
        told = "only German and Italian raiders and German submarines pass to Suez"
        return None if _based_at_suez(it) else Refusal("88.37", told)
    return Refusal("88.37", "the Axis use the Suez canal only to reinforce Ethiopia, for raiders and for submarines")


def _raider(unit: Unit) -> bool:
    return branch_of(unit) == "naval" and not _is_submarine(unit)


def _too_many_raiders(s: State, units: Mapping[Unit, int]) -> Refusal | None:
    """Why so many more Axis ships do not come to Suez: the canal is theirs for three raiders (R-0882)."""
    coming = sum(count for unit, count in units.items() if _raider(unit))
    there = sum(it.count for it in units_at(s, voyages.SUEZ) if _raider(it.unit) and of_axis(s, it.nation))
    told = f"no more than {RAIDERS} German and Italian ships are based in Suez as raiders; {there} are there"
    return Refusal("88.37B", told) if coming and there + coming > RAIDERS else None


def _raids_from_suez(cmd: ReportOperation) -> bool:
    """Whether ships raid from Suez: not back through the canal, in the Mediterranean."""
    raids = cmd.mission == "raid" and cmd.origin == voyages.SUEZ
    return raids and not voyages.leads_through_canal(cmd.origin, cmd.at)


def _of_submarines(cmd: ReportOperation) -> bool:
    return cmd.mission == "submarine interception" or _is_submarine(cmd.unit or Unit("cruiser"))


def _sets_out(s: State, cmd: ReportOperation) -> bool:
    """Whether ships, or the troops that they land, set out from Suez or pass the canal on a mission.

    Whose submarines go from Suez to the Indian Ocean, and when, has a clause of its own.
    """
    origin, at = voyages.ends(cmd)
    if origin == voyages.SUEZ and (cmd.branch == "naval" or (at and sails(cmd))):
        return not (at == voyages.INDIAN_OCEAN and _of_submarines(cmd))
    return _through_canal(s, cmd) or (at == voyages.INDIAN_OCEAN and origin != "" and voyages.mediterranean(origin))


@limit(
    "88.37B",
    on=ReportOperation,
    when=lambda s, cmd: (
        of_axis(s, cmd.nation) and (_raids_from_suez(cmd) or cmd.at == voyages.INDIAN_OCEAN or _sets_out(s, cmd))
    ),
)
def axis_operations_from_suez(s: State, cmd: ReportOperation) -> Bound | Refusal | None:
    """Holding canal and Ethiopia the Axis raid from Suez with three ships and with submarines, and no more."""
    raid, in_ocean = _raids_from_suez(cmd), cmd.at == voyages.INDIAN_OCEAN
    if (raid or in_ocean) and ethiopia_fallen(s):
        return Refusal("88.43B", "Ethiopia has fallen: Axis ships and submarines no longer operate from Suez")
    if not raid and _sets_out(s, cmd):
        told = "Axis ships operate neither through the Suez canal nor from Suez, raiders that are based there apart"
        return Refusal("88.37", told)
    if raid and cmd.nation not in ("germany", "italy"):
        return Refusal("88.37B", "only German and Italian ships raid from Suez")
    diving = not raid and _of_submarines(cmd)
    if diving and cmd.nation != "germany":
        return Refusal("88.37C", "only German submarines operate in the Indian Ocean")
    if not axis_base_at_suez(s):
        clause = "88.37C" if not raid and _is_submarine(cmd.unit or Unit("submarine")) else "88.37B"
        return Refusal(clause, "the Axis do not control both the Suez canal and Ethiopia")
    if cmd.mission == "raid" and not raid and not diving and cmd.origin in ("", voyages.INDIAN_OCEAN):
        return Refusal("88.37B", "raiders in the Indian Ocean are among the three that leave Suez: name it (origin)")
    out = sum(sum_of(s, Raided(voyages.SUEZ, it), "turn") for it in powers())
    return Bound("count", most=RAIDERS - out, text="ships that raid from Suez") if raid else None


# -- the Western Allies, by way of Suez ---------------------------------------------------------------------------

#: What naval redeployment joins to Suez beyond the canal.
FROM_SUEZ = (*voyages.BOXES, voyages.BASRA, voyages.ABADAN)
Redeployed = MoveUnits | ReportMove


@definition("88.343", "Allied ships in Suez may escort a naval redeployment to a place")
def escorts_from_suez(s: State, power: str, place: Place) -> bool:
    if place in FROM_SUEZ:
        return True
    # The Black Sea lies farther than the Mediterranean ports that are named.
    return voyages.mediterranean_shore(place) and canal_open(s, power)


@limit(
    "88.343",
    on=ReportOperation,
    displaces=canal_passage,
    when=lambda s, cmd: (
        cmd.mission == "sea escort" and cmd.origin == voyages.SUEZ and side_of(s, cmd.nation) == voyages.WEST
    ),
)
def escort_from_suez(s: State, cmd: ReportOperation) -> str | None:
    """From Suez ships escort to the Indian Ocean and, while the canal is open, to Mediterranean ports."""
    if not cmd.at:
        return "say where the escorted units go (at)"
    if escorts_from_suez(s, patron(s, cmd.nation), cmd.at):
        return None
    if voyages.mediterranean(cmd.at) and not canal_open(s, patron(s, cmd.nation)):
        return "the canal is closed: no escort to the Mediterranean"
    return f"ships in Suez do not escort to {place_called(cmd.at)}"


@definition("88.36", "Units redeployed by sea stop in a box on their way; between Suez, Basra and Abadan there is none")
def delayed_by_box(s: State, from_: Place, to: Place) -> bool:
    both = {from_, to}
    return not both <= {voyages.SUEZ, voyages.BASRA, voyages.ABADAN} and any(it.startswith("pacific/") for it in both)


# -- the links ----------------------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A stretch of the way by sea: by which clause, who goes by it, and what may be against it."""

    clause: str
    taken: Callable[[State, voyages.Voyage, Redeployed], bool]
    obstacle: Callable[[State, voyages.Voyage], str | None]


def _at(port: str) -> Callable[[State, voyages.Voyage, Redeployed], bool]:
    return lambda s, it, cmd: port in it.ends


def _round_africa(it: voyages.Voyage, cmd: Redeployed) -> bool:
    """Whether units go from South Africa by the Atlantic: to Gibraltar and Tangier, or where the order says past it."""
    named = isinstance(cmd, MoveUnits) and cmd.through == "strait of gibraltar"
    return it.origin == voyages.SOUTH_AFRICA and (named or "atlantic" in by_key(it.to).seas)


def _into_mediterranean(s: State, it: voyages.Voyage, cmd: Redeployed) -> bool:
    """Whether units come from the Indian Ocean, or have just come from there to Suez, and go through the canal."""
    if it.origin == voyages.SUEZ:
        return not voyages.beyond_canal(it.to) and _just_come(s, it, cmd, from_east=True)
    return it.origin in FROM_SUEZ and voyages.mediterranean(it.to) and not _round_africa(it, cmd)


def _out_of_mediterranean(s: State, it: voyages.Voyage, cmd: Redeployed) -> bool:
    """Whether units come from the Mediterranean, or have just come from there to Suez, and go farther."""
    if it.to == voyages.SUEZ or not voyages.beyond_canal(it.to):
        return False
    if it.origin == voyages.SUEZ:
        return _just_come(s, it, cmd, from_east=False)
    return voyages.mediterranean(it.origin) and it.through_canal


def _just_come(s: State, it: voyages.Voyage, cmd: Redeployed, from_east: bool) -> bool:
    """Whether units are taken out of Suez that came there by sea in this phase, from one side of the canal."""
    came = sum(
        count
        for one, count in deeds(s, WentBySea, "phase")
        if (one.nation, one.unit, one.to) == (it.nation, it.unit, voyages.SUEZ)
        and (one.origin in FROM_SUEZ) == from_east
    )
    return units_going(cmd)[it.unit] > standing_at(s, it.nation, voyages.SUEZ, it.unit) - came


def _past_a_box(s: State, it: voyages.Voyage, cmd: Redeployed) -> bool:
    """Whether units go from the Middle East to the other board, or come to it or the Mediterranean from there."""
    if {board_of(end) for end in it.ends} != {"europe", "pacific"} or voyages.mediterranean(it.origin):
        return False
    here = it.origin if board_of(it.origin) == "europe" else it.to
    # Gibraltar and Tangier lie on the way round by the Atlantic as well.
    return "atlantic" not in by_key(here).seas and (
        voyages.mediterranean(here) or voyages.eastern_waters(here) or voyages.in_its_lands(here)
    )


def _in_the_gulf(s: State, it: voyages.Voyage) -> str | None:
    """What is against a redeployment between a port of the Persian Gulf and another place."""
    port, neighbour = (voyages.BASRA, voyages.ABADAN) if voyages.BASRA in it.ends else (voyages.ABADAN, voyages.BASRA)
    if it.other_end(port) in (voyages.SUEZ, neighbour, *voyages.BOXES) or voyages.mediterranean(it.other_end(port)):
        return None
    joined = f"Suez, {named(neighbour)}, Ethiopia, the South Africa, India and Australia boxes"
    return f"to and from {named(port)}: {joined}"


def _from_suez(s: State, it: voyages.Voyage) -> str | None:
    other = it.other_end(voyages.SUEZ)
    if other in FROM_SUEZ or (other.startswith("europe/") and not voyages.eastern_waters(other)):
        return None
    told = f"no naval redeployment between Suez and {named(other)}"
    if delayed_by_box(s, *it.ends):
        return f"{told}: a box lies between them, where units stop for a turn"
    return f"{told}: east of it are Basra, Abadan and four boxes"


def _goes_on(s: State, it: voyages.Voyage) -> str | None:
    """Why units may not go on from Suez in the turn in which they come there; nothing if they may."""
    if it.branch == "naval":
        return "only ground and air units are redeployed on from Suez in the same turn"
    return None if destroyers_at_suez(s) else "no destroyers in Suez to escort them on their way through the canal"


def _no_farther_than_mediterranean(s: State, it: voyages.Voyage) -> str | None:
    """Units from the Indian Ocean go on into the Mediterranean, not out of it again."""
    inland = board_of(it.to) == "europe" and not by_key(it.to).seas
    outside = board_of(it.to) == "europe" and not voyages.mediterranean_shore(it.to)
    if not outside or (inland and not must_pass(s, it.nation, "gibraltar", voyages.SUEZ, it.to)):
        return _goes_on(s, it)
    return f"through Suez units go on into the Mediterranean in the same turn: {named(it.to)} lies beyond it"


def _no_farther_than_suez(s: State, it: voyages.Voyage) -> str | None:
    """Out of the Mediterranean units are redeployed as far as Suez (R-0881)."""
    if reading_in_force(s, "R-0881") == "b":
        return _goes_on(s, it)
    return f"units go to Suez first, and from there to {named(it.to)} in a later turn"


LINKS = (
    Link(
        "88.344",
        lambda s, it, cmd: (
            it.origin == voyages.SOUTH_AFRICA and voyages.mediterranean(it.to) and not _round_africa(it, cmd)
        ),
        lambda s, it: (
            None
            if canal_open(s, patron(s, it.nation))
            else f"from South Africa to {named(it.to)} one redeploys through the Suez canal, which is closed"
        ),
    ),
    Link("88.54", _at(voyages.BASRA), _in_the_gulf),
    Link("88.36", _at(voyages.ABADAN), _in_the_gulf),
    Link("88.36", _at(voyages.SUEZ), _from_suez),
    Link("88.36", _into_mediterranean, _no_farther_than_mediterranean),
    Link("88.36", _out_of_mediterranean, _no_farther_than_suez),
    Link(
        "88.36",
        _past_a_box,
        lambda s, it: f"a box lies between {named(it.origin)} and {named(it.to)}, where units stop for a turn",
    ),
)


def _redeployments(s: State, cmd: Redeployed) -> Iterator[voyages.Voyage]:
    """The redeployments of Western Allied units by sea that an order or a report tells of.

    What a closed canal keeps back is refused by its own clause, and boxes beside the Pacific are left by order.
    """
    if side_of(s, nation_of(cmd)) != voyages.WEST or not any(
        voyages.beyond_canal(it) or it == voyages.SOUTH_AFRICA for it in voyages.ends(cmd)
    ):
        return
    for it in voyages.sailings(s, cmd):
        if it.through_canal and not canal_open(s, patron(s, it.nation)):
            continue
        if it.how == NR if isinstance(cmd, MoveUnits) else _redeployed_by_report(s, it):
            yield it


def _redeployed_by_report(s: State, it: voyages.Voyage) -> bool:
    """Whether units that are reported to have gone somewhere were redeployed by sea: ships, and troops that did not
    march.
    """
    if {board_of(end) for end in it.ends} == {"europe", "pacific"}:
        return True
    here = all(board_of(end) == "europe" or end == voyages.SOUTH_AFRICA for end in it.ends)
    if s.place.step.name != "redeployment" or not here:
        return False
    return it.branch == "naval" or (it.branch == "ground" and not marches(s, patron(s, it.nation), *it.ends))


@limit(
    "88.36",
    on=(MoveUnits, ReportMove),
    covers=("88.54", "88.344"),
    when=lambda s, cmd: any(True for _ in _redeployments(s, cmd)),
    excusable=True,
)
def linked_by_suez(s: State, cmd: Redeployed) -> Refusal | None:
    """Western Allied units are redeployed by the sea links of Suez as far as they lead in a turn."""
    for it in _redeployments(s, cmd):
        for link in LINKS:
            told = link.obstacle(s, it) if link.taken(s, it, cmd) else None
            if told:
                return Refusal(link.clause, told)
    return None


def destroyers_at_suez(s: State) -> bool:
    return any(
        kind_name(it.unit) == "destroyer" and side_of(s, it.nation) == voyages.WEST for it in units_at(s, voyages.SUEZ)
    )
