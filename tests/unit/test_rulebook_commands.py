"""What `rules` and `new-clause` say of rulings and of numbers that are not there, and how a wrong manifest is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warcabinet.cli.main import main
from warcabinet.conformance.casebook import cases_on_ruling, written_cases
from warcabinet.kernel.clause import Clause
from warcabinet.kernel.errors import DataError
from warcabinet.kernel.tables import read_csv
from warcabinet.model.rulings import rulings


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]):
    def run(*words: str) -> tuple[int, str]:
        status = 0
        try:
            main(list(words))
        except SystemExit as leave:
            status = int(leave.code or 0)
        said = capsys.readouterr()
        return status, " ".join((said.out + said.err).split())

    return run


def test_a_ruling_is_shown_with_readings_reason_clauses_and_cases(told):
    status, text = told("rules", "R-0002")
    ruling = rulings()["R-0002"]
    assert status == 0
    assert ruling.question in text
    assert ruling.reason in text
    assert f"* a. {ruling.readings['a']}" in text
    assert f"* b. {ruling.readings['b']}" not in text
    assert all(f"[{clause}]" in text for clause in ruling.clauses)
    assert "choose_reading ruling=R-0002 reading=b" in text
    cases = json.loads(told("rules", "r-0002", "--json")[1])["cases"]
    assert cases
    assert all(case in text for case in cases)


def test_a_ruling_that_no_table_chooses_says_so(told):
    assert rulings()["R-0008"].selectable == ("a",)
    text = told("rules", "R-0008")[1]
    assert "A table may not choose: it is played by reading a." in text
    assert "(cannot be chosen)" in text


def test_rulings_that_ask_the_same_name_each_other(told):
    assert "Whoever chooses b chooses R-0012/a with it" in told("rules", "R-0030")[1]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("R-4", "did you mean R-0004?"),
        ("R-0005", "R-0005"),
        ("R-9999", f"{max(rulings())}?"),
        ("R-none", "none looks like it"),
    ],
)
def test_an_unknown_ruling_names_near_ones(told, written: str, meant: str):
    assert meant in told("rules", written)[1]


def test_remarks_between_cases_speak_for_no_case(tmp_path: Path):
    (tmp_path / "some.yaml").write_text('- id: "35.31/1"\n  disputed: R-0002\n# of R-0004\n- id: "35.31/2"\n')
    assert [it.id for it in cases_on_ruling("R-0002", tmp_path)] == ["35.31/1"]
    assert cases_on_ruling("R-0004", tmp_path) == []
    assert len(written_cases(tmp_path)) == 2


def test_a_number_that_is_not_there_says_what_to_do(told):
    status, text = told("new-clause", "82.43")
    assert status == 2
    assert "Around it stand 82.41, 82.42, 82.5, 82.51" in text
    assert "rulebook/clauses.csv, after that of 82.42" in text
    assert "82.43,planned," in text
    assert "rules/minors/" in text
    assert "tests/manifest/test_manifest.py" in text


def test_a_house_rule_that_is_not_there_is_counted_on(told):
    text = told("new-clause", "WC.99")[1]
    assert "after that of WC.30" in text
    assert "CONTRIBUTING.md" in text
    assert "DIGEST" not in text


def test_a_chapter_that_is_not_there_and_a_word_that_is_no_number(told):
    assert "Nothing of chapter 41 is there yet" in told("new-clause", "41.1")[1]
    text = told("new-clause", "Thailand")[1]
    assert "A number looks like 82.41" in text
    assert "clauses.csv" not in text


def test_the_row_that_is_proposed_can_be_read(told, tmp_path: Path):
    row = next(part for part in told("new-clause", "82.43")[1].split(": ") if part.startswith("82.43,"))
    file = tmp_path / "clauses.csv"
    file.write_text(f"clause,status,gist,reason,sentences,shown\n{row.split(' (clause')[0]}\n")
    assert read_csv(file, Clause)[0].status == "planned"


def test_a_wrong_status_in_the_manifest_names_the_right_ones(tmp_path: Path):
    file = tmp_path / "clauses.csv"
    file.write_text("clause,status,gist\n35.1,heading,a\n35.11,done,b\n")
    with pytest.raises(DataError) as error:
        read_csv(file, Clause)
    assert str(error.value) == (
        "clauses.csv, line 3: Invalid enum value 'done' - at `$.status`; status is one of enforced, answered, planned, "
        "heading, reference, remark"
    )
