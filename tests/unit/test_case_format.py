"""What the format of cases spares a writer: like another case, lists that add, one of several, what must never be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warcabinet.cli.main import main
from warcabinet.conformance.cases import Book, read_cases
from warcabinet.conformance.running import Outcome, run_files
from warcabinet.figures.changes import changed
from warcabinet.figures.position import Position, read_position, set_up
from warcabinet.figures.table import correction, read
from warcabinet.figures.written import position_text, written
from warcabinet.house.form import wanted
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model.apply import apply
from warcabinet.model.commands import command_types, fields
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import unit_kinds
from warcabinet.web.sheets.case_words import given_words, then_words

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")


def outcomes(folder: Path, text: str, strict: bool = False) -> list[Outcome]:
    (folder / "case.yaml").write_text(text, encoding="utf-8")
    return run_files([folder / "case.yaml"], strict=strict)


def case(rest: str, id: str = "WC.8/1", clauses: str = "[]") -> str:
    return f'- {{id: "{id}", title: t, clauses: {clauses}, {rest}}}\n'


def message(folder: Path, rest: str) -> str:
    (found,) = outcomes(folder, case(rest))
    return found.message


# -- like another case ---------------------------------------------------------------------------------------------

FIRST = """
- id: "39.22B/1"
  title: the one that others are like
  clauses: []
  given:
    scenario: classic-1939
    player: axis
    phase: declarations of war
    set:
      powers: {italy: {brp: 9, base: 60}}
      tracks.usat: 3
      countries.belgium: {status: conquered, by: germany, books: {germany: 10}}
      control: {germany: [country poland], italy: [Athens]}
    units: [{nation: italy, type: infantry, strength: 1-3, at: Rome}]
  then: {powers.italy.brp: 9}
"""


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("{}", "powers: {italy: {brp: 9, base: 60}}, tracks.usat: 3, units.italy: 4"),
        ("{set: {powers: {italy: {brp: 5}}}}", "powers: {italy: {brp: 5, base: 60}}, tracks.usat: 3"),
        ("{set: {powers.italy.brp: 5}}", "powers: {italy: {brp: 5, base: 60}}"),
        ("{set: {countries.belgium: {status: neutral}}}", "countries.belgium: {status: neutral, books: {}}"),
        ("{set: {control: {italy: [Belgrade]}}}", "control: {italy: [Belgrade], greece: [Athens]}"),
        ("{set: {control: {italy+: [Belgrade]}}}", "control: {italy: [Athens, Belgrade]}"),
        ("{set: {control: {russia: [Warsaw]}}}", "control: {russia: [Warsaw], germany: [Lodz]}"),
        ("{set: {control: {britain: [Athens]}}}", "control: {britain: [Athens]}"),
        ("{units: [{nation: italy, type: army air, at: Rome}]}", "units.italy.Rome: {infantry 1-3: 0, army air: 1}"),
        ("{units+: [{nation: italy, type: army air, at: Rome}]}", "units.italy.Rome: {infantry 1-3: 1, army air: 1}"),
        (
            "{set: {wars+: [{between: [italy, greece]}]}}",
            "wars: [{between: [italy, greece]}, {between: [japan, china]}]",
        ),
    ],
)
def test_a_case_is_like_another_with_changes(tmp_path: Path, given: str, then: str) -> None:
    second = case(f'like: "39.22B/1", given: {given}, then: {{{then}}}', "39.22B/2")
    assert [it.message for it in outcomes(tmp_path, FIRST + second)] == ["", ""]


def test_only_the_position_is_taken_over(tmp_path: Path) -> None:
    first = FIRST + '  when: [{do: spend, power: italy, brp: 1, "on": other}]\n'
    found = outcomes(tmp_path, first + case('like: "39.22B/1"', "39.22B/2"))
    assert "nothing is asked, done or expected" in found[1].message


def test_a_case_is_like_one_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "a.yaml").write_text(case('like: "39.22B/1", then: {tracks.usat: 3}', "39.22B/2"))
    (tmp_path / "b.yaml").write_text(FIRST)
    (tmp_path / "other" / "c.yaml").write_text(case('like: "39.22B/2", then: {tracks.usat: 3}', "39.22B/3"))
    assert [it.message for it in run_files([tmp_path / "a.yaml"])] == [""], "beside it"
    assert [it.message for it in run_files([tmp_path])] == ["", "", ""], "of the same run"
    (alone,) = run_files([tmp_path / "other" / "c.yaml"])
    assert "line 1: case 39.22B/3: like: there is no case 39.22B/2" in alone.message
    assert run_files([tmp_path / "other" / "c.yaml"], near=[tmp_path])[0].ok, "of a folder that is named as near"


def test_a_chain_that_goes_in_a_circle_is_told(tmp_path: Path) -> None:
    lines = [f'- id: "39.22B/{n}"\n  title: t\n  clauses: []\n  like: "39.22B/{n % 3 + 1}"\n' for n in (1, 2, 3)]
    found = outcomes(tmp_path, "".join(f"{it}  then: {{tracks.usat: 0}}\n" for it in lines))
    assert (
        "line 4: case 39.22B/1: like: 39.22B/1 is like 39.22B/2 is like 39.22B/3 is like 39.22B/1" in found[0].message
    )
    assert "line 14" in found[2].message


def test_what_is_wrong_in_the_other_case_is_told_where_it_is_named(tmp_path: Path) -> None:
    wrong = FIRST.replace("tracks.usat", "tracks.usst")
    second = '- id: "39.22B/2"\n  title: t\n  clauses: []\n  like: "39.22B/1"\n  then: {tracks.usat: 0}\n'
    found = outcomes(tmp_path, wrong + second)
    assert [wrong.splitlines().index("      tracks.usst: 3") + 1, wrong.count("\n") + 4] == [it.line for it in found]


def test_its_own_line_is_told_where_it_adds(tmp_path: Path) -> None:
    second = '- id: "39.22B/2"\n  title: t\n  clauses: []\n  like: "39.22B/1"\n  given:\n    turn: Fall 1939\n'
    found = outcomes(
        tmp_path, FIRST + second + "    units+: [{nation: itly, type: army air, at: Rome}]\n  then: {tracks.usat: 0}\n"
    )
    assert (found[1].line, "itly" in found[1].message) == (FIRST.count("\n") + 7, True)


def test_pages_and_explain_show_the_whole_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    second = case('like: "39.22B/1", given: {set: {tracks.usat: 5}}, then: {tracks.usat: 5}', "39.22B/2")
    (tmp_path / "case.yaml").write_text(FIRST + second)
    words = given_words(read_cases(tmp_path / "case.yaml")[1][0].given)
    assert {"Italy has 9 BRPs", "U.S.-Axis tension stands at 5"} <= set(words)
    monkeypatch.chdir(tmp_path)
    main(["check", "case.yaml", "--explain", "39.22B/2"])
    told = capsys.readouterr().out
    assert "like 39.22B/1" in told
    assert "powers: {italy: {brp: 9, base: 60}}" in told


# -- lists that add ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (
            "scenario: classic-1939, set: {wars: [{between: [italy, greece]}]}",
            "never: {wars: [{between: [japan, china]}]}",
        ),
        ("scenario: classic-1939, set: {wars+: [{between: [italy, greece]}]}", "wars: [{between: [japan, china]}]"),
        (
            "set: {mobilizations.japan: [Spring 1939], mobilizations.japan+: [Fall 1939]}",
            "mobilizations.japan: [Spring 1939, Fall 1939]",
        ),
        ("set: {mobilizations: {japan+: [Fall 1939]}}", "mobilizations.japan: [Fall 1939]"),
        ("set: {happened+: [{bombed: London, brp: 4}]}", "happened: [{bombed: London, brp: 4}]"),
        ("set: {control: {germany+: [Brussels]}}", "control: {germany: [Brussels]}"),
        ("units+: [{nation: italy, type: army air, at: Rome}]", "units.italy: 1"),
    ],
)
def test_a_plus_adds_to_what_is_there(tmp_path: Path, given: str, then: str) -> None:
    assert message(tmp_path, f"given: {{{given}}}, then: {{{then}}}") == ""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("set: {tracks.usat+: [3]}", "tracks.usat+ adds lines to a list, but tracks.usat is 0"),
        ("set: {wars+: 3}", "set.wars+ adds the lines of a list, not 3"),
        ("turn+: [Fall 1939], turn: Fall 1939", "turn+ adds to a list, and turn is 'Fall 1939'"),
        ("set: {wrs+: [3]}", "unknown figure 'wrs'"),
        ("unts+: [{nation: italy}]", "unknown key 'unts'"),
    ],
)
def test_only_to_a_list_something_is_added(tmp_path: Path, given: str, told: str) -> None:
    assert told in message(tmp_path, f"given: {{{given}}}, then: {{tracks.usat: 0}}")


def test_a_position_file_adds_as_well(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("scenario: classic-1939\nset: {wars+: [{between: [italy, greece]}]}\n")
    state, _ = set_up(read_position(tmp_path / "p.yaml"))
    plain, _ = set_up(Position("classic-1939"))
    assert len(read(state, "wars")) == len(read(plain, "wars")) + 1


def test_changes_leave_what_they_change_as_it_was() -> None:
    there = {"set": {"wars": [1], "tracks": {"usat": 1}}}
    assert changed(there, {"set": {"wars+": [2], "tracks": {"rgt": 2}}}) == {
        "set": {"wars": [1, 2], "tracks": {"usat": 1, "rgt": 2}}
    }
    assert there == {"set": {"wars": [1], "tracks": {"usat": 1}}}


# -- clauses -------------------------------------------------------------------------------------------------------

REFUSED = (
    "given: {scenario: classic-1939, player: axis, phase: declarations of war, set: {powers.italy.brp: 9}}, "
    'when: [{do: declare_war, power: italy, "on": [greece], then: %s}]'
)


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ('{refused: {any of: ["39.2"]}}', ""),
        ('{refused: {at least: ["39.22", "39.22C"]}}', ""),
        ('{refused: {at least: ["39.2", "39.3"]}}', "expected at least 39.2, 39.3"),
        ('{refused: {any of: ["39.3"]}}', "expected any of 39.3"),
        ('{refused: {any of: ["39.22C"]}, never: {refused: ["39.3"]}}', ""),
        ('{refused: {any of: ["39.22C"]}, never: {refused: ["39.2"]}}', "expected never, but refused has it: 39.2"),
        ('{refused: ["39.2"]}', 'any of: ["39.2"]'),
        ('{refused: {any of: ["39.99"]}}', "unknown clause '39.99'"),
    ],
)
def test_a_parent_stands_for_its_clauses(tmp_path: Path, then: str, told: str) -> None:
    found = message(tmp_path, REFUSED % then)
    assert told in found
    assert bool(found) == bool(told)


UNMET = case("then: {tracks.usat: 0}", clauses='["35.31A"]')


def test_a_clause_that_was_not_consulted_is_warned_of(tmp_path: Path) -> None:
    (found,) = outcomes(tmp_path, UNMET)
    assert (found.ok, [it.message for it in found.warnings]) == (True, ["not consulted: 35.31A"])
    (strict,) = outcomes(tmp_path, UNMET, strict=True)
    assert (strict.ok, strict.message, strict.warnings) == (False, "not consulted: 35.31A", ())


@pytest.mark.parametrize(("words", "status", "mark"), [((), 0, "warn"), (("--strict",), 1, "FAIL")])
def test_check_warns_and_fails_where_it_is_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, mark: str
) -> None:
    (tmp_path / "case.yaml").write_text(UNMET)
    found = 0
    try:
        main(["check", str(tmp_path / "case.yaml"), *words])
    except SystemExit as left:
        found = int(left.code or 0)
    told = capsys.readouterr().out
    assert found == status
    assert mark in told
    assert "not consulted: 35.31A" in told


# -- what must never be, and one of several ------------------------------------------------------------------------

SPENT = (
    "given: {scenario: empty, player: axis, phase: combat, set: {powers.italy.brp: 9, "
    "wars: [{between: [italy, greece]}]}}, "
    'when: [{do: spend, power: italy, brp: 2, "on": other, then: {%s}}]'
)


@pytest.mark.parametrize(
    ("denied", "there"),
    [
        (
            "ledger: [{power: france}, {power: italy, brp: -3}, {power: italy, clause: '35.51'}]",
            "ledger: [{power: italy}]",
        ),
        ("ledger: [{power: italy, base: 2}]", "ledger: [{power: italy, clause: '39.11'}]"),
        ("events: ['83.1']", "events: ['39.1']"),
        ("wars: [{between: [italy, russia]}]", "wars: [{between: [greece, italy]}]"),
        ("happened: [{bombed: London}]", "happened: [{spent: italy}]"),
        ("powers.italy.brp: 9", "powers: {italy: {brp: 7}}"),
        ("control: {germany: [Brussels, country poland]}", "control: {poland: [country poland]}"),
        ("values: [{base: [italy], is: 1}]", "values: [{base: [italy], is: 0}]"),
        ("agenda: [{power: italy}]", "control: {italy: [Rome]}"),
        ("closed: [{power: italy}]", "control: {italy: [Rome]}"),
        ("owed: [{power: italy}]", "control: {italy: [Rome]}"),
        ("told: [{of: greece, says: 'no such words'}]", "control: {italy: [Rome]}"),
    ],
)
def test_what_did_not_happen_can_be_said(tmp_path: Path, denied: str, there: str) -> None:
    assert message(tmp_path, SPENT % f"never: {{{denied}}}") == ""
    assert "expected never" in message(tmp_path, SPENT % f"never: {{{there}}}")


def test_a_power_alone_denies_every_entry(tmp_path: Path) -> None:
    given = "given: {scenario: classic-1939, options: {set_up: reported}}, "
    grown = "when: [{do: mobilize, power: italy, units: [2 army air, 2 infantry 1-3]}], then: {never: {ledger: [%s]}}"
    assert message(tmp_path, given + grown % "{power: france}") == ""
    for line in ("{power: italy}", "{power: italy, base: 10}", "{power: italy, brp: 10}"):
        assert "expected never" in message(tmp_path, given + grown % line)


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("never: {agenda: []}", "never: agenda names nothing"),
        ("never: {needs: die}", "never: needs is not denied"),
        ("never: {never: {tracks.usat: 0}}", "never: never is not denied"),
        ("never: 3", "never: names with their values are wanted"),
        ("never: {ledger: [{brp: 3}]}", "power is missing"),
        ("never: {agenda: [{powr: italy}]}", "unknown key in agenda 'powr'"),
        ("never: {tracks.usst: 0}", "unknown track 'usst'"),
        ("never: {events: ['99.1']}", "unknown clause '99.1'"),
        ("events: 39.11", "events is a list of clauses"),
        ("events: ['83.11']", "nothing has happened by 83.11"),
    ],
)
def test_never_is_as_strict_as_what_must_be(tmp_path: Path, then: str, told: str) -> None:
    assert told in message(tmp_path, SPENT % then)


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("powers.italy.brp: {one of: [6, 7]}", ""),
        ("powers: {italy: {brp: {one of: [7, 8]}}}", ""),
        ("powers.italy.brp: {one of: [5, 6]}", "powers.italy.brp is 7, expected {'one of': [5, 6]}"),
        ("units.italy: {one of: [0, 1]}", ""),
        ("countries.greece: {status: {one of: [neutral, independent]}}", ""),
        ("values: [{base: [italy], is: {one of: [0, 1]}}]", ""),
        ("values: [{base: [italy], is: {one of: [1, 2]}}]", "base(italy) is 0, expected 1 or 2"),
        ("ledger: [{power: italy, brp: {one of: [-2, -3]}, clause: '39.11'}]", ""),
        ("ledger: [{power: italy, brp: {one of: [-4, -3]}, clause: '39.11'}]", "no entry brp/italy -4 or -3 (39.11)"),
        ("wars: [{between: [italy, greece], declared_by: {one of: [italy, greece]}}]", ""),
        ("offer: {spend: {power: italy}, brp: {most: {one of: [6, 7]}}}", ""),
        ("powers.italy.brp: {one of: 7}", "what may be one of several is written {one of: [4, 5]}"),
        ("powers.italy.brp: {one of: [], least: 3}", "what may be one of several is written"),
        ("agenda: [{power: {one of: [italy, itly]}}]", "unknown power 'itly'"),
    ],
)
def test_a_figure_may_be_one_of_several(tmp_path: Path, then: str, told: str) -> None:
    found = message(tmp_path, SPENT % then)
    assert told in found
    assert bool(found) == bool(told)


def test_what_is_asked_may_be_one_of_several(tmp_path: Path) -> None:
    assert message(tmp_path, "ask: {base: [italy]}, expect: {one of: [0, 4]}") == ""
    assert "written {one of: [4, 5]}" in message(tmp_path, "ask: {base: [italy]}, expect: {one of: 4}")


def test_pages_say_it_in_words() -> None:
    then = {"never": {"ledger": [{"power": "italy"}]}, "powers.italy.brp": {"one of": [4, 5]}, "events": ["39.11"]}
    assert list(then_words(then)) == ["never: Italy BRPs", "Italy has 4 or 5 BRPs", "something happens by 39.11"]


# -- control of a country, construction limits ---------------------------------------------------------------------


def test_a_whole_country_is_held(tmp_path: Path) -> None:
    earlier = "earlier: {control: {poland: [country poland]}}"
    given = f"given: {{set: {{control: {{russia: [Warsaw], germany: [country Poland]}}}}, {earlier}}}"
    assert message(tmp_path, f"{given}, then: {{control: {{russia: [Warsaw], germany: [Lodz]}}}}") == ""
    found = message(tmp_path, f"{given}, then: {{control: {{germany: [country poland]}}}}")
    assert "germany does not hold all of country poland: russia holds europe/" in found
    assert found.count("europe/") == 1


def test_books_follow_a_country_and_its_exceptions() -> None:
    """Whoever is named first: the industrial center of Moscow is on the books of whoever holds Moscow itself."""
    held = {"britain": ["Moscow"], "germany": ["country russia"]}
    for control in (held, dict(reversed(held.items()))):
        state, _ = set_up(Position("classic-1939", set={"control": control}))
        books = [read(state, f"books.{power}.ic_moscow") for power in ("britain", "germany", "russia")]
        assert books == [10, 0, 0]
        assert read(state, "books.germany.ic_leningrad") == 10


@pytest.mark.parametrize(
    ("name", "told"),
    [("country polnd", "unknown country 'polnd'; did you mean poland"), ("country canada", "none of it lies")],
)
def test_a_country_that_is_none_is_told(tmp_path: Path, name: str, told: str) -> None:
    assert told in message(tmp_path, f"given: {{set: {{control: {{germany: [{name}]}}}}}}, then: {{tracks.usat: 0}}")
    assert told in message(tmp_path, f"then: {{control: {{germany: [{name}]}}}}")


BUILDING = (
    "given: {scenario: empty, turn: Fall 1940, player: axis, phase: unit construction, "
    "set: {powers.italy: {base: 60, brp: 60}%s}}, "
)
BUILD = '{do: spend, power: italy, brp: %d, "on": unit construction%s}'


def test_a_construction_limit_is_set_for_the_turn(tmp_path: Path) -> None:
    set_to = BUILDING % ", powers.italy.construction_limit: 7"
    refused = BUILD % (8, ', then: {refused: ["39.31"]}')
    assert (
        message(tmp_path, set_to + f"when: [{refused}, {BUILD % (7, '')}], then: {{powers.italy.construction_left: 0}}")
        == ""
    )
    assert message(tmp_path, BUILDING % "" + "then: {powers.italy.construction_limit: 20}") == ""
    on = (
        "when: [{do: advance, to: 'Winter 1940, Axis, unit construction'}], then: {powers.italy.construction_limit: 20}"
    )
    assert message(tmp_path, set_to + on) == "", "in the next turn it is reckoned again"
    assert "at least 0" in message(
        tmp_path, BUILDING % ", powers.italy.construction_limit: -1" + "then: {tracks.usat: 0}"
    )


def test_a_construction_limit_that_was_set_is_written_down(tmp_path: Path) -> None:
    state, _ = set_up(Position("empty", set={"powers.italy.base": 60}))
    for fact in correction(state, "powers.italy.construction_limit", 7):
        state = apply(state, fact)
    (tmp_path / "p.yaml").write_text(position_text(written(state).position))
    again, _ = set_up(read_position(tmp_path / "p.yaml"))
    assert read(again, "powers.italy.construction_limit") == 7


# -- faults and dice -----------------------------------------------------------------------------------------------


def test_what_follows_a_step_that_went_astray_is_not_tried(tmp_path: Path) -> None:
    steps = [BUILD % (99, ", then: {powers.italy.brp: 1}"), BUILD % (1, ""), "{do: fly}", BUILD % (2, "")]
    (found,) = outcomes(tmp_path, case(BUILDING % "" + f"when: [{', '.join(steps)}], then: {{powers.italy.brp: 3}}"))
    assert [it.step for it in found.faults] == ["step 1, spend", "step 2, spend"]
    assert "refused by" in found.faults[0].message
    assert found.faults[1].message.startswith("not tried, nor anything after it, because step 1 did not come about")


@pytest.mark.parametrize(
    "step", ["{do: fly}", "{do: advance, dice: [1]}", "{do: advance, dice: 1}", "{do: roll, purpose: rain}"]
)
def test_whatever_kept_it_from_coming_about(tmp_path: Path, step: str) -> None:
    (found,) = outcomes(
        tmp_path, case(f"given: {{scenario: empty}}, when: [{step}], ask: {{base: [italy]}}, expect: 3")
    )
    assert len(found.faults) == 2
    assert "because step 1" in found.faults[1].message


def test_a_wrong_figure_does_not_keep_the_rest_from_being_tried(tmp_path: Path) -> None:
    steps = [BUILD % (1, ", then: {powers.italy.brp: 1, tracks.usat: 9}"), BUILD % (1, ", then: {powers.italy.brp: 1}")]
    (found,) = outcomes(tmp_path, case(BUILDING % "" + f"when: [{', '.join(steps)}]"))
    assert [it.step for it in found.faults] == ["step 1, spend", "step 1, spend", "step 2, spend"]


TENSE = (
    "given: {scenario: classic-1939, turn: Spring 1940, player: allied, phase: diplomatic phase, "
    "set: {tracks: {usat: 9, usjt: 8}, mobilizations: {japan: [Fall 1939, Winter 1939, Spring 1940]}}}, "
)


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        (
            "[]",
            [
                "die 1, effective USAT level, nominal 9 (36.11D): missing",
                "die 2, effective USJT level, nominal 8 (36.11D): missing",
            ],
        ),
        (
            "[5]",
            [
                "die 1, effective USAT level, nominal 9 (36.11D): 5",
                "die 2, effective USJT level, nominal 8 (36.11D): missing",
            ],
        ),
        ("[5, 1, 4]", ["1 dice were given that nothing asked for: [4]; asked for were 2: effective USAT level"]),
        ("[5, 1]", []),
    ],
)
def test_the_dice_of_a_step_are_named_in_their_order(tmp_path: Path, dice: str, told: list[str]) -> None:
    found = message(tmp_path, TENSE + f"when: [{{do: advance, dice: {dice}}}], then: {{tracks.usat: 9}}")
    assert [it for it in told if it not in found] == []
    assert bool(found) == bool(told)


def test_dice_of_several_steps_are_named_too(tmp_path: Path) -> None:
    levels = "set: {mobilizations: reported, tracks: {usat: 9, usjt: 8}}"
    given = f"given: {{scenario: classic-1939, options: {{set_up: reported}}, {levels}}}, "
    on = "when: [{do: advance, to: Summer 1940%s}], then: {tracks.usat: 9}"
    found = message(tmp_path, given + on % ", dice: [5, 4, 3]")
    given_dice = [re.sub(r".*: ", "", line) for line in found.splitlines() if line.startswith("die ")]
    assert given_dice[:3] == ["5", "4", "3"]
    assert set(given_dice[3:]) == {"missing"}


# -- words ---------------------------------------------------------------------------------------------------------


def test_no_empty_value_is_proposed() -> None:
    empty = [it for kind in command_types().values() for it in fields(kind) if "" in it.among]
    assert empty
    for field in empty:
        assert not re.search(r"one of ,|, ,|, $", wanted(field)), field.name
    assert str(unknown("result", "x", ["", "b"])) == "unknown result 'x'; known: b"


def test_every_type_of_unit_is_in_the_list() -> None:
    listed = DOCS[DOCS.index("- Counters are written by type") :].partition("have none.")[0]
    assert [it for it in unit_kinds() if not re.search(rf"`(?:damaged )?{it}[` ]", " ".join(listed.split()))] == []


@pytest.mark.parametrize(
    ("given", "there"),
    [
        ({"scenario": "empty"}, {}),
        ({"scenario": "classic-1939"}, {"italy": 3, "canada": 1, "south_africa": 4}),
        ({"scenario": "prequel"}, {"italy": 3, "canada": 1, "south_africa": 4}),
        ({"scenario": "classic-1939", "turn": "Winter 1941"}, {"italy": 3}),
    ],
)
def test_what_a_case_holds_without_forces(tmp_path: Path, given: dict[str, str], there: dict[str, int]) -> None:
    """As the document says: what clauses give by name, in a later turn only Ethiopia's garrison, and nobody else's."""
    said = ", ".join(f"{key}: {value}" for key, value in given.items())
    (tmp_path / "case.yaml").write_text(case(f"given: {{{said}}}, then: {{tracks.usat: 0}}"))
    ((found, _),) = read_cases(tmp_path / "case.yaml")
    state, _ = set_up(found.position)
    held: dict[str, int] = {}
    for stack in state.pieces.stacks():
        held[stack.nation] = held.get(stack.nation, 0) + stack.count
    assert held == there


def test_home_hexes_are_what_a_country_means() -> None:
    state, _ = set_up(Position("empty", set={"control": {"germany": ["country poland"]}}))
    assert set(state.control) == set(home_hexes("poland"))


def test_a_book_reads_nothing_that_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- {id: 39.22B/1, id: 39.22B/1}")
    assert Book([tmp_path]).written("39.22B/1") is None
    with pytest.raises(WarCabinetError, match="no such file"):
        Book([tmp_path / "none"])
