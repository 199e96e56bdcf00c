"""Figures of countries: their status and on whose books they are, and the diplomatic result in force."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from warcabinet.figures.amounts import converted, count_of
from warcabinet.figures.control import set_books
from warcabinet.figures.figure import Figure
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual
from warcabinet.model.events import ControlChanged, Event, ResultInForce, StatusChanged
from warcabinet.model.ledger import balance
from warcabinet.model.names import StatusName, among, areas, power_named, powers
from warcabinet.model.places import deciding_places
from warcabinet.model.state import State
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, PARTS, VICHY, conquest_places, home_hexes
from warcabinet.rules.common.books import diplomatic_share, worth

HOLDING = ("conquered", "colony", "associated", "allied", "controlled")
ALONE = ("neutral", "independent")
BY_RESULT = {"penetrated": 7, "controlled": 8}
# Countries that bring less once a part of them, or a colony, is another's.
LOSE_PARTS = (*PARTS.values(), VICHY)
LOST_PARTS = frozenset(f"countries.{it}" for it in (*PARTS, *EUROPEAN_FRENCH_COLONIES))
# As the diplomatic tables print them: -3 to 10, some in bands.
RESULTS = ("", *map(str, range(-3, 11)), "1-2", "3-4", "5-6")

_status = among("status of a country", lambda: get_args(StatusName))
_result = among("diplomatic result", lambda: RESULTS)


def _read(s: State, country: str) -> dict[str, Any]:
    standing = s.countries[country]
    books = {power: brp for power in powers() if (brp := balance(s.ledger, Annual(power, country)))}
    return {"status": standing.status, "by": standing.by, "books": books}


class _CountryLine(msgspec.Struct, forbid_unknown_fields=True):
    status: StatusName
    by: str = ""
    books: dict[str, int] | None = None


def _set(s: State, country: str, to: Any) -> list[Event]:
    """Status, control and books together: what a country that stands so usually brings, unless books are given."""
    if isinstance(to, dict) and "status" in to:
        _status(str(to["status"]))
    given = converted(f"countries.{country}", to, _CountryLine)
    status, by = given.status, power_named(given.by).power if given.by else ""
    _check_standing(country, given)
    facts: list[Event] = [StatusChanged(country, status, by, "WC.5", "set")]
    # Whoever conquered Spain took Tangier as well as Madrid (83.13).
    keys = conquest_places(country) if status in ("conquered", "neutral") else deciding_places(country)
    if status == "conquered" and areas()[country].kind == "minor":
        # With a minor country its conqueror has every hex that is nobody else's (83.22A).
        keys = (*keys, *(it for it in home_hexes(country) if it not in keys and it not in s.control))
    if keys and (status in HOLDING or status == "neutral"):
        facts.append(ControlChanged(keys, by if status in HOLDING else ""))
    wanted = given.books
    if wanted is None:
        wanted = {by: _usual_brp(s, country, status)} if by and status in (*HOLDING, *BY_RESULT) else {}
    return facts + set_books(s, country, wanted)


def _usual_brp(s: State, country: str, status: str) -> int:
    """What a country brings: a share by a result (82.21), else all, less where it has lost a part or colonies."""
    if status in BY_RESULT:
        return diplomatic_share(s, country, BY_RESULT[status])
    return worth(s, country) if country in LOSE_PARTS else areas()[country].brp


def lost_first(figure: tuple[str, Any]) -> bool:
    """An order of figures: what a country has lost, and who has surrendered, is known before books depend on it."""
    return figure[0] not in LOST_PARTS and not figure[0].endswith(".surrendered")


def _set_status(s: State, country: str, to: Any) -> list[Event]:
    return _set(s, country, {"status": to, "by": s.countries[country].by})


def _set_by(s: State, country: str, to: Any) -> list[Event]:
    return _set(s, country, {"status": s.countries[country].status, "by": to})


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


_WITH_STATUS = "it comes with the status; write countries.<country>"

ROWS = (
    Figure(
        "countries.<country>",
        "status, by whom, and on whose books its BRPs are",
        "countries.poland: {status: conquered, by: germany, books: {germany: 20}}",
        _read,
        _set,
        whole=True,
    ),
    Figure(
        "countries.<country>.status",
        "status alone",
        "countries.poland.status: conquered",
        lambda s, country: s.countries[country].status,
        _set_status,
    ),
    Figure(
        "countries.<country>.by",
        "the power by or with which it stands so",
        "countries.poland.by: germany",
        lambda s, country: s.countries[country].by,
        _set_by,
    ),
    Figure(
        "countries.<country>.since",
        "the turn in which it came to stand so",
        "countries.poland.since: Fall 1939",
        lambda s, country: calendar.turn_name(s.countries[country].since),
        _WITH_STATUS,
    ),
    Figure(
        "countries.<country>.clause",
        "the clause by which it came to stand so",
        'countries.poland.clause: "83.11"',
        lambda s, country: s.countries[country].clause,
        _WITH_STATUS,
    ),
    Figure(
        "countries.<country>.reason",
        "why it came to stand so, in words",
        "countries.poland.reason: its capital was taken",
        lambda s, country: s.countries[country].reason,
        _WITH_STATUS,
    ),
    Figure(
        "results.<country>",
        "diplomatic result in force",
        'results: {norway: "0"}',
        lambda s, country: s.results.get(country, ""),
        lambda s, country, to: [ResultInForce(country, _result(str(to)))],
    ),
)
