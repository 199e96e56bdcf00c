"""What pyproject.toml cannot say: the cases of the rules go into the package, and the README as an index shows it.

`WARCABINET_HOME` names the page of the project when a release is built (https://github.com/owner/name): links and
pictures of the README then lead there, to the files of that release, and the package links to it.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
CASES = ROOT / "tests" / "cases"
PICTURE = r"!\[[^\]]*\]\((?P<file>[^)]+)\)|<img\s[^>]*?src=\"(?P<source>[^\"]+)\"[^>]*>"
LINK = r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)]+)\)"


def put_cases(into: Path) -> None:
    """Beside the rulebook's clauses the cases that show them."""
    folder = into / "warcabinet" / "rulebook" / "cases"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CASES, folder, ignore=shutil.ignore_patterns("__pycache__"))


def description(text: str, home: str, version: str) -> str:
    """The README away from its files: links and pictures are absolute; without a home the words of links stay alone."""
    if not home:
        return re.sub(LINK, r"\1", re.sub(PICTURE, "", text))

    def shown(found: re.Match[str]) -> str:
        file = found["file"] or found["source"]
        return found[0].replace(file, f"{home}/raw/v{version}/{file}")

    return re.sub(LINK, rf"[\1]({home}/blob/v{version}/\2)", re.sub(PICTURE, shown, text))


class BuildWithCases(build_py):
    """All that the package has, and the cases; a checkout that is installed as it stands has them already."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            put_cases(Path(self.build_lib))


if __name__ == "__main__":
    home = os.environ.get("WARCABINET_HOME", "").rstrip("/")
    (version,) = re.findall(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    pages = {
        "Homepage": "",
        "Documentation": "/tree/main/docs",
        "Changes": "/blob/main/CHANGELOG.md",
        "Issues": "/issues",
    }
    setup(
        cmdclass={"build_py": BuildWithCases},
        long_description=description((ROOT / "README.md").read_text(encoding="utf-8"), home, version),
        long_description_content_type="text/markdown",
        project_urls={name: home + page for name, page in pages.items()} if home else {},
    )
