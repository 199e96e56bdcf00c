"""Names on the map: how wide they are and where they stand without touching each other."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

#: Widths in hundredths of an em for the characters from space to tilde. Faces of ordinary width (Arial, Segoe UI,
#: DejaVu Condensed) stay within them.
_WIDTHS = {
    "sans": (
        "29 36 41 75 57 85 70 25 35 35 45 75 29 32 29 30 57 57 57 57 57 57 57 57 57 57 30 30 75 75 75 48 90 "
        "62 62 63 69 57 52 70 68 27 27 59 50 78 67 71 54 71 62 57 55 66 62 89 62 55 62 35 30 35 75 45 45 55 "
        "57 49 57 55 32 57 57 25 25 52 25 88 57 55 57 57 37 47 35 57 53 74 53 53 47 57 30 57 75"
    ),
    "bold": (
        "31 41 47 75 63 90 78 28 41 41 47 75 34 37 34 33 63 63 63 63 63 63 63 63 63 63 36 36 75 75 75 52 90 "
        "70 69 66 75 61 61 74 75 33 33 70 57 90 75 76 66 76 69 65 61 73 70 99 69 65 65 41 33 41 75 45 45 61 "
        "64 53 64 61 39 64 64 31 31 60 31 94 64 62 64 64 44 54 43 64 59 83 58 59 52 64 33 64 75"
    ),
    "serif": (
        "29 36 41 75 57 85 80 25 35 35 45 75 29 30 29 30 57 57 57 57 57 57 57 57 57 57 30 30 75 75 75 48 90 "
        "65 66 69 72 66 62 72 78 36 36 67 60 92 79 74 61 74 68 62 60 76 65 92 64 59 62 35 30 35 75 45 45 54 "
        "58 50 58 53 33 58 58 29 28 54 29 85 58 54 58 58 43 46 36 58 51 77 51 51 47 57 30 57 75"
    ),
}
_TABLES = {face: tuple(map(int, text.split())) for face, text in _WIDTHS.items()}
_CELL = 64.0


def width(text: str, face: str, size: float, spacing: float = 0.0) -> float:
    """How wide a text is drawn, in pixels; spacing is added after every letter, in em."""
    table = _TABLES[face]
    # Serif faces differ more among systems than sans ones.
    size *= 1.05 if face == "serif" else 1.0
    units = sum(table[ord(c) - 32] if 32 <= ord(c) < 127 else 60 for c in text)
    return (units / 100 + spacing * len(text)) * size


class Rect(msgspec.Struct, frozen=True):
    """A box on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, x: float, y: float) -> Rect:
        return Rect(self.left - x, self.top - y, self.right + x, self.bottom + y)

    def meets(self, other: Rect) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Taken:
    """What is already on the page, in buckets."""

    def __init__(self, page: Rect) -> None:
        self._page = page
        self._cells: dict[tuple[int, int], list[Rect]] = {}

    def free(self, rect: Rect) -> bool:
        page = self._page
        if rect.left < page.left or rect.right > page.right or rect.top < page.top or rect.bottom > page.bottom:
            return False
        return not any(rect.meets(other) for cell in self._touched(rect) for other in self._cells.get(cell, ()))

    def add(self, rect: Rect) -> None:
        for cell in self._touched(rect):
            self._cells.setdefault(cell, []).append(rect)

    def _touched(self, rect: Rect) -> Iterable[tuple[int, int]]:
        for cx in range(int(rect.left // _CELL), int(rect.right // _CELL) + 1):
            for cy in range(int(rect.top // _CELL), int(rect.bottom // _CELL) + 1):
                yield cx, cy


def spots(x: float, y: float, wide: float, high: float, gap: float) -> list[tuple[Rect, str]]:
    """Where the name of a dot may stand, best first, with the text anchor of each."""
    half = high / 2
    right = (Rect(x + gap, y - half, x + gap + wide, y + half), "start")
    left = (Rect(x - gap - wide, y - half, x - gap, y + half), "end")
    above = (Rect(x - wide / 2, y - gap - high, x + wide / 2, y - gap), "middle")
    below = (Rect(x - wide / 2, y + gap, x + wide / 2, y + gap + high), "middle")
    near, up, down = gap * 0.7, y - gap * 0.4 - high, y + gap * 0.4
    diagonals = [
        (Rect(x + near, up, x + near + wide, up + high), "start"),
        (Rect(x + near, down, x + near + wide, down + high), "start"),
        (Rect(x - near - wide, up, x - near, up + high), "end"),
        (Rect(x - near - wide, down, x - near, down + high), "end"),
    ]
    return [right, left, above, below, *diagonals]
