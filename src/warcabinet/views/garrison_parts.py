"""What the view of both garrisons consists of."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from warcabinet.game.engine import GameRecord
from warcabinet.model import keys

When = Literal["done", "now", "ahead", "end"]


class Unit(msgspec.Struct, frozen=True):
    """Counters of a kind at a place: how many count, what each is worth, how many may leave and why not more."""

    unit: str
    place: str
    place_name: str
    count: int
    counted: int
    each: int
    brp: int
    why_not: str
    may_leave: int
    held: str
    clause: str
    if_left: str
    #: The counters as they lie, those of the air together: how many, and what they are worth.
    worth: tuple[tuple[int, int], ...]


class Gone(msgspec.Struct, frozen=True):
    """A counter that left while its type is short."""

    unit: keys.Unit
    factors: int
    text: str


class TypeRow(msgspec.Struct, frozen=True):
    """A type of unit: factors present and needed, what they are worth, counter by counter."""

    type: str
    factors: int
    needed: int
    full: int
    brp: int
    clause: str
    units: tuple[Unit, ...]
    told: str
    #: What left last, as much as is missing, and how that is told.
    gone: tuple[Gone, ...] = ()
    lately: str = ""


class Mark(msgspec.Struct, frozen=True):
    """A value that matters on the bar of a garrison."""

    at: int
    text: str
    clause: str


class GarrisonLine(msgspec.Struct, frozen=True):
    """What may be done, or not, by which clause."""

    clause: str
    text: str
    state: Literal["may", "no", "fact"]


class Departure(msgspec.Struct, frozen=True):
    """Units that left a garrison: when, and by which move of the log."""

    garrison: str
    move: int
    when: str
    text: str
    unit: keys.Unit
    type: str
    count: int


class GarrisonSide(msgspec.Struct, frozen=True):
    garrison: str
    title: str
    power: str
    where: str
    value: int
    full: int
    marks: tuple[Mark, ...]
    rows: tuple[TypeRow, ...]
    lines: tuple[GarrisonLine, ...]
    departures: tuple[Departure, ...]


class Moment(msgspec.Struct, frozen=True):
    """A point on the way of a transfer."""

    when: str
    step: str
    text: str
    state: When


class Transfer(msgspec.Struct, frozen=True):
    """Units that will be free to leave Siberia: what starts it, when it ends, what would avert it."""

    text: str
    clause: str
    ends: str
    moments: tuple[Moment, ...]
    averted_by: str


class Condition(msgspec.Struct, frozen=True):
    text: str
    detail: str
    met: bool
    clause: str


class Declaration(msgspec.Struct, frozen=True):
    """A declaration of war of one on the other: its cost, what it needs, when it can next be made."""

    power: str
    on: str
    cost: int
    clause: str
    open: bool
    conditions: tuple[Condition, ...]
    next_chance: str


class Urals(msgspec.Struct, frozen=True):
    """The box between the two boards: who stands in it and beside it, and what that costs Russia."""

    inside: int
    beside: int
    fighting: int
    loss: int
    reduction: int
    limit: int
    basing: str


class GarrisonPage(msgspec.Struct, frozen=True):
    known: bool
    standing: str
    counted: str
    clause: str
    manchuria: GarrisonSide
    siberia: GarrisonSide
    transfers: tuple[Transfer, ...]
    declarations: tuple[Declaration, ...]
    urals: Urals


class Told(Protocol):
    """A move of the log, as far as this view looks at it."""

    @property
    def id(self) -> int: ...

    @property
    def moment(self) -> int: ...

    @property
    def records(self) -> tuple[GameRecord, ...]: ...
