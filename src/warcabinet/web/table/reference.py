"""What is the same at every table and never changes while the server runs: the boards and the commands.

Browsers keep it under an address that carries its mark, so it is sent once to each.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from warcabinet.web.map.boards import BOARDS, board_data, in_steps
from warcabinet.web.orders.command_kinds import command_kinds
from warcabinet.web.table.endpoints import Kept, keep

COMMANDS = "commands"


@cache
def kept_board(name: str, steps: bool) -> Kept:
    data = board_data(name)
    return keep(replace(data, coast=in_steps(data.coast)) if steps else data)


@cache
def kept_commands() -> Kept:
    return keep(command_kinds())


@cache
def marks() -> dict[str, str]:
    """The marks by which a page asks for what it keeps: boards with their coasts in steps."""
    return {COMMANDS: kept_commands().mark, **{name: kept_board(name, True).mark for name in BOARDS}}
