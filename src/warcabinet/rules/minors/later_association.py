"""Associations after the first turn of attack, or at once where a garrison is attacked (82.34, 82.82, 84.22)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.events import Happened, PowerChanged, WarBegan
from warcabinet.model.names import called, countries, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened_to
from warcabinet.rules.common.books import out_of_the_economy
from warcabinet.rules.common.diplomacy import lapse
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of, war_between
from warcabinet.rules.kinds import definition, effect
from warcabinet.rules.minors.association import (
    IN_EUROPE,
    associate,
    association_pays,
    fights_alone,
    free_to_join,
    may_associate_by_survival,
    may_join,
    opposes,
    protector,
    waits,
)
from warcabinet.rules.minors.attack import attacked_as_one, guards
from warcabinet.rules.minors.leaving import may_stay
from warcabinet.rules.minors.status import release_hexes


@effect("84.22", on=WarBegan, covers=("84.11B",))
def join_when_war_comes(p: Proceedings, began: WarBegan) -> None:
    """A victim of a neutral power associates when an opposing faction goes to war with it."""
    for attacker, other in (began.between, began.between[::-1]):
        if attacker in powers() and other in powers():
            # Those attacked in this player turn whose garrison fights the attacker only now: the order is no matter.
            for country in happened_to(p.s, ("attacked",), "player turn"):
                if attacker in attackers_of(p.s, country):
                    p.run(garrisoned_joins, WarBegan((attacker, country), attacker))
            _victims_join(p, attacker, other)


def _victims_join(p: Proceedings, attacker: str, other: str) -> None:
    """Those whom a power attacked while it was neutral join, if it is another's war with it that ends this."""
    opposed_before = any(opposes(p.s, it, attacker) for it in IN_EUROPE if it != other)
    if opposed_before or faction(p.s, attacker) == faction(p.s, other):
        _turn_to_protector(p, attacker, other)
    for country in _victims(p.s, attacker):
        # Who was refused by an earlier opponent, or could not join him, turns to this one.
        if protector(p.s, country, attacker) == other and not waits(p.s, country, attacker):
            note("attacker_opposed", "84.11B", other, country)
            associate(p, country, other, "84.11B", "its attacker is opposed", "war")
            may_stay(p, country, "it has joined a power")
            p.do(Happened(Happening(p.s.moment, "associated by survival", country)))


def _turn_to_protector(p: Proceedings, attacker: str, other: str) -> None:
    """Who joined another in this very phase stands with Britain or Germany, if that goes to war in it too (84.21).

    Powers go to war one by one, and which of them is named first decides nothing.
    """
    for country in happened_to(p.s, ("associated by survival",), "phase"):
        standing = p.s.countries[country]
        # A country that joined a power against another attacker than this one stays with it.
        just = standing.status == "associated" and standing.by != other and attacker in attackers_of(p.s, country)
        just = just and opposes(p.s, standing.by, attacker)
        if just and protector(p.s, country, attacker) == other and not waits(p.s, country, attacker):
            release_hexes(p, country, standing.by, partner=other)
            lapse(p, country, f"it stands with {called(other)}", association_pays)
            associate(p, country, other, "84.21", "its protector is at war with its attacker too", "war")


def _victims(s: State, attacker: str) -> list[str]:
    """Independent countries that outlasted the first turn of this power's attack, whoever else attacks them now."""
    return [
        name
        for name in s.countries
        if fights_alone(s, name)
        and countries()[name].theater == "europe"
        and attacker in attackers_of(s, name)
        and outlasted(s, name, attacker)
    ]


def outlasted(s: State, country: str, attacker: str) -> bool:
    """Whether the player turn in which a power attacked a country is over."""
    war = war_between(s, country, attacker)
    if war is None:
        return False
    return war.since < s.turn or (player_of(attacker) == "axis" and s.player == "allied")


@effect("84.21C", on=PowerChanged, when=lambda s, changed: changed.power == "britain" and changed.surrendered is False)
def join_on_reentry(p: Proceedings, changed: PowerChanged) -> None:
    """Countries that Germany or Italy attacked, or a Russia at war with it, join Britain when it re-enters the war."""
    for attacker in ("germany", "italy"):
        for country in _victims(p.s, attacker):
            # Another than Britain may be fighting its attacker; it is Britain that it joins, if that would have it.
            if free_to_join(p.s, country, "britain") and not waits(p.s, country, attacker):
                associate(p, country, "britain", "82.81C", "Britain has re-entered the war", "war")
                p.do(Happened(Happening(p.s.moment, "associated by survival", country)))
    if at_war(p.s, "russia", "britain"):
        _victims_join(p, "russia", "britain")


@effect("84.22", on=PowerChanged, when=lambda s, changed: changed.power != "britain" and changed.surrendered is False)
def join_on_return(p: Proceedings, changed: PowerChanged) -> None:
    """The victims of a neutral power associate when one that had surrendered fights it again (R-0443)."""
    for attacker in tuple(it for it in powers() if at_war(p.s, it, changed.power)):
        _victims_join(p, attacker, changed.power)


@definition("82.34", "A country is garrisoned by a power that is at war with the attacker, and not with it (R-0493)")
def garrisoned_by_enemy(s: State, country: str, attacker: str) -> str:
    inside = guards(s, country, attacker)
    # A Britain that surrendered is joined when it re-enters the war, not before (82.81C).
    fighting = (
        it for it in inside if not (out_of_the_economy(s, it) or (it == "britain" and s.powers[it].surrendered))
    )
    return next((power for power in fighting if at_war(s, power, attacker)), "")


@effect("82.34", on=WarBegan, covers=("82.81A", "84.21B"))
def garrisoned_joins(p: Proceedings, began: WarBegan) -> None:
    """A garrisoned country associates with the garrison's power at once when that power's enemy attacks it."""
    attacked = next((it for it in began.between if it in countries()), "")
    if not attacked or began.declared_by not in powers():
        return
    for country in attacked_as_one(p.s, attacked, began.declared_by):
        power = garrisoned_by_enemy(p.s, country, began.declared_by)
        alone = may_associate_by_survival(p.s, country, began.declared_by)
        if power and alone and at_war(p.s, country, began.declared_by) and may_join(p.s, country, power):
            note("immediate", "84.21B", True, country)
            note("immediate", "82.81A", True, country)
            associate(p, country, power, "82.34", "its garrison's enemy attacked it", "attack")
            may_stay(p, country, "it has joined a power")
