"""Operations that wait for a reply, what nobody may do meanwhile (WC.10), and duties that must be done before play
goes on.

Any chapter may open one; what it is about is its own. Replies are commands marked as such (`reply`), given out of
turn by whoever is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from warcabinet.kernel.why import quietly
from warcabinet.model.commands import command_types, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.table import ChooseReading, Roll
from warcabinet.model.events import OperationClosed, OperationMoved, OperationOpened
from warcabinet.model.keys import NOWHERE, Place, Unit
from warcabinet.model.names import called
from warcabinet.model.operations import Operation
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import OpenOperation, State, Undertaking
from warcabinet.model.unit_lists import counted
from warcabinet.rules.kinds import limit

#: What can be done at any time: the referee's part, a choice of reading, a die in sight of all.
ALWAYS = (ChooseReading, Roll)
HELD_UP = tuple(kind for kind in command_types().values() if kind not in ALWAYS and not kind.referee_only)
REPLIES = tuple(kind for kind in HELD_UP if kind.reply)
BY_A_POWER = tuple(kind for kind in REPLIES if "power" in kind.__struct_fields__)


class Question(msgspec.Struct, frozen=True):
    """What an operation asks next: of whom, by which replies, in words, and under which clause."""

    clause: str
    of: tuple[str, ...]
    replies: tuple[type[Command], ...]
    asks: str


def open_operation(p: Proceedings, title: str, about: Undertaking, question: Question) -> None:
    """Let something stay open until one of those who are asked has replied."""
    asked = (question.of, tuple(map(name_of, question.replies)), question.asks)
    opened = Operation(f"O{p.s.opened + 1}", title, question.clause, p.s.moment, *asked, about)
    p.do(OperationOpened(opened), question.clause)


def ask_next(p: Proceedings, about: Undertaking, question: Question) -> None:
    """Let the open operation stand as it is now, and ask the next question."""
    stands = replace(
        _waiting(p.s),
        clause=question.clause,
        waits_for=question.of,
        replies=tuple(map(name_of, question.replies)),
        asks=question.asks,
        about=about,
    )
    p.do(OperationMoved(stands), question.clause)


def close_operation(p: Proceedings, outcome: str) -> None:
    p.do(OperationClosed(_waiting(p.s).id, outcome))


def _waiting(s: State) -> OpenOperation:
    assert s.waiting is not None, "no operation is open"
    return s.waiting


def waits_text(operation: OpenOperation) -> str:
    """Whose reply an operation waits for, and what it asks."""
    asked = " and ".join(map(called, operation.waits_for))
    return f"{operation.title} waits for {asked}: {operation.asks}"


@limit("WC.10", on=HELD_UP, when=lambda s, cmd: bool(s.operations))
def operation_waits(s: State, cmd: Command) -> str | None:
    """While an operation is open, only what replies to it is commanded."""
    operation = _waiting(s)
    return None if name_of(cmd.__class__) in operation.replies else waits_text(operation)


@limit("WC.10", "A reply is given only to what asks for it", on=REPLIES, when=lambda s, cmd: not s.operations)
def something_asks(s: State, cmd: Command) -> str:
    return f"{name_of(cmd.__class__).replace('_', ' ')}: no operation is under way that asks for it"


@limit(
    "WC.10", on=BY_A_POWER, when=lambda s, cmd: s.waiting is not None and name_of(cmd.__class__) in s.waiting.replies
)
def asked_power_replies(s: State, cmd: Command) -> str | None:
    """The power that is asked replies."""
    operation = _waiting(s)
    return None if getattr(cmd, "power", "") in operation.waits_for else waits_text(operation)


Going = MoveUnits | ReportMove | ReportUnits
Coming = MoveUnits | ReportMove | ReportUnits | Build
COMING: tuple[type[Coming], ...] = (MoveUnits, ReportMove, ReportUnits, Build)
#: What comes, and what is reported lost.
Moved = Coming | ReportLoss


def nation_of(cmd: Moved | ReportOperation) -> str:
    return cmd.power if isinstance(cmd, ReportMove | Build | ReportLoss) else cmd.nation


def origin_of(cmd: Moved) -> Place:
    """Where units come from: a place, or nowhere for those that are built or reported."""
    if isinstance(cmd, MoveUnits):
        return cmd.from_
    if isinstance(cmd, ReportMove):
        return cmd.origin
    return cmd.at if isinstance(cmd, ReportLoss) or (isinstance(cmd, ReportUnits) and cmd.count < 0) else NOWHERE


def goal_of(cmd: Moved) -> Place:
    """Where units go: a place, or nowhere for those that are lost, or that a report takes off the board."""
    if isinstance(cmd, MoveUnits | ReportMove):
        return cmd.to
    return NOWHERE if isinstance(cmd, ReportLoss) or (isinstance(cmd, ReportUnits) and cmd.count < 0) else cmd.at


def units_going(cmd: Moved) -> Mapping[Unit, int]:
    """How many units of each kind go, are built or are lost."""
    return counted(cmd.units) if isinstance(cmd, ReportMove | Build | ReportLoss) else {cmd.unit: abs(cmd.count)}


class Duty(msgspec.Struct, frozen=True):
    """An order that is owed: under which clause, what for, by any one of these powers, and what of it is settled.

    `actor` is the field that names the power; without one the order is for whoever plays all of these powers.
    """

    clause: str
    text: str
    of: tuple[str, ...]
    command: str
    known: dict[str, str]
    actor: str = "by"


#: Orders by which something is owed to a place; where only the books are kept nobody asks for them (WC.29).
OF_PLACES = (
    "build",
    "deploy",
    "deploy_rest",
    "displace",
    "displace_fleet",
    "move",
    "rebuild",
    "report_move",
    "report_units",
)

Asker = Callable[[State], Iterable[Duty]]
_ASKERS: list[Asker] = []


def duty(fn: Asker) -> Asker:
    """Register a function that tells what is owed in a position; a limit on `advance` keeps the game there."""
    _ASKERS.append(fn)
    _ASKERS.sort(key=lambda it: (it.__module__, it.__code__.co_firstlineno))
    return fn


def duties(s: State) -> list[Duty]:
    """What is owed in a position, by everybody; what several of those who tell it ask for is worked out once."""
    with quietly():
        found = [it for asker in _ASKERS for it in asker(s)]
        return [it for it in found if it.command not in OF_PLACES] if s.options.counted else found
