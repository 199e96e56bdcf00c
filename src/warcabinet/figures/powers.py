"""Figures of one power: base and level, faction, what the last year start left; and every value asked for a power."""

from __future__ import annotations

from typing import Any

from warcabinet.figures.amounts import converted, count_of, integer, set_balance
from warcabinet.figures.blanks import BLANKS, Blank
from warcabinet.figures.figure import Figure
from warcabinet.kernel.errors import unknown
from warcabinet.kernel.rules import RULES, Determination
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.events import Determined, Event, PowerChanged
from warcabinet.model.ledger import balance
from warcabinet.model.names import among, powers
from warcabinet.model.state import State
from warcabinet.rules.economy.base import base, level, oil_for_growth, year_start_total
from warcabinet.rules.economy.spending import construction_limit


def of_a_power() -> list[str]:
    """The values that are asked for a power alone."""
    return [name for name, rule in RULES.values().items() if rule.parameters == ("power",)]


def _value_named(name: str) -> str:
    if name not in of_a_power():
        own = (figure.path.rpartition(".")[2] for figure in ROWS if figure.settable)
        raise unknown("figure of a power", name, [*own, *of_a_power()])
    return name


BLANKS["value"] = Blank(_value_named, of_a_power)


def _set_base(s: State, power: str, to: Any) -> list[Event]:
    return set_balance(s, Base(power), count_of(f"powers.{power}.base", to))


def _set_level(s: State, power: str, to: Any) -> list[Event]:
    return set_balance(s, Brp(power), integer(f"powers.{power}.brp", to))


def _set_faction(s: State, power: str, to: Any) -> list[Event]:
    known = sorted({it.faction for it in powers().values()})
    return [PowerChanged(power, faction=among("faction", lambda: known)(str(to)))]


def _set_surrendered(s: State, power: str, to: Any) -> list[Event]:
    return [PowerChanged(power, surrendered=converted(f"powers.{power}.surrendered", to, bool))]


def _set_total(s: State, power: str, to: Any) -> list[Event]:
    fixed = Determination(integer(year_start_total.name, to), year_start_total.clause, "set", "year")
    return [Determined(year_start_total.name, (power,), fixed)]


def _set_oil(s: State, power: str, to: Any) -> list[Event]:
    used = converted(f"powers.{power}.{oil_for_growth.name}", to, bool)
    return [Determined(oil_for_growth.name, (power,), Determination(used, oil_for_growth.clause, "set", "year"))]


def _set_construction_limit(s: State, power: str, to: Any) -> list[Event]:
    """For the turn under way: in the next it is reckoned again."""
    limit = count_of(f"powers.{power}.{construction_limit.name}", to)
    fixed = Determination(limit, construction_limit.clause, "set", "turn")
    return [Determined(construction_limit.name, (power,), fixed)]


ROWS = (
    Figure(
        "powers.<power>.base",
        "BRP base",
        "powers.germany.base: 150",
        lambda s, power: balance(s.ledger, Base(power)),
        _set_base,
        rule=base.name,
    ),
    Figure(
        "powers.<power>.brp",
        "BRP level",
        "powers.germany.brp: 60",
        lambda s, power: balance(s.ledger, Brp(power)),
        _set_level,
        rule=level.name,
    ),
    Figure(
        "powers.<power>.faction",
        "alliance faction",
        "powers.china.faction: western allies",
        lambda s, power: s.powers[power].faction,
        _set_faction,
    ),
    Figure(
        "powers.<power>.surrendered",
        "whether it has surrendered",
        "powers.britain.surrendered: true",
        lambda s, power: s.powers[power].surrendered,
        _set_surrendered,
    ),
    Figure(
        "powers.<power>.year_start_total",
        "the total of the last year start",
        "powers.china.year_start_total: 20",
        lambda s, power: year_start_total(s, power),
        _set_total,
        rule=year_start_total.name,
    ),
    Figure(
        "powers.<power>.oil_for_growth",
        "whether the oil that its growth requires is used in the coming year start",
        "powers.germany.oil_for_growth: false",
        lambda s, power: oil_for_growth(s, power),
        _set_oil,
        rule=oil_for_growth.name,
    ),
    Figure(
        "powers.<power>.construction_limit",
        "construction limit of the turn under way",
        "powers.germany.construction_limit: 20",
        lambda s, power: construction_limit(s, power),
        _set_construction_limit,
        rule=construction_limit.name,
    ),
    Figure(
        "powers.<power>.<value>",
        "any value of one power, by its rule's name",
        "powers.usa.growth_rate: 12",
        lambda s, power, value: RULES.values()[value](s, power),
        "<value> is computed, not set; the referee may rule on it instead",
        rule="<value>",
    ),
)
