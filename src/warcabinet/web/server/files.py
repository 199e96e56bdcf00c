"""The files of the pages: put together from what lies in `static`, compressed once, named by their content.

A page asks for few files, and each by an address that carries its hash, so a browser keeps it for good. The modules of
a page become one script, each in a function of its own; what a module imports by `import()` comes in a second script,
when it is first wanted. Everything is made at the first request and again where a source has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from warcabinet.web.plumbing.problems import not_found
from warcabinet.web.server.keeping import kept_response
from warcabinet.web.table.endpoints import Kept, keep_text

STATIC = Path(__file__).parents[1] / "static"

#: What each style sheet is made of.
STYLES = {
    "page": ("tokens", "base"),
    "board": ("table", "panels", "board", "sheets"),
    "table": ("year-start", "battle", "moment", "walk", "garrisons", "aid", "story", "plans", "phone"),
    "setup": ("setup",),
    "hall": ("hall",),
    "books": ("books",),
    "print": ("print",),
    "rules": ("rules",),
}
#: The module with which each script begins.
SCRIPTS = {
    "table": "main.js",
    "setup": "setup/main.js",
    **{name: f"{name}.js" for name in ("hall", "books", "you", "pages", "rules", "hall-theme")},
}
#: What is sent as it lies there.
PLAIN = ("theme.js", "icon.svg", "worker.js")
MEDIA = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"([^"]+)";\n', re.MULTILINE)
_LATER = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|const|class) ([\w$]+))", re.MULTILINE)
#: What a vendored module gives, in one list: `export{a as Component,b as render};`.
_LIST = re.compile(r"\bexport\s*\{([^}]*)\};?")
#: What a vendored module gives without a name: imported as `{ default as htm }`.
_UNNAMED = re.compile(r"\bexport default ")
#: Remarks that have lines of their own.
_REMARK = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n|//# sourceMappingURL=.*", re.MULTILINE)


class Module:
    """A module of the page's code: what it takes from others, what it gives, and its text without either."""

    def __init__(self, name: str) -> None:
        self.name = name
        text = (STATIC / name).read_text(encoding="utf-8")
        self.takes = [(self._beside(it[2]), it[1] or "") for it in _IMPORT.finditer(text)]
        self.later = [self._beside(it[1]) for it in _LATER.finditer(text)]
        self.gives = {it[1]: it[1] for it in _EXPORT.finditer(text)}
        for listed in _LIST.finditer(text):
            pairs = [it.split(" as ") for it in listed[1].split(",")]
            self.gives |= {pair[-1].strip(): pair[0].strip() for pair in pairs}
        if _UNNAMED.search(text):
            self.gives["default"] = "unnamed"
        text = _UNNAMED.sub("const unnamed = ", _LIST.sub("", _EXPORT.sub("", _IMPORT.sub("", text))))
        self.text = _LATER.sub(lambda it: f'cabinet.later("{self._beside(it[1])}")', _REMARK.sub("", text))
        if left := re.search(r"^(?:import|export)\b.*", self.text, re.MULTILINE):
            raise ValueError(f"{name}: {left[0]!r} is no import or export of names")

    def _beside(self, path: str) -> str:
        return Path(os.path.normpath(Path(self.name).parent / path)).as_posix()


class Code:
    """Modules that are put together in the order in which they need each other."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}

    def module(self, name: str) -> Module:
        if name not in self.modules:
            self.modules[name] = Module(name)
        return self.modules[name]

    def order(self, name: str, seen: dict[str, None]) -> dict[str, None]:
        """All that a module needs, itself last; what stands in a circle keeps the order in which it was met."""
        met = {name, *seen}

        def visit(one: str) -> None:
            for other, _ in self.module(one).takes:
                if other not in met:
                    met.add(other)
                    visit(other)
            seen[one] = None

        if name not in seen:
            visit(name)
        return seen

    def written(self, name: str, there: set[str]) -> str:
        """A module as a function of its own, which leaves what it gives in `modules`."""
        module = self.module(name)
        taken = "".join(self._taken(name, other, names, there) for other, names in module.takes)
        gives = ", ".join(name if name == own else f"{name}: {own}" for name, own in module.gives.items())
        given = f"cabinet.give({module.name!r}, {{ {gives} }});\n"
        return f"// {name}\n(() => {{\n{taken}{module.text}\n{given}}})();\n"

    def _taken(self, name: str, other: str, names: str, there: set[str]) -> str:
        """What is taken from another module: at once, or as soon as it is there where the two need each other."""
        pairs = [tuple(part.split(" as ")) for it in names.split(",") if (part := it.strip())]
        for given, *_ in pairs:
            if given not in self.module(other).gives:
                raise ValueError(f"{name}: {other} does not export {given}")
        taken = f"{{ {', '.join(': '.join(pair) for pair in pairs)} }}"
        if not pairs:
            return ""
        if other in there:
            return f"const {taken} = cabinet.modules[{other!r}];\n"
        known = ", ".join(pair[-1] for pair in pairs)
        return f"let {known};\ncabinet.waiting.push([{other!r}, (it) => ({taken} = it)]);\n"

    def together(self, order: list[str], there: set[str]) -> str:
        parts = []
        for name in order:
            parts.append(self.written(name, there))
            there.add(name)
        return "".join(parts)


class Files:
    """Every file that pages ask for, by its name with its hash."""

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}
        self.names: dict[str, str] = {}
        for name in PLAIN:
            self._keep(name, (STATIC / name).read_text(encoding="utf-8"))
        for name, parts in STYLES.items():
            self._keep(f"{name}.css", "".join((STATIC / f"{it}.css").read_text(encoding="utf-8") for it in parts))
        code = Code()
        for name, first in SCRIPTS.items():
            self._script(code, name, first)

    def _script(self, code: Code, name: str, first: str) -> None:
        """The script of a page, and where it imports anything later a second one."""
        now = list(code.order(first, {}))
        wanted = {it for one in now for it in code.module(one).later}
        all_of_it = dict.fromkeys(now)
        for it in sorted(wanted):
            code.order(it, all_of_it)
        rest = list(all_of_it)[len(now) :]
        there: set[str] = set()
        text = _HEAD + code.together(now, there)
        if rest:
            more = self._keep(f"{name}-more.js", code.together(rest, there))
            text = text.replace("MORE", f"./{more}", 1)
        self._keep(f"{name}.js", text)

    def _keep(self, name: str, text: str) -> str:
        stem, _, ending = name.rpartition(".")
        content = text.encode()
        marked = f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
        self.kept[marked] = keep_text(content, MEDIA[ending])
        self.names[name] = marked
        return marked


#: Modules by name, who waits for which, and how the second script is fetched, once.
_HEAD = """globalThis.cabinet = {
modules: {},
waiting: [],
give(name, given) {
this.modules[name] = given;
for (const [wanted, take] of this.waiting) if (wanted === name) take(given);
},
async later(name) {
await (this.more ??= import("MORE"));
return this.modules[name];
},
};
"""
_MADE: dict[tuple[int, ...], Files] = {}


def files() -> Files:
    """All files, made anew where a source changed."""
    stamp = tuple(
        it.stat().st_mtime_ns for folder in ("", "map", "setup") for it in sorted((STATIC / folder).iterdir())
    )
    if stamp not in _MADE:
        made = Files()
        _MADE.clear()
        _MADE[stamp] = made
    return _MADE[stamp]


def address(base: str, name: str) -> str:
    """Where a page finds a file: `page.css`, `table.js`."""
    return f"{base}/static/{files().names[name]}"


def plain(name: str) -> Kept:
    """A file of the pages by its own name, without its hash."""
    made = files()
    return made.kept[made.names[name]]


def serve(request: Request) -> Response:
    kept = files().kept.get(request.path_params["name"])
    if kept is None:
        raise not_found("such file")
    return kept_response(request, kept, forever=True)
