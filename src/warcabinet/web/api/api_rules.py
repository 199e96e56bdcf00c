"""The API of the rules: open a case on the board, as a table of one's own."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet.conformance.casebook import case_called, play_case
from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.names import powers
from warcabinet.web.api.api_hall import MadeTable, Name, known_or_new, room_for_a_table, seated
from warcabinet.web.hall.tables_in_play import usual_seats
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.sheets.case_words import given_words, outcome_by_reading, outcome_words, step_words
from warcabinet.web.table.endpoints import Answer, Ask, endpoint

#: As long as a line of talk may be.
LONGEST_LINE = 900


class OpenCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case of the rules by its id."""

    case: Annotated[str, Meta(min_length=1, max_length=60)]
    name: Name = "Guest"


@endpoint(
    "POST",
    "/cases/open",
    "A hot-seat table with the position of a case, its steps played",
    who="anybody",
    status=201,
    tag="reference",
)
def open_case(ask: Ask[None, OpenCase]) -> Answer[MadeTable]:
    try:
        case = case_called(ask.body.case)
    except WarCabinetError as error:
        raise Problem(404, str(error)) from None
    room_for_a_table(ask, ask.person)
    chairs = usual_seats([("All powers", tuple(powers()))])
    told: list[str] = [f"Given: {'; '.join(given_words(case.given))}."]

    def play(game: Game) -> None:
        for number, (step, said) in enumerate(play_case(game, case), 1):
            answers = "; ".join(f"{it.clause} {it.text}".strip() for it in said)
            told.append(f"{number}. {step_words(step)}." + (f" The rules said: {answers}" if said else ""))

    person, secret = known_or_new(ask, ask.body.name)
    row = ask.server.tables.from_case(case.position, play, f"Case {case.id}: {case.title}"[:100], person.id, chairs)
    if then := outcome_words(case):
        told.append(f"Then: {'; '.join(then)}.")
    told += [f"Then, by reading {letter}: {'; '.join(then)}." for letter, then in outcome_by_reading(case).items()]
    made = seated(ask, row, person, chairs, {"seat1"})
    for line in told:
        ask.server.hall.talk.say(row.id, line[:LONGEST_LINE])
    return Answer(made, secret)
