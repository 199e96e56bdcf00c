"""The war as it happened: a script of orders and reports, played through the engine like any game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from warcabinet.figures.position import Position
from warcabinet.game.game import Game, new_game
from warcabinet.game.journal import Journal, MemoryJournal
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import read_yaml
from warcabinet.model import calendar
from warcabinet.model.names import DATA, areas, powers
from warcabinet.model.places import deciding_places, place_key

Step = dict[str, Any]
#: What a step has beside its command: a word for whoever follows, one for whoever reads closely, the story of the
#: turn, where to look, the dice.
BESIDE = ("say", "aside", "tell", "look", "dice")


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A year of the script, in a file of its own."""

    title: str
    steps: tuple[Step, ...]


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A script: each step is a command in the form of a case, with a word for whoever follows it."""

    title: str
    scenario: str
    #: What is told before the first step, over the position at the start.
    opening: str = ""
    options: dict[str, Any] = {}
    #: Files that hold the steps one after the other.
    chapters: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


@cache
def demo(name: str = "the-war") -> Demo:
    """A script by name, with all its chapters; read once, because every table that is opened is held against it."""
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


class Carried(msgspec.Struct, frozen=True):
    """Counters of a scene that went from one hex to another, or nowhere: they were lost."""

    nation: str
    unit: str
    count: int
    origin: str
    to: str = ""


class Scene(msgspec.Struct, frozen=True):
    """A word of the story: the move after which it is shown, the turn, what is said, and which places to look at."""

    move: int
    turn: str
    say: str
    tell: str
    places: tuple[str, ...]
    #: What stood behind each of its orders and reports, for whoever stops to read.
    asides: tuple[str, ...] = ()
    #: Of a scene made from the log: its first entry, whose it is, its marches, and what it moved of whose BRPs.
    first: int = 0
    power: str = ""
    arrows: tuple[tuple[str, str], ...] = ()
    brp: dict[str, int] = {}
    #: Counters that go with the marches, and those that were lost.
    carried: tuple[Carried, ...] = ()
    lost: tuple[Carried, ...] = ()
    battle: bool = False


def play_scenes(name: str = "the-war") -> tuple[Game, tuple[Scene, ...]]:
    """Play a script and cut it into scenes: each reaches from a step at which something is said to the next."""
    script = demo(name)
    game = new_game(Position(script.scenario, options=script.options), MemoryJournal())
    found = [Scene(game.head.id, calendar.turn_name(game.state.turn), script.title, script.opening, ())]
    for step, said in zip(script.steps, run_steps(game, script), strict=True):
        told, turn, move = str(step.get("tell", "")), calendar.turn_name(game.state.turn), game.head.id
        if said or told:
            found.append(Scene(move, turn, said, told, places_shown(step)))
        elif len(found) > 1:
            # What goes without saying belongs to the scene before it.
            asides = (*found[-1].asides, step["aside"]) if "aside" in step else found[-1].asides
            found[-1] = msgspec.structs.replace(found[-1], move=move, asides=asides)
    return game, tuple(found)


def places_shown(step: Step) -> tuple[str, ...]:
    """Where a step happens: the place it says to look at, else the places, countries or areas that it names."""
    if "look" in step:
        return (place_key(step["look"]),)
    named = [step[it] for it in ("to", "at", "port", "air_base", "ic_at") if it in step and step["do"] != "advance"]
    named += [it for it in (*step.get("places", ()), *step.get("ics", ())) if it]
    named += [it.rpartition(" at ")[2] for it in step.get("units", ()) if " at " in it]
    named += [step[it] for it in ("country", "area") if step.get(it) in areas()]
    named += step.get("on", ()) if isinstance(step.get("on"), list) else ()
    named = named or [step[it] for it in ("power",) if it in step]
    keys = [key for it in named for key in _keys(str(it))]
    return tuple(dict.fromkeys(key for key in keys if not key.startswith("box/")))


def _keys(name: str) -> tuple[str, ...]:
    """The keys of a place, or of those that decide an area; a power is where its first key area or IC is."""
    if name in powers():
        home = (it for it in areas().values() if it.owner == name and it.kind in ("key area", "ic"))
        return next((deciding_places(it.area) for it in home), ())
    return deciding_places(name) if name in areas() else (place_key(name),)


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
    command = ", ".join(f"{key}: {value}" for key, value in step.items() if key not in BESIDE or key == "dice")
    return f"step {number}{said} of the demonstration cannot be carried out: {{{command}}}"
