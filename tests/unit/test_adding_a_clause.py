"""docs/adding-a-clause.md, followed to the letter: one more prohibition on entering is a row and a case."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import warcabinet
from warcabinet.conformance.running import run_files

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding-a-clause.md"
MARCH = 'move nation=germany "unit=infantry 3-3" from=Sofia to=Istanbul'


def block(language: str) -> str:
    """The one block of code in that language of the document's last section, as it stands there."""
    section = DOCUMENT.read_text(encoding="utf-8").partition("\n## 8. ")[2]
    [found] = re.findall(rf"^```{language}\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    return found


def told_by(source: Path, *commands: str) -> list[str]:
    """What the program in a folder says to some commands, one after another in one process."""
    run = "import sys, shlex; from warcabinet.cli.main import cli\n"
    run += "for line in sys.argv[1:]: cli.main(shlex.split(line), standalone_mode=False); print('\f')"
    words = [sys.executable, "-P", "-c", run, *commands]
    env = {**os.environ, "PYTHONPATH": str(source)}
    ran = subprocess.run(words, cwd=source, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.split("\f\n")


def test_a_row_and_a_case_are_one_more_prohibition(tmp_path: Path) -> None:
    case = tmp_path / "case.yaml"
    case.write_text(block("yaml"))
    [without] = run_files([case])
    assert "step 1, move: refused by nothing, expected 82.41" in without.message

    shutil.copytree(Path(warcabinet.__file__).parent, tmp_path / "warcabinet", ignore=shutil.ignore_patterns("static"))
    ground = tmp_path / "warcabinet" / "rules" / "minors" / "ground.py"
    rows = "BY_NAME: tuple[Closed, ...] = (\n"
    ground.write_text(ground.read_text(encoding="utf-8").replace(rows, rows + block("python")))
    checked, _, offer, page, _ = told_by(
        tmp_path,
        "check case.yaml",
        "check case.yaml --explain 82.41/9999 --into the.warcabinet",
        f"offers -g the.warcabinet {MARCH}",
        "country turkey -g the.warcabinet",
    )
    assert "1 passed" in checked
    assert "everybody leaves alone" in offer
    assert "everybody leaves alone" in page
