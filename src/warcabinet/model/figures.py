"""The public figures of a game by name: one table that serves positions, corrections, expectations and documents.

A figure is read from the state or computed by a rule of that name. What is read can be set: `correction` gives
the facts that bring it to a value. What a rule computes is never set; the referee rules on it instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.ledger import balance, entry
from warcabinet.kernel.rules import RULES, Determination
from warcabinet.model import calendar
from warcabinet.model.events import (
    ControlChanged,
    Determined,
    EntryPosted,
    Event,
    Happened,
    OptionsChanged,
    PowerChanged,
    ReadingChosen,
    ResultInForce,
    StatusChanged,
    TrackMoved,
    TransportsCounted,
    WarBegan,
    WarEnded,
)
from warcabinet.model.force_figures import FORCE_FIGURES, FORCE_READERS, FORCE_WRITERS
from warcabinet.model.forces import parse_unit, stacks
from warcabinet.model.names import (
    TRACKS,
    area_named,
    areas,
    conquest_value,
    countries,
    nation_named,
    no_such,
    power_named,
    powers,
)
from warcabinet.model.places import area_holder, areas_decided_by, holder, place_key
from warcabinet.model.rulings import ruling_named
from warcabinet.model.state import Happening, Options, State, StatusName

OCEANS = ("atlantic", "pacific", "indian_ocean")
HOLDING = ("conquered", "colony", "associated", "allied", "controlled")


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
    Figure("powers.<power>.<value>", "any value of one power, by its rule's name", "powers.usa.growth_rate: 12", False),
    Figure("tracks.<track>", "a tension or resistance level", "tracks.usat: 30"),
    Figure(
        "countries.<country>",
        "status, by whom, and on whose books its BRPs are",
        "countries.poland: {status: conquered, by: germany, books: {germany: 20}}",
    ),
    Figure("books.<power>.<area>", "yearly value on a power's books", "books.germany.belgium: 15"),
    Figure("control", "who controls which places", "control: {germany: [Brussels, K28], britain: [Cairo]}"),
    Figure("control.<place>", "who controls one place", "control.Brussels: germany"),
    Figure(
        "wars", "wars that are on", "wars: [{between: [germany, russia], since: Summer 1941, declared_by: germany}]"
    ),
    Figure("results.<country>", "diplomatic result in force", 'results: {norway: "0"}'),
    Figure("transports.<ocean>", "transports available", "transports: {atlantic: 4}"),
    Figure("happened", "facts of this turn or year", "happened: [{bombed: london, brp: 4, in: player turn}]"),
    Figure("options.<option>", "edition, scope and what the prequel games left", "options.scope: europe"),
    Figure(
        "units.<nation>.<place>.<unit>",
        "units of a nation at a place, or `unbuilt`; without place and unit all that stand on the boards",
        "units.belgium.Brussels.infantry 1-3: 2",
        False,
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
    power, figure = rest
    power_named(power)
    if figure in ("base", "brp"):
        return balance(s.books, f"{figure}/{power}")
    if figure in ("faction", "surrendered"):
        return getattr(s.powers[power], figure)
    rule = RULES.values().get(figure)
    if rule is None or rule.parameters != ("power",):
        fitting = [name for name, value in RULES.values().items() if value.parameters == ("power",)]
        raise unknown("figure of a power", figure, ["base", "brp", "faction", "surrendered", *fitting])
    return rule(s, power)


def _read_country(s: State, rest: list[str]) -> Any:
    name = rest[0] if rest else ""
    if name not in countries():
        raise no_such("country", name, countries())
    standing = s.countries[name]
    if len(rest) == 1:
        return {"status": standing.status, "by": standing.by}
    if rest[1] in ("status", "by", "clause", "reason"):
        return getattr(standing, rest[1])
    if rest[1] == "since":
        return calendar.turn_name(standing.since)
    raise unknown("figure of a country", rest[1], ["status", "by", "since", "clause", "reason"])


def _read_track(s: State, rest: list[str]) -> int:
    return s.tracks.get(_known("track", rest, TRACKS), 0)


def _known(kind: str, rest: list[str], names: Sequence[str] | dict[str, Any]) -> str:
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
    return balance(s.books, f"annual/{power_named(rest[0]).power}/{area_named(rest[1]).area}")


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
        return sum(stack.count for stack in stacks(s) if stack.nation == nation_named(rest[0]))
    if len(rest) != 3:
        raise WarCabinetError("write units.<nation>.<place>.<unit>, or units.<nation>")
    nation, place, unit = rest
    parse_unit(unit)
    where = "unbuilt" if place == "unbuilt" else f"at/{place_key(place)}"
    return balance(s.books, f"piece/{nation_named(nation)}/{where}/{unit}")


_READERS: dict[str, Callable[[State, list[str]], Any]] = {
    "units": _read_units,
    "powers": _read_power,
    "countries": _read_country,
    "tracks": _read_track,
    "control": _read_control,
    "books": _read_books,
    "wars": _read_wars,
    "happened": _read_happened,
    "results": lambda s, rest: s.results.get(_known("country", rest, countries()), ""),
    "transports": lambda s, rest: s.transports.get(_known("ocean", rest, OCEANS), 0),
    "options": lambda s, rest: getattr(s.options, _known("option", rest, Options.__struct_fields__)),
    "readings": lambda s, rest: s.readings.get(".".join(rest), ""),
    **FORCE_READERS,
}


def correction(s: State, path: str, to: Any) -> list[Event]:
    """The facts that bring a figure to a value, whatever it was."""
    head, *rest = path.split(".")
    if not rest and isinstance(to, dict) and head in ("results", "transports", "tracks", "readings", "options"):
        return [fact for name, value in to.items() for fact in correction(s, f"{head}.{name}", value)]
    writer = _WRITERS.get(head)
    if writer is None:
        raise unknown("figure", path, [figure.path for figure in FIGURES])
    return writer(s, rest, to)


def with_memo(facts: list[Event], memo: str) -> list[Event]:
    """The same facts, their entries saying why they were made."""
    return [EntryPosted(replace(f.entry, memo=memo)) if isinstance(f, EntryPosted) else f for f in facts]


def _integer(path: str, to: Any) -> int:
    if isinstance(to, bool) or not isinstance(to, int):
        raise WarCabinetError(f"{path} is a whole number, not {to!r}")
    return to


def _set_balance(s: State, account: str, to: int) -> list[Event]:
    change = to - balance(s.books, account)
    if not change:
        return []
    unit = account.partition("/")[0]
    return [EntryPosted(entry("set", (account, change), (f"{unit}/world", -change)))]


def _write_power(s: State, rest: list[str], to: Any) -> list[Event]:
    if len(rest) != 2:
        raise WarCabinetError("write powers.<power>.<figure>")
    power, figure = power_named(rest[0]).power, rest[1]
    if figure in ("base", "brp"):
        return _set_balance(s, f"{figure}/{power}", _integer(figure, to))
    if figure == "faction":
        known = sorted({p.faction for p in powers().values()})
        return [PowerChanged(power, faction=_known("faction", [str(to)], known))]
    if figure == "surrendered":
        return [PowerChanged(power, surrendered=_convert(to, bool, f"powers.{power}.surrendered"))]
    if figure == "year_start_total":
        fixed = Determination(_integer(figure, to), "35.51", "set", "year")
        return [Determined(figure, (power,), fixed)]
    if figure in RULES.values():
        raise WarCabinetError(
            f"{figure} is computed, not set; let the referee rule on it ({{{figure}: [{power}], is: ...}})"
        )
    raise unknown("figure of a power", figure, ["base", "brp", "faction", "surrendered"])


def _write_country(s: State, rest: list[str], to: Any) -> list[Event]:
    if not rest or rest[0] not in countries():
        raise no_such("country", ".".join(rest), countries())
    name = rest[0]
    if len(rest) == 2 and rest[1] in ("status", "by"):
        to = {"status": s.countries[name].status, "by": s.countries[name].by, rest[1]: to}
    given = _convert(to, _CountryLine, f"countries.{name}")
    status, by = given.status, power_named(given.by).power if given.by else ""
    facts: list[Event] = [StatusChanged(name, status, by, "WC.5", "set")]
    keys = tuple(place_key(place) for place in areas()[name].places)
    if keys and (status in HOLDING or status == "neutral"):
        facts.append(ControlChanged(keys, by if status in HOLDING else ""))
    wanted = given.books
    if wanted is None:
        wanted = {by: areas()[name].brp} if by and status in HOLDING else {}
    return facts + _set_books(s, name, wanted)


class _CountryLine(msgspec.Struct, forbid_unknown_fields=True):
    status: StatusName
    by: str = ""
    books: dict[str, int] | None = None


def _set_books(s: State, area: str, wanted: dict[str, int]) -> list[Event]:
    for power in wanted:
        power_named(power)
    return [fact for power in powers() for fact in _set_balance(s, f"annual/{power}/{area}", wanted.get(power, 0))]


def _write_control(s: State, rest: list[str], to: Any) -> list[Event]:
    held = _convert({to: [".".join(rest)]} if rest else to, dict[str, list[str]], "control")
    facts: list[Event] = []
    for by, places in held.items():
        keys = tuple(place_key(place) for place in places)
        facts.append(ControlChanged(keys, power_named(by).power if by else ""))
        facts += _key_area_books(s, keys, by)
    return facts


def _key_area_books(s: State, keys: tuple[str, ...], by: str) -> list[Event]:
    """Key areas and industrial centers are on the books of whoever is set to hold them."""
    from warcabinet.model.apply import apply

    after = apply(s, ControlChanged(keys, by))
    facts: list[Event] = []
    for name in sorted({name for key in keys for name in areas_decided_by(key)}):
        area = areas()[name]
        stands = area.kind == "key area" or (area.kind == "ic" and (area.owner or _on_any_books(s, name)))
        if stands and area_holder(after, name):
            facts += _set_books(s, name, _books_when_held(s, name, area_holder(after, name)))
    return facts


def _on_any_books(s: State, area: str) -> bool:
    return any(balance(s.books, f"annual/{power}/{area}") for power in powers())


def _books_when_held(s: State, name: str, by: str) -> dict[str, int]:
    area = areas()[name]
    if area.kind == "ic":
        return {by: area.brp}
    if s.powers[by].faction == s.powers[area.owner].faction:
        return {}
    return {area.owner: -area.brp, by: conquest_value(name)}


def _write_books(s: State, rest: list[str], to: Any) -> list[Event]:
    if len(rest) != 2:
        raise WarCabinetError("write books.<power>.<area>")
    account = f"annual/{power_named(rest[0]).power}/{area_named(rest[1]).area}"
    return _set_balance(s, account, _integer("a yearly value", to))


class _WarLine(msgspec.Struct, forbid_unknown_fields=True):
    between: tuple[str, str]
    since: str = ""
    declared_by: str = ""


def belligerent(name: str) -> str:
    if name not in powers() and name not in countries():
        raise no_such("power or country", name, [*powers(), *countries()])
    return name


def _write_wars(s: State, rest: list[str], to: Any) -> list[Event]:
    facts: list[Event] = [WarEnded(war.between, never=True) for war in s.wars if war.ended is None]
    for line in _convert(to, list[_WarLine], "wars"):
        one, other = map(belligerent, line.between)
        since = calendar.parse_turn(line.since) if line.since else None
        facts.append(WarBegan((one, other), belligerent(line.declared_by) if line.declared_by else "", since))
    return facts


def _convert(to: Any, kind: Any, name: str) -> Any:
    try:
        return msgspec.convert(to, kind)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"{name}: {error}") from None


def _write_happened(s: State, rest: list[str], to: Any) -> list[Event]:
    facts: list[Event] = []
    for line in _convert(to, list[dict[str, Any]], "happened"):
        kinds = [key for key in line if key not in ("brp", "in")]
        if len(kinds) != 1:
            raise WarCabinetError("a happening is written {<what>: <to whom>, brp: ..., in: player turn}")
        about = str(line[kinds[0]])
        by_name = {area.name.casefold(): name for name, area in areas().items()}
        key = by_name.get(about.casefold(), about)
        window = _window(s, _convert(line.get("in", "player turn"), str, "in"))
        amount = _convert(line.get("brp", 0), int, "brp")
        facts.append(Happened(Happening(window, kinds[0], key, amount)))
    return facts


def _window(s: State, text: str) -> int:
    for frame in s.frames:
        if frame.kind == text:
            return frame.since
    return calendar.parse_moment(text)


def _write_options(s: State, rest: list[str], to: Any) -> list[Event]:
    name = _known("option", rest, Options.__struct_fields__)
    raw = {**msgspec.to_builtins(s.options), name: to}
    options = _convert(raw, Options, f"options.{name}")
    calendar.parse_turn(options.start)
    return [OptionsChanged(options)]


def _write_reading(s: State, rest: list[str], to: Any) -> list[Event]:
    ruling = ruling_named(".".join(rest))
    return [ReadingChosen(ruling.id, _known("selectable reading", [str(to)], ruling.selectable))]


_WRITERS: dict[str, Callable[[State, list[str], Any], list[Event]]] = {
    "powers": _write_power,
    "countries": _write_country,
    "tracks": lambda s, rest, to: [TrackMoved(_known("track", rest, TRACKS), _integer("a track", to))],
    "control": _write_control,
    "books": _write_books,
    "wars": _write_wars,
    "happened": _write_happened,
    "results": lambda s, rest, to: [ResultInForce(_known("country", rest, countries()), str(to))],
    "transports": lambda s, rest, to: [
        TransportsCounted(_known("ocean", rest, OCEANS), _integer("a number of transports", to))
    ],
    "options": _write_options,
    "readings": _write_reading,
    **FORCE_WRITERS,
}
