"""A power's page: all that is reckoned for it, what is on its books, and how its BRPs went over the war."""

from __future__ import annotations

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.kernel.rules import RULES
from warcabinet.model.accounts import Annual, Brp
from warcabinet.model.ledger import balance
from warcabinet.model.names import areas, power_named, powers
from warcabinet.model.state import State
from warcabinet.views.told.telling import Told, told_of
from warcabinet.views.words import name
from warcabinet.web.orders.reasons import purpose_of
from warcabinet.web.sheets.piles import Pile, piles


class BookLine(msgspec.Struct, frozen=True):
    """What a power has on its books a year for an area."""

    area: str
    name: str
    kind: str
    brp: int


class Reckoned(msgspec.Struct, frozen=True):
    """A value that a rule reckons for a power."""

    rule: str
    gist: str
    clause: str
    value: int | str | bool


class PowerSheet(msgspec.Struct, frozen=True):
    power: str
    name: str
    books: tuple[BookLine, ...]
    values: tuple[Reckoned, ...]
    #: What a power's own chapter says of it as things stand.
    own_rules: tuple[Told, ...]
    #: What lies in its force pool, and what its turn record track brings, unit by unit.
    pool: tuple[Pile, ...]


class Charts(msgspec.Struct, frozen=True):
    """Every power's BRPs over the war, and where they came from and went, by purpose.

    A point of a line is a moment, the level from then on, and the move and event of the last entry that made it.
    """

    now: int
    series: dict[str, list[list[int]]]
    flows: dict[str, dict[str, int]]


def power_sheet(state: State, power: str) -> PowerSheet:
    """Everything that is reckoned for one power, by its rules' names."""
    power = power_named(power).power
    values = []
    for rule_name, rule in RULES.values().items():
        if (
            rule.parameters == ("power",)
            and not rule.displaces
            and not any(rule in v.parts for v in RULES.values().values())
        ):
            try:
                value = rule(state, power)
            except Exception:
                # A rule that speaks of another power only has nothing to say here.
                continue
            if isinstance(value, int | str | bool):
                values.append(Reckoned(rule_name, rule.gist, rule.clause, value))
    return PowerSheet(
        power, name(power), books_of(state, power), tuple(values), told_of(state, power), piles(state, [power])
    )


def books_of(state: State, power: str) -> tuple[BookLine, ...]:
    """What a power receives BRPs for in a year start."""
    found = []
    for area, it in areas().items():
        amount = balance(state.ledger, Annual(power, area))
        if amount:
            found.append(BookLine(area, it.name, it.kind, amount))
    return tuple(found)


def charts(game: Game, upto: Move, state: State) -> Charts:
    """Every power's BRPs over the war up to a move, and where they came from and went."""
    series: dict[str, list[list[int]]] = {}
    flows: dict[str, dict[str, int]] = {}
    for power in powers():
        points: list[list[int]] = []
        total = 0
        went: dict[str, int] = {}
        for line in game.ledger(Brp(power)):
            if line.move > upto.id:
                break
            total += line.amount
            if points and points[-1][0] == line.moment:
                points.pop()
            points.append([line.moment, total, line.move, line.event])
            if line.move > 1:  # the first move sets the game up: nothing was earned by it
                purpose = purpose_of(line.memo)
                went[purpose] = went.get(purpose, 0) + line.amount
        series[power], flows[power] = points, went
    return Charts(state.moment, series, flows)
