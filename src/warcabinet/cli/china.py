"""`warcabinet china`: territory, objectives and who may go where this season, in words and as a map (78, 79, 80)."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from warcabinet.board import palette
from warcabinet.board.maps import pacific
from warcabinet.board.overlay import Outline, Overlay
from warcabinet.board.palette import Theme
from warcabinet.cli.board import write_map
from warcabinet.cli.play import game_option, json_option
from warcabinet.cli.show import chip, console, print_json
from warcabinet.kernel.errors import unknown
from warcabinet.model.calendar import turn_name
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.store import open_game
from warcabinet.views.china_view import ChinaView, Going, china_view
from warcabinet.views.words import name

#: The lands that China's map shows beside China.
AROUND = ("manchuria", "korea", "hong_kong", "burma", "french_indochina", "thailand", "mongolia", "formosa")


@click.command()
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), help="draw the map: an .svg or .png file")
@click.option("--units", "letter", default="", help="tint where these may go, by their letter: G, A, T, B, C or W")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@game_option
@json_option
def china(out: Path | None, letter: str, theme: Theme, game: str, as_json: bool) -> None:
    """China: whose territory, the objectives, and which units may go where this season."""
    state = open_game(game).state
    view = china_view(state)
    if out is not None:
        over = overlay(state, view, _chosen(view, letter))
        held: dict[str, str] = {h.key: holder(state, h.key) for h in pacific() if h.is_land}
        write_map(out, pacific(), held, theme, over=over)
    if as_json:
        print_json(view)
        return
    _show(view)
    if out is not None:
        console.print(escape(str(out)))


def _chosen(view: ChinaView, letter: str) -> Going | None:
    if not letter:
        return None
    found = next((it for it in view.going if it.letter == letter.upper()), None)
    if found is None:
        raise unknown("letter of units", letter, [it.letter for it in view.going])
    return found


def overlay(state: State, view: ChinaView, chosen: Going | None = None) -> Overlay:
    """What China's map lays over the Pacific board: letters say who may go where outside China."""
    one = pacific()
    inside = {*view.nationalists, *view.communists}
    around = tuple(it.id for it in one if it.is_land and it.country in AROUND)
    letters = {it.id: "".join(g.letter for g in view.going if it.id in g.hexes) for it in one if it.id not in inside}
    key = [f"{g.letter}  {g.name}: {g.reach} ({g.clause})" for g in view.going]
    tint = [f"tinted: where {chosen.name} may go"] if chosen else []
    return Overlay(
        title=f"China, {turn_name(state.turn)}, resistance {view.resistance:+}",
        crop=tuple(dict.fromkeys((*inside, *around))),
        outlines=(
            Outline(view.nationalists, "china-deep", "Nationalist China (78.21)"),
            Outline(view.communists, "russia-deep", "Communist China (79.21)", "7 4"),
        ),
        tinted=chosen.hexes if chosen else (),
        letters={id_: text for id_, text in letters.items() if text},
        rings={it.hex: f"{palette.power_of(it.holder) or 'china'}-deep" for it in view.objectives},
        key=(
            "rings: objectives, in the colour of who holds them (78.41)",
            "letters: who may go there, outside China",
            *key,
            *tint,
        ),
    )


def _show(view: ChinaView) -> None:
    turns = f"{view.allied_turns} Allied turns of the war between Japan and Britain"
    console.print(f"[bold]China[/]  resistance {view.resistance:+}, {turns}")
    held = ", ".join(f"{it.name} {name(it.holder)}" for it in view.objectives)
    console.print(f"  objectives: {held} {chip('78.41')}")
    for it in view.going:
        console.print(f"  [bold]{it.letter}[/] {it.name}: {it.reach} {chip(it.clause)}")
    for told in view.told:
        console.print(f"  {escape(told.text)} {chip(told.clause)}")


COMMANDS = (china,)
