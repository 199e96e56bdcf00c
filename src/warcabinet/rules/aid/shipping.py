"""By which legs a grant goes over sea, and the transports that carry it (40.22)."""

from __future__ import annotations

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import ReportTransports
from warcabinet.model.events import Happened, TransportsCounted, UnitsMoved
from warcabinet.model.pieces import UNBUILT, At, Stack
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.transports import free_transports, standing_transports
from warcabinet.rules.kinds import definition, order, value

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


@value("40.252", "One transport for every oil counter by sea")
def transports_for_oil(s: State, oil: int) -> int:
    return oil


@value("40.221", "Transports that a grant takes on one leg: each grant is rounded up by itself")
def leg_transports(s: State, start: str, end: str, to: str, brp: int) -> int:
    return transports_for_brps(s, brp)


@value("40.222", displaces=leg_transports, when=lambda s, start, end, to, brp: start in boxes() and end in boxes())
def shared_transports(s: State, start: str, end: str, to: str, brp: int) -> int:
    """Between the same two boxes grants to different destinations share transports; those to one are rounded up
    each.
    """
    before = _carried(s, start, end)
    if before:
        note("carried_already", "40.222", sum(n for _, n in before), start, end)
    return _fewest(s, [*before, (to, brp)]) - _fewest(s, before)


def _carried(s: State, start: str, end: str) -> list[tuple[str, int]]:
    """What was sent between two boxes in this supply determination, grant by grant: for whom, and how much."""
    since, way = s.since("phase"), f"{start} {end}"
    sent = (it for it in s.happenings.of("carried between boxes") if it.moment >= since)
    return [(to, it.amount) for it in sent for leg, _, to in (it.key.rpartition(" "),) if leg == way]


def _fewest(s: State, grants: list[tuple[str, int]]) -> int:
    """The fewest transports for some grants: as many as all of them fill, and as those to each destination need."""
    alone: dict[str, int] = {}
    for to, brp in grants:
        alone[to] = alone.get(to, 0) + transports_for_brps(s, brp)
    return max(transports_for_brps(s, sum(brp for _, brp in grants)), *alone.values(), 0)


def needed(s: State, power: str, to: str, by: str, brp: int, oil: int) -> dict[str, int]:
    """The transports that a grant and oil that goes by sea take, by ocean."""
    found: dict[str, int] = {}
    for leg in legs(power, to, by):
        count = leg_transports(s, leg.start, leg.end, to, brp) + transports_for_oil(s, oil)
        found[leg.ocean] = found.get(leg.ocean, 0) + count
    return found


@order("40.221", "The transports of an ocean were counted", on=ReportTransports, also=("40.221A", "40.221B", "40.221C"))
def report_transports(p: Proceedings, cmd: ReportTransports) -> None:
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


@definition("40.223", "Who may act against a grant: its grantor's enemies where it goes over the mapboard, else nobody")
def hunters(s: State, power: str, recipient: str, by: str, through: str) -> tuple[str, ...]:
    found: list[str] = []
    for leg in legs(power, recipient, by):
        if leg.exposed:
            found += ("japan",) if leg.ocean == "pacific" else EUROPEAN_AXIS
    if through == "hump" and air_interception(s, power):
        found.append("japan")
    return tuple(it for it in dict.fromkeys(found) if at_war(s, power, it) and not s.powers[it].surrendered)


@definition("40.852", "Japanese air units may intercept what is flown over the Hump, and Allied ones those in turn")
def air_interception(s: State, power: str) -> bool:
    return at_war(s, power, "japan")


@value("40.223", "BRPs that arrive: five for each transport left on the leg that has fewest, the rest is eliminated")
def brps_through(s: State, brp: int, fewest_transports: int) -> int:
    return min(brp, 5 * fewest_transports)
