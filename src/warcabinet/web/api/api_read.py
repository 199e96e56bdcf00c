"""The API of a game, looking: reasons, sheets, log, map and files. Nothing here changes anything."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.board.names import places
from warcabinet.game.demo import Scene
from warcabinet.game.engine import as_command
from warcabinet.model.commands.aid import GrantBrps, SailConvoy
from warcabinet.model.places import place_key
from warcabinet.views.china_view import ChinaView, china_view
from warcabinet.views.compare import Compared
from warcabinet.views.garrison_page import garrison_page
from warcabinet.views.garrison_parts import GarrisonPage
from warcabinet.views.sums import due_sum, posted_sum
from warcabinet.web.api.api_play import At, Moment, T
from warcabinet.web.map import map_questions
from warcabinet.web.map.control_since import held_since
from warcabinet.web.map.legal_places import the_board
from warcabinet.web.map.map_questions import BoxFacts, HexFacts, LandLine
from warcabinet.web.map.supply_layer import SupplyReach, supply_reach
from warcabinet.web.orders import log_lines
from warcabinet.web.orders.log_lines import MoveLine
from warcabinet.web.orders.place_orders import OrdersHere, orders_here
from warcabinet.web.orders.reasons import (
    AccountSheet,
    Explanation,
    FigureReading,
    account_sheet,
    explanation,
    figure_reading,
)
from warcabinet.web.plumbing.problems import Problem, not_found
from warcabinet.web.sheets import aid_part, power_sheet
from warcabinet.web.sheets.agenda_lines import AgendaLine, agenda_lines
from warcabinet.web.sheets.aid_sheet import AidSheet, aid_sheet, grants_by_turn
from warcabinet.web.sheets.country_sheet import CountrySheet, country_sheet, middle_of
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.sheets.hex_part import HexPart, hex_part
from warcabinet.web.sheets.level_charts import chart_parts, growing_chart
from warcabinet.web.sheets.meanwhile import meanwhile_part
from warcabinet.web.sheets.opened import Drawer, ToOpen
from warcabinet.web.sheets.pool_sheet import PoolSheet, pool_sheet
from warcabinet.web.sheets.power_sheet import Charts, PowerSheet
from warcabinet.web.sheets.sum_sheet import SumSheet, sum_sheet
from warcabinet.web.sheets.year_sheet import Mode, YearSheet, supposed, year_sheet, year_sheet_reasons
from warcabinet.web.table.endpoints import Answer, AnyAsk, Ask, endpoint
from warcabinet.web.table.reckoning import reckoned
from warcabinet.web.table.table_view import offers_of, waiting_now
from warcabinet.web.turns.replays import replay_made, watching
from warcabinet.web.turns.year_pages import forecast_page


class Explain(msgspec.Struct, frozen=True):
    rule: Annotated[str, Meta(description="a value or definition by name")]
    args: Annotated[str, Meta(description="for whom or what, separated by commas")] = ""
    at: At | None = None


@endpoint("GET", T + "/explain", "How a value comes about, to the clause")
def explain(ask: Ask[Explain, None]) -> Explanation:
    args = tuple(part.strip() for part in ask.query.args.split(",") if part.strip())
    with ask.table() as table:
        return explanation(table.moment(ask.query.at)[1], ask.query.rule, args)


class Figure(msgspec.Struct, frozen=True):
    path: Annotated[str, Meta(description="a figure by name, such as powers.germany.base")]
    at: At | None = None


@endpoint("GET", T + "/figure", "A public figure, with its reasons where a rule computes it")
def figure(ask: Ask[Figure, None]) -> FigureReading:
    with ask.table() as table:
        return figure_reading(table.moment(ask.query.at)[1], ask.query.path)


class Account(msgspec.Struct, frozen=True):
    account: Annotated[str, Meta(description="an account such as brp/germany")]
    purpose: Annotated[str, Meta(description="only what served this purpose, as the charts name it")] = ""
    at: At | None = None


@endpoint("GET", T + "/ledger", "Every posting that made an account what it is")
def ledger(ask: Ask[Account, None]) -> AccountSheet:
    with ask.table() as table:
        upto = table.moment(ask.query.at)[0].id if ask.query.at else 0
        return account_sheet(table.game, ask.query.account, upto, ask.query.purpose)


class Amount(msgspec.Struct, frozen=True):
    move: Annotated[int, Meta(ge=1, le=2**31, description="the move that moved the BRPs")]
    event: Annotated[int, Meta(ge=0, le=2**31, description="the number of the event in it")]
    power: Annotated[str, Meta(description="whose BRPs, where the event moves those of several")] = ""


@endpoint("GET", T + "/sum", "An amount of the log or the ledger, opened to the clauses that made it")
def one_sum(ask: Ask[Amount, None]) -> SumSheet:
    q = ask.query
    with ask.table() as table:
        table.moment(q.move)
        return sum_sheet(posted_sum(table.game, table.game.journal.move(q.move), q.event, q.power))


class DueQuery(msgspec.Struct, frozen=True):
    id: Annotated[str, Meta(description="an item of the agenda", max_length=80)]
    at: At | None = None


@endpoint("GET", T + "/agenda/sum", "What something on the agenda would come to, opened to its clauses")
def one_due(ask: Ask[DueQuery, None]) -> SumSheet:
    with ask.table() as table:
        return sum_sheet(due_sum(table.moment(ask.query.at)[1], ask.query.id))


class Forecast(msgspec.Struct, frozen=True):
    mode: Mode = "stands"
    at: At | None = None


@endpoint("GET", T + "/forecast", "The next year start as it stands, or with what falls due")
def forecast(ask: Ask[Forecast, None]) -> YearSheet:
    with ask.table() as table:
        return year_sheet(table.moment(ask.query.at)[1], ask.query.mode)


class SupposedFigure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure by its public name, and what it would be."""

    figure: Annotated[str, Meta(max_length=80)]
    to: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class Supposed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A year start reckoned from a position in which some figures are other than they are."""

    changes: Annotated[tuple[SupposedFigure, ...], Meta(max_length=40)] = ()
    mode: Mode = "stands"
    at: At | None = None


@endpoint("POST", T + "/forecast", "The next year start if some figures were other than they are")
def suppose(ask: Ask[None, Supposed]) -> YearSheet:
    body = ask.body
    with ask.table() as table:
        state = table.moment(body.at)[1]
        changed = supposed(state, [(it.figure, it.to) for it in body.changes])
        return year_sheet(changed, body.mode, state)


class ForecastLook(Supposed, frozen=True):
    """How the page is looked at: what is supposed is typed into it, or only read."""

    typed: bool = False


@endpoint("POST", T + "/forecast/page", "The same as a part of a page", media="text/html; charset=utf-8")
def drawn_forecast(ask: Ask[None, ForecastLook]) -> str:
    body, sheet = ask.body, suppose(ask)
    with ask.table() as table:
        changed = {it.figure: it.to for it in body.changes}
        mode = "mine" if body.typed else body.mode
        return forecast_page(sheet, table.moment(body.at)[1], ask.sitter, mode, changed)


class SupposedCell(Supposed, frozen=True):
    """A figure of the sheet that was reckoned under the same suppositions."""

    rule: Annotated[str, Meta(max_length=60)] = "year_total"
    power: Annotated[str, Meta(max_length=20)] = "germany"


@endpoint("POST", T + "/forecast/explain", "How a figure of the forecast comes about, to the clause")
def forecast_explain(ask: Ask[None, SupposedCell]) -> Explanation:
    return _supposed_reasons(ask, ask.body, ask.body.rule, ask.body.power)


def _supposed_reasons(ask: AnyAsk, body: Supposed, rule: str, power: str) -> Explanation:
    with ask.table() as table:
        changed = supposed(table.moment(body.at)[1], [(it.figure, it.to) for it in body.changes])
        return year_sheet_reasons(changed, body.mode, rule, power)


class ToOpenHere(ToOpen, frozen=True, forbid_unknown_fields=True):
    """What was pressed on a page; a figure of a forecast comes with what is supposed there."""

    supposed: Supposed | None = None
    year: Annotated[int, Meta(ge=1930, le=1960)] | None = None
    power: Annotated[str, Meta(max_length=20)] = ""
    column: Annotated[str, Meta(max_length=20, description="of a year start: a column of its sheet")] = ""


@endpoint(
    "POST",
    T + "/opened",
    "Whatever was pressed, opened to what it rests on, as a part of a page",
    media="text/html; charset=utf-8",
)
def opened(ask: Ask[None, ToOpenHere]) -> str:
    body = ask.body
    told: Explanation | None = None
    if body.column:
        told = reckoned(ask, "year figure", body.year, body.power, body.column)
    elif body.supposed:
        told = _supposed_reasons(ask, body.supposed, body.rule, body.args)
    with ask.table() as table:
        move, state = table.moment(body.at)
        now = move.id == table.game.head.id
        drawer = Drawer(table.game, move, state, now, ask.base, ask.sitter.table.id)
        return drawer.opened(body) if told is None else drawer.reasons(told)


class AidPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Grants that somebody thinks of; nothing is done."""

    plan: Annotated[tuple[GrantBrps | SailConvoy, ...], Meta(max_length=20)] = ()
    at: At | None = None


@endpoint("POST", T + "/aid", "Roads for aid, who may grant to whom, what a plan of grants comes to")
def aid(ask: Ask[None, AidPlan]) -> AidSheet:
    body = ask.body
    with ask.table() as table:
        move, state = table.moment(body.at)
        by_turn = table.once(("aid by turn", move.id, table.game.head.id), lambda: grants_by_turn(table.game, move.id))
        spelled: list[Any] = [as_command(it) for it in body.plan]
        return aid_sheet(table.game, move, state, spelled, by_turn)


class AidLook(AidPlan, frozen=True):
    """How the page is looked at: which pair is being planned, and what is shown."""

    pair: Annotated[str, Meta(max_length=50, description="a grantor and a recipient, such as usa britain")] = ""
    mode: aid_part.Mode = "phase"


@endpoint("POST", T + "/aid/page", "The same as parts of a page, with the grant under way", programs=False)
def drawn_aid(ask: Ask[None, AidLook]) -> aid_part.AidPart:
    body, sheet = ask.body, aid(ask)
    with ask.table() as table:
        move, state = table.moment(body.at)
        offers = offers_of(table, ask.sitter, move.id) if move.id == table.game.head.id else None
        return aid_part.aid_part(sheet, state, ask.sitter, offers, body.pair, body.mode)


@endpoint("GET", T + "/agenda", "What falls due, soonest first")
def agenda(ask: Ask[Moment, None]) -> list[AgendaLine]:
    with ask.table() as table:
        return list(agenda_lines(table.moment(ask.query.at)[1]))


class LogQuery(msgspec.Struct, frozen=True):
    power: str = ""
    clause: str = ""
    phase: str = ""
    turn: str = ""
    before: Annotated[int, Meta(ge=0, le=2**31)] = 0
    most: Annotated[int, Meta(ge=1, le=200)] = 60
    at: At | None = None


@endpoint("GET", T + "/log", "The log, newest first, by power, clause, turn or phase")
def log(ask: Ask[LogQuery, None]) -> list[MoveLine]:
    q = ask.query
    with ask.table() as table:
        move, _ = table.moment(q.at)
        return log_lines.log(
            table.game, log_lines.Filter(q.power, q.clause, q.phase, q.turn, q.before, q.most), move.id
        )


@endpoint("GET", T + "/moves/{move}", "One move with all that followed from it, each with its reasons")
def one_move(ask: Ask[None, None]) -> MoveLine:
    if not (ask.path["move"].isascii() and ask.path["move"].isdigit()):
        raise Problem(404, "a move is a number")
    with ask.table() as table:
        at = int(ask.path["move"][:10])
        table.moment(at)
        return log_lines.move_line(table.game.journal.move(at), table.game.line(), everything=True)


@endpoint("GET", T + "/charts", "Every power's BRPs over the war, and where they went")
def charts(ask: Ask[Moment, None]) -> Charts:
    with ask.table() as table:
        move, state = table.moment(ask.query.at)
        key = ("charts", move.id, table.game.head.id)
        return table.once(key, lambda: power_sheet.charts(table.game, move, state))


@endpoint("GET", T + "/charts/growing", "The levels as a small drawing", media="text/html; charset=utf-8")
def growing_levels(ask: Ask[Moment, None]) -> str:
    data = charts(ask)
    return growing_chart(data) if any(data.series.values()) else ""


class SinceMove(msgspec.Struct, frozen=True):
    since: Annotated[int, Meta(ge=0, le=2**31, description="a move: what came after it; 0: the last turn")] | None = (
        None
    )


@endpoint("GET", T + "/story", "The scenes of what happened since a move; without one, of the demonstration alone")
def story(ask: Ask[SinceMove, None]) -> tuple[Scene, ...]:
    told: tuple[Scene, ...]
    told = reckoned(ask, "story") if ask.query.since is None else reckoned(ask, "scenes", ask.query.since)
    return told


class Meanwhile(msgspec.Struct, frozen=True):
    """What happened since a move: its scenes, and the part of the page beside the map, as it stands now."""

    scenes: tuple[Scene, ...]
    drawn: str


@endpoint("GET", T + "/meanwhile", "What happened since a move, scene by scene, what changed by it and what waits now")
def meanwhile(ask: Ask[SinceMove, None]) -> Meanwhile:
    told: tuple[Scene, ...] = reckoned(ask, "scenes", ask.query.since or 0)
    with ask.table() as table:
        waits = tuple(it.text for it in waiting_now(ask, table) if it.mine)
        allowed = watching(ask.server.hall, ask.id)
        part = meanwhile_part(table.game.state, told, ask.sitter.powers, waits, watching=allowed)
    return Meanwhile(told, part)


class ReplayOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[int, Meta(ge=0, le=2**31, description="a move: what came after it")] = 0


class ReplayLink(msgspec.Struct, frozen=True):
    link: str


@endpoint("POST", T + "/replays", "A link to a replay for people outside, where they may watch", programs=False)
def make_replay(ask: Ask[None, ReplayOf]) -> ReplayLink:
    with ask.table() as table:
        secret = replay_made(ask.server.hall, table, ask.sitter, ask.body.since)
    return ReplayLink(f"{ask.base}/replays/{ask.id}/{secret}")


@endpoint("GET", T + "/countries/{country}", "A country: standing, what it brings, orders about it, history")
def country(ask: Ask[Moment, None]) -> CountrySheet:
    with ask.table() as table:
        return country_sheet(table.game, table.moment(ask.query.at)[1], ask.path["country"])


@endpoint("GET", T + "/countries/{country}/page", "The same as a part of a page", media="text/html; charset=utf-8")
def drawn_country(ask: Ask[Moment, None]) -> str:
    sheet = country(ask)
    return drawn("sheet-country.html", c=sheet, middle=middle_of(sheet))


class ToSuppose(Moment, frozen=True):
    """Whether it is told what would follow if a unit left."""

    supposing: bool = False


@endpoint("GET", T + "/garrisons/page", "Both garrisons as a part of a page", media="text/html; charset=utf-8")
def drawn_garrisons(ask: Ask[ToSuppose, None]) -> str:
    harbin = next(it.key for it in places().values() if it.name == "Harbin")
    return drawn("sheet-garrisons.html", page=garrisons(ask), supposing=ask.query.supposing, harbin=harbin)


@endpoint("GET", T + "/garrisons", "Manchuria and Siberia: worth, what may leave, transfers, declarations")
def garrisons(ask: Ask[Moment, None]) -> GarrisonPage:
    with ask.table() as table:
        move, state = table.moment(ask.query.at)
        line = table.game.line()
        return garrison_page(state, (it for it in table.game.log() if it.id in line and it.id <= move.id))


@endpoint("GET", T + "/powers/{power}", "All that is reckoned for a power")
def one_power(ask: Ask[Moment, None]) -> PowerSheet:
    with ask.table() as table:
        return power_sheet.power_sheet(table.moment(ask.query.at)[1], ask.path["power"])


@endpoint(
    "GET",
    T + "/powers/{power}/page",
    "The same under the charts, as a part of a page",
    media="text/html; charset=utf-8",
)
def drawn_power(ask: Ask[Moment, None]) -> str:
    return drawn("sheet-power.html", p=one_power(ask), **chart_parts(charts(ask)))


@endpoint("GET", T + "/powers/{power}/pool", "A power's force pool in groups with their prices, and what comes later")
def one_pool(ask: Ask[Moment, None]) -> PoolSheet:
    with ask.table() as table:
        return pool_sheet(table.moment(ask.query.at)[1], ask.path["power"])


class HexQuery(msgspec.Struct, frozen=True):
    key: Annotated[str, Meta(description="a hex such as europe/M25")]
    at: At | None = None


@endpoint("GET", T + "/hex", "A hex: its land, its places, who holds it")
def one_hex(ask: Ask[HexQuery, None]) -> HexFacts:
    with ask.table() as table:
        since = held_since(table, ask.query.at, ask.query.key)
        return map_questions.hex_facts(table.moment(ask.query.at)[1], ask.query.key, since)


@endpoint("GET", T + "/hex/page", "The same as a part of a page, with what a card of the hex does")
def drawn_hex(ask: Ask[HexQuery, None]) -> HexPart:
    facts = one_hex(ask)
    with ask.table() as table:
        return hex_part(facts, table.moment(ask.query.at)[1])


class BoxQuery(msgspec.Struct, frozen=True):
    key: Annotated[str, Meta(description="a box such as box/india_box", max_length=60)]
    at: At | None = None


@endpoint("GET", T + "/box", "A box: the countries in it, what threatens it and what that does next")
def one_box(ask: Ask[BoxQuery, None]) -> BoxFacts:
    with ask.table() as table:
        return map_questions.box_facts(table.moment(ask.query.at)[1], ask.query.key)


class PlaceQuery(msgspec.Struct, frozen=True):
    key: Annotated[str, Meta(description="a hex such as europe/M25, or a box", max_length=60)]


@endpoint("GET", T + "/orders", "What can be ordered at a place and for the units there, or why not")
def orders_at(ask: Ask[PlaceQuery, None]) -> OrdersHere:
    with ask.table() as table:
        key = place_key(ask.query.key)
        return orders_here(table.game.state, offers_of(table, ask.sitter, table.game.head.id), key, ask.sitter.powers)


class LineQuery(msgspec.Struct, frozen=True):
    start: Annotated[str, Meta(description="a place or hex")]
    end: Annotated[str, Meta(description="a place or hex on the same board")]
    at: At | None = None


@endpoint("GET", T + "/line", "A way over land that one alliance faction holds, or what cuts it")
def land_line(ask: Ask[LineQuery, None]) -> LandLine:
    with ask.table() as table:
        return map_questions.land_line(table.moment(ask.query.at)[1], ask.query.start, ask.query.end)


class ZoneQuery(msgspec.Struct, frozen=True):
    board: Literal["europe", "pacific"]
    at: At | None = None


@endpoint("GET", T + "/zones", "The hexes in the zones of control of each nation's armor")
def zones(ask: Ask[ZoneQuery, None]) -> dict[str, list[str]]:
    with ask.table() as table:
        return map_questions.zones(table.moment(ask.query.at)[1], ask.query.board)


class SupplyQuery(msgspec.Struct, frozen=True):
    board: Literal["europe", "pacific"]
    power: Annotated[str, Meta(description="whose lines")]
    to: Annotated[str, Meta(description="a place or hex to which a line is wanted", max_length=60)] = ""
    at: At | None = None


@endpoint("GET", T + "/supply", "How far a power's supply lines reach by land and sea, and what cuts them")
def supply(ask: Ask[SupplyQuery, None]) -> SupplyReach:
    q = ask.query
    with ask.table() as table:
        return supply_reach(table.moment(q.at)[1], the_board(q.board), q.power, q.to)


class ChinaQuery(msgspec.Struct, frozen=True):
    at: At | None = None


@endpoint("GET", T + "/china", "China: territory, objectives, and which units may go where this season")
def china(ask: Ask[ChinaQuery, None]) -> ChinaView:
    with ask.table() as table:
        return china_view(table.moment(ask.query.at)[1])


class Other(msgspec.Struct, frozen=True):
    other: Annotated[
        str, Meta(max_length=40, description="another table at which you sit: a copy, or what this is one of")
    ]


@endpoint(
    "GET", T + "/compare", "Two lines of a game side by side: figures that differ, and since which move", programs=False
)
def compare_lines(ask: Ask[Other, None]) -> Compared:
    hall, person = ask.server.hall, ask.sitter.person.id
    row = hall.table(ask.query.other)
    if not hall.seats_of(row.id, person) and row.host != person:
        raise not_found("such table")
    told: Compared = reckoned(ask, "compare", other=row.id)
    return told


@endpoint("GET", T + "/compare/page", "The same as a part of a page", media="text/html; charset=utf-8", programs=False)
def drawn_lines(ask: Ask[Other, None]) -> str:
    told = compare_lines(ask)
    others = sum(not (it.args and isinstance(it.here, int) and not isinstance(it.here, bool)) for it in told.figures)
    there = ask.server.hall.table(ask.query.other)
    return drawn("sheet-compare.html", told=told, here=ask.sitter.table, there=there, others=others)


@endpoint("GET", T + "/export", "The game as an open save: a line of JSON a move", media="text/plain; charset=utf-8")
def export(ask: Ask[None, None]) -> Answer[str]:
    text = reckoned(ask, "export")
    name = "".join(c if c.isalnum() else "-" for c in ask.sitter.table.title) or "game"
    return Answer(text, filename=f"{name}.jsonl")


class ChronicleQuery(msgspec.Struct, frozen=True):
    short: Annotated[bool, Meta(description="a tournament's short report instead of every season")] = False


@endpoint(
    "GET",
    T + "/chronicle",
    "The game told season by season: one page that needs nothing else",
    media="text/html; charset=utf-8",
)
def chronicle(ask: Ask[ChronicleQuery, None]) -> Answer[str]:
    title, short = ask.sitter.table.title, ask.query.short
    return Answer(reckoned(ask, "chronicle", title, short), filename=f"{title}.html")


@endpoint("GET", T + "/ledger.csv", "Every posting of the game as CSV", media="text/csv; charset=utf-8")
def ledger_file(ask: Ask[None, None]) -> Answer[str]:
    return Answer(reckoned(ask, "ledger"), filename="ledger.csv")
