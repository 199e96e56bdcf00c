"""What no move may bring about, each by the clause that rules it out; an invariant yields what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec

from warcabinet.game.engine import GameRecord
from warcabinet.game.journal import replayed, unbalanced
from warcabinet.kernel.clause import cite
from warcabinet.model.accounts import Annual
from warcabinet.model.names import StatusName, areas, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.state import State
from warcabinet.model.traits import LARGE, PARTS
from warcabinet.rules.common.books import holders_of, joint_holder, out_of_the_economy, retaken, worth
from warcabinet.rules.common.diplomacy import HOLDS, has_conquest
from warcabinet.rules.common.pieces import BOUND
from warcabinet.rules.common.war_and_peace import partners, stands_with

STATUSES = set(get_args(StatusName))
# What a country may become next; a colony may always return to its owner. A conquered country stays one, whoever
# holds it, but for the Ukraine, which can rise as an ally (R-0467); the Commonwealth leaves only by surrender (71.5).
_FREE = ("independent", "penetrated", "controlled", "associated", "allied", "conquered")
NEXT: dict[str, tuple[str, ...]] = {
    # An associate or ally is what it was where an activation is negated, Luxembourg's with Belgium's (85.341).
    **dict.fromkeys(("neutral", "independent", "penetrated", "controlled", *BOUND), ("neutral", *_FREE)),
    **dict.fromkeys(("conquered", "colony"), ("conquered", "colony", "associated", "allied")),
    "commonwealth": ("conquered",),
}


class Deed(msgspec.Struct, frozen=True):
    """An accepted command: the state before and after it, and what was recorded."""

    before: State
    after: State
    command: dict[str, Any]
    records: tuple[GameRecord, ...]


class Wrong(msgspec.Struct, frozen=True):
    """What an invariant finds wrong: in which area or matter, and the figures as they should be, if any."""

    about: str
    text: str
    should_be: dict[str, Any] = {}


class Invariant(msgspec.Struct, frozen=True):
    name: str
    clause: str
    gist: str
    check: Callable[[Deed], Iterator[Wrong]]


INVARIANTS: dict[str, Invariant] = {}


def invariant(clause: str, gist: str) -> Callable[[Callable[[Deed], Iterator[Wrong]]], Invariant]:
    """Make an invariant of a function, by a clause that there is."""

    def made(check: Callable[[Deed], Iterator[Wrong]]) -> Invariant:
        name = check.__name__
        INVARIANTS[name] = Invariant(name, cite(clause), gist, check)
        return INVARIANTS[name]

    return made


# -- the engine's own -----------------------------------------------------------------------------------------------


@invariant("35.61", "Points and pieces come from somewhere and go somewhere")
def balanced(deed: Deed) -> Iterator[Wrong]:
    for unit, amount in unbalanced(deed.after).items():
        yield Wrong(unit, f"{amount:+} came from nowhere")


@invariant("WC.2", "What was recorded is all that happened")
def recorded(deed: Deed) -> Iterator[Wrong]:
    if replayed(deed.before, deed.records) != deed.after:
        yield Wrong("records", "the records lead to another state")


@invariant("35.73A", "What falls due is settled when it does")
def settled(deed: Deed) -> Iterator[Wrong]:
    for it in deed.after.agenda:
        if it.due < deed.after.moment and it.opened != deed.after.moment:
            yield Wrong(it.about, f"{it.effect} for {it.power} is overdue")


# -- status ---------------------------------------------------------------------------------------------------------


@invariant("82.11", "Every country has a status that the rules know, and came to it in a way that they know")
def known_status(deed: Deed) -> Iterator[Wrong]:
    for name, standing in deed.after.countries.items():
        was = deed.before.countries[name]
        if was is standing or (was.status, was.by) == (standing.status, standing.by):
            continue  # as it was, or reported as it was
        # Bessarabia and the border hexes become part of their country again when they are retaken in time.
        rejoins = name in PARTS and standing.status == "neutral"
        # The Ukraine is a Russian colony again when Russia takes Kiev from a German ally.
        rejoins = rejoins or (standing.status, standing.by) == ("colony", areas()[name].owner)
        if standing.status not in STATUSES or not (standing.status in NEXT[was.status] or rejoins):
            yield Wrong(name, f"{was.status} became {standing.status}")
        if not standing.clause or not standing.reason:
            yield Wrong(name, f"{standing.status} for no reason")
        if standing.status not in ("neutral", "independent", "conquered") and standing.by not in powers():
            yield Wrong(name, f"{standing.status} by {standing.by or 'nobody'}")


@invariant("83.61", "Nobody conquers from a friend; a partner's conquest passes only where it was retaken this turn")
def no_conquest_from_friends(deed: Deed) -> Iterator[Wrong]:
    after = deed.after
    for name, standing in after.countries.items():
        was = deed.before.countries[name]
        # A country that surrendered is held by whoever has its capital, its former power too (85.52).
        fell = was is not standing and standing.clause == "83.11" and standing.by in powers()
        # Partisans conquer for nobody: the country stays on the side of the power it was with (83.11, 83.61).
        if deed.command.get("by_rule") or not fell or area_holder(after, name) == PARTISANS:
            continue
        if was.status not in HOLDS or not (was.by == standing.by or partners(after, was.by, standing.by)):
            continue
        whole = after.countries[PARTS[name]] if name in PARTS else None
        passed = was.status in ("conquered", "colony") and has_conquest(after, name) == standing.by
        if not passed or (whole is not None and whole.by == standing.by):
            yield Wrong(name, f"{standing.by} conquered it from {was.by}, its friend ({was.status})")


@invariant("83.43", "No country joins a power that has surrendered, but for Britain (R-0443)")
def joins_a_power_in_the_war(deed: Deed) -> Iterator[Wrong]:
    for name, standing in deed.after.countries.items():
        was = deed.before.countries[name]
        joins = standing.status in BOUND and standing.by != was.by and not deed.command.get("by_rule")
        if was is not standing and joins and out_of_the_economy(deed.after, standing.by):
            yield Wrong(name, f"{standing.status} with {standing.by}, which has surrendered")


# -- books ----------------------------------------------------------------------------------------------------------


def counted(s: State) -> dict[str, dict[str, int]]:
    """Who has which positive yearly value on his books, area by area."""
    found: dict[str, dict[str, int]] = {}
    for account, amount in s.ledger.items():
        if isinstance(account, Annual) and amount > 0:
            found.setdefault(account.area, {})[account.power] = amount
    return found


@invariant("83.31A", "An area counts for one power only, so no faction holds the same BRPs twice")
def counted_once(deed: Deed) -> Iterator[Wrong]:
    books = counted(deed.after)
    for name, by_power in books.items():
        if len(by_power) > 1:
            yield Wrong(name, f"on several books: {by_power}")
    for part, whole in PARTS.items():
        both = sum(sum(books.get(name, {}).values()) for name in (part, whole))
        if both > areas()[whole].brp + areas()[part].brp:
            yield Wrong(part, f"{both} BRPs with {whole}, more than both are worth")


@invariant("82.21", "An area counts for no more than its value or the most that a diplomatic result gives")
def no_more_than_worth(deed: Deed) -> Iterator[Wrong]:
    for name, by_power in counted(deed.after).items():
        area = areas()[name]
        # Industrial centers rise to twenty (37.63); a conquered major power brings what another chapter says.
        most = max(area.brp, 20 if name in LARGE or area.kind == "ic" else 10)
        if area.kind != "major" and sum(by_power.values()) > most:
            yield Wrong(name, f"{by_power}, more than {most}", {f"books.{it}.{name}": most for it in by_power})


@invariant("87.22", "What is worth nothing pays nothing")
def worthless_pays_nothing(deed: Deed) -> Iterator[Wrong]:
    s = deed.after
    for name, by_power in counted(s).items():
        area = areas()[name]
        for power, brp in by_power.items():
            # An IC has no printed value (37.11); what is to be settled is still on the books until then (35.73).
            nothing = area.brp == 0 or (area.owner != power and worth(s, name) == 0 and not _unsettled(s, name))
            # What a conquered major power brings is another chapter's, and reported.
            if area.kind not in ("ic", "major") and nothing:
                yield Wrong(name, f"{power} counts {brp} BRPs for it", {f"books.{power}.{name}": 0})


@invariant("83.31B", "Each BRP on the books is there by control or status, or its loss is due")
def explained(deed: Deed) -> Iterator[Wrong]:
    s = deed.after
    for name, by_power in counted(s).items():
        for power, brp in by_power.items():
            if not (_by_control(s, power, name) or _by_status(s, power, name) or _unsettled(s, name)):
                held = "/".join(dict.fromkeys(holders_of(s, name)))
                now = s.countries.get(name)
                told = f", {now.status} by {now.by or 'nobody'}" if now else ""
                text = f"{power} counts {brp} BRPs for it, which {held} holds{told}; nothing is due"
                yield Wrong(name, text, {f"books.{power}.{name}": 0})


def _unsettled(s: State, area: str) -> bool:
    return any(it.about == area for it in s.agenda)


def _by_control(s: State, power: str, area: str) -> bool:
    """Whoever holds it; and who lost it but has its capital or a key city again (83.31B)."""
    return joint_holder(s, area) == power or retaken(s, power, area) or not holders_of(s, area)


def _by_status(s: State, power: str, area: str) -> bool:
    """By a status that brings BRPs, while no enemy has the capital or all key cities (83.11, 83.31B)."""
    standing = s.countries.get(area)
    if standing is None:
        return False
    # A power that attacks what a result gave it has the BRPs until the country joins another (82.35, R-0212).
    if standing.clause == "82.35":
        return True
    brings = standing.by == power and standing.status in (*HOLDS, "penetrated")
    return brings and any(_friendly(s, it, power) for it in holders_of(s, area))


def _friendly(s: State, holder: str, power: str) -> bool:
    """Whether a holder takes nothing from a power: one of its faction, or the country that is with it.

    A partner that surrendered is no opponent either; what it holds is not conquered (83.31B, 84.48).
    """
    return stands_with(s, holder, power) or holder in s.countries
