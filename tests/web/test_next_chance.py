"""The next chance that is told with a refusal is one: nothing stands against the order then, were only time to pass."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.game import Game
from warcabinet.game.offers import narrow, offers
from warcabinet.model import calendar
from warcabinet.web.orders.offer_list import offer_list
from warcabinet.web.orders.order_form import order_form


def test_of_every_order_that_is_told_a_next_chance_it_is_one() -> None:
    state = Game.new("classic-1939").state
    told = {}
    for line in offer_list(state, offers(state, ("germany", "usa"))):
        for refusal in line.refusals:
            if refusal.next and not refusal.rule:
                told[line.command, line.known.get("power", "")] = refusal.next
                turn, step = calendar.split(calendar.parse_moment(refusal.next))
                then = replace(state, turn=turn, step=step)
                assert not narrow(then, line.command, dict(line.known)).refusals, line
    assert told["build", "germany"] == "Fall 1939, Axis, unit construction"
    assert ("build_alaska_highway", "germany") not in told


def test_who_asks_for_one_order_is_told_of_later_turns() -> None:
    state = Game.new("classic-1939").state
    form = order_form(state, "build_alaska_highway", {"power": "germany"})
    assert form.refusals
    assert not any(it.next for it in form.refusals if not it.rule)


def test_whoever_owes_something_is_told_of_no_later_moment() -> None:
    state = Game.new("classic-1939").state
    form = order_form(state, "advance", {})
    assert "36.351" in {it.clause for it in form.refusals}
    assert not any(it.next for it in form.refusals)
