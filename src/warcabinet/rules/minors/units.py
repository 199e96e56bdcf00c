"""Moving and losing units, and how a minor country's units stand to those of its power (82.83, 84.45, 85.45)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.events import Happened, Reported
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import DUTCH
from warcabinet.model.unit_lists import stacks
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import eliminate, move_units, patron, place_units, standing_at
from warcabinet.rules.common.presence import keep_excuse
from warcabinet.rules.common.war_and_peace import player_of
from warcabinet.rules.common.ways import NR, REDEPLOYMENTS, redeploys_by_sea
from warcabinet.rules.kinds import limit, opening, order, value
from warcabinet.rules.minors.association import fights_alone, would_be_protector
from warcabinet.rules.minors.status import lose
from warcabinet.rules.minors.staying import keep_count


@value("WC.7", "The front on which an activity is paid for: the players know, unless a clause says it")
def paying_front(s: State, activity: str, place: str) -> str:
    return ""


def paid_on(s: State, activity: str, place: str) -> str:
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
    return fights_alone(s, nation) if nation in countries() else nation == DUTCH and not patron(s, nation)


def led_by(s: State, nation: str, associated: str, allied: str) -> str:
    """The power that leads a nation; which of two clauses says so is noted."""
    leader = patron(s, nation)
    if leader and nation in countries():
        note("led_by", allied if s.countries[nation].status == "allied" else associated, leader, nation)
    return leader


@value("84.45C", covers=("82.82", "85.45C"))
def moves_with(s: State, nation: str) -> str:
    """With which power's units a nation's units move; an independent country moves when its would-be protector does."""
    if not _alone(s, nation):
        return led_by(s, nation, "84.45C", "85.45C")
    note("moves_alone", "82.82", True, nation)
    # The Dutch in the Indies will be Britain's associates (84.33).
    return "britain" if nation == DUTCH else would_be_protector(s, nation)


@value("84.45D", covers=("82.83B", "85.45D"))
def offensive_payer(s: State, nation: str) -> str:
    """Who pays for a nation's offensive operations; those of an independent country are free."""
    if not _alone(s, nation):
        return led_by(s, nation, "84.45D", "85.45D")
    note("free", "82.83B", True, nation)
    return "nobody"


@limit("84.45D", on=Spend, when=lambda s, cmd: bool(cmd.units_of), also=("85.45D",))
def paid_by_leader(s: State, cmd: Spend) -> str | None:
    """Offensive operations of a country's units are paid by the power that leads it, as its own."""
    if cmd.on != "offensive operations":
        return "only offensive operations are paid for by the units that make them"
    payer = offensive_payer(s, cmd.units_of)
    if payer == cmd.power:
        return None
    told = f"are paid by {called(payer)}" if payer in powers() else "cost nothing"
    return f"offensive operations of {called(cmd.units_of)} {told}"


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
    move_units(p, cmd.nation, cmd.unit, origin, to, cmd.count)
    if paid := paid_on(p.s, cmd.how, cmd.to):
        p.do(Reported("operation", f"{called(cmd.nation)}: {cmd.how} to {place_called(cmd.to)}{paid}"))


@opening("84.45C", "Nations with units on the boards", on=MoveUnits)
def nations_in_the_field(s: State, cmd: MoveUnits) -> Choice:
    return Choice("nation", tuple(sorted({it.nation for it in stacks(s)})), "no units stand on the boards")


@limit("84.45C", "Only units that are there can move", on=MoveUnits)
def movers_are_there(s: State, cmd: MoveUnits) -> Bound:
    there = standing_at(s, cmd.nation, cmd.from_, cmd.unit)
    return Bound("count", most=there, text="units at that place")


@limit(
    "84.45C",
    on=MoveUnits,
    when=lambda s, cmd: bool(s.player) and bool(moves_with(s, cmd.nation)),
    also=("79.12", "82.82", "85.45C", "85.45E"),
)
def moves_in_its_turn(s: State, cmd: MoveUnits) -> Refusal | None:
    """A nation's units move, and are redeployed, in the player turn of the power that leads them."""
    leader = moves_with(s, cmd.nation)
    if player_of(leader) == s.player:
        return None
    clause = unison_clause(s, cmd.nation)
    redeployed = clause == "85.45C" and cmd.how in REDEPLOYMENTS
    return Refusal(clause, f"they move with {called(leader)}", also=("85.45E",) if redeployed else ())


def unison_clause(s: State, nation: str) -> str:
    """By which clause a nation moves when a power does: as its minor ally, alone, or as any that it leads."""
    if _alone(s, nation):
        return "79.12" if nation == "communist_china" else "82.82"
    allied = nation in countries() and s.countries[nation].status == "allied"
    return "85.45C" if allied or nation == "vlasov" else "84.45C"  # Vlasov's Russians are minor ally units (85.46I)


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
        place_units(p, cmd.nation, cmd.unit, place, cmd.count)
        if parse_unit(cmd.unit)[0].branch == "partisan":
            p.do(Happened(Happening(p.s.moment, "rebuilt partisan", cmd.nation, cmd.count)))
        elif cmd.nation == "vlasov" and p.s.place.step.name == "unit construction":
            p.do(Happened(Happening(p.s.moment, "rebuilt infantry", cmd.nation, cmd.count)))
        return
    gone = Stack(cmd.nation, place, cmd.unit, -cmd.count)
    if cmd.lost:
        lose(p, gone)
    else:
        eliminate(p, gone, gone.count, for_good=True)


@limit("WC.7", "Only units that are there can leave or be lost", on=ReportUnits)
def reported_units_exist(s: State, cmd: ReportUnits) -> Bound:
    return Bound("count", least=-standing_at(s, cmd.nation, cmd.at, cmd.unit), text="units at that place")
