"""What no player should have to read: ids, keys, paths, values as a program writes them."""

from __future__ import annotations

import re

_MACHINE = re.compile(
    r"\b[a-z]+(?:_[a-z]+)+\b"  # ids
    r"|\b(?:europe|pacific|box)/\w+"  # places by their keys
    r"|\b(?:powers|countries|tracks|options|books|control)\.\w+"  # figures by their paths
    r"|\b(?:True|False|None)\b|[\[\]{}]|\w=\w"
    r"|\bbrp\b|\b(?:usat|usjt|rgt)\b"
    r"|\b(?:germany|italy|japan|britain|france|russia|usa|china)\b"  # powers by their ids
    r"|\bis fixed at\b"
)


def machine_words(text: str) -> list[str]:
    """The words of a line that are none of a player's."""
    return _MACHINE.findall(text)
