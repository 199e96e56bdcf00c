"""Nationalist China among the Western Allies: when it joins them, its hexes, bases there, the Flying Tigers (78.1,
78.5, 78.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import pacific
from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.model import calendar
from warcabinet.model.agenda import Lapsed, OfArea, Promise
from warcabinet.model.commands.china import ReportTigersLent
from warcabinet.model.commands.economy import ReportPool
from warcabinet.model.commands.forces import ReportProduction
from warcabinet.model.commands.minors import ReportOperation, ReportUnits
from warcabinet.model.events import PowerChanged, TrackMoved, UnitsMoved, WarBegan
from warcabinet.model.keys import Unit
from warcabinet.model.names import powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At
from warcabinet.model.places import Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted, unbuilt_of
from warcabinet.rules.china.restrictions import TIGER, tigers_lent
from warcabinet.rules.china.supply_in_china import reached_from, sources_of
from warcabinet.rules.china.territory import (
    NATIONALISTS,
    SOUTHEAST_ASIAN,
    WEST,
    allied_turns_since,
    chinese_hexes,
    in_china,
    on_front,
)
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import first_turn_of_war, step_of
from warcabinet.rules.common.pieces import faction, side_of, units_of_kind
from warcabinet.rules.common.presence import Presence, barred, unless_excused
from warcabinet.rules.common.war_and_peace import same_faction, went_to_war
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, due, effect, limit, order, remembered, value
from warcabinet.rules.minors.operations import operation_is_paid

START = "start of player turn"
BASES = ("air", "naval")


# -- joining ------------------------------------------------------------------------------------------------------


@effect(
    "78.51",
    on=WarBegan,
    when=lambda s, began: set(began.between) == {"japan", "usa"} and not same_faction(s, NATIONALISTS, "usa"),
    also=("78.11",),
)
def china_will_join(p: Proceedings, began: WarBegan) -> None:
    """War between Japan and the U.S. brings China to the Western Allies in the next Allied player turn."""
    when = calendar.moment(first_turn_of_war(p.s, began, "usa"), step_of("usa", START))
    promise(p, china_joins, when, NATIONALISTS, NATIONALISTS)


@due("78.51", "China joins the Western Allies", also=("78.11",))
def china_joins(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    if same_faction(p.s, NATIONALISTS, "usa"):
        return Lapsed("it has joined already")
    p.do(PowerChanged(NATIONALISTS, faction=p.s.powers["usa"].faction))
    return None


@effect(
    "78.51",
    when=lambda s: s.player == "allied" and went_to_war(s, "japan", "usa") and not same_faction(s, NATIONALISTS, "usa"),
    also=("78.11",),
)
def china_joins_the_west(p: Proceedings) -> None:
    # What a position says has happened was never promised.
    """China joins the Western Allies as the Allied player turn starts after war broke out between Japan and the U.S."""
    p.do(PowerChanged(NATIONALISTS, faction=p.s.powers["usa"].faction))


# -- hexes and bases ----------------------------------------------------------------------------------------------


@definition("78.52", "A hex that Nationalist China controls counts as Western Allied, once it has joined them")
def counts_as_western(s: State, place: Place) -> bool:
    return holder(s, place) == NATIONALISTS and faction(s, NATIONALISTS) == WEST


@definition(
    "78.53",
    displaces=fully_supplied,
    when=lambda s, power, place: faction(s, power) == WEST and power != NATIONALISTS and place in chinese_hexes(),
)
def supplied_from_the_west(s: State, power: str, place: Place) -> bool:
    """A Chinese hex is supplied by the Western Allies: by a line from a source of theirs, or as reported."""
    return bool(reached_from(s, sources_of(s, WEST)) & pacific().bits((place,)))


@definition("78.53")
def western_base(s: State, place: Place) -> bool:
    """The Western Allies may use a Nationalist hex as a base, and its port: supplied from their sources."""
    west = (it for it in powers() if it != NATIONALISTS and faction(s, it) == WEST)
    return counts_as_western(s, place) and any(fully_supplied(s, it, place) for it in west)


def _settles(s: State, it: Presence) -> bool:
    """Whether Western Allied air or naval units use a Nationalist hex."""
    if it.nation == NATIONALISTS or side_of(s, it.nation) != WEST:
        return False
    uses = it.cmd.branch in BASES if isinstance(it.cmd, ReportOperation) else it.brings(*BASES)
    return uses and holder(s, it.at) == NATIONALISTS


@barred("78.53", acts=("enter", "operate", "carry"), when=_settles, covers=("78.52",))
def bases_in_china(s: State, it: Presence) -> str | None:
    """The Western Allies base aircraft and ships, and use ports, only in Nationalist hexes that they supply."""
    if western_base(s, it.at):
        return None
    if faction(s, NATIONALISTS) != WEST:
        return f"{it.place} is Nationalist China's, which has not joined the Western Allies"
    return f"{it.place} is not supplied from a Western Allied source"


#: The USJT levels at which each of the two is added.
ARRIVALS = (20, 35)


# -- coming into play ---------------------------------------------------------------------------------------------


@value("78.61", "Flying Tigers that USJT allow: the first at 20, the second at 35 (R-0072)")
def tigers_allowed(s: State) -> int:
    return sum(s.tracks.get("usjt", 0) >= it for it in ARRIVALS)


@remembered("78.61", "Flying Tigers that have been added to the Chinese force pool, or stood there from the start")
def tigers_added(s: State) -> int:
    on_board = sum(it.count for it in units_of_kind(s, NATIONALISTS, TIGER))
    return on_board + unbuilt_of(s, NATIONALISTS, TIGER)


@effect("78.61", "Flying Tigers are added to the Nationalist force pool as tension reaches 20 and 35")
def add_tigers(p: Proceedings) -> None:
    allowed, added = tigers_allowed(p.s), tigers_added(p.s)
    if allowed > added:
        p.do(UnitsMoved(NATIONALISTS, TIGER, allowed - added, OUT_OF_PLAY, UNBUILT, "Flying Tigers may be built"))
        tigers_added.note(p, allowed, "once added they stay")


@effect("78.61", on=TrackMoved, when=lambda s, moved: moved.track == "usjt")
def tension_brings_tigers(p: Proceedings, moved: TrackMoved) -> None:
    """A Flying Tiger is added when tension reaches its level."""
    p.run(add_tigers)


Brought = ReportUnits | ReportProduction | ReportPool


@limit("78.61", on=(ReportUnits, ReportProduction, ReportPool), when=lambda s, cmd: _more_tigers(cmd) > 0)
def tigers_come_by_tension(s: State, cmd: Brought) -> str | None:
    """There are two Flying Tigers, and each comes with its level of tension: none by production or a report before."""
    in_play = max(tigers_added(s), tigers_allowed(s))
    told = f"USJT have brought {in_play} of the two Flying Tigers so far, at 20 and 35"
    if isinstance(cmd, ReportProduction):
        return f"{told}: production gives none"
    unbuilt = unbuilt_of(s, NATIONALISTS, TIGER) if isinstance(cmd, ReportPool) else 0
    there = unbuilt + sum(it.count for it in units_of_kind(s, NATIONALISTS, TIGER))
    told = f"{told}, and {there} are {'in play' if unbuilt else 'on the board'}"
    if there + cmd.count <= in_play:
        return None
    return unless_excused(cmd, told) if isinstance(cmd, ReportUnits) else told


def _more_tigers(cmd: Brought) -> int:
    """How many Flying Tigers a report brings; one that goes to another place left its own first."""
    if isinstance(cmd, ReportProduction):
        return counted(cmd.units).get(TIGER, 0)
    return cmd.count if cmd.unit == TIGER else 0


# -- costs --------------------------------------------------------------------------------------------------------


@limit(
    "78.61C",
    on=ReportOperation,
    when=lambda s, cmd: _flying(cmd) and cmd.mission == "attack" and cmd.brp > 0,
    displaces=operation_is_paid,
)
def china_pays_for_tigers(s: State, cmd: ReportOperation) -> str | None:
    """Nationalist China pays for the offensive operations of the Flying Tigers, from what it may spend."""
    most = spendable(s, NATIONALISTS)
    return f"Nationalist China pays, and may spend {most} BRPs now" if cmd.brp > most else None


def _flying(cmd: ReportOperation) -> bool:
    return cmd.nation == NATIONALISTS and cmd.branch == "air" and cmd.unit == TIGER


# -- air combat ---------------------------------------------------------------------------------------------------


@value("78.61D", "Whose Air Nationality DRM a nation's air units use; the Flying Tigers use the American one")
def air_nationality(s: State, nation: str, unit: Unit) -> str:
    return "usa" if unit == TIGER else nation


@limit("78.61D", on=ReportOperation, when=lambda s, cmd: _flying(cmd))
def tigers_fly_as_americans(s: State, cmd: ReportOperation) -> Iterator[Refusal | str]:
    """The Flying Tigers use the American Air Nationality DRM; surprise and, over China, radar do not count."""
    if cmd.surprise:
        yield Refusal("78.62", "the Flying Tigers are not affected by Japanese surprise")
    if cmd.drm_of and cmd.drm_of != air_nationality(s, cmd.nation, cmd.unit):
        yield "they use the American Air Nationality DRM"
    if cmd.radar and (not cmd.at or in_china(s, cmd.at)):
        yield "Western Allied radar research does not modify the air combat of the Flying Tigers over China"


# -- lending ------------------------------------------------------------------------------------------------------


@value("80.31B(4)")
def tigers_to_lend(s: State) -> int:
    """Flying Tigers that may be lent: those on the Southeast Asian front, from the second Allied turn on."""
    if allied_turns_since(s) < 2:
        return 0
    based = (it for it in units_of_kind(s, NATIONALISTS, TIGER) if on_front(it.place, SOUTHEAST_ASIAN))
    return sum(it.count for it in based)


@order("78.63", on=ReportTigersLent)
def report_tigers_lent(p: Proceedings, cmd: ReportTigersLent) -> None:
    """Flying Tigers are lent to the U.S.; the conditions of 52.62 are looked after outside."""
    tigers_lent.note(p, cmd.count, "reported as lent")


@effect(
    "78.63",
    on=UnitsMoved,
    when=lambda s, moved: moved.unit == TIGER and not isinstance(moved.to, At) and tigers_lent(s) > 0,
)
def lost_tigers_come_home(p: Proceedings, moved: UnitsMoved) -> None:
    """Flying Tigers that are lost are no longer lent: those that China builds anew are its own."""
    there = sum(it.count for it in units_of_kind(p.s, NATIONALISTS, TIGER))
    if there < tigers_lent(p.s):
        tigers_lent.note(p, there, "the others were lost")


@limit("80.31B(4)", "Only Flying Tigers based on the Southeast Asian front are lent, in time", on=ReportTigersLent)
def lent_in_time(s: State, cmd: ReportTigersLent) -> Bound | None:
    if cmd.count <= tigers_lent(s):
        return None  # those that are lent may have gone elsewhere since
    told = "Flying Tigers on the Southeast Asian front, from the second Allied turn of the war with Britain on"
    return Bound("count", most=tigers_to_lend(s), text=told)
