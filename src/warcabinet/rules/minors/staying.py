"""Units of minor countries stay on the map, or at home, until they are eliminated (82.51, 84.46B)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Happened
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened_to, total
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, EUROPEAN_FRENCH_COLONIES, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import country_of
from warcabinet.rules.common.presence import excused
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.lent import in_own_colony
from warcabinet.rules.minors.parts import forces_gone

#: The steps in which units no longer move: who goes elsewhere in them is redeployed.
AFTER_COMBAT = ("unit construction", "redeployment", "end of player turn")
OFF_MAP = "off the map"
LEFT = "left a place"
#: Nations of the Pacific whose forces stay at home (84.46B).
ASIANS = ("philippines", "thailand", DUTCH)
#: Commonwealth units are British ones (82.13), and China's Communists no Europeans: where they are is only kept.
ELSEWHERE = ("communist_china", *COMMONWEALTH_BOXES)
#: Whose units may have left the map; of Vichy ones chapters tell that are played outside (77).
MAY_LEAVE = (VICHY, *ELSEWHERE)


def stand_still(s: State, nation: str) -> str | None:
    """Why nobody moves the Thais while Thailand is neutral: it has no player turn of any kind yet (R-2470)."""
    if nation != "thailand" or s.countries[nation].status != "neutral":
        return None
    return "Thailand is neutral: its units stand where they were set up until it joins Japan or is attacked"


def _counted(cmd: ReportUnits) -> bool:
    european = cmd.nation in countries() and countries()[cmd.nation].theater == "europe"
    known = (european and cmd.nation not in EUROPEAN_FRENCH_COLONIES) or cmd.nation in (*ASIANS, *ELSEWHERE)
    return known and parse_unit(cmd.unit)[0].branch in ("ground", "air", "naval")


def units_off_map(s: State, nation: str, unit: str) -> int:
    """Units of a kind that were reported to leave a place in this player turn and have come to no other."""
    return total(s, OFF_MAP, f"{nation} {unit}", "player turn")


def places_left(s: State, nation: str, unit: str) -> list[str]:
    """The places that units of a kind were reported to leave in this player turn."""
    left = (it.split(" ", 2) for it in happened_to(s, (LEFT,), "player turn"))
    return [place for of, place, kind in left if (of, kind) == (nation, unit)]


def stands_again(s: State, cmd: ReportUnits) -> bool:
    """Whether units are where they left from, as the only ones of their kind that left: they have gone nowhere."""
    return set(places_left(s, cmd.nation, cmd.unit)) == {place_key(cmd.at)}


def left_from(s: State, country: str, nation: str, unit: str) -> int:
    """Units of a kind that were reported to leave a colony in this player turn, and that nobody came back for."""
    return total(s, f"{OFF_MAP} from {country}", f"{nation} {unit}", "player turn")


def _keep_colony(p: Proceedings, cmd: ReportUnits) -> None:
    """Who left a colony may stand elsewhere in it, though nobody else comes there (84.46A, R-2140)."""
    country = land(place_key(cmd.at))[0]
    if not in_own_colony(p.s, cmd.nation, cmd.at):
        return
    back = min(left_from(p.s, country, cmd.nation, cmd.unit), max(cmd.count, 0))
    change = -cmd.count if cmd.count < 0 else -back
    if change:
        units = f"{cmd.nation} {cmd.unit}"
        p.do(Happened(Happening(p.s.moment, f"{OFF_MAP} from {country}", units, change)), "84.46A")


def keep_count(p: Proceedings, cmd: ReportUnits) -> None:
    """What leaves a place without being lost, and by no rule outside these documents, must come to another.

    Of some it is only kept: whether they may leave the map is told in chapters that are played outside.
    """
    if not _counted(cmd) or cmd.lost or cmd.unsupplied:
        return
    _keep_colony(p, cmd)
    off = units_off_map(p.s, cmd.nation, cmd.unit)
    change = -cmd.count if cmd.count < 0 and not excused(cmd) else -min(off, max(cmd.count, 0))
    if change:
        p.do(Happened(Happening(p.s.moment, OFF_MAP, f"{cmd.nation} {cmd.unit}", change)), "82.51")
    if change > 0:
        p.do(Happened(Happening(p.s.moment, LEFT, f"{cmd.nation} {place_key(cmd.at)} {cmd.unit}", change)), "82.51")


def _missing(s: State) -> dict[str, str]:
    """The units, by nation and kind, that left a place and stand nowhere, with their nation."""
    found = (it.partition(" ") for it in happened_to(s, (OFF_MAP,), "player turn"))
    return {
        f"{units_off_map(s, nation, unit)} {unit} of {called(nation)}": nation
        for nation, _, unit in found
        if not _may_leave(s, nation) and units_off_map(s, nation, unit) > 0 and not _out_of_play(s, nation)
    }


def _may_leave(s: State, nation: str) -> bool:
    """Whether units may have left the map; a British surrender takes none of the Commonwealth's (82.13D)."""
    return nation in MAY_LEAVE and not (nation in COMMONWEALTH_BOXES and s.powers["britain"].surrendered)


def _out_of_play(s: State, nation: str) -> bool:
    return forces_gone(s, nation) or s.countries[country_of(s, nation)].status == "conquered"


@limit(
    "82.51", on=Advance, when=lambda s, cmd: bool(happened_to(s, (OFF_MAP,), "player turn")), also=("82.13D", "84.46B")
)
def units_stay_on_map(s: State, cmd: Advance) -> Refusal | None:
    """Units of a minor country that left a place stand at another before play goes on, or were eliminated."""
    missing = _missing(s)
    if not missing:
        return None
    nations = set(missing.values())
    clause = "84.46B" if nations <= set(ASIANS) else "82.13D" if nations <= set(COMMONWEALTH_BOXES) else "82.51"
    return Refusal(clause, f"say where they are now, or that they were lost (report_units): {', '.join(missing)}")
