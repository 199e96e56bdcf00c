"""What is reported to bring or cost BRPs: countries that join or leave, bombing, the rest; what a power that has
surrendered still has and what comes back with it (35.45, 35.63, 35.73B, 83.43, R-0443).

What a surrender puts away waits in accounts named after the power, so that a return to the war finds it there.
"""

from __future__ import annotations

from warcabinet.board.boxes import boxes
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Base, Brp, Outside, Sink, Source, World
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.economy import ReportBombing, ReportBrp
from warcabinet.model.commands.forces import Mobilize, TriggerDeferred
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Closed, EntryPosted, Happened, PowerChanged
from warcabinet.model.happenings import HitInBox, befell
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, called, key_areas, powers
from warcabinet.model.places import area_holder, deciding_places
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.rules.common.books import books_of, enter_on_books, ic_value, move_brps, on_books, out_of_the_economy
from warcabinet.rules.common.diplomacy import changed_hands, lapse, promise, promised
from warcabinet.rules.common.moments import end_of_diplomacy
from warcabinet.rules.common.war_and_peace import opponents, stands_with
from warcabinet.rules.economy.base import base, keeps_brps, level
from warcabinet.rules.economy.deferral import prorated, remember_sum, share_of_sum
from warcabinet.rules.economy.key_areas import capture_loss, spared_account, spared_by_bombing, spared_entries
from warcabinet.rules.economy.spending import construction_base
from warcabinet.rules.economy.timing import lose_area, lose_key_area, receive_conquest, regain_key_area
from warcabinet.rules.kinds import due, effect, limit, order, value


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
        return "a country of that status stands with a power: say which"
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


def _may_bomb(s: State, enemy: str, area: str) -> bool:
    """Whether a power has aircraft in the theater of an area: no way leads Japan or the European Axis to the other."""
    closed = "europe" if enemy == "japan" else "pacific" if s.powers[enemy].faction == "axis" else ""
    return not area or areas()[area].theater != closed


@limit("35.63", on=ReportBombing, when=lambda s, cmd: not cmd.box and cmd.area not in COMMONWEALTH_BOXES)
def bombed_by_an_enemy(s: State, cmd: ReportBombing) -> str | None:
    """What is bombed belongs to a power that is at war with somebody who can bomb it (R-3150)."""
    enemies = [it for it in opponents(s, cmd.power) if it in powers()]
    if any(_may_bomb(s, it, cmd.area) for it in enemies):
        return None
    where = f" in the theater of {called(cmd.area)}" if cmd.area and enemies else ""
    return f"{called(cmd.power)} has no enemy{where} whose aircraft or rockets could bomb it"


@order("35.63", "Bombing costs BRPs at once, unprorated, and leaves the base alone", on=ReportBombing)
def report_bombing(p: Proceedings, cmd: ReportBombing) -> None:
    note("base_stays", "35.45", base(p.s, cmd.power), cmd.power)
    where = areas()[cmd.area].name if cmd.area else powers()[cmd.power].name
    if cmd.box:
        where = boxes()[cmd.box].name
    if keeps_brps(p.s, cmd.power):
        move_brps(p, cmd.power, -cmd.brp, f"{cmd.by} of {where}", Sink("brp", cmd.by))
    p.do(Happened(Happening(p.s.moment, "bombed", cmd.area or cmd.power, cmd.brp)))
    if cmd.area and lost_this_turn(p.s, cmd.power, cmd.area):
        p.run(bombed_before_capture, cmd.power, cmd.area)
    if cmd.by == "rockets":
        # Rockets weigh more than bombs where limits on construction fall with the loss (71.321, 72.321).
        p.do(Happened(Happening(p.s.moment, "hit by rockets", cmd.area or cmd.power, cmd.brp)))
    if cmd.box:
        # How much each means took in a box is what construction limits are reckoned from (81.641).
        p.do(befell(p.s, HitInBox(cmd.by, cmd.box, cmd.power), cmd.brp))


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
    for it in promised(p.s, receive_conquest, lose_area, minor_pays, minor_withdraws, power=power):
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
        enter_on_books(p, held_by, area.area, -on_books(p.s, held_by, area.area))
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
