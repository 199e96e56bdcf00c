"""The OpenAPI description, generated from the endpoints and the command types, so that a program can hold a seat."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from warcabinet import __version__
from warcabinet.web.orders.refusal_lines import RefusedOrder
from warcabinet.web.table.endpoints import ENDPOINTS, Endpoint

API = "/api/v1"
_REF = "#/components/schemas/{name}"


class ProblemAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wrong, for people; of an order that the rules forbid every reason with its clause."""

    error: str
    refused: RefusedOrder | None = None
    #: Something happened meanwhile: where the game is now.
    head: int | None = None
    seq: int | None = None
    #: The rules contradict each other: the referee must rule first.
    question: bool = False
    #: The table is played by the rules of another release: its people must agree to these first.
    rules: bool = False


@cache
def description() -> dict[str, Any]:
    """The whole description. New commands and endpoints are in it without another line."""
    bodies = [it.body for it in ENDPOINTS if it.body is not None]
    answers = [it.answer for it in ENDPOINTS]
    schemas, components = msgspec.json.schema_components([*bodies, *answers, ProblemAnswer], ref_template=_REF)
    by_body = dict(zip([id(it) for it in ENDPOINTS if it.body is not None], schemas, strict=False))
    by_answer = dict(zip([id(it) for it in ENDPOINTS], schemas[len(bodies) :], strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for it in ENDPOINTS:
        made = _operation(it, by_body.get(id(it)), by_answer[id(it)])
        paths.setdefault(API + it.path, {})[it.method.lower()] = made
    paths.setdefault(API + "/tables/{table}/events", {})["get"] = _events()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "War Cabinet",
            "version": __version__,
            "description": "Play a seat of A World at War. Send a seat's token as `Authorization: Bearer`; "
            "every command is judged by the rules, and a refusal names every clause.",
        },
        "paths": _told(paths),
        "components": {
            "schemas": _told(components),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "warcabinet"},
            },
        },
    }


def _told(schema: Any) -> Any:
    """A schema that says of every array what is in it: anything, where the type leaves it open."""
    if isinstance(schema, list):
        return [_told(it) for it in schema]
    if not isinstance(schema, dict):
        return schema
    told = {key: _told(value) for key, value in schema.items()}
    if "prefixItems" in told:
        # A list with a place for each thing: generators of clients know only what may be in all of them.
        places = told.pop("prefixItems")
        kinds = [it for n, it in enumerate(places) if it not in places[:n]]
        told["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if told.get("type") == "array" and "items" not in told:
        told["items"] = {}
    return told


_PROBLEMS = {
    "400": "malformed",
    "401": "nobody is signed in",
    "403": "not yours to do",
    "404": "no such thing, or not for you",
    "409": "something happened meanwhile",
    "413": "too large",
    "422": "the rules forbid it",
    "429": "too many requests",
}


def _problem(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemAnswer"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _operation(it: Endpoint, body: Any, answer: Any) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": it.handler.__name__,
        "summary": it.summary,
        "tags": [it.tag],
        "parameters": [*_path_parameters(it.path), *_query_parameters(it.query)],
        "responses": {
            str(it.status): {"description": "done", "content": {it.media.partition(";")[0]: {"schema": answer}}},
            **{k: _problem(v) for k, v in _PROBLEMS.items()},
        },
    }
    if it.who != "anybody":
        operation["security"] = [{"token": []}, {"cookie": []}]
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameters(query: Any) -> list[dict[str, Any]]:
    if query is None:
        return []
    (_,), components = msgspec.json.schema_components([query], ref_template=_REF)
    schema = components[query.__name__]
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _plain(about)}
        for name, about in schema.get("properties", {}).items()
    ]


def _plain(about: dict[str, Any]) -> dict[str, Any]:
    """An optional parameter is left out; it is never sent as null."""
    if "anyOf" in about:
        return next(dict(option) for option in about["anyOf"] if option.get("type") != "null")
    return about


def _events() -> dict[str, Any]:
    return {
        "operationId": "events",
        "summary": "Server-sent events: move, talk, seats, resync",
        "tags": ["table"],
        "parameters": _path_parameters("/tables/{table}/events"),
        "security": [{"token": []}, {"cookie": []}],
        "responses": {
            "200": {"description": "a stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
            **{k: _problem(v) for k, v in _PROBLEMS.items()},
        },
    }
