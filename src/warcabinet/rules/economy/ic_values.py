"""Industrial centers at work: rising values, isolation, supply and combat (37.1, 37.7, 37.8)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import europe
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.accounts import Source
from warcabinet.model.commands.forces import RaiseIcs, ReportLoss
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Happened
from warcabinet.model.names import areas, powers
from warcabinet.model.places import deciding_places, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.units import kind_name
from warcabinet.rules.common.books import enter_on_books, fixed_value, ic_value
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.supply_by_land import enemies, hexes_of, lines_from_the_east, supplied_from_the_east
from warcabinet.rules.common.war_and_peace import declared
from warcabinet.rules.economy.base import move_kept_brps
from warcabinet.rules.economy.growth import track
from warcabinet.rules.economy.industrial_centers import ic_city, ic_in, russian_ic, russian_ics, urals_oil
from warcabinet.rules.economy.key_areas import ics
from warcabinet.rules.economy.mobilization_record import half_done, turns_mobilized
from warcabinet.rules.economy.mobilization_schedule import russian_civilian, russian_mobilizations, scheduled
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value

STEP = 5
MOST = 20
STARTING_ICS = 7
RESISTANCE = "russian_resistance"
AFTER_COMBAT = "post-combat supply determination"


@definition("37.13", "Germany has declared war on Russia")
def german_attack(s: State) -> bool:
    return declared(s, "germany", "russia")


@definition("37.14", "Russia itself declared war on Germany or Japan: its ICs stay at ten BRPs")
def russian_declaration(s: State) -> bool:
    return declared(s, "russia", "germany") or declared(s, "russia", "japan")


@definition("37.13A", "The last mobilized IC has been placed in an earlier turn")
def all_ics_mobilized(s: State) -> bool:
    turns = russian_civilian(s)
    if not turns and not scheduled(s) and all_ics_stand(s):
        return True
    if len(turns) < russian_mobilizations(s) or half_done(s) is not None:
        return False
    return s.turn not in turns_mobilized(s, "russia")


def all_ics_stand(s: State) -> bool:
    """Where nobody told when Russia mobilized: whether as many ICs were founded as its mobilizations bring."""
    founded = sum(1 for area in ics() if ic_value(s, area.area)) + urals_oil(s)
    return founded >= STARTING_ICS + russian_mobilizations(s)


@definition("37.15", "A Japanese declaration of war neither lets ICs rise nor keeps them from rising")
def japanese_declaration(s: State) -> bool:
    return declared(s, "japan", "russia")


@definition("37.13F(1)", "Russian resistance stood at zero or below as the previous Allied player turn ended")
def resistance_broken(s: State) -> bool:
    # What moves in this turn tells later.
    moved = [
        h.amount for h in s.happenings.of("stood before at") if h.key == RESISTANCE and h.moment >= s.since("turn")
    ]
    return RESISTANCE in s.tracks and (moved[0] if moved else track(s, RESISTANCE)) <= 0


@definition("37.13", covers=("37.13F", "37.13F(2)"))
def ics_rise(s: State) -> bool:
    """Russian ICs rise: Germany attacked, Russia declared no war, resistance holds, all ICs were mobilized before."""
    japanese_declaration(s)
    if not german_attack(s) or russian_declaration(s):
        return False
    note("no_rise", "37.13F", "resistance, or war declared on Japan")
    return not resistance_broken(s) and all_ics_mobilized(s)


@definition("37.63", covers=("37.13B", "37.13D"))
def ic_may_rise(s: State, area: str) -> bool:
    """Old and new ICs rise alike: in Russian hands, below twenty, supplied, never captured."""
    note("most", "37.13D", MOST, area)
    if ic_value(s, area) == MOST - STEP:
        note("second_step", "37.13B", "whatever the others stand at", area)
    if not russian_ic(s, area) or ic_value(s, area) >= MOST or fixed_value(s, area):
        return False
    return supplied_from_the_east(s, ic_city(s, area))


def _risen(s: State) -> int:
    """Increases made in this turn's construction phase, in steps of five BRPs."""
    return total(s, "ic raised", "russia", "turn")


@value("37.13A", "How many increases of five BRPs Russia has left this turn; two in all")
def ic_increases_left(s: State) -> int:
    if not ics_rise(s):
        return 0
    left, room = 2 - _risen(s), 0
    for area in ics():
        # Who reads the reasons is told of every IC; otherwise two increases are enough to know of.
        if room >= left and not telling():
            break
        if ic_may_rise(s, area.area):
            room += (MOST - ic_value(s, area.area)) // STEP
    return min(left, room)


# -- What forbids a rise: each clause speaks for itself ----------------------------------------------------------


@limit(
    "37.13",
    on=RaiseIcs,
    also=("37.13A", "37.13C", "37.13D", "37.13E", "37.13F(1)", "37.13F(2)", "37.14", "37.16"),
)
def ics_may_be_raised(s: State, cmd: RaiseIcs) -> Iterator[Refusal]:
    """Russia raises its ICs once Germany has attacked it, not having declared war itself, each as far as it may."""
    if cmd.power != "russia":
        yield Refusal("37.13", f"{powers()[cmd.power].name} has no industrial centers that rise")
    if russian_declaration(s):
        yield Refusal("37.14", "Russia declared war itself")
    if declared(s, "russia", "japan"):
        yield Refusal("37.13F(2)", "Russia declared war on Japan")
    japanese, attacked = japanese_declaration(s), german_attack(s)
    if not attacked and not declared(s, "russia", "germany"):
        told = "Japan's declaration of war is not Germany's" if japanese else "Germany has not declared war on Russia"
        yield Refusal("37.13", told)
    if resistance_broken(s):
        yield Refusal("37.13F(1)", "Russian resistance was at zero or below as the previous Allied player turn ended")
    if attacked and not all_ics_mobilized(s):
        yield Refusal("37.13A", "not all Russian ICs have been mobilized before this turn")
    if len(cmd.ics) > (left := 2 - _risen(s)):
        yield Refusal("37.13A", f"{len(cmd.ics)} increases, {left} are left this turn")
    named = [it for it in dict.fromkeys(cmd.ics) if areas()[it].kind == "ic"]
    ours = [it for it in named if russian_ic(s, it)]
    for clause, told, wrong in (
        ("37.13", "no industrial center under Russian control", [it for it in cmd.ics if it not in ours]),
        (
            "37.13E",
            "no line from the eastern edge",
            [it for it in ours if not supplied_from_the_east(s, ic_city(s, it))],
        ),
        ("37.16", "captured before, its value is fixed", [it for it in ours if fixed_value(s, it)]),
        ("37.13D", f"more than {MOST} BRPs", [it for it in named if ic_value(s, it) + STEP * cmd.ics.count(it) > MOST]),
    ):
        if wrong:
            yield Refusal(clause, f"{told}: {', '.join(areas()[it].name for it in wrong)}")
    for twice in (it for it in named if _doubled(s, cmd, it)):
        if others := [it.area for it in ics() if it.area != twice and ic_may_rise(s, it.area)]:
            yield Refusal("37.13C", f"other ICs can rise: {', '.join(areas()[area].name for area in others)}")


def _doubled(s: State, cmd: RaiseIcs, area: str) -> bool:
    """Whether an IC would go from ten to twenty this turn, counting what was raised before."""
    risen = total(s, "ic raised", area, "turn")
    return ic_value(s, area) - STEP * risen == MOST - 2 * STEP and cmd.ics.count(area) + risen > 1


@order("37.13A", on=RaiseIcs, phases=("unit construction",))
def raise_ics(p: Proceedings, cmd: RaiseIcs) -> None:
    """Two ICs rise by five BRPs each; Russia's total and construction limit follow at once."""
    for area in cmd.ics:
        clause = "37.13B" if ic_value(p.s, area) > 10 else "37.13A"
        enter_on_books(p, "russia", area, STEP, clause)
        move_kept_brps(p, "russia", STEP, f"{areas()[area].name} rises", Source("brp", "industrial centers"))
        p.do(Happened(Happening(p.s.moment, "ic raised", area, 1)))
        p.do(Happened(Happening(p.s.moment, "ic raised", "russia", 1)))


@limit(
    "37.13",
    on=Advance,
    when=lambda s, cmd: scheduled(s) and s.player == "allied" and s.place.step.name == "unit construction",
)
def ics_are_raised(s: State, cmd: Advance) -> str | None:
    """ICs that can rise do rise before unit construction ends."""
    left = ic_increases_left(s)
    return f"{left} increases of Russian ICs are still to be made (raise_ics)" if left > 0 else None


# -- Isolation, supply, combat -----------------------------------------------------------------------------------


@remembered("37.72", "Since when an IC has been cut off from the eastern edge; nothing while it is not")
def isolated_since(s: State, area: str) -> str:
    return ""


@effect("37.72", "Each supply determination finds out which Russian ICs are cut off, and since when (R-0440)")
def watch_isolation(p: Proceedings) -> None:
    # At peace nobody can cut a Russian city off, and nothing is on record.
    if not enemies(p.s, "russia") and isolated_since.name not in p.s.determinations:
        return
    for (area,), _ in tuple(isolated_since.kept(p.s)):
        if not russian_ic(p.s, area):
            isolated_since.forget(p, area)
    for area in _in_doubt(p.s):
        cut, since = not supplied_from_the_east(p.s, ic_city(p.s, area)), isolated_since(p.s, area)
        if cut and not since:
            isolated_since.note(p, calendar.turn_name(p.s.turn), "cut off from the eastern edge", area)
        elif since and not cut:
            isolated_since.forget(p, area)


def _in_doubt(s: State) -> tuple[str, ...]:
    """The Russian ICs that lines do not plainly reach, and those that were cut off.

    The others need not be looked into, unless a ruling speaks of them or somebody reads the reasons.
    """
    if telling() or not s.determinations.keys().isdisjoint(_RULED):
        return russian_ics(s)
    beyond = hexes_of(s, europe(), _RUSSIA) & ~lines_from_the_east(s).reached
    known = s.determinations.get(isolated_since.name, {})
    if not known and not beyond & _ic_cities():
        return ()
    return tuple([area for area in russian_ics(s) if area in known or beyond & _ic_hex(area)])


#: Figures of an IC's line on which the referee may rule.
_RULED = ("russian_ics", "russian_ic", "ic_value", "ic_city", "supplied_from_the_east", "supply")
_RUSSIA = frozenset(("russia",))


@lasting
def _ic_hex(area: str) -> int:
    return europe().bits(deciding_places(area))


@lasting
def _ic_cities() -> int:
    """The hexes of the cities in which ICs stand or may stand, as a bitmap."""
    return europe().bits(place for area in ics() for place in deciding_places(area.area))


@value("37.72")
def isolation_modifier(s: State, area: str) -> int:
    """What isolation takes from the defense modifier of an IC's hex: one a turn, after a turn for every five BRPs."""
    since = isolated_since(s, area)
    if not since or not russian_ic(s, area):
        return 0
    return -max(0, s.turn - calendar.parse_turn(since) - ic_value(s, area) // 5)


@value("37.72", "The defense modifier of an IC's hex, down to face value; the normal one is given")
def isolated_defense(s: State, area: str, normal: int) -> int:
    return max(min(0, normal), normal + isolation_modifier(s, area))


@definition("37.71", "A Russian IC is a limited supply source for Russian units, and those of its minors, inside it")
def ic_supplies(s: State, area: str, nation: str) -> bool:
    ours = nation == "russia" or (nation in s.countries and s.countries[nation].by == "russia")
    return russian_ic(s, area) and ours


@limit(
    "37.71",
    on=(ReportLoss, ReportUnits),
    when=lambda s, cmd: cmd.unsupplied and bool(cmd.at) and bool(ic_in(cmd.at)),
    excusable=True,
)
def supplied_in_ic(s: State, cmd: ReportLoss | ReportUnits) -> str | None:
    """Russian units in a Russian IC are not eliminated for lack of supply."""
    nation = cmd.power if isinstance(cmd, ReportLoss) else cmd.nation
    told = f"{place_called(cmd.at)} has a Russian industrial center, from which units in it are supplied"
    return told if ic_supplies(s, ic_in(cmd.at), nation) else None


@limit("37.81A", on=ReportControl, when=lambda s, cmd: cmd.by_attrition and not cmd.partisans)
def not_occupied_by_attrition(s: State, cmd: ReportControl) -> str | None:
    """A hex with an IC is not taken by attrition occupation."""
    kept = [it for it in cmd.places if not open_to_attrition(s, it)]
    told = unless_excused(cmd, f"{place_called(kept[0])} has an industrial center: attrition does not occupy it")
    return told if kept else None


@definition("37.81A", "A hex with an IC may not be chosen for attrition occupation")
def open_to_attrition(s: State, place: str) -> bool:
    area = ic_in(place)
    return not (area and ic_value(s, area))


@definition("37.81B", "Infantry and replacements in an IC are spared the -1 against exploiting armor")
def spared_from_exploitation(s: State, place: str, unit: str) -> bool:
    area = ic_in(place)
    spared = kind_name(unit) in ("infantry", "mechanized infantry", "replacement")
    return spared and bool(area and ic_value(s, area))
