"""News between the processes of a server: PostgreSQL carries them, so that any process serves any table."""

from __future__ import annotations

import secrets
import threading
import time
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.store.database import database, looking
from warcabinet.web.hall.schema import Line
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.stream import News, Switchboard

CHANNEL = "warcabinet"
#: PostgreSQL carries at most 8000 bytes a notice.
MOST = 7000


class Notice(msgspec.Struct, frozen=True):
    """News of a table as it travels; `by` is the process that tells it."""

    by: str
    table: str
    kind: str
    data: msgspec.Raw
    line: Line | None = None
    move: int = 0


class Relay:
    """Tells the other processes what happened here, and those who listen here what happened there."""

    def __init__(self, place: str, switchboard: Switchboard) -> None:
        self._engine = database(place)[0]
        self._switchboard = switchboard
        self._me = secrets.token_hex(6)
        self._stopped = threading.Event()
        switchboard.spread_further = self.tell
        self._thread = threading.Thread(target=self._hear, name="relay", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def tell(self, table: str, news: News) -> None:
        notice = Notice(self._me, table, news.kind, msgspec.Raw(news.data), news.line, news.move)
        told = msgspec.json.encode(notice)
        if len(told) > MOST:
            # Too long to carry: whoever listens looks for itself.
            told = msgspec.json.encode(Notice(self._me, table, "resync", msgspec.Raw(b"{}")))
        try:
            # A question of its own: with a transaction around it, it would be three messages to and fro.
            with looking(self._engine) as db:
                db.execute(sa.text("SELECT pg_notify(:channel, :told)"), {"channel": CHANNEL, "told": told.decode()})
        except sa.exc.SQLAlchemyError as error:
            log("trouble", error=f"news could not be told to the other processes: {type(error).__name__}")

    def _hear(self) -> None:
        """Listen for ever. Whenever it begins everybody looks anew: news may have come before it heard any."""
        while not self._stopped.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                    driver: Any = db.connection.driver_connection
                    db.exec_driver_sql(f"LISTEN {CHANNEL}")
                    self._look_anew()
                    while not self._stopped.is_set():
                        for notice in driver.notifies(timeout=1.0):
                            self._pass_on(notice.payload)
                    db.exec_driver_sql(f"UNLISTEN {CHANNEL}")
            except Exception as error:
                log("trouble", error=f"the relay lost its connection: {type(error).__name__}")
                time.sleep(0.5)

    def _pass_on(self, payload: str) -> None:
        try:
            notice = msgspec.json.decode(payload, type=Notice)
        except msgspec.MsgspecError:
            return
        if notice.by != self._me:
            news = News(notice.kind, bytes(notice.data), notice.line, notice.move)
            self._switchboard.hand_out(notice.table, news)

    def _look_anew(self) -> None:
        for table in self._switchboard.tables():
            self._switchboard.hand_out(table, News("resync", b"{}"))
