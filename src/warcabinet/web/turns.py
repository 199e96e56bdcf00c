"""What the hall knows to be open at a table, beside what the rules ask for."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.web.hall import Hall
from warcabinet.web.tables import Table
from warcabinet.web.undoing import waits_for_consent
from warcabinet.web.whose_move import Open


def open_at(hall: Hall, table: Table) -> Open:
    """Consent that is asked for, and sealed orders that are missing."""
    found = waits_for_consent(hall, table)
    round_ = hall.open_round(table.id)
    if round_ is None:
        return found
    missing = frozenset(round_.seats) - set(hall.envelopes(round_.id))
    text = f"sealed orders are asked of you: {round_.title}"
    return replace(found, sealed_of=missing, sealed_text=text, sealed_round=round_.id)
