"""What changed between two positions of one sitter, so that a page receives that and not the position again.

What never changes does not travel twice: of lists whose lines have a name, only the lines that are other now; of
short ones the whole list. The page puts them together again in `static/changes.js`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from warcabinet.model.pieces import Stack
from warcabinet.web.map.enemies import Unreported
from warcabinet.web.map.hands import Deed
from warcabinet.web.map.standing import Nation
from warcabinet.web.map.waters import WaterLine
from warcabinet.web.orders.offer_list import OfferLine, offer_key
from warcabinet.web.sheets.agenda_lines import AgendaLine
from warcabinet.web.sheets.position_view import (
    Clock,
    CountryLine,
    PositionView,
    PowerCard,
    RefereeRuling,
    TrackLevel,
    WaitLine,
    WarLine,
)

T = TypeVar("T")


class PositionChanges(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is other than it was. What is absent has not changed."""

    move: int
    clock: Clock | None = None
    waits: tuple[WaitLine, ...] | None = None
    moving: tuple[str, ...] | None = None
    may_advance: bool | None = None
    tracks: tuple[TrackLevel, ...] | None = None
    wars: tuple[WarLine, ...] | None = None
    waters: tuple[WaterLine, ...] | None = None
    unreported: tuple[Unreported, ...] | None = None
    nations: dict[str, Nation] | None = None
    worn: dict[str, str] | None = None
    by_hand: tuple[Deed, ...] | None = None
    transports: dict[str, int] | None = None
    rulings: tuple[RefereeRuling, ...] | None = None
    readings: dict[str, str] | None = None
    #: Cards and countries that are other now.
    powers: tuple[PowerCard, ...] = ()
    countries: tuple[CountryLine, ...] = ()
    #: Hexes in other hands; null where nobody is reported any more.
    control: dict[str, str | None] = {}
    #: Stacks that are other now; a count of 0 where they are gone.
    pieces: tuple[Stack, ...] = ()
    #: Lines of the agenda that are other now, and the whole order of the agenda by their ids.
    agenda: tuple[AgendaLine, ...] = ()
    agenda_order: tuple[str, ...] | None = None
    #: Offers that are other now; `all_offers` says that they are the whole list.
    offers: tuple[OfferLine, ...] = ()
    all_offers: bool = False


def changes(old: PositionView, new: PositionView) -> PositionChanges:
    """What a page that shows the old position needs to show the new one."""
    whole = [offer_key(it) for it in old.offers] != [offer_key(it) for it in new.offers]
    order = tuple(it.id for it in new.agenda)
    return PositionChanges(
        move=new.move,
        clock=_other(old.clock, new.clock),
        waits=_other(old.waits, new.waits),
        moving=_other(old.moving, new.moving),
        may_advance=_other(old.may_advance, new.may_advance),
        tracks=_other(old.tracks, new.tracks),
        wars=_other(old.wars, new.wars),
        waters=_other(old.waters, new.waters),
        unreported=_other(old.unreported, new.unreported),
        nations=_other(old.nations, new.nations),
        worn=_other(old.worn, new.worn),
        by_hand=_other(old.by_hand, new.by_hand),
        transports=_other(old.transports, new.transports),
        rulings=_other(old.rulings, new.rulings),
        readings=_other(old.readings, new.readings),
        powers=_lines(old.powers, new.powers, lambda it: it.power),
        countries=_lines(old.countries, new.countries, lambda it: it.id),
        control={
            key: new.control.get(key)
            for key in {**old.control, **new.control}
            if old.control.get(key) != new.control.get(key)
        },
        pieces=(*_lines(old.pieces, new.pieces, _stack), *_gone(old.pieces, new.pieces)),
        agenda=_lines(old.agenda, new.agenda, lambda it: it.id),
        agenda_order=None if order == tuple(it.id for it in old.agenda) else order,
        offers=new.offers if whole else _lines(old.offers, new.offers, offer_key),
        all_offers=whole,
    )


def _other(old: T, new: T) -> T | None:
    return None if old == new else new


def _lines(old: Iterable[T], new: Iterable[T], key: Callable[[T], Hashable]) -> tuple[T, ...]:
    """The lines that are new, or other than the line of the same name was."""
    before = {key(it): it for it in old}
    return tuple(it for it in new if before.get(key(it)) != it)


def _stack(it: Stack) -> tuple[str, str, str]:
    return it.nation, it.place, it.unit


def _gone(old: Iterable[Stack], new: Iterable[Stack]) -> tuple[Stack, ...]:
    here = {_stack(it) for it in new}
    return tuple(replace(it, count=0) for it in old if _stack(it) not in here)
