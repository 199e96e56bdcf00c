"""The Urals box: who enters and leaves it, when and by which hexes, and fighting in it and beside it (81.6); what the
pages tell of it and of both garrisons.
"""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.economy import ReportBombing
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.events import Happened
from warcabinet.model.names import called, powers
from warcabinet.model.places import holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, total
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import unit_factors
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import friendly, patron, units_at
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import goal_of, nation_of, origin_of
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.common.ways import (
    AIR,
    ANY_UNIT,
    EVERY_MISSION,
    GROUND,
    NAVAL,
    NR,
    REDEPLOYMENTS,
    SR,
    TR,
    Ban,
    Way,
    banned,
    box_key,
    branch_of,
    enters,
    factors,
    ground_beside,
    ground_in,
    leaves,
    no_way,
)
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.spending import construction_sum
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.geography import fronts

URALS = "urals"
BOX = box_key(URALS)
#: The hexes beside the box, and those of them that lie in China: a way in only while Communists or Russians hold them.
GATES = frozenset(box(URALS).hexes("ground"))
CHINESE_GATES = frozenset(key for link in box(URALS).links if link.condition for key in link.keys)
UNLIMITED = "unlimited"
ENEMY = "axis"
EDGE = {"europe": "81.63A", "pacific": "81.63B"}


def enemy(s: State, nation: str) -> bool:
    """Whether a nation belongs to the European Axis or to Japan."""
    leader = patron(s, nation)
    return leader == "japan" or (bool(leader) and s.powers[leader].faction == ENEMY)


# -- the box ------------------------------------------------------------------------------------------------------


@definition("81.61", "A place is Russian territory that is on neither board: the Urals box")
def beyond_the_boards(s: State, place: str) -> bool:
    return place_key(place) == BOX


@value("81.62", "How many air units may base in the Urals box, by nation")
def urals_basing(s: State, nation: str) -> str:
    return UNLIMITED if nation == "russia" else "none"


def _board(key: str) -> str:
    return key.partition("/")[0]


@definition("81.63", covers=("81.63A", "81.63B"))
def urals_gate(s: State, place: str) -> bool:
    """A hex is a way in and out of the Urals box: the Russian edge of Europe; that of Asia, with Communist China's."""
    key = place_key(place)
    if key not in GATES:
        return False
    note("edge", "81.63A" if _board(key) == "europe" else "81.63B", _board(key), place)
    return key not in CHINESE_GATES or holder(s, key) in ("communist_china", "russia")


def _open_gate(s: State, board: str, by_rail: bool) -> bool:
    """Whether units can pass a hex of a board's edge: by rail and air a friendly one, on foot one without enemies."""
    for key in GATES:
        if _board(key) != board or not urals_gate(s, key):
            continue
        if friendly(s, key, s.powers["russia"].faction) or holder(s, key) == "communist_china":
            return True
        if not by_rail and not any(enemy(s, it.nation) for it in units_at(s, key)):
            return True
    return False


@value("81.65", "Russian ground factors in the Urals box")
def russian_factors(s: State) -> int:
    return factors(it for it in ground_in(s, URALS, s.powers["russia"].faction))


@value("81.65", "European Axis and Japanese ground factors beside the Urals box, on both boards")
def factors_beside(s: State) -> int:
    hostile = {it.nation for it in s.pieces.among(GATES) if enemy(s, it.nation)}
    return factors(it for it in ground_beside(s, URALS, hostile) if urals_gate(s, it.place))


def _hostile_hex(s: State, key: str) -> bool:
    held_by = holder(s, key)
    return held_by in powers() and s.powers[held_by].faction != s.powers["russia"].faction and enemy(s, held_by)


# -- ways in and out ----------------------------------------------------------------------------------------------


def _through(s: State, cmd: MoveUnits, place: str) -> Refusal | None:
    """What is against passing between a board and the box: no hex of that board's edge is open."""
    board = _board(place)
    if board not in EDGE:
        return Refusal("81.63", "the Urals box is joined to the edges of the two boards, and to no other box")
    if _open_gate(s, board, by_rail=cmd.how not in ("movement", "exploitation")):
        return None
    clause = EDGE[board] if enters(cmd, URALS) else "81.65"
    return Refusal(clause, f"no hex on the edge of that board leads into the Urals box ({board})")


def _onto_the_board(s: State, cmd: MoveUnits, place: str) -> Refusal | str | None:
    """What is against leaving the box; vacant enemy hexes beside it are entered by movement (R-0079)."""
    if place.startswith("box/") or not _hostile_hex(s, place):
        return _through(s, cmd, place)
    if branch_of(cmd.unit) != GROUND or cmd.how != "movement":
        return f"{place_called(cmd.to)} is in enemy hands: only ground units move there"
    if not urals_gate(s, place) or any(enemy(s, it.nation) for it in units_at(s, place)):
        return f"{place_called(cmd.to)} is in enemy hands: from the Urals box only vacant hexes beside it are entered"
    left, beside = russian_factors(s) - cmd.count * unit_factors(cmd.unit), factors_beside(s)
    told = f"{left} Russian ground factors would be left in the box, {beside} of the enemy beside it"
    return told if left < beside else None


BY_RAIL = ("redeployment", TR, SR)
WAYS_IN = (
    Way("631A", (GROUND,), ("movement",), _through, "movement"),
    Way("631B", (AIR,), ("staging",), _through, "movement"),
    Way("632A", ("armor",), ("exploitation",), _through, shuts=("exploitation",)),
    Way("633A", (GROUND, AIR), BY_RAIL, _through),
    Way("63", (NAVAL,), (), told="no way leads ships into the Urals box"),
)
WAYS_OUT = (
    Way("65", (GROUND,), ("movement",), _onto_the_board, "movement"),
    Way("65", (AIR,), ("staging",), _onto_the_board, "movement"),
    Way("65", (GROUND, AIR), BY_RAIL, _onto_the_board),
    Way("68", ANY_UNIT, (), shuts=("advance",), told="no hex is captured by an advance from the Urals box"),
)


@limit(
    "81.63",
    on=MoveUnits,
    also=("81.63A", "81.63B", "81.631A", "81.631B", "81.632A", "81.633A", "81.65", "81.68"),
    when=lambda s, cmd: cmd.nation == "russia" and (enters(cmd, URALS) or leaves(cmd, URALS)),
)
def urals_has_ways(s: State, cmd: MoveUnits) -> Refusal | None:
    """Russian units enter the Urals box and leave it by the ways that lead there."""
    into = enters(cmd, URALS)
    if into and s.place.step.name == "redeployment" and cmd.how not in BY_RAIL:
        return Refusal("81.633A", f"the Urals box is entered by tactical or strategic redeployment, not by {cmd.how}")
    return no_way(s, cmd, WAYS_IN if into else WAYS_OUT, BOX, "81")


@barred(
    "81.634",
    acts=("enter", "take", "rise", "build"),
    when=lambda s, it: it.at == BOX and it.nation != "russia",
    also=("81.61", "81.63", "81.68"),
)
def urals_are_russian(s: State, it: Presence) -> Refusal | None:
    """Only Russian units enter the Urals box or are built in it, and nobody takes it."""
    if it.act == "build":
        return Refusal("81.61", "the Urals box is part of Russia")
    if it.act != "enter":
        return Refusal("81.68", "the Urals box cannot be taken")
    if enemy(s, it.nation):
        return Refusal("81.634", "neither the European Axis nor Japan enters the Urals box")
    return Refusal("81.63", f"{called(it.nation)}: only Russian units enter the Urals box")


@limit("81.63", on=ReportMove, when=lambda s, cmd: BOX in (cmd.to, cmd.origin))
def urals_by_order(s: State, cmd: ReportMove) -> str | None:
    """Units that enter or leave the Urals box are ordered to, so that it can be seen how."""
    return "units enter and leave the Urals box by the order move"


#: Means by which units go over land, or fly: from board to board nothing but the Urals box lies in their way.
OVERLAND = ("movement", "exploitation", "advance", "staging", TR, SR)


def _between_boards(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Russian units, or others over land and by air, go from one board to the other: the box lies between."""
    if {_board(origin_of(cmd)), _board(goal_of(cmd))} != {"europe", "pacific"}:
        return False
    if nation_of(cmd) == "russia":
        return True
    ends = (origin_of(cmd), goal_of(cmd))
    # From the Mediterranean front other boxes lie in the way (88.36).
    northern = any(not {"western", "eastern"}.isdisjoint(fronts(it)) for it in ends if _board(it) == "europe")
    flown = isinstance(cmd, MoveUnits) and cmd.how in OVERLAND and branch_of(cmd.unit) != NAVAL
    return flown and northern and not enemy(s, nation_of(cmd))


@limit("81.65", on=(MoveUnits, ReportMove), when=_between_boards, also=("81.63",))
def through_the_box(s: State, cmd: MoveUnits | ReportMove) -> Refusal | str | None:
    """From board to board Russian units are redeployed through the Urals box; on foot and by air they stop in it."""
    if nation_of(cmd) != "russia":
        return Refusal("81.63", "only Russian units pass through the Urals box from one board to the other")
    if isinstance(cmd, MoveUnits) and (cmd.how not in REDEPLOYMENTS or cmd.how == NR):
        return f"by {cmd.how} units go as far as the Urals box, and on in a later turn"
    shut = [it for it in ("europe", "pacific") if not _open_gate(s, it, by_rail=True)]
    return f"no hex on the edge of that board leads into the Urals box ({', '.join(shut)})" if shut else None


def _far_board(s: State, nation: str) -> str:
    """The board to which no way leads a nation of the European Axis or of Japan (R-3150)."""
    return ("europe" if patron(s, nation) == "japan" else "pacific") if enemy(s, nation) else ""


def _fights_holder(s: State, it: Presence) -> bool:
    """Whether who would take a place is at war with who holds it; else that is what is told."""
    one, other = patron(s, it.nation), patron(s, holder(s, it.at))
    return bool(one and other) and at_war(s, one, other)


@barred(
    "81.634",
    acts=("enter", "take"),
    when=lambda s, it: _board(it.at) == _far_board(s, it.nation) and (it.act == "enter" or _fights_holder(s, it)),
    also=("71.224", "72.224"),
)
def far_board_is_closed(s: State, it: Presence) -> str | None:
    """No way leads the European Axis or Japan from one board to the other: the boxes between are closed (R-3150)."""
    board = _board(it.at)
    stands_there = any(_board(one.place) == board for one in s.pieces.of(it.nation))
    there = _board(it.origin) == board if it.origin else stands_there
    return None if there else f"no way leads {called(it.nation)} to {it.place} from the other board (R-3150)"


def _at(place: str) -> bool:
    return bool(place) and place_key(place) == BOX


@value("81.64", "The front to which the Urals box belongs for a nation's bombing")
def urals_front(s: State, nation: str) -> str:
    return "asian" if patron(s, nation) == "japan" else "eastern"


@definition("81.68")
def one_attrition_zone(s: State, place: str, other: str) -> bool:
    """Two places are in one attrition zone: the Urals box and the hexes beside it, in Europe or in Asia."""
    keys = {place_key(place), place_key(other)}
    return BOX in keys and all(it == BOX or urals_gate(s, it) for it in keys)


def _enemies_beside(s: State, power: str) -> bool:
    nations = {it.nation for it in s.pieces.among(GATES) if patron(s, it.nation) == power}
    return any(urals_gate(s, it.place) for it in ground_beside(s, URALS, nations))


def _beside(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two stands in the box and the other on a hex beside it."""
    both = bool(cmd.at and cmd.origin) and _at(cmd.at) != _at(cmd.origin)
    return both and one_attrition_zone(s, cmd.at, cmd.origin)


BANS = (
    Ban("64", "into", (AIR,), {"attack"}, "air attacks on {box} are prohibited; it may only be bombed"),
    Ban("66", "into", (AIR,), EVERY_MISSION - {"bombing"}, "{box} may only be bombed", to=lambda s, it: it != "russia"),
    Ban("66", "out of", (AIR,), EVERY_MISSION, "air units in {box} fly no missions onto the mapboard"),
    Ban("67", "at", (GROUND,), EVERY_MISSION - {"attrition"}, "ground units do not attack out of {box} or into it"),
    Ban("68", "at", (GROUND,), {"attrition"}, "only units in {box} and on the hexes beside it meet", unless=_beside),
)


@limit(
    "81.67",
    on=ReportOperation,
    also=("81.64", "81.66", "81.68"),
    when=lambda s, cmd: _at(cmd.at) or _at(cmd.origin),
    excusable=True,
)
def fights_at_urals(s: State, cmd: ReportOperation) -> Refusal | None:
    """At the Urals box there are bombing and attrition from beside it, nothing else."""
    return banned(s, cmd, BANS, BOX, "81")


@limit(
    "81.68",
    on=ReportLoss,
    when=lambda s, cmd: _at(cmd.at) and GROUND in map(branch_of, counted(cmd.units)),
)
def attrition_from_beside(s: State, cmd: ReportLoss) -> str | None:
    """Ground units in the Urals box are lost only to attrition by ground units beside it."""
    by = cmd.eliminated_by
    if not by or _enemies_beside(s, by):
        return None
    return f"{called(by)} has no ground units beside the Urals box"


MOST = 15
FOR_ONE = 3
LOST_BESIDE = "lost beside urals"
MEANS = ("bombing", "flying bombs", "rockets")


def on_urals(means: str) -> str:
    """How the happenings call BRPs lost in the box to a means of attack."""
    return f"{means} on {URALS}"


# -- bombing ------------------------------------------------------------------------------------------------------


@limit("81.64", on=ReportBombing, when=lambda s, cmd: cmd.box == URALS)
def bombed_for_russia(s: State, cmd: ReportBombing) -> str | None:
    """What is bombed in the Urals box is Russia's, by an enemy with whom it is at war."""
    if cmd.power != "russia":
        return "in the Urals box Russia is bombed"
    if not any(at_war(s, "russia", it) for it in powers() if enemy(s, it)):
        return "the European Axis and Japan bomb the Urals box, and Russia is at peace with both"
    return "name the box or an area, not both" if cmd.area else None


@value("81.641", "BRPs lost this turn in the Urals box to a means of attack")
def urals_bombed(s: State, means: str) -> int:
    return total(s, on_urals(means), "russia", "turn")


@value("81.641", "What bombing, flying bombs and rockets take from the Russian construction limit this turn (R-0069)")
def bombing_reduction(s: State) -> int:
    way = reading_in_force(s, "R-0069")
    thirds = (urals_bombed(s, "bombing") + urals_bombed(s, "flying bombs")) // FOR_ONE
    if way == "b":
        start = s.since("turn")
        raids = (on_urals("bombing"), on_urals("flying bombs"))
        thirds = sum(it.amount // FOR_ONE for it in s.happenings if it.moment >= start and it.kind in raids)
    return min(MOST, thirds + urals_bombed(s, "rockets"))


# -- units beside it ----------------------------------------------------------------------------------------------


@value("81.71", "Ground factors beside the Urals box of those with whom Russia is at war")
def fighting_beside(s: State) -> int:
    hostile = {it.nation for it in s.pieces.among(GATES) if enemy(s, it.nation) and _fights_russia(s, it.nation)}
    return factors(it for it in ground_beside(s, URALS, hostile) if urals_gate(s, it.place))


def _fights_russia(s: State, nation: str) -> bool:
    """Whether Russia is at war with Japan or, whichever of its powers declared war, with the European Axis."""
    if patron(s, nation) == "japan":
        return at_war(s, "japan", "russia")
    return any(at_war(s, it, "russia") for it in powers() if s.powers[it].faction == ENEMY)


@value("81.71", "BRPs that Russia loses at the end of the Axis combat phase, as units stand; at most 15 a turn")
def loss_beside(s: State) -> int:
    excess = max(0, fighting_beside(s) - russian_factors(s))
    return min(excess, MOST - total(s, LOST_BESIDE, "russia", "turn"))


@effect("81.71", when=lambda s: s.player == "axis" and bool(loss_beside(s)))
def urals_cost_russia(p: Proceedings) -> None:
    """Russia loses a BRP for each enemy ground factor beside the Urals box beyond its own in it."""
    loss = loss_beside(p.s)
    if keeps_brps(p.s, "russia"):
        move_brps(p, "russia", -loss, "enemy units beside the Urals box", Sink("brp", "Urals box"))
    p.do(Happened(Happening(p.s.moment, LOST_BESIDE, "russia", loss)))


@value("81.72", "What enemy units beside the Urals box take from the Russian construction limit this turn (R-0069)")
def beside_reduction(s: State) -> int:
    lost = total(s, LOST_BESIDE, "russia", "turn")
    if reading_in_force(s, "R-0069") == "c":
        bombed = urals_bombed(s, "bombing") + urals_bombed(s, "flying bombs")
        return (lost + bombed % FOR_ONE) // FOR_ONE
    return lost // FOR_ONE


@value("81.72")
def urals_reduction(s: State) -> int:
    """What all causes in and beside the Urals box take from the Russian construction limit: at most 15 a turn."""
    return min(MOST, bombing_reduction(s) + beside_reduction(s))


@value("81.72", adds_to=construction_sum, also=("81.641",), when=lambda s, power: power == "russia" and _suffered(s))
def without_urals(s: State, power: str) -> int:
    """The Russian construction limit falls with what the Urals box suffered."""
    return -urals_reduction(s)


def _suffered(s: State) -> bool:
    return any(happened(s, kind, "russia", "turn") for kind in (LOST_BESIDE, *map(on_urals, MEANS)))


@foresees
def units_beside_will_cost(s: State) -> list[Foreseen]:
    loss = loss_beside(s)
    if not loss or not keeps_brps(s, "russia"):
        return []
    when = next_step_of(s, "germany", "end of combat phase")
    text = "Enemy ground factors beside the Urals box cost a BRP each beyond the Russian ones in it"
    return [
        Foreseen(when, "81.71", text, "russia", "russia", "as many Russian ground factors in the box by then", -loss)
    ]
