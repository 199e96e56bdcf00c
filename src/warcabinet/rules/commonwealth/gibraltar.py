"""Gibraltar: its defense, its strait, activities on two fronts, ships that must leave it, submarine warfare (73)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.colonies import ReportSiege
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.events import ControlChanged
from warcabinet.model.happenings import WentBySea, deeds
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import NOWHERE, Place, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import kind_name
from warcabinet.rules.common.pieces import friendly, patron, side_of, units_at
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import nation_of, origin_of
from warcabinet.rules.common.ways import REDEPLOYMENTS, Past, must_pass
from warcabinet.rules.countries.displacement import PORTS, Port, friendly_port
from warcabinet.rules.countries.egypt import canal_open
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.geography import fronts
from warcabinet.rules.minors.operations import activity_of
from warcabinet.rules.minors.units import paying_front
from warcabinet.rules.minors.voyages import (
    AXIS,
    EVERY_VOYAGE,
    SOUTH_AFRICA,
    STRAITS,
    WEST,
    Sailed,
    Voyage,
    mediterranean,
    strait,
    voyages,
)

GIBRALTAR = place_key("Gibraltar")
BESIDE = place_key("europe/Z8")
STRAIT = "gibraltar"
#: Boxes from which the Mediterranean is reached through the Strait; a hex of the Atlantic stands for them.
ATLANTIC_BOXES = ("box/atlantic_us", "box/atlantic_sw", "box/murmansk")
ATLANTIC = place_key("Plymouth")
#: Boxes from which the Mediterranean is reached by the Atlantic or by the Indian Ocean.
BY_EITHER_OCEAN = (SOUTH_AFRICA, "box/pacific_us")
ATLANTIC_SW = "box/atlantic_sw"
FRONTS = ("western", "mediterranean")


# -- redeployments ------------------------------------------------------------------------------------------------


@strait("73.41", passes=lambda s, it: it.redeployed and GIBRALTAR in (it.origin, it.to))
def redeployed_to_gibraltar(s: State, it: Voyage) -> str | None:
    """Whoever controls Gibraltar redeploys by sea into and out of it, enemies beside it or not; nobody else does."""
    return None if strait_open(s, it.nation) else f"Gibraltar is not under the control of {called(it.nation)}'s side"


@definition("73.41", "Gibraltar is in enemy hands for a nation")
def gibraltar_hostile(s: State, nation: str) -> bool:
    foe = {AXIS: WEST, WEST: AXIS}.get(side_of(s, nation), "")
    return bool(foe) and friendly(s, GIBRALTAR, foe)


def _redeployed_at_z8(s: State, cmd: MoveUnits | ReportMove) -> bool:
    redeployed = cmd.how in REDEPLOYMENTS if isinstance(cmd, MoveUnits) else s.place.step.name == "redeployment"
    return redeployed and BESIDE in (cmd.to, origin_of(cmd))


@limit("73.41", on=(MoveUnits, ReportMove), when=_redeployed_at_z8)
def no_redeployment_at_z8(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Nobody redeploys into or out of Z8 while Gibraltar is in enemy hands."""
    return "Gibraltar, beside Z8, is in enemy hands" if gibraltar_hostile(s, nation_of(cmd)) else None


# -- the Strait ---------------------------------------------------------------------------------------------------


@definition("73.42", "A nation's side controls Gibraltar, and so the Strait")
def strait_open(s: State, nation: str) -> bool:
    return friendly(s, GIBRALTAR, side_of(s, nation))


def past_gibraltar(s: State, nation: str, origin: Place, to: Place, how: Past = must_pass, named: bool = False) -> bool:
    """Whether units redeployed by sea pass Gibraltar between the Atlantic and the Mediterranean, or say so."""
    if origin in BY_EITHER_OCEAN or to in BY_EITHER_OCEAN:
        # From South Africa and the Pacific the canal is another way (88.36), unless the Strait is named.
        near = to if origin in BY_EITHER_OCEAN else origin
        return mediterranean(near) and (named or not canal_open(s, patron(s, nation) or nation))
    here, there = (ATLANTIC if it in ATLANTIC_BOXES else it for it in (origin, to))
    return how(s, nation, STRAIT, here, there)


def _shut(s: State, it: Voyage) -> bool:
    """Whether a voyage leads past a Gibraltar that is not under friendly control."""
    if not it.redeployed or strait_open(s, it.nation):
        return False
    return past_gibraltar(s, it.nation, it.origin, it.to, it.past, named=it.through == "strait of gibraltar")


@strait("73.42", passes=_shut)
def redeployed_past_gibraltar(s: State, it: Voyage) -> Bound | str:
    """Nobody redeploys by sea past a Gibraltar that is not under friendly control; where an enemy holds it, one
    submarine factor a turn slips past for Germany and for the Western Allies.
    """
    if _slips_through(s, it):
        left = max(0, submarines_left_to_slip(s, _slipper(s, it.nation)))
        text = "submarine factors that slip past an enemy Gibraltar this turn"
        return Bound("count", most=left, text=text, clause="73.42")
    ordered = "" if it.how else "; a submarine that slips through is ordered to (move, how: naval redeployment)"
    return f"Gibraltar lies between {it.named[0]} and {it.named[1]}, and is not under friendly control{ordered}"


def _slips_through(s: State, it: Voyage) -> bool:
    """Whether a submarine goes past an enemy Gibraltar where one may: Germany also from the Atlantic SW box."""
    if not it.unit or kind_name(it.unit) != "submarine" or not gibraltar_hostile(s, it.nation):
        return False
    west = next((end for end in (it.origin, it.to) if not mediterranean(end)), NOWHERE)
    german = it.nation == "germany"
    return (german or side_of(s, it.nation) == WEST) and ("western" in fronts(west) or (german and west == ATLANTIC_SW))


@limit("73.42", on=EVERY_VOYAGE, covers=("73.31", "73.41", "74.31", "86.13"), excusable=True)
def straits_are_open(s: State, cmd: Sailed) -> Iterator[Finding]:
    """Units go by sea past straits that are open to their side, by order or report."""
    sailed = voyages(s, cmd)
    for row in STRAITS if sailed else ():
        for it in sailed:
            if row.passes(s, it) and (found := row.shuts(s, it)):
                yield Refusal(row.clause, found) if isinstance(found, str) else found
                break


@value("73.42")
def submarines_left_to_slip(s: State, side: str) -> int:
    """Submarine factors that may still slip past an enemy Gibraltar this turn, for Germany or the Western Allies."""
    return 1 - sum(count for it, count in deeds(s, WentBySea, "turn") if _slipped(s, it) == side)


def _slipped(s: State, it: WentBySea) -> str:
    """For whom submarines slipped past Gibraltar by a redeployment of this turn."""
    slipped = kind_name(it.unit) == "submarine" and past_gibraltar(s, it.nation, it.origin, it.to)
    return _slipper(s, it.nation) if slipped else ""


def _slipper(s: State, nation: str) -> str:
    return nation if nation == "germany" else side_of(s, nation)


LAND, INVASION = "attack", "seaborne invasion"
DEFENSE = {LAND: 5, INVASION: 6}
ASHORE = (INVASION, "shore bombardment")
#: What is paid for on the Mediterranean front, by which clause.
PAID_BY = {**dict.fromkeys(ASHORE, "73.31"), "sea transport": "73.32"}


# -- possession and defense ---------------------------------------------------------------------------------------


@value("73.11", "Gibraltar has no BRP value, whoever holds it")
def gibraltar_brps(s: State) -> int:
    return 0


@remembered("73.21", "By how much a siege has reduced the fortress, as reported")
def siege_of_gibraltar(s: State) -> int:
    return 0


@value("73.21")
def gibraltar_defense(s: State, attack: str) -> int:
    """The DM of Allied units in Gibraltar: +5 against land attack, +6 against invasion, less what a siege took."""
    return max(0, DEFENSE.get(attack, 0) - siege_of_gibraltar(s))


@order("73.21", "A siege reduces the fortress of Gibraltar, or is over", on=ReportSiege)
def report_siege(p: Proceedings, cmd: ReportSiege) -> None:
    siege_of_gibraltar.note(p, cmd.reduced_by, "as reported")


@effect("73.21", on=ControlChanged, when=lambda s, changed: GIBRALTAR in changed.places and siege_of_gibraltar(s) > 0)
def siege_is_over(p: Proceedings, changed: ControlChanged) -> None:
    """The siege is over once Gibraltar has changed hands."""
    siege_of_gibraltar.forget(p)


@barred(
    "73.21",
    acts=("attack",),
    when=lambda s, it: it.exact and it.at == GIBRALTAR and it.how == "attack" and it.cmd.branch == "ground",
)
def gibraltar_defends(s: State, it: Presence) -> str | None:
    """Allied units in Gibraltar defend with the fortress, the mountain and the beach."""
    told, right = it.cmd.defender_dm, gibraltar_defense(s, activity_of(it.cmd))
    if told in (None, right) or not friendly(s, it.at, WEST):
        return None
    return f"units in Gibraltar defend against this with a DM of {right:+}, not {told:+}"


# -- activities on two fronts -------------------------------------------------------------------------------------


@value("73.31", displaces=paying_front, when=lambda s, activity, place: activity in PAID_BY and place == GIBRALTAR)
def gibraltar_pays_on(s: State, activity: str, place: Place) -> str:
    """Invasions, shore bombardment of Gibraltar and sea transport to it are paid for on the Mediterranean front."""
    if activity == "sea transport":
        note("sea_transport", "73.32", "mediterranean", place)
    return "mediterranean"


@strait("73.31", passes=lambda s, it: it.to == GIBRALTAR and it.how in ASHORE and it.origin != "")
def invaded_from_two_fronts(s: State, it: Voyage) -> str | None:
    """Gibraltar is invaded and bombarded from the western or the Mediterranean front."""
    if _on_front(it.origin, *FRONTS):
        return None
    return f"{it.named[0]} is on neither the western nor the Mediterranean front"


def _on_front(key: Place, *names: str) -> bool:
    """Whether a port lies on one of some fronts; to which of them boxes of the Atlantic belong is told elsewhere."""
    return key in ATLANTIC_BOXES or bool(set(fronts(key)) & set(names))


@limit("73.32", on=ReportOperation, when=lambda s, cmd: cmd.at == GIBRALTAR, covers=("73.31",))
def fronts_of_gibraltar(s: State, cmd: ReportOperation) -> Refusal | None:
    """What goes to Gibraltar is paid for on the Mediterranean front, and intercepted only on its own front.

    That is invasions, shore bombardment and sea transport.
    """
    activity = activity_of(cmd)
    if activity in PAID_BY:
        right = paying_front(s, activity, cmd.at)
        told = f"{activity} at Gibraltar is paid for on the {right} front, not the {cmd.front} one"
        return None if cmd.front in ("", right) else Refusal(PAID_BY[activity], told)
    if cmd.mission != "intercept naval mission" or (cmd.front in FRONTS and not cmd.origin):
        return None
    told = "say on which front the activity to or from Gibraltar takes place (front: western or mediterranean)"
    if cmd.front in FRONTS:
        told = f"units based in {place_called(cmd.origin)} do not intercept on the {cmd.front} front"
    return None if cmd.front in FRONTS and _on_front(cmd.origin, cmd.front) else Refusal("73.33", told)


# -- oil, displaced ships, submarine warfare ----------------------------------------------------------------------


@value("73.51", "The fronts from which Gibraltar may draw oil: either of them, or both")
def gibraltar_oil(s: State) -> tuple[str, ...]:
    return FRONTS


def leaving_gibraltar(s: State) -> list[Stack]:
    """Ships in Gibraltar whose enemies hold it."""
    there, held_by = units_at(s, GIBRALTAR), holder(s, GIBRALTAR)
    strangers = [it for it in there if it.nation != held_by and it.branch == "naval"]
    return [it for it in strangers if gibraltar_hostile(s, it.nation)] if strangers else strangers


def _on_neither_front(s: State, cmd: DisplaceFleet) -> str | None:
    """Ships displaced from Gibraltar go to a friendly port on the western or the Mediterranean front, as they like."""
    to = cmd.to
    if not set(fronts(to)) & set(FRONTS):
        return "ships displaced from Gibraltar go to the western or the Mediterranean front"
    return None if friendly_port(s, to, side_of(s, cmd.nation)) else f"{place_called(cmd.to)} is no friendly port"


PORTS.append(Port("73.61", frozenset((GIBRALTAR,)), leaving_gibraltar, _on_neither_front, no_other_way=False))


@value("73.71")
def gibraltar_submarine_modifier(s: State) -> int:
    """What Gibraltar adds for the Axis to dice rolls of submarine warfare combat: 1, held and fully supplied."""
    supplied = any(fully_supplied(s, power, GIBRALTAR) for power in ("germany", "italy"))
    return 1 if friendly(s, GIBRALTAR, AXIS) and supplied else 0
