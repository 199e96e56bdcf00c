"""Names become keys when a command is read: rules ask the boards for a place at import alone, for their constants."""

import ast
from pathlib import Path

import warcabinet.rules

#: A referee's ruling may name the city of an industrial center.
RULED = {("industrial_centers.py", "_ic_place")}


def parsed(source: Path):
    """The functions of a module in which a place is looked up by its name."""
    for function in ast.walk(ast.parse(source.read_text())):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            called = (it.func for it in ast.walk(function) if isinstance(it, ast.Call))
            if any(isinstance(it, ast.Name) and it.id in ("place_key", "place_keys") for it in called):
                yield source.name, getattr(function, "name", "lambda")


def test_no_rule_looks_up_a_place_by_its_name():
    modules = Path(warcabinet.rules.__file__).parent.rglob("*.py")
    assert {found for module in modules for found in parsed(module)} == RULED
