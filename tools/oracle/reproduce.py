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
    when = [f"    - {_flow(step)}" for step in [*written_steps(found.steps), _with_dice(found.command, found.dice)]]
    return "\n".join([*told, *lines, "  when:", *when, f"  then: {_flow(_expectation(found.old))}", ""])


def _in_full(answer: dict[str, Any]) -> str:
    said = [described(answer), *answer.get("texts", ())]
    return " | ".join(" ".join(it.split()) for it in said)


def _clauses(answer: dict[str, Any]) -> list[str]:
    events = answer.get("events", ())
    return [it for it in [*answer.get("clauses", ()), *(clause for clause, _ in events)] if it]


def _expectation(answer: dict[str, Any]) -> dict[str, Any]:
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
    return f"{number:03}-{re.sub(r'[^A-Za-z0-9]+', '-', f'{found.kind}-{described(found.old)}')}"[:60].strip("-") + ".yaml"


class Shortening:
    """Both engines once more, for examples at the end of long lines."""

    def __init__(self, reference: Engine, today: Engine) -> None:
        self.engines = (reference, today)
        self.processes: list[Any] = []

    def short(self, found: Found) -> Found:
        """The same difference in the position that its steps lead to, written down; as it was if it is gone there."""
        if len(list(written_steps(found.steps))) <= MANY_STEPS or found.difference.what == "offers":
            return found
        old = self._asked(0, found, found.position, [step[:2] for step in found.steps])
        if old["position"] is None:
            return found
        new = self._asked(1, found, old["position"], [])
        if described(old["answer"]) != described(found.old) or described(new["answer"]) != described(found.new):
            return found
        return replace(found, position=old["position"], steps=())

    def _asked(self, which: int, found: Found, position: dict[str, Any], steps: list[Any]) -> Any:
        if not self.processes:
            self.processes = [it.process("again") for it in self.engines]
        process = self.processes[which]
        send(process.stdin, {"position": position, "steps": steps, "command": found.command, "dice": found.dice})
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
