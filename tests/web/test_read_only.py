"""Folders in which nothing can be written: each that needs one says so in a word, and leaves nothing half (16)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attacks import FIXTURES, settings_of

from warcabinet.cli.main import main
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import create_game, import_game, open_game
from warcabinet.web.server.app import create_app

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
#: Whoever is root writes everywhere: the work is done by a process that gave that up.
NOBODY = 65534


@pytest.fixture
def closed() -> Iterator[Path]:
    """A folder that everybody reads and nobody writes, with a game and a server's folder in it."""
    folder = Path(tempfile.mkdtemp())
    shutil.copy(FIXTURES / "game-format-3.warcabinet", folder / "game")
    shutil.copytree(FIXTURES / "folder-0.2.0", folder / "data")
    for it in (folder, *folder.rglob("*")):
        it.chmod(0o555 if it.is_dir() else 0o444)
    yield folder
    for it in (folder, *folder.rglob("*")):
        it.chmod(0o700)
    shutil.rmtree(folder)


def told(work: Callable[[], object]) -> str:
    """What someone without rights is told who tries it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = "done"
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            work()
        except WarCabinetError as error:
            said = f"refused: {error}"
        except BaseException:
            said = traceback.format_exc()
        finally:
            os.write(write, said.encode()[-4000:])
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as heard:
        said = heard.read()
    os.waitpid(child, 0)
    return said


def test_a_read_only_folder_is_said_to_be_so(closed: Path) -> None:
    lines = (FIXTURES / "game-format-3.jsonl").read_text(encoding="utf-8").splitlines()
    before = sorted(closed.rglob("*"))
    works: dict[str, Callable[[], object]] = {
        "new": lambda: create_game(closed / "new"),
        "import": lambda: import_game(lines, closed / "new"),
        "move": lambda: open_game(closed / "game").do({"do": "roll", "purpose": "weather"}),
        "serve": lambda: create_app(settings_of(closed / "data")),
        "serve a new folder": lambda: create_app(settings_of(closed / "new")),
    }
    for name, work in works.items():
        said = told(work)
        assert said.startswith("refused: "), (name, said)
        assert any(word in said for word in ("cannot be written", "cannot hold games", "read-only")), (name, said)
    assert sorted(closed.rglob("*")) == before


def test_an_export_that_cannot_be_written_leaves_no_part(closed: Path) -> None:
    before = sorted(closed.rglob("*"))
    assert told(lambda: main(["status", "-g", str(closed / "game")])) == "done", "it can be read"
    said = told(lambda: main(["export", "-g", str(closed / "game"), "-o", str(closed / "out.jsonl")]))
    assert "SystemExit: 3" in said, said
    assert sorted(closed.rglob("*")) == before


def test_an_export_that_finds_no_room_leaves_no_part(tmp_path: Path) -> None:
    import resource

    game = tmp_path / "game"
    shutil.copy(FIXTURES / "game-format-3.warcabinet", game)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(SystemExit):
            main(["export", "-g", str(game), "-o", str(tmp_path / "out.jsonl")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == [game]
