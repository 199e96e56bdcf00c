"""One engine asked for its judgement, told in plain data that the other side's can be held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import msgspec

#: A judgement: `verdict` (accepted, refused, malformed, needs die, needs question, error), `clauses` and `texts` of it,
#: `events` as pairs of clause and event.
Answer = dict[str, Any]


class Judge:
    """An engine by its adapter."""

    def __init__(self, engine: ModuleType) -> None:
        self.engine = engine

    def begin(self, position: dict[str, Any]) -> Any:
        """The state that a position sets up."""
        engine = self.engine
        return engine.new_game(msgspec.convert(position, engine.Position), engine.MemoryJournal()).state

    def judge(
        self, state: Any, command: dict[str, Any], dice: Sequence[int] = (), more: Iterator[int] | None = None
    ) -> tuple[Answer, Any, tuple[int, ...]]:
        """What comes of a command: the answer, the state after it, the dice it took. Faces of `more` are thrown if
        it asks for them."""
        faces = list(dice)
        try:
            asked = self.engine.as_command(command)
        except self.engine.WarCabinetError as error:
            return {"verdict": "malformed", "texts": [str(error)]}, state, ()
        try:
            ruling = self.engine.decide(state, asked, faces)
            while ruling.needs is not None and ruling.needs.kind == "die":
                face = next(more, None) if more is not None else None
                if face is None:
                    break
                faces.append(face)
                ruling = self.engine.decide(state, asked, faces)
            return self._told(ruling), ruling.state if ruling.accepted else state, tuple(faces)
        except Exception as error:  # an engine that falls over is a judgement like any other here
            return {"verdict": f"error {type(error).__name__}", "texts": [str(error)]}, state, tuple(faces)

    def _told(self, ruling: Any) -> Answer:
        if ruling.refusals:
            clauses = sorted({it.clause for it in ruling.refusals})
            verdict = "malformed" if clauses == [""] else "refused"
            return {"verdict": verdict, "clauses": clauses, "texts": sorted({it.text for it in ruling.refusals})}
        if ruling.needs is not None:
            needs = ruling.needs
            return {"verdict": f"needs {needs.kind}", "clauses": [needs.clause], "texts": [needs.text]}
        events = [[it.clause, msgspec.to_builtins(it.event)] for it in ruling.records]
        return {"verdict": "accepted", "events": events}

    def applied(self, state: Any, events: Sequence[Any]) -> Any:
        """A state after events that the other side told."""
        for _, event in events:
            state = self.engine.apply(state, msgspec.convert(event, self.engine.Event))
        return state

    def offers(self, state: Any) -> Answer:
        """Everything that can be commanded now, as one answer: a line for each command and power."""
        try:
            found = self.engine.offers(state)
        except Exception as error:
            return {"verdict": f"error {type(error).__name__}", "texts": [str(error)]}
        lines = {}
        for it in found:
            known = ", ".join(f"{name} {value}" for name, value in it.known.items())
            lines[f"{it.command} {known}".strip()] = {
                "refused by": sorted({refusal.clause for refusal in it.refusals}),
                "fields": {
                    name: [field.most, field.least, sorted(field.among), field.shut]
                    for name, field in it.fields.items()
                },
            }
        return {"verdict": "offers", "offers": lines}
