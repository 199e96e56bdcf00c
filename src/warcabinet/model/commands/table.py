"""What the table itself is told: go on, roll, rule, correct, choose a reading."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from warcabinet.kernel.why import Answer
from warcabinet.model.commands.base import Command, FigureValue, Text, kind_of


class Advance(Command, frozen=True, tag="advance"):
    """Go on to the next step of the sequence of play."""


class Roll(Command, frozen=True, tag="roll"):
    """Roll one die for something at the table; the face goes into the log."""

    purpose: Text


class RefereeRules(Command, frozen=True, tag="rule"):
    """The referee fixes the result of a value or definition, with a reason; every explanation shows it."""

    referee_only: ClassVar[bool] = True

    rule: Annotated[str, kind_of("rule", "a value or definition by name")]
    is_: Annotated[Answer, Meta(description="the result that shall hold")] = msgspec.field(name="is")
    reason: Annotated[str, Meta(min_length=1, description="why")]
    args: Annotated[tuple[str, ...], Meta(description="for whom or what, in the rule's order")] = ()


class Release(Command, frozen=True, tag="release"):
    """The referee lifts an earlier ruling; the figure is computed again."""

    referee_only: ClassVar[bool] = True

    rule: Annotated[str, kind_of("rule", "a value or definition by name")]
    args: tuple[str, ...] = ()


class Correct(Command, frozen=True, tag="correct"):
    """The referee sets a figure of the state to what it should be, with a reason."""

    referee_only: ClassVar[bool] = True

    figure: Annotated[str, kind_of("figure", "a path such as powers.germany.brp")]
    to: Annotated[FigureValue, Meta(description="the value that is right")]
    reason: Annotated[str, Meta(min_length=1, description="why")]


class ChooseReading(Command, frozen=True, tag="choose_reading"):
    """Choose a reading of a numbered ruling for this game."""

    ruling: Annotated[str, kind_of("ruling", "a ruling such as R-0002")]
    reading: str
    reason: Text = ""
