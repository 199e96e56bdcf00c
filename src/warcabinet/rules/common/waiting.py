"""Operations that wait for a reply: how one is opened, goes on and closes, and what nobody may do meanwhile (WC.10).

Any chapter may open one; what it is about is its own. Replies are commands marked as such (`reply`), given out of
turn by whoever is asked.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from warcabinet.kernel.operations import Operation
from warcabinet.model.commands import command_types, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import ChooseReading, Roll
from warcabinet.model.events import OperationClosed, OperationMoved, OperationOpened
from warcabinet.model.names import called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import OpenOperation, State, Undertaking
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
