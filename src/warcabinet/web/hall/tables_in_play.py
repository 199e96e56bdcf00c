"""Tables in play: a game file each, opened when someone asks and used by one thread at a time."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from warcabinet import __version__
from warcabinet.figures.position import Position
from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.store.apart import Processes
from warcabinet.store.backup import reseeded_copy
from warcabinet.store.database import StorageError, one_of_many, remove
from warcabinet.store.fork import fork
from warcabinet.store.games import create_game, open_game, take_away
from warcabinet.store.intake import Limits, take_in
from warcabinet.store.journal import Room, SqlJournal
from warcabinet.store.transfer import import_game
from warcabinet.web.hall.hall import Hall, Reports
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.plumbing.folder import Folder
from warcabinet.web.plumbing.problems import Problem, not_found
from warcabinet.web.plumbing.settings import Settings

REFEREE_SEAT = Seat("referee", "Referee", "referee")
SPECTATORS = Seat("spectators", "Spectators", "spectator")
#: So many things made for readers of a table are kept: the positions that several sitters saw of late.
KEPT = 96
#: Games of our own as files from which tables are copied: the demonstration, and the position of the opening walk.
SHOWN = "demonstration.wcg"
WALKED = "opening-walk.wcg"
T = TypeVar("T")


class Table:
    """A game that is open. Whoever reads or moves holds its lock: the journal keeps caches."""

    def __init__(self, id: str, game: Game) -> None:
        self.id = id
        self.game = game
        self.lock = threading.RLock()
        self.kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def moment(self, at: int | None) -> tuple[Move, State]:
        """The move shown and the state in force after it; without `at`, the latest."""
        if at is None or at == self.game.head.id:
            return self.game.head, self.game.state
        if not 1 <= at < self.game.head.id:
            raise not_found(f"move {at} in this game; it has {self.game.head.id}")
        move = self.game.journal.move(at)
        return move, self.game.journal.state_at(move.at)

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What was made for this key already, or is made now: moves never change, so nothing goes stale."""
        if key not in self.kept:
            self.keep(key, make())
        made: T = self.kept[key]
        return made

    def keep(self, key: tuple[Any, ...], made: object) -> None:
        self.kept[key] = made
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)

    @property
    def journal(self) -> SqlJournal:
        assert isinstance(self.game.journal, SqlJournal)
        return self.game.journal

    def close(self) -> None:
        with self.lock:
            self.journal.close()


class Tables:
    """All tables of a data folder. Those not asked for lately are closed; their files stay."""

    def __init__(self, folder: Folder, hall: Hall, settings: Settings) -> None:
        self._folder = folder.games
        self.hall = hall
        hall.heads = self.head_of
        self._settings = settings
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()
        self._imports = threading.BoundedSemaphore(settings.imports_at_once)
        #: What reads games and plans that people bring.
        self.processes = Processes()
        self._shown: set[Path] = set()
        self._showing = threading.Lock()
        #: Called for a table in which another program moved.
        self.on_outside: Callable[[Table], None] = lambda table: None

    def place(self, id: str) -> str | Path:
        """Where a game is: a file of its own, or a schema of the database."""
        its = self._settings.database
        return one_of_many(its, id) if its else self._folder / f"{id}.wcg"

    def _is_there(self, id: str) -> bool:
        place = self.place(id)
        return place.exists() if isinstance(place, Path) else bool(self.hall.table(id))

    @contextmanager
    def at(self, id: str, *, look: bool = True) -> Iterator[Table]:
        """A table, for this thread alone; `look`: with what other programs wrote meanwhile."""
        table = self._opened(id)
        with table.lock:
            if look:
                self.look(table)
            yield table

    def head_of(self, id: str) -> int:
        with self.at(id) as table:
            return table.game.head.id

    def _opened(self, id: str) -> Table:
        with self._lock:
            found = self._open.get(id)
            if found is None:
                if not (id.isascii() and id.isalnum()) or not self._is_there(id):
                    raise not_found("such table")
                found = self._open[id] = Table(id, self._read(id))
            self._open.move_to_end(id)
            self._close_idle()
            return found

    def _read(self, id: str) -> Game:
        game = open_game(self.place(id))
        assert isinstance(game.journal, SqlJournal)
        # A game of an earlier release gets sealed dice before anybody throws.
        game.journal.renew()
        its = self._settings
        game.journal.room = Room(its.import_moves, its.import_limit * 3 // 4)
        return game

    def look(self, table: Table) -> None:
        """Another program may have moved in the file, or a copy was put in its place: it is read again."""
        if table.journal.last_id() != table.game.head.id:
            if table.journal.follow():
                table.game = Game(table.journal)
            else:
                table.journal.close()
                table.game = self._read(table.id)
                table.kept.clear()  # of another line of moves, perhaps
            self.on_outside(table)

    @contextmanager
    def apart(self, id: str) -> Iterator[Game]:
        """A game to be read at length, by a reader of its own: nobody at its table waits for that."""
        with self.at(id):
            game = open_game(self.place(id))
        assert isinstance(game.journal, SqlJournal)
        try:
            yield game
        finally:
            game.journal.close()

    def look_round(self, ids: Iterable[str]) -> None:
        """Notice what other programs did in tables that someone listens to."""
        for id in ids:
            found = self._open.get(id)
            if found is not None and found.lock.acquire(blocking=False):
                try:
                    self.look(found)
                except WarCabinetError:
                    continue  # whoever asks next is told
                finally:
                    found.lock.release()

    def open(self) -> int:
        return len(self._open)

    def _close_idle(self) -> None:
        """Close the tables longest unasked for, but never one that a thread is using."""
        for id in list(islice(self._open, 8)):
            if len(self._open) <= self._settings.tables_open:
                return
            table = self._open[id]
            if table.lock.acquire(blocking=False):
                try:
                    del self._open[id]
                    table.close()
                finally:
                    table.lock.release()

    def close(self) -> None:
        with self._lock:
            for table in self._open.values():
                table.close()
            self._open.clear()

    # -- making and taking away tables -------------------------------------------------------------------------------

    def create(self, position: Position, title: str, host: str, chairs: Iterable[Seat], reports: Reports) -> TableRow:
        """A new game in a new file, with its seats."""
        return self._add(lambda file: create_game(file, position), title, host, chairs, reports)

    def from_case(
        self, position: Position, play: Callable[[Game], None], title: str, host: str, chairs: Iterable[Seat]
    ) -> TableRow:
        """A table with the position of a case, its steps played as moves: history leads back to where it starts."""

        def make(place: str | Path) -> Game:
            game = create_game(place, position)
            play(game)
            return game

        return self._add(make, title, host, chairs, "players")

    def take_in(
        self, save: str, title: str, host: str, chairs: Iterable[Seat], reports: Reports = "players"
    ) -> TableRow:
        """A table from a game that someone brought: read by a process of its own, one at a time."""
        its = self._settings
        limits = Limits(its.import_limit, its.import_moves, its.import_seconds, its.import_memory)

        def make(file: str | Path) -> Game:
            if not self._imports.acquire(timeout=its.import_seconds):
                raise Problem(503, "other games are being taken in; try again in a minute")
            try:
                take_in(save, file, limits, self.processes)
            finally:
                self._imports.release()
            return open_game(file)

        return self._add(make, title, host, chairs, reports)

    def show(self, lines: Iterable[str], title: str, host: str, chairs: Iterable[Seat], file: str = SHOWN) -> TableRow:
        """A table from a game of our own: taken in once, and copied for everybody who wants to see it."""

        def make(place: str | Path) -> Game:
            if not isinstance(place, Path):
                return import_game(lines, place)
            shown = self._folder.parent / file
            with self._showing:
                if shown not in self._shown:
                    remove(shown)  # of another run, perhaps by other rules
                    import_game(lines, shown)
                    self._shown.add(shown)
            reseeded_copy(shown, place)
            return open_game(place)

        return self._add(make, title, host, chairs, "players")

    def what_if(self, source: Table, at: int, title: str, host: str, chairs: Iterable[Seat]) -> TableRow:
        """A copy of any moment, to try things out: the original is not touched."""
        source.moment(at)
        return self._add(lambda place: fork(source.game, place, at), title, host, chairs, "players", (source.id, at))

    def _add(
        self,
        make: Callable[[str | Path], Game],
        title: str,
        host: str,
        chairs: Iterable[Seat],
        reports: Reports,
        parent: tuple[str, int] = ("", 0),
    ) -> TableRow:
        id = secrets.token_hex(8)
        try:
            game = make(self.place(id))
        except StorageError:
            raise
        except WarCabinetError as error:
            raise Problem(400, str(error)) from None
        table = Table(id, game)
        table.close()
        row = TableRow(id, title, game.state.scenario, host, time.time(), *parent, reports, rules=__version__)
        try:
            self.hall.add_table(row, chairs)
        except BaseException:
            take_away(self.place(id))
            raise
        return row

    def take_away(self, id: str) -> None:
        """A table whose time to change one's mind is over: first the hall forgets it, then its file goes."""
        self.hall.forget_table(id)
        with self._lock:
            found = self._open.pop(id, None)
        if found is not None:
            found.close()
        take_away(self.place(id))

    def tidy(self, now: float | None = None) -> list[str]:
        """Take away the tables that were deleted long enough ago."""
        ended = self.hall.ended(now)
        for id in ended:
            self.take_away(id)
        return ended


def usual_seats(groups: Iterable[tuple[str, tuple[str, ...]]]) -> list[Seat]:
    """The chairs of a table: one for each group of powers, one for the referee, one bench for spectators."""
    chairs: list[Seat] = []
    given: set[str] = set()
    for n, (title, held) in enumerate(groups, 1):
        for power in held:
            if power not in powers():
                raise Problem(400, f"there is no power called {power}")
            if power in given:
                raise Problem(400, f"{powers()[power].name} sits in two seats")
            given.add(power)
        if not held:
            raise Problem(400, f"the seat {title} holds no power")
        chairs.append(Seat(f"seat{n}", title, "player", held))
    if not chairs:
        raise Problem(400, "a table needs at least one seat with a power")
    return [*chairs, REFEREE_SEAT, SPECTATORS]
