"""`warcabinet board`: hexes, places, paths, the checks of both boards, and maps."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from warcabinet.board import boxes, checks, control, hexes, maps, names, render, supply, zoc
from warcabinet.board.boxes import Box
from warcabinet.board.maps import Board, Hex
from warcabinet.board.names import Area, Found, Place
from warcabinet.board.overlay import Overlay
from warcabinet.board.palette import Theme
from warcabinet.board.sheet import Level
from warcabinet.cli import completing
from warcabinet.cli.show import console, print_json
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.tables import read_yaml

SCENARIOS = ("classic-1939",)
changes_file = click.Path(path_type=Path, exists=True, dir_okay=False)
json_option = click.option("--json", "as_json", is_flag=True, help="print JSON")
board_option = click.option("--board", "on", type=click.Choice(["europe", "pacific"]), help="which board")


@click.group()
def board() -> None:
    """The two boards: hexes, places, paths, checks and maps."""


@board.command("hex")
@click.argument("name")
@board_option
@json_option
def show_hex(name: str, on: str | None, as_json: bool) -> None:
    """All that is known of a hex: `board hex Z8`, `board hex europe:K28`, `board hex Rangoon`."""
    found = _hexes_called(name, on)
    if as_json:
        print_json([hex_data(h) for h in found])
        return
    for h in found:
        for label, value in hex_data(h).items():
            if value not in ("", [], {}):
                console.print(f"[bold]{label:11}[/] {_plain(value)}", highlight=False)
        console.print()


@board.command("find")
@click.argument("name", nargs=-1, required=True)
@board_option
@json_option
def show_find(name: tuple[str, ...], on: str | None, as_json: bool) -> None:
    """What a name means and where it is: `board find Rangoon`, `board find Crete`, `board find India box`."""
    found = names.find(" ".join(name), on)
    data = found_data(found)
    if as_json:
        print_json(data)
        return
    for label, value in data.items():
        if value not in ("", [], {}):
            console.print(f"[bold]{label:11}[/] {_plain(value)}", highlight=False)


@board.command("path")
@click.argument("source")
@click.argument("target")
@click.option("--held", help="only through hexes these hold, such as Germany,Italy")
@click.option("--in", "countries", help="only through these countries, such as Turkey,Russia")
@click.option("--zoc", "armor", help="not through the zone of control of enemy armor at these places")
@click.option("--no-straits", is_flag=True, help="do not cross straits")
@click.option("--control", "changes", type=changes_file, help="YAML with changed control")
@board_option
@json_option
def show_path(
    source: str,
    target: str,
    held: str | None,
    countries: str | None,
    armor: str | None,
    no_straits: bool,
    changes: Path | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Trace a land supply line, or say which hexes cut it. The target may be a country, an edge or a box."""
    start = names.find_hex(source, on)
    one = maps.board(start.board)
    goals = _goals(target, one)
    for name, keys in ((source, (start.key,)), (target, goals)):
        if not any(one[key].is_land for key in keys):
            raise WarCabinetError(f"{name} is no land: a land supply line runs between land hexes")
    if changes is not None and held is None:
        raise WarCabinetError("--control says who holds which hexes: it needs --held with those who may be passed")
    permitted = _permitted(one, held, countries, changes)
    if armor is not None:
        permitted &= ~zoc.zone(one, [names.find_hex(name, one.name).id for name in _listed("--zoc", armor)])
    sides = one.dry_sides if no_straits else one.ground_sides
    line = supply.trace(one, [start.id], goals, permitted, sides)
    _print_line(one, line, as_json)
    if not line.found:
        sys.exit(1)


@board.command("check")
@click.option("-k", "text", default="", help="only the checks whose clause or text holds this")
@json_option
def show_check(text: str, as_json: bool) -> None:
    """Check both boards against everything the documents say of them."""
    outcomes = [o for o in checks.run_all() if text.casefold() in f"{o.clause} {o.text}".casefold()]
    if not outcomes:
        raise WarCabinetError(f"no check has '{text}' in its clause or text; without -k all are run")
    failed = [o for o in outcomes if not o.ok]
    if as_json:
        print_json(
            {"passed": len(outcomes) - len(failed), "failed": len(failed), "checks": list(map(_outcome, outcomes))}
        )
    else:
        for outcome in outcomes:
            mark = "ok    " if outcome.ok else "FAILED"
            click.echo(f"{mark} {outcome.clause:8} {outcome.text}")
            for problem in outcome.problems:
                click.echo(f"         {problem}")
        click.echo(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if failed:
        sys.exit(1)


@board.command("render")
@click.option("--board", "on", type=click.Choice(["europe", "pacific"]), default="europe", show_default=True)
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), required=True, help="an .svg or .png file")
@click.option("--scenario", default="classic-1939", show_default=True, help="whose control at the start to show")
@click.option("--control", "changes", type=changes_file, help="YAML with changed control")
@click.option("--game", "-g", help="a game's file or database: show its control now", shell_complete=completing.file)
@click.option("--level", type=click.Choice(["1", "2", "3"]), default="2", show_default=True, help="level of detail")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--title", help="the words after the board's name")
@click.option("--ids", is_flag=True, help="write hex ids at every level")
@json_option
def show_render(
    on: str,
    out: Path,
    scenario: str,
    changes: Path | None,
    game: str | None,
    level: str,
    theme: Theme,
    title: str | None,
    ids: bool,
    as_json: bool,
) -> None:
    """Draw a board, coloured by control, as SVG or PNG."""
    held, turn = game_position(game) if game else (scenario_control(scenario), "Fall 1939")
    if changes:
        held = changed(held, changes)
    said = turn if title is None else title
    render_board(on, held, out, theme, level=_level(level), title=said, ids=ids)
    print_json({"file": str(out), "board": on, "title": said}) if as_json else click.echo(str(out))


def render_board(
    board_name: str,
    held: Mapping[str, str],
    out: Path,
    theme: Theme = "light",
    *,
    level: Level = 2,
    title: str = "",
    ids: bool = False,
) -> None:
    """Write a map of a board under the given control; the file's ending says whether SVG or PNG."""
    write_map(out, maps.board(board_name), held, theme, level=level, title=title, ids=ids)


def write_map(
    out: Path,
    one: Board,
    held: Mapping[str, str],
    theme: Theme = "light",
    *,
    level: Level = 2,
    title: str = "",
    ids: bool = False,
    over: Overlay | None = None,
) -> None:
    """Write the map of a board, or what an overlay cuts out of it, as SVG or PNG by the file's ending."""
    if not out.parent.is_dir():
        raise WarCabinetError(f"cannot write '{out.name}': there is no folder '{out.parent}'")
    if out.suffix.lower() == ".svg":
        out.write_text(render.svg(one, held, level, theme, title, ids, over=over), encoding="utf-8")
    elif out.suffix.lower() == ".png":
        out.write_bytes(render.png(one, held, level, theme, title, ids, over=over))
    else:
        raise WarCabinetError(f"cannot write '{out.name}': the name must end in .svg or .png")


def scenario_control(name: str) -> Mapping[str, str]:
    """Control at the start of a scenario."""
    if name not in SCENARIOS:
        raise unknown("scenario with a map", name, SCENARIOS)
    return control.fall_1939()


def game_position(game: str) -> tuple[Mapping[str, str], str]:
    """Control in a game as it stands, and which turn it is."""
    from warcabinet.model.calendar import turn_name
    from warcabinet.model.places import holder
    from warcabinet.store import open_game

    state = open_game(game).state
    return {h.key: holder(state, h.key) for one in maps.both() for h in one if h.is_land}, turn_name(state.turn)


def changed(held: Mapping[str, str], changes: Path) -> Mapping[str, str]:
    """Control changed by a YAML file: `germany: [Poland, Paris, europe:K28]`."""
    now = dict(held)
    for called, listed in read_yaml(changes, dict[str, list[str]]).items():
        holder = _country(called, f"holder in {changes.name}")
        for name in listed:
            land = [key for key in names.find_keys(name) if maps.by_key(key).is_land]
            found = names.find(name)
            if not land or (isinstance(found, Area) and found.kind == "sea"):
                raise WarCabinetError(f"{changes.name}: {name} is no land that {called} could hold")
            now.update(dict.fromkeys(land, holder))
    return now


def _level(text: str) -> Level:
    return {"1": 1, "2": 2, "3": 3}[text]  # type: ignore[return-value]


def _hexes_called(name: str, on: str | None) -> list[Hex]:
    """A bare id means the hex on every board that has it: showing both is better than asking back."""
    try:
        id_ = hexes.format_id(hexes.parse_id(name))
    except WarCabinetError:
        return [names.find_hex(name, on)]
    having = [one[id_] for one in maps.both() if id_ in one and on in (None, one.name)]
    return having or [names.find_hex(name, on)]


def _goals(target: str, one: Board) -> tuple[str, ...]:
    """The hexes where a line may end; at a box, those by which land supply passes."""
    found = names.find(target, one.name)
    if isinstance(found, Box):
        return tuple(key for key in found.hexes("supply") if key in one)
    return names.find_keys(target, one.name)


def _permitted(one: Board, held: str | None, countries: str | None, changes: Path | None) -> int:
    permitted = one.land
    if held is not None:
        now = control.fall_1939() if changes is None else changed(control.fall_1939(), changes)
        permitted &= control.held(one, now, [_country(name, "holder") for name in _listed("--held", held)])
    if countries is not None:
        wanted = {_country(name, "country") for name in _listed("--in", countries)}
        permitted &= one.bits(h.id for h in one if wanted & {h.country, h.region})
    return permitted


def _listed(option: str, text: str) -> list[str]:
    """The names of an option that takes several, with commas between."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise WarCabinetError(f"{option} needs at least one name; several are parted by commas")
    return found


def _country(name: str, what: str) -> str:
    """The id of a power, country or region, in any spelling that the boards know."""
    known = maps.areas_by_id()
    # By id first: a city may bear the name of its country (Luxembourg, Singapore), and the country is meant here.
    id_ = names.plain(name).replace(" ", "_")
    if id_ not in known:
        try:
            found = names.find(name)
        except WarCabinetError:
            found = None
        id_ = found.id if isinstance(found, Area) else ""
    if id_ not in known:
        raise unknown(what, name, [row.name for row in known.values()])
    return id_


def _print_line(one: Board, line: supply.Line, as_json: bool) -> None:
    if as_json:
        print_json({"board": one.name, "found": line.found, "path": line.path, "cut": line.cut})
        return
    if line.found:
        steps = len(line.path) - 1
        said = f"{steps} hex{'' if steps == 1 else 'es'}: {' '.join(line.path)}"
        console.print(said, highlight=False, soft_wrap=True)
    elif line.cut:
        console.print(f"cut at {', '.join(names.named(f'{one.name}/{i}' for i in line.cut))}", highlight=False)
    else:
        console.print("no land leads there")


def hex_data(h: Hex) -> dict[str, Any]:
    """A hex as plain data."""
    one = maps.board(h.board)
    sides = {n.id: one.side(h.id, n.id) for n in one.neighbours(h.id)}
    return {
        "hex": h.key,
        "kind": h.kind,
        "terrain": h.terrain,
        "features": list(h.features),
        "country": h.country,
        "region": h.region,
        "controller": control.fall_1939().get(h.key, ""),
        "island": h.island,
        "seas": list(h.seas),
        "fronts": list(h.fronts),
        "edges": list(h.edges),
        "places": [p.name for p in names.places_at(h.key)],
        "boxes": list(boxes.touching(h.key)),
        "sides": sides,
        "lon": h.lon,
        "lat": h.lat,
        "source": h.source,
    }


def found_data(found: Found) -> dict[str, Any]:
    """Whatever a name means, as plain data."""
    if isinstance(found, Hex):
        return hex_data(found)
    if isinstance(found, Place):
        roles = [f"{r.role} of {r.of}" if r.of else r.role for r in found.roles]
        at = maps.by_key(found.key)
        inside = {"hex": found.key, "country": at.country, "region": at.region, "front": list(at.fronts)}
        return {"name": found.name, "what": "place", **inside, "roles": roles, "source": found.source}
    if isinstance(found, Area):
        return {"name": found.name, "what": found.kind, "hexes": list(found.keys), "source": found.source}
    return box_data(found)


def box_data(box: Box) -> dict[str, Any]:
    links = [
        {"hexes": list(k.keys), "by": list(k.means), "distance": k.distance, "if": k.condition, "source": k.source}
        for k in box.links
    ]
    return {"name": box.name, "what": "box", "supply": box.supply, "links": links, "source": box.source}


def _outcome(outcome: checks.Outcome) -> dict[str, Any]:
    return {"clause": outcome.clause, "text": outcome.text, "ok": outcome.ok, "problems": list(outcome.problems)}


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {' '.join(v) if isinstance(v, list) else v}" for k, v in value.items())
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "; ".join(_plain({k: v for k, v in item.items() if v}) for item in value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


if __name__ == "__main__":
    try:
        board()
    except WarCabinetError as error:
        sys.exit(f"Error: {error}")


COMMANDS = (board,)
