"""Nothing is fetched twice: a table comes in few requests, and what never changes is kept by the browser."""

from __future__ import annotations

from typing import Any

from steps import sit_down

from warcabinet.bench.page_times import two_visits

REQUESTS = 20
KILOBYTES = 250
#: The page itself, the position, the log, notices: what can be other at every visit.
AGAIN = 25


def test_a_table_is_light_at_first_and_lighter_at_the_second_visit(someone: Any, chromium: Any, server: Any) -> None:
    page = someone()
    sit_down(page, server.address)
    cookie = next(it for it in page.context.cookies() if it["httpOnly"])
    mine = {"name": cookie["name"], "value": cookie["value"], "url": server.address}
    first, second = two_visits(chromium, page.url, mine, slow=False)
    assert 8 < first.requests <= REQUESTS
    assert AGAIN < first.kilobytes <= KILOBYTES
    assert second.requests <= REQUESTS
    assert second.kilobytes <= AGAIN


def test_what_is_seldom_looked_at_comes_when_it_is_opened(solo: Any) -> None:
    more = "() => performance.getEntriesByType('resource').filter((it) => it.name.includes('table-more')).length"
    assert solo.evaluate(more) == 0
    for view, shown in (("powers", ".one-power"), ("forecast", "#sheet h2"), ("powers", ".one-power")):
        solo.click(f".views [data-view={view}]")
        solo.wait_for_selector(shown)
    assert solo.evaluate(more) == 1
