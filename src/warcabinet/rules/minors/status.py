"""Political status: the nine categories and the ways between them (82.1, 82.2), units caught where one turned
(82.33, 82.56), parts cut off from it (83.12, 85.491), and units that are gone for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import Caught, Joined, Lapsed, OfArea, Promise
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import AreaTaken, Closed, ControlChanged, Happened, StatusChanged, WarBegan
from warcabinet.model.happenings import StoodInside, TakenBy, befell, deeds, done, sum_of
from warcabinet.model.names import StatusName, areas, called, countries, powers
from warcabinet.model.pieces import UNBUILT, Stack
from warcabinet.model.places import PARTISANS, Place, area_holder, areas_decided_by, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import DUTCH, PARTS, VICHY, capital, home_hexes
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import Unit, damaged, undamaged, unit_branch
from warcabinet.rules.common.books import (
    detached,
    enter_on_books,
    holders_of,
    joint_holder,
    on_books,
    out_of_the_economy,
    retained,
    worth,
)
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import end_of_diplomacy, reading_in_force, step_of_next_turn
from warcabinet.rules.common.pieces import (
    BOUND,
    eliminate,
    faction,
    ground_of_others,
    land_beside_home,
    occupied_by_others,
    patron,
    regulars_at,
    remove_all,
    side_of,
    units_at,
    units_in,
    units_in_its_east,
    units_of,
    units_of_kind,
)
from warcabinet.rules.common.war_and_peace import (
    at_war,
    colonies_of,
    colony_by_result,
    country_attacked,
    french_remnant,
    partners,
    player_of,
    vichy_colony,
    vichy_places,
)
from warcabinet.rules.economy.reported import minor_pays, minor_withdraws
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest
from warcabinet.rules.kinds import definition, due, effect, limit, remembered, value


@remembered("82.56", "Whether a faction's units in a country are in at least partial supply, whatever their lines")
def partly_supplied(s: State, side: str, country: str) -> bool:
    return False


def _inside(s: State, country: str, side: str) -> Iterator[Stack]:
    """A faction's units in a country and in the colonies that go with it (R-0464)."""
    colonies = colonies_of(s, country)
    inside = (it for part in (country, *colonies) for it in units_in(s, part) if side_of(s, it.nation) == side)
    return chain(inside, units_in_its_east(s, country, side))


@effect("82.56", on=WarBegan)
def attackers_inside_supplied(p: Proceedings, began: WarBegan) -> None:
    """The attacker's units that were in the country are in at least partial supply this turn.

    Who they are is remembered: who comes later needs lines of his own.
    """
    country, side = country_attacked(began), faction(p.s, began.declared_by)
    there = tuple(_inside(p.s, country, side)) if country else ()
    for it in there:
        p.do(befell(p.s, StoodInside(country, it.nation, it.unit), it.count))
    if there:
        note("units_inside", "82.352", True, country)
        partly_supplied.under("82.56", "player turn").note(p, True, f"caught in {called(country)}", side, country)


def came_later(s: State, nation: str, unit: Unit, country: str) -> int:
    """How many units of a kind in a country came after its attacker's declaration of war, as far as that is known."""
    if not any(it.country == country for it, _ in deeds(s, StoodInside, "player turn")):
        return 0
    there = sum(it.count for it in _inside(s, country, side_of(s, nation)) if (it.nation, it.unit) == (nation, unit))
    return max(0, there - sum_of(s, StoodInside(country, nation, unit), "player turn"))


def supplied_regardless(s: State, side: str, place: Place, country: str) -> str:
    """The country by which units at a place in a land are supplied: that land, or the one that has it for a colony."""
    found = [country] if country in countries() else []
    found += [it for it in ("spain", VICHY) if country in colonies_of(s, it)]
    if s.powers["france"].surrendered and place in vichy_places(s):
        found.append(VICHY)
    return next((it for it in found if partly_supplied(s, side, it)), "")


def supply_until(p: Proceedings, power: str, country: str, clause: str, when: int = 0) -> None:
    """The units of a power's faction are supplied until a moment: in their first turn after a result (R-2581)."""
    side, until = faction(p.s, power), when or end_of_their_turn(p.s, power)
    partly_supplied.under(clause).note(p, True, f"caught in {called(country)}", side, country)
    promise(p, grace_ends, until, power, Caught(country, side), clause=clause)


def no_longer_caught(p: Proceedings, country: str, power: str, reason: str) -> None:
    """Units of a power's faction need no grace any more: the country is open to them as it was."""
    for it in promised(p.s, grace_ends, about=country, power=power):
        p.run(grace_ends, it)
        p.do(Closed(it.id, "lapsed", reason))


@effect("82.33", "Units caught in a country that joins the other side are supplied in their next player turn (82.56)")
def units_caught(p: Proceedings, country: str, power: str) -> None:
    if any(_inside(p.s, country, faction(p.s, power))):
        supply_until(p, power, country, "82.33")


def end_of_their_turn(s: State, power: str) -> int:
    """When the player turn of a power ends that follows a diplomatic die roll: it may be the one under way (82.33)."""
    if s.player != player_of(power):
        return step_of_next_turn(s, power, "end of player turn")
    return calendar.moment(s.turn, calendar.step_index(s.player, "end of player turn"))


@due("85.52D", "Units caught in a country that turned are no longer supplied regardless", covers=("82.33", "85.53B"))
def grace_ends(p: Proceedings, due_now: Promise[Caught]) -> None:
    caught = (due_now.of.side, due_now.of.country)
    if partly_supplied.noted(p.s, *caught):
        partly_supplied.forget(p, *caught)


#: The categories in the order of their letters.
CATEGORIES = (
    *("neutral", "independent", "penetrated", "controlled", "associated"),
    *("allied", "conquered", "colony", "commonwealth"),
)
LETTERS = {status: f"82.11{letter}" for status, letter in zip(CATEGORIES, "ABCDEFGHI", strict=True)}


@definition("82.11", "The category into which a country falls now", covers=tuple(LETTERS.values()))
def category_of(s: State, country: str) -> str:
    standing = s.countries[country]
    note("category", LETTERS[standing.status], standing.status, country, text=standing.reason)
    return standing.status


@limit("82.11", on=ReportStatus, when=lambda s, cmd: cmd.status in ("colony", "commonwealth"))
def category_fits(s: State, cmd: ReportStatus) -> str | None:
    """Only colonies are colonies, of the power that owned them, and only the Commonwealth is Commonwealth."""
    area = countries()[cmd.country]
    note("category", LETTERS[cmd.status], area.kind, cmd.country)
    if area.kind != cmd.status:
        return f"{area.name} is no {'colony' if cmd.status == 'colony' else 'part of the Commonwealth'}"
    if cmd.power and cmd.power != area.owner:
        return f"{area.name} was {called(area.owner)}'s: held by another power it is conquered"
    return None


def change_status(p: Proceedings, country: str, status: StatusName, by: str, clause: str, reason: str) -> None:
    """Move a country to another category, with the reason."""
    now = p.s.countries[country]
    if (now.status, now.by) != (status, by):
        note("category", LETTERS[status], status, country)
        p.do(StatusChanged(country, status, by, clause, reason), clause)


def bound(s: State, country: str) -> bool:
    """Whether a country is associated with or allied to a power."""
    return s.countries[country].status in BOUND


@remembered("84.23", "Russia has fought a border war with a country")
def border_war_fought(s: State, country: str) -> bool:
    return False


def russians_invaded(s: State, country: str) -> bool:
    """Whether Russians are in a country by a border war, and not as the guests of a result that came after it."""
    standing = s.countries[country]
    guests = standing.status == "controlled" and faction(s, standing.by) == faction(s, "russia")
    return border_war_fought(s, country) and not guests


@remembered("84.23", "Russia's border war with a country has escalated, as reported", also=("86.43",))
def border_war_escalated(s: State, country: str) -> bool:
    return False


def full_scale_war(s: State, country: str) -> bool:
    """Whether a border war has become a full scale war, which peace ends, a conquest, or an alliance with Russia."""
    standing = s.countries[country]
    with_russia = faction(s, standing.by) == faction(s, "russia")
    return standing.status != "conquered" and not with_russia and border_war_escalated(s, country)


@definition("85.34", also=("84.23",))
def wages_war(s: State, nation: str, power: str) -> bool:
    """A nation has a war of its own with a power: Finland undeclared with Russia, once a border war has escalated."""
    return at_war(s, nation, power) or ((nation, power) == ("finland", "russia") and full_scale_war(s, nation))


#: The clauses by which a country is in the wars of the power with which it stands.
WITH_ITS_POWER = {"associated": "84.42", "allied": "85.42", "colony": "82.12", "commonwealth": "82.13"}


@definition("82.11", also=tuple(WITH_ITS_POWER.values()))
def minor_at_war(s: State, country: str, enemy: str) -> bool:
    """A country is at war with everyone whom the power fights that it stands with, or else only with who fights it."""
    standing = s.countries[country]
    note("stands", WITH_ITS_POWER.get(standing.status, "82.11"), standing.status, country)
    if colony_by_result(s, country) or (vichy_colony(s, country) and standing.by == "france"):
        return minor_at_war(s, VICHY, enemy)
    led = standing.status in WITH_ITS_POWER and _fights(s, standing.by, enemy)
    return led or _fights(s, country, enemy)


def _fights(s: State, one: str, enemy: str) -> bool:
    """Whether one is at war with an enemy or, if that is an associate or minor ally, with the power it stands with."""
    led = enemy in s.countries and bound(s, enemy)
    return wages_war(s, one, enemy) or (led and at_war(s, one, s.countries[enemy].by))


@due("85.32", "A country that had paid before counts in full from now on, but pays no more this year")
def minor_counted(p: Proceedings, due_now: Promise[OfArea]) -> None:
    enter_on_books(p, due_now.power, due_now.about, due_now.brp)


@due("85.32", "A country pays its whole value although part of it had been received (R-0033)")
def minor_pays_again(p: Proceedings, due_now: Promise[OfArea]) -> int:
    enter_on_books(p, due_now.power, due_now.about, due_now.brp - on_books(p.s, due_now.power, due_now.about))
    return due_now.brp


DIPLOMATIC = (minor_pays, minor_withdraws, minor_counted, minor_pays_again)


def settle_diplomatically(
    p: Proceedings, country: str, wanted: dict[str, int], gains: bool = True, clause: str = ""
) -> None:
    """Bring every power's yearly value of a country to what the diplomatic phase made it, at the phase's end.

    `gains` False: the yearly value changes, but nothing more is paid this year, and nothing of it is lost.
    """
    lapse(p, country, "a later result counts", *DIPLOMATIC)
    when = end_of_diplomacy(p.s)
    for power in powers():
        change = wanted.get(power, 0) - on_books(p.s, power, country)
        # Who has surrendered may hold the capital, but receives nothing (R-0443): nothing is foretold to it.
        if change > 0 and not out_of_the_economy(p.s, power):
            for ally in (it for it in powers() if faction(p.s, it) == faction(p.s, power)):
                lapse(p, country, "its BRPs come by diplomacy", receive_conquest, power=ally)
            promise(p, minor_pays if gains else minor_counted, when, power, country, change, clause)
        elif change < 0:
            stays = power in wanted and not gains
            promise(p, minor_counted if stays else minor_withdraws, when, power, country, change, clause)


def left_on_books(s: State, country: str, power: str) -> int:
    """What a power counts of a country, without what a result of this very phase has taken from it (82.22)."""
    return on_books(s, power, country) + sum(it.brp for it in promised(s, minor_withdraws, about=country, power=power))


@definition("84.48", also=("85.32",))
def received_before(s: State, power: str, country: str) -> bool:
    """A power has received a country's BRPs this year, by association or a result, and still has them (R-2290)."""
    return left_on_books(s, country, power) > 0


def pay_whole_value(
    p: Proceedings,
    country: str,
    power: str,
    before: Joined | None = None,
    clause: str = "",
    reported: int | None = None,
) -> None:
    """The country comes in with all its BRPs, or what is reported, unless they or a part of them were received before
    (R-0033).

    One that was the power's associate `before` counts already; what of that is about to be lost, as Bessarabia, has its
    own time, in which it may be retaken (85.32, 85.491).
    """
    value = worth(p.s, country) if reported is None else reported
    associate = before is not None and (before.status, before.by) == ("associated", power)
    if associate and received_before(p.s, power, country):
        return
    if another_side_counts(p.s, country, power) or partner_keeps(p.s, country, power):
        return
    if not received_before(p.s, power, country):
        settle_diplomatically(p, country, {power: value}, clause=clause)
    elif reading_in_force(p.s, "R-0033") == "c" and on_books(p.s, power, country) < value:
        lapse(p, country, "a later result counts", *DIPLOMATIC)
        promise(p, minor_pays_again, end_of_diplomacy(p.s), power, country, value, clause)
    else:
        # Finland without its border hexes is worth less than an 8 gave: joining costs nothing of that.
        more = reading_in_force(p.s, "R-0033") == "b" and on_books(p.s, power, country) < value
        settle_diplomatically(p, country, {power: value}, more, clause)


@definition("83.61", "The BRPs of a Ukraine that rises stay with the partner who has conquered it (R-1940)")
def partner_keeps(s: State, country: str, power: str) -> bool:
    held_by = area_holder(s, country)
    return countries()[country].kind == "colony" and held_by != power and partners(s, held_by, power)


def another_side_counts(s: State, country: str, power: str) -> bool:
    """Whether the country is not counted, though it joins a power: its capital, or all its key cities, are lost.

    It is never counted twice: Madrid alone decides on the Spanish BRPs, even where Spain has not fallen (83.31A).
    Where a power that has surrendered holds it, nobody counts it (R-0443).
    """
    leaving = {it.power for it in promised(s, minor_withdraws, about=country)}
    coming = {it.power for it in promised(s, receive_conquest, about=country)}
    side = faction(s, power)
    others = (
        it for it in powers() if (faction(s, it) != side or counts_no_longer(s, it, country)) and it not in leaving
    )
    counts = (it for it in others if on_books(s, it, country) > 0 or it in coming or counts_no_longer(s, it, country))
    if any(retained(s, it, country) for it in counts):
        return True
    lost = [it for it in holders_of(s, country) if it == PARTISANS or (it in powers() and faction(s, it) != side)]
    # Ground units of another side in the capital make way for the country's own (82.56, 84.45A).
    to_be_cleared = capital(country) != "" and ground_of_others(s, capital(country), side)
    return bool(lost) and len(lost) == len(holders_of(s, country)) and not to_be_cleared


def counts_no_longer(s: State, power: str, country: str) -> bool:
    """Whether a power that has surrendered counts nothing of what it holds; Vichy is not France's own."""
    return out_of_the_economy(s, power) and (country, power) != (VICHY, "france")


def land_of(s: State, country: str) -> tuple[Place, ...]:
    """A country's hexes, and what it controls beside them, without what Russia has cut off (83.12D, 83.12E)."""
    lost = {key for part, whole in PARTS.items() if whole == country and detached(s, part) for key in home_hexes(part)}
    own = (*home_hexes(country), *(vichy_places(s) if country == VICHY else ()))
    held = [Place(key) for key, held_by in s.control.items() if held_by == country]
    apart = {*lost, *overseas(s, country)}
    return tuple(key for key in dict.fromkeys((*own, *held)) if key not in apart)


def overseas(s: State, country: str) -> tuple[Place, ...]:
    """The hexes of a minor country's colonies."""
    return tuple(key for colony in colonies_of(s, country) for key in home_hexes(colony))


def all_hexes(s: State, country: str) -> tuple[Place, ...]:
    """Everything that is a country's or was, its parts and colonies included."""
    return tuple(dict.fromkeys((*home_hexes(country), *hexes_in(s, country))))


def hexes_in(s: State, country: str) -> tuple[Place, ...]:
    """What a clause on the hexes in a country speaks of: its land, Poland's east, and its colonies with it (R-0464)."""
    return tuple(dict.fromkeys((*land_of(s, country), *land_beside_home(s, country), *overseas(s, country))))


def pass_hexes(p: Proceedings, keys: tuple[str, ...], by: str, backdated: bool = False, clause: str = "") -> None:
    """Hexes come under a power by diplomacy, and with them the industrial centers that lie there (37.42)."""
    centers = sorted({it for key in keys for it in areas_decided_by(key) if areas()[it].kind == "ic"})
    was = {it: area_holder(p.s, it) for it in centers}
    if keys:
        p.do(ControlChanged(keys, by, backdated=backdated), clause)
    for center, held_by in was.items():
        if held_by != by:
            p.do(AreaTaken(center, held_by, by))


def hand_over_hexes(p: Proceedings, country: str, power: str, everything: bool = False, clause: str = "") -> None:
    """A country's hexes come under a power from the start of this player turn, save where others stand.

    Only those that the country itself controlled, or with `everything` those that a power held as well.
    """
    side, seat = faction(p.s, power), "" if everything else capital(country)
    remnant = country == VICHY
    own = tuple(
        key
        for key in hexes_in(p.s, country)
        if everything or holder(p.s, key) not in (*powers(), PARTISANS) or (remnant and french_remnant(p.s, key))
        if not (ground_of_others if key == seat else occupied_by_others)(p.s, key, side, country)
    )
    pass_hexes(p, own, power, backdated=True, clause=clause)
    colonies_follow(p, country)


def colonies_follow(p: Proceedings, country: str) -> None:
    """Vichy's colonies are with whoever controls their capitals, without being conquered."""
    for colony in colonies_of(p.s, country) if country == VICHY else ():
        held_by = area_holder(p.s, colony)
        held_by = "france" if held_by == VICHY else held_by
        if held_by in powers() and not done(p.s, TakenBy(held_by, colony), "player turn"):
            change_status(p, colony, "colony", held_by, "84.44", f"it goes with {called(country)}")


@value("82.33", "To whom places of a country return that a power no longer has by a result: to itself")
def returns_to(s: State, country: str) -> str:
    # What is Vichy's was French when the game began, so it is named.
    return VICHY if country == VICHY and s.powers["france"].surrendered else ""


def give_back(p: Proceedings, country: str, at: Iterable[str], clause: str = "82.33", backdated: bool = False) -> None:
    """Places are a country's own again, or whose they were apart from any result."""
    to = returns_to(p.s, country)
    if changing := tuple(key for key in at if holder(p.s, key) != to):
        p.do(ControlChanged(changing, to, backdated=backdated), clause)
    colonies_follow(p, country)


def release_hexes(p: Proceedings, country: str, from_power: str, partner: str = "", backdated: bool = False) -> None:
    """Hexes that a power held by a diplomatic result and does not garrison return to the country.

    Its side's units garrison them for it; where the country passes to a partner, the partner's do not (R-2360).
    What a power refuses (`backdated`) was the country's all the time.
    """
    side = {it for it in powers() if faction(p.s, it) == faction(p.s, from_power)} - {partner}
    held = [key for key in all_hexes(p.s, country) if holder(p.s, key) == from_power]
    there = {key: {patron(p.s, it.nation) for it in regulars_at(p.s, key) if it.nation != country} for key in held}
    give_back(p, country, (key for key in held if not side & there[key]), backdated=backdated)


def leave_former(p: Proceedings, country: str, power: str) -> None:
    """A country that joins a power gives up what another faction had of it, or a partner, garrisons apart (84.44)."""
    standing = p.s.countries[country]
    status, by, same = standing.status, standing.by, faction(p.s, standing.by) == faction(p.s, power)
    if status in ("penetrated", "controlled", *BOUND) and by != power and not (same and status == "penetrated"):
        release_hexes(p, country, by, partner=power if same else "")
        if not same:
            release_capital(p, country, by)
            p.run(units_caught, country, by)
            p.do(Happened(Happening(p.s.moment, "turned", country)))
    # A country that its own side attacked counts for the power of the result until it joins another (R-0212).
    take_off_books(p, country, by, power)


def take_off_books(p: Proceedings, country: str, former: str, joins: str = "") -> None:
    """What a result gave a power is lost (82.22): not what its enemies have by force (83.31A), nor whom it joins."""
    had = {it: brp for it in powers() if (brp := left_on_books(p.s, country, it)) > 0}
    left, right = faction(p.s, former), faction(p.s, joins)
    by_force = [it for it in had if faction(p.s, it) != left and retained(p.s, it, country)]
    kept = {it: had[it] for it in had if faction(p.s, it) == right or it in by_force}
    if kept != had or left not in ("", right):
        note("taken_back", "82.22", sum(had.values()) - sum(kept.values()), country)
        settle_diplomatically(p, country, kept)


def release_capital(p: Proceedings, country: str, from_power: str) -> None:
    """The capital of a country that turns against a power is its own once no ground unit stands there (R-0214)."""
    at, left = capital(country), faction(p.s, from_power)
    if not at or faction(p.s, holder(p.s, at)) != left:
        return
    if not any(it.branch == "ground" and side_of(p.s, it.nation) == left for it in units_at(p.s, at)):
        give_back(p, country, (at,), "82.56")


#: The clause by which each takes five BRPs from its country.
CUT_OFF = {"bessarabia": "85.491", "finnish_border": "85.492"}


@effect("85.491")
def part_gained(p: Proceedings, part: str, by: str) -> None:
    """A border region cut off is a conquest, as far as its conqueror has not got it within the country already."""
    whole, apart = PARTS[part], worth(p.s, part) - on_books(p.s, by, part)
    # Of an associate or ally more than its worth stands there only by an earlier result, which knew no border.
    conquered = p.s.countries[whole].status == "conquered"
    within = min(apart, on_books(p.s, by, whole) - worth(p.s, whole)) if conquered else 0
    if within > 0:
        # It had all of the country, lost it and has retaken it at once: the same BRPs, on two lines of its books.
        enter_on_books(p, by, whole, -within)
        enter_on_books(p, by, part, within)
        apart -= within
    if apart > 0:
        promise(p, receive_conquest, conquest_moment(p.s, by, part), by, part, apart)


def count_whole_again(p: Proceedings, country: str) -> None:
    """What a country had lost is back: who counts it counts all of it, though no more is paid this year (R-0033)."""
    leader, value = p.s.countries[country].by, worth(p.s, country)
    if bound(p.s, country) and 0 < (counted := on_books(p.s, leader, country)) < value:
        enter_on_books(p, leader, country, value - counted)


@effect("85.491", "A border region that is retaken in time counts within its country again, and is no conquest")
def part_restored(p: Proceedings, part: str) -> None:
    whole = PARTS[part]
    lapse(p, part, "it counts within its country again", receive_conquest)
    change_status(p, part, "neutral", "", "85.491", f"retaken, part of {called(whole)} again")
    count_whole_again(p, whole)


@due("85.492", sign=-1, averted_by="retaking {about} by then", covers=("85.491",))
def lose_part(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """The lower value of Rumania or Finland takes effect."""
    whole = PARTS[due_now.about]
    # The books decide, not the status: a capital retaken in this combat phase is concluded on only after it (83.31B).
    if not on_books(p.s, due_now.power, whole):
        return Lapsed(f"{called(whole)} is {called(due_now.power)}'s no more")
    # What an ally alone retook as a conquest of his own is his, and lost to the country (35.73C, R-0012).
    captor = joint_holder(p.s, due_now.about)
    an_allys = captor != due_now.power and partners(p.s, captor, due_now.power)
    back = p.s.countries[due_now.about].by in ("russia", due_now.power) and not an_allys
    held_by = {holder(p.s, key) for key in deciding_places(due_now.about)}
    if back and any(faction(p.s, it) == faction(p.s, due_now.power) for it in held_by):
        p.run(part_restored, due_now.about)
        return "retaken"
    excess = max(0, on_books(p.s, due_now.power, whole) - worth(p.s, whole))
    enter_on_books(p, due_now.power, whole, -excess)
    return -excess


@remembered("85.52A")
def forces_gone(s: State, country: str) -> bool:
    """A country's units have left play for good: it surrendered, was conquered, or switched and lost its capital."""
    return False


@remembered("85.53A")
def gone_for_good(s: State, country: str, unit: Unit) -> int:
    """Units of a kind that a country lost for good: where it switched sides, or as ships that were sunk."""
    return 0


@remembered("85.53A", "Units of a kind that a country without a force table had, lost ones too, as it switched sides")
def had_before_switch(s: State, country: str, unit: Unit) -> int:
    return 0


def has_any(s: State, country: str) -> bool:
    """Whether a country has regular units, built or not."""
    return any(it.branch != "partisan" for it in units_of(s, country)) or any(unbuilt(s, country))


def leave_play(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """All units of a country leave play for good, wherever they are; of those that have some it is remembered."""
    had = has_any(p.s, country)
    remove_all(p, country, clause)
    if had:
        forces_gone.under(clause).note(p, True, reason, country)


@definition("84.47D", "Ships that were lost may be built again: a power's own, not those of a minor country")
def ships_built_again(s: State, nation: str) -> bool:
    return nation in powers()


def counters_in_being(s: State, nation: str, unit: Unit) -> int:
    """Units of a kind that a nation has, on the boards, damaged too, or in its force pool."""
    kinds = filter(None, (unit, damaged(unit)))
    on_board = sum(it.count for kind in kinds for it in units_of_kind(s, nation, kind))
    return on_board + s.pieces.count(nation, UNBUILT, unit)


def remember_all(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """How many units of each kind a country had whose forces no table tells: it says later what is missing."""
    if country != "vichy_france":
        return
    on_board = {undamaged(it.unit) for it in units_of(p.s, country) if it.branch in ("ground", "air", "naval")}
    for unit in sorted(on_board | {it for it, _ in unbuilt(p.s, country)}):
        had = counters_in_being(p.s, country, unit) + gone_for_good(p.s, country, unit)
        had_before_switch.under(clause).note(p, had, reason, country, unit)


def lose(p: Proceedings, stack: Stack) -> None:
    """Units are lost to their force pool, ships that are never built again for good, which is remembered."""
    sunk = stack.branch == "naval" and not ships_built_again(p.s, stack.nation)
    eliminate(p, stack, stack.count, for_good=sunk)
    if sunk:
        remember_gone(p, stack.nation, stack.unit, stack.count, "84.47D", "sunk")


def remember_gone(p: Proceedings, country: str, unit: Unit, count: int, clause: str, reason: str) -> None:
    """So many more units of a kind are out of play for good; a damaged ship is one of its kind."""
    if country not in (*countries(), DUTCH) or unit_branch(unit) not in ("ground", "air", "naval"):
        return
    kind = undamaged(unit)
    gone_for_good.under(clause).note(p, gone_for_good(p.s, country, kind) + count, reason, country, kind)
