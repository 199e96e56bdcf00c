"""Positions from which several tests play, and games that begin in a position."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.figures.position import PoolLine, Position, UnitLine
from warcabinet.game import Game, new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.tables import Document


def game_at(turn: str = "", player: str = "", phase: str = "", **parts: Any) -> Game:
    """A game of the classic campaign from a position on; units and pools are lines, or written as in a file."""
    for name, kind in (("units", UnitLine), ("pools", PoolLine)):
        given = parts.get(name, ())
        parts[name] = tuple(it if isinstance(it, kind) else msgspec.convert(it, kind) for it in given)
    return new_game(Position("classic-1939", turn, player, phase, **parts), MemoryJournal(seed=1))


def barbarossa(phase: str) -> Game:
    """Germany has attacked Russia in Summer 1941."""
    war = {"between": ["germany", "russia"], "since": "Summer 1941", "declared_by": "germany"}
    return game_at("Summer 1941", "axis", phase, set={"wars": [war]})


def winter_war(**report: Any) -> Game:
    """Russia fights a border war with Finland in Winter 1939."""
    game = game_at("Winter 1939", "allied", "declarations of war", options={"declarations": "ordered"})
    game.do({"do": "report_border_war", "country": "finland", **report})
    return game


def read(text: str) -> Position:
    """A position as its file would be written."""
    return Document("the position", text).convert(Position)


def game_of(text: str, *orders: dict[str, Any]) -> Game:
    """A game that begins in a written position, after some orders."""
    game = new_game(read(text), MemoryJournal(seed=1))
    for order in orders:
        game.do(order)
    return game


#: A Murmansk convoy can sail and be met.
CONVOY = """
scenario: classic-1939
turn: Summer 1942
player: allied
phase: initial supply determination
set:
  transports: {atlantic: 6}
  powers.britain.brp: 60
  powers.usa.brp: 100
  powers.russia.brp: 20
  control: {germany: [Bergen]}
  wars:
    - {between: [germany, russia], since: Summer 1941, declared_by: germany}
    - {between: [germany, britain], since: Fall 1939}
    - {between: [germany, usa], since: Winter 1941}
units:
  - {nation: germany, type: army air, at: Bergen, count: 4}
  - {nation: germany, type: cruiser, at: Bergen, count: 2}
  - {nation: germany, type: submarine, at: Bergen, count: 2}
  - {nation: germany, type: submarine, at: Atlantic SW box, count: 12}
  - {nation: britain, type: destroyer, at: Scapa Flow, count: 6}
  - {nation: britain, type: carrier, at: Scapa Flow}
"""

#: From sailing to arrival: each command, and whom the game then waits for (nobody: the convoy is over).
SAILING: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    (
        {
            "do": "sail_convoy",
            "power": "britain",
            "brp": 8,
            "escorts": ["4 destroyer at Scapa Flow"],
            "merge_with": ["usa"],
        },
        ("usa",),
    ),
    ({"do": "join_convoy", "power": "usa", "brp": 12}, ("germany",)),
    (
        {
            "do": "oppose_convoy",
            "power": "germany",
            "air": ["4 army air at Bergen"],
            "ships": ["2 cruiser at Bergen"],
            "submarines": ["2 submarine at Bergen", "2 submarine at Atlantic SW box"],
        },
        ("germany",),
    ),
    ({"do": "attack_convoy", "power": "germany", "by": "air", "submarines": 2}, ("germany",)),
    (
        {"do": "report_convoy_attack", "hits": 2, "raiders_lost": ["1 army air"], "escorts_lost": ["destroyer"]},
        ("germany",),
    ),
    ({"do": "report_convoy_attack", "hits": 1, "transports_sunk": 1}, ("germany",)),
    ({"do": "attack_convoy", "power": "germany", "by": "ships"}, ("germany",)),
    ({"do": "report_convoy_attack", "hits": 3, "outcome": "germany withdraws"}, ("germany",)),
    ({"do": "attack_convoy", "power": "germany", "by": "submarines", "submarines": 2}, ("germany",)),
    ({"do": "report_convoy_attack"}, ("germany",)),
    ({"do": "call_off_attacks", "power": "germany"}, ("germany",)),
    ({"do": "return_raiders", "power": "germany", "submarines_to": "Atlantic SW box"}, ()),
)

#: Spring 1941, Axis redeployment: both garrisons of chapter 81 at full strength, as in the example of 81.42.
GARRISONS = """
scenario: classic-1939
turn: Spring 1941
phase: redeployment
set: {powers.japan.brp: 96, powers.russia.brp: 121}
units:
  - {nation: japan, type: armor, strength: 2-3, at: Harbin, count: 2}
  - {nation: japan, type: armor, strength: 1-3, at: Mukden, count: 2}
  - {nation: japan, type: infantry, strength: 3-2, at: Harbin, count: 3}
  - {nation: japan, type: infantry, strength: 2-2, at: pacific/F31, count: 3}
  - {nation: japan, type: infantry, strength: 1-2, at: Mukden, count: 3}
  - {nation: japan, type: army air, at: Harbin, count: 5}
  - {nation: russia, type: armor, strength: 3-3, at: Vladivostok, count: 1}
  - {nation: russia, type: armor, strength: 3-3, at: Chita, count: 1}
  - {nation: russia, type: infantry, strength: 3-2, at: Khabarovsk, count: 2}
  - {nation: russia, type: infantry, strength: 2-2, at: Irkutsk, count: 4}
  - {nation: russia, type: infantry, strength: 1-2, at: Ulan Bator, count: 4}
  - {nation: russia, type: army air, at: Chita, count: 5}
"""

#: A 3-2 goes from Harbin to Canton.
WITHDRAWN = {
    "do": "move",
    "nation": "japan",
    "unit": "infantry 3-2",
    "from": "Harbin",
    "to": "Canton",
    "how": "naval redeployment",
}
