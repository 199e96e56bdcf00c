"""How many foreign factors a controlled country admits: ten, five in Finland (82.32, 84.43, 85.43)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from warcabinet.kernel.kept import kept, lasting, once
from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportSupply
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Standing, State
from warcabinet.model.traits import FOLLOWS, NORDIC, VICHY, follower_of, home_hexes, one_country_with
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, COUNTERS, faction, patron, side_of, units_in, units_in_its_east
from warcabinet.rules.common.war_and_peace import (
    ATTACKERS,
    at_war,
    attacked_colony,
    attackers_of,
    colonies_of,
    player_of,
    same_faction,
)
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.status import russians_invaded

CHECKED = ("movement", "combat", "redeployment")


@value("82.32", covers=("82.322", "82.32A", "84.43", "85.43"), also=("86.23",))
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


@definition("82.321B", "Foreign ground, air and naval factors count against the limit", covers=("82.321C", "82.322"))
def counts_against_limit(s: State, nation: str, unit: str, country: str) -> bool:
    if unit in COUNTERS:
        note("exempt_counter", "82.321C", unit)
        return False
    if only_axis_limited(s, country):
        note("finns_and_swedes", "82.322", nation)
        return nation not in NORDIC and side_of(s, nation) == "axis"
    if (nation, country) == ("russia", "rumania") and russians_invaded(s, country):
        return False  # they came by a border war, and are no guests
    return nation not in one_country_with(country)


def _counts(s: State, stack: Stack, country: str) -> bool:
    if stack.branch == "partisan" or (stack.branch == "naval" and reading_in_force(s, "R-0031") == "b"):
        return False
    if not only_axis_limited(s, country) and patron(s, stack.nation) in attackers_of(s, country):
        return False  # the ten are guests; invaders are limited in Finland alone (82.322)
    return counts_against_limit(s, stack.nation, stack.unit, country)


def _under_one_result(s: State, country: str) -> tuple[str, ...]:
    """A country with the one that goes with it, unless that has fallen, joined somebody or is at war by itself."""
    apart = ("conquered", "independent", *BOUND)
    return tuple(it for it in one_country_with(country) if it == country or s.countries[it].status not in apart)


@value("82.321B", "The foreign factors that can be counted in a country now", covers=("82.32C", "87.13C"))
def foreign_factors(s: State, country: str) -> int:
    if follower_of(country):
        parts = _under_one_result(s, country)
        note("one_country", "82.32C", parts)
        note("one_country", "87.13C", parts)
    return sum(stack.factors for stack in guests(s, country))


def guests(s: State, country: str) -> list[Stack]:
    """The foreign units that count against the limit of a country."""
    parts = _under_one_result(s, country)
    # Only the Axis may have more in a colony that Britain or the U.S. attacked.
    axis = faction(s, s.countries[country].by) == "axis"
    parts += tuple(it for it in colonies_of(s, country) if not (axis and attacked_colony(s, it)))
    east = units_in_its_east(s, country, faction(s, s.countries[country].by))
    there = chain(*(units_in(s, part) for part in parts), east)
    return [stack for stack in there if _counts(s, stack, country) and not _attacks_colonies(s, stack, country)]


def _attacks_colonies(s: State, stack: Stack, country: str) -> bool:
    """Whether units have come to attack a Vichy colony without a declaration of war: no guests either (82.41)."""
    western = faction(s, s.countries[country].by) == faction(s, "britain")
    if country != VICHY or western or patron(s, stack.nation) not in ATTACKERS:
        return False
    return any(stack.place in home_hexes(it) for it in colonies_of(s, VICHY))


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
    ships = reading_in_force(s, "R-0031") == "a"
    foreign = (it for it in s.pieces.among(_finnish_hexes()) if it.nation not in NORDIC and it.unit not in COUNTERS)
    there = (it for it in foreign if it.branch != "partisan" and (ships or it.branch != "naval"))
    return [it for it in there if side_of(s, it.nation) == "axis"]


@lasting
def _finnish_hexes() -> frozenset[str]:
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


def _leaving_checked_phase(s: State, cmd: Advance) -> bool:
    return s.place.step.name in CHECKED


@limit("82.32", on=Advance, when=lambda s, cmd: _leaving_checked_phase(s, cmd) and bool(limited(s)))
def ten_factor_limit(s: State, cmd: Advance) -> str | None:
    """No more than ten foreign factors stay in a controlled country when a phase ends."""
    over = [
        f"{foreign_factors(s, name)} in {called(name)}, at most {admitted(s, name)}"
        for name in limited(s)
        if foreign_factors(s, name) > admitted(s, name)
    ]
    return f"foreign factors: {'; '.join(over)}; the excess must leave or be eliminated" if over else None


@limit(
    "82.322",
    on=Advance,
    when=lambda s, cmd: _leaving_checked_phase(s, cmd) and axis_factors_in_finland(s) > 0,
    also=("86.23",),
)
def finnish_limit(s: State, cmd: Advance) -> str | None:
    """No more than five Axis factors, one armor unit among them, stay in Finland."""
    if axis_factors_in_finland(s) > axis_factors_admitted(s):
        return f"{axis_factors_in_finland(s)} Axis factors in Finland, at most {axis_factors_admitted(s)}"
    if axis_armor_in_finland(s) > armor_admitted(s):
        return f"{axis_armor_in_finland(s)} Axis armor units in Finland, at most {armor_admitted(s)}"
    return None


@value("82.32B(1)", "The most factors that may be supplied through a country", covers=("82.321A", "82.32B(3)"))
def supply_allowance(s: State, country: str) -> int:
    inside = foreign_factors(s, country)
    note("lines_that_pass_on", "82.32B(3)", True, country)
    note("units_inside_come_first", "82.321A", inside, country)
    return max(0, factor_limit(s, country) - inside)


@order("82.32B", on=ReportSupply, phases=("initial supply determination", "post-combat supply determination"))
def report_supply(p: Proceedings, cmd: ReportSupply) -> None:
    """Supply through a country lowers its limit for the rest of the player turn."""
    if p.s.place.step.name == "initial supply determination":
        supplied_through.under("82.32B(2)").note(
            p, cmd.factors, "reported in the initial supply determination", cmd.country
        )
        if only_axis_limited(p.s, cmd.country):
            armor_supplied_through.under("86.23").note(p, cmd.armor, "reported in the initial supply determination")


def _open_to_axis(s: State) -> bool:
    """Whether Axis units may be in Finland: it stands with them or with their enemies, or they attacked it."""
    standing, axis = s.countries["finland"], [it for it in powers() if faction(s, it) == "axis"]
    if standing.by and standing.status != "penetrated":
        return any(same_faction(s, it, standing.by) or at_war(s, it, standing.by) for it in axis)
    return any(it in axis for it in attackers_of(s, "finland"))


@limit("82.32B", "Supply is counted where the factor limit holds", on=ReportSupply)
def supply_where_limited(s: State, cmd: ReportSupply) -> str | None:
    axis_only = only_axis_limited(s, cmd.country) and _open_to_axis(s)
    if cmd.country in limited(s) or axis_only:
        # A side determines the supply of its own units in its own player turn, so it lowers nobody else's limit.
        side = "axis" if axis_only else player_of(s.countries[cmd.country].by)
        told = f"the {side.capitalize()} side traces supply through {called(cmd.country)}, in its player turn"
        return None if s.player == side else told
    if FOLLOWS.get(cmd.country, "") in limited(s):
        return "Belgium and Luxembourg are one country here: report Belgium"
    whole = next((it for it in limited(s) if cmd.country in colonies_of(s, it)), "")
    if whole:
        return f"{called(cmd.country)} goes with {called(whole)}: report that"
    told = f"{called(cmd.country)} is {s.countries[cmd.country].status}"
    if only_axis_limited(s, cmd.country):
        return f"{told}: no supply line of the Axis runs through it"
    return f"{told}: no factor limit holds there"


@limit("82.32B(1)", on=ReportSupply, when=lambda s, cmd: s.place.step.name == "initial supply determination")
def supply_within_allowance(s: State, cmd: ReportSupply) -> Bound:
    """Not more factors are supplied through a country than its limit lets pass."""
    return Bound("factors", most=supply_allowance(s, cmd.country), text="units inside are supplied first")


@limit("82.32B(2)", on=ReportSupply, when=lambda s, cmd: s.place.step.name == "post-combat supply determination")
def supply_after_combat(s: State, cmd: ReportSupply) -> Bound:
    """After combat only what the initial supply determination left may be supplied through."""
    left = supply_allowance(s, cmd.country) - supplied_through(s, cmd.country)
    return Bound("factors", most=max(0, left), text="the rest was supplied before: through it, or inside")


@definition("82.32E", "Units may attack out of a country that their side controls")
def may_attack_out(s: State, power: str, country: str) -> bool:
    standing = s.countries[country]
    return standing.by != "" and faction(s, standing.by) == faction(s, power)


@definition(
    "82.33",
    displaces=may_attack_out,
    when=lambda s, power, country: s.countries[country].status in ("neutral", "penetrated"),
)
def no_attack_out_of_neutral(s: State, power: str, country: str) -> bool:
    """Units left in a country whose hexes their side no longer controls may not attack out of it."""
    return False
