"""Errors that a person reads: each says what was wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class WarCabinetError(Exception):
    """Something a user can put right. The message is meant for people; nothing was changed."""


class DataError(WarCabinetError):
    """A file that does not say what it should, with its name and line."""


class UnknownName(WarCabinetError):
    """A name that nothing bears, with the nearest names that something does."""


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
    names = list(filter(None, known))
    close = nearest(str(name), names)
    if close:
        hint = "did you mean " + " or ".join(close) + "?"
    elif len(names) <= 24:
        hint = "known: " + ", ".join(sorted(names))
    else:
        hint = f"{len(names)} are known, none looks like it"
    return UnknownName(f"unknown {kind} '{name}'; {hint}")
