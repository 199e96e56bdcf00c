"""What the bench measures is what it says: whole games, all their commands, with reasons. Never how fast."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warcabinet.bench import engine_bench
from warcabinet.cli.main import main
from warcabinet.game import Game
from warcabinet.model.commands import name_of
from warcabinet.model.unit_lists import stacks
from warcabinet.store import create_game


@pytest.fixture(scope="module")
def replay() -> engine_bench.Replay:
    return engine_bench.replays()["demonstration"]


def test_a_replay_decides_every_command_and_comes_to_the_same_end(replay: engine_bench.Replay):
    from warcabinet.game.demo import play_demo

    played = play_demo()
    given = [move.command for move in played.log() if move.command is not None]
    decisions = list(replay.decisions())
    assert [command for command, _ in decisions] == given
    assert all(decision.accepted for _, decision in decisions)
    assert decisions[-1][1].state.fingerprint() == played.state.fingerprint()


def test_a_replay_keeps_the_reasons(replay: engine_bench.Replay):
    spent = next(decision for command, decision in replay.decisions() if name_of(command) == "spend")
    assert spent.checked
    assert any(record.why for record in spent.records)


def test_a_replay_can_tell_all_reasons_at_once(replay: engine_bench.Replay):
    assert replay.told() == len(replay.steps)
    told = [decision for _, decision in replay.decisions(tell=True)]
    asked = [decision for _, decision in replay.decisions()]
    assert [it.records for it in told[:40]] == [it.records for it in asked[:40]]


def test_a_replay_leaves_out_what_was_undone_only_where_it_was_undone():
    game = Game.new("classic-1939", options={"mobilization": "reported"})
    game.do({"do": "spend", "power": "germany", "brp": 3, "on": "other"})
    game.undo()
    game.do({"do": "spend", "power": "germany", "brp": 4, "on": "other"})
    found = [decision for _, decision in engine_bench.Replay(game.journal).decisions()]
    assert len(found) == len([move for move in game.log() if move.command is not None])
    assert found[-1].state.fingerprint() == game.state.fingerprint()


def test_games_in_files_are_measured_beside_the_demonstration(tmp_path: Path):
    game = create_game(tmp_path / "mine.warcabinet", engine_bench.Position("classic-1939"), seed=1)
    game.do({"do": "spend", "power": "germany", "brp": 1, "on": "other"})
    found = engine_bench.games_bench(0.01, [tmp_path / "mine.warcabinet"])
    assert found["mine"]["commands"] >= 1
    assert found["demonstration"]["commands"] > 2000
    for name, rate in (("chess", "python_chess_moves_per_second"), ("diplomacy", "diplomacy_orders_per_second")):
        assert (found[rate] is not None) == engine_bench.installed(name)


def test_every_kind_of_command_is_listed(replay: engine_bench.Replay):
    found = engine_bench.command_bench(0.0)
    assert sum(line["count"] for line in found.values()) == len(replay.steps)
    assert set(found) == {name_of(step.command) for step in replay.steps}


def test_the_crowded_board_has_as_many_stacks_as_it_says():
    state = engine_bench.crowded(40)
    # Italians in Ethiopia and the Commonwealth stand in their boxes from the start, off the boards.
    assert len({stack.place for stack in stacks(state) if not stack.place.startswith("box/")}) == 40
    assert engine_bench.offers_bench(40)["offers"] > 50


def test_rings_are_measured_in_each_phase():
    found = engine_bench.rings_bench(40, lifted=2)
    assert set(found) == {f"ms_in_{it}{most}" for it in engine_bench.LIFTED for most in ("", "_at_most")}
    assert all(it > 0 for it in found.values())


def test_long_games_are_held_against_short_ones():
    found = engine_bench.length_bench(600, 900)
    assert found["events"] == {"short": 600, "long": 900}
    assert all(found[what]["ratio"] > 0 for what in ("load", "undo", "offers"))


def test_starting_is_held_against_the_libraries():
    found = engine_bench.start_bench(1)
    assert found["status_by_libraries"] > 1
    assert found["one_clause_seconds"] > 0


def test_by_command_prints_json(capsys: pytest.CaptureFixture[str]):
    main(["bench", "--by-command", "--seconds", "0", "--json"])
    assert json.loads(capsys.readouterr().out)["advance"]["count"] > 300
