"""Games out of and into the program: a line of JSON a move, and the ledger as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from warcabinet.game import Game, Move, memo_of, posted, replayed, unbalanced
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.apply import blank
from warcabinet.model.state import State
from warcabinet.store.journal import create_tables
from warcabinet.store.upcast import FORMAT, check_format, read_move


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    seed: int


_encode = msgspec.json.Encoder().encode


def export_game(game: Game) -> Iterator[str]:
    """The game as lines of JSON: what it is, then every move, undone ones too."""
    yield _encode(_Head(FORMAT, game.journal.seed())).decode()
    for move in game.log():
        yield _encode(move).decode()


def import_game(lines: Iterable[str], place: str | Path) -> Game:
    """A game from exported lines, written to a new file. Every move is checked before anything is written."""
    head, moves = _read(lines)
    states = _replay(moves)
    _check_books(moves, states)
    journal = create_tables(place, head.seed)
    journal.append_all((move, states[move.at]) for move in moves)
    return Game(journal)


def _check_books(moves: list[Move], states: dict[int, State]) -> None:
    """Refuse a game whose books do not balance or whose events are miscounted."""
    events = 0
    for move in moves:
        events += len(move.records) or 1
        if move.seq != events:
            raise WarCabinetError(f"move {move.id} says {move.seq} events, but there are {events}")
        for unit, total in unbalanced(states[move.at]).items():
            raise WarCabinetError(f"after move {move.id} the accounts of {unit} sum to {total}, not zero")


def save_copy(game: Game, place: str | Path) -> Game:
    """The same game in a new file, written at once."""
    journal = create_tables(place, game.journal.seed())
    journal.append_all((move, game.journal.state_at(move.at)) for move in game.log())
    return Game(journal)


def _read(lines: Iterable[str]) -> tuple[_Head, list[Move]]:
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    try:
        number, first = next(numbered)
        head = msgspec.json.decode(first, type=_Head)
        check_format(head.format, f"line {number}")
        moves = []
        for number, line in numbered:
            moves.append(read_move(line, head.format))
            if moves[-1].id != len(moves):
                raise WarCabinetError(f"line {number}: move {moves[-1].id} where move {len(moves)} should stand")
    except StopIteration:
        raise WarCabinetError("there is nothing to import: the file is empty") from None
    except msgspec.MsgspecError as error:
        raise WarCabinetError(f"line {number}: not a move of a War Cabinet game: {error}") from None
    if not moves:
        raise WarCabinetError("there is nothing to import: no move follows the first line")
    return head, moves


def _replay(moves: list[Move]) -> dict[int, State]:
    states: dict[int, State] = {0: blank()}
    for move in moves:
        source = move.at if move.kind in ("undo", "redo") else move.before
        if source not in states or (move.kind == "command" and not source):
            raise WarCabinetError(f"move {move.id} rests on move {source}, which is missing")
        if move.at == move.id:
            states[move.id] = replayed(states[source], move.records)
    return states


def ledger_csv(game: Game) -> str:
    """Every posting of the game in force as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["move", "moment", "clause", "memo", "account", "amount", "balance"])
    balances: dict[str, int] = {}
    line = game.line()
    for move in game.log():
        for record in move.records if move.id in line else ():
            when, memo = calendar.moment_name(move.moment), memo_of(record.event)
            for account, amount in posted(record.event):
                balances[account] = balances.get(account, 0) + amount
                writer.writerow([move.id, when, record.clause, memo, account, amount, balances[account]])
    return out.getvalue()
