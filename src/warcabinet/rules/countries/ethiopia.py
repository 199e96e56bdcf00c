"""Ethiopia: how units come and go, and what they may not do there (88.41, 88.42, 88.44, 88.45, 88.46)."""

from __future__ import annotations

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportParticipation, ReportUnits
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import board_of, holder, place_key
from warcabinet.model.state import State, total
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war, went_to_war
from warcabinet.rules.common.books import keeps_transports, transports_of
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import faction, held_by_partisans, patron, side_of, standing_at, units_at
from warcabinet.rules.common.ways import NR, SR, joined_by_land
from warcabinet.rules.countries.axis_at_suez import ethiopia_fallen
from warcabinet.rules.countries.egypt import canal_open
from warcabinet.rules.countries.middle_east import (
    ABADAN,
    AUSTRALIA,
    AXIS,
    BASRA,
    ETHIOPIA,
    INDIA,
    SOUTH_AFRICA,
    SUEZ,
    WEST,
    beyond_canal,
    mediterranean,
)
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.building import supplied_hex

#: The Egyptian hexes on the southern edge of the board.
EDGE = board_areas()["egyptian_south_edge"].keys
#: The ways in and out of the box, as happenings name them: all of them, and those from South Africa and back.
EVERY_WAY = (f"to {ETHIOPIA}", f"from {ETHIOPIA}")
BY_SOUTH_AFRICA = (f"from {SOUTH_AFRICA} to {ETHIOPIA}", f"from {ETHIOPIA} to {SOUTH_AFRICA}")

#: What Indian Ocean transports join to the box (88.36, 88.54).
BY_INDIAN_OCEAN = (SUEZ, BASRA, ABADAN, SOUTH_AFRICA, INDIA, AUSTRALIA)


def _ground(unit: str) -> bool:
    return parse_unit(unit)[0].branch == "ground"


def ground_in_ethiopia(s: State, side: str) -> list[Stack]:
    return [it for it in units_at(s, ETHIOPIA) if it.branch == "ground" and side_of(s, it.nation) == side]


def _entering(cmd: MoveUnits) -> bool:
    return place_key(cmd.to) == ETHIOPIA


def _touches(cmd: MoveUnits) -> bool:
    return ETHIOPIA in (place_key(cmd.to), place_key(cmd.from_))


# -- when and what ------------------------------------------------------------------------------------------------


@limit("88.423C", on=MoveUnits, also=("88.42",), when=lambda s, cmd: _touches(cmd))
def only_redeployed(s: State, cmd: MoveUnits) -> str | None:
    """Units enter and leave Ethiopia only in the redeployment phase, and never by sea transport."""
    if cmd.how not in (NR, SR):
        return f"Ethiopia is entered and left by naval or strategic redeployment, not by {cmd.how}"
    named = s.place.step.name
    return None if named == "redeployment" else "Ethiopia is entered and left only in the redeployment phase"


@limit("88.42", on=ReportMove, when=lambda s, cmd: ETHIOPIA in (place_key(cmd.to), place_key(cmd.origin)))
def ethiopia_by_order(s: State, cmd: ReportMove) -> str | None:
    """Units that enter or leave Ethiopia are ordered to, so that it can be seen how."""
    return "units enter and leave Ethiopia by the order move, as naval or strategic redeployment"


@limit("88.423A", "Air and naval units do not enter Ethiopia", on=MoveUnits, when=lambda s, cmd: _entering(cmd))
def ground_units_only(s: State, cmd: MoveUnits) -> str | None:
    return None if _ground(cmd.unit) else f"{cmd.unit}: only ground units enter the Ethiopia box"


@limit("88.423B", on=MoveUnits, when=lambda s, cmd: place_key(cmd.from_) == ETHIOPIA)
def not_in_and_out(s: State, cmd: MoveUnits) -> Bound:
    """What came into Ethiopia in this phase does not leave it in the same."""
    came = total(s, f"redeployed into {ETHIOPIA}", f"{cmd.nation} {cmd.unit}", "phase")
    there = standing_at(s, cmd.nation, ETHIOPIA, cmd.unit)
    return Bound("count", most=max(0, there - came), text="units that were in Ethiopia as the phase began")


@limit("88.42", on=MoveUnits, when=lambda s, cmd: _touches(cmd))
def others_stay_away(s: State, cmd: MoveUnits) -> str | None:
    """Axis and Western Allied units come to Ethiopia, nobody else's."""
    return None if side_of(s, cmd.nation) in (AXIS, WEST) else f"{called(cmd.nation)} has no way to Ethiopia"


# -- the Axis -----------------------------------------------------------------------------------------------------


def _axis(s: State, cmd: MoveUnits) -> bool:
    return _touches(cmd) and side_of(s, cmd.nation) == AXIS


@limit("88.421", "Axis units enter and leave Ethiopia only before the Allied conquest", on=MoveUnits, when=_axis)
def axis_before_conquest(s: State, cmd: MoveUnits) -> str | None:
    return "the Western Allies have conquered Ethiopia" if ethiopia_fallen(s) else None


@definition("88.37A", "The Axis may redeploy a ground unit through the canal to Ethiopia")
def axis_reinforces_by_canal(s: State, nation: str) -> bool:
    if nation == "italy" and not went_to_war(s, "italy", "britain"):
        return True
    neutral = s.powers["britain"].surrendered and not any(at_war(s, it, "britain") for it in ("germany", "italy"))
    return neutral and canal_open(s, "germany")


def redeployed(s: State, side: str, how: str, ways: tuple[str, ...] = EVERY_WAY) -> int:
    """Units that a side has redeployed to or from Ethiopia in this game turn, in one manner."""
    start = s.since("turn")
    done = (it for way in ways for it in s.happenings.of(f"{how} {way}") if it.moment >= start)
    return sum(it.amount for it in done if side_of(s, it.key) == side)


def _one_a_turn(s: State, cmd: MoveUnits, done: int) -> str | None:
    return "one ground unit a turn goes that way" if done + cmd.count > 1 else None


@limit("88.37A", on=MoveUnits, when=lambda s, cmd: _axis(s, cmd) and cmd.how == NR and _entering(cmd))
def axis_by_canal(s: State, cmd: MoveUnits) -> str | None:
    """Through the canal Italy reinforces Ethiopia before its war with Britain, the Axis after a British surrender."""
    if axis_reinforces_by_canal(s, cmd.nation):
        return None
    return "the canal is closed to the Axis, unless Britain has surrendered and they control it"


@limit("88.421A", on=MoveUnits, when=lambda s, cmd: _axis(s, cmd) and cmd.how == NR)
def axis_one_by_canal(s: State, cmd: MoveUnits) -> str | None:
    """One Axis ground unit a turn goes to or from Ethiopia by the canal; no Italians leave before war with Britain."""
    if not _entering(cmd):
        refused = _italians_stay(s, cmd) or _not_back_by_canal(s, cmd)
        if refused:
            return refused
    return _past_canal(cmd) or _one_a_turn(s, cmd, redeployed(s, AXIS, NR))


def _past_canal(cmd: MoveUnits) -> str | None:
    """Why units do not come and go by sea through the canal: they set out, or end, behind it."""
    other = cmd.from_ if _entering(cmd) else cmd.to
    key = place_key(other)
    behind = key != SUEZ and (beyond_canal(key) or key == SOUTH_AFRICA)
    return f"the Axis redeploy through the Suez canal; {other} lies behind it" if behind else None


def _italians_stay(s: State, cmd: MoveUnits) -> str | None:
    if cmd.nation == "italy" and not went_to_war(s, "italy", "britain"):
        return "Italian units stay in Ethiopia until Italy and Britain are at war"
    return None


def _not_back_by_canal(s: State, cmd: MoveUnits) -> str | None:
    if reading_in_force(s, "R-0061") == "b":
        return "the Axis use the canal to reinforce Ethiopia, not to leave it (88.37A)"
    return None if axis_reinforces_by_canal(s, cmd.nation) else "the canal is closed to the Axis"


def _no_way_over_edge(s: State, cmd: MoveUnits, side: str) -> str | None:
    """Why units do not pass the southern edge of the board: no hex there is held, or no land leads to one that is."""
    # What Wafdists hold is lost to the Western Allies; that it serves the Axis the clause does not say.
    kept = (key for key in EDGE if side == AXIS or not held_by_partisans(s, key))
    held = tuple(key for key in kept if faction(s, holder(s, key)) == side)
    if not held:
        return f"{'the Axis' if side == AXIS else 'the Western Allies'} control none of NN27 to NN30"
    other = cmd.from_ if _entering(cmd) else cmd.to
    key = place_key(other)
    if board_of(key) == "europe" and joined_by_land(s, cmd.nation, key, held):
        return None
    return f"no friendly land leads from {other} to those of NN27 to NN30 that are held"


@limit("88.421B", on=MoveUnits, when=lambda s, cmd: _axis(s, cmd) and cmd.how == SR)
def axis_over_edge(s: State, cmd: MoveUnits) -> str | None:
    """One Axis ground unit a turn goes over the southern edge of Egypt, if the Axis hold one of its four hexes."""
    if not _entering(cmd) and (stay := _italians_stay(s, cmd)):
        return stay
    return _no_way_over_edge(s, cmd, AXIS) or _one_a_turn(s, cmd, redeployed(s, AXIS, SR))


# -- the Western Allies -------------------------------------------------------------------------------------------


def _west(s: State, cmd: MoveUnits) -> bool:
    return _touches(cmd) and side_of(s, cmd.nation) == WEST


@definition("88.422", "The Western Allies are, or were, at war with Italy")
def west_fights_italy(s: State) -> bool:
    return any(went_to_war(s, "italy", it) for it in ("britain", "france", "usa"))


@limit("88.423D", on=MoveUnits, also=("88.422",), when=_west)
def west_after_war(s: State, cmd: MoveUnits) -> str | None:
    """Western Allied units enter Ethiopia once the Western Allies are at war with Italy."""
    if not west_fights_italy(s):
        return "the Western Allies are not at war with Italy"
    # Before its own war the U.S. is none of them.
    if patron(s, cmd.nation) == "usa" and not any(went_to_war(s, "usa", it) for it in ("italy", "germany")):
        return "the U.S. is not at war with Italy"
    return None


@limit("88.422A", on=MoveUnits, when=lambda s, cmd: _west(s, cmd) and cmd.how == NR)
def west_by_transport(s: State, cmd: MoveUnits) -> str | None:
    """Between Ethiopia and the Indian Ocean Western Allied units use Indian Ocean transports."""
    other = cmd.from_ if _entering(cmd) else cmd.to
    key = place_key(other)
    # Into and out of the Mediterranean they go by way of Suez, by a clause of its own (88.36); ports of the Pacific
    # board, such as Calcutta, no clause shuts off.
    if key not in BY_INDIAN_OCEAN and not mediterranean(key) and board_of(key) != "pacific":
        return f"{other} is not on the Indian Ocean: Suez, Basra, Abadan, the South Africa, India and Australia boxes"
    # A table that does not keep count of its transports sees to them itself.
    wanting = keeps_transports(s, "indian_ocean") and not transports_of(s, "indian_ocean")
    return "there are no Indian Ocean transports" if wanting else None


def _by_south_africa(cmd: MoveUnits) -> bool:
    return SOUTH_AFRICA in (place_key(cmd.to), place_key(cmd.from_))


@limit("88.422B", on=MoveUnits, when=lambda s, cmd: _west(s, cmd) and cmd.how == SR and not _by_south_africa(cmd))
def west_over_edge(s: State, cmd: MoveUnits) -> str | None:
    """One Western ground unit a turn goes over the southern edge of Egypt, if they hold one of its four hexes."""
    if no_way := _no_way_over_edge(s, cmd, WEST):
        return no_way
    return _one_a_turn(s, cmd, redeployed(s, WEST, SR) - redeployed(s, WEST, SR, BY_SOUTH_AFRICA))


@limit("88.422C", on=MoveUnits, when=lambda s, cmd: _west(s, cmd) and cmd.how == SR and _by_south_africa(cmd))
def west_by_south_africa(s: State, cmd: MoveUnits) -> str | None:
    """One Western ground unit a turn goes between Ethiopia and the South Africa box."""
    return _one_a_turn(s, cmd, redeployed(s, WEST, SR, BY_SOUTH_AFRICA))


# -- what is reported ---------------------------------------------------------------------------------------------


@limit("88.423C", on=ReportUnits, when=lambda s, cmd: place_key(cmd.at) == ETHIOPIA and not cmd.lost)
def not_by_report(s: State, cmd: ReportUnits) -> str | None:
    """Units appear in Ethiopia, or leave it, only by redeployment."""
    return "units enter and leave Ethiopia by the order move, as naval or strategic redeployment"


@limit("88.423C", "No units are built in Ethiopia", on=Build, when=lambda s, cmd: place_key(cmd.at) == ETHIOPIA)
def not_built_in_ethiopia(s: State, cmd: Build) -> str | None:
    return "units come to Ethiopia by redeployment only"


@limit("88.424", on=ReportLoss, when=lambda s, cmd: place_key(cmd.at) == ETHIOPIA)
def no_voluntary_loss(s: State, cmd: ReportLoss) -> str | None:
    """Units in Ethiopia are not eliminated voluntarily."""
    return "nobody fights in Ethiopia, and units there are not given up"


@limit("88.424", on=ReportUnits, when=lambda s, cmd: place_key(cmd.at) == ETHIOPIA and cmd.lost)
def no_reported_loss(s: State, cmd: ReportUnits) -> str | None:
    """Units in Ethiopia are not reported lost, because there is no combat."""
    return "nobody fights in Ethiopia, and units there are not given up"


def _against_ethiopia(cmd: ReportOperation) -> bool:
    """Whether an attack names the country instead of the box; ships that it concerns are at sea."""
    attacks = cmd.mission in ("attack", "attrition", "bombing") and cmd.branch != "naval"
    return attacks and not cmd.at and cmd.country == "ethiopia"


@limit(
    "88.44",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission != "sea escort"
        and (_against_ethiopia(cmd) or any(place_key(it) == ETHIOPIA for it in (cmd.at, cmd.origin) if it))
    ),
)
def no_combat(s: State, cmd: ReportOperation) -> str | None:
    """There is no combat in the Ethiopia box."""
    return "offensive and attrition combat are prohibited in Ethiopia"


@limit(
    "88.44",
    on=ReportParticipation,
    when=lambda s, cmd: cmd.area == "ethiopia" and cmd.how in ("offensive operations", "attrition"),
)
def no_attrition(s: State, cmd: ReportParticipation) -> str | None:
    """Nobody takes part in the conquest of Ethiopia by fighting there."""
    return "offensive and attrition combat are prohibited in Ethiopia"


# -- supply, and Africa -------------------------------------------------------------------------------------------


@definition(
    "88.45",
    displaces=supplied_hex,
    when=lambda s, nation, country, place: place == ETHIOPIA and side_of(s, nation) in (AXIS, WEST),
)
def supplied_in_ethiopia(s: State, nation: str, country: str, place: str) -> bool:
    """Axis and Western Allied ground units in Ethiopia are in unlimited supply."""
    return True


@definition("88.46", "A place is in Africa, for diplomatic die rolls and the surrender of Italy")
def in_africa(s: State, place: str) -> bool:
    key = place_key(place)
    if key == ETHIOPIA:
        note("ethiopia_counts", "88.46", True, place)
    return key == ETHIOPIA or key in board_areas()["africa"].keys


@value("88.46", "Axis ground units in Africa, those in Ethiopia included")
def axis_units_in_africa(s: State) -> int:
    there = (it for it in s.pieces.stacks() if it.branch == "ground" and side_of(s, it.nation) == AXIS)
    return sum(it.count for it in there if in_africa(s, it.place))
