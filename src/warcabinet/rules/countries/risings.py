"""Risings: the partisans that Germany builds and operates, Irish ones and those of Moslem Unrest (87.23, 88.33, 88.57,
88.63). Who rises where, and by which clause, is a row of `RISINGS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from warcabinet.board.maps import europe
from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.middle_east import ReportUnrest
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Happened, UnitsMoved, WarBegan
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Stack
from warcabinet.model.places import place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted, unbuilt_of
from warcabinet.model.units import parse_unit, unit_cost
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of
from warcabinet.rules.common.pieces import BOUND, eliminate, faction, neighbours, patron, side_of, units_at, units_in
from warcabinet.rules.common.presence import HOSTILE, unless_excused
from warcabinet.rules.common.supply_by_land import armor_zone
from warcabinet.rules.common.waiting import goal_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import declared, declarers, player_of
from warcabinet.rules.countries.western_neutrals import counts_as_ally, ulster
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import effect, limit, opening, order, remembered, value
from warcabinet.rules.minors.attack import may_attack_country
from warcabinet.rules.minors.force_pools import most_partisans, partisans_within_table
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import ground_is_open
from warcabinet.rules.minors.operations import attack_out_of_neutral, concerned, neutrals_attack_nobody

PARTISAN = "partisan"
IRISH = "irish"
#: The most partisans that Moslem Unrest puts into one force pool.
MOST = 2


class Rising(NamedTuple):
    """By which clause partisans rise, in which countries, and where else they go."""

    clause: str
    lands: tuple[str, ...]
    beyond: tuple[str, ...] = ()


RISINGS = {
    IRISH: Rising("87.23", ("ireland",), beyond=("ulster",)),
    "wafdist": Rising("88.33", ("egypt",)),
    "arab": Rising("88.57", ("iraq", "kuwait", "palestine", "transjordan", "lebanon_syria", "arabia")),
    "persian": Rising("88.63", ("persia",)),
}
#: Those of Moslem Unrest, and their clauses.
UNREST = tuple(it for it in RISINGS if it != IRISH)
CLAUSES = tuple(RISINGS[it].clause for it in UNREST)
#: Under which name it is kept that partisans of each kind were built.
BUILT = {IRISH: ("built a partisan", "ireland"), **{it: ("partisans built", it) for it in UNREST}}


@cache
def _ground() -> dict[str, str]:
    """The hexes on which partisans of each kind operate, by their kind."""
    return {key: kind for kind, it in RISINGS.items() for name in (*it.lands, *it.beyond) for key in home_hexes(name)}


def risen_at(place: str) -> str:
    """Which partisans operate at a place, if any do."""
    return _ground().get(place_key(place), "")


def unrest_at(place: str) -> str:
    """Which partisans of Moslem Unrest operate at a place, if any do."""
    kind = risen_at(place)
    return "" if kind == IRISH else kind


def _lands(kind: str) -> str:
    return ", ".join(called(it).title() for it in (*RISINGS[kind].lands, *RISINGS[kind].beyond))


def _clause_at(place: str) -> str:
    kind = risen_at(place)
    return RISINGS[kind].clause if kind else ""


def _noted(partisans: str) -> None:
    note("partisans", RISINGS[partisans].clause, partisans)


# -- how many -----------------------------------------------------------------------------------------------------


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
    # Declarations count even if the war is over.
    if any(player_of(it) == "allied" and counts_as_ally(s, it) for it in declarers(s, "ireland")):
        return 2
    standing = s.countries["ireland"]
    with_axis = standing.by != "" and faction(s, standing.by) == "axis"
    return {"penetrated": 1, "controlled": 2, **dict.fromkeys(BOUND, 2)}.get(standing.status, 0) if with_axis else 0


@remembered("88.33", "How many partisans Moslem Unrest results have put into a force pool", covers=CLAUSES)
def unrest_pool(s: State, partisans: str) -> int:
    _noted(partisans)
    return 0


def irish_partisan_stacks(s: State) -> list[Stack]:
    """Axis partisans in Ireland and Ulster."""
    there = (it for key in sorted((*ulster(), *home_hexes("ireland"))) for it in units_at(s, key))
    return [it for it in there if it.branch == PARTISAN and side_of(s, it.nation) in ("axis", "ireland")]


@value("88.33", "Partisans of a force pool that are on the board", covers=CLAUSES, also=("87.23",))
def partisans_risen(s: State, partisans: str) -> int:
    _noted(partisans)
    if partisans == IRISH:
        return sum(it.count for it in irish_partisan_stacks(s))
    there = (it for country in RISINGS[partisans].lands for it in units_in(s, country))
    return sum(it.count for it in there if it.branch == PARTISAN)


@value("88.33", "How many more partisans may rise: what the force pool has left", covers=CLAUSES)
def unrest_left(s: State, partisans: str) -> int:
    return max(0, min(MOST, unrest_pool(s, partisans)) - partisans_risen(s, partisans))


@order("88.33", "A Moslem Unrest result creates or expands a force pool of partisans", on=ReportUnrest)
def report_unrest(p: Proceedings, cmd: ReportUnrest) -> None:
    grown = unrest_pool(p.s, cmd.partisans) + cmd.count
    unrest_pool.under(RISINGS[cmd.partisans].clause).note(p, grown, "Moslem Unrest", cmd.partisans)


@limit("88.33", on=ReportUnrest, also=CLAUSES[1:])
def two_partisans_in_pool(s: State, cmd: ReportUnrest) -> Bound:
    """No force pool of Moslem Unrest has more than two partisans, the Arab one for its six countries together."""
    return Bound("count", most=MOST - unrest_pool(s, cmd.partisans), text="two partisans at most")


# -- where, and when ----------------------------------------------------------------------------------------------


def _no_irish_site(s: State, key: str) -> str:
    """Why no Irish partisan is built on a hex; nothing if one may be. Who controls it does not matter."""
    if key in ulster():
        return "Axis partisans are not built in Ulster, though they may go there"
    if key not in home_hexes("ireland"):
        return "it is not in Ireland; partisans of other countries are reported (report_units)"
    if units_at(s, key):
        return "it is not vacant"
    zone = armor_zone(s, europe(), lambda it: (leader := patron(s, it)) != "" and powers()[leader].player == "allied")
    return "it is in an Allied zone of control" if zone & europe().bits((key,)) else ""


def why_none_rises(s: State, kind: str, place: str) -> str:
    """Why Germany may not build one of these partisans at a place now; nothing if it may."""
    if kind == IRISH:
        most, there = most_partisans(s, "ireland", "axis"), partisans_risen(s, IRISH)
        told = f"{there} Irish partisans are on the board, at most {most}" if there >= most else ""
        told = _no_irish_site(s, place_key(place)) or told
    elif risen_at(place) != kind:
        told = f"{kind.title()} partisans rise in {_lands(kind)}"
    else:
        none = f"no {kind.title()} partisan is left in the force pool: Moslem Unrest results bring at most {MOST}"
        told = "" if unrest_left(s, kind) else none
    return told or ("one has been built this turn" if total(s, *BUILT[kind], "turn") else "")


# -- the order ----------------------------------------------------------------------------------------------------


def partisans_of(cmd: BuildPartisan) -> str:
    """Which partisans an order is about: those that it names, else those of the place; of no other place Irish ones."""
    return cmd.partisans or risen_at(cmd.at) or IRISH


def _clause_of(s: State, cmd: BuildPartisan) -> str:
    return RISINGS[partisans_of(cmd)].clause


@order("87.23", "A partisan is built at its normal cost", on=BuildPartisan, phases=("unit construction",), also=CLAUSES)
def build_partisan(p: Proceedings, cmd: BuildPartisan) -> None:
    kind, clause, brp = partisans_of(cmd), _clause_of(p.s, cmd), unit_cost(PARTISAN)
    # One that was lost, if the force pool has any, else a new one.
    origin = UNBUILT if unbuilt_of(p.s, cmd.power, PARTISAN) else OUT_OF_PLAY
    irish = kind == IRISH
    memo = "partisan built" if irish else f"a {kind} partisan rises"
    p.do(UnitsMoved(cmd.power, PARTISAN, 1, origin, At(cmd.at), memo), clause)
    memo = f"partisan at {cmd.at}" if irish else f"{kind} partisan"
    move_brps(p, cmd.power, -brp, memo, Sink("brp", "unit construction"), clause)
    p.do(Happened(Happening(p.s.moment, "spent", cmd.power, brp)), "39.11")
    p.do(Happened(Happening(p.s.moment, "constructed", cmd.power, brp)), clause)
    if irish:
        p.do(Happened(Happening(p.s.moment, *BUILT[kind], 1)), clause)


@effect(
    "88.33",
    on=UnitsMoved,
    covers=CLAUSES,
    when=lambda s, moved: (
        moved.unit == PARTISAN
        and isinstance(moved.to, At)
        and not isinstance(moved.origin, At)
        and bool(unrest_at(moved.to.place))
    ),
)
def partisans_have_risen(p: Proceedings, moved: UnitsMoved) -> None:
    """A partisan of Moslem Unrest that appears was built in this turn, by order or by report."""
    kind = risen_at(moved.to.place) if isinstance(moved.to, At) else ""
    p.do(Happened(Happening(p.s.moment, *BUILT[kind], moved.count)), RISINGS[kind].clause)


@opening("87.23", "Hexes in which a partisan may be built now", on=BuildPartisan)
def partisan_hexes(s: State, cmd: BuildPartisan) -> Choice:
    rising = [kind for kind in RISINGS if kind == IRISH or unrest_left(s, kind)]
    lands = ((kind, key) for kind in rising for name in RISINGS[kind].lands for key in home_hexes(name))
    found = tuple(key for kind, key in lands if not why_none_rises(s, kind, key))
    return Choice("at", found, "no Irish hex and no result of Moslem Unrest is open to a partisan")


@limit("87.23", on=BuildPartisan, also=CLAUSES)
def partisan_may_rise(s: State, cmd: BuildPartisan) -> Iterator[Refusal]:
    """Germany alone builds Irish partisans and those of Moslem Unrest, within its construction limit.

    They rise in their own countries, so many, one a turn; Irish ones in a vacant hex outside Allied zones.
    """
    clause = _clause_of(s, cmd)
    if cmd.power != "germany":
        yield Refusal(clause, "only Germany builds these partisans")
    if reason := why_none_rises(s, partisans_of(cmd), cmd.at):
        yield Refusal(clause, f"{place_called(cmd.at)}: {reason}")
    cost = unit_cost(PARTISAN)
    if cost > construction_left(s, cmd.power):
        yield Refusal(clause, "nothing is left of the construction limit")
    elif cost > spendable(s, cmd.power):
        yield Refusal(clause, f"it costs {cost} BRP")


# -- other commands -----------------------------------------------------------------------------------------------


def _reported_at(s: State, cmd: ReportUnits) -> str:
    """By which clause partisans rise where some are reported to appear; in Ireland those of the Axis."""
    if cmd.count <= 0 or parse_unit(cmd.unit)[0].branch != PARTISAN:
        return ""
    axis = cmd.at in ulster() or side_of(s, cmd.nation) in ("axis", "ireland")
    return _clause_at(cmd.at) if axis or unrest_at(cmd.at) else ""


@limit("87.23", on=ReportUnits, displaces=partisans_within_table, also=CLAUSES, by=_reported_at)
def partisans_are_built(s: State, cmd: ReportUnits) -> str | None:
    """No partisans are reported where some rise but those that may be built there; none appear in Ulster."""
    kind = risen_at(cmd.at)
    if kind != IRISH:
        if cmd.nation != "germany":
            return f"{kind.title()} partisans are Germany's"
        one = f"one {kind.title()} partisan a turn is built (build_partisan)"
        return one if cmd.count > 1 else why_none_rises(s, kind, cmd.at) or None
    if cmd.at in ulster():
        return "Axis partisans are not built in Ulster; build them in Ireland and move them"
    most, there = most_partisans(s, "ireland", "axis"), partisans_risen(s, IRISH)
    if there + cmd.count > most:
        return f"{there} Irish partisans are on the board, at most {most}"
    return unless_excused(cmd, "Germany builds Irish partisans (build_partisan)")


def _rise_by_no_table(s: State, cmd: Build) -> str:
    """By which clause German partisans do not rise as other units: the table gives none, or they have an order."""
    if cmd.power != "germany" or PARTISAN not in counted(cmd.units):
        return ""
    if kind := unrest_at(cmd.at):
        return RISINGS[kind].clause
    return "" if most_partisans(s, land(cmd.at)[0], "axis") else "88.33"


@limit("88.33", on=Build, also=CLAUSES[1:], displaces=partisans_within_table, by=_rise_by_no_table)
def partisans_by_their_own_order(s: State, cmd: Build) -> str:
    """Lost partisans of Moslem Unrest are built by an order of their own, not from the force pool as other units."""
    kind = unrest_at(cmd.at)
    told = f"{kind.title()} partisans are built one a turn, by the order build_partisan"
    return told if kind else f"no German partisans rise in {place_called(cmd.at)}"


@limit(
    "87.23",
    on=ReportControl,
    also=CLAUSES,
    when=lambda s, cmd: cmd.partisans and any(risen_at(it) for it in cmd.places or ()),
    excusable=True,
)
def partisans_take_at_home(s: State, cmd: ReportControl) -> Refusal | None:
    """Places come under partisans where some have risen that operate there."""
    kinds = dict.fromkeys(filter(None, map(risen_at, cmd.places)))
    wanting = [it for it in kinds if not partisans_risen(s, it)]
    clauses = tuple(RISINGS[it].clause for it in wanting)
    told = f"no {' or '.join(map(str.title, wanting))} partisan is on the board"
    return Refusal(clauses[0], told, also=clauses[1:]) if wanting else None


@limit(
    "87.23",
    on=(MoveUnits, ReportMove),
    also=(*CLAUSES, "88.62"),
    when=lambda s, cmd: PARTISAN in units_going(cmd) and bool(risen_at(origin_of(cmd)) or risen_at(goal_of(cmd))),
)
def partisans_stay(s: State, cmd: MoveUnits | ReportMove) -> Refusal | None:
    """Partisans stay in the countries in which they rise, Irish ones in Ireland and Ulster; no others come there."""
    origin, to = risen_at(origin_of(cmd)), risen_at(goal_of(cmd))
    kind = origin or to
    # What shuts Persia to all others has a clause of its own.
    clause = "88.62" if kind == "persian" and not origin else RISINGS[kind].clause
    told = f"{kind.title()} partisans, and no others, operate in {_lands(kind)}"
    return None if to == origin else Refusal(clause, told)


def _partisans_attack(s: State, cmd: ReportOperation) -> str:
    """Which partisans attack, if any do, and no regular units beside them; Irish ones may be named."""
    if cmd.branch != "ground" or cmd.mission not in ("attack", "attrition") or not (cmd.at and cmd.origin):
        return ""
    kind, ours = risen_at(cmd.origin), [it for it in units_at(s, cmd.origin) if it.nation == cmd.nation]
    risen = [it for it in ours if it.branch == PARTISAN]
    if kind == IRISH and side_of(s, cmd.nation) not in ("axis", "ireland"):
        return ""
    return kind if risen and (len(risen) == len(ours) or (kind == IRISH and cmd.unit == PARTISAN)) else ""


def _beyond(cmd: ReportOperation) -> str | None:
    kind = risen_at(cmd.origin)
    if risen_at(cmd.at) == kind:
        return None
    return f"{kind.title()} partisans operate in {_lands(kind)}; {place_called(cmd.at)} lies beyond"


@limit(
    "88.33",
    on=ReportOperation,
    when=lambda s, cmd: _partisans_attack(s, cmd) in UNREST,
    by=lambda s, cmd: _clause_at(cmd.origin),
    displaces=attack_out_of_neutral,
    also=CLAUSES[1:],
)
def partisans_attack_at_home(s: State, cmd: ReportOperation) -> str | None:
    """Partisans of Moslem Unrest attack in and out of the countries in which they rise, neutral or not."""
    return _beyond(cmd)


@limit(
    "87.23",
    on=ReportOperation,
    when=lambda s, cmd: _partisans_attack(s, cmd) == IRISH,
    displaces=(attack_out_of_neutral, ground_is_open, neutrals_attack_nobody),
)
def partisans_attack_in_ireland(s: State, cmd: ReportOperation) -> str | None:
    """Irish partisans attack in Ireland and into Ulster, whoever is at war with Ireland."""
    return _beyond(cmd)


# -- Ireland alone ------------------------------------------------------------------------------------------------


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
    around = ulster() | {it for key in ulster() for it in neighbours(key)}
    return sum(it.count for it in irish_partisan_stacks(s) if it.place in around)


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
