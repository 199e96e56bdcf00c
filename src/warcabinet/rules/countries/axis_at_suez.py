"""The Axis at Suez: reinforcement of Ethiopia, raiders and submarines, and nothing else (88.37, 88.43B)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import faction, units_at
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.countries.egypt import (
    BESIDE,
    axis_base_at_suez,
    canal_open,
    mission_ends,
    mover,
    of_axis,
    round_africa,
    sails_through,
    shut_by,
)
from warcabinet.rules.countries.middle_east import (
    ETHIOPIA,
    INDIAN_OCEAN,
    SUEZ,
    WEST,
    eastern_waters,
    ends,
    leads_through_canal,
    mediterranean,
    sailings,
)
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.operations import sails

RAIDERS = 3
#: Naval units that carry and guard, and so do not raid.
NO_RAIDERS = ("transport", "asw")


def _out_of_suez(cmd: ReportOperation) -> bool:
    """Whether ships, or troops that land elsewhere, set out from Suez."""
    if not cmd.origin or place_key(cmd.origin) != SUEZ:
        return False
    return cmd.branch == "naval" or (bool(cmd.at) and sails(cmd))


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


@limit("88.37", on=(MoveUnits, ReportMove), when=_axis_at_canal, also=("88.37B",))
def axis_through_canal(s: State, cmd: MoveUnits | ReportMove) -> Refusal | str | None:
    """The Axis use the canal for Ethiopia, raiders and submarines only."""
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
    on=ReportOperation,
    when=lambda s, cmd: (
        of_axis(s, cmd.nation)
        and not _raids_from_suez(s, cmd)
        and not _dives_from_suez(cmd)
        and (sails_through(s, cmd) or _out_of_suez(cmd) or _raids_through_canal(cmd))
    ),
)
def axis_missions_from_suez(s: State, cmd: ReportOperation) -> str | None:
    """Axis ships do nothing through the canal or from Suez but raid, for which they are based in Suez."""
    return "Axis ships operate neither through the Suez canal nor from Suez, raiders that are based there apart"


def _raids_from_suez(s: State, cmd: ReportOperation) -> bool:
    """Whether Axis ships raid from Suez: not back through the canal, in the Mediterranean."""
    out = cmd.mission == "raid" and bool(cmd.origin) and place_key(cmd.origin) == SUEZ
    return out and of_axis(s, cmd.nation) and not (cmd.at and mission_ends(cmd).through_canal)


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


@limit("88.37B", on=ReportOperation, when=_raids_from_suez)
def raiders_from_suez(s: State, cmd: ReportOperation) -> Bound | str:
    """Three German or Italian ships raid from Suez, if the Axis hold the canal and Ethiopia."""
    if cmd.nation not in ("germany", "italy"):
        return "only German and Italian ships raid from Suez"
    if not axis_base_at_suez(s):
        return "raiders leave Suez only while the Axis control the canal and Ethiopia"
    out = sum(total(s, f"raided from {SUEZ}", it, "turn") for it in powers())
    return Bound("count", most=RAIDERS - out, text="ships that raid from Suez")


def _to_indian_ocean(s: State, cmd: MoveUnits | ReportMove) -> bool:
    return place_key(cmd.to) == INDIAN_OCEAN and of_axis(s, mover(cmd))


@limit("88.37C", on=(MoveUnits, ReportMove), when=_to_indian_ocean)
def submarines_by_suez(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """German submarines enter the Indian Ocean while the Axis hold the canal and Ethiopia."""
    if any(it.nation != "germany" or kind_name(it.unit) != "submarine" for it in sailings(s, cmd)):
        return "only German submarines enter the Indian Ocean through Suez"
    return None if axis_base_at_suez(s) else "the Axis do not control both the Suez canal and Ethiopia"


@limit(
    "88.344",
    on=(MoveUnits, ReportMove),
    when=lambda s, cmd: (
        ends(cmd)[0] == INDIAN_OCEAN
        and leads_through_canal(*ends(cmd))
        and of_axis(s, mover(cmd))
        and not round_africa(s, INDIAN_OCEAN)
    ),
)
def submarines_back_by_suez(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Submarines do not come back from the Indian Ocean through a canal that is closed to them (R-2022)."""
    if canal_open(s, "germany"):
        return None
    return f"from the Indian Ocean to {cmd.to} one sails through the Suez canal, which is closed"


def ethiopia_fallen(s: State) -> bool:
    """Whether the Western Allies have conquered Ethiopia."""
    standing = s.countries["ethiopia"]
    return standing.status == "conquered" and faction(s, standing.by) == WEST


@limit(
    "88.43B",
    on=ReportOperation,
    displaces=raiders_from_suez,
    when=lambda s, cmd: _raids_from_suez(s, cmd) and ethiopia_fallen(s),
)
def no_raiders_after_ethiopia(s: State, cmd: ReportOperation) -> str | None:
    """Once Ethiopia has fallen no Axis raider leaves Suez."""
    return "Ethiopia has fallen: Axis raiders no longer operate from Suez"


@limit(
    "88.43B",
    on=ReportOperation,
    when=lambda s, cmd: (
        bool(cmd.at) and place_key(cmd.at) == INDIAN_OCEAN and of_axis(s, cmd.nation) and not _raids_from_suez(s, cmd)
    ),
    also=("88.37B", "88.37C"),
)
def operates_in_indian_ocean(s: State, cmd: ReportOperation) -> Refusal | None:
    """Once Ethiopia has fallen, Axis raiders and submarines in the Indian Ocean operate there no longer."""
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
    on=(MoveUnits, ReportMove),
    displaces=submarines_by_suez,
    when=lambda s, cmd: _to_indian_ocean(s, cmd) and ethiopia_fallen(s),
)
def no_submarines_after_ethiopia(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Once Ethiopia has fallen no German submarine enters the Indian Ocean."""
    return "Ethiopia has fallen: German submarines no longer operate from Suez"


def _comes_by_report(s: State, cmd: ReportUnits) -> bool:
    """Whether Axis ships are said to have come where only the canal leads them: to Suez, the Gulf, the Indian Ocean."""
    there = place_key(cmd.at) == INDIAN_OCEAN or eastern_waters(place_key(cmd.at))
    return there and cmd.count > 0 and parse_unit(cmd.unit)[0].branch == "naval" and of_axis(s, cmd.nation)


@limit("88.37", on=ReportUnits, when=_comes_by_report, also=("88.37B", "88.37C", "88.43B"))
def axis_ships_reported(s: State, cmd: ReportUnits) -> Refusal | None:
    """No Axis ships are reported at Suez, in the Gulf or the Indian Ocean that the canal could not have let through."""
    found = _not_beyond_canal(s, cmd.nation, cmd.unit, place_key(cmd.at), cmd.count)
    if found is None:
        return None
    refused = unless_excused(cmd, found.text)
    return Refusal(found.clause, refused) if refused else None


@limit(
    "88.37", on=Build, also=("88.37B",), when=lambda s, cmd: eastern_waters(place_key(cmd.at)) and of_axis(s, cmd.power)
)
def axis_ships_built(s: State, cmd: Build) -> Refusal | None:
    """The Axis build no ships at Suez, in the Gulf or the Indian Ocean beyond those that the canal lets through."""
    ships = {unit: count for unit, count in counted(cmd.units).items() if parse_unit(unit)[0].branch == "naval"}
    found = (_not_beyond_canal(s, cmd.power, unit, place_key(cmd.at), count) for unit, count in ships.items())
    return next((it for it in found if it), None)


def _not_beyond_canal(s: State, nation: str, unit: str, place: str, count: int) -> Refusal | None:
    """Why Axis ships are not where only the canal leads; nothing if it lets them through."""
    to_ocean, past_suez = place == INDIAN_OCEAN, place not in (SUEZ, INDIAN_OCEAN)
    stranger = to_ocean and (nation != "germany" or kind_name(unit) != "submarine")
    if axis_base_at_suez(s) and not (stranger or past_suez) and _based_at_suez(nation, unit):
        return too_many_raiders(s, 0 if kind_name(unit) == "submarine" else count)
    told = "the Axis do not control canal and Ethiopia"
    if past_suez:
        told = "Axis ships go no farther than Suez, raiders and submarines apart"
    elif stranger:
        told = "only German submarines enter the Indian Ocean"
    elif axis_base_at_suez(s):
        told = "only German and Italian raiders and German submarines pass to Suez"
    return Refusal("88.37" if not to_ocean else "88.43B" if ethiopia_fallen(s) else "88.37C", told)


@tells_of("egypt")
def canal_page(s: State) -> Iterator[Told]:
    """Who may pass the canal now, and what would change it."""
    names = ", ".join(it.removeprefix("europe/") for it in BESIDE)
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
