"""The generated documents: every command is shown with an example that is accepted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import warcabinet
from warcabinet.cli.words_in import parse_command, split_line
from warcabinet.conformance import documents
from warcabinet.conformance.documents import commands_page, examples, minors_page
from warcabinet.conformance.running import run_files
from warcabinet.kernel.rules import RULES, Misplaced
from warcabinet.model.commands import command_types

EXAMPLES = Path(warcabinet.__file__).parent / "rulebook" / "examples.yaml"


def test_every_command_has_an_example():
    assert set(examples()) == set(command_types())


def test_every_example_is_accepted():
    failed = [f"{outcome.id}: {outcome.message}" for outcome in run_files((EXAMPLES,), strict=True) if not outcome.ok]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("name", sorted(command_types()))
def test_what_the_page_shows_is_the_example(name: str):
    """The typed line means the same command as the case."""
    line = next(line for line in commands_page().splitlines() if line.split()[:3] == ["warcabinet", "do", name])
    assert parse_command(split_line(line.removeprefix("warcabinet do "))) == examples()[name][1]


def test_the_map_of_minors_has_every_clause_that_its_rules_cite():
    rows = [line.split(" | ") for line in minors_page().splitlines() if line.startswith("| ")]
    where = {clause.removeprefix("| "): modules for clause, *_, modules in rows}
    for rule in RULES.by_name.values():
        package, _, module = rule.module.rpartition(".")
        if package == "warcabinet.rules.minors" and not rule.clause.startswith("WC"):
            assert f"`{module}`" in where[re.sub(r"[^\d.].*", "", rule.clause)], rule.name


def test_a_module_of_minors_without_a_subject_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(documents, "MINORS", {**documents.MINORS, "Its forces": ("forces_of_minors",)})
    with pytest.raises(Misplaced, match="building, set_up"):
        minors_page()
