"""A battle as one report (WC.7): its parts are the reports of operations, losses, moves and control that there are.

How it is fought is told in chapters that are played outside. Nothing is judged here that those reports do not judge,
but that only who fought there is lost, goes back or advances.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from warcabinet.model.commands.base import Command
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Reported
from warcabinet.model.keys import Place, Unit
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At
from warcabinet.model.places import holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import Force, parse_force
from warcabinet.rules.common.diplomacy import PAID_ATTACK
from warcabinet.rules.common.pieces import armed_units_at, patron, side_of
from warcabinet.rules.economy.spending import spent_this_turn
from warcabinet.rules.kinds import limit, order
from warcabinet.rules.minors.conquest import attack_takes_part
from warcabinet.rules.minors.units import offensive_payer

#: What units do in an attack on land that others of their side make on the ground, and in the defence of a place.
BESIDE_GROUND = {"naval": "shore bombardment"}
IN_DEFENCE = {"air": "defensive air support"}


def attackers(cmd: ReportBattle) -> list[Force]:
    return [_of(cmd.nation, it) for it in cmd.attackers]


def _of(nation: str, text: str) -> Force:
    force = parse_force(text)
    return force if force.nation else replace(force, nation=nation)


def defender(s: State, cmd: ReportBattle) -> str:
    """Whose units are attacked: of whom it is said, who stands there, or who rules there."""
    if cmd.against:
        return cmd.against
    there = next((it.nation for it in armed_units_at(s, cmd.at) if _enemy(s, cmd, it.nation)), "")
    return there or holder(s, cmd.at)


def _enemy(s: State, cmd: ReportBattle, nation: str) -> bool:
    return side_of(s, nation) != side_of(s, cmd.nation)


def defenders(s: State, cmd: ReportBattle) -> list[Force]:
    """Who defends: those named, or all of the other side that stand there."""
    if cmd.defenders:
        return [_of(defender(s, cmd), it) for it in cmd.defenders]
    return _there(s, cmd)


def _there(s: State, cmd: ReportBattle) -> list[Force]:
    """All of the other side that stand in the place."""
    key = cmd.at
    there = [it for it in armed_units_at(s, key) if _enemy(s, cmd, it.nation)]
    return [Force(it.nation, it.unit, it.count, key) for it in there]


def _from_elsewhere(s: State, cmd: ReportBattle) -> list[Force]:
    """Those who defend the place from another."""
    return [it for it in defenders(s, cmd) if it.place != cmd.at]


def losses(s: State, cmd: ReportBattle) -> list[Force]:
    """Who is lost; units of which no nation is said are the attacker's, unless only the other side has them there."""
    fought = attackers(cmd)
    found = []
    for text in cmd.losses:
        force = parse_force(text)
        own = any((it.unit, it.place) == (force.unit, force.place) for it in fought)
        nation = force.nation or (cmd.nation if own else defender(s, cmd))
        found.append(replace(force, nation=nation))
    return found


def retreats(s: State, cmd: ReportBattle) -> list[Force]:
    return [_of(defender(s, cmd), it) for it in cmd.retreats]


def advances(cmd: ReportBattle) -> list[Force]:
    return [replace(_of(cmd.nation, it), to=cmd.at) for it in cmd.advances]


def plain_odds(s: State, cmd: ReportBattle) -> str:
    """The factors of both sides as they stand."""
    mine, theirs = (sum(it.factors for it in side) for side in (attackers(cmd), defenders(s, cmd)))
    return f"{mine}:{theirs}"


def by_nation(forces: list[Force]) -> Iterator[tuple[str, list[Force]]]:
    """Forces nation by nation, in the order of their names."""
    for nation, group in groupby(sorted(forces, key=lambda it: it.nation), key=lambda it: it.nation):
        yield nation, list(group)


@order("WC.7", "A battle takes place; each of its parts is judged as if it were reported by itself", on=ReportBattle)
def report_battle(p: Proceedings, cmd: ReportBattle) -> None:
    s = p.s
    stages = (_operations(s, cmd), _lost(s, cmd), _went(s, retreats(s, cmd), cmd), _taken(s, cmd))
    advanced = list(_went(s, advances(cmd), cmd))
    p.do(Reported("battle", battle_text(s, cmd)))
    for stage in stages:
        p.give(*stage)
    p.give(*advanced)
    if cmd.paid and not any(it.branch == "ground" for it in attackers(cmd)):
        p.run(attack_takes_part, patron(s, cmd.nation), cmd.at, PAID_ATTACK)


def _operations(s: State, cmd: ReportBattle) -> list[Command]:
    """What each side's units do, by nation, branch and where they come from; the first of the attackers pays."""
    mine = [*_acting(attackers(cmd))]
    fought = [(it, _mission(mine, cmd, it[1])) for it in mine]
    helped = [(it, mission) for it in _acting(defenders(s, cmd)) if (mission := IN_DEFENCE.get(it[1]))]
    against = defender(s, cmd)
    found: list[Command] = []
    for (nation, branch, origin), mission in (*fought, *helped):
        attacks = len(found) < len(fought)
        known: dict[str, Any] = {"nation": nation, "branch": branch, "mission": mission, "at": cmd.at}
        known |= {"origin": origin, "front": cmd.front, "by_rule": cmd.by_rule}
        if attacks:
            other = against if against in powers() or against in s.countries else ""
            ground = branch == "ground" and mission == "attack"
            known |= {"against": other, "odds": cmd.odds or plain_odds(s, cmd) if ground else ""}
            pays = not found and not cmd.paid
            known |= {"brp": cmd.brp * pays, "assisting": cmd.nation if nation != cmd.nation else ""}
        found.append(ReportOperation(**known))
    return found


def _acting(forces: list[Force]) -> list[tuple[str, str, str]]:
    """Nation, branch and place of units, those on the ground first; partisans, flak and their like do nothing more."""
    branches = ("ground", "air", "naval")
    found = dict.fromkeys((it.nation, it.branch, it.place) for it in forces if it.branch in branches)
    return sorted(found, key=lambda it: branches.index(it[1]))


def _mission(mine: list[tuple[str, str, str]], cmd: ReportBattle, branch: str) -> str:
    ground = any(it[1] == "ground" for it in mine)
    return BESIDE_GROUND.get(branch, cmd.mission) if ground else cmd.mission


def _lost(s: State, cmd: ReportBattle) -> list[Command]:
    """What each side lost; who eliminated a power's units is remembered (35.32)."""
    mine, theirs = patron(s, cmd.nation), _patron(s, defender(s, cmd))
    found: list[Command] = []
    for it in losses(s, cmd):
        by = mine if _enemy(s, cmd, it.nation) else theirs
        if it.nation in powers():
            units = (f"{it.count} {it.unit}",)
            found.append(ReportLoss(power=it.nation, units=units, at=it.place, eliminated_by=by, by_rule=cmd.by_rule))
        else:
            known: dict[str, Any] = {"nation": it.nation, "unit": it.unit, "at": it.place, "by_rule": cmd.by_rule}
            found.append(ReportUnits(**known, count=-it.count, lost=True))
    return found


def _patron(s: State, nation: str) -> str:
    return patron(s, nation) if nation in powers() or nation in s.countries else ""


def _went(s: State, forces: list[Force], cmd: ReportBattle) -> list[Command]:
    """Units that go from one place to another, a minor country's as they are counted off and on (82.51)."""
    found: list[Command] = []
    for it in forces:
        if it.nation in powers():
            units = (f"{it.count} {it.unit}",)
            found.append(ReportMove(power=it.nation, units=units, origin=it.place, to=it.to, by_rule=cmd.by_rule))
        else:
            known: dict[str, Any] = {"nation": it.nation, "unit": it.unit, "by_rule": cmd.by_rule}
            found.append(ReportUnits(**known, at=it.place, count=-it.count))
            found.append(ReportUnits(**known, at=it.to, count=it.count))
    return found


def _taken(s: State, cmd: ReportBattle) -> list[Command]:
    """The place into which ground units advance changes hands, if it is not their side's, and what else is named."""
    by, key = patron(s, cmd.nation), cmd.at
    entered = any(it.branch == "ground" for it in advances(cmd)) and holder(s, key) != (by or cmd.nation)
    places = ((cmd.at,) if entered else ()) + cmd.takes
    if not places:
        return []
    if not by:
        return [ReportRecovery(country=cmd.nation, places=places)]
    attrition = cmd.mission == "attrition"
    return [ReportControl(places=places, by=by, by_attrition=attrition, by_rule=cmd.by_rule)]


@limit("WC.7", "Units fight from where they stand", on=ReportBattle)
def fighters_are_there(s: State, cmd: ReportBattle) -> str | None:
    for nation, group in by_nation([*attackers(cmd), *defenders(s, cmd)]):
        for (unit, place), count in _sums(group).items():
            there = s.pieces.count(nation, At(place), unit)
            if there < count:
                return f"{there} {unit} of {called(nation)} in {place_called(place)}, not {count}"
    return None


def _sums(forces: list[Force]) -> dict[tuple[Unit, Place], int]:
    found: dict[tuple[Unit, Place], int] = {}
    for it in forces:
        found[it.unit, it.place] = found.get((it.unit, it.place), 0) + it.count
    return found


@limit("WC.7", "Only who fought in a battle is lost in it, goes back or advances, each unit once", on=ReportBattle)
def only_fighters_change(s: State, cmd: ReportBattle) -> str | None:
    if cmd.at in cmd.takes:
        return f"say who goes into {place_called(cmd.at)} (advances): by that it is taken"
    # Who stands in the place without having fought, such as aircraft, makes way all the same.
    fought = dict(by_nation([*attackers(cmd), *_there(s, cmd), *_from_elsewhere(s, cmd)]))
    for nation, group in by_nation([*losses(s, cmd), *retreats(s, cmd), *advances(cmd)]):
        there = _sums(fought.get(nation, []))
        for (unit, place), count in _sums(group).items():
            if count > there.get((unit, place), 0):
                named = f"{there.get((unit, place), 0)} {unit} of {called(nation)} from {place_called(place)} fought"
                return f"{named}: {count} are said to be lost, to go back or to advance"
    astray = next((it for it in retreats(s, cmd) if not it.to), None)
    return (
        None if astray is None else f"{astray.count} {astray.unit}: say where they go, such as '... at Paris to Lyon'"
    )


@limit("WC.7", "An enemy is attacked", on=ReportBattle)
def enemies_fight(s: State, cmd: ReportBattle) -> str | None:
    against = defender(s, cmd)
    if not against:
        return f"nobody stands in {place_called(cmd.at)} or rules there: say whom they attack (against)"
    both = against in powers() or against in s.countries
    return f"{called(against)} is on their own side" if both and not _enemy(s, cmd, against) else None


@limit("WC.7", "What was paid as the attack began has been spent", on=ReportBattle, when=lambda s, cmd: cmd.paid)
def paid_before(s: State, cmd: ReportBattle) -> str | None:
    if cmd.mission != "attack":
        return "only offensive operations are paid for: mission attack"
    payer = offensive_payer(s, cmd.nation)
    spent = spent_this_turn(s, payer) if payer in powers() else 0
    return None if spent >= cmd.brp > 0 else f"{called(payer)} has spent {spent} BRPs this player turn, not {cmd.brp}"


def battle_text(s: State, cmd: ReportBattle) -> str:
    """All of a battle in one sentence."""
    where = place_called(cmd.at)
    came = ", ".join(dict.fromkeys(place_called(it.place) for it in attackers(cmd)))
    told = [f"{called(cmd.nation)}: {cmd.mission} on {where} from {came} at {cmd.odds or plain_odds(s, cmd)}"]
    told += [cmd.outcome.strip()] if cmd.outcome.strip() else []
    told += [f"{called(nation)} loses {_counted(group)}" for nation, group in by_nation(losses(s, cmd))]
    told += [f"{_counted([it])} back to {place_called(it.to)}" for it in retreats(s, cmd)]
    told += [f"{called(nation)} advances with {_counted(group)}" for nation, group in by_nation(advances(cmd))]
    return "; ".join(told)


def _counted(forces: list[Force]) -> str:
    sums: dict[str, int] = {}
    for it in forces:
        sums[it.unit] = sums.get(it.unit, 0) + it.count
    return ", ".join(f"{count} {unit}" for unit, count in sums.items())
