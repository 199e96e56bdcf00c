"""Events: the primitive facts of which a game's log consists. No event is peculiar to a clause.

A few change nothing themselves (`Reported`, `AreaTaken`, `DiceRolled`): other rules react to them.
"""

from __future__ import annotations

import msgspec

from warcabinet.kernel.rules import Determination
from warcabinet.model.agenda import Matter, Outcome, Promise
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import Entry
from warcabinet.model.names import StatusName
from warcabinet.model.pieces import Where
from warcabinet.model.state import Happening, OpenOperation, Options


class Fact(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="event", tag=lambda name: name):
    """A primitive fact: every event is one."""


class GameStarted(Fact, frozen=True):
    """A game begins: scenario, options, and the turn and step at which it stands."""

    scenario: str
    options: Options
    turn: int
    step: int


class EntryPosted(Fact, frozen=True):
    entry: Entry


class UnitsMoved(Fact, frozen=True):
    """Units went from somewhere to somewhere: on the boards, into or out of a force pool, into or out of the game."""

    nation: str
    unit: Unit
    count: int
    origin: Where
    to: Where
    memo: str = ""


class ControlChanged(Fact, frozen=True):
    """Places came under the control of a power (or, with an empty name, of nobody).

    `backdated` control is deemed to have begun with the player turn under way.
    """

    places: tuple[str, ...]
    by: str
    backdated: bool = False


class AreaTaken(Fact, frozen=True):
    """A trigger: an area with economic value passed from one holder to another."""

    area: str
    was: str
    by: str


class StatusChanged(Fact, frozen=True):
    country: str
    status: StatusName
    by: str = ""
    clause: str = ""
    reason: str = ""


class WarBegan(Fact, frozen=True):
    between: tuple[str, str]
    declared_by: str = ""
    since: int | None = None


class WarEnded(Fact, frozen=True):
    """A war is over; with `never` it is struck out as if it had not been."""

    between: tuple[str, str]
    never: bool = False


class PowerChanged(Fact, frozen=True):
    """A power joined another alliance faction, or surrendered."""

    power: str
    faction: str = ""
    surrendered: bool | None = None


class TrackMoved(Fact, frozen=True):
    """A track stands at a level; where it is reported to have sunk, `was` is the level that it sank from."""

    track: str
    to: int
    was: int = 0


class ResultInForce(Fact, frozen=True):
    """The diplomatic result that holds for a country (none: no result holds)."""

    country: str
    result: str


class TransportsCounted(Fact, frozen=True):
    ocean: str
    count: int


class Happened(Fact, frozen=True):
    happening: Happening


class Promised(Fact, frozen=True):
    promise: Promise[Matter]


class Closed(Fact, frozen=True):
    id: int
    outcome: Outcome
    reason: str = ""


class OperationOpened(Fact, frozen=True):
    """An operation is under way and waits for a reply."""

    operation: OpenOperation


class OperationMoved(Fact, frozen=True):
    """An operation has gone on: it stands as it is given here, and waits for another reply."""

    operation: OpenOperation


class OperationClosed(Fact, frozen=True):
    """An operation is over: nobody waits for it any more."""

    id: str
    outcome: str


class StepEntered(Fact, frozen=True):
    turn: int
    step: int


class YearOpened(Fact, frozen=True):
    """The old year's happenings are forgotten; figures fixed for that year lapse."""

    year: int


class Determined(Fact, frozen=True):
    """A figure was fixed: by a step of the sequence, or by the referee (then `by` says so)."""

    rule: str
    args: tuple[str, ...]
    fixed: Determination


class Released(Fact, frozen=True):
    """A figure that had been fixed is computed again."""

    rule: str
    args: tuple[str, ...]


class ReadingChosen(Fact, frozen=True):
    ruling: str
    reading: str


class OptionsChanged(Fact, frozen=True):
    options: Options


class DiceRolled(Fact, frozen=True):
    purpose: str
    face: int


class Reported(Fact, frozen=True):
    """A trigger: someone reported an outcome from outside the documents."""

    what: str
    text: str


class Corrected(Fact, frozen=True):
    """The referee set a figure, with the reason; `marks` are the figures that carry the mark until they change."""

    figure: str
    to: str
    reason: str
    marks: tuple[str, ...] = ()


class DiceSeeded(Fact, frozen=True):
    """A trigger: the seed that the game's dice come from."""

    seed: int


class AutoStep(Fact, frozen=True):
    """A trigger: a step was taken automatically, and why."""

    step: str
    reason: str


Event = (
    GameStarted
    | EntryPosted
    | UnitsMoved
    | ControlChanged
    | AreaTaken
    | StatusChanged
    | WarBegan
    | WarEnded
    | PowerChanged
    | TrackMoved
    | ResultInForce
    | TransportsCounted
    | Happened
    | Promised
    | Closed
    | OperationOpened
    | OperationMoved
    | OperationClosed
    | StepEntered
    | YearOpened
    | Determined
    | Released
    | ReadingChosen
    | OptionsChanged
    | DiceRolled
    | Reported
    | Corrected
    | AutoStep
    | DiceSeeded
)
