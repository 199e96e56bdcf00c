"""Deferred force pool additions, used within four turns, and what is prorated (36.351, 36.352)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Brp, Deferred, DeferredFrom, DeferredGone, Sink, Source
from warcabinet.model.agenda import Deferment, Promise
from warcabinet.model.commands.forces import Mobilize, TriggerDeferred
from warcabinet.model.events import Closed, EntryPosted, Happened
from warcabinet.model.happenings import AddedUp, befell, sum_of
from warcabinet.model.ledger import Part, balance, entry
from warcabinet.model.names import areas, powers
from warcabinet.model.pieces import Mobilized
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.model.units import HEAVY_ARMOR, TRANSPORT, Unit, kind_name
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.economy.base import entering, keeps_brps, mobilization_delay, mobilized_as, place_on_track
from warcabinet.rules.economy.mobilization_record import (
    brought_by,
    deferrals,
    deferred_from,
    half_done,
    increases_from,
    label,
    mobilized_now,
    theater_of,
)
from warcabinet.rules.kinds import due, effect, limit, value

MAY_DEFER = ("japan", "russia", "usa")
NEVER_DEFER = ("britain", "italy")
MOST = 5
WITHIN = 4


@value("36.351", "What may still be deferred: five BRPs of a mobilization, both halves together, or of a turn (R-0013)")
def deferrable(s: State, power: str, theater: str) -> int:
    if reading_in_force(s, "R-0013") == "b":
        return MOST - total(s, "deferred", power, "turn")
    return MOST - (deferred_from(s, power, label(s, power, theater)) if half_done(s, power) is not None else 0)


@value("36.351", "BRPs deferred in earlier turns that can still be triggered")
def deferred_brps(s: State, power: str) -> int:
    usable = 0
    for turn, mobilization, brp in deferrals(s, power):
        if turn < s.turn <= turn + WITHIN:
            note("deferred", "36.351", brp, calendar.turn_name(turn), mobilization)
            usable += brp
    return usable


def deferred_next_turn(s: State, cmd: Mobilize) -> int:
    """BRPs that will be there to trigger in the next turn: what an order defers, and what it leaves of earlier ones."""
    lasting = sum(brp for turn, _, brp in deferrals(s, cmd.power) if s.turn < turn + WITHIN)
    return max(0, lasting - cmd.deferred) + cmd.defer


def deferred_for_second_half(s: State) -> int:
    """BRPs that Russia can still trigger in the turn in which a half of a mobilization is completed."""
    comes = s.turn + 1 if mobilized_now(s, "russia") else s.turn
    return sum(brp for turn, _, brp in deferrals(s, "russia") if comes <= turn + WITHIN)


@limit("36.351", on=Mobilize)
def deferral_bounded(s: State, cmd: Mobilize) -> Iterator[Bound | Refusal]:
    """Japan, Russia and the U.S. may defer up to five BRPs of units, others none; what was deferred pays for units."""
    if cmd.power in NEVER_DEFER:
        yield Bound("defer", most=0, text=f"{powers()[cmd.power].name} may not defer", clause="36.352")
    yield Bound("deferred", most=deferred_brps(s, cmd.power), text="deferred BRPs that can be triggered")
    if cmd.power not in NEVER_DEFER:
        most = deferrable(s, cmd.power, theater_of(cmd)) if cmd.power in MAY_DEFER else 0
        yield Bound("defer", most=max(0, most), text="BRPs of force pool additions deferred")
    if cmd.deferred and cmd.shipbuilding and cost_of(counted(cmd.units)) < cmd.deferred + cmd.production:
        yield Refusal("36.341F", f"{cmd.deferred} deferred BRPs, and production, pay for units, not for ships")


def from_deferment(cmd: TriggerDeferred) -> int:
    """The part of the units' value that deferred BRPs pay for."""
    return cost_of(counted(cmd.units)) - cmd.production


@limit("36.351", on=TriggerDeferred)
def something_is_deferred(s: State, cmd: TriggerDeferred) -> Iterator[Refusal | str]:
    """Only BRPs deferred in one of the last four turns can be triggered, for units and not for shipbuilding."""
    there, name = deferred_brps(s, cmd.power), powers()[cmd.power].name
    if not there and total(s, "deferred", cmd.power, "turn"):
        yield f"what {name} deferred this turn can be triggered from the next one on"
    elif not there:
        yield f"{name} has deferred nothing in the last four turns"
    elif not (0 < (asked := from_deferment(cmd)) <= there or cmd.shipbuilding):
        yield f"{asked} deferred BRPs asked for (units less production), 1 to {there} can be triggered"
    if cmd.shipbuilding > 0:
        yield Refusal("36.341F", "shipbuilding may not be increased with deferred additions")


def defer(p: Proceedings, power: str, theater: str, brp: int) -> None:
    """Put off a part of the mobilization under way; four turns later it lapses."""
    if not brp:
        return
    name, turn = label(p.s, power, theater), p.s.turn
    made = entry("deferred", (Deferred(power, turn, name), brp), (DeferredFrom(power, name), -brp))
    p.do(EntryPosted(made), "36.351")
    p.do(Happened(Happening(p.s.moment, "deferred", power, brp)), "36.351")
    promise(p, deferred_lapse, entering(power, turn + WITHIN + 1), power, Deferment(turn, name), clause="36.351")


def unfit(s: State, power: str, mobilization: str, units: Mapping[Unit, int]) -> bool:
    """Whether a mobilization may bring no more of the units named: 5-6 armor, or a transport (36.32C(6), 36.32F)."""
    brought = brought_by(s, power, mobilization)
    heavy = HEAVY_ARMOR in units and (mobilization.startswith("pacific") or brought.get(HEAVY_ARMOR, 0) > 0)
    full = brought.get(TRANSPORT, 0) > 0 or increases_from(s, power, mobilization) > 1
    return power == "usa" and (heavy or (TRANSPORT in units and full))


def drawn_on(s: State, power: str, brp: int, units: Mapping[Unit, int]) -> list[tuple[int, str, int]]:
    """The deferments that so many BRPs are taken from, fit ones before others, the oldest first: turn, name, BRPs."""
    found = []
    for turn, mobilization, there in sorted(deferrals(s, power), key=lambda it: unfit(s, power, it[1], units)):
        taken = min(brp, there) if turn < s.turn <= turn + WITHIN else 0
        if taken:
            found.append((turn, mobilization, taken))
            brp -= taken
    return found


def use_deferred(p: Proceedings, power: str, brp: int, units: Mapping[Unit, int]) -> None:
    """Take deferred BRPs for some units."""
    for turn, mobilization, taken in drawn_on(p.s, power, brp, units):
        drawn_from = (Deferred(power, turn, mobilization), -taken)
        p.do(EntryPosted(entry("triggered", drawn_from, (DeferredGone("used"), taken))), "36.351")


@due("36.351", "Deferred additions that were not triggered within four turns are lost", averted_by="triggering them")
def deferred_lapse(p: Proceedings, due_now: Promise[Deferment]) -> None:
    account = Deferred(due_now.power, due_now.of.turn, due_now.of.mobilization)
    left = balance(p.s.ledger, account)
    if left:
        p.do(EntryPosted(entry("never triggered", (account, -left), (DeferredGone("lost"), left))))


def announce(p: Proceedings, power: str, unit: Unit, count: int, source: Mobilized) -> None:
    """Put mobilized units on the turn record track, and remember what the turn's limits ask for."""
    turn = p.s.turn + mobilization_delay(p.s, mobilized_as(p.s, power, unit))
    place_on_track(p, power, unit, count, turn, source, "36.31")
    if kind_name(unit) == "army air":
        p.do(Happened(Happening(p.s.moment, "mobilized army air", power, count)), "36.32A")


SHARES = (("35.71A", 100), ("35.71B", 75), ("35.71C", 50), ("35.71D", 25))


@value("35.71", "The share of a yearly value that a season still brings", covers=tuple(c for c, _ in SHARES))
def season_share(s: State) -> int:
    clause, share = SHARES[s.season]
    note("share", clause, share, calendar.SEASONS[s.season])
    return share


@value("35.71", "A sum of gains and losses, prorated by the season; the fraction is dropped (R-0002)")
def prorated(s: State, amount: int) -> int:
    if amount < 0 and reading_in_force(s, "R-0002") == "b":
        return amount * season_share(s) // 100
    share = abs(amount) * season_share(s) // 100
    return share if amount >= 0 else -share


@effect("35.72", "What falls due at one moment is added up before it is prorated")
def settle(p: Proceedings) -> None:
    parts: dict[tuple[str, int], list[Part]] = {}
    # The oldest first; what one promises for this same moment comes after it.
    while due_now := p.s.agenda.fallen_due(p.s.moment):
        amount = p.run(RULES.dues[due_now.effect], due_now)
        if due_now.id in p.s.agenda:
            p.do(Closed(due_now.id, "done"), due_now.clause)
        if amount:
            memo = areas()[due_now.about].name if due_now.about in areas() else due_now.about
            parts.setdefault((due_now.power, due_now.due), []).append(Part(due_now.clause, memo, amount))
    for (power, moment), found in parts.items():
        _post_sum(p, power, tuple(found), moment)


def _post_sum(p: Proceedings, power: str, parts: tuple[Part, ...], moment: int) -> None:
    """One entry for all that one power gains and loses at a moment, if its BRPs are kept (35.24, R-0443)."""
    if not keeps_brps(p.s, power):
        return
    added = sum(part.amount for part in parts)
    note("level_moves", "35.61", added, power)
    note("added_up", "35.72", added, power, text=", ".join(f"{part.memo} {part.amount:+}" for part in parts))
    amount = share_of_sum(p.s, power, added, moment)
    memo = ", ".join(part.memo for part in parts)
    other: Account = Source("brp", "areas") if amount >= 0 else Sink("brp", "areas")
    made = entry(memo, (Brp(power), amount), (other, -amount), parts=parts)
    p.do(EntryPosted(made), "35.62" if amount >= 0 else "35.63")
    remember_sum(p, power, added, moment)


def share_of_sum(s: State, power: str, amount: int, moment: int) -> int:
    """What an amount that belongs to a moment brings: with all that was settled for it before, prorated once (35.72).

    A capture or a bombing may be reported after the end of its combat phase; the order of reports changes nothing.
    """
    before = sum_of(s, AddedUp(calendar.step_name(moment), power), "player turn")
    return prorated(s, before + amount) - (prorated(s, before) if before else 0)


def remember_sum(p: Proceedings, power: str, amount: int, moment: int) -> None:
    """What was added up for a moment is known to whatever is reported later for the same one (35.72)."""
    p.do(befell(p.s, AddedUp(calendar.step_name(moment), power), amount), "35.72")


def overdue(s: State) -> bool:
    """Whether something on the agenda fell due before it was reported."""
    return s.agenda.fallen_due(s.moment) is not None
