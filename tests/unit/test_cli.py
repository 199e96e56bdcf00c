"""The command line: every command prints for people and, with --json, for programs."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from positions import CONVOY, GARRISONS, WITHDRAWN
from warcabinet.cli.main import WHERE, main
from warcabinet.cli.session import Words

CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run `warcabinet` in an empty folder; gives exit status and what was printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WARCABINET_GAME", raising=False)
    monkeypatch.setattr("warcabinet.cli.show.console.width", 200, raising=False)

    def call(*words: str) -> tuple[int, str]:
        status = 0
        try:
            main(list(words))
        except SystemExit as leave:
            status = int(leave.code or 0)
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    return call


@pytest.fixture
def started(run):
    assert run("new", "--seed", "1", "--set", "mobilization=reported", "--set", "set_up=reported")[0] == 0
    return run


def data(result: tuple[int, str]):
    return json.loads(result[1])


def test_new_status_do_and_log(started):
    assert data(started("status", "--json"))["powers"]["germany"]["level"] == 150
    status, text = started("do", "spend", "power=germany", "brp=7", "on=offensive operations")
    assert status == 0
    assert "[39.11]" in text
    assert data(started("status", "--json"))["powers"]["germany"]["level"] == 143
    moves = data(started("log", "--json"))
    assert [move["kind"] for move in moves] == ["start", "command"]
    assert "spend power=germany brp=7" in started("log")[1]


def test_a_refusal_prints_every_clause_and_exits_1(started):
    status, text = started("do", "spend", "power=italy", "brp=80", "on=other")
    assert status == 1
    assert "[39.22B]" in text
    assert "[39.22C]" in text
    refused = data(started("do", "spend", "power=italy", "brp=80", "on=other", "--json"))["refused"]
    assert [reason["clause"] for reason in refused] == ["39.22B", "39.22C"]


def test_dry_does_nothing(started):
    before = data(started("status", "--json"))
    status, text = started("do", "--dry", "spend", "power=germany", "brp=7", "on=other")
    assert status == 0
    assert "Nothing was done" in text
    assert data(started("status", "--json")) == before


def test_a_stale_command_is_refused(started):
    status, text = started("do", "--seen", "3", "spend", "power=germany", "brp=7", "on=other")
    assert status == 1
    assert "had seen 3 events" in text


def test_advance_undo_redo(started):
    assert data(started("advance", "--to", "unit construction", "--json"))["moment"].endswith("unit construction")
    first = data(started("undo", "--json"))
    assert first["moment"] == "Fall 1939, Axis, start of player turn"
    assert data(started("redo", "--json"))["moment"].endswith("unit construction")
    status, text = started("advance", "--to", "Wintr 1940")
    assert status == 2
    assert "did you mean Winter" in text


def test_explain_follows_a_grant_to_the_other_ledger_and_back(run, tmp_path):
    (tmp_path / "convoy.yaml").write_text(CONVOY, encoding="utf-8")
    assert run("new", "--seed", "1", "-p", "convoy.yaml")[0] == 0
    run("do", "sail_convoy", "power=britain", "brp=8")
    assert "still under way: 8 in brp/sea/murmansk/britain" in run("explain", "brp/britain")[1]
    run("do", "report_convoy_interception", "transports_sunk=1")
    run("do", "let_convoy_pass", "power=germany")
    given, received = run("explain", "brp/britain")[1], run("explain", "brp/russia")[1]
    assert "to Russia, BRPs +5" in given
    assert "explain brp/russia" in given
    assert "Met on the mapboard: 1 transport sunk" in given
    assert "from Britain, BRPs -8" in received
    assert "explain brp/britain" in received
    trail = data(run("explain", "brp/russia", "--json"))["entries"][-1]["trail"]
    assert {(it["account"], it["amount"]) for it in trail["ends"]} == {("brp/britain", -8), ("brp/sink/convoys", 3)}


def test_explain_by_value_figure_account_move_and_command(started):
    assert data(started("explain", "growth_rate", "germany", "--json"))["value"] == 10
    found = data(started("explain", "powers.britain.brp", "--json"))
    assert found["because"][0]["entries"][0]["amount"] == 120
    assert data(started("explain", "brp/italy", "--json"))["balance"] == 75
    assert "35.33A" in started("explain", "base_growth", "germany")[1]
    assert started("explain", "move", "1")[0] == 0
    status, text = started("explain", "do", "spend", "power=italy", "brp=80", "on=other")
    assert status == 0
    assert "[39.22B]" in text
    assert started("explain", "growth_rte", "italy")[0] == 2
    assert "explain move N" in started("explain", "move", "99")[1]


def test_forecast_and_agenda(started):
    rows = data(started("forecast", "--json"))["rows"]
    totals = next(row for row in rows if row["rule"] == "year_total")
    assert totals["powers"]["britain"] == 172
    assert "172" in started("forecast")[1]
    assert "35.51C" in started("forecast", "britain")[1]
    started("do", "report_war", "between=germany,belgium", "declared_by=germany", "by_rule=our own")
    started("do", "report_control", "places=Brussels", "by=germany", "by_rule=our own")
    assert "belgium" in [item["about"] for item in data(started("agenda", "--json"))]
    assert "losing Belgium before then" in started("agenda")[1]
    settled = data(started("forecast", "--settled", "--json"))["rows"]
    assert next(row for row in settled if row["rule"] == "year_total")["powers"]["germany"] == 172


def test_offers(started):
    assert "at most 150" in started("offers", "germany")[1]
    offers = data(started("offers", "--json"))
    assert any(not offer["available"] for offer in offers)
    assert data(started("offers", "spend", "power=italy", "--json"))["fields"]["brp"]["most"] == 75
    assert "Britain moves in the allied player turn" in started("offers", "--all", "britain")[1]


def test_verify_export_import(started, tmp_path: Path):
    assert data(started("verify", "--json"))["ok"] is True
    assert started("export", "-o", "out.jsonl")[0] == 0
    assert started("import", "out.jsonl", "copy.warcabinet")[0] == 0
    one, two = (data(started("status", "-g", name, "--json")) for name in ("game.warcabinet", "copy.warcabinet"))
    assert one == two
    assert started("export", "--ledger")[1].startswith("move,moment,clause,memo,account,amount,balance\n")
    assert started("export", "-o", "out.jsonl")[0] == 2


def test_verify_fails_on_a_broken_game(started, tmp_path: Path):
    import sqlite3

    with sqlite3.connect(tmp_path / "game.warcabinet") as db:
        db.execute("update snapshots set state = replace(state, '\"turn\":7758', '\"turn\":7759')")
    assert started("verify")[0] == 3


def test_new_takes_options_readings_and_positions(run, tmp_path: Path):
    assert (
        run("new", "a.warcabinet", "-s", "prequel", "--set", "start=Spring 1939", "--set", "tiles={germany: 12}")[0]
        == 0
    )
    assert data(run("status", "-g", "a.warcabinet", "--json"))["moment"] == "Spring 1939, Axis, start of player turn"
    assert run("new", "b.warcabinet", "--reading", "R-0015=b")[0] == 0
    assert data(run("status", "-g", "b.warcabinet", "--json"))["powers"]["usa"]["level"] == 150
    (tmp_path / "table.yaml").write_text("turn: Summer 1942\nplayer: allied\nset: {powers.usa.base: 400}\n")
    assert run("new", "c.warcabinet", "-p", "table.yaml")[0] == 0
    assert "unknown key 'trn'" in _position(run, tmp_path, "trn: Summer 1942\n")
    assert "did you mean germany" in _position(run, tmp_path, "set: {powers.germny.brp: 1}\n")
    assert "unknown option" not in run("new", "d.warcabinet", "--set", "scope=europe")[1]
    assert "scop" in run("new", "e.warcabinet", "--set", "scop=europe")[1]


def _position(run, folder: Path, text: str) -> str:
    (folder / "bad.yaml").write_text(text)
    status, told = run("new", "bad.warcabinet", "-p", "bad.yaml")
    assert status == 2
    assert not (folder / "bad.warcabinet").exists()
    return told


def test_no_game_says_how_to_start_one(run):
    status, text = run("status")
    assert status == 2
    assert "warcabinet new game.warcabinet" in " ".join(text.split())


def test_check_and_rules(run):
    status, text = run("check", str(CASES / "36" / "36.2.yaml"))
    assert (status, text.splitlines()[-1]) == (0, "2 passed, 0 failed")
    found = data(run("check", str(CASES / "35"), "-k", "35.53", "--json"))
    assert (found["passed"], found["failed"]) == (3, 0)
    assert "35.53" in found["clauses"]
    clause, *_ = data(run("rules", "35.31A", "--cases", str(CASES / "35"), "--json"))
    assert clause["rules"][0]["name"] == "european_rate"
    assert "R-0002" in run("rules", "--rulings")[1]
    coverage = data(run("rules", "39", "--coverage", "--cases", str(CASES / "39"), "--json"))
    assert set(coverage["covered"]) == set(coverage["computable"])
    assert run("rules", "99.1")[0] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {id: 35.31/1, title: t, clauses: [], gven: {}}", "line 1: unknown key 'gven'"),
        ('- {id: 35.31/1, title: t, clauses: ["99.9"]}', "unknown clause '99.9'"),
        ("- {id: 99.9/1, title: t, clauses: [], ask: {base: [italy]}, expect: 0}", "unknown clause '99.9'"),
        ("- {id: 35.31/1, title: t, clauses: [], source: ruling R-9999}", "unknown ruling 'R-9999'"),
        ("- {id: 35.31/1, title: t, clauses: []}", "nothing is asked"),
        ("- {id: 35.31/1, title: t, clauses: [], when: [{do: advance}], then: {refused: '39.11'}}", "is a list"),
        ("- {id: 35.31/1, title: t, clauses: [], given: {set: {powers.germany.bse: 1}}, then: {tracks.rgt: 0}}", "bse"),
        ('- {id: 35.31/1, title: t, clauses: ["35.31"], when: [{do: fly}]}', "unknown command 'fly'"),
        (
            "- {id: 35.31/1, title: t,clauses: [], given: {set: {control: {italy: [Brusels]}}}, then: {tracks.rgt: 0}}",
            "did you mean Brussels",
        ),
        ("- {id: 35.31/1, title: t, clauses: [], ask: {growth_rate: [italy]}, expect: 11}", "growth_rate(italy) is 10"),
        (
            "- {id: 35.31/1, title: t, clauses: [], given: {referee: [{base: [itly], is: 1}]}, then: {tracks.rgt: 0}}",
            "itly",
        ),
    ],
)
def test_a_bad_case_fails_with_what_is_wrong(run, tmp_path: Path, text: str, message: str):
    (tmp_path / "bad.yaml").write_text(text)
    status, told = run("check", "bad.yaml")
    assert status == 1
    assert message in told


def test_data_lists_assumptions(run):
    assumed = data(run("data", "--assumed", "--json"))
    assert any("powers.france.base" in row["what"] for row in assumed)
    assert all("assumed" in row["source"] for row in assumed)
    assert len(data(run("data", "--json"))) > len(assumed)


def test_docs_are_up_to_date(run):
    docs = Path(__file__).parent.parent.parent / "docs"
    assert run("docs", "--check", str(docs)) == (0, "The generated documents are up to date.\n")


def test_a_session_takes_lines(run, monkeypatch: pytest.MonkeyPatch):
    lines = (
        "mobilize power=italy units='8 infantry 1-3'\nmobilize power=japan units='20 infantry 1-2'\n"
        "status\nspend power=germany brp=5 on=other\nspend power=italy brp=99 on=other\nwhy level germany\nnonsense\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(lines + "undo\nredo\nadvance\nhelp\nhelp spend\nlog\nquit\nstatus\n"))
    status, text = run("session")
    assert status == 0
    assert "-5" in text
    assert "[39.22B]" in text
    assert "unknown command 'nonsense'" in text
    assert "diplomatic phase" in text


def test_completion_knows_commands_fields_and_names():
    words = Words()
    assert "spend" in words._candidates(["sp"])
    assert "power=" in words._candidates(["spend", "po"])
    assert "power=germany" in words._candidates(["spend", "power=ge"])
    assert "growth_rate" in words._candidates(["why", "gr"])


def test_the_war_economy(run):
    assert run("new", "--set", "set_up=reported", "--set", "forces=none")[0] == 0
    sheets = data(run("mobilization", "--json"))
    assert [s["power"] for s in sheets if s["due"]] == ["italy", "japan"]
    status, text = run("advance")
    assert status == 1
    assert "[36.351]" in text
    assert run("do", "mobilize", "power=italy", "units=2 army air,2 infantry 1-3")[0] == 0
    assert run("do", "mobilize", "power=japan", "units=3 army air,6 naval air", "defer=5")[0] == 0
    assert data(run("track", "--json"))[0]["turn"] == "Spring 1940"
    assert "Fall 1940" in run("track")[1]
    assert "36.32C" in run("mobilization", "japan")[1]
    run("do", "report_pool", "power=italy", "unit=infantry 1-3", "count=2")
    assert data(run("pool", "italy", "--json"))[1]["unbuilt"] == 2
    assert run("advance", "--to", "unit construction")[0] == 0
    found = data(run("builds", "italy", "--json"))
    assert found["construction_left"] == 25
    assert "Rome" in found["places"]
    assert "2 can be afforded" in run("builds", "italy", "--places")[1]
    assert run("do", "build", "power=italy", "at=Rome", "units=2 infantry 1-3")[0] == 0
    assert "infantry 1-3" in run("pool", "italy")[1]


def test_countries_and_the_demonstration(run):
    assert run("demo", "--out", "demo.warcabinet")[0] == 0
    found = data(run("verify", "-g", "demo.warcabinet", "--json"))
    assert (found["ok"], found["differences"]) == (True, [])
    pages = data(run("countries", "-g", "demo.warcabinet", "--json"))
    assert {page["country"] for page in pages} >= {"belgium", "poland", "thailand"}
    assert "conquered" in run("countries", "russia", "-g", "demo.warcabinet")[1]
    assert run("countries", "Conquered", "-g", "demo.warcabinet")[0] == 0
    assert "did you mean allied" in "".join(map(str, run("countries", "alied", "-g", "demo.warcabinet")))
    romania = run("country", "Romania", "-g", "demo.warcabinet")[1]
    # It may still surrender; the Axis, to which it could switch sides, is out of the war.
    assert "85.51A" in romania
    assert "85.51B" not in romania
    assert data(run("country", "belgium", "-g", "demo.warcabinet", "--json"))["status"] == "conquered"
    status, text = run("country", "Ruritania", "-g", "demo.warcabinet")
    assert status == 2
    assert "unknown country" in text


@pytest.mark.parametrize("words", [("status", "-g", "[/x]"), ("explain", "[/bold]"), ("do", "[/x]"), ("rules", "[/x]")])
def test_whatever_is_typed_is_told_back_as_it_is(started, words: tuple[str, ...]):
    status, text = started(*words)
    assert status == 2
    assert "Error" in text
    assert words[-1] in text


@pytest.mark.parametrize("note", ["thrown 4: D2", "[A6]", "true", "1939", "a, b: c"])
def test_a_remark_is_kept_as_it_was_typed(started, note: str):
    made = data(started("do", "spend", "power=germany", "brp=1", "on=other", f"note={note}", "--json"))
    assert f": {note}" in str(made)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("set:\n  powers.germany.brp: 1\n  powers.germany.bse: 1\n", "bad.yaml, line 3"),
        ("referee: [{growth_rate: [italy], is: ten}]\n", "growth_rate is a whole number"),
        ("referee: [{growth_rate: [itly], is: 10}]\n", "did you mean italy"),
        ("? [a, b]\n: 1\n", "cannot be a key"),
        ("[" * 3000, "nested too deeply"),
    ],
)
def test_a_bad_position_is_told_with_its_line(run, tmp_path: Path, position: str, message: str):
    assert message in _position(run, tmp_path, position)


def test_files_that_are_no_text_and_folders_that_are_not_there(started, tmp_path: Path):
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    assert "not a text file in UTF-8" in started("new", "x.warcabinet", "-p", "binary.yaml")[1]
    assert "not a text file in UTF-8" in started("import", "game.warcabinet", "x.warcabinet")[1]
    assert "there is no folder" in started("export", "-o", "missing/out.jsonl")[1]
    assert "is a folder" in started("status", "-g", str(tmp_path))[1]
    assert "no such database" in started("status", "-g", "foo://x")[1]


def test_usage_errors_are_json_too(started):
    status, text = started("do", "--json")
    assert status == 2
    assert "Missing argument" in json.loads(text)["error"]


def test_what_a_field_takes_is_said(started):
    assert "write one of declaration of war" in started("do", "spend", "power=germany", "brp=1", "on=lunch")[1]
    assert "on is missing: write one of" in started("do", "spend", "power=germany", "brp=1")[1]
    assert "brp: write a number of BRPs, at least 1" in started("do", "spend", "power=germany", "brp=x", "on=other")[1]


def test_a_tampered_export_is_not_imported(started, tmp_path: Path):
    started("do", "spend", "power=germany", "brp=7", "on=other")
    lines = started("export")[1]
    (tmp_path / "bad.jsonl").write_text(lines.replace("-7", "-6"))
    status, text = started("import", "bad.jsonl", "new.warcabinet")
    assert (status, (tmp_path / "new.warcabinet").exists()) == (2, False)
    assert "not zero" in text


def test_a_session_loads_again_when_someone_else_has_moved(started, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    from warcabinet import open_game
    from warcabinet.cli.session import converse

    game = open_game("game.warcabinet")
    started("do", "report_brp", "power=italy", "brp=3", "cause=other")
    command = "report_brp power=italy brp=1 cause=other\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(command + command + "quit\n"))
    converse(game)
    assert "Loaded again" in started("status")[1]
    found = data(started("status", "--json"))
    assert found["powers"]["italy"]["level"] in (79, 89)


def test_explain_opens_the_amounts_of_a_move_and_of_what_falls_due(started):
    paid = data(started("do", "report_brp", "power=britain", "brp=-2", "cause=submarine warfare", "--json"))["move"]
    status, told = started("explain", "move", str(paid), "britain")
    assert status == 0
    assert "-2 submarine warfare" in told
    assert "level" in told
    assert "moves no BRPs of japan" in started("explain", "move", str(paid), "japan")[1]
    due = next(it for it in data(started("agenda", "--json")) if it["brp"])
    assert data(started("explain", "due", *due["id"].split(), "--json"))["amount"] == due["brp"] * due["share"] // 100
    assert "explain due ID" in started("explain", "due")[1]


def test_explain_shows_corrections_of_figures(started):
    started("do", "correct", "figure=tracks.usat", "to=30", "reason=typo")
    assert "set by the referee: typo" in started("explain", "tracks.usat")[1]


def test_names_are_taken_as_people_write_them(started):
    assert data(started("explain", "growth_rate", "Germany", "--json"))["args"] == ["germany"]
    assert started("do", "spend", "power=Germany", "brp=2", "on=other")[0] == 0
    assert data(started("offers", "U.S.", "--json"))
    assert data(started("log", "--power", "GERMANY", "--json"))
    rows = data(started("forecast", "Great Britain", "--json"))["rows"]
    assert set(rows[0]["powers"]) == {"britain"}


def test_only_seats_of_the_table_command(started):
    status, text = started("do", "spend", "power=germany", "brp=2", "on=other", "--seat", "nobody")
    assert status == 2
    assert "unknown seat 'nobody'" in text
    status, text = started("advance", "--seat", "britain")
    assert status == 1
    assert "[WC.9]" in text
    assert started("advance", "--seat", "germany")[0] == 0


def test_an_offer_wants_numbers_where_numbers_belong(started):
    status, text = started("offers", "spend", "power=germany", "brp=abc")
    assert status == 2
    assert "brp: write a number of BRPs" in text


def test_moments_are_told_in_words(started):
    assert data(started("explain", "brp/germany", "--json"))["entries"][0]["when"].startswith("Fall 1939")
    assert data(started("log", "--json"))[0]["when"].startswith("Fall 1939")


def test_export_as_one_list(started):
    assert [line["id"] for line in data(started("export", "--json"))[1:-1]] == [1]
    assert data(started("export", "--ledger", "--json"))[0]["amount"] == 150


def test_data_lists_the_boards_on_demand(run):
    short, whole = run("data", "--assumed")[1], run("data", "boards/hexes-europe.csv", "--assumed")[1]
    assert "boards/hexes-europe.csv" in short
    assert len(short.splitlines()) < 200 < len(whole.splitlines())
    assert "unknown file of data" in run("data", "nonsense.csv")[1]


def test_clauses_name_their_cases_from_any_folder(run):
    assert any(row["cases"] for row in data(run("rules", "35.53", "--json")))


def test_what_the_game_waits_for_is_shown(run, tmp_path: Path):
    (tmp_path / "position.yaml").write_text(CONVOY, encoding="utf-8")
    assert run("new", "--position", str(tmp_path / "position.yaml"), "--seed", "1")[0] == 0
    assert run("do", "sail_convoy", "power=britain", "brp=8")[0] == 0
    for command in ("status", "agenda"):
        assert "A Murmansk convoy waits for Germany" in " ".join(run(command)[1].split())
    assert data(run("status", "--json"))["waits"][0]["waits_for"] == ["germany"]
    offers = run("offers", "germany")[1]
    assert offers.startswith("Reply to O1 oppose_convoy power=germany")
    assert "advance" not in offers
    assert run("advance")[0] == 1
    assert run("do", "let_convoy_pass", "power=germany", "--seat", "germany")[0] == 0
    assert data(run("status", "--json"))["waits"] == []


@pytest.mark.parametrize("module", sorted(set(WHERE.values())))
def test_every_command_is_found_in_its_module(module: str):
    commands = import_module(f"warcabinet.cli.{module}").COMMANDS
    assert {command.name for command in commands} == {name for name, where in WHERE.items() if where == module}


def test_a_command_does_not_wait_for_what_it_does_not_use(tmp_path: Path):
    asked = "import sys; from warcabinet.cli.main import main; main(['rules', '35.31']); print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(told.stdout.splitlines()[-1].split())
    assert "warcabinet.cli.rulebook" in loaded
    assert not loaded & {"starlette", "prompt_toolkit", "jinja2", "warcabinet.board.render"}


def test_a_case_is_opened_as_a_game(run):
    status, told = run("check", str(CASES / "83"), "--explain", "83.11/1")
    assert status == 0
    assert "warcabinet status --game case-83.11-1.warcabinet" in told
    assert "report_control" in told
    moves = data(run("log", "--json", "-n", "0", "--game", "case-83.11-1.warcabinet"))
    assert moves[1]["command"]["do"] == "declare_war"
    assert run("verify", "--game", "case-83.11-1.warcabinet")[0] == 0
    assert "unknown case" in run("check", str(CASES / "83"), "--explain", "83.11/999")[1]


def test_what_is_there_for_a_clause_is_shown_with_stubs(run):
    status, told = run("new-clause", "89.51B")
    assert status == 0
    assert "84.32" in told  # which says the same of Thailand, and has code
    assert "thailand_joins" in told
    assert "holder(s, " in told
    assert "in tests/cases/89/89.5.yaml" in told
    assert '- id: "89.51B/1"' in told
    assert '"89.51B"' in told
    assert "unknown clause" in run("new-clause", "89.99")[1]


def test_the_log_of_china_is_not_that_of_communist_china(started):
    started("do", "deploy", "by=russia", "country=communist_china")
    assert '"deploy"' not in started("log", "--power", "china", "--json")[1]
    assert '"deploy"' in started("log", "--power", "russia", "--json")[1]


def test_a_step_in_which_a_set_up_is_owed_does_not_say_that_nothing_is_decided(run):
    run("new", "--set", "mobilization=reported", "--set", "scope=europe")
    assert run("advance", "--to", "set-up")[0] == 0
    assert "nothing is decided" not in run("log", "-n", "1")[1]
    assert "set up first: Poland" in run("status")[1]
    first = data(run("offers", "--json"))[0]
    assert (first["command"], first["known"], first["duty"]) == (
        "deploy",
        {"by": "britain", "country": "poland"},
        "82.53",
    )
    assert "First" in run("offers")[1]
    assert run("do", "deploy", "by=britain", "country=poland")[0] == 0
    assert run("advance")[0] == 0


def test_the_log_keeps_by_which_rule_a_report_was_allowed(started):
    assert started("do", "report_control", "places=Riga", "by=russia")[0] == 1
    assert started("do", "report_control", "places=Riga", "by=russia", "by_rule=the pact of 1939")[0] == 0
    assert "by a rule outside these documents: the pact of 1939" in started("log", "-n", "1")[1]


def test_the_garrisons_of_manchuria_and_siberia(run, tmp_path: Path):
    (tmp_path / "position.yaml").write_text(GARRISONS, encoding="utf-8")
    assert run("new", "-p", "position.yaml", "--seed", "1")[0] == 0
    status, text = run("garrisons")
    assert status == 0
    assert "45 of 45 BRPs" in text
    assert "Russia on Japan" in text
    withdrawn = [f"{name}={value}" for name, value in WITHDRAWN.items() if name != "do"]
    assert run("do", "move", *withdrawn)[0] == 0
    text = run("garrisons")[1]
    assert "3 infantry factors, Siberia to Europe" in text
    assert "1 infantry 3-2 went to Canton" in text
    assert data(run("garrisons", "--json"))["manchuria"]["value"] == 42
    assert "units_worth" in run("explain", "garrison_value", "manchuria")[1]


def test_chinas_map_in_words_and_drawn(started, tmp_path):
    status, told = started("china")
    assert status == 0
    assert "Wang infantry: China and Manchuria" in told
    assert data(started("china", "--json"))["resistance"] == 0
    out = tmp_path / "china.svg"
    assert started("china", "-o", str(out), "--units", "t")[0] == 0
    drawn = out.read_text(encoding="utf-8")
    assert "tinted: where Flying Tigers may go" in drawn
    assert "Communist China (79.21)" in drawn
    status, told = started("china", "-o", str(out), "--units", "x")
    assert status == 2
    assert "letter of units" in told
    assert started("china", "-o", str(tmp_path / "china.txt"))[0] == 2


def test_regions_of_communist_china_are_places_of_the_board(run):
    status, told = run("new", "x.warcabinet", "-s", "prequel", "--set", "communist_regions=Shensi")
    assert status == 2
    assert "needs a region, a colon" in told
    assert run("new", "x.warcabinet", "-s", "prequel", "--set", "communist_hexes=Atlantis")[0] == 2
    assert run("new", "x.warcabinet", "-s", "prequel", "--set", "communist_regions=Shensi: Yenan")[0] == 0


def test_aid_shows_roads_plans_sends_and_follows_what_waits(run):
    Path("position.yaml").write_text(CONVOY)
    assert run("new", "-p", "position.yaml", "--seed", "1")[0] == 0
    status, text = run("aid", "--lines")
    assert status == 0
    assert "Murmansk to Russia: open 0 of 20" in text
    assert "the Persian route has not been opened [40.521]" in text
    lend = "grant power=usa to=britain by=atlantic brp=12"
    text = run("aid", "-p", lend)[1]
    assert "3 needed: Britain 3, 3 of 6 free [40.221A]" in text
    assert data(run("status", "--json"))["powers"]["usa"]["level"] == 100
    assert run("aid", "-p", "spend power=usa brp=1 on=other")[0] == 2
    assert run("aid", "--send")[0] == 2
    too_much = lend.replace("12", "99")
    status, text = run("aid", "-p", lend, "-p", too_much, "--send")
    assert status == 2
    assert "nothing was sent" in text
    text = run("aid", "-p", lend, "-p", lend, "--send")[1]
    assert "1 of the plan not sent yet" in text
    sheet = data(run("aid", "--json"))["convoy"]
    assert (sheet["sent"], sheet["waits_for"]) == (12, ["germany"])
    assert "Waits for Germany" in run("aid")[1]
