"""Nothing that a player reads is written as a program writes it: the demonstration is walked through to see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from plain_words import machine_words
from warcabinet.figures.table import proposals
from warcabinet.game import Game
from warcabinet.game.engine import as_command, decide
from warcabinet.game.offers import offers
from warcabinet.kernel.limits import Outside, Refusal
from warcabinet.model.events import Corrected, Determined
from warcabinet.model.names import powers
from warcabinet.views.sums import sums_of
from warcabinet.views.words import event_text, figure_name, refusal_words
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.orders.offer_list import offer_list
from warcabinet.web.orders.refusal_lines import refused_order
from warcabinet.web.sheets.agenda_lines import agenda_lines
from warcabinet.web.sheets.sum_sheet import sum_sheet
from warcabinet.web.sheets.year_sheet import year_sheet

#: Of the positions of the war every so many are looked at.
EVERY = 120


def _plain(texts: Iterator[str]) -> None:
    found = {word: text for text in texts for word in machine_words(text)}
    assert not found


def test_the_log(war: Game) -> None:
    def lines() -> Iterator[str]:
        for move in war.log():
            line = move_line(move, war_line, everything=True)
            yield line.text
            yield from (event.text for event in line.events)

    war_line = war.line()
    _plain(lines())


def test_offers_refusals_agenda_and_forecast(war: Game) -> None:
    def told() -> Iterator[str]:
        for id in sorted(war.line())[::EVERY]:
            state = war.journal.state_at(id)
            for line in offer_list(state, offers(state, list(powers()))):
                yield line.room
                yield from (text for it in line.refusals for text in (it.text, it.gist, it.next, it.right))
            for item in agenda_lines(state):
                yield from (item.text, item.about_name, item.averted_by, item.due)
            yield from (text for row in year_sheet(state, "stands").rows for text in (row.label, row.gist))

    _plain(told())


def test_sums(war: Game) -> None:
    def told() -> Iterator[str]:
        for id in sorted(war.line())[1:]:
            for it in map(sum_sheet, sums_of(war, war.journal.move(id))):
                rows = [*it.rows]
                yield it.title
                while rows:
                    row = rows.pop()
                    rows += row.because
                    yield from (row.said, row.about, row.note, row.text)

    _plain(told())


ORDERS: list[dict[str, Any]] = [
    {"do": "build", "power": "germany", "at": "London", "units": ["90 armor 4-6"]},
    {"do": "spend", "power": "germany", "brp": 999, "on": "offensive operations"},
    {"do": "grant", "power": "germany", "to": "italy", "by": "land", "brp": 999},
    {"do": "move", "nation": "germany", "unit": "armor 4-6", "from": "Smolensk", "to": "box/urals"},
    {"do": "report_control", "places": ["Lisbon"], "by": "germany"},
    {"do": "report_war", "between": ["germany", "sweden"], "declared_by": "germany"},
    {"do": "correct", "figure": "powers.germany.growth_rate", "to": 5, "reason": "to see"},
]


@pytest.mark.parametrize("order", ORDERS, ids=[it["do"] for it in ORDERS])
def test_a_refused_order(war: Game, order: dict[str, Any]) -> None:
    command = as_command(order)
    ruling = decide(war.state, command)
    assert ruling.refusals
    refused = refused_order(war.state, command, ruling)
    _plain(iter([refused.sentence, *(text for it in refused.refusals for text in (it.text, it.next, it.right))]))


def test_figures_by_what_they_are() -> None:
    assert figure_name("powers.germany.brp") == "Germany: BRP level"
    assert figure_name("tracks.usat") == "U.S.-Axis tension"
    assert figure_name("control.Tehran") == "control of Tehran (DD48)"
    _plain(figure_name(path) for path, _ in proposals())
    sets = Corrected("countries.greece", {"status": "conquered", "by": "italy"}, "forgotten")
    assert event_text(sets) == "The referee sets standing of Greece to conquered, by Italy: forgotten"
    outside = Outside("the limit", "brp", 130, "at most", 43)
    assert str(outside) == "the limit: brp is 130, at most 43"
    assert refusal_words(Refusal("35.2", str(outside), outside=outside)) == "the limit: 130 BRPs, at most 43"


def test_what_is_fixed_for_the_year_is_told_as_a_figure(war: Game) -> None:
    fixed = [r.event for move in war.log() for r in move.records if isinstance(r.event, Determined)]
    assert any(event_text(it).startswith("Year start total of Germany: 381") for it in fixed)
