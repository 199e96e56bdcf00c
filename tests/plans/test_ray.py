"""The same futures on a real Ray cluster of two workers, one of which is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.plans import run as running
from warcabinet.plans.counsel import counsel
from warcabinet.plans.form import plan_of
from warcabinet.plans.judging import Judges, judges, judges_here
from warcabinet.plans.run import Run, by_ray, here, play_part, run_plan
from warcabinet.plans.search import Bench, Effort, Search

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'warcabinet[cluster]'")
PLAN = """
plan: Dice of every turn
until: Winter 1939
uncertain:
  cost: {between: [1, 12], each: turn}
orders:
  - {each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
ask:
  - {question: German level, at: "Winter 1939, Allied", figure: germany level}
"""


SAVED = """
plan: What is left in 1939
until: Spring 1940
uncertain:
  Poland falls: {chance: 50%}
choose:
  saved: {from: 0, to: 80, by: 40}
orders:
  - {if: Poland falls, when: "Fall 1939, Axis, combat", do: report_control, places: [Warsaw], by: germany}
keep:
  germany: {build: [infantry 3-3], leave: {1939: "{saved}"}}
want:
  - {most: germany base, at: Spring 1940}
"""


@pytest.fixture
def cluster() -> Iterator[None]:
    paths = os.pathsep.join(sys.path)
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    yield
    ray.shutdown()


def test_the_same_figures_and_a_killed_worker_loses_nothing(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, mark = plan_of("dice.yaml", PLAN), str(tmp_path / "killed")

    def dying(brief: bytes, part: bytes) -> bytes:
        if not Path(mark).exists():
            Path(mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play_part(brief, part)

    alone = run_plan(Run(program, 16, 5, parts=6), here)
    monkeypatch.setattr(running, "play_part", dying)
    by_cluster = run_plan(Run(program, 16, 5, parts=6), by_ray("auto"))
    assert Path(mark).exists()
    assert msgspec.json.encode(by_cluster) == msgspec.json.encode(alone)


def test_the_same_best_plan_is_found(cluster: None) -> None:
    """`plan best --ray`: the counsel of a cluster is that of one process, letter by letter."""
    program = plan_of("saved.yaml", SAVED)
    effort = Effort(plans=4, samples=4, fresh=6, seed=3)

    def found(those: Judges) -> bytes:
        search = Search(program, Bench(program, program.start(), effort, those, None), effort)
        search.run()
        return msgspec.json.encode(counsel(search, program.start()))

    with judges(1, "auto") as on_cluster:
        assert found(on_cluster) == found(judges_here)


def test_no_cluster_there_is_said() -> None:
    program = plan_of("dice.yaml", PLAN)
    with pytest.raises(WarCabinetError, match="no Ray cluster answers at"):
        run_plan(Run(program, 16, 5, parts=6), by_ray("127.0.0.1:1"))


def test_without_ray_it_is_said_how_to_get_it() -> None:
    """Where Ray is not installed, `--ray` says what to install, and nothing else needs it."""
    told = "import sys; sys.modules['ray'] = None; from warcabinet.plans.run import by_ray; by_ray('auto')"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert "pip install 'warcabinet[cluster]'" in done.stderr
