"""Random games from the command line: `warcabinet fuzz`."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import click
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from warcabinet.cli.play import json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.conformance.fuzz.campaigns import manner as whole_campaigns
from warcabinet.conformance.fuzz.games import Find, Manner, Tally, play_game, politics
from warcabinet.game.engine import at_rest


@click.command()
@click.option("--hours", type=click.FloatRange(min=0, min_open=True), help="how long; parts of an hour too: 0.5")
@click.option("--games", type=click.IntRange(min=1), help="how many games instead  [default: 100]")
@click.option("--seed", default=0, show_default=True, help="the first game; the others follow by number")
@click.option("--length", type=click.IntRange(min=1), default=160, show_default=True, help="accepted commands a game")
@click.option("--campaigns", is_flag=True, help="whole campaigns to the end instead, every economy kept by its steward")
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz"),
    show_default=True,
    help="the folder for cases of what broke",
)
@json_option
def fuzz(
    hours: float | None, games: int | None, seed: int, length: int, campaigns: bool, into: Path, as_json: bool
) -> None:
    """Play random politics or campaigns, held against what the text rules out; what breaks is saved as a case."""
    if hours is not None and games is not None:
        raise click.UsageError("say --hours or --games, not both")
    tally = Tally()
    # Stopped by hand, it tells all the same what it has found so far.
    with suppress(KeyboardInterrupt):
        _run(tally, hours, games or 100, seed, whole_campaigns() if campaigns else politics(length), into, as_json)
    if as_json:
        print_json(tally)
    else:
        found = f"[bold red]{len(tally.finds)} faults[/]" if tally.finds else "nothing broke"
        console.print(f"{tally.games} games, {tally.moves} moves from game {seed} on: {found}")
        for find in tally.finds:
            console.print(f"  {escape(find.file)}")
    if tally.finds:
        raise click.exceptions.Exit(1)


def _run(tally: Tally, hours: float | None, games: int, seed: int, manner: Manner, into: Path, as_json: bool) -> None:
    at_rest()
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json) as progress:
        task = progress.add_task("", total=hours * 3600 if hours else games)
        began = time.monotonic()
        for number in count(seed):
            told = len(tally.finds)
            play_game(tally, number, manner, into)
            for find in () if as_json else tally.finds[told:]:
                progress.console.print(_line(find))
            spent = time.monotonic() - began
            done = spent if hours else tally.games
            counted = f"{tally.games} games, {tally.moves} moves, {len(tally.finds)} faults"
            progress.update(task, completed=done, description=counted)
            if done >= (hours * 3600 if hours else games):
                return


def _line(find: Find) -> str:
    fault = find.fault
    told = f"{escape(fault.about)}: {escape(fault.text)} {chip(fault.clause)}"
    return f"[bold red]{fault.invariant}[/] {told}\n  game {find.seed}, {find.commands} commands: {escape(find.file)}"


COMMANDS = (fuzz,)
