"""Games in files: one SQLite file a game, or any database that SQLAlchemy Core reaches by a URL."""

from warcabinet.store.journal import SqlJournal, create_game, database, open_game, refuse_taken
from warcabinet.store.transfer import export_game, import_game, ledger_csv, save_copy

__all__ = [
    "SqlJournal",
    "create_game",
    "database",
    "export_game",
    "import_game",
    "ledger_csv",
    "open_game",
    "refuse_taken",
    "save_copy",
]
