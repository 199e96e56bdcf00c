"""Nothing is lost and nothing done twice: other writers, events with ids, keys, dice, rules that stay."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attacks import ROLL, SPEND, file_of

from warcabinet.game import Game
from warcabinet.game.engine import ENGINE
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import examine, open_game
from warcabinet.store.database import StorageError
from warcabinet.store.journal import SqlJournal
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import Known, known
from warcabinet.web.server.app import create_app
from warcabinet.web.table.event_stream import _caught_up
from warcabinet.web.table.gate import Visitor, sitter_at

# -- other writers (5) ------------------------------------------------------------------------------------------------


def test_a_move_from_outside_is_noticed_and_play_goes_on(solo: Any, settings: Settings) -> None:
    open_game(file_of(settings, solo.table)).do({"do": "roll", "purpose": "from outside"})
    assert solo.get().json()["head"] == 4
    assert "from outside" in solo.get("/log").text
    assert solo.do(**SPEND).status_code == 200
    assert examine(file_of(settings, solo.table)).ok


def test_a_second_server_on_the_folder_is_refused(settings: Settings, app: Any) -> None:
    with pytest.raises(WarCabinetError, match="another server uses"):
        create_app(settings)


# -- events with ids (6) ----------------------------------------------------------------------------------------------


def test_a_page_that_was_away_gets_what_it_missed(person: Any, two: Any) -> None:
    axis, allies = two
    fan = person("Fan").join(axis.invite("spectators"))
    server = axis.client.app.state.server

    def missed(player: Any, since: Known | None) -> tuple[Known, list[tuple[str, Any]]]:
        who = server.hall.people.person(next(iter(player.client.cookies.values())))
        now, news = _caught_up(server, sitter_at(server, Visitor(who), axis.table), since)
        return now, [(it.kind, json.loads(it.data)) for it in news]

    since, nothing = missed(fan, None)
    assert nothing == []
    axis.do(**SPEND)
    axis.post("/talk", text="to all")
    axis.post("/talk", text="psst", to="seat2")
    now, news = missed(fan, since)
    assert [kind for kind, _ in news] == ["move", "talk"]
    assert news[0][1]["id"] == 4
    assert news[1][1]["text"] == "to all"
    assert [it["text"] for kind, it in missed(allies, since)[1] if kind == "talk"] == ["to all", "psst"]
    assert missed(fan, now)[1] == []


def test_ids_that_pages_make_up_are_nothing() -> None:
    assert known("3.14") == Known(3, 14)
    for made_up in ("", "x", "3", "3.x", "-1.2", "²." + "9", "9" * 30 + ".1"):
        assert known(made_up) is None


# -- twice (20) -------------------------------------------------------------------------------------------------------


def keyed(player: Any, path: str, key: str, **body: Any) -> Any:
    url = f"/api/v1/tables/{player.table}{path}"
    return player.client.post(url, json=body, headers={"idempotency-key": key})


def test_an_order_sent_twice_is_carried_out_once(two: Any) -> None:
    axis, allies = two
    first = keyed(axis, "/do", "a1", **SPEND).json()
    again = keyed(axis, "/do", "a1", **SPEND)
    assert again.status_code == 200
    assert again.json()["moves"] == first["moves"]
    assert axis.get().json()["head"] == 4
    assert keyed(axis, "/do", "a2", **SPEND).json()["head"] == 5
    assert keyed(axis, "/do", "a1", **ROLL).status_code == 409
    # Another person's key of the same name is another key.
    assert keyed(allies, "/undo", "a1").json()["asked"]


def test_many_at_once_with_one_key_move_once(solo: Any) -> None:
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: keyed(solo, "/do", "same", **ROLL).status_code, range(8)))
    assert codes == [200] * 8
    assert solo.get().json()["head"] == 4


def test_going_on_undoing_and_consent_twice_do_it_once(two: Any) -> None:
    axis, allies = two
    first = keyed(axis, "/advance", "n", to="").json()
    assert keyed(axis, "/advance", "n", to="").json()["moves"] == first["moves"]
    axis.do(**SPEND)
    head = axis.get().json()["head"]
    assert keyed(axis, "/undo", "u").json()["done"]
    assert keyed(axis, "/undo", "u").json()["done"]
    assert axis.get().json()["head"] == head + 1
    assert keyed(axis, "/redo", "r").json()["done"]
    assert keyed(axis, "/redo", "r").json()["done"]
    axis.do(**ROLL)
    axis.post("/undo")
    axis.post("/undo")
    asked = [line for line in axis.get("/talk").json() if "asks to undo" in line["text"]]
    assert len(asked) == 1
    head = axis.get().json()["head"]
    assert keyed(allies, "/consent", "c", agree=True).json()["done"]
    assert keyed(allies, "/consent", "c", agree=True).json()["done"]
    assert axis.get().json()["head"] == head + 1


def test_orders_that_are_given_together_come_twice_and_are_carried_out_once(solo: Any) -> None:
    first = keyed(solo, "/do-all", "k", orders=[SPEND, SPEND])
    again = keyed(solo, "/do-all", "k", orders=[SPEND, SPEND])
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert len(first.json()["moves"]) == 2
    assert again.json()["moves"] == first.json()["moves"]
    assert solo.get().json()["head"] == 5


def test_orders_that_are_given_together_are_written_together(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends in between leaves none of them, and under the same key all are given."""
    before, write = solo.get().json()["head"], SqlJournal._write

    def ends(self: SqlJournal, db: Any, move: Any, state: Any) -> str:
        if move.id == before + 2:
            raise StorageError("the process ends here")
        return write(self, db, move, state)

    with monkeypatch.context() as patched:
        patched.setattr(SqlJournal, "_write", ends)
        assert keyed(solo, "/do-all", "k", orders=[SPEND, SPEND]).status_code == 503
    assert solo.get().json()["head"] == before
    for _ in range(2):
        assert len(keyed(solo, "/do-all", "k", orders=[SPEND, SPEND]).json()["moves"]) == 2
    assert solo.get().json()["head"] == before + 2


def test_another_writer_in_between_is_a_conflict_and_nothing_is_given(
    solo: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, append = solo.get().json()["head"], SqlJournal.append_all

    def overtaken(self: SqlJournal, lines: Any, **more: Any) -> None:
        monkeypatch.undo()
        open_game(file_of(settings, solo.table)).do({"do": "roll", "purpose": "from outside"})
        append(self, lines, **more)

    for path, body in (("/do-all", {"orders": [SPEND, SPEND]}), ("/undo", {}), ("/do", SPEND), ("/advance", {})):
        monkeypatch.setattr(SqlJournal, "append_all", overtaken)
        overtaken_ = solo.post(path, **body)
        assert (overtaken_.status_code, "meanwhile" in overtaken_.text) == (409, True), path
        before += 1
        assert solo.get().json()["head"] == before
    assert examine(file_of(settings, solo.table)).ok


def test_orders_that_are_refused_together_are_judged_once(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[object] = []
    decide = type(ENGINE)._decide
    monkeypatch.setattr(type(ENGINE), "_decide", lambda *given: judged.append(given[3]) or decide(*given))
    refused = solo.post("/do-all", orders=[SPEND, {**SPEND, "brp": 900}])
    assert (refused.status_code, refused.json()["index"]) == (422, 1)
    assert len(judged) == 2


def test_two_undos_at_once_take_back_one_move(solo: Any) -> None:
    solo.do(**SPEND)
    seq = solo.do(**SPEND).json()["seq"]
    answers = [solo.post("/undo", seq_seen=seq).status_code for _ in range(2)]
    assert answers == [200, 409]
    assert solo.post("/redo", seq_seen=seq).status_code == 409


def test_a_key_survives_a_restart(settings: Settings, solo: Any) -> None:
    first = keyed(solo, "/do", "k", **ROLL).json()
    solo.client.app.state.server.tables.close()
    assert keyed(solo, "/do", "k", **ROLL).json()["moves"] == first["moves"]


# -- dice -------------------------------------------------------------------------------------------------------------


def test_dice_are_committed_to_and_revealed_at_the_table(two: Any) -> None:
    axis, allies = two
    (sealed,) = allies.get("/dice").json()
    assert "secret" not in sealed
    axis.do(**ROLL)
    told = allies.post("/dice/reveal").json()
    assert told[0]["commitment"] == sealed["commitment"]
    assert len(told[0]["secret"]) == 64
    assert "secret" not in told[1]
    assert allies.post("/dice/reveal").status_code == 409
    assert axis.do(**ROLL).status_code == 200


# -- rules pinned -----------------------------------------------------------------------------------------------------


def test_a_table_keeps_its_rules_until_its_people_agree(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    axis, allies = two
    monkeypatch.setattr("warcabinet.web.table.pinned.__version__", "9.9.9")
    monkeypatch.setattr("warcabinet.web.api.api_people.__version__", "9.9.9")
    refused = axis.do(**SPEND)
    assert refused.status_code == 409
    assert "rules of" in refused.json()["error"]
    assert axis.post("/advance", to="").status_code == 409
    assert axis.get().status_code == 200
    told = axis.get("/rules").json()
    assert (told["server"], told["same"], told["differences"], told["missing"]) == ("9.9.9", False, [], ["Ada", "Ben"])
    assert not axis.post("/rules/agree").json()["done"]
    assert axis.get("/rules").json()["missing"] == ["Ben"]
    assert axis.do(**SPEND).status_code == 409
    assert allies.post("/rules/agree").json()["done"]
    assert axis.do(**SPEND).status_code == 200
    assert allies.post("/rules/agree").status_code == 409


def test_what_newer_rules_would_judge_differently_is_shown_first(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.web.table.pinned.__version__", "9.9.9")
    monkeypatch.setattr(Game, "redecide", lambda game: ["move 2 (mobilize): today refused by 36.1"])
    assert solo.get("/rules").json()["differences"] == ["move 2 (mobilize): today refused by 36.1"]
