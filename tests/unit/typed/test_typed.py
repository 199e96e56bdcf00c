"""Orders as people type them: understood word by word, and no word is dropped."""

from __future__ import annotations

import pytest

from warcabinet.game.typed import as_given, read_order
from warcabinet.kernel.errors import WarCabinetError

LINES = {
    "mobilize japan 3 army air, 6 naval air defer 5": {
        "do": "mobilize", "power": "japan", "units": ["3 army air", "6 naval air"], "defer": 5
    },
    "places=Warsaw by=germany": {"do": "report_control", "places": ["Warsaw"], "by": "germany"},
    "control Warsaw, Lvov by Germany": {"do": "report_control", "places": ["Warsaw", "Lvov"], "by": "germany"},
    "build germany armor 4-6 in Berlin": {"do": "build", "power": "germany", "units": ["1 armor 4-6"], "at": "Berlin"},
    "build 2 4-6 armor, 3 infantry 3-3 at Berlin power=germany": {
        "do": "build", "power": "germany", "units": ["2 armor 4-6", "3 infantry 3-3"], "at": "Berlin"
    },
    'spend germany 9 brps on other "the navy"': {
        "do": "spend", "power": "germany", "brp": 9, "on": "other", "note": "the navy"
    },
    "move germany 2 armor 4-6 from Berlin to Warsaw": {
        "do": "move", "nation": "germany", "unit": "armor 4-6", "count": 2, "from": "Berlin", "to": "Warsaw"
    },
    "declare war germany on Denmark and Norway": {"do": "declare_war", "power": "germany", "on": ["denmark", "norway"]},
    "grant germany 5 to italy by land": {"do": "grant", "power": "germany", "to": "italy", "by": "land", "brp": 5},
    "report loss germany 2 infantry 3-3 at K41 eliminated by russia": {
        "do": "report_loss", "power": "germany", "units": ["2 infantry 3-3"], "at": "K41", "eliminated_by": "russia"
    },
    "report brp britain −2 submarine warfare": {
        "do": "report_brp", "power": "britain", "brp": -2, "cause": "submarine warfare"
    },
    "deploy germany belgium 2 infantry 1-3 at Brussels": {
        "do": "deploy", "by": "germany", "country": "belgium", "units": ["2 infantry 1-3 at Brussels"]
    },
    "mobilize usa pacific 5 AAF beyond list": {
        "do": "mobilize", "power": "usa", "theater": "pacific", "units": ["5 army air"], "beyond_list": True
    },
    "correct figure=powers.germany.brp to=5 reason=a slip of the pen": {
        "do": "correct", "figure": "powers.germany.brp", "to": 5, "reason": "a slip of the pen"
    },
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_words_as_the_table_shows_them(line: str) -> None:
    assert as_given(line) == LINES[line]


@pytest.mark.parametrize(
    ("line", "word", "hint"),
    [
        ("spend germany 9 othr", "othr", "did you mean other?"),
        ("declare war germany on denmark and norwy", "norwy", "did you mean norway?"),
        ("mobilize japan 3 army air frobnicate", "frobnicate", "still open are units"),
        ("spend germany 9 other the navy", "navy", "go in quotes"),
        ("build germany armour=2", "armour=", "there is no field of that name"),
        ("build germany 3 zeppelins", "zeppelins", "still open"),
        ("spend germany 9 other 12 13", "12", ""),
    ],
)
def test_a_word_that_means_nothing_is_pointed_out(line: str, word: str, hint: str) -> None:
    read = read_order(line)
    assert read is not None
    found = next(it for it in read.unread if it.text == word)
    assert hint in found.hint
    assert line[found.start :].startswith(word)
    with pytest.raises(WarCabinetError, match="is not understood"):
        as_given(line)


def test_every_word_is_accounted_for() -> None:
    """Whatever is typed stands among the words understood, the joining words or those pointed out."""
    joining = {"and", "on", "in", "by", "to", "from", "at", "the", "of", "brps"}
    for line in LINES:
        read = read_order(line)
        assert read is not None
        told = " ".join([read.command, read.label, *(it.text for it in read.words)]).lower().replace("_", " ")
        words = [it.strip("\"',") for it in line.lower().replace("=", " ").split()]
        assert [it for it in words if it not in told and it not in joining and it not in read.given] == []


def test_what_is_no_order_says_so() -> None:
    assert read_order("Berlin") is None
    with pytest.raises(WarCabinetError, match="unknown command 'spnd'; did you mean spend"):
        as_given("spnd germany 9")
