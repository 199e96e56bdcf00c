"""`check --explain`: the position of a conformance case as a game that can be looked at and played on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.markup import escape

from warcabinet.cli.show import chip, console, show_move, why_tree
from warcabinet.conformance.casebook import cases_folder, play_case_step
from warcabinet.conformance.cases import Book, Case, asked_values, read_cases
from warcabinet.figures.arguments import listed_arguments
from warcabinet.figures.written import position_text
from warcabinet.game import Game
from warcabinet.kernel.errors import unknown
from warcabinet.store import create_game


def case_named(id: str, paths: Iterable[Path]) -> Case:
    """The case with an id; a part of it will do where only one fits."""
    book = Book(paths, (cases_folder(),))
    found = {case.id: case for path in book.files for case, _ in read_cases(path, book)}
    if id in found:
        return found[id]
    near = [it for it in found if it.startswith(id) or it.endswith(id)]
    if len(near) != 1:
        raise unknown("case", id, near or found)
    return found[near[0]]


def open_case(case: Case, into: str | None) -> None:
    """Set the position up in a file, play the steps as moves, and say how to look at it."""
    file = into or f"case-{re.sub('[^A-Za-z0-9.]+', '-', case.id).strip('-')}.warcabinet"
    game = create_game(file, case.position)
    console.print(f"[bold]{escape(case.id)}[/] {escape(case.title)} {' '.join(map(chip, case.clauses))}")
    if case.like:
        console.print(f"[dim]like {escape(case.like)}; its whole position is[/]\n{escape(position_text(case.given))}")
    for number, step in enumerate(case.when, 1):
        console.print(f"[dim]step {number}[/]")
        _play(game, step)
    if case.ask:
        _answer(game, case.ask)
    for name, args, _ in asked_values(case.then.get("values", [])):
        _answer(game, {name: args})
    console.print(f"\nThe game is in [bold]{escape(file)}[/], at move {game.head.id}. To look at it:")
    for words in ("status", "offers --all", "log", f"explain move {game.head.id}", "session"):
        console.print(f"  warcabinet {words} --game {escape(file)}")
    if case.disputed:
        console.print(f"  [dim]it is disputed; to see another reading: do choose_reading ruling={case.disputed} ...[/]")


_HEADS = {
    "refused": "[bold red]refused[/]",
    "die": "[bold]a die is wanted[/]",
    "question": "[bold]a question[/]",
    "unreadable": "[bold red]cannot be read[/]",
}


def _play(game: Game, step: dict[str, Any]) -> None:
    if "ask" in step:
        _answer(game, step["ask"])
        return
    before = game.head.id
    for said in play_case_step(game, step):
        clause = f" {chip(said.clause)}" if said.clause else ""
        console.print(f"  {_HEADS[said.kind]}{clause} {escape(said.text)}")
    for move in game.journal.moves(before + 1, game.head.id):
        show_move(move)


def _answer(game: Game, asked: dict[str, Any]) -> None:
    for name, args in asked.items():
        console.print(why_tree(game.explain(name, *listed_arguments(name, args)), game))
