"""Who may do what. Every request passes here: a seat reads and does only what is its own."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.house.battle import losses, retreats
from warcabinet.model.commands import fields, is_report, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.minors import DeployRest
from warcabinet.model.commands.table import Advance, ChooseReading
from warcabinet.model.names import OTHER_NATIONS, called, powers
from warcabinet.model.state import State
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.set_up import to_be_set_up
from warcabinet.rules.minors.units import moves_with
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.schema import Line, Seat, TableRow
from warcabinet.web.plumbing.problems import Problem, forbidden


class Sitter(msgspec.Struct, frozen=True):
    """Someone at a table, with the seats they hold there (several when they play hot-seat)."""

    person: Person
    table: TableRow
    seats: tuple[Seat, ...]
    #: A program with a seat's token: it plays its seat, but does not run the table.
    program: bool = False

    @property
    def host(self) -> bool:
        return self.table.host == self.person.id and not self.program

    @property
    def powers(self) -> tuple[str, ...]:
        held = {power for seat in self.seats for power in seat.powers}
        return tuple(power for power in powers() if power in held)

    @property
    def players(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.role == "player")

    @property
    def referee(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.role == "referee"), None)

    @property
    def title(self) -> str:
        return ", ".join(seat.title for seat in self.seats)

    @property
    def impartial(self) -> bool:
        """A referee who plays no power: whose word settles what players disagree about."""
        return self.referee is not None and not self.players

    def hears(self, line: Line) -> bool:
        """A line to one seat is for those who sit there as it is said and the one who says it, and for nobody else."""
        mine = {seat.id for seat in self.seats}
        return not line.to or line.to in mine or line.seat in mine


def actor_field(kind: type[Command]) -> str:
    """The field that names who is ordered about: a power, or a nation that some power holds; empty where nobody is."""
    if is_report(kind) or kind.referee_only or kind in (Advance, ChooseReading):
        return ""
    named = (field.attribute for field in fields(kind) if field.kind in ("power", "nation") and not field.many)
    return next(named, "")


def seat_for(sitter: Sitter, state: State, command: Command) -> Seat:
    """The seat in whose name this command is given, or a refusal to take it from this person at all."""
    kind = type(command)
    if kind.referee_only or kind is ChooseReading:
        return _referee(sitter, f"{name_of(kind).replace('_', ' ')} is the referee's")
    if is_report(kind) and sitter.table.reports == "referee":
        return _referee(sitter, "at this table the referee alone reports outcomes")
    if not sitter.players:
        return _referee(sitter, "spectators look on")
    if kind.reply and is_report(kind) and state.waiting is not None:
        return _asked(sitter, state.waiting.waits_for)
    if kind is Advance:
        return _moving(sitter, state)
    if is_report(kind):
        return _concerned(sitter, state, command)
    if isinstance(command, DeployRest):
        return _setting_up(sitter, state, command)
    actor = actor_field(kind)
    if actor:
        return _holding(sitter, state, str(getattr(command, actor)))
    return _preferred(sitter, command.seat)


def _referee(sitter: Sitter, otherwise: str) -> Seat:
    if sitter.referee is None:
        raise forbidden(f"{otherwise}; you hold: {sitter.title}")
    return sitter.referee


def _holding(sitter: Sitter, state: State, named: str) -> Seat:
    """The seat that commands a power, or the power with which a minor country stands; nobody's is the referee's."""
    power = commander(state, named)
    if not power:
        return _referee(sitter, f"{named.replace('_', ' ')} stands with no power: the referee moves it")
    for seat in sitter.players:
        if power in seat.powers:
            return seat
    name = powers()[power].name if power in powers() else power
    raise forbidden(f"{name} is not yours to command; you hold: {sitter.title}")


def _setting_up(sitter: Sitter, state: State, command: DeployRest) -> Seat:
    """The seat that sets up all that waits: with nobody named its holder must play all whose right it is."""
    if command.by:
        return _holding(sitter, state, command.by)
    for nation in to_be_set_up(state):
        if not any(power in sitter.powers for power in deployer(state, nation)):
            return _referee(sitter, f"{called(nation)} is not yours to set up: name your power (by)")
    return _preferred(sitter, command.seat)


def _asked(sitter: Sitter, waits_for: tuple[str, ...]) -> Seat:
    """The seat of a power that an operation waits for: what came of it is told from there, or by the referee."""
    for seat in sitter.players:
        if any(power in waits_for for power in seat.powers):
            return seat
    return _referee(sitter, f"the table waits for {' and '.join(map(called, waits_for))}")


def _concerned(sitter: Sitter, state: State, command: Command) -> Seat:
    """The seat that a report is about: nobody tells another's losses, spending or surrender, but the referee.

    Where a report names who gains (a place, a conquest), it is told from there.
    """
    if isinstance(command, ReportBattle) and sitter.referee is None:
        _losses_are_ours(sitter, state, command)
    about = next((str(getattr(command, field)) for field in subject_fields(type(command))), "")
    if not about:
        return _preferred(sitter, command.seat)
    if sitter.referee is not None:
        held = [seat for seat in sitter.players if commander(state, about) in seat.powers]
        return held[0] if held else sitter.referee
    return _holding(sitter, state, about)


def _losses_are_ours(sitter: Sitter, state: State, command: ReportBattle) -> None:
    """A battle is told by whoever plays both sides of it; else each side tells its own losses in the open battle."""
    for force in (*losses(state, command), *retreats(state, command)):
        if commander(state, force.nation) not in sitter.powers:
            told = f"{called(force.nation)}'s losses and retreats are not yours to tell"
            raise forbidden(f"{told}: attack on the map and they confirm, or the referee reports the battle")


@cache
def subject_fields(kind: type[Command]) -> tuple[str, ...]:
    """The fields of a report that name the power or nation which it is about."""
    return tuple(it.attribute for it in fields(kind) if it.kind in ("power", "nation") and not it.many)


def commander(state: State, named: str) -> str:
    """The power that commands a nation: its own, or the one with which it moves while it fights alone (82.82)."""
    if named in OTHER_NATIONS:
        return moves_with(state, named)
    return (moves_with(state, named) or state.countries[named].by) if named in state.countries else named


def _moving(sitter: Sitter, state: State) -> Seat:
    """The side whose player turn it is goes on; in the year start anybody; the referee always."""
    for seat in sitter.players:
        if not state.player or any(powers()[power].player == state.player for power in seat.powers):
            return seat
    return _referee(sitter, f"it is the {state.player.title()} player turn, and that side goes on")


def may_advance(sitter: Sitter, state: State) -> bool:
    """Whether it is for this sitter to say that the game goes on."""
    try:
        seat_for(sitter, state, Advance())
    except Problem:
        return False
    return True


def _preferred(sitter: Sitter, wanted: str) -> Seat:
    for seat in sitter.players:
        if seat.id == wanted:
            return seat
    if wanted:
        raise forbidden(f"you do not hold the seat {wanted}; you hold: {sitter.title}")
    return sitter.players[0]


def may_host(sitter: Sitter) -> None:
    if not sitter.host:
        raise forbidden("only the host seats and invites people")


def may_play(sitter: Sitter) -> Seat:
    """The seat that takes part in the game: a player's, or the referee's."""
    if sitter.players:
        return sitter.players[0]
    return _referee(sitter, "spectators look on")
