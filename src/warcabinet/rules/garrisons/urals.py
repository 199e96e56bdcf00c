"""The Urals box: who enters it and leaves it, when and by which hexes, and what is done there (81.6)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import called, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.units import unit_factors
from warcabinet.rules.common.boxes import (
    NR,
    REDEPLOYMENTS,
    SR,
    TR,
    box_key,
    enters,
    factors,
    ground_beside,
    ground_in,
    leaves,
)
from warcabinet.rules.common.departures import goal_of, nation_of, origin_of
from warcabinet.rules.common.pieces import friendly, patron, units_at
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.ways import AIR, ANY_UNIT, GROUND, NAVAL, Way, branch_of, no_way
from warcabinet.rules.kinds import definition, limit, value

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
        return f"{cmd.to} is in enemy hands: only ground units move there"
    if not urals_gate(s, place) or any(enemy(s, it.nation) for it in units_at(s, place)):
        return f"{cmd.to} is in enemy hands: from the Urals box only vacant hexes beside it are entered"
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
    acts=("enter", "take", "rise"),
    when=lambda s, it: it.at == BOX and it.nation != "russia",
    also=("81.63", "81.68"),
)
def urals_are_russian(s: State, it: Presence) -> Refusal | None:
    """Only Russian units enter the Urals box, and nobody takes it."""
    if it.act != "enter":
        return Refusal("81.68", "the Urals box cannot be taken")
    if enemy(s, it.nation):
        return Refusal("81.634", "neither the European Axis nor Japan enters the Urals box")
    return Refusal("81.63", f"{called(it.nation)}: only Russian units enter the Urals box")


@limit("81.63", on=ReportMove, when=lambda s, cmd: BOX in (place_key(cmd.to), place_key(cmd.origin)))
def urals_by_order(s: State, cmd: ReportMove) -> str | None:
    """Units that enter or leave the Urals box are ordered to, so that it can be seen how."""
    return "units enter and leave the Urals box by the order move"


@limit("81.61", on=Build, when=lambda s, cmd: place_key(cmd.at) == BOX)
def built_by_russia(s: State, cmd: Build) -> str | None:
    """Only Russia builds in the Urals box, which is Russian."""
    return None if cmd.power == "russia" else "the Urals box is part of Russia"


def _between_boards(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Russian units go from one board to the other: the box lies between."""
    if nation_of(cmd) != "russia":
        return False
    return {_board(origin_of(cmd)), _board(goal_of(cmd))} == {"europe", "pacific"}


@limit("81.65", on=(MoveUnits, ReportMove), when=_between_boards)
def through_the_box(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """From board to board Russian units are redeployed through the Urals box; on foot and by air they stop in it."""
    if isinstance(cmd, MoveUnits) and (cmd.how not in REDEPLOYMENTS or cmd.how == NR):
        return f"by {cmd.how} units go as far as the Urals box, and on in a later turn"
    shut = [it for it in ("europe", "pacific") if not _open_gate(s, it, by_rail=True)]
    return f"no hex on the edge of that board leads into the Urals box ({', '.join(shut)})" if shut else None
