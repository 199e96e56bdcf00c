"""How units enter the Australia and India boxes and leave them, in each phase (71.22, 71.23, 72.22, 72.23)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.board.maps import by_key, pacific
from warcabinet.board.names import places_at
from warcabinet.board.supply import reach
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import kind_name, parse_unit, unit_factors
from warcabinet.rules.common.boxes import NR, REDEPLOYMENTS, SR, TR, linked
from warcabinet.rules.common.pieces import friendly, side_of, units_at
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    JAPAN,
    WEST,
    box_of,
    clause,
    country_in,
    factors_in_box,
    factors_that_stay,
    has_surrendered,
    joined_by_land,
)
from warcabinet.rules.countries.middle_east import mediterranean
from warcabinet.rules.kinds import definition, limit

#: By which ways units of each branch come in the movement phase, and the number of the clause that says so.
IN_MOVEMENT = {
    "ground": ("221A", ("movement", "sea transport")),
    "air": ("221B", ("staging", "sea transport")),
    "naval": ("221C", ("base change",)),
}
COMBAT_WAYS = ("exploitation", "advance", "seaborne invasion")


def branch_of(unit: str) -> str:
    """Whether a unit comes like ground units, aircraft or ships."""
    branch = parse_unit(unit)[0].branch
    return branch if branch in IN_MOVEMENT else "ground"


def entered(cmd: MoveUnits) -> str:
    """The country whose box an order leads into from outside, if any."""
    return "" if place_key(cmd.from_) == place_key(cmd.to) else country_in(cmd.to)


def left(cmd: MoveUnits) -> str:
    """The country whose box an order leads out of, if any."""
    return "" if place_key(cmd.from_) == place_key(cmd.to) else country_in(cmd.from_)


# -- where a way has its other end --------------------------------------------------------------------------------


def pacific_port(s: State, place: str) -> bool:
    """A port on the Pacific board in Western Allied hands."""
    on_board = place.startswith("pacific/") and any(it.has("port") for it in places_at(place))
    return on_board and friendly(s, place, WEST)


def _over_held_land(s: State, country: str, place: str) -> bool:
    """Whether land that the Western Allies hold leads from a place to the edge beside a country's box."""
    one, edge = pacific(), box(BOXED[country].box).hexes("ground")
    return bool(reach(one, edge, passable(s, one, "britain")) & one.bits((place,)))


def _redeployed_by_land(s: State, country: str, how: str, place: str) -> bool:
    """Whether a place is one from which units are redeployed to a box by land, over land that is held."""
    if not place.startswith("pacific/"):
        return False
    objective = how == SR and country == "india"  # strategically, to India, from any objective (72.223A)
    begins = any(it.has("objective") for it in places_at(place)) if objective else place in joined_by_land(country)
    return begins and _over_held_land(s, country, place)


@definition("71.21", "A way of moving leads between a country's box and a place", also=("72.21",))
def leads_to_box(s: State, country: str, how: str, place: str) -> bool:
    id_ = BOXED[country].box
    if how in ("movement", "exploitation"):
        return place in box(id_).hexes("ground")
    if how == "staging":
        return place in home_hexes(country)
    if how in (TR, SR):
        return _redeployed_by_land(s, country, how, place)
    if how == "seaborne invasion":
        return place.startswith("pacific/") and by_key(place).kind == "coastal"
    if how == NR and mediterranean(place):
        return True  # through Suez, by a clause of its own (88.36)
    means = {NR: "naval_redeployment", "base change": "base_change", "sea transport": "sea_transport"}.get(how)
    return means is not None and (pacific_port(s, place) or linked(id_, place, means))


def _from_where(country: str, how: str) -> str:
    """In words, where a way to a box begins or ends."""
    name, edge = called(country), BOXED[country].edge
    suez = ", Suez, Basra or Abadan"
    if how in ("movement", "exploitation"):
        hexes = ", ".join(key.partition("/")[2] for key in box(BOXED[country].box).hexes("ground"))
        return f"a hex of {name} on the {edge} ({hexes})"
    if how == "staging":
        return f"a hex of {name}"
    if how in (TR, SR):
        what = "an objective" if how == SR and country == "india" else f"a hex of {name}"
        return f"{what} from which friendly land leads off the {edge}"
    if how == "seaborne invasion":
        return "a coastal hex of the Pacific mapboard"
    boxes = {
        (NR, "australia"): ", the Pacific U.S., India, South Africa or Ethiopia box" + suez,
        (NR, "india"): ", the Australia, South Africa or Ethiopia box" + suez,
        ("base change", "australia"): " or the India box",
        ("base change", "india"): ", the Australia or South Africa box" + suez,
        ("sea transport", "india"): suez,
    }
    return f"a port of the Pacific mapboard in Western Allied hands{boxes.get((how, country), '')}"


# -- entering -----------------------------------------------------------------------------------------------------


def number_of_way(cmd: MoveUnits) -> str:
    """The number of the clause under which an order to enter a box falls."""
    if cmd.how in REDEPLOYMENTS:
        return "223A"
    return "222A" if cmd.how in COMBAT_WAYS else IN_MOVEMENT[branch_of(cmd.unit)][0]


def _enters_by(number: str, s: State, cmd: MoveUnits) -> bool:
    country = entered(cmd)
    return bool(country) and side_of(s, cmd.nation) != JAPAN and number_of_way(cmd) == number


def _entry(s: State, cmd: MoveUnits) -> Refusal | None:
    country = entered(cmd)
    fault = _entry_fault(s, cmd, country)
    return Refusal(clause(country, number_of_way(cmd)), fault) if fault else None


def _entry_fault(s: State, cmd: MoveUnits, country: str) -> str:
    name = f"the {called(country)} box"
    # The Flying Tigers base in India too, though China has not joined the Western Allies (78.61A).
    tigers = country == "india" and cmd.unit == "flying tiger"
    if side_of(s, cmd.nation) != WEST and not tigers:
        return f"{called(cmd.nation)} is no Western Ally: only Western Allied units enter {name}"
    wrong = _wrong_way(s, cmd, name)
    if wrong or leads_to_box(s, country, cmd.how, place_key(cmd.from_)):
        return wrong
    return f"by {cmd.how} {name} is entered from {_from_where(country, cmd.how)}"


def _wrong_way(s: State, cmd: MoveUnits, name: str) -> str:
    """Why a unit does not come by this way at all, wherever from."""
    branch = branch_of(cmd.unit)
    if cmd.how == "redeployment":
        return f"say whether {name} is entered by tactical, strategic or naval redeployment"
    if cmd.how in REDEPLOYMENTS:
        return f"ships come to {name} by naval redeployment" if branch == "naval" and cmd.how != NR else ""
    if cmd.how in COMBAT_WAYS:
        armor = cmd.how == "exploitation" and kind_name(cmd.unit) == "armor"
        return "" if armor else f"in the combat phase only exploiting armor enters {name}"
    ways = IN_MOVEMENT[branch][1]
    if cmd.how not in ways:
        return f"{branch} units enter {name} by {' or '.join(ways)}, not by {cmd.how}"
    return "" if s.place.step.name == "movement" else f"by {cmd.how} {name} is entered in the movement phase only"


@limit(
    "71.221A",
    "Ground units enter a box over the edge that it touches or by sea transport, in the movement phase",
    on=MoveUnits,
    also=("72.221A",),
    when=lambda s, cmd: _enters_by("221A", s, cmd),
)
def ground_enters_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _entry(s, cmd)


@limit(
    "71.221B",
    "Air units enter a box by staging from its country or by sea transport",
    on=MoveUnits,
    also=("72.221B",),
    when=lambda s, cmd: _enters_by("221B", s, cmd),
)
def air_enters_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _entry(s, cmd)


@limit(
    "71.221C",
    "Ships enter a box by changing base",
    on=MoveUnits,
    also=("72.221C",),
    when=lambda s, cmd: _enters_by("221C", s, cmd),
)
def ships_enter_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _entry(s, cmd)


@limit(
    "71.222A",
    "In the combat phase only exploiting armor enters a box",
    on=MoveUnits,
    also=("72.222A",),
    when=lambda s, cmd: _enters_by("222A", s, cmd),
)
def armor_exploits_into_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _entry(s, cmd)


@limit(
    "71.223A",
    "Units are redeployed into a box over its edge, or by sea from ports and boxes that are listed",
    on=MoveUnits,
    also=("72.223A",),
    when=lambda s, cmd: _enters_by("223A", s, cmd),
)
def redeployed_into_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _entry(s, cmd)


@limit(
    "71.224",
    "Japanese units do not enter the boxes",
    on=MoveUnits,
    also=("72.224",),
    when=lambda s, cmd: bool(entered(cmd)) and side_of(s, cmd.nation) == JAPAN,
)
def japan_stays_out(s: State, cmd: MoveUnits) -> Refusal | None:
    country = entered(cmd)
    return Refusal(clause(country, "224"), f"Japanese units do not enter the {called(country)} box; they may bomb it")


@limit(
    "71.51C",
    "After a surrender Western Allied units do not enter the box, nor do the Flying Tigers",
    on=MoveUnits,
    also=("72.51C",),
    when=lambda s, cmd: bool(entered(cmd)) and side_of(s, cmd.nation) != JAPAN and has_surrendered(s, entered(cmd)),
)
def closed_after_surrender(s: State, cmd: MoveUnits) -> Refusal | None:
    return _closed(entered(cmd))


@limit(
    "71.51C",
    "Displaced ships find no refuge in the box of a country that has surrendered",
    on=DisplaceFleet,
    also=("72.51C",),
    when=lambda s, cmd: bool(country_in(cmd.to)) and has_surrendered(s, country_in(cmd.to)),
)
def no_refuge_after_surrender(s: State, cmd: DisplaceFleet) -> Refusal | None:
    return _closed(country_in(cmd.to))


def _closed(country: str) -> Refusal:
    told = f"{called(country)} has surrendered: its box is closed to the Western Allies"
    return Refusal(clause(country, "51C"), told)


# -- leaving ------------------------------------------------------------------------------------------------------

WAYS_OUT = {
    "ground": ("movement", "sea transport", "seaborne invasion", TR, SR, NR),
    "air": ("staging", "sea transport", TR, SR, NR),
    "naval": ("base change", NR),
}


@limit(
    "71.23",
    "Units leave a box by moving, staging, sea transport, seaborne invasion or redeployment, where it is joined",
    on=MoveUnits,
    also=("72.23",),
    when=lambda s, cmd: bool(left(cmd)) and cmd.how != "advance",
)
def leaves_box_by_way(s: State, cmd: MoveUnits) -> Refusal | None:
    country, place = left(cmd), place_key(cmd.to)
    fault = _exit_fault(s, cmd, country, place)
    return Refusal(clause(country, "23"), fault) if fault else None


def _exit_fault(s: State, cmd: MoveUnits, country: str, place: str) -> str:
    name, branch = f"the {called(country)} box", branch_of(cmd.unit)
    if cmd.how not in WAYS_OUT[branch]:
        return f"{branch} units leave {name} by {', '.join(WAYS_OUT[branch])}, not by {cmd.how}"
    if cmd.how == "movement" and s.place.step.name != "movement":
        return f"by movement {name} is left in the movement phase"
    if not leads_to_box(s, country, cmd.how, place):
        return f"by {cmd.how} one comes from {name} to {_from_where(country, cmd.how)}"
    if cmd.how == "movement" and any(side_of(s, it.nation) != WEST for it in units_at(s, place)):
        return f"{cmd.to} is not vacant, and nobody attacks out of {name}"
    if cmd.how in ("staging", TR, SR) and not friendly(s, place, WEST):
        return f"{cmd.to} is not in Western Allied hands"
    return ""


@limit(
    "71.23",
    "No units leave a box if fewer ground factors would stay than Japanese ones are beside it",
    on=MoveUnits,
    also=("72.23",),
    when=lambda s, cmd: bool(left(cmd)),
)
def enough_stay_in_box(s: State, cmd: MoveUnits) -> Refusal | None:
    return _too_few(s, left(cmd), ground_factors(cmd.unit) * cmd.count)


def ground_factors(unit: str) -> int:
    """The ground factors of a unit; none of an air or naval unit."""
    return unit_factors(unit) if parse_unit(unit)[0].branch == "ground" else 0


def _too_few(s: State, country: str, leaving: int) -> Refusal | None:
    """The refusal of so many ground factors leaving a box; where none leave, R-0067 has the word."""
    there, wanted = factors_in_box(s, country), factors_that_stay(s, country)
    if not leaving and reading_in_force(s, "R-0067") == "a":
        return None
    if there - leaving >= wanted:
        return None
    told = f"{there - leaving} ground factors would stay in the {called(country)} box"
    return Refusal(clause(country, "23"), f"{told}, against {wanted} Japanese ones beside it")


@limit(
    "72.23",
    "Squadrons based on carriers in the India box do not stage onto the mapboard",
    on=MoveUnits,
    when=lambda s, cmd: left(cmd) == "india" and cmd.how == "staging" and kind_name(cmd.unit) == "naval air",
)
def carrier_squadrons_stay(s: State, cmd: MoveUnits) -> str | None:
    carriers = any(kind_name(it.unit) == "carrier" and it.nation == cmd.nation for it in units_at(s, box_of("india")))
    return "naval air squadrons on carriers in the India box do not stage onto the mapboard" if carriers else None


# -- basing -------------------------------------------------------------------------------------------------------


@definition("71.211", "Any number of a nation's air and naval units may base in a country's box", also=("72.211",))
def basing_in_box(s: State, country: str, nation: str) -> bool:
    return side_of(s, nation) == WEST and not has_surrendered(s, country)
