"""What can be ordered at a place: orders that name it or the country it decides, and orders for the units there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.board.names import places
from warcabinet.game.offers import Offer, refused_values
from warcabinet.model.commands import Field, command_types, fields
from warcabinet.model.keys import Place
from warcabinet.model.names import countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State
from warcabinet.web.hall.rights import commander
from warcabinet.web.orders.command_kinds import family
from warcabinet.web.orders.form_words import field_words
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line


class PlaceOrder(msgspec.Struct, frozen=True):
    """An order with what the place says of it; with refusals it is not possible here, or not now."""

    command: str
    known: dict[str, str]
    given: dict[str, str | list[str]]
    refusals: tuple[RefusalLine, ...]


class UnitOrders(msgspec.Struct, frozen=True):
    """Units that stand here, and the orders that can name them."""

    nation: str
    unit: str
    count: int
    orders: tuple[PlaceOrder, ...]


class OrdersHere(msgspec.Struct, frozen=True):
    place: str
    orders: tuple[PlaceOrder, ...]
    units: tuple[UnitOrders, ...]


def orders_here(state: State, offered: Iterable[Offer], key: Place, held: tuple[str, ...] = ()) -> OrdersHere:
    """The orders for a hex or box: those possible first, each once, the others with their reasons.

    Units are ordered by whoever holds their power (`held`; nobody named: all), and in their own player turn.
    """
    all_ = list(offered)
    once: dict[tuple[str, str], PlaceOrder] = {}
    for offer in all_:
        for order in _naming(state, offer, key):
            once.setdefault((order.command, order.known.get("power", "")), order)
    orders = sorted(once.values(), key=lambda it: bool(it.refusals))
    units = tuple(_for_units(state, stack, all_, held) for stack in state.pieces.at(key))
    return OrdersHere(key, tuple(orders), units)


def _described(offer: Offer) -> dict[str, Field]:
    return {field.name: field for field in fields(command_types()[offer.command])}


def _naming(state: State, offer: Offer, key: str) -> Iterator[PlaceOrder]:
    """An order once for each field that could name the place, or a country that the place decides."""
    described = _described(offer)
    for field in offer.fields.values():
        if field.shut or not field_words(offer.command, field.name).matters(offer.known):
            continue
        if field.kind in ("place", "place or none") and (not field.among or key in field.among):
            given: str | list[str] = [key] if described[field.name].many else key
            yield _order(offer, {field.name: given}, _against(state, offer, field.name, field.kind, key))
        elif field.kind in ("country", "area"):
            decided = next((id for id in _decided_by(key) if id in field.among), "")
            if decided:
                yield _order(offer, {field.name: decided}, _refusals(state, offer))


def _decided_by(key: str) -> list[str]:
    """The countries for whose fate a place counts."""
    names = {place.name for place in places().values() if place.key == key}
    return [id for id, area in countries().items() if names & set(area.places)]


def _refusals(state: State, offer: Offer) -> tuple[RefusalLine, ...]:
    kind, power = command_types()[offer.command], str(offer.known.get("power", ""))
    return tuple(refusal_line(state, kind, it, power, known=offer.known) for it in offer.refusals)


def _against(state: State, offer: Offer, field: str, kind: str, key: str) -> tuple[RefusalLine, ...]:
    """Why an order may not name the place: it is not possible at all now, or the place is not legal."""
    if not offer.available or kind != "place":
        return _refusals(state, offer)
    refusal = refused_values(state, offer.command, offer.known, field, [key]).get(key)
    return () if refusal is None else (refusal_line(state, None, refusal),)


def _order(offer: Offer, given: dict[str, str | list[str]], against: tuple[RefusalLine, ...] = ()) -> PlaceOrder:
    return PlaceOrder(offer.command, {name: str(value) for name, value in offer.known.items()}, given, against)


def _for_units(state: State, stack: Stack, offered: Iterable[Offer], held: tuple[str, ...]) -> UnitOrders:
    """Orders and reports about units that stand here: their nation, kind and place are filled in."""
    theirs = bool(held) and commander(state, stack.nation) not in held
    found = [
        order
        for offer in offered
        if offer.available
        and not (theirs and family(command_types()[offer.command]) == "order")
        and (order := _about(stack, offer)) is not None
        and not _out_of_turn(state, offer, order, stack.nation)
    ]
    return UnitOrders(stack.nation, stack.unit, stack.count, tuple(found))


def _out_of_turn(state: State, offer: Offer, order: PlaceOrder, nation: str) -> bool:
    """Whether these units may not be ordered now, whatever else the order says."""
    if "nation" not in order.given or family(command_types()[offer.command]) != "order":
        return False
    return nation in refused_values(state, offer.command, offer.known, "nation", [nation])


def _about(stack: Stack, offer: Offer) -> PlaceOrder | None:
    described = _described(offer)
    open_ = [described[name] for name in offer.fields]
    here = ("from", "origin", "at") if family(command_types()[offer.command]) == "report" else ("from", "origin")
    where = [field for field in open_ if field.kind == "place" and field.name in here]
    unit = next((field for field in open_ if field.kind in ("unit", "unit count")), None)
    whose = next((field for field in open_ if field.kind in ("nation", "power")), None)
    if unit is None or not where or (whose is None and offer.known.get("power") != stack.nation):
        return None
    if whose is not None and whose.kind == "power" and stack.nation not in powers():
        return None
    # Where a unit comes from says more of it than where something happens.
    place = next((field for field in where if field.name != "at"), where[0])
    given: dict[str, str | list[str]] = {
        unit.name: [f"{stack.count} {stack.unit}"] if unit.many else stack.unit,
        place.name: stack.place,
    }
    if whose is not None:
        given[whose.name] = stack.nation
    return _order(offer, given)
