"""What is wrong with a position that someone lays out, or only worth a look: each with what would be right.

An error is what the documents rule out; the table does not start with one. A note points out what is merely unusual, or
beyond a list that is itself assumed: it hinders nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from warcabinet.board.maps import board
from warcabinet.figures.written import written_place
from warcabinet.kernel.rules import RULES
from warcabinet.model.forces import unit_names
from warcabinet.model.keys import Unit
from warcabinet.model.names import areas, called, countries, powers
from warcabinet.model.pieces import UNBUILT, Stack
from warcabinet.model.places import area_holder, board_of, deciding_places, default_holders, holder
from warcabinet.model.state import State
from warcabinet.rules.economy.force_pools import RUSSIAN_LIGHT_ARMOR, counters_listed, counters_of, counters_used
from warcabinet.rules.minors.forces_of_minors import force_level
from warcabinet.web.map.enemies import leader, opposed, unreported

#: A country that stands so is held by the power it stands under.
HELD = ("conquered", "controlled")
LIGHT_ARMOR_IN_ALL = 8


class Finding(msgspec.Struct, frozen=True):
    """One thing: what it is, what would be right, by which clause, and where to look."""

    kind: Literal["error", "note"]
    text: str
    right: str
    clause: str = ""
    place: str = ""
    figure: str = ""


def findings(state: State) -> tuple[Finding, ...]:
    """All that is to be said of a position, errors first."""
    found = [
        *_met(state),
        *_out_of_place(state),
        *_standing(state),
        *_levels(state),
        *_counters(state),
        *_guests(state),
        *_strangers(state),
    ]
    return tuple(sorted(found, key=lambda it: it.kind != "error"))


def _met(state: State) -> Iterator[Finding]:
    """Ground units of enemies in one hex."""
    for key, stacks in _by_place(state).items():
        nations = sorted({it.nation for it in stacks if it.branch == "ground"})
        pair = next(((a, b) for a in nations for b in nations if a < b and opposed(state, a, b)), None)
        if pair and board_of(key) != "box":
            one, other = map(called, pair)
            yield Finding(
                "error",
                f"{_where(key)}: ground units of {one} and {other} in one hex; they are at war",
                f"move or take off one side, or end the war between {one} and {other}",
                place=key,
            )


def _out_of_place(state: State) -> Iterator[Finding]:
    """Ground units at sea, ships on dry land."""
    for key, stacks in _by_place(state).items():
        if board_of(key) == "box":
            continue
        here = board(board_of(key))[key.partition("/")[2]]
        for it in stacks:
            if it.branch in ("ground", "partisan") and not here.is_land:
                text = f"{_where(key)}: {it.count} {called(it.nation)} {it.unit} at sea"
                yield Finding("error", text, "put them on land, or in a box", place=key)
            elif it.branch == "naval" and here.kind == "land":
                text = f"{_where(key)}: {it.count} {called(it.nation)} {it.unit} inland"
                # Rivers lead to some ports: the board does not say which, so it is only pointed out.
                yield Finding("note", text, "put them in a port, if this is none", place=key)


def _standing(state: State) -> Iterator[Finding]:
    """Countries whose capital is not held by whom their status says."""
    for country, standing in state.countries.items():
        if not areas()[country].places:
            continue
        by = area_holder(state, country)
        told = called(country)
        if standing.status in HELD and by and not _together(state, by, standing.by):
            text = (
                f"{_capital(country)}: {called(by)} holds it, yet {told} is {standing.status} by {called(standing.by)}"
            )
            right = f"give it to {called(standing.by)}, or say how {told} stands now"
        elif (
            standing.status == "neutral" and by in powers() and by != default_holders().get(deciding_places(country)[0])
        ):
            text = f"{_capital(country)}: {called(by)} holds it, yet {told} is neutral"
            right = f"give it back, or say that {told} is conquered by {called(by)}"
        else:
            continue
        place = next((key for key in deciding_places(country) if not key.startswith("box/")), "")
        yield Finding("error", text, right, "83.11", place, f"countries.{country}")


def _together(state: State, by: str, other: str) -> bool:
    """Whether two hold for the same side."""
    one, two = leader(state, by) or by, leader(state, other) or other
    if one not in powers() or two not in powers():
        return one == two
    return state.powers[one].faction == state.powers[two].faction


def _levels(state: State) -> Iterator[Finding]:
    deficit, may = RULES.values()["deficit_limit"], RULES.values()["may_deficit_spend"]
    level = RULES.values()["level"]
    for power in powers():
        now = int(level(state, power))
        room = int(deficit(state, power)) if may(state, power) else 0
        if now < -room:
            text = f"{called(power)}: level {now}, but its deficit goes to {room}"
            yield Finding("error", text, f"at least {-room}", deficit.clause, figure=f"powers.{power}.brp")


def _counters(state: State) -> Iterator[Finding]:
    """More counters than the lists have: an error where a clause counts them, else pointed out."""
    for power in powers():
        for unit in sorted({*counters_of(state, power), *_in_play(state, power)}):
            used, listed = counters_used(state, power, unit), counters_listed(state, power, unit)
            if power == "russia" and unit == RUSSIAN_LIGHT_ARMOR and used > LIGHT_ARMOR_IN_ALL:
                text = f"Russia: {used} {unit}, there are eight"
                yield Finding("error", text, "eight at most", "36.32C(7)", _first(state, power, unit))
            elif used > listed:
                text = f"{called(power)}: {used} {unit}, the list has {listed or 'none'}"
                whose = "the table's own list" if state.options.counter_list else "the list is assumed"
                yield Finding("note", text, f"{whose}: leave it if it is meant", "WC.28", _first(state, power, unit))
    for nation in countries():
        for unit in unit_names(nation):
            there = sum(it.count for it in state.pieces.of_kind(nation, unit)) + state.pieces.count(
                nation, UNBUILT, unit
            )
            most = int(force_level(state, nation, unit))
            if there > most:
                text = f"{called(nation)}: {there} {unit}, by now it has {most}"
                yield Finding("note", text, "take off what is too many", "82.61", _first(state, nation, unit))


def _guests(state: State) -> Iterator[Finding]:
    """Places that an enemy holds though only other units stand there: mostly control that was forgotten."""
    for it in unreported(state):
        text = f"{_where(it.place)}: {called(it.holder)} holds it, but only units of {called(it.taker)} stand there"
        yield Finding("note", text, f"paint it for {called(it.taker)}", place=it.place)


def _strangers(state: State) -> Iterator[Finding]:
    """Ground units on the land of a power that is neither on their side nor at war with them."""
    told: set[tuple[str, str]] = set()
    for key, stacks in _by_place(state).items():
        by = "" if board_of(key) == "box" else holder(state, key)
        host = leader(state, by) or by
        for it in stacks:
            guest = leader(state, it.nation)
            if it.branch != "ground" or host not in powers() or guest not in powers() or (guest, host) in told:
                continue
            if (
                not _together(state, guest, host)
                and not opposed(state, it.nation, by)
                and not opposed(state, guest, host)
            ):
                told.add((guest, host))
                text = (
                    f"{_where(key)}: {called(it.nation)} stands on land of {called(host)}, with whom it is not at war"
                )
                right = f"paint it for {called(guest)}, or add the war between {called(guest)} and {called(host)}"
                yield Finding("note", text, right, place=key, figure="wars")


def _by_place(state: State) -> dict[str, list[Stack]]:
    found: dict[str, list[Stack]] = {}
    for it in state.pieces.stacks():
        found.setdefault(it.place, []).append(it)
    return dict(sorted(found.items()))


def _in_play(state: State, power: str) -> set[Unit]:
    return {it.unit for it in state.pieces.of(power)}


def _first(state: State, nation: str, unit: Unit) -> str:
    """A place at which to look for units of a kind."""
    return next((it.place for it in state.pieces.of_kind(nation, unit)), "")


def _capital(country: str) -> str:
    return _where(deciding_places(country)[0])


def _where(key: str) -> str:
    name = written_place(key)
    return name if name == key else f"{name}, {key.partition('/')[2]}"
