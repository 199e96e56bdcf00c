"""A game as tables for a spreadsheet: the ledger, the powers turn by turn, force pools, and what falls due."""

from __future__ import annotations

from collections.abc import Callable

from warcabinet.game import Game
from warcabinet.game.forecast import agenda
from warcabinet.kernel.errors import unknown
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import balance
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import BUILT
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt, waiting
from warcabinet.rules.economy.spending import constructed, construction_limit
from warcabinet.store.transfer import LEDGER, ledger_rows
from warcabinet.store.workbook import Cell, Table


def ledger(game: Game) -> Table:
    return Table("ledger", LEDGER, tuple(ledger_rows(game)))


def powers_by_turn(game: Game) -> Table:
    """What every power had as each turn ended, and has now."""
    headings = ("turn", "power", "level", "base", "construction limit", "built")
    rows = [row for id in _last_of_turns(game) for row in _levels(game.journal.state_at(id))]
    return Table("powers", headings, tuple(rows))


def _last_of_turns(game: Game) -> list[int]:
    """The last move of each turn on the line that is in force."""
    line = game.line()
    last = {calendar.split(move.moment)[0]: move.at for move in game.log() if move.id in line}
    return list({**last, game.state.turn: game.head.at}.values())


def _levels(s: State) -> list[tuple[Cell, ...]]:
    turn = calendar.turn_name(s.turn)
    return [
        (
            turn,
            called(power),
            balance(s.ledger, Brp(power)),
            balance(s.ledger, Base(power)),
            int(construction_limit(s, power)),
            int(constructed(s, power)),
        )
        for power in powers()
    ]


def pools(game: Game) -> Table:
    """What each power has unbuilt, on its way to the force pool, and built."""
    s, rows = game.state, list[tuple[Cell, ...]]()
    for power in powers():
        on_boards: dict[Unit, int] = dict(s.pieces.off(power, BUILT))
        for stack in s.pieces.of(power):
            on_boards[stack.unit] = on_boards.get(stack.unit, 0) + stack.count
        rows += [(called(power), unit, "force pool", count) for unit, count in sorted(unbuilt(s, power))]
        arriving = sorted(waiting(s, power))
        rows += [(called(power), unit, calendar.turn_name(turn), count) for turn, unit, count in arriving]
        rows += [(called(power), unit, "built", count) for unit, count in sorted(on_boards.items()) if count]
    return Table("pools", ("power", "unit", "where", "count"), tuple(rows))


def due(game: Game) -> Table:
    headings = ("due", "power", "BRPs", "share %", "what", "clause")
    named = {power: called(power) for power in powers()}
    rows = ((it.due, named.get(it.power, ""), it.brp, it.share, it.text, it.clause) for it in agenda(game.state))
    return Table("agenda", headings, tuple(rows))


TABLES: dict[str, Callable[[Game], Table]] = {"ledger": ledger, "powers": powers_by_turn, "pools": pools, "agenda": due}


def table_named(game: Game, name: str) -> Table:
    if name not in TABLES:
        raise unknown("table", name, TABLES)
    return TABLES[name](game)


def all_tables(game: Game) -> list[Table]:
    return [make(game) for make in TABLES.values()]
