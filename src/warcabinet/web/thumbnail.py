"""A table's map as small as a stamp, by control: for the hall's list."""

from __future__ import annotations

from typing import Literal

from warcabinet.board import maps, palette
from warcabinet.board.hexes import centre
from warcabinet.model.places import holder
from warcabinet.model.state import State

Theme = Literal["light", "dark"]
#: Hex width in the picture's own units, and the six corners round a centre.
SIZE = 4.0
_HEX = "m0-2.5l2.2 1.25v2.5l-2.2 1.25-2.2-1.25v-2.5z"


def thumbnail(state: State, board: str, theme: Theme) -> str:
    """An SVG of one board: land by who holds it, in the colours of the table."""
    colours = palette.tokens(theme)
    by: dict[str, list[str]] = {}
    at = {h.key: centre(h.at) for h in maps.board(board) if h.is_land}
    left, top = min(x for x, _ in at.values()) - 1, min(y for _, y in at.values()) - 1
    wide, high = (max(c[i] for c in at.values()) + 1 for i in (0, 1))
    for key, (x, y) in at.items():
        power = palette.power_of(holder(state, key))
        colour = colours[f"{power}-map"] if power else colours["land"]
        by.setdefault(colour, []).append(f"M{(x - left) * SIZE:.1f} {(y - top) * SIZE:.1f}{_HEX}")
    size = f"{(wide - left) * SIZE:.0f} {(high - top) * SIZE:.0f}"
    land = "".join(f'<path fill="{colour}" d="{"".join(found)}"/>' for colour, found in by.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" preserveAspectRatio="xMidYMid slice">'
        f'<rect width="100%" height="100%" fill="{colours["sea"]}"/>{land}</svg>'
    )
