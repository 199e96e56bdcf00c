"""A running table stays with the rules that it began with until its people agree to those of a newer release.

A game is its facts, so that looking, undoing and saving never need the old rules; only a new order would be judged by
other ones. What those judge differently in the game so far is shown before anybody agrees.
"""

from __future__ import annotations

import msgspec

from warcabinet import __version__
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.table.endpoints import AnyAsk


class RulesHere(msgspec.Struct, frozen=True):
    """By whose rules the table is played, what this server has, and whose agreement is missing."""

    table: str
    server: str
    same: bool
    #: Moves of the game so far that the server's rules would judge differently.
    differences: tuple[str, ...]
    missing: tuple[str, ...]
    #: The same in words: by which rules it is played, and how the server's would judge the game so far.
    says: str
    judged: str = ""


def same_rules(ask: AnyAsk) -> bool:
    return ask.sitter.table.rules in ("", __version__)


def keep_to_its_rules(ask: AnyAsk) -> None:
    """Refuse an order that other rules would judge than those by which the table is played."""
    if not same_rules(ask):
        raise Problem(
            409,
            f"this table is played by the rules of {ask.sitter.table.rules}, and this server has {__version__}: "
            "under Seats its players see what would be judged differently, and agree",
            rules=True,
        )


def needed(ask: AnyAsk) -> dict[str, str]:
    """Whose agreement it takes, by name: everybody who plays a power; with nobody there, the host."""
    players = [seat.id for seat in ask.server.hall.seats(ask.id) if seat.role == "player"]
    sitters = ask.server.hall.sitters(ask.id)
    found = {person.id: person.name for seat in players for person in sitters.get(seat, [])}
    return found or {ask.sitter.table.host: "the host"}


def rules_here(ask: AnyAsk, differences: tuple[str, ...]) -> RulesHere:
    played = f"This table is played by the rules of {ask.sitter.table.rules or __version__}"
    if same_rules(ask):
        return RulesHere(__version__, __version__, True, (), (), f"{played}.")
    agreed = ask.server.hall.agreed(ask.id, __version__)
    missing = tuple(name for person, name in needed(ask).items() if person not in agreed)
    judged = "Of the game so far they would judge differently:"
    judged = judged if differences else "They judge the whole game so far as it was judged."
    says = f"{played}; the server has {__version__}."
    return RulesHere(ask.sitter.table.rules, __version__, False, differences, missing, says, judged)
