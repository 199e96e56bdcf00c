"""A battle as each at the table sees it: being prepared, under way, or as it stands in the log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.board.maps import board, by_key
from warcabinet.game.engine import GameRecord, decide
from warcabinet.game.journal import Move
from warcabinet.house.battle import attackers, battle_text, defender, defenders, losses, retreats
from warcabinet.model import calendar, events
from warcabinet.model.apply import apply
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.events import Event
from warcabinet.model.keys import Place
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import areas_decided_by, board_of, holder, place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import Force
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import patron, side_of
from warcabinet.rules.economy.base import level
from warcabinet.rules.minors.units import offensive_payer
from warcabinet.views.words import joined
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.map.enemies import opposed
from warcabinet.web.orders.log_lines import EventLine, event_line
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line
from warcabinet.web.sheets.agenda_lines import AgendaLine, agenda_lines
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.turns import undoing
from warcabinet.web.turns.battles import (
    WANTED,
    Battle,
    BattleStep,
    Role,
    Stage,
    as_told,
    battle_at,
    chart_of,
    command_of,
    defending,
    factors,
    kept_as,
    missing,
    plays,
    result_of,
)
from warcabinet.web.turns.charts import ChartResult, cell, column

#: So far away aircraft and ships are offered in support of a place that is attacked; others can be named all the same.
NEAR = 8


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
    #: How many of them stand there without fighting, such as aircraft that were not sent.
    idle: int = 0


class BattleGoing(msgspec.Struct, frozen=True):
    """Defenders who go back, and where to."""

    nation: str
    unit: str
    count: int
    place: str
    to: str


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


class BattleFoot(msgspec.Struct, frozen=True):
    """What a side is asked for: words, the one button, what it does, and what is still missing before it may."""

    said: str
    more: str
    go: str
    act: str
    off: str = ""


class BattleWait(msgspec.Struct, frozen=True):
    """Whom the battle waits for, for what, since when, and how they were told."""

    said: str
    more: str
    since: float
    told: str


class BattleOff(msgspec.Struct, frozen=True):
    """Which side asks to call it off, in words, and what the reader may press of it."""

    by: str = ""
    said: str = ""
    go: str = ""


class BattleWorth(msgspec.Struct, frozen=True):
    """What hangs on the place that is fought for, and where it is printed."""

    text: str
    clause: str


class BattleRow(msgspec.Struct, frozen=True):
    """A figure before and after a battle that is over."""

    power: str
    text: str
    before: str
    lost: str
    after: str


class BattleView(msgspec.Struct, frozen=True, kw_only=True):
    """A battle as everybody at the table sees it."""

    title: str
    under: str
    worth: tuple[BattleWorth, ...]
    at: str
    called: str
    stage: Stage
    mission: str
    missions: tuple[str, ...]
    since: float
    brp: int
    payer: str
    #: The payer's BRPs after it.
    left: int
    multiplier: int
    odds: str
    next: str
    #: Whose odds these are, before what: the answer, or what is tapped of it so far.
    when: str
    #: The reader's own side, which stands left; the attacker's for those who look on.
    own: Role
    attacker: BattleSide
    defender: BattleSide
    #: Aircraft and ships near enough to be thought of in support of the place, with how many of them are sent.
    support: tuple[BattleUnit, ...]
    faces: tuple[int, ...]
    total: int
    thrown: int
    result: str
    #: What the result asks for; the group says it where it is not understood.
    asks: ChartResult
    understood: bool
    chart: tuple[ChartRow, ...]
    column: str
    chart_by: str
    dice: int
    #: What was looked at and is fine, and what nobody judges.
    checked: str
    #: What would follow by the rules, and what is against it.
    follows: tuple[EventLine, ...]
    refusals: tuple[RefusalLine, ...]
    off: BattleOff
    steps: tuple[BattleStep, ...]
    #: Whom it waits for; nobody, where it is the reader.
    wait: BattleWait | None
    #: The hexes beside the place that its defenders' side holds, and who goes back where so far.
    ways: tuple[str, ...]
    retreats: tuple[BattleGoing, ...]
    #: Hexes of the enemy's through which those who advance may have come: taken where the group says so.
    takes: tuple[str, ...]
    #: What the bar over the map says, and what each side is asked for that must act now.
    bar: str
    feet: dict[Role, BattleFoot]
    #: Of a battle that is over: its entry in the log, and its figures before and after.
    entry: int = 0
    rows: tuple[BattleRow, ...] = ()
    drawn: str = ""
    #: The odds, what was thrown and what follows, as parts of a page.
    parts: dict[str, str] = {}


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
    return None if battle is None else seen(hall, table, sitter, battle, table.game.state)


def prepared(hall: Hall, table: Table, sitter: Sitter, report: dict[str, Any], multiplier: int) -> BattleView:
    """An attack that is thought of: nobody else sees it, and nothing happened yet."""
    battle = as_told(table.game.state, report, "", multiplier, "forces")
    return seen(hall, table, sitter, battle, table.game.state)


def fought(hall: Hall, table: Table, sitter: Sitter, move: Move) -> BattleView:
    """A battle that stands in the log: one sentence, before and after, what followed, its steps."""
    # Its price was paid and its dice were thrown in moves before it, of the same group.
    first = table.game.journal.move(move.batch or move.id)
    command, before = move.command, table.game.journal.state_at(first.before)
    assert isinstance(command, ReportBattle)
    report = {name: it for name, it in msgspec.to_builtins(command).items() if name not in ("do", "seat", "minded")}
    lost = tuple(report.pop("losses", ()))
    steps = hall.evening.kept(table.id, kept_as(move.id), tuple[BattleStep, ...]) or ()
    battle = as_told(before, report, command.seat, 1, "done")
    battle = replace(battle, lost={"defender": lost}, back=command.retreats, result=command.outcome, steps=steps)
    view = seen(hall, table, sitter, battle, before)
    after = table.game.journal.state_at(move.id)
    holders = [called(holder(one, view.at)) for one in (before, after)]
    figures = [
        (it.power, f"{it.name}, factors", it.factors, -it.lost, it.factors - it.lost)
        for it in (view.attacker, view.defender)
    ]
    if view.payer:
        was, now = level(before, view.payer), level(after, view.payer)
        figures.append((view.payer, "BRPs", was, now - was, now))
    rows = [
        BattleRow(power, text, str(was), f"{change}" if change else "", str(now))
        for power, text, was, change, now in figures
    ]
    taken = holders[0] != holders[1]
    told = replace(
        view,
        left=level(after, view.payer) if view.payer else 0,
        title=f"{view.called} is {holders[1]}'s" if taken else f"{view.called} holds",
        own="attacker",
        follows=_follows(move.records, after),
        refusals=(),
        bar=battle_text(before, command),
        checked=f"Entry {move.id}: one line in the log, one undo{_undone_by(hall, table, sitter, move)}.",
        feet={},
        entry=move.id,
        rows=(*rows, BattleRow("", view.called, holders[0], "", holders[1])),
    )
    return replace(told, drawn=drawn("sheet-battle.html", it=told))


def _undone_by(hall: Hall, table: Table, sitter: Sitter, move: Move) -> str:
    """Whom an undo of a battle asks, where dice fell in it."""
    journal, batch = table.game.journal, move.batch or move.id
    others = {one.name for people in hall.sitters(table.id).values() for one in people} - {sitter.person.name}
    fell = any(it.batch == batch and it.faces for it in journal.moves(batch, move.id))
    return "; dice fell, so it asks the others" if fell and others else ""


def seen(hall: Hall, table: Table, sitter: Sitter, battle: Battle, state: State) -> BattleView:
    command, asks = command_of(battle), result_of(battle)
    mine, theirs = factors(state, battle)
    key, payer = place_key(command.at), offensive_payer(state, command.nation)
    ruling = decide(state, _outcome(state, battle))
    if ruling.refusals and battle.stage != "forces":
        ruling = decide(state, command)
    chart = chart_of(hall, table.id)
    odds = column(chart, mine, theirs) if chart else ""
    sides = {role: _side(hall, table, sitter, battle, role, asks, state) for role in _ROLES}
    paid = payer in powers()
    own: Role = "defender" if sides["defender"].mine and not sides["attacker"].mine else "attacker"
    attacked = own == "defender" and battle.stage != "done"
    name = place_called(key).partition(" (")[0]
    view = BattleView(
        title=f"Attack on {name}"
        if battle.stage == "forces"
        else f"{name} is attacked"
        if attacked
        else f"Battle of {name}",
        under=f"{key.rpartition('/')[2]} · {calendar.moment_name(state.moment)}",
        worth=tuple(BattleWorth(f"{called(it)} {areas()[it].brp}", areas()[it].source) for it in areas_decided_by(key)),
        at=key,
        called=name,
        stage=battle.stage,
        mission=command.mission,
        missions=MISSIONS[_branch(command)],
        since=battle.since,
        brp=command.brp,
        payer=payer if paid else "",
        left=level(state, payer) - (0 if command.paid else command.brp) if paid else 0,
        multiplier=battle.multiplier,
        odds=plain_ratio(mine, theirs) if own == "attacker" else _turned(plain_ratio(mine, theirs)),
        next=_next_ratio(mine, theirs),
        when=_when(battle, sides["defender"]),
        own=own,
        attacker=sides["attacker"],
        defender=sides["defender"],
        support=_support(state, battle, key),
        faces=battle.faces,
        total=battle.total,
        thrown=battle.thrown,
        result=battle.result,
        asks=asks,
        understood=not battle.result or (battle.asks is None and asks.known),
        chart=tuple(ChartRow(n, cell(chart, odds, n)) for n in sorted(chart.rows)) if chart and odds else (),
        column=odds,
        chart_by=chart.by if chart else "",
        dice=chart.dice if chart else 2,
        checked=_checked(command, sides["defender"].name, paid) if not ruling.refusals else "",
        follows=_follows(ruling.records, reduce(apply, ruling.events, state)),
        refusals=tuple(refusal_line(state, ReportBattle, it) for it in ruling.refusals),
        off=_calling_off(hall, table, sitter, battle, sides),
        steps=battle.steps,
        wait=_wait(hall, table, battle, sides),
        ways=_ways(state, key, command),
        retreats=tuple(BattleGoing(it.nation, it.unit, it.count, it.place, it.to) for it in retreats(state, command)),
        takes=_marched(state, key, command),
        bar=_bar(battle, sides, own, asks),
        feet=_feet(state, battle, sides),
    )
    return replace(view, parts={it: drawn("sheet-battle-open.html", part=it, it=view) for it in _PARTS})


_PARTS = ("odds", "thrown", "follows")

_ROLES: tuple[Role, Role] = ("attacker", "defender")
#: What units do to a place, those most wanted first, by the branch of those that are sent.
MISSIONS = {
    "ground": ("attack", "attrition"),
    "air": ("bombing", "attack", "attack sea supply", "intercept naval mission", "intercept air transport", "other"),
    "naval": (
        "shore bombardment",
        "raid",
        "attack sea supply",
        "intercept naval mission",
        "submarine interception",
        "other",
    ),
}


def _branch(command: ReportBattle) -> str:
    sent = {it.branch for it in attackers(command)}
    return next((it for it in ("ground", "air", "naval") if it in sent), "ground")


def _outcome(state: State, battle: Battle) -> ReportBattle:
    """The report as it would be if all survivors on the ground advanced, once it is known who is lost.

    Where the result drives the defenders out, the place is thought of as left by those who have no hex yet.
    """
    command = command_of(battle)
    if battle.stage not in ("losses", "advance"):
        return command
    mine = [it for it in attackers(command) if it.branch == "ground"]
    stay = defenders(state, replace(command, defenders=())) if result_of(battle).back else []
    gone, away = losses(state, command), retreats(state, command)
    return replace(
        command,
        advances=_left(mine, gone),
        losses=(*command.losses, *_left(stay, [*gone, *away])),
    )


def _left(forces: list[Force], gone: list[Force]) -> tuple[str, ...]:
    """Who of these forces is neither lost nor gone, as reports name them."""
    off: dict[tuple[str, str, str], int] = {}
    for it in gone:
        off[_kind(it)] = off.get(_kind(it), 0) + it.count
    left = [(it, it.count - off.get(_kind(it), 0)) for it in forces]
    return tuple(f"{n} {it.unit} of {it.nation} at {it.place}" for it, n in left if n > 0)


def _checked(command: ReportBattle, against: str, paid: bool) -> str:
    brps = f"{command.brp} BRPs are in hand (39.11), " if paid and command.brp else ""
    return f"Checked and fine: {brps}the units stand there, {called(command.nation)} and {against} fight each other."


def _turned(odds: str) -> str:
    return " : ".join(reversed(odds.split(" : ")))


def _bar(battle: Battle, sides: dict[Role, BattleSide], own: Role, asks: ChartResult) -> str:
    """What is asked of the reader, or whom the battle waits for."""
    thrown = f"thrown {battle.total}, " if battle.total else ""
    it = sides[own]
    if battle.stage == "losses" and it.mine and not it.confirmed:
        some = f"you lose {it.wanted} factor{'s' * (it.wanted != 1)}"
        lost = "take off what is lost" if it.wanted is None else some
        back = " and go back" if own == "defender" and asks.back else ""
        return f"{thrown}{lost}{back}"
    wanted: tuple[Role, ...] = _asked(battle)
    if own in wanted and it.mine:
        return WANTED.get(battle.stage, "")
    return f"{thrown}waiting for {' and '.join(', '.join(sides[role].people) or sides[role].name for role in wanted)}"


def _asked(battle: Battle) -> tuple[Role, ...]:
    """The sides that must act at a step."""
    if battle.stage == "losses":
        return tuple(role for role in _ROLES if role not in battle.confirmed)
    return ("defender",) if battle.stage == "answer" else ("attacker",)


def _when(battle: Battle, answers: BattleSide) -> str:
    """Before what the odds stand so."""
    if battle.stage == "forces":
        return "before the answer"
    if battle.stage != "answer":
        return ""
    return "if you keep to it" if answers.mine else f"if {', '.join(answers.people) or answers.name} keeps to it"


def _calling_off(hall: Hall, table: Table, sitter: Sitter, battle: Battle, sides: dict[Role, BattleSide]) -> BattleOff:
    """Before dice fell the two sides settle it, then everybody who plays here."""
    undo = undoing.outlook(hall, table, sitter).asked if battle.thrown else None
    off: str = battle.off
    if undo is not None:
        off = "attacker" if undo.seat == battle.seat else "defender"
    mine = [role for role in _ROLES if sides[role].mine]
    if not off:
        return BattleOff(go="Call off" if mine else "")
    by = sides["attacker" if off == "attacker" else "defender"]
    agrees = undo.waits_for_me if undo is not None else bool({*mine} - {off})
    asks = f"{', '.join(by.people) or by.name} asks to call it off"
    return BattleOff(off, asks, "Agree to call it off" if agrees else "")


#: How people are told of it when they are not at the table.
_TOLD_BY = {"mail": "by e-mail", "webhook": "in their chat"}
_WANTS: dict[str, str] = {
    "answer": "Aircraft and ships in support, or none; then the dice are thrown.",
    "throw": "The dice, or the result by your own.",
    "losses": "What is lost, and who goes back.",
    "advance": "Who advances into the hex, or that they stay.",
}
_DEEDS: dict[str, str] = {"answer": "answers", "throw": "throws", "losses": "takes off what is lost"}


def _wait(hall: Hall, table: Table, battle: Battle, sides: dict[Role, BattleSide]) -> BattleWait | None:
    """Whom it waits for but the reader, and how they were told."""
    asked = [sides[role] for role in _asked(battle) if not sides[role].mine]
    if battle.stage in ("forces", "done") or not asked:
        return None
    who = joined([", ".join(it.people) or it.name for it in asked])
    chairs = [it for it in hall.seats(table.id) if it.role == "player" and {it.power for it in asked} & {*it.powers}]
    sitting = hall.sitters(table.id)
    people = [person.id for seat in chairs for person in sitting.get(seat.id, [])]
    ways = {way.way for id in people for way in hall.notices.ways(id).values() if way.on and way.way in _TOLD_BY}
    told = joined(["at the table", *(_TOLD_BY[it] for it in sorted(ways))])
    return BattleWait(
        said=f"{who} may advance"
        if battle.stage == "advance"
        else f"{who} {_DEEDS[battle.stage]} for {joined([it.name for it in asked])}",
        more=_WANTS[battle.stage],
        since=battle.steps[-1].when if battle.steps else battle.since,
        told=f"Told {told}." if people else "Nobody sits there: the referee may act, or the attacker for both.",
    )


def _feet(state: State, battle: Battle, sides: dict[Role, BattleSide]) -> dict[Role, BattleFoot]:
    return {role: _foot(state, battle, sides, role) for role in _asked(battle)}


def _foot(state: State, battle: Battle, sides: dict[Role, BattleSide], role: Role) -> BattleFoot:
    it = sides[role]
    if battle.stage == "forces":
        brp = battle.report.get("brp", 0)
        answers = ", ".join(sides["defender"].people) or sides["defender"].name
        off = "" if battle.report.get("attackers") else "nobody is sent"
        return BattleFoot(f"{answers} answers next.", "", f"Attack: {brp} BRPs" if brp else "Attack", "attack", off)
    if battle.stage == "answer":
        sent = sum(one.lost for one in _support(state, battle, place_key(battle.report["at"])))
        return BattleFoot(
            "Aircraft and ships in support, or none.", "", f"Answer: {sent or 'none'}{' sent' * bool(sent)}", "answer"
        )
    if battle.stage == "losses":
        gone = _counted([one for one in it.units if one.lost])
        said = f"{it.name} loses {gone}." if gone else "Tap what is lost."
        return BattleFoot(
            said, "Tap a counter to change it.", f"Confirm for {it.name}", "losses", missing(state, battle, role)
        )
    if battle.stage == "throw":
        return BattleFoot("", "", "", "throw")
    return BattleFoot("Drag who advances into the hex,", "tap them, or all of them go.", "All advance", "end")


def _counted(units: list[BattleUnit]) -> str:
    return ", ".join(f"{it.lost} {it.unit}" for it in units)


#: What of a battle's outcome is told as what follows; the rest is the sheet itself.
FOLLOWS = (events.AreaTaken, events.Promised, events.Closed, events.StatusChanged, events.PowerChanged)


def _follows(records: Sequence[GameRecord], after: State) -> tuple[EventLine, ...]:
    """What follows of a battle; of what will fall due then, when, how much, and what would avert it."""
    told = [it for it in records if isinstance(it.event, FOLLOWS)]
    promised = any(isinstance(it.event, events.Promised) for it in told)
    due = {it.id: it for it in agenda_lines(after)} if promised else {}
    return tuple(replace(line, text=_due(due, it.event) or line.text) for it in told for line in (event_line(it),))


def _due(due: dict[str, AgendaLine], event: Event) -> str:
    it = due.get(f"P{event.promise.id}") if isinstance(event, events.Promised) else None
    if it is None:
        return ""
    brps = f"{called(it.power)} {it.comes_to:+d} BRPs, " if it.comes_to else ""
    return f"{brps}{it.due}: {it.text}{f'; averted by {it.averted_by}' if it.averted_by else ''}"


def _side(
    hall: Hall, table: Table, sitter: Sitter, battle: Battle, role: Role, result: ChartResult, state: State
) -> BattleSide:
    command = command_of(battle)
    nation = command.nation if role == "attacker" else defender(state, command)
    units = attackers(command) if role == "attacker" else defending(state, battle)
    fought = {_kind(it): it.count for it in units}
    if role == "defender" and battle.stage in ("losses", "advance"):
        # Who stands there without fighting may be lost and makes way too.
        there = defenders(state, replace(command, defenders=()))
        units = list({**{_kind(it): it for it in units}, **{_kind(it): it for it in there}}.values())
    gone = [it for it in losses(state, command) if any(_kind(it) == _kind(unit) for unit in units)]
    wanted = result.attacker if role == "attacker" else result.defender
    power = battle.answers if role == "defender" else patron(state, nation)
    sitting = hall.sitters(table.id)
    chairs = [it for it in hall.seats(table.id) if it.role == "player" and power in it.powers]
    return BattleSide(
        nation=nation,
        name=called(nation),
        power=power if power in powers() else "",
        people=tuple(person.name for it in chairs for person in sitting.get(it.id, [])),
        units=tuple(_unit(it, gone, fought) for it in units),
        factors=sum(parse_unit(unit)[1] * count for (_, unit, _), count in fought.items()),
        lost=sum(it.factors for it in gone),
        # Nobody loses more than there is.
        wanted=None if wanted is None else min(wanted, sum(it.factors for it in units)),
        confirmed=role in battle.confirmed,
        mine=plays(hall, table, sitter, battle, role) or (role == "attacker" and battle.stage == "forces"),
        referee=sitter.referee is not None,
    )


def _kind(it: Force) -> tuple[str, str, str]:
    return it.nation, it.unit, it.place


def _unit(it: Force, gone: list[Force], fought: dict[tuple[str, str, str], int] | None = None) -> BattleUnit:
    return BattleUnit(
        nation=it.nation,
        unit=it.unit,
        count=it.count,
        place=it.place,
        called=place_called(it.place),
        branch=it.branch,
        factors=parse_unit(it.unit)[1],
        lost=sum(other.count for other in gone if _kind(it) == _kind(other)),
        idle=0 if fought is None else it.count - fought.get(_kind(it), 0),
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
    sent = (
        [it for it in defending(state, battle) if it.branch in ("air", "naval")] if "defenders" in battle.report else []
    )
    return tuple(_unit(it, sent) for it in mine[:12])


def _ways(state: State, key: str, command: ReportBattle) -> tuple[str, ...]:
    if board_of(key) == "box":
        return ()
    beside = (it for it in board(board_of(key)).neighbours(by_key(key).id) if it.is_land)
    mine = side_of(state, command.nation)
    return tuple(it.key for it in beside if _holds_otherwise(state, it.key, mine))


def _holds_otherwise(state: State, key: str, side: str) -> bool:
    by = holder(state, key)
    return bool(by) and (by in powers() or by in state.countries) and side_of(state, by) != side


def _marched(state: State, key: str, command: ReportBattle) -> tuple[str, ...]:
    """Hexes that the enemy's side holds with nobody in them beside the place and beside those who attack it."""
    if board_of(key) == "box":
        return ()
    one, mine = board(board_of(key)), side_of(state, command.nation)
    near = {it.key for it in one.neighbours(by_key(key).id)}
    from_ = {it.place for it in attackers(command) if it.branch == "ground" and board_of(it.place) == one.name}
    beside = {it.key for place in from_ for it in one.neighbours(by_key(place).id) if it.is_land}
    gone = {it.to for it in retreats(state, command)}
    free = (it for it in (near & beside) - gone if not state.pieces.at(Place(it)))
    return tuple(sorted(it for it in free if _holds_otherwise(state, it, mine)))
