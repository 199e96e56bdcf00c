"""What all tests share: how far they go, who runs what, and what is done where a part of the system is missing."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import bounds
import case_list
import outcomes
import parts
from warcabinet.game import Game
from warcabinet.game.demo import play_demo
from warcabinet.game.engine import at_rest

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("steady")

#: What a terminal says of itself is nobody's affair here: what is printed is the same wherever tests are run.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "TTY_COMPATIBLE"):
    os.environ.pop(_name, None)

CASES = "tests/test_cases.py::test_case["
#: So many cases go to a worker in one message.
CHUNK = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("War Cabinet")
    group.addoption(
        "--all", action="store_true", help="try everything that can be tried: schemas and random play at length"
    )
    group.addoption(
        "--cases", default="", help="of the cases only these: ids, clauses, chapters or files, with commas between"
    )
    group.addoption("--touched", action="store_true", help="of the cases only those of chapters that were changed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--all"):
        bounds.go_all_the_way()
        # What is tried at length takes as long as it takes.
        config.option.timeout = config.getoption("timeout", None) or 0
    case_list.want(config.getoption("--cases"), config.getoption("--touched"))


@pytest.fixture(scope="session", autouse=True)
def _outcomes_are_shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All workers write down what their cases came to in one folder."""
    base = tmp_path_factory.getbasetemp()
    outcomes.share(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def war() -> Game:
    """The demonstration, played once for all who only read it."""
    return play_demo()


# -- Parts that may be missing -------------------------------------------------------------------------------------


IN_CI = os.environ.get("CI") == "true"


def _lacking(file: Path) -> list[str]:
    """What a file cannot be imported without and is not installed; in CI also what single tests are skipped without."""
    return parts.missing(file, to_read_it=not IN_CI)


class Lacking(pytest.Module):
    """A test file for which something is missing: it is skipped and says so; in CI that is a failure."""

    def collect(self) -> Any:
        told = f"not installed: {', '.join(_lacking(self.path))}; python3 dev.py test {self.nodeid}"
        if IN_CI:
            raise self.CollectError(told)
        pytest.skip(told, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> pytest.Module | None:
    return Lacking.from_parent(parent, path=module_path) if _lacking(module_path) else None


# -- Who runs what -------------------------------------------------------------------------------------------------


#: The longest begin first, so that no worker is left alone with them; then come the others, then the cases, of which
#: few go at a time; and last what reads their outcomes.
ORDER = ("tests/browser/", "tests/properties/", "tests/web/", "", CASES, "tests/manifest/")


def _place(item: pytest.Item) -> int:
    return max((len(start), place) for place, start in enumerate(ORDER) if item.nodeid.startswith(start))[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    twice = [id for id, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:
        raise pytest.UsageError(f"these tests have one id, and of each only one would be run: {', '.join(twice)}")
    items.sort(key=_place)


def pytest_collection_finish() -> None:
    """Thousands of tests are there to stay: the garbage collector need not look through them again and again."""
    at_rest()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class WhoRunsWhat(LoadScopeScheduling):  # type: ignore[misc]
        """Files go to the workers whole, in their order: what is slow to make for a file is made once."""

        def __init__(self) -> None:
            config.option.loadscopereorder = False
            super().__init__(config, log)
            self.cases: dict[str, int] = {}

        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(CASES):
                return f"cases {self.cases.setdefault(nodeid, len(self.cases)) // CHUNK}"
            return nodeid.partition("::")[0]

    return WhoRunsWhat()
