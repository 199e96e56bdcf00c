"""Belgium and Luxembourg on their pages: where they are one country, and where two (87.1)."""

from __future__ import annotations

from warcabinet.model.state import State
from warcabinet.rules.countries.page import Told, tells_of


@tells_of("belgium", "luxembourg")
def one_and_two(s: State) -> list[Told]:
    return [
        Told("87.13A", "one declaration of war, for 10 BRPs, may be for Belgium and Luxembourg, or for one of them"),
        Told("87.13B", "diplomatic results are for both"),
        Told("87.13C", "foreign factors in both count together against the limit"),
    ]
