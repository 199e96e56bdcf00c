"""Dice that nobody can foretell and everybody can check afterwards.

A seed is 256 bits from the operating system. Its commitment, a hash, is published before the first throw; the seed
itself only when it is revealed, and from then on another one throws. Whoever has both checks every face. A throw is
written only while its seed is in force, whatever was known of it when it was thrown (`may_throw`).
A plain number as seed makes dice for practice and tests: whoever knows the number knows the faces.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

import msgspec

from warcabinet.kernel.dice import SeededDice

#: Throws that one move may need: those of the next move begin after them.
ROOM = 64
#: What is to be said of the dice of a move: as its seed throws; by an earlier one that had been revealed; neither; by a
#: seed that someone chose; by one that is not known here.
Verdict = Literal["fits", "late", "wrong", "plain", "elsewhere"]


class Dice(Protocol):
    def throw(self) -> int: ...


class Seed(msgspec.Struct, frozen=True, omit_defaults=True):
    """From which move on it throws, what it is, and the hash that was published before.

    A secret that this journal does not know (of a game that came from elsewhere) is empty. `spent`: since it was
    revealed it threw nothing; of seeds that earlier builds revealed that is not known.
    """

    first: int
    commitment: str = ""
    secret: str = ""
    revealed: bool = False
    spent: bool = False

    @property
    def sealed(self) -> bool:
        return bool(self.commitment)

    def dice(self, thrown: int) -> Dice:
        return SealedDice(self.secret, thrown) if self.sealed else SeededDice(int(self.secret), thrown)

    def faces(self, move: int, count: int) -> list[int]:
        """What it throws for a move."""
        dice = self.dice((move - 1) * ROOM)
        return [dice.throw() for _ in range(count)]

    def fits(self) -> bool:
        """Whether the secret is the one that was committed to."""
        return not self.sealed or commitment(self.secret) == self.commitment


class SealedDice:
    """Faces from a keyed hash of the number of the throw: without the seed they tell nothing of those to come."""

    def __init__(self, secret: str, thrown: int) -> None:
        self.secret, self.thrown = secret, thrown

    def throw(self) -> int:
        told = hmac.digest(bytes.fromhex(self.secret), b"die %d" % self.thrown, "sha256")
        self.thrown += 1
        # 252 is the largest multiple of six in a byte: what lies above would favour some faces.
        return next((1 + byte % 6 for byte in told if byte < 252), 6)


def commitment(secret: str) -> str:
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def sealed_seed(first: int) -> Seed:
    """A new seed by the operating system, for the moves from `first` on."""
    secret = secrets.token_hex(32)
    return Seed(first, commitment(secret), secret)


def plain_seed(number: int) -> Seed:
    """A seed that someone chose: the dice can be repeated, and foretold."""
    return Seed(1, secret=str(number))


def seed_of(seeds: Sequence[Seed], move: int) -> Seed | None:
    """The seed that throws for a move; none where the move was brought from elsewhere without one."""
    return next((seed for seed in reversed(seeds) if seed.first <= move), None)


def dice_for(seeds: Sequence[Seed], move: int) -> Dice:
    seed = seed_of(seeds, move)
    assert seed is not None, f"no seed throws for move {move}"
    return seed.dice((move - 1) * ROOM)


def may_throw(seeds: Sequence[Seed], move: int, faces: Sequence[int]) -> bool:
    """Whether these are faces of the seed in force, and nobody was told it yet."""
    seed = seed_of(seeds, move)
    return seed is not None and bool(seed.secret) and not seed.revealed and seed.faces(move, len(faces)) == list(faces)


def published(seeds: Iterable[Seed]) -> tuple[Seed, ...]:
    """The seeds as others may know them: the secret only where it was revealed."""
    return tuple(seed if seed.revealed else msgspec.structs.replace(seed, secret="") for seed in seeds)


def judged(seeds: Sequence[Seed], move: int, faces: Sequence[int]) -> tuple[Verdict, Seed | None, str]:
    """What is to be said of the faces of a move, by which seed they were thrown, and why they are wrong if they are.

    Servers of earlier builds that ran as several processes went on throwing by a seed that was revealed in another of
    them. Such throws are told apart, but only by seeds of which it is not certain that they threw nothing more.
    """
    seed = seed_of(seeds, move)
    if seed is None or (seed.sealed and not seed.secret):
        return "elsewhere", seed, ""
    if not seed.sealed:
        return "plain", seed, ""
    if not seed.fits():
        return "wrong", seed, "the seed of its dice is not the one that was committed to"
    thrown = seed.faces(move, len(faces))
    if thrown == list(faces):
        return "fits", seed, ""
    for before in reversed([it for it in seeds if it.first < seed.first]):
        still = before.sealed and before.secret and before.revealed and not before.spent
        if still and before.fits() and before.faces(move, len(faces)) == list(faces):
            return "late", before, ""
    return "wrong", seed, f"the dice show {list(faces)}, but its seed throws {thrown}"
