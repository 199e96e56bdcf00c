"""Who may set up a minor country, once, where and with what (82.51 - 82.55)."""

from __future__ import annotations

from warcabinet.kernel.kept import once
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Deploy
from warcabinet.model.names import OTHER_NATIONS, called, countries, powers
from warcabinet.model.state import State, happened
from warcabinet.model.traits import COMMONWEALTH_BOXES, PACIFIC, capital, set_up_hexes
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.pieces import country_of, units_at
from warcabinet.rules.kinds import limit, opening
from warcabinet.rules.minors.border_wars import border_war_fought
from warcabinet.rules.minors.forces_of_minors import (
    SET_UP_ANEW,
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
from warcabinet.rules.minors.geography import has_port
from warcabinet.rules.minors.making_way import intruders


@limit("82.52", "A country's forces are set up by those who have the right to", on=Deploy)
def deployed_by_right(s: State, cmd: Deploy) -> Choice | Refusal:
    among = deployer(s, cmd.country)
    if not among:
        told = "European forces are not set up before their country is attacked, associates or allies"
        border = cmd.country in SET_UP_ANEW and border_war_fought(s, cmd.country)
        reported = "; whom a border war brings to the board is reported (report_units)" if border else ""
        return Refusal("82.51", f"{told}{reported}")
    return Choice("by", among, f"{' or '.join(powers()[it].name for it in among)} sets up these forces")


@opening("82.51", "Forces that wait to be set up", on=Deploy)
def forces_that_wait(s: State, cmd: Deploy) -> Choice:
    return Choice("country", _waiting(s), "no country's forces wait to be set up")


@once
def _waiting(s: State) -> tuple[str, ...]:
    """The nations whose forces somebody may set up now."""
    return tuple(it for it in (*countries(), *OTHER_NATIONS) if deployer(s, it) and not out_of_set_up(s, it))


@limit("82.51", "Forces are set up once, if there are any", on=Deploy, also=("82.62",))
def deployed_once(s: State, cmd: Deploy) -> Refusal | None:
    told = out_of_set_up(s, cmd.country)
    clause = "82.62" if without_forces(s, cmd.country) else "82.51"
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
    if _been_on_map(s, nation):
        return "its units have been on the map before, and were lost"
    country = country_of(s, nation)
    if country in countries() and s.countries[country].status == "conquered":
        return "it was conquered; its units are out of play"
    return None


def _been_on_map(s: State, nation: str) -> bool:
    """Whether a European country's units are in its force pool; those sent ahead may have been lost (86.43, 84.46A)."""
    european = nation in countries() and countries()[nation].theater == "europe" and nation not in COMMONWEALTH_BOXES
    return european and s.pieces.has_unbuilt_regulars(nation) and not only_sent_ahead(s, nation)


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


@limit("82.55", "Units are set up in hexes of their country without enemies, ships in its ports", on=Deploy)
def set_up_at_home(s: State, cmd: Deploy) -> str | None:
    for it in named(cmd):
        if not open_for_set_up(s, cmd.country, it.place):
            return f"{it.place} is not a hex in which {called(cmd.country)} can be set up"
        if parse_unit(it.unit)[0].branch == "naval" and not has_port(it.place):
            return f"{it.unit} is set up in a port"
    return None


@limit(
    "82.54",
    on=Deploy,
    when=lambda s, cmd: (
        cmd.country in countries() and bool(attackers_of(s, cmd.country)) and bool(capital(cmd.country))
    ),
)
def one_in_capital(s: State, cmd: Deploy) -> str | None:
    """At least one ground unit is set up in an attacked country's capital."""
    if intruders(s, cmd.country):
        return "the attacker's ground units must be displaced from the capital first"
    if set_up_anew(s, cmd.country):
        return None
    placed = named(cmd)
    at = nation_capital(cmd.country)
    in_capital = any(it.place == at and parse_unit(it.unit)[0].branch == "ground" for it in placed)
    ground = {u: n for u, n in full_strength(s, cmd.country).items() if parse_unit(u)[0].branch == "ground"}
    said = (*by_unit(placed).items(), *without_room(cmd).items())
    left = sum(ground.values()) - sum(n for u, n in said if u in ground)
    if in_capital or left > 0 or not ground or _capital_is_full(s, cmd):
        return None
    return "no ground unit would stand in the capital"


def _capital_is_full(s: State, cmd: Deploy) -> bool:
    """Whether a garrison leaves no room in a capital (R-2060), or Russians of a border war are there (82.55)."""
    if not open_for_set_up(s, cmd.country, nation_capital(cmd.country)):
        return True
    there = (it for it in units_at(s, nation_capital(cmd.country)) if it.branch == "ground")
    guests = sum(it.count for it in there if it.nation != cmd.country)
    crowded = any(parse_unit(it)[0].branch == "ground" for it in without_room(cmd))
    return guests > 1 or (guests == 1 and crowded)


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
    also=("85.45A",),
)
def placed_in_supply(s: State, cmd: Deploy) -> Refusal | None:
    """A country that joined by a result places its units in supplied, controlled home hexes."""
    clause = "85.45A" if s.countries[cmd.country].status == "allied" else "84.45A"
    if intruders(s, cmd.country):
        return Refusal(clause, "opposing ground units must be displaced from the capital first")
    for it in named(cmd):
        if not supplied_site(s, cmd.country, it.place):
            told = f"{it.place} is not a supplied hex under the country's control"
            return Refusal(clause, f"{told}; supply by sea is reported (report_full_supply)")
    return None
