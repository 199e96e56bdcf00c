"""Finds and imports every module of rules, the documents' and our own, so that all are registered; then holds them
against each other."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import msgspec

from warcabinet import house, rules
from warcabinet.kernel.clause import cite
from warcabinet.kernel.effects import Effect
from warcabinet.kernel.rules import RULES, Misplaced
from warcabinet.kernel.tables import read_csv
from warcabinet.model import calendar
from warcabinet.model.commands import command_types
from warcabinet.model.names import DATA


def modules() -> list[str]:
    """Every module under `rules` and `house`, by name."""
    found = (it for home in (rules, house) for it in pkgutil.walk_packages(home.__path__, f"{home.__name__}."))
    return sorted(it.name for it in found if it.name != __name__)


def check() -> None:
    """Every effect that the sequence lists exists, every command has its order, effects know their order."""
    for place in calendar.steps():
        for name in place.step.effects:
            if not isinstance(RULES.by_name.get(name), Effect):
                raise Misplaced(f"sequence.yaml: no effect is called {name}")
        if place.step.unless and place.step.unless not in RULES.values():
            raise Misplaced(f"sequence.yaml: no definition is called {place.step.unless}")
        if place.step.source != "assumed":
            cite(place.step.source)
    for old, now in RULES.old_names.items():
        if old in RULES.by_name or now not in RULES.by_name:
            raise Misplaced(f"old_figures.csv: {old} is still a rule, or {now} is none")
    for name, kind in command_types().items():
        if kind not in RULES.orders:
            raise Misplaced(f"no order carries out the command {name}")
        order = RULES.orders[kind]
        if kind.reply and (order.phases or not order.out_of_turn):
            raise Misplaced(f"{name} is a reply: its order is given out of turn, in no phase of its own")


class OldFigure(msgspec.Struct, frozen=True):
    """A figure that can no longer be asked for by its old name, and the one that answers for it now."""

    old: str
    now: str


for _name in modules():
    import_module(_name)
RULES.old_names = {it.old: it.now for it in read_csv(DATA / "old_figures.csv", OldFigure)}
check()
