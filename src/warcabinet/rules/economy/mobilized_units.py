"""Which units a mobilization may bring, power by power (36.32, 36.33)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Mobilize, ReportResearch, TriggerDeferred
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.model.units import HEAVY_ARMOR, INFANTRY_3_4, TRANSPORT, Unit, kind_name, strength
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.economy import spending
from warcabinet.rules.economy.deferral import deferred_for_second_half, deferred_next_turn, from_deferment
from warcabinet.rules.economy.mobilization import mobilization_size
from warcabinet.rules.economy.mobilization_record import (
    THEATERS,
    brought_by,
    half_done,
    label,
    mobilized_now,
    of_kind,
    units_from,
)
from warcabinet.rules.economy.mobilization_schedule import (
    american_mobilizations_left,
    judged,
    mobilization_open,
    takes_two_turns,
)
from warcabinet.rules.kinds import definition, limit, order, remembered, value

ELIGIBLE = {
    "army air": "36.32A",
    "naval air": "36.32B",
    "armor": "36.32C",
    "infantry": "36.32D",
    "mechanized infantry": "36.32E",
    "transport": "36.32F",
}
Announces = Mobilize | TriggerDeferred
BOTH = (Mobilize, TriggerDeferred)


@definition("36.32", covers=(*ELIGIBLE.values(), "36.32F(2)"))
def eligible_unit(s: State, unit: Unit) -> bool:
    """Army and naval air, armor, infantry, mechanized infantry and transports may be mobilized."""
    clause = ELIGIBLE.get(kind_name(unit))
    if clause is None:
        return False
    note("eligible", clause, "may be mobilized", unit)
    return True


@limit("36.33", on=BOTH, when=lambda s, cmd: bool(cmd.units))
def only_eligible_units(s: State, cmd: Announces) -> str | None:
    """Units that may not be mobilized are added only by production."""
    barred = [unit for unit in counted(cmd.units) if not eligible_unit(s, unit)]
    return f"only production brings {', '.join(barred)}" if barred else None


def brings(cmd: Announces, *kinds: str) -> int:
    return of_kind(counted(cmd.units), *kinds)


def with_first_half(s: State, cmd: Announces) -> Counter[Unit]:
    """What units a Russian mobilization has: with those of its first half, deferred ones too, if this is the second."""
    before = brought_by(s, "russia", label(s, "russia")) if half_done(s) is not None else {}
    return Counter(before) + Counter(counted(cmd.units))


# -- Army air ----------------------------------------------------------------------------------------------------


@value("36.32A(1)", "Five army air factors are the most in a turn, ten where the U.S. mobilizes in both theaters")
def most_army_air(s: State, power: str) -> int:
    return 10 if power == "usa" and both_theaters(s) else 5


def both_theaters(s: State) -> bool:
    """Whether both American theaters have mobilized this turn, or are about to: the last of twelve is for one alone."""
    to_come = [it for it in THEATERS if not mobilized_now(s, "usa", it)]
    # Where the schedule is left to reports nothing calls for the second, but it may be made once the first has been.
    comes = all(mobilization_open(s, "usa", it) for it in to_come) if judged(s) else len(to_come) < len(THEATERS)
    if not comes:
        return False
    # The twelve are for both theaters together, unless each has its own (R-0001).
    return reading_in_force(s, "R-0001") == "b" or american_mobilizations_left(s, "") >= len(to_come)


@limit("36.32A(1)", on=BOTH, when=lambda s, cmd: bool(brings(cmd, "army air")))
def army_air_a_turn(s: State, cmd: Announces) -> str | None:
    """No more army air factors are mobilized in a turn than a power may."""
    so_far = total(s, "mobilized army air", cmd.power, "turn")
    most = most_army_air(s, cmd.power)
    asked = so_far + brings(cmd, "army air")
    return f"{asked} army air factors this turn, at most {most}" if asked > most else None


# -- Armor -------------------------------------------------------------------------------------------------------


def armor(units: Mapping[Unit, int]) -> dict[str, int]:
    """The armor among some units, by strength."""
    return {strength(unit): count for unit, count in units.items() if kind_name(unit) == "armor"}


@limit("36.32C(2)", on=Mobilize, when=lambda s, cmd: cmd.power in ("britain", "italy"))
def british_and_italian_units(s: State, cmd: Mobilize) -> Iterator[Refusal | str]:
    """Italy and Britain mobilize one armor unit at a time, Britain 2-5 ones, three in all, and a single 3-4 infantry.

    In the classic Fall 1939 Britain mobilizes a 4-5 and a 2-5; the prequel game has a fourth 2-5, and 3-5 in its stead.
    """
    units = counted(cmd.units)
    asked, name = armor(units), powers()[cmd.power].name
    only_one = f"{name} may mobilize only one armor unit"
    if cmd.power == "italy":
        if sum(asked.values()) > 1:
            yield Refusal("36.32C(1)", only_one)
        return
    so_far = units_from(s, "britain")
    infantry = sum(it.get(kind, 0) for it in (so_far, units) for kind in INFANTRY_3_4)
    if infantry > 1 and brings(cmd, "infantry", "mechanized infantry"):
        yield Refusal("36.32E", f"{infantry} 3-4 infantry units, Britain may mobilize one")
    if s.options.edition == "classic":
        if max(asked.values(), default=0) > 1 or not asked.keys() <= {"4-5", "2-5"}:
            yield "Britain may mobilize a 4-5 armor unit and a 2-5 armor unit"
        return
    if sum(asked.values()) > 1:
        yield only_one
    clause, most, told = ("36.32C(4)", 4, "four") if s.options.british_armor_result else ("36.32C(3)", 3, "three")
    if sum(it.get(size, 0) for it in (armor(so_far), asked) for size in ("2-5", "3-5")) > most:
        yield Refusal(clause, f"Britain may mobilize {told} 2-5 armor units in all")
    allowed = ("2-5", "3-5") if s.options.british_armor_steps >= 8 else ("2-5",)
    if wrong := [size for size in asked if size not in allowed]:
        yield Refusal("36.32C(5)", f"British armor mobilized is {' or '.join(allowed)}, not {', '.join(wrong)}")


@limit("36.32C(6)", on=BOTH, when=lambda s, cmd: cmd.power == "usa" and HEAVY_ARMOR in counted(cmd.units))
def american_armor(s: State, cmd: Announces) -> str | None:
    """The U.S. mobilizes one 5-6 armor unit at a time, in Europe only; Pacific BRPs, deferred or not, pay for none."""
    if spending.laid_on(s, cmd, HEAVY_ARMOR, spending.brings_heavy_armor(s, cmd)) is not None:
        return None
    return "one 5-6 armor unit for each European mobilization that pays, none from the Pacific"


@remembered("36.32C(7)", "Russia has completed its armor research, as far as the players have said")
def russian_armor_research(s: State) -> bool:
    return s.options.russian_armor_research


@order("36.32C(7)", "Completed armor research opens Russia's heaviest armor to mobilization", on=ReportResearch)
def report_research(p: Proceedings, cmd: ReportResearch) -> None:
    russian_armor_research.note(p, True, "reported by the players")


@limit("36.32C(7)", "Only Russian armor depends on research here", on=ReportResearch)
def research_is_russian(s: State, cmd: ReportResearch) -> str | None:
    return None if cmd.power == "russia" else f"{powers()[cmd.power].name}'s armor does not wait for research"


@value("36.32C(7)", "How many of Russia's eight 3-5 armor units have yet to be mobilized; none in the classic game")
def russian_light_armor_left(s: State) -> int:
    if s.options.edition == "classic":
        return 0
    return max(0, 8 - s.options.russian_armor_mobilized - armor(units_from(s, "russia")).get("3-5", 0))


def has_required_armor(units: Mapping[Unit, int]) -> bool:
    """Whether a 3-5, 4-5 or 5-6 is among some units: Siberian 3-3 armor is not what every mobilization must bring."""
    found = armor(units)
    return any(found.get(size) for size in ("3-5", "4-5", "5-6"))


def _too_little_room(s: State, cmd: Announces) -> str | None:
    """Why the second half of a Russian mobilization has no room for the armor and army air it must bring (R-1801)."""
    if isinstance(cmd, TriggerDeferred):
        to_come, deferred = half_done(s) is not None, max(0, deferred_for_second_half(s) - from_deferment(cmd))
    else:
        to_come, deferred = takes_two_turns(s) and not mobilized_now(s, "russia"), deferred_next_turn(s, cmd)
    units = with_first_half(s, cmd)
    least = Unit("armor 3-5" if russian_light_armor_left(s) else "armor 4-5")
    wanted = [] if has_required_armor(units) else [least]
    wanted += [] if of_kind(units, "army air") else [Unit("army air")]
    cost, room = cost_of(dict.fromkeys(wanted, 1)), mobilization_size(s, "russia") + deferred
    if not to_come or cost <= room:
        return None
    return f"{' and '.join(wanted)} are left for the second half: {cost} BRPs of units, it brings {room}"


@limit("36.32C(7)", on=BOTH, when=lambda s, cmd: cmd.power == "russia")
def russian_units(s: State, cmd: Announces) -> Iterator[Finding]:
    """Russia mobilizes infantry, army air and armor, and each time some of the last two: its eight 3-5 come first.

    So its mobilizations bring no shipbuilding increase (R-0016), and no 5-6 before its research is complete.
    """
    if isinstance(cmd, Mobilize):
        yield Bound("shipbuilding", most=0, text="Russian mobilizations bring infantry, armor and army air only")
    asked, left = armor(counted(cmd.units)), russian_light_armor_left(s)
    if asked.get("3-5", 0) > left:
        yield f"{asked['3-5']} 3-5 armor units, {left} are left to mobilize"
    elif asked.get("4-5", 0) + asked.get("5-6", 0) and asked.get("3-5", 0) < left:
        yield f"{left} 3-5 armor units come first"
    elif asked.get("5-6", 0) and not russian_armor_research(s):
        yield "armor research is not complete"
    allowed = ("infantry", "armor", "army air", "transport")  # of transports another clause tells
    if wrong := [it for it in counted(cmd.units) if eligible_unit(s, it) and kind_name(it) not in allowed]:
        yield f"Russia may not mobilize {', '.join(wrong)}"
    if isinstance(cmd, Mobilize) and not takes_two_turns(s) and not mobilized_now(s, "russia"):
        whole = with_first_half(s, cmd)  # what each mobilization must bring has to be there by now
        if not of_kind(whole, "army air"):
            yield Refusal("36.32A(2)", "at least one army air factor must be mobilized")
        if not has_required_armor(whole):
            yield "one armor unit must be mobilized"
    if told := _too_little_room(s, cmd):
        yield Refusal("36.31A", told)


# -- American units ----------------------------------------------------------------------------------------------


@limit("36.32F", on=BOTH, when=lambda s, cmd: bool(brings(cmd, "transport")))
def american_transports(s: State, cmd: Announces) -> Iterator[Refusal | str]:
    """Only the U.S. mobilizes transports, once at war: one for each mobilization that is not spent on shipyards."""
    note("worth", "36.32F(2)", 5, "transport")
    if cmd.power != "usa":
        yield f"{powers()[cmd.power].name} may not mobilize transports"
    too_many = spending.laid_on(s, cmd, TRANSPORT, spending.has_no_transport(s, cmd)) is None
    if cmd.power == "usa":
        fit = spending.in_theater_at_war(s, cmd)
        # Under one reading of R-0302 each theater waits for its own war, and pays for no transport before.
        elsewhere = not too_many and spending.laid_on(s, cmd, TRANSPORT, fit) is None
        if elsewhere or not any(map(fit, THEATERS)):
            yield Refusal("36.32F(1)", "the U.S. is not at war in a theater that would allow it")
    if too_many:
        yield Refusal("36.32F(3)", "no more than one transport for each mobilization that pays")
    elif spending.laid_on(s, cmd, TRANSPORT, spending.beside_shipyards(s, cmd)) is None:
        yield Refusal("36.32F(4)", "a transport beside two shipbuilding increases")
