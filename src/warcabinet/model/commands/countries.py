"""Orders and reports about single countries: mining, reaction die rolls, partisans, supply of harbours (86 - 89)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from warcabinet.model.commands.base import Command, CountryName, PlaceName, PowerName


class MineWaters(Command, frozen=True, tag="mine_waters"):
    """Mine Norwegian waters against the ships that carry Swedish iron ore to Germany; it cannot be taken back."""

    power: PowerName


class ReactionRoll(Command, frozen=True, tag="reaction_roll"):
    """Make the reaction die roll that an enemy's act gave for a country; its result is looked up and reported."""

    power: PowerName
    country: CountryName


class BuildPartisan(Command, frozen=True, tag="build_partisan"):
    """Build a partisan where a chapter allows it: in Ireland, in India, or where Moslem Unrest brought a force pool."""

    at: PlaceName
    power: PowerName = "germany"
    partisans: Annotated[
        Literal["", "irish", "wafdist", "arab", "persian", "indian"],
        Meta(description="which ones; empty: those of the place"),
    ] = ""


class ReportFullSupply(Command, frozen=True, tag="report_full_supply"):
    """Whether a power fully supplies a place, where sea lines or other chapters say otherwise than the land lines."""

    power: PowerName
    place: PlaceName
    supplied: bool
