"""What a person does at the table, in a few words."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Error

#: Seconds that a page may take until it answers as it should.
CALM = 60
#: Milliseconds for the first look at the demonstration, which the server plays once.
PATIENT = 120_000
#: A browser as people have it, for what is about painting or motion; the others paint less of both.
AS_SHOWN: dict[str, Any] = {"device_scale_factor": 1, "reduced_motion": "no-preference"}


def settle(page: Any, question: str, arg: Any = None, answer: Any = True) -> None:
    """Wait until the page answers so.

    Asked from here again and again: Playwright's own `wait_for_function` may ask once only, because the second time its
    question is a string that the page's security policy does not let it evaluate; and it takes a promise for a yes.
    """
    deadline = time.monotonic() + CALM
    while (said := asked(page, question, arg)) != answer:
        assert time.monotonic() < deadline, f"{question} with {arg} is {said}, not {answer}"
        page.wait_for_timeout(25)


def asked(page: Any, question: str, arg: Any) -> Any:
    """What the page answers; nothing while it gives way to another page."""
    try:
        return page.evaluate(question, arg)
    except Error as error:
        if "context was destroyed" in str(error) or "navigat" in str(error):
            return None
        raise


def open_table(page: Any, address: str, plan: str = "solo") -> str:
    page.goto(address + "/")
    page.fill("#name", "Ada")
    page.check(f"input[name=plan][value={plan}]")
    page.click("#new-table button[type=submit]")
    page.wait_for_selector("body[data-ready=yes]")
    return str(page.url)


#: The mobilizations with which the classic campaign opens: how many of what, how strong; and what is put off.
OPENING: dict[str, tuple[list[tuple[str, str, str]], int]] = {
    "italy": ([("2", "army air", ""), ("2", "infantry", "1-3")], 0),
    "japan": ([("3", "army air", ""), ("6", "naval air", "")], 5),
}


def mobilize(page: Any, power: str) -> None:
    """Make the opening mobilization of a power by its form: units one kind at a time, with what is put off."""
    units, defer = OPENING[power]
    page.click(f"[data-command=mobilize][data-power={power}] .go")
    for count, kind, strength in units:
        page.select_option("#order select[name=units-kind]", f"{kind} {strength}".strip())
        page.fill("#order input[name=units-count]", count)
        page.click("#order .units button")
        page.wait_for_selector(f"#order .picked button:has-text('{kind}')")
    if defer:
        page.fill("#order input[name=defer]", str(defer))
    page.wait_for_selector("#order .outcome .change")
    page.click("#order footer .main")
    page.wait_for_selector(f"[data-command=mobilize][data-power={power}]:not(.no)", state="detached")


def ask(page: Any, path: str, **body: Any) -> Any:
    """A request with the browser's own cookie, for what a test needs but does not try."""
    answer = page.context.request.post(path, data=body, headers={"sec-fetch-site": "same-origin"}, timeout=PATIENT)
    assert answer.ok, answer.text()
    return answer.json()


def sit_down(page: Any, address: str) -> None:
    """A hot-seat table whose opening mobilizations are made, open and ready."""
    api = address + "/api/v1/tables"
    table = ask(page, api, title="World war", name="Ada", options={"set_up": "reported"})["table"]
    for power, (units, defer) in OPENING.items():
        names = [" ".join(part for part in unit if part) for unit in units]
        ask(page, f"{api}/{table}/do", do="mobilize", power=power, units=names, defer=defer)
    page.goto(f"{address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")


def spring_1942(page: Any, address: str) -> None:
    """A table of one's own in the middle of the war: a copy of the demonstration in Spring 1942."""
    table = ask(page, f"{address}/api/v1/demonstration", name="Ada")["table"]
    scenes = page.context.request.get(f"{address}/api/v1/tables/{table}/story").json()
    before = next(n for n, scene in enumerate(scenes) if scene["say"] == "The 1942 year start") - 1
    copy = ask(page, f"{address}/api/v1/tables/{table}/what-if", at=scenes[before]["move"])["table"]
    ask(page, f"{address}/api/v1/tables/{copy}/advance", to="Spring 1942, Axis, diplomatic phase")
    # An order, so that the year start is read and behind us.
    ask(page, f"{address}/api/v1/tables/{copy}/do", do="spend", power="germany", brp=1, on="other")
    page.goto(f"{address}/tables/{copy}")
    page.wait_for_selector("body[data-ready=yes]")


def level(page: Any, power: str) -> int:
    return int(page.inner_text(f"#card-{power} .level"))


def until(page: Any, power: str, value: int) -> None:
    """Wait until a power's level is shown as this."""
    page.wait_for_selector(f"#card-{power} .level:text-is('{value}')")


WAITING = "#now [data-command=deploy]:not(.no) .go"


def set_up(page: Any) -> None:
    """Set up every country that the game waits for, as the table proposes it."""
    while left := page.locator(WAITING).count():
        page.locator(WAITING).first.click()
        page.click("#order footer .main:not([disabled])")
        settle(page, "([waiting, left]) => document.querySelectorAll(waiting).length < left", [WAITING, left])


def step_to(page: Any, phase: str) -> None:
    """Go on by the button until a phase is reached; whoever must be set up on the way is."""
    for _ in range(20):
        if phase.lower() in page.inner_text("#phases .steps .now").lower():
            return
        set_up(page)
        was = page.inner_text("#moment")
        page.click("#next-step")
        settle(page, "was => document.querySelector('#moment').textContent !== was", was)
    raise AssertionError(f"never came to {phase}")


def skip_to(page: Any, phase: str) -> None:
    """Be in a phase of this player turn without going there step by step."""
    address, _, table = page.url.partition("?")[0].partition("/tables/")
    ask(page, f"{address}/api/v1/tables/{table}/advance", to=phase)
    settle(page, "phase => document.querySelector('#moment').textContent.endsWith(phase)", phase)


SPOT = """async (id) => {
  const { map } = cabinet.modules['map/map.js'];
  const [x, y] = map.cam.screen(map.board.hexes.get(id));
  const box = document.querySelector('#map-sheet').getBoundingClientRect();
  return [x + box.left, y + box.top];
}"""


def spot(page: Any, hex_id: str) -> tuple[float, float]:
    """Where a hex of the board that is shown lies on the page; the board may come after the page."""
    settle(page, "async () => Boolean(cabinet.modules['map/map.js'].map.board)")
    x, y = page.evaluate(SPOT, hex_id)
    return x, y


def click_hex(page: Any, hex_id: str) -> None:
    page.mouse.click(*spot(page, hex_id))


def join(page: Any, link: str, name: str) -> None:
    """Follow an invitation and sit down."""
    page.goto(link)
    page.fill("#name", name)
    page.click("button[type=submit]")
    page.wait_for_selector("body[data-ready=yes]")


def invitation(page: Any, seat: str) -> str:
    """A link to a seat, as the host makes it."""
    page.click("#people")
    page.click(f"[data-seat={seat}] button:has-text('Invite')")
    page.wait_for_selector(f"[data-seat={seat}] input")
    link = str(page.input_value(f"[data-seat={seat}] input"))
    page.keyboard.press("Escape")
    return link
