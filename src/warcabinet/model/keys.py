"""What names become when a command is read: a key of its own type for each kind of thing.

A place has one key, however it was named, and a unit one spelling; rules compare keys and never read names. What people
are shown is made of keys by `place_called`.
"""

from __future__ import annotations

from typing import NewType

from warcabinet.board.rows import PlaceKey

#: The key of a hex or box: `europe/M25`, `box/ethiopia`.
Place = PlaceKey
#: No place, where a command may leave it open.
NOWHERE = Place("")
#: A kind of units with its strength, spelled in the one way: `infantry 1-3`, `army air`.
Unit = NewType("Unit", str)
#: No kind of units in particular.
ANY_UNIT = Unit("")
