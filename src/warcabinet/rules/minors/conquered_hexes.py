"""Which hexes and islands pass with a country that is conquered, and when (83.21, 83.22)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Closed, ControlChanged, Happened
from warcabinet.model.names import powers
from warcabinet.model.places import PARTISANS, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, Standing, State, War, happened
from warcabinet.model.traits import BELONGS, DUTCH_AREAS, ISLANDS, home_hexes
from warcabinet.rules.common.alliances import attackers_of, player_of
from warcabinet.rules.common.moments import told_after_turn
from warcabinet.rules.common.pieces import BOUND, armed_units_at, faction, side_of
from warcabinet.rules.common.promises import promise
from warcabinet.rules.common.taking import changed_hands
from warcabinet.rules.kinds import due, effect
from warcabinet.rules.minors.later_association import outlasted
from warcabinet.rules.minors.pacific import pacific_hexes_pass
from warcabinet.rules.minors.status import land_of


def _attacked_with(country: str) -> str:
    """The country on which war is declared: whoever attacks Poland attacks its east, which falls by itself (R-0421)."""
    return "poland" if country == "eastern_poland" else country


def _in_turn_of_attack(s: State, country: str, by: str) -> bool:
    struck = _attacked_with(country)
    if _reported_after_turn(s, struck, by):
        return True
    if _outlasted_another(s, struck):
        return False
    war = _war_with(s, struck, by)
    now = war is not None and (war.declared_by, war.since) == (by, s.turn) and player_of(by) == s.player
    return now or happened(s, "attacked", struck, "player turn")


def _reported_after_turn(s: State, country: str, by: str) -> bool:
    """Whether the turn of attack has just ended, and the defender's diplomatic phase, to which one survives, is ahead.

    Nobody takes a capital in between: the report is late, and the country fell in the turn of attack (R-2500).
    """
    if not told_after_turn(s, by):
        return False
    defender = s.player
    since = s.turn if defender == "allied" else s.turn - 1
    wars = [(it, _war_with(s, country, it)) for it in dict.fromkeys((by, *attackers_of(s, country)))]
    # Whoever attacked it with him did so in the same player turn; one whom it had outlasted did not (R-0404).
    together = all(war and war.since == since and player_of(it) != defender for it, war in wars)
    war = wars[0][1]
    return together and war is not None and war.declared_by == by


def _outlasted_another(s: State, country: str) -> bool:
    return any(outlasted(s, country, it) for it in attackers_of(s, country))


def _war_with(s: State, country: str, by: str) -> War | None:
    """The war of a power on a country; Poland's may have ended, by its own fall, before its east is looked at."""
    return next((it for it in reversed(s.wars) if set(it.between) == {country, by}), None)


def _first_entered_now(s: State, country: str, by: str, before: Standing) -> bool:
    """Whether a neutral was taken on which no war was declared, and all of it was its own as the player turn began.

    By report, where declarations are not ordered, or by a rule outside, as Russia takes eastern Poland (R-2460).
    """
    struck = _attacked_with(country)
    if before.status not in ("neutral", "penetrated", "controlled") or s.countries[struck].status in BOUND:
        return False
    # A country's colony was conquered before the game (83.42), and its parts fall with all their hexes.
    if country in BELONGS or _outlasted_another(s, struck) or _war_with(s, struck, by):
        return False
    since = changed_hands(s)
    held = {since.get(key, holder(s, key)) for key in home_hexes(country)}
    return not held & {*powers(), PARTISANS} - {before.by}


@effect("83.22A", "Hexes of a neutral that falls in its first turn pass; otherwise a capital moves no other hex")
def conquered_hexes(p: Proceedings, country: str, by: str, before: Standing, neutral: bool, entered: bool) -> None:
    first = before.status not in ("conquered", "colony")
    struck = _in_turn_of_attack(p.s, country, by) or (entered and _first_entered_now(p.s, country, by, before))
    whole = first and neutral and struck
    if country == "philippines" or country in DUTCH_AREAS:
        p.run(pacific_hexes_pass, country, by, first)
        return
    if not first:
        return
    # Islands are hexes of their country where all of these pass, and pass by themselves where no others do (R-0044).
    if not whole:
        p.run(islands_pass, country, by)
    if whole:
        when = calendar.moment(p.s.turn, calendar.step_index(player_of(by), "end of player turn"))
        late = _reported_after_turn(p.s, _attacked_with(country), by)
        promise(p, hexes_pass, p.s.moment if late else when, by, country, 0)


@effect("83.22B", covers=tuple(clause for clause, _ in ISLANDS.values()))
def islands_pass(p: Proceedings, country: str, by: str) -> None:
    """Listed islands pass with the initial conquest, unless a third party's units are on them."""
    if country not in ISLANDS:
        return
    clause, islands = ISLANDS[country]
    for island in islands:
        keys = tuple(f"europe/{id}" for id in island)
        if not any(_third_party(p.s, key, country, by) for key in keys):
            note("island", clause, island, country)
            _pass_with(p, country, keys, by)


def _pass_with(p: Proceedings, country: str, keys: tuple[str, ...], by: str) -> None:
    """Hexes pass with their country; if a junior partner took it, they are its own should it prove alone (83.54A)."""
    seats = deciding_places(country)
    for kind in (f"passed on by {junior}" for junior in powers()):
        if any(happened(p.s, kind, seat, "player turn") for seat in seats):
            for key in keys:
                p.do(Happened(Happening(p.s.moment, kind, key)))
    p.do(ControlChanged(keys, by))


def _third_party(s: State, key: str, country: str, by: str) -> bool:
    """Whether enemy units other than the country's own stand on a hex."""
    return any(stack.nation != country and _enemy_of(s, stack.nation, by) for stack in armed_units_at(s, key))


def _enemy_of(s: State, nation: str, by: str) -> bool:
    """Whether a nation keeps a hex from the conqueror: any of another faction, at war with it or not (R-2381)."""
    return side_of(s, nation) != faction(s, by)


@due("83.22A", averted_by="units of a third party on a hex")
def hexes_pass(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """All hexes of a country conquered in its first turn of attack pass to the conqueror."""
    country, by = due_now.about, due_now.power
    if p.s.countries[country].status != "conquered" or p.s.countries[country].by != by:
        p.do(Closed(due_now.id, "averted", "it changed hands again"))
        return 0
    ours = tuple(
        key
        for key in land_of(p.s, country)
        if holder(p.s, key) != by
        and not _third_party(p.s, key, country, by)
        and not _island_held(p.s, key, country, by)
    )
    if country in ISLANDS:
        note("islands", ISLANDS[country][0], True, country)
    if ours:
        _pass_with(p, country, ours, by)
    return 0


def _island_held(s: State, key: str, country: str, by: str) -> bool:
    """One hex of an island with a third party's unit keeps the whole island."""
    for island in ISLANDS.get(country, ("", ()))[1]:
        keys = tuple(f"europe/{id}" for id in island)
        if key in keys:
            return any(_third_party(s, it, country, by) for it in keys)
    return False
