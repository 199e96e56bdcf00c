"""The Flying Tigers: when they come, where they base and fly, who pays, and lending them (78.6, 80.31B)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.china import ReportTigersLent
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.events import TrackMoved, UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, War
from warcabinet.model.unit_lists import counted, unbuilt_of
from warcabinet.rules.china.restrictions import ATTACKS, TIGER, WITH_BASES, tiger_bases, tiger_reach, within_reach
from warcabinet.rules.china.territory import NATIONALISTS, SOUTHEAST_ASIAN, WEST, in_china, on_front
from warcabinet.rules.china.war import allied_turns_since
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.arrivals import Arrival, destination, moved, mover
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import friendly, units_of_kind
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.operations import operation_is_paid

#: The USJT levels at which each of the two is added.
ARRIVALS = (20, 35)


# -- coming into play ---------------------------------------------------------------------------------------------


@value("78.61", "Flying Tigers that USJT allow: the first at 20, the second at 35 (R-0072)")
def tigers_allowed(s: State) -> int:
    effective = reading_in_force(s, "R-0072") == "b" and "effective_usjt" in s.tracks
    level = s.tracks.get("effective_usjt" if effective else "usjt", 0)
    return sum(level >= it for it in ARRIVALS)


@remembered("78.61", "Flying Tigers that have been added to the Chinese force pool, or stood there from the start")
def tigers_added(s: State) -> int:
    on_board = sum(it.count for it in units_of_kind(s, NATIONALISTS, TIGER))
    return on_board + unbuilt_of(s, NATIONALISTS, TIGER)


@effect("78.61", "Flying Tigers are added to the Nationalist force pool as tension reaches 20 and 35")
def add_tigers(p: Proceedings) -> None:
    allowed, added = tigers_allowed(p.s), tigers_added(p.s)
    waiting = unbuilt_of(p.s, NATIONALISTS, TIGER)
    if allowed > added:
        p.do(UnitsMoved(NATIONALISTS, TIGER, allowed - added, OUT_OF_PLAY, UNBUILT, "Flying Tigers may be built"))
        tigers_added.note(p, allowed, "once added they stay")
    elif allowed < added and waiting and reading_in_force(p.s, "R-0072") == "c":
        gone = min(waiting, added - allowed)
        p.do(UnitsMoved(NATIONALISTS, TIGER, gone, UNBUILT, OUT_OF_PLAY, "tension has fallen"))
        tigers_added.forget(p)


@effect(
    "78.61",
    "A Flying Tiger is added when tension reaches its level",
    on=TrackMoved,
    when=lambda s, moved: moved.track in ("usjt", "effective_usjt"),
)
def tension_brings_tigers(p: Proceedings, moved: TrackMoved) -> None:
    p.run(add_tigers)


# -- costs --------------------------------------------------------------------------------------------------------


@limit(
    "78.61C",
    "Nationalist China alone builds and pays for the Flying Tigers",
    on=Build,
    when=lambda s, cmd: cmd.power != NATIONALISTS and TIGER in counted(cmd.units),
    also=("78.61D",),
)
def china_builds_tigers(s: State, cmd: Build) -> str:
    return "Nationalist China builds the Flying Tigers and pays for them; others may grant it the BRPs"


@limit(
    "78.61C",
    "Nationalist China pays for the offensive operations of the Flying Tigers, from what it may spend",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and cmd.mission == "attack" and cmd.brp > 0,
    displaces=operation_is_paid,
)
def china_pays_for_tigers(s: State, cmd: ReportOperation) -> str | None:
    most = spendable(s, NATIONALISTS)
    return f"Nationalist China pays, and may spend {most} BRPs now" if cmd.brp > most else None


@limit(
    "78.61",
    "The Flying Tigers are Nationalist Chinese units",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: mover(cmd) != NATIONALISTS and TIGER in moved(cmd),
)
def tigers_are_chinese(s: State, cmd: Arrival) -> str:
    return "the Flying Tigers are Nationalist Chinese units, even when they are lent: nation china"


# -- where they base and fly --------------------------------------------------------------------------------------


def _tigers(cmd: Arrival) -> bool:
    return mover(cmd) == NATIONALISTS and TIGER in moved(cmd)


def _lent_ones(s: State, cmd: Arrival) -> bool:
    """Whether those that go are lent: then they go as American units."""
    count = counted(cmd.units)[TIGER] if isinstance(cmd, ReportMove) else cmd.count
    return 0 < count <= tigers_lent(s)


@limit(
    "78.61A",
    "The Flying Tigers base in China, Burma and India, whether or not Japan fights the West",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _tigers(cmd) and tiger_bases(s) == WITH_BASES,
)
def tigers_base(s: State, cmd: Arrival) -> str | None:
    return _out_of_reach(s, cmd)


@limit(
    "80.31B(3)",
    "The Flying Tigers base on the Southeast Asian front from the first Allied turn of the war with Britain",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _tigers(cmd) and tiger_bases(s) != WITH_BASES,
    also=("80.31B(5)",),
)
def tigers_base_on_the_front(s: State, cmd: Arrival) -> str | None:
    return _out_of_reach(s, cmd)


def _out_of_reach(s: State, cmd: Arrival) -> str | None:
    far, to = tiger_bases(s), destination(cmd)
    if within_reach(s, far, to) or _lent_ones(s, cmd):
        return None
    told = f"the Flying Tigers base within {far} now, not at {to}"
    return unless_excused(cmd, told) if isinstance(cmd, ReportUnits) else told


def _flying(cmd: ReportOperation) -> bool:
    return cmd.nation == NATIONALISTS and cmd.branch == "air" and cmd.unit == TIGER


@definition("78.62", "The first Japanese attack on the Western Allies is under way: the Flying Tigers may defend them")
def first_japanese_attack(s: State) -> bool:
    wars = [it for it in s.wars if it.ended is None and set(it.between) in ({"japan", "britain"}, {"japan", "usa"})]
    return s.player == "axis" and any(s.turn == _first_attack(it) for it in wars)


def _first_attack(war: War) -> int:
    """The turn in which Japan first attacks: that of the outbreak, or the next where the Allies declared war."""
    by_allies = war.declared_by in powers() and player_of(war.declared_by) == "allied"
    return war.since + 1 if by_allies else war.since


@limit(
    "80.31B(3)",
    "The Flying Tigers operate on the Southeast Asian front from the first Allied turn of the war with Britain",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and bool(cmd.at),
    also=("80.31B(5)",),
)
def tigers_operate(s: State, cmd: ReportOperation) -> str | None:
    return _beyond(s, cmd)


def _beyond(s: State, cmd: ReportOperation) -> str | None:
    far = tiger_reach(s)
    if within_reach(s, far, cmd.at) or tigers_lent(s) >= cmd.count:
        return None
    return unless_excused(cmd, f"the Flying Tigers operate within {far} now, not at {cmd.at}")


@limit(
    "78.62",
    "Against the initial Japanese attack the Flying Tigers may defend Western Allied hexes, and no others",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and bool(cmd.at) and cmd.mission not in ATTACKS and first_japanese_attack(s),
    displaces=tigers_operate,
)
def tigers_defend_the_west(s: State, cmd: ReportOperation) -> str | None:
    return None if _western(s, cmd.at) else _beyond(s, cmd)


def _western(s: State, place: str) -> bool:
    return friendly(s, place_key(place), WEST)


@limit(
    "78.62",
    "Japanese surprise does not affect the Flying Tigers",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and cmd.surprise,
)
def tigers_not_surprised(s: State, cmd: ReportOperation) -> str:
    return "the Flying Tigers are not affected by Japanese surprise"


# -- air combat ---------------------------------------------------------------------------------------------------


@value("78.61D", "Whose Air Nationality DRM a nation's air units use; the Flying Tigers use the American one")
def air_nationality(s: State, nation: str, unit: str) -> str:
    return "usa" if unit == TIGER else nation


@limit(
    "78.61D",
    "The Flying Tigers use the American Air Nationality DRM",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and bool(cmd.drm_of),
)
def american_modifier(s: State, cmd: ReportOperation) -> str | None:
    right = air_nationality(s, cmd.nation, cmd.unit)
    return None if cmd.drm_of == right else "they use the American Air Nationality DRM"


@limit(
    "78.61D",
    "Western radar does not modify air combat between the Flying Tigers and Japanese air units bombing China",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and cmd.radar,
)
def no_radar_over_china(s: State, cmd: ReportOperation) -> str | None:
    if not cmd.at or in_china(s, cmd.at):
        return "Western Allied radar research does not modify the air combat of the Flying Tigers over China"
    return None


# -- lending ------------------------------------------------------------------------------------------------------


@remembered("78.63", "Flying Tigers that are lent to the U.S., as reported")
def tigers_lent(s: State) -> int:
    return 0


@value(
    "80.31B(4)", "Flying Tigers that may be lent: those on the Southeast Asian front, from the second Allied turn on"
)
def tigers_to_lend(s: State) -> int:
    if allied_turns_since(s) < 2:
        return 0
    based = (it for it in units_of_kind(s, NATIONALISTS, TIGER) if on_front(it.place, SOUTHEAST_ASIAN))
    return sum(it.count for it in based)


@order(
    "78.63", "Flying Tigers are lent to the U.S.; the conditions of 52.62 are looked after outside", on=ReportTigersLent
)
def report_tigers_lent(p: Proceedings, cmd: ReportTigersLent) -> None:
    tigers_lent.note(p, cmd.count, "reported as lent")


@effect(
    "78.63",
    "Flying Tigers that are lost are no longer lent: those that China builds anew are its own",
    on=UnitsMoved,
    when=lambda s, moved: moved.unit == TIGER and not isinstance(moved.to, At) and tigers_lent(s) > 0,
)
def lost_tigers_come_home(p: Proceedings, moved: UnitsMoved) -> None:
    there = sum(it.count for it in units_of_kind(p.s, NATIONALISTS, TIGER))
    if there < tigers_lent(p.s):
        tigers_lent.note(p, there, "the others were lost")


@limit("80.31B(4)", "Only Flying Tigers based on the Southeast Asian front are lent, in time", on=ReportTigersLent)
def lent_in_time(s: State, cmd: ReportTigersLent) -> Bound | None:
    if cmd.count <= tigers_lent(s):
        return None  # those that are lent may have gone elsewhere since
    told = "Flying Tigers on the Southeast Asian front, from the second Allied turn of the war with Britain on"
    return Bound("count", most=tigers_to_lend(s), text=told)
