"""One garrison: counter by counter, what may leave and come and why not more, and what has left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.model import calendar, keys
from warcabinet.model.apply import apply
from warcabinet.model.events import UnitsMoved
from warcabinet.model.keys import Place
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Lost, Stack
from warcabinet.model.state import State
from warcabinet.model.units import MOST_UNITS, kind_name, unit_factors
from warcabinet.rules.garrisons.counting import (
    FULL_VALUE,
    GARRISON_OF,
    MANCHURIA,
    NAVAL_AIR,
    REGIONS,
    SIBERIA,
    TYPES,
    attacked_by_japan,
    europe_is_filled,
    first_factory_mobilized,
    free_in_the_west,
    garrison_factors,
    garrison_value,
    in_words,
    manchurian_deterrent,
    manchurian_requirement,
    ranked,
    siberia_to_fill,
    siberian_maximum,
    siberian_minimum,
    siberian_shortfall,
    type_of,
    unit_worth,
    units_counted,
    units_worth,
)
from warcabinet.rules.garrisons.strength import (
    armor_owed,
    manchurian_brps,
    siberia_short,
    siberian_target,
    withdrawal_left,
    withdrawal_refused,
)
from warcabinet.rules.garrisons.transfers import (
    bound_to_siberia,
    freed_by_war,
    least_kept,
    manchurian_reduction,
    rounded_for_russia,
    siberia_has_minimum,
    transferable,
)
from warcabinet.views.garrison_parts import Departure, GarrisonLine, GarrisonSide, Gone, Mark, Told, TypeRow, Unit
from warcabinet.views.garrison_prospects import freed_in_siberia, transfers
from warcabinet.views.words import place_name

TITLES = {MANCHURIA: "Manchurian garrison", SIBERIA: "Siberian garrison"}
WHERE = {
    MANCHURIA: "Manchuria: a Japanese colony, its capitals Harbin and Mukden",
    SIBERIA: "Siberia, Mongolia, Tannu Tuva",
}
OTHERS = "others"


class Counted(msgspec.Struct, frozen=True):
    """Units of a kind at a place: how many there are, how many count, what those are worth, why others do not."""

    stack: Stack
    count: int
    brp: int
    why_not: str = ""


def _counts(s: State, stack: Stack) -> Counted:
    """How much of a stack counts in its garrison, and what it is worth."""
    count = units_counted(s, stack.nation, stack.place, stack.unit)
    brp = units_worth(s, stack.nation, stack.place, stack.unit)
    return Counted(stack, count, brp, "" if count == stack.count else _why_not(stack, stack.count - count))


def _why_not(stack: Stack, apart: int) -> str:
    if stack.branch == "air":
        return f"{apart} inverted" if kind_name(stack.unit) != NAVAL_AIR else f"{apart} inverted or on carriers"
    return "ships do not count" if stack.branch == "naval" else "partisans do not count"


def garrison_side(s: State, garrison: str, gone: tuple[Departure, ...]) -> GarrisonSide:
    found = [_counts(s, it) for it in ranked(s, garrison)]
    left = tuple(it for it in gone if it.garrison == garrison)[-4:]
    kinds = [kind for kind in (*TYPES, OTHERS) if kind in TYPES or _others(found)]
    return GarrisonSide(
        garrison=garrison,
        title=TITLES[garrison],
        power=GARRISON_OF[garrison],
        where=f"{WHERE[garrison]}, worth {manchurian_brps(s)}" if garrison == MANCHURIA else WHERE[garrison],
        value=garrison_value(s, garrison),
        full=FULL_VALUE,
        marks=_marks(s, garrison),
        rows=tuple(_short(_row(s, garrison, kind, found), left) for kind in kinds),
        lines=tuple(_manchurian_lines(s) if garrison == MANCHURIA else _siberian_lines(s)),
        departures=left,
    )


def _short(row: TypeRow, left: tuple[Departure, ...]) -> TypeRow:
    """A row with what left last of its type, as far as that is missing."""
    mine, missing = [it for it in left if it.type == row.type], row.needed - row.factors
    gone: list[Gone] = []
    for it in reversed(mine):
        for _ in range(it.count):
            if missing > 0:
                gone.append(Gone(it.unit, unit_factors(it.unit), f"{it.text}, {it.when}"))
                missing -= unit_factors(it.unit)
    lately = " ".join(f"{it.text} in {it.when}, entry {it.move}." for it in mine[-2:]) if gone else ""
    return msgspec.structs.replace(row, gone=tuple(gone), lately=lately)


def _others(found: list[Counted]) -> bool:
    return any(not type_of(it.stack.unit) for it in found)


def _marks(s: State, garrison: str) -> tuple[Mark, ...]:
    if garrison == MANCHURIA:
        least = Mark(manchurian_deterrent(s), "Russia may declare war below", "81.51B")
        return (least, Mark(FULL_VALUE, "full", "81.31"))
    minimum = Mark(siberian_minimum(s), "least, with one three-factor armor", "81.43")
    return (minimum, Mark(FULL_VALUE, "most", "81.41C"))


def _row(s: State, garrison: str, kind: str, found: list[Counted]) -> TypeRow:
    mine = [it for it in found if (type_of(it.stack.unit) or OTHERS) == kind]
    if kind == OTHERS:
        told = "they add to the value, and hold nobody"
        return TypeRow(kind, 0, 0, 0, sum(it.brp for it in mine), "81.42B(4)", _units(s, garrison, mine), told)
    factors, full = garrison_factors(s, garrison, kind), siberian_maximum(s, kind)
    needed, clause, told = full, "81.41C", _siberian_row(s, kind)
    if garrison == MANCHURIA:
        needed, clause, told = manchurian_requirement(s, kind), "81.31", _manchurian_row(s, kind)
    return TypeRow(kind, factors, needed, full, sum(it.brp for it in mine), clause, _units(s, garrison, mine), told)


def _manchurian_row(s: State, kind: str) -> str:
    missing = manchurian_reduction(s, kind)
    relief = siberian_shortfall(s, kind)
    if not missing:
        return ""
    freed = max(0, rounded_for_russia(s, kind, missing) - relief)
    told = f"{missing} factors missing"
    return f"{told}: {freed} may leave Siberia for them in time" if freed else f"{told}, as in Siberia"


def _siberian_row(s: State, kind: str) -> str:
    free, missing = transferable(s, kind), siberian_shortfall(s, kind)
    if free:
        return f"{free} factors may leave now, for what Japan withdrew"
    if missing:
        return f"{missing} factors below full strength: Japan needs as much less"
    return (
        "complete, so what Japan withdrew counts: as much of the type may follow" if freed_in_siberia(s, kind) else ""
    )


def _units(s: State, garrison: str, found: list[Counted]) -> tuple[Unit, ...]:
    return tuple(_unit(s, garrison, it) for it in found)


def _unit(s: State, garrison: str, it: Counted) -> Unit:
    stack = it.stack
    most, clause, held = _may_leave(s, garrison, stack.unit, stack.count)
    return Unit(
        unit=stack.unit,
        place=stack.place,
        place_name=place_name(stack.place),
        count=stack.count,
        counted=it.count,
        each=unit_worth(s, stack.unit) if it.count else 0,
        brp=it.brp,
        why_not=it.why_not,
        may_leave=most,
        held=held,
        clause=clause,
        if_left=_if_left(s, garrison, stack.unit, stack.place),
        worth=_worth(it, unit_worth(s, stack.unit)),
    )


def _worth(it: Counted, each: int) -> tuple[tuple[int, int], ...]:
    if it.stack.branch == "air":
        return ((it.stack.count, it.brp),)
    return tuple((1, each if number < it.count else 0) for number in range(it.stack.count))


def _may_leave(s: State, garrison: str, unit: keys.Unit, there: int) -> tuple[int, str, str]:
    """How many of a kind may leave now, and by which clause not more."""
    for count in range(1, min(there, MOST_UNITS) + 1):
        refused = _stays(s, garrison, {unit: count})
        if refused:
            return count - 1, *refused
    return there, "", ""


def _stays(s: State, garrison: str, leaving: dict[keys.Unit, int]) -> tuple[str, str] | None:
    if garrison == MANCHURIA:
        told = withdrawal_refused(s, leaving) if s.options.scope == "pacific" else None
        return ("81.33", told) if told else None
    told = None if europe_is_filled(s) else bound_to_siberia(s, leaving)
    if told:
        return "81.42", told
    told = least_kept(s, leaving) if siberia_has_minimum(s) else None
    return ("81.43", told) if told else None


def _if_left(s: State, garrison: str, unit: keys.Unit, place: Place) -> str:
    """What would follow if one counter left: the position without it, asked the same questions."""
    after = apply(s, UnitsMoved(GARRISON_OF[garrison], unit, 1, At(place), UNBUILT))
    worth, kind = garrison_value(after, garrison), type_of(unit)
    told = [f"worth {worth}"]
    if garrison == MANCHURIA:
        if worth < manchurian_deterrent(s) <= garrison_value(s, garrison):
            told.append("Russia could declare war")
        freed = freed_in_siberia(after, kind) - freed_in_siberia(s, kind) if kind else 0
        if freed > 0:
            told.append(f"{in_words({kind: freed})} more would be freed in Siberia")
    elif kind and siberian_shortfall(after, kind) > siberian_shortfall(s, kind):
        told.append(f"Japan would need {manchurian_requirement(after, kind)} {kind} factors")
    return ", ".join(told)


def _manchurian_lines(s: State) -> Iterator[GarrisonLine]:
    value, least = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    if s.options.scope == "pacific":
        left = withdrawal_left(s)
        told = f"May leave: {left} BRPs, once" if left else "May leave: nothing that would free units in Siberia"
        yield GarrisonLine("81.33", told, "may" if left else "no")
    elif value > least:
        yield GarrisonLine(
            "81.51B", f"May leave: {value - least} BRPs before Russia could declare war, down to {least}", "may"
        )
    else:
        yield GarrisonLine("81.51B", f"Worth {value}: any BRP that leaves lets Russia declare war below {least}", "no")
    yield GarrisonLine(
        "81.42B",
        "Every factor that leaves, or air factor that stands inverted, frees one of its type in Siberia",
        "fact",
    )
    if garrison_factors(s, MANCHURIA, "armor"):
        yield GarrisonLine(
            "81.31B", "Armor may be exchanged for other armor: six factors as the Japanese turn ends", "fact"
        )
    if armor_owed(s):
        yield GarrisonLine(
            "81.31A", "Armor that Japan lacks is built first; until then two infantry factors for each", "no"
        )


def _siberian_lines(s: State) -> Iterator[GarrisonLine]:
    yield _leaving(s)
    if siberia_has_minimum(s):
        told = f"Siberia keeps {siberian_minimum(s)} BRPs and one three-factor armor unit until war with Japan"
        yield GarrisonLine("81.43", told, "fact")
    if siberia_short(s):
        lacks = siberian_target(s) - garrison_value(s, SIBERIA)
        yield GarrisonLine("81.41D", f"{lacks} BRPs are to be built before anything else", "no")
    if not first_factory_mobilized(s):
        room = max(0, FULL_VALUE - garrison_value(s, SIBERIA))
        told = f"May come: {room} BRPs, to {FULL_VALUE}, until the first civilian factory is mobilized"
        yield GarrisonLine("81.41E", told, "may" if room else "no")
    if siberia_short(s) and siberia_to_fill(s):
        yield GarrisonLine("81.41D", "Units may come from Europe as well until Siberia is filled", "may")
        return
    open_ = attacked_by_japan(s) or free_in_the_west(s)
    told = "open" if open_ else "closed"
    yield GarrisonLine("81.44", f"The way from Europe and the Urals box is {told}", "may" if open_ else "no")


def _leaving(s: State) -> GarrisonLine:
    if freed_by_war(s):
        room = garrison_value(s, SIBERIA) - siberian_minimum(s)
        told = f"May leave: {max(0, room)} BRPs, war with Germany has freed them"
        return GarrisonLine("81.42A", told if siberia_has_minimum(s) else "May leave: everything", "may")
    if europe_is_filled(s):
        return GarrisonLine(
            "81.41D", "May leave for Europe, above the minimum, while the garrison there is under strength", "may"
        )
    free = {kind: transferable(s, kind) for kind in TYPES}
    told = in_words(free)
    if told:
        return GarrisonLine("81.42B", f"May leave now: {told}", "may")
    later = "; ".join(f"{it.text.partition(',')[0]} in {it.ends}, Allied redeployment" for it in transfers(s))
    return GarrisonLine("81.42", f"May leave: no mandatory units yet{'; ' + later if later else ''}", "no")


# -- what left ----------------------------------------------------------------------------------------------------


def departures(moves: Iterable[Told]) -> Iterator[Departure]:
    for move in moves:
        for record in move.records:
            event = record.event
            if isinstance(event, UnitsMoved) and isinstance(event.origin, At):
                yield from _departed(move, event)


def _departed(move: Told, event: UnitsMoved) -> Iterator[Departure]:
    for garrison, nation in GARRISON_OF.items():
        assert isinstance(event.origin, At)
        if event.nation != nation or event.origin.place not in REGIONS[garrison]:
            continue
        if isinstance(event.to, At):
            if event.to.place in REGIONS[garrison]:
                continue
            how = f"went to {place_name(event.to.place)}"
        else:
            how = "was lost" if event.to in (UNBUILT, OUT_OF_PLAY) or isinstance(event.to, Lost) else "left"
        text = f"{event.count} {event.unit} {how}"
        when = calendar.moment_name(move.moment)
        yield Departure(garrison, move.id, when, text, event.unit, type_of(event.unit), event.count)
