"""Ireland: entered only by war, its partisans and what they cost Britain, its help for submarines (82.61, 87.2)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.maps import europe
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Happened, StatusChanged, WarBegan
from warcabinet.model.names import powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import keys_of, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import BOUND, eliminate, faction, neighbours, patron, side_of, units_at
from warcabinet.rules.common.presence import HOSTILE, unless_excused
from warcabinet.rules.common.supply_by_land import armor_zone
from warcabinet.rules.common.waiting import goal_of, origin_of
from warcabinet.rules.common.war_and_peace import declared, declarers, neutral_power, player_of
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.areas import stays_in_its_areas
from warcabinet.rules.minors.attack import may_attack_country
from warcabinet.rules.minors.geography import admits
from warcabinet.rules.minors.ground import ground_is_open
from warcabinet.rules.minors.operations import attack_out_of_neutral, concerned, neutrals_attack_nobody
from warcabinet.rules.minors.partisans import most_partisans, partisans_within_table

PARTISAN = "partisan"


@cache
def ulster() -> frozenset[str]:
    return frozenset(home_hexes("ulster"))


@cache
def irish_ground() -> frozenset[str]:
    """Where Irish partisans operate: Ireland and Ulster."""
    return ulster() | set(home_hexes("ireland"))


@cache
def at_ulster() -> frozenset[str]:
    """Ulster and the hexes beside it."""
    return ulster() | {it for key in ulster() for it in neighbours(key)}


@definition("87.21", "A place belongs to Britain itself; Ulster does, for all purposes")
def part_of_britain(s: State, place: str) -> bool:
    key = place_key(place)
    return key in ulster() or key in home_hexes("britain")


@definition("87.22")
def ireland_open(s: State, power: str) -> bool:
    """A power's units may enter Ireland: at war with it, or where it has joined or fallen to their side."""
    return admits(s, power, "ireland")


# -- partisans ----------------------------------------------------------------------------------------------------


@definition("87.23", also=("87.43",))
def counts_as_ally(s: State, power: str) -> bool:
    """An attack by a power of the Allied side is an Allied attack, though the power be neutral itself (R-1862)."""
    return reading_in_force(s, "R-1862") == "a" or not neutral_power(s, power)


def _declared(s: State, side: str) -> bool:
    """Whether a power of the Axis, or of the Allies, has ever declared war on Ireland, even if it is over."""
    return any(player_of(it) == side and counts_as_ally(s, it) for it in declarers(s, "ireland"))


def attacked_by_germany(s: State) -> bool:
    return declared(s, "germany", "ireland")


@value(
    "82.61",
    displaces=most_partisans,
    when=lambda s, nation, side: nation == "ireland" and side == "axis",
    covers=("87.23",),
)
def irish_partisans(s: State, nation: str, side: str) -> int:
    """Irish partisans: two after an Allied declaration of war, one at a 7, two at an 8, none once Germany attacked."""
    note("ira", "87.23", True, nation)
    if attacked_by_germany(s):
        return 0
    if _declared(s, "allied"):
        return 2
    standing = s.countries["ireland"]
    if standing.by == "" or faction(s, standing.by) != "axis":
        return 0
    if standing.status in BOUND:
        return 2
    return {"penetrated": 1, "controlled": 2}.get(standing.status, 0)


def why_not_there(s: State, key: str) -> str:
    """Why no Irish partisan is built on a hex; nothing if one may be. Who controls it does not matter."""
    if key in ulster():
        return "Axis partisans are not built in Ulster, though they may go there"
    if key not in home_hexes("ireland"):
        return "it is not in Ireland; partisans of other countries are reported (report_units)"
    if units_at(s, key):
        return "it is not vacant"
    return "it is in an Allied zone of control" if _allied_zone(s) & europe().bits((key,)) else ""


def _allied_zone(s: State) -> int:
    return armor_zone(s, europe(), lambda it: (leader := patron(s, it)) != "" and powers()[leader].player == "allied")


def why_no_partisan(s: State, key: str) -> str:
    """Why Germany may not build an Irish partisan on a hex now; nothing if it may."""
    reason = why_not_there(s, key)
    if reason:
        return reason
    most, there = most_partisans(s, "ireland", "axis"), irish_partisan_count(s)
    if there >= most:
        return f"{there} Irish partisans are on the board, at most {most}"
    return "one partisan has been built this turn" if happened(s, "built a partisan", "ireland", "turn") else ""


def irish_partisan_stacks(s: State) -> list[Stack]:
    """Axis partisans in Ireland and Ulster."""
    there = (it for key in sorted(irish_ground()) for it in units_at(s, key))
    return [it for it in there if it.branch == PARTISAN and side_of(s, it.nation) in ("axis", "ireland")]


def irish_partisan_count(s: State) -> int:
    return sum(it.count for it in irish_partisan_stacks(s))


def _rises_in_ireland(s: State, cmd: ReportUnits) -> bool:
    """Whether a report brings partisans to Ulster, or Axis ones to Ireland."""
    if cmd.count <= 0 or parse_unit(cmd.unit)[0].branch != PARTISAN:
        return False
    at = place_key(cmd.at)
    return at in ulster() or (at in home_hexes("ireland") and side_of(s, cmd.nation) in ("axis", "ireland"))


@limit("87.23", on=ReportUnits, when=_rises_in_ireland, displaces=partisans_within_table)
def irish_partisans_reported(s: State, cmd: ReportUnits) -> str | None:
    """Irish partisans are built, in Ireland alone; no more are reported than may be, those in Ulster counted."""
    if place_key(cmd.at) in ulster():
        return "Axis partisans are not built in Ulster; build them in Ireland and move them"
    most, there = most_partisans(s, "ireland", "axis"), irish_partisan_count(s)
    if there + cmd.count > most:
        return f"{there} Irish partisans are on the board, at most {most}"
    return unless_excused(cmd, "Germany builds Irish partisans (build_partisan)")


def _partisans_go(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether partisans come to Ireland or Ulster, leave it, or move there."""
    if irish_ground().isdisjoint((origin_of(cmd), goal_of(cmd))):
        return False
    if isinstance(cmd, ReportMove):
        return PARTISAN in counted(cmd.units)
    return cmd.unit == PARTISAN and (cmd.nation in powers() or cmd.nation == "ireland")


@limit("87.23", on=(MoveUnits, ReportMove), when=_partisans_go, displaces=stays_in_its_areas)
def partisans_stay_in_ireland(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Irish partisans, and no others, move in Ireland and into Ulster, whoever is at war."""
    ends = (cmd.to, cmd.from_ if isinstance(cmd, MoveUnits) else cmd.origin)
    beyond = next((it for it in ends if place_key(it) not in irish_ground()), None)
    return f"Irish partisans, and no others, operate in Ireland and Ulster; {beyond} lies beyond" if beyond else None


@limit(
    "87.23", on=ReportControl, when=lambda s, cmd: cmd.partisans and not keys_of(cmd.places).isdisjoint(irish_ground())
)
def irish_partisans_take(s: State, cmd: ReportControl) -> str | None:
    """Places in Ireland and Ulster come under partisans where some have risen."""
    return None if irish_partisan_count(s) else unless_excused(cmd, "no Irish partisan is on the board")


def _partisans_attack(s: State, cmd: ReportOperation) -> bool:
    """Whether Irish partisans attack: those that are named, or those of a hex without regular units."""
    if cmd.mission not in ("attack", "attrition") or cmd.branch != "ground" or not (cmd.at and cmd.origin):
        return False
    if place_key(cmd.origin) not in {it.place for it in irish_partisan_stacks(s) if it.nation == cmd.nation}:
        return False
    ours = (it for it in units_at(s, place_key(cmd.origin)) if it.nation == cmd.nation)
    return cmd.unit == PARTISAN or all(it.branch == PARTISAN for it in ours)


@limit(
    "87.23",
    on=ReportOperation,
    when=_partisans_attack,
    displaces=(attack_out_of_neutral, ground_is_open, neutrals_attack_nobody),
)
def partisans_attack_in_ireland(s: State, cmd: ReportOperation) -> str | None:
    """Irish partisans attack in Ireland and into Ulster, whoever is at war with Ireland."""
    inside = place_key(cmd.at) in irish_ground()
    return None if inside else f"Irish partisans stay in Ireland and Ulster; {cmd.at} lies beyond"


def _opened_to_britain(s: State) -> bool:
    """Whether Ireland has fallen or opened itself to Britain's side (R-2161); influence alone opens nothing."""
    standing = s.countries["ireland"]
    return standing.status != "penetrated" and faction(s, standing.by) == faction(s, "britain")


@limit(
    "87.23",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission in HOSTILE
        and bool(cmd.at)
        and concerned(cmd) == "ireland"
        and patron(s, cmd.nation) == "britain"
        and not _opened_to_britain(s)
    ),
    displaces=ground_is_open,
)
def britain_spares_ireland(s: State, cmd: ReportOperation) -> str | None:
    """Britain attacks partisans in Ireland only at war with it."""
    if may_attack_country(s, "britain", "ireland"):
        return None
    return "Britain is not at war with Ireland: partisans there are safe until it declares war"


@value("87.23", "Irish partisans in or beside Ulster, each of which costs Britain a BRP a turn")
def partisans_at_ulster(s: State) -> int:
    return sum(it.count for it in irish_partisan_stacks(s) if it.place in at_ulster())


@effect("87.23", when=lambda s: s.player == "allied" and keeps_brps(s, "britain") and partisans_at_ulster(s) > 0)
def partisans_cost_britain(p: Proceedings) -> None:
    """At the end of the Allied combat phase Britain loses a BRP for each Irish partisan in or beside Ulster."""
    count = partisans_at_ulster(p.s)
    move_brps(p, "britain", -count, "Irish partisans at Ulster", Sink("brp", "partisans"))


@foresees
def partisans_will_cost(s: State) -> list[Foreseen]:
    count = partisans_at_ulster(s)
    if not count or not keeps_brps(s, "britain"):
        return []
    when = next_step_of(s, "britain", "end of combat phase")
    text = "Irish partisans in or beside Ulster cost a BRP each"
    return [Foreseen(when, "87.23", text, "britain", "ireland", "removing them from there by then", -count)]


@effect("87.23", on=WarBegan, when=lambda s, began: "ireland" in began.between and began.declared_by == "germany")
def partisans_disperse(p: Proceedings, began: WarBegan) -> None:
    """A German declaration of war on Ireland ends all Irish partisans for good."""
    for stack in irish_partisan_stacks(p.s):
        eliminate(p, stack, stack.count, for_good=True)


# -- submarines ---------------------------------------------------------------------------------------------------


@value("87.24", "What these chapters add to the Axis dice roll for submarine warfare in the Atlantic")
def atlantic_submarine_modifier(s: State) -> int:
    return 1 if irish_assistance(s) else 0


@remembered("87.24", "Ireland helps German submarines in secret: a 7 or more, not negated since (R-0058)")
def irish_assistance(s: State) -> bool:
    result = s.results.get("ireland", "") in ("7", "8", "9", "10")
    return (result or _under_axis_result(s)) and not _fallen_to_the_allies(s)


def _fallen_to_the_allies(s: State) -> bool:
    standing = s.countries["ireland"]
    return standing.status == "conquered" and standing.by in powers() and player_of(standing.by) == "allied"


def _under_axis_result(s: State) -> bool:
    """Whether Ireland stands as a 7 or an 8 leaves it, however the table told it."""
    standing = s.countries["ireland"]
    return standing.status in ("penetrated", "controlled") and faction(s, standing.by) == "axis"


@effect(
    "87.24", on=Happened, when=lambda s, it: (it.happening.kind, it.happening.key) == ("diplomatic result", "ireland")
)
def assistance_by_result(p: Proceedings, it: Happened) -> None:
    """A result of 7 or more starts Irish help for submarines, a 2 or a 3-4 ends it, others change nothing."""
    result = it.happening.amount
    told = f"a result of {result} in {calendar.turn_name(p.s.turn)}"
    if 4 < result < 7:
        irish_assistance.note(p, irish_assistance(p.s), f"{told} changes nothing")
    else:
        irish_assistance.note(p, result >= 7, told)


@effect("87.24", on=StatusChanged, when=lambda s, it: it.country == "ireland")
def assistance_by_status(p: Proceedings, changed: StatusChanged) -> None:
    """An Allied conquest of Ireland ends its help for submarines; standing as a 7 or an 8 leaves it starts it."""
    if _fallen_to_the_allies(p.s):
        irish_assistance.note(p, False, "Ireland was conquered by the Allies")
    elif _under_axis_result(p.s) and not irish_assistance(p.s):
        irish_assistance.note(p, True, f"Ireland is {changed.status} by a result for Germany")
