"""`warcabinet chronicle`: the game told as one page."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from warcabinet.cli.play import game_option
from warcabinet.cli.show import console
from warcabinet.store import open_game
from warcabinet.views.chronicle import chronicle_page


@click.command()
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path, dir_okay=False), help="the HTML file")
@click.option("--short", is_flag=True, help="a tournament's short report: what decided the game")
@click.option("--title", default="", help="what the game is called (default: its file's name)")
@game_option
def chronicle(output: Path, short: bool, title: str, game: str) -> None:
    """Tell the game season by season in one HTML page that needs nothing else; the browser prints it as PDF."""
    page = chronicle_page(open_game(game), title or Path(game).stem, short)
    output.write_text(page, encoding="utf-8")
    console.print(f"Written: {escape(str(output))}, {len(page.encode()) // 1024} KB.")


COMMANDS = (chronicle,)
