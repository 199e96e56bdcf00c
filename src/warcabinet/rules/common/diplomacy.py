"""Diplomacy and war as all chapters ask for them: results in effect, modifiers, promises, declarations, who takes part
in a conquest, who gains a place that changes hands, what is lost without a turn to retake it (82.22, 83.5, 83.61).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeVar, cast, overload

from warcabinet.kernel.effects import Due
from warcabinet.kernel.kept import kept, lasting
from warcabinet.kernel.why import note
from warcabinet.model.agenda import Matter, OfArea, Promise
from warcabinet.model.commands.minors import ReportResult
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Closed, Promised
from warcabinet.model.happenings import LostBy, TakenBy, TookPart, done
from warcabinet.model.names import StatusName, areas, called, powers
from warcabinet.model.places import PARTISANS, Place, areas_decided_by, deciding_places, default_holders, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import BELGIUM_AND_LUXEMBOURG, DENMARK_AND_NORWAY, PARTS, conquest_places, home_hexes
from warcabinet.rules.common.books import (
    detached,
    diplomatic_share,
    divided,
    in_being,
    joint_holder,
    on_books,
    one_faction,
)
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, SENIORITY, faction
from warcabinet.rules.common.war_and_peace import (
    attackers_of,
    declared_since,
    declarers,
    partners,
    player_of,
    war_between,
)
from warcabinet.rules.kinds import definition, effect, remembered, value

#: What a diplomatic result gives; those between give nothing.
_STEPS: tuple[StatusName, ...] = ("penetrated", "controlled", "associated", "allied")
LEVELS = dict(zip((7, 8, 9, 10, 0, -1, -2, -3), _STEPS * 2, strict=True))
# The highest number in each band of the diplomatic tables.
_BANDS = {"1-2": 2, "3-4": 4, "5-6": 6}


def band(result: int) -> str:
    """A result as the diplomatic tables print it."""
    return next((it for it, most in _BANDS.items() if most - 1 <= result <= most), str(result))


def favors(result: int) -> str:
    """Which side a result is on: above the middle the Axis, below it the Allies."""
    return "axis" if result >= 5 else "allied" if result <= 2 else ""


def taken(cmd: ReportResult) -> int:
    """The result that counts: the lesser one, if one is chosen."""
    return cmd.result if cmd.chosen is None else cmd.chosen


def beneficiary(cmd: ReportResult) -> str:
    return cmd.power or ("germany" if favors(cmd.result) == "axis" else "")


class Told(NamedTuple):
    """How a country would stand, and with whom, as a diplomatic result or a report of its status has it."""

    country: str
    status: StatusName | Literal[""]
    power: str
    #: By which diplomatic result, if it is one.
    result: int | None = None

    @property
    def name(self) -> str:
        return called(self.country)


def told_of(cmd: ReportResult | ReportStatus) -> Told:
    if isinstance(cmd, ReportStatus):
        return Told(cmd.country, cmd.status, cmd.power)
    return Told(cmd.country, LEVELS.get(taken(cmd), ""), beneficiary(cmd), taken(cmd))


@value("82.21", "What these chapters add to every diplomatic die roll for a country")
def diplomatic_modifier(s: State, country: str) -> int:
    return 0


def result_at_most(s: State, country: str, most: int) -> bool:
    """Whether a result of so much or less is in effect: the last one reported, or what an earlier one still gives.

    A conquest ends what diplomacy gave, and so does an attack by the very faction that had it, or joining its enemies.
    """
    standing = s.countries[country]
    joined_axis = standing.status in BOUND and player_of(standing.by) == "axis"
    if standing.status == "conquered" or joined_axis or _attacked_by_allies(s, country):
        return False
    text = s.results.get(country, "")
    given = standing.status in ("penetrated", "controlled") and player_of(standing.by) == "allied"
    # One that nobody attacked has joined the Allies by a -2 or a -3, however the table told it (84.11C).
    given = given or (standing.status in BOUND and not declarers(s, country))
    number = _BANDS.get(text, int(text) if text and text not in _BANDS else 99)
    if given:
        number = min(number, 0)
    if number <= most:
        note("result_in_effect", "82.21", text or str(number), country)
    return number <= most


def _attacked_by_allies(s: State, country: str) -> bool:
    attackers, standing = attackers_of(s, country), s.countries[country]
    if standing.status in ("penetrated", "controlled"):
        return any(faction(s, it) == faction(s, standing.by) for it in attackers)
    return any(player_of(it) == "allied" for it in attackers)


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


#: Two countries that one declaration of war attacks, and by which clause.
ATTACKED_AS_ONE = {DENMARK_AND_NORWAY: "86.121", BELGIUM_AND_LUXEMBOURG: "87.13A"}


@value("82.62", covers=tuple(ATTACKED_AS_ONE.values()), also=("86.38",))
def declaration_cost(s: State, power: str, target: str) -> int:
    """A declaration of war on a minor country costs 10 BRPs, even if it has no forces, on a major power 35 (assumed).

    The second of two that are attacked as one is in the declaration that the phase, the only one of its turn, has seen
    already (R-1863).
    """
    if target in powers():
        note("major_power", "82.41", 35, target)
        return 35
    for pair, clause in ATTACKED_AS_ONE.items():
        others = pair - {target} if target in pair and reading_in_force(s, "R-1863") == "a" else ()
        if any(power in declared_since(s, s.turn, it) for it in others):
            note("one_declaration", clause, 0, *sorted(pair))
            return 0
    if target == "arabia":
        note("as_any_neutral", "88.21", 10, target)
    return 10


@value("82.62", covers=tuple(ATTACKED_AS_ONE.values()), also=("86.38",))
def cost_of_two(s: State, power: str, target: str, other: str) -> int:
    """Declarations of war on two at once cost what each of them costs; on two that are attacked as one, that of one."""
    if clause := ATTACKED_AS_ONE.get(frozenset((target, other)), ""):
        note("one_declaration", clause, True, *sorted((target, other)))
        return declaration_cost(s, power, target)
    return declaration_cost(s, power, target) + declaration_cost(s, power, other)


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
    return done(s, TookPart(how, power, area), "player turn")


@definition("83.52", covers=tuple(clause for _, clause in NEVER_QUALIFIES))
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
    war = war_between(s, power, area)
    declared = war is not None and (war.declared_by, war.since) == (power, s.turn) and player_of(power) == s.player
    if declared or did(s, power, area, "declaration of war"):
        counts = reading_in_force(s, "R-0039") == "a"
        note("qualifies" if counts else "does_not_qualify", "83.53", "declaration of war", power)
        return counts
    return False


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


HOLDS = ("conquered", "colony", "associated", "allied", "controlled")


@lasting
def country_at(key: str) -> str:
    """The country in which a place lies or which it decides, if any."""
    return next((name for name in areas_at(key) if areas()[name].is_country), "")


@value("83.61", "A place goes to whoever took it; one that partisans held and its owner's side freed, to its owner")
def who_gains(s: State, place: Place, taker: str) -> str:
    return _owner_of(s, place, taker) if freed_for_owner(s, place, taker) else taker


@definition("83.61", "A place that partisans held and its owner's side freed returns to its owner")
def freed_for_owner(s: State, place: Place, taker: str) -> bool:
    return holder(s, place) == PARTISANS and _owner_of(s, place, taker) != ""


def _owner_of(s: State, place: Place, by: str) -> str:
    """The power that a place returns to when it or a partner frees it of partisans.

    It is the one from which they took it; where that is not known the one that has the country, or in a power's land
    a key economic area or industrial center: as a conquest that counts for it (38.23), or did so in this year, or
    as its own.
    """
    if taken_from := lost_to_partisans(s, place):
        return taken_from if taken_from == by or partners(s, taken_from, by) else ""
    if country := country_at(place):
        standing = s.countries[country]
        owners = [standing.by] if standing.status in HOLDS else []
    else:
        area = next((it for it in areas_decided_by(place) if areas()[it].kind in ("key area", "ic")), "")
        counted = [it for it in powers() if area and on_books(s, it, area) > 0]
        lost = [it for it in powers() if area and done(s, LostBy(it, area), "year")]
        owners = [*counted, *lost, areas()[area].owner if area else ""]
    return next((it for it in owners if it == by or partners(s, it, by)), "")


@remembered("83.61", "The power from which partisans took a place, as far as the game has seen it")
def lost_to_partisans(s: State, place: Place) -> str:
    return ""


@effect("83.61", "Whose a place was that partisans take is remembered: who frees it later frees it for that power")
def partisans_take_from(p: Proceedings, place: Place, held_by: str) -> None:
    if held_by in powers():
        told = f"{called(held_by)} held it before the partisans"
        lost_to_partisans.note(p, held_by, told, place)
    elif lost_to_partisans(p.s, place):
        # A country had it back since partisans took it from a power: they have nothing of that power's now.
        lost_to_partisans.forget(p, place)


# -- joint conquests ----------------------------------------------------------------------------------------------


def changed_hands(s: State) -> dict[str, str]:
    """The places that changed hands in the player turn under way, with who held them before."""
    return _held_before(s.frame("player turn").before)


@kept
def _held_before(before: dict[str, str]) -> dict[str, str]:
    return {key: by or default_holders().get(key, "") for key, by in before.items()}


def taken_from_others(s: State, key: Place) -> bool:
    """Whether a power took a place from another side this player turn.

    What passed between partners, or was only freed of partisans for its owner, was not taken (83.61).
    """
    before, now = changed_hands(s), holder(s, key)
    if key not in before or now not in powers() or before[key] == now or partners(s, before[key], now):
        return False
    return not (before[key] == PARTISANS and _owner_of(s, key, now))


def taken_now(s: State, area: str) -> str:
    """The power that took an area in this player turn, if one did: from then on there is something to share."""
    if not deciding_places(area):
        return next((it for it in powers() if done(s, TakenBy(it, area), "player turn")), "")
    if not in_being(s, area) or not any(taken_from_others(s, key) for key in deciding_places(area)):
        return ""
    by = joint_holder(s, area)
    return by if by in powers() else ""


@value("83.51", "The power that has a conquest of this player turn: its taker, or a senior partner that took part")
def has_conquest(s: State, area: str) -> str:
    taker = taken_now(s, area)
    if not taker:
        return taker
    senior = conqueror(s, area, taker)
    return next((it for it in _took_its_places(s, area) if _junior(s, senior, it)), senior)


def _took_its_places(s: State, area: str) -> list[str]:
    """The powers that took one of the places that a conquest needs, once all are held; they took part (R-0213)."""
    keys = conquest_places(area)
    whole = one_faction(s, {holder(s, key) for key in keys})
    took = {holder(s, key) for key in keys if taken_from_others(s, key)}
    return [it for it in SENIORITY if whole and it in took]


def spoils(s: State, area: str, senior: str) -> tuple[str, ...]:
    """What junior partners took in an area together with it, in this player turn.

    What is a conquest of its own, such as Bessarabia cut off from Rumania, is no part of its country's (83.12D).
    """
    apart = {key for part, whole in PARTS.items() if whole == area and detached(s, part) for key in home_hexes(part)}
    keys = {
        it: taken_from_others(s, it) for it in map(Place, changed_hands(s)) if area in areas_at(it) and it not in apart
    }
    return tuple(it for it, taken in keys.items() if taken and _junior(s, holder(s, it), senior))


def _junior(s: State, power: str, senior: str) -> bool:
    """Whether a power is a partner that ranks below another."""
    if power == senior or not partners(s, power, senior):
        return False
    order = ranks(faction(s, senior))[1]
    return senior in order and power in order and order.index(senior) < order.index(power)


# -- what diplomacy gave ------------------------------------------------------------------------------------------


@definition("82.22", "BRPs that a diplomatic result brought are lost as soon as another power conquers the country")
def loses_diplomatic_brps(s: State, power: str, area: str, taker: str) -> bool:
    if area not in s.countries or taker not in powers():
        return False
    # No power conquered what several sides divide: lost as other areas are, unless a key city is retaken (R-0498).
    if divided(s, area):
        return False
    standing = s.countries[area]
    if standing.status in ("penetrated", "controlled"):
        return standing.by == power
    # Attacked by that power or its partner the country stands alone, but the BRPs are still there (82.35, R-0212).
    # Who has Madrid by force counts Spain in full, more than a result gives (83.31A).
    had = on_books(s, power, area)
    return standing.status == "independent" and 0 < had <= diplomatic_share(s, area, 8)
