"""The package as others get it: what the archive holds, and that the wheel alone plays, serves, plans and checks."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import site
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from bounds import at_length

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = "https://example.org/warcabinet"
#: In the environment of the wheel: a game, a plan, a server and some cases.
TRIED = """
import sys, threading, time, urllib.request
from pathlib import Path
import warcabinet
from warcabinet.cli.main import main
here = Path(sys.argv[1])
assert here in Path(warcabinet.__file__).parents, warcabinet.__file__
game = str(here / "game.warcabinet")
main(["new", "-g", game])
main(["do", "spend", "power=germany", "brp=7", "on=other", "-g", game])
main(["plan", "run", "germany-grows-first", "--samples", "1", "--workers", "1"])
cases = Path(warcabinet.__file__).parent / "rulebook" / "cases" / "35"
main(["check", str(sorted(cases.glob("*.yaml"))[0])])
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.serve import make_server
server = make_server(Settings(here / "games"), "127.0.0.1", 0)
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.01)
base = "http://127.0.0.1:%d" % server.servers[0].sockets[0].getsockname()[1]
for page in ("/health", "/", "/rules/35.31", "/api/v1/openapi.json"):
    assert urllib.request.urlopen(base + page).status == 200, page
server.handle_exit(15, None)
print("all of it")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The archive, made of a copy of what belongs to the project; and the wheel, made of the archive alone."""
    import setuptools

    if int(setuptools.__version__.partition(".")[0]) < 77:
        assert os.environ.get("CI") != "true"
        pytest.skip("setuptools 77 or newer is not installed: python3 dev.py test tests/unit/test_package.py")
    folder = tmp_path_factory.mktemp("package")
    left_out = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "games")
    shutil.copytree(ROOT, folder / "project", ignore=left_out)
    shutil.copy(ROOT / ".dockerignore", folder / "project")
    archive = _made(folder / "project", "build_sdist")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return archive, _made(unpacked, "build_wheel")


def _made(project: Path, how: str) -> Path:
    script = f"from setuptools import build_meta; print(build_meta.{how}('out'))"
    environment = {**os.environ, "WARCABINET_HOME": HOME}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return project / "out" / done.stdout.splitlines()[-1]


def test_the_archive_has_tests_documents_and_tools(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        names = {it.partition("/")[2] for it in archive.getnames()}
    tracked = [*ROOT.glob("docs/**/*.*"), *ROOT.glob("tests/**/*.[pyj]*"), *ROOT.glob("tools/**/*.py")]
    wanted = {str(it.relative_to(ROOT)) for it in tracked if it.is_file() and "__pycache__" not in it.parts}
    wanted |= {"dev.py", "setup.py", "pyproject.toml", "constraints.txt", "README.md", "CHANGELOG.md", "LICENSE"}
    wanted |= {"CONTRIBUTING.md", "Containerfile"}
    assert wanted <= names, sorted(wanted - names)[:5]
    assert not [it for it in names if it.endswith((".pyc", ".sqlite-wal")) or ".venv" in it]


def test_what_the_wheel_says_of_itself(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (it for it in wheel.namelist() if it.endswith("/METADATA"))
        told = wheel.read(name).decode()
        package = {Path(it).suffix for it in wheel.namelist()}
    assert {".csv", ".yaml", ".html", ".css", ".js", ".svg", ".typed"} <= package
    fields, _, text = told.partition("\n\n")
    for field in (
        "Author:",
        "Keywords:",
        "License-Expression: MIT",
        "Requires-Python: >=3.11",
        "Project-URL: Homepage",
    ):
        assert f"\n{field}" in fields, field
    for minor in (11, 12, 13, 14):
        assert f"Classifier: Programming Language :: Python :: 3.{minor}\n" in fields
    assert text.startswith("# War Cabinet")
    pictures = re.findall(r'!\[[^\]]*\]\(([^)]+)\)|src="([^"]+)"', text)
    assert len(pictures) > 5
    assert all((one or other).startswith(f"{HOME}/raw/v{PROJECT['version']}/docs/") for one, other in pictures)


def test_on_an_index_every_link_is_absolute_and_without_a_home_there_is_none() -> None:
    described = runpy.run_path(str(ROOT / "setup.py"))["description"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", described(readme, HOME, "1"))
    assert links
    assert all((one or other).startswith(HOME) for one, other in links)
    assert not re.search(r"\]\(|<img", described(readme, "", "1"))
    assert "the server how to run it for friends" in " ".join(described(readme, "", "1").split())


def test_only_what_must_be_has_an_upper_bound() -> None:
    """Whoever packs this with newer libraries is not stopped by us."""
    every = [*PROJECT["dependencies"], *(it for group in PROJECT["optional-dependencies"].values() for it in group)]
    assert [it for it in every if re.search("<|~=|==", it)] == []


def test_extras_are_told_where_people_install() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for extra in PROJECT["optional-dependencies"]:
        assert f"| `{extra}` |" in readme or extra.startswith("test"), extra


def test_the_wheel_alone_plays_serves_plans_and_checks(built: tuple[Path, Path], tmp_path: Path) -> None:
    place = tmp_path / "venv"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Its libraries are those of the tests, unless everything is to be tried: then they are fetched.
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *([] if at_length() else ["--no-deps", "--no-index"]), str(built[1])], check=True)
    if not at_length():
        (where,) = place.rglob("site-packages")
        (where / "libraries.pth").write_text("\n".join(site.getsitepackages()))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(python), "-c", TRIED, str(tmp_path)]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("all of it\n"), done.stdout[-500:] + done.stderr[-2000:]
    program = python.with_name("warcabinet")
    said = subprocess.run([program, "--version"], env=environment, capture_output=True, text=True, check=True)
    assert PROJECT["version"] in said.stdout
