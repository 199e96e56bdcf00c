"""What the game knows of a state and a command before it is judged: options, step, and fields with few values."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

import msgspec

from warcabinet.kernel.kept import kept
from warcabinet.kernel.selection import Unseen
from warcabinet.model.commands import fields
from warcabinet.model.state import Options, State

#: Kinds of fields that have few values, which come again and again.
NAMES = ("power", "country", "area", "track", "belligerent", "nation", "unit", "choice", "yes or no", "number")


class Sketch:
    """A state of which only the options are shown."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def __getattr__(self, name: str) -> Any:
        raise Unseen(name)


class StepSketch(Sketch):
    """A state of which the options and the step are shown, and that no operation is open where none is."""

    def __init__(self, state: State) -> None:
        super().__init__(state.options)
        self.step = state.step
        if not state.operations:
            self.operations, self.waiting = state.operations, None

    place = State.place
    player = State.player


class GameOutline:
    """By what limits are left out before a command is judged."""

    def game(self, state: State) -> Hashable:
        return _written(state.options)

    def phase(self, state: State) -> Hashable:
        return state.step, not state.operations

    def sketch(self, state: State, with_phase: bool) -> Sketch:
        return StepSketch(state) if with_phase else Sketch(state.options)

    def fields(self, kind: type) -> tuple[str, ...]:
        return _named(kind)


@kept
def _written(options: Options) -> bytes:
    return msgspec.json.encode(options)


@cache
def _named(kind: Any) -> tuple[str, ...]:
    return tuple(it.attribute for it in fields(kind) if not it.many and it.kind.removesuffix(" or none") in NAMES)
