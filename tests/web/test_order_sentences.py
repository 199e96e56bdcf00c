"""Every order is told as a player would say it: the examples of all commands, and every row of the table."""

from __future__ import annotations

import re
from typing import Any

import pytest

from plain_words import machine_words
from warcabinet.conformance.documents import examples
from warcabinet.game.engine import as_command
from warcabinet.model.commands import command_types, fields
from warcabinet.views.words import in_number
from warcabinet.web.orders import order_words
from warcabinet.web.orders.order_words import command_parts, command_words

TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
#: What cannot stand beside a number: one of several, or several of one.
NUMBERS = re.compile(
    r"\b1 (?:BRPs|transports|points|factors|hits)\b|(?<![-\d])(?:[2-9]|\d\d) (?:cruiser|destroyer|submarine|carrier)\b"
)


def _sentence(given: dict[str, object]) -> str:
    return command_words(as_command({key: value for key, value in given.items() if key != "dice"}))


@pytest.mark.parametrize("command", examples())
def test_an_example_is_told_as_a_player_says_it(command: str) -> None:
    _, given = examples()[command]
    said = _sentence(given)
    assert not machine_words(said)
    assert not TWICE.search(said)
    assert not NUMBERS.search(said)
    assert not re.search(r"europe:|pacific:|[=_{}]| [,;:]", said)
    assert not said[0].islower()
    parts = command_parts(as_command({key: value for key, value in given.items() if key != "dice"}))
    assert " ".join(text for _, text in parts) == said


ORDERS = [
    (
        {"do": "mobilize", "power": "usa", "shipbuilding": 1, "theater": "pacific", "beyond_list": True},
        "United States: mobilize with 1 shipbuilding increase for the Pacific beyond the counters on the list",
    ),
    (
        {"do": "return_raiders", "power": "germany", "to": "Bergen", "submarines_to": "Bergen"},
        "Germany: bring the raiders home to Bergen, the submarines to Bergen",
    ),
    (
        {"do": "displace_fleet", "nation": "britain", "unit": "cruiser", "from": "Suez", "to": "Basra", "count": 2},
        "Take 2 cruisers of Britain out of Suez to Basra",
    ),
    (
        {"do": "deploy", "by": "britain", "country": "belgium", "units": ["2 infantry 1-3 at europe:L25"]},
        "Britain: set up the forces of Belgium: 2 infantry 1-3 at Antwerp",
    ),
    (
        {"do": "choose_communist_status", "power": "china", "independent": False},
        "China: choose that Communist China becomes a minor ally of Russia",
    ),
    ({"do": "report_surrender", "power": "france", "surrendered": False}, "France: is back in the war (reported)"),
    ({"do": "report_brp", "power": "britain", "brp": 1, "cause": "grant"}, "Britain: won 1 BRP by a grant (reported)"),
    (
        {"do": "report_brp", "power": "britain", "brp": -2, "cause": "submarine warfare"},
        "Britain: lost 2 BRPs by submarine warfare (reported)",
    ),
    (
        {"do": "report_pool", "power": "germany", "unit": "infantry 3-3", "count": 3},
        "Germany: 3 infantry 3-3 came into the force pool (reported)",
    ),
    (
        {"do": "report_pool", "power": "germany", "unit": "cruiser", "count": -2, "eliminated_by": "britain"},
        "Germany: 2 cruisers left the force pool, eliminated by Britain (reported)",
    ),
    (
        {"do": "report_units", "nation": "poland", "unit": "infantry 2-3", "at": "Warsaw", "count": -2, "lost": True},
        "Poland: 2 infantry 2-3 left Warsaw, lost (reported)",
    ),
    (
        {"do": "report_base", "power": "italy", "brp": -5, "cause": "oil"},
        "Italy: base down by 5 BRPs for lack of oil (reported)",
    ),
    (
        {"do": "report_grant_condition", "what": "Anglo-French cooperation unrestricted"},
        "From now on: Anglo-French cooperation unrestricted (reported)",
    ),
    (
        {"do": "rule", "rule": "no_deficits_yet", "args": ["france"], "is": "no", "reason": "agreed"},
        "Ruling: No deficits yet, France: no (agreed)",
    ),
    (
        {"do": "grant", "power": "usa", "to": "russia", "by": "persia", "brp": 10, "oil": 1, "transports": 2},
        "United States: grant 10 BRPs to Russia through Persia with 1 oil counter with 2 transports",
    ),
]


@pytest.mark.parametrize(("given", "said"), ORDERS, ids=[said for _, said in ORDERS])
def test_an_order_in_words(given: dict[str, object], said: str) -> None:
    assert _sentence(given) == said


def test_every_field_is_said_and_no_row_is_about_nothing() -> None:
    for command, rows in order_words._sayings().items():
        about = {field.name: field for field in fields(command_types()[command])}
        said = {row.field.partition("=")[0] for row in rows}
        assert about.keys() - said <= {order_words._actor(command_types()[command])}, command
        exact = {row.field for row in rows}
        for it in about.values():
            if it.kind in ("choice", "yes or no") and it.name not in exact:
                values = {"True", "False"} if it.kind == "yes or no" else {*it.among} - {"", str(it.default)}
                assert {f"{it.name}={value}" for value in values} <= exact, f"{command}: {it.name}"
        for row in rows:
            field, equals, value = row.field.partition("=")
            assert not field or field in about, f"{command}: {field}"
            among = {"True", "False"} if field and about[field].kind == "yes or no" else None
            if row.command and equals and about[field].kind in ("choice", "yes or no"):
                assert value in (among or about[field].among), f"{command}: {row.field}"


def test_several_of_a_unit_are_said_as_several() -> None:
    assert in_number("3 cruiser in the pool, 1 cruiser at sea") == "3 cruisers in the pool, 1 cruiser at sea"
    assert in_number("0 unbuilt destroyer, 2 air transport") == "0 unbuilt destroyers, 2 air transports"
    assert in_number("infantry 1-3 partisan, 4 army air, 2 destroyer factors") == (
        "infantry 1-3 partisan, 4 army air, 2 destroyer factors"
    )
    assert in_number("britain 2 submarine warfare, 3 carrier-based") == "britain 2 submarine warfare, 3 carrier-based"
    assert in_number("1 transports sunk, 21 BRPs, 1 BRPs") == "1 transport sunk, 21 BRPs, 1 BRP"


def test_going_on_is_called_as_its_button_is(person: Any) -> None:
    ada = person("Ada").create()
    close = ada.get().json()["position"]["clock"]["close"]
    assert close.startswith(("Close ", "End the player turn"))
    refused = ada.post("/advance", to="").json()["refused"]
    assert refused["sentence"] == close
    assert [it["text"] for it in refused["parts"]] == [close]
