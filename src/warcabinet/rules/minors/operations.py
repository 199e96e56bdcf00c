"""What units did in combat, as far as these chapters forbid it: the first turn, neutral ground, fleets (82.7, 85.461).

Combat itself is played outside; the table reports an operation, and it is refused where a clause rules it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Finding, Refusal
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.minors import Mission, ReportOperation
from warcabinet.model.events import Reported
from warcabinet.model.happenings import ChoseOn, Raided, befell
from warcabinet.model.keys import Unit
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import Place, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, DUTCH_AREAS, VICHY, home_hexes
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.diplomacy import PAID_ATTACK
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, faction, land_beside, neighbours, patron, units_at
from warcabinet.rules.common.presence import FLOWN_OR_SAILED, HOSTILE, SALLIES, attacks, hostile, keep_excuse
from warcabinet.rules.common.war_and_peace import (
    ATTACKERS,
    at_war,
    attacked_colony,
    attackers_of,
    colonies_of,
    player_of,
    vichy_colony,
    vichy_places,
)
from warcabinet.rules.economy.industrial_centers import ic_in, isolation_modifier, spared_from_exploitation
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, effect, limit, order
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.attack import fought_over, in_first_turn, own_ground, whole_of
from warcabinet.rules.minors.conquest import attack_takes_part
from warcabinet.rules.minors.geography import european, fronts, land, part_fallen
from warcabinet.rules.minors.limits import mark_attacked, may_attack_out
from warcabinet.rules.minors.status import border_war_fought
from warcabinet.rules.minors.units import offensive_payer, paid_on

#: What a nation chooses for a front in its player turn, and how that is told.
OPTIONS = {"attack": "chose offensive operations", "attrition": "chose attrition", "pass": "passed"}


def chose(option: str) -> str:
    return OPTIONS[option]


#: Missions that concern the country in which they take place, whatever country is named.
PLACED = (*HOSTILE, "defensive air support", "intercept air transport")


def concerned(cmd: ReportOperation) -> str:
    """The country that an operation is about: the one in which it takes place, or for ships at sea the one named."""
    place = cmd.at
    # A box is that of the Commonwealth which it represents (82.13).
    there = next((it for it, boxes in COMMONWEALTH_BOXES.items() if place in boxes), land(place)[0] if place else "")
    here = there if there in countries() else ""
    return here if cmd.at and cmd.mission in PLACED else cmd.country or here


def whose_land(s: State, place: Place) -> str:
    """The country to which a place belongs; colonies of Spain and Vichy France are theirs, till they have fallen."""
    at_home = s.powers["france"].surrendered and place in vichy_places(s)
    return VICHY if at_home else _belongs_to(s, land(place)[0])


def _belongs_to(s: State, country: str) -> str:
    """The country of which another is a part or a colony, till that has fallen."""
    if s.powers["france"].surrendered and country in colonies_of(s, VICHY):
        return VICHY
    if country == "eastern_poland" and s.countries[country].status != "conquered":
        return "poland"
    return whole_of(s, country) if country in countries() else country


def defended(s: State, cmd: ReportOperation) -> str:
    """The country whose first turn of attack an operation concerns, its colonies included."""
    there = whose_land(s, cmd.at) if cmd.at else ""
    here = there if there in countries() else ""
    return here if cmd.at and cmd.mission in PLACED else _belongs_to(s, cmd.country) or here


#: Missions of ships, whichever units are named.
OF_SHIPS = ("sea transport", "sea supply", "shore bombardment")


def sails(cmd: ReportOperation) -> bool:
    """Ships sail, and what they carry; ground units that attack what does not lie beside them come by sea."""
    if cmd.mission in OF_SHIPS:
        return True
    if cmd.branch == "ground":
        return cmd.mission == "attack" and cmd.at not in neighbours(cmd.origin)
    return cmd.branch == "naval"


def activity_of(cmd: ReportOperation) -> str:
    """What an operation is as a naval activity: ground units that attack from over the sea invade."""
    landing = cmd.branch == "ground" and cmd.mission == "attack" and bool(cmd.at and cmd.origin) and sails(cmd)
    return "seaborne invasion" if landing else cmd.mission


@order("WC.7", "An operation takes place; its outcome is played outside", on=ReportOperation)
def report_operation(p: Proceedings, cmd: ReportOperation) -> None:
    keep_excuse(p, cmd)
    where = f" at {place_called(cmd.at)}" if cmd.at else ""
    paid = paid_on(p.s, activity_of(cmd), cmd.at)
    p.do(Reported("operation", f"{called(cmd.nation)}, {cmd.branch}: {cmd.mission}{where}{paid}"))
    if cmd.mission in OPTIONS and cmd.at:
        for front in fronts(cmd.at):
            p.do(befell(p.s, ChoseOn(cmd.mission, front, cmd.nation), 1))
    if cmd.brp:
        payer, told = offensive_payer(p.s, cmd.nation), f"offensive operations: {called(cmd.nation)}{where}"
        spend_brps(p, payer, cmd.brp, "offensive operations", told)
    if cmd.mission == "raid" and cmd.origin:
        p.do(befell(p.s, Raided(cmd.origin, cmd.nation), cmd.count))
    country = concerned(cmd)
    if cmd.mission == "attack" and cmd.branch == "ground" and cmd.at:
        p.run(attack_on_ic, cmd.at)
        p.run(attack_under_zones, country, patron(p.s, cmd.nation))
    if attacks(cmd) and (cmd.branch == "ground" or cmd.brp):
        how = cmd.mission if cmd.branch == "ground" else PAID_ATTACK
        p.run(attack_takes_part, patron(p.s, cmd.nation), cmd.at, how)
    if country and patron(p.s, cmd.nation) in ATTACKERS and vichy_colony(p.s, country) and cmd.mission in HOSTILE:
        mark_attacked(p, country)


@effect("37.81B", "Whoever attacks an industrial center is told how its defenders stand")
def attack_on_ic(p: Proceedings, at: Place) -> None:
    if spared_from_exploitation(p.s, at, Unit("infantry 1-3")):
        told = f"infantry and replacements in {at} are spared the -1 against exploiting armor"
        isolated = isolation_modifier(p.s, ic_in(at))
        p.do(Reported("defense", f"{told}; isolation: {isolated:+}" if isolated else told))


@effect("82.73", "In the first turn the attacker is told whose armor beside the country reaches into it")
def attack_under_zones(p: Proceedings, country: str, attacker: str) -> None:
    if country not in countries() or attacker not in attackers_of(p.s, country):
        return
    inside = set(home_hexes(country))
    armor = [it for it in p.s.pieces.of_type("armor") if it.place not in inside]
    # A Canadian armor unit is a British one (82.13).
    majors = {it: patron(p.s, it) if it in COMMONWEALTH_BOXES else it for it in {one.nation for one in armor}}
    beside = {majors[it.nation] for it in armor if inside.intersection(land_beside(it.place))}
    names = [called(it) for it in powers() if zone_reaches_into(p.s, it, country) and it in beside]
    if names:
        told = f"zones of control of {' and '.join(names)} reach into {called(country)}"
        p.do(Reported("zones of control", told))


OPEN_MISSIONS = {"air": ("intercept naval mission", "defensive air support"), "naval": ("intercept naval mission",)}


@definition("82.71")
def minor_may_fly(s: State, country: str, branch: str, mission: Mission) -> bool:
    """In its first turn a country's air units only intercept ships and defend, its ships only intercept."""
    return not in_first_turn(s, country) or mission in OPEN_MISSIONS.get(branch, ())


@definition("82.72", "Powers at war with the attacker help a country in its first turn only by intercepting his ships")
def power_may_assist(s: State, power: str, country: str, mission: str) -> bool:
    # A country that has fallen is the attacker's: his enemies may fight in it as on his own ground.
    if s.countries[country].status in (*BOUND, "conquered") or not in_first_turn(s, country):
        return True
    fights = any(at_war(s, power, it) for it in attackers_of(s, country))
    return fights and mission == "intercept naval activity"


@definition("82.73", "In the first turn the zones of control of the attacker's enemies reach into the country")
def zone_reaches_into(s: State, power: str, country: str) -> bool:
    return in_first_turn(s, country) and any(at_war(s, power, it) for it in attackers_of(s, country))


def _on_land(cmd: ReportOperation) -> bool:
    return cmd.branch == "ground" and cmd.mission not in FLOWN_OR_SAILED


#: By which ships at sea are met, from the air, by ships or by submarines.
MET_AT_SEA = ("intercept naval mission", "submarine interception")
#: By which units meet an enemy in his own player turn, for a country that he attacks.
MEETS = (*MET_AT_SEA, "intercept air transport", "defensive air support", "attack sea supply")


@limit("82.71", on=ReportOperation, when=lambda s, cmd: not _on_land(cmd))
def met_in_the_first_turn(s: State, cmd: ReportOperation) -> Iterator[Finding]:
    """In the attacker's turn a newly attacked country's aircraft only meet naval missions against it or defend it.

    Others help it only by intercepting naval activities.
    """
    nation, name = cmd.nation, called(cmd.nation)
    if nation in (*countries(), DUTCH) and in_first_turn(s, nation):
        # The Indies, three areas on which nobody declares war, are Japan's victims.
        lands, attackers = (DUTCH_AREAS, ("japan",)) if nation == DUTCH else ((), attackers_of(s, nation))
        abroad = cmd.mission == "defensive air support" and bool(cmd.at) and whose_land(s, cmd.at) != nation
        another = bool(cmd.against) and patron(s, cmd.against) not in attackers
        if not minor_may_fly(s, nation, cmd.branch, cmd.mission):
            verb = "" if cmd.mission.startswith(("attack", "intercept", "raid")) else "fly or sail "
            yield f"in its first turn {name}'s {cmd.branch} units may not {verb}{cmd.mission}"
        elif abroad or another or defended(s, cmd) not in ("", nation, *lands):
            yield f"in its first turn {name} meets only attacks on itself"
    if _aids(s, cmd) in ("", "later"):
        return
    country, mission = defended(s, cmd), "intercept naval activity" if cmd.mission in MET_AT_SEA else cmd.mission
    # Where two powers attacked, the helper must be at war with the one whose ships are met.
    may_assist = power_may_assist(s, patron(s, nation), country, mission)
    if not may_assist or (_comes_to_aid(s, cmd) and _meets_in_peace(s, cmd)):
        told = f"{called(country)} has not associated: in its first turn only naval missions are intercepted"
        yield Refusal("82.72", f"{told}, by powers at war with the attacker")


def _aids(s: State, cmd: ReportOperation) -> str:
    """When an enemy of its attacker helps a country: in its first turn, or "later", as long as it fights alone."""
    country, side = defended(s, cmd), faction(s, patron(s, cmd.nation))
    against = {faction(s, it) for it in attackers_of(s, country)}
    if country in ("", cmd.nation) or side in ("", *against):
        return ""
    if in_first_turn(s, country):
        return "" if _on_land(cmd) else "in its first turn"
    return "later" if against and country in countries() and fights_alone(s, country) else ""


def _comes_to_aid(s: State, cmd: ReportOperation) -> bool:
    """Whether an attacker is met for the sake of a country that stands alone, in its first turn or later."""
    when = _aids(s, cmd)
    return when == "later" or (when != "" and s.countries[defended(s, cmd)].status not in (*BOUND, "conquered"))


def _meets_in_peace(s: State, cmd: ReportOperation) -> bool:
    """Whether who comes to a country's aid is at peace with whom he meets: the one named, or all its attackers."""
    met = (patron(s, cmd.against),) if cmd.against else attackers_of(s, defended(s, cmd))
    return not any(at_war(s, patron(s, cmd.nation), it) for it in met)


@limit("82.42", on=ReportOperation, when=lambda s, cmd: cmd.mission in (*MEETS, "raid"), excusable=True)
def nobody_is_met_in_peace(s: State, cmd: ReportOperation) -> Iterator[Finding]:
    """Nobody meets the ships, aircraft or sea supply of a power of the other side with which he is at peace.

    Nor does a power so help a country that fights alone against attackers with whom it is at peace.
    """
    leader = patron(s, cmd.nation)
    if cmd.mission in MEETS and _aids(s, cmd) == "later" and _meets_in_peace(s, cmd):
        name = called(defended(s, cmd))
        yield Refusal("82.82", f"{name} fights alone, and {called(leader)} is not at war with its attackers")
    # Of who comes to a country's aid that clause speaks, and in its first turn 82.72.
    if s.options.declarations != "ordered" or not (cmd.at or cmd.against) or _comes_to_aid(s, cmd):
        return
    owner = patron(s, cmd.against) if cmd.against else holder(s, cmd.at) if cmd.mission == "attack sea supply" else ""
    if not leader or owner not in powers() or s.powers[owner].surrendered or player_of(owner) == player_of(leader):
        return
    if not at_war(s, leader, owner) and not at_war(s, cmd.nation, owner):
        place = f"{place_called(cmd.at)} is {called(owner)}'s, with whom {called(leader)} is at peace"
        yield f"{called(leader)} is at peace with {called(owner)}" if cmd.against else place


@limit("WC.7", on=ReportOperation, when=lambda s, cmd: cmd.mission == "pass")
def front_is_named(s: State, cmd: ReportOperation) -> str | None:
    """A choice for a front names a place of it."""
    return None if cmd.at else "say on which front by a place of it (at)"


@limit("84.45D", on=ReportOperation, when=lambda s, cmd: cmd.brp > 0 and offensive_payer(s, cmd.nation) in powers())
def operation_is_paid(s: State, cmd: ReportOperation) -> str | None:
    """Offensive operations are paid by the power that leads a nation, from what it may spend."""
    payer = offensive_payer(s, cmd.nation)
    if cmd.mission != "attack":
        return "only offensive operations are paid for: mission attack"
    most = spendable(s, payer)
    return f"{called(payer)} pays, and may spend {most} BRPs now" if cmd.brp > most else None


def unpaid(s: State, cmd: ReportOperation | Spend) -> str:
    """Whose offensive operations an order or report would pay for, though nobody pays for them."""
    nation = cmd.units_of if isinstance(cmd, Spend) else cmd.nation
    return nation if nation and cmd.brp > 0 and offensive_payer(s, nation) not in powers() else ""


@limit("82.83B", on=(ReportOperation, Spend), when=lambda s, cmd: unpaid(s, cmd) != "")
def operation_is_free(s: State, cmd: ReportOperation | Spend) -> str:
    """What nobody pays for costs nothing."""
    return f"the offensive operations of {called(unpaid(s, cmd))} cost nothing"


def _origin(s: State, cmd: ReportOperation) -> str:
    """The country out of which an operation comes; Vichy colonies are no neutral ground once they were attacked."""
    if not (key := cmd.origin):
        return ""
    apart = land(key)[0] in colonies_of(s, VICHY) and attacked_colony(s, land(key)[0])
    return land(key)[0] if apart else whose_land(s, key)


@limit("82.33", on=ReportOperation, when=lambda s, cmd: cmd.mission in SALLIES and _neutral_ground(s, cmd))
def attack_out_of_neutral(s: State, cmd: ReportOperation) -> str | None:
    """Units in a neutral country attack out of it only while their side controls it."""
    country = whole_of(s, _origin(s, cmd))
    if may_attack_out(s, patron(s, cmd.nation), country):
        return None
    name, standing = called(country), s.countries[country]
    if standing.status == "controlled":
        return f"{name} is under {called(standing.by)}'s control: only that side attacks out of it"
    return f"{name} is {standing.words}: nobody attacks out of it"


def _neutral_ground(s: State, cmd: ReportOperation) -> bool:
    origin, leader, key = _origin(s, cmd), patron(s, cmd.nation), cmd.origin
    if origin not in countries() or not leader:
        return False
    country = whole_of(s, origin)
    if s.countries[country].status not in NEUTRAL or at_war(s, leader, country):
        return False
    # What is a power's by a border war, still fought or over, is no ground of the neutral any more.
    mine = faction(s, holder(s, key)) == faction(s, leader)
    return not own_ground(s, leader, key) and not (mine and (part_fallen(s, key) or fought_over(s, leader, key)))


def _sallies_against(cmd: ReportOperation) -> bool:
    """Whether it is said whose supply or ships at sea are attacked."""
    return cmd.mission in SALLIES and cmd.mission not in HOSTILE and bool(cmd.against)


@limit(
    "82.83C",
    on=ReportOperation,
    when=lambda s, cmd: (
        (hostile(cmd) or _sallies_against(cmd)) and _by_itself(cmd.nation) and fights_alone(s, cmd.nation)
    ),
)
def attacks_its_enemies(s: State, cmd: ReportOperation) -> str | None:
    """A country that fights alone attacks its own enemies, and nobody else."""
    if _sallies_against(cmd) and not at_war(s, cmd.nation, patron(s, cmd.against)):
        return f"{called(cmd.nation)} is not at war with {called(cmd.against)}"
    if not cmd.at:
        return None
    now = holder(s, cmd.at)
    # At sea, or at home, it is an enemy's units that are attacked.
    if concerned(cmd) in ("", cmd.nation) and now not in powers():
        return None
    there = {patron(s, it.nation) for it in units_at(s, cmd.at)} | {now}
    # What Russia has taken of it in a border war, undeclared, it fights for all the same (86.24).
    undeclared = "russia" in there and concerned(cmd) == cmd.nation and border_war_fought(s, cmd.nation)
    if undeclared or any(at_war(s, cmd.nation, it) for it in there):
        return None
    return f"{called(cmd.nation)} is not at war with whoever holds {place_called(cmd.at)}"


@limit(
    "82.83B",
    on=ReportOperation,
    when=lambda s, cmd: (
        (cmd.mission in SALLIES or (cmd.mission in MEETS and defended(s, cmd) not in ("", cmd.nation)))
        and _by_itself(cmd.nation)
        and at_peace(s, cmd.nation)
    ),
    excusable=True,
)
def neutrals_attack_nobody(s: State, cmd: ReportOperation) -> str | None:
    """A country that stands with nobody and fights nobody attacks nobody, nor does it defend another."""
    return f"{called(cmd.nation)} is {s.countries[cmd.nation].status}, and at war with nobody"


def at_peace(s: State, nation: str) -> bool:
    """Whether a country stands with nobody, whatever result it is under, and fights nobody."""
    neutral = s.countries[nation].status in NEUTRAL
    return neutral and not fights_alone(s, nation) and not border_war_fought(s, nation)


def _by_itself(nation: str) -> bool:
    """Whether a country may be neutral, or fight alone; in Asia Thailand, of the others their own clauses speak."""
    return european(nation) or nation == "thailand"
