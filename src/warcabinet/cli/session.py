"""An interactive session in the terminal: type commands, with completion and help."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from rich.markup import escape

from warcabinet.cli import completing
from warcabinet.cli.ask import figure_why, year_total_of
from warcabinet.cli.play import DEFAULT, new_game_option
from warcabinet.cli.show import (
    console,
    show_agenda,
    show_forecast,
    show_move,
    show_offer,
    show_refusals,
    show_status,
    why_tree,
)
from warcabinet.cli.words_in import parse_command, split_line
from warcabinet.figures.table import completions
from warcabinet.game import Conflict, Game, Refused
from warcabinet.game.offers import choices
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, fields
from warcabinet.model.names import power_named, powers
from warcabinet.store import create_game, open_game
from warcabinet.views.words import command_text

HELP = {
    "status": "where the game stands",
    "offers [POWER]": "what can be done now",
    "why VALUE [POWER]": "how a number comes about, such as: why growth_rate italy",
    "forecast [POWER]": "the next year start as if the year ended now",
    "agenda": "what falls due",
    "advance [TO]": "go on to the next step, or to a moment such as: advance Winter 1940",
    "undo, redo": "take back, do again (`undo consent` across a die or a hand-over)",
    "log": "the last moves",
    "help [COMMAND]": "this list, or a command's fields",
    "quit": "leave; everything is saved already",
}


class Words(Completer):
    """Completes the session's words, command names, field names and the names that fit a field."""

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        words = document.text_before_cursor.split(" ")
        last = words[-1]
        for candidate in self._candidates(words):
            if candidate.startswith(last):
                yield Completion(candidate, start_position=-len(last))

    def _candidates(self, words: list[str]) -> list[str]:
        if len(words) == 1:
            return [word.split()[0].rstrip(",") for word in HELP] + ["redo"] + list(command_types())
        if words[0] == "why":
            return [*RULES.values(), *completions(words[1])] if len(words) == 2 else list(powers())
        if words[0] in ("offers", "forecast"):
            return list(powers())
        if words[0] == "help":
            return list(command_types())
        if words[0] not in command_types():
            return []
        return self._field_candidates(words[0], words[-1])

    def _field_candidates(self, command: str, last: str) -> list[str]:
        name, separator, begun = last.partition("=")
        known = fields(command_types()[command])
        if not separator:
            return [f"{field.name}=" for field in known]
        if any(field.name == name and field.kind == "figure" for field in known):
            return [f"{name}={path}" for path in completions(begun)]
        found = [choices(field) for field in known if field.name == name]
        return [f"{name}={shown if ' ' not in shown else repr(shown)}" for names in found for shown in names]


def run_line(game: Game, line: str) -> bool:
    """Carry out one typed line; False to leave."""
    words = split_line(line)
    if not words:
        return True
    if words[0] in ("quit", "exit", "q"):
        return False
    handler = _HANDLERS.get(words[0])
    if handler is not None:
        handler(game, list(words[1:]))
    else:
        show_move(game.do(parse_command(words)))
    return True


def _offers(game: Game, rest: list[str]) -> None:
    mine = [power_named(word).power for word in rest]
    mine = mine or [p for p in powers() if powers()[p].player == game.state.player]
    for offer in game.offers(*mine):
        if offer.available and not offer.report:
            show_offer(offer)
    console.print("[dim]Reports: " + ", ".join(n for n in command_types() if n.startswith("report_")) + "[/]")


def _why(game: Game, rest: list[str]) -> None:
    if not rest:
        raise WarCabinetError("say what: why growth_rate italy, or why powers.germany.base")
    console.print(why_tree(figure_why(game, rest[0], rest[1:]), game))


def _forecast(game: Game, rest: list[str]) -> None:
    sheet = game.forecast()
    if rest:
        console.print(why_tree(year_total_of(sheet, power_named(rest[0]).power), game))
    else:
        show_forecast(sheet)


def _advance(game: Game, rest: list[str]) -> None:
    for move in game.advance(" ".join(rest)):
        show_move(move)
    show_status(game)


def _log(game: Game, rest: list[str]) -> None:
    line = game.line()
    for move in game.log(10):
        show_move(move, undone=move.kind == "command" and move.id not in line)


def _help(game: Game, rest: list[str]) -> None:
    if rest and rest[0] in command_types():
        show_offer(game.narrow(rest[0]), detail=True)
        return
    for words, text in HELP.items():
        console.print(f"  [bold]{words}[/]  {text}", markup=True)
    console.print("  [dim]or any command: " + ", ".join(command_types()) + "[/]")


def _undo(game: Game, rest: list[str]) -> None:
    # One person at the keyboard plays all seats, but crossing a die or a hand-over is said aloud.
    game.undo(consent=rest == ["consent"])
    show_status(game)


def _redo(game: Game, rest: list[str]) -> None:
    game.redo()
    show_status(game)


_HANDLERS = {
    "status": lambda game, rest: show_status(game),
    "offers": _offers,
    "why": _why,
    "forecast": _forecast,
    "agenda": lambda game, rest: show_agenda(game.agenda()),
    "advance": _advance,
    "undo": _undo,
    "redo": _redo,
    "log": _log,
    "help": _help,
}


def converse(game: Game) -> None:
    """Read lines until the person leaves; an error is told and nothing is lost."""
    interactive = sys.stdin.isatty()
    prompt: PromptSession[str] | None = PromptSession(completer=Words()) if interactive else None
    while True:
        try:
            where = calendar.moment_name(game.state.moment)
            line = prompt.prompt(f"{where} > ") if prompt else sys.stdin.readline()
            if not prompt and not line:
                return
            if not run_line(game, line):
                return
        except Refused as refused:
            show_refusals(command_text(refused.command), refused.refusals)
        except Conflict as error:
            console.print(f"[bold red]Error[/] {escape(str(error))}")
            game = Game(game.journal)
            console.print("[dim]Loaded again; look and repeat the command if it still fits.[/]")
            show_status(game)
        except WarCabinetError as error:
            console.print(f"[bold red]Error[/] {escape(str(error))}")
        except (EOFError, KeyboardInterrupt):
            return


@click.command()
@click.argument("file", default=DEFAULT, envvar="WARCABINET_GAME", shell_complete=completing.file)
@new_game_option
@click.option("--scenario", "-s", default="classic-1939", show_default=True, help="used when FILE is new")
def session(file: str, named: str, scenario: str) -> None:
    """Play in the terminal: an interactive session on FILE, started if it is new."""
    file = named or file
    if "://" in file or Path(file).exists():
        game = open_game(file)
    else:
        game = create_game(file, scenario)
        console.print(f"A new game is in [bold]{escape(file)}[/].")
    show_status(game)
    console.print("[dim]Type help for help, Tab to complete, quit to leave.[/]")
    converse(game)


COMMANDS = (session,)
