"""What the tests of attacks and faults have in common."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

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


Bring = Callable[[httpx.Client, str], httpx.Response]


def forty_silence_nobody(own_process: tuple[subprocess.Popen[str], str], bring: Bring, may_be: set[int]) -> None:
    """Beside forty who bring the same again and again an order is given, and a stop waits for none of them."""
    child, base = own_process
    with httpx.Client(base_url=base, timeout=60) as ada, httpx.Client(base_url=base, timeout=60) as eve:
        mine = ada.post("/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        hers = eve.post("/tables", json={"title": "B", "name": "Eve"}).json()["table"]
        cookies = dict(eve.cookies)
        answers: list[int] = []
        quiet = honest_order(ada, mine)

        def go_on() -> None:
            with contextlib.suppress(httpx.HTTPError), httpx.Client(base_url=base, timeout=60, cookies=cookies) as one:
                while True:
                    answers.append(bring(one, hers).status_code)

        for _ in range(40):
            threading.Thread(target=go_on, daemon=True).start()
        end = time.monotonic() + 30
        while len(answers) < 20 and time.monotonic() < end:
            time.sleep(0.02)
        meanwhile = honest_order(ada, mine)
        began = time.monotonic()
        child.send_signal(signal.SIGTERM)
        _, told = child.communicate(timeout=60)
        stopped = time.monotonic() - began
    print(f"an order alone {quiet:.2f} s, beside forty {meanwhile:.2f} s; stopped after {stopped:.1f} s")
    assert {*answers} <= may_be
    assert meanwhile < 1 + 5 * quiet  # a machine that has other work to do is slow by itself
    assert stopped < 5
    assert "Traceback" not in told
