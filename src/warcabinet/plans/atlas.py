"""Who holds what in the futures of a plan, turn by turn, and which uncertain things decide it.

Of the first futures it is kept which of them see what, one bit each; so it takes no more room for a million futures
than for a thousand, and any two things can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from warcabinet.board.names import places_at
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model import calendar
from warcabinet.model.names import called
from warcabinet.model.places import default_holders, place_key
from warcabinet.model.state import State
from warcabinet.plans.chances import Odds, told, turns_out

#: So many futures are looked at one by one.
LOOKED_AT = 1_000
#: What decides less than this of something may as well be luck.
FELT = 0.1
#: Statuses of a country that put it into the colours of a power.
WORN = ("conquered", "associated", "allied", "controlled")


class Seen(msgspec.Struct):
    """Something on the map: how it began, and by the end of each turn which futures saw it otherwise, and how."""

    began: str
    turns: dict[int, dict[str, bytes]] = {}


class Sightings(msgspec.Struct):
    """What some futures saw on the map; `reached` says which came to the end of each turn."""

    reached: dict[int, bytes] = {}
    of: dict[str, Seen] = {}

    def look(self, turn: int, futures: Iterable[int], changed: Mapping[str, tuple[str, str]]) -> None:
        """Note for futures that are alike by the end of a turn what is other than it began: how it did, how it is."""
        mine = which(it for it in futures if it < LOOKED_AT)
        if mine:
            self.reached[turn] = joined(self.reached.get(turn, b""), mine)
            for what, (began, now) in changed.items():
                seen = self.of.setdefault(what, Seen(began)).turns.setdefault(turn, {})
                seen[now] = joined(seen.get(now, b""), mine)

    def add(self, other: Sightings) -> None:
        for turn, mine in other.reached.items():
            self.reached[turn] = joined(self.reached.get(turn, b""), mine)
        for what, it in other.of.items():
            turns = self.of.setdefault(what, Seen(it.began)).turns
            for turn, values in it.turns.items():
                seen = turns.setdefault(turn, {})
                for value, mine in values.items():
                    seen[value] = joined(seen.get(value, b""), mine)


def which(futures: Iterable[int]) -> bytes:
    """Futures as bits."""
    bits = 0
    for it in futures:
        bits |= 1 << it
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def as_bits(mine: bytes) -> int:
    return int.from_bytes(mine, "little")


def joined(one: bytes, other: bytes) -> bytes:
    bits = as_bits(one) | as_bits(other)
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def changes(start: State, s: State) -> dict[str, tuple[str, str]]:
    """Places and countries that stand otherwise than at the start: how they did, how they do."""
    found: dict[str, tuple[str, str]] = {}
    if s.control is not start.control:
        first = default_holders()
        for key, _ in sorted(s.control.items() ^ start.control.items()):
            before, now = (it.control.get(key) or first.get(key, "") for it in (start, s))
            if before != now:
                found[key] = before, now
    if s.countries is not start.countries:
        for country, it in s.countries.items():
            was = start.countries.get(country)
            if was is not it and (was is None or (was.status, was.by) != (it.status, it.by)):
                found[country] = (f"{was.status} {was.by}".strip() if was else "", f"{it.status} {it.by}".strip())
    return found


# -- what a run answers ------------------------------------------------------------------------------------------------


class Since(msgspec.Struct, frozen=True):
    """From the end of a turn on: which futures see it how."""

    turn: int
    went: dict[str, bytes]


class Shown(msgspec.Struct, frozen=True):
    began: str
    since: tuple[Since, ...]


class Atlas(msgspec.Struct, frozen=True):
    """The map in the first futures of a run: what changes on it, and how the uncertain things turned out in them."""

    first: int = 0
    last: int = -1
    reached: tuple[Since, ...] = ()
    of: dict[str, Shown] = {}
    fates: dict[str, dict[str, bytes]] = {}

    def turns(self) -> tuple[str, ...]:
        return tuple(map(calendar.turn_name, range(self.first, self.last + 1)))


def atlas_of(seen: Sightings, seed: int, samples: int, odds: Mapping[str, Odds]) -> Atlas:
    """What was seen, told only where it changes from one turn to the next."""
    if not seen.reached:
        return Atlas()
    first, last = min(seen.reached), max(seen.reached)
    reached = _told(first, last, {turn: {"": it} for turn, it in seen.reached.items()})
    of = {what: Shown(it.began, _told(first, last, it.turns)) for what, it in sorted(seen.of.items())}
    return Atlas(first, last, reached, of, _fates(seed, min(samples, LOOKED_AT), odds))


def _told(first: int, last: int, turns: Mapping[int, Mapping[str, bytes]]) -> tuple[Since, ...]:
    found: list[Since] = []
    for turn in range(first, last + 1):
        went = dict(sorted(turns.get(turn, {}).items()))
        if went != (found[-1].went if found else {}):
            found.append(Since(turn, went))
    return tuple(found)


def _fates(seed: int, number: int, odds: Mapping[str, Odds]) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for thing, its in odds.items():
        went: dict[str, list[int]] = {}
        for future in range(number):
            went.setdefault(told(turns_out(seed, future, thing, its)), []).append(future)
        found[thing] = {outcome: which(futures) for outcome, futures in sorted(went.items())}
    return found


# -- asked of it -------------------------------------------------------------------------------------------------------


class Part(msgspec.Struct, frozen=True):
    """Some of the futures: what they have in common, how many they are, the first of them."""

    what: str
    futures: int
    first: int
    #: What they have in common as the map knows it, where that can be asked for again.
    value: str = ""


class Cause(msgspec.Struct, frozen=True):
    """An uncertain thing by how far it parts the likeliest futures from the others: how it turned out in those."""

    thing: str
    share: float
    outcomes: tuple[Part, ...]


class Chance(msgspec.Struct, frozen=True):
    """A place or country by the end of a turn: how it stands in how many futures, since when, and what decides it."""

    what: str
    name: str
    turn: str
    futures: int
    stands: tuple[Part, ...]
    since: tuple[Part, ...]
    causes: tuple[Cause, ...]


class Look:
    """The map by the end of one turn, in all futures that were looked at or in some of them."""

    def __init__(self, atlas: Atlas, turn: str, among: str = "") -> None:
        self.atlas, self.turn = atlas, _turn(atlas, turn)
        self.all = as_bits(self._at(atlas.reached, self.turn).get("", b""))
        if among:
            what, _, value = among.partition(" is ")
            self.all &= self.masks(what).get(value, 0)

    @staticmethod
    def _at(since: Sequence[Since], turn: int) -> Mapping[str, bytes]:
        return next((it.went for it in reversed(since) if it.turn <= turn), {})

    def masks(self, what: str, turn: int | None = None) -> dict[str, int]:
        """How something stands, each with the futures in which it does."""
        shown = self.atlas.of.get(what)
        if shown is None:
            return {}
        found = {value: as_bits(it) & self.all for value, it in self._at(shown.since, turn or self.turn).items()}
        rest = self.all & ~_either(found.values())
        found[shown.began] = found.get(shown.began, 0) | rest
        return {value: bits for value, bits in found.items() if bits}

    def share(self, bits: int) -> float:
        return round(bits.bit_count() / max(1, self.all.bit_count()), 4)

    def chance(self, what: str) -> Chance:
        """How likely it is that a place or country stands as it does in most futures."""
        key = self._known(what)
        masks = self.masks(key)
        stands = sorted(masks, key=lambda it: (-masks[it].bit_count(), it))
        parts = tuple(_part(standing_in_words(it), masks[it], it) for it in stands)
        likeliest = masks[stands[0]] if stands else 0
        causes = self.causes(self.all & ~likeliest, likeliest)
        name, turn = name_of(key), calendar.turn_name(self.turn)
        since = self._since(key, stands[0]) if stands else ()
        return Chance(key, name, turn, self.all.bit_count(), parts, since, causes)

    def _known(self, what: str) -> str:
        if what in self.atlas.of:
            return what
        try:
            return place_key(what)
        except WarCabinetError:
            raise unknown("place or country that changes in this run", what, map(name_of, self.atlas.of)) from None

    def _since(self, what: str, value: str) -> tuple[Part, ...]:
        """Since which turn it has stood so, by how many futures."""
        found, left = [], self.masks(what).get(value, 0)
        for turn in range(self.turn, self.atlas.first - 1, -1):
            before = self.masks(what, turn - 1).get(value, 0) if turn > self.atlas.first else 0
            if turn == self.atlas.first and value == self.atlas.of[what].began:
                before = left
            if changed := left & ~before:
                found.append(_part(f"since {calendar.turn_name(turn)}", changed))
                left &= before
        if left:
            found.append(_part("from the start", left))
        return tuple(reversed(found))

    def causes(self, others: int, likeliest: int) -> tuple[Cause, ...]:
        """The uncertain things that part these futures from those, the sharpest first."""
        if not others or not likeliest:
            return ()
        found = []
        for thing, outcomes in self.atlas.fates.items():
            bits = {outcome: as_bits(it) for outcome, it in outcomes.items()}
            # How much better one guesses on which side a future lies if one knows how this turned out.
            known = sum(max((it & others).bit_count(), (it & likeliest).bit_count()) for it in bits.values())
            blind = max(others.bit_count(), likeliest.bit_count())
            share = round((known - blind) / min(others.bit_count(), likeliest.bit_count()), 4)
            if share >= FELT:
                parts = (_part(outcome, it & others) for outcome, it in bits.items() if it & others)
                found.append(Cause(thing, share, tuple(sorted(parts, key=lambda it: (-it.futures, it.what)))))
        whole = [it for it in found if it.share == 1]  # beside what decides all of it the rest is luck
        return tuple(sorted(whole or found, key=lambda it: (-it.share, it.thing)))

    def least_certain(self, most: int) -> tuple[Chance, ...]:
        """Places and countries that are furthest from certain."""

        def doubt(what: str) -> int:
            return self.all.bit_count() - max(map(int.bit_count, self.masks(what).values()), default=0)

        named = (it for it in self.atlas.of if "/" not in it or places_at(it))
        ranked = sorted((it for it in named if doubt(it)), key=lambda it: (-doubt(it), _tier(it), name_of(it)))
        return tuple(map(self.chance, ranked[:most]))


def _turn(atlas: Atlas, turn: str) -> int:
    found = calendar.parse_turn(turn) if turn else atlas.last
    if not atlas.first <= found <= atlas.last:
        raise WarCabinetError(f"{turn} is not played in this run; it goes to {calendar.turn_name(atlas.last)}")
    return found


def _part(what: str, bits: int, value: str = "") -> Part:
    return Part(what, bits.bit_count(), (bits & -bits).bit_length() - 1, value)


def _either(masks: Iterable[int]) -> int:
    found = 0
    for it in masks:
        found |= it
    return found


def name_of(what: str) -> str:
    """What a place or country is called; a hex without a name by its id."""
    if "/" not in what:
        return called(what)
    named = places_at(what)
    return named[0].name if named else what.partition("/")[2]


def _tier(what: str) -> int:
    """Great cities come before countries, and these before lesser places."""
    return min((it.tier for it in places_at(what)), default=1) * 2 - ("/" in what)


def standing_in_words(value: str) -> str:
    """`germany` is Germany; `conquered germany` is conquered by Germany."""
    status, _, by = value.partition(" ")
    if not by:
        return called(status) or "nobody's"
    joins = {"conquered": "by", "controlled": "by", "colony": "of"}
    return f"{status} {joins.get(status, 'with')} {called(by)}"
