"""Dice live outside the engine. A shell rolls them here and hands the faces in; the log keeps every one."""

from __future__ import annotations

import random
from collections.abc import Iterable

from warcabinet.kernel.errors import WarCabinetError


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

    def throw(self) -> int:
        if self.thrown >= len(self.faces):
            raise WarCabinetError(f"a die is needed, but the script has only {len(self.faces)}")
        face = self.faces[self.thrown]
        self.thrown += 1
        return face
