"""Which units a mobilization may bring, power by power (36.32, 36.33)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import Mobilize, ReportResearch, TriggerDeferred
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.model.units import kind_name, strength
from warcabinet.rules.common.moments import reading_in_force
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
from warcabinet.rules.economy.spending import (
    HEAVY_ARMOR,
    TRANSPORT,
    beside_shipyards,
    brings_heavy_armor,
    has_no_transport,
    in_theater_at_war,
    laid_on,
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
def eligible_unit(s: State, unit: str) -> bool:
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


def with_first_half(s: State, cmd: Announces) -> Counter[str]:
    """What units a Russian mobilization has: with those of its first half, deferred ones too, if this is the second."""
    before = brought_by(s, "russia", label(s, "russia")) if half_done(s) is not None else {}
    return Counter(before) + Counter(counted(cmd.units))


def completes_russian(s: State, cmd: Mobilize) -> bool:
    """Whether an order ends a Russian mobilization, so that what each must bring has to be there by now."""
    return cmd.power == "russia" and not takes_two_turns(s) and not mobilized_now(s, "russia")


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


@limit("36.32A(2)", on=Mobilize, when=lambda s, cmd: completes_russian(s, cmd))
def russia_needs_army_air(s: State, cmd: Mobilize) -> str | None:
    """Every Russian mobilization brings an army air factor."""
    return None if of_kind(with_first_half(s, cmd), "army air") else "at least one army air factor must be mobilized"


# -- Armor -------------------------------------------------------------------------------------------------------


@limit("36.32C(1)", "Italy mobilizes one armor unit at a time", on=Mobilize, when=lambda s, cmd: cmd.power == "italy")
def one_italian_armor(s: State, cmd: Mobilize) -> str | None:
    return "Italy may mobilize only one armor unit" if brings(cmd, "armor") > 1 else None


def armor(units: Mapping[str, int]) -> dict[str, int]:
    """The armor among some units, by strength."""
    return {strength(unit): count for unit, count in units.items() if kind_name(unit) == "armor"}


def british_fall_1939(s: State) -> bool:
    return s.options.edition == "classic"


@limit("36.32C(2)", on=Mobilize, when=lambda s, cmd: cmd.power == "britain")
def british_armor(s: State, cmd: Mobilize) -> str | None:
    """Britain mobilizes one armor unit at a time; in the classic Fall 1939 a 4-5 and a 2-5."""
    asked = armor(counted(cmd.units))
    if british_fall_1939(s):
        fits = all(asked[size] <= 1 for size in asked) and asked.keys() <= {"4-5", "2-5"}
        return None if fits else "Britain may mobilize a 4-5 armor unit and a 2-5 armor unit"
    return "Britain may mobilize only one armor unit" if sum(asked.values()) > 1 else None


@limit(
    "36.32C(3)",
    on=Mobilize,
    when=lambda s, cmd: cmd.power == "britain" and not british_fall_1939(s),
    also=("36.32C(4)",),
)
def british_armor_in_all(s: State, cmd: Mobilize) -> Refusal | None:
    """Britain mobilizes three 2-5 armor units in all, four with an armor result of the prequel game."""
    clause, most, told = ("36.32C(4)", 4, "four") if s.options.british_armor_result else ("36.32C(3)", 3, "three")
    # The 3-5 armor stands for 2-5.
    so_far, asked = armor(units_from(s, "britain")), armor(counted(cmd.units))
    light = sum(it.get(size, 0) for it in (so_far, asked) for size in ("2-5", "3-5"))
    return Refusal(clause, f"Britain may mobilize {told} 2-5 armor units in all") if light > most else None


@limit(
    "36.32C(5)",
    on=Mobilize,
    when=lambda s, cmd: cmd.power == "britain" and not british_fall_1939(s) and bool(brings(cmd, "armor")),
)
def british_armor_type(s: State, cmd: Mobilize) -> str | None:
    """British armor is of the 2-5 type; eight steps of armor research turn some into 3-5."""
    allowed = ("2-5", "3-5") if s.options.british_armor_steps >= 8 else ("2-5",)
    wrong = [size for size in armor(counted(cmd.units)) if size not in allowed]
    return f"British armor mobilized is {' or '.join(allowed)}, not {', '.join(wrong)}" if wrong else None


@limit("36.32C(6)", on=BOTH, when=lambda s, cmd: cmd.power == "usa" and HEAVY_ARMOR in counted(cmd.units))
def american_armor(s: State, cmd: Announces) -> str | None:
    """The U.S. mobilizes one 5-6 armor unit at a time, and only in Europe; Pacific BRPs pay for none, deferred or
    not.
    """
    if laid_on(s, cmd, HEAVY_ARMOR, brings_heavy_armor(s, cmd)) is not None:
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


def is_russian(s: State, cmd: Announces) -> bool:
    return cmd.power == "russia"


@limit("36.32C(7)", on=Mobilize, when=lambda s, cmd: completes_russian(s, cmd))
def russia_needs_armor(s: State, cmd: Mobilize) -> str | None:
    """Every Russian mobilization brings a 3-5, 4-5 or 5-6 armor unit, in one of its turns."""
    return None if has_required_armor(with_first_half(s, cmd)) else "one armor unit must be mobilized"


def has_required_armor(units: Mapping[str, int]) -> bool:
    """Whether a 3-5, 4-5 or 5-6 is among some units: Siberian 3-3 armor is not what every mobilization must bring."""
    found = armor(units)
    return any(found.get(size) for size in ("3-5", "4-5", "5-6"))


def _leaves_a_half(s: State, cmd: Announces) -> bool:
    """Whether an order leaves the second half of a Russian mobilization to come: its first half, or one between."""
    if cmd.power != "russia":
        return False
    if isinstance(cmd, TriggerDeferred):
        return half_done(s) is not None
    return takes_two_turns(s) and not mobilized_now(s, "russia")


@limit("36.31A", on=BOTH, when=_leaves_a_half)
def second_half_has_room(s: State, cmd: Announces) -> str | None:
    """The second half of a Russian mobilization keeps room for the armor and army air that it must bring (R-1801)."""
    if isinstance(cmd, TriggerDeferred):
        deferred = max(0, deferred_for_second_half(s) - from_deferment(cmd))
        return _too_little_room(s, with_first_half(s, cmd), deferred)
    return _too_little_room(s, counted(cmd.units), deferred_next_turn(s, cmd))


def _too_little_room(s: State, units: Mapping[str, int], deferred: int) -> str | None:
    """What is left for the second half if a Russian mobilization has these units by then, where it has no room."""
    wanted = [] if has_required_armor(units) else ["armor 3-5" if russian_light_armor_left(s) else "armor 4-5"]
    wanted += [] if of_kind(units, "army air") else ["army air"]
    cost, room = cost_of(dict.fromkeys(wanted, 1)), mobilization_size(s, "russia") + deferred
    if cost <= room:
        return None
    return f"{' and '.join(wanted)} are left for the second half: {cost} BRPs of units, it brings {room}"


@limit("36.32C(7)", "Russia's eight 3-5 armor units come before 4-5 and 5-6 ones", on=BOTH, when=is_russian)
def russian_light_armor_first(s: State, cmd: Announces) -> str | None:
    asked = armor(counted(cmd.units))
    left = russian_light_armor_left(s)
    heavy = asked.get("4-5", 0) + asked.get("5-6", 0)
    return f"{left} 3-5 armor units come first" if heavy and asked.get("3-5", 0) < left else None


@limit("36.32C(7)", on=BOTH, when=is_russian)
def russian_light_armor_runs_out(s: State, cmd: Announces) -> str | None:
    """Russia has eight 3-5 armor units in all; in the classic game none is left."""
    asked, left = armor(counted(cmd.units)).get("3-5", 0), russian_light_armor_left(s)
    return f"{asked} 3-5 armor units, {left} are left to mobilize" if asked > left else None


@limit("36.32C(7)", "Russia mobilizes no 5-6 armor before its armor research is complete", on=BOTH, when=is_russian)
def russian_heavy_armor_waits(s: State, cmd: Announces) -> str | None:
    asked = armor(counted(cmd.units)).get("5-6", 0)
    return "armor research is not complete" if asked and not russian_armor_research(s) else None


@limit("36.32C(7)", "Besides its armor Russia mobilizes infantry, armor and army air", on=BOTH, when=is_russian)
def russian_units(s: State, cmd: Announces) -> str | None:
    allowed = ("infantry", "armor", "army air")
    wrong = [unit for unit in counted(cmd.units) if eligible_unit(s, unit) and kind_name(unit) not in allowed]
    wrong = [unit for unit in wrong if kind_name(unit) != "transport"]
    return f"Russia may not mobilize {', '.join(wrong)}" if wrong else None


@limit("36.32C(7)", on=Mobilize, when=lambda s, cmd: cmd.power == "russia")
def no_russian_shipbuilding(s: State, cmd: Mobilize) -> Bound:
    """A Russian mobilization consists of units, so it brings no shipbuilding increase (R-0016)."""
    return Bound("shipbuilding", most=0, text="Russian mobilizations bring infantry, armor and army air only")


# -- Mechanized infantry and transports --------------------------------------------------------------------------


@limit(
    "36.32E",
    on=Mobilize,
    when=lambda s, cmd: cmd.power == "britain" and bool(brings(cmd, "infantry", "mechanized infantry")),
)
def one_british_mechanized(s: State, cmd: Mobilize) -> str | None:
    """Britain may mobilize a single 3-4 infantry unit."""
    found = [units_from(s, "britain"), counted(cmd.units)]
    names = ("infantry 3-4", "mechanized infantry 3-4")
    asked = sum(units.get(name, 0) for units in found for name in names)
    return f"{asked} 3-4 infantry units, Britain may mobilize one" if asked > 1 else None


def names_transport(s: State, cmd: Announces) -> bool:
    return bool(brings(cmd, "transport"))


@limit("36.32F", "Only the U.S. mobilizes transports", on=BOTH, when=names_transport)
def american_transports_only(s: State, cmd: Announces) -> str | None:
    note("worth", "36.32F(2)", 5, "transport")
    return None if cmd.power == "usa" else f"{powers()[cmd.power].name} may not mobilize transports"


def too_many_transports(s: State, cmd: Announces) -> bool:
    return laid_on(s, cmd, TRANSPORT, has_no_transport(s, cmd)) is None


@limit("36.32F(1)", on=BOTH, when=lambda s, cmd: cmd.power == "usa" and names_transport(s, cmd))
def transports_need_war(s: State, cmd: Announces) -> str | None:
    """Transports are mobilized once the U.S. is at war in a theater."""
    fit = in_theater_at_war(s, cmd)
    at_peace = not any(map(fit, THEATERS))
    # Under one reading of R-0302 each theater waits for its own war, and pays for no transport before.
    elsewhere = not too_many_transports(s, cmd) and laid_on(s, cmd, TRANSPORT, fit) is None
    return "the U.S. is not at war in a theater that would allow it" if at_peace or elsewhere else None


@limit("36.32F(3)", "One transport for each American mobilization", on=BOTH, when=names_transport)
def one_transport(s: State, cmd: Announces) -> str | None:
    return "no more than one transport for each mobilization that pays" if too_many_transports(s, cmd) else None


@limit("36.32F(4)", "A transport does not go with two shipbuilding increases", on=BOTH, when=names_transport)
def transport_or_shipyards(s: State, cmd: Announces) -> str | None:
    if too_many_transports(s, cmd) or laid_on(s, cmd, TRANSPORT, beside_shipyards(s, cmd)) is not None:
        return None
    return "a transport beside two shipbuilding increases"
