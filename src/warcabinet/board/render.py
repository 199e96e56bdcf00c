"""The drawn map: one SVG for files and for the browser, coloured by control.

From bottom to top: sea, waterlines, land, control tint, band and pattern, coast, grid, borders, dots, names. Control is
shown by whole hexes cut by the real coast. Every hex is a path with its key, so a page can make the drawing live.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from warcabinet.board import coast, hexes, outline, overlay, palette
from warcabinet.board.control import fall_1939
from warcabinet.board.maps import Board, Hex
from warcabinet.board.naming import Naming
from warcabinet.board.outline import Chain
from warcabinet.board.overlay import Overlay
from warcabinet.board.relief import MARKS
from warcabinet.board.sheet import LEVELS, SPECK, Level, Sheet

ThemeChoice = Literal["light", "dark", "auto"]

#: Regions whose borders matter to a rule (83.12D, 83.12E, 85.46A) though both sides are one country.
_RULED_REGIONS = {"bessarabia", "finnish_border", "european_turkey"}

#: Where only DejaVu is installed, its plain cuts are wider than the names were measured: prefer the condensed ones.
_NARROW_FACES = (
    'font-family:wc-sans;src:local("DejaVu Sans Condensed")',
    'font-family:wc-sans;font-weight:700;src:local("DejaVu Sans Condensed Bold")',
    'font-family:wc-serif;src:local("DejaVu Serif Condensed")',
    'font-family:wc-serif;font-style:italic;src:local("DejaVu Serif Condensed Italic")',
    'font-family:wc-serif;font-weight:600;src:local("DejaVu Serif Condensed Bold")',
)


def svg(
    board: Board,
    control: Mapping[str, str] | None = None,
    level: Level = 2,
    theme: ThemeChoice = "light",
    title: str = "Fall 1939",
    ids: bool = False,
    variables: bool = True,
    over: Overlay | None = None,
) -> str:
    """Draw a board, or what an overlay cuts out of it.

    `variables` writes colours as CSS variables; without them any viewer can show the file.
    """
    return _Map(board, fall_1939() if control is None else control, level, theme, title, ids, variables, over).drawn()


def png(
    board: Board,
    control: Mapping[str, str] | None = None,
    level: Level = 2,
    theme: palette.Theme = "light",
    title: str = "Fall 1939",
    ids: bool = False,
    over: Overlay | None = None,
) -> bytes:
    """The same drawing as a PNG picture. Needs the extra `png` (resvg-py)."""
    from warcabinet.board.picture import rasterize

    return rasterize(svg(board, control, level, theme, title, ids, variables=False, over=over))


class _Map:
    """One drawing in the making."""

    def __init__(
        self,
        board: Board,
        control: Mapping[str, str],
        level: Level,
        theme: ThemeChoice,
        title: str,
        ids: bool,
        variables: bool,
        over: Overlay | None,
    ) -> None:
        self.board, self.control, self.level, self.title, self.ids = board, control, level, title, ids
        self.theme: ThemeChoice = theme
        self.variables, self.over = variables, over
        self.sheet = Sheet(board, level)
        self.look = LEVELS[level]
        self.holder = {h.id: control.get(h.key, "") for h in board if h.is_land}
        self.power = {id_: palette.power_of(holder) for id_, holder in self.holder.items()}

    # Colours

    def colour(self, name: str) -> str:
        if self.variables:
            return f"var(--{name})"
        return palette.tokens("dark" if self.theme == "dark" else "light")[name]

    def _style(self) -> str:
        rules = []
        if self.variables:
            light, dark = (";".join(f"--{k}:{v}" for k, v in palette.tokens(theme).items()) for theme in palette.THEMES)
            first, second = (dark, light) if self.theme == "dark" else (light, dark)
            rules.append(f".wc-map{{{first}}}")
            if self.theme == "auto":
                rules.append(f"@media (prefers-color-scheme: dark){{.wc-map:not([data-theme=light]){{{second}}}}}")
            other = "light" if self.theme == "dark" else "dark"
            rules.append(f".wc-map[data-theme={other}]{{{second}}}")
        sans = (
            "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans',wc-sans,'DejaVu Sans',sans-serif"
        )
        serif = "'Iowan Old Style',Palatino,'Book Antiqua',Georgia,wc-serif,'DejaVu Serif',serif"
        if self.variables:
            rules += [f"@font-face{{{face}}}" for face in _NARROW_FACES]
        rules += [
            f".wc-map text{{font-family:{sans};fill:{self.colour('ink')};pointer-events:none;"
            f"stroke:{self.colour('paper')};stroke-opacity:.85;stroke-width:2.6px;paint-order:stroke;"
            "stroke-linejoin:round}",
            f".wc-map .land-name,.wc-map .sea-name,.wc-map .held,.wc-map .title{{font-family:{serif}}}",
            ".wc-map .land-name{stroke-width:3.4px}",
            f".wc-map .sea-name{{font-style:italic;fill:{self.colour('sea-name')};stroke:{self.colour('sea')}}}",
            ".wc-map .held{font-style:italic}",
            ".wc-map .t1{font-weight:700}",
            f".wc-map .id{{fill:{self.colour('ink-3')}}}",
            ".wc-map .title{font-weight:600;stroke:none}",
            ".wc-map .plain{stroke:none}",
            f".wc-map .wc-hexes path{{fill:none;pointer-events:all;stroke:{self.colour('grid-sea')};"
            f"stroke-width:{self.look.grid_sea};stroke-opacity:.7}}",
            f".wc-map .wc-hexes path.on{{stroke:{self.colour('grid-land')};stroke-width:{self.look.grid_land};"
            "stroke-opacity:.38}",
        ]
        return "<style>" + "".join(rules) + "</style>"

    # Geometry

    def _path(self, chains: list[Chain]) -> str:
        parts = []
        for chain in chains:
            closed = chain[0] == chain[-1]
            points = [self.sheet.text_at(p) for p in (chain[:-1] if closed else chain)]
            parts.append("M" + "L".join(points) + ("Z" if closed else ""))
        return "".join(parts)

    def _land(self) -> str:
        parts = []
        for ring in coast.rings(self.board):
            points = dict.fromkeys(self.sheet.text_at(p) for p in ring)
            parts.append("M" + "L".join(points) + "Z")
        return "".join(parts)

    def _wears(self, h: Hex) -> str | None:
        """The power whose colour a hex wears; rocks in a sea hex wear that of the land they belong to."""
        return self.power.get(h.id if h.is_land else h.rocks)

    # Layers

    def drawn(self) -> str:
        name = self.board.name
        sheet = self.sheet
        naming = Naming(self.board, sheet, self.level, self.holder, self.ids)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="wc-map" id="map-{name}" data-board="{name}" '
            f'data-level="{self.level}" data-hex-width="{self.look.hex}" width="{sheet.width:.0f}" '
            f'height="{sheet.height:.0f}" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}" role="img" '
            f"aria-label={quoteattr(f'{name.title()}, {self.title}')}>"
        )
        layers = [
            self._style(),
            self._definitions(),
            f'<rect width="100%" height="100%" fill="{self.colour("desk")}"/>',
            f'<g clip-path="url(#{name}-in-board)">',
            self._sea(),
            self._control(),
            "</g>",
            self._coast(),
            self._grid(),
            self._borders(),
            self._special_sides(),
            self._frame(),
            overlay.below_names(self.over, self) if self.over else "",
            naming.drawn(self),
            overlay.above_names(self.over, self) if self.over else "",
            self._margin(),
        ]
        whole = head + "\n".join(layers) + "</svg>\n"
        return overlay.cut_out(self.over, self, whole, self._style()) if self.over else whole

    def _definitions(self) -> str:
        name = self.board.name
        out = ["<defs>"]
        out.append(f'<path id="{name}-land" fill-rule="evenodd" clip-rule="evenodd" d="{self._land()}"/>')
        out.append(f'<path id="{name}-edge" d="{self._path(outline.around(self.board, self.board.hexes))}"/>')
        for ref, what in (("land", "on-land"), ("edge", "in-board")):
            out.append(f'<clipPath id="{name}-{what}"><use href="#{name}-{ref}"/></clipPath>')
        reach = 0.24 * self.look.hex
        out.append(
            f'<mask id="{name}-near-land" maskUnits="userSpaceOnUse" x="0" y="0" width="{self.sheet.width:.0f}" '
            f'height="{self.sheet.height:.0f}"><use href="#{name}-land" fill="#fff" stroke="#fff" '
            f'stroke-width="{reach:.1f}" stroke-linejoin="round"/></mask>'
        )
        areas = self._areas()
        for power, ids in areas.items():
            shape = self._path(outline.around(self.board, ids))
            out.append(f'<path id="{name}-area-{power}" d="{shape}"/>')
            out.append(f'<clipPath id="{name}-in-{power}"><use href="#{name}-area-{power}"/></clipPath>')
        for holder in self._wearers():
            out.append(self._pattern(holder, 1.0, 1))
            out.append(self._pattern(holder, 0.6, 2))
        out.append("</defs>")
        return "".join(out)

    def _wearers(self) -> list[str]:
        """The powers on the map, and the holders that share the colour of one."""
        return [*self._areas(), *(holder for holder in palette.SHARING if holder in self.holder.values())]

    def _pattern(self, holder: str, scale: float, strength: int) -> str:
        look = palette.look_of(holder)
        tile = look.tile * scale
        opacity = palette.PATTERN[1 if self.theme == "dark" else 0] * strength
        inside = palette.pattern(look.pattern, tile, self.colour(f"{palette.power_of(holder)}-deep"), 0.9)
        return (
            f'<pattern id="{self.board.name}-pattern-{holder}-{strength}" width="{tile:.2f}" height="{tile:.2f}" '
            f'patternUnits="userSpaceOnUse"><g opacity="{opacity:.2f}">{inside}</g></pattern>'
        )

    def _areas(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for h in self.board:
            power = self._wears(h)
            if power:
                found.setdefault(power, []).append(h.id)
        return {power: found[power] for power in palette.POWERS if power in found}

    def _sea(self) -> str:
        land, sea = f"#{self.board.name}-land", self.colour("sea")
        out = [f'<g class="wc-sea"><use href="#{self.board.name}-edge" fill="{sea}"/>']
        for n, grown, weight in ((3, 0.34, 0.6), (2, 0.22, 0.7), (1, 0.11, 0.8)):
            wide = 2 * grown * self.look.hex
            for colour, extra in ((self.colour(f"waterline-{n}"), weight), (sea, -weight)):
                out.append(
                    f'<use href="{land}" fill="none" stroke="{colour}" stroke-width="{wide + extra:.1f}" '
                    'stroke-linejoin="round"/>'
                )
        out.append(f'<use href="{land}" fill="{self.colour("land")}"/></g>')
        return "".join(out)

    def _control(self) -> str:
        name = self.board.name
        tint = palette.TINT[1 if self.theme == "dark" else 0]
        band = 2 * min(0.3 * self.look.hex, 11)
        out = [f'<g class="wc-control" clip-path="url(#{name}-on-land)">']
        for power in self._areas():
            shape, colour = f"#{name}-area-{power}", self.colour(f"{power}-map")
            out.append(f'<g data-power="{power}"><use href="{shape}" fill="{colour}" opacity="{tint}"/>')
            out.append(
                f'<g clip-path="url(#{name}-in-{power})" opacity="{palette.BAND}" fill="none" stroke="{colour}">'
            )
            out.append(f'<use href="{shape}" stroke-width="{band:.1f}" stroke-linejoin="round"/>')
            out.append(f'<use href="#{name}-land" stroke-width="{band:.1f}" stroke-linejoin="round"/></g>')
            out.append(self._patterned(power))
            out.append("</g>")
        out.append("</g>")
        return "".join(out)

    def _patterned(self, power: str) -> str:
        """Own land with the plain pattern, conquered land with the dense one; who shares a colour has its own."""
        found: dict[str, list[str]] = {}
        for id_ in self._areas()[power]:
            h = self.board[id_]
            at_first = palette.power_of(fall_1939().get(h.key, "")) if h.is_land else power
            wearer = self.holder[id_] if h.is_land and self.holder[id_] in palette.SHARING else power
            found.setdefault(f"{wearer}-{1 if at_first == power else 2}", []).append(id_)
        out = []
        for pattern, ids in sorted(found.items()):
            shape = self._path(outline.around(self.board, ids))
            out.append(f'<path d="{shape}" fill="url(#{self.board.name}-pattern-{pattern})"/>')
        return "".join(out)

    def _coast(self) -> str:
        colour = self.colour("coast")
        out = [
            f'<g class="wc-coast" clip-path="url(#{self.board.name}-in-board)"><use href="#{self.board.name}-land" '
            f'fill="none" stroke="{colour}" stroke-width="{self.look.coast}" stroke-linejoin="round"/></g>',
            '<g class="wc-specks">',
        ]
        for h in self.board:
            if h.is_land and h.land_share < SPECK:
                x, y = self.sheet.at(hexes.centre(h.at))
                fill = self.colour(f"{self.power[h.id]}-map" if self.power[h.id] else "land")
                out.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.14 * self.look.hex:.1f}" fill="{fill}" '
                    f'stroke="{colour}" stroke-width="{self.look.coast}"/>'
                )
        out.append("</g>")
        return "".join(out)

    def _grid(self) -> str:
        out = [f'<g class="wc-hexes" data-board="{self.board.name}">']
        for h in self.board:
            ring = [self.sheet.text_at(p) for p in hexes.corners(h.at)]
            mark = ' class="on"' if h.is_land else ""
            holder = f' data-holder="{escape(self.holder[h.id])}"' if h.is_land else ""
            out.append(f'<path id="{self.board.name}-{h.id}" data-hex="{h.key}"{mark}{holder} d="M{"L".join(ring)}Z"/>')
        out.append("</g>")
        return "\n".join(out)

    def _borders(self) -> str:
        def joined(a: Hex, b: Hex) -> bool:
            return a.is_land and b.is_land and self.board.side(a.id, b.id) != "all_water"

        def front(a: Hex, b: Hex) -> bool:
            parted = joined(a, b) and self.holder[a.id] != self.holder[b.id]
            return parted and bool(self.power[a.id] or self.power[b.id])

        def border(a: Hex, b: Hex) -> bool:
            return joined(a, b) and a.country != b.country and not front(a, b)

        def ruled(a: Hex, b: Hex) -> bool:
            return joined(a, b) and a.country == b.country and bool(({a.region} ^ {b.region}) & _RULED_REGIONS)

        ink, look = self.colour("ink"), self.look
        dash = f"{look.border * 4:.1f} {look.border * 2:.1f} {look.border:.1f} {look.border * 2:.1f}"
        lines = (
            ("wc-region", ruled, look.border * 0.8, f"{look.border:.1f} {look.border * 2:.1f}", 0.7),
            ("wc-border", border, look.border, dash, 0.85),
            ("wc-front", front, look.front, "", 1),
        )
        out = [f'<g mask="url(#{self.board.name}-near-land)" fill="none" stroke="{ink}" stroke-linejoin="round">']
        for css, parted, weight, dashes, opacity in lines:
            shape = self._path(outline.between(self.board, parted))
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round"'
            out.append(f'<path class="{css}" d="{shape}" stroke-width="{weight}" opacity="{opacity}"{dashed}/>')
        out.append("</g>")
        return "".join(out)

    def _special_sides(self) -> str:
        """Straits as crossing marks, the canal as a line; water sides only where hexes are large."""
        out = ['<g class="wc-sides" fill="none" stroke-linecap="round">']
        for (a, b), side in self.board.special_sides.items():
            if a != side.hex_a or side.kind not in ("strait", "canal"):
                continue
            i = hexes.direction(self.board[a].at, self.board[b].at)
            ends = [self.sheet.at(p) for p in outline.side_ends(self.board[a], i)]
            if side.kind == "canal":
                out.append(self._line(ends[0], ends[1], "canal", 1.6 * self.look.front))
            elif self.level >= 2:
                out.append(self._crossing(ends, self.board[a], self.board[b]))
        out.append("</g>")
        return "".join(out)

    def _line(self, a: tuple[float, float], b: tuple[float, float], token: str, weight: float) -> str:
        where = f'x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"'
        return f'<line {where} stroke="{self.colour(token)}" stroke-width="{weight:.1f}"/>'

    def _crossing(self, ends: list[tuple[float, float]], a: Hex, b: Hex) -> str:
        mx, my = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
        (ax, ay), (bx, by) = self.sheet.at(hexes.centre(a.at)), self.sheet.at(hexes.centre(b.at))
        share = 0.13
        p = (mx + (ax - bx) * share, my + (ay - by) * share)
        q = (mx + (bx - ax) * share, my + (by - ay) * share)
        return self._line(p, q, "strait", 1.5 * self.look.front)

    def _frame(self) -> str:
        edge = f'<use href="#{self.board.name}-edge" fill="none" stroke="{self.colour("ink-3")}" stroke-width="1"/>'
        return f'<g class="wc-frame">{edge}</g>'

    def _margin(self) -> str:
        kinds = {side.kind for side in self.board.special_sides.values()}
        marks: list[str] = [kind for kind in (("strait", "canal") if self.level >= 2 else ("canal",)) if kind in kinds]
        relief = [kind for kind in MARKS if self.level >= 2 and any(h.terrain == kind for h in self.board)]
        return self.sheet.ruler(self) + self.sheet.legend(self, self._wearers(), marks, relief)
