"""A page per country: what it is and why, what it is worth, its forces, the limits in force, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from warcabinet.game.forecast import Item, agenda
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.forces import unit_names
from warcabinet.model.keys import NOWHERE, Unit
from warcabinet.model.names import areas, countries, no_such, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import (
    BELONGS,
    DECLARED_ON,
    DUTCH,
    DUTCH_AREAS,
    FALLS_IN_TIME,
    FOLLOWS,
    NEVER_CONQUERED,
    PARTS,
    WITHOUT_CAPITAL,
)
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.rules.china.communist import stays_independent
from warcabinet.rules.china.territory import COMMUNISTS
from warcabinet.rules.common.books import diplomatic_share, in_being, on_books, worth
from warcabinet.rules.common.diplomacy import declaration_cost, promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import NEUTRAL, STANDS_ALONE, garrison, units_of
from warcabinet.rules.common.war_and_peace import attackers_of, belligerents, same_faction
from warcabinet.rules.economy.deferral import prorated
from warcabinet.rules.minors.association import (
    associate_spain,
    associate_survivor,
    association_declined,
    fights_alone,
    may_be_allied,
    opposed,
    takes_in,
    why_it_waits,
    would_bring_in,
)
from warcabinet.rules.minors.attack import fought_by, invader_of
from warcabinet.rules.minors.conquest import captor
from warcabinet.rules.minors.forces_of_minors import (
    automatic_partisans,
    force_level,
    forces_deployed,
    most_partisans,
    partisan_table,
)
from warcabinet.rules.minors.ground import closures, named
from warcabinet.rules.minors.limits import (
    admitted,
    armor_admitted,
    axis_armor_in_finland,
    foreign_factors,
    only_axis_limited,
    open_besides,
    supplied_through,
    supply_allowance,
)
from warcabinet.rules.minors.pacific import associate_dutch, fights_japan
from warcabinet.rules.minors.results import falls, may_activate, ukraine_open
from warcabinet.rules.minors.standing import capital_lost, held_in_the_east
from warcabinet.rules.minors.status import LETTERS, border_war_fought, bound, minor_at_war, russians_invaded
from warcabinet.views.told.telling import Told, told_of
from warcabinet.views.words import spoken


class Place(msgspec.Struct, frozen=True):
    """A place that decides who holds a country, and who holds it now."""

    name: str
    key: str
    holder: str


class Force(msgspec.Struct, frozen=True):
    """One kind of unit: what the table gives, what stands on the board, what was lost and may come back."""

    unit: str
    table: int
    on_board: int
    unbuilt: int


class Partisans(msgspec.Struct, frozen=True):
    side: str
    automatic: int
    most: int


class LimitInForce(msgspec.Struct, frozen=True):
    """A limit that holds now: how much there is, how much there may be, by which clause."""

    clause: str
    text: str
    present: int
    most: int


class Change(msgspec.Struct, frozen=True):
    """Something that would change the country's standing: what, by which clause."""

    clause: str
    text: str


class CountryPage(msgspec.Struct, frozen=True):
    country: str
    name: str
    kind: str
    theater: str
    status: str
    by: str
    since: str
    clause: str
    reason: str
    category: str
    result: str
    value: int
    prorated: int
    value_source: str
    books: dict[str, int]
    decided_by: tuple[Place, ...]
    at_war_with: tuple[str, ...]
    garrison: tuple[str, ...]
    deployed: bool
    forces: tuple[Force, ...]
    partisans: tuple[Partisans, ...]
    limits: tuple[LimitInForce, ...]
    closed: tuple[Change, ...]
    coming: tuple[Item, ...]
    changes: tuple[Change, ...]
    own_rules: tuple[Told, ...]
    may_ally_with: tuple[str, ...]
    why: Why


def country_page(state: State, country: str) -> CountryPage:
    """All that a player wants to know of one country."""
    if country not in countries():
        raise no_such("country", country, countries())
    area, standing = countries()[country], state.countries[country]
    value = worth(state, country)
    clause, reason = _why(state, country)
    return CountryPage(
        country=country,
        name=area.name,
        kind=area.kind,
        theater=area.theater,
        status=standing.status,
        by=standing.by,
        since=calendar.turn_name(standing.since) if standing.since else "",
        clause=clause,
        reason=reason,
        category=LETTERS[standing.status],
        # A conquest ends what diplomacy gave.
        result="" if standing.status in ("conquered", "colony") else state.results.get(country, ""),
        value=value,
        prorated=prorated(state, value),
        value_source=area.source,
        books={power: on_books(state, power, country) for power in powers() if on_books(state, power, country)},
        decided_by=tuple(Place(it, place_key(it), holder(state, place_key(it))) for it in areas()[country].places),
        at_war_with=_enemies(state, country),
        garrison=_garrison(state, country),
        deployed=_deployed(state, country),
        forces=_forces(state, _nation(country)),
        partisans=_partisans(state, country),
        limits=_limits(state, country),
        closed=tuple(_closed(state, country)),
        coming=tuple(item for item in agenda(state) if item.about == country),
        changes=tuple(_changes(state, country)),
        own_rules=told_of(state, country),
        may_ally_with=tuple(power for power in powers() if _may_ally(state, country, power)),
        why=explain_value("category_of", state, country),
    )


def country_pages(state: State) -> list[CountryPage]:
    """Every country, in the order of the tables."""
    return [country_page(state, country) for country in countries()]


# Why a country is what it is when nothing in the game has made it so.
FROM_THE_START = {
    "neutral": ("82.11A", "nothing has drawn it into the war"),
    "colony": ("83.41", "counts as conquered before the game began"),
    "commonwealth": ("82.13", "treated as British"),
}
#: So is one that nothing else has drawn in: a border war is fought undeclared, and brings no association (84.21A).
BORDER_WAR = "a border war with Russia leaves it neutral"


def _why(s: State, country: str) -> tuple[str, str]:
    """The clause and reason of a country's status; for what was so from the start, the rule that says so."""
    standing = s.countries[country]
    if standing.reason not in ("", "set"):
        return standing.clause, standing.reason
    whole = DECLARED_ON.get(country, country)
    foes = " and ".join(_called(it) for it in _enemies(s, whole))
    if whole != country and standing.status == "neutral":
        goes_with = f"goes with {areas()[whole].name}"
        return "82.11A", f"{goes_with}, at war with {foes}" if foes else goes_with
    if standing.status == "independent":
        return "82.11B", f"fights alone against {foes}" if foes else "stands alone"
    if standing.status == "neutral" and border_war_fought(s, country):
        return "82.11A", f"its border war made it nobody's ally; at war with {foes}" if foes else BORDER_WAR
    told = FROM_THE_START.get(standing.status, (LETTERS[standing.status], "so the position began"))
    return (told[0], f"{told[1]}; at war with {foes}") if foes and standing.status == "neutral" else told


def _called(name: str) -> str:
    return powers()[name].name if name in powers() else areas()[name].name


def _nation(country: str) -> str:
    return DUTCH if country in DUTCH_AREAS else country


def _deployed(s: State, country: str) -> bool:
    """Whether none of its forces wait to be set up: those of a conquered country have left play for good (83.21)."""
    gone = country not in DUTCH_AREAS and s.countries[country].status == "conquered"
    return gone or forces_deployed(s, _nation(country))


def _enemies(s: State, country: str) -> tuple[str, ...]:
    foes = {*powers(), *belligerents(s)} - {country}
    # The Dutch are drawn into the war with Japan beside Britain, without a declaration of their own (82.93).
    drawn_in = ("japan",) if country in DUTCH_AREAS and fights_japan(s, country) else ()
    return tuple(sorted(it for it in foes if it in drawn_in or minor_at_war(s, country, it)))


def _garrison(s: State, country: str) -> tuple[str, ...]:
    """The powers that have units in a country to guard it, not those that fight it, a border war's Russians either.

    Nor does who has surrendered guard anybody: what the French leave in Vichy France brings nobody to France (R-0443).
    """
    whole = DECLARED_ON.get(country, country)
    invaders = {*fought_by(s, whole), *(("russia",) if russians_invaded(s, whole) else ())}
    return tuple(it for it in garrison(s, country) if it not in invaders and not s.powers[it].surrendered)


def _forces(s: State, nation: str) -> tuple[Force, ...]:
    standing: dict[Unit, int] = {}
    for stack in units_of(s, nation):
        standing[stack.unit] = standing.get(stack.unit, 0) + stack.count
    return tuple(
        Force(
            unit,
            force_level(s, nation, unit),
            standing.get(unit, 0),
            unbuilt_of(s, nation, unit),
        )
        for unit in dict.fromkeys((*unit_names(nation), *standing))
    )


def _partisans(s: State, country: str) -> tuple[Partisans, ...]:
    sides = (row.side for row in partisan_table() if row.nation == country)
    return tuple(
        Partisans(side, automatic_partisans(s, country, side), most_partisans(s, country, side)) for side in sides
    )


def _limits(s: State, country: str) -> tuple[LimitInForce, ...]:
    """The factor limits that hold in the country now, with the present count; Luxembourg's are Belgium's (87.13C)."""
    leader = FOLLOWS.get(country, country)
    if s.countries[country].status == s.countries[leader].status == "controlled":
        country = leader
    finland = only_axis_limited(s, country)
    if not finland and (s.countries[country].status != "controlled" or open_besides(s, country)):
        return ()
    clause = "82.322" if finland else "82.32"
    found = [LimitInForce(clause, "foreign factors inside", foreign_factors(s, country), admitted(s, country))]
    # Units inside are supplied first, and leave so much less (82.321A).
    through, most = supplied_through(s, country), supply_allowance(s, country)
    found.append(LimitInForce("82.32B(1)", "factors supplied through it", through, most))
    if finland:
        found.append(LimitInForce("82.322", "Axis armor units", axis_armor_in_finland(s), armor_admitted(s)))
    return tuple(found)


def _closed(s: State, country: str) -> Iterator[Change]:
    """To whom the rows of closed ground shut the country now, and what would open it: what the judge refuses by."""
    for why, to in closures(s, country).items():
        names = "everybody" if len(to) == len(powers()) else ", ".join(map(_called, to))
        yield Change(
            why.clause, f"closed to {names}: {spoken(named(why.text, NOWHERE, 'them' if len(to) > 1 else names))}"
        )


def _may_ally(s: State, country: str, power: str) -> bool:
    return may_be_allied(s, country, power) and takes_in(s, power, country)


def _may_activate(s: State, country: str) -> bool:
    """Whether a country may become a minor ally of the side it is with, of a partner where its power may have none."""
    standing = s.countries[country]
    side = (it for it in powers() if s.powers[it].faction == s.powers[standing.by].faction)
    return may_activate(s, country) and any(_may_ally(s, country, it) for it in side)


def _changes(s: State, country: str) -> list[Change]:
    """What would change the country's standing in the next turn."""
    standing = s.countries[country]
    if standing.status == "commonwealth":
        return []
    found = list(_diplomatic_changes(s, country)) if countries()[country].theater == "europe" else []
    found += _events_to_come(s, country)
    # Into a Persia whose route is open they come without a declaration (88.642).
    found += [] if open_besides(s, country) else _declaration(s, country)
    # Who attacks a part of a country attacks the country: what a garrison means is told of that.
    if standing.status in NEUTRAL and country not in DECLARED_ON and not open_besides(s, country):
        found += _garrison_tells(s, country)
    if promised(s, associate_survivor, about=country):
        clause, why = why_it_waits(s, country)
        told = f"surviving its first turn of attack: {why or 'it associates'}"
        found.append(Change(clause or "82.81", told))
    found += _fall(s, country)
    found += _waited_for(s, country)
    return found


def _garrison_tells(s: State, country: str) -> list[Change]:
    """What units in a neutral country mean for who attacks it; a part of one joins nobody by itself."""
    if country in DECLARED_ON:
        return []
    found = []
    for name in map(_called, _garrison(s, country)):
        told = f"attacked by an enemy of {name}, whose units are in it: it associates with {name} at once"
        found.append(Change("82.34", f"{told}; any other must declare war on {name} too"))
    return found


def _declaration(s: State, country: str) -> list[Change]:
    """What a declaration of war costs that puts the country under attack; on that with which it goes, if it does."""
    whole = DECLARED_ON.get(country, country)
    if not in_being(s, country) or any(s.countries[it].status not in NEUTRAL for it in (country, whole)):
        return []
    # Who has declared war on its partner in this phase pays no more (R-1863); to all others it costs this much.
    cost = max(declaration_cost(s, power, whole) for power in powers())
    on = "" if whole == country else f" on {areas()[whole].name}"
    return [Change("82.41", f"a declaration of war{on}, for {cost} BRPs: it is under attack")]


def _fall(s: State, country: str) -> list[Change]:
    """Which places in whose hands would be its conquest; what is cut off from a country falls to Russia first."""
    if not areas()[country].places or country in (*NEVER_CONQUERED, *FALLS_IN_TIME) or not in_being(s, country):
        return []
    places = " and ".join((*areas()[country].places, *(("Tangier",) if country == "spain" else ())))
    cut_off = country in PARTS and s.countries[country].status != "conquered"
    told = f"{places} in {'Russian' if cut_off else 'enemy'} hands when the attacker's combat phase ends: conquered"
    return [Change(WITHOUT_CAPITAL.get(country, "83.11"), told)]


def _waited_for(s: State, country: str) -> list[Change]:
    """What lets a country that fights alone associate after all: Britain's return, or a war with its attacker.

    So it is in Europe only (84.11A, 84.11B); in Asia countries join by events of their own (84.3, 85.6).
    """
    if countries()[country].theater != "europe" or captor(s, country) in powers():
        return []
    alone = fights_alone(s, country) and attackers_of(s, country) and not association_declined(s, country)
    if alone and why_it_waits(s, country)[0] == "82.81C":
        return [Change("82.81C", "Britain back in the war: it associates")]
    wars = would_bring_in(s, country)
    if any(not opposed(s, foe) for _, foe in wars):
        return [Change("84.22", "an opposing faction at war with its attacker: it associates")]
    if names := " or ".join(dict.fromkeys(powers()[it].name for it, _ in wars)):
        return [Change("84.22", f"{names}, who did not refuse it, at war with its attacker too: it associates")]
    return []


#: Whom a country joins by an event elsewhere, if its side has not attacked it.
JOINED = {"finland": "germany", "spain": "germany", "thailand": "japan"}


def _events_to_come(s: State, country: str) -> list[Change]:
    """Events elsewhere that would bring the country into the war."""
    free = not bound(s, country) and s.countries[country].status != "conquered"
    free = free and not (country == COMMUNISTS and stays_independent(s))
    free = free and (country != "spain" or _portugal_would_bring_spain(s))
    free = free and (country not in JOINED or _would_join(s, country, JOINED[country]))
    # Once that war has broken out, the agenda says when the Dutch join.
    free = free and not promised(s, associate_dutch, about=country)
    found = {
        "finland": ("84.23", "war between Germany and Russia, after a border war: it associates with Germany"),
        "spain": ("84.24", "a Western declaration of war on Portugal: it associates with Germany"),
        "thailand": ("84.32", "war between Japan and Britain, all French Indochina being Japan's: it joins Japan"),
        "communist_china": ("85.61", "war between Russia and Japan: it becomes a Russian minor ally"),
        **dict.fromkeys(
            DUTCH_AREAS, ("84.33", "war between Britain and Japan: it joins Britain in the second Allied turn after")
        ),
    }.get(country)
    return [Change(*found)] if found and free else []


def _would_join(s: State, country: str, power: str) -> bool:
    """Whether a country may join a power still: not who surrendered, nor whose side attacked it (82.351, 89.51A)."""
    attacked = any(same_faction(s, it, power) for it in attackers_of(s, country))
    return takes_in(s, power, country) and not attacked


def _portugal_would_bring_spain(s: State) -> bool:
    """Whether Spain and Portugal are neutral still (87.53); a Spain that is coming already stands on the agenda."""
    free = [it for it in ("portugal", "spain") if s.countries[it].status in STANDS_ALONE and not fights_alone(s, it)]
    return len(free) == 2 and not promised(s, associate_spain)


def _bound_for_another(s: State, country: str, power: str) -> bool:
    """Whether a country is on its way to another power, so that no result brings it to this one (87.43)."""
    return any(it.power != power for it in promised(s, associate_spain, about=country))


#: The powers for which a country of Europe is won by diplomacy.
EUROPEAN_AXIS, EUROPEAN_ALLIES = ("germany", "italy"), ("britain", "france", "usa", "russia")


def _either(axis: int, allied: int, may: Callable[[str], bool]) -> str:
    """The results, of the one side or the other, with which a country comes to a power that may have it."""
    sides = ((axis, EUROPEAN_AXIS), (allied, EUROPEAN_ALLIES))
    found = [str(result) for result, side in sides if any(may(it) for it in side)]
    return f"a {' or '.join(found)}" if found else ""


def _diplomatic_changes(s: State, country: str) -> list[Change]:
    standing = s.countries[country]
    if country == "ukraine" and ukraine_open(s):
        return [Change("84.11C", "a 9: it rises for Germany"), Change("85.11A", "a 10: it rises as a minor ally")]
    if standing.status in ("conquered", "colony") or country in BELONGS:
        return []
    if country in FOLLOWS:
        fallen = s.countries[FOLLOWS[country]].status == "conquered"
        return [] if fallen else [Change("87.13B", "diplomatic results for Belgium: it goes with Belgium")]
    if bound(s, country):
        axis = s.powers[standing.by].faction == "axis"
        out, over = ("1-2, 0 or -1", "-2 or -3") if axis else ("5-6, 7 or 8", "9 or 10")
        switches = any(takes_in(s, it, country) for it in (EUROPEAN_ALLIES if axis else EUROPEAN_AXIS))
        closer = (
            [Change("85.11A", f"a {10 if axis else -3}: it becomes a minor ally")] if _may_activate(s, country) else []
        )
        return [
            *closer,
            Change("85.51A", f"a result of {out}: it surrenders"),
            *([Change("85.51B", f"a result of {over}: it switches sides")] if switches else []),
        ]
    found = _results_to_win(s, country)
    if falls(s, country, 4) or falls(s, country, 3):
        further = "1-2" if falls(s, country, 1) else "5-6"
        found.append(Change("82.33", f"a 3-4 or {further}: what the earlier result gave is lost"))
    return found


def _has_more_of(s: State, country: str, power: str) -> bool:
    """Whether a power's side controls a country by a result: a weaker one then changes nothing (R-0201)."""
    standing = s.countries[country]
    controls = standing.status == "controlled" and same_faction(s, standing.by, power)
    return controls and reading_in_force(s, "R-0201") == "a"


def _results_to_win(s: State, country: str) -> list[Change]:
    """The results that win a country which stands with nobody: none that is not there yet or has its capital taken."""
    if not in_being(s, country) or held_in_the_east(s, country) or capital_lost(s, country):
        return []
    found: list[Change] = []
    if pays := _either(7, 0, lambda it: not _has_more_of(s, country, it)):
        found.append(Change("82.21A", f"{pays}: {diplomatic_share(s, country, 7)} BRPs a year for who obtains it"))
    if opens := _either(8, -1, lambda it: not invader_of(s, country, it)):
        told = opens.replace("a 8", "an 8")
        found.append(Change("82.21B", f"{told}: {diplomatic_share(s, country, 8)} BRPs a year, and its hexes"))
    if joins := _either(9, -2, lambda it: takes_in(s, it, country) and not _bound_for_another(s, country, it)):
        found.append(Change("84.11C", f"{joins}: it associates, with {worth(s, country)} BRPs"))
    if allies := _either(10, -3, lambda it: _may_ally(s, country, it) and not _bound_for_another(s, country, it)):
        found.append(Change("85.11A", f"{allies}: it becomes a minor ally"))
    return found
