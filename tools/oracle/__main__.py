"""Plays the same commands through the last release and through the working tree, and tells every difference.

python3 dev.py oracle [--commands N] [--seconds S] [--seed S] [--only move,build] [--cases PATTERN] [--chapter 84]
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from casefiles import all_cases, as_lines, chosen, corpus
from lines import WEIGHTS, Plan
from pinned import KEPT, REFERENCE, Engine, NotThere, engine_of, working_tree
from reproduce import Shortening, case_text, file_name, save
from rich.console import Console
from rich.markup import escape
from talk import receive, send
from verdicts import Found, Tally, difference, expected_rows

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "expected.yaml"
#: How many commands are given where neither a number nor a time is named.
COMMANDS = 5000
#: How far the reference may be ahead, in pieces of play.
AHEAD = 64
#: Cases of more lines than this are only named, not printed.
SHORT_CASE = 40
A_PATH = click.Path(path_type=Path)
A_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
console = Console(highlight=False, soft_wrap=True)


@click.command()
@click.option("--against", default=REFERENCE, help="the commit to hold it against (the last release); '.' is itself")
@click.option("--commands", default=0, help=f"how many commands to give ({COMMANDS} if no time is named either)")
@click.option("--seconds", default=0.0, help="how long to go on, once both sides have started")
@click.option("--seed", default=1, show_default=True, help="the same seed gives the same commands")
@click.option("--only", default="", help="only commands of these kinds are tried: move,report_control")
@click.option(
    "--cases", "pattern", default="", help="only positions of cases whose id or title fits: '84.3*', Thailand"
)
@click.option("--chapter", default="", help="only positions of cases that rest on a chapter: 84")
@click.option("--sources", default=",".join(WEIGHTS), show_default=True, help="where positions come from")
@click.option("--as-released", is_flag=True, help="the release's cases alone: what is given does not change with ours")
@click.option("--tries", default=4, show_default=True, help="how many commands to try in a position")
@click.option("--onward", default=2, show_default=True, help="how many accepted commands a case goes on by")
@click.option("--walk", is_flag=True, help="compare in each position what is offered as well")
@click.option("--texts", is_flag=True, help="compare the texts of refusals as well")
@click.option("--examples", default=1, show_default=True, help="how many cases to write for each kind of difference")
@click.option("--save", "folder", type=A_PATH, default=KEPT / "differences", help="where to (.oracle/differences)")
@click.option("--expected", type=A_FILE, default=EXPECTED, help="the differences that are meant (expected.yaml)")
@click.option("--adapter", type=A_FILE, help="another adapter for the working tree")
@click.option("--json", "as_json", is_flag=True, help="tell everything as JSON")
def main(
    against: str, commands: int, seconds: float, seed: int, only: str, pattern: str, chapter: str, sources: str,
    as_released: bool, tries: int, onward: int, walk: bool, texts: bool, examples: int, folder: Path, expected: Path,
    adapter: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Tell every difference in verdict, clauses and events between the last release and the working tree."""
    began = time.monotonic()
    try:
        reference, today, rows = engine_of(against), working_tree(adapter), expected_rows(expected)
    except (NotThere, ValueError) as error:
        raise click.ClickException(str(error)) from None
    # The working tree's own cases are kept beside those of other commits, not in the tree.
    kept = reference.source.parent if against != "." else KEPT
    folders = [reference.cases] if as_released else [reference.cases, today.cases]
    cases = all_cases(folders, kept / "cases.msgpack")
    lines = as_lines(chosen(cases, pattern, chapter))
    if not lines:
        raise click.ClickException(f"no case fits '{pattern or chapter}'")
    named = _listed(sources, tuple(WEIGHTS), "source") if not (pattern or chapter) else ["cases"]
    known = corpus(cases)
    plan = Plan(
        seed=seed,
        commands=commands or (0 if seconds else COMMANDS),
        only=_listed(only, tuple(known), "command that a case gives"),
        sources=named,
        tries=tries,
        onward=onward,
        walk=walk,
        lines=lines,
        corpus=known,
    )
    tally = Tally(rows, examples)
    _play(plan, reference, today, tally, texts, seconds)
    took = time.monotonic() - began
    written = _write(tally, reference, today, folder)
    if as_json:
        print(json.dumps(_as_data(tally, took), indent=1))
    else:
        _show(tally, written, reference, took, seed)
    sys.exit(1 if tally.differ else 0)


def _listed(text: str, known: tuple[str, ...], what: str) -> list[str]:
    names = [it.strip() for it in text.split(",") if it.strip()]
    wrong = [it for it in names if it not in known]
    if wrong:
        raise click.ClickException(f"no {what} is called {wrong[0]}; there are {', '.join(sorted(known))}")
    return names


# -- playing --------------------------------------------------------------------------------------------------------


def _play(plan: Plan, reference: Engine, today: Engine, tally: Tally, texts: bool, seconds: float) -> None:
    """Let the reference lead and the working tree follow, each in its own process, and note every difference."""
    lines: dict[str, tuple[dict[str, Any], list[Any]]] = {}
    with _side(reference, "leads") as leader, _side(today, "follows") as follower:
        send(_pipe(leader.stdin), plan)
        until = 0.0
        for piece in _pieces(leader):
            until = until or time.monotonic() + seconds
            if piece["left_out"]:
                tally.left_out[piece["line"]] = piece["left_out"]
                continue
            try:
                send(_pipe(follower.stdin), piece)
                theirs = receive(_pipe(follower.stdout))
            except BrokenPipeError:
                theirs = None
            if theirs is None:
                raise click.ClickException("the working tree's side has ended; its last words stand above")
            if piece["begin"] is not None:
                lines[piece["line"]] = piece["begin"], []
            _hold(piece, theirs, *lines[piece["line"]], tally, texts)
            if piece["over"]:
                del lines[piece["line"]]
            if seconds and time.monotonic() > until:
                break


def _hold(
    piece: dict[str, Any], theirs: dict[str, Any], position: dict[str, Any], steps: list[Any], tally: Tally, texts: bool
) -> None:
    """Hold the answers to one piece of play against each other."""
    if theirs["begun"]:
        old, new = {"verdict": "accepted", "events": []}, {"verdict": "error", "texts": [theirs["begun"]]}
        _note(tally, piece["line"], position, steps, {"command": {"do": "set_up"}, "dice": ()}, old, new, texts)
    for move, new in zip(piece["moves"], theirs["answers"], strict=True):
        if new is None:
            tally.cut += 1
        else:
            tally.commands += 1
            tally.kinds[move["command"]["do"]] += 1
            tally.verdicts[move["answer"]["verdict"]] += 1
            _note(tally, piece["line"], position, steps, move, move["answer"], new, texts)
        if move["way"] == "step" and move["answer"]["verdict"] == "accepted":
            steps.append((move["command"], tuple(move["dice"]), move["now"]))


def _note(
    tally: Tally, line: str, position: dict[str, Any], steps: list[Any], move: dict[str, Any], old: Any, new: Any,
    texts: bool,
) -> None:  # fmt: skip
    differs = difference(old, new, texts)
    if differs is None:
        tally.alike += 1
    else:
        tally.note(Found(line, position, tuple(steps), move["command"], tuple(move["dice"]), old, new, differs))


def _pieces(leader: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """What the reference sends, read ahead so that both sides are at work."""
    ahead: queue.Queue[Any] = queue.Queue(AHEAD)

    def read() -> None:
        while (piece := receive(_pipe(leader.stdout))) is not None:
            ahead.put(piece)
        ahead.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (piece := ahead.get()) is not None:
        yield piece
    if leader.wait() != 0:
        raise click.ClickException("the reference's side has ended; its last words stand above")


@contextmanager
def _side(engine: Engine, role: str) -> Iterator[subprocess.Popen[bytes]]:
    process = engine.process(role)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _pipe(pipe: Any) -> Any:
    assert pipe is not None
    return pipe


# -- telling --------------------------------------------------------------------------------------------------------


def _write(tally: Tally, reference: Engine, today: Engine, folder: Path) -> dict[str, str]:
    """Write the examples as cases; gives their texts by file."""
    shortening = Shortening(reference, today)
    texts: dict[str, str] = {}
    for group in tally.groups.values():
        for found in group.examples:
            number = len(texts) + 1
            name = file_name(found, number)
            texts[name] = case_text(shortening.short(found), number)
            group.cases.append(str(folder / name))
    shortening.end()
    if texts:
        save(texts, folder)
    return {str(folder / name): text for name, text in texts.items()}


def _show(tally: Tally, written: dict[str, str], reference: Engine, took: float, seed: int) -> None:
    for group in sorted(tally.groups.values(), key=lambda it: (it.kind, -it.count)):
        console.print(
            f"[bold]{group.kind}[/]: {escape(group.old)} [bold red]->[/] {escape(group.new)}  "
            f"[dim]{group.differs}, {group.count} times[/]"
        )
        if group.detail:
            console.print(f"    {escape(group.detail)}")
        for name in group.cases:
            text = written[name]
            console.print(f"    [dim]{escape(name)}[/]")
            if text.count("\n") <= SHORT_CASE and len(text) < 4000:
                console.print(escape("\n".join(f"    {line}" for line in text.splitlines())))
    for row, used in zip(tally.rows, tally.used, strict=True):
        told = f"{row.kind}: {row.old} -> {row.new}, {used} times: {row.reason} ({row.clause}, case {row.case})"
        console.print(f"[green]expected[/] {escape(told)}")
    for line, why in list(tally.left_out.items())[:3]:
        console.print(f"[dim]{line} is nothing that the reference can set up: {escape(why)}[/]")
    verdicts = ", ".join(f"{count} {name}" for name, count in tally.verdicts.most_common())
    told = f"{len(tally.kinds)} kinds of commands, seed {seed}, {took:.0f} s"
    console.print(f"[dim]{verdicts} by {reference.name}; {told}[/]")
    if tally.cut:
        console.print(f"{tally.cut} commands came after a difference that could not be followed")
    console.print(
        f"{tally.commands} commands, {tally.alike} alike, {tally.differ} differ"
        + (f", {tally.expected} as expected" if tally.expected else "")
    )


def _as_data(tally: Tally, took: float) -> dict[str, Any]:
    groups = [
        {
            "kind": it.kind,
            "old": it.old,
            "new": it.new,
            "differs": it.differs,
            "detail": it.detail,
            "count": it.count,
            "cases": it.cases,
            "examples": [
                {"line": one.line, "command": one.command, "dice": one.dice, "old": one.old, "new": one.new}
                for one in it.examples
            ],
        }
        for it in tally.groups.values()
    ]
    expected = [{**msgspec.to_builtins(row), "times": used} for row, used in zip(tally.rows, tally.used, strict=True)]
    return {
        "commands": tally.commands,
        "alike": tally.alike,
        "differ": tally.differ,
        "not_followed": tally.cut,
        "expected": expected,
        "differences": groups,
        "verdicts": dict(tally.verdicts),
        "kinds": dict(tally.kinds),
        "cut": tally.cut,
        "left_out": tally.left_out,
        "seconds": round(took, 1),
    }


if __name__ == "__main__":
    main()
