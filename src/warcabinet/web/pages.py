"""The HTML pages: the hall, an invitation, the table. The table's page is filled by the API like any program's."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from warcabinet.figures.position import scenarios
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.names import powers
from warcabinet.web.endpoints import House
from warcabinet.web.errors import Problem, not_found
from warcabinet.web.gate import sitter_at, visitor
from warcabinet.web.reference import marks
from warcabinet.web.starting import option_fields

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(TEMPLATES)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)


def render(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    base = str(request.scope.get("root_path", ""))
    return HTMLResponse(_templates().get_template(template).render(base=base, **values), status)


def problem_page(request: Request, problem: Problem) -> Response:
    return render(request, "problem.html", problem.status, text=problem.text)


def routes(house: House) -> list[Route]:
    pages: dict[str, Callable[[House, Request], Response]] = {
        "/": _hall,
        "/join/{invitation}": _invitation,
        "/device/{secret}": _device,
        "/tables/{table}": _table,
        "/setup": _setup,
    }
    return [Route(path, _in_thread(house, page), methods=["GET"]) for path, page in pages.items()]


def _in_thread(house: House, page: Callable[[House, Request], Response]) -> Callable[[Request], Any]:
    def shown(request: Request) -> Response:
        try:
            return page(house, request)
        except WarCabinetError as error:
            raise Problem(503, str(error)) from None

    async def serve(request: Request) -> Response:
        return await run_in_threadpool(shown, request)

    return serve


def _hall(house: House, request: Request) -> Response:
    who = visitor(house, request)
    there = house.hall.tables_of(who.person.id) if who.person else []
    mine = [row for row in there if not row.ends or row.host == (who.person.id if who.person else "")]
    playable = [s for s in scenarios().values() if s.name != "empty"]
    return render(
        request,
        "hall.html",
        name=who.person.name if who.person else "",
        tables=mine,
        scenarios=playable,
        powers=list(powers().values()),
        options=option_fields(),
    )


def _invitation(house: House, request: Request) -> Response:
    row, seat = house.hall.invitation(request.path_params["invitation"])
    who = visitor(house, request)
    held = [powers()[power] for power in seat.powers]
    name = who.person.name if who.person else ""
    secret = request.path_params["invitation"]
    return render(request, "join.html", table=row, seat=seat, held=held, name=name, invitation=secret)


def _device(house: House, request: Request) -> Response:
    person = house.hall.person(request.path_params["secret"])
    if person is None:
        raise not_found("such link: it was withdrawn")
    return render(request, "device.html", name=person.name, secret=request.path_params["secret"])


def _setup(house: House, request: Request) -> Response:
    """The set-up editor; `?table=` names a table whose position is laid out."""
    who = visitor(house, request)
    name = who.person.name if who.person else ""
    return render(
        request, "setup.html", marks=json.dumps(marks()), name=name, table=request.query_params.get("table", "")
    )


def _table(house: House, request: Request) -> Response:
    id = request.path_params["table"]
    who = visitor(house, request)
    if who.person is None:
        return RedirectResponse(str(request.scope.get("root_path", "")) + "/")
    sitter = sitter_at(house, who, id)
    held = json.dumps(marks())
    return render(request, "table.html", table=sitter.table, powers=list(powers().values()), marks=held)
