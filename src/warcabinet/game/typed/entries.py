"""Entries in a player's words, for those who keep the books: `germany 45 construction`, `warsaw german`, `usat 2`.

A line is cut into what its words are (a power, a place, units, a number, a deed); which of these it has says what is
meant, in whatever order they stand. No word is dropped: what is not understood is asked back, with what would be right.
Several readings may be left; which of them is lawful now is for whoever gives the order to see.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from warcabinet.game.typed.layout import tracks
from warcabinet.game.typed.matching import Match, Names, closest, match, starts, vocabulary, words_for
from warcabinet.game.typed.reading import JOINING, as_given, is_order, read_order
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import Field
from warcabinet.model.commands.economy import ReportBrp
from warcabinet.model.names import ADJECTIVES, StatusName, areas, called, countries, powers
from warcabinet.model.places import deciding_places
from warcabinet.model.state import State
from warcabinet.model.traits import DECLARED_TOGETHER, capital
from warcabinet.model.unit_lists import parse_count
from warcabinet.rules.common.pieces import patron

Order = dict[str, Any]


class Asked(WarCabinetError):
    """A line that is not understood whole: what is asked back, and lines that would be."""

    def __init__(self, text: str, *right: str) -> None:
        super().__init__(f"{text}; such as {' or '.join(right)}" if right else text)
        self.text, self.right = text, right


class Token(NamedTuple):
    """Some words of a line and what they are."""

    kind: str
    value: Any
    text: str


def _field(kind: str) -> Field:
    return Field(kind, kind, kind, "", True)


_POWER, _COUNTRY, _PLACE, _UNITS, _TRACK = map(_field, ("power", "country", "place", "unit count", "track"))
_KINDS = {it.kind for it in (_POWER, _COUNTRY, _PLACE, _UNITS, _TRACK)}
#: So many ways to complete a line are shown, and so many of its last words may be the beginning of a name.
MOST_ENDINGS, MOST_WORDS = 6, 4
#: More words than a track is ever called by.
MOST_WORDS_OF_TRACK = 8
#: What a word says of the deed. The longest that fits counts; a word may be cut short to three letters and more.
DEEDS = {
    "unit construction": ("construction", "constructs", "unit construction", "ships"),
    "offensive operations": ("offensives", "offensive operations", "operations"),
    "other": ("other",),
    "build": ("builds", "built"),
    "loss": ("loses", "lost", "losses", "eliminated"),
    "for good": ("for good",),
    "mobilize": ("mobilizes", "mobilises", "mobilization"),
    "produce": ("produces", "production"),
    "take": ("takes", "took", "captures", "conquers"),
    "war": ("dow", "war", "declares war", "declaration of war", "attacks", "at war"),
    "peace": ("peace", "armistice"),
    "grant": ("grants", "lends"),
    "surrender": ("surrenders", "surrendered"),
    "defer": ("defers", "deferred", "put off"),
    **{status: (status,) for status in get_args(StatusName)},
}
#: Deeds whose orders have fields of their own.
LONGER = {"mobilize": "mobilize", "produce": "report_production"}
#: What BRPs come and go by that is decided elsewhere; the first letters tell, and anything else is told in a note.
CAUSES = get_args(get_type_hints(ReportBrp)["cause"])
SPENT = ("unit construction", "offensive operations", "other")
#: Words that join others in an entry.
_JOINING = (*JOINING, "is", "are", "has", "result", "spends", "spend")
_GO_ON = re.compile(r"(?:next(?: phase)?|go on|close(?: the phase| phase)?|done|advance|n)")
_GO_TO = re.compile(r"(?:go to|go on to|advance to|to|until)\s+(?P<to>.+)")


def goes_on(line: str) -> bool:
    """Whether a line goes on in the sequence of play, and gives no order."""
    said = " ".join(line.lower().split()).strip(" .;")
    return bool(_GO_ON.fullmatch(said) or _GO_TO.fullmatch(said))


#: Units of a minor country that one line has rebuilt, at most.
MOST_AT_ONCE = 10


#: More words than an entry has.
MOST_SAID = 100


def _words(line: str) -> str:
    if len(line.split()) > MOST_SAID:
        raise Asked(f"an entry has at most {MOST_SAID} words")
    return " ".join(line.replace("−", "-").replace("_", " ").split()).strip(" .;")


def parts(line: str) -> list[str]:
    """The lines that one line stands for: `usat 9, usjt 4` is two tensions, `france peace germany, italy` the end of
    two wars, `germany dow norway, belgium` two declarations, `hungary builds inf 1-3, aaf` two units. Others are
    themselves.
    """
    words = _words(line)
    tokens = [] if "=" in words else list(_tokens(words, words.lower()))
    kinds = [it.kind for it in tokens]
    if len(kinds) > 2 and kinds == ["track", "number"] * (len(kinds) // 2):
        return [f"{track.text} {level.text}" for track, level in zip(tokens[::2], tokens[1::2], strict=True)]
    named = [it for it in tokens if it.kind in ("power", "country")]
    units = [parse_count(str(it.value)) for it in tokens if it.kind == "units"]
    if (
        kinds.count("country") == 1
        and units
        and {*kinds} <= {"country", "deed", "units"}
        and sum(n for _, n in units) > 1
    ):
        rest = " ".join(it.text for it in tokens if it.kind != "units")
        return [f"{rest} {unit}" for unit, count in units for _ in range(min(count, MOST_AT_ONCE))]
    deed = next((it for it in tokens if it.value in ("peace", "war")), None)
    if deed is None or len(tokens) != len(named) + 1:
        return [line]
    who, *others = named
    told = [f"{who.text} {deed.text} {', '.join(it.text for it in it)}" for it in _as_one(others)]
    return told if len(told) > 1 else [line]


def _as_one(targets: list[Token]) -> Iterator[list[Token]]:
    """Those who are named in one declaration: Denmark with Norway, Belgium with Luxembourg, others each by itself."""
    left = list(targets)
    while left:
        first = left.pop(0)
        beside = [it for it in left if {first.value, it.value} in DECLARED_TOGETHER]
        left = [it for it in left if it not in beside]
        yield [first, *beside]


def read_entry(s: State, line: str, power: str = "") -> list[Order]:
    """Every order that a line may mean, the likeliest first; `power` is meant where the line names none."""
    words = _words(line)
    said = words.lower()
    if not said:
        raise Asked("nothing was typed", "germany 45 construction", "next")
    if said in ("undo", "redo"):
        raise Asked(f"{said} is given by itself, not as a line: warcabinet {said}, or its button")
    if re.search(r"(?<!\S)[a-z ]+=", said) and is_order(line):
        return [as_given(line)]
    if _GO_ON.fullmatch(said):
        return [{"do": "advance"}]
    if found := _GO_TO.fullmatch(said):
        return [{"do": "advance", "to": moment_meant(s, found["to"])}]
    tokens = list(_tokens(words, said))
    meant = _Meaning(s, tokens, power)
    return meant.orders() or [_by_command(line, tokens)]


def _by_command(line: str, tokens: list[Token]) -> Order:
    """A line that begins with the name of a command, as at a whole table; else it is asked back."""
    if is_order(line):
        return as_given(line)
    strange = next((it.text for it in tokens if it.kind == "word"), "")
    if strange:
        raise Asked(f"'{strange}' is not understood", *_like(strange))
    raise Asked("what is meant by this?", "germany 45 construction", "warsaw german", "italy dow greece")


def _like(word: str) -> list[str]:
    deeds = [name for said in DEEDS.values() for name in said]
    near = difflib.get_close_matches(word.lower(), deeds, n=2, cutoff=0.7)
    return near or [called(it) for it in closest(word, [_POWER, _COUNTRY, _PLACE])][:3] or ["germany 45 construction"]


@cache
def _names() -> tuple[str, ...]:
    """All that a line can name, as one would complete it: who, what is done, phases, tracks, units, places."""
    deeds = (said[0] for said in DEEDS.values())
    phases = (it.step.name for it in calendar.steps())
    named = (called(it).lower() for it in (*powers(), *countries()))
    known = [it for it in words_for([_TRACK, _UNITS, _PLACE]) if "_" not in it]
    return tuple(dict.fromkeys(it for it in (*named, *deeds, *phases, *known) if it not in _KINDS))


def completed(line: str) -> tuple[str, ...]:
    """A line with its last words, of which the first letters stand there, in full."""
    begun = (it.start() for it in re.finditer(r"(?<![\w.-])[^\W\d]", line))
    for at in [*begun][-MOST_WORDS:]:
        tail = line[at:].lower()
        if tail in ADJECTIVES:
            return ()
        if fitting := [it for it in _names() if it.lower().startswith(tail) and len(it) > len(tail)]:
            return tuple(line[:at] + it for it in fitting[:MOST_ENDINGS])
    return ()


# -- words ---------------------------------------------------------------------------------------------------------


def _tokens(words: str, said: str) -> Iterator[Token]:
    """What a line says, `said` in small letters; the words of each part stand as they were typed."""
    at = 0
    while at < len(said):
        gap = re.compile(r"[\s,;:+]+(?!\d)|[\s,;:]+").match(said, at)
        if gap:
            at = gap.end()
            continue
        token, length = _token(said[at:])
        if token.kind != "joining":
            yield token._replace(text=words[at : at + length])
        at += length


def _token(text: str) -> tuple[Token, int]:
    """What a text begins with: the longest of all that its first words can be."""
    kinds: tuple[tuple[str, Match | None], ...] = (
        ("text", _quoted(text)),
        ("power", _power(text)),
        ("units", match(_UNITS, text)),
        ("track", _track(text)),
        ("country", match(_COUNTRY, text)),
        ("place", match(_PLACE, text)),
        ("deed", _deed(text)),
        ("number", _number(text)),
        ("joining", _joining(text)),
    )
    found = [(kind, hit) for kind, hit in kinds if hit is not None and hit.length]
    if not found:
        word = re.match(r"[^\s,;:]+", text)
        assert word is not None
        return Token("word", word.group(), word.group()), word.end()
    kind, hit = max(found, key=lambda it: it[1].length)
    return Token(kind, hit.value, text[: hit.length]), hit.length


def _quoted(text: str) -> Match | None:
    found = re.match(r"\"([^\"]*)\"|'([^']*)'", text)
    return Match(found.end(), found.group(1) or found.group(2) or "", "") if found else None


def _number(text: str) -> Match | None:
    """A number; one with a sign is an amount that comes or goes."""
    found = re.match(r"([+-]?)(\d+)(?![\w/-])", text)
    if found is None:
        return None
    return Match(found.end(), int(found.group()), "signed" if found.group(1) else "")


@cache
def _power_words() -> dict[str, str]:
    """What powers are called, for short too; what two could mean is none of them."""
    found = {**vocabulary("power"), **ADJECTIVES, "us": "usa", "u.s.": "usa", "ussr": "russia", "uk": "britain"}
    for name, power in [*found.items()]:
        for length in range(3, len(name)):
            found.setdefault(name[:length], power)
    return found


def _power(text: str) -> Match | None:
    word = re.match(r"[a-z.]+(?: states)?(?![\w-])", text)
    value = _power_words().get(word.group()) if word else None
    # A short form gives way to whatever else the word is: `chi` to nothing, `fra` to nothing, a city to itself.
    return Match(word.end(), value, value) if word and value else None


def _track(text: str) -> Match | None:
    plain = re.match(r"[a-z.\- ]+(?<![ \-])", text)
    words = plain.group().split(" ", MOST_WORDS_OF_TRACK)[:MOST_WORDS_OF_TRACK] if plain else []
    for count in range(len(words), 0, -1):
        said = " ".join(words[:count])
        if found := tracks().get(re.sub(r"[\W_]+", "", said)):
            return Match(len(said), found, found)
    return None


@cache
def _deed_words() -> Names:
    found: dict[str, str] = {}
    for deed, said in DEEDS.items():
        for words in said:
            for length in range(min(3, len(words)), len(words) + 1):
                if words[length - 1] != " ":
                    found.setdefault(words[:length], deed)
    return Names({**found, **{words: deed for deed, said in DEEDS.items() for words in said}})


def _deed(text: str) -> Match | None:
    longest = _deed_words().longest(text)
    return Match(len(longest), _deed_words()[longest], longest) if longest else None


def _joining(text: str) -> Match | None:
    word = next((it for it in _JOINING if starts(text, it)), "")
    return Match(len(word), word, word) if word else None


# -- meaning -------------------------------------------------------------------------------------------------------


class _Meaning:
    """What a line has, and the orders that it may be."""

    def __init__(self, s: State, tokens: list[Token], power: str) -> None:
        self.s, self.tokens = s, tokens
        self.deeds = [it.value for it in tokens if it.kind == "deed"]
        self.powers = [it.value for it in tokens if it.kind == "power"]
        self.units = [str(it.value) for it in tokens if it.kind == "units"]
        self.countries = [it.value for it in tokens if it.kind == "country"]
        self.places = [it for it in tokens if it.kind == "place"]
        self.numbers = [it for it in tokens if it.kind == "number"]
        self.tracks = [it.value for it in tokens if it.kind == "track"]
        self.words = " ".join(it.text.strip("\"'") for it in tokens if it.kind in ("word", "text"))
        self.strange = [it.text for it in tokens if it.kind == "word"]
        self.quoted = [it.text.strip("\"'") for it in tokens if it.kind == "text"]
        self.chosen = power
        #: Whether a rule outside these documents may be named for what is read.
        self.excusable = False

    @property
    def by_rule(self) -> dict[str, str]:
        """What stands in quotes behind a report: the rule outside these documents that allows it."""
        return {"by_rule": self.quoted[0]} if len(self.quoted) == 1 and self.excusable else {}

    def orders(self) -> list[Order]:
        readers: tuple[Callable[[], list[Order]], ...] = (
            *(self._track, self._spend, self._amount, self._grant, self._war, self._peace, self._surrender),
            *(self._units, self._taken, self._standing, self._result),
        )
        for reader in readers:
            if found := reader():
                return found
        return []

    def _one_power(self, such_as: str) -> str:
        if len(self.powers) > 1:
            raise Asked(f"{' or '.join(map(called, self.powers))}? One power is meant here", such_as)
        if not self.powers and not self.chosen:
            self._plain()
            raise Asked("which power?", such_as)
        return self.powers[0] if self.powers else self.chosen

    def _plain(self) -> None:
        """Every word must mean something here."""
        if self.quoted and not self.by_rule:
            raise Asked(f"'{self.quoted[0]}' is not understood here: nothing is quoted")
        if self.strange:
            raise Asked(f"'{self.strange[0]}' is not understood", *_like(self.strange[0]))

    def _only(self, **most: int) -> None:
        """Nothing else stands in the line than what the order takes."""
        self._plain()
        held = {"units": self.units, "countries": self.countries, "places": self.places, "numbers": self.numbers}
        for name, things in {**held, "powers": self.powers, "tracks": self.tracks}.items():
            if len(things) > most.get(name, 0):
                raise Asked(
                    f"there are more {name} in it than this can mean: {' '.join(it.text for it in self.tokens)}"
                )

    def _number(self, such_as: str) -> int:
        if len(self.numbers) != 1:
            raise Asked("how many? One number is meant here", such_as)
        return int(self.numbers[0].value)

    def _track(self) -> list[Order]:
        if not self.tracks:
            return []
        self._only(tracks=1, numbers=1)
        track, number = self.tracks[0], self._number(f"{self.tracks[0]} 2")
        changed = self.numbers[0].text[0] in "+-"
        return [{"do": "report_track", "track": track, "level": self.s.tracks.get(track, 0) * changed + number}]

    def _grant(self) -> list[Order]:
        if "grant" not in self.deeds:
            return []
        such_as = "grant germany italy 6 land"
        if len(self.powers) != 2:
            raise Asked("who grants to whom?", such_as)
        order = {"do": "grant", "power": self.powers[0], "to": self.powers[1], "brp": self._number(such_as)}
        ways = read_order(f"grant {self.words}") if self.words else None
        if ways is not None and ways.unread:
            raise Asked(f"'{ways.unread[0].text}' is no way that is known: {ways.unread[0].hint}", such_as)
        return [{**order, **(ways.given if ways else {})}]

    def _war(self) -> list[Order]:
        if "war" not in self.deeds:
            return []
        such_as = "italy dow greece"
        named = [it.value for it in self.tokens if it.kind in ("power", "country")]
        if len(named) == 1 and self.chosen:
            named = [self.chosen, *named]
        if len(named) < 2 or named[0] not in powers():
            raise Asked("who declares war on whom?", such_as)
        self._only(powers=8, countries=20)
        power, *on = named
        reported = {"do": "report_war", "between": [power, on[0]]}
        return [{"do": "declare_war", "power": power, "on": on}, *([reported] if len(on) == 1 else [])]

    def _peace(self) -> list[Order]:
        if "peace" not in self.deeds:
            return []
        named = [it.value for it in self.tokens if it.kind in ("power", "country")]
        if len(named) != 2:
            raise Asked("peace between whom?", "italy france peace")
        self.excusable = True
        self._only(powers=2, countries=2)
        return [{"do": "report_peace", "between": named, **self.by_rule}]

    def _surrender(self) -> list[Order]:
        if "surrender" not in self.deeds:
            return []
        self._only(powers=1)
        return [{"do": "report_surrender", "power": self._one_power("france surrenders")}]

    def _units(self) -> list[Order]:
        if not self.units:
            if {"build", "loss", "mobilize", "produce"} & {*self.deeds} and not self.numbers:
                raise Asked("which units? Write a number and a unit", "germany builds 2 inf 3-3")
            return []
        such_as = f"germany {' '.join(self.units[:1])}"
        deed = next((it for it in self.deeds if it in ("build", "loss", "mobilize", "produce")), "")
        if deed == "loss":
            return self._lost(such_as)
        if self.countries and not self.powers and deed in ("", "build"):
            return [self._rebuilt()]
        power = self._one_power(such_as)
        if deed in LONGER or "defer" in self.deeds:
            return [self._longer(LONGER.get(deed, "mobilize"), power)]
        self._only(powers=1, units=20)
        built: Order = {"do": "build_by_count", "power": power, "units": self.units}
        mobilized: Order = {"do": "mobilize", "power": power, "units": self.units}
        building = deed == "build" or self.s.place.step.name == "unit construction"
        return [built] if building else [mobilized, built]

    def _rebuilt(self) -> Order:
        """`hungary builds inf 1-3`: a unit of a minor country, by the power that leads it."""
        self._only(countries=1, units=1)
        country, unit = self.countries[0], parse_count(self.units[0])[0]
        leader = patron(self.s, country) or self.chosen
        if not leader:
            raise Asked(f"nobody leads {called(country)} now", "hungary builds inf 1-3")
        return {"do": "rebuild_by_count", "power": leader, "country": country, "unit": unit}

    def _longer(self, command: str, power: str) -> Order:
        """An order with fields of its own, which are named: `usa mobilizes 3 inf 3-4 theater europe shipbuilding 1`."""
        said = ["defer" if it.value == "defer" else it.text for it in self.tokens if it.kind not in ("units", "power")]
        rest = " ".join(it for it in said if _deed_words().get(it.lower()) not in LONGER)
        try:
            return as_given(f"{command} {power} {', '.join(self.units)} {rest}")
        except WarCabinetError as error:
            raise Asked(str(error), "japan mobilizes 3 aaf, 6 nas defer 5") from None

    def _lost(self, such_as: str) -> list[Order]:
        """`france lost 2 inf 2-3 to germany`: the first is who had them, the second who eliminated them."""
        self._only(powers=2, units=20)
        power = self.powers[0] if self.powers else self._one_power(such_as)
        by = {"eliminated_by": self.powers[1]} if len(self.powers) > 1 else {}
        gone = {"for_good": True} if "for good" in self.deeds else {}
        return [{"do": "report_loss_by_count", "power": power, "units": self.units, **by, **gone}]

    def _spend(self) -> list[Order]:
        on = next((it for it in self.deeds if it in SPENT), "")
        if not on or (self.units and not self.numbers):
            return []
        such_as = "germany 45 construction"
        brp = self._number(such_as)
        if brp <= 0:
            raise Asked(f"{brp} BRPs cannot be spent", such_as)
        power, told = self._payer(such_as, on)
        return [{"do": "spend", "power": power, "brp": brp, "on": on, **({"note": told} if told else {})}]

    def _amount(self) -> list[Order]:
        """`britain -2 submarines`: BRPs that came or went by something that is decided elsewhere."""
        if not (self.numbers and self.numbers[0].text[0] in "+-" and self.powers):
            return []
        such_as = "britain -2 submarine warfare"
        brp = self._number(such_as)
        power, told = self._payer(such_as, "")
        if not told:
            raise Asked("by what? Write the cause behind it", such_as)
        cause = next((it for it in CAUSES if it.startswith(told.lower().split()[0].rstrip("s"))), "other")
        noted = {} if told.lower() == cause else {"note": told}
        return [{"do": "report_brp", "power": power, "brp": brp, "cause": cause, **noted}]

    def _payer(self, such_as: str, deed: str) -> tuple[str, str]:
        """Whose BRPs they are, and the words for the log alone: another power behind the deed is one of them."""
        mark = next(i for i, it in enumerate(self.tokens) if it.kind == "number" or it.value == deed)
        before = [it for it in self.tokens[: mark + 1] if it.kind == "power"]
        power = before[0].value if len(before) == 1 else self._one_power(such_as)
        payer = next((it for it in self.tokens if it.value == power), None)
        told = [it for it in self.tokens if it is not payer and it.kind != "number" and it.value != deed]
        if strange := [it.text for it in self.tokens[:mark] if it.kind == "word"]:
            raise Asked(f"'{strange[0]}' is not understood", *_like(strange[0]))
        return power, " ".join(it.text.strip("\"'") for it in told)

    def _taken(self) -> list[Order]:
        """`warsaw german`, `germany takes warsaw, lodz`, `poland german`: a country stands for what decides it."""
        status = [it for it in self.deeds if it in get_args(StatusName)]
        if not (self.places or self.countries) or status or self.numbers or not (self.powers or self.chosen):
            return []
        such_as = "warsaw german"
        self.excusable = True
        self._only(powers=1, countries=20, places=40)
        keys = [key for it in self.countries for key in _of_country(it)]
        named = [str(it.value) for it in self.places]
        return [{"do": "report_control", "places": [*named, *keys], "by": self._one_power(such_as), **self.by_rule}]

    def _standing(self) -> list[Order]:
        status = next((it for it in self.deeds if it in get_args(StatusName)), "")
        if not status or not self.countries:
            return []
        such_as = "hungary associated germany"
        self.excusable = True
        self._only(powers=1, countries=1, numbers=1)
        by = {"power": self._one_power(such_as)} if self.powers else {}
        a_year = {"brp": self._number(such_as)} if self.numbers else {}
        return [{"do": "report_status", "country": self.countries[0], "status": status, **by, **a_year, **self.by_rule}]

    def _result(self) -> list[Order]:
        """`hungary 10`: a diplomatic result."""
        if not (self.countries and self.numbers) or self.powers or self.units:
            return []
        self._only(countries=1, numbers=1)
        return [{"do": "report_result", "country": self.countries[0], "result": self._number("hungary 10")}]


def _of_country(country: str) -> tuple[str, ...]:
    """The places whose holder decides who has a country: those of its area, else its capital."""
    if country in areas() and (found := deciding_places(country)):
        return found
    seat = capital(country) if country in countries() else ""
    if not seat:
        raise Asked(f"which place of {called(country)}?", "lodz german")
    return (seat,)


# -- time ----------------------------------------------------------------------------------------------------------


def moment_meant(s: State, said: str) -> str:
    """The next moment that these words can mean: a phase, a player turn, a season, a date; its whole name."""
    try:
        return calendar.moment_name(calendar.parse_moment(said.title().replace(" Of ", " of "), s.moment))
    except WarCabinetError:
        pass
    plain = said.removeprefix("the ").removesuffix(" phase")
    for turn in range(s.turn, s.turn + 5):
        for step, place in enumerate(calendar.steps()):
            moment = calendar.moment(turn, step)
            if moment <= s.moment or (place.part == "year start" and calendar.season(turn) != calendar.SPRING):
                continue
            season = calendar.turn_name(turn).lower()
            names = (place.part, place.step.name, season)
            if any(name.startswith(plain) for name in names) or plain in place.step.name.split():
                return calendar.moment_name(moment)
    phases = [it.step.name for it in calendar.steps() if it.part == s.place.part]
    near = difflib.get_close_matches(said, phases, n=2, cutoff=0.5) or ["combat", "unit construction"]
    raise Asked(f"'{said}' is no moment that is known", *(f"to {it}" for it in near))
