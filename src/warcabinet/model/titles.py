"""Names of rules and commands as headings."""

from __future__ import annotations

# Words of names in code that are written otherwise.
_SPELLED = {"ic": "IC", "ics": "ICs", "brp": "BRP", "brps": "BRPs", "kmt": "KMT", "usa": "U.S."} | {
    word: word.capitalize()
    for word in (
        *("american", "asia", "british", "chinese", "german", "italian", "japanese", "russian", "french", "axis"),
        *("germany", "italy", "japan", "britain", "france", "russia", "china", "europe", "murmansk", "manchuria"),
        *("alaska", "arab", "atlantic", "gibraltar", "pacific", "spanish", "swedish", "turkish"),
        *("canadian", "communist", "european", "indian", "persian", "vichy"),
    )
}


def rule_title(rule: str) -> str:
    """A rule's name as a heading."""
    text = spaced(rule)
    return text[:1].upper() + text[1:]


def spaced(id: str) -> str:
    """An id as words, its abbreviations and proper names as they are written."""
    return " ".join(_SPELLED.get(word, word) for word in id.split("_"))
