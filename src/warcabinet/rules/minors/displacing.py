"""Where units that make way in a capital are not put: into a neutral, on peaceful soil, among enemies (82.41, 82.56).

The hex is of their power's choosing (82.56), but it is no way into a country that is closed to them otherwise.
"""

from __future__ import annotations

from warcabinet.model.commands.minors import Displace
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import land_beside, manned
from warcabinet.rules.countries.traits import capital
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.attack import intruders_of
from warcabinet.rules.minors.geography import in_area, land
from warcabinet.rules.minors.soil import peaceful_owner
from warcabinet.rules.minors.stacking import enemies, may_stack


def _beside(s: State, cmd: Displace) -> bool:
    """Whether they go to a hex beside the capital at all, which 82.56 asks."""
    seat = capital(cmd.country)
    return bool(seat) and place_key(cmd.to) in land_beside(seat)


@limit("82.41", "Displaced units are not put into another country that is closed to them", on=Displace, when=_beside)
def displaced_where_open(s: State, cmd: Displace) -> str | None:
    key = place_key(cmd.to)
    country = land(key)[0]
    if country in ("", cmd.country) or country not in countries() or in_area(s, cmd.by, key):
        return None
    return f"{cmd.to} lies in {countries()[country].name}, which is closed to {powers()[cmd.by].name}"


@limit("82.42", "Nor on the soil of a power of the other side with which theirs is at peace", on=Displace, when=_beside)
def displaced_not_in_peace(s: State, cmd: Displace) -> str | None:
    owner = peaceful_owner(s, place_key(cmd.to), cmd.by)
    return f"{cmd.to} is {powers()[owner].name}'s, with whom {powers()[cmd.by].name} is at peace" if owner else None


@limit("84.45B", "Nor among units of an enemy", on=Displace, when=_beside)
def displaced_apart_from_enemies(s: State, cmd: Displace) -> str | None:
    there = [it.nation for it in manned(s, place_key(cmd.to)) if it.branch != "partisan"]
    for stack in intruders_of(s, cmd.country, cmd.by):
        enemy = next((it for it in there if not may_stack(s, stack.nation, it) and enemies(s, stack.nation, it)), "")
        if enemy:
            return f"units of {called(enemy)}, an enemy, stand at {cmd.to}"
    return None
