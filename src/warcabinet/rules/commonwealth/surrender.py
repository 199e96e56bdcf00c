"""The surrender of Australia and India, forced or voluntary, with all that follows (71.4, 71.5, 72.4, 72.5)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.commonwealth import SurrenderVoluntarily
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Happened, Reported, StatusChanged, TrackMoved
from warcabinet.model.keys import Place
from warcabinet.model.names import areas, called, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.books import move_brps, worth
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of
from warcabinet.rules.common.pieces import eliminate, remove_unbuilt, units_at, units_of
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    JAPAN,
    box_of,
    clause,
    factors_beside_box,
    factors_in_box,
    has_surrendered,
)
from warcabinet.rules.economy.base import commonwealth_stays, keeps_brps
from warcabinet.rules.economy.deferral import prorated
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest
from warcabinet.rules.kinds import definition, effect, limit, opening, order, value
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.results import conquest_stays
from warcabinet.rules.minors.status import lose

#: So many more enemy factors beside a box than Western Allied ones in it bring the surrender (71.43).
OVERWHELMED = 10
RESISTANCE, RESISTANCE_LOST = "british_resistance", 2


# -- when ---------------------------------------------------------------------------------------------------------


@value("71.43")
def factors_to_surrender(s: State, country: str) -> int:
    """Enemy ground factors beside a box that are still wanting for its country to surrender."""
    return max(0, factors_in_box(s, country) + OVERWHELMED - factors_beside_box(s, country))


@value("71.43", "Western Allied ground factors in a box that are wanting to avert a surrender")
def factors_to_avert(s: State, country: str) -> int:
    return max(0, factors_beside_box(s, country) - factors_in_box(s, country) - OVERWHELMED + 1)


@definition("71.43")
def would_surrender(s: State, country: str) -> bool:
    """A country would surrender as things stand: ten more enemy factors beside its box than in it."""
    return not has_surrendered(s, country) and factors_to_surrender(s, country) == 0


@effect("71.43", when=lambda s: s.player == "allied")
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


@order("71.431", on=SurrenderVoluntarily, phases=("end of player turn",))
def surrender_voluntarily(p: Proceedings, cmd: SurrenderVoluntarily) -> None:
    """A country surrenders of its own will."""
    _surrender(p, cmd.country, "431", "of its own will")


def _deciding(s: State) -> str:
    """The power that decides on it."""
    return "usa" if s.powers["britain"].surrendered else "britain"


@opening("71.431", "Countries that have not surrendered, for the power that decides on it", on=SurrenderVoluntarily)
def may_still_surrender(s: State, cmd: SurrenderVoluntarily) -> Choice:
    left = (it for it in BOXED if cmd.power == _deciding(s) and not has_surrendered(s, it))
    return Choice("country", tuple(left), f"{powers()[_deciding(s)].name} decides on this, and on each once")


@limit("71.431", on=SurrenderVoluntarily, covers=("71.53", "72.53"))
def may_surrender(s: State, cmd: SurrenderVoluntarily) -> Refusal | None:
    """Australia or India surrenders once, as an Allied player turn ends, if the power that decides it wills it."""
    if has_surrendered(s, cmd.country):
        return Refusal(clause(cmd.country, "53"), f"{called(cmd.country)} has surrendered, for good")
    if cmd.power != _deciding(s):
        return Refusal(clause(cmd.country, "431"), f"{powers()[_deciding(s)].name} decides on this")
    return None if s.player == "allied" else Refusal(clause(cmd.country, "431"), "only as an Allied player turn ends")


@limit(
    "71.43",
    on=ReportStatus,
    displaces=(commonwealth_stays, conquest_stays),
    when=lambda s, cmd: cmd.country in BOXED and (cmd.status == "conquered" or has_surrendered(s, cmd.country)),
    covers=("71.53", "72.53"),
)
def surrender_not_reported(s: State, cmd: ReportStatus) -> Refusal | None:
    """A surrender comes by factors or of a country's own will, not by a report, and no report makes it undone."""
    if has_surrendered(s, cmd.country):
        return Refusal(clause(cmd.country, "53"), f"the surrender of {called(cmd.country)} is final")
    told = f"{called(cmd.country)} surrenders as an Allied player turn ends: to ten more enemy factors beside its box"
    refused = unless_excused(cmd, f"{told}, or by the order surrender_voluntarily")
    return Refusal(clause(cmd.country, "43"), refused) if refused else None


# -- what follows -------------------------------------------------------------------------------------------------


@effect(
    "71.51",
    on=StatusChanged,
    when=lambda s, changed: changed.country in BOXED and changed.status == "conquered",
    also=("71.51E", "71.51G", "71.52", "72.51E", "72.51G", "72.52"),
)
def surrender_follows(p: Proceedings, changed: StatusChanged) -> None:
    """A country that surrenders to Japan is a conquest worth ten BRPs; Britain loses its box and resistance.

    Its units and those in its box are gone; the value of the box is prorated, resistance falls by two.
    """
    country = changed.country
    p.run(own_units_removed, country)
    p.run(others_in_box_lost, country)
    brp = surrender_loss(p.s, country)
    if brp and keeps_brps(p.s, "britain"):
        memo, by = f"{called(country)} surrendered", clause(country, "51E")
        move_brps(p, "britain", -brp, memo, Sink("brp", "surrender"), by)
    level, by = p.s.tracks.get(RESISTANCE, 0), clause(country, "51G")
    p.do(Happened(Happening(p.s.moment, "stood before at", RESISTANCE, level)), by)
    p.do(TrackMoved(RESISTANCE, level - RESISTANCE_LOST), by)
    when = conquest_moment(p.s, JAPAN, country)
    promise(p, receive_conquest, when, JAPAN, country, worth(p.s, country), clause(country, "52"))


@effect("71.51A")
def own_units_removed(p: Proceedings, country: str) -> None:
    """The units of a country that surrenders to Japan are removed for good; unbuilt ones as well (R-0070)."""
    note("permanently", clause(country, "51A"), True, country)
    for stack in tuple(units_of(p.s, country)):
        eliminate(p, stack, stack.count, for_good=True)
    remove_unbuilt(p, country)


@effect("71.51B")
def others_in_box_lost(p: Proceedings, country: str) -> None:
    """When a country surrenders to Japan, the other Western Allied units in its box are eliminated."""
    note("in_the_box", clause(country, "51B"), True, country)
    for stack in tuple(units_at(p.s, box_of(country))):
        lose(p, stack)


@value("71.51E")
def surrender_loss(s: State, country: str) -> int:
    """What Britain loses at once when a country surrenders: the prorated value of its box."""
    return prorated(s, areas()[country].brp)


@definition(
    "71.51F",
    displaces=in_area,
    when=lambda s, nation, place: nation in powers() and land(place)[0] in BOXED and has_surrendered(s, land(place)[0]),
)
def open_to_both_sides(s: State, nation: str, place: Place) -> bool:
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


@value("71.51", "Every consequence that a country's surrender would have now, each with its clause")
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
