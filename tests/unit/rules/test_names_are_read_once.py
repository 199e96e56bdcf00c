"""Names become keys when a command is read: rules ask the boards for a place at import alone, for their constants."""

import ast
from pathlib import Path

import pytest

import warcabinet.rules
from warcabinet.model.happenings import Deed, deed_of, kept_as
from warcabinet.model.state import Happening

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


def test_no_rule_parses_a_unit():
    modules = Path(warcabinet.rules.__file__).parent.rglob("*.py")
    assert not [module.name for module in modules if "parse_unit" in module.read_text()]


#: How many parameters, fields and results of rules are still plain text where a name is meant. They may only fall.
PLAIN = {"power": 320, "country": 282, "nation": 193, "unit": 0}


def test_names_have_types_of_their_own():
    found = dict.fromkeys(PLAIN, 0)
    for module in Path(warcabinet.rules.__file__).parent.rglob("*.py"):
        for it in ast.walk(ast.parse(module.read_text())):
            name = it.arg if isinstance(it, ast.arg) else it.target.id if _is_field(it) else ""
            if name in found and it.annotation is not None and ast.unparse(it.annotation) == "str":
                found[name] += 1
    assert {name: count for name, count in found.items() if count > PLAIN[name]} == {}


def _is_field(it: ast.AST) -> bool:
    return isinstance(it, ast.AnnAssign) and isinstance(it.target, ast.Name)


#: What keeps a happening or asks for one by its kind and key.
KEEPING = ("Happening", "happened", "happened_to", "total")


def test_no_rule_writes_what_a_happening_is_kept_as():
    """Kinds and keys of happenings that have parts are written and read by the fields of deeds."""
    for module in Path(warcabinet.rules.__file__).parent.rglob("*.py"):
        for it in ast.walk(ast.parse(module.read_text())):
            if isinstance(it, ast.Call) and getattr(it.func, "id", "") in KEEPING:
                assert not any(isinstance(part, ast.JoinedStr) for part in ast.walk(it)), f"{module.name}:{it.lineno}"


@pytest.mark.parametrize("of", Deed.__subclasses__())
def test_a_deed_is_read_as_it_was_kept(of):
    deed = of(*("box/urals" if it in ("place", "origin", "to") else f"some_{it}" for it in of.__struct_fields__))
    kept = Happening(0, *kept_as(deed))
    assert deed_of(of, kept) == deed
    assert deed_of(of, Happening(0, "spent", "usa")) is None or "{" in of.KEPT[0]
