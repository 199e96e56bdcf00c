"""Counters on a chronicle's maps: the strongest unit of a stack with the usual symbol, and how many lie there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warcabinet.board import palette
from warcabinet.model.pieces import Stack

#: The game's letters for counters without a strength.
LETTERS = {
    "army air": "AAF",
    "naval air": "NAS",
    "interceptor": "INT",
    "bomber": "SAC",
    "air transport": "ATR",
    "destroyer": "DD",
    "cruiser": "CA",
    "battlecruiser": "BC",
    "carrier": "CV",
    "transport": "TR",
    "submarine": "SS",
    "asw": "ASW",
    "partisan": "P",
    "replacement": "RP",
    "specialized": "SP",
    "flak": "FL",
}
_STRENGTH = re.compile(r"\d+-\d+$")
_SYMBOLS = {
    "infantry": "M0 0L14 8M14 0L0 8",
    "armor": "M4 2h6a2 2 0 0 1 0 4h-6a2 2 0 0 1 0-4z",
    "mechanized": "M0 0L14 8M14 0L0 8M4 2h6a2 2 0 0 1 0 4h-6a2 2 0 0 1 0-4z",
    "air": "M2.5 4a2 1.8 0 1 0 4 0a2 1.8 0 1 0 -4 0M7.5 4a2 1.8 0 1 0 4 0a2 1.8 0 1 0 -4 0",
    "naval": "M2.5 4.5h9l-2 2.2h-5zM7 4.5V1.5",
}


def symbols() -> str:
    """The five symbols, defined once for the page."""
    return "".join(
        f'<g id="unit-{kind}" fill="none" stroke-width="1"><path d="M0 0h14v8h-14z"/><path d="{path}"/></g>'
        for kind, path in _SYMBOLS.items()
    )


def strongest(stacks: Iterable[Stack]) -> Stack:
    """What lies on top: what fights on the ground before ships and wings, then the most factors in one unit."""

    def rank(stack: Stack) -> tuple[bool, int, str]:
        return bool(_STRENGTH.search(stack.unit)), stack.factors // max(stack.count, 1), stack.unit

    return max(stacks, key=rank)


def counter(stacks: Iterable[Stack], x: float, y: float, edge: float, theme: palette.Theme) -> str:
    """A stack's counter around a point."""
    lie = list(stacks)
    top = strongest(lie)
    colours = palette.tokens(theme)
    power = palette.power_of(top.nation)
    deep = colours[f"{power}-deep"] if power else colours["paper"]
    ink = palette.readable(deep)
    band = colours[f"{power}-map"] if power else colours["desk"]
    scale = edge / 20
    strength = found[0] if (found := _STRENGTH.search(top.unit)) else LETTERS.get(top.unit, "")
    count = sum(it.count for it in lie)
    badge = (
        f'<circle cx="20" cy="0" r="5.5" fill="{colours["paper"]}" stroke="{colours["ink"]}" stroke-width=".8"/>'
        f'<text x="20" y="2.8" font-size="7.5" text-anchor="middle" fill="{colours["ink"]}">{count}</text>'
    )
    return (
        f'<g transform="translate({x - edge / 2:.1f} {y - edge / 2:.1f}) scale({scale:.2f})">'
        f'<rect width="20" height="20" rx="2" fill="{deep}" stroke="{colours["paper"] if power else colours["ink"]}"/>'
        f'<rect width="3.6" height="20" rx="1.5" fill="{band}"/>'
        f'<use href="#unit-{_kind(top.unit)}" x="4.8" y="3" stroke="{ink}"/>'
        f'<text x="11.8" y="18" font-size="6.8" font-weight="700" text-anchor="middle" fill="{ink}">{strength}</text>'
        f"{badge if count > 1 else ''}</g>"
    )


def _kind(unit: str) -> str:
    if re.search("air|interceptor|bomber", unit):
        return "air"
    if re.search("fleet|naval|carrier|cruiser|battleship|submarine|transport|destroyer", unit):
        return "naval"
    return next((kind for kind in ("mechanized", "armor") if kind in unit), "infantry")
