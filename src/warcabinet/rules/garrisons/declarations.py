"""Both garrisons at the start, and war between Russia and Japan: who may declare it, and what it costs (81.5)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import DeclareWar, ReportUnits
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Reported, WarBegan
from warcabinet.model.keys import Unit
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.diplomacy import declaration_cost
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import units_of_kind
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.war_and_peace import at_war, neutral_power, went_to_war
from warcabinet.rules.economy.base import track
from warcabinet.rules.garrisons import counting
from warcabinet.rules.garrisons.transfers import joins_garrison
from warcabinet.rules.kinds import definition, effect, limit, value

MOST = 35
RGT_NEEDED = 50

# -- the cost -----------------------------------------------------------------------------------------------------


@value(
    "81.53A",
    displaces=declaration_cost,
    when=lambda s, power, target: {power, target} == {"russia", "japan"},
    also=("81.51A(2)",),
)
def garrison_declaration_cost(s: State, power: str, target: str) -> int:
    """A declaration of war between Russia and Japan costs what the other's garrison is worth, at most 35."""
    if not counting.prequel(s):
        note("classic_game", "81.54", MOST, power)
        return MOST
    cost = min(counting.garrison_value(s, counting.SIBERIA if power == "japan" else counting.MANCHURIA), MOST)
    if power == "russia":
        note("manchurian_garrison", "81.53B", cost, power)
    elif neutral_russia(s):
        cost -= counting.japanese_advantage(s)
    return max(0, cost)


# -- who may ------------------------------------------------------------------------------------------------------


@definition("81.51A", "Russia is neutral: it has not fought Germany yet (R-2785), and fights no other power")
def neutral_russia(s: State) -> bool:
    return not went_to_war(s, "germany", "russia") and neutral_power(s, "russia")


@definition("81.51A")
def japan_may_declare(s: State) -> bool:
    """Japan may declare war on a Russia that is not neutral, or with an overall advantage in Storm Over Asia."""
    if not counting.prequel(s):
        return not neutral_russia(s)
    note("after_storm_over_asia", "81.51A(1)", counting.japanese_advantage(s), "japan")
    return went_to_war(s, "germany", "russia") or counting.japanese_advantage(s) > 0  # once Germany fought it (R-0822)


@definition("81.51B(1)", "RGT stands at 50 or more, and Germany and Russia are not at war (R-0078)")
def tension_allows_war(s: State) -> bool:
    if not counting.prequel(s) and reading_in_force(s, "R-0078") == "b":
        return False
    if at_war(s, "germany", "russia") and not s.powers["germany"].surrendered:
        return False
    return track(s, "rgt") >= RGT_NEEDED


@definition("81.51B(2)", "The Manchurian garrison is worth less than it needs")
def manchuria_too_weak(s: State) -> bool:
    return counting.garrison_value(s, counting.MANCHURIA) < counting.manchurian_deterrent(s)


def _refused(s: State, power: str) -> str | None:
    """Why Japan or Russia may not declare war on the other, if it may not."""
    if power == "japan":
        if japan_may_declare(s):
            return None
        return "Russia is not at war with Germany" if counting.prequel(s) else "Russia is neutral"
    # Both are looked at, so that the explanation tells of both; one is enough.
    if any([tension_allows_war(s), manchuria_too_weak(s)]):
        return None
    worth, needs = counting.garrison_value(s, counting.MANCHURIA), counting.manchurian_deterrent(s)
    told = f"the Manchurian garrison is worth {worth} BRPs and needs {needs}"
    return f"{told}, and the RGT level does not allow it either"


def declarers(cmd: DeclareWar | ReportWar) -> tuple[str, ...]:
    """Which of Japan and Russia declares war on the other; where a report does not say, either may have."""
    if isinstance(cmd, DeclareWar):
        other = {"japan": "russia", "russia": "japan"}.get(cmd.power, "")
        return (cmd.power,) if other and other in (cmd.on or ()) else ()
    if set(cmd.between) != {"russia", "japan"} or cmd.declared_by not in ("japan", "russia", ""):
        return ()
    return (cmd.declared_by,) if cmd.declared_by else ("japan", "russia")


#: The clause on a declaration of war, by who may have declared it.
RESTRICTED = {("russia",): "81.51B", ("japan",): "81.51A", ("japan", "russia"): "81.51A"}


@limit(
    "81.51A",
    on=(DeclareWar, ReportWar),
    by=lambda s, cmd: RESTRICTED.get(declarers(cmd), ""),
    covers=("81.51A(1)", "81.51B", "81.51B(1)", "81.51B(2)"),
    excusable=True,
)
def may_be_declared(s: State, cmd: DeclareWar | ReportWar) -> str | None:
    """Japan declares war on Russia only in or after certain events, Russia on Japan at high tension or a weak
    Manchuria.
    """
    who = declarers(cmd)
    found = [told for it in who if (told := _refused(s, it))]
    if len(found) < len(who):
        return None
    return found[0] if len(found) == 1 else f"neither may declare war on the other: {'; '.join(found)}"


@effect(
    "81.54",
    on=WarBegan,
    when=lambda s, began: (
        counting.prequel(s)
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
_CLASSIC = {"armor 2-3": 2, "armor 1-3": 2, "infantry 3-2": 3, "infantry 2-2": 3, "infantry 1-2": 3, "army air": 5}
CLASSIC = {Unit(unit): count for unit, count in _CLASSIC.items()}


def _setting_up(s: State) -> bool:
    """Whether the first turn has not begun, in a game that sets its forces up."""
    first = s.turn == calendar.parse_turn(s.options.start) and s.step == calendar.first_step("axis")
    return first and s.options.set_up == "ordered" and s.options.scope != "europe"


def _on_boards(s: State, nation: str, unit: Unit) -> int:
    return sum(it.count for it in units_of_kind(s, nation, unit))


@value("81.31", "Factors of a type that Japan must set up in Manchuria: as many as it lacks nowhere")
def manchurian_start(s: State, unit_type: str) -> int:
    needed = counting.manchurian_level(s, unit_type) - counting.lacked_at_start(s, unit_type)
    if unit_type == "infantry":
        needed += counting.infantry_for_armor(s)
    return needed


@limit("81.31", on=Advance, when=lambda s, cmd: _setting_up(s))
def manchuria_is_set_up(s: State, cmd: Advance) -> Refusal | None:
    """Japan begins with 45 BRPs of units in Manchuria, if it has them; in a classic game with exactly these."""
    for what in map(Unit, counting.TYPES) if counting.prequel(s) else CLASSIC:
        if counting.prequel(s):
            clause, needed, there = (
                "81.31",
                manchurian_start(s, what),
                counting.garrison_factors(s, counting.MANCHURIA, what),
            )
            most, told = counting.japanese_factors(s, what), f"{needed} factors of {what}"
        else:
            clause, needed, there = "81.31C", CLASSIC[what], counting.counters_in(s, counting.MANCHURIA, what)
            most, told = _on_boards(s, "japan", what), f"{needed} {what}"
        if there < needed <= most:
            also = () if counting.prequel(s) else ("81.31", "81.31C(2)")
            return Refusal(clause, f"Japan sets up {told} in Manchuria, {there} stand there", also=also)
    return None


@limit("81.41A", on=Advance, when=lambda s, cmd: _setting_up(s), also=("81.41F",))
def siberia_is_set_up(s: State, cmd: Advance) -> str | None:
    """Siberia starts with the units that Russia's military counters give, and no others."""
    for unit in counting.MANDATORY:
        starts, there = counting.siberian_start(s, unit), counting.counters_in(s, counting.SIBERIA, unit)
        if there > starts or there < starts <= _on_boards(s, "russia", unit):
            return f"{starts} {unit} start in Siberia, Mongolia and Tannu Tuva; {there} stand there"
    return None


@limit(
    "81.41A",
    on=ReportUnits,
    when=lambda s, cmd: _setting_up(s) and joins_garrison(s, cmd, counting.SIBERIA),
    also=("81.41F",),
)
def nothing_more_at_start(s: State, cmd: ReportUnits) -> str | None:
    """Before play begins no Russian units are reported in Siberia but those that start there."""
    starts = counting.siberian_start(s, cmd.unit)
    if counting.counters_in(s, counting.SIBERIA, cmd.unit) + cmd.count <= starts:
        return None
    return unless_excused(cmd, f"{starts} {cmd.unit} start in Siberia, no more")
