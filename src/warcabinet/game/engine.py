"""The rules bound to the game's state: `decide` is all that any shell needs of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

import warcabinet.house.all  # noqa: F401  (registers every rule)
from warcabinet.house.form import malformed, misfit, untimely
from warcabinet.kernel.decision import Decision, Engine, Needs, Record
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Refusal
from warcabinet.model.apply import apply
from warcabinet.model.commands import command_types, fields, renamed
from warcabinet.model.commands.base import Command
from warcabinet.model.events import DiceRolled, Event
from warcabinet.model.reading import read_names
from warcabinet.model.state import State
from warcabinet.model.units import MOST_UNITS

GameDecision = Decision[State, Event]
GameRecord = Record[Event]


def _untimely(state: State, command: object) -> Sequence[Refusal]:
    assert isinstance(command, Command)
    return untimely(state, type(command), command)


def _die(purpose: str, face: int) -> DiceRolled:
    return DiceRolled(purpose, face)


ENGINE: Engine[State, Event] = Engine(apply, malformed, _untimely, _die)


def decide(state: State, command: Command, dice: Sequence[int] = (), tell: bool = False) -> GameDecision:
    """Judge a command against a state: accepted with events, refused with every refusal, or in need of a die.

    The reasons are worked out when they are read, or at once for whoever is going to `tell` them.
    """
    return ENGINE.decide(state, command, dice, tell=tell)


#: After how many new objects the garbage collector of a program that goes on for long looks for what went in circles.
NEW_OBJECTS = 50_000
#: The same where somebody waits for an answer: more looks, none of them long.
NEW_OBJECTS_IN_TALK = 5_000


def at_rest(new_objects: int = NEW_OBJECTS) -> None:
    """Everything that is read once and for all has been read: the garbage collector need not look through it again.

    For programs that go on for long. Nothing in a state or a decision refers back to itself, so what is no longer held
    goes by itself; looking for what would not, after every few hundred new objects, was a twelfth of every decision.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(new_objects)


@contextmanager
def few_looks(new_objects: int = NEW_OBJECTS) -> Iterator[None]:
    """A stretch of much work in which the garbage collector looks as seldom as in a program at rest."""
    before = gc.get_threshold()
    gc.set_threshold(max(new_objects, before[0]))
    try:
        yield
    finally:
        gc.set_threshold(*before)


#: A thousand times what a power ever has: no number that is given to the game is larger. Counts: see `MOST_UNITS`.
LARGEST = 1_000_000


#: Far more than an order ever names in one of its lists; and letters of a text in it.
MOST_NAMED, LONGEST_TEXT = 200, 1_000


def no_longer_than_orders_are(what: str, given: Any) -> None:
    """Refuse a list or a text, anywhere in what was given, that is longer than any order has."""
    most, things = (LONGEST_TEXT, "letters") if isinstance(given, str) else (MOST_NAMED, "entries")
    if isinstance(given, str | dict | list | tuple) and len(given) > most:
        raise WarCabinetError(f"{what}: {len(given):,} {things}; an order has at most {most:,} in one place")
    if isinstance(given, dict | list | tuple):
        for it in (*given, *given.values()) if isinstance(given, dict) else given:
            no_longer_than_orders_are(what, it)


def within_bounds(what: str, given: Any) -> None:
    """Refuse a number, anywhere in what was given, that is larger than any of the game."""
    if _too_large(given):
        told = f"a number lies between -{LARGEST:,} and {LARGEST:,}"
        raise WarCabinetError(f"{what}: larger than any number of the game; {told}")


def _too_large(given: Any) -> bool:
    if isinstance(given, dict):
        return any(map(_too_large, given.values()))
    if isinstance(given, list | tuple):
        return any(map(_too_large, given))
    return isinstance(given, int | float) and not -LARGEST <= given <= LARGEST


@lasting
def _counts(kind: type[Command]) -> tuple[str, ...]:
    """The fields of a command that count something: units, transports, points; not BRPs."""
    return tuple(field.name for field in fields(kind) if field.kind == "number")


def _count_within_bounds(kind: type[Command], given: dict[str, Any]) -> None:
    for name in _counts(kind):
        count = given.get(name)
        if isinstance(count, int) and not -MOST_UNITS <= count <= MOST_UNITS:
            raise WarCabinetError(f"{given['do']}: {name} lies between -{MOST_UNITS:,} and {MOST_UNITS:,}")


def as_command(command: Command | dict[str, Any]) -> Command:
    """A command from a mapping such as a case, a request or a command line gives it."""
    # A struct does not check what it is made of; what goes into a log must fit its types.
    given: dict[str, Any] = msgspec.to_builtins(command) if isinstance(command, Command) else command
    given = renamed(given)
    name = given.get("do")
    if not isinstance(name, str) or name not in command_types():
        raise unknown("command", name, command_types())
    no_longer_than_orders_are(name, given)
    # Of the events that a seat has seen there may be any number.
    within_bounds(name, {key: value for key, value in given.items() if key != "seq_seen"})
    try:
        msgspec.json.encode(given)
    except (UnicodeEncodeError, TypeError, ValueError) as error:
        raise WarCabinetError(f"{name}: it holds what cannot be written down: {error}") from None
    kind = command_types()[name]
    if kind.other_names:
        given = {kind.other_names.get(key, key): value for key, value in given.items()}
    _count_within_bounds(kind, given)
    try:
        return msgspec.convert(read_names(kind, given), kind)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"{name}: {misfit(kind, str(error))}") from None


class Ahead(msgspec.Struct, frozen=True):
    """The dice that a command asks for, in order, and whether more follow that hang on the faces of these."""

    dice: tuple[Needs, ...]
    more: bool


def dice_ahead(state: State, command: Command, given: Sequence[int] = ()) -> Ahead:
    """The dice that a command asks for: those given, then more as long as the same comes next whatever one shows."""
    found: list[Needs] = []
    faces: list[int] = []
    wanted = _die_wanted(state, command, faces)
    while wanted is not None:
        found.append(wanted)
        shown = [given[len(faces)]] if len(faces) < len(given) else range(1, 7)
        after = [_die_wanted(state, command, [*faces, face]) for face in shown]
        if any(it != after[0] for it in after):
            return Ahead(tuple(found), True)
        faces.append(shown[0])
        wanted = after[0]
    return Ahead(tuple(found), False)


def _die_wanted(state: State, command: Command, faces: Sequence[int]) -> Needs | None:
    needs = decide(state, command, faces).needs
    return needs if needs is not None and needs.kind == "die" else None
