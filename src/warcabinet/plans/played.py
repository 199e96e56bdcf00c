"""A plan made by playing it: what was ordered and reported on a copy becomes its lines, each at its moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import name_of
from warcabinet.model.commands.table import Advance
from warcabinet.plans.editing import written_out
from warcabinet.plans.form import MOST


def as_plan(game: Game, since: int, title: str) -> str:
    """A plan of what was done in a game after a move, played to a year beyond where it stands."""
    lines = list(_lines(game, since))
    if not lines:
        raise WarCabinetError("nothing was ordered on this copy yet: play ahead, then press again")
    if len(lines) > MOST["orders"]:
        raise WarCabinetError(f"{len(lines):,} orders were given here; a plan has at most {MOST['orders']:,}")
    until = min(calendar.year(game.state.turn) + 1, calendar.year(calendar.split(calendar.last_moment())[0]))
    plan = {"plan": title, "scenario": game.state.scenario, "until": f"Winter {until}", "orders": lines}
    return written_out(plan)


def _lines(game: Game, since: int) -> Iterator[dict[str, Any]]:
    moments = game.journal.moments()
    for move in map(game.journal.move, sorted(it for it in game.line() if it > since)):
        command = move.command
        if command is None or isinstance(command, Advance) or command.referee_only:
            continue
        fields = {key: it for key, it in msgspec.to_builtins(command).items() if it not in ("", [], None)}
        dice = {"dice": move.faces} if move.faces else {}
        yield {"when": calendar.moment_name(moments[move.before]), **fields, "do": name_of(command), **dice}
