"""What all tests share: how far they go, who runs what, and what is done where a part of the system is missing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import bounds
import case_list
import outcomes
import parts

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("steady")

CASES, BROWSER = "tests/test_cases.py::test_case[", "tests/browser/"
#: What is played once for all tests of a file: the demonstration, every case, a page that many tests look at.
TOGETHER = (BROWSER, "tests/playthroughs/", "tests/manifest/", "tests/web/test_client_generator.py")
#: What goes to one worker in one message: a few files of cases.
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


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--all"):
        bounds.go_all_the_way()
    case_list.want(config.getoption("--cases"), config.getoption("--touched"))


@pytest.fixture(scope="session", autouse=True)
def _outcomes_are_shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All workers write down what their cases came to in one folder."""
    base = tmp_path_factory.getbasetemp()
    outcomes.share(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


# -- Parts that may be missing -------------------------------------------------------------------------------------


class Unread(pytest.Module):
    """A test file that cannot be imported, because something that it needs is not installed."""

    def collect(self) -> Any:
        told = (
            f"not installed: {', '.join(parts.missing(self.path, to_read_it=True))}; python3 dev.py test {self.nodeid}"
        )
        pytest.skip(told, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> pytest.Module | None:
    """Where something is missing, tests are skipped and say so; but never in CI, where that would be a failure."""
    in_ci = os.environ.get("CI") == "true"
    lacking = parts.missing(module_path, to_read_it=not in_ci)
    if lacking and in_ci:
        raise parent.CollectError(f"{module_path.name} needs {', '.join(lacking)}, which is not installed")
    return Unread.from_parent(parent, path=module_path) if lacking else None


# -- Who runs what -------------------------------------------------------------------------------------------------


def _place(item: pytest.Item) -> int:
    """What takes longest begins first, so that no worker is left alone with it; what reads the cases comes last."""
    if item.nodeid.startswith("tests/manifest/"):
        return 3
    if item.nodeid.startswith(CASES):
        return 2
    return 0 if item.nodeid.startswith(BROWSER) else 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class WhoRunsWhat(LoadScopeScheduling):  # type: ignore[misc]
        """Tests go to the workers one by one, in their order; what shares something slow to make, together."""

        def __init__(self) -> None:
            config.option.loadscopereorder = False
            super().__init__(config, log)
            self.cases: dict[str, int] = {}

        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(CASES):
                return f"cases {self.cases.setdefault(nodeid, len(self.cases)) // CHUNK}"
            return nodeid.partition("::")[0] if nodeid.startswith(TOGETHER) else nodeid

    return WhoRunsWhat()
