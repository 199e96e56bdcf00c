"""The Suez canal: who may pass, who may escort from Suez, and what the Axis may use it for (88.34, 88.36, 88.37)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import europe
from warcabinet.board.names import areas as board_areas
from warcabinet.board.seas import passages
from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.events import Reported, UnitsMoved
from warcabinet.model.forces import counted
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At
from warcabinet.model.places import PARTISANS, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import faction, friendly, patron, side_of, units_at
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.countries.middle_east import (
    AXIS,
    ETHIOPIA,
    INDIAN_OCEAN,
    SUEZ,
    WEST,
    Sailing,
    eastern_waters,
    ends,
    held_by_partisans,
    leads_through_canal,
    mediterranean,
    sailings,
)
from warcabinet.rules.countries.page import Told, tells_of
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.operations import sails

_PASSAGE = passages(europe())["suez"]
BESIDE = tuple(f"europe/{id}" for id in _PASSAGE.needs)
RAIDERS = 3
#: Naval units that carry and guard, and so do not raid.
NO_RAIDERS = ("transport", "asw")

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


def _held_for(s: State, key: str, side: str) -> bool:
    """Whether a canal hex is friendly to a side; partisans there are Wafdists, who fight for the Axis."""
    return side == AXIS if held_by_partisans(s, key) else friendly(s, key, side)


def shut_by(s: State, side: str) -> str:
    """An enemy who holds a hex beside the canal and so closes it to a side, if there is one."""
    foe = {AXIS: WEST, WEST: AXIS}.get(side, "")
    shut = next((key for key in BESIDE if foe and _held_for(s, key, foe)), "")
    return PARTISANS if shut and held_by_partisans(s, shut) else holder(s, shut) if shut else ""


@definition("88.342", "The canal is open to those who control every hex beside it", covers=("88.344",))
def canal_open(s: State, power: str) -> bool:
    side = faction(s, power)
    foe = shut_by(s, side)
    if foe:
        note("closed_by", "88.344", foe, "suez")
    return not foe and all(_held_for(s, key, side) for key in BESIDE)


@definition("88.46", "Axis ships may operate from Suez: the Axis hold the canal and Ethiopia")
def axis_base_at_suez(s: State) -> bool:
    return canal_open(s, "germany") and faction(s, holder(s, ETHIOPIA)) == AXIS


# -- who may pass -------------------------------------------------------------------------------------------------


def _passing(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether units other than Axis ones pass the canal; what the Axis may do there is settled apart (88.37)."""
    if not leads_through_canal(*ends(cmd)) or _round_africa(s, *ends(cmd)):
        return False
    return any(it.through_canal and side_of(s, it.nation) != AXIS for it in sailings(s, cmd))


def _round_africa(s: State, *ends: str) -> bool:
    """Whether ships between the Mediterranean and the Indian Ocean SW box need no canal (R-2022)."""
    return INDIAN_OCEAN in ends and reading_in_force(s, "R-2022") == "b"


def _nation(cmd: MoveUnits | ReportMove) -> str:
    return cmd.nation if isinstance(cmd, MoveUnits) else cmd.power


@limit("88.342", "Only those who control every hex beside the canal pass it", on=(MoveUnits, ReportMove), when=_passing)
def canal_passage(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    leader = patron(s, _nation(cmd))
    return None if leader and canal_open(s, leader) else "the hexes beside the Suez canal are not all in friendly hands"


@limit(
    "88.344",
    "One enemy hex beside the canal, Wafdist partisans' too, closes it",
    on=(MoveUnits, ReportMove),
    displaces=canal_passage,
    when=lambda s, cmd: _passing(s, cmd) and bool(shut_by(s, side_of(s, _nation(cmd)))),
)
def canal_closed(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    return f"the Suez canal is closed: a hex beside it is held by {called(shut_by(s, side_of(s, _nation(cmd))))}"


@effect(
    "88.342",
    "Ships that pass the canal pass through two hexes, in which they may be intercepted",
    on=UnitsMoved,
    when=lambda s, moved: (
        isinstance(moved.origin, At)
        and isinstance(moved.to, At)
        and Sailing(moved.nation, moved.unit, moved.origin.place, moved.to.place, "").through_canal
    ),
)
def seen_in_the_canal(p: Proceedings, moved: UnitsMoved) -> None:
    hexes = " and ".join(canal_interception(p.s))
    p.do(Reported("canal", f"{moved.count} {moved.unit} pass the Suez canal: they may be intercepted in {hexes}"))


def _ends(cmd: ReportOperation) -> Sailing:
    at, origin = (place_key(it) if it else "" for it in (cmd.at, cmd.origin))
    return Sailing(cmd.nation, "destroyer", origin, at, "")


def _sails_through(s: State, cmd: ReportOperation) -> bool:
    """Whether ships, or the troops that they land, reach a mission through the canal."""
    if not (cmd.at and cmd.origin) or not sails(cmd):
        return False
    return _ends(cmd).through_canal and not _round_africa(s, place_key(cmd.at))


def _out_of_suez(cmd: ReportOperation) -> bool:
    """Whether ships, or troops that land elsewhere, set out from Suez."""
    if not cmd.origin or place_key(cmd.origin) != SUEZ:
        return False
    return cmd.branch == "naval" or (bool(cmd.at) and sails(cmd))


@limit(
    "88.344",
    "No naval mission leads through a closed canal",
    on=ReportOperation,
    when=lambda s, cmd: _sails_through(s, cmd) and not of_axis(s, cmd.nation),
)
def mission_through_canal(s: State, cmd: ReportOperation) -> str | None:
    leader = patron(s, cmd.nation)
    return None if leader and canal_open(s, leader) else f"{cmd.at} lies beyond the Suez canal, which is closed"


# -- the Axis at Suez ---------------------------------------------------------------------------------------------


def of_axis(s: State, nation: str) -> bool:
    return side_of(s, nation) == AXIS


def _axis_at_canal(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Axis units use the canal, or leave Suez by sea, otherwise than for Ethiopia."""
    if ends(cmd)[0] != SUEZ and not leads_through_canal(*ends(cmd)):
        return False
    used = (it for it in sailings(s, cmd) if it.by_sea and ETHIOPIA not in it.ends and INDIAN_OCEAN not in it.ends)
    return any((it.through_canal or it.origin == SUEZ) and of_axis(s, it.nation) for it in used)


def _based_at_suez(nation: str, unit: str) -> bool:
    """Whether these could be raiders, which are German or Italian ships, or are German submarines."""
    kind = kind_name(unit)
    if kind == "submarine":
        return nation == "germany"
    return nation in ("germany", "italy") and parse_unit(unit)[0].branch == "naval" and kind not in NO_RAIDERS


@limit(
    "88.37",
    "The Axis use the canal for Ethiopia, raiders and submarines only",
    on=(MoveUnits, ReportMove),
    when=_axis_at_canal,
    also=("88.37B",),
)
def axis_through_canal(s: State, cmd: MoveUnits | ReportMove) -> Refusal | str | None:
    for it in sailings(s, cmd):
        based = _based_at_suez(it.nation, it.unit) and SUEZ in it.ends and mediterranean(it.other_end(SUEZ))
        if not (based and axis_base_at_suez(s)):
            return "the Axis may use the Suez canal only to reinforce Ethiopia, for raiders and for submarines"
    return too_many_raiders(s, _coming(cmd)) if place_key(cmd.to) == SUEZ else None


def _coming(cmd: MoveUnits | ReportMove) -> int:
    """How many ships an order or report brings, submarines apart."""
    units = {cmd.unit: cmd.count} if isinstance(cmd, MoveUnits) else counted(cmd.units)
    return sum(count for unit, count in units.items() if kind_name(unit) != "submarine")


def too_many_raiders(s: State, coming: int) -> Refusal | None:
    """Why so many more Axis ships do not come to Suez: the canal is theirs for three raiders (R-0882)."""
    if not coming or reading_in_force(s, "R-0882") == "b":
        return None
    there = sum(
        it.count
        for it in units_at(s, SUEZ)
        if it.branch == "naval" and kind_name(it.unit) != "submarine" and of_axis(s, it.nation)
    )
    told = f"no more than {RAIDERS} German and Italian ships are based in Suez as raiders; {there} are there"
    return Refusal("88.37B", told) if there + coming > RAIDERS else None


@limit(
    "88.37",
    "Axis ships do nothing through the canal or from Suez but raid, for which they are based in Suez",
    on=ReportOperation,
    when=lambda s, cmd: (
        of_axis(s, cmd.nation)
        and not _raids_from_suez(s, cmd)
        and not _dives_from_suez(cmd)
        and (_sails_through(s, cmd) or _out_of_suez(cmd) or _raids_through_canal(cmd))
    ),
)
def axis_missions_from_suez(s: State, cmd: ReportOperation) -> str | None:
    return "Axis ships operate neither through the Suez canal nor from Suez, raiders that are based there apart"


def _raids_from_suez(s: State, cmd: ReportOperation) -> bool:
    """Whether Axis ships raid from Suez: not back through the canal, in the Mediterranean."""
    out = cmd.mission == "raid" and bool(cmd.origin) and place_key(cmd.origin) == SUEZ
    return out and of_axis(s, cmd.nation) and not (cmd.at and _ends(cmd).through_canal)


def _of_submarines(cmd: ReportOperation) -> bool:
    return cmd.mission == "submarine interception" or kind_name(cmd.unit or "cruiser") == "submarine"


def _dives_from_suez(cmd: ReportOperation) -> bool:
    """Whether submarines based in Suez operate in the Indian Ocean: whose may, and when, has a clause of its own."""
    there = bool(cmd.at and cmd.origin) and place_key(cmd.at) == INDIAN_OCEAN and place_key(cmd.origin) == SUEZ
    return there and _of_submarines(cmd)


def _raids_from_nowhere(cmd: ReportOperation) -> bool:
    """Whether ships raid in the Indian Ocean and are not said to have left a port, so that nobody could count them."""
    unsaid = not cmd.origin or place_key(cmd.origin) == INDIAN_OCEAN
    return cmd.mission == "raid" and unsaid and not _of_submarines(cmd)


def _raids_through_canal(cmd: ReportOperation) -> bool:
    """Whether ships go from a Mediterranean port to the Indian Ocean in one mission."""
    return bool(cmd.at and cmd.origin) and place_key(cmd.at) == INDIAN_OCEAN and mediterranean(place_key(cmd.origin))


@limit(
    "88.37B",
    "Three German or Italian ships raid from Suez, if the Axis hold the canal and Ethiopia",
    on=ReportOperation,
    when=_raids_from_suez,
)
def raiders_from_suez(s: State, cmd: ReportOperation) -> Bound | str:
    if cmd.nation not in ("germany", "italy"):
        return "only German and Italian ships raid from Suez"
    if not axis_base_at_suez(s):
        return "raiders leave Suez only while the Axis control the canal and Ethiopia"
    out = sum(total(s, f"raided from {SUEZ}", it, "turn") for it in powers())
    return Bound("count", most=RAIDERS - out, text="ships that raid from Suez")


def _to_indian_ocean(s: State, cmd: MoveUnits | ReportMove) -> bool:
    return place_key(cmd.to) == INDIAN_OCEAN and of_axis(s, _nation(cmd))


@limit(
    "88.37C",
    "German submarines enter the Indian Ocean while the Axis hold the canal and Ethiopia",
    on=(MoveUnits, ReportMove),
    when=_to_indian_ocean,
)
def submarines_by_suez(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    if any(it.nation != "germany" or kind_name(it.unit) != "submarine" for it in sailings(s, cmd)):
        return "only German submarines enter the Indian Ocean through Suez"
    return None if axis_base_at_suez(s) else "the Axis do not control both the Suez canal and Ethiopia"


@limit(
    "88.344",
    "nor do submarines come back from it through a canal that is closed to them (R-2022)",
    on=(MoveUnits, ReportMove),
    when=lambda s, cmd: (
        ends(cmd)[0] == INDIAN_OCEAN
        and leads_through_canal(*ends(cmd))
        and of_axis(s, _nation(cmd))
        and not _round_africa(s, INDIAN_OCEAN)
    ),
)
def submarines_back_by_suez(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    if canal_open(s, "germany"):
        return None
    return f"from the Indian Ocean to {cmd.to} one sails through the Suez canal, which is closed"


def ethiopia_fallen(s: State) -> bool:
    """Whether the Western Allies have conquered Ethiopia."""
    standing = s.countries["ethiopia"]
    return standing.status == "conquered" and faction(s, standing.by) == WEST


@limit(
    "88.43B",
    "Once Ethiopia has fallen no Axis raider leaves Suez",
    on=ReportOperation,
    displaces=raiders_from_suez,
    when=lambda s, cmd: _raids_from_suez(s, cmd) and ethiopia_fallen(s),
)
def no_raiders_after_ethiopia(s: State, cmd: ReportOperation) -> str | None:
    return "Ethiopia has fallen: Axis raiders no longer operate from Suez"


@limit(
    "88.43B",
    "Nor do raiders and submarines that are in the Indian Ocean operate there any longer",
    on=ReportOperation,
    when=lambda s, cmd: (
        bool(cmd.at) and place_key(cmd.at) == INDIAN_OCEAN and of_axis(s, cmd.nation) and not _raids_from_suez(s, cmd)
    ),
    also=("88.37B", "88.37C"),
)
def operates_in_indian_ocean(s: State, cmd: ReportOperation) -> Refusal | None:
    if ethiopia_fallen(s):
        return Refusal("88.43B", "Ethiopia has fallen: Axis ships and submarines no longer operate from Suez")
    if _of_submarines(cmd) and cmd.nation != "germany":
        return Refusal("88.37C", "only German submarines operate in the Indian Ocean")
    if axis_base_at_suez(s):
        told = "raiders in the Indian Ocean are among the three that leave Suez: name it (origin)"
        return Refusal("88.37B", told) if _raids_from_nowhere(cmd) else None
    clause = "88.37C" if kind_name(cmd.unit or "submarine") == "submarine" else "88.37B"
    return Refusal(clause, "the Axis do not control both the Suez canal and Ethiopia")


@limit(
    "88.43B",
    "Once Ethiopia has fallen no German submarine enters the Indian Ocean",
    on=(MoveUnits, ReportMove),
    displaces=submarines_by_suez,
    when=lambda s, cmd: _to_indian_ocean(s, cmd) and ethiopia_fallen(s),
)
def no_submarines_after_ethiopia(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    return "Ethiopia has fallen: German submarines no longer operate from Suez"


def _comes_by_report(s: State, cmd: ReportUnits) -> bool:
    """Whether Axis ships are said to have come where only the canal leads them: to Suez, the Gulf, the Indian Ocean."""
    there = place_key(cmd.at) == INDIAN_OCEAN or eastern_waters(place_key(cmd.at))
    return there and cmd.count > 0 and parse_unit(cmd.unit)[0].branch == "naval" and of_axis(s, cmd.nation)


@limit(
    "88.37",
    "Nor are Axis ships reported at Suez, in the Gulf or the Indian Ocean that the canal could not have let through",
    on=ReportUnits,
    when=_comes_by_report,
    also=("88.37B", "88.37C", "88.43B"),
)
def axis_ships_reported(s: State, cmd: ReportUnits) -> Refusal | None:
    to_ocean, past_suez = place_key(cmd.at) == INDIAN_OCEAN, place_key(cmd.at) not in (SUEZ, INDIAN_OCEAN)
    stranger = to_ocean and (cmd.nation != "germany" or kind_name(cmd.unit) != "submarine")
    if axis_base_at_suez(s) and not (stranger or past_suez) and _based_at_suez(cmd.nation, cmd.unit):
        surplus = too_many_raiders(s, 0 if kind_name(cmd.unit) == "submarine" else cmd.count)
        return surplus if surplus and unless_excused(cmd, surplus.text) else None
    told = "the Axis do not control canal and Ethiopia"
    if past_suez:
        told = "Axis ships go no farther than Suez, raiders and submarines apart"
    elif stranger:
        told = "only German submarines enter the Indian Ocean"
    elif axis_base_at_suez(s):
        told = "only German and Italian raiders and German submarines pass to Suez"
    refused = unless_excused(cmd, told)
    clause = "88.37" if not to_ocean else "88.43B" if ethiopia_fallen(s) else "88.37C"
    return Refusal(clause, refused) if refused else None


@tells_of("egypt")
def canal_page(s: State) -> Iterator[Told]:
    """Who may pass the canal now, and what would change it."""
    names = ", ".join(_PASSAGE.needs)
    for power, side in (("britain", "the Western Allies"), ("germany", "the Axis")):
        foe = shut_by(s, faction(s, power))
        if canal_open(s, power):
            yield Told("88.342", f"the Suez canal is in the hands of {side}: they hold {names}")
        elif foe:
            yield Told("88.344", f"the Suez canal is closed to {side}: one of {names} is held by {called(foe)}")
    if axis_base_at_suez(s):
        yield Told("88.37B", f"{RAIDERS} German or Italian ships may raid from Suez, submarines enter the Indian Ocean")
    else:
        yield Told("88.37", "Axis ships do not use the canal or Suez: for raiders they must hold it, and Ethiopia")
