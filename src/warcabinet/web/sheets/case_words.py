"""A case as sentences: what is given, what is done, what must come of it. The same words for every chapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warcabinet.conformance.cases import STEP_KEYS, Case, asked_values, choices
from warcabinet.figures.changes import PLUS
from warcabinet.figures.position import Position, scenarios
from warcabinet.figures.table import ONE_OF
from warcabinet.game.engine import as_command
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.titles import rule_title
from warcabinet.views.words import name, signed
from warcabinet.web.orders.order_words import command_words, value_words


def given_words(given: Position) -> list[str]:
    """Where the case starts: the moment, then what is other than the scenario has it."""
    scene = scenarios()[given.scenario]
    where = "an empty board" if given.scenario == "empty" else scene.title.split(";")[0]
    turn = given.turn or scene.turn
    when = ", ".join(filter(None, (turn if turn not in where else "", given.player.capitalize(), given.phase)))
    told = [f"{where}: {when}" if when else where]
    told += [words for path, value in {**given.set, **given.earlier}.items() for words in figure_words(path, value)]
    told += [f"{name(it.nation)}: {it.count} {it.unit} at {name(it.at)}" for it in given.units]
    told += [f"{name(it.nation)} may build {it.count} {it.unit}" for it in given.pools]
    told += [f"due {it.due}: {it.clause} for {name(it.power)}" for it in given.agenda]
    told += [f"option {key.replace('_', ' ')}: {_plain(value)}" for key, value in given.options.items()]
    told += [f"{ruling} by reading {letter}" for ruling, letter in given.readings.items()]
    return told


_PLAIN = {
    "brp": "{0} has {1} BRPs",
    "base": "{0} has a base of {1}",
    "status": "{0} is {1}",
    "by": "{0}: by {1}",
}


def figure_words(path: str, value: Any) -> Iterator[str]:
    """A figure and its value as one would say it; figures that stand together are told one by one."""
    head, _, rest = path.removesuffix(PLUS).partition(".")
    if head == "countries" and isinstance(value, dict) and "status" in value and "." not in rest:
        by = f" by {name(str(value['by']))}" if value.get("by") else ""
        yield f"{name(rest)} is {value['status']}{by}"
    elif isinstance(value, dict) and ONE_OF not in value:
        for key, inner in value.items():
            yield from figure_words(f"{path}.{key}", inner)
    elif head in ("powers", "countries") and rest.rpartition(".")[2] in _PLAIN:
        who, _, what = rest.rpartition(".")
        yield _PLAIN[what].format(name(who), _plain(value))
    elif head == "control" and isinstance(value, list):
        yield f"{name(rest)} holds {_plain(value)}"
    elif head == "control":
        yield f"{name(rest)} is held by {_plain(value)}"
    elif head == "tracks":
        yield f"{name(rest)} stands at {_plain(value)}"
    elif head == "units" and isinstance(value, int):
        yield f"{', '.join(name(part) for part in rest.split('.'))}: {value} unit{'s' if value != 1 else ''}"
    elif head == "wars" and isinstance(value, list):
        for war in value:
            yield f"war between {' and '.join(map(name, war['between']))}" if isinstance(war, dict) else _plain(war)
    else:
        yield f"{', '.join(name(part) for part in path.split('.'))}: {_plain(value)}"


def _plain(value: Any) -> str:
    if isinstance(value, dict) and ONE_OF in value:
        return " or ".join(map(_plain, choices(value)))
    if isinstance(value, dict):
        return ", ".join(f"{name(str(key))} {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else value_words(value)


def step_words(step: dict[str, Any]) -> str:
    """What a step does, and what must come of it at once."""
    if "ask" in step:
        return f"{_asked(step['ask'])} is {_plain(step['expect'])}"
    then = "; ".join(then_words(step.get("then", {})))
    return _command(step) + (f": {then}" if then else "")


def _command(step: dict[str, Any]) -> str:
    said = {key: value for key, value in step.items() if key not in STEP_KEYS}
    if said.get("do") == "advance":
        return f"on to {said['to']}" if "to" in said else "on to the next step"
    try:
        return command_words(as_command(said))
    except WarCabinetError:
        return ", ".join(f"{key} {_plain(value)}" for key, value in said.items() if key != "do")


def _asked(asked: dict[str, Any]) -> str:
    def one(rule: str, args: Any) -> str:
        of = [args] if isinstance(args, str) else list(args or ())
        return f"{rule_title(rule).lower()}{' of ' if of else ''}{', '.join(_plain(arg) for arg in of)}"

    return ", ".join(one(rule, args) for rule, args in asked.items())


def then_words(then: dict[str, Any]) -> Iterator[str]:
    """What must have come of it."""
    for key, value in then.items():
        if key in _EXPECTED:
            yield from _EXPECTED[key](value)
        else:
            yield from figure_words(key, value)


def _refused(value: Any) -> Iterator[str]:
    how = "by " if isinstance(value, list) else "by at least " if "at least" in value else "by one of "
    clauses = value if isinstance(value, list) else next(iter(value.values()))
    yield f"refused {how}{', '.join(clauses)}" if clauses else "not refused"


def _ledger(lines: list[dict[str, Any]]) -> Iterator[str]:
    for it in lines:
        what = (
            f"{_signed(it['brp'])} BRPs" if "brp" in it else f"base {_signed(it['base'])}" if "base" in it else "BRPs"
        )
        by = f" by {_plain(it['clause'])}" if "clause" in it else ""
        yield f"{_plain(it['power'])} {what}{by}"


def _signed(amount: Any) -> str:
    return " or ".join(map(signed, choices(amount)))


def _due(lines: list[dict[str, Any]]) -> Iterator[str]:
    for it in lines:
        who = ", ".join(_plain(it[key]) for key in ("power", "about") if it.get(key))
        amount = f" {_signed(it['brp'])}" if it.get("brp") else ""
        what = _plain(it.get("clause", it.get("text", "")))
        yield f"falls due {_plain(it.get('due', ''))}: {what} {who}{amount}".replace(" :", ":")


def _closed(lines: list[dict[str, Any]]) -> Iterator[str]:
    for it in lines:
        yield f"no longer due: {' '.join(_plain(it.get(key, '')) for key in ('about', 'clause', 'outcome'))}".strip()


def _values(lines: list[dict[str, Any]]) -> Iterator[str]:
    for rule, args, value in asked_values(lines):
        yield f"{_asked({rule: args})} is {_plain(value)}"


def _owed(lines: list[dict[str, Any]]) -> Iterator[str]:
    for it in lines:
        who = f" by {_plain(it['power'])}" if "power" in it else ""
        about = f" for {_plain(it['country'])}" if "country" in it else ""
        what = " ".join(_plain(it.get(key, "")) for key in ("order", "clause"))
        yield f"owed before play goes on{who}{about}: {what}".rstrip(": ")
    if not lines:
        yield "nothing is owed before play goes on"


def _told(lines: list[dict[str, Any]]) -> Iterator[str]:
    for it in lines:
        by = f" by {_plain(it['clause'])}" if "clause" in it else ""
        yield f"it is told of {_plain(it['of'])}{by}"


_EXPECTED: dict[str, Any] = {
    "refused": _refused,
    "ledger": _ledger,
    "agenda": _due,
    "closed": _closed,
    "values": _values,
    "unchanged": lambda value: iter(("nothing changes",) if value else ("something changes",)),
    "owed": _owed,
    "told": _told,
    "events": lambda clauses: (f"something happens by {it}" for it in clauses),
    "never": lambda denied: (f"never: {words}" for words in then_words(denied)),
    "offer": lambda offer: (f"what is offered of {key.replace('_', ' ')}: {_plain(it)}" for key, it in offer.items()),
    "needs": lambda needs: iter((f"asked first: {_plain(needs)}",)),
}


def outcome_words(case: Case) -> list[str]:
    """What must stand at the end, whatever reading is played."""
    told = list(then_words(case.then))
    if case.ask:
        told.append(f"{_asked(case.ask)} is {_plain(case.expect)}")
    return told


def outcome_by_reading(case: Case) -> dict[str, list[str]]:
    return {letter: list(then_words(then)) for letter, then in case.then_by_reading.items()}
