"""Two positions, or two lines of a game, side by side: the figures that differ, and from which move on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from warcabinet.board import names
from warcabinet.board.maps import both
from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.kernel.why import Answer
from warcabinet.model import calendar
from warcabinet.model.commands.table import ChooseReading, Correct, RefereeRules, Release
from warcabinet.model.events import DiceSeeded
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.views.words import command_text, name, place_name

#: So many figures are followed move by move, over so many moves of a line: the rest are told as they are now.
FOLLOWED, MOVES = 80, 300

#: Commands after which the same position is reckoned otherwise: what they would move is shown before.
CHANGES_RULES = (ChooseReading, RefereeRules, Release, Correct)

Key = tuple[str, tuple[str, ...]]


class Differs(msgspec.Struct, frozen=True):
    """A figure that is other here than there; since which move, where the lines were followed."""

    rule: str
    title: str
    clause: str
    #: For whom or what, by id and in words.
    args: tuple[str, ...]
    of: str
    here: Answer
    there: Answer
    since_here: int = 0
    since_there: int = 0


class Land(msgspec.Struct, frozen=True):
    """Places that one holds here and another there."""

    here: str
    there: str
    places: tuple[str, ...]
    count: int


class GameLine(msgspec.Struct, frozen=True):
    """A line of a game: where it is, and the first move that only it has."""

    moment: str
    moves: int
    first: int
    text: str


class Compared(msgspec.Struct, frozen=True):
    """Two lines of a game: up to which move they are one, and what differs now."""

    common: int
    common_moment: str
    here: GameLine
    there: GameLine
    figures: tuple[Differs, ...]
    land: tuple[Land, ...]


@cache
def _askable() -> tuple[tuple[Rule, tuple[tuple[str, ...], ...]], ...]:
    """The values that can be asked for every power, every country, or as they are."""
    every = {
        (): ((),),
        ("power",): tuple((power,) for power in powers()),
        ("country",): tuple((country,) for country in countries()),
    }
    # An exception is told by the value that it displaces, where it holds.
    general = [rule for rule in RULES.values().values() if not rule.displaces]
    found = [(rule, every.get(tuple(rule.parameters))) for rule in general]
    # What chapters of single countries ask of a country is about theirs alone.
    return tuple((it, args) for it, args in found if args and (len(args) != len(countries()) or _general(it)))


def _general(rule: Rule) -> bool:
    return any(f".rules.{chapter}." in rule.module for chapter in ("minors", "economy", "common"))


def _value(state: State, rule: str, args: tuple[str, ...]) -> Answer:
    try:
        value = RULES.values()[rule](state, *args)
    except (WarCabinetError, LookupError, ValueError, AssertionError):
        return None  # a value that is not about this power or country at all
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(place_name(str(it)) if "/" in str(it) else name(str(it)) for it in value)
    return value if isinstance(value, int | str | None) else str(value)


def figures(state: State) -> Iterator[tuple[Key, Answer]]:
    for rule, every in _askable():
        for args in every:
            yield (rule.name, args), _value(state, rule.name, args)


def moved(here: State, there: State) -> tuple[Differs, ...]:
    """Every figure that differs between two positions: those of powers first."""
    second = dict(figures(there))
    found = [_differs(key, value, second[key]) for key, value in figures(here) if value != second[key]]
    order = {power: n for n, power in enumerate(powers())}
    return tuple(
        sorted(found, key=lambda it: (order.get(it.args[0] if it.args else "", 99), not _number(it), it.title))
    )


def _number(it: Differs) -> bool:
    return isinstance(it.here, int) and not isinstance(it.here, bool)


def _differs(key: Key, here: Answer, there: Answer) -> Differs:
    rule, args = key
    of = ", ".join(name(arg) for arg in args)
    return Differs(rule, rule_title(rule), RULES.by_name[rule].clause, args, of, here, there)


def compare(here: Game, there: Game) -> Compared:
    """Put two lines of play side by side."""
    first, second = _line(here), _line(there)
    common = 0
    while common < min(len(first), len(second)) and _same(first[common], second[common]):
        common += 1
    if not common:
        raise WarCabinetError("these games have not even their start in common")
    fork = here.journal.state_at(first[common - 1].id)
    differ = moved(here.state, there.state)
    since = [_since(game, line[common:], fork, differ) for game, line in ((here, first), (there, second))]
    told = tuple(
        msgspec.structs.replace(it, since_here=since[0].get(_key(it), 0), since_there=since[1].get(_key(it), 0))
        for it in differ
    )
    return Compared(
        first[common - 1].id,
        calendar.moment_name(fork.moment),
        _told(here, first[common:]),
        _told(there, second[common:]),
        told,
        tuple(_land(here.state, there.state)),
    )


def _line(game: Game) -> list[Move]:
    return [game.journal.move(id) for id in sorted(game.line())]


def _same(a: Move, b: Move) -> bool:
    """Whether two moves are one and the same: the same facts follow from the same command."""
    return _facts(a) == _facts(b) and a.moment == b.moment


def _facts(move: Move) -> list[object]:
    return [record.event for record in move.records if not isinstance(record.event, DiceSeeded)]


def _told(game: Game, own: list[Move]) -> GameLine:
    first = own[0] if own else None
    text = command_text(first.command) if first is not None and first.command is not None else ""
    return GameLine(calendar.moment_name(game.state.moment), len(own), first.id if first else 0, text)


def _key(it: Differs) -> Key:
    return it.rule, it.args


def _since(game: Game, own: list[Move], fork: State, differ: Iterable[Differs]) -> dict[Key, int]:
    """The move of a line after which each figure was first other than where the lines parted."""
    open_ = {_key(it): _value(fork, it.rule, it.args) for it in list(differ)[:FOLLOWED]}
    found: dict[Key, int] = {}
    for move in own[:MOVES]:
        state = game.journal.state_at(move.id)
        for key in [key for key, value in open_.items() if _value(state, *key) != value]:
            found[key] = move.id
            del open_[key]
        if not open_:
            break
    return found


def _land(here: State, there: State) -> Iterator[Land]:
    found: dict[tuple[str, str], list[str]] = {}
    for one in both():
        for h in one:
            if h.is_land and (pair := (holder(here, h.key), holder(there, h.key))) and pair[0] != pair[1]:
                found.setdefault(pair, []).append(h.key)
    for (a, b), keys in found.items():
        called = [place.name for key in keys for place in names.places_at(key)]
        yield Land(name(a), name(b), tuple(called[:12]), len(keys))
