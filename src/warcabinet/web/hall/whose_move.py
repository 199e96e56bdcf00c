"""Whose move it is at a table, and what exactly waits: read from the position, so that nobody need say it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from warcabinet.game.engine import decide
from warcabinet.model import calendar
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.waiting import duties, waits_text
from warcabinet.web.hall.schema import Seat

Kind = Literal["move", "duty", "answer", "consent", "sealed", "confirm", "battle", "stopped"]


class Waits(msgspec.Struct, frozen=True):
    """A seat that must decide. The key stays the same as long as it is the same decision."""

    seat: str
    kind: Kind
    key: str
    text: str


class Open(msgspec.Struct, frozen=True):
    """What the hall knows to be open at a table: consent to an undo, sealed orders, a year start to be confirmed.

    `minded` are the powers in the hands of stewards and standing orders; `stopped` says which of these stopped: the
    seat, which stop it is, and why.
    """

    consent_of: frozenset[str] = frozenset()
    consent_text: str = ""
    consent_head: int = 0
    sealed_of: frozenset[str] = frozenset()
    sealed_text: str = ""
    sealed_round: int = 0
    confirm_of: frozenset[str] = frozenset()
    confirm_text: str = ""
    confirm_move: int = 0
    battle_of: frozenset[str] = frozenset()
    battle_text: str = ""
    moment_of: frozenset[str] = frozenset()
    moment_text: str = ""
    #: Seats that are ready to close the phase: it is not their move any more.
    ready: frozenset[str] = frozenset()
    minded: frozenset[str] = frozenset()
    stopped: frozenset[tuple[str, str, str]] = frozenset()


def whose_move(state: State, seats: Iterable[Seat], hall: Open, *, told: bool = False) -> tuple[Waits, ...]:
    """Every seat that must decide, for the most urgent reason; `told`: with what keeps the clock, if anything does."""
    players = [seat for seat in seats if seat.role == "player"]
    found: dict[str, Waits] = {}
    # While a year start is read or a battle is fought, nobody gives orders.
    by_the_rules = () if hall.confirm_of or hall.battle_of else _by_the_rules(state, players, hall.minded, told)
    for waits in (*_by_the_hall(players, hall), *by_the_rules):
        if waits.kind != "move" or waits.seat not in hall.ready:
            found.setdefault(waits.seat, waits)
    return tuple(found[seat.id] for seat in players if seat.id in found)


def _by_the_hall(players: list[Seat], hall: Open) -> Iterable[Waits]:
    for seat in players:
        if seat.id in hall.consent_of:
            yield Waits(seat.id, "consent", f"consent {hall.consent_head}", hall.consent_text)
        if seat.id in hall.sealed_of:
            yield Waits(seat.id, "sealed", f"sealed {hall.sealed_round}", hall.sealed_text)
        if seat.id in hall.confirm_of:
            yield Waits(seat.id, "confirm", f"confirm {hall.confirm_move}", hall.confirm_text)
        if seat.id in hall.battle_of:
            yield Waits(seat.id, "battle", f"battle {hall.battle_text}", hall.battle_text)
        if seat.id in hall.moment_of:
            yield Waits(seat.id, "confirm", f"moment {hall.moment_text}", hall.moment_text)
    for its_seat, key, text in sorted(hall.stopped):
        yield Waits(its_seat, "stopped", key, text)


def _by_the_rules(state: State, players: list[Seat], minded: frozenset[str], told: bool) -> Iterable[Waits]:
    operation = state.waiting
    if operation is not None:
        key = f"answer {operation.id} {operation.asks}"
        asked = [seat for seat in players if set(seat.powers) & set(operation.waits_for)]
        yield from (Waits(seat.id, "answer", key, waits_text(operation)) for seat in asked)
        return
    yield from _owing(state, players)
    place = state.place
    text = _stuck(state) if told else ""
    deciding = _deciding(state, players, minded) or _deciding(state, players, frozenset())
    yield from (Waits(seat.id, "move", f"move {state.turn} {place.part}", text) for seat in deciding)


def _deciding(state: State, players: list[Seat], minded: frozenset[str]) -> list[Seat]:
    """The seats whose player turn it is, but for those all of whose powers are minded."""
    turn = {power for power in powers() if not state.player or powers()[power].player == state.player}
    return [seat for seat in players if (turn & set(seat.powers)) - minded]


def _owing(state: State, players: list[Seat]) -> Iterable[Waits]:
    """Whoever of the other side owes something before play goes on: forces to set up, a capital to clear."""
    for duty in duties(state):
        holders = [seat for seat in players if set(seat.powers) & set(duty.of)]
        aside = [seat for seat in holders if not any(powers()[p].player == state.player for p in seat.powers)]
        if holders and len(aside) == len(holders):
            text = f"The game waits for this: {duty.text} ({duty.clause})"
            yield from (Waits(seat.id, "duty", f"duty {state.moment} {duty.text}", text) for seat in aside)


def _stuck(state: State) -> str:
    """What must be done before the clock goes on, in words; empty where it may."""
    reasons = decide(state, Advance()).refusals
    return "; ".join(f"{reason.text} ({reason.clause})" for reason in reasons[:2])


def moment_words(state: State) -> str:
    """Where a game is: its turn, and the phase."""
    place = state.place
    side = f"{called_side(place.part)}, " if place.part else ""
    return f"{calendar.turn_name(state.turn)}, {side}{place.step.name}"


def called_side(part: str) -> str:
    return {"axis": "Axis", "allied": "Allied"}.get(part, part)
