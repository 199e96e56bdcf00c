"""Moving and losing units, and how a minor country's units stand to those of its power (82.83, 84.45, 85.45)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.events import Happened, Reported
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, VICHY
from warcabinet.model.unit_lists import stacks
from warcabinet.model.units import unit_branch
from warcabinet.rules.common import pieces
from warcabinet.rules.common.presence import ATTACKS, HOSTILE, keep_excuse
from warcabinet.rules.common.war_and_peace import player_of
from warcabinet.rules.common.ways import NR, REDEPLOYMENTS, redeploys_by_sea
from warcabinet.rules.kinds import limit, opening, order, value
from warcabinet.rules.minors.association import fights_alone, would_be_protector
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.status import lose
from warcabinet.rules.minors.staying import AFTER_COMBAT, keep_count, stands_again, units_off_map


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
        p.do(Happened(Happening(p.s.moment, f"{cmd.how} to {to}", cmd.nation, cmd.count)))
        p.do(Happened(Happening(p.s.moment, f"redeployed into {to}", f"{cmd.nation} {cmd.unit}", cmd.count)))
    if cmd.how in REDEPLOYMENTS and origin.startswith("box/"):
        p.do(Happened(Happening(p.s.moment, f"{cmd.how} from {origin}", cmd.nation, cmd.count)))
        if to.startswith("box/"):
            p.do(Happened(Happening(p.s.moment, f"{cmd.how} from {origin} to {to}", cmd.nation, cmd.count)))
    if cmd.how == NR or redeploys_by_sea(p.s, cmd):
        p.do(Happened(Happening(p.s.moment, f"sailed from {origin} to {to}", f"{cmd.nation} {cmd.unit}", cmd.count)))
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


def _went_elsewhere(s: State, cmd: ReportUnits, status: str) -> bool:
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
