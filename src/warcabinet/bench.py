"""Measurements. Speeds are ratios taken in one run on one machine: ours beside a well-known library's.

Every measurement is bounded in time and leaves nothing behind.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from warcabinet.engine import decide
from warcabinet.figures.position import Position
from warcabinet.game import Game, MemoryJournal, new_game
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.economy import ReportBombing, ReportBrp, Spend
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.commands.table import Advance
from warcabinet.model.state import State
from warcabinet.offers import offers
from warcabinet.store import create_game, open_game

SECONDS = 1.0
SLICE = 0.05  # seconds
SHORT, LONG = 100, 10_000  # events


def rates(works: dict[str, Iterator[Any]], seconds: float = SECONDS) -> dict[str, float]:
    """How many items each iterator yields a second; they take turns, so that other load falls on all alike."""
    done, taken = dict.fromkeys(works, 0), dict.fromkeys(works, 0.0)
    while min(taken.values()) < seconds:
        for name, work in works.items():
            start = time.perf_counter()
            while time.perf_counter() - start < SLICE:
                for _ in islice(work, 20):
                    done[name] += 1
            taken[name] += time.perf_counter() - start
    return {name: done[name] / taken[name] for name in works}


def _typical() -> list[Command]:
    """What a table does most: spending, reports, going on."""
    return [
        Spend("germany", 3, "offensive operations"),
        ReportBrp("britain", -2, "submarine warfare"),
        Spend("italy", 1, "other"),
        ReportBombing("germany", 1),
        Spend("japan", 2, "offensive operations"),
        ReportStatus("rumania", "allied", "germany"),
        ReportStatus("rumania", "neutral"),
        Spend("germany", 4, "other"),
        Advance(),
    ]


def commands() -> Iterator[State]:
    """Accepted commands one after the other, each judged with its reasons kept."""
    start = new_game(Position("classic-1939", "Spring 1941"), MemoryJournal()).state
    state = start
    for command in cycle(_typical()):
        ruling = decide(state, command)
        # Where the other side moves, or the money has run out, begin again.
        state = ruling.state if ruling.accepted else start
        if ruling.accepted:
            yield state


def refusals() -> Iterator[State]:
    """Refused commands, every reason collected."""
    state = new_game(Position("classic-1939"), MemoryJournal()).state
    for command in cycle([Spend("italy", 99, "other"), Spend("germany", 500, "offensive operations")]):
        yield decide(state, command).state


def chess_moves() -> Iterator[Any]:
    """python-chess: all legal moves, then one of them pushed."""
    chess = importlib.import_module("chess")
    board, number = chess.Board(), 0
    while True:
        legal = list(board.legal_moves)
        if not legal or number > 120:
            board, number = chess.Board(), 0
            continue
        board.push(legal[(number * 7919) % len(legal)])
        number += 1
        yield board


def diplomacy_orders() -> Iterator[Any]:
    """The diplomacy package: orders processed, a phase at a time."""
    game_class = importlib.import_module("diplomacy").Game
    while True:
        game = game_class()
        for _ in range(12):
            possible = game.get_all_possible_orders()
            count = 0
            for power in game.powers:
                given = [possible[place][0] for place in game.get_orderable_locations(power) if possible[place]]
                game.set_orders(power, given)
                count += len(given)
            game.process()
            yield from range(count)
            if game.is_game_done:
                break


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def engine_bench(seconds: float = SECONDS) -> dict[str, Any]:
    """Validated commands a second with tracing on, beside python-chess and diplomacy where they are installed."""
    works = {"commands": commands(), "refusals": refusals()}
    others = {"chess": chess_moves, "diplomacy": diplomacy_orders}
    works |= {name: work() for name, work in others.items() if installed(name)}
    found = rates(works, seconds)
    chess, diplomacy = found.get("chess"), found.get("diplomacy")
    return {
        "commands_per_second": round(found["commands"]),
        "refusals_per_second": round(found["refusals"]),
        "python_chess_moves_per_second": chess and round(chess),
        "diplomacy_orders_per_second": diplomacy and round(diplomacy),
        "ratio_to_python_chess": chess and round(found["commands"] / chess, 2),
        "ratio_to_diplomacy": diplomacy and round(found["commands"] / diplomacy, 2),
    }


def _played(folder: Path, events: int) -> Path:
    """A game in a file with so many events."""
    path = folder / f"{events}.warcabinet"
    # Mobilizations are duties that would stop the clock; here they are left to reports.
    game = create_game(
        path, Position("classic-1939", options={"mobilization": "reported", "set_up": "reported"}), seed=1
    )
    for command in cycle(_unending()):
        if game.seq >= events:
            break
        game.do(command)
    return path


def _unending() -> list[Command]:
    """Commands that can be repeated for ever, with several events each."""
    return [
        ReportStatus("rumania", "allied", "germany"),
        ReportStatus("rumania", "neutral"),
        ReportBrp("germany", 1, "other"),
        ReportBrp("germany", -1, "other"),
        Advance(),
    ]


def _medians(works: Sequence[Callable[[], Any]], times: int = 31) -> list[float]:
    """How long each takes, measured in turns: whatever else the machine and its disk do falls on all alike."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, found in zip(works, taken, strict=True):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
    return [statistics.median(found) for found in taken]


def _undo_and_redo(game: Game) -> None:
    game.undo(consent=True)
    game.redo()


def length_bench() -> dict[str, Any]:
    """Undo, load and offers on a long game against a short one: the ratio of their times."""
    with tempfile.TemporaryDirectory() as name:
        short, long = (_played(Path(name), events) for events in (SHORT, LONG))
        found: dict[str, Any] = {"events": {"short": SHORT, "long": LONG}}
        for what, work in (
            ("load", lambda path: lambda: open_game(path)),
            ("undo", lambda path: (lambda game: lambda: _undo_and_redo(game))(open_game(path))),
            ("offers", lambda path: (lambda game: lambda: offers(game.state))(open_game(path))),
        ):
            brief, lasting = _medians((work(short), work(long)))
            found[what] = {
                "short_ms": round(brief * 1000, 3),
                "long_ms": round(lasting * 1000, 3),
                "ratio": round(lasting / brief, 2),
            }
        return found
