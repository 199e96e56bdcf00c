"""Communist China: its politics, what it builds, where and who pays, its partisans (79)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.allegiances import Allegiance
from warcabinet.model.commands.china import ChooseCommunistStatus
from warcabinet.model.commands.economy import ReportConquest, Spend
from warcabinet.model.commands.minors import Rebuild, ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.commands.politics import ReportPeace, ReportStatus
from warcabinet.model.communist_china import regions
from warcabinet.model.events import WarBegan
from warcabinet.model.happenings import ChoseOn, done
from warcabinet.model.names import areas, called
from warcabinet.model.places import Place, default_holders, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_cost, unit_factors
from warcabinet.rules.china.territory import (
    ASIAN,
    COMMUNISTS,
    NATIONALISTS,
    YENAN,
    communist_sources,
    communist_territory,
    construction_rate,
    holds,
    in_china,
    joint_attacks,
    objectives,
    on_front,
    region_kept,
    restrictions_eased,
)
from warcabinet.rules.common.books import enter_on_books, on_books, worth
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import step_of_next_turn
from warcabinet.rules.common.pieces import faction, side_of, units_at
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.waiting import Question, close_operation, open_operation, something_asks
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, due, effect, limit, order, remembered, value
from warcabinet.rules.minors import building
from warcabinet.rules.minors.association import takes_in
from warcabinet.rules.minors.conquest import recovers_at_home
from warcabinet.rules.minors.forces_of_minors import most_partisans, open_for_set_up
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.operations import OPTIONS, chose, operation_is_free, unpaid
from warcabinet.rules.minors.pacific import pacific_class
from warcabinet.rules.minors.results import fallen_by_capital
from warcabinet.rules.minors.status import change_status, hand_over_hexes
from warcabinet.rules.minors.units import moves_with, offensive_payer

PARTISAN, INFANTRY = Unit("partisan"), "infantry"


# -- how many -----------------------------------------------------------------------------------------------------


@value(
    "84.47A(1)", displaces=building.free_infantry_factors, when=lambda s, nation: nation == COMMUNISTS, also=("79.41",)
)
def communist_infantry_factors(s: State, nation: str) -> int:
    """Communist China rebuilds two infantry factors a turn; after the prequel one a region it started with."""
    rate = construction_rate(s)
    if building.status_of(s, nation) == "allied":
        note("russian_minor_ally", "85.481B", rate, nation)
    return rate


@limit(
    "84.47A(1)",
    on=Rebuild,
    when=lambda s, cmd: cmd.country == COMMUNISTS and building.branch_of(cmd.unit) == INFANTRY,
    displaces=building.rebuilt_by_its_kind,
    covers=("79.41B",),
    also=("79.41",),
)
def communist_factors_left(s: State, cmd: Rebuild) -> Refusal | None:
    """Communist China rebuilds two infantry factors a turn; after the prequel one for each region it started with."""
    left = building.free_infantry_factors(s, COMMUNISTS) - building.rebuilt(s, COMMUNISTS, INFANTRY)
    if (wanted := unit_factors(cmd.unit)) <= left:
        return None
    clause = "85.481B" if building.status_of(s, COMMUNISTS) == "allied" else "84.47A(1)"
    if s.options.edition == "prequel":
        clause = "79.41A"
        if wanted == 2 and left == 1 and building_deferred(s) and construction_rate(s) == 1:
            return None
    return Refusal(clause, f"{max(0, left)} infantry factors are left this turn", also=("79.41",))


@remembered("79.41B", "Communist China deferred building for a turn, so as to rebuild a 2-2 infantry unit")
def building_deferred(s: State) -> bool:
    return False


@effect("79.41B", when=lambda s: s.player == "allied" and s.options.edition == "prequel" and construction_rate(s) == 1)
def defer_building(p: Proceedings) -> None:
    """At a rate of one factor, a turn without building lets Communist China build a 2-2 in the next."""
    waiting = any(kind_name(unit) == INFANTRY and count for unit, count in unbuilt(p.s, COMMUNISTS))
    deferred = waiting and not building.rebuilt(p.s, COMMUNISTS, INFANTRY)
    if deferred and not building_deferred(p.s):
        building_deferred.note(p, True, f"nothing was built in {calendar.turn_name(p.s.turn)}")
    elif building_deferred(p.s) and not deferred:
        building_deferred.forget(p)


@value("79.42", "Communist Chinese partisans that may be built in a turn; the Sinkiang Road adds one (R-0088)")
def partisan_rate(s: State) -> int:
    return 1 + (s.options.edition == "prequel" and s.options.sinkiang_road)


@value(
    "82.61",
    displaces=most_partisans,
    when=lambda s, nation, side: nation == COMMUNISTS and side == "russia" and s.year >= 1942,
)
def more_communist_partisans(s: State, nation: str, side: str) -> int:
    """Communist China gets one more partisan each year from 1942."""
    return most_partisans.general(s, nation, side) + s.year - 1941


def _new_partisans(cmd: Rebuild | ReportUnits) -> int:
    """How many Communist Chinese partisans a command brings."""
    if isinstance(cmd, Rebuild):
        return int(cmd.country == COMMUNISTS and building.branch_of(cmd.unit) == PARTISAN)
    if cmd.nation != COMMUNISTS or unit_branch(cmd.unit) != PARTISAN:
        return 0
    return max(0, cmd.count)


@limit("79.42", on=(Rebuild, ReportUnits), when=lambda s, cmd: _new_partisans(cmd) > 0)
def partisans_by_turn_and_place(s: State, cmd: Rebuild | ReportUnits) -> Iterator[Refusal | str]:
    """Communist China builds one partisan a turn, in a hex of China that Japan controls; those paid for by an order."""
    most, name = partisan_rate(s), place_called(cmd.at)
    if total(s, "rebuilt partisan", COMMUNISTS, "turn") + _new_partisans(cmd) > most:
        yield f"{most} Communist Chinese partisan{'s are' if most > 1 else ' is'} built in a turn"
    elif not in_china(s, cmd.at):
        yield f"{name} is not in China"
    elif faction(s, holder(s, cmd.at)) != faction(s, "japan"):
        yield f"{name} is not under Japanese control"
    if isinstance(cmd, ReportUnits) and building.cost_to_power(s, COMMUNISTS, PARTISAN):
        yield Refusal("79.52", "Russia pays for them now: rebuild")


@limit("79.42", on=Rebuild, when=lambda s, cmd: _new_partisans(cmd) > 0, displaces=building.unit_was_lost)
def communist_partisans_rise(s: State, cmd: Rebuild) -> str | None:
    """Partisans rise anew, whether or not any were lost."""
    there = sum(it.count for it in s.pieces.of_kind(COMMUNISTS, PARTISAN))
    most = most_partisans(s, COMMUNISTS, "russia")
    return None if there < most else f"{there} Communist Chinese partisans are on the board; the table gives {most}"


# -- where --------------------------------------------------------------------------------------------------------


@limit("79.41", on=Rebuild, when=lambda s, cmd: cmd.country == COMMUNISTS, displaces=building.rebuilt_at_home)
def communists_build(s: State, cmd: Rebuild) -> Iterator[Refusal]:
    """Communist infantry is built in China where Communists or Russia were at the start: supplied, in no Japanese ZoC.

    No units are built in Nationalist hexes, Manchuria or Hong Kong; Russia pays within its means (R-0095).
    """
    key, name, both = cmd.at, place_called(cmd.at), ("79.41B",)
    if reason := prohibited(s, key):
        yield Refusal("79.43", f"{name}: {reason}")
    elif building.branch_of(cmd.unit) == PARTISAN:
        pass
    elif not in_china(s, key):
        yield Refusal("79.41", f"{name} is not in China", also=both)
    elif not (holds(s, key) and _held_at_start(s, key)):
        told = f"{name} was not Communist China's or Russia's when the player turn began"
        yield Refusal("79.41", told, also=both)
    elif building.in_enemy_zone(s, COMMUNISTS, key):
        yield Refusal("79.41", f"{name} is in a Japanese zone of control", also=both)
    elif not building.supplied_hex(s, COMMUNISTS, COMMUNISTS, key):
        yield Refusal("79.41", f"{name} is not supplied", also=both)
    cost = building.cost_to_power(s, COMMUNISTS, cmd.unit)
    if cost and cost > construction_left(s, "russia"):
        yield Refusal("79.52", f"Russia pays {cost} BRPs, more than is left of its construction limit")
    elif cost > spendable(s, "russia"):
        yield Refusal("79.52", f"Russia pays {cost} BRPs, more than it may spend")


def _held_at_start(s: State, key: Place) -> bool:
    frame = s.frame("player turn")
    if key not in frame.before:
        return True
    was = frame.before[key] or default_holders().get(key, "")
    return was in (COMMUNISTS, "russia")


def prohibited(s: State, place: Place) -> str:
    """Why no Communist Chinese unit is built in a place, whatever else holds; nothing if it may be."""
    if holder(s, place) == NATIONALISTS:
        return "it is Nationalist China's"
    country = land(place)[0]
    return f"it is in {country.replace('_', ' ').title()}" if country in ("manchuria", "hong_kong") else ""


# -- who pays -----------------------------------------------------------------------------------------------------


@value("79.52")
def free_factors(s: State) -> int:
    """Infantry factors a turn that cost nothing: all while Yenan holds, after the prequel those of its regions."""
    if s.options.scope == "pacific":
        note("pacific_scenario", "79.53", True, COMMUNISTS)
        return construction_rate(s)
    if s.options.edition == "classic":
        return construction_rate(s) if holds(s, YENAN) else 0
    kept = sum(region_kept(s, it) for it in regions(s.options.communist_regions))
    return kept + (s.options.sinkiang_road and bool(communist_sources(s)))


@value("79.52", displaces=building.cost_to_power, when=lambda s, nation, unit: nation == COMMUNISTS, also=("79.72",))
def communist_unit_cost(s: State, nation: str, unit: Unit) -> int:
    """What Russia pays for a Communist Chinese unit: nothing as long as factors of regions that hold out are left."""
    free = free_factors(s)
    if building.branch_of(unit) != INFANTRY:
        return 0 if free else unit_cost(unit)
    if free >= construction_rate(s):
        return 0  # whatever may be built is free, a 2-2 for which building was deferred as well
    built = building.rebuilt(s, COMMUNISTS, INFANTRY)
    paid = max(0, built + unit_factors(unit) - free) - max(0, built - free)
    return paid * unit_cost(unit) // unit_factors(unit)


@value("79.52", displaces=building.rebuild_payer, when=lambda s, nation, power: nation == COMMUNISTS)
def russia_pays(s: State, nation: str, power: str) -> str:
    """Russia pays for Communist Chinese units that are not free."""
    return "russia"


@limit(
    "79.51", on=(ReportOperation, Spend), when=lambda s, cmd: unpaid(s, cmd) == COMMUNISTS, displaces=operation_is_free
)
def independent_attacks_are_free(s: State, cmd: ReportOperation | Spend) -> Refusal:
    """Communist Chinese offensive operations cost nothing while it is independent, and in Pacific scenarios."""
    pacific = s.options.scope == "pacific"
    by, why = ("79.53", "in Pacific scenarios") if pacific else ("79.51", "while it is independent")
    return Refusal(by, f"Communist China attacks at no cost {why}")


TITLE = "Communist China's choice"


# -- status -------------------------------------------------------------------------------------------------------


@remembered("79.11", "Communist China chose to stay an independent minor country though Russia fights Japan")
def stays_independent(s: State) -> bool:
    return False


@effect(
    "85.61",
    on=WarBegan,
    when=lambda s, began: (
        set(began.between) == {"japan", "russia"}
        and s.countries[COMMUNISTS].status == "independent"
        and not stays_independent(s)
        and takes_in(s, "russia", COMMUNISTS)
    ),
    also=("79.11", "82.351", "82.91C"),
)
def communists_activate(p: Proceedings, began: WarBegan) -> None:
    """Communist China becomes a Russian minor ally at the outbreak of war between Japan and Russia, or may choose."""
    if restrictions_eased(p.s):
        asks = "become Russia's minor ally, or stay independent for good"
        question = Question("79.11", (NATIONALISTS, "russia"), (ChooseCommunistStatus,), asks)
        open_operation(p, TITLE, Allegiance(COMMUNISTS, "russia"), question)
    else:
        p.run(communists_join_russia)


@limit("79.11", on=ChooseCommunistStatus, when=lambda s, cmd: not s.operations, displaces=something_asks)
def chosen_at_the_outbreak(s: State, cmd: ChooseCommunistStatus) -> str:
    """Communist China chooses once, as war breaks out between Russia and Japan and if cooperation has been eased."""
    return "Communist China chooses when war breaks out between Russia and Japan, if cooperation has been eased"


@order("79.11", "Communist China says what it is from now on", on=ChooseCommunistStatus, out_of_turn=True)
def choose_communist_status(p: Proceedings, cmd: ChooseCommunistStatus) -> None:
    if cmd.independent:
        stays_independent.note(p, True, "chosen when Russia and Japan went to war")
        close_operation(p, "stays independent")
    else:
        close_operation(p, "becomes a Russian minor ally")
        p.run(communists_join_russia)


@effect("79.11", "Communist China becomes a Russian minor ally; what it controls is Russia's, objectives too (79.73)")
def communists_join_russia(p: Proceedings) -> None:
    held = [area for area, key in objectives().items() if holder(p.s, key) == COMMUNISTS]
    change_status(p, COMMUNISTS, "allied", "russia", "85.61", "Russia and Japan are at war")
    hand_over_hexes(p, COMMUNISTS, "russia")
    spring = calendar.moment(p.s.turn + 1, calendar.first_step("year start"))
    for area in held if p.s.options.scope == "global" else ():
        when = step_of_next_turn(p.s, "russia", "start of player turn")
        # After a winter turn the year start counts what Japan has lost from its books (35.51, 35.64).
        if p.s.season == calendar.WINTER and on_books(p.s, "japan", area) <= 0:
            when = min(when, spring)
        promise(p, russia_counts_objective, when, "russia", area, worth(p.s, area))


@due("79.73", averted_by="taking {about} before then")
def russia_counts_objective(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """Russia receives the BRPs of a Chinese objective that Communist China holds."""
    if holder(p.s, objectives()[due_now.about]) != "russia":
        return "no longer controlled"
    missing = due_now.brp - on_books(p.s, "russia", due_now.about)
    enter_on_books(p, "russia", due_now.about, missing)
    # In the year start the books are added up in full; nothing is paid beside them.
    return 0 if p.s.place.part == "year start" else missing


@limit(
    "79.11",
    on=ReportStatus,
    when=lambda s, cmd: cmd.country == COMMUNISTS and cmd.status in ("allied", "independent"),
    excusable=True,
)
def status_is_settled(s: State, cmd: ReportStatus) -> str | None:
    """Communist China is Russia's minor ally from the Russo-Japanese war on, if it did not choose otherwise."""
    if cmd.status == "independent":
        allied = s.countries[COMMUNISTS].status == "allied"
        return "Communist China is Russia's minor ally, which may not be changed" if allied else None
    if stays_independent(s):
        return "Communist China chose to stay independent, which may not be changed"
    at_peace = not at_war(s, "russia", "japan")
    return "it becomes Russia's minor ally when war breaks out between Russia and Japan" if at_peace else None


@limit("85.62", on=ReportPeace, when=lambda s, cmd: set(cmd.between) == {COMMUNISTS, "japan"}, also=("85.42",))
def no_communist_peace(s: State, cmd: ReportPeace) -> str | None:
    """Communist China fights Japan alone until Russia does, then beside Russia: it makes no peace of its own."""
    if s.countries[COMMUNISTS].status == "allied" and not at_war(s, "russia", "japan"):
        return None
    return unless_excused(cmd, "Communist China fights Japan independently, or with Russia as its minor ally")


@value("79.11", displaces=pacific_class, when=lambda s, land: land == COMMUNISTS and stays_independent(s))
def class_by_choice(s: State, land: str) -> str:
    """Communist China stays independent by its own choice."""
    return "independent"


@value(
    "79.12",
    displaces=moves_with,
    when=lambda s, nation: nation == COMMUNISTS and s.countries[COMMUNISTS].status != "allied",
)
def moves_with_nationalists(s: State, nation: str) -> str:
    """Communist China moves at the same time as Nationalist China."""
    return NATIONALISTS


@definition("79.21", displaces=open_for_set_up, when=lambda s, nation, place: nation == COMMUNISTS)
def open_for_communists(s: State, nation: str, place: Place) -> bool:
    """Communist Chinese units are set up in Communist China, where no enemies stand."""
    enemies = any(side_of(s, it.nation) == faction(s, "japan") for it in units_at(s, place))
    return communist_territory(s, place) and holder(s, place) in (COMMUNISTS, "russia") and not enemies


# -- operations ---------------------------------------------------------------------------------------------------


@value("79.51", displaces=offensive_payer, when=lambda s, nation: nation == COMMUNISTS)
def communist_payer(s: State, nation: str) -> str:
    """Communist Chinese offensive operations cost nothing; as Russia's minor ally Russia pays, save in the Pacific."""
    if s.options.scope == "pacific":
        note("pacific_scenario", "79.53", "nobody", nation)
        return "nobody"
    return "russia" if s.countries[COMMUNISTS].status == "allied" else "nobody"


@value("79.31", "With whose choice of offensive or attrition Communist China must conform; with nobody's it is free")
def conforms_with(s: State) -> str:
    if s.countries[COMMUNISTS].status == "allied":
        return "russia"
    return NATIONALISTS if joint_attacks(s) else ""


@limit(
    "79.31A",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission in OPTIONS
        and conforms_with(s) != ""
        and cmd.nation in (COMMUNISTS, conforms_with(s))
        and bool(cmd.at)
        and on_front(cmd.at, ASIAN)
    ),
)
def both_conform(s: State, cmd: ReportOperation) -> Refusal | None:
    """Communist China acts like its partner on the Asian front: Russia, or while joint attacks are allowed China."""
    partner = conforms_with(s)
    clause, also = ("79.31A", ()) if partner == "russia" else ("79.31B", ("79.31",))
    other = partner if cmd.nation == COMMUNISTS else COMMUNISTS
    for option in OPTIONS:
        if option != cmd.mission and done(s, ChoseOn(option, ASIAN, other), "player turn"):
            told = f"{called(other)} {chose(option)} on the Asian front this turn, and both must conform"
            return Refusal(clause, told, also=also)
    return None


@limit(
    "79.81",
    on=ReportOperation,
    when=lambda s, cmd: {cmd.nation, cmd.assisting} == {COMMUNISTS, NATIONALISTS},
    also=("78.71",),
)
def no_joint_attack(s: State, cmd: ReportOperation) -> str | None:
    """Nationalists and Communists do not attack together while cooperation is restricted."""
    if joint_attacks(s):
        return None
    return "Nationalists and Communists cooperate only in a United Front with a resistance level of +2 or more"


# -- what it takes, and that it does not fall ---------------------------------------------------------------------


@limit("79.73", on=ReportRecovery, when=lambda s, cmd: cmd.country == COMMUNISTS, displaces=recovers_at_home)
def communists_take(s: State, cmd: ReportRecovery) -> str | None:
    """Communist China takes from Japan what lies in China, and holds it in its own name."""
    for place in cmd.places:
        now = holder(s, place)
        if not in_china(s, place):
            return f"{place_called(place)} is not in China, which Communist Chinese units do not leave"
        if now == COMMUNISTS:
            return f"{place_called(place)} is Communist China's already"
        if faction(s, now) != faction(s, "japan"):
            return f"{place_called(place)} is {called(now)}'s, with whom Communist China is not at war"
    return None


@value("79.73", "Who controls a place when victory is determined: Communist China's hexes count as Russia's")
def victory_controller(s: State, place: Place) -> str:
    now = holder(s, place)
    return "russia" if now == COMMUNISTS else now


@limit("79.71", on=ReportConquest, when=lambda s, cmd: cmd.area == COMMUNISTS, displaces=fallen_by_capital)
def never_conquered(s: State, cmd: ReportConquest) -> str:
    """Communist China is never conquered and never surrenders."""
    return f"{areas()[COMMUNISTS].name} is never conquered: who takes its cities leaves Russia to pay for its units"


@limit(
    "79.71",
    on=ReportStatus,
    when=lambda s, cmd: cmd.country == COMMUNISTS and cmd.status not in ("allied", "independent"),
    displaces=fallen_by_capital,
)
def never_surrenders(s: State, cmd: ReportStatus) -> str:
    """Communist China never surrenders, whatever Japan captures."""
    return f"{areas()[COMMUNISTS].name} fights Japan independently or as Russia's minor ally, and never surrenders"
