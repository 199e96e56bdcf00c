"""Denmark: it does not resist Germany, and whoever holds it shuts the Kattegat (86.1)."""

from __future__ import annotations

from warcabinet.board.maps import europe
from warcabinet.board.seas import passages
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.events import AreaTaken, ControlChanged, WarBegan
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, area_holder, board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war, went_to_war
from warcabinet.rules.common.boxes import BY_SEA
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import BOUND, armed_units_at, patron
from warcabinet.rules.common.promises import lapse
from warcabinet.rules.common.straits import Past, carried_past, must_pass, redeploys_by_sea
from warcabinet.rules.countries.finland import finland_joins
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, effect, limit
from warcabinet.rules.minors.association import associate_survivor
from warcabinet.rules.minors.first_turn import newly_attacked
from warcabinet.rules.minors.operations import sails
from warcabinet.rules.minors.pacific import philippines_will_pay
from warcabinet.rules.minors.status import change_status, make_peace

KATTEGAT = "kattegat"
#: A hex of the Atlantic, which stands for all that lies beyond it.
ATLANTIC = place_key("Plymouth")


@effect(
    "86.122",
    "Denmark does not resist Germany: all its hexes are German from the start of the player turn, its BRPs follow",
    on=WarBegan,
    after=philippines_will_pay,
    before=finland_joins,
    # With a garrison that fights Germany it has joined the garrison's power instead (82.34).
    when=lambda s, began: (
        "denmark" in began.between and began.declared_by == "germany" and s.countries["denmark"].status not in BOUND
    ),
)
def denmark_does_not_resist(p: Proceedings, began: WarBegan) -> None:
    was = area_holder(p.s, "denmark")
    p.do(ControlChanged(_undefended(p.s), "germany", backdated=True))
    p.do(AreaTaken("denmark", was, "germany"))
    lapse(p, "denmark", "it does not resist", associate_survivor)
    change_status(p, "denmark", "conquered", "germany", "86.122", "it does not resist German occupation")
    make_peace(p, "denmark")


def _undefended(s: State) -> tuple[str, ...]:
    """The Danish hexes that pass to Germany: those in which no enemies of Germany stand, or all of them (R-1864)."""
    return tuple(
        it for it in home_hexes("denmark") if not any(_fights_germany(s, unit) for unit in armed_units_at(s, it))
    )


def _fights_germany(s: State, stack: Stack) -> bool:
    leader = patron(s, stack.nation)
    return leader != "" and at_war(s, "germany", leader)


@definition(
    "86.122",
    "In the turn of the German declaration of war all Danish hexes are fully supplied by Germany",
    displaces=fully_supplied,
    when=lambda s, power, place: (
        power == "germany"
        and place_key(place) in home_hexes("denmark")
        and s.countries["denmark"].by == "germany"
        and went_to_war(s, "germany", "denmark")
        and newly_attacked(s, "denmark")
    ),
)
def danish_hexes_supplied(s: State, power: str, place: str) -> bool:
    return holder(s, place_key(place)) == "germany"


# -- the Kattegat -------------------------------------------------------------------------------------------------


@definition("86.13", "Ships pass the Kattegat only while Copenhagen and H33 are in friendly or neutral hands")
def kattegat_open(s: State, nation: str) -> bool:
    shores = passages(europe())[KATTEGAT].needs
    return not any(_hostile(s, nation, holder(s, f"europe/{id_}")) for id_ in shores)


def _hostile(s: State, nation: str, held_by: str) -> bool:
    """Whether a holder is an enemy: himself at war with the nation or its power, or beside someone who is."""
    if held_by == PARTISANS:
        return True
    mine = {nation, patron(s, nation)} - {""}
    theirs = {held_by, patron(s, held_by) if held_by in s.countries else ""} - {""}
    return any(at_war(s, one, other) for one in mine for other in theirs)


def only_by_kattegat(s: State, nation: str, origin: str, to: str, how: Past = must_pass) -> bool:
    """Whether a nation's ships get from one place to another through the Kattegat and in no other way.

    Whatever lies off the board, boxes and the Pacific, is reached from the Baltic over the Atlantic.
    """
    here, there = (it if board_of(it) == europe().name else ATLANTIC for it in (origin, to))
    return how(s, nation, KATTEGAT, here, there)


def _shut(s: State, nation: str, origin: str, to: str) -> str | None:
    if kattegat_open(s, nation):
        return None
    return f"the Kattegat lies between {origin} and {to}, and an enemy of {called(nation)} holds Copenhagen or H33"


def _by_sea(s: State, cmd: MoveUnits) -> bool:
    """Whether units go by sea; aircraft that change base fly."""
    branch = parse_unit(cmd.unit)[0].branch
    carried = cmd.how in BY_SEA and (branch, cmd.how) != ("air", "base change")
    return carried or branch == "naval" or redeploys_by_sea(s, cmd)


@limit(
    "86.13",
    "Ships, and units that they carry, do not pass a Kattegat that an enemy shuts",
    on=MoveUnits,
    when=lambda s, cmd: _by_sea(s, cmd) and only_by_kattegat(s, cmd.nation, place_key(cmd.from_), place_key(cmd.to)),
)
def moves_by_kattegat(s: State, cmd: MoveUnits) -> str | None:
    return _shut(s, cmd.nation, cmd.from_, cmd.to)


@limit(
    "86.13",
    "Reported ships have not passed a Kattegat that an enemy shuts",
    on=ReportMove,
    when=lambda s, cmd: (
        any(parse_unit(unit)[0].branch == "naval" for unit in counted(cmd.units))
        and only_by_kattegat(s, cmd.power, place_key(cmd.origin), place_key(cmd.to))
    ),
)
def ships_moved_by_kattegat(s: State, cmd: ReportMove) -> str | None:
    return _shut(s, cmd.power, cmd.origin, cmd.to)


@limit(
    "86.13",
    "Reported troops that could come by sea only have not passed a Kattegat that an enemy shuts",
    on=ReportMove,
    when=lambda s, cmd: (
        not kattegat_open(s, cmd.power)  # the least costly question first: it is mostly open
        and any(parse_unit(unit)[0].branch == "ground" for unit in counted(cmd.units))
        and only_by_kattegat(s, cmd.power, place_key(cmd.origin), place_key(cmd.to), carried_past)
    ),
)
def troops_moved_by_kattegat(s: State, cmd: ReportMove) -> str | None:
    told = _shut(s, cmd.power, cmd.origin, cmd.to)
    return unless_excused(cmd, told) if told else None


def _bound_for(cmd: ReportOperation) -> str:
    """Where an operation leads; raiders that name no place go out on the oceans."""
    return place_key(cmd.at) if cmd.at else ATLANTIC if cmd.mission == "raid" else ""


@limit(
    "86.13",
    "Nobody sails or lands beyond a Kattegat that an enemy shuts: D35 is not invaded from the Baltic",
    on=ReportOperation,
    when=lambda s, cmd: (
        bool(_bound_for(cmd) and cmd.origin)
        and sails(cmd)
        and only_by_kattegat(s, cmd.nation, place_key(cmd.origin), _bound_for(cmd))
    ),
)
def operates_by_kattegat(s: State, cmd: ReportOperation) -> str | None:
    return _shut(s, cmd.nation, cmd.origin, cmd.at or "the Atlantic")
