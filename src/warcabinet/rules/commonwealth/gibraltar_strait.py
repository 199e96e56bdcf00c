"""The Strait of Gibraltar: redeployments to the fortress, beside it and past it (73.4)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.boxes import NR, REDEPLOYMENTS
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import friendly, patron, side_of
from warcabinet.rules.common.straits import Past, carried_past, must_pass, redeploys_by_sea
from warcabinet.rules.countries.middle_east import AXIS, SOUTH_AFRICA, WEST, mediterranean
from warcabinet.rules.countries.suez import canal_open
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.geography import fronts

GIBRALTAR = place_key("Gibraltar")
BESIDE = place_key("europe/Z8")
STRAIT = "gibraltar"
#: Boxes from which the Mediterranean is reached through the Strait; a hex of the Atlantic stands for them.
ATLANTIC_BOXES = ("box/atlantic_us", "box/atlantic_sw", "box/murmansk")
ATLANTIC = place_key("Plymouth")
ATLANTIC_SW = "box/atlantic_sw"
FRONTS = ("western", "mediterranean")


# -- redeployments ------------------------------------------------------------------------------------------------


def _by_sea(s: State, cmd: MoveUnits) -> bool:
    return cmd.how == NR or redeploys_by_sea(s, cmd)


@limit(
    "73.41",
    "Whoever controls Gibraltar redeploys by sea into and out of it, enemies beside it or not; nobody else does",
    on=MoveUnits,
    when=lambda s, cmd: GIBRALTAR in (place_key(cmd.to), place_key(cmd.from_)) and _by_sea(s, cmd),
)
def redeployed_to_gibraltar(s: State, cmd: MoveUnits) -> str | None:
    if friendly(s, GIBRALTAR, side_of(s, cmd.nation)):
        return None
    return f"Gibraltar is not under the control of {called(cmd.nation)}'s side"


@limit(
    "73.41",
    "Only units of the side that controls Gibraltar are reported to have been redeployed into or out of it",
    on=ReportMove,
    when=lambda s, cmd: (
        GIBRALTAR in (place_key(cmd.to), place_key(cmd.origin))
        and s.place.step.name == "redeployment"
        and any(parse_unit(unit)[0].branch in ("naval", "ground") for unit in counted(cmd.units))
    ),
)
def reported_to_gibraltar(s: State, cmd: ReportMove) -> str | None:
    if friendly(s, GIBRALTAR, side_of(s, cmd.power)):
        return None
    return unless_excused(cmd, f"Gibraltar is not under the control of {called(cmd.power)}'s side")


@definition("73.41", "Gibraltar is in enemy hands for a nation")
def gibraltar_hostile(s: State, nation: str) -> bool:
    foe = {AXIS: WEST, WEST: AXIS}.get(side_of(s, nation), "")
    return bool(foe) and friendly(s, GIBRALTAR, foe)


@limit(
    "73.41",
    "Nobody redeploys into or out of Z8 while Gibraltar is in enemy hands",
    on=MoveUnits,
    when=lambda s, cmd: cmd.how in REDEPLOYMENTS and BESIDE in (place_key(cmd.to), place_key(cmd.from_)),
)
def no_redeployment_at_z8(s: State, cmd: MoveUnits) -> str | None:
    return "Gibraltar, beside Z8, is in enemy hands" if gibraltar_hostile(s, cmd.nation) else None


@limit(
    "73.41",
    "No redeployment into or out of Z8 is reported while Gibraltar is in enemy hands",
    on=ReportMove,
    when=lambda s, cmd: s.place.step.name == "redeployment" and BESIDE in (place_key(cmd.to), place_key(cmd.origin)),
)
def no_reported_redeployment_at_z8(s: State, cmd: ReportMove) -> str | None:
    return "Gibraltar, beside Z8, is in enemy hands" if gibraltar_hostile(s, cmd.power) else None


# -- the Strait ---------------------------------------------------------------------------------------------------


@definition("73.42", "A nation's side controls Gibraltar, and so the Strait")
def strait_open(s: State, nation: str) -> bool:
    return friendly(s, GIBRALTAR, side_of(s, nation))


def past_gibraltar(s: State, nation: str, origin: str, to: str, how: Past = must_pass) -> bool:
    """Whether units redeployed by sea pass Gibraltar between the Atlantic and the Mediterranean."""
    if SOUTH_AFRICA in (origin, to):
        # To and from South Africa the canal is another way (88.36).
        other = to if origin == SOUTH_AFRICA else origin
        return mediterranean(other) and not canal_open(s, patron(s, nation) or nation)
    here, there = (ATLANTIC if it in ATLANTIC_BOXES else it for it in (origin, to))
    return how(s, nation, STRAIT, here, there)


def _passes(s: State, cmd: MoveUnits) -> bool:
    return _by_sea(s, cmd) and past_gibraltar(s, cmd.nation, place_key(cmd.from_), place_key(cmd.to))


@limit(
    "73.42",
    "Nobody redeploys by sea past a Gibraltar that is not under friendly control",
    on=MoveUnits,
    when=_passes,
)
def redeployed_past_gibraltar(s: State, cmd: MoveUnits) -> str | None:
    if strait_open(s, cmd.nation):
        return None
    return _between(cmd.from_, cmd.to)


def _between(origin: str, to: str) -> str:
    return f"Gibraltar lies between {origin} and {to}, and is not under friendly control"


def _slips_through(s: State, cmd: MoveUnits) -> bool:
    """Whether a submarine goes past an enemy Gibraltar where one may: Germany also from the Atlantic SW box."""
    if not (_passes(s, cmd) and kind_name(cmd.unit) == "submarine" and gibraltar_hostile(s, cmd.nation)):
        return False
    west = next((it for it in (place_key(cmd.from_), place_key(cmd.to)) if not mediterranean(it)), "")
    if cmd.nation == "germany":
        return west == ATLANTIC_SW or "western" in fronts(west)
    return side_of(s, cmd.nation) == WEST and "western" in fronts(west)


@value(
    "73.42",
    "Submarine factors that may still slip past an enemy Gibraltar this turn, for Germany or the Western Allies",
)
def submarines_left_to_slip(s: State, side: str) -> int:
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


@limit(
    "73.42",
    "One submarine factor a turn slips past an enemy Gibraltar, for Germany and for the Western Allies",
    on=MoveUnits,
    displaces=redeployed_past_gibraltar,
    when=_slips_through,
)
def submarines_slip_past(s: State, cmd: MoveUnits) -> Bound:
    left = max(0, submarines_left_to_slip(s, _slipper(s, cmd.nation)))
    return Bound("count", most=left, text="submarine factors that slip past an enemy Gibraltar this turn")


@limit(
    "73.42",
    "Ships are not reported to have been redeployed past a Gibraltar that is not under friendly control",
    on=ReportMove,
    when=lambda s, cmd: (
        s.place.step.name == "redeployment"
        and any(parse_unit(unit)[0].branch == "naval" for unit in counted(cmd.units))
        and past_gibraltar(s, cmd.power, place_key(cmd.origin), place_key(cmd.to))
    ),
)
def reported_past_gibraltar(s: State, cmd: ReportMove) -> str | None:
    if strait_open(s, cmd.power):
        return None
    return (
        f"{_between(cmd.origin, cmd.to)}; a submarine that slips through is ordered to (move, how: naval redeployment)"
    )


@limit(
    "73.42",
    "Troops that could come by sea only are not reported redeployed past a Gibraltar that is not friendly",
    on=ReportMove,
    when=lambda s, cmd: (
        s.place.step.name == "redeployment"
        and not strait_open(s, cmd.power)
        and any(parse_unit(unit)[0].branch == "ground" for unit in counted(cmd.units))
        and past_gibraltar(s, cmd.power, place_key(cmd.origin), place_key(cmd.to), carried_past)
    ),
)
def troops_reported_past_gibraltar(s: State, cmd: ReportMove) -> str | None:
    return unless_excused(cmd, _between(cmd.origin, cmd.to))
