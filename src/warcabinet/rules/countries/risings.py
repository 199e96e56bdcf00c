"""Risings: the partisans that Germany builds, Irish ones and those of Moslem Unrest, and Japan's Indian ones (72.93,
87.23, 88.33, 88.57, 88.63). Who rises where, and by which clause, is a row of `RISINGS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from warcabinet.board.maps import europe
from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.middle_east import ReportUnrest
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Happened, UnitsMoved, WarBegan
from warcabinet.model.names import called
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Stack
from warcabinet.model.places import Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted, unbuilt_of
from warcabinet.model.units import Unit, unit_branch, unit_cost
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.pieces import BOUND, eliminate, faction, neighbours, patron, side_of, units_at, units_in
from warcabinet.rules.common.presence import HOSTILE, unless_excused
from warcabinet.rules.common.supply_by_land import armor_zone
from warcabinet.rules.common.waiting import goal_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import declared, declarers, player_of
from warcabinet.rules.countries.western_neutrals import counts_as_ally
from warcabinet.rules.economy.tolls import Toll, toll
from warcabinet.rules.kinds import effect, limit, opening, order, remembered, value
from warcabinet.rules.minors.attack import may_attack_country
from warcabinet.rules.minors.building import within_means
from warcabinet.rules.minors.forces_of_minors import indian_subversion, most_partisans, partisans_within_table
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import ground_is_open
from warcabinet.rules.minors.operations import attack_out_of_neutral, concerned, neutrals_attack_nobody

PARTISAN = Unit("partisan")
IRISH, INDIAN = "irish", "indian"
#: The most partisans that Moslem Unrest puts into one force pool.
MOST = 2


class Rising(NamedTuple):
    """By which clause partisans rise, for which power, in which countries, and what brings them; where else they go."""

    clause: str
    lands: tuple[str, ...]
    brought_by: str = f"Moslem Unrest results bring at most {MOST}"
    power: str = "germany"
    beyond: tuple[str, ...] = ()
    #: Whose partisans there are counted, where others' may stand beside them.
    sides: tuple[str, ...] = ()


RISINGS = {
    IRISH: Rising(
        *("87.23", ("ireland",), "an Allied declaration of war or an 8 brings two, a 7 one, a German one ends them"),
        beyond=("ulster",),
        sides=("axis", "ireland"),
    ),
    "wafdist": Rising("88.33", ("egypt",)),
    "arab": Rising("88.57", ("iraq", "kuwait", "palestine", "transjordan", "lebanon_syria", "arabia")),
    "persian": Rising("88.63", ("persia",)),
    INDIAN: Rising(
        *("72.93A", ("india",), "an Indian subversion result brings two (report_subversion)", "japan"), sides=("japan",)
    ),
}
#: Those of Moslem Unrest, and their clauses.
UNREST = tuple(it for it in RISINGS if it not in (IRISH, INDIAN))
CLAUSES = tuple(RISINGS[it].clause for it in UNREST)
#: The clauses of all but the Irish ones, which are told first.
OTHERS = (*CLAUSES, RISINGS[INDIAN].clause)
#: Under which name it is kept that partisans of each kind were built.
BUILT = {
    **{it: ("built a partisan", RISINGS[it].lands[0]) for it in (IRISH, INDIAN)},
    **{it: ("partisans built", it) for it in UNREST},
}
#: How it is told that one was built, and paid for.
MEMOS = {IRISH: ("partisan built", "partisan at {at}"), INDIAN: ("an Indian partisan rises", "Indian partisan")}
MEMOS |= {"arab": ("an Arab partisan rises", "Arab partisan")}


@cache
def _ground() -> dict[str, str]:
    """The hexes on which partisans of each kind are, by their kind."""
    return {key: kind for kind, it in RISINGS.items() for name in (*it.lands, *it.beyond) for key in home_hexes(name)}


def rises_at(place: Place) -> str:
    """Which partisans rise at a place, or go there, if any do."""
    return _ground().get(place, "")


def risen_at(place: Place) -> str:
    """Which partisans operate at a place and nowhere else; of Indian ones no clause says that."""
    kind = rises_at(place)
    return "" if kind == INDIAN else kind


def unrest_at(place: Place) -> str:
    """Which partisans of Moslem Unrest operate at a place, if any do."""
    kind = rises_at(place)
    return kind if kind in UNREST else ""


def _named(lands: tuple[str, ...]) -> str:
    return ", ".join(called(it).title() for it in lands)


def _lands(kind: str) -> str:
    return _named((*RISINGS[kind].lands, *RISINGS[kind].beyond))


def _noted(partisans: str) -> None:
    note("partisans", RISINGS[partisans].clause, partisans)


# -- how many -----------------------------------------------------------------------------------------------------


def attacked_by_germany(s: State) -> bool:
    return declared(s, "germany", "ireland")


@value("82.61", displaces=most_partisans, when=lambda s, nation, side: nation == "ireland" and side == "axis")
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


def stacks_risen(s: State, partisans: str) -> list[Stack]:
    """Partisans of a kind on the board."""
    lands, sides = (*RISINGS[partisans].lands, *RISINGS[partisans].beyond), RISINGS[partisans].sides
    there = (it for country in lands for it in units_in(s, country) if it.branch == PARTISAN)
    return [it for it in there if not sides or side_of(s, it.nation) in sides]


@value("88.33", "Partisans of a kind that are on the board", covers=(*OTHERS, "87.23"))
def partisans_risen(s: State, partisans: str) -> int:
    _noted(partisans)
    return sum(it.count for it in stacks_risen(s, partisans))


def _most(s: State, kind: str) -> int:
    """The most partisans of a kind that the table or results give."""
    if kind in UNREST:
        return min(MOST, unrest_pool(s, kind))
    return most_partisans(s, RISINGS[kind].lands[0], RISINGS[kind].sides[0])


@value("88.33", "How many more partisans of a kind may rise: what the force pool has left", covers=(*OTHERS, "87.23"))
def partisans_left(s: State, partisans: str) -> int:
    _noted(partisans)
    if partisans == INDIAN and not indian_subversion(s):
        return 0
    most = _most(s, partisans)
    return max(0, most - partisans_risen(s, partisans)) if most else 0


@order("88.33", "A Moslem Unrest result creates or expands a force pool of partisans", on=ReportUnrest)
def report_unrest(p: Proceedings, cmd: ReportUnrest) -> None:
    grown = unrest_pool(p.s, cmd.partisans) + cmd.count
    unrest_pool.under(RISINGS[cmd.partisans].clause).note(p, grown, "Moslem Unrest", cmd.partisans)


@limit("88.33", on=ReportUnrest, also=CLAUSES[1:])
def two_partisans_in_pool(s: State, cmd: ReportUnrest) -> Bound:
    """No force pool of Moslem Unrest has more than two partisans, the Arab one for its six countries together."""
    return Bound("count", most=MOST - unrest_pool(s, cmd.partisans), text="two partisans at most")


# -- the order ----------------------------------------------------------------------------------------------------


def why_none_rises(s: State, kind: str, place: Place) -> str:
    """Why no partisan of a kind may be built at a place now; nothing if one may. Who controls it does not matter."""
    row = RISINGS[kind]
    if rises_at(place) != kind or place in {it for name in row.beyond for it in home_hexes(name)}:
        further = f", though they go to {_named(row.beyond)}" if row.beyond else ""
        return f"{kind.title()} partisans rise in {_named(row.lands)}{further}"
    if kind == IRISH and units_at(s, place):
        return "it is not vacant"
    allied = armor_zone(s, europe(), lambda it: (leader := patron(s, it)) != "" and player_of(leader) == "allied")
    if kind == IRISH and allied & europe().bits((place,)):
        return "it is in an Allied zone of control"
    if not partisans_left(s, kind):
        return f"no {kind.title()} partisan is left: {partisans_risen(s, kind)} are on the board; {row.brought_by}"
    return "one has been built this turn" if total(s, *BUILT[kind], "turn") else ""


def partisans_of(cmd: BuildPartisan) -> str:
    """Which partisans an order is about: those that it names, else those of the place; of no other place Irish ones."""
    return cmd.partisans or rises_at(cmd.at) or IRISH


@order("87.23", "A partisan is built at its normal cost", on=BuildPartisan, phases=("unit construction",), also=OTHERS)
def build_partisan(p: Proceedings, cmd: BuildPartisan) -> None:
    kind, brp = partisans_of(cmd), unit_cost(PARTISAN)
    clause = RISINGS[kind].clause
    # One that was lost, if the force pool has any, else a new one.
    origin = UNBUILT if unbuilt_of(p.s, cmd.power, PARTISAN) else OUT_OF_PLAY
    built, paid = MEMOS.get(kind, (f"a {kind} partisan rises", f"{kind} partisan"))
    p.do(UnitsMoved(cmd.power, PARTISAN, 1, origin, At(cmd.at), built), clause)
    spend_brps(p, cmd.power, brp, "unit construction", paid.format(at=cmd.at), clause=clause, limit=clause)
    if kind not in UNREST:
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
    kind = unrest_at(moved.to.place) if isinstance(moved.to, At) else ""
    p.do(Happened(Happening(p.s.moment, *BUILT[kind], moved.count)), RISINGS[kind].clause)


@opening("87.23", "Hexes in which a partisan may be built now", on=BuildPartisan)
def partisan_hexes(s: State, cmd: BuildPartisan) -> Choice:
    rising = [kind for kind, it in RISINGS.items() if it.power == cmd.power and partisans_left(s, kind)]
    lands = ((kind, key) for kind in rising for name in RISINGS[kind].lands for key in home_hexes(name))
    found = tuple(key for kind, key in lands if not why_none_rises(s, kind, key))
    return Choice("at", found, "no hex is open to a partisan: neither a table nor a result brings one now")


@limit("87.23", on=BuildPartisan, covers=OTHERS)
def partisan_may_rise(s: State, cmd: BuildPartisan) -> Iterator[Refusal]:
    """Germany alone builds Irish partisans and those of Moslem Unrest, Japan alone Indian ones, within its limit.

    They rise in their own countries, so many, one a turn; Irish ones in a vacant hex outside Allied zones.
    """
    kind = partisans_of(cmd)
    clause = RISINGS[kind].clause
    if not cmd.partisans and not rises_at(cmd.at):
        told = f"{place_called(cmd.at)}: no Irish, Moslem or Indian partisans rise there; others are rebuilt (rebuild)"
        return (yield Refusal("82.61", told, also=("87.23",)))
    if cmd.power != RISINGS[kind].power:
        yield Refusal(clause, f"only {called(RISINGS[kind].power)} builds {kind.title()} partisans")
    if reason := why_none_rises(s, kind, cmd.at):
        yield Refusal(clause, f"{place_called(cmd.at)}: {reason}")
    if unpaid := within_means(s, cmd.power, unit_cost(PARTISAN)):
        yield Refusal(clause, unpaid)


# -- other commands -----------------------------------------------------------------------------------------------


def _reported_at(s: State, cmd: ReportUnits) -> str:
    """By which clause partisans rise where some are reported to appear; of Ireland and India those of a side alone."""
    if cmd.count <= 0 or unit_branch(cmd.unit) != PARTISAN:
        return ""
    kind = rises_at(cmd.at)
    among = kind in UNREST or cmd.at in home_hexes("ulster") or (kind and side_of(s, cmd.nation) in RISINGS[kind].sides)
    return RISINGS[kind].clause if among else ""


@limit("87.23", on=ReportUnits, displaces=partisans_within_table, covers=OTHERS, by=_reported_at)
def partisans_are_built(s: State, cmd: ReportUnits) -> str | None:
    """No partisans are reported where some rise but those that may be built there; none appear in Ulster."""
    kind = rises_at(cmd.at)
    by_order = f"{kind.title()} partisans are built one a turn (build_partisan)"
    if kind in UNREST:
        if cmd.nation != RISINGS[kind].power:
            return f"{kind.title()} partisans are Germany's"
        return by_order if cmd.count > 1 else why_none_rises(s, kind, cmd.at) or None
    if cmd.at in home_hexes("ulster"):
        return "Axis partisans are not built in Ulster; build them in Ireland and move them"
    most, there = _most(s, kind), partisans_risen(s, kind)
    if there + cmd.count > most:
        return f"{there} {kind.title()} partisans are on the board, at most {most}"
    return unless_excused(cmd, by_order)


def _rise_by_no_table(s: State, cmd: Build) -> str:
    """By which clause German partisans do not rise as other units: the table gives none, or they have an order."""
    if cmd.power != "germany" or PARTISAN not in counted(cmd.units):
        return ""
    if kind := unrest_at(cmd.at):
        return RISINGS[kind].clause
    return "" if most_partisans(s, land(cmd.at)[0], "axis") else "88.33"


@limit("88.33", on=Build, covers=CLAUSES[1:], displaces=partisans_within_table, by=_rise_by_no_table)
def partisans_by_their_own_order(s: State, cmd: Build) -> str:
    """Lost partisans of Moslem Unrest are built by an order of their own, not from the force pool as other units."""
    kind = unrest_at(cmd.at)
    told = f"{kind.title()} partisans are built one a turn, by the order build_partisan"
    return told if kind else f"no German partisans rise in {place_called(cmd.at)}"


@limit(
    "87.23",
    on=ReportControl,
    covers=CLAUSES,
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
    covers=CLAUSES,
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
    by=lambda s, cmd: RISINGS[risen_at(cmd.origin)].clause,
    displaces=attack_out_of_neutral,
    covers=CLAUSES[1:],
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
    around = {it for key in home_hexes("ulster") for it in (key, *neighbours(key))}
    return sum(it.count for it in stacks_risen(s, IRISH) if it.place in around)


@toll("87.23", ends="allied")
def partisans_cost_britain(s: State) -> Iterator[Toll]:
    """At the end of the Allied combat phase Britain loses a BRP for each Irish partisan in or beside Ulster."""
    text, averted_by = "Irish partisans in or beside Ulster cost a BRP each", "removing them from there by then"
    memo, count = "Irish partisans at Ulster", partisans_at_ulster(s)
    yield Toll("britain", count, "87.23", memo, "partisans", text, "ireland", averted_by)


@effect("87.23", on=WarBegan, when=lambda s, began: "ireland" in began.between and began.declared_by == "germany")
def partisans_disperse(p: Proceedings, began: WarBegan) -> None:
    """A German declaration of war on Ireland ends all Irish partisans for good."""
    for stack in stacks_risen(p.s, IRISH):
        eliminate(p, stack, stack.count, for_good=True)
