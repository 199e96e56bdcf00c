"""How things look in a terminal, and as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from warcabinet.game import Game
from warcabinet.game.forecast import Item, YearStart
from warcabinet.game.journal import LedgerLine, Move
from warcabinet.game.offers import FieldOffer, Offer
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why, fold
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.rulings import lapsed_readings
from warcabinet.rules.common.waiting import waits_text
from warcabinet.views.sums import Sum
from warcabinet.views.trails import Trail, Trails
from warcabinet.views.words import account_name, answer_words, command_text, event_text, name, refusal_words, saying

#: How a command ends that was not carried out.
REFUSED, WRONG, BROKEN = 1, 2, 3
#: What is piped on is not wrapped: whoever reads it looks for lines. For tables `COLUMNS` says otherwise.
_PIPED = 100_000


def _width(stream: TextIO, wanted: bool = False) -> int | None:
    return None if stream.isatty() or wanted else _PIPED


console = Console(highlight=False, width=_width(sys.stdout, "COLUMNS" in os.environ))
#: For what is wrong: what was asked for goes to standard output alone.
errors = Console(highlight=False, stderr=True, width=_width(sys.stderr))


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def chip(clause: str) -> str:
    """A clause as it stands beside a claim."""
    return f"[cyan]\\[{clause}][/]" if clause else ""


def signed(amount: int) -> str:
    colour = "green" if amount > 0 else "red" if amount < 0 else "dim"
    return f"[{colour}]{amount:+}[/]"


#: The figures of a power that a status shows, each under its heading.
STATUS = {
    "level": "level",
    "base": "base",
    "construction_limit": "limit",
    "constructed": "used",
    "deficit_limit": "deficit",
    "spendable": "spendable",
    "growth_rate": "growth",
}


def show_status(game: Game) -> None:
    s = game.state
    console.print(f"[bold]{calendar.moment_name(s.moment)}[/]   [dim]{s.scenario}, move {game.head.id}[/]")
    if s.options.counted:
        console.print("[dim]The books alone: counters stand on your own map (`enter`, `not-judged`)[/]")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for heading in STATUS.values():
        table.add_column(heading, justify="right")
    for power in powers():
        table.add_row(*_power_row(game, power))
    console.print(table)
    tracks = ", ".join(f"{track.upper()} {s.tracks.get(track, 0)}" for track in ("usat", "usjt", "rgt"))
    console.print(f"[dim]Tensions[/] {tracks}")
    for operation in reversed(s.operations):
        asked = " or ".join(operation.replies)
        since = calendar.moment_name(operation.since)
        console.print(f"[bold red]Waits[/] {escape(waits_text(operation))} [dim]({asked}; since {since})[/]")
    for duty in (it for it in game.duties() if it.rule != "operation_waits"):
        console.print(f"[bold red]Now[/] {escape(refusal_words(duty))} {chip(duty.clause)}")
    due = game.agenda()
    console.print(f"[dim]Falls due[/] {len(due)}" + (f", next {due[0].due}" if due else ""))
    tell_lapsed_readings(game)


def tell_lapsed_readings(game: Game) -> None:
    for line in lapsed_readings(game.state.readings):
        console.print(f"[yellow]Reading[/] {escape(line)}")


def _power_row(game: Game, power: str) -> list[str]:
    cells = {figure: str(game.figure(f"powers.{power}.{figure}")) for figure in STATUS}
    if not game.figure(f"powers.{power}.may_deficit_spend"):
        cells["deficit_limit"] = "-"
    cells["growth_rate"] += " %"
    mine = powers()[power].player == game.state.player
    return [f"[bold]{powers()[power].name}[/]" if mine else powers()[power].name, *cells.values()]


def status_data(game: Game) -> dict[str, Any]:
    s = game.state
    return {
        "moment": calendar.moment_name(s.moment),
        "scenario": s.scenario,
        "move": game.head.id,
        "seq": game.seq,
        "powers": {p: {f: game.figure(f"powers.{p}.{f}") for f in STATUS} for p in powers()},
        "tracks": s.tracks,
        "duties": game.duties(),
        "waits": [{"text": waits_text(it), **msgspec.to_builtins(it)} for it in reversed(s.operations)],
        "agenda": game.agenda(),
        "lapsed_readings": lapsed_readings(s.readings),
        "fingerprint": s.fingerprint(),
    }


def why_tree(why: Why, game: Game | None = None) -> Tree:
    """An explanation as a tree; accounts open to the entries that made them. What was told once is not told again."""

    def tree(node: Why, reasons: list[Tree], again: bool) -> Tree:
        account = str(node.args[0]) if node.rule == "account_balance" else ""
        entries = game.ledger(account) if account and game is not None else []
        if again and (node.because or entries):
            return Tree(f"{_why_line(node)} [dim](as above)[/]")
        made = Tree(_why_line(node))
        made.children += reasons
        if entries and game is not None:
            made.children += ledger_trees(game, account, entries)
        return made

    return fold(why, tree, set())


def _why_line(why: Why) -> str:
    if why.rule == "account_balance":
        return f"[bold]{why.value}[/] {escape(account_name(str(why.args[0])))}"
    rule = RULES.by_name.get(why.rule)
    args = f" ({', '.join(map(name, map(str, why.args)))})" if why.args else ""
    gist = f" {escape(rule.gist)}" if rule else ""
    aside = f" [dim]sets aside {', '.join(why.set_aside)}[/]" if why.set_aside else ""
    told = f" [italic]{escape(why.note)}[/]" if why.note else ""
    return f"[bold]{why.value}[/] {why.rule}{escape(args)} {chip(why.clause)}{gist}{told}{aside}"


def ledger_trees(game: Game, account: str, lines: list[LedgerLine]) -> list[Tree]:
    """The entries of an account; one that passed between powers opens to its other end."""
    trails = Trails(game)
    return [_ledger_tree(line, trails.of(account, line)) for line in lines]


def _ledger_tree(line: LedgerLine, trail: Trail | None) -> Tree:
    when = calendar.moment_name(line.moment)
    tree = Tree(f"{signed(line.amount)} {escape(line.memo)} {chip(line.clause)} [dim]{when}, move {line.move}[/]")
    for part in line.parts:
        tree.add(f"{signed(part.amount)} {escape(part.memo)} {chip(part.clause)}")
    if trail is not None:
        _add_trail(tree, trail)
    return tree


def _add_trail(tree: Tree, trail: Trail) -> None:
    """What befell BRPs on their way, and the entries at the other end with the account to ask for next."""
    for step in trail.between:
        loss = f" {signed(-step.lost)}" if step.lost else ""
        told = f"; {step.note}" if step.note else ""
        who = f"{name(step.power)}: " if step.power else ""
        tree.add(f"[dim]on the way:[/] {who}{escape(step.text)}{escape(told)}{loss} {chip(step.clause)}")
    if trail.under_way:
        tree.add(f"[dim]still under way:[/] {trail.under_way} in {trail.passage}")
    for end in trail.ends:
        where = "from" if end.amount < 0 else "to"
        found = f"[dim]{end.when}, move {end.move}; explain {end.account}[/]"
        tree.add(f"{where} {escape(end.name)} {signed(end.amount)} {escape(end.memo)} {chip(end.clause)} {found}")


def sum_tree(it: Sum) -> Tree:
    """An amount opened to what made it, each line by the thing that it is."""
    whose = f"{name(it.power)}: " if it.power else ""
    tree = Tree(f"{signed(it.amount)} {escape(whose + it.title)} {chip(it.clause)} [dim]{_when(it)}[/]")
    tree.children += [_said_tree(row, it.whole) for row in it.rows]
    return tree


def _when(it: Sum) -> str:
    level = f"; level {it.was} to {it.comes_to}" if it.was is not None else ""
    return calendar.moment_name(it.moment) + level


def _said_tree(why: Why, around: Why) -> Tree:
    words = saying(why, around)
    told = ", ".join(filter(None, (words.about, words.note)))
    about = f" [italic]{escape(told)}[/]" if told else ""
    tree = Tree(f"[bold]{escape(answer_words(why.value))}[/] {escape(words.text)} {chip(why.clause)}{about}")
    tree.children += [_said_tree(it, why) for it in why.because]
    return tree


def show_refusals(text: str, refusals: tuple[Refusal, ...], to: Console = console) -> None:
    to.print(f"[bold red]Refused[/] {escape(text)}")
    for number, refusal in enumerate(refusals, 1):
        clauses = " ".join(map(chip, (refusal.clause, *refusal.also)))
        to.print(f"  {number}. {clauses} {escape(refusal_words(refusal))}")
        if refusal.clause in catalogue():
            to.print(f"     [dim]{escape(catalogue()[refusal.clause].gist)}[/]")


def show_move(move: Move, undone: bool = False) -> None:
    what = command_text(move.command) if move.command is not None else move.kind
    style = "strike dim" if undone else "bold"
    seat = f" [dim]{escape(move.seat)}[/]" if move.seat else ""
    console.print(f"[dim]{move.id:>4}[/] [{style}]{escape(what)}[/]{seat}" + (" [dim]undone[/]" if undone else ""))
    for record in move.records:
        console.print(f"      {escape(event_text(record.event))} {chip(record.clause)}")


def show_offer(offer: Offer, detail: bool = False) -> None:
    known = " ".join(f"{key}={value}" for key, value in offer.known.items())
    title = f"{offer.command} {known}".strip()
    if offer.replies_to:
        console.print(f"[bold red]Reply to {offer.replies_to}[/]", end=" ")
    if offer.duty:
        console.print("[bold red]First[/]", chip(offer.duty), end=" ")
    if offer.available:
        console.print(f"[bold]{escape(title)}[/]  [dim]{escape(offer.text)}[/]")
        for field in offer.fields.values():
            if detail or ((field.by or field.hint) and not field.shut):
                console.print(f"    {_field_text(field)}")
        return
    console.print(f"[dim]{escape(title)}: not now[/]")
    for refusal in offer.refusals:
        console.print(f"    {chip(refusal.clause)} [dim]{escape(refusal_words(refusal))}[/]")


def _field_text(field: FieldOffer) -> str:
    bounds = []
    if field.least is not None:
        bounds.append(f"at least {field.least}")
    if field.most is not None:
        bounds.append(f"at most {field.most}")
    among = tuple(filter(None, field.among))
    if among:
        shown = among if len(among) <= 10 else (*among[:9], f"... {len(among)} in all")
        bounds.append("one of " + ", ".join(shown))
    need = "" if field.required else " [dim](may be left out)[/]"
    told = "; ".join(bounds) or field.hint or field.text
    return f"{field.name}{need} {escape(told)} {' '.join(map(chip, field.by))}"


def show_forecast(sheet: YearStart, how: str = "as it stands") -> None:
    table = Table(title=f"Year start {sheet.year}, {how}", box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for power in sheet.rows[0].cells:
        table.add_column(powers()[power].seal, justify="right")
    table.add_column("clause", style="cyan")
    for row in sheet.rows:
        cells = [_cell(why, row.rule) for why in row.cells.values()]
        strong = "bold" if row.rule in ("next_base", "year_total") else ""
        table.add_row(row.label, *cells, row.clause, style=strong)
    console.print(table)


def _cell(why: Why, rule: str) -> str:
    if why.rule != rule:
        return f"{why.value} [dim]{why.clause}[/]"
    return str(why.value) if why.value else "[dim]0[/]"


def show_agenda(items: list[Item]) -> None:
    if not items:
        console.print("[dim]Nothing is on the agenda.[/]")
    for item in items:
        what = [name(item.power), signed(item.brp) if item.brp else "", name(item.about) if item.about else ""]
        console.print(f"[bold]{item.due}[/]  {' '.join(filter(None, what))} {chip(item.clause)} [dim]{item.id}[/]")
        share = f", {item.share} % then" if item.brp and item.share < 100 else ""
        avert = f"; averted by {item.averted_by}" if item.averted_by else ""
        console.print(f"    [dim]{escape(item.text)}{share}{escape(avert)}[/]")
