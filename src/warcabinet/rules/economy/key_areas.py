"""Key economic areas as the spending limits see them: who controls them counts, not what is on the books (35.43)."""

from __future__ import annotations

from warcabinet.kernel.rules import definition, value
from warcabinet.kernel.why import note
from warcabinet.model.names import areas, key_areas
from warcabinet.model.places import area_holder, deciding_places
from warcabinet.model.state import State, correction_note
from warcabinet.rules.alliances import same_faction


@definition("35.51I", "An own key economic area is lost while another alliance faction controls it")
def key_area_lost(s: State, power: str, area: str) -> bool:
    holder = area_holder(s, area)
    if s.corrected:
        told = (correction_note(s, f"control.{place}") for place in deciding_places(area))
        note("holder", "", holder, area, text="; ".join(filter(None, told)))
    return holder not in s.powers or not same_faction(s, holder, power)


@value("35.43", "The value of a power's own key economic areas that are lost; its base is not touched")
def lost_key_areas(s: State, power: str) -> int:
    lost = 0
    for area in key_areas(power):
        if key_area_lost(s, power, area.area):
            note("key_area", area.source, area.brp, area.area)
            lost += area.brp
    return lost


@value("35.22", "The value of the industrial centers that Russia controls")
def controlled_ics(s: State, power: str) -> int:
    worth = 0
    for account, amount in sorted(s.books.get("annual", {}).items()):
        name = account.rpartition("/")[2]
        if account.startswith(f"annual/{power}/") and areas()[name].kind == "ic":
            note("industrial_center", "35.22", amount, name)
            worth += amount
    return worth
