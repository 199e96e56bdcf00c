"""Asking: why a number is what it is, what the year start would bring, what falls due."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from warcabinet.cli import completing
from warcabinet.cli.compare import show_differences
from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import (
    chip,
    console,
    ledger_trees,
    print_json,
    show_agenda,
    show_forecast,
    show_move,
    show_refusals,
    sum_tree,
    why_tree,
)
from warcabinet.cli.words_in import parse_command, parse_value
from warcabinet.figures.table import is_figure, read, reckoned_by, spelled_out
from warcabinet.game import Game
from warcabinet.game.engine import as_command
from warcabinet.game.forecast import YearStart, as_year_ends, before_year_start, year_start
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Trace, Why, fold
from warcabinet.model import calendar
from warcabinet.model.names import power_named, powers
from warcabinet.model.state import correction_note
from warcabinet.store import open_game
from warcabinet.views.compare import CHANGES_RULES, moved
from warcabinet.views.sums import due_sum, sums_of
from warcabinet.views.trails import Trails
from warcabinet.views.words import account_name, command_text


@click.command()
@click.argument("words", nargs=-1, required=True, shell_complete=completing.value_word)
@game_option
@json_option
def explain(words: tuple[str, ...], game: str, as_json: bool) -> None:
    """Why is a number what it is, and why is a command refused?

    \b
    explain growth_rate germany            a value by its rule
    explain powers.britain.brp             a figure by its name
    explain brp/germany                    an account, entry by entry; a grant to its other end, and back
    explain move 12                        a move: each of its amounts with its sum, and its reasons
    explain move 12 germany                only what that power gained and paid by it
    explain due P7                         what falls due, by the name that `agenda` gives it
    explain do spend power=italy brp=99 on=other    a command, limit by limit
    """
    opened = open_game(game)
    first, *rest = words
    if first == "do":
        _explain_command(opened, tuple(rest), as_json)
    elif first == "move":
        _explain_move(opened, rest, as_json)
    elif first == "due":
        _explain_due(opened, rest, as_json)
    elif "/" in first:
        _explain_account(opened, first, as_json)
    else:
        found = figure_why(opened, first, rest)
        print_json(with_entries(opened, found)) if as_json else console.print(why_tree(found, opened))


def figure_why(game: Game, name: str, args: list[str]) -> Why:
    """The explanation of a value (`growth_rate germany`) or of a figure (`powers.germany.base`)."""
    if is_figure(name):
        asked = reckoned_by(name)
        return game.explain(asked[0], *asked[1]) if asked else _as_it_stands(game, name)
    if name not in RULES.values():
        raise unknown("value", name, RULES.values())
    return game.explain(name, *(parse_value(arg) for arg in args))


def _as_it_stands(game: Game, figure: str) -> Why:
    """The explanation of a figure that no rule reckons: the account that it is, or what was said of it."""
    with Trace() as trace:
        found = read(game.state, figure)
    reasons = trace.take()
    if [reason.rule for reason in reasons] == ["account_balance"]:
        return reasons[0]
    return Why("figure", "", (figure,), str(found), reasons, (), _told(game, figure))


def _told(game: Game, figure: str) -> str:
    """What the referee or a status says about a figure that is read as it stands."""
    key = spelled_out(figure)
    head, _, rest = key.partition(".")
    if head == "countries" and rest in game.state.countries:
        return correction_note(game.state, key) or game.state.countries[rest].reason
    return correction_note(game.state, key)


def with_entries(game: Game, why: Why) -> dict[str, Any]:
    """An explanation as plain data, with the entries behind every account."""

    def data(node: Why, reasons: list[dict[str, Any]], _again: bool) -> dict[str, Any]:
        rule = RULES.by_name.get(node.rule)
        found: dict[str, Any] = {
            "rule": node.rule,
            "clause": node.clause,
            "args": node.args,
            "value": node.value,
            "gist": rule.gist if rule else "",
            "note": node.note,
            "set_aside": node.set_aside,
            "because": reasons,
        }
        if node.rule == "account_balance":
            found["entries"] = _entries(game, str(node.args[0]))
        return found

    return fold(why, data)


def _entries(game: Game, account: str) -> list[dict[str, Any]]:
    trails = Trails(game)
    return [
        {
            "when": calendar.moment_name(line.moment),
            **msgspec.to_builtins(line),
            "trail": msgspec.to_builtins(trails.of(account, line)),
        }
        for line in game.ledger(account)
    ]


def _explain_account(game: Game, account: str, as_json: bool) -> None:
    lines = game.ledger(account)
    if not lines:
        raise WarCabinetError(f"nothing was ever posted to {account}; accounts look like brp/germany or base/italy")
    total = sum(line.amount for line in lines)
    if as_json:
        print_json({"account": account, "balance": total, "entries": _entries(game, account)})
        return
    console.print(f"[bold]{total}[/] {account_name(account)}")
    for tree in ledger_trees(game, account, lines):
        console.print(tree)


def _explain_move(game: Game, rest: list[str], as_json: bool) -> None:
    number = int(rest[0]) if len(rest) in (1, 2) and rest[0].isdigit() else 0
    if not 1 <= number <= game.head.id:
        raise WarCabinetError(f"say which move: explain move N, with N from 1 to {game.head.id}")
    move = game.journal.move(number)
    power = power_named(rest[1]).power if rest[1:] else ""
    found = [it for it in sums_of(game, move) if power in ("", it.power)] if move.kind == "command" else []
    if power and not found:
        raise WarCabinetError(f"move {number} moves no BRPs of {power}")
    if as_json:
        print_json(found if power else move)
        return
    if not power:
        show_move(move)
    for it in found:
        console.print(sum_tree(it))
    for why in () if power else (*move.checked, *(why for record in move.records for why in record.why)):
        console.print(why_tree(why))


def _explain_due(game: Game, rest: list[str], as_json: bool) -> None:
    if not rest:
        raise WarCabinetError(f"say what: explain due ID, with one of {', '.join(it.id for it in game.agenda())}")
    found = due_sum(game.state, " ".join(rest))
    print_json(found) if as_json else console.print(sum_tree(found))


def _explain_command(game: Game, words: tuple[str, ...], as_json: bool) -> None:
    if not words:
        raise WarCabinetError("say which command: explain do spend power=italy brp=99 on=other")
    command = as_command(parse_command(words))
    ruling = game.decide(command)
    moves = moved(game.state, ruling.state) if ruling.accepted and isinstance(command, CHANGES_RULES) else ()
    if as_json:
        told = {"accepted": ruling.accepted, "refusals": ruling.refusals, "checked": ruling.checked}
        print_json({**told, "figures": moves} if isinstance(command, CHANGES_RULES) else told)
        return
    if ruling.refusals:
        show_refusals(command_text(command), ruling.refusals)
    else:
        console.print(f"[bold green]Allowed[/] {command_text(command)}")
    for why in ruling.checked:
        console.print(why_tree(why, game))
    if ruling.accepted and isinstance(command, CHANGES_RULES):
        console.print(f"Figures that would move in this position: {len(moves)}")
        if moves:
            show_differences(list(moves), "now", "then")


@click.command()
@click.argument("power", default="", shell_complete=completing.power)
@click.option("--settled", is_flag=True, help="with everything settled that falls due before the year ends")
@game_option
@json_option
def forecast(power: str, settled: bool, game: str, as_json: bool) -> None:
    """The next year start as if the year ended now: every power, or one with its reasons."""
    opened = open_game(game)
    state = before_year_start(opened.state) if settled else as_year_ends(opened.state)
    sheet = year_start(state)
    wanted = [power_named(power).power] if power else list(powers())
    if as_json:
        rows = [
            {"rule": r.rule, "clause": r.clause, "powers": {p: w.value for p, w in r.cells.items() if p in wanted}}
            for r in sheet.rows
        ]
        told = {"why": with_entries(opened, year_total_of(sheet, wanted[0]))} if power else {}
        print_json({"year": sheet.year, "rows": rows, **told})
    elif power:
        console.print(why_tree(year_total_of(sheet, wanted[0]), opened))
    else:
        show_forecast(sheet, "with what falls due until then" if settled else "as it stands")


def year_total_of(sheet: YearStart, power: str) -> Why:
    """How one power's total of the coming year start comes about."""
    total = next(row for row in sheet.rows if row.rule == "year_total")
    if power not in total.cells:
        raise WarCabinetError(f"{power}'s BRPs are not kept in this scenario")
    return total.cells[power]


@click.command()
@game_option
@json_option
def agenda(game: str, as_json: bool) -> None:
    """What falls due, soonest first, with what would avert it."""
    opened = open_game(game)
    print_json(opened.agenda()) if as_json else show_agenda(opened.agenda())


COMMANDS = (explain, forecast, agenda)
__all__ = ["COMMANDS", "chip", "explain", "figure_why", "forecast", "with_entries", "year_total_of"]
