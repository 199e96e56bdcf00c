"""Granting BRPs by land and by sea: the ways for each pair, transports, enemy action, arrival (40.1, 40.2).

American grants to the Commonwealth are for the construction of its units, on the American limit (40.244); the recipient
has no total of its own: what was granted stands in an account until construction uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import AtSea, Brp, Sink
from warcabinet.model.accounts import Brp as BrpOf
from warcabinet.model.commands.aid import GrantBrps, LetGrantPass, ReportGrantInterception, ReportHumpInterception
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.colonies import UseCanadianShipyard
from warcabinet.model.commands.forces import Build
from warcabinet.model.convoys import Consignment
from warcabinet.model.events import AutoStep, EntryPosted, Happened, Reported, UnitsMoved
from warcabinet.model.happenings import Carried, Granted, SentBy, SentTo, befell, sum_of
from warcabinet.model.keys import NOWHERE
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import called
from warcabinet.model.pieces import BUILT, UNBUILT, At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES
from warcabinet.model.unit_lists import counted, unbuilt
from warcabinet.model.units import Unit, unit_branch, unit_cost
from warcabinet.rules.aid import china, convoys, grants, russia
from warcabinet.rules.aid.murmansk import murmansk_capacity
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.waiting import Question, ask_next, close_operation, open_operation
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.commonwealth import construction
from warcabinet.rules.commonwealth.boxed import BOXED
from warcabinet.rules.commonwealth.europe import american_units_remembered
from warcabinet.rules.countries.middle_east import persian_route
from warcabinet.rules.economy.force_pools import site_is_controlled
from warcabinet.rules.economy.spending import construction_left, construction_sum
from warcabinet.rules.kinds import effect, limit, order, value
from warcabinet.rules.minors.building import POINT, cost_to_power, rebuild_cost

TITLE = "A grant over sea"

# -- By which way --------------------------------------------------------------------------------------------------


#: By which ways a grant goes: grantor and recipient, the clause and those that restate it, the ways, how it is told.
WAYS = {
    ("germany", "italy"): (("40.241",), ("land",), "German grants to Italy go by land"),
    ("britain", "france"): (("40.242",), ("atlantic",), "British grants to France go by sea"),
    **{
        ("usa", it): (("40.243",), ("atlantic",), "American grants to Britain and France go by sea")
        for it in ("britain", "france")
    },
    ("", "canada"): (("40.244A",), ("land",), "grants to Canada go by land"),
    ("", "south_africa"): (("40.244B",), ("atlantic",), "grants to South Africa go through the Atlantic"),
    ("", "australia"): (("40.244C", "71.153B"), ("pacific",), "grants to Australia go through the Pacific"),
    ("", "india"): (
        *(("40.244D", "72.163B"), ("south africa", "australia")),
        "grants to India go by the South Africa or the Australia box",
    ),
    ("britain", "china"): (
        *(("40.82A",), ("south africa",)),
        "British grants to China go by the South Africa and India boxes",
    ),
    ("usa", "china"): (("40.82",), ("south africa", "pacific", "australia"), "grants to China go by one of three ways"),
    **{
        (it, "russia"): (
            *(("40.246",), tuple(russia.ROUTES)),
            "grants to Russia go by Persia, Turkey or Siberia; a convoy sails to Murmansk",
        )
        for it in grants.WESTERN_ALLIES
    },
}


def _ways(cmd: GrantBrps) -> tuple[tuple[str, ...], tuple[str, ...], str] | None:
    return WAYS.get(("", cmd.to)) or WAYS.get((cmd.power, cmd.to))


@limit(
    "40.24",
    on=GrantBrps,
    when=lambda s, cmd: _ways(cmd) is not None,
    covers=tuple(dict.fromkeys(clause for clauses, _, _ in WAYS.values() for clause in clauses)),
)
def goes_its_way(s: State, cmd: GrantBrps) -> Choice:
    """A grant goes by the ways that lead from its grantor to its recipient."""
    clauses, by, text = _ways(cmd) or ((), (), "")
    if (cmd.power, cmd.to) == ("usa", "britain") and grants.british_units_built_in_canada(s):
        by = (*by, "land")
    return Choice("by", by, text, clauses[0], clauses[1:])


@limit("40.21", on=GrantBrps, when=lambda s, cmd: cmd.to in ("italy", "france", "britain"))
def line_runs(s: State, cmd: GrantBrps) -> str | None:
    """A supply line runs from the grantor's home to where the recipient could build."""
    if cmd.power == "germany" and cmd.by == "land":
        return None if china.land_line(s, cmd.power, cmd.to) else "no land supply line runs from Germany to Italy"
    if cmd.by == "atlantic":
        return None if china.sea_line(s, cmd.power, cmd.to) else f"no supply line by sea reaches {called(cmd.to)}"
    return None


# -- What each road carries ----------------------------------------------------------------------------------------


class Road(NamedTuple):
    """A road to Russia or China: its name and capacity, with the clauses on that, on its oil, and on less of both."""

    name: str
    clause: str
    capacity: Callable[[State], int]
    oil: str = ""
    less: str = ""


ROADS = {
    "murmansk": Road("Murmansk route", "40.411", murmansk_capacity, "40.25A"),
    "persia": Road("Persian route", "40.51A", partial(russia.route_capacity, route="persia"), "40.25B", "40.51C"),
    "turkey": Road("Turkish route", "40.61A", partial(russia.route_capacity, route="turkey"), "40.25C", "40.61C"),
    "siberia": Road("Siberian route", "40.73A", partial(russia.route_capacity, route="siberia"), "40.25D", "40.73C"),
    "burma road": Road("Burma Road", "40.84", china.burma_road_capacity),
    "hump": Road("Hump", "40.85", china.hump_capacity),
    "ports": Road("way by ports of China and Indochina", "40.83", china.ports_capacity),
}


def road_of(cmd: grants.Grant) -> str:
    """The road that an order takes, if it is one to Russia or China."""
    if not isinstance(cmd, GrantBrps):
        return "murmansk"
    return {"russia": russia.ROUTES.get(cmd.by, ""), "china": china.INTO_CHINA.get(cmd.through, "")}.get(cmd.to, "")


def _takes_oil(s: State, cmd: grants.Grant) -> bool:
    return bool(road_of(cmd)) and grants.recipient(cmd) == "russia"


def sent_by(s: State, road: str, what: str = "sent") -> int:
    """What all grantors have sent by a road this turn: BRPs, with ten for each oil counter, or `oil sent`."""
    deed = SentTo if road == "murmansk" else SentBy
    return sum(sum_of(s, deed(what, road, it), "turn") for it in grants.WESTERN_ALLIES)


@value("40.251", "What is left of what a road carries this turn; an oil counter takes ten BRPs of it", also=("40.411",))
def route_capacity_left(s: State, route: str) -> int:
    return max(0, ROADS[route].capacity(s) - sent_by(s, route))


@limit(
    "40.411",
    on=grants.ANY_GRANT,
    # By Persia nothing goes before the route has been opened, by a clause of its own (40.521).
    when=lambda s, cmd: bool(road_of(cmd)) and (road_of(cmd) != "persia" or bool(persian_route(s))),
    covers=tuple(it.clause for it in ROADS.values()),
)
def within_capacity(s: State, cmd: grants.Grant) -> Bound | Refusal:
    """No more goes by a road to Russia or China than it carries in a turn."""
    name, road = road_of(cmd), ROADS[road_of(cmd)]
    if name == "turkey" and not russia.allied(s, russia.ANKARA):
        return Refusal("40.61A", "the Allies do not control Ankara")
    left, also = route_capacity_left(s, name), ("40.81",) if name == "ports" else ()
    return Bound("brp", most=left, text=f"capacity of the {road.name}", clause=road.clause, also=also)


@limit(
    "40.251",
    on=grants.ANY_GRANT,
    when=lambda s, cmd: cmd.oil > 0 and _takes_oil(s, cmd),
    covers=tuple(it.clause for it in ROADS.values() if it.oil),
)
def oil_takes_capacity(s: State, cmd: grants.Grant) -> Bound | str:
    """An oil counter takes ten BRPs of a road's capacity, so none goes where that is less than ten."""
    left, road = route_capacity_left(s, road_of(cmd)), ROADS[road_of(cmd)]
    room = left - convoys.OIL_AS_BRPS * cmd.oil
    if room < 0:
        return f"an oil counter takes {convoys.OIL_AS_BRPS} BRPs of capacity: {left} left"
    text = f"capacity of the {road.name} beside the oil"
    return Bound("brp", most=room, text=text, clause="40.251", also=(road.clause,))


@limit("40.25A", on=grants.ANY_GRANT, when=_takes_oil, covers=("40.25B", "40.25C", "40.25D"))
def oil_a_turn(s: State, cmd: grants.Grant) -> Bound:
    """Two oil counters a turn go by Murmansk, one each by Persia, Turkey and Siberia."""
    name, road = road_of(cmd), ROADS[road_of(cmd)]
    most = (2 if name == "murmansk" else 1) - sent_by(s, name, "oil sent")
    return Bound("oil", most=max(0, most), text=f"oil counters by the {road.name} this turn", clause=road.oil)


@limit("40.51C", on=GrantBrps, when=lambda s, cmd: cmd.oil > 0 and _takes_oil(s, cmd), covers=("40.61C", "40.73C"))
def no_oil_by_lessened_route(s: State, cmd: GrantBrps) -> Refusal | None:
    """No oil goes by a route to Russia that carries less than it could."""
    road = ROADS[road_of(cmd)]
    return (
        Refusal(road.less, f"the {road.name} carries less than it could") if russia.lessened(s, road_of(cmd)) else None
    )


# -- Transports ----------------------------------------------------------------------------------------------------


@limit("40.221", on=GrantBrps, when=lambda s, cmd: cmd.transports > 0)
def enough_are_assigned(s: State, cmd: GrantBrps) -> Bound:
    """A grant has the transports it needs where the enemy can meet it, and spare ones only there."""
    met = [leg for leg in convoys.legs(cmd.power, cmd.to, cmd.by) if leg.exposed]
    if not met:
        return Bound("transports", most=0, text="nobody can meet it on the mapboard")
    least = max(convoys.required_on(s, leg, cmd.to, cmd.brp, russia.oil_by_sea(cmd)) for leg in met)
    return Bound("transports", least=least, text="transports that it requires")


#: By ocean the clause on its transports, those that restate it, and how many are free.
TRANSPORTS: dict[str, tuple[str, tuple[str, ...], Callable[[State], int]]] = {
    "atlantic": ("40.221A", ("70.25B(2)",), convoys.atlantic_transports),
    "pacific": ("40.221B", (), convoys.pacific_transports),
    "indian_ocean": ("40.221C", (), convoys.indian_ocean_transports),
}


@limit("40.221A", on=GrantBrps, covers=("40.221B", "40.221C", "70.25B(2)"))
def transports_are_free(s: State, cmd: GrantBrps) -> Iterator[Refusal]:
    """What goes through the Atlantic, the Pacific or the Indian Ocean has transports of that ocean."""
    if not convoys.legs(cmd.power, cmd.to, cmd.by):
        return
    wanted = convoys.needed(s, cmd.power, cmd.to, cmd.by, cmd.brp, russia.oil_by_sea(cmd), cmd.transports)
    for ocean, count in wanted.items():
        clause, also, free = TRANSPORTS[ocean]
        if count > (there := free(s)):
            told = f"takes {count} of the {ocean.replace('_', ' ').title()} transports; free: {there}"
            yield Refusal(clause, told, also=also)


# -- Granting ------------------------------------------------------------------------------------------------------


@limit("40.11", "A grant is of something", on=GrantBrps)
def something_is_granted(s: State, cmd: GrantBrps) -> Bound:
    return Bound("brp", least=0 if cmd.oil else 1, text="name the BRPs that are granted")


@order("40.11", on=GrantBrps, phases=("initial supply determination", "post-combat supply determination"))
def grant(p: Proceedings, cmd: GrantBrps) -> None:
    """BRPs are granted: they arrive at once, unless the enemy may meet them on the mapboard."""
    at_risk = _load(p, cmd)
    if cmd.to == "china":
        p.run(china.use_chinese_route, cmd.power, cmd.by, cmd.through, cmd.port, cmd.brp)
    if cmd.to == "russia":
        p.run(russia.use_russian_route, cmd.power, cmd.by, cmd.brp, cmd.oil)
    by_land_alone = bool(cmd.oil_from) and not at_risk
    flyer = china.air_transport_at(p.s, cmd.air_base) if cmd.through == "hump" else ""
    enemies = () if by_land_alone else convoys.hunters(p.s, cmd.power, cmd.to, cmd.by, flyer)
    if cmd.to in COMMONWEALTH:
        p.run(grant_construction, cmd.to, cmd.by, cmd.brp, cmd.shipbuilding)
    elif enemies:
        _send(p, cmd, at_risk, flyer)
    else:
        if convoys.legs(cmd.power, cmd.to, cmd.by):
            p.do(AutoStep("grant", "nobody may meet the grant on its way: it arrives at once"), "40.12")
        _give(p, cmd)


def _give(p: Proceedings, cmd: GrantBrps) -> None:
    """Nobody may meet the grant: it is there."""
    if cmd.brp:
        p.run(grants.make_grant, cmd.power, cmd.to, cmd.brp, cmd.by, Brp(cmd.to))
        p.run(grants.receive_grant, cmd.power, cmd.to, cmd.brp)
    if cmd.oil:
        p.run(russia.oil_arrives, cmd.oil)


def _send(p: Proceedings, cmd: GrantBrps, at_risk: dict[str, int], flyer: str) -> None:
    """The grant is on its way, and the enemy is asked."""
    if cmd.brp:
        p.run(grants.make_grant, cmd.power, cmd.to, cmd.brp, cmd.by, AtSea(cmd.power, cmd.by))
    base = cmd.air_base if flyer else NOWHERE
    sent = Consignment(cmd.power, cmd.to, cmd.by, cmd.brp, at_risk, flyer, base, cmd.oil)
    open_operation(p, TITLE, sent, _question(p.s, sent))


def _load(p: Proceedings, cmd: GrantBrps) -> dict[str, int]:
    """Transports take BRPs and oil on board; which of them the enemy can meet, by ocean."""
    at_risk: dict[str, int] = {}
    for leg in convoys.legs(cmd.power, cmd.to, cmd.by):
        count = convoys.required_on(p.s, leg, cmd.to, cmd.brp, russia.oil_by_sea(cmd))
        count = max(count, cmd.transports if leg.exposed else 0)
        convoys.use_transports(p, leg.ocean, count)
        if leg.exposed and count:
            at_risk[leg.ocean] = count
        if leg.shared and cmd.brp:
            p.do(befell(p.s, Carried(leg.start, leg.end, cmd.to), cmd.brp), "40.222")
    return at_risk


def _question(s: State, sent: Consignment) -> Question:
    asked = convoys.hunters(s, sent.power, sent.to, sent.by, sent.flown_by)
    left = tuple(it for it in asked if it not in sent.let_by)
    by_sea: tuple[type[Command], ...] = (ReportGrantInterception,) if sent.transports else ()
    by_air: tuple[type[Command], ...] = (ReportHumpInterception,) if sent.flown_by and "japan" in asked else ()
    carriers = [f"{n} {it.replace('_', ' ').title()} transport{'' if n == 1 else 's'}" for it, n in sent.afloat.items()]
    carriers += ["an air transport"] if sent.flown_by else []
    load = f"{sent.brp} BRPs{f', {sent.oil} oil' if sent.oil else ''} to {called(sent.to)}"
    told = f"let it pass, or report what was met ({load}, {', '.join(carriers)})"
    return Question("40.223", left, (LetGrantPass, *by_sea, *by_air), told)


# -- Enemy action --------------------------------------------------------------------------------------------------


def _sent(s: State) -> Consignment | None:
    about = s.waiting.about if s.waiting is not None else None
    return about if isinstance(about, Consignment) else None


def _the_consignment(s: State) -> Consignment:
    found = _sent(s)
    assert found is not None, "no grant is on its way"
    return found


@limit("40.223", on=ReportGrantInterception, when=lambda s, cmd: _sent(s) is not None)
def sunk_transports_carry(s: State, cmd: ReportGrantInterception) -> Bound | str:
    """Only transports that carry the grant over the mapboard are sunk."""
    sent = _the_consignment(s)
    afloat = sent.afloat.get(cmd.ocean, 0)
    if not afloat:
        return f"nothing of it goes over the mapboard in {cmd.ocean.replace('_', ' ').title()} transports"
    return Bound("transports_sunk", most=afloat, text="transports that carry it")


@order("40.223", on=ReportGrantInterception, out_of_turn=True)
def report_grant_interception(p: Proceedings, cmd: ReportGrantInterception) -> None:
    """Transports of a grant were sunk on the mapboard: too few left cost BRPs."""
    sent = _the_consignment(p.s)
    p.do(Reported("grant interception", f"{cmd.transports_sunk} transports sunk on the mapboard"))
    convoys.sink_transports(p, cmd.ocean, cmd.transports_sunk, (sent.power,))
    sunk = {**sent.sunk, cmd.ocean: sent.sunk.get(cmd.ocean, 0) + cmd.transports_sunk}
    sent = replace(sent, sunk=sunk)
    if min(sent.afloat.values()):
        ask_next(p, sent, _question(p.s, sent))
    else:
        p.do(AutoStep("grant", "no transport is left that carries the grant"), "40.223")
        p.run(arrive_by_sea, sent)


@order("40.12", "A grant that is left alone, or what is left of it, arrives", on=LetGrantPass, out_of_turn=True)
def let_grant_pass(p: Proceedings, cmd: LetGrantPass) -> None:
    sent = _the_consignment(p.s)
    sent = replace(sent, let_by=(*sent.let_by, cmd.power))
    question = _question(p.s, sent)
    if question.of:
        ask_next(p, sent, question)
    else:
        p.run(arrive_by_sea, sent)


@order("40.852", on=ReportHumpInterception, out_of_turn=True)
def report_hump_interception(p: Proceedings, cmd: ReportHumpInterception) -> None:
    """A grant that is flown to China was intercepted and does not arrive."""
    sent = _the_consignment(p.s)
    p.do(Reported("hump interception", f"the air transport is {cmd.outcome}"))
    if cmd.outcome == "eliminated":
        p.do(
            UnitsMoved(sent.flown_by, china.AIR_TRANSPORT, 1, At(sent.air_base), UNBUILT, "1 air transport eliminated")
        )
    back = cmd.outcome == "turned back"
    to = Brp(sent.power) if back else convoys.LOST_AT_SEA
    p.do(EntryPosted(entry("grant over the Hump", (AtSea(sent.power, sent.by), -sent.brp), (to, sent.brp))))
    if back:
        p.do(befell(p.s, Granted("grant returned", sent.power, sent.to), sent.brp))
    close_operation(p, f"the grant does not reach {called(sent.to)}")


@effect("40.223", "BRPs for which no transports are left are eliminated, the others arrive")
def arrive_by_sea(p: Proceedings, sent: Consignment) -> None:
    arrived = convoys.brps_through(p.s, sent.brp, min(sent.afloat.values())) if sent.transports else sent.brp
    if sent.brp:
        postings = (
            (AtSea(sent.power, sent.by), -sent.brp),
            (Brp(sent.to), arrived),
            (convoys.LOST_AT_SEA, sent.brp - arrived),
        )
        p.do(EntryPosted(entry(f"grant from {called(sent.power)}", *(it for it in postings if it[1]))))
    if arrived:
        p.run(grants.receive_grant, sent.power, sent.to, arrived)
    if sent.oil and all(sent.afloat.values()):
        p.run(russia.oil_arrives, sent.oil)
    close_operation(p, f"{arrived} BRPs reach {called(sent.to)}")


CONSTRUCTION = Sink("brp", "unit construction")


def waiting_for(s: State, country: str) -> int:
    """American BRPs that wait for a country's construction."""
    return balance(s.ledger, AtSea("usa", country)) if country in COMMONWEALTH else 0


@value("40.244", also=("72.162",))
def constructible(s: State, country: str) -> int:
    """What a country of the Commonwealth could spend on its units this turn; Australia and India by their limits."""
    if country in BOXED:
        note("own_limits", "71.152", possible := construction.own_construction_possible(s, country), country)
    else:
        possible = sum(unit_cost(unit) * count for unit, count in unbuilt(s, country))
    return possible - waiting_for(s, country)


#: Why a grant pays for no shipbuilding: by recipient the clause and how it is told; powers are told by the last.
NO_SHIPBUILDING = {
    # A grant would use a Canadian point up without a ship.
    "canada": ("70.15C(2)", "the U.S. pays for Canadian points by use_canadian_shipyard"),
    **{it: ("40.244", f"{called(it)} has no shipbuilding points") for it in ("india", "south_africa")},
    "": ("40.244", "a power uses what it receives as it likes"),
}


@limit("71.152C", on=GrantBrps, covers=("40.244", "70.15C(2)"))
def shipbuilding_granted(s: State, cmd: GrantBrps) -> Bound | str:
    """Of shipbuilding only Australia's is paid by grants: no more than its points cost, and for whole points."""
    if cmd.to != "australia":
        clause, text = NO_SHIPBUILDING[cmd.to if cmd.to in COMMONWEALTH else ""]
        return Bound("shipbuilding", most=0, text=text, clause=clause)
    if cmd.shipbuilding % POINT:
        return f"a shipbuilding point costs {POINT} BRPs: {cmd.shipbuilding} pay for no whole number of them"
    most = min(POINT * construction.yard_points_left(s, cmd.to), construction.own_construction_left(s, "australia"))
    return Bound("shipbuilding", most=most, text="three BRPs for each shipbuilding point of this turn")


@limit("40.244", on=GrantBrps, when=lambda s, cmd: cmd.to in COMMONWEALTH)
def within_construction_of_recipient(s: State, cmd: GrantBrps) -> Iterator[Bound | Refusal]:
    """No more is granted than a recipient that is in the Commonwealth spends on its units, shipbuilding included.

    Units and ships of Australia or India together keep within its construction limit, all within the American one.
    """
    if s.countries[cmd.to].status != "commonwealth":
        yield Refusal("40.11", f"{called(cmd.to)} has surrendered")
    if cmd.power == "usa":
        text, also = "the American construction limit for this turn", ("70.15C(2)", "70.25B(2)")
        yield Bound("brp", most=construction_left(s, "usa"), text=text, clause="40.23A(2)", also=also)
    text = "what its construction can cost this turn"
    if cmd.to in BOXED:
        most = max(0, construction.own_construction_left(s, cmd.to) - waiting_for(s, cmd.to))
        yield Bound("brp", most=most, text=text, clause="40.244", also=("71.152", "72.162"))
    # Only Australia has ships built for it (71.152C).
    points = cmd.shipbuilding if cmd.to == "australia" else 0
    yield Bound("brp", most=max(0, constructible(s, cmd.to)) + points, least=points, text=text)


@limit(
    "40.243",
    on=Build,
    displaces=(construction.built_with_canadian_points, site_is_controlled),
    when=lambda s, cmd: (
        cmd.power == "britain" and cmd.at in COMMONWEALTH_BOXES["canada"] and grants.british_units_built_in_canada(s)
    ),
)
def british_units_in_canada(s: State, cmd: Build) -> str | None:
    """Once British units may be built in Canada they are; its ships are built with its shipbuilding points."""
    ships = any(unit_branch(it) == "naval" for it in counted(cmd.units))
    return "ships are built in Canada by use_canadian_shipyard" if ships else None


@limit("70.15C(2)", on=UseCanadianShipyard, when=lambda s, cmd: cmd.power == "usa")
def shipyard_within_american_grants(s: State, cmd: UseCanadianShipyard) -> str | None:
    """What the U.S. pays for Canadian shipbuilding is granted: no deficit, and before its war as tension lets it."""
    cost, left = construction.shipyard_cost(s, cmd), grants.grantable(s, "usa")
    if not at_war(s, "usa", "germany"):
        left = min(left, max(0, grants.american_grant_limit(s) - grants.granted_over_the_atlantic(s)))
    return f"it costs {cost} BRPs; the United States can grant {left} more this turn" if cost > left else None


@effect("40.244")
def grant_construction(p: Proceedings, country: str, by: str, brp: int, shipbuilding: int) -> None:
    """American BRPs wait for the recipient's construction; British level and limit are not touched."""
    if country == "india":
        note("way_to_india", "40.244D(1)" if by == "south africa" else "40.244D(2)", by)
    move_brps(p, "usa", -brp, f"grant to {called(country)}", AtSea("usa", country), "40.23A(1)")
    p.do(befell(p.s, Granted("granted for construction", "usa", country), brp), "40.23A(2)")
    if shipbuilding:
        _use(p, country, shipbuilding, f"{called(country)}: shipbuilding")
        points = -(-shipbuilding // POINT)
        p.do(Happened(Happening(p.s.moment, "shipbuilding used", country, points)))
        construction.lay_down_ships(p, points)  # none but Australia receives BRPs for ships


def _use(p: Proceedings, country: str, brp: int, memo: str) -> None:
    p.do(EntryPosted(entry(memo, (AtSea("usa", country), -brp), (CONSTRUCTION, brp))))


def _sum(s: State, kind: str, power: str) -> int:
    since = s.since("turn")
    return sum(it.amount for it in s.happenings.of(kind) if it.moment >= since and it.key.startswith(power))


@value("40.23A(2)", adds_to=construction_sum, when=lambda s, power: bool(_sum(s, "granted for construction", power)))
def construction_for_commonwealth(s: State, power: str) -> int:
    """BRPs granted to the Commonwealth this turn count in full against the American limit."""
    return _sum(s, "construction grant returned", power) - _sum(s, "granted for construction", power)


@value("40.244", displaces=cost_to_power, when=lambda s, nation, unit: waiting_for(s, nation) > 0)
def cost_beyond_grants(s: State, nation: str, unit: Unit) -> int:
    """American BRPs pay for a Commonwealth unit first, and Britain pays what is left."""
    return max(0, rebuild_cost(s, nation, unit) - waiting_for(s, nation))


def _is_built(moved: UnitsMoved) -> bool:
    """Whether units were built, on the boards or where they are only counted."""
    return (
        moved.origin == UNBUILT if isinstance(moved.to, At) else moved.to == BUILT and not isinstance(moved.origin, At)
    )


@effect(
    "40.244",
    on=UnitsMoved,
    # Whether the U.S. paid is told by what still waits.
    after=american_units_remembered,
    when=lambda s, moved: _is_built(moved) and waiting_for(s, moved.nation) > 0,
)
def grant_pays(p: Proceedings, moved: UnitsMoved) -> None:
    """A Commonwealth unit that is built uses up what the U.S. granted for it."""
    cost = rebuild_cost(p.s, moved.nation, moved.unit) * moved.count
    _use(p, moved.nation, min(cost, waiting_for(p.s, moved.nation)), f"{called(moved.nation)}: {moved.unit}")


@effect("40.244")
def settle_construction_grants(p: Proceedings) -> None:
    """What no construction used of a grant to the Commonwealth goes back to the U.S., limit and all (R-0028)."""
    for country in COMMONWEALTH:
        left = waiting_for(p.s, country)
        if not left:
            continue
        back = (AtSea("usa", country), -left), (BrpOf("usa"), left)
        p.do(EntryPosted(entry(f"grant to {called(country)}, unused", *back)))
        p.do(befell(p.s, Granted("construction grant returned", "usa", country), left), "40.23A(2)")
