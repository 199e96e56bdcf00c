"""Nationalist China among the Western Allies: when it joins them, its hexes, and their bases there (78.1, 78.5)."""

from __future__ import annotations

from warcabinet.board.maps import pacific
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.events import Closed, PowerChanged, WarBegan
from warcabinet.model.names import powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.china.supply_in_china import reached_from, sources_of
from warcabinet.rules.china.territory import NATIONALISTS, WEST, chinese_hexes
from warcabinet.rules.common.alliances import same_faction, went_to_war
from warcabinet.rules.common.moments import first_turn_of_war, step_of
from warcabinet.rules.common.pieces import faction, side_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.promises import promise
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, due, effect

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
def china_joins(p: Proceedings, due_now: Promise[OfArea]) -> int:
    if same_faction(p.s, NATIONALISTS, "usa"):
        p.do(Closed(due_now.id, "lapsed", "it has joined already"))
    else:
        p.do(PowerChanged(NATIONALISTS, faction=p.s.powers["usa"].faction))
    return 0


def china_is_to_join(s: State) -> bool:
    """Whether an Allied player turn starts, after war between Japan and the U.S. broke out, with China still alone."""
    return s.player == "allied" and went_to_war(s, "japan", "usa") and not same_faction(s, NATIONALISTS, "usa")


@effect("78.51", when=china_is_to_join, also=("78.11",))
def china_joins_the_west(p: Proceedings) -> None:
    # What a position says has happened was never promised.
    """China joins the Western Allies as the Allied player turn starts after war broke out between Japan and the U.S."""
    p.do(PowerChanged(NATIONALISTS, faction=p.s.powers["usa"].faction))


# -- hexes and bases ----------------------------------------------------------------------------------------------


@definition("78.52", "A hex that Nationalist China controls counts as Western Allied, once it has joined them")
def counts_as_western(s: State, place: str) -> bool:
    return holder(s, place_key(place)) == NATIONALISTS and faction(s, NATIONALISTS) == WEST


@definition(
    "78.53",
    displaces=fully_supplied,
    when=lambda s, power, place: faction(s, power) == WEST and power != NATIONALISTS and _chinese(place),
)
def supplied_from_the_west(s: State, power: str, place: str) -> bool:
    """A Chinese hex is supplied by the Western Allies: by a line from a source of theirs, or as reported."""
    return bool(reached_from(s, sources_of(s, WEST)) & pacific().bits((place_key(place),)))


def _chinese(place: str) -> bool:
    return place_key(place) in chinese_hexes()


@definition("78.53")
def western_base(s: State, place: str) -> bool:
    """The Western Allies may use a Nationalist hex as a base, and its port: supplied from their sources."""
    key = place_key(place)
    west = (it for it in powers() if it != NATIONALISTS and faction(s, it) == WEST)
    return counts_as_western(s, key) and any(fully_supplied(s, it, key) for it in west)


def _settles(s: State, it: Presence) -> bool:
    """Whether Western Allied air or naval units use a Nationalist hex."""
    if it.nation == NATIONALISTS or side_of(s, it.nation) != WEST or holder(s, it.at) != NATIONALISTS:
        return False
    return it.cmd.branch in BASES if isinstance(it.cmd, ReportOperation) else it.brings(*BASES)


@barred("78.53", acts=("enter", "operate", "carry"), when=_settles, also=("78.52",))
def bases_in_china(s: State, it: Presence) -> str | None:
    """The Western Allies base air and naval units, and use ports, only in Nationalist hexes that their sources
    supply.
    """
    if western_base(s, it.place):
        return None
    if faction(s, NATIONALISTS) != WEST:
        return f"{it.place} is Nationalist China's, which has not joined the Western Allies"
    return f"{it.place} is not supplied from a Western Allied source"
