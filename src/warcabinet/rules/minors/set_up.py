"""Set-up as a duty: forces that must come on the map before play goes on, and deploying them (82.53, 82.92, 84.45A,
85.45A); reported units, as far as the force table knows them (82.51, 82.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.kept import once
from warcabinet.kernel.limits import Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Deploy, DeployRest, ReportOperation, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Happened, StatusChanged
from warcabinet.model.names import OTHER_NATIONS, called, countries, powers
from warcabinet.model.pieces import UNBUILT
from warcabinet.model.places import NOWHERE, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, happened_to
from warcabinet.model.traits import (
    COMMONWEALTH_BOXES,
    DECLARED_ON,
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    PACIFIC,
    VICHY,
    capital,
    set_up_hexes,
)
from warcabinet.model.unit_lists import tally
from warcabinet.model.units import Unit, undamaged, unit_branch
from warcabinet.rules.common.pieces import BOUND, country_of, said_of, units_at, units_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import Duty, duty
from warcabinet.rules.common.war_and_peace import attacked, attackers_of
from warcabinet.rules.kinds import effect, limit, opening, order
from warcabinet.rules.minors.building import branch_of, built_again_by
from warcabinet.rules.minors.forces_of_minors import (
    SET_UP_ANEW,
    VOLUNTEERS,
    added_units,
    bring_on_map,
    by_unit,
    deployer,
    force_level,
    forces_deployed,
    full_strength,
    joined_in_peace,
    named,
    only_sent_ahead,
    open_for_set_up,
    risen,
    set_up_anew,
    set_up_level,
    supplied_site,
    without_forces,
    without_room,
)
from warcabinet.rules.minors.geography import european, land, stranded
from warcabinet.rules.minors.restrictions import intruders
from warcabinet.rules.minors.status import (
    border_war_escalated,
    border_war_fought,
    counters_in_being,
    forces_gone,
    gone_for_good,
    had_before_switch,
)
from warcabinet.rules.minors.units import units_off_map


@limit("82.51", on=Deploy, covers=("82.62", "82.92"))
def set_up_by_right(s: State, cmd: Deploy) -> Iterator[Finding]:
    """A country's forces are set up once, if it has any, when it is time and by those who have the right to."""
    country, among = cmd.country, deployer(s, cmd.country)
    if country == "ukraine" and not risen(s):
        yield Refusal("82.63", "its forces deploy after a diplomatic result by which it associates or allies")
    else:
        yield out_of_set_up(s, country)
    if among:
        yield Choice("by", among, f"{' or '.join(map(called, among))} sets up these forces", clause="82.52")
    elif country != "ukraine" or risen(s):
        told = "European forces are not set up before their country is attacked, associates or allies"
        border = country in SET_UP_ANEW and border_war_fought(s, country)
        yield told + ("; whom a border war brings to the board is reported (report_units)" if border else "")
    # One that joined in peace is set up at once (84.45A).
    struck = country in countries() and happened(s, "attacked", country, "player turn")
    if struck and not joined_in_peace(s, country) and not declarations_made(s):
        yield Refusal("82.53", "wait for the set-up of attacked minors")


@opening("82.51", "Forces that wait to be set up", on=Deploy)
def forces_that_wait(s: State, cmd: Deploy) -> Choice:
    return Choice("country", _waiting(s), "no country's forces wait to be set up")


@once
def _waiting(s: State) -> tuple[str, ...]:
    """The nations whose forces somebody may set up now."""
    return tuple(it for it in (*countries(), *OTHER_NATIONS) if deployer(s, it) and not out_of_set_up(s, it))


def out_of_set_up(s: State, nation: str) -> Refusal | None:
    """Why a nation's forces are not to be set up any more, or never."""
    if set_up_anew(s, nation):
        return None
    clause, country = "82.51" if european(nation) else "82.92", country_of(s, nation)
    if forces_deployed(s, nation):
        return Refusal(clause, "its units are on the map already and stay where they are")
    if without_forces(s, nation):
        return Refusal("82.62", "it has no armed forces")
    # Those sent ahead may have been lost (86.43, 84.46A).
    lost = s.pieces.has_unbuilt_regulars(nation) and not only_sent_ahead(s, nation)
    if lost and european(nation) and nation not in COMMONWEALTH_BOXES:
        return Refusal(clause, "its units have been on the map before, and were lost")
    if country in countries() and s.countries[country].status == "conquered":
        return Refusal(clause, "it was conquered; its units are out of play")
    return None


@limit("82.61", on=Deploy, covers=("85.45A",))
def set_up_as_listed(s: State, cmd: Deploy) -> Iterator[Finding]:
    """No more units are set up than the table gives, one on the ground in an attacked capital; in peace all in supply.

    Ground and air units find no room only where foreign units stand in their country.
    """
    country, placed = cmd.country, named(cmd)
    known = country in countries()
    # Pacific units stand in their home countries from the start, whatever their supply (82.92).
    in_peace = known and country not in PACIFIC and joined_in_peace(s, country)
    if cut_off := next((it.place for it in placed if in_peace and not supplied_site(s, country, it.place)), ""):
        told = f"{place_called(cut_off)} is not a supplied hex under the country's control; supply by sea is reported"
        yield Refusal(said_of(s, country, "84.45A"), f"{told} (report_full_supply)")
    crowded_out = without_room(cmd)
    there = [it for key in set_up_hexes(country) for it in units_at(s, key) if it.nation != country]
    if any(unit_branch(it) == "naval" for it in crowded_out):
        yield Refusal("82.55", "ships find room in any port; only ground and air units are eliminated")
    elif crowded_out and not any(it.branch in ("ground", "air") for it in there):
        yield Refusal("82.55", f"no foreign ground or air units stand in {called(country)}: its own find room")
    said = tally((*by_unit(placed).items(), *crowded_out.items()))
    for unit, count in said.items():
        if count > (level := set_up_level(s, country, unit)):
            on_board = "on the board are" if set_up_anew(s, country) else "the table gives"
            yield f"{count} {unit}: {on_board} {level}"
            break
    # Of intruders in it 82.56 speaks, and who is set up anew stood there before.
    at = capital(country) if known and attackers_of(s, country) else NOWHERE
    if at and not (intruders(s, country) or set_up_anew(s, country)):
        ground = {u: n for u, n in full_strength(s, country).items() if _on_ground(u)}
        left = sum(n - said.get(u, 0) for u, n in ground.items())
        guests = sum(it.count for it in there if it.place == at and it.branch == "ground")
        # A garrison may leave no room in it (R-2060), or Russians of a border war are there (82.55).
        full = guests > 1 or (guests == 1 and any(map(_on_ground, crowded_out))) or not open_for_set_up(s, country, at)
        if ground and left <= 0 and not full and not any(it.place == at and _on_ground(it.unit) for it in placed):
            yield Refusal("82.54", "no ground unit would stand in the capital")


def _on_ground(unit: Unit) -> bool:
    return unit_branch(unit) == "ground"


@barred("82.55", "Units are set up in hexes of their country without enemies, ships in its ports", acts=("set up",))
def set_up_at_home(s: State, it: Presence) -> str | None:
    return not_set_up_at(s, it)


def not_set_up_at(s: State, it: Presence) -> str | None:
    """Why units are not set up at a place, if they are not."""
    if it.nation in powers() or not open_for_set_up(s, it.nation, it.at):
        return f"{it.place} is not a hex in which {called(it.nation)} can be set up"
    return f"{it.units[0]} is set up in a port" if stranded(it.units[0], it.at) else None


def declarations_made(s: State) -> bool:
    """Whether the attacker has made all his declarations of war for this turn."""
    return bool(s.player) and s.step >= calendar.step_index(s.player, "set-up of attacked minors")


#: Nations whose units are on the board from the start, where their power wants them in their country (71.13, 72.13).
FROM_THE_START = (*PACIFIC, "australia", "india")
#: Countries that set up their forces otherwise than when they are attacked or join (82.92, 84.33).
PLACED_OTHERWISE = frozenset((*PACIFIC, *DUTCH_AREAS))


def _waits(s: State, nation: str) -> bool:
    """Whether a nation's forces can still be set up; units in a force pool have been on the map before."""
    if s.options.counted:
        return False  # where only the books are kept, counters are set up on the players' own map (WC.29)
    # Who is listed in the Pacific may be set up anew, but need not (82.92).
    if nation in SET_UP_ANEW and set_up_anew(s, nation):
        return True
    if forces_deployed(s, nation) or not deployer(s, nation) or out_of_set_up(s, nation):
        return False
    return not s.pieces.has_unbuilt_regulars(nation) or only_sent_ahead(s, nation)


def _from_its_start(s: State) -> bool:
    """Whether the game is one that sets its forces up, and its first turn has begun."""
    return s.options.set_up == "ordered" and bool(s.player) and s.turn >= calendar.parse_turn(s.options.start)


@once
def _not_set_up(s: State) -> list[str]:
    """Countries attacked in this player turn, or at war before the game began, as Poland, and yet to be set up."""
    struck = happened_to(s, ("attacked",), "player turn")
    before = (it for it in attacked(s) if it in countries()) if _from_its_start(s) else ()
    return [it for it in dict.fromkeys((*struck, *before)) if it not in PLACED_OTHERWISE and _waits(s, it)]


@effect("84.45A", on=StatusChanged, when=lambda s, changed: changed.status in BOUND)
def joins_with_its_units(p: Proceedings, changed: StatusChanged) -> None:
    """A country that joins a power places its units at once; one that switches has no others than it had (85.53A)."""
    switched = happened(p.s, "switched", changed.country, "player turn")
    if changed.country not in PLACED_OTHERWISE and not switched and _waits(p.s, changed.country):
        p.do(Happened(Happening(p.s.moment, "joined", changed.country)))


@barred("82.53", acts=("enter", "attack", "take"), when=lambda s, it: it.regular and it.exact and not it.stays_in)
def set_up_before_the_fighting(s: State, it: Presence) -> str | None:
    """Nothing is taken, attacked or entered in a country before its forces are set up."""
    # Spanish Morocco is fought over as Spain, eastern Poland as Poland: their forces may stand there (83.447, R-1840).
    country = DECLARED_ON.get(land(it.at)[0], land(it.at)[0])
    # The country's own forces are the set-up itself, with a clause of their own (82.51).
    bare = it.nation != country and country in _not_set_up(s)
    return f"{called(country)}'s forces are not set up yet: deploy comes first" if bare else None


@once
def awaiting_set_up(s: State) -> dict[str, str]:
    """Every nation whose forces must be set up now, with the clause by which it must."""
    placed = _from_its_start(s) and s.options.scope != "europe"
    found = {it: "82.92" for it in (FROM_THE_START if placed else ()) if _waits(s, it)}
    # Of attacked countries once all declarations of war have been made.
    found |= dict.fromkeys(_not_set_up(s) if declarations_made(s) else (), "82.53")
    joined = (it for it in happened_to(s, ("joined",), "player turn") if it not in PACIFIC and joined_in_peace(s, it))
    return found | {it: said_of(s, it, "84.45A") for it in joined if _waits(s, it)}


@limit("82.53", on=Advance, when=lambda s, cmd: bool(awaiting_set_up(s)), covers=("82.92", "84.31", "84.45A", "85.45A"))
def set_up_now(s: State, cmd: Advance) -> Refusal:
    """Forces come on the map after all declarations of war, at the start, or as their country joins a power."""
    waiting = awaiting_set_up(s)
    clause, *also = dict.fromkeys(waiting.values())
    return Refusal(clause, f"set up first: {', '.join(map(called, waiting))}", also=tuple(also))


def to_be_set_up(s: State, by: str = "") -> list[str]:
    """The nations whose forces must be set up now: everybody's, or those that one power has the right to place."""
    return [it for it in awaiting_set_up(s) if deployer(s, it) and (not by or by in deployer(s, it))]


@order("82.51", "All forces that wait come on the map, each where it is usual", on=DeployRest)
def deploy_rest(p: Proceedings, cmd: DeployRest) -> None:
    clauses = awaiting_set_up(p.s)
    for nation in to_be_set_up(p.s, cmd.by):
        note("set_up", clauses[nation], True, nation)
        bring_on_map(p, Deploy(by=cmd.by or deployer(p.s, nation)[0], country=nation))


@limit("82.56", on=(Deploy, DeployRest))
def capitals_clear(s: State, cmd: Deploy | DeployRest) -> Iterator[Finding]:
    """Capitals are cleared of the other side's ground units before a country is set up."""
    named = [cmd.country] if isinstance(cmd, Deploy) else to_be_set_up(s)
    if isinstance(cmd, DeployRest) and not (named := named and to_be_set_up(s, cmd.by)):
        yield Refusal("82.51", f"no forces wait to be set up{f' by {called(cmd.by)}' if to_be_set_up(s) else ''}")
    if beset := [it for it in named if it in countries() and deployer(s, it) and intruders(s, it)]:
        told = f"ground units must be displaced from the capital of {', '.join(map(called, beset))}"
        yield Refusal("82.56", told, also=("84.45A", "85.45A"))


@duty
def forces_to_set_up(s: State) -> Iterator[Duty]:
    """Each nation that waits; where several do, whoever plays all their powers may set them up with one order."""
    waiting, clauses = to_be_set_up(s), awaiting_set_up(s)
    if len(waiting) > 1:
        of = tuple(dict.fromkeys(deployer(s, it)[0] for it in waiting))
        told = f"set up all at once: {', '.join(map(called, waiting))}"
        yield Duty(clauses[waiting[0]], told, of, "deploy_rest", {}, actor="")
    for it in waiting:
        yield Duty(clauses[it], f"set up {called(it)}", deployer(s, it), "deploy", {"country": it})


# -- reported units -----------------------------------------------------------------------------------------------

BRANCHES = ("ground", "air", "naval")
#: Whose forces are told of in chapters that are played outside (75.61, 77).
UNLISTED = (VICHY, *EUROPEAN_FRENCH_COLONIES)


def _listed_units(s: State, cmd: ReportUnits) -> bool:
    """Whether units of a country that has forces, which a force table knows, are reported to have come."""
    regular = _units_came(s, cmd) and unit_branch(cmd.unit) in BRANCHES
    return regular and cmd.nation not in UNLISTED and not without_forces(s, cmd.nation)


def _units_came(s: State, cmd: ReportUnits) -> bool:
    """Whether units of a minor country, no partisans, are reported to have come."""
    known = cmd.nation in (*countries(), DUTCH)
    return known and cmd.count > 0 and unit_branch(cmd.unit) != "partisan"


@limit(
    "82.51",
    on=ReportUnits,
    when=_units_came,
    covers=("83.21", "84.47A", "84.47C", "84.47D", "85.47", "85.481A", "85.482", "85.483", "85.52A", "85.53A", "89.25"),
    excusable=True,
)
def units_reported_are_in_play(s: State, cmd: ReportUnits) -> Iterator[Finding]:
    """A minor country's units are on the map only once they were set up, if it has forces.

    What left play for good does not come back by a report, nor what only an order builds again.
    """
    name, regular = called(cmd.nation), unit_branch(cmd.unit) in BRANCHES
    if _listed_units(s, cmd):
        yield _never_set_up(s, cmd)
    elif regular and cmd.nation == "ukraine" and not risen(s):
        yield Refusal("82.63", "Ukrainian units deploy after a result by which the Ukraine joins a power")
    elif regular and cmd.nation not in UNLISTED:
        yield Refusal("82.62", f"{name} has no armed forces")
    if forces_gone(s, cmd.nation):
        yield Refusal(forces_gone.noted_by(s, cmd.nation), f"{name}'s units have left play for good")
    elif regular:
        yield _gone_one_by_one(s, cmd)


def _never_set_up(s: State, cmd: ReportUnits) -> str | None:
    """Why units are not on the map yet, unless they are, only left another place or have left play (85.52A)."""
    nation, name = cmd.nation, called(cmd.nation)
    been = forces_deployed(s, nation) or units_off_map(s, nation, cmd.unit) >= cmd.count or forces_gone(s, nation)
    # Swedish infantry comes to fight in Finland (86.43).
    volunteers = nation == VOLUNTEERS and border_war_escalated(s, "finland")
    if been or (s.pieces.has_unbuilt_regulars(nation) and not volunteers):
        return None
    # Who is to be set up by an order is not set up by a report, whatever border war there was before.
    if deployer(s, nation):
        return f"{name} is set up first: deploy"
    if volunteers or (nation in SET_UP_ANEW and border_war_fought(s, nation)):
        return None  # how the second are set up then is told elsewhere (66, 67)
    fallen = s.countries[country_of(s, nation)].status == "conquered"
    told = "was conquered; its units are out of play" if fallen else "has not been attacked and stands with nobody"
    return f"{name} {told}"


def _gone_one_by_one(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units that a change of sides eliminated, and ships that were sunk, are not there to come back."""
    nation, unit, what = cmd.nation, undamaged(cmd.unit), branch_of(cmd.unit)
    gone, had = gone_for_good(s, nation, unit), had_before_switch(s, nation, unit)
    level = force_level(s, nation, unit) or had
    if gone and level and counters_in_being(s, nation, unit) + cmd.count > level - gone:
        clause = built_again_by(s, nation, "naval") if what == "naval" else "85.53A"
        return Refusal(clause, f"{gone} {unit} of {called(nation)} left play for good, of {level}")
    # What Vichy France has lost, though no table tells what it has, is rebuilt by an order, or not at all.
    lost = s.pieces.count(VICHY, UNBUILT, unit) or (what == "naval" and gone)
    if nation != VICHY or not lost or had or units_off_map(s, VICHY, cmd.unit) >= cmd.count:
        return None  # after a change of sides its own clause knows what it had; others only left another place
    return Refusal(built_again_by(s, VICHY, what), f"Vichy France has lost {unit}: built again by rebuild, if at all")


@limit("82.61", on=ReportUnits, when=_listed_units, excusable=True)
def reported_within_table(s: State, cmd: ReportUnits) -> str | None:
    """No more units of a kind are in play than the force table gives."""
    unit = undamaged(cmd.unit)  # a damaged ship is one of its kind
    have, most = counters_in_being(s, cmd.nation, unit), force_level(s, cmd.nation, unit)
    most += added_units(s, cmd.nation, unit)
    if have + cmd.count <= most:
        return None
    told = f"{have + cmd.count} {unit} of {called(cmd.nation)}: the table gives {most}"
    if s.pieces.count(cmd.nation, UNBUILT, unit):
        told += "; what is unbuilt is built again by rebuild"
    return told


@limit("82.62", on=ReportOperation, excusable=True)
def operates_with_forces_only(s: State, cmd: ReportOperation) -> Refusal | str | None:
    """A country without armed forces attacks, flies and sails as little as a conquered one."""
    # Neither partisans are its forces, nor does this speak of those whom chapters outside tell of.
    if cmd.mission == "pass" or cmd.nation not in countries().keys() - {*UNLISTED} or any(units_of(s, cmd.nation)):
        return None
    if s.countries[cmd.nation].status == "conquered":
        return Refusal("83.21", f"{called(cmd.nation)} was conquered; its units are out of play")
    return f"{called(cmd.nation)} has no armed forces" if without_forces(s, cmd.nation) else None
