"""Every amount opened to what made it: the postings of a move, and what falls due, as trees of clauses."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from warcabinet.game import Game
from warcabinet.game.engine import GameRecord
from warcabinet.game.forecast import Item, agenda
from warcabinet.game.journal import Move
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.accounts import Brp
from warcabinet.model.commands.forces import Build
from warcabinet.model.events import EntryPosted
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import balance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import unit_cost
from warcabinet.views.words import PART, name

#: Reasons that say what an amount does, not of what it is made.
_NO_PART = ("level_moves", "added_up", "base_stays", "keeps_brps", "costs_nothing_more")
YEAR_START = "calculate_brps"


class Sum(msgspec.Struct, frozen=True):
    """An amount of BRPs with its parts, and the level before and after it where it has been posted."""

    title: str
    power: str
    amount: int
    moment: int
    clause: str
    rows: tuple[Why, ...]
    was: int | None = None
    comes_to: int | None = None
    move: int = 0
    event: int = 0
    #: The year start whose sheet shows it among the others.
    year: int = 0

    @property
    def whole(self) -> Why:
        """The sum as one reason around its lines, which need not say again for whom they count."""
        return Why(PART, self.clause, (self.power,), self.amount, self.rows, (), self.title)


def part(amount: int, text: str, clause: str = "", because: tuple[Why, ...] = ()) -> Why:
    """A line of a sum that is no value of a rule's own: named by the thing that it is."""
    return Why(PART, clause, (), amount, because, (), text)


def amounts(record: GameRecord) -> dict[str, int]:
    """The BRPs that an event moved, by power."""
    if not isinstance(record.event, EntryPosted):
        return {}
    return {it.account.power: it.amount for it in record.event.entry.postings if isinstance(it.account, Brp)}


def sums_of(game: Game, move: Move) -> Iterator[Sum]:
    """The sums of all amounts of a move, in order."""
    for event, record in enumerate(move.records):
        for power in amounts(record):
            yield posted_sum(game, move, event, power)


def posted_sum(game: Game, move: Move, event: int, power: str = "") -> Sum:
    """One amount of a move: the event is named by its number, the power where the event moves BRPs of several."""
    found = amounts(move.records[event]) if 0 <= event < len(move.records) else {}
    power = power or next(iter(found), "")
    if power not in found:
        raise WarCabinetError(f"event {event} of move {move.id} moves no BRPs" + (f" of {power}" if power else ""))
    record = move.records[event]
    assert isinstance(record.event, EntryPosted)
    was = _level(game, move, power) + sum(amounts(it).get(power, 0) for it in move.records[:event])
    return Sum(
        title=record.event.entry.memo if record.event.entry.memo != "set" else "as the game was set up",
        power=power,
        amount=found[power],
        moment=move.moment,
        clause=record.clause,
        rows=_rows(move, event, found[power]),
        was=was,
        comes_to=was + found[power],
        move=move.id,
        event=event,
        year=calendar.year(calendar.split(move.moment)[0]) if record.rule == YEAR_START else 0,
    )


def _level(game: Game, move: Move, power: str) -> int:
    return balance(game.journal.state_at(move.before).ledger, Brp(power)) if move.before else 0


def _rows(move: Move, event: int, amount: int) -> tuple[Why, ...]:
    record = move.records[event]
    assert isinstance(record.event, EntryPosted)
    total = next((it for it in record.why if it.rule == "year_total"), None)
    if total is not None:
        return tuple(it for it in total.because if _number(it) and it.rule != "reckoned_for_each_power")
    if record.event.entry.parts:
        parts = record.event.entry.parts
        added = sum(it.amount for it in parts)
        return (*(part(it.amount, it.memo, it.clause) for it in parts), *_share(record, amount, added))
    if isinstance(move.command, Build):
        return tuple(_built(unit, count) for unit, count in counted(move.command.units).items())
    told = next((it for it in map(_told, (record, *_beside(move, event))) if _of(it, amount)), ())
    if told:
        return tuple(_towards(it, amount) for it in told)
    return (part(amount, record.event.entry.memo, record.clause),)


def _number(why: Why) -> bool:
    return isinstance(why.value, int) and not isinstance(why.value, bool) and why.value != 0


def _told(record: GameRecord) -> tuple[Why, ...]:
    """The figures that an entry rests on, by the rules that gave them."""
    return tuple(it for it in record.why if _number(it) and it.rule not in _NO_PART)


def _of(told: tuple[Why, ...], amount: int) -> bool:
    """Whether an amount is one of these figures, or their sum: then they say how it came about."""
    values = [abs(it.value) for it in told if isinstance(it.value, int)]
    return abs(amount) in (*values, sum(values))


def _towards(why: Why, amount: int) -> Why:
    """A figure as it counts in the sum: what something costs is taken away, what lapses goes."""
    if isinstance(why.value, int) and why.value * amount < 0:
        return msgspec.structs.replace(why, value=-why.value)
    return why


def _beside(move: Move, event: int) -> list[GameRecord]:
    """The events before it that the same rule made: what it rests on was told with the first of them."""
    record = move.records[event]
    return [it for it in move.records[:event] if it.rule == record.rule and it.parent == record.parent]


def _share(record: GameRecord, amount: int, added: int) -> Iterator[Why]:
    """What the season leaves of a sum, where it leaves not all."""
    why = next((it for it in record.why if it.rule.startswith("prorated")), None)
    if why is not None and added != amount:
        yield msgspec.structs.replace(why, value=amount - added, args=(), note=f"{amount} of {added} are left")


def _built(unit: Unit, count: int) -> Why:
    cost = unit_cost(unit)
    return part(-cost * count, f"{count} {unit} at {cost}", "36.33" if cost else "")


# -- what falls due ----------------------------------------------------------------------------------------


def due_sum(state: State, id: str) -> Sum:
    """What something on the agenda would come to when it falls due."""
    items = {it.id: it for it in agenda(state)}
    if id not in items:
        raise unknown("item of the agenda", id, items)
    item = items[id]
    comes_to = int(item.brp * item.share / 100)
    rows = _due_rows(state, item, comes_to)
    title = f"{name(item.about)}: {item.text}" if item.about else item.text
    return Sum(title, item.power, comes_to, item.moment, item.clause, rows)


def _due_rows(state: State, item: Item, comes_to: int) -> tuple[Why, ...]:
    if item.id.startswith("mobilization ") and item.power in powers() and "mobilization_brps" in RULES.values():
        return (explain_value("mobilization_brps", state, item.power),)
    rows = [part(item.brp, name(item.about) if item.about else item.text, item.clause)]
    if comes_to != item.brp:
        season = calendar.SEASONS[calendar.season(calendar.split(item.moment)[0])]
        told = f"{item.share} % in {season}: {comes_to} of {item.brp} are left, fractions dropped"
        rows.append(part(comes_to - item.brp, told, "35.71"))
    beside = [it for it in agenda(state) if it.moment == item.moment and it.power == item.power and it.id != item.id]
    if comes_to != item.brp and any(it.brp for it in beside):
        others = ", ".join(f"{name(it.about)} {it.brp}" for it in beside if it.brp)
        rows.append(part(0, f"added up before it is prorated, with {others}", "35.72"))
    return tuple(rows)
