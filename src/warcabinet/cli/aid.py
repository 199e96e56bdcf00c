"""Aid in one place: `aid` shows the roads, who may grant to whom, a plan and what it comes to, and sends it."""

from __future__ import annotations

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from warcabinet.board.courses import hex_names
from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import chip, console, print_json, show_move, signed
from warcabinet.cli.words_in import parse_command, split_line
from warcabinet.game import Game
from warcabinet.game.engine import as_command
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands.aid import GrantBrps, SailConvoy
from warcabinet.store import open_game
from warcabinet.views.aid_page import AidPage, Cell, aid_page
from warcabinet.views.aid_plan import Granting, Plan, Planned
from warcabinet.views.aid_roads import Road
from warcabinet.views.convoy_sheet import ConvoySheet, Told, convoy_sheet
from warcabinet.views.words import name

STATES = {"open": "green", "used up": "yellow", "under way": "blue", "closed": "red"}


@click.command()
@click.option(
    "--plan",
    "-p",
    "planned",
    multiple=True,
    help="an order to plan, such as 'grant power=usa to=britain by=atlantic brp=21'",
)
@click.option("--send", is_flag=True, help="give the planned orders, until one waits for another's answer")
@click.option("--lines", is_flag=True, help="the hexes of every line")
@game_option
@json_option
def aid(planned: tuple[str, ...], send: bool, lines: bool, game: str, as_json: bool) -> None:
    """Roads and what would cut them, who may grant to whom, transports, and what a plan of grants comes to.

    \b
    aid                                                     as it stands
    aid -p 'grant power=usa to=russia by=persia brp=9'      with a plan: levels, limits, transports
    aid -p '...' -p '...' --send                            give the planned orders
    """
    opened = open_game(game)
    orders = [_order(text) for text in planned]
    page = aid_page(opened.state, orders)
    if send:
        _send(opened, page.plan)
        page = aid_page(opened.state)
    sheet = convoy_sheet(opened.state, told(opened))
    if as_json:
        print_json({"aid": page, "convoy": sheet})
        return
    _show(page, lines)
    if sheet is not None:
        _show_convoy(sheet)


def told(game: Game) -> list[Told]:
    """The commands of what is under way, each with what came of it."""
    waiting = game.state.waiting
    return [(it.command, it.records) for it in game.during(waiting.id)] if waiting is not None else []


def _order(text: str) -> Granting:
    command = as_command(parse_command(split_line(text)))
    if not isinstance(command, GrantBrps | SailConvoy):
        raise WarCabinetError(f"'{text}': plan the orders grant and sail_convoy")
    return command


def _send(game: Game, plan: Plan) -> None:
    """All that was planned, or nothing where a part of it is not allowed; what follows a question waits."""
    if not plan.lines:
        raise WarCabinetError("nothing is planned: say it with --plan")
    against = [it for it in plan.lines if it.why_not]
    if against:
        reasons = "; ".join(f"{it.text} [{it.clause}]" for it in against[0].why_not)
        raise WarCabinetError(f"nothing was sent. {against[0].text}: {reasons}")
    for number, line in enumerate(plan.lines):
        if game.state.operations:
            console.print(f"[bold]Waits for an answer:[/] {len(plan.lines) - number} of the plan not sent yet")
            return
        show_move(game.do(msgspec.to_builtins(line.command)))


def _show(page: AidPage, lines: bool) -> None:
    if page.now:
        console.print("[bold]Grants may be made now[/] [cyan]\\[40.11][/]")
    else:
        for when in dict.fromkeys(page.next.values()):
            who = ", ".join(name(power) for power, it in page.next.items() if it == when)
            console.print(f"[dim]Next grants of {who}:[/] {when} [cyan]\\[40.11][/]")
    for road in page.roads:
        _show_road(road, lines)
    _show_pairs(page.cells)
    told = "; ".join(f"{name(it.power)} {chip(it.clause)}" for it in page.never)
    console.print(f"[dim]May not grant:[/] {told}")
    for line in page.plan.lines:
        _show_planned(line)
    _show_sides(page.plan)


def _show_road(road: Road, lines: bool) -> None:
    colour = STATES[road.state]
    figure = f"{road.used} of {road.capacity}" if road.capacity else "0"
    oil = f", oil {road.oil_used} of {road.oil}" if road.oil and road.capacity else ""
    console.print(f"[bold]{road.name}[/] to {name(road.to)}: [{colour}]{road.state}[/] {figure}{oil}")
    for it in (*road.because, *road.why_not):
        console.print(f"  {escape(it.text)} {chip(it.clause)}")
    if road.hangs_on:
        console.print(f"  [dim]hangs on[/] {hex_names(road.hangs_on)}")
    for it in road.would_cut:
        console.print(f"  [dim]would cut it:[/] {escape(it.text)} {chip(it.clause)}")
    for line in road.lines if lines else ():
        hexes = " ".join(key.partition("/")[2] for key in line.hexes)
        cut = f", cut at {hex_names(line.cut)}" if line.cut else ""
        console.print(f"  [dim]{line.text}:[/] {hexes}{cut} {chip(line.clause)}")


def _show_pairs(cells: tuple[Cell, ...]) -> None:
    for power in dict.fromkeys(it.power for it in cells):
        mine = [it for it in cells if it.power == power and it.ways]
        console.print(f"[bold]{name(power)}[/] may grant to {', '.join(map(_cell, mine))}")
    console.print(f"  [dim]and to nobody else[/] {chip('40.31')}")


def _cell(cell: Cell) -> str:
    sent = f" ({cell.sent} sent)" if cell.sent else ""
    if cell.why_not:
        return f"{name(cell.to)}{sent} [red]nothing[/] {chip(cell.why_not[0].clause)}"
    return f"{name(cell.to)} {cell.most}{sent} {chip(cell.by[0]) if cell.by else ''}"


def _show_planned(line: Planned) -> None:
    takes = ", ".join(f"{n} {ocean.replace('_', ' ').title()}" for ocean, n in line.transports.items() if n)
    console.print(f"[bold]Planned[/] {escape(line.text)}{f' [dim]({takes} transports)[/]' if takes else ''}")
    for it in line.why_not:
        console.print(f"  [red]not allowed:[/] {escape(it.text)} {chip(it.clause)}")


def _show_sides(plan: Plan) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("both sides", "level", "as it stands", "with the plan", "limit", "as it stands", "with the plan"):
        table.add_column(heading, justify="left" if heading == "both sides" else "right")
    for it in plan.sides:
        levels = (str(it.level), str(it.level_stands), _moved(it.level, it.level_after))
        limits = (str(it.limit), str(it.limit_stands), _moved(it.limit, it.limit_after))
        table.add_row(name(it.power), *levels, *limits)
    console.print(table)
    for ocean in plan.oceans:
        uses = f": {', '.join(ocean.uses)}" if ocean.uses else ""
        told = f"{ocean.needed} needed{uses}, {ocean.free} of {ocean.all} free"
        console.print(f"{ocean.ocean.replace('_', ' ').title()} transports {told} {chip(ocean.clause)}")
    if plan.shared:
        console.print(f"  [dim]sharing saves {plan.shared}[/] {chip('40.222')}")


def _moved(before: int, after: int) -> str:
    return f"{after} ({signed(after - before)})" if after != before else str(after)


def _show_convoy(sheet: ConvoySheet) -> None:
    console.print(f"[bold]{sheet.title}[/]: {sheet.afloat} of {sheet.sent} BRPs afloat, {sheet.transports} transports")
    for step in sheet.steps:
        dice = f" [dim]dice {' '.join(map(str, step.dice))}[/]" if step.dice else ""
        loss = f" {signed(-step.lost)}" if step.lost else ""
        where = f"hex {step.hex} " if step.hex else ""
        console.print(f"  {where}{escape(step.text)}{dice}{loss} {chip(step.clause)}")
    if sheet.asks:
        who = " and ".join(name(it) for it in sheet.waits_for)
        console.print(f"  [bold red]Waits[/] for {who}: {escape(sheet.asks)} {chip(sheet.clause)}")
    for it in sheet.if_ended:
        console.print(f"  [dim]if it ended now:[/] {escape(it.text)} {it.amount} {chip(it.clause)}")


COMMANDS = (aid,)
