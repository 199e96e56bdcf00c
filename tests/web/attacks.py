"""What the tests of attacks and faults have in common."""

from __future__ import annotations

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
