"""Growth of BRP bases in the year start (35.3)."""

from __future__ import annotations

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.names import called
from warcabinet.model.state import State, correction_note
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import tally, unbuilt, unbuilt_of
from warcabinet.model.units import parse_unit, unit_cost
from warcabinet.rules.common.war_and_peace import neutral_power, went_to_war
from warcabinet.rules.economy.base import base, base_floor, german_base_ceiling, level
from warcabinet.rules.kinds import definition, remembered, value

MOST = 50
EUROPEAN_RATES = {1941: 20, 1942: 30, 1943: 40}
EUROPEAN_MAXIMA = {
    "germany": ("35.31A(1)", 50),
    "britain": ("35.31A(2)", 40),
    "france": ("35.31A(3)", 30),
    "italy": ("35.31A(4)", 20),
}


def year_start_year(s: State) -> int:
    """The year of the year start that is under way, or of the next one."""
    return s.year if s.place.part == "year start" else s.year + 1


@value("35.31A", covers=tuple(clause for clause, _ in EUROPEAN_MAXIMA.values()))
def european_rate(s: State, power: str) -> int:
    """10 % up to 1940, then ten points more each year to 50 % in 1944, up to a maximum for each power."""
    if power not in EUROPEAN_MAXIMA:
        raise WarCabinetError(
            f"35.31A gives no rate for {called(power)}, only for {', '.join(map(called, EUROPEAN_MAXIMA))}"
        )
    year = year_start_year(s)
    of_year = 10 if year <= 1940 else EUROPEAN_RATES.get(year, MOST)
    note("rate_of_the_year", "35.31A", of_year, str(year))
    clause, highest = EUROPEAN_MAXIMA[power]
    note("highest_rate", clause, highest, power)
    return min(of_year, highest)


#: By power the clause of its growth rate where that is not European: Russia, Japan, the U.S., China.
RATES = {"russia": "35.31B", "japan": "35.31C", "usa": "35.31D", "china": "35.31E"}


@value("35.31", covers=(*RATES.values(), "35.31B(1)", "35.31B(2)", "35.31E(1)", "35.31E(2)"))
def growth_rate(s: State, power: str) -> int:
    """Each power's growth rate in the coming year start, in per cent: by the year, by tension, or by research."""
    if power not in RATES:
        return european_rate(s, power)
    rate, clause = _rate(s, power)
    note("rate", RATES[power], rate, power)
    if clause:
        note("of_its_own", clause, rate, power)
    return max(0, rate)


def _rate(s: State, power: str) -> tuple[int, str]:
    """The rate of a power that is not European, 50 % at most, and the bullet that gives it, if one does."""
    if power == "russia":
        fought = went_to_war(s, "germany", "russia")
        return (MOST, "35.31B(2)") if fought else (min(track(s, "rgt"), MOST), "35.31B(1)")
    if power != "china":
        levels = [effective_tension(s, it) for it in (("usjt",) if power == "japan" else ("usat", "usjt"))]
        return min(max(levels), MOST), ""
    if s.options.edition == "prequel" and s.options.china_lobby_results >= 2:
        return 10 if year_start_year(s) <= 1940 else 20, "35.31E(2)"
    lobby = s.options.edition == "prequel" and s.options.china_lobby_steps >= 9
    return (10, "35.31E(1)") if lobby else (0, "")


def track(s: State, name: str) -> int:
    """The level of a track, as a line of the explanation."""
    stands = s.tracks.get(name, 0)
    note("track", "", stands, name, text=correction_note(s, f"tracks.{name}"))
    return stands


def effective_tension(s: State, name: str) -> int:
    """A tension level as it counts: the effective one if one was determined, else the nominal."""
    return track(s, f"effective_{name}" if f"effective_{name}" in s.tracks else name)


@value("35.31", "BRPs left unspent at the end of the winter turn")
def unspent(s: State, power: str) -> int:
    return max(0, level(s, power))


@value(
    "35.32", "BRP value of a power's unbuilt ground and air units, Commonwealth ones with the British", also=("82.13D",)
)
def unbuilt_value(s: State, power: str) -> int:
    worth = 0
    # Commonwealth units are British for all purposes, and in the British force pool after a surrender too (82.13D).
    nations = (power, *(COMMONWEALTH if power == "britain" else ()))
    for unit, count in sorted(it for nation in nations for it in unbuilt(s, nation)):
        if parse_unit(unit)[0].branch in ("ground", "air"):
            note("unbuilt_units", "35.32", count * unit_cost(unit), unit, str(count))
            worth += count * unit_cost(unit)
    return worth - spared_losses(s, power)


@value("35.32", "Japanese ground and air units that China eliminated in the Allied winter turn do not count")
def spared_losses(s: State, power: str) -> int:
    spared = 0
    for unit, lost in sorted(lost_to_china(s).items() if power == "japan" else ()):
        # Units are spared, not their worth: those that have left the force pool since spare nothing else.
        count = min(lost, unbuilt_of(s, power, unit))
        if count and parse_unit(unit)[0].branch in ("ground", "air"):
            note("spared_units", "35.32", count * unit_cost(unit), unit, str(count))
            spared += count * unit_cost(unit)
    return spared


def lost_to_china(s: State) -> dict[str, int]:
    """The Japanese units that China eliminated in the last Allied winter turn."""
    winter = calendar.turn_number(calendar.WINTER, year_start_year(s) - 1)
    first = calendar.moment(winter, calendar.first_step("allied"))
    last = calendar.moment(winter, calendar.last_step("allied"))
    found = (h for h in s.happenings.of("eliminated by china") if first <= h.moment <= last)
    mine = (h for h in found if h.key.startswith("japan "))
    return tally((h.key.removeprefix("japan "), h.amount) for h in mine)


@value("35.31")
def growing_brps(s: State, power: str) -> int:
    """The unspent BRPs that growth is reckoned on; a neutral power's unbuilt units are deducted from them."""
    if not neutral_power(s, power):
        return unspent(s, power)
    note("neutral", "35.32", True, power)
    return max(0, unspent(s, power) - unbuilt_value(s, power))


@remembered("35.31", "Oil is used for growth as 33.61E requires, unless the players report otherwise", until="year")
def oil_for_growth(s: State, power: str) -> bool:
    return True


@definition("35.11", "The game opens with a year start, because war broke out in a winter turn")
def opens_with_year_start(s: State) -> bool:
    start = calendar.parse_turn(s.options.start)
    return calendar.season(start) == calendar.SPRING and calendar.year(start) == year_start_year(s)


@value("35.31")
def base_growth(s: State, power: str) -> int:
    """Unspent BRPs times the growth rate, fractions dropped, raise the base; not as a year start opens the game."""
    if opens_with_year_start(s):
        note("nothing_grows_at_the_start", "35.11A", 0, power)
        return 0
    if power in ("china", "usa"):
        note("grows_by_its_rate", "35.33B" if power == "china" else "35.85", growth_rate(s, power), power)
    return percent(growing_brps(s, power), growth_rate(s, power)) if oil_for_growth(s, power) else 0


def percent(amount: int, rate: int) -> int:
    """A share of an amount; fractions are dropped from gains and rounded up in losses."""
    return amount * rate // 100


@value("35.33A", displaces=base_growth, when=lambda s, power: power == "germany" and not opens_with_year_start(s))
def german_growth(s: State, power: str) -> int:
    """Above its original base Germany needs two BRPs of conquests and minors for each further BRP."""
    room = german_base_ceiling(s, power) - base(s, power)
    return min(base_growth.general(s, power), max(0, room))


@value("35.34", "One research point for every 25 BRPs of growth")
def growth_research_points(s: State, power: str) -> int:
    return max(0, base_growth(s, power)) // 25


@value("35.53", "The deficit at the end of the year")
def deficit(s: State, power: str) -> int:
    return max(0, -level(s, power))


@value("35.35")
def negative_growth(s: State, power: str) -> int:
    """A deficit times the growth rate, rounded up, lowers the base, down to its floor; not as the game opens."""
    if opens_with_year_start(s):
        note("no_year_before", "35.11A", 0, power)
        return 0
    reckoned = -percent(-deficit(s, power), growth_rate(s, power))
    return min(reckoned, max(0, base(s, power) - base_floor(s, power)))


@value("35.53", "What of the deficit did not reduce the base is carried into the new year")
def carried_deficit(s: State, power: str) -> int:
    return deficit(s, power) - negative_growth(s, power)


@value("35.31", "The base with which the coming year begins")
def next_base(s: State, power: str) -> int:
    now = base(s, power)
    return max(min(now, base_floor(s, power)), now + base_growth(s, power) - negative_growth(s, power))
