"""The boards against an atlas: every place lies where it is on the globe, within a hex."""

from __future__ import annotations

import csv
from math import asin, cos, radians, sin, sqrt
from pathlib import Path

import pytest

from warcabinet.board import maps, names
from warcabinet.board.maps import Hex

with (Path(__file__).parent / "coordinates.csv").open(encoding="utf-8") as _text:
    ATLAS = {row["name"]: (float(row["lat"]), float(row["lon"])) for row in csv.DictReader(_text)}


def kilometres(h: Hex, lat: float, lon: float) -> float:
    a, b, dx = radians(h.lat), radians(lat), radians(h.lon - lon)
    return 12742 * asin(sqrt(sin((a - b) / 2) ** 2 + cos(a) * cos(b) * sin(dx / 2) ** 2))


def test_the_atlas_has_every_place() -> None:
    assert set(ATLAS) == set(names.places())


@pytest.mark.parametrize("name", ATLAS)
def test_a_place_lies_in_or_beside_the_hex_of_its_coordinates(name: str) -> None:
    place = names.places()[name]
    one = maps.board(place.board)
    nearest = min(one, key=lambda h: kilometres(h, *ATLAS[name]))
    assert one.distance(place.hex, nearest.id) <= 1


@pytest.mark.parametrize(
    ("where", "lat", "lon", "terrain"),
    [
        ("Bernese Alps", 46.5, 8.0, "mountain"),
        ("Tyrol", 47.0, 11.4, "mountain"),
        ("High Tatra", 49.2, 20.1, "mountain"),
        ("Transylvanian Alps", 45.5, 24.5, "mountain"),
        ("Elbrus", 43.3, 42.5, "mountain"),
        ("Ararat", 39.7, 44.3, "mountain"),
        ("Pripet marshes", 52.0, 27.5, "swamp"),
        ("Great Sand Sea", 29.5, 26.0, "desert"),
        ("Nefud", 29.8, 41.0, "desert"),
        ("Karelian forest", 62.0, 36.0, "forest"),
        ("Everest", 28.0, 87.0, "mountain"),
        ("Dhaulagiri", 28.5, 83.0, "mountain"),
        ("Tibet", 31.5, 88.0, "mountain"),
        ("Gobi", 42.5, 105.0, "desert"),
        ("Borneo", 0.5, 113.5, "jungle"),
        ("Burmese jungle", 20.5, 94.5, "jungle"),
        ("Paris basin", 48.8, 2.4, "clear"),
        ("Hungarian plain", 47.0, 20.5, "clear"),
        ("Ukrainian steppe", 49.0, 35.0, "clear"),
        ("North China plain", 36.0, 116.0, "clear"),
    ],
)
def test_the_terrain_that_everyone_knows(where: str, lat: float, lon: float, terrain: str) -> None:
    here = min((h for one in maps.both() for h in one if h.is_land), key=lambda h: kilometres(h, lat, lon))
    assert here.terrain == terrain, here.key


@pytest.mark.parametrize(
    ("where", "lat", "lon", "country"),
    [
        ("Danzig corridor", 53.6, 18.3, "poland"),
        ("East Prussia", 54.2, 21.0, "germany"),
        ("Upper Silesia, German", 50.6, 17.6, "germany"),
        ("Vienna basin", 48.2, 16.4, "germany"),
        ("Bohemia", 49.8, 14.5, "germany"),
        ("southern Slovakia", 48.0, 18.8, "hungary"),
        ("Memel", 55.7, 21.2, "germany"),
        ("Volhynia", 50.8, 25.8, "eastern_poland"),
        ("western Belorussia", 53.4, 25.5, "eastern_poland"),
        ("Galicia", 49.5, 24.5, "eastern_poland"),
        ("Courland", 56.9, 22.5, "baltic_states"),
        ("Karelian isthmus", 60.8, 29.5, "finland"),
        ("Bessarabia", 47.2, 28.5, "rumania"),
        ("southern Dobruja", 43.7, 28.2, "rumania"),
        ("Zara's hinterland", 44.2, 15.9, "yugoslavia"),
        ("Istria", 44.9, 13.8, "italy"),
        ("Elbasan", 41.1, 20.1, "albania"),
        ("Antioch", 36.2, 36.2, "turkey"),
        ("Jehol", 41.5, 119.0, "manchuria"),
        ("Chosen", 40.0, 127.0, "korea"),
        ("southern Sakhalin", 47.5, 142.7, "japan"),
        ("Formosa", 24.3, 121.0, "formosa"),
        ("Lhasa", 29.6, 91.1, "china"),
        ("Tannu Tuva", 51.7, 94.4, "tannu_tuva"),
        ("Hollandia", -2.8, 140.2, "dutch_east_indies"),
        ("Papua", -7.5, 145.0, "new_guinea"),
    ],
)
def test_the_borders_of_1939(where: str, lat: float, lon: float, country: str) -> None:
    here = min((h for one in maps.both() for h in one if h.is_land), key=lambda h: kilometres(h, lat, lon))
    assert here.country == country, here.key
