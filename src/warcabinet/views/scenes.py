"""A stretch of any game as scenes, made from its log: orders of one purpose together, facts and no other prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from warcabinet.board.maps import by_key
from warcabinet.game import Game
from warcabinet.game.demo import Carried, Scene
from warcabinet.game.journal import Move
from warcabinet.model import calendar, events
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.politics import ReportMoment, ReportSurrender
from warcabinet.model.commands.table import Advance, Roll
from warcabinet.model.names import countries, powers
from warcabinet.model.pieces import At
from warcabinet.views.chronicle.marches import went
from warcabinet.views.chronicle.story import facts
from warcabinet.views.sums import amounts
from warcabinet.views.words import event_text, joined, name, place_name, signed

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
    """The scenes of a player turn; the shortest neighbours are told together where they are many."""
    groups = sorted((group for group in _purposes(moves) if _worth(group)), key=lambda group: group[-1].id)
    while len(groups) > MOST:
        n = min(range(1, len(groups)), key=lambda i: _apart(groups[i - 1], groups[i]))
        groups[n - 1 : n + 1] = [sorted((*groups[n - 1], *groups[n]), key=lambda it: it.id)]
    return [_scene(group) for group in groups]


def _apart(one: list[Move], other: list[Move]) -> tuple[bool, int]:
    """How loth two neighbours are told together: battles last, then the longer."""
    return any(map(_fought, (*one, *other))), len(one) + len(other)


def _fought(move: Move) -> bool:
    return isinstance(move.command, ReportBattle)


def _worth(moves: list[Move]) -> bool:
    """Whether something happened in them but the way on."""
    return any(not isinstance(it.command, Advance | Roll) for it in moves) or any(_brp(moves).values())


def _purposes(moves: list[Move]) -> Iterable[list[Move]]:
    """The moves of a player turn that serve one purpose, wherever in it they stand.

    A battle with its price and its dice, a great moment with its lines, a declaration with the ground that it brought,
    an advance into a country with the ground that was taken there; what is left by power and phase.
    """
    kept = {it.batch for it in moves if it.batch and _keeps_together(it)}
    taken = {(_actor(it.command), country) for it in moves for country in _taken_in(it)}
    attacked: dict[str, int] = {}
    found: dict[tuple[object, ...], list[Move]] = {}
    for move in moves:
        actor, phase = _actor(move.command), calendar.steps()[calendar.split(move.moment)[1]].step.name
        attacked |= dict.fromkeys(_attacked_by(move), move.id)
        grounds = _grounds(move)
        war = next((attacked[it] for it in grounds if it in attacked), 0)
        into = next((it for it in grounds if (actor, it) in taken), "")
        key: tuple[object, ...] = ("order", phase, actor)
        if move.batch in kept or _fought(move):
            key = ("together", move.batch or move.id)
        elif isinstance(move.command, Advance | Roll):
            key = ("on", move.batch or move.id)
        elif war:
            key = ("war", war)
        elif into:
            key = ("ground", actor, into)
        found.setdefault(key, []).append(move)
    return found.values()


def _keeps_together(move: Move) -> bool:
    """Whether all that was given at once with a move is one scene: a battle, or a great moment."""
    return _fought(move) or isinstance(move.command, ReportMoment | ReportSurrender)


def _attacked_by(move: Move) -> set[str]:
    """The countries on which war was declared, or which an attack on others brought into it."""
    began = (it.event for it in move.records if isinstance(it.event, events.WarBegan))
    return {one for event in began for one in event.between if one in countries()}


def _taken_in(move: Move) -> set[str]:
    took = (it.event for it in move.records if isinstance(it.event, events.ControlChanged))
    return {_country(key) for event in took if event.by for key in event.places} - {""}


def _grounds(move: Move) -> list[str]:
    """The countries that a move is about: on which it brought war, where it took ground, into which it went."""
    entered = (_country(it.to.place) for it in _gone([move]) if isinstance(it.to, At) and isinstance(it.origin, At))
    return [*sorted(_attacked_by(move)), *sorted(_taken_in(move)), *entered]


def _country(key: str) -> str:
    """The country in which a place lies; a box lies in none."""
    return "" if key.startswith("box/") else by_key(key).country


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
    brp = _brp(moves)
    told = [*_worded(orders), *(it.text for it in facts(moves))] or [_ordered(orders) or _settled(moves[-1], brp)]
    marched = dict.fromkeys((it.origin, it.to) for it in went(moves))
    taken = [
        key
        for move in moves
        for it in move.records
        if isinstance(it.event, events.ControlChanged)
        for key in it.event.places
    ]
    places = dict.fromkeys(key for key in (*(to for _, to in marched), *taken) if not key.startswith("box/"))
    actor = next((it for it in map(_actor, (one.command for one in orders)) if it in powers()), "")
    return Scene(
        move=moves[-1].id,
        turn=calendar.moment_name(moves[-1].moment),
        say=told[0],
        tell=next((it for it in told[1:] if it != told[0]), ""),
        places=tuple(places)[:12],
        first=moves[0].id,
        power=actor or (next(iter(brp)) if len(brp) == 1 else ""),
        arrows=tuple(marched)[:12],
        brp=brp,
        carried=_carried(moves),
        lost=_lost(moves),
        battle=any(map(_fought, moves)),
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


def _worded(moves: Iterable[Move]) -> Iterator[str]:
    """The headline under which players settled a great moment."""
    said = (it.command for it in moves if isinstance(it.command, ReportMoment))
    return (f"{it.says.strip()}." for it in said if not it.line and it.says.strip())


def _settled(move: Move, brp: dict[str, int]) -> str:
    """What fell due on the way, power by power."""
    turn, part = _part(move.moment)
    what = f"The {calendar.year(turn)} year start" if part == "year start" else "Fell due"
    return f"{what}: {joined(f'{name(power)} {signed(amount)}' for power, amount in brp.items())}."


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
