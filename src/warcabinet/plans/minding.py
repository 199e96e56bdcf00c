"""What a plan would do now for some powers: for standing orders, for stewards, and for whoever asks for advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from warcabinet.game.engine import decide
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import Build, Mobilize
from warcabinet.model.names import called, powers
from warcabinet.model.state import State
from warcabinet.plans.acting import steward
from warcabinet.plans.chances import Outcome
from warcabinet.plans.form import Keep, Program
from warcabinet.plans.housekeeping import answers, matters
from warcabinet.rules.common.waiting import duties
from warcabinet.rules.economy.mobilization import mobilizations_due
from warcabinet.rules.economy.spending import construction_left


class Advice(msgspec.Struct, frozen=True):
    """An order that a plan has for this moment: for which power, why, and the position after it."""

    power: str
    command: Command
    why: str
    state: State


class NoAnswer(msgspec.Struct, frozen=True):
    """Where a plan stops: an order that was refused, or a duty that nothing in it meets."""

    power: str
    text: str
    clauses: tuple[str, ...]


def kept_by(program: Program | None, power: str) -> Keep:
    """The preferences by which a power is kept: its plan's own, its steward's; or none, where the plan wants nobody."""
    if program is None or (power not in program.plan.keep and program.plan.others == "stewards"):
        return steward(power)
    return program.plan.keep.get(power, Keep(nothing_else=True))


def advised(
    s: State, held: Iterable[str], program: Program | None = None, fresh: bool = True
) -> Iterator[Advice | NoAnswer]:
    """Everything that would be ordered now for some powers, each on the position that the one before it made.

    Where they have acted at this moment before, only what the game waits for is left.
    """
    mine = tuple(held)
    keeps = {power: kept_by(program, power) for power in mine}
    for it in _acting(s, mine, program, keeps) if fresh else ():
        yield it
        s = it.state if isinstance(it, Advice) else s
    yield from _owed(s, mine, keeps, program)


def _acting(
    s: State, mine: tuple[str, ...], program: Program | None, keeps: Mapping[str, Keep]
) -> Iterator[Advice | NoAnswer]:
    """The orders of the plan, then each power's preferences."""
    for it in _ordered(s, mine, program) if program is not None else ():
        yield it
        s = it.state if isinstance(it, Advice) else s
    for matter in matters(s, keeps):
        power = matter.power
        found = first_accepted(s, matter.ways(s, keeps[power]))
        if found is not None:
            yield Advice(power, found[0], _why(s, power, program, found[0]), found[1])
            s = found[1]


def _why(s: State, power: str, program: Program | None, command: Command) -> str:
    """By whose preferences an order is given, and by which of them."""
    reason = _reason(s, kept_by(program, power), command)
    return f"{_by_whom(power, program)}: {reason}" if reason else _by_whom(power, program)


def _by_whom(power: str, program: Program | None) -> str:
    own = program is not None and power in program.plan.keep
    return f"by the preferences of {program.plan.plan}" if own and program else f"by {called(power)}'s steward"


def _reason(s: State, keep: Keep, command: Command) -> str:
    """The preference behind an order, in words."""
    if isinstance(command, Mobilize):
        first = f"{', then '.join(keep.mobilize[:3])} first" if keep.mobilize else "armor, then air, then infantry"
        return f"a mobilization is due; {first}"
    if isinstance(command, Build):
        left = keep.left_over(s)
        saved = f", leaving {left} BRPs" if left else ""
        return f"{construction_left(s, command.power)} of the construction limit are left{saved}"
    if isinstance(command, GrantBrps):
        return f"as far as the road to {powers()[command.to].name} carries"
    return ""


def _certain(program: Program) -> Callable[[State, str], Outcome]:
    """How things turn out in every future; what is uncertain in truth is in no standing order."""

    def certain(s: State, name: str) -> Outcome:
        for outcome in program.plan.uncertain[name].certain():
            return outcome
        raise WarCabinetError(f"nobody knows how {name} turns out")

    return certain


def _ordered(s: State, mine: tuple[str, ...], program: Program) -> Iterator[Advice | NoAnswer]:
    certain = _certain(program)
    for order in program.orders:
        if s.step not in order.steps or not order.due(s) or not order.condition(s, certain):
            continue
        command = order.command(s, certain)
        if command is None:
            continue
        named = [str(getattr(command, field, "")) for field in ("power", "by", "nation")]
        power = next((it for it in named if it in mine), mine[0])
        ruling = decide(s, command)
        if ruling.accepted:
            yield Advice(power, command, f"line {order.line} of {program.plan.plan}", ruling.state)
            s = ruling.state
        else:
            refused = ruling.refusals[0].text if ruling.refusals else ruling.needs.text if ruling.needs else ""
            clauses = tuple(dict.fromkeys(it.clause for it in ruling.refusals))
            yield NoAnswer(power, f"{order.label}: {refused}", clauses)


def _owed(
    s: State, mine: tuple[str, ...], keeps: Mapping[str, Keep], program: Program | None
) -> Iterator[Advice | NoAnswer]:
    """What the game waits for from these powers."""
    for _ in range(50):
        owing = owes(s, mine)
        if not owing:
            return
        found = first_accepted(s, answers(s, keeps))
        if found is None:
            yield NoAnswer(mine[0], owing[1], (owing[0],))
            return
        yield Advice(mine[0], found[0], f"{_by_whom(mine[0], program)}: a duty ({owing[0]})", found[1])
        s = found[1]


def owes(s: State, mine: Iterable[str]) -> tuple[str, str] | None:
    """The clause and the text of something that the game waits for and that only these powers need to do."""
    held = set(mine)
    if s.waiting is not None:
        return ("WC.10", "an answer is awaited") if held & set(s.waiting.waits_for) else None
    for power, _ in mobilizations_due(s):
        if power in held:
            return "36.351", f"{powers()[power].name} must mobilize"
    for duty in duties(s):
        if (set(duty.of) <= held) if not duty.actor else bool(held & set(duty.of)):
            return duty.clause, duty.text
    return None


def first_accepted(s: State, ways: Iterable[Command]) -> tuple[Command, State] | None:
    """The first of some commands that the rules accept without a die, and the position after it."""
    for command in ways:
        ruling = decide(s, command)
        if ruling.accepted:
            return command, ruling.state
    return None
