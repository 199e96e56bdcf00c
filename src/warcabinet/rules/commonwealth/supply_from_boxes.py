"""Supply from the Australia and India boxes, and how far their ports are from the board (71.6, 71.7, 72.6, 72.7)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.boxes import box
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.commonwealth import TraceSeaSupply
from warcabinet.model.events import Happened
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.books import free_transports, keeps_transports, transports_of
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.supply_by_land import unlimited_sources
from warcabinet.rules.commonwealth.box_ways import pacific_port
from warcabinet.rules.commonwealth.boxed import BOXED, WEST, clause, has_surrendered
from warcabinet.rules.kinds import limit, opening, order, value


def _supplied_through(s: State, country: str, means: str) -> tuple[str, ...]:
    """The hexes through which a country's box supplies the Western Allies; after its surrender it supplies nobody."""
    if has_surrendered(s, country):
        note("surrendered", clause(country, "51C"), True, country)
        return ()
    return box(BOXED[country].box).hexes(means)


@value("71.61", also=("72.61",), covers=("71.51C", "72.51C"))
def land_supply_hexes(s: State, country: str) -> tuple[str, ...]:
    """The hexes through which land supply comes from a country's box onto the board."""
    return _supplied_through(s, country, "supply")


@value("71.61", also=("72.61",), covers=("71.51C", "72.51C"))
def sea_supply_hexes(s: State, country: str) -> tuple[str, ...]:
    """The hexes through which supply comes from a country's box by sea."""
    return _supplied_through(s, country, "sea_supply")


def _by_sea(country: str) -> str:
    """The kind of happening that a sea supply line is."""
    return f"supplied by sea from {country}"


def supplied_ports(s: State, country: str) -> tuple[str, ...]:
    """The ports to which sea supply lines run from a country's box now: each of them keeps a transport.

    A line lasts for the player turn, unless its transport serves another one since: that of a later determination.
    """
    if not sea_supply_hexes(s, country):
        return ()
    since, ocean = s.since("player turn"), BOXED[country].ocean
    traced = [it.key for it in s.happenings.of(_by_sea(country)) if it.moment >= since]
    latest = list(dict.fromkeys(reversed(traced)))
    kept = latest[: transports_of(s, ocean)] if keeps_transports(s, ocean) else latest
    return tuple(key for key in kept if pacific_port(s, key))


@value("71.61", adds_to=unlimited_sources, when=lambda s, side: side == WEST, also=("72.61",))
def supplied_from_boxes(s: State, side: str) -> tuple[str, ...]:
    """The boxes are unlimited supply sources for the Western Allies, over the edge and to ports that a line
    supplies.
    """
    found: tuple[str, ...] = ()
    for country in BOXED:
        found += land_supply_hexes(s, country) + supplied_ports(s, country)
    return found


# -- lines by sea -------------------------------------------------------------------------------------------------


@value("71.61", "Transports that are free for sea supply lines from a country's box", also=("72.61",))
def transports_for_supply(s: State, country: str) -> int:
    return free_transports(s, BOXED[country].ocean)


@order(
    "71.61",
    on=TraceSeaSupply,
    phases=("initial supply determination", "post-combat supply determination"),
    also=("72.61",),
)
def trace_sea_supply(p: Proceedings, cmd: TraceSeaSupply) -> None:
    """One transport keeps a sea supply line from a box to a port."""
    by, to = clause(cmd.country, "61"), cmd.to
    p.do(Happened(Happening(p.s.moment, "transports used", BOXED[cmd.country].ocean, 1)), by)
    p.do(Happened(Happening(p.s.moment, _by_sea(cmd.country), to, 1)), by)


@opening("71.61", "Western powers trace supply from the boxes", on=TraceSeaSupply)
def western_powers(s: State, cmd: TraceSeaSupply) -> Choice:
    among = tuple(it for it in powers() if faction(s, it) == WEST)
    return Choice("power", among, "the boxes supply Western Allied units")


@limit("71.61", on=TraceSeaSupply, also=("72.61", "71.51C", "72.51C"))
def supplies_western_port(s: State, cmd: TraceSeaSupply) -> Iterator[Refusal]:
    """The boxes supply Western Allied units, to ports that they hold, until their country surrenders."""
    if faction(s, cmd.power) != WEST:
        yield Refusal(clause(cmd.country, "61"), "the boxes supply Western Allied units only")
    elif not pacific_port(s, cmd.to):
        told = f"{place_called(cmd.to)} is no port of the Pacific mapboard in Western Allied hands"
        yield Refusal(clause(cmd.country, "61"), told)
    if not sea_supply_hexes(s, cmd.country):
        told = f"{called(cmd.country)} has surrendered: its box supplies nobody"
        yield Refusal(clause(cmd.country, "51C"), told)


@limit("71.61", on=TraceSeaSupply, also=("72.61",), by=lambda s, cmd: clause(cmd.country, "61"))
def transport_for_line(s: State, cmd: TraceSeaSupply) -> str | None:
    """Each sea supply line takes a transport of its ocean."""
    ocean = BOXED[cmd.country].ocean
    short = keeps_transports(s, ocean) and transports_for_supply(s, cmd.country) <= 0
    return f"no {ocean.replace('_', ' ').title()} transport is free" if short else None


# -- naval entry --------------------------------------------------------------------------------------------------


@value("71.71", "The hexes through which ships based in a country's box come onto the board", also=("72.71",))
def naval_entry_hexes(s: State, country: str) -> tuple[str, ...]:
    return box(BOXED[country].box).hexes("naval")


@value("71.71", "How many off-board hexes a naval entry hex is from the ports of a country's box", also=("72.71",))
def naval_entry_distance(s: State, country: str, hex: str) -> int:
    key = place_key(hex if "/" in hex or not hex[-1:].isdigit() else f"pacific/{hex}")
    for link in box(BOXED[country].box).links:
        if "naval" in link.means and key in link.keys:
            note("entry", clause(country, "71"), link.distance, hex)
            return link.distance
    entries = ", ".join(it.partition("/")[2] for it in naval_entry_hexes(s, country))
    raise WarCabinetError(f"ships of the {called(country)} box come onto the board by {entries}")
