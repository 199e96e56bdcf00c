"""The API of battles: attack, answer, throw, take off losses, advance, call off; and the group's own chart."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.game.journal import Move
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.table import Roll
from warcabinet.web.api.api_hall import say_to_all
from warcabinet.web.api.api_play import Since, T, enter, tell_moves
from warcabinet.web.hall.rights import may_play
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.log_lines import MoveLine
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.table.table_view import TableUpdate, table_update
from warcabinet.web.turns import battles
from warcabinet.web.turns.battle_view import BattleView, fought, prepared
from warcabinet.web.turns.battles import Forces
from warcabinet.web.turns.charts import Chart, ChartResult, read_chart
from warcabinet.web.turns.confirming import keep_for_confirmation

Nation = Annotated[str, Meta(max_length=40)]


class Fought(msgspec.Struct, frozen=True):
    """What became of a step of a battle: the moves that came of it, and what changed for the page."""

    moves: tuple[MoveLine, ...]
    update: TableUpdate


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who attacks what, from where, by which mission and at what price."""

    nation: Nation
    at: Annotated[str, Meta(max_length=60)]
    attackers: Forces
    mission: Annotated[str, Meta(max_length=40)] = "attack"
    against: Nation = ""
    defenders: Forces = ()
    brp: Annotated[int, Meta(ge=0, le=999)] = 0
    front: Literal["", "western", "mediterranean", "eastern"] = ""
    #: By how much the defenders' factors count, by the group's own rules.
    multiplier: Annotated[int, Meta(ge=1, le=9)] = 1
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle", "Attack: the battle waits for its defender")
def attack(ask: Ask[Since, Attack]) -> Fought:
    with ask.table() as table:
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        known, multiplier = _known(ask.body)
        paid: list[Move] = []

        def pay(price: Spend) -> Move:
            paid.append(enter(ask, table, price))
            return paid[0]

        battle = battles.begun(ask.server.hall, table, ask.sitter, known, multiplier, pay)
        say_to_all(ask, ask.id, f"{battles.title_of(battle)}: {battles.odds_of(table.game.state, battle)}")
        return _told(ask, table, paid)


def _known(body: Attack) -> tuple[dict[str, Any], int]:
    known = msgspec.to_builtins(body)
    known.pop("seq_seen")
    return known, known.pop("multiplier")


@endpoint("POST", T + "/battle/outlook", "An attack that is thought of, as its sheet would show it; nothing is told")
def outlook(ask: Ask[None, Attack]) -> BattleView:
    with ask.table() as table:
        may_play(ask.sitter)
        return prepared(ask.server.hall, table, ask.sitter, *_known(ask.body))


class OfMove(msgspec.Struct, frozen=True):
    move: Annotated[int, Meta(ge=1, le=2**31, description="the entry of a battle in the log")]


@endpoint("GET", T + "/battle", "A battle that stands in the log: before and after, what followed, its steps")
def one_battle(ask: Ask[OfMove, None]) -> BattleView:
    with ask.table() as table:
        move = ask.query.move
        found = table.game.journal.move(move) if move <= table.game.head.id else None
        if found is None or not isinstance(found.command, ReportBattle):
            raise Problem(404, f"entry {move} is no battle")
        return fought(ask.server.hall, table, ask.sitter, found)


class Support(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent in support of the place: none, if nothing is named."""

    support: Forces = ()
    #: Whether it is the answer, or only what is tapped so far.
    confirm: bool = True
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle/answer", "The defender sends aircraft and ships in support, or none")
def answer(ask: Ask[Since, Support]) -> Fought:
    with ask.table() as table:
        battles.answered(ask.server.hall, table, ask.sitter, ask.body.support, ask.body.confirm)
        return _told(ask, table)


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many dice the server throws; or the total of the group's own; or neither, where the result is only typed."""

    dice: Annotated[int, Meta(ge=0, le=6)] = 0
    total: Annotated[int, Meta(ge=0, le=36)] = 0
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle/throw", "Throw the server's committed dice for a battle, or say what was thrown")
def throw(ask: Ask[Since, Dice]) -> Fought:
    with ask.table() as table:
        battle = battles.acting(ask.server.hall, table, ask.sitter, "attacker", "throw")
        if ask.body.dice and ask.body.total:
            raise Problem(400, "either the server's dice are thrown or your own total is typed")
        moves: list[Move] = []
        purpose = f"{battles.title_of(battle)}, {battles.odds_of(table.game.state, battle)}"
        for _ in range(ask.body.dice):
            batch = battle.began or (moves[0].id if moves else 0)
            moves.append(table.game.do(Roll(purpose=purpose, seat=battle.seat), batch=batch))
        faces = tuple(face for move in moves for face in move.faces)
        total = sum(faces) or ask.body.total
        battles.thrown(ask.server.hall, table, ask.sitter, faces, total, moves[0].id if moves else 0)
        return _told(ask, table, moves)


class Losses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a side takes off, who goes back and where, the result as typed, and whether it stands by this."""

    side: battles.Role
    losses: Forces = ()
    retreats: Forces = ()
    result: Annotated[str, Meta(max_length=120)] | None = None
    confirm: bool = False
    #: Why more or fewer are taken off than the result asks for.
    why: Annotated[str, Meta(max_length=120)] = ""
    #: What a result asks for that is written in the group's own words.
    asks: ChartResult | None = None
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle/losses", "A side takes off what it lost and says who goes back, and confirms it")
def take_off(ask: Ask[Since, Losses]) -> Fought:
    it = ask.body
    with ask.table() as table:
        chosen = battles.Lost(it.side, it.losses, it.retreats, it.result, it.confirm, it.why, it.asks)
        battles.chosen(ask.server.hall, table, ask.sitter, chosen)
        return _told(ask, table)


class Advancing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who advances into the place, and what else was taken on the way; nobody: they stay."""

    advances: Forces = ()
    takes: Forces = ()
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle/end", "Advance or stay: the battle is over and becomes one line of the log")
def end(ask: Ask[Since, Advancing]) -> Fought:
    with ask.table() as table:
        hall = ask.server.hall
        command = battles.ended(hall, table, ask.sitter, ask.body.advances, ask.body.takes)
        battle = battles.battle_at(hall, table.id)
        batch = battle.began if battle is not None and table.game.head.batch == battle.began else 0
        move = enter(ask, table, command, batch)
        battles.over(hall, table, ask.sitter, move.id, not ask.body.advances)
        return _told(ask, table, [move])


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq_seen: Annotated[int, Meta(ge=0, le=2**31)] | None = None


@endpoint("POST", T + "/battle/off", "Call a battle off, by both sides")
def call_off(ask: Ask[Since, Nothing]) -> Fought:
    with ask.table() as table:
        battle = battles.battle_at(ask.server.hall, table.id)
        off = battles.called_off(ask.server.hall, table, ask.sitter)
        if battle is not None:
            told = "is called off" if off else "is to be called off: the other side is asked"
            say_to_all(ask, ask.id, f"{battles.title_of(battle)} {told} ({ask.sitter.person.name})")
        return _told(ask, table)


def _told(ask: Ask[Since, object], table: Table, moves: list[Move] | None = None) -> Fought:
    """Tell everybody, and the doer what changed."""
    said = tell_moves(ask, table, moves) if moves else ()
    if not moves:
        ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
        ask.server.herald.moved(ask.id, ask.sitter.person.id)
    return Fought(said, table_update(ask, table, ask.query.since))


class ChartText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chart as it is typed: a line of odds, then a line for each total; empty: none any more."""

    text: Annotated[str, Meta(max_length=8000)]


class ChartHere(msgspec.Struct, frozen=True):
    chart: Chart | None


@endpoint("GET", T + "/chart", "The group's own chart of results, if one was typed")
def chart(ask: Ask[None, None]) -> ChartHere:
    return ChartHere(battles.chart_of(ask.server.hall, ask.id))


@endpoint("PUT", T + "/chart", "Type the group's own chart of results, once for this table", programs=False)
def type_chart(ask: Ask[None, ChartText]) -> ChartHere:
    may_play(ask.sitter)
    text = ask.body.text.strip()
    made = read_chart(text, ask.sitter.person.name) if text else None
    ask.server.hall.evening.keep(ask.id, battles.CHART, made)
    say_to_all(ask, ask.id, f"{ask.sitter.person.name} {'typed' if made else 'took away'} the chart of results")
    _news(ask)
    return ChartHere(made)


def _news(ask: AnyAsk) -> None:
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
