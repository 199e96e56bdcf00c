"""What is laid over a drawn map and cut out of it: outlines of lands, hexes that are open, letters, rings, a key.

The map below knows nothing of it; whoever asks for a chapter's own map says what to lay over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol
from xml.sax.saxutils import escape, quoteattr

import msgspec

from warcabinet.board import hexes, outline
from warcabinet.board.maps import Board
from warcabinet.board.sheet import Colours, Sheet

_MARGIN, _HEAD, _LINE = 18, 52, 19


class Outline(msgspec.Struct, frozen=True):
    """A land with a line around it: its hexes, the token of its colour, its name for the key, dashes."""

    ids: tuple[str, ...]
    token: str
    name: str
    dash: str = ""


class Overlay(msgspec.Struct, frozen=True):
    """All that is laid over: open hexes tinted, letters in hexes, rings around some, the lines of the key."""

    title: str
    crop: tuple[str, ...]
    outlines: tuple[Outline, ...] = ()
    tinted: tuple[str, ...] = ()
    letters: Mapping[str, str] = {}
    rings: Mapping[str, str] = {}
    key: tuple[str, ...] = ()


class Drawing(Colours, Protocol):
    """The drawing that something is laid over."""

    board: Board
    sheet: Sheet


def below_names(it: Overlay, on: Drawing) -> str:
    """The tint of open hexes and the outlines of lands."""
    out = ['<g class="wc-over" fill="none" stroke-linejoin="round">']
    if it.tinted:
        shape = _path(on.sheet, outline.around(on.board, it.tinted))
        out.append(f'<path d="{shape}" fill="{on.colour("canal")}" fill-opacity=".28" stroke="none"/>')
    for land in it.outlines:
        shape = _path(on.sheet, outline.around(on.board, land.ids))
        dash = f' stroke-dasharray="{land.dash}"' if land.dash else ""
        out.append(f'<path d="{shape}" stroke="{on.colour("paper")}" stroke-width="6" stroke-opacity=".8"/>')
        out.append(f'<path d="{shape}" stroke="{on.colour(land.token)}" stroke-width="3.2"{dash}/>')
    return "".join([*out, "</g>"])


def above_names(it: Overlay, on: Drawing) -> str:
    """Rings around objectives, in the colour of who holds them, and the letters of those who may come."""
    out = ['<g class="wc-over">']
    scale = on.sheet.scale
    for id_, token in it.rings.items():
        x, y = on.sheet.at(hexes.centre(on.board[id_].at))
        for width, colour in ((6, on.colour("paper")), (3.4, on.colour(token))):
            ring = f'cx="{x:.1f}" cy="{y:.1f}" r="{0.4 * scale:.1f}"'
            out.append(f'<circle {ring} fill="none" stroke="{colour}" stroke-width="{width}"/>')
    for id_, text in it.letters.items():
        x, y = on.sheet.at(hexes.centre(on.board[id_].at))
        out.append(
            f'<text class="t1" x="{x:.1f}" y="{y + 0.4 * scale:.1f}" font-size="9" text-anchor="middle" '
            f'style="fill:{on.colour("strait")}">{escape(text)}</text>'
        )
    return "".join([*out, "</g>"])


def cut_out(it: Overlay, on: Drawing, drawn: str, style: str) -> str:
    """The part of a drawing around some hexes as a sheet of its own, with title and key."""
    points = [on.sheet.at(p) for id_ in it.crop for p in hexes.corners(on.board[id_].at)]
    x0, y0 = min(p[0] for p in points) - _MARGIN, min(p[1] for p in points) - _MARGIN
    wide, high = max(p[0] for p in points) + _MARGIN - x0, max(p[1] for p in points) + _MARGIN - y0
    whole = high + _HEAD + _LINE * (len(it.key) + len(it.outlines)) + 2 * _MARGIN
    inner = drawn[drawn.index(">") + 1 :].removesuffix("</svg>\n")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wc-map" width="{wide:.0f}" height="{whole:.0f}" '
        f'viewBox="0 0 {wide:.0f} {whole:.0f}" role="img" aria-label={quoteattr(it.title)}>'
    )
    out = [head, style, f'<rect width="100%" height="100%" fill="{on.colour("desk")}"/>']
    out.append(f'<text class="title" x="{_MARGIN}" y="33" font-size="22">{escape(it.title)}</text>')
    box = f'x="0" y="{_HEAD}" width="{wide:.0f}" height="{high:.0f}" viewBox="{x0:.1f} {y0:.1f} {wide:.1f} {high:.1f}"'
    out.append(f"<svg {box}>{inner}</svg>")
    y = _HEAD + high + _MARGIN + 6
    for land in it.outlines:
        dash = f' stroke-dasharray="{land.dash}"' if land.dash else ""
        line = f'd="M{_MARGIN},{y - 4:.1f}h28" stroke="{on.colour(land.token)}" stroke-width="3.2" fill="none"{dash}'
        out.append(f"<path {line}/>")
        out.append(f'<text class="plain" x="{_MARGIN + 36}" y="{y:.1f}" font-size="13">{escape(land.name)}</text>')
        y += _LINE
    for text in it.key:
        out.append(f'<text class="plain" x="{_MARGIN}" y="{y:.1f}" font-size="13">{escape(text)}</text>')
        y += _LINE
    return "".join([*out, "</svg>\n"])


def _path(sheet: Sheet, chains: list[outline.Chain]) -> str:
    return "".join("M" + "L".join(sheet.text_at(p) for p in chain) + "Z" for chain in chains)
