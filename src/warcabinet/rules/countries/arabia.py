"""Arabia: a neutral without BRPs, entered after a declaration of war, conquered by Kaf and Jauf (88.21)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.names import powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.declarations import declaration_cost
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.conquest import captor
from warcabinet.rules.minors.geography import admits, land, lands_of
from warcabinet.rules.minors.seizure import not_taken_in_peace
from warcabinet.rules.minors.units import ally_stays_out, closed_to, follows_power, power_stays_out


@value(
    "88.21",
    "A declaration of war on Arabia costs 10 BRPs",
    displaces=declaration_cost,
    when=lambda s, power, target: target == "arabia",
)
def arabian_declaration(s: State, power: str, target: str) -> int:
    return 10


@definition(
    "88.21",
    "Arabia is conquered by whoever controls Kaf and Jauf",
    displaces=captor,
    when=lambda s, country: country == "arabia",
)
def arabian_captor(s: State, country: str) -> str:
    return captor.general(s, country)


@limit(
    "88.21",
    "Neither side enters neutral Arabia without a declaration of war",
    on=MoveUnits,
    displaces=(power_stays_out, ally_stays_out),
    when=lambda s, cmd: land(place_key(cmd.to))[0] == "arabia" and follows_power(s, cmd.nation),
)
def arabia_is_closed(s: State, cmd: MoveUnits) -> str | None:
    return closed_to(s, cmd, "arabia", "declare war on it first, for 10 BRPs")


@limit(
    "88.21",
    "Hexes of neutral Arabia are not taken without a declaration of war",
    on=ReportControl,
    displaces=not_taken_in_peace,
    when=lambda s, cmd: not_taken_in_peace.holds(s, cmd) and "arabia" in lands_of(cmd.places),
)
def arabia_is_not_taken(s: State, cmd: ReportControl) -> str | None:
    found = not_taken_in_peace(s, cmd)
    return found if isinstance(found, str) else None


@tells_of("arabia")
def arabian_page(s: State) -> Iterator[Told]:
    standing = s.countries["arabia"]
    if standing.status == "neutral":
        yield Told("88.21", "closed to both sides until war is declared on it, for 10 BRPs; it falls with Kaf and Jauf")
    elif standing.status == "conquered" and not standing.by:
        yield Told("88.21", "in the hands of partisans, and closed to both sides until war is declared on it")
    elif standing.status != "conquered":
        inside = ", ".join(powers()[it].name for it in powers() if admits(s, it, "arabia"))
        yield Told("88.21", f"open to {inside}; it falls with Kaf and Jauf")
