"""Conquest: when a country falls, and what becomes of its units, hexes and BRPs (83); what partners take together,
and what a country that fights alone takes back (82.83B).
"""

from __future__ import annotations

from collections.abc import Collection

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.minors import ReportParticipation, ReportRecovery
from warcabinet.model.events import AreaTaken, Closed, ControlChanged, Happened
from warcabinet.model.happenings import PassedOn, TakenBy, TookPart, befell, done
from warcabinet.model.names import areas, called, countries, powers
from warcabinet.model.places import PARTISANS, Place, area_holder, deciding_places, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, Standing, State, War, happened
from warcabinet.model.traits import (
    BELONGS,
    DUTCH,
    DUTCH_AREAS,
    ISLANDS,
    NEVER_CONQUERED,
    PARTS,
    VICHY,
    WITHOUT_CAPITAL,
    conquest_places,
    dutch_hexes,
    home_hexes,
    set_up_hexes,
)
from warcabinet.rules.common.books import enter_on_books, in_being, joint_holder, on_books, one_faction, retaken
from warcabinet.rules.common.diplomacy import (
    HOLDS,
    NEVER_QUALIFIES,
    QUALIFIES,
    SEA_COVER,
    areas_at,
    changed_hands,
    did,
    has_conquest,
    lapse,
    loses_diplomatic_brps,
    promise,
    promised,
    ranks,
    took_part,
)
from warcabinet.rules.common.moments import captured_before, end_of_combat
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE, faction, land_beside_home, occupied_by_others, patron
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.war_and_peace import (
    at_war,
    attackers_of,
    make_peace,
    partners,
    player_of,
    vichy_places,
    wars_between,
)
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.economy.timing import receive_conquest, take_places
from warcabinet.rules.kinds import definition, due, effect, limit, order
from warcabinet.rules.minors.association import (
    associate_spain,
    associate_survivor,
    association_pays,
    fights_alone,
    part_lost,
)
from warcabinet.rules.minors.attack import (
    RISING,
    holder_at_peace,
    in_its_own_war,
    in_peace_with_neutral,
    in_peace_with_vichy,
    may_attack_country,
    outlasted,
)
from warcabinet.rules.minors.geography import part_fallen
from warcabinet.rules.minors.pacific import (
    dutch_fall_remembered,
    dutch_free_an_area,
    japan_has_the_indies,
    pacific_hexes_pass,
)
from warcabinet.rules.minors.status import (
    border_war_fought,
    change_status,
    land_of,
    leave_play,
    minor_pays_again,
    part_gained,
)
from warcabinet.rules.minors.surrender import switched_units_perish


def _attacked_with(country: str) -> str:
    """The country on which war is declared: whoever attacks Poland attacks its east, which falls by itself (R-0421)."""
    return "poland" if country == "eastern_poland" else country


def _in_turn_of_attack(s: State, country: str, by: str) -> bool:
    struck = _attacked_with(country)
    if _reported_after_turn(s, struck, by):
        return True
    if _outlasted_another(s, struck):
        return False
    war = _war_with(s, struck, by)
    now = war and (war.declared_by, war.since) == (by, s.turn) and player_of(by) == s.player
    return bool(now) or happened(s, "attacked", struck, "player turn")


def _reported_after_turn(s: State, country: str, by: str) -> bool:
    """Whether the turn of attack has just ended, and the defender's diplomatic phase, to which one survives, is ahead.

    Nobody takes a capital in between: the report is late, and the country fell in the turn of attack (R-2500).
    """
    since = s.turn if s.player == "allied" else s.turn - 1
    wars = {it: _war_with(s, country, it) for it in (by, *attackers_of(s, country))}
    # Whoever attacked it with him did so in the same player turn; one whom it had outlasted did not (R-0404).
    together = all(war and war.since == since and player_of(it) != s.player for it, war in wars.items())
    his, ahead = wars[by], s.player != "" and s.step < calendar.step_index(s.player, "diplomatic phase")
    return ahead and captured_before(s, by) and together and his is not None and his.declared_by == by


def _outlasted_another(s: State, country: str) -> bool:
    return any(outlasted(s, country, it) for it in attackers_of(s, country))


def _war_with(s: State, country: str, by: str) -> War | None:
    """The war of a power on a country; Poland's may have ended, by its own fall, before its east is looked at."""
    return next(reversed(wars_between(s, country, by)), None)


def _first_entered_now(s: State, country: str, by: str, before: Standing) -> bool:
    """Whether a neutral was taken on which no war was declared, and all of it was its own as the player turn began.

    By report, where declarations are not ordered, or by a rule outside, as Russia takes eastern Poland (R-2460).
    """
    struck = _attacked_with(country)
    if before.status not in ("neutral", "penetrated", "controlled") or s.countries[struck].status in BOUND:
        return False
    # A country's colony was conquered before the game (83.42), and its parts fall with all their hexes.
    if country in BELONGS or _outlasted_another(s, struck) or _war_with(s, struck, by):
        return False
    since = changed_hands(s)
    held = {since.get(key, holder(s, key)) for key in home_hexes(country)}
    return not held & {*powers(), PARTISANS} - {before.by}


@effect("83.22A", "Hexes of a neutral that falls in its first turn pass; otherwise a capital moves no other hex")
def conquered_hexes(p: Proceedings, country: str, by: str, before: Standing, neutral: bool, entered: bool) -> None:
    first = before.status not in ("conquered", "colony")
    struck = _in_turn_of_attack(p.s, country, by) or (entered and _first_entered_now(p.s, country, by, before))
    whole = first and neutral and struck
    if country == "philippines" or country in DUTCH_AREAS:
        p.run(pacific_hexes_pass, country, by, first)
        return
    if not first:
        return
    # Islands are hexes of their country where all of these pass, and pass by themselves where no others do (R-0044).
    if not whole:
        p.run(islands_pass, country, by)
    else:
        when = calendar.moment(p.s.turn, calendar.step_index(player_of(by), "end of player turn"))
        late = _reported_after_turn(p.s, _attacked_with(country), by)
        promise(p, hexes_pass, p.s.moment if late else when, by, country, 0)


@effect("83.22B", covers=tuple(clause for clause, _ in ISLANDS.values()))
def islands_pass(p: Proceedings, country: str, by: str) -> None:
    """Listed islands pass with the initial conquest, unless a third party's units are on them."""
    for island in _islands(country):
        if not any(occupied_by_others(p.s, key, faction(p.s, by), country) for key in island):
            note("island", ISLANDS[country][0], island, country)
            _pass_with(p, country, island, by)


def _pass_with(p: Proceedings, country: str, keys: tuple[str, ...], by: str) -> None:
    """Hexes pass with their country; if a junior partner took it, they are its own should it prove alone (83.54A)."""
    seats = deciding_places(country)
    for kind in (f"passed on by {junior}" for junior in powers()):
        if any(happened(p.s, kind, seat, "player turn") for seat in seats):
            for key in keys:
                p.do(Happened(Happening(p.s.moment, kind, key)))
    p.do(ControlChanged(keys, by))


@due("83.22A", averted_by="units of a third party on a hex")
def hexes_pass(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """All hexes of a country conquered in its first turn of attack pass to the conqueror."""
    country, by = due_now.about, due_now.power
    if p.s.countries[country].status != "conquered" or p.s.countries[country].by != by:
        return "it changed hands again"
    # A third party is whoever is of another faction, at war with the conqueror or not (R-2381): one hex of an island
    # with its unit keeps the whole island.
    kept = {key for key in land_of(p.s, country) if occupied_by_others(p.s, key, faction(p.s, by), country)}
    kept.update(key for island in _islands(country) if kept & {*island} for key in island)
    ours = tuple(key for key in land_of(p.s, country) if holder(p.s, key) != by and key not in kept)
    if country in ISLANDS:
        note("islands", ISLANDS[country][0], True, country)
    if ours:
        _pass_with(p, country, ours, by)
    return 0


def _islands(country: str) -> tuple[tuple[Place, ...], ...]:
    """The hexes of each listed island of a country."""
    return tuple(tuple(Place(f"europe/{id}") for id in island) for island in ISLANDS.get(country, ("", ()))[1])


@definition("83.11", covers=tuple(WITHOUT_CAPITAL.values()), also=("87.51", "88.21"))
def captor(s: State, country: str) -> str:
    """Who holds the capital, or every place that decides a country without one; of Spain both Madrid and Tangier."""
    if country == "spain":
        madrid, tangier = (holder(s, key) for key in conquest_places(country))
        note("two_capitals", "83.13", (madrid, tangier), country)
        # Partners may hold one capital each; Madrid, which decides the BRPs, tells whose conquest it is.
        return madrid if madrid == tangier or one_faction(s, {madrid, tangier}) else ""
    if country in WITHOUT_CAPITAL:
        note("key_cities", WITHOUT_CAPITAL[country], areas()[country].places, country)
    if countries()[country].kind == "colony":
        note("conquered_before_the_game", "83.41", countries()[country].owner, country)
    return joint_holder(s, country)


@definition("83.11", "A country falls when its capital is in enemy or partisan hands")
def falls_to(s: State, country: str, by: str) -> bool:
    standing = s.countries[country]
    if country in NEVER_CONQUERED or not in_being(s, country) or captor(s, country) != by:
        return False
    if by == PARTISANS:
        # What Russia itself has not occupied counts within its country (85.491, 85.492).
        return standing.status not in ("conquered", "colony", "commonwealth") and country not in PARTS
    if country in PARTS:
        return _cut_off(s, country, by)
    if standing.status in ("conquered", "colony"):
        return _reconquered(s, country, by)
    if standing.status in BOUND:
        # One that switched sides is not conquered before its new power had a combat phase (85.53A).
        may_take_capital = promised(s, switched_units_perish, about=country)
        return faction(s, standing.by) != faction(s, by) and not may_take_capital
    if standing.status == "controlled" and faction(s, standing.by) == faction(s, by):
        return at_war(s, country, by)
    # A garrison in the capital of a neutral is no conquest: war, or a capture reported this turn, makes one.
    return at_war(s, country, by) or done(s, TakenBy(by, country), "player turn")


def _reconquered(s: State, country: str, by: str) -> bool:
    """Between partners only a reconquest changes anything, or a part in it that becomes known (83.61)."""
    before = s.countries[country].by
    return before != by and (not partners(s, before, by) or has_conquest(s, country) == by)


def _cut_off(s: State, part: str, by: str) -> bool:
    """Bessarabia and the border hexes fall by themselves only to Russia, as an enemy, and go on from there.

    What Russia holds because the country is its own or stands with it counts within the country (83.11, 85.491); not
    what it took together with the country, in whatever order that is told.
    """
    if s.countries[part].status == "conquered":
        return _reconquered(s, part, by)
    country, whole = PARTS[part], s.countries[PARTS[part]]
    its_own = whole.status in HOLDS and whole.by == by and not done(s, TakenBy(by, country), "player turn")
    if by != "russia" or its_own:
        return False
    enemies = at_war(s, country, by) or (whole.by != "" and at_war(s, whole.by, by))
    return enemies or border_war_fought(s, country) or done(s, TakenBy(by, part), "player turn")


@effect("83.11", "Countries whose capitals are in enemy hands at the end of the attacker's combat phase are conquered")
def conclude_conquests(p: Proceedings) -> None:
    for country in _in_strange_hands(p.s):
        by, owner = captor(p.s, country), p.s.countries[country].by
        # The combat phase that ends is the captor's; partisans fight in the turn of their country's enemies.
        now = by in powers() and player_of(by) == p.s.player
        now = now or (by == PARTISANS and not (owner and player_of(owner) == p.s.player))
        if now and falls_to(p.s, country, by):
            p.run(conquer, country, by)


def _in_strange_hands(s: State) -> tuple[str, ...]:
    """Countries of which a deciding place is held by someone they do not belong to: all that can fall.

    Economic penetration gives no hex: what its power holds of such a country, it took (82.11C). What falls by itself
    is looked at before its country, which may become Russia's with it, and after, when Russia may have lost that.
    """
    held = {it: {holder(s, key) for key in deciding_places(it)} & {*powers(), PARTISANS} for it in s.countries}
    found = [it for it, own in s.countries.items() if held[it] - ({own.by} if own.status != "penetrated" else set())]
    parts = tuple(it for it in found if it in PARTS)
    return (*parts, *(it for it in found if it not in PARTS), *parts)


@effect("83.11", "A capital reported taken after its taker's combat phase falls at once", on=AreaTaken)
def conquest_reported_late(p: Proceedings, taken: AreaTaken) -> None:
    if taken.by not in powers() or taken.area not in countries():
        return
    p.do(befell(p.s, TakenBy(taken.by, taken.area)))
    combat_to_come = p.s.player == player_of(taken.by) and p.s.moment < end_of_combat(p.s)
    # Bessarabia falls before Rumania; Tangier brings Spain down where Madrid is held already (83.12D, 83.13).
    parts = (part for part, whole in PARTS.items() if whole == taken.area)
    for country in dict.fromkeys((*parts, taken.area, BELONGS.get(taken.area, taken.area))):
        by = captor(p.s, country)
        if not combat_to_come and by in powers() and falls_to(p.s, country, by):
            p.run(conquer, country, by)


@effect("83.11", "A country is conquered, or a colony returns to its owner")
def conquer(p: Proceedings, country: str, by: str, entered: bool = True) -> None:
    """`entered`: its places were taken, not given by a rule outside the documents that names the whole country."""
    before = p.s.countries[country]
    area = countries()[country]
    captor(p.s, country)  # what decided it is told with the conquest
    first = before.status not in ("conquered", "colony")
    neutral = before.status not in BOUND
    p.run(dutch_fall_remembered, country)
    if not first or not neutral:
        note("no_other_hex_moves", "83.42" if area.kind == "colony" else "83.23", True, country)
    if before.status in STANDS_ALONE:
        # Whoever says later that he fought for it must have been at war with it (82.41).
        p.do(Happened(Happening(p.s.moment, "fell alone", country)))
    lapse(p, country, "it was conquered", associate_survivor, associate_spain, association_pays)
    for power in powers():
        if power != by:
            lapse(p, country, "it was conquered", minor_pays, minor_pays_again, power=power)
    if by == PARTISANS:
        led_by = before.by if before.status in BOUND else ""
        change_status(p, country, "conquered", led_by, "83.11", "partisans hold its capital")
    elif area.kind == "colony" and area.owner == by:
        change_status(p, country, "colony", by, "83.41", f"{_what_decides(country)} retaken")
    else:
        change_status(p, country, "conquered", by, "83.11", f"{_what_decides(country)} taken")
    for it in promised(p.s, hexes_pass, about=country, power=before.by):
        if by in powers() and faction(p.s, before.by) == faction(p.s, by):
            p.do(Closed(it.id, "passed on", f"{called(by)} is the senior partner"))
            promise(p, hexes_pass, it.due, by, country)
    # A Dutch area that the Dutch retook can fall again, and their units are looked at each time.
    if first or country in DUTCH_AREAS:
        p.run(conquered_units, country)
    if by in powers():
        p.run(conquered_hexes, country, by, before, neutral, entered)
    if by in powers() and country in PARTS:
        p.run(part_gained, country, by)
        p.run(part_lost, country, by)
    make_peace(p, country)


def _what_decides(country: str) -> str:
    """What had to be taken, with its verb: a capital, Spain's two, key cities, or every hex (83.11 to 83.13)."""
    places = areas()[country].places
    if country not in WITHOUT_CAPITAL:
        return "both its capitals were" if len(conquest_places(country)) > len(places) else "its capital was"
    several = "all its hexes were" if "/" in places[0] else "its key cities were"
    return "its single hex was" if len(places) == 1 else several


@effect("83.21", "All units of the conquered country leave play, wherever they are")
def conquered_units(p: Proceedings, country: str) -> None:
    if country not in DUTCH_AREAS:
        leave_play(p, country, "83.21", "it was conquered")
        return
    held = japan_has_the_indies(p.s)
    note("all_three_occupied", "89.25", held, country)
    if held:
        leave_play(p, DUTCH, "89.25", "Japan has all three areas")


@effect("82.22", on=AreaTaken)
def promise_diplomatic_loss(p: Proceedings, taken: AreaTaken) -> None:
    """What a diplomatic result brought is lost at the end of the combat phase in which another power conquers."""
    for power in powers():
        brp = on_books(p.s, power, taken.area)
        if brp > 0 and power != taken.by and loses_diplomatic_brps(p.s, power, taken.area, taken.by):
            promise(p, lose_diplomatic, end_of_combat(p.s), power, taken.area, -brp)


@due("82.22", sign=-1, averted_by="keeping {about} from being taken")
def lose_diplomatic(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    # Madrid decides on the Spanish BRPs, though Spain has fallen only with Tangier (83.31A).
    """BRPs that a diplomatic result brought are lost with the conquest by another power."""
    if retaken(p.s, due_now.power, due_now.about) or area_holder(p.s, due_now.about) not in powers():
        return "not conquered after all"
    brp = on_books(p.s, due_now.power, due_now.about)
    enter_on_books(p, due_now.power, due_now.about, -brp)
    return -brp


# -- partners -----------------------------------------------------------------------------------------------------

#: What nobody did towards a conquest in peace.
FOUGHT = ("offensive operations", "attrition", "other expenditure", "declaration of war")


@barred("83.61", "What an ally has conquered is not handed over", acts=("take",), final=True)
def no_transfer(s: State, it: Presence) -> str | None:
    held_by = holder(s, it.at)
    power = patron(s, held_by) if held_by in (*powers(), *s.countries) else ""
    allied = bool(power) and power != it.nation and faction(s, power) == faction(s, it.nation)
    kept = f"{it.place} is under {called(power)}'s control; an ally may enter it, but control stays"
    return kept if allied and not s.powers[power].surrendered else None


@order("83.52", "A power took part in the taking of an area", on=ReportParticipation)
def report_participation(p: Proceedings, cmd: ReportParticipation) -> None:
    takes_part(p, cmd.power, cmd.area, cmd.how)


@limit("82.41", on=ReportParticipation)
def takes_part_at_war(s: State, cmd: ReportParticipation) -> Refusal | None:
    """Nobody has fought for an area without being at war with its country, or with the power that it belongs to."""
    if s.options.declarations != "ordered" or cmd.how not in FOUGHT:
        return None
    power, area = called(cmd.power), called(cmd.area)
    if spared := _fought_in_peace(s, cmd.power, cmd.area):
        told = f"{area} is or was {called(spared)}'s, with whom {power} is at peace: declare_war comes first"
        return Refusal("82.42", told)
    undeclared = cmd.area in s.countries and _fought_undeclared(s, cmd.power, cmd.area)
    return Refusal("82.41", f"{power} is not at war with {area}: declare_war comes first") if undeclared else None


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
    p.do(befell(p.s, TookPart(how, power, area)), clause)
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
        if done(p.s, PassedOn(junior, Place(key)), "player turn")
    }
    take_places(p, took)


@effect("83.52", covers=("83.53",))
def attack_takes_part(p: Proceedings, power: str, place: Place, mission: str) -> None:
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


@barred("83.11", acts=("rise",), covers=("38.21",))
def partisans_take_from_enemies(s: State, it: Presence) -> str | None:
    """Partisans take places from their enemies: not what their own side holds, nor who is at peace with their power."""
    held_by = holder(s, it.at)
    leader = patron(s, held_by) if held_by in (*powers(), *s.countries) else ""
    # Two powers, or one, that fight on one side; what one that surrendered holds can rise against it.
    if partners(s, leader, it.nation):
        return f"{it.place} is under {called(leader)}'s control, for whose side {called(it.nation)}'s partisans fight"
    if s.options.declarations != "ordered":
        return None
    neutral, owner = in_peace_with_neutral(s, it.nation, it.at), holder_at_peace(s, it.at, it.nation)
    owner = "" if owner and s.powers[owner].surrendered else owner
    spared = neutral if neutral and neutral not in RISING else owner
    if not spared or in_its_own_war(s, it.at, it.nation, owner):
        spared = in_peace_with_vichy(s, it.nation, it.at)
    at_peace = f"{called(it.nation)} is at peace with {called(spared)}"
    return f"{it.place} is not in enemy hands: {at_peace}" if spared else None


# -- what countries that fight alone take back --------------------------------------------------------------------


@order("82.83B", "A country that fights alone holds what it has retaken", on=ReportRecovery)
def report_recovery(p: Proceedings, cmd: ReportRecovery) -> None:
    # Vichy France's own hexes are those of its set-up; others that were French it holds in its name.
    own = set_up_hexes(VICHY) if cmd.country == VICHY else _home(p.s, cmd.country)
    take_places(p, {key: "" if key in own else cmd.country for key in cmd.places})
    p.run(dutch_free_an_area)


def _home(s: State, country: str) -> Collection[str]:
    """What a country that fights alone may take back: the Dutch the whole of the Indies, Poland its east (R-1840)."""
    if country in DUTCH_AREAS:
        return dutch_hexes()
    if country == VICHY:
        return vichy_places(s)
    return set_up_hexes(country) + land_beside_home(s, country)


@limit("82.83B", "Only a country that fights alone acts by itself", on=ReportRecovery)
def recovers_alone(s: State, cmd: ReportRecovery) -> str | None:
    # The Dutch in the Indies are one, and fight for an area that has fallen as well (82.91B).
    acting = DUTCH_AREAS if cmd.country in DUTCH_AREAS else (cmd.country,)
    standing = s.countries[cmd.country]
    # What Russia holds of it undeclared it takes back; what Russia has conquered is decided (86.24).
    undecided = all(holder(s, it) == "russia" and not part_fallen(s, it) for it in cmd.places)
    border_war = undecided and not standing.by and border_war_fought(s, cmd.country)
    if border_war or any(fights_alone(s, it) for it in acting):
        return None
    told = f"what it takes is {called(standing.by)}'s: report_control" if standing.by else "it fights nobody"
    if standing.status == "conquered":
        told = "it takes nothing back by itself"
    return f"{called(cmd.country)} is {standing.words}; {told}"


@limit("82.83C", on=ReportRecovery)
def recovers_at_home(s: State, cmd: ReportRecovery) -> str | None:
    """A country that fights alone takes back only what is its own: its ground units stay at home."""
    at_home = _home(s, cmd.country)
    for place in cmd.places:
        if place not in at_home:
            return f"{place_called(place)} is not in {called(cmd.country)}"
        if holder(s, place) not in powers():
            return f"{place_called(place)} is in nobody else's hands"
    return None
