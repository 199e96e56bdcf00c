"""War and peace, asked here alone: who fights or ever fought whom, who declared it, who is neutral, what ends a war.

And who stands with whom, Vichy France and its colonies among them. No other module of rules looks at the list of wars.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from warcabinet.kernel.kept import kept
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.events import WarBegan, WarEnded
from warcabinet.model.names import countries, powers
from warcabinet.model.places import Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, War, correction_note
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, VICHY, capital, home_hexes
from warcabinet.rules.kinds import definition, remembered


@kept
def _waged(wars: tuple[War, ...]) -> dict[str, dict[str, War]]:
    """The wars that are being waged, by one belligerent and then the other."""
    found: dict[str, dict[str, War]] = {}
    for war in wars:
        if war.ended is None:
            one, other = war.between
            found.setdefault(one, {}).setdefault(other, war)
            found.setdefault(other, {}).setdefault(one, war)
    return found


def opponents(s: State, belligerent: str) -> Mapping[str, War]:
    """Everybody with whom a power or country is at war now, with the war."""
    return _waged(s.wars).get(belligerent, {})


def belligerents(s: State) -> Collection[str]:
    """Everybody who is at war now."""
    return _waged(s.wars).keys()


def war_between(s: State, one: str, other: str) -> War | None:
    """The war that two belligerents are waging now."""
    return opponents(s, one).get(other)


def at_war(s: State, one: str, other: str) -> bool:
    war = war_between(s, one, other)
    if war is not None and telling():
        told = correction_note(s, "wars") or f"since {calendar.turn_name(war.since)}"
        note("at_war", "", True, one, other, text=told)
    return war is not None


def wars_between(s: State, one: str, other: str) -> tuple[War, ...]:
    """The wars that ever broke out between the two, even if they have ended; the first one first."""
    return _broken_out(s.wars).get((one, other), ())


def went_to_war(s: State, one: str, other: str) -> bool:
    """Whether war ever broke out between the two, even if it has ended."""
    return (one, other) in _broken_out(s.wars)


@kept
def _broken_out(wars: tuple[War, ...]) -> dict[tuple[str, ...], tuple[War, ...]]:
    """All wars by their two belligerents, either way round, and by each of them alone."""
    found: dict[tuple[str, ...], tuple[War, ...]] = {}
    for war in wars:
        for key in (war.between, war.between[::-1], *zip(war.between)):
            found[key] = (*found.get(key, ()), war)
    return found


def declarers(s: State, belligerent: str) -> tuple[str, ...]:
    """The powers that ever declared a war which somebody fought, even if it has ended."""
    declared = dict.fromkeys(war.declared_by for war in _broken_out(s.wars).get((belligerent,), ()))
    return tuple(it for it in declared if it in powers())


def declared(s: State, by: str, on: str) -> bool:
    """Whether one ever declared war on the other."""
    return any(war.declared_by == by for war in wars_between(s, by, on))


def declared_since(s: State, turn: int, on: str) -> tuple[str, ...]:
    """Those who declared war on somebody in a turn, even if that war has ended."""
    return tuple(war.declared_by for war in _broken_out(s.wars).get((on,), ()) if war.since == turn)


def earlier(s: State, one: War, other: War) -> bool:
    """Whether a war broke out before another: in a turn before, or before it in the same turn."""
    return (one.since, s.wars.index(one)) < (other.since, s.wars.index(other))


def first_full_turn(war: War) -> int:
    """The turn of the first player turn, of whichever side, that begins after a war broke out.

    The Axis moves first in a turn: after a declaration in the Allied player turn that is the next one.
    """
    in_allied_turn = war.declared_by in powers() and player_of(war.declared_by) == "allied"
    return war.since + 1 if in_allied_turn else war.since


def make_peace(p: Proceedings, country: str, side: str = "") -> None:
    """A country's own wars with a faction end, or all of them: it was conquered, surrendered or changed sides."""
    for other, war in opponents(p.s, country).items():
        if not side or (other in p.s.powers and p.s.powers[other].faction == side):
            p.do(WarEnded(war.between))


def same_faction(s: State, one: str, other: str) -> bool:
    return s.powers[one].faction == s.powers[other].faction


def partners(s: State, one: str, other: str) -> bool:
    """Whether two powers fight on one side; a power that has surrendered is nobody's partner."""
    if one not in s.powers or other not in s.powers or not same_faction(s, one, other):
        return False
    return not (s.powers[one].surrendered or s.powers[other].surrendered)


def stands_with(s: State, holder: str, power: str) -> bool:
    """Whether a place's holder is of a power's faction; partisans and countries are of nobody's."""
    return holder in s.powers and same_faction(s, holder, power)


def player_of(power: str) -> str:
    """Which side's player turn a power moves in: the Axis turn is Japan's too."""
    return powers()[power].player


#: War with these alone ends a power's neutrality: Japan's with China does not.
_ENDS_NEUTRALITY = {"japan": ("russia", "britain", "usa")}


@definition("35.32", "A power at war with no opposing major power is neutral; China is none to Japan")
def neutral_power(s: State, power: str) -> bool:
    if power == "britain" and s.powers["britain"].surrendered:
        return True  # until it re-enters the war (R-2784)
    others = _ENDS_NEUTRALITY.get(power) or [it for it in powers() if it != power and not same_faction(s, power, it)]
    return not any(at_war(s, power, it) for it in others)


def country_attacked(began: WarBegan) -> str:
    """The minor country with which a war begins that a power has declared, if any."""
    return next((it for it in began.between if it in countries()), "") if began.declared_by in powers() else ""


def attackers_of(s: State, country: str) -> tuple[str, ...]:
    """The powers that declared war on a country and still fight it."""
    return attacked(s).get(country, ())


def attacked(s: State) -> Mapping[str, tuple[str, ...]]:
    """Everybody on whom powers declared war that they still fight, with those powers."""
    return _attackers(s.wars)


@kept
def _attackers(wars: tuple[War, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for war in wars:
        if war.ended is None and war.declared_by in powers():
            for one in dict.fromkeys(war.between):
                found[one] = (*found.get(one, ()), war.declared_by)
    return found


# -- Vichy France -------------------------------------------------------------------------------------------------

# The clause by which a colony stands that went over to the Free French.
WENT_OVER = "85.493"
# Those who may attack Vichy colonies without a declaration of war.
ATTACKERS = ("britain", "usa")


@remembered("85.44", "The places in France that are Vichy France's: its capital, and what was reported (R-0463)")
def vichy_places(s: State) -> tuple[Place, ...]:
    return (capital(VICHY),)


def french_remnant(s: State, place: Place) -> bool:
    """Whether a place is French only because nobody has said otherwise since France left the war: Vichy's."""
    return s.powers["france"].surrendered and holder(s, place) == "france"


def vichys_own(s: State, place: Place) -> bool:
    """Whether Vichy France holds a place, or a position that knows of the French surrender left it French."""
    return holder(s, place) == VICHY or (french_remnant(s, place) and place in vichy_places(s))


def vichys_by_result(s: State, place: Place) -> bool:
    """Whether a power holds a place of Vichy France's in France by a diplomatic result, and did not take it by force.

    A country under a result is neutral all the same: whoever attacks there declares war on it (82.41).
    """
    now, standing = holder(s, place), s.countries[VICHY]
    if now not in powers() or not s.powers["france"].surrendered or place not in vichy_places(s):
        return False
    neutral = standing.status in ("neutral", "penetrated", "controlled")
    return neutral and now != "france" and not any(at_war(s, it, VICHY) for it in powers() if same_faction(s, it, now))


@definition("85.493", "A French colony that is Free French: Britain holds it, as it does the French Pacific islands")
def free_french(s: State, country: str) -> bool:
    standing = s.countries[country]
    return standing.status == "colony" and standing.clause == WENT_OVER


def vichy_colony(s: State, country: str) -> bool:
    """A French colony after the French surrender that no other power has conquered and that did not go over."""
    french = countries()[country].owner == "france" and s.powers["france"].surrendered
    return french and s.countries[country].status == "colony" and not free_french(s, country)


def colony_by_result(s: State, country: str) -> bool:
    """A Vichy colony that a diplomatic result gave a power with Vichy France (R-0464): it is as neutral as that."""
    held_by, vichy = s.countries[country].by, s.countries[VICHY]
    given = vichy.status == "controlled" and held_by in powers() and same_faction(s, held_by, vichy.by)
    return given and vichy_colony(s, country)


def open_colony(s: State, country: str) -> bool:
    """A Vichy colony, or one whose capital Britain or the U.S. has taken: they go on against what is left of it."""
    standing = s.countries[country]
    fallen = country in EUROPEAN_FRENCH_COLONIES and standing.status == "conquered" and standing.by in ATTACKERS
    return vichy_colony(s, country) or (fallen and s.powers["france"].surrendered)


def colonies_of(s: State, country: str) -> tuple[str, ...]:
    """What a minor country holds beyond its borders and takes along: Spain's part of Morocco, Vichy's colonies."""
    if country == VICHY:
        return tuple(it for it in EUROPEAN_FRENCH_COLONIES if vichy_colony(s, it))
    return ("spanish_morocco",) if country == "spain" else ()


@remembered("82.32A", "A Vichy colony that Britain or the U.S. attacked: Axis units there are outside the limit")
def attacked_colony(s: State, country: str) -> bool:
    # What a result gave the West with Vichy France was not attacked, and Spain's part of Morocco is none of these.
    given = s.countries[VICHY].by in ATTACKERS or country not in EUROPEAN_FRENCH_COLONIES
    return not given and any(holder(s, key) in ATTACKERS for key in home_hexes(country))


@remembered("85.493", "A colony was lost to Vichy France: who takes it from the Allies later has it for himself")
def lost_to_vichy(s: State, colony: str) -> bool:
    return False


def gone_over(s: State, colony: str) -> bool:
    """Whether a French colony is Free French or was conquered by an Allied power."""
    standing = s.countries[colony]
    conquered = standing.status == "conquered" and standing.by in powers()
    return free_french(s, colony) or (conquered and powers()[standing.by].player == "allied")


def colonies_lost_by_vichy(s: State) -> tuple[str, ...]:
    """French colonies that became Free French or were conquered by an Allied power, whoever conquered them since."""
    return tuple(
        name
        for name in EUROPEAN_FRENCH_COLONIES
        if gone_over(s, name) or (s.countries[name].status == "conquered" and lost_to_vichy(s, name))
    )
