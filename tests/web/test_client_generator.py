"""A public generator makes a client from the description: every endpoint is in it, and a type for every answer."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from openapi_python_client import MetaType, generate
from openapi_python_client.config import Config, ConfigFile

from warcabinet.web.api.api_books import XLSX
from warcabinet.web.server import app as _app  # importing it registers every endpoint
from warcabinet.web.server.openapi import description
from warcabinet.web.table.endpoints import ENDPOINTS

NAME = "generated_warcabinet_client"
EVENTS = ("table", "events")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The client, made without a warning and without the net."""
    import msgspec

    folder = tmp_path_factory.mktemp("client")
    source = folder / "openapi.json"
    source.write_bytes(msgspec.json.encode(description()))
    # Formatting what is thrown away again is left out; of pictures the generator knows only that they are bytes.
    pictures = dict.fromkeys(("image/svg+xml", XLSX), "application/octet-stream")
    settings = ConfigFile(
        project_name_override="client", package_name_override=NAME, post_hooks=[], content_type_overrides=pictures
    )
    config = Config.from_sources(settings, MetaType.NONE, source, "utf-8", overwrite=False, output_path=folder / NAME)
    assert [str(error) for error in generate(config=config)] == []
    sys.path.insert(0, str(folder))
    yield folder / NAME
    sys.path.remove(str(folder))
    for module in [it for it in sys.modules if it.split(".")[0] == NAME]:
        del sys.modules[module]


def operations() -> set[tuple[str, str]]:
    """Tag and name of every operation that the server's routes offer."""
    assert _app is not None
    return {(it.tag, it.handler.__name__) for it in ENDPOINTS} | {EVENTS}


def test_the_generated_client_has_every_endpoint(generated: Path) -> None:
    found = {(it.parent.name, it.stem) for it in generated.glob("api/*/*.py") if it.stem != "__init__"}
    assert found == operations()


@pytest.mark.parametrize("operation", sorted(operations()), ids=".".join)
def test_every_answer_has_a_type(generated: Path, operation: tuple[str, str]) -> None:
    module = importlib.import_module(f"{NAME}.api.{operation[0]}.{operation[1]}")
    returned = str(get_type_hints(module.sync)["return"])
    answers = returned.replace("typing.", "").split(" | ")
    assert "ProblemAnswer" in returned
    assert not [it for it in answers if it in ("Any", "object")], returned
    assert len([it for it in answers if "ProblemAnswer" not in it and it != "None"]) >= 1, returned
    assert inspect.iscoroutinefunction(module.asyncio)


def test_no_array_leaves_open_what_is_in_it() -> None:
    def arrays(schema: Any) -> Iterator[Any]:
        if isinstance(schema, dict):
            if schema.get("type") == "array":
                yield schema
            for value in schema.values():
                yield from arrays(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from arrays(value)

    found = list(arrays(description()))
    assert found
    assert all("items" in it and "prefixItems" not in it for it in found)


def test_a_game_is_played_with_the_generated_client(generated: Path, solo: Any) -> None:
    """The types fit what the server answers: a view, a form, an order."""
    client_class = importlib.import_module(f"{NAME}.client").Client
    models = importlib.import_module(f"{NAME}.models")
    client = client_class(base_url="http://testserver").set_httpx_client(solo.client)

    def call(tag: str, name: str, **given: Any) -> Any:
        return importlib.import_module(f"{NAME}.api.{tag}.{name}").sync(client=client, **given)

    view = call("table", "view", table=solo.table)
    assert isinstance(view, models.TableView)
    assert view.position.clock.turn_name == "Fall 1939"
    form = call("table", "narrow", table=solo.table, body=models.Narrow.from_dict({"command": "spend"}))
    assert isinstance(form, models.OrderForm)
    spend = models.Spend.from_dict({"do": "spend", "power": "germany", "brp": 9, "on": "other"})
    done = call("table", "do", table=solo.table, body=spend, since=view.mark)
    assert isinstance(done, models.Done)
    assert done.update.changes.powers[0].power == "germany"
    refused = call("table", "do", table=solo.table, body=models.Spend.from_dict({**spend.to_dict(), "brp": 900}))
    assert isinstance(refused, models.ProblemAnswer)
    assert refused.refused.refusals[0].clause
