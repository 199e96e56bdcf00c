"""What is peculiar to a country: what it is one with, its parts, islands, colonies, boxes, and what it never suffers.

Facts only, each with its clause; the rules that ask for them are elsewhere. A country's value, capital and key cities
are in `data/areas.csv`, its hexes on the boards.
"""

from __future__ import annotations

from warcabinet.board.maps import both
from warcabinet.kernel.kept import lasting
from warcabinet.model.keys import NOWHERE, Place
from warcabinet.model.names import areas
from warcabinet.model.places import deciding_places, place_key

# Two countries that one declaration of war takes in (86.121, 87.13A).
DENMARK_AND_NORWAY = frozenset({"denmark", "norway"})
BELGIUM_AND_LUXEMBOURG = frozenset({"belgium", "luxembourg"})
DECLARED_TOGETHER = (DENMARK_AND_NORWAY, BELGIUM_AND_LUXEMBOURG)
# A country that goes with another wherever diplomacy and foreign units are concerned (82.32C, 87.13B).
FOLLOWS = {"luxembourg": "belgium"}

# Border regions that count within their country until Russia takes them (83.12D, 83.12E, 85.491, 85.492).
PARTS = {"bessarabia": "rumania", "finnish_border": "finland"}
# What war and diplomacy treat as part of a country, though it is an area of its own (83.447).
BELONGS = {**PARTS, "spanish_morocco": "spain"}
# On what war is declared to attack an area that has no wars of its own (82.41, R-0421).
DECLARED_ON = {**BELONGS, "eastern_poland": "poland"}

# Areas that fall by their key cities, having no capital.
WITHOUT_CAPITAL = {
    "eastern_poland": "83.12A",
    "baltic_states": "83.12B",
    "arabia": "83.12C",
    "bessarabia": "83.12D",
    "finnish_border": "83.12E",
    "luxembourg": "83.12F",
    "hong_kong": "83.12G",
    "bhutan": "83.12H",
    "nepal": "83.12I",
}
# A box that falls by factors and time, not by its capture (88.43).
FALLS_IN_TIME = ("ethiopia",)
NEVER_CONQUERED = ("communist_china", "canada", "south_africa", "australia", "india")
# Islands that pass with the first conquest of their country, each a group of hexes.
ISLANDS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "greece": ("83.22B(1)", (("CC30",), ("DD29",), ("EE28",), ("GG26", "GG27", "GG28"))),
    "spain": ("83.22B(2)", (("Y15", "Y16"),)),
    "baltic_states": ("83.22B(3)", (("F39",),)),
    "sweden": ("83.22B(4)", (("H36",),)),
}

# Countries of which a diplomatic result gives twice as much (82.21A(2), 82.21B(2)).
LARGE = ("spain", "turkey", "vichy_france")
COLONY_LISTS = ("83.441A", "83.441B", "83.442", "83.443A", "83.443B", "83.444", "83.446A", "83.446B", "83.447")
JAPANESE_COLONIES = ("mukden", "harbin", "seoul", "taipei")
VICHY = "vichy_france"
EUROPEAN_FRENCH_COLONIES = ("algeria", "lebanon_syria", "morocco", "tunisia")

# Who may become a minor ally of whom: of a power, or of an alliance faction.
_ALLIES_OF_RUSSIA = ("bulgaria", "finland", "greece", "hungary", "rumania", "sweden", "turkey", "yugoslavia")
_ALLIES_OF_THE_WEST = ("belgium", "norway", "spain", "vichy_france", *_ALLIES_OF_RUSSIA)
POTENTIAL_ALLIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "germany": ("85.211", ("ukraine", *_ALLIES_OF_THE_WEST)),
    "italy": ("85.212", ()),
    "western allies": ("85.213", _ALLIES_OF_THE_WEST),
    "russia": ("85.214", _ALLIES_OF_RUSSIA),
    # Of the Western Allies, once it has joined them, but with no allies in Europe (R-0444).
    "china": ("85.213", ()),
}

RUSSIA = ("russia", "ukraine")
BALKAN = ("bulgaria", "hungary", "rumania", "yugoslavia", "greece", "turkey")
BALKAN_CLAUSES = {
    "bulgaria": "85.46A(1)",
    "hungary": "85.46A(2)",
    "rumania": "85.46A(3)",
    "yugoslavia": "85.46A(4)",
}
SCANDINAVIANS = ("finland", "sweden", "norway")
# Whose units are no foreigners in Finland (82.32B).
NORDIC = ("finland", "sweden")
NO_RAIDS = ("sweden", "spain", "turkey", "vichy_france")

INA = "indian_national_army"
# Forces that no country stands behind, and the power that leads them (85.46I, 72.91).
LED_FORCES = {"vlasov": "germany", INA: "japan"}
DUTCH = "dutch_east_indies"
DUTCH_AREAS = ("java", "sumatra", "borneo")
# Forces that stand on the board from the start, and who sets them up (82.92).
PACIFIC = {"communist_china": "russia", DUTCH: "britain", "philippines": "usa", "thailand": "japan"}
# The Commonwealth lies wholly or partly off the boards (70.12, 70.22, 71.21, 72.21).
COMMONWEALTH_BOXES: dict[str, tuple[Place, ...]] = {
    "canada": (Place("box/atlantic_us"), Place("box/pacific_us")),
    "south_africa": (Place("box/south_africa"),),
    "australia": (Place("box/australia_box"),),
    "india": (Place("box/india_box"),),
}
COMMONWEALTH = tuple(COMMONWEALTH_BOXES)


def follower_of(country: str) -> str:
    """The country that goes with this one, if any."""
    return next((it for it, leader in FOLLOWS.items() if leader == country), "")


def partner_of(country: str) -> str:
    """The other one of two countries that go together, if any."""
    return FOLLOWS.get(country, "") or follower_of(country)


def one_country_with(country: str) -> tuple[str, ...]:
    """A country and the one that goes with it: together they are one."""
    return tuple(filter(None, (country, follower_of(country))))


@lasting
def home_hexes(nation: str) -> tuple[Place, ...]:
    """The land hexes of a nation's home country, with its regions and the places that decide who holds it."""
    land = "south_borneo" if nation == "borneo" else nation
    own = [h.key for board in both() for h in board if h.is_land and land in (h.country, h.region)]
    if nation in areas():
        own += [key for key in map(place_key, areas()[nation].places) if key not in own]
    return tuple(own)


@lasting
def dutch_hexes() -> tuple[Place, ...]:
    """Every land hex of the Dutch East Indies, the lesser islands too."""
    return tuple(h.key for board in both() for h in board if h.is_land and h.country == DUTCH)


@lasting
def set_up_hexes(nation: str) -> tuple[Place, ...]:
    """Where a country's forces may be set up: at home, boxes included; Spanish Morocco is Spain for this (83.447)."""
    morocco = home_hexes("spanish_morocco") if nation == "spain" else ()
    return home_hexes(nation) + (morocco or COMMONWEALTH_BOXES.get(nation, ()))


@lasting
def conquest_places(area: str) -> tuple[Place, ...]:
    """The places that must be held for an area to be conquered: those that decide it, and for Spain Tangier (83.13)."""
    return deciding_places(area) + ((place_key("Tangier"),) if area == "spain" else ())


def capital(country: str) -> Place:
    """The key of the capital, or nothing for a country that has none (83.12, 87.12)."""
    if country in WITHOUT_CAPITAL:
        return NOWHERE
    places = areas()[country].places if country in areas() else ()
    return place_key(places[0]) if len(places) == 1 else NOWHERE
