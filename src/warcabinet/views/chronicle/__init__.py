"""A chronicle of any game: one page that needs nothing else, in full or as a tournament's short report."""

from warcabinet.views.chronicle.chronicle_page import chronicle_page

__all__ = ["chronicle_page"]
