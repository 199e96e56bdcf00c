"""A gist is shown by itself, in a refusal or an explanation: it does not go on with the sentence of another."""

from __future__ import annotations

import re

import pytest

import warcabinet.house.all  # noqa: F401  (every rule is registered)
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.rules import RULES

#: Words with which a sentence goes on from another, or points back to what it told of.
GOING_ON = {"nor", "so", "and", "but", "or", "also", "likewise", "then", "otherwise"}
POINTING_BACK = {"it", "its", "they", "them", "their", "he", "his", "those", "these", "this", "such"}
#: The same farther on, where only the sentence before would tell what is meant.
BACKWARDS = re.compile(
    r"^(From then on|In that|At that)\b|\bsuch an?\b|\b(n?either)$"
    r"|\b(these|those) (boxes|conditions|countries|partisans|ports|routes|units|ways)\b"
)
SHORTEST, LONGEST = 10, 115


def fault(gist: str) -> str:
    """What keeps a gist from being understood alone, if anything does."""
    first = re.split(r"\W", gist, maxsplit=1)[0]
    if first.lower() in GOING_ON | POINTING_BACK:
        return f"begins with {first!r}"
    if gist[:1].islower():
        return "begins in lower case"
    found = BACKWARDS.search(gist)
    if found:
        return f"points back with {found[0]!r}"
    if not SHORTEST <= len(gist) <= LONGEST:
        return f"has {len(gist)} characters, not {SHORTEST} to {LONGEST}"
    return ""


def test_the_gist_of_every_rule_stands_alone():
    found = ((rule.where, rule.name, fault(rule.gist), rule.gist) for rule in RULES.by_name.values())
    assert not [it for it in found if it[2]]


def test_the_gist_of_every_clause_stands_alone():
    found = ((row.clause, fault(row.gist), row.gist) for row in catalogue().values() if row.status != "heading")
    assert not [it for it in found if it[1]]


@pytest.mark.parametrize(
    ("gist", "told"),
    [
        ("Nor are its hexes taken", "begins with 'Nor'"),
        ("So is the second of Belgium and Luxembourg", "begins with 'So'"),
        ("nor troops that could come by sea only", "begins with 'nor'"),
        ("troops that could come by sea only", "begins in lower case"),
        ("It joins by itself: Germany does not refuse it", "begins with 'It'"),
        ("From then on they attack on the front", "points back with 'From then on'"),
        ("Nobody takes these boxes", "points back with 'these boxes'"),
        ("Hexes of Arabia are not taken, by report either", "points back with 'either'"),
        ("Too short", "has 9 characters, not 10 to 115"),
        ("Hexes of neutral Arabia are not taken without a declaration of war", ""),
    ],
)
def test_a_gist_that_goes_on_from_another_is_found(gist: str, told: str):
    assert fault(gist) == told
