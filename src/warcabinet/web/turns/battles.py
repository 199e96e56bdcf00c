"""A battle at the table: prepared by one side, answered by the other, thrown, lost and advanced; then it is one report.

Until it is over it is in the hall and not in the game, but for its dice, which are thrown and kept like all others.
Then it is entered as `report_battle`, with its dice as one group: one line of the log, one undo. Each side says what it
loses itself; where nobody sits on the other side, or the same person does, one hand does both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.game.engine import GameDecision, as_command, decide
from warcabinet.game.journal import Move
from warcabinet.house.battle import attackers, defender, defenders, losses, retreats
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.economy import Spend
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import Force, parse_force
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.units import offensive_payer
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter, commander
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.refusal_lines import refused_order
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.turns import undoing
from warcabinet.web.turns.charts import Chart, ChartResult, cell, column, read_result

Stage = Literal["forces", "answer", "throw", "losses", "advance", "done"]
Role = Literal["attacker", "defender"]
Forces = Annotated[tuple[Annotated[str, Meta(max_length=120)], ...], Meta(max_length=60)]
#: What a battle waits for at each step.
WANTED: dict[str, str] = {
    "answer": "aircraft and ships in support, or none",
    "throw": "the dice, or the result",
    "losses": "take off what is lost",
    "advance": "advance, or stay",
}
BATTLE, CHART, OFF = "battle", "chart", "battle undone"


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
    #: The first of its moves: its price was paid or its dice were thrown; and the first of those with dice.
    began: int = 0
    thrown: int = 0
    result: str = ""
    #: What the result asks for, where it is written in words of the group's own.
    asks: ChartResult | None = None
    lost: dict[str, tuple[str, ...]] = {}
    back: tuple[str, ...] = ()
    confirmed: tuple[Role, ...] = ()
    #: The side that asks to call it off.
    off: str = ""
    steps: tuple[BattleStep, ...] = ()


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


def begun(
    hall: Hall, table: Table, sitter: Sitter, report: dict[str, Any], multiplier: int, pay: Callable[[Spend], Move]
) -> Battle:
    """An attack is told: judged as far as it is known and paid for, then it waits for whoever answers it."""
    if (other := battle_at(hall, table.id)) is not None:
        raise Problem(409, f"{title_of(other)} is under way already")
    state, command = table.game.state, as_command({"do": "report_battle", **report})
    assert isinstance(command, ReportBattle)
    seat = next((it for it in sitter.players if commander(state, command.nation) in it.powers), sitter.referee)
    if seat is None:
        raise forbidden(f"{called(command.nation)} is not yours to command; you hold: {sitter.title}")
    judged(state, replace(command, seat=""))
    battle = as_told(state, report, seat.id, multiplier, "answer")
    if command.brp:
        began = pay(_price(state, command, seat.id)).id
        battle = replace(battle, began=began, report={**battle.report, "paid": True})
    if plays(hall, table, sitter, battle, "defender"):
        battle = replace(battle, stage="throw")
    paid = f", {command.brp} BRPs" if command.brp else ""
    return _kept(hall, table, sitter, battle, f"Attack, {odds_of(state, battle)}{paid}")


def _price(state: State, command: ReportBattle, seat: str) -> Spend:
    """What the offensive costs, as the order by which its payer spends it."""
    whose = "" if command.nation in powers() else command.nation
    payer, place = offensive_payer(state, command.nation), place_called(command.at)
    return Spend(payer, command.brp, "offensive operations", f"attack on {place}", whose, seat=seat)


def as_told(state: State, report: dict[str, Any], seat: str, multiplier: int, stage: Stage) -> Battle:
    """A battle as far as an attack tells of it: against whom it is, and who stands there."""
    command = command_of(Battle(report, seat, "", stage, 0.0))
    against = defender(state, command)
    known = {**report, "against": against if against in powers() or against in state.countries else ""}
    there = [_written(it) for it in defenders(state, command) if it.branch != "air"]
    known |= {"defenders": there} if there and not report.get("defenders") else {}
    return Battle(known, seat, _answering(state, against), stage, time.time(), multiplier)


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


def acting(hall: Hall, table: Table, sitter: Sitter, role: Role, *stages: Stage, tell: bool = True) -> Battle:
    """The battle under way, if it is at one of these stages and this side of it is the sitter's.

    What a referee does for a side is told to all, but for what is only tapped so far."""
    battle = battle_at(hall, table.id)
    if battle is None:
        raise Problem(409, "no battle is under way at this table")
    if battle.stage not in stages:
        raise Problem(409, f"{title_of(battle)} is at another step: {battle.stage}")
    if not plays(hall, table, sitter, battle, role):
        if sitter.referee is None:
            raise forbidden(f"the {role} does this, or the referee; you hold: {sitter.title}")
        if tell:
            hall.talk.say(table.id, f"{sitter.person.name}, referee, acts for the {role} in {title_of(battle).lower()}")
    return battle


def answered(hall: Hall, table: Table, sitter: Sitter, support: tuple[str, ...], confirm: bool) -> Battle:
    """The defender sends aircraft and ships in support, or none; both see the odds while he still chooses."""
    battle = acting(hall, table, sitter, "defender", "answer", "throw", tell=confirm)
    there = defenders(table.game.state, command_of(replace(battle, report=_bare(battle))))
    kept = [_written(it) for it in there if it.branch not in ("air", "naval")]
    report = {**battle.report, "defenders": [*kept, *support]}
    if not report["defenders"]:
        report.pop("defenders")
    changed = replace(battle, report=report, stage="throw" if confirm else battle.stage)
    judged(table.game.state, command_of(changed))
    told = f"Answer, {_several(support)}, {odds_of(table.game.state, changed)}" if confirm else ""
    return _kept(hall, table, sitter, changed, told, "defender")


def _several(support: tuple[str, ...]) -> str:
    return ", ".join(f"{it.count} {it.unit} of {called(it.nation)}" for it in map(parse_force, support)) or "none"


def _bare(battle: Battle) -> dict[str, Any]:
    return {name: it for name, it in battle.report.items() if name != "defenders"}


def thrown(hall: Hall, table: Table, sitter: Sitter, faces: tuple[int, ...], total: int, move: int) -> Battle:
    """The dice fell, or the group threw its own, or none: the result stands in the chart, or is typed."""
    battle = acting(hall, table, sitter, "attacker", "throw")
    state, chart = table.game.state, chart_of(hall, table.id)
    mine, theirs = factors(state, battle)
    result = cell(chart, column(chart, mine, theirs), total) if chart and total else ""
    changed = replace(
        battle, stage="losses", faces=faces, total=total, began=battle.began or move, thrown=move, result=result
    )
    told = f"Thrown {' + '.join(map(str, faces))} = {total}" if faces else f"Thrown {total}" if total else "No dice"
    return _kept(hall, table, sitter, changed, f"{told}{f', {result}' if result else ''}")


class Lost(msgspec.Struct, frozen=True):
    """What one side has chosen: its losses, who goes back where, and whether it stands by it."""

    side: Role
    losses: tuple[str, ...]
    retreats: tuple[str, ...]
    result: str | None
    confirm: bool
    #: Why more or fewer are taken off than the result asks for.
    why: str = ""
    #: What a result in the group's own words asks for.
    asks: ChartResult | None = None


def chosen(hall: Hall, table: Table, sitter: Sitter, it: Lost) -> Battle:
    """A side taps its losses; when both have confirmed, the attacker may advance."""
    battle = acting(hall, table, sitter, it.side, "losses", "advance", tell=it.confirm)
    changed = replace(battle, lost={**battle.lost, it.side: it.losses}, stage="losses")
    if it.side == "defender":
        changed = replace(changed, back=it.retreats)
    if it.result is not None:
        changed = replace(changed, result=it.result.strip())
    changed = replace(changed, asks=it.asks or (None if read_result(changed.result).known else battle.asks))
    state = table.game.state
    _own(state, changed, it.side)
    if it.confirm and not it.why.strip() and (lacks := missing(state, changed, it.side)):
        raise Problem(409, f"{lacks}: take off what the result asks for, or say why not")
    sides = {*battle.confirmed} - {it.side} | ({it.side} if it.confirm else set())
    changed = replace(changed, confirmed=tuple(role for role in ("attacker", "defender") if role in sides))
    if it.confirm:
        judged(state, command_of(changed))
    if len(changed.confirmed) == 2:
        changed = replace(changed, stage="advance")
    told = f"Losses of the {it.side}{f': {it.why.strip()}' if it.why.strip() else ''}"
    return _kept(hall, table, sitter, changed, told if it.confirm else "", it.side)


def result_of(battle: Battle) -> ChartResult:
    """What the result asks for, as it is read or as the group said it."""
    return battle.asks or read_result(battle.result)


def missing(state: State, battle: Battle, side: Role) -> str:
    """What a side's losses and retreats lack of what the result asks for; empty: nothing."""
    command, asked = command_of(battle), result_of(battle)
    mine = side_of(state, command.nation)
    gone = [it for it in losses(state, command) if (side_of(state, it.nation) == mine) == (side == "attacker")]
    fought = attackers(command) if side == "attacker" else defending(state, battle)
    lost, wanted = sum(it.factors for it in gone), asked.attacker if side == "attacker" else asked.defender
    short = min(wanted or 0, sum(it.factors for it in fought)) - lost
    least = min((it.factors // it.count for it in gone), default=0)
    if short > 0:
        return f"{short} factor{'s' if short > 1 else ''} more"
    if wanted is not None and lost > wanted and lost - least >= wanted:
        return f"{lost - wanted} factor{'s' if lost - wanted > 1 else ''} too many"
    if side == "attacker" or not asked.back:
        return ""
    there = sum(it.count for it in defenders(state, replace(command, defenders=())))
    away = sum(it.count for it in (*gone, *retreats(state, command)) if it.place == command.at)
    return f"{there - away} counter{'s have' if there - away > 1 else ' has'} no hex" if there > away else ""


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
    """Call a battle off, which asks the other side as well; whether it is off.

    What was paid comes back. Once dice fell it is an undo like any other: it asks all who play here.
    """
    battle = battle_at(hall, table.id)
    if battle is None:
        raise Problem(409, "no battle is under way at this table")
    if battle.thrown:
        asked = undoing.outlook(hall, table, sitter).asked
        agrees = asked is not None and asked.waits_for_me
        undoing.consent(hall, table, sitter, True) if agrees else undoing.undo(hall, table, sitter)
        keep_in_line(hall, table)
        return battle_at(hall, table.id) is None
    both: tuple[Role, Role] = ("attacker", "defender")
    sides = {role for role in both if sitter.impartial or plays(hall, table, sitter, battle, role)}
    if not sides:
        raise forbidden(f"those who fight call it off; you hold: {sitter.title}")
    if {*sides, *([battle.off] if battle.off else [])} == {"attacker", "defender"}:
        if battle.began and table.game.head.batch == battle.began:
            table.game.undo(battle.seat, consent=True)
            keep_in_line(hall, table)
        else:
            hall.evening.keep(table.id, BATTLE, None)
        return True
    hall.evening.keep(table.id, BATTLE, replace(battle, off=next(iter(sides))))
    return False


def keep_in_line(hall: Hall, table: Table) -> None:
    """A battle whose moves were undone is off; one whose moves are done again goes on where it stood."""
    battle, off, line = battle_at(hall, table.id), hall.evening.kept(table.id, OFF, Battle), table.game.line()
    if battle is not None and battle.began and battle.began not in line:
        hall.evening.keep(table.id, BATTLE, None)
        hall.evening.keep(table.id, OFF, battle)
    elif battle is None and off is not None and off.began in line:
        over = any(isinstance(it.command, ReportBattle) for it in table.game.last_batch())
        hall.evening.keep(table.id, OFF, None)
        hall.evening.keep(table.id, BATTLE, None if over else off)


def _kept(hall: Hall, table: Table, sitter: Sitter, battle: Battle, told: str, role: Role = "attacker") -> Battle:
    if told:
        battle = replace(battle, off="", steps=(*battle.steps, _step(hall, table, sitter, battle, told, role)))
    hall.evening.keep(table.id, BATTLE, battle)
    return battle


def _step(hall: Hall, table: Table, sitter: Sitter, battle: Battle, told: str, role: Role) -> BattleStep:
    by = "" if plays(hall, table, sitter, battle, role) else f", referee, for the {role}"
    return BattleStep(told, f"{sitter.person.name}{by}", time.time())


def over(hall: Hall, table: Table, sitter: Sitter, move: int, stayed: bool) -> None:
    """A battle stands in the log: its steps are kept beside it, and who fought them."""
    battle = battle_at(hall, table.id)
    if battle is not None:
        last = _step(hall, table, sitter, battle, "They stay" if stayed else "Advance", "attacker")
        hall.evening.keep(table.id, kept_as(move), (*battle.steps, last))
        hall.evening.keep(table.id, BATTLE, None)


def kept_as(move: int) -> str:
    return f"fought {move}"


def factors(state: State, battle: Battle) -> tuple[int, int]:
    """Both sides' factors, the defenders' as often as the group counts them."""
    command = command_of(battle)
    theirs = sum(it.factors for it in defending(state, battle))
    return sum(it.factors for it in attackers(command)), theirs * battle.multiplier


def defending(state: State, battle: Battle) -> list[Force]:
    """Who defends so far; aircraft that merely stand there fly only when they are sent."""
    found = defenders(state, command_of(battle))
    return found if "defenders" in battle.report else [it for it in found if it.branch != "air"]


def odds_of(state: State, battle: Battle) -> str:
    mine, theirs = factors(state, battle)
    return f"{mine} : {theirs}"
