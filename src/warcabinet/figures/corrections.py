"""Setting figures: the facts that bring one to a value, for a position and for a referee's correction alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import replace

from warcabinet.figures.forces import FORCE_WRITERS
from warcabinet.figures.table import FIGURES, OCEANS, country_in, known_among, units_named
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES, Determination
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Base, Brp
from warcabinet.model.amounts import count_of, integer, set_balance, set_units
from warcabinet.model.apply import apply
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
    UnitsMoved,
    WarBegan,
    WarEnded,
)
from warcabinet.model.happenings import happening_key
from warcabinet.model.ledger import balance
from warcabinet.model.names import (
    TRACKS,
    StatusName,
    area_named,
    areas,
    conquest_value,
    countries,
    no_such,
    power_named,
    powers,
    spelled,
)
from warcabinet.model.places import PARTISANS, area_holder, areas_decided_by, place_key, place_keys
from warcabinet.model.rulings import chosen_with, ruling_named
from warcabinet.model.state import Happening, Options, State

HOLDING = ("conquered", "colony", "associated", "allied", "controlled")
ALONE = ("neutral", "independent")
# Tensions start from nothing; effective levels (by the die) and resistance levels may lie below zero.
NEVER_NEGATIVE = ("usat", "usjt", "rgt")


def correction(s: State, path: str, to: Any) -> list[Event]:
    """The facts that bring a figure to a value, whatever it was."""
    facts: list[Event] = []
    figures = list(spread(path, to))
    for one, value in figures:
        head, *rest = one.split(".")
        writer = _WRITERS.get(head)
        if writer is None:
            raise unknown("figure", path, [figure.path for figure in FIGURES])
        made = writer(s, rest, value)
        facts += made
        if len(figures) > 1:
            for fact in made:
                s = apply(s, fact)
    return facts


# How many names follow the first word of a figure that may be written as a mapping of several.
_NAMES_AFTER = {
    "powers": 2,
    "countries": 1,
    "books": 2,
    "tracks": 1,
    "results": 1,
    "transports": 1,
    "options": 1,
    "readings": 1,
    "pool": 2,
    "units": 3,
    "at": 3,
    "oil": 1,
    "shipbuilding": 2,
}


def spread(path: str, to: Any) -> Iterator[tuple[str, Any]]:
    """A figure, or the figures of a mapping: `tracks: {usat: 3}` is `tracks.usat: 3`."""
    head, *rest = path.split(".")
    if isinstance(to, dict) and len(rest) < _NAMES_AFTER.get(head, 0):
        for name, value in to.items():
            yield from spread(f"{path}.{name}", value)
    else:
        yield path, to


def with_memo(facts: list[Event], memo: str) -> list[Event]:
    """The same facts, their entries saying why they were made."""
    return [_said(fact, memo) for fact in facts]


def _said(fact: Event, memo: str) -> Event:
    if isinstance(fact, EntryPosted):
        return EntryPosted(replace(fact.entry, memo=memo))
    return replace(fact, memo=memo) if isinstance(fact, UnitsMoved) else fact


def _write_power(s: State, rest: list[str], to: Any) -> list[Event]:
    if len(rest) != 2:
        raise WarCabinetError("write powers.<power>.<figure>")
    power, figure = power_named(rest[0]).power, rest[1]
    if figure == "base":
        return set_balance(s, Base(power), count_of(f"powers.{power}.base", to))
    if figure == "brp":
        return set_balance(s, Brp(power), integer(f"powers.{power}.brp", to))
    if figure == "faction":
        known = sorted({p.faction for p in powers().values()})
        return [PowerChanged(power, faction=known_among("faction", [str(to)], known))]
    if figure == "surrendered":
        return [PowerChanged(power, surrendered=_convert(to, bool, f"powers.{power}.surrendered"))]
    if figure == "year_start_total":
        fixed = Determination(integer(figure, to), "35.51", "set", "year")
        return [Determined(figure, (power,), fixed)]
    if figure == "oil_for_growth":
        used = Determination(_convert(to, bool, f"powers.{power}.{figure}"), "35.31", "set", "year")
        return [Determined(figure, (power,), used)]
    if figure in RULES.values():
        raise WarCabinetError(
            f"{figure} is computed, not set; let the referee rule on it ({{{figure}: [{power}], is: ...}})"
        )
    raise unknown("figure of a power", figure, ["base", "brp", "faction", "surrendered"])


def _write_country(s: State, rest: list[str], to: Any) -> list[Event]:
    name = country_in(rest)
    if len(rest) == 2 and rest[1] in ("status", "by"):
        to = {"status": s.countries[name].status, "by": s.countries[name].by, rest[1]: to}
    if isinstance(to, dict) and "status" in to:
        known_among("status of a country", [str(to["status"])], get_args(StatusName))
    given = _convert(to, _CountryLine, f"countries.{name}")
    status, by = given.status, power_named(given.by).power if given.by else ""
    _check_standing(name, given)
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


def _check_standing(name: str, given: _CountryLine) -> None:
    """A country stands with or under somebody exactly where its status says so, and nobody has less than nothing."""
    if given.status in ALONE and given.by:
        raise WarCabinetError(
            f"countries.{name}: a country that is {given.status} stands with no power; leave out `by`"
        )
    if given.status not in ALONE and not given.by:
        example = f"countries.{name}: {{status: {given.status}, by: germany}}"
        raise WarCabinetError(f"countries.{name}: say by (or with) which power it is {given.status}, such as {example}")
    if given.status == "commonwealth" and areas()[name].kind != "commonwealth":
        raise WarCabinetError(f"countries.{name}: it is no country of the Commonwealth")
    for power, brp in (given.books or {}).items():
        count_of(f"countries.{name}.books.{power}", brp)


def _set_books(s: State, area: str, wanted: dict[str, int]) -> list[Event]:
    named = {power_named(power).power: brp for power, brp in wanted.items()}
    return [fact for power in powers() for fact in set_balance(s, Annual(power, area), named.get(power, 0))]


def _write_control(s: State, rest: list[str], to: Any) -> list[Event]:
    held = _convert({to: [".".join(rest)]} if rest else to, dict[str, list[str]], "control")
    facts: list[Event] = []
    for by, places in held.items():
        keys = place_keys(places)
        facts.append(ControlChanged(keys, holder_named(by)))
        facts += _key_area_books(s, keys, holder_named(by))
    return facts


def holder_named(name: str) -> str:
    """Who may hold places: a power, a country, partisans, or (an empty name) whoever does by default."""
    found = spelled(name, "belligerent")
    if found and found != PARTISANS and found not in powers() and found not in countries():
        raise unknown("power or country", name, [*powers(), *countries(), PARTISANS])
    return found


def _key_area_books(s: State, keys: tuple[str, ...], by: str) -> list[Event]:
    """Key areas and industrial centers are on the books of whoever is set to hold them."""
    after = apply(s, ControlChanged(keys, by))
    facts: list[Event] = []
    for name in sorted({name for key in keys for name in areas_decided_by(key)}):
        area = areas()[name]
        stands = area.kind == "key area" or (area.kind == "ic" and (area.owner or _on_any_books(s, name)))
        if stands and (area_holder(after, name) in powers() or area_holder(after, name) == PARTISANS):
            facts += _set_books(s, name, _books_when_held(s, name, area_holder(after, name)))
    return facts


def _on_any_books(s: State, area: str) -> bool:
    return any(balance(s.books, Annual(power, area)) for power in powers())


def _books_when_held(s: State, name: str, by: str) -> dict[str, int]:
    area = areas()[name]
    if by == PARTISANS:
        return {area.owner: -area.brp} if area.kind == "key area" else {}
    if area.kind == "ic":
        return {by: area.brp}
    if s.powers[by].faction == s.powers[area.owner].faction:
        return {}
    return {area.owner: -area.brp, by: conquest_value(name)}


def _write_books(s: State, rest: list[str], to: Any) -> list[Event]:
    if len(rest) != 2:
        raise WarCabinetError("write books.<power>.<area>")
    power, area = power_named(rest[0]).power, area_named(rest[1])
    value = integer(f"books.{power}.{area.area}", to)
    lost = -area.brp if area.kind == "key area" and area.owner == power else 0
    if value < lost:
        raise WarCabinetError(f"books.{power}.{area.area} is at least {lost}, not {value}")
    return set_balance(s, Annual(power, area.area), value)


class _WarLine(msgspec.Struct, forbid_unknown_fields=True):
    between: tuple[str, str]
    since: str = ""
    declared_by: str = ""


def belligerent(name: str) -> str:
    found = spelled(name, "belligerent")
    if found not in powers() and found not in countries():
        raise no_such("power or country", name, [*powers(), *countries()])
    return found


def _write_wars(s: State, rest: list[str], to: Any) -> list[Event]:
    begun: dict[frozenset[str], WarBegan] = {}
    for line in _convert(to, list[_WarLine], "wars"):
        one, other = map(belligerent, line.between)
        # A scenario that may begin in any turn has its wars from the start of the game.
        text = s.options.start if line.since == "start" else line.since
        since = calendar.parse_turn(text) if text else None
        declared_by = belligerent(line.declared_by) if line.declared_by else ""
        _check_war(s, (one, other), declared_by, since)
        if frozenset((one, other)) in begun:
            raise WarCabinetError(f"wars: {one} and {other} stand there twice")
        begun[frozenset((one, other))] = WarBegan((one, other), declared_by, since)
    return _changed_wars(s, begun)


def _changed_wars(s: State, begun: dict[frozenset[str], WarBegan]) -> list[Event]:
    """What makes the wars those that are wanted; one that is on as it should be is left alone."""
    ended: list[Event] = []
    for war in s.wars:
        if war.ended is None:
            wanted = begun.get(frozenset(war.between))
            since = war.since if wanted is None or wanted.since is None else wanted.since
            if wanted is not None and (since, wanted.declared_by) == (war.since, war.declared_by):
                del begun[frozenset(war.between)]
            else:
                ended.append(WarEnded(war.between, never=True))
    return [*ended, *begun.values()]


def _check_war(s: State, between: tuple[str, str], declared_by: str, since: int | None) -> None:
    one, other = between
    if one == other:
        raise WarCabinetError(f"wars: {one} cannot be at war with itself")
    if declared_by and declared_by not in between:
        raise WarCabinetError(f"wars: declared by {declared_by}, who is neither {one} nor {other}")
    if since is not None and since > max(s.turn, calendar.parse_turn(s.options.start)):
        then, now = calendar.turn_name(since), calendar.turn_name(s.turn)
        raise WarCabinetError(f"wars: {one} and {other} since {then}, but it is {now}")


def _convert(to: Any, kind: Any, name: str) -> Any:
    try:
        return msgspec.convert(to, kind)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"{name}: {error}") from None


def _write_happened(s: State, rest: list[str], to: Any) -> list[Event]:
    facts: list[Event] = []
    for line in _convert(to, list[dict[str, Any]], "happened"):
        kinds = [key for key in line if key not in ("brp", "count", "in")]
        if len(kinds) != 1 or ("brp" in line and "count" in line):
            raise WarCabinetError("a happening is written {<what>: <to whom>, brp: ..., in: player turn}")
        kind = kinds[0]
        window = _window(s, _convert(line.get("in", "player turn"), str, "in"))
        amount = count_of(f"happened: {kind}", line.get("brp", line.get("count", 0)))
        facts.append(Happened(Happening(window, kind, happening_key(kind, line[kind]), amount)))
    return facts


def _window(s: State, text: str) -> int:
    for frame in s.frames:
        if frame.kind == text.removeprefix("this ").replace("game turn", "turn"):
            return frame.since
    when = calendar.parse_moment(text)
    if when > s.moment:
        raise WarCabinetError(f"happened in: {calendar.moment_name(when)} is still to come")
    return when


def _write_options(s: State, rest: list[str], to: Any) -> list[Event]:
    name = known_among("option", rest, Options.__struct_fields__)
    options = options_from({**msgspec.to_builtins(s.options), name: to})
    check_start(options, s.turn)
    return [OptionsChanged(options)]


def options_from(raw: dict[str, Any]) -> Options:
    """Options as they were written, each of its kind; what the prequel games left is counted from zero up, by power."""
    for field in msgspec.structs.fields(Options):
        given = raw.get(field.name)
        kind = get_args(field.type)[0]  # what stands in Annotated[kind, description]
        if get_origin(kind) is Literal and given is not None:
            known_among(f"option {field.name}", [str(given)], get_args(kind))
    for name, given in raw.items():
        for power, count in given.items() if isinstance(given, dict) else ():
            power_named(power)
            count_of(f"options.{name}.{power}", count)
        if isinstance(given, int):
            count_of(f"options.{name}", int(given))
    try:
        return msgspec.convert(raw, Options)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"options: {error}; known are {', '.join(Options.__struct_fields__)}") from None


def check_start(options: Options, turn: int) -> None:
    """No game stands before its own start (a year start that opens it is held at the end of the turn before)."""
    start = calendar.parse_turn(options.start)
    opening = calendar.season(start) == calendar.SPRING and turn == start - 1
    if turn < start and not opening:
        now = calendar.turn_name(turn)
        raise WarCabinetError(
            f"{now} is before the start of the game, {options.start}; say another with options: {{start: {now}}}"
        )


def _write_track(s: State, rest: list[str], to: Any) -> list[Event]:
    name = known_among("track", rest, TRACKS)
    level = count_of(f"tracks.{name}", to) if name in NEVER_NEGATIVE else integer(f"tracks.{name}", to)
    return [TrackMoved(name, level)]


def _write_transports(s: State, rest: list[str], to: Any) -> list[Event]:
    ocean = known_among("ocean", rest, OCEANS)
    return [TransportsCounted(ocean, count_of(f"transports.{ocean}", to))]


# As the diplomatic tables print them: -3 to 10, some in bands.
RESULTS = ("", *map(str, range(-3, 11)), "1-2", "3-4", "5-6")


def _write_result(s: State, rest: list[str], to: Any) -> list[Event]:
    country = known_among("country", rest, countries())
    return [ResultInForce(country, known_among("diplomatic result", [str(to)], RESULTS))]


def _write_units(s: State, rest: list[str], to: Any) -> list[Event]:
    return set_units(s, *units_named(rest), count_of(f"units.{'.'.join(rest)}", to))


def _write_reading(s: State, rest: list[str], to: Any) -> list[Event]:
    ruling = ruling_named(".".join(rest))
    letter = known_among("selectable reading", [str(to)], ruling.selectable)
    return [ReadingChosen(id, chosen) for id, chosen in chosen_with(ruling.id, letter).items()]


_WRITERS: dict[str, Callable[[State, list[str], Any], list[Event]]] = {
    "powers": _write_power,
    "countries": _write_country,
    "tracks": _write_track,
    "control": _write_control,
    "books": _write_books,
    "wars": _write_wars,
    "happened": _write_happened,
    "results": _write_result,
    "units": _write_units,
    "transports": _write_transports,
    "options": _write_options,
    "readings": _write_reading,
    **FORCE_WRITERS,
}
