"""Plans at the table in a browser: a plan run and read, a future opened, a steward that acts, advice taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steps import ask, level, settle, spot, until
from test_every_page import judge
from test_hands import READY

PLAN = """plan: A short one
until: Winter 1939
uncertain:
  cost: {one of: {"5": 1, "25": 1}}
  when: {one of: {Fall 1939: 1, Winter 1939: 1}}
orders:
  - {each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
ask:
  - {question: German level, at: "Winter 1939, Allied", figure: germany level}
"""


def ask_another(page: Any, figure: str, holds: str, at: str) -> None:
    for name, value in (("figure", figure), ("is", holds), ("at", at)):
        page.fill(f"#ask-{name}", value)
    page.click("#ask-another")


def test_a_plan_is_run_and_one_future_opened(solo: Any) -> None:
    page = solo
    home = page.url
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", PLAN)
    page.fill(".plan-text input", "mine")
    page.click("text=Keep as mine")
    page.wait_for_selector("option[value='mine/mine']", state="attached")
    page.fill(".run-bar input >> nth=0", "12")
    page.click("#run-plan")
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    assert page.locator(".fan-chart svg").count() == 5
    assert "when 100 %" in page.text_content(".plan-charts .hinges")
    assert "12 of 12 to the end" in page.inner_text(".plan-side")
    ask_another(page, "italy level", "1", "Winter 1939")
    page.wait_for_selector('.plan-side button:has-text("Italy\'s level is at least 1 at the start of Winter 1939")')
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    kept = page.input_value(".plan-text textarea")
    assert 'figure: "italy level"' in kept
    ask_another(page, "atlantis level", "", "Winter 1939")
    page.wait_for_selector("#ask-figure-wrong:has-text('atlantis')")
    assert page.evaluate("document.activeElement.id") == "ask-figure"
    assert not page.locator("#toasts :text('atlantis')").count()
    assert page.input_value(".plan-text textarea") == kept  # what is refused changes nothing
    page.click("text=German level >> nth=0")
    assert "cost" in page.inner_text(".matters")
    assert "Median where it went so" in page.inner_text(".matters")
    page.click("text=Lowest")
    page.wait_for_selector(".fan-chart .one", state="attached")
    assert page.locator(".plan-side .switch [aria-pressed=true]").count() == 1
    assert "cost: 25" in page.inner_text(".plan-side")
    page.select_option("[aria-label='Compare with']", "happened")
    page.wait_for_selector(".beside")
    page.fill(".plan-side input[type=number]", "0")
    page.click("text=Draw it")
    page.wait_for_selector(".plan-side :text('Future 0: ')")
    page.click("#open-future")
    page.wait_for_url(lambda url: url.partition("#")[0] != home)
    settle(page, "() => document.title.split(' · ').pop()", answer="Future 0 of A short one")


def test_a_stranger_asks_before_anything_was_run(solo: Any) -> None:
    """The form is there at once; a bare number is at least that number; what is certain says why."""
    page = solo
    page.click(".views [data-view=plans]")
    page.select_option("[aria-label='Which plan']", "shipped/from-here")
    ask_another(page, "germany brps", "200", "someday")
    page.wait_for_selector("#ask-at-wrong:has-text('write a year')")
    page.fill("#ask-at", "1940")
    page.click("#ask-another")
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    answer = page.inner_text(".plan-side tr.here")
    assert "Germany has at least 200 BRPs at the 1940 year start" in answer
    assert "0.0 %" in answer
    assert "Every future had the same figure" in answer
    assert not page.locator("#ask-at-wrong").count()
    assert page.input_value(".plan-text textarea").startswith("plan: From here")


def test_advice_is_given_and_a_steward_acts(someone: Callable[..., Any], server: Any) -> None:
    page = someone()
    api = server.address + "/api/v1/tables"
    table = ask(page, api, title="World war", name="Ada", options={"set_up": "reported"})["table"]
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")
    page.click("#suggest-now")
    page.wait_for_selector(".advice:has-text('Italy')")
    assert "by Italy's steward" in page.inner_text(".advice")
    page.click("text=Give these orders")
    page.wait_for_selector(".advice", state="detached")
    assert page.get_attribute("body", "data-view") == "europe"
    page.click(".views [data-view=plans]")
    page.select_option(".one-line select >> nth=1", "pass")
    page.fill(".one-line input", "Winter 1939")
    page.click("#leave-order")
    page.click("#let-it-act")
    page.locator(".minders tr", has_text="Germany").get_by_text("a standing order").wait_for()
    row = page.locator(".minders tr", has_text="Japan")
    row.get_by_role("button", name="Steward").click()
    page.wait_for_selector(".advice:has-text('would do now')")
    page.click("#let-it-act")
    row.get_by_text("its steward").wait_for()
    page.click(".views [data-view=log]")
    page.wait_for_selector("text=by Japan's steward")
    ask(page, f"{api}/{table}/advance", to="Fall 1939, Axis, combat")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.click(".views [data-view=plans]")
    page.wait_for_selector("#ask-another")
    assert page.input_value("[aria-label='Which plan']") == "shipped/from-here"  # the others start before it


WARSAW = """plan: Does Warsaw fall?
until: Spring 1940
uncertain:
  Warsaw falls: {one of: {Fall 1939: 2, Winter 1939: 1, never: 1}}
orders:
  - {when: "Fall 1939, Axis, combat", if: Warsaw falls is Fall 1939, do: report_control, places: [Warsaw], by: germany}
  - when: Winter 1939, Axis, combat
    if: Warsaw falls is Winter 1939
    do: report_control
    places: [Warsaw]
    by: germany
"""


def test_chances_are_read_off_the_map(solo: Any) -> None:
    """By any turn, with what decides them; a future in which it went otherwise is opened."""
    page = solo
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", WARSAW)
    page.fill(".run-bar input >> nth=0", "24")
    page.click("#run-plan")
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    page.click("[data-choice=map]")
    page.wait_for_selector(".chances canvas")
    assert page.inner_text(".chances-time output") == "Spring 1940"
    assert page.locator(".least button").count()
    page.click(".chances summary")
    page.click(".chances details button:has-text('Warsaw')")
    page.wait_for_selector(".chance-card:has-text('Germany')")
    card = page.inner_text(".chance-card")
    assert "since Fall 1939" in card
    assert "since Winter 1939" in card
    late = int(page.inner_text(".chance-card .since .other b"))
    assert f"of the {late} other" in card
    assert f"{late} had never" in card
    page.focus("#chances-turn")
    page.keyboard.press("Home")
    page.wait_for_selector(".chance-card:has-text('by Fall 1939')")
    assert int(page.inner_text(".chance-card .since .other b")) > late  # by then it had fallen in fewer
    page.keyboard.press("End")
    page.wait_for_selector(".chance-card:has-text('by Spring 1940')")
    wrong: list[str] = []
    judge(page, "chances", wrong)
    assert not wrong, "\n".join(wrong)
    page.click("#map-of-these")
    page.wait_for_selector(f"#all-futures:has-text('{late} future')")
    page.click("#all-futures")
    page.wait_for_selector("#map-of-these")
    home = page.url
    page.click("#open-other")
    page.wait_for_url(lambda url: url.partition("#")[0] != home.partition("#")[0])
    page.wait_for_selector("body[data-ready=yes]")
    held = page.evaluate("fetch(location.pathname.replace('/tables/', '/api/v1/tables/')).then((it) => it.json())")
    assert held["position"]["control"].get("europe/M35", "") != "germany"


def test_a_strangers_first_plan_by_hand(solo: Any) -> None:
    """A line by the palette, a fault mended at one press, one uncertain thing, one question; then it is run."""
    page = solo
    page.click(".views [data-view=plans]")
    page.select_option("[aria-label='Which plan']", "shipped/from-here")
    page.click("[data-choice=plan]")
    page.click("[aria-label='Add a line in Winter 1939']")
    page.click("[data-add=report_control]")
    page.fill(".line-form [name=places]", "Warsau, Lodz")
    page.click("#keep-line")
    wrong = page.locator(".plan-line .fault", has_text="Warsau")
    wrong.wait_for()
    assert page.is_disabled("#run-plan")
    assert not page.locator("#toasts p").count()
    wrong.get_by_role("button", name="Make it Warsaw").click()
    page.wait_for_selector(".plan-line:has-text('Warsaw and Lodz')")
    wrong.wait_for(state="detached")
    page.click(".plan-line .whole")
    page.click("#make-uncertain")
    page.wait_for_selector(".thing .odds")
    page.fill(".thing input[type=number]", "50")
    page.press(".thing input[type=number]", "Enter")
    page.wait_for_selector(".plan-line .if")
    for name, value in (("figure", "germany base"), ("is", ""), ("at", "1941")):
        page.fill(f".question [name={name}]", value)
    page.click("#add-question")
    page.wait_for_selector("text=Germany's base at the 1941 year start")
    bad: list[str] = []
    judge(page, "by hand", bad)
    assert not bad, "\n".join(bad)
    page.click("#to-yaml")
    text = page.input_value(".plan-text textarea")
    assert "places: [Warsaw, Lodz]" in text
    assert "{chance: 50%}" in text
    page.fill(
        ".plan-text textarea", text.replace("[Warsaw, Lodz]", "[Warsaw, Cracow]").replace("Winter 1942", "Spring 1941")
    )
    page.wait_for_selector(".plan-line:has-text('Warsaw and Cracow')")  # and the lines follow the text
    page.click("#to-yaml")
    page.fill(".run-bar input >> nth=0", "12")
    page.click("#run-plan")
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    page.click("[data-choice=figures]")
    assert "Germany's base at the 1941 year start" in page.inner_text(".plan-side")


def test_every_fault_of_a_plan_that_is_to_be_run_stands_beside_its_line(solo: Any) -> None:
    page = solo
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", WARSAW.replace("[Warsaw]", "[Warsau]") + "keep: {germany: {build: [dragons]}}\n")
    page.click("#run-plan")
    page.wait_for_selector(".by-hand .fault:has-text('dragons')")
    assert page.locator(".plan-line .fault", has_text="Warsau").count() == 2


def test_what_is_played_on_a_copy_becomes_a_plan(solo: Any) -> None:
    page = solo
    home = page.url.partition("#")[0]
    page.click(".views [data-view=plans]")
    page.click("[data-choice=plan]")
    page.click("#play-ahead")
    page.wait_for_url(lambda url: url.partition("#")[0] != home)
    page.wait_for_selector("body[data-ready=yes]")
    api = page.url.partition("#")[0].replace("/tables/", "/api/v1/tables/")
    ask(page, f"{api}/advance", to="Fall 1939, Axis, combat")
    ask(page, f"{api}/do", do="report_control", places=["Warsaw"], by="germany")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.click(".views [data-view=plans]")
    page.click("#my-plan")
    page.wait_for_url(lambda url: url.partition("#")[0] == home)
    page.wait_for_selector(".plan-line:has-text('Warsaw')")
    assert page.locator(".turn:has-text('Fall 1939') .plan-line").count() >= 1
    assert "Nothing to mend" in page.inner_text(".looked-over")
    assert page.input_value("[aria-label='Which plan']") == "mine/played ahead"


BEST = """plan: What is left in 1939
until: Spring 1940
uncertain:
  Poland falls: {chance: 50%}
choose:
  saved: {from: 0, to: 80, by: 40, history: 40}
orders:
  - {if: Poland falls, when: "Fall 1939, Axis, combat", do: report_control, places: [Warsaw], by: germany}
keep:
  germany: {build: [infantry 3-3, armor 4-6], leave: {1939: "{saved}"}}
want:
  - {most: germany base, at: Spring 1940}
"""


def test_the_best_plan_is_found_taken_opened_and_left_as_a_standing_order(solo: Any) -> None:
    page = solo
    home = page.url.partition("#")[0]
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", BEST)
    page.click("#find-best")
    page.wait_for_selector("text=judged again on fresh futures", timeout=120_000)
    told = page.inner_text(".plan-charts")
    for words in ("all 3 ways", "the steward", "history", "Leave", "35.33A", "Poland falls", "the rules bound it"):
        assert words.lower() in told.lower(), words
    page.click("#take-best")
    settle(page, "() => document.querySelector('.plan-text textarea').value.includes('the best found')")
    assert "choose" not in page.input_value(".plan-text textarea")
    row = page.locator(".minders tr", has_text="Germany")
    page.fill(".run-bar input >> nth=0", "8")
    page.click("#run-plan")
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    page.select_option("[aria-label='Compare with']", "happened")
    page.wait_for_selector(".beside")
    row.get_by_role("button", name="This plan, shown first").click()
    row.get_by_text("a standing order, which only shows").wait_for()
    assert "Left out, since nobody knows it: Poland falls." in row.locator("pre").text_content()
    # What the best plan would do now lies on the map as ghosts.
    ask(page, f"{home.replace('/tables/', '/api/v1/tables/')}/advance", to="Fall 1939, Axis, unit construction")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.click(".views [data-view=europe]")
    page.click("#suggest-now")
    page.wait_for_selector(".advice:has-text('by the preferences of What is left in 1939: the best found')")
    assert int(page.get_attribute("#map-over", "data-advised")) > 0
    page.click(".views [data-view=plans]")
    page.select_option("[aria-label='Earlier runs']", index=2)
    page.click("#open-best")
    page.wait_for_url(lambda url: url.partition("#")[0] != home)
    page.wait_for_selector("body[data-ready=yes]")
    assert "What is left in 1939" in page.title()


def test_a_plan_of_a_search_is_compared_and_another_is_taken(solo: Any) -> None:
    """Two things are wanted: what one costs the other is a curve, and each of its plans can be taken."""
    page = solo
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", BEST + "  - {least: germany unbuilt, at: Spring 1940}\n")
    page.fill(".run-bar input >> nth=0", "8")
    page.click("#find-best")
    page.wait_for_selector("text=judged again on fresh futures", timeout=120_000)
    assert "One goal against the other" in page.inner_text(".plan-charts")
    assert page.locator(".plan-charts .counsel-plot").count() == 2
    written = page.input_value(".plan-text textarea")
    page.locator(".counsel [data-plan]").first.click()
    settle(page, "() => document.querySelector('.plan-text textarea').value.includes(': a runner-up')")
    page.fill(".plan-text textarea", written)
    page.select_option("[aria-label='Compare with']", "happened")  # the best one is run for it
    page.wait_for_selector("text=all futures are played", timeout=60_000)
    page.wait_for_selector(".beside")
    assert page.input_value(".plan-text textarea") == written


def test_what_follows_from_a_line_is_kept_at_one_press(solo: Any) -> None:
    page = solo
    page.click(".views [data-view=plans]")
    page.fill(".plan-text textarea", WARSAW.replace("[Warsaw]", "[Paris]").replace("Spring 1940", "Fall 1940"))
    page.click("[data-choice=plan]")
    page.locator(".follows", has_text="France surrenders if Paris is German").first.wait_for()
    page.locator(".follows").first.get_by_role("button", name="Leave it out").click()
    page.wait_for_selector(".follows", state="detached")
    assert page.locator(".year summary").all_inner_texts() == ["1939 2 lines", "1940 0 lines"]
    page.locator(".thing .link", has_text="2 lines").click()
    page.wait_for_selector(".line-form")
    assert page.locator(".thing.chosen").count() == 1


def test_what_is_advised_lies_on_the_map_as_ghosts(solo: Any) -> None:
    page = solo
    api = page.url.partition("#")[0].replace("/tables/", "/api/v1/tables/")
    ask(page, f"{api}/advance", to="Fall 1939, Axis, unit construction")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    bare = page.evaluate(PAINTED)
    page.click("#suggest-now")
    page.wait_for_selector(".advice li:has-text('Berlin')")
    assert int(page.get_attribute("#map-over", "data-advised")) > 0
    settle(page, f"(bare) => ({PAINTED})() > bare", bare)  # what lies over the map has become more
    # One fewer, and dragged elsewhere: it is one's own then, and the server says what it costs.
    count, at = page.evaluate(GHOST)
    page.click(".advice li >> nth=0 >> button[title^='One fewer'] >> nth=0")
    settle(page, f"() => ({GHOST})()[0]", answer=count - 1)
    box = page.locator("#map-sheet").bounding_box()
    x, y = page.evaluate("() => cabinet.modules['map/map.js'].map.advised[0].middle")
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + x + 9, box["y"] + y + 3, steps=3)
    settle(page, READY)
    page.mouse.move(*spot(page, "M30"), steps=4)
    page.mouse.up()
    settle(page, f"() => ({GHOST})()[1]", answer="europe/M30")
    assert at != "europe/M30"
    settle(page, "() => cabinet.modules['map/map.js'].map.advised[0].own")
    while page.locator(".advice li").count():
        page.focus(".advice li >> nth=0")
        page.keyboard.press("x")
    settle(page, "() => Number(document.querySelector('#map-over').dataset.advised)", answer=0)
    page.click("#suggest-now")
    page.wait_for_selector(".advice li:has-text('Berlin')")
    # Waved away it is gone from the map; asked for again it is taken by itself, for its price.
    page.click(".advice li >> nth=0 >> button[title='Wave it away']")
    settle(page, "() => Number(document.querySelector('#map-over').dataset.advised)", answer=0)
    page.click("#suggest-now")
    price = -int(page.inner_text(".advice li >> nth=0 >> .minus").replace("−", "-"))
    before = level(page, "germany")
    page.click(".advice li >> nth=0 >> button[title='Take it']")
    until(page, "germany", before - price)
    settle(page, "() => Number(document.querySelector('#map-over').dataset.advised)", answer=0)


GHOST = "() => { const [it] = cabinet.modules['map/map.js'].map.advised; return [it.count, it.at]; }"
#: How many points of what lies over the map are painted.
PAINTED = """() => {
  const over = document.querySelector('#map-over');
  const { data } = over.getContext('2d').getImageData(0, 0, over.width, over.height);
  return data.reduce((sum, it, i) => sum + (i % 4 === 3 && it > 0), 0);
}"""
