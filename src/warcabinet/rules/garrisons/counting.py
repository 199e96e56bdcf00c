"""Both garrisons: what stands in them, what of it counts and is worth, how strong they start, must be and may be
(81.31, 81.41 to 81.43, 81.52).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.kept import kept, lasting
from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportInversion, ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.events import UnitsMoved
from warcabinet.model.happenings import Inverted, befell, deeds_since
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At, Pieces, Stack
from warcabinet.model.places import NOWHERE, Place, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_cost, unit_factors
from warcabinet.rules.china.restrictions import WANG
from warcabinet.rules.common.pieces import patron, standing_at, units_at, units_of
from warcabinet.rules.common.waiting import goal_of, nation_of, origin_of
from warcabinet.rules.common.war_and_peace import declared, player_of, wars_between, went_to_war
from warcabinet.rules.economy.mobilization_record import half_done
from warcabinet.rules.economy.mobilization_schedule import russian_civilian
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value

MANCHURIA, SIBERIA = "manchuria", "siberia"
#: Whose garrison each is, and where it stands.
GARRISON_OF = {MANCHURIA: "japan", SIBERIA: "russia"}
REGIONS: dict[str, frozenset[Place]] = {
    MANCHURIA: frozenset(board_areas()["manchuria"].keys),
    SIBERIA: frozenset(key for it in ("siberia", "mongolia", "tannu_tuva") for key in board_areas()[it].keys),
}
#: The types that are required, each as the kinds of unit that it consists of.
TYPES = {"armor": ("armor",), "infantry": ("infantry", "mechanized infantry", WANG), "army air": ("army air",)}
AIR = Unit("army air")
NAVAL_AIR, SPECIALIZED = "naval air", "specialized"


@lasting
def type_of(unit: Unit) -> str:
    """The required type that a unit belongs to, or nothing for all others; Wang infantry is infantry (R-0821)."""
    kind = kind_name(unit)
    return next((it for it, kinds in TYPES.items() if kind in kinds), "")


def in_words(factors: Mapping[str, int]) -> str:
    """Factors by type as one says them: '1 armor factor and 3 infantry factors'."""
    told = (f"{count} {kind} factor{'' if count == 1 else 's'}" for kind, count in factors.items() if count)
    return " and ".join(told)


@definition("81.41F", "A place belongs to a garrison: Manchuria is one, Siberia, Mongolia and Tannu Tuva the other")
def in_garrison(s: State, garrison: str, place: Place) -> bool:
    return place in REGIONS[garrison]


def stacks_of(s: State, garrison: str) -> Iterator[Stack]:
    """The owner's units in a garrison's region, whether they count or not."""
    return _stacks_of(s.pieces, garrison)


def _stacks_of(pieces: Pieces, garrison: str) -> Iterator[Stack]:
    nation = GARRISON_OF[garrison]
    return (it for it in pieces.among(REGIONS[garrison]) if it.nation == nation)


# -- what counts --------------------------------------------------------------------------------------------------


def _turned_up(s: State, nation: str) -> int:
    """When a nation's air units last stood upright: at the start of its own last player turn."""
    leader = patron(s, nation)
    first = calendar.first_step(player_of(leader) if leader else "axis")
    return calendar.moment(s.turn if s.step >= first else s.turn - 1, first)


@value("81.52", "Air factors of a nation at a place that stand inverted after their use")
def inverted_at(s: State, nation: str, place: Place, unit: Unit) -> int:
    return min(_used_at(s, nation, place, unit), standing_at(s, nation, place, unit))


def _used_at(s: State, nation: str, place: Place, unit: Unit) -> int:
    """Air factors that were turned over at a place since they last stood upright."""
    turned = Inverted(nation, place, unit)
    return sum([count for it, count in deeds_since(s, Inverted, _turned_up(s, nation)) if it == turned])


@definition("81.52", "Naval air units at a place are based on carriers: where a carrier of theirs lies (R-0811)")
def carrier_based(s: State, nation: str, place: Place) -> bool:
    return any(it.nation == nation and kind_name(it.unit) == "carrier" for it in units_at(s, place))


@value("81.52")
def unit_worth(s: State, unit: Unit) -> int:
    """What one unit is worth in a garrison: its cost; a specialized unit, whose cost is not told, one BRP (R-2783)."""
    return 1 if kind_name(unit) == SPECIALIZED else unit_cost(unit)


@value("81.52", "How many of a nation's units of a kind at a place count in its garrison")
def units_counted(s: State, nation: str, place: Place, unit: Unit) -> int:
    there, branch = standing_at(s, nation, place, unit), unit_branch(unit)
    if branch in ("naval", "partisan"):
        return 0
    if kind_name(unit) == NAVAL_AIR and carrier_based(s, nation, place):
        return 0
    return there - inverted_at(s, nation, place, unit) if branch == "air" else there


@value("81.52", "What a nation's units of a kind at a place are worth in its garrison")
def units_worth(s: State, nation: str, place: Place, unit: Unit) -> int:
    return units_counted(s, nation, place, unit) * unit_worth(s, unit)


def ranked(s: State, garrison: str) -> tuple[Stack, ...]:
    """What stands in a garrison, by type and strength."""
    return _ranked(s.pieces, garrison)


@kept
def _ranked(pieces: Pieces, garrison: str) -> tuple[Stack, ...]:
    return tuple(sorted(_stacks_of(pieces, garrison), key=_rank))


def _rank(stack: Stack) -> tuple[int, int, str, str]:
    kinds = list(TYPES)
    kind = type_of(stack.unit)
    return kinds.index(kind) if kind else len(kinds), -unit_factors(stack.unit), stack.unit, stack.place


@value("81.52", "The BRP value of a garrison: no inverted air units, carrier-based naval air units or naval units")
def garrison_value(s: State, garrison: str) -> int:
    return sum([units_worth(s, it.nation, it.place, it.unit) for it in ranked(s, garrison)])


@value("81.42B(4)", "Factors of a type in a garrison: upright army air, armor, infantry; nothing stands in for another")
def garrison_factors(s: State, garrison: str, unit_type: str) -> int:
    there = [it for it in ranked(s, garrison) if type_of(it.unit) == unit_type]
    return sum([units_counted(s, it.nation, it.place, it.unit) * unit_factors(it.unit) for it in there])


def counters_in(s: State, garrison: str, unit: Unit) -> int:
    """Counters of one kind in a garrison's region."""
    return sum(it.count for it in stacks_of(s, garrison) if it.unit == unit)


def worth_of(s: State, units: Mapping[Unit, int]) -> int:
    """What some units are worth in a garrison."""
    return sum(count * unit_worth(s, unit) for unit, count in units.items())


# -- inversion ----------------------------------------------------------------------------------------------------


@order("81.32", on=ReportInversion)
def report_inversion(p: Proceedings, cmd: ReportInversion) -> None:
    """Air units that were used stand inverted, and do not count in a garrison, until their next player turn."""
    p.do(befell(p.s, Inverted(cmd.nation, cmd.at, cmd.unit), cmd.count))


def _flies(s: State, moved: UnitsMoved) -> bool:
    """Whether air units go from a place where some stand inverted to another place."""
    if unit_branch(moved.unit) != "air":
        return False
    origin, to = _ends(moved)
    return "" not in (origin, to) and origin != to and _used_at(s, moved.nation, origin, moved.unit) > 0


def _ends(moved: UnitsMoved) -> tuple[Place, Place]:
    """Where units left and where they are now, as far as these are places."""
    origin, to = (it.place if isinstance(it, At) else NOWHERE for it in (moved.origin, moved.to))
    return origin, to


@effect("81.32", on=UnitsMoved, when=_flies)
def inverted_units_go_along(p: Proceedings, moved: UnitsMoved) -> None:
    """Inverted air units that are redeployed stay inverted, and go before those that stand upright (R-0820)."""
    origin, to = _ends(moved)
    going = min(moved.count, _used_at(p.s, moved.nation, origin, moved.unit))
    for place, count in ((origin, -going), (to, going)):
        p.do(befell(p.s, Inverted(moved.nation, place, moved.unit), count))


@limit("81.52", "Only air units are inverted, and no more than stand upright at the place", on=ReportInversion)
def upright_units_only(s: State, cmd: ReportInversion) -> Bound | str:
    if unit_branch(cmd.unit) != "air":
        return f"{cmd.unit}: only air units are inverted"
    place = cmd.at
    upright = standing_at(s, cmd.nation, place, cmd.unit) - inverted_at(s, cmd.nation, place, cmd.unit)
    return Bound("count", most=upright, text=f"upright {cmd.unit} of {called(cmd.nation)} at {place_called(cmd.at)}")


FULL = {"armor": 6, "infantry": 18, AIR: 5}
FULL_VALUE = 45
LEAST_VALUE = 30
#: The units that are bound to Siberia.
MANDATORY = {Unit("armor 3-3"): 2, Unit("infantry 3-2"): 2, Unit("infantry 2-2"): 4, Unit("infantry 1-2"): 4, AIR: 5}
THREE_FACTORS = 3
INFANTRY_FOR_ARMOR = 2


def prequel(s: State, *rest: object) -> bool:
    return s.options.edition == "prequel"


def three_factor_armor(unit: Unit) -> bool:
    return kind_name(unit) == "armor" and unit.removeprefix("armor ").startswith("3-")


# -- what Storm Over Asia left ------------------------------------------------------------------------------------


@value("81.31C")
def manchurian_deterrent(s: State) -> int:
    """The value that Manchuria needs against a Russian declaration of war; Storm Over Asia moves it by its results."""
    return LEAST_VALUE - _results(s, "81.31C(1)", "81.31C(2)")


@value("81.43")
def siberian_minimum(s: State) -> int:
    """The least value of the Siberian garrison until war with Japan; Storm Over Asia moves it by its results."""
    if prequel(s):
        note("after_storm_over_asia", "81.41B", True, "russia")
    return LEAST_VALUE + _results(s, "81.41B(2)", "81.41B(1)")


def _results(s: State, japanese: str, russian: str) -> int:
    """The balance of Storm Over Asia in Japan's favour, noted by the line that counts it; none in a classic game."""
    if not prequel(s):
        return 0
    mine, theirs = s.options.japanese_combat_results, s.options.russian_combat_results
    if mine:
        note("results_for_japan", japanese, mine, "japan")
    if theirs:
        note("results_for_russia", russian, theirs, "russia")
    return mine - theirs


@value("81.53A", "Japan's advantage in the Russo-Japanese combat of Storm Over Asia; none in a classic game")
def japanese_advantage(s: State) -> int:
    if not prequel(s):
        return 0
    return max(0, s.options.japanese_combat_results - s.options.russian_combat_results)


# -- Siberia ------------------------------------------------------------------------------------------------------


@value("81.41C", "The most factors of a type that the Siberian garrison consists of")
def siberian_maximum(s: State, unit_type: str) -> int:
    return FULL.get(unit_type, 0)


@value("81.42B(6)", "Factors of a type by which the Siberian garrison is below its full strength")
def siberian_shortfall(s: State, unit_type: str) -> int:
    return max(0, siberian_maximum(s, unit_type) - garrison_factors(s, SIBERIA, unit_type))


@definition("81.42B(1)", "The Siberian garrison is at full strength in every type")
def siberia_full(s: State) -> bool:
    return not any(siberian_shortfall(s, it) for it in TYPES)


START: tuple[tuple[int, str, Mapping[str, int]], ...] = (
    (0, "81.41A(1)", {"infantry 2-2": 2, "infantry 1-2": 2, AIR: 2}),
    (1, "81.41A(2)", {AIR: 2}),
    (2, "81.41A(3)", {"infantry 3-2": 1, "infantry 2-2": 1, "infantry 1-2": 1}),
    (3, "81.41A(4)", {"armor 3-3": 1}),
)


@value("81.41A", covers=("81.41F", *(clause for _, clause, _ in START)))
def siberian_start(s: State, unit: Unit) -> int:
    """Counters of a kind that start in Siberia, Mongolia and Tannu Tuva: by Russia's military counters, or all."""
    if not prequel(s):
        note("classic_game", "81.41F", MANDATORY.get(unit, 0), unit)
        return MANDATORY.get(unit, 0)
    found = 0
    for least, clause, units in START:
        if s.options.russian_military_counters >= least and unit in units:
            note("starts", clause, units[unit], unit)
            found += units[unit]
    return found


@definition("81.41E", "Russia has mobilized its first civilian factory")
def first_factory_mobilized(s: State) -> bool:
    begun = len(russian_civilian(s))
    if not begun and s.options.mobilization != "scheduled":
        # A position need not tell what was mobilized; in war with Germany or Japan Russia does so every turn (36.11B).
        return any(went_to_war(s, it, "russia") for it in ("germany", "japan"))
    return begun - (half_done(s) is not None) > 0


@remembered("81.41D(1)", "Russia is still to bring Siberia up to strength: it started below its full level")
def siberia_to_fill(s: State) -> bool:
    return prequel(s)


@remembered("81.41D", "Russia's garrison in Europe has reached its full level (61.51), as the players report")
def european_garrison_full(s: State) -> bool:
    return False


@definition("81.41D(2)", "Units go from Siberia to a garrison in Europe that is still under strength")
def europe_is_filled(s: State) -> bool:
    return siberia_to_fill(s) and not european_garrison_full(s) and not went_to_war(s, "germany", "russia")


# -- Manchuria ----------------------------------------------------------------------------------------------------


def japanese_factors(s: State, unit_type: str) -> int:
    """Factors of a type that Japan has on the boards, wherever they are."""
    return sum(it.factors for it in units_of(s, "japan") if type_of(it.unit) == unit_type)


def lacked_at_start(s: State, unit_type: str) -> int:
    """Factors of a type that Japan did not have for Manchuria as the game began."""
    lacking = {
        "armor": s.options.missing_japanese_armor,
        "infantry": s.options.missing_japanese_infantry,
        AIR: s.options.missing_japanese_air,
    }
    return lacking[unit_type] if prequel(s) else 0


@remembered("81.42B(5)", "Factors of a type that Japan lacked at the start, less what it ever made good since")
def shortage_left(s: State, unit_type: str) -> int:
    return lacked_at_start(s, unit_type)


@value("81.42B(5)", "Factors of a type that Japan lacked for Manchuria at the start and has not built since")
def start_shortage(s: State, unit_type: str) -> int:
    lacked = shortage_left(s, unit_type)
    return min(lacked, max(0, FULL[unit_type] - japanese_factors(s, unit_type))) if lacked else 0


@effect("81.42B(5)", when=lambda s: s.player == "axis" and prequel(s))
def shortage_made_good(p: Proceedings) -> None:
    """What Japan has made good of a shortage at the start is no longer excused, though it be lost again."""
    for it in TYPES:
        left = start_shortage(p.s, it)
        if left < shortage_left(p.s, it):
            shortage_left.note(p, left, "built since", it)


@value("81.31A", "Infantry factors in Manchuria in place of armor that Japan never had: two for each factor")
def infantry_for_armor(s: State) -> int:
    missing = start_shortage(s, "armor")
    return INFANTRY_FOR_ARMOR * max(0, missing - siberian_shortfall(s, "armor")) if missing else 0


@value("81.31", "Factors of a type that Manchuria starts with, and that keep Siberia bound")
def manchurian_level(s: State, unit_type: str) -> int:
    return FULL.get(unit_type, 0)


@value("81.42B(6)", "Factors of a type that Japan needs in Manchuria now: fewer by what is missing in Siberia")
def manchurian_requirement(s: State, unit_type: str) -> int:
    # What Japan never had and what Russia lacks are not taken off twice.
    needed = manchurian_level(s, unit_type) - max(start_shortage(s, unit_type), siberian_shortfall(s, unit_type))
    if unit_type == "infantry":
        needed += infantry_for_armor(s)
    return max(0, needed)


URALS = "box/urals"
SAARE = "europe/F39"

#: The hexes that Russia must control, by the country of whose fall they are the fruit.
RUSSIAN_SOIL = {
    key: it for it in ("russia", "eastern_poland", "baltic_states") for key in board_areas()[it].keys if key != SAARE
}


@definition("81.44A", "Japan has declared war on Russia")
def attacked_by_japan(s: State) -> bool:
    return declared(s, "japan", "russia")


@value("81.44B(2)", "Hexes of Russia, eastern Poland and the Baltic States that Russia does not control; Saare apart")
def russian_soil_lost(s: State) -> tuple[str, ...]:
    return tuple(key for key, country in RUSSIAN_SOIL.items() if not _russian(s, key, country))


def _russian(s: State, key: str, country: str) -> bool:
    """Whether Russia controls a hex; what nobody else took in a country that it conquered is its own."""
    held_by = holder(s, key)
    if held_by in powers() or country == "russia":
        return held_by == "russia"
    standing = s.countries[country]
    return standing.status == "conquered" and standing.by == "russia"


@definition("81.44B", covers=("81.44B(2)",))
def free_in_the_west(s: State) -> bool:
    # A war with Germany one of the two declared, whether or not it is told which.
    """Russia is or was in a war that it or Germany declared, and Germany surrendered or no Russian soil is lost."""
    # On Japan Russia declared war, too, where nobody is told to have.
    on_japan = any(war.declared_by != "japan" for war in wars_between(s, "japan", "russia"))
    if not on_japan and not went_to_war(s, "germany", "russia"):
        return False
    surrendered = s.powers["germany"].surrendered
    note("surrendered", "81.44B(1)", surrendered, "germany")
    return surrendered or not russian_soil_lost(s)


def _eastward(s: State, cmd: MoveUnits | ReportMove) -> bool:
    if nation_of(cmd) != "russia":
        return False
    origin = origin_of(cmd)
    return (origin.startswith("europe/") or origin == URALS) and goal_of(cmd).startswith("pacific/")


@limit("81.44", on=(MoveUnits, ReportMove), when=_eastward, also=("81.44A", "81.44B"))
def no_way_east(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Russian units go from Europe or the Urals box to the Pacific theater only in or after certain wars."""
    if attacked_by_japan(s) or free_in_the_west(s):
        return None
    return "the Pacific theater is closed to Russian units from Europe and the Urals box"
