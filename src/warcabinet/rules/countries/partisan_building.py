"""One order for the partisans that Germany builds: Irish ones, and those of Moslem Unrest (87.23, 88.33)."""

from __future__ import annotations

from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import unbuilt_of
from warcabinet.model.units import unit_cost
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.countries.ireland import PARTISAN, why_no_partisan
from warcabinet.rules.countries.moslem_unrest import RISE, risen_at, unrest_left, why_none_rises
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import limit, opening, order

IRISH = "irish"
CLAUSES = {IRISH: "87.23", **{kind: clause for kind, (clause, _) in RISE.items()}}
UNREST = ("88.33", "88.57", "88.63")


def partisans_of(cmd: BuildPartisan) -> str:
    """Which partisans an order is about: those that it names, else those of the place; of no other place Irish ones."""
    return cmd.partisans or risen_at(cmd.at) or IRISH


@order("87.23", "A partisan is built at its normal cost", on=BuildPartisan, phases=("unit construction",), also=UNREST)
def build_partisan(p: Proceedings, cmd: BuildPartisan) -> None:
    kind, brp = partisans_of(cmd), unit_cost(PARTISAN)
    irish, by = kind == IRISH, CLAUSES[kind]
    # One that was lost rises again, if the force pool has any, else a new one.
    origin = UNBUILT if unbuilt_of(p.s, cmd.power, PARTISAN) else OUT_OF_PLAY
    memo = "partisan built" if irish else f"a {kind} partisan rises"
    p.do(UnitsMoved(cmd.power, PARTISAN, 1, origin, At(place_key(cmd.at)), memo), "87.23" if irish else "88.33")
    memo = f"partisan at {cmd.at}" if irish else f"{kind} partisan"
    move_brps(p, cmd.power, -brp, memo, Sink("brp", "unit construction"), by)
    p.do(Happened(Happening(p.s.moment, "spent", cmd.power, brp)), "39.11")
    p.do(Happened(Happening(p.s.moment, "constructed", cmd.power, brp)), "87.23" if irish else "88.33")
    if irish:
        p.do(Happened(Happening(p.s.moment, "built a partisan", "ireland", 1)))


@opening("87.23", "Hexes in which a partisan may be built now", on=BuildPartisan)
def partisan_hexes(s: State, cmd: BuildPartisan) -> Choice:
    irish = tuple(it for it in home_hexes("ireland") if not why_no_partisan(s, it))
    rising = [kind for kind in RISE if unrest_left(s, kind)]
    lands = (key for kind in rising for country in RISE[kind][1] for key in home_hexes(country))
    unrest = tuple(key for key in lands if not why_none_rises(s, risen_at(key), key))
    return Choice("at", (*irish, *unrest), "no Irish hex and no result of Moslem Unrest is open to a partisan")


@limit("87.23", "Germany alone builds Irish partisans and those of Moslem Unrest", on=BuildPartisan, also=UNREST)
def germany_builds_partisans(s: State, cmd: BuildPartisan) -> Refusal | None:
    if cmd.power == "germany":
        return None
    return Refusal(CLAUSES[partisans_of(cmd)], "only Germany builds these partisans")


@limit("87.23", on=BuildPartisan, also=UNREST)
def partisan_may_rise(s: State, cmd: BuildPartisan) -> Refusal | None:
    """Irish partisans rise in vacant Irish hexes outside Allied ZoCs; those of Moslem Unrest in their own countries."""
    kind = partisans_of(cmd)
    if kind != IRISH:
        reason = why_none_rises(s, kind, cmd.at)
    elif reason := why_no_partisan(s, place_key(cmd.at)):
        reason = f"{cmd.at}: {reason}"
    return Refusal(CLAUSES[kind], reason) if reason else None


@limit("87.23", "A partisan is paid for, within the construction limit", on=BuildPartisan, also=UNREST)
def partisan_paid(s: State, cmd: BuildPartisan) -> Refusal | None:
    cost, clause = unit_cost(PARTISAN), CLAUSES[partisans_of(cmd)]
    if cost > construction_left(s, cmd.power):
        return Refusal(clause, "nothing is left of the construction limit")
    return None if cost <= spendable(s, cmd.power) else Refusal(clause, f"it costs {cost} BRP")
