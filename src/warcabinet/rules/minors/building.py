"""Rebuilding a minor country's units and repairing its ships: what is free, who pays, where (82.94, 84.47, 85.48)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from warcabinet.board.maps import Board, board
from warcabinet.board.names import places_at, with_role
from warcabinet.board.supply import supplied
from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Rebuild, RebuildByCount, Repair, ReportDamage, ReportUnits
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.forces import force_rows
from warcabinet.model.happenings import Rebuilt, RebuiltAny, befell, sum_of
from warcabinet.model.names import StatusName, called, countries, powers
from warcabinet.model.pieces import BUILT, OUT_OF_PLAY, UNBUILT, At, Where
from warcabinet.model.places import Place, board_of, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.restatements import of_ally
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, INA, PARTS, RUSSIA, VICHY, capital, home_hexes
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.model.units import Unit, damaged, is_damaged, kind_name, unit_cost, unit_factors, unit_kind
from warcabinet.rules.common.books import out_of_the_economy, spend_brps
from warcabinet.rules.common.diplomacy import changed_hands
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import (
    BOUND,
    country_of,
    faction,
    friendly,
    held_by_partisans,
    land_beside_home,
    patron,
    said_of,
    side_of,
    standing_at,
)
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.supply_by_land import armor_zone, hexes_of, limited_sources, unlimited_sources
from warcabinet.rules.common.war_and_peace import colonies_of, opponents, vichy_places
from warcabinet.rules.economy.spending import constructed, construction_limit, spendable
from warcabinet.rules.kinds import definition, limit, opening, order, value
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import land, part_fallen
from warcabinet.rules.minors.units import moves_with


def status_of(s: State, nation: str) -> StatusName | Literal[""]:
    """The status by which a nation's units are rebuilt; Vlasov's Russians are minor ally units (85.46I)."""
    if nation == "vlasov":
        return "allied"
    if nation in COMMONWEALTH_BOXES:
        return "commonwealth"  # even after its surrender, as far as it builds then (R-0070)
    return "" if nation in (*powers(), INA) else s.countries[country_of(s, nation)].status


def branch_of(unit: Unit) -> str:
    """Infantry, armor, air or ships, as the limits on rebuilding speak of them."""
    kind = unit_kind(unit)
    return kind.unit if kind.branch == "ground" else kind.branch


#: By which clause a country's lost units come back, or never, and where; some of minor allies have their own.
BUILT_AGAIN = {"infantry": "84.47A", "armor": "84.47C", "air": "84.47C", "naval": "84.47D", "at": "84.47B"}
ALLIES_OWN = {"84.47B": "85.48", "84.47C": "85.482"}


def built_again_by(s: State, nation: str, branch: str) -> str:
    """The clause by which a nation's lost units come back, or never; the Commonwealth has its own but for ships."""
    status, clause = status_of(s, nation), BUILT_AGAIN.get(branch, "")
    if not status or (status == "commonwealth" and branch != "naval"):
        return ""
    return ALLIES_OWN.get(clause, of_ally(clause)) if status == "allied" else clause


#: Of whom another clause says how many infantry factors are rebuilt in a turn: none once the country has fallen.
INFANTRY_A_TURN = {DUTCH: ("84.47A(2)", 0), "philippines": ("89.44", 1), "thailand": ("89.51C", 1)}


@value("84.47A", covers=tuple(clause for clause, _ in INFANTRY_A_TURN.values()))
def free_infantry_factors(s: State, nation: str) -> int:
    """How many infantry factors a country may rebuild in a turn, free of charge: one unit of one or two."""
    clause, most = INFANTRY_A_TURN.get(nation, (built_again_by(s, nation, "infantry"), 2))
    if clause != "84.47A" and clause:
        note("rebuilt_by", clause, most, nation)
    return 0 if nation in INFANTRY_A_TURN and status_of(s, nation) == "conquered" else most


def rebuilt(s: State, nation: str, what: str) -> int:
    """What a nation has rebuilt this turn: in both player turns, if it changed sides between them (85.53)."""
    return sum_of(s, Rebuilt(what, nation), "turn")


@value("85.482", "What a rebuilt unit costs; infantry costs nothing, but the Commonwealth's")
def rebuild_cost(s: State, nation: str, unit: Unit) -> int:
    if status_of(s, nation) == "commonwealth":
        note("like_british_units", "82.13", True, nation)
    elif branch_of(unit) == "infantry":
        return 0
    return unit_cost(unit)


@value("85.482", "What the power that leads a country pays for a rebuilt unit: what it costs")
def cost_to_power(s: State, nation: str, unit: Unit) -> int:
    return rebuild_cost(s, nation, unit)


@value("85.482", "The power that pays for a rebuilt unit: the one that rebuilds it")
def rebuild_payer(s: State, nation: str, power: str) -> str:
    return power


#: The phase in which units are rebuilt.
REBUILT = ("unit construction",)


@order("85.48", "A minor country's unit is built again", on=Rebuild, phases=REBUILT)
def rebuild(p: Proceedings, cmd: Rebuild) -> None:
    _rebuild(p, cmd, At(cmd.at))


@order("85.48", "A minor country's unit is built again, on the players' own map", on=RebuildByCount, phases=REBUILT)
def rebuild_by_count(p: Proceedings, cmd: RebuildByCount) -> None:
    _rebuild(p, cmd, BUILT)


def _rebuild(p: Proceedings, cmd: Rebuild | RebuildByCount, to: Where) -> None:
    cost, payer = cost_to_power(p.s, cmd.country, cmd.unit), rebuild_payer(p.s, cmd.country, cmd.power)
    # Partisans rise anew; whatever else is rebuilt was lost before.
    origin = UNBUILT if unbuilt_of(p.s, cmd.country, cmd.unit) else OUT_OF_PLAY
    p.do(UnitsMoved(cmd.country, cmd.unit, 1, origin, to, f"{cmd.unit} rebuilt"))
    what = branch_of(cmd.unit)
    amount = unit_factors(cmd.unit) if what == "infantry" else 1
    p.do(befell(p.s, Rebuilt(what, cmd.country), amount))
    p.do(befell(p.s, RebuiltAny(what, cmd.power), 1))
    if cost:
        spend_brps(p, payer, cost, "unit construction", f"{called(cmd.country)}: {cmd.unit}", limit="85.482")


#: By which clause powers pay for what is built of a Commonwealth country, by the last Britain on its own limit.
PAID_FOR = {
    "canada": ("70.15C", "70.15C(1)"),
    "south_africa": ("70.25B", "70.25B(1)"),
    "australia": ("71.153B", "71.153A"),
    "india": ("72.163B", "72.163A"),
}


@limit("84.45C", on=(Rebuild, Repair), covers=tuple(it for clauses in PAID_FOR.values() for it in clauses))
def rebuilt_by_leader(s: State, cmd: Rebuild | Repair) -> Refusal | str | None:
    """The power that leads a country rebuilds its units and repairs its ships, unless it has surrendered (R-0443)."""
    if cmd.country in powers() and isinstance(cmd, Rebuild):
        return Refusal("85.48", f"{called(cmd.country)}'s own units are built by the order build")
    led = patron(s, cmd.country)
    if led == cmd.power:
        # A country that fights alone only has its units built in the turn of the power to which it looks (82.83A).
        return Refusal("83.43", f"{called(led)} has surrendered") if out_of_the_economy(s, led) else None
    leader = led or (moves_with(s, cmd.country) if isinstance(cmd, Rebuild) else "")
    if leader == cmd.power:
        return None
    if isinstance(cmd, Rebuild) and status_of(s, cmd.country) == "commonwealth":
        told = f"Britain pays for {called(cmd.country)}'s units as it builds them, the U.S. by a grant"
        return Refusal(PAID_FOR[cmd.country][0], told, also=PAID_FOR[cmd.country][1:])
    return f"{called(leader)} has it rebuilt or repaired" if leader else f"nobody leads {called(cmd.country)}"


#: By which clause units of a later date enter a Commonwealth force pool; other Canadian ones than armor by 70.14B.
ADDED_LATER = {"canada": "70.14C", "australia": "71.12B"}


@limit("85.48", on=Rebuild, covers=("70.14C", "71.12B"))
def unit_was_lost(s: State, cmd: Rebuild) -> Iterator[Refusal | str]:
    """Only units that were lost can be built again, those of the Commonwealth of a later date not before it."""
    country, unit = cmd.country, cmd.unit
    if unbuilt_of(s, country, unit) > 0:
        return
    rows = (it for it in force_rows(country, unit) if country in COMMONWEALTH_BOXES and it.since)
    if later := next((it.since for it in rows if calendar.parse_turn(it.since) > s.turn), ""):
        other = country == "canada" and branch_of(unit) != "armor"
        clause = "70.14B" if other else ADDED_LATER.get(country, "82.61")
        yield Refusal(clause, f"{called(country)}: {unit} is added to the force pool in {later}")
    else:
        yield f"no unbuilt {unit} of {called(country)}"


def _rebuilt_by(s: State, cmd: Rebuild) -> str:
    return "89.25" if cmd.country == DUTCH else built_again_by(s, cmd.country, branch_of(cmd.unit))


@limit("84.47A", on=Rebuild, by=_rebuilt_by, covers=("84.47D", "85.482", "85.483"))
def rebuilt_by_its_kind(s: State, cmd: Rebuild) -> Refusal | str | None:
    """One small infantry unit comes back in a turn, of a minor ally one armor unit and one air factor too; no ship."""
    what, clause = branch_of(cmd.unit), _rebuilt_by(s, cmd)
    if clause == "89.25":
        told = "Dutch units in the East Indies are not rebuilt once they are eliminated"
        return Refusal("89.25", told, also=("84.47A(2)",))
    if what == "naval":
        return "its ships may be repaired in a shipyard of its faction, but not built again"
    if clause == "84.47C":
        return f"{called(cmd.country)} is {status_of(s, cmd.country)}; its {what} units wait for activation"
    together = what != "infantry" and reading_in_force(s, "R-0046") == "b"
    if together and sum_of(s, RebuiltAny(what, cmd.power), "player turn"):
        return f"one {what} unit of all minor allies together has been rebuilt this turn"
    most = free_infantry_factors(s, cmd.country) if what == "infantry" else 1
    if most == 0:
        return "its units may not be rebuilt"
    if rebuilt(s, cmd.country, what):
        return f"one {what} unit has been rebuilt this turn"
    if what == "infantry":
        return None if unit_factors(cmd.unit) <= most else f"at most {most} factors"
    return within_means(s, cmd.power, rebuild_cost(s, cmd.country, cmd.unit))


@limit(
    "82.13",
    on=Rebuild,
    covers=tuple(clauses[-1] for clauses in PAID_FOR.values()),
    when=lambda s, cmd: status_of(s, cmd.country) == "commonwealth",
)
def commonwealth_within_means(s: State, cmd: Rebuild) -> Refusal | None:
    """What American BRPs do not pay of Commonwealth units Britain pays, within its construction limit."""
    told = within_means(s, cmd.power, cost_to_power(s, cmd.country, cmd.unit))
    return Refusal(PAID_FOR[cmd.country][-1], told, also=("82.13",)) if told else None


def within_means(s: State, power: str, cost: int) -> str | None:
    if cost > construction_limit(s, power) - constructed(s, power):
        return f"{cost} BRPs exceed what is left of the construction limit"
    return None if cost <= spendable(s, power) else f"{cost} BRPs are more than may be spent"


# -- where --------------------------------------------------------------------------------------------------------


def enemy_zone(s: State, nation: str, one: Board) -> int:
    """The hexes in zones of control of enemy armor; partners of an enemy who are at peace are no foes."""
    mine = {nation, patron(s, nation)} - {""}
    foes = {foe for it in mine for foe in opponents(s, it)} - mine
    return armor_zone(s, one, lambda it: it in foes or patron(s, it) in foes)


@definition("84.47B", "A place lies in an enemy zone of control")
def in_enemy_zone(s: State, nation: str, place: Place) -> bool:
    if place.startswith("box/"):
        return False
    one = board(board_of(place))
    return bool(enemy_zone(s, nation, one) & one.bits((place,)))


def sides_at_home(s: State, nation: str) -> frozenset[str]:
    """Whose ground is a nation's own: its side's, and for a country that fights alone its controller's (R-0211)."""
    mine = frozenset({side_of(s, nation)})
    if nation not in countries() or s.countries[nation].status != "controlled" or not fights_alone(s, nation):
        return mine
    return mine | {faction(s, s.countries[nation].by)}


def _controlled(s: State, nation: str, place: Place) -> bool:
    return any(friendly(s, place, side) for side in sides_at_home(s, nation))


@definition("84.44")
def supplied_hex(s: State, nation: str, country: str, place: Place) -> bool:
    """A hex is supplied: for its own country from the capital, for others by a line into the country."""
    if (clause := said_of(s, country, "84.44")) != "84.44":
        note("line_into_ally", clause, True, country)
    return _has_line(s, nation, country, place, limited_sources(s, side_of(s, nation)))


def _has_line(s: State, nation: str, country: str, place: Place, limited: tuple[Place, ...]) -> bool:
    """Whether a line runs to a place from its country's capital, its side's unlimited sources or these limited ones."""
    if place.startswith("box/"):
        return True
    one, side, sides = board(board_of(place)), side_of(s, nation), sides_at_home(s, nation)
    # Colonial capitals are limited supply sources (87.51).
    seats: list[Place] = [capital(it) for it in (country, *colonies_of(s, country))] if nation == country else []
    seats += [it.key for power in powers() if side_of(s, power) == side for it in with_role("capital", power)]
    sources = [it for it in (*seats, *unlimited_sources(s, side), *limited) if it.startswith(one.name + "/")]
    usable = [it for it in sources if _controlled(s, nation, it)]
    # From limited sources in others' hands lines run over an ally's ground too (R-0883), and what partisans hold.
    lent = [it for it in sources if it in limited and it not in usable]
    theirs = {faction(s, holder(s, it)) for it in lent if not held_by_partisans(s, it)}
    clear = ~enemy_zone(s, nation, one)
    for keys, held_by, besides in ((usable, sides, 0), (lent, sides | theirs, one.bits(lent))):
        ground = hexes_of(s, one, frozenset(it for it in (*powers(), *s.countries) if side_of(s, it) in held_by))
        # A source supplies its own hex, even in the zone of control of enemy armor.
        begins = one.bits(keys) if reading_in_force(s, "R-2501") == "a" else 0
        if keys and supplied(one, keys, place, (ground | besides) & (clear | begins)):
            return True
    return False


@definition("87.51", "A hex is fully supplied for another's units: not from a limited source alone (R-1860)")
def fully_supplied_hex(s: State, nation: str, country: str, place: Place) -> bool:
    if not supplied_hex(s, nation, country, place):
        return False
    limited = limited_sources(s, side_of(s, nation))
    # Where no line runs at all a clause of its own supplies the hex, and fully.
    return _has_line(s, nation, country, place, ()) or not _has_line(s, nation, country, place, limited)


def held_since_start(s: State, place: Place, nation: str) -> bool:
    """Friendly now, and at the start of the player turn."""
    was = changed_hands(s).get(place)
    then = was is None or ((was in powers() or was in countries()) and side_of(s, was) in sides_at_home(s, nation))
    return _controlled(s, nation, place) and then


def _built_at_home_by(s: State, nation: str) -> str:
    """The clause that says where a country's units are rebuilt; Canada and South Africa have their own (70.15A)."""
    if nation in countries() and countries()[nation].theater == "pacific":
        return "82.94"
    return built_again_by(s, nation, "at") if nation in countries() else ""


@limit("84.47B", on=Rebuild, by=lambda s, cmd: _built_at_home_by(s, cmd.country), covers=("82.94",))
def rebuilt_at_home(s: State, cmd: Rebuild) -> str | None:
    """Units are rebuilt at home: supplied, outside enemy zones of control, held since the turn began."""
    clause, place = _built_at_home_by(s, cmd.country), cmd.at
    if place in COMMONWEALTH_BOXES.get(cmd.country, ()):
        return None
    if place not in _home(s, cmd.country):
        return f"{place_called(cmd.at)} is not in the home country"
    if not _controlled(s, cmd.country, place):
        return f"{place_called(cmd.at)} is not controlled"
    if clause != "85.48" and not held_since_start(s, place, cmd.country):
        return f"{place_called(cmd.at)} was not controlled when the player turn began"
    if in_enemy_zone(s, cmd.country, place):
        return f"{place_called(cmd.at)} is in an enemy zone of control"
    supplied = supplied_hex(s, cmd.country, cmd.country, place)
    return None if supplied else f"{place_called(cmd.at)} is not supplied; by sea it is reported (report_full_supply)"


#: By which clause a country's units left play that a conquest did not take: by what gave it its status, and how.
LEFT_PLAY = {"85.52C": ("85.52A", "surrendered")}


@limit(
    "83.21",
    on=Rebuild,
    when=lambda s, cmd: (
        cmd.country in countries() and status_of(s, cmd.country) == "conquered" and branch_of(cmd.unit) != "partisan"
    ),
    covers=("85.52A",),
    # No other reason is told beside this one: a conquered country rebuilds nothing at all.
    displaces=(rebuilt_by_leader, unit_was_lost, rebuilt_by_its_kind, rebuilt_at_home),
)
def conquered_not_rebuilt(s: State, cmd: Rebuild) -> Refusal:
    """The units of a country that fell or surrendered have left play for good, even if its capital was retaken."""
    clause, how = LEFT_PLAY.get(s.countries[cmd.country].clause, ("83.21", "was conquered"))
    return Refusal(clause, f"{called(cmd.country)} {how}; its units are out of play")


@barred(
    "85.46I",
    acts=("enter", "build"),
    when=lambda s, it: (
        it.nation == "vlasov"
        and isinstance(it.cmd, (Rebuild, ReportUnits))
        and s.place.step.name == "unit construction"
    ),
)
def vlasov_created_in_city(s: State, it: Presence) -> Refusal | str | None:
    """Vlasov units are built in Axis-controlled, supplied cities of Russia and Poland, as many as may be in a turn."""
    if not vlasov_site(s, it.at):
        return f"{it.place} is no Axis-controlled, supplied city in Russia or Poland"
    if in_enemy_zone(s, "vlasov", it.at):
        return f"{it.place} is in an enemy zone of control"
    too_many = it.count > 1 or unit_factors(it.units[0]) > 2 or rebuilt(s, "vlasov", "infantry") > 0
    return Refusal("85.481A", "one unit of one or two factors a turn is built") if it.reported and too_many else None


def _home(s: State, country: str) -> tuple[str, ...]:
    """The hexes of a country in which its units are rebuilt; eastern Poland is Poland's until it falls (R-1840).

    Nor are they rebuilt in a Bessarabia or in border hexes that were cut off, where they may go all the same (R-2390).
    """
    if country == VICHY:
        return vichy_places(s)
    own = home_hexes(country)
    if country in PARTS.values():
        return tuple(it for it in own if not part_fallen(s, it))
    return own + land_beside_home(s, country)


@definition("85.46I", "Vlasov units are built in an Axis-controlled, supplied city of Russia or Poland")
def vlasov_site(s: State, place: Place) -> bool:
    there = land(place)[0] in (*RUSSIA, "poland", "eastern_poland") and bool(places_at(place))
    return there and friendly(s, place, "axis") and fully_supplied_hex(s, "vlasov", land(place)[0], place)


#: BRPs that a shipbuilding point costs, assumed for Canada.
POINT = 3
#: Factors of a ship, each of which takes a shipbuilding point; for the last three it is assumed.
FACTORS = {"destroyer": 1, "cruiser": 2, "battlecruiser": 3, "submarine": 1, "asw": 1, "transport": 1}


def points_in(unit: Unit) -> int:
    """The shipbuilding points that a ship takes; none where its size is not told."""
    return FACTORS.get(kind_name(unit), 0)


#: Boxes in which ships are built, and whose yards are there (70.15B, 71.152C, R-2630).
YARDS = {"box/atlantic_us": ("usa", "britain"), "box/pacific_us": ("usa",), "box/australia_box": ("britain",)}


@definition("84.47D")
def may_repair_at(s: State, nation: str, place: Place) -> bool:
    """A damaged ship of a minor country may be repaired in a shipyard of its faction."""
    note("ship_repair", built_again_by(s, nation, "naval") or "84.47D", True, nation)
    key, side = place, side_of(s, nation)
    # Boxes in which ships are built are never lost to the enemy.
    return is_shipyard(s, key, side) and (key in YARDS or friendly(s, key, side))


@definition(
    "84.47D", "A port at home of a power of the faction, or of Australia, or a box in which ships are built (R-0426)"
)
def is_shipyard(s: State, place: Place, side: str) -> bool:
    if place.startswith("box/"):
        return any(side_of(s, power) == side for power in YARDS.get(place, ()))
    at_home = any(place in home_hexes(it) for it in (*powers(), "australia") if side_of(s, it) == side)
    return at_home and any(it.has("port") for it in places_at(place))


def in_australia(place: Place) -> bool:
    """Whether a ship in this place is repaired with Australian shipbuilding points (71.152C)."""
    return place == "box/australia_box" or place in home_hexes("australia")


def american_yard(s: State, place: Place, side: str) -> bool:
    """Whether the U.S., which builds ships in the boxes that are its home, is on this side (R-2630)."""
    return "usa" in YARDS.get(place, ()) and side_of(s, "usa") == side


def repaired_abroad(s: State, nation: str, unit: Unit, place: Place) -> bool:
    """Whether a damaged ship may be in a shipyard of its faction, a Dutch one too (R-1960)."""
    return nation not in powers() and is_damaged(unit) and may_repair_at(s, nation, place)


SHIPS = (Unit("cruiser"), Unit("battlecruiser"))


def _change(p: Proceedings, nation: str, unit: Unit, to: Unit, at: At, count: int, memo: str) -> None:
    """Counters are turned over: so many of one name leave, and as many of the other come."""
    p.do(UnitsMoved(nation, unit, count, at, OUT_OF_PLAY, memo))
    p.do(UnitsMoved(nation, to, count, OUT_OF_PLAY, at, memo))


@order("84.47D", "Ships of a minor country are damaged", on=ReportDamage)
def report_damage(p: Proceedings, cmd: ReportDamage) -> None:
    _change(p, cmd.nation, Unit(cmd.ship), damaged(Unit(cmd.ship)), At(cmd.at), cmd.count, f"{cmd.ship} damaged")


@limit("84.47D", on=ReportDamage)
def damaged_ships_are_there(s: State, cmd: ReportDamage) -> Bound | str:
    """Damage is kept for the ships of minor countries, which these rules repair; no more than lie in the place."""
    if cmd.nation in powers():
        return f"what becomes of {called(cmd.nation)}'s damaged ships is told in chapters that are played outside"
    there = standing_at(s, cmd.nation, cmd.at, Unit(cmd.ship))
    return Bound("count", most=there, text=f"undamaged ships of {called(cmd.nation)} there")


@order("84.47D", on=Repair, phases=("unit construction",))
def repair(p: Proceedings, cmd: Repair) -> None:
    """A damaged ship is repaired, and paid for by the power that leads its country."""
    _change(p, cmd.country, damaged(Unit(cmd.ship)), Unit(cmd.ship), At(cmd.at), 1, f"{cmd.ship} repaired")
    if in_australia(cmd.at):
        p.do(Happened(Happening(p.s.moment, "repairs", "australia", -1)), "71.152C")
    if cmd.brp:
        spend_brps(p, cmd.power, cmd.brp, "repair", f"{called(cmd.country)}: {cmd.ship} repaired")


@opening("84.47D", "Countries with damaged ships", on=Repair)
def ships_to_repair(s: State, cmd: Repair) -> Choice:
    nations = {it.nation for ship in SHIPS for it in s.pieces.of_type(damaged(ship))}
    return Choice("country", tuple(sorted(nations)), "no ship of a minor country is damaged")


@opening("84.47D", "Minor countries with ships that can be damaged", on=ReportDamage)
def ships_to_damage(s: State, cmd: ReportDamage) -> Choice:
    nations = {it.nation for ship in SHIPS for it in s.pieces.of_type(ship)} - set(powers())
    return Choice("nation", tuple(sorted(nations)), "no minor country has such ships on the boards")


@limit("84.47D", on=Repair)
def repaired_in_shipyard(s: State, cmd: Repair) -> Iterator[Refusal | Bound | str]:
    """A damaged ship is repaired where it lies, in a shipyard of its faction, for what its power may spend."""
    name, place = called(cmd.country), place_called(cmd.at)
    if not standing_at(s, cmd.country, cmd.at, damaged(Unit(cmd.ship))):
        yield f"no damaged {cmd.ship} of {name} at {place}"
    if cmd.country in powers() or status_of(s, cmd.country) not in (*BOUND, "commonwealth"):
        yield f"{name} is bound to no power; its repairs are played outside"
    elif not may_repair_at(s, cmd.country, cmd.at):
        told = f"{place} is no shipyard that the faction of {name} controls"
        yield Refusal(built_again_by(s, cmd.country, "naval"), told)
    if cmd.brp > 0:
        yield Bound("brp", most=spendable(s, cmd.power), text="what the power may spend", clause="39.11")
