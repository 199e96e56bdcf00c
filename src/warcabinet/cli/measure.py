"""Measuring: `warcabinet bench`."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace
from rich.table import Table

from warcabinet.bench.campaign_bench import campaigns_bench
from warcabinet.bench.engine_bench import (
    command_bench,
    games_bench,
    length_bench,
    offers_bench,
    plans_bench,
    rings_bench,
    start_bench,
)
from warcabinet.bench.own_postgres import HOW, programs, running
from warcabinet.bench.page_times import pages_bench
from warcabinet.bench.server_bench import Load, server_bench
from warcabinet.bench.supply_bench import supply_bench
from warcabinet.cli.play import json_option
from warcabinet.cli.show import console, print_json
from warcabinet.kernel.errors import WarCabinetError


@click.command()
@click.option("--seconds", type=float, help="how long each rate is measured  [default: 1; of a server: 20]")
@click.option("--by-command", is_flag=True, help="only the kinds of commands in these games, the most costly first")
@click.option(
    *("--game", "-g"),
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="a game in a file to decide again beside the demonstration; may be repeated",
)
@click.option("--server", is_flag=True, help="put a load on a server of its own instead, on SQLite with one process")
@click.option("--postgres", is_flag=True, help="that server on a PostgreSQL that is started for it, with two processes")
@click.option("--database", default="", help="that server on this database, which is filled: postgresql://...")
@click.option(
    "--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="its processes, on PostgreSQL"
)
@click.option("--games", default=200, show_default=True, type=click.IntRange(1, 2000), help="tables of that server")
@click.option("--spectators", default=1000, show_default=True, type=click.IntRange(0, 2000), help="who listen there")
@click.option("--orders", default=50.0, show_default=True, type=click.FloatRange(0.1, 1000), help="orders a second")
@click.option("--weights/--no-weights", default=True, help="weigh what pages receive, too (without a database)")
@click.option("--campaigns", is_flag=True, help="only what campaigns cost from their beginning to their end")
@click.option("--plans", is_flag=True, help="futures a second of a plan instead, by one process, two, and Ray")
@click.option("--pages", is_flag=True, help="instead how long a table takes to open in a browser, on a line of 10 Mbit")
@json_option
def bench(
    seconds: float | None,
    by_command: bool,
    files: tuple[Path, ...],
    server: bool,
    postgres: bool,
    database: str,
    workers: int,
    games: int,
    spectators: int,
    orders: float,
    weights: bool,
    campaigns: bool,
    plans: bool,
    pages: bool,
    as_json: bool,
) -> None:
    """Measure speed in one run: whole games beside other libraries, offers, rings, long games, supply, starting."""
    if server:
        weighed = 4 if weights and not (postgres or database) else 0
        _server(Load(games, spectators, orders, seconds or 20.0, weighed, database, workers), postgres, as_json)
        return
    seconds = seconds or 1.0
    if plans:
        _figures({"plans": plans_bench()}, as_json)
    elif pages:
        _figures(pages_bench(), as_json)
    elif campaigns:
        _figures(campaigns_bench(files), as_json)
    elif by_command:
        _by_command(command_bench(seconds, files), as_json)
    else:
        _figures(
            {
                "games decided again": games_bench(seconds, files),
                "offers": offers_bench(),
                "rings on a crowded board": rings_bench(),
                "length": length_bench(),
                "supply": supply_bench(),
                "starting": start_bench(),
            },
            as_json,
        )


def _server(load: Load, postgres: bool, as_json: bool) -> None:
    def tell(line: str) -> None:
        click.echo(line, err=True)

    if postgres and not load.database:
        where = programs()
        if where is None:
            raise WarCabinetError(HOW)
        with running(where, durable=True) as url:
            measured = server_bench(replace(load, database=url), tell)
    else:
        measured = server_bench(load, tell)
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
