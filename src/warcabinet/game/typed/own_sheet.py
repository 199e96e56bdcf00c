"""A player's own sheet as a position: a turn, powers with level and base, countries, places, tensions, wars, pools.

The sheet is a table in parts. A row whose first cell is `power`, `country`, `place`, `tension`, `war` or `unit` heads a
part, and its cells say what stands in the columns below; an empty row ends nothing. What is not understood is told with
its row, and nothing is taken for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

from warcabinet.figures.position import BOOKS_ALONE, PoolLine, Position
from warcabinet.game.typed.layout import tracks
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model import calendar
from warcabinet.model.names import StatusName, countries, power_named, powers, spelled
from warcabinet.model.places import holder_named, place_key
from warcabinet.model.unit_lists import parse_count
from warcabinet.model.units import kind_name, strength

#: The columns that each part may have; the first names what the row is about.
PARTS = {
    "power": ("power", "level", "base"),
    "country": ("country", "status", "power"),
    "place": ("place", "holder"),
    "tension": ("tension", "level"),
    "war": ("war", "with", "since"),
    "unit": ("unit", "power", "pool", "built"),
}
Row = dict[str, str]


def read_sheet(rows: list[list[str]]) -> Position:
    """The position that a sheet describes; whatever is wrong with it is told with its row."""
    reader = _Sheet()
    heading: tuple[str, ...] = ()
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        try:
            if cells[0].lower() == "turn":
                reader.moment(cells)
            elif cells[0].lower() in PARTS:
                heading = _heading(cells)
            else:
                reader.take(heading, cells)
        except WarCabinetError as error:
            raise WarCabinetError(f"row {number} ({', '.join(cells)[:60]}): {error}") from None
    return reader.position()


def _heading(cells: list[str]) -> tuple[str, ...]:
    names = tuple(cell.lower() for cell in cells)
    for name in names:
        if name not in PARTS[names[0]]:
            raise unknown(f"column of the part {names[0]}", name, PARTS[names[0]])
    if len({*names}) < len(names):
        raise WarCabinetError("a column stands there twice")
    return names


class _Sheet:
    def __init__(self) -> None:
        self.turn = ""
        self.set: dict[str, Any] = {}
        self.control: dict[str, list[str]] = {}
        self.wars: list[dict[str, Any]] = []
        self.pools: list[PoolLine] = []
        self.known: set[tuple[str, ...]] = set()

    def position(self) -> Position:
        found = dict(self.set)
        if self.control:
            found["control"] = self.control
        if self.wars:
            found["wars"] = self.wars
        if not found:
            raise WarCabinetError("the sheet names nothing: begin with a row power, level, base")
        return Position("classic-1939", turn=self.turn, set=found, options=dict(BOOKS_ALONE), pools=tuple(self.pools))

    def moment(self, cells: list[str]) -> None:
        if len(cells) != 2:
            raise WarCabinetError("write turn and the turn beside it, such as turn, Spring 1942")
        self.turn = calendar.turn_name(calendar.parse_turn(cells[1].capitalize()))

    def take(self, heading: tuple[str, ...], cells: list[str]) -> None:
        if not heading:
            raise WarCabinetError(f"no part is begun: write one of {', '.join(PARTS)} above it, as the first cell")
        if len(cells) > len(heading):
            raise WarCabinetError(f"there are more cells than columns ({', '.join(heading)})")
        row = dict(zip(heading, [*cells, *[""] * (len(heading) - len(cells))], strict=True))
        readers: dict[str, Callable[[Row], tuple[str, ...]]] = {
            "power": self._power,
            "country": self._country,
            "place": self._place,
            "tension": self._tension,
            "war": self._war,
            "unit": self._unit,
        }
        about = (heading[0], *readers[heading[0]](row))
        if about in self.known:
            raise WarCabinetError("it stands there twice")
        self.known.add(about)

    def _power(self, row: Row) -> tuple[str, ...]:
        power = power_named(row["power"]).power
        for column, figure in (("level", "brp"), ("base", "base")):
            if row.get(column):
                self.set[f"powers.{power}.{figure}"] = _whole(row[column], column)
        return (power,)

    def _country(self, row: Row) -> tuple[str, ...]:
        country = spelled(row["country"], "country")
        if country not in countries():
            raise unknown("country", row["country"], countries())
        status = row.get("status", "").lower()
        if status not in get_args(StatusName):
            raise unknown("status", status, get_args(StatusName))
        by = power_named(row["power"]).power if row.get("power") else ""
        self.set[f"countries.{country}"] = {"status": status, **({"by": by} if by else {})}
        return (country,)

    def _place(self, row: Row) -> tuple[str, ...]:
        key = place_key(row["place"])
        self.control.setdefault(holder_named(row.get("holder", "")), []).append(key)
        return (key,)

    def _tension(self, row: Row) -> tuple[str, ...]:
        track = tracks().get(re.sub(r"[\W_]+", "", row["tension"].lower()))
        if track is None:
            raise unknown("tension", row["tension"], tracks().values())
        self.set[f"tracks.{track}"] = _whole(row.get("level", ""), "level")
        return (track,)

    def _war(self, row: Row) -> tuple[str, ...]:
        sides = [spelled(row.get(it, ""), "belligerent") for it in ("war", "with")]
        for side in sides:
            if side not in powers() and side not in countries():
                raise unknown("power or country", side, [*powers(), *countries()])
        since = row.get("since", "")
        told = {"since": calendar.turn_name(calendar.parse_turn(since.capitalize()))} if since else {}
        self.wars.append({"between": sides, "declared_by": sides[0], **told})
        return tuple(sorted(sides))

    def _unit(self, row: Row) -> tuple[str, ...]:
        power = power_named(row.get("power", "")).power
        unit, _ = parse_count(row["unit"].lower())
        for column, unbuilt in (("pool", True), ("built", False)):
            if row.get(column) and (count := _whole(row[column], column)):
                self.pools.append(PoolLine(power, kind_name(unit), strength(unit), count, unbuilt))
        return power, unit


def _whole(text: str, column: str) -> int:
    if not re.fullmatch(r"[-−]?\d{1,5}", text):
        raise WarCabinetError(f"{column}: write a whole number, not '{text}'")
    return int(text.replace("−", "-"))
