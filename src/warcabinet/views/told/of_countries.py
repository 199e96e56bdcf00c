"""What chapters 86 to 89, 82.6 of the Ukraine and 85.4 of Vichy France say of each country as things stand."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model import calendar
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH_AREAS, EUROPEAN_FRENCH_COLONIES, SCANDINAVIANS, VICHY, home_hexes
from warcabinet.rules.common.diplomacy import diplomatic_modifier
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, STANDS_ALONE, controlled_for, faction, friendly, side_of
from warcabinet.rules.common.war_and_peace import (
    attackers_of,
    colonies_lost_by_vichy,
    colonies_of,
    player_of,
    vichy_places,
    war_between,
    went_to_war,
)
from warcabinet.rules.countries.egypt import (
    BESIDE,
    BRITISH,
    ITALIAN,
    PORTS,
    RAIDERS,
    USAT,
    axis_base_at_suez,
    canal_open,
    destroyers_at_suez,
    ethiopia_fallen,
    shut_by,
    touched_by_loss,
)
from warcabinet.rules.countries.ethiopia import (
    EDGE,
    NOBODY,
    axis_reinforces_by_canal,
    axis_units_in_africa,
    factors_in_ethiopia,
    west_fights_italy,
)
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.countries.middle_east import (
    TEHRAN,
    axis_fights_usa,
    oil_effects_offset,
    persian_route,
    persian_route_cost,
    persian_route_may_open,
)
from warcabinet.rules.countries.risings import (
    IRISH,
    MOST,
    RISINGS,
    UNREST,
    attacked_by_germany,
    partisans_at_ulster,
    partisans_risen,
    unrest_pool,
)
from warcabinet.rules.countries.scandinavia import (
    controlled_reaction_modifier,
    germany_controls_norway,
    iron_ore_loss,
    kattegat_open,
    norway_consents,
    ore_to_be_interrupted,
    remedies,
    waters_mined,
)
from warcabinet.rules.countries.southeast_asia import (
    SURRENDER_WITH_MANILA,
    dutch_east_indies_worth,
    japanese_oil_centers,
)
from warcabinet.rules.countries.western_neutrals import (
    HARBOURS,
    atlantic_submarine_modifier,
    iberian_harbour,
    ireland_open,
    supply_source,
)
from warcabinet.rules.minors.attack import newly_attacked
from warcabinet.rules.minors.forces_of_minors import most_partisans, risen
from warcabinet.rules.minors.ground import admits
from warcabinet.rules.minors.limits import (
    armor_admitted,
    axis_armor_in_finland,
    axis_factors_admitted,
    axis_factors_in_finland,
)
from warcabinet.rules.minors.pacific import (
    FREE,
    dutch_indies_fell_before,
    dutch_indies_open,
    indochina_occupied,
    japan_has_the_indies,
    thais_may_join,
)
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought
from warcabinet.rules.minors.voyages import AXIS, ETHIOPIA, LANDS, WEST
from warcabinet.views.told.telling import Told, tells_of


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
    if fully_supplied(s, "germany", place_key("Copenhagen")) and newly_attacked(s, "denmark"):
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
    most, there = most_partisans(s, "ireland", "axis"), partisans_risen(s, IRISH)
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
    yield Told("87.51", f"Tangier is a {supply_source(s, place_key('Tangier'))} supply source")


@tells_of("ukraine")
def ukraine_now(s: State) -> Iterator[Told]:
    if not risen(s):
        yield Told("82.63", "its units deploy only after a diplomatic result by which it associates or allies")
    yield Told("82.61", "which of them it has depends on that result: those are named when it is set up")


# -- the Middle East ----------------------------------------------------------------------------------------------


@tells_of(*LANDS)
def middle_east_page(s: State) -> Iterator[Told]:
    yield Told("88.11", "part of the Middle East")


@tells_of("arabia")
def arabian_page(s: State) -> Iterator[Told]:
    standing = s.countries["arabia"]
    if standing.status == "neutral":
        yield Told("88.21", "closed to both sides until war is declared on it, for 10 BRPs; it falls with Kaf and Jauf")
    elif standing.status == "conquered" and not standing.by:
        yield Told("88.21", "in the hands of partisans, and closed to both sides until war is declared on it")
    elif standing.status != "conquered":
        inside = ", ".join(called(it) for it in powers() if admits(s, it, "arabia"))
        yield Told("88.21", f"open to {inside}; it falls with Kaf and Jauf")


@tells_of("iraq")
def iraqi_page(s: State) -> Iterator[Told]:
    open_ = "may" if admits(s, "germany", "iraq") else "may not"
    yield Told("88.55", f"Germany {open_} enter it now; no declaration of war on it is needed")
    if s.powers["britain"].surrendered and not axis_fights_usa(s):
        yield Told("88.55", "the Axis may enter it once Germany has declared war on the U.S.")
    elif not s.powers["britain"].surrendered:
        yield Told("88.55", "after a British surrender the Axis enter it only at war with the U.S.")
    yield Told("88.52", "Baghdad is a limited supply source for who controls it; the West is supplied by sea at Basra")
    yield Told("88.53", f"Mosul offsets {oil_effects_offset(s, place_key('Mosul'))} oil effects")
    yield Told("88.54", "Basra is joined by sea to Suez, Abadan, Ethiopia, South Africa, India and Australia")


@tells_of("egypt")
def egyptian_page(s: State) -> Iterator[Told]:
    for key, name in PORTS.items():
        touched = touched_by_loss(s, key)
        told = f"{name} is lost: {', '.join(touched)} are changed by it" if touched else f"{name} is not lost"
        yield Told("88.32", told)
    loss = f"lost to the Axis they touch {USAT}, {BRITISH} and {ITALIAN}, lost to Wafdists only {BRITISH}"
    yield Told("88.32", f"{loss}; by how much stands in another chapter, and is for the referee to rule")
    # Who may pass the canal now, and what would change it.
    names = ", ".join(it.removeprefix("europe/") for it in BESIDE)
    for power, side in (("britain", "the Western Allies"), ("germany", "the Axis")):
        foe = shut_by(s, faction(s, power))
        if canal_open(s, power):
            yield Told("88.342", f"the Suez canal is in the hands of {side}: they hold {names}")
        elif foe:
            yield Told("88.344", f"the Suez canal is closed to {side}: one of {names} is held by {called(foe)}")
    if axis_base_at_suez(s):
        yield Told("88.37B", f"{RAIDERS} German or Italian ships may raid from Suez, submarines enter the Indian Ocean")
    else:
        yield Told("88.37", "Axis ships do not use the canal or Suez: for raiders they must hold it, and Ethiopia")
    boxes = "the South Africa, India, Australia and Ethiopia boxes"
    yield Told("88.36", f"from Suez Allied units are redeployed by sea to {boxes}, Basra and Abadan")
    if not canal_open(s, "britain"):
        return
    there = "and there are" if destroyers_at_suez(s) else "and there are none"
    yield Told("88.36", f"coming from there they go on into the Mediterranean, if destroyers are in Suez, {there}")


def _ways_now(s: State) -> Iterator[Told]:
    """By which ways either side's ground units come and go, and what would open the others."""
    over = {AXIS: any(friendly(s, it, AXIS) for it in EDGE), WEST: any(controlled_for(s, it, WEST) for it in EDGE)}
    if not ethiopia_fallen(s):
        users = [it for it in ("germany", "italy") if axis_reinforces_by_canal(s, it)]
        told = "shut, but to an Axis that holds it after a British surrender"
        if users:
            told = f"open to {' and '.join(map(called, users))}, one ground unit a turn"
        yield Told("88.421A", f"to the Axis the way through the canal is {told}")
        edge = "open, one unit a turn" if over[AXIS] else "shut until they hold one of NN27 to NN30"
        yield Told("88.421B", f"to the Axis the southern edge of Egypt is {edge}")
    edge = "open, one unit a turn" if over[WEST] else "shut until they hold one of NN27 to NN30"
    yield Told("88.422B", f"to the Western Allies the southern edge of Egypt is {edge}")
    yield Told("88.422A", "Western Allied units come and go by Indian Ocean transports, and one a turn by South Africa")


@tells_of("ethiopia")
def ethiopian_page(s: State) -> Iterator[Told]:
    axis, west = factors_in_ethiopia(s, AXIS), factors_in_ethiopia(s, WEST)
    if ethiopia_fallen(s):
        yield Told("88.432", "the Axis do not reconquer it")
    elif holder(s, ETHIOPIA) == NOBODY:
        yield Told("88.431", "it belongs to nobody since Italy surrendered, until one side moves a ground unit in")
    else:
        yield Told(
            "88.43", f"{west} Western Allied ground factors against {axis}: twice as many, held, make it surrender"
        )
    if not west_fights_italy(s) and not ethiopia_fallen(s):
        yield Told("88.423D", "closed to the Western Allies until they are at war with Italy")
        yield Told("88.421A", "Italy may bring in one ground unit a turn through the canal, and take none out")
    else:
        yield from _ways_now(s)
    yield Told("88.44", "no combat, no voluntary elimination; units come and go by redeployment only")
    yield Told("88.46", f"{axis_units_in_africa(s)} Axis ground units are in Africa, those in Ethiopia included")


@tells_of("spain", VICHY)
def africa_counts(s: State) -> Iterator[Told]:
    """Die rolls for these two ask whether the Axis are in Africa."""
    count = axis_units_in_africa(s)
    yield Told("88.46", f"for diplomatic die rolls {count} Axis ground units are in Africa, those in Ethiopia included")


def _tells_of_unrest(partisans: str, clause: str, lands: tuple[str, ...]) -> None:
    @tells_of(*lands)
    def unrest_page(s: State) -> Iterator[Told]:
        there, pool = partisans_risen(s, partisans), unrest_pool(s, partisans)
        yield Told(clause, f"{partisans} partisans: {there} on the board, {pool} by Moslem Unrest, at most {MOST}")


for _partisans in UNREST:
    _tells_of_unrest(_partisans, RISINGS[_partisans].clause, RISINGS[_partisans].lands)


def _opening_told(s: State) -> str:
    """What the opening of the route waits for; a Tehran in hostile hands is taken first (40.525, 40.526)."""
    if not persian_route_may_open(s):
        return "waits for war between Germany and Russia"
    fights_the_allies = any(player_of(it) == "allied" for it in attackers_of(s, "persia"))
    resists = fights_the_allies and s.countries["persia"].status != "conquered"
    hostile = side_of(s, "persia") == AXIS or controlled_for(s, TEHRAN, AXIS)
    return "waits until the Allies have taken Tehran" if resists or hostile else "may be opened"


@tells_of("persia")
def persian_page(s: State) -> Iterator[Told]:
    payer = persian_route(s)
    if payer:
        yield Told("88.641", f"the Persian route is open ({called(payer)}); the Allies enter Persia")
        yield Told("88.642", "the Axis enter it without a declaration of war")
    else:
        inside = ", ".join(called(it) for it in powers() if admits(s, it, "persia"))
        whom = f"open to {inside}, closed to the others" if inside else "closed to both sides"
        yield Told("88.62", f"{whom} until war is declared on it or the Persian route is opened")
        yield Told("88.64", f"the Persian route {_opening_told(s)}; it costs {persian_route_cost(s)} BRPs")
    yield Told("88.643", "Tehran is a limited supply source for the Allies while they control it")


@tells_of(VICHY)
def vichy_now(s: State) -> Iterator[Told]:
    if not s.powers["france"].surrendered:
        yield Told("85.44", "there is no Vichy France while France is in the war")
        return
    places = len(vichy_places(s))
    yield Told("85.44", f"{places} {'hex' if places == 1 else 'hexes'} in France, as reported (report_vichy)")
    for states, names in (("its colonies", colonies_of(s, VICHY)), ("colonies lost", colonies_lost_by_vichy(s))):
        yield Told("85.493", f"{states}: {', '.join(map(called, names)) or 'none'}; each is worth five to it")


@tells_of(*EUROPEAN_FRENCH_COLONIES)
def french_colony_now(s: State) -> Iterator[Told]:
    if s.powers["france"].surrendered:
        yield Told("82.41", "Britain and the U.S. attack a Vichy colony without a declaration of war")
        yield Told("85.493", "Free French or conquered by the Allies it costs Vichy France five BRPs a year")
    vichy = s.countries[VICHY]
    if vichy.status == "conquered" and vichy.by in powers():
        name = called(vichy.by)
        yield Told("82.41", f"Vichy France fell to {name}: its side, and who fights it, may take what is left (R-2506)")


@tells_of("thailand")
def thai_page(s: State) -> Iterator[Told]:
    standing = s.countries["thailand"]
    if standing.status in FREE:
        yield from _before_it_joins(s)
    elif standing.status in BOUND:
        yield Told("89.51C", "its units go one hex beyond its border, and do not attack Western Allied units")


def _when_it_joins(s: State) -> str:
    if thais_may_join(s):
        return "Japan is at war with Britain: it joins Japan in the turn after all of French Indochina is Japan's"
    if war_between(s, "britain", "japan"):
        return "it stays neutral unless it is attacked"
    return "joins Japan when war with Britain breaks out"


def _before_it_joins(s: State) -> Iterator[Told]:
    attackers = attackers_of(s, "thailand")
    if any(faction(s, it) == faction(s, "japan") for it in attackers):
        yield Told("89.51A", "attacked by Japan: it does not join it")
        yield Told("89.51B", "closed to both sides, except to who is at war with it")
        return
    held = "all of" if indochina_occupied(s) else "not all of"
    yield Told("89.51A", f"{_when_it_joins(s)}; Japan holds {held} French Indochina")
    yield Told("89.51B", "closed to both sides until then, except to who declares war on it")


@tells_of("french_indochina")
def indochinese_page(s: State) -> Iterator[Told]:
    """What it matters for Thailand who holds it."""
    hexes = home_hexes("french_indochina")
    held = sum(holder(s, key) == "japan" for key in hexes)
    yield Told("89.31", "a French colony, which falls with Saigon")
    yield Told(
        "89.51A", f"Japan holds {held} of its {len(hexes)} hexes; all of them bring it Thailand in a war with Britain"
    )


@tells_of("philippines")
def philippine_page(s: State) -> Iterator[Told]:
    if s.countries["philippines"].status == "conquered":
        return
    if reading_in_force(s, "R-0015") == "b" and not went_to_war(s, "usa", "japan"):
        yield Told("89.42", "its BRPs come with the American player turn after war with Japan breaks out")
    yield Told("89.43", f"if Japan takes Manila, every hex falls: {SURRENDER_WITH_MANILA}")
    yield Told("89.44", "one 1-2 infantry unit a turn is rebuilt free of charge until then")


@tells_of(*DUTCH_AREAS)
def dutch_page(s: State) -> Iterator[Told]:
    fallen = [called(it) for it in DUTCH_AREAS if s.countries[it].by == "japan"]
    yield Told("89.22", f"worth {dutch_east_indies_worth(s)} BRPs with the other two areas, each taken by itself")
    gives = "give it every hex without Allied units"
    if dutch_indies_fell_before(s) or japan_has_the_indies(s):
        gives = "gave it every hex without Allied units once, and never again"
    yield Told("89.23", f"Japan has {', '.join(fallen) or 'none'} of the three; all three {gives}")
    if not dutch_indies_open(s, "britain"):
        yield Told("89.24", "closed to Western Allied units until they associate with Britain")
    yield Told(
        "89.26", f"oil centers that Japan holds: {', '.join(japanese_oil_centers(s)) or 'none'} of Palembang, Brunei"
    )
    seats = ", ".join(areas()[it].places[0] for it in DUTCH_AREAS)
    yield Told("89.25", f"Dutch units are never rebuilt, and are lost when Japan holds {seats}")
