"""Every path that the pages' code asks for stands in the API's description, with its method."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

import pytest

from warcabinet.kernel.clause import catalogue
from warcabinet.model.names import countries, powers
from warcabinet.web.server import openapi
from warcabinet.web.server.files import STATIC
from warcabinet.web.sheets.cited import CITED
from warcabinet.web.sheets.drawn import TEMPLATES

METHODS = {"get": "get", "kept": "get", "link": "get", "post": "post", "once": "post", "put": "put", "drop": "delete"}
#: A call with its path: `table.get("/log"`, `hall.post(`/tables/${id}/tokens``, `perform("/do"`.
CALL = re.compile(r"\b(?:(table|hall)\.(get|kept|link|post|once|put|drop)|(perform))\(\s*([\"`])(.*?)\4")


def asked(text: str) -> list[tuple[str, str]]:
    """The method and path of every call, with a star for what is filled in."""
    found = []
    for where, how, performed, _, path in CALL.findall(text):
        under = "/tables/*" if where == "table" or performed else ""
        plain = re.sub(r"\$\{[^}]*\}", "*", path.partition("?")[0])
        found.append((METHODS[how] if how else "post", openapi.API + under + plain))
    return found


def described() -> list[tuple[str, str]]:
    paths = openapi.description()["paths"].items()
    return [(method, re.sub(r"\{\w+\}", "*", path)) for path, methods in paths for method in methods]


def fits(path: str, known: str) -> bool:
    """A star stands for any one word."""
    words = list(zip_longest(path.split("/"), known.split("/")))
    return all(mine == theirs or (mine and theirs and "*" in (mine, theirs)) for mine, theirs in words)


@pytest.mark.parametrize("source", sorted(STATIC.rglob("*.js")), ids=lambda it: it.relative_to(STATIC).as_posix())
def test_every_path_is_described(source: Path) -> None:
    known = described()
    for method, path in asked(source.read_text(encoding="utf-8")):
        assert any(how == method and fits(path, it) for how, it in known), f"{method} {path}"


def test_calls_are_found() -> None:
    paths = [it for source in STATIC.rglob("*.js") for it in asked(source.read_text(encoding="utf-8"))]
    assert len(paths) > 100
    assert ("post", "/api/v1/tables/*/do") in paths
    assert not any(how == "get" and fits("/api/v1/tables/*/nothing", it) for how, it in described())


def test_the_pages_judge_by_no_name_of_a_power_country_or_unit() -> None:
    """What decides what the page does is told by the server; patterns of the powers are drawn by the palette."""
    named = re.compile(rf"[=!]== *\"(?:{'|'.join((*powers(), *countries()))})\"")
    kinds = re.compile(r"/[^/\n]*\b(?:infantry|armor|airborne|cruiser)\b[^/\n]*/\w*\.test")
    for source in STATIC.rglob("*.js"):
        text = source.read_text(encoding="utf-8")
        assert source.name == "palette.js" or not named.search(text), source.name
        assert not kinds.search(text), source.name


def test_the_pages_know_no_clause_by_its_number() -> None:
    numbered = re.compile(r"[\"'`](?:\d\d\.\d+\w*|WC\.\d+)[\"'`]")
    for source in STATIC.rglob("*.js"):
        assert not numbered.search(source.read_text(encoding="utf-8")), source.name


def test_what_pages_cite_is_a_clause_and_is_cited() -> None:
    sources = (*STATIC.rglob("*.js"), *TEMPLATES.glob("sheet-*.html"))
    texts = " ".join(source.read_text(encoding="utf-8") for source in sources)
    named = set(re.findall(r"cited(?:\([^)]*\)|\[[^\]]*\])", texts))
    for name, clause in CITED.items():
        assert clause in catalogue()
        assert any(f'"{name}"' in it for it in named), name
    asked = {name for it in named for name in re.findall(r'"([^"]+)"', it)}
    assert asked <= set(CITED)
