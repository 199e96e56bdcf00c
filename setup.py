"""Puts the cases of the rules into the package as it is built: the pages of the rules open them on the board."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CASES = Path(__file__).parent / "tests" / "cases"


class BuildWithCases(build_py):
    """All that the package has, and beside the rulebook's clauses the cases that show them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            into = Path(self.build_lib) / "warcabinet" / "rulebook" / "cases"
            shutil.rmtree(into, ignore_errors=True)
            shutil.copytree(CASES, into, ignore=shutil.ignore_patterns("__pycache__"))


setup(cmdclass={"build_py": BuildWithCases})
