"""Dice at a table: the face is told where it is thrown and in the log, and everybody checks it."""

from __future__ import annotations

from typing import Any

from attacks import ROLL


def test_a_face_is_told_where_it_is_thrown_and_in_the_log(two: Any) -> None:
    axis, allies = two
    (move,) = axis.do(**ROLL).json()["moves"]
    (face,) = move["dice"]
    assert 1 <= face <= 6
    assert allies.get("/log").json()[0]["dice"] == [face]
    assert f"A die shows {face}" in move["events"][0]["text"]


def test_every_throw_is_checked_once_its_seed_is_revealed(two: Any) -> None:
    axis, allies = two
    for _ in range(3):
        axis.do(**ROLL)
    sealed = allies.get("/dice/check").json()
    assert (sealed["checked"], sealed["sealed"], sealed["wrong"]) == (0, 3, 0)
    assert not any(seed.get("secret") for seed in sealed["seeds"])
    assert "still sealed" in sealed["throws"][0]["text"]
    allies.post("/dice/reveal")
    axis.do(**ROLL)
    told = allies.get("/dice/check").json()
    assert (told["checked"], told["sealed"], told["wrong"]) == (3, 1, 0)
    assert [it["verdict"] for it in told["throws"]] == ["sealed", "fits", "fits", "fits"]


def test_a_die_that_is_taken_back_stays_to_be_checked(two: Any) -> None:
    axis, allies = two
    axis.do(**ROLL)
    axis.post("/undo")
    allies.post("/consent", agree=True)
    (throw,) = allies.get("/dice/check").json()["throws"]
    assert throw["undone"]


def test_a_false_face_is_found(two: Any) -> None:
    from msgspec.structs import replace

    from warcabinet.model.events import DiceRolled
    from warcabinet.web.sheets.dice_check import dice_check

    axis, _ = two
    axis.do(**ROLL)
    axis.post("/dice/reveal")
    with axis.client.app.state.server.tables.at(axis.table) as table:
        game = table.game
        move = game.journal.move(game.head.id)

        def turned(record: Any) -> Any:
            if isinstance(record.event, DiceRolled):
                return replace(record, event=replace(record.event, face=record.event.face % 6 + 1))
            return record

        false = replace(move, records=tuple(map(turned, move.records)))

        class Told:
            head = game.head
            line = staticmethod(game.line)

            class journal:  # noqa: N801
                moves = staticmethod(lambda first, last: iter([false]))

        told = dice_check(Told, game.journal.seeds())  # type: ignore[arg-type]
    assert told.wrong == 1
    assert "its seed throws" in told.throws[0].text


def test_the_dice_of_a_demonstration_are_checked_too(person: Any) -> None:
    """Its moves came without a seed: that is said, and is no error."""
    ada = person("Ada")
    ada.table = ada.call("POST", "/demonstration", name="Ada").json()["table"]
    answer = ada.get("/dice/check")
    assert answer.status_code == 200
    told = answer.json()
    assert told["throws"]
    assert {(it["verdict"], it["seed"]) for it in told["throws"]} <= {("elsewhere", 0), ("given", 0)}
    assert (told["wrong"], told["late"], told["sealed"], told["checked"]) == (0, 0, 0, 0)
