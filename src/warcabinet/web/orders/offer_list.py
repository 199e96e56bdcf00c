"""What a sitter can do now: every order with whether it is open, why not, how far, and which duty it meets.

The list says what there is. What a field may still be is asked for when its form opens (`order_form`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.game.offers import Offer, may_be_given, narrow, offers
from warcabinet.house.books_alone import counters_stand_elsewhere
from warcabinet.house.table import before_the_end
from warcabinet.kernel.limits import Limit, Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.commonwealth import SurrenderVoluntarily
from warcabinet.model.commands.forces import Build, Mobilize, RaiseIcs, ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import DeclareWar, MoveUnits, Rebuild, ReportUnits
from warcabinet.model.commands.politics import ReportMoment
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.waiting import operation_waits
from warcabinet.rules.commonwealth.deployment import garrison_restored
from warcabinet.rules.countries.displacement import ports_cleared
from warcabinet.rules.economy.industrial_centers import ics_are_raised
from warcabinet.rules.economy.mobilization import mobilizations_are_made, war_is_declared
from warcabinet.rules.garrisons.declarations import manchuria_is_set_up, siberia_is_set_up
from warcabinet.rules.garrisons.strength import garrisons_are_built
from warcabinet.rules.minors.limits import finnish_limit, ten_factor_limit
from warcabinet.rules.minors.restrictions import capitals_cleared
from warcabinet.rules.minors.set_up import set_up_now
from warcabinet.rules.minors.units import units_stay_on_map
from warcabinet.web.hall.rights import Sitter, actor_field
from warcabinet.web.orders.command_kinds import family
from warcabinet.web.orders.form_words import field_words
from warcabinet.web.orders.prospects import hopeless
from warcabinet.web.orders.refusal_lines import RefusalLine, next_chances, refusal_line

#: The orders by which a duty that stops the clock is met, by the limit that makes it a duty.
MET_BY: dict[Limit[State, Any], tuple[type[Command], ...]] = {
    mobilizations_are_made: (Mobilize,),
    war_is_declared: (DeclareWar,),
    ics_are_raised: (RaiseIcs,),
    ports_cleared: (DisplaceFleet,),
    # Nothing is done after the war has ended.
    before_the_end: (),
    # Of what is owed it refuses nothing: it sets aside what a table of books leaves to its players.
    counters_stand_elsewhere: (),
    ten_factor_limit: (MoveUnits, ReportMove, ReportUnits),
    units_stay_on_map: (ReportUnits,),
    finnish_limit: (MoveUnits, ReportMove, ReportUnits),
    # These are owed for one country each, and come with its name (rules/common/waiting.py), or for all at once.
    capitals_cleared: (),
    set_up_now: (),
    garrison_restored: (Rebuild, MoveUnits),
    garrisons_are_built: (Build, MoveUnits),
    manchuria_is_set_up: (ReportUnits, ReportMove),
    siberia_is_set_up: (ReportUnits, ReportMove),
    # The duty to reply before anything else goes on is met by whatever the open operation asks for.
    operation_waits: (),
}
_ORDERS = {duty.name: tuple(map(name_of, orders)) for duty, orders in MET_BY.items()}
#: What is said line by line on a page of its own is no form.
ON_A_PAGE = (name_of(ReportMoment),)
#: So many orders are put before everything else.
FOREMOST = 4


class OfferLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that can be asked for: what is known of it, and whether it may be given now."""

    command: str
    known: dict[str, str]
    available: bool
    #: How far it may go, where something bounds it; the clauses that do.
    room: str = ""
    by: tuple[str, ...] = ()
    refusals: tuple[RefusalLine, ...] = ()
    #: Possible now, and not in every phase of this player turn.
    of_this_phase: bool = False
    #: The clauses of the duties that it meets: until they are met the game does not go on.
    meets: tuple[str, ...] = ()
    #: The open operation that it would reply to.
    replies_to: str = ""
    #: Its place among the orders to be thought of first; 0 where it is none of them.
    rank: int = 0
    #: It is never undone: nobody is led to it, and it stands among what is folded.
    final: bool = False


def offer_key(line: OfferLine) -> tuple[str, ...]:
    """What makes a line of the list the same line at another time."""
    return (line.command, *(f"{name}={value}" for name, value in line.known.items()))


def offered(state: State, sitter: Sitter) -> list[Offer]:
    """The commands that are this sitter's to give, now or at another time."""
    if not sitter.players and sitter.referee is None:
        return []
    found = offers(state, sitter.powers) if sitter.powers else _without_powers(state)
    found = [offer for offer in found if offer.command not in ON_A_PAGE]
    if sitter.referee is not None:
        return found
    reports = sitter.table.reports == "players"
    mine = ("order", "report") if reports else ("order",)
    return [offer for offer in found if family(command_types()[offer.command]) in mine]


def _without_powers(state: State) -> list[Offer]:
    """What a referee without powers can ask for: all that no power orders."""
    return [narrow(state, command, {}) for command, kind in command_types().items() if not actor_field(kind)]


def offer_list(state: State, found: Iterable[Offer]) -> tuple[OfferLine, ...]:
    """Everything that can be asked for, unavailable things with their reasons, the foremost with their rank."""
    # Each question is put for all of them before the next: what several of them ask for is found out once.
    with quietly():
        all_ = [_sound(state, offer) for offer in found]
        stuck = next((offer for offer in all_ if offer.command == name_of(Advance) and offer.refusals), None)
        duties = stuck.refusals if stuck else ()
        # A reply that nobody waits for is no order of anybody's.
        meant = [offer for offer in all_ if offer.available or not command_types()[offer.command].reply]
        chances, now = next_chances(state, meant), of_this_phase(state, meant)
        lines = [_line(state, it, duties, chances.get(at, ""), at in now) for at, it in enumerate(meant)]
        return _ranked(lines, duties)


def _sound(state: State, offer: Offer) -> Offer:
    """An offer as it stands; what nothing would fit is not available, and says why."""
    against = hopeless(state, offer)
    return replace(offer, refusals=(against,)) if against is not None else offer


def _line(state: State, offer: Offer, duties: Iterable[Refusal], chance: str, of_this_phase: bool) -> OfferLine:
    kind = command_types()[offer.command]
    power = str(offer.known.get("power", ""))
    room, by = _room(state, kind, offer, power) if offer.available else ("", ())
    met = [duty.clause for duty in duties if offer.available and _meets(offer, duty.rule)]
    if offer.duty and offer.available:
        # What is owed is about one country, which the line names.
        room, by, met = "The game waits for this.", (offer.duty,), [offer.duty]
    return OfferLine(
        command=offer.command,
        known={field: str(value) for field, value in offer.known.items()},
        available=offer.available,
        room=room,
        by=by,
        refusals=tuple(refusal_line(state, kind, it, power, chance=chance) for it in offer.refusals),
        of_this_phase=of_this_phase,
        meets=tuple(met),
        replies_to=offer.replies_to,
        final=kind is SurrenderVoluntarily,
    )


def _meets(offer: Offer, duty: str) -> bool:
    return bool(offer.replies_to) if duty == operation_waits.name else offer.command in _ORDERS.get(duty, ())


def of_this_phase(state: State, offers: Sequence[Offer]) -> set[int]:
    """Which orders are possible now but not in some other phase of this player turn: those come first."""
    part = state.place.part
    others = [i for i, place in enumerate(calendar.steps()) if place.part == part and i != state.step]
    if not others:
        return set()
    elsewhere = state.at(state.turn, others[len(others) // 2])
    mine = (at for at, it in enumerate(offers) if it.available and actor_field(command_types()[it.command]))
    return {at for at in mine if not may_be_given(elsewhere, offers[at].command, offers[at].known)}


def _room(state: State, kind: type[Command], offer: Offer, power: str) -> tuple[str, tuple[str, ...]]:
    """How far an order may go, in a line: what its limit leaves, what units there are, or its first bounded field."""
    clause = (RULES.orders[kind].clause,)
    left = _left(state, kind, power)
    if left:
        return left, clause
    units = offer.fields.get("units")
    if units is not None and units.hint:
        # What they are and when they come is told in the form.
        return f"{units.hint.partition(';')[0]}.", clause
    # A field that may be left out and has no room is no news.
    bounded = next((field for field in offer.fields.values() if field.most), None)
    if bounded is None:
        return "", ()
    if bounded.kind == "brp":
        return f"At most {_brps(bounded.most or 0)}. {offer.text}", bounded.by
    return f"{field_words(offer.command, bounded.name).label}: at most {bounded.most}. {offer.text}", bounded.by


def _brps(count: int) -> str:
    return f"{count} BRP{'' if count == 1 else 's'}"


def _left(state: State, kind: type[Command], power: str) -> str:
    """What is left to a power for an order that the construction limit bounds whatever else it says."""
    bounded = any(limit.name == "within_construction_limit" for limit in RULES.limits.get(kind, ()))
    spends = any(field.kind == "brp" for field in fields(kind))
    if power not in powers() or not bounded or spends:
        return ""
    left, level = (RULES.values()[rule](state, power) for rule in ("construction_left", "level"))
    return f"{left} of the construction limit left, {_brps(level)} in hand."


def _ranked(lines: list[OfferLine], duties: Iterable[Refusal]) -> tuple[OfferLine, ...]:
    """Say which orders come first: a reply that is awaited, else what meets a duty, then the orders of this phase."""
    urgent = [duty.clause for duty in duties]

    def first(number: int) -> tuple[int, bool, int]:
        line = lines[number]
        duty = urgent.index(line.meets[0]) if line.meets and line.meets[0] in urgent else len(urgent)
        return duty, _about_others(command_types()[line.command]), number

    orders = [
        number
        for number, line in enumerate(lines)
        if (line.of_this_phase or line.meets) and family(command_types()[line.command]) == "order" and not line.final
    ]
    replies = [number for number, line in enumerate(lines) if line.replies_to and line.available]
    # Whatever is owed stands there, and room is left for something else.
    owed = sum(1 for line in lines if line.meets)
    foremost = max(FOREMOST, owed + FOREMOST // 2)
    for rank, number in enumerate(replies or sorted(orders, key=first)[:foremost], 1):
        lines[number] = replace(lines[number], rank=rank)
    return tuple(lines)


def _about_others(kind: type[Command]) -> bool:
    """Orders about another nation come after those about one's own forces."""
    return any(field.kind in ("nation", "country") for field in fields(kind))
