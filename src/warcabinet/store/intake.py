"""Take in a game that a stranger brought, in a process of its own: whatever it holds, it ends by its limits.

    python -m warcabinet.store.intake < save.jsonl

Where to and the limits come as JSON in the first line; the answer is a line of JSON.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.database import StorageError, file_of, remove
from warcabinet.store.games import take_away


class Limits(msgspec.Struct, frozen=True):
    """How much a game that is brought along may cost."""

    bytes: int
    moves: int
    seconds: float
    memory: int


class Errand(msgspec.Struct, frozen=True):
    target: str
    limits: Limits


class Outcome(msgspec.Struct, frozen=True):
    error: str = ""
    storage: bool = False


def take_in(save: str, target: str | Path, limits: Limits) -> None:
    """A game from a save that anybody may have written, at a new place; or a word why not, and nothing is left."""
    if len(save) > limits.bytes:
        raise WarCabinetError(f"a game to be taken in holds at most {limits.bytes:,} bytes")
    given = msgspec.json.encode(Errand(str(target), limits)) + b"\n" + save.encode("utf-8", "replace")
    command = [sys.executable, "-m", "warcabinet.store.intake"]
    try:
        # The seconds are of processor time; a machine under load may take a few times as many.
        made = subprocess.run(command, input=given, capture_output=True, timeout=10 + 4 * limits.seconds, check=False)
        told = msgspec.json.decode(made.stdout, type=Outcome)
    except subprocess.TimeoutExpired:
        told = Outcome("reading the game takes longer than is allowed here")
    except msgspec.MsgspecError:
        told = Outcome("the game is too large, or too deeply nested, to be read here")
    if told.error:
        _clear(target)
        raise StorageError(told.error) if told.storage else WarCabinetError(told.error)


def _clear(place: str | Path) -> None:
    """A process that was ended may have left its part."""
    target = file_of(place)
    if target is None:
        take_away(place)
        return
    for part in target.parent.glob(f".{target.name}.*.part"):
        remove(part)


def _limit(limits: Limits) -> None:
    """Where the system can: so much memory and time, and no other program."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
        seconds = max(1, int(limits.seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 5, seconds + 6))
        resource.setrlimit(resource.RLIMIT_FSIZE, (32 * limits.bytes, 32 * limits.bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(5)


def main() -> None:
    errand = msgspec.json.decode(sys.stdin.buffer.readline(), type=Errand)
    limits = errand.limits
    _limit(limits)
    from warcabinet.store.transfer import Bounds, import_game

    bounds = Bounds(limits.bytes, min(limits.bytes, Bounds().line), limits.moves, limits.seconds)
    try:
        lines = sys.stdin.buffer.read().decode("utf-8").splitlines()
        import_game(lines, errand.target, bounds)
        told = Outcome()
    except WarCabinetError as error:
        told = Outcome(str(error), isinstance(error, StorageError))
    except (MemoryError, RecursionError):
        told = Outcome("the game is too large, or too deeply nested, to be read here")
    except Exception as error:
        told = Outcome(f"the game cannot be read: {error!r}")
    sys.stdout.buffer.write(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
