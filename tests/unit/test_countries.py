"""Names of countries that stand for several: the message says which ones."""

from __future__ import annotations

import pytest

from warcabinet.countries import country_page
from warcabinet.engine import as_command, decide
from warcabinet.kernel.errors import UnknownName
from warcabinet.model.figures import read
from warcabinet.model.position import Position, set_up


def test_the_dutch_east_indies_are_three_areas() -> None:
    state, _ = set_up(Position("classic-1939"))
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        country_page(state, "dutch_east_indies")
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        read(state, "countries.dutch_east_indies.status")
    asked = {"do": "report_result", "country": "Dutch East Indies", "result": 9}
    assert "java, sumatra and borneo" in decide(state, as_command(asked)).refusals[0].text
