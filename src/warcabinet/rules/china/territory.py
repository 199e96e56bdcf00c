"""What is China, whose part of it a hex is, its war with Japan, its objectives, defense and resistance (38.37, 78.21,
78.31, 79.21, 79.81, 80.3).

The table behind the resistance level (61) is played outside: it is reported as a Chinese player turn ends, and in force
in the next game turn.
"""

from __future__ import annotations

from functools import cache

from warcabinet.board.boxes import box
from warcabinet.board.maps import pacific
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.commands.politics import ReportTrack
from warcabinet.model.communist_china import listed_hexes, regions
from warcabinet.model.events import Reported, WarBegan
from warcabinet.model.names import key_areas
from warcabinet.model.places import Place, deciding_places, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, correction_note
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import first_turn_of_war, reading_in_force, step_of
from warcabinet.rules.common.pieces import faction, side_of, units_at
from warcabinet.rules.common.presence import ATTACKS, unless_excused
from warcabinet.rules.common.war_and_peace import first_full_turn, wars_between
from warcabinet.rules.kinds import definition, due, effect, limit, remembered, value
from warcabinet.rules.minors.geography import fronts, land

NATIONALISTS, COMMUNISTS = "china", "communist_china"
WEST = "western allies"
ASIAN, SOUTHEAST_ASIAN = "asian", "southeast_asian"


@definition("79.21", "A place lies in Communist China: north of row M and west of the start line, or as Asia left it")
def communist_territory(s: State, place: Place) -> bool:
    left = s.options.communist_hexes if s.options.edition == "prequel" else ""
    return place in (listed_hexes(left) if left else home_hexes(COMMUNISTS))


@definition("80.31", "A place lies in China: not in Manchuria, nor in Hong Kong; Hainan is Chinese (R-0781)")
def in_china(s: State, place: Place) -> bool:
    return land(place)[0] in (NATIONALISTS, COMMUNISTS)


@definition("78.21", "A place lies in Nationalist China: the Chinese mainland without Communist China")
def nationalist_territory(s: State, place: Place) -> bool:
    country, region = land(place)
    chinese = country in (NATIONALISTS, COMMUNISTS) and region != "hainan"
    return chinese and not communist_territory(s, place)


@cache
def objectives() -> dict[str, str]:
    """The Chinese objectives: each area with the key of its city."""
    return {area.area: deciding_places(area.area)[0] for area in key_areas(NATIONALISTS)}


@value("78.41", "How many Chinese objectives are not under Nationalist Chinese control", also=("38.37A",))
def objectives_lost(s: State) -> int:
    return sum(holder(s, key) != NATIONALISTS for key in objectives().values())


def on_front(place: Place, front: str) -> bool:
    """Whether a hex or box lies on a front."""
    return front in (box(place.removeprefix("box/")).fronts if place.startswith("box/") else fronts(place))


@cache
def chinese_hexes() -> tuple[str, ...]:
    """Every land hex of China, of either side, Hainan included."""
    return tuple(it.key for it in pacific() if it.is_land and it.country in (NATIONALISTS, COMMUNISTS))


@value("80.41", "The defense modifier of Nationalist ground units at a place: -1 outside China at resistance 0 or less")
def chinese_defense_modifier(s: State, place: Place) -> int:
    return -1 if not in_china(s, place) and chinese_resistance(s) <= 0 else 0


def _meets_nationalists(s: State, cmd: ReportOperation) -> bool:
    """Whether Japan's side attacks where Nationalist ground units stand outside China, though nobody says so."""
    if cmd.against or not cmd.at or in_china(s, cmd.at) or side_of(s, cmd.nation) != faction(s, "japan"):
        return False
    return any(it.nation == NATIONALISTS and it.branch == "ground" for it in units_at(s, cmd.at))


@limit(
    "80.41",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.branch == "ground"
        and cmd.mission in ATTACKS
        and (cmd.against == NATIONALISTS or _meets_nationalists(s, cmd))
    ),
)
def defense_modifier_is_used(s: State, cmd: ReportOperation) -> str | None:
    """Nationalist ground units attacked outside China defend at -1 while resistance is 0 or less."""
    if not cmd.at or cmd.dm is None:
        return "say where they are attacked and with which defense modifier by their own chapter (at, dm)"
    right = chinese_defense_modifier(s, cmd.at)
    told = (
        f"at {place_called(cmd.at)} Nationalist ground units have a defense modifier of {right:+} by their own chapter"
    )
    return None if cmd.dm == right else unless_excused(cmd, told)


YENAN = place_key("Yenan")


def holds(s: State, key: str) -> bool:
    """Whether Communist China has a place: in its own name, or as Russia's minor ally in Russia's."""
    return holder(s, key) in (COMMUNISTS, "russia")


@value("79.61", "Communist China's own supply sources that it holds: Yenan; else the sources of its regions")
def communist_sources(s: State) -> tuple[str, ...]:
    if s.options.edition == "classic":
        keys: tuple[str, ...] = (YENAN,)
    else:
        keys = tuple(key for cities in regions(s.options.communist_regions).values() for key in cities)
    return tuple(key for key in keys if holds(s, key))


@definition("79.72", "A region keeps its free construction until Japan has captured all its cities", also=("79.52",))
def region_kept(s: State, region: str) -> bool:
    return any(holds(s, key) for key in regions(s.options.communist_regions)[region])


@value("79.41A", "Infantry factors that Communist China may build in a turn: one a region, one by the Sinkiang Road")
def construction_rate(s: State) -> int:
    if s.options.edition == "classic":
        note("classic", "79.41", 2, COMMUNISTS)
        return 2
    return len(regions(s.options.communist_regions)) + s.options.sinkiang_road


START = "start of player turn"


@remembered("80.31")
def british_war_first_turn(s: State) -> str:
    """The turn of the first Allied player turn after war broke out between Japan and Britain, if it did."""
    # Permissions date from the first outbreak, even if that war has ended.
    wars = wars_between(s, "britain", "japan")
    return calendar.turn_name(first_full_turn(wars[0])) if wars else ""


@value("80.31", "Allied player turns that have begun since war broke out between Japan and Britain")
def allied_turns_since(s: State) -> int:
    first = british_war_first_turn(s)
    if not first:
        return 0
    begun = s.turn if s.step >= calendar.first_step("allied") else s.turn - 1
    return max(0, begun - calendar.parse_turn(first) + 1)


@effect(
    "80.31",
    on=WarBegan,
    when=lambda s, began: set(began.between) == {"britain", "japan"} and len(wars_between(s, "britain", "japan")) == 1,
)
def front_will_open(p: Proceedings, began: WarBegan) -> None:
    """The war with Britain opens the Southeast Asian front to Chinese units in time."""
    first = first_turn_of_war(p.s, began, "china")
    british_war_first_turn.note(p, calendar.turn_name(first), "fixed when war broke out")
    at = step_of("china", START)
    promise(p, tigers_may_go, calendar.moment(first, at), "china", "burma")
    promise(p, nationalists_may_go, calendar.moment(first + 1, at), "china", "burma")


@due("80.31B(3)", "The Flying Tigers may base and operate on the Southeast Asian front from now on")
def tigers_may_go(p: Proceedings, due_now: Promise[OfArea]) -> None:
    p.do(Reported("front", "the Southeast Asian front is open to the Flying Tigers"))


@due(
    "80.31A(2)",
    averted_by="a Chinese resistance level of -1 or less, as long as it lasts",
    covers=("80.31B(1)", "80.31B(4)"),
)
def nationalists_may_go(p: Proceedings, due_now: Promise[OfArea]) -> None:
    """Nationalist ground and air units may go to the Southeast Asian front, and the Flying Tigers there may be lent."""
    note("army_air", "80.31B(1)", True, "china")
    note("flying_tigers_lent", "80.31B(4)", True, "usa")
    p.do(Reported("front", "the Southeast Asian front is open to Nationalist China, unless resistance is -1 or less"))


TRACK = "chinese_resistance"
END = "end of player turn"


@value("78.31", "The Chinese resistance level in force this game turn: what the last Chinese player turn ended with")
def chinese_resistance(s: State) -> int:
    start = s.since("turn")
    moved = [it.amount for it in s.happenings.of("stood before at") if it.key == TRACK and it.moment >= start]
    level = moved[0] if moved else s.tracks.get(TRACK, 0)
    note("track", "78.31", level, TRACK, text=correction_note(s, f"tracks.{TRACK}"))
    return level


@limit("78.31", on=ReportTrack, when=lambda s, cmd: cmd.track == TRACK)
def resistance_found_at_the_end(s: State, cmd: ReportTrack) -> str | None:
    """The Chinese resistance level is found as the Chinese player turn ends."""
    if s.player == "allied" and s.place.step.name == END:
        return None
    return "the Chinese Resistance Table is consulted at the end of the Allied player turn, for the next game turn"


@remembered("78.31", "The Chinese resistance level that was in force in the last game turn")
def resistance_in_last_turn(s: State) -> int:
    return 0


@effect("78.31", "The level of the turn that ends is kept, where a clause asks for the last turn's (R-0073)")
def keep_resistance(p: Proceedings) -> None:
    if p.s.player == "allied" and chinese_resistance(p.s) != resistance_in_last_turn(p.s):
        resistance_in_last_turn.note(p, chinese_resistance(p.s), "in force in the turn that ended")


@value("78.923")
def resistance_from_last_turn(s: State) -> int:
    """The level `from the last turn`: what the last Chinese player turn found, or what was in force then (R-0073)."""
    return resistance_in_last_turn(s) if reading_in_force(s, "R-0073") == "b" else chinese_resistance(s)


# -- Nationalists and Communists ----------------------------------------------------------------------------------


@definition("79.81A", "The United Front exists: always in the classic game, else as the prequel on Asia left it")
def united_front(s: State) -> bool:
    return s.options.edition == "classic" or s.options.united_front


@definition("79.81", also=("78.71",))
def cooperation_restricted(s: State) -> bool:
    """Nationalist-Communist cooperation is restricted, unless there is a United Front and a resistance of +2."""
    level = chinese_resistance(s)
    note("from_the_last_chinese_turn", "79.81B", level, "china")
    return not (united_front(s) and level >= 2)


@definition("79.31B")
def joint_attacks(s: State) -> bool:
    """Both may attack Japan together: restrictions have fallen, or after a second National Unity result."""
    return not cooperation_restricted(s) or _unity(s) >= 2


def _unity(s: State) -> int:
    """National Unity results; there are none in the classic game."""
    return s.options.national_unity_results if s.options.edition == "prequel" else 0


@definition("79.11", "The full restrictions do not apply: fallen, or eased by National Unity research (R-0089)")
def restrictions_eased(s: State) -> bool:
    return not cooperation_restricted(s) or _unity(s) >= 1
