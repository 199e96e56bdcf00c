"""India, its National Army, Colombo and the Strait of Malacca (72.15, 72.17, 72.8, 72.9, 74)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import by_key
from warcabinet.board.names import places, places_at
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, Rebuild, ReportUnits
from warcabinet.model.events import Reported, UnitsMoved
from warcabinet.model.names import areas, called
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT
from warcabinet.model.places import Place, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import INA, home_hexes
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.model.units import Unit, unit_cost, unit_factors
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import friendly, side_of, units_of_kind
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import Going, goal_of, nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.common.ways import must_pass
from warcabinet.rules.common.ways import strait as strait_hexes
from warcabinet.rules.commonwealth.boxed import BOXED, JAPAN, box_of
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.building import rebuild_cost, rebuilt, rebuilt_by_leader, unit_was_lost, within_means
from warcabinet.rules.minors.forces_of_minors import indian_subversion
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.restrictions import may_enter
from warcabinet.rules.minors.voyages import Voyage, strait

OBJECTIVES = tuple(map(place_key, ("Calcutta", "Colombo", "Dacca", "Rangoon")))
SMALL, LARGE = Unit("infantry 1-2"), Unit("infantry 2-2")
KINDS = (SMALL, LARGE)
THEATER = ("burma", "india")


# -- the force pool -----------------------------------------------------------------------------------------------


@value("72.93A")
def ina_force_pool(s: State, unit: Unit) -> int:
    """Units in the Indian National Army's force pool: one for each of four cities of Japan's, once subverted."""
    if unit not in KINDS or not indian_subversion(s):
        return 0
    held = [place_called(it) for it in OBJECTIVES if holder(s, it) == "japan"]
    note("cities_held", "72.93A", len(held), text=", ".join(held))
    return len(held)


def in_being(s: State, unit: Unit) -> int:
    """Units of a kind on the boards and unbuilt."""
    return sum(it.count for it in units_of_kind(s, INA, unit)) + unbuilt_of(s, INA, unit)


def pool_change(s: State, unit: Unit) -> int:
    """By how much the next adjustment changes the unbuilt units of a kind; what stands on the boards stays."""
    return max(ina_force_pool(s, unit) - in_being(s, unit), -unbuilt_of(s, INA, unit))


@effect("72.93B", when=lambda s: s.player == "axis", also=("72.93A",))
def adjust_ina_pool(p: Proceedings) -> None:
    """In Japan's construction phase the Indian National Army's pool follows cities gained and lost, in unbuilt
    units.
    """
    for unit in KINDS:
        change = pool_change(p.s, unit)
        if change > 0:
            p.do(UnitsMoved(INA, unit, change, OUT_OF_PLAY, UNBUILT, "a city gained"))
        elif change:
            p.do(UnitsMoved(INA, unit, -change, UNBUILT, OUT_OF_PLAY, "a city lost"))


@foresees
def pool_will_change(s: State) -> Iterator[Foreseen]:
    when = next_step_of(s, "japan", "unit construction")
    for unit in KINDS:
        change = pool_change(s, unit)
        if change:
            text = f"the force pool of the Indian National Army changes by {change:+} {unit}, unbuilt"
            averted = "the loss of the city by then" if change > 0 else "the recapture of the city by then"
            yield Foreseen(when, "72.93B", text, "japan", "india", averted)


# -- one factor a turn --------------------------------------------------------------------------------------------


@remembered("72.92B", "Factors saved for a 2-2: none, or the one that an earlier turn deferred")
def deferred_ina_factors(s: State) -> int:
    return 0


@definition("72.92B", "A unit could be built now: one is unbuilt, and a city is there to build it in (R-0087)")
def ina_construction_open(s: State) -> bool:
    return any(unbuilt_of(s, INA, it) for it in KINDS) and any(ina_site(s, it.key) for it in places().values())


@effect("72.92B", when=lambda s: s.player == "axis")
def defer_ina_factor(p: Proceedings) -> None:
    """What Japan did not build of its one factor a turn is deferred, up to one."""
    built, saved = rebuilt(p.s, INA, "infantry"), deferred_ina_factors(p.s)
    due_now = 1 if built or ina_construction_open(p.s) else 0
    after = min(1, saved + due_now - built)
    if after != saved:
        told = "a factor deferred" if after else "the deferred factor used"
        deferred_ina_factors.note(p, after, told)
        p.do(Reported("construction", f"Indian National Army: {told}"))


@value("72.92B", "How many factors of the Indian National Army may still be built this turn")
def ina_factors_left(s: State) -> int:
    return 1 + deferred_ina_factors(s) - rebuilt(s, INA, "infantry")


def _of_ina(s: State, cmd: Rebuild) -> bool:
    return cmd.country == INA


@limit("72.92A", on=Rebuild, when=_of_ina, displaces=rebuilt_by_leader)
def japan_builds_indians(s: State, cmd: Rebuild) -> str | None:
    """Only Japan builds the Indian National Army, after an Indian subversion result."""
    if cmd.power != "japan":
        return "Japan alone builds the Indian National Army"
    return None if indian_subversion(s) else "Japan has not achieved the Indian subversion result (report_subversion)"


@limit("72.93A", on=Rebuild, when=_of_ina, displaces=unit_was_lost)
def ina_pool_holds_unit(s: State, cmd: Rebuild) -> str | None:
    """The Indian National Army has a 1-2 and a 2-2 for each of Calcutta, Colombo, Dacca and Rangoon that is
    Japanese.
    """
    if unbuilt_of(s, INA, cmd.unit):
        return None
    objectives = ", ".join(map(place_called, OBJECTIVES))
    return f"no {cmd.unit} is unbuilt: one 1-2 and one 2-2 for each of {objectives} that Japan controls"


# -- where, and who pays ------------------------------------------------------------------------------------------


def _is_city(key: Place) -> bool:
    return land(key)[0] in THEATER and bool(places_at(key))


def _japanese_since_start(s: State, key: str) -> bool:
    frame = s.frame("player turn")
    return holder(s, key) == "japan" and frame.before.get(key, "japan") == "japan"


@definition("72.92C")
def ina_site(s: State, place: Place) -> bool:
    """The Indian National Army is built in a fully supplied city of India or Burma, Japanese since the turn began."""
    return _is_city(place) and _japanese_since_start(s, place) and fully_supplied(s, "japan", place)


@value("72.92D", displaces=rebuild_cost, when=lambda s, nation, unit: nation == INA)
def ina_cost(s: State, nation: str, unit: Unit) -> int:
    """Japan pays what units of the Indian National Army cost."""
    return unit_cost(unit)


@limit("72.92C", on=Rebuild, when=_of_ina)
def ina_may_be_built(s: State, cmd: Rebuild) -> Iterator[Refusal | str]:
    """The Indian National Army builds one 1-2 a turn, or with a deferred factor a 2-2 instead; Japan pays (R-0087).

    It is built in a fully supplied city of India or Burma that has been Japanese since the turn began.
    """
    left, wanted = ina_factors_left(s), unit_factors(cmd.unit)
    if rebuilt(s, INA, "infantry"):
        yield Refusal("72.92B", "a unit of the Indian National Army has been built this turn")
    elif wanted > left:
        told = (
            f"{cmd.unit} takes {wanted} factors: {left} may be built, unless a factor was deferred in an earlier turn"
        )
        yield Refusal("72.92B", told)
    if unpaid := within_means(s, "japan", ina_cost(s, INA, cmd.unit)):
        yield Refusal("72.92D", unpaid)
    name = place_called(cmd.at)
    if not _is_city(cmd.at):
        yield f"{name} is no city in India or Burma"
    elif not _japanese_since_start(s, cmd.at):
        yield f"Japan does not control {name}, or did not as its player turn began"
    elif not ina_site(s, cmd.at):
        yield f"{name} is not fully supplied; by sea it is reported (report_full_supply)"


# -- where they operate -------------------------------------------------------------------------------------------


@definition("72.94", displaces=in_area, when=lambda s, nation, place: nation == INA)
def ina_area(s: State, nation: str, place: Place) -> bool:
    """The Indian National Army goes to Burma and India only."""
    return land(place)[0] in THEATER


@definition("72.94", displaces=may_enter, when=lambda s, nation, place, purpose: nation == INA and purpose == "attack")
def ina_attacks(s: State, nation: str, place: Place, purpose: str) -> bool:
    """The Indian National Army attacks in Burma and India only, not beside them."""
    return in_area(s, nation, place)


@barred(
    "72.94", acts=("enter", "attack", "join", "operate"), when=lambda s, it: it.nation == INA and it.exact, final=True
)
def ina_stays(s: State, it: Presence) -> str | None:
    """The Indian National Army is and fights in Burma and India only."""
    return None if in_area(s, INA, it.at) else f"it operates only in Burma and India, not in {it.place}"


@limit("72.93A", on=ReportUnits, when=lambda s, cmd: cmd.nation == INA and cmd.count > 0, excusable=True)
def ina_reported_within_pool(s: State, cmd: ReportUnits) -> str:
    """Units of the Indian National Army are built, not reported, within its force pool."""
    return f"its units are built by rebuild, of {ina_force_pool(s, cmd.unit)} {cmd.unit} in its force pool"


# -- British forces in Asia ---------------------------------------------------------------------------------------

#: What Britain keeps in Asia until war with Japan (72.17).
BRITISH_IN_ASIA = {"armor 2-3": 1, "infantry 1-2": 3, "replacement": 2, "army air": 2, "cruiser": 1, "destroyer": 1}


def in_asia(place: Place) -> bool:
    """Whether a place is on the Pacific board, or in a box of Australia or India."""
    return place.startswith("pacific/") or place in [box_of(it) for it in BOXED]


@value("72.17", "Units of a kind that Britain must keep in Asia")
def british_garrison_of_asia(s: State, unit: Unit) -> int:
    return 0 if went_to_war(s, "britain", "japan") else BRITISH_IN_ASIA.get(unit, 0)


def _leaves_asia(s: State, cmd: Going) -> bool:
    """Whether British units leave Asia of their own will; a report of losses is another matter."""
    if nation_of(cmd) != "britain" or not in_asia(origin_of(cmd)) or in_asia(goal_of(cmd)):
        return False
    return not (isinstance(cmd, ReportUnits) and cmd.lost)


@limit("72.17", on=(MoveUnits, ReportMove, ReportUnits), when=_leaves_asia, excusable=True)
def british_stay_in_asia(s: State, cmd: Going) -> str | None:
    """British forces that began the game in Asia remain there until war with Japan."""
    for unit, count in units_going(cmd).items():
        there = sum(it.count for it in s.pieces.of_kind("britain", unit) if in_asia(it.place))
        wanted, left = british_garrison_of_asia(s, unit), there - count
        if left < wanted:
            told = f"{max(0, left)} British {unit} would be left in Asia"
            return f"{told}, where {wanted} must remain until war with Japan"
    return None


# -- places -------------------------------------------------------------------------------------------------------

COLOMBO = place_key("Colombo")


@definition("72.15B")
def part_of_india(s: State, place: Place) -> bool:
    """A place is part of India, as Ceylon with Colombo is; only Calcutta and Dacca have BRPs of their own."""
    return place == box_of("india") or place in home_hexes("india")


@definition("72.82")
def japan_uses_colombo(s: State) -> bool:
    """Japan may base raiders in Colombo, and has its modifier for submarines in the Indian Ocean SW box."""
    return holder(s, COLOMBO) == JAPAN


@barred(
    "72.82",
    acts=("operate",),
    when=lambda s, it: it.how == "raid" and it.at == COLOMBO and side_of(s, it.nation) == JAPAN,
    final=True,
)
def raiders_from_colombo(s: State, it: Presence) -> str | None:
    """Japanese raiders leave Colombo for the Indian Ocean only while Japan holds it."""
    return None if japan_uses_colombo(s) else "Japan does not control Colombo"


@value("72.83", "The capital by which a British colony in Asia stands and falls: Rangoon for Burma")
def colonial_capital(s: State, colony: str) -> tuple[str, ...]:
    return areas()[colony].places


SINGAPORE = place_key("Singapore")
MALACCA = tuple(f"pacific/{id_}" for id_ in strait_hexes("malacca").hexes)
#: The hex of the Strait that has a coast on the South China Sea as well.
MALAYA_COAST = place_key("Kuala Lumpur")
WESTERN_SEAS = {"bay_of_bengal", "indian_ocean"}


# -- the Strait of Malacca ----------------------------------------------------------------------------------------


@definition("74.31", "A nation's side controls Singapore, and so the Strait of Malacca")
def malacca_open(s: State, nation: str) -> bool:
    return friendly(s, SINGAPORE, side_of(s, nation))


def _in_the_west(place: Place) -> bool:
    """Whether ships there are in the Bay of Bengal or the Indian Ocean, not east of Malaya."""
    if place.startswith("box/"):
        return place == "box/india_box"
    seas = set(by_key(place).seas)
    return bool(seas & WESTERN_SEAS) and "south_china_sea" not in seas


def into_malacca(origin: Place, to: Place) -> bool:
    """Whether ships go into the Strait, or come out of it, at one of its ends."""
    inside = [it for it in (origin, to) if it in MALACCA]
    if len(inside) != 1:
        return False
    other = to if origin in MALACCA else origin
    return inside[0] != MALAYA_COAST or _in_the_west(other)


def _by_malacca(s: State, it: Voyage) -> bool:
    """Whether a voyage leads into the Strait or through it; Singapore itself may be invaded from the west."""
    # Troops of which only the place is reported may have marched.
    if it.past is not must_pass or (it.to == SINGAPORE and it.how == "seaborne invasion"):
        return False
    inside = it.origin and it.to and into_malacca(it.origin, it.to) and reading_in_force(s, "R-0741") == "a"
    return bool(inside) or it.through == "strait of malacca"


@strait("74.31", passes=_by_malacca)
def malacca_is_shut(s: State, it: Voyage) -> str | None:
    """No ships, nor what they carry or supply, pass the Strait of Malacca without Singapore, save to invade it."""
    if malacca_open(s, it.nation):
        return None
    held_by = called(holder(s, SINGAPORE))
    return f"the Strait of Malacca (DD11, EE10) is shut to {called(it.nation)}: Singapore is held by {held_by}"
