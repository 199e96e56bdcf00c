"""What every command has in common: its seat, and the kinds of names that its fields may hold."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from warcabinet.model.keys import Place, Unit


def kind_of(kind: str, text: str) -> Meta:
    """Mark a field as holding the name of something; forms, checks and documents are made from the mark."""
    return Meta(description=text, extra={"kind": kind})


PowerName = Annotated[str, kind_of("power", "a major power")]
AreaName = Annotated[str, kind_of("area", "a country, colony, key economic area, industrial center or major power")]
CountryName = Annotated[str, kind_of("country", "a minor country or colony")]
PlaceName = Annotated[Place, kind_of("place", "a hex, city or box")]
#: A place, or "" for none.
OptionalPlace = Annotated[Place, kind_of("place or none", "a hex, city or box")]
UnitName = Annotated[Unit, kind_of("unit", "a unit type with its strength, such as 'infantry 1-3' or 'army air'")]
TrackName = Annotated[str, kind_of("track", "a tension or resistance track")]
Brp = Annotated[int, Meta(ge=0, description="Basic Resource Points", extra={"kind": "brp"})]
SignedBrp = Annotated[int, Meta(description="Basic Resource Points, negative for a loss", extra={"kind": "brp"})]
FigureValue = int | str | bool | None | list[Any] | dict[str, Any]
Text = Annotated[str, Meta(description="a few words for the log")]
RuleName = Annotated[
    str, Meta(description="which rule outside these documents allows it, such as a pact or a border war")
]
BeyondList = Annotated[bool, Meta(description="whether counters are meant that the list of the power does not have")]
Unsupplied = Annotated[bool, Meta(description="whether they were eliminated for lack of supply")]


Stack = Annotated[str, kind_of("stack", "units where they stand, such as '2 destroyer at Scapa Flow'")]

_REGISTERED: list[type[Command]] = []


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """What every command carries: the seat that gives it (empty: the whole table), the last event it had seen, and by
    what it was given if not by hand.

    A command is registered by being written: its name is its tag, its text the first line of its docstring.
    """

    referee_only: ClassVar[bool] = False
    # A reply is given only while an operation under way asks for it, whoever's turn it is.
    reply: ClassVar[bool] = False
    # The command of today for which this is an old name with the same fields: read and taken, offered nowhere.
    now_called: ClassVar[str] = ""
    # Other names that its fields may be given by.
    other_names: ClassVar[dict[str, str]] = {}

    seat: str = ""
    seq_seen: int | None = None
    # Who acted and by what, where no one hand gave the order: a steward, a standing order, all who closed a phase.
    minded: str = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _REGISTERED.append(cls)


def registered() -> tuple[type[Command], ...]:
    """Every command that has been written so far, module by module in the order of its text."""
    return tuple(_REGISTERED)
