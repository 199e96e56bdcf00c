"""A real server on loopback and the system's Chromium. Without Chromium the tests are skipped, and say so."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from disk import nobody_waits_for_it
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.serve import make_server

#: The shell has no window around the page, and takes two thirds of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next((str(path) for name in BROWSERS if (path := Path("/usr/bin", name)).exists()), "")
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No page lives long enough to earn back what optimizing compilers cost, which work beside it.
    "--js-flags=--no-opt,--no-maglev",
]
CALM = 60_000  # milliseconds that anything on the page may take
#: A page is laid out as large as on a desk and painted with a quarter of the points, and what would flash does not:
#: painting is most of what a browser without a graphics card does. Tests of pictures and of motion ask for both
#: (`AS_SHOWN`).
QUICK: dict[str, Any] = {
    "viewport": {"width": 1600, "height": 1000},
    "device_scale_factor": 0.5,
    "reduced_motion": "reduce",
}
#: Where no picture is looked at, the ground of the map (coasts, borders, patterns) is drawn by paths that are empty:
#: the page does all its work, and only the points are not painted.
UNSEEN = """for (const pen of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D])
  for (const name of ['fill', 'stroke', 'clip']) {
    const draw = pen.prototype[name], nothing = new Path2D();
    pen.prototype[name] = function (...given) {
      return draw.apply(this, given.map((it) => (it instanceof Path2D ? nothing : it)));
    };
  }"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM or os.environ.get("CI") == "true":
        return
    mark = pytest.mark.skip(reason="no Chromium here: install Debian's package `chromium-headless-shell`")
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(mark)


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with nobody_waits_for_it():
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    data = tmp_path_factory.mktemp("data")
    settings = Settings(data, rate=2000, burst=9000, tables_per_hour=10_000, tables_per_person=10_000, free_disk=0)
    server = make_server(settings, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    server.address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"  # type: ignore[attr-defined]
    yield server
    server.handle_exit(15, None)
    thread.join(10)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM or None, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def someone(chromium: Any, server: Any) -> Iterator[Callable[..., Any]]:
    """Opens a browser of its own (an empty profile) and watches it for errors and foreign requests."""
    opened: list[Any] = []
    faults: list[str] = []

    def open_browser(**options: Any) -> Any:
        asked = {**QUICK, **options}
        context = chromium.new_context(**asked)
        context.set_default_timeout(CALM)
        if asked["device_scale_factor"] < 1:
            context.add_init_script(UNSEEN)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error}"))
        page.on("request", lambda r: None if r.url.startswith((server.address, "data:")) else faults.append(r.url))
        page.on("console", lambda m: faults.append(m.text) if "Content Security" in m.text else None)
        opened.append(context)
        return page

    yield open_browser
    for context in opened:
        context.close()
    assert not faults, faults


@pytest.fixture
def solo(someone: Callable[..., Any], server: Any) -> Any:
    """A hot-seat table, open and ready."""
    from steps import sit_down

    page = someone()
    sit_down(page, server.address)
    return page
