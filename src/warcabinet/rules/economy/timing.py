"""Gains and losses in the course of play and the moment at which each falls due; levels reached (35.6, 35.73)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.accounts import Source, World
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.events import AreaTaken, Closed, ControlChanged, EntryPosted, Happened, TrackMoved
from warcabinet.model.happenings import LostBy, PassedOn, befell
from warcabinet.model.ledger import entry
from warcabinet.model.names import areas, powers
from warcabinet.model.places import PARTISANS, Place, area_holder, areas_decided_by, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import DUTCH, EUROPEAN_FRENCH_COLONIES, PARTS, VICHY
from warcabinet.rules.common import books, diplomacy
from warcabinet.rules.common.diplomacy import areas_at, lapse, promise, promised
from warcabinet.rules.common.moments import captured_before, next_turn_of, reading_in_force, step_of, turn_to_retake
from warcabinet.rules.common.pieces import BOUND
from warcabinet.rules.common.presence import keep_excuse
from warcabinet.rules.common.war_and_peace import at_war, partners, player_of, same_faction, stands_with, vichy_colony
from warcabinet.rules.economy import key_areas
from warcabinet.rules.economy.base import base, keeps_brps, track
from warcabinet.rules.economy.deferral import remember_sum, share_of_sum
from warcabinet.rules.kinds import definition, due, effect, order, remembered


def conquest_moment(s: State, power: str, area: str) -> int:
    """When a conquest's BRPs come: in the conqueror's next turn, or after a winter turn in the year start.

    An area that an Axis power has on its books and the Allies take in winter is contested: they wait for spring. A key
    economic area must be held through the opposing player turn, which for the Allies is in spring too (38.23, R-0304).
    """
    # Told only in the Axis player turn that follows, what the Allies took pays in the Allied one to come (R-2550).
    late = s.player == "axis" and captured_before(s, power)
    following = s.turn if late else s.turn + 1
    if s.season == calendar.WINTER and not late and not waits_for_spring(s, power, area):
        return calendar.moment(following, calendar.first_step("year start"))
    return calendar.moment(following, step_of(power, "end of diplomatic phase"))


def waits_for_spring(s: State, power: str, area: str) -> bool:
    """Whether an Allied winter conquest misses the year start."""
    if player_of(power) == "axis":
        return False
    if areas()[area].kind == "key area" and reading_in_force(s, "R-0304") == "a":
        return True
    coming = {it.power for it in promised(s, receive_conquest, about=area)}
    axis = (other for other in powers() if player_of(other) == "axis")
    # What a diplomatic result brought goes at once (82.22): nobody has a spring turn to retake it.
    axis = (other for other in axis if not diplomacy.loses_diplomatic_brps(s, other, area, power))
    booked = (area, _counts_within(s, area))
    contested = any(other in coming or any(books.on_books(s, other, it) > 0 for it in booked) for other in axis)
    return contested or reading_in_force(s, "R-0042") == "b"


def _counts_within(s: State, area: str) -> str:
    """The country within which an area stands on the books: what Russia cut off, or a Vichy colony (85.491, 85.493)."""
    joined = s.countries[VICHY].status in (*BOUND, "conquered")
    if joined and area in EUROPEAN_FRENCH_COLONIES and vichy_colony(s, area):
        return VICHY
    return PARTS.get(area, area)


def take_places(p: Proceedings, gone_to: dict[str, str], shared: tuple[str, ...] = ()) -> None:
    """Let places change hands, and with them every area whose holder they decide.

    Before anything follows from it, what partners took together goes to the senior one: in the areas in which the
    places lie, and in those that are `shared` because someone's part in their taking has become known.
    """
    decided = {area for key in gone_to for area in areas_decided_by(key)}
    touched = sorted(decided | {area for key in diplomacy.changed_hands(p.s) for area in areas_decided_by(key)})
    was = {area: books.joint_holder(p.s, area) for area in touched if books.in_being(p.s, area)}
    for key in (Place(it) for it, by in gone_to.items() if by == PARTISANS):
        p.run(diplomacy.partisans_take_from, key, holder(p.s, key))
    for by in dict.fromkeys(gone_to.values()):
        p.do(ControlChanged(tuple(key for key in gone_to if gone_to[key] == by), by))
    for area in sorted({*shared, *(it for key in gone_to for it in areas_at(key))}):
        p.run(senior_takes, area)
    for area, held_by in was.items():
        now = books.joint_holder(p.s, area)
        if now != held_by and now:
            p.do(AreaTaken(area, held_by, now))
        elif not now and area in decided:
            taken = AreaTaken(area, held_by, next(by for key, by in gone_to.items() if area in areas_decided_by(key)))
            p.run(one_turn_to_recapture, taken)
            p.run(retaken_in_time, taken)


@effect("83.51", "What partners took with an area goes to the senior one that took part in its taking")
def senior_takes(p: Proceedings, area: str) -> None:
    senior = diplomacy.has_conquest(p.s, area)
    keys = diplomacy.spoils(p.s, area, senior) if senior else ()
    for key in keys:
        # Who took it: the senior partner's part may yet turn out to be none (83.54A).
        p.do(befell(p.s, PassedOn(holder(p.s, key), Place(key))))
    if keys:
        p.do(ControlChanged(keys, senior))


@order("35.73C", "Places change hands; gains, losses and the chance to retake them follow", on=ReportControl)
def report_control(p: Proceedings, cmd: ReportControl) -> None:
    keep_excuse(p, cmd)
    take_places(p, {key: PARTISANS if cmd.partisans else diplomacy.who_gains(p.s, key, cmd.by) for key in cmd.places})


@effect("35.65", "Whoever has an area's BRPs and loses it to another faction has one turn to retake it", on=AreaTaken)
def one_turn_to_recapture(p: Proceedings, taken: AreaTaken) -> None:
    for power in powers():
        # Where a partner's part in the taking becomes known, others lost the area when the first of them took it.
        if partners(p.s, taken.was, taken.by) and not same_faction(p.s, power, taken.by):
            continue
        brp = books.on_books(p.s, power, taken.area)
        lost = brp > 0 and power != taken.by and in_other_hands(p.s, power, taken.area)
        # Russian industrial centers give no chance to retake them first; nor do own key areas, which are on no books.
        if lost and not (power == "russia" and areas()[taken.area].kind == "ic"):
            if diplomacy.loses_diplomatic_brps(p.s, power, taken.area, taken.by):
                continue
            # Who was to retake it in this combat phase did not: what was retaken is the senior partner's (83.51).
            turn = p.s.turn if lost_before(p.s, power, taken) else turn_to_retake(p.s, power, taken.by)
            promise(p, lose_area, calendar.moment(turn, step_of(power, "end of combat phase")), power, taken.area, -brp)


def lost_before(s: State, power: str, taken: AreaTaken) -> bool:
    """Whether an area that a senior partner takes over was lost to enemies before, and retaken in this player turn."""
    if not partners(s, taken.was, taken.by) or player_of(power) != s.player:
        return False
    before = diplomacy.changed_hands(s)
    return any(not stands_with(s, before[key], power) for key in deciding_places(taken.area) if key in before)


def in_other_hands(s: State, power: str, area: str) -> bool:
    """Whether a power has nothing left of what decides an area, nor the country itself that stands beside it.

    A country that fights the power and took its own place back is an enemy too (82.83B), and so was what is Vichy's;
    not Poland in the east while a result gives that to the power, nor a partner beside such a country. The Dutch of the
    Indies are in the war with Britain (82.93).
    """
    held_by, standing = books.holders_of(s, area), s.countries.get(area)
    given = standing is not None and standing.by == power and standing.status in ("penetrated", "controlled")
    foes = (
        (it in powers() and not (given and partners(s, it, power)))
        or it in (PARTISANS, VICHY)
        or (at_war(s, "britain" if it == DUTCH else it, power) and not given)
        for it in held_by
    )
    return bool(held_by) and not books.retaken(s, power, area) and all(foes)


@effect("35.73C", on=AreaTaken, covers=("83.31B", "83.33A"))
def retaken_in_time(p: Proceedings, taken: AreaTaken) -> None:
    """An area whose retaking is reported after its combat phase was not lost there."""
    if taken.by not in powers() or player_of(taken.by) != p.s.player:
        return
    if books.retaken(p.s, taken.by, taken.area):
        _was_not_lost(p, taken.by, taken.area)
    # What an ally took back as a whole is a conquest like any other, unless BRPs or books pass (R-0012).
    if books.joint_holder(p.s, taken.area) == taken.by:
        return
    for power in powers():
        if power != taken.by and same_faction(p.s, power, taken.by) and (brp := _was_not_lost(p, power, taken.area)):
            promise(p, lose_area, _combat_ended(p.s, power), power, taken.area, -brp)


def _combat_ended(s: State, power: str) -> int:
    """The end of the power's combat phase in the turn under way, which may be over."""
    return calendar.moment(s.turn, step_of(power, "end of combat phase"))


def _was_not_lost(p: Proceedings, power: str, area: str) -> int:
    """Take back what a power lost for an area in this player turn; the BRPs a year that return to its books."""
    kind = f"lost by {power}"
    brp = total(p.s, kind, area, "player turn")
    if brp <= 0:
        return 0
    p.do(Happened(Happening(p.s.moment, kind, area, -brp)))
    books.enter_on_books(p, power, area, brp)
    if keeps_brps(p.s, power) and counted_in_level(p.s, power, area):
        back = share_of_sum(p.s, power, brp, _combat_ended(p.s, power))
        books.move_brps(p, power, back, f"{areas()[area].name}: retaken in time", Source("brp", "areas"))
        remember_sum(p, power, brp, _combat_ended(p.s, power))
    return brp


@effect("35.73D", "An own key area or a Russian IC is lost at the end of this combat phase", on=AreaTaken)
def lose_key_area_now(p: Proceedings, taken: AreaTaken) -> None:
    area = areas()[taken.area]
    owner = area.owner or "russia"
    # Enemy partisans count as captors here (38.21), though they hold places for no power.
    if area.kind not in ("key area", "ic") or stands_with(p.s, taken.by, owner):
        return
    if area.kind == "key area":
        if key_areas.owner_out_of_the_war(p.s, taken.area):
            return
        brp = key_areas.capture_loss(p.s, taken.area)
        # It may be known already, where a senior partner's part in the capture becomes known later (83.51).
        known = key_areas.spared_entries(p.s, taken.area).get(key_areas.spared_account(p.s, taken.area), 0)
        spared = key_areas.spared_by_bombing(p.s, taken.area) - known
        if spared > 0 and p.s.player:
            account = (key_areas.spared_account(p.s, taken.area), spared)
            p.do(EntryPosted(entry("bombed before its capture", account, (World("spared"), -spared))), "38.25")
        if books.on_books(p.s, owner, taken.area) < 0:
            return  # what was regained and has not paid yet is not lost a second time; only the limits fall again
    else:
        brp = books.on_books(p.s, "russia", taken.area)
        note("captured_ic", "37.42", brp, taken.area)
    # A key area that bombing left worth nothing costs nothing now, but the year start subtracts it (38.13).
    if (brp > 0 or area.kind == "key area") and p.s.player:
        promise(p, lose_key_area, _capture_costs(p.s, taken.by), owner, taken.area, -brp)


def _capture_costs(s: State, captor: str) -> int:
    """When a capture costs the owner BRPs: as the captor's combat phase ends, or at once if that is over."""
    if captured_before(s, captor):
        return s.moment
    return calendar.moment(s.turn, calendar.step_index(s.player, "end of combat phase"))


@effect("35.73D", "A regained own key area pays again at the start of the owner's next turn", on=AreaTaken)
def regain_key_area_later(p: Proceedings, taken: AreaTaken) -> None:
    area = areas()[taken.area]
    if area.kind != "key area" or not stands_with(p.s, taken.by, area.owner):
        return
    for account, spared in key_areas.spared_entries(p.s, taken.area).items():
        p.do(EntryPosted(entry("regained", (account, -spared), (World("spared"), spared))), "38.25")
    lost = books.on_books(p.s, area.owner, taken.area)
    if lost and not key_areas.owner_out_of_the_war(p.s, taken.area):
        note("regained", "38.24", books.key_area_value(p.s, taken.area), area.owner, taken.area)
        promise(p, regain_key_area, regain_moment(p.s, area.owner), area.owner, taken.area, -lost)


def regain_moment(s: State, owner: str) -> int:
    """When a regained key area pays: as the owner's next turn starts; after an Axis winter turn in the year start."""
    in_year_start = player_of(owner) == "axis" or reading_in_force(s, "R-0097") == "b"
    turn = next_turn_of(s, owner)  # what is regained in the Axis player turn pays an Allied owner in the same turn
    if s.season == calendar.WINTER and turn > s.turn and in_year_start:
        return calendar.moment(turn, calendar.first_step("year start"))
    return calendar.moment(turn, calendar.first_step(player_of(owner)))


@effect("83.51", on=AreaTaken, when=lambda s, taken: partners(s, taken.was, taken.by))
def junior_gives_way(p: Proceedings, taken: AreaTaken) -> None:
    """What a conquest would bring a junior partner is the senior's, once its part in it is known."""
    for it in promised(p.s, receive_conquest, about=taken.area, power=taken.was):
        p.do(Closed(it.id, "passed on", f"{powers()[taken.by].name} is the senior partner"))


@effect(
    "35.73A",
    on=AreaTaken,
    # What was not lost, and is on the books again, is no conquest.
    after=retaken_in_time,
)
def promise_conquest(p: Proceedings, taken: AreaTaken) -> None:
    """A conquest's BRPs are promised for the conqueror's next turn, or the year start."""
    area = areas()[taken.area]
    if taken.by not in powers():
        return
    regained = area.kind == "key area" and area.owner in p.s.powers and same_faction(p.s, taken.by, area.owner)
    if regained and not key_areas.owner_out_of_the_war(p.s, taken.area):
        return
    brp = books.worth(p.s, taken.area) - books.on_books(p.s, taken.by, taken.area)
    if brp > 0:
        promise(p, receive_conquest, conquest_moment(p.s, taken.by, taken.area), taken.by, taken.area, brp)


@due("35.73A", averted_by="losing {about} before then", covers=("83.31B", "83.33B", "83.41"))
def receive_conquest(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """BRPs for a conquest are received."""
    kept = still_held(p.s, due_now)
    if books.out_of_the_economy(p.s, due_now.power):
        p.do(Closed(due_now.id, "averted", "surrendered"), "83.43")
        return 0
    counted = still_counted_elsewhere(p.s, due_now.power, due_now.about)
    if kept and counted:
        _wait_a_turn(p, due_now)
        return 0
    if not kept and (counted or not received_though_lost(p.s, due_now)):
        return "no longer controlled"
    brp = not_yet_received(p.s, due_now)
    books.enter_on_books(p, due_now.power, due_now.about, brp)
    if not kept:
        # What came although it was lost goes again with all that was received before, unless it is retaken (35.64).
        lapse(p, due_now.about, "more of it has been received", lose_area, power=due_now.power)
        all_of_it = books.on_books(p.s, due_now.power, due_now.about)
        promise(p, lose_area, _combat_ended(p.s, due_now.power), due_now.power, due_now.about, -all_of_it)
    # In the year start the books are added up in full; nothing is paid beside them.
    return 0 if p.s.place.part == "year start" else brp


def still_held(s: State, due_now: Promise[OfArea]) -> bool:
    """Whether a conquest is its conqueror's still, for which he needs all that decides it."""
    if not areas()[due_now.about].places or books.retained(s, due_now.power, due_now.about):
        return True
    # Whoever retook an area for its side keeps it as its former holder would have: by one key city (35.73C, 83.31B).
    return due_now.of.retaken and books.retaken(s, due_now.power, due_now.about)


def received_though_lost(s: State, due_now: Promise[OfArea]) -> bool:
    """Whether a conquest that is lost again pays all the same; key areas must be retained until then (38.23)."""
    if areas()[due_now.about].kind == "key area":
        return False
    return books.winter_grace(s, due_now.power, due_now.about)


def not_yet_received(s: State, due_now: Promise[OfArea]) -> int:
    """What a country still brings: its value may have changed, or have come by another way in the meantime."""
    if not areas()[due_now.about].is_country:
        return due_now.brp
    left = books.worth(s, due_now.about) - books.on_books(s, due_now.power, due_now.about)
    return max(0, min(due_now.brp, left))


def still_counted_elsewhere(s: State, power: str, area: str) -> bool:
    """Whether another power has yet to lose the area, which counts only once; one that surrendered has nothing."""
    others = (other for other in powers() if other != power and not books.out_of_the_economy(s, other))
    return any(books.on_books(s, other, area) > 0 for other in others)


def _wait_a_turn(p: Proceedings, due_now: Promise[OfArea]) -> None:
    p.do(Closed(due_now.id, "passed on", "the former holder may still retake it"))
    step = step_of(due_now.power, "end of diplomatic phase")
    turn = p.s.turn if p.s.place.part == "year start" else p.s.turn + 1
    promise(p, receive_conquest, calendar.moment(turn, step), due_now.power, due_now.about, due_now.brp)


@due("35.73C", sign=-1, averted_by="retaking {about} by then", covers=("83.31B", "83.33A"), also=("72.81",))
def lose_area(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """BRPs for an area are lost, because it was not retaken."""
    if books.retaken(p.s, due_now.power, due_now.about):
        return "retaken"
    held_by = books.holders_of(p.s, due_now.about)
    ally = next((it for it in held_by if it in powers() and same_faction(p.s, it, due_now.power)), "")
    if ally:
        return _passes_to_ally(p, due_now, ally)
    if not in_other_hands(p.s, due_now.power, due_now.about):
        return "no enemy holds it"
    note("base_stays", "35.45", base(p.s, due_now.power), due_now.power)
    brp = books.on_books(p.s, due_now.power, due_now.about)
    was_counted = counted_in_level(p.s, due_now.power, due_now.about)
    books.enter_on_books(p, due_now.power, due_now.about, -brp)
    p.do(befell(p.s, LostBy(due_now.power, due_now.about), brp))
    return -brp if was_counted else 0


# Calcutta and Dacca are British colonies as far as BRPs go (72.15A).
ASIAN_COLONIES = ("burma", "calcutta", "dacca", "hong_kong", "malaya", "sarawak", "singapore")


def too_early(s: State, power: str, area: str, year: int) -> bool:
    """Whether Britain's Asian colonies have not entered its BRP level yet: they do in the 1940 year start (R-0082)."""
    return power == "britain" and area in ASIAN_COLONIES and year < 1940 and reading_in_force(s, "R-0082") == "a"


@definition("74.21", "What a power has on its books has entered its level, British colonies in Asia by 1940 (R-0082)")
def counted_in_level(s: State, power: str, area: str) -> bool:
    return not too_early(s, power, area, s.year)


def _passes_to_ally(p: Proceedings, due_now: Promise[OfArea], ally: str) -> int:
    """An ally retook it: a loss for the former holder, a conquest for the ally (R-0012)."""
    brp = books.on_books(p.s, due_now.power, due_now.about)
    books.enter_on_books(p, due_now.power, due_now.about, -brp)
    p.do(Closed(due_now.id, "passed on", f"retaken by {powers()[ally].name}"))
    lapse(p, due_now.about, "the BRPs came by transfer", receive_conquest, power=ally)
    when = conquest_moment(p.s, ally, due_now.about)
    area = OfArea(due_now.about, retaken=True)
    promise(p, receive_conquest, when, ally, area, max(brp, books.worth(p.s, due_now.about)))
    # Late word of who took part may yet give it to the former holder (83.51, 83.54A).
    p.do(befell(p.s, LostBy(due_now.power, due_now.about), brp))
    return -brp


@due("35.73D", sign=-1, averted_by="its return to the owner's side within that combat phase", covers=("37.42",))
def lose_key_area(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """BRPs for an own key area or a Russian IC are lost."""
    if stands_with(p.s, area_holder(p.s, due_now.about), due_now.power):
        return "in the owner's hands as the combat phase ends"
    # The year start subtracts a key area in full, even where bombing spared a part of the loss (38.13, 38.25).
    area = areas()[due_now.about]
    booked = -area.brp if area.kind == "key area" else due_now.brp
    books.enter_on_books(p, due_now.power, due_now.about, booked, "38.22" if area.kind == "key area" else "37.42")
    return due_now.brp


@due("35.73D", "BRPs for a regained own key area are received", averted_by="losing {about} again before then")
def regain_key_area(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    holder = area_holder(p.s, due_now.about)
    if holder not in powers() or not same_faction(p.s, holder, due_now.power):
        return "lost again"
    books.enter_on_books(p, due_now.power, due_now.about, due_now.brp, "38.24")
    return 0 if p.s.place.part == "year start" else due_now.brp


# The levels of tension that call for the first three mobilizations: of Japan, and of the U.S. in a theater.
CALLS = (10, 20, 30)
LEVELS = {"rgt": (10,), "usjt": CALLS}
#: The bullet by which each track calls for mobilizations: Russia's, and Japan's.
CALLED_BY = {"rgt": "36.11B(2)", "usjt": "36.11C(2)"}


@remembered("36.11B(2)", also=("36.11C(2)",))
def level_was_reached(s: State, name: str, level: int) -> bool:
    """A level that calls for a mobilization has been reached; that it sank again since makes no difference."""
    return track(s, name) >= level


@effect("36.11B(2)", "Levels that have been reached call for their mobilizations", on=TrackMoved, also=("36.11C(2)",))
def remember_levels(p: Proceedings, moved: TrackMoved) -> None:
    for level in LEVELS.get(moved.track, ()):
        # A position may have begun on a level that is left now.
        if max(moved.to, moved.was) >= level and not level_was_reached.noted(p.s, moved.track, level):
            told = f"{moved.track.upper()} has reached {level}"
            level_was_reached.under(CALLED_BY[moved.track]).note(p, True, told, moved.track, level)
