"""A decision of which nobody reads the reasons is the decision that is told with them."""

from __future__ import annotations

from itertools import islice

import pytest

from test_cases import alike
from warcabinet.bench.engine_bench import Replay, replays
from warcabinet.game.engine import as_command, decide
from warcabinet.kernel.why import Trace
from warcabinet.model.commands import command_types
from warcabinet.model.state import State, decode
from warcabinet.rules.economy.year_start import year_total

ASKED = (
    {"do": "spend", "power": "germany", "brp": 400, "on": "other"},
    {"do": "declare_war", "power": "italy", "on": ["greece"]},
    {"do": "build", "power": "britain", "units": ["9 infantry 3-4"], "at": "London"},
    {"do": "report_control", "by": "germany", "places": ["Paris", "Brussels"]},
    {"do": "mobilize", "power": "japan", "units": []},
    {"do": "advance"},
)


@pytest.fixture(scope="module")
def replay() -> Replay:
    return replays()["demonstration"]


def test_a_game_leads_to_the_same_events_and_states_told_or_not(replay: Replay):
    states: dict[int, State] = {replay.start: decode(replay.first)}
    for step, (command, decision) in zip(replay.steps, replay.decisions(), strict=True):
        told = decide(states[step.before], command, step.dice, tell=True)
        assert decision.events == tuple(record.event for record in told.records), step
        assert decision.state.fingerprint() == told.state.fingerprint(), step
        assert (decision.refusals, decision.needs) == (told.refusals, told.needs), step
        states[step.id] = decision.state


def test_what_is_refused_is_refused_for_the_same_told_or_not(replay: Replay):
    refused = 0
    for _, decision in islice(replay.decisions(), 0, None, 23):
        for asked in ASKED:
            assert asked["do"] in command_types()
            command = as_command(dict(asked))
            quiet, told = decide(decision.state, command), decide(decision.state, command, tell=True)
            assert (quiet.refusals, quiet.needs, quiet.events) == (told.refusals, told.needs, told.events)
            assert quiet.checked == told.checked
            refused += bool(quiet.refusals)
    assert refused > 100


def test_reasons_are_worked_out_when_they_are_read(replay: Replay):
    _, decision = next(iter(replay.decisions()))
    assert decision.accepted
    assert decision.records[0].event == decision.events[0]
    assert decision.records is decision.records, "and once only"


def test_a_figure_asked_quietly_is_the_figure(replay: Replay):
    state = decode(replay.first)
    with Trace(quiet=True) as quiet:
        found = year_total(state, "germany")
        assert quiet.children == []
    with Trace() as told:
        assert year_total(state, "germany") == found
        assert told.children[0].value == found


def test_a_case_whose_command_is_decided_otherwise_would_be_noticed(replay: Replay):
    """The commands of cases are decided told and not told where the cases are run: tests/test_cases.py."""
    decisions = replay.decisions()
    (_, first), (_, second) = next(decisions), next(decisions)
    assert alike(first, first)
    assert not alike(first, second)
