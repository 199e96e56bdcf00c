"""The best plan: decisions left open, tried on the same futures, and what is said of the one that is best."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from warcabinet.cli.main import main
from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.plans.choices import Choice, as_it_stands, settled, size_of
from warcabinet.plans.counsel import FRESH, Counsel, Dot, counsel
from warcabinet.plans.counsel_page import counsel_page
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.judging import Judged, judges, judges_here
from warcabinet.plans.run import Run, here, run_plan
from warcabinet.plans.search import Bench, Effort, Search

HEAD = "plan: a try\nuntil: Spring 1940\n"
#: Germany leaves so much in Winter 1939 and grows by a tenth of it (35.31A), bounded by its conquests (35.33A).
SAVED = """\
plan: Left in the first winter
until: Spring 1940
uncertain:
  Poland falls: {chance: 50%}
choose:
  saved: {from: 20, to: 120, by: 20}
orders:
  - {if: Poland falls, when: "Fall 1939, Axis, combat", do: report_control, places: [Warsaw], by: germany}
keep:
  germany: {build: [infantry 3-3, armor 4-6, army air], leave: {1939: "{saved}"}}
want:
  - {most: germany base, at: Spring 1940}
"""
FEW = Effort(plans=10, samples=4, fresh=8, seed=3)
#: Ten thousand ways: too many to try them all.
MANY = (
    SAVED.replace("to: 120, by: 20", "to: 120")
    .replace(
        "orders:", "  first: {order of: [infantry 3-3, armor 4-6, army air]}\n  more: {one of: [0, 5, 10]}\norders:"
    )
    .replace("[infantry 3-3, armor 4-6, army air], leave", '"{first}", reserve: "{more}", leave')
)


def searched(program: Program, effort: Effort, workers: int = 1, folder: Path | None = None) -> Counsel:
    start = program.start()
    with judges(workers) as those:
        search = Search(program, Bench(program, start, effort, those, folder), effort)
        search.run()
        return counsel(search, start)


@pytest.fixture(scope="module")
def exact() -> Counsel:
    return searched(plan_of("saved", SAVED), FEW)


def test_a_small_space_is_tried_whole(exact: Counsel) -> None:
    assert (exact.exact, exact.ways, exact.tried, exact.judged_whole) == (True, 6, 6, 6)
    assert exact.best is not None
    # 150 and a tenth of what is left; without conquests the ceiling of 35.33A is the base itself.
    assert any(it.text.startswith("Build ") and it.text.endswith(" at Berlin") for it in exact.story)
    left = next(it for it in exact.story if it.text.startswith("Leave"))
    grown = int(left.text.rsplit(" ", 1)[1])
    assert left.clauses[0] == "35.33A"
    assert exact.best.medians[0] == 150 + grown
    assert exact.best.means[0] == max(it.means[0] for it in (exact.best, *exact.runners))


def test_it_is_held_against_the_plan_as_it_stands_and_the_steward(exact: Counsel) -> None:
    assert [it.than for it in exact.gains] == ["the plan as it stands", "the steward"]
    stands = exact.gains[0]
    assert exact.best is not None
    assert stands.by[0] == pytest.approx(exact.best.means[0] - exact.others[0].means[0], abs=0.001)
    assert exact.worth[0].decision == "saved"
    assert exact.worth[0].lost == stands.by[0], "it is the only decision"
    assert exact.hangs_on[0].thing == "Poland falls"


def test_it_is_held_against_history_where_that_is_said() -> None:
    found = searched(plan_of("saved", SAVED.replace("saved: {", "saved: {history: 40, ")), FEW)
    assert [it.than for it in found.gains] == ["the plan as it stands", "history", "the steward"]
    past = plan_of("saved", SAVED, {"saved": 40})
    same = Judged(past, FEW.seed, FRESH, FEW.fresh).verdict(past.start())
    assert found.others[1].means[0] == pytest.approx(same.means()[0], abs=0.001)
    with pytest.raises(DataError, match="`history` is one of the ways"):
        plan_of("saved", SAVED.replace("saved: {", "saved: {history: 41, "))


def test_a_bound_of_the_rules_is_measured(exact: Counsel) -> None:
    """With Poland conquered or not, growth stops at the ceiling: one more of it is one more of base."""
    worth = {it.limit: it for it in exact.bounds}
    assert worth["construction limit"].clause == "39.31"
    assert set(worth) == {"construction limit", "german base ceiling", "growth rate", "mobilization size"}
    assert worth["german base ceiling"].worth > 0


def test_the_best_plan_is_a_plan_of_its_own(exact: Counsel) -> None:
    """Nothing in it is open; run on the same futures it shows the same figures."""
    plain = plan_of("best.yaml", exact.text)
    assert exact.best is not None
    assert not plain.plan.choose
    assert plain.plan.keep["germany"].leave == {1939: exact.best.taken["saved"]}
    result = run_plan(Run(plain, 8, FEW.seed), here)
    chosen = plan_of("saved", SAVED, exact.best.taken)
    same = Judged(chosen, FEW.seed, 0, 8).verdict(chosen.start())
    assert result.questions[0].median == sorted(same.values[0])[3]


def test_the_ends_of_a_plot_are_told_apart(exact: Counsel) -> None:
    """However near to each other: a search whose plans are nearly alike showed one number twice."""
    near = tuple(Dot(n, (154 + n / 10,), n == 1) for n in range(1, 4))
    labels = re.findall(r'text-anchor="end">([\d.]+)<', counsel_page(msgspec.structs.replace(exact, dots=near)))
    assert labels == ["154.3", "154.1"]  # what is plotted is said below, where no name is too long for it


def test_what_must_never_happen_rules_plans_out() -> None:
    text = SAVED + "never: [germany level < 70 and turn >= Winter 1939]\n"
    free, bounded = (searched(plan_of("saved", it), FEW) for it in (SAVED, text))
    assert free.best is not None
    if bounded.best is not None:
        assert not bounded.best.broken
        assert bounded.best.taken["saved"] >= 60  # type: ignore[operator]
    none = searched(plan_of("saved", SAVED + "never: [germany level < 1000]\n"), FEW)
    assert none.best is None
    assert none.forbidden == ("never: germany level < 1000",)


def test_what_must_never_happen_is_told_by_a_run() -> None:
    result = run_plan(Run(plan_of("saved", SAVED + "never: [germany at war with poland]\n"), 2, 0), here)
    assert [(it.order, it.futures) for it in result.breaks] == [("never: germany at war with poland", 2)]


def test_several_goals_give_a_curve() -> None:
    text = SAVED + "  - {least: germany unbuilt, at: Spring 1940}\n"
    found = searched(plan_of("saved", text), FEW)
    assert len(found.goals) == 2
    means = [it.means for it in found.curve]
    assert means == sorted(means, key=lambda it: (-it[0], it[1]))
    for one in means:
        assert not any(it[0] >= one[0] and it[1] <= one[1] and it != one for it in means)


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    program, start = plan_of("saved", SAVED), plan_of("saved", SAVED).start()
    asked: list[int] = []

    def counting(question: bytes, trials: Sequence[bytes]) -> list[bytes]:
        asked.append(len(trials))
        return judges_here(question, trials)

    def go() -> Counsel:
        search = Search(program, Bench(program, start, FEW, counting, tmp_path), FEW)
        search.run()
        return counsel(search, start)

    first = go()
    kept = (tmp_path / "tried.jsonl").read_bytes()
    judged, whole = sum(asked), kept.splitlines(keepends=True)
    (tmp_path / "tried.jsonl").write_bytes(b"".join(whole[:4]) + whole[4][:20] + b"\n")
    asked.clear()
    assert go() == first
    assert sum(asked) == judged - 4, "what is half written is judged again, nothing else"
    asked.clear()
    assert go() == first
    assert not asked
    with pytest.raises(WarCabinetError, match="holds another search"):
        Bench(program, start, Effort(plans=9), counting, tmp_path)


def test_optuna_proposes_the_same_for_any_number_of_workers() -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed: pip install 'warcabinet[counsel]'")
    program = plan_of("many", MANY)
    assert size_of(program.plan.choose) == 101 * 6 * 3
    effort = Effort(plans=24, samples=12, fresh=8, seed=5)
    one, two = searched(program, effort), searched(program, effort, workers=2)
    assert one == two
    assert not one.exact
    assert 24 < one.tried < 24 + 2 * 24, "what was proposed, and then what lies beside the best"
    assert one.judged_whole < one.tried, "what looks worse is left after few futures"
    assert one.best is not None
    assert one.gains[0].by[0] >= 0


def test_without_optuna_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(WarCabinetError, match=r"pip install 'warcabinet\[counsel\]'"):
        searched(plan_of("many", MANY), Effort(plans=4, samples=1, fresh=1))


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (HEAD + "choose:\n  a: {}\n", 4, "say what is open"),
        (HEAD + "choose:\n  a: {from: 3}\n", 4, "say what is open"),
        (HEAD + "choose:\n  a: {from: 9, to: 3}\n", 4, "from the smaller to the larger"),
        (HEAD + "choose:\n  a: {from: 0, to: 9999}\n", 4, "raise `by`"),
        (HEAD + "choose:\n  a: {from: Winter 1940, to: Spring 1940}\n", 4, "comes before"),
        (HEAD + "choose:\n  a: {from: Spring 1940, to: Someday}\n", 4, "Someday"),
        (HEAD + "choose:\n  a: {one of: [1]}\n", 4, "nothing is open"),
        (HEAD + "choose:\n  a: {one of: [1, 1]}\n", 4, "named twice"),
        (HEAD + "choose:\n  a: {one of: [1, 2], now: 3}\n", 4, "`now` is one of the ways"),
        (HEAD + "choose:\n  a: {one of: [1, 2], by: 3}\n", 4, "go with `from`"),
        (HEAD + "choose:\n  a: {order of: [a, b, c, d, e, f, g, h, i]}\n", 4, "two to 8"),
        (HEAD + "choose:\n  a: {any of: [1, 2]}\n", 4, "unknown key 'any of'"),
        (HEAD + "choose: [1]\n", 3, "each decision by its name"),
        (HEAD + "choose:\n  a and b: {one of: [1, 2]}\n", 4, "could not be asked for"),
        (HEAD + "uncertain:\n  a: {chance: 0.5}\nchoose:\n  a: {one of: [1, 2]}\n", 6, "uncertain already"),
        (HEAD + "choose:\n  a: {one of: [1, 2]}\nkeep:\n  germany: {leave: '{b}'}\n", 6, "unknown decision 'b'"),
        (HEAD + "choose:\n  a: {one of: [x, y]}\nkeep:\n  germany: {leave: '{a}'}\n", 6, "a whole number"),
        (HEAD + "choose:\n  a: {one of: [armor 4-6, dragons]}\nkeep:\n  germany: {build: ['{a}']}\n", 6, "dragons"),
        (HEAD + "want:\n  - {at: Spring 1940}\n", 4, "what is wanted is `most`"),
        (HEAD + "want:\n  - {most: germany luck, at: Spring 1940}\n", 4, "luck"),
        (HEAD + "want:\n  - {most: germany base, at: Spring 1944}\n", 4, "after the end of the plan"),
        (HEAD + "want:\n  - {chance: Paris is green, at: Spring 1940}\n", 4, "Paris"),
        (HEAD + "never: [Paris is green]\n", 3, "Paris"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(DataError) as error:
        plan_of("mine.yaml", text)
    assert str(error.value).startswith(f"mine.yaml, line {line}:"), error.value
    assert told in str(error.value)


@pytest.mark.parametrize(("text", "told"), [(HEAD, "nothing is open"), (SAVED.split("want")[0], "nothing is wanted")])
def test_without_question_there_is_no_best(text: str, told: str) -> None:
    program = plan_of("mine.yaml", text)
    with pytest.raises(WarCabinetError, match=told):
        searched(program, FEW)


def test_a_turn_that_is_never_orders_nothing() -> None:
    text = HEAD + "choose:\n  Norway: {from: Spring 1940, to: Spring 1940, or: [never]}\n"
    text += (
        'orders:\n  - {when: "{Norway}, Axis, declarations of war", do: declare_war, power: germany, "on": [norway]}\n'
    )
    assert len(plan_of("mine.yaml", text).orders) == 1
    assert len(plan_of("mine.yaml", text, {"Norway": "never"}).orders) == 0


def test_decisions_stand_where_their_names_stood() -> None:
    taken = {"a": 3, "b": ("x", "y"), "c": "Spring 1941"}
    found = settled({"one": "{a}", "two": ["{b}", "z"], "three": "{c}, Axis", "four": "{other}"}, taken)
    assert found == {"one": 3, "two": ["x", "y", "z"], "three": "Spring 1941, Axis", "four": "{other}"}
    assert as_it_stands({"a": Choice(order_of=("p", "q"))}) == {"a": ("p", "q")}


def test_the_command_line_tells_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(SAVED)
    effort = ("--plans", "10", "--samples", "2", "--fresh", "4", "--workers", "1")
    main(["plan", "best", str(mine), *effort, "--into", str(tmp_path / "out")])
    told = capsys.readouterr().out
    assert "all 6 ways were tried" in told
    assert "better than the steward" in told
    assert {"best.yaml", "counsel.json", "tried.jsonl"} <= {it.name for it in (tmp_path / "out").iterdir()}
    main(["plan", "best", str(mine), *effort, "--json"])
    assert json.loads(capsys.readouterr().out)["ways"] == 6
    main(["plan", "check", str(mine), "--json"])
    checked = json.loads(capsys.readouterr().out)
    assert (checked["open"], checked["ways"], checked["uncertain"]) == (["saved"], 6, ["Poland falls"])
    with pytest.raises(SystemExit):
        main(["plan", "best", "allied-aid"])
    assert "nothing is open" in capsys.readouterr().err
