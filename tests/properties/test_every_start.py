"""Games of every start that the documents allow, kept by stewards for two years: they go on, and their books agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bounds import at_length
from warcabinet.conformance.fuzz.campaigns import Campaign
from warcabinet.conformance.fuzz.invariants import INVARIANTS
from warcabinet.figures.options import EARLIEST_START
from warcabinet.figures.position import Position, set_up
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.books import books_of
from warcabinet.rules.economy.base import base, keeps_brps, level
from warcabinet.rules.economy.timing import counted_in_level

YEARS = 2
SCOPES = ("global", "europe", "pacific")
LAST = calendar.parse_turn(f"Winter {calendar.LAST_YEAR}")
#: A prequel game starts when its war breaks out (R-2960), the classic one in Fall 1939. In the calendar's last turn no
#: game is played: it ends there.
PREQUEL = [calendar.turn_name(it) for it in range(EARLIEST_START, LAST)]
CLASSIC = ["Fall 1939"]
#: What is played by default: each scope, and starts with and without a year start in front.
FEW = (
    ("prequel", "Spring 1941", "global"),
    ("prequel", "Winter 1938", "europe"),
    ("prequel", "Spring 1935", "global"),
    ("prequel", "Summer 1946", "global"),
    ("prequel", "Fall 1940", "pacific"),
    ("classic-1939", "Fall 1939", "pacific"),
)
ALL = tuple(
    (name, start, scope)
    for name, some in (("prequel", PREQUEL), ("classic-1939", CLASSIC))
    for start in some
    for scope in SCOPES
)


def position(scenario: str, start: str, scope: str) -> Position:
    return Position(scenario, options={"start": start, "scope": scope})


def years_begun(campaign: Campaign) -> Iterator[State]:
    """The campaign played to its end: each position in which the first player turn of a year begins."""
    for made in campaign.play():
        assert not [str(it) for it in made.faults], made.step
        begun = made.state.player == "axis" and made.state.season == calendar.SPRING
        if begun and made.state.place.step.name == "start of player turn":
            yield made.state


def assert_balanced(state: State) -> None:
    """Each power's level is its base and what is on its books."""
    for power in powers():
        if keeps_brps(state, power) and level(state, power) >= 0:
            books = books_of(state, power).items()
            counted = sum(brp for area, brp in books if counted_in_level(state, power, area))
            assert level(state, power) == base(state, power) + counted, (power, state.options.start)


def test_every_start_has_the_level_that_base_and_books_make() -> None:
    for scenario, start, scope in ALL:
        assert_balanced(set_up(position(scenario, start, scope))[0])


@pytest.mark.parametrize(("scenario", "start", "scope"), ALL if at_length() else FEW)
def test_every_start_is_played_for_two_years(scenario: str, start: str, scope: str) -> None:
    first = calendar.parse_turn(start)
    end = min(first + 4 * YEARS, LAST)  # two years, or as far as the calendar goes
    campaign = Campaign(0, INVARIANTS, end - 1, position(scenario, start, scope), events=0)
    years: dict[int, State] = {}
    for state in years_begun(campaign):
        years.setdefault(calendar.year(state.turn), state)
    assert campaign.state.turn == end
    assert len(years) >= calendar.year(end) - calendar.year(first)
    for state in years.values():
        assert_balanced(state)
