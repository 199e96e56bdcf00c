"""What the tests of attacks and faults have in common."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from warcabinet.web.plumbing.settings import Settings

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROLL = {"do": "roll", "purpose": "weather"}
SPEND = {"do": "spend", "power": "germany", "brp": 5, "on": "other"}


def file_of(settings: Settings, table: str) -> Path:
    return settings.data / "games" / f"{table}.wcg"


def settings_of(data: Path, **more: Any) -> Settings:
    usual = {"rate": 1000, "burst": 5000, "free_disk": 0, "metrics_from": "testclient"}
    return Settings(data, **{**usual, **more})


def honest_order(client: Any, table: str) -> float:
    """How many seconds an honest order takes, as it is with most."""
    took = []
    for _ in range(5):
        began = time.monotonic()
        assert client.post(f"/tables/{table}/do", json=ROLL).status_code == 200
        took.append(time.monotonic() - began)
    return sorted(took)[2]
