"""Communist China: activation, building, partisans and where its units stay (84.47A, 85.481B, 85.6)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import MoveUnits, Rebuild
from warcabinet.model.events import WarBegan
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import unit_factors
from warcabinet.rules.countries.spain import spain_takes_sides
from warcabinet.rules.kinds import effect, limit, value
from warcabinet.rules.minors.building import (
    allied_infantry_factors,
    free_infantry_factors,
    one_allied_infantry_unit,
    one_infantry_unit,
    rebuilt,
    status_of,
)
from warcabinet.rules.minors.partisans import most_partisans
from warcabinet.rules.minors.status import change_status, hand_over_hexes
from warcabinet.rules.minors.units import _entry


@effect(
    "85.61",
    "Communist China becomes a Russian minor ally at the outbreak of war between Japan and Russia",
    on=WarBegan,
    after=spain_takes_sides,
    when=lambda s, began: (
        set(began.between) == {"japan", "russia"} and s.countries["communist_china"].status == "independent"
    ),
)
def communists_activate(p: Proceedings, began: WarBegan) -> None:
    change_status(p, "communist_china", "allied", "russia", "85.61", "Russia and Japan are at war")
    hand_over_hexes(p, "communist_china", "russia")


@value(
    "84.47A(1)",
    "Communist China rebuilds two infantry factors a turn",
    displaces=(free_infantry_factors, allied_infantry_factors),
    when=lambda s, nation: nation == "communist_china",
    covers=("85.481B",),
)
def communist_infantry_factors(s: State, nation: str) -> int:
    if status_of(s, nation) == "allied":
        note("russian_minor_ally", "85.481B", 2, nation)
    return 2


@limit(
    "84.47A(1)",
    "Communist China rebuilds two infantry factors a turn",
    on=Rebuild,
    when=lambda s, cmd: cmd.country == "communist_china",
    displaces=(one_infantry_unit, one_allied_infantry_unit),
)
def two_communist_factors(s: State, cmd: Rebuild) -> str | None:
    left = free_infantry_factors(s, cmd.country) - rebuilt(s, cmd.country, "infantry")
    return None if unit_factors(cmd.unit) <= left else f"{left} infantry factors are left this turn"


@value(
    "82.61",
    "Communist China gets one more partisan each year from 1942",
    displaces=most_partisans,
    when=lambda s, nation, side: nation == "communist_china" and side == "russia" and s.year >= 1942,
)
def more_communist_partisans(s: State, nation: str, side: str) -> int:
    return most_partisans.general(s, nation, side) + s.year - 1941


@limit(
    "85.63", "Communist Chinese units stay in China", on=MoveUnits, when=lambda s, cmd: cmd.nation == "communist_china"
)
def communists_stay(s: State, cmd: MoveUnits) -> str | None:
    return _entry(s, cmd)
