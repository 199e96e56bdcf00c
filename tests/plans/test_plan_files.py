"""Plans as files: what is wrong in one is said with its line, and nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.plans.chances import Uncertain, as_share, turns_out
from warcabinet.plans.form import LARGEST, plan_of, read_plan, shipped

HEAD = "plan: a try\nuntil: Winter 1940\n"
EACH = HEAD + "orders:\n  - {each: 'Axis, combat', do: roll, purpose: a, "


@pytest.mark.parametrize("name", shipped())
def test_shipped_plans_are_sound(name: str) -> None:
    program = read_plan(name)
    assert all((program.orders, program.questions, program.plan.uncertain))


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("plan: a\nspend: 3\n", 2, "unknown key 'spend'"),
        ("- a\n", 1, "a plan begins with its title"),
        ("plan: a\nuntil: Fall 19\n", 2, "is not a turn"),
        ("plan: a\nuntil: Spring 1939\n", 2, "is over when the plan starts"),
        ("plan: a\nscenario: nowhere\n", 2, "nowhere"),
        (HEAD + "uncertain:\n  rain: {chance: 1.4}\n", 4, "between 0 and 1"),
        (HEAD + "uncertain:\n  rain: {chance: -5%}\n", 4, "between 0 and 1"),
        (HEAD + "uncertain:\n  rain: {chance: often}\n", 4, "0.7 or 70%"),
        (HEAD + "uncertain:\n  rain: {}\n", 4, "say one of chance"),
        (HEAD + "uncertain:\n  rain: {between: [5, 2]}\n", 4, "the smaller first"),
        (HEAD + "uncertain:\n  rain: {one of: {}}\n", 4, "gives each outcome its weight"),
        (HEAD + "uncertain:\n  rain or snow: {chance: 0.5}\n", 4, "could not be asked for"),
        (HEAD + "orders:\n  - {when: 'Fall 1939, Axis, combat', do: conquer}\n", 4, "unknown command 'conquer'"),
        (HEAD + "orders:\n  - {do: roll, purpose: a}\n", 4, "an order has its moment"),
        (HEAD + "orders:\n  - {when: 'Fall 1939, Axis, lunch', do: roll, purpose: a}\n", 4, "unknown phase 'lunch'"),
        (HEAD + "orders:\n  - {when: Monsoon 1940, do: roll, purpose: a}\n", 4, "unknown season"),
        (
            HEAD
            + "orders:\n  - {when: 'Fall 1939, Axis, combat', do: report_control, places: [Atlantis], by: italy}\n",
            4,
            "Atlantis",
        ),
        (HEAD + "orders:\n  - {each: 'Axis, combat', do: spend, power: germany, brp: '{rain}', on: x}\n", 4, "rain"),
        (HEAD + "orders:\n  - {each: 'Axis, combat', if: Paris is green, do: roll, purpose: a}\n", 4, "Paris"),
        (HEAD + "orders:\n  - {each: 'Axis, combat', if: usat <, do: roll, purpose: a}\n", 4, "usat <"),
        (HEAD + "keep:\n  atlantis: {build: [armor 4-6]}\n", 4, "atlantis"),
        (HEAD + "keep:\n  germany: {build: [dragons]}\n", 4, "dragons"),
        (HEAD + "ask:\n  - {question: q, at: Spring 1940}\n", 4, "asks for a `figure`"),
        (HEAD + "ask:\n  - {question: q, at: Spring 1940, figure: germany luck}\n", 4, "luck"),
        (HEAD + "ask:\n  - {question: q, at: someday, figure: germany base}\n", 4, "someday"),
        (HEAD + "ask:\n  - {question: q, at: Spring 1943, figure: germany base}\n", 4, "after the end of the plan"),
        ("plan: a\nuntil: Winter 2040\n", 2, "the war is over by Winter 1946"),
        (
            HEAD + "orders:\n  - {when: 'Fall 1944, Axis, combat', do: roll, purpose: a}\n",
            4,
            "played until Winter 1940",
        ),
        (
            HEAD + "orders:\n  - {when: 'Fall 1914, Axis, combat', do: roll, purpose: a}\n",
            4,
            "over when the plan starts",
        ),
        (HEAD + "orders:\n  - {each: 'Fall 1940, Axis, combat', do: roll, purpose: a}\n", 4, "again and again"),
        (EACH + "from: Fall 1940, until: Spring 1940}\n", 4, "which is earlier"),
        (EACH + "dice: [9]}\n", 4, "faces of one to six"),
        (EACH + "dice: 3}\n", 4, "faces of one to six"),
        (EACH + f"if: '{'(' * 900}usat < 3{')' * 900}'}}\n", 4, "at most 20 deep"),
        (EACH + f"if: '{'not ' * 400}usat < 3'}}\n", 4, "at most 20 deep"),
        (EACH + f"if: '{'usat < 3 and ' * 5000}usat < 3'}}\n", 4, "at most 2000 letters"),
        (HEAD + f"notes: {'[' * 5000}{']' * 5000}\n", 3, "nested too deeply"),
        (HEAD + "notes: \x01\n", 3, "a character that text does not have"),
        (
            HEAD + "uncertain:\n  sun: {chance: 1}\n  rain: {between: [a, b]}\n",
            5,
            "rain: wanted a whole number, not a text",
        ),
        (HEAD + "keep:\n  italy: {leave: 3}\n  germany: {leave: forty}\n", 5, "germany: wanted a whole number"),
        (HEAD + "keep:\n  germany: {aid: [{to: italy, by: rocket}]}\n", 4, "write one of atlantic"),
        ("until: Winter 1940\n", 1, "begins with its title"),
        (HEAD + "ask:\n  - {question: q, at: Spring 1940, figure: germany base, is: big}\n", 4, "against a number"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(DataError) as error:
        plan_of("try.yaml", text)
    assert f"try.yaml, line {line}: " in str(error.value)
    assert told in str(error.value)


def test_a_plan_too_large_to_be_one_is_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.write(b"plan: a\n")
        for _ in range(100):
            file.write(b"# nothing\n" * 100_000)
    with pytest.raises(DataError, match=f"large.yaml has 100,000,008 bytes; a plan has at most {LARGEST:,}"):
        read_plan(large)
    with pytest.raises(DataError, match="neither a file nor one that ships"):
        read_plan(tmp_path / "missing.yaml")


def test_chances_are_shares_of_one() -> None:
    assert as_share("70%") == as_share(" 70 %") == as_share(0.7) == 0.7
    with pytest.raises(WarCabinetError):
        as_share(7)


def test_outcomes_come_in_their_share() -> None:
    """Of ten thousand futures three in ten go one way, and two dice show a seven in a sixth of them."""
    rain, dice = Uncertain(chance=0.3), Uncertain(dice=2)
    wet = sum(turns_out(1, future, "rain", rain.odds()) is True for future in range(10_000))
    seven = sum(turns_out(1, future, "dice", dice.odds()) == 7 for future in range(10_000))
    assert 2_850 < wet < 3_150
    assert 1_550 < seven < 1_790
    assert turns_out(1, 5, "rain", rain.odds()) == turns_out(1, 5, "rain", rain.odds())


def test_few_lines_that_come_to_billions_of_words_are_refused() -> None:
    """Ten aliases of ten aliases of ten: what a short text names again and again is counted before it is built."""
    line = "  - {do: roll, when: 'Fall 1939, Axis, combat', purpose: x, note: "
    again = "".join(f"{line}&a{n} [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12))
    with pytest.raises(DataError, match="more than 20,000 values"):
        plan_of("bomb.yaml", f"{HEAD}orders:\n{line}&a0 [a, b, c]}}\n{again}")
    with pytest.raises(DataError, match="named within itself"):
        plan_of("ring.yaml", f"{HEAD}orders:\n{line}&a0 [a, *a0]}}\n")
