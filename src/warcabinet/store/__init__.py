"""Games in files: one SQLite file a game, or any database that SQLAlchemy Core reaches by a URL."""

from warcabinet.store.journal import SqlJournal, create_game, create_tables, open_game
from warcabinet.store.transfer import export_game, import_game, ledger_csv

__all__ = ["SqlJournal", "create_game", "create_tables", "export_game", "import_game", "ledger_csv", "open_game"]
