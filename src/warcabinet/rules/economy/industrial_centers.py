"""Industrial centers: where they stand and are founded, rising values, isolation, supply and combat (37)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import europe
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Bombed, Brp, IcValue, Oil, Sink, Source, World
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.forces import EliminateIc, Mobilize, RaiseIcs, ReportLoss, ReportProduction
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import AreaTaken, Closed, EntryPosted, Event, Happened
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, powers
from warcabinet.model.places import Place, area_holder, deciding_places, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.units import Unit, kind_name
from warcabinet.rules.common.books import enter_on_books, fixed_value, ic_value, ic_worths, on_books
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import step_of
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.supply_by_land import enemies, hexes_of, lines_from_the_east, supplied_from_the_east
from warcabinet.rules.common.waiting import nation_of
from warcabinet.rules.common.war_and_peace import declared, stands_with
from warcabinet.rules.economy.base import keeps_brps, move_kept_brps, track
from warcabinet.rules.economy.key_areas import ics, new_ic_pays
from warcabinet.rules.economy.mobilization_record import half_done, turns_mobilized
from warcabinet.rules.economy.mobilization_schedule import brings_ic, russian_civilian, russian_mobilizations, scheduled
from warcabinet.rules.kinds import definition, effect, limit, opening, order, remembered, value

NEW_IC = 10
FIRST_SITES = ("ic_kuibyshev", "ic_magnitogorsk", "ic_sverdlovsk")


def ic_in(place: Place) -> str:
    """The area of the IC that stands, or could stand, in a city; nothing if the city is no place for one."""
    return next((area.area for area in ics() if deciding_places(area.area)[0] == place), "")


@value("37.31", "An IC stays in the city where it was built")
def ic_city(s: State, area: str) -> str:
    return areas()[area].places[0]


def _ic_place(s: State, area: str) -> Place:
    """The key of that city, of which a referee's ruling may have given the name."""
    return place_key(ic_city(s, area))


@definition("37.41", "An IC is Russian while Russia controls its hex, and captured when the Axis do")
def russian_ic(s: State, area: str) -> bool:
    return bool(ic_value(s, area)) and area_holder(s, area) == "russia"


@value("37.21", "The ICs under Russian control; seven stand at the start")
def russian_ics(s: State) -> tuple[str, ...]:
    note("starting_value", "37.11", NEW_IC)
    # Where there is none nothing need be looked into, unless a ruling says that there is one.
    if telling() or any(it in s.determinations for it in ("russian_ic", "ic_value")):
        return tuple(area.area for area in ics() if russian_ic(s, area.area))
    worths = ic_worths(s)
    return tuple([area.area for area in ics() if worths.get(area.area) and russian_ic(s, area.area)])


# -- New ICs -----------------------------------------------------------------------------------------------------


@definition("37.61")
def ic_may_stand(s: State, area: str) -> bool:
    """A new IC needs a supplied, Russian-controlled city of European Russia and the Ukraine that has none (R-0442)."""
    if ic_value(s, area) or area_holder(s, area) != "russia":
        return False
    return supplied_from_the_east(s, _ic_place(s, area))


@value("37.22", "Where the next IC must or may go: Kuibyshev, Magnitogorsk, Sverdlovsk in that order, then any city")
def ic_sites(s: State) -> tuple[str, ...]:
    for area in FIRST_SITES:
        if ic_may_stand(s, area):
            return (area,)
    rest = (area.area for area in ics() if area.area not in FIRST_SITES and ic_may_stand(s, area.area))
    return tuple(rest)


Founding = Mobilize | ReportProduction


def founds_ic(s: State, cmd: Founding) -> bool:
    """Whether the command brings a new Russian IC."""
    if isinstance(cmd, ReportProduction):
        return cmd.ic
    return cmd.power == "russia" and brings_ic(s)


@limit("37.61", on=(Mobilize, ReportProduction))
def ic_goes_where_it_must(s: State, cmd: Founding) -> Iterator[Refusal | str]:
    """New ICs are Russian and go to their cities in order; where several are open, one is named, or it becomes oil."""
    founds = founds_ic(s, cmd)
    if cmd.power != "russia" and (cmd.ic_at or (isinstance(cmd, ReportProduction) and cmd.ic)):
        yield f"{powers()[cmd.power].name} builds no industrial centers"
    elif cmd.ic_at and not founds:
        yield "no new IC is constructed here"
    if cmd.oil and cmd.ic_at:
        yield Refusal("37.65", f"an IC in {place_called(cmd.ic_at)} or oil in the Urals box: say which")
    elif cmd.oil and not (cmd.power == "russia" and founds):
        yield Refusal("37.65", "no new IC is constructed here")
    if not founds or cmd.oil:
        return
    sites = ic_sites(s)
    names = ", ".join(ic_city(s, area) for area in sites)
    if cmd.ic_at and ic_in(cmd.ic_at) not in sites:
        yield Refusal("37.22", f"a new IC goes to {names or 'the Urals box, as oil'}")
    if not cmd.ic_at and len(sites) > 1:
        yield f"say where: {names} (ic_at)"


@opening("37.22", "Cities open to the new IC of a mobilization", on=Mobilize)
def ic_cities_open(s: State, cmd: Mobilize) -> Choice:
    sites = ic_sites(s) if founds_ic(s, cmd) else ()
    return Choice("ic_at", tuple(_ic_place(s, area) for area in sites))


@opening("37.65", "Whether a new IC may become Urals oil", on=Mobilize)
def oil_open(s: State, cmd: Mobilize) -> Choice:
    return Choice("oil", ("true", "false") if founds_ic(s, cmd) else ())


def construct_ic(p: Proceedings, at: Place, oil: bool) -> None:
    """Found a new IC in its city; where none is open, or by choice, it becomes oil of the Urals box."""
    sites = ic_sites(p.s)
    if oil or not sites:
        clause = "37.65" if oil else "37.61"
        p.do(EntryPosted(entry("IC devoted to oil", (Oil("urals"), 1), (World("oil"), -1))), clause)
        return
    area = ic_in(at) if at else sites[0]
    enter_on_books(p, "russia", area, NEW_IC, "37.64")
    when = calendar.moment(p.s.turn, step_of("russia", "unit construction"))
    promise(p, new_ic_pays, max(when, p.s.moment), "russia", area, NEW_IC)
    if when <= p.s.moment:
        # Construction has begun already: the mobilization counts as made at the start of the turn.
        _pay_for_ic(p, promised(p.s, new_ic_pays, about=area)[0])


def foreseen_ic(s: State) -> list[Event]:
    """What a new IC would enter on the books and pay: for a forecast, which does not ask where it should stand."""
    sites = ic_sites(s)
    if not sites:
        return []
    annual = entry("foreseen", (Annual("russia", sites[0]), NEW_IC), (World("annual"), -NEW_IC))
    level = entry("foreseen", (Brp("russia"), NEW_IC), (Source("brp", "mobilization"), -NEW_IC))
    return [EntryPosted(annual), EntryPosted(level)] if keeps_brps(s, "russia") else [EntryPosted(annual)]


def _pay_for_ic(p: Proceedings, late: Promise[OfArea]) -> None:
    p.run(new_ic_pays, late)
    p.do(Closed(late.id, "done"), "37.62")


@value("37.65", "Oil counters that ICs given up for the Urals box produce, the first in the turn of construction")
def urals_oil(s: State) -> int:
    return balance(s.ledger, Oil("urals"))


# -- Capture and elimination -------------------------------------------------------------------------------------


@effect(
    "37.43",
    on=AreaTaken,
    when=lambda s, taken: (
        areas()[taken.area].kind == "ic" and (taken.by == "russia" or not stands_with(s, taken.by, "russia"))
    ),
    also=("37.44",),
)
def fix_captured_value(p: Proceedings, taken: AreaTaken) -> None:
    """A captured IC keeps its value, which is fixed for the rest of the game; one that Russia regains as well."""
    worth = ic_value(p.s, taken.area)
    if worth and not fixed_value(p.s, taken.area):
        made = entry(areas()[taken.area].name, (IcValue(taken.area), worth), (World("ic"), -worth))
        p.do(EntryPosted(made), "37.16" if taken.by == "russia" else "37.43")


@effect("37.51", "Bombing of an IC is remembered: it alone lets Russia destroy the IC", on=Happened)
def remember_bombed_ic(p: Proceedings, event: Happened) -> None:
    what = event.happening
    if what.kind == "bombed" and what.key in areas() and areas()[what.key].kind == "ic":
        p.do(EntryPosted(entry("bombed", (Bombed(what.key), 1), (World("bombed"), -1))))


@definition("37.51", "An IC has been bombed by the Axis")
def ic_bombed(s: State, area: str) -> bool:
    here = any(h.key == area for h in s.happenings.of("bombed"))
    return here or balance(s.ledger, Bombed(area)) > 0


@limit("37.52", "The Axis may not destroy captured ICs", on=EliminateIc)
def only_russia_eliminates(s: State, cmd: EliminateIc) -> str | None:
    return None if cmd.power == "russia" else f"{powers()[cmd.power].name} may not eliminate an industrial center"


@limit("37.51", on=EliminateIc, when=lambda s, cmd: cmd.power == "russia")
def ic_may_be_eliminated(s: State, cmd: EliminateIc) -> Choice | str:
    """Russia may destroy only an IC under its control that the Axis have bombed."""
    bombed = tuple(area for area in russian_ics(s) if ic_bombed(s, area))
    if not bombed:
        return "no industrial center under Russian control has been bombed"
    named = ", ".join(areas()[area].name for area in bombed)
    return Choice("ic", bombed, f"only an industrial center under Russian control that the Axis have bombed: {named}")


@order("37.51", "Russia destroys a bombed IC and loses its full value at once", on=EliminateIc)
def eliminate_ic(p: Proceedings, cmd: EliminateIc) -> None:
    worth = ic_value(p.s, cmd.ic)
    fixed, booked = fixed_value(p.s, cmd.ic), on_books(p.s, "russia", cmd.ic)
    if booked:
        enter_on_books(p, "russia", cmd.ic, -booked)
    if fixed:
        p.do(EntryPosted(entry(areas()[cmd.ic].name, (IcValue(cmd.ic), -fixed), (World("ic"), fixed))))
    if raids := balance(p.s.ledger, Bombed(cmd.ic)):
        # A new IC in the same city has not been bombed.
        p.do(EntryPosted(entry("destroyed", (Bombed(cmd.ic), -raids), (World("bombed"), raids))))
    lapse(p, cmd.ic, "the industrial center is destroyed", power="russia")
    move_kept_brps(p, "russia", -worth, f"{areas()[cmd.ic].name} destroyed", Sink("brp", "destroyed"))


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


@definition("37.13", covers=("37.13F(2)",))
def ics_rise(s: State) -> bool:
    """Russian ICs rise: Germany attacked, Russia declared no war, resistance holds, all ICs were mobilized before."""
    japanese_declaration(s)
    if not german_attack(s) or russian_declaration(s):
        return False
    note("no_rise", "37.13F", "resistance, or war declared on Japan")
    return not resistance_broken(s) and all_ics_mobilized(s)


@definition("37.63")
def ic_may_rise(s: State, area: str) -> bool:
    """Old and new ICs rise alike: in Russian hands, below twenty, supplied, never captured."""
    note("most", "37.13D", MOST, area)
    if ic_value(s, area) == MOST - STEP:
        note("second_step", "37.13B", "whatever the others stand at", area)
    if not russian_ic(s, area) or ic_value(s, area) >= MOST or fixed_value(s, area):
        return False
    return supplied_from_the_east(s, _ic_place(s, area))


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


@limit("37.13", on=RaiseIcs)
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
            [it for it in ours if not supplied_from_the_east(s, _ic_place(s, it))],
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
        cut, since = not supplied_from_the_east(p.s, _ic_place(p.s, area)), isolated_since(p.s, area)
        if cut and not since:
            isolated_since.note(p, calendar.turn_name(p.s.turn), "cut off from the eastern edge", area)
        elif since and not cut:
            isolated_since.forget(p, area)


def _in_doubt(s: State) -> tuple[str, ...]:
    """The Russian ICs that lines do not plainly reach, and those that were cut off.

    The others need not be looked into, unless a ruling speaks of them or somebody reads the reasons.
    """
    if telling() or any(it in s.determinations for it in _RULED):
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
    told = f"{place_called(cmd.at)} has a Russian industrial center, from which units in it are supplied"
    return told if ic_supplies(s, ic_in(cmd.at), nation_of(cmd)) else None


@limit("37.81A", on=ReportControl, when=lambda s, cmd: cmd.by_attrition and not cmd.partisans)
def not_occupied_by_attrition(s: State, cmd: ReportControl) -> str | None:
    """A hex with an IC is not taken by attrition occupation."""
    kept = [it for it in cmd.places if not open_to_attrition(s, it)]
    if not kept:
        return None
    return unless_excused(cmd, f"{place_called(kept[0])} has an industrial center: attrition does not occupy it")


@definition("37.81A", "A hex with an IC may not be chosen for attrition occupation")
def open_to_attrition(s: State, place: Place) -> bool:
    area = ic_in(place)
    return not (area and ic_value(s, area))


@definition("37.81B", "Infantry and replacements in an IC are spared the -1 against exploiting armor")
def spared_from_exploitation(s: State, place: Place, unit: Unit) -> bool:
    area = ic_in(place)
    spared = kind_name(unit) in ("infantry", "mechanized infantry", "replacement")
    return spared and bool(area and ic_value(s, area))
