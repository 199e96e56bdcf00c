"""How long a person waits for a table: a real browser, a server of its own, and a line as people have it.

The first visit begins with an empty browser, the second finds what the first left behind. A table is there when it can
be played: its panels are filled, its map is drawn and its orders are open.
"""

from __future__ import annotations

import json
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.bench.own_server import served
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.server.openapi import API
from warcabinet.web.table.gate import COOKIE

HOW = "pages are measured in Chromium by Playwright: pip install playwright, and Debian's chromium-headless-shell"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
#: The line: milliseconds that a request is under way to and fro, and bytes a second, which are 10 Mbit.
LATENCY = 100
BYTES = 10_000_000 / 8
#: Resolves to the moment at which the table can be played, in milliseconds since it was asked for.
PLAYABLE = """() => new Promise((done) => {
  const look = () => {
    const drawn = globalThis.cabinet?.modules["map/map.js"]?.map.board;
    if (drawn && document.body.dataset.ready === "yes") done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
QUIET = 1000  # milliseconds after which nothing more is asked for


class Visit(msgspec.Struct, frozen=True):
    """What a visit to a table took: seconds until it could be played, requests, and bytes as they travelled."""

    seconds: float
    requests: int
    kilobytes: float


def visit(page: Any, wire: Any, address: str) -> Visit:
    """Open a page and count what it asks for, the stream of news apart."""
    asked: list[str] = []
    sizes: list[float] = []

    def note(event: dict[str, Any]) -> None:
        asked.append(event["request"]["url"])

    def weigh(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.on("Network.requestWillBeSent", note)
    wire.on("Network.loadingFinished", weigh)
    page.goto(address, wait_until="commit")
    seconds = page.evaluate(PLAYABLE) / 1000
    page.wait_for_timeout(QUIET)
    wire.remove_listener("Network.requestWillBeSent", note)
    wire.remove_listener("Network.loadingFinished", weigh)
    return Visit(round(seconds, 2), len(asked), round(sum(sizes) / 1000, 1))


def two_visits(browser: Any, address: str, cookie: dict[str, str], slow: bool) -> tuple[Visit, Visit]:
    """The first and the second visit of somebody to a table, over a slow line or none."""
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    try:
        context.add_cookies([cookie])
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        if slow:
            line = {"offline": False, "latency": LATENCY, "downloadThroughput": BYTES, "uploadThroughput": BYTES}
            wire.send("Network.emulateNetworkConditions", line)
        return visit(page, wire, address), visit(page, wire, address)
    finally:
        context.close()


def pages_bench() -> dict[str, dict[str, object]]:
    """A table at the classic start, opened cold and again, three times each; the median is told."""
    with chromium() as browser, tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        table, secret = _table(server.base)
        cookie = {"name": COOKIE, "value": secret, "url": server.base}
        runs = [two_visits(browser, f"{server.base}/tables/{table}", cookie, slow=True) for _ in range(3)]
    first, second = ([run[n] for run in runs] for n in (0, 1))
    return {"first visit": _told(first), "second visit": _told(second)}


def _told(visits: list[Visit]) -> dict[str, object]:
    return dict(msgspec.structs.asdict(sorted(visits, key=lambda it: it.seconds)[len(visits) // 2]))


def _table(base: str) -> tuple[str, str]:
    """A table of somebody's own, and the secret by which a browser is theirs."""
    body = json.dumps({"title": "Pages", "name": "Ada"}).encode()
    ask = urllib.request.Request(f"{base}{API}/tables", body, {"content-type": "application/json"})
    with urllib.request.urlopen(ask, timeout=60) as answer:
        secret = answer.headers["set-cookie"].partition(";")[0].partition("=")[2]
        return json.load(answer)["table"], secret


@contextmanager
def chromium() -> Iterator[Any]:
    """Chromium as it is installed, driven by Playwright; neither is required for anything else."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise WarCabinetError(HOW) from None
    program = next((str(path) for name in BROWSERS if (path := Path("/usr/bin", name)).exists()), "")
    if not program:
        raise WarCabinetError(HOW)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
