"""Decisions that a plan leaves open: between what, how the plan stands now, and the plan once they are taken.

A decision that is taken stands in the plan wherever its name stood in braces; conditions ask for it by its name, as
for something uncertain that turned out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

import msgspec
import yaml

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar

#: A decision as it was taken: yes or no, a number, a word, or a list in its order.
Taken = bool | int | str | tuple[str, ...]
#: Every open decision by its name, as it was taken.
Decisions = Mapping[str, Taken]

#: More ways than this in one decision are no range that anybody weighs; nor are longer lists put into an order.
WIDEST = 1000
LONGEST_ORDER = 8
NEVER = "never"
_BRACES = re.compile(r"\{([^{}]+)\}")


class Choice(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"first": "from", "beside": "or", "one_of": "one of", "order_of": "order of"},
):
    """A decision that is open: a number or a turn from one to another, one of a list, or a list in its best order.

    `now` is how the plan stands without counsel, the first way where nothing is said; `history` how it was decided.
    """

    first: int | str | None = None
    to: int | str | None = None
    by: int = 1
    beside: tuple[int | str, ...] = ()
    one_of: tuple[bool | int | str | tuple[str, ...], ...] | None = None
    order_of: tuple[str, ...] | None = None
    now: bool | int | str | tuple[str, ...] | None = None
    #: How it was decided in the war as it happened, where that is known.
    history: bool | int | str | tuple[str, ...] | None = None
    note: str = ""

    def check(self) -> None:
        """Refuse what leaves nothing open, or more than can be weighed."""
        given = [it for it in (self.first, self.one_of, self.order_of) if it is not None]
        if len(given) != 1 or (self.first is None) != (self.to is None):
            raise WarCabinetError("say what is open: `from` and `to`, `one of` a list, or `order of` a list")
        if self.first is None and (self.beside or self.by != 1):
            raise WarCabinetError("`by` and `or` go with `from` and `to`")
        if self.order_of is not None and not 2 <= len(self.order_of) <= LONGEST_ORDER:
            raise WarCabinetError(f"`order of` puts two to {LONGEST_ORDER} things into an order")
        ways = self.ways()
        if len(ways) < 2:
            raise WarCabinetError("there is only one way: nothing is open")
        if len(set(ways)) < len(ways):
            raise WarCabinetError("one way is named twice")
        for key, way in (("now", self.now), ("history", self.history)):
            if way is not None and way not in ways:
                raise WarCabinetError(f"`{key}` is one of the ways that are open, not {told(way)}")

    def ways(self) -> tuple[Taken, ...]:
        """Every way to decide it."""
        if self.order_of is not None:
            return tuple(permutations(self.order_of))
        if self.one_of is not None:
            return self.one_of
        return (*self._range(), *self.beside)

    def _range(self) -> tuple[Taken, ...]:
        first, last = self.first, self.to
        if isinstance(first, int) and isinstance(last, int):
            numbers = range(first, last + 1, max(1, self.by))
            if self.by < 1 or not first < last or len(numbers) > WIDEST:
                raise WarCabinetError(f"from the smaller to the larger number, at most {WIDEST} of them: raise `by`")
            return tuple(numbers)
        turns = range(calendar.parse_turn(str(first)), calendar.parse_turn(str(last)) + 1, max(1, self.by))
        if not 1 <= len(turns) <= WIDEST:
            raise WarCabinetError(f"{last} comes before {first}")
        return tuple(map(calendar.turn_name, turns))

    def size(self) -> int:
        """How many ways there are."""
        return math.factorial(len(self.order_of)) if self.order_of is not None else len(self.ways())

    def stands(self) -> Taken:
        """How it is decided in the plan as it stands."""
        return self.now if self.now is not None else self.order_of or self.ways()[0]

    def edges(self) -> tuple[Taken, ...]:
        """Ways that show whether all can be read: the ends of a range, else each."""
        if self.order_of is not None:
            return (self.order_of,)
        if self.first is not None:
            found = self._range()
            return (found[0], found[-1], *self.beside)
        return self.ways()


def told(taken: Taken) -> str:
    """A decision in words."""
    if isinstance(taken, bool):
        return "yes" if taken else "no"
    return ", then ".join(taken) if isinstance(taken, tuple) else str(taken)


def as_it_stands(choices: Mapping[str, Choice]) -> dict[str, Taken]:
    return {name: it.stands() for name, it in choices.items()}


def as_it_happened(choices: Mapping[str, Choice]) -> dict[str, Taken] | None:
    """The decisions of history, the others as the plan stands; none where history is said of no decision."""
    if all(it.history is None for it in choices.values()):
        return None
    return {name: it.stands() if it.history is None else it.history for name, it in choices.items()}


def size_of(choices: Mapping[str, Choice]) -> int:
    """How many plans there are in all."""
    return math.prod(it.size() for it in choices.values())


def all_ways(choices: Mapping[str, Choice]) -> Iterator[dict[str, Taken]]:
    """Every plan, one after the other."""
    for taken in product(*(it.ways() for it in choices.values())):
        yield dict(zip(choices, taken, strict=True))


def settled(value: Any, taken: Decisions) -> Any:
    """A part of a plan with the decisions in place of their names; a list within a list goes into it."""
    if isinstance(value, dict):
        return {key: settled(it, taken) for key, it in value.items()}
    if isinstance(value, list):
        found: list[Any] = []
        for it in value:
            made = settled(it, taken)
            found += made if isinstance(made, list) and isinstance(it, str) else [made]
        return found
    if not isinstance(value, str):
        return value
    if (whole := _BRACES.fullmatch(value)) and whole[1] in taken:
        made = taken[whole[1]]
        return list(made) if isinstance(made, tuple) else made
    return _BRACES.sub(lambda it: told(taken[it[1]]) if it[1] in taken else it[0], value)


def as_turned_out(choices: Mapping[str, Choice], taken: Decisions) -> dict[str, Any]:
    """Decisions as conditions ask for them: something that could have turned out otherwise, and did so."""
    found: dict[str, Any] = {}
    for name, it in choices.items():
        ways = (taken[name],) if it.order_of is not None else it.ways()
        if isinstance(taken[name], bool):
            found[name] = {"chance": 1.0 if taken[name] else 0.0}
        else:
            found[name] = {"one of": {told(way): int(way == taken[name]) for way in ways}}
    return found


def is_never(order: Mapping[str, Any]) -> bool:
    """Whether an order's turn was decided to be none."""
    return any(str(order.get(key, "")).startswith(NEVER) for key in ("when", "from"))


def written(data: Mapping[str, Any], taken: Decisions, title: str = "") -> str:
    """The plan with its decisions taken, as a plan that anybody can run: nothing in it is open any more."""
    open_parts = ("choose", "want")
    plan = {key: settled(value, taken) for key, value in data.items() if key not in open_parts}
    if title:
        plan["plan"] = title
    orders = [it for it in plan.get("orders") or [] if not is_never(it)]
    if "orders" in plan:
        plan["orders"] = orders
    said = " ".join(str(it[key]) for it in orders for key in ("if", "while") if key in it)
    choices = {str(name): msgspec.convert(it, Choice) for name, it in (data.get("choose") or {}).items()}
    asked = {name: it for name, it in as_turned_out(choices, taken).items() if re.search(_as_word(name), said)}
    if asked:
        plan["uncertain"] = {**(plan.get("uncertain") or {}), **asked}
    questions = [it for goal in data.get("want") or [] for it in _questions(goal)]
    if questions:
        plan["ask"] = [*questions, *(plan.get("ask") or [])]
    text: str = yaml.safe_dump(plan, default_flow_style=None, sort_keys=False, allow_unicode=True, width=110)
    return text


def _as_word(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


def _questions(goal: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    figure = goal.get("most") or goal.get("least")
    for at in goal["at"] if isinstance(goal["at"], list) else [goal["at"]]:
        asked = {"figure": figure} if figure else {"if": goal["chance"]}
        yield {"question": f"{figure or goal['chance']}, {at}", "at": at, **asked}
