"""A stretch of any game as scenes, made from its log: orders of one purpose together, facts and no other prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from warcabinet.game import Game
from warcabinet.game.demo import Carried, Scene
from warcabinet.game.journal import Move
from warcabinet.model import calendar, events
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.table import Advance, Roll
from warcabinet.model.names import powers
from warcabinet.model.pieces import At
from warcabinet.views.chronicle.marches import went
from warcabinet.views.chronicle.story import facts
from warcabinet.views.sums import amounts
from warcabinet.views.words import event_text, name, place_name

#: So many scenes a player turn has at most: more than that are told together.
MOST = 12


def scenes(game: Game, since: int) -> tuple[Scene, ...]:
    """What happened after a move (0: since the player turn before this one began), scene by scene."""
    line = game.line()
    first = since + 1 if since else _turn_before(game)
    moves = [it for it in game.journal.moves(first, game.head.id) if it.id in line and it.kind == "command"]
    found: list[Scene] = []
    for _, turn in groupby(moves, key=lambda it: _part(it.moment)):
        found += _turn(list(turn))
    return tuple(found)


def _part(moment: int) -> tuple[int, str]:
    turn, step = calendar.split(moment)
    return turn, calendar.steps()[step].part


def _turn_before(game: Game) -> int:
    """The first move of the player turn before the one that is played."""
    at, seen = game.head.at, [_part(game.state.moment)]
    while at:
        move = game.journal.move(at)
        if _part(move.moment) != seen[-1]:
            seen.append(_part(move.moment))
        if len(seen) > 2 or not move.before:
            return at + 1
        at = move.before
    return 1


def _turn(moves: list[Move]) -> list[Scene]:
    """The scenes of a player turn; the shortest neighbours of one power are told together where they are many."""
    groups = [group for _, some in groupby(moves, key=_purpose) if _worth(group := list(some))]
    while len(groups) > MOST:
        n = min(range(1, len(groups)), key=lambda i: len(groups[i - 1]) + len(groups[i]))
        groups[n - 1 : n + 1] = [[*groups[n - 1], *groups[n]]]
    return [_scene(group) for group in groups]


def _worth(moves: list[Move]) -> bool:
    """Whether something happened in them but the way on."""
    return any(not isinstance(it.command, Advance | Roll) for it in moves) or any(_brp(moves).values())


def _purpose(move: Move) -> tuple[str, ...]:
    """Moves that follow each other for the same: of one power, a declaration with what it brings, in one phase."""
    if isinstance(move.command, ReportBattle):
        return "battle", str(move.id)
    if isinstance(move.command, Advance | Roll):
        return "on", str(move.batch)
    phase = calendar.steps()[calendar.split(move.moment)[1]].step.name
    at_war = any(isinstance(it.event, events.WarBegan) for it in move.records)
    return "war" if at_war else "order", phase, _actor(move.command)


def _actor(command: Command | None) -> str:
    named = (getattr(command, field, "") for field in ("power", "by", "nation", "country"))
    return next((it for it in named if it), "")


def _brp(moves: Iterable[Move]) -> dict[str, int]:
    found: dict[str, int] = {}
    for power, amount in (it for move in moves for record in move.records for it in amounts(record).items()):
        found[power] = found.get(power, 0) + amount
    return {power: amount for power, amount in found.items() if amount}


def _scene(moves: list[Move]) -> Scene:
    orders = [it for it in moves if not isinstance(it.command, Advance | Roll)]
    told = [it.text for it in facts(moves)] or [_ordered(orders) or "What fell due was settled."]
    marched = dict.fromkeys((it.origin, it.to) for it in went(moves))
    taken = [
        key
        for move in moves
        for it in move.records
        if isinstance(it.event, events.ControlChanged)
        for key in it.event.places
    ]
    places = dict.fromkeys(key for key in (*(to for _, to in marched), *taken) if not key.startswith("box/"))
    brp = _brp(moves)
    actor = next((it for it in map(_actor, (one.command for one in orders)) if it in powers()), "")
    return Scene(
        move=moves[-1].id,
        turn=calendar.moment_name(moves[-1].moment),
        say=told[0],
        tell=" ".join(told[1:4]),
        places=tuple(places)[:12],
        first=moves[0].id,
        power=actor or next(iter(brp), ""),
        arrows=tuple(marched)[:12],
        brp=brp,
        carried=_carried(moves),
        lost=_lost(moves),
        battle=isinstance(moves[0].command, ReportBattle),
    )


def _carried(moves: list[Move]) -> tuple[Carried, ...]:
    """The counters that went from hex to hex, each march once."""
    return tuple(
        Carried(it.nation, it.unit, it.count, it.origin.place, it.to.place)
        for it in _gone(moves)
        if isinstance(it.origin, At) and isinstance(it.to, At)
    )[:12]


def _lost(moves: list[Move]) -> tuple[Carried, ...]:
    """The counters that left the map."""
    return tuple(
        Carried(it.nation, it.unit, it.count, it.origin.place)
        for it in _gone(moves)
        if isinstance(it.origin, At) and not isinstance(it.to, At)
    )[:24]


def _gone(moves: list[Move]) -> Iterator[events.UnitsMoved]:
    return (r.event for move in moves for r in move.records if isinstance(r.event, events.UnitsMoved))


def _ordered(moves: list[Move]) -> str:
    """Orders of which no fact is told: what the first one did, and how many more there were."""
    did = [it for move in moves for it in move.records if isinstance(it.event, events.EntryPosted | events.UnitsMoved)]
    if not did:
        return ""
    return f"{_did(did[0].event)}{f', and {len(moves) - 1} more' if len(moves) > 1 else ''}."


def _did(event: events.Event) -> str:
    if not isinstance(event, events.UnitsMoved) or not isinstance(event.to, At):
        return event_text(event)
    way = "goes to" if isinstance(event.origin, At) else "stands at"
    return f"{name(event.nation)}: {event.count} {event.unit} {way} {place_name(event.to.place)}"
