"""What the hall knows to be open at a table, beside what the rules ask for."""

from __future__ import annotations

from warcabinet.web.hall import Hall
from warcabinet.web.tables import Table
from warcabinet.web.undoing import waits_for_consent
from warcabinet.web.whose_move import Open


def open_at(hall: Hall, table: Table) -> Open:
    return waits_for_consent(hall, table)
