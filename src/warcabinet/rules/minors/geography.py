"""Where a nation's units may go, base, attack and advance (84.46, 85.46, 85.63)."""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.board.names import areas as board_areas
from warcabinet.board.names import places_at
from warcabinet.kernel.kept import kept
from warcabinet.kernel.lasting import lasting
from warcabinet.kernel.why import note
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder, keys_of, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import (
    COMMONWEALTH_BOXES,
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    NO_RAIDS,
    PARTS,
    SCANDINAVIANS,
    VICHY,
    home_hexes,
)
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war, neutral_power, went_to_war
from warcabinet.rules.common.pieces import STANDS_ALONE, faction, land_beside, side_of, units_at
from warcabinet.rules.common.promises import promised
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.taking import country_at
from warcabinet.rules.common.vichy import (
    colony_by_result,
    french_remnant,
    vichys_by_result,
    vichys_own,
)
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.alliance import closed_to_russia
from warcabinet.rules.minors.attack import BELONGING, may_attack_country, whole_of
from warcabinet.rules.minors.border_wars import border_war_fought, fought_over
from warcabinet.rules.minors.pacific import associate_dutch


@lasting
def land(place: str) -> tuple[str, str]:
    """The country and region of a hex; a box has neither."""
    if place.startswith("box/"):
        return "", ""
    at = by_key(place)
    return at.country, at.region


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


@kept
def lands_of(names: tuple[str, ...]) -> frozenset[str]:
    """The countries in which the places lie that one command names."""
    return frozenset(land(key)[0] for key in keys_of(names))


def fronts(place: str) -> tuple[str, ...]:
    return () if place.startswith("box/") else by_key(place).fronts


@lasting
def group(name: str) -> frozenset[str]:
    return frozenset(board_areas()[name].keys)


def european(nation: str) -> bool:
    return nation in countries() and countries()[nation].theater == "europe"


def at_home(nation: str, place: str) -> bool:
    return place in home_hexes(nation)


@definition("84.46A", "Units of an associated or independent country stay in their home country", covers=("82.83C",))
def in_area(s: State, nation: str, place: str) -> bool:
    if nation in countries() and s.countries[nation].status == "independent":
        note("independent", "82.83C", True, nation)
    return at_home(nation, place)


def minor_ally(s: State, nation: str) -> bool:
    """Whether a nation is a minor country allied to a power."""
    return nation in countries() and s.countries[nation].status == "allied"


@definition(
    "85.46",
    "A minor ally's units may enter their home country and the areas listed for it",
    displaces=in_area,
    when=lambda s, nation, place: minor_ally(s, nation),
)
def in_allied_area(s: State, nation: str, place: str) -> bool:
    return at_home(nation, place) or (listed_area(s, nation, place) and not closed_to_all(place))


@definition("85.46", "The areas that are open to a minor ally beyond its home country")
def listed_area(s: State, nation: str, place: str) -> bool:
    return False


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


@definition(
    "82.41",
    "Units of a power enter a neutral country only at war with it",
    displaces=in_area,
    when=lambda s, nation, place: nation in powers(),
)
def power_area(s: State, nation: str, place: str) -> bool:
    if closed_to_all(place):
        return False
    country, _ = land(place)
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
    """Whether a place there is open to a power: who fights Japan alone finds it where it has taken something."""
    if faction(s, power) == "western allies" or at_war(s, power, "britain"):
        return dutch_indies_open(s, power)
    part, now = country_at(place), holder(s, place)
    return (part != "" and may_attack_country(s, power, part)) or (now in powers() and at_war(s, power, now))


def _dutch_have_joined(s: State) -> bool:
    """Whether a part has associated, or fell when that time had come. What fell before opens nothing (R-0402)."""
    statuses = {s.countries[it].status for it in DUTCH_AREAS}
    if "associated" in statuses:
        return True
    if statuses == {"conquered"} and reading_in_force(s, "R-0402") == "b":
        return True
    # A part that stands alone shows that the time has not come, where a position does not say when it will.
    return statuses == {"conquered"} and not promised(s, associate_dutch)


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
    """Once it has joined Japan; or to whoever is at war with it (R-0403)."""
    if s.countries["thailand"].status in ("associated", "conquered"):
        return True
    return reading_in_force(s, "R-0403") == "a" and at_war(s, power, "thailand")


def closed_ground(s: State, place: str, power: str) -> str:
    """The clause that closes a place to a power for a reason of its own, not for want of a declaration of war."""
    country = land(place)[0]
    if power == "russia" and holder(s, place) == "communist_china" and closed_to_russia(s):
        return "85.62"
    if country == DUTCH and faction(s, power) == "western allies" and not dutch_indies_open(s, power):
        return "84.33"
    return "84.32" if country == "thailand" and not _open_thailand(s, power) else ""


@definition("82.32D", "A country admits the side that controls or leads it, and those at war with it")
def admits(s: State, power: str, country: str) -> bool:
    standing = s.countries[whole_of(s, country)]
    led = standing.status in ("controlled", "associated", "allied", "conquered", "colony", "commonwealth")
    if led and standing.by and faction(s, standing.by) == faction(s, power):
        return not (standing.status == "controlled" and _stands_aside(s, power, standing.by))
    return may_attack_country(s, power, country)


def _stands_aside(s: State, power: str, controller: str) -> bool:
    """Whether a power is no ally of the one that controls a country: one is in the war, the other not (R-2431)."""
    if power == controller or reading_in_force(s, "R-2431") == "a":
        return False
    return neutral_power(s, power) != neutral_power(s, controller)


@definition(
    "82.13",
    "Commonwealth units go where British units may; what keeps them back is in their own chapters",
    displaces=in_area,
    when=lambda s, nation, place: nation in COMMONWEALTH_BOXES and s.countries[nation].status == "commonwealth",
)
def commonwealth_area(s: State, nation: str, place: str) -> bool:
    return in_area(s, "britain", place)


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
    if nation == "thailand" and _western_units_at(s, key):
        note("thais_do_not_attack_the_west", "84.46B", True, place)
        note("thais_do_not_attack_the_west", "89.51C", True, place)
        return False
    # A front has sea hexes too, but ground units stand on none of them.
    return in_area(s, nation, key) or any(in_area(s, nation, it) for it in land_beside(key))


def _western_units_at(s: State, place: str) -> bool:
    """Whether an attack there meets Western Allied units; whoever holds a hex where none are known has his there."""
    there = {side_of(s, it.nation) for it in units_at(s, place)} or {faction(s, holder(s, place))}
    return "western allies" in there


@definition(
    "85.46E",
    "Spaniards pass through the western front by sea or redeployment",
    displaces=may_enter,
    when=lambda s, nation, place, purpose: (
        nation == "spain" and minor_ally(s, nation) and purpose in ("sea transport", "redeployment")
    ),
)
def spaniards_pass_west(s: State, nation: str, place: str, purpose: str) -> bool:
    return in_area(s, nation, place_key(place)) or "western" in fronts(place_key(place))


@definition(
    "85.46D",
    "Scandinavians pass by sea along the Norwegian coast and through the Baltic",
    displaces=may_enter,
    when=lambda s, nation, place, purpose: (
        nation in SCANDINAVIANS and minor_ally(s, nation) and purpose in ("sea transport", "redeployment")
    ),
    also=("86.51",),
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
