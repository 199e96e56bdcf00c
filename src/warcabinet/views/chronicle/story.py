"""The log told season by season: what was declared, paid, taken, conquered, lost and built, each with its entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.board.names import places_at
from warcabinet.game import Game
from warcabinet.game.engine import GameRecord
from warcabinet.game.journal import Journal, LedgerLine, Move
from warcabinet.model import calendar, events
from warcabinet.model.commands import name_of
from warcabinet.model.commands.politics import ReportMoment
from warcabinet.model.names import powers
from warcabinet.model.pieces import At, Lost, OutOfPlay, Unbuilt
from warcabinet.model.rulings import ruling_named
from warcabinet.views.chronicle.accounts import Books, Row, placed
from warcabinet.views.chronicle.marches import March, marches
from warcabinet.views.chronicle.overruled import Intervention, RulingUsed, interventions, rulings_used
from warcabinet.views.words import event_text, in_number, joined, name, place_name

PARTS = {"year start": "The year start", "axis": "The Axis turn", "allied": "The Allied turn"}


class Sentence(msgspec.Struct, frozen=True):
    """Something that happened, with the first and last entry of the log that tell it."""

    text: str
    first: int
    last: int


class PlayerTurn(msgspec.Struct, frozen=True):
    title: str
    sentences: tuple[Sentence, ...]


class Season(msgspec.Struct, frozen=True):
    """One turn of the game as it is told."""

    turn: int
    title: str
    headline: str
    first: int
    last: int
    parts: tuple[PlayerTurn, ...]
    rows: tuple[Row, ...]
    #: Named places that changed hands: where, by whom, in the order in which they did.
    taken: tuple[tuple[str, str], ...]
    falls: tuple[Sentence, ...]
    #: By place taken: who marched into it and out of it.
    marches: dict[str, tuple[March, ...]]
    interventions: tuple[Intervention, ...]
    rulings: tuple[RulingUsed, ...]
    readings: tuple[Sentence, ...]
    dice: tuple[tuple[int, str, int], ...]


def seasons(game: Game, books: Books) -> list[Season]:
    """The game's seasons in order; what was undone is not told."""
    line = game.line()
    by_turn: dict[int, list[Move]] = {}
    for move in game.log():
        if move.id in line and move.kind in ("start", "command"):
            by_turn.setdefault(calendar.split(move.moment)[0], []).append(move)
    told: set[str] = set()
    return [_season(turn, moves, books, game.journal, told) for turn, moves in sorted(by_turn.items())]


def _season(turn: int, moves: list[Move], books: Books, journal: Journal, told_rulings: set[str]) -> Season:
    played = [move for move in moves if move.kind == "command"]
    parts = []
    for part, title in PARTS.items():
        of_part = [move for move in played if placed(move.moment) == (turn, part)]
        told = tuple(_told(of_part, books, turn, part))
        if told:
            parts.append(PlayerTurn(title, told))
    falls = tuple(_falls(played))
    taken = tuple(_places_taken(played))
    began, ended = journal.state_at(moves[0].before or moves[0].id), journal.state_at(moves[-1].id)
    return Season(
        turn,
        calendar.turn_name(turn),
        _headline(played),
        moves[0].id,
        moves[-1].id,
        tuple(parts),
        tuple(books.rows(turn)),
        taken,
        falls,
        marches(played, began, taken),
        tuple(interventions(journal, played)),
        tuple(rulings_used(played, ended, told_rulings)),
        tuple(_readings(played)),
        tuple(
            (move.id, record.event.purpose, record.event.face)
            for move, record in _records(played)
            if isinstance(record.event, events.DiceRolled)
        ),
    )


def _records(moves: Iterable[Move]) -> Iterator[tuple[Move, GameRecord]]:
    for move in moves:
        for record in move.records:
            yield move, record


def _told(moves: list[Move], books: Books, turn: int, part: str) -> Iterator[Sentence]:
    """The sentences of a player turn, in the order of its phases."""
    yield from _wars(moves)
    yield from _politics(moves)
    yield from _control(moves)
    yield from _falls(moves)
    yield from _losses(moves)
    if part == "year start":
        yield from _new_year(books, turn)
    else:
        for power in powers():
            yield from _money(power, books.of(power, turn, part))
    yield from _outcomes(moves)


def facts(moves: list[Move]) -> list[Sentence]:
    """What some moves came to, but for money: wars, politics, places, falls, losses, outcomes."""
    return [it for tell in (_wars, _politics, _control, _falls, _losses, _outcomes) for it in tell(moves)]


def _wars(moves: list[Move]) -> Iterator[Sentence]:
    declared: dict[str, list[tuple[str, int]]] = {}
    for move, record in _records(moves):
        event = record.event
        if isinstance(event, events.WarBegan):
            by = event.declared_by or event.between[0]
            on = next(it for it in event.between if it != by) if by in event.between else event.between[1]
            verb = "declared war on" if event.declared_by else "was at war with"
            declared.setdefault(f"{name(by)} {verb}", []).append((name(on), move.id))
    for who, whom in declared.items():
        yield _sentence(f"{who} {joined(it for it, _ in whom)}", [move for _, move in whom])


def _politics(moves: list[Move]) -> Iterator[Sentence]:
    tracks: dict[str, tuple[int, int]] = {}
    for move, record in _records(moves):
        event = record.event
        if isinstance(event, events.ResultInForce) and event.result:
            again = ", again" if record.clause == "85.341" else ""
            yield _sentence(f"{event_text(event)}{again}", [move.id])
        elif isinstance(event, events.TrackMoved):
            tracks[event.track] = (event.to, move.id)
    if tracks:
        said = joined(f"{name(track)} {to}" for track, (to, _) in tracks.items())
        yield _sentence(f"The tracks stood at {said}", [move for _, move in tracks.values()])


def _control(moves: list[Move]) -> Iterator[Sentence]:
    """Who took what: places by name, the other hexes counted."""
    taken: dict[str, tuple[list[str], int, list[int]]] = {}
    for move, record in _records(moves):
        event = record.event
        if isinstance(event, events.ControlChanged) and event.by:
            named, others, entries = taken.get(event.by, ([], 0, []))
            fresh = [places_at(key)[0].name for key in event.places if places_at(key)]
            unnamed = len(event.places) - len(fresh)
            taken[event.by] = (
                [*named, *(it for it in fresh if it not in named)],
                others + unnamed,
                [*entries, move.id],
            )
    for by, (named, others, entries) in taken.items():
        more = [f"{others} hex{'es' if others != 1 else ''} without a city"] if others else []
        yield _sentence(f"{name(by)} took {joined([*named, *more])}", entries)


def _places_taken(moves: list[Move]) -> Iterator[tuple[str, str]]:
    last: dict[str, str] = {}
    for _, record in _records(moves):
        event = record.event
        if isinstance(event, events.ControlChanged) and event.by:
            last |= {key: event.by for key in event.places if places_at(key)}
    yield from last.items()


def _falls(moves: list[Move]) -> Iterator[Sentence]:
    """Countries whose standing changed, powers that surrendered or changed sides, and peace."""
    changed: dict[tuple[str, str], tuple[list[str], set[str], list[int]]] = {}
    others: list[Sentence] = []
    for move in moves:
        stood = False
        for record in move.records:
            event = record.event
            if isinstance(event, events.StatusChanged):
                stood = True
                # That the attacked are at war is told with the declaration.
                if not event.reason.startswith("attacked by"):
                    found = changed.setdefault((event.status, event.by), ([], set(), []))
                    found[0].append(name(event.country))
                    found[1].add(record.clause)
                    found[2].append(move.id)
            elif isinstance(event, events.PowerChanged):
                others.append(_sentence(f"{event_text(event)} [{record.clause}]", [move.id]))
            elif isinstance(event, events.WarEnded) and not stood:
                others.append(_sentence(event_text(event), [move.id]))
    for (status, by), (countries, clauses, entries) in changed.items():
        yield _sentence(f"{joined(countries)} {_became(status, by)} [{', '.join(sorted(clauses))}]", entries)
    yield from others


def _became(status: str, by: str) -> str:
    """What became of a country, and through whom."""
    said = {"conquered": "fell to", "allied": "became an ally of", "associated": "associated with"}.get(status)
    if said and by:
        return f"{said} {name(by)}"
    return f"became {status}" + (f" ({name(by)})" if by else "")


def _losses(moves: list[Move]) -> Iterator[Sentence]:
    lost: dict[str, dict[str, int]] = {}
    entries: list[int] = []
    for move, record in _records(moves):
        event = record.event
        if not isinstance(event, events.UnitsMoved) or not isinstance(event.origin, At):
            continue
        if isinstance(event.to, Unbuilt | Lost | OutOfPlay) and "eliminated" in event.memo:
            of = lost.setdefault(event.nation, {})
            of[event.unit] = of.get(event.unit, 0) + event.count
            entries.append(move.id)
    told = [
        f"{name(nation)} lost {joined(in_number(f'{n} {unit}') for unit, n in units.items())}"
        for nation, units in lost.items()
    ]
    if told:
        yield _sentence("; ".join(told), entries)


def _new_year(books: Books, turn: int) -> Iterator[Sentence]:
    """What the year start left everybody with."""
    lines = [(power, books.of(power, turn, "year start")) for power in powers()]
    gained = [(power, sum(it.amount for it in found if it.amount > 0)) for power, found in lines]
    entries = [it.move for _, found in lines for it in found]
    if entries:
        said = joined(f"{name(power)} {amount}" for power, amount in gained if amount)
        yield _sentence(f"The old year's BRPs lapsed, and the new one began with {said}", entries)


def _money(power: str, lines: list[LedgerLine]) -> Iterator[Sentence]:
    """What a power paid and received, by purpose."""
    by: dict[str, tuple[int, list[str], list[int]]] = {}
    for line in lines:
        purpose, _, note = line.memo.partition(": ")
        amount, notes, entries = by.get(purpose, (0, [], []))
        by[purpose] = (amount + line.amount, [*notes, *([note] if note else [])], [*entries, line.move])
    said, entries = [], []
    for purpose, (amount, notes, moves) in by.items():
        what = purpose + (f" ({', '.join(dict.fromkeys(notes))})" if notes else "")
        said.append(f"{'received' if amount > 0 else 'paid'} {abs(amount)} for {what}")
        entries += moves
    if said:
        yield _sentence(f"{name(power)} {joined(said)}", entries)


def _outcomes(moves: list[Move]) -> Iterator[Sentence]:
    """How operations ended, and what the table was told that no rule here decides."""
    told: dict[str, list[int]] = {}
    for move, record in _records(moves):
        event = record.event
        if isinstance(event, events.OperationClosed):
            told.setdefault(f"An operation ended: {event.outcome}", []).append(move.id)
        elif isinstance(event, events.Reported):
            told.setdefault(event_text(event), []).append(move.id)
    for text, entries in told.items():
        yield _sentence(text, entries)


def _readings(moves: list[Move]) -> Iterator[Sentence]:
    for move, record in _records(moves):
        event = record.event
        if isinstance(event, events.ReadingChosen):
            question = ruling_named(event.ruling).question.strip()
            yield _sentence(f"{event.ruling}: {question} {event_text(event)}", [move.id])


def _headline(moves: list[Move]) -> str:
    """A season in a line: the players' own words for a great moment, powers at war and surrendered, who fell; else
    the places taken."""
    told = [*_worded(moves), *_powers_at_war(moves), *_surrendered(moves), *_fallen(moves)] or [
        it.text.rstrip(".") for it in _wars(moves)
    ]
    if told:
        return "; ".join(told)
    taken = [place_name(key).partition(" (")[0] for key, _ in _places_taken(moves)]
    if taken:
        more = f" and {len(taken) - 4} more" if len(taken) > 4 else ""
        return f"{', '.join(taken[:4])}{more} changed hands"
    orders = sum(1 for move in moves if move.command is not None and name_of(type(move.command)) != "advance")
    return f"{orders} order{'s' if orders != 1 else ''}, and the fronts stand" if orders else "Nothing was ordered"


def _worded(moves: list[Move]) -> Iterator[str]:
    """The headlines under which players settled great moments."""
    for move in moves:
        if isinstance(move.command, ReportMoment) and not move.command.line:
            yield next(it.event.text for it in move.records if isinstance(it.event, events.Reported))


def _powers_at_war(moves: list[Move]) -> Iterator[str]:
    """Declarations of war between major powers, who declared them first."""
    declared: dict[str, list[str]] = {}
    for _, record in _records(moves):
        event = record.event
        if isinstance(event, events.WarBegan) and event.declared_by and set(event.between) <= set(powers()):
            on = next(it for it in event.between if it != event.declared_by)
            declared.setdefault(event.declared_by, []).append(name(on))
    for by, on_whom in declared.items():
        yield f"{name(by)} declared war on {joined(dict.fromkeys(on_whom))}"


def _surrendered(moves: list[Move]) -> Iterator[str]:
    for _, record in _records(moves):
        if isinstance(event := record.event, events.PowerChanged) and event.surrendered:
            yield f"{name(event.power)} surrendered"


def _fallen(moves: list[Move]) -> Iterator[str]:
    conquered: dict[str, list[str]] = {}
    for _, record in _records(moves):
        if isinstance(event := record.event, events.StatusChanged) and event.status == "conquered":
            conquered.setdefault(name(event.by) if event.by else "", []).append(name(event.country))
    for by, countries in conquered.items():
        yield f"{joined(dict.fromkeys(countries))} fell to {by}" if by else f"{joined(dict.fromkeys(countries))} fell"


def _sentence(text: str, entries: list[int]) -> Sentence:
    return Sentence(text.rstrip(".") + ".", min(entries), max(entries))
