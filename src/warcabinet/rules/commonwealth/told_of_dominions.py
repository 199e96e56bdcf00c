"""What chapters 71 and 72 say of Australia and India as things stand, for their pages and their boxes on the map."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.boxes import box
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.commonwealth.australia import new_zealand_units, points_laid_down, shipbuilding_points
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    clause,
    factors_beside_box,
    factors_in_box,
    factors_that_stay,
    has_surrendered,
)
from warcabinet.rules.commonwealth.construction import (
    BRPS_A_TURN,
    americans_may_pay,
    own_construction_left,
    own_construction_limit,
)
from warcabinet.rules.commonwealth.deployment import DEPLOYMENT, deployment_limited, infantry_deployed, missing_at_home
from warcabinet.rules.commonwealth.europe import CONTINGENTS, units_in_europe
from warcabinet.rules.commonwealth.india import BRITISH_IN_ASIA, japan_uses_colombo
from warcabinet.rules.commonwealth.pressure import limit_reduction, loss_beside_box
from warcabinet.rules.commonwealth.supply_from_boxes import naval_entry_distance, naval_entry_hexes, sea_supply_hexes
from warcabinet.rules.commonwealth.surrender import effects_of_surrender, factors_to_surrender, would_surrender
from warcabinet.rules.countries.told import Told, tells_of

#: A place in each column of the tables of deployment limits, to ask what stands there.
IN_COLUMN = {"australia": ("Australia box", "Port Moresby", "Singapore"), "india": ("India box", "Rangoon", "Suez")}


def _hexes(keys: tuple[str, ...]) -> str:
    return ", ".join(key.partition("/")[2] for key in keys)


@tells_of("australia")
def australia_now(s: State) -> Iterator[Told]:
    yield from _box_now(s, "australia")
    if has_surrendered(s, "australia"):
        return
    points = f"{shipbuilding_points(s)} shipbuilding points a turn, {points_laid_down(s)} laid down"
    yield Told("71.152C", f"{points}; at most two destroyer factors and two cruisers are in play")
    yield Told("71.81", "nothing goes over land through the sides between outback hexes (NN17 to NN22)")
    yield Told("71.91", f"{new_zealand_units(s, 'infantry 1-2')} of the infantry 1-2 are New Zealand's")


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
            there = infantry_deployed(s, country, place)
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
    sea = _hexes(sea_supply_hexes(s, country))
    ocean = own.ocean.replace("_", " ").title()
    yield Told(
        clause(country, "61"), f"it supplies the Western Allies; by sea through {sea}, one {ocean} transport a line"
    )
    entries = ", ".join(
        f"{key.partition('/')[2]} ({naval_entry_distance(s, country, key)} hexes off)"
        for key in naval_entry_hexes(s, country)
    )
    yield Told(clause(country, "71"), f"ships based there come onto the board at {entries}")
