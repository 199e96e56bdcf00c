"""A plan changed where it is written, and all its faults at once."""

from __future__ import annotations

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.plans.conditions import condition
from warcabinet.plans.editing import Edit, edited
from warcabinet.plans.faults import examined
from warcabinet.plans.form import plan_of, read_plan, shipped

TEXT = """# Mine.
plan: A plan  # its title
until: Winter 1941
uncertain:
  Paris falls: {chance: 70%}  # a guess
orders:
  # the west
  - {when: "Summer 1940, Axis, combat", if: Paris falls, do: report_control, places: [Paris], by: germany}
  - when: Summer 1941, Axis, declarations of war
    do: declare_war
    power: germany
    "on": [russia]
ask: [{question: The base, at: 1941, figure: germany base}]
"""


def data(text: str) -> dict[str, object]:
    found = Document("the plan", text).data
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("edit", "gone", "come"),
    [
        (Edit(("uncertain", "Paris falls", "chance"), "85%"), "{chance: 70%}", "{chance: 85%}  # a guess"),
        (Edit(("orders", 0, "if"), None), "if: Paris falls, ", 'combat", do: report'),
        (Edit(("orders", 0), None), "[Paris]", "  # the west\n  - when: Summer 1941"),
        (Edit(("orders", 1, "power"), "italy"), "power: germany", "    power: italy\n"),
        (Edit(("orders", 2), {"do": "advance"}), "", '    "on": [russia]\n  - {do: advance}\n'),
        (Edit(("orders", 1), {"do": "advance"}, True), "", "  - {do: advance}\n  - when: Summer 1941"),
        (Edit(("ask", 1), {"question": "More"}), "", "germany base}, {question: More}]"),
        (Edit(("keep", "germany"), {"leave": 20}), "", "\nkeep:\n  germany: {leave: 20}\n"),
        (Edit(("uncertain", "Norway"), {"chance": "5%"}), "", "# a guess\n  Norway: {chance: 5%}\n"),
    ],
)
def test_only_what_is_changed_changes(edit: Edit, gone: str, come: str) -> None:
    after = edited("the plan", TEXT, [edit])
    assert come in after
    assert not gone or gone not in after
    assert after.startswith("# Mine.\nplan: A plan  # its title\n")
    left = [line for line in TEXT.splitlines() if line not in after.splitlines()]
    assert len(left) <= 1  # every other line is there letter by letter


def test_a_section_that_becomes_empty_goes() -> None:
    assert "ask" not in data(edited("the plan", TEXT, [Edit(("ask", 0))]))
    assert "uncertain" not in data(edited("the plan", TEXT, [Edit(("uncertain", "Paris falls"))]))


def test_what_cannot_be_changed_in_place_is_written_anew() -> None:
    after = edited("the plan", "plan: A\n", [Edit(("keep", "germany", "leave"), 20)])
    assert after == "plan: A\nkeep:\n  germany: {leave: 20}\n"


def test_what_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(WarCabinetError, match="there is no"):
        edited("the plan", TEXT, [Edit(("orders", 7))])


FAULTY = """plan: Full of faults
until: Winter 1942
what: 3
uncertain:
  a: {chance: 170%}
  b: {chance: 50%}
orders:
  - {when: "Sumer 1940, Axis, combat", do: report_control, places: [Paris], by: germany}
  - {when: "Summer 1940, Axis, combat", do: report_control, places: [Pariss], by: germany, if: b}
  - {when: 1941, if: zz is 3, do: declare_war, power: germany, "on": [russia]}
  - {when: 1941, do: declare_war, power: germany, "on": [russia]}
keep:
  germany: {leave: many}
ask:
  - {question: q, at: 1961, figure: germany base}
  - {question: q, figure: germany base}
"""


def test_all_faults_are_told_at_once_each_with_its_line() -> None:
    found = examined("the plan", FAULTY)
    assert [it.line for it in found.faults] == [3, 5, 8, 9, 10, 13, 15, 16]
    assert list(found.orders) == [3]  # what is sound is read
    told = " ".join(it.text for it in found.faults)
    for parsers_word in ("Object", "Expected", "$", "line", "msgspec"):
        assert parsers_word not in told


def test_a_line_tells_all_its_faults_and_a_decision_its_own() -> None:
    text = """plan: Two in a line
until: Winter 1941
choose:
  a: {from: 3, to: 1}
orders:
  - {when: Fall 1839, if: zz is 3, do: spnd}
"""
    found = [(it.line, it.text.split(";")[0].split(":")[0]) for it in examined("the plan", text).faults]
    assert [line for line, _ in found] == [4, 6, 6, 6]
    assert found[0][1].startswith("from the smaller to the larger number")
    assert any("spnd" in told for _, told in found)
    assert any("zz" in told for _, told in found)
    assert any("1839" in told for _, told in found)


def test_a_remedy_mends_its_fault() -> None:
    place = next(it for it in examined("the plan", FAULTY).faults if it.line == 9)
    assert [it.label for it in place.remedies] == ["Make it Paris", "Make it Patras", "Take it out"]
    mended = edited("the plan", FAULTY, place.remedies[0].edits)
    assert "places: [Paris]" in mended
    assert 9 not in [it.line for it in examined("the plan", mended).faults]


def test_a_text_that_is_no_plan_is_told_without_its_parser() -> None:
    (fault,) = examined("the plan", "plan: a\n  b: [c\n").faults
    assert fault.line == 2
    assert fault.text.startswith("this line cannot be read")


@pytest.mark.parametrize("name", shipped())
def test_what_ships_is_without_fault(name: str) -> None:
    program = read_plan(name)
    found = examined(name, program.text)
    assert not found.faults
    assert len(found.orders) == len(program.orders)


def test_turns_are_held_against_a_whole_year_in_conditions() -> None:
    state = set_up(Position("empty", turn="Summer 1941"))[0]
    wanted = {
        "turn >= 1941": True,
        "turn > 1941": False,
        "turn <= 1941": True,
        "turn < 1942": True,
        "turn = 1940": False,
    }
    assert {it: condition(it, {})(state, lambda s, name: False) for it in wanted} == wanted


def test_a_year_is_a_moment_wherever_one_is_named() -> None:
    text = """plan: Years
until: 1941
orders:
  - {each: "Axis, combat", from: 1940, until: 1940, do: spend, power: germany, brp: 1, "on": offensive operations}
ask: [{question: q, at: 1941, figure: germany base}]
want: [{most: germany base, at: [1940, 1941]}]
choose: {a: {one of: [1, 2]}}
"""
    program = plan_of("the plan", text)
    assert program.gist().end == plan_of("the plan", text.replace("until: 1941", "until: Winter 1941")).gist().end
    assert program.questions[0].words == "Germany's base at the 1941 year start"
