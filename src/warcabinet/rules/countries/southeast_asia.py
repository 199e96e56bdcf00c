"""Thailand, the Philippines and the Dutch East Indies: when they are closed, join or fall, and their forces (89.2,
89.4, 89.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import NOWHERE, Place, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, capital, dutch_hexes, home_hexes
from warcabinet.rules.common.books import worth
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of
from warcabinet.rules.common.pieces import BOUND, faction, patron, side_of, units_at
from warcabinet.rules.common.presence import HOSTILE, SALLIES, unless_excused
from warcabinet.rules.common.war_and_peace import at_war, went_to_war
from warcabinet.rules.countries.full_supply import supplied_as_reported
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.attack import newly_attacked
from warcabinet.rules.minors.building import supplied_hex
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.operations import MEETS
from warcabinet.rules.minors.pacific import dutch_indies_fell_before, dutch_indies_open, open_in_the_indies
from warcabinet.rules.minors.status import leave_play


def _joined_now(s: State) -> bool:
    """Whether Thailand joined Japan in the Japanese player turn under way."""
    standing = s.countries["thailand"]
    return standing.status in BOUND and standing.by == "japan" and standing.since == s.turn and s.player == "axis"


@definition(
    "89.51B",
    displaces=(supplied_hex, supplied_as_reported),
    when=lambda s, nation, country, place: (
        nation in ("japan", "thailand") and land(place)[0] == "thailand" and _joined_now(s)
    ),
)
def thailand_supplied(s: State, nation: str, country: str, place: Place) -> bool:
    """In the turn in which Thailand joins, its hexes are deemed fully supplied by Japan."""
    return True


MANILA = place_key("Manila")


@definition("89.41", "A place on one of the nine Philippine islands")
def in_philippines(s: State, place: Place) -> bool:
    return place in home_hexes("philippines")


#: What becomes of Allied units with Manila (R-1881).
SURRENDER_WITH_MANILA = "Allied ground units surrender to their force pools, ships and aircraft must leave"


@foresees
def manila_about_to_fall(s: State) -> Iterator[Foreseen]:
    """While Japan has Manila, its combat phase ends with the surrender of all the islands."""
    if holder(s, MANILA) != "japan" or s.countries["philippines"].status == "conquered":
        return
    when = next_step_of(s, "japan", "end of combat phase")
    told = f"Manila has fallen: every hex is Japan's, {SURRENDER_WITH_MANILA}"
    yield Foreseen(when, "89.43", told, "japan", "philippines", "Manila retaken before then")


#: The oil centers on which Japan depends.
OIL = tuple(map(place_key, ("Palembang", "Brunei")))
#: The capitals of the three areas.
SEATS = tuple(place_key(areas()[it].places[0]) for it in DUTCH_AREAS)


@definition("89.21", "A place on one of the fifteen islands, or parts of islands, of the Dutch East Indies")
def in_dutch_east_indies(s: State, place: Place) -> bool:
    return place in dutch_hexes()


@value("89.22", "What the Dutch East Indies are worth in all: Java, Sumatra and South Borneo, each by itself")
def dutch_east_indies_worth(s: State) -> int:
    return sum(worth(s, area) for area in DUTCH_AREAS)


@value("89.26", "Which of the oil centers that decide on its oil Japan controls: Palembang and Brunei")
def japanese_oil_centers(s: State) -> tuple[str, ...]:
    return tuple(name for name, key in zip(("Palembang", "Brunei"), OIL, strict=True) if holder(s, key) == "japan")


def _attacked_at(cmd: ReportOperation) -> Place:
    """The place that an operation is against, of a part of the Indies without one its capital."""
    if cmd.at:
        return cmd.at
    return capital(cmd.country) if cmd.country in DUTCH_AREAS else NOWHERE


@limit(
    "82.93",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission in HOSTILE
        and _attacked_at(cmd) in dutch_hexes()
        and cmd.nation != DUTCH
        and bool(patron(s, cmd.nation))
    ),
)
def dutch_not_attacked_in_peace(s: State, cmd: ReportOperation) -> Refusal | None:
    """Nobody attacks in the Dutch East Indies in peace, nor do Western ground units before they associate."""
    place = _attacked_at(cmd)
    leader, held_by = patron(s, cmd.nation), holder(s, place)
    is_open = open_in_the_indies(s, leader, place)
    no_enemy = f"no enemy of {called(leader)} holds {place_called(cmd.at) if cmd.at else called(cmd.country)}"
    if faction(s, leader) != "western allies":
        early = "the Dutch East Indies are not at war before Britain fights Japan"
        told = no_enemy if went_to_war(s, "britain", "japan") else early
        return None if is_open else Refusal("82.93", told)
    if not (held_by in powers() and at_war(s, leader, held_by)):
        return Refusal("82.93", no_enemy)
    if cmd.branch == "ground" and not is_open:
        return Refusal(
            "89.24", "Western Allied units enter the Dutch East Indies once these have associated with Britain"
        )
    return None


@limit("82.93", on=ReportOperation, also=("89.24",), when=lambda s, cmd: cmd.nation == DUTCH and cmd.mission in SALLIES)
def dutch_attack_japan_only(s: State, cmd: ReportOperation) -> str | None:
    """The Dutch attack nobody in peace, and in the war nobody but Japan's side."""
    if not went_to_war(s, "britain", "japan"):
        return "the Dutch East Indies are not at war before Britain fights Japan"
    if not cmd.at:
        return None
    key = cmd.at
    there = {side_of(s, it) for it in (*(one.nation for one in units_at(s, key)), holder(s, key)) if it}
    friends = faction(s, "japan") not in there and ("western allies" in there or key.startswith("box/"))
    return f"no enemy of the Dutch is at {place_called(cmd.at)}" if friends else None


#: How others would help an attacked country otherwise than by intercepting ships.
HELP = ("defensive air support", "intercept air transport", "attack sea supply")


@limit(
    "82.72",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission in MEETS
        and cmd.nation != DUTCH
        # For ships at sea an area of the Indies is named.
        and (in_dutch_east_indies(s, cmd.at) if cmd.at else cmd.country in DUTCH_AREAS)
        and faction(s, patron(s, cmd.nation)) not in ("", faction(s, "japan"))
    ),
)
def no_help_over_the_indies(s: State, cmd: ReportOperation) -> Refusal | None:
    """In the first turn of Japan's attack others only intercept ships for the Dutch East Indies (R-1821)."""
    helper = patron(s, cmd.nation)
    in_peace = not cmd.against and not at_war(s, helper, "japan")
    if newly_attacked(s, DUTCH):
        told = "the Dutch East Indies have not associated: in the first turn only naval activities are intercepted"
        return Refusal("82.72", f"{told}, by powers at war with Japan") if cmd.mission in HELP or in_peace else None
    if not in_peace or not at_war(s, "britain", "japan") or dutch_indies_open(s, helper):
        return None
    alone = f"the Dutch East Indies fight alone, and {called(helper)} is not at war with Japan"
    refused = unless_excused(cmd, alone)
    return Refusal("82.82", refused) if refused else None


@effect(
    "89.25",
    on=ControlChanged,
    when=lambda s, changed: (
        changed.by == "japan"
        and any(key in SEATS for key in changed.places)
        and all(holder(s, key) == "japan" for key in SEATS)
    ),
)
def dutch_units_lost(p: Proceedings, changed: ControlChanged) -> None:
    """All Dutch units are lost when Japan occupies the last of Batavia, Palembang and Balikpapan."""
    leave_play(p, DUTCH, "89.25", "Japan occupies Batavia, Palembang and Balikpapan")


@foresees
def last_seat_about_to_fall(s: State) -> Iterator[Foreseen]:
    """While Japan has all three capitals, its combat phase ends with the whole of the islands in its hands."""
    fallen = ("conquered", "japan")
    standing = [it for it in DUTCH_AREAS if (s.countries[it].status, s.countries[it].by) != fallen]
    if not standing or dutch_indies_fell_before(s) or any(holder(s, it) != "japan" for it in SEATS):
        return
    seats = "one of " + ", ".join(areas()[it].places[0] for it in DUTCH_AREAS)
    told = "all three areas have fallen: every hex of the Dutch East Indies without Allied units is Japan's"
    when = next_step_of(s, "japan", "end of combat phase")
    yield Foreseen(when, "89.23", told, "japan", standing[0], f"{seats} retaken before then")
