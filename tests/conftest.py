"""What all tests share: a profile for hypothesis that does not depend on how fast the machine is; who runs what."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("steady")

BROWSER = "tests/browser/"


class OneBrowser(LoadScopeScheduling):  # type: ignore[misc]
    """All browser tests go to one worker, so that two browsers do not take the machine from each other."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else nodeid


def pytest_xdist_make_scheduler(config: Any, log: Any) -> OneBrowser:
    return OneBrowser(config, log)
