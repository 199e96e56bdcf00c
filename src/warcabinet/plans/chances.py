"""What is uncertain in a plan, and how it turns out in each future.

How something turns out depends on nothing but the seed, the number of the future and the name of the thing. So nothing
need be remembered, futures may be played in any order, by any number of workers, and are the same.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from typing import Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError

Outcome = bool | int | str
#: Every outcome with its share of the futures.
Odds = Sequence[tuple[Outcome, float]]

#: More outcomes than this are no range that a report could have.
WIDEST = 1000


class Uncertain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"one_of": "one of"}):
    """Something that our rules do not decide: it happens by chance, one of several, a number between two, or dice.

    `each` says that it is drawn anew for every turn or year; else it turns out once in a future.
    """

    chance: float | str | None = None
    one_of: dict[str, float] | None = None
    between: tuple[int, int] | None = None
    dice: int | None = None
    each: Literal["", "turn", "year"] = ""
    note: str = ""

    def odds(self) -> tuple[tuple[Outcome, float], ...]:
        """Every outcome with its share of the futures."""
        if self.chance is not None:
            share = as_share(self.chance)
            return (True, share), (False, 1 - share)
        if self.one_of is not None:
            return _weighted(self.one_of)
        if self.between is not None:
            low, high = self.between
            return tuple((number, 1 / (high - low + 1)) for number in range(low, high + 1))
        return _dice_odds(self.dice or 0)

    def certain(self) -> tuple[Outcome, ...]:
        """The outcome in every future, where there is only one."""
        return tuple(outcome for outcome, share in self.odds() if share == 1)

    def check(self) -> None:
        """Refuse what could not turn out in any way, or in none."""
        kinds = ("chance", "one of", "between", "dice")
        given = [it for it in (self.chance, self.one_of, self.between, self.dice) if it is not None]
        if len(given) != 1:
            raise WarCabinetError(f"say one of {', '.join(kinds)}: what is uncertain about it")
        if self.between is not None and not self.between[0] <= self.between[1] < self.between[0] + WIDEST:
            raise WarCabinetError(f"between two numbers, the smaller first, at most {WIDEST} apart")
        if self.dice is not None and not 1 <= self.dice <= 10:
            raise WarCabinetError("dice are one to ten")
        self.odds()


def as_share(chance: float | str) -> float:
    """A chance as a share of one: 0.7, '70%' and '70 %' are the same."""
    try:
        if isinstance(chance, str) and chance.strip().endswith("%"):
            share = float(chance.strip().removesuffix("%")) / 100
        else:
            share = float(chance)
    except ValueError:
        raise WarCabinetError(f"a chance is written as 0.7 or 70%, not '{chance}'") from None
    if not 0 <= share <= 1:
        raise WarCabinetError(f"a chance lies between 0 and 1 (0% and 100%), not {chance}")
    return share


def _weighted(weights: dict[str, float]) -> tuple[tuple[Outcome, float], ...]:
    if not weights or any(weight < 0 for weight in weights.values()) or not sum(weights.values()):
        raise WarCabinetError("`one of` gives each outcome its weight, such as {early: 1, late: 3}")
    whole = sum(weights.values())
    return tuple((_plain(name), weight / whole) for name, weight in weights.items())


def _plain(name: str) -> Outcome:
    """An outcome as a number where it is one, so that it can stand in a field."""
    return int(name) if name.lstrip("-").isdigit() else name


def _dice_odds(dice: int) -> tuple[tuple[Outcome, float], ...]:
    ways = {0: 1}
    for _ in range(dice):
        ways = _one_more(ways)
    return tuple((total, count / 6**dice) for total, count in sorted(ways.items()))


def _one_more(ways: dict[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for total, count in ways.items():
        for face in range(1, 7):
            found[total + face] = found.get(total + face, 0) + count
    return found


FACES: tuple[tuple[Outcome, float], ...] = tuple((face, 1 / 6) for face in range(1, 7))


def told(outcome: Outcome) -> str:
    """How something turned out, in a word."""
    return {True: "yes", False: "no"}[outcome] if isinstance(outcome, bool) else str(outcome)


def turns_out(seed: int, future: int, key: str, odds: Odds) -> Outcome:
    """How a thing turns out in one future."""
    drawn = hashlib.blake2b(f"{seed} {future} {key}".encode(), digest_size=8).digest()
    point = int.from_bytes(drawn) / 2**64
    for outcome, share in odds:
        point -= share
        if point < 0:
            return outcome
    return odds[-1][0]


class Split(Exception):
    """Futures that were alike until now come apart: each outcome with those in which it comes about."""

    def __init__(self, key: str, parts: dict[Outcome, array[int]]) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts


class Fate:
    """How things turn out for futures that have been alike so far; where they differ, they come apart."""

    def __init__(self, seed: int, futures: Sequence[int]) -> None:
        self.seed, self.futures = seed, futures

    def of(self, key: str, odds: Odds) -> Outcome:
        for outcome, share in odds:
            if share == 1:
                return outcome
        parts: dict[Outcome, array[int]] = {}
        for future in self.futures:
            parts.setdefault(turns_out(self.seed, future, key, odds), array("I")).append(future)
        if len(parts) > 1:
            raise Split(key, parts)
        return next(iter(parts))
