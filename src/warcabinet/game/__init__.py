"""A game: the rules bound to a state, the journal of its moves, dice, offers, forecasts, and `Game` around them all."""

from warcabinet.game.game import (
    Conflict,
    DieWanted,
    Game,
    MemoryJournal,
    Move,
    Refused,
    SeedRevealed,
    Undecidable,
    decide,
    hands_over,
    new_game,
)

__all__ = [
    "Conflict",
    "DieWanted",
    "Game",
    "MemoryJournal",
    "Move",
    "Refused",
    "SeedRevealed",
    "Undecidable",
    "decide",
    "hands_over",
    "new_game",
]
