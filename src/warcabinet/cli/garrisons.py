"""Both garrisons of chapter 81 on the command line: `garrisons`."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.store import open_game
from warcabinet.views.garrison_page import garrison_page
from warcabinet.views.garrison_parts import Declaration, GarrisonPage, GarrisonSide, Transfer
from warcabinet.views.words import name

SIGNS = {"may": "[green]yes[/]", "no": "[red]no[/]", "fact": "   "}
POINTS = {"done": "●", "now": "[bold]◆[/]", "ahead": "○", "end": "[blue]◎[/]"}


@click.command()
@game_option
@json_option
def garrisons(game: str, as_json: bool) -> None:
    """Manchuria and Siberia: required, present, worth unit by unit, what may leave, transfers, declarations of war."""
    played = open_game(game)
    line = played.line()
    page = garrison_page(played.state, (move for move in played.log() if move.id in line))
    print_json(page) if as_json else _show(page)


def _show(page: GarrisonPage) -> None:
    console.print(
        f"[bold]Manchuria and Siberia[/]  {page.standing}  [dim]{escape(page.counted)}[/] {chip(page.clause)}"
    )
    for side in (page.manchuria, page.siberia):
        _show_side(side)
    for transfer in page.transfers:
        _show_transfer(transfer)
    for declaration in page.declarations:
        _show_declaration(declaration)
    it = page.urals
    console.print(
        f"\n[bold]Urals box[/]  {it.inside} Russian ground factors in it, {it.beside} of the enemy beside it "
        f"({it.fighting} at war): Russia would lose {it.loss} BRPs {chip('81.71')}; its construction limit is lower "
        f"by {it.reduction} {chip('81.72')}; Russian air units: {it.basing} {chip('81.62')}"
    )


def _show_side(side: GarrisonSide) -> None:
    console.print(
        f"\n[bold]{side.title}[/]  {name(side.power)}, [bold]{side.value}[/] of {side.full} BRPs  [dim]{side.where}[/]"
    )
    for mark in side.marks:
        console.print(f"  [dim]{mark.at:>3} {escape(mark.text)}[/] {chip(mark.clause)}")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("unit", "at", "counted", "BRPs", "may leave", "why not more", "if one left"):
        table.add_column(heading, justify="right" if heading in ("counted", "BRPs", "may leave") else "left")
    for row in side.rows:
        needed = f"{row.factors} of {row.needed} factors" if row.full else ""
        table.add_row(f"[bold]{row.type}[/]", needed, "", f"[bold]{row.brp}[/]", "", escape(row.told), chip(row.clause))
        for it in row.units:
            counted = f"{it.counted}" if it.counted == it.count else f"{it.counted} of {it.count}, {it.why_not}"
            held = f"{escape(it.held)} {chip(it.clause)}" if it.held else ""
            table.add_row(
                f"  {it.unit}", it.place_name, counted, str(it.brp), str(it.may_leave), held, escape(it.if_left)
            )
    console.print(table)
    for line in side.lines:
        console.print(f"  {SIGNS[line.state]} {escape(line.text)} {chip(line.clause)}")
    for gone in side.departures:
        console.print(f"  [dim]{escape(gone.text)} in {gone.when}, entry {gone.move}[/]")


def _show_transfer(it: Transfer) -> None:
    console.print(f"\n[bold]Transfer under way[/]  {escape(it.text)} {chip(it.clause)}  ends in {it.ends}")
    for moment in it.moments:
        step = f", {moment.step}" if moment.step else ""
        console.print(f"  {POINTS[moment.state]} {moment.when}{step}: {escape(moment.text)}")
    console.print(f"  [dim]averted by {escape(it.averted_by)}[/]")


def _show_declaration(it: Declaration) -> None:
    console.print(f"\n[bold]{name(it.power)} on {name(it.on)}[/]  {it.cost} BRPs {chip(it.clause)}")
    for condition in it.conditions:
        detail = f" [dim]{escape(condition.detail)}[/]" if condition.detail else ""
        sign = "[green]yes[/]" if condition.met else "[red]no[/] "
        console.print(f"  {sign} {escape(condition.text)}{detail} {chip(condition.clause)}")
    console.print(f"  [dim]{escape(it.next_chance)}[/]")


COMMANDS = (garrisons,)
