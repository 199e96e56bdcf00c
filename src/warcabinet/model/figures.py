"""The public figures of a game by name: one table that serves positions, corrections, expectations and documents.

A figure is read from the state or computed by a rule of that name. What is read can be set (`model.corrections`).
What a rule computes is never set; the referee rules on it instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Base, Brp
from warcabinet.model.force_figures import FORCE_FIGURES, FORCE_READERS
from warcabinet.model.ledger import balance
from warcabinet.model.names import (
    TRACKS,
    area_named,
    countries,
    nation_named,
    no_such,
    power_named,
    powers,
    spelled,
)
from warcabinet.model.pieces import UNBUILT, At, Where
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import Options, State
from warcabinet.model.units import parse_unit

OCEANS = ("atlantic", "pacific", "indian_ocean")


class Figure(msgspec.Struct, frozen=True):
    """One kind of figure: how its name is written, what it holds, and an example."""

    path: str
    text: str
    example: str
    settable: bool = True


FIGURES = (
    Figure("powers.<power>.base", "BRP base", "powers.germany.base: 150"),
    Figure("powers.<power>.brp", "BRP level", "powers.germany.brp: 60"),
    Figure("powers.<power>.faction", "alliance faction", "powers.china.faction: western allies"),
    Figure("powers.<power>.surrendered", "whether it has surrendered", "powers.britain.surrendered: true"),
    Figure(
        "powers.<power>.year_start_total",
        "the total of the last year start",
        "powers.china.year_start_total: 20",
    ),
    Figure(
        "powers.<power>.oil_for_growth",
        "whether the oil that its growth requires is used in the coming year start",
        "powers.germany.oil_for_growth: false",
    ),
    Figure("powers.<power>.<value>", "any value of one power, by its rule's name", "powers.usa.growth_rate: 12", False),
    Figure("tracks.<track>", "a tension or resistance level", "tracks.usat: 30"),
    Figure(
        "countries.<country>",
        "status, by whom, and on whose books its BRPs are",
        "countries.poland: {status: conquered, by: germany, books: {germany: 20}}",
    ),
    Figure("books.<power>.<area>", "yearly value on a power's books", "books.germany.belgium: 15"),
    Figure(
        "control",
        "who controls which places: a power, a country, or partisans",
        "control: {germany: [Brussels, K28], britain: [Cairo], partisans: [Belgrade]}",
    ),
    Figure("control.<place>", "who controls one place", "control.Brussels: germany"),
    Figure(
        "wars", "wars that are on", "wars: [{between: [germany, russia], since: Summer 1941, declared_by: germany}]"
    ),
    Figure("results.<country>", "diplomatic result in force", 'results: {norway: "0"}'),
    Figure("transports.<ocean>", "transports available", "transports: {atlantic: 4}"),
    Figure("happened", "facts of this turn or year", "happened: [{bombed: london, brp: 4, in: player turn}]"),
    Figure(
        "waits.<what>",
        "the operation that waits for a reply: `for` whom, which `replies` fit, what it `asks`, its `stage`",
        "waits.for: [germany]",
        False,
    ),
    Figure("options.<option>", "edition, scope and what the prequel games left", "options.scope: europe"),
    Figure(
        "units.<nation>.<place>.<unit>",
        "units of a nation at a place, or `unbuilt`; without place and unit all that stand on the boards",
        "units.belgium.Brussels.infantry 1-3: 2",
    ),
    *(Figure(*line) for line in FORCE_FIGURES),
    Figure("readings.<ruling>", "the reading of an open point that is used", "readings.R-0002: b"),
)


def read(s: State, path: str) -> Any:
    """The value of a figure now."""
    head, *rest = path.split(".")
    reader = _READERS.get(head)
    if reader is None:
        raise unknown("figure", path, [figure.path for figure in FIGURES])
    return reader(s, rest)


def _read_power(s: State, rest: list[str]) -> Any:
    if len(rest) != 2:
        raise WarCabinetError(f"write powers.<power>.<figure>, not powers.{'.'.join(rest)}")
    power, figure = power_named(rest[0]).power, rest[1]
    if figure in ("base", "brp"):
        return balance(s.books, Base(power) if figure == "base" else Brp(power))
    if figure in ("faction", "surrendered"):
        return getattr(s.powers[power], figure)
    rule = RULES.values().get(figure)
    if rule is None or rule.parameters != ("power",):
        fitting = [name for name, value in RULES.values().items() if value.parameters == ("power",)]
        raise unknown("figure of a power", figure, ["base", "brp", "faction", "surrendered", *fitting])
    return rule(s, power)


def _read_country(s: State, rest: list[str]) -> Any:
    name = country_in(rest)
    standing = s.countries[name]
    if len(rest) == 1:
        accounts = {power: balance(s.books, Annual(power, name)) for power in powers()}
        books = {power: brp for power, brp in accounts.items() if brp}
        return {"status": standing.status, "by": standing.by, "books": books}
    if rest[1] in ("status", "by", "clause", "reason"):
        return getattr(standing, rest[1])
    if rest[1] == "since":
        return calendar.turn_name(standing.since)
    raise unknown("figure of a country", rest[1], ["status", "by", "since", "clause", "reason"])


def country_in(rest: list[str]) -> str:
    name = spelled(rest[0], "country") if rest else ""
    if name not in countries():
        raise no_such("country", rest[0] if rest else "", countries())
    return name


def _read_track(s: State, rest: list[str]) -> int:
    return s.tracks.get(known_among("track", rest, TRACKS), 0)


def known_among(kind: str, rest: list[str], names: Sequence[str] | dict[str, Any]) -> str:
    name = ".".join(rest)
    if name not in names:
        raise unknown(kind, name, names)
    return name


def _read_control(s: State, rest: list[str]) -> Any:
    if rest:
        return holder(s, place_key(".".join(rest)))
    held: dict[str, list[str]] = {}
    for place, by in s.control.items():
        held.setdefault(by, []).append(place)
    return held


def _read_books(s: State, rest: list[str]) -> int:
    if len(rest) != 2:
        raise WarCabinetError("write books.<power>.<area>")
    return balance(s.books, Annual(power_named(rest[0]).power, area_named(rest[1]).area))


def _read_wars(s: State, rest: list[str]) -> list[dict[str, Any]]:
    return [
        {"between": list(w.between), "since": calendar.turn_name(w.since), "declared_by": w.declared_by}
        for w in s.wars
        if w.ended is None
    ]


def _read_happened(s: State, rest: list[str]) -> list[dict[str, Any]]:
    return [{h.kind: h.key, "brp": h.amount, "in": calendar.moment_name(h.moment)} for h in s.happenings]


def _read_units(s: State, rest: list[str]) -> int:
    if len(rest) == 1:
        return sum(stack.count for stack in s.pieces.of(nation_named(rest[0])))
    return s.pieces.count(*units_named(rest))


def units_named(rest: list[str]) -> tuple[str, Where, str]:
    """Nation, place and kind of the units that a figure counts; the place may have dots in its name."""
    if len(rest) < 3:
        raise WarCabinetError("write units.<nation>.<place>.<unit>, or (to look) units.<nation>")
    nation, place, unit = rest[0], ".".join(rest[1:-1]), rest[-1]
    parse_unit(unit)
    return nation_named(nation), UNBUILT if place == "unbuilt" else At(place_key(place)), unit


def _read_waits(s: State, rest: list[str]) -> Any:
    """What the game waits for; nothing where no operation is open."""
    what = known_among("figure of an operation", rest, ("for", "replies", "asks", "stage"))
    if s.waiting is None:
        return [] if what in ("for", "replies") else ""
    if what == "stage":
        return s.waiting.about.stage
    found = {"for": s.waiting.waits_for, "replies": s.waiting.replies}.get(what)
    return s.waiting.asks if found is None else list(found)


_READERS: dict[str, Callable[[State, list[str]], Any]] = {
    "units": _read_units,
    "powers": _read_power,
    "countries": _read_country,
    "tracks": _read_track,
    "control": _read_control,
    "books": _read_books,
    "wars": _read_wars,
    "happened": _read_happened,
    "results": lambda s, rest: s.results.get(known_among("country", rest, countries()), ""),
    "transports": lambda s, rest: s.transports.get(known_among("ocean", rest, OCEANS), 0),
    "options": lambda s, rest: getattr(s.options, known_among("option", rest, Options.__struct_fields__)),
    "waits": _read_waits,
    "readings": lambda s, rest: s.readings.get(".".join(rest), ""),
    **FORCE_READERS,
}
