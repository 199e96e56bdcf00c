"""Losses and surrender of minor countries as they are reported: whose, and who is spared (82.13, 82.33, 85.5)."""

from __future__ import annotations

from itertools import product

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.agenda import Joined, OfArea, Promise
from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import ReportResult, ReportUnits
from warcabinet.model.events import Happened, Reported
from warcabinet.model.keys import Unit
from warcabinet.model.names import StatusName, called, countries, powers
from warcabinet.model.places import Place, area_holder, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import unbuilt
from warcabinet.rules.common.books import on_books, worth
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.pieces import (
    armed_units_at,
    eliminate,
    faction,
    occupier,
    remove_unbuilt,
    side_of,
    standing_at,
    units_of,
)
from warcabinet.rules.common.waiting import nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import at_war, make_peace, player_of
from warcabinet.rules.kinds import definition, due, effect, limit
from warcabinet.rules.minors.association import becomes_ally, may_be_allied, pooled_by_switch, takes_in
from warcabinet.rules.minors.forces_of_minors import forces_deployed
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.status import (
    DIPLOMATIC,
    came_later,
    change_status,
    colonies_follow,
    has_any,
    hexes_in,
    leave_play,
    minor_counted,
    partly_supplied,
    pass_hexes,
    remember_all,
    remember_gone,
    settle_diplomatically,
    supplied_regardless,
    supply_until,
)
from warcabinet.rules.minors.units import lent_units


@definition("82.13C", "A nation of its own for attrition, air losses and recombining squadrons")
def separate_nationality(s: State, nation: str) -> bool:
    return nation in countries()


@limit("82.13C", on=(ReportLoss, ReportUnits), when=lambda s, cmd: nation_of(cmd) == "britain" and origin_of(cmd) != "")
def lost_by_nationality(s: State, cmd: ReportLoss | ReportUnits) -> str | None:
    """Commonwealth units are lost as their own nationality, not as British ones."""
    missing = (unit for unit, count in units_going(cmd).items() if standing_at(s, "britain", cmd.at, unit) < count)
    for unit, nation in product(missing, COMMONWEALTH):
        if standing_at(s, nation, cmd.at, unit) and separate_nationality(s, nation):
            return f"the {unit} there is a nationality of its own: report it as {called(nation)}'s (report_units)"
    return None


@definition("82.13D", also=("71.154", "72.164"))
def stays_in_british_pool(s: State, nation: str) -> bool:
    """Commonwealth units stay in the British force pool after a British surrender."""
    return nation in countries() and s.countries[nation].status == "commonwealth"


@limit(
    "82.13D",
    on=ReportUnits,
    when=lambda s, cmd: s.powers["britain"].surrendered and cmd.nation in COMMONWEALTH and cmd.count < 0,
    excusable=True,
)
def commonwealth_fights_on(s: State, cmd: ReportUnits) -> str | None:
    # Who leaves a place while his side moves stands elsewhere before play goes on (`units_stay_on_map`).
    """A British surrender takes no Commonwealth units out of play."""
    moving = s.player == player_of("britain") and s.place.step.name in ("movement", "combat", "redeployment")
    if cmd.lost or moving or not stays_in_british_pool(s, cmd.nation):
        return None
    return f"{called(cmd.nation)}'s units stay in the force pool: report what is eliminated as lost"


@limit(
    "82.56",
    on=(ReportLoss, ReportUnits),
    when=lambda s, cmd: cmd.unsupplied and bool(cmd.at),
    covers=("82.33", "85.52D", "85.53B", "88.642"),
    excusable=True,
)
def caught_units_supplied(s: State, cmd: ReportLoss | ReportUnits) -> Refusal | None:
    """Units caught where a country turned are in at least partial supply, and not eliminated for lack of it."""
    nation = nation_of(cmd)
    country = supplied_regardless(s, side_of(s, nation), cmd.at, land(cmd.at)[0])
    if not country or all(n <= came_later(s, nation, unit, country) for unit, n in units_going(cmd).items()):
        return None
    told = f"units in {called(country)} are in at least partial supply"
    return Refusal(partly_supplied.noted_by(s, side_of(s, nation), country), told)


@effect("85.52")
def surrender_country(p: Proceedings, country: str, result: int, power: str) -> None:
    """A country surrenders: its units, then its hexes, then its BRPs, then supply."""
    patron = p.s.countries[country].by
    p.do(Reported("surrender", f"{called(country)} surrenders"))
    leave_play(p, country, "85.52A", "it surrendered")
    p.run(surrendered_hexes, country, result, power, patron)
    p.run(surrendered_brps, country, patron)
    # Units of the side that was left are supplied in their first player turn after this.
    supply_until(p, patron, country, "85.52D")
    make_peace(p, country)


@definition("85.52B", "Who holds a hex after a surrender")
def holder_after_surrender(s: State, place: Place, result: int, winner: str, former: str) -> str:
    there, now = occupier(s, place), holder(s, place)
    if there:
        note("occupied", "85.52B(1)", there, place)
        return now if faction(s, now) == faction(s, there) else there
    if now in powers() and faction(s, now) != faction(s, former):
        return now
    passes = result in (-1, 8) and winner in powers()
    stays = now if now in powers() else former
    note("vacant", "85.52B(2)", winner if passes else stays, place)
    return winner if passes else stays


@effect("85.52B", "Hexes go to those who occupy them; vacant ones stay, or pass on a hex control result")
def surrendered_hexes(p: Proceedings, country: str, result: int, power: str, patron: str) -> None:
    gone_to: dict[str, list[str]] = {}
    for key in hexes_in(p.s, country):
        gone_to.setdefault(holder_after_surrender(p.s, key, result, power, patron), []).append(key)
    for by, keys in gone_to.items():
        pass_hexes(p, tuple(key for key in keys if holder(p.s, key) != by), by)
    colonies_follow(p, country)


def capital_holder(s: State, country: str, otherwise: str) -> str:
    """The power that controls the capital, or every key city of a country that has none."""
    held_by = area_holder(s, country)
    return held_by if held_by in powers() else otherwise


@effect("85.52C", "The BRPs stay with or go to the faction that controls the capital")
def surrendered_brps(p: Proceedings, country: str, patron: str) -> None:
    owner = _same_faction_keeps(p.s, country, capital_holder(p.s, country, patron), patron)
    # The Ukraine, if Russia has it back, is the colony that it was.
    status: StatusName = "colony" if countries()[country].owner == owner else "conquered"
    change_status(p, country, status, owner, "85.52C", "it surrendered; the capital decides")
    _settle_with_capital(p, country, owner)


def _settle_with_capital(p: Proceedings, country: str, owner: str) -> None:
    """Its BRPs are the owner's; what joining him in this very phase was to add without payment still costs nothing."""
    unpaid = bool(promised(p.s, minor_counted, about=country, power=owner))
    # A part that an earlier result gave, and another of this phase takes away or makes whole, is no longer retained.
    changes = bool(promised(p.s, *DIPLOMATIC, about=country, power=owner))
    retained = 0 if changes else on_books(p.s, owner, country)
    settle_diplomatically(p, country, {owner: retained or worth(p.s, country)}, gains=not unpaid)


def _same_faction_keeps(s: State, country: str, held_by: str, patron: str) -> str:
    """A faction that keeps the capital keeps the BRPs where they were."""
    if faction(s, held_by) != faction(s, patron) or on_books(s, held_by, country) > on_books(s, patron, country):
        return held_by
    return patron


# -- switching sides ----------------------------------------------------------------------------------------------


@effect("85.53", "A country switches to the faction that placed most points in it; a die decides a tie")
def switch_country(p: Proceedings, cmd: ReportResult, result: int, power: str) -> None:
    country, patron = cmd.country, p.s.countries[cmd.country].by
    note("result", "85.51B", result, country)
    note("turned", "85.215", True, country)
    new = _new_patron(p, cmd, power)
    # Whom the faction may not have as a minor ally becomes its associate (R-0040).
    alliance = result in (10, -3) and may_be_allied(p.s, country, new)
    p.do(Happened(Happening(p.s.moment, "switched", country)))
    p.run(switched_units, country, new)
    p.run(switched_hexes, country, new)
    status: StatusName = "allied" if alliance else "associated"
    change_status(p, country, status, new, "85.53", f"it switched sides, now {status}")
    make_peace(p, country, faction(p.s, new))
    if alliance:
        # It stays an associate only, if war is not declared in time (R-0215).
        lesser = "9" if faction(p.s, new) == "axis" else "-2"
        becomes_ally(p, new, Joined(country, "associated", new, None, 0, 0, lesser))
    p.run(switched_brps, country, new, patron)
    supply_until(p, patron, country, "85.53B")


def follow_out(p: Proceedings, partner: str, country: str, result: int, power: str) -> None:
    """Luxembourg leaves as Belgium does: it surrenders with it, or goes to whom it went."""
    now, patron = p.s.countries[country], p.s.countries[partner].by
    if now.status == "conquered":
        p.run(surrender_country, partner, result, power)
    elif now.by != patron:
        p.run(switched_hexes, partner, now.by)
        change_status(p, partner, "associated", now.by, "85.53", f"it follows {called(country)}")
        p.run(switched_brps, partner, now.by, patron)


def new_patrons(s: State, country: str, power: str) -> tuple[str, ...]:
    """The powers, one of each faction, to which a country may switch."""
    if faction(s, s.countries[country].by) != "axis":
        return (power if faction(s, power) == "axis" else "germany",)
    return (power if faction(s, power) == "western allies" else "britain", "russia")


def _new_patron(p: Proceedings, cmd: ReportResult, power: str) -> str:
    among = new_patrons(p.s, cmd.country, power)
    # A faction that declared war on the country, or gave up, is out of the count, whatever its points (R-0210, R-0443).
    open_to = [it for it in among if takes_in(p.s, it, cmd.country)]
    if len(open_to) == 1:
        return open_to[0]
    western = among[0]
    note("points", "85.53", f"{cmd.western_points} against {cmd.russian_points}", cmd.country)
    if cmd.western_points == cmd.russian_points:
        if not cmd.western_points:
            return power or western
        face = p.roll(f"which faction {called(cmd.country)} joins: 1-3 Western Allies, 4-6 Russia")
        return western if face <= 3 else "russia"
    return western if cmd.western_points > cmd.russian_points else "russia"


def enemy_at(s: State, place: Place, country: str, new: str) -> bool:
    """Whether units of the side that a country leaves, or of any other enemy of its new power, stand on a hex.

    Where it goes to Russia, Western units and partisans are no enemies, nor Russian ones where it goes to the West.
    """
    left, right = faction(s, s.countries[country].by), faction(s, new)
    others = (it for it in armed_units_at(s, place) if it.nation != country and side_of(s, it.nation) != right)
    return any(side_of(s, it.nation) == left or _fights(s, it.nation, new) for it in others)


def _fights(s: State, nation: str, power: str) -> bool:
    """Whether a nation, or a power of its side, is at war with a power."""
    side = (it for it in powers() if faction(s, it) == side_of(s, nation))
    return at_war(s, nation, power) or any(at_war(s, it, power) for it in side)


@effect("85.53A", "Units that are unbuilt or stand with enemies die; the others change sides")
def switched_units(p: Proceedings, country: str, new: str) -> None:
    why = "it switched sides"
    if has_any(p.s, country):
        # What is left of its forces stands where it stood; nothing is set up anew, even if nothing is left.
        forces_deployed.under("85.53A").note(p, True, why, country)
    remember_all(p, country, "85.53A", why)
    for unit, count in tuple(unbuilt(p.s, country)):
        remember_gone(p, country, unit, count, "85.53A", why)
    remove_unbuilt(p, country)
    for stack in tuple(units_of(p.s, country)):
        if stack.branch != "partisan" and enemy_at(p.s, stack.place, country, new):
            eliminate(p, stack, stack.count, for_good=True)
            remember_gone(p, country, stack.unit, stack.count, "85.53A", why)
    # Units that were lent to the power which their country leaves go where those of any associate may (84.46A).
    for (lender, lent), _ in tuple(lent_units.kept(p.s)):
        if lender == country:
            lent_units.forget(p, country, Unit(lent))
    p.do(Reported("force pool", f"{called(country)}'s units join {called(new)}'s force pool"))
    pooled_by_switch.note(p, True, why, country, new)
    lapse(p, country, "it has switched sides again", switched_units_perish)
    promise(p, switched_units_perish, next_step_of(p.s, new, "end of combat phase"), new, country, 0)


@due("85.53A", "The units of a country that switched sides are eliminated", averted_by="holding the capital of {about}")
def switched_units_perish(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    held_by = capital_holder(p.s, due_now.about, "")
    if held_by and faction(p.s, held_by) == faction(p.s, due_now.power):
        return "the capital is controlled"
    leave_play(p, due_now.about, "85.53A", "its capital was not held")
    return 0


@effect("85.53B", "Hexes without enemy units come under the new power; the others stay as they are")
def switched_hexes(p: Proceedings, country: str, new: str) -> None:
    occupied = tuple(key for key in hexes_in(p.s, country) if enemy_at(p.s, key, country, new))
    # A position may leave an ally's hexes under its own name; they are its power's all the same (85.44).
    pass_hexes(p, tuple(key for key in occupied if holder(p.s, key) == country), p.s.countries[country].by)
    free = tuple(key for key in hexes_in(p.s, country) if key not in occupied and holder(p.s, key) != new)
    pass_hexes(p, free, new, backdated=True)
    colonies_follow(p, country)


@effect("85.53C", "The BRPs stay with or go to the faction that controls the capital")
def switched_brps(p: Proceedings, country: str, new: str, patron: str) -> None:
    held_by = capital_holder(p.s, country, new)
    owner = new if faction(p.s, held_by) == faction(p.s, new) else _same_faction_keeps(p.s, country, held_by, patron)
    _settle_with_capital(p, country, owner)
