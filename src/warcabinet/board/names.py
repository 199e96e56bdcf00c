"""Finding a hex, a place, an area or a box by the name a player gives it.

Names work in the documents' spelling and in common others, whatever the case or accents. An unknown name is refused
with the nearest ones, and a hex id that both boards have is refused with both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

from warcabinet.board import boxes, hexes, rows
from warcabinet.board.boxes import Box
from warcabinet.board.maps import Board, Hex, areas_by_id, board, both
from warcabinet.board.rows import BoardName, RoleName
from warcabinet.kernel.errors import UnknownName, WarCabinetError, did_you_mean, hint_among, nearest, unknown

AreaKind = Literal["country", "region", "island", "sea", "group"]


class Role(msgspec.Struct, frozen=True):
    """What a place is in the game, for whom, and who says so."""

    role: RoleName
    of: str
    source: str


class Place(msgspec.Struct, frozen=True):
    """A named spot in one hex."""

    name: str
    board: BoardName
    hex: str
    #: The country it belongs to by history; a check holds the map to it.
    country: str
    tier: int
    roles: tuple[Role, ...]
    source: str

    @property
    def key(self) -> rows.PlaceKey:
        return rows.PlaceKey(f"{self.board}/{self.hex}")

    def has(self, role: RoleName) -> bool:
        return any(r.role == role for r in self.roles)


class Area(msgspec.Struct, frozen=True):
    """A named set of hexes: a country, a region, an island, a sea or a group that some clause speaks of."""

    id: str
    name: str
    kind: AreaKind
    keys: tuple[rows.PlaceKey, ...]
    source: str


Found = Hex | Place | Area | Box
_ISLAND = "island:"
#: Letters that Unicode does not take apart into a plain letter and an accent.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_DROPPED = re.compile("[.'’ʼ]")
_SIGNS = re.compile(r"[\W_]+")
_LIKE_ID = re.compile(r"[A-Za-z]{1,2}\d{1,3}")


class OnBothBoards(WarCabinetError):
    """A hex id that both boards have."""


@cache
def places() -> dict[str, Place]:
    """Every place by its name in the documents' spelling."""
    roles: dict[str, list[Role]] = {}
    for row in rows.table("roles", rows.RoleRow):
        roles.setdefault(row.place, []).append(Role(row.role, row.of, row.source))
    found = {}
    for place in rows.table("places", rows.PlaceRow):
        at = board(place.board)[place.hex]
        mine = tuple(roles.pop(place.name, ()))
        found[place.name] = Place(place.name, place.board, at.id, place.country, place.tier, mine, place.source)
    if roles:
        raise unknown("place in roles.csv", next(iter(roles)), found)
    return found


@cache
def with_role(role: RoleName, of: str | None = None) -> tuple[Place, ...]:
    """All places with a role, of one power or country if given."""
    return tuple(p for p in places().values() if any(r.role == role and of in (None, r.of) for r in p.roles))


@cache
def places_at(key: str) -> tuple[Place, ...]:
    """The places in a hex."""
    return tuple(p for p in places().values() if p.key == key)


@cache
def areas() -> dict[str, Area]:
    """Every area by a unique id; that of an island starts with `island:`."""
    inside = _keys_by_area()
    found: dict[str, Area] = {}
    for row in areas_by_id().values():
        kind: AreaKind = "region" if row.kind == "region" else "country"
        found[row.id] = Area(row.id, row.name, kind, inside.get(row.id, ()), row.source)
    for group in rows.table("groups", rows.GroupRow):
        found[group.id] = Area(group.id, group.name, "group", _group_keys(group, found), group.source)
    for sea in rows.table("seas", rows.SeaRow):
        found[sea.id] = Area(sea.id, sea.name, "sea", inside.get(sea.id, ()), sea.source)
    for id_ in sorted(i for i in inside if i.startswith(_ISLAND)):
        found[id_] = Area(id_, id_.removeprefix(_ISLAND), "island", inside[id_], "assumed")
    return found


def _keys_by_area() -> dict[str, tuple[rows.PlaceKey, ...]]:
    found: dict[str, list[rows.PlaceKey]] = {}
    for one in both():
        for h in one:
            island = _ISLAND + h.island if h.island else ""
            for id_ in filter(None, (h.country, h.region, island, *h.seas)):
                found.setdefault(id_, []).append(h.key)
    return {id_: tuple(keys) for id_, keys in found.items()}


def _group_keys(group: rows.GroupRow, known: dict[str, Area]) -> tuple[rows.PlaceKey, ...]:
    one = board(group.board)
    for id_ in rows.parts(group.areas):
        if id_ not in known:
            raise unknown("area in groups.csv", id_, known)
    from_areas = [k for id_ in rows.parts(group.areas) for k in known[id_].keys if k.startswith(one.name)]
    from_hexes = [one[id_].key for id_ in rows.parts(group.hexes)]
    return tuple(dict.fromkeys(from_areas + from_hexes))


def plain(text: str) -> str:
    """A name without case, accents, punctuation and article, for comparing."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
        text = text.casefold().translate(_LETTERS)
    words = _SIGNS.sub(" ", _DROPPED.sub("", text.casefold())).split()
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


@cache
def _index() -> dict[str, Found]:
    """Plain name to what bears it; a place wins over an area, an area over an island of the same name."""
    index: dict[str, Found] = {}
    for place in places().values():
        index.setdefault(plain(place.name), place)
    for area in areas().values():
        index.setdefault(plain(area.name), area)
        index.setdefault(plain(area.id), area)
    for box in boxes.boxes().values():
        index.setdefault(plain(box.name), box)
        index.setdefault(plain(box.id), box)
    for row in rows.table("aliases", rows.AliasRow):
        target = index.get(plain(row.name))
        if target is None:
            raise unknown(f"name behind the alias {row.alias}", row.name, known_names())
        if index.setdefault(plain(row.alias), target) is not target:
            raise WarCabinetError(f"aliases.csv: {row.alias} is already the name of something else")
    return index


@cache
def known_names() -> tuple[str, ...]:
    """All names in use, aliases included."""
    names = [p.name for p in places().values()] + [a.name for a in areas().values()]
    names += [b.name for b in boxes.boxes().values()] + [r.alias for r in rows.table("aliases", rows.AliasRow)]
    return tuple(dict.fromkeys(names))


def find(name: str, on: str | None = None) -> Found:
    """What a name means: `Rangoon`, `Romania`, `MM19`, `europe:K28`, `India box`.

    `on` is the board that is meant: it settles ids that both boards have, and a name of the other board is refused.
    """
    text = name.strip()
    if not text:
        raise WarCabinetError("a name is missing: give a hex or a place, such as europe:K28 or Rangoon")
    found = _named(text)
    if found is not None:
        return found if on is None else _on_board(found, on)
    before, mark, rest = text.partition(":") if ":" in text else text.partition("/" if "/" in text else " ")
    if mark and (mark != " " or _LIKE_ID.fullmatch(rest)):
        one = board(before.strip().casefold()).name
        if on not in (None, one):
            raise WarCabinetError(f"{text} is on the {one} board, not on the {on} board")
        return find(rest, one)
    return _hex_by_id(text, on)


def _named(text: str) -> Found | None:
    """What bears a name; `Wake Island` and `the Solomons` are understood without a row of their own."""
    name = plain(text)
    short = re.sub(r" islands?$", "", name)
    # `Canton I` before `Canton`: the island in mid-ocean is not the city in China.
    spellings = (name, short + " i", short, short + " islands", short.removesuffix("s") + " islands")
    return next((_index()[spelling] for spelling in spellings if spelling in _index()), None)


def _on_board(found: Found, on: str) -> Found:
    """The same on one board, or a refusal that says where it is."""
    if isinstance(found, Area):
        here = tuple(key for key in found.keys if key.startswith(on + "/"))
        if here or not found.keys:
            return msgspec.structs.replace(found, keys=here)
        elsewhere = found.keys[0].split("/")[0]
    elif found.board in (on, "both"):
        return found
    else:
        elsewhere = found.board
    called = found.key if isinstance(found, Hex) else found.name
    raise WarCabinetError(f"{called} is on the {elsewhere} board, not on the {on} board")


def _hex_by_id(text: str, on: str | None) -> Hex:
    try:
        id_ = hexes.format_id(hexes.parse_id(text))
    except WarCabinetError:
        raise (_unknown_id(text) if _LIKE_ID.fullmatch(text) else _unknown_name(text)) from None
    having = [one for one in both() if id_ in one and on in (None, one.name)]
    if len(having) == 1:
        return having[0][id_]
    if having:
        choices = " or ".join(f"{one.name}:{id_} ({describe(one[id_])})" for one in having)
        raise OnBothBoards(f"{id_} is on both boards: say {choices}")
    where = f"the {on} board" if on else "either board"
    raise UnknownName(f"there is no hex {id_} on {where}", lambda: _near_hexes(id_, on))


def _near_hexes(id_: str, on: str | None) -> str:
    near = [f"{h.board}:{h.id}" for one in both() if on in (None, one.name) for h in _near(one, id_)]
    return f"near: {', '.join(near)}"


def _near(one: Board, id_: str) -> list[Hex]:
    at = hexes.parse_id(id_)
    return sorted(one, key=lambda h: (hexes.distance(h.at, at), h.at))[:2]


def _unknown_id(text: str) -> UnknownName:
    return UnknownName(f"there is no hex {text.upper()}", lambda: _like_id(text))


def _like_id(text: str) -> str:
    close = nearest(text, [h.id for one in both() for h in one])
    rows_run = "rows run from A to Z and from AA to NN"
    return f"{rows_run}; {did_you_mean(close)}" if close else rows_run


def _unknown_name(text: str) -> UnknownName:
    return UnknownName(f"unknown place '{text}'", lambda: _like_name(text))


def _like_name(text: str) -> str:
    flat = {plain(name): name for name in known_names()}
    close = [flat[hit] for hit in nearest(plain(text), flat)]
    return did_you_mean(close) if close else hint_among(text, known_names())


def find_hex(name: str, on: str | None = None) -> Hex:
    """The one hex that a name or id means; a name of several hexes is refused."""
    found = find(name, on)
    if isinstance(found, Hex):
        return found
    if isinstance(found, Place):
        return board(found.board)[found.hex]
    if isinstance(found, Area) and len(found.keys) == 1:
        board_name, id_ = found.keys[0].split("/")
        return board(board_name)[id_]
    what = f"{len(found.keys)} hexes" if isinstance(found, Area) else "a box beside the board"
    raise WarCabinetError(f"{found.name} is {what}, but one hex is wanted: name a city or give a hex id")


def find_keys(name: str, on: str | None = None) -> tuple[str, ...]:
    """All hexes that a name covers: one for a place, many for a country, none for a box."""
    found = find(name, on)
    if isinstance(found, Area):
        return found.keys
    return () if isinstance(found, Box) else (found.key,)


def describe(at: Hex) -> str:
    """A hex in a few words: its places, else its country or sea."""
    here = [p.name for p in places_at(at.key)]
    land = areas_by_id().get(at.region or at.country)
    sea = [areas()[s].name for s in at.seas[:1]]
    return ", ".join(here + ([land.name] if land else sea)) or at.kind


def named(keys: Iterable[str]) -> list[str]:
    """Hex keys with their descriptions, for messages."""
    return [f"{key} ({describe(board(key.split('/')[0])[key])})" for key in keys]
