"""A Murmansk convoy under way: its transports, what it waits for at each stage, and the units that sail with it.

Units that take part stand in the Murmansk box; the BRPs are in an account of their own until the convoy is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec
from msgspec.structs import replace

from warcabinet.board.boxes import box, boxes
from warcabinet.board.names import places_at
from warcabinet.kernel.why import note
from warcabinet.model.accounts import AtSea, Sink
from warcabinet.model.commands import aid
from warcabinet.model.convoys import Convoy, Detachment, strength
from warcabinet.model.events import Happened, TransportsCounted, UnitsMoved
from warcabinet.model.happenings import Carried, deeds
from warcabinet.model.names import called
from warcabinet.model.pieces import UNBUILT, At, Stack
from warcabinet.model.places import NOWHERE, Place, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.unit_lists import parse_placement
from warcabinet.model.units import MOST_UNITS, Unit, kind_name, unit_branch
from warcabinet.rules.common.books import free_transports, standing_transports
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.common.waiting import Question, ask_next
from warcabinet.rules.common.war_and_peace import at_war, stands_with
from warcabinet.rules.kinds import definition, effect, order, remembered, value

TITLE = "A Murmansk convoy"
MURMANSK = Place("box/murmansk")
LOST_AT_SEA = Sink("brp", "convoys")
SW_BOX = Place("box/atlantic_sw")
BASES = {it: place_key(it) for it in ("Bergen", "Scapa Flow")}
#: Where raiders go home to, as orders name it; empty: whence they came.
HOMES = {**BASES, "Atlantic SW box": SW_BOX, "": NOWHERE}
MOST_AIR_ATTACKS = 6
OIL_AS_BRPS = 10


def convoy_at(s: State, *stages: str) -> Convoy | None:
    """The convoy that waits now, if it stands at one of these stages (none named: at any)."""
    about = s.waiting.about if s.waiting is not None else None
    return about if isinstance(about, Convoy) and (not stages or about.stage in stages) else None


def the_convoy(s: State) -> Convoy:
    found = convoy_at(s)
    assert found is not None, "no convoy is under way"
    return found


def at_sea(power: str) -> AtSea:
    """Where granted BRPs are while they sail."""
    return AtSea(power, "murmansk")


# -- Stages --------------------------------------------------------------------------------------------------------


def question(convoy: Convoy) -> Question:
    """What the convoy waits for as it stands."""
    germany = ("germany",)
    if convoy.stage == "assembling":
        return Question("40.42", convoy.to_join, (aid.JoinConvoy,), "what sails with it")
    if convoy.stage == "sighted":
        replies = (aid.OpposeConvoy, aid.LetConvoyPass, aid.ReportConvoyInterception)
        return Question("40.44", germany, replies, f"oppose it or let it pass ({cargo(convoy)})")
    if convoy.stage == "attacked":
        return Question(
            "40.45B", germany, (aid.AttackConvoy, aid.CallOffAttacks), f"attack, or call it off ({left(convoy)})"
        )
    if convoy.stage == "resolving":
        cover = f", air cover of {convoy.air_cover}" if convoy.air_cover else ""
        what = {"air": f"air attack {convoy.air_attacks}", "ships": f"the naval combat{cover}"}
        at = f", {convoy.modified} of them at -1" if convoy.modified else ""
        submarines = f"the attack of {convoy.committed} submarine{'s' if convoy.committed > 1 else ''}{at}"
        told = what.get(convoy.announced[0], submarines)
        clause = "40.45C" if convoy.announced[0] == "ships" else "40.45B"
        return Question(clause, germany, (aid.ReportConvoyAttack,), f"the outcome of {told}")
    if convoy.stage == "dividing":
        senders = tuple(it.power for it in convoy.shipments if it.brp)
        return Question("40.47A", senders, (aid.DivideReturned,), "how the BRPs that return are divided")
    return Question("40.48", germany, (aid.ReturnRaiders,), "where the survivors go")


def cargo(convoy: Convoy) -> str:
    """What a convoy carries, in words."""
    oil = f", {convoy.oil} oil counter{'s' if convoy.oil > 1 else ''}" if convoy.oil else ""
    lost = f", {convoy.damage} lost to hits" if convoy.damage else ""
    return f"{convoy.brp} BRPs{oil}{lost}, {convoy.transports} transports"


def left(convoy: Convoy) -> str:
    """What Germany can still attack with, in words."""
    air = f"{MOST_AIR_ATTACKS - convoy.air_attacks} air attacks" if can_fly(convoy) else ""
    submarines = f"{convoy.unspent} submarines" if convoy.unspent else ""
    ships = "the ships" if can_fight(convoy) else ""
    return "left: " + ", ".join(filter(None, (air, submarines, ships)))


def can_fly(convoy: Convoy) -> bool:
    return bool(strength(convoy.air)) and convoy.air_attacks < MOST_AIR_ATTACKS


def can_fight(convoy: Convoy) -> bool:
    return bool(strength(convoy.ships)) and not convoy.fought


def carry_on(p: Proceedings, convoy: Convoy) -> None:
    ask_next(p, convoy, question(convoy))


# -- Units ---------------------------------------------------------------------------------------------------------


def detachments(nation: str, stacks: Iterable[str]) -> tuple[Detachment, ...]:
    """Units as an order names them."""
    placed = map(parse_placement, stacks)
    return tuple(Detachment(nation, it.unit, it.count, it.place) for it in placed)


def named(key: str) -> str:
    """A place as an order would name it."""
    here = places_at(key)
    return here[0].name if here else box(key.removeprefix("box/")).name if key.startswith("box/") else key


def each_number(unit: Unit, key: str, most: int) -> list[str]:
    """Some units at a place as an order could name them: all of them, or fewer."""
    return [f"{n} {unit} at {named(key)}" for n in range(min(most, MOST_UNITS), 0, -1)]


def missing(s: State, units: Iterable[Detachment]) -> str | None:
    """Which of the units named do not stand where they were said to."""
    wanted: dict[tuple[str, str, str], int] = {}
    for it in units:
        key = (it.nation, it.origin, it.unit)
        wanted[key] = wanted.get(key, 0) + it.count
        there = s.pieces.count(it.nation, At(it.origin), it.unit)
        if there < wanted[key]:
            return f"{there} {it.unit} of {called(it.nation)} in {named(it.origin)}, not {wanted[key]}"
    return None


def put_to_sea(p: Proceedings, units: Iterable[Detachment]) -> None:
    for it in units:
        _move(p, it, it.origin, MURMANSK)


def _bring_home(p: Proceedings, units: Iterable[Detachment], to: Place = NOWHERE) -> None:
    for it in units:
        if it.count:
            _move(p, it, MURMANSK, to if to else it.origin)


@effect("40.48C", "Western Allied survivors return to their port or box of origin")
def escorts_return(p: Proceedings, convoy: Convoy) -> None:
    _bring_home(p, convoy.escorts)


@effect("40.48A", "German air units and ships that survived return to Bergen or Scapa Flow")
def raiders_return(p: Proceedings, convoy: Convoy, to: Place) -> None:
    _bring_home(p, (*convoy.air, *convoy.ships), to)


@effect("40.48B", "German submarines that survived return to Bergen, Scapa Flow or the Atlantic SW box")
def submarines_return(p: Proceedings, convoy: Convoy, to: Place) -> None:
    _bring_home(p, (*convoy.submarines, *convoy.submarines_with_ships), to)


def _move(p: Proceedings, it: Detachment, origin: Place, to: Place) -> None:
    p.do(UnitsMoved(it.nation, it.unit, it.count, At(origin), At(to), f"{it.count} {it.unit}"))


def without(units: tuple[Detachment, ...], lost: dict[Unit, int], of: str = "") -> tuple[Detachment, ...]:
    """What is left of some units after losses, taken from the first that fit; `lost` keeps what was not found."""
    found = []
    for it in units:
        gone = min(it.count, lost.get(it.unit, 0)) if of in ("", it.nation) else 0
        if gone:
            lost[it.unit] -= gone
        found.append(replace(it, count=it.count - gone))
    return tuple(found)


def eliminate(p: Proceedings, before: tuple[Detachment, ...], after: tuple[Detachment, ...]) -> None:
    """Units lost return to the force pool."""
    for was, now in zip(before, after, strict=True):
        gone = was.count - now.count
        if gone:
            memo = f"{gone} {was.unit} eliminated"
            p.do(UnitsMoved(was.nation, was.unit, gone, At(MURMANSK), UNBUILT, memo))


@cache
def is_warship(unit: Unit) -> bool:
    """A naval unit in the sense of the convoy rules: submarines, transports and ASW are named apart."""
    return unit_branch(unit) == "naval" and kind_name(unit) not in ("submarine", "transport", "asw")


@remembered("40.851", "A port or air base is operational, unless the players report otherwise", also=("40.44A",))
def in_action(s: State, place: Place) -> bool:
    return True


@order(
    "40.851", "A port or air base is put out of action, or in order again", on=aid.ReportOperational, also=("40.44A",)
)
def report_operational(p: Proceedings, cmd: aid.ReportOperational) -> None:
    in_action.note(p, cmd.operational, "reported by the players", cmd.at)


@definition("40.44A", "A base from which Germany opposes convoys: Bergen or Scapa Flow, if the Axis hold it")
def operational_base(s: State, place: Place) -> bool:
    if place not in BASES.values() or not in_action(s, place):
        return False
    held = holder(s, place)
    standing = s.countries.get(held)
    return stands_with(s, held, "germany") or (standing is not None and stands_with(s, standing.by, "germany"))


#: A leg that ends or starts in a port, on one of the boards.
ON_BOARD = "mapboard"
EUROPEAN_AXIS = ("germany", "italy")


class Leg(msgspec.Struct, frozen=True):
    """A part of a way over sea, between two boxes or a box and the mapboard."""

    ocean: str
    start: str
    end: str

    @property
    def exposed(self) -> bool:
        """Whether it touches the mapboard, where alone the enemy can act."""
        return ON_BOARD in (self.start, self.end)

    @property
    def shared(self) -> bool:
        """Whether it runs between two boxes, so that grants with different ends may share transports."""
        return self.start in boxes() and self.end in boxes()


def legs(power: str, to: str, by: str) -> tuple[Leg, ...]:
    """The legs of a way, in order; none by land."""
    home = "atlantic_us" if power == "usa" else ON_BOARD
    round_africa, over_pacific = Leg("atlantic", home, "south_africa"), Leg("pacific", "pacific_us", "australia_box")
    if by == "atlantic":
        return (round_africa if to == "south_africa" else Leg("atlantic", home, ON_BOARD),)
    if by == "pacific":
        return (over_pacific if to == "australia" else Leg("pacific", "pacific_us", ON_BOARD),)
    if by == "south africa":
        return (round_africa, Leg("indian_ocean", "south_africa", "india_box"))
    if by in ("persia", "turkey by suez"):
        return (round_africa, Leg("indian_ocean", "south_africa", ON_BOARD))
    if by == "turkey":
        return (Leg("atlantic", home, ON_BOARD),)
    if by == "siberia":
        return (Leg("pacific", "pacific_us", "siberia"),)
    if by == "australia":
        return (over_pacific, Leg("indian_ocean", "australia_box", "india_box"))
    return ()


# -- Transports ----------------------------------------------------------------------------------------------------


@value("40.221", "One transport for every five BRPs of a grant by sea, rounded up")
def transports_for_brps(s: State, brp: int) -> int:
    return -(-brp // 5)


@value("40.221")
def leg_transports(s: State, start: str, end: str, to: str, brp: int) -> int:
    """Transports that a grant takes on one leg, rounded up by itself; between the same two boxes grants share them."""
    if start not in boxes() or end not in boxes():
        return transports_for_brps(s, brp)
    # Those to one destination are rounded up each.
    before = _carried(s, start, end)
    note("carried_already", "40.222", sum(n for _, n in before), start, end)
    return _fewest(s, [*before, (to, brp)]) - _fewest(s, before)


def _carried(s: State, start: str, end: str) -> list[tuple[str, int]]:
    """What was sent between two boxes in this supply determination, grant by grant: for whom, and how much."""
    return [(it.to, brp) for it, brp in deeds(s, Carried, "phase") if (it.start, it.end) == (start, end)]


def _fewest(s: State, grants: list[tuple[str, int]]) -> int:
    """The fewest transports for some grants: as many as all of them fill, and as those to each destination need."""
    alone: dict[str, int] = {}
    for to, brp in grants:
        alone[to] = alone.get(to, 0) + transports_for_brps(s, brp)
    return max(transports_for_brps(s, sum(brp for _, brp in grants)), *alone.values(), 0)


def required_on(s: State, leg: Leg, to: str, brp: int, oil: int) -> int:
    """The transports that a grant and oil that goes by sea need on one leg."""
    return leg_transports(s, leg.start, leg.end, to, brp) + oil  # a transport for every oil counter (40.252)


def needed(s: State, power: str, to: str, by: str, brp: int, oil: int, assigned: int = 0) -> dict[str, int]:
    """The transports that a grant and oil that goes by sea take, by ocean: where it can be met those assigned."""
    found: dict[str, int] = {}
    for leg in legs(power, to, by):
        count = max(required_on(s, leg, to, brp, oil), assigned if leg.exposed else 0)
        found[leg.ocean] = found.get(leg.ocean, 0) + count
    return found


@order(
    "40.221", "The transports of an ocean were counted", on=aid.ReportTransports, also=("40.221A", "40.221B", "40.221C")
)
def report_transports(p: Proceedings, cmd: aid.ReportTransports) -> None:
    p.do(TransportsCounted(cmd.ocean, cmd.count))


@value("40.221A", "Atlantic transports carry what Britain, France and the U.S. send through the Atlantic")
def atlantic_transports(s: State) -> int:
    return free_transports(s, "atlantic")


@value("40.221B", "Pacific transports carry what the U.S. sends through the Pacific")
def pacific_transports(s: State) -> int:
    return free_transports(s, "pacific")


@value("40.221C", "Indian Ocean transports carry what goes on to Russia, India or China from two boxes")
def indian_ocean_transports(s: State) -> int:
    return free_transports(s, "indian_ocean")


def use_transports(p: Proceedings, ocean: str, count: int, clause: str = "40.221") -> None:
    """Transports carry a grant now, and nothing else."""
    if count:
        p.do(Happened(Happening(p.s.moment, "transports used", ocean, count)), clause)


def sink_transports(p: Proceedings, ocean: str, count: int, of: tuple[str, ...] = ()) -> None:
    """Transports that carried something are lost; where they stand on the board, the grantors' own first."""
    if count:
        if ocean in p.s.transports:
            p.do(TransportsCounted(ocean, max(0, p.s.transports[ocean] - count)), "40.223")
        else:
            _eliminate(p, standing_transports(p.s, ocean, of), count)
        p.do(Happened(Happening(p.s.moment, "transports used", ocean, -count)), "40.223")


def _eliminate(p: Proceedings, stacks: list[Stack], count: int) -> None:
    for it in stacks:
        gone = min(count, it.count)
        if gone:
            p.do(UnitsMoved(it.nation, it.unit, gone, At(it.place), UNBUILT, f"{gone} transport sunk"), "40.223")
        count -= gone


# -- Enemy action --------------------------------------------------------------------------------------------------


@definition("40.223", also=("40.74",))
def hunters(s: State, power: str, recipient: str, by: str, flown_by: str) -> tuple[str, ...]:
    """Who may act against a grant: its grantor's enemies over the mapboard, Japan over the Hump (R-2786).

    By Siberia no leg touches the mapboard, so nobody does.
    """
    found: list[str] = []
    for leg in legs(power, recipient, by):
        if leg.exposed:
            found += ("japan",) if leg.ocean == "pacific" else EUROPEAN_AXIS
    found = [it for it in found if at_war(s, power, it)]
    if flown_by and any(at_war(s, it, "japan") for it in (power, patron(s, flown_by))):
        note("air_interception", "40.852", True, flown_by)
        found.append("japan")
    return tuple(it for it in dict.fromkeys(found) if not s.powers[it].surrendered)


@value("40.223", "BRPs that arrive: five for each transport left on the leg that has fewest, the rest is eliminated")
def brps_through(s: State, brp: int, fewest_transports: int) -> int:
    return min(brp, 5 * fewest_transports)
