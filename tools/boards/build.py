"""Build the board data from public geography and the hand-kept tables.

    python tools/boards/build.py ATLAS [--check]

ATLAS is `countries-10m.json` of the npm package world-atlas 2.0.2 (`npm pack world-atlas@2.0.2`). With --check nothing
is written: the exit status says whether the committed files are what the tool would write.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src")]

import coast  # noqa: E402
import layers  # noqa: E402
import shares  # noqa: E402
from handkept import load  # noqa: E402

from warcabinet.board import hexes  # noqa: E402

DATA = HERE.parents[1] / "src" / "warcabinet" / "data" / "boards"
BOARDS = ("europe", "pacific")
HEX_COLUMNS = [
    "hex",
    "kind",
    "terrain",
    "features",
    "area",
    "island",
    "seas",
    "front",
    "edge",
    "lon",
    "lat",
    "land_share",
    "rocks",
    "source",
]
SIDE_COLUMNS = ["board", "hex_a", "hex_b", "kind", "note", "source"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("atlas", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the committed files, write nothing")
    args = parser.parse_args()
    files = build(args.atlas)
    changed = [name for name, text in files.items() if not same(DATA / name, text)]
    for name in changed:
        print(("differs: " if args.check else "written: ") + name)
        if not args.check:
            (DATA / name).write_text(files[name], encoding="utf-8")
    print(f"{len(files) - len(changed)} of {len(files)} files as committed")
    return 1 if args.check and changed else 0


def same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def build(atlas: Path) -> dict[str, str]:
    """All generated files by name."""
    files: dict[str, str] = {}
    sides: list[dict[str, str]] = []
    for board in BOARDS:
        grid = load("grid-" + board)
        ids = [hexes.parse_id(row["hex"]) for row in grid]
        geo = shares.survey(board, atlas, ids)
        kinds = layers.kinds(geo, ids)
        areas = layers.areas(geo, ids, kinds)
        here = layers.sides(geo, ids, kinds, areas)
        sides.extend(here)
        rows = layers.hex_rows(geo, grid, kinds, areas, here)
        files[f"hexes-{board}.csv"] = table(HEX_COLUMNS, rows)
        files[f"coast-{board}.json"] = coast.baked(geo, ids)
    files["hexsides.csv"] = table(SIDE_COLUMNS, sides)
    return files


def table(columns: list[str], rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
