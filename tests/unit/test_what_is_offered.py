"""What is offered is what the judge would accept: each offer is held against the whole command."""

from __future__ import annotations

from typing import Any

import pytest

from positions import game_at
from warcabinet.figures.position import PoolLine, Position, set_up
from warcabinet.game.engine import as_command, decide
from warcabinet.game.offers import narrow, offers
from warcabinet.model.commands import command_types
from warcabinet.model.state import State
from warcabinet.web.orders.offer_list import offer_list

UNITS = (PoolLine("germany", "infantry", "3-3", count=28),)


def test_a_garrison_to_be_built_up_is_offered_first() -> None:
    pools = [{"nation": "india", "type": "infantry", "strength": "1-2", "count": 2, "unbuilt": True}]
    units = [{"nation": "india", "type": "infantry", "strength": "1-2", "at": "India box"}]
    parts: dict[str, Any] = {
        "turn": "Winter 1940",
        "player": "allied",
        "phase": "unit construction",
        "units": units,
        "pools": pools,
    }
    game = game_at(**parts, set={"powers.britain.brp": 20})
    first = offers(game.state, ("britain",))[0]
    assert (first.command, first.known["country"], first.known["power"]) == ("rebuild", "india", "britain")


def test_the_form_of_a_surrender_names_who_is_left() -> None:
    parts: dict[str, Any] = {"turn": "Summer 1943", "player": "allied", "phase": "end of player turn"}
    game = game_at(**parts, set={"countries.australia": {"status": "conquered", "by": "japan"}})
    offer = narrow(game.state, "surrender_voluntarily", {"power": "britain"})
    assert offer.fields["country"].among == ("india",)


def test_offers_name_who_may_mine_and_where_partisans_may_be_built() -> None:
    game = game_at(turn="Fall 1940", player="allied", phase="mining", set={"powers.france.surrendered": True})
    offer = narrow(game.state, "mine_waters", {})
    assert offer.fields["power"].among == ("britain",)
    game = game_at(
        turn="Fall 1940",
        phase="unit construction",
        set={"countries.ireland": {"status": "controlled", "by": "germany"}},
    )
    offer = narrow(game.state, "build_partisan", {"power": "germany"})
    assert "europe/G22" in offer.fields["at"].among
    assert "europe/G23" not in offer.fields["at"].among


@pytest.mark.parametrize(("power", "served"), [("britain", True), ("usa", True), ("germany", False), ("russia", False)])
def test_the_canadian_shipyard_is_offered_to_the_western_allies(power: str, served: bool) -> None:
    player = "axis" if power == "germany" else "allied"
    game = game_at(turn="Spring 1942", player=player, phase="unit construction")
    assert narrow(game.state, "use_canadian_shipyard", {"power": power}).available is served


def test_the_order_to_move_says_that_movement_costs_are_not_judged() -> None:
    assert "movement costs are not judged here" in str(command_types()["move"].__doc__)


def state_at(turn: str = "Summer 1942", player: str = "axis", phase: str = "combat", **more: Any) -> State:
    return game_at(turn, player, phase, **more).state


def judged(state: State, command: str, **whole: Any) -> set[str]:
    return {it.clause for it in decide(state, as_command({"do": command, **whole})).refusals}


def shut(state: State, command: str, **known: Any) -> set[str]:
    return {it.clause for it in narrow(state, command, known).refusals}


@pytest.mark.parametrize(
    ("command", "known", "rest"),
    [
        # 35.46 shuts Australia only to those who are not Japan.
        ("report_status", {"country": "australia"}, {"status": "conquered", "power": "japan"}),
        # 35.62 asks for BRPs that may still be filled in.
        ("report_status", {"country": "sweden", "status": "penetrated"}, {"power": "germany", "brp": 5}),
        # 83.61 keeps an ally out of Paris, but not partisans.
        ("report_control", {"places": ["Paris"], "by": "britain"}, {"partisans": True}),
    ],
)
def test_what_may_still_be_accepted_is_not_shut(command: str, known: dict[str, Any], rest: dict[str, Any]) -> None:
    state = state_at(phase="diplomatic phase" if command == "report_status" else "combat")
    whole = {**known, **rest}
    if judged(state, command, **whole):
        # Where another clause wants an excuse for the report, the excuse is open as well.
        whole["by_rule"] = "a rule outside the documents"
    assert not judged(state, command, **whole)
    assert not shut(state, command, **known)


def test_what_nothing_can_mend_is_shut_at_once() -> None:
    state = state_at(phase="diplomatic phase")
    assert "35.46" in shut(state, "report_status", country="canada", status="conquered", power="japan")


def test_the_redeployment_of_an_associate_is_shut_before_it_is_said_to_where() -> None:
    given = {f"countries.{it}": {"status": "associated", "by": "germany"} for it in ("hungary", "spain")}
    state = state_at(phase="redeployment", set=given)
    assert "84.45E" in shut(state, "move", nation="hungary")
    # Spaniards may be lent, to go to the eastern front.
    assert "84.45E" not in shut(state, "move", nation="spain")


def test_the_construction_limit_narrows_a_build_before_its_place_is_named() -> None:
    state = state_at("Spring 1940", "axis", "unit construction", pools=UNITS)
    assert shut(state, "build", power="germany", units=["17 infantry 3-3"]) == {"39.31"}
    assert judged(state, "build", power="germany", units=["17 infantry 3-3"], at="Berlin") == {"39.31"}
    assert not shut(state, "build", power="germany", units=["16 infantry 3-3"])
    assert not judged(state, "build", power="germany", units=["16 infantry 3-3"], at="Berlin")


def test_the_hint_of_a_build_says_how_many_the_limits_leave() -> None:
    state = state_at("Spring 1940", "axis", "unit construction", pools=UNITS)
    hint = narrow(state, "build", {"power": "germany"}).fields["units"].hint
    assert hint == "28 infantry 3-3 at 3 BRPs, 16 of them now"


def test_what_china_may_build_is_bound_by_its_spending_limit() -> None:
    pools = (PoolLine("china", "infantry", "1-2", count=18),)
    spent = {"happened": [{"spent": "china", "brp": 7, "in": "player turn"}]}
    state = state_at("Spring 1940", "allied", "unit construction", pools=pools, set=spent)
    # Half of 20 BRPs less the seven spent; a third of what is left of the base would allow six.
    assert narrow(state, "build", {"power": "china"}).fields["units"].hint == "18 infantry 1-2 at 1 BRP, 3 of them now"
    assert shut(state, "build", power="china", units=["4 infantry 1-2"]) == {"39.11A"}
    assert not judged(state, "build", power="china", units=["3 infantry 1-2"], at="Chungking")


def test_counters_beyond_the_list_are_not_shut_while_a_word_may_still_be_given() -> None:
    state, _ = set_up(Position("classic-1939"))
    assert not shut(state, "mobilize", power="italy", units=["armor 4-9"])
    assert shut(state, "mobilize", power="italy", units=["armor 4-9"], beyond_list=False) == {"WC.28"}
    assert not judged(state, "mobilize", power="italy", units=["armor 4-9"], beyond_list=True)


def test_what_one_power_decides_is_offered_to_it_alone() -> None:
    """The surrender of Australia or India: its clause depends on the country, yet who decides does not (71.431)."""
    state = state_at("Fall 1942", "allied", "end of player turn")
    offered = narrow(state, "surrender_voluntarily", {"power": "britain"})
    assert not offered.refusals
    assert offered.fields["country"].among == ("australia", "india")
    for power in ("france", "russia", "usa"):
        assert shut(state, "surrender_voluntarily", power=power) == {"71.431"}
        assert judged(state, "surrender_voluntarily", power=power, country="australia") == {"71.431"}


def test_nobody_is_led_to_what_is_never_undone() -> None:
    state = state_at("Fall 1942", "allied", "end of player turn")
    lines = offer_list(state, [narrow(state, "surrender_voluntarily", {"power": "britain"})])
    assert [(line.available, line.of_this_phase, line.rank, line.final) for line in lines] == [(True, True, 0, True)]


@pytest.mark.parametrize(
    ("command", "power", "clause"), [("grant", "france", "40.35"), ("trace_sea_supply", "russia", "71.61")]
)
def test_what_nothing_fits_is_not_offered(command: str, power: str, clause: str) -> None:
    """Every choice that is left would be refused, so the order is shut with the clause that refuses."""
    state = state_at("Fall 1939", "allied", "initial supply determination")
    (line,) = offer_list(state, [narrow(state, command, {"power": power})])
    assert not line.available
    assert clause in {it.clause for it in line.refusals}
