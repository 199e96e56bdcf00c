"""What stands in Manchuria and in Siberia, what of it counts, and what it is worth (81.42B, 81.52)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportInversion
from warcabinet.model.events import Happened
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.units import kind_name, parse_unit, unit_cost, unit_factors
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.pieces import patron, standing_at, units_at
from warcabinet.rules.kinds import definition, limit, order, value

MANCHURIA, SIBERIA = "manchuria", "siberia"
#: Whose garrison each is, and where it stands.
GARRISON_OF = {MANCHURIA: "japan", SIBERIA: "russia"}
REGIONS = {
    MANCHURIA: frozenset(board_areas()["manchuria"].keys),
    SIBERIA: frozenset(key for it in ("siberia", "mongolia", "tannu_tuva") for key in board_areas()[it].keys),
}
#: The types that are required, each as the kinds of unit that it consists of.
TYPES = {"armor": ("armor",), "infantry": ("infantry", "mechanized infantry"), "army air": ("army air",)}
AIR = "army air"
NAVAL_AIR = "naval air"


def type_of(unit: str) -> str:
    """The required type that a unit belongs to, or nothing for all others."""
    kind = kind_name(unit)
    return next((it for it, kinds in TYPES.items() if kind in kinds), "")


@definition("81.41F", "A place belongs to a garrison: Manchuria is one, Siberia, Mongolia and Tannu Tuva the other")
def in_garrison(s: State, garrison: str, place: str) -> bool:
    return place_key(place) in REGIONS[garrison]


def stacks_of(s: State, garrison: str) -> Iterator[Stack]:
    """The owner's units in a garrison's region, whether they count or not."""
    nation = GARRISON_OF[garrison]
    return (it for it in s.pieces.among(REGIONS[garrison]) if it.nation == nation)


# -- what counts --------------------------------------------------------------------------------------------------


def _turned_up(s: State, nation: str) -> int:
    """When a nation's air units last stood upright: at the start of its own last player turn."""
    leader = patron(s, nation)
    player = player_of(leader) if leader in powers() else s.player
    first = calendar.first_step(player) if player else 0
    return calendar.moment(s.turn if s.step >= first else s.turn - 1, first)


@value("81.52", "Air factors of a nation at a place that stand inverted after their use")
def inverted_at(s: State, nation: str, place: str, unit: str) -> int:
    start, at = _turned_up(s, nation), place_key(place)
    key = f"{nation} {at} {unit}"
    used = sum(it.amount for it in s.happenings if it.kind == "inverted" and it.key == key and it.moment >= start)
    return min(used, standing_at(s, nation, at, unit))


@definition("81.52", "Naval air units at a place are based on carriers: where a carrier of theirs lies (R-0811)")
def carrier_based(s: State, nation: str, place: str) -> bool:
    return any(it.nation == nation and kind_name(it.unit) == "carrier" for it in units_at(s, place_key(place)))


@value("81.52", "What one unit is worth in a garrison: what it costs to build, where the documents say so")
def unit_worth(s: State, unit: str) -> int:
    return unit_cost(unit)


class Counted(msgspec.Struct, frozen=True):
    """Units of a kind at a place: how many there are, how many count, what those are worth, why others do not."""

    stack: Stack
    count: int
    brp: int
    why_not: str = ""

    @property
    def factors(self) -> int:
        return self.count * unit_factors(self.stack.unit)


def counts(s: State, stack: Stack) -> Counted:
    """How much of a stack counts in its garrison, and what it is worth."""
    branch = stack.branch
    if branch in ("naval", "partisan"):
        return Counted(stack, 0, 0, "naval units do not count" if branch == "naval" else "partisans do not count")
    if kind_name(stack.unit) == NAVAL_AIR and carrier_based(s, stack.nation, stack.place):
        return Counted(stack, 0, 0, "based on carriers")
    down = inverted_at(s, stack.nation, stack.place, stack.unit) if branch == "air" else 0
    upright = stack.count - down
    return Counted(stack, upright, upright * unit_worth(s, stack.unit), f"{down} inverted" if down else "")


def counted_in(s: State, garrison: str) -> list[Counted]:
    return [counts(s, it) for it in stacks_of(s, garrison)]


@value("81.52", "The BRP value of a garrison: no inverted air units, carrier-based naval air units or naval units")
def garrison_value(s: State, garrison: str) -> int:
    found = 0
    for it in counted_in(s, garrison):
        note("counted", "81.52", it.brp, it.stack.unit, it.stack.place, text=_told(it))
        found += it.brp
    return found


def _told(it: Counted) -> str:
    told = f"{it.count} of {it.stack.count}" if it.why_not else f"{it.count}"
    return f"{told} at {it.stack.place}" + (f": {it.why_not}" if it.why_not else "")


@value("81.42B(4)", "Factors of a type in a garrison: upright army air, armor, infantry; nothing stands in for another")
def garrison_factors(s: State, garrison: str, unit_type: str) -> int:
    found = 0
    for it in counted_in(s, garrison):
        if type_of(it.stack.unit) == unit_type:
            note("counted", "81.42B(4)", it.factors, it.stack.unit, it.stack.place, text=_told(it))
            found += it.factors
    return found


def counters_in(s: State, garrison: str, unit: str) -> int:
    """Counters of one kind in a garrison's region."""
    return sum(it.count for it in stacks_of(s, garrison) if it.unit == unit)


def worth_of(s: State, units: Mapping[str, int]) -> int:
    """What some units are worth in a garrison."""
    return sum(count * unit_worth(s, unit) for unit, count in units.items())


# -- inversion ----------------------------------------------------------------------------------------------------


@order(
    "81.32",
    "Air units that were used stand inverted, and do not count in a garrison, until their next player turn",
    on=ReportInversion,
    out_of_turn=True,
)
def report_inversion(p: Proceedings, cmd: ReportInversion) -> None:
    key = f"{cmd.nation} {place_key(cmd.at)} {cmd.unit}"
    p.do(Happened(Happening(p.s.moment, "inverted", key, cmd.count)))


@limit("81.52", "Only air units are inverted, and no more than stand upright at the place", on=ReportInversion)
def upright_units_only(s: State, cmd: ReportInversion) -> Bound | str:
    if parse_unit(cmd.unit)[0].branch != "air":
        return f"{cmd.unit}: only air units are inverted"
    place = place_key(cmd.at)
    upright = standing_at(s, cmd.nation, place, cmd.unit) - inverted_at(s, cmd.nation, place, cmd.unit)
    return Bound("count", most=upright, text=f"upright {cmd.unit} of {called(cmd.nation)} at {cmd.at}")
