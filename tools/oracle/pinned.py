"""The engine that all others are held against: a commit, taken out of the repository into a folder of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

#: The commit of the last release (0.2.0), and the adapter that fits it.
REFERENCE = "744e31070db9a145136dd7972912cc94077a5fd2"
REFERENCE_ADAPTER = "release_0_2_0.py"
#: Says "the working tree itself" where a commit is asked for.
ITSELF = "."

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".oracle"
ADAPTERS = Path(__file__).resolve().parent / "adapters"
TODAY = "tools/oracle/adapters/today.py"


class NotThere(Exception):
    """A commit that this clone does not have."""


@dataclass(frozen=True)
class Engine:
    """An engine as it lies on the disk: its name, its sources, the adapter that finds its parts, its cases."""

    name: str
    source: Path
    adapter: Path
    cases: Path

    def process(self, role: str) -> subprocess.Popen[bytes]:
        """A side of the oracle with this engine. Its hashes do not change from run to run."""
        words = [sys.executable, str(Path(__file__).with_name("side.py")), role, str(self.adapter), str(self.source)]
        told = {**os.environ, "PYTHONPATH": str(self.source), "PYTHONHASHSEED": "0"}
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=told)


def working_tree(adapter: Path | None = None) -> Engine:
    return Engine("the working tree", ROOT / "src", adapter or ROOT / TODAY, ROOT / "tests" / "cases")


def engine_of(revision: str) -> Engine:
    """The engine of a commit; it finds its own parts by the adapter that it has with it, if it has one."""
    if revision == ITSELF:
        return working_tree()
    commit = full_name(revision)
    folder = KEPT / commit
    if not folder.exists():
        _take_out(commit, folder)
    own = folder / TODAY
    adapter = ADAPTERS / REFERENCE_ADAPTER if commit == REFERENCE or not own.exists() else own
    return Engine(commit[:8], folder / "src", adapter, folder / "tests" / "cases")


def full_name(revision: str) -> str:
    found = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found.returncode != 0:
        raise NotThere(
            f"this clone does not have the commit {revision}; if it is shallow, `git fetch --unshallow` brings it"
        )
    return found.stdout.decode().strip()


def _take_out(commit: str, folder: Path) -> None:
    """Put what the commit has of sources, cases and adapters into a folder, whole or not at all."""
    parts = ["src", "tests/cases"]
    if _git("cat-file", "-e", f"{commit}:tools/oracle").returncode == 0:
        parts.append("tools/oracle")
    archive = _git("archive", commit, *parts)
    if archive.returncode != 0:
        raise NotThere(f"{commit} cannot be taken out of the repository: {archive.stderr.decode().strip()}")
    KEPT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as begun:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
            packed.extractall(Path(begun) / "whole", filter="data")
        try:
            (Path(begun) / "whole").rename(folder)
        except OSError:
            if not folder.exists():  # else somebody else was faster
                raise


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
