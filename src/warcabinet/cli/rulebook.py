"""The rulebook side: conformance cases, clauses and rulings, where figures come from, generated documents."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.markup import escape

from warcabinet.cli import completing
from warcabinet.cli.new_clause import new_clause
from warcabinet.cli.open_case import case_named, open_case
from warcabinet.cli.play import json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.conformance.casebook import Written, cases_folder, cases_on_ruling
from warcabinet.conformance.coverage import Coverage, cases_by_clause, coverage
from warcabinet.conformance.documents import DOCUMENTS
from warcabinet.conformance.provenance import Figure, figures
from warcabinet.conformance.running import Outcome, run_files
from warcabinet.kernel.clause import Clause, catalogue, stands_under
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.model.rulings import Ruling, ruling_named, rulings

# The cases stand beside the package or in it, wherever the command is given.
CASES = cases_folder()


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("-k", "text", default="", help="only cases whose id or title contains this")
@click.option("--coverage", "with_coverage", is_flag=True, help="also say which clauses were consulted")
@click.option("--strict", is_flag=True, help="fail also what is only warned of: a named clause that was not consulted")
@click.option("--explain", "case_id", help="open the position of the case with this ID as a game, its steps played")
@click.option("--into", help="with --explain: the game's file (default: named after the case)")
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[Path, ...],
    text: str,
    with_coverage: bool,
    strict: bool,
    case_id: str | None,
    into: str | None,
    as_json: bool,
) -> None:
    """Run conformance cases from files or folders, or open one as a game."""
    if case_id:
        open_case(case_named(case_id, paths or (CASES,)), into)
        return
    outcomes = run_files(paths or (CASES,), text, strict, near=(CASES,))
    failed = [outcome for outcome in outcomes if not outcome.ok]
    if as_json:
        print_json(_check_data(outcomes))
    else:
        for outcome in outcomes:
            _show_outcome(outcome)
        if with_coverage:
            _show_consulted(outcomes)
        warned = sum(bool(outcome.warnings) for outcome in outcomes)
        click.echo(
            f"{len(outcomes) - len(failed)} passed, {len(failed)} failed{f', {warned} warned' if warned else ''}"
        )
    ctx.exit(1 if failed or not outcomes else 0)


def _show_outcome(outcome: Outcome) -> None:
    mark = "[bold red]FAIL[/]" if not outcome.ok else "[yellow]warn[/]" if outcome.warnings else "[green]ok[/]  "
    console.print(f"{mark} {outcome.id:<14} {outcome.title}", markup=True)
    for fault in (*outcome.faults, *outcome.warnings):
        console.print(f"     {outcome.file}, line {fault.line}", style="dim")
        console.print("     " + str(fault).replace("\n", "\n     "), markup=False)


def _show_consulted(outcomes: list[Outcome]) -> None:
    found = coverage(outcomes)
    console.print(f"consulted: {', '.join(found.covered) or 'no clause'}")


def _check_data(outcomes: list[Outcome]) -> dict[str, object]:
    return {
        "passed": sum(1 for outcome in outcomes if outcome.ok),
        "failed": sum(1 for outcome in outcomes if not outcome.ok),
        "cases": [
            {
                "id": o.id,
                "ok": o.ok,
                "message": o.message,
                "file": o.file,
                "line": o.line,
                "faults": o.faults,
                "warnings": o.warnings,
            }
            for o in outcomes
        ],
        "clauses": sorted({clause for outcome in outcomes for clause in outcome.consulted}),
    }


@click.command()
@click.argument("clause", default="", shell_complete=completing.clause)
@click.option("--rulings", "show_rulings", is_flag=True, help="the numbered rulings on open points")
@click.option(
    "--coverage", "show_coverage", is_flag=True, help="run the cases and say which clauses they show, and how"
)
@click.option("--cases", type=click.Path(path_type=Path), default=CASES, help="the cases (default: the checkout's)")
@json_option
def rules(clause: str, show_rulings: bool, show_coverage: bool, cases: Path, as_json: bool) -> None:
    """What a CLAUSE or chapter rules, where it is implemented, which cases show it; or one ruling, such as R-0004."""
    if show_rulings:
        _rulings(clause, as_json)
    elif show_coverage:
        _coverage(coverage(run_files((cases,)), clause), as_json)
    elif clause[:2].upper() == "R-":
        ruling = ruling_named(clause.upper())
        _ruling(ruling, cases_on_ruling(ruling.id, cases), as_json)
    else:
        _clauses(clause, cases, as_json)


def _rulings(clause: str, as_json: bool) -> None:
    found = [
        r for r in rulings().values() if not clause or any(stands_under(c, clause) for c in r.clauses) or r.id == clause
    ]
    if not found:
        raise WarCabinetError(f"no ruling touches {clause}")
    if as_json:
        print_json(found)
        return
    for ruling in found:
        _show_ruling(ruling)


def _ruling(ruling: Ruling, spoken_of: list[Written], as_json: bool) -> None:
    """One ruling with all that is known of it."""
    if as_json:
        print_json({**msgspec.to_builtins(ruling), "cases": [it.id for it in spoken_of]})
        return
    _show_ruling(ruling)
    console.print(f"\n  {_choosing(ruling)}")
    for letter, same in ruling.same_as.items():
        console.print(f"  Whoever chooses {letter} chooses {same} with it: both ask the same.")
    console.print("\n[bold]Clauses[/]")
    for clause in ruling.clauses:
        console.print(f"  {chip(clause)} {escape(catalogue()[clause].gist)}")
    console.print("\n[bold]Cases[/]" if spoken_of else "\n[bold]Cases[/]: none speaks of it")
    for it in spoken_of:
        console.print(f"  {it.id} [dim]{it.file}:{it.line}[/]", soft_wrap=True)


def _choosing(ruling: Ruling) -> str:
    """Whether a table may choose, and by which command."""
    others = [letter for letter in ruling.selectable if letter != ruling.choice]
    if not others:
        return f"A table may not choose: it is played by reading {ruling.choice}."
    order = f"warcabinet do choose_reading ruling={ruling.id} reading={others[0]}"
    return f"A table may choose among {', '.join(ruling.selectable)}; {ruling.choice} is played until it does: {order}"


def _show_ruling(ruling: Ruling) -> None:
    console.print(f"[bold]{ruling.id}[/] {' '.join(map(chip, ruling.clauses))}\n  {ruling.question.strip()}")
    for letter, text in ruling.readings.items():
        mark = "[bold green]*[/]" if letter == ruling.choice else " "
        note = "" if letter in ruling.selectable else " [dim](cannot be chosen)[/]"
        console.print(f"  {mark} {letter}. {text}{note}")
    console.print(f"  [dim]{ruling.reason.strip()}[/]")


def _coverage(found: Coverage, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "enforced": found.enforced,
                "answered": found.answered,
                "covered": found.covered,
                "computable": found.computable,
                "house_rules": found.house_rules,
                "sentences": {id: [shown, catalogue()[id].sentences] for id, shown in found.sentences.items()},
                "untried": found.untried,
                "not_computable": list(found.not_computable),
                "reasons": found.not_computable,
            }
        )
        return
    console.print(f"Of {len(found.computable)} clauses with something to compute")
    console.print(f"  [bold]{len(found.enforced)}[/] are enforced: an order is refused or something happens by them")
    console.print(f"  [dim]{len(found.whole)} of these sentence by sentence[/]")
    console.print(f"  [bold]{len(found.answered)}[/] are answered: a figure that can be asked")
    console.print(f"    [dim]{', '.join(found.answered)}[/]")
    if found.all_house_rules:
        console.print(
            f"House rules of the table: {len(found.house_rules)} of {len(found.all_house_rules)} are enforced"
        )
    for clause, rules_ in found.untried.items():
        console.print(f"[red]No case shows[/] {chip(clause)} {', '.join(rules_)} refuse or act")
    partly = [id for id in found.enforced if id not in found.whole]
    if partly:
        told = ", ".join(f"{id} {found.sentences[id]} of {catalogue()[id].sentences}" for id in partly)
        console.print(f"[dim]in part: {told}[/]")
    if found.planned:
        console.print(f"[dim]not yet: {', '.join(found.planned)}[/]")


def _clauses(clause: str, cases: Path, as_json: bool) -> None:
    found = [row for id, row in catalogue().items() if not clause or stands_under(id, clause)]
    if not found:
        raise unknown("clause", clause, catalogue())
    shown = cases_by_clause((cases,), clause) if cases.exists() else {}
    if as_json:
        print_json([_clause_data(row, shown) for row in found])
        return
    for row in found:
        console.print(f"{chip(row.clause)} {row.gist} [dim]{_state(row)}[/]")
        if clause and "." in clause:
            for rule in RULES.by_clause.get(row.clause, []):
                console.print(f"    [dim]{rule.kind} {rule.name}, {rule.where}[/]")
            if row.clause in shown:
                console.print(f"    [dim]cases {', '.join(shown[row.clause])}[/]")


def _state(row: Clause) -> str:
    if row.computable and row.sentences > 1:
        return f"{row.status}, {row.shown} of {row.sentences} sentences"
    return f"{row.status}: {row.reason}" if row.reason else row.status


def _clause_data(row: Clause, shown: dict[str, list[str]]) -> dict[str, object]:
    rules_of = [{"kind": r.kind, "name": r.name, "where": r.where} for r in RULES.by_clause.get(row.clause, [])]
    return {**msgspec.to_builtins(row), "rules": rules_of, "cases": shown.get(row.clause, [])}


@click.command()
@click.argument("file", default="")
@click.option("--assumed", is_flag=True, help="only figures that the documents do not give")
@json_option
def data(file: str, assumed: bool, as_json: bool) -> None:
    """The figures the game rests on, with their sources; the rows of the boards only when their FILE is named."""
    every = list(figures())
    files = list(dict.fromkeys(figure.file for figure in every))
    if file and file not in files:
        raise unknown("file of data", file, files)
    found = [figure for figure in every if (figure.assumed or not assumed) and file in ("", figure.file)]
    if as_json:
        print_json(found)
        return
    for name in dict.fromkeys(figure.file for figure in found):
        _show_figures(name, [figure for figure in found if figure.file == name], whole=bool(file))


def _show_figures(file: str, rows: list[Figure], whole: bool) -> None:
    """The rows of a file; thousands of hexes and hundreds of units are counted, and listed on demand."""
    if file.startswith(("boards/", "scenarios/forces")) and not whole:
        console.print(f"[bold]{file}[/] [dim]{len(rows)} rows: warcabinet data {file}[/]")
        return
    console.print(f"[bold]{file}[/]")
    for row in rows:
        console.print(f"  {escape(row.what)} [dim]({escape(row.source)})[/]")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("docs"))
@click.option("--check", "only_check", is_flag=True, help="only say whether they are up to date")
def docs(folder: Path, only_check: bool) -> None:
    """Write the generated documents (commands, cases, compliance, rulings) into FOLDER."""
    stale = [name for name, make in DOCUMENTS.items() if _differs(folder / name, make())]
    if only_check:
        if stale:
            raise WarCabinetError(f"not up to date: {', '.join(stale)}; run: warcabinet docs")
        console.print("The generated documents are up to date.")
        return
    for name in stale:
        (folder / name).write_text(DOCUMENTS[name](), encoding="utf-8")
    console.print(f"Written: {', '.join(stale) or 'nothing, all were up to date'}.")


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text(encoding="utf-8") != text


COMMANDS = (check, rules, new_clause, data, docs)
