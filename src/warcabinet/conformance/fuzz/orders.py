"""What a table might order or report at random, in both theaters: attacks, captures, results and surrenders."""

from __future__ import annotations

import random
from typing import Any

from warcabinet.figures.position import Position
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.state import State
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, home_hexes
from warcabinet.rules.minors.forces_of_minors import deployer
from warcabinet.rules.minors.set_up import awaiting_set_up

EUROPEAN = [name for name, area in countries().items() if area.theater == "europe" and area.places]
# The other theater: countries, colonies and key economic areas, and who fights over them.
IN_PACIFIC = [name for name, area in areas().items() if area.theater == "pacific" and area.places]
IN_PACIFIC_WAR = {"axis": ("japan",), "allied": ("britain", "usa", "russia", "china")}
SURRENDERING = ("australia", "india")
ALLIED = ("britain", "france", "usa", "russia")
HOW = ("offensive operations", "attrition", "grant", "declaration of war")


def opening(seed: int) -> Position:
    """Where a random game starts: every other one asks for declarations of war before hexes are taken."""
    declarations = ("ordered", "reported")[seed % 2]
    options = {"mobilization": "reported", "declarations": declarations, "set_up": "reported", "forces": "none"}
    return Position("classic-1939", options=options)


def random_order(s: State, dice: random.Random) -> dict[str, Any]:
    """Something that a table might order or report now; much of it is refused."""
    country = dice.choice(EUROPEAN)
    power = dice.choice(list(powers()))
    waiting = list(awaiting_set_up(s))
    if waiting and dice.random() < 0.8:
        return {"do": "deploy", "by": (deployer(s, waiting[0]) or ("britain",))[0], "country": waiting[0]}
    if dice.random() < 0.25:
        return _in_pacific(s, dice)
    step = s.place.step.name
    if step == "diplomatic phase" and dice.random() < 0.7:
        return _result(country, dice)
    if step == "declarations of war" and dice.random() < 0.7:
        target = country if dice.random() < 0.8 else power
        return {"do": "declare_war", "power": _mover(s, dice), "on": [target]}
    if step in ("movement", "combat") and dice.random() < 0.8:
        return _capture(_mover(s, dice), country, dice)
    if dice.random() < 0.1:
        return _conquest(country, power, dice)
    if s.powers["france"].surrendered and dice.random() < 0.02:
        return _french(dice)
    if dice.random() < 0.01:
        return {"do": "report_surrender", "power": power, "surrendered": dice.random() < 0.5}
    return {"do": "advance"}


def _in_pacific(s: State, dice: random.Random) -> dict[str, Any]:
    """The same in the other theater: Japanese attacks, Asian captures, Indochina, and a Commonwealth that gives up."""
    if not s.player:
        return {"do": "advance"}
    step, power = s.place.step.name, dice.choice(IN_PACIFIC_WAR[s.player])
    if step == "declarations of war":
        targets = [*IN_PACIFIC_WAR["allied" if s.player == "axis" else "axis"], "thailand", "java"]
        return {"do": "declare_war", "power": power, "on": [dice.choice(targets)]}
    if step in ("movement", "combat"):
        if dice.random() < 0.1:
            taken = {"places": list(home_hexes("french_indochina")), "by": power, "by_rule": "French colonies (76)"}
            return {"do": "report_control", **taken}
        return _capture(power, dice.choice(IN_PACIFIC), dice)
    if dice.random() < 0.05:
        surrender = {"country": dice.choice(SURRENDERING), "status": "conquered", "power": "japan"}
        return {"do": "report_status", **surrender}
    if dice.random() < 0.1:
        return _conquest(dice.choice(IN_PACIFIC), power, dice)
    return {"do": "advance"}


def _mover(s: State, dice: random.Random) -> str:
    """A power whose player turn it is."""
    return dice.choice([name for name in powers() if powers()[name].player == s.player])


def _result(country: str, dice: random.Random) -> dict[str, Any]:
    result = dice.randint(-3, 10)
    benefits = dice.choice(ALLIED) if result <= 0 else ""
    points = {"western_points": dice.randint(0, 2), "russian_points": dice.randint(0, 2)}
    return {"do": "report_result", "country": country, "result": result, "power": benefits, **points}


def _capture(power: str, country: str, dice: random.Random) -> dict[str, Any]:
    """A country's deciding places, or some of them, or merely a part in the fight for them."""
    places = list(areas()[country].places)
    taken = places if dice.random() < 0.7 else dice.sample(places, dice.randint(1, len(places)))
    if dice.random() < 0.1:
        return {"do": "report_participation", "power": power, "area": country, "how": dice.choice(HOW)}
    return {"do": "report_control", "places": taken, "by": power, "partisans": dice.random() < 0.1}


def _conquest(country: str, power: str, dice: random.Random) -> dict[str, Any]:
    """A conquest that is merely said, or that a rule outside the documents brings about."""
    rule = {"by_rule": "a treaty"} if dice.random() < 0.3 else {}
    if dice.random() < 0.5 or country not in countries():
        return {"do": "report_conquest", "area": country, "by": power, "brp": areas()[country].brp, **rule}
    return {"do": "report_status", "country": country, "status": "conquered", "power": power, **rule}


def _french(dice: random.Random) -> dict[str, Any]:
    if dice.random() < 0.5:
        return {"do": "report_free_french", "colony": dice.choice(EUROPEAN_FRENCH_COLONIES)}
    return {"do": "report_vichy", "places": dice.sample(["Marseilles", "Lyon", "Toulon"], dice.randint(1, 3))}
