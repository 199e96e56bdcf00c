"""Both garrisons at the start, and war between Russia and Japan: who may declare it, and what it costs (81.5)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import DeclareWar, ReportUnits
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Reported, WarBegan
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.diplomacy import declaration_cost, major_declaration_cost
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import units_of_kind
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.war_and_peace import at_war, neutral_power, went_to_war
from warcabinet.rules.economy.growth import track
from warcabinet.rules.garrisons.counting import (
    AIR,
    MANCHURIA,
    MANDATORY,
    SIBERIA,
    TYPES,
    counters_in,
    garrison_factors,
    garrison_value,
    infantry_for_armor,
    japanese_advantage,
    japanese_factors,
    lacked_at_start,
    manchurian_deterrent,
    manchurian_level,
    prequel,
    siberian_start,
)
from warcabinet.rules.garrisons.transfers import joins_garrison
from warcabinet.rules.kinds import definition, effect, limit, value

MOST = 35
RGT_NEEDED = 50

# -- the cost -----------------------------------------------------------------------------------------------------


@value(
    "81.53A",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: prequel(s) and (power, target) == ("japan", "russia"),
    also=("81.51A(2)",),
)
def japanese_declaration_cost(s: State, power: str, target: str) -> int:
    """A Japanese declaration of war on Russia costs what the Siberian garrison is worth, at most 35."""
    cost = min(garrison_value(s, SIBERIA), MOST)
    if neutral_russia(s):
        cost -= japanese_advantage(s)
    return max(0, cost)


@value(
    "81.53B",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: prequel(s) and (power, target) == ("russia", "japan"),
)
def russian_declaration_cost(s: State, power: str, target: str) -> int:
    """A Russian declaration of war on Japan costs what the Manchurian garrison is worth, at most 35."""
    return min(garrison_value(s, MANCHURIA), MOST)


@value(
    "81.54",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: not prequel(s) and {power, target} == {"russia", "japan"},
)
def classic_declaration_cost(s: State, power: str, target: str) -> int:
    """In a classic game a declaration of war between Russia and Japan costs 35 BRPs."""
    return MOST


# -- who may ------------------------------------------------------------------------------------------------------


@definition("81.51A", "Russia is neutral: it has not fought Germany yet (R-2785), and fights no other power")
def neutral_russia(s: State) -> bool:
    return not went_to_war(s, "germany", "russia") and neutral_power(s, "russia")


@definition("81.51A", "Japan may declare war on Russia: in a classic game not on a neutral one")
def japan_may_declare(s: State) -> bool:
    return not neutral_russia(s)


@definition("81.51A(1)", displaces=japan_may_declare, when=lambda s: prequel(s))
def japan_may_declare_after_asia(s: State) -> bool:
    """Japan may declare war on Russia once Germany fought it (R-0822), or with an overall advantage in Storm Over
    Asia.
    """
    return went_to_war(s, "germany", "russia") or japanese_advantage(s) > 0


@definition("81.51B(1)", "RGT stands at 50 or more, and Germany and Russia are not at war (R-0078)")
def tension_allows_war(s: State) -> bool:
    if not prequel(s) and reading_in_force(s, "R-0078") == "b":
        return False
    if at_war(s, "germany", "russia") and not s.powers["germany"].surrendered:
        return False
    return track(s, "rgt") >= RGT_NEEDED


@definition("81.51B(2)", "The Manchurian garrison is worth less than it needs")
def manchuria_too_weak(s: State) -> bool:
    return garrison_value(s, MANCHURIA) < manchurian_deterrent(s)


@definition("81.51B", "Russia may declare war on Japan: one of two conditions is enough")
def russia_may_declare(s: State) -> bool:
    # Both are looked at, so that the explanation tells of both.
    found = (tension_allows_war(s), manchuria_too_weak(s))
    return any(found)


def _refused(s: State, power: str) -> str | None:
    """Why Japan or Russia may not declare war on the other, if it may not."""
    if power == "japan":
        if japan_may_declare(s):
            return None
        return "Russia is not at war with Germany" if prequel(s) else "Russia is neutral"
    if russia_may_declare(s):
        return None
    worth, needs = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    told = f"the Manchurian garrison is worth {worth} BRPs and needs {needs}"
    return f"{told}, and the RGT level does not allow it either"


def _declarers(cmd: DeclareWar | ReportWar) -> tuple[str, ...]:
    """Which of Japan and Russia declares war on the other; where a report does not say, either may have."""
    if isinstance(cmd, DeclareWar):
        other = {"japan": "russia", "russia": "japan"}.get(cmd.power, "")
        return (cmd.power,) if other and other in (cmd.on or ()) else ()
    if set(cmd.between) != {"russia", "japan"} or cmd.declared_by not in ("japan", "russia", ""):
        return ()
    return (cmd.declared_by,) if cmd.declared_by else ("japan", "russia")


@limit(
    "81.51A",
    on=(DeclareWar, ReportWar),
    when=lambda s, cmd: bool(_declarers(cmd)),
    also=("81.51A(1)", "81.51B", "81.51B(1)", "81.51B(2)"),
)
def may_be_declared(s: State, cmd: DeclareWar | ReportWar) -> Refusal | None:
    """Japan declares war on Russia only in or after certain events, Russia on Japan at high tension or a weak
    Manchuria.
    """
    declarers = _declarers(cmd)
    found = [told for it in declarers if (told := _refused(s, it))]
    if len(found) < len(declarers):
        return None
    told = found[0] if len(found) == 1 else f"neither may declare war on the other: {'; '.join(found)}"
    refusal = unless_excused(cmd, told) if isinstance(cmd, ReportWar) else told
    return Refusal("81.51B" if declarers == ("russia",) else "81.51A", refusal) if refusal else None


@effect(
    "81.54",
    on=WarBegan,
    when=lambda s, began: (
        prequel(s)
        and set(began.between) == {"japan", "russia"}
        and began.declared_by == "japan"
        and not at_war(s, "germany", "russia")
    ),
)
def transition_rules(p: Proceedings, began: WarBegan) -> None:
    """What a Japanese war on a neutral Russia brings is said in the transition rules, for the players to carry out."""
    note("transition", "81.54", "14.4 to 14.6 and 15.5", "russia")
    p.do(Reported("transition", "Russo-Japanese war: the transition rules 14.4 to 14.6 and 15.5 say what follows"))


#: The units that stand in Manchuria as a classic game begins.
CLASSIC = {"armor 2-3": 2, "armor 1-3": 2, "infantry 3-2": 3, "infantry 2-2": 3, "infantry 1-2": 3, AIR: 5}


def _setting_up(s: State) -> bool:
    """Whether the first turn has not begun, in a game that sets its forces up."""
    first = s.turn == calendar.parse_turn(s.options.start) and s.step == calendar.first_step("axis")
    return first and s.options.set_up == "ordered" and s.options.scope != "europe"


def _on_boards(s: State, nation: str, unit: str) -> int:
    return sum(it.count for it in units_of_kind(s, nation, unit))


@value("81.31", "Factors of a type that Japan must set up in Manchuria: as many as it lacks nowhere")
def manchurian_start(s: State, unit_type: str) -> int:
    needed = manchurian_level(s, unit_type) - lacked_at_start(s, unit_type)
    if unit_type == "infantry":
        needed += infantry_for_armor(s)
    return needed


@limit("81.31", on=Advance, when=lambda s, cmd: prequel(s) and _setting_up(s))
def manchuria_is_set_up(s: State, cmd: Advance) -> str | None:
    """Japan begins with 45 BRPs of units in Manchuria: six armor, 18 infantry and five army air factors, if it has
    them.
    """
    for kind in TYPES:
        needed, there = manchurian_start(s, kind), garrison_factors(s, MANCHURIA, kind)
        if there < needed <= japanese_factors(s, kind):
            return f"Japan sets up {needed} factors of {kind} in Manchuria, {there} stand there"
    return None


@limit("81.31C", on=Advance, when=lambda s, cmd: not prequel(s) and _setting_up(s), also=("81.31", "81.31C(2)"))
def manchuria_is_set_up_exactly(s: State, cmd: Advance) -> str | None:
    """In a classic game exactly the units that are named stand in Manchuria at the start."""
    for unit, count in CLASSIC.items():
        there = counters_in(s, MANCHURIA, unit)
        if there < count <= _on_boards(s, "japan", unit):
            return f"Japan sets up {count} {unit} in Manchuria, {there} stand there"
    return None


@limit("81.41A", on=Advance, when=lambda s, cmd: _setting_up(s), also=("81.41F",))
def siberia_is_set_up(s: State, cmd: Advance) -> str | None:
    """Siberia starts with the units that Russia's military counters give, and no others."""
    for unit in MANDATORY:
        starts, there = siberian_start(s, unit), counters_in(s, SIBERIA, unit)
        if there > starts or there < starts <= _on_boards(s, "russia", unit):
            return f"{starts} {unit} start in Siberia, Mongolia and Tannu Tuva; {there} stand there"
    return None


@limit(
    "81.41A", on=ReportUnits, when=lambda s, cmd: _setting_up(s) and joins_garrison(s, cmd, SIBERIA), also=("81.41F",)
)
def nothing_more_at_start(s: State, cmd: ReportUnits) -> str | None:
    """Before play begins no Russian units are reported in Siberia but those that start there."""
    starts = siberian_start(s, cmd.unit)
    if counters_in(s, SIBERIA, cmd.unit) + cmd.count <= starts:
        return None
    return unless_excused(cmd, f"{starts} {cmd.unit} start in Siberia, no more")
