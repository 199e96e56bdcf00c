"""Who opposes a Murmansk convoy, and with what: German units of two bases, and some submarines (40.43 to 40.45A)."""

from __future__ import annotations

from functools import cache
from itertools import chain

from msgspec.structs import replace

from warcabinet.kernel.limits import Choice
from warcabinet.model.commands.aid import LetConvoyPass, OpposeConvoy, ReportConvoyInterception
from warcabinet.model.convoys import Detachment, strength
from warcabinet.model.events import Reported
from warcabinet.model.pieces import At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import parse_placement
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.aid.convoys import (
    BASES,
    SW_BOX,
    carry_on,
    convoy_at,
    detachments,
    each_number,
    is_warship,
    missing,
    named,
    operational_base,
    put_to_sea,
    the_convoy,
)
from warcabinet.rules.aid.landing import arrive
from warcabinet.rules.aid.outcomes import allied_losses
from warcabinet.rules.kinds import limit, opening, order, value

# -- Who may oppose ------------------------------------------------------------------------------------------------


@value("40.44B", "One submarine of the Atlantic SW box may attack for every ten there, rounded up, if a base is open")
def sw_submarines(s: State) -> int:
    there = s.pieces.count("germany", At(SW_BOX), "submarine")
    return -(-there // 10) if any(operational_base(s, base) for base in BASES) else 0


def _forces(cmd: OpposeConvoy) -> dict[str, tuple[str, ...]]:
    """What intercepts, by the fields of the order."""
    return {
        "air": cmd.air,
        "ships": cmd.ships,
        "submarines": cmd.submarines,
        "submarines_with_ships": cmd.submarines_with_ships,
    }


@cache
def _fits(field: str, unit: str) -> bool:
    """Whether a unit is what a field of the order speaks of."""
    if field == "air":
        return parse_unit(unit)[0].branch == "air"
    return is_warship(unit) if field == "ships" else kind_name(unit) == "submarine"


@limit("40.44", on=OpposeConvoy, when=lambda s, cmd: convoy_at(s, "sighted") is not None)
def raiders_fit(s: State, cmd: OpposeConvoy) -> str | None:
    """Air units, naval units and submarines oppose a convoy, each under its name."""
    forces = _forces(cmd)
    if not any(forces.values()):
        return "name the units that intercept, or let the convoy pass"
    for field, stacks in forces.items():
        for it in map(parse_placement, stacks):
            if not _fits(field, it.unit):
                return f"{it.unit} cannot intercept under {field.replace('_', ' ')}"
    return missing(s, _raiders(cmd))


def _raiders(cmd: OpposeConvoy) -> tuple[Detachment, ...]:
    return tuple(it for stacks in _forces(cmd).values() for it in detachments(cmd.power, stacks))


@limit("40.44A", on=OpposeConvoy, when=lambda s, cmd: convoy_at(s, "sighted") is not None)
def raiders_have_base(s: State, cmd: OpposeConvoy) -> str | None:
    """Units that oppose a convoy are based in an operational Bergen or Scapa Flow."""
    for it in _raiders(cmd):
        if it.origin == SW_BOX and kind_name(it.unit) == "submarine":
            continue
        if not operational_base(s, it.origin):
            return f"{it.unit} at {named(it.origin)}: not based in an operational Bergen or Scapa Flow"
    return None


@limit("40.44B", on=OpposeConvoy, when=lambda s, cmd: convoy_at(s, "sighted") is not None)
def few_sw_submarines(s: State, cmd: OpposeConvoy) -> str | None:
    """Of the submarines in the Atlantic SW box one for every ten, rounded up, attacks."""
    asked = sum(it.count for it in _raiders(cmd) if it.origin == SW_BOX and kind_name(it.unit) == "submarine")
    most = sw_submarines(s)
    return None if asked <= most else f"{asked} submarines from the Atlantic SW box, at most {most}"


@limit("40.45A", on=OpposeConvoy, when=lambda s, cmd: convoy_at(s, "sighted") is not None)
def submarines_need_ships(s: State, cmd: OpposeConvoy) -> str | None:
    """Submarines go with ships only where ships intercept."""
    if cmd.submarines_with_ships and not cmd.ships:
        return "no ships intercept that submarines could go with: they intercept by themselves"
    return None


def _open_to(s: State, field: str) -> tuple[str, ...]:
    """What Germany could name in a field of the order, each number that is there."""
    found: list[str] = []
    fitting = (stacks for unit, stacks in s.pieces.kinds("germany") if _fits(field, unit))
    for it in chain.from_iterable(fitting):
        if it.place == SW_BOX and kind_name(it.unit) == "submarine":
            found += each_number(it.unit, it.place, min(it.count, sw_submarines(s)))
        elif operational_base(s, it.place):
            found += each_number(it.unit, it.place, it.count)
    return tuple(found)


@opening("40.44A", "German air units that could intercept", on=OpposeConvoy)
def air_open(s: State, cmd: OpposeConvoy) -> Choice:
    return Choice("air", _open_to(s, "air"))


@opening("40.44A", "German ships that could intercept", on=OpposeConvoy)
def ships_open(s: State, cmd: OpposeConvoy) -> Choice:
    return Choice("ships", _open_to(s, "ships"))


@opening("40.44B", "German submarines that could intercept by themselves", on=OpposeConvoy)
def submarines_open(s: State, cmd: OpposeConvoy) -> Choice:
    return Choice("submarines", _open_to(s, "submarines"))


@opening("40.45A", "German submarines that could go with the ships", on=OpposeConvoy)
def submarines_with_ships_open(s: State, cmd: OpposeConvoy) -> Choice:
    return Choice("submarines_with_ships", _open_to(s, "submarines_with_ships"))


@order("40.45A", on=OpposeConvoy, out_of_turn=True)
def oppose_convoy(p: Proceedings, cmd: OpposeConvoy) -> None:
    """The units that intercept are named; interception is automatic, and all are in range."""
    air, ships, alone, beside = (detachments(cmd.power, stacks) for stacks in _forces(cmd).values())
    put_to_sea(p, (*air, *ships, *alone, *beside))
    convoy = replace(the_convoy(p.s), stage="attacked", air=air, ships=ships, submarines=alone, unspent=strength(alone))
    carry_on(p, replace(convoy, submarines_with_ships=beside))


@order("40.431", "All BRPs of a convoy that nobody opposes reach Russia at once", on=LetConvoyPass, out_of_turn=True)
def let_convoy_pass(p: Proceedings, cmd: LetConvoyPass) -> None:
    arrive(p, the_convoy(p.s), "40.431")


@order("40.223", on=ReportConvoyInterception, out_of_turn=True)
def report_convoy_interception(p: Proceedings, cmd: ReportConvoyInterception) -> None:
    """On the mapboard a convoy may be intercepted: too few transports left cost BRPs."""
    p.do(Reported("convoy interception", f"{cmd.transports_sunk} transports sunk on the mapboard"))
    convoy = allied_losses(p, the_convoy(p.s), cmd)
    if convoy.transports:
        carry_on(p, convoy)
    else:
        arrive(p, convoy, "40.223")
