"""What `dev.py mutate` changes, and what it leaves alone."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[3] / "tools" / "mutate"
sys.path.insert(0, str(TOOL))

from sites import Site, all_sites, mutated, sites_of  # noqa: E402
from trial import Ground  # noqa: E402

NAMES = [["germany", "italy"], ["39.11", "39.12"]]
MODULE = '''"""About one thing, germany."""

NO_DEFICITS = ("italy",)


@limit("39.11", "germany may not", on=Spend, when=lambda s, cmd: cmd.power == "germany", reads=("power",))
def within(s, cmd):
    """At most 5."""
    note("told", "39.11", 5)
    if cmd.brp > 5 and not s.free:
        return f"more than {5}"
    p.do(Happened("germany"))
    return max(0, level(s) - 1)
'''


@pytest.fixture
def found(tmp_path: Path) -> list[Site]:
    file = tmp_path / "module.py"
    file.write_text(MODULE)
    return sites_of(file, "module", NAMES)


def test_one_small_change_of_every_kind(found: list[Site]) -> None:
    changes = {(it.line, it.kind, it.before, it.after) for it in found}
    assert (3, "name", "'italy'", "'germany'") in changes
    assert (6, "name", "'39.11'", "'39.12'") in changes
    assert (6, "comparison", "cmd.power == 'germany'", "cmd.power != 'germany'") in changes
    assert (6, "dropped when", "when=lambda s, cmd: cmd.power == 'germany'", "no condition") in changes
    assert (10, "comparison", "cmd.brp > 5", "cmd.brp >= 5") in changes
    assert (10, "number", "5", "6") in changes
    assert (10, "number", "5", "4") in changes
    assert (10, "and/or", "cmd.brp > 5 and (not s.free)", "cmd.brp > 5 or not s.free") in changes
    assert (10, "negation", "not s.free", "s.free") in changes
    assert (12, "removed call", "p.do(Happened('germany'))", "nothing") in changes
    assert (13, "call", "max(0, level(s) - 1)", "min(0, level(s) - 1)") in changes
    assert (13, "result", "return max(0, level(s) - 1)", "return None") in changes


def test_what_only_explains_is_left_alone(found: list[Site]) -> None:
    assert not {it.line for it in found} & {1, 8, 9, 11}
    assert not any("may not" in it.before and it.kind == "name" for it in found)


def test_a_change_keeps_every_line_and_touches_nothing_else(found: list[Site]) -> None:
    plain = ast.unparse(ast.parse(MODULE)).splitlines()
    for site in found:
        tree = mutated(site, NAMES)
        differ = [one for one, other in zip(plain, ast.unparse(tree).splitlines(), strict=False) if one != other]
        assert differ, site
        assert {it.lineno for it in tree.body} == {1, 3, 7}
    assert found[0].file.read_text() == MODULE


def test_only_the_cases_that_run_a_line_are_asked_first(found: list[Site]) -> None:
    lines = {str(found[0].file): {6: [2], 10: [0, 3], 12: [1]}}
    ground = Ground([], ["a", "b", "c", "d", "e"], [], lines)
    inner = next(it for it in found if it.line == 10)
    assert sorted(ground.noticing(inner)) == [0, 3]
    table = next(it for it in found if it.line == 3)
    assert table.at_import
    assert ground.noticing(table) == []
    assert sorted(ground.others(table, [])) == [0, 1, 2, 3, 4]
    assert ground.others(table, [])[-1] == 4


def test_what_is_remembered_shows_in_cases_that_do_not_run_it(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "@lasting\ndef once():\n    return 5\n\n\ndef often():\n    return 5\n\n\n"
        "@cache\ndef around():\n    def inside():\n        return 5\n\n    return inside() or (lambda: 6)\n"
    )
    at_import = {it.line: it.at_import for it in sites_of(file, "module", NAMES) if it.kind == "number"}
    assert at_import == {3: True, 7: False, 13: True, 15: True}


def test_what_tells_a_page_is_no_rule(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        '@tells_of("germany")\ndef told(s):\n    return shown(s), asked(s), 5\n\n\ndef shown(s):\n    return 6\n\n\n'
        'def asked(s):\n    return 7\n\n\n@value("39.11", "asks")\ndef rule(s):\n    return asked(s)\n'
    )
    assert {it.before for it in all_sites(tmp_path, "package", NAMES) if it.kind == "number"} == {"7"}
