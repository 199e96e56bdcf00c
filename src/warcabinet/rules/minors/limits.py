"""How many foreign factors a controlled country admits, and who leaves it after a reversal (82.32, 82.33, 84.43)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from warcabinet.kernel.kept import kept, lasting, once
from warcabinet.kernel.limits import Bound, Finding
from warcabinet.kernel.why import note
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.minors import ReportSupply
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged, UnitsMoved
from warcabinet.model.keys import Unit
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At, Stack
from warcabinet.model.places import Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Standing, State
from warcabinet.model.traits import FOLLOWS, NORDIC, VICHY, follower_of, home_hexes, one_country_with
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import (
    BOUND,
    COUNTERS,
    STANDS_ALONE,
    faction,
    patron,
    side_of,
    units_in,
    units_in_its_east,
)
from warcabinet.rules.common.war_and_peace import (
    ATTACKERS,
    at_war,
    attacked_colony,
    attackers_of,
    colonies_of,
    player_of,
    same_faction,
)
from warcabinet.rules.kinds import definition, due, effect, limit, order, remembered, value
from warcabinet.rules.minors.status import (
    all_hexes,
    end_of_their_turn,
    hand_over_hexes,
    lose,
    no_longer_caught,
    overseas,
    release_capital,
    release_hexes,
    russians_invaded,
    supply_until,
)

CHECKED = ("movement", "combat", "redeployment")
WEST = "western allies"


@value("82.32", also=("86.23",))
def factor_limit(s: State, country: str) -> int:
    """A country under hex control admits ten foreign factors, or supply for them; Finland five Axis ones, always."""
    if not only_axis_limited(s, country):
        return 10
    status = s.countries["finland"].status
    note("five_in_finland", "82.322", 5, status)
    note("five_in_finland", {"associated": "84.43", "allied": "85.43"}.get(status, "82.32A"), 5, status)
    return 5


def only_axis_limited(s: State, country: str) -> bool:
    """The five are a limit on the Axis; under an Allied hex control result Finland is a country like any other."""
    standing = s.countries["finland"]
    return country == "finland" and not (standing.status == "controlled" and faction(s, standing.by) != "axis")


@remembered("82.32B", until="player turn")
def supplied_through(s: State, country: str) -> int:
    """Factors that were supplied through a country in this turn's initial supply determination."""
    return 0


@remembered("86.23", until="player turn")
def armor_supplied_through(s: State) -> int:
    """Axis armor units that were supplied through Finland in this turn's initial supply determination."""
    return 0


@value("86.23", "Axis armor units that Finland still admits, those supplied through it taken off the one (82.32B(2))")
def armor_admitted(s: State) -> int:
    return max(0, 1 - armor_supplied_through(s))


@value("82.32B(2)", "What is left for units inside, and for supply after combat, when others were supplied through it")
def admitted(s: State, country: str) -> int:
    return max(0, factor_limit(s, country) - supplied_through(s, country))


@definition("82.321B", "Foreign ground, air and naval factors count against the limit")
def counts_against_limit(s: State, nation: str, unit: Unit, country: str) -> bool:
    if unit in COUNTERS:
        note("exempt_counter", "82.321C", unit)
        return False
    if only_axis_limited(s, country):
        note("finns_and_swedes", "82.322", nation)
        return nation not in NORDIC and side_of(s, nation) == "axis"
    # Those who invade a country, Russians in a border war among them, are no guests; the five hold for them too.
    by_border_war = (nation, country) == ("russia", "rumania") and russians_invaded(s, country)
    invader = by_border_war or patron(s, nation) in attackers_of(s, country)
    return not invader and nation not in one_country_with(country)


def _has_factors(s: State, stack: Stack) -> bool:
    """Whether units are counted: no partisans, nor counters, and ships where a table counts them (R-0031)."""
    ships = reading_in_force(s, "R-0031") == "a"
    return stack.unit not in COUNTERS and stack.branch != "partisan" and (ships or stack.branch != "naval")


@value("82.321B", "The foreign factors that can be counted in a country now")
def foreign_factors(s: State, country: str) -> int:
    if follower_of(country):
        note("one_country", "82.32C", _under_one_result(s, country))
        note("one_country", "87.13C", _under_one_result(s, country))
    return sum(stack.factors for stack in guests(s, country))


def _under_one_result(s: State, country: str) -> tuple[str, ...]:
    """A country with the one that goes with it, unless that has fallen, joined somebody or is at war by itself."""
    apart = ("conquered", "independent", *BOUND)
    return tuple(it for it in one_country_with(country) if it == country or s.countries[it].status not in apart)


def guests(s: State, country: str) -> list[Stack]:
    """The foreign units that count against the limit of a country, with its colonies."""
    side, colonies = faction(s, s.countries[country].by), colonies_of(s, country)
    # Only the Axis may have more in a colony that Britain or the U.S. attacked; these are no guests there (82.41).
    parts = (*_under_one_result(s, country), *(it for it in colonies if side != "axis" or not attacked_colony(s, it)))
    attacked = {key for it in colonies for key in home_hexes(it)} if country == VICHY and side != WEST else ()
    there = chain(*(units_in(s, part) for part in parts), units_in_its_east(s, country, side))
    counted = (it for it in there if _has_factors(s, it) and counts_against_limit(s, it.nation, it.unit, country))
    return [it for it in counted if it.place not in attacked or patron(s, it.nation) not in ATTACKERS]


def mark_attacked(p: Proceedings, colony: str) -> None:
    """It is remembered of a colony that Britain or the U.S. attacked it, whoever holds it later."""
    attacked_colony.under("82.32A").note(p, True, "attacked by Britain or the U.S.", colony)


@effect(
    "82.32A",
    on=ControlChanged,
    # Hexes that a result hands over, or that Vichy France has under Britain or the U.S., were not taken.
    when=lambda s, changed: (
        changed.by in ATTACKERS
        and not changed.backdated
        and s.powers["france"].surrendered
        and s.countries[VICHY].by not in ATTACKERS
    ),
)
def colony_attacked(p: Proceedings, changed: ControlChanged) -> None:
    """A Vichy colony in which Britain or the U.S. took a hex was attacked, even if it is retaken."""
    for colony in colonies_of(p.s, VICHY):
        if not set(changed.places).isdisjoint(home_hexes(colony)):
            mark_attacked(p, colony)


@once
def axis_in_finland(s: State) -> list[Stack]:
    """The Axis units in Finland that its own limit counts, whoever controls it."""
    there = (it for it in s.pieces.among(_finnish_hexes()) if it.nation not in NORDIC and _has_factors(s, it))
    return [it for it in there if side_of(s, it.nation) == "axis"]


@lasting
def _finnish_hexes() -> frozenset[Place]:
    """The five hold in Finland, whoever has it, and in border hexes that Russia has cut off as well (R-2570)."""
    return frozenset((*home_hexes("finland"), *home_hexes("finnish_border")))


@value("82.322", "Axis factors in Finland, guests or invaders")
def axis_factors_in_finland(s: State) -> int:
    return sum(stack.factors for stack in axis_in_finland(s))


@value("82.322", "Axis armor units in Finland")
def axis_armor_in_finland(s: State) -> int:
    return sum(stack.count for stack in axis_in_finland(s) if stack.unit.startswith("armor"))


@value("82.322", "Axis factors that Finland still admits: five, less those supplied through it while the Axis may")
def axis_factors_admitted(s: State) -> int:
    return admitted(s, "finland") if only_axis_limited(s, "finland") else 5


@definition("82.32", "Something else than a diplomatic result lets units into a country: its limits are not theirs")
def open_besides(s: State, country: str) -> bool:
    return False


def limited(s: State) -> list[str]:
    """The countries whose limit must be looked at: those under hex control; Finland has its own for the Axis."""
    return [it for it in _controlled(s.countries) if not only_axis_limited(s, it) and not open_besides(s, it)]


@kept
def _controlled(countries: Mapping[str, Standing]) -> tuple[str, ...]:
    """Under a result; Luxembourg is counted with Belgium, and by itself once Belgium has gone another way."""
    under = tuple(it for it, at in countries.items() if at.status == "controlled")
    return tuple(it for it in under if FOLLOWS.get(it, "") not in under)


@limit("82.32", on=Advance, when=lambda s, cmd: s.place.step.name in CHECKED and bool(limited(s)))
def ten_factor_limit(s: State, cmd: Advance) -> str | None:
    """No more than ten foreign factors stay in a controlled country when a phase ends."""
    inside = {it: foreign_factors(s, it) for it in limited(s)}
    over = [f"{n} in {called(it)}, at most {admitted(s, it)}" for it, n in inside.items() if n > admitted(s, it)]
    return f"foreign factors: {'; '.join(over)}; the excess must leave or be eliminated" if over else None


@limit(
    "82.322",
    on=Advance,
    when=lambda s, cmd: s.place.step.name in CHECKED and axis_factors_in_finland(s) > 0,
    also=("86.23",),
)
def finnish_limit(s: State, cmd: Advance) -> str | None:
    """No more than five Axis factors, one armor unit among them, stay in Finland."""
    if axis_factors_in_finland(s) > axis_factors_admitted(s):
        return f"{axis_factors_in_finland(s)} Axis factors in Finland, at most {axis_factors_admitted(s)}"
    if axis_armor_in_finland(s) > armor_admitted(s):
        return f"{axis_armor_in_finland(s)} Axis armor units in Finland, at most {armor_admitted(s)}"
    return None


@value("82.32B(1)", "The most factors that may be supplied through a country")
def supply_allowance(s: State, country: str) -> int:
    inside = foreign_factors(s, country)
    note("lines_that_pass_on", "82.32B(3)", True, country)
    note("units_inside_come_first", "82.321A", inside, country)
    return max(0, factor_limit(s, country) - inside)


INITIAL, AFTER_COMBAT = "initial supply determination", "post-combat supply determination"


@order("82.32B", on=ReportSupply, phases=(INITIAL, AFTER_COMBAT))
def report_supply(p: Proceedings, cmd: ReportSupply) -> None:
    """Supply through a country lowers its limit for the rest of the player turn."""
    if p.s.place.step.name == INITIAL:
        told = "reported in the initial supply determination"
        supplied_through.under("82.32B(2)").note(p, cmd.factors, told, cmd.country)
        if only_axis_limited(p.s, cmd.country):
            armor_supplied_through.under("86.23").note(p, cmd.armor, told)


@limit("82.32B", on=ReportSupply)
def supply_within_limit(s: State, cmd: ReportSupply) -> Iterator[Finding]:
    """Supply is counted where the factor limit holds, and no more than that lets pass; after combat, what was left."""
    yield _not_limited(s, cmd.country)
    most = supply_allowance(s, cmd.country)
    if s.place.step.name == INITIAL:
        yield Bound("factors", most=most, text="units inside are supplied first", clause="82.32B(1)")
    elif s.place.step.name == AFTER_COMBAT:
        told, left = "the rest was supplied before: through it, or inside", most - supplied_through(s, cmd.country)
        yield Bound("factors", most=max(0, left), text=told, clause="82.32B(2)")


def _not_limited(s: State, country: str) -> str | None:
    """Why supply through a country is not counted now, if it is not."""
    name, standing = called(country), s.countries[country]
    finnish = only_axis_limited(s, country)
    axis = [it for it in powers() if faction(s, it) == "axis"]
    # Axis units may be in Finland if it stands with them or with their enemies, or they attacked it.
    let_in = any(it in axis for it in attackers_of(s, "finland"))
    if finnish and standing.by and standing.status != "penetrated":
        let_in = any(same_faction(s, it, standing.by) or at_war(s, it, standing.by) for it in axis)
    if country in limited(s) or (finnish and let_in):
        # A side determines the supply of its own units in its own player turn, so it lowers nobody else's limit.
        side = "axis" if finnish else player_of(standing.by)
        told = f"the {side.capitalize()} side traces supply through {name}, in its player turn"
        return None if s.player == side else told
    if FOLLOWS.get(country, "") in limited(s):
        return "Belgium and Luxembourg are one country here: report Belgium"
    if whole := next((it for it in limited(s) if country in colonies_of(s, it)), ""):
        return f"{name} goes with {called(whole)}: report that"
    why = "no supply line of the Axis runs through it" if finnish else "no factor limit holds there"
    return f"{name} is {standing.words}: {why}"


@definition("82.32E", "Units may attack out of a country that their side controls")
def may_attack_out(s: State, power: str, country: str) -> bool:
    standing = s.countries[country]
    if standing.status in ("neutral", "penetrated"):
        note("controlled_no_longer", "82.33", standing.status, country)
        return False
    return standing.by != "" and faction(s, standing.by) == faction(s, power)


def foreigners(s: State, country: str, side: str) -> list[Stack]:
    """The units of a side in a country and in the colonies that go with it (R-0464).

    Partisans rose there (87.23), and airbases are no units (R-1980).
    """
    colonies = colonies_of(s, country)
    peaceful = (it for it in colonies if s.countries[it].status != "conquered" and not attacked_colony(s, it))
    there = chain(*(units_in(s, part) for part in (country, *peaceful)), units_in_its_east(s, country, side))
    regular = (it for it in there if it.branch != "partisan" and it.unit not in COUNTERS)
    return [it for it in regular if it.nation != country and side_of(s, it.nation) == side]


def leave_after_reversal(p: Proceedings, country: str, power: str) -> None:
    """Units of a power that lost its hex control are supplied, and must be out by the end of their player turn."""
    # What the West still holds of a Vichy colony by the result that it lost is remembered as not attacked (R-1820).
    for colony in colonies_of(p.s, VICHY) if country == VICHY and power in ATTACKERS else ():
        if not attacked_colony.noted(p.s, colony):
            attacked_colony.under("82.33").note(p, False, "its units came by a diplomatic result", colony)
    if not foreigners(p.s, country, faction(p.s, power)):
        return
    when = end_of_their_turn(p.s, power)
    if not open_besides(p.s, country):
        promise(p, evict_garrison, when, power, country, 0)
    supply_until(p, power, country, "82.33", when)


def _must_leave(s: State, country: str, power: str) -> bool:
    """A country that stands with nobody, whatever result it is under, is closed to the side that lost it (82.41)."""
    side = faction(s, power)
    # Units of a side that has attacked it are invaders there, and no guests (82.35, 82.56).
    invaders = any(faction(s, it) == side for it in attackers_of(s, country))
    free = s.countries[country].status in STANDS_ALONE and not open_besides(s, country)
    return free and not _regained(s, country, power) and not invaders


def _regained(s: State, country: str, power: str) -> bool:
    """Whether a country is open to a power's side again: by a hex control result, or as its associate or minor ally."""
    standing = s.countries[country]
    return standing.status in ("controlled", *BOUND) and faction(s, standing.by) == faction(s, power)


def _on_their_way_out(s: State) -> Iterator[tuple[str, str]]:
    """The countries that units of a side must leave after a reversal, each with the power of that side."""
    return ((it.about, it.power) for it in promised(s, evict_garrison) if _must_leave(s, it.about, it.power))


@due("82.33", averted_by="moving every unit out of {about} by then")
def evict_garrison(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """Units that have not left a country after its hex control was reversed are eliminated."""
    if not _must_leave(p.s, due_now.about, due_now.power):
        return "the units may stay"
    left = foreigners(p.s, due_now.about, faction(p.s, due_now.power))
    for stack in left:
        lose(p, stack)
    # What the garrison had kept is the country's again, or it would count as a capture later.
    _give_up_hexes(p, due_now.about, due_now.power)
    return None if left else "no unit is left there"


def sides_leaving(s: State, country: str, apart_from: str = "") -> dict[str, str]:
    """The sides whose units are to leave a country after a reversal, each with its power, but one that it joins."""
    leaving = {faction(s, it.power): it.power for it in promised(s, evict_garrison, about=country)}
    return {side: power for side, power in leaving.items() if side != faction(s, apart_from)}


def turn_on_guests(p: Proceedings, country: str, joins: str) -> None:
    """Who is on his way out of a country that joins another has its capital no more but by ground units (R-0214)."""
    for power in sides_leaving(p.s, country, apart_from=joins).values():
        release_capital(p, country, power)


def _give_up_hexes(p: Proceedings, country: str, power: str) -> None:
    """What no unit garrisons any more is the country's, or his who controls it by a result now."""
    release_hexes(p, country, power)
    standing = p.s.countries[country]
    if standing.status == "controlled":
        hand_over_hexes(p, country, standing.by)


@effect(
    "82.33", on=UnitsMoved, when=lambda s, moved: isinstance(moved.origin, At) and bool(promised(s, evict_garrison))
)
def hexes_left_behind(p: Proceedings, moved: UnitsMoved) -> None:
    """A hex that a garrison on its way out has left is garrisoned no more: its control changes at once."""
    left = moved.origin.place if isinstance(moved.origin, At) else ""
    for country, power in tuple(_on_their_way_out(p.s)):
        if holder(p.s, left) == power and left in all_hexes(p.s, country):
            _give_up_hexes(p, country, power)


def may_stay(p: Proceedings, country: str, reason: str) -> None:
    """What units were to leave a country is taken off the agenda once they are no guests there that must leave it."""
    for it in promised(p.s, evict_garrison, about=country):
        if not _must_leave(p.s, country, it.power):
            lapse(p, country, reason, evict_garrison, power=it.power)
            if _regained(p.s, country, it.power):
                no_longer_caught(p, country, it.power, reason)


@definition("82.33", "Units that must leave a country after a reversal may go through it on their way out (R-2430)")
def on_its_way_out(s: State, nation: str, origin: Place, to: str) -> bool:
    closed = [country for country, power in _on_their_way_out(s) if faction(s, power) == side_of(s, nation)]
    # A country's own land, and each of its colonies: who leaves the one does not go to the other.
    own = ({*all_hexes(s, it)} - {*overseas(s, it)} for it in closed)
    colonies: Iterator[set[Place]] = ({*home_hexes(colony)} for it in closed for colony in colonies_of(s, it))
    return any({origin, to} <= ground for ground in chain(own, colonies))


def to_be_left(s: State, power: str, place: Place) -> str:
    """The country in which a place lies and which a power's units must leave after a reversal, if they must.

    Nothing is built there meanwhile, not even in hexes that they still hold (R-1900).
    """
    leaving = (country for country, by in _on_their_way_out(s) if faction(s, by) == faction(s, power))
    return next((it for it in leaving if place in all_hexes(s, it)), "")
