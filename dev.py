"""Everything a fresh machine needs, with the standard library only.

python3 dev.py play        set up, then open the table in the browser
python3 dev.py test        set up, then run every check
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
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "installed"
CHROMIUM = Path("/usr/bin/chromium")


def run(*words: str | Path, **more: object) -> int:
    """Run a command in the project's folder and say which it is."""
    print("$", *(str(word) for word in words), file=sys.stderr, flush=True)
    where = {"cwd": ROOT, **more}
    return subprocess.run([str(word) for word in words], check=False, **where).returncode  # type: ignore[call-overload]


def must(*words: str | Path) -> None:
    if run(*words) != 0:
        sys.exit(f"dev.py: '{' '.join(map(str, words))}' failed")


def set_up(extras: str = "test") -> None:
    """A virtual environment with the project and what it needs; done once, and again when requirements change."""
    if sys.version_info < (3, 11):  # noqa: UP036  (this script is what tells people so)
        sys.exit(f"dev.py: Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    wanted = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        wanted.update((ROOT / name).read_bytes())
    mark = f"{wanted.hexdigest()} {extras}"
    if STAMP.exists() and STAMP.read_text() in (mark, mark.replace(f" {extras}", " test")):
        return
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        print("Setting up .venv", flush=True)
        venv.create(VENV, with_pip=True)
    target = f".[{extras}]" if extras else "."
    pip = (BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    must(*pip, "-c", "constraints.txt", "-e", target)
    STAMP.write_text(mark)


def has_postgres() -> bool:
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or shutil.which("initdb") is not None


#: System programs that tests need as they are: Debian's package, and whether it is there.
PARTS = {"chromium": CHROMIUM.exists, "postgresql": has_postgres}


def find_parts() -> None:
    """Some tests need real parts of the system: install Debian's packages as root, otherwise say how to get them."""
    missing = [package for package, there in PARTS.items() if not there()]
    if not missing:
        return
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "update", "-qq", env=quiet)
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing, env=quiet)
    for package in missing:
        if not PARTS[package]():
            print(f"Tests that need {package} are skipped (Debian: sudo apt-get install {package})", flush=True)


def test(more: list[str]) -> None:
    """Lint, types, layers, generated documents, then all tests. Arguments go to pytest."""
    set_up("test")
    find_parts()
    if not more:
        must(BIN / "ruff", "check")
        must(BIN / "ruff", "format", "--check")
        must(BIN / "mypy")
        must(BIN / "lint-imports", "--no-cache")
        must(BIN / "warcabinet", "docs", "--check")
    sys.exit(run(BIN / "python", "-m", "pytest", *(more or ["-n", "auto"])))


def main() -> None:
    words = sys.argv[1:]
    if words[:1] in (["-h"], ["--help"]):
        print((__doc__ or "").strip())
        return
    if not words or words[0] not in ("play", "test", "manifest", "budgets", "mutate", "endure", "oracle", "run"):
        sys.exit((__doc__ or "").strip())
    if words[0] == "test":
        test(words[1:])
    elif words[0] == "manifest":
        set_up("test")
        must(BIN / "python", "tools/manifest.py")
        must(BIN / "warcabinet", "docs")
    elif words[0] == "budgets":
        set_up("test")
        sys.exit(run(BIN / "python", "tools/budgets.py"))
    elif words[0] in ("mutate", "endure", "oracle"):
        set_up("test")
        if words[0] == "endure":
            find_parts()
        sys.exit(run(BIN / "python", f"tools/{words[0]}", *words[1:]))
    else:
        set_up("")
        what = ["serve", "--open", *words[1:]] if words[0] == "play" else words[1:]
        sys.exit(run(BIN / "warcabinet", *what, cwd=Path.cwd()))


if __name__ == "__main__":
    main()
