"""One side of the oracle, a process of its own with its own engine: it leads, follows, or goes again where it is told.

side.py ROLE ADAPTER SOURCE: the adapter's file, and the folder that the engine must come from.
"""

from __future__ import annotations

import gc
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import msgspec
from judging import Answer, Judge
from lines import Move, Piece, Plan, played
from talk import receive, send


def main() -> None:
    role, adapter, source = sys.argv[1:]
    # What an engine prints is no message.
    pipe_in, pipe_out, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, sys.stderr
    judge = Judge(load(Path(adapter), Path(source)))
    gc.freeze()
    {"leads": lead, "follows": follow, "again": again}[role](judge, pipe_in, pipe_out)


def load(adapter: Path, source: Path) -> ModuleType:
    """The adapter of an engine that lies in a folder, and nowhere else."""
    spec = spec_from_file_location("adapter", adapter)
    assert spec is not None
    assert spec.loader is not None
    # An adapter may build on those that are there.
    sys.path.append(str(Path(__file__).with_name("adapters")))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    came_from = Path(str(sys.modules["warcabinet"].__file__)).resolve()
    if not came_from.is_relative_to(source.resolve()):
        sys.exit(f"oracle: the engine came from {came_from.parent}, not from {source}")
    return module


def lead(judge: Judge, pipe_in: BinaryIO, pipe_out: BinaryIO) -> None:
    plan = msgspec.convert(receive(pipe_in), Plan)
    for piece in played(judge, plan):
        send(pipe_out, piece)


def follow(judge: Judge, pipe_in: BinaryIO, pipe_out: BinaryIO) -> None:
    follower = Follower(judge)
    while (piece := receive(pipe_in)) is not None:
        send(pipe_out, follower.answers(msgspec.convert(piece, Piece)))


class Follower:
    """Gives the commands of another engine once more. Where it came to something else it goes on from what the other
    came to, so that each difference shows once."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.states: dict[str, Any] = {}

    def answers(self, piece: Piece) -> dict[str, Any]:
        """An answer for each move, none where the line is lost; `begun` is why it could not be begun, if so."""
        begun = ""
        if piece.begin is not None:
            try:
                self.states[piece.line] = self.judge.begin(piece.begin)
            except Exception as error:
                self.states[piece.line], begun = None, f"{type(error).__name__}: {error}"
        found = [self._answer(piece.line, move) for move in piece.moves]
        if piece.over:
            del self.states[piece.line]
        return {"begun": begun, "answers": found}

    def _answer(self, line: str, move: Move) -> Answer | None:
        state = self.states[line]
        if state is None:
            return None
        if move.way == "offers":
            return self.judge.offers(state)
        answer, after, _ = self.judge.judge(state, move.command, move.dice)
        if move.way == "step":
            self.states[line] = self._onward(state, after, move, answer)
        return answer

    def _onward(self, state: Any, after: Any, move: Move, answer: Answer) -> Any:
        theirs = [event for _, event in move.answer.get("events", ())]
        if [event for _, event in answer.get("events", ())] == theirs:
            return after
        try:
            return self.judge.applied(state, move.answer.get("events", ()))
        except Exception:
            return None


def again(judge: Judge, pipe_in: BinaryIO, pipe_out: BinaryIO) -> None:
    """Single commands once more, each after the steps to it (`led`: all of them are accepted).

    The position there is written down where that is asked.
    """
    while (job := receive(pipe_in)) is not None:
        position, led = None, True
        try:
            state = judge.begin(job["position"])
            for command, dice in job["steps"]:
                step, state, _ = judge.judge(state, command, dice)
                led = led and step["verdict"] == "accepted"
            if job["write"]:
                position = msgspec.to_builtins(judge.engine.written(state).position)
            answer, _, _ = judge.judge(state, job["command"], job["dice"])
        except Exception as error:
            answer = {"verdict": f"error {type(error).__name__}", "texts": [str(error)]}
        send(pipe_out, {"answer": answer, "position": position, "led": led})


if __name__ == "__main__":
    main()
