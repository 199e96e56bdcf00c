"""Small marks for the terrain of a hex, drawn where no name stands."""

from __future__ import annotations

#: Each mark as a path in hundredths of a hex width round its middle, in the order of the legend.
MARKS = {
    "mountain": "M-15,7L-5,-9L3,4M-1,-2L6,-7L15,7",
    "forest": "M-12,7L-6,-8L0,7ZM2,7L8,-8L14,7Z",
    "jungle": "M-14,6C-16,-6 -2,-8 -1,2C0,-8 14,-6 13,6M-7,6V0M6,6V0",
    "swamp": "M-14,5H14M-8,5V-4M0,5V-8M8,5V-4",
    "desert": "M-11,3h.1M0,-5h.1M11,3h.1M0,6h.1",
    "outback": "M-13,-5H-3M1,0H12M-9,5H2",
}
#: Where a mark may stand, in hex widths from the middle of its hex, best first: below, beside, above.
SPOTS = ((0.0, 0.33), (-0.28, 0.17), (0.28, 0.17), (-0.28, -0.12), (0.28, -0.12), (0.0, -0.2))
#: Half the width and height that a mark fills, in hex widths.
HALF = (0.16, 0.1)


def mark(terrain: str, x: float, y: float, scale: float, ink: str) -> str:
    """One mark with its middle at a point of the page."""
    weight = 5 if terrain == "desert" else 2.4
    return (
        f'<path transform="translate({x:.1f},{y:.1f}) scale({scale / 100:.3f})" d="{MARKS[terrain]}" fill="none" '
        f'stroke="{ink}" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round"/>'
    )
