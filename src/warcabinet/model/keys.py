"""What names become when a command is read: a key of its own type for each kind of thing.

A place has one key, however it was named, and a unit one spelling; rules compare keys and never read names. Who is
meant by "U.S." or "Siam" is settled at the same time. What people are shown is made of keys by `place_called`.
"""

from __future__ import annotations

from typing import NewType

#: The key of a hex or box: `europe/M25`, `box/ethiopia`.
Place = NewType("Place", str)
#: No place, where a command may leave it open.
NOWHERE = Place("")
#: A kind of units with its strength, spelled in the one way: `infantry 1-3`, `army air`.
Unit = NewType("Unit", str)
#: No kind of units in particular.
ANY_UNIT = Unit("")
#: The id of a major power: `germany`.
PowerKey = NewType("PowerKey", str)
#: The id of a minor country or colony: `belgium`.
Country = NewType("Country", str)
#: The id of whoever has units: a power, a country or one of the few others.
Nation = NewType("Nation", str)
