"""The Urals box: who enters it and leaves it, when and by which hexes, and what is done there (81.6)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.forces import counted
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
    "In the redeployment phase units enter by tactical or strategic redeployment",
    on=MoveUnits,
    when=lambda s, cmd: _russians_enter(cmd) and s.place.step.name == "redeployment",
)
def redeployed_in(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how in REDEPLOYMENTS and cmd.how != NR:
        return None
    return f"the Urals box is entered by tactical or strategic redeployment, not by {cmd.how}"


@limit(
    "81.63",
    "Units that come and go are ordered to, so that it can be seen how",
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
    return factors(it for it in ground_beside(s, URALS, hostile) if urals_gate(s, it.place))


def _russians_leave(cmd: MoveUnits) -> bool:
    return cmd.nation == "russia" and leaves(cmd, URALS)


@limit(
    "81.65",
    "The Urals box is left by movement, staging or redeployment",
    on=MoveUnits,
    when=lambda s, cmd: _russians_leave(cmd) and cmd.how != "advance",
)
def ways_out(s: State, cmd: MoveUnits) -> str | None:
    if cmd.how in ("movement", "staging") or (cmd.how in REDEPLOYMENTS and cmd.how != NR):
        board = _board(other_end(cmd, URALS))
        return _through(s, cmd) if board in ("europe", "pacific") else None
    return f"units do not leave the Urals box by {cmd.how}"


def _hostile_hex(s: State, key: str) -> bool:
    held_by = holder(s, key)
    return held_by in powers() and s.powers[held_by].faction != s.powers["russia"].faction and enemy(s, held_by)


@limit(
    "81.65",
    "Ground units go into vacant enemy hexes beside the box, if it keeps as many factors as the enemy has there",
    on=MoveUnits,
    when=lambda s, cmd: (
        _russians_leave(cmd) and not place_key(cmd.to).startswith("box/") and _hostile_hex(s, place_key(cmd.to))
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
    when=lambda s, cmd: reading_in_force(s, "R-0079") == "b" and _russians_leave(cmd) and _branch(cmd) == "ground",
)
def box_is_not_stripped(s: State, cmd: MoveUnits) -> str | None:
    return _box_kept(s, cmd)


# -- air, attacks, attrition --------------------------------------------------------------------------------------


def _at(place: str) -> bool:
    return bool(place) and place_key(place) == BOX


@value("81.64", "The front to which the Urals box belongs for a nation's bombing")
def urals_front(s: State, nation: str) -> str:
    return "asian" if patron(s, nation) == "japan" else "eastern"


@limit(
    "81.66",
    "No enemy air missions into the Urals box but bombing, and no Russian ones out of it",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "air" and (_at(cmd.at) or _at(cmd.origin)),
)
def no_air_missions(s: State, cmd: ReportOperation) -> str | None:
    if _at(cmd.origin) and not _at(cmd.at):
        return unless_excused(cmd, "air units in the Urals box fly no missions onto the mapboard")
    if _at(cmd.at) and not _at(cmd.origin) and cmd.mission != "bombing":
        return unless_excused(cmd, "the Urals box may only be bombed")
    return None


@limit(
    "81.64",
    "Russian air units in the Urals box are not attacked",
    on=ReportOperation,
    displaces=no_air_missions,
    when=lambda s, cmd: cmd.branch == "air" and cmd.mission == "attack" and _at(cmd.at),
)
def no_air_attacks(s: State, cmd: ReportOperation) -> str | None:
    return unless_excused(cmd, "air attacks on the Urals box are prohibited; it may only be bombed")


@limit(
    "81.67",
    "No ground attacks out of the Urals box or into it",
    on=ReportOperation,
    also=("81.68",),
    when=lambda s, cmd: cmd.branch == "ground" and cmd.mission != "attrition" and (_at(cmd.at) or _at(cmd.origin)),
)
def no_ground_attacks(s: State, cmd: ReportOperation) -> str | None:
    return unless_excused(cmd, "ground units attack neither out of the Urals box nor into it")


@limit(
    "81.68",
    "Russians capture no hexes by attrition advance from the Urals box",
    on=MoveUnits,
    when=lambda s, cmd: _russians_leave(cmd) and cmd.how == "advance",
)
def no_advance_out(s: State, cmd: MoveUnits) -> str | None:
    return "no hex is captured by an advance from the Urals box"


@limit(
    "81.68",
    "Hex results against the Urals box have no effect: it never changes hands",
    on=ReportControl,
    when=lambda s, cmd: any(_at(it) for it in cmd.places),
)
def never_captured(s: State, cmd: ReportControl) -> str | None:
    return None if cmd.by == "russia" else unless_excused(cmd, "the Urals box cannot be taken")


@definition(
    "81.68", "Two places are in one attrition zone: the Urals box and the hexes beside it, in Europe or in Asia"
)
def one_attrition_zone(s: State, place: str, other: str) -> bool:
    keys = {place_key(place), place_key(other)}
    return BOX in keys and all(it == BOX or urals_gate(s, it) for it in keys)


def _enemies_beside(s: State, power: str) -> bool:
    nations = {it.nation for it in s.pieces.among(GATES) if patron(s, it.nation) == power}
    return any(urals_gate(s, it.place) for it in ground_beside(s, URALS, nations))


@limit(
    "81.68",
    "Ground units in the Urals box are lost only to attrition by ground units beside it",
    on=ReportLoss,
    when=lambda s, cmd: _at(cmd.at) and any(_ground(it) for it in _kinds(cmd)),
)
def attrition_from_beside(s: State, cmd: ReportLoss) -> str | None:
    by = cmd.eliminated_by
    if not by or _enemies_beside(s, by):
        return None
    return f"{called(by)} has no ground units beside the Urals box"


def _kinds(cmd: ReportLoss) -> list[str]:
    return list(counted(cmd.units))


def _ground(unit: str) -> bool:
    return parse_unit(unit)[0].branch == "ground"
