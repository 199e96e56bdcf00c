"""How the package is laid out: what stands at its top, what modules take from each other, which way they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
PACKAGE = SOURCE / "warcabinet"
#: Modules that name each other in their types only: the registry of rules holds limits and effects, which are rules.
TOGETHER = frozenset(f"warcabinet.kernel.{it}" for it in ("rules", "limits", "effects"))


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in PACKAGE.rglob("*.py")}


def _imports(text: str) -> Iterator[tuple[str, str]]:
    """Each module that a source imports from, and the name that it takes; imports within functions as well."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((node.module, it.name) for it in node.names)
        elif isinstance(node, ast.Import):
            yield from ((it.name, "") for it in node.names)


def _private(text: str) -> list[str]:
    taken = (name for module, name in _imports(text) if module.partition(".")[0] == "warcabinet")
    return [name for name in taken if name.startswith("_") and not name.endswith("__")]


def _neighbours() -> dict[str, set[str]]:
    """Which modules of the package each module imports, whether at once, later, or for its types."""
    found: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        taken = ((f"{of}.{name}", of) for of, name in _imports(path.read_text(encoding="utf-8")))
        found[module] = {next((it for it in pair if it in MODULES), "") for pair in taken} - {"", module}
    return found


def _around(module: str, neighbours: dict[str, set[str]]) -> set[str]:
    """What a module comes to by its imports, and theirs."""
    reached, left = set[str](), [module]
    while left:
        for it in neighbours[left.pop()] - reached:
            reached.add(it)
            left.append(it)
    return reached


def test_only_packages_stand_at_the_top():
    assert sorted(path.name for path in PACKAGE.glob("*.py")) == ["__init__.py", "__main__.py"]
    packages = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
    assert len(packages) <= 14, packages


def test_only_packages_stand_in_the_server():
    assert [path.name for path in (PACKAGE / "web").glob("*.py")] == ["__init__.py"]


def test_private_names_stay_in_their_module():
    taken = {module: _private(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}
    assert {module: names for module, names in taken.items() if names} == {}


def test_a_private_name_that_is_taken_is_found():
    assert _private("def late():\n    from warcabinet.kernel.rules import RULES, _InOrder") == ["_InOrder"]


def test_no_module_comes_back_to_itself():
    neighbours = _neighbours()
    circles = {module for module in MODULES if module in _around(module, neighbours)}
    assert circles - TOGETHER == set()
