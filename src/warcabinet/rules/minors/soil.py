"""The soil of the powers themselves: neither entered nor attacked in peace (82.42, R-0422).

Minor countries and what belongs to a power are guarded by 82.41 and 82.42; what a power cut off a country, as Russia
does Bessarabia and the Finnish border hexes, is guarded here. Where units of one Allied faction may go on
the soil of another, as British ones in Russia, is not told in these chapters, and is not judged.
"""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, PARTS
from warcabinet.rules.common.alliances import at_war, player_of
from warcabinet.rules.common.arrivals import Arrival, destination, mover, regulars_come
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import faction, patron, regulars_at
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.attack import may_attack_country, own_country, shielded_by, whole_of
from warcabinet.rules.minors.geography import closed_to_all, dutch_indies_open, land
from warcabinet.rules.minors.operations import MEETS, comes_to_aid, hostile
from warcabinet.rules.minors.seizure import holder_at_peace, in_its_own_war, vichy_at_war
from warcabinet.rules.minors.status import wages_war


@definition("82.42", "The power of the other side that holds a place of a power's soil and with which one is at peace")
def peaceful_owner(s: State, place: str, power: str) -> str:
    country, owner = land(place)[0], holder(s, place)
    if not country or country == DUTCH or owner not in powers() or power not in powers():
        return ""
    cut_off = _cut_off_by(s, place) == owner
    if country in countries() and not cut_off:
        return ""
    # What becomes of units of a power that has surrendered, as a fleet that sails to the victor, is told elsewhere.
    if (
        s.powers[owner].surrendered
        or s.powers[power].surrendered
        or player_of(owner) == player_of(power)
        or (reading_in_force(s, "R-0422") == "b" and not cut_off)
    ):
        return ""
    return "" if at_war(s, power, owner) or vichy_at_war(s, place, power) else owner


def _cut_off_by(s: State, place: str) -> str:
    """Who has conquered the part of a country in which a place lies: Bessarabia is not entered as Rumania is then."""
    part = land(place)[1]
    return s.countries[part].by if part in PARTS and s.countries[part].status == "conquered" else ""


def _kept_from(s: State, place: str, nation: str) -> tuple[str, str]:
    """The power that leads a nation, and the one whose place it may not enter or attack, if there is one."""
    leader = patron(s, nation)
    owner = peaceful_owner(s, place, leader)
    return leader, "" if owner and wages_war(s, nation, owner) else owner


@limit(
    "82.42",
    "Units do not enter the soil of a power of the other side with which theirs is at peace",
    on=(MoveUnits, ReportMove, ReportUnits),
    # As with reports of control, a position that does not know the wars leaves this to the table.
    when=lambda s, cmd: s.options.declarations == "ordered" and regulars_come(cmd),
)
def not_entered_in_peace(s: State, cmd: Arrival) -> str | None:
    where = destination(cmd)
    leader, owner = _kept_from(s, place_key(where), mover(cmd))
    if not owner:
        return None
    told = f"{where} is {powers()[owner].name}'s, with whom {powers()[leader].name} is at peace"
    return told if isinstance(cmd, MoveUnits) else unless_excused(cmd, told)


@limit(
    "82.42",
    "Nobody attacks the soil of a power of the other side with which he is at peace",
    on=ReportOperation,
    when=lambda s, cmd: s.options.declarations == "ordered" and hostile(cmd),
)
def not_attacked_in_peace(s: State, cmd: ReportOperation) -> str | None:
    leader, owner = _kept_from(s, place_key(cmd.at), cmd.nation)
    if not owner:
        return None
    return unless_excused(cmd, f"{cmd.at} is {powers()[owner].name}'s, with whom {powers()[leader].name} is at peace")


def _met(s: State, cmd: ReportOperation) -> str:
    """Whose ships, aircraft or sea supply are met: of whom it is said, or who holds the place to which supply goes."""
    if cmd.against:
        return patron(s, cmd.against)
    return holder(s, place_key(cmd.at)) if cmd.at and cmd.mission == "attack sea supply" else ""


@limit(
    "82.42",
    "Nobody meets the ships, aircraft or sea supply of a power of the other side with which he is at peace",
    on=ReportOperation,
    when=lambda s, cmd: (
        s.options.declarations == "ordered"
        and cmd.mission in (*MEETS, "raid")
        and bool(cmd.at or cmd.against)
        and not comes_to_aid(s, cmd)  # of that 82.72 and 82.82 speak
    ),
)
def supply_not_attacked_in_peace(s: State, cmd: ReportOperation) -> str | None:
    leader, owner = patron(s, cmd.nation), _met(s, cmd)
    if not leader or owner not in powers() or s.powers[owner].surrendered or player_of(owner) == player_of(leader):
        return None
    if at_war(s, leader, owner) or at_war(s, cmd.nation, owner) or reading_in_force(s, "R-0422") == "b":
        return None
    if cmd.against:
        return unless_excused(cmd, f"{powers()[leader].name} is at peace with {powers()[owner].name}")
    return unless_excused(cmd, f"{cmd.at} is {powers()[owner].name}'s, with whom {powers()[leader].name} is at peace")


@limit(
    "82.42",
    "Nobody attacks what a power with which he is at peace has taken in a country that he leads or fights",
    on=ReportOperation,
    when=lambda s, cmd: (
        s.options.declarations == "ordered"
        and hostile(cmd)
        and bool(patron(s, cmd.nation))
        and land(place_key(cmd.at))[0] != DUTCH  # of attacks there 82.93 speaks
    ),
)
def spoils_not_attacked_in_peace(s: State, cmd: ReportOperation) -> str | None:
    told = _taken_by_the_peaceful(s, cmd.nation, cmd.at) or _peaceful_units(s, cmd.nation, cmd.at)
    return unless_excused(cmd, told)


def _peaceful_units(s: State, nation: str, place: str) -> str | None:
    """Why units on a hex of one's own side are not attacked: those caught there as the country turned are at peace."""
    key, leader = place_key(place), patron(s, nation)
    if faction(s, holder(s, key)) != faction(s, leader):
        return None
    there = {patron(s, it.nation) for it in regulars_at(s, key)} - {""}
    others = sorted(it for it in there if player_of(it) != player_of(leader))
    if not others or any(at_war(s, leader, it) or wages_war(s, nation, it) for it in others):
        return None
    return f"units of {powers()[others[0]].name}, with whom {powers()[leader].name} is at peace, stand at {place}"


def _taken_by_the_peaceful(s: State, nation: str, place: str) -> str | None:
    """Why a place in a country is closed: a power at peace with the nation's has taken it there."""
    key, leader = place_key(place), patron(s, nation)
    there = land(key)[0]
    owner = holder_at_peace(s, key, leader) if leader and (there in countries() or there == DUTCH) else ""
    if (
        not owner
        or player_of(owner) == player_of(leader)
        or wages_war(s, nation, owner)
        or s.powers[leader].surrendered
        or _kept_from(s, key, nation)[1]  # the soil of the power itself: another limit refuses that
    ):
        return None
    # Where he neither leads nor fights the country 82.41 refuses it, in the Indies 84.33.
    if not (dutch_indies_open(s, leader) if there == DUTCH else _leads_or_fights(s, leader, whole_of(s, there))):
        return None
    # Its own enemy fights an associate on; the power that leads it stays out of that war (R-1961).
    if there != DUTCH and not own_country(s, leader, whole_of(s, there)) and in_its_own_war(s, key, leader, owner):
        return None
    return f"{place} is {powers()[owner].name}'s, with whom {powers()[leader].name} is at peace"


def _leads_or_fights(s: State, power: str, country: str) -> bool:
    return own_country(s, power, country) or may_attack_country(s, power, country)


@limit(
    "82.42",
    "Units do not enter what a power with which theirs is at peace has taken in a country that theirs leads or fights",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: s.options.declarations == "ordered" and regulars_come(cmd),
)
def spoils_not_entered_in_peace(s: State, cmd: Arrival) -> str | None:
    told = _taken_by_the_peaceful(s, mover(cmd), destination(cmd))
    if told and _kept_from(s, place_key(destination(cmd)), mover(cmd))[1]:
        return None  # what a power has cut off a country is told of as its soil
    return told if isinstance(cmd, MoveUnits) else unless_excused(cmd, told)


@limit(
    "82.34",
    "Nobody goes on into a country that a power with which he is at peace has garrisoned since he declared war on it",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: s.options.declarations == "ordered" and regulars_come(cmd),
)
def not_entered_past_garrison(s: State, cmd: Arrival) -> str | None:
    leader, key = patron(s, mover(cmd)), place_key(destination(cmd))
    if not leader or land(key)[0] not in countries() or faction(s, holder(s, key)) == faction(s, leader):
        return None
    country = whole_of(s, land(key)[0])
    power = shielded_by(s, country, leader)
    if not power:
        return None
    told = f"{countries()[country].name} is garrisoned by {powers()[power].name}: declare_war comes first"
    return told if isinstance(cmd, MoveUnits) else unless_excused(cmd, told)


@limit("82.41", "Nobody takes anything in Switzerland, on which no war is declared", on=ReportControl)
def switzerland_not_taken(s: State, cmd: ReportControl) -> str | None:
    closed = next((it for it in cmd.places if closed_to_all(place_key(it))), "")
    return unless_excused(cmd, f"{closed} lies in Switzerland, which is closed to everyone") if closed else None


@limit("82.41", "Nobody attacks in Switzerland", on=ReportOperation, when=lambda s, cmd: hostile(cmd))
def switzerland_not_attacked(s: State, cmd: ReportOperation) -> str | None:
    told = f"{cmd.at} lies in Switzerland, which is closed to everyone"
    return unless_excused(cmd, told) if closed_to_all(place_key(cmd.at)) else None
