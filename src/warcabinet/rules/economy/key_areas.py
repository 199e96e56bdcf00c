"""Key economic areas and industrial centers as limits and the year start see them (35.22, 35.43, 37.12, 38).

Limits look at who controls an area; the year start adds up what is on the books.
"""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.kernel.kept import kept, lasting
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Source, Spared
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.ledger import balance
from warcabinet.model.names import Area, areas, key_areas
from warcabinet.model.places import area_holder, deciding_places, default_holders
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, correction_note, total
from warcabinet.rules.common.books import fixed_value, ic_worths, key_area_value
from warcabinet.rules.common.diplomacy import promised
from warcabinet.rules.common.war_and_peace import same_faction
from warcabinet.rules.economy.base import move_kept_brps
from warcabinet.rules.kinds import definition, due, value


@definition("38.11", "An area listed for a power is part of that power's base, and adds nothing to it")
def integral_to_base(s: State, power: str, area: str) -> bool:
    return areas()[area].kind == "key area" and areas()[area].owner == power


@definition("35.51I")
def key_area_lost(s: State, power: str, area: str) -> bool:
    """An own key economic area is lost while another alliance faction controls it, be it only by partisans."""
    holder = area_holder(s, area)
    if s.corrected:
        corrected = (correction_note(s, f"control.{place}") for place in deciding_places(area))
        note("holder", "", holder, area, text="; ".join(filter(None, corrected)))
    lost = holder not in s.powers or not same_faction(s, holder, power)
    if lost:
        note("captured", "38.21", holder, area)
        if power == "china":
            note("objective_lost", "78.41", holder, area)
    return lost


@value("35.43")
def lost_key_areas(s: State, power: str) -> int:
    # Nearly always the owner holds them: then there is nothing to look into.
    """The value of a power's own key economic areas that are lost; its base is not touched."""
    if not s.corrected and _all_in_own_hands(s.control, power):
        return 0
    lost = 0
    for area in key_areas(power):
        in_own_hands = area_holder(s, area.area) == power and not s.corrected
        if not in_own_hands and integral_to_base(s, power, area.area) and key_area_lost(s, power, area.area):
            lost += key_area_value(s, area.area)
    if lost:
        note("limits_lowered", "38.22", lost, power)
    return lost


@kept
def _all_in_own_hands(control: Mapping[str, str], power: str) -> bool:
    """Whether a power controls each of its own key economic areas."""
    first, places = default_holders(), (it for area in key_areas(power) for it in deciding_places(area.area))
    return all((control.get(it) or first.get(it, "")) == power for it in places)


@value("38.25", "BRPs that bombing cost an area in the player turn of its capture are not lost a second time")
def spared_by_bombing(s: State, area: str) -> int:
    return min(total(s, "bombed", area, "player turn"), areas()[area].brp)


@value("38.22")
def capture_loss(s: State, area: str) -> int:
    """What the owner of a captured key economic area loses, before prorating, less what bombing cost it before."""
    spared = spared_by_bombing(s, area)
    if spared:
        note("bombed_before", "38.25", -spared, area)
    return key_area_value(s, area) - spared


def spared_account(s: State, area: str) -> Spared:
    """Where it is written down that bombing came before a capture: how much, and in whose player turn."""
    return Spared(area, s.turn, s.player)


def spared_entries(s: State, area: str) -> dict[Spared, int]:
    found = s.ledger.of("spared", area).items()
    return {account: brp for account, brp in found if isinstance(account, Spared)}


@value("38.25", "By how much less than their full value lost areas lower this turn's construction limit")
def spared_construction(s: State, power: str) -> int:
    if not telling() and not s.ledger.unit("spared"):
        return 0  # nearly always: nothing has been bombed before its capture
    lost = (area.area for area in key_areas(power) if key_area_lost(s, power, area.area))
    # Bombing before a capture tells for a full turn, up to the captor's next player turn (R-0306).
    spared = (
        (calendar.moment(of.turn + 1, calendar.first_step(of.player)), brp)
        for it in lost
        for of, brp in spared_entries(s, it).items()
    )
    return sum(brp for until, brp in spared if s.moment < until)


@definition("38.24", "After France or Italy has surrendered, its key economic areas are conquests like any other")
def owner_out_of_the_war(s: State, area: str) -> bool:
    owner = areas()[area].owner
    return owner in ("france", "italy") and s.powers[owner].surrendered


@due("37.62", "A new IC adds its ten BRPs as unit construction starts, unprorated", prorated=False)
def new_ic_pays(p: Proceedings, due_now: Promise[OfArea]) -> None:
    move_kept_brps(p, "russia", due_now.brp, f"new {areas()[due_now.about].name}", Source("brp", "mobilization"))


@lasting
def ics() -> tuple[Area, ...]:
    return tuple(area for area in areas().values() if area.kind == "ic")


@value("35.22", "The value of the industrial centers that Russia controls")
def controlled_ics(s: State, power: str) -> int:
    total_worth, worths = 0, ic_worths(s)
    for area in ics():
        worth = worths.get(area.area)
        if worth and _counts_for(s, power, area.area):
            note("industrial_center", "37.12", worth, area.area)
            if promised(s, new_ic_pays, about=area.area):
                note("new_industrial_center", "37.64", "counts in the turn of its construction", area.area)
            total_worth += worth
    return total_worth


def _counts_for(s: State, power: str, area: str) -> bool:
    """Control decides; an IC that never fell is also Russian where a position only says that it is on the books."""
    if fixed_value(s, area):
        return area_holder(s, area) == power
    return balance(s.ledger, Annual(power, area)) > 0
