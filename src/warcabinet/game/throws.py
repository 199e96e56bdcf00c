"""Dice that nobody can foretell and everybody can check afterwards.

A seed is 256 bits from the operating system. Its commitment, a hash, is published before the first throw; the seed
itself only when it is revealed, and from then on another one throws. Whoever has both checks every face.
A plain number as seed makes dice for practice and tests: whoever knows the number knows the faces.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from warcabinet.kernel.dice import SeededDice

#: Throws that one move may need: those of the next move begin after them.
ROOM = 64


class Dice(Protocol):
    def throw(self) -> int: ...


class Seed(msgspec.Struct, frozen=True, omit_defaults=True):
    """From which move on it throws, what it is, and the hash that was published before.

    A secret that this journal does not know (of a game that came from elsewhere) is empty.
    """

    first: int
    commitment: str = ""
    secret: str = ""
    revealed: bool = False

    @property
    def sealed(self) -> bool:
        return bool(self.commitment)

    def dice(self, thrown: int) -> Dice:
        return SealedDice(self.secret, thrown) if self.sealed else SeededDice(int(self.secret), thrown)

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


def seed_of(seeds: Sequence[Seed], move: int) -> Seed:
    """The seed that throws for a move."""
    return next(seed for seed in reversed(seeds) if seed.first <= move)


def dice_for(seeds: Sequence[Seed], move: int) -> Dice:
    return seed_of(seeds, move).dice((move - 1) * ROOM)


def published(seeds: Iterable[Seed]) -> tuple[Seed, ...]:
    """The seeds as others may know them: the secret only where it was revealed."""
    return tuple(seed if seed.revealed else msgspec.structs.replace(seed, secret="") for seed in seeds)


def misthrown(seeds: Sequence[Seed], move: int, faces: Sequence[int]) -> str:
    """Why the faces of a move are not those of its seed; empty where they are, or where the seed is not known."""
    seed = next((seed for seed in reversed(seeds) if seed.first <= move), None)
    if not faces or seed is None or not seed.sealed or not seed.secret:
        return ""
    if not seed.fits():
        return "the seed of its dice is not the one that was committed to"
    dice = seed.dice((move - 1) * ROOM)
    thrown = [dice.throw() for _ in faces]
    return "" if thrown == list(faces) else f"the dice show {list(faces)}, but its seed throws {thrown}"
