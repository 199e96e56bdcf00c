"""Spending: what a power has, who pays for whom, deficit spending, construction limits (39)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.commands.economy import ReportBase, ReportBombing, ReportBrp, Spend
from warcabinet.model.commands.forces import Build, BuildByCount, Mobilize, TriggerDeferred
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.keys import Unit
from warcabinet.model.names import countries
from warcabinet.model.pieces import Mobilized
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened, total
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.model.units import HEAVY_ARMOR, TRANSPORT
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.diplomacy import total_cost
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.economy.base import base, base_floor, brps_not_kept, keeps_brps, level, year_start_total
from warcabinet.rules.economy.deferral import announce, drawn_on, from_deferment, use_deferred
from warcabinet.rules.economy.key_areas import controlled_ics, lost_key_areas, spared_construction
from warcabinet.rules.economy.mobilization_record import brought_by, increases_from, label, theater_of
from warcabinet.rules.economy.mobilization_schedule import ENEMY
from warcabinet.rules.kinds import definition, limit, order, value

NO_DEFICITS = ("italy", "france", "china")
DEFICITS = ("germany", "japan", "russia", "britain", "usa")


@value("39.11", "A power may spend what it has; only deficit spending goes further")
def available(s: State, power: str) -> int:
    return max(0, level(s, power))


@definition("39.22C", "In a game that began in summer, fall or winter nobody deficit spends before the next year")
def no_deficits_yet(s: State) -> bool:
    start = calendar.parse_turn(s.options.start)
    return s.year == calendar.year(start) and calendar.season(start) != calendar.SPRING


@value("39.22A")
def deficit_limit(s: State, power: str) -> int:
    """Deficits may reach the base, less key economic areas that are not controlled and Britain's Commonwealth."""
    note("reckoned_now", "39.22A(1)", "when the BRPs are spent")
    most = base(s, power) - lost_key_areas(s, power)
    if power == "britain":
        note("without_the_commonwealth", "39.22A(3)", -base_floor(s, power), power)
        most -= base_floor(s, power)
    if power == "russia":
        note("without_industrial_centers", "39.22A(4)", most, power)
    if power in NO_DEFICITS or no_deficits_yet(s):
        note("no_deficit", "39.22B" if power in NO_DEFICITS else "39.22C", 0, power)
        return 0
    return max(0, most)


@definition("39.21", "Germany, Japan, Russia, Britain and the U.S. may spend BRPs they do not have")
def may_deficit_spend(s: State, power: str) -> bool:
    return power in DEFICITS and not no_deficits_yet(s)


@value("39.11")
def spendable(s: State, power: str) -> int:
    """What a power may still spend now, deficits included; China within what is left of its limit."""
    if may_deficit_spend(s, power):
        return max(0, level(s, power) + deficit_limit(s, power))
    if power != "china":
        return available(s, power)
    note("of_its_turn_limit", "39.11A", left := chinese_limit_left(s, power), power)
    return min(available(s, power), left)


Spending = Spend | Build | BuildByCount
Outlay = Spending | DeclareWar
#: What a power pays for, and that part of it which is not a declaration of war.
SPENDING: tuple[type[Spending], ...] = (Spend, Build, BuildByCount)
OUTLAYS: tuple[type[Outlay], ...] = (*SPENDING, DeclareWar)


def spends_at_most(s: State, cmd: Outlay, most: int, text: str, clause: str = "") -> Bound | Refusal | None:
    """A bound on the BRPs of a `spend`, or a refusal of a command that would cost more."""
    if isinstance(cmd, Spend):
        return Bound("brp", most=most, text=text, clause=clause)
    if isinstance(cmd, Build | BuildByCount):
        cost, what = cost_of(counted(cmd.units or ())), "the units cost"
    else:
        # Where a scenario keeps no BRPs, a declaration of war costs none (35.24).
        targets = cmd.on or () if keeps_brps(s, cmd.power) else ()
        cost, what = total_cost(s, cmd.power, targets), "the declaration costs"
    return Refusal(clause, f"{text}: {what} {cost}, at most {most}") if cost > most else None


@value("39.11A", "Half of China's year start total, rounded down, is the most it may spend in a player turn")
def chinese_turn_limit(s: State, power: str) -> int:
    return max(0, max(0, year_start_total(s, power)) // 2 + kmt_change(s, power))


@value("39.11C")
def kmt_change(s: State, power: str) -> int:
    """Each step of KMT research of the prequel game from six on moves China's limit by one, up to six either way."""
    if s.options.edition == "classic":
        note("no_research_in_the_classic_game", "39.11C(2)", 0, power)
        return 0
    steps = min(6, s.options.kmt_steps - 6)
    if steps:
        note("from_six_steps", "39.11C(1)" if steps < 0 else "39.11C(2)", steps, power)
    return steps


@value("39.11B", "What a power has spent this player turn; losses to the enemy are not spending")
def spent_this_turn(s: State, power: str) -> int:
    return total(s, "spent", power, "player turn")


@value("39.11A", "What is left of China's spending limit in this player turn")
def chinese_limit_left(s: State, power: str) -> int:
    return max(0, chinese_turn_limit(s, power) - spent_this_turn(s, power))


@limit("39.22A", on=OUTLAYS)
def within_means_of_power(s: State, cmd: Outlay) -> Iterator[Finding]:
    """Nobody spends more than it has and the deficit it may run up, China no more than half in a player turn.

    Italy, France and China run up none, and nobody in the year in which the game began.
    """
    power = cmd.power
    if may_deficit_spend(s, power):
        yield spends_at_most(s, cmd, spendable(s, power), "what it has and the deficit it may run up")
    if power in NO_DEFICITS:
        yield spends_at_most(s, cmd, available(s, power), "this power may not deficit spend", "39.22B")
    if no_deficits_yet(s):
        yield spends_at_most(s, cmd, available(s, power), f"no deficit spending in {s.year}", "39.22C")
    if power == "china":
        yield spends_at_most(s, cmd, chinese_limit_left(s, power), "China's limit for this player turn", "39.11A")


@value("35.44", "The base that construction is limited by: it moves with the base, lost key areas and ICs")
def construction_base(s: State, power: str) -> int:
    return base(s, power)


@value("35.43", "Lost key economic areas lower the construction limit", adds_to=construction_base)
def construction_lost(s: State, power: str) -> int:
    return -lost_key_areas(s, power)


@value("38.25", adds_to=construction_base, when=lambda s, power: bool(spared_construction(s, power)))
def construction_spared(s: State, power: str) -> int:
    """What bombing already cost an area captured in the same player turn does not lower the limit again."""
    return spared_construction(s, power)


@value("35.22", adds_to=construction_base, when=lambda s, power: power == "russia")
def construction_ics(s: State, power: str) -> int:
    """Industrial centers under Russian control count for construction."""
    return controlled_ics(s, power)


@value("39.31", "A third of the base, rounded down, with what other clauses add to it and take from it")
def construction_sum(s: State, power: str) -> int:
    return max(0, construction_base(s, power) // 3)


@value("39.31", "What may be used for unit construction each turn, never less than nothing")
def construction_limit(s: State, power: str) -> int:
    return max(0, construction_sum(s, power))


@value("39.31", "What has been used for unit construction this turn")
def constructed(s: State, power: str) -> int:
    return total(s, "constructed", power, "turn")


@value("39.31", "What is left of the construction limit this turn")
def construction_left(s: State, power: str) -> int:
    return max(0, construction_limit(s, power) - constructed(s, power))


@limit("39.31", on=SPENDING, when=lambda s, cmd: not isinstance(cmd, Spend) or cmd.on == "unit construction")
def within_construction_limit(s: State, cmd: Spending) -> Bound | Refusal | None:
    """Unit construction stays within the construction limit."""
    return spends_at_most(s, cmd, construction_left(s, cmd.power), "the construction limit for this turn")


PAID_IN = {"unit construction": "unit construction", "declaration of war": "declarations of war"}


@limit("WC.1", on=Spend, when=lambda s, cmd: cmd.on in PAID_IN)
def paid_in_its_phase(s: State, cmd: Spend) -> str | None:
    """Unit construction and declarations of war are paid in their own phases."""
    phase = PAID_IN[cmd.on]
    now = s.place.step.name
    return None if now == phase else f"{cmd.on} is paid in the phase '{phase}'; it is now '{now}'"


Kept = Spending | BuildPartisan | ReportBase | ReportBrp | ReportBombing
KEPT: tuple[type[Kept], ...] = (*SPENDING, BuildPartisan, ReportBase, ReportBrp, ReportBombing)


@limit("35.24", "Only BRPs and bases that the scenario keeps can be spent, gained or lost", on=KEPT, covers=("83.43",))
def brps_are_kept(s: State, cmd: Kept) -> Refusal | str | None:
    # Bombs that lower a country's own construction limit fall whosever BRPs are kept (R-2789).
    hits_own_limit = isinstance(cmd, ReportBombing) and cmd.area in COMMONWEALTH_BOXES
    return None if hits_own_limit else brps_not_kept(s, cmd.power)


@order("39.11", "BRPs are spent", on=Spend)
def spend(p: Proceedings, cmd: Spend) -> None:
    whose = f"{cmd.on} of {countries()[cmd.units_of].name}" if cmd.units_of else cmd.on
    limit = "39.31" if cmd.on == "unit construction" else ""
    spend_brps(p, cmd.power, cmd.brp, cmd.on, f"{whose}: {cmd.note}" if cmd.note else whose, limit=limit)


Announces = Mobilize | TriggerDeferred
#: May a mobilization of this name bring such a unit?
Fit = Callable[[str], bool]

#: The U.S. said with a mobilization on whom it declares war in the same player turn.
WAR_TO_COME = "war to be declared"


def under_way(s: State, cmd: Announces) -> str:
    """The name of the mobilization that an order makes; none if it only triggers what was deferred."""
    return label(s, cmd.power, theater_of(cmd)) if isinstance(cmd, Mobilize) else ""


def paying(s: State, cmd: Announces) -> dict[str, int]:
    """The BRPs that mobilizations pay for an order's units: those that deferred, then the one under way."""
    units = counted(cmd.units)
    deferred = cmd.deferred if isinstance(cmd, Mobilize) else from_deferment(cmd)
    found: dict[str, int] = {}
    for _, mobilization, brp in drawn_on(s, cmd.power, deferred, units):
        found[mobilization] = found.get(mobilization, 0) + brp
    if isinstance(cmd, Mobilize):
        found[under_way(s, cmd)] = cost_of(units) - cmd.deferred - cmd.production
    return found


def brings_heavy_armor(s: State, cmd: Announces) -> Fit:
    """A European mobilization that has brought no 5-6 armor unit yet (36.32C(6))."""
    return lambda it: not it.startswith("pacific") and not brought_by(s, cmd.power, it).get(HEAVY_ARMOR)


def has_no_transport(s: State, cmd: Announces) -> Fit:
    """A mobilization that has brought no transport yet (36.32F(3))."""
    return lambda it: not brought_by(s, cmd.power, it).get(TRANSPORT)


def war_this_turn(s: State, enemy: str) -> bool:
    """Whether the U.S. is at war with an enemy, or said with a mobilization of this turn that it will be (R-2330)."""
    return went_to_war(s, "usa", enemy) or happened(s, WAR_TO_COME, enemy, "player turn")


def in_theater_at_war(s: State, cmd: Announces) -> Fit:
    """Any mobilization once the U.S. is at war in a theater, or only one in such a theater (36.32F(1), R-0302)."""
    # The U.S. may be saying with this very mobilization that it goes to war.
    said = cmd.war_on if isinstance(cmd, Mobilize) else ""
    fighting = [theater for theater, enemy in ENEMY.items() if enemy == said or war_this_turn(s, enemy)]
    return lambda it: it.split()[0] in fighting if reading_in_force(s, "R-0302") == "b" else bool(fighting)


def beside_shipyards(s: State, cmd: Announces) -> Fit:
    """A mobilization without a transport that has not brought two shipbuilding increases either (36.32F(4))."""
    first, yards = has_no_transport(s, cmd), few_increases(s, cmd)
    return lambda it: first(it) and yards(it)


def few_increases(s: State, cmd: Announces) -> Fit:
    """A mobilization that has not brought two shipbuilding increases, and does not with this order."""
    now = under_way(s, cmd)
    return lambda it: (cmd.shipbuilding if it == now else increases_from(s, cmd.power, it)) <= 1


def brings_transport(s: State, cmd: Announces) -> Fit:
    """A mobilization that may bring a transport by all of that."""
    fits = beside_shipyards(s, cmd), in_theater_at_war(s, cmd)
    return lambda it: all(fit(it) for fit in fits)


def laid_on(s: State, cmd: Announces, unit: Unit, fit: Fit) -> list[tuple[str, ...]] | None:
    """For each unit of a kind the mobilizations that it counts for, none of them for two; None if there are too few."""
    there, production = paying(s, cmd), cmd.production
    if unit == TRANSPORT:
        production = _pay_heavy_armor(s, cmd, there)
    left = {it: brp for it, brp in there.items() if brp > 0 and fit(it)}
    cost, count = cost_of({unit: 1}), counted(cmd.units).get(unit, 0)
    return _divided(left, production, cost, count)


def _pay_heavy_armor(s: State, cmd: Announces, there: dict[str, int]) -> int:
    """Take what 5-6 armor in the same order costs from what is there; the rest of production is left."""
    armor = counted(cmd.units).get(HEAVY_ARMOR, 0)
    production = cmd.production
    for names in laid_on(s, cmd, HEAVY_ARMOR, brings_heavy_armor(s, cmd)) or () if armor else ():
        production -= _draw(there, names, cost_of({HEAVY_ARMOR: 1}))
    return production


def _draw(there: dict[str, int], names: Iterable[str], owed: int) -> int:
    """Take what is owed from what mobilizations have there, one after another; what is still owed then."""
    for it in names:
        taken = min(owed, there[it])
        there[it], owed = there[it] - taken, owed - taken
    return owed


def _divided(left: dict[str, int], production: int, cost: int, count: int) -> list[tuple[str, ...]] | None:
    """Share out payers: one that pays for a unit alone first, then one with production's help, then several."""
    found: list[tuple[str, ...]] = []
    waiting = dict(left)
    for _ in range(count):
        alone = [it for it, brp in waiting.items() if brp >= cost]
        names: list[str] = alone[:1]
        if not alone:
            owed = cost
            for it in sorted(waiting, key=lambda name: -waiting[name]):
                names.append(it)
                owed -= waiting[it]
                if owed <= production:
                    break
            else:
                return None
            production -= max(0, owed)
        for it in names:
            del waiting[it]
        found.append(tuple(names))
    return found


def sources(s: State, cmd: Announces, unit: Unit, count: int) -> list[tuple[int, Mobilized]]:
    """Under which mobilizations units are entered: one by one where each may bring only one of a kind."""
    fits = {HEAVY_ARMOR: brings_heavy_armor, TRANSPORT: brings_transport}
    shared = laid_on(s, cmd, unit, fits[unit](s, cmd)) if cmd.power == "usa" and unit in fits else None
    now = under_way(s, cmd)
    if shared:
        return [(1, Mobilized(names, deferred=now not in names)) for names in shared]
    return [(count, Mobilized((now,)) if now else Mobilized(tuple(paying(s, cmd)), deferred=True))]


@order("36.351", on=TriggerDeferred)
def trigger_deferred(p: Proceedings, cmd: TriggerDeferred) -> None:
    """Deferred additions are announced; their delay runs from now, production's share included."""
    units = counted(cmd.units)
    brought = [(unit, *it) for unit, count in units.items() for it in sources(p.s, cmd, unit, count)]
    use_deferred(p, cmd.power, from_deferment(cmd), units)
    for unit, count, source in brought:
        announce(p, cmd.power, unit, count, source)
