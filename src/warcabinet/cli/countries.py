"""Countries and the demonstration: `countries`, `country`, `demo`."""

from __future__ import annotations

from typing import get_args

import click
from rich.markup import escape
from rich.table import Table

from warcabinet.cli import completing
from warcabinet.cli.play import DEFAULT, game_option, json_option
from warcabinet.cli.show import chip, console, print_json, show_status, signed, status_data
from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.game.demo import demo, run_steps
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.errors import unknown
from warcabinet.model import calendar
from warcabinet.model.names import StatusName, no_such, powers, spelled
from warcabinet.model.names import countries as all_countries
from warcabinet.store import open_game, refuse_taken, save_copy
from warcabinet.views.country_page import CountryPage, country_page, country_pages
from warcabinet.views.words import name


def country_named(text: str) -> str:
    """A country by its id, its name or another spelling of it."""
    found = spelled(text.strip(), "country")
    if found not in all_countries():
        raise no_such("country", text, [area.name for area in all_countries().values()])
    return found


@click.command()
@click.argument("status", default="")
@game_option
@json_option
def countries(status: str, game: str, as_json: bool) -> None:
    """Every country and colony with its status and what it is worth; name a STATUS or power to see only those."""
    wanted = status.strip().casefold()
    if wanted and wanted not in (known := [*get_args(StatusName), *powers()]):
        raise unknown("status or power", status, known)
    pages = [p for p in country_pages(open_game(game).state) if wanted in ("", p.status, p.by)]
    if as_json:
        print_json(pages)
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("country", "status", "with or by", "since", "worth", "now", "books"):
        table.add_column(heading, justify="right" if heading in ("worth", "now") else "left")
    for p in pages:
        books = ", ".join(f"{name(power)} {brp}" for power, brp in p.books.items())
        table.add_row(p.name, p.status, name(p.by), p.since, str(p.value), str(p.prorated), books)
    console.print(table)


@click.command()
@click.argument("which", shell_complete=completing.country)
@game_option
@json_option
def country(which: str, game: str, as_json: bool) -> None:
    """One country: status and why, worth, forces, limits with the present count, and what would change it."""
    page = country_page(open_game(game).state, country_named(which))
    print_json(page) if as_json else _show(page)


def _show(p: CountryPage) -> None:
    by = f" {name(p.by)}" if p.by else ""
    since = f" since {p.since}" if p.since else ""
    console.print(f"[bold]{p.name}[/]  {p.status}{by}{since} {chip(p.clause)} [dim]{escape(p.reason)}[/]")
    mark = " [italic]assumed[/]" if "assumed" in p.value_source else ""
    books = ", ".join(f"{name(power)} {brp}" for power, brp in p.books.items()) or "nobody's"
    console.print(f"  worth {p.value} BRPs a year{mark}, {p.prorated} now; on the books of: {books}")
    if p.result:
        console.print(f"  diplomatic result in force: {p.result}")
    for place in p.decided_by:
        console.print(f"  {place.name} ({place.key}) is held by {name(place.holder)}")
    _show_forces(p)
    for limit in p.limits:
        console.print(f"  {escape(limit.text)}: {limit.present} of {limit.most} {chip(limit.clause)}")
    for clause, text in [(it.clause, it.text) for it in p.closed] + [(it.clause, it.text) for it in p.own_rules]:
        console.print(f"  {escape(text)} {chip(clause)}")
    for item in p.coming:
        console.print(
            f"  [bold]{item.due}[/] {name(item.power)} {signed(item.brp)} {escape(item.text)} {chip(item.clause)}"
        )
    for change in p.changes:
        console.print(f"  [dim]would change it:[/] {escape(change.text)} {chip(change.clause)}")


def _show_forces(p: CountryPage) -> None:
    for force in p.forces:
        there = f"{force.on_board} on the board, {force.unbuilt} unbuilt" if p.deployed else "not deployed"
        # Damaged ships stand on the board and in no table of forces.
        console.print(f"  {force.table} {force.unit}: {there}" if force.table else f"  {force.unit}: {there}")
    for partisans in p.partisans:
        console.print(f"  partisans for {partisans.side}: {partisans.automatic}, at most {partisans.most}")


@click.command(name="demo")
@click.option("--out", default=DEFAULT, show_default=True, help="the file to write the demonstration to")
@json_option
def demo_(out: str, as_json: bool) -> None:
    """The war as it happened, Fall 1939 to Summer 1945, played into a game of your own."""
    refuse_taken(out)
    script = demo()
    game = new_game(Position(script.scenario, options=script.options), MemoryJournal(seed=1939))
    headed = ""
    for step, told in zip(script.steps, run_steps(game, script), strict=True):
        if (told or "tell" in step) and not as_json:
            turn = calendar.turn_name(game.state.turn)
            if turn != headed:
                console.print(f"[bold]{turn}[/]")
            headed = turn
            if "tell" in step:
                console.print(f"[dim]{escape(step['tell'])}[/]")
            if told:
                console.print(f"[dim]{game.head.id:>4}[/] {escape(told)}")
    save_copy(game, out)
    if as_json:
        print_json(status_data(game))
        return
    show_status(game)
    console.print(f"[dim]It is in {escape(out)}: try `warcabinet log -g {escape(out)}` or `warcabinet countries`.[/]")


COMMANDS = (countries, country, demo_)
