"""What a power does by its preferences: mobilization, construction, aid, garrisons and duties; never combat.

Each matter offers ways of settling it, the most wanted first; whoever keeps house takes the first that the rules
accept. So preferences never break a rule: what is not allowed is simply not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations

import msgspec
from msgspec.structs import replace

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import board as board_named
from warcabinet.game.offers import narrow
from warcabinet.game.pools import buildable
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import Build, Mobilize, RaiseIcs
from warcabinet.model.commands.minors import Deploy, DeployRest, Displace, MoveUnits, Rebuild
from warcabinet.model.happenings import Granted, sum_of
from warcabinet.model.keys import NOWHERE, Place, Unit
from warcabinet.model.names import areas, powers
from warcabinet.model.places import board_of, deciding_places, place_key
from warcabinet.model.state import State
from warcabinet.model.units import MOST_UNITS, kind_name, unit_cost
from warcabinet.plans.form import Keep
from warcabinet.plans.leaving import departures
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.common.waiting import Duty, duties
from warcabinet.rules.economy.base import keeps_brps, level
from warcabinet.rules.economy.deferral import MAY_DEFER
from warcabinet.rules.economy.force_pools import HOME_BOXES, ground_units_listed
from warcabinet.rules.economy.industrial_centers import ic_city, ic_increases_left, ic_may_rise, ic_sites
from warcabinet.rules.economy.key_areas import ics
from warcabinet.rules.economy.mobilization import mobilization_size, mobilizations_due
from warcabinet.rules.economy.mobilization_schedule import brings_ic
from warcabinet.rules.economy.shipbuilding import increases_open
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.views.aid_plan import quiet_reply
from warcabinet.views.aid_ways import grants_now

Ways = Iterable[Command]

#: Where a power builds if nobody says otherwise.
SITES = {
    "germany": ("Berlin", "Leipzig", "Breslau", "Essen"),
    "italy": ("Rome", "Milan", "Genoa"),
    "britain": ("London", "Manchester", "Birmingham"),
    "france": ("Paris", "Lyon", "Marseilles"),
    "russia": ("Moscow", "Urals", "Vladivostok"),
    "japan": ("Tokyo", "Osaka", "Kagoshima"),
    "china": ("Chungking",),
}
MOST_AIR = 5
DEFERRED = 5


class Matter(msgspec.Struct, frozen=True):
    """Something that a power sees to: what, and which of several (a theater, a line of aid)."""

    power: str
    what: Callable[[State, str, str, Keep], Ways]
    which: str = ""

    def ways(self, s: State, keep: Keep) -> Ways:
        """Ways of settling it in the position as it then is."""
        return self.what(s, self.power, self.which, keep)


def matters(s: State, keeps: Mapping[str, Keep]) -> list[Matter]:
    """What each power sees to at this step, in order."""
    found = [
        Matter(power, _mobilization, theater)
        for power, theater in mobilizations_due(s)
        if power in keeps and _mobilizes(keeps[power])
    ]
    building = s.place.step.name == "unit construction"
    for power, keep in keeps.items():
        if not (building or keep.aid) or powers()[power].player != s.player:
            continue
        if s.powers[power].surrendered or not keeps_brps(s, power):
            continue
        if building:
            found += [Matter(power, _garrison)] if power in GARRISON_SITES else []
            found.append(Matter(power, _construction))
        if keep.aid and grants_now(s, power):
            found += [Matter(power, _grant, str(number)) for number in range(len(keep.aid))]
    return found


# -- Mobilization ------------------------------------------------------------------------------------------------------


def _mobilizes(keep: Keep) -> bool:
    """Whether mobilizations are these preferences' matter: they may leave them to the player."""
    return bool(keep.mobilize) or not keep.nothing_else


def _mobilization(s: State, power: str, theater: str, keep: Keep) -> Ways:
    size = mobilization_size(s, power)
    wanted, site = keep.mobilize or default_mobilization(s, power), _ic_site(s, power)
    yards = (1, 0) if keep.shipbuilding and increases_open(s, power, theater) else (0,)
    for increases in yards:
        for units, rest in _compositions(s, power, wanted, size - 5 * increases):
            defer = rest if power in MAY_DEFER and rest <= DEFERRED else 0
            made = Mobilize(power=power, units=units, shipbuilding=increases, defer=defer, ic_at=site)
            yield replace(made, theater=theater)


def _ic_site(s: State, power: str) -> Place:
    """Where a Russian mobilization puts its industrial center: it goes by itself where only one city is open."""
    sites = ic_sites(s) if power == "russia" and brings_ic(s) else ()
    return place_key(ic_city(s, sites[0])) if len(sites) > 1 else NOWHERE


@cache
def _listed_infantry(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(sorted((it for it in units if kind_name(it) == "infantry"), key=unit_cost, reverse=True))


def default_mobilization(s: State, power: str) -> tuple[Unit, ...]:
    """What a power mobilizes if nobody says otherwise: its heaviest armor, then air, then infantry."""
    listed = ground_units_listed(s, power)
    armor = sorted((it for it in listed if kind_name(it) == "armor"), key=unit_cost, reverse=True)
    return (*armor, Unit("army air"), *_listed_infantry(tuple(listed)))


def _compositions(s: State, power: str, wanted: tuple[Unit, ...], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Units worth exactly so much, each time with another of the wanted ones first; and what could not be used up."""
    infantry = _listed_infantry(tuple(ground_units_listed(s, power)))
    seen: set[tuple[str, ...]] = set()
    for start in range(len(wanted) + 1):
        order = (*wanted[start:], *wanted[:start], *infantry)
        for most_armor in (1, 9):
            units, rest = _filled_up(order, size, most_armor)
            if units not in seen:
                seen.add(units)
                yield units, rest


def _filled_up(order: tuple[Unit, ...], size: int, most_armor: int) -> tuple[tuple[str, ...], int]:
    counts: dict[str, int] = {}
    rest, air = size, 0
    for unit in order:
        kind = kind_name(unit)
        most = most_armor if kind == "armor" else MOST_AIR - air if kind == "army air" else 99
        number = min(most - counts.get(unit, 0), rest // unit_cost(unit)) if unit_cost(unit) else 0
        if number > 0:
            counts[unit] = counts.get(unit, 0) + number
            rest -= number * unit_cost(unit)
            air += number if kind == "army air" else 0
    return tuple(f"{count} {unit}" for unit, count in counts.items()), rest


# -- Construction ------------------------------------------------------------------------------------------------------


def sites_of(power: str, keep: Keep) -> tuple[Place, ...]:
    return tuple(map(place_key, (*keep.build_at, *SITES.get(power, ()), *HOME_BOXES.get(power, ()))))


def _construction(s: State, power: str, which: str, keep: Keep) -> Ways:
    units = _shopping(s, power, keep)
    if units:
        for site in sites_of(power, keep):
            yield Build(power=power, at=site, units=units)


def _shopping(s: State, power: str, keep: Keep) -> tuple[str, ...]:
    """What is built now: by priority, within the limit, and leaving over what is to be left."""
    left = min(level(s, power) - keep.left_over(s), spendable(s, power), construction_left(s, power))
    rows = {it.unit: it for it in buildable(s, power) if it.cost}
    wanted = [it for it in keep.build if it in rows]
    order = wanted or ([] if keep.nothing_else else sorted(rows, key=lambda it: -rows[it].cost))
    found = []
    for unit in order:
        number = min(rows[unit].unbuilt, max(0, left) // rows[unit].cost)
        if number:
            found.append(f"{number} {unit}")
            left -= number * rows[unit].cost
    return tuple(found)


def _garrison(s: State, power: str, which: str, keep: Keep) -> Ways:
    """Garrisons that must be built come before everything else (81.3, 81.4)."""
    for duty in duties(s):
        if duty.command == "build" and duty.of == (power,):
            yield from _garrison_units(s, power)


GARRISON_SITES = {"russia": ("Vladivostok", "Irkutsk"), "japan": ("Mukden", "Harbin")}


def _garrison_units(s: State, power: str) -> Iterator[Command]:
    left = min(spendable(s, power), construction_left(s, power))
    for row in sorted(buildable(s, power), key=lambda it: -it.cost):
        for number in range(min(row.unbuilt, left // row.cost if row.cost else 0, MOST_UNITS), 0, -1):
            for site in map(place_key, GARRISON_SITES[power]):
                yield Build(power=power, at=site, units=(f"{number} {row.unit}",))


# -- Aid ---------------------------------------------------------------------------------------------------------------


def _left_to_grant(s: State, power: str, number: int, keep: Keep) -> int:
    """What of a line of aid is still to be granted this turn: both supply determinations together are held to it."""
    aid = keep.aid[number]
    meant = sum(it.most for it in keep.aid[: number + 1] if it.to == aid.to)
    granted = sum_of(s, Granted("granted", power, aid.to), "turn")
    return max(0, min(aid.most, meant - granted, level(s, power) - keep.reserve))


def _grant(s: State, power: str, which: str, keep: Keep) -> Ways:
    aid = keep.aid[int(which)]
    known = {"power": power, "to": aid.to, "by": aid.by}
    known |= {key: value for key, value in (("through", aid.through), ("port", aid.port)) if value}
    offer = narrow(s, "grant", known)
    field = offer.fields.get("brp")
    if not offer.available or field is None:
        return
    most = _left_to_grant(s, power, int(which), keep)
    most = most if field.most is None else min(most, field.most)
    while most > 0:
        yield msgspec.convert({**known, "brp": most, "do": "grant"}, GrantBrps)
        most = most // 2


# -- What keeps the game from going on --------------------------------------------------------------------------------


def answers(s: State, keeps: Mapping[str, Keep]) -> Ways:
    """Ways in which these powers meet what the game waits for; what is owed by others is left to them."""
    if s.waiting is not None:
        reply = quiet_reply(s) if s.waiting.waits_for[0] in keeps else None
        if reply is not None:
            yield reply
        return
    for power, theater in mobilizations_due(s):
        if power in keeps and _mobilizes(keeps[power]):
            yield from _mobilization(s, power, theater, keeps[power])
    for duty in duties(s):
        yield from _meeting(s, duty, keeps)
    # What nobody commands is seen to by whoever is there.
    yield from (it for it in departures(s) if patron(s, it.nation) in (*keeps, ""))
    if "russia" in keeps and ic_increases_left(s) > 0:
        rising, left = [it.area for it in ics() if ic_may_rise(s, it.area)], min(2, ic_increases_left(s))
        yield from (RaiseIcs(ics=pair) for pair in combinations(rising, left))
        yield from (RaiseIcs(ics=(last,) * left) for last in rising)  # twice, where no other can rise (37.13C)


def _meeting(s: State, duty: Duty, keeps: Mapping[str, Keep]) -> Iterator[Command]:
    country, by = duty.known.get("country", ""), next((it for it in duty.of if it in keeps), "")
    if not by:
        return
    if duty.command == "deploy_rest":
        if all(it in keeps for it in duty.of):
            yield DeployRest()
    elif duty.command == "deploy":
        yield Deploy(by=by, country=country)
        # Whoever stands in its capital on the other side makes room first (84.45A).
        yield from (Displace(by=it, country=country, to=place) for it in keeps for place in _around(s, country))
    elif duty.command == "rebuild":
        for place in _home_places(country):
            yield Rebuild(power=by, country=country, unit=Unit(duty.known["unit"]), at=place)
    elif duty.command == "build":
        yield from _garrison_units(s, by)
    elif duty.command == "displace":
        for place in _around(s, country):
            yield Displace(by=by, country=country, to=place)
    elif duty.command == "move":
        yield from _to_manchuria(s)


def _home_places(country: str) -> tuple[Place, ...]:
    home = deciding_places(country) if country in areas() else ()
    return (Place(f"box/{country}"), *home) if country in boxes() else home


def _around(s: State, country: str) -> Iterator[Place]:
    """The hexes beside a capital."""
    for key in deciding_places(country)[:1]:
        yield from (Place(it.key) for it in board_named(board_of(key)).neighbours(key))


def _to_manchuria(s: State) -> Iterator[Command]:
    """Japanese ground units that could go to Manchuria, the nearest to what it lacks first."""
    for piece in s.pieces.of("japan"):
        if kind_name(piece.unit) in ("armor", "infantry"):
            for site in map(place_key, GARRISON_SITES["japan"]):
                yield MoveUnits(nation="japan", unit=piece.unit, from_=piece.place, to=site, how="redeployment")
