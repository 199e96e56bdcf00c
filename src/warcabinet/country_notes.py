"""What a country's own chapter says of it as things stand, line by line, each with its clause: for its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from warcabinet.model.names import called, powers
from warcabinet.model.state import State
from warcabinet.rules.common.diplomacy import diplomatic_modifier
from warcabinet.rules.countries.denmark import kattegat_open
from warcabinet.rules.countries.ireland import atlantic_submarine_modifier, irish_partisan_count, partisans_at_ulster
from warcabinet.rules.countries.iron_ore import iron_ore_loss
from warcabinet.rules.countries.norway import (
    controlled_reaction_modifier,
    germany_controls_norway,
    norway_consents,
    waters_mined,
)
from warcabinet.rules.countries.portugal import HARBOURS, iberian_harbour
from warcabinet.rules.countries.spain import supply_source
from warcabinet.rules.minors.association import border_war_escalated
from warcabinet.rules.minors.partisans import most_partisans


class Note(msgspec.Struct, frozen=True):
    """A line on a country's page."""

    clause: str
    text: str


def notes_on(s: State, country: str) -> tuple[Note, ...]:
    return tuple(note for tell in NOTES.get(country, ()) for note in tell(s))


def _kattegat(s: State) -> Iterator[Note]:
    shut = [called(it) for it in powers() if not kattegat_open(s, it)]
    names = f"shut to {', '.join(shut)}" if shut else "open to everyone"
    yield Note("86.13", f"the Kattegat is {names}: whoever holds Copenhagen or H33 shuts it to his enemies")


def _denmark(s: State) -> Iterator[Note]:
    if s.countries["denmark"].status in ("neutral", "penetrated", "controlled"):
        yield Note("86.122", "attacked by Germany it does not resist: its hexes are German and supplied at once")
        yield Note("86.121", "one declaration of war, for 10 BRPs, may be for it and Norway together")


def _finland(s: State) -> Iterator[Note]:
    yield Note("86.22", "Germany may name it as a diplomatic target in any turn of the year, with or without DPs there")
    yield Note("86.25", "its units defend outside their own country without the -1 DM")


def _norway(s: State) -> Iterator[Note]:
    heavy_water = f"German die rolls for controlled reaction research: {controlled_reaction_modifier(s):+}"
    yield Note("86.37", f"{heavy_water}; -2 while the Allies control Oslo or a result of 1-2 or less is in effect")
    yield Note("86.38", "one declaration of war, for 10 BRPs, may be for it and Denmark together")
    if waters_mined(s):
        yield Note("86.36", "its waters are mined, until Germany gains control of it")
    elif not germany_controls_norway(s):
        consent = "with its consent" if norway_consents(s) else "without its consent"
        yield Note("86.33", f"the Western Allies may mine its waters in fall and winter, now {consent}")
    if diplomatic_modifier(s, "norway"):
        yield Note("86.35B", f"diplomatic die rolls for it: {diplomatic_modifier(s, 'norway'):+}")


def _iron_ore(s: State) -> Iterator[Note]:
    loss = iron_ore_loss(s)
    cut = f"is interrupted this turn: the German construction limit is {loss} BRPs lower"
    yield Note("86.421", f"Swedish iron ore {cut if loss else 'reaches Germany'}")


def _sweden(s: State) -> Iterator[Note]:
    may = "its infantry may fight in Finland"
    yield Note("86.43", may if border_war_escalated(s, "finland") else f"should the border war there escalate, {may}")
    yield Note("86.44", "its units defend outside their own country without the -1 DM")


def _one_and_two(s: State) -> Iterator[Note]:
    yield Note("87.13A", "one declaration of war, for 10 BRPs, may be for Belgium and Luxembourg, or for one of them")
    yield Note("87.13B", "diplomatic results are for both")
    yield Note("87.13C", "foreign factors in both count together against the limit")


def _ireland(s: State) -> Iterator[Note]:
    most, there = most_partisans(s, "ireland", "axis"), irish_partisan_count(s)
    yield Note("87.21", "Ulster is part of Britain")
    yield Note("87.22", "neither side enters without a declaration of war, for 10 BRPs")
    yield Note("87.23", f"Germany may have {most} partisans here, {there} are on the board; one may be built in a turn")
    yield Note("87.23", f"{partisans_at_ulster(s)} of them in or beside Ulster cost Britain a BRP each, every turn")
    yield Note("87.24", f"Axis dice roll for Atlantic submarine warfare: {atlantic_submarine_modifier(s):+}")


def _harbours(s: State) -> Iterator[Note]:
    has = "Germany has" if iberian_harbour(s) else "Germany does not have"
    names = f"{', '.join(HARBOURS[:-1])} or {HARBOURS[-1]}"
    yield Note(
        "87.42", f"{has} its modifier for Atlantic submarine warfare: {names}, Axis and fully supplied, gives it"
    )


def _portugal(s: State) -> Iterator[Note]:
    yield Note("87.43", "attacked by the Western Allies while Spain is neutral, it brings Spain to Germany")


def _spain(s: State) -> Iterator[Note]:
    yield Note("87.51", "conquered only with both Madrid and Tangier; for all else Madrid is its one capital")
    yield Note("87.51", f"Tangier is a {supply_source(s, 'Tangier')} supply source")


NOTES: dict[str, tuple[Callable[[State], Iterator[Note]], ...]] = {
    "denmark": (_denmark, _kattegat),
    "finland": (_finland,),
    "norway": (_norway, _iron_ore, _kattegat),
    "sweden": (_sweden, _iron_ore, _kattegat),
    "belgium": (_one_and_two,),
    "luxembourg": (_one_and_two,),
    "ireland": (_ireland,),
    "portugal": (_portugal, _harbours),
    "spain": (_spain, _harbours),
}
