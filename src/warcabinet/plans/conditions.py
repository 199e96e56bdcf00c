"""Conditions of a plan: sentences about figures of the game, such as `Paris is German and usat < 30`.

They are read once, when the plan is, so that a misspelled name is an error with its line before anything is played.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from warcabinet.figures.arguments import arguments
from warcabinet.figures.table import find, is_figure
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.names import ADJECTIVES, TRACKS, areas, power_named, powers, spelled
from warcabinet.model.places import area_holder, holder, place_key
from warcabinet.model.state import State
from warcabinet.plans.chances import Outcome, Uncertain
from warcabinet.rules.common.war_and_peace import at_war

#: Asks how an uncertain thing has turned out.
Draw = Callable[[State, str], Outcome]
Condition = Callable[[State, Draw], bool]
Term = Callable[[State], Any]

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_WORDS = re.compile(r"\s*(\(|\)|and\b|or\b|not\b|[^()]+?(?=\(|\)|\band\b|\bor\b|$))", re.IGNORECASE)
_CALL = re.compile(r"(\w+)\[(.*)\]")
#: A condition longer than this is no sentence any more, nor is one with more brackets and denials within each other.
LONGEST = 2000
DEEPEST = 20
#: What charts call a figure for short, and people by habit.
SHORT = {"unbuilt": "unbuilt_value", "brps": "brp"}


def condition(text: str, uncertain: Mapping[str, Uncertain]) -> Condition:
    """A sentence as a function of the position and of how uncertain things turn out."""
    return _Sentence(_words(text), text, uncertain).whole()


def claims_in(text: str) -> int:
    """How many claims a sentence makes."""
    return sum(word.casefold() not in ("(", ")", "and", "or", "not") for word in _words(text))


def _words(text: str) -> list[str]:
    if len(text) > LONGEST:
        raise WarCabinetError(f"a condition has at most {LONGEST} letters")
    return [word for it in _WORDS.findall(text) if (word := it.strip())]


class _Sentence:
    """A sentence that is being read, word by word: `or` joins what `and` joins."""

    def __init__(self, words: list[str], text: str, uncertain: Mapping[str, Uncertain]) -> None:
        self.words, self.text, self.uncertain = words, text, uncertain
        self.at = self.depth = 0

    def whole(self) -> Condition:
        if not self.words:
            raise WarCabinetError("a condition says something, such as `Paris is German`")
        found = self.either()
        if self.at < len(self.words):
            raise WarCabinetError(f"'{self.words[self.at]}' is not understood in '{self.text}'")
        return found

    def either(self) -> Condition:
        parts = [self.both()]
        while self._next("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda s, draw: any(part(s, draw) for part in parts)

    def both(self) -> Condition:
        parts = [self.one()]
        while self._next("and"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else lambda s, draw: all(part(s, draw) for part in parts)

    def one(self) -> Condition:
        if self._next("not"):
            self._deeper()
            denied = self.one()
            self.depth -= 1
            return lambda s, draw: not denied(s, draw)
        if self._next("("):
            self._deeper()
            inner = self.either()
            self.depth -= 1
            if not self._next(")"):
                raise WarCabinetError(f"a bracket is not closed in '{self.text}'")
            return inner
        if self.at >= len(self.words):
            raise WarCabinetError(f"something is missing at the end of '{self.text}'")
        self.at += 1
        return _claim(self.words[self.at - 1], self.uncertain)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise WarCabinetError(f"brackets and `not` stand within each other at most {DEEPEST} deep in a condition")

    def _next(self, word: str) -> bool:
        if self.at < len(self.words) and self.words[self.at].casefold() == word:
            self.at += 1
            return True
        return False


def _claim(text: str, uncertain: Mapping[str, Uncertain]) -> Condition:
    """One claim: a comparison, who holds what, who is at war with whom, or how something turned out."""
    if text in uncertain:
        return lambda s, draw: draw(s, text) is True
    if found := re.fullmatch(r"(.+?)\s*(<=|>=|==|!=|<|>|=)\s*(.+)", text):
        return _comparison(found[1], found[2], found[3], uncertain)
    if found := re.fullmatch(r"(.+?) (is|are)( not)? at war with (.+)|(.+?) at war with (.+)", text, re.IGNORECASE):
        one, other = (found[1] or found[5]), (found[4] or found[6])
        return _war(one, other, bool(found[3]))
    if found := re.fullmatch(r"(.+?) is( not)? (.+)", text, re.IGNORECASE):
        return _being(found[1], bool(found[2]), found[3], uncertain)
    raise WarCabinetError(
        f"'{text}' says nothing that can be judged; write it like `usat < 30`, `Paris is German`, "
        f"`germany at war with russia` or the name of something uncertain ({', '.join(uncertain) or 'none is there'})"
    )


def _comparison(left: str, sign: str, right: str, uncertain: Mapping[str, Uncertain]) -> Condition:
    compare = _COMPARED[sign]
    if left in uncertain:
        wanted = _outcome(left, right, uncertain[left])
        return lambda s, draw: compare(draw(s, left), wanted)
    if left.casefold() == "turn" and not right.strip().isdigit():
        turn = calendar.parse_turn(right)
        return lambda s, draw: compare(s.turn, turn)
    if left.casefold() in ("turn", "year"):
        year = _number(right)
        return lambda s, draw: compare(s.year, year)
    read, asked = figure(left), _value(right)
    return lambda s, draw: compare(_comparable(read(s), asked), asked)


def _comparable(found: Any, asked: Any) -> Any:
    """A figure as it can be held against what is asked: names as text, nothing as zero."""
    if isinstance(asked, int) and not isinstance(found, int):
        return found or 0
    return found if isinstance(asked, int) else str(found)


def _war(one: str, other: str, denied: bool) -> Condition:
    first, second = (spelled(it.strip(), "belligerent") for it in (one, other))
    for name in (first, second):
        if name not in powers() and name not in areas():
            raise unknown("power or country", name, [*powers(), *areas()])
    return lambda s, draw: at_war(s, first, second) != denied


def _being(what: str, denied: bool, how: str, uncertain: Mapping[str, Uncertain]) -> Condition:
    """`Paris is German`, `weather is fine`, `season is Winter`, or a figure that is a name."""
    if what in uncertain:
        wanted = _outcome(what, how, uncertain[what])
        return lambda s, draw: (draw(s, what) == wanted) != denied
    if what.casefold() == "season":
        if how.capitalize() not in calendar.SEASONS:
            raise unknown("season", how, calendar.SEASONS)
        return lambda s, draw: (calendar.SEASONS[s.season] == how.capitalize()) != denied
    owner = ADJECTIVES.get(how.casefold())
    if owner is None and how in powers():
        owner = how
    if owner is not None and not is_figure(what):
        held = _holder_of(what)
        return lambda s, draw: (held(s) == owner) != denied
    read, asked = figure(what), _value(how)
    return lambda s, draw: (_comparable(read(s), asked) == asked) != denied


def _holder_of(what: str) -> Term:
    """Who holds a country, an area or a place."""
    area = spelled(what, "area")
    if area in areas():
        return lambda s: area_holder(s, area)
    key = place_key(what)
    return lambda s: holder(s, key)


def figure(text: str) -> Term:
    """A figure as a function of the position: a path, a track, `germany base`, or a value with its arguments."""
    text = text.strip()
    if called := _CALL.fullmatch(text):
        return _asked(called[1], [it.strip() for it in called[2].split(",") if it.strip()])
    if text in TRACKS:
        text = f"tracks.{text}"
    first, _, rest = text.replace(" ", ".").partition(".")
    if rest and spelled(first, "power") in powers():
        name = rest.replace(".", "_").casefold()
        text = f"powers.{power_named(first).power}.{SHORT.get(name, name)}"
    row, names = find(text)
    return lambda s: row.read(s, *names)


def _asked(rule: str, given: list[str]) -> Term:
    if rule not in RULES.values():
        raise unknown("value or definition", rule, RULES.values())
    asked, value = arguments(rule, given), RULES.values()[rule]
    return lambda s: value(s, *asked)


def _outcome(name: str, text: str, uncertain: Uncertain) -> Outcome:
    known = [outcome for outcome, _ in uncertain.odds()]
    asked: Outcome = {"yes": True, "true": True, "no": False, "false": False}.get(text, text)
    if isinstance(asked, str) and re.fullmatch(r"-?\d+", asked):
        asked = int(asked)
    if isinstance(asked, str) and asked not in known:
        raise unknown(f"outcome of {name}", text, [str(it) for it in known])
    return asked


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text.strip()):
        raise WarCabinetError(f"a whole number is wanted, not '{text}'")
    return int(text)


def _value(text: str) -> int | str:
    plain = text.strip()
    if re.fullmatch(r"-?\d+", plain):
        return int(plain)
    return ADJECTIVES.get(plain.casefold(), plain)
