"""How strong both garrisons start, must be and may be, and how they are reinforced (81.31, 81.41, 81.42B, 81.43)."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import powers
from warcabinet.model.places import holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import kind_name
from warcabinet.rules.common.pieces import units_of
from warcabinet.rules.common.waiting import goal_of, nation_of, origin_of
from warcabinet.rules.common.war_and_peace import declared, wars_between, went_to_war
from warcabinet.rules.economy.mobilization_record import half_done
from warcabinet.rules.economy.mobilization_schedule import russian_civilian
from warcabinet.rules.garrisons.counting import AIR, SIBERIA, TYPES, garrison_factors, type_of
from warcabinet.rules.kinds import definition, effect, limit, remembered, value

FULL = {"armor": 6, "infantry": 18, AIR: 5}
FULL_VALUE = 45
LEAST_VALUE = 30
#: The units that are bound to Siberia.
MANDATORY = {"armor 3-3": 2, "infantry 3-2": 2, "infantry 2-2": 4, "infantry 1-2": 4, AIR: 5}
THREE_FACTORS = 3
INFANTRY_FOR_ARMOR = 2


def prequel(s: State, *rest: object) -> bool:
    return s.options.edition == "prequel"


def three_factor_armor(unit: str) -> bool:
    return kind_name(unit) == "armor" and unit.removeprefix("armor ").startswith("3-")


# -- what Storm Over Asia left ------------------------------------------------------------------------------------


@value("81.31C", "The value that Manchuria needs against a Russian declaration of war")
def manchurian_deterrent(s: State) -> int:
    return LEAST_VALUE


@value("81.31C", displaces=manchurian_deterrent, when=prequel, covers=("81.31C(1)", "81.31C(2)"))
def manchurian_deterrent_after_asia(s: State) -> int:
    """Each +1 of Storm Over Asia for Japan lowers what Manchuria needs by one, each +1 for Russia raises it."""
    return LEAST_VALUE - _results(s, "81.31C(1)", "81.31C(2)")


@value("81.43", "The least value of the Siberian garrison until Russia and Japan have gone to war")
def siberian_minimum(s: State) -> int:
    return LEAST_VALUE


@value("81.41B", displaces=siberian_minimum, when=prequel, covers=("81.41B(1)", "81.41B(2)"))
def siberian_minimum_after_asia(s: State) -> int:
    """Each +1 of Storm Over Asia for Russia lowers the Siberian minimum by one, each +1 for Japan raises it."""
    return LEAST_VALUE + _results(s, "81.41B(2)", "81.41B(1)")


def _results(s: State, japanese: str, russian: str) -> int:
    """The balance of Storm Over Asia in Japan's favour, noted by the line that counts it."""
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


@value("81.41A", covers=tuple(clause for _, clause, _ in START))
def siberian_start(s: State, unit: str) -> int:
    """Counters of a kind that start in Siberia, by Russia's military counters; no others start there."""
    found = 0
    for least, clause, units in START:
        if s.options.russian_military_counters >= least and unit in units:
            note("starts", clause, units[unit], unit)
            found += units[unit]
    return found


@value("81.41F", displaces=siberian_start, when=lambda s, unit: not prequel(s))
def siberian_classic_start(s: State, unit: str) -> int:
    """In a classic game the whole garrison of 45 BRPs starts in Siberia, Mongolia and Tannu Tuva."""
    return MANDATORY.get(unit, 0)


@definition("81.41E", "Russia has mobilized its first civilian factory")
def first_factory_mobilized(s: State) -> bool:
    begun = len(russian_civilian(s))
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


@definition("81.44B", covers=("81.44B(1)", "81.44B(2)"))
def free_in_the_west(s: State) -> bool:
    # A war with Germany one of the two declared, whether or not it is told which.
    """Russia is or was in a war that it or Germany declared, and Germany surrendered or no Russian soil is lost."""
    if not went_to_war(s, "germany", "russia") and not _war_on_japan(s):
        return False
    surrendered = s.powers["germany"].surrendered
    note("surrendered", "81.44B(1)", surrendered, "germany")
    return surrendered or not russian_soil_lost(s)


def _war_on_japan(s: State) -> bool:
    """Whether Russia declared war on Japan, as it did where nobody is told to have."""
    return any(war.declared_by != "japan" for war in wars_between(s, "japan", "russia"))


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
