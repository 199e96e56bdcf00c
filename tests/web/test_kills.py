"""A server that is killed in the middle of orders: none that was acknowledged is lost, none is carried out twice."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from warcabinet.store import examine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
ORDERS = 24


def started(data: Path, port: int) -> subprocess.Popen[bytes]:
    settings = data.parent / "server.toml"
    settings.write_text("rate = 100000\nburst = 100000\nfree_disk = 0\n")
    command = [sys.executable, "-m", "warcabinet", "serve", str(data), "--port", str(port), "--settings", str(settings)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def insist(client: httpx.Client, url: str, **ask: object) -> httpx.Response:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            answer = client.post(url, **ask)  # type: ignore[arg-type]
            if answer.status_code < 500:
                return answer
        except httpx.HTTPError:
            pass
        time.sleep(0.05)
    raise AssertionError("no answer")


def test_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data, base = tmp_path / "data", f"http://127.0.0.1:{port}/api/v1"
    server = [started(data, port)]
    stop = threading.Event()

    def kill() -> None:
        while not stop.wait(2.5):
            server[0].send_signal(signal.SIGKILL)
            server[0].wait()
            server[0] = started(data, port)
            # It must come up before it is killed again, or nothing would ever be done.
            while not stop.is_set():
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health", timeout=2)
                    break
                except httpx.HTTPError:
                    time.sleep(0.05)

    killer = threading.Thread(target=kill)
    try:
        with httpx.Client(timeout=20) as ada:
            table = insist(ada, f"{base}/tables", json={"title": "A", "name": "Ada"}).json()["table"]
            killer.start()
            for n in range(ORDERS):
                order = {"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"}
                key = {"idempotency-key": f"order {n}"}
                done = insist(ada, f"{base}/tables/{table}/do", json=order, headers=key)
                assert done.status_code == 200, done.text
                time.sleep(0.2)
    finally:
        stop.set()
        if killer.is_alive():
            killer.join()
        server[0].terminate()
        server[0].wait()
    report = examine(data / "games" / f"{table}.wcg")
    assert report.ok, report.faults
    assert report.moves == ORDERS + 1
