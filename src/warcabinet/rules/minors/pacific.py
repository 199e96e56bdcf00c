"""Pacific countries: their classes and the events that bring them into the war (82.9, 84.3, 85.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warcabinet.kernel.errors import unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import ControlChanged, Fact, Reported, WarBegan, WarEnded
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, capital, dutch_hexes, home_hexes
from warcabinet.rules.common.books import enter_on_books, on_books, out_of_the_economy, worth
from warcabinet.rules.common.diplomacy import country_at, lapse, promise, promised
from warcabinet.rules.common.moments import first_turn_of_war, reading_in_force, step_of, step_of_next_turn, told_late
from warcabinet.rules.common.pieces import armed_units_at, eliminate, faction, side_of, units_in
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, first_full_turn, war_between, went_to_war
from warcabinet.rules.kinds import definition, due, effect, limit, remembered, value
from warcabinet.rules.minors.association import associate
from warcabinet.rules.minors.attack import enemys_by_force, may_attack_country, own_ground
from warcabinet.rules.minors.status import change_status

CLASSES = ("82.91A", "82.91B", "82.91C", "82.91D", "82.91E", "82.91F")
FRENCH_ISLANDS = ("new_caledonia", "wallis", "society_islands")
JAPANESE_COLONIES = ("manchukuo", "korea", "formosa")
#: How a country stands that no power leads.
FREE = ("neutral", "independent")
#: The one power with which each of these associates, when its own clauses say so.
ASSOCIATES = {"philippines": "usa", "thailand": "japan", **dict.fromkeys(DUTCH_AREAS, "britain")}
WHEN_IT_DOES = {"usa": ("84.31", "89.41"), "japan": ("84.32", "89.51A"), "britain": ("84.33", "89.24")}


@value("82.93", "The class of a Pacific country, and with whom it stands", covers=CLASSES)
def pacific_class(s: State, land: str) -> str:
    if land not in _pacific_lands():
        raise unknown("Pacific country", land, _pacific_lands())
    letter, text = _class(s, land)
    note("class", f"82.91{letter}", text, land)
    if land == "philippines":
        note("american_from_the_start", "84.31", s.countries[land].by == "usa", land)
    return text


@lasting
def _pacific_lands() -> tuple[str, ...]:
    """All that 82.91 puts into a class: countries, and islands and colonies that are no country by themselves."""
    lands = (it for it, area in countries().items() if area.theater == "pacific")
    return (*lands, *FRENCH_ISLANDS, *JAPANESE_COLONIES)


def _class(s: State, country: str) -> tuple[str, str]:
    if country in ("australia", "india"):
        return "A", "Commonwealth"
    if country in FRENCH_ISLANDS:
        return "F", "Free French" if s.powers["france"].surrendered else "as if British"
    if country in JAPANESE_COLONIES:
        return "E", "colony of japan"
    standing = s.countries[country]
    if standing.status == "conquered":
        letter = "E" if countries()[country].kind == "colony" and country not in DUTCH_AREAS else "D"
        return letter, f"conquered by {standing.by or 'partisans'}"
    if country == "communist_china":
        return ("C", "minor ally of russia") if at_war(s, "russia", "japan") else ("B", "independent")
    if standing.status == "associated":
        return "D", f"associated with {standing.by}"
    if country in DUTCH_AREAS:
        return "B", "independent"
    if countries()[country].kind == "colony":
        return "E", f"colony of {countries()[country].owner}"
    return "D", standing.status


@definition("82.93", "Whether a Pacific country is at war with Japan")
def fights_japan(s: State, country: str) -> bool:
    if country == "communist_china":
        return True
    standing = s.countries[country]
    if country in DUTCH_AREAS and standing.status == "independent":
        return at_war(s, "britain", "japan")
    return at_war(s, country, "japan") or (standing.by != "" and at_war(s, standing.by, "japan"))


def _british_war(s: State, began: WarBegan) -> bool:
    return set(began.between) == {"britain", "japan"}


@effect("84.33", on=WarBegan, when=_british_war)
def dutch_will_join(p: Proceedings, began: WarBegan) -> None:
    """The Dutch East Indies join Britain in the second Allied player turn of its war with Japan."""
    _dutch_come(p, first_turn_of_war(p.s, began, "britain") + 1)


def _dutch_come(p: Proceedings, turn: int) -> None:
    """The Dutch areas that still stand alone join in a turn's Allied diplomatic phase, or now if that has passed."""
    when = calendar.moment(turn, step_of("britain", "diplomatic phase"))
    for area in (it for it in DUTCH_AREAS if p.s.countries[it].status in FREE):
        if when > p.s.moment:
            promise(p, associate_dutch, when, "britain", area, worth(p.s, area))
        else:
            _joins_britain(p, area)


@due("84.33", averted_by="conquering {about} before then", covers=("89.24",))
def associate_dutch(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """A part of the Dutch East Indies associates with Britain."""
    note("associates", "89.24", True, due_now.about)
    if (status := p.s.countries[due_now.about].status) not in FREE:
        return f"it is {status}"
    _joins_britain(p, due_now.about)
    return None


def _joins_britain(p: Proceedings, area: str) -> None:
    associate(p, area, "britain", "84.33", "the second Allied player turn of the Japanese war", "diplomacy")
    # What the Dutch hold besides the three areas goes with them.
    if own := tuple(key for key in dutch_hexes() if holder(p.s, key) == DUTCH):
        p.do(ControlChanged(own, "britain", backdated=True), "84.44")


@definition("84.33", "Before they associate the Dutch East Indies are closed to the Western Allies")
def dutch_indies_open(s: State, power: str) -> bool:
    if faction(s, power) == "western allies":
        # A part has associated, or fell when that time had come: what fell before opens nothing (R-0402). One that
        # stands alone shows that the time has not come, where a position does not say when it will.
        statuses = {s.countries[it].status for it in DUTCH_AREAS}
        return "associated" in statuses or (statuses == {"conquered"} and not promised(s, associate_dutch))
    # They come into the war with Britain's war against Japan (82.93): its enemies in Europe have no quarrel there.
    in_the_war = went_to_war(s, "britain", "japan") and at_war(s, power, "britain")
    return in_the_war or any(may_attack_country(s, power, it) for it in DUTCH_AREAS)


def open_in_the_indies(s: State, power: str, place: Place) -> bool:
    """Whether a place there is open to a power: outside the Western Allies also what an enemy of its own holds."""
    western, now, part = faction(s, power) == "western allies", holder(s, place), country_at(place)
    if not western and now in powers() and at_war(s, power, now):
        return True
    if western or at_war(s, power, "britain"):
        return dutch_indies_open(s, power)
    return part != "" and may_attack_country(s, power, part)


def thailand_open(s: State, power: str, place: Place) -> bool:
    """Once it has joined Japan; to whoever is at war with it (R-0403), or with a power that took the place (R-2782)."""
    if s.countries["thailand"].status in ("associated", "conquered") or at_war(s, power, "thailand"):
        return True
    return own_ground(s, power, place) or enemys_by_force(s, power, place, "thailand")


@effect("84.33")
def dutch_follow(p: Proceedings) -> None:
    """Where the Dutch are not expected yet, as in a position from that war, they join Britain when it is time."""
    war = war_between(p.s, "britain", "japan")
    # What a position says has happened was never promised; where it says that they still stand alone later, they do.
    if war is not None and not promised(p.s, associate_dutch) and first_full_turn(war) + 1 >= p.s.turn:
        _dutch_come(p, first_full_turn(war) + 1)


@effect("84.33", on=WarEnded, when=lambda s, ended: set(ended.between) == {"britain", "japan"}, also=("84.32",))
def peace_keeps_them_out(p: Proceedings, ended: WarEnded) -> None:
    """A peace of Britain and Japan before the Dutch and the Thais join leaves them as they are (R-2391)."""
    for area in (*DUTCH_AREAS, "thailand"):
        lapse(p, area, "Britain and Japan are at peace", associate_dutch, thailand_joins_later)


def japan_has_the_indies(s: State) -> bool:
    """Whether all three Dutch areas are Japanese conquests now."""
    return all((s.countries[it].status, s.countries[it].by) == ("conquered", "japan") for it in DUTCH_AREAS)


@remembered("89.23", "Japan has had all three areas of the Dutch East Indies before, and lost one of them since")
def dutch_indies_fell_before(s: State) -> bool:
    return False


@effect("89.23")
def dutch_fall_remembered(p: Proceedings, country: str) -> None:
    """That Japan had all three Dutch areas is remembered as one of them is lost: no later taking is the first."""
    if country in DUTCH_AREAS and japan_has_the_indies(p.s) and not dutch_indies_fell_before(p.s):
        dutch_indies_fell_before.note(p, True, "Japan had all three areas")


@effect("82.91B", "A Dutch area whose capital the Dutch themselves retake fights on alone with the others")
def dutch_free_an_area(p: Proceedings) -> None:
    for area in DUTCH_AREAS:
        if p.s.countries[area].status == "conquered" and holder(p.s, capital(area)) == DUTCH:
            change_status(p, area, "independent", "", "82.91B", "the Dutch have retaken its capital")


@effect("83.22C", covers=("89.43",))
def pacific_hexes_pass(p: Proceedings, country: str, by: str, first: bool) -> None:
    """Japan's first conquest of Manila, or of all three Dutch areas, gives it the other hexes as well."""
    if by != "japan":
        return
    if country in DUTCH_AREAS:
        # Whatever fell before and was retaken: all three at one time, for the first time (R-1880).
        if japan_has_the_indies(p.s) and not dutch_indies_fell_before(p.s):
            # Allied units keep a hex from Japan; an airbase is none.
            held = {key for key in dutch_hexes() if any(_allied_unit(p.s, it) for it in armed_units_at(p.s, key))}
            keys = tuple(it for it in dutch_hexes() if it not in held)
            note("all_three_areas", "89.23", DUTCH_AREAS, "japan")
            p.do(ControlChanged(keys, "japan"))
    elif first:
        _philippines_surrender(p)


def _allied_unit(s: State, stack: Stack) -> bool:
    return stack.nation == DUTCH or side_of(s, stack.nation) not in ("", faction(s, "japan"))


def _philippines_surrender(p: Proceedings) -> None:
    """Every hex is Japan's; Allied ground units go back to their force pools, ships and aircraft leave (R-1881)."""
    for stack in tuple(it for it in units_in(p.s, "philippines") if _allied_unit(p.s, it)):
        if stack.branch not in ("naval", "air"):
            eliminate(p, stack, stack.count, for_good=False)
        else:
            told = f"{stack.count} {stack.unit} of {called(stack.nation)} must leave the Philippines"
            p.do(Reported("displaced", told), "89.43")
    note("manila", "89.43", True, "japan")
    p.do(ControlChanged(home_hexes("philippines"), "japan"))


@definition("84.32", "Japan has occupied all of French Indochina on an earlier turn")
def indochina_occupied_before(s: State) -> bool:
    # What is reported to be Japan's once more was Japan's before.
    before = s.frame("turn").before
    return all(holder(s, it) == before.get(it, "japan") == "japan" for it in home_hexes("french_indochina"))


def thais_may_join(s: State) -> bool:
    """Whether Thailand is free to join Japan: a neutral, or attacked by Japan's enemies alone (82.351)."""
    war = war_between(s, "britain", "japan")
    if war is None or out_of_the_economy(s, "japan") or s.countries["thailand"].status not in FREE:
        return False
    return not any(faction(s, it) == faction(s, "japan") for it in attackers_of(s, "thailand"))


@effect("84.32", on=(WarBegan, ControlChanged))
def thailand_joins(p: Proceedings, news: Fact) -> None:
    """Thailand joins Japan at once when war with Britain finds Indochina occupied before, or else in the next turn."""
    begins = isinstance(news, WarBegan) and _british_war(p.s, news)
    taken = isinstance(news, ControlChanged) and not set(news.places).isdisjoint(home_hexes("french_indochina"))
    if not (begins or taken) or not thais_may_join(p.s):
        return
    if isinstance(news, WarBegan) and indochina_occupied_before(p.s):
        note("occupied_before", "89.51A", True, "french_indochina")
        # In the Allied player turn it is no Japanese one in which this happens: Japan's next one pays (84.48, 84.48B).
        how = "diplomacy" if p.s.player == "axis" or told_late(p.s, news) else "war"
        associate(p, "thailand", "japan", "84.32", "Japan and Britain are at war", how)
    elif indochina_occupied(p.s):
        when = calendar.moment(p.s.turn + 1, calendar.first_step("axis"))
        promise(p, thailand_joins_later, when, "japan", "thailand", worth(p.s, "thailand"))


@definition("84.32", "Japan holds all of French Indochina now", also=("89.51A",))
def indochina_occupied(s: State) -> bool:
    return all(holder(s, key) == "japan" for key in home_hexes("french_indochina"))


@due("84.32", averted_by="taking a hex of French Indochina from Japan before then", covers=("89.51A",))
def thailand_joins_later(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """Thailand joins Japan in the turn after Indochina was occupied."""
    note("turn_after", "89.51A", True, "thailand")
    p.run(thailand_follows)
    joined = p.s.countries["thailand"].status == "associated"
    return None if joined else "Japan does not hold all of French Indochina, or there is no war"


@effect("84.32", "Thailand joins Japan in the turn after Indochina was occupied, if the war came first")
def thailand_follows(p: Proceedings) -> None:
    # What a position says has happened was never promised.
    if p.s.player == "axis" and thais_may_join(p.s) and indochina_occupied_before(p.s):
        associate(p, "thailand", "japan", "84.32", "Japan has occupied French Indochina", "diplomacy")


@effect("84.31", on=WarBegan)
def philippines_will_pay(p: Proceedings, began: WarBegan) -> None:
    """The Philippine BRPs come at the start of the American turn after war with Japan breaks out."""
    if set(began.between) == {"usa", "japan"} and reading_in_force(p.s, "R-0015") == "b":
        when = step_of_next_turn(p.s, "usa", "start of player turn")
        promise(p, philippines_pay, when, "usa", "philippines", worth(p.s, "philippines"))


@due("84.31", averted_by="Japan taking Manila before then", covers=("89.42",))
def philippines_pay(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """The prorated BRPs for the Philippines are received."""
    note("from_the_war_on", "89.42", due_now.brp, "philippines")
    if p.s.countries["philippines"].status != "associated":
        return f"they are {p.s.countries['philippines'].status}"
    enter_on_books(p, "usa", "philippines", due_now.brp - on_books(p.s, "usa", "philippines"))
    return due_now.brp


# -- no wars of their own -----------------------------------------------------------------------------------------


def drawn_in(s: State, among: Iterable[str]) -> str:
    """What keeps the Philippines or the Dutch East Indies out of a war of their own: they fight beside their power."""
    lands = (it for it in among if it in (*DUTCH_AREAS, "philippines"))
    own = next((it for it in lands if s.countries[it].status in (*FREE, "associated")), "")
    return f"{called(own)} enters the war with {called(ASSOCIATES[own])}, not by itself" if own else ""


@limit("82.93", on=DeclareWar)
def drawn_in_with_their_power(s: State, cmd: DeclareWar) -> Iterator[Finding]:
    """Nobody declares war on the Dutch alone, nor, under another reading, Japan on Thailand before Britain (R-0891)."""
    if any(it in DUTCH_AREAS and s.countries[it].status in FREE for it in cmd.on):
        told = "the Dutch East Indies enter the war with Britain: war is declared on Britain, not on them"
        yield Refusal("82.93", told, also=("89.24",))
    early = cmd.power == "japan" and "thailand" in cmd.on and reading_in_force(s, "R-0891") == "b"
    if early and not went_to_war(s, "britain", "japan"):
        yield "before its war with Britain Japan fights Communist China only"


@limit(
    "82.91D",
    on=ReportStatus,
    when=lambda s, cmd: cmd.country in ASSOCIATES and cmd.status not in ("conquered", "colony", "allied"),
    covers=tuple(it for two in WHEN_IT_DOES.values() for it in two),
    excusable=True,
)
def associates_by_its_clause(s: State, cmd: ReportStatus) -> Refusal | None:
    """Philippines, Thailand and Dutch East Indies stand with one power each, from the moment of their own clauses on.

    What a conquest makes of them other clauses judge.
    """
    country, with_whom, standing = cmd.country, ASSOCIATES[cmd.country], s.countries[cmd.country]
    stands = (cmd.status, cmd.power)
    if standing.status == "conquered" or stands == (standing.status, standing.by) or attackers_of(s, country):
        return None  # who was attacked stands as the attack left it
    has_come = True
    if country == "thailand":
        has_come = thais_may_join(s) and indochina_occupied_before(s)
    elif (war := war_between(s, "britain", "japan")) and country in DUTCH_AREAS:
        # Without a war with Japan 35.23 keeps the Indies' BRPs back.
        has_come = s.turn > war.since and not promised(s, associate_dutch, about=country)
    if has_come and stands == ("associated", with_whom):
        return None
    told = f"{called(country)} associates with {called(with_whom)} when its clause says so"
    return Refusal("82.91D", f"{told}, and stands with nobody else", also=WHEN_IT_DOES[with_whom])
