"""The form of a plan: a YAML file, read as strictly as a case and checked before anything is played.

Orders and expected reports are commands as everywhere, with `when` or `each` for their moment, `if` and `while` for
their condition, and the names of uncertain things in braces where a field depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import as_command
from warcabinet.house.form import check_names
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.tables import Document, read_text, split_path
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, old_names
from warcabinet.model.commands.base import Command
from warcabinet.model.keys import Unit
from warcabinet.model.names import DATA, power_named, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import check_units
from warcabinet.plans.chances import Outcome, Uncertain
from warcabinet.plans.choices import (
    Choice,
    Decisions,
    Taken,
    as_it_stands,
    as_turned_out,
    is_never,
    settled,
    size_of,
)
from warcabinet.plans.conditions import Condition, Draw, Term, claims_in, condition, figure
from warcabinet.plans.timing import due, span
from warcabinet.plans.wording import holds_against, question_in_words

#: A plan larger than this was not written by hand.
LARGEST = 1_000_000
#: The same of its values, however often they are named again, of its parts, and of the claims of all its conditions.
MOST_VALUES = 20_000
MOST = {"uncertain": 200, "orders": 1_000, "ask": 200, "choose": 40, "want": 6, "never": 40}
MOST_CLAIMS = 2_000
#: Ways of open decisions that are looked over one by one: the ends of ranges, and each of a list.
MOST_EDGES = 120
TIMING = ("when", "each", "from", "until", "in")
RESERVED = (*TIMING, "if", "while", "name", "note", "dice")
_BRACES = re.compile(r"\{([^{}]+)\}")


class Wrong(DataError):
    """Something of a plan that is wrong: where it stands, and what is told of it."""

    def __init__(self, document: Document, path: tuple[str | int, ...], told: str) -> None:
        self.path, self.line, self.told = path, document.line(path), told
        super().__init__(f"{document.name}, line {self.line}: {told}")


class Aid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """BRPs that a power grants whenever a road carries them: to whom, by which road, how many a turn at most."""

    to: str
    by: str
    most: int = 1000
    through: str = ""
    port: str = ""


class Keep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Preferences for a power, instead of orders: what it mobilizes and builds first, where, what it saves and grants.

    `leave` is what construction leaves over in a winter turn, for growth, or that of each year by itself; `reserve` in
    every turn.
    """

    mobilize: tuple[Unit, ...] = ()
    shipbuilding: bool = False
    build: tuple[Unit, ...] = ()
    build_at: tuple[str, ...] = ()
    leave: int | dict[int, int] = 0
    reserve: int = 0
    aid: tuple[Aid, ...] = ()
    #: What is not named here is not done: no other unit is built, and a mobilization without `mobilize` waits.
    nothing_else: bool = False
    note: str = ""

    def left_over(self, s: State) -> int:
        """What construction leaves over in this turn: `leave` in a winter, by its year where years are named."""
        if s.season != calendar.WINTER:
            return self.reserve
        left = self.leave if isinstance(self.leave, int) else self.leave.get(s.year, 0)
        return max(left, self.reserve)


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holds": "is", "claim": "if"}):
    """Something that is asked of every future: a figure at a moment, if it is so much, or whether a claim holds."""

    question: str
    at: str | int
    figure: str = ""
    holds: str = ""
    claim: str = ""


class Want(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is wanted of a plan that leaves decisions open: a figure as high or as low as can be, or a chance.

    Several moments are added up.
    """

    at: str | int | tuple[str | int, ...]
    most: str = ""
    least: str = ""
    chance: str = ""
    name: str = ""


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan as it is written."""

    plan: str
    notes: str = ""
    scenario: str = "classic-1939"
    options: dict[str, Any] = {}
    readings: dict[str, str] = {}
    until: str | int = "Winter 1942"
    uncertain: dict[str, Uncertain] = {}
    orders: tuple[dict[str, Any], ...] = ()
    keep: dict[str, Keep] = {}
    ask: tuple[Question, ...] = ()
    #: Decisions that are left open, what is wanted of them, and what must not happen.
    choose: dict[str, Choice] = {}
    want: tuple[Want, ...] = ()
    never: tuple[str, ...] = ()
    others: Literal["stewards", "nobody"] = "stewards"


class Order(msgspec.Struct, frozen=True):
    """An order of a plan, ready to be asked: is it due, and what command is it in this future?"""

    number: int
    line: int
    label: str
    steps: frozenset[int]
    due: Callable[[State], bool]
    condition: Condition
    given: dict[str, Any]
    dice: tuple[int, ...] | None
    note: str
    #: Its turn, where it has one, and the uncertain things that it hangs on.
    turn: int | None
    hangs_on: frozenset[str]

    def command(self, s: State, draw: Draw) -> Command | None:
        """The command with what has turned out in it; none where nothing of it is left."""
        filled = {key: _filled(value, s, draw) for key, value in self.given.items()}
        for key, value in self.given.items():
            if isinstance(value, list) and value and not filled[key]:
                return None
        return as_command(filled)


class Asked(msgspec.Struct, frozen=True):
    """A question, ready to be put to a future that has reached its moment."""

    question: str
    moment: int
    read: Callable[[State], int]
    claim: bool
    holds: Callable[[int], bool] | None
    words: str


class Goal(msgspec.Struct, frozen=True):
    """Something that is wanted, ready to be read where futures reach its moments: more is better if `sign` is 1."""

    label: str
    sign: int
    claim: bool
    moments: tuple[int, ...]
    read: Callable[[State], int]


class Gist(msgspec.Struct, frozen=True):
    """What a plan that was found sound holds: enough for whoever keeps it, or has it run elsewhere."""

    title: str
    until: str
    #: The moment at which it ends.
    end: int
    orders: int
    uncertain: tuple[str, ...]
    questions: tuple[str, ...]
    #: Decisions that are left open, and in how many ways they can be taken.
    choices: tuple[str, ...] = ()
    ways: int = 1
    goals: tuple[str, ...] = ()


class Program(msgspec.Struct, frozen=True):
    """A plan that has been read and found sound."""

    plan: Plan
    text: str
    orders: tuple[Order, ...]
    questions: tuple[Asked, ...]
    until: int
    goals: tuple[Goal, ...] = ()
    nevers: tuple[tuple[str, Callable[[State], bool]], ...] = ()
    #: How the decisions were taken that the plan leaves open.
    taken: dict[str, Taken] = {}

    def gist(self) -> Gist:
        plan = self.plan
        asked = tuple(it.question for it in self.questions)
        uncertain = tuple(it for it in plan.uncertain if it not in plan.choose)
        ways = size_of(plan.choose)
        goals = tuple(it.label for it in self.goals)
        orders = len(self.orders)
        return Gist(plan.plan, str(plan.until), self.until, orders, uncertain, asked, tuple(plan.choose), ways, goals)

    def position(self) -> Position:
        return Position(self.plan.scenario, options=self.plan.options, readings=self.plan.readings)

    def start(self) -> State:
        return set_up(self.position())[0]


def read_plan(path: Path | str) -> Program:
    """A plan from a file, or one that ships, by its name."""
    source = _file(path)
    try:
        if source.stat().st_size > LARGEST:
            raise DataError(f"{source.name} has {source.stat().st_size:,} bytes; a plan has at most {LARGEST:,}")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None
    return plan_of(source.name, read_text(source))


def shipped() -> list[str]:
    """The plans that ship, by name."""
    return sorted(it.name.removesuffix(".yaml") for it in (DATA / "plans").iterdir() if it.name.endswith(".yaml"))


def _file(path: Path | str) -> Path:
    named = DATA / "plans" / f"{path}.yaml"
    if not Path(path).is_file() and str(path) in shipped():
        return Path(str(named))
    if not Path(path).exists():
        raise DataError(f"no plan {path}: neither a file nor one that ships ({', '.join(shipped())})")
    return Path(path)


def plan_of(name: str, text: str, taken: Decisions | None = None) -> Program:
    """A plan from its text, with its open decisions taken; whatever is wrong with it is said with its line.

    Without decisions it is the plan as it stands, and the other ways of each decision are looked over as well.
    """
    in_bounds(name, text)
    document = Document(name, text, MOST_VALUES)
    if not isinstance(document.data, dict) or "plan" not in document.data:
        raise DataError(f"{name}, line 1: a plan begins with its title: `plan: Germany grows first`")
    _few(document)
    _entries(document, ("uncertain", Uncertain), ("choose", Choice))
    choices = _choices(document)
    stands = as_it_stands(choices)
    if taken is None:
        if sum(len(it.edges()) for it in choices.values()) > MOST_EDGES:
            raise Wrong(document, ("choose",), f"too much is open at once: name at most {MOST_EDGES} ways in its lists")
        for choice, it in choices.items():
            for way in it.edges():
                _read(document, choices, {**stands, choice: way}, text)
    return _read(document, choices, {**stands, **(taken or {})}, text)


def in_bounds(name: str, text: str) -> None:
    """Refuse a text that is larger than anybody writes."""
    if len(text) > LARGEST:
        raise DataError(f"{name} has {len(text):,} letters; a plan has at most {LARGEST:,}")


def _choices(document: Document) -> dict[str, Choice]:
    given = document.data.get("choose") or {}
    if not isinstance(given, dict):
        raise DataError(f"{document.name}, line {document.line(('choose',))}: choose: each decision by its name")
    found = {str(name): msgspec.convert(it, Choice) for name, it in given.items()}
    for name, choice in found.items():
        try:
            if name in (document.data.get("uncertain") or {}):
                raise WarCabinetError("it is uncertain already: a decision has a name of its own")
            choice.check()
        except WarCabinetError as error:
            raise DataError(f"{document.name}, line {document.line(('choose', name))}: {name}: {error}") from None
    return found


def _read(document: Document, choices: Mapping[str, Choice], taken: dict[str, Taken], text: str) -> Program:
    """The plan with its decisions taken; a condition asks for one as for something that turned out."""
    whole = document.data
    settled_parts = {key: value if key == "choose" else settled(value, taken) for key, value in whole.items()}
    certain = as_turned_out(choices, taken)
    if certain:
        settled_parts["uncertain"] = {**(whole.get("uncertain") or {}), **certain}
    try:
        document.data = settled_parts
        _known(document, choices)
        _entries(document, ("keep", Keep))
        plan = document.convert(Plan)
    except DataError as error:
        raise DataError(plainly(str(error))) from None
    finally:
        document.data = whole
    return Reader(document, plan, text).program(taken)


def _few(document: Document) -> None:
    """Refuse more parts than anybody writes, before any of them is looked at."""
    for section, most in MOST.items():
        given = document.data.get(section)
        if isinstance(given, dict | list) and len(given) > most:
            line = document.line((section,))
            raise DataError(f"{document.name}, line {line}: {section}: {len(given):,} of them; at most {most:,}")


def _known(document: Document, choices: Mapping[str, Choice]) -> None:
    """Refuse preferences that wait for a decision which is not open."""
    keeps = document.data.get("keep")
    for power, keep in keeps.items() if isinstance(keeps, dict) else ():
        for name in _named(keep):
            line = document.line(("keep", str(power)))
            raise DataError(f"{document.name}, line {line}: {power}: {unknown('decision', name, choices)}")


def _entries(document: Document, *kinds: tuple[str, type]) -> None:
    """Refuse what is no uncertain thing or no preferences by its own line: the whole could not say which it is."""
    for section, kind in kinds:
        given = document.data.get(section)
        for name, value in given.items() if isinstance(given, dict) else ():
            try:
                msgspec.convert(value, kind)
            except msgspec.ValidationError as error:
                path, told = split_path(str(error))
                line = document.line((section, str(name), *path))
                raise DataError(f"{document.name}, line {line}: {name}: {plainly(told)}") from None


def plainly(told: str) -> str:
    """What was expected, in words of whoever writes a plan."""
    words = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "null": "nothing"}
    words |= {"array": "a list", "object": "keys with values"}
    told = re.sub(r"Expected `([^`]*)`", lambda it: f"wanted {_either(it[1], words)}", told)
    return re.sub(r"got `([^`]*)`", lambda it: f"not {_either(it[1], words)}", told)


def _either(names: str, words: Mapping[str, str]) -> str:
    given = [it.strip() for it in names.split("|")]
    return " or ".join(words.get(it, it) for it in given if it != "null" or len(given) == 1)


class Reader:
    """Checks the parts of a plan, and says of each fault on which line it stands."""

    def __init__(self, document: Document, plan: Plan, text: str) -> None:
        self.document, self.plan, self.text = document, plan, text
        self.claims = 0
        self.names = {it: re.compile(rf"(?<!\w){re.escape(it)}(?!\w)") for it in plan.uncertain}

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        try:
            yield
        except Wrong:
            raise
        except WarCabinetError as error:
            raise Wrong(self.document, path, str(error)) from None

    def program(self, taken: dict[str, Taken]) -> Program:
        plan = self.plan
        self.begin()
        for name in plan.uncertain:
            self.uncertain(name)
        for power in plan.keep:
            self.keep(power)
        orders = tuple(self.order(index, it) for index, it in enumerate(plan.orders) if not is_never(it))
        questions = tuple(self.question(index, it) for index, it in enumerate(plan.ask))
        goals = tuple(self.goal(index, it) for index, it in enumerate(plan.want))
        nevers = tuple(self.never(index, it) for index, it in enumerate(plan.never))
        until = min(self.span.end, calendar.last_moment())
        return Program(plan, self.text, orders, questions, until, goals, nevers, taken)

    def begin(self) -> None:
        """Where the plan starts and ends: everything else lies between."""
        plan = self.plan
        with self.at("scenario"):
            start = set_up(Position(plan.scenario, options=plan.options, readings=plan.readings))[0]
        with self.at("until"):
            self.span = span(start.moment, str(plan.until))

    def uncertain(self, name: str) -> None:
        with self.at("choose" if name in self.plan.choose else "uncertain", name):
            if re.search(r"\b(and|or|not|is)\b|[(){}<>=]", name):
                raise WarCabinetError(f"'{name}' could not be asked for: a name has no and, or, not, is or signs")
            self.plan.uncertain[name].check()

    def keep(self, power: str) -> None:
        with self.at("keep", power):
            power_named(power)
            if power not in powers():
                raise unknown("power", power, powers())
            check_keep(self.plan.keep[power])

    def order(self, index: int, given: dict[str, Any]) -> Order:
        line = self.document.line(("orders", index))
        with self.at("orders", index):
            name = old_names().get(str(given.get("do")), given.get("do"))
            if name not in command_types():
                raise unknown("command", given.get("do"), command_types())
            fields = fields_of(given)
            self._would_be(fields)
            steps, is_due, turn = due(given, self.span)
            faces = _faces(given.get("dice"))
            conditions = [self._condition(str(given[it])) for it in ("if", "while") if it in given]
            label = str(given.get("name") or _in_few_words(given))
        return Order(
            index,
            line,
            label,
            steps,
            is_due,
            lambda s, draw: all(it(s, draw) for it in conditions),
            fields,
            faces,
            str(given.get("note", "")),
            turn,
            frozenset(self._hangs_on(given)),
        )

    def _hangs_on(self, given: dict[str, Any]) -> Iterator[str]:
        """The uncertain things that a condition or a field of an order names."""
        yield from _named(fields_of(given))
        said = " ".join(str(given[it]) for it in ("if", "while") if it in given)
        yield from (it for it, named in self.names.items() if it in said and named.search(said))

    def _condition(self, text: str, of_the_game: bool = False) -> Condition:
        """A condition, as long as the plan has not made more claims than anybody writes."""
        self.claims += claims_in(text)
        if self.claims > MOST_CLAIMS:
            raise WarCabinetError(f"the conditions of a plan make at most {MOST_CLAIMS:,} claims; here are more")
        return condition(text, {} if of_the_game else self.plan.uncertain)

    def _would_be(self, fields: dict[str, Any]) -> None:
        """Refuse a command that could not be one, whatever turns out: its fields and the names in them."""
        uncertain = self.plan.uncertain

        def first(s: State, name: str) -> Outcome:
            return max((it for it, _ in uncertain[name].odds()), key=str)

        for name in _named(fields):
            if name not in uncertain:
                raise unknown("uncertain thing", name, uncertain)
        filled = {key: _filled(value, None, first) for key, value in fields.items()}
        made = as_command(filled)
        known = {key: value for key, value in msgspec.to_builtins(made).items() if key in filled and key != "do"}
        check_names(type(made), known)

    def question(self, index: int, asked: Question) -> Asked:
        with self.at("ask", index):
            moment = self.span.moment(str(asked.at))
            if bool(asked.figure) == bool(asked.claim):
                raise WarCabinetError("a question asks for a `figure`, or `if` something holds")
            test = holds_against(asked.holds) if asked.holds else None
            words = question_in_words(asked.figure, asked.holds, asked.claim, moment)
            if asked.claim:
                holds = self._condition(asked.claim, of_the_game=True)
                return Asked(asked.question, moment, lambda s: int(holds(s, _nothing_drawn)), True, None, words)
            return Asked(asked.question, moment, _as_number(figure(asked.figure)), False, test, words)

    def goal(self, index: int, want: Want) -> Goal:
        with self.at("want", index):
            given = [it for it in (want.most, want.least, want.chance) if it]
            if len(given) != 1:
                raise WarCabinetError("what is wanted is `most` or `least` of a figure, or the `chance` of a claim")
            given_at = want.at if isinstance(want.at, tuple) else (want.at,)
            moments = tuple(self.span.moment(str(it)) for it in given_at)
            if not moments:
                raise WarCabinetError("`at` is a moment, or a list of them that are added up")
            if want.chance:
                holds = self._condition(want.chance, of_the_game=True)
                told_so = want.name or question_in_words("", "", want.chance, moments[-1])
                return Goal(told_so, 1, True, moments, lambda s: int(holds(s, _nothing_drawn)))
            several = f", {len(moments)} moments together" if len(moments) > 1 else ""
            told_so = want.name or f"{question_in_words(given[0], '', '', moments[-1])}{several}"
            return Goal(told_so, 1 if want.most else -1, False, moments, _as_number(figure(given[0])))

    def never(self, index: int, claim: str) -> tuple[str, Callable[[State], bool]]:
        with self.at("never", index):
            holds = self._condition(claim, of_the_game=True)
            return claim, lambda s: holds(s, _nothing_drawn)


def check_keep(keep: Keep) -> None:
    """Refuse preferences that name what is not there."""
    for unit in (*keep.mobilize, *keep.build):
        check_units(unit)
    for place in keep.build_at:
        place_key(place)
    for aid in keep.aid:
        if aid.to not in powers():
            raise unknown("power", aid.to, powers())
        ways = {key: value for key, value in (("through", aid.through), ("port", aid.port)) if value}
        as_command({"do": "grant", "power": next(iter(powers())), "to": aid.to, "by": aid.by, "brp": 1, **ways})
    left = (keep.leave,) if isinstance(keep.leave, int) else tuple(keep.leave.values())
    if min((*left, keep.reserve)) < 0:
        raise WarCabinetError("what is left over is no less than 0")


def _faces(given: Any) -> tuple[int, ...] | None:
    """Dice that an order gives, so that they are not thrown."""
    if given is None:
        return None
    if not isinstance(given, list) or not all(isinstance(it, int) and 1 <= it <= 6 for it in given):
        raise WarCabinetError("`dice` are faces of one to six, such as [3, 4]")
    return tuple(given)


def _nothing_drawn(s: State, name: str) -> Outcome:
    raise WarCabinetError(f"a question asks of the game, not of what is uncertain: {name}")


def _as_number(read: Term) -> Callable[[State], int]:
    def number(s: State) -> int:
        found = read(s)
        if not isinstance(found, int):
            raise WarCabinetError(f"a question asks for a number, not {found!r}; use `if` for a claim")
        return int(found)

    return number


# -- what turns out, in fields ----------------------------------------------------------------------------------------


def _filled(value: Any, s: Any, draw: Draw) -> Any:
    """A field with the outcomes of what stands in braces; of lists, what comes to nothing is left out."""
    if isinstance(value, list):
        filled = [_filled(it, s, draw) for it in value]
        return [it for it in filled if not (isinstance(it, str) and it.startswith("0 "))]
    if not isinstance(value, str):
        return value
    if whole := _BRACES.fullmatch(value):
        return draw(s, whole[1])
    return _BRACES.sub(lambda found: str(draw(s, found[1])), value)


def filled_with(given: Mapping[str, Any], said: Callable[[str], str]) -> dict[str, Any]:
    """The fields in which uncertain things stand, with something said in place of each."""
    return {key: _filled(it, None, lambda _, name: said(name)) for key, it in given.items() if list(_named(it))}


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for it in value:
            yield from _named(it)
    elif isinstance(value, str):
        yield from _BRACES.findall(value)


def fields_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What an order of a plan gives its command: at one moment `from` is the place from which units move."""
    return {key: it for key, it in given.items() if key not in RESERVED or (key == "from" and "when" in given)}


def _in_few_words(given: Mapping[str, Any]) -> str:
    """An order in a few words, for whoever reads where a plan breaks."""
    told = (value for key, value in fields_of(given).items() if key != "do")
    rest = (", ".join(map(str, it)) if isinstance(it, list) else str(it) for it in told)
    return f"{str(given['do']).replace('_', ' ')} {' '.join(rest)}"[:80]
