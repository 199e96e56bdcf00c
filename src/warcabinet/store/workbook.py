"""Tables as spreadsheets: CSV and XLSX, written and read with what Python brings along.

A workbook is a folder of XML files; ours has numbers and texts, no formula, so that nothing in it is ever reckoned by
whoever opens it. What is read may come from anybody: it is small, plain, and has no entity, or it is refused.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from xml.etree.ElementTree import Element, ParseError, XMLParser

import msgspec

from warcabinet.kernel.errors import DataError

Cell = int | str | None


class Table(msgspec.Struct, frozen=True):
    """A table: what it is called, its headings and its rows."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


#: What a file of a stranger may hold.
MOST_BYTES, MOST_UNPACKED, MOST_ROWS, MOST_CELLS = 500_000, 4_000_000, 5_000, 40
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
#: A text that begins so is taken for a formula by programs that read CSV.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: Characters that no XML may hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def as_csv(table: Table) -> str:
    """A table as CSV; a text that a program would take for a formula has an apostrophe in front of it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.headings)
    writer.writerows([_plain(it) for it in row] for row in table.rows)
    return out.getvalue()


def _plain(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def as_xlsx(tables: Sequence[Table]) -> bytes:
    """Tables as one workbook, a sheet each, headings bold and in sight."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:

        def put(name: str, text: str) -> None:
            # The same tables are the same bytes, whenever they are written.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            folder.writestr(entry, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}')

        count = range(1, len(tables) + 1)
        parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
        parts += [(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n in count]
        put("[Content_Types].xml", _content_types(parts))
        put("_rels/.rels", _links([("officeDocument", "xl/workbook.xml")]))
        sheets = [("worksheet", f"worksheets/sheet{n}.xml") for n in count]
        put("xl/_rels/workbook.xml.rels", _links([*sheets, ("styles", "styles.xml")]))
        named = "".join(
            f'<sheet name="{escape(it.name)}" sheetId="{n}" r:id="r{n}"/>' for n, it in enumerate(tables, 1)
        )
        put("xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{named}</sheets></workbook>')
        put("xl/styles.xml", _STYLES)
        for n, table in enumerate(tables, 1):
            put(f"xl/worksheets/sheet{n}.xml", _sheet(table))
    return out.getvalue()


_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font/><font><b/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _content_types(parts: Iterable[tuple[str, str]]) -> str:
    told = "".join(f'<Override PartName="{name}" ContentType="{_TYPES}.{kind}+xml"/>' for name, kind in parts)
    links = f"{_PACKAGE}/relationships".replace("http://schemas.openxmlformats.org/", "application/vnd.openxmlformats-")
    links = links.replace("package/2006/relationships", "package.relationships")
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="{links}+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{told}</Types>'
    )


def _links(parts: Sequence[tuple[str, str]]) -> str:
    told = "".join(
        f'<Relationship Id="r{n}" Type="{_LINKS}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(parts, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{told}</Relationships>'


def _sheet(table: Table) -> str:
    rows = [table.headings, *table.rows]
    wide = [min(60, max(len(str(it or "")) for it in column) + 2) for column in zip(*rows, strict=True)]
    columns = "".join(f'<col min="{n}" max="{n}" width="{it}" customWidth="1"/>' for n, it in enumerate(wide, 1))
    written = "".join(f"<row>{''.join(_cell(it, bold=not n) for it in row)}</row>" for n, row in enumerate(rows))
    view = (
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/>'
        "</sheetView></sheetViews>"
    )
    return f'<worksheet xmlns="{_MAIN}">{view}<cols>{columns}</cols><sheetData>{written}</sheetData></worksheet>'


def _cell(cell: Cell, bold: bool) -> str:
    style = ' s="1"' if bold else ""
    if isinstance(cell, int):
        return f"<c{style}><v>{cell}</v></c>"
    text = escape(_CONTROL.sub("", cell or ""), quote=False)
    return f'<c{style} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


# -- reading -------------------------------------------------------------------------------------------------------


def read_rows(data: bytes) -> list[list[str]]:
    """The rows of a player's file, CSV or the first sheet of an XLSX workbook, each cell as it would be written."""
    if len(data) > MOST_BYTES:
        raise DataError(f"the sheet has {len(data)} bytes; one of powers and conquests has at most {MOST_BYTES}")
    rows = _workbook_rows(data) if data[:2] == b"PK" else _csv_rows(data)
    if len(rows) > MOST_ROWS or any(len(row) > MOST_CELLS for row in rows):
        raise DataError(f"the sheet has more than {MOST_ROWS} rows or {MOST_CELLS} columns")
    return rows


def unpacked(data: bytes) -> int:
    """How many bytes a player's file comes to where it is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            return sum(it.file_size for it in folder.infolist())
    except (zipfile.BadZipFile, NotImplementedError):
        return len(data)


def _csv_rows(data: bytes) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("the sheet is neither XLSX nor text in UTF-8; save it as CSV (UTF-8) or XLSX") from None
    if "\x00" in text:
        raise DataError("the sheet is no text: it has characters that no table has")
    first = next((line for line in text.splitlines() if line.strip()), "")
    comma = max(",;\t", key=first.count)
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=comma, strict=True)]
    except csv.Error as error:
        raise DataError(f"the sheet is no CSV: {error}") from None


def _workbook_rows(data: bytes) -> list[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            if sum(it.file_size for it in folder.infolist()) > MOST_UNPACKED:
                raise DataError("the workbook is far larger than any sheet of powers and conquests")
            names = sorted(it for it in folder.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", it))
            if not names:
                raise DataError("the file is no XLSX workbook: it has no sheet")
            shared = "xl/sharedStrings.xml"
            texts = [_text(it) for it in _parsed(folder, shared)] if shared in folder.namelist() else []
            sheet = _parsed(folder, min(names, key=len))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise DataError(f"the file is no XLSX workbook that can be read: {error}") from None
    return [_row(row, texts) for row in sheet.iter(f"{{{_MAIN}}}row")]


def _parsed(folder: zipfile.ZipFile, name: str) -> Element:
    """An XML file of the folder; one that brings entities or more than it says is refused."""
    with folder.open(name) as part:
        raw = part.read(MOST_UNPACKED + 1)
    if len(raw) > MOST_UNPACKED or b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise DataError("the workbook is no plain one: it brings entities, or more than it says")
    parser = XMLParser()
    try:
        parser.feed(raw)
        return parser.close()
    except (ParseError, ValueError) as error:
        raise DataError(f"the workbook cannot be read: {error}") from None


def _text(it: Element) -> str:
    return "".join(part.text or "" for part in it.iter(f"{{{_MAIN}}}t"))


def _row(row: Element, texts: list[str]) -> list[str]:
    """The cells of a row; an empty one that the file leaves out is there again, by its column's letters."""
    found: list[str] = []
    for cell in row.iter(f"{{{_MAIN}}}c"):
        column = _column(cell.get("r", ""))
        found += [""] * (min(column, MOST_CELLS + 1) - len(found) - 1)
        found.append(_value(cell, texts).strip())
    return found


def _column(name: str) -> int:
    number = 0
    for letter in re.sub(r"[^A-Z]", "", name)[:3]:
        number = number * 26 + ord(letter) - 64
    return number


def _value(cell: Element, texts: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return _text(cell)
    value = cell.findtext(f"{{{_MAIN}}}v") or ""
    if cell.get("t") == "s":
        if not value.isdigit() or int(value) >= len(texts):
            raise DataError("the workbook cannot be read: a cell names a text that is not there")
        return texts[int(value)]
    return value.removesuffix(".0")
