"""The demonstration: a few turns of the classic campaign, played by the engine like any other game."""

from __future__ import annotations

from typing import Any

from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError

#: What happens, in order: `to` goes on to a moment, everything else is a command as any seat would give it.
SCRIPT: tuple[dict[str, Any], ...] = (
    {"to": "combat"},
    {"do": "spend", "power": "germany", "brp": 15, "on": "offensive operations", "note": "Poland"},
    {"do": "report_control", "places": ["Warsaw"], "by": "germany"},
    {"to": "unit construction"},
    {"do": "spend", "power": "germany", "brp": 31, "on": "unit construction", "note": "armor and infantry"},
    {"do": "spend", "power": "italy", "brp": 18, "on": "unit construction"},
    {"do": "spend", "power": "japan", "brp": 20, "on": "unit construction", "note": "China garrisons"},
    {"to": "Fall 1939, Allied, unit construction"},
    {"do": "spend", "power": "britain", "brp": 24, "on": "unit construction"},
    {"do": "spend", "power": "france", "brp": 20, "on": "unit construction"},
    {"do": "spend", "power": "russia", "brp": 30, "on": "unit construction"},
    {"to": "Winter 1939, Axis, unit construction"},
    {"do": "spend", "power": "germany", "brp": 28, "on": "unit construction"},
    {"to": "Winter 1939, Allied, unit construction"},
    {"do": "spend", "power": "britain", "brp": 30, "on": "unit construction"},
    {"do": "spend", "power": "france", "brp": 24, "on": "unit construction"},
    {"to": "Spring 1940, Axis, combat"},
    {"do": "spend", "power": "germany", "brp": 15, "on": "offensive operations", "note": "Denmark"},
    {"do": "report_control", "places": ["Copenhagen"], "by": "germany"},
    {"to": "unit construction"},
    {"do": "spend", "power": "germany", "brp": 31, "on": "unit construction"},
)


def play(game: Game) -> int:
    """Play the script; a line that today's rules refuse is left out. Returns how many lines were played."""
    played = 0
    for line in SCRIPT:
        try:
            if "to" in line and "do" not in line:
                game.advance(str(line["to"]), seat="seat1")
            else:
                game.do({**line, "seat": "seat1"})
            played += 1
        except WarCabinetError:
            continue
    return played
