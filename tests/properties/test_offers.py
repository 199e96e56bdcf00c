"""Offers and the judge: whatever is offered is accepted, and whatever is shut is refused, for every command."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest

from positions import CONVOY, SAILING, game_of
from warcabinet.game.demo import play_demo
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import FieldOffer, narrow, refused_values
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import Command, Field, command_types, fields, name_of
from warcabinet.model.commands.aid import SailConvoy
from warcabinet.model.commands.battle import ReportBattle
from warcabinet.model.names import OTHER_NATIONS, TRACKS, areas, countries, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import parse_placement, stacks
from warcabinet.rules.aid.convoys import named

SAMPLES = 12  # random commands a position
EVERY = 23  # positions of the demonstration that are looked at


@cache
def moves() -> tuple[tuple[State, Command], ...]:
    """Every accepted command of a whole game, with the state that it was given in."""
    journal = MemoryJournal()
    game = play_demo(journal=journal)
    return tuple((journal.state_at(it.before), it.command) for it in journal.moves(1, game.head.id) if it.command)


def filled(command: Command) -> dict[str, Any]:
    """All fields of a command by their names, those left out as they count."""
    given = msgspec.to_builtins(command)
    return {field.name: given.get(field.name, field.default) for field in fields(type(command))}


def fits(field: FieldOffer, value: Any) -> bool:
    if field.shut:
        return not value
    if isinstance(value, int) and not isinstance(value, bool):
        low = field.least is None or value >= field.least
        return low and (field.most is None or value <= field.most)
    named = list(value) if isinstance(value, list | tuple) else [value]
    if field.kind == "stack":
        # One unit may be written without its number.
        offered = set(map(parse_placement, field.among))
        return not field.among or all(parse_placement(one) in offered for one in named)
    among = list(field.among)
    if field.kind in ("place", "place or none"):  # a place may be called by any of its names
        named, among = ([place_key(one) if one else one for one in names] for names in (named, among))
    return not among or all(one in among or not one for one in named)


def accepted(state: State, command: Command) -> bool:
    ruling = decide(state, command)
    return not ruling.refusals


def hold_together(state: State, command: Command, dice: random.Random) -> None:
    """What is offered on the way to a command, whichever of its fields are filled first, agrees with the judgement."""
    name, whole = name_of(command), filled(command)
    judged = decide(state, command).refusals
    if any(not refusal.clause for refusal in judged):
        return  # malformed: no rule has been asked
    offer = narrow(state, name, whole)
    offered, clauses = {it.clause for it in offer.refusals}, {it.clause for it in judged}
    if isinstance(command, ReportBattle):
        # Its parts are judged one after another, each where the last one led: the form's outcome tells of them.
        assert offered <= clauses, (command, offer.refusals, judged)
        return
    assert offered == clauses, (command, offer.refusals, judged)
    known = dict(dice.sample(sorted(whole.items()), dice.randint(0, len(whole))))
    partly = narrow(state, name, known)
    if partly.refusals:
        assert judged, (command, known, partly.refusals)
    if judged:
        return
    for field in partly.fields.values():
        assert fits(field, whole[field.name]), (command, known, field)
    for field in fields(type(command)):
        values = whole[field.name] if field.many else [whole[field.name]]
        rest = {it: value for it, value in whole.items() if it != field.name}
        if field.kind not in ("any", "text") and not field.many and isinstance(whole[field.name], str):
            assert refused_values(state, name, rest, field.name, values) == {}, (command, field.name)


def value_for(field: Field, state: State, dice: random.Random) -> Any:
    """Something that the field might hold."""
    kind = field.kind.removesuffix(" or none")
    if kind != field.kind and dice.random() < 0.3:
        return ""
    if field.among:
        return dice.choice(field.among)
    standing = list(stacks(state))
    somewhere = [place for area in areas().values() for place in area.places]
    somewhere += [it.place for it in standing]
    pools: dict[str, list[Any]] = {
        "power": list(powers()),
        "country": list(countries()),
        "area": list(areas()),
        "track": list(TRACKS),
        "belligerent": [*powers(), *countries()],
        "nation": [*powers(), *countries(), *OTHER_NATIONS, *(it.nation for it in standing)],
        "place": somewhere,
        "unit": ["infantry 1-3", "army air", "destroyer", *(it.unit for it in standing)],
        "unit count": ["infantry 1-3", "2 army air", "armor 3-5", "submarine", "industrial center", "3 infantry 2-3"],
        "stack": [f"{n} {it.unit} at {named(it.place)}" for it in standing for n in (1, it.count)]
        or ["1 asw at Brest"],
        "force": [f"{it.count} {it.unit} of {it.nation} at {named(it.place)}" for it in standing]
        or ["armor 4-6 at Posen"],
        "placement": [f"infantry 1-3 at {dice.choice(somewhere)}"],
        "rule": ["growth_rate", "base", "holder_after_surrender"],
        "ruling": ["R-0002", "R-0039"],
        "figure": ["powers.germany.brp", "tracks.usat"],
        "yes or no": [True, False],
        "number": [*range(12), *range(-4, 0)],
        "brp": [*range(40), -3],
        "text": ["something", "a"],
        "any": [3, True, "britain"],
    }
    return dice.choice(pools[kind])


def random_command(kind: type[Command], state: State, dice: random.Random) -> Command | None:
    given: dict[str, Any] = {"do": name_of(kind)}
    for field in fields(kind):
        if field.required or dice.random() < 0.5:
            some = [value_for(field, state, dice) for _ in range(dice.randint(1, 2) if field.many else 1)]
            given[field.name] = some if field.many else some[0]
    try:
        return as_command(given)
    except WarCabinetError:
        return None


@pytest.mark.parametrize("part", range(4))
def test_a_whole_game_was_offered_before_it_was_played(part: int):
    dice = random.Random(part)
    for state, command in moves()[part::4]:
        hold_together(state, command, dice)


@pytest.mark.parametrize("seed", range(4))
def test_random_commands_are_offered_as_they_are_judged(seed: int):
    dice = random.Random(seed)
    kinds = list(command_types().values())
    tried = set()
    for state, _ in moves()[seed :: EVERY * 4]:
        for kind in dice.sample(kinds, SAMPLES):
            command = random_command(kind, state, dice)
            if command is not None:
                tried.add(kind)
                hold_together(state, command, dice)
    assert len(tried) > 30


@pytest.mark.parametrize("stage", range(len(SAILING)))
def test_what_an_operation_asks_for_is_offered_as_it_is_judged(stage: int):
    game = game_of(CONVOY)
    for command, _ in SAILING[:stage]:
        game.do(command)
    dice = random.Random(stage)
    for _ in range(20):
        hold_together(game.state, as_command(SAILING[stage][0]), dice)
        for kind in (it for it in command_types().values() if it.reply or it is SailConvoy):
            command = random_command(kind, game.state, dice)
            if command is not None:
                hold_together(game.state, command, dice)
