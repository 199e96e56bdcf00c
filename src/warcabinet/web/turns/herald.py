"""The herald looks after turns: notices whose move it became, and tells them who asked to be told.

Nothing of it is done by the request that moved: that only leaves word here. Two threads share the work, so that a slow
mail server holds up neither the list in the hall nor anybody's move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.notice_book import Letter, Stand, WaitRow, Way
from warcabinet.web.hall.tables_in_play import Tables
from warcabinet.web.hall.whose_move import Waits, moment_words, whose_move
from warcabinet.web.plumbing.metrics import Metrics
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.webhook import NotSent
from warcabinet.web.turns.messages import Message, send, turns_of
from warcabinet.web.turns.open_turns import open_at

#: Minutes after which a message is tried again; after the last one it is given up.
AGAIN = (1.0, 5.0, 30.0, 120.0)
#: Messages that are on their way at once.
AT_ONCE = 4


class Herald:
    def __init__(self, hall: Hall, tables: Tables, settings: Settings, metrics: Metrics) -> None:
        self._hall, self._tables, self._settings, self._metrics = hall, tables, settings, metrics
        #: Where something changed, when first, and who moved last.
        self._moved: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._word = threading.Event()
        self._stopped = threading.Event()
        self._senders: ThreadPoolExecutor | None = None
        #: Called with a table after it was looked at: phases that pass by themselves.
        self.on_looked: Callable[[str], object] = lambda table: None

    def start(self) -> None:
        self._stopped.clear()
        self._senders = ThreadPoolExecutor(AT_ONCE, "sender")
        for name, work in (("herald", self.look), ("post", self.send)):
            threading.Thread(target=self._run, args=(work,), name=name, daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._word.set()
        if self._senders is not None:
            self._senders.shutdown(wait=False, cancel_futures=True)

    def moved(self, table: str, person: str = "") -> None:
        """Leave word that something changed at a table, and by whom: they need not be told."""
        with self._lock:
            when, last = self._moved.get(table, (time.time(), ""))
            self._moved[table] = (when, person or last)
        self._word.set()

    def _run(self, work: Callable[[], object]) -> None:
        while not self._stopped.is_set():
            try:
                work()
            except (WarCabinetError, Problem) as error:
                log("trouble", error=f"notices: {error}")
            except Exception as error:
                # Whatever it was, the next turn is still told.
                log("crash", path="notices", error=f"{type(error).__name__}: {error}")
            if work == self.look:
                self._word.wait(5.0)
            else:
                self._stopped.wait(min(1.0, self._settings.digest_seconds / 4 + 0.02))

    # -- whose move --------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """See whose move it became wherever something changed; whoever asks meanwhile waits until it is seen."""
        with self._looking:
            self._look()

    def _look(self) -> None:
        self._word.clear()
        with self._lock:
            moved, self._moved = self._moved, {}
        with self._hall.one_look() if moved else nullcontext():
            # In the same order everywhere, so that no two processes wait for each other.
            seen = [it for table, (when, _) in sorted(moved.items()) if (it := self._seen(table, when)) is not None]
        fresh = self._hall.notices.set_waiting(seen) if seen else {}
        for stand, _ in seen:
            with self._no_matter(stand.table):
                self._post(stand.table, fresh[stand.table], moved[stand.table][1])
                self.on_looked(stand.table)

    def _seen(self, id: str, when: float) -> tuple[Stand, list[Waits]] | None:
        """Who must decide at a table, or nothing if it cannot be seen."""
        with self._no_matter(id):
            self._hall.table(id)  # which may be gone meanwhile
            with self._tables.at(id, look=False) as table:  # another program's move is noticed elsewhere
                state, head = table.game.state, table.game.head.id
                open_ = open_at(self._hall, table)
            waits = whose_move(state, self._hall.seats(id), open_, told=True)
            return Stand(id, head, moment_words(state), when), list(waits)
        return None

    def _post(self, id: str, fresh: list[WaitRow], mover: str) -> None:
        """Leave the new turns for those whom they concern; nobody waits for what comes of a copy."""
        if not fresh:
            return
        row = self._hall.table(id)
        if row.parent or row.ends:
            return
        sitters = self._hall.sitters(id)
        for it in fresh:
            self._hall.notices.post(it, {person.id for person in sitters.get(it.seat, [])} - {mover})

    @contextmanager
    def _no_matter(self, table: str) -> Iterator[None]:
        """Trouble with one table is noted; the others are still looked at."""
        try:
            yield
        except (WarCabinetError, Problem) as error:
            log("trouble", table=table, error=f"notices: {error}")

    # -- telling -----------------------------------------------------------------------------------------------------

    def send(self, now: float | None = None) -> int:
        """Send what is due; the answer is how many messages were tried."""
        when = time.time() if now is None else now
        due = self._hall.notices.due(when, self._settings.digest_seconds)
        mine = [way for way in due if self._hall.notices.take_in_hand(way, when)]
        for way in mine:
            if now is None and self._senders is not None:
                self._senders.submit(self._tell, way, when)
            else:
                self._tell(way, when)
        return len(mine)

    def _tell(self, way: Way, now: float) -> None:
        try:
            self._told(way, now)
        except Exception as error:
            log("crash", path="notices", error=f"{type(error).__name__}: {error}")

    def _told(self, way: Way, now: float) -> None:
        letters = self._hall.notices.letters(way.person, way.way)
        wanted = self._still_news(way, letters)
        self._hall.notices.forget_letters({it.id for it in letters} - {it.id for it in wanted})
        turns = turns_of(self._hall, self._settings, way.person, {it.table for it in wanted})
        if not turns:
            self._hall.notices.change_way(way.person, way.way, lease=0.0)
            return
        try:
            send(self._hall, self._settings, way, Message(way.person, self._hall.people.name_of(way.person), turns))
        except NotSent as trouble:
            self._failed(way, now, wanted, str(trouble))
        else:
            self._metrics.count("notices", f'way="{way.way}"')
            self._hall.notices.forget_letters(it.id for it in wanted)
            self._hall.notices.change_way(way.person, way.way, sent=now, tries=0, again=0.0, lease=0.0, trouble="")

    def _failed(self, way: Way, now: float, wanted: list[Letter], trouble: str) -> None:
        """Try again later, but not for ever."""
        self._metrics.count("notices_failed", f'way="{way.way}"')
        given_up = way.tries >= len(AGAIN)
        if given_up:
            self._hall.notices.forget_letters(it.id for it in wanted)
        again = 0.0 if given_up else now + AGAIN[way.tries] * 60
        tries = 0 if given_up else way.tries + 1
        self._hall.notices.change_way(way.person, way.way, tries=tries, again=again, lease=0.0, trouble=trouble)

    def _still_news(self, way: Way, letters: list[Letter]) -> list[Letter]:
        """What is still so, and was not seen at the table meanwhile; a webhook tells that too: others may read it."""
        tables = {it.table for it in letters}
        now: dict[tuple[str, str], WaitRow] = {(it.table, it.seat): it for it in self._hall.notices.waiting(tables)}
        looked = self._hall.notices.looked(way.person, tables)
        found = []
        for it in letters:
            waits = now.get((it.table, it.seat))
            seen = way.way == "mail" and looked.get(it.table, (0.0, 0))[0] >= it.made
            if waits is not None and waits.key == it.key and not seen:
                found.append(it)
        return found
