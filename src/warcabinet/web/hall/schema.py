"""What the hall remembers in its database besides the games: tables, seats, people, talk.

`web/hall/hall_database.py` makes a database of an earlier format one of this.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlalchemy as sa

Role = Literal["player", "referee", "spectator"]

FORMAT = "warcabinet-hall-3"

metadata = sa.MetaData()
meta = sa.Table(
    "hall_meta", metadata, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String, nullable=False)
)
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("scenario", sa.String, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("parent", sa.String, nullable=False),
    sa.Column("parent_move", sa.Integer, nullable=False),
    sa.Column("reports", sa.String, nullable=False),
    #: When it is taken away for good; 0: it is not to be deleted.
    sa.Column("ends", sa.Float, nullable=False, server_default="0"),
    #: The release of the rules that its people agreed to.
    sa.Column("rules", sa.String, nullable=False, server_default=""),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("powers", sa.String, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False, server_default="0"),
)
devices = sa.Table(
    "devices",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("secret", sa.String, unique=True, nullable=False),
    sa.Column("person", sa.String, nullable=False, index=True),
    sa.Column("label", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    #: When a page was last opened with it, and by what kind of browser.
    sa.Column("seen", sa.Float, nullable=False, server_default="0"),
    sa.Column("agent", sa.String, nullable=False, server_default=""),
)
links = sa.Table(
    "links",
    metadata,
    sa.Column("secret", sa.String, primary_key=True),
    sa.Column("person", sa.String, nullable=False, index=True),
    #: `device`: for another browser, soon. `recovery`: kept in a drawer for the day on which all browsers are lost.
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("label", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("ends", sa.Float, nullable=False),
)
members = sa.Table(
    "members",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True, index=True),
)
invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("secret", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("seat", sa.String, nullable=False),
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("secret", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("person", sa.String, nullable=False),
    sa.Column("label", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False, server_default="0"),
)
talk = sa.Table(
    "talk",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("to", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("move", sa.Integer, nullable=False),
    #: For words to one seat: the people who heard them, ` id id `. They stay theirs when the seat changes hands.
    sa.Column("heard", sa.String, nullable=False, server_default=""),
)
notes = sa.Table(
    "notes",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("text", sa.String, nullable=False),
)
requests = sa.Table(
    "requests",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("head", sa.Integer, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("reason", sa.String, nullable=False),
    sa.Column("agreed", sa.String, nullable=False),
    sa.Column("person", sa.String, nullable=False, server_default=""),
)
agreements = sa.Table(
    "agreements",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("release", sa.String, nullable=False),
)

#: Everybody who ever played a power at a table: before them dice were thrown, whoever sits there now.
met = sa.Table(
    "met",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
)
#: Who sat in a seat that plays or judges, from which move of the game to which; 0: they sit there still.
sittings = sa.Table(
    "sittings",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("since", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("left", sa.Integer, nullable=False),
)
#: Rounds of sealed orders: who is asked, and, when it was opened, what came of it.
rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("seats", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("opened", sa.Float, nullable=False),
    #: As JSON, once it was opened.
    sa.Column("outcome", sa.String, nullable=False),
)
#: What a seat has sealed, until the round is opened: told to nobody but who sealed it.
sealed = sa.Table(
    "sealed",
    metadata,
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("person", sa.String, nullable=False),
    sa.Column("orders", sa.String, nullable=False),
    sa.Column("words", sa.String, nullable=False),
)
#: Who sat in the seats of a round as it began.
asked_to_seal = sa.Table(
    "asked_to_seal",
    metadata,
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
)
#: Seats for which phases pass by themselves where they have nothing to decide.
passing = sa.Table(
    "passing",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
)
#: Where the game of a table is, as the hall lists it; written after a move, by whoever looks after notices.
stands = sa.Table(
    "stands",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("head", sa.Integer, nullable=False),
    sa.Column("moment", sa.String, nullable=False),
    sa.Column("moved", sa.Float, nullable=False),
)
#: The seats that must decide, since when, and what.
waiting = sa.Table(
    "waiting",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("since", sa.Float, nullable=False),
)
#: When someone last had a table before their eyes, and the last line of talk that they read.
looked = sa.Table(
    "looked",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
)
#: How a person wishes to be told that it is their turn.
ways = sa.Table(
    "ways",
    metadata,
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("way", sa.String, primary_key=True),
    sa.Column("on", sa.Boolean, nullable=False),
    #: An e-mail address, a webhook's address, or what the browser does.
    sa.Column("address", sa.String, nullable=False),
    sa.Column("form", sa.String, nullable=False),
    #: At most one message in so many minutes.
    sa.Column("every", sa.Float, nullable=False),
    #: When whoever reads the address agreed to it.
    sa.Column("confirmed", sa.Float, nullable=False),
    sa.Column("sent", sa.Float, nullable=False),
    #: How often the last message failed, and when it is tried again.
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("again", sa.Float, nullable=False),
    #: Until when one process has it in hand.
    sa.Column("lease", sa.Float, nullable=False),
    sa.Column("trouble", sa.String, nullable=False),
)
#: What is to be told, until it was, or became untrue.
outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.String, nullable=False, index=True),
    sa.Column("way", sa.String, nullable=False),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)
#: Plans that people wrote; only they see them.
plans = sa.Table(
    "plans",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)
#: Runs of plans, and what they showed so far.
plan_runs = sa.Table(
    "plan_runs",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("person", sa.String, nullable=False, index=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("samples", sa.Integer, nullable=False),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("trouble", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    #: When the process that runs it was last heard of.
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),
)
#: Which go at a run is wanted, and which one has it in hand: processes of a server share nothing else.
plan_goes = sa.Table(
    "plan_goes",
    metadata,
    sa.Column("run", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("wanted", sa.String, nullable=False),
    #: Empty: none.
    sa.Column("held", sa.String, nullable=False),
    #: Until when, unless it says so again.
    sa.Column("lease", sa.Float, nullable=False),
)
#: Who acts for a power: its steward, or a standing order of its seat.
minders = sa.Table(
    "minders",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("power", sa.String, primary_key=True),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("mode", sa.String, nullable=False),
    sa.Column("by", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("stopped", sa.String, nullable=False),
    sa.Column("acted", sa.Integer, nullable=False),
)
#: Who has read a year start and confirms it, by the move that counted it: counted again, it is confirmed again.
confirmations = sa.Table(
    "confirmations",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("move", sa.Integer, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    #: The host or the referee let the spring begin without waiting for the others.
    sa.Column("opened", sa.Boolean, nullable=False),
)

#: What is under way at a table beside its game, as JSON: an open battle, the group's own chart, who is ready.
under_way = sa.Table(
    "under_way",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)


class TableRow(msgspec.Struct, frozen=True):
    """A table as the hall lists it. `reports` says who brings in outcomes: every player, or the referee alone."""

    id: str
    title: str
    scenario: str
    host: str
    made: float
    parent: str = ""
    parent_move: int = 0
    reports: Literal["players", "referee"] = "players"
    ends: float = 0.0
    rules: str = ""


class Seat(msgspec.Struct, frozen=True):
    """A chair at a table: whoever sits in it decides for its powers, or rules, or looks on."""

    id: str
    title: str
    role: Role
    powers: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """Something said at a table: to everybody, or to one seat only. The table itself says what happened to seats."""

    id: int
    made: float
    seat: str
    name: str
    to: str
    text: str
    move: int


class Asked(msgspec.Struct, frozen=True):
    """An undo that needs consent: of what state, asked by which seat, why it is not free, and who agreed so far."""

    head: int
    seat: str
    reason: str
    agreed: tuple[str, ...] = ()
    #: Who asked: another seat of the same person does not agree for them.
    person: str = ""
