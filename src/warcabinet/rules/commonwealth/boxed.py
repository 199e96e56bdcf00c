"""Australia and India, which lie mostly in a box beside the Pacific board, and the Urals box (71, 72, 81.6).

Their chapters are near twins: each mechanism is written once, and this table holds in what the two differ. Here stand
who is in the box and beside it, what that and bombs cost (of the Urals box too, 81.7), and what the box supplies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from warcabinet.board.boxes import box
from warcabinet.board.maps import pacific
from warcabinet.board.names import areas as board_areas
from warcabinet.board.names import places_at
from warcabinet.board.supply import reach
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.commonwealth import TraceSeaSupply
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.events import Happened
from warcabinet.model.happenings import HitInBox, SuppliedBySea, befell, deeds, kept_as
from warcabinet.model.keys import Unit
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import INA, home_hexes
from warcabinet.rules.common.books import free_transports, keeps_transports, transports_of
from warcabinet.rules.common.pieces import faction, friendly, neighbours, patron
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.supply_by_land import unlimited_sources
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.common.ways import BY_SEA, NR, box_key, factors, ground_beside, ground_in, named
from warcabinet.rules.economy.spending import construction_sum
from warcabinet.rules.economy.tolls import Toll, toll
from warcabinet.rules.kinds import definition, limit, opening, order, value

WEST, JAPAN = "western allies", "japan"


class Boxed(msgspec.Struct, frozen=True):
    """What is peculiar to one of the two: its chapter, its box, the edge of the board it touches, whose transports."""

    chapter: str
    box: str
    edge: str
    ocean: str
    #: Whose ground units beside the box cost BRPs and count for a surrender (71.41, 72.41).
    foes: tuple[str, ...]


BOXED = {
    "australia": Boxed("71", "australia_box", "southern edge", "pacific", (JAPAN,)),
    "india": Boxed("72", "india_box", "western edge south of the Himalayas", "indian_ocean", (JAPAN, INA)),
}


def clause(country: str, number: str) -> str:
    """The clause of a country's own chapter that has this number: `23` is 71.23 for Australia, nothing for others."""
    return f"{BOXED[country].chapter}.{number}" if country in BOXED else ""


def box_of(country: str) -> Place:
    """A country's box as a place."""
    return Place(box_key(BOXED[country].box))


@lasting
def country_in(place: Place) -> str:
    """The country whose box a place is, if it is one of the two."""
    return next((country for country in BOXED if box_of(country) == place), "")


@definition("71.53", "A country has surrendered to Japan, for good")
def has_surrendered(s: State, country: str) -> bool:
    return s.countries[country].status != "commonwealth"


#: The outback hexes, all on the southern edge of the Pacific board (71.81).
OUTBACK = frozenset(board_areas()["outback"].keys)


@cache
def joined_by_land(country: str) -> frozenset[str]:
    """The hexes of a country from which one comes to its box by land, over no closed side."""
    one = pacific()
    land = one.bits(key for key in home_hexes(country) if key.startswith("pacific/"))
    found = reach(one, box(BOXED[country].box).hexes("ground"), land)
    return frozenset(key for key in home_hexes(country) if one.bits((key,)) & found)


# -- who stands in the box and beside it --------------------------------------------------------------------------


@value("71.41", "Western Allied ground factors in a country's box")
def factors_in_box(s: State, country: str) -> int:
    return factors(ground_in(s, BOXED[country].box, WEST))


@value("71.41")
def factors_beside_box(s: State, country: str) -> int:
    """Japanese ground factors beside a country's box; beside India's the Indian National Army counts too (R-0832)."""
    return factors(ground_beside(s, BOXED[country].box, BOXED[country].foes))


@value("71.41", "Enemy ground factors beside a box in excess of the Western Allied ones in it")
def excess_beside_box(s: State, country: str) -> int:
    return max(0, factors_beside_box(s, country) - factors_in_box(s, country))


@value("71.23")
def factors_that_stay(s: State, country: str) -> int:
    """Western Allied ground factors that stay in a box: as many as Japanese ones are beside it (R-0065, R-0066)."""
    return factors(ground_beside(s, BOXED[country].box, (JAPAN,)))


def pacific_port(s: State, place: Place) -> bool:
    """A port on the Pacific board in Western Allied hands."""
    on_board = place.startswith("pacific/") and any(it.has("port") for it in places_at(place))
    return on_board and friendly(s, place, WEST)


# -- the Urals box, which is Russia's ------------------------------------------------------------------------------

URALS = "urals"
BOX = box_key(URALS)
#: The hexes beside the box, and those of them that lie in China: a way in only while Communists or Russians hold them.
GATES = frozenset(box(URALS).hexes("ground"))
CHINESE_GATES = frozenset(key for link in box(URALS).links if link.condition for key in link.keys)
ENEMY = "axis"
EDGE = {"europe": "81.63A", "pacific": "81.63B"}


def enemy(s: State, nation: str) -> bool:
    """Whether a nation belongs to the European Axis or to Japan."""
    leader = patron(s, nation)
    return leader == "japan" or (bool(leader) and s.powers[leader].faction == ENEMY)


def board_of_edge(key: str) -> str:
    return key.partition("/")[0]


@definition("81.63")
def urals_gate(s: State, place: Place) -> bool:
    """A hex is a way in and out of the Urals box: the Russian edge of Europe; that of Asia, with Communist China's."""
    if place not in GATES:
        return False
    note("edge", "81.63A" if board_of_edge(place) == "europe" else "81.63B", board_of_edge(place), place)
    return place not in CHINESE_GATES or holder(s, place) in ("communist_china", "russia")


@value("81.65", "Russian ground factors in the Urals box")
def russian_factors(s: State) -> int:
    return factors(it for it in ground_in(s, URALS, s.powers["russia"].faction))


@value("81.65", "European Axis and Japanese ground factors beside the Urals box, on both boards")
def factors_beside(s: State) -> int:
    return factors(beside_urals(s, lambda nation: enemy(s, nation)))


def beside_urals(s: State, of: Callable[[str], bool]) -> Iterator[Stack]:
    """The ground units of some nations that stand where a way leads into the Urals box."""
    nations = {it.nation for it in s.pieces.among(GATES) if of(it.nation)}
    return (it for it in ground_beside(s, URALS, nations) if urals_gate(s, it.place))


@value("81.71", "Ground factors beside the Urals box of those with whom Russia is at war")
def fighting_beside(s: State) -> int:
    return factors(beside_urals(s, lambda nation: enemy(s, nation) and _fights_russia(s, nation)))


def _fights_russia(s: State, nation: str) -> bool:
    """Whether Russia is at war with Japan or, whichever of its powers declared war, with the European Axis."""
    if patron(s, nation) == "japan":
        return at_war(s, "japan", "russia")
    return any(at_war(s, it, "russia") for it in powers() if s.powers[it].faction == ENEMY)


# -- what enemies beside a box and bombs on it cost --------------------------------------------------------------

#: A kind of happening, and whom it is about.
Kept = tuple[str, str]


class Hurt(NamedTuple):
    """A box: whose it is, the most BRPs that enemies beside it cost in a turn, the most that comes off limits."""

    power: str
    most: int
    off_limits: int
    #: Whose factors stand beside the box in excess, and how that is told.
    excess: Callable[[State, str], int]
    beside: str
    averted_by: str
    about: str
    #: By which clause they cost BRPs, and by which that and bombs lower a limit; how all is kept in mind.
    costs: str
    cuts: str
    lost: Kept
    #: Attacks from the air; those by rockets stand among all of them.
    hits: tuple[Kept, ...]
    rockets: Kept


#: The boxes of Australia and India; that of the Urals stands below.
HURT = {
    country: Hurt(
        *("britain", 10, 3, excess_beside_box, f"enemies beside the {called(country)} box"),
        "as many Western Allied ground factors in the box as enemies beside it",
        *(country, clause(country, "41"), clause(country, "42"), ("lost beside its box", country)),
        *((("bombed", country),), ("hit by rockets", country)),
    )
    for country in BOXED
}


def on_urals(means: str) -> tuple[str, str]:
    """How the happenings call BRPs lost in the box to a means of attack, and of whom."""
    return kept_as(HitInBox(means, URALS, "russia"))


HURT[URALS] = Hurt(
    *(
        "russia",
        15,
        15,
        lambda s, of: max(0, fighting_beside(s) - russian_factors(s)),
        "enemy units beside the Urals box",
    ),
    "as many Russian ground factors in the box by then",
    *("russia", "81.71", "81.72", ("lost beside urals", "russia")),
    *(tuple(map(on_urals, ("bombing", "flying bombs", "rockets"))), on_urals("rockets")),
)


@value("71.41", also=("81.71",), covers=("71.51E", "72.51E"))
def loss_beside_box(s: State, of: str) -> int:
    """BRPs that enemies beside a box cost: one for each factor in excess, ten at most, beside the Urals fifteen."""
    if of in BOXED and has_surrendered(s, of):
        note("surrendered", clause(of, "51E"), 0, of)
        return 0
    return min(HURT[of].most, HURT[of].excess(s, of))


@toll("71.41", ends="axis", also=("81.71",))
def enemies_beside_boxes(s: State) -> Iterator[Toll]:
    """As the Axis combat phase ends, enemies beside a box cost the power whose it is BRPs."""
    for of, row in HURT.items():
        brp = loss_beside_box(s, of)
        own = f" and {called(row.about)}'s" if row.about != row.power else ""
        cut = f", and {brp // 3} off its construction limit{own}" if brp >= 3 else ""
        text = f"{called(row.power)} loses {brp} BRPs for {row.beside}{cut}"
        sink = "Urals box" if of == URALS else "enemies beside a box"
        yield Toll(row.power, brp, row.costs, row.beside, sink, text, row.about, row.averted_by, row.lost)


# -- construction limits ------------------------------------------------------------------------------------------


@value("71.321", also=("81.641",))
def limits_cut_by_bombing(s: State, of: str) -> int:
    """What bombs, flying bombs and rockets take off limits: one for three BRPs, by rockets one for one (R-0069)."""
    rockets = total(s, *HURT[of].rockets, "turn")
    return (sum(total(s, *it, "turn") for it in HURT[of].hits) - rockets) // 3 + rockets


@value("71.42", also=("81.72",))
def limits_cut_beside_box(s: State, of: str) -> int:
    """What enemies beside a box take off limits: one for every three BRPs that they cost, rounded down (R-0069)."""
    return total(s, *HURT[of].lost, "turn") // 3


@value("71.152", also=("81.72",))
def limit_reduction(s: State, of: str) -> int:
    """By how much construction limits are lower this turn for all that a box suffers, at most so much together."""
    return min(HURT[of].off_limits, limits_cut_by_bombing(s, of) + limits_cut_beside_box(s, of))


def _cuts(s: State, power: str) -> dict[str, int]:
    """What each of a power's boxes takes off its construction limit this turn, if anything."""
    found = {of: limit_reduction(s, of) for of, row in HURT.items() if row.power == power}
    return {of: off for of, off in found.items() if off}


@value(
    "71.42",
    adds_to=construction_sum,
    when=lambda s, power: bool(_cuts(s, power)),
    also=("71.321", "72.321", "81.641", "81.72"),
)
def limit_cut(s: State, power: str) -> int:
    """Bombs on its boxes and enemies beside them lower a power's construction limit."""
    cuts = _cuts(s, power)
    for of, off in cuts.items():
        note("taken_off", HURT[of].cuts, -off, of)
    return -sum(cuts.values())


# -- supply ----------------------------------------------------------------------------------------------------


@value("71.61", also=("71.31", "72.31", "71.71", "72.71"), covers=("71.51C", "72.51C"))
def box_hexes(s: State, country: str, means: str) -> tuple[Place, ...]:
    """The hexes by which a country's box supplies, is attacked in attrition (ground), lets ships out (naval).

    After its surrender it supplies nobody, and nobody fights there.
    """
    if means != "naval" and has_surrendered(s, country):
        note("surrendered", clause(country, "51C"), True, country)
        return ()
    return box(BOXED[country].box).hexes(means)


def supplied_ports(s: State, country: str) -> tuple[Place, ...]:
    """The ports to which sea supply lines run from a country's box now: each of them keeps a transport.

    A line lasts for the player turn, unless its transport serves another one since: that of a later determination.
    """
    if not box_hexes(s, country, "sea_supply"):
        return ()
    ocean = BOXED[country].ocean
    traced = [it.place for it, _ in deeds(s, SuppliedBySea, "player turn") if it.country == country]
    latest = list(dict.fromkeys(reversed(traced)))
    kept = latest[: transports_of(s, ocean)] if keeps_transports(s, ocean) else latest
    return tuple(key for key in kept if pacific_port(s, key))


@value("71.61", adds_to=unlimited_sources, when=lambda s, side: side == WEST)
def supplied_from_boxes(s: State, side: str) -> tuple[Place, ...]:
    """The boxes are unlimited supply sources for the Western Allies, over the edge and to ports that a line
    supplies.
    """
    found: tuple[Place, ...] = ()
    for country in BOXED:
        found += box_hexes(s, country, "supply") + supplied_ports(s, country)
    return found


# -- lines by sea -------------------------------------------------------------------------------------------------


@value("71.61", "Transports that are free for sea supply lines from a country's box")
def transports_for_supply(s: State, country: str) -> int:
    return free_transports(s, BOXED[country].ocean)


@order("71.61", on=TraceSeaSupply, phases=("initial supply determination", "post-combat supply determination"))
def trace_sea_supply(p: Proceedings, cmd: TraceSeaSupply) -> None:
    """One transport keeps a sea supply line from a box to a port."""
    by, to = clause(cmd.country, "61"), cmd.to
    p.do(Happened(Happening(p.s.moment, "transports used", BOXED[cmd.country].ocean, 1)), by)
    p.do(befell(p.s, SuppliedBySea(cmd.country, to), 1), by)


@opening("71.61", "Western powers trace supply from the boxes", on=TraceSeaSupply)
def western_powers(s: State, cmd: TraceSeaSupply) -> Choice:
    west = tuple(it for it in powers() if faction(s, it) == WEST)
    return Choice("power", west, "the boxes supply Western Allied units")


@limit("71.61", on=TraceSeaSupply, covers=("71.51C", "72.51C"))
def supplies_western_port(s: State, cmd: TraceSeaSupply) -> Iterator[Refusal]:
    """The boxes supply Western Allied units, to ports that they hold, until their country surrenders.

    Each sea supply line takes a transport of its ocean.
    """
    by, ocean = clause(cmd.country, "61"), BOXED[cmd.country].ocean
    if not box_hexes(s, cmd.country, "sea_supply"):
        told = f"{called(cmd.country)} has surrendered: its box supplies nobody"
        yield Refusal(clause(cmd.country, "51C"), told)
    if keeps_transports(s, ocean) and transports_for_supply(s, cmd.country) <= 0:
        yield Refusal(by, f"no {ocean.replace('_', ' ').title()} transport is free")
    if faction(s, cmd.power) != WEST:
        yield Refusal(by, "the boxes supply Western Allied units only")
    elif not pacific_port(s, cmd.to):
        yield Refusal(by, f"{place_called(cmd.to)} is no port of the Pacific mapboard in Western Allied hands")


# -- naval entry --------------------------------------------------------------------------------------------------


@value("71.71", "How many off-board hexes a naval entry hex is from the ports of a country's box")
def naval_entry_distance(s: State, country: str, hex: Place) -> int:
    for link in box(BOXED[country].box).links:
        if "naval" in link.means and hex in link.keys:
            note("entry", clause(country, "71"), link.distance, place_called(hex))
            return link.distance
    entries = ", ".join(it.partition("/")[2] for it in box_hexes(s, country, "naval"))
    raise WarCabinetError(f"ships of the {called(country)} box come onto the board by {entries}")


#: The hexes by which ships of a box come onto the board, with the country whose box that is.
ENTRIES = {key: country for country in BOXED for key in box(BOXED[country].box).hexes("naval")}


@limit(
    "71.71",
    on=(MoveUnits, ReportOperation),
    when=lambda s, cmd: f"pacific/{cmd.through}" in ENTRIES,
    covers=("71.223A", "72.223A"),
)
def passes_by_entry_hex(s: State, cmd: MoveUnits | ReportOperation) -> Refusal | None:
    """An entry hex that is named lies on the way by sea between a box and the Pacific board.

    Units are redeployed by NN24 (Townsville) or NN31 (Noumea).
    """
    key = Place(f"pacific/{cmd.through}")
    country, how = ENTRIES[key], cmd.how if isinstance(cmd, MoveUnits) else "sea transport"
    ends = (cmd.from_, cmd.to) if isinstance(cmd, MoveUnits) else (cmd.origin, cmd.at)
    naval_entry_distance(s, country, key)
    crosses = box_of(country) in ends and any(it.startswith("pacific/") for it in ends)
    if how not in (*BY_SEA, "redeployment") or not crosses:
        told = f"{cmd.through} lies on the way by sea between {named(box_of(country))} and the Pacific mapboard"
        return Refusal(clause(country, "71"), told)
    open_to = [it for it in box(BOXED[country].box).hexes("naval_redeployment") if it in ENTRIES]
    if how == NR and key not in open_to:
        told = f"naval redeployment leads through {' or '.join(map(named, open_to))}, not through {cmd.through}"
        return Refusal(clause(country, "223A"), told)
    return None


# -- the outback --------------------------------------------------------------------------------------------------


@definition("71.81", "Ground units, supply and attacks do not pass the side between two adjacent hexes")
def outback_side(s: State, one: Place, other: Place) -> bool:
    a, b = one, other
    if b not in neighbours(a):
        return False
    return pacific().side(a.partition("/")[2], b.partition("/")[2]) == "outback" if {a, b} <= OUTBACK else False


def _over_one_side(s: State, it: Presence) -> bool:
    """Whether ground units march or attack from one hex of the outback or beside it to another; reports name no way."""
    if not it.at.startswith("pacific/") or not OUTBACK & {it.origin, it.at} or (it.reported and it.act == "enter"):
        return False
    return it.cmd.branch == "ground" if it.act == "attack" else it.brings("ground")


@barred("71.81", acts=("enter", "attack"), when=_over_one_side, final=True)
def not_through_the_outback(s: State, it: Presence) -> str | None:
    """No ground unit moves, is redeployed or attacks over an all-outback hexside."""
    if not it.origin or not outback_side(s, it.origin, it.at):
        return None
    told = f"the side between {place_called(it.origin)} and {it.place} is all outback"
    return f"{told}: go round by other hexes" if it.act == "enter" else f"{told}: nobody fights over it"


# -- New Zealand --------------------------------------------------------------------------------------------------


@value("71.91", "Units of a kind that are New Zealand's among the Australian ones; they are Australian for all else")
def new_zealand_units(s: State, unit: Unit) -> int:
    return 2 if unit == "infantry 1-2" else 0
