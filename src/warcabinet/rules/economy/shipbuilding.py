"""Shipbuilding rates: increases from mobilization and production, and their restrictions (36.34, 36.341)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Shipbuilding, ShipbuildingFrom
from warcabinet.model.commands.forces import Mobilize, ReportProduction
from warcabinet.model.events import EntryPosted, Happened, TrackMoved
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import entry
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.units import TRANSPORT
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.economy.base import mobilization_delay, track
from warcabinet.rules.economy.mobilization_record import (
    begun,
    increases_from,
    increases_mobilized,
    mobilizations_made,
    theater_of,
)
from warcabinet.rules.economy.mobilization_schedule import ENEMY, TENSION
from warcabinet.rules.economy.spending import beside_shipyards, laid_on, war_this_turn
from warcabinet.rules.kinds import definition, effect, limit, remembered, value

#: BRPs of units as which a shipbuilding increase counts (36.34).
INCREASE = 5
OPENS_YARDS = 50
BARRED = ("germany", "italy", "france")


def yard(power: str, theater: str) -> str:
    """The name under which increases of a turn are counted: the United States have two."""
    return f"{power} {theater}".strip()


@value("36.341A")
def increases_a_turn(s: State, power: str, theater: str) -> int:
    """A shipbuilding rate may rise once a turn, an American one twice where the U.S. is at war or goes to war."""
    return 2 if power == "usa" and theater in ENEMY and war_this_turn(s, ENEMY[theater]) else 1


@value("36.341A", "What is left of a turn's shipbuilding increases; each American theater counts by itself")
def increases_left(s: State, power: str, theater: str) -> int:
    return max(0, increases_a_turn(s, power, theater) - total(s, "shipbuilding", yard(power, theater), "turn"))


@limit(
    "36.341A",
    on=(Mobilize, ReportProduction),
    when=lambda s, cmd: _canadian(cmd) or cmd.power != "usa" or bool(cmd.theater),
)
def shipbuilding_once_a_turn(s: State, cmd: Mobilize | ReportProduction) -> Bound:
    """Shipbuilding rates rise no more often in a turn than they may."""
    left = increases_left(s, "canada", "") if _canadian(cmd) else increases_left(s, cmd.power, theater_of(cmd))
    most = left + 1 if _goes_to_war_there(s, cmd) else left
    return Bound("shipbuilding", most=most, text="shipbuilding this turn")


def _goes_to_war_there(s: State, cmd: Mobilize | ReportProduction) -> bool:
    """Whether the U.S. says with its mobilization that it goes to war in that theater in this player turn (R-2330)."""
    enemy = ENEMY.get(theater_of(cmd), "")
    if not isinstance(cmd, Mobilize) or not enemy or war_this_turn(s, enemy):
        return False
    return cmd.war_on == enemy


def _canadian(cmd: Mobilize | ReportProduction) -> bool:
    """Whether the shipbuilding rate that rises is Canada's (70.15B)."""
    return isinstance(cmd, ReportProduction) and cmd.in_canada


@limit(
    "36.341B",
    on=(Mobilize, ReportProduction),
    when=lambda s, cmd: cmd.power == "usa" and cmd.shipbuilding > 0 and not _canadian(cmd),
)
def american_increases(s: State, cmd: Mobilize | ReportProduction) -> Refusal | str | None:
    """An American increase belongs to a theater; production brings none before war there or a tension of 50."""
    if not cmd.theater:
        return "say in which theater the shipbuilding rate rises"
    if (
        isinstance(cmd, Mobilize)
        or went_to_war(s, "usa", ENEMY[cmd.theater])
        or tension_has_reached_fifty(s, cmd.theater)
    ):
        return None
    told = f"the U.S. has not gone to war in {cmd.theater} and its tensions there have not reached 50"
    return Refusal("36.341C", told)


@remembered("36.341C", "Tensions in a theater have reached 50; that they sank again since makes no difference")
def tension_has_reached_fifty(s: State, theater: str) -> bool:
    return track(s, TENSION[theater]) >= OPENS_YARDS


@effect("36.341C", "Tensions that have reached 50 have done so for good", on=TrackMoved)
def remember_fifty(p: Proceedings, moved: TrackMoved) -> None:
    for theater, name in TENSION.items():
        if moved.track == name and max(moved.to, moved.was) >= OPENS_YARDS:
            tension_has_reached_fifty.note(p, True, "tensions have reached 50", theater)


@value("36.341D")
def british_increases_left(s: State) -> int:
    """British mobilizations increase the rate once, in the prequel game or later; never in the classic game."""
    if s.options.edition == "classic" or s.options.british_shipbuilding_increased:
        return 0
    return max(0, 1 - increases_mobilized(s, "britain"))


# -- Japan -------------------------------------------------------------------------------------------------------


@value("36.341E", "The number of Japan's next mobilization, three early ones and those of the prequel game counted")
def japanese_number(s: State) -> int:
    earlier = s.options.storm_over_asia_mobilizations if s.options.edition == "prequel" else 4
    return 3 + earlier + mobilizations_made(s, "japan", "") + 1


@definition("36.341E(2)", "The ninth, tenth and eleventh Japanese mobilizations may bring one increase each")
def late_japanese_mobilization(s: State) -> bool:
    return 9 <= japanese_number(s) <= 11


def late_increases(s: State) -> int:
    """How many increases Japan's ninth to eleventh mobilizations have brought."""
    first = 9 - (japanese_number(s) - len(begun(s, "japan")))
    return sum(increases_from(s, "japan", str(number)) for number in range(first + 1, first + 4) if number > 0)


def increased_before(s: State) -> int:
    """The increase that a Japanese mobilization of the prequel game brought, if one did."""
    return int(s.options.edition == "prequel" and s.options.japanese_shipbuilding_increased)


@value("36.341E(1)")
def early_japanese_increases(s: State) -> int:
    """Increases that Japan's first eight mobilizations may still bring: one in all, in the classic game none."""
    if s.options.edition == "classic" and reading_in_force(s, "R-0006") != "c":
        note("none_in_the_classic_game", "36.341E", 0, "japan")
        return 0
    return max(0, 1 - increased_before(s) - increases_mobilized(s, "japan"))


def japanese_increases_open(s: State) -> int:
    """What Japan's next mobilization may bring of the increases that 36.341E names: after the eleventh none."""
    if japanese_number(s) > 11:
        return 0
    return 1 if late_japanese_mobilization(s) else early_japanese_increases(s)


@limit("36.341D", on=Mobilize, covers=("36.341B",))
def increases_of_power(s: State, cmd: Mobilize) -> Iterator[Finding]:
    """German, Italian and French mobilizations bring no shipbuilding increase, British and Japanese ones few.

    An American one belongs to a theater, rises twice in it at most, and goes with a transport only if it is one.
    """
    if cmd.power in (*BARRED, "britain"):
        most = british_increases_left(s) if cmd.power == "britain" else 0
        yield Bound("shipbuilding", most=most, text=f"increases from mobilizations of {powers()[cmd.power].name}")
    if cmd.power == "japan":
        text, left = "increases from Japanese mobilizations", 4 - increased_before(s) - increases_mobilized(s, "japan")
        yield Bound("shipbuilding", most=japanese_increases_open(s), text=f"{text}, this one", clause="36.341E")
        yield Bound("shipbuilding", most=max(0, left), text=f"{text} in all", clause="36.341E(3)")
    if cmd.power == "usa" and cmd.theater and not war_this_turn(s, ENEMY[cmd.theater]):
        # Whatever war is declared in this turn: so it is known while that is still open.
        most = increases_left(s, "usa", cmd.theater) + 1
        yield Bound("shipbuilding", most=most, text="shipbuilding this turn", clause="36.341A")
    if cmd.shipbuilding > 1 and laid_on(s, cmd, TRANSPORT, beside_shipyards(s, cmd)) is None:
        yield Refusal("36.341A", "two shipbuilding increases and a transport in one mobilization")


@value("36.341E(2)")
def tension_of_increase(s: State) -> int:
    """Japan's first late shipbuilding increase raises USJT by one, the second by two, the third by three (R-0006)."""
    if s.options.edition == "classic" and reading_in_force(s, "R-0006") == "b":
        note("none_in_the_classic_game", "36.341E", 0, "japan")
        return 0
    return late_increases(s) + 1 if late_japanese_mobilization(s) else 0


def increases_open(s: State, power: str, theater: str) -> int:
    """How many shipbuilding increases a power's next mobilization may bring this turn, by all the limits above."""
    left = increases_left(s, power, theater)
    if power in BARRED or power == "russia":
        return 0
    if power == "britain":
        return min(left, british_increases_left(s))
    if power == "japan":
        return max(0, min(left, japanese_increases_open(s), 4 - increased_before(s) - increases_mobilized(s, "japan")))
    return left


def raise_rate(p: Proceedings, power: str, theater: str, increases: int, source: str) -> None:
    """Increase a shipbuilding rate at once, and remember it for the turn."""
    if not increases:
        return
    mobilization_delay(p.s, Unit("shipbuilding"))
    note("worth", "36.34", INCREASE * increases, power)
    raised = (Shipbuilding(power, theater), increases)
    made = entry("shipbuilding rate", raised, (ShipbuildingFrom(power, source), -increases))
    p.do(EntryPosted(made), "36.35A")
    p.do(Happened(Happening(p.s.moment, "shipbuilding", yard(power, theater), increases)), "36.341A")
