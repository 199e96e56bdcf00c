"""Figures beyond reason: refused at the door with their bound, and where an old save holds them, drawn all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.game import Game
from warcabinet.game.engine import LARGEST
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.apply import apply
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.events import UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import OUT_OF_PLAY, At
from warcabinet.model.places import place_key
from warcabinet.model.units import MOST_FACTORS, MOST_UNITS
from warcabinet.rules.garrisons.transfers import judged
from warcabinet.store import create_game, export_game, import_game, open_game
from warcabinet.views.chronicle.chronicle_page import chronicle_page
from warcabinet.views.chronicle.drawing import LINES, level_chart, lines_apart

GRID = 'stroke="#d9cfba"'
BASE = {"do": "correct", "figure": "powers.germany.base", "to": 10**8, "reason": "a slip"}
BOUND = r"between -1,000,000 and 1,000,000"


@pytest.mark.parametrize("most", [0, 1, 49, 250, 301, 999, 1200, 1201, 123_456, 10**6, 10**7])
def test_a_chart_has_about_a_dozen_lines_whatever_the_figure(most: int) -> None:
    chart = level_chart([("Spring 1940", dict.fromkeys(powers(), (most, most)))])
    assert chart.count(GRID) <= LINES + 1
    assert chart.count(GRID) >= (4 if most >= 250 else 1)


def test_lines_lie_apart_by_round_figures() -> None:
    asked = (300, 1200, 2400, 6000, 12_000, 24_000, 10**18)
    assert [lines_apart(it) for it in asked] == [50, 100, 200, 500, 1000, 2000, 10**17]


@pytest.mark.parametrize(
    "order",
    [
        BASE,
        {**BASE, "to": LARGEST + 1},
        {**BASE, "figure": "powers.germany.brp", "to": -LARGEST - 1},
        {**BASE, "figure": "options.oil", "to": {"usa": LARGEST + 1}},
        {"do": "report_brp", "power": "germany", "brp": LARGEST + 1, "cause": "other"},
    ],
)
def test_a_figure_beyond_reason_is_refused_with_its_bound(tmp_path: Path, order: dict[str, Any]) -> None:
    game = create_game(tmp_path / "game.wcg")
    with pytest.raises(WarCabinetError, match=BOUND):
        game.do(order)
    assert game.head.id == 1


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({**BASE, "figure": "units.germany.Berlin.infantry 3-3"}, "at most 1,000"),
        ({**BASE, "figure": "units.germany.unbuilt.infantry 3-3"}, "at most 1,000"),
        ({**BASE, "figure": "mobilizations.japan"}, "at most 1,000"),
        ({**BASE, "figure": "transports.atlantic"}, "at most 1,000"),
        ({**BASE, "figure": f"units.germany.Berlin.infantry {MOST_FACTORS + 1}-3"}, "at most 99 combat factors"),
        (
            {"do": "report_units", "nation": "germany", "unit": "infantry 3-3", "at": "Berlin", "count": 1},
            "count lies between -1,000 and 1,000",
        ),
        ({"do": "build", "power": "germany", "at": "Berlin", "units": ["1 infantry 3-3"]}, "at most 1,000 units"),
    ],
)
def test_more_pieces_than_anybody_has_are_refused(tmp_path: Path, order: dict[str, Any], told: str) -> None:
    game = create_game(tmp_path / "game.wcg")
    most = MOST_UNITS + 1
    given = {**order, **({"to": most} if "to" in order else {}), **({"count": most} if "count" in order else {})}
    if "units" in order:
        given["units"] = [f"{most} infantry 3-3"]
    made = _refused(game, given)
    assert told in made, made
    assert game.head.id == 1


def _refused(game: Game, order: dict[str, Any]) -> str:
    try:
        game.do(order)
    except WarCabinetError as error:
        return str(error)
    return "nothing"


@pytest.mark.parametrize(
    "position",
    [
        Position("classic-1939", set={"powers.germany.base": LARGEST + 1}),
        Position("classic-1939", set={"powers": {"germany": {"brp": -LARGEST - 1}}}),
    ],
)
def test_a_position_beyond_reason_is_refused_with_its_bound(tmp_path: Path, position: Position) -> None:
    with pytest.raises(WarCabinetError, match=BOUND):
        create_game(tmp_path / "game.wcg", position)
    assert not list(tmp_path.iterdir())


def test_what_a_seat_has_seen_is_no_figure(tmp_path: Path) -> None:
    game = create_game(tmp_path / "game.wcg")
    asked = {"do": "spend", "power": "germany", "brp": 1, "on": "other", "seq_seen": 10 * LARGEST}
    assert "the command had seen" in _refused(game, asked)


def test_a_save_with_larger_figures_is_read_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("warcabinet.game.engine.LARGEST", 10**9)
        earlier.setattr("warcabinet.figures.amounts.MOST_UNITS", 10**9)
        game = create_game(tmp_path / "old.wcg")
        game.do(BASE)
        game.do({**BASE, "figure": "powers.germany.brp", "to": 10**6})
        game.do({**BASE, "figure": "units.germany.Berlin.infantry 3-3", "to": 10**6})
        lines = list(export_game(game))
    assert open_game(tmp_path / "old.wcg").figure("powers.germany.base") == 10**8
    again = import_game(lines, tmp_path / "again.wcg")
    assert again.figure("units.germany.Berlin.infantry 3-3") == 10**6
    assert chronicle_page(again, "x").count(GRID) <= 4 * (LINES + 1)


def test_no_more_units_are_judged_than_an_order_names() -> None:
    crowd = UnitsMoved("russia", "infantry 2-3", 10**6, OUT_OF_PLAY, At(place_key("Irkutsk")))
    state = apply(set_up(Position("empty"))[0], crowd)
    order = MoveUnits(nation="russia", unit="infantry 2-3", from_=place_key("Irkutsk"), to=place_key("Moscow"))
    asked: list[int] = []
    assert judged(state, order, lambda leaving: asked.extend(leaving.values())) is None
    assert asked == list(range(1, MOST_UNITS + 1))
