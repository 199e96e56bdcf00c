"""Partners: what one conquered is not handed over, and what they conquer together is the senior one's (83.5, 83.6)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportParticipation
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import Closed, Happened
from warcabinet.model.names import called, powers
from warcabinet.model.places import deciding_places, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened
from warcabinet.model.traits import BELONGS
from warcabinet.rules.common.diplomacy import (
    NEVER_QUALIFIES,
    QUALIFIES,
    SEA_COVER,
    areas_at,
    did,
    promise,
    promised,
    ranks,
    took_part,
)
from warcabinet.rules.common.pieces import STANDS_ALONE, faction, patron
from warcabinet.rules.common.presence import Presence, barred, unless_excused
from warcabinet.rules.common.taking import changed_hands, has_conquest
from warcabinet.rules.common.war_and_peace import at_war, partners, wars_between
from warcabinet.rules.economy.timing import receive_conquest, take_places
from warcabinet.rules.kinds import definition, effect, limit, order
from warcabinet.rules.minors.attack import (
    RISING,
    holder_at_peace,
    in_its_own_war,
    in_peace_with_neutral,
    in_peace_with_vichy,
    may_attack_country,
)
from warcabinet.rules.minors.status import border_war_fought

#: What nobody did towards a conquest in peace.
FOUGHT = ("offensive operations", "attrition", "other expenditure", "declaration of war")


@limit("83.61", "What an ally has conquered is not handed over", on=ReportControl)
def no_transfer(s: State, cmd: ReportControl) -> str | None:
    if cmd.partisans:
        return None
    for place in cmd.places:
        held_by = holder(s, place)
        power = patron(s, held_by) if held_by in (*powers(), *s.countries) else ""
        allied = bool(power) and power != cmd.by and faction(s, power) == faction(s, cmd.by)
        if allied and not s.powers[power].surrendered:
            return f"{place_called(place)} is under {called(power)}'s control; an ally may enter it, but control stays"
    return None


@limit("83.11", on=ReportControl, when=lambda s, cmd: cmd.partisans, also=("38.21",))
def partisans_take_from_enemies(s: State, cmd: ReportControl) -> str | None:
    """Partisans take places from their enemies: what their own side holds stays with it."""
    for place in cmd.places:
        held_by = holder(s, place)
        power = patron(s, held_by) if held_by in (*powers(), *s.countries) else ""
        # Two powers, or one, that fight on one side; what one that surrendered holds can rise against it.
        if partners(s, power, cmd.by):
            told = f"{place_called(place)} is under {called(power)}'s control"
            return unless_excused(cmd, f"{told}, for whose side {called(cmd.by)}'s partisans fight")
    return None


@order("83.52", "A power took part in the taking of an area", on=ReportParticipation)
def report_participation(p: Proceedings, cmd: ReportParticipation) -> None:
    takes_part(p, cmd.power, cmd.area, cmd.how)


@limit(
    "82.41",
    on=ReportParticipation,
    when=lambda s, cmd: s.options.declarations == "ordered" and cmd.how in FOUGHT,
    also=("82.42",),
)
def takes_part_at_war(s: State, cmd: ReportParticipation) -> Refusal | None:
    """Nobody has fought for an area without being at war with its country, or with the power that it belongs to."""
    spared, power = _fought_in_peace(s, cmd.power, cmd.area), called(cmd.power)
    if spared:
        told = f"{called(cmd.area)} is or was {called(spared)}'s, with whom {power} is at peace"
        return Refusal("82.42", f"{told}: declare_war comes first")
    if cmd.area not in s.countries or not _fought_undeclared(s, cmd.power, cmd.area):
        return None
    return Refusal("82.41", f"{power} is not at war with {called(cmd.area)}: declare_war comes first")


def _fought_undeclared(s: State, power: str, country: str) -> bool:
    """Whether a country stands alone, or stood so when it fell in this player turn, and a power was not at war with it.

    A conquest ended that war, and a border war needs no declaration.
    """
    fell = happened(s, "fell alone", country, "player turn")
    if s.countries[country].status not in STANDS_ALONE and not fell:
        return False
    if may_attack_country(s, power, country) or border_war_fought(s, country):
        return False
    ended_now = any(war.ended == s.turn for war in wars_between(s, power, country))
    return not (ended_now and s.countries[country].status == "conquered")


def _fought_in_peace(s: State, power: str, area: str) -> str:
    """The power whose area it is or was as the player turn began, if one is at peace with all who held it (82.42)."""
    before = changed_hands(s)
    holders = {before.get(key, holder(s, key)) for key in deciding_places(area)}
    led = {patron(s, it) for it in holders if it in powers() or it in s.countries} & powers().keys()
    others = sorted(it for it in led if faction(s, it) != faction(s, power) and not s.powers[it].surrendered)
    fought = any(at_war(s, power, it) for it in (*led, area, BELONGS.get(area, area)))
    return others[0] if others and not fought else ""


def takes_part(p: Proceedings, power: str, area: str, how: str) -> None:
    """What a power did towards the taking of an area is kept; a conquest of this player turn is shared anew."""
    clause = dict((*QUALIFIES, *NEVER_QUALIFIES)).get(how, "83.53")
    p.do(Happened(Happening(p.s.moment, f"took part by {how}", f"{power} {area}")), clause)
    if not deciding_places(area):
        p.run(power_conquered_jointly, area)
    take_places(p, {}, shared=(area,))
    if how == SEA_COVER and not took_part(p.s, power, area):
        p.run(part_was_none, power, area)


@effect("83.54A", "What a senior partner was given for an attack returns if that was only against cover for ships")
def part_was_none(p: Proceedings, power: str, area: str) -> None:
    ranked = ranks(faction(p.s, power))[1]
    took = {
        key: junior
        for key in changed_hands(p.s)
        if area in areas_at(key) and holder(p.s, key) == power
        for junior in ranked
        if happened(p.s, f"passed on by {junior}", key, "player turn")
    }
    take_places(p, took)


@effect("83.52", covers=("83.53",))
def attack_takes_part(p: Proceedings, power: str, place: str, mission: str) -> None:
    """Whoever attacks on the ground in an area, fights an attrition there, or pays for another attack, takes part."""
    how = {"attack": "offensive operations"}.get(mission, mission)
    ranked = ranks(faction(p.s, power))[1]
    judged = p.s.options.declarations == "ordered"
    for area in areas_at(place) if power in ranked else ():
        # What is reported of an attack after the capture gives no part that it would not have given before.
        if not did(p.s, power, area, how) and not (judged and _fought_in_peace(p.s, power, area)):
            takes_part(p, power, area, how)


@effect("83.51", "The BRPs of a conquered major power are its senior conqueror's, whichever report comes first")
def power_conquered_jointly(p: Proceedings, area: str) -> None:
    senior = has_conquest(p.s, area)
    for it in promised(p.s, receive_conquest, about=area):
        junior = it.opened >= p.s.since("player turn") and it.power != senior
        if junior and faction(p.s, it.power) == faction(p.s, senior):
            p.do(Closed(it.id, "passed on", f"{called(senior)} is the senior partner"))
            promise(p, receive_conquest, it.due, senior, area, it.brp)


@definition("83.61", "A conqueror may not transfer an area's BRPs, objectives or hexes to an ally")
def may_transfer(s: State, area: str, power: str, ally: str) -> bool:
    return False


@barred("83.11", acts=("rise",), declared=True)
def partisans_spare_the_peaceful(s: State, it: Presence) -> str | None:
    """Partisans take places from their enemies: whoever is at peace with their power is none."""
    neutral, owner = in_peace_with_neutral(s, it.nation, it.at), holder_at_peace(s, it.at, it.nation)
    owner = "" if owner and s.powers[owner].surrendered else owner
    spared = neutral if neutral and neutral not in RISING else owner
    if not spared or in_its_own_war(s, it.at, it.nation, owner):
        spared = in_peace_with_vichy(s, it.nation, it.at)
    if not spared:
        return None
    return f"{it.place} is not in enemy hands: {called(it.nation)} is at peace with {called(spared)}"
