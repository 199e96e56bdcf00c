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
from warcabinet.rules.kinds import effect, limit, opening, order

IRISH = "irish"
CLAUSES = {IRISH: "87.23", **{kind: clause for kind, (clause, _) in RISE.items()}}
UNREST = ("88.33", "88.57", "88.63")


def partisans_of(cmd: BuildPartisan) -> str:
    """Which partisans an order is about: those that it names, else those of the place; of no other place Irish ones."""
    return cmd.partisans or risen_at(cmd.at) or IRISH


@order("87.23", "A partisan is built at its normal cost", on=BuildPartisan, phases=("unit construction",), also=UNREST)
def build_partisan(p: Proceedings, cmd: BuildPartisan) -> None:
    kind = partisans_of(cmd)
    if kind == IRISH:
        p.run(irish_partisan_rises, cmd.power, cmd.at)
    else:
        p.run(unrest_partisan_rises, cmd.power, cmd.at, kind)


@effect("87.23", "An Irish partisan is built")
def irish_partisan_rises(p: Proceedings, power: str, at: str) -> None:
    _rises(p, power, at, "partisan built")
    _pay(p, power, f"partisan at {at}", "87.23")
    p.do(Happened(Happening(p.s.moment, "built a partisan", "ireland", 1)))


@effect("88.33", "A partisan of Moslem Unrest rises", covers=("88.57", "88.63"))
def unrest_partisan_rises(p: Proceedings, power: str, at: str, kind: str) -> None:
    _rises(p, power, at, f"a {kind} partisan rises")
    _pay(p, power, f"{kind} partisan", CLAUSES[kind])


def _rises(p: Proceedings, power: str, at: str, memo: str) -> None:
    """A partisan comes on the board: one that was lost, if the force pool has any, else a new one."""
    origin = UNBUILT if unbuilt_of(p.s, power, PARTISAN) else OUT_OF_PLAY
    p.do(UnitsMoved(power, PARTISAN, 1, origin, At(place_key(at)), memo))


def _pay(p: Proceedings, power: str, memo: str, clause: str) -> None:
    brp = unit_cost(PARTISAN)
    move_brps(p, power, -brp, memo, Sink("brp", "unit construction"), clause)
    p.do(Happened(Happening(p.s.moment, "spent", power, brp)), "39.11")
    p.do(Happened(Happening(p.s.moment, "constructed", power, brp)))


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


@limit("87.23", on=BuildPartisan, when=lambda s, cmd: partisans_of(cmd) == IRISH)
def irish_partisan_may_rise(s: State, cmd: BuildPartisan) -> str | None:
    """Irish partisans: in a vacant Irish hex outside Allied zones of control, not in Ulster; so many, one a turn."""
    reason = why_no_partisan(s, place_key(cmd.at))
    return f"{cmd.at}: {reason}" if reason else None


@limit("88.33", on=BuildPartisan, also=("88.57", "88.63"), when=lambda s, cmd: partisans_of(cmd) != IRISH)
def unrest_partisan_may_rise(s: State, cmd: BuildPartisan) -> Refusal | None:
    """Partisans of Moslem Unrest rise in their own countries, as many as the force pool has, one a turn."""
    kind = partisans_of(cmd)
    reason = why_none_rises(s, kind, cmd.at)
    return Refusal(CLAUSES[kind], reason) if reason else None


@limit("87.23", "A partisan is paid for, within the construction limit", on=BuildPartisan, also=UNREST)
def partisan_paid(s: State, cmd: BuildPartisan) -> Refusal | None:
    cost, clause = unit_cost(PARTISAN), CLAUSES[partisans_of(cmd)]
    if cost > construction_left(s, cmd.power):
        return Refusal(clause, "nothing is left of the construction limit")
    return None if cost <= spendable(s, cmd.power) else Refusal(clause, f"it costs {cost} BRP")
