"""A plan in words, turn by turn: what is done in one of its futures, what it brings, and the clauses behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from warcabinet.game.engine import GameDecision, decide
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import nodes
from warcabinet.model import calendar
from warcabinet.model.accounts import Brp
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import Build, Mobilize, TriggerDeferred
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.events import EntryPosted
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_called
from warcabinet.model.state import State
from warcabinet.plans.acting import Actor, Deed, Progress, play
from warcabinet.plans.chances import Outcome, turns_out
from warcabinet.plans.form import Program
from warcabinet.rules.economy.base import base_growth, keeps_brps, level

#: Clauses that are named with a line: the nearest ones.
MOST_CLAUSES = 3


class TurnTold(msgspec.Struct, frozen=True):
    """A line: in which turn, whose, what is done, the BRPs that it brings or costs, and its clauses."""

    turn: str
    power: str
    text: str
    brp: int
    clauses: tuple[str, ...]


def story(program: Program, seed: int, future: int, start: State, about: Sequence[str]) -> tuple[TurnTold, ...]:
    """One future of a plan, as far as it is about these powers; about all that have preferences, if of none."""
    mine = tuple(about) or tuple(program.plan.keep)

    def ask(key: str, odds: object) -> Outcome:
        return turns_out(seed, future, key, odds)  # type: ignore[arg-type]

    return tuple(_lines(program, start, mine, ask))


def _lines(program: Program, start: State, mine: Sequence[str], ask: object) -> Iterator[TurnTold]:
    state = start
    for done in play(Actor(program), Progress(start), program.until, ask):  # type: ignore[arg-type]
        for deed in done.deeds:
            if deed.by == "step":
                yield from _left(state, mine)
            ruling = decide(state, deed.command, deed.dice)
            power = _whose(deed.command)
            if deed.by in ("order", "preference") and power in mine:
                yield _line(state, deed, power, ruling)
            state = ruling.state


def _whose(command: Command) -> str:
    return next((it for key in ("power", "by", "nation") if (it := str(getattr(command, key, ""))) in powers()), "")


def _line(state: State, deed: Deed, power: str, ruling: GameDecision) -> TurnTold:
    brought = level(ruling.state, power) - level(state, power)
    clauses = [RULES.orders[type(deed.command)].clause]
    for record in ruling.records:
        if isinstance(record.event, EntryPosted):
            touched = any(it.account == Brp(power) for it in record.event.entry.postings)
            clauses += [record.clause] if touched else []
    return TurnTold(calendar.turn_name(state.turn), power, _said(deed), brought, _few(clauses))


def _few(clauses: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(it for it in clauses if it))[:MOST_CLAUSES]


def _left(state: State, mine: Sequence[str]) -> Iterator[TurnTold]:
    """What is left unspent as a year ends, and what the base grows by."""
    if state.season != calendar.WINTER or state.step != len(calendar.steps()) - 1:
        return
    for power in mine:
        if state.powers[power].surrendered or not keeps_brps(state, power):
            continue
        grows, why = base_growth(state, power), explain_value("base_growth", state, power)
        text = f"Leave {level(state, power)}: the base of {state.year + 1} grows by {grows}"
        clauses = [it.clause for it in nodes(why) if not it.clause.startswith("WC")]
        yield TurnTold(calendar.turn_name(state.turn), power, text, 0, _few(clauses))


def _said(deed: Deed) -> str:
    """What an order does, in words."""
    match deed.command:
        case Build(units=units, at=at):
            return f"Build {', '.join(units)} at {place_called(at)}"
        case Mobilize(units=units, shipbuilding=yards, defer=later, theater=theater):
            more = ["an increase of shipbuilding"] if yards else []
            more += [f"{later} BRPs put off"] if later else []
            where = {"europe": " for Europe", "pacific": " for the Pacific"}.get(theater, "")
            return f"Mobilize {', '.join((*units, *more))}{where}"
        case TriggerDeferred(units=units):
            return f"Bring in {', '.join(units)}, put off before"
        case GrantBrps(to=to, by=by, brp=brp):
            return f"Grant {brp} to {called(to)} by {by}"
        case DeclareWar(on=on):
            return f"Declare war on {', '.join(called(it) for it in on)}"
        case Spend(brp=brp, on=on):
            return f"Spend {brp} on {on}"
    return deed.told[:1].upper() + deed.told[1:]
