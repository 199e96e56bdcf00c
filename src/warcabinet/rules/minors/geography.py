"""Where a nation's units may go, base, attack and advance (84.46, 85.46, 85.63)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.maps import by_key
from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.why import note
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.pieces import (
    COMMONWEALTH_BOXES,
    DUTCH,
    DUTCH_AREAS,
    faction,
    home_hexes,
    neighbours,
    side_of,
)
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.alliance import closed_to_russia
from warcabinet.rules.minors.association import attackers_of
from warcabinet.rules.minors.attack import may_attack_country

BALKAN = ("bulgaria", "hungary", "rumania", "yugoslavia", "greece", "turkey")
RUSSIA = ("russia", "ukraine")
SCANDINAVIANS = ("finland", "sweden", "norway")
BALKAN_CLAUSES = {
    "bulgaria": "85.46A(1)",
    "hungary": "85.46A(2)",
    "rumania": "85.46A(3)",
    "yugoslavia": "85.46A(4)",
}
NO_RAIDS = ("sweden", "spain", "turkey", "vichy_france")


def land(place: str) -> tuple[str, str]:
    """The country and region of a hex; a box has neither."""
    if place.startswith("box/"):
        return "", ""
    at = by_key(place)
    return at.country, at.region


def fronts(place: str) -> tuple[str, ...]:
    return () if place.startswith("box/") else by_key(place).fronts


@cache
def group(name: str) -> frozenset[str]:
    return frozenset(board_areas()[name].keys)


def at_home(nation: str, place: str) -> bool:
    return place in home_hexes(nation)


@definition("84.46A", "Units of an associated or independent country stay in their home country", covers=("82.83C",))
def in_area(s: State, nation: str, place: str) -> bool:
    if nation in countries() and s.countries[nation].status == "independent":
        note("independent", "82.83C", True, nation)
    return at_home(nation, place)


@definition(
    "84.46A",
    "Vichy units keep to French soil; which of it is Vichy's is settled outside",
    displaces=in_area,
    when=lambda s, nation, place: nation == "vichy_france" and not _allied(s, nation),
)
def vichy_home(s: State, nation: str, place: str) -> bool:
    return at_home(nation, place) or land(place)[0] == "france"


def _allied(s: State, nation: str) -> bool:
    return nation in countries() and s.countries[nation].status == "allied"


@definition(
    "85.46",
    "A minor ally's units may enter their home country and the areas listed for it",
    displaces=in_area,
    when=lambda s, nation, place: _allied(s, nation),
)
def in_allied_area(s: State, nation: str, place: str) -> bool:
    return at_home(nation, place) or listed_area(s, nation, place)


@definition("85.46", "The areas that are open to a minor ally beyond its home country")
def listed_area(s: State, nation: str, place: str) -> bool:
    return False


@definition(
    "85.46A",
    "Balkan allies: fixed areas, and Balkan countries that are conquered or hostile",
    displaces=listed_area,
    when=lambda s, nation, place: nation in BALKAN_CLAUSES,
    covers=tuple(BALKAN_CLAUSES.values()),
)
def balkan_area(s: State, nation: str, place: str) -> bool:
    note("balkan_ally", BALKAN_CLAUSES[nation], nation)
    country, region = land(place)
    if region == "bessarabia" and nation == "hungary":
        return _rumania_open(s, nation)
    if country in BALKAN and _same_alliance(s, nation, country):
        return False
    if country in ("albania", "greece") or region == "european_turkey":
        return True
    if nation in ("hungary", "rumania") and country in ("baltic_states", "poland", "eastern_poland", *RUSSIA):
        return True
    return country in BALKAN and country != "turkey" and _conquered_or_hostile(s, nation, country)


def _same_alliance(s: State, nation: str, country: str) -> bool:
    standing = s.countries[country]
    return standing.status in ("associated", "allied") and side_of(s, country) == side_of(s, nation)


def _conquered_or_hostile(s: State, nation: str, country: str) -> bool:
    standing = s.countries[country]
    if standing.status == "conquered":
        return True
    mine = s.countries[nation].by
    return at_war(s, mine, country) or (standing.by in powers() and at_war(s, mine, standing.by))


def _rumania_open(s: State, nation: str) -> bool:
    """Hungarians enter Bessarabia only if Rumania was conquered, or attacked by their own alliance."""
    conquered = s.countries["rumania"].status == "conquered"
    return conquered or any(faction(s, it) == side_of(s, nation) for it in attackers_of(s, "rumania"))


@definition(
    "85.46B", "Belgians: the western front", displaces=listed_area, when=lambda s, nation, place: nation == "belgium"
)
def belgian_area(s: State, nation: str, place: str) -> bool:
    return "western" in fronts(place)


@definition(
    "85.46C",
    "Greeks: the Mediterranean front without French North Africa and Spain",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "greece",
)
def greek_area(s: State, nation: str, place: str) -> bool:
    closed = place in group("french_north_africa") or land(place)[0] == "spain"
    return "mediterranean" in fronts(place) and not closed


@definition(
    "85.46D",
    "Scandinavians: Norway, Sweden, Finland and Russian hexes on the Finnish border",
    displaces=listed_area,
    when=lambda s, nation, place: nation in SCANDINAVIANS,
)
def scandinavian_area(s: State, nation: str, place: str) -> bool:
    country, _ = land(place)
    on_border = country in RUSSIA and any(land(it)[0] == "finland" for it in neighbours(place))
    return country in SCANDINAVIANS or on_border


@definition(
    "85.46E",
    "Spaniards: the Mediterranean and eastern fronts",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "spain",
)
def spanish_area(s: State, nation: str, place: str) -> bool:
    return bool({"mediterranean", "eastern"} & set(fronts(place)))


@definition(
    "85.46F",
    "Turks: the Mediterranean front, Russia and Bessarabia",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "turkey",
)
def turkish_area(s: State, nation: str, place: str) -> bool:
    country, region = land(place)
    return "mediterranean" in fronts(place) or country in RUSSIA or region == "bessarabia"


@definition(
    "85.46G", "Ukrainians: the Ukraine only", displaces=listed_area, when=lambda s, nation, place: nation == "ukraine"
)
def ukrainian_area(s: State, nation: str, place: str) -> bool:
    return at_home(nation, place)


@definition(
    "85.46H",
    "Vichy French: no restrictions",
    displaces=listed_area,
    when=lambda s, nation, place: nation == "vichy_france",
)
def vichy_area(s: State, nation: str, place: str) -> bool:
    return True


@definition(
    "85.46I", "Vlasov units: Russia and Poland", displaces=in_area, when=lambda s, nation, place: nation == "vlasov"
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
    return joined and any(at_home("thailand", it) for it in neighbours(place))


@definition(
    "85.63",
    "Communist Chinese stay in China; Nationalist hexes are open to them from resistance +2",
    displaces=(in_area, in_allied_area),
    when=lambda s, nation, place: nation == "communist_china",
)
def communist_area(s: State, nation: str, place: str) -> bool:
    country, _ = land(place)
    if country not in ("china", "communist_china"):
        return False
    return holder(s, place) != "china" or s.tracks.get("chinese_resistance", 0) >= 2


@definition(
    "82.41",
    "Units of a power enter a neutral country only at war with it",
    displaces=in_area,
    when=lambda s, nation, place: nation in powers(),
)
def power_area(s: State, nation: str, place: str) -> bool:
    country, _ = land(place)
    if holder(s, place) == "communist_china" and nation == "russia":
        return not closed_to_russia(s)
    if country == DUTCH:
        return dutch_indies_open(s, nation)
    if country not in countries():
        return True
    return admits(s, nation, country)


@definition("84.33", "Western Allied units may not enter the Dutch East Indies until they associate")
def dutch_indies_open(s: State, power: str) -> bool:
    joined = any(s.countries[it].status in ("associated", "conquered") for it in DUTCH_AREAS)
    if faction(s, power) == "western allies":
        return joined
    return at_war(s, power, "britain") or any(at_war(s, power, it) for it in DUTCH_AREAS)


@definition(
    "84.32",
    "Neither side's units enter Thailand before it associates",
    displaces=power_area,
    when=lambda s, nation, place: land(place)[0] == "thailand" and not _open_thailand(s, nation),
)
def thailand_closed(s: State, nation: str, place: str) -> bool:
    note("closed", "84.32", True, "thailand")
    return False


def _open_thailand(s: State, power: str) -> bool:
    return s.countries["thailand"].status in ("associated", "conquered") or at_war(s, power, "thailand")


@definition("82.32D", "A country admits the side that controls or leads it, and those at war with it")
def admits(s: State, power: str, country: str) -> bool:
    standing = s.countries[country]
    led = standing.status in ("controlled", "associated", "allied", "conquered", "colony", "commonwealth")
    if led and standing.by and faction(s, standing.by) == faction(s, power):
        return True
    return may_attack_country(s, power, country)


@definition(
    "82.13",
    "Commonwealth units go where British units may; what keeps them back is in their own chapters",
    displaces=in_area,
    when=lambda s, nation, place: nation in COMMONWEALTH_BOXES and s.countries[nation].status == "commonwealth",
)
def commonwealth_area(s: State, nation: str, place: str) -> bool:
    return in_area(s, "britain", place)


PURPOSES = ("movement", "advance", "redeployment", "sea transport", "basing", "attack")


@definition("85.46", "Whether a nation's units may enter a place for a purpose")
def may_enter(s: State, nation: str, place: str, purpose: str) -> bool:
    return in_area(s, nation, place_key(place))


@definition(
    "85.462",
    "Ground units may attack enemies next to their area, but not advance out of it",
    displaces=may_enter,
    when=lambda s, nation, place, purpose: purpose == "attack" and nation not in powers(),
)
def may_attack_beside(s: State, nation: str, place: str, purpose: str) -> bool:
    key = place_key(place)
    if nation == "thailand" and _held_by_west(s, key):
        note("thais_do_not_attack_the_west", "84.46B", True, place)
        return False
    return in_area(s, nation, key) or any(in_area(s, nation, it) for it in neighbours(key))


def _held_by_west(s: State, place: str) -> bool:
    return faction(s, holder(s, place)) == "western allies"


@definition(
    "85.46E",
    "Spaniards pass through the western front by sea or redeployment",
    displaces=may_enter,
    when=lambda s, nation, place, purpose: (
        nation == "spain" and _allied(s, nation) and purpose in ("sea transport", "redeployment")
    ),
)
def spaniards_pass_west(s: State, nation: str, place: str, purpose: str) -> bool:
    return in_area(s, nation, place_key(place)) or "western" in fronts(place_key(place))


@definition(
    "85.46D",
    "Scandinavians pass by sea along the Norwegian coast and through the Baltic",
    displaces=may_enter,
    when=lambda s, nation, place, purpose: nation in SCANDINAVIANS and purpose == "sea transport",
)
def scandinavians_by_sea(s: State, nation: str, place: str, purpose: str) -> bool:
    key = place_key(place)
    if in_area(s, nation, key) or key in group("norwegian_coast"):
        return True
    return not key.startswith("box/") and "baltic_sea" in by_key(key).seas


@definition("85.461", "Where a nation's ships may operate from their bases", covers=("85.46A(3)",))
def fleet_may_operate(s: State, nation: str, sea: str, mission: str) -> bool:
    if nation == "rumania":
        note("rumanian_ships", "85.46A(3)", "black_sea")
        return sea == "black_sea"
    return not (nation in NO_RAIDS and mission == "raid")
