"""Who can be meant by a field that names a nation, country or area: those with units, wars or value, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warcabinet.game.offers import FieldOffer
from warcabinet.model.forces import unit_names
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.state import State
from warcabinet.model.traits import DECLARED_ON
from warcabinet.rules.common.war_and_peace import belligerents
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.set_up import to_be_set_up
from warcabinet.rules.minors.status import border_war_fought

#: Orders and reports about units that come: others are about units that stand somewhere.
ABOUT_NEWCOMERS = ("deploy", "rebuild", "repair", "report_units")


def meant(state: State, command: str, known: dict[str, Any], field: FieldOffer) -> tuple[str, ...]:
    """Of the names that a field may hold those that somebody could mean here; where none could be, all of them."""
    fits = _FITS.get(field.kind.removesuffix(" or none"))
    found = tuple(name for name in field.among if not name or fits is None or fits(state, command, known, name))
    return found or field.among


def _has_units(state: State, command: str, known: dict[str, Any], nation: str) -> bool:
    stands = any(True for _ in state.pieces.of(nation))
    return stands or (command in ABOUT_NEWCOMERS and (nation in powers() or bool(unit_names(nation))))


def _fights(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Peace is made by those who are at war; parts of countries and colonies have no wars of their own."""
    if name in belligerents(state):
        return True
    colony = name in countries() and countries()[name].kind == "colony" and state.countries[name].status == "colony"
    return command != "report_peace" and name not in DECLARED_ON and not colony


def _of_value(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """What these documents do not conquer is conquered by another rule alone; what is worth nothing is not bombed."""
    if command == "report_conquest":
        return areas()[name].kind == "major" or bool(known.get("by_rule"))
    return command != "report_bombing" or areas()[name].brp > 0


def _acts_alone(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Places are taken back by countries that are at war, or fight about their border."""
    return command != "report_recovery" or name in belligerents(state) or border_war_fought(state, name)


#: Whose ships a yard of Canada may take: hers who pays, or another Western Ally's.
SHIPS_IN_CANADA = ("britain", "france", "usa")


def _acts(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Forces are set up by whoever may place them: those of the country named, else any that waits, else any."""
    if command in ("deploy", "deploy_rest"):
        waiting = [known["country"]] if known.get("country") else to_be_set_up(state) or countries()
        return any(name in deployer(state, it) for it in waiting)
    return command != "use_canadian_shipyard" or name in SHIPS_IN_CANADA


_FITS: dict[str, Callable[[State, str, dict[str, Any], str], bool]] = {
    "nation": _has_units,
    "belligerent": _fights,
    "area": _of_value,
    "country": _acts_alone,
    "power": _acts,
}
