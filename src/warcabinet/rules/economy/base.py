"""BRP bases and levels by turn, how bases grow in the year start, what a power has on its books (35.2 - 35.4, 35.8)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Annual, Base, Brp, Outside, Source, World
from warcabinet.model.agenda import Arrival, Promise
from warcabinet.model.commands.economy import ReportBase
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import EntryPosted, StatusChanged, UnitsMoved
from warcabinet.model.happenings import Eliminated, deed_of
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, called, powers
from warcabinet.model.pieces import UNBUILT, Track, Where
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, correction_note
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import tally, unbuilt, unbuilt_of
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_cost
from warcabinet.rules.common.books import account_balance, books_of, move_brps, out_of_the_economy
from warcabinet.rules.common.diplomacy import promise
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import neutral_power, player_of, went_to_war
from warcabinet.rules.economy.mobilization_record import begun
from warcabinet.rules.kinds import definition, due, effect, limit, order, remembered, value

WORLD = World("base")


@value("35.21", "A power's base is what its entries have made it")
def base(s: State, power: str) -> int:
    return account_balance(s, Base(power))


@value("35.61", "A power's BRP level is what gains, losses and spending have left")
def level(s: State, power: str) -> int:
    return account_balance(s, Brp(power))


@value("35.51", "The BRP total with which a power began the year, or its level at the start of a game")
def year_start_total(s: State, power: str) -> int:
    return level(s, power)


@value("35.34", "Research points that growth gave in the last year start")
def research_points_grown(s: State, power: str) -> int:
    return 0


#: By scope the powers that do not fight in its theater, or whose BRPs it does not keep (R-2789, R-2961).
NOT_KEPT = {
    "global": (),
    "europe": ("japan", "china"),
    "pacific": ("germany", "italy", "britain", "france", "russia", "usa", "china"),
}


@definition("35.24")
def keeps_brps(s: State, power: str) -> bool:
    """A power's BRPs are kept: in the Pacific only Japan's, in Europe not those of Asia, and none after a surrender."""
    if out_of_the_economy(s, power):
        note("surrendered", "83.43", False, power)
        return False
    return power not in NOT_KEPT[s.options.scope]


def brps_not_kept(s: State, power: str) -> Refusal | str | None:
    """Why a power has no BRPs to gain, lose or spend; nothing if it has."""
    if out_of_the_economy(s, power):
        return Refusal("83.43", f"{powers()[power].name} has surrendered and has no BRPs (R-0443)")
    theater = "Pacific" if s.options.scope == "pacific" else "European"
    return None if keeps_brps(s, power) else f"BRPs of {powers()[power].name} are not kept in a {theater} scenario"


def move_kept_brps(p: Proceedings, power: str, brp: int, memo: str, other: Outside) -> None:
    """Gain or lose BRPs, where they are kept."""
    if keeps_brps(p.s, power):
        move_brps(p, power, brp, memo, other)


@value("35.46", covers=tuple(areas()[it].source for it in COMMONWEALTH), also=("71.11", "72.11"))
def base_floor(s: State, power: str) -> int:
    """A base never falls below zero, Britain's not below ten for each country of the Commonwealth that holds out."""
    kept = 0
    for country in COMMONWEALTH if power == "britain" else ():
        if s.countries[country].status == "commonwealth":
            told = correction_note(s, f"countries.{country}")
            note("commonwealth_base", "35.46", areas()[country].brp, country, text=told)
            note("in_the_british_base", areas()[country].source, areas()[country].brp, country)
            kept += areas()[country].brp
    return kept


@value("35.33A", "What Germany receives from conquests and minor countries (35.51A-G)")
def conquests_and_minors(s: State, power: str) -> int:
    received = 0
    for area, amount in books_of(s, power).items():
        if amount > 0:
            received += account_balance(s, Annual(power, area))
    return received


@value("35.42", covers=("35.41",))
def original_german_base(s: State, power: str) -> int:
    """The value of the German base that conquests need not carry, with what Germany mobilized in the game."""
    if mobilized := mobilized_base(s, power):
        note("mobilized", "35.41", mobilized, power)
    return s.options.original_german_base + mobilized


def mobilized_base(s: State, power: str) -> int:
    """What ordered and reported mobilizations have added to the German base (36.21A)."""
    return 10 * len(begun(s, power)) - balance(s.ledger, reported_mobilization(power))


def reported_mobilization(power: str) -> Source:
    """Where the base comes from that a mobilization added which was only reported."""
    return Source("base", f"mobilization of {power}")


@value("35.42", "Germany's base may exceed its original value by one for every two BRPs of conquests and minors")
def german_base_ceiling(s: State, power: str) -> int:
    return original_german_base(s, power) + conquests_and_minors(s, power) // 2


@effect("35.42", when=lambda s: s.player == "axis")
def reduce_german_base(p: Proceedings) -> None:
    """At the end of the Axis combat phase a German base without conquests behind it shrinks."""
    excess = base(p.s, "germany") - german_base_ceiling(p.s, "germany")
    if excess > 0:
        move_base(p, "germany", -excess, "conquests no longer carry the base")


def move_base(p: Proceedings, power: str, amount: int, memo: str, other: Account = WORLD) -> None:
    """Raise or lower a base by one entry."""
    p.do(EntryPosted(entry(memo, (Base(power), amount), (other, -amount))))


@order("35.41", "A base rises or falls in the course of the year", on=ReportBase)
def report_base(p: Proceedings, cmd: ReportBase) -> None:
    if cmd.cause == "mobilization":
        move_base(p, cmd.power, cmd.brp, "mobilization", reported_mobilization(cmd.power))
        move_brps(p, cmd.power, cmd.brp, "mobilization", Source("brp", "mobilization"), "35.62")
    else:
        move_base(p, cmd.power, cmd.brp, f"{cmd.cause}: {cmd.note}" if cmd.note else cmd.cause)


@limit("35.46", on=ReportBase)
def base_may_change(s: State, cmd: ReportBase) -> Iterator[Finding]:
    """A base falls to its floor at most, China's never changes; a mobilization adds ten BRPs, an American one 25."""
    if cmd.power == "china":
        yield Refusal("35.21", "China's BRP base may not change; report gains and losses of BRPs instead")
    yield Bound("brp", least=min(0, base_floor(s, cmd.power) - base(s, cmd.power)), text="the base has a floor")
    if cmd.cause != "mobilization":
        return
    if cmd.power == "usa":
        yield Bound("brp", most=25, least=25, text="one American mobilization adds 25 BRPs", clause="35.84")
        return
    yield Bound("brp", most=10, least=10, text="one mobilization adds 10 BRPs", clause="35.41", also=("36.21A",))
    if cmd.power == "russia":
        yield Refusal("36.21C", "Russia mobilizes industrial centers, not BRPs of its base")


@limit("35.46", on=ReportStatus, when=lambda s, cmd: cmd.country in COMMONWEALTH)
def commonwealth_stays(s: State, cmd: ReportStatus) -> str | None:
    """Canada and South Africa are never lost, Australia and India only by surrender to Japan."""
    if s.countries[cmd.country].status != "commonwealth":
        return "the surrender of a Commonwealth country is final"
    surrender = cmd.country in ("australia", "india") and (cmd.status, cmd.power) == ("conquered", "japan")
    return None if surrender else "only Australia and India leave the Commonwealth, by surrender to Japan"


@effect("35.46", on=StatusChanged, when=lambda s, e: e.country in ("australia", "india") and e.status == "conquered")
def commonwealth_lost(p: Proceedings, changed: StatusChanged) -> None:
    """With the surrender of Australia or India its ten BRPs leave the British base."""
    brp = min(areas()[changed.country].brp, base(p.s, "britain"))
    if brp:
        move_base(p, "britain", -brp, f"{areas()[changed.country].name} surrendered")


# Turns between mobilization and force pool, by type, with the clause.
DELAYS = {
    "army air": (4, "36.35B"),
    "naval air": (4, "36.35B"),
    "infantry": (2, "36.35C"),
    "mechanized infantry": (4, "36.35D"),
    "armor": (6, "36.35E"),
    "transport": (0, "36.35F"),
}
SHIPBUILDING_DELAY = (0, "36.35A")


def mobilized_as(s: State, power: str, unit: Unit) -> Unit:
    """A unit as the delays know it: Britain's 3-4 is mechanized infantry, however it is written (36.32E, R-0361)."""
    mechanized = power == "britain" or reading_in_force(s, "R-0361") == "b"
    return Unit("mechanized infantry 3-4") if unit == "infantry 3-4" and mechanized else unit


@value("36.31", covers=tuple(sorted({clause for _, clause in (*DELAYS.values(), SHIPBUILDING_DELAY)})))
def mobilization_delay(s: State, unit: Unit) -> int:
    """Turns that mobilized units wait on the turn record track, by type."""
    turns, clause = SHIPBUILDING_DELAY if unit == "shipbuilding" else DELAYS[kind_name(unit)]
    note("delay", clause, turns, unit)
    return turns


def entering(power: str, turn: int) -> int:
    """The moment at which units enter a force pool: the start of the power's player turn."""
    return calendar.moment(turn, calendar.first_step(player_of(power)))


def place_on_track(p: Proceedings, power: str, unit: Unit, count: int, turn: int, source: Where, clause: str) -> None:
    """Put units on the track for a turn to come; where there is no delay they are in the force pool at once."""
    now = turn <= p.s.turn
    p.do(UnitsMoved(power, unit, count, source, UNBUILT if now else Track(turn), f"{count} {unit}"), clause)
    if not now:
        promise(p, enter_force_pool, entering(power, turn), power, Arrival(turn))


@due("36.353", "Units on the turn record track enter the force pool in their turn; nobody may hold them back")
def enter_force_pool(p: Proceedings, due_now: Promise[Arrival]) -> None:
    track = Track(due_now.of.turn)
    for unit, count in p.s.pieces.off(due_now.power, track).items():
        p.do(UnitsMoved(due_now.power, unit, count, track, UNBUILT, f"{count} {unit}"))


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
        if unit_branch(unit) in ("ground", "air"):
            note("unbuilt_units", "35.32", count * unit_cost(unit), unit, str(count))
            worth += count * unit_cost(unit)
    return worth - spared_losses(s, power)


@value("35.32", "Japanese ground and air units that China eliminated in the Allied winter turn do not count")
def spared_losses(s: State, power: str) -> int:
    spared = 0
    for unit, lost in sorted(lost_to_china(s).items() if power == "japan" else ()):
        # Units are spared, not their worth: those that have left the force pool since spare nothing else.
        count = min(lost, unbuilt_of(s, power, unit))
        if count and unit_branch(unit) in ("ground", "air"):
            note("spared_units", "35.32", count * unit_cost(unit), unit, str(count))
            spared += count * unit_cost(unit)
    return spared


def lost_to_china(s: State) -> dict[Unit, int]:
    """The Japanese units that China eliminated in the last Allied winter turn."""
    winter = calendar.turn_number(calendar.WINTER, year_start_year(s) - 1)
    first = calendar.moment(winter, calendar.first_step("allied"))
    last = calendar.moment(winter, calendar.last_step("allied"))
    found = (h for h in s.happenings.of("eliminated by china") if first <= h.moment <= last)
    lost = ((deed_of(Eliminated, it), it.amount) for it in found)
    return tally((it.unit, count) for it, count in lost if it is not None and it.nation == "japan")


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
    return growing_brps(s, power) * growth_rate(s, power) // 100 if oil_for_growth(s, power) else 0


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
    reckoned = -(-deficit(s, power) * growth_rate(s, power) // 100)
    return min(reckoned, max(0, base(s, power) - base_floor(s, power)))


@value("35.53", "What of the deficit did not reduce the base is carried into the new year")
def carried_deficit(s: State, power: str) -> int:
    return deficit(s, power) - negative_growth(s, power)


@value("35.31", "The base with which the coming year begins")
def next_base(s: State, power: str) -> int:
    now = base(s, power)
    return max(min(now, base_floor(s, power)), now + base_growth(s, power) - negative_growth(s, power))
