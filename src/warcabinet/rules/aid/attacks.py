"""How Germany attacks a Murmansk convoy: by air, submarines and ships, in which order and how often (40.45)."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.aid import AttackConvoy, CallOffAttacks, ReportConvoyAttack
from warcabinet.model.convoys import Convoy, strength
from warcabinet.model.events import AutoStep
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.aid.convoys import MOST_AIR_ATTACKS, can_fight, can_fly, carry_on, convoy_at, the_convoy
from warcabinet.rules.aid.landing import arrive
from warcabinet.rules.kinds import definition, effect, limit, order, value

# -- What the combat chapters are told -----------------------------------------------------------------------------


@definition("40.45B(1)", "Allied carrier air may fly patrol over a convoy; against land-based air only in naval combat")
def carrier_air_may(s: State, mission: str) -> bool:
    return mission == "combat air patrol"


@definition(
    "40.45C(3)",
    displaces=carrier_air_may,
    when=lambda s, mission: mission == "counterair" and bool((convoy := convoy_at(s)) and strength(convoy.ships)),
)
def carrier_air_may_counterair(s: State, mission: str) -> bool:
    """In naval combat Allied carrier air may attack the German air units as each round starts."""
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


@limit("40.45C(4)", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None)
def cover_takes_part(s: State, cmd: AttackConvoy) -> Bound:
    """German air units that intercept may cover the ships in the naval combat, and in nothing else."""
    most = strength(the_convoy(s).air) if cmd.by == "ships" else 0
    return Bound("air_cover", most=most, text="air squadrons that could cover the ships in a naval combat")


@limit("40.45C(4)", on=ReportConvoyAttack, when=lambda s, cmd: convoy_at(s, "resolving") is not None)
def third_of_cover_engages(s: State, cmd: ReportConvoyAttack) -> Bound:
    """No more than a third of the air cover, rounded up, engages attacking carrier air."""
    convoy = the_convoy(s)
    most = cover_that_engages(s, convoy.air_cover) if convoy.announced[0] == "ships" else 0
    return Bound("cover_engaged", most=most, text="a third of the squadrons on air cover, rounded up")


@value("40.45B", "German air and submarine attacks happen in at most six off-board hexes")
def off_board_hexes(s: State) -> int:
    return MOST_AIR_ATTACKS


# -- Attacks -------------------------------------------------------------------------------------------------------


@limit("40.45B(2)", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "air")
def air_attacks_left(s: State, cmd: AttackConvoy) -> str | None:
    """Six air attacks at most, one for each hex, and while there are squadrons."""
    convoy = the_convoy(s)
    if not strength(convoy.air):
        return "no air squadron is left that intercepts the convoy"
    return None if can_fly(convoy) else f"{MOST_AIR_ATTACKS} air attacks have been made"


@limit("40.45B(3)", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by != "ships")
def submarines_left(s: State, cmd: AttackConvoy) -> Bound:
    """Submarines that intercepted by themselves attack once each, alone or after an air attack."""
    least = 1 if cmd.by == "submarines" else 0
    return Bound("submarines", most=the_convoy(s).unspent, least=least, text="submarines that have not attacked")


@limit("40.45B(4)", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and bool(cmd.groups))
def groups_add_up(s: State, cmd: AttackConvoy) -> str | None:
    """The submarines that strike are divided between the combat groups."""
    divided = sum(_by_group(cmd.groups))
    return None if divided == cmd.submarines else f"{cmd.submarines} submarines strike, {divided} are divided"


def _by_group(text: str) -> tuple[int, ...]:
    """How many submarines strike each combat group, as they were written."""
    return tuple(map(int, text.replace(",", " ").split()))


@limit("40.45B", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.hex > 0)
def hex_lies_ahead(s: State, cmd: AttackConvoy) -> Bound:
    """Submarines by themselves strike in one of the six hexes, and not behind the convoy."""
    if cmd.by != "submarines":
        return Bound("hex", most=0, text="an air attack happens in the next hex, with the submarines that go with it")
    most, least = off_board_hexes(s), max(1, the_convoy(s).air_attacks)
    return Bound("hex", most=most, least=least, text="the six hexes off the board, from where the convoy is")


@limit("40.45C", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "ships")
def ships_can_fight(s: State, cmd: AttackConvoy) -> str | None:
    """German naval units fight where they intercept, once."""
    convoy = the_convoy(s)
    if not strength(convoy.ships):
        return "no German naval units intercept the convoy"
    return None if can_fight(convoy) else "the naval combat is over"


@limit("40.45C(5)", on=AttackConvoy, when=lambda s, cmd: convoy_at(s, "attacked") is not None and cmd.by == "ships")
def own_submarines_stay_apart(s: State, cmd: AttackConvoy) -> Bound:
    """In naval combat only the submarines sent with the ships take part."""
    return Bound("submarines", most=0, text="submarines that intercepted by themselves strike apart from the ships")


@limit("40.45E", on=AttackConvoy, when=lambda s, cmd: bool((convoy := convoy_at(s)) and convoy.aborted))
def out_of_reach(s: State, cmd: AttackConvoy) -> str:
    """A convoy that has aborted is attacked no more."""
    return "the convoy has aborted and is out of reach"


@order("40.45D", on=AttackConvoy, out_of_turn=True)
def attack_convoy(p: Proceedings, cmd: AttackConvoy) -> None:
    """The next attack is announced: air and submarines strike before or after the naval combat."""
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
        air_cover=cmd.air_cover,
    )
    if cmd.submarines:
        hex_ = convoy.air_attacks if cmd.by == "air" else cmd.hex or _next_hex(convoy)
        convoy = p.run(submarines_strike, convoy, hex_, _by_group(cmd.groups) or (cmd.submarines,))
    carry_on(p, convoy)


def _next_hex(convoy: Convoy) -> int:
    """The first hex, from where the convoy is, in which no submarine has struck; else the last of the six."""
    struck = {int(key.partition(" ")[0]) for key in convoy.struck}
    ahead = range(max(1, convoy.air_attacks), MOST_AIR_ATTACKS + 1)
    return next((it for it in ahead if it not in struck), MOST_AIR_ATTACKS)


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


@limit("40.45C", on=CallOffAttacks, when=lambda s, cmd: convoy_at(s, "attacked") is not None)
def ships_fight_first(s: State, cmd: CallOffAttacks) -> str | None:
    """Ships that intercept fight before the attacks are called off."""
    return "the naval combat is still to be resolved" if can_fight(the_convoy(s)) else None


@limit("40.45B(2)", on=CallOffAttacks, when=lambda s, cmd: convoy_at(s, "attacked") is not None)
def submarines_attack_first(s: State, cmd: CallOffAttacks) -> str | None:
    """Air attacks may be called off; submarines attack until all that intercepted have attacked."""
    left = the_convoy(s).unspent
    return f"submarines have still to attack: {left}" if left else None


@order("40.45B(2)", "Germany calls off its attacks", on=CallOffAttacks, out_of_turn=True)
def call_off_attacks(p: Proceedings, cmd: CallOffAttacks) -> None:
    arrive(p, the_convoy(p.s), "40.47A")
