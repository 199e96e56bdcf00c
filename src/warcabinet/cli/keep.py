"""Keeping games safe: copies while they are played, what is left of a damaged one, and the proof of the dice."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from warcabinet.cli.play import game_option, json_option, two_arguments
from warcabinet.cli.show import console, print_json
from warcabinet.game.throws import published
from warcabinet.store import open_journal
from warcabinet.store.backup import back_up, keep_last, next_in, recover


@click.command()
@two_arguments("SOURCE", "TARGET")
@click.option("--keep", type=click.IntRange(1), help="TARGET holds the last so many, each named by its time")
@json_option
def backup(source: str, target: str | Path, keep: int | None, as_json: bool) -> None:
    """Copy a game, or a server's folder with all its games, to TARGET; the server may go on running."""
    target = next_in(Path(target)) if keep else Path(target)
    copied = back_up(Path(source), target)
    if keep:
        keep_last(target.parent, keep)
    if as_json:
        print_json({"copied": copied, "to": str(target)})
    else:
        console.print(f"Copied {len(copied)} file{'s' if len(copied) > 1 else ''} to {escape(str(target))}.")


@click.command(name="recover")
@two_arguments("SOURCE", "TARGET")
@json_option
def recover_(source: str, target: str, as_json: bool) -> None:
    """Save what is left of the damaged game SOURCE as the new game TARGET; SOURCE is left as it is."""
    game, shown = recover(source, target)
    if as_json:
        print_json({"moves": game.head.id, "of": shown, "to": target})
    else:
        console.print(f"{game.head.id} of {shown} moves are saved in {escape(target)}.")


@click.command()
@click.option("--reveal", is_flag=True, help="publish the seeds so far; from now on another one throws")
@game_option
@json_option
def dice(reveal: bool, game: str, as_json: bool) -> None:
    """The commitments to the dice, and the seeds that were revealed; `verify` checks every throw by them."""
    journal = open_journal(game)
    if reveal:
        journal.renew()
        journal.reveal()
    told = published(journal.seeds())
    if as_json:
        print_json(told)
        return
    for seed in told:
        shown = f"seed {seed.secret}" if seed.secret else "not revealed"
        sealed = f"committed {seed.commitment}, {shown}" if seed.sealed else "a plain seed, not sealed"
        console.print(f"From move {seed.first} on: {sealed}", soft_wrap=True)


COMMANDS = (backup, recover_, dice)
