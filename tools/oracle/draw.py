"""Commands drawn at random for a position: about half of them such as a table might give there.

It knows no engine. What there is (`World`) and how a position lies (`Lay`) is told by the side that leads.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Command = dict[str, Any]

#: What brings units to a place, or a place to a holder: the doors, drawn far more often than anything else, and the
#: first of them the most.
WIDE_DOORS = ("move", "deploy", "build", "rebuild", "report_move", "report_units", "report_control", "report_operation")
DOORS = (
    *WIDE_DOORS * 4, "displace", "displace_fleet", "build_partisan", "raise_indian_partisan", "use_canadian_shipyard",
    "repair", "grant", "declare_war", "report_production", "report_status", "report_conquest", "report_recovery",
    "report_vichy", "report_unrest", "report_increase", "report_lent", "report_war",
)  # fmt: skip
#: The part of commands that are doors; and of all, how they are made: a command of the same line of play with a field
#: or two changed, one of any case likewise, one made of units that stand there. What is left is drawn field by field.
DOOR_SHARE, OWN_SHARE, CASE_SHARE, STACK_SHARE = 0.75, 0.3, 0.25, 0.35
#: How often a field that may be left out is filled.
OPTIONAL_SHARE = 0.12
#: Only ever taken from cases: what they name cannot be drawn.
UNDRAWN = ("roll", "choose_reading", "rule", "release", "correct")
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
RULES_OUTSIDE = ("a pact", "a border war", "intervention")


@dataclass(frozen=True)
class Form:
    """A field of a command: what it holds, and whether it must be there."""

    name: str
    kind: str
    required: bool
    among: tuple[str, ...] = ()
    many: bool = False


@dataclass(frozen=True)
class World:
    """What there is, whatever the position: commands with their fields, names by their kind, places."""

    commands: Mapping[str, tuple[Form, ...]]
    names: Mapping[str, tuple[str, ...]]
    #: Every hex with the country that it is printed in (none at sea), and the boxes.
    hexes: Mapping[str, str]
    boxes: tuple[str, ...]
    #: Places that decide who holds an area: capitals, key cities.
    deciding: tuple[str, ...]
    #: Land beside another country's.
    borders: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        beside = (key for key, of in self.hexes.items() if of and any(self._abroad(of, it) for it in around(key)))
        object.__setattr__(self, "borders", tuple(beside))

    def _abroad(self, of: str, key: str) -> bool:
        return self.hexes.get(key, "") not in ("", of)


@dataclass(frozen=True)
class Pile:
    """Units of one kind that stand together, or wait unbuilt (then their place is empty)."""

    nation: str
    unit: str
    place: str
    count: int


@dataclass(frozen=True)
class Lay:
    """What of a position commands are drawn from."""

    piles: Sequence[Pile]
    pools: Sequence[Pile]
    #: Which power a country's units move with.
    patrons: Mapping[str, str]


def around(key: str) -> list[str]:
    """The keys of the six hexes about one, whether they are on the board or not; none about a box."""
    found = re.fullmatch(r"(\w+)/([A-Z])(\2?)(\d+)", key)
    if found is None:
        return []
    board, letter, twice, column = found.groups()
    row = ord(letter) - ord("A") + (26 if twice else 0)
    near = ((row + down, int(column) + right) for down, right in DIRECTIONS)
    return [f"{board}/{_letters(row)}{column}" for row, column in near if row >= 0 and column > 0]


def _letters(row: int) -> str:
    letter = chr(ord("A") + row % 26)
    return letter if row < 26 else letter * 2


class Drawing:
    """Draws commands of some kinds; `cases` are commands by their kind, to be taken and changed."""

    def __init__(self, world: World, cases: Mapping[str, Sequence[Command]], only: Sequence[str] = ()) -> None:
        known = [it for it in world.commands if not only or it in only]
        self.world, self.cases, self.only = world, cases, frozenset(known)
        self.doors = [it for it in DOORS if it in known]
        self.orders = [it for it in self.doors if not it.startswith("report_")]
        self.others = [it for it in known if it not in DOORS]
        self.said: dict[str, list[str]] = {}
        for name, value in (pair for kind in cases.values() for it in kind for pair in it.items()):
            if isinstance(value, str):
                self.said.setdefault(name, []).append(value)

    def commands(self, lay: Lay, own: Sequence[Command], dice: random.Random) -> Iterator[Command]:
        """Commands for a position, as many as are wanted: reports of one kind, or orders.

        `own` are the commands of its line of play.
        """
        mine = [it for it in own if it["do"] in self.only]
        if mine and dice.random() < OWN_SHARE:
            kind = dice.choice(mine)["do"]
            mine = [it for it in mine if it["do"] == kind]
            while True:
                yield self._changed(dice.choice(mine), lay, dice)
        kind = self._kind(dice)
        # Most orders are untimely in a position: among several kinds one may fit.
        kinds = [kind] if kind.startswith("report_") or kind not in DOORS else self.orders
        while True:
            yield self._of_kind(kind, lay, dice)
            kind = dice.choice(kinds)

    def _of_kind(self, kind: str, lay: Lay, dice: random.Random) -> Command:
        way = dice.random() * (1 - OWN_SHARE)
        if self.cases.get(kind) and (way < CASE_SHARE or kind in UNDRAWN):
            return self._changed(dice.choice(self.cases[kind]), lay, dice)
        pile = self._pile(kind, lay, dice) if way < CASE_SHARE + STACK_SHARE else None
        if pile is not None and self.cases.get(kind) and dice.random() < 0.5:
            return {**dice.choice(self.cases[kind]), **self._of_pile(kind, pile, lay, dice)}
        filled = self._of_pile(kind, pile, lay, dice) if pile is not None else {}
        return {"do": kind, **filled, **self._rest(kind, filled, lay, dice)}

    def _kind(self, dice: random.Random) -> str:
        doors = self.doors and (not self.others or dice.random() < DOOR_SHARE)
        return dice.choice(self.doors if doors else self.others)

    def _changed(self, command: Command, lay: Lay, dice: random.Random) -> Command:
        """A command with none, one or two of its fields drawn anew, or one added."""
        forms = self.world.commands.get(command["do"], ())
        given = [it for it in forms if it.name in command] or list(forms)
        changed = dict(command)
        for form in dice.sample(given, min(dice.choice((0, 1, 1, 1, 2)), len(given))):
            changed[form.name] = self._near_to(form, command.get(form.name), lay, dice)
        missing = [it for it in forms if it.name not in command]
        if missing and dice.random() < OPTIONAL_SHARE:
            form = dice.choice(missing)
            changed[form.name] = self._value(form, lay, dice)
        return changed

    def _near_to(self, form: Form, old: Any, lay: Lay, dice: random.Random) -> Any:
        """Another value: of a list often all but one, or one more; of places named by their keys one close by."""
        if form.many and isinstance(old, list) and old:
            more = self._one(form, lay, dice)
            return dice.choice(([it for it in old if it != old[0]] or [more], [*old, more], [more]))
        if form.kind.startswith("place") and isinstance(old, str) and dice.random() < 0.5:
            return self._walk(old, dice)
        if isinstance(old, int) and not isinstance(old, bool):
            return max(0, old + dice.choice((-2, -1, 1, 1, 2, 10)))
        return self._value(form, lay, dice)

    # -- of units that stand there --------------------------------------------------------------------------------

    def _pile(self, kind: str, lay: Lay, dice: random.Random) -> Pile | None:
        names = {it.name for it in self.world.commands[kind]}
        if not names & {"unit", "units", "nation", "by", "origin", "places"}:
            return None
        builds = kind in ("build", "rebuild", "deploy", "report_units", "use_canadian_shipyard")
        pool = lay.pools if builds and lay.pools and dice.random() < 0.6 else lay.piles
        return dice.choice(pool) if pool else None

    def _of_pile(self, kind: str, pile: Pile, lay: Lay, dice: random.Random) -> Command:
        """What a command of this kind says of some units: whose, how many, where and where to."""
        count = dice.randint(1, max(1, pile.count))
        at = pile.place or dice.choice(lay.piles).place if lay.piles else self._place(lay, dice)
        to = self._walk(at, dice) if dice.random() < 0.6 else self._place(lay, dice)
        power = pile.nation if pile.nation in self.world.names["power"] else lay.patrons.get(pile.nation, "")
        filled: Command = {}
        for form in self.world.commands[kind]:
            plain = form.kind.removesuffix(" or none")
            if plain == "nation" or (plain == "country" and pile.nation in self.world.names["country"]):
                filled[form.name] = pile.nation
            elif plain == "power" and power and form.name in ("power", "by"):
                filled[form.name] = power
            elif plain == "unit":
                filled[form.name] = pile.unit
            elif plain == "unit count" and form.name == "units":
                filled[form.name] = [f"{count} {pile.unit}"]
            elif plain in ("placement", "stack") and form.many and dice.random() < 0.8:
                filled[form.name] = [f"{count} {pile.unit} at {to}"]
            elif form.name in ("from", "origin"):
                filled[form.name] = at
            elif form.name == "to" and plain == "place":
                filled[form.name] = to
            elif form.name == "at" and plain == "place":
                filled[form.name] = dice.choice((at, to))
            elif form.name == "places":
                filled[form.name] = [dice.choice((at, to, to))]
            elif form.name == "count" and (form.required or dice.random() < 0.5):
                filled[form.name] = count
        return filled

    # -- field by field -------------------------------------------------------------------------------------------

    def _rest(self, kind: str, filled: Command, lay: Lay, dice: random.Random) -> Command:
        forms = (it for it in self.world.commands[kind] if it.name not in filled)
        wanted = [it for it in forms if it.required or dice.random() < OPTIONAL_SHARE]
        return {it.name: self._value(it, lay, dice) for it in wanted}

    def _value(self, form: Form, lay: Lay, dice: random.Random) -> Any:
        if form.many:
            many = 2 if form.name == "between" else dice.choice((1, 1, 1, 2))
            return [self._one(form, lay, dice) for _ in range(many)]
        return self._one(form, lay, dice)

    def _one(self, form: Form, lay: Lay, dice: random.Random) -> Any:
        plain = form.kind.removesuffix(" or none")
        if form.among:
            return dice.choice(form.among)
        if form.name == "by_rule":
            return dice.choice(RULES_OUTSIDE)
        draw = self._ways.get(plain)
        if draw is not None:
            return draw(self, lay, dice)
        if plain in self.world.names:
            return self._name(plain, lay, dice)
        return self._said_in_cases(form, dice)

    def _name(self, kind: str, lay: Lay, dice: random.Random) -> str:
        """A name, half the time one of somebody whose units stand here."""
        known = self.world.names[kind]
        here = dice.choice(lay.piles).nation if lay.piles else ""
        for name in (here, lay.patrons.get(here, "")):
            if name in known and dice.random() < 0.5:
                return name
        return dice.choice(known)

    def _said_in_cases(self, form: Form, dice: random.Random) -> str:
        """What some case says in a field of this name: texts and the like."""
        return dice.choice(self.said.get(form.name) or ("something",))

    def _place(self, lay: Lay, dice: random.Random) -> str:
        """A place: where units stand or close by, a capital, a border, a box, any hex."""
        way = dice.random()
        if way < 0.45 and lay.piles:
            at = dice.choice(lay.piles).place
            return at if way < 0.15 else self._walk(at, dice)
        if way < 0.65:
            return dice.choice(self.world.deciding)
        if way < 0.8:
            return dice.choice(self.world.borders)
        return dice.choice(self.world.boxes) if way < 0.88 else dice.choice(list(self.world.hexes))

    def _walk(self, key: str, dice: random.Random) -> str:
        """A place within a few hexes; from a box, any box or border."""
        at = key
        for _ in range(dice.choice((1, 1, 2, 3, 5))):
            near = [it for it in around(at) if it in self.world.hexes]
            if not near:
                break
            at = dice.choice(near)
        return at if at != key else dice.choice(dice.choice((self.world.boxes, self.world.borders)))

    def _unit(self, lay: Lay, dice: random.Random) -> str:
        piles = lay.pools if lay.pools and dice.random() < 0.3 else lay.piles
        return dice.choice(piles).unit if piles else dice.choice(("infantry 1-3", "armor 3-5", "army air", "destroyer"))

    def _units(self, lay: Lay, dice: random.Random) -> str:
        return f"{dice.choice((1, 1, 2, 3))} {self._unit(lay, dice)}"

    def _stack(self, lay: Lay, dice: random.Random) -> str:
        if lay.piles and dice.random() < 0.6:
            pile = dice.choice(lay.piles)
            return f"{dice.randint(1, max(1, pile.count))} {pile.unit} at {pile.place}"
        return f"{self._units(lay, dice)} at {self._place(lay, dice)}"

    _ways: Mapping[str, Callable[[Drawing, Lay, random.Random], Any]] = {
        "place": lambda self, lay, dice: self._place(lay, dice),
        "unit": lambda self, lay, dice: self._unit(lay, dice),
        "unit count": lambda self, lay, dice: self._units(lay, dice),
        "placement": lambda self, lay, dice: self._stack(lay, dice),
        "stack": lambda self, lay, dice: self._stack(lay, dice),
        "number": lambda self, lay, dice: dice.choice((0, 1, 1, 2, 3, 5, 8, 12)),
        "brp": lambda self, lay, dice: dice.choice((0, 1, 5, 10, 15, 30, 60)),
        "yes or no": lambda self, lay, dice: dice.random() < 0.5,
    }
