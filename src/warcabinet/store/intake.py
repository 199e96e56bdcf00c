"""Take in a game that a stranger brought: `python -m warcabinet.store.intake` (see `apart`)."""

from __future__ import annotations

from pathlib import Path

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import apart
from warcabinet.store.apart import Processes, obey
from warcabinet.store.database import StorageError, file_of, remove
from warcabinet.store.games import take_away


class Limits(msgspec.Struct, frozen=True):
    """How much a game that is brought along may cost."""

    bytes: int
    moves: int
    seconds: float
    memory: int


class _To(msgspec.Struct, frozen=True):
    """Where a game is taken in, and how large it may be."""

    target: str
    bytes: int
    moves: int


def take_in(save: str, target: str | Path, limits: Limits, processes: Processes | None = None) -> None:
    """A game from a save that anybody may have written, at a new place; or a word why not, and nothing is left."""
    if len(save) > limits.bytes:
        raise WarCabinetError(f"a game to be taken in holds at most {limits.bytes:,} bytes")
    about = _To(str(target), limits.bytes, limits.moves)
    bounds = apart.Limits(limits.seconds, limits.memory, 32 * limits.bytes)
    try:
        told = (processes or Processes()).carry_out("warcabinet.store.intake", "the game", about, save, bounds)
        if trouble := msgspec.json.decode(told, type=str):
            raise StorageError(trouble)
    except WarCabinetError:
        _clear(target)
        raise


def _clear(place: str | Path) -> None:
    """A process that was ended may have left its part."""
    target = file_of(place)
    if target is None:
        take_away(place)
        return
    for part in target.parent.glob(f".{target.name}.*.part"):
        remove(part)


def _taken_in(to: _To, limits: apart.Limits, save: str) -> str:
    """What is wrong with the disk, if anything is."""
    from warcabinet.store.transfer import Bounds, import_game

    bounds = Bounds(to.bytes, min(to.bytes, Bounds().line), to.moves, limits.seconds)
    try:
        import_game(save.splitlines(), to.target, bounds)
    except StorageError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    obey("the game", _To, _taken_in)
