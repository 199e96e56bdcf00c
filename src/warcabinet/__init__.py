"""War Cabinet: rules engine, referee and table for A World at War.

from warcabinet import Game
game = Game.new("classic-1939")
"""

from warcabinet.game import Conflict, Game, Refused
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import create_game, open_game

__all__ = ["Conflict", "Game", "Refused", "WarCabinetError", "create_game", "open_game"]
__version__ = "0.2.0"
