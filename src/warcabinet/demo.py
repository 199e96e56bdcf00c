"""The war as it happened: a script of orders and reports, played through the engine like any game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from warcabinet.figures.position import Position
from warcabinet.game import Game, Journal, MemoryJournal, new_game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import read_yaml
from warcabinet.model.names import DATA

Step = dict[str, Any]
#: What a step has beside its command: a word for whoever follows, the story of the turn, where to look, the dice.
BESIDE = ("say", "tell", "look", "dice")


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A year of the script, in a file of its own."""

    title: str
    steps: tuple[Step, ...]


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A script: each step is a command in the form of a case, with a word for whoever follows it."""

    title: str
    scenario: str
    options: dict[str, Any] = {}
    #: Files that hold the steps one after the other.
    chapters: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def demo(name: str = "the-war") -> Demo:
    """A script by name, with all its chapters."""
    script = read_yaml(DATA / "demo" / f"{name}.yaml", Demo)
    return msgspec.structs.replace(script, steps=tuple(step for it in chapters(name, script) for step in it.steps))


def chapters(name: str, script: Demo) -> list[Chapter]:
    return [read_yaml(DATA / "demo" / name / f"{chapter}.yaml", Chapter) for chapter in script.chapters]


def play_demo(name: str = "the-war", journal: Journal | None = None) -> Game:
    """Play a script from its scenario to its end, into a journal (by default one in memory)."""
    script = demo(name)
    game = new_game(Position(script.scenario, options=script.options), journal or MemoryJournal())
    for _ in run_steps(game, script):
        pass
    return game


def run_steps(game: Game, script: Demo) -> Iterator[str]:
    """Carry out a script step by step; yields what is said at each, empty where nothing is."""
    for number, step in enumerate(script.steps, 1):
        try:
            carry_out(game, step)
        except WarCabinetError as error:
            raise WarCabinetError(f"{_called(number, step)}: {error}") from error
        yield str(step.get("say", ""))


def carry_out(game: Game, step: Step) -> None:
    """One command; dice are those of the script, never random."""
    command = {key: value for key, value in step.items() if key not in BESIDE}
    if command.get("do") == "advance" and "to" in command:
        game.advance(command["to"], dice=step.get("dice", ()))
    else:
        game.do(command, step.get("dice", ()))


def _called(number: int, step: Step) -> str:
    """A step as a message names it: its number, what is said there, and its command."""
    said = f" ({step['say']})" if step.get("say") else ""
    command = ", ".join(f"{key}: {value}" for key, value in step.items() if key not in ("say", "tell", "look"))
    return f"step {number}{said} of the demonstration cannot be carried out: {{{command}}}"
