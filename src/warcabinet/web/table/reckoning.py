"""Pages about a whole game cost what the game is long: they are worked out one at a time, and nobody's order waits.

Each is read from a reader of its own, without the table's lock, and kept while nobody moves. What is reckoned from a
short game takes a moment, in the thread that was asked; from a long one it is a process with limits that a stop of
the server ends: `python -m warcabinet.web.table.reckoning` (see `store.apart`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgspec

from warcabinet.game import Game
from warcabinet.game.demo import Scene
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import apart
from warcabinet.store.games import open_game
from warcabinet.store.transfer import export_game, ledger_csv
from warcabinet.store.workbook import as_csv, as_xlsx
from warcabinet.views.chronicle import chronicle_page
from warcabinet.views.compare import Compared, GameLine, compare
from warcabinet.views.scenes import scenes
from warcabinet.views.tables import all_tables, table_named
from warcabinet.web.orders.order_words import command_words
from warcabinet.web.orders.reasons import Explanation
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.sheets.dice_check import DiceCheck, dice_check
from warcabinet.web.sheets.year_starts import HeldYearStarts, held_year_starts, year_start_reasons
from warcabinet.web.table.demonstration import story
from warcabinet.web.table.endpoints import AnyAsk

#: Moves of a game of which a page takes no longer than a process takes to start.
SHORT = 3_000
#: Those who wait for a page, all together and of one person: each holds a thread.
QUEUE = (8, 3)


def compared(here: Game, there: Game) -> Compared:
    told = compare(here, there)
    return msgspec.structs.replace(told, here=_worded(told.here, here), there=_worded(told.there, there))


def _worded(line: GameLine, game: Game) -> GameLine:
    """A line of a game whose first move is told as a sentence."""
    command = game.journal.move(line.first).command if line.first else None
    return msgspec.structs.replace(line, text=command_words(command)) if command else line


class Kind(msgspec.Struct, frozen=True):
    """Something that is reckoned from games: how, what it is, and whether it is kept (a whole save is too large)."""

    made: Callable[..., Any]
    type: Any
    kept: bool = True


KINDS = {
    "chronicle": Kind(chronicle_page, str),
    "compare": Kind(compared, Compared),
    "differences": Kind(lambda game: tuple(game.redecide()), tuple[str, ...]),
    "dice": Kind(lambda game: dice_check(game, game.journal.seeds()), DiceCheck, kept=False),
    "export": Kind(lambda game: "\n".join(export_game(game)) + "\n", str, kept=False),
    "ledger": Kind(ledger_csv, str, kept=False),
    "sheet": Kind(lambda game, name: as_csv(table_named(game, name)), str, kept=False),
    "workbook": Kind(lambda game: as_xlsx(all_tables(game)), bytes, kept=False),
    "scenes": Kind(scenes, tuple[Scene, ...]),
    "story": Kind(story, tuple[Scene, ...]),
    "year figure": Kind(year_start_reasons, Explanation),
    "year starts": Kind(held_year_starts, HeldYearStarts),
}


def reckoned(ask: AnyAsk, what: str, *more: object, other: str = "") -> Any:
    """A page about a table's game, or about two; the one that is kept, or worked out now."""
    ids, kind, person = [ask.sitter.table.id, *([other] if other else [])], KINDS[what], ask.sitter.person.id
    heads = tuple(_head(ask, id) for id in ids)
    key = (what, *ids, *heads, *more)
    if (found := _kept(ask, key)) is not None:
        return found

    def work() -> Any:
        if (found := _kept(ask, key)) is None:
            found = _here(ask, ids, kind, more) if max(heads) <= SHORT else _apart(ask, what, ids, more)
            if kind.kept:
                with ask.table() as table:
                    table.keep(key, found)
        return found

    return ask.server.reckoners.worked_out(person, work, ask.server.pay)


def _head(ask: AnyAsk, id: str) -> int:
    with ask.server.tables.at(id) as table:
        return table.game.head.id


def _kept(ask: AnyAsk, key: tuple[object, ...]) -> Any:
    with ask.table() as table:
        return table.kept.get(key)


def _here(ask: AnyAsk, ids: list[str], kind: Kind, more: tuple[object, ...]) -> Any:
    with ExitStack() as stack:
        games = [stack.enter_context(ask.server.tables.apart(id)) for id in ids]
        return kind.made(*games, *more)


# -- in a process ------------------------------------------------------------------------------------------------------


class _Wanted(msgspec.Struct, frozen=True):
    what: str
    places: tuple[str, ...]
    more: tuple[Any, ...]


def _apart(ask: AnyAsk, what: str, ids: list[str], more: tuple[object, ...]) -> Any:
    server, began = ask.server, time.monotonic()
    its = server.settings
    wanted = _Wanted(what, tuple(str(server.tables.place(id)) for id in ids), more)
    limits = apart.Limits(its.page_seconds, its.import_memory)
    try:
        found = server.tables.processes.carry_out("warcabinet.web.table.reckoning", "the game", wanted, "", limits)
    finally:
        server.pay(ask.sitter.person.id, time.monotonic() - began)
    return msgspec.json.decode(found, type=KINDS[what].type)


def _done(wanted: _Wanted, limits: apart.Limits, _brought: str) -> Any:
    games = [open_game(place) for place in wanted.places]
    try:
        return KINDS[wanted.what].made(*games, *wanted.more)
    except Problem as problem:
        raise WarCabinetError(problem.text) from None


if __name__ == "__main__":
    apart.obey("the game", _Wanted, _done)
