"""The aid page: roads, pairs and a plan as `views/aid_page` tells them, the grant under way, and grants by turn."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.model import calendar, events
from warcabinet.model.state import State
from warcabinet.views.aid_page import AidPage, aid_page
from warcabinet.views.aid_plan import Granting
from warcabinet.views.convoy_sheet import ConvoySheet, convoy_sheet
from warcabinet.web.sheets.aid_drawing import strip_roads, window
from warcabinet.web.sheets.aid_strips import STRIPS
from warcabinet.web.sheets.drawn import drawn

KINDS = {
    "granted": "granted",
    "granted for construction": "granted",
    "grant received": "received",
    "grant returned": "returned",
    "construction grant returned": "returned",
}


class GrantOfTurn(msgspec.Struct, frozen=True):
    """What one power granted another in a turn: sent, arrived, came back."""

    turn: str
    power: str
    to: str
    granted: int
    received: int
    returned: int


class AidWords(msgspec.Struct, frozen=True):
    """What the rules say of grants, in a few words: when they are made, what they need, what they change."""

    when: str = "grants are made in supply determination"
    transports: str = "One for five BRPs, rounded up"
    limit: str = "limit, 1 for 3"


class DrawnStrip(msgspec.Struct, frozen=True):
    """A strip: its roads, the part of the map that lies under them (as SVG says it), and the roads as drawn over it."""

    id: str
    roads: tuple[str, ...]
    box: tuple[float, float, float, float]
    drawn: str


class AidSheet(msgspec.Struct, frozen=True):
    page: AidPage
    convoy: ConvoySheet | None
    #: What is afloat and what befell it, as a part of a page.
    convoy_drawn: str
    strips: tuple[DrawnStrip, ...]
    by_turn: tuple[GrantOfTurn, ...]
    words: AidWords


def aid_sheet(
    game: Game, move: Move, state: State, plan: Iterable[Granting], by_turn: tuple[GrantOfTurn, ...]
) -> AidSheet:
    waiting = state.waiting
    moves = game.during(waiting.id, move.at) if waiting is not None else []
    sheet = convoy_sheet(state, [(it.command, it.records) for it in moves])
    page = aid_page(state, plan)
    planned = {it.road for it in page.plan.lines if not it.why_not}
    strips = []
    for it in STRIPS.values():
        seen = window(it)
        box = (seen.left, seen.top, seen.right - seen.left, seen.bottom - seen.top)
        strips.append(DrawnStrip(it.id, it.roads, box, strip_roads(it, page.roads, planned, sheet)))
    afloat = drawn("sheet-convoy.html", it=sheet) if sheet else ""
    return AidSheet(page, sheet, afloat, tuple(strips), by_turn, AidWords())


def grants_by_turn(game: Game, upto: int) -> tuple[GrantOfTurn, ...]:
    """Every grant of the game, a line a turn and pair, the latest first."""
    line = game.line()
    sums: dict[tuple[int, str, str], dict[str, int]] = {}
    for move in game.journal.moves(1, upto):
        for record in move.records if move.id in line else ():
            it = record.event.happening if isinstance(record.event, events.Happened) else None
            if it is None or it.kind not in KINDS:
                continue
            power, _, to = it.key.partition(" ")
            of = sums.setdefault(
                (calendar.split(it.moment)[0], power, to), dict.fromkeys(("granted", "received", "returned"), 0)
            )
            of[KINDS[it.kind]] += it.amount
    return tuple(
        GrantOfTurn(calendar.turn_name(turn), power, to, **of)
        for (turn, power, to), of in sorted(sums.items(), key=lambda it: -it[0][0])
    )
