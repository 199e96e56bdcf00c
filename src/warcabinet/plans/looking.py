"""What a piece of play looked at in a position, and whether that is the same in another.

Futures that have come apart are still alike in most things: what one power does seldom hangs on what befell another.
So a piece of play (a command that is judged, what a power sees to at a step) is played once on a stand-in for the
state that notes all it is asked for. A future in which all of that is the same goes the same way: the same events
happen to it, and parts that were the same before are the same after. Rules know nothing of this.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from warcabinet.game.engine import ENGINE
from warcabinet.kernel.decision import Engine
from warcabinet.model.agenda import Agenda
from warcabinet.model.apply import apply
from warcabinet.model.events import Event
from warcabinet.model.keys import Place
from warcabinet.model.ledger import Books
from warcabinet.model.pieces import Pieces
from warcabinet.model.state import Annals, State

T = TypeVar("T")
#: How to come to a part of something, by a key: an entry, an attribute, what a function makes of it.
Reach = Callable[[Any, Any], Any]
#: How many pieces of a kind are tried at a moment before it is asked whether noting them is worth its while.
FEW = 20
#: From so many groups on it is worth while to note what they have in common.
SHARED = 48


class Look:
    """Something that was there to be looked at, which parts of it were, and whether all of it was.

    What is not there at all is None; so is every part of it.
    """

    __slots__ = ("above", "key", "parts", "reach", "was", "whole")

    def __init__(self, was: Any, above: Look | None, reach: Reach, key: Any) -> None:
        self.was, self.above, self.reach, self.key, self.whole = was, above, reach, key, False
        self.parts: dict[Any, Look] = _NO_PARTS

    def at(self, key: Any, reach: Reach) -> Look:
        """A part of it."""
        known = self.parts.get(key)
        if known is None:
            was = self.was
            known = self.add(key, Look(None if was is None else reach(was, key), self, reach, key))
        return known

    def add(self, key: Any, part: Look) -> Look:
        if self.parts is _NO_PARTS:
            self.parts = {}
        self.parts[key] = part
        return part

    def other(self, now: Any) -> Look | None:
        """The first that was looked at and is other now, if anything is."""
        if self.whole or now is None or self.was is None:
            return None if now == self.was else self
        for look in self.parts.values():
            part = look.reach(now, look.key)
            if part is not look.was and (found := look.other(part)) is not None:
                return found
        return None

    def told(self, state: Any) -> Hashable:
        """How it is in another state, so that it can be looked up; None where it cannot."""
        found = self.reached(state)
        if found.__class__ is dict:
            found = tuple(found.items())
        try:
            hash(found)
        except TypeError:
            return None
        return (found,)

    def top(self) -> Look:
        return self if self.above is None else self.above.top()

    def reached(self, state: Any) -> Any:
        """The same part of another state."""
        if self.above is None:
            return state
        above = self.above.reached(state)
        return None if above is None else self.reach(above, self.key)


#: Most of what is looked at is a name or a number, which has none.
_NO_PARTS: dict[Any, Look] = {}


def _itself(of: Any, key: Any) -> Any:
    return of


def _listed(of: Mapping[Any, Any], key: Any) -> tuple[Any, ...]:
    return tuple(of)


def _filled(of: Mapping[Any, Any], key: Any) -> bool:
    return bool(of)


def _made(state: Any, key: tuple[Callable[..., Any], tuple[Any, ...], Any]) -> Any:
    """What a function makes of parts of a state: of the same parts the same."""
    fn, ways, known = key
    same, parts = True, []
    for it in ways:
        part = it
        if it.__class__ is Look:
            part = it.reached(state)
            if part is None:
                return None
            same = same and part is it.was
        parts.append(part)
    return known if same else fn(*parts)


class _StandIn:
    """Stands for something, and notes what is looked at."""

    __slots__ = ()
    real: Any
    look: Look

    def whole(self) -> Any:
        self.look.whole = True
        return self.real

    def made(self, fn: Callable[..., Any], parts: tuple[Any, ...]) -> Any:
        """What a function makes of parts of a state is a part of it as well: nothing else of them need be the same."""
        if any(isinstance(it, _StandIn) and it.real is not it.look.was for it in parts):
            # One was changed on the way: what is made of it now hangs on more than what was made of it before.
            return fn.__wrapped__(*parts)  # type: ignore[attr-defined]
        real = [it.real if isinstance(it, _StandIn) else it for it in parts]
        ways = tuple([it.look if isinstance(it, _StandIn) else it for it in parts])
        top, key = self.look.top(), (fn, ways)
        look = top.parts.get(key)
        if look is None:
            found = fn(*real)
            look = top.add(key, Look(found, top, _made, (fn, ways, found)))
        return _noted(look.was, look)


class _Row(_StandIn, Sequence[Any]):
    """Stands for a tuple of which something is made."""

    __slots__ = ("look", "real")

    def __init__(self, real: Any, look: Look) -> None:
        self.real, self.look = real, look

    def __getitem__(self, place: Any) -> Any:
        return self.whole()[place]

    def __len__(self) -> int:
        return len(self.whole())


class _Entries(_StandIn, Mapping[Any, Any]):
    """Stands for a mapping, and notes which entries are asked for."""

    __slots__ = ("known", "look", "real")

    def __init__(self, real: Mapping[Any, Any], look: Look) -> None:
        self.real, self.look = real, look
        self.known: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        found = self.known.get(key)
        if found is None:
            found = _noted(self.real.get(key, default), self.look.at(key, dict.get))
            if key in self.real:
                self.known[key] = found
        return found

    def __getitem__(self, key: Any) -> Any:
        if key not in self.real:
            self.look.at(key, dict.get)
            raise KeyError(key)
        return self.get(key)

    def __contains__(self, key: object) -> bool:
        self.look.at(key, dict.get).whole = True
        return key in self.real

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.whole())

    def __bool__(self) -> bool:
        if self.real is not self.look.was:
            return bool(self.whole())
        self.look.at(bool, _filled).whole = True
        return bool(self.real)

    def keys(self) -> Any:
        if self.real is not self.look.was:
            return self.whole().keys()
        self.look.at(tuple, _listed).whole = True
        return self.real.keys()

    def values(self) -> Any:
        return self.whole().values()

    def items(self) -> Any:
        return self.whole().items()

    def __eq__(self, other: object) -> bool:
        return bool(self.whole() == other)

    __hash__ = None  # type: ignore[assignment]


class _Missed(Look):
    """Names that were asked for of a mapping: mostly it has none of them."""

    __slots__ = ("names",)
    names: set[Any]

    def other(self, now: Any) -> Look | None:
        return None if self.names.isdisjoint(now.keys() ^ self.was.keys()) else self

    def told(self, state: Any) -> Hashable:
        return frozenset(self.names.intersection(self.reached(state)))


class _Named(_Entries):
    """Stands for a mapping of which it is mostly asked what is not there: the names are looked at together."""

    __slots__ = ("names",)

    def __init__(self, real: Mapping[Any, Any], look: Look) -> None:
        super().__init__(real, look)
        missed = look.parts.get(_Missed)
        if not isinstance(missed, _Missed):
            missed = _Missed(look.was, look, _itself, None)
            missed.names = set()
            look.add(_Missed, missed)
        self.names: set[Any] = missed.names

    def __contains__(self, key: object) -> bool:
        self.names.add(key)
        return key in self.real

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key, default) if key in self else default


def _noted(found: Any, look: Look) -> Any:
    """What was found, or what stands for it where parts of it can be looked at; anything else is looked at whole."""
    stand_in = _STAND_INS.get(found.__class__)
    if stand_in is not None:
        return stand_in(found, look)
    look.whole = True
    return found


#: Fields that events gather from elsewhere, and the parts of a state from which: what they were before does not tell
#: what they are after.
_GATHERED = {"armor": ("pieces",), "soonest": ("agenda",), "before": ("control", "frames")}


class _Fields(_StandIn):
    """Stands for something with fields: each is noted when it is first asked for."""

    def __init__(self, real: Any, look: Look) -> None:
        self.real, self.look = real, look

    def __getattr__(self, name: str) -> Any:
        found, look = getattr(self.real, name), self.look.at(name, getattr)
        if name in _GATHERED and found is not look.was:
            for it in _GATHERED[name]:
                self.look.top().at(it, getattr).whole = True
        else:
            found = _noted(found, look)
        object.__setattr__(self, name, found)
        return found


class _Books(_Fields, Books):
    pass


class _Pieces(_Fields, Pieces):
    def among(self, places: frozenset[Place]) -> Any:
        if self.real is not self.look.was:
            return super().among(places)
        self.look.at(places, _among).whole = True
        return self.real.among(places)


def _among(pieces: Pieces, places: frozenset[Place]) -> tuple[Any, ...]:
    return tuple(pieces.among(places))


class _Agenda(_Fields, Agenda):
    def fallen_due(self, moment: int) -> Any:
        # What has come due since is known from what had come due, and from the events.
        self.look.at(moment, _due_by).whole = True
        return self.real.fallen_due(moment)

    def find(self, *effects: str, about: str | None = None, power: str = "") -> Any:
        self.look.at((effects, about, power), _found).whole = True
        return self.real.find(*effects, about=about, power=power)


def _found(agenda: Agenda, key: tuple[tuple[str, ...], str | None, str]) -> tuple[Any, ...]:
    effects, about, power = key
    return agenda.find(*effects, about=about, power=power)


def _due_by(agenda: Agenda, moment: int) -> tuple[Any, ...]:
    return () if agenda.fallen_due(moment) is None else tuple(it for it in agenda if it.due <= moment)


class _Annals(_Fields, Annals):
    def among(self, kinds: tuple[str, ...], since: int = 0) -> Any:
        self.look.at((kinds, since), _lately).whole = True
        return self.real.among(kinds, since)

    def lately(self, kind: str, since: int) -> Any:
        self.look.at(((kind,), since), _lately).whole = True
        return self.real.lately(kind, since)


def _lately(annals: Annals, key: tuple[tuple[str, ...], int]) -> tuple[Any, ...]:
    return tuple(annals.among(*key))


class _Seen(_Fields):
    """Stands for a state, as it was or after events that happened to it since."""

    def __init__(self, real: State, look: Look, events: tuple[Event, ...] = ()) -> None:
        super().__init__(real, look)
        self.events = events

    def __getattr__(self, name: str) -> Any:
        if name not in _SPECIAL:
            return super().__getattr__(name)
        found = self.__dict__[name] = _SPECIAL[name](getattr(self.real, name), self.look.at(name, getattr))
        return found

    def at(self, turn: int, step: int) -> _Seen:
        return _Seen(self.real.at(turn, step), self.look, self.events)


def _nth(row: tuple[Any, ...], place: int) -> Any:
    return row[place]


_SPECIAL: dict[str, Callable[[Any, Look], Any]] = {
    "wars": _Row,
    "determinations": _Named,
    "frames": lambda row, look: tuple([_Fields(it, look.at(place, _nth)) for place, it in enumerate(row)]),
}
_FIELDS = frozenset(State.__struct_fields__)
_STAND_INS: dict[type, Callable[[Any, Look], Any]] = {
    dict: _Entries,
    Books: _Books,
    Pieces: _Pieces,
    Agenda: _Agenda,
    Annals: _Annals,
}
for name, it in vars(State).items():
    if not name.startswith("__") and name != "at" and (callable(it) or isinstance(it, property)):
        setattr(_Seen, name, it)


def _happen(s: Any, event: Event) -> Any:
    was, real = s.real, apply(s.real, event)
    after = _Seen(real, s.look, (*s.events, event))
    for name, it in s.__dict__.items():
        if name in _FIELDS and getattr(was, name) is getattr(real, name):
            after.__dict__[name] = it
    return after


#: Decides as ever, on a stand-in for a state as on a state.
NOTING: Engine[Any, Event] = copy.copy(ENGINE)
NOTING.apply = lambda s, event: _happen(s, event) if s.__class__ is _Seen else apply(s, event)


_PLAIN = (dict, tuple, int)


class Piece:
    """A piece of play: what it looked at, what came of it."""

    def __init__(self, look: Look, made: Any, events: tuple[Event, ...], after: State) -> None:
        self.look, self.made, self.events, self.end = look, made, events, after
        pairs = ((name, getattr(look.was, name), getattr(after, name)) for name in State.__struct_fields__)
        self.changed = [it for it in pairs if it[1] is not it[2]]

    def after(self, s: State) -> State:
        """What becomes of a state to which the same happens; parts that were the same before are the same after."""
        if not self.changed:
            return s
        parts = {name: after for name, before, after in self.changed if getattr(s, name) is before}
        if len(parts) < len(self.changed):
            for event in self.events:
                s = apply(s, event)
            for name, _, after in self.changed:
                # What became alike is one from here on: whether it is alike need not be asked again.
                if name not in parts and after.__class__ in _PLAIN and getattr(s, name) == after:
                    parts[name] = after
        return replace(s, **parts)


class Fork:
    """Where pieces of play differ: something that was looked at, and the pieces by how it was."""

    __slots__ = ("look", "ways")

    def __init__(self, look: Look, ways: dict[Hashable, Piece | Fork]) -> None:
        self.look, self.ways = look, ways


class Known:
    """What is known of a thing that is played at a moment: how it went, how often so again, how often otherwise."""

    __slots__ = ("again", "anew", "went")

    def __init__(self) -> None:
        self.again, self.anew = 0, 0
        self.went: Fork = Fork(_NOTHING, {})

    def hopeless(self, groups: int) -> bool:
        """Whether it will go otherwise too often: noting what is looked at takes three times as long as playing.

        What goes in a third as many ways as there are groups has gone so again in so few of the first.
        """
        tried = self.again + self.anew
        return tried >= FEW and self.again * groups < tried * tried


_NOTHING = Look(None, None, getattr, None)


class Memory:
    """Pieces of play of one moment, to be gone through again by other futures."""

    def __init__(self) -> None:
        self.moment = -1
        self.known: dict[Hashable, Known] = {}
        #: How many are to go through them; of few everything is just played.
        self.groups = 0

    def through(self, what: Hashable, s: State, play: Callable[[Any], tuple[T, Any]]) -> tuple[T, State]:
        """What comes of a piece of play, and the state after it: as it went before if all that counts is alike."""
        if self.groups < SHARED:
            return play(s)
        if s.moment != self.moment:
            self.moment, self.known = s.moment, {}
        known = self.known.get(what)
        if known is None:
            known = self.known[what] = Known()
        elif known.hopeless(self.groups):
            return play(s)
        fork, way = known.went, cast(Hashable, ())
        found = fork.ways.get(way)
        while isinstance(found, Fork):
            fork, way = found, found.look.told(s)
            found = fork.ways.get(way)
        other = None if found is None else found.look.other(s)
        if found is not None and other is None:
            known.again += 1
            return found.made, found.after(s)
        known.anew += 1
        piece = _played(s, play)
        if found is None or other is None:
            fork.ways[way] = piece
        elif (old := other.told(found.look.was)) != (new := other.told(s)):
            fork.ways[way] = Fork(other, {old: found, new: piece})
        return piece.made, piece.end


def _played(s: State, play: Callable[[Any], tuple[Any, Any]]) -> Piece:
    look = Look(s, None, getattr, None)
    made, seen = play(_Seen(s, look))
    return Piece(look, made, seen.events, seen.real)
