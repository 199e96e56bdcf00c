"""A grant under way as both seats follow it: what is afloat, attack by attack, whose answer is awaited."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.game.engine import GameRecord
from warcabinet.model.commands.aid import (
    AttackConvoy,
    GrantBrps,
    JoinConvoy,
    LetGrantPass,
    OpposeConvoy,
    ReportConvoyAttack,
    ReportConvoyInterception,
    ReportGrantInterception,
    SailConvoy,
)
from warcabinet.model.commands.base import Command
from warcabinet.model.convoys import Consignment, Convoy, Detachment
from warcabinet.model.events import DiceRolled, OperationMoved, OperationOpened
from warcabinet.model.state import State
from warcabinet.rules.aid.attacks import (
    brps_carried,
    damage_done,
    oil_landed,
    partial_oil_lost,
    survivors,
)
from warcabinet.rules.aid.convoys import MOST_AIR_ATTACKS, brps_through, named
from warcabinet.views.words import name

Told = tuple[Command | None, tuple[GameRecord, ...]]


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """What befell it: in which off-board hex (0: on the way there), by whom, with which dice, what was lost."""

    hex: int
    power: str
    text: str
    clause: str
    lost: int = 0
    sunk: int = 0
    dice: tuple[int, ...] = ()
    note: str = ""
    note_clause: str = ""


class HexOfAttack(msgspec.Struct, frozen=True):
    """One of the six hexes in which the convoy may be attacked."""

    number: int
    state: str
    lost: int
    text: str


class Outcome(msgspec.Struct, frozen=True):
    text: str
    amount: int | str
    clause: str
    loss: bool = False


class ConvoySheet(msgspec.Struct, frozen=True):
    id: str
    title: str
    to: str
    sent: int
    afloat: int
    lost: int
    oil: int
    transports: int
    sunk: int
    #: How much the transports that are left could land.
    could_land: int
    hexes: tuple[HexOfAttack, ...]
    steps: tuple[Step, ...]
    waits_for: tuple[str, ...]
    asks: str
    clause: str
    replies: tuple[str, ...]
    since: int
    if_ended: tuple[Outcome, ...]


def convoy_sheet(s: State, told: Iterable[Told]) -> ConvoySheet | None:
    """The grant that is under way, with what has happened to it so far; nothing where none is."""
    waiting = s.waiting
    if waiting is None:
        return None
    about, befell = waiting.about, tuple(steps(s, told))
    waits = (waiting.waits_for, waiting.asks, waiting.clause, waiting.replies, waiting.since)
    if isinstance(about, Convoy):
        lost = about.brp - survivors(s, about)
        return ConvoySheet(
            waiting.id,
            "Convoy to Murmansk",
            "russia",
            about.brp,
            about.brp - lost,
            lost,
            about.oil,
            about.transports,
            about.sunk,
            5 * about.transports,
            _hexes(about, befell),
            befell,
            *waits,
            tuple(_convoy_outcome(s, about)),
        )
    if not isinstance(about, Consignment):
        return None
    afloat = min(about.afloat.values(), default=0)
    arrive = brps_through(s, about.brp, afloat) if about.transports else about.brp
    return ConvoySheet(
        waiting.id,
        f"Grant to {name(about.to)}",
        about.to,
        about.brp,
        arrive,
        about.brp - arrive,
        about.oil,
        sum(about.afloat.values()),
        sum(about.sunk.values()),
        5 * afloat,
        (),
        befell,
        *waits,
        _grant_outcome(about, arrive),
    )


def _hexes(convoy: Convoy, befell: tuple[Step, ...]) -> tuple[HexOfAttack, ...]:
    found = []
    for number in range(1, MOST_AIR_ATTACKS + 1):
        mine = [it for it in befell if it.hex == number]
        awaited = number == convoy.air_attacks + (convoy.stage == "attacked") and convoy.stage in (
            "attacked",
            "resolving",
        )
        state = "now" if awaited else "done" if mine or number <= convoy.air_attacks else "to come"
        what = ", ".join(dict.fromkeys(it.text.partition(",")[0].lower().removesuffix(" attack") for it in mine))
        found.append(HexOfAttack(number, state, sum(it.lost for it in mine), what or ("answer" if awaited else "")))
    return tuple(found)


def _convoy_outcome(s: State, convoy: Convoy) -> Iterable[Outcome]:
    landed = brps_carried(s, survivors(s, convoy), convoy.transports)
    yield Outcome("Russia receives", landed, "40.47A")
    yield Outcome("Lost at sea", convoy.brp - landed, "40.46A", loss=True)
    yield Outcome("Back to the grantors, if it aborts", survivors(s, convoy), "40.47A")
    if convoy.oil:
        partial = partial_oil_lost(s, convoy.damage)
        yield Outcome("Oil counters that land", oil_landed(s, convoy.oil, convoy.transports), "40.25A")
        yield Outcome("Partial oil counters lost", partial, "40.47B", loss=bool(partial))
    for it in _together(convoy.escorts):
        yield Outcome(f"Escort returns to {named(it.origin)}", f"{it.count} {it.unit}", "40.48C")


def _together(units: tuple[Detachment, ...]) -> list[Detachment]:
    return [it for it in units if it.count]


def _grant_outcome(sent: Consignment, arrive: int) -> tuple[Outcome, ...]:
    receives = Outcome(f"{name(sent.to)} receives", arrive, "40.223")
    lost = Outcome("Lost at sea", sent.brp - arrive, "40.223", loss=True)
    oil = Outcome("Oil counters that land", sent.oil if all(sent.afloat.values()) else 0, "40.252")
    return (receives, lost, oil) if sent.oil else (receives, lost)


# -- Step by step --------------------------------------------------------------------------------------------------


def steps(s: State, told: Iterable[Told]) -> Iterable[Step]:
    """What befell it, move by move; dice thrown before an outcome was told belong to that."""
    about: Convoy | Consignment | None = None
    dice: list[int] = []
    for command, records in told:
        dice += [it.event.face for it in records if isinstance(it.event, DiceRolled)]
        step = _step(s, command, about)
        if step is not None:
            yield msgspec.structs.replace(step, dice=(*dice, *step.dice))
            dice = []
        for it in records:
            if isinstance(it.event, OperationOpened | OperationMoved):
                now = it.event.operation.about
                about = now if isinstance(now, Convoy | Consignment) else None
    if dice:
        yield Step(_hex_of(about), "", "Dice thrown", "", dice=tuple(dice))


def _hex_of(about: Convoy | Consignment | None) -> int:
    return about.air_attacks if isinstance(about, Convoy) else 0


def _step(s: State, command: Command | None, about: Convoy | Consignment | None) -> Step | None:
    match command:
        case SailConvoy() | JoinConvoy():
            load = f"{command.brp} BRPs{f', {command.oil} oil' if command.oil else ''}"
            return Step(0, command.power, f"Sends {load}", "40.42" if isinstance(command, JoinConvoy) else "40.11")
        case GrantBrps():
            return Step(0, command.power, f"Sends {command.brp} BRPs by {command.by}", "40.11")
        case OpposeConvoy():
            units = (*command.air, *command.ships, *command.submarines, *command.submarines_with_ships)
            return Step(0, command.power, f"Intercepts with {', '.join(units)}", "40.45A")
        case ReportConvoyInterception() | ReportGrantInterception():
            sunk = command.transports_sunk
            return Step(0, "", f"Met on the mapboard: {_ships(sunk)} sunk", "40.223", sunk=sunk)
        case LetGrantPass():
            return Step(0, command.power, "Lets it pass", "40.12")
        case ReportConvoyAttack() if isinstance(about, Convoy) and about.announced:
            return _attack(s, command, about)
        case AttackConvoy() if command.by == "ships":
            return Step(_hex_of(about), command.power, "Naval combat announced", "40.45C")
    return None


def _ships(count: int) -> str:
    return f"{count} transport{'' if count == 1 else 's'}"


def _attack(s: State, told: ReportConvoyAttack, convoy: Convoy) -> Step:
    by = convoy.announced[0]
    lost = damage_done(s, by, told.hits)
    what = {"air": "Air attack", "submarines": "Submarine attack", "ships": "Naval combat"}[by]
    at = f", {convoy.modified} at -1" if convoy.modified else ""
    with_what = {"air": f", {_strength(convoy.air)}", "submarines": f", {convoy.committed}{at}"}.get(by, "")
    faces = tuple(int(it) for it in told.dice.replace(",", " ").split() for it in it)
    hits = "no hit" if not told.hits else f"{told.hits} hit{'' if told.hits == 1 else 's'}, one BRP each"
    outcome = f"; {told.outcome}" if told.outcome else ""
    sunk = f"; {_ships(told.transports_sunk)} sunk" if told.transports_sunk else ""
    clause = {"air": "40.45B", "submarines": "40.45B(3)", "ships": "40.45C"}[by]
    because = "40.46B" if by == "submarines" else "40.46A"
    return Step(
        convoy.strikes_in if by == "submarines" else convoy.air_attacks,
        "germany",
        f"{what}{with_what}",
        clause,
        lost,
        told.transports_sunk,
        faces,
        f"{hits}{sunk}{outcome}",
        because if told.hits else "",
    )


def _strength(units: tuple[Detachment, ...]) -> str:
    return ", ".join(f"{it.count} {it.unit} of {named(it.origin)}" for it in units if it.count)
