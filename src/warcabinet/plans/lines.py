"""Standing orders: plans of one line as a form makes them, and whole plans as far as they can be left to themselves."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, is_report, old_names
from warcabinet.model.commands.base import Command
from warcabinet.model.names import powers
from warcabinet.plans.editing import written_out
from warcabinet.plans.form import Aid, Order, plan_of
from warcabinet.plans.timing import LAST

#: More BRPs than a power ever has: who keeps them spends nothing.
ALL = 100_000


class OneLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a form says: what is built or mobilized, what is granted whenever a road carries it, or to pass until."""

    build: tuple[str, ...] = ()
    mobilize: tuple[str, ...] = ()
    aid: tuple[Aid, ...] = ()
    pass_until: str = ""


def with_line(text: str, power: str, line: OneLine) -> str:
    """The standing order of a power with a line put to it. What it says of other matters stays; to pass replaces it."""
    if line == OneLine():
        raise WarCabinetError("say what is built, mobilized or granted, or until when to pass")
    if line.pass_until:
        calendar.parse_turn(line.pass_until)
        return _written({"plan": f"Pass until {line.pass_until}", "until": line.pass_until}, power, {"reserve": ALL})
    plan: dict[str, Any] = Document("the standing order", text).data if text else {}
    keep = (plan.get("keep") or {}).get(power) or {}
    if not plan or keep.get("reserve") == ALL:
        # What a form does not name stays with the seat.
        plan, keep = {"plan": f"Like this, for {powers()[power].name}", "until": LAST}, {"nothing_else": True}
    said = {name: list(units) for name in ("build", "mobilize") if (units := getattr(line, name))}
    if line.aid:
        said["aid"] = _granted(keep.get("aid") or [], line.aid)
    return _written(plan, power, {**keep, **said})


def as_standing_order(text: str) -> str:
    """A plan as it can be left to itself: nobody knows what is uncertain, nor is what was expected reported by itself.

    Where something is uncertain it goes, with the lines that hang on it and the reports; they are named above the rest.
    """
    program = plan_of("the standing order", text)
    unknown = {name for name, it in program.plan.uncertain.items() if not it.certain()}
    if not unknown:
        return text
    out = {it.number: it for it in program.orders if it.hangs_on & unknown or is_report(_kind(it))}
    plan = dict(Document("the standing order", text).data)
    plan["uncertain"] = {name: it for name, it in plan["uncertain"].items() if name not in unknown}
    plan["orders"] = [it for at, it in enumerate(plan.get("orders") or []) if at not in out]
    plan = {key: value for key, value in plan.items() if value}
    named = (f"# Left out: {it.label}, line {it.line} of the plan.\n" for it in out.values())
    return f"# Left out, since nobody knows it: {', '.join(sorted(unknown))}.\n{''.join(named)}{written_out(plan)}"


def _kind(order: Order) -> type[Command]:
    name = str(order.given["do"])
    return command_types()[old_names().get(name, name)]


def _granted(before: list[dict[str, Any]], now: tuple[Aid, ...]) -> list[dict[str, Any]]:
    """Grants as they stood, and those of the form: one for each road to each power."""
    new = [{k: v for k, v in msgspec.to_builtins(it).items() if v != ""} for it in now]
    roads = [_road(it) for it in new]
    return [it for it in before if _road(it) not in roads] + new


def _road(aid: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(aid.get(it, "")) for it in ("to", "by", "through", "port"))


def _written(plan: dict[str, Any], power: str, keep: dict[str, Any]) -> str:
    whole = {**plan, "keep": {**(plan.get("keep") or {}), power: keep}}
    text: str = yaml.safe_dump(whole, default_flow_style=None, sort_keys=False, allow_unicode=True, width=100)
    return text
