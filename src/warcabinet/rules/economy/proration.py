"""What falls due at one moment is added up for each power, prorated once, and posted as one entry (35.71, 35.72)."""

from __future__ import annotations

from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Brp, Sink, Source
from warcabinet.model.agenda import Matter, Promise
from warcabinet.model.events import Closed, EntryPosted, Happened
from warcabinet.model.ledger import Part, entry
from warcabinet.model.names import areas
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.rules.common.readings import reading
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.kinds import effect, value

SHARES = (("35.71A", 100), ("35.71B", 75), ("35.71C", 50), ("35.71D", 25))


@value("35.71", "The share of a yearly value that a season still brings", covers=tuple(c for c, _ in SHARES))
def season_share(s: State) -> int:
    clause, share = SHARES[s.season]
    note("share", clause, share, calendar.SEASONS[s.season])
    return share


@value("35.71", "A sum of gains and losses, prorated by the season; the fraction is dropped")
def prorated(s: State, amount: int) -> int:
    share = abs(amount) * season_share(s) // 100
    return share if amount >= 0 else -share


@value("35.71", displaces=prorated, when=lambda s, amount: amount < 0 and reading("R-0002", "b")(s))
def prorated_downwards(s: State, amount: int) -> int:
    """Under the other reading a net loss is rounded down below zero."""
    return amount * season_share(s) // 100


@effect("35.72", "What falls due at one moment is added up before it is prorated")
def settle(p: Proceedings) -> None:
    parts: dict[tuple[str, int], list[Part]] = {}
    # The oldest first; what one promises for this same moment comes after it.
    while due_now := p.s.agenda.fallen_due(p.s.moment):
        amount = p.run(RULES.dues[due_now.effect], due_now)
        if due_now.id in p.s.agenda:
            p.do(Closed(due_now.id, "done"), due_now.clause)
        if amount:
            parts.setdefault((due_now.power, due_now.due), []).append(Part(due_now.clause, _memo(due_now), amount))
    for (power, moment), found in parts.items():
        _post_sum(p, power, tuple(found), moment)


def _memo(promise: Promise[Matter]) -> str:
    return areas()[promise.about].name if promise.about in areas() else promise.about


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
    before = total(s, _added_up(moment), power, "player turn")
    return prorated(s, before + amount) - (prorated(s, before) if before else 0)


def remember_sum(p: Proceedings, power: str, amount: int, moment: int) -> None:
    """What was added up for a moment is known to whatever is reported later for the same one (35.72)."""
    p.do(Happened(Happening(p.s.moment, _added_up(moment), power, amount)), "35.72")


def _added_up(moment: int) -> str:
    return f"added up at {calendar.steps()[calendar.split(moment)[1]].step.name}"


def overdue(s: State) -> bool:
    """Whether something on the agenda fell due before it was reported."""
    return s.agenda.fallen_due(s.moment) is not None
