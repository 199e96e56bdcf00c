"""Where Chinese and Wang units may go and attack, by date and resistance, and at which odds (80).

Each kind of unit has one row: whose it is, how far it goes, by which clause. One limit holds them to it, whatever they
do at a place and by whichever order or report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.places import Place, holder
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import Unit, unit_kind
from warcabinet.rules.china.territory import (
    COMMUNISTS,
    NATIONALISTS,
    SOUTHEAST_ASIAN,
    WEST,
    allied_turns_since,
    chinese_resistance,
    cooperation_restricted,
    in_china,
    on_front,
)
from warcabinet.rules.common.pieces import faction, friendly, side_of
from warcabinet.rules.common.presence import Act, Presence, barred, unless_excused
from warcabinet.rules.common.war_and_peace import first_full_turn, war_between
from warcabinet.rules.kinds import definition, limit, remembered, value
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import in_area

TIGER, WANG, AIRBASE, ARMY_AIR = Unit("flying tiger"), "wang infantry", "airbase", "army air"
#: How far units may go, narrowest first.
CHINA, WITH_MANCHURIA, WITH_BASES = "China", "China and Manchuria", "China, Burma and India"
WITH_THE_FRONT, ANYWHERE = "China and the Southeast Asian front", "anywhere"


# -- how far ------------------------------------------------------------------------------------------------------


@value("80.31A")
def ground_reach(s: State) -> str:
    """How far Nationalist ground units may move and attack now."""
    level, turns = chinese_resistance(s), allied_turns_since(s)
    if level >= 3:
        note("resistance", "80.31A(3)", level, NATIONALISTS)
        return ANYWHERE
    if turns < 2:
        note("allied_turns", "80.31A(1)", turns, "japan", "britain")
        return CHINA
    note("resistance", "80.31A(2)", level, NATIONALISTS)
    return CHINA if level <= -1 else WITH_THE_FRONT


@value("80.31B", "How far Nationalist army air may base and operate now")
def air_reach(s: State) -> str:
    level, turns = chinese_resistance(s), allied_turns_since(s)
    if level >= 3:
        note("resistance", "80.31B(5)", level, NATIONALISTS)
        return ANYWHERE
    note("allied_turns", "80.31B(1)", turns, "japan", "britain")
    return WITH_THE_FRONT if turns >= 2 and level > -1 else CHINA


@value("80.31B", "How far the Flying Tigers may operate now")
def tiger_reach(s: State) -> str:
    if chinese_resistance(s) >= 3:
        note("resistance", "80.31B(5)", chinese_resistance(s), NATIONALISTS)
        return ANYWHERE
    note("allied_turns", "80.31B(3)", allied_turns_since(s), "japan", "britain")
    return WITH_THE_FRONT if allied_turns_since(s) >= 1 else CHINA


@value("78.61A", "Where the Flying Tigers may base: always in China, Burma and India (R-0071)", also=("80.31B",))
def tiger_bases(s: State) -> str:
    far = tiger_reach(s)
    return WITH_BASES if far == CHINA else far


@value("80.31C", "How far Chinese airbases may be placed now")
def airbase_reach(s: State) -> str:
    return ANYWHERE if chinese_resistance(s) >= 3 else CHINA


@definition("80.3")
def within_reach(s: State, reach: str, place: Place) -> bool:
    """A place lies within a reach: China, with Manchuria, with Burma and India, with the front, anywhere."""
    if reach == ANYWHERE or in_china(s, place):
        return True
    country = land(place)[0]
    if reach == WITH_MANCHURIA:
        return country == "manchuria"
    if reach == WITH_BASES:
        return country in ("burma", "india") or place == "box/india_box"
    return reach == WITH_THE_FRONT and on_front(place, SOUTHEAST_ASIAN)


@definition("80.31", "Whether a nation's Chinese units may go to a place by the restrictions on movement out of China")
def may_go(s: State, nation: str, unit: Unit, place: Place) -> bool:
    return within_reach(s, reach_of(s, nation, unit), place)


def reach_of(s: State, nation: str, unit: Unit) -> str:
    """How far units may go: by nation and kind; others than Chinese and Wang are not bound by this chapter."""
    kind = unit_kind(unit)
    return next((row.goes(s) for row in REACHES if row.binds(nation, kind.unit, kind.branch)), ANYWHERE)


@definition(
    "80.31", displaces=in_area, when=lambda s, nation, place: nation == NATIONALISTS and _led_by_the_west(s, place)
)
def western_lands_open(s: State, nation: str, place: Place) -> bool:
    """Nationalist units may go into the lands of Western Allied powers as far as they may leave China."""
    return True


def _led_by_the_west(s: State, place: Place) -> bool:
    """Whether a place lies in a colony or Commonwealth country of a Western Allied power."""
    standing = s.countries.get(land(place)[0])
    if standing is None or standing.status not in ("colony", "commonwealth"):
        return False
    return faction(s, standing.by) == WEST and not s.powers[standing.by].surrendered


# -- where they are ------------------------------------------------------------------------------------------------


class Reach(NamedTuple):
    """Units that are bound: whose, which kinds or branches, how they are called, how far they go, by which clause.

    Elsewhere than where they come to stand they may `reach` less far; some are `free` of it at times.
    """

    nation: str
    kinds: tuple[str, ...]
    name: str
    acts: tuple[Act, ...]
    clause: Callable[[State, str], str]
    goes: Callable[[State], str]
    reaches: Callable[[State], str] | None = None
    free: Callable[[State, Presence], bool] = lambda s, it: False

    def binds(self, nation: str, *kind: str) -> bool:
        return nation == self.nation and not set(kind).isdisjoint(self.kinds)

    def refusal(self, s: State, it: Presence) -> Refusal | None:
        """Why units may not be at a place, if it is out of their reach."""
        comes = it.act == "enter"
        far = self.goes(s) if comes or self.reaches is None else self.reaches(s)
        if it.act not in self.acts or within_reach(s, far, it.at) or self.free(s, it):
            return None
        does, where = ("may go", "to") if comes else ("operate", "at")
        # From resistance +3 on another sentence opens all other lands to Nationalist ones.
        beyond = (
            {"ground": ("80.31A(3)",), "air": ("80.31B(5)",)}.get(self.kinds[0]) if self.nation == NATIONALISTS else ()
        )
        told = f"{self.name} {does} within {far} now, not {where} {it.place}"
        return Refusal(self.clause(s, far), told, also=beyond or ())


def _always(said: str) -> Callable[..., str]:
    return lambda *given: said


GROUND: tuple[Act, ...] = ("enter", "attack", "take", "rise")
AIR: tuple[Act, ...] = ("enter", "attack", "join")
#: Special kinds stand before the branch that they belong to.
REACHES = (
    Reach(
        *(NATIONALISTS, (TIGER,), "the Flying Tigers", AIR),
        lambda s, far: "78.61A" if far == WITH_BASES else "80.31B(3)",
        *(tiger_bases, tiger_reach, lambda s, it: _fly_with_the_west(s, it)),
    ),
    Reach(NATIONALISTS, (AIRBASE,), "Chinese airbases", AIR, _always("80.31C"), airbase_reach),
    Reach(NATIONALISTS, ("air",), "Nationalist army air units", AIR, _always("80.31B(1)"), air_reach),
    Reach(
        *(NATIONALISTS, ("ground", "partisan"), "Nationalist ground units", GROUND),
        lambda s, far: "80.31A(1)" if allied_turns_since(s) < 2 else "80.31A(2)",
        ground_reach,
    ),
    Reach(COMMUNISTS, ("ground",), "Communist Chinese units", ("attack",), _always("80.32"), _always(CHINA)),
    Reach("japan", (WANG,), "Wang infantry units", GROUND, _always("80.33"), _always(WITH_MANCHURIA)),
)


NATIONS = {row.nation for row in REACHES}


def _row(nation: str, *kind: str) -> Reach | None:
    return next((row for row in REACHES if row.binds(nation, *kind)), None)


def _bound(it: Presence) -> Iterator[Reach | None]:
    """What binds the units that are there, and those in whose ground attack they take part."""
    if it.nation in NATIONS:
        for kind in it.kinds:
            yield _row(it.nation, kind.unit, kind.branch)
        branch = it.cmd.branch if isinstance(it.cmd, ReportOperation) else "ground"
        if not it.kinds or (isinstance(it.cmd, ReportOperation) and it.kinds[0].branch != branch):
            yield _row(it.nation, branch)
    if it.act == "attack" and it.cmd.assisting:
        yield _row(it.cmd.assisting, "ground")


@barred(
    "80.31A",
    acts=("enter", "attack", "join", "take", "rise"),
    when=lambda s, it: it.exact and any(_bound(it)),
    covers=(
        *("78.61A", "78.62", "80.31A(1)", "80.31A(2)", "80.31A(3)", "80.31B", "80.31B(1)", "80.31B(3)", "80.31B(5)"),
        *("80.31C", "80.32", "80.33"),
    ),
)
def stay_within_reach(s: State, it: Presence) -> Refusal | None:
    """Chinese and Wang units are, attack, operate and take only as far as they may go."""
    return next(filter(None, (row.refusal(s, it) for row in _bound(it) if row)), None)


@remembered("78.63", "Flying Tigers that are lent to the U.S., as reported")
def tigers_lent(s: State) -> int:
    return 0


def _fly_with_the_west(s: State, it: Presence) -> bool:
    """Whether the Flying Tigers are lent, and go or fly as American units, or defend the Western Allies (78.62)."""
    count = counted(it.cmd.units)[TIGER] if isinstance(it.cmd, ReportMove) else it.count
    defends = it.act == "join" and first_japanese_attack(s) and friendly(s, it.at, WEST)
    return 0 < count <= tigers_lent(s) or defends


@definition("78.62", "The first Japanese attack on the Western Allies is under way: the Flying Tigers may defend them")
def first_japanese_attack(s: State) -> bool:
    wars = (war_between(s, "japan", it) for it in ("britain", "usa"))
    return s.player == "axis" and any(war is not None and s.turn == first_full_turn(war) for war in wars)


@barred("80.33", acts=("enter", "build"), covers=("78.61D",), final=True)
def under_their_own_flag(s: State, it: Presence) -> Refusal | None:
    """Wang infantry is Japan's, and the Flying Tigers are Nationalist Chinese units, even when they are lent."""
    if it.nation != "japan" and it.brings(WANG):
        return Refusal("80.33", "Wang units fight for Japan: nation japan")
    if it.nation != NATIONALISTS and it.brings(TIGER):
        if it.act == "build":
            told = "Nationalist China builds the Flying Tigers and pays for them; others may grant it the BRPs"
            return Refusal("78.61C", told)
        return Refusal("78.61", "the Flying Tigers are Nationalist Chinese units, even when lent: nation china")
    return None


@definition("85.63", displaces=in_area, when=lambda s, nation, place: nation == COMMUNISTS)
def communist_area(s: State, nation: str, place: Place) -> bool:
    """Communist Chinese stay in China; Nationalist hexes are open to them from resistance +2."""
    return in_china(s, place) and (holder(s, place) != NATIONALISTS or chinese_resistance(s) >= 2)


@definition(
    "78.71",
    displaces=in_area,
    when=lambda s, nation, place: nation == NATIONALISTS and holder(s, place) == COMMUNISTS,
    also=("79.81",),
)
def communist_hexes_open(s: State, nation: str, place: Place) -> bool:
    """Nationalist units enter what Communist China holds once the restrictions on cooperation have fallen (R-2780)."""
    return not cooperation_restricted(s)


@barred("85.63", acts=("enter",), when=lambda s, it: it.nation == COMMUNISTS)
def communists_stay(s: State, it: Presence) -> Refusal | None:
    """Communist Chinese units stay in China, out of Nationalist hexes while Chinese resistance is less than +2."""
    if in_area(s, COMMUNISTS, it.at):
        return None
    abroad = not in_china(s, it.at)
    why = "is not in China" if abroad else "is Nationalist, and Chinese resistance is less than +2"
    told = f"{it.place} {why}: Communist Chinese units may not enter it"
    return Refusal("85.63", told, also=("80.32",) if abroad else ())


# -- at which odds ------------------------------------------------------------------------------------------------


@definition("80.21", "Odds are less than 1:1")
def below_even(s: State, odds: str) -> bool:
    attacker, _, defender = odds.partition(":")
    return bool(defender) and int(attacker) < int(defender)


_CHINESE = {NATIONALISTS, COMMUNISTS}


@limit(
    "80.21",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission == "attack" and bool(_CHINESE & {cmd.nation, cmd.assisting}),
)
def even_odds_at_least(s: State, cmd: ReportOperation) -> str | None:
    """Chinese units take no part in ground attacks at less than 1:1; Flying Tigers may help Western Allied ones."""
    if not cmd.odds and cmd.branch == "ground" and cmd.nation in _CHINESE:
        return "say at what odds they attack (odds, such as 2:1): less than 1:1 is not allowed"
    western = bool(cmd.assisting) and cmd.assisting != NATIONALISTS and side_of(s, cmd.assisting) == WEST
    if not below_even(s, cmd.odds) or (cmd.nation == NATIONALISTS and cmd.unit == TIGER and western):
        return None
    return unless_excused(cmd, f"Chinese units take no part in ground attacks at {cmd.odds}, less than 1:1")
