"""The war economy at a glance: mobilizations, the turn record track, force pools and what may be built."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from warcabinet.cli import completing
from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.game.mobilization_calendar import Sheet, mobilization_sheets
from warcabinet.game.pools import buildable, construction_sites, force_pool, turn_record_track
from warcabinet.model.names import power_named, powers
from warcabinet.store import open_game


@click.command()
@click.argument("power", default="", shell_complete=completing.power)
@game_option
@json_option
def mobilization(power: str, game: str, as_json: bool) -> None:
    """What a POWER (or each) can mobilize now, when it must, and when the units would arrive."""
    state = open_game(game).state
    wanted = [power_named(power).power] if power else list(powers())
    sheets = [sheet for name in wanted for sheet in mobilization_sheets(state, name)]
    if as_json:
        print_json(sheets)
        return
    for sheet in sheets:
        _show_sheet(sheet, detail=bool(power))


def _show_sheet(sheet: Sheet, detail: bool) -> None:
    where = f", {sheet.theater}" if sheet.theater else ""
    mark = (
        "[bold red]due now[/]"
        if sheet.due
        else "open now"
        if sheet.open
        else f"next: {escape(sheet.next)}"
        if sheet.next
        else "[dim]none to come[/]"
    )
    console.print(f"[bold]{powers()[sheet.power].name}{where}[/]  {mark}")
    if not detail or not (sheet.due or sheet.open or sheet.next):
        return
    defers = f", {sheet.defer} may be deferred" if sheet.defer else ""
    adds = f"adds {sheet.base} BRPs to base and level" if sheet.base else "brings an industrial center of 10 BRPs"
    console.print(f"  {adds}, {sheet.size} BRPs of units{defers}")
    if sheet.deferred:
        console.print(f"  {sheet.deferred} BRPs deferred earlier")
    if not (sheet.due or sheet.open):
        console.print("  [dim]were it made this turn:[/]")
    for arrival in sheet.arrivals:
        cost = f"{arrival.cost} a {arrival.per}"
        console.print(f"  {arrival.type}: {cost}, arrives {arrival.arrives} {chip(arrival.clause)}")


@click.command()
@game_option
@json_option
def track(game: str, as_json: bool) -> None:
    """The turn record track: which units enter whose force pool, and when."""
    rows = turn_record_track(open_game(game).state)
    if as_json:
        print_json(rows)
        return
    if not rows:
        console.print("[dim]Nothing is on the turn record track.[/]")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("turn", "power", "units", "BRPs"):
        table.add_column(heading, justify="right" if heading == "BRPs" else "left")
    for row in rows:
        table.add_row(row.turn, powers()[row.power].name, f"{row.count} {row.unit}", str(row.brp))
    console.print(table)


@click.command()
@click.argument("power", shell_complete=completing.power)
@game_option
@json_option
def pool(power: str, game: str, as_json: bool) -> None:
    """A POWER's force pool: on the board, unbuilt, on the track, lost for good."""
    found = power_named(power)
    rows = force_pool(open_game(game).state, found.power)
    if as_json:
        print_json(rows)
        return
    if not rows:
        console.print(f"[dim]No units of {found.name} are known; report them or set up a position.[/]")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    names = type(rows[0]).__struct_fields__
    for field in names:
        table.add_column(field.replace("_", " "), justify="left" if field == "unit" else "right")
    for row in rows:
        table.add_row(*(str(getattr(row, field)) for field in names))
    console.print(table)


@click.command()
@click.argument("power", shell_complete=completing.power)
@click.option("--places", is_flag=True, help="also say where")
@game_option
@json_option
def builds(power: str, places: bool, game: str, as_json: bool) -> None:
    """What a POWER may build now, what is left of its limit, and where."""
    opened = open_game(game)
    name = power_named(power).power
    rows, left = buildable(opened.state, name), opened.figure(f"powers.{name}.construction_left")
    sites = construction_sites(opened.state, name) if places or as_json else []
    if as_json:
        print_json({"construction_left": left, "units": rows, "places": sites})
        return
    console.print(f"{left} BRPs are left of the construction limit {chip('39.31')}")
    for row in rows:
        console.print(f"  {row.unit}: {row.unbuilt} unbuilt at {row.cost}, {row.most} can be afforded")
    if places:
        console.print("[dim]In:[/] " + ", ".join(sites))


COMMANDS = (mobilization, track, pool, builds)
