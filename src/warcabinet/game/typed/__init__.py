"""Orders as people type them: read word by word, and no word is dropped."""

from warcabinet.game.typed.reading import Read, Understood, Unread, as_given, read_order

__all__ = ["Read", "Understood", "Unread", "as_given", "read_order"]
