"""What stands in Manchuria and in Siberia, what of it counts, and what it is worth (81.42B, 81.52)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.board.names import areas as board_areas
from warcabinet.kernel.kept import kept, lasting
from warcabinet.kernel.limits import Bound
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportInversion
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called
from warcabinet.model.pieces import At, Pieces, Stack
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.units import kind_name, parse_unit, unit_cost, unit_factors
from warcabinet.rules.china.restrictions import WANG
from warcabinet.rules.common.pieces import patron, standing_at, units_at
from warcabinet.rules.common.war_and_peace import player_of
from warcabinet.rules.kinds import definition, effect, limit, order, value

MANCHURIA, SIBERIA = "manchuria", "siberia"
#: Whose garrison each is, and where it stands.
GARRISON_OF = {MANCHURIA: "japan", SIBERIA: "russia"}
REGIONS = {
    MANCHURIA: frozenset(board_areas()["manchuria"].keys),
    SIBERIA: frozenset(key for it in ("siberia", "mongolia", "tannu_tuva") for key in board_areas()[it].keys),
}
#: The types that are required, each as the kinds of unit that it consists of.
TYPES = {"armor": ("armor",), "infantry": ("infantry", "mechanized infantry", WANG), "army air": ("army air",)}
AIR = "army air"
NAVAL_AIR, SPECIALIZED = "naval air", "specialized"


@lasting
def type_of(unit: str) -> str:
    """The required type that a unit belongs to, or nothing for all others; Wang infantry is infantry (R-0821)."""
    kind = kind_name(unit)
    return next((it for it, kinds in TYPES.items() if kind in kinds), "")


def in_words(factors: Mapping[str, int]) -> str:
    """Factors by type as one says them: '1 armor factor and 3 infantry factors'."""
    told = (f"{count} {kind} factor{'' if count == 1 else 's'}" for kind, count in factors.items() if count)
    return " and ".join(told)


@definition("81.41F", "A place belongs to a garrison: Manchuria is one, Siberia, Mongolia and Tannu Tuva the other")
def in_garrison(s: State, garrison: str, place: str) -> bool:
    return place_key(place) in REGIONS[garrison]


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
def inverted_at(s: State, nation: str, place: str, unit: str) -> int:
    at = place_key(place)
    return min(_used_at(s, nation, at, unit), standing_at(s, nation, at, unit))


def _used_at(s: State, nation: str, key: str, unit: str) -> int:
    """Air factors that were turned over at a place since they last stood upright."""
    start, about = _turned_up(s, nation), f"{nation} {key} {unit}"
    return sum([it.amount for it in s.happenings.of("inverted") if it.key == about and it.moment >= start])


@definition("81.52", "Naval air units at a place are based on carriers: where a carrier of theirs lies (R-0811)")
def carrier_based(s: State, nation: str, place: str) -> bool:
    return any(it.nation == nation and kind_name(it.unit) == "carrier" for it in units_at(s, place_key(place)))


@value("81.52")
def unit_worth(s: State, unit: str) -> int:
    """What one unit is worth in a garrison: its cost; a specialized unit, whose cost is not told, one BRP (R-2783)."""
    return 1 if kind_name(unit) == SPECIALIZED else unit_cost(unit)


@value("81.52", "How many of a nation's units of a kind at a place count in its garrison")
def units_counted(s: State, nation: str, place: str, unit: str) -> int:
    there, branch = standing_at(s, nation, place_key(place), unit), parse_unit(unit)[0].branch
    if branch in ("naval", "partisan"):
        return 0
    if kind_name(unit) == NAVAL_AIR and carrier_based(s, nation, place):
        return 0
    return there - inverted_at(s, nation, place, unit) if branch == "air" else there


@value("81.52", "What a nation's units of a kind at a place are worth in its garrison")
def units_worth(s: State, nation: str, place: str, unit: str) -> int:
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


def counters_in(s: State, garrison: str, unit: str) -> int:
    """Counters of one kind in a garrison's region."""
    return sum(it.count for it in stacks_of(s, garrison) if it.unit == unit)


def worth_of(s: State, units: Mapping[str, int]) -> int:
    """What some units are worth in a garrison."""
    return sum(count * unit_worth(s, unit) for unit, count in units.items())


# -- inversion ----------------------------------------------------------------------------------------------------


@order("81.32", on=ReportInversion)
def report_inversion(p: Proceedings, cmd: ReportInversion) -> None:
    """Air units that were used stand inverted, and do not count in a garrison, until their next player turn."""
    key = f"{cmd.nation} {place_key(cmd.at)} {cmd.unit}"
    p.do(Happened(Happening(p.s.moment, "inverted", key, cmd.count)))


def _flies(s: State, moved: UnitsMoved) -> bool:
    """Whether air units go from a place where some stand inverted to another place."""
    if parse_unit(moved.unit)[0].branch != "air":
        return False
    origin, to = _ends(moved)
    return "" not in (origin, to) and origin != to and _used_at(s, moved.nation, origin, moved.unit) > 0


def _ends(moved: UnitsMoved) -> tuple[str, str]:
    """Where units left and where they are now, as far as these are places."""
    origin, to = (it.place if isinstance(it, At) else "" for it in (moved.origin, moved.to))
    return origin, to


@effect("81.32", on=UnitsMoved, when=_flies)
def inverted_units_go_along(p: Proceedings, moved: UnitsMoved) -> None:
    """Inverted air units that are redeployed stay inverted, and go before those that stand upright (R-0820)."""
    origin, to = _ends(moved)
    going = min(moved.count, _used_at(p.s, moved.nation, origin, moved.unit))
    for place, count in ((origin, -going), (to, going)):
        p.do(Happened(Happening(p.s.moment, "inverted", f"{moved.nation} {place} {moved.unit}", count)))


@limit("81.52", "Only air units are inverted, and no more than stand upright at the place", on=ReportInversion)
def upright_units_only(s: State, cmd: ReportInversion) -> Bound | str:
    if parse_unit(cmd.unit)[0].branch != "air":
        return f"{cmd.unit}: only air units are inverted"
    place = place_key(cmd.at)
    upright = standing_at(s, cmd.nation, place, cmd.unit) - inverted_at(s, cmd.nation, place, cmd.unit)
    return Bound("count", most=upright, text=f"upright {cmd.unit} of {called(cmd.nation)} at {cmd.at}")
