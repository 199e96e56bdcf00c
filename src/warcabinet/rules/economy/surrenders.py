"""What a power that has surrendered still has, what its captors get, and what comes back with it (83.43, R-0443).

What is put away waits in accounts named after the power, so that a return to the war finds it there.
"""

from __future__ import annotations

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.accounts import Annual, Base, Brp, Sink
from warcabinet.model.commands.forces import Mobilize, TriggerDeferred
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.events import Closed, EntryPosted, PowerChanged
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, key_areas, powers
from warcabinet.model.places import area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.books import books_of, enter_on_books, ic_value, on_books, out_of_the_economy
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import end_of_diplomacy
from warcabinet.rules.common.war_and_peace import stands_with
from warcabinet.rules.economy.base import base, level
from warcabinet.rules.economy.deferral import prorated
from warcabinet.rules.economy.key_areas import capture_loss
from warcabinet.rules.economy.reported import minor_pays, minor_withdraws
from warcabinet.rules.economy.spending import construction_base
from warcabinet.rules.economy.timing import lose_area, receive_conquest, regain_key_area
from warcabinet.rules.kinds import effect, limit, value

COMES_NO_MORE = (receive_conquest, lose_area, minor_pays, minor_withdraws)


def _base_of(power: str) -> Sink:
    return Sink("base", f"surrender of {power}")


def _book_of(power: str, area: str) -> Sink:
    return Sink("annual", f"surrender of {power} {area}")


@effect(
    "83.43",
    on=PowerChanged,
    when=lambda s, changed: changed.surrendered is True and out_of_the_economy(s, changed.power),
)
def economy_ends(p: Proceedings, changed: PowerChanged) -> None:
    """A power that surrenders has no economy any more: base, BRPs, books and what was promised to it (R-0443)."""
    power, memo = changed.power, f"{powers()[changed.power].name} surrenders"
    for it in promised(p.s, *COMES_NO_MORE, power=power):
        p.do(Closed(it.id, "lapsed", memo))
    for area, brp in books_of(p.s, power).items():
        # What an industrial center is worth stands on the books (37.11), and lost key areas wait there for a return.
        if brp > 0 and areas()[area].kind != "ic":
            p.do(EntryPosted(entry(memo, (Annual(power, area), -brp), (_book_of(power, area), brp))))
    if now := base(p.s, power):
        p.do(EntryPosted(entry(memo, (Base(power), -now), (_base_of(power), now))))
    if left := level(p.s, power):
        p.do(EntryPosted(entry(memo, (Brp(power), -left), (Sink("brp", "surrender"), left))))


@effect("83.43", on=PowerChanged, when=lambda s, changed: changed.surrendered is False)
def economy_returns(p: Proceedings, changed: PowerChanged) -> None:
    """A power that returns to the war has its base again, and on its books what it still holds (R-0443)."""
    power, memo = changed.power, f"{powers()[changed.power].name} is in the war again"
    if put_away := balance(p.s.ledger, _base_of(power)):
        p.do(EntryPosted(entry(memo, (Base(power), put_away), (_base_of(power), -put_away))))
    for area in areas():
        brp = balance(p.s.ledger, _book_of(power, area))
        if brp and still_its_own(p.s, power, area):
            p.do(EntryPosted(entry(memo, (Annual(power, area), brp), (_book_of(power, area), -brp))))


@effect("38.24", on=PowerChanged, when=lambda s, changed: bool(changed.faction))
def regained_by_joining(p: Proceedings, changed: PowerChanged) -> None:
    """Own key economic areas that its new faction has retaken are regained by a power that joins it (R-0492)."""
    power = changed.power
    for area in key_areas(power):
        held_by = area_holder(p.s, area.area)
        lost = on_books(p.s, power, area.area)
        if lost >= 0 or held_by == power or not stands_with(p.s, held_by, power):
            continue
        lapse(p, area.area, f"{powers()[power].name} regains it", receive_conquest, power=held_by)
        if had := on_books(p.s, held_by, area.area):
            enter_on_books(p, held_by, area.area, -had)
        promise(p, regain_key_area, end_of_diplomacy(p.s), power, area.area, -lost)


def still_its_own(s: State, power: str, area: str) -> bool:
    """Whether a power holds what it had on its books, and nobody else has it on theirs."""
    counted = any(on_books(s, other, area) > 0 for other in powers())
    return area_holder(s, area) == power and not counted


@limit("83.43", on=(DeclareWar, Mobilize, TriggerDeferred), when=lambda s, cmd: s.powers[cmd.power].surrendered)
def surrendered_power_rests(s: State, cmd: DeclareWar | Mobilize | TriggerDeferred) -> str | None:
    """A power that has surrendered mobilizes nothing and declares no war before it returns (R-0443)."""
    return f"{powers()[cmd.power].name} has surrendered" if out_of_the_economy(s, cmd.power) else None


def owner_of(area: str) -> str:
    """Who loses by the capture: the original owner of a key area, Russia for an industrial center."""
    found = areas()[area]
    if found.kind not in ("key area", "ic"):
        raise WarCabinetError(f"{found.name} is neither a key economic area nor an industrial center")
    return found.owner or "russia"


def _at_stake(s: State, area: str) -> int:
    """What the owner would lose a year; nothing if the area is in other hands already."""
    if not stands_with(s, area_holder(s, area), owner_of(area)):
        return 0
    return capture_loss(s, area) if areas()[area].kind == "key area" else ic_value(s, area)


def _counted(s: State, area: str) -> bool:
    """Whether the area counts for its owner: not what it has regained and is yet to be paid for, nor in surrender."""
    owner = owner_of(area)
    if out_of_the_economy(s, owner):
        return False
    on_its_books = on_books(s, owner, area)
    return on_its_books >= 0 if areas()[area].kind == "key area" else on_its_books > 0


@value("38.22", "BRPs that the owner would lose this turn if its key economic area or industrial center were captured")
def loss_if_captured(s: State, area: str) -> int:
    at_stake = _at_stake(s, area)
    return -prorated(s, -at_stake) if at_stake and _counted(s, area) else 0


@value("38.22", "The owner's construction limit if its key economic area or industrial center were captured")
def construction_limit_if_captured(s: State, area: str) -> int:
    at_stake = _at_stake(s, area)
    return max(0, (construction_base(s, owner_of(area)) - at_stake) // 3)
