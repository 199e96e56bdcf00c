"""Imports every chapter, so that all rules are registered; then holds the sequence against them."""

from __future__ import annotations

from warcabinet.kernel.clause import cite
from warcabinet.kernel.rules import RULES, Effect
from warcabinet.model import calendar
from warcabinet.model.commands import command_types
from warcabinet.rules import alliances, declarations, table
from warcabinet.rules.economy import (
    base,
    captures,
    construction,
    deferral,
    force_pools,
    growth,
    ic_values,
    industrial_centers,
    key_areas,
    mobilization,
    mobilization_schedule,
    mobilized_units,
    shipbuilding,
    spending,
    timing,
    turn_track,
    year_start,
)
from warcabinet.rules.minors import (
    alliance,
    association,
    attack,
    building,
    conquest,
    forces,
    geography,
    grace,
    lent,
    limits,
    operations,
    pacific,
    participation,
    partisans,
    recapture,
    results,
    seizure,
    status,
    surrender,
    units,
    worth,
)


def _check() -> None:
    """Every effect that the sequence lists exists, and every command has its order."""
    for place in calendar.steps():
        for name in place.step.effects:
            if not isinstance(RULES.by_name.get(name), Effect):
                raise LookupError(f"sequence.yaml: no effect is called {name}")
        if place.step.source != "assumed":
            cite(place.step.source)
    for name, kind in command_types().items():
        if kind not in RULES.orders:
            raise LookupError(f"no order carries out the command {name}")


_check()

__all__ = [
    "alliance",
    "alliances",
    "association",
    "attack",
    "base",
    "building",
    "captures",
    "conquest",
    "construction",
    "declarations",
    "deferral",
    "force_pools",
    "forces",
    "geography",
    "grace",
    "growth",
    "ic_values",
    "industrial_centers",
    "key_areas",
    "lent",
    "limits",
    "mobilization",
    "mobilization_schedule",
    "mobilized_units",
    "operations",
    "pacific",
    "participation",
    "partisans",
    "recapture",
    "results",
    "seizure",
    "shipbuilding",
    "spending",
    "status",
    "surrender",
    "table",
    "timing",
    "turn_track",
    "units",
    "worth",
    "year_start",
]
