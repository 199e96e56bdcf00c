"""The books: what stands in an account, what a power has on its books for an area, and how BRPs move."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.kernel.kept import kept
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account, Annual, Brp, World
from warcabinet.model.events import EntryPosted
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import definition


def account_balance(s: State, account: Account) -> int:
    """What stands in an account, as a line of the explanation."""
    amount = balance(s.ledger, account)
    note("account_balance", "", amount, account)
    return amount


def books_of(s: State, power: str) -> Mapping[str, int]:
    """The yearly values that a power has on its books, area by area, in the order of their names."""
    return _by_area(s.ledger.of("annual", power))


@kept
def _by_area(accounts: Mapping[Account, int]) -> dict[str, int]:
    return dict(sorted((it.area, brp) for it, brp in accounts.items() if isinstance(it, Annual)))


def move_brps(p: Proceedings, power: str, amount: int, memo: str, other: Account, clause: str = "") -> None:
    """Add BRPs to a level or take them from it; `other` is where they come from or go to."""
    note("level_moves", "35.61", amount, power)
    p.do(EntryPosted(entry(memo, (Brp(power), amount), (other, -amount))), clause)


@definition("83.43", "A power that has surrendered has no economy any more; Britain's goes on (R-0443)")
def out_of_the_economy(s: State, power: str) -> bool:
    return power != "britain" and s.powers[power].surrendered and reading_in_force(s, "R-0443") == "a"


def enter_on_books(p: Proceedings, power: str, area: str, brp: int, clause: str = "") -> None:
    """Change the yearly value that a power has on its books for an area; one that surrendered gains nothing."""
    if brp > 0 and out_of_the_economy(p.s, power) and on_books(p.s, power, area) + brp > 0:
        return
    made = entry(areas()[area].name, (Annual(power, area), brp), (World("annual"), -brp))
    p.do(EntryPosted(made), clause)


def on_books(s: State, power: str, area: str) -> int:
    return balance(s.ledger, Annual(power, area))
