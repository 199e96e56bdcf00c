"""From which bases units operate: a minor country's in its areas, a power's where they may be (84.33, 84.46, 85.62)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH
from warcabinet.rules.common.alliances import stands_with
from warcabinet.rules.common.pieces import NEUTRAL, patron
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import closed_ground, in_area, land
from warcabinet.rules.minors.lent import eastern, in_own_colony, lent_units
from warcabinet.rules.minors.operations import FLOWN_OR_SAILED, SALLIES, whose_land

#: Missions for which aircraft and ships leave a base of their own; what ships carry may come from another port.
FROM_BASES = (*SALLIES, *FLOWN_OR_SAILED)


def _bound_to_bases(s: State, cmd: ReportOperation) -> bool:
    """Whether aircraft or ships of a country fly or sail, and it is said from where."""
    if cmd.branch == "ground" or cmd.mission not in FROM_BASES or not cmd.origin:
        return False
    if cmd.nation == DUTCH:
        return True
    if cmd.nation not in countries() or countries()[cmd.nation].theater != "europe":
        return False
    return s.countries[cmd.nation].status in ("associated", "allied") or fights_alone(s, cmd.nation)


@limit(
    "84.46A",
    "Aircraft and ships of a minor country operate from bases in its own areas",
    on=ReportOperation,
    when=_bound_to_bases,
    also=("84.46B", "85.461"),
)
def operates_from_its_bases(s: State, cmd: ReportOperation) -> Refusal | None:
    clause = _clause(s, cmd.nation)
    if in_area(s, cmd.nation, place_key(cmd.origin)) or (clause == "84.46A" and _based_there(s, cmd)):
        return None
    told = f"{called(cmd.nation)}'s {'aircraft' if cmd.branch == 'air' else 'ships'} do not base in {cmd.origin}"
    return Refusal(clause, told)


def _clause(s: State, nation: str) -> str:
    """The clause that says where a country's aircraft and ships base."""
    if nation == DUTCH:
        return "84.46B"
    return "85.461" if s.countries[nation].status == "allied" else "84.46A"


def _based_there(s: State, cmd: ReportOperation) -> bool:
    """Whether units may be there by an exception: lent ones in the east, those in colonies of theirs (R-2140)."""
    if in_own_colony(s, cmd.nation, cmd.origin):
        return True
    lent = any(
        lent_units(s, cmd.nation, it.unit) for it in s.pieces.at(place_key(cmd.origin)) if it.nation == cmd.nation
    )
    return lent and eastern(s, cmd.origin)


def _powers_sally(cmd: ReportOperation) -> bool:
    """Whether a power's or the Commonwealth's units attack, fly or sail, and it is said from where."""
    if cmd.mission not in FROM_BASES or not cmd.origin:
        return False
    return cmd.nation in powers() or cmd.nation in COMMONWEALTH_BOXES


@limit(
    "84.33",
    "Western units, which may not be in the Dutch East Indies before these associate, do not attack out of them",
    on=ReportOperation,
    when=lambda s, cmd: _powers_sally(cmd),
    also=("89.24",),
)
def no_sally_from_dutch_indies(s: State, cmd: ReportOperation) -> str | None:
    if closed_ground(s, place_key(cmd.origin), patron(s, cmd.nation)) != "84.33":
        return None
    return f"{called(cmd.nation)}: its units are not in {cmd.origin} before the Dutch East Indies associate"


@limit(
    "82.41",
    "A power does not attack out of a country that fights alone, and that its units may not enter",
    on=ReportOperation,
    when=lambda s, cmd: s.options.declarations == "ordered" and _powers_sally(cmd),
)
def no_sally_from_who_fights_alone(s: State, cmd: ReportOperation) -> str | None:
    country = whose_land(s, place_key(cmd.origin))
    alone = country in countries() and s.countries[country].status == "independent"
    if not alone or in_area(s, cmd.nation, place_key(cmd.origin)) or _in_communist_hexes(s, cmd):
        return None
    return f"{countries()[country].name} fights alone, and is closed to {called(cmd.nation)}"


@limit(
    "85.62",
    "Russians, who stay out of Communist China's hexes until Russia fights Japan, do not operate from them",
    on=ReportOperation,
    when=lambda s, cmd: cmd.nation == "russia" and _powers_sally(cmd),
)
def no_sally_from_communist_china(s: State, cmd: ReportOperation) -> str | None:
    if not _in_communist_hexes(s, cmd):
        return None
    return f"{cmd.origin} is Communist China's; Russians enter its hexes once Russia is at war with Japan"


def _in_communist_hexes(s: State, cmd: ReportOperation) -> bool:
    """Whether Russians would leave a base in a hex of Communist China's that is still closed to them."""
    return closed_ground(s, place_key(cmd.origin), cmd.nation) == "85.62"


def _no_attack(s: State, cmd: ReportOperation) -> bool:
    """Whether a power's units only defend, escort or intercept; of attacks out of a neutral country 82.33 speaks."""
    return _powers_sally(cmd) and cmd.mission not in SALLIES


@limit(
    "84.32",
    "Neither side's aircraft or ships are in Thailand before it joins Japan, not even to defend out of it",
    on=ReportOperation,
    when=_no_attack,
    also=("89.51B",),
)
def no_base_in_thailand(s: State, cmd: ReportOperation) -> str | None:
    if closed_ground(s, place_key(cmd.origin), patron(s, cmd.nation)) != "84.32":
        return None
    return f"{called(cmd.nation)}: its units are not in {cmd.origin} before Thailand joins Japan"


@limit(
    "82.41",
    "A power does not defend out of a neutral country that is closed to it, unless its units still stand there",
    on=ReportOperation,
    when=lambda s, cmd: s.options.declarations == "ordered" and _no_attack(s, cmd),
)
def no_base_in_neutral(s: State, cmd: ReportOperation) -> str | None:
    place = place_key(cmd.origin)
    country = land(place)[0]
    neutral = country in countries() and s.countries[country].status in NEUTRAL
    # Units that a reversed result caught there defend it, and themselves, until they leave (82.33).
    there = any(it.nation == cmd.nation for it in s.pieces.at(place))
    there = there or stands_with(s, holder(s, place), patron(s, cmd.nation))
    if not neutral or there or country == "thailand" or in_area(s, cmd.nation, place):
        return None
    return f"{countries()[country].name} is {s.countries[country].status}, and {called(cmd.nation)} has no units in it"
