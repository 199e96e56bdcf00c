"""Spreadsheets: written as CSV and XLSX, a player's own read in as a position, hostile ones refused."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest

from warcabinet.figures.position import BOOKS_ALONE, set_up
from warcabinet.game import Game
from warcabinet.game.entering import Entering
from warcabinet.game.typed.own_sheet import read_sheet
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.ledger import balance
from warcabinet.model.pieces import BUILT, UNBUILT
from warcabinet.store.workbook import Table, as_csv, as_xlsx, read_rows
from warcabinet.views.tables import TABLES, all_tables, table_named


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game.new("classic-1939", options=BOOKS_ALONE)
    lines = [
        "italy 2 aaf, 2 inf 1-3",
        "japan 3 aaf, 6 nas defer 5",
        "to combat",
        'germany 25 off "=1+1"',
        "warsaw german",
    ]
    assert Entering(game).enter([*lines, "to construction", "germany 2 inf 3-3", "next"]).whole
    return game


def test_the_powers_stand_there_as_they_are(game: Game) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(table_named(game, "powers")))))
    germany = next(row for row in rows if row["power"] == "Germany")
    assert germany == {
        "turn": "Fall 1939",
        "power": "Germany",
        "level": "119",
        "base": "150",
        "construction limit": "50",
        "built": "6",
    }
    assert len(rows) == 8


def test_a_table_for_every_subject_adds_up(game: Game) -> None:
    pools = [row for row in table_named(game, "pools").rows if row[:2] == ("Germany", "infantry 3-3")]
    pieces = game.state.pieces
    counted = {row[2]: row[3] for row in pools}
    assert counted["force pool"] == pieces.count("germany", UNBUILT, "infantry 3-3")
    assert counted["built"] == pieces.count("germany", BUILT, "infantry 3-3")
    balances = {row[4]: row[6] for row in table_named(game, "ledger").rows}
    assert balances["brp/germany"] == 119
    assert any(row[5] == "35.73A" for row in table_named(game, "agenda").rows)


def test_a_workbook_is_read_back_as_it_was_written(game: Game) -> None:
    tables = all_tables(game)
    assert [it.name for it in tables] == [*TABLES]
    first = tables[0]
    rows = read_rows(as_xlsx(tables))
    assert rows[0] == [*first.headings]
    assert rows[1:] == [[str("" if cell is None else cell).strip() for cell in row] for row in first.rows]
    assert as_xlsx(tables) == as_xlsx(all_tables(game))


def test_no_text_is_taken_for_a_formula() -> None:
    table = Table("t", ("a", "b"), (("=1+1", -3), ("@x", 4)))
    assert as_csv(table).splitlines()[1:] == ["'=1+1,-3", "'@x,4"]
    assert "<f>" not in zipfile.ZipFile(io.BytesIO(as_xlsx([table]))).read("xl/worksheets/sheet1.xml").decode()


def test_an_unknown_table_is_told(game: Game) -> None:
    with pytest.raises(WarCabinetError, match="ledger"):
        table_named(game, "leger")


OWN = """turn,Spring 1942
power,level,base
Germany,290,156
U.S.,240,355

country,status,power
Poland,conquered,Germany
Hungary,allied,Germany
place,holder
Minsk,Germany
tension,level
U.S.-Axis tension,50
war,with,since
Germany,Russia,Summer 1941
unit,power,pool,built
infantry 3-3,Germany,4,20
"""


@pytest.mark.parametrize("as_workbook", [False, True])
def test_a_players_own_sheet_is_a_position(as_workbook: bool) -> None:
    data = OWN.encode()
    if as_workbook:
        first, *rest = csv.reader(io.StringIO(OWN))
        rows = tuple((*row, *[""] * (4 - len(row))) for row in rest)
        data = as_xlsx([Table("ours", (*first, "", ""), rows)])
    state, _ = set_up(read_sheet(read_rows(data)))
    assert balance(state.ledger, Brp("germany")) == 290
    assert balance(state.ledger, Base("usa")) == 355
    assert state.countries["poland"].status == "conquered"
    assert state.countries["hungary"].by == "germany"
    assert state.tracks["usat"] == 50
    assert any({*war.between} == {"germany", "russia"} for war in state.wars)
    assert state.pieces.count("germany", BUILT, "infantry 3-3") == 20
    assert state.options.counted


WRONG = {
    "Germany,290,156": "no part is begun",
    "power,level,base\nGermny,290,156": "row 2.*germany",
    "power,level,base\nGermany,much,156": "whole number",
    "power,level,base\nGermany,1,2,3": "more cells than columns",
    "power,level,base\nGermany,1,2\nGermany,1,2": "twice",
    "power,livel\nGermany,1": "column of the part power",
    "country,status,power\nPoland,eaten,Germany": "status",
    "turn,Sprung 1942\npower,level\nGermany,1": "row 1",
    "unit,power,pool\ntanks,Germany,3": "row 2",
    "tension,level\nhigh,3": "tension",
    "": "names nothing",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_in_a_sheet_is_told_with_its_row(text: str) -> None:
    with pytest.raises(WarCabinetError, match=WRONG[text]):
        read_sheet(read_rows(text.encode()))


def _zipped(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, text in parts.items():
            folder.writestr(f"xl/worksheets/{name}.xml", text)
    return out.getvalue()


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
HOSTILE = {
    "too large": b"x" * 600_000,
    "no text": b"\xff\xfe\x00\x01",
    "nul": b"power,level\x00",
    "broken zip": b"PK\x03\x04 nothing",
    "no sheet": _zipped(other="<x/>"),
    "entities": _zipped(sheet1=BOMB),
    "zip bomb": _zipped(sheet1="<x>" + " " * 9_000_000 + "</x>"),
    "no xml": _zipped(sheet1="<x"),
    "many rows": b"\n" * 6_000,
    "wide": b"a" + b",a" * 100,
    "quote": b'"power',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_in_words(kind: str) -> None:
    with pytest.raises(WarCabinetError):
        read_sheet(read_rows(HOSTILE[kind]))
