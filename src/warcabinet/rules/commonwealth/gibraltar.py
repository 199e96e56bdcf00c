"""Gibraltar: its defense, activities on two fronts, ships that must leave it, submarine warfare (73)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.commands.colonies import ReportSiege
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import friendly, side_of, units_at
from warcabinet.rules.commonwealth.gibraltar_strait import (
    FRONTS,
    GIBRALTAR,
    gibraltar_hostile,
    submarines_left_to_slip,
)
from warcabinet.rules.countries.displacement import friendly_port, must_leave, still_there
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.countries.middle_east import AXIS, WEST
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import effect, limit, order, remembered, value
from warcabinet.rules.minors.geography import fronts
from warcabinet.rules.minors.operations import activity_of
from warcabinet.rules.minors.paying import paying_front

LAND, INVASION = "attack", "seaborne invasion"
DEFENSE = {LAND: 5, INVASION: 6}


def _at_gibraltar(cmd: ReportOperation) -> bool:
    return bool(cmd.at) and place_key(cmd.at) == GIBRALTAR


# -- possession and defense ---------------------------------------------------------------------------------------


@value("73.11", "Gibraltar has no BRP value, whoever holds it")
def gibraltar_brps(s: State) -> int:
    return 0


@remembered("73.21", "By how much a siege has reduced the fortress, as reported")
def siege_of_gibraltar(s: State) -> int:
    return 0


@value(
    "73.21", "The DM of Allied units in Gibraltar: +5 against land attack, +6 against invasion, less what a siege took"
)
def gibraltar_defense(s: State, attack: str) -> int:
    return max(0, DEFENSE.get(attack, 0) - siege_of_gibraltar(s))


@order("73.21", "A siege reduces the fortress of Gibraltar, or is over", on=ReportSiege)
def report_siege(p: Proceedings, cmd: ReportSiege) -> None:
    siege_of_gibraltar.note(p, cmd.reduced_by, "as reported")


@effect(
    "73.21",
    "The siege is over once Gibraltar has changed hands",
    on=ControlChanged,
    when=lambda s, changed: GIBRALTAR in changed.places and siege_of_gibraltar(s) > 0,
)
def siege_is_over(p: Proceedings, changed: ControlChanged) -> None:
    siege_of_gibraltar.forget(p)


@limit(
    "73.21",
    "Allied units in Gibraltar defend with the fortress, the mountain and the beach",
    on=ReportOperation,
    when=lambda s, cmd: (
        _at_gibraltar(cmd) and cmd.branch == "ground" and cmd.mission == "attack" and friendly(s, GIBRALTAR, WEST)
    ),
)
def gibraltar_defends(s: State, cmd: ReportOperation) -> str | None:
    if cmd.defender_dm is None:
        return None
    right = gibraltar_defense(s, activity_of(cmd))
    if cmd.defender_dm == right:
        return None
    return unless_excused(
        cmd, f"units in Gibraltar defend against this with a DM of {right:+}, not {cmd.defender_dm:+}"
    )


# -- activities on two fronts -------------------------------------------------------------------------------------


@value(
    "73.31",
    "Invasions and shore bombardment of Gibraltar are paid for on the Mediterranean front",
    displaces=paying_front,
    when=lambda s, activity, place: (
        activity in ("seaborne invasion", "shore bombardment") and place_key(place) == GIBRALTAR
    ),
)
def invasion_paid_on(s: State, activity: str, place: str) -> str:
    return "mediterranean"


@value(
    "73.32",
    "Sea transport to Gibraltar is paid for on the Mediterranean front",
    displaces=paying_front,
    when=lambda s, activity, place: activity == "sea transport" and place_key(place) == GIBRALTAR,
)
def transport_paid_on(s: State, activity: str, place: str) -> str:
    return "mediterranean"


def _paid_elsewhere(s: State, cmd: ReportOperation) -> str | None:
    right = paying_front(s, activity_of(cmd), cmd.at)
    if cmd.front in ("", right):
        return None
    return f"{activity_of(cmd)} at Gibraltar is paid for on the {right} front, not the {cmd.front} one"


def _comes_ashore(s: State, cmd: ReportOperation) -> bool:
    return _at_gibraltar(cmd) and activity_of(cmd) in ("seaborne invasion", "shore bombardment")


@limit(
    "73.31",
    "Gibraltar is invaded and bombarded from the western or the Mediterranean front, paid for on the latter",
    on=ReportOperation,
    when=_comes_ashore,
)
def invaded_from_two_fronts(s: State, cmd: ReportOperation) -> str | None:
    if cmd.origin and not _on_two_fronts(place_key(cmd.origin)):
        return f"ships based in {cmd.origin} are on neither the western nor the Mediterranean front"
    return _paid_elsewhere(s, cmd)


def _on_two_fronts(key: str) -> bool:
    """Whether a port lies on one of the two fronts; what a box belongs to is told elsewhere."""
    return key.startswith("box/") or bool(set(fronts(key)) & set(FRONTS))


@limit(
    "73.31",
    "Invaders sail to Gibraltar from the western or the Mediterranean front",
    on=MoveUnits,
    when=lambda s, cmd: cmd.how == "seaborne invasion" and place_key(cmd.to) == GIBRALTAR,
)
def invaders_from_two_fronts(s: State, cmd: MoveUnits) -> str | None:
    if _on_two_fronts(place_key(cmd.from_)):
        return None
    return f"{cmd.from_} is on neither the western nor the Mediterranean front"


@limit(
    "73.32",
    "Sea transport to Gibraltar is paid for on the Mediterranean front",
    on=ReportOperation,
    when=lambda s, cmd: _at_gibraltar(cmd) and cmd.mission == "sea transport",
)
def transport_to_gibraltar(s: State, cmd: ReportOperation) -> str | None:
    return _paid_elsewhere(s, cmd)


@limit(
    "73.33",
    "What sails to or from Gibraltar is intercepted only on the front on which it does so",
    on=ReportOperation,
    when=lambda s, cmd: _at_gibraltar(cmd) and cmd.mission == "intercept naval mission",
)
def intercepted_on_its_front(s: State, cmd: ReportOperation) -> str | None:
    if cmd.front not in FRONTS:
        return "say on which front the activity to or from Gibraltar takes place (front: western or mediterranean)"
    if not cmd.origin or place_key(cmd.origin).startswith("box/") or cmd.front in fronts(place_key(cmd.origin)):
        return None
    return f"units based in {cmd.origin} do not intercept on the {cmd.front} front"


# -- oil, displaced ships, submarine warfare ----------------------------------------------------------------------


@value("73.51", "The fronts from which Gibraltar may draw oil: either of them, or both")
def gibraltar_oil(s: State) -> tuple[str, ...]:
    return FRONTS


@must_leave
def leaving_gibraltar(s: State) -> list[Stack]:
    """Ships in Gibraltar whose enemies hold it."""
    there, held_by = units_at(s, GIBRALTAR), holder(s, GIBRALTAR)
    strangers = [it for it in there if it.nation != held_by and it.branch == "naval"]
    return [it for it in strangers if gibraltar_hostile(s, it.nation)] if strangers else strangers


@limit(
    "73.61",
    "Ships displaced from Gibraltar go to a friendly port on the western or the Mediterranean front, as they like",
    on=DisplaceFleet,
    when=lambda s, cmd: place_key(cmd.from_) == GIBRALTAR,
)
def displaced_from_gibraltar(s: State, cmd: DisplaceFleet) -> str | None:
    to = place_key(cmd.to)
    if not set(fronts(to)) & set(FRONTS):
        return "ships displaced from Gibraltar go to the western or the Mediterranean front"
    return None if friendly_port(s, to, side_of(s, cmd.nation)) else f"{cmd.to} is no friendly port"


@limit(
    "73.61",
    "Ships leave a Gibraltar that has fallen before play goes on",
    on=Advance,
    when=lambda s, cmd: bool(leaving_gibraltar(s)),
)
def gibraltar_cleared(s: State, cmd: Advance) -> str:
    return still_there(leaving_gibraltar(s))


@value(
    "73.71", "What Gibraltar adds for the Axis to dice rolls of submarine warfare combat: 1, held and fully supplied"
)
def gibraltar_submarine_modifier(s: State) -> int:
    supplied = any(fully_supplied(s, power, GIBRALTAR) for power in ("germany", "italy"))
    return 1 if friendly(s, GIBRALTAR, AXIS) and supplied else 0


# -- as a player sees it ------------------------------------------------------------------------------------------


@tells_of(GIBRALTAR, "spain", "spanish_morocco")
def gibraltar_now(s: State) -> Iterator[Told]:
    yield Told("73.11", f"Gibraltar is held by {called(holder(s, GIBRALTAR))}; it is worth {gibraltar_brps(s)} BRPs")
    dms = f"{gibraltar_defense(s, LAND):+} by land, {gibraltar_defense(s, INVASION):+} against invasion"
    yield Told("73.21", f"DM of Allied units in Gibraltar: {dms}")
    yield Told("73.31", "invaded and bombarded from either front; all of it is paid for on the Mediterranean front")
    yield Told("73.33", "what sails to or from Gibraltar is intercepted only on the front on which it does so")
    names = {WEST: "the Western Allies", AXIS: "the Axis"}
    held = next((told for side, told in names.items() if friendly(s, GIBRALTAR, side)), "")
    yield Told("73.42", f"naval redeployments past Gibraltar are open to {held or 'nobody'}")
    if friendly(s, GIBRALTAR, WEST):
        left = submarines_left_to_slip(s, "germany")
        yield Told("73.42", f"Germany may redeploy {max(0, left)} more submarine factor past it this turn")
    yield Told("73.51", f"Gibraltar draws oil from the {' or the '.join(gibraltar_oil(s))} front, or both")
    favor = gibraltar_submarine_modifier(s)
    yield Told(
        "73.71", f"submarine warfare dice rolls: {favor} in favor of the Axis; 1 once it holds and fully supplies it"
    )
