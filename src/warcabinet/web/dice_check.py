"""Every throw of a game against what was committed to before it, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.game.throws import ROOM, Seed, misthrown, published, seed_of
from warcabinet.model import calendar
from warcabinet.model.events import DiceRolled

Verdict = Literal["fits", "sealed", "given", "plain", "wrong", "elsewhere"]
SAID: dict[Verdict, str] = {
    "fits": "As its seed throws, and the seed is the one that was committed to before.",
    "sealed": "Its seed was committed to before and is still sealed: reveal it, and the face can be checked.",
    "given": "Thrown at the players' own table, and told.",
    "plain": "Thrown by a seed that someone chose: nothing was committed to.",
    "elsewhere": "Thrown by the server from which this game came; its seed was not brought along.",
    "wrong": "",
}


class Throw(msgspec.Struct, frozen=True):
    """One die: for what it was thrown, what it showed, by which seed, and whether it was right."""

    move: int
    #: Its number in the row of its seed: what the keyed hash is taken of.
    number: int
    face: int
    purpose: str
    seat: str
    when: str
    undone: bool
    #: The move from which on its seed throws.
    seed: int
    verdict: Verdict
    text: str


class DiceCheck(msgspec.Struct, frozen=True):
    """Every throw so far with its verdict, and the seeds as far as they are told."""

    seeds: tuple[Seed, ...]
    throws: tuple[Throw, ...]
    checked: int
    sealed: int
    wrong: int


def dice_check(game: Game, seeds: Sequence[Seed]) -> DiceCheck:
    """Look at every throw; nothing of a seed that is not revealed is told by it."""
    line, told = game.line(), published(seeds)
    throws = [it for move in game.journal.moves(1, game.head.id) for it in _throws(move, told, move.id in line)]
    count = {verdict: sum(it.verdict == verdict for it in throws) for verdict in SAID}
    return DiceCheck(told, tuple(reversed(throws)), count["fits"], count["sealed"], count["wrong"])


def _throws(move: Move, seeds: Sequence[Seed], stands: bool) -> list[Throw]:
    thrown = [record.event for record in move.records if isinstance(record.event, DiceRolled)]
    if not thrown or move.kind != "command":
        return []
    seed = seed_of(seeds, move.id)
    wrong = "" if move.given else misthrown(seeds, move.id, [die.face for die in thrown])
    verdict = _verdict(move, seed, wrong)
    text = SAID[verdict] or f"Not right: {wrong}."
    when = calendar.moment_name(move.moment)
    first = (move.id - 1) * ROOM
    return [
        Throw(move.id, first + n, die.face, die.purpose, move.seat, when, not stands, seed.first, verdict, text)
        for n, die in enumerate(thrown)
    ]


def _verdict(move: Move, seed: Seed, wrong: str) -> Verdict:
    if move.given:
        return "given"
    if wrong:
        return "wrong"
    if not seed.sealed:
        return "plain"
    if seed.secret:
        return "fits"
    return "elsewhere" if seed.revealed else "sealed"
