"""What is reported to bring or cost BRPs: countries that join or leave, bombing, the rest (35.45, 35.63, 35.73B)."""

from __future__ import annotations

from warcabinet.board.boxes import boxes
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Outside, Sink, Source, World
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.economy import ReportBombing, ReportBrp
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Closed, EntryPosted, Happened
from warcabinet.model.ledger import entry
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import area_holder, deciding_places
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.books import enter_on_books, move_brps, on_books
from warcabinet.rules.common.diplomacy import promise, promised
from warcabinet.rules.common.taking import changed_hands
from warcabinet.rules.common.war_and_peace import stands_with
from warcabinet.rules.economy.base import base, brps_not_kept
from warcabinet.rules.economy.deferral import remember_sum, share_of_sum
from warcabinet.rules.economy.key_areas import capture_loss, spared_account, spared_by_bombing, spared_entries
from warcabinet.rules.economy.timing import lose_key_area, regain_key_area
from warcabinet.rules.kinds import due, effect, limit, order


def minor_value(cmd: ReportStatus) -> int:
    """What the country brings its power a year: the figure given, or its whole value."""
    return areas()[cmd.country].brp if cmd.brp is None else cmd.brp


@limit("35.62", on=ReportStatus, when=lambda s, cmd: cmd.status in ("penetrated", "controlled"))
def penetration_needs_amount(s: State, cmd: ReportStatus) -> str | None:
    """An economically penetrated or controlled country brings a part of its value: say how much."""
    if cmd.brp is not None:
        return None
    return "say how many BRPs a year the diplomatic result gives"


@limit("35.73B", "A status that names a power needs one, and a neutral country has none", on=ReportStatus)
def status_fits_power(s: State, cmd: ReportStatus) -> str | None:
    needs = cmd.status not in ("neutral", "independent")
    if needs and not cmd.power:
        return f"'{cmd.status}' needs the power that the country is {cmd.status} with or by"
    if not needs and cmd.power:
        return f"a country that is {cmd.status} stands with no power"
    return None


@due("35.73B", "BRPs for a minor country that associates, activates or is penetrated are received")
def minor_pays(p: Proceedings, due_now: Promise[OfArea]) -> int:
    enter_on_books(p, due_now.power, due_now.about, due_now.brp)
    return due_now.brp


@due("35.73B", "BRPs for a minor country that withdraws are lost", sign=-1)
def minor_withdraws(p: Proceedings, due_now: Promise[OfArea]) -> int:
    enter_on_books(p, due_now.power, due_now.about, due_now.brp)
    return due_now.brp


@order("35.63", "Bombing costs BRPs at once, unprorated, and leaves the base alone", on=ReportBombing)
def report_bombing(p: Proceedings, cmd: ReportBombing) -> None:
    note("base_stays", "35.45", base(p.s, cmd.power), cmd.power)
    where = areas()[cmd.area].name if cmd.area else powers()[cmd.power].name
    if cmd.box:
        where = boxes()[cmd.box].name
    move_brps(p, cmd.power, -cmd.brp, f"{cmd.by} of {where}", Sink("brp", cmd.by))
    p.do(Happened(Happening(p.s.moment, "bombed", cmd.area or cmd.power, cmd.brp)))
    if cmd.area and lost_this_turn(p.s, cmd.power, cmd.area):
        p.run(bombed_before_capture, cmd.power, cmd.area)
    if cmd.by == "rockets":
        # Rockets weigh more than bombs where limits on construction fall with the loss (71.321, 72.321).
        p.do(Happened(Happening(p.s.moment, "hit by rockets", cmd.area or cmd.power, cmd.brp)))
    if cmd.box:
        # How much each means took in a box is what construction limits are reckoned from (81.641).
        p.do(Happened(Happening(p.s.moment, f"{cmd.by} on {cmd.box}", cmd.power, cmd.brp)))


def lost_this_turn(s: State, power: str, area: str) -> bool:
    """Whether an own key area of a power has fallen to its enemies in the player turn under way."""
    found = areas()[area]
    if found.kind != "key area" or found.owner != power or stands_with(s, area_holder(s, area), power):
        return False
    before = changed_hands(s)
    return any(stands_with(s, before[key], power) for key in deciding_places(area) if key in before)


@effect("38.25", "Bombing reported after the capture of the same player turn lessens its loss all the same")
def bombed_before_capture(p: Proceedings, power: str, area: str) -> None:
    known = spared_entries(p.s, area).get(spared_account(p.s, area), 0)
    more = spared_by_bombing(p.s, area) - known
    if more <= 0:
        return
    p.do(EntryPosted(entry("bombed before its capture", (spared_account(p.s, area), more), (World("spared"), -more))))
    pending = promised(p.s, lose_key_area, about=area, power=power)
    for it in pending:
        p.do(Closed(it.id, "lapsed", "bombed before its capture"))
        promise(p, lose_key_area, it.due, power, area, -capture_loss(p.s, area))
    # What was regained and has not paid yet was lost before: this capture cost its owner no BRPs.
    lost_before = bool(promised(p.s, regain_key_area, about=area, power=power))
    if not pending and not lost_before and on_books(p.s, power, area) < 0:
        when = calendar.moment(p.s.turn, calendar.step_index(p.s.player, "end of combat phase"))
        back = share_of_sum(p.s, power, more, when)
        move_brps(p, power, back, f"{areas()[area].name}: bombed before its capture", Sink("brp", "bombing"))
        remember_sum(p, power, more, when)


@order("35.45", "Other gains and losses move the level and leave the base alone", on=ReportBrp)
def report_brp(p: Proceedings, cmd: ReportBrp) -> None:
    where = f" in {called(cmd.country)}" if cmd.country else ""
    memo = f"{cmd.cause}{where}: {cmd.note}" if cmd.note else f"{cmd.cause}{where}"
    other: Outside = Source("brp", cmd.cause) if cmd.brp >= 0 else Sink("brp", cmd.cause)
    move_brps(p, cmd.power, cmd.brp, memo, other)


@limit("35.24", "Only BRPs that the scenario keeps can be gained or lost", on=(ReportBrp, ReportBombing))
def reported_brps_are_kept(s: State, cmd: ReportBrp | ReportBombing) -> Refusal | str | None:
    return brps_not_kept(s, cmd.power)
