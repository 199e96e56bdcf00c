"""War between Russia and Japan: who may declare it, and what it costs (81.5)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.events import Reported, WarBegan
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war, neutral_power, went_to_war
from warcabinet.rules.common.declarations import declaration_cost, major_declaration_cost
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.economy.growth import track
from warcabinet.rules.garrisons.counting import MANCHURIA, SIBERIA, garrison_value
from warcabinet.rules.garrisons.levels import japanese_advantage, manchurian_deterrent, prequel
from warcabinet.rules.kinds import definition, effect, limit, value

MOST = 35
RGT_NEEDED = 50

# -- the cost -----------------------------------------------------------------------------------------------------


@value(
    "81.53A",
    "A Japanese declaration of war on Russia costs what the Siberian garrison is worth, at most 35",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: prequel(s) and (power, target) == ("japan", "russia"),
    also=("81.51A(2)",),
)
def japanese_declaration_cost(s: State, power: str, target: str) -> int:
    cost = min(garrison_value(s, SIBERIA), MOST)
    if neutral_power(s, "russia"):
        cost -= japanese_advantage(s)
    return max(0, cost)


@value(
    "81.53B",
    "A Russian declaration of war on Japan costs what the Manchurian garrison is worth, at most 35",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: prequel(s) and (power, target) == ("russia", "japan"),
)
def russian_declaration_cost(s: State, power: str, target: str) -> int:
    return min(garrison_value(s, MANCHURIA), MOST)


@value(
    "81.54",
    "In a classic game a declaration of war between Russia and Japan costs 35 BRPs",
    displaces=(declaration_cost, major_declaration_cost),
    when=lambda s, power, target: not prequel(s) and {power, target} == {"russia", "japan"},
)
def classic_declaration_cost(s: State, power: str, target: str) -> int:
    return MOST


# -- who may ------------------------------------------------------------------------------------------------------


@definition("81.51A", "Japan may declare war on Russia: in a classic game not on a neutral one")
def japan_may_declare(s: State) -> bool:
    return not neutral_power(s, "russia")


@definition(
    "81.51A(1)",
    "Japan may declare war on Russia once Germany fought it (R-0822), or with an overall advantage in Storm Over Asia",
    displaces=japan_may_declare,
    when=lambda s: prequel(s),
)
def japan_may_declare_after_asia(s: State) -> bool:
    german = at_war if reading_in_force(s, "R-0822") == "b" else went_to_war
    return german(s, "germany", "russia") or japanese_advantage(s) > 0


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


def _japan_refused(s: State) -> str | None:
    if japan_may_declare(s):
        return None
    return "Russia is not at war with Germany" if prequel(s) else "Russia is neutral"


def _russia_refused(s: State) -> str | None:
    if russia_may_declare(s):
        return None
    value_, least = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    return (
        f"the Manchurian garrison is worth {value_} BRPs and needs {least}, and the RGT level does not allow it either"
    )


@limit(
    "81.51A",
    "Japan declares war on Russia only in or after certain events",
    on=DeclareWar,
    also=("81.51A(1)",),
    when=lambda s, cmd: cmd.power == "japan" and "russia" in (cmd.on or ()),
)
def japan_on_russia(s: State, cmd: DeclareWar) -> str | None:
    return _japan_refused(s)


@limit(
    "81.51B",
    "Russia declares war on Japan at high tension, or on a weak Manchuria",
    on=DeclareWar,
    also=("81.51B(1)", "81.51B(2)"),
    when=lambda s, cmd: cmd.power == "russia" and "japan" in (cmd.on or ()),
)
def russia_on_japan(s: State, cmd: DeclareWar) -> str | None:
    return _russia_refused(s)


def _reported(cmd: ReportWar, declared_by: str) -> bool:
    return set(cmd.between) == {"russia", "japan"} and cmd.declared_by == declared_by


@limit(
    "81.51A",
    "A Japanese declaration of war on Russia is reported only where Japan may declare it",
    on=ReportWar,
    when=lambda s, cmd: _reported(cmd, "japan"),
)
def japan_on_russia_reported(s: State, cmd: ReportWar) -> str | None:
    return unless_excused(cmd, _japan_refused(s))


@limit(
    "81.51B",
    "A Russian declaration of war on Japan is reported only where Russia may declare it",
    on=ReportWar,
    when=lambda s, cmd: _reported(cmd, "russia"),
)
def russia_on_japan_reported(s: State, cmd: ReportWar) -> str | None:
    return unless_excused(cmd, _russia_refused(s))


@limit(
    "81.51A",
    "A war of Russia and Japan that nobody is said to have declared is not reported where neither may declare it",
    on=ReportWar,
    when=lambda s, cmd: _reported(cmd, ""),
    also=("81.51B",),
)
def undeclared_war_reported(s: State, cmd: ReportWar) -> str | None:
    japanese, russian = _japan_refused(s), _russia_refused(s)
    both = f"neither may declare war on the other: {japanese}; {russian}" if japanese and russian else None
    return unless_excused(cmd, both)


@effect(
    "81.54",
    "What a Japanese war on a neutral Russia brings is said in the transition rules, for the players to carry out",
    on=WarBegan,
    when=lambda s, began: (
        prequel(s)
        and set(began.between) == {"japan", "russia"}
        and began.declared_by == "japan"
        and not at_war(s, "germany", "russia")
    ),
)
def transition_rules(p: Proceedings, began: WarBegan) -> None:
    note("transition", "81.54", "14.4 to 14.6 and 15.5", "russia")
    p.do(Reported("transition", "Russo-Japanese war: the transition rules 14.4 to 14.6 and 15.5 say what follows"))
