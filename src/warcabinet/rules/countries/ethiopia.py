"""Ethiopia: how units come and go, what they may not do there, and how it is conquered (88.4)."""

from __future__ import annotations

from warcabinet.board import supply as board_supply
from warcabinet.board.maps import europe
from warcabinet.board.names import areas as board_areas
from warcabinet.board.names import with_role
from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.economy import ReportConquest
from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportParticipation, ReportUnits
from warcabinet.model.commands.politics import ReportControl, ReportStatus
from warcabinet.model.events import Closed, ControlChanged, PowerChanged, UnitsMoved
from warcabinet.model.happenings import CameInto, WentBetween, WentFrom, WentTo, deeds, sum_of
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At
from warcabinet.model.places import Place, board_of, holder, keys_of
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.rules.common import pieces
from warcabinet.rules.common.books import keeps_transports, transports_of
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.common.waiting import goal_of, origin_of
from warcabinet.rules.common.war_and_peace import at_war, went_to_war
from warcabinet.rules.common.ways import GROUND, NR, SR, Way, branch_of, ground_in, joined_by_land, named, no_way
from warcabinet.rules.countries.egypt import canal_open, ethiopia_fallen
from warcabinet.rules.kinds import definition, due, effect, limit, value
from warcabinet.rules.minors.building import supplied_hex
from warcabinet.rules.minors.results import conquest_stays, fallen_by_capital
from warcabinet.rules.minors.status import change_status
from warcabinet.rules.minors.voyages import (
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

#: The Egyptian hexes on the southern edge of the board.
EDGE = board_areas()["egyptian_south_edge"].keys
#: What Indian Ocean transports join to the box (88.36, 88.54).
BY_INDIAN_OCEAN = (SUEZ, BASRA, ABADAN, SOUTH_AFRICA, INDIA, AUSTRALIA)


def _entering(cmd: MoveUnits) -> bool:
    return cmd.to == ETHIOPIA


@definition("88.37A", "The Axis may redeploy a ground unit through the canal to Ethiopia")
def axis_reinforces_by_canal(s: State, nation: str) -> bool:
    if nation == "italy" and not went_to_war(s, "italy", "britain"):
        return True
    # A Britain that has surrendered is out of the war until it reenters it, whether or not a peace was reported.
    return s.powers["britain"].surrendered and canal_open(s, "germany")


@definition("88.422", "The Western Allies are, or were, at war with Italy")
def west_fights_italy(s: State) -> bool:
    return any(went_to_war(s, "italy", it) for it in ("britain", "france", "usa"))


# -- what is against a way, at its other end ----------------------------------------------------------------------


def redeployed(s: State, side: str, how: str) -> int:
    """Units that a side has redeployed to or from Ethiopia in this game turn, in one manner."""
    came = [(it.nation, count) for it, count in deeds(s, WentTo, "turn") if (it.how, it.to) == (how, ETHIOPIA)]
    left = [(it.nation, count) for it, count in deeds(s, WentFrom, "turn") if (it.how, it.origin) == (how, ETHIOPIA)]
    return sum(count for nation, count in came + left if pieces.side_of(s, nation) == side)


def by_south_africa(s: State) -> int:
    """Units that the Western Allies have redeployed strategically between South Africa and Ethiopia in this turn."""
    went = ((it, n) for it, n in deeds(s, WentBetween, "turn") if {it.origin, it.to} == {SOUTH_AFRICA, ETHIOPIA})
    return sum(count for it, count in went if it.how == SR and pieces.side_of(s, it.nation) == WEST)


def _one_a_turn(cmd: MoveUnits, done: int) -> str | None:
    return "one ground unit a turn goes that way" if done + cmd.count > 1 else None


def _by_canal(s: State, cmd: MoveUnits, place: Place) -> Refusal | str | None:
    """Through the canal Italy reinforces Ethiopia before its war with Britain, the Axis after a British surrender."""
    if not axis_reinforces_by_canal(s, cmd.nation):
        told = "the canal is closed to the Axis, unless Britain has surrendered and they control it"
        return Refusal("88.37A", told) if _entering(cmd) else told
    if place != SUEZ and (beyond_canal(place) or place == SOUTH_AFRICA):
        return f"the Axis redeploy through the Suez canal; {named(place)} lies behind it"
    return _one_a_turn(cmd, redeployed(s, AXIS, NR))


def _over_edge(s: State, cmd: MoveUnits, place: Place) -> str | None:
    """What is against passing the southern edge of the board: no hex there is held, or no land leads to one."""
    side = pieces.side_of(s, cmd.nation)
    # What Wafdists hold is lost to the Western Allies; that it serves the Axis the clause does not say.
    kept = (key for key in EDGE if side == AXIS or not pieces.held_by_partisans(s, key))
    held = tuple(key for key in kept if pieces.faction(s, holder(s, key)) == side)
    if not held:
        return f"{'the Axis' if side == AXIS else 'the Western Allies'} control none of NN27 to NN30"
    if board_of(place) != "europe" or not joined_by_land(s, cmd.nation, place, held):
        return f"no friendly land leads from {named(place)} to those of NN27 to NN30 that are held"
    elsewhere = by_south_africa(s) if side == WEST else 0
    return _one_a_turn(cmd, redeployed(s, side, SR) - elsewhere)


def _by_transport(s: State, cmd: MoveUnits, place: Place) -> str | None:
    # Into and out of the Mediterranean they go by way of Suez, by a clause of its own (88.36); ports of the Pacific
    # board, such as Calcutta, no clause shuts off.
    if place not in BY_INDIAN_OCEAN and not mediterranean(place) and board_of(place) != "pacific":
        return f"{named(place)} is not on the Indian Ocean, as Suez, Basra, Abadan and three more boxes are"
    # A table that does not keep count of its transports sees to them itself.
    wanting = keeps_transports(s, "indian_ocean") and not transports_of(s, "indian_ocean")
    return "there are no Indian Ocean transports" if wanting else None


def _strategically(s: State, cmd: MoveUnits, place: Place) -> Refusal | str | None:
    """One Western unit a turn goes over the edge, and one between Ethiopia and the South Africa box."""
    if place != SOUTH_AFRICA:
        return _over_edge(s, cmd, place)
    told = _one_a_turn(cmd, by_south_africa(s))
    return Refusal("88.422C", told) if told else None


#: The ways to and from Ethiopia, by side.
WAYS = {
    AXIS: (Way("421A", (GROUND,), (NR,), _by_canal), Way("421B", (GROUND,), (SR,), _over_edge)),
    WEST: (Way("422A", (GROUND,), (NR,), _by_transport), Way("422B", (GROUND,), (SR,), _strategically)),
}


@limit(
    "88.42",
    on=MoveUnits,
    covers=(
        *("88.37A", "88.421", "88.421A", "88.421B", "88.422", "88.422A", "88.422B", "88.422C"),
        *("88.423A", "88.423C", "88.423D"),
    ),
    when=lambda s, cmd: ETHIOPIA in (cmd.to, cmd.from_),
)
def ways_to_ethiopia(s: State, cmd: MoveUnits) -> Refusal | None:
    """Ground units enter and leave Ethiopia by redeployment alone, by ways that are open to their side."""
    return (
        _no_redeployment(s, cmd) or _shut(s, cmd) or no_way(s, cmd, WAYS[pieces.side_of(s, cmd.nation)], ETHIOPIA, "88")
    )


def _no_redeployment(s: State, cmd: MoveUnits) -> Refusal | None:
    if _entering(cmd) and branch_of(cmd.unit) != GROUND:
        return Refusal("88.423A", f"{cmd.unit}: only ground units enter the Ethiopia box")
    if cmd.how not in (NR, SR):
        told = f"Ethiopia is entered and left by naval or strategic redeployment, not by {cmd.how}"
        return Refusal("88.423C", told, also=("88.42",))
    if s.place.step.name != "redeployment":
        told = "Ethiopia is entered and left only in the redeployment phase"
        return Refusal("88.423C", told, also=("88.42",))
    return None


def _shut(s: State, cmd: MoveUnits) -> Refusal | None:
    """Why a nation's units do not enter Ethiopia, or leave it, by whichever way."""
    side = pieces.side_of(s, cmd.nation)
    if side not in WAYS:
        return Refusal("88.42", f"{called(cmd.nation)} has no way to Ethiopia")
    if side == AXIS and ethiopia_fallen(s):
        return Refusal("88.421", "the Western Allies have conquered Ethiopia")
    if cmd.nation == "italy" and not _entering(cmd) and not went_to_war(s, "italy", "britain"):
        also = ("88.421B",) if cmd.how == SR else ()
        return Refusal("88.421A", "Italian units stay in Ethiopia until Italy and Britain are at war", also=also)
    if side == WEST and not west_fights_italy(s):
        return Refusal("88.423D", "the Western Allies are not at war with Italy", also=("88.422",))
    # Before its own war the U.S. is none of them.
    if pieces.patron(s, cmd.nation) == "usa" and not any(went_to_war(s, "usa", it) for it in ("italy", "germany")):
        return Refusal("88.423D", "the U.S. is not at war with Italy", also=("88.422",))
    return None


@limit("88.423B", on=MoveUnits, when=lambda s, cmd: cmd.from_ == ETHIOPIA)
def not_in_and_out(s: State, cmd: MoveUnits) -> Bound:
    """What came into Ethiopia in this phase does not leave it in the same."""
    came = sum_of(s, CameInto(ETHIOPIA, cmd.nation, cmd.unit), "phase")
    there = pieces.standing_at(s, cmd.nation, ETHIOPIA, cmd.unit)
    return Bound("count", most=max(0, there - came), text="units that were in Ethiopia as the phase began")


# -- what is reported ---------------------------------------------------------------------------------------------

Reported = ReportMove | ReportUnits | Build | ReportLoss
REPORTED: tuple[type[Reported], ...] = (ReportMove, ReportUnits, Build, ReportLoss)


@limit("88.423C", on=REPORTED, when=lambda s, cmd: ETHIOPIA in (origin_of(cmd), goal_of(cmd)))
def ethiopia_by_order(s: State, cmd: Reported) -> Refusal:
    """Units appear in Ethiopia, or leave it, only by the order to redeploy, and are not given up there."""
    if isinstance(cmd, ReportLoss) or (isinstance(cmd, ReportUnits) and cmd.lost):
        return Refusal("88.424", "nobody fights in Ethiopia, and units there are not given up")
    told = "units enter and leave Ethiopia by the order move, as naval or strategic redeployment"
    return Refusal("88.423C", told, also=("88.42",))


def _fights_there(cmd: ReportOperation | ReportParticipation) -> bool:
    """Whether somebody fights in the box, or attacks the country that is named; ships that it concerns are at sea."""
    if isinstance(cmd, ReportParticipation):
        return cmd.area == "ethiopia" and cmd.how in ("offensive operations", "attrition")
    if cmd.mission == "sea escort":
        return False
    attacks = cmd.mission in ("attack", "attrition", "bombing") and cmd.branch != "naval"
    against = attacks and not cmd.at and cmd.country == "ethiopia"
    return against or ETHIOPIA in (cmd.at, cmd.origin)


@limit("88.44", on=(ReportOperation, ReportParticipation), when=lambda s, cmd: _fights_there(cmd))
def no_combat(s: State, cmd: ReportOperation | ReportParticipation) -> str:
    """There is no combat in the Ethiopia box, and nobody takes part in its conquest by fighting there."""
    return "offensive and attrition combat are prohibited in Ethiopia"


# -- supply, and Africa -------------------------------------------------------------------------------------------


@definition(
    "88.45",
    displaces=supplied_hex,
    when=lambda s, nation, country, place: place == ETHIOPIA and pieces.side_of(s, nation) in (AXIS, WEST),
)
def supplied_in_ethiopia(s: State, nation: str, country: str, place: Place) -> bool:
    """Axis and Western Allied ground units in Ethiopia are in unlimited supply."""
    return True


@definition("88.46", "A place is in Africa, for diplomatic die rolls and the surrender of Italy")
def in_africa(s: State, place: Place) -> bool:
    if place == ETHIOPIA:
        note("ethiopia_counts", "88.46", True, place)
    return place == ETHIOPIA or place in board_areas()["africa"].keys


@value("88.46", "Axis ground units in Africa, those in Ethiopia included")
def axis_units_in_africa(s: State) -> int:
    there = (it for it in s.pieces.stacks() if it.branch == "ground" and pieces.side_of(s, it.nation) == AXIS)
    return sum(it.count for it in there if in_africa(s, it.place))


# -- conquest -----------------------------------------------------------------------------------------------------

#: Who holds a box that belongs to neither side.
NOBODY = "nobody"
OUTNUMBERED_NO_MORE = "the Western Allies no longer have twice the factors of the Axis"


@value("88.43", "A side's ground factors in Ethiopia")
def factors_in_ethiopia(s: State, side: str) -> int:
    return sum(it.factors for it in ground_in(s, "ethiopia", side) if not _out_of_the_war(s, it.nation))


def _out_of_the_war(s: State, nation: str) -> bool:
    """Whether units are those of a power that has surrendered, and so has left the war: they conquer nothing.

    Commonwealth units that such a Britain leaves are lent to a U.S. that is at war (70.26), and fight on.
    """
    if nation in COMMONWEALTH_BOXES and any(at_war(s, "usa", it) for it in ("germany", "italy")):
        return False
    power = pieces.patron(s, nation)
    return power in powers() and s.powers[power].surrendered


@definition("88.43", "The Western Allies have at least twice the ground factors of the Axis in Ethiopia (R-0059)")
def twice_the_factors(s: State) -> bool:
    ours, theirs = factors_in_ethiopia(s, WEST), factors_in_ethiopia(s, AXIS)
    return west_fights_italy(s) and ours > 0 and ours >= 2 * theirs


def leader(s: State) -> str:
    """The Western power that takes Ethiopia: the senior one with ground units there."""
    there = {pieces.patron(s, it.nation) for it in ground_in(s, "ethiopia", WEST) if not _out_of_the_war(s, it.nation)}
    return next((it for it in pieces.SENIORITY if it in there), "britain")


@effect("88.43", on=UnitsMoved, when=lambda s, moved: At(ETHIOPIA) in (moved.origin, moved.to))
def watch_ethiopia(p: Proceedings, moved: UnitsMoved) -> None:
    """Two to one in Ethiopia sets a term; it lapses when the Axis are stronger again."""
    p.run(first_to_enter if holder(p.s, ETHIOPIA) == NOBODY else reckon_ethiopia)


@effect("88.43")
def reckon_ethiopia(p: Proceedings) -> None:
    """The term of Ethiopia's surrender is set or lifted by the ground factors there, as each player turn ends."""
    if pieces.faction(p.s, holder(p.s, ETHIOPIA)) != AXIS:
        return
    pending = promised(p.s, ethiopia_falls)
    if not twice_the_factors(p.s):
        for it in pending:
            p.do(Closed(it.id, "averted", OUTNUMBERED_NO_MORE))
    elif not pending:
        # The Axis player turn that follows the next complete game turn.
        when = calendar.moment(p.s.turn + 2, calendar.step_index("axis", "end of player turn"))
        promise(p, ethiopia_falls, when, leader(p.s), "ethiopia")


@due("88.43", averted_by="more than half the Western Allied ground factors in Ethiopia before then")
def ethiopia_falls(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """Ethiopia surrenders to the Western Allies."""
    if not twice_the_factors(p.s):
        return OUTNUMBERED_NO_MORE
    p.run(conquer_ethiopia, leader(p.s))
    return None


@definition("88.43A", "A line runs from Egypt over its southern edge to the Axis units in Ethiopia")
def supplied_over_edge(s: State) -> bool:
    """By land from a supply source that the Axis hold in Africa; a line over the sea is for the referee to see."""
    board = europe()
    sources = [place.key for place in (*with_role("supply_limited"), *with_role("supply_unlimited"))]
    held = [key for key in sources if key.startswith("europe/") and pieces.friendly(s, key, AXIS)]
    ours = [key for key in EDGE if pieces.friendly(s, key, AXIS)]
    line = board_supply.trace(board, held, ours, passable(s, board, "germany")) if held and ours else None
    note("line", "88.43A", "open" if line else "cut", "ethiopia", text=", ".join(line.path) if line else "")
    return bool(line)


@effect("88.43", "Ethiopia is conquered: its control passes, and the Axis units there are lost", covers=("88.43A",))
def conquer_ethiopia(p: Proceedings, by: str) -> None:
    lapse(p, "ethiopia", "Ethiopia has fallen", ethiopia_falls)
    change_status(
        p, "ethiopia", "conquered", by, "88.43", "twice the ground factors of the Axis, or more than they had left"
    )
    p.do(ControlChanged((ETHIOPIA,), by))
    p.run(axis_units_lost)


@effect("88.43A")
def axis_units_lost(p: Proceedings) -> None:
    """Axis units in Ethiopia leave the force pools, unless a line over Egypt's southern edge supplied them."""
    supplied = supplied_over_edge(p.s)
    for stack in tuple(ground_in(p.s, "ethiopia", AXIS)):
        pieces.eliminate(p, stack, stack.count, for_good=not supplied)


# -- Italy surrenders ---------------------------------------------------------------------------------------------


@effect(
    "88.431",
    on=PowerChanged,
    when=lambda s, changed: changed.power == "italy" and changed.surrendered is True and holder(s, ETHIOPIA) == "italy",
)
def italy_leaves_ethiopia(p: Proceedings, changed: PowerChanged) -> None:
    """When Italy surrenders, who has the more ground factors in Ethiopia holds it, once the Italians are gone."""
    for stack in tuple(ground_in(p.s, "ethiopia", AXIS)):
        if stack.nation == "italy":
            pieces.eliminate(p, stack, stack.count, for_good=True)
    if ethiopia_fallen(p.s):
        return
    axis, west = factors_in_ethiopia(p.s, AXIS), factors_in_ethiopia(p.s, WEST)
    if west > axis:
        p.run(conquer_ethiopia, leader(p.s))
        return
    lapse(p, "ethiopia", "Italy surrendered", ethiopia_falls)
    told = "Germany has the units there" if axis else "nobody has units there"
    change_status(p, "ethiopia", "conquered", "germany" if axis else "", "88.431", f"Italy surrendered, {told}")
    p.do(ControlChanged((ETHIOPIA,), "germany" if axis else NOBODY))


@effect("88.431", "Ethiopia that belongs to nobody is the first side's that moves a unit in")
def first_to_enter(p: Proceedings) -> None:
    there = {pieces.patron(p.s, it.nation) for side in WAYS for it in ground_in(p.s, "ethiopia", side)}
    by = next((it for it in pieces.SENIORITY if it in there), "")
    if by:
        change_status(p, "ethiopia", "conquered", by, "88.431", "the first to move a unit in")
        p.do(ControlChanged((ETHIOPIA,), by))


# -- it is not simply reported ------------------------------------------------------------------------------------

Fallen = ReportControl | ReportStatus | ReportConquest


def _for_axis(s: State, cmd: Fallen) -> bool:
    if isinstance(cmd, ReportStatus):
        return cmd.status == "colony" or pieces.faction(s, cmd.power) == AXIS
    return pieces.faction(s, cmd.by) == AXIS


def _of_ethiopia(s: State, cmd: Fallen) -> bool:
    if isinstance(cmd, ReportControl):
        return ETHIOPIA in keys_of(cmd.places)
    if isinstance(cmd, ReportConquest):
        return cmd.area == "ethiopia"
    return cmd.country == "ethiopia" and (cmd.status == "conquered" or (ethiopia_fallen(s) and _for_axis(s, cmd)))


@limit(
    "88.43",
    on=(ReportControl, ReportStatus, ReportConquest),
    displaces=(fallen_by_capital, conquest_stays),
    when=_of_ethiopia,
)
def not_taken_by_report(s: State, cmd: Fallen) -> Refusal:
    """Ethiopia falls by factors and time, not by report, and never back to the Axis."""
    lost = ethiopia_fallen(s) or not isinstance(cmd, ReportStatus)
    if lost and _for_axis(s, cmd):
        return Refusal("88.432", "Ethiopia may not be reconquered by the Axis")
    told = "Ethiopia falls to twice the ground factors of the Axis, held for a game turn and the next Axis player turn"
    return Refusal("88.43", told)
