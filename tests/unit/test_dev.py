"""dev.py, by which everything begins: what it cannot do is one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import dev  # noqa: E402  (it lies beside the project)


def test_without_a_network_the_set_up_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    told = "WARNING: Retrying\nERROR: NameResolutionError(...): Failed to resolve\nERROR: No matching distribution\n"
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=1, stderr=told))
    with pytest.raises(SystemExit) as ended:
        dev.install("warcabinet")
    assert "no package index is reached" in str(ended.value)
    assert "\n" not in str(ended.value)


def test_where_pip_is_missing_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pip(folder: Path, **_: object) -> None:
        folder.mkdir()
        raise subprocess.CalledProcessError(1, "ensurepip")

    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev.venv, "create", no_pip)
    with pytest.raises(SystemExit, match="python3-venv"):
        dev.make_venv()
    assert not (tmp_path / ".venv").exists(), "the next time it is tried again"


def test_tests_write_in_memory_where_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "MEMORY", tmp_path)
    monkeypatch.setattr(dev, "ENOUGH", 0)
    with dev.nowhere_to_wait() as folder:
        Path(folder, "written").touch()
        assert Path(folder).parent == tmp_path
    assert not list(tmp_path.iterdir()), "nothing stays behind in memory"
    monkeypatch.setattr(dev, "ENOUGH", 1 << 60)
    with dev.nowhere_to_wait() as folder:
        assert not folder


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_is_the_affair_of_what_runs() -> None:
    """What it started ends in its own time, and dev.py has nothing to add."""
    inner = "import time\\ntry:\\n print('on', flush=True); time.sleep(60)\\nexcept KeyboardInterrupt:\\n time.sleep(1)"
    inner += "; print('ended in order', flush=True)"
    script = f"import dev, sys; sys.exit(dev.run(sys.executable, '-c', \"{inner}\"))"
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    os.killpg(process.pid, signal.SIGINT)
    said, told = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "ended in order\n")
    assert "Traceback" not in told
