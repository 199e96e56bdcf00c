"""What a figure is: a row with its path, text and example, how it is read, and how it is set.

A `<word>` in a path is a blank that a name fills: `powers.<power>.brp` stands for the level of every power.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from warcabinet.figures.blanks import BLANKS
from warcabinet.model.events import Event


class Unfit(Exception):
    """A row of the table that cannot stand: nobody could say what it is, or read it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One kind of figure.

    `read` takes the state and the names that fill the blanks; `write` takes what it shall be besides and returns the
    facts that make it so. Where nothing can be set, `write` says why not. `rule` names the value that reckons the
    figure and is asked with its names, so that an explanation goes on. A figure that is `whole` is itself a mapping;
    a mapping anywhere else is several figures at once. One that `adds` leaves what is there, whatever is set.
    """

    path: str
    text: str
    example: str
    read: Callable[..., Any]
    write: Callable[..., list[Event]] | str
    rule: str = ""
    whole: bool = False
    adds: bool = False

    def __post_init__(self) -> None:
        if not (self.text and self.example and self.write):
            raise Unfit(f"{self.path}: say what it is, give an example, and how it is set or why it cannot be")
        if not self.example.startswith(self.head):
            raise Unfit(f"{self.path}: the example is of another figure")
        for blank in blanks_in(self.path):
            if blank not in BLANKS:
                raise Unfit(f"{self.path}: nothing is known of <{blank}>")
        _takes(self, self.read, 1)
        if not isinstance(self.write, str):
            _takes(self, self.write, 2)

    @property
    def head(self) -> str:
        return self.path.partition(".")[0]

    @property
    def settable(self) -> bool:
        return not isinstance(self.write, str)


def _takes(figure: Figure, function: Callable[..., Any], more: int) -> None:
    """Whether a function takes what its row will give it: the state, a name for each blank, what it shall be."""
    wanted = len(blanks_in(figure.path)) + more
    if function.__code__.co_argcount != wanted:
        raise Unfit(f"{figure.path}: {function.__qualname__} does not take {wanted} arguments")


@cache
def blanks_in(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"<(\w+)>", text))


@cache
def shape(path: str) -> re.Pattern[str]:
    """What a path must look like to be of this kind; only places may have dots in their names."""
    parts = (
        f"({'.+' if BLANKS[part[1:-1]].dotted else '[^.]*'})" if part.startswith("<") else re.escape(part)
        for part in path.split(".")
    )
    return re.compile(r"\.".join(parts))


@cache
def beginnings(path: str) -> tuple[re.Pattern[str], ...]:
    """What a path must look like to have all of this kind under it: `powers`, `powers.<power>`."""
    parts = path.split(".")
    return tuple(shape(".".join(parts[:length])) for length in range(1, len(parts)))


def filled(text: str, path: str, names: Iterable[str]) -> str:
    """A text with the names of a figure in its blanks."""
    for blank, name in zip(blanks_in(path), names, strict=True):
        text = text.replace(f"<{blank}>", name)
    return text
