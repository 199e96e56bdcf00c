"""What a person does at the table, in a few words."""

from __future__ import annotations

from typing import Any

#: Milliseconds for the first look at the demonstration, which the server plays once.
PATIENT = 120_000


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
    answer = page.context.request.post(path, data=body, headers={"sec-fetch-site": "same-origin"})
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
    page.goto(address + "/")
    page.click("#demo")
    page.wait_for_selector("body[data-table][data-ready=yes]", timeout=PATIENT)
    table = page.get_attribute("body", "data-table")
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
        page.wait_for_function(
            "([waiting, left]) => document.querySelectorAll(waiting).length < left", arg=[WAITING, left]
        )


def step_to(page: Any, phase: str) -> None:
    """Go on by the button until a phase is reached; whoever must be set up on the way is."""
    for _ in range(20):
        if phase.lower() in page.inner_text("#phases .steps .now").lower():
            return
        set_up(page)
        was = page.inner_text("#moment")
        page.click("#next-step")
        page.wait_for_function("was => document.querySelector('#moment').textContent !== was", arg=was)
    raise AssertionError(f"never came to {phase}")


def skip_to(page: Any, phase: str) -> None:
    """Be in a phase of this player turn without going there step by step."""
    address, _, table = page.url.partition("?")[0].partition("/tables/")
    ask(page, f"{address}/api/v1/tables/{table}/advance", to=phase)
    page.wait_for_function("phase => document.querySelector('#moment').textContent.endsWith(phase)", arg=phase)


def click_hex(page: Any, hex_id: str) -> None:
    """Click a hex of the board that is shown."""
    spot = """async (id) => {
        const { map } = await import('/static/map/map.js');
        const [x, y] = map.cam.screen(map.board.hexes.get(id));
        const frame = document.querySelector('#map-sheet').getBoundingClientRect();
        return [x + frame.x, y + frame.y];
    }"""
    page.mouse.click(*page.evaluate(spot, hex_id))


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
