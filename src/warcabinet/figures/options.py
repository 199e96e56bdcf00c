"""Figures that are settled before the first turn: options, and the readings of open points."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import msgspec

from warcabinet.figures.amounts import count_of
from warcabinet.figures.figure import Figure
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model import calendar
from warcabinet.model.communist_china import listed_hexes, regions
from warcabinet.model.counters import own_counters
from warcabinet.model.events import Event, OptionsChanged, ReadingChosen, UnitsMoved
from warcabinet.model.names import OTHER_NATIONS, countries, power_named, powers
from warcabinet.model.pieces import BUILT, OUT_OF_PLAY, At, Where
from warcabinet.model.rulings import chosen_with, selectable_reading
from warcabinet.model.state import Options, State


def _set_option(s: State, option: str, to: Any) -> list[Event]:
    options = options_from({**msgspec.to_builtins(s.options), option: to})
    check_start(options, s.turn)
    return [OptionsChanged(options), *_counters_change(s, options)]


def off_the_boards(s: State, to: Where = BUILT) -> list[Event]:
    """Every unit stands on the players' own map and is only counted, or is as little in play as before."""
    return [UnitsMoved(it.nation, it.unit, it.count, At(it.place), to, "counted") for it in s.pieces.stacks()]


def _counters_change(s: State, options: Options) -> list[Event]:
    """Counters leave the boards, and are only counted, where a table goes on with the books alone (WC.29); for a whole
    table what was counted is laid out anew, from the trays."""
    if s.options.counted == options.counted:
        return []
    if options.counted:
        return off_the_boards(s)
    nations = (*powers(), *countries(), *OTHER_NATIONS)
    held = ((nation, unit, count) for nation in nations for unit, count in s.pieces.off(nation, BUILT).items())
    return [
        UnitsMoved(nation, unit, count, BUILT, OUT_OF_PLAY, "laid out anew") for nation, unit, count in held if count
    ]


def options_from(raw: dict[str, Any]) -> Options:
    """Options as they were written, each of its kind; what the prequel games left is counted from zero up, by power."""
    for field in msgspec.structs.fields(Options):
        given = raw.get(field.name)
        kind = get_args(field.type)[0]  # what stands in Annotated[kind, description]
        if get_origin(kind) is Literal and given is not None and given not in get_args(kind):
            raise unknown(f"option {field.name}", given, get_args(kind))
        if kind is str and isinstance(given, dict):
            # `Shensi: Yenan` was meant as text, though YAML reads a mapping.
            raw = {**raw, field.name: "; ".join(f"{key}: {value}" for key, value in given.items())}
    for name, given in raw.items():
        for power, count in given.items() if isinstance(given, dict) else ():
            power_named(power)
            count_of(f"options.{name}.{power}", count)
        if isinstance(given, int):
            count_of(f"options.{name}", int(given))
    own_counters(str(raw.get("counter_list", "")))
    regions(str(raw.get("communist_regions", "")))
    listed_hexes(str(raw.get("communist_hexes", "")))
    try:
        return msgspec.convert(raw, Options)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"options: {error}; known are {', '.join(Options.__struct_fields__)}") from None


#: The first year start with growth is that of 1936 (35.31A): no game begins before the year that leads to it (R-2960).
EARLIEST_START = calendar.parse_turn("Spring 1935")


def check_start(options: Options, turn: int) -> None:
    """No game stands before its own start (a year start that opens it is held at the end of the turn before)."""
    start = calendar.parse_turn(options.start)
    if options.edition == "prequel" and start < EARLIEST_START:
        earliest = calendar.turn_name(EARLIEST_START)
        raise WarCabinetError(f"{options.start}: no game that follows the prequel starts before {earliest} (R-2960)")
    opening = calendar.season(start) == calendar.SPRING and turn == start - 1
    if turn < start and not opening:
        now = calendar.turn_name(turn)
        raise WarCabinetError(
            f"{now} is before the start of the game, {options.start}; say another with options: {{start: {now}}}"
        )


def _set_reading(s: State, ruling: str, to: Any) -> list[Event]:
    chosen = chosen_with(ruling, selectable_reading(ruling, str(to)))
    return [ReadingChosen(id, letter) for id, letter in chosen.items()]


ROWS = (
    Figure(
        "options.<option>",
        "edition, scope and what the prequel games left",
        "options.scope: europe",
        lambda s, option: getattr(s.options, option),
        _set_option,
        whole=True,
    ),
    Figure(
        "readings.<ruling>",
        "the reading of an open point that is used",
        "readings.R-0002: b",
        lambda s, ruling: s.readings.get(ruling, ""),
        _set_reading,
    ),
)
