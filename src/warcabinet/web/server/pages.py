"""The HTML pages: the hall, an invitation, the table. The table's page is filled by the API like any program's."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from warcabinet.board.maps import board
from warcabinet.board.palette import Theme
from warcabinet.figures.position import scenarios
from warcabinet.game.demo import Scene
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.names import powers
from warcabinet.views.chronicle.drawing import BOARDS, picture
from warcabinet.views.words import plurals
from warcabinet.web.api.api_notices import stop
from warcabinet.web.map.thumbnail import thumbnail
from warcabinet.web.plumbing.problems import Problem, not_found
from warcabinet.web.server.files import address, plain
from warcabinet.web.server.keeping import kept_response
from warcabinet.web.server.openapi import API
from warcabinet.web.server.rules_pages import rules_view
from warcabinet.web.sheets.aid_drawing import strip_map
from warcabinet.web.sheets.aid_strips import STRIPS
from warcabinet.web.sheets.books_sheet import books_sheet, power_page
from warcabinet.web.sheets.case_maps import case_map
from warcabinet.web.sheets.cited import CITED
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.sheets.year_sheet import year_sheet
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.table.gate import COOKIE, sitter_at, visitor
from warcabinet.web.table.reference import COMMANDS, marks
from warcabinet.web.table.starting import option_fields
from warcabinet.web.turns.confirming import stand_now
from warcabinet.web.turns.moments import moments_at
from warcabinet.web.turns.readiness import ready_at
from warcabinet.web.turns.replays import replay_of
from warcabinet.web.turns.undoing import outlook

#: So many scenes of a replay have a map of their own.
MOST_PICTURES = 24


def render(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    base = str(request.scope.get("root_path", ""))
    page = drawn(template, base=base, file=partial(address, base), **values)
    return HTMLResponse(page, status)


#: What a page is called that is not the one wanted, by its status.
PROBLEMS = {
    401: "Who are you?",
    403: "Not for this seat",
    404: "Not here",
    429: "Too much at once",
    500: "A mistake of ours",
    503: "Not just now",
    507: "No room left",
}


def problem_page(request: Request, problem: Problem) -> Response:
    title = PROBLEMS.get(problem.status, "That did not work")
    return render(request, "problem.html", problem.status, title=title, text=problem.text)


def routes(server: ServerParts) -> list[Route]:
    pages: dict[str, Callable[[ServerParts, Request], Response]] = {
        "/": _hall,
        "/join/{invitation}": _invitation,
        "/device/{secret}": _device,
        "/tables/{table}": _table,
        "/tables/{table}/books": _books,
        "/tables/{table}/print": _printed,
        "/tables/{table}/stamp.svg": _stamp,
        "/tables/{table}/picture.svg": _picture,
        "/replays/{table}/{secret}": _replay,
        "/worker.js": _worker,
        "/you": _you,
        "/notices/{what}/{secret}": _notice_link,
        "/setup": _setup,
        "/rules": _rules,
        "/rules/{clause}": _rules,
        "/cases/{case:path}.svg": _case_map,
    }
    shown = [Route(path, _in_thread(server, page), methods=["GET"]) for path, page in pages.items()]
    # A mail program stops e-mails by itself, at the address of the link.
    return [*shown, Route("/notices/stop/{secret}", _in_thread(server, _stopped), methods=["POST"])]


def _in_thread(server: ServerParts, page: Callable[[ServerParts, Request], Response]) -> Callable[[Request], Any]:
    def shown(request: Request) -> Response:
        try:
            return page(server, request)
        except WarCabinetError as error:
            raise Problem(503, str(error)) from None

    async def serve(request: Request) -> Response:
        return await run_in_threadpool(shown, request)

    return serve


def _hall(server: ServerParts, request: Request) -> Response:
    who = visitor(server, request)
    if who.person is not None:
        _used(server, request)
    playable = [s for s in scenarios().values() if s.name != "empty"]
    return render(
        request,
        "hall.html",
        name=who.person.name if who.person else "",
        here="hall",
        scenarios=playable,
        powers=list(powers().values()),
        options=option_fields(),
    )


def _invitation(server: ServerParts, request: Request) -> Response:
    row, seat = server.hall.invitation(request.path_params["invitation"])
    who = visitor(server, request)
    held = [powers()[power] for power in seat.powers]
    name = who.person.name if who.person else ""
    secret = request.path_params["invitation"]
    return render(request, "join.html", table=row, seat=seat, held=held, name=name, invitation=secret)


def _device(server: ServerParts, request: Request) -> Response:
    person, kind = server.hall.people.link(request.path_params["secret"])
    here = visitor(server, request).person
    other = here.name if here is not None and here.id != person.id else ""
    secret = request.path_params["secret"]
    return render(request, "device.html", name=person.name, kind=kind, other=other, secret=secret)


def _you(server: ServerParts, request: Request) -> Response:
    who = visitor(server, request)
    if who.person is None:
        return RedirectResponse(str(request.scope.get("root_path", "")) + "/")
    _used(server, request)
    return render(request, "you.html", name=who.person.name, here="you")


def _used(server: ServerParts, request: Request) -> None:
    """A page was opened with this browser: the list of devices says so."""
    server.hall.people.device_used(
        request.cookies.get(COOKIE, ""), browser_words(request.headers.get("user-agent", ""))
    )


_BROWSERS = (("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")),
    *(("Mac OS X", "Mac"), ("Linux", "Linux")),
)


def browser_words(agent: str) -> str:
    """What a browser is, in two words; what it says of itself is not kept."""
    kind = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return ", ".join(filter(None, (kind, system)))


NOTICE_LINKS = {
    "stop": ("No more e-mails", "You will not be told by e-mail any more when it is your turn.", "Stop the e-mails"),
    "confirm": ("E-mails to this address", "You will be told by e-mail when it is your turn.", "Yes, tell me"),
}


def _notice_link(server: ServerParts, request: Request) -> Response:
    """A link is opened by programs that look for dangers as well: only the button does something."""
    what = request.path_params["what"]
    if what not in NOTICE_LINKS:
        raise not_found("such page")
    title, text, press = NOTICE_LINKS[what]
    secret = request.path_params["secret"]
    return render(request, "notice.html", what=what, title=title, text=text, press=press, secret=secret)


def _stopped(server: ServerParts, request: Request) -> Response:
    stop(server, request.path_params["secret"])
    title, _, _ = NOTICE_LINKS["stop"]
    return render(request, "notice.html", what="", title=title, text="No more e-mails come.", press="", secret="")


def _setup(server: ServerParts, request: Request) -> Response:
    """The set-up editor; `?table=` names a table whose position is laid out."""
    who = visitor(server, request)
    words: dict[str, Any] = {"marks": json.dumps(marks()), "plurals": json.dumps(plurals())}
    name = who.person.name if who.person else ""
    return render(request, "setup.html", name=name, table=request.query_params.get("table", ""), **words)


def _rules(server: ServerParts, request: Request) -> Response:
    """The rules, clause by clause, for everybody."""
    template, values = rules_view(server, request)
    return render(request, template, **values)


def _case_map(server: ServerParts, request: Request) -> Response:
    """Where a case takes place, for the page of its clause; the same for everybody in this release."""
    try:
        drawn = case_map(request.path_params["case"], _theme(request))
    except WarCabinetError as error:
        raise Problem(404, str(error)) from None
    if not drawn:
        raise Problem(404, "this case names no hex")
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "public, max-age=86400"})


def _theme(request: Request) -> Theme:
    return "dark" if request.query_params.get("theme") == "dark" else "light"


def _stamp(server: ServerParts, request: Request) -> Response:
    """The map as small as a stamp, for the hall's list; its address changes with every move."""
    who = visitor(server, request)
    sitter = sitter_at(server, who, request.path_params["table"])
    board = "pacific" if request.query_params.get("board") == "pacific" else "europe"
    theme = _theme(request)
    with server.tables.at(sitter.table.id) as table:
        state = table.game.state
        drawn = table.once(("stamp", board, theme, table.game.head.id), lambda: thumbnail(state, board, theme))
    return Response(drawn, media_type="image/svg+xml")


def _picture(server: ServerParts, request: Request) -> Response:
    """A piece of a board at a moment: around a hex with what stands there, or the ground of a strip of the aid page."""
    sitter = sitter_at(server, visitor(server, request), request.path_params["table"])
    theme, query = _theme(request), request.query_params
    at, strip, (on, _, id) = (
        query.get("at", ""),
        STRIPS.get(query.get("strip", "")),
        query.get("around", "").partition("/"),
    )
    if strip is None and (on not in BOARDS or id not in board(on)):
        raise not_found("such a piece of a board")
    with server.tables.at(sitter.table.id) as table:
        move, state = table.moment(int(at) if at.isdecimal() else None)

        def drawn() -> str:
            return strip_map(state, strip, theme) if strip else picture(state, on, "", [f"{on}/{id}"], theme)

        made = table.once(("picture", strip.id if strip else f"{on}/{id}", theme, move.id), drawn)
    return Response(made, media_type="image/svg+xml")


def _books(server: ServerParts, request: Request) -> Response:
    """The page of the books."""
    who = visitor(server, request)
    if who.person is None:
        return RedirectResponse(str(request.scope.get("root_path", "")) + "/")
    sitter = sitter_at(server, who, request.path_params["table"])
    with server.tables.at(sitter.table.id) as table:
        sheet = table.once(("books", table.game.head.id, sitter.powers), lambda: books_sheet(table.game, sitter.powers))
        waits: dict[str, Any] = {
            "ready": ready_at(server.hall, table, sitter),
            "year": stand_now(server.hall, table, sitter),
            "moments": moments_at(server.hall, table, sitter),
            "undo": outlook(server.hall, table, sitter),
        }
    known = {power.power: power for power in powers().values()}
    return render(request, "books.html", table=sitter.table, sheet=sheet, powers=known, held=sitter.powers, **waits)


def _replay(server: ServerParts, request: Request) -> Response:
    """Scenes for whoever has their link: each with its headline, its facts and a piece of the map as it then stood."""
    id, theme = request.path_params["table"], _theme(request)
    row = server.hall.table(id)
    with server.tables.at(id) as table:
        scenes = replay_of(server.hall, table, request.path_params["secret"])

        def drawn(scene: Scene) -> str:
            on, _, hex_ = (scene.places or ("",))[0].partition("/")
            return picture(table.moment(scene.move)[1], on, "", [f"{on}/{hex_}"], theme) if on in BOARDS else ""

        key = ("replay pictures", request.path_params["secret"], theme)
        pictures = table.once(key, lambda: tuple(drawn(it) for it in scenes[:MOST_PICTURES]))
    told = list(zip_longest(scenes, pictures, fillvalue=""))
    return render(request, "replay.html", title=row.title, told=told, powers={it.power: it for it in powers().values()})


def _worker(server: ServerParts, request: Request) -> Response:
    """What opens the page of the books without a line to the server; its address is as wide as what it may open."""
    return kept_response(request, plain("worker.js"), forever=False)


def _printed(server: ServerParts, request: Request) -> Response:
    """Sheets for paper: `?power=germany` that of one power, `?year` the year start, else all of them."""
    who = visitor(server, request)
    if who.person is None:
        return RedirectResponse(str(request.scope.get("root_path", "")) + "/")
    sitter, asked = sitter_at(server, who, request.path_params["table"]), request.query_params
    power = asked.get("power", "")
    if power and power not in powers():
        raise not_found("such power")
    with server.tables.at(sitter.table.id) as table:
        state = table.game.state
        sheet = books_sheet(table.game, sitter.powers)
        year = None if power else year_sheet(state, "stands")
    kept = [it.power for it in sheet.powers if it.kept]
    wanted = [power] if power else [] if "year" in asked else kept
    sheets = [power_page(state, sheet, it) for it in wanted]
    known = {it.power: it for it in powers().values()}
    return render(
        request, "print.html", table=sitter.table, sheet=sheet, sheets=sheets, year=year, kept=kept, powers=known
    )


def _table(server: ServerParts, request: Request) -> Response:
    id = request.path_params["table"]
    who = visitor(server, request)
    if who.person is None:
        return RedirectResponse(str(request.scope.get("root_path", "")) + "/")
    sitter = sitter_at(server, who, id)
    _used(server, request)
    if "whole" not in request.query_params and "at" not in request.query_params:
        with server.tables.at(id) as table:
            counted = table.game.state.options.counted
        if counted:
            return _books(server, request)
    known = marks()
    # What the page's script asks for first is on its way before the script is there.
    first = [
        f"{API}/commands?mark={known[COMMANDS]}",
        f"{API}/boards/europe?mark={known['europe']}&steps=true",
        *([] if "at" in request.query_params else [f"{API}/tables/{id}"]),
    ]
    held = json.dumps(known)
    known_powers = list(powers().values())
    words: dict[str, Any] = {"cited": json.dumps(CITED), "plurals": json.dumps(plurals())}
    return render(request, "table.html", table=sitter.table, powers=known_powers, marks=held, first=first, **words)
