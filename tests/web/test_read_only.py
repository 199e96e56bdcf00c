"""Folders in which nothing can be written: each that needs one says so in a word, and leaves nothing half (16)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attacks import FIXTURES, settings_of

from children import DONE, Children
from warcabinet.cli.main import main
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


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.end()


def _as_nobody(work: Callable[..., object], *given: object) -> None:
    """Do it without rights."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    work(*given)


def _import(file: Path) -> None:
    import_game((FIXTURES / "game-format-3.jsonl").read_text(encoding="utf-8").splitlines(), file)


def _move(file: Path) -> None:
    open_game(file).do({"do": "roll", "purpose": "weather"})


def _serve(data: Path) -> None:
    create_app(settings_of(data))


def test_a_read_only_folder_is_said_to_be_so(closed: Path, children: Children) -> None:
    before = sorted(closed.rglob("*"))
    works: tuple[tuple[Callable[..., object], str], ...] = (
        (create_game, "new"),
        (_import, "new"),
        (_move, "game"),
        (_serve, "data"),
        (_serve, "new"),
    )
    for work, name in works:
        said = children.child(_as_nobody, work, closed / name)
        assert said.startswith("refused: "), (work, name, said)
        assert any(word in said for word in ("cannot be written", "cannot hold games", "read-only")), (name, said)
    assert sorted(closed.rglob("*")) == before


def test_an_export_that_cannot_be_written_leaves_no_part(closed: Path, children: Children) -> None:
    before = sorted(closed.rglob("*"))
    assert children.child(_as_nobody, main, ["status", "-g", str(closed / "game")]) == DONE, "it can be read"
    said = children.child(_as_nobody, main, ["export", "-g", str(closed / "game"), "-o", str(closed / "out.jsonl")])
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
