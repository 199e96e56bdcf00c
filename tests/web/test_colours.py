"""The colours of the table, checked as TABLE.md asks: readable, and told apart by a deuteranope."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warcabinet.board.palette import POWERS, TOKENS

CSS = (Path(__file__).parents[2] / "src/warcabinet/web/static/tokens.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for block in (CSS[: CSS.index("[data-theme")], CSS[CSS.index("[data-theme") :])
)
PALETTE = (Path(__file__).parents[2] / "src/warcabinet/web/static/map/palette.js").read_text(encoding="utf-8")
LETTERS = r'> (?P<turn>[.0-9]+) \? "(?P<dark>#[0-9a-f]{6})" : "(?P<white>#[0-9a-f]{6})"'
#: Powers whose lands can touch on a board.
NEIGHBOURS = [
    ("germany", "italy"), ("germany", "france"), ("germany", "russia"), ("germany", "britain"), ("italy", "france"),
    ("italy", "britain"), ("italy", "russia"), ("britain", "france"), ("britain", "russia"), ("france", "russia"),
    ("japan", "china"), ("japan", "russia"), ("japan", "britain"), ("china", "russia"), ("china", "britain"),
    ("japan", "usa"),
]  # fmt: skip
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
TEXT = [(ink, paper) for ink in ("ink", "ink-2", "ink-3", "accent", "focus", "deny", "gain") for paper in ("paper",)]
TEXT += [("focus", "focus-soft"), ("deny", "deny-soft"), ("ink", "focus-soft"), ("ink-2", "focus-soft")]
TEXT += [("ink", "paper-2"), ("ink-2", "paper-2"), ("ink-3", "paper-2"), ("accent", "accent-soft"), ("sea-name", "sea")]


def linear(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (r, g, b))  # type: ignore[return-value]


def contrast(a: str, b: str) -> float:
    light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * bl for r, g, bl in (linear(a), linear(b)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def oklab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    r, g, b = (max(0.0, v) for v in rgb)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    mid = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * mid - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * mid + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * mid - 0.8086757660 * short,
    )


def distance(a: str, b: str, seen: tuple[tuple[float, float, float], ...] | None = None) -> float:
    points = []
    for colour in (a, b):
        rgb: tuple[float, ...] = linear(colour)
        if seen is not None:
            rgb = tuple(sum(m * v for m, v in zip(row, rgb, strict=True)) for row in seen)
        points.append(oklab(rgb))
    return 100 * sum((x - y) ** 2 for x, y in zip(*points, strict=True)) ** 0.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable(theme: dict[str, str]) -> None:
    for ink, paper in TEXT:
        assert contrast(theme[ink], theme[paper]) >= 4.5, (ink, paper)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("seen", [None, DEUTERANOPIA, PROTANOPIA], ids=["all cones", "deuteranopia", "protanopia"])
def test_neighbours_are_told_apart(theme: dict[str, str], seen: tuple[tuple[float, float, float], ...] | None) -> None:
    for one, other in NEIGHBOURS:
        assert distance(theme[f"{one}-map"], theme[f"{other}-map"], seen) >= 8, (one, other)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("part", ["map", "deep"])
def test_letters_on_counters_are_readable(theme: dict[str, str], part: str) -> None:
    """A counter's initial stands on its map colour, its strength on the deep one, in dark or white letters."""
    dark, white, turn = re.search(LETTERS, PALETTE).group("dark", "white", "turn")  # type: ignore[union-attr]
    for power in POWERS:
        ground = theme[f"{power}-{part}"]
        r, g, b = linear(ground)
        letters = dark if 0.2126 * r + 0.7152 * g + 0.0722 * b > float(turn) else white
        # The initial is bold and large beside its band; the strength is read as text.
        assert contrast(letters, ground) >= (4.5 if part == "deep" else 3), (power, part)


def test_the_page_and_the_drawn_maps_wear_the_same_colours() -> None:
    for name, power in POWERS.items():
        assert (LIGHT[f"{name}-map"], DARK[f"{name}-map"]) == power.map
        assert (LIGHT[f"{name}-deep"], DARK[f"{name}-deep"]) == power.deep
    for token in ("desk", "paper", "ink", "sea", "land", "coast"):
        assert (LIGHT[token], DARK[token]) == TOKENS[token]
