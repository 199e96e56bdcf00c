"""Leaving Siberia and Manchuria: what binds units, what frees them and when, and the way back (81.42, 81.43, 81.44)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import Promise, Reduction
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.events import Closed, Reported
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import MOST_UNITS, Unit, unit_branch, unit_factors
from warcabinet.rules.common.diplomacy import promise, promised
from warcabinet.rules.common.moments import Foreseen, foresees, reading_in_force
from warcabinet.rules.common.pieces import standing_at, units_of
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.waiting import Coming, Going, goal_of, nation_of, origin_of
from warcabinet.rules.common.war_and_peace import wars_between, went_to_war
from warcabinet.rules.garrisons import counting
from warcabinet.rules.kinds import definition, due, effect, limit, remembered, value

#: What is refused of units that go or come together, or nothing.
Judge = Callable[[Mapping[Unit, int]], str | None]


def leaves_garrison(s: State, cmd: Going, garrison: str) -> bool:
    """Whether the owner's units would leave a garrison of their own will; losses are another matter."""
    if nation_of(cmd) != counting.GARRISON_OF[garrison] or origin_of(cmd) not in counting.REGIONS[garrison]:
        return False
    if goal_of(cmd) in counting.REGIONS[garrison]:
        return False
    return not (isinstance(cmd, ReportUnits) and cmd.lost)


def joins_garrison(s: State, cmd: Coming, garrison: str) -> bool:
    """Whether the owner's units would come to a garrison from outside."""
    if nation_of(cmd) != counting.GARRISON_OF[garrison] or goal_of(cmd) not in counting.REGIONS[garrison]:
        return False
    return origin_of(cmd) not in counting.REGIONS[garrison]


def judged(s: State, cmd: Coming, judge: Judge) -> Bound | str | None:
    """What is refused: of an order that names one kind of unit, a bound on how many; of a report, all of it."""
    if isinstance(cmd, MoveUnits):
        there = standing_at(s, cmd.nation, cmd.from_, cmd.unit)
        for count in range(1, min(there, MOST_UNITS) + 1):
            refusal = judge({cmd.unit: count})
            if refusal:
                return Bound("count", most=count - 1, text=refusal)
        return None
    if isinstance(cmd, ReportUnits):
        refusal = judge({cmd.unit: abs(cmd.count)})
        return unless_excused(cmd, refusal)
    return judge(counted(cmd.units))


REDEPLOYMENT = "redeployment"

# -- what Japan has taken away ------------------------------------------------------------------------------------


@value("81.42B", "Factors of a type that Japan has withdrawn from Manchuria, as it stands", also=("81.31B",))
def manchurian_reduction(s: State, unit_type: str) -> int:
    due_there = (
        counting.manchurian_level(s, unit_type)
        - counting.start_shortage(s, unit_type)
        - withdrawn_in_pacific(s, unit_type)
    )
    return max(0, due_there - counting.garrison_factors(s, counting.MANCHURIA, unit_type))


@remembered("81.33", "Factors of a type that Japan withdrew from Manchuria in a Pacific scenario, as it may once")
def withdrawn_in_pacific(s: State, unit_type: str) -> int:
    return 0


@remembered("81.42B")
def reduction_found(s: State, unit_type: str, turn: int) -> int:
    # Nothing was found missing, unless it was kept when it was counted.
    """Factors of a type that Manchuria lacked, when it was counted in a turn, beyond what Siberia lacked."""
    return 0


@effect("81.42B", also=("81.31B", "81.32"), when=lambda s: s.player == "allied" and s.options.scope != "europe")
def count_manchuria(p: Proceedings) -> None:
    """At the start of the Russian player turn the Manchurian garrison is counted, and what is missing is kept."""
    if not garrisons_known(p.s):
        return
    lacks = {it: _lacks(p.s, it) for it in counting.TYPES}
    news = {it: factors - _known(p.s, it) for it, factors in lacks.items() if factors > _known(p.s, it)}
    for unit_type, factors in lacks.items():
        if factors:
            reduction_found.note(p, factors, "counted at the start of the Russian player turn", unit_type, p.s.turn)
    if not any(lacks.values()):
        for it in promised(p.s, transfer_opens):
            p.do(Closed(it.id, "averted", "Japan has restored the Manchurian garrison"))
    if news:
        of = Reduction(p.s.turn, news.get("armor", 0), news.get("infantry", 0), news.get("army air", 0))
        promise(p, transfer_opens, redeployment_after(p.s.turn), "russia", of)


def garrisons_known(s: State) -> bool:
    """Whether a table keeps the units of both garrisons on its boards; Japan's may all have left Manchuria."""
    japanese = any(counting.type_of(it.unit) and it.place.startswith("pacific/") for it in units_of(s, "japan"))
    return japanese and next(counting.stacks_of(s, counting.SIBERIA), None) is not None


def _lacks(s: State, unit_type: str) -> int:
    """Factors that Japan took from Manchuria, rounded for Russia, if they are more than have left Siberia."""
    gone = rounded_for_russia(s, unit_type, manchurian_reduction(s, unit_type))
    return gone if gone > counting.siberian_shortfall(s, unit_type) else 0


def _known(s: State, unit_type: str) -> int:
    """Factors for which Russia has gained its right before, or that Siberia lacks anyway."""
    return max(reduction_found(s, unit_type, s.turn - 1), counting.siberian_shortfall(s, unit_type))


@value("81.42B(2)")
def rounded_for_russia(s: State, unit_type: str, factors: int) -> int:
    """Equivalent forces are as many factors of the same type; of armor whole three-factor units, for Russia."""
    if unit_type != "armor":
        return factors
    whole = -(-factors // counting.THREE_FACTORS) * counting.THREE_FACTORS
    note("rounded", "81.42B(3)", whole, unit_type)
    return whole


@due("81.42B(2)", averted_by="bringing it back to Manchuria before the Russian player turn starts (R-0076)")
def transfer_opens(p: Proceedings, due_now: Promise[Reduction]) -> None:
    """For what Japan withdrew from Manchuria as much of the same type may leave Siberia."""
    free = {it: transferable(p.s, it) for it in counting.TYPES}
    p.do(Reported("garrison", f"Russia may transfer from Siberia: {counting.in_words(free) or 'nothing'}"))


# -- what frees Siberia -------------------------------------------------------------------------------------------


def redeployment_after(turn: int) -> int:
    """The second Allied redeployment phase from a turn on: that of the turn after it."""
    return calendar.moment(turn + 1, calendar.step_index("allied", REDEPLOYMENT))


@definition("81.42A", "War with Germany has freed the Siberian garrison: from the second Allied redeployment phase on")
def freed_by_war(s: State) -> bool:
    return any(s.moment >= redeployment_after(war.since) for war in wars_between(s, "germany", "russia"))


def _counts_needed(s: State) -> tuple[int, ...]:
    """The turns in which it must have been found short: the last two, or three until the redeployment phase."""
    last = s.turn if s.player == "allied" else s.turn - 1  # the turn in which Manchuria was last counted
    early = s.player == "allied" and s.step < calendar.step_index("allied", REDEPLOYMENT)
    return (last, last - 1, last - 2) if early else (last, last - 1)


@value("81.42B", "Factors of a type missing in Manchuria for so long that as many may leave Siberia (R-0076)")
def lasting_reduction(s: State, unit_type: str) -> int:
    return min(reduction_found(s, unit_type, turn) for turn in _counts_needed(s))


@value("81.42B(2)", "Factors of a type that may leave Siberia because Japan took as many from Manchuria")
def transferable(s: State, unit_type: str) -> int:
    return max(0, lasting_reduction(s, unit_type) - counting.siberian_shortfall(s, unit_type))


@value("81.42", "Counters of a kind in Siberia beyond the mandatory ones: they may go to Europe")
def beyond_mandatory(s: State, unit: Unit) -> int:
    there, kind = counting.counters_in(s, counting.SIBERIA, unit), counting.type_of(unit)
    over = there - counting.MANDATORY.get(unit, 0)
    if not kind:
        return there
    factors = counting.garrison_factors(s, counting.SIBERIA, kind) - counting.siberian_maximum(s, kind)
    return max(0, min(over, factors // unit_factors(unit)))


# -- what may not leave -------------------------------------------------------------------------------------------


def _transfer(s: State, cmd: Going) -> bool:
    """Whether an order or report takes units out of Siberia in a way that the clause on transfers forbids (R-0080)."""
    if not leaves_garrison(s, cmd, counting.SIBERIA):
        return False
    goal = goal_of(cmd)
    if goal.startswith("europe/") and counting.europe_is_filled(s):
        return False
    if reading_in_force(s, "R-0080") == "b":
        return goal.startswith("europe/")
    # Once the two are at war the garrison may march; what leaves for Europe is still a transfer.
    return not went_to_war(s, "russia", "japan") or not goal.startswith("pacific/")


def bound_to_siberia(s: State, leaving: Mapping[Unit, int]) -> str | None:
    """Why units must stay in Siberia for now, if they must."""
    if freed_by_war(s):
        return None
    asked: dict[str, int] = {}
    for unit, count in leaving.items():
        bound = count - beyond_mandatory(s, unit)
        if bound > 0:
            asked[counting.type_of(unit)] = asked.get(counting.type_of(unit), 0) + bound * unit_factors(unit)
    for kind, factors in asked.items():
        free = transferable(s, kind)
        if factors > free:
            return f"{kind} that the Siberian garrison must keep: {free} factors of it may leave now"
    return None


@limit("81.42", on=(MoveUnits, ReportMove, ReportUnits), when=_transfer, also=("81.41D(2)", "81.42A"))
def mandatory_units_stay(s: State, cmd: Going) -> Bound | str | None:
    """Mandatory units stay in Siberia until the second Allied redeployment after war with Germany or a reduction."""
    return judged(s, cmd, lambda leaving: bound_to_siberia(s, leaving))


def least_kept(s: State, leaving: Mapping[Unit, int], inverted: int = 0) -> str | None:
    """Why units must stay so that Siberia keeps its minimum, if they must."""
    down = {unit: inverted if unit_branch(unit) == "air" else 0 for unit in leaving}
    lost = sum(max(0, count - down[unit]) * counting.unit_worth(s, unit) for unit, count in leaving.items())
    left, least = counting.garrison_value(s, counting.SIBERIA) - lost, counting.siberian_minimum(s)
    if lost and left < least:
        return f"the Siberian garrison would be worth {left} BRPs, and keeps at least {least}"
    armor = sum(it.count for it in counting.stacks_of(s, counting.SIBERIA) if counting.three_factor_armor(it.unit))
    gone = sum(count for unit, count in leaving.items() if counting.three_factor_armor(unit))
    if gone and armor - gone < 1:
        return "a three-factor armor unit stays in Siberia"
    return None


@definition("81.43", "The Siberian garrison has a minimum: Russia and Japan have not gone to war")
def siberia_has_minimum(s: State) -> bool:
    return not went_to_war(s, "russia", "japan")


def inverted_there(s: State, cmd: Going) -> int:
    unit = cmd.unit if isinstance(cmd, MoveUnits | ReportUnits) else Unit("army air")
    return counting.inverted_at(s, "russia", origin_of(cmd), unit) if unit_branch(unit) == "air" else 0


@limit(
    "81.43",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: leaves_garrison(s, cmd, counting.SIBERIA) and siberia_has_minimum(s),
    also=("81.41B", "81.41D(3)"),
)
def minimum_stays(s: State, cmd: Going) -> Bound | str | None:
    """Until war with Japan Siberia keeps 30 BRPs, as modified, and a three-factor armor unit."""
    down = inverted_there(s, cmd)
    return judged(s, cmd, lambda leaving: least_kept(s, leaving, down))


@limit(
    "81.43",
    on=ReportLoss,
    when=lambda s, cmd: (
        cmd.power == "russia"
        and cmd.at in counting.REGIONS[counting.SIBERIA]
        and s.place.step.name == "voluntary elimination"
        and siberia_has_minimum(s)
    ),
)
def minimum_not_given_up(s: State, cmd: ReportLoss) -> str | None:
    """Units of the Siberian minimum are not eliminated voluntarily."""
    return None if cmd.eliminated_by else least_kept(s, counted(cmd.units))


# -- the agenda ---------------------------------------------------------------------------------------------------


@foresees
def siberia_will_be_free(s: State) -> list[Foreseen]:
    """War with Germany frees the garrison in the second Allied redeployment phase."""
    wars = wars_between(s, "germany", "russia")
    if not wars or freed_by_war(s) or not garrisons_known(s):
        return []
    text = "The Siberian garrison may go to Europe, down to its minimum"
    return [Foreseen(redeployment_after(wars[0].since), "81.42A", text, "russia", "russia", "nothing")]


@foresees
def manchuria_will_be_counted(s: State) -> list[Foreseen]:
    """What is missing in Manchuria now is found at the start of the next Russian player turn."""
    if s.options.scope == "europe" or not garrisons_known(s) or s.player != "axis":
        return []
    short = {it: manchurian_reduction(s, it) for it in counting.TYPES if _lacks(s, it) > _known(s, it)}
    if not short:
        return []
    when = calendar.moment(s.turn, calendar.first_step("allied"))
    text = f"Manchuria is counted: {counting.in_words(short)} short, for which Siberia will be freed"
    return [Foreseen(when, "81.42B", text, "russia", "japan", "bringing them back to Manchuria by then")]
