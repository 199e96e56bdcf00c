"""Draws the README's pictures from real output: docs/pictures/*.svg."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console

from warcabinet.cli import ask, measure, play, rulebook, show
from warcabinet.cli.main import main

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SHOTS = {
    "status": ["status"],
    "refusal": ["do", "spend", "power=italy", "brp=80", "on=other"],
    "explain": ["explain", "year_total", "britain"],
    "forecast": ["forecast"],
    "agenda": ["agenda"],
}


def shoot(name: str, words: list[str], game: str) -> None:
    """Run a command and keep what it printed as a picture."""
    console = Console(record=True, width=100, force_terminal=True, highlight=False, file=io.StringIO())
    for module in (show, play, ask, rulebook, measure):
        module.console = console  # type: ignore[attr-defined]
    console.print(f"[dim]$[/] warcabinet {' '.join(words)}")
    with contextlib.suppress(SystemExit):
        main([*words[:1], "-g", game, *words[1:]])
    drawn = console.export_svg(title="War Cabinet", unique_id=name)
    # A picture asks nobody for fonts.
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.svg").write_text(drawn, encoding="utf-8")


def draw() -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = str(Path(folder) / "game.warcabinet")
        main(["new", game, "--seed", "1"])
        main(["do", "-g", game, "report_control", "places=Warsaw", "by=germany"])
        for name, words in SHOTS.items():
            shoot(name, words, game)


if __name__ == "__main__":
    draw()
