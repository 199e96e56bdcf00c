"""The ledger: points move only by cited entries whose postings sum to zero within one unit.

An account is a typed value: it knows its unit (BRPs, bases, yearly values) and whose it is. Points come from and go to
accounts of the same unit that stand for the world outside. A balance is the sum of its postings, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.accounts import Account


class Posting(msgspec.Struct, frozen=True, gc=False, array_like=True):
    account: Account
    amount: int


class Part(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One of the sums that were added before an amount was prorated."""

    clause: str
    memo: str
    amount: int


class Entry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A movement of points: what for, between which accounts, and of which parts it was added up."""

    memo: str
    postings: tuple[Posting, ...]
    parts: tuple[Part, ...] = ()


class Unbalanced(WarCabinetError):
    """An entry whose postings do not sum to zero, or mix units."""


def entry(memo: str, *postings: tuple[Account, int], parts: tuple[Part, ...] = ()) -> Entry:
    """A checked entry. Accounts of one unit only, and the sum is zero."""
    unit, total = postings[0][0].unit, 0
    for account, amount in postings:
        total += amount
        if account.unit != unit:
            raise Unbalanced(f"'{memo}' moves points of different units: {', '.join(str(a) for a, _ in postings)}")
    if total != 0:
        raise Unbalanced(f"'{memo}' does not balance: {', '.join(f'{a} {n:+}' for a, n in postings)}")
    return Entry(memo, tuple([Posting(account, amount) for account, amount in postings]), parts)


_NONE: Mapping[Account, int] = {}
_NOBODY: Mapping[str, Mapping[Account, int]] = {}


class Books:
    """What stands in every account, by unit and owner. Never changed: an entry makes new books that share the rest."""

    __slots__ = ("_units",)

    def __init__(self, units: dict[str, dict[str, dict[Account, int]]] | None = None) -> None:
        self._units = units or {}

    @classmethod
    def holding(cls, balances: Iterable[tuple[Account, int]]) -> Books:
        """Books in which these amounts stand."""
        units: dict[str, dict[str, dict[Account, int]]] = {}
        for account, amount in balances:
            units.setdefault(account.unit, {}).setdefault(account.owner, {})[account] = amount
        return cls(units)

    def of(self, unit: str, owner: str) -> Mapping[Account, int]:
        """The accounts of one owner in one unit that are not empty."""
        owners = self._units.get(unit)
        return owners.get(owner, _NONE) if owners else _NONE

    def unit(self, name: str) -> Mapping[str, Mapping[Account, int]]:
        """The accounts of a unit, owner by owner."""
        return self._units.get(name, _NOBODY)

    def items(self) -> Iterator[tuple[Account, int]]:
        """Every account that is not empty, with its balance, in an order that the past does not change."""
        for unit in sorted(self._units):
            for owner in sorted(self._units[unit]):
                yield from sorted(self._units[unit][owner].items(), key=lambda it: str(it[0]))

    def post(self, made: Entry) -> Books:
        """New books with the entry in them; owners that it does not touch are shared with the old."""
        unit = made.postings[0].account.unit
        owners = dict(self._units.get(unit, {}))
        for posting in made.postings:
            owner = posting.account.owner
            accounts = dict(owners.get(owner, {}))
            total = accounts.get(posting.account, 0) + posting.amount
            if total:
                accounts[posting.account] = total
            else:
                accounts.pop(posting.account, None)
            if accounts:
                owners[owner] = accounts
            else:
                owners.pop(owner, None)
        return Books({**self._units, unit: owners})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Books) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return f"Books({', '.join(f'{account}: {amount}' for account, amount in self.items())})"


def balance(books: Books, account: Account) -> int:
    """What stands in an account."""
    owners = books._units.get(account.unit)
    if owners is None:
        return 0
    accounts = owners.get(account.owner)
    return 0 if accounts is None else accounts.get(account, 0)


def imbalance(books: Books) -> dict[str, int]:
    """Units whose accounts do not sum to zero: none, ever, in sound books."""
    sums = {unit: sum(sum(one.values()) for one in owners.values()) for unit, owners in books._units.items()}
    return {unit: total for unit, total in sums.items() if total}
