"""The OpenAPI description, generated from the endpoints and the command types, so that a program can hold a seat."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from warcabinet.web.endpoints import ENDPOINTS, Endpoint, NoBody, NoQuery

API = "/api/v1"
_REF = "#/components/schemas/{name}"


@cache
def description() -> dict[str, Any]:
    """The whole description. New commands are in it without another line."""
    bodies = [it.body for it in ENDPOINTS if it.body is not NoBody]
    schemas, components = msgspec.json.schema_components(bodies, ref_template=_REF)
    by_endpoint = dict(zip([id(it) for it in ENDPOINTS if it.body is not NoBody], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for it in ENDPOINTS:
        paths.setdefault(API + it.path, {})[it.method.lower()] = _operation(it, by_endpoint.get(id(it)))
    paths.setdefault(API + "/tables/{table}/events", {})["get"] = _events()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "War Cabinet",
            "version": _version(),
            "description": "Play a seat of A World at War. Send a seat's token as `Authorization: Bearer`; "
            "every command is judged by the rules, and a refusal names every clause.",
        },
        "paths": paths,
        "components": {
            "schemas": {**components, "Problem": _PROBLEM},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "warcabinet"},
            },
        },
    }


def _version() -> str:
    try:
        return version("warcabinet")
    except PackageNotFoundError:
        return "0"


_PROBLEM = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "what was wrong, for people"},
        "refused": {"type": "object", "description": "an order that the rules forbid: every reason with its clause"},
    },
}
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
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _operation(it: Endpoint, body: Any) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": it.handler.__name__,
        "summary": it.summary,
        "tags": [it.tag],
        "parameters": [*_path_parameters(it.path), *_query_parameters(it.query)],
        "responses": {str(it.status): {"description": "done"}, **{k: _problem(v) for k, v in _PROBLEMS.items()}},
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
    if query is NoQuery:
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
            "200": {"description": "a stream", "content": {"text/event-stream": {}}},
            **{k: _problem(v) for k, v in _PROBLEMS.items()},
        },
    }
