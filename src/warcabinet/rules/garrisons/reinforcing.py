"""The way east: when Russian units go from Europe and the Urals box to the Pacific theater (81.44)."""

from __future__ import annotations

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.departures import goal_of, nation_of, origin_of
from warcabinet.rules.kinds import definition, limit, value

URALS = "box/urals"
SAARE = "europe/F39"

#: The hexes that Russia must control, by the country of whose fall they are the fruit.
RUSSIAN_SOIL = {
    key: it for it in ("russia", "eastern_poland", "baltic_states") for key in board_areas()[it].keys if key != SAARE
}


@definition("81.44A", "Japan has declared war on Russia")
def attacked_by_japan(s: State) -> bool:
    return any(set(war.between) == {"japan", "russia"} and war.declared_by == "japan" for war in s.wars)


@value("81.44B(2)", "Hexes of Russia, eastern Poland and the Baltic States that Russia does not control; Saare apart")
def russian_soil_lost(s: State) -> tuple[str, ...]:
    return tuple(key for key, country in RUSSIAN_SOIL.items() if not _russian(s, key, country))


def _russian(s: State, key: str, country: str) -> bool:
    """Whether Russia controls a hex; what nobody else took in a country that it conquered is its own."""
    held_by = holder(s, key)
    if held_by in powers() or country == "russia":
        return held_by == "russia"
    standing = s.countries[country]
    return standing.status == "conquered" and standing.by == "russia"


@definition("81.44B", covers=("81.44B(1)", "81.44B(2)"))
def free_in_the_west(s: State) -> bool:
    # A war with Germany one of the two declared, whether or not it is told which.
    """Russia is or was in a war that it or Germany declared, and Germany surrendered or no Russian soil is lost."""
    if not went_to_war(s, "germany", "russia") and not _war_on_japan(s):
        return False
    surrendered = s.powers["germany"].surrendered
    note("surrendered", "81.44B(1)", surrendered, "germany")
    return surrendered or not russian_soil_lost(s)


def _war_on_japan(s: State) -> bool:
    """Whether Russia declared war on Japan, as it did where nobody is told to have."""
    return any(set(war.between) == {"japan", "russia"} and war.declared_by != "japan" for war in s.wars)


def _eastward(s: State, cmd: MoveUnits | ReportMove) -> bool:
    if nation_of(cmd) != "russia":
        return False
    origin = origin_of(cmd)
    return (origin.startswith("europe/") or origin == URALS) and goal_of(cmd).startswith("pacific/")


@limit("81.44", on=(MoveUnits, ReportMove), when=_eastward, also=("81.44A", "81.44B"))
def no_way_east(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Russian units go from Europe or the Urals box to the Pacific theater only in or after certain wars."""
    if attacked_by_japan(s) or free_in_the_west(s):
        return None
    return "the Pacific theater is closed to Russian units from Europe and the Urals box"
