"""Measurements. Speeds are ratios taken in one run on one machine: ours beside a well-known library's.

Every measurement is bounded in time and leaves nothing behind. Where another library stands beside us, both take
turns and only their own time on the processor counts, so that whatever else the machine does falls on neither.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from warcabinet.board.maps import board, both
from warcabinet.figures.position import Position, UnitLine
from warcabinet.game import Game, new_game
from warcabinet.game.demo import play_demo
from warcabinet.game.engine import GameDecision, at_rest, decide
from warcabinet.game.journal import Journal, MemoryJournal
from warcabinet.game.offers import offers
from warcabinet.model import calendar
from warcabinet.model.commands import name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.economy import ReportBrp
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import DiceRolled
from warcabinet.model.names import powers
from warcabinet.model.state import State, decode, encode
from warcabinet.plans.form import read_plan
from warcabinet.plans.run import Players, Run, by_processes, by_ray, here, run_plan
from warcabinet.store import create_game, open_game
from warcabinet.web.map.legal_places import legal_places

SECONDS = 1.0
SHORT, LONG = 100, 10_000  # events
STACKS = 1_500
LIBRARIES = ("msgspec", "yaml", "sqlalchemy", "click", "rich")

# -- Whole games ---------------------------------------------------------------------------------------------------

#: Something that plays one whole game each time it is called and says how many moves that were.
Player = Callable[[], int]


class Step(NamedTuple):
    """A command of a game that was played, with its dice: which move it was, and from which one it started."""

    id: int
    before: int
    command: Command
    dice: tuple[int, ...]


class Replay:
    """A game decided again from its start, command after command, each on the state that the ones before it made."""

    def __init__(self, journal: Journal) -> None:
        moves = list(journal.moves(1, journal.last().id))
        self.start = moves[0].id
        self.first = encode(journal.state_at(self.start))
        self.steps = [
            Step(move.id, move.before, move.command, _dice(move.records)) for move in moves if move.command is not None
        ]

    def decisions(self, tell: bool = False) -> Iterator[tuple[Command, GameDecision]]:
        """Every command with its decision. The start is read anew: no figure of an earlier replay is at hand."""
        states: dict[int, State] = {self.start: decode(self.first)}
        for id, before, command, dice in self.steps:
            decision = decide(states[before], command, dice, tell)
            states[id] = decision.state
            yield command, decision

    def __call__(self) -> int:
        """Decide the whole game; its decisions are kept to the end, and their reasons could be read from them."""
        return len(list(self.decisions()))

    def last_quarter_by_the_second(self) -> float:
        """What a command costs in the last quarter of the game by what it cost in the second: about 1 if flat.

        The first quarter is the set-up and the quiet before the war, unlike what follows.
        """
        taken = [0.0, 0.0, 0.0, 0.0]
        decisions, start = [], time.process_time()
        for number, made in enumerate(self.decisions()):
            now = time.process_time()
            taken[number * 4 // len(self.steps)] += now - start
            decisions.append(made)
            start = time.process_time()
        return round(taken[3] / taken[1], 2) if taken[1] else 0.0

    def megabytes(self) -> float:
        """The memory that a whole game takes with all its positions and decisions kept."""
        tracemalloc.start()
        kept = list(self.decisions())
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return round(used / 1e6, 1) if kept else 0.0

    def told(self) -> int:
        """Decide the whole game with every reason worked out at once, as for a journal that stores them."""
        return len(list(self.decisions(tell=True)))


def _dice(records: Iterable[Any]) -> tuple[int, ...]:
    return tuple(record.event.face for record in records if isinstance(record.event, DiceRolled))


def chess_game() -> Player:
    """python-chess: a game of up to 120 moves; all legal moves are found, and one of them pushed."""
    chess = importlib.import_module("chess")

    def play() -> int:
        board = chess.Board()
        for number in range(120):
            legal = list(board.legal_moves)
            if not legal:
                return number
            board.push(legal[(number * 7919) % len(legal)])
        return 120

    return play


def diplomacy_game() -> Player:
    """The diplomacy package: a game of up to twelve phases; all possible orders are found, one given for each unit."""
    game_class = importlib.import_module("diplomacy").Game

    def play() -> int:
        game, count = game_class(), 0
        for _ in range(12):
            possible = game.get_all_possible_orders()
            for power in game.powers:
                given = [possible[place][0] for place in game.get_orderable_locations(power) if possible[place]]
                game.set_orders(power, given)
                count += len(given)
            game.process()
            if game.is_game_done:
                break
        return count

    return play


def rates(players: dict[str, Player], seconds: float = SECONDS) -> dict[str, float]:
    """How many moves each makes in a second of processor time. They take turns, a whole game at a time."""
    done, taken = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for play in players.values():
        play()  # What is read once and for all is read now.
    at_rest()
    while min(taken.values()) < seconds:
        # Whoever has had the least time goes on.
        name = min(taken, key=taken.__getitem__)
        start = time.process_time()
        done[name] += players[name]()
        taken[name] += time.process_time() - start
    return {name: done[name] / taken[name] for name in players}


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def replays(files: Iterable[Path] = ()) -> dict[str, Replay]:
    """The demonstration, and the games in these files."""
    found = {"demonstration": Replay(play_demo().journal)}
    return found | {path.stem: Replay(open_game(path).journal) for path in files}


def games_bench(seconds: float = SECONDS, files: Iterable[Path] = ()) -> dict[str, Any]:
    """Whole games decided again, beside python-chess and diplomacy where they are installed.

    Once as they are asked for, and once with all reasons told.
    """
    ours = replays(files)
    others = {"chess": chess_game, "diplomacy": diplomacy_game}
    told = {f"{name}, told": game.told for name, game in ours.items()}
    found = rates({**ours, **told, **{name: game() for name, game in others.items() if installed(name)}}, seconds)
    chess, diplomacy = found.get("chess"), found.get("diplomacy")
    games: dict[str, Any] = {
        name: {
            "commands": len(game.steps),
            "commands_per_second": round(found[name]),
            "seconds_for_the_whole": round(len(game.steps) / found[name], 2),
            "last_quarter_by_the_second": game.last_quarter_by_the_second(),
            "megabytes_decided": game.megabytes(),
            "ratio_to_python_chess": chess and round(found[name] / chess, 2),
            "ratio_to_diplomacy": diplomacy and round(found[name] / diplomacy, 2),
            "commands_per_second_with_all_reasons_told": round(found[f"{name}, told"]),
        }
        for name, game in ours.items()
    }
    return games | {
        "python_chess_moves_per_second": chess and round(chess),
        "diplomacy_orders_per_second": diplomacy and round(diplomacy),
    }


def command_bench(seconds: float = SECONDS, files: Iterable[Path] = ()) -> dict[str, dict[str, Any]]:
    """Every kind of command of these games: how many there are, and the microseconds that one takes on average."""
    taken: dict[str, list[float]] = {}
    games = list(replays(files).values())
    begun, passes = time.process_time(), 0
    while time.process_time() - begun < seconds or passes == 0:
        passes += 1
        for game in games:
            start = time.process_time()
            for command, _ in game.decisions():
                now = time.process_time()
                taken.setdefault(name_of(command), []).append(now - start)
                start = time.process_time()
    return {
        kind: {"count": len(times) // passes, "microseconds": round(statistics.mean(times) * 1e6, 1)}
        for kind, times in sorted(taken.items(), key=lambda it: -sum(it[1]))
    }


# -- Offers on a crowded board ---------------------------------------------------------------------------------------


def crowded(stacks: int = STACKS) -> State:
    """A position with so many stacks: one infantry unit on each of so many land hexes, of several powers in turn."""
    hexes = [(board.name, hex) for board in both() for hex in board if hex.is_land and not hex.is_closed]
    powers = {"europe": ("germany", "britain", "russia"), "pacific": ("japan", "usa")}
    units = tuple(
        UnitLine(powers[name][number % len(powers[name])], "infantry", hex.key, "1-3")
        for number, (name, hex) in enumerate(hexes[:stacks])
    )
    return new_game(Position("classic-1939", units=units), MemoryJournal()).state


def offers_bench(stacks: int = STACKS) -> dict[str, Any]:
    """All offers of all powers on a position with many stacks, at every step of a turn, in processor time."""
    state = crowded(stacks)
    steps = [replace(state, step=step) for step in range(len(calendar.steps()))]
    taken = _medians([partial(offers, at) for at in steps], 7, time.process_time)
    return {
        "stacks": stacks,
        "offers": len(offers(state)),
        "ms": round(statistics.median(taken) * 1000, 2),
        "ms_at_the_slowest_step": round(max(taken) * 1000, 2),
    }


#: How units are moved in the phases in which they are lifted.
LIFTED = {"movement": "movement", "combat": "advance", "redeployment": "naval redeployment"}


def rings_bench(stacks: int = STACKS, lifted: int = 12) -> dict[str, Any]:
    """Where a stack in the hand may go, and why not elsewhere, on such a board, in processor time.

    Each stack is lifted in a position that nobody has asked about before, as after an order.
    """
    found: dict[str, Any] = {}
    full = crowded(stacks)
    there = [it for it in full.pieces.stacks() if not it.place.startswith("box/")]
    for phase, how in LIFTED.items():
        taken = []
        for stack in (there[0], *there[:: max(1, len(there) // lifted)][:lifted]):
            side = powers()[stack.nation].player
            state = decode(encode(replace(full, step=calendar.step_index(side, phase))))
            known = {"nation": stack.nation, "unit": stack.unit, "from": stack.place, "how": how, "count": 1}
            start = time.process_time()
            legal_places(state, "move", known, "to", board(stack.place.partition("/")[0]))
            taken.append(time.process_time() - start)
        # What rests on tables alone is found with the first.
        found[f"ms_in_{phase}"] = round(statistics.median(taken[1:]) * 1000, 1)
        found[f"ms_in_{phase}_at_most"] = round(max(taken[1:]) * 1000, 1)
    return found


# -- Long games ------------------------------------------------------------------------------------------------------


def _played(folder: Path, events: int) -> Path:
    """A game in a file with so many events after those that set it up."""
    path = folder / f"{events}.warcabinet"
    # Mobilizations are duties that would stop the clock; here they are left to reports.
    game = create_game(
        path, Position("classic-1939", options={"mobilization": "reported", "set_up": "reported"}), seed=1
    )
    start = game.seq
    for command in cycle(_unending()):
        if game.seq - start >= events:
            break
        game.do(command)
    return path


#: By what rule a country joins and leaves again and again.
ROUND = "the bench goes round in circles"


def _unending() -> list[Command]:
    """Commands that can be repeated for ever, with several events each."""
    return [
        ReportStatus("rumania", "allied", "germany", by_rule=ROUND),
        ReportStatus("rumania", "neutral", by_rule=ROUND),
        ReportBrp("germany", 1, "other"),
        ReportBrp("germany", -1, "other"),
        Advance(),
    ]


def _medians(
    works: Sequence[Callable[[], Any]], times: int = 31, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """How long each takes, measured in turns: whatever else the machine and its disk do falls on all alike."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, found in zip(works, taken, strict=True):
            start = clock()
            work()
            found.append(clock() - start)
    return [statistics.median(found) for found in taken]


def undo_and_redo(game: Game) -> None:
    game.undo(consent=True)
    game.redo()


def length_bench(short: int = SHORT, long: int = LONG) -> dict[str, Any]:
    """Undo, load and offers on a long game against a short one: the ratio of their times."""
    with tempfile.TemporaryDirectory() as name:
        brief_game, lasting_game = (_played(Path(name), events) for events in (short, long))
        found: dict[str, Any] = {"events": {"short": short, "long": long}}
        for what, work in (
            ("load", lambda path: lambda: open_game(path)),
            ("undo", lambda path: (lambda game: lambda: undo_and_redo(game))(open_game(path))),
            ("offers", lambda path: (lambda game: lambda: offers(game.state))(open_game(path))),
        ):
            brief, lasting = _medians((work(brief_game), work(lasting_game)))
            found[what] = {
                "short_ms": round(brief * 1000, 3),
                "long_ms": round(lasting * 1000, 3),
                "ratio": round(lasting / brief, 2),
            }
        return found


# -- Starting --------------------------------------------------------------------------------------------------------


def start_bench(times: int = 7) -> dict[str, Any]:
    """Processor time of whole commands from a cold start, beside the mere import of the libraries they use.

    All of them find their bytecode, as an installed program does.
    """
    with tempfile.TemporaryDirectory() as name:
        game = Path(name) / "game.warcabinet"
        create_game(game, Position("classic-1939"), seed=1)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": name, "WARCABINET_GAME": str(game)}
        runs = {
            "libraries": ("-c", f"import {', '.join(LIBRARIES)}"),
            "status": ("-m", "warcabinet", "status"),
            "one clause": ("-m", "warcabinet", "rules", "82.34"),
        }
        taken: dict[str, list[float]] = {what: [] for what in runs}
        for number in range(times + 1):
            for what, words in runs.items():
                used = _processor_time((sys.executable, *words), environment)
                if number:  # The first time each writes its bytecode.
                    taken[what].append(used)
    found = {what: statistics.median(used) for what, used in taken.items()}
    return {
        "libraries_seconds": round(found["libraries"], 3),
        "status_seconds": round(found["status"], 3),
        "status_by_libraries": round(found["status"] / found["libraries"], 2),
        "one_clause_seconds": round(found["one clause"], 3),
    }


def _processor_time(words: Sequence[str], environment: dict[str, str]) -> float:
    """The seconds of processor time that a program takes from its start to its end."""
    before = os.times()
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


# -- Plans -------------------------------------------------------------------------------------------------------------


def plans_bench(samples: int = 400, plan: str = "as-it-happened") -> dict[str, object]:
    """Futures a second of a plan that ships: by one process, by two, and by Ray where it is installed."""
    program = read_plan(plan)
    ways: dict[str, Players] = {"one process": here, "two processes": by_processes(2)}
    if importlib.util.find_spec("ray") is not None:
        ways["Ray"] = by_ray("local")
    found: dict[str, object] = {"plan": plan, "futures": samples}
    results = []
    for name, players in ways.items():
        began = time.perf_counter()
        results.append(run_plan(Run(program, samples, 0), players))
        found[f"{name}, futures a second"] = round(samples / (time.perf_counter() - began), 1)
    found["the same result every time"] = all(it == results[0] for it in results)
    return found
