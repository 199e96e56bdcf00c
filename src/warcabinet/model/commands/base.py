"""What every command has in common: its seat, and the kinds of names that its fields may hold."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta


def kind_of(kind: str, text: str) -> Meta:
    """Mark a field as holding the name of something; forms, checks and documents are made from the mark."""
    return Meta(description=text, extra={"kind": kind})


PowerName = Annotated[str, kind_of("power", "a major power")]
AreaName = Annotated[str, kind_of("area", "a country, colony, key economic area, industrial center or major power")]
CountryName = Annotated[str, kind_of("country", "a minor country or colony")]
PlaceName = Annotated[str, kind_of("place", "a hex, city or box")]
TrackName = Annotated[str, kind_of("track", "a tension or resistance track")]
Brp = Annotated[int, Meta(ge=0, description="Basic Resource Points", extra={"kind": "brp"})]
SignedBrp = Annotated[int, Meta(description="Basic Resource Points, negative for a loss", extra={"kind": "brp"})]
FigureValue = int | str | bool | None | list[Any] | dict[str, Any]
Text = Annotated[str, Meta(description="a few words for the log")]


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """What every command carries: the seat that gives it (empty: the whole table) and the last event it had seen."""

    seat: str = ""
    seq_seen: int | None = None
