"""What a test file needs beside pytest, read from its own imports: dev.py installs that, and what is missing is told.

The standard library only: dev.py reads this before anything is installed.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path

#: Groups of optional dependencies in pyproject.toml, by a module that is imported for their sake.
GROUPS = {
    "httpx": "test-web",
    "starlette.testclient": "test-web",
    "aiosmtpd": "test-web",
    "playwright": "test-browser",
    "axe_playwright_python": "test-browser",
    "schemathesis": "test-api",
    "openapi_python_client": "test-api",
    "psycopg": "postgres",
    "ray": "cluster",
    "optuna": "counsel",
    "resvg_py": "png",
}
#: Starlette itself is always there; its client for tests stands on another module.
STANDS_ON = {"starlette.testclient": "httpx"}
#: Debian's packages with the programs that the tests of a group start.
PROGRAMS = {"test-browser": ("chromium-headless-shell",), "test-web": ("nginx",), "postgres": ("postgresql",)}

_ANYWHERE = re.compile(r"""^\s*(?:from|import)\s+([\w.]+)|importorskip\(\s*["']([\w.]+)""", re.MULTILINE)
_AT_THE_TOP = re.compile(r"""^(?:from|import)\s+([\w.]+)()""", re.MULTILINE)


def needed(file: Path) -> set[str]:
    """The modules of groups that a test file asks for, itself or by a helper that lies beside it."""
    return _named(file, _ANYWHERE)


def missing(file: Path, *, to_read_it: bool) -> list[str]:
    """What of it is not installed; `to_read_it`: without which the file cannot even be imported."""
    wanted = _named(file, _AT_THE_TOP if to_read_it else _ANYWHERE)
    return sorted(it for it in wanted if importlib.util.find_spec(STANDS_ON.get(it, it)) is None)


def groups(paths: Iterable[Path]) -> set[str]:
    """The groups that the tests of these files and folders need."""
    files = (file for path in paths for file in (path.rglob("*.py") if path.is_dir() else (path,)))
    return {GROUPS[module] for file in files for module in needed(file)}


def _named(file: Path, pattern: re.Pattern[str]) -> set[str]:
    helpers = (it for it in file.parent.glob("*.py") if not it.name.startswith("test_") and it.name != "parts.py")
    found = {a or b for it in {file, *helpers} for a, b in pattern.findall(it.read_text(encoding="utf-8"))}
    return {module for module in GROUPS if any(name == module or name.startswith(f"{module}.") for name in found)}
