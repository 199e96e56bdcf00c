"""A plan of grants: each judged after those before it, what it comes to on both sides, and the transports it takes.

Nothing is done: the orders are decided on a copy, and whoever could meet a grant is taken to let it pass.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.game.engine import decide
from warcabinet.house.form import malformed
from warcabinet.model.commands.aid import (
    AttackConvoy,
    CallOffAttacks,
    DivideReturned,
    GrantBrps,
    JoinConvoy,
    LetConvoyPass,
    LetGrantPass,
    ReportConvoyAttack,
    ReturnRaiders,
    SailConvoy,
)
from warcabinet.model.commands.base import Command
from warcabinet.model.convoys import Consignment, Convoy
from warcabinet.model.names import powers
from warcabinet.model.state import State, total
from warcabinet.rules.aid.attacks import shares, survivors
from warcabinet.rules.aid.convoys import needed
from warcabinet.rules.aid.murmansk import transports_required
from warcabinet.rules.aid.russia import oil_by_sea
from warcabinet.rules.common.books import transports_of
from warcabinet.rules.economy.base import keeps_brps, level
from warcabinet.rules.economy.spending import construction_limit
from warcabinet.views.aid_ways import FREE, Claim, as_if_granting, road_of
from warcabinet.views.words import command_text, name

Granting = GrantBrps | SailConvoy
OCEANS = {"atlantic": "40.221A", "indian_ocean": "40.221C", "pacific": "40.221B"}
STEPS = 40


class Planned(msgspec.Struct, frozen=True):
    """One order of the plan: what it says, the transports it takes, and every reason against it."""

    command: Granting
    text: str
    power: str
    to: str
    brp: int
    road: str
    transports: dict[str, int]
    why_not: tuple[Claim, ...]


class Side(msgspec.Struct, frozen=True):
    """A power before and after: its level and construction limit, and what it grants and receives this turn.

    `stands` is what they become if what is under way lands as it is now; `after` is that with the plan.
    """

    power: str
    level: int
    level_stands: int
    level_after: int
    limit: int
    limit_stands: int
    limit_after: int
    grants: int
    receives: int


class Ocean(msgspec.Struct, frozen=True):
    """The transports of an ocean: all, those that carry something already, and those that the plan takes."""

    ocean: str
    clause: str
    all: int
    used: int
    needed: int
    free: int
    #: For what the plan takes them.
    uses: tuple[str, ...]


class Plan(msgspec.Struct, frozen=True):
    lines: tuple[Planned, ...]
    sides: tuple[Side, ...]
    oceans: tuple[Ocean, ...]
    brp: int
    #: Transports that grants to different ends save by sharing.
    shared: int


def plan(s: State, commands: Iterable[Granting]) -> Plan:
    """What a plan comes to, from the position as it stands, with what is under way let pass."""
    start = played_out(s)
    after, lines = start, []
    for command in commands:
        wrong = tuple(Claim(it.clause, it.text) for it in malformed(after, command))
        if wrong:
            lines.append(Planned(command, command_text(command), command.power, "", command.brp, "", {}, wrong))
            continue
        at = as_if_granting(after, command.power)
        ruling = decide(at, command)
        lines.append(_planned(at, command, tuple(Claim(it.clause, it.text) for it in ruling.refusals)))
        if ruling.accepted:
            after = played_out(ruling.state)
    good = [it for it in lines if not it.why_not]
    return Plan(
        tuple(lines), _sides(s, start, after), _oceans(start, good), sum(it.brp for it in good), _saved(start, good)
    )


def _planned(s: State, command: Granting, why_not: tuple[Claim, ...]) -> Planned:
    if isinstance(command, SailConvoy):
        takes = {"atlantic": command.transports or transports_required(s, command.brp, command.oil)}
        to, road = "russia", "murmansk"
    else:
        takes = needed(s, command.power, command.to, command.by, command.brp, oil_by_sea(command))
        to, road = command.to, road_of(command.by, command.through)
    return Planned(command, command_text(command), command.power, to, command.brp, road, takes, why_not)


def played_out(s: State) -> State:
    """The position after a grant that is under way was left alone from now on."""
    for _ in range(STEPS):
        reply = quiet_reply(s)
        ruling = decide(s, reply) if reply is not None else None
        if ruling is None or not ruling.accepted:
            break
        s = ruling.state
    return s


def quiet_reply(s: State) -> Command | None:
    """What lets a grant go on unharmed."""
    if s.waiting is None or not s.waiting.waits_for:
        return None
    asked, about = s.waiting.waits_for[0], s.waiting.about
    if isinstance(about, Consignment):
        return LetGrantPass(asked)
    if not isinstance(about, Convoy):
        return None
    if about.stage == "dividing":
        parts = shares({it.power: it.brp for it in about.shipments if it.brp}, survivors(s, about))
        return DivideReturned(asked, parts.get("britain", 0), parts.get("france", 0), parts.get("usa", 0))
    if about.stage == "resolving":
        return ReportConvoyAttack(outcome="germany withdraws" if about.announced[0] == "ships" else "")
    if about.stage == "attacked" and about.ships and not about.fought:
        return AttackConvoy(asked, by="ships")
    if about.stage == "attacked" and about.unspent:
        return AttackConvoy(asked, by="submarines", submarines=about.unspent)
    return {
        "assembling": JoinConvoy(asked),
        "sighted": LetConvoyPass(asked),
        "attacked": CallOffAttacks(asked),
        "homeward": ReturnRaiders(asked),
    }[about.stage]


def _sides(now: State, start: State, after: State) -> tuple[Side, ...]:
    """Every power that grants or receives this turn or by the plan; with no grant at all, all that keep BRPs."""
    found = []
    for power in powers():
        if not keeps_brps(now, power):
            continue
        grants = _sum(after, ("granted", "granted for construction"), power, 0)
        receives = _sum(after, ("grant received",), power, 1)
        side = Side(
            power,
            *(level(now, power), level(start, power), level(after, power)),
            *(construction_limit(now, power), construction_limit(start, power), construction_limit(after, power)),
            grants,
            receives,
        )
        found.append(side)
    touched = tuple(it for it in found if it.grants or it.receives or it.level != it.level_after)
    return touched or tuple(found)


def _sum(s: State, kinds: tuple[str, ...], power: str, place: int) -> int:
    since = s.since("turn")
    of = s.happenings.among(kinds, since)
    return sum(it.amount for it in of if it.key.split(" ")[place] == power)


def _oceans(s: State, lines: list[Planned]) -> tuple[Ocean, ...]:
    found = []
    for ocean, clause in OCEANS.items():
        takes = [(it, it.transports.get(ocean, 0)) for it in lines if it.transports.get(ocean, 0)]
        uses = tuple(f"{name(it.to)} {n}" for it, n in takes)
        used = total(s, "transports used", ocean, "phase")
        count, wanted = transports_of(s, ocean), sum(n for _, n in takes)
        found.append(Ocean(ocean, clause, count, used, wanted, FREE[ocean](s) - wanted, uses))
    return tuple(found)


def _saved(s: State, lines: list[Planned]) -> int:
    """How many transports more the grants would take, if each had its own."""
    alone = sum(
        sum(needed(s, it.command.power, it.command.to, it.command.by, it.brp, 0).values())
        for it in lines
        if isinstance(it.command, GrantBrps)
    )
    together = sum(sum(it.transports.values()) for it in lines if isinstance(it.command, GrantBrps))
    oil = sum(oil_by_sea(it.command) * len(it.transports) for it in lines if isinstance(it.command, GrantBrps))
    return max(0, alone - (together - oil))
