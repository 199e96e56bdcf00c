"""Names of countries that stand for several: the message says which ones."""

from __future__ import annotations

import pytest

from warcabinet.countries import country_page
from warcabinet.engine import as_command, decide
from warcabinet.figures.position import Position, set_up
from warcabinet.figures.table import read
from warcabinet.kernel.errors import UnknownName


def test_the_dutch_east_indies_are_three_areas() -> None:
    state, _ = set_up(Position("classic-1939"))
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        country_page(state, "dutch_east_indies")
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        read(state, "countries.dutch_east_indies.status")
    asked = {"do": "report_result", "country": "Dutch East Indies", "result": 9}
    assert "java, sumatra and borneo" in decide(state, as_command(asked)).refusals[0].text


def test_a_page_says_why_a_country_is_what_it_is_and_what_would_change_it() -> None:
    state, _ = set_up(Position("classic-1939"))
    belgium = country_page(state, "belgium")
    assert (belgium.status, belgium.clause, belgium.value, belgium.prorated) == ("neutral", "82.11A", 15, 7)
    assert {change.clause for change in belgium.changes} >= {"82.21A", "82.41", "83.11", "84.11C", "85.11A"}
    poland = country_page(state, "poland")
    assert poland.status == "independent"
    assert "Germany" in poland.reason
    assert "82.81" in {change.clause for change in poland.changes}
    later, _ = set_up(Position("classic-1939", turn="Spring 1941"))
    assert later.countries["poland"].status == "neutral"
    assert "84.24" in {change.clause for change in country_page(state, "spain").changes}
    assert "83.11" not in {change.clause for change in country_page(state, "communist_china").changes}
    assert next(change.clause for change in country_page(state, "luxembourg").changes) == "82.32C"


def test_a_part_of_a_name_finds_the_country() -> None:
    state, _ = set_up(Position("classic-1939"))
    with pytest.raises(UnknownName, match="vichy_france"):
        country_page(state, "vichy")
