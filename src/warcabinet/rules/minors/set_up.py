"""Set-up as a duty: forces that must come on the map before play goes on, and deploying them (82.53, 82.92, 84.45A,
85.45A).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from warcabinet.kernel.kept import kept, once
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.rules import Determination
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Deploy, DeployRest
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Happened, StatusChanged
from warcabinet.model.names import OTHER_NATIONS, called, countries, powers
from warcabinet.model.pieces import Pieces
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, happened_to
from warcabinet.model.traits import COMMONWEALTH_BOXES, DECLARED_ON, DUTCH_AREAS, PACIFIC, capital, set_up_hexes
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import BOUND, country_of, units_at
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import Duty, duty
from warcabinet.rules.common.war_and_peace import attackers_of, countries_attacked
from warcabinet.rules.kinds import effect, limit, opening, order
from warcabinet.rules.minors.forces_of_minors import (
    SET_UP_ANEW,
    VOLUNTEERS,
    bring_on_map,
    by_unit,
    deployer,
    forces_deployed,
    full_strength,
    joined_in_peace,
    named,
    nation_capital,
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
from warcabinet.rules.minors.redeploying import intruders
from warcabinet.rules.minors.status import border_war_fought
from warcabinet.rules.minors.staying import LENDS_AHEAD


@limit("82.52", "A country's forces are set up by those who have the right to", on=Deploy)
def deployed_by_right(s: State, cmd: Deploy) -> Choice | Refusal:
    among = deployer(s, cmd.country)
    if not among:
        told = "European forces are not set up before their country is attacked, associates or allies"
        border = cmd.country in SET_UP_ANEW and border_war_fought(s, cmd.country)
        reported = "; whom a border war brings to the board is reported (report_units)" if border else ""
        return Refusal("82.51", f"{told}{reported}")
    return Choice("by", among, f"{' or '.join(map(called, among))} sets up these forces")


@opening("82.51", "Forces that wait to be set up", on=Deploy)
def forces_that_wait(s: State, cmd: Deploy) -> Choice:
    return Choice("country", _waiting(s), "no country's forces wait to be set up")


@once
def _waiting(s: State) -> tuple[str, ...]:
    """The nations whose forces somebody may set up now."""
    return tuple(it for it in (*countries(), *OTHER_NATIONS) if deployer(s, it) and not out_of_set_up(s, it))


@limit("82.51", "Forces are set up once, if there are any", on=Deploy, also=("82.62", "82.92"))
def deployed_once(s: State, cmd: Deploy) -> Refusal | None:
    told = out_of_set_up(s, cmd.country)
    asian = cmd.country in PACIFIC or (cmd.country in countries() and countries()[cmd.country].theater == "pacific")
    clause = "82.62" if without_forces(s, cmd.country) else "82.92" if asian else "82.51"
    return Refusal(clause, told) if told else None


@limit(
    "82.63",
    on=Deploy,
    when=lambda s, cmd: cmd.country == "ukraine" and not risen(s),
    displaces=(deployed_by_right, deployed_once),
)
def ukraine_has_risen(s: State, cmd: Deploy) -> str:
    """Ukrainian units are set up only after a successful diplomatic die roll for the Ukraine."""
    return "its forces deploy after a diplomatic result by which it associates or allies"


def out_of_set_up(s: State, nation: str) -> str | None:
    """Why a nation's forces are not to be set up any more, or never."""
    if set_up_anew(s, nation):
        return None
    if forces_deployed(s, nation):
        return "its units are on the map already and stay where they are"
    if without_forces(s, nation):
        return "it has no armed forces"
    # Those sent ahead may have been lost (86.43, 84.46A).
    lost = s.pieces.has_unbuilt_regulars(nation) and not only_sent_ahead(s, nation)
    if lost and european(nation) and nation not in COMMONWEALTH_BOXES:
        return "its units have been on the map before, and were lost"
    country = country_of(s, nation)
    if country in countries() and s.countries[country].status == "conquered":
        return "it was conquered; its units are out of play"
    return None


@limit("82.55", on=Deploy, when=lambda s, cmd: bool(cmd.no_room))
def room_is_taken(s: State, cmd: Deploy) -> str | None:
    """Ground and air units find no room only where foreign units stand in their country."""
    if any(parse_unit(it)[0].branch == "naval" for it in without_room(cmd)):
        return "ships find room in any port; only ground and air units are eliminated"
    there = (it for key in set_up_hexes(cmd.country) for it in units_at(s, key))
    if any(it.nation != cmd.country and it.branch in ("ground", "air") for it in there):
        return None
    return f"no foreign ground or air units stand in {called(cmd.country)}: its own find room"


@limit("82.61", "No more units are set up than the force table gives", on=Deploy)
def within_force_table(s: State, cmd: Deploy) -> str | None:
    crowded_out = without_room(cmd)
    for unit, placed in {**dict.fromkeys(crowded_out, 0), **by_unit(named(cmd))}.items():
        count = placed + crowded_out.get(unit, 0)
        if count > set_up_level(s, cmd.country, unit):
            there = "on the board are" if set_up_anew(s, cmd.country) else "the table gives"
            return f"{count} {unit}: {there} {set_up_level(s, cmd.country, unit)}"
    return None


@barred("82.55", "Units are set up in hexes of their country without enemies, ships in its ports", acts=("set up",))
def set_up_at_home(s: State, it: Presence) -> str | None:
    return not_set_up_at(s, it)


def not_set_up_at(s: State, it: Presence) -> str | None:
    """Why units are not set up at a place, if they are not."""
    if it.nation in powers() or not open_for_set_up(s, it.nation, it.at):
        return f"{it.place} is not a hex in which {called(it.nation)} can be set up"
    return f"{it.units[0]} is set up in a port" if stranded(it.units[0], it.at) else None


@limit(
    "82.54",
    on=Deploy,
    when=lambda s, cmd: (
        cmd.country in countries() and bool(attackers_of(s, cmd.country)) and bool(capital(cmd.country))
    ),
)
def one_in_capital(s: State, cmd: Deploy) -> str | None:
    """At least one ground unit is set up in an attacked country's capital."""
    if intruders(s, cmd.country) or set_up_anew(s, cmd.country):
        return None  # the first 82.56 refuses
    placed = named(cmd)
    at = nation_capital(cmd.country)
    in_capital = any(it.place == at and parse_unit(it.unit)[0].branch == "ground" for it in placed)
    ground = {u: n for u, n in full_strength(s, cmd.country).items() if parse_unit(u)[0].branch == "ground"}
    said = (*by_unit(placed).items(), *without_room(cmd).items())
    left = sum(ground.values()) - sum(n for u, n in said if u in ground)
    guests = sum(it.count for it in units_at(s, at) if it.branch == "ground" and it.nation != cmd.country)
    crowded = any(parse_unit(it)[0].branch == "ground" for it in without_room(cmd))
    # A garrison may leave no room in it (R-2060), or Russians of a border war are there (82.55).
    full = not open_for_set_up(s, cmd.country, at) or guests > 1 or (guests == 1 and crowded)
    return None if in_capital or left > 0 or not ground or full else "no ground unit would stand in the capital"


@limit(
    "82.53",
    on=Deploy,
    when=lambda s, cmd: (
        cmd.country in countries()
        and happened(s, "attacked", cmd.country, "player turn")
        and not joined_in_peace(s, cmd.country)  # that one is set up at once (84.45A)
    ),
)
def set_up_after_declarations(s: State, cmd: Deploy) -> str | None:
    """Forces of a country attacked this turn are set up once all declarations of war have been made."""
    return None if declarations_made(s) else "wait for the set-up of attacked minors"


def declarations_made(s: State) -> bool:
    """Whether the attacker has made all his declarations of war for this turn."""
    return bool(s.player) and s.step >= calendar.step_index(s.player, "set-up of attacked minors")


@limit(
    "84.45A",
    on=Deploy,
    # Pacific units stand in their home countries from the start, whatever their supply (82.92).
    when=lambda s, cmd: cmd.country in countries() and cmd.country not in PACIFIC and joined_in_peace(s, cmd.country),
    by=lambda s, cmd: "85.45A" if s.countries[cmd.country].status == "allied" else "84.45A",
    also=("85.45A",),
)
def placed_in_supply(s: State, cmd: Deploy) -> str | None:
    """A country that joined by a result places its units in supplied, controlled home hexes."""
    cut_off = next((it.place for it in named(cmd) if not supplied_site(s, cmd.country, it.place)), "")
    told = f"{cut_off} is not a supplied hex under the country's control; supply by sea is reported"
    return f"{told} (report_full_supply)" if cut_off else None


#: The figures that have been fixed, by rule and arguments.
Fixed = Mapping[str, Mapping[str, Determination]]

#: Nations whose units are on the board from the start, where their power wants them in their country (71.13, 72.13).
FROM_THE_START = (*PACIFIC, "australia", "india")
#: Countries that set up their forces otherwise than when they are attacked or join (82.92, 84.33).
PLACED_OTHERWISE = frozenset((*PACIFIC, *DUTCH_AREAS))


#: Countries with units on the map that may be set up all the same.
_LOOKED_INTO = (*SET_UP_ANEW, VOLUNTEERS, LENDS_AHEAD)


def _waits(s: State, nation: str) -> bool:
    """Whether a nation's forces can still be set up; units in a force pool have been on the map before."""
    if s.options.counted or not _not_standing((nation,), s.pieces, s.determinations):
        # Where only the books are kept, counters are set up on the players' own map (WC.29).
        return False
    if set_up_anew(s, nation):
        return True
    if not deployer(s, nation) or out_of_set_up(s, nation):
        return False
    return not s.pieces.has_unbuilt_regulars(nation) or only_sent_ahead(s, nation)


def _not_standing(nations: Collection[str], pieces: Pieces, fixed: Fixed) -> tuple[str, ...]:
    """The nations among these that are not plainly set up, of whom something need be looked into: few of many."""
    if "set_up_anew" in fixed:
        return tuple(nations)
    deployed, found = fixed.get("forces_deployed", {}), []
    for it in nations:
        stands = deployed[it].value is True if it in deployed else pieces.has_regulars(it)
        if it in _LOOKED_INTO or not (stands or pieces.has_unbuilt_regulars(it)):
            found.append(it)
    return tuple(found)


def _from_its_start(s: State) -> bool:
    """Whether the game is one that sets its forces up, and its first turn has begun."""
    return s.options.set_up == "ordered" and bool(s.player) and s.turn >= calendar.parse_turn(s.options.start)


@once
def waiting_from_start(s: State) -> list[str]:
    """Pacific and Commonwealth forces that a game from its first turn still has to place."""
    if not _from_its_start(s) or s.options.scope == "europe":
        return []
    return [it for it in _unplaced(FROM_THE_START, s.pieces, s.determinations) if _waits(s, it)]


@kept
def _unplaced(nations: tuple[str, ...], pieces: Pieces, fixed: Fixed) -> tuple[str, ...]:
    """Those of many nations that are not plainly set up."""
    return _not_standing(nations, pieces, fixed)


def _not_set_up(s: State) -> list[str]:
    """Attacked countries whose forces have yet to be set up."""
    return [it for it in _struck(s) if it not in PLACED_OTHERWISE and _waits(s, it)]


def _struck_now(s: State) -> list[str]:
    """Countries that were attacked in this player turn."""
    return happened_to(s, ("attacked",), "player turn")


def _struck(s: State) -> list[str]:
    """Countries that were attacked in this player turn, or that were at war before the game began, as Poland."""
    struck = _struck_now(s)
    if _from_its_start(s):
        struck += [it for it in _unplaced(countries_attacked(s), s.pieces, s.determinations) if it not in struck]
    return struck


def waiting_joined(s: State, status: str) -> list[str]:
    """Countries that became associates or allies in this player turn and whose units are not placed yet."""
    joined = happened_to(s, ("joined",), "player turn")
    if not joined:
        return []
    mine = (it for it in joined if s.countries[it].status == status)
    return [it for it in mine if it not in PACIFIC and not attackers_of(s, it) and _waits(s, it)]


@effect("84.45A", on=StatusChanged, when=lambda s, changed: changed.status in BOUND, also=("85.45A",))
def joins_with_its_units(p: Proceedings, changed: StatusChanged) -> None:
    """A country that joins a power places its units at once; one that switches has no others than it had (85.53A)."""
    switched = happened(p.s, "switched", changed.country, "player turn")
    if changed.country not in PLACED_OTHERWISE and not switched and _waits(p.s, changed.country):
        p.do(Happened(Happening(p.s.moment, "joined", changed.country)))


@barred(
    "82.53",
    acts=("enter", "attack", "take"),
    when=lambda s, it: (
        it.regular and it.exact and not it.stays_in and bool(_struck(s) if it.reported else _struck_now(s))
    ),
)
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
    found = dict.fromkeys(waiting_from_start(s), "82.92")
    # Of attacked countries once all declarations of war have been made.
    found |= dict.fromkeys(_not_set_up(s) if declarations_made(s) else (), "82.53")
    found |= dict.fromkeys(waiting_joined(s, "associated"), "84.45A")
    return found | dict.fromkeys(waiting_joined(s, "allied"), "85.45A")


@limit("82.53", on=Advance, when=lambda s, cmd: bool(awaiting_set_up(s)), also=("82.92", "84.31", "84.45A", "85.45A"))
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


@limit("82.51", "There are forces that wait to be set up", on=DeployRest)
def something_waits(s: State, cmd: DeployRest) -> str | None:
    if not to_be_set_up(s):
        return "no forces wait to be set up"
    return None if to_be_set_up(s, cmd.by) else f"no forces wait to be set up by {called(cmd.by)}"


@limit("82.56", on=(Deploy, DeployRest), also=("84.45A", "85.45A"))
def capitals_clear(s: State, cmd: Deploy | DeployRest) -> str | None:
    """Capitals are cleared of the other side's ground units before a country is set up."""
    named = to_be_set_up(s, cmd.by) if isinstance(cmd, DeployRest) else (cmd.country,)
    beset = [it for it in named if it in countries() and deployer(s, it) and intruders(s, it)]
    return f"ground units must be displaced from the capital of {', '.join(map(called, beset))}" if beset else None


@duty
def all_forces_to_set_up(s: State) -> Iterator[Duty]:
    """Where several nations wait, whoever plays all their powers may set them up with one order."""
    waiting = to_be_set_up(s)
    if len(waiting) > 1:
        of = tuple(dict.fromkeys(deployer(s, it)[0] for it in waiting))
        told = f"set up all at once: {', '.join(map(called, waiting))}"
        yield Duty(awaiting_set_up(s)[waiting[0]], told, of, "deploy_rest", {}, actor="")


@duty
def forces_to_set_up(s: State) -> Iterator[Duty]:
    for it, clause in awaiting_set_up(s).items():
        if deployer(s, it):
            yield Duty(clause, f"set up {called(it)}", deployer(s, it), "deploy", {"country": it})
