"""The blanks in the paths of figures: what may fill a `<power>` or a `<place>`, and how it is spelled."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.names import (
    OCEANS,
    OTHER_NATIONS,
    TRACKS,
    among,
    area_named,
    areas,
    countries,
    nation_named,
    no_such,
    power_named,
    powers,
    spelled,
)
from warcabinet.model.places import place_key
from warcabinet.model.rulings import ruling_named, rulings
from warcabinet.model.state import Options
from warcabinet.model.units import check_units, unit_kinds

THEATERS = ("europe", "pacific")
PARTS = ("whole", *THEATERS, "first half", "second half")


@dataclass(frozen=True, slots=True)
class Blank:
    """What a name must be and how it is spelled; the names that are known; whether they are few, or may have dots."""

    named: Callable[[str], str]
    known: Callable[[], Collection[str]] = tuple
    few: bool = False
    dotted: bool = False


def _power(name: str) -> str:
    return power_named(name).power


def country(name: str) -> str:
    found = spelled(name, "country")
    if found not in countries():
        raise no_such("country", name, countries())
    return found


def _ic(name: str) -> str:
    area = area_named(name)
    if area.kind != "ic":
        raise WarCabinetError(f"{area.name} is no industrial center; write ic_ before the city, such as ic_moscow")
    return name


def _unit(name: str) -> str:
    check_units(name)
    return name


def _turn(name: str) -> str:
    return calendar.turn_name(calendar.parse_turn(name))


def one_of(kind: str, names: Collection[str]) -> Blank:
    return Blank(among(kind, lambda: names), lambda: names, few=True)


# A blank that only one subject has stands with its rows (`<value>` with those of powers).
BLANKS = {
    "power": Blank(_power, powers, few=True),
    "country": Blank(country, countries),
    "area": Blank(lambda name: area_named(name).area, areas),
    "ic": Blank(_ic, lambda: [name for name, area in areas().items() if area.kind == "ic"], few=True),
    "nation": Blank(nation_named, lambda: [*powers(), *countries(), *OTHER_NATIONS]),
    "place": Blank(place_key, dotted=True),
    "unit": Blank(_unit, unit_kinds),
    "turn": Blank(_turn),
    "track": one_of("track", TRACKS),
    "ocean": one_of("ocean", OCEANS),
    "theater": one_of("theater", THEATERS),
    "part": Blank(among("part of a mobilization", lambda: PARTS), lambda: PARTS),
    "option": one_of("option", Options.__struct_fields__),
    "ruling": Blank(lambda name: ruling_named(name).id, rulings, few=True),
}
