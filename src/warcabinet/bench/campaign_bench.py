"""What campaigns cost from their beginning to their end: decided again, replayed, and all that a table does with them.

Each thing is measured at the quarters of the game, in turns and by processor time, so that the curve over its length
shows: about the same at the end as at the first quarter, where nothing depends on how much was played before.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from warcabinet.bench.engine_bench import Replay, undo_and_redo
from warcabinet.game import Game
from warcabinet.game.demo import play_demo
from warcabinet.game.journal import Move, replayed
from warcabinet.game.offers import offers
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.store import open_game
from warcabinet.store.fork import fork
from warcabinet.store.transfer import save_copy
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.orders.offer_list import offer_list, offered
from warcabinet.web.sheets.position_view import position

QUARTERS = (1, 2, 3, 4)
TIMES = 5


def campaigns_bench(files: Iterable[Path] = ()) -> dict[str, Any]:
    """The demonstration and the games in these files, each with its figures."""
    games = {"demonstration": play_demo()} | {path.stem: open_game(path) for path in files}
    return {name: _campaign(game) for name, game in games.items()}


def _campaign(game: Game) -> dict[str, Any]:
    again = Replay(game.journal)
    moves = [move for move in game.log() if move.kind in ("start", "command")]
    start = game.journal.state_at(moves[0].id)
    whole, events = _seconds(again), _seconds(partial(_replayed, moves, start))
    with tempfile.TemporaryDirectory() as name:
        kept = save_copy(game, Path(name) / "whole.warcabinet")
        return {
            "commands": len(again.steps),
            "decided_again_seconds": round(whole, 2),
            "replayed_seconds": round(events, 2),
            "last_quarter_by_the_second": again.last_quarter_by_the_second(),
            "megabytes_decided": again.megabytes(),
            "file_megabytes": round((Path(name) / "whole.warcabinet").stat().st_size / 1e6, 1),
            "ms_at_each_quarter": _by_quarter(kept, Path(name)),
        }


def _replayed(moves: list[Move], start: State) -> State:
    """The game made again of its events alone, nothing decided."""
    states = {moves[0].id: start}
    for move in moves[1:]:
        states[move.id] = replayed(states[move.before], move.records)
    return states[moves[-1].id]


def _by_quarter(game: Game, folder: Path) -> dict[str, list[float]]:
    """Milliseconds of what a table does, after each quarter of the moves."""
    ends = [max(1, game.head.id * quarter // len(QUARTERS)) for quarter in QUARTERS]
    number = count()

    def copied(move: int) -> Game:
        return fork(game, folder / f"{next(number)}.warcabinet", move)

    parts = [copied(end) for end in ends]
    files = [folder / f"{n}.warcabinet" for n in range(len(ends))]
    works: dict[str, list[Callable[[], Any]]] = {
        "offers": [partial(offers, part.state) for part in parts],
        "view": [partial(_view, part) for part in parts],
        "load": [partial(open_game, file) for file in files],
        "undo_and_redo": [partial(undo_and_redo, part) for part in parts],
        "fork": [partial(copied, end) for end in ends],
    }
    return {what: [round(_seconds(work) * 1000, 1) for work in each] for what, each in works.items()}


def _view(game: Game) -> object:
    """The whole position with all that the holder of every power could do, as a page that is opened receives it."""
    seat = Seat("all", "All powers", "player", tuple(powers()))
    row = TableRow("", "", game.state.scenario, "", 0.0)
    sitter = Sitter(Person("", "All"), row, (seat,))
    return position(game.state, sitter, game.head.id, offer_list(game.state, offered(game.state, sitter)))


def _seconds(work: Callable[[], object]) -> float:
    """Processor time of one, in the median of some."""
    taken = []
    for _ in range(TIMES):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)
