"""Puts the cases of the rules into the package as it is built: the pages of the rules open them on the board."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CASES = Path(__file__).parent / "tests" / "cases"


def put_cases(into: Path) -> None:
    """Beside the rulebook's clauses the cases that show them."""
    folder = into / "warcabinet" / "rulebook" / "cases"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CASES, folder, ignore=shutil.ignore_patterns("__pycache__"))


class BuildWithCases(build_py):
    """All that the package has, and the cases; a checkout that is installed as it stands has them already."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            put_cases(Path(self.build_lib))


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithCases})
