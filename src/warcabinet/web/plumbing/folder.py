"""The data folder belongs to one server: a second one on it would not hear of the first one's moves."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.database import StorageError, remove

GAMES = "games"


class Folder:
    """A data folder, held as long as the server runs; readable by its owner alone."""

    def __init__(self, path: Path, *, alone: bool = True) -> None:
        """`alone`: hall and games are here, so that no second server may be; else they are in a database."""
        self.path = path
        self._lock: IO[str] | None = None
        try:
            self.games.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(path)
            if not alone:
                return
            self._lock = _locked(path / "lock")
            for part in self.games.glob(".*.part"):
                remove(part)  # of a server that was killed: nobody else writes here
        except OSError as error:
            raise StorageError(f"{path} cannot hold games: {error.strerror or error}") from None

    @property
    def games(self) -> Path:
        return self.path / GAMES

    def free(self) -> int:
        """Bytes that are free on its disk."""
        if sys.platform == "win32":
            import shutil

            return shutil.disk_usage(self.path).free
        there = os.statvfs(self.path)
        return there.f_bavail * there.f_frsize

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()


def _make_private(path: Path) -> None:
    """Games hold seeds, the hall notes and whispers: other users of the machine do not read them."""
    if sys.platform != "win32" and path.stat().st_uid == os.geteuid():
        path.chmod(0o700)
        (path / GAMES).chmod(0o700)
        for file in (*path.glob("hall.sqlite*"), *(path / GAMES).glob("*.wcg*")):
            file.chmod(0o600)


def _locked(file: Path) -> IO[str]:
    held = file.open("a+", encoding="utf-8")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise WarCabinetError(f"another server uses {file.parent} already: stop it, or name another folder") from None
    return held
