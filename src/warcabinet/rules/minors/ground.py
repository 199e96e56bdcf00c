"""Closed ground: where units may not be, attack, operate from or take anything, to whom it is closed and until when.

One gate judges every presence, by order or by report (82.34, 82.41, 82.42, and what the chapters of single countries
say of them). Rows stand nearest clause first, the general rules last; a row asks who holds a place and how its country
stands now. To close more ground is to add a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from warcabinet.kernel.limits import Refusal
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, EUROPEAN_FRENCH_COLONIES, PARTS, VICHY
from warcabinet.rules.common.pieces import NEUTRAL, faction, patron, regulars_at, units_at
from warcabinet.rules.common.presence import ACTS, SALLIES, Act, Presence, Supposed, barred
from warcabinet.rules.common.taking import country_at
from warcabinet.rules.common.war_and_peace import (
    at_war,
    attackers_of,
    colony_by_result,
    french_remnant,
    player_of,
    stands_with,
    vichys_by_result,
    vichys_own,
)
from warcabinet.rules.minors.alliance import closed_to_russia
from warcabinet.rules.minors.attack import (
    BELONGING,
    fought_over,
    garrison_in_the_way,
    may_attack_country,
    own_country,
    shielded_by,
    whole_of,
)
from warcabinet.rules.minors.geography import (
    admits,
    at_home,
    closed_to_all,
    country_now,
    dutch_indies_open,
    enemys_by_force,
    in_area,
    land,
    thailand_open,
)
from warcabinet.rules.minors.leaving import on_its_way_out, to_be_left
from warcabinet.rules.minors.pacific import FRENCH_ISLANDS, pacific_class
from warcabinet.rules.minors.reported import at_peace_with, holder_at_peace, in_its_own_war, left_by_surrender
from warcabinet.rules.minors.stacking import is_site
from warcabinet.rules.minors.status import border_war_fought, minor_at_war, wages_war
from warcabinet.rules.minors.units import follows_power

REGULAR: tuple[Act, ...] = ("enter", "attack", "operate", "take")


class Ground(NamedTuple):
    """A presence as the gate looks at it: who leads the units, where they would be, and whose land that is."""

    nation: str
    power: str
    at: str
    country: str
    it: Presence | Supposed

    @property
    def act(self) -> Act:
        """What units that are built in a place do there is what those do that come to it."""
        return "enter" if self.it.act == "build" else self.it.act


class Until:
    """What opens closed ground; several are joined by `|` and `&`."""

    def __init__(self, opens: Callable[[State, Ground], bool]) -> None:
        self.opens = opens

    def __or__(self, other: Until) -> Until:
        return Until(lambda s, it: self.opens(s, it) or other.opens(s, it))

    def __and__(self, other: Until) -> Until:
        return Until(lambda s, it: self.opens(s, it) and other.opens(s, it))


Told = Callable[[State, Ground], str]


class Closed(NamedTuple):
    """Ground that is closed: by which clause, where, until when, how that is told, to whom and for which acts.

    Where a position does not know who declared war on whom, the acts that want `declared` wars are not judged, and
    those that are `reported` only as orders.
    """

    clause: str
    places: Callable[[State, Ground], bool]
    until: Until
    text: str | Told
    to: Callable[[State, Ground], bool] = lambda s, it: it.act != "enter" or _follows_its_power(s, it)
    acts: tuple[Act, ...] = REGULAR
    declared: tuple[Act, ...] = ()
    reported: tuple[Act, ...] = ()
    also: tuple[str, ...] = ()

    def refusal(self, s: State, it: Ground) -> Refusal | None:
        """Why this ground is closed to the units, if it is."""
        if it.act not in self.acts or not self.is_known(s, it):
            return None
        if not self.places(s, it) or not self.to(s, it) or self.until.opens(s, it):
            return None
        text = self.text if isinstance(self.text, str) else self.text(s, it)
        told = text.format(place=it.it.place, power=called(it.power))
        nearest = RESTATED.get((self.clause, it.country), "")
        return Refusal(nearest or self.clause, told, also=(*((self.clause,) if nearest else ()), *self.also))

    def is_known(self, s: State, it: Ground) -> bool:
        """Whether a position knows enough to judge this."""
        if s.options.declarations == "ordered":
            return True
        return it.act not in self.declared and not (it.act in self.reported and it.it.reported)


#: Clauses that say of one country what a general one says of all, by that clause and the country.
RESTATED = {
    ("82.41", "arabia"): "88.21",
    ("82.41", "communist_china"): "79.11",
    ("82.41", "ireland"): "87.22",
    ("82.41", "persia"): "88.62",
    ("84.32", "thailand"): "89.51B",
    ("84.33", DUTCH): "89.24",
}


def country_of_place(s: State, place: str) -> str:
    """The country by whose standing a place is entered or attacked: what Vichy France has of France is Vichy's."""
    if place.startswith("box/"):
        return next((it for it, boxes in COMMONWEALTH_BOXES.items() if place in boxes), "")
    lies_in = country_now(s, place)
    if lies_in not in countries() and (vichys_own(s, place) or vichys_by_result(s, place)):
        return VICHY
    return lies_in


# -- where and to whom --------------------------------------------------------------------------------------------


def country(*names: str) -> Callable[[State, Ground], bool]:
    return lambda s, it: it.country in names


def anybody(s: State, it: Ground) -> bool:
    return True


def side(name: str) -> Callable[[State, Ground], bool]:
    return lambda s, it: faction(s, it.power) == name and (it.act != "enter" or _follows_its_power(s, it))


def in_a_country(s: State, it: Ground) -> bool:
    return it.country in countries()


def is_ground(s: State, it: Ground) -> bool:
    """What is attacked may be in a box; who goes there, and out of it, the chapters on boxes say."""
    return it.act == "attack" or not it.at.startswith("box/")


def _follows_its_power(s: State, it: Ground) -> bool:
    """Whether units go where their power's may; where others may be, and these at home, their own clauses tell."""
    if it.act == "operate" or it.nation in powers() or it.nation in COMMONWEALTH_BOXES:
        return True
    return follows_power(s, it.nation) and not at_home(it.nation, it.at) and in_area(s, it.nation, it.at)


# -- until when ---------------------------------------------------------------------------------------------------

never = Until(lambda s, it: False)
russia_fights_japan = Until(lambda s, it: not closed_to_russia(s))
dutch_associated = Until(lambda s, it: dutch_indies_open(s, it.power))
thailand_opened = Until(lambda s, it: thailand_open(s, it.power, it.at))
britain_in_the_war = Until(lambda s, it: not s.powers["britain"].surrendered)
leads_or_fights_it = Until(lambda s, it: admits(s, it.power, it.country))
side_holds_it = Until(lambda s, it: faction(s, holder(s, it.at)) == faction(s, it.power))
open_to_its_power = Until(lambda s, it: in_area(s, _as_whom(it), it.at))
stays_in_its_country = Until(lambda s, it: isinstance(it.it, Presence) and it.it.stays_in == land(it.at)[0])
leaving_after_reversal = Until(lambda s, it: it.it.origin != "" and on_its_way_out(s, it.nation, it.it.origin, it.at))
no_garrison_between = Until(lambda s, it: not _shielded(s, it))
at_war_with_its_owner = Until(lambda s, it: not _owner_at_peace(s, it))
war_was_declared = Until(lambda s, it: not _undeclared(s, it))
no_peaceful_units = Until(lambda s, it: not _peaceful_units(s, it))
of_its_own_units = Until(lambda s, it: _stands_there(s, it))


def _as_whom(it: Ground) -> str:
    """Commonwealth units go where the power that they are lent to, or Britain, may (82.13)."""
    return it.nation if it.nation in COMMONWEALTH_BOXES else it.power


def _shielded(s: State, it: Ground) -> str:
    """The power whose garrison an attacker would have to fight as well (82.34)."""
    return shielded_by(s, whole_of(s, it.country), it.power)


def _owner_at_peace(s: State, it: Ground) -> str:
    """The power of another side with which one must be at war to be at a place, or to attack or take it (82.42).

    Where units of one Allied faction may go on the soil of another is not told in these chapters, and is not judged.
    """
    owner = holder_at_peace(s, it.at, it.power)
    if owner and in_its_own_war(s, it.at, it.power, owner) and not (it.act != "take" and own_land(s, it)):
        owner = ""
    if it.act == "attack" and it.country == DUTCH:
        return ""  # of attacks there 82.93 speaks
    if it.act in ("attack", "take"):
        owner = owner or left_by_surrender(s, it.at, it.power)
    elif owner and (player_of(owner) == player_of(it.power) or s.powers[it.power].surrendered):
        owner = ""
    return "" if owner and wages_war(s, it.nation, owner) else owner


def _peaceful_units(s: State, it: Ground) -> bool:
    """Whether units on a hex of one's own side, caught there as the country turned, are those of a power at peace."""
    if faction(s, holder(s, it.at)) != faction(s, it.power):
        return False
    there = {patron(s, one.nation) for one in regulars_at(s, it.at)} - {""}
    others = [one for one in there if player_of(one) != player_of(it.power)]
    return bool(others) and not any(at_war(s, it.power, one) or wages_war(s, it.nation, one) for one in others)


def own_land(s: State, it: Ground) -> bool:
    return it.country in countries() and own_country(s, it.power, whole_of(s, it.country))


def _undeclared(s: State, it: Ground) -> str:
    """The neutral country that would be attacked, or lose a place, without a declaration of war on it (82.41)."""
    if it.act == "take" and (country := at_peace_with(s, it.at, it.power)):
        return country
    return vichy_at_peace(s, it.at, it.power) or (_attacked_in_peace(s, it) if it.act == "attack" else "")


def vichy_at_peace(s: State, place: str, power: str) -> str:
    """Vichy France, where a place is its own and a power may not attack it there."""
    if not s.powers["france"].surrendered:
        return ""
    lies_in = land(place)[0]
    overseas = lies_in in EUROPEAN_FRENCH_COLONIES
    given = vichys_by_result(s, place) or (overseas and colony_by_result(s, lies_in) and holder(s, place) in powers())
    by_result = given and faction(s, holder(s, place)) != faction(s, power)
    # Nobody need have said that the surrender left a colony to Vichy France.
    vichys = vichys_own(s, place) or by_result or (overseas and french_remnant(s, place))
    fought = lies_in if lies_in in countries() else VICHY
    return VICHY if vichys and power in powers() and not may_attack_country(s, power, fought) else ""


def _attacked_in_peace(s: State, it: Ground) -> str:
    whole = whole_of(s, it.country) if it.country in countries() else ""
    if not whole or may_attack_country(s, it.power, it.country) or fought_over(s, it.power, it.at):
        return ""
    standing = s.countries[whole]
    mine = standing.by != "" and faction(s, standing.by) == faction(s, it.power) and standing.status != "penetrated"
    if mine and not (standing.status == "controlled" and _neutrals_attacked(s, it, whole)):
        return ""
    # An associate may have a war of its own, older than its association (R-1961).
    if it.nation in countries() and minor_at_war(s, whole, it.nation):
        return ""
    return "" if enemys_by_force(s, it.power, it.at, whole) else whole


def _neutrals_attacked(s: State, it: Ground, whole: str) -> bool:
    """Whether a country under a result, which is neutral still, is attacked: its own units, or a rival's guests.

    So it is wherever nobody has attacked it: there are no invaders to fight, at the most partisans (R-2161).
    """
    if not it.it.exact:
        return False
    units = tuple(units_at(s, it.at))
    there = {one.nation for one in units if one.branch != "partisan"}
    mine, invaders = faction(s, it.power), attackers_of(s, whole)
    if not invaders and not any(one.branch == "partisan" for one in units):
        return True
    led_by = (patron(s, one) for one in there)
    return whole in there or any(one in powers() and faction(s, one) != mine and one not in invaders for one in led_by)


def _stands_there(s: State, it: Ground) -> bool:
    """Whether units defend a neutral country in which they stand already, caught there by a reversal (82.33)."""
    whole = whole_of(s, it.country) if it.country in countries() else ""
    if it.act != "operate" or not whole or s.countries[whole].status not in NEUTRAL:
        return False
    return any(one.nation == it.nation for one in s.pieces.at(it.at)) or stands_with(s, holder(s, it.at), it.power)


# -- in words -----------------------------------------------------------------------------------------------------


def _of_iraq(s: State, it: Ground) -> str:
    if s.powers["britain"].surrendered:
        return "Britain has surrendered: without war with the U.S. the Axis stay out of Iraq"
    return "Iraq is a British colony, and Britain is not an enemy"


def _aligned(s: State, place: str) -> None:
    """With whom a Pacific country stands is told with a refusal: it is in the war only as that power is (82.93)."""
    lies_in = country_at(place) or land(place)[0]
    if lies_in in FRENCH_ISLANDS or (lies_in in countries() and countries()[lies_in].theater == "pacific"):
        pacific_class(s, lies_in)


def _of_garrison(s: State, it: Ground) -> str:
    name = called(whole_of(s, it.country))
    return f"{{place}} lies in {name}, garrisoned by {called(_shielded(s, it))}: declare_war comes first"


def _of_owner(s: State, it: Ground) -> str:
    owner = _owner_at_peace(s, it)
    _aligned(s, it.at)
    first = "" if s.powers[owner].surrendered else ": declare_war comes first"
    return f"{{place}} is {called(owner)}'s, with whom {{power}} is at peace{first}"


def _of_neutral(s: State, it: Ground) -> str:
    """How the country stands that is closed to a power, and what would open it."""
    _aligned(s, it.at)
    name = whole_of(s, it.country) if it.country in countries() else it.country
    if name == DUTCH:
        # The Dutch East Indies have no war of their own: whoever wants them goes to war with Britain (82.93).
        fights = at_war(s, it.power, "britain")
        first = "Japan does not fight Britain" if fights else "{power} has not declared war on Britain"
        return f"{{place}} lies in the Dutch East Indies, and {first}{'' if fights else ': declare_war comes first'}"
    if name not in s.countries:
        return f"{{place}} is closed to {called(it.nation)}"
    standing = s.countries[name]
    if name == "communist_china":
        return "{place} is held by Communist China, which fights Japan alone, and {power} is at peace with it"
    told = f"{f'{{place}} lies in {called(name)}, which' if it.it.exact else called(name)} is {standing.status}"
    if standing.status in BELONGING and standing.by:
        peace = "" if at_war(s, it.power, standing.by) else f", and {{power}} is not at war with {called(standing.by)}"
        return f"{told} ({called(standing.by)}){peace}"
    return f"{told}, and {{power}} has not declared war on it: {_first(s, it.power, name)} comes first"


def _first(s: State, power: str, name: str) -> str:
    """What opens a country's hexes to a power: a declaration, and to Russia in some a border war as well (82.41)."""
    if name == "persia":
        return "declare_war, or the opening of the Persian route,"
    if power != "russia" or name not in PARTS.values():
        return "declare_war"
    if in_the_way := garrison_in_the_way(s, name, power):
        return f"declare_war, on {' and '.join(map(called, in_the_way))} as well, whose units are in it,"
    if name == "finland" and border_war_fought(s, name):
        return "declare_war, or a report that the border war over three hexes has escalated (report_border_war),"
    return "declare_war, or report_border_war,"


# -- the rows -----------------------------------------------------------------------------------------------------

CLOSED: tuple[Closed, ...] = (
    Closed(
        "82.41",
        lambda s, it: closed_to_all(it.at),
        never,
        "{place} lies in Switzerland, which is closed to everyone",
        acts=ACTS,
    ),
    Closed(
        "82.33",
        lambda s, it: it.it.act == "build" and to_be_left(s, it.power, it.at) != "",
        never,
        "nothing is built in {place}: the units there must leave the country by the end of the player turn",
        acts=("enter",),
    ),
    Closed(
        "85.62",
        lambda s, it: holder(s, it.at) == "communist_china",
        russia_fights_japan,
        "{place} is Communist China's; Russians enter its hexes once Russia is at war with Japan",
        to=lambda s, it: it.nation == "russia",
        acts=("enter", "operate", "take"),
    ),
    Closed(
        "84.33",
        country(DUTCH),
        dutch_associated,
        "{place} lies in the Dutch East Indies, which have not associated with Britain yet",
        to=side("western allies"),
        acts=("enter", "operate", "take"),
    ),
    Closed(
        "84.32",
        country("thailand"),
        thailand_opened,
        "{place} lies in Thailand, which neither side enters until it joins Japan, save in war with it",
        acts=("enter", "operate", "take"),
    ),
    Closed(
        "88.55",
        country("iraq"),
        side_holds_it | leads_or_fights_it | (britain_in_the_war & open_to_its_power),
        _of_iraq,
        to=side("axis"),
        reported=("enter", "operate", "take"),
    ),
    Closed(
        "82.34",
        in_a_country,
        side_holds_it | no_garrison_between,
        _of_garrison,
        to=anybody,
        acts=("enter", "take"),
        declared=("enter", "take"),
    ),
    Closed("82.34", in_a_country, no_garrison_between, _of_garrison, acts=("attack",)),
    Closed("82.41", is_ground, war_was_declared, _of_neutral, acts=("attack", "take"), declared=("take",)),
    Closed(
        "82.42",
        is_ground,
        no_peaceful_units,
        "units of a power with which {power} is at peace stand at {place}",
        acts=("attack",),
        declared=("attack",),
    ),
    Closed(
        "82.42",
        is_ground,
        stays_in_its_country | at_war_with_its_owner,
        _of_owner,
        to=anybody,
        declared=REGULAR,
        also=("82.41",),
    ),
    Closed(
        "82.41",
        is_ground,
        stays_in_its_country | open_to_its_power | leaving_after_reversal | of_its_own_units,
        _of_neutral,
        acts=("enter", "operate"),
        reported=("enter", "operate"),
    ),
)


def clauses(rows: tuple[Closed, ...]) -> tuple[str, ...]:
    """Every clause by which rows close ground, and those that restate them."""
    return tuple(dict.fromkeys((*(it.clause for it in rows), *RESTATED.values())))


@barred(
    "82.41",
    acts=("enter", "attack", "take", "rise", "build"),
    when=lambda s, it: (it.act == "rise" or it.regular) and patron(s, it.nation) != "" and is_site(s, it),
    also=clauses(CLOSED)[1:],
)
def ground_is_open(s: State, it: Presence) -> Refusal | None:
    """Units are, attack and take only where the ground is open to them."""
    return closing(s, it)


@barred(
    "82.41",
    acts=("operate",),
    when=lambda s, it: patron(s, it.nation) != "" and not _attacks_out_of_neutral(s, it),
    also=clauses(CLOSED)[1:],
)
def base_is_open(s: State, it: Presence) -> Refusal | None:
    """Units operate only from where they may be."""
    return closing(s, it)


def closing(s: State, it: Presence | Supposed) -> Refusal | None:
    """By which clause, and why, the ground is closed to units, if it is."""
    ground = Ground(it.nation, patron(s, it.nation), it.at, country_of_place(s, it.at), it)
    return next(filter(None, (row.refusal(s, ground) for row in CLOSED)), None)


def _attacks_out_of_neutral(s: State, it: Presence) -> bool:
    """Whether units attack out of a country that is neutral, whatever result it is under: 82.33 judges that."""
    if it.act != "operate" or it.how not in SALLIES:
        return False
    name = country_of_place(s, it.at)
    return name in countries() and s.countries[whole_of(s, name)].status in NEUTRAL


def entry_closed(s: State, nation: str, place: str) -> bool:
    """Whether a place is closed to units that would enter it or pass through it."""
    return closing(s, Supposed(nation, place)) is not None
