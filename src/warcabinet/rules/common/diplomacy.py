"""Diplomacy and war as all chapters ask for them: results in effect, modifiers, promises, declarations and who takes
part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast, overload

from warcabinet.kernel.effects import Due
from warcabinet.kernel.lasting import lasting
from warcabinet.kernel.why import note
from warcabinet.model.agenda import Matter, OfArea, Promise
from warcabinet.model.events import Closed, Promised
from warcabinet.model.names import areas, powers
from warcabinet.model.places import areas_decided_by
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import BELGIUM_AND_LUXEMBOURG, DENMARK_AND_NORWAY, conquest_places, home_hexes
from warcabinet.rules.common.alliances import player_of, war_between
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.kinds import definition, value

# The highest number in each band of the diplomatic tables.
_BANDS = {"1-2": 2, "3-4": 4, "5-6": 6}


@value("82.21", "What these chapters add to every diplomatic die roll for a country")
def diplomatic_modifier(s: State, country: str) -> int:
    return 0


def result_at_most(s: State, country: str, most: int) -> bool:
    """Whether a result of so much or less is in effect: the last one reported, or what an earlier one still gives.

    A conquest ends what diplomacy gave, and so does an attack by the very faction that had it, or joining its enemies.
    """
    standing = s.countries[country]
    if standing.status == "conquered" or _attacked_by_allies(s, country) or _joined_axis(s, country):
        return False
    text = s.results.get(country, "")
    given = standing.status in ("penetrated", "controlled") and powers()[standing.by].player == "allied"
    # One that nobody attacked has joined the Allies by a -2 or a -3, however the table told it (84.11C).
    given = given or (standing.status in BOUND and not _attacked(s, country))
    number = _BANDS.get(text, int(text) if text and text not in _BANDS else 99)
    if given:
        number = min(number, 0)
    if number <= most:
        note("result_in_effect", "82.21", text or str(number), country)
    return number <= most


def _attacked(s: State, country: str) -> bool:
    return any(country in it.between and it.declared_by in powers() for it in s.wars)


def _attacked_by_allies(s: State, country: str) -> bool:
    declared = [it.declared_by for it in s.wars if it.ended is None and country in it.between]
    standing = s.countries[country]
    if standing.status in ("penetrated", "controlled"):
        return any(faction(s, it) == faction(s, standing.by) for it in declared)
    return any(it in powers() and powers()[it].player == "allied" for it in declared)


def _joined_axis(s: State, country: str) -> bool:
    standing = s.countries[country]
    return standing.status in BOUND and powers()[standing.by].player == "axis"


M = TypeVar("M", bound=Matter)


@overload
def promise(
    p: Proceedings, rule: Due[Promise[OfArea]], when: int, power: str, of: str, brp: int = 0, clause: str = ""
) -> None: ...


@overload
def promise(
    p: Proceedings, rule: Due[Promise[M]], when: int, power: str, of: M, brp: int = 0, clause: str = ""
) -> None: ...


def promise(p: Proceedings, rule: Due[Any], when: int, power: str, of: Any, brp: int = 0, clause: str = "") -> None:
    """Put something on the agenda, unless the same is on it already; a bare name is that of an area or country."""
    matter: Matter = OfArea(of) if isinstance(of, str) else of
    if promised(p.s, rule, about=matter.about, power=power):
        return
    made = Promise(p.s.promised + 1, when, rule.name, rule.clause, p.s.moment, power, matter, brp)
    p.do(Promised(made), clause)


def promised(s: State, *rules: Due[Promise[M]], about: str | None = None, power: str = "") -> tuple[Promise[M], ...]:
    """What is on the agenda by one of these rules, about an area, country or matter, for a power; oldest first."""
    found = s.agenda.find(*[rule.name for rule in rules], about=about, power=power)
    # What is promised by a rule is about what the rule is for: its maker took nothing else.
    return cast("tuple[Promise[M], ...]", found)


def lapse(p: Proceedings, about: str, reason: str, *rules: Due[Any], power: str = "") -> None:
    """Take off the agenda what no longer applies to a country or area."""
    for it in promised(p.s, *rules, about=about, power=power):
        p.do(Closed(it.id, "lapsed", reason))


@value("82.62", "A declaration of war on a minor country costs 10 BRPs, even if it has no forces")
def declaration_cost(s: State, power: str, target: str) -> int:
    return 10


@value("82.41", displaces=declaration_cost, when=lambda s, power, target: target in powers())
def major_declaration_cost(s: State, power: str, target: str) -> int:
    """A declaration of war on a major power costs 35 BRPs (assumed)."""
    return 35


@value("82.62", "Declarations of war on two at once cost what each of them costs")
def cost_of_two(s: State, power: str, target: str, other: str) -> int:
    return declaration_cost(s, power, target) + declaration_cost(s, power, other)


@value(
    "86.121",
    displaces=cost_of_two,
    when=lambda s, power, target, other: {target, other} == DENMARK_AND_NORWAY,
    also=("86.38",),
)
def cost_of_denmark_and_norway(s: State, power: str, target: str, other: str) -> int:
    """Denmark and Norway are attacked as a unit by a single declaration of war."""
    return declaration_cost(s, power, target)


@value("87.13A", displaces=cost_of_two, when=lambda s, power, target, other: {target, other} == BELGIUM_AND_LUXEMBOURG)
def cost_of_belgium_and_luxembourg(s: State, power: str, target: str, other: str) -> int:
    """Belgium and Luxembourg are one country for a declaration of war."""
    return declaration_cost(s, power, target)


def _second_of(s: State, power: str, target: str, pair: frozenset[str]) -> bool:
    """Whether the power declared war on the other of a pair in this phase, the only one of its turn (R-1863)."""
    if target not in pair or reading_in_force(s, "R-1863") != "a":
        return False
    wars = (it for it in s.wars if it.declared_by == power and it.since == s.turn)
    return any(not (pair - {target}).isdisjoint(it.between) for it in wars)


@value(
    "86.121",
    displaces=declaration_cost,
    when=lambda s, power, target: _second_of(s, power, target, DENMARK_AND_NORWAY),
    also=("86.38",),
)
def second_of_denmark_and_norway(s: State, power: str, target: str) -> int:
    """The second of Denmark and Norway is in the declaration of war that the phase has seen already (R-1863)."""
    return 0


@value(
    "87.13A",
    displaces=declaration_cost,
    when=lambda s, power, target: _second_of(s, power, target, BELGIUM_AND_LUXEMBOURG),
)
def second_of_belgium_and_luxembourg(s: State, power: str, target: str) -> int:
    """The second of Belgium and Luxembourg is in the declaration of war that the phase has seen already (R-1863)."""
    return 0


def total_cost(s: State, power: str, targets: Sequence[str]) -> int:
    """What the targets of one order cost; who may be named together is a limit of its own."""
    if len(targets) == 2:
        return cost_of_two(s, power, *targets)
    return sum(declaration_cost(s, power, target) for target in targets)


SENIOR = {"axis": ("83.51A", ("germany", "italy")), "western allies": ("83.51B", ("usa", "britain", "france"))}
QUALIFIES = (("offensive operations", "83.52"), ("attrition", "83.52"), ("other expenditure", "83.53"))
SEA_COVER = "counterair against sea cover"
NEVER_QUALIFIES = ((SEA_COVER, "83.54A"), ("attack outside the area", "83.54B"), ("grant", "83.54C"))

#: What an attack from the air or the sea that cost BRPs is kept as; against sea cover alone it counts for nothing.
PAID_ATTACK = "an attack from the air or the sea"


def ranks(side: str) -> tuple[str, tuple[str, ...]]:
    """The order of a faction's powers, senior ones first, and its clause; China has no place in it (R-1941)."""
    return SENIOR.get(side, ("", ()))


def did(s: State, power: str, area: str, how: str) -> bool:
    """Whether a power is reported to have done this towards the taking of an area in this player turn."""
    return happened(s, f"took part by {how}", f"{power} {area}", "player turn")


@definition("83.52", covers=("83.53", *(clause for _, clause in NEVER_QUALIFIES)))
def took_part(s: State, power: str, area: str) -> bool:
    """A power takes part in a conquest by offensive operations there, attrition on its forces, or another direct
    outlay.
    """
    for how, clause in NEVER_QUALIFIES:
        if did(s, power, area, how):
            note("does_not_qualify", clause, how, power)
    for how, clause in QUALIFIES:
        if did(s, power, area, how):
            note("qualifies", clause, how, power)
            return True
    if did(s, power, area, PAID_ATTACK) and not did(s, power, area, SEA_COVER):
        note("qualifies", "83.53", PAID_ATTACK, power)
        return True
    if did(s, power, area, "declaration of war") or _declared_now(s, power, area):
        counts = reading_in_force(s, "R-0039") == "a"
        note("qualifies" if counts else "does_not_qualify", "83.53", "declaration of war", power)
        return counts
    return False


def _declared_now(s: State, power: str, area: str) -> bool:
    """Whether a power declared war on a country, and paid for it, in this player turn."""
    war = war_between(s, power, area)
    return war is not None and (war.declared_by, war.since) == (power, s.turn) and player_of(power) == s.player


@value("83.51", covers=tuple(clause for clause, _ in SENIOR.values()))
def conqueror(s: State, area: str, taker: str) -> str:
    """BRPs and hexes of a joint conquest go to the senior partner that took part."""
    clause, order = ranks(faction(s, taker))
    for senior in order if taker in order else ():
        if senior == taker:
            break
        if took_part(s, senior, area):
            note("senior_partner", clause, senior, area)
            return senior
    return taker


@lasting
def areas_at(key: str) -> tuple[str, ...]:
    """The areas in whose taking a place counts: those that it decides, and the country or power that it lies in.

    Tangier lies in Spanish Morocco, and counts for Spain as well (83.13).
    """
    lands = [name for name, area in areas().items() if area.is_country or area.kind == "major"]
    lying_in = (name for name in lands if key in home_hexes(name))
    needed = (name for name in lands if key in conquest_places(name))
    return tuple(dict.fromkeys((*areas_decided_by(key), *lying_in, *needed)))
