"""Who can be meant by a field that names a nation, country or area: those with units, wars or value, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warcabinet.game.offers import FieldOffer, may_be_given, refused_values
from warcabinet.model.forces import unit_names
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.places import area_holder
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, DECLARED_ON
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_branch
from warcabinet.rules.common.books import out_of_the_economy
from warcabinet.rules.common.pieces import country_of, patron
from warcabinet.rules.common.war_and_peace import belligerents
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.set_up import to_be_set_up
from warcabinet.rules.minors.status import border_war_fought

#: Orders and reports about units that come: others are about units that stand somewhere.
ABOUT_NEWCOMERS = ("deploy", "repair", "report_units")
#: Orders about units that were lost, and reports of what only happens in war.
LOST = ("rebuild", "rebuild_by_count")
FIGHTING = ("report_battle", "report_operation")
#: Who is bound to another by this has no wars of its own.
WITHOUT_WARS = ("colony", "commonwealth", "conquered")


def meant(state: State, command: str, known: dict[str, Any], field: FieldOffer) -> tuple[str, ...]:
    """Of the names that a field may hold those that somebody could mean here; all of them where none could be.

    Where nobody has lost a unit, none is built again.
    """
    if field.name == "declared_by" and known.get("between"):
        return tuple(name for name in field.among if not name or name in known["between"])
    if (command, field.name) == ("report_status", "status"):
        may_be = _statuses(state, known, field.among)
        return tuple(it for it in field.among if it in may_be) or field.among
    fits = _FITS.get(field.kind.removesuffix(" or none"))
    found = tuple(name for name in field.among if not name or fits is None or fits(state, command, known, name))
    if command == "report_peace" and len(known.get("between", ())) == 1:
        refused = refused_values(state, command, known, field.name, found)
        found = tuple(name for name in found if name not in refused)
    return found if found or command in LOST else field.among


def _has_units(state: State, command: str, known: dict[str, Any], nation: str) -> bool:
    """Whose units stand somewhere, or could come; only aircraft are inverted, and only those who are at war fight."""
    if command in LOST:
        standing = state.countries.get(country_of(state, nation))
        fallen = standing is not None and standing.status == "conquered"
        return nation not in powers() and not fallen and any(unbuilt(state, nation))
    if command in FIGHTING and not _at_war(state, nation):
        return False
    stacks = state.pieces.of(nation)
    if any(command != "report_inversion" or unit_branch(it.unit) == "air" for it in stacks):
        return True
    return command in ABOUT_NEWCOMERS and (nation in powers() or bool(unit_names(nation)))


def _at_war(state: State, nation: str) -> bool:
    """Whether a nation fights, by itself or with the power that commands its units."""
    fights = belligerents(state)
    return nation in fights or patron(state, nation) in fights or border_war_fought(state, nation)


def _fights(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Peace is made by those who are at war; what is part of another, or conquered, has no wars of its own.

    Grants go to the Commonwealth too, which fights with Britain.
    """
    if name in belligerents(state) or (command == "grant" and name in COMMONWEALTH):
        return True
    bound = name in countries() and state.countries[name].status in WITHOUT_WARS
    return command != "report_peace" and name not in DECLARED_ON and not bound


def _of_value(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """What these documents do not conquer is conquered by another rule alone; what is worth nothing is not bombed."""
    if command == "report_conquest":
        return areas()[name].kind == "major" or bool(known.get("by_rule"))
    if command == "eliminate_ic":
        return areas()[name].kind == "ic"
    if command == "report_bombing":
        holder = area_holder(state, name)
        loser = patron(state, holder) if holder in state.countries else holder
        return areas()[name].brp > 0 and known.get("power", loser) == loser
    return command != "report_participation" or areas()[name].brp > 0


def _acts_alone(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Places are taken back by countries that are at war, or fight about their border."""
    return command != "report_recovery" or name in belligerents(state) or border_war_fought(state, name)


def _statuses(state: State, known: dict[str, Any], among: tuple[str, ...]) -> set[str]:
    """To what a country may come, with some power or with none: asked once the country is known."""
    if "country" not in known:
        return set(among)
    # How many BRPs it brings is told beside them.
    said = {"country": known["country"], "by_rule": known.get("by_rule", ""), "brp": 0}
    whom = [known["power"]] if known.get("power") else ["", *powers()]

    def may_be(status: str) -> bool:
        return any(may_be_given(state, "report_status", {**said, "status": status, "power": power}) for power in whom)

    return {state.countries[known["country"]].status, *filter(may_be, among)}


#: Reports of what a power has or does in its economy, which one that surrendered has no more.
OF_AN_ECONOMY = ("report_oil", "report_full_supply")
#: Whose ships a yard of Canada may take: hers who pays, or another Western Ally's.
SHIPS_IN_CANADA = ("britain", "france", "usa")


def _acts(state: State, command: str, known: dict[str, Any], name: str) -> bool:
    """Forces are set up by whoever may place them: those of the country named, else any that waits, else any."""
    if command in OF_AN_ECONOMY:
        return not out_of_the_economy(state, name)
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
