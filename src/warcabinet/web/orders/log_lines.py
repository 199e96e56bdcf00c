"""The journal as lines of a log: a sentence a move, its clause and amount, and what followed from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from warcabinet.board.maps import board, by_key
from warcabinet.game import Game
from warcabinet.game.engine import GameRecord
from warcabinet.game.journal import Move, MoveKind
from warcabinet.house.books_alone import words_taken
from warcabinet.kernel.clause import stands_under
from warcabinet.model import calendar, events
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import powers
from warcabinet.model.places import board_of, place_called
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import unit_branch
from warcabinet.views.sums import amounts
from warcabinet.views.words import event_text, name
from warcabinet.web.orders.order_words import command_words, phase_called
from warcabinet.web.orders.reasons import Reason, reason

SHOWN = 12
#: Whoever knows the seed knows every die to come.
HIDDEN = (events.DiceSeeded,)


class Filter(msgspec.Struct, frozen=True):
    """Which lines are wanted; an empty field asks for nothing."""

    power: str = ""
    clause: str = ""
    phase: str = ""
    turn: str = ""
    before: int = 0
    most: int = 60


def powers_of(record: GameRecord) -> set[str]:
    """The powers that an event is about."""
    event = record.event
    return {part for part in _strings(msgspec.to_builtins(event)) if part in powers()}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def amount_of(record: GameRecord) -> int | None:
    """The BRPs that an event moved for the power it is about."""
    return next(iter(amounts(record).values()), None)


class EventLine(msgspec.Struct, frozen=True):
    """An event in words, with the clause and rule that made it; its reasons only where they were asked for."""

    text: str
    clause: str
    rule: str
    #: Its number among the events of its move, by which its amount is opened.
    number: int
    parent: int | None
    amount: int | None
    powers: tuple[str, ...]
    automatic: bool
    why: tuple[Reason, ...] = ()


def event_line(record: GameRecord, number: int = 0, whys: bool = False) -> EventLine:
    return EventLine(
        text=event_text(record.event),
        clause=record.clause,
        rule=record.rule,
        number=number,
        parent=record.parent,
        amount=amount_of(record),
        powers=tuple(sorted(powers_of(record))),
        automatic=isinstance(record.event, events.AutoStep),
        why=tuple(map(reason, record.why)) if whys else (),
    )


def _sentence(move: Move) -> str:
    if move.kind == "start":
        started = next((r.event for r in move.records if isinstance(r.event, events.GameStarted)), None)
        return event_text(started) if started else "The game starts"
    if move.kind in ("undo", "redo"):
        return f"{'Undone' if move.kind == 'undo' else 'Done again'}: back to the position after {move.at}"
    entered = _entered(move)
    if entered is not None:
        by = move.command.minded if move.command is not None else ""
        closed = calendar.steps()[entered.step - 1].step.name
        if by.startswith("closed"):
            return f"{phase_called(closed)} {by}"
        return f"On to {calendar.steps()[entered.step].step.name}"
    if isinstance(move.command, ReportBattle):
        return next(r.event.text for r in move.records if isinstance(r.event, events.Reported))
    return command_words(move.command) if move.command is not None else ""


def _entered(move: Move) -> events.StepEntered | None:
    """The step that a command led on to."""
    if move.kind != "command":
        return None
    return next((r.event for r in move.records if isinstance(r.event, events.StepEntered)), None)


def _worth_showing(record: GameRecord, battle: bool) -> bool:
    """What a line tells of itself; the counters of a battle and its parts stand in its sentence already."""
    silent = events.StepEntered | events.Happened | events.GameStarted | events.AutoStep
    if battle and isinstance(record.event, events.UnitsMoved | events.Reported):
        return isinstance(record.event, events.Reported) and record.event.what == "battle"
    return not isinstance(record.event, silent)


def _far(command: Command | None) -> str:
    """That ground units marched farther than their factor as the crow flies: what a march costs is not judged here."""
    if isinstance(command, MoveUnits) and command.how in ("movement", "advance"):
        origin, to, units = command.from_, command.to, [command.unit]
    elif isinstance(command, ReportMove):
        origin, to, units = command.origin, command.to, list(counted(command.units))
    else:
        return ""
    factors = [int(unit.rpartition("-")[2]) for unit in units if unit_branch(unit) == "ground" and "-" in unit]
    if not factors or board_of(origin) == "box" or board_of(origin) != board_of(to):
        return ""
    far = board(board_of(origin)).distance(by_key(origin).id, by_key(to).id)
    return f"{far} hexes, farther than its factor of {min(factors)}" if far > min(factors) else ""


def _way(command: Command | None) -> tuple[str, str]:
    """The units of a march, and its way in words with whose it is."""
    if isinstance(command, MoveUnits):
        nation, units, origin, to = command.nation, f"{command.count} {command.unit}", command.from_, command.to
    elif isinstance(command, ReportMove):
        nation, units, origin, to = command.power, ", ".join(command.units), command.origin, command.to
    else:
        return "", ""
    return units, f"{name(nation)}: {{}} from {place_called(origin)} to {place_called(to)}"


def _by_word(move: Move) -> str:
    """What it rests on by the players' word, where only the books are kept."""
    return "; ".join(f"by the players' word: {it.text} yes ({it.clause})" for it in words_taken(move.checked))


class MoveLine(msgspec.Struct, frozen=True):
    """One move as the log shows it: who did what, when, by which clause, what it moved and what followed."""

    id: int
    kind: MoveKind
    seat: str
    text: str
    clause: str
    amount: int | None
    #: The number of the event that moved the amount.
    entry: int | None
    powers: tuple[str, ...]
    moment: int
    when: str
    turn: str
    undone: bool
    automatic: bool
    #: Nothing but the way on to the next step.
    step: bool
    barrier: str
    events: tuple[EventLine, ...]
    more: int
    #: The faces that were thrown for it, in order.
    dice: tuple[int, ...]
    #: The group of moves that one undo takes back; a battle's dice stand within its own line.
    batch: int
    battle: bool
    #: What the group should look at, though nothing forbids it: a march farther than the printed factor, or what was
    #: taken at its word.
    note: str
    #: What went where, if units did: a stack that goes together is one line.
    units: str
    way: str
    #: By what it was given, where nobody gave it by hand: a steward, or a standing order.
    minded: str = ""


def move_line(move: Move, line: set[int], everything: bool = False) -> MoveLine:
    """One move as the log shows it. A long one keeps its first events; the rest are asked for."""
    known = [(number, r) for number, r in enumerate(move.records) if not isinstance(r.event, HIDDEN)]
    battle = isinstance(move.command, ReportBattle)
    records = known if everything else [(number, r) for number, r in known if _worth_showing(r, battle)]
    if move.kind == "start" and not everything:
        records = []
    shown = records if everything else records[:SHOWN]
    moved = [(n, amount) for n, r in enumerate(move.records) if (amount := amount_of(r)) is not None]
    only = moved[0] if len(moved) == 1 and move.kind != "start" else None
    about = [p for p in powers() if move.command is not None and getattr(move.command, "power", None) == p]
    units, way = _way(move.command)
    return MoveLine(
        units=units,
        way=way,
        id=move.id,
        kind=move.kind,
        seat=move.seat,
        text=_sentence(move),
        clause=move.records[0].clause if move.records and move.kind == "command" else "",
        amount=only[1] if only else None,
        entry=only[0] if only else None,
        powers=tuple(about or sorted({p for _, r in records for p in powers_of(r)}, key=list(powers()).index)),
        moment=move.moment,
        when=calendar.moment_name(move.moment),
        turn=calendar.turn_name(calendar.split(move.moment)[0]),
        undone=move.kind == "command" and move.id not in line,
        automatic=any(isinstance(r.event, events.AutoStep) for r in move.records),
        step=_entered(move) is not None,
        barrier=move.barrier,
        events=tuple(event_line(r, number, everything) for number, r in shown),
        more=len(records) - len(shown),
        dice=tuple(move.faces),
        batch=move.batch,
        battle=battle,
        note=_far(move.command) or _by_word(move),
        minded=move.command.minded if move.command is not None else "",
    )


def wanted(move: Move, by: Filter) -> bool:
    if by.power and not any(by.power in powers_of(r) for r in move.records if move.kind != "start"):
        return False
    if by.clause and not any(stands_under(r.clause, by.clause) for r in move.records):
        return False
    turn, step = calendar.split(move.moment)
    if by.turn and calendar.turn_name(turn).casefold() != by.turn.casefold():
        return False
    return not by.phase or calendar.steps()[step].step.name.casefold() == by.phase.casefold()


def log(game: Game, by: Filter, upto: int) -> list[MoveLine]:
    """The newest lines first that pass the filter, at most so many."""
    line = game.line()
    found: list[MoveLine] = []
    last = min(upto, by.before - 1) if by.before else upto
    while last >= 1 and len(found) < by.most:
        first = max(1, last - 199)
        for move in reversed(list(game.journal.moves(first, last))):
            if wanted(move, by):
                found.append(move_line(move, line))
                if len(found) == by.most:
                    break
        last = first - 1
    return found


#: As many lines as the log of a page shows.
PAGE = 80


def log_since(game: Game, move: Move) -> list[MoveLine]:
    """The lines that a log which ended with a move lacks, newest first, and those that were undone or redone since."""
    line, before = game.line(), _line_to(game, move.at)
    turned = [id for id in sorted(line ^ before, reverse=True) if id <= move.id]
    fresh = list(game.journal.moves(max(move.id + 1, game.head.id - PAGE + 1), game.head.id))
    return [
        *(move_line(it, line) for it in reversed(fresh)),
        *(move_line(game.journal.move(it), line) for it in turned),
    ]


def _line_to(game: Game, at: int) -> set[int]:
    """The moves that led to the state after one of them."""
    befores = game.journal.befores()
    found: set[int] = set()
    while at:
        found.add(at)
        at = befores[at]
    return found
