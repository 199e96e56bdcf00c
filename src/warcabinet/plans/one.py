"""One future of a plan, played move by move into a game that can be looked at, verified and played on."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State
from warcabinet.plans.acting import Actor, Broken, Deed, Spot, play
from warcabinet.plans.chances import Outcome, turns_out
from warcabinet.plans.form import Program
from warcabinet.plans.tally import starts_turn, watched


def deeds_of(program: Program, seed: int, future: int, start: State) -> Iterator[tuple[Deed | Broken, State]]:
    """Everything that is done in one future, and what was refused, each with the position after it."""

    def ask(key: str, odds: object) -> Outcome:
        return turns_out(seed, future, key, odds)  # type: ignore[arg-type]

    for done in play(Actor(program), Spot(start), program.until, ask):
        for deed in done.deeds:
            yield deed, done.spot.state
        if done.broken is not None:
            yield done.broken, done.spot.state


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


def figures_of_game(states: Iterator[State]) -> dict[str, dict[int, int]]:
    """The same of a game that was played: what happened, beside a plan."""
    return _by_turn(states)


def _by_turn(states: Iterator[State]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for state in states:
        if starts_turn(state):
            for path, value in watched(state).items():
                found.setdefault(path, {}).setdefault(state.turn, value)
    return found
