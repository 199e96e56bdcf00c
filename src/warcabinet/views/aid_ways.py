"""The ways by which one power may grant to another: each as an order whose amount is open, judged by its limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from warcabinet.board.maps import by_key
from warcabinet.board.names import with_role
from warcabinet.game.offers import Offer, narrow
from warcabinet.house.form import untimely
from warcabinet.kernel.limits import Draft
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.commands import command_types
from warcabinet.model.names import powers
from warcabinet.model.places import place_called
from warcabinet.model.state import Annals, State
from warcabinet.rules.aid.china import air_transport_at, hump_base
from warcabinet.rules.aid.convoys import (
    atlantic_transports,
    indian_ocean_transports,
    named,
    needed,
    pacific_transports,
)
from warcabinet.rules.aid.grants import LISTED
from warcabinet.rules.aid.murmansk import transports_required
from warcabinet.rules.aid.russia import PORTS

PHASES = ("initial supply determination", "post-combat supply determination")
FREE = {"atlantic": atlantic_transports, "indian_ocean": indian_ocean_transports, "pacific": pacific_transports}
#: What of a grant does not matter while one only asks how much may go.
PLAIN = {"oil": 0, "oil_from": "", "through": "", "port": "", "air_base": "", "shipbuilding": 0, "transports": 0}


class Claim(msgspec.Struct, frozen=True):
    """Something in words, with the clause that says so."""

    clause: str
    text: str


class Way(msgspec.Struct, frozen=True):
    """One way from a grantor to a recipient: the order that would use it, and how far it may go."""

    power: str
    to: str
    road: str
    text: str
    command: str
    known: dict[str, Any]
    most: int
    by: tuple[str, ...]
    why_not: tuple[Claim, ...]
    #: Transports that the most would take, by ocean.
    transports: dict[str, int]


#: The ways of every pair of grantor and recipient.
Pairs = dict[tuple[str, str], tuple[Way, ...]]


def grants_now(s: State, power: str) -> bool:
    """Whether this is a moment at which a power may grant."""
    return s.place.step.name in PHASES and powers()[power].player == s.player and not s.operations


def as_if_granting(s: State, power: str) -> State:
    """The position as it stands, at the next moment at which the power may grant."""
    side = powers()[power].player
    if s.place.step.name in PHASES and side == s.player:
        return s
    for turn in (s.turn, s.turn + 1):
        for phase in PHASES:
            step = calendar.step_index(side, phase)
            if calendar.moment(turn, step) > s.moment:
                return msgspec.structs.replace(s, turn=turn, step=step, happenings=_remembered(s, turn))
    raise AssertionError("every turn has its supply determination")


def _remembered(s: State, turn: int) -> Annals:
    """What will still count at a later moment: transports are free again in every phase, limits in every turn."""
    if turn > s.turn:
        return Annals()
    return Annals(it for it in s.happenings if it.kind not in ("transports used", "carried between boxes"))


def next_grant(s: State, power: str) -> str:
    """When a power may grant next, this moment included."""
    return calendar.moment_name(as_if_granting(s, power).moment)


# -- Which ways there are ------------------------------------------------------------------------------------------


@cache
def _ports_in(*lands: str) -> tuple[str, ...]:
    return tuple(it.name for it in with_role("port") if it.board == "pacific" and by_key(it.key).country in lands)


def _bases(s: State) -> list[str]:
    """Air bases with an air transport that could fly over the Hump."""
    at = dict.fromkeys(it.place for it in s.pieces.of_type("air transport") if it.place.startswith("pacific/"))
    return [named(it) for it in at if hump_base(s, it) and air_transport_at(s, it)]


def _to_china(s: State, power: str) -> Iterator[dict[str, Any]]:
    bases = _bases(s) or [""]
    for by in ("south africa",) if power == "britain" else ("south africa", "australia"):
        yield {"by": by, "through": "burma road"}
        yield from ({"by": by, "through": "hump", "air_base": base} for base in bases)
    if power == "usa":
        for port in _ports_in("china", "french_indochina"):
            yield {"by": "pacific", "through": "port", "port": port}
        for port in _ports_in("burma", "india"):
            yield {"by": "pacific", "through": "burma road", "port": port}


def _to_russia(power: str) -> Iterator[dict[str, Any]]:
    yield {"by": "persia"}
    for by in ("turkey", "turkey by suez"):
        yield from ({"by": by, "port": port} for port in map(place_called, PORTS))
    if power == "usa":
        yield {"by": "siberia"}


PLAINLY = {
    ("germany", "italy"): ("land",),
    ("britain", "france"): ("atlantic",),
    ("usa", "britain"): ("atlantic", "land"),
    ("usa", "france"): ("atlantic",),
    ("usa", "canada"): ("land",),
    ("usa", "south_africa"): ("atlantic",),
    ("usa", "australia"): ("pacific",),
    ("usa", "india"): ("south africa", "australia"),
}
TEXTS = {
    "land": "by land",
    "atlantic": "through the Atlantic",
    "pacific": "through the Pacific",
    "south africa": "by the South Africa box",
    "australia": "by the Australia box",
    "persia": "by Persia",
    "turkey": "by Turkey, through the Mediterranean",
    "turkey by suez": "by Turkey, through Suez",
    "siberia": "by Siberia",
}


def _text(known: dict[str, Any]) -> str:
    through = {"burma road": ", Burma Road", "hump": ", over the Hump", "port": ""}.get(known.get("through", ""), "")
    port = f", {known['port']}" if known.get("port") else ""
    base = f" from {known['air_base']}" if known.get("air_base") else ""
    return f"{TEXTS[known['by']]}{through}{port}{base}"


def road_of(by: str, through: str) -> str:
    """The road that a way takes, as far as it takes one with a capacity."""
    return {"port": "ports"}.get(through, through) or {"turkey by suez": "turkey"}.get(by, by)


def ways_between(s: State, power: str, to: str) -> tuple[Way, ...]:
    """The ways for a pair, those that are open first; of ways that differ only in their port or base the best one."""
    if to not in LISTED.get(power, ()):
        return ()
    at = as_if_granting(s, power)
    found = [_convoy(at, power)] if to == "russia" else []
    options = (
        _to_china(at, power)
        if to == "china"
        else _to_russia(power)
        if to == "russia"
        else ({"by": by} for by in PLAINLY[power, to])
    )
    best: dict[tuple[str, str], Way] = {}
    for known in options:
        way = _grant(at, power, to, known)
        key = (way.road, known["by"])
        if key not in best or (len(way.why_not), -way.most) < (len(best[key].why_not), -best[key].most):
            best[key] = way
    return tuple(sorted((*found, *best.values()), key=lambda it: bool(it.why_not)))


def _convoy(s: State, power: str) -> Way:
    known = {"power": power, "oil": 0, "transports": 0, "escorts": (), "merge_with": ()}
    offer = narrow(s, "sail_convoy", known)
    most, by = _most(offer)
    takes = {"atlantic": transports_required(s, most, 0)} if most else {}
    return Way(
        power,
        "russia",
        "murmansk",
        "by a Murmansk convoy",
        "sail_convoy",
        known,
        most,
        by,
        _why_not(s, offer, most),
        takes,
    )


def _grant(s: State, power: str, to: str, known: dict[str, Any]) -> Way:
    whole = {**PLAIN, "power": power, "to": to, **known}
    offer = narrow(s, "grant", whole)
    most, by = _most(offer)
    takes = needed(s, power, to, whole["by"], most, 0) if most else {}
    return Way(
        power,
        to,
        road_of(whole["by"], whole["through"]),
        _text(whole),
        "grant",
        whole,
        most,
        by,
        _why_not(s, offer, most, by),
        takes,
    )


def _most(offer: Offer) -> tuple[int, tuple[str, ...]]:
    field = offer.fields["brp"]
    by = tuple(it for it in field.by if it not in _SILENT)
    return (field.most or 0, by) if not offer.refusals else (0, by)


#: What is under way, and that an order must name an amount, say nothing against a way.
_SILENT = ("WC.10", "40.11")
_SHORT = {"40.221A": "Atlantic", "40.221B": "Pacific", "40.221C": "Indian Ocean"}


def _why_not(s: State, offer: Offer, most: int, by: tuple[str, ...] = ()) -> tuple[Claim, ...]:
    """The reasons against a way that are not of time or of what is under way."""
    kind = command_types()[offer.command]
    draft: Any = Draft(kind, {"seat": "", "seq_seen": None, "minded": "", **offer.known})
    timely = {it.text for it in untimely(s, kind, draft)}
    against = [it for it in offer.refusals if it.text not in timely and it.clause not in _SILENT]
    found = [Claim(it.clause, it.text) for it in against if not it.text.endswith("nothing is left")]
    if not most and not found:
        # Nothing may go: by whichever limit left nothing.
        clauses = [it for it in (*by, *offer.fields["brp"].by) if it not in _SILENT]
        found = [Claim(clauses[0], _nothing_left(kind, clauses[0]))]
    return tuple(dict.fromkeys(found))


def _nothing_left(kind: type, clause: str) -> str:
    if clause == "40.244":
        return "no units to build"
    if clause in _SHORT:
        return f"no {_SHORT[clause]} transport is free"
    limit = next((it for it in RULES.limits[kind] if it.clause == clause), None)
    return f"{limit.gist}: nothing is left" if limit else "nothing is left"
