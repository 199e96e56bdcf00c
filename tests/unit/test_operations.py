"""Operations that wait: one convoy from sailing to arrival, kept, taken back and done again at every stage."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from positions import CONVOY, SAILING, game_of, read
from warcabinet.game import Game, Refused
from warcabinet.game.engine import decide
from warcabinet.model.apply import apply
from warcabinet.model.commands.aid import CallOffAttacks, SailConvoy
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import OperationClosed, OperationMoved, OperationOpened
from warcabinet.model.state import decode, encode
from warcabinet.store import create_game, export_game, import_game, open_game


def played(stages: int) -> Game:
    return game_of(CONVOY, *(command for command, _ in SAILING[:stages]))


STAGES = range(1, len(SAILING))


def test_one_convoy_from_sailing_to_arrival() -> None:
    game = game_of(CONVOY)
    for command, asked in SAILING:
        game.do(command)
        assert game.figure("waits.for") == list(asked)
    assert game.figure("powers.britain.brp") == 52
    assert game.figure("powers.usa.brp") == 88
    assert game.figure("powers.russia.brp") == 34  # 20 sent, 6 lost to hits
    assert game.figure("transports.atlantic") == 5
    assert game.figure("units.britain.Scapa Flow.destroyer") == 5
    assert game.figure("units.germany.Bergen.army air") == 3
    assert game.figure("units.germany.Atlantic SW box.submarine") == 14
    assert game.verify() == []
    game.advance()


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_but_a_reply_is_commanded_while_it_waits(stage: int) -> None:
    game = played(stage)
    for command in (Advance(), Spend(power="britain", brp=1, on="other"), SailConvoy(power="usa", brp=1)):
        ruling = decide(game.state, command)
        assert "WC.10" in {refusal.clause for refusal in ruling.refusals}
    assert [refusal.clause for refusal in game.duties()] == ["WC.10"]
    with pytest.raises(Refused, match="waits for"):
        game.advance()


@pytest.mark.parametrize("stage", STAGES)
def test_undo_and_redo_over_every_stage(stage: int) -> None:
    game = played(stage)
    before, open_before = game.state.fingerprint(), game.state.waiting
    game.do(SAILING[stage][0])
    after = game.state.fingerprint()
    game.undo(consent=True)
    assert game.state.fingerprint() == before
    assert game.state.waiting == open_before
    game.redo()
    assert game.state.fingerprint() == after


def test_undo_of_the_whole_convoy_gives_everything_back() -> None:
    game = played(0)
    start = game.state.fingerprint()
    for command, _ in SAILING:
        game.do(command)
    for _ in SAILING:
        game.undo(consent=True)
    assert game.state.fingerprint() == start


def test_asking_the_other_side_is_a_hand_over() -> None:
    game = played(1)
    assert game.head.barrier == ""  # Britain asks its partner
    game.do(SAILING[1][0])
    assert game.head.barrier == "hand-over"  # the enemy is asked
    game.do(SAILING[2][0])
    assert game.head.barrier == ""  # Germany goes on


@pytest.mark.parametrize("stage", STAGES)
def test_a_state_survives_the_way_to_json_at_every_stage(stage: int) -> None:
    state = played(stage).state
    assert decode(encode(state)) == state


def test_a_game_is_kept_and_opened_again_at_every_stage(tmp_path: Path) -> None:
    file = tmp_path / "convoy.warcabinet"
    create_game(str(file), read(CONVOY), seed=1)
    for command, asked in SAILING:
        game = open_game(str(file))
        game.do(command)
        again = open_game(str(file))
        assert again.state == game.state
        assert again.figure("waits.for") == list(asked)
    copy = import_game(list(export_game(open_game(str(file)))), str(tmp_path / "copy.warcabinet"))
    assert copy.state == open_game(str(file)).state
    assert copy.verify() == []


def test_offers_put_replies_first_and_only_to_those_who_are_asked() -> None:
    game = played(2)
    asked = game.offers("germany", "italy")
    assert [offer.command for offer in asked if offer.replies_to] == [
        "oppose_convoy",
        "let_convoy_pass",
        "report_convoy_interception",
    ]
    assert asked[0].replies_to == "O1"
    assert asked[0].available
    assert asked[0].fields["submarines"].among[-2:] == ("2 submarine at Bergen", "1 submarine at Bergen")
    others = game.offers("britain")
    assert not [offer for offer in others if offer.replies_to and offer.available]
    assert {offer.command for offer in others if offer.available} <= {
        "rule",
        "release",
        "correct",
        "choose_reading",
        "roll",
    }


def test_a_reply_comes_from_the_seat_that_is_asked() -> None:
    game = played(4)
    report = {"do": "report_convoy_attack", "hits": 1}
    with pytest.raises(Refused, match="Germany is asked here, not Britain"):
        game.do({**report, "seat": "britain"})
    game.do({**report, "seat": "germany"})


def test_no_reply_without_a_question() -> None:
    ruling = decide(played(0).state, CallOffAttacks(power="germany"))
    assert [refusal.clause for refusal in ruling.refusals] == ["WC.10"]


def test_the_last_operation_opened_is_replied_to_first() -> None:
    state = played(2).state
    outer = state.waiting
    assert outer is not None
    inner = replace(outer, id="O2", title="A reaction", waits_for=("italy",), replies=("let_convoy_pass",))
    both = apply(state, OperationOpened(inner))
    assert both.waiting == inner
    assert "A reaction waits for Italy" in decide(both, Advance()).refusals[0].text
    assert apply(both, OperationClosed("O2", "over")).waiting == outer
    moved = apply(both, OperationMoved(replace(outer, asks="something else")))
    assert (moved.waiting, moved.operations[0].asks) == (inner, "something else")
