"""Everything a fresh machine needs, with the standard library only.

python3 dev.py play        set up, then open the table in the browser
python3 dev.py check       style, types, layers, documents and the cases of the chapters you touched: under a minute
python3 dev.py test        set up, then run every check; --all also tries schemas and random play at length
python3 dev.py test ...    these tests with what they need: a path, or cases by id, clause or file (82.41/3, 82.41)
python3 dev.py manifest    mark what passing cases show of each clause; rewrite the generated documents
python3 dev.py budgets     how large the rules are beside tests/budgets.yaml; writes lower figures there
python3 dev.py mutate ...  change the rules at random and list the changes that no case notices (--help)
python3 dev.py endure ...  kill, damage and pester it a thousandfold: nothing may be lost, doubled or wrong (--help)
python3 dev.py oracle ...  the same commands through the last release and this tree: every difference (--help)
python3 dev.py run ...     set up, then run `warcabinet ...`
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests"))
# Tests start the program hundreds of times: where no bytecode were kept, each would compile all rules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import parts  # noqa: E402  (it lies beside the tests, which read it too)

VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "installed"


def run(*words: str | Path, **more: object) -> int:
    """Run a command in the project's folder and say which it is; Ctrl+C is its affair, and it ends in its own time."""
    print("$", *(str(word) for word in words), file=sys.stderr, flush=True)
    where = {"cwd": ROOT, **more}
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run([str(word) for word in words], check=False, **where).returncode  # type: ignore[call-overload]
    finally:
        signal.signal(signal.SIGINT, before)


def must(*words: str | Path) -> None:
    if run(*words) != 0:
        sys.exit(f"dev.py: '{' '.join(map(str, words))}' failed")


def set_up(*groups: str) -> None:
    """A virtual environment with the project and these groups; done once, and again when requirements change."""
    if sys.version_info < (3, 11):  # noqa: UP036  (this script is what tells people so)
        sys.exit(f"dev.py: Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    wanted = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        wanted.update((ROOT / name).read_bytes())
    mark, *there = STAMP.read_text().split() if STAMP.exists() else [""]
    if mark == wanted.hexdigest() and set(groups) <= set(there):
        return
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        print("Setting up .venv", flush=True)
        make_venv()
    every = sorted({*there, *groups})
    install("-c", "constraints.txt", "-e", f".[{','.join(every)}]" if every else ".")
    STAMP.write_text(" ".join([wanted.hexdigest(), *every]))


def make_venv() -> None:
    try:
        venv.create(VENV, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        told = (
            getattr(error, "strerror", "")
            or "Python comes without pip here (Debian: sudo apt-get install python3-venv)"
        )
        sys.exit(f"dev.py: {VENV} cannot be made: {told}")


#: Words by which pip tells that it reached nobody.
NOBODY = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError", "Network is unreachable")


def install(*words: str) -> None:
    """Have pip install these; where nobody can be reached that is one line, otherwise pip says what is wrong."""
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2"]
    print("$", *pip, *words, file=sys.stderr, flush=True)
    done = subprocess.run([*pip, *words], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return
    if any(word in done.stderr for word in NOBODY):
        sys.exit("dev.py: what War Cabinet needs cannot be fetched: no package index is reached from this machine")
    sys.exit(f"{done.stderr.rstrip()}\ndev.py: '{' '.join([*pip, *words])}' failed")


def has_postgres() -> bool:
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or shutil.which("initdb") is not None


def has_nginx() -> bool:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") is not None


def has_chromium() -> bool:
    return Path("/usr/bin/chromium").exists() or has_shell()


def has_shell() -> bool:
    return Path("/usr/bin/chromium-headless-shell").exists()


#: System programs that tests need as they are: Debian's package, whether it is there, and whether another will do.
PROGRAMS = {
    "chromium-headless-shell": (has_shell, has_chromium),
    "nginx": (has_nginx, has_nginx),
    "postgresql": (has_postgres, has_postgres),
}


def find_programs(groups: Iterable[str]) -> None:
    """Some tests need real parts of the system: install Debian's packages as root, otherwise say how to get them."""
    packages = [package for group in sorted(groups) for package in parts.PROGRAMS.get(group, ())]
    missing = [package for package in packages if not PROGRAMS[package][0]()]
    if not missing:
        return
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "update", "-qq", env=quiet)
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing, env=quiet)
    for package in missing:
        if not PROGRAMS[package][1]():
            print(f"Tests that need {package} are skipped (Debian: sudo apt-get install {package})", flush=True)


# -- Checks and tests ----------------------------------------------------------------------------------------------

#: What needs no test to be run.
CHECKS: dict[str, tuple[str, ...]] = {
    "style": ("ruff", "check"),
    "layout": ("ruff", "format", "--check"),
    "types": ("mypy",),
    "layers": ("lint-imports", "--cache-dir", ".import_linter_cache"),
    "documents": ("warcabinet", "docs", "--check"),
    "script": ("oxlint", "src/warcabinet/web/static"),
}
TOUCHED = ("python", "-m", "pytest", "tests/test_cases.py", "--touched", "-p", "no:schemathesis", "-n", "2")


def side_by_side(jobs: dict[str, tuple[str, ...]], most: int = os.cpu_count() or 2) -> bool:
    """Run commands, so many at the same time; say how long each took, and at the end what those said that failed."""

    def timed(job: tuple[str, tuple[str, ...]]) -> tuple[str, str, bool]:
        name, (program, *words) = job
        start = time.monotonic()
        done = subprocess.run([BIN / program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
        good = done.returncode == 0
        told = (
            f"{name:10} {'good' if good else 'FAILS':6} {time.monotonic() - start:5.1f} s   {program} {' '.join(words)}"
        )
        print(told, flush=True)
        return name, done.stdout + done.stderr, good

    with ThreadPoolExecutor(most) as workers:
        ended = list(workers.map(timed, jobs.items()))
    for name, said, good in ended:
        if not good:
            print(f"\n-- {name} " + "-" * (100 - len(name)) + f"\n{said.strip()}", flush=True)
    return all(good for _, _, good in ended)


def check() -> None:
    """What can be said in under a minute of what was changed."""
    set_up("test")
    start = time.monotonic()
    good = side_by_side({"cases": TOUCHED, **CHECKS})
    print(f"\n{'All good' if good else 'Not good'} after {time.monotonic() - start:.0f} seconds", flush=True)
    sys.exit(0 if good else 1)


#: A folder in memory, and how much of it must be free for what all tests write.
MEMORY, ENOUGH = Path("/dev/shm"), 4 << 30


def nowhere_to_wait() -> AbstractContextManager[str]:
    """Where all tests write: in memory where there is room for it, so that no worker stands still for a disk."""
    room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH
    # Tests write programs too, and start them.
    if not room or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return nullcontext("")
    return tempfile.TemporaryDirectory(prefix="warcabinet-", dir=MEMORY, ignore_cleanup_errors=True)


#: How cases are named: 82.41/3, club-35.33A/1; or all of a clause, 82.41, WC.9.
CASE = re.compile(r"(?:[\w-]+-)?(?:\d\d|WC)\.\d+\w*(?:\(\d+\))?(?:/\d+)?")


#: One more than there are cores: browsers and servers wait much of their time.
WORKERS = str((os.cpu_count() or 2) + 1)


def test(words: list[str]) -> None:
    """Checks and all tests; or those that are named, with what they need. Other words go to pytest."""
    cases = [word for word in words if CASE.fullmatch(word) or word.startswith("tests/cases")]
    rest = [word for word in words if word not in cases]
    if cases:
        rest += ["tests/test_cases.py", "--cases", ",".join(cases)]
    named = [ROOT / word.partition("::")[0] for word in rest if not word.startswith("-")]
    paths = [path for path in named if path.exists()]
    groups = parts.groups(paths or [ROOT / "tests"])
    set_up("test", *groups)
    find_programs(groups)
    tests = (BIN / "python", "-m", "pytest", *(() if paths else ("-n", WORKERS)), *rest)
    if paths or [word for word in rest if word != "--all"]:
        sys.exit(run(*tests))
    # The checks are made beside the tests.
    with ThreadPoolExecutor(1) as beside, nowhere_to_wait() as folder:
        checked = beside.submit(side_by_side, CHECKS, 1)
        failed = run(*tests, env={**os.environ, **({"PYTEST_DEBUG_TEMPROOT": folder} if folder else {})})
    sys.exit(failed or not checked.result())


#: What may be asked for.
WORDS = ("play", "check", "test", "manifest", "budgets", "mutate", "endure", "oracle", "run")


def main() -> None:
    words = sys.argv[1:]
    if words[:1] in (["-h"], ["--help"]):
        print((__doc__ or "").strip())
        return
    if not words or words[0] not in WORDS:
        sys.exit((__doc__ or "").strip())
    if words[0] == "test":
        test(words[1:])
    elif words[0] == "check":
        check()
    elif words[0] == "manifest":
        set_up("test")
        must(BIN / "python", "tools/manifest.py")
        must(BIN / "warcabinet", "docs")
    elif words[0] == "budgets":
        set_up("test")
        sys.exit(run(BIN / "python", "tools/budgets.py"))
    elif words[0] in ("mutate", "endure", "oracle"):
        groups = ("test-web", "test-api", "postgres") if words[0] == "endure" else ()
        set_up("test", *groups)
        find_programs(groups)
        sys.exit(run(BIN / "python", f"tools/{words[0]}", *words[1:]))
    else:
        set_up()
        what = ["serve", "--open", *words[1:]] if words[0] == "play" else words[1:]
        sys.exit(run(BIN / "warcabinet", *what, cwd=Path.cwd()))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
