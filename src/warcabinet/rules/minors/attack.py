"""Attacks on minor countries: declarations, garrisons in the way, border wars, who may attack whom (82.34 - 82.42), and
whom a victim joins later than after the first turn, or at once where a garrison is attacked (82.82, 84.22).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import DeclareWar, ReportBorderWar
from warcabinet.model.events import Happened, PowerChanged, ResultInForce, WarBegan
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import Place, area_holder, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, happened_to
from warcabinet.model.traits import (
    BELONGS,
    DECLARED_ON,
    DECLARED_TOGETHER,
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    PARTS,
    VICHY,
    conquest_places,
    home_hexes,
    partner_of,
)
from warcabinet.rules.common.books import in_being, on_books, spend_brps, worth
from warcabinet.rules.common.diplomacy import country_at, lapse, promised, total_cost
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, SENIORITY, STANDS_ALONE, faction, garrison, occupied_by
from warcabinet.rules.common.war_and_peace import (
    ATTACKERS,
    at_war,
    attackers_of,
    colonies_of,
    colony_by_result,
    country_attacked,
    french_remnant,
    open_colony,
    player_of,
    same_faction,
    vichy_colony,
    vichy_places,
    vichys_by_result,
    vichys_own,
    war_between,
    went_to_war,
)
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import definition, effect, limit, order
from warcabinet.rules.minors.association import (
    IN_EUROPE,
    associate,
    association_pays,
    fights_alone,
    free_to_join,
    may_associate_by_survival,
    may_join,
    opposes,
    protector,
    waits,
)
from warcabinet.rules.minors.geography import CHINESE, country_now, land, part_fallen
from warcabinet.rules.minors.limits import may_stay, sides_leaving, to_be_left
from warcabinet.rules.minors.status import (
    all_hexes,
    border_war_escalated,
    border_war_fought,
    change_status,
    full_scale_war,
    give_back,
    minor_at_war,
    release_capital,
    release_hexes,
    russians_invaded,
    wages_war,
)

#: How a country stands that is a power's, with its wars.
BELONGING = (*BOUND, "conquered", "colony", "commonwealth")


@order("82.41", "War is declared and paid for", on=DeclareWar, phases=("declarations of war",))
def declare_war(p: Proceedings, cmd: DeclareWar) -> None:
    if keeps_brps(p.s, cmd.power):
        told = f"declaration of war on {' and '.join(map(called, cmd.on))}"
        spend_brps(p, cmd.power, total_cost(p.s, cmd.power, cmd.on), "declaration of war", told)
    for target in cmd.on:
        p.do(WarBegan((cmd.power, target), cmd.power))


@effect("82.41", "A country on which war is declared is under attack", on=WarBegan)
def under_attack(p: Proceedings, began: WarBegan) -> None:
    country, attacker = country_attacked(began), began.declared_by
    if not country:
        return
    p.do(Happened(Happening(p.s.moment, "attacked", country)))
    standing = p.s.countries[country]
    if standing.status == "neutral":
        change_status(p, country, "independent", "", "82.41", f"attacked by {called(attacker)}")
    elif standing.status in ("penetrated", "controlled") and faction(p.s, standing.by) == faction(p.s, attacker):
        _turn_against_controller(p, country, attacker)
    if faction(p.s, attacker) in sides_leaving(p.s, country):
        release_capital(p, country, attacker)
    may_stay(p, country, "they are invaders there")


def _turn_against_controller(p: Proceedings, country: str, attacker: str) -> None:
    """A country attacked by the side that controlled it holds every hex of that side's which it does not occupy.

    What another power has of it, as Russia by a border war, no result has given to its controller (82.31).
    """
    change_status(p, country, "independent", "", "82.35", f"attacked by {called(attacker)}, whose side controlled it")
    if country in p.s.results:
        p.do(ResultInForce(country, ""), "82.35")
    side = faction(p.s, attacker)
    held = [it for it in all_hexes(p.s, country) if french_remnant(p.s, it) or faction(p.s, holder(p.s, it)) == side]
    give_back(p, country, (it for it in held if not occupied_by(p.s, it, side)), "82.35")
    release_capital(p, country, attacker)


@limit("82.41", "War is declared on someone with whom one is at peace", on=DeclareWar)
def not_at_war_yet(s: State, cmd: DeclareWar) -> Iterator[Finding]:
    """On a country that one controls by a result war may be declared, not on one's own associate, ally or conquest."""
    for target in cmd.on:
        if own_country(s, cmd.power, target) and s.countries[target].status not in ("penetrated", "controlled"):
            yield Refusal("82.35", f"{called(target)} is {s.countries[target].words} on the same side")
            break
    yield _in_vain(s, cmd)


def _in_vain(s: State, cmd: DeclareWar) -> str | None:
    """Why war cannot be declared, or need not be, on those who are named."""
    if len(cmd.on) == 2 and set(cmd.on) not in DECLARED_TOGETHER:
        return "only Denmark with Norway and Belgium with Luxembourg are named together"
    for target in cmd.on:
        if target in DECLARED_ON:
            return _declared_on_whole(s, target, DECLARED_ON[target])
        if target == cmd.power:
            return "no power declares war on itself"
        name, standing = called(target), s.countries.get(target)
        if at_war(s, cmd.power, target):
            return f"{name} is already an enemy"
        if standing is None:
            return f"{name} is of the same alliance faction" if faction(s, target) == faction(s, cmd.power) else None
        pacific = countries()[target].theater == "pacific"
        if pacific and standing.status in BOUND and not own_country(s, cmd.power, target):
            if target == "philippines":
                note("american_associate", "84.31", standing.by, target)
            return f"{name} stands with {called(standing.by)}: declare on it"
    return None


def _declared_on_whole(s: State, part: str, whole: str) -> str:
    """Where war for a part of a country is declared: eastern Poland goes with Poland and whoever has that (R-0421)."""
    belongs, standing = f"{called(part)} belongs to {called(whole)}", s.countries[whole]
    if standing.status not in BELONGING or not standing.by:
        return f"{belongs}: declare on that"
    fought = f"{belongs}, which is {standing.words} ({called(standing.by)}): war for it is war with that power"
    return f"{fought}; what a pact allows is reported with its rule (by_rule)"


@limit("82.42", "No declaration is needed on a country that an enemy faction holds, only on its power", on=DeclareWar)
def declaration_unnecessary(s: State, cmd: DeclareWar) -> str | None:
    for target in (it for it in cmd.on if bound_to_enemy(s, cmd.power, it)):
        owner = s.countries[target].by
        of_vichy = owner == "france" and target in colonies_of(s, VICHY)
        fights = may_attack_country(s, cmd.power, target) if of_vichy else at_war(s, cmd.power, owner)
        owner = VICHY if of_vichy else owner
        told = "no declaration is needed" if fights else f"declare war on {called(owner)} instead"
        return f"{called(target)} is {s.countries[target].words} ({called(owner)}): {told}"
    return None


def bound_to_enemy(s: State, power: str, target: str) -> bool:
    it = s.countries.get(target)
    return it is not None and it.status in BELONGING and it.by != "" and faction(s, it.by) != faction(s, power)


def own_country(s: State, power: str, target: str) -> bool:
    it = s.countries.get(target)
    return it is not None and it.by != "" and faction(s, it.by) == faction(s, power)


def attacked_as_one(s: State, country: str, attacker: str) -> tuple[str, ...]:
    """A country under attack, and with it the one that counts as the same country for the attacker (R-0873)."""
    partner = partner_of(country)
    here, there = war_between(s, attacker, country), war_between(s, attacker, partner)
    if here is None or there is None or here.since != there.since or s.countries[partner].status == "conquered":
        return (country,)
    note("one_country", "87.13A", (country, partner))
    return (country, partner)


def guards(s: State, country: str, attacker: str) -> tuple[str, ...]:
    """The powers whose garrison a country has against an attacker; his fellow invaders are none (R-0493)."""
    there = {power for part in attacked_as_one(s, country, attacker) for power in garrison(s, part)}
    return tuple(it for it in SENIORITY if it in there and it not in fought_by(s, country))


def fought_by(s: State, country: str) -> tuple[str, ...]:
    """The powers that fight a country: who declared war on it, and who attacks Vichy colonies undeclared (R-2505)."""
    if country != VICHY:
        # Russians who came by a border war are invaders like those who declared war, and no garrison (R-0493).
        undeclared = country in PARTS.values() and russians_invaded(s, country)
        return (*attackers_of(s, country), *(("russia",) if undeclared else ()))
    west = faction(s, "britain")
    # They need no war to attack Vichy colonies (82.41), unless a result let them in, be it reversed since.
    let_in = faction(s, s.countries[VICHY].by) == west or west in sides_leaving(s, VICHY)
    return (*attackers_of(s, country), *(() if let_in else ATTACKERS))


@definition("82.34", "Powers with units in a country whom an attacker must be at war with as well")
def garrison_in_the_way(s: State, country: str, attacker: str) -> tuple[str, ...]:
    others = (it for it in guards(s, country, attacker) if faction(s, it) != faction(s, attacker))
    return tuple(it for it in others if not at_war(s, attacker, it))


@limit("82.34", "A garrisoned country is attacked only by those who fight its garrison too", on=DeclareWar)
def garrison_must_be_fought(s: State, cmd: DeclareWar) -> str | None:
    for target in (it for it in cmd.on if it in countries()):
        if missing := [it for it in garrison_in_the_way(s, target, cmd.power) if it not in cmd.on]:
            return f"{called(target)} is garrisoned by {', '.join(map(called, missing))}; declare war there first"
    return None


def invader_of(s: State, country: str, power: str) -> str:
    """The power of a side that is at war with the country which a result would open to that side (R-1822)."""
    if s.countries[country].status in BOUND:
        return ""
    return next((it for it in attackers_of(s, country) if faction(s, it) == faction(s, power)), "")


def whole_of(s: State, country: str) -> str:
    """The country by whose standing a place is entered or attacked: Spanish Morocco's is Spain's till it falls."""
    return country if s.countries[country].status == "conquered" else BELONGS.get(country, country)


@definition("82.41", "A power may attack in a country only at war with it")
def may_attack_country(s: State, power: str, country: str) -> bool:
    if country == "eastern_poland" and s.countries[country].status not in BELONGING:
        return open_eastern_poland(s, power)
    vichy = s.countries[VICHY]
    if power in ATTACKERS and open_colony(s, country):
        # They attack Vichy colonies undeclared; once Vichy stands with a power these are at war as it is (82.42).
        return vichy.status not in BOUND or minor_at_war(s, VICHY, power)
    if vichy.status == "conquered" and vichy_colony(s, country) and s.countries[country].by == "france":
        # What is left of a Vichy France that has fallen is open to its conqueror's side, and to his enemies (R-2506).
        return vichy.by in powers() and (same_faction(s, power, vichy.by) or at_war(s, power, vichy.by))
    country = whole_of(s, country)
    standing = s.countries[country]
    if bound_to_enemy(s, power, country):
        note("no_declaration_needed", "82.42", standing.status, country)
        return at_war(s, power, standing.by) if standing.status == "conquered" else minor_at_war(s, country, power)
    return at_war(s, power, country)


@definition("82.41", "Eastern Poland goes with Poland: whoever fights or conquered that may take it (R-0421)")
def open_eastern_poland(s: State, by: str) -> bool:
    if by == "russia" and reading_in_force(s, "R-0421") == "b":
        return True
    if s.countries["eastern_poland"].status in BELONGING:
        return True  # a power's own: war with that power is needed, by another clause (82.42)
    poland = s.countries["poland"]
    if poland.status == "controlled" and faction(s, poland.by) == faction(s, by):
        return True  # a result that opens Poland opens eastern Poland as well (82.31)
    if poland.status in ("conquered", *BOUND):
        return faction(s, poland.by) == faction(s, by) or at_war(s, by, poland.by)
    return may_attack_country(s, by, "poland")


# -- whose a place is, and who is at peace over it ------------------------------------------------------------------

#: Neutral countries in which partisans rise and operate by clauses of their own (87.23, 88.57, 88.63).
RISING = ("arabia", "ireland", "persia")


def held_by_force(s: State, place: Place, country: str) -> bool:
    """Whether a power holds a country's place otherwise than by a diplomatic result, past or present.

    The garrison that a result brought into a neutral is attacked only at war with that neutral (82.41).
    """
    now = holder(s, place)
    if now not in powers() or (country in EUROPEAN_FRENCH_COLONIES and french_remnant(s, place)):
        return False  # the second is Vichy France's, whatever became of the colony's capital
    country = VICHY if colony_by_result(s, country) else country
    # One that others attacked is as closed; in the Indies nobody has a war of his own with the Dutch (82.93).
    if s.countries[country].status not in STANDS_ALONE or country in DUTCH_AREAS or part_fallen(s, place):
        return True
    side = (it for it in powers() if faction(s, it) == faction(s, now))
    return any(at_war(s, it, country) for it in side) or (now == "russia" and border_war_fought(s, country))


def enemys_by_force(s: State, power: str, place: Place, country: str) -> bool:
    """Whether a power's enemy has taken the place from the country: then it is his, and open to attack (82.42)."""
    return at_war(s, power, holder(s, place)) and held_by_force(s, place, country)


def own_ground(s: State, power: str, place: Place) -> bool:
    """Whether a place is a power's own, however the country stands in which it lies.

    What it holds by a diplomatic result, or must leave after that was reversed, is not (82.32, 82.33).
    """
    if holder(s, place) != power or to_be_left(s, power, place) or vichys_by_result(s, place):
        return False
    standing = s.countries.get(land(place)[0])
    return standing is None or standing.status != "controlled" or faction(s, standing.by) != faction(s, power)


def in_peace_with_neutral(s: State, power: str, place: Place) -> str:
    """The neutral country in which a place lies and on which a power has not declared war, if any (82.41)."""
    country = country_now(s, place) if country_now(s, place) in CHINESE else country_at(place)
    if country not in countries():
        # Biak and the other lesser islands come into the war with the three areas.
        return DUTCH if holder(s, place) == DUTCH and not may_be_taken(s, DUTCH, power) else ""
    whole = BELONGS.get(country, country)
    if country == "eastern_poland":
        return "" if open_eastern_poland(s, power) else "poland"
    standing = s.countries[whole]
    # Where a neutral's own partisans alone have its capital, that opens it to no power (88.21, 88.62).
    risen = standing.status == "conquered" and not standing.by and whole in RISING
    if not risen and (standing.status not in STANDS_ALONE or s.countries[country].status == "conquered"):
        return ""
    # Vichy is a French city like any other until France has left the war.
    spoken_for = held_by_force(s, place, whole) or not in_being(s, country) or (risen and went_to_war(s, power, whole))
    return "" if spoken_for or may_be_taken(s, whole, power) or fought_over(s, power, place) else whole


@definition("82.41", "A neutral country's hexes are taken only at war with it")
def may_be_taken(s: State, country: str, by: str) -> bool:
    if country == DUTCH or country in DUTCH_AREAS:
        # They come into the war with Britain's war against Japan, not with that in Europe (82.93).
        return (went_to_war(s, "britain", "japan") and at_war(s, by, "britain")) or at_war(s, by, country)
    return may_attack_country(s, by, country)


def in_peace_with_vichy(s: State, power: str, place: Place) -> str:
    """Vichy France, where a place is its own and a power may not attack it there."""
    if not s.powers["france"].surrendered or power not in powers():
        return ""
    lies_in, now = land(place)[0], holder(s, place)
    overseas = lies_in in EUROPEAN_FRENCH_COLONIES
    given = vichys_by_result(s, place) or (overseas and colony_by_result(s, lies_in) and now in powers())
    # Nobody need have said that the surrender left a colony to Vichy France.
    vichys = vichys_own(s, place) or (overseas and french_remnant(s, place))
    vichys = vichys or (given and faction(s, now) != faction(s, power))
    return VICHY if vichys and not may_attack_country(s, power, lies_in if lies_in in countries() else VICHY) else ""


@definition("82.42", "The power of another faction with which one must be at war to take a place, if it is at peace")
def holder_at_peace(s: State, place: Place, by: str) -> str:
    now, country = holder(s, place), country_at(place)
    standing = s.countries[whole_of(s, country)] if country else None
    if now not in powers():  # whose its country is, if nobody else holds the place
        now = standing.by if standing and standing.status in BELONGING else ""
    if now not in powers() or faction(s, now) == faction(s, by) or at_war(s, by, now):
        return ""
    if not s.powers[now].surrendered:
        return "" if (country and _declared_against(s, place, country, by)) or _vichy_at_war(s, place, by) else now
    # What one that surrendered still has, a colony or conquest, is not open by that (R-2412). How it is occupied, as
    # French Indochina by Japan, chapters tell that are played outside; of Vichy, and the Axis in Iraq, other clauses.
    elsewhere = country in EUROPEAN_FRENCH_COLONIES or (country == "iraq" and faction(s, by) == "axis")
    left = country and not elsewhere and place not in vichy_places(s) and not may_attack_country(s, by, country)
    return now if left else ""


def _vichy_at_war(s: State, place: Place, by: str) -> bool:
    """Whether a power fights Vichy France for a place that another has with it: war with that one is not needed.

    As in any country under a result, or in the war of an associate (82.41, R-1961), unless a garrison is in the way.
    """
    standing, now = s.countries[VICHY], holder(s, place)
    if standing.status not in ("controlled", *BOUND) or place not in vichy_places(s) or not at_war(s, by, VICHY):
        return False
    return faction(s, now) == faction(s, standing.by) and not garrison_in_the_way(s, VICHY, by)


def in_its_own_war(s: State, place: Place, by: str, owner: str) -> bool:
    """Whether a place is fought over in the war that an associate had before it joined a power at peace (R-1961).

    Its enemy goes on unless units of that power stand in the country (82.34), and it takes back what is its own.
    """
    country = BELONGS.get(country_at(place), country_at(place))
    if not country or s.countries[country].status not in BOUND:
        return False
    if own_country(s, by, country):
        # What its units take back is the power's that leads it, not that power's partners'.
        return by == s.countries[country].by and wages_war(s, country, owner)
    led = faction(s, owner) == faction(s, s.countries[country].by)
    return led and wages_war(s, country, by) and not garrison_in_the_way(s, country, by)


def _declared_against(s: State, place: Place, country: str, by: str) -> bool:
    """Whether a place is a power's by a result alone: war with the country opens it, not with that power (82.41)."""
    if open_colony(s, country):
        return may_attack_country(s, by, country) and not held_by_force(s, place, VICHY)
    whole = BELONGS.get(country, country)
    # A border war opens it as well (82.41).
    fights = at_war(s, by, whole) or fought_over(s, by, place)
    return s.countries[country].status != "conquered" and fights and not held_by_force(s, place, whole)


def taken_by_force(s: State, country: str) -> bool:
    """Whether an enemy took Madrid, and counts Spain for it, without having conquered it (83.13, 83.31A)."""
    held_by = area_holder(s, country)
    if conquest_places(country) == deciding_places(country) or held_by not in powers():
        return False
    coming = any(it.power == held_by for it in promised(s, receive_conquest, about=country))
    return coming or on_books(s, held_by, country) >= worth(s, country)


# -- border wars of Russia with Finland and Rumania, fought undeclared ---------------------------------------------


def ends_full_scale_war(s: State, between: tuple[str, ...]) -> str:
    """The country whose border war with Russia, a full scale one that nobody declared, a peace between two ends."""
    return next((it for it in between if "russia" in between and it in s.countries and full_scale_war(s, it)), "")


@effect("84.23", "Peace ends a border war that had escalated; that it was fought stays known")
def end_full_scale_war(p: Proceedings, country: str) -> None:
    border_war_escalated.forget(p, country)


@definition("82.41", also=("86.24",))
def fought_over(s: State, power: str, place: Place) -> bool:
    """Russia fights border wars undeclared: for Rumania, the Finnish border hexes, all Finland once it escalates."""
    country = next((it for it in PARTS.values() if power == "russia" and place in home_hexes(it)), "")
    if not country or s.countries[country].status not in STANDS_ALONE or not border_war_fought(s, country):
        return False
    # A garrison of a power at peace with Russia keeps it out of a border war as well (82.34).
    if garrison_in_the_way(s, country, power):
        return False
    return country != "finland" or place in home_hexes("finnish_border") or border_war_escalated(s, country)


@order("84.21A", "A border war is fought; it brings no association", on=ReportBorderWar)
def report_border_war(p: Proceedings, cmd: ReportBorderWar) -> None:
    border_war_fought.under("84.21A").note(p, True, "a border war with Russia was reported", cmd.country)
    if cmd.escalated:
        border_war_escalated.under("86.43").note(p, True, "the border war was reported to have escalated", cmd.country)


@effect("84.22", on=WarBegan, covers=("84.11B",))
def join_when_war_comes(p: Proceedings, began: WarBegan) -> None:
    """A victim of a neutral power associates when an opposing faction goes to war with it."""
    for attacker, other in (began.between, began.between[::-1]):
        if attacker in powers() and other in powers():
            # Those attacked in this player turn whose garrison fights the attacker only now: the order is no matter.
            for country in happened_to(p.s, ("attacked",), "player turn"):
                if attacker in attackers_of(p.s, country):
                    p.run(garrisoned_joins, WarBegan((attacker, country), attacker))
            _victims_join(p, attacker, other)


def _victims_join(p: Proceedings, attacker: str, other: str) -> None:
    """Those whom a power attacked while it was neutral join, if it is another's war with it that ends this."""
    opposed_before = any(opposes(p.s, it, attacker) for it in IN_EUROPE if it != other)
    if opposed_before or faction(p.s, attacker) == faction(p.s, other):
        _turn_to_protector(p, attacker, other)
    for country in _victims(p.s, attacker):
        # Who was refused by an earlier opponent, or could not join him, turns to this one.
        if protector(p.s, country, attacker) == other and not waits(p.s, country, attacker):
            note("attacker_opposed", "84.11B", other, country)
            associate(p, country, other, "84.11B", "its attacker is opposed", "war")
            may_stay(p, country, "it has joined a power")
            p.do(Happened(Happening(p.s.moment, "associated by survival", country)))


def _turn_to_protector(p: Proceedings, attacker: str, other: str) -> None:
    """Who joined another in this very phase stands with Britain or Germany, if that goes to war in it too (84.21).

    Powers go to war one by one, and which of them is named first decides nothing.
    """
    for country in happened_to(p.s, ("associated by survival",), "phase"):
        status, by = p.s.countries[country].status, p.s.countries[country].by
        # A country that joined a power against another attacker than this one stays with it.
        just = status == "associated" and attacker in attackers_of(p.s, country) and opposes(p.s, by, attacker)
        if just and by != other == protector(p.s, country, attacker) and not waits(p.s, country, attacker):
            release_hexes(p, country, by, partner=other)
            lapse(p, country, f"it stands with {called(other)}", association_pays)
            associate(p, country, other, "84.21", "its protector is at war with its attacker too", "war")


def _victims(s: State, attacker: str) -> list[str]:
    """Independent countries that outlasted the first turn of this power's attack, whoever else attacks them now."""
    alone = (it for it in s.countries if fights_alone(s, it) and countries()[it].theater == "europe")
    return [it for it in alone if attacker in attackers_of(s, it) and outlasted(s, it, attacker)]


def outlasted(s: State, country: str, attacker: str) -> bool:
    """Whether the player turn in which a power attacked a country is over."""
    war = war_between(s, country, attacker)
    return war is not None and (war.since < s.turn or (player_of(attacker) == "axis" and s.player == "allied"))


@definition("82.41")
def newly_attacked(s: State, country: str) -> bool:
    """A country was attacked in the player turn under way, the Dutch as Japan went to war with Britain (R-1821)."""
    if country != DUTCH:
        return happened(s, "attacked", country, "player turn")
    war = war_between(s, "britain", "japan")
    note("drawn_in", "82.71", war is not None, DUTCH)
    return war is not None and war.declared_by == "japan" and war.since == s.turn and s.player == "axis"


def in_first_turn(s: State, country: str) -> bool:
    """Whether a country's initial turn of attack is under way; one that was at war before has outlasted it (R-2271)."""
    wars = filter(None, (war_between(s, it, country) for it in attackers_of(s, country)))
    begun = [(it.since, player_of(it.declared_by)) for it in wars]
    # Whose turn it is went to war with it this turn, as with Poland when the game begins.
    if not newly_attacked(s, country) and (s.turn, s.player) not in begun:
        return False
    return all((since, player) == (s.turn, s.player) or since > s.turn for since, player in begun)


@effect("84.22", on=PowerChanged, when=lambda s, changed: changed.surrendered is False, also=("84.21C",))
def join_on_return(p: Proceedings, changed: PowerChanged) -> None:
    """The victims of a power associate when one that had surrendered fights it again (R-0443); the Axis's with Britain.

    It is Britain that they join, whoever else fights their attacker by now, if that would have them (82.81C).
    """
    back = changed.power
    for attacker in ("germany", "italy") if back == "britain" else ():
        for country in _victims(p.s, attacker):
            if free_to_join(p.s, country, back) and not waits(p.s, country, attacker):
                associate(p, country, back, "82.81C", "Britain has re-entered the war", "war")
                p.do(Happened(Happening(p.s.moment, "associated by survival", country)))
    for attacker in tuple(it for it in powers() if at_war(p.s, it, back)):
        if back != "britain" or attacker == "russia":
            _victims_join(p, attacker, back)


@definition("82.34", "A country is garrisoned by a power that is at war with the attacker, and not with it (R-0493)")
def garrisoned_by_enemy(s: State, country: str, attacker: str) -> str:
    # A Britain that surrendered is joined when it re-enters the war, not before (82.81C).
    return next((it for it in guards(s, country, attacker) if opposes(s, it, attacker)), "")


@effect("82.34", on=WarBegan)
def garrisoned_joins(p: Proceedings, began: WarBegan) -> None:
    """A garrisoned country associates with the garrison's power at once when that power's enemy attacks it."""
    attacked, attacker = country_attacked(began), began.declared_by
    for country in attacked_as_one(p.s, attacked, attacker) if attacked else ():
        power, alone = garrisoned_by_enemy(p.s, country, attacker), may_associate_by_survival(p.s, country, attacker)
        if power and alone and at_war(p.s, country, attacker) and may_join(p.s, country, power):
            note("immediate", "84.21B", True, country)
            note("immediate", "82.81A", True, country)
            associate(p, country, power, "82.34", "its garrison's enemy attacked it", "attack")
            may_stay(p, country, "it has joined a power")
