"""Undo at a table of several: free for one's own moves up to a die or a hand-over, by consent beyond."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from warcabinet.game.journal import Move
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter, may_play
from warcabinet.web.hall.schema import Asked, Seat
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.hall.whose_move import Open
from warcabinet.web.plumbing.problems import Problem, forbidden


class UndoAsked(msgspec.Struct, frozen=True):
    """An undo that waits for consent: who asked, why it is not free, and whose word is missing."""

    seat: str
    reason: str
    agreed: tuple[str, ...]
    mine: bool
    waits_for_me: bool


class UndoOutlook(msgspec.Struct, frozen=True):
    """Whether there is something to undo or redo, whether it is free, and what waits for consent."""

    possible: bool
    redo: int
    reason: str
    free: bool
    asked: UndoAsked | None


class Undone(msgspec.Struct, frozen=True):
    """What came of it: done, or asked of the others, with the reason why it is not free."""

    done: bool
    asked: bool = False
    reason: str = ""


def outlook(hall: Hall, table: Table, sitter: Sitter) -> UndoOutlook:
    batch = table.game.last_batch()
    asked = _pending(hall, table)
    possible = batch[0].kind != "start"
    reason = _reason(hall, table, sitter, batch)
    return UndoOutlook(
        possible=possible,
        redo=len(table.game.head.redo),
        reason=reason if possible else "",
        free=possible and not (reason and _concerned(hall, table, sitter, batch)),
        asked=None
        if asked is None
        else UndoAsked(
            seat=asked.seat,
            reason=asked.reason,
            agreed=asked.agreed,
            mine=asked.seat in _ids(sitter),
            waits_for_me=bool(_ids(sitter) & (_voters(hall, table, asked) - set(asked.agreed))),
        ),
    )


def settles(hall: Hall, table: Table, sitter: Sitter) -> bool:
    """Whether someone's word settles an undo: a referee who plays no power, and never played one here.

    Who leaves their seat for a moment has not become impartial by it; and over a die only that referee judges who did
    so when it was thrown.
    """
    return sitter.impartial and sitter.person.id in _judges(hall, table, {sitter.person.id})


def _ids(sitter: Sitter) -> set[str]:
    return {seat.id for seat in sitter.seats if seat.role != "spectator"}


def _reason(hall: Hall, table: Table, sitter: Sitter, batch: list[Move]) -> str:
    """Why the last command is not simply taken back; empty when it may be."""
    barriers = sorted({move.barrier for move in batch if move.barrier})
    if barriers:
        return "it would cross a " + " and a ".join(barriers)
    if not {move.seat for move in batch} <= _ids(sitter) and not settles(hall, table, sitter):
        return "another seat did it"
    return ""


def _others(hall: Hall, table: Table, sitter: Sitter) -> set[str]:
    """Seats with powers in which other people sit."""
    players = {seat.id for seat in hall.seats(table.id) if seat.role == "player"}
    return {
        seat
        for seat, people in hall.sitters(table.id).items()
        if seat in players and any(person.id != sitter.person.id for person in people)
    }


def _concerned(hall: Hall, table: Table, sitter: Sitter, batch: list[Move]) -> bool:
    """Whether it is not for this sitter alone: others play, or ever played and a die was thrown."""
    thrown = any(move.barrier == "die" for move in batch)
    return bool(_others(hall, table, sitter)) or (thrown and bool(hall.met(table.id) - {sitter.person.id}))


def _thrown(table: Table) -> int:
    """The first move of those that an undo takes back in which a die was thrown; 0: there is none."""
    return min((move.id for move in table.game.last_batch() if move.barrier == "die"), default=0)


def _gone(hall: Hall, table: Table, asking: str) -> set[str]:
    """Who played when the last die was thrown and does no longer: who sends them away throws it no second time."""
    thrown = _thrown(table)
    if not thrown:
        return set()
    players = {seat.id for seat in hall.seats(table.id) if seat.role == "player"}
    saw = {person for seat, people in hall.sat(table.id, thrown).items() if seat in players for person in people}
    here = {person.id for seat, people in hall.sitters(table.id).items() if seat in players for person in people}
    return saw - here - {asking}


def _voters(hall: Hall, table: Table, asked: Asked) -> set[str]:
    """Seats whose consent an undo waits for: every player's but the one who asks, and those of the same person.

    Whether a phase that was only closed is opened again is for the side whose phase it is.
    """
    sitters = hall.sitters(table.id)
    asking = {person.id for person in sitters.get(asked.seat, [])}
    players = {seat.id for seat in hall.seats(table.id) if seat.role == "player"}
    every = {s for s, people in sitters.items() if s in players and not asking & {p.id for p in people}}
    return every & _side(hall, table) or every


def _side(hall: Hall, table: Table) -> set[str]:
    """The seats of the side that merely closed a phase of its own with the last move."""
    batch, now = table.game.last_batch(), table.game.state.player
    if not all(isinstance(it.command, Advance) and not it.barrier for it in batch):
        return set()
    return {seat.id for seat in hall.seats(table.id) if any(powers()[it].player == now for it in seat.powers)}


def _judges(hall: Hall, table: Table, among: set[str]) -> set[str]:
    """Those who sit as referee and never played a power here, and sat so when a die was thrown that is taken back."""
    thrown = _thrown(table)
    judged = hall.sat(table.id, thrown).get("referee", set()) if thrown else among
    return (judged & among) - hall.met(table.id)


def _pending(hall: Hall, table: Table) -> Asked | None:
    """An undo that waits for consent; it lapses as soon as the game goes on."""
    asked = hall.talk.asked(table.id)
    if asked is not None and asked.head != table.game.head.id:
        hall.talk.ask(table.id, None)
        return None
    return asked


def waits_for_consent(hall: Hall, table: Table) -> Open:
    """Whose consent an undo waits for, as whose move it is."""
    asked = _pending(hall, table)
    if asked is None:
        return Open()
    missing = frozenset(_voters(hall, table, asked) - set(asked.agreed))
    text = (
        f"{hall.seat(table.id, asked.seat).title} asks to undo the last move ({asked.reason}): your consent is needed"
    )
    return Open(missing, text, asked.head)


def undo(hall: Hall, table: Table, sitter: Sitter, key: str = "") -> Undone:
    """Take back the last command, or ask the others whether it may be taken back."""
    seat = may_play(sitter)
    batch = table.game.last_batch()
    if batch[0].kind == "start":
        raise Problem(409, "nothing to undo: this is the start of the game")
    reason = _reason(hall, table, sitter, batch)
    if reason and _concerned(hall, table, sitter, batch):
        referees = {it.id for it in hall.sitters(table.id).get("referee", [])} - {sitter.person.id}
        nobody = not _others(hall, table, sitter) or _gone(hall, table, sitter.person.id)
        if nobody and not _judges(hall, table, referees):
            raise Problem(
                409, "a die was thrown before others who played here: it stays until they sit here again and agree"
            )
        asked = _pending(hall, table)
        if asked is not None and asked.seat in _ids(sitter):
            return Undone(done=False, asked=True, reason=reason)  # asked already: once is enough
        hall.talk.ask(table.id, Asked(table.game.head.id, seat.id, reason, person=sitter.person.id))
        hall.talk.say(table.id, f"{seat.title} asks to undo the last move: {reason}", move=table.game.head.id)
        return Undone(done=False, asked=True, reason=reason)
    return _carry_out(hall, table, seat, "", key)


def _carry_out(hall: Hall, table: Table, seat: Seat, consent: str, key: str) -> Undone:
    move = table.game.undo(seat.id, consent=True, key=key)
    hall.talk.ask(table.id, None)
    hall.talk.say(table.id, f"{seat.title} undid the last move{consent}; it stays in the log as undone", move=move.id)
    return Undone(done=True)


def consent(hall: Hall, table: Table, sitter: Sitter, agree: bool, key: str = "") -> Undone:
    """Answer an undo that waits. A referee who plays no power settles it; otherwise every other player must agree.

    Nobody agrees to what they asked for themselves, whatever seats they hold.
    """
    asked = _pending(hall, table)
    if asked is None:
        raise Problem(409, "no undo waits for consent")
    voters, settled = _voters(hall, table, asked), settles(hall, table, sitter)
    mine = _ids(sitter) & voters
    if asked.person == sitter.person.id or (not mine and not settled):
        raise forbidden("your consent is not asked for")
    title = sitter.title
    if not agree:
        hall.talk.ask(table.id, None)
        hall.talk.say(table.id, f"{title} did not agree to the undo")
        return Undone(done=False)
    agreed = set(asked.agreed) | mine
    if not settled and (not voters <= agreed or _gone(hall, table, asked.person)):
        hall.talk.ask(table.id, replace(asked, agreed=tuple(sorted(agreed))))
        return Undone(done=False, asked=True)
    asker = hall.seat(table.id, asked.seat)
    return _carry_out(hall, table, asker, f" with the consent of {title}", key)


def redo(hall: Hall, table: Table, sitter: Sitter, key: str = "") -> Undone:
    """Do again what was undone last: for whoever undid it, or had done it, or the referee."""
    seat = may_play(sitter)
    head = table.game.head
    if not head.redo:
        raise Problem(409, "nothing to redo")
    concerned = {head.seat, table.game.journal.move(head.redo[-1]).seat}
    if not concerned & _ids(sitter) and not settles(hall, table, sitter):
        raise forbidden("it was neither done nor undone by a seat of yours")
    table.game.redo(seat.id, key=key)
    return Undone(done=True)
