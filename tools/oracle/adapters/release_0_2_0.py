"""Where the engine of release 0.2.0 (and of its time) keeps what the oracle asks of it. It changes no more."""

from __future__ import annotations

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import both
from warcabinet.demo import play_demo
from warcabinet.engine import as_command, decide
from warcabinet.figures.position import Position
from warcabinet.figures.written import written
from warcabinet.fuzz.campaigns import Campaign, opening
from warcabinet.game import new_game
from warcabinet.journal import MemoryJournal
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.apply import apply
from warcabinet.model.calendar import moment_name, parse_moment
from warcabinet.model.commands import command_types, fields
from warcabinet.model.events import DiceRolled, Event
from warcabinet.model.forces import stacks, unbuilt
from warcabinet.model.names import areas, ids_of
from warcabinet.model.places import place_key
from warcabinet.offers import offers

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
