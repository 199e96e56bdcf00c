"""A decision under way in this game: what effects are given to read and to act with."""

from __future__ import annotations

from warcabinet.kernel.decision import Proceeding
from warcabinet.model.events import Event
from warcabinet.model.state import State

Proceedings = Proceeding[State, Event]
