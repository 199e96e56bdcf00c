"""What the suite itself promises: tests are given what they need, and a change is met by the cases it concerns."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import parts
from case_list import PACKAGE, ROOT, concerned, ids_of
from children import DONE, Children
from disk import nobody_waits_for_it
from warcabinet.kernel.clause import catalogue
from warcabinet.store.database import sqlite_engine

TESTS = ROOT / "tests"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
#: What comes with the project itself and with the group `test`.
ALWAYS = {"warcabinet", "msgspec", "yaml", "sqlalchemy", "click", "rich", "starlette", "uvicorn", "jinja2"}
ALWAYS |= {"pytest", "_pytest", "hypothesis", "xdist", "mypy", "ruff", "prompt_toolkit"}


@pytest.mark.parametrize(
    ("path", "groups"),
    [
        ("test_cases.py", set()),
        ("manifest", set()),
        ("browser", {"test-browser"}),
        ("plans/test_ray.py", {"cluster"}),
        ("plans/test_best.py", {"counsel"}),
        ("web/test_postgres.py", {"test-web", "postgres"}),
        ("web/test_schema.py", {"test-web", "test-api"}),
        (".", set(parts.GROUPS.values())),
    ],
)
def test_a_path_names_the_groups_that_it_needs(path: str, groups: set[str]) -> None:
    assert parts.groups([TESTS / path]) == groups


def test_every_group_is_in_pyproject() -> None:
    assert set(parts.GROUPS.values()) | set(parts.PROGRAMS) <= set(EXTRAS)


def test_whatever_a_test_imports_belongs_to_a_group_or_is_always_there() -> None:
    local = {it.stem for it in (*TESTS.rglob("*.py"), *(ROOT / "tools").rglob("*.py"))} | {"dev"}
    known = ALWAYS | local | set(sys.stdlib_module_names) | {it.partition(".")[0] for it in parts.GROUPS}
    for file in TESTS.rglob("*.py"):
        named = re.findall(r"^(?:from|import) ([a-zA-Z_]\w*)[.\w]*(?: import|$| as)", file.read_text("utf-8"), re.M)
        assert set(named) <= known, file


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.GROUPS, "no_such_module", "cluster")
    file = tmp_path / "test_it.py"
    file.write_text("import os\nimport no_such_module.part\n")
    assert parts.missing(file, to_read_it=True) == ["no_such_module"]
    file.write_text('def test_it():\n    pytest.importorskip("no_such_module")\n')
    assert parts.missing(file, to_read_it=True) == []
    assert parts.missing(file, to_read_it=False) == ["no_such_module"]


def test_a_module_of_rules_concerns_the_chapters_that_it_cites() -> None:
    every = {row.chapter for row in catalogue().values()}
    assert {"82", "84", "85"} <= concerned(PACKAGE / "rules" / "minors" / "pacific.py") < every
    assert concerned(PACKAGE / "engine.py") == every
    assert concerned(PACKAGE / "rules" / "no_more.py") == every, "what was removed cannot be asked"


CASE = 'title: t, clauses: ["35.31"], ask: {growth_rate: [italy]}, expect: 10'


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (f'# A word.\n- {{id: "35.31/1", {CASE}}}\n- id: 35.31/2\n  title: t\n', ["35.31/1", "35.31/2"]),
        (f"- {{{CASE}, id: 35.31/3}}\n", ["35.31/3"]),
        (f"[{{id: 35.31/4, {CASE}}}]\n", ["35.31/4"]),
    ],
)
def test_ids_are_found_however_a_case_is_written(tmp_path: Path, text: str, ids: list[str]) -> None:
    file = tmp_path / "some.yaml"
    file.write_text(text)
    assert ids_of(file) == ids


@pytest.mark.parametrize(("concurrent", "waits"), [(False, 3), (True, 2)])
def test_only_what_asks_for_it_does_not_wait_for_the_disk(tmp_path: Path, concurrent: bool, waits: int) -> None:
    def found(name: str) -> int:
        (tmp_path / name).touch()
        engine = sqlite_engine(tmp_path / name, concurrent=concurrent)
        with engine.connect() as db:
            said = db.exec_driver_sql("PRAGMA synchronous").scalar()
        engine.dispose()
        return int(said)

    with nobody_waits_for_it():
        assert found("quick") == 0
    assert found("sure") == waits


# -- Children ------------------------------------------------------------------------------------------------------


@pytest.fixture
def children() -> Iterator[Children]:
    made = Children(seconds=1)
    yield made
    made.end()


def _says_who(file: Path) -> None:
    file.write_text(f"{os.getpid()} {threading.active_count()}")


def _fails() -> None:
    raise AssertionError


def _waits() -> None:
    threading.Event().wait()


def _begins_a_thread() -> None:
    threading.Thread(target=_waits, daemon=True).start()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@needs_fork
def test_children_come_from_a_process_without_threads(children: Children, tmp_path: Path) -> None:
    for name, do in (("here", children.here), ("child", children.child)):
        assert do(_says_who, tmp_path / name) == DONE
        assert "AssertionError" in do(_fails)
    (here, one), (child, other) = ((tmp_path / name).read_text().split() for name in ("here", "child"))
    assert len({here, child, str(os.getpid())}) == 3
    assert one == other == "1"


@needs_fork
def test_a_child_that_waits_for_ever_is_ended_and_said(children: Children) -> None:
    with pytest.raises(AssertionError, match="did not end in time"):
        children.child(_waits)
    assert children.here(_begins_a_thread) == DONE
    with pytest.raises(AssertionError, match="has 2 threads"):
        children.child(_waits)


def test_no_test_forks_the_process_that_it_runs_in() -> None:
    forks = [it.name for it in TESTS.rglob("*.py") if re.search(r"\bos\.fork(pty)?\(", it.read_text(encoding="utf-8"))]
    assert forks == ["children.py"]


def test_a_test_that_waits_for_ever_fails_and_says_where(tmp_path: Path) -> None:
    """By the suite's own settings, but for the seconds."""
    file = tmp_path / "test_waits.py"
    file.write_text("import threading\n\n\ndef test_waits():\n    threading.Event().wait()\n")
    words = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-o", "timeout=0.3", str(file)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stdout
    assert "Timeout (>0.3s)" in done.stdout
    assert "test_waits.py:5" in done.stdout


def test_every_test_has_a_bound(pytestconfig: pytest.Config) -> None:
    assert 60 <= float(pytestconfig.getini("timeout")) <= 600
    assert pytestconfig.pluginmanager.hasplugin("timeout")
