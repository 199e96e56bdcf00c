"""Closed ground: where units may not be, attack, operate from or take anything, to whom it is closed and until when.

One gate judges every presence, by order or by report (82.34, 82.41, 82.42, and what the chapters of single countries
say of them). Rows stand nearest clause first, the general rules last; a row asks who holds a place and how its country
stands now. To close more ground is to add a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from warcabinet.kernel.kept import lasting, once
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note, quietly, telling
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import NOWHERE, Place, holder
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, PARTS, VICHY, home_hexes
from warcabinet.rules.common import pieces, war_and_peace
from warcabinet.rules.common.diplomacy import areas_at, country_at
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import NEUTRAL, faction, patron, units_at
from warcabinet.rules.common.presence import ACTS, SALLIES, Act, Presence, barred
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of, vichys_by_result, vichys_own
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors import attack, geography, pacific
from warcabinet.rules.minors.areas import is_site, minors_area, open_to
from warcabinet.rules.minors.association import closed_to_russia
from warcabinet.rules.minors.attack import BELONGING, may_attack_country, own_ground, whole_of
from warcabinet.rules.minors.limits import on_its_way_out, to_be_left
from warcabinet.rules.minors.status import border_war_fought, minor_at_war, wages_war

REGULAR: tuple[Act, ...] = ("enter", "attack", "operate", "take")


class Ground(NamedTuple):
    """A presence as the gate looks at it: who leads the units, where they would be and in whose land, to do what."""

    nation: str
    power: str
    at: Place
    act: Act = "enter"
    #: Whence units come that enter, if that is said.
    origin: Place = NOWHERE
    #: What units that are built in a place do there is what those do that come to it.
    built: bool = False
    #: The country within which units only make way in its capital (82.56).
    stays_in: str = ""
    exact: bool = True
    reported: bool = False
    country: str = ""


class Until:
    """What opens closed ground; several are joined by `|` and `&`."""

    def __init__(self, opens: Callable[[State, Ground], bool]) -> None:
        self.opens = opens

    def __or__(self, other: Until) -> Until:
        return Until(lambda s, it: self.opens(s, it) or other.opens(s, it))

    def __and__(self, other: Until) -> Until:
        return Until(lambda s, it: self.opens(s, it) and other.opens(s, it))


class Closed(NamedTuple):
    """Ground that is closed: by which clause, where, until when, how that is told, to whom and for which acts.

    Where a position does not know who declared war on whom, the acts that want `declared` wars are not judged, and
    those that are `reported` only as orders.
    """

    clause: str
    places: Callable[[State, Ground], bool]
    until: Until
    text: str | Callable[[State, Ground], str]
    to: Callable[[State, Ground], bool] = lambda s, it: it.act != "enter" or _follows_its_power(s, it)
    acts: tuple[Act, ...] = REGULAR
    declared: tuple[Act, ...] = ()
    reported: tuple[Act, ...] = ()
    also: tuple[str, ...] = ()

    def shuts(self, s: State, it: Ground) -> bool:
        """Whether this ground is closed to the units, as far as the position knows enough to judge it."""
        if it.act not in self.acts:
            return False
        if s.options.declarations != "ordered" and (
            it.act in self.declared or (it.reported and it.act in self.reported)
        ):
            return False
        return self.places(s, it) and self.to(s, it) and not self.until.opens(s, it)

    def refusal(self, s: State, it: Ground) -> Refusal:
        """How it is told that ground is closed; place and power are yet to be named."""
        text = self.text if isinstance(self.text, str) else self.text(s, it)
        nearest = RESTATED.get((self.clause, it.country), "")
        return Refusal(nearest or self.clause, text, also=(*((self.clause,) if nearest else ()), *self.also))


#: Clauses that say of one country what a general one says of all, by that clause and the country.
RESTATED = {
    ("82.41", "arabia"): "88.21",
    ("82.41", "communist_china"): "79.11",
    ("82.41", "ireland"): "87.22",
    ("82.41", "persia"): "88.62",
    ("84.32", "thailand"): "89.51B",
    ("84.33", DUTCH): "89.24",
}


def country_of_place(s: State, place: Place) -> str:
    """The country by whose standing a place is entered or attacked: what Vichy France has of France is Vichy's."""
    if place.startswith("box/"):
        return next((it for it, boxes in COMMONWEALTH_BOXES.items() if place in boxes), "")
    lies_in = geography.country_now(s, place)
    vichys = lies_in not in countries() and (vichys_own(s, place) or vichys_by_result(s, place))
    return VICHY if vichys else lies_in


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
    """Whether units go where their power's may: a power's own, the Commonwealth's, those of a minor ally in its areas.

    Where others may be, and these at home, their own clauses tell.
    """
    if it.act == "operate" or it.nation in powers() or it.nation in COMMONWEALTH_BOXES:
        return True
    allied = geography.european(it.nation) and s.countries[it.nation].status == "allied"
    return allied and not geography.at_home(it.nation, it.at) and in_area(s, it.nation, it.at)


@definition("82.41")
def in_area(s: State, nation: str, place: Place) -> bool:
    """A power's units are where the ground is open to it, the Commonwealth's where it is to Britain, others at home."""
    if nation in COMMONWEALTH_BOXES and s.countries[nation].status == "commonwealth":
        note("as_british_units", "82.13", True, nation)
        return in_area(s, "britain", place)
    if nation not in powers():
        return minors_area(s, nation, place)
    ground = _in_its_country(s, Ground(nation, nation, place))
    if shut := next((row for row in BY_NAME if row.shuts(s, ground)), None):
        note("closed", shut.clause, True, ground.country)
    return shut is None and not _entered_in_peace(s, nation, place)


# -- what opens a country to a power ---------------------------------------------------------------------------------


def _entered_in_peace(s: State, power: str, place: Place) -> bool:
    """Whether a place lies in a country that a power neither leads nor fights, and is neither's (82.41)."""
    name = country_of_place(s, place)
    if own_ground(s, power, place) or (name not in countries() and name != DUTCH) or place.startswith("box/"):
        return False
    mine = faction(s, holder(s, place)) == faction(s, power)
    if name == DUTCH:
        return not (mine or pacific.open_in_the_indies(s, power, place))
    # What has come into a side's hands of a country that is no neutral, such as Indochina's north, is open to it.
    if mine and name != VICHY and (s.countries[name].status in BELONGING or geography.part_fallen(s, place)):
        return False
    if admits(s, power, name) or (name != VICHY and attack.fought_over(s, power, place)):
        return False
    return name == VICHY or not attack.enemys_by_force(s, power, place, whole_of(s, name))


@definition("82.32D", "A country admits the side that controls or leads it, and those at war with it")
def admits(s: State, power: str, country: str) -> bool:
    standing = s.countries[whole_of(s, country)]
    if standing.status in ("controlled", *BELONGING) and standing.by and faction(s, standing.by) == faction(s, power):
        if standing.status != "controlled" or power == standing.by or reading_in_force(s, "R-2431") == "a":
            return True
        # One that is in the war is no ally of another that is not.
        return war_and_peace.neutral_power(s, power) == war_and_peace.neutral_power(s, standing.by)
    return may_attack_country(s, power, country)


# -- until when ---------------------------------------------------------------------------------------------------

never = Until(lambda s, it: False)
russia_fights_japan = Until(lambda s, it: not closed_to_russia(s))
dutch_associated = Until(lambda s, it: pacific.dutch_indies_open(s, it.power))
thailand_opened = Until(lambda s, it: pacific.thailand_open(s, it.power, it.at))
britain_in_the_war = Until(lambda s, it: not s.powers["britain"].surrendered)
leads_or_fights_it = Until(lambda s, it: admits(s, it.power, it.country))
side_holds_it = Until(lambda s, it: faction(s, holder(s, it.at)) == faction(s, it.power))
#: Commonwealth units go where the power that they are lent to, or Britain, may (82.13).
open_to_its_power = Until(lambda s, it: in_area(s, it.nation if it.nation in COMMONWEALTH_BOXES else it.power, it.at))
led_or_at_war = Until(lambda s, it: not _entered_in_peace(s, it.power, it.at))
stays_in_its_country = Until(lambda s, it: it.stays_in != "" and it.stays_in == geography.land(it.at)[0])
leaving_after_reversal = Until(lambda s, it: it.origin != "" and on_its_way_out(s, it.nation, it.origin, it.at))
no_garrison_between = Until(lambda s, it: not _shielded(s, it))
at_war_with_its_owner = Until(lambda s, it: not _owner_at_peace(s, it))
war_was_declared = Until(lambda s, it: not _undeclared(s, it))
no_peaceful_units = Until(lambda s, it: not _peaceful_units(s, it))
of_its_own_units = Until(lambda s, it: _stands_there(s, it))


def _shielded(s: State, it: Ground) -> str:
    """The power whose garrison, come after his declaration of war, an attacker would have to fight as well (82.34)."""
    country = whole_of(s, it.country)
    # Britain and the U.S. declare no war on Vichy France or its colony; the garrison there is another matter (R-1823).
    undeclared = it.power in war_and_peace.ATTACKERS and war_and_peace.open_colony(s, country)
    judged = s.options.declarations == "ordered" if undeclared else at_war(s, it.power, country)
    if not judged or (not undeclared and s.countries[country].status in BELONGING):
        return ""
    return next(iter(attack.garrison_in_the_way(s, country, it.power)), "")


def _owner_at_peace(s: State, it: Ground) -> str:
    """The power of another side with which one must be at war to be at a place, or to attack or take it (82.42).

    Where units of one Allied faction may go on the soil of another is not told in these chapters, and is not judged.
    """
    owner = attack.holder_at_peace(s, it.at, it.power)
    if not owner or (it.act == "attack" and it.country == DUTCH):  # of attacks there 82.93 speaks
        return ""
    in_a_country = it.act != "take" and it.country in countries()
    own_land = in_a_country and attack.own_country(s, it.power, whole_of(s, it.country))
    if wages_war(s, it.nation, owner) or (attack.in_its_own_war(s, it.at, it.power, owner) and not own_land):
        return ""
    spared = player_of(owner) == player_of(it.power) or s.powers[it.power].surrendered or s.powers[owner].surrendered
    return "" if it.act in ("enter", "operate") and spared else owner


def _peaceful_units(s: State, it: Ground) -> bool:
    """Whether units on a hex of one's own side, caught there as the country turned, are those of a power at peace."""
    if faction(s, holder(s, it.at)) != faction(s, it.power):
        return False
    there = {patron(s, one.nation) for one in pieces.regulars_at(s, it.at)} - {""}
    others = [one for one in there if player_of(one) != player_of(it.power)]
    return bool(others) and not any(at_war(s, it.power, one) or wages_war(s, it.nation, one) for one in others)


def _undeclared(s: State, it: Ground) -> str:
    """The neutral country that would be attacked, or lose a place, without a declaration of war on it (82.41)."""
    if it.act == "take" and (name := attack.in_peace_with_neutral(s, it.power, it.at)):
        return name
    return attack.in_peace_with_vichy(s, it.power, it.at) or (_attacked_in_peace(s, it) if it.act == "attack" else "")


def _attacked_in_peace(s: State, it: Ground) -> str:
    whole = whole_of(s, it.country) if it.country in countries() else ""
    if not whole or may_attack_country(s, it.power, it.country) or attack.fought_over(s, it.power, it.at):
        return ""
    standing = s.countries[whole]
    mine = standing.by != "" and faction(s, standing.by) == faction(s, it.power) and standing.status != "penetrated"
    if mine and not (standing.status == "controlled" and _neutrals_attacked(s, it, whole)):
        return ""
    # An associate may have a war of its own, older than its association (R-1961).
    if it.nation in countries() and minor_at_war(s, whole, it.nation):
        return ""
    return "" if attack.enemys_by_force(s, it.power, it.at, whole) else whole


def _neutrals_attacked(s: State, it: Ground, whole: str) -> bool:
    """Whether a country under a result, which is neutral still, is attacked: its own units, or a rival's guests.

    So it is wherever nobody has attacked it: there are no invaders to fight, at the most partisans (R-2161).
    """
    if not it.exact:
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
    mine = any(one.nation == it.nation for one in s.pieces.at(it.at))
    return mine or war_and_peace.stands_with(s, holder(s, it.at), it.power)


# -- in words -----------------------------------------------------------------------------------------------------


def _of_iraq(s: State, it: Ground) -> str:
    if s.powers["britain"].surrendered:
        return "Britain has surrendered: without war with the U.S. the Axis stay out of Iraq"
    return "Iraq is a British colony, and Britain is not an enemy"


def _aligned(s: State, place: Place) -> None:
    """With whom a Pacific country stands is told with a refusal: it is in the war only as that power is (82.93)."""
    lies_in = country_at(place) or geography.land(place)[0]
    if lies_in in pacific.FRENCH_ISLANDS or (lies_in in countries() and countries()[lies_in].theater == "pacific"):
        pacific.pacific_class(s, lies_in)


def _of_garrison(s: State, it: Ground) -> str:
    name = called(whole_of(s, it.country))
    return f"{{place}} lies in {name}, garrisoned by {called(_shielded(s, it))}: declare_war comes first"


def _of_owner(s: State, it: Ground) -> str:
    owner = _owner_at_peace(s, it)
    _aligned(s, it.at)
    first = "" if s.powers[owner].surrendered else ": declare_war comes first"
    return f"{{place}} is {called(owner)}'s, at peace with {{power}}{first}"


def _of_neutral(s: State, it: Ground) -> str:
    """How the country stands that is closed to a power, and what would open it."""
    _aligned(s, it.at)
    name = whole_of(s, it.country) if it.country in countries() else it.country
    if name == DUTCH:
        # The Dutch East Indies have no war of their own: whoever wants them goes to war with Britain (82.93).
        peace = "Britain, at peace with {power}: declare_war comes first"
        peace = "Britain, which does not fight Japan" if at_war(s, it.power, "britain") else peace
        return f"{{place}} lies in the Dutch East Indies, which enter the war with {peace}"
    if name not in s.countries:
        return f"{{place}} is closed to {called(it.nation)}"
    standing = s.countries[name]
    if name == "communist_china":
        return "{place} is held by Communist China, which fights Japan alone, and is at peace with {power}"
    told = f"{f'{{place}} lies in {called(name)}, which' if it.exact else called(name)} is {standing.words}"
    if standing.status in BELONGING and standing.by:
        peace = "" if at_war(s, it.power, standing.by) else ", at peace with {power}"
        return f"{told} ({called(standing.by)}{peace})"
    return f"{told}, and at peace with {{power}}: {_first(s, it.power, name)} comes first"


def _first(s: State, power: str, name: str) -> str:
    """What opens a country's hexes to a power: a declaration, and to Russia in some a border war as well (82.41)."""
    if name == "persia":
        return "declare_war, or the opening of the Persian route,"
    if power != "russia" or name not in PARTS.values():
        return "declare_war"
    if in_the_way := attack.garrison_in_the_way(s, name, power):
        return f"declare_war, on {' and '.join(map(called, in_the_way))} as well, whose units are in it,"
    if name == "finland" and border_war_fought(s, name):
        return "declare_war, or a report that the border war over three hexes has escalated (report_border_war),"
    return "declare_war, or report_border_war,"


# -- the rows -----------------------------------------------------------------------------------------------------

#: Ground that clauses of its own close, whatever else is open to a power.
BY_NAME: tuple[Closed, ...] = (
    Closed(
        "82.41",
        lambda s, it: geography.closed_to_all(it.at),
        never,
        "{place} lies in Switzerland, which is closed to everyone",
        acts=ACTS,
    ),
    Closed(
        "82.33",
        lambda s, it: it.built and to_be_left(s, it.power, it.at) != "",
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
        "78.71",
        lambda s, it: holder(s, it.at) == "communist_china",
        open_to_its_power,
        "{place} is Communist China's; Nationalists enter its hexes while cooperation with it is not restricted",
        to=lambda s, it: it.nation == "china",
        acts=("enter", "operate"),
        also=("79.81",),
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
)
#: The general rules, and what only some positions know: who declared war on whom.
IN_PEACE: tuple[Closed, ...] = (
    Closed(
        "88.55",
        country("iraq"),
        side_holds_it | leads_or_fights_it | (britain_in_the_war & led_or_at_war),
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
        "units of a power that is at peace with {power} stand at {place}",
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
CLOSED = (*BY_NAME, *IN_PEACE)


def clauses(rows: tuple[Closed, ...]) -> tuple[str, ...]:
    """Every clause by which rows close ground, and those that restate them."""
    return tuple(dict.fromkeys((*(it for row in rows for it in (row.clause, *row.also)), *RESTATED.values())))


@barred(
    "82.41",
    acts=("enter", "attack", "take", "rise", "build"),
    when=lambda s, it: (it.act == "rise" or it.regular) and patron(s, it.nation) != "" and is_site(s, it),
    covers=clauses(CLOSED),
)
def ground_is_open(s: State, it: Presence) -> Refusal | None:
    """Units are, attack and take only where the ground is open to them."""
    return closing(s, it)


def _judged(s: State, it: Presence) -> bool:
    """Whether it is asked if units may operate from a place: of attacks out of a neutral country 82.33 speaks."""
    name = country_of_place(s, it.at) if it.how in SALLIES else ""
    neutral = name in countries() and s.countries[whole_of(s, name)].status in NEUTRAL
    return patron(s, it.nation) != "" and not neutral


@barred("82.41", acts=("operate",), when=_judged, covers=clauses(CLOSED))
def base_is_open(s: State, it: Presence) -> Refusal | None:
    """Units operate only from where they may be."""
    return closing(s, it)


def closing(s: State, it: Presence) -> Refusal | None:
    """By which clause, and why, the ground is closed to units, if it is."""
    act: Act = "enter" if it.act == "build" else it.act
    origin = it.origin if it.act == "enter" else NOWHERE
    said = (act, origin, it.act == "build", it.stays_in, it.exact, it.reported)
    ground = Ground(it.nation, patron(s, it.nation), it.at, *said)
    shut = closed_by(s, ground)
    return shut and Refusal(shut.clause, named(shut.text, it.place, called(ground.power)), also=shut.also)


def named(text: str, place: str, power: str) -> str:
    """A reason with the names of the place and the power."""
    return text.replace("{place}", place).replace("{power}", power)


def closed_by(s: State, it: Ground) -> Refusal | None:
    """Why ground is closed, if it is; places of which rows cannot say otherwise are asked about once."""
    like_others = not telling() and it.act not in ("attack", "operate")  # these two look at units as well
    return _closed_by(s, it._replace(at=like(s, it.at)) if like_others else it)


@once
def _closed_by(s: State, it: Ground) -> Refusal | None:
    ground = _in_its_country(s, it)
    return next((row.refusal(s, ground) for row in CLOSED if row.shuts(s, ground)), None)


def closures(s: State, country: str) -> dict[Refusal, tuple[str, ...]]:
    """What closes a country's hexes now, or some of them, and to which powers."""
    found: dict[Refusal, dict[str, None]] = {}
    hexes = war_and_peace.vichy_places(s) if country == VICHY else home_hexes(country)
    with quietly():
        for power in powers():
            shut = {it: closed_by(s, Ground(power, power, it, exact=False)) for it in hexes}
            for why in dict.fromkeys(filter(None, shut.values())):
                whole = all(it == why for it in shut.values())
                where = called(country) if whole else f"part of {called(country)}"
                told = why.text.removeprefix("{place} lies in ").replace("{place}", where)
                found.setdefault(Refusal(why.clause, told, also=why.also), {})[power] = None
    return {why: tuple(to) for why, to in found.items()}


def _in_its_country(s: State, it: Ground) -> Ground:
    return it._replace(country=country_of_place(s, it.at))


def like(s: State, place: Place) -> Place:
    """The first place asked about that lies and stands as this one does, in all that rows look at."""
    vichys, first = _first_asked(s)
    return first.setdefault((_lies(place), holder(s, place), place in vichys), place)


@once
def _first_asked(s: State) -> tuple[tuple[Place, ...], dict[tuple[object, ...], Place]]:
    return war_and_peace.vichy_places(s), {}


@lasting
def _lies(place: Place) -> Place:
    """The first place asked about that lies as this one does, whoever holds it."""
    homes = tuple(it for it in areas_at(place) if it in countries())
    listed = tuple(nation for nation, (_, places) in open_to().items() if place in places)
    box = place if place.startswith("box/") else ""
    lies = geography.land(place), country_at(place), homes, listed, geography.closed_to_all(place), box
    return _LIES.setdefault(lies, place)


_LIES: dict[tuple[object, ...], Place] = {}


def entry_closed(s: State, nation: str, place: Place) -> bool:
    """Whether a place is closed to units that would enter it or pass through it."""
    return closed_by(s, Ground(nation, patron(s, nation), place)) is not None
