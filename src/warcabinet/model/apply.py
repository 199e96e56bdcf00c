"""`apply`: what each fact does to the state. No rule lives here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from msgspec.structs import replace

from warcabinet.kernel.kept import kept
from warcabinet.kernel.rules import Determination
from warcabinet.model import calendar, events
from warcabinet.model.names import Area, countries, powers
from warcabinet.model.operations import standing
from warcabinet.model.places import remember_change
from warcabinet.model.state import FRAMES, Annals, Frame, FrameKind, Options, PowerState, Standing, State, War

E = TypeVar("E")


def apply(s: State, event: events.Event) -> State:
    """The state after the event. Triggers leave it as it was."""
    change = _CHANGES.get(type(event))
    return s if change is None else change(s, event)


_CHANGES: dict[type, Callable[[State, Any], State]] = {}


def _on(kind: type[E]) -> Callable[[Callable[[State, E], State]], Callable[[State, E], State]]:
    def register(change: Callable[[State, E], State]) -> Callable[[State, E], State]:
        _CHANGES[kind] = change
        return change

    return register


def blank() -> State:
    """What there is before a game starts: the powers, and every country neutral or what it always was."""
    start = calendar.moment(calendar.turn_number(calendar.FALL, 1939), calendar.first_step("axis"))
    turn, step = calendar.split(start)
    return State(
        scenario="",
        turn=turn,
        step=step,
        frames=tuple(Frame(kind, start) for kind in FRAMES),
        options=Options(),
        powers={name: PowerState(power.faction) for name, power in powers().items()},
        countries={name: _born(area) for name, area in countries().items()},
    )


def _born(area: Area) -> Standing:
    """What a country is before anything happens: a colony and the Commonwealth always belong to someone."""
    if area.kind == "colony":
        return Standing("colony", area.owner)
    if area.kind == "commonwealth":
        return Standing("commonwealth", area.owner)
    return Standing()


@_on(events.GameStarted)
def _start(s: State, e: events.GameStarted) -> State:
    now = calendar.moment(e.turn, e.step)
    frames = tuple(Frame(kind, _opening(kind, e.turn, e.step, now)) for kind in FRAMES)
    return replace(s, scenario=e.scenario, options=e.options, turn=e.turn, step=e.step, frames=frames)


def _opening(kind: FrameKind, turn: int, step: int, now: int) -> int:
    """When a stretch of time that is open at this step began, as if it had been played from its start."""
    part = calendar.steps()[step].part
    if kind == "year":
        return calendar.moment(turn - calendar.season(turn), 0)
    if kind == "turn":
        return calendar.moment(turn, 0)
    if kind == "player turn":
        return calendar.moment(turn, calendar.first_step(part))
    return now


@_on(events.EntryPosted)
def _post(s: State, e: events.EntryPosted) -> State:
    return replace(s, ledger=s.ledger.post(e.entry))


@_on(events.UnitsMoved)
def _units(s: State, e: events.UnitsMoved) -> State:
    return replace(s, pieces=s.pieces.moved(e.nation, e.unit, e.count, e.origin, e.to))


@_on(events.ControlChanged)
def _control(s: State, e: events.ControlChanged) -> State:
    former = {place: s.control.get(place, "") for place in e.places}
    control = {**s.control, **dict.fromkeys(e.places, e.by)}
    remember_change(control, s.control, e.places)
    frames = tuple(_remember(frame, former, e.backdated) for frame in s.frames)
    corrected = s.corrected and _without(s.corrected, *(f"control.{place}" for place in e.places))
    return replace(s, control=control, frames=frames, corrected=corrected)


def _remember(frame: Frame, former: dict[str, str], backdated: bool) -> Frame:
    """Keep who held what changed hands; what is backdated to the player turn never changed hands within it."""
    if backdated and frame.kind in ("player turn", "phase"):
        return Frame(frame.kind, frame.since, {place: by for place, by in frame.before.items() if place not in former})
    return Frame(frame.kind, frame.since, {**former, **frame.before})


@_on(events.StatusChanged)
def _status(s: State, e: events.StatusChanged) -> State:
    standing = Standing(e.status, e.by, s.turn, e.clause, e.reason)
    corrected = _without(s.corrected, f"countries.{e.country}")
    return replace(s, countries={**s.countries, e.country: standing}, corrected=corrected)


@_on(events.WarBegan)
def _war(s: State, e: events.WarBegan) -> State:
    since = s.turn if e.since is None else e.since
    return replace(s, wars=(*s.wars, War(e.between, since, e.declared_by)), corrected=_without(s.corrected, "wars"))


@_on(events.WarEnded)
def _peace(s: State, e: events.WarEnded) -> State:
    over = set(e.between)
    if e.never:
        return replace(s, wars=tuple(w for w in s.wars if set(w.between) != over or w.ended is not None))
    ended = (replace(w, ended=s.turn) if set(w.between) == over and w.ended is None else w for w in s.wars)
    return replace(s, wars=tuple(ended))


@_on(events.PowerChanged)
def _power(s: State, e: events.PowerChanged) -> State:
    was = s.powers[e.power]
    surrendered = was.surrendered if e.surrendered is None else e.surrendered
    return replace(s, powers={**s.powers, e.power: PowerState(e.faction or was.faction, surrendered)})


@_on(events.TrackMoved)
def _track(s: State, e: events.TrackMoved) -> State:
    return replace(s, tracks={**s.tracks, e.track: e.to}, corrected=_without(s.corrected, f"tracks.{e.track}"))


def _without(corrected: dict[str, str], *figures: str) -> dict[str, str]:
    """The referee's settings that still stand, once these figures have changed by themselves."""
    if not corrected or not any(figure in corrected for figure in figures):
        return corrected
    return {figure: reason for figure, reason in corrected.items() if figure not in figures}


@_on(events.Corrected)
def _corrected(s: State, e: events.Corrected) -> State:
    return replace(s, corrected={**s.corrected, **dict.fromkeys(e.marks or (e.figure,), e.reason)})


@_on(events.ResultInForce)
def _result(s: State, e: events.ResultInForce) -> State:
    return replace(s, results={**s.results, e.country: e.result})


@_on(events.TransportsCounted)
def _transports(s: State, e: events.TransportsCounted) -> State:
    return replace(s, transports={**s.transports, e.ocean: e.count})


@_on(events.Happened)
def _happened(s: State, e: events.Happened) -> State:
    return replace(s, happenings=s.happenings.with_(e.happening))


@_on(events.Promised)
def _promised(s: State, e: events.Promised) -> State:
    return replace(s, agenda=s.agenda.with_(e.promise), promised=s.promised + 1)


@_on(events.Closed)
def _closed(s: State, e: events.Closed) -> State:
    return replace(s, agenda=s.agenda.without(e.id))


@_on(events.OperationOpened)
def _opened(s: State, e: events.OperationOpened) -> State:
    return replace(s, operations=(*s.operations, e.operation), opened=s.opened + 1)


@_on(events.OperationMoved)
def _moved(s: State, e: events.OperationMoved) -> State:
    return replace(s, operations=standing(s.operations, e.operation))


@_on(events.OperationClosed)
def _over(s: State, e: events.OperationClosed) -> State:
    return replace(s, operations=tuple(it for it in s.operations if it.id != e.id))


@_on(events.StepEntered)
def _step(s: State, e: events.StepEntered) -> State:
    """Close the stretches of time that have ended, with the figures fixed for them, and open new ones."""
    ended = _ended(e.turn != s.turn, calendar.year(e.turn) != calendar.year(s.turn), s.step, e.step)
    now = calendar.moment(e.turn, e.step)
    frames = tuple([Frame(frame.kind, now) if frame.kind in ended else frame for frame in s.frames])
    # The year start still looks at the old year: what was fixed for it lapses with YearOpened.
    determinations = _lapse(s, ended - _YEAR)
    return replace(s, turn=e.turn, step=e.step, frames=frames, determinations=determinations)


_YEAR: frozenset[FrameKind] = frozenset(("year",))


@cache
def _ended(turn: bool, year: bool, old: int, new: int) -> frozenset[FrameKind]:
    """The stretches of time that end between two steps."""
    ended: set[FrameKind] = {"phase"}
    if turn:
        ended |= {"turn", "player turn"}
    if calendar.steps()[old].part != calendar.steps()[new].part:
        ended.add("player turn")
    if year:
        ended.add("year")
    return frozenset(ended)


def _lapse(s: State, ended: frozenset[FrameKind]) -> dict[str, dict[str, Determination]]:
    if ended.isdisjoint(_scopes(s.determinations)):
        return s.determinations
    lasting = {
        rule: {args: fixed for args, fixed in by_args.items() if fixed.scope not in ended}
        for rule, by_args in s.determinations.items()
    }
    return {rule: by_args for rule, by_args in lasting.items() if by_args}


@kept
def _scopes(determinations: dict[str, dict[str, Determination]]) -> frozenset[str]:
    """How long the figures last that are fixed now."""
    return frozenset(fixed.scope for by_args in determinations.values() for fixed in by_args.values())


@_on(events.YearOpened)
def _year(s: State, e: events.YearOpened) -> State:
    start, winter = s.since("year"), calendar.moment(s.turn - 1, 0)
    # What was inverted in winter stands so into the new year.
    lasting = (h for h in s.happenings if h.moment >= start or (h.kind == "inverted" and h.moment >= winter))
    happenings = Annals(lasting)
    return replace(s, happenings=happenings, determinations=_lapse(s, _YEAR))


@_on(events.Determined)
def _determined(s: State, e: events.Determined) -> State:
    by_args = {**s.determinations.get(e.rule, {}), ", ".join(e.args): e.fixed}
    return replace(s, determinations={**s.determinations, e.rule: by_args})


@_on(events.Released)
def _released(s: State, e: events.Released) -> State:
    by_args = {args: f for args, f in s.determinations.get(e.rule, {}).items() if args != ", ".join(e.args)}
    rest = {rule: fixed for rule, fixed in s.determinations.items() if rule != e.rule}
    return replace(s, determinations={**rest, e.rule: by_args} if by_args else rest)


@_on(events.ReadingChosen)
def _reading(s: State, e: events.ReadingChosen) -> State:
    return replace(s, readings={**s.readings, e.ruling: e.reading})


@_on(events.OptionsChanged)
def _options(s: State, e: events.OptionsChanged) -> State:
    return replace(s, options=e.options)
