"""What is in effect for a country by diplomacy, and what these chapters add to die rolls for it."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.kinds import value

# The highest number in each band of the diplomatic tables.
_BANDS = {"1-2": 2, "3-4": 4, "5-6": 6}


@value("82.21", "What these chapters add to every diplomatic die roll for a country")
def diplomatic_modifier(s: State, country: str) -> int:
    return 0


def result_at_most(s: State, country: str, most: int) -> bool:
    """Whether a result of so much or less is in effect: the last one reported, or what an earlier one still gives.

    A conquest ends what diplomacy gave, and so does an attack by the very faction that had it, or joining its enemies.
    """
    standing = s.countries[country]
    if standing.status == "conquered" or _attacked_by_allies(s, country) or _joined_axis(s, country):
        return False
    text = s.results.get(country, "")
    given = standing.status in ("penetrated", "controlled") and powers()[standing.by].player == "allied"
    # One that nobody attacked has joined the Allies by a -2 or a -3, however the table told it (84.11C).
    given = given or (standing.status in BOUND and not _attacked(s, country))
    number = _BANDS.get(text, int(text) if text and text not in _BANDS else 99)
    if given:
        number = min(number, 0)
    if number <= most:
        note("result_in_effect", "82.21", text or str(number), country)
    return number <= most


def _attacked(s: State, country: str) -> bool:
    return any(country in it.between and it.declared_by in powers() for it in s.wars)


def _attacked_by_allies(s: State, country: str) -> bool:
    declared = [it.declared_by for it in s.wars if it.ended is None and country in it.between]
    standing = s.countries[country]
    if standing.status in ("penetrated", "controlled"):
        return any(faction(s, it) == faction(s, standing.by) for it in declared)
    return any(it in powers() and powers()[it].player == "allied" for it in declared)


def _joined_axis(s: State, country: str) -> bool:
    standing = s.countries[country]
    return standing.status in BOUND and powers()[standing.by].player == "axis"
