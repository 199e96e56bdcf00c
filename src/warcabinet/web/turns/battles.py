"""A battle at the table: prepared by one side, answered by the other, thrown, lost and advanced; then it is one report.

Until it is over it is in the hall and not in the game, but for its dice, which are thrown and kept like all others.
Then it is entered as `report_battle`, with its dice as one group: one line of the log, one undo. Each side says what it
loses itself; where nobody sits on the other side, or the same person does, one hand does both.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.board.maps import board, by_key
from warcabinet.game.engine import GameDecision, as_command, decide
from warcabinet.house.battle import attackers, defender, defenders, losses, retreats
from warcabinet.model import events
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.names import called, powers
from warcabinet.model.places import board_of, holder, place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import Force
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import patron, side_of
from warcabinet.rules.economy.base import level
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.units import offensive_payer
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter, commander
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.map.enemies import opposed
from warcabinet.web.orders.log_lines import EventLine, event_line
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line, refused_order
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.turns.charts import Chart, Result, cell, column, read_result

Stage = Literal["answer", "throw", "losses", "advance"]
Role = Literal["attacker", "defender"]
Forces = Annotated[tuple[Annotated[str, Meta(max_length=120)], ...], Meta(max_length=60)]
#: What a battle waits for at each step.
WANTED: dict[Stage, str] = {
    "answer": "aircraft and ships in support, or none",
    "throw": "the dice, or the result",
    "losses": "take off what is lost",
    "advance": "advance, or stay",
}
BATTLE, CHART = "battle", "chart"
#: So far away aircraft and ships are offered in support of a place that is attacked; others can be named all the same.
NEAR = 8


class BattleStep(msgspec.Struct, frozen=True):
    """What was done in a battle, by whom and when."""

    text: str
    by: str
    when: float


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle under way, as it is kept."""

    #: What is known of the report so far.
    report: dict[str, Any]
    #: The seat that attacks, and the power that answers for those attacked; empty: nobody's.
    seat: str
    answers: str
    stage: Stage
    since: float
    #: By how much the defenders' factors count, by the group's own rules.
    multiplier: int = 1
    faces: tuple[int, ...] = ()
    total: int = 0
    #: The first of the moves in which its dice were thrown.
    thrown: int = 0
    result: str = ""
    lost: dict[str, tuple[str, ...]] = {}
    back: tuple[str, ...] = ()
    confirmed: tuple[Role, ...] = ()
    #: The side that asks to call it off.
    off: str = ""
    steps: tuple[BattleStep, ...] = ()


class BattleUnit(msgspec.Struct, frozen=True):
    """Units of a kind on one side: where they stand, what they are worth, how many of them are lost."""

    nation: str
    unit: str
    count: int
    place: str
    called: str
    branch: str
    factors: int
    lost: int = 0
    #: How many go back, and where to.
    back: int = 0
    to: str = ""


class BattleSide(msgspec.Struct, frozen=True):
    nation: str
    name: str
    #: The power under whose seal it stands; empty: none.
    power: str
    people: tuple[str, ...]
    units: tuple[BattleUnit, ...]
    factors: int
    #: Factors that are lost so far, and that the result asks for.
    lost: int
    wanted: int | None
    confirmed: bool
    #: Whether it is the reader's, or only the referee's to act for.
    mine: bool
    referee: bool


class ChartRow(msgspec.Struct, frozen=True):
    total: int
    result: str


class BattleView(msgspec.Struct, frozen=True):
    """A battle as everybody at the table sees it."""

    title: str
    at: str
    called: str
    stage: Stage
    mission: str
    since: float
    brp: int
    payer: str
    #: The payer's BRPs after it.
    left: int
    multiplier: int
    odds: str
    next: str
    attacker: BattleSide
    defender: BattleSide
    #: Aircraft and ships near enough to be thought of in support of the place.
    support: tuple[BattleUnit, ...]
    faces: tuple[int, ...]
    total: int
    thrown: int
    result: str
    back: bool
    chart: tuple[ChartRow, ...]
    column: str
    dice: int
    #: What would follow by the rules, and what is against it.
    follows: tuple[EventLine, ...]
    refusals: tuple[RefusalLine, ...]
    off: str
    steps: tuple[BattleStep, ...]
    #: The hexes beside the place that its defenders' side holds.
    ways: tuple[str, ...]


def battle_at(hall: Hall, table: str) -> Battle | None:
    return hall.evening.kept(table, BATTLE, Battle)


def chart_of(hall: Hall, table: str) -> Chart | None:
    return hall.evening.kept(table, CHART, Chart)


def command_of(battle: Battle) -> ReportBattle:
    """The report that a battle comes to as far as it is known."""
    lost = (*battle.lost.get("attacker", ()), *battle.lost.get("defender", ()))
    shown = f"thrown {battle.total}: " if battle.total else ""
    outcome = f"{shown}{battle.result}" if battle.result else shown.rstrip(": ")
    known = {"do": "report_battle", **battle.report, "losses": lost, "retreats": battle.back, "outcome": outcome}
    command = as_command({name: list(it) if isinstance(it, tuple) else it for name, it in known.items()})
    assert isinstance(command, ReportBattle)
    return command


def keep_for_battle(hall: Hall, table: Table, sitter: Sitter) -> None:
    """Refuse an order while a battle is under way; the referee's word passes."""
    found = battle_at(hall, table.id)
    if found is not None and not sitter.impartial:
        raise Problem(409, f"{title_of(found)} is under way: first it is fought or called off (WC.10)", battle=True)


def title_of(battle: Battle) -> str:
    return f"The battle of {place_called(place_key(battle.report['at']))}"


def begun(hall: Hall, table: Table, sitter: Sitter, report: dict[str, Any], multiplier: int) -> Battle:
    """An attack is told: judged as far as it is known, then it waits for whoever answers it."""
    if (other := battle_at(hall, table.id)) is not None:
        raise Problem(409, f"{title_of(other)} is under way already")
    state, command = table.game.state, as_command({"do": "report_battle", **report})
    assert isinstance(command, ReportBattle)
    seat = next((it for it in sitter.players if commander(state, command.nation) in it.powers), sitter.referee)
    if seat is None:
        raise forbidden(f"{called(command.nation)} is not yours to command; you hold: {sitter.title}")
    judged(state, replace(command, seat=""))
    against = defender(state, command)
    asked = _answering(state, against)
    known = {**report, "against": against if against in powers() or against in state.countries else ""}
    there = [_written(it) for it in defenders(state, command) if it.branch != "air"]
    known |= {"defenders": there} if there and not report.get("defenders") else {}
    battle = Battle(known, seat.id, asked, "answer", time.time(), multiplier)
    if plays(hall, table, sitter, battle, "defender"):
        battle = replace(battle, stage="throw")
    return _kept(hall, table, sitter, battle, f"Attack, {odds_of(state, battle)}")


def judged(state: State, command: ReportBattle) -> GameDecision:
    """A battle as the rules see it; refused as an order is."""
    ruling = decide(state, command)
    if ruling.refusals:
        raise Problem(422, "the battle is not allowed", refused=refused_order(state, command, ruling))
    return ruling


def _answering(state: State, nation: str) -> str:
    """The power whose seat answers for those attacked: the one that commands them, or that set them up."""
    if nation in powers():
        return nation
    if nation not in state.countries:
        return ""
    return commander(state, nation) or next(iter(deployer(state, nation)), "")


def _written(it: Force) -> str:
    return f"{it.count} {it.unit} of {it.nation} at {it.place}"


def plays(hall: Hall, table: Table, sitter: Sitter, battle: Battle, role: Role) -> bool:
    """Whether a side of it is this sitter's: its seat, the attacker's where nobody sits on the other side."""
    mine = {seat.id for seat in sitter.seats}
    if role == "attacker":
        return battle.seat in mine
    chairs = [it for it in hall.seats(table.id) if it.role == "player" and battle.answers in it.powers]
    sitting = hall.sitters(table.id)
    if any(it.id in mine for it in chairs):
        return True
    return battle.seat in mine and not any(sitting.get(it.id) for it in chairs)


def acting(hall: Hall, table: Table, sitter: Sitter, role: Role, *stages: Stage) -> Battle:
    """The battle under way, if it is at one of these stages and this side of it is the sitter's."""
    battle = battle_at(hall, table.id)
    if battle is None:
        raise Problem(409, "no battle is under way at this table")
    if battle.stage not in stages:
        raise Problem(409, f"{title_of(battle)} is at another step: {battle.stage}")
    if not plays(hall, table, sitter, battle, role):
        if sitter.referee is None:
            raise forbidden(f"the {role} does this, or the referee; you hold: {sitter.title}")
        hall.talk.say(table.id, f"{sitter.person.name}, referee, acts for the {role} in {title_of(battle).lower()}")
    return battle


def answered(hall: Hall, table: Table, sitter: Sitter, support: tuple[str, ...]) -> Battle:
    """The defender sends aircraft and ships in support, or none."""
    battle = acting(hall, table, sitter, "defender", "answer", "throw")
    there = defenders(table.game.state, command_of(replace(battle, report=_bare(battle))))
    kept = [_written(it) for it in there if it.branch not in ("air", "naval")]
    report = {**battle.report, "defenders": [*kept, *support]}
    if not report["defenders"]:
        report.pop("defenders")
    changed = replace(battle, report=report, stage="throw")
    judged(table.game.state, command_of(changed))
    return _kept(hall, table, sitter, changed, f"Answer, {odds_of(table.game.state, changed)}")


def _bare(battle: Battle) -> dict[str, Any]:
    return {name: it for name, it in battle.report.items() if name != "defenders"}


def thrown(hall: Hall, table: Table, sitter: Sitter, faces: tuple[int, ...], total: int, move: int) -> Battle:
    """The dice fell, or the group threw its own, or none: the result stands in the chart, or is typed."""
    battle = acting(hall, table, sitter, "attacker", "throw")
    state, chart = table.game.state, chart_of(hall, table.id)
    mine, theirs = factors(state, battle)
    result = cell(chart, column(chart, mine, theirs), total) if chart and total else ""
    changed = replace(battle, stage="losses", faces=faces, total=total, thrown=move, result=result)
    told = f"Thrown {' + '.join(map(str, faces))} = {total}" if faces else f"Thrown {total}" if total else "No dice"
    return _kept(hall, table, sitter, changed, f"{told}{f', {result}' if result else ''}")


class Lost(msgspec.Struct, frozen=True):
    """What one side has chosen: its losses, who goes back where, and whether it stands by it."""

    side: Role
    losses: tuple[str, ...]
    retreats: tuple[str, ...]
    result: str | None
    confirm: bool


def chosen(hall: Hall, table: Table, sitter: Sitter, it: Lost) -> Battle:
    """A side taps its losses; when both have confirmed, the attacker may advance."""
    battle = acting(hall, table, sitter, it.side, "losses", "advance")
    changed = replace(battle, lost={**battle.lost, it.side: it.losses}, stage="losses")
    if it.side == "defender":
        changed = replace(changed, back=it.retreats)
    if it.result is not None:
        changed = replace(changed, result=it.result.strip())
    state = table.game.state
    _own(state, changed, it.side)
    sides = {*battle.confirmed} - {it.side} | ({it.side} if it.confirm else set())
    changed = replace(changed, confirmed=tuple(role for role in ("attacker", "defender") if role in sides))
    if it.confirm:
        judged(state, command_of(changed))
    if len(changed.confirmed) == 2:
        changed = replace(changed, stage="advance")
    return _kept(hall, table, sitter, changed, f"Losses of the {it.side}" if it.confirm else "")


def _own(state: State, battle: Battle, side: Role) -> None:
    """Nobody names the other side's units among his losses."""
    command = command_of(battle)
    only = replace(command, losses=battle.lost.get(side, ()), retreats=battle.back if side == "defender" else ())
    enemies = side_of(state, command.nation)
    for force in (*losses(state, only), *retreats(state, only)):
        if (side_of(state, force.nation) == enemies) != (side == "attacker"):
            raise forbidden(f"{called(force.nation)}'s units are the other side's to take off")


def ended(hall: Hall, table: Table, sitter: Sitter, going: tuple[str, ...], takes: tuple[str, ...]) -> ReportBattle:
    """The attacker advances or stays: the battle is over, and this is its report."""
    battle = acting(hall, table, sitter, "attacker", "advance")
    if sitter.table.reports == "referee" and sitter.referee is None:
        raise forbidden("at this table the referee alone reports outcomes: the referee ends the battle")
    return replace(command_of(battle), advances=going, takes=takes, seat=battle.seat)


def called_off(hall: Hall, table: Table, sitter: Sitter) -> bool:
    """Call a battle off: free while it waits for its answer, by both sides afterwards; whether it is off."""
    battle = battle_at(hall, table.id)
    if battle is None:
        raise Problem(409, "no battle is under way at this table")
    both: tuple[Role, Role] = ("attacker", "defender")
    sides = {role for role in both if sitter.impartial or plays(hall, table, sitter, battle, role)}
    if not sides:
        raise forbidden(f"those who fight call it off; you hold: {sitter.title}")
    agreed = {*sides, *([battle.off] if battle.off else [])} == {"attacker", "defender"}
    if agreed or ("attacker" in sides and battle.stage == "answer"):
        hall.evening.keep(table.id, BATTLE, None)
        return True
    hall.evening.keep(table.id, BATTLE, replace(battle, off=next(iter(sides))))
    return False


def _kept(hall: Hall, table: Table, sitter: Sitter, battle: Battle, told: str) -> Battle:
    if told:
        battle = replace(battle, off="", steps=(*battle.steps, BattleStep(told, sitter.person.name, time.time())))
    hall.evening.keep(table.id, BATTLE, battle)
    return battle


# -- as it is seen --------------------------------------------------------------------------------------------------


def factors(state: State, battle: Battle) -> tuple[int, int]:
    """Both sides' factors, the defenders' as often as the group counts them."""
    command = command_of(battle)
    theirs = sum(it.factors for it in _defending(state, battle))
    return sum(it.factors for it in attackers(command)), theirs * battle.multiplier


def _defending(state: State, battle: Battle) -> list[Force]:
    """Who defends so far; aircraft that merely stand there fly only when they are sent."""
    found = defenders(state, command_of(battle))
    return found if "defenders" in battle.report else [it for it in found if it.branch != "air"]


def odds_of(state: State, battle: Battle) -> str:
    mine, theirs = factors(state, battle)
    return f"{mine} : {theirs}"


def plain_ratio(mine: int, theirs: int) -> str:
    """The plain ratio to two places, never rounded up for the attacker."""
    if not theirs or not mine:
        return f"{mine} : {theirs}"
    return f"{mine * 100 // theirs / 100:g} : 1" if mine >= theirs else f"1 : {-(-theirs * 100 // mine) / 100:g}"


def _next_ratio(mine: int, theirs: int) -> str:
    whole = mine // theirs + 1 if theirs else 0
    return f"{whole} : 1 needs {whole * theirs}" if whole else ""


def battle_seen(hall: Hall, table: Table, sitter: Sitter) -> BattleView | None:
    """The battle under way, as this sitter sees it."""
    battle = battle_at(hall, table.id)
    if battle is None:
        return None
    state = table.game.state
    command, result = command_of(battle), read_result(battle.result)
    mine, theirs = factors(state, battle)
    key, payer = place_key(command.at), offensive_payer(state, command.nation)
    ruling = decide(state, command)
    chart = chart_of(hall, table.id)
    odds = column(chart, mine, theirs) if chart else ""
    return BattleView(
        title=title_of(battle),
        at=key,
        called=place_called(key),
        stage=battle.stage,
        mission=command.mission,
        since=battle.since,
        brp=command.brp,
        payer=payer if payer in powers() else "",
        left=level(state, payer) - command.brp if payer in powers() else 0,
        multiplier=battle.multiplier,
        odds=plain_ratio(mine, theirs),
        next=_next_ratio(mine, theirs),
        attacker=_side(hall, table, sitter, battle, "attacker", result),
        defender=_side(hall, table, sitter, battle, "defender", result),
        support=_support(state, battle, key),
        faces=battle.faces,
        total=battle.total,
        thrown=battle.thrown,
        result=battle.result,
        back=result.back,
        chart=tuple(ChartRow(n, cell(chart, odds, n)) for n in sorted(chart.rows)) if chart and odds else (),
        column=odds,
        dice=chart.dice if chart else 2,
        follows=tuple(event_line(it) for it in ruling.records if isinstance(it.event, FOLLOWS)),
        refusals=tuple(refusal_line(state, ReportBattle, it) for it in ruling.refusals),
        off=battle.off,
        steps=battle.steps,
        ways=_ways(state, key, command),
    )


#: What of a battle's outcome is told as what follows; the rest is the sheet itself.
FOLLOWS = (events.AreaTaken, events.Promised, events.Closed, events.StatusChanged, events.PowerChanged)


def _side(hall: Hall, table: Table, sitter: Sitter, battle: Battle, role: Role, result: Result) -> BattleSide:
    state, command = table.game.state, command_of(battle)
    nation = command.nation if role == "attacker" else defender(state, command)
    units = attackers(command) if role == "attacker" else _defending(state, battle)
    gone = [it for it in losses(state, command) if any(_same(it, unit) for unit in units)]
    back = retreats(state, command) if role == "defender" else []
    power = battle.answers if role == "defender" else patron(state, nation)
    sitting = hall.sitters(table.id)
    chairs = [it for it in hall.seats(table.id) if it.role == "player" and power in it.powers]
    return BattleSide(
        nation=nation,
        name=called(nation),
        power=power if power in powers() else "",
        people=tuple(person.name for it in chairs for person in sitting.get(it.id, [])),
        units=tuple(_unit(it, gone, back) for it in units),
        factors=sum(it.factors for it in units),
        lost=sum(it.factors for it in gone),
        wanted=result.attacker if role == "attacker" else result.defender,
        confirmed=role in battle.confirmed,
        mine=plays(hall, table, sitter, battle, role),
        referee=sitter.referee is not None,
    )


def _same(one: Force, other: Force) -> bool:
    return (one.nation, one.unit, one.place) == (other.nation, other.unit, other.place)


def _unit(it: Force, gone: list[Force], back: list[Force]) -> BattleUnit:
    going = [other for other in back if _same(it, other)]
    return BattleUnit(
        nation=it.nation,
        unit=it.unit,
        count=it.count,
        place=it.place,
        called=place_called(it.place),
        branch=it.branch,
        factors=parse_unit(it.unit)[1],
        lost=sum(other.count for other in gone if _same(it, other)),
        back=sum(other.count for other in going),
        to=next((place_called(other.to) for other in going), ""),
    )


def _support(state: State, battle: Battle, key: str) -> tuple[BattleUnit, ...]:
    """Aircraft and ships of the defenders' side near the place, the nearest first; those already sent among them."""
    if battle.stage not in ("answer", "throw") or board_of(key) == "box":
        return ()
    nation = command_of(battle).nation
    there = [
        it for it in state.pieces.stacks() if it.branch in ("air", "naval") and board_of(it.place) == board_of(key)
    ]
    far = {it: board(board_of(key)).distance(by_key(it.place).id, by_key(key).id) for it in there}
    near = sorted((it for it in there if far[it] <= NEAR), key=lambda it: (far[it], it.place, it.unit))
    mine = [Force(it.nation, it.unit, it.count, it.place) for it in near if opposed(state, nation, it.nation)]
    return tuple(_unit(it, [], []) for it in mine[:12])


def _ways(state: State, key: str, command: ReportBattle) -> tuple[str, ...]:
    if board_of(key) == "box":
        return ()
    beside = (it for it in board(board_of(key)).neighbours(by_key(key).id) if it.is_land)
    mine = side_of(state, command.nation)
    return tuple(it.key for it in beside if _holds_otherwise(state, it.key, mine))


def _holds_otherwise(state: State, key: str, side: str) -> bool:
    by = holder(state, key)
    return bool(by) and (by in powers() or by in state.countries) and side_of(state, by) != side
