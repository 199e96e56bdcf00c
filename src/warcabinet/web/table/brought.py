"""Positions that somebody brings, as a file, a sheet or lines: read in their turn, long ones in a process with limits.

The process is `python -m warcabinet.web.table.brought` (see `apart`).
"""

from __future__ import annotations

import base64

import msgspec

from warcabinet.figures.position import Position, set_up
from warcabinet.game.typed.layout import Laid, read_layout
from warcabinet.game.typed.own_sheet import read_sheet
from warcabinet.plans.intake import SHORT
from warcabinet.store.apart import Limits, obey
from warcabinet.store.workbook import read_rows, unpacked
from warcabinet.web.plumbing.readers import Readers
from warcabinet.web.table.starting import read_position

POSITION, SHEET, LINES = "the position", "the sheet", "the lines"
#: Bytes of a sheet, unpacked, that are read in less time than a process takes to start.
SHORT_SHEET = 100_000


def position_brought(readers: Readers, who: str, text: str) -> Position:
    """A position file; what is wrong with it is said with its line."""
    return _brought(readers, who, POSITION, text, len(text) > SHORT)


def sheet_brought(readers: Readers, who: str, data: bytes) -> Position:
    """A player's own sheet; what is wrong with it is said with its row."""
    return _brought(readers, who, SHEET, base64.b64encode(data).decode(), unpacked(data) > SHORT_SHEET)


def lines_brought(readers: Readers, who: str, text: str, board: str) -> Laid:
    """Lines as they are typed from paper; what was not understood is told with each."""
    with readers.turn(who):
        if len(text) <= SHORT:
            return read_layout(text, board)
        return msgspec.json.decode(readers.apart(__name__, LINES, text, board), type=Laid)


def _brought(readers: Readers, who: str, what: str, text: str, long: bool) -> Position:
    with readers.turn(who):
        return msgspec.json.decode(readers.apart(__name__, what, text), type=Position) if long else _read(what, text)


def _read(what: str, text: str) -> Position:
    if what == POSITION:
        return read_position(text)
    position = read_sheet(read_rows(base64.b64decode(text)))
    set_up(position)
    return position


def _obeyed(what: str, limits: Limits, text: str) -> Position | Laid:
    return _read(what, text) if what in (POSITION, SHEET) else read_layout(text, what)


if __name__ == "__main__":
    obey("what was brought", str, _obeyed)
