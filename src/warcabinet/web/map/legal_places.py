"""Where an order may name a place, and why not elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import Board, board
from warcabinet.game.offers import narrow, refused_values
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands import Field, command_types, fields
from warcabinet.model.keys import Place
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.views.words import gist_of, listed, refusal_words
from warcabinet.web.plumbing.problems import Problem, not_found

LAND = ("land", "coastal")


class PlacesForbidden(msgspec.Struct, frozen=True):
    """Places that may not be named, and the one reason for them all."""

    clause: str
    gist: str
    text: str
    places: tuple[str, ...]


class LegalPlaces(msgspec.Struct, frozen=True):
    """Which places of a board a field may name, and for the others the reason."""

    field: str
    legal: tuple[str, ...]
    reasons: tuple[PlacesForbidden, ...]


def the_board(named: str) -> Board:
    if named not in ("europe", "pacific"):
        raise not_found(f"board {named}")
    return board(named)


def all_places(one: Board) -> list[Place]:
    """Every hex of a board that has land, and every box."""
    return [*(h.key for h in one if h.kind in LAND), *(Place(f"box/{id_}") for id_ in boxes())]


def _field(command: str, field: str) -> Field:
    kind = command_types().get(command)
    found = next((it for it in fields(kind) if it.name == field), None) if kind else None
    if found is None:
        raise not_found(f"field {field} of a command {command}")
    if not found.kind.startswith(("place", "placement")):
        raise Problem(400, f"{field} of {command} names no place")
    return found


def legal_places(
    state: State, command: str, known: dict[str, Any], field: str, one: Board, unit: str = "", place: str = ""
) -> LegalPlaces:
    """Which places of a board a field may name, and for the others the reason, grouped by the clause that forbids them.

    With `place` the answer is about that place alone, in the words that fit it.
    """
    asked = _field(command, field)
    only = place_key(place) if place else ""
    keys = list(dict.fromkeys([*all_places(one), *([only] if only else [])]))
    written = {f"{unit} at {key}" if asked.kind == "placement" else key: key for key in keys}
    refused = refused_values(state, command, known, field, written)
    offered = narrow(state, command, {k: v for k, v in known.items() if k != field}).fields[field]
    chosen = {place_key(name) for name in offered.among}
    against: dict[tuple[str, str], tuple[Refusal, list[str]]] = {}
    legal = []
    for value, key in written.items():
        if only and key != only:
            continue
        refusal = refused.get(value)
        if refusal is None and chosen and key not in chosen:
            refusal = Refusal(offered.by[0] if offered.by else "", f"only {listed(offered.among)}")
        if refusal is None:
            legal.append(key)
        else:
            against.setdefault((refusal.rule, refusal.clause), (refusal, []))[1].append(key)
    reasons = tuple(_forbidden(refusal, keys, exact=bool(only)) for refusal, keys in against.values())
    return LegalPlaces(field, tuple(legal), reasons)


def _forbidden(refusal: Refusal, keys: list[str], exact: bool) -> PlacesForbidden:
    """Why places are not legal. The words for one place say its name; for many the gist must do."""
    gist = gist_of(refusal) or refusal.text
    return PlacesForbidden(refusal.clause, gist, refusal_words(refusal) if exact else gist, tuple(keys))
