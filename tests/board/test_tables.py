"""The hand-kept tables of the map tool: every row names real hexes and says why it is there."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from warcabinet.board import hexes, maps

TOOL = Path(__file__).parents[2] / "tools" / "boards"
TABLES = sorted((TOOL / "tables").glob("*.csv"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


@pytest.mark.parametrize("path", TABLES, ids=lambda p: p.stem)
def test_every_row_names_real_hexes_and_its_reason(path: Path) -> None:
    found = rows(path)
    assert found
    for row in found:
        named = [row[c] for c in ("hex", "hex_a", "hex_b") if c in row] + row.get("hexes", "").split()
        for id_ in named:
            assert id_ in maps.board(row.get("board") or path.stem.removeprefix("grid-")), row
        if {"reason", "source"} & set(row):
            assert row.get("reason") or row.get("source"), row


def test_grids_hold_every_hex_once() -> None:
    for one in maps.both():
        ids = [row["hex"] for row in rows(TOOL / "tables" / f"grid-{one.name}.csv")]
        assert ids == list(one.hexes)


def test_an_override_agrees_with_the_data() -> None:
    for row in rows(TOOL / "tables" / "kind-hexes.csv"):
        assert maps.board(row["board"])[row["hex"]].kind == row["kind"], row
    for row in rows(TOOL / "tables" / "area-hexes.csv"):
        at = maps.board(row["board"])[row["hex"]]
        assert (at.region or at.country) == row["area"], row
    for row in rows(TOOL / "tables" / "sides.csv"):
        kind = maps.board(row["board"]).side(row["hex_a"], row["hex_b"])
        assert kind == row["kind"] or (row["kind"], kind) == ("land", "shore"), row


def test_anchors_lie_in_or_beside_their_hexes() -> None:
    for row in rows(TOOL / "tables" / "anchors.csv"):
        one = maps.board(row["board"])
        lon, lat = float(row["lon"]), float(row["lat"])
        nearest = min(one, key=lambda h: (h.lat - lat) ** 2 + ((h.lon - lon + 180) % 360 - 180) ** 2)
        assert min(hexes.distance(nearest.at, one[id_].at) for id_ in row["hexes"].split()) <= 1, row


@pytest.mark.skipif("WORLD_ATLAS" not in os.environ, reason="WORLD_ATLAS names no countries-10m.json")
def test_the_tool_writes_what_is_committed() -> None:
    build = [sys.executable, str(TOOL / "build.py"), os.environ["WORLD_ATLAS"], "--check"]
    assert subprocess.run(build, check=False).returncode == 0
