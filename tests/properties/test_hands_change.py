"""Areas change hands at random, and the books are those that the text reckons (83.31 - 83.33, 83.61, 38.22 - 38.24).

The reckoning below follows the sentences of the text and knows nothing of the engine: no promises, no agenda.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import as_command, decide
from warcabinet.model.calendar import moment_name, parse_turn, turn_name
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.common.books import on_books

SIDES = {"axis": ("germany", "italy"), "allied": ("britain", "usa")}
TURNS = 7


class Prize(NamedTuple):
    """An area, the place that decides it, what it brings, whose it is, and whether enemy partisans may hold it."""

    area: str
    place: str
    brp: int
    owner: str
    standing: str
    partisans: bool = True


PRIZES = (
    Prize("belgium", "Brussels", 15, "germany", "conquered"),
    Prize("yugoslavia", "Belgrade", 15, "italy", "conquered"),
    Prize("rumania", "Bucharest", 15, "germany", "allied"),
    Prize("greece", "Athens", 10, "britain", "associated"),
    Prize("spain", "Madrid", 30, "germany", "conquered"),
    Prize("libya", "Tripoli", 5, "italy", "colony"),
    Prize("egypt", "Cairo", 5, "britain", "colony", partisans=False),
    Prize("milan", "Milan", 10, "italy", "key area"),
    Prize("rome", "Rome", 20, "italy", "key area", partisans=False),
    Prize("manchester", "Manchester", 15, "britain", "key area", partisans=False),
)


def side(power: str) -> str:
    return next((it for it, powers in SIDES.items() if power in powers), "")


@dataclass
class Reckoning:
    """Whose an area is and who counts it, sentence by sentence."""

    prize: Prize
    holder: str = ""
    counted_by: str = ""
    lost_home: bool = False
    robbed_by_partisans: str = ""
    coming: dict[str, int | str] = field(default_factory=dict)  # for each power a turn, or "year start"
    home_again: int | str = ""

    def __post_init__(self) -> None:
        self.holder = self.prize.owner
        self.counted_by = "" if self.is_home else self.prize.owner

    @property
    def is_home(self) -> bool:
        return self.prize.standing == "key area"

    def year_starts(self) -> None:
        """Axis winter conquests are in the total, but for key areas even if the Allies retook them in winter."""
        for power in [it for it, due in self.coming.items() if due == "year start"]:
            kept = self.holder == power
            still_counted = side(power) == "axis" and side(self.holder) != "axis" and not self.is_home
            del self.coming[power]
            if (kept or still_counted) and not self.counted_by:
                self.counted_by = power
        if self.home_again == "year start":
            self._home()

    def turn_starts(self, turn: int, player: str) -> None:
        """What is regained of one's own counts again; then conquests that were kept through the enemy's turn."""
        if side(self.prize.owner) == player and self.home_again == turn:
            self._home()
        for power in [it for it, due in self.coming.items() if due == turn and side(it) == player]:
            del self.coming[power]
            if self.holder == power and not self.counted_by:
                self.counted_by = power

    def _home(self) -> None:
        self.home_again = ""
        if side(self.holder) == side(self.prize.owner):
            self.lost_home = False

    def rise(self) -> None:
        self.robbed_by_partisans, self.holder = self.holder, "partisans"

    def taken(self, turn: int, by: str) -> None:
        """A power takes it, or frees it of partisans for its partner (83.61)."""
        freed = self.holder == "partisans" and side(self.robbed_by_partisans) == side(by)
        self.holder = self.robbed_by_partisans if freed else by
        winter, axis = turn % 4 == parse_turn("Winter 1941") % 4, side(by) == "axis"
        if self.is_home and side(by) == side(self.prize.owner):
            if self.lost_home:
                self.home_again = "year start" if winter and axis else turn + 1
        elif self.counted_by != self.holder:
            contested = self.is_home or side(self.counted_by) == "axis" or any(side(it) == "axis" for it in self.coming)
            self.coming[self.holder] = "year start" if winter and (axis or not contested) else turn + 1

    def combat_ends(self, player: str) -> None:
        """One's own is lost at once; what else is counted after one's own combat phase without it."""
        if self.is_home and side(self.prize.owner) not in (player, side(self.holder)):
            self.lost_home = True
        if side(self.counted_by) == player and self.holder != self.counted_by:
            self.counted_by = ""

    def books(self) -> dict[str, int]:
        found = {it: self.prize.brp if it == self.counted_by else 0 for it in (*SIDES["axis"], *SIDES["allied"])}
        return found | ({self.prize.owner: -self.prize.brp} if self.lost_home else {})


def position(prize: Prize, turn: int) -> State:
    given: dict[str, Any] = {
        "powers.france.surrendered": True,
        "wars": [{"between": [one, other], "since": "Fall 1939"} for one in SIDES["axis"] for other in SIDES["allied"]],
    }
    if prize.standing != "key area":
        given[f"countries.{prize.area}"] = {"status": prize.standing, "by": prize.owner}
    options = {"forces": "none", "mobilization": "reported", "set_up": "reported", "declarations": "reported"}
    where = {"turn": turn_name(turn), "player": "axis", "phase": "start of player turn"}
    return set_up(Position("classic-1939", set=given, options=options, **where))[0]


def done(state: State, asked: dict[str, Any]) -> State:
    ruling = decide(state, as_command(asked))
    assert not ruling.refusals, (asked, ruling.refusals)
    return ruling.state


def until(state: State, player: str, step: str) -> State:
    while (state.player, state.place.step.name) != (player, step):
        state = done(state, {"do": "advance"})
    return state


def compare(state: State, reckoned: Reckoning, seed: int) -> None:
    found = {it: on_books(state, it, reckoned.prize.area) for it in reckoned.books()}
    assert found == reckoned.books(), (seed, reckoned, moment_name(state.moment))


@pytest.mark.parametrize("prize", PRIZES, ids=lambda it: it.area)
def test_books_follow_the_hands(prize: Prize) -> None:
    for seed in range(4):
        dice = random.Random(f"{prize.area} {seed}")
        first = parse_turn("Spring 1942") + dice.randrange(4)
        state, reckoned = position(prize, first), Reckoning(prize)
        for turn in range(first, first + TURNS):
            if turn > first and turn_name(turn).startswith("Spring"):
                reckoned.year_starts()
            for player in ("axis", "allied"):
                reckoned.turn_starts(turn, player)
                state = until(state, player, "combat")
                compare(state, reckoned, seed)
                if side(reckoned.holder) != player and dice.random() < 0.6:
                    by = dice.choice(SIDES[player])
                    rise = prize.partisans and player == "allied" and side(reckoned.holder) == "axis"
                    rise = rise and dice.random() < 0.3
                    state = done(state, {"do": "report_control", "places": [prize.place], "by": by, "partisans": rise})
                    if rise:
                        reckoned.rise()
                    else:
                        reckoned.taken(turn, by)
                    assert holder(state, place_key(prize.place)) == reckoned.holder, (seed, by, reckoned)
                reckoned.combat_ends(player)
                state = until(state, player, "unit construction")
                compare(state, reckoned, seed)
