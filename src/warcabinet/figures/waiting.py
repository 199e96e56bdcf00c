"""Figures of the operation that waits for a reply."""

from __future__ import annotations

from warcabinet.figures.figure import Figure
from warcabinet.model.state import State

BY_PLAY = "an operation is opened and answered by the commands of its own"


def _waits_for(s: State) -> list[str]:
    return list(s.waiting.waits_for) if s.waiting else []


def _replies(s: State) -> list[str]:
    return list(s.waiting.replies) if s.waiting else []


def _asks(s: State) -> str:
    return s.waiting.asks if s.waiting else ""


def _clause(s: State) -> str:
    return s.waiting.clause if s.waiting else ""


def _stage(s: State) -> str:
    return s.waiting.about.stage if s.waiting else ""


ROWS = (
    Figure("waits.for", "who is asked for a reply", "waits.for: [germany]", _waits_for, BY_PLAY),
    Figure("waits.replies", "the commands that would reply", "waits.replies: [oppose_convoy]", _replies, BY_PLAY),
    Figure("waits.asks", "what the operation that waits asks", "waits.asks: will Germany oppose it?", _asks, BY_PLAY),
    Figure("waits.clause", "by which clause the operation that waits asks", "waits.clause: 40.44", _clause, BY_PLAY),
    Figure("waits.stage", "how far the operation that waits has come", "waits.stage: opposition", _stage, BY_PLAY),
)
