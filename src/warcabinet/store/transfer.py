"""Games out of and into the program: a line of JSON a move, and the ledger as CSV."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from warcabinet.game import Game
from warcabinet.game.forecast import year_start
from warcabinet.game.journal import Move, memo_of, posted
from warcabinet.game.offers import offers
from warcabinet.game.throws import Seed, published, sealed_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.store.games import create_tables, new_journal, open_game
from warcabinet.store.soundness import Replay
from warcabinet.store.upcast import FORMAT, check_format, read_move
from warcabinet.store.workbook import Cell, Table, as_csv

#: How deep a line of an export may nest; the deepest reasons of a campaign stay below half of it.
DEEPEST = 64
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_LONG_NUMBER = re.compile(rb"[0-9][0-9.eE+-]{14}")
_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class Bounds(msgspec.Struct, frozen=True):
    """How much of an export is read, in bytes, moves and seconds; what is beyond is refused before it is built."""

    bytes: int = 256 * 1024 * 1024
    line: int = 4 * 1024 * 1024
    moves: int = 200_000
    seconds: float = 3600.0


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    format: str
    seed: int | None = None
    dice: tuple[Seed, ...] = ()


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of an export: how many moves came before it, and their mark."""

    end: int
    mark: str


class _Place(msgspec.Struct, frozen=True):
    """As much of a move as says which others it rests on."""

    id: int
    at: int
    before: int = 0


T = TypeVar("T")
_encode = msgspec.json.Encoder().encode
_place = msgspec.json.Decoder(_Place)


def export_game(game: Game, upto: int = 0) -> Iterator[str]:
    """The game as lines of JSON: what it is, every move, undone ones too, and that this was the last.

    Of the dice it tells the commitments, and those seeds alone that were revealed.
    """
    # The seeds after the last move is settled: what is committed to later throws later.
    mark, last = hashlib.sha256(), upto or game.head.id
    yield _encode(_Head(FORMAT, dice=published(game.journal.seeds()))).decode()
    for move in game.journal.moves(1, last):
        line = _encode(move)
        mark.update(line + b"\n")
        yield line.decode()
    yield _encode(_End(last, mark.hexdigest())).decode()


def import_game(lines: Iterable[str], place: str | Path, bounds: Bounds | None = None) -> Game:
    """A game from exported lines, in a new file. Every move is checked; its dice from now on are new and sealed.

    A seed that a file brings throws nothing: whoever brought the file knows it.
    """
    reader = _Reader(lines, bounds or Bounds())
    seeds = [*reader.seeds(), sealed_seed(reader.last + 1)]
    with new_journal(place, seeds) as journal:
        journal.append_all(reader.moves(), told=True)
    return open_game(place)


def save_copy(game: Game, place: str | Path) -> Game:
    """The same game in a new file, written at once."""
    if "://" in str(place):
        journal = create_tables(place, game.journal.seeds())
        journal.append_all(_as_it_went(game), told=True)
        return Game(journal)
    with new_journal(place, game.journal.seeds()) as journal:
        journal.append_all(_as_it_went(game), told=True)
    return open_game(place)


def _as_it_went(game: Game) -> Iterator[tuple[Move, State]]:
    return ((move, game.journal.state_at(move.at)) for move in game.log())


class _Reader:
    """An export, looked at twice: first its shape, within bounds and without building anything; then move by move."""

    def __init__(self, lines: Iterable[str], bounds: Bounds) -> None:
        self._bounds = bounds
        self._until = time.monotonic() + bounds.seconds
        self._lines = self._bounded(lines)
        if not self._lines:
            raise WarCabinetError("there is nothing to import: the file is empty")
        number, first = self._lines.pop(0)
        self._head = _decoded(first, number, _Head)
        check_format(self._head.format, f"line {number}")
        self._end = self._take_end()
        if not self._lines:
            raise WarCabinetError("there is nothing to import: no move follows the first line")
        self._needed = self._needs()

    def _bounded(self, lines: Iterable[str]) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        size = 0
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            raw = line.encode("utf-8", "replace")
            size += len(raw)
            if len(raw) > self._bounds.line or size > self._bounds.bytes:
                raise WarCabinetError(f"line {number}: the file is larger than is read here")
            if len(found) > self._bounds.moves + 1:
                raise WarCabinetError(f"line {number}: a game has at most {self._bounds.moves:,} moves here")
            _check_shape(raw, number)
            found.append((number, raw))
        return found

    def _take_end(self) -> _End | None:
        """Exports say where they end, so that one which was cut off at the end of a line is noticed."""
        if self._head.format != FORMAT:
            return None
        number, line = self._lines[-1] if self._lines else (1, b"")
        if not line.startswith(b'{"end"'):
            raise WarCabinetError(f"the file is cut short: its last line, {number}, does not say that it is the last")
        end = _decoded(line, number, _End)
        self._lines.pop()
        if end.end != len(self._lines):
            raise WarCabinetError(f"{end.end} moves were written, but {len(self._lines)} are there")
        return end

    def _needs(self) -> dict[int, int]:
        """For each move the last one that comes back to it: so long its state is kept."""
        needed: dict[int, int] = {}
        for count, (number, line) in enumerate(self._lines, 1):
            place = _decoded(line, number, _Place)
            if place.id != count:
                raise WarCabinetError(f"line {number}: move {place.id} where move {count} should stand")
            needed[place.before] = needed[place.at] = place.id
        return needed

    @property
    def last(self) -> int:
        return len(self._lines)

    def seeds(self) -> list[Seed]:
        """What the file tells of dice that were thrown: to check them by, never to throw with."""
        told = [seed for seed in self._head.dice if seed.sealed and 1 <= seed.first <= self.last]
        for seed in told:
            if not re.fullmatch(r"[0-9a-f]{64}", seed.commitment) or not re.fullmatch(r"([0-9a-f]{64})?", seed.secret):
                raise WarCabinetError("line 1: the seed of dice is not one")
            if seed.secret and not seed.fits():
                raise WarCabinetError("line 1: the seed of the dice is not the one that was committed to")
        by_first = {seed.first: _as_told(seed) for seed in told}
        return [by_first[first] for first in sorted(by_first)]

    def moves(self) -> Iterator[tuple[Move, State]]:
        replay, mark, state = Replay(self._needed), hashlib.sha256(), None
        for count, (number, line) in enumerate(self._lines):
            if time.monotonic() > self._until:
                raise WarCabinetError(f"line {number}: reading takes longer than is allowed here")
            move = self._read(line, number)
            for fault in replay.follow(move):
                raise WarCabinetError(f"line {number}, move {move.id}: {fault}")
            state = replay.state(move)
            assert state is not None
            # Over the line as it was written: what is told anew in today's words is not what was marked.
            mark.update(line.strip() + b"\n")
            yield move, state
            self._lines[count] = (number, b"")
        if self._end is not None and self._end.mark != mark.hexdigest():
            raise WarCabinetError("the file was changed after it was written: its mark does not fit")
        assert state is not None
        _check_playable(state)

    def _read(self, line: bytes, number: int) -> Move:
        try:
            return read_move(line.decode(), self._head.format)
        except msgspec.MsgspecError as error:
            raise WarCabinetError(f"line {number}: not a move of a War Cabinet game: {error}") from None
        except Exception as error:
            # A move of an earlier format is told anew, and a made-up one can be wrong in any way.
            raise WarCabinetError(f"line {number}: not a move of a War Cabinet game: {error!r}") from None


def _as_told(seed: Seed) -> Seed:
    known = bool(seed.secret)
    return msgspec.structs.replace(seed, revealed=known, spent=known and seed.spent)


def _decoded(line: bytes, number: int, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WarCabinetError(f"line {number}: not a line of a War Cabinet game: {error}") from None


def _check_shape(line: bytes, number: int) -> None:
    """How deep a line nests and how long its numbers are, without building what it says."""
    bare = _STRING.sub(b"", line)
    if _LONG_NUMBER.search(bare):
        raise WarCabinetError(f"line {number}: a number larger than any of the game")
    depth = 0
    for bracket in bare.translate(None, _BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            raise WarCabinetError(f"line {number}: nested deeper than any move")


def _check_playable(state: State) -> None:
    """What every page and command asks of a position must have an answer."""
    try:
        offers(state, ())
        year_start(state)
    except Exception as error:
        raise WarCabinetError(f"the game ends in a position that cannot be played on: {error!r}") from None


LEDGER = ("move", "moment", "clause", "memo", "account", "amount", "balance")


def ledger_csv(game: Game) -> str:
    """Every posting of the game in force as CSV."""
    return as_csv(Table("ledger", LEDGER, tuple(ledger_rows(game))))


def ledger_rows(game: Game) -> Iterator[tuple[Cell, ...]]:
    """Every posting of the game in force, with the balance that it led to."""
    balances: dict[str, int] = {}
    line = game.line()
    for move in game.log():
        for record in move.records if move.id in line else ():
            when, memo = calendar.moment_name(move.moment), memo_of(record.event)
            for account, amount in posted(record.event):
                balances[account] = balances.get(account, 0) + amount
                yield move.id, when, record.clause, memo, account, amount, balances[account]
