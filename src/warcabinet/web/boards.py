"""The boards as data for the page: hexes, sides, places, names, coast. Fixed, so browsers keep them."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

import msgspec

from warcabinet.board import hexes, rows
from warcabinet.board.boxes import boxes
from warcabinet.board.control import held
from warcabinet.board.maps import Board, areas_by_id, board
from warcabinet.board.names import find_hex, places
from warcabinet.board.seas import seas
from warcabinet.board.supply import trace
from warcabinet.board.zoc import zone
from warcabinet.kernel.tables import read_csv
from warcabinet.model.forces import stacks
from warcabinet.model.places import default_holders, holder
from warcabinet.model.state import State
from warcabinet.web.errors import Problem, not_found

#: A place is ringed when it is one of these.
RINGED = ("capital", "key_area", "objective")


@cache
def board_json(name: str) -> tuple[bytes, str]:
    """A board as JSON, and the mark by which a browser knows that it has it."""
    if name not in ("europe", "pacific"):
        raise not_found(f"board {name}")
    one = board(name)
    coast = json.loads(rows.folder().joinpath(f"coast-{name}.json").read_text(encoding="utf-8"))
    data = {
        "board": name,
        "hexes": [_hex(h) for h in one],
        "sides": [[s.hex_a, s.hex_b, s.kind] for (a, _), s in one.special_sides.items() if a == s.hex_a],
        "places": [_place(p) for p in places().values() if p.board == name],
        "names": _names(one),
        "areas": {row.id: row.name for row in areas_by_id().values()},
        "boxes": [_box(b, name) for b in boxes().values() if name in _boards_of(b)],
        "coast": {"unit": coast["unit"], "rings": coast["rings"]},
        "rows": hexes.ROWS,
    }
    body = json.dumps(data, separators=(",", ":")).encode()
    return body, hashlib.sha256(body).hexdigest()[:16]


def _hex(h: Any) -> list[Any]:
    """Id, row, column, kind, country, holder at birth, share of land, terrain."""
    return [
        h.id,
        h.at.row,
        h.at.col,
        h.kind,
        h.region or h.country,
        h.country,
        default_holders().get(h.key, ""),
        h.land_share,
        h.terrain,
    ]


def _place(p: Any) -> dict[str, Any]:
    roles = [{"role": r.role, "of": r.of} for r in p.roles]
    return {"name": p.name, "hex": p.hex, "tier": p.tier, "ringed": any(p.has(r) for r in RINGED), "roles": roles}


def _boards_of(box: Any) -> set[str]:
    return {link.board for link in box.links} | {box.board}


def _box(box: Any, name: str) -> dict[str, Any]:
    """A box with the hexes it touches on this board, by which the page finds its edge."""
    return {
        "id": box.id,
        "name": box.name.removesuffix(" box"),
        "clause": "" if box.source == "assumed" else box.source,
        "hexes": [id_ for link in box.links if link.board == name for id_ in link.hexes],
        "home": box.board in (name, "both"),
    }


def _names(one: Board) -> list[dict[str, Any]]:
    """Names of countries and seas with their anchors: set by hand where a table has them, else in the middle."""
    file = rows.folder().joinpath("labels.csv")
    if file.is_file():
        return [n for row in read_csv(file, _LabelRow) if row.board == one.name and (n := _label(one, row))]
    return [*_land_names(one), *_sea_names(one)]


class _LabelRow(msgspec.Struct, frozen=True):
    board: str
    text: str
    kind: str
    area: str
    hex: str
    size: int
    source: str


def _label(one: Board, row: _LabelRow) -> dict[str, Any] | None:
    if row.hex not in one:
        return None
    kind = "sea" if row.kind == "sea" else "land"
    return {"text": row.text, "kind": kind, "area": row.area, "hex": row.hex, "size": row.size}


def _land_names(one: Board) -> list[dict[str, Any]]:
    found = []
    for row in areas_by_id().values():
        mine = [h for h in one if h.country == row.id]
        if len(mine) > 1:
            size = 3 if len(mine) > 40 else 2 if len(mine) > 12 else 1
            found.append({"text": row.name.upper(), "kind": "land", "area": row.id, "hex": _middle(mine), "size": size})
    return found


def _sea_names(one: Board) -> list[dict[str, Any]]:
    found = []
    for sea in seas(one).values():
        mine = [h for h in one if sea.id in h.seas and h.kind == "sea"]
        if len(mine) > 2:
            size = 3 if len(mine) > 60 else 2 if len(mine) > 15 else 1
            found.append({"text": sea.name, "kind": "sea", "area": sea.id, "hex": _middle(mine), "size": size})
    return found


def _middle(mine: list[Any]) -> str:
    x = sum(hexes.centre(h.at)[0] for h in mine) / len(mine)
    y = sum(hexes.centre(h.at)[1] for h in mine) / len(mine)
    best = min(mine, key=lambda h: (hexes.centre(h.at)[0] - x) ** 2 + (hexes.centre(h.at)[1] - y) ** 2)
    return str(best.id)


def zones(state: State, name: str) -> dict[str, list[str]]:
    """The hexes that the armor of each nation reaches, for the map's switch."""
    if name not in ("europe", "pacific"):
        raise not_found(f"board {name}")
    one = board(name)
    standing: dict[str, set[str]] = {}
    for it in stacks(state):
        if it.place.startswith(name + "/") and it.unit.startswith(("armor", "mechanized")):
            standing.setdefault(it.nation, set()).add(it.place)
    return {nation: list(one.ids(zone(one, hexes_))) for nation, hexes_ in standing.items()}


def land_line(state: State, start: str, end: str) -> dict[str, Any]:
    """A shortest way over land held by one alliance faction, or the fewest hexes that cut it.

    What may serve as a source, and how far a line may reach, is for the rules to say: this is the ground it runs over.
    """
    source, target = find_hex(start), find_hex(end)
    if source.board != target.board:
        raise Problem(400, "no land line leads from one board to the other")
    one = board(source.board)
    holding = holder(state, source.key)
    side = state.powers[holding].faction if holding in state.powers else ""
    friends = [p for p, it in state.powers.items() if it.faction == side] or [holding]
    line = trace(one, (source.id,), (target.id,), held(one, lambda key: holder(state, key), friends))
    return {
        "found": line.found,
        "path": [f"{one.name}/{id_}" for id_ in line.path],
        "cut": [f"{one.name}/{id_}" for id_ in line.cut],
        "of": side or holding,
        "steps": max(0, len(line.path) - 1),
    }


def hex_view(state: State, key: str) -> dict[str, Any]:
    """A hex in words: its land, its places and their roles, who holds it."""
    name, _, id_ = key.partition("/")
    if name not in ("europe", "pacific") or id_ not in board(name):
        raise not_found(f"hex {key}")
    h = board(name)[id_]
    land = areas_by_id().get(h.region or h.country)
    here = [_place(p) for p in places().values() if p.key == key]
    return {
        "key": key,
        "id": h.id,
        "kind": h.kind,
        "terrain": h.terrain,
        "land": land.name if land else "",
        "holder": holder(state, key),
        "places": here,
        "source": h.source,
        "neighbours": [n.key for n in board(name).neighbours(id_)],
    }
