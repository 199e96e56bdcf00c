"""Voyages: what an order, a reported move or an operation says of units that go by sea, and the straits they pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple

from warcabinet.kernel.limits import Limit
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.ways import BY_SEA, NR, Past, carried_past, must_pass, redeploys_by_sea
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.operations import activity_of, sails

Sailed = MoveUnits | ReportMove | ReportOperation
EVERY_VOYAGE: tuple[type[Sailed], ...] = (MoveUnits, ReportMove, ReportOperation)


class Voyage(NamedTuple):
    """Units of a nation on their way by sea; raiders and others that name no place have an end open."""

    nation: str
    origin: str
    to: str
    #: The ends as they were named.
    named: tuple[str, str]
    how: str = ""
    redeployed: bool = False
    through: str = ""
    #: How it is found out whether a strait lies between: troops that are reported elsewhere may have marched.
    past: Past = must_pass


def voyages(s: State, cmd: Sailed) -> Iterator[Voyage]:
    """What a command says of units that go by sea."""
    if isinstance(cmd, MoveUnits):
        yield from _ordered(s, cmd)
    elif isinstance(cmd, ReportMove):
        yield from _reported(s, cmd)
    elif cmd.branch == "naval" or (cmd.origin and cmd.at and sails(cmd)):
        origin, at = (place_key(it) if it else "" for it in (cmd.origin, cmd.at))
        yield Voyage(cmd.nation, origin, at, (cmd.origin, cmd.at), activity_of(cmd), through=cmd.through)


def _ordered(s: State, cmd: MoveUnits) -> Iterator[Voyage]:
    branch = parse_unit(cmd.unit)[0].branch
    redeployed = cmd.how == NR or redeploys_by_sea(s, cmd)
    flown = (branch, cmd.how) == ("air", "base change")
    if redeployed or branch == "naval" or (cmd.how in BY_SEA and not flown):
        origin, to = place_key(cmd.from_), place_key(cmd.to)
        yield Voyage(cmd.nation, origin, to, (cmd.from_, cmd.to), cmd.how, redeployed, cmd.through)


def _reported(s: State, cmd: ReportMove) -> Iterator[Voyage]:
    """Ships first, then troops; aircraft fly."""
    branches = {parse_unit(unit)[0].branch for unit in counted(cmd.units)}
    redeployed = s.place.step.name == "redeployment"
    said = Voyage(cmd.power, place_key(cmd.origin), place_key(cmd.to), (cmd.origin, cmd.to), redeployed=redeployed)
    if "naval" in branches:
        yield said
    if "ground" in branches:
        yield said._replace(past=carried_past)


def strait(
    clause: str, gist: str = "", *, passes: Callable[[State, Voyage], bool], on: tuple[type[Sailed], ...] = EVERY_VOYAGE
) -> Callable[[Callable[[State, Voyage], str | None]], Limit[State, Any]]:
    """Register what keeps a strait from those who would pass it, by order or report.

    A report may name a rule outside the documents that allows it.
    """

    def register(fn: Callable[[State, Voyage], str | None]) -> Limit[State, Any]:
        @wraps(fn)
        def refuses(s: State, cmd: Any) -> str | None:
            told = next(filter(None, (fn(s, it) for it in voyages(s, cmd) if passes(s, it))), None)
            return told if isinstance(cmd, MoveUnits) else unless_excused(cmd, told)

        def holds(s: State, cmd: Any) -> bool:
            return any(passes(s, it) for it in voyages(s, cmd))

        return limit(clause, gist, on=on, when=holds)(refuses)

    return register
