"""Where Chinese and Wang units may go and attack, by date and resistance, and at which odds (80)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.china.resistance import chinese_resistance
from warcabinet.rules.china.territory import COMMUNISTS, NATIONALISTS, SOUTHEAST_ASIAN, WEST, in_china, on_front
from warcabinet.rules.china.war import allied_turns_since
from warcabinet.rules.common.arrivals import Arrival, destination, moved, mover
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import faction, side_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.geography import in_allied_area, in_area, land, power_area
from warcabinet.rules.minors.units import entry_refused

TIGER, WANG, AIRBASE, ARMY_AIR = "flying tiger", "wang infantry", "airbase", "army air"
#: Missions that are attacks: offensive operations, and attrition.
ATTACKS = ("attack", "attrition")
#: How far units may go, narrowest first.
CHINA, WITH_MANCHURIA, WITH_BASES = "China", "China and Manchuria", "China, Burma and India"
WITH_THE_FRONT, ANYWHERE = "China and the Southeast Asian front", "anywhere"


# -- how far ------------------------------------------------------------------------------------------------------


@value(
    "80.31A", "How far Nationalist ground units may move and attack now", covers=("80.31A(1)", "80.31A(2)", "80.31A(3)")
)
def ground_reach(s: State) -> str:
    level, turns = chinese_resistance(s), allied_turns_since(s)
    if level >= 3:
        note("resistance", "80.31A(3)", level, NATIONALISTS)
        return ANYWHERE
    if turns < 2:
        note("allied_turns", "80.31A(1)", turns, "japan", "britain")
        return CHINA
    note("resistance", "80.31A(2)", level, NATIONALISTS)
    return CHINA if level <= -1 else WITH_THE_FRONT


@value("80.31B", "How far Nationalist army air may base and operate now", covers=("80.31B(1)", "80.31B(5)"))
def air_reach(s: State) -> str:
    level, turns = chinese_resistance(s), allied_turns_since(s)
    if level >= 3:
        note("resistance", "80.31B(5)", level, NATIONALISTS)
        return ANYWHERE
    note("allied_turns", "80.31B(1)", turns, "japan", "britain")
    return WITH_THE_FRONT if turns >= 2 and level > -1 else CHINA


@value("80.31B", "How far the Flying Tigers may operate now", covers=("80.31B(3)", "80.31B(5)"))
def tiger_reach(s: State) -> str:
    if chinese_resistance(s) >= 3:
        note("resistance", "80.31B(5)", chinese_resistance(s), NATIONALISTS)
        return ANYWHERE
    note("allied_turns", "80.31B(3)", allied_turns_since(s), "japan", "britain")
    return WITH_THE_FRONT if allied_turns_since(s) >= 1 else CHINA


@value("78.61A", "Where the Flying Tigers may base: always in China, Burma and India (R-0071)", also=("80.31B",))
def tiger_bases(s: State) -> str:
    far = tiger_reach(s)
    return WITH_BASES if far == CHINA and reading_in_force(s, "R-0071") == "a" else far


@value("80.31C", "How far Chinese airbases may be placed now")
def airbase_reach(s: State) -> str:
    return ANYWHERE if chinese_resistance(s) >= 3 else CHINA


def reach_of(s: State, nation: str, unit: str) -> str:
    """How far units may go: by nation and kind; others than Chinese and Wang are not bound by this chapter."""
    kind = parse_unit(unit)[0]
    if kind.unit == WANG:
        return WITH_MANCHURIA
    if nation == COMMUNISTS:
        return CHINA
    if nation != NATIONALISTS:
        return ANYWHERE
    if kind.unit == TIGER:
        return tiger_bases(s)
    if kind.unit == AIRBASE:
        return airbase_reach(s)
    return air_reach(s) if kind.branch == "air" else ground_reach(s)


@definition(
    "80.3", "A place lies within a reach: China, with Manchuria, with Burma and India, with the front, anywhere"
)
def within_reach(s: State, reach: str, place: str) -> bool:
    key = place_key(place)
    if reach == ANYWHERE or in_china(s, key):
        return True
    country = land(key)[0]
    if reach == WITH_MANCHURIA:
        return country == "manchuria"
    if reach == WITH_BASES:
        return country in ("burma", "india") or key == "box/india_box"
    return reach == WITH_THE_FRONT and on_front(key, SOUTHEAST_ASIAN)


@definition("80.31", "Whether a nation's Chinese units may go to a place by the restrictions on movement out of China")
def may_go(s: State, nation: str, unit: str, place: str) -> bool:
    return within_reach(s, reach_of(s, nation, unit), place)


@definition(
    "80.31",
    "Nationalist units may go into the lands of Western Allied powers as far as they may leave China",
    displaces=(in_area, power_area),
    when=lambda s, nation, place: nation == NATIONALISTS and _led_by_the_west(s, place),
)
def western_lands_open(s: State, nation: str, place: str) -> bool:
    return True


def _led_by_the_west(s: State, place: str) -> bool:
    """Whether a place lies in a colony or Commonwealth country of a Western Allied power."""
    standing = s.countries.get(land(place)[0])
    if standing is None or standing.status not in ("colony", "commonwealth"):
        return False
    return faction(s, standing.by) == WEST and not s.powers[standing.by].surrendered


# -- movement -----------------------------------------------------------------------------------------------------


def _brings(cmd: Arrival, nation: str, *kinds: str) -> bool:
    """Whether a command brings units of these kinds or branches."""
    if mover(cmd) != nation:
        return False
    return any({kind_name(it), parse_unit(it)[0].branch} & set(kinds) for it in moved(cmd))


def _refusal(cmd: Arrival, who: str, reach: str) -> str:
    return f"{who} may go {'' if reach == ANYWHERE else 'within '}{reach} now, not to {destination(cmd)}"


def _judged(cmd: Arrival, refusal: str | None) -> str | None:
    """Reports may name a rule outside these documents; orders may not."""
    return unless_excused(cmd, refusal) if isinstance(cmd, ReportUnits) else refusal


def _kept_in(s: State, cmd: Arrival, who: str, reach: str) -> str | None:
    return _judged(cmd, None if within_reach(s, reach, destination(cmd)) else _refusal(cmd, who, reach))


@limit(
    "80.31A(1)",
    "Before the second Allied turn of the war with Britain Nationalist ground units stay in China, unless at +3",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _brings(cmd, NATIONALISTS, "ground", "partisan") and allied_turns_since(s) < 2,
    also=("80.31A", "80.31A(3)"),
)
def ground_stays_in_china(s: State, cmd: Arrival) -> str | None:
    return _kept_in(s, cmd, "Nationalist ground units", ground_reach(s))


@limit(
    "80.31A(2)",
    "Nationalist troops go to Southeast Asia from the second Allied turn of war with Britain on, save at -1 or less",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _brings(cmd, NATIONALISTS, "ground", "partisan") and allied_turns_since(s) >= 2,
    also=("80.31A(3)",),
)
def ground_on_the_front(s: State, cmd: Arrival) -> str | None:
    return _kept_in(s, cmd, "Nationalist ground units", ground_reach(s))


@limit(
    "80.31B(1)",
    "Nationalist army air goes to the Southeast Asian front from the second Allied turn of the war with Britain",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _brings(cmd, NATIONALISTS, ARMY_AIR),
    also=("80.31B", "80.31B(5)"),
)
def army_air_stays(s: State, cmd: Arrival) -> str | None:
    return _kept_in(s, cmd, "Nationalist army air", air_reach(s))


@limit(
    "80.31C",
    "Chinese airbases are placed in China, unless at +3",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _brings(cmd, NATIONALISTS, AIRBASE),
)
def airbases_in_china(s: State, cmd: Arrival) -> str | None:
    return _kept_in(s, cmd, "Chinese airbases", airbase_reach(s))


@limit(
    "80.33",
    "Wang infantry stays in China and Manchuria",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: _brings(cmd, "japan", WANG),
)
def wang_stays(s: State, cmd: Arrival) -> str | None:
    return _kept_in(s, cmd, "Wang infantry", WITH_MANCHURIA)


@limit(
    "80.33",
    "Wang infantry is Japan's",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: mover(cmd) != "japan" and any(kind_name(it) == WANG for it in moved(cmd)),
)
def wang_is_japanese(s: State, cmd: Arrival) -> str:
    return "Wang units fight for Japan: nation japan"


@definition(
    "85.63",
    "Communist Chinese stay in China; Nationalist hexes are open to them from resistance +2",
    displaces=(in_area, in_allied_area),
    when=lambda s, nation, place: nation == COMMUNISTS,
)
def communist_area(s: State, nation: str, place: str) -> bool:
    return in_china(s, place) and (holder(s, place) != NATIONALISTS or chinese_resistance(s) >= 2)


@limit(
    "85.63",
    "Communist Chinese units stay in China",
    on=MoveUnits,
    when=lambda s, cmd: cmd.nation == COMMUNISTS,
    also=("80.32",),
)
def communists_stay(s: State, cmd: MoveUnits) -> str | None:
    return entry_refused(s, cmd)


@limit(
    "80.32",
    "Communist Chinese ground units do not come to stand outside China",
    on=ReportUnits,
    when=lambda s, cmd: _brings(cmd, COMMUNISTS, "ground"),
)
def communists_stand_in_china(s: State, cmd: ReportUnits) -> str | None:
    return _kept_in(s, cmd, "Communist Chinese units", CHINA)


@limit(
    "85.63",
    "Communist Chinese units are not reported in Nationalist hexes while Chinese resistance is less than +2",
    on=ReportUnits,
    when=lambda s, cmd: _brings(cmd, COMMUNISTS, "ground") and cmd.count > 0 and in_china(s, place_key(cmd.at)),
)
def communists_stand_apart(s: State, cmd: ReportUnits) -> str | None:
    if in_area(s, COMMUNISTS, place_key(cmd.at)):
        return None
    return _judged(cmd, f"{cmd.at} is Nationalist, and Chinese resistance is less than +2")


@limit(
    "80.31A",
    "Nationalist China gains hexes outside China only where its ground units may go",
    on=ReportControl,
    when=lambda s, cmd: cmd.by == NATIONALISTS,
)
def nothing_gained_beyond(s: State, cmd: ReportControl) -> str | None:
    far = ground_reach(s)
    beyond = next((it for it in cmd.places if not within_reach(s, far, it)), "")
    return unless_excused(cmd, f"its ground units may go within {far} now, not to {beyond}") if beyond else None


# -- attacks ------------------------------------------------------------------------------------------------------


def _attacking(cmd: ReportOperation, nation: str, branch: str) -> bool:
    return cmd.nation == nation and cmd.branch == branch and cmd.mission in ATTACKS and bool(cmd.at)


def _not_beyond(s: State, cmd: ReportOperation, who: str, reach: str) -> str | None:
    if within_reach(s, reach, cmd.at):
        return None
    return unless_excused(cmd, f"{who} operate within {reach} now, not at {cmd.at}")


@limit(
    "80.31A(1)",
    "Before the second Allied turn of the war with Britain Nationalist ground units do not attack outside China",
    on=ReportOperation,
    when=lambda s, cmd: _attacking(cmd, NATIONALISTS, "ground") and allied_turns_since(s) < 2,
    also=("80.31A", "80.31A(3)"),
)
def no_attack_out_of_china(s: State, cmd: ReportOperation) -> str | None:
    return _not_beyond(s, cmd, "Nationalist ground units", ground_reach(s))


@limit(
    "80.31A(2)",
    "Nationalist troops attack in Southeast Asia from the second Allied turn of war with Britain, save at -1 or less",
    on=ReportOperation,
    when=lambda s, cmd: _attacking(cmd, NATIONALISTS, "ground") and allied_turns_since(s) >= 2,
    also=("80.31A(3)",),
)
def attack_on_the_front(s: State, cmd: ReportOperation) -> str | None:
    return _not_beyond(s, cmd, "Nationalist ground units", ground_reach(s))


@limit(
    "80.31B(1)",
    "Nationalist army air operates outside China only where it may base",
    on=ReportOperation,
    when=lambda s, cmd: cmd.nation == NATIONALISTS and cmd.branch == "air" and cmd.unit != TIGER and bool(cmd.at),
    also=("80.31B", "80.31B(5)"),
)
def army_air_operates(s: State, cmd: ReportOperation) -> str | None:
    return _not_beyond(s, cmd, "Nationalist army air units", air_reach(s))


@limit(
    "80.32",
    "Communist Chinese ground units do not attack outside China",
    on=ReportOperation,
    when=lambda s, cmd: _attacking(cmd, COMMUNISTS, "ground"),
)
def communists_attack_in_china(s: State, cmd: ReportOperation) -> str | None:
    return _not_beyond(s, cmd, "Communist Chinese ground units", CHINA)


@limit(
    "80.33",
    "Wang infantry does not attack outside China and Manchuria",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission in ATTACKS and bool(cmd.unit) and kind_name(cmd.unit) == WANG and bool(cmd.at),
)
def wang_attacks_in_china(s: State, cmd: ReportOperation) -> str | None:
    return _not_beyond(s, cmd, "Wang infantry units", WITH_MANCHURIA)


@definition("80.21", "Odds are less than 1:1")
def below_even(s: State, odds: str) -> bool:
    attacker, _, defender = odds.partition(":")
    return bool(defender) and int(attacker) < int(defender)


@limit(
    "80.21",
    "Chinese units take no part in ground attacks at less than 1:1; Flying Tigers may help Western Allied ones",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission == "attack"
        and (cmd.nation in (NATIONALISTS, COMMUNISTS) or cmd.assisting in (NATIONALISTS, COMMUNISTS))
    ),
)
def even_odds_at_least(s: State, cmd: ReportOperation) -> str | None:
    if not below_even(s, cmd.odds):
        return None
    western = bool(cmd.assisting) and cmd.assisting != NATIONALISTS and side_of(s, cmd.assisting) == WEST
    if cmd.nation == NATIONALISTS and cmd.unit == TIGER and western:
        return None
    return unless_excused(cmd, f"Chinese units take no part in ground attacks at {cmd.odds}, less than 1:1")


@limit(
    "80.21",
    "A Chinese ground attack says at what odds it is made",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission == "attack" and cmd.branch == "ground" and cmd.nation in (NATIONALISTS, COMMUNISTS),
)
def odds_are_told(s: State, cmd: ReportOperation) -> str | None:
    return None if cmd.odds else "say at what odds they attack (odds, such as 2:1): less than 1:1 is not allowed"
