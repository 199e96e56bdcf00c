"""Two lines of a game side by side: `warcabinet compare A B`."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from warcabinet.cli.play import json_option, two_arguments
from warcabinet.cli.show import console, print_json
from warcabinet.kernel.why import Answer
from warcabinet.store import open_game
from warcabinet.views.compare import Compared, Differs, GameLine, compare


@click.command("compare")
@two_arguments("A", "B")
@click.option("--all", "everything", is_flag=True, help="also what is no number, and what concerns no power")
@json_option
def compare_(here: str, there: str, everything: bool, as_json: bool) -> None:
    """Two lines of a game, A and B: up to which move they are one, and which figures differ since when."""
    told = compare(open_game(here), open_game(there))
    if as_json:
        print_json(told)
        return
    console.print(f"One until move {told.common}, {told.common_moment}.", soft_wrap=True)
    for letter, line in (("A", told.here), ("B", told.there)):
        console.print(f"{letter}: {_line(line)}", soft_wrap=True)
    show_differences([it for it in told.figures if everything or wanted(it)], "A", "B", since=True)
    left = len(told.figures) - sum(map(wanted, told.figures))
    if left and not everything:
        console.print(f"{left} more differ that are no number of a power; --all shows them.")
    _show_land(told)


def _line(line: GameLine) -> str:
    if not line.moves:
        return f"{line.moment}, no move of its own"
    return f"{line.moment}, {line.moves} moves of its own, the first {line.first}: {escape(line.text)}"


def wanted(it: Differs) -> bool:
    return bool(it.args) and isinstance(it.here, int) and not isinstance(it.here, bool)


def show_differences(found: list[Differs], here: str, there: str, since: bool = False) -> None:
    if not found:
        console.print("No figure differs.")
        return
    table = Table(box=None, pad_edge=False)
    for head in ("figure", "of", here, there, *(("since",) if since else ()), "clause"):
        table.add_column(head, justify="right" if head in (here, there) else "left")
    for it in found:
        moves = "/".join(str(move or "-") for move in (it.since_here, it.since_there))
        row = (it.title, it.of, _said(it.here), _said(it.there), *((moves,) if since else ()), it.clause)
        table.add_row(*map(escape, row))
    console.print(table)


def _said(value: Answer) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value in (None, "") else str(value)


def _show_land(told: Compared) -> None:
    for it in told.land:
        places = ", ".join(it.places) or f"{it.count} hexes"
        console.print(f"{it.here} in A, {it.there} in B: {escape(places)} ({it.count})", soft_wrap=True)


COMMANDS = (compare_,)
