"""The surrender of Australia and India, forced or voluntary, with all that follows, and what their pages tell (71.4,
71.5, 72.4, 72.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.commonwealth import SurrenderVoluntarily
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Happened, Reported, StatusChanged, TrackMoved
from warcabinet.model.names import areas, called, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.books import move_brps, worth
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import eliminate, remove_unbuilt, units_at, units_of
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.commonwealth.australia import new_zealand_units, points_laid_down, shipbuilding_points
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    JAPAN,
    box_of,
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
from warcabinet.rules.commonwealth.europe import CONTINGENTS, limit_reduction, loss_beside_box, units_in_europe
from warcabinet.rules.commonwealth.india import BRITISH_IN_ASIA, japan_uses_colombo
from warcabinet.rules.commonwealth.supply_from_boxes import naval_entry_distance, naval_entry_hexes, sea_supply_hexes
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.base import commonwealth_stays, keeps_brps
from warcabinet.rules.economy.deferral import prorated
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest
from warcabinet.rules.kinds import definition, effect, limit, opening, order, value
from warcabinet.rules.minors.geography import land, power_area
from warcabinet.rules.minors.parts import lose
from warcabinet.rules.minors.reports import conquest_stays

#: So many more enemy factors beside a box than Western Allied ones in it bring the surrender (71.43).
OVERWHELMED = 10
RESISTANCE, RESISTANCE_LOST = "british_resistance", 2


# -- when ---------------------------------------------------------------------------------------------------------


@value("71.43", also=("72.43",))
def factors_to_surrender(s: State, country: str) -> int:
    """Enemy ground factors beside a box that are still wanting for its country to surrender."""
    return max(0, factors_in_box(s, country) + OVERWHELMED - factors_beside_box(s, country))


@value("71.43", "Western Allied ground factors in a box that are wanting to avert a surrender", also=("72.43",))
def factors_to_avert(s: State, country: str) -> int:
    return max(0, factors_beside_box(s, country) - factors_in_box(s, country) - OVERWHELMED + 1)


@definition("71.43", also=("72.43",))
def would_surrender(s: State, country: str) -> bool:
    """A country would surrender as things stand: ten more enemy factors beside its box than in it."""
    return not has_surrendered(s, country) and factors_to_surrender(s, country) == 0


@effect("71.43", when=lambda s: s.player == "allied", also=("72.43",))
def overwhelmed_surrender(p: Proceedings) -> None:
    """As an Allied player turn ends, a country whose box is overwhelmed surrenders."""
    for country in BOXED:
        if would_surrender(p.s, country):
            beside, inside = factors_beside_box(p.s, country), factors_in_box(p.s, country)
            _surrender(p, country, "43", f"{beside} enemy ground factors beside its box against {inside} in it")


def _surrender(p: Proceedings, country: str, number: str, reason: str) -> None:
    by = clause(country, number)
    p.do(Reported("surrender", f"{called(country)} surrenders"), by)
    p.do(StatusChanged(country, "conquered", JAPAN, by, reason), by)


@order("71.431", on=SurrenderVoluntarily, phases=("end of player turn",), also=("72.431",))
def surrender_voluntarily(p: Proceedings, cmd: SurrenderVoluntarily) -> None:
    """A country surrenders of its own will."""
    _surrender(p, cmd.country, "431", "of its own will")


def _deciding(s: State) -> str:
    """The power that decides on it."""
    return "usa" if s.powers["britain"].surrendered else "britain"


@opening("71.431", "Countries that have not surrendered, for the power that decides on it", on=SurrenderVoluntarily)
def may_still_surrender(s: State, cmd: SurrenderVoluntarily) -> Choice:
    if cmd.power != _deciding(s):
        return Choice("country", (), f"{powers()[_deciding(s)].name} decides on this")
    return Choice("country", tuple(it for it in BOXED if not has_surrendered(s, it)), "both have surrendered")


@limit("71.431", "A surrender comes as an Allied player turn ends", on=SurrenderVoluntarily, also=("72.431",))
def surrenders_in_allied_turn(s: State, cmd: SurrenderVoluntarily) -> Refusal | None:
    if s.player == "allied":
        return None
    return Refusal(clause(cmd.country, "431"), "only as an Allied player turn ends")


@limit("71.431", on=SurrenderVoluntarily, also=("72.431",))
def surrendered_by_its_power(s: State, cmd: SurrenderVoluntarily) -> Refusal | None:
    """Britain decides on a voluntary surrender of Australia or India, or after a British surrender the U.S."""
    if cmd.power == _deciding(s):
        return None
    return Refusal(clause(cmd.country, "431"), f"{powers()[_deciding(s)].name} decides on this")


@limit("71.53", "A surrender is not reversed, nor made twice", on=SurrenderVoluntarily, also=("72.53",))
def surrenders_once(s: State, cmd: SurrenderVoluntarily) -> Refusal | None:
    if not has_surrendered(s, cmd.country):
        return None
    return Refusal(clause(cmd.country, "53"), f"{called(cmd.country)} has surrendered, for good")


@limit(
    "71.53",
    on=ReportStatus,
    displaces=(commonwealth_stays, conquest_stays),
    when=lambda s, cmd: cmd.country in BOXED and has_surrendered(s, cmd.country),
    also=("72.53",),
)
def surrender_is_permanent(s: State, cmd: ReportStatus) -> Refusal | None:
    """No report makes a surrender undone."""
    return Refusal(clause(cmd.country, "53"), f"the surrender of {called(cmd.country)} is final")


@limit(
    "71.43",
    on=ReportStatus,
    when=lambda s, cmd: cmd.country in BOXED and cmd.status == "conquered" and not has_surrendered(s, cmd.country),
    also=("72.43",),
)
def surrender_not_reported(s: State, cmd: ReportStatus) -> Refusal | None:
    """A surrender comes by factors or of a country's own will, not by a report."""
    told = f"{called(cmd.country)} surrenders as an Allied player turn ends: to ten more enemy factors beside its box"
    text = unless_excused(cmd, f"{told}, or by the order surrender_voluntarily")
    return Refusal(clause(cmd.country, "43"), text) if text else None


# -- what follows -------------------------------------------------------------------------------------------------


@effect(
    "71.51",
    on=StatusChanged,
    when=lambda s, changed: changed.country in BOXED and changed.status == "conquered",
    also=("72.51",),
)
def surrender_follows(p: Proceedings, changed: StatusChanged) -> None:
    """A surrender: units, BRPs, resistance, and what Japan gains."""
    for step in (own_units_removed, others_in_box_lost, box_value_lost, resistance_falls, japan_gains):
        p.run(step, changed.country)


@effect("71.51A", also=("72.51A",))
def own_units_removed(p: Proceedings, country: str) -> None:
    """The units of a country that surrenders to Japan are removed for good; unbuilt ones as well (R-0070)."""
    note("permanently", clause(country, "51A"), True, country)
    for stack in tuple(units_of(p.s, country)):
        eliminate(p, stack, stack.count, for_good=True)
    if reading_in_force(p.s, "R-0070") == "a":
        remove_unbuilt(p, country)


@effect("71.51B", also=("72.51B",))
def others_in_box_lost(p: Proceedings, country: str) -> None:
    """When a country surrenders to Japan, the other Western Allied units in its box are eliminated."""
    note("in_the_box", clause(country, "51B"), True, country)
    for stack in tuple(units_at(p.s, box_of(country))):
        lose(p, stack)


@value("71.51E", also=("72.51E",))
def surrender_loss(s: State, country: str) -> int:
    """What Britain loses at once when a country surrenders: the prorated value of its box."""
    other = next(it for it in BOXED if it != country)
    standing = s.countries[other]
    together = has_surrendered(s, other) and standing.since == s.turn and reading_in_force(s, "R-0093") == "b"
    if together:
        return prorated(s, areas()[country].brp + areas()[other].brp) - prorated(s, areas()[other].brp)
    return prorated(s, areas()[country].brp)


@effect("71.51E", "When a country surrenders to Japan, Britain loses the prorated value of its box", also=("72.51E",))
def box_value_lost(p: Proceedings, country: str) -> None:
    brp = surrender_loss(p.s, country)
    if brp and keeps_brps(p.s, "britain"):
        memo, by = f"{called(country)} surrendered", clause(country, "51E")
        move_brps(p, "britain", -brp, memo, Sink("brp", "surrender"), by)


@effect("71.51G", "When Australia or India surrenders, British resistance falls by two", also=("72.51G",))
def resistance_falls(p: Proceedings, country: str) -> None:
    level, by = p.s.tracks.get(RESISTANCE, 0), clause(country, "51G")
    p.do(Happened(Happening(p.s.moment, "stood before at", RESISTANCE, level)), by)
    p.do(TrackMoved(RESISTANCE, level - RESISTANCE_LOST), by)


@effect("71.52", "A country that surrenders to Japan is a Japanese conquest worth ten BRPs", also=("72.52",))
def japan_gains(p: Proceedings, country: str) -> None:
    when = conquest_moment(p.s, JAPAN, country)
    promise(p, receive_conquest, when, JAPAN, country, worth(p.s, country), clause(country, "52"))


@definition(
    "71.51F",
    displaces=power_area,
    when=lambda s, nation, place: land(place)[0] in BOXED and has_surrendered(s, land(place)[0]),
    also=("72.51F",),
)
def open_to_both_sides(s: State, nation: str, place: str) -> bool:
    """Hexes of a country that surrendered stay whose they were, and either side may enter them."""
    note("open", clause(land(place)[0], "51F"), True, place)
    return True


# -- what comes ---------------------------------------------------------------------------------------------------


@foresees
def surrender_comes(s: State) -> Iterator[Foreseen]:
    when = next_step_of(s, "britain", "end of player turn")
    for country in BOXED:
        if would_surrender(s, country):
            told = f"{called(country)} surrenders: its units and those in its box are gone, Britain's base falls by 10"
            more = factors_to_avert(s, country)
            averted = f"{more} more Western Allied ground factors in the box, or as many fewer enemies beside it"
            yield Foreseen(when, clause(country, "43"), told, "britain", country, averted, -surrender_loss(s, country))


@value("71.51", "Every consequence that a country's surrender would have now, each with its clause", also=("72.51",))
def effects_of_surrender(s: State, country: str) -> tuple[str, ...]:
    own = sum(it.count for it in units_of(s, country))
    others = sum(it.count for it in units_at(s, box_of(country)) if it.nation != country)
    brp, lost = areas()[country].brp, surrender_loss(s, country)
    found = [
        ("51A", f"its {own} units leave the game"),
        ("51B", f"{others} other Western Allied units in the box are eliminated"),
        ("51C", "the box is closed to the Western Allies and supplies nobody"),
        ("51D", "nothing is built in the box"),
        ("51E", f"the British base falls by {brp}, and Britain loses {lost} BRPs"),
        ("51F", "its hexes stay whose they are"),
        ("51G", f"British resistance falls by {RESISTANCE_LOST}"),
        ("52", f"Japan has a conquest worth {worth(s, country)} BRPs"),
    ]
    if country == "india":
        found.append(("51H", "no grants reach China through the box"))
    return tuple(f"{clause(country, number)}: {text}" for number, text in found)


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
