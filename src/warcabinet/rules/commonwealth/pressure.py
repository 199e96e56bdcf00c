"""What enemies beside the Australia and India boxes, and bombs on them, cost (71.321, 71.41, 71.42, 72.321 ff)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.events import Happened
from warcabinet.model.names import called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.foreseen import Foreseen, foresees
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.commonwealth.boxed import BOXED, clause, excess_beside_box, has_surrendered
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.spending import construction_limit
from warcabinet.rules.kinds import effect, value

#: The most that enemies beside a box cost in a turn (71.41), and that a box takes off a limit (71.152, 71.321).
MOST_BRPS, MOST_OFF_LIMITS = 10, 3


@value("71.41", also=("72.41",))
def loss_beside_box(s: State, country: str) -> int:
    """BRPs that Britain loses for the enemies beside a box: one for each factor in excess, ten at most."""
    return min(MOST_BRPS, excess_beside_box(s, country))


@value("71.51E", displaces=loss_beside_box, when=lambda s, country: has_surrendered(s, country), also=("72.51E",))
def no_loss_after_surrender(s: State, country: str) -> int:
    """After its surrender a country costs Britain nothing for the enemies beside its box."""
    return 0


@effect("71.41", when=lambda s: s.player == "axis" and keeps_brps(s, "britain"), also=("72.41",))
def enemies_beside_boxes(p: Proceedings) -> None:
    """As the Japanese combat phase ends, enemies beside a box cost Britain BRPs."""
    for country in BOXED:
        brp = loss_beside_box(p.s, country)
        if brp:
            memo, by = f"enemies beside the {called(country)} box", clause(country, "41")
            move_brps(p, "britain", -brp, memo, Sink("brp", "enemies beside a box"), by)
            p.do(Happened(Happening(p.s.moment, "lost beside its box", country, brp)), by)


# -- the two construction limits ----------------------------------------------------------------------------------


def _raids(s: State, kind: str, country: str) -> list[int]:
    """What each attack of this game turn on a country's box cost."""
    since = s.since("turn")
    return [it.amount for it in s.happenings.of(kind) if it.key == country and it.moment >= since]


def _thirds(losses: list[int]) -> int:
    """One for every three BRPs of each attack by itself."""
    return sum(it // 3 for it in losses)


@value("71.321", also=("72.321",))
def limits_cut_by_bombing(s: State, country: str) -> int:
    """What bombs, flying bombs and rockets take off the limits: one for three BRPs, by rockets one for one."""
    rockets, all_hits = _raids(s, "hit by rockets", country), _raids(s, "bombed", country)
    pooled = reading_in_force(s, "R-0069") != "b"
    # Each rocket attack stands among the hits as well.
    bombs = (sum(all_hits) - sum(rockets)) // 3 if pooled else _thirds(all_hits) - _thirds(rockets)
    return bombs + sum(rockets)


def _beside(s: State, country: str) -> int:
    return total(s, "lost beside its box", country, "turn")


@value("71.42", also=("72.42",))
def limits_cut_beside_box(s: State, country: str) -> int:
    """What enemies beside a box take off the limits: one for every three BRPs that they cost, rounded down."""
    if reading_in_force(s, "R-0069") == "c":
        # Pooled with the bombs: what both together bring beyond the bombs by themselves.
        bombs = sum(_raids(s, "bombed", country)) - sum(_raids(s, "hit by rockets", country))
        return (bombs + _beside(s, country)) // 3 - bombs // 3
    return _beside(s, country) // 3


@value("71.152", also=("72.162",))
def limit_reduction(s: State, country: str) -> int:
    """By how much a country's own construction limit is lower this turn, by all causes together."""
    return min(MOST_OFF_LIMITS, limits_cut_by_bombing(s, country) + limits_cut_beside_box(s, country))


def _off_british_limit(s: State, country: str) -> int:
    """What one box takes off the British limit (R-0068)."""
    if reading_in_force(s, "R-0068") == "b":
        return min(MOST_OFF_LIMITS, limits_cut_by_bombing(s, country)) + min(
            MOST_OFF_LIMITS, limits_cut_beside_box(s, country)
        )
    return limit_reduction(s, country)


def british_reduction(s: State) -> int:
    """What both boxes take off the British limit this turn."""
    off = sum(_off_british_limit(s, country) for country in BOXED)
    return min(MOST_OFF_LIMITS, off) if reading_in_force(s, "R-0068") == "c" else off


@value(
    "71.42",
    adds_to=construction_limit,
    when=lambda s, power: power == "britain" and british_reduction(s) > 0,
    also=("71.321", "72.42", "72.321"),
)
def british_limit_cut(s: State, power: str) -> int:
    """Bombs on the boxes and enemies beside them lower the British construction limit."""
    for country in BOXED:
        off = _off_british_limit(s, country)
        if off:
            note("taken_off", clause(country, "42"), -off, country)
    return -british_reduction(s)


# -- what comes ---------------------------------------------------------------------------------------------------


@foresees
def enemies_will_cost(s: State) -> Iterator[Foreseen]:
    if not keeps_brps(s, "britain"):
        return
    when = next_step_of(s, "japan", "end of combat phase")
    for country in BOXED:
        brp = loss_beside_box(s, country)
        if brp:
            cut = f", and {brp // 3} off its construction limit and {called(country)}'s" if brp >= 3 else ""
            told = f"Britain loses {brp} BRPs for enemies beside the {called(country)} box{cut}"
            averted = "as many Western Allied ground factors in the box as enemies beside it"
            yield Foreseen(when, clause(country, "41"), told, "britain", country, averted, -brp)
