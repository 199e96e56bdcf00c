"""War Cabinet: rules engine, referee and table for A World at War.

from warcabinet import Game
game = Game.new("classic-1939")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warcabinet.game import Conflict, Game, Refused
    from warcabinet.kernel.errors import WarCabinetError
    from warcabinet.store import create_game, open_game

__all__ = ["Conflict", "Game", "Refused", "WarCabinetError", "create_game", "open_game"]
__version__ = "0.2.0"

#: Where each name is; nothing is read before one is wanted.
_WHERE = {
    "Conflict": "game",
    "Game": "game",
    "Refused": "game",
    "WarCabinetError": "kernel.errors",
    "create_game": "store",
    "open_game": "store",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
