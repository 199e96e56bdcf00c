"""Sheets that the server draws: parts of a page, in the same words, chips and numbers as the page's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from warcabinet.model.names import powers
from warcabinet.views.words import in_number, joined, name, signed
from warcabinet.web.sheets.cited import CITED

TEMPLATES = Path(__file__).parents[1] / "templates"


def several(count: int, one: str, more: str = "") -> str:
    """So many of something: 1 hex, 2 hexes."""
    return f"{count} {one if count == 1 else more or f'{one}s'}"


@cache
def templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(TEMPLATES)
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    made.globals |= {
        "name": name,
        "signed": signed,
        "powers": powers,
        "cited": CITED,
        "several": several,
        "counted": in_number,
        "these": joined,
    }
    made.filters |= {
        "name": name,
        "capital": lambda text: text[:1].upper() + text[1:],
        "json": lambda it: msgspec.json.encode(it).decode(),
    }
    made.tests["starting"] = str.startswith
    return made


def drawn(template: str, **values: Any) -> str:
    return templates().get_template(template).render(**values)
