"""The format of cases: every wording that a reader of it would use, and what is refused with file and line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import warcabinet.rules
from warcabinet.conformance.running import Outcome, run_files
from warcabinet.model.happenings import kind_named


def outcome(folder: Path, text: str) -> Outcome:
    (folder / "case.yaml").write_text(text)
    (found,) = run_files([folder / "case.yaml"])
    return found


def in_position(folder: Path, given: str, then: str = "tracks.usat: 0") -> Outcome:
    """A case that only sets up a position."""
    return outcome(folder, f'- id: "WC.8/1"\n  title: t\n  clauses: []\n  given: {{{given}}}\n  then: {{{then}}}\n')


def advanced(folder: Path, to: str) -> Outcome:
    """A case that goes on from Winter 1941 to a moment."""
    when = f"given: {{turn: Winter 1941}}, when: [{{do: advance, to: '{to}'}}]"
    return outcome(folder, f"- {{id: WC.1/1, title: t, clauses: [WC.1], {when}}}")


@pytest.mark.parametrize(
    "to",
    [
        "year start 1942",
        "1942 year start",
        "1942 YSS",
        "year start",
        "Spring 1942",
        "spring 1942, Axis",
        "Spring 1942, Allied, unit construction",
        "Spring 1942, Allied player turn, the unit construction phase",
        "Spring 1942, unit construction",
        "Winter 1941, end of turn",
        "end of turn",
        "end of player turn",
        "end of the combat phase",
        "Allied",
        "Allied player turn",
        "Allied, combat",
        "next turn",
        "end of year",
        "Autumn 1942",
    ],
)
def test_a_moment_is_written_as_people_write_it(tmp_path: Path, to: str):
    assert advanced(tmp_path, to).message == ""


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("Monsoon 1942", "unknown season 'monsoon'"),
        ("Winter 1941, Allied, lunch", "unknown phase 'lunch'"),
        ("teatime", "unknown moment 'teatime'"),
        ("Summer 1941", "is not ahead"),
    ],
)
def test_a_moment_that_does_not_exist_is_refused(tmp_path: Path, to: str, message: str):
    assert message in advanced(tmp_path, to).message


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("turn: 'Winter 1941, Allied, unit construction'", "tracks.usat: 0"),
        ("turn: Winter 1941, player: Allies, phase: declaration of war phase", "tracks.usat: 0"),
        ("turn: Winter 1941, player: britain, phase: construction", "tracks.usat: 0"),
        ("set: {control: {germany: [Brussels, K28]}}", "control.europe:K28: germany"),
        ("set: {control: {partisans: [Belgrade], greece: [Athens]}}", "control.Belgrade: partisans"),
        ("turn: Spring 1942, earlier: {control: {russia: [Riga]}}", "control.Riga: baltic_states"),
        ("set: {control: {germany: [Riga]}}, earlier: {control: {russia: [Riga]}}", "control.Riga: germany"),
        ("set: {mobilizations: {japan: 2}}", "mobilizations.japan: [Spring 1939, Summer 1939]"),
        ("set: {mobilizations: {usa: {europe: [Fall 1939]}}}", "mobilizations.usa.europe: [Fall 1939]"),
        ("set: {happened: [{bombed: London, brp: 4, in: this turn}]}", "powers.britain.brp: 0"),
        (
            "set: {powers: {italy: {base: 60, brp: 12}}, tracks: {usat: 3}}",
            "powers: {italy: {base: 60}}, tracks: {usat: 3}",
        ),
        ("set: {control: {germany: [Brussels, K28]}}", "control: {germany: [Brussels, K28]}"),
        ("set: {wars: [{between: [italy, greece]}, {between: [italy, russia]}]}", "wars: [{between: [russia, italy]}]"),
        ("set: {happened: [{bombed: London, brp: 4}]}", "happened: [{bombed: London, brp: 4, in: player turn}]"),
        ("set: {options: {edition: prequel, tiles: {italy: 3}}}", "options: {edition: prequel, tiles: {italy: 3}}"),
        ("set: {powers.Italy.brp: 12, countries.Poland: {status: conquered, by: Germany}}", "powers.italy.brp: 12"),
        ("set: {powers.italy.brp: 30}, referee: [{growth_rate: [Italy], is: 10}]", "powers.Italy.base_growth: 3"),
        ("set: {control: {Germany: [Brussels]}}", "control: {germany: [Brussels]}"),
        ("set: {wars: [{between: [Italy, Greece], declared_by: Italy}]}", "wars: [{between: [greece, italy]}]"),
        ("set: {units.belgium.Brussels.infantry 1-3: 2}", "units.belgium: 2"),
        ("set: {powers.italy.oil_for_growth: false}", "powers.italy.oil_for_growth: false"),
        ("set: {results: {norway: 0}, transports: {atlantic: 4, indian_ocean: 2}}", 'results.norway: "0"'),
        ("units: [{nation: germany, type: army air, count: 3, at: Berlin, inverted: true}]", "units.germany: 3"),
        ("units: [{nation: australia, type: infantry, strength: 1-2, at: Australia box}]", "units.australia: 1"),
        ("set: {powers.italy.brp: 30}, referee: [{growth_rate: italy, is: 10}]", "powers.italy.base_growth: 3"),
        (
            "set: {powers.italy.brp: 30}, referee: [{growth_rate: {power: italy}, is: 10}]",
            "powers.italy.base_growth: 3",
        ),
        ("set: {countries.poland: {status: conquered, by: germany}}", "countries.poland: {books: {germany: 20}}"),
    ],
)
def test_a_position_is_set_in_a_few_words(tmp_path: Path, given: str, then: str):
    assert in_position(tmp_path, given, then).message == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("scenario: classic-1939, turn: Summer 1939", "before the start of the game, Fall 1939"),
        ("set: {options.start: Spring 1950}", "before the start of the game, Spring 1950"),
        ("turn: year start 1941", "a year start is played"),
        ("set: {wars: [{between: [germany, germany]}]}", "germany cannot be at war with itself"),
        ("set: {wars: [{between: [germany, russia], declared_by: italy}]}", "neither germany nor russia"),
        ("set: {wars: [{between: [germany, russia], since: Summer 1941}]}", "since Summer 1941, but it is Fall 1939"),
        ("set: {wars: [{between: [germany, russia]}, {between: [russia, germany]}]}", "stand there twice"),
        ("set: {countries.poland: {status: conquered}}", "say by (or with) which power it is conquered"),
        ("set: {countries.poland.status: conquered}", "say by (or with) which power it is conquered"),
        ("set: {countries.poland: {status: neutral, by: germany}}", "leave out `by`"),
        ("set: {countries.poland: {status: beaten, by: germany}}", "unknown status of a country 'beaten'"),
        ("set: {countries.poland: {status: conquered, by: germany, books: {italy: -5}}}", "at least 0, not -5"),
        ("set: {tracks.usat: -1}", "tracks.usat is at least 0, not -1"),
        ("set: {transports: {atlantic: -1}}", "transports.atlantic is at least 0"),
        ("set: {powers.italy.base: -1}", "powers.italy.base is at least 0"),
        ("set: {pool.japan.army air: -2}", "the number is at least 0, not -2"),
        ("pools: [{nation: japan, type: army air, count: -2}]", "line 4: Expected `int` >= 1"),
        ("units: [{nation: japan, type: army air, at: Tokyo, count: 0}]", "line 4: Expected `int` >= 1"),
        ("units: [{nation: japan, type: infantry, strength: 1-2, at: Tokyo, inverted: true}]", "only air units"),
        ("set: {happened: [{bommbed: London, brp: 4}]}", "unknown happening 'bommbed'; did you mean bombed?"),
        ("set: {happened: [{bombed: Londn, brp: 4}]}", "unknown area 'Londn'; did you mean london"),
        ("set: {happened: [{bombed: London, brp: -4}]}", "at least 0, not -4"),
        ("set: {happened: [{eliminated by chna: japan, brp: 4}]}", "unknown power 'chna'"),
        ("set: {happened: [{spent: china, brp: 4, in: Summer 1941}]}", "is still to come"),
        ("options: {edition: newest}", "unknown option edition 'newest'; known: classic, prequel"),
        ("options: {kmt_steps: -1}", "options.kmt_steps is at least 0"),
        ("options: {tiles: {germny: 3}}", "unknown power 'germny'"),
        ("set: {options: {tiles: {germany: -3}}}", "options.tiles.germany is at least 0"),
        ("set: {countries.poland: {status: commonwealth, by: britain}}", "no country of the Commonwealth"),
        ("set: {books.germany.belgium: -3}", "books.germany.belgium is at least 0"),
        ("set: {books.germany.essen: -26}", "books.germany.essen is at least -25"),
        ("set: {results: {norway: 11}}", "unknown diplomatic result '11'"),
        ("set: {units.belgium: 2}", "write units.belgium.<place>.<unit>"),
        ("set: {mobilizations: {usa: [Fall 1939]}}", "mobilizes in a theater"),
        ("earlier: {countries.poland: {status: neutral}}", "only who held what is remembered"),
        ("referee: [{growth_rate: {pwer: italy}, is: 10}]", "growth_rate has no argument 'pwer'"),
        ("referee: [{area_value: {power: italy}, is: 10}]", "area is missing"),
        ("referee: [{supply: {from: Stalingrad, to: eastern edge}, is: maybe}]", "supply is open or cut"),
        ("agenda: [{clause: '35.73C', about: burma, power: britain, due: Summer 1939}]", "is past"),
    ],
)
def test_a_senseless_position_is_refused(tmp_path: Path, given: str, message: str):
    found = in_position(tmp_path, given)
    assert message in found.message
    assert "line 4" in found.message or found.line in (1, 4)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("given:\n    set:\n      powers.italy.brp: 1\n      powers.itly.brp: 1\n  then: {tracks.usat: 0}", 7, "itly"),
        ("then:\n    tracks.usat: 0\n    tracks.usst: 0", 6, "unknown track 'usst'"),
        ("when:\n    - {do: advance}\n    - {do: fly}\n  then: {tracks.usat: 0}", 6, "unknown command 'fly'"),
        ("when:\n    - do: advance\n      dice: [6]\n  then: {tracks.usat: 0}", 5, "1 dice were given"),
    ],
)
def test_what_is_wrong_is_found_on_its_line(tmp_path: Path, text: str, line: int, message: str):
    found = outcome(tmp_path, f'- id: "WC.8/1"\n  title: t\n  clauses: []\n  {text}\n')
    assert (found.line, message in found.message) == (line, True)


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("{ledger: [{power: italy, brp: 1, clause: '35.31', why: 1}]}", "unknown key in ledger 'why'"),
        ("{ledger: [{power: italy, clause: '35.31'}]}", "a line has brp or base"),
        ("{agenda: [{power: itly}]}", "unknown power 'itly'"),
        ("{closed: [{outcome: forgotten}]}", "unknown outcome 'forgotten'"),
        ("{owed: [{power: itly}]}", "unknown power 'itly'"),
        ("{owed: [{clause: '99.1'}]}", "unknown clause '99.1'"),
        ("{owed: [{what: build}]}", "unknown key in owed 'what'"),
        ("{owed: [{order: biuld}]}", "unknown command 'biuld'"),
        ("{offer: {spnd: {power: italy}}}", "unknown command 'spnd'"),
        ("{offer: {spend: {power: italy}, brp: {max: 3}}}", "unknown bound of brp 'max'"),
        ("{refused: ['99.1']}", "unknown clause '99.1'"),
        ("{unchanged: perhaps}", "unchanged is true or false"),
        ("[tracks.usat]", "names with their values are wanted"),
    ],
)
def test_an_expectation_is_strict(tmp_path: Path, then: str, message: str):
    found = outcome(tmp_path, f"- {{id: WC.1/1, title: t, clauses: [], when: [{{do: advance, then: {then}}}]}}")
    assert "case.yaml, line 1: " in found.message
    assert message in found.message


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("ask: {base: [italy]}", "go together"),
        ("then: {tracks.usat: 0}, expect: 0", "go together"),
        ("then_by_reading: {a: {tracks.usat: 0}}", "needs the ruling"),
        ("disputed: R-0002, then_by_reading: {z: {tracks.usat: 0}}", "unknown selectable reading of R-0002 'z'"),
        ("then: {powers.italy.brp: false}", "powers.italy.brp is 0, expected False"),
        ("then: {unchanged: false}", "the same as before"),
        ("then: {control: {germany: [Brussels]}}", "is 'belgium', expected 'germany'"),
        ("then: {wars: [{between: [italy, greece]}]}", "wars: not there"),
        ("then: {wars: 3}", "wars is a list, not 3"),
        ("then: {wars: [{betwen: [italy, greece]}]}", "unknown key in wars 'betwen'"),
        ("then: {happened: [{bommbed: London}]}", "unknown happening 'bommbed'"),
        ("when: [{power: italy}], then: {tracks.usat: 0}", "a step says what is done"),
        ("when: [{do: advance, to: Winter 1939, speed: 3}], then: {tracks.usat: 0}", "unknown field `speed`"),
        ("when: [{do: advance, to: someday}], then: {tracks.usat: 0}", "unknown moment 'someday'"),
        ("given: {options: {start: someday}}, then: {tracks.usat: 0}", "'someday' is not a moment"),
        ("then: {happened: [{bombed: London}]}", "happened: not there"),
        ("then: {owed: [{power: japan}]}", "not owed: {'power': 'japan'}; owed: nothing"),
    ],
)
def test_a_case_says_what_it_means(tmp_path: Path, rest: str, message: str):
    assert message in outcome(tmp_path, f"- {{id: WC.1/1, title: t, clauses: [], {rest}}}").message


def test_one_bad_case_does_not_stop_the_others(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(
        "- {id: 35.31/1, title: t, claused: []}\n- {id: 35.31/2, title: t, clauses: [], then: {tracks.rgt: 0}}\n"
    )
    (tmp_path / "b.yaml").write_text("- {id: 35.31/2, title: t, clauses: [], then: {tracks.rgt: 0}}\n")
    (tmp_path / "c.yaml").write_text("- {id: 35.31/3, id: 35.31/4}\n")
    (tmp_path / "d.yaml").write_text("id: 35.31/5\n")
    found = run_files([tmp_path])
    assert [it.ok for it in found] == [False, True, False, False, False]
    assert "unknown key 'claused'; known are id, title, clauses" in found[0].message
    assert "is used already in a.yaml" in found[2].message
    assert "key 'id' stands twice" in found[3].message
    assert "a file of cases is a list" in found[4].message


def test_a_step_that_names_nobody_could_not_be_read(tmp_path: Path):
    given = "when: [{do: report_loss, power: gremany, units: [infantry 3-3], at: Berlin}], then: {tracks.usat: 0}"
    found = outcome(tmp_path, f"- {{id: WC.7/1, title: t, clauses: [WC.7], {given}}}")
    assert "could not be read, expected nothing\nreport_loss refused" in found.message
    assert "did you mean germany" in found.message
    assert "refused by nothing" not in found.message


def test_going_on_stops_at_a_die_that_was_not_given(tmp_path: Path):
    given = "given: {scenario: classic-1939, set: {mobilizations: reported, tracks.usjt: 8}}"
    steps = (
        '[{do: advance, to: Spring 1940, then: {needs: "die 36.11D"}}, {do: advance, dice: [3], then: {needs: die}}]'
    )
    found = outcome(tmp_path, f"- {{id: WC.1/1, title: t, clauses: [], {given}, when: {steps}}}")
    assert "needs nothing, expected die" in found.message


def test_what_falls_due_is_expected_by_the_year_or_by_its_season(tmp_path: Path):
    case = """
- id: "35.73A/1"
  title: t
  clauses: ["35.73A"]
  given: {scenario: empty, turn: Spring 1942, phase: combat}
  when:
    - do: report_control
      hexes: [Brussels]
      by: germany
      then:
        agenda:
          - {clause: "35.73A", due: "Summer 1942, Axis, end of diplomatic phase", about: belgium, brp: 11}
          - {clause: "35.73A", power: germany, about: belgium, brp: 15}
    - {do: advance, to: "Summer 1942, Axis, end of diplomatic phase"}
  then:
    ledger: [{power: germany, brp: 11, clause: "35.73A"}, {power: germany, brp: 11, clause: "35.62"}]
    closed: [{clause: "35.73A", due: "Summer 1942, Axis, end of diplomatic phase", outcome: done}]
"""
    assert outcome(tmp_path, case).message == ""


def test_a_ruled_place_is_meant_by_any_of_its_names(tmp_path: Path):
    for line in (
        "{supply: {from: Leningrad, to: eastern edge}, is: cut}",
        "{supplied_from_the_east: [Leningrad], is: false}",
        "{supplied_from_the_east: ['europe:D44'], is: false}",
    ):
        ruled = f"given: {{referee: [{line}]}}"
        asked = "ask: {supplied_from_the_east: [Leningrad]}, expect: false"
        assert outcome(tmp_path, f"- {{id: 37.13E/1, title: t, clauses: [], {ruled}, {asked}}}").message == ""


def test_every_happening_of_the_rules_can_be_set():
    """A kind that a rule records under a plain name is in the table that positions are held against."""
    found = set()
    for path in Path(warcabinet.rules.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Happening":
                kind = node.args[1]
                if not isinstance(kind.values[0] if isinstance(kind, ast.JoinedStr) else kind, ast.Constant):
                    continue
                parts = kind.values if isinstance(kind, ast.JoinedStr) else [kind]
                found.add("".join(p.value if isinstance(p, ast.Constant) else "germany" for p in parts))
    assert len(found) > 15
    for kind in found:
        assert kind_named(kind)


def test_a_heading_was_consulted_if_something_under_it_was(tmp_path: Path):
    asked = "ask: {growth_rate: [italy]}, expect: 10"
    assert outcome(tmp_path, f"- {{id: 35.31/1, title: t, clauses: ['35.3'], {asked}}}").message == ""
    (warned,) = outcome(tmp_path, f"- {{id: 35.31/1, title: t, clauses: ['35.4'], {asked}}}").warnings
    assert warned.message == "not consulted: 35.4"


def test_everything_that_a_position_may_say_can_be_said_at_once(tmp_path: Path):
    case = """
- id: "35.33A/1"
  title: German growth stops where conquests no longer carry it
  clauses: ["35.31A", "35.33A"]
  source: own
  given:
    scenario: classic-1939
    turn: Winter 1941
    player: allied
    phase: end of turn
    set:
      powers.germany.base: 160
      powers.germany.brp: 60
      tracks.usat: 30
      countries.poland: {status: conquered, by: germany}
      control: {germany: [Brussels, K28], britain: [Cairo]}
      wars: [{between: [germany, russia], since: Summer 1941, declared_by: germany}]
      results: {norway: "0"}
      transports: {atlantic: 4, indian_ocean: 2}
      happened: [{bombed: London, brp: 4, in: player turn}]
    earlier: {control: {russia: [Riga]}}
    agenda: [{clause: "83.31B", about: burma, power: britain, due: "Winter 1941, Allied, end of combat phase"}]
    options: {edition: classic}
    referee:
      - {supply: {from: Stalingrad, to: eastern edge}, is: cut}
      - {growth_rate: [italy], is: 10}
    pools:
      - {nation: usa, type: armor, strength: 5-6, count: 2, unbuilt: true}
    units:
      - {nation: japan, type: infantry, strength: 2-2, at: Rangoon, count: 3}
      - {nation: australia, type: infantry, strength: 1-2, at: Australia box}
  when:
    - {do: advance, to: year start 1942}
  then:
    powers.germany.base: 160
    powers.germany.construction_limit: 53
    ledger: [{power: germany, brp: 180, clause: "35.51"}]
    closed: [{clause: "83.31B", about: burma, outcome: averted}]
"""
    assert outcome(tmp_path, case).message == ""


STEPS = """
- id: "39.22B/1"
  title: t
  clauses: []
  given: {scenario: empty, turn: Fall 1939, player: axis, phase: declarations of war, set: {powers.italy.brp: 9}}
  when:
    - {do: spend, power: italy, brp: 1, "on": other, then: {powers.italy.brp: 9}}
    - do: advance
      then:
        powers.italy.brp: 9
        tracks.usat: 5
  then:
    ledger:
      - {power: italy, brp: -1, clause: "39.11"}
      - {power: italy, brp: -2, clause: "39.11"}
      - {power: italy, brp: -3, clause: "39.11"}
"""


def test_every_fault_of_a_case_is_told_with_its_step_and_line(tmp_path: Path):
    found = outcome(tmp_path, STEPS)
    assert [(it.line, it.step) for it in found.faults] == [
        (7, "step 1, spend"),
        (10, "step 2, advance"),
        (11, "step 2, advance"),
        (15, "step 2, advance"),
        (16, "step 2, advance"),
    ]
    assert "powers.italy.brp is 8, expected 9" in found.faults[0].message
    assert "powers.italy.brp is 8, expected 9" in found.faults[1].message
    assert found.line == 7
    assert found.message.count("no entry brp/italy") == 2


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ('["39.22B", "39.22C"]', ""),
        ('["39.22B"]', "refused by 39.22B, 39.22C, expected 39.22B"),
        ('{at least: ["39.22B"]}', ""),
        ('{at least: ["39.22B", "39.22A"]}', "expected at least 39.22B, 39.22A"),
        ('{any of: ["39.22A", "39.22C"]}', ""),
        ('{any of: ["39.22A"]}', "expected any of 39.22A"),
        ('{any of: ["39.22C"], at least: ["39.22C"]}', "refused asks in one way"),
        ('{all of: ["39.22C"]}', "unknown way to ask for a refusal 'all of'"),
        ("{any of: []}", "any of which clauses?"),
        ('["39.2"]', "39.2 is a heading: nothing is refused by it"),
    ],
)
def test_a_refusal_is_asked_for_whole_or_in_part(tmp_path: Path, refused: str, message: str):
    given = "given: {scenario: classic-1939, player: axis, phase: declarations of war, set: {powers.italy.brp: 9}}"
    step = f'{{do: declare_war, power: italy, "on": [greece], then: {{refused: {refused}}}}}'
    found = outcome(tmp_path, f"- {{id: 39.22B/1, title: t, clauses: [], {given}, when: [{step}]}}")
    assert message in found.message
    assert found.ok == (message == "")


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("when: [{ask: {base: [italy]}, expect: 60}, {do: advance}], then: {tracks.usat: 0}", ""),
        (
            "when: [{do: advance}, {ask: {base: [italy]}, expect: 61}]",
            "step 2, ask base: base(italy) is 60, expected 61",
        ),
        ("when: [{do: advance, then: {values: [{base: [italy], is: 60}, {base: [japan], is: 1}]}}]", "base(japan) is"),
        ("then: {values: [{base: {power: italy}, is: 60}]}", ""),
        ("when: [{do: advance}], ask: {base: [italy]}, expect: 60", ""),
        ("when: [{ask: {base: [italy]}}]", "go together"),
        ("when: [{ask: {base: [italy]}, expect: 60, do: advance}]", "unknown key in a step that asks 'do'"),
        ("then: {values: [{base: [italy]}]}", "a value is asked as"),
        ("then: {values: 3}", "values is a list of lines"),
    ],
)
def test_values_are_asked_before_between_and_after_steps(tmp_path: Path, rest: str, message: str):
    given = "given: {scenario: empty, options: {mobilization: reported}, set: {powers.italy.base: 60}}"
    found = outcome(tmp_path, f"- {{id: 35.21/1, title: t, clauses: [], {given}, {rest}}}")
    assert message in found.message
    assert found.ok == (message == "")


@pytest.mark.parametrize("id", ["35.31A(1)/1", "club-35.31/1", "house/85.45E/12", "my rule: 36.341E(3)/2"])
def test_an_id_may_carry_any_prefix(tmp_path: Path, id: str):
    assert outcome(tmp_path, f'- {{id: "{id}", title: t, clauses: [], then: {{tracks.usat: 0}}}}').ok


@pytest.mark.parametrize("id", ["135.31/1", "35.31", "club/1", "35.31x/1"])
def test_but_names_a_clause_and_a_number(tmp_path: Path, id: str):
    assert not outcome(tmp_path, f'- {{id: "{id}", title: t, clauses: [], then: {{tracks.usat: 0}}}}').ok


@pytest.mark.parametrize(
    ("shows", "message"),
    [
        ('["35.33A#1", "35.33A#2"]', ""),
        ('["35.33A"]', "say clause and sentence, such as 35.33A#2"),
        ('["35.33A#3"]', "35.33A has 2 commanding sentences, not 3"),
        ('["35.42#1"]', "35.42 is not among its clauses"),
    ],
)
def test_a_case_says_which_sentence_it_shows(tmp_path: Path, shows: str, message: str):
    asked = 'clauses: ["35.33A"], ask: {german_growth: [germany]}, expect: 0'
    found = outcome(tmp_path, f"- {{id: 35.33A/1, title: t, shows: {shows}, {asked}}}")
    assert message in found.message
    assert found.ok == (message == "")


def test_what_is_refused_or_happens_is_enforced_and_what_is_asked_is_answered(tmp_path: Path):
    given = "given: {scenario: classic-1939, player: axis, phase: declarations of war, set: {powers.italy.brp: 9}}"
    refused = f"""
- id: "39.22B/1"
  title: t
  clauses: []
  {given}
  when:
    - {{do: spend, power: italy, brp: 10, "on": other, then: {{refused: ["39.22B", "39.22C"]}}}}
    - {{do: spend, power: italy, brp: 2, "on": other}}
"""
    found = outcome(tmp_path, refused)
    assert {"39.22B", "39.11"} <= set(found.enforced)
    assert {"within_means_of_power", "spend"} <= set(found.rules)
    asked = outcome(tmp_path, "- {id: 35.31/1, title: t, clauses: ['35.31A'], ask: {growth_rate: [italy]}, expect: 10}")
    assert "35.31A" in asked.consulted
    assert asked.enforced == ()


def test_a_limit_that_found_all_well_is_not_enforced(tmp_path: Path):
    given = "given: {scenario: classic-1939, player: axis, phase: movement, set: {powers.italy.brp: 9}}"
    step = '{do: spend, power: italy, brp: 1, "on": other}'
    found = outcome(tmp_path, f"- {{id: 39.22B/1, title: t, clauses: ['39.22B'], {given}, when: [{step}]}}")
    assert found.ok
    assert "within_means_of_power" not in found.rules
    assert "39.22B" not in found.enforced
