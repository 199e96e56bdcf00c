"""What a number, an amount, an account, a figure or a clause rests on, drawn as the box that a press on it opens."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import Force, parse_force
from warcabinet.views.sums import due_sum, posted_sum
from warcabinet.views.words import name, place_name, signed
from warcabinet.web.orders.reasons import AccountSheet, Explanation, account_sheet, explanation, figure_reading
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.sheets.clause_pages import clause_page
from warcabinet.web.sheets.drawn import drawn, several
from warcabinet.web.sheets.sum_sheet import SumSheet, sum_sheet

Short = Annotated[str, Meta(max_length=120)]
At = Annotated[int, Meta(ge=1, le=2**31, description="a move: the position after it; absent: now")]
BALANCE = "account_balance"


class ToOpen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was pressed, by the one of these that says it."""

    rule: Annotated[Short, Meta(description="a value by its rule")] = ""
    args: Annotated[Short, Meta(description="for whom or what, separated by commas")] = ""
    figure: Annotated[Short, Meta(description="a public figure")] = ""
    clause: Short = ""
    ledger: Annotated[Short, Meta(description="an account")] = ""
    purpose: Annotated[Short, Meta(description="of an account only what served this")] = ""
    here: Annotated[Short, Meta(description="the move whose entry is pointed out")] = ""
    sum: Annotated[Short, Meta(description="an amount: move/event")] = ""
    due: Annotated[Short, Meta(description="an item of the agenda")] = ""
    factors: Annotated[str, Meta(max_length=8000, description="units of a battle as reports name them")] = ""
    at: At | None = None


class Drawer(msgspec.Struct, frozen=True):
    """A game at the moment that is looked at; pages of the rules are linked with the table that asks."""

    game: Game
    move: Move
    state: State
    now: bool
    base: str
    table: str

    def box(self, title: str, aside: str, *, power: str = "", result: object = None, **body: Any) -> str:
        parts = dict.fromkeys(
            ("tree", "sum", "ledger", "clause", "account", "link", "figure", "gist", "here", "units"), ""
        )
        more = {"base": self.base, "table": self.table, "purpose": "", "then": ()}
        return drawn(
            "sheet-opened.html",
            **{**parts, **more, "title": title, "aside": aside, "power": power, "result": result, **body},
        )

    def opened(self, what: ToOpen) -> str:
        if what.clause:
            page = clause_page(what.clause)
            return self.box(f"Clause {page.clause}", page.status, clause=page)
        if what.ledger:
            return self.ledger(what)
        if what.sum:
            return self.sum(sum_sheet(self.posted(what.sum)))
        if what.due:
            return self.sum(sum_sheet(due_sum(self.state, what.due)))
        if what.figure:
            return self.figure(what.figure)
        if what.factors:
            return self.factors([parse_force(it) for it in what.factors.split(";") if it.strip()], what.args)
        args = tuple(it.strip() for it in what.args.split(",") if it.strip())
        return self.reasons(explanation(self.state, what.rule, args), f"explain={what.rule}({','.join(args)})")

    def posted(self, text: str) -> Any:
        move, _, event = text.partition("/")
        if not (move.isascii() and move.isdigit() and event.isascii() and event.isdigit()):
            raise Problem(400, "an amount is named by its move and event: 12/3")
        if int(move[:10]) > self.game.head.id or not int(move[:10]):
            raise Problem(404, f"there is no move {move[:10]}")
        return posted_sum(self.game, self.game.journal.move(int(move[:10])), int(event[:10]), "")

    def account(self, account: str, purpose: str = "") -> AccountSheet:
        return account_sheet(self.game, account, 0 if self.now else self.move.id, purpose)

    def reasons(self, told: Explanation, link: str = "") -> str:
        """A value with its reasons; only a real position has entries of an account, one that is supposed has none."""
        tree, power = told.tree, next((it for it in told.args if it in powers()), "")
        only = tree.because[0] if len(tree.because) == 1 else None
        account = self.account(str(only.args[0])) if link and only and only.rule == BALANCE else ""
        title = f"{name(power)}: {told.asked.title}" if power else told.asked.title
        body = {"tree": tree, "gist": told.asked.gist, "then": told.then, "account": account, "link": link}
        return self.box(title, told.moment, power=power, result=_value(tree.value, tree.text), **body)

    def figure(self, path: str) -> str:
        found = figure_reading(self.state, path)
        if found.tree is None:
            return self.box(path, found.moment, figure=msgspec.json.encode(found.value).decode())
        args = tuple(str(it) for it in found.tree.args)
        return self.reasons(
            explanation(self.state, found.tree.rule, args), f"explain={found.tree.rule}({','.join(args)})"
        )

    def sum(self, it: SumSheet) -> str:
        aside = f"{it.when}, move {it.move}" if it.move else it.when
        title = f"{it.power_name}: {it.title}" if it.power_name else it.title
        return self.box(title, aside, power=it.power, result=signed(it.amount), sum=it)

    def factors(self, units: list[Force], times: str) -> str:
        """A side's factors in a battle, unit by unit, as often as the group counts them."""
        often = int(times) if times.isascii() and times.isdigit() else 1
        told = [(it.factors, f"{it.count} {it.unit}", place_name(it.place)) for it in units]
        title = f"{name(units[0].nation)}: factors" if units else "Factors"
        return self.box(title, "as they stand", result=sum(it[0] for it in told) * often, units=told, times=often)

    def ledger(self, what: ToOpen) -> str:
        """The entries of an account with their running balance, all or of one purpose."""
        it = self.account(what.ledger, what.purpose)
        title = f"{it.name}: {what.purpose}" if what.purpose else f"Ledger: {it.name}"
        aside = f"{several(len(it.lines), 'entry', 'entries')}, newest first"
        here = int(what.here) if what.here.isascii() and what.here.isdigit() else 0
        return self.box(title, aside, result=_value(it.balance, ""), ledger=it, purpose=what.purpose, here=here)


def _value(value: object, text: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return signed(value) if value < 0 else str(value)
    return text if value is not None else ""
