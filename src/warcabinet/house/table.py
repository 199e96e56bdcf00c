"""What the table itself does: go on, roll, rule, correct. Clauses WC.n are our own house rules."""

from __future__ import annotations

from warcabinet.figures.arguments import check_arguments, check_result, spellings
from warcabinet.figures.table import correction, with_memo
from warcabinet.kernel.effects import Effect
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.rules import RULES, Determination
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual
from warcabinet.model.commands.economy import ReportBombing, ReportPool
from warcabinet.model.commands.politics import ReportPeace, ReportSurrender, ReportTrack, ReportWar
from warcabinet.model.commands.table import Advance, ChooseReading, Correct, RefereeRules, Release, Roll
from warcabinet.model.events import (
    AutoStep,
    ControlChanged,
    Corrected,
    Determined,
    Event,
    Happened,
    PowerChanged,
    ReadingChosen,
    Released,
    StatusChanged,
    StepEntered,
    TrackMoved,
    UnitsMoved,
    WarBegan,
    WarEnded,
)
from warcabinet.model.ledger import balance
from warcabinet.model.names import NEVER_NEGATIVE, areas, attacker_among, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT
from warcabinet.model.places import area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.rulings import chosen_with, ruling_named
from warcabinet.model.state import Happening, State
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.rules.common.presence import keep_excuse
from warcabinet.rules.common.waiting import duties
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.deferral import overdue, settle
from warcabinet.rules.economy.force_pools import remember_loss
from warcabinet.rules.economy.reported import lost_this_turn
from warcabinet.rules.kinds import limit, opening, order
from warcabinet.rules.minors.attack import end_full_scale_war, ends_full_scale_war
from warcabinet.rules.minors.standing import neutral_again


def following(s: State) -> tuple[int, int]:
    """Turn and step that come next; a year start stands before the spring turn."""
    if s.step < len(calendar.steps()) - 1:
        return s.turn, s.step + 1
    spring_next = s.season == calendar.WINTER
    return s.turn + 1, calendar.first_step("year start" if spring_next else "axis")


def goes_by_itself(s: State) -> bool:
    """Whether nothing is decided at the step that the game is at."""
    step = s.place.step
    return step.automatic and not duties(s) and not (step.unless and RULES.values()[step.unless](s))


@order(
    "WC.1",
    "The next step of the sequence is entered; what falls due there is settled, then its effects run",
    on=Advance,
)
def advance(p: Proceedings, cmd: Advance) -> None:
    if overdue(p.s):
        # Reported after its moment: it is settled in the turn it belongs to, at that turn's share.
        p.run(settle)
    turn, step = following(p.s)
    p.do(StepEntered(turn, step))
    entered = p.last()
    p.run_after(entered, settle)
    for name in p.s.place.step.effects:
        effect = RULES.by_name[name]
        assert isinstance(effect, Effect)
        if effect.when is None or effect.when(p.s):
            p.run_after(entered, effect)
    if goes_by_itself(p.s):
        p.do(AutoStep(p.s.place.step.name, "nothing is decided here: what falls due was settled"))


@limit("WC.1", "The war is over where the calendar ends, with the last winter turn", on=Advance)
def before_the_end(s: State, cmd: Advance) -> str | None:
    if s.moment < calendar.last_moment():
        return None
    return f"the war is over: the calendar ends with {calendar.turn_name(s.turn)}"


@order("WC.2", "A die is rolled in sight of the table", on=Roll)
def roll(p: Proceedings, cmd: Roll) -> None:
    p.roll(cmd.purpose)


@order("WC.3", "The referee's ruling holds wherever the figure is asked for", on=RefereeRules)
def rule(p: Proceedings, cmd: RefereeRules) -> None:
    fixed = Determination(cmd.is_, "", f"referee: {cmd.reason}", "game")
    for args in spellings(cmd.rule, cmd.args):
        p.do(Determined(cmd.rule, args, fixed))


@limit("WC.3", "A ruling is for the arguments that the rule has", on=(RefereeRules, Release))
def ruling_fits_rule(s: State, cmd: RefereeRules | Release) -> str | None:
    try:
        check_arguments(cmd.rule, cmd.args)
    except WarCabinetError as error:
        return str(error)
    return None


@limit("WC.3", "A ruling gives a result of the rule's own kind", on=RefereeRules)
def ruling_fits_result(s: State, cmd: RefereeRules) -> str | None:
    try:
        check_result(cmd.rule, cmd.is_)
    except WarCabinetError as error:
        return str(error)
    return None


@order("WC.4", "A ruling is lifted", on=Release)
def release(p: Proceedings, cmd: Release) -> None:
    for args in spellings(cmd.rule, cmd.args):
        p.do(Released(cmd.rule, args))


@opening("WC.4", "Values on which the referee has ruled", on=Release)
def rulings_in_force(s: State, cmd: Release) -> Choice:
    ruled = (rule for rule, by_args in s.determinations.items() if any(map(_by_referee, by_args.values())))
    return Choice("rule", tuple(ruled), "the referee has ruled on nothing")


def _by_referee(fixed: Determination) -> bool:
    """Whether a figure was fixed by the referee; what a rule fixed cites its clause."""
    return not fixed.clause


@limit("WC.4", "Only what was ruled can be released", on=Release)
def something_to_release(s: State, cmd: Release) -> str | None:
    if ruling_fits_rule(s, cmd):
        return None  # refused already: such a ruling cannot be
    ruled = s.determinations.get(cmd.rule, {})
    found = (ruled.get(", ".join(args)) for args in spellings(cmd.rule, cmd.args))
    if any(fixed is not None and _by_referee(fixed) for fixed in found):
        return None
    return f"nothing was ruled on {cmd.rule}({', '.join(cmd.args)})"


@order("WC.5", "The referee puts a figure right, for a reason; nothing else follows from it", on=Correct)
def correct(p: Proceedings, cmd: Correct) -> None:
    marks: list[str] = []
    for fact in with_memo(correction(p.s, cmd.figure, cmd.to), f"correction: {cmd.reason}"):
        p.set(fact)
        marks += _marks(fact)
    p.do(Corrected(cmd.figure, str(cmd.to), cmd.reason, tuple(marks)))


def _marks(fact: Event) -> list[str]:
    """The figures that a corrected fact sets and that explanations read as they stand."""
    if isinstance(fact, TrackMoved):
        return [f"tracks.{fact.track}"]
    if isinstance(fact, ControlChanged):
        return [f"control.{place}" for place in fact.places]
    if isinstance(fact, StatusChanged):
        return [f"countries.{fact.country}"]
    return ["wars"] if isinstance(fact, WarBegan | WarEnded) else []


@order("WC.6", "The table chooses a reading of an open point", on=ChooseReading)
def choose_reading(p: Proceedings, cmd: ChooseReading) -> None:
    for ruling, reading in chosen_with(cmd.ruling, cmd.reading).items():
        p.do(ReadingChosen(ruling, reading))


@limit("WC.6", "A ruling has the readings it has", on=ChooseReading)
def reading_exists(s: State, cmd: ChooseReading) -> Choice:
    known = ruling_named(cmd.ruling).selectable
    return Choice("reading", known, f"{cmd.ruling} can be played by reading {' or '.join(known)}")


@order("WC.7", "A track stands at its reported level", on=ReportTrack)
def report_track(p: Proceedings, cmd: ReportTrack) -> None:
    if "resistance" in cmd.track and (cmd.track in p.s.tracks or cmd.track == "chinese_resistance"):
        # Clauses ask for the level at the end of the last turn, whatever has moved since (37.13F, 78.31). China's is
        # zero until one is reported.
        p.do(Happened(Happening(p.s.moment, "stood before at", cmd.track, p.s.tracks.get(cmd.track, 0))))
    before = p.s.tracks.get(cmd.track, 0)
    p.do(TrackMoved(cmd.track, cmd.level, before if before > cmd.level else 0))


@limit(
    "WC.7",
    "Tension does not fall below zero",
    on=ReportTrack,
    when=lambda s, cmd: cmd.track in NEVER_NEGATIVE,
)
def tension_not_negative(s: State, cmd: ReportTrack) -> Bound:
    return Bound("level", least=0, text="a tension level is 0 or more")


@limit(
    "WC.7",
    "Bombing hits what the power holds or receives BRPs for",
    on=ReportBombing,
    when=lambda s, cmd: bool(cmd.area),
)
def bombed_area_is_its_own(s: State, cmd: ReportBombing) -> str | None:
    if cmd.area == cmd.power or balance(s.ledger, Annual(cmd.power, cmd.area)) > 0:
        return None
    area = areas()[cmd.area]
    holder = area_holder(s, cmd.area) if area.places else area.owner
    # What fell this player turn may have been bombed before (38.25).
    if holder == cmd.power or lost_this_turn(s, cmd.power, cmd.area):
        return None
    held = f"{powers()[holder].name} holds it" if holder in powers() else f"{powers()[cmd.power].name} does not hold it"
    return f"{area.name} costs {powers()[cmd.power].name} nothing: {held}"


@order("WC.7", "A reported war begins", on=ReportWar)
def report_war(p: Proceedings, cmd: ReportWar) -> None:
    keep_excuse(p, cmd)
    one, other = cmd.between
    p.do(WarBegan((one, other), cmd.declared_by or attacker_among(cmd.between)))


@limit("WC.7", "A war begins between two who are not at war, and one of them declares it", on=ReportWar)
def war_is_new(s: State, cmd: ReportWar) -> str | None:
    one, other = cmd.between
    if one == other:
        return f"{one} cannot be at war with itself"
    if at_war(s, one, other):
        return f"{one} and {other} are at war already"
    if cmd.declared_by and cmd.declared_by not in cmd.between:
        return f"declared by {cmd.declared_by}, who is neither {one} nor {other}"
    return None


@order("WC.7", "A reported peace ends a war", on=ReportPeace)
def report_peace(p: Proceedings, cmd: ReportPeace) -> None:
    keep_excuse(p, cmd)
    one, other = cmd.between
    if country := ends_full_scale_war(p.s, cmd.between):
        p.run(end_full_scale_war, country)
    if at_war(p.s, one, other):
        p.do(WarEnded((one, other)))
        p.run(neutral_again, one, other)


@limit("WC.7", "Only a war that is on can end", on=ReportPeace)
def war_is_on(s: State, cmd: ReportPeace) -> str | None:
    one, other = cmd.between
    return None if at_war(s, one, other) or ends_full_scale_war(s, cmd.between) else f"{one} and {other} are not at war"


@order("WC.7", "A power surrenders, or returns to the war", on=ReportSurrender)
def report_surrender(p: Proceedings, cmd: ReportSurrender) -> None:
    p.do(PowerChanged(cmd.power, surrendered=cmd.surrendered))


@order("WC.7", "Units enter or leave a power's force pool", on=ReportPool)
def report_pool(p: Proceedings, cmd: ReportPool) -> None:
    origin, to = (OUT_OF_PLAY, UNBUILT) if cmd.count >= 0 else (UNBUILT, OUT_OF_PLAY)
    p.do(UnitsMoved(cmd.power, cmd.unit, abs(cmd.count), origin, to, cmd.unit))
    if cmd.eliminated_by and cmd.count > 0:
        remember_loss(p, cmd.power, cmd.unit, cmd.count, cmd.eliminated_by)


@limit("WC.7", "No more units can leave a force pool than are in it", on=ReportPool)
def pool_holds_units(s: State, cmd: ReportPool) -> Bound:
    there = unbuilt_of(s, cmd.power, cmd.unit)
    return Bound("count", least=-there, text=f"{there} unbuilt {cmd.unit} in the pool")
