"""What must hold whatever is done: round trips, balance, replay, undo, and questions that change nothing."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from warcabinet.figures.position import Position
from warcabinet.game import Conflict, Game, Refused, new_game
from warcabinet.game.forecast import year_start
from warcabinet.game.journal import MemoryJournal, unbalanced
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.economy import ReportBase, ReportBombing, ReportBrp, Spend
from warcabinet.model.commands.politics import ReportControl, ReportStatus, ReportTrack, ReportWar
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.pieces import piece_account
from warcabinet.model.state import decode, encode

POWERS = st.sampled_from(sorted(powers()))
PLACES = st.sampled_from(sorted({place for area in areas().values() for place in area.places}))
COUNTRIES = st.sampled_from(sorted(countries()))
STATUSES = st.sampled_from(["neutral", "independent", "penetrated", "associated", "allied", "conquered"])
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.just(Advance()),
    st.builds(
        Spend, POWERS, st.integers(1, 60), st.sampled_from(["other", "unit construction", "offensive operations"])
    ),
    st.builds(ReportControl, st.lists(PLACES, min_size=1, max_size=3).map(tuple), POWERS),
    st.builds(
        ReportStatus, COUNTRIES, STATUSES, st.one_of(st.just(""), POWERS), st.one_of(st.none(), st.integers(0, 30))
    ),
    st.builds(ReportBombing, POWERS, st.integers(0, 20)),
    st.builds(ReportBrp, POWERS, st.integers(-40, 40), st.just("other")),
    st.builds(ReportBase, POWERS, st.integers(-40, 40), st.sampled_from(["oil", "mobilization"])),
    st.builds(ReportTrack, st.sampled_from(["usat", "usjt", "rgt", "effective_usjt"]), st.integers(0, 60)),
    st.builds(ReportWar, st.tuples(POWERS, POWERS), st.just("")),
)
SCRIPTS = st.lists(COMMANDS, max_size=40)
STARTS = st.builds(
    Position,
    st.sampled_from(["empty", "classic-1939"]),
    st.sampled_from(["Winter 1939", "Fall 1940", "Winter 1941", "Winter 1943"]),
    st.sampled_from(["axis", "allied"]),
    st.sampled_from(["combat", "diplomatic phase", "end of player turn", "unit construction"]),
)


def play(start: Position, script: list[Command]) -> Game:
    game = new_game(start, MemoryJournal())
    for command in script:
        try:
            game.do(command)
        except (Refused, Conflict):
            continue
    return game


@given(STARTS, SCRIPTS)
@settings(max_examples=60)
def test_the_ledger_always_balances_and_the_log_replays(start: Position, script: list[Command]):
    game = play(start, script)
    assert unbalanced(game.state) == {}
    assert game.verify() == []
    assert game.redecide() == []


@given(STARTS, SCRIPTS)
@settings(max_examples=40)
def test_a_state_survives_the_way_to_json_and_back(start: Position, script: list[Command]):
    state = play(start, script).state
    assert decode(encode(state)) == state
    assert decode(encode(state)).fingerprint() == state.fingerprint()


@given(STARTS, SCRIPTS)
@settings(max_examples=40)
def test_undo_restores_every_former_state(start: Position, script: list[Command]):
    game = new_game(start, MemoryJournal())
    prints = [game.state.fingerprint()]
    for command in script:
        try:
            game.do(command)
            prints.append(game.state.fingerprint())
        except Refused:
            assert game.state.fingerprint() == prints[-1]
    for expected in reversed(prints[:-1]):
        game.undo(consent=True)
        assert game.state.fingerprint() == expected
    for expected in prints[1:]:
        game.redo()
        assert game.state.fingerprint() == expected


@given(STARTS, SCRIPTS)
@settings(max_examples=25)
def test_questions_change_nothing_and_answer_for_every_power(start: Position, script: list[Command]):
    game = play(start, script)
    before = game.state.fingerprint()
    year_start(game.state)
    game.offers()
    game.agenda()
    for name, rule in RULES.values().items():
        if rule.parameters == ("power",):
            for power in powers():
                with suppress(WarCabinetError):  # a rule for some powers says so of the others
                    game.explain(name, power)
    assert game.state.fingerprint() == before


@given(STARTS, SCRIPTS)
@settings(max_examples=25)
def test_an_offer_and_its_refusal_come_from_the_same_limit(start: Position, script: list[Command]):
    game = play(start, script)
    for power in powers():
        offer = game.narrow("spend", power=power, on="other")
        most = offer.fields["brp"].most
        if offer.available and most is not None:
            assert game.decide(Spend(power, most, "other")).accepted
            assert not game.decide(Spend(power, most + 1, "other")).accepted


@given(STARTS, SCRIPTS)
@settings(max_examples=25)
def test_every_balance_is_the_sum_of_its_entries(start: Position, script: list[Command]):
    game = play(start, script)
    balances = {str(account): amount for account, amount in game.state.ledger.items()}
    balances |= {piece_account(n, where, unit): count for n, where, unit, count in game.state.pieces.everything()}
    for account, amount in balances.items():
        assert sum(line.amount for line in game.ledger(account)) == amount
