"""What the hall knows to be open at a table, beside what the rules ask for."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.hall.whose_move import Open
from warcabinet.web.turns.battles import WANTED, battle_at, title_of
from warcabinet.web.turns.confirming import counted_now, stand_now
from warcabinet.web.turns.moments import moments_at, standing_now
from warcabinet.web.turns.readiness import ready_seats
from warcabinet.web.turns.standing import in_other_hands, stopped_now
from warcabinet.web.turns.undoing import waits_for_consent


def open_at(hall: Hall, table: Table) -> Open:
    """Consent that is asked for, sealed orders that are missing, a year start that is still read, powers minded."""
    found = _confirming(hall, table, _sealing(hall, table, waits_for_consent(hall, table)))
    ready = frozenset(ready_seats(hall, table))
    return _minding(hall, table, replace(_settling(hall, table, _fighting(hall, table, found)), ready=ready))


def _settling(hall: Hall, table: Table, found: Open) -> Open:
    """Seats whose word on a great moment the phase waits for."""
    if not standing_now(table):
        return found
    stand = next((it for it in moments_at(hall, table, _nobody(hall, table)) if it.waits), None)
    if stand is None:
        return found
    missing = frozenset(it.seat for it in stand.seats if it.people and not it.by and not it.steward)
    return replace(found, moment_of=missing, moment_text=f"{stand.title}: settle its lines and confirm")


def _nobody(hall: Hall, table: Table) -> Sitter:
    """Nobody in particular reads: who is awaited is the same for all."""
    return Sitter(Person("", ""), hall.table(table.id), ())


def _fighting(hall: Hall, table: Table, found: Open) -> Open:
    battle = battle_at(hall, table.id)
    if battle is None:
        return found
    players = [seat for seat in hall.seats(table.id) if seat.role == "player"]
    answering = frozenset(seat.id for seat in players if battle.answers in seat.powers) or frozenset((battle.seat,))
    missing = {"attacker": frozenset((battle.seat,)), "defender": answering}
    if battle.stage == "losses":
        asked = frozenset[str]().union(*(missing[role] for role in missing if role not in battle.confirmed))
    else:
        asked = missing["defender" if battle.stage == "answer" else "attacker"]
    return replace(found, battle_of=asked, battle_text=f"{title_of(battle)}: {WANTED[battle.stage]}")


def _minding(hall: Hall, table: Table, found: Open) -> Open:
    minders, state = hall.minders.at(table.id), table.game.state
    if not minders:
        return found
    stopped = stopped_now(minders, hall.seats(table.id), state)
    return replace(found, minded=in_other_hands(minders, state), stopped=stopped)


def _sealing(hall: Hall, table: Table, found: Open) -> Open:
    round_ = hall.sealed.open_round(table.id)
    if round_ is None:
        return found
    missing = frozenset(round_.seats) - set(hall.sealed.envelopes(round_.id))
    text = f"sealed orders are asked of you: {round_.title}"
    return replace(found, sealed_of=missing, sealed_text=text, sealed_round=round_.id)


def _confirming(hall: Hall, table: Table, found: Open) -> Open:
    if counted_now(table) is None:
        return found
    stand = stand_now(hall, table, _nobody(hall, table))
    if stand is None or not stand.waits:
        return found
    missing = frozenset(it.seat for it in stand.seats if it.people and not it.by)
    text = f"confirm the {stand.year} year start; it waits for {' and '.join(stand.missing)}"
    return replace(found, confirm_of=missing, confirm_text=text, confirm_move=stand.move)
