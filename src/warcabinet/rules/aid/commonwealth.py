"""American grants to the Commonwealth: for the construction of its units, on the American limit (40.244).

The recipient has no total of its own: what was granted stands in an account until construction uses it.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import AtSea, Sink
from warcabinet.model.accounts import Brp as BrpOf
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.commands.colonies import UseCanadianShipyard
from warcabinet.model.commands.forces import Build
from warcabinet.model.events import EntryPosted, Happened, UnitsMoved
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import called
from warcabinet.model.pieces import BUILT, UNBUILT, At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES
from warcabinet.model.unit_lists import counted, unbuilt
from warcabinet.model.units import Unit, unit_branch, unit_cost
from warcabinet.rules.aid import grants
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.commonwealth import construction
from warcabinet.rules.commonwealth.boxed import BOXED
from warcabinet.rules.commonwealth.europe import american_units_remembered
from warcabinet.rules.economy.force_pools import site_is_controlled
from warcabinet.rules.economy.spending import construction_left, construction_sum
from warcabinet.rules.kinds import effect, limit, value
from warcabinet.rules.minors.building import POINT, cost_to_power, rebuild_cost

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
    p.do(Happened(Happening(p.s.moment, "granted for construction", f"usa {country}", brp)), "40.23A(2)")
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
        p.do(Happened(Happening(p.s.moment, "construction grant returned", f"usa {country}", left)), "40.23A(2)")
