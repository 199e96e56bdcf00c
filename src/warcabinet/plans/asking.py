"""One question more, put to a plan by a form of three fields; what is wrong is said of the field that it stands in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model import calendar
from warcabinet.model.names import powers, spelled
from warcabinet.model.state import State
from warcabinet.plans.conditions import figure
from warcabinet.plans.form import Gist
from warcabinet.plans.tally import WATCHED
from warcabinet.plans.timing import LAST, span
from warcabinet.plans.wording import question_in_words

#: How many years a plan from here looks ahead, beside the one that is being played.
AHEAD = 3
#: How a comparison may be said, with its sign; a number alone means at least.
_SAID = (
    (r"(?:>=|≥|at least|)\s*(-?\d+)\s*(?:\+|or more)?", ">="),
    (r"(?:<=|≤|at most)\s*(-?\d+)|(-?\d+)\s*or less", "<="),
    (r"(?:>|more than|over)\s*(-?\d+)", ">"),
    (r"(?:<|less than|under)\s*(-?\d+)", "<"),
    (r"(?:==?|exactly)\s*(-?\d+)", "="),
    (r"(?:!=|≠|not)\s*(-?\d+)", "!="),
)


class WrongField(WarCabinetError):
    """A field of the form that cannot be understood."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


class Put(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holds": "is"}):
    """What the form says: a figure, what it is held against (if anything), and when."""

    figure: str
    at: str
    holds: str = ""


def with_question(plan: Gist, text: str, put: Put, now: State) -> str:
    """A plan that asks one thing more, before all else, when it is run from a position."""
    if now.moment >= plan.end:
        raise WarCabinetError(f"the game is past {plan.until}, where this plan ends: choose the plan from here")
    with _of("figure"):
        asked = _figure(put.figure, now)
    with _of("is"):
        holds = _comparison(put.holds)
    with _of("at"):
        at = _moment(put.at)
        moment = span(now.moment, plan.until).moment(at)
    said = question_in_words(asked, holds, "", moment)
    fields = {"question": said, "at": at, "figure": asked, **({"is": holds} if holds else {})}
    line = f"{{{', '.join(f'{key}: {json.dumps(value, ensure_ascii=False)}' for key, value in fields.items())}}}"
    return _put_first(text, line)


@contextmanager
def _of(field: str) -> Iterator[None]:
    try:
        yield
    except WarCabinetError as error:
        raise WrongField(field, str(error)) from None


def _figure(text: str, now: State) -> str:
    """A figure as a plan names it, and that it is a number."""
    asked = " ".join(text.split())
    first, _, rest = asked.partition(" ")
    if rest and "[" not in asked and spelled(first, "power") not in powers():
        raise unknown("power", first, powers())
    try:
        found = figure(asked)(now)
    except WarCabinetError:
        named = f"'{asked}' is no figure: " if asked else ""
        kinds = ", ".join((WATCHED[0], "brp", *WATCHED[1:]))
        raise WarCabinetError(
            f"{named}write a power and one of {kinds}, such as germany base; or a track, such as usat"
        ) from None
    if not isinstance(found, int):
        raise WarCabinetError(f"'{asked}' is no number")
    return re.sub(r"\bbrps$", "brp", asked, flags=re.IGNORECASE)


def _comparison(text: str) -> str:
    plain = " ".join(text.casefold().split())
    if not plain:
        return ""
    for pattern, sign in _SAID:
        if found := re.fullmatch(pattern, plain):
            return f"{sign} {next(it for it in found.groups() if it)}"
    raise WarCabinetError(
        f"'{text.strip()}' is no comparison: write a number, such as 200 for at least 200, or < 200, or = 200; "
        "leave it empty to ask how much it is"
    )


def _moment(text: str) -> str:
    """A moment as a plan names it; a year alone is its year start."""
    at = " ".join(text.split())
    try:
        calendar.parse_moment(at)
    except WarCabinetError:
        named = f"'{at}' is no moment: " if at else ""
        raise WarCabinetError(f"{named}write a year (1942, its year start) or a turn (Winter 1942)") from None
    return at


def _put_first(text: str, line: str) -> str:
    """The text with a question before the others, however their list is written; the rest stays letter by letter."""
    if re.search(r"^ask:[ \t]*\[", text, re.MULTILINE):
        return re.sub(r"^ask:[ \t]*\[", lambda _: f"ask: [{line}, ", text, count=1, flags=re.MULTILINE)
    if found := re.search(r"^ask:[ \t]*(#.*)?$", text, re.MULTILINE):
        listed = re.match(r"(?:\s*(?:#.*)?\n)*([ \t]*)- ", text[found.end() :])
        indent = listed[1] if listed else "  "
        return f"{text[: found.end()]}\n{indent}- {line}{text[found.end() :]}"
    return f"{text.rstrip()}\n\nask:\n  - {line}\n"


def from_here(now: State) -> str:
    """A plan that orders nothing: the position as it is, kept by the stewards."""
    last = min(calendar.year(now.turn) + AHEAD, calendar.year(calendar.parse_turn(LAST)))
    return (
        "plan: From here\n"
        "notes: The position as it is. Nobody orders anything; stewards keep every power's economy and duties.\n"
        f"scenario: {now.scenario}\nuntil: Winter {last}\n"
    )
