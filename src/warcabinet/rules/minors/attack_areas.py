"""Where units of minor countries attack, land and sail: in their areas and beside them (84.46, 85.46, 85.462)."""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.missions import ATTACKS
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import european, fleet_may_operate, may_enter
from warcabinet.rules.minors.lent import fights_abroad
from warcabinet.rules.minors.operations import sails
from warcabinet.rules.minors.staying import ASIANS


@barred(
    "84.46A",
    acts=("attack",),
    when=lambda s, it: it.exact and it.how in ATTACKS and it.cmd.branch == "ground" and _restricted(s, it.nation) != "",
    also=("84.46B", "85.462", "85.46I", "89.51C"),
)
def attacks_beside_its_areas(s: State, it: Presence) -> Refusal | None:
    """Ground units of a minor country attack in the areas open to them, and next to these."""
    clause = _restricted(s, it.nation)
    if clause == "84.46A" and fights_abroad(s, it.nation, it.place):
        return None
    # Who lands from the sea comes ashore in the hex itself, and not beside it.
    purpose = "advance" if clause == "85.462" and _lands(it.cmd) else "attack"
    may = may_enter(s, it.nation, it.place, purpose)
    return None if may else Refusal(clause, f"{called(it.nation)} may not attack {it.place}")


@limit(
    "85.46",
    on=ReportOperation,
    when=lambda s, cmd: (
        (cmd.branch, cmd.mission) == ("ground", "sea transport")
        and bool(cmd.at)
        and _restricted(s, cmd.nation) == "85.462"
    ),
)
def carried_within_area(s: State, cmd: ReportOperation) -> str | None:
    """Ships do not carry a minor ally's ground units to where they may not be."""
    place = place_key(cmd.at)
    at_sea = not place.startswith("box/") and not by_key(place).is_land
    if at_sea or may_enter(s, cmd.nation, cmd.at, "advance"):
        return None
    return unless_excused(cmd, f"{called(cmd.nation)}: its units may not enter {cmd.at} by sea transport")


@limit(
    "84.46B",
    on=ReportOperation,
    also=("89.51C",),
    when=lambda s, cmd: cmd.nation == "thailand" and cmd.branch == "ground" and cmd.mission in ATTACKS,
)
def thais_spare_the_west(s: State, cmd: ReportOperation) -> str | None:
    """Thais do not attack Western Allied units."""
    western = bool(cmd.against) and side_of(s, cmd.against) == "western allies"
    return "Thai units do not attack Western Allied ones" if western else None


def _restricted(s: State, nation: str) -> str:
    """By which clause a nation's ground units may attack only so far."""
    if nation == "vlasov":
        return "85.46I"
    if nation in ASIANS:
        return "84.46B"
    if not european(nation):
        return ""
    if s.countries[nation].status == "allied":
        return "85.462"
    return "84.46A" if s.countries[nation].status == "associated" or fights_alone(s, nation) else ""


def _lands(cmd: ReportOperation) -> bool:
    """Whether ground units attack a coast from a coast that does not lie beside it."""
    if not cmd.origin or not sails(cmd):
        return False
    return all(not it.startswith("box/") and by_key(it).seas for it in map(place_key, (cmd.origin, cmd.at)))


def _fleet_bound(s: State, nation: str) -> bool:
    """Whose fleet is bound to its sea and may not raid: a minor ally's, not an associate's (R-0494)."""
    return s.countries[nation].status == "allied"


@limit(
    "85.461",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "naval" and cmd.nation in countries() and _fleet_bound(s, cmd.nation),
)
def fleets_keep_to_their_seas(s: State, cmd: ReportOperation) -> str | None:
    """Rumanian ships keep to the Black Sea; Swedish, Spanish, Turkish and Vichy ships do not raid."""
    key = place_key(cmd.at) if cmd.at else ""
    seas = by_key(key).seas if key and not key.startswith("box/") else ()
    if any(fleet_may_operate(s, cmd.nation, sea, cmd.mission) for sea in seas or ("",)):
        return None
    if cmd.mission == "raid":
        return f"{called(cmd.nation)}'s ships do not raid"
    return f"{called(cmd.nation)}'s ships operate only in the Black Sea" + ("" if seas else ": say in which hex (at)")
