"""Figures of tension and resistance, and of transports by ocean."""

from __future__ import annotations

from typing import Any

from warcabinet.figures.amounts import count_of, integer, pieces_of
from warcabinet.figures.figure import Figure
from warcabinet.model.events import Event, TrackMoved, TransportsCounted
from warcabinet.model.names import NEVER_NEGATIVE
from warcabinet.model.state import State


def _set_track(s: State, track: str, to: Any) -> list[Event]:
    number = count_of if track in NEVER_NEGATIVE else integer
    return [TrackMoved(track, number(f"tracks.{track}", to))]


def _set_transports(s: State, ocean: str, to: Any) -> list[Event]:
    return [TransportsCounted(ocean, pieces_of(f"transports.{ocean}", to))]


ROWS = (
    Figure(
        "tracks.<track>",
        "a tension or resistance level",
        "tracks.usat: 30",
        lambda s, track: s.tracks.get(track, 0),
        _set_track,
    ),
    Figure(
        "transports.<ocean>",
        "transports available",
        "transports: {atlantic: 4}",
        lambda s, ocean: s.transports.get(ocean, 0),
        _set_transports,
    ),
)
