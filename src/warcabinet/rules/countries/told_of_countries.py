"""What chapters 86 and 87, and 82.6 of the Ukraine, say of each country as things stand, for its page."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model import calendar
from warcabinet.model.names import called, powers
from warcabinet.model.state import State
from warcabinet.model.traits import SCANDINAVIANS
from warcabinet.rules.common.diplomacy import diplomatic_modifier
from warcabinet.rules.common.pieces import NEUTRAL, STANDS_ALONE
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.countries.iberia import HARBOURS, iberian_harbour, supply_source
from warcabinet.rules.countries.ireland import (
    atlantic_submarine_modifier,
    attacked_by_germany,
    ireland_open,
    irish_partisan_count,
    partisans_at_ulster,
)
from warcabinet.rules.countries.iron_ore import iron_ore_loss, ore_to_be_interrupted, remedies
from warcabinet.rules.countries.scandinavia import (
    controlled_reaction_modifier,
    germany_controls_norway,
    kattegat_open,
    norway_consents,
    waters_mined,
)
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.minors.border_wars import border_war_escalated, border_war_fought
from warcabinet.rules.minors.forces_of_minors import risen
from warcabinet.rules.minors.limits import (
    armor_admitted,
    axis_armor_in_finland,
    axis_factors_admitted,
    axis_factors_in_finland,
)
from warcabinet.rules.minors.own_turn import newly_attacked
from warcabinet.rules.minors.partisans import most_partisans


def _undecided(s: State, *names: str) -> bool:
    """Whether all of these countries are neutral still, a diplomatic result or not."""
    return all(s.countries[it].status in NEUTRAL for it in names)


@tells_of("denmark", "norway", "sweden")
def kattegat_now(s: State) -> Iterator[Told]:
    shut = [called(it) for it in powers() if not kattegat_open(s, it)]
    names = f"shut to {', '.join(shut)}" if shut else "open to everyone"
    yield Told("86.13", f"the Kattegat is {names}: whoever holds Copenhagen or H33 shuts it to his enemies")


@tells_of("denmark")
def denmark_now(s: State) -> Iterator[Told]:
    if _undecided(s, "denmark"):
        yield Told("86.122", "attacked by Germany it does not resist: its hexes are German and supplied at once")
    if _undecided(s, "denmark", "norway"):
        yield Told("86.121", "one declaration of war, for 10 BRPs, may be for it and Norway together")
    if fully_supplied(s, "germany", "Copenhagen") and newly_attacked(s, "denmark"):
        yield Told("86.122", "Axis air units operate out of it in this very player turn: its hexes are fully supplied")


@tells_of("finland")
def finland_now(s: State) -> Iterator[Told]:
    status = s.countries["finland"].status
    if status != "conquered":
        told = "Germany may name it as a diplomatic target in any turn of the year, with or without DPs there"
        yield Told("86.22", told)
        yield Told("86.25", "its units defend outside their own country without the -1 DM")
    factors, armor = axis_factors_in_finland(s), axis_armor_in_finland(s)
    most = f"at most {axis_factors_admitted(s)} and {armor_admitted(s)}, Finns and Swedes not counted"
    yield Told("86.23", f"{factors} Axis factors and {armor} Axis armor units are in it: {most}, whoever has it")
    if status in STANDS_ALONE:
        yield Told("86.24", _border_war(s))


def _border_war(s: State) -> str:
    if border_war_escalated(s, "finland"):
        return (
            "its border war with Russia has escalated: until peace is reported it is at war with Russia, which fights "
            "in all of Finland without a declaration of war"
        )
    if border_war_fought(s, "finland"):
        return (
            "Russia fights it for its border hexes without a declaration of war, and for no others unless it escalates"
        )
    return "Russia may fight it for its border hexes without a declaration of war, once a border war is reported"


@tells_of("norway")
def norway_now(s: State) -> Iterator[Told]:
    heavy_water = f"German die rolls for controlled reaction research: {controlled_reaction_modifier(s):+}"
    yield Told("86.37", f"{heavy_water}; -2 while the Allies control Oslo or a result of 1-2 or less is in effect")
    if _undecided(s, "norway", "denmark"):
        yield Told("86.38", "one declaration of war, for 10 BRPs, may be for it and Denmark together")
    if waters_mined(s):
        yield Told("86.36", "its waters are mined, until Germany gains control of it")
    elif not germany_controls_norway(s):
        consent = "with its consent" if norway_consents(s) else "without its consent"
        yield Told("86.33", f"the Western Allies may mine its waters in fall and winter, now {consent}")
    if diplomatic_modifier(s, "norway"):
        yield Told("86.35B", f"diplomatic die rolls for it: {diplomatic_modifier(s, 'norway'):+}")


@tells_of("norway", "sweden")
def iron_ore_now(s: State) -> Iterator[Told]:
    loss = iron_ore_loss(s)
    if loss:
        cure = remedies(s, calendar.SEASONS[s.season])
        told = f"Swedish iron ore is interrupted this turn: the German construction limit is {loss} BRPs lower"
        yield Told("86.421", f"{told}; {cure} would restore it" if cure else f"{told}; from the next turn on it flows")
        return
    yield Told("86.421", "Swedish iron ore reaches Germany")
    for it in ore_to_be_interrupted(s):
        yield Told("86.421", f"{it.text}; averted by {it.averted_by}")
    causes = "the Allies in Stockholm, a German attack that Sweden outlasts, a result of 0 or less for it"
    winter = "in winter and spring the Allies in Bergen, or mined waters unless Bergen is German"
    yield Told("86.42", f"iron ore would be cut by {causes}; {winter}")


@tells_of(*SCANDINAVIANS)
def scandinavians_now(s: State) -> Iterator[Told]:
    where = "Norway, Sweden, Finland and the Russian hexes beside Finland"
    by_sea = "by sea along the Norwegian coast and through the Baltic"
    yield Told("86.51", f"as a minor ally's its units keep to {where}; ground and air units also go {by_sea}")


@tells_of("sweden")
def sweden_now(s: State) -> Iterator[Told]:
    if s.countries["sweden"].status == "conquered":
        return  # its units have left play for good (83.21)
    may = "its infantry may fight in Finland"
    yield Told("86.43", may if border_war_escalated(s, "finland") else f"should the border war there escalate, {may}")
    yield Told("86.44", "its units defend outside their own country without the -1 DM")


@tells_of("belgium", "luxembourg")
def one_country_and_two(s: State) -> Iterator[Told]:
    if _undecided(s, "belgium", "luxembourg"):
        told = "one declaration of war, for 10 BRPs, may be for Belgium and Luxembourg, or for one of them"
        yield Told("87.13A", told)
    if "conquered" not in (s.countries["belgium"].status, s.countries["luxembourg"].status):
        yield Told("87.13B", f"diplomatic results are for both{_penetrated(s)}")
        yield Told("87.13C", "foreign factors in both count together against the limit")


def _penetrated(s: State) -> str:
    """Influence in Belgium is influence in Luxembourg too, which stands as it did and brings no BRPs of its own."""
    belgium = s.countries["belgium"]
    return (
        f"; {called(belgium.by)} has influence in both, whose BRPs come once" if belgium.status == "penetrated" else ""
    )


@tells_of("ireland")
def ireland_now(s: State) -> Iterator[Told]:
    most, there = most_partisans(s, "ireland", "axis"), irish_partisan_count(s)
    yield Told("87.21", "Ulster is part of Britain")
    yield Told("87.22", _who_enters_ireland(s))
    yield Told("87.23", f"Germany may have {most} partisans here, {there} are on the board; one may be built in a turn")
    yield Told("87.23", f"{partisans_at_ulster(s)} of them in or beside Ulster cost Britain a BRP each, every turn")
    if attacked_by_germany(s):
        yield Told("87.23", "Germany has declared war on it: there are no Irish partisans any more")
    else:
        why = "two after an Allied declaration of war or an 8, one after a 7"
        yield Told("87.23", f"Irish partisans: {why}; a German declaration of war would end them for good")
    helps = "a 7 or more adds one; a 2, a 3-4 or an Allied conquest ends that"
    yield Told("87.24", f"Axis dice roll for Atlantic submarine warfare: {atlantic_submarine_modifier(s):+}; {helps}")


def _who_enters_ireland(s: State) -> str:
    let_in = [called(it) for it in powers() if ireland_open(s, it)]
    if not let_in:
        return "neither side enters without a declaration of war, for 10 BRPs"
    return f"open to {', '.join(let_in)}; nobody else enters without a declaration of war, for 10 BRPs"


@tells_of("portugal", "spain")
def harbours_now(s: State) -> Iterator[Told]:
    has = "Germany has" if iberian_harbour(s) else "Germany does not have"
    names = f"{', '.join(HARBOURS[:-1])} or {HARBOURS[-1]}"
    yield Told(
        "87.42", f"{has} its modifier for Atlantic submarine warfare: {names}, Axis and fully supplied, gives it"
    )


@tells_of("portugal")
def portugal_now(s: State) -> Iterator[Told]:
    if not _undecided(s, "portugal"):
        return
    now = "" if _undecided(s, "spain") else "; Spain is not neutral any more, so nothing follows there"
    yield Told("87.43", f"attacked by the Western Allies while Spain is neutral, it brings Spain to Germany{now}")


@tells_of("spain")
def spain_now(s: State) -> Iterator[Told]:
    yield Told("87.51", "conquered only with both Madrid and Tangier; for all else Madrid is its one capital")
    yield Told("87.51", f"Tangier is a {supply_source(s, 'Tangier')} supply source")


@tells_of("ukraine")
def ukraine_now(s: State) -> Iterator[Told]:
    if not risen(s):
        yield Told("82.63", "its units deploy only after a diplomatic result by which it associates or allies")
    yield Told("82.61", "which of them it has depends on that result: those are named when it is set up")
