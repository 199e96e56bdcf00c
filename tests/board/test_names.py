"""Every place the documents name is found, in their spelling and in common others."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from warcabinet.board import maps, names, rows
from warcabinet.board.boxes import Box
from warcabinet.board.names import Area
from warcabinet.board.naming import LabelRow
from warcabinet.kernel.errors import UnknownName, WarCabinetError

with (Path(__file__).parent / "named_places.csv").open(encoding="utf-8") as _text:
    NAMED = [(row["name"], row["clause"], row["means"]) for row in csv.DictReader(_text)]


def meaning(name: str) -> str:
    found = names.find(name)
    if isinstance(found, Box):
        return f"box {found.id}"
    return f"area {found.id}" if isinstance(found, Area) else found.key


@pytest.mark.parametrize(("name", "clause", "means"), NAMED, ids=[f"{n} ({c})" for n, c, _ in NAMED])
def test_a_place_that_the_documents_name(name: str, clause: str, means: str) -> None:
    assert meaning(name) == means


@pytest.mark.parametrize(
    ("other", "documents"),
    [
        ("Romania", "Rumania"),
        ("Saaremaa", "Saare"),
        ("Chongqing", "Chungking"),
        ("Chunking", "Chungking"),
        ("Beijing", "Peking"),
        ("Volgograd", "Stalingrad"),
        ("St Petersburg", "Leningrad"),
        ("St. Petersburg", "Leningrad"),
        ("KÖLN", "Cologne"),
        ("la coruña", "La Coruna"),
        ("hague", "The Hague"),
        ("brest litovsk", "Brest-Litovsk"),
        ("Iran", "Persia"),
        ("Teheran", "Tehran"),
        ("Manchukuo", "Manchuria"),
        ("Lebanon/Syria", "Lebanon-Syria"),
        ("U.S.", "United States"),
        ("Ceylon", "Sri Lanka"),
        ("Gdańsk", "Danzig"),
        ("Königsberg", "Konigsberg"),
        ("Koenigsberg", "Konigsberg"),
        ("Łódź", "Lodz"),
        ("København", "Copenhagen"),
        ("Wrocław", "Breslau"),
        ("Gor'kiy", "Gorki"),
        ("İzmir", "Izmir"),
        ("Siam", "Thailand"),
        ("Myanmar", "Burma"),
        ("Jakarta", "Batavia"),
        ("Ho Chi Minh City", "Saigon"),
        ("Shenyang", "Mukden"),
        ("Indo-China", "French Indochina"),
        ("Wake Island", "Wake"),
        ("the Solomons", "Solomon Islands"),
        ("Canton Island", "Canton I"),
        ("Pearl Harbour", "Pearl Harbor"),
        ("Straits of Malacca", "Strait of Malacca"),
        ("Bosphorus", "Bosporus"),
    ],
)
def test_other_spellings(other: str, documents: str) -> None:
    assert meaning(other) == meaning(documents)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Rangoon"):
        names.find("Rangon")
    with pytest.raises(UnknownName, match="Stalingrad"):
        names.find("stalingard")
    with pytest.raises(WarCabinetError, match="a name is missing"):
        names.find("europe: ")
    with pytest.raises(UnknownName, match="rows run from A to Z"):
        names.find("QQ7")
    with pytest.raises(UnknownName, match="europe:A62"):
        names.find("A99")


def test_an_id_of_both_boards_is_refused_with_both() -> None:
    with pytest.raises(WarCabinetError, match=r"europe:K28 \(Germany\) or pacific:K28 \(Seoul, Korea\)"):
        names.find("K28")
    assert names.find_hex("europe:K28").key == "europe/K28"
    assert names.find_hex("pacific/k28").key == "pacific/K28"
    assert names.find_hex("K28", "pacific").key == "pacific/K28"


def test_every_name_on_the_map_is_found() -> None:
    for row in rows.table("labels", LabelRow):
        assert names.find(row.text.replace("-|", "-").replace("|", " ")), row


def test_a_board_that_is_given_counts_for_names_too() -> None:
    with pytest.raises(WarCabinetError, match="Tokyo is on the pacific board, not on the europe board"):
        names.find_hex("Tokyo", "europe")
    with pytest.raises(WarCabinetError, match="pacific:K28 is on the pacific board"):
        names.find("pacific:K28", "europe")
    with pytest.raises(WarCabinetError, match="Crete is on the europe board"):
        names.find_keys("Crete", "pacific")
    assert {key.split("/")[0] for key in names.find_keys("Russia")} == {"europe", "pacific"}
    assert {key.split("/")[0] for key in names.find_keys("Russia", "pacific")} == {"pacific"}
    assert names.find("Urals box", "pacific") is names.find("Urals box")


def test_an_id_of_one_board_needs_no_board() -> None:
    assert names.find_hex("A20").key == "europe/A20"
    assert names.find_hex("a66").key == "pacific/A66"


def test_one_hex_is_not_guessed_from_a_country() -> None:
    with pytest.raises(WarCabinetError, match="3 hexes"):
        names.find_hex("Crete")
    assert names.find_hex("Saare").key == "europe/F39"
    with pytest.raises(WarCabinetError, match="box"):
        names.find_hex("India box")


def test_all_hexes_of_a_name() -> None:
    assert len(names.find_keys("Bessarabia")) == 5
    assert names.find_keys("Berlin") == ("europe/L31",)
    assert names.find_keys("Urals box") == ()
    assert {maps.by_key(k).country for k in names.find_keys("French North Africa")} == {"algeria", "morocco", "tunisia"}
