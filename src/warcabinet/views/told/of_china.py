"""What chapters 78 to 80 say of both Chinas as things stand, for their pages and China's map."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.names import places_at
from warcabinet.model.names import called
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.rules.china.communist import (
    building_deferred,
    conforms_with,
    free_factors,
    partisan_rate,
    stays_independent,
)
from warcabinet.rules.china.nationalist import ARRIVALS, tigers_added, tigers_to_lend
from warcabinet.rules.china.restrictions import (
    air_reach,
    airbase_reach,
    ground_reach,
    tiger_bases,
    tiger_reach,
    tigers_lent,
)
from warcabinet.rules.china.supply_in_china import OWNERS, may_draw_on, sources_of
from warcabinet.rules.china.territory import (
    COMMUNISTS,
    NATIONALISTS,
    WEST,
    chinese_resistance,
    communist_sources,
    construction_rate,
    cooperation_restricted,
    objectives,
    objectives_lost,
    restrictions_eased,
)
from warcabinet.rules.common.pieces import faction
from warcabinet.views.told.telling import Told, tells_of


def _sources(s: State, nation: str) -> str:
    open_to = [it for it in OWNERS if may_draw_on(s, nation, it) and sources_of(s, it)]
    return ", ".join(called(it) if it != WEST else "the Western Allies" for it in open_to)


@tells_of(NATIONALISTS, COMMUNISTS)
def resistance_now(s: State) -> Iterator[Told]:
    when = "the next level is found as the Allied player turn ends"
    yield Told("78.31", f"resistance is {chinese_resistance(s):+} this turn; {when}")
    told = "do not cooperate" if cooperation_restricted(s) else "may cooperate and attack together"
    yield Told("79.81", f"Nationalists and Communists {told}: a United Front and +2 or more are needed")


@tells_of(NATIONALISTS)
def nationalists_now(s: State) -> Iterator[Told]:
    if faction(s, NATIONALISTS) != WEST:
        yield Told("78.51", "joins the Western Allies in the Allied player turn after war between Japan and the U.S.")
    else:
        yield Told("78.53", "the Western Allies may use its hexes as bases where their own sources supply them")
    lost = [
        f"{called(area)} ({called(holder(s, key))})"
        for area, key in objectives().items()
        if holder(s, key) != NATIONALISTS
    ]
    yield Told("78.41", f"{objectives_lost(s)} objectives cost it five BRPs each: {', '.join(lost) or 'none'}")
    yield Told("80.31A", f"ground units may go: {ground_reach(s)}")
    yield Told("80.31B", f"army air may base and operate: {air_reach(s)}")
    yield Told("80.31C", f"airbases may be placed: {airbase_reach(s)}")
    yield Told("80.21", "its units take no part in ground attacks at less than 1:1")
    modifier = -1 if chinese_resistance(s) <= 0 else 0
    yield Told("80.41", f"the defense modifier of its ground units outside China is {modifier:+}")
    yield Told("78.93", f"supply sources open to it: {_sources(s, NATIONALISTS) or 'none'}")


@tells_of(NATIONALISTS)
def tigers_now(s: State) -> Iterator[Told]:
    added, usjt = tigers_added(s), s.tracks.get("usjt", 0)
    coming = f"; the next at USJT {ARRIVALS[added]}, now {usjt}" if added < len(ARRIVALS) else ""
    yield Told("78.61", f"Flying Tigers in play: {added}{coming}")
    yield Told("78.61A", f"they may base: {tiger_bases(s)}; operate: {tiger_reach(s)}")
    if tigers_to_lend(s) or tigers_lent(s):
        yield Told("78.63", f"{tigers_lent(s)} are lent to the U.S., {tigers_to_lend(s)} might be")


@tells_of(COMMUNISTS)
def communists_now(s: State) -> Iterator[Told]:
    if s.countries[COMMUNISTS].status == "allied":
        yield Told("79.11", "a Russian minor ally: Russia pays for its offensive operations")
    elif stays_independent(s):
        yield Told("79.11", "stays independent by its own choice, whatever Russia does")
    else:
        may = "it may then choose to stay independent" if restrictions_eased(s) else "it has no choice as things stand"
        yield Told("79.11", f"war between Russia and Japan makes it a Russian minor ally; {may}")
    partner = conforms_with(s)
    must = f"its choice of offensive or attrition must conform with {called(partner)}'s"
    yield Told("79.31", must if partner else "it chooses by itself between offensive, attrition and pass")
    yield Told("80.32", "its ground units neither leave China nor attack outside it; less than 1:1 is not allowed")
    yield Told("79.71", "it is never conquered and never surrenders")


@tells_of(COMMUNISTS)
def building_now(s: State) -> Iterator[Told]:
    rate, free = construction_rate(s), free_factors(s)
    paid = f", Russia pays for {rate - free} of them" if free < rate else ", free of charge"
    deferred = "; a 2-2 this turn, building having been deferred" if building_deferred(s) else ""
    yield Told("79.41", f"builds {rate} infantry factors a turn{paid}{deferred}")
    yield Told("79.42", f"builds {partisan_rate(s)} partisan a turn in hexes of China that Japan controls")
    own = ", ".join(place.name for key in communist_sources(s) for place in places_at(key)) or "none"
    yield Told("79.61", f"own supply sources: {own}; open to it: {_sources(s, COMMUNISTS) or 'none'}")
