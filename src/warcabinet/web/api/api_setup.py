"""The API of the set-up editor: open a position, change it, write it as a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.figures.position import Position, set_up
from warcabinet.figures.written import position_text
from warcabinet.game.engine import within_bounds
from warcabinet.game.typed.layout import Laid
from warcabinet.web.sheets.setup_desk import Setup, desk, edited
from warcabinet.web.table.brought import lines_brought, position_brought
from warcabinet.web.table.endpoints import Answer, Ask, endpoint
from warcabinet.web.table.starting import LONGEST

T = "/tables/{table}"
Text = Annotated[str, Meta(max_length=60)]


class SetupAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, as it stands on the desk or as a file, and what changes: figures and their values, or the moment."""

    position: Position = Position("classic-1939")
    #: A position file; it is read instead of `position`.
    text: Annotated[str, Meta(max_length=LONGEST)] = ""
    edits: Annotated[dict[str, Any], Meta(max_length=2000)] = {}
    turn: Text = ""
    player: Text = ""
    phase: Text = ""


@endpoint("POST", "/setup", "A position laid out, after what changes", who="anybody", tag="setup")
def lay_out(ask: Ask[None, SetupAsked]) -> Setup:
    new = ask.body
    if new.text:
        given = position_brought(ask.server.readers, ask.who, new.text)
        return desk(set_up(given)[0], given.sources)
    with ask.server.readers.turn(ask.who):
        return edited(new.position, new.edits, new.turn, new.player, new.phase)


class SetupLines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines as they are typed from paper, and the board on which a hex id lies that both boards have."""

    text: Annotated[str, Meta(max_length=LONGEST)]
    board: Literal["europe", "pacific"] = "europe"


@endpoint(
    "POST",
    "/setup/read",
    "Lines of a position as people type them: the figures they set, and what was not understood",
    who="anybody",
    tag="setup",
)
def read_lines(ask: Ask[None, SetupLines]) -> Laid:
    return lines_brought(ask.server.readers, ask.who, ask.body.text, ask.body.board)


class SetupFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: Position


@endpoint("POST", "/setup/file", "A position as a file", who="anybody", tag="setup", media="text/plain; charset=utf-8")
def as_file(ask: Ask[None, SetupFile]) -> Answer[bytes]:
    position: Position = ask.body.position
    with ask.server.readers.turn(ask.who):
        within_bounds("the position", msgspec.to_builtins(position))
        set_up(position)
        return Answer(position_text(position).encode(), filename="position.yaml")


class Then(msgspec.Struct, frozen=True):
    at: Annotated[int, Meta(ge=1, le=2**31)] | None = None


@endpoint("GET", T + "/setup", "The position of a game, to be laid out anew")
def of_game(ask: Ask[Then, None]) -> Setup:
    with ask.table() as table:
        _, state = table.moment(ask.query.at)
    return desk(state)
