"""Longer readings: the year start sheet, a country's page, an account's ledger, and the charts."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.countries import country_page
from warcabinet.figures.table import correction, read, reckoned_by
from warcabinet.figures.table import listed as listed_figures
from warcabinet.forecast import YearStart, agenda, before_year_start, year_start
from warcabinet.game import Game, Move
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar, events
from warcabinet.model.accounts import Annual, Brp
from warcabinet.model.apply import apply
from warcabinet.model.commands import command_types, fields
from warcabinet.model.ledger import balance
from warcabinet.model.names import areas, countries, power_named, powers
from warcabinet.model.state import State
from warcabinet.offers import choices, narrow
from warcabinet.web.acting import label, refusal_view
from warcabinet.web.errors import Problem, not_found
from warcabinet.web.views import assumed_figures, books, may_run_deficits
from warcabinet.web.words import why_tree
from warcabinet.words import account_name, listed, name, rule_title


def agenda_view(state: State) -> list[dict[str, Any]]:
    """What falls due, soonest first, in words."""
    return [
        {
            **msgspec.to_builtins(item),
            "about_name": name(item.about) if item.about else "",
            "turn": calendar.turn_name(calendar.split(item.moment)[0]),
        }
        for item in agenda(state)
    ]


def supposed(state: State, changes: list[tuple[str, int]]) -> State:
    """A copy of a position in which some figures are other than they are: the same door as a referee's correction."""
    for figure, to in changes:
        for event in correction(state, figure, to):
            state = apply(state, event)
    return state


def looked_at(state: State, mode: str) -> State:
    """The position from which a year start is reckoned: as it stands, or after everything that falls due until then."""
    return before_year_start(state) if mode == "due" else state


def after_year_start(state: State, sheet: YearStart) -> State:
    """The position with every power's new base and total; what a new year allows follows from them."""
    figures = {"next_base": "base", "year_total": "brp"}
    changes = [
        (f"powers.{power}.{figures[row.rule]}", int(str(why.value)))
        for row in sheet.rows
        if row.rule in figures
        for power, why in row.cells.items()
    ]
    return supposed(state, changes)


#: What the new figures allow, shown under the sheet.
ALLOWED = ("construction_limit", "deficit_limit")


def forecast_view(state: State, mode: str, real: State | None = None) -> dict[str, Any]:
    """The next year start: as the position stands, or with everything that falls due until then.

    `real` is the position as it is, where `state` only supposes something.
    """
    position = looked_at(state, mode)
    sheet = year_start(position)
    rows = [
        {
            "rule": row.rule,
            "clause": row.clause,
            "label": row.label[:1].upper() + row.label[1:],
            "gist": RULES.by_name[row.rule].gist,
            "cells": {power: _cell(why, row.rule) for power, why in row.cells.items()},
        }
        for row in sheet.rows
    ]
    after = after_year_start(position, sheet)
    extra = [_extra(after, rule, f"{rule_title(rule)} in {sheet.year}") for rule in ALLOWED if rule in RULES.values()]
    return {
        "year": sheet.year,
        "rows": [*rows, *extra],
        "mode": mode,
        "counted_from": calendar.moment_name(position.moment),
        "tracks": [{"name": name(t), "level": level} for t, level in (real or state).tracks.items()],
        "assumed": [power for power in powers() if f"powers.{power}.base" in assumed_figures(state.scenario)],
    }


def forecast_reasons(state: State, mode: str, rule: str, power: str) -> dict[str, Any]:
    """How a figure of the sheet comes about, in the position from which the sheet was reckoned."""
    position = looked_at(state, mode)
    asked = after_year_start(position, year_start(position)) if rule in ALLOWED else position
    return explain_view(asked, rule, (power,))


def _cell(why: Any, rule: str) -> dict[str, Any]:
    """A figure with what displaced the general rule, so that the sheet can say so in the cell."""
    other = why.rule if why.rule != rule else ""
    set_aside = [r for r in why.set_aside if r == rule]
    general = next((b.value for b in why.because if b.rule == rule), None) if set_aside else None
    return {"value": why.value, "clause": why.clause if other else "", "by": other, "general": general}


def _extra(state: State, rule: str, label: str) -> dict[str, Any]:
    """What the new figures allow."""
    kept = RULES.by_name[rule]
    cells = {}
    for power in powers():
        allowed = rule != "deficit_limit" or may_run_deficits(state, power)
        value = explain_value(rule, state, power).value if allowed else 0
        cells[power] = {"value": value, "clause": "", "by": "", "general": None}
    return {
        "rule": rule,
        "clause": kept.clause,
        "label": label,
        "gist": kept.gist,
        "cells": cells,
    }


def explain_view(state: State, rule: str, args: tuple[str, ...]) -> dict[str, Any]:
    """How a value comes about."""
    found = RULES.values().get(rule)
    if found is None:
        raise not_found(f"value {rule}")
    if len(args) != len(found.parameters):
        raise Problem(400, f"{rule} is asked for ({', '.join(found.parameters)})")
    typed = [
        int(a) if p == "amount" and a.lstrip("-").isdigit() else a for p, a in zip(found.parameters, args, strict=True)
    ]
    for parameter, arg in zip(found.parameters, typed, strict=True):
        if parameter == "power" and arg not in powers():
            raise not_found(f"power {arg}")
    try:
        why = explain_value(rule, state, *typed)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Problem(400, f"{rule} cannot be asked for ({listed(args)})") from None
    tree = why_tree(why)
    general = {"title": found.name.replace("_", " "), "gist": found.gist, "clause": found.clause}
    then = [why_tree(explain_value(more, state, *typed)) for more in THEN.get(rule, ()) if more in RULES.values()]
    return {
        "tree": tree,
        "asked": general,
        "moment": calendar.moment_name(state.moment),
        "args": list(args),
        "then": then,
    }


#: Under the sum of a limit: what has been used of it and what is left.
THEN = {"construction_limit": ("constructed", "construction_left"), "deficit_limit": ("spendable",)}


def figure_view(state: State, path: str) -> dict[str, Any]:
    """A figure by its public name; what a rule computes comes with its reasons."""
    value, asked = read(state, path), reckoned_by(path)
    tree = why_tree(explain_value(asked[0], state, *asked[1])) if asked else None
    return {"figure": path, "value": value, "tree": tree, "moment": calendar.moment_name(state.moment)}


def figures() -> list[dict[str, Any]]:
    return [msgspec.to_builtins(figure) for figure in listed_figures()]


def ledger_view(game: Game, account: str) -> dict[str, Any]:
    """Every posting that made an account what it is, with the running balance."""
    total = 0
    lines = []
    for line in game.ledger(account):
        total += line.amount
        lines.append(
            {
                "move": line.move,
                "when": calendar.moment_name(line.moment),
                "clause": line.clause,
                "memo": line.memo,
                "amount": line.amount,
                "balance": total,
                "parts": msgspec.to_builtins(line.parts),
                "why": [why_tree(why) for why in line.why],
            }
        )
    return {"account": account, "name": account_name(account), "lines": lines, "balance": total}


def power_view(state: State, power: str) -> dict[str, Any]:
    """Everything that is reckoned for one power, by its rules' names."""
    power = power_named(power).power
    values = []
    for rule_name, rule in RULES.values().items():
        if (
            rule.parameters == ("power",)
            and not rule.displaces
            and not any(rule in v.parts for v in RULES.values().values())
        ):
            try:
                value = rule(state, power)
            except Exception:
                # A rule that speaks of another power only has nothing to say here.
                continue
            if isinstance(value, int | str | bool):
                values.append({"rule": rule_name, "gist": rule.gist, "clause": rule.clause, "value": value})
    return {"power": power, "name": name(power), "books": books(state, power), "values": values}


def country_view(game: Game, state: State, id: str) -> dict[str, Any]:
    """A country: as it stands, what it would bring by turn, what could be ordered about it, and its history."""
    area = countries().get(id)
    if area is None:
        raise not_found(f"country {id}")
    standing = state.countries[id]
    return {
        "id": id,
        "name": area.name,
        "kind": area.kind,
        "theater": area.theater,
        "status": standing.status,
        "by": standing.by,
        "since": calendar.turn_name(standing.since) if standing.since else "",
        "clause": standing.clause,
        "reason": "" if standing.reason == "set" else standing.reason,
        "brp": area.brp,
        "source": area.source,
        "places": list(area.places),
        "result": state.results.get(id, ""),
        "books": [{"power": p, "brp": n} for p in powers() if (n := balance(state.books, Annual(p, id)))],
        "brings": _brings(state, area.brp),
        **_politics(state, id),
        "orders": _about(state, id),
        "history": _history(game, id),
    }


def _politics(state: State, id: str) -> dict[str, Any]:
    """What the country's page of the rules tells: forces, limits in force, what is coming, what would change it."""
    page = country_page(state, id)
    return {
        "deployed": page.deployed,
        "forces": page.forces,
        "partisans": page.partisans,
        "limits": page.limits,
        "coming": page.coming,
        "changes": page.changes,
        "enemies": [name(it) for it in page.at_war_with],
    }


def _brings(state: State, brp: int) -> list[dict[str, Any]]:
    """What the yearly value still comes to in each of the coming four turns, by the proration rule itself."""
    if "prorated" not in RULES.values() or not brp:
        return []
    found = []
    for turn in range(state.turn, state.turn + 4):
        later = replace(state, turn=turn, step=calendar.first_step("axis"))
        why = explain_value("prorated", later, brp)
        share = explain_value("season_share", later).value
        found.append({"turn": calendar.turn_name(turn), "share": share, "brp": why.value, "clause": why.clause})
    return found


def _about(state: State, id: str) -> list[dict[str, Any]]:
    """Commands that can name this country, with whether they can be given now."""
    found = []
    for command, kind in command_types().items():
        for field in fields(kind):
            if not field.many and id in choices(field) and field.kind in ("country", "area", "belligerent"):
                offer = narrow(state, command, {field.name: id})
                refusals = [refusal_view(state, kind, refusal) for refusal in offer.refusals]
                found.append(
                    {
                        "command": command,
                        "label": label(command),
                        "text": offer.text,
                        "field": field.name,
                        "clause": RULES.orders[kind].clause,
                        "refusals": refusals,
                    }
                )
                break
    return found


def _history(game: Game, id: str) -> list[dict[str, Any]]:
    line = game.line()
    found = []
    for move in game.log():
        for record in move.records if move.id in line else ():
            event = record.event
            if isinstance(event, events.StatusChanged) and event.country == id:
                why = "" if event.reason == "set" else event.reason
                found.append(
                    {
                        "move": move.id,
                        "when": calendar.moment_name(move.moment),
                        "clause": record.clause,
                        "status": event.status,
                        "by": event.by,
                        "reason": why,
                    }
                )
    return found


def charts_view(game: Game, upto: Move, state: State) -> dict[str, Any]:
    """Every power's BRPs over the war up to a move, and where they came from and went."""
    series: dict[str, list[list[int]]] = {}
    flows: dict[str, dict[str, int]] = {}
    for power in powers():
        points: list[list[int]] = []
        total = 0
        went: dict[str, int] = {}
        for line in game.ledger(Brp(power)):
            if line.move > upto.id:
                break
            total += line.amount
            if points and points[-1][0] == line.moment:
                points[-1][1] = total
            else:
                points.append([line.moment, total])
            if line.move > 1:  # the first move sets the game up: nothing was earned by it
                purpose = _purpose(line.memo)
                went[purpose] = went.get(purpose, 0) + line.amount
        series[power], flows[power] = points, went
    return {"now": state.moment, "series": series, "flows": flows}


def _purpose(memo: str) -> str:
    """What an entry was for, the same for all entries of its kind."""
    said = memo.partition(":")[0]
    if said.startswith("declaration of war"):
        return "declarations of war"
    if said.startswith("bombing"):
        return "bombing"
    if said.endswith("year start"):
        return "year starts"
    named = {area.name for area in areas().values()}
    return "areas taken and lost" if all(part in named for part in said.split(", ")) else said


def lookup(text: str) -> dict[str, Any]:
    """Clauses whose number begins with the text, for the command line."""
    found = [c for c in catalogue().values() if c.clause.startswith(text.upper())][:12] if text else []
    return {"clauses": [{"clause": c.clause, "gist": c.gist, "status": c.status} for c in found]}
