"""Keeping the books alone: entries in a player's words, and what is not judged then."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec
from rich.markup import escape

from warcabinet.cli.play import game_option, json_option, seat_option
from warcabinet.cli.show import REFUSED, WRONG, chip, console, errors, print_json, show_move, show_refusals
from warcabinet.game.entering import Entering, instead_of, understood
from warcabinet.game.typed.entries import parts
from warcabinet.house.books_alone import not_judged, words_taken
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands.base import Command
from warcabinet.model.state import State
from warcabinet.store import open_game, whole_file
from warcabinet.store.workbook import as_csv, as_xlsx
from warcabinet.views.tables import TABLES, all_tables, table_named
from warcabinet.views.words import command_text


@click.command()
@click.argument("lines", nargs=-1)
@seat_option
@click.option("--read", "only_read", is_flag=True, help="only say how the lines are understood")
@click.option("--back", is_flag=True, help="enter a line in the phase of this turn that it belongs to and that is past")
@game_option
@json_option
def enter(lines: tuple[str, ...], seat: str, only_read: bool, back: bool, game: str, as_json: bool) -> None:
    """Enter lines in a player's words, each in quotes (or on standard input): "germany 45 construction",
    "warsaw german", "germany 2 inf 3-3", "italy dow greece", "usat 2", "hungary 10", "next", "to combat".

    Lines between two steps of the sequence are given all together or not at all. With --back one line is entered where
    it was forgotten, and what followed it is entered once more; all of it, or nothing. So with "instead 17: germany 20
    construction" for an entry of this turn, and with "instead 17" it is taken out.
    """
    opened = open_game(game)
    said = [line for line in (lines or sys.stdin.read().splitlines()) if line.strip() and not line.startswith("#")]
    if only_read:
        found = {part: understood(opened.state, part) for line in said for part in parts(line)}
        if as_json:
            print_json({line: {"command": it.command, "to": it.to, "others": it.others} for line, it in found.items()})
            return
        for line, it in found.items():
            console.print(f"{escape(line)}: [bold]{escape(command_text(it.command))}[/] {escape(it.to)}")
            for other in it.others:
                console.print(f"  or: {escape(command_text(other))}")
        return

    def named(_: State, command: Command) -> Command:
        return msgspec.structs.replace(command, seat=seat)

    desk = Entering(opened, named, lambda to, key: opened.advance(to, seat, key=key))
    if back and len(said) != 1:
        raise click.UsageError("one line is entered back at a time")
    corrects = len(said) == 1 and bool(instead_of(said[0])[0])
    made = desk.enter_back(said[0], seat=seat) if back or corrects else desk.enter(said)
    if as_json:
        moves = [{"move": it.id, "seq": it.seq} for it in made.moves]
        print_json(
            {
                "given": made.given,
                "moves": moves,
                "line": made.line,
                "text": made.text,
                "right": made.right,
                "later": made.later,
                "back": made.back,
            }
        )
    else:
        for move in made.moves:
            show_move(move)
            for word in words_taken(move.checked):
                console.print(f"  [dim]by your word:[/] {escape(word.text)} yes {chip(word.clause)}")
    if made.whole:
        return
    if not as_json:
        errors.print(f"[bold]{escape(made.line)}[/]: nothing of it was given")
        if made.refused is not None:
            show_refusals(command_text(made.refused.command), made.refused.refusals, errors)
            if made.back:
                errors.print(
                    f"[bold]Its phase is past[/]: {escape(made.back)}. Enter it there: warcabinet enter --back"
                )
            if made.later:
                errors.print(f'[bold]Its phase comes[/]: {escape(made.later)}. Go on first: "to {escape(made.later)}"')
        else:
            such_as = f"; such as {' or '.join(made.right)}" if made.right else ""
            errors.print(f"[bold red]Asked[/] {escape(made.text)}{escape(such_as)}")
    raise click.exceptions.Exit(REFUSED if made.refused is not None else WRONG)


@click.command(name="not-judged")
@json_option
def not_judged_(as_json: bool) -> None:
    """What a table that keeps the books alone leaves to its players, each with its clause and what is asked instead."""
    if as_json:
        print_json(not_judged())
        return
    for it in not_judged():
        console.print(f"{chip(it.clause)} {escape(it.text)}. [dim]Asked:[/] {escape(it.asks)}")


@click.command()
@click.argument("table", default="")
@click.option("--out", "-o", type=click.Path(path_type=Path), help="a file: .xlsx for all tables, .csv for one")
@game_option
def sheets(table: str, out: Path | None, game: str) -> None:
    """Write tables for a spreadsheet: ledger, powers (by turn), pools, agenda. `sheets -o books.xlsx` has all of them,
    `sheets powers` prints one as CSV.
    """
    opened = open_game(game)
    if out is not None and out.suffix.lower() == ".xlsx":
        data = as_xlsx([table_named(opened, table)] if table else all_tables(opened))
    elif table:
        data = as_csv(table_named(opened, table)).encode()
    else:
        raise WarCabinetError(f"which table? One of {', '.join(TABLES)}; or all of them in one workbook: -o books.xlsx")
    if out is None:
        click.echo(data.decode(), nl=False)
        return
    with whole_file(out) as part:
        part.write_bytes(data)
    console.print(f"Written to {escape(str(out))}.")


COMMANDS = (enter, not_judged_, sheets)
