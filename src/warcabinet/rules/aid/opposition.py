"""How Germany opposes a Murmansk convoy: with what, in which order, and what the attacks do (40.44 to 40.48).

The attacks themselves are fought by chapters that are not here; their outcome is reported, attack by attack.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from msgspec.structs import replace

from warcabinet.kernel.limits import Bound, Choice
from warcabinet.model.commands.aid import (
    AttackConvoy,
    CallOffAttacks,
    LetConvoyPass,
    OpposeConvoy,
    ReportConvoyAttack,
    ReportConvoyInterception,
    ReturnRaiders,
)
from warcabinet.model.convoys import Convoy, Detachment, strength
from warcabinet.model.events import AutoStep, Reported
from warcabinet.model.forces import counted, parse_placement
from warcabinet.model.names import called
from warcabinet.model.pieces import At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.aid.convoys import (
    BASES,
    MOST_AIR_ATTACKS,
    SW_BOX,
    can_fight,
    can_fly,
    carry_on,
    convoy_at,
    detachments,
    each_number,
    eliminate,
    is_warship,
    missing,
    named,
    operational_base,
    put_to_sea,
    the_convoy,
    without,
)
from warcabinet.rules.aid.landing import arrive, damage_done, send_raiders_home, turn_back
from warcabinet.rules.aid.shipping import sink_transports
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.waiting import close_operation
from warcabinet.rules.kinds import definition, limit, opening, order, value

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


@limit(
    "40.44",
    "Air units, naval units and submarines oppose a convoy, each under its name",
    on=OpposeConvoy,
    when=lambda s, cmd: convoy_at(s, "sighted") is not None,
)
def raiders_fit(s: State, cmd: OpposeConvoy) -> str | None:
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


@limit(
    "40.44A",
    "Units that oppose a convoy are based in an operational Bergen or Scapa Flow",
    on=OpposeConvoy,
    when=lambda s, cmd: convoy_at(s, "sighted") is not None,
)
def raiders_have_base(s: State, cmd: OpposeConvoy) -> str | None:
    for it in _raiders(cmd):
        if it.origin == SW_BOX and kind_name(it.unit) == "submarine":
            continue
        if not operational_base(s, it.origin):
            return f"{it.unit} at {named(it.origin)}: not based in an operational Bergen or Scapa Flow"
    return None


@limit(
    "40.44B",
    "Of the submarines in the Atlantic SW box one for every ten, rounded up, attacks",
    on=OpposeConvoy,
    when=lambda s, cmd: convoy_at(s, "sighted") is not None,
)
def few_sw_submarines(s: State, cmd: OpposeConvoy) -> str | None:
    asked = sum(it.count for it in _raiders(cmd) if it.origin == SW_BOX and kind_name(it.unit) == "submarine")
    most = sw_submarines(s)
    return None if asked <= most else f"{asked} submarines from the Atlantic SW box, at most {most}"


@limit(
    "40.45A",
    "Submarines go with ships only where ships intercept",
    on=OpposeConvoy,
    when=lambda s, cmd: convoy_at(s, "sighted") is not None,
)
def submarines_need_ships(s: State, cmd: OpposeConvoy) -> str | None:
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


@order(
    "40.45A",
    "The units that intercept are named; interception is automatic, and all are in range",
    on=OpposeConvoy,
    out_of_turn=True,
)
def oppose_convoy(p: Proceedings, cmd: OpposeConvoy) -> None:
    air, ships, alone, beside = (detachments(cmd.power, stacks) for stacks in _forces(cmd).values())
    put_to_sea(p, (*air, *ships, *alone, *beside))
    convoy = replace(the_convoy(p.s), stage="attacked", air=air, ships=ships, submarines=alone, unspent=strength(alone))
    carry_on(p, replace(convoy, submarines_with_ships=beside))


@order("40.431", "All BRPs of a convoy that nobody opposes reach Russia at once", on=LetConvoyPass, out_of_turn=True)
def let_convoy_pass(p: Proceedings, cmd: LetConvoyPass) -> None:
    arrive(p, the_convoy(p.s), "40.431")


@order(
    "40.223",
    "On the mapboard a convoy may be intercepted: too few transports left cost BRPs",
    on=ReportConvoyInterception,
    out_of_turn=True,
)
def report_convoy_interception(p: Proceedings, cmd: ReportConvoyInterception) -> None:
    p.do(Reported("convoy interception", f"{cmd.transports_sunk} transports sunk on the mapboard"))
    convoy = _allied_losses(p, the_convoy(p.s), cmd)
    if convoy.transports:
        carry_on(p, convoy)
    else:
        arrive(p, convoy, "40.223")


# -- What the combat chapters are told -----------------------------------------------------------------------------


@definition("40.45B(1)", "Allied carrier air may fly patrol over a convoy; against land-based air only in naval combat")
def carrier_air_may(s: State, mission: str) -> bool:
    return mission == "combat air patrol"


@definition(
    "40.45C(3)",
    "In naval combat Allied carrier air may attack the German air units as each round starts",
    displaces=carrier_air_may,
    when=lambda s, mission: mission == "counterair" and bool((convoy := convoy_at(s)) and strength(convoy.ships)),
)
def carrier_air_may_counterair(s: State, mission: str) -> bool:
    return True


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
    return MOST_AIR_ATTACKS


# -- Attacks -------------------------------------------------------------------------------------------------------


@limit(
    "40.45B(2)",
    "Six air attacks at most, one for each hex, and while there are squadrons",
    on=AttackConvoy,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "air",
)
def air_attacks_left(s: State, cmd: AttackConvoy) -> str | None:
    convoy = the_convoy(s)
    if not strength(convoy.air):
        return "no air squadron is left that intercepts the convoy"
    return None if can_fly(convoy) else f"{MOST_AIR_ATTACKS} air attacks have been made"


@limit(
    "40.45B(3)",
    "Submarines that intercepted by themselves attack once each, alone or after an air attack",
    on=AttackConvoy,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by != "ships",
)
def submarines_left(s: State, cmd: AttackConvoy) -> Bound:
    least = 1 if cmd.by == "submarines" else 0
    return Bound("submarines", most=the_convoy(s).unspent, least=least, text="submarines that have not attacked")


@limit(
    "40.45C",
    "German naval units fight where they intercept, once",
    on=AttackConvoy,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "ships",
)
def ships_can_fight(s: State, cmd: AttackConvoy) -> str | None:
    convoy = the_convoy(s)
    if not strength(convoy.ships):
        return "no German naval units intercept the convoy"
    return None if can_fight(convoy) else "the naval combat is over"


@limit(
    "40.45C(5)",
    "In naval combat only the submarines sent with the ships take part",
    on=AttackConvoy,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "ships",
)
def own_submarines_stay_apart(s: State, cmd: AttackConvoy) -> Bound:
    return Bound("submarines", most=0, text="submarines that intercepted by themselves strike apart from the ships")


@limit(
    "40.45E",
    "A convoy that has aborted is attacked no more",
    on=AttackConvoy,
    when=lambda s, cmd: bool((convoy := convoy_at(s)) and convoy.aborted),
)
def out_of_reach(s: State, cmd: AttackConvoy) -> str:
    return "the convoy has aborted and is out of reach"


@order(
    "40.45D",
    "The next attack is announced: air and submarines strike before or after the naval combat",
    on=AttackConvoy,
    out_of_turn=True,
)
def attack_convoy(p: Proceedings, cmd: AttackConvoy) -> None:
    convoy = the_convoy(p.s)
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
    )
    carry_on(p, convoy)


def _tell_combat(s: State, by: str) -> None:
    """What the chapters on combat need to know stands among the reasons of the announcement."""
    if by == "ships":
        hexes_from_combat(s)
        carrier_air_may(s, "counterair")
    else:
        off_board_hexes(s)
        carrier_air_may(s, "combat air patrol")


@limit(
    "40.45C",
    "Ships that intercept fight before the attacks are called off",
    on=CallOffAttacks,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None,
)
def ships_fight_first(s: State, cmd: CallOffAttacks) -> str | None:
    return "the naval combat is still to be resolved" if can_fight(the_convoy(s)) else None


@limit(
    "40.45B(2)",
    "Air attacks may be called off; submarines attack until all that intercepted have attacked",
    on=CallOffAttacks,
    when=lambda s, cmd: convoy_at(s, "attacked") is not None,
)
def submarines_attack_first(s: State, cmd: CallOffAttacks) -> str | None:
    left = the_convoy(s).unspent
    return f"submarines have still to attack: {left}" if left else None


@order("40.45B(2)", "Germany calls off its attacks", on=CallOffAttacks, out_of_turn=True)
def call_off_attacks(p: Proceedings, cmd: CallOffAttacks) -> None:
    arrive(p, the_convoy(p.s), "40.47A")


# -- Their outcome -------------------------------------------------------------------------------------------------

TAKES_PART = {"air": ("air",), "submarines": ("submarines",), "ships": ("ships", "air", "submarines_with_ships")}


def _attackers(convoy: Convoy) -> tuple[Detachment, ...]:
    """Who is in the attack whose outcome is awaited."""
    return tuple(it for field in TAKES_PART[convoy.announced[0]] for it in getattr(convoy, field))


@limit(
    "WC.7",
    "No more transports are sunk than sail",
    on=(ReportConvoyAttack, ReportConvoyInterception),
    when=lambda s, cmd: convoy_at(s) is not None,
)
def sunk_transports_sail(s: State, cmd: ReportConvoyAttack | ReportConvoyInterception) -> Bound:
    return Bound("transports_sunk", most=the_convoy(s).transports, text="transports in the convoy")


@limit(
    "WC.7",
    "Only escorts that sail with the convoy are lost",
    on=(ReportConvoyAttack, ReportConvoyInterception),
    when=lambda s, cmd: convoy_at(s) is not None,
)
def lost_escorts_sail(s: State, cmd: ReportConvoyAttack | ReportConvoyInterception) -> str | None:
    convoy, lost = the_convoy(s), counted(cmd.escorts_lost)
    mine = [it for it in convoy.escorts if it.count and cmd.escorts_of in ("", it.nation)]
    for unit, count in lost.items():
        having = {it.nation for it in mine if it.unit == unit}
        if len(having) > 1:
            return f"{unit}: say whose were lost, {' or '.join(sorted(map(called, having)))}"
        there = sum(it.count for it in mine if it.unit == unit)
        if count > there:
            return f"{count} {unit} lost, {there} protect the convoy"
    return None


@limit(
    "WC.7",
    "Only units that take part in an attack are lost in it",
    on=ReportConvoyAttack,
    when=lambda s, cmd: convoy_at(s, "resolving") is not None,
)
def lost_raiders_attack(s: State, cmd: ReportConvoyAttack) -> str | None:
    attackers = _attackers(the_convoy(s))
    for unit, count in counted(cmd.raiders_lost).items():
        there = sum(it.count for it in attackers if it.unit == unit)
        if count > there:
            return f"{count} {unit} lost, {there} take part in this attack"
    return None


@limit(
    "40.45C(6)",
    "Naval combat lasts until one side withdraws; in other attacks nobody withdraws",
    on=ReportConvoyAttack,
    when=lambda s, cmd: convoy_at(s, "resolving") is not None,
)
def one_side_withdraws(s: State, cmd: ReportConvoyAttack) -> str | None:
    convoy = the_convoy(s)
    if convoy.announced[0] != "ships":
        return "no naval combat is fought now that a side could withdraw from" if "withdraw" in cmd.outcome else None
    ships = [it.unit for it in convoy.ships]
    afloat = strength(convoy.ships) - sum(n for unit, n in counted(cmd.raiders_lost).items() if unit in ships)
    if "withdraw" in cmd.outcome or not afloat or cmd.transports_sunk == convoy.transports:
        return None
    return "say which side withdrew: the naval combat continues until one does"


@limit(
    "40.46A",
    "Where losses fall on those whose ships are hit, every hit says whose ship it fell on",
    on=ReportConvoyAttack,
    when=lambda s, cmd: convoy_at(s, "resolving") is not None,
)
def every_hit_is_told(s: State, cmd: ReportConvoyAttack) -> str | None:
    several = sum(1 for it in the_convoy(s).shipments if it.brp) > 1
    wanted = several and reading_in_force(s, "R-0019") == "c"
    if len(cmd.hits_of) == cmd.hits or not (wanted or cmd.hits_of):
        return None
    return f"{cmd.hits} hits: say of each whose ship was hit"


@order(
    "40.46A",
    "Each hit on the light ships of a convoy, and each hit by submarine, costs it a BRP",
    on=ReportConvoyAttack,
    out_of_turn=True,
)
def report_convoy_attack(p: Proceedings, cmd: ReportConvoyAttack) -> None:
    convoy = the_convoy(p.s)
    by = convoy.announced[0]
    p.do(Reported("convoy attack", _told(cmd, by)), "40.46B" if by == "submarines" else "40.46A")
    convoy = _allied_losses(p, convoy, cmd)
    convoy = _german_losses(p, convoy, cmd)
    hits_on = dict(convoy.hits_on)
    for power in cmd.hits_of:
        hits_on[power] = hits_on.get(power, 0) + 1
    damage = convoy.damage + damage_done(p.s, by, cmd.hits)
    convoy = replace(convoy, damage=damage, hits_on=hits_on, announced=convoy.announced[1:])
    if cmd.outcome in ("convoy aborts", "western allies withdraw"):
        p.run(turn_back, convoy)
    elif not convoy.transports:
        arrive(p, convoy, "40.47A")
    elif convoy.announced:
        carry_on(p, convoy)
    else:
        _next_attack(p, replace(convoy, stage="attacked", committed=0))


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


def _allied_losses(p: Proceedings, convoy: Convoy, cmd: ReportConvoyAttack | ReportConvoyInterception) -> Convoy:
    sink_transports(p, "atlantic", cmd.transports_sunk, tuple(it.power for it in convoy.shipments))
    escorts = without(convoy.escorts, counted(cmd.escorts_lost), cmd.escorts_of)
    eliminate(p, convoy.escorts, escorts)
    return replace(convoy, escorts=escorts, sunk=convoy.sunk + cmd.transports_sunk)


def _german_losses(p: Proceedings, convoy: Convoy, cmd: ReportConvoyAttack) -> Convoy:
    lost = counted(cmd.raiders_lost)
    for field in TAKES_PART[convoy.announced[0]]:
        was: tuple[Detachment, ...] = getattr(convoy, field)
        now = without(was, lost)
        eliminate(p, was, now)
        convoy = replace(convoy, **{field: now})
    return convoy


def _next_attack(p: Proceedings, convoy: Convoy) -> None:
    """Germany attacks again, unless it has nothing left to attack with."""
    if can_fly(convoy) or convoy.unspent or can_fight(convoy):
        carry_on(p, convoy)
        return
    p.do(AutoStep("Murmansk convoy", "Germany has nothing left to attack the convoy with"), "40.45B(2)")
    arrive(p, convoy, "40.47A")


@limit(
    "40.48A",
    "Survivors return to a base that is open to them",
    on=ReturnRaiders,
    when=lambda s, cmd: convoy_at(s, "homeward") is not None,
)
def home_is_open(s: State, cmd: ReturnRaiders) -> str | None:
    for base in {cmd.to, cmd.submarines_to} & set(BASES):
        if not operational_base(s, base):
            return f"{base} is not an operational Axis base"
    return None


@order(
    "40.48A",
    "German survivors return to their bases, submarines also to the Atlantic SW box",
    on=ReturnRaiders,
    out_of_turn=True,
)
def return_raiders(p: Proceedings, cmd: ReturnRaiders) -> None:
    send_raiders_home(p, the_convoy(p.s), cmd.to, cmd.submarines_to)
    close_operation(p, "the convoy is over")
