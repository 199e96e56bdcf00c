"""Playing: start, look, command, go on, undo, save and carry over."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec.structs import replace
from rich.markup import escape

from warcabinet.cli import completing
from warcabinet.cli.show import (
    BROKEN,
    console,
    errors,
    print_json,
    show_move,
    show_offer,
    show_status,
    status_data,
    tell_lapsed_readings,
)
from warcabinet.cli.words_in import parse_command, parse_dice, parse_pairs
from warcabinet.figures.position import BOOKS_ALONE, Position, UnsetFigure, read_position, scenarios, set_up
from warcabinet.game import Game
from warcabinet.game.typed.own_sheet import read_sheet
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.tables import read_document, read_text
from warcabinet.model import calendar
from warcabinet.model.commands import REFEREE, command_types
from warcabinet.model.names import power_named, powers
from warcabinet.model.rulings import lapsed_readings
from warcabinet.store import (
    Report,
    create_game,
    database,
    export_game,
    import_game,
    ledger_csv,
    open_game,
    whole_file,
)
from warcabinet.store.games import checked_game
from warcabinet.store.workbook import read_rows
from warcabinet.views.words import command_text

F = TypeVar("F", bound=Any)

DEFAULT = "game.warcabinet"


def game_option(command: F) -> F:
    """Every command that looks at a game takes the file (or database URL) it is in."""
    option = click.option(
        *("--game", "-g"),
        default=DEFAULT,
        envvar="WARCABINET_GAME",
        show_default=True,
        help="the game's file or database",
        shell_complete=completing.file,
    )
    decorated: F = option(command)
    return decorated


def new_game_option(command: F) -> F:
    """A command that makes a game takes its place as FILE, or by the option that all others have."""
    help = "the game's file or database, in place of FILE"
    option = click.option("--game", "-g", "named", default="", help=help, shell_complete=completing.file)
    decorated: F = option(command)
    return decorated


def two_arguments(first: str, second: str) -> Callable[[F], F]:
    """A game and what it goes with: with one argument alone the game is the one that every command names, by `-g`."""

    def decorated(command: F) -> F:
        @functools.wraps(command)
        def ordered(one: str, other: str, game: str, **more: Any) -> Any:
            given = (one, other) if other else (game, one)
            return command(*given, **more)

        wanted: Any = game_option(ordered)
        wanted = click.argument("other", metavar=second, default="", shell_complete=completing.file)(wanted)
        made: F = click.argument("one", metavar=f"[{first}]", shell_complete=completing.file)(wanted)
        return made

    return decorated


def json_option(command: F) -> F:
    decorated: F = click.option("--json", "as_json", is_flag=True, help="print JSON")(command)
    return decorated


def _seat(_context: click.Context, _parameter: click.Parameter, given: str) -> str:
    """A seat at a table without a server is a power's or the referee's; nothing else may command."""
    if not given or given == REFEREE:
        return given
    try:
        return power_named(given).power
    except WarCabinetError:
        raise unknown("seat", given, [*powers(), REFEREE]) from None


def seat_option(command: F) -> F:
    help = "who gives it: a power or referee (default: the whole table)"
    decorated: F = click.option("--seat", default="", callback=_seat, help=help, shell_complete=completing.power)(
        command
    )
    return decorated


@click.command()
@click.argument("file", default=DEFAULT, envvar="WARCABINET_GAME", shell_complete=completing.file)
@new_game_option
@click.option("--scenario", "-s", help="a scenario's name (default: classic-1939)")
@click.option("--position", "-p", type=click.Path(path_type=Path), help="a YAML file with a position to start from")
@click.option("--sheet", type=click.Path(path_type=Path), help="your own sheet, CSV or XLSX (docs/books.md)")
@click.option("--books", is_flag=True, help="keep the books alone: counters stand on your own map (docs/books.md)")
@click.option("--set", "options", multiple=True, help="an option, such as start='Spring 1940' or scope=europe")
@click.option("--reading", "readings", multiple=True, help="a reading of an open point, such as R-0015=b")
@click.option("--seed", type=int, help="a seed to repeat the dice by (default: sealed ones)")
@json_option
def new(
    file: str,
    named: str,
    scenario: str | None,
    position: Path | None,
    sheet: Path | None,
    books: bool,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    seed: int | None,
    as_json: bool,
) -> None:
    """Start a game in FILE (or where WARCABINET_GAME says)."""
    if position is not None and not position.is_file():
        raise WarCabinetError(f"there is no file {position}")
    given = read_position(position) if position else Position("classic-1939")
    if sheet is not None:
        if position is not None:
            raise WarCabinetError("a game starts from a position or from a sheet, not from both")
        if not sheet.is_file():
            raise WarCabinetError(f"there is no file {sheet}")
        given = read_sheet(read_rows(sheet.read_bytes()))
    if scenario:
        given = replace(given, scenario=scenario)
    chosen = {key: str(value) for key, value in parse_pairs(readings).items()}
    kept = BOOKS_ALONE if books else {}
    given = replace(
        given, options={**given.options, **kept, **parse_pairs(options)}, readings={**given.readings, **chosen}
    )
    try:
        set_up(given)
    except UnsetFigure as error:
        where = f"{position.name}, line {read_document(position).line(error.path)}: " if position else ""
        raise WarCabinetError(f"{where}{error}") from None
    file = named or file
    game = create_game(file, given, seed=seed)
    if as_json:
        print_json(status_data(game))
    else:
        console.print(f"A new game is in [bold]{escape(database(file)[1])}[/].")
        show_status(game)


@click.command()
@game_option
@json_option
def status(game: str, as_json: bool) -> None:
    """Show where the game stands: every power's level, base and limits."""
    opened = open_game(game)
    print_json(status_data(opened)) if as_json else show_status(opened)


@click.command()
@click.argument("power_or_command", nargs=-1, shell_complete=completing.command_word)
@click.option("--all", "everything", is_flag=True, help="also list reports and what is not available now")
@game_option
@json_option
def offers(power_or_command: tuple[str, ...], everything: bool, game: str, as_json: bool) -> None:
    """What can be done now, and why not the rest.

    Name powers to see theirs, or a command with what is known of it: `offers spend power=germany`.
    """
    opened = open_game(game)
    words = power_or_command
    if words and (words[0] in command_types() or any("=" in word for word in words)):
        given = parse_command(words)
        narrowed = opened.narrow(given.pop("do"), **given)
        print_json(narrowed) if as_json else show_offer(narrowed, detail=True)
        return
    found = opened.offers(*(power_named(word).power for word in words))
    if as_json:
        print_json([{"available": offer.available, **_plain(offer)} for offer in found])
        return
    for offer in found:
        if everything or (offer.available and (offer.replies_to or not offer.report)):
            show_offer(offer, detail=everything)
    if not everything:
        rest = sum(1 for offer in found if not offer.available or (offer.report and not offer.replies_to))
        console.print(f"[dim]{rest} more: reports, and what is not possible now (--all says why)[/]")


def _plain(offer: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(offer)
    return found


@click.command()
@click.argument("words", nargs=-1, required=True, shell_complete=completing.command_word)
@seat_option
@click.option("--dice", default="", help="faces to use instead of throwing, such as 6,2")
@click.option("--seen", type=int, help="refuse if there are other events than so many")
@click.option("--dry", is_flag=True, help="only show what would come of it")
@game_option
@json_option
def do(words: tuple[str, ...], seat: str, dice: str, seen: int | None, dry: bool, game: str, as_json: bool) -> None:
    """Give a command: `do spend power=germany brp=7 on='unit construction'`, or in words as at the table:
    `do mobilize japan 3 army air, 6 naval air defer 5`.
    """
    opened = open_game(game)
    given = {**parse_command(words), "seat": seat}
    if seen is not None:
        given["seq_seen"] = seen
    if dry:
        opened = Game(_Shadow(opened))
    move = opened.do(given, parse_dice(dice))
    if as_json:
        print_json({"move": move.id, "seq": move.seq, "events": move.records})
    else:
        show_move(move)
        if dry:
            console.print("[dim]Nothing was done (--dry).[/]")


class _Shadow:
    """A journal that looks like a game's and forgets what is appended to it."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def append(self, move: Any, state: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game.journal, name)


@click.command()
@click.option("--to", default="", help="a moment or phase, such as 'Winter 1940, Allied' or 'unit construction'")
@seat_option
@click.option("--dice", default="", help="faces to use instead of throwing")
@game_option
@json_option
def advance(to: str, seat: str, dice: str, game: str, as_json: bool) -> None:
    """Go on to the next step where something is decided, or to a moment."""
    opened = open_game(game)
    moves = opened.advance(to, seat, parse_dice(dice))
    if as_json:
        print_json({"moment": calendar.moment_name(opened.state.moment), "moves": [m.id for m in moves]})
        return
    for move in moves:
        show_move(move)


@click.command()
@click.option("--last", "-n", default=20, show_default=True, help="how many moves from the end (0: all)")
@click.option("--power", default="", help="only what concerns a power", shell_complete=completing.power)
@click.option("--clause", default="", help="only events under a clause", shell_complete=completing.clause)
@game_option
@json_option
def log(last: int, power: str, clause: str, game: str, as_json: bool) -> None:
    """Show what happened: every move with its events, undone ones struck through."""
    opened = open_game(game)
    power = power_named(power).power if power else ""
    line = opened.line()
    moves = [m for m in opened.log(last) if _concerns(m, power, clause)]
    if as_json:
        print_json([_move_data(m, undone=m.kind == "command" and m.id not in line) for m in moves])
        return
    for move in moves:
        show_move(move, undone=move.kind == "command" and move.id not in line)


def _move_data(move: Any, undone: bool) -> dict[str, Any]:
    return {"undone": undone, "when": calendar.moment_name(move.moment), **_plain(move)}


def _concerns(move: Any, power: str, clause: str) -> bool:
    cited = not clause or any(record.clause.startswith(clause) for record in move.records)
    if not power:
        return cited
    text = command_text(move.command) if move.command is not None else ""
    # The name by itself: China is not Communist China.
    named = re.compile(rf"(?<!\w){power}(?!\w)")
    told = (text, *(repr(record.event) for record in move.records))
    return cited and any(named.search(it) for it in told)


@click.command()
@seat_option
@click.option("--consent", is_flag=True, help="the others agree to undo across a die or a hand-over")
@game_option
@json_option
def undo(seat: str, consent: bool, game: str, as_json: bool) -> None:
    """Take back the last command; the log keeps it as undone."""
    opened = open_game(game)
    move = opened.undo(seat, consent)
    _tell_jump(opened, move, as_json, "Undone")


@click.command()
@seat_option
@game_option
@json_option
def redo(seat: str, game: str, as_json: bool) -> None:
    """Do again what was undone last."""
    opened = open_game(game)
    move = opened.redo(seat)
    _tell_jump(opened, move, as_json, "Done again")


def _tell_jump(game: Game, move: Any, as_json: bool, text: str) -> None:
    moment = calendar.moment_name(game.state.moment)
    if as_json:
        print_json({"move": move.id, "at": move.at, "moment": moment, "fingerprint": game.state.fingerprint()})
    else:
        console.print(f"{text}. It is {moment} again, after move {move.at}.")


@click.command()
@game_option
@json_option
def verify(game: str, as_json: bool) -> None:
    """Check that the log replays to the stored state and the ledger balances; say what today's rules would change."""
    report, opened = checked_game(game)
    differences = opened.redecide() if opened is not None else []
    if as_json:
        found = {"ok": report.ok, "faults": report.faults, "differences": differences}
        found["lapsed_readings"] = lapsed_readings(opened.state.readings) if opened is not None else []
        print_json({**found, "moves": report.moves, "whole": report.whole, "dice": report.dice})
    else:
        _tell_report(report, differences)
        if opened is not None:
            tell_lapsed_readings(opened)
    if not report.ok:
        raise click.exceptions.Exit(BROKEN)


def _tell_report(report: Report, differences: list[str]) -> None:
    for fault in report.faults:
        errors.print(f"[bold red]Fault[/] {escape(fault)}")
    for difference in differences:
        console.print(f"[yellow]Today[/] {escape(difference)}")
    if report.ok:
        console.print(f"{report.moves} moves replay to the stored states; the ledger balances.")
    elif report.whole:
        errors.print(f"Moves 1 to {report.whole} are whole; `warcabinet recover` saves them as a new game.")
    for line in report.dice:
        console.print(f"[dim]Dice {escape(line)}[/]")


@click.command()
@click.option("--ledger", is_flag=True, help="the ledger as CSV instead of the game as JSON lines")
@click.option("--out", "-o", type=click.Path(path_type=Path), help="a file to write (default: standard output)")
@game_option
@json_option
def export(ledger: bool, out: Path | None, game: str, as_json: bool) -> None:
    """Write the game as JSON lines, or its ledger as CSV; with --json either as one JSON list."""
    opened = open_game(game)
    if as_json:
        text = _as_list(opened, ledger)
    else:
        text = ledger_csv(opened) if ledger else "".join(line + "\n" for line in export_game(opened))
    if out is None:
        click.echo(text, nl=False)
        return
    with whole_file(out) as part:
        part.write_text(text, encoding="utf-8")
    console.print(f"Written to {escape(str(out))}.")


def _as_list(game: Game, ledger: bool) -> str:
    """The export as one JSON list: a row of the ledger, or a line of the game, each an element."""
    if ledger:
        rows = list(csv.DictReader(io.StringIO(ledger_csv(game))))
        typed = [{**row, **{key: int(row[key]) for key in ("move", "amount", "balance")}} for row in rows]
        return msgspec.json.format(msgspec.json.encode(typed), indent=1).decode() + "\n"
    return "[" + ",\n".join(export_game(game)) + "]\n"


@click.command(name="import")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("file", default=DEFAULT, envvar="WARCABINET_GAME", shell_complete=completing.file)
@new_game_option
@json_option
def import_(source: Path, file: str, named: str, as_json: bool) -> None:
    """Read a game from exported JSON lines into a new FILE."""
    if not source.is_file():
        raise WarCabinetError(f"there is no file {source}")
    game = import_game(read_text(source).splitlines(), named or file)
    print_json(status_data(game)) if as_json else show_status(game)


@click.command(name="scenarios")
@json_option
def scenarios_(as_json: bool) -> None:
    """List the scenarios that a game can start from."""
    if as_json:
        print_json({scenario.name: scenario.title for scenario in scenarios().values()})
        return
    for scenario in scenarios().values():
        console.print(f"[bold]{scenario.name}[/]  {scenario.title}")


COMMANDS = (new, status, offers, do, advance, log, undo, redo, verify, export, import_, scenarios_)
