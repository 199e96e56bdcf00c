"""What the server says when it does not do what was asked."""

from __future__ import annotations

from typing import Any


class Problem(Exception):
    """An answer that is not the one wanted: a status, a sentence for people, and what else helps."""

    def __init__(self, status: int, text: str, **more: Any) -> None:
        super().__init__(text)
        self.status, self.text, self.more = status, text, more


def unauthorized() -> Problem:
    return Problem(401, "nobody is signed in here: open an invitation link, or send a seat's token")


def forbidden(text: str) -> Problem:
    return Problem(403, text)


def not_found(what: str) -> Problem:
    return Problem(404, f"there is no {what}")
