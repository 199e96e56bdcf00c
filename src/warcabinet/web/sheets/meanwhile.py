"""What happened while somebody was away, beside the map: scenes with their BRPs, what changed, what waits now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from warcabinet.game.demo import Scene
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.economy.base import keeps_brps, level
from warcabinet.views.words import joined, name
from warcabinet.web.hall.whose_move import moment_words
from warcabinet.web.sheets.agenda_lines import AgendaLine, agenda_lines
from warcabinet.web.sheets.drawn import drawn

#: So many matters that fall due are told as what is at stake.
STAKES = 3


class Changed(msgspec.Struct, frozen=True):
    """A power's level before all the scenes and after them."""

    power: str
    before: int
    after: int


class Gone(msgspec.Struct, frozen=True):
    """Counters of one kind that the reader's side lost."""

    nation: str
    unit: str
    count: int


def meanwhile_part(
    state: State, scenes: Sequence[Scene], own: Sequence[str], waits: Sequence[str], *, watching: bool
) -> str:
    """All of it as a part of a page, for whoever holds these powers and is waited for with these words."""
    return drawn(
        "sheet-meanwhile.html",
        scenes=scenes,
        entries=max(it.move for it in scenes) - min(it.first for it in scenes) + 1 if scenes else 0,
        changed=_changed(state, scenes),
        lost=_lost(state, scenes, own),
        own=own,
        waits=waits,
        now=moment_words(state),
        spend=joined(f"{name(it)} {level(state, it)}" for it in own if waits and keeps_brps(state, it)),
        stakes=_at_stake(state),
        watching=watching,
    )


def _changed(state: State, scenes: Iterable[Scene]) -> list[Changed]:
    sums: Counter[str] = Counter()
    for it in scenes:
        sums.update(it.brp)
    now = {power: level(state, power) for power in powers() if keeps_brps(state, power) or sums[power]}
    return [Changed(power, after - sums[power], after) for power, after in now.items()]


def _lost(state: State, scenes: Iterable[Scene], own: Sequence[str]) -> list[Gone]:
    sides = {side_of(state, it) for it in own}
    lost: Counter[tuple[str, str]] = Counter()
    for scene in scenes:
        for it in scene.lost:
            lost[it.nation, it.unit] += it.count * (it.nation in own or side_of(state, it.nation) in sides)
    return [Gone(nation, unit, count) for (nation, unit), count in lost.items() if count]


def _at_stake(state: State) -> list[AgendaLine]:
    """What falls due this turn or the next and can still be averted."""
    soon = [it for it in agenda_lines(state) if calendar.split(it.moment)[0] <= state.turn + 1]
    return [it for it in soon if it.brp and it.averted_by][:STAKES]
