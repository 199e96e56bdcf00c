"""A question of a plan in words, so that nobody takes one for another: at least 200 is not exactly 200."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.names import powers, spelled

#: What a figure is held against a number by, and how that is said.
SIGNS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "<=": ("at most", operator.le),
    ">=": ("at least", operator.ge),
    "!=": ("not", operator.ne),
    "<": ("less than", operator.lt),
    ">": ("more than", operator.gt),
    "=": ("exactly", operator.eq),
}
_HELD = re.compile(r"(<=|>=|==|!=|<|>|=)?\s*(-?\d+)")


def against(text: str) -> tuple[str, int]:
    """The sign and the number of `is`; in a plan, as in a condition, a number alone is exactly that number."""
    found = _HELD.fullmatch(text.strip())
    if not found:
        raise WarCabinetError(f"`is` holds the figure against a number, such as >= 200, not '{text}'")
    sign = found[1] or "="
    return ("=" if sign == "==" else sign), int(found[2])


def holds_against(text: str) -> Callable[[int], bool]:
    """`is` as a test of the figure."""
    sign, number = against(text)
    return lambda it: SIGNS[sign][1](it, number)


def question_in_words(figure: str, holds: str, claim: str, moment: int) -> str:
    """`germany brp`, `>= 200` and a moment: Germany has at least 200 BRPs at the 1942 year start."""
    if claim:
        return f"{claim} {_when(moment)}"
    whose, what = _parts(figure)
    named = f"{whose}'s {what}" if whose else what
    if not holds:
        return f"{named} {_when(moment)}"
    sign, number = against(holds)
    much = f"{SIGNS[sign][0]} {number}"
    if named == f"{whose}'s BRPs":
        return f"{whose} has {much} BRPs {_when(moment)}"
    return f"{named} is {much} {_when(moment)}"


def _parts(figure: str) -> tuple[str, str]:
    """Whose figure it is, where it is a power's, and what it is called."""
    first, _, rest = figure.strip().removeprefix("powers.").replace(".", " ").partition(" ")
    power = powers().get(spelled(first, "power"))
    if power is None or not rest:
        return "", figure.strip()
    name = rest.strip().casefold().replace("_", " ")
    return power.name, "BRPs" if name in ("brp", "brps") else name


def _when(moment: int) -> str:
    turn, step = calendar.split(moment)
    if step == 0:
        return f"at the {calendar.year(turn)} year start"
    if step == calendar.first_step("axis"):
        return f"at the start of {calendar.turn_name(turn)}"
    return f"in {calendar.moment_name(moment)}"
