"""The ledger: points move only by cited entries whose postings sum to zero within one unit.

An account is a path; its first part is the unit: `brp/germany`, `base/germany`, `annual/germany/belgium`.
Points come from and go to accounts of the same unit that stand for the world outside: `brp/source/...` and
`brp/sink/...`. A balance is the sum of its postings, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from warcabinet.kernel.errors import WarCabinetError

Books = dict[str, dict[str, int]]


class Posting(msgspec.Struct, frozen=True, array_like=True):
    account: str
    amount: int


class Part(msgspec.Struct, frozen=True, array_like=True):
    """One of the sums that were added before an amount was prorated."""

    clause: str
    memo: str
    amount: int


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A movement of points: what for, between which accounts, and of which parts it was added up."""

    memo: str
    postings: tuple[Posting, ...]
    parts: tuple[Part, ...] = ()


class Unbalanced(WarCabinetError):
    """An entry whose postings do not sum to zero, or mix units."""


def entry(memo: str, *postings: tuple[str, int], parts: tuple[Part, ...] = ()) -> Entry:
    """A checked entry. Accounts of one unit only, and the sum is zero."""
    if len({account.partition("/")[0] for account, _ in postings}) != 1:
        raise Unbalanced(f"'{memo}' moves points of different units: {', '.join(a for a, _ in postings)}")
    if sum(amount for _, amount in postings) != 0:
        raise Unbalanced(f"'{memo}' does not balance: {', '.join(f'{a} {n:+}' for a, n in postings)}")
    return Entry(memo, tuple(Posting(account, amount) for account, amount in postings), parts)


def balance(books: Mapping[str, Mapping[str, int]], account: str) -> int:
    unit = books.get(account.partition("/")[0])
    return unit.get(account, 0) if unit else 0


def post(books: Books, made: Entry) -> Books:
    """New books with the entry in them; units that it does not touch are shared with the old."""
    unit = made.postings[0].account.partition("/")[0]
    accounts = dict(books.get(unit, {}))
    for posting in made.postings:
        total = accounts.get(posting.account, 0) + posting.amount
        if total:
            accounts[posting.account] = total
        else:
            accounts.pop(posting.account, None)
    return {**books, unit: accounts}


def imbalance(books: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Units whose accounts do not sum to zero: none, ever, in sound books."""
    sums = {unit: sum(accounts.values()) for unit, accounts in books.items()}
    return {unit: total for unit, total in sums.items() if total}
