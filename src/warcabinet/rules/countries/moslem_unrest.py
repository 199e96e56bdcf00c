"""Moslem Unrest: Wafdist, Arab and Persian partisans, which Germany builds and operates (88.33, 88.57, 88.63)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.middle_east import ReportUnrest
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called
from warcabinet.model.pieces import At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import units_at, units_in
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.waiting import goal_of, origin_of, units_going
from warcabinet.rules.kinds import effect, limit, order, remembered, value
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.operations import attack_out_of_neutral
from warcabinet.rules.minors.partisans import built_within_table, most_partisans, partisans_within_table

#: Who rises where, and by which clause.
RISE = {
    "wafdist": ("88.33", ("egypt",)),
    "arab": ("88.57", ("iraq", "kuwait", "palestine", "transjordan", "lebanon_syria", "arabia")),
    "persian": ("88.63", ("persia",)),
}
CLAUSES = tuple(clause for clause, _ in RISE.values())
ALSO = CLAUSES[1:]
MOST = 2
BUILT = "partisans built"


def risen_at(place: str) -> str:
    """Which partisans of Moslem Unrest rise at a place, if any do."""
    country = land(place_key(place))[0]
    return next((it for it, (_, where) in RISE.items() if country in where), "")


def _noted(partisans: str) -> None:
    note("partisans", RISE[partisans][0], partisans)


@remembered("88.33", "How many partisans Moslem Unrest results have put into a force pool", covers=CLAUSES)
def unrest_pool(s: State, partisans: str) -> int:
    _noted(partisans)
    return 0


@value("88.33", "Partisans of a force pool that are on the board", covers=CLAUSES)
def partisans_risen(s: State, partisans: str) -> int:
    _noted(partisans)
    there = (it for country in RISE[partisans][1] for it in units_in(s, country))
    return sum(it.count for it in there if it.branch == "partisan")


@value("88.33", "How many more partisans may rise: what the force pool has left", covers=CLAUSES)
def unrest_left(s: State, partisans: str) -> int:
    return max(0, min(MOST, unrest_pool(s, partisans)) - partisans_risen(s, partisans))


@order("88.33", "A Moslem Unrest result creates or expands a force pool of partisans", on=ReportUnrest)
def report_unrest(p: Proceedings, cmd: ReportUnrest) -> None:
    clause = RISE[cmd.partisans][0]
    grown = unrest_pool(p.s, cmd.partisans) + cmd.count
    unrest_pool.under(clause).note(p, grown, "Moslem Unrest", cmd.partisans)


@limit("88.33", "No force pool of Moslem Unrest has more than two partisans", on=ReportUnrest)
def two_partisans_in_pool(s: State, cmd: ReportUnrest) -> Bound:
    return Bound("count", most=MOST - unrest_pool(s, cmd.partisans), text="two partisans at most")


@limit("88.57", on=ReportUnrest, displaces=two_partisans_in_pool, when=lambda s, cmd: cmd.partisans == "arab")
def two_arabs_in_pool(s: State, cmd: ReportUnrest) -> Finding:
    """The Arab force pool has no more than two partisans, for its six countries together."""
    return two_partisans_in_pool(s, cmd)


@limit("88.63", on=ReportUnrest, displaces=two_partisans_in_pool, when=lambda s, cmd: cmd.partisans == "persian")
def two_persians_in_pool(s: State, cmd: ReportUnrest) -> Finding:
    """The Persian force pool has no more than two partisans."""
    return two_partisans_in_pool(s, cmd)


def why_none_rises(s: State, partisans: str, place: str) -> str:
    """Why Germany may not build one of these partisans at a place now; nothing if it may."""
    if risen_at(place) != partisans:
        return f"{partisans} partisans rise in {_lands(partisans)}"
    if not unrest_left(s, partisans):
        return f"no {partisans} partisan is left in the force pool: Moslem Unrest results bring at most {MOST}"
    return "one has been built this turn" if total(s, BUILT, partisans, "turn") else ""


@limit(
    "88.33",
    on=ReportUnits,
    displaces=partisans_within_table,
    also=ALSO,
    when=lambda s, cmd: cmd.count > 0 and parse_unit(cmd.unit)[0].branch == "partisan" and bool(risen_at(cmd.at)),
)
def partisans_within_pool(s: State, cmd: ReportUnits) -> Refusal | None:
    """No partisans appear in the Middle East but those that Moslem Unrest brought."""
    kind = risen_at(cmd.at)
    reason = why_none_rises(s, kind, cmd.at)
    if cmd.nation != "germany":
        reason = f"{kind} partisans are Germany's"
    elif cmd.count > 1:
        reason = f"one {kind} partisan a turn is built (build_partisan)"
    return Refusal(RISE[kind][0], reason) if reason else None


def _rise_by_no_table(s: State, cmd: Build) -> bool:
    """Whether German partisans are to be built where the table gives the Axis none, or where they have an order."""
    if cmd.power != "germany" or "partisan" not in counted(cmd.units):
        return False
    return bool(risen_at(cmd.at)) or not most_partisans(s, land(place_key(cmd.at))[0], "axis")


@limit("88.33", on=Build, also=ALSO, displaces=built_within_table, when=_rise_by_no_table)
def partisans_by_their_own_order(s: State, cmd: Build) -> Refusal | None:
    """Lost partisans of Moslem Unrest are built by an order of their own, not from the force pool as other units."""
    kind = risen_at(cmd.at)
    if kind:
        return Refusal(RISE[kind][0], f"{kind} partisans are built one a turn, by the order build_partisan")
    return Refusal("88.33", f"no German partisans rise in {cmd.at}")


@effect(
    "88.33",
    on=UnitsMoved,
    covers=CLAUSES,
    when=lambda s, moved: (
        moved.unit == "partisan"
        and isinstance(moved.to, At)
        and not isinstance(moved.origin, At)
        and bool(risen_at(moved.to.place))
    ),
)
def partisans_have_risen(p: Proceedings, moved: UnitsMoved) -> None:
    """A partisan of Moslem Unrest that appears was built in this turn, by order or by report."""
    kind = risen_at(moved.to.place) if isinstance(moved.to, At) else ""
    p.do(Happened(Happening(p.s.moment, BUILT, kind, moved.count)), RISE[kind][0])


@limit(
    "88.33",
    on=ReportControl,
    also=ALSO,
    when=lambda s, cmd: cmd.partisans and any(risen_at(it) for it in cmd.places or ()),
)
def partisans_take_at_home(s: State, cmd: ReportControl) -> Refusal | None:
    """Places come under partisans where some have risen that operate there."""
    kinds = (risen_at(it) for it in cmd.places)
    wanting = next((it for it in kinds if it and not partisans_risen(s, it)), "")
    refused = unless_excused(cmd, f"no {wanting} partisan is on the board") if wanting else None
    return Refusal(RISE[wanting][0], refused) if refused else None


@limit(
    "88.33",
    on=(MoveUnits, ReportMove),
    also=(*ALSO, "88.62"),
    when=lambda s, cmd: "partisan" in units_going(cmd) and bool(risen_at(origin_of(cmd)) or risen_at(goal_of(cmd))),
)
def partisans_stay(s: State, cmd: MoveUnits | ReportMove) -> Refusal | None:
    """Partisans of Moslem Unrest stay in the countries in which they rise; no others come there."""
    origin, to = risen_at(origin_of(cmd)), risen_at(goal_of(cmd))
    if to == origin:
        return None
    kind = origin or to
    # What shuts Persia to all others has a clause of its own.
    clause = "88.62" if kind == "persian" and not origin else RISE[kind][0]
    return Refusal(clause, f"{kind} partisans, and no others, operate in {_lands(kind)}")


def _lands(kind: str) -> str:
    return ", ".join(map(called, RISE[kind][1]))


def _partisans_attack(s: State, cmd: ReportOperation) -> bool:
    """Whether partisans of Moslem Unrest attack, and no regular units beside them."""
    if cmd.branch != "ground" or cmd.mission not in ("attack", "attrition") or not (cmd.at and cmd.origin):
        return False
    ours = [it for it in units_at(s, place_key(cmd.origin)) if it.nation == cmd.nation]
    return bool(ours) and all(it.branch == "partisan" for it in ours) and bool(risen_at(cmd.origin))


@limit("88.33", on=ReportOperation, displaces=attack_out_of_neutral, also=ALSO, when=_partisans_attack)
def partisans_attack_at_home(s: State, cmd: ReportOperation) -> Refusal | None:
    """Partisans of Moslem Unrest attack in and out of the countries in which they rise, neutral or not, and not
    beyond.
    """
    kind = risen_at(cmd.origin)
    if risen_at(cmd.at) == kind:
        return None
    return Refusal(RISE[kind][0], f"{kind} partisans operate in {_lands(kind)}; {cmd.at} lies beyond")
