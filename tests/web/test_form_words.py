"""Every command, field and choice is called by a word that players use, from one table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from plain_words import machine_words
from warcabinet.game import Game
from warcabinet.game.offers import offers
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, fields
from warcabinet.model.names import countries, powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_branch
from warcabinet.rules.common.books import out_of_the_economy
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.common.war_and_peace import belligerents
from warcabinet.rules.minors.status import border_war_fought
from warcabinet.views.words import in_number, plurals
from warcabinet.web.orders import form_words
from warcabinet.web.orders.meant import ABOUT_NEWCOMERS, LOST
from warcabinet.web.orders.offer_list import offer_list
from warcabinet.web.orders.order_form import OrderForm, order_form

ROWS = form_words._rows()
#: A clause named inside a sentence, and one of something counted as several.
NUMBERED = re.compile(r"\b\d\d\.\d|\b1 (?:BRPs|hexes|counters|points|units|transports|factors|ships|pieces)\b")
#: Every phase of both sides is looked at in this many turns of the war.
TURNS = 3


@pytest.mark.parametrize("command", command_types())
def test_every_command_and_field_has_its_words(command: str) -> None:
    labels = [form_words.command_label(command)]
    for field in fields(command_types()[command]):
        assert (command, field.name) in ROWS or ("", field.name) in ROWS, f"{command}: {field.name} has no row"
        words = form_words.field_words(command, field.name)
        assert words.hint, f"{command}: {field.name} has no hint"
        assert len(words.hint) <= 80
        labels.append(words.label)
    for label in labels:
        assert label[0].isupper()
        assert "_" not in label
        assert len(label) <= 42


def test_no_row_is_about_nothing() -> None:
    named = {(command, field.name) for command, kind in command_types().items() for field in fields(kind)}
    for command, field in ROWS:
        name, _, value = field.partition("=")
        if not name:
            assert command in command_types()
            continue
        mine = [it for it in named if command in ("", it[0]) and name == it[1]]
        assert mine, f"{command} {field}"
        if value:
            among = {
                it for c, f in mine for about in fields(command_types()[c]) if about.name == f for it in about.among
            }
            assert value in among, f"{command} {field}"


def test_a_reading_is_told_in_its_own_words(solo) -> None:  # type: ignore[no-untyped-def]
    form = solo.post("/narrow", command="choose_reading", known={}).json()
    open_point = form["fields"]["ruling"]["suggested"][0]
    form = solo.post("/narrow", command="choose_reading", known={"ruling": open_point["value"]}).json()
    choices = form["fields"]["reading"]["choices"]
    assert [it["value"] for it in choices] == open_point["of"]
    assert all(len(it["name"]) > 12 for it in choices)


def test_only_roads_and_powers_that_can_be_meant_are_named(moments: list[State]) -> None:
    def named(state: State, command: str, **known: str) -> set[str]:
        return {it.value for it in order_form(state, command, dict(known)).fields["by"].choices if it.value}

    late = max(moments, key=lambda state: state.turn)
    assert named(late, "grant", power="britain") == {"persia"}
    assert not named(late, "grant", power="usa") & {"turkey", "turkey by suez"}
    assert {"australia", "canada"} <= {
        it.value for it in order_form(late, "grant", {"power": "usa"}).fields["to"].choices
    }
    for state in moments:
        assert not {"italy", "france", "china"} & named(state, "deploy")
        assert not {"italy", "france", "china"} & named(state, "deploy_rest")


def test_what_cannot_matter_is_shut(solo) -> None:  # type: ignore[no-untyped-def]
    def shut(**known: str) -> set[str]:
        form = solo.post("/narrow", command="grant", known={"power": "britain", **known}).json()
        return {name for name, field in form["fields"].items() if field.get("shut")}

    assert {"oil", "through", "air_base"} <= shut()
    assert not {"oil", "oil_from"} & shut(to="russia")
    assert "through" in shut(to="russia")
    for row in ROWS.values():
        field, _, values = row.only.partition("=")
        if field:
            about = {it.name: it for it in fields(command_types()[row.command])}[field]
            among = {"True", "False"} if about.kind == "yes or no" else set(about.among)
            assert about.kind in ("power", "country", "belligerent") or set(values.split("|")) <= among


@pytest.fixture(scope="module")
def moments(war: Game) -> list[State]:
    """The demonstration in every phase of both sides, in turns that lie apart."""
    found: dict[tuple[str, str], list[State]] = {}
    for id in sorted(war.line()):
        state = war.journal.state_at(id)
        seen = found.setdefault((state.place.part, state.place.step.name), [])
        if not seen or state.turn - seen[-1].turn >= (2 if len(seen) == 1 else 5):
            seen.append(state)
    return [state for seen in found.values() for state in seen[:TURNS]]


@pytest.fixture(scope="module")
def forms(moments: list[State]) -> list[tuple[State, OrderForm]]:
    """Every form that could be opened there."""
    return [
        (state, order_form(state, offer.command, dict(offer.known)))
        for state in moments
        for offer in offers(state, list(powers()))
        if offer.available
    ]


def _texts(form: OrderForm) -> Iterator[str]:
    yield from (form.label, form.text)
    for field in form.fields.values():
        if not field.shut:
            yield from (field.label, field.help, field.hint)
            yield from (text for it in field.choices for text in (it.name, it.no.text if it.no else ""))


def test_every_form_of_every_phase_speaks_as_players_do(
    moments: list[State], forms: list[tuple[State, OrderForm]]
) -> None:
    found = {}
    for _, form in forms:
        for text in _texts(form):
            wrong = [*machine_words(text), *NUMBERED.findall(text)]
            if wrong:
                found[form.command, text] = wrong
    for state in moments:
        for line in offer_list(state, offers(state, list(powers()))):
            if NUMBERED.search(line.room):
                found[line.command, line.room] = ["room"]
    assert not found


def test_lists_name_only_who_can_be_meant(forms: list[tuple[State, OrderForm]]) -> None:
    nations = 0
    for state, form in forms:
        standing = {it.nation for it in state.pieces.stacks()}
        for field in form.fields.values():
            named = {it.value for it in field.choices if it.value}
            if field.kind.startswith("nation") and form.command not in (*ABOUT_NEWCOMERS, *LOST):
                nations += 1
                assert named <= standing, f"{form.command}: {field.name}"
            if form.command == "report_peace" and field.name == "between":
                assert named <= {it for war in state.wars if war.ended is None for it in war.between}
            if field.kind.startswith("belligerent"):
                assert not named & {"finnish_border", "bessarabia", "spanish_morocco"}
            if field.name in ("escorts_lost", "raiders_lost"):
                assert not {"infantry", "armor"} & {it.unit for it in field.kinds}
        _only_those_who_could(state, form)
    assert nations > 100


def _only_those_who_could(state: State, form: OrderForm) -> None:
    named = {name: {it.value for it in field.choices if it.value} for name, field in form.fields.items()}
    at_war = belligerents(state)
    if form.command in ("report_battle", "report_operation"):
        in_arms = {it for it in named["nation"] if it in at_war or patron(state, it) in at_war}
        assert all(border_war_fought(state, it) for it in named["nation"] - in_arms)
    if form.command == "report_inversion":
        assert all("air" in {unit_branch(it.unit) for it in state.pieces.of(one)} for one in named["nation"])
    if form.command == "rebuild":
        assert all(any(unbuilt(state, it)) for it in named["country"])
    if form.command == "report_war":
        fallen = {it for it, standing in state.countries.items() if standing.status == "conquered"} - set(at_war)
        assert not fallen & named["between"]


def test_what_one_choice_says_narrows_the_others(moments: list[State]) -> None:
    late = max(moments, key=lambda state: state.turn)
    declared = order_form(late, "report_war", {"between": ["germany", "sweden"]}).fields["declared_by"]
    assert {it.value for it in declared.choices if it.value} == {"germany", "sweden"}
    assert order_form(late, "report_war", {}).fields["declared_by"].shut
    bombed = order_form(late, "report_bombing", {"power": "japan"}).fields["area"]
    assert "tokyo" in {it.value for it in bombed.choices}
    assert "london" not in {it.value for it in bombed.choices}


def test_a_country_is_reported_only_as_what_it_can_come_to(war: Game) -> None:
    late = war.journal.state_at(max(war.line()))

    def among(**known: str) -> set[str]:
        return {it.value for it in order_form(late, "report_status", known).fields["status"].choices}

    assert len(among()) == 9
    assert among(country="canada") == {"commonwealth"}
    assert not among(country="sweden") & {"colony", "commonwealth", "conquered"}
    assert "conquered" in among(country="sweden", by_rule="50.1")
    nobodys = {"country": "egypt", "status": "colony", "power": "", "by_rule": ""}
    told = [it.text for it in order_form(late, "report_status", nobodys).refusals]
    assert "a country of that status stands with a power: say which" in told
    fallen = {"country": "egypt", "status": "allied", "power": "britain", "by_rule": ""}
    told = [it.text for it in order_form(late, "report_status", fallen).refusals]
    assert any(it.startswith("Egypt is a colony (Britain) and stays so") for it in told)
    for country in countries():
        assert late.countries[country].status in among(country=country)


def test_of_two_sides_the_first_narrows_the_second(war: Game) -> None:
    """Peace is made by those who fight each other."""
    summer = calendar.parse_turn("Summer 1942")
    state = next(it for it in map(war.journal.state_at, sorted(war.line())) if it.turn == summer)

    def others(one: str) -> set[str]:
        form = order_form(state, "report_peace", {"between": [one]})
        return {it.value for it in form.fields["between"].choices} - {one}

    assert others("china") == {"japan"}
    assert others("britain") == {"germany", "italy", "japan"}


def test_one_unit_is_left_and_several_are() -> None:
    assert in_number("2 shipbuilding points asked for, 1 are left this turn").endswith("1 is left this turn")
    assert in_number("1 infantry factors are left") == "1 infantry factor is left"
    assert in_number("11 are left") == "11 are left"
    assert in_number("3 battlecruiser at Scapa Flow") == "3 battlecruisers at Scapa Flow"


def test_only_aircraft_are_inverted(moments: list[State]) -> None:
    for nation in ("britain", "germany"):
        units = order_form(moments[-1], "report_inversion", {"nation": nation}).fields["unit"].counters
        assert units
        assert {unit_branch(it.unit) for it in units} == {"air"}


def test_who_has_surrendered_reports_no_oil_and_no_supply(war: Game) -> None:
    late = war.journal.state_at(max(war.line()))
    fallen = {it for it in powers() if out_of_the_economy(late, it)}
    assert {"germany", "italy"} <= fallen
    for command in ("report_oil", "report_full_supply"):
        assert {it.value for it in order_form(late, command, {}).fields["power"].choices} == set(powers()) - fallen


def test_one_side_of_a_war_asks_for_the_other(moments: list[State]) -> None:
    """A list that is not whole yet, and a number that is none, are told in words."""
    assert order_form(moments[0], "report_war", {"between": ["germany"]}).wrong == {"between": "name one more"}
    three = ["germany", "italy", "japan"]
    assert order_form(moments[0], "report_peace", {"between": three}).wrong == {"between": "name one fewer"}
    assert order_form(moments[0], "report_loss", {"units": 3}).wrong["units"].startswith("write units such as")


def test_what_is_taken_out_of_the_pool_is_told_once_and_as_several(moments: list[State]) -> None:
    """A press for each kind, with its number; its price stands in the list, and nowhere a price for what is lost."""
    building = [it for it in moments if it.place.step.name == "unit construction"]
    told = 0
    for state in building:
        units = order_form(state, "build", {"power": "britain"}).fields["units"]
        assert not (units.pool and units.hint)
        assert all(it.said == in_number(it.said) for it in (*units.pool, *units.counters))
        told += len(units.pool)
        lost = order_form(state, "report_loss", {"power": "britain"}).fields["units"]
        assert not any("BRP" in it.said or "cost" in it.said for it in (*lost.counters, *lost.kinds))
    assert told


def test_several_of_each_kind_have_their_word() -> None:
    assert plurals()["cruiser"] == "cruisers"
    assert plurals()["damaged battlecruiser"] == "damaged battlecruisers"
    assert not {"army air", "infantry"} & plurals().keys()
