"""The first years as they happened, replayed with their figures."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from warcabinet.countries import country_page, country_pages
from warcabinet.demo import Demo, demo, play_demo, run_steps
from warcabinet.figures.position import Position
from warcabinet.game import Game, MemoryJournal, new_game, unbalanced
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Brp, Sink
from warcabinet.model.events import EntryPosted
from warcabinet.model.ledger import balance
from warcabinet.model.names import powers

# Base and level of every power as each year begins; the last is where the demonstration ends.
YEARS = {
    1940: {
        "germany": (154, 174),
        "italy": (78, 88),
        "japan": (105, 125),
        "britain": (125, 175),
        "france": (86, 116),
        "russia": (60, 155),
        "usa": (151, 161),
        "china": (40, 20),
    },
    1941: {
        "germany": (156, 291),
        "italy": (78, 88),
        "japan": (116, 136),
        "britain": (127, 187),
        "france": (0, 0),
        "russia": (61, 181),
        "usa": (230, 240),
        "china": (40, 20),
    },
    1942: {
        "germany": (161, 381),
        "italy": (80, 90),
        "japan": (140, 200),
        "britain": (129, 169),
        "france": (0, 0),
        "russia": (68, 158),
        "usa": (359, 359),
        "china": (40, 20),
    },
}
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
    "vichy_france": 10,
    "ukraine": 10,
    "ic_kharkov": 10,
    "ic_dnepropetrovsk": 10,
    "paris": 20,
}


class Played(NamedTuple):
    """The game at its end, base and level of every power as each year began, and how much was said in each turn."""

    game: Game
    years: dict[int, dict[str, tuple[int, int]]]
    told: Counter[str]


@cache
def played() -> Played:
    script = demo()
    game = new_game(Position(script.scenario, options=script.options), MemoryJournal())
    years: dict[int, dict[str, tuple[int, int]]] = {}
    told: Counter[str] = Counter()
    for said in run_steps(game, script):
        told[calendar.turn_name(game.state.turn)] += bool(said)
        if calendar.moment_name(game.state.moment) == f"Spring {game.state.year}, Axis, start of player turn":
            years.setdefault(game.state.year, {power: base_and_level(game, power) for power in powers()})
    return Played(game, years, told)


@pytest.fixture(scope="module")
def game() -> Game:
    return played().game


def base_and_level(game: Game, power: str) -> tuple[int, int]:
    return game.figure(f"powers.{power}.base"), game.figure(f"powers.{power}.brp")


def books(game: Game, power: str) -> dict[str, int]:
    return {it.area: brp for it, brp in game.state.ledger.of("annual", power).items() if isinstance(it, Annual)}


def test_it_ends_as_the_spring_of_1942_begins_and_verifies(game: Game) -> None:
    assert calendar.moment_name(game.state.moment) == "Spring 1942, Axis, start of player turn"
    assert unbalanced(game.state) == {}
    assert game.verify() == []
    assert game.redecide() == []


def test_it_is_the_same_whoever_plays_it(game: Game) -> None:
    assert play_demo(journal=MemoryJournal(seed=7)).state == game.state


@pytest.mark.parametrize("year", YEARS)
def test_bases_and_levels_as_the_year_begins(year: int) -> None:
    assert played().years[year] == YEARS[year]


def test_the_end_is_the_start_of_the_last_year(game: Game) -> None:
    assert {power: base_and_level(game, power) for power in powers()} == YEARS[1942]
    assert sum(GERMAN_BOOKS.values()) == 381 - 161


def test_every_mobilization_was_taken(game: Game) -> None:
    made = {power: game.figure(f"mobilizations.{power}") for power in ("italy", "britain", "japan", "russia")}
    assert made == {
        "italy": ["Fall 1939"],
        "britain": ["Fall 1939"],
        "japan": ["Fall 1939", "Fall 1940", "Summer 1941", "Winter 1941"],
        "russia": ["Fall 1940", "Winter 1940", "Spring 1941", "Summer 1941", "Fall 1941", "Winter 1941"],
    }
    europe = ["Summer 1940", "Winter 1940", "Summer 1941", "Fall 1941", "Winter 1941"]
    assert game.figure("mobilizations.usa.europe") == europe
    assert game.figure("mobilizations.usa.pacific") == ["Winter 1940", "Summer 1941", "Winter 1941"]
    assert game.figure("deferred.japan") == 0


def test_tensions(game: Game) -> None:
    # USJT: 30, two for the second shipbuilding increase, one for the attack in a turn of mobilization.
    assert {name: game.state.tracks[name] for name in ("usat", "usjt", "rgt")} == {"usat": 50, "usjt": 33, "rgt": 20}


def test_the_agenda(game: Game) -> None:
    items = game.agenda()
    assert len(items) == 22
    # Besides units and the Dutch East Indies: at war, Russia and both American theaters mobilize every turn.
    every_turn = {"36.11B(7)": 1, "36.11D(6)": 1, "36.11D(12)": 1}
    # Two roads for aid are open, and would be cut.
    roads = {"40.411": 1, "40.84": 1}
    every_turn["80.31A(2)"] = 1
    assert Counter(item.clause for item in items) == {"36.353": 13, "84.33": 3, **every_turn, **roads}


def test_german_books(game: Game) -> None:
    assert books(game, "germany") == GERMAN_BOOKS


def test_other_books(game: Game) -> None:
    objectives = dict.fromkeys(("canton", "nanking", "peking", "shanghai"), 5)
    assert books(game, "japan") == {
        **objectives,
        "french_indochina": 10,
        "thailand": 5,
        "hong_kong": 5,
        "malaya": 10,
        "philippines": 10,
    }
    britain = books(game, "britain")
    assert not {"greece", "malaya", "hong_kong"} & britain.keys()
    assert britain["lebanon_syria"] == britain["egypt"] == 5
    assert books(game, "usa") == {}
    assert books(game, "france") == {"paris": -20}
    new = ("kuibyshev", "magnitogorsk", "sverdlovsk", "kazan")
    left = ("moscow", "leningrad", "stalingrad", "gorki", "rostov")
    assert books(game, "russia") == {f"ic_{city}": 10 for city in (*new, *left)}


@pytest.mark.parametrize(
    ("country", "status", "by"),
    [
        ("poland", "conquered", "germany"),
        ("eastern_poland", "conquered", "germany"),
        ("baltic_states", "conquered", "germany"),
        ("norway", "conquered", "germany"),
        ("belgium", "conquered", "germany"),
        ("yugoslavia", "conquered", "germany"),
        ("greece", "conquered", "germany"),
        ("bessarabia", "conquered", "germany"),
        ("ukraine", "conquered", "germany"),
        ("hungary", "allied", "germany"),
        ("rumania", "allied", "germany"),
        ("bulgaria", "allied", "germany"),
        ("finland", "associated", "germany"),
        ("vichy_france", "penetrated", "germany"),
        ("lebanon_syria", "conquered", "britain"),
        ("persia", "conquered", "britain"),
        ("ethiopia", "conquered", "britain"),
        ("french_indochina", "conquered", "japan"),
        ("malaya", "conquered", "japan"),
        ("philippines", "conquered", "japan"),
        ("thailand", "associated", "japan"),
        ("singapore", "colony", "britain"),
        ("algeria", "colony", "france"),
        ("sweden", "neutral", ""),
        ("spain", "neutral", ""),
        ("turkey", "neutral", ""),
        ("java", "independent", ""),
    ],
)
def test_standing(game: Game, country: str, status: str, by: str) -> None:
    standing = game.state.countries[country]
    assert (standing.status, standing.by) == (status, by)
    assert standing.clause or status in ("neutral", "colony")


@pytest.mark.parametrize(
    ("place", "holder"),
    [
        ("Smolensk", "germany"),
        ("Kharkov", "germany"),
        ("Kalinin", "russia"),
        ("Rostov", "russia"),
        ("Leningrad", "russia"),
        ("Sevastopol", "russia"),
        ("Bordeaux", "germany"),
        ("Lyon", "france"),
        ("Heraklion", "germany"),
        ("Bergen", "germany"),
        ("Benghazi", "britain"),
        ("Tripoli", "italy"),
        ("Tabriz", "russia"),
        ("europe/Z26", "partisans"),
        ("Nanning", "china"),
        ("pacific/O21", "japan"),
        ("Wake", "japan"),
        ("Singapore", "britain"),
    ],
)
def test_the_fronts(game: Game, place: str, holder: str) -> None:
    assert game.figure(f"control.{place}") == holder


def test_leningrad_is_cut_off(game: Game) -> None:
    assert game.figure("isolated.ic_leningrad") == "Fall 1941"
    assert game.figure("isolated.ic_moscow") == ""


def test_units_came_from_the_track_to_the_map(game: Game) -> None:
    assert game.figure("at.Benghazi.britain.armor 4-5") == 1
    assert game.figure("at.Tripoli.italy.armor 2-5") == 1
    assert game.figure("at.Truk.japan.naval air") + game.figure("at.Tokyo.japan.naval air") == 8 + 6 + 5 + 3
    assert game.figure("units.finland") == 6
    assert game.figure("units.poland") == game.figure("units.greece") == game.figure("units.france") == 0


def payments(game: Game, power: str) -> list[tuple[str, int]]:
    """What areas brought and cost a power in the course of play: memo and prorated amount."""
    found = []
    for move in game.log():
        for record in move.records:
            if isinstance(record.event, EntryPosted) and record.clause in ("35.62", "35.63"):
                made = record.event.entry
                found += [(made.memo, it.amount) for it in made.postings if it.account == Brp(power)]
    return found


def test_gains_and_losses_are_prorated(game: Game) -> None:
    assert payments(game, "germany") == [
        ("Poland", 5),
        ("Rumania", 5),
        ("Denmark, Norway, Belgium, Luxembourg, Netherlands", 37),
        # 20, the second five of Rumania, 5, 5 and 10.
        ("Paris, Rumania, Hungary, Finland, Vichy France", 22),
        ("Bulgaria", 2),
        ("Finland", 5),
        ("Yugoslavia, Greece", 18),
        ("Baltic States, Eastern Poland, Bessarabia", 12),
        # Rostov is not among them: it was retaken before it paid.
        ("Dnepropetrovsk IC, Kharkov IC, Ukraine, Finnish border hexes", 8),
    ]
    assert payments(game, "britain") == [
        ("bombing of London", -6),
        ("Greece", 5),
        ("bombing of Birmingham", -4),
        ("bombing of London", -3),
        ("Greece", -10),
        ("Lebanon-Syria", 2),
        ("Hong Kong, Malaya", -3),
    ]
    assert payments(game, "russia") == [
        ("Eastern Poland", 2),
        ("Baltic States, Bessarabia", 7),
        ("Baltic States, Eastern Poland, Bessarabia", -18),
        ("Dnepropetrovsk IC, Kharkov IC, Rostov IC", -15),
        ("Ukraine, Finnish border hexes", -7),
        ("Rostov IC", 2),
    ]
    assert payments(game, "japan") == [("French Indochina", 5), ("Thailand", 1)]
    assert payments(game, "usa") == [("Philippines", -2)]


def test_declarations_cost_what_they_cost(game: Game) -> None:
    sunk = balance(game.state.ledger, Sink("brp", "declaration of war"))
    # Germany 10 x 4 + 35 x 2, Italy 35 x 2 + 10, Japan 35 x 2, Russia 10 x 2, Britain 10.
    assert sunk == 40 + 70 + 80 + 70 + 20 + 10


def test_every_country_has_a_page(game: Game) -> None:
    pages = {page.country: page for page in country_pages(game.state)}
    finland = pages["finland"]
    assert finland.value == 5
    assert [limit.clause for limit in finland.limits] == ["82.322", "82.32B(1)", "82.322"]
    assert (finland.limits[0].present, finland.limits[0].most) == (3, 5)
    assert [(force.unit, force.on_board) for force in finland.forces] == [("infantry 2-3", 5), ("army air", 1)]
    assert any(change.clause == "85.51A" for change in finland.changes)
    java = country_page(game.state, "java")
    assert [item.clause for item in java.coming] == ["84.33"]
    assert java.coming[0].averted_by == "conquering Java before then"
    assert pages["sweden"].may_ally_with == ("germany", "britain", "france", "russia", "usa")
    assert pages["greece"].books == {"germany": 10}


def test_the_script_speaks_of_every_turn() -> None:
    told = played().told
    assert len(told) == 11
    assert min(told[turn] for turn in told if turn != "Spring 1942") >= 4


def test_a_step_that_is_refused_is_named() -> None:
    steps = ({"do": "report_track", "track": "usat", "level": 1}, {"say": "Too much", "do": "advance"})
    script = Demo("Broken", "classic-1939", steps=steps)
    game = new_game(Position(script.scenario), MemoryJournal())
    with pytest.raises(WarCabinetError, match=r"step 2 \(Too much\).*do: advance(.|\n)*36\.351: must mobilize now"):
        list(run_steps(game, script))
