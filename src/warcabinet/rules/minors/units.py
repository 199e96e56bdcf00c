"""Moving, losing and lending units, and how a minor country's units stand to those of its power (82.83, 84.45, 85.45).

Units away from home, lent ones and those in colonies, and units that left a place, stay on the map until they are
eliminated (82.51, 84.45E, 84.46). When units are lent is told in chapters that are played outside.
"""

from __future__ import annotations

from typing import Literal

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.minors import MoveUnits, ReportLent, ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Happened, Reported
from warcabinet.model.happenings import (
    CameInto,
    LeftColony,
    LeftPlace,
    WentBetween,
    WentBySea,
    WentFrom,
    WentOffMap,
    WentTo,
    befell,
    deeds,
    sum_of,
)
from warcabinet.model.keys import Unit
from warcabinet.model.names import StatusName, called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, DUTCH_AREAS, EUROPEAN_FRENCH_COLONIES, VICHY
from warcabinet.model.unit_lists import stacks, unbuilt, unbuilt_of
from warcabinet.model.units import unit_branch
from warcabinet.rules.common import pieces
from warcabinet.rules.common.pieces import country_of, neighbours, units_of, units_of_kind
from warcabinet.rules.common.presence import ATTACKS, HOSTILE, Presence, excused, keep_excuse
from warcabinet.rules.common.war_and_peace import player_of, vichy_colony
from warcabinet.rules.common.ways import NR, REDEPLOYMENTS, redeploys_by_sea
from warcabinet.rules.kinds import definition, limit, opening, order, remembered, value
from warcabinet.rules.minors.areas import ASIANS
from warcabinet.rules.minors.association import fights_alone, would_be_protector
from warcabinet.rules.minors.geography import at_home, fronts, land
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.status import forces_gone, lose


@value("WC.7", "The front on which an activity is paid for: the players know, unless a clause says it")
def paying_front(s: State, activity: str, place: Place) -> str:
    return ""


def paid_on(s: State, activity: str, place: Place) -> str:
    """Where an activity is paid for, as a word for the log; nothing where no clause says it."""
    front = paying_front(s, activity, place) if place else ""
    return f", paid on the {front} front" if front else ""


PHASES = {
    "movement": ("movement", "combat"),
    "staging": ("movement",),
    "base change": ("movement",),
    "seaborne invasion": ("combat",),
    "advance": ("combat",),
    "exploitation": ("combat",),
    **dict.fromkeys(REDEPLOYMENTS, ("redeployment",)),
    # As 72.221 and 72.223 have it: what goes by sea or to another base in the redeployment phase is redeployed.
    "sea transport": ("movement",),
    "basing": ("movement",),
}


def _alone(s: State, nation: str) -> bool:
    """Whether a nation wages war by itself, as the Dutch in the Indies do until they associate (82.91B)."""
    return fights_alone(s, nation) if nation in countries() else nation == DUTCH and not pieces.patron(s, nation)


def led_by(s: State, nation: str, clause: str) -> str:
    """The power that leads a nation; by which clause is noted."""
    leader = pieces.patron(s, nation)
    if leader and nation in countries():
        note("led_by", pieces.said_of(s, nation, clause), leader, nation)
    return leader


@value("84.45C")
def moves_with(s: State, nation: str) -> str:
    """With which power's units a nation's units move; an independent country moves when its would-be protector does."""
    if not _alone(s, nation):
        return led_by(s, nation, "84.45C")
    note("moves_alone", "82.82", True, nation)
    # The Dutch in the Indies will be Britain's associates (84.33).
    return "britain" if nation == DUTCH else would_be_protector(s, nation)


@value("84.45D")
def offensive_payer(s: State, nation: str) -> str:
    """Who pays for a nation's offensive operations; those of an independent country are free."""
    if not _alone(s, nation):
        return led_by(s, nation, "84.45D")
    note("free", "82.83B", True, nation)
    return "nobody"


@limit("84.45D", on=Spend, when=lambda s, cmd: bool(cmd.units_of))
def paid_by_leader(s: State, cmd: Spend) -> str | None:
    """Offensive operations of a country's units are paid by the power that leads it, as its own."""
    if cmd.on != "offensive operations":
        return "only offensive operations are paid for by the units that make them"
    payer = offensive_payer(s, cmd.units_of)
    paid = payer == cmd.power or payer not in powers()
    return None if paid else f"offensive operations of {called(cmd.units_of)} are paid by {called(payer)}"


INDEPENDENT_PHASES = ("initial supply determination", "movement", "combat", "unit construction")


@value("82.83A", "The phases of an independent country's turn; Vichy France may redeploy too")
def phases_of(s: State, country: str) -> tuple[str, ...]:
    return (*INDEPENDENT_PHASES, "redeployment") if country == "vichy_france" else INDEPENDENT_PHASES


@order("84.45C", "Units move", on=MoveUnits)
def move(p: Proceedings, cmd: MoveUnits) -> None:
    origin, to = cmd.from_, cmd.to
    # How units came to a box or left it is not seen from where they stand: clauses that count it ask for it later.
    if cmd.how in REDEPLOYMENTS and to.startswith("box/"):
        p.do(befell(p.s, WentTo(cmd.how, to, cmd.nation), cmd.count))
        p.do(befell(p.s, CameInto(to, cmd.nation, cmd.unit), cmd.count))
    if cmd.how in REDEPLOYMENTS and origin.startswith("box/"):
        p.do(befell(p.s, WentFrom(cmd.how, origin, cmd.nation), cmd.count))
        if to.startswith("box/"):
            p.do(befell(p.s, WentBetween(cmd.how, origin, to, cmd.nation), cmd.count))
    if cmd.how == NR or redeploys_by_sea(p.s, cmd):
        p.do(befell(p.s, WentBySea(origin, to, cmd.nation, cmd.unit), cmd.count))
    pieces.move_units(p, cmd.nation, cmd.unit, origin, to, cmd.count)
    if paid := paid_on(p.s, cmd.how, cmd.to):
        p.do(Reported("operation", f"{called(cmd.nation)}: {cmd.how} to {place_called(cmd.to)}{paid}"))


@opening("84.45C", "Nations with units on the boards", on=MoveUnits)
def nations_in_the_field(s: State, cmd: MoveUnits) -> Choice:
    return Choice("nation", tuple(sorted({it.nation for it in stacks(s)})), "no units stand on the boards")


@limit("84.45C", "Only units that are there can move", on=MoveUnits)
def movers_are_there(s: State, cmd: MoveUnits) -> Bound:
    there = pieces.standing_at(s, cmd.nation, cmd.from_, cmd.unit)
    return Bound("count", most=there, text="units at that place")


Acting = MoveUnits | ReportOperation | ReportRecovery | ReportUnits
ACTING: tuple[type[Acting], ...] = (MoveUnits, ReportOperation, ReportRecovery, ReportUnits)


@limit("84.45C", on=ACTING, when=lambda s, cmd: bool(s.player), covers=("84.22",), excusable=True)
def acts_in_its_turn(s: State, cmd: Acting) -> Refusal | None:
    """Units move, are redeployed, attack and take back in the player turn of the power that leads them, or would."""
    nation, does = _acts(s, cmd)
    leader = moves_with(s, nation) if does else ""
    if not leader or player_of(leader) == s.player:
        return None
    when = "in its own player turn" if leader == nation else f"when {called(leader)} does"
    told = f"{called(nation)} {'fights alone, and ' if _alone(s, nation) else ''}{does} {when}"
    # Told by the step, so that an order is refused before it says how units move.
    redeployed = isinstance(cmd, MoveUnits) and s.place.step.name == "redeployment"
    if _alone(s, nation):
        return Refusal("79.12" if nation == "communist_china" else "82.82", told)
    clause = pieces.said_of(s, nation, "84.45C")
    return Refusal(clause, told, also=("85.45E",) if redeployed and clause == "85.45C" else ())


def _acts(s: State, cmd: Acting) -> tuple[str, str]:
    """Whose units do what only the one player does with them, moving or attacking; nothing where either may."""
    if isinstance(cmd, MoveUnits):
        return cmd.nation, "moves"
    nation = cmd.nation if not isinstance(cmd, ReportRecovery) else DUTCH if cmd.country in DUTCH_AREAS else cmd.country
    country = pieces.country_of(s, nation) if nation in (*countries(), DUTCH) else ""
    # Vlasov's Russians are minor ally units (85.46I).
    status = s.countries[country].status if country else "allied" if nation == "vlasov" else ""
    alone = country != "" and fights_alone(s, country)
    if not alone and status not in pieces.BOUND:
        return nation, ""
    if isinstance(cmd, ReportUnits):
        return nation, "moves" if _went_elsewhere(s, cmd, status) else ""
    # In the Indies they are at peace, and attack nobody in any turn (82.93).
    peaceful = nation == DUTCH and alone and not fights_japan(s, country)
    if isinstance(cmd, ReportRecovery):
        return nation, "" if status in pieces.BOUND or peaceful else "attacks"
    attacks = cmd.mission in HOSTILE and (cmd.mission in ATTACKS or status not in pieces.BOUND)
    return nation, "attacks" if attacks and not peaceful else ""


def _went_elsewhere(s: State, cmd: ReportUnits, status: StatusName | Literal[""]) -> bool:
    """Whether ground units come that left another place, in a step in which nobody retreats before an attack."""
    if s.place.step.name not in ("movement", *AFTER_COMBAT) or cmd.count <= 0:
        return False
    if unit_branch(cmd.unit) != "ground" or not units_off_map(s, cmd.nation, cmd.unit) or stands_again(s, cmd):
        return False
    # Associates, and those who fight alone, are redeployed in nobody's turn (84.45E, 82.83A), Vichy France alone while
    # it fights by itself, in its own player turn as well.
    redeployed = status == "allied" or (cmd.nation == VICHY and status != "associated")
    return redeployed or s.place.step.name == "movement"


@limit("84.45C", "Each way of moving has its phase", on=MoveUnits)
def moves_in_its_phase(s: State, cmd: MoveUnits) -> str | None:
    allowed = PHASES[cmd.how]
    return None if s.place.step.name in allowed else f"{cmd.how} belongs to the {' or '.join(allowed)} phase"


@order("WC.7", "Units come to stand at a place, leave it, or are lost", on=ReportUnits)
def report_units(p: Proceedings, cmd: ReportUnits) -> None:
    keep_excuse(p, cmd)
    keep_count(p, cmd)
    place = cmd.at
    if cmd.count > 0:
        pieces.place_units(p, cmd.nation, cmd.unit, place, cmd.count)
        if unit_branch(cmd.unit) == "partisan":
            p.do(Happened(Happening(p.s.moment, "rebuilt partisan", cmd.nation, cmd.count)))
        elif cmd.nation == "vlasov" and p.s.place.step.name == "unit construction":
            p.do(Happened(Happening(p.s.moment, "rebuilt infantry", cmd.nation, cmd.count)))
        return
    gone = Stack(cmd.nation, place, cmd.unit, -cmd.count)
    if cmd.lost:
        lose(p, gone)
    else:
        pieces.eliminate(p, gone, gone.count, for_good=True)


@limit("WC.7", "Only units that are there can leave or be lost", on=ReportUnits)
def reported_units_exist(s: State, cmd: ReportUnits) -> Bound:
    return Bound("count", least=-pieces.standing_at(s, cmd.nation, cmd.at, cmd.unit), text="units at that place")


@remembered("84.46A", "How many units of a kind a country has lent, as reported")
def lent_units(s: State, country: str, unit: Unit) -> int:
    return 0


@order("84.45E", "Units are lent to the power that leads their country", on=ReportLent)
def report_lent(p: Proceedings, cmd: ReportLent) -> None:
    lent_units.under("84.45E").note(p, cmd.count, "reported as lent", cmd.country, cmd.unit)


@limit("84.45E", "No more units are lent than the country has", on=ReportLent)
def lent_units_exist(s: State, cmd: ReportLent) -> Bound:
    there = sum(it.count for it in units_of_kind(s, cmd.country, cmd.unit))
    return Bound("count", most=there, text="units of that kind on the board")


#: The country that may lend units before its own forces are set up; those of Vichy are on the map from its beginning.
LENDS_AHEAD = "spain"
#: The countries whose units may be lent to the power that leads them.
LENDERS = (LENDS_AHEAD, VICHY)


def only_lent(s: State, nation: str) -> bool:
    """Whether nothing of a country is in play but what it lent, on the map or lost there: the rest is still at home."""
    if nation != LENDS_AHEAD or lent_units.name not in s.determinations:
        return False
    there = {it.unit for it in units_of(s, nation) if it.branch != "partisan"} | {it for it, _ in unbuilt(s, nation)}
    return bool(there) and all(units_in_play(s, nation, it) <= lent_units(s, nation, it) for it in there)


def units_in_play(s: State, nation: str, unit: Unit) -> int:
    """How many units of a kind are on the map or in the force pool."""
    return sum(it.count for it in units_of_kind(s, nation, unit)) + unbuilt_of(s, nation, unit)


@definition("84.46A", "A place in the east, to which lent units go; home they may always return")
def eastern(s: State, place: Place) -> bool:
    return "eastern" in fronts(place)


@definition("84.46A", "How many more units of a kind a country may send to the eastern front, being lent")
def lent_units_left(s: State, nation: str, unit: Unit) -> int:
    away = (it for it in units_of_kind(s, nation, unit) if not in_area(s, nation, it.place))
    return lent_units(s, nation, unit) - sum(it.count for it in away if eastern(s, it.place))


def moves_as_lent(s: State, it: Presence) -> bool:
    """Whether units may be where they go because they are lent: to, from and within the eastern front."""
    unit = it.units[0]
    if not lent_units(s, it.nation, unit):
        return False
    left = places_left(s, it.nation, unit) if it.reported else [it.origin]
    if any(eastern(s, origin) and not in_area(s, it.nation, origin) for origin in filter(None, left)):
        return eastern(s, it.at) or in_area(s, it.nation, it.at)
    return eastern(s, it.at) and it.count <= lent_units_left(s, it.nation, unit)


def fights_abroad(s: State, nation: str, place: Place) -> bool:
    """Whether ground units attack from where only some may be: lent ones in the east, others in colonies of theirs."""
    away = [it for it in units_of(s, nation) if it.branch == "ground" and not in_area(s, nation, it.place)]
    if eastern(s, place) and any(lent_units(s, nation, it.unit) and eastern(s, it.place) for it in away):
        return True
    if not any(in_own_colony(s, nation, it.place) for it in away):
        return False
    return any(in_own_colony(s, nation, it) for it in (place, *neighbours(place)))


def in_colony(s: State, it: Presence) -> bool:
    """Whether units go to, or elsewhere in, a colony of theirs: none come to Spanish Morocco later (R-2140).

    Vichy ones reinforce theirs by redeployment (77.42); of such as left no other place these chapters do not tell.
    """
    if not in_own_colony(s, it.nation, it.at):
        return False
    if it.reported:
        if left_from(s, land(it.at)[0], it.nation, it.units[0]) >= it.count:
            return True
        came = s.place.step.name in AFTER_COMBAT or units_off_map(s, VICHY, it.units[0]) < it.count
        return it.nation == VICHY and came
    if it.nation == VICHY:
        note("vichy_reinforces", "84.45E", True, it.at)
    return land(it.at)[0] == land(it.origin)[0] or (it.nation == VICHY and it.how.endswith("redeployment"))


def in_own_colony(s: State, nation: str, place: Place) -> bool:
    """Whether a place lies in a colony in which units of its country may stand."""
    if nation == "spain":
        return at_home("spanish_morocco", place)
    return nation == VICHY and land(place)[0] in s.countries and vichy_colony(s, land(place)[0])


#: The steps in which units no longer move: who goes elsewhere in them is redeployed.
AFTER_COMBAT = ("unit construction", "redeployment", "end of player turn")
#: Commonwealth units are British ones (82.13), and China's Communists no Europeans: where they are is only kept.
ELSEWHERE = ("communist_china", *COMMONWEALTH_BOXES)
#: Whose units may have left the map; of Vichy ones chapters tell that are played outside (77).
MAY_LEAVE = (VICHY, *ELSEWHERE)


def stand_still(s: State, nation: str) -> str | None:
    """Why nobody moves the Thais while Thailand is neutral: it has no player turn of any kind yet (R-2470)."""
    if nation != "thailand" or s.countries[nation].status != "neutral":
        return None
    return "Thailand is neutral: its units stand where they were set up until it joins Japan or is attacked"


def _counted(cmd: ReportUnits) -> bool:
    european = cmd.nation in countries() and countries()[cmd.nation].theater == "europe"
    known = (european and cmd.nation not in EUROPEAN_FRENCH_COLONIES) or cmd.nation in (*ASIANS, *ELSEWHERE)
    return known and unit_branch(cmd.unit) in ("ground", "air", "naval")


def units_off_map(s: State, nation: str, unit: Unit) -> int:
    """Units of a kind that were reported to leave a place in this player turn and have come to no other."""
    return sum_of(s, WentOffMap(nation, unit), "player turn")


def places_left(s: State, nation: str, unit: Unit) -> list[Place]:
    """The places that units of a kind were reported to leave in this player turn, having come to no other yet."""
    if units_off_map(s, nation, unit) <= 0:
        return []
    left = (it for it, _ in deeds(s, LeftPlace, "player turn"))
    return list(dict.fromkeys(it.place for it in left if (it.nation, it.unit) == (nation, unit)))


def stands_again(s: State, cmd: ReportUnits) -> bool:
    """Whether units are where they left from, as the only ones of their kind that left: they have gone nowhere."""
    return set(places_left(s, cmd.nation, cmd.unit)) == {cmd.at}


def left_from(s: State, country: str, nation: str, unit: Unit) -> int:
    """Units of a kind that were reported to leave a colony in this player turn, and that nobody came back for."""
    return sum_of(s, LeftColony(country, nation, unit), "player turn")


def _keep_colony(p: Proceedings, cmd: ReportUnits) -> None:
    """Who left a colony may stand elsewhere in it, though nobody else comes there (84.46A, R-2140)."""
    country = land(cmd.at)[0]
    if not in_own_colony(p.s, cmd.nation, cmd.at):
        return
    back = min(left_from(p.s, country, cmd.nation, cmd.unit), max(cmd.count, 0))
    change = -cmd.count if cmd.count < 0 else -back
    if change:
        p.do(befell(p.s, LeftColony(country, cmd.nation, cmd.unit), change), "84.46A")


def keep_count(p: Proceedings, cmd: ReportUnits) -> None:
    """What leaves a place without being lost, and by no rule outside these documents, must come to another.

    Of some it is only kept: whether they may leave the map is told in chapters that are played outside.
    """
    if not _counted(cmd) or cmd.lost or cmd.unsupplied:
        return
    _keep_colony(p, cmd)
    off = units_off_map(p.s, cmd.nation, cmd.unit)
    change = -cmd.count if cmd.count < 0 and not excused(cmd) else -min(off, max(cmd.count, 0))
    if change:
        p.do(befell(p.s, WentOffMap(cmd.nation, cmd.unit), change), "82.51")
    if change > 0:
        p.do(befell(p.s, LeftPlace(cmd.nation, cmd.at, cmd.unit), change), "82.51")


def _missing(s: State) -> dict[str, str]:
    """The units, by nation and kind, that left a place and stand nowhere, with their nation."""
    return {
        f"{units_off_map(s, it.nation, it.unit)} {it.unit} of {called(it.nation)}": it.nation
        for it, _ in deeds(s, WentOffMap, "player turn")
        if units_off_map(s, it.nation, it.unit) > 0
        and not (_may_leave(s, it.nation) or forces_gone(s, it.nation))
        and s.countries[country_of(s, it.nation)].status != "conquered"
    }


def _may_leave(s: State, nation: str) -> bool:
    """Whether units may have left the map; a British surrender takes none of the Commonwealth's (82.13D)."""
    return nation in MAY_LEAVE and not (nation in COMMONWEALTH_BOXES and s.powers["britain"].surrendered)


@limit("82.51", on=Advance, when=lambda s, cmd: any(deeds(s, WentOffMap, "player turn")))
def units_stay_on_map(s: State, cmd: Advance) -> Refusal | None:
    """Units of a minor country that left a place stand at another before play goes on, or were eliminated."""
    missing = _missing(s)
    if not missing:
        return None
    nations = set(missing.values())
    clause = "84.46B" if nations <= set(ASIANS) else "82.13D" if nations <= set(COMMONWEALTH_BOXES) else "82.51"
    return Refusal(clause, f"say where they are now, or that they were lost (report_units): {', '.join(missing)}")
