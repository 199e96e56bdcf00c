"""Plans at the table: written, run, opened; stewards and standing orders that act; advice."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from warcabinet.plans.form import plan_of

SHORT = """
plan: A short one
until: Winter 1939
uncertain:
  cost: {one of: {"5": 1, "10": 1}}
orders:
  - {each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
ask:
  - {question: German level, at: "Winter 1939, Allied", figure: germany level}
"""
STANDING = """
plan: We wait
orders:
  - {each: "Allied, combat", do: spend, power: britain, brp: 3, "on": offensive operations}
keep:
  britain: {build: [infantry 1-3], leave: 10}
"""


def seats() -> list[dict[str, Any]]:
    return [
        {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
        {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False},
    ]


@pytest.fixture
def host(person: Callable[[str], Any]) -> Any:
    return person("Anna").create(seats=seats())


def played_to_winter(host: Any) -> None:
    """Stewards keep the Allies, the Axis does nothing but mobilize: it is Winter 1939."""
    for power in ("britain", "france", "russia", "usa", "china"):
        host.call("PUT", f"/tables/{host.table}/minders/{power}", mode="act")
    host.mobilize("italy", "japan").post("/advance", to="Fall 1939, Allied")
    assert host.get().json()["position"]["clock"]["turn_name"] == "Winter 1939"


def finished(player: Any, id: str) -> dict[str, Any]:
    for _ in range(600):
        found = player.get(f"/plans/runs/{id}").json()
        if found["run"]["state"] != "running":
            return dict(found)
        time.sleep(0.1)
    raise AssertionError("the run does not end")


def test_a_plan_is_kept_run_and_opened(host: Any) -> None:
    page = host.get("/plans").json()
    assert {it["name"] for it in page["shipped"] if not it["name"].startswith("best-")} == {
        "allied-aid",
        "as-it-happened",
        "germany-grows-first",
    }
    kept = host.call("PUT", f"/tables/{host.table}/plans", name="mine", text=SHORT)
    assert kept.json() == {"title": "A short one", "orders": 1, "uncertain": ["cost"], "questions": ["German level"]}
    started = host.post("/plans/runs", text=SHORT, samples=8, seed=2)
    assert started.status_code == 201, started.text
    found = finished(host, started.json()["id"])
    assert (found["run"]["state"], found["result"]["finished"]) == ("done", 8)
    assert found["result"]["questions"][0]["matters"][0]["thing"] == "cost"
    one = host.get(f"/plans/runs/{started.json()['id']}", future=3).json()
    assert "germany level" in one["one"]
    assert one["fate"] in ({"cost": "5"}, {"cost": "10"})
    assert host.get(f"/plans/runs/{started.json()['id']}/figures.csv").text.startswith("figure,turn")
    assert host.get(f"/plans/runs/{started.json()['id']}/result.jsonl").text.startswith('{"plan":"A short one"')
    opened = host.post(f"/plans/runs/{started.json()['id']}/open", future=3)
    assert opened.status_code == 201, opened.text
    copy = host.call("GET", f"/tables/{opened.json()['table']}").json()
    assert copy["position"]["clock"]["turn_name"] == "Spring 1940"


def test_runs_stand_side_by_side_and_beside_what_happened(host: Any) -> None:
    cheap = finished(host, host.post("/plans/runs", text=SHORT, samples=6).json()["id"])["run"]["id"]
    dear_text = SHORT.replace('"5": 1, "10": 1', '"25": 1')
    dear = finished(host, host.post("/plans/runs", text=dear_text, samples=2).json()["id"])["run"]["id"]
    beside = host.get(f"/plans/runs/{cheap}/compare", other=dear).json()
    assert {it["figure"] for it in beside["figures"]} == {"germany level"}
    assert all(it["difference"] <= -15 for it in beside["figures"])
    assert [it["question"] for it in beside["questions"]] == ["German level"]
    played_to_winter(host)
    happened = host.get(f"/plans/runs/{cheap}/compare").json()
    assert happened["other"] == "as it happened"
    assert {it["turn"] for it in happened["figures"]} == {"Winter 1939"}
    assert {it["figure"] for it in happened["figures"]} >= {"germany level"}


def test_a_run_is_stopped_and_resumed(host: Any) -> None:
    """What was played before it was stopped is not played again, and the whole is the same as in one go."""
    whole = finished(host, host.post("/plans/runs", text=SHORT, samples=40, seed=5).json()["id"])["result"]
    run = host.post("/plans/runs", text=SHORT, samples=40, seed=5).json()["id"]
    assert host.post(f"/plans/runs/{run}/resume").status_code == 409
    assert host.post(f"/plans/runs/{run}/stop").json()["state"] == "stopped"
    assert host.post(f"/plans/runs/{run}/resume").json()["state"] == "running"
    assert finished(host, run)["result"] == whole


def test_figures_are_read_where_turns_start_and_once(host: Any) -> None:
    """However often a page asks how far a run is, no state of the game is read again."""
    run = finished(host, host.post("/plans/runs", text=SHORT, samples=1).json()["id"])["run"]["id"]
    played_to_winter(host)
    server, read = host.client.app.state.server, []
    with server.tables.at(host.table) as table:
        once = table.game.journal.state_at
        table.game.journal.state_at = lambda move: read.append(move) or once(move)
    seen = [host.get(f"/plans/runs/{run}").json() for _ in range(3)]
    assert seen[0]["happened"]["germany base"]["turns"].keys() == {"Fall 1939", "Winter 1939"}
    assert seen[2] == seen[0]
    assert len(read) == 2


def test_runs_and_plans_are_their_writers(host: Any, person: Callable[[str], Any]) -> None:
    host.call("PUT", f"/tables/{host.table}/plans", name="secret", text=SHORT)
    run = host.post("/plans/runs", text=SHORT, samples=1).json()["id"]
    other = person("Bert").join(host.invite("seat2"))
    assert other.get("/plans").json()["mine"] == []
    assert other.get(f"/plans/runs/{run}").status_code == 404
    assert other.post(f"/plans/runs/{run}/stop").status_code == 404


def test_bad_plans_are_refused_with_their_line(host: Any) -> None:
    bad = host.call("PUT", f"/tables/{host.table}/plans", name="bad", text="plan: a\nuntil: Sometime\n")
    assert bad.status_code == 400
    assert "line 2" in bad.text
    many = host.post("/plans/runs", text=SHORT, samples=900_000)
    assert many.status_code == 400
    assert "at most" in many.text


def test_a_question_of_the_form_joins_the_plan_and_is_said_in_words(host: Any) -> None:
    """A number alone is at least that number, a year its year start; and what is certain says why."""
    asked = {"figure": "germany brps", "is": "200", "at": "1940"}
    text = SHORT.replace("Winter 1939", "Spring 1940", 1).replace('"5": 1, "10": 1', '"5": 1')
    run = host.post("/plans/runs", text=text, samples=3, seed=1, ask=asked)
    assert run.status_code == 201, run.text
    found = finished(host, run.json()["id"])
    first, other = found["result"]["questions"]
    words = "Germany has at least 200 BRPs at the 1940 year start"
    assert (first["question"], first["words"]) == (words, words)
    assert first["chance"] == 0
    assert first["why"] == f"Every future had the same figure, {first['median']}: nothing uncertain moves it."
    assert other["words"] == "Germany's level in Winter 1939, Allied, start of player turn"
    assert 'figure: "germany brp", is: ">= 200"' in found["text"]
    assert found["text"].replace("\n".join(it for it in found["text"].split("\n") if words in it) + "\n", "") == text


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("figure", "atlantis brp", "unknown power 'atlantis'"),
        ("figure", "germany joy", "base, brp, level"),
        ("figure", "", "such as germany base"),
        ("is", "plenty", "200 for at least 200"),
        ("at", "soon", "a year (1942"),
        ("at", "1950", "played until Winter 1939"),
        ("at", "1938", "is over when the plan starts, in Fall 1939"),
    ],
)
def test_what_is_wrong_with_the_form_is_said_of_its_field(host: Any, field: str, value: str, told: str) -> None:
    asked = {"figure": "germany base", "is": ">= 150", "at": "Winter 1939"} | {field: value}
    refused = host.post("/plans/runs", text=SHORT, samples=1, ask=asked)
    assert refused.status_code == 400
    assert refused.json()["field"] == field
    assert told in refused.json()["error"]
    assert "line" not in refused.json()["error"]
    assert host.get("/plans").json()["runs"] == []


def test_a_plan_from_here_starts_where_the_table_stands(host: Any) -> None:
    assert host.get("/plans").json()["later"] is False
    played_to_winter(host)
    page = host.get("/plans").json()
    assert page["later"] is True
    asked = {"figure": "germany base", "is": "", "at": "Fall 1939"}
    past = host.post("/plans/runs", text=page["here"]["text"], samples=2, ask=asked)
    assert past.json()["field"] == "at"
    assert "when the plan starts, in Winter 1939" in past.json()["error"]
    run = host.post("/plans/runs", text=page["here"]["text"], samples=2, ask=asked | {"at": "1941"})
    result = finished(host, run.json()["id"])["result"]
    assert (result["plan"], result["finished"], result["questions"][0]["futures"]) == ("From here", 2, 2)


def test_a_steward_plays_an_empty_side(host: Any) -> None:
    """One person plays the Axis; stewards keep the Allies, and the game comes back at the next Axis turn."""
    for power in ("britain", "france", "russia", "usa", "china"):
        done = host.call("PUT", f"/tables/{host.table}/minders/{power}", mode="act")
        assert done.status_code == 200, done.text
    host.mobilize("italy", "japan")
    assert host.post("/advance", to="Fall 1939, Allied").status_code == 200
    view = host.get().json()
    assert (view["position"]["clock"]["turn_name"], view["position"]["clock"]["part"]) == ("Winter 1939", "axis")
    lines = host.get("/log", most=60).json()
    minded = {line["minded"] for line in lines if line["minded"]}
    assert [it for it in minded if it.startswith("by Britain's steward: ") and "construction limit" in it]
    assert view["position"]["powers"]
    assert host.post("/undo").status_code in (200, 409)


def test_a_standing_order_acts_and_stops_where_it_has_no_answer(host: Any, person: Callable[[str], Any]) -> None:
    other = person("Bert").join(host.invite("seat2"))
    left = other.call("PUT", f"/tables/{host.table}/minders/britain", text=STANDING, mode="act")
    assert left.status_code == 200, left.text
    host.mobilize("italy", "japan")
    host.post("/advance", to="Fall 1939, Allied")
    britain = next(it for it in other.get("/plans").json()["minders"] if it["power"] == "britain")
    assert britain["minded"]
    assert britain["own_plan"]
    assert [it for it in other.get("/log", most=60).json() if it["minded"]]
    assert host.get("/plans").json()["minders"][3]["text"] == ""
    impossible = STANDING.replace("brp: 3", "brp: 900")
    other.call("PUT", f"/tables/{host.table}/minders/britain", text=impossible, mode="act")
    other.post("/advance", to="Fall 1939, Allied, combat")
    stopped = next(it for it in other.get("/plans").json()["minders"] if it["power"] == "britain")["stopped"]
    assert "39.22C" in stopped
    assert any("stops" in line["text"] for line in other.get("/talk").json())


def test_lines_of_a_form_are_put_together_and_leave_the_rest_to_the_seat(host: Any) -> None:
    """`Mobilize like this`, then `build like this`: both stand, nothing else is done, and the turn does not pass."""
    for power in ("germany", "italy", "japan"):
        left = host.post(f"/minders/{power}/line", build=["infantry 3-3", "infantry 2-3"])
        assert left.status_code == 200, left.text
    italy = next(it for it in host.get("/plans").json()["minders"] if it["power"] == "italy")
    assert "Italy must mobilize (36.351)" in italy["stopped"]
    host.post("/minders/italy/line", mobilize=["army air", "infantry 1-3"])
    line = next(it for it in host.get("/plans").json()["minders"] if it["power"] == "italy")
    assert not line["stopped"]
    assert "build: [infantry 3-3, infantry 2-3]" in line["text"]
    assert "mobilize: [army air, infantry 1-3]" in line["text"]
    host.mobilize("japan").post("/advance", to="Fall 1939, Axis, redeployment")
    clock = host.get().json()["position"]["clock"]
    assert (clock["turn_name"], clock["part"]) == ("Fall 1939", "axis")
    built = [it["text"] for it in host.get("/log", most=60).json() if it["minded"] and "uild" in it["text"]]
    assert [it for it in built if "Germany" in it and "infantry 3-3" in it and "armor" not in it], "on the way"
    assert [it for it in built if "Italy" in it and "infantry 2-3" in it and "armor" not in it]
    assert host.post("/minders/italy/line").status_code == 400
    assert host.post("/minders/italy/line", pass_until="Someday").status_code == 400
    assert host.post("/minders/italy/line", build=["dragons"]).status_code == 400
    assert host.post("/minders/italy/line", pass_until="Winter 1939").status_code == 200


def test_a_standing_order_of_aid_grants_as_far_as_the_road_carries(host: Any) -> None:
    aid = [{"to": "italy", "by": "land", "most": 4}]
    assert host.post("/minders/germany/line", aid=aid).status_code == 200
    host.mobilize("italy", "japan").post("/advance", to="Fall 1939, Axis, unit construction")
    given = [it for it in host.get("/log", most=60).json() if it["minded"] and "rant" in it["text"]]
    assert [it["minded"] for it in given] == [
        "by the preferences of Like this, for Germany: as far as the road to Italy carries"
    ]


def test_only_whoever_holds_a_power_leaves_it_to_somebody(host: Any, person: Callable[[str], Any]) -> None:
    other = person("Bert").join(host.invite("seat2"))
    assert host.call("PUT", f"/tables/{host.table}/minders/britain", mode="act").status_code == 403
    assert other.call("PUT", f"/tables/{host.table}/minders/germany", mode="act").status_code == 403


def test_a_plan_is_left_as_far_as_it_can_stand_by_itself(host: Any) -> None:
    """What nobody knows and what was expected to be reported go, and are named; what is decided stays."""
    text = """plan: The best found
until: Winter 1940
uncertain:
  Poland falls: {chance: 50%}
  war on Russia: {one of: {Spring 1940: 1, never: 0}}
orders:
  - {if: Poland falls, each: "Axis, combat", do: spend, power: germany, brp: 9, "on": offensive operations}
  - {when: "Fall 1939, Axis, combat", do: report_control, places: [Warsaw], by: germany}
  - if: war on Russia is Spring 1940
    each: "Axis, diplomatic phase"
    do: spend
    power: germany
    brp: 3
    "on": other
keep:
  germany: {build: [infantry 3-3], nothing_else: true}
"""
    shown = host.call("POST", f"/tables/{host.table}/minders/germany/shown", text=text)
    assert shown.status_code == 200, shown.text
    left = host.call("PUT", f"/tables/{host.table}/minders/germany", text=text, mode="act")
    assert left.status_code == 200, left.text
    kept = next(it for it in left.json() if it["power"] == "germany")["text"]
    assert kept.splitlines()[:3] == [
        "# Left out, since nobody knows it: Poland falls.",
        "# Left out: spend germany 9 offensive operations, line 7 of the plan.",
        "# Left out: report control Warsaw germany, line 8 of the plan.",
    ]
    host.mobilize("italy", "japan").post("/advance", to="Fall 1939, Axis, redeployment")
    done = [it["text"] for it in host.get("/log", most=60).json() if it["minded"]]
    assert [it for it in done if "3 BRPs on something else" in it]
    assert [it for it in done if "infantry 3-3" in it]
    assert not [it for it in done if "9 BRPs" in it or "Warsaw" in it]
    assert not next(it for it in host.get("/plans").json()["minders"] if it["power"] == "germany")["stopped"]


def test_a_steward_that_shows_waits_for_the_word(host: Any) -> None:
    """What it would do is shown, and given only when the one who may says so."""
    host.call("PUT", f"/tables/{host.table}/minders/italy", mode="show")
    before = host.get().json()["head"]
    (order,) = host.get("/suggest", power="italy").json()["orders"]
    # The same is shown before the power is left to it, and nothing has happened yet.
    head = host.get().json()["head"]
    assert host.post("/minders/italy/shown").json()["orders"] == [order]
    assert host.get().json()["head"] == head
    assert order["why"].startswith("by Italy's steward: a mobilization is due; ")
    assert host.get().json()["head"] == before
    assert host.post("/minders/italy/give").json() == {"orders": 1}
    assert host.get("/log", most=5).json()[0]["minded"] == order["why"]
    assert host.post("/minders/japan/give").status_code == 409


def test_a_pass_ends_with_its_last_turn(host: Any) -> None:
    """`Pass until`: nothing is built, and when its last turn is over the order stops and says so."""
    for power in ("britain", "france", "russia", "usa", "china"):
        host.call("PUT", f"/tables/{host.table}/minders/{power}", mode="act")
    passing = "plan: Pass\nuntil: Fall 1939\nkeep:\n  germany: {reserve: 100000}\n"
    host.call("PUT", f"/tables/{host.table}/minders/germany", mode="act", text=passing)
    host.mobilize("italy", "japan")
    host.post("/advance", to="Fall 1939, Allied")
    log = host.get("/log", most=60).json()
    assert not [it for it in log if it["minded"] and "germany" in it["powers"] and "build" in it["text"].lower()]
    host.post("/advance", to="Winter 1939, Axis, diplomatic phase")
    germany = next(it for it in host.get("/plans").json()["minders"] if it["power"] == "germany")
    assert germany["stopped"] == "it was left until the end of Fall 1939"


@pytest.mark.parametrize(
    "order",
    [
        '{each: "Axis, diplomatic phase", do: spend, power: germany, brp: 50, "on": other}',
        '{each: "Axis, diplomatic phase", do: report_loss, power: germany, units: [infantry 3-3], at: Berlin}',
        '{each: "Axis, diplomatic phase", do: correct, figure: powers.germany.brp, to: 0, reason: mine}',
    ],
)
def test_a_standing_order_does_nothing_that_its_seat_may_not(
    host: Any, person: Callable[[str], Any], order: str
) -> None:
    """What a person may not order or report, a plan of theirs may not either: it stops, and nothing happens."""
    other = person("Bert").join(host.invite("seat2"))
    text = f"plan: A trap\nuntil: Winter 1945\norders:\n  - {order}\n"
    assert other.call("PUT", f"/tables/{host.table}/minders/britain", text=text, mode="act").status_code == 200
    host.mobilize("italy", "japan")
    before = host.get("/figure", path="powers.germany.brp").json()["value"]
    host.post("/advance", to="diplomatic phase")
    assert host.get("/figure", path="powers.germany.brp").json()["value"] == before
    assert not [it for it in host.get("/log", most=60).json() if it["minded"] and "Germany" in it["text"]]
    assert next(it for it in other.get("/plans").json()["minders"] if it["power"] == "britain")["stopped"]


def test_a_steward_meets_the_duties_of_its_own_power_only(person: Callable[[str], Any]) -> None:
    """Britain's steward sets up the Dutch East Indies; what waits for Japan and the U.S. stays theirs."""
    host = person("Anna").create(seats=seats(), options={})
    host.call("PUT", f"/tables/{host.table}/minders/britain", mode="act")
    done = [it["text"] for it in host.get("/log", most=60).json() if it["minded"]]
    assert [it for it in done if "Dutch East Indies" in it]
    assert not [it for it in done if "Thailand" in it or "Philippines" in it or "Japan" in it]


def test_a_standing_order_goes_with_whoever_left_it(host: Any, person: Callable[[str], Any]) -> None:
    other = person("Bert").join(host.invite("seat2"))
    other.call("PUT", f"/tables/{host.table}/minders/britain", text=STANDING, mode="act")
    other.call("PUT", f"/tables/{host.table}/minders/usa", mode="act")
    other.post("/seats/seat2/vacate")
    minded = {it["power"]: it["minded"] for it in host.get("/plans").json()["minders"]}
    assert not minded["britain"]
    assert minded["usa"], "a steward is of the table"


def test_stewards_go_on_through_a_year_start(host: Any) -> None:
    for power in ("britain", "france", "russia", "usa", "china"):
        host.call("PUT", f"/tables/{host.table}/minders/{power}", mode="act")
    host.mobilize("italy", "japan")
    host.post("/advance", to="Fall 1939, Allied")
    host.post("/advance", to="Winter 1939, Allied")
    clock = host.get().json()["position"]["clock"]
    assert (clock["turn_name"], clock["part"]) == ("Spring 1940", "axis")


def test_nobody_signs_as_a_steward(host: Any) -> None:
    done = host.do(do="mobilize", power="italy", units=["2 army air", "2 infantry 1-3"], minded="by a steward")
    assert done.status_code == 200
    assert done.json()["moves"][0]["minded"] == ""


def test_advice_comes_with_its_reasons(host: Any) -> None:
    told = host.get("/suggest", power="italy").json()
    (order,) = told["orders"]
    assert order["command"]["do"] == "mobilize"
    assert order["why"].startswith("by Italy's steward: a mobilization is due; ")
    assert told["base"]["becomes"] == told["base"]["stands"] + 11  # ten by mobilization, one by growth of ten BRPs more
    assert host.get("/suggest", power="atlantis").status_code == 400


OPEN = """
plan: What to leave
until: Spring 1940
choose:
  saved: {from: 20, to: 100, by: 40}
keep:
  germany: {build: [infantry 3-3], leave: {1939: "{saved}"}}
want:
  - {most: germany level, at: "Winter 1939, Allied"}
"""


def test_the_best_plan_is_found_at_the_table(host: Any) -> None:
    made = host.call("POST", f"/tables/{host.table}/plans/runs", text=OPEN, best=True, seed=3).json()
    assert (made["search"], made["samples"]) == (True, 3)
    assert finished(host, made["id"])["run"]["state"] == "done"
    said = host.get(f"/plans/runs/{made['id']}/counsel").json()
    assert (said["exact"], said["tried"], said["best"]["taken"]) == (True, 3, {"saved": 100})
    page = host.get(f"/plans/runs/{made['id']}/counsel.html")
    assert "All 3 ways were tried" in page.text
    assert 'data-clause="39.31"' in page.text
    second = said["runners"][0]["name"]
    assert f'data-plan="{second}"' in page.text
    other = host.get(f"/plans/runs/{made['id']}/counsel", plan=second).json()["text"]
    assert f"leave: {{1939: {said['runners'][0]['taken']['saved']}}}" in other
    assert host.get(f"/plans/runs/{made['id']}/counsel", plan="saved: 7").status_code == 404
    opened = host.call("POST", f"/tables/{host.table}/plans/runs/{made['id']}/open", future=said["future"])
    assert opened.status_code == 201
    again = host.call("POST", f"/tables/{host.table}/plans/runs", text=said["text"], samples=4).json()
    assert finished(host, again["id"])["result"]["plan"] == "What to leave: the best found"
    for path in ("figures.csv", "compare"):
        assert host.get(f"/plans/runs/{made['id']}/{path}").status_code == 409
    assert host.get(f"/plans/runs/{again['id']}/counsel").status_code == 409


def test_what_is_best_is_asked_for_ones_own_powers(host: Any) -> None:
    """From where the table stands, its preferences open: how far its base grows against what it has yet to build."""
    asked = {it["name"]: it for it in host.get("/plans").json()["best"]}
    assert set(asked) == {"best-for-germany", "best-for-italy", "best-for-japan"}
    program = plan_of("asked", asked["best-for-italy"]["text"])
    assert program.plan.plan == "What is best for Italy?"
    assert set(program.plan.choose) == {"left each winter", "builds", "mobilizes", "shipyards"}
    assert [it.sign for it in program.goals] == [1, -1]


def test_a_plan_with_nothing_open_has_no_best(host: Any) -> None:
    refused = host.call("POST", f"/tables/{host.table}/plans/runs", text=SHORT, best=True)
    assert "leave a decision open" in refused.json()["error"]
