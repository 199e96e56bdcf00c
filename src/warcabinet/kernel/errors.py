"""Errors that a person reads: each says what was wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable


class WarCabinetError(Exception):
    """Something a user can put right. The message is meant for people; nothing was changed."""


class DataError(WarCabinetError):
    """A file that does not say what it should, with its name and line."""


class UnknownName(WarCabinetError):
    """A name that nothing bears. Which known names are near is worked out when the error is read: few are."""

    def __init__(self, told: str, hint: Callable[[], str] | None = None) -> None:
        super().__init__(told)
        self._hint = hint

    def __str__(self) -> str:
        if self._hint is not None:
            self.args, self._hint = (f"{self.args[0]}; {self._hint()}",), None
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str]]:
        return type(self), (str(self),)


#: Of many errors that are told together, so many say which names are near.
FEW = 5


def one_of_several(error: WarCabinetError, before: int) -> str:
    """The text of an error that is told after some others: only the first few say which names are near."""
    return str(error.args[0]) if before >= FEW and isinstance(error, UnknownName) else str(error)


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that look most like `name`, best first."""
    by_fold = {k.casefold(): k for k in known}
    plain = name.casefold()
    hits = difflib.get_close_matches(plain, by_fold, n=most, cutoff=0.6)
    # A part of a longer name looks like nothing to the eye of difflib: Vichy for Vichy France.
    parts = [fold for fold in by_fold if len(plain) > 2 and plain in fold]
    return [by_fold[hit] for hit in (hits or parts)[:most]]


def unknown(kind: str, name: object, known: Iterable[str]) -> UnknownName:
    """Say that no `kind` is called `name`, and which names come close (or, of a few, all)."""
    names = known if isinstance(known, Collection) else list(known)
    return UnknownName(f"unknown {kind} '{name}'", lambda: hint_among(str(name), names))


def hint_among(name: str, names: Collection[str]) -> str:
    """Which of the known names come close to one that is not known, or, of a few, all."""
    names = [it for it in names if it]
    close = nearest(name, names)
    if close:
        return did_you_mean(close)
    if len(names) <= 24:
        return "known: " + ", ".join(sorted(names))
    return f"{len(names)} are known, none looks like it"


def did_you_mean(names: Iterable[str]) -> str:
    return f"did you mean {' or '.join(names)}?"
