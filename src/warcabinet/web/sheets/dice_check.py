"""Every throw of a game against what was committed to before it, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.game.throws import ROOM, Seed, judged, published
from warcabinet.game.throws import Verdict as OfSeed
from warcabinet.model import calendar
from warcabinet.model.events import DiceRolled

Verdict = Literal[OfSeed, "sealed", "given"]
SAID: dict[Verdict, str] = {
    "fits": "As its seed throws, and the seed is the one that was committed to before.",
    "sealed": "Its seed was committed to before and is still sealed: reveal it, and the face can be checked.",
    "given": "Thrown at the players' own table, and told.",
    "plain": "Thrown by a seed that someone chose: nothing was committed to.",
    "elsewhere": "Thrown where this game came from; its seed was not brought along.",
    "late": "Thrown by a seed that had been revealed before, as servers of earlier builds did that ran as several "
    "processes: the face is that seed's, but whoever knew it could foretell it.",
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
    #: The move from which on its seed throws; 0 where that is not known here.
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
    late: int = 0


def dice_check(game: Game, seeds: Sequence[Seed]) -> DiceCheck:
    """Look at every throw; nothing of a seed that is not revealed is told by it."""
    line, told = game.line(), published(seeds)
    throws = [it for move in game.journal.moves(1, game.head.id) for it in _throws(move, told, move.id in line)]
    count = {verdict: sum(it.verdict == verdict for it in throws) for verdict in SAID}
    return DiceCheck(told, tuple(reversed(throws)), *(count[it] for it in ("fits", "sealed", "wrong", "late")))


def _throws(move: Move, seeds: Sequence[Seed], stands: bool) -> list[Throw]:
    thrown = [record.event for record in move.records if isinstance(record.event, DiceRolled)]
    if not thrown or move.kind != "command":
        return []
    verdict, seed, wrong = _verdict(move, seeds)
    text = SAID[verdict] or f"Not right: {wrong}."
    when, since = calendar.moment_name(move.moment), 0 if seed is None else seed.first
    first = (move.id - 1) * ROOM
    return [
        Throw(move.id, first + n, die.face, die.purpose, move.seat, when, not stands, since, verdict, text)
        for n, die in enumerate(thrown)
    ]


def _verdict(move: Move, seeds: Sequence[Seed]) -> tuple[Verdict, Seed | None, str]:
    verdict, seed, wrong = judged(seeds, move.id, move.faces)
    if move.given:
        return "given", seed, ""
    if verdict == "elsewhere" and seed is not None and not seed.revealed:
        return "sealed", seed, ""
    return verdict, seed, wrong
