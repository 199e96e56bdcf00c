"""Which mobilization pays for an American transport or 5-6 armor unit: the one under way, or others that deferred.

Each may bring one of a kind, so an order that draws on several may bring several. A unit that more than one of them
pays for counts for every one, or under the other reading for one of them alone (R-1800).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from warcabinet.model.commands.forces import Mobilize, TriggerDeferred
from warcabinet.model.pieces import Mobilized
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.unit_lists import cost_of, counted
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.economy.deferral import announce, drawn_on, from_deferment, use_deferred
from warcabinet.rules.economy.mobilization_record import brought_by, increases_from, label, theater_of
from warcabinet.rules.economy.mobilization_schedule import ENEMY
from warcabinet.rules.kinds import order

Announces = Mobilize | TriggerDeferred
#: May a mobilization of this name bring such a unit?
Fit = Callable[[str], bool]

HEAVY_ARMOR = "armor 5-6"
TRANSPORT = "transport"

#: The U.S. said with a mobilization on whom it declares war in the same player turn.
WAR_TO_COME = "war to be declared"


def under_way(s: State, cmd: Announces) -> str:
    """The name of the mobilization that an order makes; none if it only triggers what was deferred."""
    return label(s, cmd.power, theater_of(cmd)) if isinstance(cmd, Mobilize) else ""


def paying(s: State, cmd: Announces) -> dict[str, int]:
    """The BRPs that mobilizations pay for an order's units: those that deferred, then the one under way."""
    units = counted(cmd.units)
    deferred = cmd.deferred if isinstance(cmd, Mobilize) else from_deferment(cmd)
    found: dict[str, int] = {}
    for _, mobilization, brp in drawn_on(s, cmd.power, deferred, units):
        found[mobilization] = found.get(mobilization, 0) + brp
    if isinstance(cmd, Mobilize):
        found[under_way(s, cmd)] = cost_of(units) - cmd.deferred - cmd.production
    return found


def brings_heavy_armor(s: State, cmd: Announces) -> Fit:
    """A European mobilization that has brought no 5-6 armor unit yet (36.32C(6))."""
    return lambda it: not it.startswith("pacific") and not brought_by(s, cmd.power, it).get(HEAVY_ARMOR)


def has_no_transport(s: State, cmd: Announces) -> Fit:
    """A mobilization that has brought no transport yet (36.32F(3))."""
    return lambda it: not brought_by(s, cmd.power, it).get(TRANSPORT)


def war_this_turn(s: State, enemy: str) -> bool:
    """Whether the U.S. is at war with an enemy, or said with a mobilization of this turn that it will be (R-2330)."""
    return went_to_war(s, "usa", enemy) or happened(s, WAR_TO_COME, enemy, "player turn")


def at_war_this_turn(s: State, cmd: Announces, enemy: str) -> bool:
    """The same, where the U.S. may be saying so with this very mobilization."""
    return war_this_turn(s, enemy) or (isinstance(cmd, Mobilize) and cmd.war_on == enemy)


def in_theater_at_war(s: State, cmd: Announces) -> Fit:
    """Any mobilization once the U.S. is at war in a theater, or only one in such a theater (36.32F(1), R-0302)."""
    fighting = [theater for theater, enemy in ENEMY.items() if at_war_this_turn(s, cmd, enemy)]
    return lambda it: it.split()[0] in fighting if reading_in_force(s, "R-0302") == "b" else bool(fighting)


def beside_shipyards(s: State, cmd: Announces) -> Fit:
    """A mobilization without a transport that has not brought two shipbuilding increases either (36.32F(4))."""
    first, yards = has_no_transport(s, cmd), few_increases(s, cmd)
    return lambda it: first(it) and yards(it)


def few_increases(s: State, cmd: Announces) -> Fit:
    """A mobilization that has not brought two shipbuilding increases, and does not with this order."""
    now = under_way(s, cmd)
    return lambda it: (cmd.shipbuilding if it == now else increases_from(s, cmd.power, it)) <= 1


def brings_transport(s: State, cmd: Announces) -> Fit:
    """A mobilization that may bring a transport by all of that."""
    fits = beside_shipyards(s, cmd), in_theater_at_war(s, cmd)
    return lambda it: all(fit(it) for fit in fits)


def laid_on(s: State, cmd: Announces, unit: str, fit: Fit) -> list[tuple[str, ...]] | None:
    """For each unit of a kind the mobilizations that it counts for, none of them for two; None if there are too few."""
    there, production = paying(s, cmd), cmd.production
    if unit == TRANSPORT:
        production = _pay_heavy_armor(s, cmd, there)
    left = {it: brp for it, brp in there.items() if brp > 0 and fit(it)}
    cost, count = cost_of({unit: 1}), counted(cmd.units).get(unit, 0)
    return _divided(left, production, cost, count)


def _pay_heavy_armor(s: State, cmd: Announces, there: dict[str, int]) -> int:
    """Take what 5-6 armor in the same order costs from what is there; the rest of production is left."""
    armor = counted(cmd.units).get(HEAVY_ARMOR, 0)
    production = cmd.production
    for names in laid_on(s, cmd, HEAVY_ARMOR, brings_heavy_armor(s, cmd)) or () if armor else ():
        production -= _draw(there, names, cost_of({HEAVY_ARMOR: 1}))
    return production


def _draw(there: dict[str, int], names: Iterable[str], owed: int) -> int:
    """Take what is owed from what mobilizations have there, one after another; what is still owed then."""
    for it in names:
        taken = min(owed, there[it])
        there[it], owed = there[it] - taken, owed - taken
    return owed


def _divided(left: dict[str, int], production: int, cost: int, count: int) -> list[tuple[str, ...]] | None:
    """Share out payers: one that pays for a unit alone first, then one with production's help, then several."""
    found: list[tuple[str, ...]] = []
    waiting = dict(left)
    for _ in range(count):
        alone = [it for it, brp in waiting.items() if brp >= cost]
        names: list[str] = alone[:1]
        if not alone:
            owed = cost
            for it in sorted(waiting, key=lambda name: -waiting[name]):
                names.append(it)
                owed -= waiting[it]
                if owed <= production:
                    break
            else:
                return None
            production -= max(0, owed)
        for it in names:
            del waiting[it]
        found.append(tuple(names))
    return found


def sources(s: State, cmd: Announces, unit: str, count: int) -> list[tuple[int, Mobilized]]:
    """Under which mobilizations units are entered: one by one where each may bring only one of a kind."""
    fits = {HEAVY_ARMOR: brings_heavy_armor, TRANSPORT: brings_transport}
    shared = laid_on(s, cmd, unit, fits[unit](s, cmd)) if cmd.power == "usa" and unit in fits else None
    now = under_way(s, cmd)
    if shared:
        return [(1, Mobilized(names, deferred=now not in names)) for names in shared]
    return [(count, Mobilized((now,)) if now else Mobilized(tuple(paying(s, cmd)), deferred=True))]


@order("36.351", on=TriggerDeferred)
def trigger_deferred(p: Proceedings, cmd: TriggerDeferred) -> None:
    """Deferred additions are announced; their delay runs from now, production's share included."""
    units = counted(cmd.units)
    brought = [(unit, *it) for unit, count in units.items() for it in sources(p.s, cmd, unit, count)]
    use_deferred(p, cmd.power, from_deferment(cmd), units)
    for unit, count, source in brought:
        announce(p, cmd.power, unit, count, source)
