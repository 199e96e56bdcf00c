"""From the survey and the hand-kept tables to the rows of the data files."""

from __future__ import annotations

import re
from collections import deque

import handkept
from shapely.geometry import Point, Polygon
from shares import LAND_ABOVE, SEA_BELOW, Geography, side_share

from warcabinet.board import hexes
from warcabinet.board.hexes import Axial

Row = dict[str, str]
#: Lands where a hex that nothing else marks is jungle.
JUNGLE = {
    "burma",
    "malaya",
    "singapore",
    "sarawak",
    "dutch_east_indies",
    "java",
    "sumatra",
    "south_borneo",
    "netherlands_new_guinea",
    "new_guinea",
    "solomon_islands",
    "philippines",
    "french_indochina",
}
#: Land whose northern neighbour across the Himalaya is China.
SOUTH_OF_HIMALAYA = {"india", "nepal", "bhutan"}
CHINESE = {"china", "tibet", "sinkiang"}
OUTBACK = [hexes.parse_id(f"NN{col}") for col in range(17, 23)]
#: Open water of a side between two coastal hexes that ships can use.
SHORE_BELOW = 0.90


def kinds(geo: Geography, ids: list[Axial]) -> dict[Axial, str]:
    """land, coastal, sea or lake."""
    found = {}
    for at in ids:
        share = geo.share[at]
        found[at] = "sea" if share < SEA_BELOW else "land" if share > LAND_ABOVE else "coastal"
    for row in handkept.of("kind-hexes", geo.board):
        found[hexes.parse_id(row["hex"])] = row["kind"]
    return found


def areas(geo: Geography, ids: list[Axial], kind: dict[Axial, str]) -> dict[Axial, str]:
    """The country or region of every land hex: the largest modern state, unless a table says otherwise."""
    by_state = {row["state"]: row["area"] for row in handkept.of("states", geo.board)}
    by_hand = {hexes.parse_id(row["hex"]): row["area"] for row in handkept.of("area-hexes", geo.board)}
    found = {}
    for at in ids:
        if kind[at] in ("land", "coastal"):
            found[at] = by_hand.get(at) or by_state[geo.state_shares[at][0][1]]
    return found


def sides(geo: Geography, ids: list[Axial], kind: dict[Axial, str], area: dict[Axial, str]) -> list[Row]:
    """Every side that is more than plain land between two land hexes or open sea."""
    rows: list[Row] = []
    hand = {(row["hex_a"], row["hex_b"]): row for row in handkept.of("sides", geo.board)}
    for a in ids:
        for b in hexes.neighbours(a):
            if not a < b or a not in area or b not in area:
                continue
            row = hand.pop((str(a), str(b)), None)
            rows.extend(_side(geo, a, b, kind, area, row))
    rows.extend(_landlocked(geo, kind, area, rows))
    if hand:
        raise ValueError(f"sides.csv names no side of {geo.board}: {list(hand)}")
    if geo.board == "pacific":
        rows.extend(
            _row(geo, at, "south edge", "outback", "no way off the board through the outback", "71.81")
            for at in OUTBACK
        )
    return rows


def _landlocked(geo: Geography, kind: dict[Axial, str], area: dict[Axial, str], rows: list[Row]) -> list[Row]:
    """Give a port that the coarse coast shuts in the least dry of its sides to a coastal neighbour."""
    known = {(row["hex_a"], row["hex_b"]) for row in rows if row["kind"] in ("all_water", "strait", "shore")}
    found = []
    for at in [a for a in area if kind[a] == "coastal"]:
        around = [n for n in hexes.neighbours(at) if n in kind]
        if any(kind[n] == "sea" or (str(min(at, n)), str(max(at, n))) in known for n in around):
            continue
        if any(kind[n] == "lake" for n in around):
            continue
        way = min((n for n in around if kind[n] == "coastal"), key=lambda n: (side_share(geo, at, n), n))
        a, b = min(at, way), max(at, way)
        found.append(_row(geo, a, b, "shore", "the way to sea of a port behind its coast", "assumed"))
    return found


def _side(
    geo: Geography, a: Axial, b: Axial, kind: dict[Axial, str], area: dict[Axial, str], hand: Row | None
) -> list[Row]:
    share = side_share(geo, a, b)
    parted = geo.main_mass.get(a) != geo.main_mass.get(b)
    found = "all_water" if share < 0.10 or parted else "land"
    note, source = "", "assumed"
    if found == "all_water" and parted and share >= 0.10:
        note = "different islands or shores"
    if hand:
        found, note, source = hand["kind"], *_noted(hand["reason"])
    if a in OUTBACK and b in OUTBACK and geo.board == "pacific":
        found, note, source = "outback", "between two outback hexes", "71.81"
    if found == "land" and _himalayan(area[a], area[b]):
        found, note, source = "himalaya", "crest of the Himalaya", "assumed"
    if found == "land" and kind[a] == kind[b] == "coastal" and share < SHORE_BELOW:
        found = "shore"
    return [] if found == "land" else [_row(geo, a, b, found, note, source)]


def _himalayan(one: str, other: str) -> bool:
    return bool({one, other} & SOUTH_OF_HIMALAYA and {one, other} & CHINESE)


def _row(geo: Geography, a: Axial, b: Axial | str, kind: str, note: str, source: str) -> Row:
    return {"board": geo.board, "hex_a": str(a), "hex_b": str(b), "kind": kind, "note": note, "source": source}


def _noted(reason: str) -> tuple[str, str]:
    """Split `83.22B: Lesbos is an island` into the note and its source."""
    found = re.match(r"(\d\d\.[0-9A-Z]+)(?:: )?(.*)", reason)
    return (found[2] or reason, found[1]) if found else (reason, "assumed")


def hex_rows(
    geo: Geography, grid: list[Row], kind: dict[Axial, str], area: dict[Axial, str], side: list[Row]
) -> list[Row]:
    """The rows of hexes-<board>.csv."""
    ids = [hexes.parse_id(row["hex"]) for row in grid]
    where = {at: (float(row["lon"]), float(row["lat"])) for at, row in zip(ids, grid, strict=True)}
    seas = _seas(geo, where, kind, side)
    islands = _islands(geo, ids, area, side)
    terrain, features = _terrain(geo, where, area)
    sources = _sources(geo)
    rows = []
    for at in ids:
        lon, lat = where[at]
        rows.append(
            {
                "hex": str(at),
                "kind": kind[at],
                "terrain": terrain.get(at, "") if at in area else "",
                "features": features.get(at, ""),
                "area": area.get(at, ""),
                "island": islands.get(at, ""),
                "seas": ";".join(seas.get(at, ())),
                "front": _front(geo.board, at, area.get(at) or (seas.get(at) or ("",))[0]),
                "edge": ";".join(_edges(at, set(ids))),
                "lon": f"{lon:.2f}",
                "lat": f"{lat:.2f}",
                "land_share": f"{geo.share[at]:.2f}",
                "rocks": _rocks(geo, at, area),
                "source": sources.get(str(at), "assumed"),
            }
        )
    return rows


def _rocks(geo: Geography, at: Axial, area: dict[Axial, str]) -> str:
    """The land hex to which the slivers in a sea hex belong: on the same land, else the nearest in the same state."""
    if at in area or not geo.state_shares[at]:
        return ""
    state = geo.state_shares[at][0][1]
    near = [n for n in hexes.within(at, 4) if n in area and any(name == state for _, name in geo.state_shares[n])]
    beside = [n for n in hexes.neighbours(at) if n in area and geo.main_mass.get(n) == geo.main_mass.get(at)]
    best = beside or near
    return str(min(best, key=lambda n: (hexes.distance(at, n), -geo.share[n], n))) if best else ""


def _seas(
    geo: Geography, where: dict[Axial, tuple[float, float]], kind: dict[Axial, str], side: list[Row]
) -> dict[Axial, tuple[str, ...]]:
    outlines = [(row["sea"], _polygon(row["outline"])) for row in handkept.of("seas", geo.board)]
    order = [name for name, _ in outlines]
    found: dict[Axial, set[str]] = {}
    for at, (lon, lat) in where.items():
        if kind[at] in ("sea", "lake"):
            east = lon + 360 if geo.board == "pacific" and lon < 0 else lon
            found[at] = {next(name for name, shape in outlines if shape.covers(Point(east, lat)))}
    hand = {hexes.parse_id(row["hex"]): set(row["seas"].split(";")) for row in handkept.of("sea-hexes", geo.board)}
    wet = {(r["hex_a"], r["hex_b"]) for r in side if r["kind"] in ("all_water", "strait", "shore")}
    coastal = [at for at in where if kind[at] == "coastal"]
    for at in coastal:
        beside = [n for n in hexes.neighbours(at) if kind.get(n) in ("sea", "lake")]
        found[at] = hand.get(at) or {name for n in beside for name in found[n]}
    # A coastal hex without a sea hex beside it takes the water of its coastal neighbours, or else its nearest sea.
    for _ in range(3):
        for at in [a for a in coastal if not found[a]]:
            near = [n for n in hexes.neighbours(at) if (str(min(at, n)), str(max(at, n))) in wet]
            found[at] = {name for n in near for name in found.get(n, set())}
    for at in [a for a in coastal if not found[a]]:
        nearest = min((n for n in found if found[n]), key=lambda n: (hexes.distance(at, n), n))
        found[at] = set(found[nearest])
    return {at: tuple(sorted(names, key=order.index)) for at, names in found.items()}


def _polygon(outline: str) -> Polygon:
    return Polygon([tuple(map(float, pair.split())) for pair in outline.split(";")])


def _islands(geo: Geography, ids: list[Axial], area: dict[Axial, str], side: list[Row]) -> dict[Axial, str]:
    """Land that hangs together without crossing water, named by one of its hexes."""
    parted = {(r["hex_a"], r["hex_b"]) for r in side if r["kind"] in ("all_water", "strait")}
    names = {hexes.parse_id(row["hex"]): row["island"] for row in handkept.of("islands", geo.board)}
    found: dict[Axial, str] = {}
    seen: set[Axial] = set()
    for start in ids:
        if start in seen or start not in area:
            continue
        mass, queue = {start}, deque([start])
        while queue:
            a = queue.popleft()
            for b in hexes.neighbours(a):
                if b in area and b not in mass and (str(min(a, b)), str(max(a, b))) not in parted:
                    mass.add(b)
                    queue.append(b)
        seen |= mass
        named = sorted({names[at] for at in mass if at in names})
        if len(named) > 1:
            raise ValueError(f"{named} hang together on {geo.board}")
        if len(mass) < 60:
            if not named:
                raise ValueError(f"unnamed island on {geo.board}: {sorted(map(str, mass))}")
            found.update(dict.fromkeys(mass, named[0]))
    return found


def _terrain(
    geo: Geography, where: dict[Axial, tuple[float, float]], area: dict[Axial, str]
) -> tuple[dict[Axial, str], dict[Axial, str]]:
    outlines = [(row["terrain"], _polygon(row["outline"])) for row in handkept.of("terrain", geo.board)]
    terrain, features = {}, {}
    for at in area:
        plain = "jungle" if area[at] in JUNGLE else "clear"
        terrain[at] = next((kind for kind, shape in outlines if shape.covers(Point(*where[at]))), plain)
    for row in handkept.of("features", geo.board):
        at = hexes.parse_id(row["hex"])
        terrain[at] = row["terrain"] or terrain[at]
        features[at] = row["features"]
    return terrain, features


def _front(board: str, at: Axial, area: str) -> str:
    x, _ = hexes.centre(at)
    if board == "europe" and area == "germany" and x >= 34.5:
        return "eastern"
    if board == "europe" and area == "france" and at.row >= 19:
        return "mediterranean"
    return {row["area"]: row["front"] for row in handkept.of("fronts", board)}[area]


def _edges(at: Axial, ids: set[Axial]) -> list[str]:
    edges = []
    if at.row == 0:
        edges.append("north")
    if Axial(at.row, at.col + 1) not in ids:
        edges.append("east")
    if at.row == hexes.ROWS - 1:
        edges.append("south")
    if Axial(at.row, at.col - 1) not in ids:
        edges.append("west")
    return edges


def _sources(geo: Geography) -> dict[str, str]:
    found = {}
    for row in handkept.of("area-hexes", geo.board) + handkept.of("kind-hexes", geo.board):
        source = _noted(row["reason"])[1]
        if source != "assumed":
            found[row["hex"]] = source
    for row in handkept.of("quoted", geo.board) + handkept.of("features", geo.board):
        for at in (row.get("hexes") or row["hex"]).split():
            found[at] = row["source"]
    return found
