"""`warcabinet plan` as a reader of docs/plans.md uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from warcabinet.cli.main import main

ROOT = Path(__file__).parents[2]


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    main(["plan", *args])
    return capsys.readouterr().out


def examples() -> list[str]:
    """The plans that the documentation spells out whole."""
    found = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "plans.md").read_text(), re.DOTALL)
    return [it for it in found if it.startswith("plan:")]


def test_the_first_plan_of_the_documentation_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (text,) = examples()
    mine = tmp_path / "mine.yaml"
    mine.write_text(text)
    told = run(capsys, "run", str(mine), "--samples", "1", "--workers", "1", "--into", str(tmp_path / "out"))
    answer = next(line for line in told.splitlines() if "Our base in 1941" in line)
    assert answer.strip() in (ROOT / "docs" / "plans.md").read_text(), "the documentation shows what a run says"
    assert {it.name for it in (tmp_path / "out").iterdir()} >= {"page.html", "figures.csv", "result.jsonl"}


def test_a_future_opens_as_a_game_and_stands_beside_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (text,) = examples()
    mine, file, out = tmp_path / "mine.yaml", tmp_path / "one.warcabinet", tmp_path / "out"
    mine.write_text(text.replace("Spring 1941", "Winter 1939"))
    run(capsys, "run", str(mine), "--samples", "1", "--workers", "1", "--into", str(out))
    assert "1940 year start" in run(capsys, "open", str(mine), "--future", "0", "-o", str(file))
    main(["verify", "--game", str(file)])
    capsys.readouterr()
    beside = json.loads(run(capsys, "compare", str(out), "--game", str(file), "--json"))
    assert beside["figures"] == []


def test_a_future_opens_from_any_moment_of_a_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`--at` starts from a move that was made long ago; what came after it is not in the game that opens."""
    (text,) = examples()
    mine, game, other = tmp_path / "mine.yaml", tmp_path / "one.warcabinet", tmp_path / "two.warcabinet"
    mine.write_text(text.replace("Spring 1941", "Winter 1939"))
    run(capsys, "open", str(mine), "-o", str(game))
    told = run(capsys, "run", str(mine), "-g", str(game), "--at", "1", "--samples", "1", "--workers", "1")
    assert "1 of 1 futures to the end" in told
    assert "1940 year start" in run(capsys, "open", str(mine), "-g", str(game), "--at", "1", "-o", str(other))
    main(["verify", "--game", str(other)])
    with pytest.raises(SystemExit):
        main(["plan", "open", str(mine), "-g", str(game), "-o", str(tmp_path / "three.warcabinet")])
    assert "the game is past Winter 1939" in capsys.readouterr().err.replace("\n", " ")


def test_shipped_plans_are_listed_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    names = json.loads(run(capsys, "list", "--json"))
    best = {f"best-{it}" for it in ("aid-to-russia", "american-mobilization", "barbarossa", "german-growth")}
    assert set(names) == {"as-it-happened", "germany-grows-first", "allied-aid", *best}
    assert "Barbarossa" in run(capsys, "check", "germany-grows-first")


def test_a_bad_plan_ends_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("plan: a\nuncertain:\n  rain: {chance: 3}\n")
    with pytest.raises(SystemExit) as ended:
        main(["plan", "run", str(bad)])
    assert ended.value.code == 2
    assert "bad.yaml, line 3" in capsys.readouterr().err.replace("\n", " ")
