"""Arabia: a neutral without BRPs, entered after a declaration of war, conquered by Kaf and Jauf (88.21)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.declarations import declaration_cost
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, value
from warcabinet.rules.minors.conquest import captor
from warcabinet.rules.minors.geography import admits


@value("88.21", displaces=declaration_cost, when=lambda s, power, target: target == "arabia")
def arabian_declaration(s: State, power: str, target: str) -> int:
    """A declaration of war on Arabia costs 10 BRPs."""
    return 10


@definition("88.21", displaces=captor, when=lambda s, country: country == "arabia")
def arabian_captor(s: State, country: str) -> str:
    """Arabia is conquered by whoever controls Kaf and Jauf."""
    return captor.general(s, country)


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
