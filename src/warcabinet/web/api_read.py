"""The API of a game, looking: reasons, sheets, log, map and files. Nothing here changes anything."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.store.transfer import ledger_csv
from warcabinet.web import acting, boards, ground, lines, sheets
from warcabinet.web.api_play import At, Moment, T
from warcabinet.web.endpoints import Answer, Ask, endpoint
from warcabinet.web.errors import Problem
from warcabinet.web.tables import sealed_export


class Explain(msgspec.Struct, frozen=True):
    rule: Annotated[str, Meta(description="a value or definition by name")]
    args: Annotated[str, Meta(description="for whom or what, separated by commas")] = ""
    at: At | None = None


@endpoint("GET", T + "/explain", "How a value comes about, to the clause", query=Explain)
def explain(ask: Ask) -> dict[str, Any]:
    args = tuple(part.strip() for part in ask.query.args.split(",") if part.strip())
    with ask.table() as table:
        return sheets.explain_view(table.moment(ask.query.at)[1], ask.query.rule, args)


class Figure(msgspec.Struct, frozen=True):
    path: Annotated[str, Meta(description="a figure by name, such as powers.germany.base")]
    at: At | None = None


@endpoint("GET", T + "/figure", "A public figure, with its reasons where a rule computes it", query=Figure)
def figure(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return sheets.figure_view(table.moment(ask.query.at)[1], ask.query.path)


class Account(msgspec.Struct, frozen=True):
    account: Annotated[str, Meta(description="an account such as brp/germany")]


@endpoint("GET", T + "/ledger", "Every posting that made an account what it is", query=Account)
def ledger(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return sheets.ledger_view(table.game, ask.query.account)


class Forecast(msgspec.Struct, frozen=True):
    mode: Literal["stands", "due"] = "stands"
    at: At | None = None


@endpoint("GET", T + "/forecast", "The next year start as it stands, or with what falls due", query=Forecast)
def forecast(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return sheets.forecast_view(table.moment(ask.query.at)[1], ask.query.mode)


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure by its public name, and what it would be."""

    figure: Annotated[str, Meta(max_length=80)]
    to: int


class Supposed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A year start reckoned from a position in which some figures are other than they are."""

    changes: Annotated[tuple[Change, ...], Meta(max_length=40)] = ()
    mode: Literal["stands", "due"] = "stands"
    at: At | None = None


@endpoint("POST", T + "/forecast", "The next year start if some figures were other than they are", body=Supposed)
def suppose(ask: Ask) -> dict[str, Any]:
    body: Supposed = ask.body
    with ask.table() as table:
        state = table.moment(body.at)[1]
        supposed = sheets.supposed(state, [(it.figure, it.to) for it in body.changes])
        return sheets.forecast_view(supposed, body.mode, state)


class Reckoned(Supposed, frozen=True):
    """A figure of the sheet that was reckoned under the same suppositions."""

    rule: Annotated[str, Meta(max_length=60)] = "year_total"
    power: Annotated[str, Meta(max_length=20)] = "germany"


@endpoint("POST", T + "/forecast/explain", "How a figure of the forecast comes about, to the clause", body=Reckoned)
def forecast_explain(ask: Ask) -> dict[str, Any]:
    body: Reckoned = ask.body
    with ask.table() as table:
        state = table.moment(body.at)[1]
        changed = sheets.supposed(state, [(it.figure, it.to) for it in body.changes])
        return sheets.forecast_reasons(changed, body.mode, body.rule, body.power)


@endpoint("GET", T + "/agenda", "What falls due, soonest first", query=Moment)
def agenda(ask: Ask) -> list[dict[str, Any]]:
    with ask.table() as table:
        return sheets.agenda_view(table.moment(ask.query.at)[1])


class LogQuery(msgspec.Struct, frozen=True):
    power: str = ""
    clause: str = ""
    phase: str = ""
    turn: str = ""
    before: Annotated[int, Meta(ge=0, le=2**31)] = 0
    most: Annotated[int, Meta(ge=1, le=200)] = 60
    at: At | None = None


@endpoint("GET", T + "/log", "The log, newest first, by power, clause, turn or phase", query=LogQuery)
def log(ask: Ask) -> list[dict[str, Any]]:
    q = ask.query
    with ask.table() as table:
        move, _ = table.moment(q.at)
        return lines.log(table.game, lines.Filter(q.power, q.clause, q.phase, q.turn, q.before, q.most), move.id)


@endpoint("GET", T + "/moves/{move}", "One move with all that followed from it, each with its reasons")
def one_move(ask: Ask) -> dict[str, Any]:
    if not ask.path["move"].isdigit():
        raise Problem(404, "a move is a number")
    with ask.table() as table:
        at = min(int(ask.path["move"]), 2**31)
        table.moment(at)
        return lines.move_line(table.game.journal.move(at), table.game.line(), everything=True)


@endpoint("GET", T + "/charts", "Every power's BRPs over the war, and where they went", query=Moment)
def charts(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        move, state = table.moment(ask.query.at)
        key = ("charts", move.id, table.game.head.id)
        made: dict[str, Any] = table.once(key, lambda: sheets.charts_view(table.game, move, state))
        return made


@endpoint(
    "GET", T + "/countries/{country}", "A country: standing, what it brings, orders about it, history", query=Moment
)
def country(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return sheets.country_view(table.game, table.moment(ask.query.at)[1], ask.path["country"])


@endpoint("GET", T + "/powers/{power}", "All that is reckoned for a power", query=Moment)
def one_power(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return sheets.power_view(table.moment(ask.query.at)[1], ask.path["power"])


class HexQuery(msgspec.Struct, frozen=True):
    key: Annotated[str, Meta(description="a hex such as europe/M25")]
    at: At | None = None


@endpoint("GET", T + "/hex", "A hex: its land, places, holder, and which orders may not name it", query=HexQuery)
def one_hex(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        move, state = table.moment(ask.query.at)
        seen = boards.hex_view(state, ask.query.key)
        if move.id != table.game.head.id:
            return {**seen, "refused": []}
        key = ("offered", move.id, ask.sitter.powers, ask.sitter.referee is not None, bool(ask.sitter.players))
        offered = table.once(key, lambda: acting.offered(state, ask.sitter))
        return {**seen, "refused": ground.refused_at(state, offered, ask.query.key)}


class LineQuery(msgspec.Struct, frozen=True):
    start: Annotated[str, Meta(description="a place or hex")]
    end: Annotated[str, Meta(description="a place or hex on the same board")]
    at: At | None = None


@endpoint("GET", T + "/line", "A way over land that one alliance faction holds, or what cuts it", query=LineQuery)
def land_line(ask: Ask) -> dict[str, Any]:
    with ask.table() as table:
        return boards.land_line(table.moment(ask.query.at)[1], ask.query.start, ask.query.end)


class ZoneQuery(msgspec.Struct, frozen=True):
    board: Literal["europe", "pacific"]
    at: At | None = None


@endpoint("GET", T + "/zones", "The hexes in the zones of control of each nation's armor", query=ZoneQuery)
def zones(ask: Ask) -> dict[str, list[str]]:
    with ask.table() as table:
        return boards.zones(table.moment(ask.query.at)[1], ask.query.board)


class SupplyQuery(msgspec.Struct, frozen=True):
    board: Literal["europe", "pacific"]
    power: Annotated[str, Meta(description="whose lines")]
    to: Annotated[str, Meta(description="a place or hex to which a line is wanted", max_length=60)] = ""
    at: At | None = None


@endpoint(
    "GET", T + "/supply", "How far a power's supply lines reach by land and sea, and what cuts them", query=SupplyQuery
)
def supply(ask: Ask) -> dict[str, Any]:
    q: SupplyQuery = ask.query
    with ask.table() as table:
        return ground.supply(table.moment(q.at)[1], ground.the_board(q.board), q.power, q.to)


@endpoint("GET", T + "/export", "The game as an open save: a line of JSON a move")
def export(ask: Ask) -> Answer:
    may_read = ask.sitter
    with ask.table() as table:
        text = "\n".join(sealed_export(table.game)) + "\n"
    name = "".join(c if c.isalnum() else "-" for c in may_read.table.title) or "game"
    return Answer(content=text.encode(), media="application/x-ndjson", filename=f"{name}.jsonl")


@endpoint("GET", T + "/ledger.csv", "Every posting of the game as CSV")
def ledger_file(ask: Ask) -> Answer:
    with ask.table() as table:
        return Answer(content=ledger_csv(table.game).encode(), media="text/csv; charset=utf-8", filename="ledger.csv")
