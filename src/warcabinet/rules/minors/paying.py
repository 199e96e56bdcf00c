"""On which front an activity is paid for: the players know, unless a clause of a country's own chapter says it."""

from __future__ import annotations

from warcabinet.model.state import State
from warcabinet.rules.kinds import value


@value("WC.7", "The front on which an activity is paid for: the players know, unless a clause says it")
def paying_front(s: State, activity: str, place: str) -> str:
    return ""


def paid_on(s: State, activity: str, place: str) -> str:
    """Where an activity is paid for, as a word for the log; nothing where no clause says it."""
    front = paying_front(s, activity, place) if place else ""
    return f", paid on the {front} front" if front else ""
