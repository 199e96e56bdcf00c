"""Industrial centers: where they stand, new ones, capture and elimination (37.2 - 37.6).

While Russia holds an IC that never fell, its value is what Russia has on its books for it. When an IC is captured its
value is written down in `ic/<area>` and never changes again.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Bombed, Brp, IcValue, Oil, Sink, Source, World
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.forces import EliminateIc, Mobilize, ReportProduction
from warcabinet.model.events import AreaTaken, Closed, EntryPosted, Event, Happened
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, powers
from warcabinet.model.places import area_holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.books import enter_on_books, fixed_value, ic_value, ic_worths, on_books
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import step_of
from warcabinet.rules.common.supply_by_land import supplied_from_the_east
from warcabinet.rules.common.war_and_peace import stands_with
from warcabinet.rules.economy.base import keeps_brps, move_kept_brps
from warcabinet.rules.economy.key_areas import ics, new_ic_pays
from warcabinet.rules.economy.mobilization_schedule import brings_ic
from warcabinet.rules.kinds import definition, effect, limit, opening, order, value

NEW_IC = 10
FIRST_SITES = ("ic_kuibyshev", "ic_magnitogorsk", "ic_sverdlovsk")


def ic_in(place: str) -> str:
    """The area of the IC that stands, or could stand, in a city; nothing if the city is no place for one."""
    key = place_key(place)
    return next((area.area for area in ics() if place_key(area.places[0]) == key), "")


@value("37.31", "An IC stays in the city where it was built")
def ic_city(s: State, area: str) -> str:
    return areas()[area].places[0]


@definition("37.41", "An IC is Russian while Russia controls its hex, and captured when the Axis do")
def russian_ic(s: State, area: str) -> bool:
    return bool(ic_value(s, area)) and area_holder(s, area) == "russia"


@value("37.21", "The ICs under Russian control; seven stand at the start", covers=("37.11",))
def russian_ics(s: State) -> tuple[str, ...]:
    note("starting_value", "37.11", NEW_IC)
    # Where there is none nothing need be looked into, unless a ruling says that there is one.
    if telling() or not s.determinations.keys().isdisjoint(("russian_ic", "ic_value")):
        return tuple(area.area for area in ics() if russian_ic(s, area.area))
    worths = ic_worths(s)
    return tuple([area.area for area in ics() if worths.get(area.area) and russian_ic(s, area.area)])


# -- New ICs -----------------------------------------------------------------------------------------------------


@definition("37.61")
def ic_may_stand(s: State, area: str) -> bool:
    """A new IC needs a supplied, Russian-controlled city of European Russia and the Ukraine that has none (R-0442)."""
    if ic_value(s, area) or area_holder(s, area) != "russia":
        return False
    return supplied_from_the_east(s, ic_city(s, area))


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


@limit("37.61", on=(Mobilize, ReportProduction), also=("37.22", "37.65"))
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
    return Choice("ic_at", tuple(place_key(ic_city(s, area)) for area in sites))


@opening("37.65", "Whether a new IC may become Urals oil", on=Mobilize)
def oil_open(s: State, cmd: Mobilize) -> Choice:
    return Choice("oil", ("true", "false") if founds_ic(s, cmd) else ())


def construct_ic(p: Proceedings, at: str, oil: bool) -> None:
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
