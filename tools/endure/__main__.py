"""Kills, damage and nonsense in great number: nothing is lost or doubled, every game opens, no answer is a mistake.

python3 dev.py endure [--kills 1000] [--damaged 2000] [--minutes 5] [--soak 0] [--seed 1]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from damage import damage_all
from kills import kill_backends, kill_command_line, kill_server
from nonsense import pester
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from soak import Plan
from soak import soak as soak_two_hosts

from warcabinet.bench.own_postgres import HOW, programs, running
from warcabinet.game.engine import at_rest

console = Console(highlight=False)


@click.command()
@click.option("--kills", default=1000, show_default=True, type=click.IntRange(0), help="of all processes together")
@click.option("--damaged", default=2000, show_default=True, type=click.IntRange(0), help="files and saves, half each")
@click.option(
    "--minutes",
    default=5.0,
    show_default=True,
    type=click.FloatRange(0),
    help="of nonsense for the server, on SQLite and on PostgreSQL",
)
@click.option(
    "--soak",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0),
    help="minutes with two hosts on one PostgreSQL: a worker killed every minute, a host restarted every five",
)
@click.option("--seed", default=1, show_default=True, help="which damage, which nonsense; kills come as they come")
def main(kills: int, damaged: int, minutes: float, soak: float, seed: int) -> None:
    """Kill, damage and pester; what is lost, doubled, wrong or a server error is listed, with exit status 1."""
    at_rest()
    shares = {"command line": kills * 6 // 10, "PostgreSQL": kills * 2 // 10 if programs() else 0}
    if kills and not shares["PostgreSQL"]:
        console.print(f"PostgreSQL is left out: {HOW}")
    shares["server"] = kills - sum(shares.values())
    bar = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]}"))
    found: list[str] = []
    with Progress(*bar, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as progress:
        work = {"command line": kill_command_line, "server": kill_server, "PostgreSQL": kill_backends}
        for name, make in work.items():
            found += _counted(progress, f"kills: {name}", make, shares[name], seed)
        found += _counted(progress, "damaged files and saves", damage_all, damaged, seed)
        found += _pestered(progress, "SQLite", minutes * 60, seed)
        if where := programs():
            with running(where) as url:
                found += _pestered(progress, "PostgreSQL", minutes * 60, seed + 1, url)
        found += _soaked(progress, soak * 60, seed)
    console.print(f"[bold red]{len(found)} faults[/]" if found else "nothing was lost, doubled or wrong")
    sys.exit(1 if found else 0)


class _Lines:
    """Where no bar can be drawn, as in a log, a line is written ten times on the way."""

    def __init__(self, progress: Progress, name: str, total: float) -> None:
        self.progress, self.name, self.total, self.next = progress, name, total, total / 10

    def at(self, completed: float, done: str) -> None:
        if completed >= self.next and not self.progress.console.is_terminal:
            self.next += self.total / 10
            self.progress.console.print(f"{self.name}: {done}")


def _counted(progress: Progress, name: str, make, count: int, seed: int) -> list[str]:  # type: ignore[no-untyped-def]
    if not count:
        return []
    task = progress.add_task(name, total=count, done="0")

    told = _Lines(progress, name, count)

    def tick() -> None:
        progress.advance(task)
        done = f"{progress.tasks[task].completed:.0f} of {count}"
        progress.update(task, done=done)
        told.at(progress.tasks[task].completed, done)

    with tempfile.TemporaryDirectory() as folder:
        return _told(progress, make(Path(folder), count, random.Random(seed), tick))


def _pestered(progress: Progress, name: str, seconds: float, seed: int, database: str = "") -> list[str]:
    if not seconds:
        return []
    task = progress.add_task(f"nonsense: {name}", total=seconds, done="0")
    told = _Lines(progress, f"nonsense: {name}", seconds)
    with tempfile.TemporaryDirectory() as folder:
        found = pester(
            Path(folder),
            seconds,
            random.Random(seed),
            lambda spent, asked: (
                progress.update(task, completed=spent, done=f"{asked} requests"),
                told.at(spent, f"{asked} requests"),
            ),
            database=database,
        )
        return _told(progress, found)


def _soaked(progress: Progress, seconds: float, seed: int) -> list[str]:
    where = programs()
    if not seconds or where is None:
        return []
    with tempfile.TemporaryDirectory() as folder, running(where, durable=True) as url:
        found = soak_two_hosts(Path(folder), url, Plan(seconds), random.Random(seed), progress.console.print)
        return _told(progress, found)


def _told(progress: Progress, faults: Iterator[str]) -> list[str]:
    found = []
    for fault in faults:
        found.append(fault)
        progress.console.print(f"[bold red]{escape(fault)}[/]")
    return found


if __name__ == "__main__":
    main()
