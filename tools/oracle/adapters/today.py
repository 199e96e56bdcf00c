"""Where the engine of the working tree keeps what the oracle asks of it: when a module moves, its line here follows.

The names are those of `release_0_2_0`; what has another shape by now is wrapped here, so that it answers as it did.
"""

from __future__ import annotations

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import both
from warcabinet.conformance.fuzz.campaigns import Campaign, opening
from warcabinet.figures.position import Position
from warcabinet.figures.written import written
from warcabinet.game import new_game
from warcabinet.game.demo import play_demo
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import offers
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.apply import apply
from warcabinet.model.calendar import moment_name, parse_moment
from warcabinet.model.commands import command_types, fields
from warcabinet.model.events import DiceRolled, Event
from warcabinet.model.names import areas, ids_of
from warcabinet.model.places import place_key
from warcabinet.model.unit_lists import stacks, unbuilt

__all__ = [
    "Campaign",
    "DiceRolled",
    "Event",
    "MemoryJournal",
    "Position",
    "WarCabinetError",
    "apply",
    "areas",
    "as_command",
    "both",
    "boxes",
    "command_types",
    "decide",
    "fields",
    "ids_of",
    "moment_name",
    "new_game",
    "offers",
    "opening",
    "parse_moment",
    "place_key",
    "play_demo",
    "stacks",
    "unbuilt",
    "written",
]
