"""Chances of places and countries: counted future by future, the same for any workers, and what decides them."""

from __future__ import annotations

from pathlib import Path

import pytest

from warcabinet.cli.main import main
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.plans.atlas import LOOKED_AT, Look
from warcabinet.plans.chances import turns_out
from warcabinet.plans.form import plan_of
from warcabinet.plans.futures import hinges_of
from warcabinet.plans.results import Result
from warcabinet.plans.run import Run, by_processes, here, run_plan

SAMPLES = 40
TEXT = """plan: Does Warsaw fall?
until: Spring 1940
uncertain:
  Warsaw falls: {one of: {Fall 1939: 2, Winter 1939: 1, never: 1}}
  Denmark: {chance: 50%}
orders:
  - {when: "Fall 1939, Axis, combat", if: Warsaw falls is Fall 1939, do: report_control, places: [Warsaw], by: germany}
  - when: Winter 1939, Axis, combat
    if: Warsaw falls is Winter 1939
    do: report_control
    places: [Warsaw]
    by: germany
  - {if: Denmark, when: "Spring 1940, Axis, declarations of war", do: declare_war, power: germany, "on": [denmark]}
  - {if: Denmark, when: "Spring 1940, Axis, combat", do: report_control, places: [Copenhagen], by: germany}
"""


@pytest.fixture(scope="module")
def result() -> Result:
    return run_plan(Run(plan_of("the plan", TEXT), SAMPLES, 3), here)


def fallen(*outcomes: str) -> list[int]:
    """The futures in which it turned out so, by the odds alone."""
    odds = hinges_of(plan_of("the plan", TEXT))["Warsaw falls"]
    return [it for it in range(SAMPLES) if turns_out(3, it, "Warsaw falls", odds) in outcomes]


def test_shares_are_counts_of_futures(result: Result) -> None:
    chance = Look(result.atlas, "Winter 1939").chance("Warsaw")
    early, late = fallen("Fall 1939"), fallen("Winter 1939")
    stands = {it.what: it.futures for it in chance.stands}
    assert stands == {"Germany": len(early + late), "Britain": SAMPLES - len(early + late)}  # Poland is its ally
    assert {it.what: it.futures for it in chance.since} == {
        "since Fall 1939": len(early),
        "since Winter 1939": len(late),
    }
    before = Look(result.atlas, "Fall 1939").chance("Warsaw")
    assert {it.what: it.futures for it in before.stands}["Germany"] == len(early)


def test_what_decides_it_is_named_and_luck_is_not(result: Result) -> None:
    (cause,) = Look(result.atlas, "Spring 1940").chance("Warsaw").causes
    assert cause.thing == "Warsaw falls"
    assert cause.share == 1
    never = fallen("never")
    assert [(it.what, it.futures, it.first) for it in cause.outcomes] == [("never", len(never), never[0])]


def test_the_last_turn_is_seen_to_its_end(result: Result) -> None:
    assert result.atlas.turns() == ("Fall 1939", "Winter 1939", "Spring 1940")
    denmark = Look(result.atlas, "Spring 1940").chance("denmark")
    assert {it.thing for it in denmark.causes} == {"Denmark"}
    assert any(it.what == "conquered by Germany" for it in denmark.stands)


def test_some_of_the_futures_alone(result: Result) -> None:
    look = Look(result.atlas, "Spring 1940", "europe/M35 is britain")
    assert look.all.bit_count() == len(fallen("never"))
    assert [it.what for it in look.chance("Warsaw").stands] == ["Britain"]


def test_workers_change_nothing(result: Result) -> None:
    assert run_plan(Run(plan_of("the plan", TEXT), SAMPLES, 3, parts=4), by_processes(2)).atlas == result.atlas


def test_no_more_room_for_more_futures(result: Result) -> None:
    assert all(
        len(bits) <= LOOKED_AT // 8 for it in result.atlas.of.values() for s in it.since for bits in s.went.values()
    )


def test_what_is_not_there_is_said(result: Result) -> None:
    with pytest.raises(WarCabinetError, match="is not played in this run"):
        Look(result.atlas, "Spring 1944")
    with pytest.raises(WarCabinetError, match="atlantis"):
        Look(result.atlas, "Spring 1940").chance("atlantis")


def test_the_command_line_tells_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plan = tmp_path / "warsaw.yaml"
    plan.write_text(TEXT, encoding="utf-8")
    main(["plan", "run", str(plan), "--samples", "12", "--workers", "1", "--into", str(tmp_path / "run")])
    capsys.readouterr()
    main(["plan", "chances", str(tmp_path / "run"), "--by", "Winter 1939", "--of", "Warsaw"])
    told = capsys.readouterr().out
    assert "Warsaw by Winter 1939" in told
    assert "the others: Warsaw falls never" in told
    with pytest.raises(SystemExit):
        main(["plan", "chances", str(tmp_path / "run"), "--by", "Spring 1950"])
    assert "is not played in this run" in capsys.readouterr().err
