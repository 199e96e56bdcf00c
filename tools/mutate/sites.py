"""Where the rules can be changed, and how: one small fault at a time, made in the syntax tree.

What only explains is left alone: docstrings, gists, notes, messages, annotations. A change keeps every line where it
was, so that what a case executed can be looked up by line.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
RULE_KINDS = ("value", "definition", "remembered", "limit", "opening", "order", "effect", "due")
# What makes rules of functions, and finds them, is no rule itself.
MACHINERY = ("kinds.py", "all.py")
# What registers a function that tells the lines of a country's page.
PAGE = "tells_of"
# Calls that only say something, and keywords whose text does.
TELLING = ("note", "WarCabinetError", "unknown")
TELLING_WORDS = ("text", "memo", "reason", "gist", "averted_by", "reads", "because", "order")


@dataclass(frozen=True)
class Site:
    """One possible change: where it is, what stands there and what would stand there instead."""

    module: str
    file: Path
    line: int
    last: int
    kind: str
    before: str
    after: str
    node: int
    variant: int
    # Lines whose execution shows it: its own, or those of the rule whose decorator it is in.
    seen_on: tuple[int, int]
    at_import: bool


@dataclass(frozen=True)
class _Change:
    kind: str
    before: str
    after: str
    make: Callable[[], None]


def all_sites(folder: Path, package: str, names: Sequence[Sequence[str]], users: Sequence[Path] = ()) -> list[Site]:
    """Every change that can be made in the modules under a folder, in their order.

    Functions that no rule comes to are left alone: they only lay something out for a page, or tell its lines. What
    the `users`, files beside the rules, call of them counts as well.
    """
    files = [file for file in sorted(folder.rglob("*.py")) if file.name not in MACHINERY]
    shown = only_shown(files, users)
    found: list[Site] = []
    for file in files:
        inside = file.relative_to(folder).with_suffix("").parts
        module = ".".join((package, *(part for part in inside if part != "__init__")))
        here = [lines for other, lines in shown if other == file]
        found += [it for it in sites_of(file, module, names) if not any(a <= it.line <= b for a, b in here)]
    return found


def only_shown(files: Sequence[Path], users: Sequence[Path] = ()) -> list[tuple[Path, tuple[int, int]]]:
    """The functions that nothing in the rules names, directly or by others: file, first and last line."""
    uses: dict[str, set[str]] = {}
    places: dict[str, list[tuple[Path, tuple[int, int]]]] = {}
    reached: set[str] = set()
    for file in files:
        for statement in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.FunctionDef) and all(map(_tells_a_page, statement.decorator_list)):
                uses.setdefault(statement.name, set()).update(_names(statement))
                lines = _lines(statement)
                places.setdefault(statement.name, []).append((file, lines))
            elif not isinstance(statement, ast.Import | ast.ImportFrom):
                reached |= _names(statement)
    for file in users:
        reached |= _names(ast.parse(file.read_text(encoding="utf-8")))
    new = reached & set(uses)
    while new:
        more = set().union(*(uses[name] for name in new)) & set(uses)
        new, reached = more - reached, reached | more
    return [place for name, there in places.items() if name not in reached for place in there]


def _tells_a_page(decorator: ast.expr) -> bool:
    return PAGE in _names(decorator)


def _lines(function: ast.FunctionDef) -> tuple[int, int]:
    """First and last line of a function, with what decorates it."""
    first = min([function.lineno, *(it.lineno for it in function.decorator_list)])
    return first, function.end_lineno or function.lineno


def _names(node: ast.AST) -> set[str]:
    found = {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}
    return found | {it.attr for it in ast.walk(node) if isinstance(it, ast.Attribute)}


def sites_of(file: Path, module: str, names: Sequence[Sequence[str]]) -> list[Site]:
    """Every change that can be made in one module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    others = next_names(names)
    return [
        Site(module, file, node.lineno, node.end_lineno or node.lineno, change.kind, change.before, change.after,
             index, variant, *_seen(node, owner))
        for index, (node, owner) in enumerate(_live(tree))
        for variant, change in enumerate(_changes(node, others))
    ]  # fmt: skip


def mutated(site: Site, names: Sequence[Sequence[str]]) -> ast.Module:
    """The module's tree with the one change made."""
    tree = ast.parse(site.file.read_text(encoding="utf-8"))
    node, _ = list(_live(tree))[site.node]
    list(_changes(node, next_names(names)))[site.variant].make()
    return ast.fix_missing_locations(tree)


def next_names(groups: Iterable[Sequence[str]]) -> Mapping[str, str]:
    """For each name the next one of its group: another power, another step, another clause."""
    found: dict[str, str] = {}
    for group in groups:
        for index, name in enumerate(group):
            if len(group) > 1:
                found.setdefault(name, group[(index + 1) % len(group)])
    return found


class _Owner:
    """The rule or function that a node belongs to, and whether it runs when that is called or when it is made.

    What is worked out once and for all, with all that is inside of it, runs in one case only and shows in all that ask
    for it later: as if it were made at import.
    """

    def __init__(self, lines: tuple[int, int] | None, called: bool, once: bool = False) -> None:
        self.lines, self.called, self.once = lines, called and not once, once


def _seen(node: ast.expr | ast.stmt, owner: _Owner) -> tuple[tuple[int, int], bool]:
    if owner.called or owner.lines is None:
        return (node.lineno, node.end_lineno or node.lineno), not owner.called
    return owner.lines, True


Node = ast.expr | ast.stmt
REMEMBERED = {"lasting", "cache", "lru_cache"}


def _live(tree: ast.Module) -> Iterator[tuple[Node, _Owner]]:
    """The nodes that do something, in order, each with what it belongs to."""
    for statement in tree.body:
        yield from _walk(statement, _Owner(None, called=False))


def _walk(node: ast.AST, owner: _Owner) -> Iterator[tuple[Node, _Owner]]:
    if _only_tells(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node, owner
    if isinstance(node, ast.FunctionDef):
        lines = _lines(node)
        for decorator in node.decorator_list:
            yield from _walk(decorator, _Owner(lines, called=False))
        once = owner.once or any(_names(decorator) & REMEMBERED for decorator in node.decorator_list)
        for inner in _without_docstring(node.body):
            yield from _walk(inner, _Owner(lines, called=True, once=once))
    elif isinstance(node, ast.ClassDef):
        for inner in _without_docstring(node.body):
            yield from _walk(inner, owner)
    elif isinstance(node, ast.Lambda):
        yield from _walk(node.body, _Owner(owner.lines, called=True, once=owner.once))
    elif isinstance(node, ast.Call):
        yield from _walk_call(node, owner)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield from _walk(node.value, owner)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _walk(child, owner)


def _walk_call(call: ast.Call, owner: _Owner) -> Iterator[tuple[Node, _Owner]]:
    yield from _walk(call.func, owner)
    given = call.args
    if _is_rule(call):
        given = [given[0], *given[2:]] if given else []  # the gist is told, the clause counts
    for argument in given:
        yield from _walk(argument, owner)
    for keyword in call.keywords:
        if keyword.arg not in TELLING_WORDS:
            yield from _walk(keyword.value, owner)


def _only_tells(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.Assert | ast.JoinedStr):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Expr):
        return _only_tells(node.value)
    # A remembered fact is noted too, but by its own method: that is play.
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TELLING


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return body[1:] if told else body


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_rule(call: ast.Call) -> bool:
    return _called(call) in RULE_KINDS and isinstance(call.func, ast.Name) and len(call.args) > 1


def _changes(node: Node, others: Mapping[str, str]) -> Iterator[_Change]:
    """What can be changed at this very node."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp) and not any(_is_text(it) for it in node.values):
        yield _joined(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in RECKONED and not _text(node):
        yield _reckoned(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _denied(node)
    elif isinstance(node, ast.Constant):
        yield from _constant(node, others)
    elif isinstance(node, ast.If) and all(_only_tells(it) for it in node.body) and not node.orelse:
        return  # whether something is told
    elif isinstance(node, ast.If | ast.IfExp):
        yield _negated(node)
    elif isinstance(node, ast.Return):
        yield from _returned(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield _removed(node)
    elif isinstance(node, ast.Call):
        yield from _call(node)


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 110 else text[:107] + "..."


def _compared(node: ast.Compare) -> Iterator[_Change]:
    for index, operator in enumerate(node.ops):
        other = COMPARED[type(operator)]()
        changed = copy.copy(node)
        changed.ops = [*node.ops[:index], other, *node.ops[index + 1 :]]

        def make(ops: list[ast.cmpop] = changed.ops) -> None:
            node.ops = ops

        yield _Change("comparison", _shown(node), _shown(changed), make)


def _joined(node: ast.BoolOp) -> _Change:
    other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    changed = ast.BoolOp(other, node.values)
    return _Change("and/or", _shown(node), _shown(changed), lambda: setattr(node, "op", other))


def _text(node: ast.BinOp) -> bool:
    """Text put together, which only tells."""
    return _is_text(node.left) or _is_text(node.right)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _reckoned(node: ast.BinOp) -> _Change:
    other = RECKONED[type(node.op)]()
    changed = ast.BinOp(node.left, other, node.right)
    return _Change("arithmetic", _shown(node), _shown(changed), lambda: setattr(node, "op", other))


def _denied(node: ast.UnaryOp) -> _Change:
    def make() -> None:
        node.operand = ast.UnaryOp(ast.Not(), node.operand)

    return _Change("negation", _shown(node), _shown(node.operand), make)


def _constant(node: ast.Constant, others: Mapping[str, str]) -> Iterator[_Change]:
    value = node.value
    if isinstance(value, bool):
        yield _as_constant(node, "yes/no", not value)
    elif isinstance(value, int):
        yield _as_constant(node, "number", value + 1)
        if value:  # what is counted is never below zero: -1 for 0 changes nothing as a rule
            yield _as_constant(node, "number", value - 1)
    elif isinstance(value, str) and value in others:
        yield _as_constant(node, "name", others[value])


def _as_constant(node: ast.Constant, kind: str, value: object) -> _Change:
    return _Change(kind, repr(node.value), repr(value), lambda: setattr(node, "value", value))


def _negated(node: ast.If | ast.IfExp) -> _Change:
    changed = ast.UnaryOp(ast.Not(), node.test)
    return _Change(
        "condition", f"if {_shown(node.test)}", f"if {_shown(changed)}", lambda: setattr(node, "test", changed)
    )


def _returned(node: ast.Return) -> Iterator[_Change]:
    if node.value is not None and not isinstance(node.value, ast.Constant | ast.JoinedStr):
        none = ast.Constant(None)
        yield _Change("result", _shown(node), "return None", lambda: setattr(node, "value", none))


def _removed(node: ast.Expr) -> _Change:
    before = _shown(node)
    return _Change("removed call", before, "nothing", lambda: setattr(node, "value", ast.Constant(None)))


def _call(node: ast.Call) -> Iterator[_Change]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        other = ast.Name(CALLED[node.func.id], ast.Load())
        changed = ast.Call(other, node.args, node.keywords)
        yield _Change("call", _shown(node), _shown(changed), lambda: setattr(node, "func", other))
    if _is_rule(node) and any(keyword.arg == "when" for keyword in node.keywords):
        (when,) = [keyword for keyword in node.keywords if keyword.arg == "when"]
        left = [keyword for keyword in node.keywords if keyword is not when]
        yield _Change(
            "dropped when", f"when={_shown(when.value)}", "no condition", lambda: setattr(node, "keywords", left)
        )
