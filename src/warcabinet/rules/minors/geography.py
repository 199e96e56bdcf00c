"""Where a nation's units may go, base, attack and advance (84.46, 85.46, 85.63)."""

from __future__ import annotations

from collections.abc import Callable

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import both, by_key
from warcabinet.board.names import areas as board_areas
from warcabinet.board.names import places_at
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.why import note
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import (
    BALKAN,
    BALKAN_CLAUSES,
    COMMONWEALTH_BOXES,
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    NO_RAIDS,
    PARTS,
    RUSSIA,
    SCANDINAVIANS,
    VICHY,
    home_hexes,
)
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.diplomacy import promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE, faction, land_beside, neighbours, side_of, units_at
from warcabinet.rules.common.taking import country_at
from warcabinet.rules.common.war_and_peace import (
    at_war,
    attackers_of,
    colony_by_result,
    french_remnant,
    neutral_power,
    vichy_places,
    vichys_by_result,
    vichys_own,
    went_to_war,
)
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.alliance import closed_to_russia
from warcabinet.rules.minors.attack import BELONGING, fought_over, may_attack_country, whole_of
from warcabinet.rules.minors.leaving import to_be_left
from warcabinet.rules.minors.pacific import associate_dutch
from warcabinet.rules.minors.status import border_war_fought

CHINESE = ("china", "communist_china")
#: Nations of the Pacific whose forces stay at home (84.46B).
ASIANS = ("philippines", "thailand", DUTCH)


@lasting
def land(place: str) -> tuple[str, str]:
    """The country and region of a hex; a box has neither."""
    if place.startswith("box/"):
        return "", ""
    at = by_key(place)
    return at.country, at.region


def country_now(s: State, place: str) -> str:
    """The country in which a place lies; in China that is Communist China where it holds the place (79.21)."""
    lies_in = land(place)[0]
    if lies_in not in CHINESE:
        return lies_in
    return "communist_china" if holder(s, place) == "communist_china" else "china"


@lasting
def closed_to_all(place: str) -> bool:
    """Whether a place lies in Switzerland, on which nobody declares war: no unit of any side enters it."""
    return not place.startswith("box/") and by_key(place).is_closed


def has_port(place: str) -> bool:
    """Ships stand in ports, and in boxes."""
    return place.startswith("box/") or any(it.has("port") for it in places_at(place))


def stranded(unit: str, at: str) -> bool:
    """Whether a ship would be where no port is."""
    return parse_unit(unit)[0].branch == "naval" and not has_port(place_key(at))


def fronts(place: str) -> tuple[str, ...]:
    return () if place.startswith("box/") else by_key(place).fronts


@lasting
def group(name: str) -> frozenset[str]:
    return frozenset(board_areas()[name].keys)


# -- sets of places -----------------------------------------------------------------------------------------------

Places = frozenset[str]


def _those(of: Callable[[str], bool]) -> Places:
    everywhere = (*(it.key for board in both() for it in board), *(f"box/{it}" for it in boxes()))
    return frozenset(key for key in everywhere if of(key))


def country(*names: str) -> Places:
    return _those(lambda key: land(key)[0] in names)


def region(name: str) -> Places:
    return _those(lambda key: land(key)[1] == name)


def front(*names: str) -> Places:
    return _those(lambda key: not set(names).isdisjoint(fronts(key)))


def beside(places: Places) -> Places:
    return frozenset(it for key in places for it in neighbours(key))


@lasting
def open_to() -> dict[str, tuple[str, Places]]:
    """By nation the clause that lists the places open to its units beyond its home country, and these places."""
    russia = country(*RUSSIA)
    in_the_north = country(*SCANDINAVIANS) | (russia & beside(country("finland")))
    return {
        "belgium": ("85.46B", front("western")),
        "greece": ("85.46C", front("mediterranean") - group("french_north_africa") - country("spain")),
        **dict.fromkeys(SCANDINAVIANS, ("85.46D", in_the_north)),
        "spain": ("85.46E", front("mediterranean", "eastern")),
        "turkey": ("85.46F", front("mediterranean") | russia | region("bessarabia")),
        "ukraine": ("85.46G", frozenset(home_hexes("ukraine"))),
        VICHY: ("85.46H", _those(lambda key: True)),
        "vlasov": ("85.46I", russia | country("poland", "eastern_poland")),
    }


def european(nation: str) -> bool:
    return nation in countries() and countries()[nation].theater == "europe"


def at_home(nation: str, place: str) -> bool:
    return place in home_hexes(nation)


@definition("84.46A", covers=("82.13", "82.41", "82.83C", "84.32", "84.46B", "85.46", "85.46I", "89.51C"))
def in_area(s: State, nation: str, place: str) -> bool:
    """Units of an associated or independent country stay in their home country, Vlasov's in Russia and Poland.

    A power's enter what is open to them, the Commonwealth's what is to British ones, a minor ally's the areas listed
    for it. Poles are at home in eastern Poland until it is conquered (R-1840), Vichy units in what is Vichy's or, until
    that is reported, on French soil. Filipinos and Dutch stay at home, Thais may go one hex out of Thailand.
    """
    if nation in powers():
        note("open", "82.41", True, nation)
        return power_area(s, nation, place)
    if nation in COMMONWEALTH_BOXES and s.countries[nation].status == "commonwealth":
        note("as_british_units", "82.13", True, nation)
        return in_area(s, "britain", place)
    if minor_ally(s, nation):
        note("areas", "85.46", True, nation)
        return at_home(nation, place) or (listed_area(s, nation, place) and not closed_to_all(place))
    if nation == "vlasov":
        note("areas", "85.46I", True, nation)
        return place in open_to()[nation][1]
    if nation in countries() and s.countries[nation].status == "independent":
        note("independent", "82.83C", True, nation)
    if nation == VICHY and len(known := vichy_places(s)) > 1:
        return place in known
    if nation == "poland" and land(place)[0] == "eastern_poland":
        return s.countries["eastern_poland"].status != "conquered"
    if nation in ASIANS:
        note("at_home_in_asia", "84.46B", True, nation)
    if at_home(nation, place) or nation != "thailand":
        return at_home(nation, place) or (nation == VICHY and land(place)[0] == "france")
    joined = s.countries["thailand"].status == "associated"
    note("beside_thailand", "89.51C", joined, place)
    return joined and any(at_home("thailand", it) for it in neighbours(place))


def minor_ally(s: State, nation: str) -> bool:
    """Whether a nation is a minor country allied to a power."""
    return nation in countries() and s.countries[nation].status == "allied"


@definition(
    "85.46", covers=("85.46A", *BALKAN_CLAUSES.values(), *(f"85.46{letter}" for letter in "BCDEFGH")), also=("86.51",)
)
def listed_area(s: State, nation: str, place: str) -> bool:
    """The areas that are open to a minor ally beyond its home country."""
    if nation in BALKAN_CLAUSES:
        note("areas", "85.46A", nation)
        note("areas", BALKAN_CLAUSES[nation], nation)
        return _open_in_the_balkans(s, nation, place)
    clause, places = open_to().get(nation, ("85.46", frozenset()))
    note("areas", clause, nation)
    return place in places


def _open_in_the_balkans(s: State, nation: str, place: str) -> bool:
    """Balkan allies: fixed areas, and Balkan countries that are conquered or hostile (85.46A)."""
    lies_in, part = land(place)
    if part == "bessarabia" and nation == "hungary":
        return _rumania_open(s, nation)
    # None lets units of another in, though they stand in one alliance; Greece and Turkey are among them (R-2300).
    standing = s.countries.get(lies_in)
    together = standing is not None and standing.status in BOUND and side_of(s, lies_in) == side_of(s, nation)
    if lies_in in BALKAN and together:
        return False
    if lies_in in ("albania", "greece") or part == "european_turkey":
        return True
    if nation in ("hungary", "rumania") and lies_in in ("baltic_states", "poland", "eastern_poland", *RUSSIA):
        return True
    if standing is None or lies_in not in BALKAN or lies_in == "turkey":
        return False
    # What stands under an enemy's diplomatic result is neutral until war is declared on it (82.41).
    hostile = at_war(s, s.countries[nation].by, lies_in) or _stands_with_enemy(s, nation, lies_in)
    return standing.status == "conquered" or hostile


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
    attacked = any(faction(s, it) == mine for it in attackers_of(s, "rumania"))
    return conquered or attacked or _stands_with_enemy(s, nation, "rumania")


def part_fallen(s: State, place: str) -> bool:
    """Whether a place lies in Bessarabia or the Finnish border hexes, and these have been conquered by themselves."""
    region = land(place)[1]
    return region in PARTS and s.countries[region].status == "conquered"


def held_by_force(s: State, place: str, country: str) -> bool:
    """Whether a power holds a country's place otherwise than by a diplomatic result, past or present.

    The garrison that a result brought into a neutral is attacked only at war with that neutral (82.41).
    """
    if country in EUROPEAN_FRENCH_COLONIES and french_remnant(s, place):
        return False  # it is Vichy France's, whatever became of the colony's capital
    country = VICHY if colony_by_result(s, country) else country
    # One that others attacked is as closed; in the Indies nobody has a war of his own with the Dutch (82.93).
    if s.countries[country].status not in STANDS_ALONE or country in DUTCH_AREAS or part_fallen(s, place):
        return True
    now = holder(s, place)
    side = (it for it in powers() if faction(s, it) == faction(s, now))
    return any(at_war(s, it, country) for it in side) or (now == "russia" and border_war_fought(s, country))


def power_area(s: State, nation: str, place: str) -> bool:
    """Units of a power enter a neutral country only at war with it, Thailand before it associates in no other way."""
    if closed_to_all(place):
        return False
    country = country_now(s, place)
    if country == "thailand" and not thailand_open(s, nation, place):
        note("closed", "84.32", True, country)
        return False
    if own_ground(s, nation, place):
        return True
    if country not in countries() and (vichys_own(s, place) or vichys_by_result(s, place)):
        return admits(s, nation, VICHY)
    if holder(s, place) == "communist_china" and nation == "russia":
        return not closed_to_russia(s)
    if country == DUTCH:
        return faction(s, holder(s, place)) == faction(s, nation) or open_in_the_indies(s, nation, place)
    if country not in countries():
        return True
    # What has come into a side's hands of a country that is no neutral, such as Indochina's north, is open to it.
    no_neutral = s.countries[country].status in BELONGING or part_fallen(s, place)
    if no_neutral and faction(s, holder(s, place)) == faction(s, nation):
        return True
    if admits(s, nation, country) or fought_over(s, nation, place):
        return True
    return enemys_by_force(s, nation, place, whole_of(s, country))


def own_ground(s: State, power: str, place: str) -> bool:
    """Whether a place is a power's own, however the country stands in which it lies.

    What it holds by a diplomatic result, or must leave after that was reversed, is not (82.32, 82.33).
    """
    if holder(s, place) != power or to_be_left(s, power, place) or vichys_by_result(s, place):
        return False
    standing = s.countries.get(land(place)[0])
    return standing is None or standing.status != "controlled" or faction(s, standing.by) != faction(s, power)


def enemys_by_force(s: State, power: str, place: str, country: str) -> bool:
    """Whether a power's enemy has taken the place from the country: then it is his, and open to attack (82.42)."""
    now = holder(s, place)
    return now in powers() and at_war(s, power, now) and held_by_force(s, place, country)


@definition("84.33", "Before they associate the Dutch East Indies are closed to the Western Allies")
def dutch_indies_open(s: State, power: str) -> bool:
    if faction(s, power) == "western allies":
        return _dutch_have_joined(s)
    # They come into the war with Britain's war against Japan (82.93): its enemies in Europe have no quarrel there.
    in_the_war = went_to_war(s, "britain", "japan") and at_war(s, power, "britain")
    return in_the_war or any(may_attack_country(s, power, it) for it in DUTCH_AREAS)


def open_in_the_indies(s: State, power: str, place: str) -> bool:
    """Whether a place there is open to a power: outside the Western Allies also what an enemy of its own holds."""
    western, now, part = faction(s, power) == "western allies", holder(s, place), country_at(place)
    if not western and now in powers() and at_war(s, power, now):
        return True
    if western or at_war(s, power, "britain"):
        return dutch_indies_open(s, power)
    return part != "" and may_attack_country(s, power, part)


def _dutch_have_joined(s: State) -> bool:
    """Whether a part has associated, or fell when that time had come. What fell before opens nothing (R-0402)."""
    statuses = {s.countries[it].status for it in DUTCH_AREAS}
    if "associated" in statuses:
        return True
    # A part that stands alone shows that the time has not come, where a position does not say when it will.
    return statuses == {"conquered"} and not promised(s, associate_dutch)


def thailand_open(s: State, power: str, place: str) -> bool:
    """Once it has joined Japan; to whoever is at war with it (R-0403), or with a power that took the place (R-2782)."""
    if s.countries["thailand"].status in ("associated", "conquered") or at_war(s, power, "thailand"):
        return True
    return own_ground(s, power, place) or enemys_by_force(s, power, place, "thailand")


@definition("82.32D", "A country admits the side that controls or leads it, and those at war with it")
def admits(s: State, power: str, country: str) -> bool:
    standing = s.countries[whole_of(s, country)]
    led = standing.status in ("controlled", "associated", "allied", "conquered", "colony", "commonwealth")
    if led and standing.by and faction(s, standing.by) == faction(s, power):
        if standing.status != "controlled" or power == standing.by or reading_in_force(s, "R-2431") == "a":
            return True
        # One that is in the war is no ally of another that is not.
        return neutral_power(s, power) == neutral_power(s, standing.by)
    return may_attack_country(s, power, country)


@definition("85.46", covers=("84.46B", "85.46D", "85.46E", "85.462", "89.51C"), also=("86.51",))
def may_enter(s: State, nation: str, place: str, purpose: str) -> bool:
    """Whether a nation's units may enter a place for a purpose, attack there, or pass it by sea or redeployment."""
    key = place_key(place)
    if in_area(s, nation, key) and not (purpose == "attack" and nation == "thailand"):
        return True
    if purpose == "attack" and nation not in powers():
        # They may attack enemies next to their area, but not advance out of it; on its sea hexes nobody stands.
        note("beside_its_area", "85.462", True, nation)
        there = {side_of(s, it.nation) for it in units_at(s, key)} or {faction(s, holder(s, key))}
        if nation == "thailand" and "western allies" in there:
            note("thais_do_not_attack_the_west", "84.46B", True, place)
            note("thais_do_not_attack_the_west", "89.51C", True, place)
            return False
        return in_area(s, nation, key) or any(in_area(s, nation, it) for it in land_beside(key))
    if purpose not in ("sea transport", "redeployment") or not minor_ally(s, nation):
        return False
    if nation == "spain":
        note("passes_the_western_front", "85.46E", True, nation)
        return "western" in fronts(key)
    if nation not in SCANDINAVIANS:
        return False
    note("passes_the_norwegian_coast_and_the_baltic", "85.46D", True, nation)
    return key in group("norwegian_coast") or (not key.startswith("box/") and "baltic_sea" in by_key(key).seas)


@definition("85.461", "Where a nation's ships may operate from their bases", covers=("85.46A(3)",))
def fleet_may_operate(s: State, nation: str, sea: str, mission: str) -> bool:
    if nation == "rumania":
        note("rumanian_ships", "85.46A(3)", "black_sea")
        return sea == "black_sea"
    return not (nation in NO_RAIDS and mission == "raid")
