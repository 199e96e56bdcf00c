"""The Strait of Gibraltar: redeployments to the fortress, beside it and past it (73.4)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import kind_name
from warcabinet.rules.common.boxes import REDEPLOYMENTS
from warcabinet.rules.common.departures import goal_of, nation_of, origin_of
from warcabinet.rules.common.pieces import friendly, patron, side_of
from warcabinet.rules.common.straits import Past, must_pass
from warcabinet.rules.countries.middle_east import AXIS, SOUTH_AFRICA, WEST, mediterranean
from warcabinet.rules.countries.suez import canal_open
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.geography import fronts
from warcabinet.rules.minors.voyages import Voyage, strait, voyages

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


@strait("73.41", on=(MoveUnits, ReportMove), passes=lambda s, it: it.redeployed and GIBRALTAR in (it.origin, it.to))
def redeployed_to_gibraltar(s: State, it: Voyage) -> str | None:
    """Whoever controls Gibraltar redeploys by sea into and out of it, enemies beside it or not; nobody else does."""
    if friendly(s, GIBRALTAR, side_of(s, it.nation)):
        return None
    return f"Gibraltar is not under the control of {called(it.nation)}'s side"


@definition("73.41", "Gibraltar is in enemy hands for a nation")
def gibraltar_hostile(s: State, nation: str) -> bool:
    foe = {AXIS: WEST, WEST: AXIS}.get(side_of(s, nation), "")
    return bool(foe) and friendly(s, GIBRALTAR, foe)


def _redeployed_at_z8(s: State, cmd: MoveUnits | ReportMove) -> bool:
    redeployed = cmd.how in REDEPLOYMENTS if isinstance(cmd, MoveUnits) else s.place.step.name == "redeployment"
    return redeployed and BESIDE in (origin_of(cmd), goal_of(cmd))


@limit("73.41", on=(MoveUnits, ReportMove), when=_redeployed_at_z8)
def no_redeployment_at_z8(s: State, cmd: MoveUnits | ReportMove) -> str | None:
    """Nobody redeploys into or out of Z8 while Gibraltar is in enemy hands."""
    return "Gibraltar, beside Z8, is in enemy hands" if gibraltar_hostile(s, nation_of(cmd)) else None


# -- the Strait ---------------------------------------------------------------------------------------------------


@definition("73.42", "A nation's side controls Gibraltar, and so the Strait")
def strait_open(s: State, nation: str) -> bool:
    return friendly(s, GIBRALTAR, side_of(s, nation))


def past_gibraltar(s: State, nation: str, origin: str, to: str, how: Past = must_pass) -> bool:
    """Whether units redeployed by sea pass Gibraltar between the Atlantic and the Mediterranean."""
    far = next((it for it in (origin, to) if it in BY_EITHER_OCEAN), "")
    if far:
        # From South Africa and the Pacific the canal is another way (88.36).
        return mediterranean(to if origin == far else origin) and not canal_open(s, patron(s, nation) or nation)
    here, there = (ATLANTIC if it in ATLANTIC_BOXES else it for it in (origin, to))
    return how(s, nation, STRAIT, here, there)


def _passes(s: State, it: Voyage) -> bool:
    return it.redeployed and past_gibraltar(s, it.nation, it.origin, it.to, it.past)


@strait("73.42", on=(MoveUnits, ReportMove), passes=lambda s, it: not strait_open(s, it.nation) and _passes(s, it))
def redeployed_past_gibraltar(s: State, it: Voyage) -> str | None:
    """Nobody redeploys by sea past a Gibraltar that is not under friendly control."""
    ordered = "" if it.how else "; a submarine that slips through is ordered to (move, how: naval redeployment)"
    return f"Gibraltar lies between {it.named[0]} and {it.named[1]}, and is not under friendly control{ordered}"


def _slips_through(s: State, cmd: MoveUnits) -> bool:
    """Whether a submarine goes past an enemy Gibraltar where one may: Germany also from the Atlantic SW box."""
    if kind_name(cmd.unit) != "submarine" or not gibraltar_hostile(s, cmd.nation):
        return False
    if not any(_passes(s, it) for it in voyages(s, cmd)):
        return False
    west = next((it for it in (place_key(cmd.from_), place_key(cmd.to)) if not mediterranean(it)), "")
    if cmd.nation == "germany":
        return west == ATLANTIC_SW or "western" in fronts(west)
    return side_of(s, cmd.nation) == WEST and "western" in fronts(west)


@value("73.42")
def submarines_left_to_slip(s: State, side: str) -> int:
    """Submarine factors that may still slip past an enemy Gibraltar this turn, for Germany or the Western Allies."""
    since = s.since("turn")
    done = (it for it in s.happenings if it.moment >= since and it.kind.startswith("sailed from "))
    return 1 - sum(it.amount for it in done if _slipped(s, it.kind, it.key) == side)


def _slipped(s: State, kind: str, key: str) -> str:
    """For whom submarines slipped past Gibraltar by a redeployment of this turn."""
    nation, _, unit = key.partition(" ")
    origin, _, to = kind.removeprefix("sailed from ").partition(" to ")
    if kind_name(unit) != "submarine" or not past_gibraltar(s, nation, origin, to):
        return ""
    return _slipper(s, nation)


def _slipper(s: State, nation: str) -> str:
    return nation if nation == "germany" else side_of(s, nation)


@limit("73.42", on=MoveUnits, displaces=redeployed_past_gibraltar, when=_slips_through)
def submarines_slip_past(s: State, cmd: MoveUnits) -> Bound:
    """One submarine factor a turn slips past an enemy Gibraltar, for Germany and for the Western Allies."""
    left = max(0, submarines_left_to_slip(s, _slipper(s, cmd.nation)))
    return Bound("count", most=left, text="submarine factors that slip past an enemy Gibraltar this turn")
