"""Thailand, the Philippines and the Dutch East Indies: when they are closed, join or fall, and their forces (89.2,
89.4, 89.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, capital, dutch_hexes, home_hexes
from warcabinet.rules.common.books import worth
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import BOUND, faction, patron, side_of, units_at
from warcabinet.rules.common.presence import HOSTILE, SALLIES, unless_excused
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, war_between, went_to_war
from warcabinet.rules.countries.full_supply import supplied_as_reported
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.building import supplied_hex
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import dutch_indies_open, open_in_the_indies
from warcabinet.rules.minors.operations import MEETS
from warcabinet.rules.minors.own_turn import newly_attacked
from warcabinet.rules.minors.pacific import (
    FREE,
    dutch_indies_fell_before,
    indochina_occupied,
    japan_has_the_indies,
    thailand_will_follow,
    thais_may_join,
)
from warcabinet.rules.minors.parts import leave_play


@effect(
    "89.51A",
    on=ControlChanged,
    when=lambda s, changed: not set(changed.places).isdisjoint(home_hexes("french_indochina")),
)
def thailand_watches_indochina(p: Proceedings, changed: ControlChanged) -> None:
    """Whoever takes the last of French Indochina in the war with Britain has Thailand in the next turn."""
    p.run(thailand_will_follow)


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
def thailand_supplied(s: State, nation: str, country: str, place: str) -> bool:
    """In the turn in which Thailand joins, its hexes are deemed fully supplied by Japan."""
    return True


@tells_of("thailand")
def thai_page(s: State) -> Iterator[Told]:
    standing = s.countries["thailand"]
    if standing.status in FREE:
        yield from _before_it_joins(s)
    elif standing.status in BOUND:
        yield Told("89.51C", "its units go one hex beyond its border, and do not attack Western Allied units")


def _when_it_joins(s: State) -> str:
    if thais_may_join(s):
        return "Japan is at war with Britain: it joins Japan in the turn after all of French Indochina is Japan's"
    if war_between(s, "britain", "japan"):
        return "it stays neutral unless it is attacked"
    return "joins Japan when war with Britain breaks out"


def _before_it_joins(s: State) -> Iterator[Told]:
    attackers = attackers_of(s, "thailand")
    if any(faction(s, it) == faction(s, "japan") for it in attackers):
        yield Told("89.51A", "attacked by Japan: it does not join it")
        yield Told("89.51B", "closed to both sides, except to who is at war with it")
        return
    held = "all of" if indochina_occupied(s) else "not all of"
    yield Told("89.51A", f"{_when_it_joins(s)}; Japan holds {held} French Indochina")
    yield Told("89.51B", "closed to both sides until then, except to who declares war on it")


@tells_of("french_indochina")
def indochinese_page(s: State) -> Iterator[Told]:
    """What it matters for Thailand who holds it."""
    hexes = home_hexes("french_indochina")
    held = sum(holder(s, key) == "japan" for key in hexes)
    yield Told("89.31", "a French colony, which falls with Saigon")
    yield Told(
        "89.51A", f"Japan holds {held} of its {len(hexes)} hexes; all of them bring it Thailand in a war with Britain"
    )


MANILA = place_key("Manila")


@definition("89.41", "A place on one of the nine Philippine islands")
def in_philippines(s: State, place: str) -> bool:
    return place_key(place) in home_hexes("philippines")


def _surrender(s: State) -> str:
    """What becomes of Allied units with Manila (R-1881)."""
    if reading_in_force(s, "R-1881") == "b":
        return "Allied ground and air units surrender to their force pools, ships must leave"
    return "Allied ground units surrender to their force pools, ships and aircraft must leave"


@foresees
def manila_about_to_fall(s: State) -> Iterator[Foreseen]:
    """While Japan has Manila, its combat phase ends with the surrender of all the islands."""
    if holder(s, MANILA) != "japan" or s.countries["philippines"].status == "conquered":
        return
    when = next_step_of(s, "japan", "end of combat phase")
    told = f"Manila has fallen: every hex is Japan's, {_surrender(s)}"
    yield Foreseen(when, "89.43", told, "japan", "philippines", "Manila retaken before then")


@tells_of("philippines")
def philippine_page(s: State) -> Iterator[Told]:
    if s.countries["philippines"].status == "conquered":
        return
    if reading_in_force(s, "R-0015") == "b" and not went_to_war(s, "usa", "japan"):
        yield Told("89.42", "its BRPs come with the American player turn after war with Japan breaks out")
    yield Told("89.43", f"if Japan takes Manila, every hex falls: {_surrender(s)}")
    yield Told("89.44", "one 1-2 infantry unit a turn is rebuilt free of charge until then")


#: The oil centers on which Japan depends.
OIL = tuple(map(place_key, ("Palembang", "Brunei")))
#: The capitals of the three areas.
SEATS = tuple(place_key(areas()[it].places[0]) for it in DUTCH_AREAS)


@definition("89.21", "A place on one of the fifteen islands, or parts of islands, of the Dutch East Indies")
def in_dutch_east_indies(s: State, place: str) -> bool:
    return place_key(place) in dutch_hexes()


@value("89.22", "What the Dutch East Indies are worth in all: Java, Sumatra and South Borneo, each by itself")
def dutch_east_indies_worth(s: State) -> int:
    return sum(worth(s, area) for area in DUTCH_AREAS)


@value("89.26", "Which of the oil centers that decide on its oil Japan controls: Palembang and Brunei")
def japanese_oil_centers(s: State) -> tuple[str, ...]:
    return tuple(name for name, key in zip(("Palembang", "Brunei"), OIL, strict=True) if holder(s, key) == "japan")


def _attacked_at(cmd: ReportOperation) -> str:
    """The place that an operation is against, of a part of the Indies without one its capital."""
    if cmd.at:
        return place_key(cmd.at)
    return capital(cmd.country) if cmd.country in DUTCH_AREAS else ""


@limit(
    "82.93",
    on=ReportOperation,
    also=("89.24",),
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
    no_enemy = f"no enemy of {called(leader)} holds {cmd.at or called(cmd.country)}"
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
    key = place_key(cmd.at)
    there = {side_of(s, it) for it in (*(one.nation for one in units_at(s, key)), holder(s, key)) if it}
    friends = faction(s, "japan") not in there and ("western allies" in there or key.startswith("box/"))
    return f"no enemy of the Dutch is at {cmd.at}" if friends else None


#: How others would help an attacked country otherwise than by intercepting ships.
HELP = ("defensive air support", "intercept air transport", "attack sea supply")


def _about_the_indies(s: State, cmd: ReportOperation) -> bool:
    """Whether an operation takes place in the Dutch East Indies, or for ships at sea names one of their areas."""
    return in_dutch_east_indies(s, cmd.at) if cmd.at else cmd.country in DUTCH_AREAS


@limit(
    "82.72",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission in MEETS
        and cmd.nation != DUTCH
        and _about_the_indies(s, cmd)
        and faction(s, patron(s, cmd.nation)) not in ("", faction(s, "japan"))
    ),
    also=("82.82",),
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


def _seat(area: str) -> str:
    return place_key(areas()[area].places[0])


def _japans(s: State, area: str) -> bool:
    return s.countries[area].by == "japan"


@foresees
def last_seat_about_to_fall(s: State) -> Iterator[Foreseen]:
    """While Japan has all three capitals, its combat phase ends with the whole of the islands in its hands."""
    standing = [it for it in DUTCH_AREAS if s.countries[it].status != "conquered" or not _japans(s, it)]
    if not standing or dutch_indies_fell_before(s) or any(holder(s, _seat(it)) != "japan" for it in DUTCH_AREAS):
        return
    seats = "one of " + ", ".join(areas()[it].places[0] for it in DUTCH_AREAS)
    told = "all three areas have fallen: every hex of the Dutch East Indies without Allied units is Japan's"
    when = next_step_of(s, "japan", "end of combat phase")
    yield Foreseen(when, "89.23", told, "japan", standing[0], f"{seats} retaken before then")


@tells_of(*DUTCH_AREAS)
def dutch_page(s: State) -> Iterator[Told]:
    fallen = [called(it) for it in DUTCH_AREAS if s.countries[it].by == "japan"]
    yield Told("89.22", f"worth {dutch_east_indies_worth(s)} BRPs with the other two areas, each taken by itself")
    gives = "give it every hex without Allied units"
    if dutch_indies_fell_before(s) or japan_has_the_indies(s):
        gives = "gave it every hex without Allied units once, and never again"
    yield Told("89.23", f"Japan has {', '.join(fallen) or 'none'} of the three; all three {gives}")
    if not dutch_indies_open(s, "britain"):
        yield Told("89.24", "closed to Western Allied units until they associate with Britain")
    yield Told(
        "89.26", f"oil centers that Japan holds: {', '.join(japanese_oil_centers(s)) or 'none'} of Palembang, Brunei"
    )
    seats = ", ".join(areas()[it].places[0] for it in DUTCH_AREAS)
    yield Told("89.25", f"Dutch units are never rebuilt, and are lost when Japan holds {seats}")
