"""`warcabinet moment`: the fall of a power and its like, line by line."""

from __future__ import annotations

import click
from rich.markup import escape

from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import chip, console, print_json, show_move
from warcabinet.house.moments import Said, stack_id
from warcabinet.model.commands.politics import ReportMoment
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.store import open_game
from warcabinet.views.moments import MomentSheet, batch_of, commands_of, sheet_named, sheets


@click.command()
@click.argument("which", default="")
@click.argument("line", default="")
@click.option("--press", default="", help="the choice of the line; its first, if none is said")
@click.option("--stack", "stacks", multiple=True, help="only these counters, such as 'cruiser at Toulon'")
@click.option("--place", "places", multiple=True, help="only these places, or the hexes of a zone")
@click.option("--level", type=int, help="the number that the line asks for")
@click.option("--reopen", is_flag=True, help="take back the word on the line: it waits again")
@click.option("--close", "headline", default="", help="settle all of it, under this headline for the chronicle")
@game_option
@json_option
def moment(
    which: str,
    line: str,
    press: str,
    stacks: tuple[str, ...],
    places: tuple[str, ...],
    level: int | None,
    reopen: bool,
    headline: str,
    game: str,
    as_json: bool,
) -> None:
    """Great moments: WHICH of them, what the rules did at once, what is open; with a LINE give what it proposes.

    Without anything named, those of the game are listed.
    """
    playing = open_game(game)
    if not which:
        found = sheets(playing)
        print_json(found) if as_json else _list(found)
        return
    sheet = sheet_named(playing, which)
    batch, moves = batch_of(playing, sheet.move), []
    if line and reopen:
        moves = playing.do_all([ReportMoment(moment=sheet.id, line=line, reopen=True)], batch)
    elif line:
        said = Said(tuple(_stack(it) for it in stacks), tuple(map(place_key, places)), level)
        moves = playing.do_all(commands_of(playing, sheet.id, line, press, said), batch)
    if headline:
        moves += playing.do_all([ReportMoment(moment=sheet.id, says=headline)], batch)
    if as_json:
        print_json(sheet_named(playing, which))
        return
    for move in moves:
        show_move(move)
    _show(sheet_named(playing, which))


def _stack(text: str) -> str:
    unit, _, place = text.partition(" at ")
    return f"{unit.strip()} at {place_key(place)}"


def _list(found: list[MomentSheet]) -> None:
    if not found:
        console.print("No great moment has come in this game.")
    for it in found:
        left = len(it.waits)
        said = f"{left} of {len(it.lines)} lines open" if left else "nothing open"
        console.print(f"[bold]{escape(it.id)}[/]  {escape(it.title)}, {it.turn}: {said}")


def _show(sheet: MomentSheet) -> None:
    console.print(f"[bold]{escape(sheet.title)}[/]  {sheet.turn}, entry {sheet.move}")
    console.print(f"  [italic]{escape(sheet.headline)}[/]{'' if sheet.closed else ' (proposed)'}")
    for fact in sheet.facts:
        console.print(f"  [dim]{fact.kind}[/] {escape(fact.text)} {chip(fact.clause)}")
    for it in sheet.lines:
        mark = "[bold]open[/]" if it in sheet.waits else "done"
        whose = f" [dim]{escape(', '.join(map(called, it.whose)))}[/]" if it.whose else ""
        console.print(f"  {mark} [bold]{escape(it.id)}[/] {escape(it.title)} {chip(it.clause)}{whose}")
        if it in sheet.waits:
            console.print(f"       {escape(' · '.join(one.label for one in it.presses))}")
            for stack in it.stacks:
                console.print(f"       [dim]{stack.count}[/] {escape(stack_id(stack))}")


COMMANDS = (moment,)
