"""Which ways lead through a strait and no other way (73.42, 86.13)."""

from __future__ import annotations

import pytest

from positions import game_at
from warcabinet.rules.common.ways import only_by
from warcabinet.rules.countries.scandinavia import past_kattegat
from warcabinet.rules.minors.voyages import Voyage


@pytest.mark.parametrize(
    ("origin", "to", "needed"),
    [
        ("europe/I32", "europe/D35", True),
        ("europe/D35", "europe/E33", False),
        ("europe/I32", "box/ethiopia", True),
        ("europe/C28", "box/ethiopia", False),
        ("pacific/W21", "europe/I32", True),
        ("europe/M28", "europe/D35", False),
    ],
)
def test_which_ways_lead_through_the_kattegat_only(origin: str, to: str, needed: bool) -> None:
    state = game_at(turn="Fall 1940", player="axis", phase="movement").state
    assert past_kattegat(state, Voyage("germany", "", origin, to, (origin, to))) is needed


@pytest.mark.parametrize(
    ("origin", "to", "needed"),
    [
        ("europe/K21", "europe/FF19", True),  # Plymouth to Malta
        ("europe/FF19", "europe/M19", True),  # Malta to Brest
        ("europe/K21", "europe/AA7", False),  # Gibraltar lies on both seas
        ("europe/AA7", "europe/FF19", False),
        ("europe/K21", "europe/M19", False),
        ("europe/Y22", "europe/FF19", False),
        ("europe/K21", "pacific/EE11", False),  # no ship sails from board to board
        ("europe/K21", "europe/Z8", False),  # Z8 has no coast
    ],
)
def test_which_ways_lead_through_the_strait_of_gibraltar_only(origin: str, to: str, needed: bool) -> None:
    assert only_by("gibraltar", origin, to) is needed
