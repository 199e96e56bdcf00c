"""What chapter 81 says of the Urals box, of Manchuria and of the Siberian garrison as things stand."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.commonwealth.box_ways import urals_basing, urals_front
from warcabinet.rules.commonwealth.boxed import (
    BOX,
    URALS,
    factors_beside,
    limit_reduction,
    loss_beside_box,
    russian_factors,
)
from warcabinet.rules.garrisons.counting import (
    MANCHURIA,
    SIBERIA,
    garrison_value,
    manchurian_deterrent,
    siberian_minimum,
)
from warcabinet.rules.garrisons.strength import CAPITALS, manchurian_brps
from warcabinet.views.told.telling import Told, tells_of


@tells_of(BOX)
def of_the_urals(s: State) -> Iterator[Told]:
    yield Told("81.61", "the part of Russia that is on neither board, entered over the edges of both")
    yield Told("81.62", f"Russian air units that may base here: {urals_basing(s, 'russia')}")
    fronts = f"the {urals_front(s, 'germany')} front for the Axis, the {urals_front(s, 'japan')} front for Japan"
    yield Told("81.64", f"it may only be bombed: an operation on {fronts}")
    inside, beside = russian_factors(s), factors_beside(s)
    yield Told("81.65", f"{inside} Russian ground factors in it, {beside} of the enemy beside it")
    yield Told("81.68", "one attrition zone with the hexes beside it; it cannot be taken, nor hexes be taken from it")
    if loss := loss_beside_box(s, URALS):
        yield Told("81.71", f"as things stand Russia loses {loss} BRPs at the end of Axis combat")
    if reduction := limit_reduction(s, URALS):
        yield Told("81.72", f"the Russian construction limit is lower by {reduction} this turn")


@tells_of(*map(place_key, CAPITALS))
def of_manchuria(s: State) -> Iterator[Told]:
    yield Told("81.21", "a capital of Manchuria, as the other of the two, and a key economic area")
    yield Told("81.11", f"Manchuria is a Japanese colony worth {manchurian_brps(s)} BRPs and no part of China")
    told = f"its garrison is worth {garrison_value(s, MANCHURIA)} BRPs, and needs {manchurian_deterrent(s)}"
    yield Told("81.51B", f"{told} against a Russian declaration of war")


@tells_of("mongolia", "tannu_tuva")
def of_the_siberian_garrison(s: State) -> Iterator[Told]:
    told = f"worth {garrison_value(s, SIBERIA)} BRPs, at least {siberian_minimum(s)}"
    yield Told("81.41F", f"Russian units here belong to the Siberian garrison, {told}")
