"""A Murmansk convoy under way: what it waits for at each stage, the units that sail with it, and what it comes to.

Units that take part stand in the Murmansk box; the BRPs are in an account of their own until the convoy is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from warcabinet.board.boxes import box
from warcabinet.board.names import places_at
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account, AtSea, Brp, Sink
from warcabinet.model.commands.aid import (
    AttackConvoy,
    CallOffAttacks,
    JoinConvoy,
    LetConvoyPass,
    OpposeConvoy,
    ReportConvoyAttack,
    ReportConvoyInterception,
    ReturnRaiders,
)
from warcabinet.model.convoys import Convoy, Detachment, strength
from warcabinet.model.events import EntryPosted, Happened, UnitsMoved
from warcabinet.model.forces import parse_placement
from warcabinet.model.ledger import entry
from warcabinet.model.names import called
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.aid.grants import receive_grant
from warcabinet.rules.common.alliances import stands_with
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.waiting import Question, close_operation, goes_on
from warcabinet.rules.kinds import definition, effect, value

TITLE = "A Murmansk convoy"
MURMANSK = "box/murmansk"
LOST_AT_SEA = Sink("brp", "convoys")
SW_BOX = "box/atlantic_sw"
BASES = ("Bergen", "Scapa Flow")
MOST_AIR_ATTACKS = 6


def convoy_at(s: State, *stages: str) -> Convoy | None:
    """The convoy that waits now, if it stands at one of these stages (none named: at any)."""
    about = s.waiting.about if s.waiting is not None else None
    return about if isinstance(about, Convoy) and (not stages or about.stage in stages) else None


def the_convoy(s: State) -> Convoy:
    found = convoy_at(s)
    assert found is not None, "no convoy is under way"
    return found


def at_sea(power: str) -> AtSea:
    """Where granted BRPs are while they sail."""
    return AtSea(power, "murmansk")


# -- Stages --------------------------------------------------------------------------------------------------------


def question(convoy: Convoy) -> Question:
    """What the convoy waits for as it stands."""
    germany = ("germany",)
    if convoy.stage == "assembling":
        return Question("40.42", convoy.to_join, (JoinConvoy,), "what sails with it")
    if convoy.stage == "sighted":
        replies = (OpposeConvoy, LetConvoyPass, ReportConvoyInterception)
        return Question("40.44", germany, replies, f"oppose it or let it pass ({cargo(convoy)})")
    if convoy.stage == "attacked":
        return Question("40.45B", germany, (AttackConvoy, CallOffAttacks), f"attack, or call it off ({left(convoy)})")
    if convoy.stage == "resolving":
        what = {"air": f"air attack {convoy.air_attacks}", "ships": "the naval combat"}
        submarines = f"the attack of {convoy.committed} submarine{'s' if convoy.committed > 1 else ''}"
        told = what.get(convoy.announced[0], submarines)
        clause = "40.45C" if convoy.announced[0] == "ships" else "40.45B"
        return Question(clause, germany, (ReportConvoyAttack,), f"the outcome of {told}")
    return Question("40.48", germany, (ReturnRaiders,), "where the survivors go")


def cargo(convoy: Convoy) -> str:
    """What a convoy carries, in words."""
    oil = f", {convoy.oil} oil counter{'s' if convoy.oil > 1 else ''}" if convoy.oil else ""
    lost = f", {convoy.damage} lost to hits" if convoy.damage else ""
    return f"{convoy.brp} BRPs{oil}{lost}, {convoy.transports} transports"


def left(convoy: Convoy) -> str:
    """What Germany can still attack with, in words."""
    air = f"{MOST_AIR_ATTACKS - convoy.air_attacks} air attacks" if can_fly(convoy) else ""
    submarines = f"{convoy.unspent} submarines" if convoy.unspent else ""
    ships = "the ships" if can_fight(convoy) else ""
    return "left: " + ", ".join(filter(None, (air, submarines, ships)))


def can_fly(convoy: Convoy) -> bool:
    return bool(strength(convoy.air)) and convoy.air_attacks < MOST_AIR_ATTACKS


def can_fight(convoy: Convoy) -> bool:
    return bool(strength(convoy.ships)) and not convoy.fought


def carry_on(p: Proceedings, convoy: Convoy) -> None:
    goes_on(p, convoy, question(convoy))


# -- Units ---------------------------------------------------------------------------------------------------------


def detachments(nation: str, stacks: Iterable[str]) -> tuple[Detachment, ...]:
    """Units as an order names them."""
    placed = map(parse_placement, stacks)
    return tuple(Detachment(nation, it.unit, it.count, it.place) for it in placed)


def named(key: str) -> str:
    """A place as an order would name it."""
    here = places_at(key)
    return here[0].name if here else box(key.removeprefix("box/")).name if key.startswith("box/") else key


def each_number(unit: str, key: str, most: int) -> list[str]:
    """Some units at a place as an order could name them: all of them, or fewer."""
    return [f"{n} {unit} at {named(key)}" for n in range(most, 0, -1)]


def missing(s: State, units: Iterable[Detachment]) -> str | None:
    """Which of the units named do not stand where they were said to."""
    wanted: dict[tuple[str, str, str], int] = {}
    for it in units:
        key = (it.nation, it.origin, it.unit)
        wanted[key] = wanted.get(key, 0) + it.count
        there = s.pieces.count(it.nation, At(it.origin), it.unit)
        if there < wanted[key]:
            return f"{there} {it.unit} of {called(it.nation)} in {named(it.origin)}, not {wanted[key]}"
    return None


def put_to_sea(p: Proceedings, units: Iterable[Detachment]) -> None:
    for it in units:
        _move(p, it, it.origin, MURMANSK)


def _bring_home(p: Proceedings, units: Iterable[Detachment], to: str = "") -> None:
    for it in units:
        if it.count:
            _move(p, it, MURMANSK, place_key(to) if to else it.origin)


@effect("40.48C", "Western Allied survivors return to their port or box of origin")
def escorts_return(p: Proceedings, convoy: Convoy) -> None:
    _bring_home(p, convoy.escorts)


@effect("40.48A", "German air units and ships that survived return to Bergen or Scapa Flow")
def raiders_return(p: Proceedings, convoy: Convoy, to: str) -> None:
    _bring_home(p, (*convoy.air, *convoy.ships), to)


@effect("40.48B", "German submarines that survived return to Bergen, Scapa Flow or the Atlantic SW box")
def submarines_return(p: Proceedings, convoy: Convoy, to: str) -> None:
    _bring_home(p, (*convoy.submarines, *convoy.submarines_with_ships), to)


def _move(p: Proceedings, it: Detachment, origin: str, to: str) -> None:
    p.do(UnitsMoved(it.nation, it.unit, it.count, At(origin), At(to), f"{it.count} {it.unit}"))


def without(units: tuple[Detachment, ...], lost: dict[str, int], of: str = "") -> tuple[Detachment, ...]:
    """What is left of some units after losses, taken from the first that fit; `lost` keeps what was not found."""
    found = []
    for it in units:
        gone = min(it.count, lost.get(it.unit, 0)) if of in ("", it.nation) else 0
        if gone:
            lost[it.unit] -= gone
        found.append(replace(it, count=it.count - gone))
    return tuple(found)


def eliminate(p: Proceedings, before: tuple[Detachment, ...], after: tuple[Detachment, ...]) -> None:
    """Units lost return to the force pool."""
    for was, now in zip(before, after, strict=True):
        gone = was.count - now.count
        if gone:
            memo = f"{gone} {was.unit} eliminated"
            p.do(UnitsMoved(was.nation, was.unit, gone, At(MURMANSK), UNBUILT, memo))


@cache
def is_warship(unit: str) -> bool:
    """A naval unit in the sense of the convoy rules: submarines, transports and ASW are named apart."""
    return parse_unit(unit)[0].branch == "naval" and kind_name(unit) not in ("submarine", "transport", "asw")


@definition("40.44A", "A base from which Germany opposes convoys: Bergen or Scapa Flow, if the Axis hold it")
def operational_base(s: State, place: str) -> bool:
    key = place_key(place)
    if key not in map(place_key, BASES):
        return False
    held = holder(s, key)
    standing = s.countries.get(held)
    return stands_with(s, held, "germany") or (standing is not None and stands_with(s, standing.by, "germany"))


# -- What it comes to ----------------------------------------------------------------------------------------------


@value("40.46A", "An attack from the air or a naval combat costs one BRP for each hit on the defending light ships")
def damage_done(s: State, by: str, hits: int) -> int:
    return hits


@value(
    "40.46B",
    "A submarine attack costs one BRP for each hit by submarine",
    displaces=damage_done,
    when=lambda s, by, hits: by == "submarines",
)
def damage_by_submarines(s: State, by: str, hits: int) -> int:
    return hits


@value("40.46A", "BRPs lost to attacks: never more than the convoy carries")
def brps_lost(s: State, brp: int, damage: int) -> int:
    return min(brp, damage)


@value("40.47A", "Five BRPs reach Russia for each surviving transport, at most; what is in excess is eliminated")
def brps_carried(s: State, brp: int, transports: int) -> int:
    return min(brp, 5 * transports)


@value("40.47A", "BRPs that return to the grantors when a convoy turns back: all that survived the hits")
def brps_returned(s: State, brp: int, transports: int) -> int:
    return brp


@value(
    "40.47A",
    "Under the other reading what exceeds five BRPs a surviving transport does not return either",
    displaces=brps_returned,
    when=lambda s, brp, transports: reading_in_force(s, "R-0020") == "b",
)
def brps_returned_by_transports(s: State, brp: int, transports: int) -> int:
    return brps_carried(s, brp, transports)


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
    survive = convoy.brp - brps_lost(p.s, convoy.brp, convoy.damage)
    arrived = brps_carried(p.s, survive, convoy.transports)
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


@effect(
    "40.45E",
    "A convoy that aborts is out of reach: nothing attacks it any more, and what survived returns to the grantors",
)
def turn_back(p: Proceedings, convoy: Convoy) -> None:
    survive = convoy.brp - brps_lost(p.s, convoy.brp, convoy.damage)
    back = brps_returned(p.s, survive, convoy.transports)
    sent = _sent(convoy)
    for power, brp in shares(sent, back).items():
        note("share_of_returned", "40.47A", brp, power)
        postings = ((Brp(power), brp), (LOST_AT_SEA, sent[power] - brp), (at_sea(power), -sent[power]))
        p.do(EntryPosted(entry("Murmansk convoy turned back", *(it for it in postings if it[1]))), "40.47A")
        if brp:
            p.do(Happened(Happening(p.s.moment, "grant returned", f"{power} russia", brp)), "40.47A")
    _over(p, replace(convoy, aborted=True), f"the convoy turns back with {back} BRPs")


def _sent(convoy: Convoy) -> dict[str, int]:
    return {it.power: it.brp for it in convoy.shipments if it.brp}


@effect("40.253", "Oil that arrives changes no BRP level or limit; hits have eliminated part of it", covers=("40.25",))
def land_oil(p: Proceedings, convoy: Convoy) -> None:
    note("oil_by_murmansk", "40.25", convoy.oil)
    p.do(Happened(Happening(p.s.moment, "oil received", "russia", convoy.oil)))
    lost = partial_oil_lost(p.s, convoy.damage)
    if lost:
        p.do(Happened(Happening(p.s.moment, "partial oil lost", "russia", lost)), "40.47B")


def _over(p: Proceedings, convoy: Convoy, outcome: str) -> None:
    """Allied units go home; German ones too, once Germany has said where, if it has a choice."""
    p.run(escorts_return, convoy)
    ended = replace(convoy, stage="homeward", escorts=(), announced=(), committed=0)
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
