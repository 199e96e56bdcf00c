"""A classic game from Fall 1939 to the end of 1941: every mobilization taken, units built, every BRP explained."""

from __future__ import annotations

from functools import cache

import pytest

from warcabinet.game import Game
from warcabinet.game.journal import unbalanced
from warcabinet.game.pools import buildable, turn_record_track
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.rules.economy.mobilization import mobilizations_due

# What each power takes from a mobilization.
CHOICES = {
    "italy": {"units": ["armor 2-5", "army air", "infantry 1-3"]},
    "britain": {"units": ["armor 4-5", "armor 2-5", "4 infantry 1-3"]},
    "japan": {"units": ["3 army air", "6 naval air"], "defer": 5},
    "usa": {"units": ["4 infantry 3-2", "army air"], "shipbuilding": 1, "beyond_list": True},
    "russia": {"units": ["armor 4-5", "army air", "9 infantry 1-3"]},
}
HALVES = ({"units": ["armor 4-5", "2 infantry 1-3"]}, {"units": ["3 army air", "infantry 1-3"]})
SITES = {
    "germany": "Berlin",
    "italy": "Rome",
    "japan": "Tokyo",
    "britain": "London",
    "usa": "Atlantic U.S. box",
    "russia": "Gorki",
}
# What the players report at the start of a player turn: conquests, wars, tensions.
REPORTS = {
    "Fall 1939, Axis, combat": [{"do": "report_control", "places": ["Warsaw"], "by": "germany"}],
    "Spring 1940, Axis, combat": [
        {
            "do": "report_control",
            "places": ["Copenhagen", "Oslo", "Brussels", "Luxembourg", "The Hague"],
            "by": "germany",
        }
    ],
    "Summer 1940, Axis, combat": [{"do": "report_control", "places": ["Paris"], "by": "germany"}],
    "Fall 1940, Allied, diplomatic phase": [
        {"do": "report_track", "track": "usat", "level": 14},
        {"do": "report_track", "track": "usjt", "level": 5},
    ],
    "Fall 1940, Allied, combat": [{"do": "report_track", "track": "rgt", "level": 12}],
    "Summer 1941, Axis, declarations of war": [
        {"do": "report_war", "between": ["germany", "russia"], "declared_by": "germany"},
        {"do": "spend", "power": "germany", "brp": 35, "on": "declaration of war", "note": "Russia"},
    ],
    "Fall 1941, Axis, combat": [{"do": "report_control", "places": ["Kiev", "Dnepropetrovsk"], "by": "germany"}],
    "Winter 1941, Axis, declarations of war": [
        {"do": "report_war", "between": ["japan", "usa"], "declared_by": "japan"},
        {"do": "report_war", "between": ["japan", "britain"], "declared_by": "japan"},
    ],
}


def order_for(game: Game, power: str, theater: str) -> dict[str, object]:
    choice = CHOICES[power]
    if power == "russia" and game.explain("mobilization_size", "russia").value == 10:
        choice = HALVES[
            len(game.figure("mobilizations.russia.first half")) - len(game.figure("mobilizations.russia.second half"))
        ]
    order: dict[str, object] = {"do": "mobilize", "power": power, **choice}
    if theater:
        order["theater"] = theater
    if power == "russia" and len(game.explain("ic_sites").value or ()) > 1:  # type: ignore[arg-type]
        order["ic_at"] = "Kazan"
    if power == "japan" and game.figure("deferred.japan"):
        # The second time the BRPs put off before come on top: more naval air.
        order |= {"units": ["3 army air", "16 naval air"], "defer": 0, "deferred": 5}
    return order


def build_all(game: Game) -> None:
    """Every power of the side to move builds what its limit allows."""
    for power, at in SITES.items():
        if powers()[power].player == game.state.player:
            for line in buildable(game.state, power):
                left = next(it for it in buildable(game.state, power) if it.unit == line.unit)
                if left.most:
                    game.do({"do": "build", "power": power, "at": at, "units": [f"{left.most} {left.unit}"]})


@cache
def played() -> Game:
    game = Game.new(
        "classic-1939", seed=1939, options={"declarations": "reported", "set_up": "reported", "forces": "none"}
    )
    end = calendar.parse_moment("Winter 1941, Allied, end of player turn")
    while True:
        now = calendar.moment_name(game.state.moment)
        for report in REPORTS.get(now, ()):
            game.do(report)
        while due := mobilizations_due(game.state):
            # An American mobilization in the Pacific can call for a Japanese one, so look again each time.
            game.do(order_for(game, *due[0]))
        if game.state.place.step.name == "unit construction":
            build_all(game)
        if game.state.moment >= end:
            return game
        game.advance()


def test_every_mobilization_was_taken() -> None:
    game = played()
    made = {power: game.figure(f"mobilizations.{power}") for power in powers()}
    assert made["germany"] == made["france"] == made["china"] == []
    assert made["italy"] == made["britain"] == ["Fall 1939"]
    assert made["japan"] == ["Fall 1939", "Winter 1940", "Summer 1941", "Winter 1941"]
    assert made["russia"] == ["Fall 1940", "Winter 1940", "Spring 1941", "Summer 1941", "Fall 1941", "Winter 1941"]
    assert game.figure("mobilizations.usa.europe") == [
        "Summer 1940",
        "Winter 1940",
        "Summer 1941",
        "Fall 1941",
        "Winter 1941",
    ]
    assert game.figure("mobilizations.usa.pacific") == ["Winter 1940", "Summer 1941", "Winter 1941"]


def test_bases_and_levels_at_the_end_of_1941() -> None:
    game = played()
    found = {power: (game.figure(f"powers.{power}.base"), game.figure(f"powers.{power}.brp")) for power in powers()}
    assert found == {
        # 150, and one for every two of 90 BRPs of conquests in the 1941 year start.
        "germany": (195, 255),
        "italy": (100, 106),
        # 95 + 4 mobilizations of ten, and six of growth in 1941.
        "japan": (141, 146),
        "britain": (168, 206),
        "france": (112, 122),
        # Mobilization leaves the Russian base alone: 60 and 18 of growth at RGT 12.
        "russia": (78, 173),
        # 150 + 8 mobilizations of 25, and 33 of growth in 1941.
        "usa": (383, 336),
        "china": (40, 20),
    }


def test_units_went_from_the_track_to_the_board() -> None:
    game = played()
    assert game.figure("at.Tokyo.japan.army air") == 6
    assert game.figure("at.Tokyo.japan.naval air") == 12
    assert game.figure("at.London.britain.armor 4-5") == 1
    assert game.figure("at.Gorki.russia.infantry 1-3") == 6
    assert game.figure("at.Atlantic U.S. box.usa.infantry 3-2") == 20
    track = [(row.turn, row.unit, row.count) for row in turn_record_track(game.state) if row.power == "japan"]
    assert track == [
        ("Summer 1942", "army air", 3),
        ("Summer 1942", "naval air", 16),
        ("Winter 1942", "army air", 3),
        ("Winter 1942", "naval air", 6),
    ]


def test_industrial_centers_and_what_they_are_worth() -> None:
    game = played()
    assert game.figure("books.germany.ic_dnepropetrovsk") == 10
    assert game.figure("powers.russia.controlled_ics") == 100
    assert game.figure("powers.russia.construction_limit") == (78 + 100) // 3


@pytest.mark.parametrize("power", powers())
def test_every_brp_is_explained(power: str) -> None:
    game = played()
    for account in (f"brp/{power}", f"base/{power}"):
        lines = game.ledger(account)
        figure = "brp" if account.startswith("brp") else "base"
        assert sum(line.amount for line in lines) == game.figure(f"powers.{power}.{figure}")
        assert all(line.clause for line in lines)


def test_the_books_balance_and_the_journal_replays() -> None:
    game = played()
    assert unbalanced(game.state) == {}
    assert game.verify() == []
    assert game.redecide() == []
