"""Dice live outside the engine. A shell rolls them here and hands the faces in; the log keeps every one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from warcabinet.kernel.errors import WarCabinetError


def left_over(faces: Sequence[int], asked: Sequence[str]) -> WarCabinetError:
    """Dice that were given and not asked for, and which ones were."""
    told = f"asked for were {len(asked)}: {'; '.join(asked)}" if asked else "none is asked for"
    return WarCabinetError(f"{len(faces)} dice were given that nothing asked for: {list(faces)}; {told}")


class SeededDice:
    """Dice that can be thrown again: the seed and the number of throws so far say what comes next."""

    def __init__(self, seed: int, thrown: int = 0) -> None:
        self.seed = seed
        self.thrown = thrown

    def throw(self) -> int:
        face = random.Random(f"{self.seed}/{self.thrown}").randint(1, 6)
        self.thrown += 1
        return face


class ScriptedDice:
    """Dice whose faces were written down beforehand, as in a conformance case."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = list(faces)
        self.thrown = 0

    @property
    def left(self) -> list[int]:
        return self.faces[self.thrown :]

    def throw(self) -> int:
        if self.thrown >= len(self.faces):
            raise WarCabinetError(f"a die is needed, but the script has only {len(self.faces)}")
        face = self.faces[self.thrown]
        self.thrown += 1
        return face
