"""Thailand: closed until it joins Japan, open and supplied in that very turn; its infantry (89.5)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.events import ControlChanged
from warcabinet.model.places import holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.alliances import attackers_of, war_between
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.countries.full_supply import supplied_as_reported
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, effect, value
from warcabinet.rules.minors.building import free_infantry_factors, supplied_hex
from warcabinet.rules.minors.forces_of_minors import force_level
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.pacific import FREE, indochina_occupied, thailand_will_follow, thais_may_join


@effect(
    "89.51A",
    on=ControlChanged,
    when=lambda s, changed: not set(changed.places).isdisjoint(home_hexes("french_indochina")),
)
def thailand_watches_indochina(p: Proceedings, changed: ControlChanged) -> None:
    """Whoever takes the last of French Indochina in the war with Britain has Thailand in the next turn."""
    p.run(thailand_will_follow)


def _joined_now(s: State) -> bool:
    """Whether Thailand joined Japan in the Japanese player turn under way."""
    standing = s.countries["thailand"]
    return standing.status in BOUND and standing.by == "japan" and standing.since == s.turn and s.player == "axis"


@definition(
    "89.51B",
    displaces=(supplied_hex, supplied_as_reported),
    when=lambda s, nation, country, place: (
        nation in ("japan", "thailand") and land(place)[0] == "thailand" and _joined_now(s)
    ),
)
def thailand_supplied(s: State, nation: str, country: str, place: str) -> bool:
    """In the turn in which Thailand joins, its hexes are deemed fully supplied by Japan."""
    return True


@value("89.51C", displaces=force_level, when=lambda s, nation, unit: nation == "thailand")
def thai_forces(s: State, nation: str, unit: str) -> int:
    """Two 1-2 infantry units stand in Thailand from the start."""
    return force_level.general(s, nation, unit)


@value("89.51C", displaces=free_infantry_factors, when=lambda s, nation: nation == "thailand")
def thai_rebuilding(s: State, nation: str) -> int:
    """One 1-2 Thai infantry unit is rebuilt a turn, free, until the Allies conquer Thailand."""
    return 0 if s.countries["thailand"].status == "conquered" else 1


@tells_of("thailand")
def thai_page(s: State) -> Iterator[Told]:
    standing = s.countries["thailand"]
    if standing.status in FREE:
        yield from _before_it_joins(s)
    elif standing.status in BOUND:
        yield Told("89.51C", "its units go one hex beyond its border, and do not attack Western Allied units")


def _when_it_joins(s: State) -> str:
    if thais_may_join(s):
        return "Japan is at war with Britain: it joins Japan in the turn after all of French Indochina is Japan's"
    if war_between(s, "britain", "japan"):
        return "it stays neutral unless it is attacked"
    return "joins Japan when war with Britain breaks out"


def _before_it_joins(s: State) -> Iterator[Told]:
    attackers = attackers_of(s, "thailand")
    if any(faction(s, it) == faction(s, "japan") for it in attackers):
        yield Told("89.51A", "attacked by Japan: it does not join it")
        yield Told("89.51B", "closed to both sides, except to who is at war with it")
        return
    held = "all of" if indochina_occupied(s) else "not all of"
    yield Told("89.51A", f"{_when_it_joins(s)}; Japan holds {held} French Indochina")
    yield Told("89.51B", "closed to both sides until then, except to who declares war on it")


@tells_of("french_indochina")
def indochinese_page(s: State) -> Iterator[Told]:
    """What it matters for Thailand who holds it."""
    hexes = home_hexes("french_indochina")
    held = sum(holder(s, key) == "japan" for key in hexes)
    yield Told("89.31", "a French colony, which falls with Saigon")
    yield Told(
        "89.51A", f"Japan holds {held} of its {len(hexes)} hexes; all of them bring it Thailand in a war with Britain"
    )
