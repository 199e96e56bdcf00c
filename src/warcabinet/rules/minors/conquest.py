"""Conquest: when a country falls, and what becomes of its units, hexes and BRPs (83)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import AreaTaken, Closed, ControlChanged, Happened
from warcabinet.model.names import areas, called, countries, powers
from warcabinet.model.places import PARTISANS, area_holder, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, Standing, State, War, happened
from warcabinet.model.traits import (
    BELONGS,
    DUTCH,
    DUTCH_AREAS,
    ISLANDS,
    NEVER_CONQUERED,
    PARTS,
    WITHOUT_CAPITAL,
    conquest_places,
    home_hexes,
)
from warcabinet.rules.common.books import enter_on_books, in_being, joint_holder, on_books, one_faction, retaken
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import end_of_combat, told_after_turn
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE, faction, occupied_by_others
from warcabinet.rules.common.taking import HOLDS, changed_hands, has_conquest, loses_diplomatic_brps
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, make_peace, partners, player_of, wars_between
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.kinds import definition, due, effect
from warcabinet.rules.minors.association import associate_spain, associate_survivor, association_pays
from warcabinet.rules.minors.attack import outlasted
from warcabinet.rules.minors.pacific import dutch_fall_remembered, japan_has_the_indies, pacific_hexes_pass
from warcabinet.rules.minors.status import (
    border_war_fought,
    change_status,
    land_of,
    leave_play,
    minor_pays_again,
    part_gained,
    part_lost,
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
    now = war is not None and (war.declared_by, war.since) == (by, s.turn) and player_of(by) == s.player
    return now or happened(s, "attacked", struck, "player turn")


def _reported_after_turn(s: State, country: str, by: str) -> bool:
    """Whether the turn of attack has just ended, and the defender's diplomatic phase, to which one survives, is ahead.

    Nobody takes a capital in between: the report is late, and the country fell in the turn of attack (R-2500).
    """
    if not told_after_turn(s, by):
        return False
    defender = s.player
    since = s.turn if defender == "allied" else s.turn - 1
    wars = [(it, _war_with(s, country, it)) for it in dict.fromkeys((by, *attackers_of(s, country)))]
    # Whoever attacked it with him did so in the same player turn; one whom it had outlasted did not (R-0404).
    together = all(war and war.since == since and player_of(it) != defender for it, war in wars)
    war = wars[0][1]
    return together and war is not None and war.declared_by == by


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
        if not any(_third_party(p.s, key, country, by) for key in island):
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


def _third_party(s: State, key: str, country: str, by: str) -> bool:
    """Whether units of another faction than its conqueror's, at war with it or not, stand on a hex (R-2381)."""
    return occupied_by_others(s, key, faction(s, by), country)


@due("83.22A", averted_by="units of a third party on a hex")
def hexes_pass(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """All hexes of a country conquered in its first turn of attack pass to the conqueror."""
    country, by = due_now.about, due_now.power
    if p.s.countries[country].status != "conquered" or p.s.countries[country].by != by:
        p.do(Closed(due_now.id, "averted", "it changed hands again"))
        return 0
    kept = {key for key in land_of(p.s, country) if _third_party(p.s, key, country, by)}
    # One hex of an island with a third party's unit keeps the whole island.
    kept.update(key for island in _islands(country) if kept & {*island} for key in island)
    ours = tuple(key for key in land_of(p.s, country) if holder(p.s, key) != by and key not in kept)
    if country in ISLANDS:
        note("islands", ISLANDS[country][0], True, country)
    if ours:
        _pass_with(p, country, ours, by)
    return 0


def _islands(country: str) -> tuple[tuple[str, ...], ...]:
    """The hexes of each listed island of a country."""
    return tuple(tuple(f"europe/{id}" for id in island) for island in ISLANDS.get(country, ("", ()))[1])


@definition("83.11", covers=(*WITHOUT_CAPITAL.values(), "83.13", "83.41"), also=("87.51", "88.21"))
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
    return at_war(s, country, by) or happened(s, f"taken by {by}", country, "player turn")


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
    country = PARTS[part]
    whole = s.countries[country]
    its_own = (
        whole.status in HOLDS and whole.by == "russia" and not happened(s, f"taken by {by}", country, "player turn")
    )
    if by != "russia" or its_own:
        return False
    enemies = at_war(s, country, by) or (whole.by != "" and at_war(s, whole.by, by))
    taken = happened(s, f"taken by {by}", part, "player turn")
    return enemies or taken or border_war_fought(s, country)


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
    found = []
    for country, standing in s.countries.items():
        held = {holder(s, key) for key in deciding_places(country)} & {*powers(), PARTISANS}
        if held - {standing.by} or (held and standing.status == "penetrated"):
            found.append(country)
    parts = tuple(it for it in found if it in PARTS)
    return (*parts, *(it for it in found if it not in PARTS), *parts)


@effect("83.11", "A capital reported taken after its taker's combat phase falls at once", on=AreaTaken)
def conquest_reported_late(p: Proceedings, taken: AreaTaken) -> None:
    if taken.by not in powers() or taken.area not in countries():
        return
    p.do(Happened(Happening(p.s.moment, f"taken by {taken.by}", taken.area)))
    combat_to_come = p.s.player == player_of(taken.by) and p.s.moment < end_of_combat(p.s)
    # Bessarabia falls before Rumania; Tangier brings Spain down where Madrid is held already (83.12D, 83.13).
    parts = (part for part, whole in PARTS.items() if whole == taken.area)
    for country in dict.fromkeys((*parts, taken.area, BELONGS.get(taken.area, taken.area))):
        by = captor(p.s, country)
        if not combat_to_come and by in powers() and falls_to(p.s, country, by):
            p.run(conquer, country, by)


@effect("83.11", "A country is conquered, or a colony returns to its owner", covers=("83.23", "83.42"))
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
    if len(conquest_places(country)) > len(places):
        return "both its capitals were"
    if country not in WITHOUT_CAPITAL:
        return "its capital was"
    if len(places) == 1:
        return "its single hex was"
    return "all its hexes were" if "/" in places[0] else "its key cities were"


@effect("83.21", "All units of the conquered country leave play, wherever they are", covers=("89.25",))
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
def lose_diplomatic(p: Proceedings, due_now: Promise[OfArea]) -> int:
    # Madrid decides on the Spanish BRPs, though Spain has fallen only with Tangier (83.31A).
    """BRPs that a diplomatic result brought are lost with the conquest by another power."""
    if retaken(p.s, due_now.power, due_now.about) or area_holder(p.s, due_now.about) not in powers():
        p.do(Closed(due_now.id, "averted", "not conquered after all"))
        return 0
    brp = on_books(p.s, due_now.power, due_now.about)
    enter_on_books(p, due_now.power, due_now.about, -brp)
    return -brp
