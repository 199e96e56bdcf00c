"""The README and the tour of the books are true: their commands run in order, its Python prints what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from warcabinet.cli.main import main

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BOOKS = (Path(__file__).parent.parent / "docs" / "books.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [README, BOOKS], ids=["README", "books"])
def test_the_tour_runs_in_order(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WARCABINET_GAME", raising=False)
    lines = [line for block in re.findall(r"```console\n(.*?)```", text, re.S) for line in block.splitlines()]
    assert len(lines) > 10
    for line in lines:
        words = shlex.split(line.removeprefix("$ "), comments=True)
        assert words[0] == "warcabinet"
        status = 0
        try:
            main(words[1:])
        except SystemExit as leave:
            status = int(leave.code or 0)
        captured = capsys.readouterr()
        told = captured.out + captured.err
        assert status == (1 if "# refused" in line else 0), f"{line}\n{told}"
        assert told, line


def test_the_library_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]):
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    expected = re.findall(r"print\(.*?\)\s+# (.+)", block)
    assert printed == expected


def test_every_link_leads_somewhere():
    root = Path(__file__).parent.parent
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (root / target).exists(), target
