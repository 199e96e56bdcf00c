"""Values and definitions asked for by hand: a name of nothing is told as such, and no rule falls over it."""

from __future__ import annotations

import pytest

from warcabinet import Game, WarCabinetError
from warcabinet.kernel.rules import RULES

#: What is right for an argument by its name; of any other a whole number will do.
RIGHT = {
    "power": "germany",
    "area": "poland",
    "country": "poland",
    "nation": "poland",
    "place": "Berlin",
    "from": "Berlin",
    "to": "Paris",
    "unit": "infantry 1-3",
    "attacker": "germany",
    "land": "burma",
}


@pytest.mark.parametrize(
    ("rule", "args", "message"),
    [
        ("pacific_class", ("brma",), "unknown Pacific country 'brma'; did you mean burma?"),
        ("pacific_class", ("poland",), "unknown Pacific country 'poland'"),
        ("protector", ("poland", "germny"), "unknown power 'germny'; did you mean germany?"),
        ("garrison_value", ("atlantis",), "garrison_value: 'atlantis' is nothing of which it tells"),
        ("result_level", ("seven",), "a whole number is wanted, not 'seven'"),
    ],
)
def test_a_name_of_nothing_is_told(rule: str, args: tuple[str, ...], message: str):
    with pytest.raises(WarCabinetError, match=message):
        Game.new("classic-1939").explain(rule, *args)


def test_a_number_may_be_written_as_text():
    assert Game.new("classic-1939").explain("result_level", "8").value == "controlled"


def test_no_figure_falls_over_nonsense():
    game = Game.new("classic-1939")
    for name, rule in RULES.values().items():
        right = [RIGHT.get(it, "3") for it in rule.parameters]
        for wrong in range(len(right)):
            try:
                game.explain(name, *right[:wrong], "nonsense", *right[wrong + 1 :])
            except WarCabinetError:
                continue


def test_a_figure_that_went_is_answered_by_the_one_that_stands_for_it():
    for old, now in RULES.old_names.items():
        assert old not in RULES.by_name
        assert RULES.values()[old] is RULES.by_name[now]
    assert Game.new("classic-1939").explain("neutral_japan", "japan").rule == "neutral_power"
    assert RULES.values().get("neutral_nobody") is None
