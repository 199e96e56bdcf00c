"""What comes of both garrisons: transfers under way, declarations of war."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.diplomacy import declaration_cost, promised
from warcabinet.rules.common.war_and_peace import at_war, wars_between, went_to_war
from warcabinet.rules.economy.base import level, track
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.garrisons.counting import (
    MANCHURIA,
    TYPES,
    garrison_value,
    in_words,
    japanese_advantage,
    manchurian_deterrent,
    prequel,
    siberian_shortfall,
)
from warcabinet.rules.garrisons.declarations import (
    RGT_NEEDED,
    japan_may_declare,
    manchuria_too_weak,
    tension_allows_war,
)
from warcabinet.rules.garrisons.transfers import (
    freed_by_war,
    garrisons_known,
    manchurian_reduction,
    redeployment_after,
    rounded_for_russia,
    transfer_opens,
    transferable,
)
from warcabinet.views.garrison_parts import Condition, Declaration, Moment, Transfer, When

# -- transfers ----------------------------------------------------------------------------------------------------


def freed_in_siberia(s: State, kind: str) -> int:
    """Factors of a type that what is missing in Manchuria now would free in Siberia."""
    return max(0, rounded_for_russia(s, kind, manchurian_reduction(s, kind)) - siberian_shortfall(s, kind))


def _state(s: State, moment: int, last: bool = False) -> When:
    if moment == s.moment:
        return "now"
    if moment < s.moment:
        return "done"
    return "end" if last else "ahead"


def _allied(turn: int, step: str) -> int:
    return calendar.moment(turn, calendar.step_index("allied", step))


def _way(s: State, turn: int, what: str, began: str, counted: str) -> tuple[Moment, ...]:
    """The four moments from a reduction or war in a turn to the second Allied redeployment."""
    name, after = calendar.turn_name(turn), calendar.turn_name(turn + 1)
    start, first, second = (
        _allied(turn, "start of player turn"),
        _allied(turn, "redeployment"),
        redeployment_after(turn),
    )
    axis = calendar.moment(turn, calendar.first_step("axis"))
    begun: When = "done" if s.moment >= start else "now" if s.moment >= axis else "ahead"
    return (
        Moment(f"Axis, {name}", "", began, begun),
        Moment(f"Allied, {name}", "start of turn", counted, _state(s, start)),
        Moment(f"Allied, {name}", "redeployment", "first: nothing may go", _state(s, first)),
        Moment(f"Allied, {after}", "redeployment", f"second: {what} may go", _state(s, second, last=True)),
    )


def transfers(s: State) -> Iterator[Transfer]:
    for war in () if freed_by_war(s) else wars_between(s, "germany", "russia"):
        what = "all above the minimum"
        way = _way(s, war.since, what, "Germany and Russia go to war", "nothing is counted")
        yield Transfer(f"{what}, Siberia to Europe", "81.42A", calendar.turn_name(war.since + 1), way, "nothing")
    pending = promised(s, transfer_opens)
    for it in pending:
        yield _reduced(s, it.of.turn, it.of.about)
    if not pending and s.player == "axis" and garrisons_known(s) and not went_to_war(s, "russia", "japan"):
        freed = {kind: freed_in_siberia(s, kind) - transferable(s, kind) for kind in TYPES}
        if any(count > 0 for count in freed.values()):
            yield _reduced(s, s.turn, in_words({kind: max(0, count) for kind, count in freed.items()}))


def _reduced(s: State, turn: int, what: str) -> Transfer:
    counted = f"Manchuria is counted: {garrison_value(s, MANCHURIA)} as it stands"
    way = _way(s, turn, what, "Japan withdraws units from Manchuria", counted)
    told = "bringing them back to Manchuria before the Russian turn of the second redeployment starts (R-0076)"
    return Transfer(f"{what}, Siberia to Europe", "81.42B", calendar.turn_name(turn + 1), way, told)


# -- declarations of war ------------------------------------------------------------------------------------------


def _covered(s: State, power: str, cost: int) -> Condition:
    may = spendable(s, power)
    detail = f"level {level(s, power)}, may spend {may}"
    return Condition(f"{powers()[power].name}'s level covers it", detail, may >= cost, "39.22A")


def japanese_declaration(s: State) -> Declaration:
    cost = declaration_cost(s, "japan", "russia")
    conditions: tuple[Condition, ...]
    if prequel(s):
        fought = Condition("Russia and Germany are at war", "", at_war(s, "germany", "russia"), "81.51A(1)")
        ahead = japanese_advantage(s)
        led = Condition("or Japan led in Storm Over Asia", f"by {ahead} on balance", ahead > 0, "81.51A(1)")
        conditions = (fought, led)
    else:
        detail = "classic: never on a neutral Russia"
        conditions = (Condition("Russia is not neutral", detail, japan_may_declare(s), "81.51A"),)
    paid = _covered(s, "japan", cost)
    may = japan_may_declare(s) and paid.met
    clause = "81.53A" if prequel(s) else "81.54"
    wait = "when Germany and Russia are at war"
    return Declaration("japan", "russia", cost, clause, may, (*conditions, paid), _chance(s, "japan", may, wait))


def russian_declaration(s: State) -> Declaration:
    cost = declaration_cost(s, "russia", "japan")
    value, least = garrison_value(s, MANCHURIA), manchurian_deterrent(s)
    more = f"; {value - least + 1} more would have to leave" if value >= least else ""
    weak = Condition(f"Manchuria is worth less than {least}", f"{value} now{more}", manchuria_too_weak(s), "81.51B(2)")
    tense = Condition(
        f"or the RGT level is {RGT_NEEDED}, without war with Germany",
        f"it is {track(s, 'rgt')}" + ("" if prequel(s) else "; in classic games by ruling R-0078"),
        tension_allows_war(s),
        "81.51B(1)",
    )
    paid = _covered(s, "russia", cost)
    may = (weak.met or tense.met) and paid.met
    clause = "81.53B" if prequel(s) else "81.54"
    wait = f"when Manchuria falls below {least}, or at an RGT level of {RGT_NEEDED}"
    return Declaration("russia", "japan", cost, clause, may, (weak, tense, paid), _chance(s, "russia", may, wait))


def _chance(s: State, power: str, may: bool, wait: str) -> str:
    """When it can next be declared, as things stand."""
    if not may:
        return f"Next chance: {wait}"
    step = calendar.step_index(powers()[power].player, "declarations of war")
    if s.step == step:
        return "Now"
    return f"Next chance: {calendar.moment_name(calendar.moment(s.turn if s.step < step else s.turn + 1, step))}"
