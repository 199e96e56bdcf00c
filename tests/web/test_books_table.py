"""A table of books over HTTP: lines are read and given, once each, by whoever may; the page shows what came of them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from warcabinet.store.workbook import read_rows

COUNTED = {"forces": "counted", "set_up": "reported"}
FIRST = ["italy 2 aaf, 2 inf 1-3", "japan 3 aaf, 6 nas defer 5", "to combat"]


@pytest.fixture
def books(person: Any) -> Any:
    return person("Anna").create(options=COUNTED)


def test_lines_are_given_once_though_they_come_twice(books: Any) -> None:
    for _ in range(2):
        given = books.client.post(
            f"/api/v1/tables/{books.table}/entries",
            json={"lines": [*FIRST, "germany 25 off"]},
            headers={"idempotency-key": "paste"},
        )
        assert given.json()["given"] == 4
    sheet = books.get("/books").json()
    level = {it["power"]: it["figures"]["level"] for it in sheet["powers"]}
    assert level["germany"] == 125
    assert sheet["phase"] == "combat"
    assert sheet["counted"]


def test_a_line_says_at_once_what_would_come_of_it(books: Any) -> None:
    books.post("/entries", lines=FIRST)
    read = books.post("/entries/read", line="25 offensives", power="germany").json()
    assert read["understood"]
    assert read["allowed"]
    assert read["changes"] == [{"power": "germany", "figure": "level", "was": 150, "is": 125}]
    books.post("/entries", lines=["to construction"])
    read = books.post("/entries/read", line="germany 15 construction").json()
    assert [(it["figure"], it["was"], it["is"]) for it in read["changes"]] == [
        ("level", 150, 135),
        ("left of the limit (39.31)", 50, 35),
    ]
    read = books.post("/entries/read", line="italy 300 off").json()
    assert {it["clause"] for it in read["refusals"]} == {"39.22B", "39.22C"}
    read = books.post("/entries/read", line="usat 2, usjt 3").json()
    assert read["allowed"]
    assert read["sentence"].count(";") == 1
    read = books.post("/entries/read", line="germny 3 off").json()
    assert not read["understood"]
    assert "Germany" in read["right"]


def test_a_second_reading_is_a_line_and_words_are_completed(books: Any) -> None:
    read = books.post("/entries/read", line="germany 2 inf 3-3").json()
    (other,) = read["readings"]
    again = books.post("/entries/read", line=other).json()
    assert (read["command"], again["command"]) == ("mobilize", "build_by_count")
    assert again["readings"] == []
    assert "to combat" in books.post("/entries/read", line="to com").json()["endings"]
    assert books.post("/entries/read", line="italy 2 aaf, 2 inf 1-3").json()["endings"] == []


def test_phases_to_come_say_what_will_be_owed(books: Any) -> None:
    axis, allies = books.get("/books").json()["sides"]
    first = {it["name"]: it for it in allies["phases"]}
    (owed,) = first["Mobilize"]["owed"]
    assert (owed["text"], owed["clause"], owed["powers"]) == ("must mobilize: Britain", "36.351", ["britain"])
    # 39.31: a third of the base of 110.
    assert "Britain has 36 left" in first["Build"]["may"]
    assert axis["phases"][0]["owed"][0]["text"].startswith("must mobilize now")
    page = books.client.get(f"/tables/{books.table}").text
    assert "must mobilize: Britain" in page
    assert page.count("who declares war on whom") == 2
    books.post("/entries", lines=[*FIRST, "to allied", "britain arm 4-5, arm 2-5, 4 inf 1-3"])
    done = books.get("/books").json()["sides"][1]["phases"][0]
    assert done["owed"] == []


def test_what_stops_is_named_and_what_follows_is_left(books: Any) -> None:
    given = books.post("/entries", lines=[*FIRST, "germany 25 off", "italy 300 off"]).json()
    assert given["given"] == 3
    assert given["line"] == "italy 300 off"
    assert given["refusals"]
    assert books.post("/entries", lines=["what is this"]).json()["asks"]


@pytest.mark.parametrize("lines", [[], [""] * 101, ["x" * 2001], "next", [5]])
def test_hostile_lines_are_refused(books: Any, lines: Any) -> None:
    assert books.post("/entries", lines=lines).status_code == 400


def test_odd_lines_do_no_harm(books: Any) -> None:
    for line in ("=" * 500, "germany " * 200, "'", '"', "to " + "x" * 900, "9" * 300 + " germany construction"):
        assert books.post("/entries/read", line=line).status_code == 200, line
        assert books.post("/entries", lines=[line]).json()["given"] == 0, line


def test_a_line_longer_than_anybody_types_is_not_read(books: Any) -> None:
    long = "germany " * 101
    assert books.post("/entries/read", line=long).json()["asks"] == "an entry has at most 100 words"
    assert books.post("/entries", lines=[long]).json()["given"] == 0


def test_the_page_of_the_books(books: Any, person: Any) -> None:
    page = books.client.get(f"/tables/{books.table}")
    assert "Falls due" in page.text
    assert "Not judged here" in page.text
    assert 'id="map"' in books.client.get(f"/tables/{books.table}?whole").text
    assert "must mobilize now" in page.text
    worker = books.client.get("/worker.js")
    assert (worker.headers["content-type"], "no-cache" in worker.headers["cache-control"]) == (
        "text/javascript; charset=utf-8",
        True,
    )
    whole = person("Ben").create()
    assert 'id="map"' in whole.client.get(f"/tables/{whole.table}").text


def test_tables_are_taken_home_and_a_sheet_is_brought(books: Any, person: Any) -> None:
    assert books.get("/sheets/powers.csv").text.startswith("turn,power,level,base")
    assert books.get("/sheets/nothing").status_code == 404
    book = books.get("/sheets.xlsx")
    assert read_rows(book.content)[0][0] == "move"
    own = b64encode(b"turn,Spring 1942\npower,level,base\nGermany,290,156\n").decode()
    position = books.call("POST", "/setup/sheet", data=own)
    assert position.status_code == 200, position.text
    ours = person("Ben").create(options={}, position=position.text)
    levels = {it["power"]: it["figures"]["level"] for it in ours.get("/books").json()["powers"]}
    assert levels["germany"] == 290
    for hostile in (b"PK nothing", b"power,level\nGermny,1", b"\xff\xfe"):
        assert books.call("POST", "/setup/sheet", data=b64encode(hostile).decode()).status_code == 400
    assert books.call("POST", "/setup/sheet", data="***").status_code == 400


GONE_ON = [*FIRST, "germany 25 off", "to construction", "germany 15 construction", "to allied"]


def levels(books: Any) -> dict[str, int]:
    return {it["power"]: it["figures"]["level"] for it in books.get("/books").json()["powers"]}


def test_a_line_whose_phase_is_past_is_entered_back_by_the_referee(books: Any) -> None:
    """What followed it is judged and entered once more, twice sent it is entered once, and one undo takes it back."""
    assert books.post("/entries", lines=GONE_ON).json()["given"] == len(GONE_ON)
    before = levels(books)
    read = books.post("/entries/read", line="italy 12 construction").json()
    assert (read["allowed"], read["back"]) == (False, "Fall 1939, Axis, unit construction")
    refused = books.post("/entries", lines=["italy 12 construction"]).json()
    assert (refused["given"], refused["back"]) == (0, "Fall 1939, Axis, unit construction")
    for line in ("italy 12 construction", "italy 5 off"):
        for _ in range(2):
            given = books.client.post(
                f"/api/v1/tables/{books.table}/entries",
                json={"lines": [line], "back": True},
                headers={"idempotency-key": line},
            ).json()
            assert given["given"] == 1, given
    assert levels(books) == {**before, "italy": before["italy"] - 17}
    assert books.get("/books").json()["side"] == "Allied"
    assert books.get("/talk").text.count("entered at Fall 1939, Axis, unit construction: italy 12") == 1
    assert books.post("/undo").json()["done"]
    assert levels(books) == {**before, "italy": before["italy"] - 12}
    assert books.get("/books").json()["side"] == "Allied"


def test_an_entry_of_this_turn_is_said_anew_or_taken_out(books: Any) -> None:
    books.post("/entries", lines=GONE_ON)
    before, sheet = levels(books), books.get("/books").json()
    entry, said = next((int(id), it) for id, it in sheet["anew"].items() if "offensive" in it)
    assert said == f"instead {entry}: Germany spend 25 BRPs on offensive operations"
    read = books.post("/entries/read", line=said.replace("25", "30")).json()
    assert (read["understood"], read["sentence"]) == (
        True,
        f"Instead of entry {entry}: Germany: spend 30 BRPs on offensive operations",
    )
    for _ in range(2):
        given = books.client.post(
            f"/api/v1/tables/{books.table}/entries",
            json={"lines": [said.replace("25", "30")]},
            headers={"idempotency-key": "anew"},
        ).json()
        assert given["given"] == 1, given
    assert levels(books) == {**before, "germany": before["germany"] - 5}
    assert books.get("/books").json()["side"] == "Allied"  # what followed was entered once more
    # Taken out; what is undone or of no turn is not; one undo each takes it back.
    (entry,) = (id for id, it in books.get("/books").json()["anew"].items() if "offensive" in it)
    assert books.post("/entries", lines=[f"instead {entry}"]).json()["given"] == 1
    assert levels(books) == {**before, "germany": before["germany"] + 25}
    assert "undone" in books.post("/entries", lines=[f"instead {entry}: germany 5 off"]).json()["asks"]
    assert "nothing that was entered" in books.post("/entries/read", line="instead 1").json()["asks"]
    for _ in range(2):
        assert books.post("/undo").json()["done"]
    assert levels(books) == before


def test_what_would_make_later_entries_impossible_is_not_entered_back(books: Any) -> None:
    books.post("/entries", lines=[*FIRST, "germany 110 off", "to construction", "germany 40 construction", "to allied"])
    before = levels(books)
    given = books.post("/entries", lines=["germany 20 off"], back=True).json()
    assert given["given"] == 0
    assert [it["clause"] for it in given["refusals"]]  # the construction that followed would go below zero
    assert levels(books) == before
    assert books.post("/entries", lines=["germany 1 off", "germany 2 off"], back=True).status_code == 400
    assert "no phase of this turn" in books.post("/entries", lines=["germany 300 off"], back=True).json()["asks"]


def test_who_is_no_referee_is_told_whose_right_it_is(two: Any) -> None:
    axis, allies = two
    assert axis.post("/entries", lines=["to allied"]).json()["given"] == 1
    lines = ["britain arm 4-5, arm 2-5, 4 inf 1-3", "to redeployment"]
    assert allies.post("/entries", lines=lines).json()["given"] == 2
    read = allies.post("/entries/read", line="britain 2 construction").json()
    assert read["back"] == ""
    assert read["asks"].startswith("its phase, Fall 1939, Allied, unit construction, is past: the referee")
    refused = allies.post("/entries", lines=["britain 2 construction"], back=True)
    assert refused.status_code == 403, refused.text
