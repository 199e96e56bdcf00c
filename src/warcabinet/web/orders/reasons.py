"""How a figure comes about: the tree of reasons behind a value, and the postings behind an account."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.figures.table import read, reckoned_by
from warcabinet.game import Game
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Answer as Value
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.names import areas, powers
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.views.trails import Trail, Trails
from warcabinet.views.words import account_name, listed, saying
from warcabinet.web.orders.order_words import value_words
from warcabinet.web.plumbing.problems import Problem, not_found


class SetAside(msgspec.Struct, frozen=True):
    """A rule that gave way to a more special one."""

    rule: str
    gist: str
    clause: str


class Reason(msgspec.Struct, frozen=True):
    """One step of an explanation: the rule that governed, its clause, its result in words, and what it rested on."""

    rule: str
    title: str
    #: What the line is called: the thing where a rule is asked for several, else what the rule is about.
    said: str
    gist: str
    where: str
    clause: str
    args: tuple[str | int, ...]
    about: str
    value: Value
    text: str
    note: str
    set_aside: tuple[SetAside, ...]
    because: tuple[Reason, ...]


def reason(why: Why, around: Why | None = None) -> Reason:
    """An explanation as the page draws it: every node with its gist, clause and result in words."""
    rule = RULES.by_name.get(why.rule)
    words = saying(why, around)
    aside = [RULES.by_name[other] for other in why.set_aside if other in RULES.by_name]
    return Reason(
        rule=why.rule,
        title=rule_title(why.rule),
        said=words.text,
        gist=rule.gist if rule else "",
        where=rule.where if rule else "",
        clause=why.clause,
        args=why.args,
        about=words.about,
        value=why.value,
        text=value_words(why.value),
        note=words.note,
        set_aside=tuple(SetAside(it.name, it.gist, it.clause) for it in aside),
        because=tuple(reason(it, why) for it in why.because),
    )


class Asked(msgspec.Struct, frozen=True):
    """The value that was asked for, whichever rule governed it in the end."""

    title: str
    gist: str
    clause: str


class Explanation(msgspec.Struct, frozen=True):
    """How a value comes about; `then` is what has been used of a limit, and what is left."""

    tree: Reason
    asked: Asked
    moment: str
    args: tuple[str, ...]
    then: tuple[Reason, ...]


def explanation(state: State, rule: str, args: tuple[str, ...]) -> Explanation:
    """How a value comes about."""
    found = RULES.values().get(rule)
    if found is None:
        raise not_found(f"value {rule}")
    if len(args) != len(found.parameters):
        raise Problem(400, f"{rule} is asked for ({', '.join(found.parameters)})")
    typed = [
        int(a) if p == "amount" and a.lstrip("-").isdigit() else a for p, a in zip(found.parameters, args, strict=True)
    ]
    for parameter, arg in zip(found.parameters, typed, strict=True):
        if parameter == "power" and arg not in powers():
            raise not_found(f"power {arg}")
    try:
        why = explain_value(rule, state, *typed)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Problem(400, f"{rule} cannot be asked for ({listed(args)})") from None
    return Explanation(
        tree=reason(why),
        asked=Asked(found.name.replace("_", " "), found.gist, found.clause),
        moment=calendar.moment_name(state.moment),
        args=args,
        then=tuple(reason(explain_value(more, state, *typed)) for more in THEN.get(rule, ()) if more in RULES.values()),
    )


#: Under the sum of a limit: what has been used of it and what is left.
THEN = {"construction_limit": ("constructed", "construction_left"), "deficit_limit": ("spendable",)}


class FigureReading(msgspec.Struct, frozen=True):
    """A figure by its public name; what a rule computes comes with its reasons."""

    figure: str
    value: Any
    tree: Reason | None
    moment: str


def figure_reading(state: State, path: str) -> FigureReading:
    value, asked = read(state, path), reckoned_by(path)
    tree = reason(explain_value(asked[0], state, *asked[1])) if asked else None
    return FigureReading(path, value, tree, calendar.moment_name(state.moment))


#: Ways of a grant that are no names.
UNNAMED_ROUTES = ("land", "sea", "port")


def purpose_of(memo: str) -> str:
    """What an entry was for, the same for all entries of its kind."""
    said = memo.partition(":")[0]
    if said.startswith("declaration of war"):
        return "declarations of war"
    if said.startswith("bombing"):
        return "bombing"
    if said.endswith("year start"):
        return "year starts"
    to, by, route = said.partition(" by ")
    if by and to.startswith("grant to") and route not in UNNAMED_ROUTES:
        return f"{to} by {route.title().replace(' By ', ' by ')}"
    named = {area.name for area in areas().values()}
    return "areas taken and lost" if all(part in named for part in said.split(", ")) else said


class PostingPart(msgspec.Struct, frozen=True):
    """One of the sums that were added before an amount was prorated."""

    clause: str
    memo: str
    amount: int


class Posting(msgspec.Struct, frozen=True):
    """One posting to an account, with the balance after it."""

    move: int
    event: int
    when: str
    clause: str
    memo: str
    amount: int
    balance: int
    parts: tuple[PostingPart, ...]
    why: tuple[Reason, ...]
    #: Where BRPs that pass between powers went or came from, and what befell them on the way.
    trail: Trail | None


class AccountSheet(msgspec.Struct, frozen=True):
    """Every posting that made an account what it is."""

    account: str
    name: str
    lines: tuple[Posting, ...]
    balance: int


def account_sheet(game: Game, account: str, upto: int = 0, purpose: str = "") -> AccountSheet:
    """The postings of an account, all or only up to a move, all or only those that served one purpose."""
    total = 0
    lines = []
    trails = Trails(game)
    for line in game.ledger(account):
        if (upto and line.move > upto) or (purpose and (line.move == 1 or purpose_of(line.memo) != purpose)):
            continue
        total += line.amount
        lines.append(
            Posting(
                move=line.move,
                event=line.event,
                when=calendar.moment_name(line.moment),
                clause=line.clause,
                memo=line.memo,
                amount=line.amount,
                balance=total,
                parts=tuple(PostingPart(it.clause, it.memo, it.amount) for it in line.parts),
                why=tuple(reason(why) for why in line.why),
                trail=trails.of(account, line),
            )
        )
    return AccountSheet(account, account_name(account), tuple(lines), total)
