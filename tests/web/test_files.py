"""The files of the pages: few, named by their content, compressed once, kept for good."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from warcabinet.web.server import files

PAGES = ("/", "/setup", "/rules", "/rules/35.31", "/nothing-here")


def asked(page: str) -> list[str]:
    return re.findall(r'(?:href|src)="(/static/[^"]+)"', page)


@pytest.mark.parametrize("path", PAGES)
def test_every_file_of_a_page_is_kept_for_good(solo: Any, path: str) -> None:
    page = solo.client.get(path, headers={"accept": "text/html"}).text
    addresses = asked(page)
    assert len(addresses) >= 4
    client = TestClient(solo.client.app)
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        ending = address.rpartition(".")[2]
        assert answer.headers["content-type"].startswith(files.MEDIA[ending])
        bare = client.get(address, headers={"accept-encoding": "identity"})
        assert bare.text == answer.text
        assert client.get(address, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_a_file_of_another_version_and_a_source_are_not_there(solo: Any) -> None:
    address = next(it for it in asked(solo.client.get("/").text) if it.endswith(".css"))
    other = re.sub(r"-[0-9a-f]{16}", "-0123456789abcdef", address)
    for path in (other, "/static/dom.js", "/static/map/map.js", "/static/..%2fapp.py", "/static/"):
        assert solo.client.get(path).status_code == 404


def test_a_script_that_changes_has_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, "one.js", "export const a = 1;\n")
    names = []
    for text in ("2", "3", "2"):
        module(tmp_path, "main.js", f'import {{ a }} from "./one.js";\nconsole.log(a + {text});\n')
        names.append(made(tmp_path, monkeypatch).names["main.js"])
    assert names[0] == names[2] != names[1]


def module(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> files.Files:
    monkeypatch.setattr(files, "STATIC", folder)
    monkeypatch.setattr(files, "PLAIN", ())
    monkeypatch.setattr(files, "STYLES", {})
    monkeypatch.setattr(files, "SCRIPTS", {"main": "main.js"})
    return files.Files()


def script(made: files.Files, name: str) -> str:
    return made.kept[made.names[name]].content.decode()


def test_modules_stand_in_the_order_in_which_they_need_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module(tmp_path, "main.js", 'import { a as b } from "./one.js";\nimport "./two.js";\nb();\n')
    module(tmp_path, "one.js", 'import { t } from "./two.js";\nexport function a() { return t; }\n')
    module(tmp_path, "two.js", 'import { a } from "./one.js";\n// A remark.\nexport const t = () => a;\n')
    text = script(made(tmp_path, monkeypatch), "main.js")
    assert re.findall(r"^// (.*)$", text, re.MULTILINE) == ["two.js", "one.js", "main.js"]
    # Two that need each other: the first takes what it wants as soon as the second has it.
    assert "let a;\ncabinet.waiting.push(['one.js', (it) => ({ a } = it)]);" in text
    assert "const { a: b } = cabinet.modules['one.js'];" in text


def test_a_vendored_module_gives_what_its_list_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, "main.js", 'import { render } from "./small.js";\nrender();\n')
    module(tmp_path, "small.js", "var x=1;function b(){return x}export{x as Component,b as render,b};")
    text = script(made(tmp_path, monkeypatch), "main.js")
    assert "cabinet.give('small.js', { Component: x, render: b, b });" in text
    assert "export" not in text


def test_a_vendored_module_may_give_one_thing_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, "main.js", 'import { default as htm } from "./small.js";\nhtm();\n')
    module(tmp_path, "small.js", "var n=1;export default function(s){return n+s}\n")
    text = script(made(tmp_path, monkeypatch), "main.js")
    assert "const unnamed = function(s){return n+s}" in text
    assert "cabinet.give('small.js', { default: unnamed });" in text
    assert "const { default: htm } = cabinet.modules['small.js'];" in text


def test_what_is_imported_later_comes_in_a_script_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, "main.js", 'import { a } from "./one.js";\nconst more = () => import("./late.js");\n')
    module(tmp_path, "one.js", "export const a = 1;\n")
    module(tmp_path, "late.js", 'import { a } from "./one.js";\nexport const b = a;\n')
    both = made(tmp_path, monkeypatch)
    first, second = script(both, "main.js"), script(both, "main-more.js")
    assert f'import("./{both.names["main-more.js"]}")' in first
    assert 'cabinet.later("late.js")' in first
    assert "// one.js" in first
    assert "// one.js" not in second
    assert "// late.js" in second


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('import { b } from "./one.js";\n', "main.js: one.js does not export b"),
        ("export let c = 3;\n", "'export let c = 3;' is no import or export of names"),
        ('import * as all from "./one.js";\n', "is no import or export of names"),
    ],
)
def test_what_cannot_be_put_together_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    module(tmp_path, "one.js", "export const a = 1;\n")
    module(tmp_path, "main.js", text)
    with pytest.raises(ValueError, match=re.escape(told)):
        made(tmp_path, monkeypatch)
