"""Facts in words: one sentence for every kind of event, the same in every shell."""

from __future__ import annotations

from typing import get_args

from warcabinet.game.demo import play_demo
from warcabinet.model.events import AreaTaken, ControlChanged, Event, StatusChanged
from warcabinet.model.places import place_key
from warcabinet.views.words import _SENTENCES, event_text


def test_every_event_has_a_sentence():
    assert set(get_args(Event)) == set(_SENTENCES)


def test_the_campaign_reads_like_english():
    """No name of a type, no raw key of a place, in any line of the log."""
    game = play_demo()
    lines = {event_text(record.event) for move in game.log() for record in move.records}
    raw = [line for line in lines if "europe/" in line or "pacific/" in line or "box/" in line or "None" in line]
    assert not raw, raw[:5]
    assert all(line[0].isupper() or line[0].isdigit() for line in lines)


def test_what_a_country_has_back_is_told_as_its_own():
    """Turkey retakes Trabzon, Norway is given Bergen back: an empty name stands for whose a place was at first."""
    places = tuple(map(place_key, ("Trabzon", "Bergen", "Ethiopia box")))
    told = "Turkey controls Trabzon (Z41); Norway controls Bergen (B34); Nobody controls Ethiopia box"
    assert event_text(ControlChanged(places, "")) == told


def test_many_do_what_one_does():
    assert event_text(ControlChanged(("europe/V29",), "partisans")).startswith("Partisans control Belgrade")
    assert event_text(ControlChanged(("europe/V29",), "italy")).startswith("Italy controls Belgrade")
    assert event_text(AreaTaken("yugoslavia", "italy", "partisans")) == "Partisans take Yugoslavia from Italy"
    fallen = StatusChanged("finnish_border", "conquered", "russia", "83.12E", "all its hexes were taken")
    assert event_text(fallen).startswith("Finnish border hexes are conquered by Russia")
