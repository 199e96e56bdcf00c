"""The first years as they happened, replayed with their figures."""

from __future__ import annotations

import pytest

from warcabinet.countries import country_page, country_pages
from warcabinet.demo import demo, play_demo
from warcabinet.game import Game
from warcabinet.model.events import EntryPosted


@pytest.fixture(scope="module")
def game() -> Game:
    return play_demo()


GERMAN_BOOKS = {
    "poland": 20,
    "eastern_poland": 10,
    "baltic_states": 10,
    "belgium": 15,
    "luxembourg": 5,
    "netherlands": 10,
    "denmark": 10,
    "norway": 10,
    "finland": 5,
    "finnish_border": 5,
    "bessarabia": 5,
    "rumania": 10,
    "hungary": 10,
    "bulgaria": 10,
    "yugoslavia": 15,
    "greece": 10,
    "ukraine": 10,
    "paris": 20,
}


def books(game: Game, power: str) -> dict[str, int]:
    prefix = f"annual/{power}/"
    annual = game.state.books["annual"]
    return {account.removeprefix(prefix): n for account, n in annual.items() if account.startswith(prefix)}


def test_it_ends_in_the_1942_year_start_and_verifies(game: Game) -> None:
    assert game.state.place.part == "year start"
    assert game.state.year == 1942
    assert game.verify() == []
    assert game.redecide() == []


def test_german_books(game: Game) -> None:
    assert books(game, "germany") == GERMAN_BOOKS


def test_other_books(game: Game) -> None:
    japan = books(game, "japan")
    assert {name: japan[name] for name in ("french_indochina", "thailand", "hong_kong", "malaya")} == {
        "french_indochina": 10,
        "thailand": 5,
        "hong_kong": 5,
        "malaya": 10,
    }
    britain = books(game, "britain")
    assert "greece" not in britain
    assert "malaya" not in britain
    assert britain["egypt"] == 5
    assert books(game, "usa") == {"philippines": 10}
    assert not {"baltic_states", "bessarabia", "finnish_border", "ukraine"} & books(game, "russia").keys()


@pytest.mark.parametrize(
    ("country", "status", "by"),
    [
        ("poland", "conquered", "germany"),
        ("norway", "conquered", "germany"),
        ("hungary", "allied", "germany"),
        ("finland", "associated", "germany"),
        ("greece", "conquered", "germany"),
        ("thailand", "associated", "japan"),
        ("philippines", "associated", "usa"),
        ("sweden", "neutral", ""),
        ("java", "independent", ""),
    ],
)
def test_standing(game: Game, country: str, status: str, by: str) -> None:
    standing = game.state.countries[country]
    assert (standing.status, standing.by) == (status, by)
    assert standing.clause or status == "neutral"


def payments(game: Game, power: str) -> list[tuple[str, int]]:
    """What areas brought and cost a power in the course of play: memo and prorated amount."""
    found = []
    for move in game.log():
        for record in move.records:
            if isinstance(record.event, EntryPosted) and record.clause in ("35.62", "35.63"):
                made = record.event.entry
                found += [(made.memo, it.amount) for it in made.postings if it.account == f"brp/{power}"]
    return found


def test_gains_and_losses_are_prorated(game: Game) -> None:
    assert payments(game, "germany") == [
        ("Poland", 5),
        ("Denmark, Norway, Belgium, Luxembourg, Netherlands", 37),
        ("Paris", 10),
        ("Hungary, Rumania", 5),
        ("Bulgaria", 10),
        ("Yugoslavia, Greece", 18),
        ("Baltic States, Eastern Poland, Bessarabia, Finland", 15),
        ("Finnish border hexes, Ukraine", 3),
    ]
    assert payments(game, "britain") == [("Greece", 5), ("Greece", -10), ("Hong Kong, Malaya", -3)]
    assert payments(game, "russia") == [
        ("Eastern Poland", 2),
        ("Baltic States, Bessarabia", 7),
        ("Baltic States, Eastern Poland, Bessarabia", -18),
        ("Finnish border hexes, Ukraine", -7),
    ]
    assert payments(game, "japan") == [("French Indochina", 5), ("Thailand", 1)]


def test_declarations_cost_what_they_cost(game: Game) -> None:
    sunk = game.state.books["brp"]["brp/sink/declaration of war"]
    # Germany 10 x 4 + 35 x 2, Italy 35 x 2 + 10, Russia 10, Japan 35 x 2.
    assert sunk == 40 + 70 + 80 + 10 + 70


def test_every_country_has_a_page(game: Game) -> None:
    pages = {page.country: page for page in country_pages(game.state)}
    finland = pages["finland"]
    assert finland.value == 5
    assert [limit.clause for limit in finland.limits] == ["82.322", "82.32B(1)", "82.322"]
    assert finland.limits[0].most == 5
    assert [(force.unit, force.on_board) for force in finland.forces] == [("infantry 2-3", 5), ("army air", 1)]
    assert any(change.clause == "85.51A" for change in finland.changes)
    java = country_page(game.state, "java")
    assert [item.clause for item in java.coming] == ["84.33"]
    assert java.coming[0].averted_by == "conquering Java before then"
    assert pages["sweden"].may_ally_with == ("germany", "britain", "france", "russia", "usa")
    assert pages["greece"].books == {"germany": 10}


def test_the_script_speaks() -> None:
    assert any(step.get("say") for step in demo().steps)
