"""All about aid at one moment: when grants may be made, the roads, who may grant to whom, and what a plan comes to."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.game.offers import narrow
from warcabinet.kernel.clause import stands_under
from warcabinet.kernel.why import Trace
from warcabinet.model.happenings import Granted, sum_of
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.rules.aid.grants import LISTED
from warcabinet.views.aid_plan import Granting, Plan, plan, played_out
from warcabinet.views.aid_roads import Road, roads
from warcabinet.views.aid_ways import Claim, Pairs, Way, as_if_granting, grants_now, next_grant, ways_between

GRANTORS = ("usa", "britain", "france", "germany")
RECIPIENTS = ("britain", "france", "russia", "china", "canada", "south_africa", "australia", "india", "italy")
NO_GRANTORS = ("italy", "japan", "russia", "china")


class Cell(msgspec.Struct, frozen=True):
    """One pair: how much may go at most now, by which clauses, what went this turn, or why nothing may."""

    power: str
    to: str
    most: int
    by: tuple[str, ...]
    sent: int
    why_not: tuple[Claim, ...]
    ways: tuple[Way, ...]


class NoGrantor(Claim, frozen=True):
    """A power that may not grant at all, and why."""

    power: str


class AidPage(msgspec.Struct, frozen=True):
    #: Whether somebody may grant at this moment, and when the next chance is for each grantor.
    now: bool
    next: dict[str, str]
    roads: tuple[Road, ...]
    cells: tuple[Cell, ...]
    #: Who may not grant at all.
    never: tuple[NoGrantor, ...]
    plan: Plan


def aid_page(s: State, planned: Iterable[Granting] = ()) -> AidPage:
    """All that a player wants to know to plan aid."""
    judged = played_out(s)
    with Trace():
        pairs: Pairs = {(p, to): ways_between(judged, p, to) for p in GRANTORS for to in RECIPIENTS if p != to}
        found = roads(s, as_if_granting(judged, "usa"), pairs)
        cells = tuple(_cell(judged, power, to, ways) for (power, to), ways in pairs.items())
        never = tuple(_no_grantor(judged, power) for power in NO_GRANTORS)
    return AidPage(
        now=any(grants_now(s, power) for power in GRANTORS),
        next={power: next_grant(s, power) for power in GRANTORS},
        roads=found,
        cells=cells,
        never=never,
        plan=plan(s, planned),
    )


def _no_grantor(s: State, power: str) -> NoGrantor:
    first = _refused(s, power, "britain")[0]
    return NoGrantor(first.clause, first.text, power)


def _cell(s: State, power: str, to: str, ways: tuple[Way, ...]) -> Cell:
    kind = "granted for construction" if to in COMMONWEALTH else "granted"
    sent = sum_of(as_if_granting(s, power), Granted(kind, power, to), "turn")
    best = max((it for it in ways if not it.why_not), key=lambda it: it.most, default=None)
    if best is not None:
        return Cell(power, to, best.most, best.by, sent, (), ways)
    reasons = tuple(it for way in ways for it in way.why_not) or _refused(s, power, to)
    # What bars the pair as such says more than what closes one of its ways.
    whole = [it for it in reasons if any(stands_under(it.clause, c) for c in ("40.3", "40.21", "40.81"))]
    return Cell(power, to, 0, (), sent, tuple(dict.fromkeys((*whole, *reasons))), ways)


def _refused(s: State, power: str, to: str) -> tuple[Claim, ...]:
    """Why a pair that is not listed may not grant."""
    if to in LISTED.get(power, ()):
        return ()
    offer = narrow(as_if_granting(s, power), "grant", {"power": power, "to": to})
    return tuple(Claim(it.clause, it.text) for it in offer.refusals if stands_under(it.clause, "40.3"))
