"""Games in files: one SQLite file a game, or any database that SQLAlchemy Core reaches by a URL."""

from warcabinet.store.checking import Report
from warcabinet.store.database import Damaged, StorageError, database, refuse_taken, whole_file
from warcabinet.store.games import create_game, examine, open_game, open_journal
from warcabinet.store.journal import SqlJournal
from warcabinet.store.transfer import Bounds, export_game, import_game, ledger_csv, save_copy

__all__ = [
    "Bounds",
    "Damaged",
    "Report",
    "SqlJournal",
    "StorageError",
    "create_game",
    "database",
    "examine",
    "export_game",
    "import_game",
    "ledger_csv",
    "open_game",
    "open_journal",
    "refuse_taken",
    "save_copy",
    "whole_file",
]
