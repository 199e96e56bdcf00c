"""Attacks on a Murmansk convoy: who may oppose it, how it is attacked and how often, what an attack did as it is
reported; losses, what lands, what returns to whom, oil, and the way home (40.44 to 40.48).

The attacks themselves are fought by chapters that are not here; their outcome is reported, attack by attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain

from msgspec.structs import replace

from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account, Brp
from warcabinet.model.commands.aid import (
    AttackConvoy,
    CallOffAttacks,
    DivideReturned,
    LetConvoyPass,
    OpposeConvoy,
    ReportConvoyAttack,
    ReportConvoyInterception,
    ReturnRaiders,
)
from warcabinet.model.convoys import Convoy, Detachment, strength
from warcabinet.model.events import AutoStep, EntryPosted, Happened, Reported
from warcabinet.model.happenings import Granted, befell
from warcabinet.model.keys import NOWHERE, Place, Unit
from warcabinet.model.ledger import entry
from warcabinet.model.names import called
from warcabinet.model.pieces import At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.unit_lists import counted, parse_placement
from warcabinet.model.units import kind_name, unit_branch
from warcabinet.rules.aid import convoys
from warcabinet.rules.aid.grants import receive_grant
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.waiting import close_operation
from warcabinet.rules.kinds import definition, effect, limit, opening, order, value


@value("40.46A")
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
        postings: list[tuple[Account, int]] = [(convoys.at_sea(power), -brp) for power, brp in sent.items()]
        postings += [(Brp("russia"), arrived), (convoys.LOST_AT_SEA, convoy.brp - arrived)]
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
        convoys.carry_on(p, replace(convoy, stage="dividing"))
    else:
        _give_back(p, convoy, _by_hits(convoy, sent, back) if divided == "c" else shares(sent, back))


def _give_back(p: Proceedings, convoy: Convoy, parts: dict[str, int]) -> None:
    """Each grantor has its part of what returns; the rest of what it sent is lost."""
    sent = _sent(convoy)
    for power, brp in parts.items():
        note("share_of_returned", "40.47A", brp, power)
        postings = ((Brp(power), brp), (convoys.LOST_AT_SEA, sent[power] - brp), (convoys.at_sea(power), -sent[power]))
        p.do(EntryPosted(entry("Murmansk convoy turned back", *(it for it in postings if it[1]))), "40.47A")
        if brp:
            p.do(befell(p.s, Granted("grant returned", power, "russia"), brp), "40.47A")
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


@limit("40.47A", on=DivideReturned, when=lambda s, cmd: convoys.convoy_at(s, "dividing") is not None)
def division_adds_up(s: State, cmd: DivideReturned) -> str | None:
    """All that returns is divided, to none more than it sent."""
    convoy, parts = convoys.the_convoy(s), _parts(cmd)
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
    convoy, parts = convoys.the_convoy(p.s), _parts(cmd)
    _give_back(p, convoy, {power: parts[power] for power in _sent(convoy)})


@effect("40.253", "Oil that arrives changes no BRP level or limit; hits have eliminated part of it")
def land_oil(p: Proceedings, convoy: Convoy) -> None:
    landed = oil_landed(p.s, convoy.oil, convoy.transports)
    note("oil_by_murmansk", "40.25", landed)
    p.do(Happened(Happening(p.s.moment, "oil received", "russia", landed)))
    lost = partial_oil_lost(p.s, convoy.damage)
    if lost:
        p.do(Happened(Happening(p.s.moment, "partial oil lost", "russia", lost)), "40.47B")


def _over(p: Proceedings, convoy: Convoy, outcome: str) -> None:
    """Allied units go home; German ones too, once Germany has said where, if it has a choice."""
    p.run(convoys.escorts_return, convoy)
    ended = replace(convoy, stage="homeward", escorts=(), announced=())
    if german_choice(p.s, ended):
        convoys.carry_on(p, ended)
        return
    send_raiders_home(p, ended, NOWHERE, NOWHERE)
    close_operation(p, outcome)


def german_choice(s: State, convoy: Convoy) -> bool:
    """Submarines may go to a base or to the SW box; air units and ships have a choice where both bases are open."""
    submarines = (*convoy.submarines, *convoy.submarines_with_ships)
    if not all(convoys.operational_base(s, base) for base in convoys.BASES.values()):
        return bool(strength(submarines))
    return bool(strength((*convoy.air, *convoy.ships, *submarines)))


def send_raiders_home(p: Proceedings, convoy: Convoy, to: Place, submarines_to: Place) -> None:
    if convoy.opposed:
        p.run(convoys.raiders_return, convoy, to)
        p.run(convoys.submarines_return, convoy, submarines_to)


WITH_SHIPS = "submarines_with_ships"
TAKES_PART = {"air": ("air",), "submarines": ("submarines",), "ships": ("ships", "air", WITH_SHIPS)}


def _attackers(convoy: Convoy) -> tuple[Detachment, ...]:
    """Who is in the attack whose outcome is awaited."""
    return tuple(it for field in TAKES_PART[convoy.announced[0]] for it in getattr(convoy, field))


@limit("WC.7", on=(ReportConvoyAttack, ReportConvoyInterception), when=lambda s, cmd: convoys.convoy_at(s) is not None)
def sunk_transports_sail(s: State, cmd: ReportConvoyAttack | ReportConvoyInterception) -> Bound:
    """No more transports are sunk than sail."""
    return Bound("transports_sunk", most=convoys.the_convoy(s).transports, text="transports in the convoy")


@limit("WC.7", on=(ReportConvoyAttack, ReportConvoyInterception), when=lambda s, cmd: convoys.convoy_at(s) is not None)
def lost_units_are_there(s: State, cmd: ReportConvoyAttack | ReportConvoyInterception) -> Iterator[str]:
    """Only escorts that sail with the convoy are lost, and raiders that take part in the attack."""
    convoy = convoys.the_convoy(s)
    mine = [it for it in convoy.escorts if it.count and cmd.escorts_of in ("", it.nation)]
    for unit, count in counted(cmd.escorts_lost).items():
        having = {it.nation for it in mine if it.unit == unit}
        there = sum(it.count for it in mine if it.unit == unit)
        if len(having) > 1:
            yield f"{unit}: say whose were lost, {' or '.join(sorted(map(called, having)))}"
        elif count > there:
            yield f"{count} {unit} lost, {there} protect the convoy"
    if isinstance(cmd, ReportConvoyAttack) and convoy.stage == "resolving":
        for unit, count in counted(cmd.raiders_lost).items():
            there = sum(it.count for it in _attackers(convoy) if it.unit == unit)
            if count > there:
                yield f"{count} {unit} lost, {there} take part in this attack"


@limit("40.46A", on=ReportConvoyAttack, when=lambda s, cmd: convoys.convoy_at(s, "resolving") is not None)
def outcome_is_told(s: State, cmd: ReportConvoyAttack) -> Iterator[Finding]:
    """Naval combat lasts until one side withdraws; every hit says whose ship it fell on where losses follow them."""
    convoy = convoys.the_convoy(s)
    several = sum(1 for it in convoy.shipments if it.brp) > 1
    wanted = several and reading_in_force(s, "R-0019") == "c"
    if len(cmd.hits_of) != cmd.hits and (wanted or cmd.hits_of):
        yield f"{cmd.hits} hits: say of each whose ship was hit"
    in_combat = convoy.announced[0] == "ships"
    most, text = cover_that_engages(s, convoy.air_cover) if in_combat else 0, "a third of the squadrons on air cover"
    yield Bound("cover_engaged", most=most, text=f"{text}, rounded up", clause="40.45C(4)")
    withdrawn = "withdraw" in cmd.outcome
    if not in_combat:
        if withdrawn:
            yield Refusal("40.45C(6)", "no naval combat is fought now that a side could withdraw from")
        return
    ships = [it.unit for it in convoy.ships]
    afloat = strength(convoy.ships) - sum(n for unit, n in counted(cmd.raiders_lost).items() if unit in ships)
    if not withdrawn and afloat and cmd.transports_sunk != convoy.transports:
        yield Refusal("40.45C(6)", "say which side withdrew: the naval combat continues until one does")


@order("40.46A", on=ReportConvoyAttack, out_of_turn=True)
def report_convoy_attack(p: Proceedings, cmd: ReportConvoyAttack) -> None:
    """Each hit on the light ships of a convoy, and each hit by submarine, costs it a BRP."""
    convoy = convoys.the_convoy(p.s)
    by = convoy.announced[0]
    p.do(Reported("convoy attack", _told(cmd, by)), "40.46B" if by == "submarines" else "40.46A")
    convoy = allied_losses(p, convoy, cmd)
    convoy = _german_losses(p, convoy, cmd)
    hits_on = dict(convoy.hits_on)
    for power in cmd.hits_of:
        hits_on[power] = hits_on.get(power, 0) + 1
    damage = convoy.damage + damage_done(p.s, by, cmd.hits)
    convoy = replace(convoy, damage=damage, hits_on=hits_on, announced=convoy.announced[1:])
    aborts = cmd.outcome in ("convoy aborts", "western allies withdraw")
    if not convoy.transports:
        # Destroyed: there is nothing left that could abort and bring BRPs home.
        arrive(p, convoy, "40.47A")
    elif aborts:
        p.run(turn_back, convoy)
    elif convoy.announced:
        convoys.carry_on(p, convoy)
    else:
        _next_attack(p, replace(convoy, stage="attacked"))


def _told(cmd: ReportConvoyAttack, by: str) -> str:
    what = {"air": "air attack", "submarines": "submarine attack", "ships": "naval combat"}[by]
    outcome = f", {cmd.outcome}" if cmd.outcome else ""
    hits = f"{cmd.hits} hit{'' if cmd.hits == 1 else 's'}"
    sunk = (
        f", {cmd.transports_sunk} transport{'' if cmd.transports_sunk == 1 else 's'} sunk"
        if cmd.transports_sunk
        else ""
    )
    return f"{what} on the convoy: {hits}{sunk}{outcome}"


def allied_losses(p: Proceedings, convoy: Convoy, cmd: ReportConvoyAttack | ReportConvoyInterception) -> Convoy:
    convoys.sink_transports(p, "atlantic", cmd.transports_sunk, tuple(it.power for it in convoy.shipments))
    escorts = convoys.without(convoy.escorts, dict(counted(cmd.escorts_lost)), cmd.escorts_of)
    convoys.eliminate(p, convoy.escorts, escorts)
    return replace(convoy, escorts=escorts, sunk=convoy.sunk + cmd.transports_sunk)


def _german_losses(p: Proceedings, convoy: Convoy, cmd: ReportConvoyAttack) -> Convoy:
    lost = dict(counted(cmd.raiders_lost))
    for field in TAKES_PART[convoy.announced[0]]:
        was: tuple[Detachment, ...] = getattr(convoy, field)
        now = convoys.without(was, lost)
        convoys.eliminate(p, was, now)
        convoy = replace(convoy, **{field: now})
    return convoy


def _next_attack(p: Proceedings, convoy: Convoy) -> None:
    """Germany attacks again, unless it has nothing left to attack with."""
    if convoys.can_fly(convoy) or convoy.unspent or convoys.can_fight(convoy):
        convoys.carry_on(p, convoy)
        return
    p.do(AutoStep("Murmansk convoy", "Germany has nothing left to attack the convoy with"), "40.45B(2)")
    arrive(p, convoy, "40.47A")


@limit("40.48A", on=ReturnRaiders, when=lambda s, cmd: convoys.convoy_at(s, "homeward") is not None)
def home_is_open(s: State, cmd: ReturnRaiders) -> str | None:
    """Survivors return to a base that is open to them."""
    for base in {cmd.to, cmd.submarines_to} & set(convoys.BASES):
        if not convoys.operational_base(s, convoys.BASES[base]):
            return f"{base} is not an operational Axis base"
    return None


@order("40.48A", on=ReturnRaiders, out_of_turn=True)
def return_raiders(p: Proceedings, cmd: ReturnRaiders) -> None:
    """German survivors return to their bases, submarines also to the Atlantic SW box."""
    send_raiders_home(p, convoys.the_convoy(p.s), convoys.HOMES[cmd.to], convoys.HOMES[cmd.submarines_to])
    close_operation(p, "the convoy is over")


# -- Who may oppose ------------------------------------------------------------------------------------------------


@value("40.44B", "One submarine of the Atlantic SW box may attack for every ten there, rounded up, if a base is open")
def sw_submarines(s: State) -> int:
    there = s.pieces.count("germany", At(convoys.SW_BOX), Unit("submarine"))
    return -(-there // 10) if any(convoys.operational_base(s, base) for base in convoys.BASES.values()) else 0


def _forces(cmd: OpposeConvoy) -> dict[str, tuple[str, ...]]:
    """What intercepts, by the fields of the order."""
    return {
        "air": cmd.air,
        "ships": cmd.ships,
        "submarines": cmd.submarines,
        "submarines_with_ships": cmd.submarines_with_ships,
    }


@cache
def _fits(field: str, unit: Unit) -> bool:
    """Whether a unit is what a field of the order speaks of."""
    if field == "air":
        return unit_branch(unit) == "air"
    return convoys.is_warship(unit) if field == "ships" else kind_name(unit) == "submarine"


@limit("40.44", on=OpposeConvoy, when=lambda s, cmd: convoys.convoy_at(s, "sighted") is not None)
def raiders_fit(s: State, cmd: OpposeConvoy) -> Iterator[Refusal | str | None]:
    """Air units, naval units and submarines oppose a convoy, each under its name, from Bergen or Scapa Flow."""
    forces = _forces(cmd)
    if not any(forces.values()):
        yield "name the units that intercept, or let the convoy pass"
    for field, stacks in forces.items():
        wrong = next((it.unit for it in map(parse_placement, stacks) if not _fits(field, it.unit)), "")
        if wrong:
            yield f"{wrong} cannot intercept under {field.replace('_', ' ')}"
            return
    raiders = tuple(it for stacks in forces.values() for it in convoys.detachments(cmd.power, stacks))
    yield convoys.missing(s, raiders)
    from_box = [it for it in raiders if it.origin == convoys.SW_BOX and kind_name(it.unit) == "submarine"]
    for it in raiders:
        if it not in from_box and not convoys.operational_base(s, it.origin):
            told = f"{it.unit} at {convoys.named(it.origin)}: not based in an operational Bergen or Scapa Flow"
            yield Refusal("40.44A", told)
            break
    asked, most = sum(it.count for it in from_box), sw_submarines(s)
    if asked > most:
        yield Refusal("40.44B", f"{asked} submarines from the Atlantic SW box, at most {most}")
    if cmd.submarines_with_ships and not cmd.ships:
        yield Refusal("40.45A", "no ships intercept that submarines could go with: they intercept by themselves")


def _open_to(s: State, field: str) -> tuple[str, ...]:
    """What Germany could name in a field of the order, each number that is there."""
    found: list[str] = []
    fitting = (stacks for unit, stacks in s.pieces.kinds("germany") if _fits(field, unit))
    for it in chain.from_iterable(fitting):
        if it.place == convoys.SW_BOX and kind_name(it.unit) == "submarine":
            found += convoys.each_number(it.unit, it.place, min(it.count, sw_submarines(s)))
        elif convoys.operational_base(s, it.place):
            found += convoys.each_number(it.unit, it.place, it.count)
    return tuple(found)


def _fit_for(field: str) -> Callable[[State, OpposeConvoy], Choice]:
    def fit(s: State, cmd: OpposeConvoy) -> Choice:
        return Choice(field, _open_to(s, field))

    fit.__name__ = f"{field}_open"
    return fit


for _clause, _field in (("40.44A", "air"), ("40.44A", "ships"), ("40.44B", "submarines"), ("40.45A", WITH_SHIPS)):
    opening(_clause, f"What Germany could intercept with under {_field.replace('_', ' ')}", on=OpposeConvoy)(
        _fit_for(_field)
    )


@order("40.45A", on=OpposeConvoy, out_of_turn=True)
def oppose_convoy(p: Proceedings, cmd: OpposeConvoy) -> None:
    """The units that intercept are named; interception is automatic, and all are in range."""
    air, ships, alone, beside = (convoys.detachments(cmd.power, stacks) for stacks in _forces(cmd).values())
    convoys.put_to_sea(p, (*air, *ships, *alone, *beside))
    convoy = replace(
        convoys.the_convoy(p.s), stage="attacked", air=air, ships=ships, submarines=alone, unspent=strength(alone)
    )
    convoys.carry_on(p, replace(convoy, submarines_with_ships=beside))


@order("40.431", "All BRPs of a convoy that nobody opposes reach Russia at once", on=LetConvoyPass, out_of_turn=True)
def let_convoy_pass(p: Proceedings, cmd: LetConvoyPass) -> None:
    arrive(p, convoys.the_convoy(p.s), "40.431")


@order("40.223", on=ReportConvoyInterception, out_of_turn=True)
def report_convoy_interception(p: Proceedings, cmd: ReportConvoyInterception) -> None:
    """On the mapboard a convoy may be intercepted: too few transports left cost BRPs."""
    p.do(Reported("convoy interception", f"{cmd.transports_sunk} transports sunk on the mapboard"))
    convoy = allied_losses(p, convoys.the_convoy(p.s), cmd)
    if convoy.transports:
        convoys.carry_on(p, convoy)
    else:
        arrive(p, convoy, "40.223")


# -- What the combat chapters are told -----------------------------------------------------------------------------


@definition("40.45B(1)")
def carrier_air_may(s: State, mission: str) -> bool:
    """Allied carrier air may fly patrol over a convoy; against land-based air only as rounds of naval combat start."""
    convoy = convoys.convoy_at(s)
    if mission == "counterair" and convoy is not None and strength(convoy.ships):
        note("in_naval_combat", "40.45C(3)", True)
        return True
    return mission == "combat air patrol"


@value("40.45B(4)", "Submarines attack at -1 only where one group is attacked more than once in the same hex")
def submarine_modifier(s: State, attacks_on_group_in_hex: int) -> int:
    return -1 if attacks_on_group_in_hex > 1 else 0


@value("40.45C(2)", "German air units are three hexes from the naval combat")
def hexes_from_combat(s: State) -> int:
    return 3


@value("40.45C(4)", "A third of the squadrons on air cover, rounded up, may engage attacking carrier air")
def cover_that_engages(s: State, squadrons: int) -> int:
    return -(-squadrons // 3)


@value("40.45B", "German air and submarine attacks happen in at most six off-board hexes")
def off_board_hexes(s: State) -> int:
    return convoys.MOST_AIR_ATTACKS


# -- Attacks -------------------------------------------------------------------------------------------------------


@limit("40.45B", on=AttackConvoy, when=lambda s, cmd: convoys.convoy_at(s, "attacked", "homeward") is not None)
def attack_is_possible(s: State, cmd: AttackConvoy) -> Iterator[Finding]:
    """A convoy is attacked by air six times, once by its ships, and once by each submarine that intercepted alone."""
    convoy, by = convoys.the_convoy(s), cmd.by
    if convoy.aborted:
        yield Refusal("40.45E", "the convoy has aborted and is out of reach")
    if convoy.stage != "attacked":
        return
    if by == "air" and not convoys.can_fly(convoy):
        spent = f"{convoys.MOST_AIR_ATTACKS} air attacks have been made"
        yield Refusal("40.45B(2)", spent if strength(convoy.air) else "no air squadron is left to intercept it")
    if by == "ships" and not convoys.can_fight(convoy):
        gone = "the naval combat is over" if strength(convoy.ships) else "no German naval units intercept the convoy"
        yield Refusal("40.45C", gone)
    cover, text = strength(convoy.air) if by == "ships" else 0, "air squadrons that could cover the ships"
    yield Bound("air_cover", most=cover, text=f"{text} in a naval combat", clause="40.45C(4)")
    if by == "ships":
        text = "submarines that intercepted by themselves strike apart from the ships"
        yield Bound("submarines", most=0, text=text, clause="40.45C(5)")
    else:
        least, text = int(by == "submarines"), "submarines that have not attacked"
        yield Bound("submarines", most=convoy.unspent, least=least, text=text, clause="40.45B(3)")
    if cmd.groups and (divided := sum(_by_group(cmd.groups))) != cmd.submarines:
        yield Refusal("40.45B(4)", f"{cmd.submarines} submarines strike, {divided} are divided")
    if cmd.hex and by != "submarines":
        yield Bound("hex", most=0, text="an air attack happens in the next hex, with the submarines that go with it")
    elif cmd.hex:
        most, least = off_board_hexes(s), max(1, convoy.air_attacks)
        yield Bound("hex", most=most, least=least, text="the six hexes off the board, from where the convoy is")


def _by_group(text: str) -> tuple[int, ...]:
    """How many submarines strike each combat group, as they were written."""
    return tuple(map(int, text.replace(",", " ").split()))


@order("40.45D", on=AttackConvoy, out_of_turn=True)
def attack_convoy(p: Proceedings, cmd: AttackConvoy) -> None:
    """The next attack is announced: air and submarines strike before or after the naval combat."""
    convoy = convoys.the_convoy(p.s)
    _tell_combat(p.s, cmd.by)
    announced = (cmd.by, "submarines") if cmd.by == "air" and cmd.submarines else (cmd.by,)
    convoy = replace(
        convoy,
        stage="resolving",
        announced=announced,
        committed=cmd.submarines,
        unspent=convoy.unspent - cmd.submarines,
        air_attacks=convoy.air_attacks + (cmd.by == "air"),
        fought=convoy.fought or cmd.by == "ships",
        air_cover=cmd.air_cover,
    )
    if cmd.submarines:
        hex_ = convoy.air_attacks if cmd.by == "air" else cmd.hex or _next_hex(convoy)
        convoy = p.run(submarines_strike, convoy, hex_, _by_group(cmd.groups) or (cmd.submarines,))
    convoys.carry_on(p, convoy)


def _next_hex(convoy: Convoy) -> int:
    """The first hex, from where the convoy is, in which no submarine has struck; else the last of the six."""
    struck = {int(key.partition(" ")[0]) for key in convoy.struck}
    ahead = range(max(1, convoy.air_attacks), convoys.MOST_AIR_ATTACKS + 1)
    return next((it for it in ahead if it not in struck), convoys.MOST_AIR_ATTACKS)


@effect("40.45B(4)", "Where more than one submarine strikes a combat group in the same hex, they strike at -1")
def submarines_strike(p: Proceedings, convoy: Convoy, hex_: int, groups: tuple[int, ...]) -> Convoy:
    struck, modified = dict(convoy.struck), 0
    for group, count in enumerate(groups, 1):
        key = f"{hex_} {group}"
        struck[key] = struck.get(key, 0) + count
        modified += count if submarine_modifier(p.s, struck[key]) else 0
    told = f"{modified} of {sum(groups)} at -1" if modified else "none at -1"
    p.do(AutoStep("submarine attack", f"hex {hex_}: {sum(groups)} strike, {told} for multiple attacks"))
    return replace(convoy, struck=struck, strikes_in=hex_, modified=modified)


def _tell_combat(s: State, by: str) -> None:
    """What the chapters on combat need to know stands among the reasons of the announcement."""
    if by == "ships":
        hexes_from_combat(s)
        carrier_air_may(s, "counterair")
    else:
        off_board_hexes(s)
        carrier_air_may(s, "combat air patrol")


@limit("40.45B(2)", on=CallOffAttacks, when=lambda s, cmd: convoys.convoy_at(s, "attacked") is not None)
def others_attack_first(s: State, cmd: CallOffAttacks) -> Iterator[Refusal | str]:
    """Air attacks may be called off; ships that intercept fight first, and all submarines attack."""
    convoy = convoys.the_convoy(s)
    if convoys.can_fight(convoy):
        yield Refusal("40.45C", "the naval combat is still to be resolved")
    if convoy.unspent:
        yield f"submarines have still to attack: {convoy.unspent}"


@order("40.45B(2)", "Germany calls off its attacks", on=CallOffAttacks, out_of_turn=True)
def call_off_attacks(p: Proceedings, cmd: CallOffAttacks) -> None:
    arrive(p, convoys.the_convoy(p.s), "40.47A")
