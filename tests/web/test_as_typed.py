"""Entries as lines that are understood as they stand: every command of the war that is told."""

from __future__ import annotations

from warcabinet.game import Game
from warcabinet.game.engine import as_command
from warcabinet.game.typed.entries import read_entry
from warcabinet.model.commands import fields
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.web.orders.as_typed import as_typed

#: Of each command so many are tried, the first and the last of them.
SOME = 6


def said(command: Command) -> str:
    """What is ordered, by whomever; one unit may be said without its number."""
    given = {it.name: getattr(command, it.attribute) for it in fields(type(command))}
    return f"{type(command).__name__} {given}".replace("'1 ", "'")


def test_every_command_of_the_war_comes_back_as_itself(war: Game) -> None:
    found: dict[type[Command], list[int]] = {}
    for id in war.line():
        command = war.journal.move(id).command
        if command is not None and not isinstance(command, Advance):
            found.setdefault(type(command), []).append(id)
    assert len(found) >= 40
    for ids in found.values():
        for id in {*ids[:SOME], *ids[-SOME:]}:
            move = war.journal.move(id)
            assert move.command is not None
            state = war.journal.state_at(move.before)
            line = as_typed(state, move.command)
            assert said(as_command(read_entry(state, line)[0])) == said(move.command), line
