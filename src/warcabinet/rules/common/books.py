"""The books: BRPs and transports in accounts, how they move, what an area is worth and who holds it."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.board.maps import by_key
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.kept import kept
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account, Annual, Brp, IcValue, Sink, World
from warcabinet.model.events import EntryPosted, Happened
from warcabinet.model.happenings import TakenBy, done
from warcabinet.model.ledger import balance, entry
from warcabinet.model.names import areas, conquest_value, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, Place, area_holder, deciding_places, default_holders, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COLONY_LISTS, FOLLOWS, JAPANESE_COLONIES, LARGE, PARTS, VICHY
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import SENIORITY
from warcabinet.rules.common.war_and_peace import colonies_lost_by_vichy, opponents
from warcabinet.rules.kinds import definition, value


def account_balance(s: State, account: Account) -> int:
    """What stands in an account, as a line of the explanation."""
    amount = balance(s.ledger, account)
    note("account_balance", "", amount, account)
    return amount


def books_of(s: State, power: str) -> Mapping[str, int]:
    """The yearly values that a power has on its books, area by area, in the order of their names."""
    accounts = s.ledger.of("annual", power)
    return dict(sorted((it.area, brp) for it, brp in accounts.items() if isinstance(it, Annual)))


def move_brps(p: Proceedings, power: str, amount: int, memo: str, other: Account, clause: str = "") -> None:
    """Add BRPs to a level or take them from it; `other` is where they come from or go to."""
    note("level_moves", "35.61", amount, power)
    p.do(EntryPosted(entry(memo, (Brp(power), amount), (other, -amount))), clause)


def spend_brps(
    p: Proceedings, power: str, brp: int, on: str, memo: str, *, clause: str = "", by: str = "39.11", limit: str = ""
) -> None:
    """BRPs are spent `by` a clause, which counts for this player turn; what has a `limit` for its construction too."""
    move_brps(p, power, -brp, memo, Sink("brp", on), clause)
    p.do(Happened(Happening(p.s.moment, "spent", power, brp)), by)
    if limit:
        p.do(Happened(Happening(p.s.moment, "constructed", power, brp)), limit)


@definition("83.43", "A power that has surrendered has no economy any more; Britain's goes on (R-0443)")
def out_of_the_economy(s: State, power: str) -> bool:
    return power != "britain" and s.powers[power].surrendered and reading_in_force(s, "R-0443") == "a"


def enter_on_books(p: Proceedings, power: str, area: str, brp: int, clause: str = "") -> None:
    """Change the yearly value that a power has on its books for an area; one that surrendered gains nothing."""
    in_vain = brp > 0 and out_of_the_economy(p.s, power) and on_books(p.s, power, area) + brp > 0
    if in_vain or not brp:
        return
    made = entry(areas()[area].name, (Annual(power, area), brp), (World("annual"), -brp))
    p.do(EntryPosted(made), clause)


def on_books(s: State, power: str, area: str) -> int:
    return balance(s.ledger, Annual(power, area))


WEST = ("usa", "britain", "france")
#: The boxes of each ocean; else its ports are those of a board.
BOXES_OF = {
    "atlantic": ("atlantic_us", "atlantic_sw"),
    "pacific": ("pacific_us",),
    "indian_ocean": ("south_africa", "india_box", "australia_box", "indian_ocean_sw"),
}


@value("40.221")
def transports_of(s: State, ocean: str) -> int:
    """The transports of an ocean: as they were counted, else those that stand at its ports and boxes (R-0433)."""
    if ocean in s.transports:
        note("counted", "40.221", s.transports[ocean], ocean)
        return s.transports[ocean]
    found = standing_transports(s, ocean)
    for it in found:
        note("transports_at", "40.221", it.count, it.nation, it.place)
    return sum(it.count for it in found)


def keeps_transports(s: State, ocean: str) -> bool:
    """Whether the table keeps an ocean's transports, by a count or on the boards; else it sees to them itself."""
    if ocean in s.transports:
        return True
    return any(it.nation in WEST for it in s.pieces.of_type("transport"))


def _ocean_at(place: Place) -> str:
    """The ocean that a transport at a place serves."""
    head, _, id = place.partition("/")
    if head == "box":
        return next((ocean for ocean, known in BOXES_OF.items() if id in known), "")
    return (
        "atlantic" if head == "europe" else "indian_ocean" if by_key(place).country in ("india", "burma") else "pacific"
    )


def standing_transports(s: State, ocean: str, first: tuple[str, ...] = ()) -> list[Stack]:
    """The Western Allied transports that stand where their ocean is, those of some powers first."""
    found = [it for it in s.pieces.of_type("transport") if it.nation in WEST and _ocean_at(it.place) == ocean]
    return sorted(found, key=lambda it: (it.nation not in first, WEST.index(it.nation), it.place))


def free_transports(s: State, ocean: str) -> int:
    """The transports of an ocean that carry nothing yet in this supply determination (R-0431)."""
    used = total(s, "transports used", ocean, "phase")
    if used:
        note("carrying", "", used, ocean)
    return transports_of(s, ocean) - used


def _cited(area: str) -> tuple[str, ...]:
    """The clauses that give an area's value, general and of its own chapter."""
    return tuple(it for it in map(str.strip, areas()[area].source.split(";")) if it in catalogue())


_PRINTED = tuple(sorted({it for name, area in areas().items() if area.is_country for it in _cited(name)}))
_LINES = tuple(sorted({area.source for area in areas().values() if area.kind == "key area"}))


@value("38.12", "What a key economic area is worth, whoever holds it", covers=_LINES)
def key_area_value(s: State, area: str) -> int:
    note("key_area", areas()[area].source, areas()[area].brp, area)
    return areas()[area].brp


@value("35.73A")
def conquest_worth(s: State, area: str) -> int:
    """What an area is worth a year to its conqueror: an IC as it fell, a German or Japanese home key area nothing."""
    kind, brp = areas()[area].kind, conquest_value(area)
    if kind == "ic":
        brp = ic_value(s, area)
        note("captured", "37.43", brp, area)
        if area_holder(s, area) == "russia":
            note("regained", "37.44", brp, area)
    elif kind == "key area":
        note("as_a_conquest", "38.23", key_area_value(s, area), area)
        if not brp:
            note("worth_nothing", "38.231", 0, area)
    return brp


def fixed_value(s: State, area: str) -> int:
    """The value at which an IC was captured; nothing if it never fell."""
    fixed = s.ledger.of("ic", area)
    return fixed.get(IcValue(area), 0) if fixed else 0


def ic_worth(s: State, area: str) -> int:
    """What the books say of an IC, without a line in the explanation."""
    return ic_worths(s).get(area, 0)


def ic_worths(s: State) -> Mapping[str, int]:
    """What the books say of every IC: the value at which it was captured, or the highest on anybody's books."""
    return _worths(s.ledger.unit("annual"), s.ledger.unit("ic"))


@kept
def _worths(
    annual: Mapping[str, Mapping[Account, int]], captured: Mapping[str, Mapping[Account, int]]
) -> dict[str, int]:
    found: dict[str, int] = {}
    for power in powers():
        for account, worth in annual.get(power, {}).items():
            if isinstance(account, Annual):
                found[account.area] = max(worth, found.get(account.area, 0))
    for accounts in captured.values():
        for account, worth in accounts.items():
            if isinstance(account, IcValue) and worth:
                found[account.area] = worth
    return found


@value("37.11", "What an IC is worth: ten BRPs at first, later what it has risen to; nothing if there is none")
def ic_value(s: State, area: str) -> int:
    return ic_worth(s, area)


@value("83.31A", covers=(*COLONY_LISTS, "83.445", "85.491", *_PRINTED))
def worth(s: State, area: str) -> int:
    """What an area brings a year to the power that controls it: its printed value.

    Bessarabia and the Finnish border hexes count within their country until Russia takes them.
    """
    if area in PARTS and not detached(s, area):
        note("within_its_country", "85.491", 0, area)
        return 0
    printed = conquest_worth(s, area)
    sources = _cited(area)
    if area in JAPANESE_COLONIES:
        note("japanese_colony", "83.445", printed, area)
    else:
        for source in sources:
            note("printed_value", source, printed, area)
    return printed


def detached(s: State, part: str) -> bool:
    """Whether Russia once cut Bessarabia or the border hexes off the country that they belong to."""
    return s.countries[part].status == "conquered"


#: Countries that are worth less by what they have lost, by which clause.
WORTH_LESS = {"rumania": "85.491", "finland": "85.492", VICHY: "85.493"}


@value("85.491", adds_to=worth, when=lambda s, area: area in WORTH_LESS, covers=tuple(WORTH_LESS.values()))
def less_by_its_losses(s: State, area: str) -> int:
    """Rumania and Finland are worth five less without what Russia took, Vichy France for each colony that is lost."""
    parts = [it for it, whole in PARTS.items() if whole == area and detached(s, it)]
    lost = 5 * len(colonies_lost_by_vichy(s)) if area == VICHY else sum(areas()[it].brp for it in parts)
    if lost:
        note("lost", WORTH_LESS[area], lost, area)
    return -lost


@value("83.43", "What a power has on its books for its colonies, outside its base")
def colonial_brps(s: State, power: str) -> int:
    owned = (name for name, area in areas().items() if area.kind == "colony" and area.owner == power)
    return sum(account_balance(s, Annual(power, name)) for name in owned)


SHARES = (("82.21A", "82.21A(1)", "82.21A(2)", 5, 10), ("82.21B", "82.21B(1)", "82.21B(2)", 10, 20))


@value("82.21", covers=(*(clause for row in SHARES for clause in row[:3]), "87.13B"))
def diplomatic_share(s: State, country: str, result: int) -> int:
    """What a diplomatic result below association gives of a minor country's BRPs; of Luxembourg's Belgium's share."""
    if country in FOLLOWS:
        note("shared_with_its_leader", "87.13B", 0, country)
        return 0
    if areas()[country].brp == 0 and reading_in_force(s, "R-0480") == "a":
        note("no_brp_value", areas()[country].source, 0, country)
        return 0
    if result not in (7, 0, 8, -1):
        return 0
    letter, general, large, few, many = SHARES[0 if result in (7, 0) else 1]
    share = many if country in LARGE else few
    note("diplomatic_result", letter, result, country)
    note("share", large if country in LARGE else general, share, country)
    return share


def in_being(s: State, area: str) -> bool:
    """Whether an area is there to be taken: Vichy France once France is out of the war and has it (R-0463).

    An industrial center is where Russia has built one (37.22).
    """
    if area != VICHY:
        return areas()[area].kind != "ic" or ic_worth(s, area) > 0
    if opponents(s, area) or s.countries[area].status != "neutral":
        return True
    # With Vichy in an enemy's hands as France surrenders there is none; what is taken from it later was there.
    taken = any(done(s, TakenBy(it, area), "player turn") for it in powers())
    return s.powers["france"].surrendered and (taken or area_holder(s, area) in ("france", VICHY))


def holders_of(s: State, area: str) -> tuple[str, ...]:
    """Who holds each of the places that decide an area."""
    control, first = s.control, default_holders()
    return tuple([control.get(key) or first.get(key, "") for key in deciding_places(area)])


def one_faction(s: State, holders: set[str]) -> bool:
    """Whether powers of one alliance faction, and nobody else, are named."""
    return holders <= set(powers()) and len({s.powers[it].faction for it in holders}) == 1


@definition("83.51", "Who holds a country: of partners that divide its key cities, the senior that took part (R-0213)")
def joint_holder(s: State, area: str) -> str:
    held_by = set(holders_of(s, area))
    if len(held_by) < 2:
        return next(iter(held_by), "")
    if not one_faction(s, held_by):
        return ""
    standing = s.countries.get(area)
    if standing is not None and standing.status == "conquered" and standing.by in held_by:
        return standing.by
    return next(it for it in SENIORITY if it in (_took_a_place_now(s, area) or held_by))


def _took_a_place_now(s: State, area: str) -> set[str]:
    """The powers that took one of an area's deciding places in the player turn under way."""
    before, first = s.frame("player turn").before, default_holders()
    now = {key: holder(s, key) for key in deciding_places(area) if key in before}
    # Who is reported to hold once more what was his took nothing.
    return {by for key, by in now.items() if (before[key] or first.get(key, "")) != by}


@definition("83.31B", "Several sides divide a country's key cities among them, so that it is nobody's (R-0498)")
def divided(s: State, area: str) -> bool:
    if joint_holder(s, area):
        return False
    return all(it in powers() or it == PARTISANS for it in holders_of(s, area))


@definition("83.31B")
def retaken(s: State, power: str, area: str) -> bool:
    """A country or colony is retaken when its capital, or one of its key cities, is held again."""
    if areas()[area].kind == "colony":
        note("as_other_countries", "83.33", True, area)
        note("colony", "83.33A", True, area)
    return power in holders_of(s, area)


@definition("83.32", "What the Axis lost in the Allied winter turn still counts for it in the year start")
def winter_grace(s: State, power: str, area: str) -> bool:
    # One key city lost is no worse than all of them.
    lost = (it for it in holders_of(s, area) if it != power)
    taken_by_allies = all(it not in powers() or powers()[it].player == "allied" for it in lost)
    return s.place.part == "year start" and powers()[power].player == "axis" and taken_by_allies


@definition("83.31B")
def retained(s: State, power: str, area: str) -> bool:
    """A country is kept for its BRPs while the capital, or every key city, is controlled; Spain with Madrid alone."""
    if area == "spain":
        note("madrid_alone", "83.31A", True, area)
    if areas()[area].kind == "colony" and areas()[area].owner != power:
        note("colony_not_retaken", "83.33B", True, area)
    return joint_holder(s, area) == power
