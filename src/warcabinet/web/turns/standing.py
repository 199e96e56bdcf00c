"""Standing orders and stewards as the table sees them: what is in their hands, and where one of them has stopped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.minding import kept_by
from warcabinet.web.hall.minder_book import Minder
from warcabinet.web.hall.schema import Seat


@lru_cache(maxsize=256)
def program_of(text: str) -> Program | None:
    """A standing order as a plan; none for a steward that ships."""
    return plan_of("the standing order", text) if text else None


def over(minder: Minder, state: State) -> str:
    """Why a standing order acts no longer: its last turn is over, or this release cannot read it any more."""
    try:
        program = program_of(minder.text)
    except WarCabinetError as error:
        return str(error)
    if program is None or state.moment < program.until:
        return ""
    return f"it was left until the end of {program.plan.until}"


def decides_all(minder: Minder, state: State) -> bool:
    """Whether its power needs nobody else: what a standing order leaves to its seat is still the seat's."""
    if minder.mode != "act" or minder.stopped or over(minder, state):
        return False
    return not kept_by(program_of(minder.text), minder.power).nothing_else


def in_other_hands(minders: Iterable[Minder], state: State) -> frozenset[str]:
    """The powers for which no seat need be told that it is their move."""
    return frozenset(it.power for it in minders if decides_all(it, state))


def stopped_now(minders: Iterable[Minder], seats: Iterable[Seat], state: State) -> frozenset[tuple[str, str, str]]:
    """Seats whose standing order stopped in this player turn: the seat, which stop it is, and why."""
    chairs = [seat for seat in seats if seat.role == "player"]
    return frozenset(
        (seat.id, f"stopped {it.power} {it.acted}", f"{called(it)} stops: {it.stopped}")
        for it in minders
        if it.stopped and _same_player_turn(it.acted, state)
        for seat in chairs
        if it.power in seat.powers
    )


def called(minder: Minder) -> str:
    return f"The {'standing order' if minder.text else 'steward'} of {powers()[minder.power].name}"


def _same_player_turn(moment: int, state: State) -> bool:
    turn, step = calendar.split(moment)
    return turn == state.turn and calendar.steps()[step].part == state.place.part
