"""Measuring: `warcabinet bench`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from warcabinet.bench import command_bench, games_bench, length_bench, offers_bench, plans_bench, start_bench
from warcabinet.board.bench import supply_bench
from warcabinet.cli.play import json_option
from warcabinet.cli.show import console, print_json
from warcabinet.web.bench import server_bench


@click.command()
@click.option("--seconds", default=1.0, show_default=True, help="how long each rate is measured")
@click.option("--by-command", is_flag=True, help="only the kinds of commands in these games, the most costly first")
@click.option(
    "--game",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="a game in a file to decide again beside the demonstration; may be repeated",
)
@click.option("--server", is_flag=True, help="put a load on a server of its own instead: 100 games, 500 spectators")
@click.option("--plans", is_flag=True, help="futures a second of a plan instead, by one process, two, and Ray")
@json_option
def bench(seconds: float, by_command: bool, files: tuple[Path, ...], server: bool, plans: bool, as_json: bool) -> None:
    """Measure speed in one run: whole games beside python-chess and diplomacy, offers, long games, supply, starting."""
    if server:
        _server(as_json)
    elif plans:
        _figures({"plans": plans_bench()}, as_json)
    elif by_command:
        _by_command(command_bench(seconds, files), as_json)
    else:
        _figures(
            {
                "games decided again": games_bench(seconds, files),
                "offers": offers_bench(),
                "length": length_bench(),
                "supply": supply_bench(),
                "starting": start_bench(),
            },
            as_json,
        )


def _server(as_json: bool) -> None:
    measured = server_bench()
    print_json(measured) if as_json else console.print("\n".join(measured.lines()))
    if measured.errors or measured.missed:
        raise click.exceptions.Exit(1)


def _by_command(found: dict[str, dict[str, object]], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    table = Table("command", box=None)
    table.add_column("in the games", justify="right")
    table.add_column("microseconds each", justify="right")
    for kind, figures in found.items():
        table.add_row(kind, *map(str, figures.values()))
    console.print(table)


def _figures(found: dict[str, dict[str, object]], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for part, figures in found.items():
        console.print(f"[bold]{part}[/]")
        for name, value in figures.items():
            shown = "not installed (pip install 'warcabinet\\[bench]')" if value is None else value
            console.print(f"  {name.replace('_', ' ')}: {shown}")


COMMANDS = (bench,)
