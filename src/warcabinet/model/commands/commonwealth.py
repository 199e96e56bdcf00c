"""Orders and reports about the Commonwealth, Gibraltar and the British colonies in Asia (70 - 74)."""

from __future__ import annotations

from warcabinet.model.commands.base import Command, PlaceName, PowerName


class RaiseIndianPartisan(Command, frozen=True, tag="raise_indian_partisan"):
    """Build an Indian partisan for Japan, which the Indian subversion result allows."""

    at: PlaceName
    power: PowerName = "japan"
