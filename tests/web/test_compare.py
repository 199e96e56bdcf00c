"""Two lines of a game side by side, and what a reading, an option or a ruling would move before it is chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from warcabinet.cli.main import cli

SPEND = {"do": "spend", "power": "germany", "brp": 12, "on": "offensive operations"}


def copied(player: Any) -> Any:
    return player.post("/what-if", title="What if").json()["table"]


def test_a_copy_says_of_what_it_is_one(solo: Any) -> None:
    copy = copied(solo)
    head = solo.call("GET", f"/tables/{copy}").json()["table"]
    assert (head["parent"], head["parent_move"]) == (solo.table, solo.get().json()["head"])


def test_lines_are_one_until_they_part(solo: Any) -> None:
    copy = copied(solo)
    common = solo.get().json()["head"]
    same = solo.get("/compare", other=copy).json()
    assert (same["common"], same["figures"], same["land"]) == (common, [], [])
    assert solo.do(**SPEND).status_code == 200
    solo.do(do="report_control", places=["Warsaw"], by="germany")
    solo.call("POST", f"/tables/{copy}/do", do="spend", power="italy", brp=5, on="other")
    told = solo.get("/compare", other=copy).json()
    assert told["common"] == common
    assert (told["here"]["moves"], told["there"]["moves"]) == (2, 1)
    assert "Germany" in told["here"]["text"] or "germany" in told["here"]["text"]
    by = {(it["rule"], *it["args"]): it for it in told["figures"]}
    german, italian = by["level", "germany"], by["level", "italy"]
    assert german["there"] - german["here"] == 12
    assert (german["since_here"], german["since_there"]) == (common + 1, 0)
    assert italian["here"] - italian["there"] == 5
    assert (italian["since_here"], italian["since_there"]) == (0, common + 1)
    (land,) = [it for it in told["land"] if "Warsaw" in it["places"]]
    assert (land["here"], land["there"], land["count"]) == ("Germany", "Poland", 1)


def test_tables_of_others_are_not_compared(solo: Any, person: Any) -> None:
    stranger = person("Eve").create()
    assert solo.get("/compare", other=stranger.table).status_code == 404
    empty = solo.call("POST", "/tables", title="B", name="Ada", scenario="empty").json()["table"]
    assert "have not even their start in common" in solo.get("/compare", other=empty).text


def test_the_command_line_compares(tmp_path: Path) -> None:
    run = CliRunner()
    a, b = str(tmp_path / "a.warcabinet"), str(tmp_path / "b.warcabinet")
    for file in (a, b):
        made = run.invoke(cli, ["new", file])
        assert made.exit_code == 0, made.output
    run.invoke(cli, ["do", "mobilize", "power=italy", "units=2 army air, 2 infantry 1-3", "-g", a])
    done = run.invoke(cli, ["do", "spend", "power=germany", "brp=9", "on=other", "-g", b])
    assert done.exit_code == 0, done.output
    told = run.invoke(cli, ["compare", a, b])
    assert told.exit_code == 0, told.output
    assert "One until move 1" in told.output
    found = json.loads(run.invoke(cli, ["compare", a, b, "--json"]).output)
    level = next(it for it in found["figures"] if it["rule"] == "level" and it["args"] == ["germany"])
    assert level["here"] - level["there"] == 9


def test_a_reading_shows_first_which_figures_move(solo: Any) -> None:
    from warcabinet.model.rulings import rulings

    moved = 0
    for ruling in rulings().values():
        other = next((it for it in ruling.selectable if it != ruling.choice), None)
        if other is None or len(ruling.same_as) or moved:
            continue
        seen = solo.post("/preview", do="choose_reading", ruling=ruling.id, reading=other).json()
        if seen["accepted"]:
            assert isinstance(seen["figures"], list)
            moved += bool(seen["figures"])
    assert moved
    assert solo.post("/preview", **SPEND).json()["figures"] is None


def test_a_ruling_of_the_referee_shows_what_it_moves(solo: Any) -> None:
    seen = solo.post("/preview", do="rule", rule="construction_limit", args=["germany"], **{"is": 1, "reason": "x"})
    by = {(it["rule"], *it["args"]): it for it in seen.json()["figures"]}
    assert by["construction_limit", "germany"]["there"] == 1
    assert ("construction_limit", "italy") not in by


def test_the_command_line_shows_first_what_an_edition_or_a_reading_moves(tmp_path: Path) -> None:
    run = CliRunner()
    game = str(tmp_path / "a.warcabinet")
    run.invoke(cli, ["new", game])
    told = run.invoke(cli, ["explain", "do", "correct", "figure=options.edition", "to=prequel", "reason=x", "-g", game])
    assert told.exit_code == 0, told.output
    found = json.loads(
        run.invoke(
            cli, ["explain", "do", "correct", "figure=options.edition", "to=prequel", "reason=x", "-g", game, "--json"]
        ).output
    )
    assert found["figures"]
    assert f"Figures that would move in this position: {len(found['figures'])}" in told.output
    reading = run.invoke(cli, ["explain", "do", "choose_reading", "ruling=R-0080", "reading=b", "-g", game])
    assert "Figures that would move in this position" in reading.output
    assert (
        "Figures"
        not in run.invoke(cli, ["explain", "do", "spend", "power=italy", "brp=1", "on=other", "-g", game]).output
    )
