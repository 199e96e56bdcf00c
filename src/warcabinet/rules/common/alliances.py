"""Who fights whom, and who stands with whom, as far as the economic chapters ask."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.kernel.kept import kept
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.names import countries, powers
from warcabinet.model.state import State, War, correction_note
from warcabinet.rules.kinds import definition


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


def war_between(s: State, one: str, other: str) -> War | None:
    """The war that two belligerents are waging now."""
    return opponents(s, one).get(other)


def at_war(s: State, one: str, other: str) -> bool:
    war = war_between(s, one, other)
    if war is not None and telling():
        told = correction_note(s, "wars") or f"since {calendar.turn_name(war.since)}"
        note("at_war", "", True, one, other, text=told)
    return war is not None


def went_to_war(s: State, one: str, other: str) -> bool:
    """Whether war ever broke out between the two, even if it has ended."""
    return (one, other) in _ever_waged(s.wars)


@kept
def _ever_waged(wars: tuple[War, ...]) -> frozenset[tuple[str, ...]]:
    """The pairs of belligerents between which war ever broke out, either way round."""
    return frozenset(pair for war in wars for pair in (war.between, war.between[::-1]))


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


@definition("35.32", "A power at war with no opposing major power is neutral")
def neutral_power(s: State, power: str) -> bool:
    opponents = (name for name in powers() if name != power and not same_faction(s, power, name))
    return not any(at_war(s, power, name) for name in opponents)


@definition("35.32", displaces=neutral_power, when=lambda s, power: power == "japan")
def neutral_japan(s: State, power: str) -> bool:
    """Japan's war with China leaves it neutral; war with Russia, Britain or the U.S. does not."""
    return not any(at_war(s, "japan", name) for name in ("russia", "britain", "usa"))


@definition(
    "35.32", displaces=neutral_power, when=lambda s, power: power == "britain" and s.powers["britain"].surrendered
)
def neutral_britain(s: State, power: str) -> bool:
    """After a surrender Britain is neutral while it is not at war with Germany."""
    return not at_war(s, "britain", "germany")


def attackers_of(s: State, country: str) -> tuple[str, ...]:
    """The powers that declared war on a country and still fight it."""
    return attacked(s).get(country, ())


def attacked(s: State) -> Mapping[str, tuple[str, ...]]:
    """Everybody on whom powers declared war that they still fight, with those powers."""
    return _attackers(s.wars)


@kept
def countries_attacked(wars: tuple[War, ...]) -> tuple[str, ...]:
    """The countries on which powers declared war that they still fight, in the order of the list of countries."""
    return tuple(it for it in countries() if it in _attackers(wars))


@kept
def _attackers(wars: tuple[War, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for war in wars:
        if war.ended is None and war.declared_by in powers():
            for one in dict.fromkeys(war.between):
                found[one] = (*found.get(one, ()), war.declared_by)
    return found
