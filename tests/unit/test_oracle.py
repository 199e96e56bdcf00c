"""`dev.py oracle`: a slice of it against the last release, and that it notices what has changed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from warcabinet.conformance.running import run_files
from warcabinet.kernel.clause import cite

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "oracle"
sys.path.insert(0, str(TOOL))

from draw import Drawing, Form, Lay, Pile, World, around  # noqa: E402
from pinned import REFERENCE, NotThere, full_name  # noqa: E402
from reproduce import written_steps  # noqa: E402
from verdicts import Difference, Expected, Found, Tally, difference, expected_rows  # noqa: E402

#: An engine in which nobody minds who stands in a capital.
FORGETFUL = """
from today import *
from today import decide as judged

def decide(state, command, dice=(), tell=False):
    ruling = judged(state, command, dice, tell)
    ruling.refusals = tuple(it for it in ruling.refusals if it.clause != "82.56")
    return ruling
"""


def oracle(*words: str | Path) -> tuple[int, dict[str, Any]]:
    told = [sys.executable, str(TOOL), "--json", *map(str, words)]
    ran = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def test_it_judges_as_the_last_release_did_but_for_what_is_expected(tmp_path: Path) -> None:
    try:
        full_name(REFERENCE)
    except NotThere as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    status, told = oracle("--as-released", "--commands", "400", "--save", tmp_path)
    assert told["differences"] == []
    assert status == 0
    assert told["commands"] + told["not_followed"] == 400
    assert told["not_followed"] < 100
    assert told["alike"] + sum(it["times"] for it in told["expected"]) >= told["commands"]
    assert told["verdicts"]["accepted"] > 100
    assert told["verdicts"]["refused"] > 100


def test_a_rule_that_is_forgotten_is_noticed_and_told_as_a_case(tmp_path: Path) -> None:
    adapter = tmp_path / "forgetful.py"
    adapter.write_text(FORGETFUL)
    words = ("--against", ".", "--adapter", adapter, "--only", "displace", "--commands", "150", "--save", tmp_path)
    status, told = oracle(*words, "--sources", "cases")
    assert status == 1
    assert told["differ"] > 0
    assert told["differ"] + told["alike"] == told["commands"] == 150
    group = next(it for it in told["differences"] if it["old"] == "refused 82.56")
    assert (group["kind"], group["new"], group["differs"]) == ("displace", "accepted", "verdict")
    # The case says what was judged before, so an engine that still judges so passes it.
    outcomes = run_files(map(Path, group["cases"]))
    assert [it.message for it in outcomes] == [""]


def test_expected_differences_name_a_clause_and_a_case() -> None:
    cases = "".join(it.read_text(encoding="utf-8") for it in sorted((ROOT / "tests" / "cases").rglob("*.yaml")))
    for row in expected_rows(TOOL / "expected.yaml"):
        cite(row.clause)
        assert f'id: "{row.case}"' in cases, row
        assert row.reason, row


A, B = ["82.41", {"event": "A", "x": 1}], ["82.42", {"event": "B"}]
ACCEPTED = {"verdict": "accepted", "events": [A, B]}


@pytest.mark.parametrize(
    ("events", "what", "detail"),
    [
        ([B, A], "order of events", ""),
        ([A, ["84.1", B[1]]], "clauses of events", "B 82.42 -> 84.1"),
        ([A], "events", "no longer B 82.42"),
        ([["82.41", {"event": "A", "x": 2}], B], "events", "no longer A 82.41; now A 82.41"),
    ],
)
def test_in_what_the_events_of_two_answers_differ(events: Any, what: str, detail: str) -> None:
    assert difference(ACCEPTED, {"verdict": "accepted", "events": events}) == Difference(what, detail)
    assert difference(ACCEPTED, json.loads(json.dumps(ACCEPTED))) is None


def test_in_what_two_verdicts_differ() -> None:
    refused = {"verdict": "refused", "clauses": ["84.32"], "texts": []}
    assert difference(ACCEPTED, refused) == Difference("verdict", "")
    assert difference(refused, {**refused, "clauses": ["84.32", "89.51B"]}) == Difference("clauses", "")


def test_the_number_of_a_promise_says_only_which_was_made_first() -> None:
    def made(*effects: str) -> list[Any]:
        return [["35.73A", {"promise": {"id": number, "effect": it}}] for number, it in enumerate(effects, 1)]

    old = {"verdict": "accepted", "events": made("gain", "loss")}
    assert difference(old, {"verdict": "accepted", "events": made("loss", "gain")}) == Difference("order of events", "")
    assert difference(old, {"verdict": "accepted", "events": made("loss", "loss")}) != Difference("order of events", "")


def test_texts_are_compared_where_it_is_asked() -> None:
    old, new = ({"verdict": "refused", "clauses": ["84.32"], "texts": [it]} for it in ("not yet", "never"))
    assert difference(old, new) is None
    assert difference(old, new, texts=True) == Difference("texts", "not yet -> never")


def found(kind: str = "move", line: str = "case 84.32/1", to: str = "Bangkok") -> Found:
    old, new = {"verdict": "accepted", "events": []}, {"verdict": "refused", "clauses": ["84.32"]}
    return Found(line, {}, (), {"do": kind, "to": to}, (), old, new, Difference("verdict", ""))


def test_what_is_expected_is_counted_apart() -> None:
    row = Expected("move", "accepted", "refused 84.*", "closed", "84.32", "84.32/1", command={"to": "Bang*"})
    tally = Tally([row])
    for it in (found(), found(to="Rangoon"), found(kind="report_move"), found(line="campaign 1001")):
        tally.note(it)
    assert (tally.expected, tally.differ, tally.used) == (2, 2, [2])
    assert {(it.kind, it.old, it.new) for it in tally.groups.values()} == {
        ("move", "accepted", "refused 84.32"),
        ("report_move", "accepted", "refused 84.32"),
    }


def test_a_row_that_says_too_little_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "expected.yaml"
    file.write_text("- {kind: move, old: accepted, new: refused 84.32}")
    with pytest.raises(ValueError, match=r"expected.yaml: .*`reason`"):
        expected_rows(file)


def test_advances_in_a_row_are_one_step() -> None:
    go, spend = {"do": "advance"}, {"do": "spend"}
    steps = ((go, (), "a"), (go, (), "b"), (spend, (3,), "b"), (go, (), "c"), (go, (2,), "d"))
    assert list(written_steps(steps)) == [
        {"do": "advance", "to": "b"},
        {"do": "spend", "dice": [3]},
        {"do": "advance"},
        {"do": "advance", "dice": [2]},
    ]


def test_the_hexes_around_one() -> None:
    assert around("europe/Z10") == [
        "europe/Z11", "europe/Y11", "europe/Y10", "europe/Z9", "europe/AA9", "europe/AA10",
    ]  # fmt: skip
    assert around("box/india_box") == []


def test_commands_are_drawn_by_the_seed_from_what_stands_there() -> None:
    forms = (
        Form("nation", "nation", True),
        Form("unit", "unit", True),
        Form("from", "place", True),
        Form("to", "place", True),
    )
    world = World(
        {"move": forms},
        {"power": ("germany",), "country": (), "nation": ("germany", "italy")},
        dict.fromkeys((*around("europe/K28"), "europe/K28"), "germany") | {"europe/K30": "poland"},
        ("box/india_box",),
        ("europe/K28",),
    )
    lay = Lay([Pile("germany", "armor 4-6", "europe/K28", 2)], [], {})

    def some(seed: int) -> list[Any]:
        dice, drawing = random.Random(seed), Drawing(world, {})
        return [next(drawing.commands(lay, (), dice)) for _ in range(60)]

    assert some(1) == some(1) != some(2)
    plain = [it for it in some(1) if it["nation"] == "germany" and it["from"] == "europe/K28"]
    assert len(plain) > 15
    assert any(it["to"] in around("europe/K28") for it in plain)
