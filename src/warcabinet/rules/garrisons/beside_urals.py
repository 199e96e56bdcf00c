"""What bombing of the Urals box and enemy units beside it cost Russia (81.641, 81.7)."""

from __future__ import annotations

from warcabinet.model.accounts import Sink
from warcabinet.model.commands.economy import ReportBombing
from warcabinet.model.events import Happened
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, total
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.boxes import factors, ground_beside
from warcabinet.rules.common.foreseen import Foreseen, foresees
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.spending import construction_limit
from warcabinet.rules.garrisons.urals import ENEMY, GATES, URALS, enemy, russian_factors, urals_gate
from warcabinet.rules.kinds import effect, limit, value

MOST = 15
FOR_ONE = 3
LOST_BESIDE = "lost beside urals"
MEANS = ("bombing", "flying bombs", "rockets")


def on_urals(means: str) -> str:
    """How the happenings call BRPs lost in the box to a means of attack."""
    return f"{means} on {URALS}"


# -- bombing ------------------------------------------------------------------------------------------------------


@limit("81.64", on=ReportBombing, when=lambda s, cmd: cmd.box == URALS)
def bombed_for_russia(s: State, cmd: ReportBombing) -> str | None:
    """What is bombed in the Urals box is Russia's, by an enemy with whom it is at war."""
    if cmd.power != "russia":
        return "in the Urals box Russia is bombed"
    if not any(at_war(s, "russia", it) for it in powers() if enemy(s, it)):
        return "the European Axis and Japan bomb the Urals box, and Russia is at peace with both"
    return "name the box or an area, not both" if cmd.area else None


@value("81.641", "BRPs lost this turn in the Urals box to a means of attack")
def urals_bombed(s: State, means: str) -> int:
    return total(s, on_urals(means), "russia", "turn")


@value("81.641", "What bombing, flying bombs and rockets take from the Russian construction limit this turn (R-0069)")
def bombing_reduction(s: State) -> int:
    way = reading_in_force(s, "R-0069")
    thirds = (urals_bombed(s, "bombing") + urals_bombed(s, "flying bombs")) // FOR_ONE
    if way == "b":
        start = s.since("turn")
        raids = (on_urals("bombing"), on_urals("flying bombs"))
        thirds = sum(it.amount // FOR_ONE for it in s.happenings if it.moment >= start and it.kind in raids)
    return min(MOST, thirds + urals_bombed(s, "rockets"))


# -- units beside it ----------------------------------------------------------------------------------------------


@value("81.71", "Ground factors beside the Urals box of those with whom Russia is at war")
def fighting_beside(s: State) -> int:
    hostile = {it.nation for it in s.pieces.among(GATES) if enemy(s, it.nation) and _fights_russia(s, it.nation)}
    return factors(it for it in ground_beside(s, URALS, hostile) if urals_gate(s, it.place))


def _fights_russia(s: State, nation: str) -> bool:
    """Whether Russia is at war with Japan or, whichever of its powers declared war, with the European Axis."""
    if patron(s, nation) == "japan":
        return at_war(s, "japan", "russia")
    return any(at_war(s, it, "russia") for it in powers() if s.powers[it].faction == ENEMY)


@value("81.71", "BRPs that Russia loses at the end of the Axis combat phase, as units stand; at most 15 a turn")
def loss_beside(s: State) -> int:
    excess = max(0, fighting_beside(s) - russian_factors(s))
    return min(excess, MOST - total(s, LOST_BESIDE, "russia", "turn"))


@effect("81.71", when=lambda s: s.player == "axis" and bool(loss_beside(s)))
def urals_cost_russia(p: Proceedings) -> None:
    """Russia loses a BRP for each enemy ground factor beside the Urals box beyond its own in it."""
    loss = loss_beside(p.s)
    if keeps_brps(p.s, "russia"):
        move_brps(p, "russia", -loss, "enemy units beside the Urals box", Sink("brp", "Urals box"))
    p.do(Happened(Happening(p.s.moment, LOST_BESIDE, "russia", loss)))


@value("81.72", "What enemy units beside the Urals box take from the Russian construction limit this turn (R-0069)")
def beside_reduction(s: State) -> int:
    lost = total(s, LOST_BESIDE, "russia", "turn")
    if reading_in_force(s, "R-0069") == "c":
        bombed = urals_bombed(s, "bombing") + urals_bombed(s, "flying bombs")
        return (lost + bombed % FOR_ONE) // FOR_ONE
    return lost // FOR_ONE


@value("81.72")
def urals_reduction(s: State) -> int:
    """What all causes in and beside the Urals box take from the Russian construction limit: at most 15 a turn."""
    return min(MOST, bombing_reduction(s) + beside_reduction(s))


@value("81.72", adds_to=construction_limit, also=("81.641",), when=lambda s, power: power == "russia" and _suffered(s))
def without_urals(s: State, power: str) -> int:
    """The Russian construction limit falls with what the Urals box suffered."""
    return -urals_reduction(s)


def _suffered(s: State) -> bool:
    return any(happened(s, kind, "russia", "turn") for kind in (LOST_BESIDE, *map(on_urals, MEANS)))


@foresees
def units_beside_will_cost(s: State) -> list[Foreseen]:
    loss = loss_beside(s)
    if not loss or not keeps_brps(s, "russia"):
        return []
    when = next_step_of(s, "germany", "end of combat phase")
    text = "Enemy ground factors beside the Urals box cost a BRP each beyond the Russian ones in it"
    return [
        Foreseen(when, "81.71", text, "russia", "russia", "as many Russian ground factors in the box by then", -loss)
    ]
