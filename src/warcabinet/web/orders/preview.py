"""What would come of a command, before it is given."""

from __future__ import annotations

import msgspec

from warcabinet.game import hands_over
from warcabinet.game.engine import decide
from warcabinet.kernel.decision import Needs
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.commands.base import Command
from warcabinet.model.ledger import balance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.views.compare import CHANGES_RULES, Differs, moved
from warcabinet.web.orders.log_lines import EventLine, event_line
from warcabinet.web.orders.order_words import command_words
from warcabinet.web.orders.reasons import Reason, reason
from warcabinet.web.orders.refusal_lines import RefusedOrder, refused_order


class FigureChange(msgspec.Struct, frozen=True, rename={"now": "is"}):
    """A level or base that would be other than it is."""

    power: str
    figure: str
    was: int
    now: int


class Preview(msgspec.Struct, frozen=True):
    """What would follow: every event in words, or every reason against it, or the die that is thrown first."""

    accepted: bool
    sentence: str
    events: tuple[EventLine, ...] = ()
    changes: tuple[FigureChange, ...] = ()
    #: Of a reading, an option or a ruling: every figure of this position that would be other than it is.
    figures: tuple[Differs, ...] | None = None
    checked: tuple[Reason, ...] = ()
    moment: str = ""
    barrier: str = ""
    needs: Needs | None = None
    refused: RefusedOrder | None = None


def preview(state: State, command: Command) -> Preview:
    """What would come of a command. Nothing is done."""
    ruling = decide(state, command, tell=True)
    if ruling.refusals:
        refused = refused_order(state, command, ruling)
        return Preview(accepted=False, sentence=refused.sentence, refused=refused)
    if ruling.needs is not None:
        return Preview(ruling.needs.kind == "die", command_words(command), needs=ruling.needs)
    return Preview(
        accepted=True,
        sentence=command_words(command),
        events=tuple(event_line(record, whys=True) for record in ruling.records),
        changes=_changes(state, ruling.state),
        figures=moved(state, ruling.state) if isinstance(command, CHANGES_RULES) else None,
        checked=tuple(map(reason, ruling.checked)),
        moment=calendar.moment_name(ruling.state.moment),
        barrier="hand-over" if hands_over(state, ruling.state) else "",
    )


def _changes(before: State, after: State) -> tuple[FigureChange, ...]:
    """Levels and bases that would be other than they are."""
    found = []
    for figure, account in (("level", Brp), ("base", Base)):
        for power in powers():
            was, now = balance(before.ledger, account(power)), balance(after.ledger, account(power))
            if was != now:
                found.append(FigureChange(power, figure, was, now))
    return tuple(found)
