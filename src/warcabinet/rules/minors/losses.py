"""Losses as they are reported: whose they are, and who is spared them (82.13, 82.33, 82.56, 85.5)."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.kernel.limits import Refusal
from warcabinet.model.agenda import Caught
from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import counted
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import side_of, standing_at
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.caught_units import came_later, caught_by, supplied_regardless
from warcabinet.rules.minors.geography import land


@definition("82.13C", "A nation of its own for attrition, air losses and recombining squadrons")
def separate_nationality(s: State, nation: str) -> bool:
    return nation in countries()


def _british_loss(cmd: ReportLoss | ReportUnits) -> Mapping[str, int]:
    """The units that are reported as British losses."""
    if isinstance(cmd, ReportLoss):
        return counted(cmd.units) if cmd.power == "britain" else {}
    return {cmd.unit: -cmd.count} if cmd.nation == "britain" and cmd.count < 0 else {}


@limit("82.13C", on=(ReportLoss, ReportUnits), when=lambda s, cmd: bool(_british_loss(cmd)))
def lost_by_nationality(s: State, cmd: ReportLoss | ReportUnits) -> str | None:
    """Commonwealth units are lost as their own nationality, not as British ones."""
    key = place_key(cmd.at)
    for unit, count in _british_loss(cmd).items():
        if standing_at(s, "britain", key, unit) >= count:
            continue
        for nation in COMMONWEALTH:
            if standing_at(s, nation, key, unit) and separate_nationality(s, nation):
                return f"the {unit} there is a nationality of its own: report it as {called(nation)}'s (report_units)"
    return None


@definition("82.13D", also=("71.154", "72.164"))
def stays_in_british_pool(s: State, nation: str) -> bool:
    """Commonwealth units stay in the British force pool after a British surrender."""
    return nation in countries() and s.countries[nation].status == "commonwealth"


def _britain_moves(s: State) -> bool:
    """Whether it is a phase in which units that move with Britain's are ordered from one place to another."""
    return s.player == player_of("britain") and s.place.step.name in ("movement", "combat", "redeployment")


@limit(
    "82.13D",
    on=ReportUnits,
    when=lambda s, cmd: s.powers["britain"].surrendered and cmd.nation in COMMONWEALTH and cmd.count < 0,
)
def commonwealth_fights_on(s: State, cmd: ReportUnits) -> str | None:
    # Who leaves a place while his side moves stands elsewhere before play goes on (`units_stay_on_map`).
    """A British surrender takes no Commonwealth units out of play."""
    if cmd.lost or not stays_in_british_pool(s, cmd.nation) or _britain_moves(s):
        return None
    return unless_excused(
        cmd, f"{called(cmd.nation)}'s units stay in the force pool: report what is eliminated as lost"
    )


@limit(
    "82.56",
    on=(ReportLoss, ReportUnits),
    when=lambda s, cmd: cmd.unsupplied and bool(cmd.at),
    also=("82.33", "85.52D", "85.53B"),
)
def caught_units_supplied(s: State, cmd: ReportLoss | ReportUnits) -> Refusal | None:
    """Units caught where a country turned are in at least partial supply, and not eliminated for lack of it."""
    key = place_key(cmd.at)
    nation = cmd.power if isinstance(cmd, ReportLoss) else cmd.nation
    side = side_of(s, nation)
    country = supplied_regardless(s, side, key, land(key)[0])
    if not country:
        return None
    lost = counted(cmd.units) if isinstance(cmd, ReportLoss) else {cmd.unit: -cmd.count}
    if all(count <= came_later(s, nation, unit, country) for unit, count in lost.items()):
        return None
    told = unless_excused(cmd, f"units in {called(country)} are in at least partial supply")
    turned = caught_by(s, Caught(country, side))
    return Refusal(turned if turned in ("85.52D", "85.53B") else "82.56", told) if told else None
