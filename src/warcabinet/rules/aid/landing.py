"""What a Murmansk convoy comes to: losses, what lands, what returns to whom, oil, and the way home (40.46 to 40.48)."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account, Brp
from warcabinet.model.commands.aid import DivideReturned
from warcabinet.model.convoys import Convoy, strength
from warcabinet.model.events import EntryPosted, Happened
from warcabinet.model.ledger import entry
from warcabinet.model.names import called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.aid.convoys import (
    BASES,
    LOST_AT_SEA,
    at_sea,
    carry_on,
    convoy_at,
    escorts_return,
    operational_base,
    raiders_return,
    submarines_return,
    the_convoy,
)
from warcabinet.rules.aid.grants import receive_grant
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.waiting import close_operation
from warcabinet.rules.kinds import effect, limit, order, value


@value("40.46A", covers=("40.46B",))
def damage_done(s: State, by: str, hits: int) -> int:
    """BRPs that an attack costs a convoy: one for each hit on its light ships, or for each hit by submarine."""
    note("hits", "40.46B" if by == "submarines" else "40.46A", hits, by)
    return hits


@value("40.47A", "Five BRPs reach Russia for each surviving transport, at most; what is in excess is eliminated")
def brps_carried(s: State, brp: int, transports: int) -> int:
    return min(brp, 5 * transports)


@value("40.47B", "Oil counters that land: all that sailed, if any transport is left; hits have cost some of them")
def oil_landed(s: State, oil: int, transports: int) -> int:
    return oil if transports else 0


@value("40.47B", "One partial oil counter is eliminated for every two BRPs of damage, rounded down")
def partial_oil_lost(s: State, damage: int) -> int:
    return damage // 2


def shares(whole: dict[str, int], amount: int) -> dict[str, int]:
    """An amount divided in proportion (R-0019): odd points go to the greatest fractions, then to who loaded first."""
    total = sum(whole.values())
    if not total:
        return dict.fromkeys(whole, 0)
    found = {power: brp * amount // total for power, brp in whole.items()}
    fractions = sorted(whole, key=lambda power: -(whole[power] * amount % total))
    for power in fractions[: amount - sum(found.values())]:
        found[power] += 1
    return found


def arrive(p: Proceedings, convoy: Convoy, clause: str) -> None:
    """What is left of the convoy reaches Russia, then everybody goes home."""
    arrived = brps_carried(p.s, survivors(p.s, convoy), convoy.transports)
    sent = _sent(convoy)
    if sent:
        postings: list[tuple[Account, int]] = [(at_sea(power), -brp) for power, brp in sent.items()]
        postings += [(Brp("russia"), arrived), (LOST_AT_SEA, convoy.brp - arrived)]
        p.do(EntryPosted(entry("Murmansk convoy", *(it for it in postings if it[1]))), clause)
    for power, brp in shares(sent, arrived).items():
        if brp:
            p.run(receive_grant, power, "russia", brp)
    if convoy.oil and convoy.transports:
        p.run(land_oil, convoy)
    _over(p, convoy, f"{arrived} BRPs reach Russia" if convoy.transports else "the convoy is destroyed")


@effect("40.45E")
def turn_back(p: Proceedings, convoy: Convoy) -> None:
    """A convoy that aborts is out of reach: nothing attacks it any more, and what survived returns to the grantors."""
    convoy = replace(convoy, aborted=True, announced=())
    sent, back = _sent(convoy), survivors(p.s, convoy)
    divided = reading_in_force(p.s, "R-0019") if len(sent) > 1 and 0 < back < convoy.brp else "a"
    if divided == "b":
        carry_on(p, replace(convoy, stage="dividing"))
    else:
        _give_back(p, convoy, _by_hits(convoy, sent, back) if divided == "c" else shares(sent, back))


def _give_back(p: Proceedings, convoy: Convoy, parts: dict[str, int]) -> None:
    """Each grantor has its part of what returns; the rest of what it sent is lost."""
    sent = _sent(convoy)
    for power, brp in parts.items():
        note("share_of_returned", "40.47A", brp, power)
        postings = ((Brp(power), brp), (LOST_AT_SEA, sent[power] - brp), (at_sea(power), -sent[power]))
        p.do(EntryPosted(entry("Murmansk convoy turned back", *(it for it in postings if it[1]))), "40.47A")
        if brp:
            p.do(Happened(Happening(p.s.moment, "grant returned", f"{power} russia", brp)), "40.47A")
    _over(p, convoy, f"the convoy turns back with {sum(parts.values())} BRPs")


def _sent(convoy: Convoy) -> dict[str, int]:
    return {it.power: it.brp for it in convoy.shipments if it.brp}


def survivors(s: State, convoy: Convoy) -> int:
    """The BRPs of a convoy that hits have left."""
    return convoy.brp - min(convoy.brp, convoy.damage)


def _by_hits(convoy: Convoy, sent: dict[str, int], back: int) -> dict[str, int]:
    """By the nationality of the ships that were hit (R-0019 c); what that does not tell is lost in proportion."""
    left = {power: brp - min(brp, convoy.hits_on.get(power, 0)) for power, brp in sent.items()}
    return left if sum(left.values()) == back else shares(left, back)


@limit("40.47A", on=DivideReturned, when=lambda s, cmd: convoy_at(s, "dividing") is not None)
def division_adds_up(s: State, cmd: DivideReturned) -> str | None:
    """All that returns is divided, to none more than it sent."""
    convoy, parts = the_convoy(s), _parts(cmd)
    sent, back = _sent(convoy), survivors(s, convoy)
    for power, brp in parts.items():
        if brp > sent.get(power, 0):
            return f"{called(power)} sent {sent.get(power, 0)} BRPs, not {brp}"
    whole = sum(parts.values())
    return None if whole == back else f"{back} BRPs return, {whole} are divided"


def _parts(cmd: DivideReturned) -> dict[str, int]:
    return {"britain": cmd.britain, "france": cmd.france, "usa": cmd.usa}


@order("40.47A", on=DivideReturned, out_of_turn=True)
def divide_returned(p: Proceedings, cmd: DivideReturned) -> None:
    """The grantors divide what a convoy brings back as they choose (R-0019)."""
    convoy, parts = the_convoy(p.s), _parts(cmd)
    _give_back(p, convoy, {power: parts[power] for power in _sent(convoy)})


@effect("40.253", "Oil that arrives changes no BRP level or limit; hits have eliminated part of it", covers=("40.25",))
def land_oil(p: Proceedings, convoy: Convoy) -> None:
    landed = oil_landed(p.s, convoy.oil, convoy.transports)
    note("oil_by_murmansk", "40.25", landed)
    p.do(Happened(Happening(p.s.moment, "oil received", "russia", landed)))
    lost = partial_oil_lost(p.s, convoy.damage)
    if lost:
        p.do(Happened(Happening(p.s.moment, "partial oil lost", "russia", lost)), "40.47B")


def _over(p: Proceedings, convoy: Convoy, outcome: str) -> None:
    """Allied units go home; German ones too, once Germany has said where, if it has a choice."""
    p.run(escorts_return, convoy)
    ended = replace(convoy, stage="homeward", escorts=(), announced=())
    if german_choice(p.s, ended):
        carry_on(p, ended)
        return
    send_raiders_home(p, ended, "", "")
    close_operation(p, outcome)


def german_choice(s: State, convoy: Convoy) -> bool:
    """Submarines may go to a base or to the SW box; air units and ships have a choice where both bases are open."""
    submarines = (*convoy.submarines, *convoy.submarines_with_ships)
    if not all(operational_base(s, base) for base in BASES):
        return bool(strength(submarines))
    return bool(strength((*convoy.air, *convoy.ships, *submarines)))


def send_raiders_home(p: Proceedings, convoy: Convoy, to: str, submarines_to: str) -> None:
    if convoy.opposed:
        p.run(raiders_return, convoy, to)
        p.run(submarines_return, convoy, submarines_to)
