"""The Murmansk route: its capacity, its way through Russia, and the sailing of a convoy (40.41, 40.42, 40.43)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from warcabinet.board.courses import Course, runs, stretch
from warcabinet.board.maps import europe
from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.aid import JoinConvoy, SailConvoy
from warcabinet.model.convoys import Convoy, Shipment
from warcabinet.model.events import AutoStep, Happened
from warcabinet.model.names import called
from warcabinet.model.places import Place, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.unit_lists import parse_placement
from warcabinet.rules.aid import convoys, grants
from warcabinet.rules.aid.attacks import arrive
from warcabinet.rules.aid.china import sails_north
from warcabinet.rules.common.supply_by_land import eastern_edge, enemy_zone, passable, supplied_from_the_east
from warcabinet.rules.common.waiting import open_operation
from warcabinet.rules.common.war_and_peace import at_war, first_full_turn, wars_between
from warcabinet.rules.kinds import definition, limit, opening, order, value

VOLOGDA = place_key("Vologda")


# -- Capacity ------------------------------------------------------------------------------------------------------


@value("40.411", "Allied player turns since the outbreak of war between Russia and Germany, the one under way included")
def allied_turns_since_outbreak(s: State) -> int:
    for war in wars_between(s, "russia", "germany")[:1]:
        note("outbreak", "40.411", calendar.turn_name(war.since), war.declared_by)
        return max(0, s.turn - first_full_turn(war) + 1)
    return 0


@value("40.411")
def murmansk_capacity(s: State) -> int:
    """The Murmansk route carries 5, 10 and 15 BRPs in the first Allied turns of a Russo-German war, then 20."""
    return min(20, 5 * allied_turns_since_outbreak(s))


# -- The way through Russia ----------------------------------------------------------------------------------------


def _railway(s: State, hex_id: str) -> bool:
    """Russia holds the hex, and a land supply line runs from it to a Russian Vologda."""
    key, city = f"europe/{hex_id}", VOLOGDA
    if holder(s, key) != "russia" or holder(s, city) != "russia":
        note("rail_hexes", "", f"{called(holder(s, key))} holds {hex_id}, {called(holder(s, city))} Vologda")
        return False
    return runs(railway_course(s, hex_id), hex_id)


def railway_course(s: State, hex_id: str) -> Course:
    """From the hex of a railway to Vologda."""
    one = europe()
    return (stretch(one.name, (f"europe/{hex_id}",), (VOLOGDA,), passable(s, one, "russia")),)


def course_beyond_vologda(s: State) -> Course:
    """From Vologda to the eastern edge; Vologda itself may stand in an enemy zone as far as supply goes."""
    one, city = europe(), (VOLOGDA,)
    return (stretch(one.name, city, eastern_edge(), passable(s, one, "russia") | one.bits(city)),)


@definition("40.412A", "Murmansk's railway is open: Russia holds A47, with a supply line to a Russian Vologda")
def murmansk_railway(s: State) -> bool:
    return _railway(s, "A47")


@definition("40.412B", "Archangel's railway is open: in summer and fall, if Russia holds A50 with a line to Vologda")
def archangel_railway(s: State) -> bool:
    return s.season in (calendar.SUMMER, calendar.FALL) and _railway(s, "A50")


@definition("40.412C", "Vologda is open: not in an Axis zone of control, and supplied from the eastern edge")
def vologda_open(s: State) -> bool:
    board = europe()
    zone = enemy_zone(s, board, "russia") & board.bits((VOLOGDA,))
    return holder(s, VOLOGDA) == "russia" and not zone and supplied_from_the_east(s, VOLOGDA)


# -- Transports and escorts ----------------------------------------------------------------------------------------


@value("40.221")
def transports_required(s: State, brp: int, oil: int) -> int:
    """Transports that a shipment needs: each grant is rounded up by itself, and every oil counter takes one."""
    if oil:
        note("for_oil", "40.252", oil)
    return convoys.transports_for_brps(s, brp) + oil


def _transports(s: State, cmd: grants.GrantToRussia) -> int:
    return cmd.transports or transports_required(s, cmd.brp, cmd.oil)


@limit("40.221", "A shipment has the transports that it needs, Atlantic ones that are free", on=grants.TO_RUSSIA)
def transports_are_there(s: State, cmd: grants.GrantToRussia) -> Iterator[Refusal | str]:
    needed, free = transports_required(s, cmd.brp, cmd.oil), convoys.atlantic_transports(s)
    if 0 < cmd.transports < needed:
        yield f"{needed} transports are required, {cmd.transports} assigned"
    if (cmd.transports or needed) > free:
        yield Refusal("40.221A", f"takes {cmd.transports or needed} of the Atlantic transports; free: {free}")


@definition("40.42")
def escort_base(s: State, place: Place) -> bool:
    """Escorts may be based in a port of the western front, the Atlantic U.S. box or the Atlantic SW box."""
    if place.startswith("box/"):
        return place in ("box/atlantic_us", "box/atlantic_sw")
    head, _, id_ = place.partition("/")
    at = europe()[id_] if head == "europe" else None
    return at is not None and "western" in at.fronts and any(place.has("port") for place in places_at(place))


@limit("40.42", on=grants.TO_RUSSIA)
def escorts_fit(s: State, cmd: grants.GrantToRussia) -> str | None:
    """Escorts are naval units, not ASW, from a base of the western front, and leave the board between A23 and A34."""
    for it in map(parse_placement, cmd.escorts):
        if not convoys.is_warship(it.unit):
            return f"{it.unit} may not protect a Murmansk convoy"
        if not escort_base(s, it.place):
            return f"{convoys.named(it.place)} is no western front port, Atlantic U.S. box or Atlantic SW box"
        if not _leaves_board(s, cmd.power, it.place):
            return f"from {convoys.named(it.place)} no way leads off the northern edge between A23 and A34"
    return convoys.missing(s, convoys.detachments(cmd.power, cmd.escorts))


def _leaves_board(s: State, power: str, key: str) -> bool:
    """Ships of a box join off the board; those of a port go off its northern edge."""
    head, _, id_ = key.partition("/")
    return head == "box" or sails_north(s, power, id_)


@opening("40.42", "Naval units that could protect the convoy", on=SailConvoy)
def escorts_open(s: State, cmd: SailConvoy) -> Choice:
    return Choice("escorts", _escorts(s, cmd.power))


@opening("40.42", "Naval units that could join the convoy", on=JoinConvoy)
def joining_escorts_open(s: State, cmd: JoinConvoy) -> Choice:
    return Choice("escorts", _escorts(s, cmd.power))


def _escorts(s: State, power: str) -> tuple[str, ...]:
    ships = (it for unit, stacks in s.pieces.kinds(power) if convoys.is_warship(unit) for it in stacks)
    based = (it for it in ships if escort_base(s, it.place))
    found = (it for it in based if _leaves_board(s, power, it.place))
    return tuple(text for it in found for text in convoys.each_number(it.unit, it.place, it.count))


# -- Sailing -------------------------------------------------------------------------------------------------------


@limit("40.42", on=SailConvoy)
def convoy_may_sail(s: State, cmd: SailConvoy) -> Iterator[Refusal | str]:
    """A convoy carries something, by an open railway from Murmansk or Archangel, which ice closes, past Vologda.

    What several powers send to Murmansk in one supply determination is one convoy, of those that may grant.
    """
    if not murmansk_railway(s) and not archangel_railway(s):
        yield Refusal("40.412A", "Russia does not hold hex A47 with a land supply line to a Russian Vologda")
        if s.season not in (calendar.SUMMER, calendar.FALL) and _railway(s, "A50"):
            yield Refusal("40.412B", "ice: Archangel takes convoys in summer and fall turns only")
    if not vologda_open(s):
        told = "Vologda is not Russian, lies in an Axis zone of control, or has no supply line to the eastern edge"
        yield Refusal("40.412C", told)
    sailed = [it for it in grants.WESTERN_ALLIES if it != cmd.power and total(s, "sent to murmansk", it, "phase")]
    if sailed:
        told = " and ".join(map(called, sailed))
        yield f"a convoy of {told} has sailed in this supply determination: shipments merge with it"
    if not cmd.brp and not cmd.oil:
        yield Refusal("40.11", "name the BRPs or the oil counters that it carries")
    for partner in () if sailed else cmd.merge_with:
        able = grants.may_grant_to_russia(s, partner) and grants.has_supply_source(s, partner)
        if partner == cmd.power or not able:
            yield f"{called(partner)} cannot send a shipment with it"


@order("40.11", on=SailConvoy, phases=("initial supply determination", "post-combat supply determination"))
def sail_convoy(p: Proceedings, cmd: SailConvoy) -> None:
    """A grant sails to Murmansk: it leaves the grantor's total, and its partners or the enemy are asked."""
    partners = tuple(dict.fromkeys(cmd.merge_with))
    convoy = _loaded(p, cmd, Convoy("assembling" if partners else "sighted", to_join=partners))
    open_operation(p, convoys.TITLE, convoy, convoys.question(convoy))
    _arrive_unseen(p, convoy)


@order("40.42", "What several powers send merges into one convoy", on=JoinConvoy, out_of_turn=True)
def join_convoy(p: Proceedings, cmd: JoinConvoy) -> None:
    convoy = convoys.the_convoy(p.s)
    others = tuple(power for power in convoy.to_join if power != cmd.power)
    convoy = _loaded(p, cmd, replace(convoy, stage="assembling" if others else "sighted", to_join=others))
    convoys.carry_on(p, convoy)
    _arrive_unseen(p, convoy)


def _loaded(p: Proceedings, cmd: grants.GrantToRussia, convoy: Convoy) -> Convoy:
    """The convoy with a power's shipment in it: BRPs and escorts go to sea, and the route's capacity is used."""
    transports, escorts = _transports(p.s, cmd), convoys.detachments(cmd.power, cmd.escorts)
    if cmd.brp:
        p.run(grants.make_grant, cmd.power, "russia", cmd.brp, "Murmansk convoy", convoys.at_sea(cmd.power))
    used = cmd.brp + convoys.OIL_AS_BRPS * cmd.oil
    if used:
        p.do(Happened(Happening(p.s.moment, "sent to murmansk", cmd.power, used)), "40.411")
    if cmd.oil:
        p.do(Happened(Happening(p.s.moment, "oil sent to murmansk", cmd.power, cmd.oil)), "40.25A")
    convoys.use_transports(p, "atlantic", transports, "40.221A")
    convoys.put_to_sea(p, escorts)
    shipment = Shipment(cmd.power, cmd.brp, cmd.oil, transports)
    # A power that sends nothing has no part in the convoy, though its ships may protect it.
    shipments = (*convoy.shipments, shipment) if used or transports else convoy.shipments
    return replace(convoy, shipments=shipments, escorts=(*convoy.escorts, *escorts))


def _arrive_unseen(p: Proceedings, convoy: Convoy) -> None:
    """Whoever is not at war with Germany sails unopposed, and a Germany that has surrendered opposes nobody."""
    surrendered = p.s.powers["germany"].surrendered
    if convoy.stage == "sighted" and (
        surrendered or not any(at_war(p.s, it.power, "germany") for it in convoy.shipments)
    ):
        why = "Germany has surrendered" if surrendered else "nobody in the convoy is at war with Germany"
        p.do(AutoStep("Murmansk convoy", f"{why}: it is not opposed"))
        arrive(p, convoy, "40.431")
