"""What the documents say of the program is so: commands and their options, settings, layers, events, dependencies."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import msgspec
import pytest

from warcabinet.cli.main import cli
from warcabinet.model.events import Event
from warcabinet.web.plumbing.settings import Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def commands_in(text: str) -> Iterator[str]:
    """Commands of ours as a page gives them: in a line of their own, or between backticks."""
    yield from re.findall(r"^(?: {4}|\$ |)(warcabinet [a-z][^\n#]*)", text, re.MULTILINE)
    yield from (" ".join(it.split()) for it in re.findall(r"(?<!`)`(warcabinet [a-z][^`]*)`", text))


def click_command(words: list[str]) -> click.Command:
    """The command that words name, down through its groups; fails with the word that nothing is called."""
    found: click.Command = cli
    for word in words:
        if not isinstance(found, click.Group):
            break
        below = found.get_command(click.Context(found), word)
        assert below is not None, f"there is no command '{word}'"
        found = below
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_command_and_option_that_a_page_gives_is_there(page: Path):
    for line in commands_in(page.read_text(encoding="utf-8")):
        words = re.split(r"[\s,;]+", line.removeprefix("warcabinet "))
        command = click_command([word for word in words if re.fullmatch("[a-z-]+", word) and word[0] != "-"])
        known = {name for it in command.params for name in (*it.opts, *it.secondary_opts)} | {"--help"}
        given = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line))
        assert given <= known, f"{page.name}: {line}"


def test_commands_are_found_in_lines_and_between_backticks():
    text = "    warcabinet log -n 3  # three\nSay `warcabinet plan\nrun x` or\n$ warcabinet undo\nA warcabinet.\n"
    found = [it.strip() for it in commands_in(text)]
    assert found == ["warcabinet log -n 3", "warcabinet undo", "warcabinet plan run x"]


def test_the_list_of_settings_is_whole():
    page = (DOCS / "server.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Limits and quotas")
    first_cells = [row.split("|")[1] for row in section.partition("## ")[0].splitlines() if row.startswith("| `")]
    listed = re.findall(r"`(\w+)`", " ".join(first_cells))
    # The data folder is named on the command line.
    assert sorted(listed) == sorted({*Settings.__struct_fields__} - {"data"})


def test_the_defaults_of_settings_are_as_listed():
    page = (DOCS / "server.md").read_text(encoding="utf-8")
    defaults = {it.name: it.default for it in msgspec.structs.fields(Settings)}
    for names, told in re.findall(
        r"^\| (`[a-z_`, ]+`) \| ([^|]+?) \|", page.partition("## Limits and quotas")[2], re.M
    ):
        settings, figures = re.findall(r"`(\w+)`", names), told.split(", ")
        if len(settings) == len(figures) and told.strip():
            assert [_bytes_or_number(it) for it in figures] == [defaults[it] for it in settings], names


def _bytes_or_number(told: str) -> float:
    number, _, unit = told.replace(",", "").partition(" ")
    return float(number) * {"KB": 1024, "MB": 1024**2, "GB": 1024**3}.get(unit, 1)


def test_the_layers_are_those_that_are_held():
    (line,) = re.findall(r"^    (kernel < .*)$", (DOCS / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE)
    told = [set(layer.split(", ")) for layer in line.split(" < ")]
    (contract,) = [it for it in PROJECT["tool"]["importlinter"]["contracts"] if it["name"] == "Layers"]
    assert told == [set(layer.split(" | ")) for layer in reversed(contract["layers"]) if layer != "__main__"]


def test_events_are_counted():
    (told,) = re.findall(r"`Event`: (\d+) kinds", (DOCS / "architecture.md").read_text(encoding="utf-8"))
    assert int(told) == len(get_args(Event))


def test_every_dependency_is_named():
    _, _, section = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("## Dependencies")
    extras = PROJECT["project"]["optional-dependencies"]
    for wanted in PROJECT["project"]["dependencies"]:
        assert re.split(r"[\[>]", wanted)[0].casefold() in section.casefold(), wanted
    for extra in extras:
        assert f"`{extra}`" in section or extra.startswith("test"), extra
