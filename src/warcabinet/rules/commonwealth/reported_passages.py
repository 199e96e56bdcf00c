"""Straits and canals that a minor country's units passed, as two reports tell it: they left a place, they came."""

from __future__ import annotations

from typing import Any

from warcabinet.kernel.limits import Limit, Refusal
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.commonwealth.gibraltar_strait import (
    no_redeployment_at_z8,
    redeployed_past_gibraltar,
    redeployed_to_gibraltar,
)
from warcabinet.rules.countries.axis_at_suez import axis_ships_reported, axis_through_canal
from warcabinet.rules.countries.denmark import kattegat_is_shut
from warcabinet.rules.countries.suez import canal_closed, canal_passage
from warcabinet.rules.countries.suez_redeployment import reported_as_ordered, reported_past_a_box
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.staying import places_left, units_off_map

#: What a reported move of a power's units is held to at straits and canals, the nearest clause first.
_PASSAGES: tuple[Limit[State, Any], ...] = (
    kattegat_is_shut,
    canal_closed,
    canal_passage,
    axis_through_canal,
    reported_past_a_box,
    reported_as_ordered,
    redeployed_to_gibraltar,
    no_redeployment_at_z8,
    redeployed_past_gibraltar,
)


def _not_passed(s: State, cmd: ReportUnits, origin: str) -> Refusal | None:
    """What is against units having gone to a place from one that such units left; nothing if they may have."""
    meant = ReportMove(cmd.nation, (cmd.unit,) * cmd.count, origin, place_key(cmd.at))
    for rule in _PASSAGES:
        told = rule(s, meant) if rule.holds(s, meant) else None
        if isinstance(told, Refusal):
            return told
        if told:
            return Refusal(rule.clause, str(told))
    return None


@limit(
    "86.13",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.count > 0
        and parse_unit(cmd.unit)[0].branch in ("ground", "naval")
        and units_off_map(s, cmd.nation, cmd.unit) > 0
        # Axis ships beyond the canal are judged wherever they come from.
        and not axis_ships_reported.holds(s, cmd)
    ),
    also=("73.41", "73.42", "88.342", "88.344", "88.36", "88.37", "88.54"),
)
def not_reported_past(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units of a minor country that left a place have not come to another past a strait or canal that is shut to
    them.
    """
    found = [_not_passed(s, cmd, it) for it in places_left(s, cmd.nation, cmd.unit)]
    nearest = next((it for it in found if it), None)
    if nearest is None or not all(found):
        return None
    refused = unless_excused(cmd, nearest.text)
    return Refusal(nearest.clause, refused) if refused else None
