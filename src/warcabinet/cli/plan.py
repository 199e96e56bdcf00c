"""`warcabinet plan`: plans of years, run through the engine in many futures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from warcabinet.cli import completing
from warcabinet.cli.play import json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.plans.atlas import Chance, Look
from warcabinet.plans.choices import size_of
from warcabinet.plans.choices import told as in_words
from warcabinet.plans.counsel import Counsel, counsel
from warcabinet.plans.counsel_page import counsel_page
from warcabinet.plans.form import Program, read_plan, shipped
from warcabinet.plans.judging import judges
from warcabinet.plans.one import figures_of, figures_of_game, open_future
from warcabinet.plans.result_page import as_page
from warcabinet.plans.results import Found, Result, as_csv, as_lines
from warcabinet.plans.run import Players, Run, by_processes, by_ray, here, run_plan
from warcabinet.plans.search import Bench, Effort, Search
from warcabinet.plans.search import check as check_open
from warcabinet.plans.side_by_side import Spread, compared, of_game, side_by_side, spreads
from warcabinet.plans.stewardship import steward_question
from warcabinet.store import create_game, open_game, save_copy
from warcabinet.store.transfer import export_game, import_game


@click.group()
def plan() -> None:
    """Plans of years: read, run in many futures, open one of them, put two side by side."""


@plan.command("list")
@json_option
def listed(as_json: bool) -> None:
    """The plans that ship."""
    found = {name: read_plan(name).plan.plan for name in shipped()}
    if as_json:
        print_json(found)
        return
    for name, title in found.items():
        console.print(f"[bold]{name}[/] {escape(title)}")


@plan.command("check")
@click.argument("file", shell_complete=completing.plan)
@json_option
def check(file: str, as_json: bool) -> None:
    """Read a plan and say what is in it, or what is wrong and on which line."""
    program = read_plan(file)
    told = {
        "plan": program.plan.plan,
        "until": program.plan.until,
        "orders": len(program.orders),
        "uncertain": list(program.plan.uncertain),
        "preferences": list(program.plan.keep),
        "questions": [it.question for it in program.questions],
    }
    if program.plan.choose:
        told |= {"open": list(program.plan.choose), "ways": size_of(program.plan.choose)}
        told |= {"wanted": [it.label for it in program.goals], "never": list(program.plan.never)}
    told["uncertain"] = list(program.gist().uncertain)
    if as_json:
        print_json(told)
        return
    for name, value in told.items():
        console.print(f"[bold]{name}[/] {escape(', '.join(value) if isinstance(value, list) else str(value))}")


def _from(game: str | None, at: int | None, program: Program) -> State:
    if game is None:
        if at is not None:
            raise click.UsageError("--at is a move of a game: name it with --game")
        return program.start()
    opened = open_game(game)
    if at is None:
        return opened.state
    if not 1 <= at <= opened.head.id:
        raise WarCabinetError(f"the game has moves 1 to {opened.head.id}, not {at}")
    return opened.journal.state_at(opened.journal.move(at).at)


_game = click.option(
    "--game", "-g", help="a game to start from, instead of the plan's scenario", shell_complete=completing.file
)
_at = click.option("--at", type=int, help="the move of that game to start from (default: as it stands)")
_samples = click.option("--samples", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="futures")
_workers = click.option("--workers", type=click.IntRange(min=1), help="processes  [default: one for each core]")
_cluster = click.option("--ray", "cluster", metavar="ADDRESS", help="a Ray cluster instead; `local` starts one here")
_seed = click.option("--seed", default=0, show_default=True, help="the same seed gives the same futures")


@plan.command("run")
@click.argument("file", shell_complete=completing.plan)
@_game
@_at
@_samples
@_seed
@_workers
@_cluster
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), help="a folder for results, to resume from")
@click.option("--one", type=int, help="draw this future among all on the page")
@json_option
def run(
    file: str,
    game: str | None,
    at: int | None,
    samples: int,
    seed: int,
    workers: int | None,
    cluster: str | None,
    into: Path | None,
    one: int | None,
    as_json: bool,
) -> None:
    """Play a plan in many futures, and tell chances, spread, where it breaks and what matters."""
    program = read_plan(file)
    start = _from(game, at, program)
    made = Run(program, samples, seed, start, into)
    result = _with_progress(made, _players(workers, cluster), samples, as_json)
    if into is not None:
        _write_all(into, result, program, seed, one, start)
    if as_json:
        print_json(result)
    else:
        show_result(result)
        if into is not None:
            console.print(f"page, JSON lines and CSV are in [bold]{escape(str(into))}[/]")


def _players(workers: int | None, cluster: str | None) -> Players:
    if cluster:
        return by_ray(cluster)
    number = workers or os.cpu_count() or 1
    return here if number == 1 else by_processes(number)


def _with_progress(made: Run, players: Players, samples: int, as_json: bool) -> Result:
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("futures"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=console, disable=as_json) as progress:
        task = progress.add_task("", total=samples)
        try:
            return run_plan(made, players, lambda futures: progress.advance(task, futures))
        except KeyboardInterrupt:
            if made.folder is None:
                raise
            done = sum(it.futures for it in made.done.values())
            told = f"{done:,} of {samples:,} futures are done and kept in {made.folder}"
            raise WarCabinetError(f"{told}: the same command goes on from there") from None


def _write_all(into: Path, result: Result, program: Program, seed: int, one: int | None, start: State) -> None:
    drawn = figures_of(program, seed, one, start) if one is not None else None
    (into / "result.json").write_bytes(msgspec.json.encode(result))
    (into / "result.jsonl").write_text(as_lines(result), encoding="utf-8")
    (into / "figures.csv").write_text(as_csv(result), encoding="utf-8")
    (into / "page.html").write_text(as_page(result, drawn), encoding="utf-8")


def show_result(result: Result) -> None:
    """A result as a reader at a terminal wants it: questions first, then where it breaks, then the year starts."""
    console.print(f"[bold]{escape(result.plan)}[/]: {result.finished:,} of {result.futures:,} futures to the end")
    for it in result.questions:
        console.print(f"  {escape(it.question)}: {_answer(it)}")
        for moved in it.matters[:3]:
            ends = moved.outcomes[0], moved.outcomes[-1]
            told = ", ".join(f"{escape(end.outcome)} {end.worth(it.claim)}" for end in ends)
            console.print(f"    [dim]{escape(moved.thing)}: {moved.share:.0%} of it ({told})[/]")
    for broken in result.breaks:
        what = "stuck" if broken.stuck else "refused"
        clauses = " ".join(map(chip, broken.clauses))
        console.print(f"  [bold red]{what}[/] {escape(broken.order)} {clauses} {escape(broken.text)}")
        console.print(f"    [dim]in {broken.futures:,} futures, first {escape(broken.first)}[/]")
    _show_figures(result)


def _answer(it: Found) -> str:
    """A chance with its margin; a figure with its spread."""
    spread = f"median {it.median}, nine in ten {it.low} to {it.high}"
    if it.chance is None:
        return spread
    margin = 196 * (it.chance * (1 - it.chance) / max(1, it.futures)) ** 0.5
    chance = f"{it.chance:.1%} ± {margin:.1f}"
    return chance if it.claim else f"{chance} ({spread})"


def _show_figures(result: Result) -> None:
    table = Table("year start", box=None)
    shown = [path for path in result.figures if path.endswith(" base")]
    for path in shown:
        table.add_column(path.removesuffix(" base"), justify="right")
    springs = {it.turn for path in shown for it in result.figures[path] if it.turn.startswith("Spring")}
    for turn in sorted(springs, key=calendar.parse_turn):
        cells = []
        for path in shown:
            at = next((it for it in result.figures[path] if it.turn == turn), None)
            cells.append(_spread(Spread(at.median, at.low, at.high)) if at else "")
        table.add_row(turn.removeprefix("Spring "), *cells)
    if springs:
        console.print("BRP bases: median, nine in ten")
        console.print(table)


@plan.command("best")
@click.argument("file", shell_complete=completing.plan)
@_game
@_at
@click.option("--plans", type=click.IntRange(1, 100_000), default=300, show_default=True, help="plans that are tried")
@click.option("--samples", type=click.IntRange(1, 100_000), default=64, show_default=True, help="futures for each")
@click.option("--fresh", type=click.IntRange(1, 100_000), default=400, show_default=True, help="futures for the best")
@_seed
@_workers
@_cluster
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), help="a folder, to resume from")
@click.option("--steward", help="what this power's steward should prefer, in the war of this plan")
@json_option
def best(
    file: str,
    game: str | None,
    at: int | None,
    plans: int,
    samples: int,
    fresh: int,
    seed: int,
    workers: int | None,
    cluster: str | None,
    into: Path | None,
    steward: str | None,
    as_json: bool,
) -> None:
    """Find the best of the plans that a plan leaves open, and tell how good it is on fresh futures."""
    program = read_plan(file)
    start, effort = _from(game, at, program), Effort(plans, samples, fresh, seed)
    if steward is not None:
        program = steward_question(program, steward, start, seed)
    check_open(program)
    if start.moment >= program.until:
        raise WarCabinetError(f"the game is past {program.plan.until}, where the plan ends")
    found = _searched(program, start, effort, workers or os.cpu_count() or 1, cluster, into, as_json)
    if into is not None:
        (into / "counsel.json").write_bytes(msgspec.json.encode(found))
        (into / "page.html").write_text(counsel_page(found), encoding="utf-8")
        if found.text:
            (into / "best.yaml").write_text(found.text, encoding="utf-8")
    if as_json:
        print_json(found)
    else:
        show_counsel(found)
        if into is not None and found.text:
            console.print(f"the plan itself is [bold]{escape(str(into / 'best.yaml'))}[/]: run it, open it, compare it")


def _searched(
    program: Program,
    start: State,
    effort: Effort,
    workers: int,
    cluster: str | None,
    into: Path | None,
    as_json: bool,
) -> Counsel:
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("plans, best {task.description}"), TimeRemainingColumn())
    with judges(workers, cluster) as those, Progress(*columns, console=console, disable=as_json) as progress:
        task = progress.add_task("none yet", total=effort.plans)

        def told(tried: int, whole: int, leads: float | None) -> None:
            best_so_far = "none yet" if leads is None else f"{leads:.1f}"
            progress.update(task, completed=tried, total=max(tried, whole), description=best_so_far)

        search = Search(program, Bench(program, start, effort, those, into), effort, told)
        try:
            search.run()
            return counsel(search, start)
        except KeyboardInterrupt:
            if into is None:
                raise
            so_far = f"{len(search.tried):,} plans are tried and kept in {into}"
            raise WarCabinetError(f"{so_far}: the same command goes on from there") from None


def show_counsel(found: Counsel) -> None:
    """A search as a reader at a terminal wants it: the best, how much better, the plan in words, what it hangs on."""
    how = f"all {found.ways:,} ways were tried" if found.exact else f"{found.tried:,} of {found.ways:,} ways were tried"
    console.print(f"[bold]{escape(found.plan)}[/]: {how}, on the same {found.samples} futures")
    if found.best is None:
        console.print(f"  [bold red]none is allowed[/] {escape('; '.join(found.forbidden))}")
        return
    for at, goal in enumerate(found.goals):
        spread = f"median {found.best.medians[at]}, nine in ten {found.best.lows[at]} to {found.best.highs[at]}"
        much = f"{found.best.means[at]:.1%}" if found.claims[at] else f"{found.best.means[at]:.1f} ({spread})"
        console.print(f"  {escape(goal)}: [bold]{much}[/] on {found.fresh} fresh futures")
        for gain in found.gains:
            console.print(f"    {_more(gain.by[at], gain.margins[at], found.claims[at])} than {gain.than}")
    for name, taken in found.best.taken.items():
        console.print(f"  [bold]{escape(name)}[/] {escape(in_words(taken))}")
    for broken, times in found.best.broken.items():
        console.print(f"  [bold red]{escape(broken)}[/] in {times} of the fresh futures")
    _show_story(found)
    _show_rivals(found)


def _more(by: float, margin: float, claim: bool) -> str:
    much = f"{100 * by:+.1f} ± {100 * margin:.1f} points" if claim else f"{by:+.1f} ± {margin:.1f}"
    return f"{much} better"


def _show_story(found: Counsel) -> None:
    table = Table("turn", "what is done", "BRPs", "clauses", box=None, title=f"as in future {found.future}")
    turn = ""
    for it in found.story:
        brp = f"{it.brp:+}" if it.brp else ""
        table.add_row(it.turn if it.turn != turn else "", escape(it.text), brp, " ".join(map(chip, it.clauses)))
        turn = it.turn
    console.print(table)


def _show_rivals(found: Counsel) -> None:
    console.print("What each decision is worth: lost if only this one is as the plan stands")
    for it in found.worth:
        instead = f"{it.instead} instead of {it.taken}" if it.instead != it.taken else f"{it.taken}, as it stands"
        console.print(f"  {escape(it.decision)}: {it.lost:.1f} ± {it.margin:.1f} [dim]{escape(instead)}[/]")
    for moved in found.hangs_on[:3]:
        ends = moved.outcomes[0], moved.outcomes[-1]
        told = ", ".join(f"{escape(end.outcome)} {end.worth(found.claims[0])}" for end in ends)
        console.print(f"It hangs on {escape(moved.thing)}: {moved.share:.0%} of it ({told})")
    for over in found.turned_over:
        told = f"{over.by:.1f} ± {over.margin:.1f} better with {over.plan}"
        console.print(f"If {escape(over.thing)} is {escape(over.outcome)}: {escape(told)}")
    for bound in found.bounds:
        who = f"{bound.power}'s {bound.limit}"
        console.print(f"One more of {escape(who)} {chip(bound.clause)} would be worth {bound.worth:.2f}")
    for name, rivals in (("Runner-ups", found.runners), ("What one costs the other", found.curve)):
        if rivals:
            console.print(name)
        for rival in rivals:
            means = ", ".join(f"{it:.1f}" for it in rival.means)
            console.print(f"  {means} [dim]{escape(rival.name)}[/]")


@plan.command("open")
@click.argument("file", shell_complete=completing.plan)
@click.option("--future", type=click.IntRange(min=0), default=0, show_default=True, help="which")
@_seed
@_game
@_at
@click.option("--output", "-o", required=True, help="the file of the new game", shell_complete=completing.file)
def opened(file: str, future: int, seed: int, game: str | None, at: int | None, output: str) -> None:
    """Open one future as a game that can be looked at and played on."""
    program = read_plan(file)
    start = _from(game, at, program)
    if start.moment >= program.until:
        raise WarCabinetError(f"the game is past {program.plan.until}, where the plan ends")
    if game is None:
        made = create_game(output, program.position(), seed=seed)
    elif at is None:
        made = save_copy(open_game(game), output)
    else:
        made = import_game(list(export_game(open_game(game), at)), output)
    broken = open_future(program, seed, future, made)
    console.print(
        f"future {future} is in [bold]{escape(output)}[/], at move {made.head.id}: {escape(_now(made.state))}"
    )
    for it in broken:
        console.print(f"  [bold red]refused[/] {escape(it.what)} {' '.join(map(chip, it.clauses))} {escape(it.text)}")


def _now(s: State) -> str:
    return calendar.moment_name(s.moment)


@plan.command("chances")
@click.argument("result", type=click.Path(path_type=Path, exists=True))
@click.option("--by", default="", help="by the end of this turn; the last one if nothing is said")
@click.option("--of", "what", help="one place or country; those that are least certain if nothing is said")
@click.option("--most", type=click.IntRange(1, 1000), default=12, show_default=True, help="so many of them")
@json_option
def chances(result: Path, by: str, what: str | None, most: int, as_json: bool) -> None:
    """Who holds which place and country in how many futures of a result, and which uncertain things decide it."""
    look = Look(_result(result).atlas, by)
    found = (look.chance(what),) if what else look.least_certain(most)
    if as_json:
        print_json(found)
        return
    for it in found:
        console.print(f"[bold]{escape(it.name)}[/] by {it.turn}: {_stands(it)}")
        for part in it.since if what else ():
            console.print(f"  {part.what} in {part.futures:,}, such as future {part.first}")
        for cause in it.causes[:3]:
            went = ", ".join(f"{part.what} in {part.futures:,}" for part in cause.outcomes)
            console.print(f"  [dim]{escape(f'the others: {cause.thing} {went} ({cause.share:.0%} of it)')}[/]")
    if not found:
        console.print("every place and country is the same in all futures")


def _stands(it: Chance) -> str:
    parts = (f"{escape(part.what)} [bold]{part.futures / max(1, it.futures):.0%}[/]" for part in it.stands)
    return ", ".join(parts) if it.stands else "as it was in all futures"


@plan.command("compare")
@click.argument("one", type=click.Path(path_type=Path, exists=True))
@click.argument("other", required=False, type=click.Path(path_type=Path, exists=True))
@click.option(
    *("--game", "-g"),
    help="hold the result against a game that was played, instead of another result",
    shell_complete=completing.file,
)
@click.option("--figure", help="only this figure, such as 'germany base'")
@json_option
def compare(one: Path, other: Path | None, game: str | None, figure: str | None, as_json: bool) -> None:
    """Put two results (folders of `run`) side by side, or a result and what happened in a game."""
    if (other is None) == (game is None):
        raise click.UsageError("name another result, or a game with --game")
    first = _result(one)
    if other is not None:
        found = compared(first, _result(other))
    else:
        played = open_game(str(game))
        found = side_by_side((first.plan, spreads(first)), ("as it happened", of_game(figures_of_game(played))))
    lines = [it for it in found.figures if figure is None or it.figure == figure]
    if as_json:
        print_json(msgspec.structs.replace(found, figures=tuple(lines)))
        return
    table = Table("figure", "turn", box=None)
    for name in (found.one, found.other, "difference"):
        table.add_column(escape(name), justify="right")
    for it in lines:
        table.add_row(it.figure, it.turn, _spread(it.one), _spread(it.other), f"{it.difference:+}")
    console.print(table if lines else "they do not differ")
    for asked in found.questions:
        console.print(f"{escape(asked.question)}: {_share(asked.one)} and {_share(asked.other)}")


def _spread(it: Spread) -> str:
    return str(it.median) if it.low == it.high else f"{it.median} [dim]{it.low}-{it.high}[/]"


def _share(it: float | None) -> str:
    return "-" if it is None else f"{it:.1%}"


def _result(path: Path) -> Result:
    file = path / "result.json" if path.is_dir() else path
    if not file.exists():
        raise WarCabinetError(f"{path} holds no result: run a plan with --into {path}")
    try:
        found: Any = msgspec.json.decode(file.read_bytes(), type=Result)
    except (msgspec.DecodeError, OSError) as error:
        raise WarCabinetError(f"{file} is no result of a plan: {error}") from None
    assert isinstance(found, Result)
    return found


COMMANDS = (plan,)
