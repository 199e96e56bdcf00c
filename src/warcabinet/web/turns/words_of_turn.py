"""What waits for a seat, in a sentence."""

from __future__ import annotations

from warcabinet.web.hall.whose_move import Kind

_PLAIN: dict[Kind, str] = {
    "move": "It is your player turn.",
    "duty": "The game waits for you.",
    "answer": "An operation waits for your answer.",
    "consent": "Your consent is needed.",
    "confirm": "The year start waits for your confirmation.",
    "battle": "A battle waits for you.",
    "stopped": "Your standing order has stopped.",
    "sealed": "Your sealed orders are awaited.",
}


def turn_words(kind: Kind, text: str) -> str:
    """A sentence that says what exactly waits, where it is known."""
    if not text:
        return _PLAIN[kind]
    said = text[:1].upper() + text[1:]
    return said if said.endswith((".", "?", "!")) else f"{said}."
