"""Growth of BRP bases in the year start (35.3)."""

from __future__ import annotations

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import Value
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


@value("35.31B", covers=("35.31B(1)", "35.31B(2)"))
def russian_rate(s: State, power: str) -> int:
    """Russia grows by the RGT level, up to 50 %; once it has been at war with Germany, by 50 %."""
    if went_to_war(s, "germany", "russia"):
        note("war_with_germany", "35.31B(2)", MOST, power)
        return MOST
    note("peacetime_rate", "35.31B(1)", min(track(s, "rgt"), MOST), power)
    return min(track(s, "rgt"), MOST)


@value("35.31C", "Japan grows by the effective USJT level, up to 50 %")
def japanese_rate(s: State, power: str) -> int:
    return min(effective_tension(s, "usjt"), MOST)


@value("35.31D", "The U.S. grows by the higher effective tension level, up to 50 %")
def american_rate(s: State, power: str) -> int:
    return min(max(effective_tension(s, "usat"), effective_tension(s, "usjt")), MOST)


@value("35.31E", "China's growth rate is zero")
def chinese_rate(s: State, power: str) -> int:
    return 0


@value(
    "35.31E(1)",
    displaces=chinese_rate,
    when=lambda s, power: s.options.edition == "prequel" and s.options.china_lobby_steps >= 9,
)
def lobby_rate(s: State, power: str) -> int:
    """Nine steps of China Lobby research give China a rate of 10 %."""
    return 10


@value(
    "35.31E(2)",
    displaces=(chinese_rate, lobby_rate),
    when=lambda s, power: s.options.edition == "prequel" and s.options.china_lobby_results >= 2,
)
def second_lobby_rate(s: State, power: str) -> int:
    """A second China Lobby result gives 10 % up to 1940 and 20 % after."""
    return 10 if year_start_year(s) <= 1940 else 20


_RATES: dict[str, Value[[State, str], int]] = {
    **dict.fromkeys(EUROPEAN_MAXIMA, european_rate),
    "russia": russian_rate,
    "japan": japanese_rate,
    "usa": american_rate,
    "china": chinese_rate,
}


@value("35.31", "Each power's growth rate in the coming year start, in per cent")
def growth_rate(s: State, power: str) -> int:
    return max(0, _RATES[power](s, power))


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


@value("35.31", "The unspent BRPs that growth is reckoned on")
def growing_brps(s: State, power: str) -> int:
    return unspent(s, power)


@value("35.32", displaces=growing_brps, when=lambda s, power: neutral_power(s, power))
def neutral_growing_brps(s: State, power: str) -> int:
    """A neutral power's unbuilt units are deducted from its unspent BRPs."""
    return max(0, growing_brps.general(s, power) - unbuilt_value(s, power))


@remembered("35.31", "Oil is used for growth as 33.61E requires, unless the players report otherwise", until="year")
def oil_for_growth(s: State, power: str) -> bool:
    return True


@definition("35.11", "The game opens with a year start, because war broke out in a winter turn")
def opens_with_year_start(s: State) -> bool:
    start = calendar.parse_turn(s.options.start)
    return calendar.season(start) == calendar.SPRING and calendar.year(start) == year_start_year(s)


@value("35.31", "Unspent BRPs times the growth rate, fractions dropped, raise the base")
def base_growth(s: State, power: str) -> int:
    if not oil_for_growth(s, power):
        return 0
    return percent(growing_brps(s, power), growth_rate(s, power))


def percent(amount: int, rate: int) -> int:
    """A share of an amount; fractions are dropped from gains and rounded up in losses."""
    return amount * rate // 100


@value("35.11A", displaces=base_growth, when=lambda s, power: opens_with_year_start(s))
def no_growth_at_the_start(s: State, power: str) -> int:
    """In a year start that opens the game nothing grows."""
    return 0


@value("35.33A", displaces=base_growth, when=lambda s, power: power == "germany" and not opens_with_year_start(s))
def german_growth(s: State, power: str) -> int:
    """Above its original base Germany needs two BRPs of conquests and minors for each further BRP."""
    room = german_base_ceiling(s, power) - base(s, power)
    return min(base_growth.general(s, power), max(0, room))


@value(
    "35.33B",
    displaces=base_growth,
    when=lambda s, power: power == "china" and growth_rate(s, power) == 0 and not opens_with_year_start(s),
)
def chinese_growth(s: State, power: str) -> int:
    """China's base does not grow without nine steps of China Lobby research."""
    return 0


@value("35.85", displaces=base_growth, when=lambda s, power: power == "usa" and not opens_with_year_start(s))
def american_growth(s: State, power: str) -> int:
    """The U.S. grows like the others, from the 1940 year start on."""
    return base_growth.general(s, power)


@value("35.34", "One research point for every 25 BRPs of growth")
def growth_research_points(s: State, power: str) -> int:
    return max(0, base_growth(s, power)) // 25


@value("35.53", "The deficit at the end of the year")
def deficit(s: State, power: str) -> int:
    return max(0, -level(s, power))


@value("35.35", "A deficit times the growth rate, rounded up, lowers the base, down to its floor")
def negative_growth(s: State, power: str) -> int:
    reckoned = -percent(-deficit(s, power), growth_rate(s, power))
    return min(reckoned, max(0, base(s, power) - base_floor(s, power)))


@value("35.11A", displaces=negative_growth, when=lambda s, power: opens_with_year_start(s))
def no_shrinking_at_the_start(s: State, power: str) -> int:
    """A year start that opens the game looks back on no year: no deficit of it lowers a base."""
    return 0


@value("35.53", "What of the deficit did not reduce the base is carried into the new year")
def carried_deficit(s: State, power: str) -> int:
    return deficit(s, power) - negative_growth(s, power)


@value("35.31", "The base with which the coming year begins")
def next_base(s: State, power: str) -> int:
    now = base(s, power)
    return max(min(now, base_floor(s, power)), now + base_growth(s, power) - negative_growth(s, power))
