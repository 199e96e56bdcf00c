"""Reported units of minor countries: only those that are set up, and that the force table knows (82.51, 82.6)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation, ReportUnits
from warcabinet.model.names import called, countries
from warcabinet.model.pieces import UNBUILT
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, EUROPEAN_FRENCH_COLONIES, VICHY
from warcabinet.model.units import parse_unit, undamaged
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import country_of, units_of
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.border_wars import border_war_escalated, border_war_fought
from warcabinet.rules.minors.commonwealth import added_units
from warcabinet.rules.minors.forces_of_minors import (
    SET_UP_ANEW,
    VOLUNTEERS,
    deployer,
    force_level,
    forces_deployed,
    risen,
    without_forces,
)
from warcabinet.rules.minors.gone import forces_gone, gone_by, gone_for_good, had_before_switch, in_being
from warcabinet.rules.minors.staying import units_off_map

#: Whose forces are told of in chapters that are played outside (75.61, 77).
UNLISTED = (VICHY, *EUROPEAN_FRENCH_COLONIES)


def _listed_units(s: State, cmd: ReportUnits) -> bool:
    """Whether units that a force table knows are reported to have come."""
    return cmd.nation not in UNLISTED and _regular_units(cmd)


def _regular_units(cmd: ReportUnits) -> bool:
    """Whether ground, air or naval units of a minor country are reported to have come."""
    known = cmd.nation in (*countries(), DUTCH)
    return known and parse_unit(cmd.unit)[0].branch in ("ground", "air", "naval") and cmd.count > 0


@limit("82.51", on=ReportUnits, when=lambda s, cmd: _listed_units(s, cmd) and not without_forces(s, cmd.nation))
def reported_once_set_up(s: State, cmd: ReportUnits) -> str | None:
    """A minor country's units are on the map only once they have been set up."""
    if forces_deployed(s, cmd.nation) or units_off_map(s, cmd.nation, cmd.unit) >= cmd.count:
        return None  # they are on the map, or only left another place
    if forces_gone(s, cmd.nation):
        return None  # another limit refuses units that have left play (85.52A)
    volunteers = cmd.nation == VOLUNTEERS and border_war_escalated(s, "finland")
    if s.pieces.has_unbuilt_regulars(cmd.nation) and not volunteers:
        return None
    # Who is to be set up by an order is not set up by a report, whatever border war there was before.
    if deployer(s, cmd.nation):
        return unless_excused(cmd, f"{called(cmd.nation)} is set up first: deploy")
    if cmd.nation in SET_UP_ANEW and border_war_fought(s, cmd.nation):
        return None  # how they are set up then is told elsewhere (66, 67)
    if volunteers:
        return None  # its infantry comes to fight in Finland (86.43)
    fallen = s.countries[country_of(s, cmd.nation)].status == "conquered"
    told = "was conquered; its units are out of play" if fallen else "has not been attacked and stands with nobody"
    return unless_excused(cmd, f"{called(cmd.nation)} {told}")


@limit(
    "85.52A",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.nation in (*countries(), DUTCH) and cmd.count > 0 and parse_unit(cmd.unit)[0].branch != "partisan"
    ),
    also=("83.21", "89.25"),
)
def not_back_in_play(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units that left play for good do not come back by a report."""
    if not forces_gone(s, cmd.nation):
        return None
    told = unless_excused(cmd, f"{called(cmd.nation)}'s units have left play for good")
    return Refusal(gone_by(s, cmd.nation), told) if told else None


@limit(
    "85.53A",
    on=ReportUnits,
    when=lambda s, cmd: _regular_units(cmd) and gone_for_good(s, cmd.nation, undamaged(cmd.unit)) > 0,
    also=("84.47D", "85.47", "85.483"),
)
def not_back_one_by_one(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units that a change of sides eliminated, and ships that were sunk, do not come back by a report."""
    unit = undamaged(cmd.unit)
    gone = gone_for_good(s, cmd.nation, unit)
    level = force_level(s, cmd.nation, unit) or had_before_switch(s, cmd.nation, unit)
    if not level or forces_gone(s, cmd.nation) or in_being(s, cmd.nation, unit) + cmd.count <= level - gone:
        return None
    told = unless_excused(cmd, f"{gone} {unit} of {called(cmd.nation)} left play for good, of {level}")
    return Refusal(_never_again(s, cmd.nation, unit), told) if told else None


def _never_again(s: State, nation: str, unit: str) -> str:
    """The clause by which a unit is gone: ships of associates and of minor allies have each their own."""
    if parse_unit(unit)[0].branch != "naval":
        return "85.53A"
    return "85.483" if s.countries[country_of(s, nation)].status == "allied" else "84.47D"


@limit("82.61", on=ReportUnits, when=lambda s, cmd: _listed_units(s, cmd) and not without_forces(s, cmd.nation))
def reported_within_table(s: State, cmd: ReportUnits) -> str | None:
    # A damaged ship is one of its kind.
    """No more units of a kind are in play than the force table gives."""
    unit = undamaged(cmd.unit)
    have, most = in_being(s, cmd.nation, unit), force_level(s, cmd.nation, unit)
    most += added_units(s, cmd.nation, unit)
    if have + cmd.count <= most:
        return None
    told = f"{have + cmd.count} {unit} of {called(cmd.nation)}: the table gives {most}"
    if s.pieces.count(cmd.nation, UNBUILT, unit):
        told += "; what is unbuilt is built again by rebuild"
    return unless_excused(cmd, told)


#: By which clause a country's lost units come back, or never: those of an associate, those of a minor ally.
BUILT_AGAIN = {
    "ground": ("84.47A", "85.481A"),
    "armor": ("84.47C", "85.482"),
    "air": ("84.47C", "85.482"),
    "naval": ("84.47D", "85.483"),
}


@limit(
    "84.47A",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == VICHY and _regular_units(cmd) and not forces_gone(s, VICHY),
    also=("84.47C", "84.47D", "85.481A", "85.482", "85.483"),
)
def vichy_not_rebuilt_by_report(s: State, cmd: ReportUnits) -> Refusal | None:
    """What Vichy France has lost, though no table tells what it has, is rebuilt by an order, or not at all."""
    kind, unit = parse_unit(cmd.unit)[0], undamaged(cmd.unit)
    lost = s.pieces.count(VICHY, UNBUILT, unit) or (kind.branch == "naval" and gone_for_good(s, VICHY, unit))
    if not lost or had_before_switch(s, VICHY, unit) or units_off_map(s, VICHY, cmd.unit) >= cmd.count:
        return None  # after a change of sides its own clause knows what it had; others only left another place
    associated, allied = BUILT_AGAIN["armor" if kind.unit == "armor" else kind.branch]
    told = unless_excused(cmd, f"Vichy France has lost {unit}: built again by rebuild, if at all")
    return Refusal(allied if s.countries[VICHY].status == "allied" else associated, told) if told else None


@limit("82.62", on=ReportUnits, when=lambda s, cmd: _listed_units(s, cmd) and without_forces(s, cmd.nation))
def no_units_without_forces(s: State, cmd: ReportUnits) -> str | None:
    """A country without armed forces, or a colony, has no units."""
    return unless_excused(cmd, f"{called(cmd.nation)} has no armed forces")


@limit(
    "82.63",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == "ukraine" and _regular_units(cmd) and not risen(s),
    displaces=no_units_without_forces,
)
def none_before_ukraine_rises(s: State, cmd: ReportUnits) -> str | None:
    """The Ukraine has no units before a successful diplomatic die roll for it."""
    return unless_excused(cmd, "Ukrainian units deploy after a diplomatic result by which the Ukraine joins a power")


def _acts_by_itself(s: State, cmd: ReportOperation) -> bool:
    """Whether a minor country's own forces are said to act: no partisans, nor whom chapters outside tell of."""
    return cmd.nation in countries() and cmd.nation not in UNLISTED and not any(units_of(s, cmd.nation))


@limit(
    "82.62",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission != "pass" and _acts_by_itself(s, cmd) and without_forces(s, cmd.nation),
)
def operates_with_forces_only(s: State, cmd: ReportOperation) -> str | None:
    """A country without armed forces attacks, flies and sails as little as its units are set up."""
    return unless_excused(cmd, f"{called(cmd.nation)} has no armed forces")


@limit(
    "83.21",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission != "pass" and _acts_by_itself(s, cmd) and s.countries[cmd.nation].status == "conquered"
    ),
    displaces=operates_with_forces_only,
)
def operates_while_in_play(s: State, cmd: ReportOperation) -> str | None:
    """The units of a conquered country are out of play, and do nothing more."""
    return unless_excused(cmd, f"{called(cmd.nation)} was conquered; its units are out of play")
