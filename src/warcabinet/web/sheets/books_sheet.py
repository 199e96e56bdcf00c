"""What the page of the books is filled with: a whole turn phase by phase, all powers, what falls due, the next year."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from warcabinet.game import Game
from warcabinet.game.forecast import year_start
from warcabinet.game.journal import Move
from warcabinet.game.offers import narrow
from warcabinet.house.books_alone import NotJudged, Question, not_judged, questions
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.commands.table import Advance
from warcabinet.model.keys import Unit
from warcabinet.model.names import TRACKS, called, powers
from warcabinet.model.pieces import BUILT
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_cost
from warcabinet.rules.common.waiting import waits_text
from warcabinet.rules.economy.spending import construction_left
from warcabinet.web.orders.as_typed import as_typed
from warcabinet.web.orders.log_lines import Filter, MoveLine, log
from warcabinet.web.sheets.agenda_lines import AgendaLine, agenda_lines
from warcabinet.web.sheets.position_view import PowerCard, WarLine, cards, wars
from warcabinet.web.sheets.power_sheet import books_of
from warcabinet.web.sheets.year_sheet import after_year_start

#: The phases to which one goes on in one press.
AHEAD = ("combat", "unit construction", "end of player turn")
WAR = ("declarations of war", "mining", "set-up of attacked minors", "voluntary elimination")
FOUGHT = "offensives, conquests by name, losses"
#: The rows of a player turn: what each is called, the steps that it stands for, lines that one may enter there, and
#: what they are about.
Row = tuple[str, tuple[str, ...], tuple[str, ...], str]
ROWS: tuple[Row, ...] = (
    ("Mobilize", ("start of player turn",), ("italy mobilizes 2 aaf, 2 inf 1-3",), "mobilizations"),
    ("Diplomacy", ("diplomatic phase", "end of diplomatic phase"), ("hungary 10", "usat 2"), "tensions, results"),
    ("War", WAR, ("italy dow greece",), "who declares war on whom, and what it costs"),
    ("Grants", ("initial supply determination",), ("grant germany italy 6 land",), "grants, convoys"),
    ("Combat", ("movement", "combat", "end of combat phase"), ("germany 25 offensives", "warsaw german"), FOUGHT),
    ("Grants", ("post-combat supply determination",), ("grant britain france 5",), "grants"),
    ("Build", ("unit construction",), ("germany 2 inf 3-3", "germany 15 construction"), "units"),
    ("End", ("redeployment", "end of player turn"), ("next",), "on paper; nothing to enter"),
)


#: Words that one taps instead of typing: numbers, then those of the phase.
NUMBERS = ("1", "2", "5", "10")
WORDS = {
    "unit construction": ("construction", "inf 3-3", "arm 4-6", "aaf", "nas"),
    "combat": ("offensives", "takes", "lost"),
    "declarations of war": ("dow",),
    "diplomatic phase": ("usat", "usjt", "rgt"),
}


class LoggedLine(msgspec.Struct, frozen=True):
    """What was entered, or followed by itself: whose, in words, its clause and BRPs."""

    id: int
    powers: tuple[str, ...]
    text: str
    clause: str
    amount: int | None
    by_itself: bool = False
    #: What it rests on by the players' word.
    note: str = ""


class Owed(msgspec.Struct, frozen=True):
    """What must be before the turn goes on."""

    text: str
    clause: str
    powers: tuple[str, ...]


class Phase(msgspec.Struct, frozen=True):
    """A row of a player turn."""

    name: str
    #: `done`, `now` or `later`.
    stands: str
    lines: tuple[LoggedLine, ...]
    owed: tuple[Owed, ...] = ()
    #: What the players answer for themselves: whoever closes the phase says yes.
    asked: tuple[Question, ...] = ()
    may: tuple[str, ...] = ()
    such_as: tuple[str, ...] = ()
    about: str = ""


class BookSide(msgspec.Struct, frozen=True):
    """A player turn, phase by phase, and what its powers spent in it."""

    side: str
    name: str
    now: bool
    #: Where one may go on to beyond the next phase.
    ahead: tuple[str, ...]
    phases: tuple[Phase, ...]
    spent: dict[str, int]

    @property
    def asked(self) -> bool:
        return any(it.asked for it in self.phases)


class NextYear(msgspec.Struct, frozen=True):
    """What a power would have if the year start came now."""

    power: str
    left: int
    growth: int
    base: int
    total: int
    limit: int


class Holding(msgspec.Struct, frozen=True):
    """What a power receives BRPs for in a year start."""

    power: str
    areas: tuple[tuple[str, int], ...]


class BooksSheet(msgspec.Struct, frozen=True):
    """A table that keeps the books alone, at one moment."""

    move: int
    turn: str
    side: str
    phase: str
    moment: str
    counted: bool
    powers: tuple[PowerCard, ...]
    tracks: tuple[tuple[str, str, int], ...]
    sides: tuple[BookSide, ...]
    waits: tuple[str, ...]
    due: tuple[AgendaLine, ...]
    year: int
    next_year: tuple[NextYear, ...]
    held: tuple[Holding, ...]
    wars: tuple[WarLine, ...]
    log: tuple[MoveLine, ...]
    not_judged: tuple[NotJudged, ...]
    #: By entry of this turn a line that says it anew, to be put right.
    anew: dict[str, str]

    @property
    def words(self) -> tuple[str, ...]:
        return (*NUMBERS, *WORDS.get(self.phase, ("mobilizes",)), "next")

    @property
    def winter(self) -> bool:
        """Whether the year start comes next: then its card stands behind the Allied player turn."""
        return self.turn.startswith("Winter")


def books_sheet(game: Game, held: tuple[str, ...]) -> BooksSheet:
    """The page of the books for somebody who holds these powers."""
    s = game.state
    turn = calendar.turn_name(s.turn)
    entered = [it for it in reversed(log(game, Filter(turn=turn, most=400), game.head.id)) if not it.undone]
    owed = tuple(_owed(it) for it in game.duties() if it.rule != "operation_waits")
    return BooksSheet(
        move=game.head.id,
        turn=turn,
        side={"axis": "Axis", "allied": "Allied"}.get(s.place.part, "Year start"),
        phase=s.place.step.name,
        moment=calendar.moment_name(s.moment),
        counted=s.options.counted,
        powers=cards(s, held),
        tracks=_tracks(s),
        sides=tuple(_side(s, side, entered, owed) for side in ("axis", "allied")),
        waits=tuple(waits_text(it) for it in reversed(s.operations)),
        due=agenda_lines(s),
        year=s.year + 1,
        next_year=next_year(s),
        held=tuple(it for it in (Holding(power, _areas(s, power)) for power in powers()) if it.areas),
        wars=wars(s),
        log=tuple(log(game, Filter(most=14), game.head.id)),
        not_judged=not_judged(),
        anew={
            str(it.id): _anew(game, game.journal.move(it.id)) for it in entered if it.kind == "command" and not it.step
        },
    )


def _tracks(s: State) -> tuple[tuple[str, str, int], ...]:
    """The tensions, and whatever else has moved."""
    levels = ((track, text, s.tracks.get(track, 0)) for track, text in TRACKS.items())
    return tuple(it for it in levels if it[0] in ("usat", "usjt", "rgt") or it[2])


def _owed(it: Refusal) -> Owed:
    return Owed(it.text, it.clause, tuple(power for power in powers() if called(power) in it.text))


def _areas(s: State, power: str) -> tuple[tuple[str, int], ...]:
    return tuple((it.name, it.brp) for it in books_of(s, power))


def _side(s: State, side: str, entered: list[MoveLine], owed: tuple[Owed, ...]) -> BookSide:
    mine = [it for it in entered if calendar.steps()[calendar.split(it.moment)[1]].part == side]
    phases = tuple(_phase(s, side, row, mine, owed) for row in ROWS)
    spent: dict[str, int] = {}
    for phase in phases:
        for line in phase.lines:
            if line.amount is not None and line.amount < 0 and len(line.powers) == 1 and not line.by_itself:
                spent[line.powers[0]] = spent.get(line.powers[0], 0) - line.amount
    now = s.place.part == side
    later = [it.step.name for it in calendar.steps()[s.step + 2 :] if now and it.part == side]
    ahead = tuple(it for it in AHEAD if it in later)
    return BookSide(side, "Axis" if side == "axis" else "Allies", now, ahead, phases, spent)


def _phase(s: State, side: str, row: Row, mine: list[MoveLine], owed: tuple[Owed, ...]) -> Phase:
    title, steps, such_as, about = row
    index = [i for i, it in enumerate(calendar.steps()) if it.part == side and it.step.name in steps]
    now = s.place.part == side and s.step in index
    stands = "now" if now else "done" if s.step > max(index) else "later"
    lines = tuple(line for it in mine if calendar.split(it.moment)[1] in index for line in _lines(it))
    return Phase(
        name=title,
        stands=stands,
        lines=lines,
        owed=owed if now else _owed_there(s, index, owed) if stands == "later" else (),
        asked=questions(s, Advance()) if now else (),
        may=_may(s, side) if stands != "done" and title == "Build" else (),
        such_as=such_as,
        about=about,
    )


def _owed_there(s: State, steps: list[int], now: tuple[Owed, ...]) -> tuple[Owed, ...]:
    """What would keep the game at steps to come if nothing were entered before, beside what is owed already."""
    found = (it for step in steps for it in narrow(replace(s, step=step), "advance", {}).refusals)
    owed = (_owed(it) for it in found if it.rule != "operation_waits")
    there = (replace(it, text=it.text.replace(" now:", ":")) for it in owed if it not in now)
    return tuple(dict.fromkeys(there))


def _may(s: State, side: str) -> tuple[str, ...]:
    """What is left of the construction limits."""
    mine = [power for power, it in powers().items() if it.player == side]
    left = {power: construction_left(s, power) for power in mine}
    return tuple(f"{called(power)} has {count} left" for power, count in left.items() if count > 0)


def _lines(it: MoveLine) -> list[LoggedLine]:
    """An entry, and the BRPs that moved by themselves as a step was entered."""
    if it.kind != "command":
        return []
    if not it.step:
        return [LoggedLine(it.id, it.powers, it.text, it.clause, it.amount, note=it.note)]
    moved = [event for event in it.events if event.amount]
    lines = [LoggedLine(it.id, event.powers, event.text, event.clause, event.amount, True) for event in moved]
    return [*([LoggedLine(it.id, (), it.note, "", None, True)] if it.note else []), *lines]


def _anew(game: Game, move: Move) -> str:
    """A line that says an entry of this turn once more, to be changed: in players' words where those say all of it."""
    command = move.command
    assert command is not None
    return f"instead {move.id}: {as_typed(game.journal.state_at(move.before), command)}"


def next_year(s: State) -> tuple[NextYear, ...]:
    """The next year start as if it came now, power by power."""
    sheet = year_start(s)
    rows = {row.rule: row.cells for row in sheet.rows}
    after, limit = after_year_start(s, sheet), RULES.values()["construction_limit"]
    kept = [power for power in powers() if power in rows["year_total"]]

    def figure(rule: str, power: str) -> int:
        return int(str(rows[rule][power].value))

    return tuple(
        NextYear(
            power,
            figure("level", power),
            figure("base_growth", power),
            figure("next_base", power),
            figure("year_total", power),
            int(limit(after, power)),
        )
        for power in kept
    )


class PoolUnit(msgspec.Struct, frozen=True):
    """A kind of unit: what one costs, how many are unbuilt and how many built."""

    unit: str
    cost: int
    unbuilt: int
    built: int


class PowerPage(msgspec.Struct, frozen=True):
    """A power's turn on one sheet of paper; as many empty lines as leave room for its pool."""

    name: str
    figures: tuple[tuple[str, int | None], ...]
    lines: tuple[tuple[str, LoggedLine], ...]
    blank: int
    pool: tuple[PoolUnit, ...]
    due: tuple[AgendaLine, ...]
    areas: tuple[tuple[str, int], ...]


#: Lines that a sheet of paper has for what was entered, and rows for the force pool and what falls due.
PAPER_LINES, PAPER_POOL, PAPER_DUE = 16, 26, 10


def power_page(s: State, sheet: BooksSheet, power: str) -> PowerPage:
    card = next(it for it in sheet.powers if it.power == power)
    labels = {
        "level": "level",
        "base": "base",
        "limit": "construction limit",
        "built": "built",
        "spendable": "may spend",
    }
    entered = [
        (phase.name, line)
        for side in sheet.sides
        for phase in side.phases
        for line in phase.lines
        if power in line.powers
    ][-PAPER_LINES:]
    return PowerPage(
        name=card.name,
        figures=tuple((text, card.figures[label]) for label, text in labels.items()),
        lines=tuple(entered),
        blank=max(3, PAPER_LINES - 3 - len(entered)),
        pool=_pool(s, power)[:PAPER_POOL],
        due=tuple(it for it in sheet.due if it.power == power)[:PAPER_DUE],
        areas=_areas(s, power),
    )


def _pool(s: State, power: str) -> tuple[PoolUnit, ...]:
    left = dict(unbuilt(s, power))
    built: dict[Unit, int] = dict(s.pieces.off(power, BUILT))
    for stack in s.pieces.of(power):
        built[stack.unit] = built.get(stack.unit, 0) + stack.count
    return tuple(PoolUnit(it, unit_cost(it), left.get(it, 0), built.get(it, 0)) for it in sorted({*left, *built}))
