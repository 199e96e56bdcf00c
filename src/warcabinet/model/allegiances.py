"""A country's choice of where it stands, while the game waits for it (79.11)."""

from __future__ import annotations

import msgspec


class Allegiance(msgspec.Struct, frozen=True, tag="allegiance"):
    """A country that says once and for all whether it joins a power or stays by itself."""

    country: str
    power: str

    @property
    def stage(self) -> str:
        return "undecided"
