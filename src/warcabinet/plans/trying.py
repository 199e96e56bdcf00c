"""The likeliest future of a plan, played once: what each order brings or costs, and which clause refuses it."""

from __future__ import annotations

import time

import msgspec

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.acting import Actor, Progress, play
from warcabinet.plans.chances import Odds, Outcome
from warcabinet.plans.form import Program
from warcabinet.rules.economy.base import keeps_brps, level


class Fared(msgspec.Struct, frozen=True):
    """How an order fared, the first time that it was due: the BRPs that it brought or cost, or why it was refused."""

    order: int
    turn: str
    brp: int = 0
    clauses: tuple[str, ...] = ()
    refused: str = ""


class TriedOut(msgspec.Struct, frozen=True):
    """The likeliest future, as far as there was time to play it."""

    until: str
    ended: bool
    orders: tuple[Fared, ...]
    stuck: str = ""


def likeliest(key: str, odds: Odds) -> Outcome:
    """What turns out most often; of what is all as likely, the middle."""
    best = max(share for _, share in odds)
    among = [outcome for outcome, share in odds if share == best]
    return among[(len(among) - 1) // 2]


def tried_out(program: Program, start: State, seconds: float) -> TriedOut:
    """Play the likeliest future from a position, for so many seconds at most."""
    deadline = time.monotonic() + seconds
    found: dict[int, Fared] = {}
    state, stuck = start, ""
    for done in play(Actor(program), Progress(start), program.until, likeliest):
        turn, after = calendar.turn_name(state.turn), done.progress.state
        for deed in done.deeds:
            if deed.order is not None:
                found.setdefault(deed.order, Fared(deed.order, turn, _brought(deed.command, state, after)))
        if (broken := done.broken) is not None:
            if broken.order is not None:
                found.setdefault(broken.order, Fared(broken.order, turn, 0, broken.clauses, broken.text))
            elif broken.stuck:
                stuck = broken.text
        state = after
        if time.monotonic() > deadline:
            break
    ended = state.moment >= program.until
    last = calendar.split(min(state.moment, program.until - 1))[0]
    return TriedOut(calendar.turn_name(last), ended, tuple(found[it] for it in sorted(found)), stuck)


def _brought(command: object, before: State, after: State) -> int:
    power = str(getattr(command, "power", "") or getattr(command, "by", ""))
    if power not in powers() or not keeps_brps(before, power):
        return 0
    return level(after, power) - level(before, power)
