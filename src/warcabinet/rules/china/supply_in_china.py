"""Supply of Chinese units: whose sources they may draw on, and through whose hexes (78.61B, 78.9, 79.6)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.boxes import box
from warcabinet.board.maps import Sides, pacific
from warcabinet.board.names import with_role
from warcabinet.board.supply import reach, supplied
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import called
from warcabinet.model.places import Place, holder, place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.units import Unit, unit_branch
from warcabinet.rules.china.territory import (
    COMMUNISTS,
    NATIONALISTS,
    WEST,
    chinese_resistance,
    communist_sources,
    in_china,
    resistance_from_last_turn,
)
from warcabinet.rules.common.pieces import faction, friendly, side_of
from warcabinet.rules.common.supply_by_land import armor_zone, friends, hexes_of
from warcabinet.rules.common.waiting import nation_of, units_going
from warcabinet.rules.economy.force_pools import construction_supply
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.building import supplied_hex

CHINESE = (NATIONALISTS, COMMUNISTS)
#: Whose sources there are: each with the clause by which Nationalists and Communists may use them.
OWNERS = {
    NATIONALISTS: ("78.91", "79.623"),
    COMMUNISTS: ("78.923", "79.61"),
    "russia": ("78.921", "79.621"),
    WEST: ("78.922", "79.622"),
}
USES = tuple(clause for pair in OWNERS.values() for clause in pair)


# -- sources ------------------------------------------------------------------------------------------------------


@cache
def nationalist_cities() -> tuple[str, ...]:
    return tuple(it.key for it in with_role("supply_unlimited", NATIONALISTS))


@cache
def _capitals() -> tuple[Place, ...]:
    """The capitals of colonies on the Pacific board, which are limited supply sources."""
    return tuple(it.key for it in with_role("supply_limited") if it.board == "pacific")


@value("78.91", "The supply sources of one owner that stand open now", also=("79.61",))
def sources_of(s: State, owner: str) -> tuple[str, ...]:
    if owner == NATIONALISTS:
        ours = friends(s, NATIONALISTS)
        return tuple(it for it in nationalist_cities() if holder(s, it) in ours)
    if owner == COMMUNISTS:
        # Nationalist cities that Communists hold serve Nationalists alone, where they may use them (78.923).
        return communist_sources(s)
    if owner == "russia":
        edge = (it for it in box("urals").hexes("supply") if it.startswith("pacific/"))
        return tuple(it for it in edge if holder(s, it) in ("russia", COMMUNISTS)) + _capitals_of(s, "russia")
    box_open = s.countries["india"].status == "commonwealth"
    edge = (it for it in box("india_box").hexes("supply") if box_open)
    return tuple(it for it in edge if friendly(s, it, WEST)) + _capitals_of(s, WEST)


def _capitals_of(s: State, side: str) -> tuple[str, ...]:
    return tuple(it for it in _capitals() if friendly(s, it, side))


def _held_by_communists(s: State) -> tuple[str, ...]:
    # What Communist China holds as Russia's minor ally it holds in Russia's name.
    names = (COMMUNISTS, "russia") if s.countries[COMMUNISTS].status == "allied" else (COMMUNISTS,)
    return tuple(it for it in nationalist_cities() if holder(s, it) in names)


@definition("78.92", "Nationalist or Communist Chinese units may draw on the sources of an owner", covers=USES)
def may_draw_on(s: State, nation: str, owner: str) -> bool:
    note("sources", OWNERS[owner][CHINESE.index(nation)], owner, nation)
    if (nation, owner) == (NATIONALISTS, COMMUNISTS):
        return resistance_from_last_turn(s) >= 2
    if (nation, owner) == (COMMUNISTS, NATIONALISTS):
        return chinese_resistance(s) >= 2
    if (nation, owner) == (COMMUNISTS, WEST):
        return s.countries[COMMUNISTS].status != "allied"
    return True


# -- lines --------------------------------------------------------------------------------------------------------


#: The hexes between which the Burma Road enters China from Burma; the Himalayas shut the border with India.
ROAD = ("S15", "T14")
MANDALAY, KUNMING = place_key("Mandalay"), place_key("Kunming")


@definition("40.84B(2)", also=("40.841",))
def supply_by_burma_road(s: State) -> bool:
    """Supply is traced by land into China by the Burma Road: its full research result, and it is open."""
    if not (s.options.edition == "classic" or s.options.burma_road_result):
        return False
    edge, permitted = box("india_box").hexes("supply"), line_hexes(s)
    if s.countries["india"].status != "commonwealth" or not supplied(
        pacific(), edge, MANDALAY, permitted, _sides(False)
    ):
        return False
    return supplied(pacific(), (MANDALAY,), KUNMING, permitted, _sides(True))


@cache
def _sides(by_road: bool) -> Sides:
    """The sides that lines may cross: into China from Burma and India by the Burma Road, or not at all."""
    one = pacific()
    inside = (it for it in one if it.is_land and it.country in CHINESE)
    border = [(it.id, n.id) for it in inside for n in one.neighbours(it.id) if n.country == "burma"]
    return one.without_sides(one.ground_sides, [it for it in border if not (by_road and it == ROAD)])


def line_hexes(s: State) -> int:
    """The hexes through which Chinese lines run, as a bitmap: none of Japan's, no zones of its armor."""
    one, japan = pacific(), faction(s, "japan")
    ours = hexes_of(s, one, frozenset(CHINESE) | friends(s, "russia") | friends(s, "britain"))
    return ours & ~armor_zone(s, one, lambda it: side_of(s, it) == japan)


def reached_from(s: State, sources: tuple[str, ...]) -> int:
    """The hexes that lines from some sources reach, as a bitmap."""
    return reach(pacific(), sources, line_hexes(s), _sides(supply_by_burma_road(s)))


@value("78.93", "From whose sources Chinese units are supplied at a place, nearest right first", also=("79.63",))
def supplied_by(s: State, nation: str, place: Place) -> tuple[str, ...]:
    if not place.startswith("pacific/"):
        return (WEST,) if place == "box/india_box" else ()
    found = []
    for owner in dict.fromkeys((nation, *OWNERS)):
        sources = sources_of(s, owner)
        if (nation, owner) == (NATIONALISTS, COMMUNISTS):
            sources += _held_by_communists(s)
        if sources and may_draw_on(s, nation, owner) and reached_from(s, sources) & pacific().bits((place,)):
            found.append(owner)
    return tuple(found)


@definition("78.93", "Chinese units are in supply at a place", also=("79.63",))
def chinese_supplied(s: State, nation: str, place: Place) -> bool:
    return bool(supplied_by(s, nation, place))


@definition("78.61B", "The Flying Tigers are in supply: from Nationalist or from Western Allied sources")
def tigers_supplied(s: State, place: Place) -> bool:
    return bool({NATIONALISTS, WEST} & set(supplied_by(s, NATIONALISTS, place)))


@definition("78.94", "Units need supply; Chinese partisans of either side do not", also=("79.64",))
def needs_supply(s: State, nation: str, unit: Unit) -> bool:
    return not (nation in CHINESE and unit_branch(unit) == "partisan")


# -- where it tells: construction ---------------------------------------------------------------------------------


@definition("78.91", displaces=construction_supply, when=lambda s, power, place: power == NATIONALISTS)
def nationalist_construction_supply(s: State, power: str, place: Place) -> bool:
    """Nationalist units are built where a line from sources open to them leads."""
    return chinese_supplied(s, NATIONALISTS, place)


@definition("79.61", displaces=supplied_hex, when=lambda s, nation, country, place: nation == COMMUNISTS)
def communist_supply(s: State, nation: str, country: str, place: Place) -> bool:
    """Communist Chinese hexes are supplied from sources open to them."""
    return chinese_supplied(s, COMMUNISTS, place)


# -- where it tells: isolation ------------------------------------------------------------------------------------


@limit(
    "78.95",
    on=(ReportLoss, ReportUnits),
    when=lambda s, cmd: nation_of(cmd) in CHINESE and cmd.unsupplied,
    covers=("78.61B", "78.93", "78.94", "79.64", "79.65"),
)
def chinese_endure(s: State, cmd: ReportLoss | ReportUnits) -> Refusal | None:
    """Chinese units are not lost for lack of supply where they need none, or where a line reaches them."""
    return next(filter(None, (_endures(s, nation_of(cmd), it, cmd.at) for it in units_going(cmd))), None)


def _endures(s: State, nation: str, unit: Unit, at: Place) -> Refusal | None:
    """Why units are not lost for lack of supply at a place, if they are not."""
    branch, own = unit_branch(unit), CHINESE.index(nation)
    if branch == "partisan":
        return Refusal(("78.94", "79.64")[own], "partisans require no supply")
    if branch == "ground" and (nation == COMMUNISTS or in_china(s, at)):
        told = ("in China Nationalist", "Communist Chinese")[own]
        return Refusal(("78.95", "79.65")[own], f"{told} ground units are never eliminated for lack of supply")
    if nation == COMMUNISTS or branch not in ("ground", "air"):
        return None
    clause, open_to = ("78.61B", (NATIONALISTS, WEST)) if unit == "flying tiger" else ("78.93", tuple(OWNERS))
    owners = [it for it in supplied_by(s, nation, at) if it in open_to]
    told = " and ".join(map(called, owners))
    return Refusal(clause, f"{place_called(at)} is in supply: sources of {told}") if owners else None
