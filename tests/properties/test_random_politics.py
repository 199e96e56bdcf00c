"""Random sequences of attacks, captures, recaptures, results and surrenders: no BRP is counted twice or lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from warcabinet.engine import as_command, decide
from warcabinet.figures.position import Position, set_up
from warcabinet.game import replayed, unbalanced
from warcabinet.model.accounts import Annual
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.state import State, StatusName
from warcabinet.rules.common.alliances import partners
from warcabinet.rules.common.taking import HOLDS, has_conquest
from warcabinet.rules.countries.traits import EUROPEAN_FRENCH_COLONIES, PARTS
from warcabinet.rules.minors.forces import deployer
from warcabinet.rules.minors.set_up import awaiting_set_up
from warcabinet.rules.minors.status import NEXT

EUROPEAN = [name for name, area in countries().items() if area.theater == "europe" and area.places]
ALLIED = ("britain", "france", "usa", "russia")
STATUSES = set(get_args(StatusName))
HOW = ("offensive operations", "attrition", "grant", "declaration of war")


def command(s: State, dice: random.Random) -> dict[str, Any]:
    """Something that a table might order or report now; much of it is refused."""
    country = dice.choice(EUROPEAN)
    power = dice.choice(list(powers()))
    waiting = list(awaiting_set_up(s))
    if waiting and dice.random() < 0.8:
        return {"do": "deploy", "by": (deployer(s, waiting[0]) or ("britain",))[0], "country": waiting[0]}
    step = s.place.step.name
    if step == "diplomatic phase" and dice.random() < 0.7:
        result = dice.randint(-3, 10)
        benefits = dice.choice(ALLIED) if result <= 0 else ""
        points = {"western_points": dice.randint(0, 2), "russian_points": dice.randint(0, 2)}
        return {"do": "report_result", "country": country, "result": result, "power": benefits, **points}
    if step == "declarations of war" and dice.random() < 0.7:
        mine = dice.choice([name for name in powers() if powers()[name].player == s.player])
        target = country if dice.random() < 0.8 else power
        return {"do": "declare_war", "power": mine, "on": [target]}
    if step in ("movement", "combat") and dice.random() < 0.8:
        mine = dice.choice([name for name in powers() if powers()[name].player == s.player])
        places = list(areas()[country].places)
        taken = places if dice.random() < 0.7 else dice.sample(places, dice.randint(1, len(places)))
        report = {"do": "report_control", "places": taken, "by": mine, "partisans": dice.random() < 0.1}
        return report if dice.random() < 0.9 else _participation(mine, country, dice)
    if dice.random() < 0.1:
        return _conquest(country, power, dice)
    if s.powers["france"].surrendered and dice.random() < 0.02:
        if dice.random() < 0.5:
            return {"do": "report_free_french", "colony": dice.choice(EUROPEAN_FRENCH_COLONIES)}
        return {"do": "report_vichy", "places": dice.sample(["Marseilles", "Lyon", "Toulon"], dice.randint(1, 3))}
    if dice.random() < 0.01:
        return {"do": "report_surrender", "power": power, "surrendered": dice.random() < 0.5}
    return {"do": "advance"}


def _participation(power: str, area: str, dice: random.Random) -> dict[str, Any]:
    return {"do": "report_participation", "power": power, "area": area, "how": dice.choice(HOW)}


def _conquest(country: str, power: str, dice: random.Random) -> dict[str, Any]:
    """A conquest that is merely said, or that a rule outside the documents brings about."""
    rule = {"by_rule": "a treaty"} if dice.random() < 0.3 else {}
    if dice.random() < 0.5:
        return {"do": "report_conquest", "area": country, "by": power, "brp": areas()[country].brp, **rule}
    return {"do": "report_status", "country": country, "status": "conquered", "power": power, **rule}


def play(seed: int, length: int) -> Iterator[tuple[State, State, dict[str, Any]]]:
    dice = random.Random(seed)
    declarations = ("ordered", "reported")[seed % 2]
    state, _ = set_up(
        Position(
            "classic-1939", options={"mobilization": "reported", "declarations": declarations, "set_up": "reported"}
        )
    )
    for _ in range(length):
        asked = command(state, dice)
        ruling = decide(state, as_command(asked))
        while ruling.needs is not None and ruling.needs.kind == "die":
            ruling = decide(state, as_command(asked), [dice.randint(1, 6)])
        assert ruling.needs is None, ruling.needs
        if ruling.refusals:
            assert all(refusal.clause for refusal in ruling.refusals)
            if asked["do"] == "advance" and not awaiting_set_up(state):
                return  # a duty that only units on the board can meet
            continue
        if dice.random() < 0.05:
            assert replayed(state, ruling.records) == ruling.state
        yield state, ruling.state, asked
        state = ruling.state


def counted(s: State) -> dict[str, dict[str, int]]:
    """Who has which positive yearly value on his books, area by area."""
    found: dict[str, dict[str, int]] = {}
    for account, amount in s.ledger.items():
        if isinstance(account, Annual) and amount > 0:
            found.setdefault(account.area, {})[account.power] = amount
    return found


def check_books(s: State, asked: dict[str, Any]) -> None:
    """An area counts for one power only, and for no more than it is worth."""
    books = counted(s)
    for name, by_power in books.items():
        assert len(by_power) == 1, (name, by_power, asked)
        large = 20 if name in ("spain", "turkey", "vichy_france") else 10
        assert sum(by_power.values()) <= max(areas()[name].brp, large), (name, by_power, asked)
    for part, whole in PARTS.items():
        both = sum(sum(books.get(name, {}).values()) for name in (part, whole))
        assert both <= areas()[whole].brp + areas()[part].brp, (part, asked)


def check_standing(before: State, after: State, asked: dict[str, Any]) -> None:
    """Every country is something that the rules know, and became it in a way that they know."""
    for name, standing in after.countries.items():
        was = before.countries[name]
        if was is standing:
            continue
        assert standing.status in STATUSES
        # Bessarabia and the border hexes become part of their country again when they are retaken in time.
        rejoins = name in PARTS and standing.status == "neutral"
        # The Ukraine is a Russian colony again when Russia takes Kiev from a German ally.
        rejoins = rejoins or (standing.status, standing.by) == ("colony", areas()[name].owner)
        assert standing.status in NEXT[was.status] or rejoins, (name, was, standing, asked)
        assert standing.clause, (name, asked)
        assert standing.reason, (name, asked)
        free = standing.status in ("neutral", "independent", "conquered")
        assert free or standing.by in powers(), (name, standing)


def check_enemies(before: State, after: State, asked: dict[str, Any]) -> None:
    """Nobody conquers from a friend: a partner's conquest passes only where it was retaken in this player turn."""
    if asked.get("by_rule"):
        return
    for name, standing in after.countries.items():
        was = before.countries[name]
        # A country that surrendered is held by whoever has its capital, its former power too (85.52).
        fell = was is not standing and standing.clause == "83.11" and standing.by in powers()
        # Partisans conquer for nobody: the country stays on the side of the power it was with (83.11, 83.61).
        if not fell or area_holder(after, name) == PARTISANS:
            continue
        if was.status not in HOLDS or not (was.by == standing.by or partners(after, was.by, standing.by)):
            continue
        assert was.status in ("conquered", "colony"), (name, was, standing, asked)
        assert has_conquest(after, name) == standing.by, (name, was, standing, asked)
        whole = after.countries[PARTS[name]] if name in PARTS else None
        assert whole is None or whole.by != standing.by, (name, whole, asked)


def check(before: State, after: State, asked: dict[str, Any]) -> None:
    assert not unbalanced(after), asked
    check_standing(before, after, asked)
    check_enemies(before, after, asked)
    check_books(after, asked)
    assert all(it.due >= after.moment or it.opened == after.moment for it in after.agenda), asked


@pytest.mark.parametrize("block", range(8))
def test_random_politics(block: int) -> None:
    moves = 0
    for seed in range(block * 25, block * 25 + 25):
        for before, after, asked in play(seed, 160):
            check(before, after, asked)
            moves += 1
    assert moves > 1500
