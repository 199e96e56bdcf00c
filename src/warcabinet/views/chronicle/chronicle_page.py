"""The chronicle as one HTML page: nothing is loaded from anywhere, and the browser's print makes a PDF of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup

from warcabinet import __version__
from warcabinet.board import palette
from warcabinet.board.maps import board
from warcabinet.game import Game
from warcabinet.game.throws import published
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.views.chronicle.accounts import COLUMNS, Books, Row
from warcabinet.views.chronicle.drawing import BOARDS, definitions, level_chart, world_map
from warcabinet.views.chronicle.fronts import SeasonMap, theaters
from warcabinet.views.chronicle.story import Season, seasons
from warcabinet.views.words import place_name


class YearLine(msgspec.Struct, frozen=True):
    """A power's year: the level with which it began, the one with which it ended, the base then."""

    power: str
    years: tuple[tuple[int, int, int], ...]


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return made.get_template("chronicle.html")


def chronicle_page(game: Game, title: str, short: bool = False) -> str:
    """The game told from its first to its last season; as a short report only what decided it."""
    books = Books(game)
    told = seasons(game, books)
    line = game.line()
    return _template().render(
        title=title,
        short=short,
        scenario=game.state.scenario,
        seasons=told,
        powers=powers(),
        columns=COLUMNS,
        total=_total,
        years=_years(told),
        year_lines=_year_lines(told),
        definitions=Markup(definitions()),
        chart=Markup(level_chart((it.title, _levels(it)) for it in told)),
        charts={} if short else _charts(told),
        maps=_maps(game, told, short),
        year_of=calendar.year,
        dice=_dice(told),
        seeds=[it for it in published(game.journal.seeds()) if it.sealed],
        undone=sum(1 for move in game.log() if move.kind == "command" and move.id not in line),
        version=__version__,
    )


def _levels(season: Season) -> dict[str, tuple[int, int]]:
    """The level at which each power set out, with what its year start brought, and the one it was left with."""
    return {row.power: (row.start + row.moved[0], row.end) for row in season.rows}


def _charts(told: list[Season]) -> dict[int, Markup]:
    """The levels as they had gone by the end of each season, beside its table."""
    levels = [(it.title, _levels(it)) for it in told]
    return {it.turn: Markup(level_chart(levels[: n + 1], small=True)) for n, it in enumerate(told)}


def _total(rows: tuple[Row, ...]) -> Row:
    """What all powers together had and paid."""
    moved = tuple(sum(row.moved[i] for row in rows) for i in range(len(COLUMNS)))
    return Row("", sum(r.start for r in rows), moved, sum(r.end for r in rows), sum(r.base for r in rows))


def _years(told: list[Season]) -> list[int]:
    return sorted({calendar.year(it.turn) for it in told})


def _year_lines(told: list[Season]) -> list[YearLine]:
    """Every power's levels by year, from the first and the last season of each that was played."""
    found = []
    for n, power in enumerate(powers()):
        years = []
        for year in _years(told):
            of_year = [it for it in told if calendar.year(it.turn) == year]
            first, last = of_year[0].rows[n], of_year[-1].rows[n]
            years.append((first.start + first.moved[0], last.end, last.base))
        found.append(YearLine(power, tuple(years)))
    return found


def _maps(game: Game, told: list[Season], short: bool) -> dict[int, list[dict[str, Any]]]:
    """Maps by the season after which they stand: both boards at the end of a year and of the game.

    In full every season also has the parts of the boards where places changed hands.
    """
    found: dict[int, list[dict[str, Any]]] = {}
    for number, season in enumerate(told):
        last = number + 1 == len(told)
        ends = last or (not short and calendar.year(told[number + 1].turn) != calendar.year(season.turn))
        state = game.journal.state_at(season.last)
        for on in BOARDS:
            if not short:
                found.setdefault(season.turn, []).extend(_season_maps(season, state, on))
            if ends:
                text = f"{on.capitalize()} at the end of {season.title}, by control"
                found.setdefault(season.turn, []).append(_map(world_map(state, on, text), text))
    return found


def _season_maps(season: Season, state: State, on: str) -> Iterator[dict[str, Any]]:
    """The parts of a board where places changed hands, each with their numbers."""
    first = 1
    text = f"{on.capitalize()}, {season.title}: control and units at its end"
    for taken in theaters(board(on), [(key, by) for key, by in season.taken if key.startswith(f"{on}/")]):
        yield _map(world_map(state, on, text, SeasonMap(taken, season.marches, first)), text, taken, first)
        first += len(taken)


def _map(drawn: str, text: str, taken: Sequence[tuple[str, str]] = (), first: int = 1) -> dict[str, Any]:
    """A map with its caption; what was taken is named there by the numbers it has on the map."""
    named = [
        (number, place_name(key).partition(" (")[0], palette.power_of(by) or "")
        for number, (key, by) in enumerate(taken, first)
    ]
    return {"svg": Markup(drawn), "text": text, "taken": named}


def _dice(told: list[Season]) -> dict[int, int]:
    """How often each face was thrown."""
    faces = [face for season in told for _, _, face in season.dice]
    return {face: faces.count(face) for face in sorted(set(faces))}
