"""Where the units of each minor ally may go beyond its home country (84.46, 85.46)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import BALKAN, BALKAN_CLAUSES, DUTCH, RUSSIA, SCANDINAVIANS
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war, attackers_of
from warcabinet.rules.common.pieces import BOUND, faction, neighbours, side_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.vichy import vichy_places
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.geography import (
    at_home,
    fronts,
    group,
    in_allied_area,
    in_area,
    land,
    listed_area,
    minor_ally,
)


@definition(
    "84.46A",
    "Vichy units keep to what is Vichy's; until that is reported, to French soil",
    displaces=in_area,
    when=lambda s, nation, place: nation == "vichy_france" and not minor_ally(s, nation),
)
def vichy_home(s: State, nation: str, place: str) -> bool:
    known = vichy_places(s)
    return place in known if len(known) > 1 else at_home(nation, place) or land(place)[0] == "france"


@definition(
    "84.46A",
    "Poles are at home in eastern Poland too, until it is conquered (R-1840)",
    displaces=(in_area, in_allied_area),
    when=lambda s, nation, place: (
        nation == "poland" and land(place)[0] == "eastern_poland" and reading_in_force(s, "R-1840") == "a"
    ),
)
def poles_in_the_east(s: State, nation: str, place: str) -> bool:
    return s.countries["eastern_poland"].status != "conquered"


@definition(
    "85.46A",
    "Balkan allies may enter fixed areas, and Balkan countries that are conquered or hostile",
    displaces=listed_area,
    when=lambda s, nation, place: nation in BALKAN_CLAUSES,
    covers=tuple(BALKAN_CLAUSES.values()),
)
def balkan_area(s: State, nation: str, place: str) -> bool:
    note("balkan_ally", BALKAN_CLAUSES[nation], nation)
    country, region = land(place)
    if region == "bessarabia" and nation == "hungary":
        return _rumania_open(s, nation)
    if country in _neighbours(s) and _same_alliance(s, nation, country):
        return False
    if country in ("albania", "greece") or region == "european_turkey":
        return True
    if nation in ("hungary", "rumania") and country in ("baltic_states", "poland", "eastern_poland", *RUSSIA):
        return True
    return country in BALKAN and country != "turkey" and _conquered_or_hostile(s, nation, country)


def _neighbours(s: State) -> tuple[str, ...]:
    """The Balkan countries that let no units of another in, though they stand in one alliance (R-2300)."""
    return BALKAN if reading_in_force(s, "R-2300") == "a" else tuple(BALKAN_CLAUSES)


def _same_alliance(s: State, nation: str, country: str) -> bool:
    standing = s.countries[country]
    return standing.status in ("associated", "allied") and side_of(s, country) == side_of(s, nation)


def _conquered_or_hostile(s: State, nation: str, country: str) -> bool:
    standing = s.countries[country]
    if standing.status == "conquered":
        return True
    # What stands under an enemy's diplomatic result is neutral until war is declared on it (82.41).
    return at_war(s, s.countries[nation].by, country) or _stands_with_enemy(s, nation, country)


def _stands_with_enemy(s: State, nation: str, country: str) -> bool:
    """Whether a country is an associate or minor ally of a power that a minor ally's own power fights."""
    standing = s.countries[country]
    return standing.status in BOUND and at_war(s, s.countries[nation].by, standing.by)


def _rumania_open(s: State, nation: str) -> bool:
    """Hungarians enter Bessarabia only if Rumania was conquered, or attacked by their own alliance.

    On an enemy's associate or minor ally no war is declared before it is attacked (82.42).
    """
    rumania, mine = s.countries["rumania"], side_of(s, nation)
    conquered = rumania.status == "conquered"
    if reading_in_force(s, "R-0496") == "b":
        conquered = conquered and faction(s, rumania.by) == mine
    attacked = any(faction(s, it) == mine for it in attackers_of(s, "rumania"))
    if reading_in_force(s, "R-2580") == "a":
        attacked = attacked or _stands_with_enemy(s, nation, "rumania")
    return conquered or attacked


@definition(
    "85.46B",
    "Belgian units of a minor ally may enter the western front",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "belgium",
)
def belgian_area(s: State, nation: str, place: str) -> bool:
    return "western" in fronts(place)


@definition(
    "85.46C",
    "Greek units of a minor ally may enter the Mediterranean front without French North Africa and Spain",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "greece",
)
def greek_area(s: State, nation: str, place: str) -> bool:
    closed = place in group("french_north_africa") or land(place)[0] == "spain"
    return "mediterranean" in fronts(place) and not closed


@definition(
    "85.46D",
    "Scandinavian allies may enter Norway, Sweden, Finland and Russian hexes on the Finnish border",
    displaces=listed_area,
    when=lambda s, nation, place: nation in SCANDINAVIANS,
    also=("86.51",),
)
def scandinavian_area(s: State, nation: str, place: str) -> bool:
    country, _ = land(place)
    on_border = country in RUSSIA and any(land(it)[0] == "finland" for it in neighbours(place))
    return country in SCANDINAVIANS or on_border


@definition(
    "85.46E",
    "Spanish units of a minor ally may enter the Mediterranean and eastern fronts",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "spain",
)
def spanish_area(s: State, nation: str, place: str) -> bool:
    return bool({"mediterranean", "eastern"} & set(fronts(place)))


@definition(
    "85.46F",
    "Turkish units of a minor ally may enter the Mediterranean front, Russia and Bessarabia",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "turkey",
)
def turkish_area(s: State, nation: str, place: str) -> bool:
    country, region = land(place)
    return "mediterranean" in fronts(place) or country in RUSSIA or region == "bessarabia"


@definition(
    "85.46G",
    "Ukrainian units may enter the Ukraine only",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "ukraine",
)
def ukrainian_area(s: State, nation: str, place: str) -> bool:
    return at_home(nation, place)


@definition(
    "85.46H",
    "Vichy French units of a minor ally may enter any area",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "vichy_france",
)
def vichy_area(s: State, nation: str, place: str) -> bool:
    return True


@definition(
    "85.46I",
    "Vlasov units may enter Russia and Poland",
    displaces=in_area,
    when=lambda s, nation, place: nation == "vlasov",
)
def vlasov_area(s: State, nation: str, place: str) -> bool:
    return land(place)[0] in (*RUSSIA, "poland", "eastern_poland")


@definition(
    "84.46B",
    "Filipinos and Dutch stay at home, Thais may go one hex out of Thailand",
    displaces=in_area,
    when=lambda s, nation, place: nation in ("philippines", "thailand", DUTCH),
)
def asian_area(s: State, nation: str, place: str) -> bool:
    if at_home(nation, place):
        return True
    joined = nation == "thailand" and s.countries["thailand"].status == "associated"
    if nation == "thailand":
        note("beside_thailand", "89.51C", joined, place)
    return joined and any(at_home("thailand", it) for it in neighbours(place))


@limit(
    "85.46A(3)",
    "Rumanian ships stay in the Black Sea and its ports",
    on=(MoveUnits, ReportUnits),
    when=lambda s, cmd: cmd.nation == "rumania" and parse_unit(cmd.unit)[0].branch == "naval",
    also=("85.461",),
)
def rumanian_ships_stay(s: State, cmd: MoveUnits | ReportUnits) -> str | None:
    if isinstance(cmd, ReportUnits) and cmd.count < 0:
        return None
    to = cmd.to if isinstance(cmd, MoveUnits) else cmd.at
    return None if place_key(to) in group("black_sea") else f"{to} is not on the Black Sea"
