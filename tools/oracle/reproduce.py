"""A difference as a conformance case that says what the reference judged, to be run and to be kept if it was right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace
from pinned import Engine
from talk import receive, send
from verdicts import Found, described

#: A line of more steps than this is told by the position that it leads to, where that shows the same.
MANY_STEPS = 15
#: What is held against each other beside commands: positions as they are set up, and all that is offered in them.
NO_COMMANDS = ("set_up", "offers")
Step = tuple[dict[str, Any], tuple[int, ...], str]


def case_text(found: Found, number: int) -> str:
    """The case, with what both engines say of it in front."""
    clause = next((it for answer in (found.old, found.new) for it in _clauses(answer)), "WC.1")
    given = {**found.position, "options": {"forces": "listed", **found.position.get("options", {})}}
    told = [
        f"# {found.line}: {found.difference.what}",
        f"# before: {_in_full(found.old)}",
        f"# now: {_in_full(found.new)}",
    ]
    if found.difference.detail:
        told.append(f"# {found.difference.detail}")
    head = {
        "id": f"oracle-{clause}/{number}",
        "title": f"{found.kind}, as it was judged before",
        "clauses": [],
        "given": {key: value for key, value in given.items() if value not in ("", {}, [], ())},
    }
    lines = [f"{'- ' if key == 'id' else '  '}{key}: {_flow(value)}" for key, value in head.items()]
    last = [] if found.kind in NO_COMMANDS else [_with_dice(found.command, found.dice)]
    steps = [f"    - {_flow(step)}" for step in [*written_steps(found.steps), *last]]
    when = ["  when:", *steps] if steps else []
    return "\n".join([*told, *lines, *when, f"  then: {_flow(_expectation(found.old))}", ""])


def _in_full(answer: dict[str, Any]) -> str:
    said = [described(answer), *answer.get("texts", ())]
    return " | ".join(" ".join(it.split()) for it in said)


def _clauses(answer: dict[str, Any]) -> list[str]:
    events = answer.get("events", ())
    return [it for it in [*answer.get("clauses", ()), *(clause for clause, _ in events)] if it]


def _expectation(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["verdict"] == "offers":
        return {"refused": []}
    if answer["verdict"] == "refused":
        return {"refused": answer["clauses"]}
    if answer["verdict"].startswith("needs "):
        return {"needs": described(answer).removeprefix("needs ")}
    return {"unchanged": not answer.get("events")}


def _with_dice(command: dict[str, Any], dice: tuple[int, ...]) -> dict[str, Any]:
    return {**command, "dice": list(dice)} if dice else command


def written_steps(steps: tuple[Step, ...]) -> Iterator[dict[str, Any]]:
    """Steps as a case writes them: several advances in a row are one that says how far."""
    run: list[str] = []
    for command, dice, now in steps:
        if command == {"do": "advance"} and not dice:
            run.append(now)
            continue
        yield from _advanced(run)
        run = []
        yield _with_dice(command, dice)
    yield from _advanced(run)


def _advanced(run: list[str]) -> Iterator[dict[str, Any]]:
    if run:
        yield {"do": "advance"} if len(run) == 1 else {"do": "advance", "to": run[-1]}


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)
    return text.removesuffix("...\n").strip()


def file_name(found: Found, number: int) -> str:
    told = re.sub(r"[^A-Za-z0-9]+", "-", f"{found.kind} {described(found.old)}")
    return f"{number:03}-{told[:50].strip('-')}.yaml"


class Shortening:
    """Both engines once more, to come to a difference on a shorter way."""

    def __init__(self, reference: Engine, today: Engine) -> None:
        self.engines = (reference, today)
        self.processes: list[Any] = []

    def short(self, found: Found) -> Found:
        """The same difference without steps that it does not need; as it was where it cannot be shown otherwise."""
        if found.kind in NO_COMMANDS:
            return found
        if len(list(written_steps(found.steps))) > MANY_STEPS:
            position = self._asked(0, found, write=True)["position"]
            there = replace(found, position=position, steps=()) if position is not None else found
            return there if self._shows(there, found) else found
        best = found
        for index in reversed(range(len(found.steps))):
            fewer = replace(best, steps=best.steps[:index] + best.steps[index + 1 :])
            if best.steps[index][0]["do"] != "advance" and self._shows(fewer, found):
                best = fewer
        return best

    def _shows(self, found: Found, wanted: Found) -> bool:
        old, new = (self._asked(which, found) for which in (0, 1))
        same = described(old["answer"]) == described(wanted.old) and described(new["answer"]) == described(wanted.new)
        return same and bool(old["led"])

    def _asked(self, which: int, found: Found, write: bool = False) -> Any:
        if not self.processes:
            self.processes = [it.process("again") for it in self.engines]
        process = self.processes[which]
        steps = [step[:2] for step in found.steps]
        job = {"position": found.position, "steps": steps, "command": found.command, "dice": found.dice}
        send(process.stdin, {**job, "write": write})
        return receive(process.stdout)

    def end(self) -> None:
        for process in self.processes:
            process.stdin.close()
            process.wait()


def save(texts: dict[str, str], folder: Path) -> None:
    """Write the cases into a folder, in place of those of an earlier run."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("[0-9][0-9][0-9]-*.yaml"):
        old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
