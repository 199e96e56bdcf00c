"""Colours, patterns and letters of the map: the tokens of the table, light and dark.

Colour is never alone: a power is a colour, a pattern, two letters and its name.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, Theme] = ("light", "dark")


class Power(msgspec.Struct, frozen=True):
    """How one power looks. Colours are (light, dark); the pattern is drawn in the deep colour."""

    name: str
    seal: str
    map: tuple[str, str]
    deep: tuple[str, str]
    pattern: str
    tile: float


POWERS: dict[str, Power] = {
    "germany": Power("Germany", "Ge", ("#787d89", "#63646b"), ("#3a3f49", "#cfd2da"), "rising", 7),
    "italy": Power("Italy", "It", ("#9acc8f", "#6c792f"), ("#33622c", "#c3d69a"), "upright", 6),
    "japan": Power("Japan", "Ja", ("#e4b749", "#c8a65b"), ("#7a5600", "#f2cf86"), "level", 6),
    "britain": Power("Britain", "Br", ("#c9928a", "#c17275"), ("#7d3a33", "#f0b6ae"), "dots", 7),
    "france": Power("France", "Fr", ("#9aafd6", "#3a77a8"), ("#2b4a86", "#a9cdf2"), "falling", 9),
    "russia": Power("Russia", "Ru", ("#964d3e", "#8c3b21"), ("#5e2015", "#f0a58e"), "lattice", 9),
    "usa": Power("United States", "US", ("#4b6875", "#25555a"), ("#1f4350", "#9fd0da"), "plus", 9),
    "china": Power("China", "Ch", ("#9980bf", "#5e4481"), ("#523283", "#cdb4ee"), "rings", 8),
}
#: Holders that share a power's colour; pattern, letters and name tell them apart from it.
SHARED = {"communist_china": "china"}
SHARING: dict[str, Power] = {
    "communist_china": msgspec.structs.replace(
        POWERS["china"], name="Communist China", seal="Co", pattern="chevrons", tile=9
    ),
}

#: Surface and ink tokens as (light, dark).
TOKENS: dict[str, tuple[str, str]] = {
    "desk": ("#e9e1d0", "#141413"),
    "paper": ("#fbf7ed", "#1f1e1b"),
    "rule": ("#d9cfba", "#3a3730"),
    "ink": ("#221e18", "#efe8d9"),
    "ink-2": ("#544c40", "#c3b9a6"),
    "ink-3": ("#6f6656", "#a0967f"),
    "sea": ("#dfe8e8", "#18232a"),
    "waterline": ("#9fb6ba", "#3f5560"),
    "land": ("#f4eddd", "#35322b"),
    "coast": ("#3d4a4f", "#b9b09a"),
    "sea-name": ("#4d6a72", "#8fb0bd"),
    "grid-land": ("#8d8572", "#8d8572"),
    "grid-sea": ("#a9bcbf", "#33454f"),
    "water-side": ("#2b6f9e", "#6fb3e0"),
    "strait": ("#a6520c", "#f0a860"),
    "canal": ("#00776e", "#5fd0c4"),
}
TINT = (0.50, 0.46)
BAND = 0.90
PATTERN = (0.30, 0.22)


def tokens(theme: Theme) -> dict[str, str]:
    """Every colour of a theme by its variable name."""
    i = THEMES.index(theme)
    found = {name: pair[i] for name, pair in TOKENS.items()}
    for n, share in ((1, 0.75), (2, 0.5), (3, 0.25)):
        found[f"waterline-{n}"] = mix(found["waterline"], found["sea"], share)
    for id_, power in POWERS.items():
        found[f"{id_}-map"], found[f"{id_}-deep"] = power.map[i], power.deep[i]
    return found


def mix(over: str, under: str, share: float) -> str:
    """A colour that lets another shine through."""
    pairs = [(int(over[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def look_of(holder: str) -> Power:
    """The colours, pattern, letters and name of a power or of a holder that shares its colour."""
    return SHARING.get(holder) or POWERS[holder]


def power_of(holder: str) -> str | None:
    """The power whose colours a holder wears; none for a minor country."""
    name = SHARED.get(holder, holder)
    return name if name in POWERS else None


def pattern(kind: str, size: float, stroke: str, weight: float) -> str:
    """The inside of one tile of a pattern."""
    s, h = size, size / 2
    line = f'fill="none" stroke="{stroke}" stroke-width="{weight}"'
    shapes = {
        "rising": f'<path d="M-1,1L1,-1M0,{s}L{s},0M{s - 1},{s + 1}L{s + 1},{s - 1}" {line}/>',
        "falling": f'<path d="M-1,{s - 1}L1,{s + 1}M0,0L{s},{s}M{s - 1},-1L{s + 1},1" {line}/>',
        "upright": f'<path d="M{h},0V{s}" {line}/>',
        "level": f'<path d="M0,{h}H{s}" {line}/>',
        "lattice": f'<path d="M0,0L{s},{s}M{s},0L0,{s}" {line}/>',
        "plus": f'<path d="M{h},{h - 2}V{h + 2}M{h - 2},{h}H{h + 2}" {line}/>',
        "dots": f'<circle cx="{h}" cy="{h}" r="1.1" fill="{stroke}"/>',
        "chevrons": f'<path d="M0,{h + 2}L{h},{h - 2}L{s},{h + 2}" {line}/>',
        "rings": f'<circle cx="{h}" cy="{h}" r="{s * 0.22:.2f}" {line}/>',
    }
    return shapes[kind]


def readable(ground: str) -> str:
    """Dark or light letters on a ground, whichever reads better."""
    parts = [int(ground[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return "#1c1914" if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 else "#ffffff"
