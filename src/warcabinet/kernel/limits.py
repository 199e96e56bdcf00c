"""Limits: what may not be done. One function refuses a command, bounds its fields, and narrows the offer of it.

A command that is still being filled in is a *draft*: whoever looks at a field of it that is still open stops there,
with `StillOpen`. So a limit says what it has to say as soon as everything that it looks at is known, and not before;
nothing declares which fields those are, and no declaration can be wrong.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import isgeneratorfunction
from typing import Any, Generic, Literal, TypeVar

import msgspec

from warcabinet.kernel.rules import RULES, Misplaced, Rule, by_place

S = TypeVar("S")
C = TypeVar("C")


class Outside(msgspec.Struct, frozen=True, gc=False):
    """A number of a command that lies outside its bound, for whoever tells of it in words of its own."""

    what: str
    field: str
    asked: int
    how: Literal["at most", "at least"]
    bound: int

    def __str__(self) -> str:
        return f"{self.what}: {self.field} is {self.asked}, {self.how} {self.bound}"


class Refusal(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Why a command may not be carried out: the clause, what would be right, and the clauses that say so beside it.

    Where a number goes too far the text can be made anew of `outside`.
    """

    clause: str
    text: str
    rule: str = ""
    also: tuple[str, ...] = ()
    outside: Outside | None = None


class Bound(msgspec.Struct, frozen=True, gc=False):
    """A field may be at most (and at least) so much; by the limit's clause or one of those that it names beside it."""

    field: str
    most: int | None = None
    least: int | None = None
    text: str = ""
    clause: str = ""
    also: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A field must be one of these; by which clause as with a bound."""

    field: str
    among: tuple[str, ...]
    text: str = ""
    clause: str = ""
    also: tuple[str, ...] = ()


Finding = Refusal | Bound | Choice | str | None
# What one limit has to say of a command: one thing, or several, each by its clause.
Findings = Finding | Iterator[Finding]


class StillOpen(Exception):
    """A field of a draft was looked at that nobody has filled in yet."""

    @property
    def field(self) -> str:
        return str(self.args[0])


class Draft:
    """A command of which some fields are known. It passes for one, and stops whoever looks at the others."""

    def __init__(self, kind: type, known: Mapping[str, Any]) -> None:
        mine = self.__dict__
        mine.update(known)
        mine["_passes_for"] = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self._passes_for  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        """What is known stands in the draft itself; only what is not is asked for here."""
        kind = self.__dict__["_passes_for"]
        if name in kind.__struct_fields__:
            raise StillOpen(name)
        raise AttributeError(f"{kind.__name__} has no field {name}")


class Watched(Draft):
    """A draft that can tell which fields were `looked_at` since that was last cleared."""

    def __init__(self, kind: type, known: Mapping[str, Any]) -> None:
        super().__init__(kind, {"_known": known, "looked_at": set()})

    def __getattr__(self, name: str) -> Any:
        mine = self.__dict__
        mine["looked_at"].add(name)
        return mine["_known"][name] if name in mine["_known"] else super().__getattr__(name)


class Limit(Rule, Generic[S, C]):
    """What may not be done. A text is a refusal; a bound or a choice refuses only what lies outside it.

    A limit that holds for a command sets those aside that it `displaces`: one refusal comes, with the nearest clause,
    or none where the nearer clause allows what the general one forbids.
    """

    kind = "limit"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[[S, C], Findings],
        on: tuple[type, ...],
        when: Callable[[S, C], bool] | None = None,
        displaces: tuple[Limit[S, Any], ...] = (),
        covers: tuple[str, ...] = (),
        also: tuple[str, ...] = (),
    ) -> None:
        for other in displaces:
            if not set(on) & set(other.on):
                raise Misplaced(f"{fn.__name__} displaces {other.name}, but no command has both")
        super().__init__(clause, gist, fn, covers, also)
        self.when = when
        self.on: tuple[type, ...] = on
        self.displaces = displaces
        self.several = isgeneratorfunction(fn)
        # Nearer clauses are asked first: one deeper than all that they set aside.
        self.depth: int = 1 + max((other.depth for other in displaces), default=-1)
        for command in on:
            insort(RULES.limits.setdefault(command, []), self, key=lambda it: (-it.depth, *it.place))

    def __call__(self, s: S, cmd: C) -> Finding:
        return self.fn(s, cmd)  # type: ignore[no-any-return]

    def findings(self, s: S, cmd: C) -> Iterable[Finding]:
        return self.fn(s, cmd) if self.several else (self.fn(s, cmd),)

    def holds(self, s: S, cmd: C) -> bool:
        return self.when is None or self.when(s, cmd)

    def looks_at(self, s: S, cmd: C) -> set[str]:
        """The fields of a command that it looks at to judge it."""
        watched: Any = Watched(type(cmd), {name: getattr(cmd, name) for name in cmd.__struct_fields__})  # type: ignore[attr-defined]
        if self.holds(s, watched):
            list(self.findings(s, watched))
        return set(watched.looked_at)

    def judge(self, command: object, finding: Finding) -> Refusal | None:
        """The refusal that `finding` means for this command, if it means one; by its own clause with its twins."""
        if finding is None:
            return None
        told = Refusal("", finding) if isinstance(finding, str) else finding
        clause, also = (told.clause, told.also) if told.clause else (self.clause, self.also)
        if isinstance(told, Refusal):
            return Refusal(clause, told.text, self.name, also)
        asked = getattr(command, told.field)
        if isinstance(told, Choice):
            text = told.text or f"{told.field} must be one of: {', '.join(filter(None, told.among)) or 'nothing'}"
            return None if asked in told.among else Refusal(clause, text, self.name, also)
        outside = self._outside(told, asked)
        return Refusal(clause, str(outside), self.name, also, outside) if outside is not None else None

    def _outside(self, bound: Bound, asked: int) -> Outside | None:
        """By how much a number lies outside its bound, if it does."""
        what = bound.text or self.gist
        if bound.most is not None and asked > bound.most:
            return Outside(what, bound.field, asked, "at most", bound.most)
        if bound.least is not None and asked < bound.least:
            return Outside(what, bound.field, asked, "at least", bound.least)
        return None


def settled_limits(
    s: object, draft: Draft, limits: Iterable[Limit[Any, Any]], put_aside: Iterable[Limit[Any, Any]] = ()
) -> Iterator[Limit[Any, Any]]:
    """The limits among these that hold for a draft whatever its open fields will be.

    One that may yet be set aside, because it is open whether a nearer one holds, has nothing to say so far.
    """
    aside: set[Limit[Any, Any]] = set(put_aside)
    watched = isinstance(draft, Watched)
    for limit in limits:
        if watched:
            draft.looked_at.clear()
        try:
            holds = limit.when is None or limit.when(s, draft)
        except StillOpen:
            aside.update(limit.displaces)
            continue
        if holds and limit not in aside:
            if limit.displaces:
                aside.update(limit.displaces)
            yield limit


class Opening(Rule, Generic[S, C]):
    """Which values of a field are open before it is filled. It narrows offers; whole commands are judged by limits."""

    kind = "opening"

    def __init__(self, clause: str, gist: str, fn: Callable[[S, C], Choice], on: type[C]) -> None:
        super().__init__(clause, gist, fn)
        insort(RULES.openings.setdefault(on, []), self, key=by_place)

    def __call__(self, s: S, cmd: C) -> Choice:
        return self.fn(s, cmd)  # type: ignore[no-any-return]
