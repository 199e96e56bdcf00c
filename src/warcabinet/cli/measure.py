"""Measuring: `warcabinet bench`."""

from __future__ import annotations

import click

from warcabinet.bench import engine_bench, length_bench
from warcabinet.board.bench import supply_bench
from warcabinet.cli.play import json_option
from warcabinet.cli.show import console, print_json
from warcabinet.web.bench import server_bench


@click.command()
@click.option("--seconds", default=1.0, show_default=True, help="how long each rate is measured")
@click.option("--server", is_flag=True, help="put a load on a server of its own instead: 100 games, 500 spectators")
@json_option
def bench(seconds: float, server: bool, as_json: bool) -> None:
    """Measure speed as ratios in one run: beside python-chess and diplomacy, long games against short, supply."""
    if server:
        measured = server_bench()
        print_json(measured) if as_json else console.print("\n".join(measured.lines()))
        if measured.errors or measured.missed:
            raise click.exceptions.Exit(1)
        return
    found = {"engine": engine_bench(seconds), "length": length_bench(), "supply": supply_bench()}
    if as_json:
        print_json(found)
        return
    for part, figures in found.items():
        console.print(f"[bold]{part}[/]")
        for name, value in figures.items():
            shown = "not installed (pip install 'warcabinet\\[bench]')" if value is None else value
            console.print(f"  {name.replace('_', ' ')}: {shown}")


COMMANDS = (bench,)
