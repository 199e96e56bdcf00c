"""Changes the rules at random, one small fault at a time, and asks the cases whether they notice.

python3 dev.py mutate [--count N] [--seed S] [--only GLOB] [--least 0.9] [--list]
"""

from __future__ import annotations

import fnmatch
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sites import Site, all_sites
from trial import COMPLIANCE, ROOT, RULES, USERS, Verdict, attempts, name_groups, prepare

console = Console(highlight=False)


@click.command()
@click.option("--count", default=100, show_default=True, help="how many changes to try")
@click.option("--seed", default=1, show_default=True, help="which ones: the same seed chooses the same")
@click.option("--only", default="*", help="only in modules whose path fits, such as 'minors/*' or 'economy/growth*'")
@click.option("--least", default=0.9, show_default=True, help="the part that must be caught; else exit status 1")
@click.option("--workers", default=2, show_default=True, help="how many to try at a time")
@click.option("--show-caught", is_flag=True, help="also list what was caught, and by which case")
def main(count: int, seed: int, only: str, least: float, workers: int, show_caught: bool) -> None:
    """Change the rules at random and list the changes that no case notices."""
    if not hasattr(os, "fork"):
        raise click.ClickException("this needs a system that can fork a process (Linux, macOS)")
    began = time.monotonic()
    names = name_groups()
    sites = [it for it in all_sites(RULES, "warcabinet.rules", names, USERS) if fnmatch.fnmatch(_short(it), only)]
    if not sites:
        raise click.ClickException(f"nothing to change in '{only}'")
    chosen = random.Random(seed).sample(sites, min(count, len(sites)))
    with console.status("looking which case runs which line"):
        ground = prepare()
    found = _try(chosen, lambda: attempts(chosen, ground, names, workers))
    survivors = [it for it in found if not it.caught_by]
    if show_caught:
        for verdict in _in_order(it for it in found if it.caught_by):
            _show(verdict)
    for verdict in _in_order(survivors):
        _show(verdict)
    _summary(found, len(sites), seed, time.monotonic() - began)
    sys.exit(0 if len(found) - len(survivors) >= least * len(found) else 1)


def _try(chosen, work):  # type: ignore[no-untyped-def]
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found: list[Verdict] = []
    with Progress(*bar, console=console) as progress:
        task = progress.add_task("trying", total=len(chosen))
        for verdict in work():
            found.append(verdict)
            caught = sum(1 for it in found if it.caught_by)
            progress.update(task, advance=1, description=f"{caught} of {len(found)} caught")
    return found


def _short(site: Site) -> str:
    return str(site.file.relative_to(RULES))


def _in_order(found) -> list[Verdict]:  # type: ignore[no-untyped-def]
    return sorted(found, key=lambda it: (str(it.site.file), it.site.line, it.site.after))


def _show(verdict: Verdict) -> None:
    site = verdict.site
    where = f"{site.file.relative_to(ROOT)}:{site.line}"
    if verdict.caught_by:
        console.print(f"[green]caught[/]   {where} [dim]{site.kind}, by {escape(verdict.caught_by)}[/]")
    else:
        ran = f"{verdict.cases} cases ran it" if verdict.cases else "no case runs it"
        console.print(f"[bold red]survived[/] {where} [dim]{site.kind}; {ran}[/]")
    console.print(f"    - {escape(site.before)}\n    + {escape(site.after)}", soft_wrap=True)


def _summary(found: Sequence[Verdict], possible: int, seed: int, seconds: float) -> None:
    caught = sum(1 for it in found if it.caught_by)
    page = sum(1 for it in found if it.caught_by == COMPLIANCE.name)
    kinds = Counter(it.site.kind for it in found if not it.caught_by)
    told = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
    console.print(
        f"{caught} of {len(found)} changes caught ({100 * caught // len(found)} %), seed {seed}, "
        f"of {possible} possible, in {seconds:.0f} s; {page} by the compliance page, which names every rule's clause"
        + (f"; survived: {told}" if told else "")
    )


if __name__ == "__main__":
    main()
