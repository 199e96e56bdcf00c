"""Egypt: what the loss of Alexandria and Suez touches (88.31, 88.32)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.events import ControlChanged, Reported
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.foreseen import Foreseen, foresees
from warcabinet.rules.common.pieces import faction, held_by_partisans
from warcabinet.rules.countries.middle_east import AXIS
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.year_start import diplomatic_points
from warcabinet.rules.kinds import effect, value

PORTS = {place_key(it): it for it in ("Alexandria", "Suez")}
USAT, BRITISH, ITALIAN = "the USAT level", "the British DP allotment", "the Italian DP allotment"
ALLOTMENTS = {"britain": BRITISH, "italy": ITALIAN}


@value("88.32", "What the loss of Alexandria or Suez touches: never BRPs; Wafdists only cost British points")
def touched_by_loss(s: State, place: str) -> tuple[str, ...]:
    key = place_key(place)
    held_by = holder(s, key)
    note("held_by", "88.32", held_by, place)
    if key not in PORTS:
        return ()
    if faction(s, held_by) == AXIS:
        return (USAT, BRITISH, ITALIAN)
    return (BRITISH,) if held_by_partisans(s, key) else ()


def _told(s: State, touched: str) -> list[str]:
    """The ports of which the loss touches something."""
    return [port for port in PORTS.values() if touched in touched_by_loss(s, port)]


@value(
    "88.32",
    adds_to=diplomatic_points,
    when=lambda s, power: bool(ALLOTMENTS.get(power) and _told(s, ALLOTMENTS[power])),
)
def points_for_egyptian_ports(s: State, power: str) -> int:
    """What the loss of Alexandria and Suez does to British and Italian diplomatic points: by a table that is not
    here.
    """
    note(
        "lost", "88.32", ", ".join(_told(s, ALLOTMENTS.get(power, ""))), power, text="the referee rules how many points"
    )
    return 0


@foresees
def allotments_to_come(s: State) -> Iterator[Foreseen]:
    """At the next year start the loss of a port tells on the allotments, unless it is retaken before."""
    spring = calendar.turn_number(calendar.SPRING, s.year + 1)
    when = calendar.moment(spring, calendar.step_index("year start", "allotments"))
    for power, allotment in ALLOTMENTS.items():
        ports = " and ".join(_told(s, allotment))
        if ports and keeps_brps(s, power):
            told = f"{ports} lost: {allotment} is changed, by a table of another chapter"
            yield Foreseen(when, "88.32", told, power, "egypt", f"{ports} in Allied hands again before then")


@effect("88.32", on=ControlChanged, when=lambda s, changed: not PORTS.keys().isdisjoint(changed.places))
def egyptian_port_changes_hands(p: Proceedings, changed: ControlChanged) -> None:
    """Alexandria or Suez changes hands: what that touches is told, and costs Britain no BRPs."""
    for key in changed.places:
        if key in PORTS:
            touched = touched_by_loss(p.s, key)
            now = f"{' and '.join(touched)} must be adjusted" if touched else "nothing is touched by its loss any more"
            p.do(Reported("egypt", f"{PORTS[key]} changes hands: {now}"))


@tells_of("egypt")
def egyptian_page(s: State) -> Iterator[Told]:
    for key, name in PORTS.items():
        touched = touched_by_loss(s, key)
        told = f"{name} is lost: {', '.join(touched)} are changed by it" if touched else f"{name} is not lost"
        yield Told("88.32", told)
    loss = f"lost to the Axis they touch {USAT}, {BRITISH} and {ITALIAN}, lost to Wafdists only {BRITISH}"
    yield Told("88.32", f"{loss}; by how much stands in another chapter, and is for the referee to rule")
