"""Figures of control: who holds which places, and what stands on whose books for an area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warcabinet.figures.amounts import converted, integer, set_balance
from warcabinet.figures.figure import Figure
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model.accounts import Annual
from warcabinet.model.apply import apply
from warcabinet.model.events import ControlChanged, Event
from warcabinet.model.ledger import balance
from warcabinet.model.names import areas, conquest_value, countries, power_named, powers, spelled
from warcabinet.model.places import PARTISANS, area_holder, areas_decided_by, holder, holder_named, place_keys
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.books import account_balance
from warcabinet.rules.economy.key_areas import owner_out_of_the_war


def set_books(s: State, area: str, wanted: dict[str, int]) -> list[Event]:
    """The entries that leave an area on these books and no others."""
    named = {power_named(power).power: brp for power, brp in wanted.items()}
    return [fact for power in powers() for fact in set_balance(s, Annual(power, area), named.get(power, 0))]


def _read_all(s: State) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for place, by in s.control.items():
        held.setdefault(by, []).append(place)
    return held


#: Before a name: every hex of that country, such as `country poland`.
COUNTRY = "country "


def places_meant(names: Sequence[str]) -> tuple[str, ...]:
    """The keys of places that are named together; a whole country among them stands for its hexes."""
    lands = [key for name in names if name.startswith(COUNTRY) for key in _hexes_of(name.removeprefix(COUNTRY))]
    return (*lands, *place_keys([name for name in names if not name.startswith(COUNTRY)]))


def _hexes_of(country: str) -> tuple[str, ...]:
    named = spelled(country.strip(), "belligerent")
    if named not in powers() and named not in countries():
        raise unknown("country", country, [*powers(), *countries()])
    if not home_hexes(named):
        raise WarCabinetError(f"country {country}: none of it lies on the boards; name its box")
    return home_hexes(named)


def _set_all(s: State, to: Any) -> list[Event]:
    """Whole countries first, so that a place named by itself is an exception to its country, whoever comes first."""
    facts: list[Event] = []
    given = converted("control", to, dict[str, list[str]])
    for whole in (True, False):
        for by, names in given.items():
            keys = places_meant([name for name in names if name.startswith(COUNTRY) is whole])
            held = holder_named(by)
            made = [ControlChanged(keys, held), *_key_area_books(s, keys, held)] if keys else []
            facts += made
            for fact in made:
                s = apply(s, fact)
    return facts


def _set_one(s: State, place: str, to: Any) -> list[Event]:
    return _set_all(s, {converted(f"control.{place}", to, str): [place]})


def _key_area_books(s: State, keys: tuple[str, ...], by: str) -> list[Event]:
    """Key areas and industrial centers are on the books of whoever is set to hold them."""
    after = apply(s, ControlChanged(keys, by))
    facts: list[Event] = []
    for name in sorted({name for key in keys for name in areas_decided_by(key)}):
        area = areas()[name]
        stands = area.kind == "key area" or (area.kind == "ic" and (area.owner or _on_any_books(s, name)))
        if stands and (area_holder(after, name) in powers() or area_holder(after, name) == PARTISANS):
            facts += set_books(s, name, _books_when_held(s, name, area_holder(after, name)))
    return facts


def _on_any_books(s: State, area: str) -> bool:
    return any(balance(s.ledger, Annual(power, area)) for power in powers())


def _books_when_held(s: State, name: str, by: str) -> dict[str, int]:
    area = areas()[name]
    if by == PARTISANS:
        return {area.owner: -area.brp} if area.kind == "key area" else {}
    if area.kind == "ic":
        return {by: area.brp}
    if s.powers[by].faction == s.powers[area.owner].faction:
        # A partner has it as a conquest once France or Italy, whose it was, has surrendered (38.24).
        return {by: conquest_value(name)} if by != area.owner and owner_out_of_the_war(s, name) else {}
    return {area.owner: -area.brp, by: conquest_value(name)}


def _set_book(s: State, power: str, area: str, to: Any) -> list[Event]:
    value, given = integer(f"books.{power}.{area}", to), areas()[area]
    lost = -given.brp if given.kind == "key area" and given.owner == power else 0
    if value < lost:
        raise WarCabinetError(f"books.{power}.{area} is at least {lost}, not {value}")
    return set_balance(s, Annual(power, area), value)


ROWS = (
    Figure(
        "books.<power>.<area>",
        "yearly value on a power's books",
        "books.germany.belgium: 15",
        lambda s, power, area: account_balance(s, Annual(power, area)),
        _set_book,
    ),
    Figure(
        "control",
        "who controls which places (or `country poland` for all of it): a power, a country, or partisans",
        "control: {germany: [Brussels, K28], britain: [Cairo], partisans: [Belgrade]}",
        _read_all,
        _set_all,
        whole=True,
    ),
    Figure(
        "control.<place>",
        "who controls one place",
        "control.Brussels: germany",
        lambda s, place: holder(s, place),
        _set_one,
    ),
)
