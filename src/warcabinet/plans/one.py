"""One future of a plan, played move by move into a game that can be looked at, verified and played on."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.plans.acting import Actor, Broken, Deed, Progress, play
from warcabinet.plans.chances import Outcome, told, turns_out
from warcabinet.plans.form import Program
from warcabinet.plans.futures import hinges_of
from warcabinet.plans.tally import starts_turn, watched


def deeds_of(program: Program, seed: int, future: int, start: State) -> Iterator[tuple[Deed | Broken, State]]:
    """Everything that is done in one future, and what was refused, each with the position after it."""

    def ask(key: str, odds: object) -> Outcome:
        return turns_out(seed, future, key, odds)  # type: ignore[arg-type]

    for done in play(Actor(program), Progress(start), program.until, ask):
        for deed in done.deeds:
            yield deed, done.progress.state
        if done.broken is not None:
            yield done.broken, done.progress.state


def open_future(program: Program, seed: int, future: int, game: Game) -> list[Broken]:
    """Play a future on in a game that stands where the plan starts; what of it was refused."""
    if future < 0:
        raise WarCabinetError("futures are numbered from 0")
    broken: list[Broken] = []
    for it, _ in deeds_of(program, seed, future, game.state):
        if isinstance(it, Broken):
            broken.append(it)
        else:
            game.do(it.command, it.dice)
    return broken


def figures_of(program: Program, seed: int, future: int, start: State) -> dict[str, dict[int, int]]:
    """The watched figures of one future by turn, to be drawn among those of all."""
    return _by_turn(state for _, state in deeds_of(program, seed, future, start))


def figures_of_game(game: Game, since: int = 0) -> dict[str, dict[int, int]]:
    """The same of a game that was played: what happened, beside a plan. Only where a turn starts is a state read."""
    return _by_turn(game.journal.state_at(it) for it in turn_starts(game, since))


def turn_starts(game: Game, since: int = 0) -> list[int]:
    """The first move of each turn, of those that led to the state in force."""
    moments, starting = game.journal.moments(), calendar.first_step("axis")
    found: dict[int, int] = {}
    for move in sorted(it for it in game.line() if it >= since):
        turn, step = calendar.split(moments[move])
        if step == starting:
            found.setdefault(turn, move)
    return list(found.values())


def fate_of(program: Program, seed: int, future: int) -> dict[str, str]:
    """How the uncertain things that turn out once do so in one future."""
    return {name: told(turns_out(seed, future, name, odds)) for name, odds in hinges_of(program).items()}


def _by_turn(states: Iterator[State]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for state in states:
        if starts_turn(state):
            for path, value in watched(state).items():
                found.setdefault(path, {}).setdefault(state.turn, value)
    return found
