"""The Urals box: who enters it and leaves it, when and by which hexes, and what is done there (81.6)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.names import called, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.units import kind_name, parse_unit, unit_factors
from warcabinet.rules.common.boxes import (
    NR,
    REDEPLOYMENTS,
    box_key,
    enters,
    factors,
    ground_beside,
    ground_in,
    leaves,
    other_end,
)
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import friendly, patron, units_at
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.garrisons.departures import goal_of, nation_of, origin_of
from warcabinet.rules.kinds import definition, limit, value

URALS = "urals"
BOX = box_key(URALS)
#: The hexes beside the box, and those of them that lie in China: a way in only while Communists or Russians hold them.
GATES = frozenset(box(URALS).hexes("ground"))
CHINESE_GATES = frozenset(key for link in box(URALS).links if link.condition for key in link.keys)
UNLIMITED = "unlimited"
ENEMY = "axis"


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


@definition(
    "81.63",
    "A hex is a way in and out of the Urals box: the Russian edge of Europe; that of Asia, with Communist China's",
    covers=("81.63A", "81.63B"),
)
def urals_gate(s: State, place: str) -> bool:
    key = place_key(place)
    if key not in GATES:
        return False
    note("edge", "81.63A" if _board(key) == "europe" else "81.63B", _board(key), place)
    return key not in CHINESE_GATES or holder(s, key) in ("communist_china", "russia")


def beside_box(s: State, key: str) -> bool:
    """Whether units on a hex are beside the box: by another reading those on hexes that once led into it (R-0814)."""
    return urals_gate(s, key) or (key in GATES and reading_in_force(s, "R-0814") == "b")


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


# -- entering -----------------------------------------------------------------------------------------------------


@limit(
    "81.634",
    "European Axis and Japanese units do not enter the Urals box",
    on=MoveUnits,
    when=lambda s, cmd: enters(cmd, URALS) and enemy(s, cmd.nation),
)
def axis_stays_out(s: State, cmd: MoveUnits) -> str | None:
    return f"{called(cmd.nation)}: neither the European Axis nor Japan enters the Urals box"


@limit(
    "81.63",
    "Only Russian units enter the Urals box",
    on=MoveUnits,
    when=lambda s, cmd: enters(cmd, URALS) and not enemy(s, cmd.nation),
)
def russians_only(s: State, cmd: MoveUnits) -> str | None:
    return None if cmd.nation == "russia" else f"{called(cmd.nation)}: only Russian units enter the Urals box"


def _through(s: State, cmd: MoveUnits) -> str | None:
    """Whether there is a hex through which units can pass between a board and the box."""
    board = _board(other_end(cmd, URALS))
    if _open_gate(s, board, by_rail=cmd.how not in ("movement", "exploitation")):
        return None
    return f"no hex on the edge of that board leads into the Urals box ({board})"


def _russians_enter(cmd: MoveUnits) -> bool:
    return cmd.nation == "russia" and enters(cmd, URALS)


@limit(
    "81.63A",
    "From Europe the box is entered over the eastern edge of the board, A62 to Z53",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and _board(other_end(cmd, URALS)) == "europe",
)
def entered_from_europe(s: State, cmd: MoveUnits) -> str | None:
    return _through(s, cmd)


@limit(
    "81.63B",
    "From Asia the box is entered over the western edge of the board, in Russia or Communist China",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and _board(other_end(cmd, URALS)) == "pacific",
)
def entered_from_asia(s: State, cmd: MoveUnits) -> str | None:
    return _through(s, cmd)


@limit(
    "81.63",
    "Nothing else is joined to the Urals box than the two boards",
    on=MoveUnits,
    when=lambda s, cmd: (
        cmd.nation == "russia" and (enters(cmd, URALS) or leaves(cmd, URALS)) and _board(other_end(cmd, URALS)) == "box"
    ),
)
def boards_only(s: State, cmd: MoveUnits) -> str | None:
    return "the Urals box is joined to the edges of the two boards, and to no other box"


def _branch(cmd: MoveUnits) -> str:
    return parse_unit(cmd.unit)[0].branch


@limit(
    "81.631A",
    "Ground units enter the Urals box by movement, exploitation or redeployment",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and _branch(cmd) not in ("air", "naval"),
)
def ground_enters(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how in ("movement", "exploitation") or (cmd.how in REDEPLOYMENTS and cmd.how != NR):
        return None
    return f"ground units do not enter the Urals box by {cmd.how}"


@limit(
    "81.631B",
    "Air units enter the Urals box by staging or redeployment",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and _branch(cmd) == "air",
)
def air_enters(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how == "staging" or (cmd.how in REDEPLOYMENTS and cmd.how != NR):
        return None
    return f"air units enter the Urals box by staging, tactical or strategic redeployment, not by {cmd.how}"


@limit(
    "81.63",
    "Ships do not enter the Urals box",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and _branch(cmd) == "naval",
)
def no_ships(s: State, cmd: MoveUnits) -> str | None:
    return f"{cmd.unit}: no way for ships"


@limit(
    "81.632A",
    "Of ground units armor alone enters the Urals box by exploitation",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and cmd.how == "exploitation",
)
def armor_exploits(s: State, cmd: MoveUnits) -> str | None:
    return None if kind_name(cmd.unit) == "armor" else f"{cmd.unit}: only armor exploits into the Urals box"


@limit(
    "81.633A",
    "In the redeployment phase units enter the Urals box by tactical or strategic redeployment",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and s.place.step.name == "redeployment",
)
def redeployed_in(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how in REDEPLOYMENTS and cmd.how != NR:
        return None
    return f"the Urals box is entered by tactical or strategic redeployment, not by {cmd.how}"


@limit(
    "81.63",
    "Units that enter or leave the Urals box are ordered to, so that it can be seen how",
    on=ReportMove,
    when=lambda s, cmd: BOX in (place_key(cmd.to), place_key(cmd.origin)),
)
def urals_by_order(s: State, cmd: ReportMove) -> str | None:
    return "units enter and leave the Urals box by the order move"


@limit(
    "81.634",
    "No Axis or Japanese units are reported in the Urals box",
    on=ReportUnits,
    when=lambda s, cmd: place_key(cmd.at) == BOX and cmd.count > 0 and enemy(s, cmd.nation),
)
def no_axis_reported(s: State, cmd: ReportUnits) -> str | None:
    return unless_excused(cmd, "neither the European Axis nor Japan enters the Urals box")


@limit(
    "81.63",
    "Only Russian units are reported in the Urals box",
    on=ReportUnits,
    when=lambda s, cmd: place_key(cmd.at) == BOX and cmd.count > 0 and not enemy(s, cmd.nation),
)
def only_russians_reported(s: State, cmd: ReportUnits) -> str | None:
    return None if cmd.nation == "russia" else unless_excused(cmd, "only Russian units enter the Urals box")


@limit(
    "81.61",
    "Only Russia builds in the Urals box, which is Russian",
    on=Build,
    when=lambda s, cmd: place_key(cmd.at) == BOX,
)
def built_by_russia(s: State, cmd: Build) -> str | None:
    return None if cmd.power == "russia" else "the Urals box is part of Russia"


# -- leaving ------------------------------------------------------------------------------------------------------


@value("81.65", "Russian ground factors in the Urals box")
def russian_factors(s: State) -> int:
    return factors(it for it in ground_in(s, URALS, s.powers["russia"].faction))


@value("81.65", "European Axis and Japanese ground factors beside the Urals box, on both boards")
def factors_beside(s: State) -> int:
    hostile = {it.nation for it in s.pieces.among(GATES) if enemy(s, it.nation)}
    return factors(it for it in ground_beside(s, URALS, hostile) if beside_box(s, it.place))


def russians_leave(cmd: MoveUnits) -> bool:
    return cmd.nation == "russia" and leaves(cmd, URALS)


@limit(
    "81.65",
    "The Urals box is left by movement, staging or redeployment",
    on=MoveUnits,
    when=lambda s, cmd: russians_leave(cmd) and cmd.how != "advance",
)
def ways_out(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how in ("movement", "staging") or (cmd.how in REDEPLOYMENTS and cmd.how != NR):
        board = _board(other_end(cmd, URALS))
        return _through(s, cmd) if board in ("europe", "pacific") else None
    return f"units do not leave the Urals box by {cmd.how}"


def _between_boards(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Russian units go from one board to the other: the box lies between."""
    if nation_of(cmd) != "russia":
        return False
    return {_board(origin_of(cmd)), _board(goal_of(cmd))} == {"europe", "pacific"}


@limit(
    "81.65",
    "From board to board Russian units are redeployed through the Urals box; on foot and by air they stop in it",
    on=(MoveUnits, ReportMove),
    when=_between_boards,
)
def through_the_box(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    if isinstance(cmd, MoveUnits) and (cmd.how not in REDEPLOYMENTS or cmd.how == NR):
        return f"by {cmd.how} units go as far as the Urals box, and on in a later turn"
    shut = [it for it in ("europe", "pacific") if not _open_gate(s, it, by_rail=True)]
    return f"no hex on the edge of that board leads into the Urals box ({', '.join(shut)})" if shut else None


def _hostile_hex(s: State, key: str) -> bool:
    held_by = holder(s, key)
    return held_by in powers() and s.powers[held_by].faction != s.powers["russia"].faction and enemy(s, held_by)


@limit(
    "81.65",
    "Ground units go into vacant enemy hexes beside the box, if it keeps as many factors as the enemy has there",
    on=MoveUnits,
    when=lambda s, cmd: (
        russians_leave(cmd) and not place_key(cmd.to).startswith("box/") and _hostile_hex(s, place_key(cmd.to))
    ),
)
def into_enemy_hexes(s: State, cmd: MoveUnits) -> str | None:
    key = place_key(cmd.to)
    if _branch(cmd) != "ground" or cmd.how != "movement":
        return f"{cmd.to} is in enemy hands: only ground units move there"
    if not urals_gate(s, key) or any(enemy(s, it.nation) for it in units_at(s, key)):
        return f"{cmd.to} is in enemy hands: from the Urals box only vacant hexes beside it are entered"
    return _box_kept(s, cmd)


def _box_kept(s: State, cmd: MoveUnits) -> str | None:
    left, beside = russian_factors(s) - cmd.count * unit_factors(cmd.unit), factors_beside(s)
    return (
        f"{left} Russian ground factors would be left in the box, {beside} of the enemy beside it"
        if (left < beside)
        else None
    )


@limit(
    "81.65",
    "Under the other reading the box keeps as many factors whoever holds the hex that units go to",
    on=MoveUnits,
    when=lambda s, cmd: reading_in_force(s, "R-0079") == "b" and russians_leave(cmd) and _branch(cmd) == "ground",
)
def box_is_not_stripped(s: State, cmd: MoveUnits) -> str | None:
    return _box_kept(s, cmd)
