"""The generated documents: every command is shown with an example that is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

import warcabinet
from warcabinet.cli.words_in import parse_command, split_line
from warcabinet.conformance import run_files
from warcabinet.documents import commands_page, examples
from warcabinet.model.commands import command_types

EXAMPLES = Path(warcabinet.__file__).parent / "rulebook" / "examples.yaml"


def test_every_command_has_an_example():
    assert set(examples()) == set(command_types())


def test_every_example_is_accepted():
    failed = [f"{outcome.id}: {outcome.message}" for outcome in run_files((EXAMPLES,)) if not outcome.ok]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("name", sorted(command_types()))
def test_what_the_page_shows_is_the_example(name: str):
    """The typed line means the same command as the case."""
    line = next(line for line in commands_page().splitlines() if line.split()[:3] == ["warcabinet", "do", name])
    assert parse_command(split_line(line.removeprefix("warcabinet do "))) == examples()[name][1]
