"""What chapters 70 to 74 say of the Commonwealth, Gibraltar and Malacca as things stand, for their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from warcabinet.board.boxes import box
from warcabinet.model.keys import Unit
from warcabinet.model.names import called
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import INA
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.rules.common.pieces import friendly, units_of_kind
from warcabinet.rules.common.war_and_peace import at_war, went_to_war
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    box_hexes,
    clause,
    factors_beside_box,
    factors_in_box,
    factors_that_stay,
    has_surrendered,
    limit_reduction,
    loss_beside_box,
    naval_entry_distance,
    new_zealand_units,
)
from warcabinet.rules.commonwealth.construction import (
    BRPS_A_TURN,
    americans_may_pay,
    own_construction_left,
    own_construction_limit,
    points_laid_down,
    yard_points,
    yard_points_left,
)
from warcabinet.rules.commonwealth.deployment import DEPLOYMENT, deployment_limited, infantry_deployed, missing_at_home
from warcabinet.rules.commonwealth.dominions import CLAUSES, DOMINIONS, lent_to_america
from warcabinet.rules.commonwealth.europe import CONTINGENTS, units_in_europe
from warcabinet.rules.commonwealth.gibraltar import (
    GIBRALTAR,
    INVASION,
    LAND,
    gibraltar_brps,
    gibraltar_defense,
    gibraltar_oil,
    gibraltar_submarine_modifier,
    submarines_left_to_slip,
)
from warcabinet.rules.commonwealth.india import (
    BRITISH_IN_ASIA,
    KINDS,
    MALACCA,
    SINGAPORE,
    deferred_ina_factors,
    ina_factors_left,
    ina_force_pool,
    japan_uses_colombo,
)
from warcabinet.rules.commonwealth.surrender import effects_of_surrender, factors_to_surrender, would_surrender
from warcabinet.rules.economy.timing import ASIAN_COLONIES, counted_in_level
from warcabinet.rules.minors.building import PAID_FOR
from warcabinet.rules.minors.forces_of_minors import indian_subversion, partisans_in
from warcabinet.rules.minors.voyages import AXIS, WEST
from warcabinet.views.told.telling import Told, tells_of


def _page(told: Callable[[State, str], Iterator[Told]], country: str) -> Callable[[State], Iterator[Told]]:
    def page(s: State) -> Iterator[Told]:
        return told(s, country)

    return page


#: A place in each column of the tables of deployment limits, to ask what stands there.
IN_COLUMN = {"australia": ("Australia box", "Port Moresby", "Singapore"), "india": ("India box", "Rangoon", "Suez")}


def _hexes(keys: tuple[str, ...]) -> str:
    return ", ".join(key.partition("/")[2] for key in keys)


@tells_of("australia")
def australia_now(s: State) -> Iterator[Told]:
    yield from _box_now(s, "australia")
    if has_surrendered(s, "australia"):
        return
    points = f"{yard_points(s, 'australia')} shipbuilding points a turn, {points_laid_down(s)} laid down"
    yield Told("71.152C", f"{points}; at most two destroyer factors and two cruisers are in play")
    yield Told("71.81", "nothing goes over land through the sides between outback hexes (NN17 to NN22)")
    yield Told("71.91", f"{new_zealand_units(s, Unit('infantry 1-2'))} of the infantry 1-2 are New Zealand's")


@tells_of("india")
def india_now(s: State) -> Iterator[Told]:
    yield from _box_now(s, "india")
    if not went_to_war(s, "britain", "japan"):
        kept = ", ".join(f"{count} {unit}" for unit, count in BRITISH_IN_ASIA.items())
        yield Told("72.17", f"British forces that stay in Asia until war with Japan: {kept}")
    colombo = (
        "Japan holds Colombo: raiders base there" if japan_uses_colombo(s) else "in Japanese hands Colombo is a base"
    )
    yield Told("72.82", f"{colombo}, and submarine warfare in the Indian Ocean favors Japan")


def _box_now(s: State, country: str) -> Iterator[Told]:
    if has_surrendered(s, country):
        yield Told(clause(country, "53"), "it has surrendered, for good: its box is closed, its units are gone")
        return
    yield from _threat(s, country)
    yield from _forces(s, country)
    yield from _ways(s, country)


def _threat(s: State, country: str) -> Iterator[Told]:
    """Who stands beside the box, what that costs next, and how far off a surrender is."""
    inside, beside = factors_in_box(s, country), factors_beside_box(s, country)
    brp = loss_beside_box(s, country)
    told = f"{inside} Western Allied ground factors in the box, {beside} enemy ones beside it"
    yield Told(clause(country, "41"), f"{told}: as the Japanese combat phase ends Britain loses {brp} BRPs")
    if brp >= 3:
        yield Told(
            clause(country, "42"), f"{brp // 3} BRPs come off the British construction limit and its own with it"
        )
    if would_surrender(s, country):
        yield Told(clause(country, "43"), "it surrenders as the Allied player turn ends, unless this changes")
    else:
        more = factors_to_surrender(s, country)
        yield Told(clause(country, "43"), f"{more} more enemy ground factors beside the box would make it surrender")
    for line in effects_of_surrender(s, country):
        number, _, text = line.partition(": ")
        yield Told(number, f"on surrender: {text}")
    stay = factors_that_stay(s, country)
    if stay:
        yield Told(clause(country, "23"), f"{stay} ground factors must stay in the box")


def _forces(s: State, country: str) -> Iterator[Told]:
    number, most = BRPS_A_TURN[country]
    less = f", {limit_reduction(s, country)} less this turn" if limit_reduction(s, country) else ""
    left = f"{own_construction_left(s, country)} of {own_construction_limit(s, country)} BRPs left"
    yield Told(clause(country, number), f"it builds for {most} BRPs a turn{less}: {left}")
    if americans_may_pay(s, country):
        paid = "153B" if country == "australia" else "163B"
        yield Told(clause(country, paid), "the U.S. may pay for its units by grants")
    if deployment_limited(s, country):
        for column, place in zip(DEPLOYMENT[country], IN_COLUMN[country], strict=True):
            there = infantry_deployed(s, country, place_key(place))
            yield Told(
                clause(country, "13"), f"{column.called}: {there} infantry factors, {column.least} to {column.most}"
            )
    if missing_at_home(s, country):
        yield Told(clause(country, "13"), f"{missing_at_home(s, country)} infantry factors are missing at home")
    sent = ", ".join(f"{units_in_europe(s, country, unit)} of one {unit}" for unit in CONTINGENTS[country])
    yield Told(clause(country, "14"), f"in Europe: {sent}; on the Mediterranean front and in Ethiopia only")


def _ways(s: State, country: str) -> Iterator[Told]:
    own = BOXED[country]
    yield Told(
        clause(country, "221A"), f"ground units pass between box and board at {_hexes(box(own.box).hexes('ground'))}"
    )
    sea = _hexes(box_hexes(s, country, "sea_supply"))
    ocean = own.ocean.replace("_", " ").title()
    yield Told(
        clause(country, "61"), f"it supplies the Western Allies; by sea through {sea}, one {ocean} transport a line"
    )
    entries = ", ".join(
        f"{key.partition('/')[2]} ({naval_entry_distance(s, country, key)} hexes off)"
        for key in box_hexes(s, country, "naval")
    )
    yield Told(clause(country, "71"), f"ships based there come onto the board at {entries}")


def _dominion_page(s: State, country: str) -> Iterator[Told]:
    it = DOMINIONS[country]
    where = "both U.S. boxes" if country == "canada" else "the South Africa box"
    yield Told(it.location, f"it is represented by {where}, and lost to nobody")
    yield Told(it.built_at, f"its units are built in {where.replace('both', 'either').replace('boxes', 'box')}")
    payer = "Britain pays, on its construction limit, or the U.S. by a grant, on the American one"
    yield Told(PAID_FOR[country][-1], payer)
    yield Told(it.no_more, "no further units are mobilized or produced for it")


for _country in DOMINIONS:
    tells_of(_country)(_page(_dominion_page, _country))


def _lending(s: State, country: str) -> Iterator[Told]:
    lent = "some are" if lent_to_america(s, country) else "none are"
    yield Told(CLAUSES[country], f"after a British surrender its units may be lent to the U.S.; {lent}")


for _country in CLAUSES:
    tells_of(_country)(_page(_lending, _country))


@tells_of(SINGAPORE, *MALACCA, "singapore", "malaya", "sumatra")
def malacca_now(s: State) -> Iterator[Told]:
    held_by = called(holder(s, SINGAPORE))
    told = "whoever controls Singapore alone sails, supplies and redeploys through the Strait of Malacca"
    yield Told("74.31", f"{told}: now {held_by}; Singapore itself may be invaded through it from the west")


@tells_of(*ASIAN_COLONIES)
def counted_since_1940(s: State) -> Iterator[Told]:
    if not counted_in_level(s, "britain", "burma"):
        yield Told("74.21", "Britain counts its BRPs from the 1940 year start on; lost before, it costs nothing")


@tells_of(GIBRALTAR, "spain", "spanish_morocco")
def gibraltar_now(s: State) -> Iterator[Told]:
    yield Told("73.11", f"Gibraltar is held by {called(holder(s, GIBRALTAR))}; it is worth {gibraltar_brps(s)} BRPs")
    dms = f"{gibraltar_defense(s, LAND):+} by land, {gibraltar_defense(s, INVASION):+} against invasion"
    yield Told("73.21", f"DM of Allied units in Gibraltar: {dms}")
    yield Told("73.31", "invaded and bombarded from either front; all of it is paid for on the Mediterranean front")
    yield Told("73.33", "what sails to or from Gibraltar is intercepted only on the front on which it does so")
    names = {WEST: "the Western Allies", AXIS: "the Axis"}
    held = next((told for side, told in names.items() if friendly(s, GIBRALTAR, side)), "")
    yield Told("73.42", f"naval redeployments past Gibraltar are open to {held or 'nobody'}")
    if friendly(s, GIBRALTAR, WEST):
        left = submarines_left_to_slip(s, "germany")
        yield Told("73.42", f"Germany may redeploy {max(0, left)} more submarine factor past it this turn")
    yield Told("73.51", f"Gibraltar draws oil from the {' or the '.join(gibraltar_oil(s))} front, or both")
    favor = gibraltar_submarine_modifier(s)
    yield Told(
        "73.71", f"submarine warfare dice rolls: {favor} in favor of the Axis; 1 once it holds and fully supplies it"
    )


@tells_of("canada")
def shipyard_now(s: State) -> Iterator[Told]:
    points, left = yard_points(s, "canada"), yard_points_left(s, "canada")
    yield Told("70.15B", f"{left} of {points} shipbuilding points are left this turn, for ships of one or two factors")
    if not at_war(s, "usa", "germany"):
        yield Told("70.15C(2)", "until it fights Germany, what the U.S. pays counts against what tension lets it grant")
    yield Told("70.12", "its units and British ones are redeployed (SR) from one U.S. box to the other")


@tells_of("india", "burma")
def ina_now(s: State) -> Iterator[Told]:
    if not indian_subversion(s):
        yield Told("72.92A", "the Indian National Army waits for a Japanese Indian subversion result")
        return
    for unit in KINDS:
        pool, unbuilt = ina_force_pool(s, unit), unbuilt_of(s, INA, unit)
        there = sum(it.count for it in units_of_kind(s, INA, unit))
        yield Told("72.93A", f"{called(INA)}: {pool} {unit} in its force pool, {there} on the map, {unbuilt} unbuilt")
    left = ina_factors_left(s)
    saved = "; a factor is deferred, so that it may be a 2-2" if deferred_ina_factors(s) else ""
    yield Told("72.92B", f"{max(0, left)} of its factors may be built this turn{saved}")
    yield Told("72.93A", f"{partisans_in(s, 'japan', 'india')} of two Indian partisans of Japan are on the map")
    yield Told("72.94", "it operates only in Burma and India, and is built in fully supplied cities there (72.92C)")
