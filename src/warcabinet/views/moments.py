"""Great moments of a game as players read them: what the rules did at once, what falls due, what is still open."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from warcabinet.game.engine import decide
from warcabinet.game.forecast import agenda
from warcabinet.game.game import Game
from warcabinet.game.journal import Move
from warcabinet.house import moments
from warcabinet.house.moments import Moment, MomentLine, Press, Said
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.errors import unknown
from warcabinet.model import calendar, events
from warcabinet.model.accounts import Annual
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.minors import ReportVichy
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.names import areas
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.views.words import event_text, joined, name, signed


class Fact(msgspec.Struct, frozen=True):
    """Something that a moment brought by rule: done at once, or falling due, or holding from now on."""

    text: str
    clause: str
    kind: str = "by rule"
    #: The number of its event among those of the move; none: it holds from now on.
    number: int | None = None
    #: What falls due: its item, and what it will come to.
    due: str = ""
    amount: int = 0


class MomentSheet(msgspec.Struct, frozen=True):
    """A great moment: the move that brought it, what came of it by rule, its lines, its headline."""

    id: str
    title: str
    move: int
    turn: str
    #: The powers whose seats settle it together.
    concerned: tuple[str, ...]
    facts: tuple[Fact, ...]
    lines: tuple[MomentLine, ...]
    #: The hexes of the country that it is about.
    land: tuple[str, ...]
    headline: str
    closed: bool
    #: Whether it still belongs to the turn that is played.
    fresh: bool

    @property
    def waits(self) -> tuple[MomentLine, ...]:
        return waiting(self.lines, self.fresh and not self.closed)


def waiting(lines: tuple[MomentLine, ...], fresh: bool) -> tuple[MomentLine, ...]:
    """The lines that wait: what may well stay as it is does not beyond the turn, nor when all is settled."""
    return tuple(it for it in lines if it.open and (fresh or not it.optional))


def brought(game: Game, moment: Moment) -> Move | None:
    """The move that brought a moment; none, where the game began after it."""
    befores = game.journal.befores()
    line: list[int] = []
    at = game.head.at
    while at:
        line.append(at)
        at = befores[at]
    line.reverse()

    def come(number: int) -> bool:
        return moment in moments.begun(game.journal.state_at(line[number]))

    low, high = 0, len(line) - 1
    if come(low) or not come(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if come(middle) else (middle, high)
    return game.journal.move(line[high])


def sheets(game: Game) -> list[MomentSheet]:
    """The great moments of a game, the last one first."""
    found = [(move, it) for it in moments.begun(game.state) if (move := brought(game, it)) is not None]
    return [_sheet(game, it, move) for move, it in sorted(found, key=lambda one: -one[0].id)]


def open_sheets(game: Game) -> list[MomentSheet]:
    """Those that wait for something, or have not been closed in the turn that brought them."""
    return [it for it in sheets(game) if it.waits or (it.fresh and not it.closed)]


def sheet_named(game: Game, name: str) -> MomentSheet:
    found = sheets(game)
    known = {it.id.casefold(): it for it in found}
    if name.strip().casefold() not in known:
        raise unknown("great moment of this game", name, [it.id for it in found])
    return known[name.strip().casefold()]


def commands_of(game: Game, moment: str, line: str, label: str = "", said: Said | None = None) -> tuple[Command, ...]:
    """The ordinary commands that a press of a line gives; without a label those of its first press."""
    sheet = sheet_named(game, moment)
    it = next(one for one in moments.begun(game.state) if one.id == sheet.id)
    lines = _allowed(game.state, moments.lines(game.state, it, said or Said()))
    asked = next((one for one in lines if one.id.casefold() == line.casefold()), None)
    if asked is None:
        raise unknown(f"line of {sheet.title}", line, [one.id for one in lines])
    presses = [one for one in asked.presses if not label or one.label.casefold() == label.casefold()]
    if not presses:
        raise unknown(f"choice of '{asked.id}'", label, [one.label for one in asked.presses])
    return presses[0].commands


def _allowed(state: State, lines: tuple[MomentLine, ...]) -> tuple[MomentLine, ...]:
    """The lines without the choices that a rule forbids now, where another is left."""
    return tuple(replace(it, presses=_open_to(state, it) or it.presses) for it in lines)


def _open_to(state: State, line: MomentLine) -> tuple[Press, ...]:
    wars = [it for it in line.presses if any(isinstance(one, ReportWar) for one in it.commands)]
    refused = [it for it in wars if any(decide(state, one).refusals for one in it.commands)]
    return tuple(it for it in line.presses if it not in refused)


def batch_of(game: Game, brought_by: int) -> int:
    """The group of moves that one undo takes back with the moment itself, while nothing else came between; else 0."""
    batch = game.journal.move(brought_by).batch
    return batch if game.journal.move(game.head.at).batch == batch else 0


def _sheet(game: Game, it: Moment, move: Move) -> MomentSheet:
    state = game.state
    headline = moments.settled(state, it.id, "")
    return MomentSheet(
        id=it.id,
        title=it.title,
        move=move.id,
        turn=calendar.moment_name(move.moment),
        concerned=moments.concerned(state, it),
        facts=(
            *_facts(move),
            *_due(state, it),
            *(Fact(catalogue()[c].gist, c, kind="from now on") for c in moments.SINCE.get(it.id, ())),
        ),
        lines=_allowed(state, tuple(_as_last_laid(game, one) for one in moments.lines(state, it))),
        land=home_hexes(it.about),
        headline=headline or f"{it.title}, {calendar.turn_name(calendar.split(move.moment)[0])}",
        closed=bool(headline),
        fresh=calendar.split(move.moment)[0] == state.turn,
    )


#: What a move tells of itself; the rest is what lies behind it.
_TOLD = (
    events.EntryPosted,
    events.ControlChanged,
    events.StatusChanged,
    events.PowerChanged,
    events.WarBegan,
    events.WarEnded,
    events.TrackMoved,
    events.UnitsMoved,
    events.Promised,
)


def _facts(move: Move) -> tuple[Fact, ...]:
    """What a move did by rule; all that leaves the books of a power is told at once."""
    found, booked, clause = [], list[tuple[str, str, int]](), ""
    for number, it in enumerate(move.records):
        posted = it.event.entry.postings if isinstance(it.event, events.EntryPosted) else ()
        off = [(one.account, one.amount) for one in posted if isinstance(one.account, Annual)]
        booked += [(account.power, account.area, amount) for account, amount in off]
        if off:
            clause = it.clause
        elif isinstance(it.event, _TOLD):
            text = event_text(it.event).removeprefix("Falls due ")
            kind = "falls due" if isinstance(it.event, events.Promised) else "by rule"
            found.append(Fact(text, it.clause, kind, number))
    for power in dict.fromkeys(power for power, _, _ in booked):
        these = [(area, amount) for whose, area, amount in booked if whose == power]
        told = joined(f"{name(area)} {signed(amount)}" for area, amount in these)
        found.append(Fact(f"On the books of {name(power)}: {told} a year", clause))
    return tuple(found)


def _due(state: State, it: Moment) -> Iterator[Fact]:
    """What falls due about the country and its areas, with what it will come to."""
    for item in agenda(state):
        area = areas().get(item.about)
        if item.brp and it.about in (item.about, area.owner if area is not None else ""):
            amount = int(item.brp * item.share / 100)
            part = f", {item.share} % of {abs(item.brp)}" if item.share < 100 else ""
            said = f"{name(item.power)}, {name(item.about)}: {item.text} ({item.due}{part})"
            yield Fact(f"{said} {signed(amount)}", item.clause, "falls due", due=item.id, amount=amount)


def _as_last_laid(game: Game, line: MomentLine) -> MomentLine:
    """A zone that is not laid yet begins with the last one of this table, though it was undone since."""
    if line.asks != "places" or not line.open:
        return line
    laid = (it.command for it in game.journal.moves(1, game.head.id) if isinstance(it.command, ReportVichy))
    *_, last = ((), *(it.places for it in laid))
    return replace(line, places=last or line.places)
