"""The garrisons of Manchuria and Siberia side by side: what stands there and is worth, what may leave, what follows.

One view for both sides, the same on the command line and at the table (chapter 81).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from warcabinet.engine import GameRecord
from warcabinet.model import calendar
from warcabinet.model.apply import apply
from warcabinet.model.events import UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Lost
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war, went_to_war
from warcabinet.rules.common.declarations import declaration_cost
from warcabinet.rules.common.promises import promised
from warcabinet.rules.economy.base import level
from warcabinet.rules.economy.growth import track
from warcabinet.rules.economy.spending import construction_limit, spendable
from warcabinet.rules.garrisons.beside_urals import fighting_beside, loss_beside, urals_reduction
from warcabinet.rules.garrisons.counting import (
    GARRISON_OF,
    MANCHURIA,
    REGIONS,
    SIBERIA,
    TYPES,
    Counted,
    counted_in,
    garrison_factors,
    garrison_value,
    in_words,
    type_of,
    unit_worth,
)
from warcabinet.rules.garrisons.declarations import (
    RGT_NEEDED,
    classic_declaration_cost,
    japan_may_declare,
    japanese_declaration_cost,
    manchuria_too_weak,
    russian_declaration_cost,
    tension_allows_war,
)
from warcabinet.rules.garrisons.levels import (
    FULL_VALUE,
    first_factory_mobilized,
    japanese_advantage,
    manchurian_deterrent,
    manchurian_requirement,
    prequel,
    siberian_maximum,
    siberian_minimum,
    siberian_shortfall,
)
from warcabinet.rules.garrisons.manchuria import (
    armor_owed,
    manchurian_brps,
    withdrawal_left,
    withdrawal_refused,
)
from warcabinet.rules.garrisons.siberia import europe_is_filled, siberia_short, siberia_to_fill, siberian_target
from warcabinet.rules.garrisons.transfers import (
    attacked_by_japan,
    bound_to_siberia,
    free_in_the_west,
    freed_by_war,
    garrisons_known,
    least_kept,
    manchurian_reduction,
    redeployment_after,
    rounded_for_russia,
    siberia_has_minimum,
    transfer_opens,
    transferable,
)
from warcabinet.rules.garrisons.urals import factors_beside, russian_factors, urals_basing
from warcabinet.words import place_name

TITLES = {MANCHURIA: "Manchurian garrison", SIBERIA: "Siberian garrison"}
WHERE = {
    MANCHURIA: "Manchuria: a Japanese colony, its capitals Harbin and Mukden",
    SIBERIA: "Siberia, Mongolia, Tannu Tuva",
}
OTHERS = "others"
When = Literal["done", "now", "ahead", "end"]


class Unit(msgspec.Struct, frozen=True):
    """Counters of a kind at a place: how many count, what each is worth, how many may leave and why not more."""

    unit: str
    place: str
    place_name: str
    count: int
    counted: int
    each: int
    brp: int
    why_not: str
    may_leave: int
    held: str
    clause: str
    if_left: str


class TypeRow(msgspec.Struct, frozen=True):
    """A type of unit: factors present and needed, what they are worth, counter by counter."""

    type: str
    factors: int
    needed: int
    full: int
    brp: int
    clause: str
    units: tuple[Unit, ...]
    told: str


class Mark(msgspec.Struct, frozen=True):
    """A value that matters on the bar of a garrison."""

    at: int
    text: str
    clause: str


class Line(msgspec.Struct, frozen=True):
    """What may be done, or not, by which clause."""

    clause: str
    text: str
    state: Literal["may", "no", "fact"]


class Departure(msgspec.Struct, frozen=True):
    """Units that left a garrison: when, and by which move of the log."""

    garrison: str
    move: int
    when: str
    text: str
    unit: str
    type: str
    count: int


class Side(msgspec.Struct, frozen=True):
    garrison: str
    title: str
    power: str
    where: str
    value: int
    full: int
    marks: tuple[Mark, ...]
    rows: tuple[TypeRow, ...]
    lines: tuple[Line, ...]
    departures: tuple[Departure, ...]


class Moment(msgspec.Struct, frozen=True):
    """A point on the way of a transfer."""

    when: str
    step: str
    text: str
    state: When


class Transfer(msgspec.Struct, frozen=True):
    """Units that will be free to leave Siberia: what starts it, when it ends, what would avert it."""

    text: str
    clause: str
    ends: str
    moments: tuple[Moment, ...]
    averted_by: str


class Condition(msgspec.Struct, frozen=True):
    text: str
    detail: str
    met: bool
    clause: str


class Declaration(msgspec.Struct, frozen=True):
    """A declaration of war of one on the other: its cost, what it needs, when it can next be made."""

    power: str
    on: str
    cost: int
    clause: str
    open: bool
    conditions: tuple[Condition, ...]
    next_chance: str


class Urals(msgspec.Struct, frozen=True):
    """The box between the two boards: who stands in it and beside it, and what that costs Russia."""

    inside: int
    beside: int
    fighting: int
    loss: int
    reduction: int
    limit: int
    basing: str


class GarrisonPage(msgspec.Struct, frozen=True):
    known: bool
    standing: str
    counted: str
    clause: str
    manchuria: Side
    siberia: Side
    transfers: tuple[Transfer, ...]
    declarations: tuple[Declaration, ...]
    urals: Urals


class Told(Protocol):
    """A move of the log, as far as this view looks at it."""

    @property
    def id(self) -> int: ...

    @property
    def moment(self) -> int: ...

    @property
    def records(self) -> tuple[GameRecord, ...]: ...


def garrison_page(state: State, moves: Iterable[Told] = ()) -> GarrisonPage:
    """Both garrisons as they stand; what left them is read from the moves that led here."""
    gone = tuple(_departures(moves))
    fighting = at_war(state, "russia", "japan")
    return GarrisonPage(
        known=garrisons_known(state),
        standing="at war" if fighting else "at peace",
        counted=_counted(state),
        clause="81.42B",
        manchuria=_side(state, MANCHURIA, gone),
        siberia=_side(state, SIBERIA, gone),
        transfers=tuple(_transfers(state)),
        declarations=() if fighting else (_japanese(state), _russian(state)),
        urals=_urals(state),
    )


def _counted(s: State) -> str:
    turn = s.turn if s.player == "allied" else s.turn - 1
    last = f"counted at the start of the Russian turn, {calendar.turn_name(turn)}"
    return last if s.player == "allied" else f"{last}; next in {calendar.turn_name(s.turn)}"


# -- one side -----------------------------------------------------------------------------------------------------


def _side(s: State, garrison: str, gone: tuple[Departure, ...]) -> Side:
    found = counted_in(s, garrison)
    return Side(
        garrison=garrison,
        title=TITLES[garrison],
        power=GARRISON_OF[garrison],
        where=f"{WHERE[garrison]}, worth {manchurian_brps(s)}" if garrison == MANCHURIA else WHERE[garrison],
        value=garrison_value(s, garrison),
        full=FULL_VALUE,
        marks=_marks(s, garrison),
        rows=tuple(_row(s, garrison, kind, found) for kind in (*TYPES, OTHERS) if kind in TYPES or _others(found)),
        lines=tuple(_manchurian_lines(s) if garrison == MANCHURIA else _siberian_lines(s)),
        departures=tuple(it for it in gone if it.garrison == garrison)[-4:],
    )


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
    return "complete, so what Japan withdrew counts: as much of the type may follow" if _freed(s, kind) else ""


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
    )


def _may_leave(s: State, garrison: str, unit: str, there: int) -> tuple[int, str, str]:
    """How many of a kind may leave now, and by which clause not more."""
    for count in range(1, there + 1):
        refused = _stays(s, garrison, {unit: count})
        if refused:
            return count - 1, *refused
    return there, "", ""


def _stays(s: State, garrison: str, leaving: dict[str, int]) -> tuple[str, str] | None:
    if garrison == MANCHURIA:
        told = withdrawal_refused(s, leaving) if s.options.scope == "pacific" else None
        return ("81.33", told) if told else None
    told = None if europe_is_filled(s) else bound_to_siberia(s, leaving)
    if told:
        return "81.42", told
    told = least_kept(s, leaving) if siberia_has_minimum(s) else None
    return ("81.43", told) if told else None


def _if_left(s: State, garrison: str, unit: str, place: str) -> str:
    """What would follow if one counter left: the position without it, asked the same questions."""
    after = apply(s, UnitsMoved(GARRISON_OF[garrison], unit, 1, At(place), UNBUILT))
    worth, kind = garrison_value(after, garrison), type_of(unit)
    told = [f"worth {worth}"]
    if garrison == MANCHURIA:
        if worth < manchurian_deterrent(s) <= garrison_value(s, garrison):
            told.append("Russia could declare war")
        freed = _freed(after, kind) - _freed(s, kind) if kind else 0
        if freed > 0:
            told.append(f"{in_words({kind: freed})} more would be freed in Siberia")
    elif kind and siberian_shortfall(after, kind) > siberian_shortfall(s, kind):
        told.append(f"Japan would need {manchurian_requirement(after, kind)} {kind} factors")
    return ", ".join(told)


def _freed(s: State, kind: str) -> int:
    return max(0, rounded_for_russia(s, kind, manchurian_reduction(s, kind)) - siberian_shortfall(s, kind))


def _manchurian_lines(s: State) -> Iterator[Line]:
    value, least = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    if s.options.scope == "pacific":
        left = withdrawal_left(s)
        told = f"May leave: {left} BRPs, once" if left else "May leave: nothing that would free units in Siberia"
        yield Line("81.33", told, "may" if left else "no")
    elif value > least:
        yield Line("81.51B", f"May leave: {value - least} BRPs before Russia could declare war, down to {least}", "may")
    else:
        yield Line("81.51B", f"Worth {value}: any BRP that leaves lets Russia declare war below {least}", "no")
    yield Line(
        "81.42B",
        "Every factor that leaves, or air factor that stands inverted, frees one of its type in Siberia",
        "fact",
    )
    if garrison_factors(s, MANCHURIA, "armor"):
        yield Line("81.31B", "Armor may be exchanged for other armor: six factors as the Japanese turn ends", "fact")
    if armor_owed(s):
        yield Line("81.31A", "Armor that Japan lacks is built first; until then two infantry factors for each", "no")


def _siberian_lines(s: State) -> Iterator[Line]:
    yield _leaving(s)
    if siberia_has_minimum(s):
        told = f"Siberia keeps {siberian_minimum(s)} BRPs and one three-factor armor unit until war with Japan"
        yield Line("81.43", told, "fact")
    if siberia_short(s):
        lacks = siberian_target(s) - garrison_value(s, SIBERIA)
        yield Line("81.41D", f"{lacks} BRPs are to be built before anything else", "no")
    if not first_factory_mobilized(s):
        room = max(0, FULL_VALUE - garrison_value(s, SIBERIA))
        told = f"May come: {room} BRPs, to {FULL_VALUE}, until the first civilian factory is mobilized"
        yield Line("81.41E", told, "may" if room else "no")
    if siberia_short(s) and siberia_to_fill(s):
        yield Line("81.41D", "Units may come from Europe as well until Siberia is filled", "may")
        return
    open_ = attacked_by_japan(s) or free_in_the_west(s)
    told = "open" if open_ else "closed"
    yield Line("81.44", f"The way from Europe and the Urals box is {told}", "may" if open_ else "no")


def _leaving(s: State) -> Line:
    if freed_by_war(s):
        room = garrison_value(s, SIBERIA) - siberian_minimum(s)
        told = f"May leave: {max(0, room)} BRPs, war with Germany has freed them"
        return Line("81.42A", told if siberia_has_minimum(s) else "May leave: everything", "may")
    if europe_is_filled(s):
        return Line(
            "81.41D", "May leave for Europe, above the minimum, while the garrison there is under strength", "may"
        )
    free = {kind: transferable(s, kind) for kind in TYPES}
    told = in_words(free)
    if told:
        return Line("81.42B", f"May leave now: {told}", "may")
    later = "; ".join(f"{it.text.partition(',')[0]} in {it.ends}, Allied redeployment" for it in _transfers(s))
    return Line("81.42", f"May leave: no mandatory units yet{'; ' + later if later else ''}", "no")


# -- what left ----------------------------------------------------------------------------------------------------


def _departures(moves: Iterable[Told]) -> Iterator[Departure]:
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


# -- transfers ----------------------------------------------------------------------------------------------------


def _state(s: State, moment: int, last: bool = False) -> When:
    if moment == s.moment:
        return "now"
    if moment < s.moment:
        return "done"
    return "end" if last else "ahead"


def _allied(turn: int, step: str) -> int:
    return calendar.moment(turn, calendar.step_index("allied", step))


def _way(s: State, turn: int, what: str, began: str, counted: str) -> tuple[Moment, ...]:
    """The four moments from a reduction or war in a turn to the second Allied redeployment."""
    name, after = calendar.turn_name(turn), calendar.turn_name(turn + 1)
    start, first, second = (
        _allied(turn, "start of player turn"),
        _allied(turn, "redeployment"),
        redeployment_after(turn),
    )
    axis = calendar.moment(turn, calendar.first_step("axis"))
    begun: When = "done" if s.moment >= start else "now" if s.moment >= axis else "ahead"
    return (
        Moment(f"Axis, {name}", "", began, begun),
        Moment(f"Allied, {name}", "start of turn", counted, _state(s, start)),
        Moment(f"Allied, {name}", "redeployment", "first: nothing may go", _state(s, first)),
        Moment(f"Allied, {after}", "redeployment", f"second: {what} may go", _state(s, second, last=True)),
    )


def _transfers(s: State) -> Iterator[Transfer]:
    for war in s.wars:
        if set(war.between) == {"germany", "russia"} and not freed_by_war(s):
            what = "all above the minimum"
            way = _way(s, war.since, what, "Germany and Russia go to war", "nothing is counted")
            yield Transfer(f"{what}, Siberia to Europe", "81.42A", calendar.turn_name(war.since + 1), way, "nothing")
    pending = promised(s, transfer_opens)
    for it in pending:
        yield _reduced(s, it.of.turn, it.of.about)
    if not pending and s.player == "axis" and garrisons_known(s) and not went_to_war(s, "russia", "japan"):
        freed = {kind: _freed(s, kind) - transferable(s, kind) for kind in TYPES}
        if any(count > 0 for count in freed.values()):
            yield _reduced(s, s.turn, in_words({kind: max(0, count) for kind, count in freed.items()}))


def _reduced(s: State, turn: int, what: str) -> Transfer:
    counted = f"Manchuria is counted: {garrison_value(s, MANCHURIA)} as it stands"
    way = _way(s, turn, what, "Japan withdraws units from Manchuria", counted)
    told = "bringing them back to Manchuria before the Russian turn of the second redeployment starts (R-0076)"
    return Transfer(f"{what}, Siberia to Europe", "81.42B", calendar.turn_name(turn + 1), way, told)


# -- declarations of war ------------------------------------------------------------------------------------------


def _covered(s: State, power: str, cost: int) -> Condition:
    may = spendable(s, power)
    detail = f"level {level(s, power)}, may spend {may}"
    return Condition(f"{powers()[power].name}'s level covers it", detail, may >= cost, "39.22A")


def _japanese(s: State) -> Declaration:
    cost = declaration_cost(s, "japan", "russia")
    conditions: tuple[Condition, ...]
    if prequel(s):
        fought = Condition("Russia and Germany are at war", "", at_war(s, "germany", "russia"), "81.51A(1)")
        ahead = japanese_advantage(s)
        led = Condition("or Japan led in Storm Over Asia", f"by {ahead} on balance", ahead > 0, "81.51A(1)")
        conditions = (fought, led)
    else:
        detail = "classic: never on a neutral Russia"
        conditions = (Condition("Russia is not neutral", detail, japan_may_declare(s), "81.51A"),)
    paid = _covered(s, "japan", cost)
    may = japan_may_declare(s) and paid.met
    clause = japanese_declaration_cost.clause if prequel(s) else classic_declaration_cost.clause
    wait = "when Germany and Russia are at war"
    return Declaration("japan", "russia", cost, clause, may, (*conditions, paid), _chance(s, "japan", may, wait))


def _russian(s: State) -> Declaration:
    cost = declaration_cost(s, "russia", "japan")
    value, least = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    more = f"; {value - least + 1} more would have to leave" if value >= least else ""
    weak = Condition(f"Manchuria is worth less than {least}", f"{value} now{more}", manchuria_too_weak(s), "81.51B(2)")
    tense = Condition(
        f"or the RGT level is {RGT_NEEDED}, without war with Germany",
        f"it is {track(s, 'rgt')}" + ("" if prequel(s) else "; in classic games by ruling R-0078"),
        tension_allows_war(s),
        "81.51B(1)",
    )
    paid = _covered(s, "russia", cost)
    may = (weak.met or tense.met) and paid.met
    clause = russian_declaration_cost.clause if prequel(s) else classic_declaration_cost.clause
    wait = f"when Manchuria falls below {least}, or at an RGT level of {RGT_NEEDED}"
    return Declaration("russia", "japan", cost, clause, may, (weak, tense, paid), _chance(s, "russia", may, wait))


def _chance(s: State, power: str, may: bool, wait: str) -> str:
    """When it can next be declared, as things stand."""
    if not may:
        return f"Next chance: {wait}"
    step = calendar.step_index(powers()[power].player, "declarations of war")
    if s.step == step:
        return "Now"
    return f"Next chance: {calendar.moment_name(calendar.moment(s.turn if s.step < step else s.turn + 1, step))}"


def _urals(s: State) -> Urals:
    return Urals(
        inside=russian_factors(s),
        beside=factors_beside(s),
        fighting=fighting_beside(s),
        loss=loss_beside(s),
        reduction=urals_reduction(s),
        limit=construction_limit(s, "russia"),
        basing=urals_basing(s, "russia"),
    )


__all__ = ["GarrisonPage", "garrison_page"]
