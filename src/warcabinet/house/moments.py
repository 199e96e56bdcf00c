"""Great moments (WC.30): a power falls, a war breaks out that changes all, a country surrenders or switches sides.

What the documents do of it is done at once. What they leave to other chapters is a list of lines, each with the
ordinary reports by which players say it; a line is open as long as something on the map or in the list of wars says so.
Which lines there are is a table (`LINES`); nothing here decides what the players report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import convert

from warcabinet.board.maps import board, by_key
from warcabinet.kernel.limits import Choice
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import ReportFreeFrench, ReportUnits, ReportVichy
from warcabinet.model.commands.politics import ReportControl, ReportMoment, ReportPeace, ReportTrack, ReportWar
from warcabinet.model.events import Reported
from warcabinet.model.names import TRACKS, called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, VICHY, home_hexes
from warcabinet.rules.common.books import in_being
from warcabinet.rules.common.pieces import faction, patron, units_of
from warcabinet.rules.common.war_and_peace import (
    at_war,
    neutral_power,
    opponents,
    vichy_colony,
    vichy_places,
    went_to_war,
)
from warcabinet.rules.commonwealth.boxed import BOXED, has_surrendered
from warcabinet.rules.kinds import limit, order, remembered
from warcabinet.rules.minors.association import pooled_by_switch

Kind = Literal["fall", "war", "entry", "surrender", "switch"]


class Moment(msgspec.Struct, frozen=True):
    """A great moment: what kind, and of whom."""

    kind: Kind
    about: str

    @property
    def id(self) -> str:
        return f"{self.kind} of {called(self.about)}"

    @property
    def title(self) -> str:
        name = called(self.about)
        return {
            "fall": f"The fall of {name}",
            "war": "War between Germany and Russia",
            "entry": f"{name} enters the war",
            "surrender": f"{name} surrenders",
            "switch": f"{name} switches sides",
        }[self.kind]


class Said(msgspec.Struct, frozen=True):
    """What a player says beside the press: some of the counters, the places, the number; nothing: as proposed."""

    stacks: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    level: int | None = None


class Press(msgspec.Struct, frozen=True):
    """A choice of a line, and the ordinary commands that it gives together."""

    label: str
    commands: tuple[Command, ...]


class MomentLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be said about a moment: under which clause, whose it is, what still waits, and the choices."""

    id: str
    title: str
    clause: str
    whose: tuple[str, ...]
    #: How much still waits: counters, hexes, wars.
    open: int
    presses: tuple[Press, ...] = ()
    stacks: tuple[Stack, ...] = ()
    places: tuple[Place, ...] = ()
    #: What a player may say with the press.
    asks: Literal["", "places", "level"] = ""
    #: The country in which places are asked for.
    land: str = ""
    level: int = 0
    #: Whether it may well stay as it is: it does not wait beyond the turn.
    optional: bool = False
    #: Whether it is settled by the players' word, which they may take back.
    worded: bool = False


def begun(s: State) -> Iterator[Moment]:
    """The moments that have come in a position."""
    yield from (Moment("fall", it) for it in powers() if s.powers[it].surrendered)
    if at_war(s, "germany", "russia"):
        yield Moment("war", "Germany and Russia")
    if any(at_war(s, "usa", it) for it in ("germany", "italy", "japan")):
        yield Moment("entry", "usa")
    if not neutral_power(s, "japan"):
        yield Moment("entry", "japan")
    yield from (Moment("surrender", it) for it in BOXED if has_surrendered(s, it))
    switched = {args.partition(", ")[0] for args in s.determinations.get(pooled_by_switch.name, {})}
    yield from (Moment("switch", it) for it in countries() if it in switched)


def concerned(s: State, it: Moment) -> tuple[str, ...]:
    """The powers whose seats settle a moment together."""
    if it.kind == "fall":
        fought = [one for one in powers() if went_to_war(s, it.about, one)]
        sides = {faction(s, one) for one in (it.about, *fought)}
        return tuple(one for one in powers() if one == it.about or (faction(s, one) in sides and _fights(s, one)))
    if it.kind == "switch":
        return tuple(one for one in powers() if one == patron(s, it.about) or _fights(s, one))
    if it.kind == "surrender":
        return tuple(one for one in ("britain", "japan", "usa") if one != "usa" or at_war(s, "usa", "japan"))
    return tuple(one for one in powers() if _fights(s, one))


def _fights(s: State, power: str) -> bool:
    return not neutral_power(s, power) and not s.powers[power].surrendered


# -- the lines ----------------------------------------------------------------------------------------------------


def _peace(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    enemies = [one for one in opponents(s, it.about) if one in powers()]
    made = tuple(ReportPeace(between=(one, it.about)) for one in enemies)
    title = f"Peace with {_and(map(called, enemies))}" if enemies else "No power is at war with it"
    press = (Press("Peace", made),) if made else ()
    yield MomentLine(id="peace", title=title, clause="WC.7", whose=(it.about, *enemies), open=len(made), presses=press)


def _zone(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    if it.about != "france" or not in_being(s, VICHY):
        return
    laid = vichy_places(s)
    places = said.places or laid
    title = f"Vichy zone, the line through France: {len(laid)} hexes laid" if len(laid) > 1 else "Vichy zone"
    lay = Press(f"Lay {len(places)} hexes", (ReportVichy(places=places),))
    victors = tuple(one for one in powers() if went_to_war(s, "france", one))
    yield MomentLine(
        id="zone",
        title=title,
        clause="85.44",
        whose=victors,
        open=int(len(laid) <= 1),
        presses=(lay,) if said.places else (),
        places=places,
        asks="places",
        land="france",
    )


def _ground(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    """Land that is still in the name of a power that fell, country by country."""
    left: dict[str, list[Place]] = {it.about: []}
    for key in _held(s, it.about):
        country = by_key(key).country or it.about
        if country not in countries() or not vichy_colony(s, country):
            left.setdefault(country, []).append(key)
    for country, keys in left.items():
        here = home_hexes(country)
        near = {one: sum(1 for key in here if holder(s, key) == one) for one in powers() if one != it.about}
        there = {stack.nation for key in here for stack in s.pieces.at(key)}
        victors = [one for one in near if near[one] or one in there or went_to_war(s, it.about, one)]
        victors.sort(key=lambda one: -near[one])
        keys = [key for key in keys if not said.places or key in said.places]
        why = f"the surrender of {called(it.about)}"
        presses = tuple(
            Press(f"To {called(one)}", (ReportControl(places=tuple(keys), by=one, by_rule=why),)) for one in victors[:4]
        )
        what = f"{len(keys)} hex{'es' if len(keys) > 1 else ''} still in its name" if keys else "nothing in its name"
        yield MomentLine(
            id=f"ground of {called(country)}",
            title=f"Ground of {called(country)}: {what}",
            clause="WC.7",
            whose=tuple(victors[:4]),
            open=len(keys),
            presses=presses if keys else (),
            places=tuple(keys),
        )


def _held(s: State, power: str) -> Iterable[Place]:
    land = (Place(one.key) for name in ("europe", "pacific") for one in board(name) if one.is_land)
    return (key for key in land if holder(s, key) == power)


def _counters(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    stacks = sorted(units_of(s, it.about), key=lambda one: (one.place, one.unit))
    name = called(it.about)
    for id, title, off, some in (
        ("counters", f"Counters of {name}", "Off the map", [one for one in stacks if one.branch != "naval"]),
        ("fleet", f"Fleet of {name}", "Scuttled", [one for one in stacks if one.branch == "naval"]),
    ):
        chosen = [one for one in some if not said.stacks or stack_id(one) in said.stacks]
        presses = [Press(off, tuple(_off(chosen)))]
        if it.about == "france":
            vichys = [one for one in chosen if holder(s, one.place) == VICHY]
            if vichys:
                presses.insert(0, Press("To Vichy", tuple(_over(vichys, VICHY))))
            label = "To Britain" if id == "fleet" else "Free French"
            presses.append(Press(label, tuple(_over(chosen, "britain"))))
        count = sum(one.count for one in some)
        yield MomentLine(
            id=id,
            title=f"{title}: {f'{count} still stand' if count else 'none stands'}",
            clause="WC.7",
            whose=(it.about,),
            open=count,
            presses=tuple(presses) if chosen else (),
            stacks=tuple(some),
        )


def stack_id(stack: Stack) -> str:
    return f"{stack.unit} at {stack.place}"


def _off(stacks: list[Stack]) -> Iterator[Command]:
    """Counters leave the map for good, place by place."""
    for place in dict.fromkeys(it.place for it in stacks):
        here = [it for it in stacks if it.place == place]
        units = tuple(f"{it.count} {it.unit}" for it in here)
        yield ReportLoss(power=here[0].nation, units=units, at=place, for_good=True)


def _over(stacks: list[Stack], to: str) -> Iterator[Command]:
    """Counters go over to another nation where they stand; beyond its list they are its by the players' word."""
    yield from _off(stacks)
    for it in stacks:
        yield ReportUnits(nation=to, unit=it.unit, at=it.place, count=it.count, beyond_list=to in powers())


def _colonies(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    if it.about != "france":
        return
    for colony in EUROPEAN_FRENCH_COLONIES:
        stays = vichy_colony(s, colony)
        free = Press("Free French", (convert({"do": "report_free_french", "colony": colony}, ReportFreeFrench),))
        yield MomentLine(
            id=called(colony),
            title=called(colony) if stays else f"{called(colony)} is not Vichy's",
            clause="85.493",
            whose=("france", "britain"),
            open=int(stays),
            presses=(_as_it_is(it, called(colony), "With Vichy"), free) if stays else (),
            optional=True,
        )
    islands = _as_it_is(it, "French Indochina", "Settled")
    stays = vichy_colony(s, "french_indochina")
    yield MomentLine(
        id="French Indochina",
        title="French Indochina and the Pacific islands: take or leave them on the map",
        clause="89.31",
        whose=("japan", "britain"),
        open=int(stays),
        presses=(islands,) if stays else (),
        optional=True,
    )


def _tracks(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    against = "japan" if it.kind == "surrender" else "germany"
    for track, of in (("usjt", "usa"),) if it.kind == "surrender" else (("usat", "usa"), ("rgt", "russia")):
        if s.powers[of].surrendered or at_war(s, of, against):
            continue
        level = s.tracks.get(track, 0)
        to = level if said.level is None else said.level
        done = ReportMoment(moment=it.id, line=TRACKS[track], says=f"{level} to {to}")
        moved = (ReportTrack(track=track, level=to), done) if to != level else (done,)
        yield MomentLine(
            id=TRACKS[track],
            title=f"{TRACKS[track]}, by your chart",
            clause="WC.7",
            whose=(of,),
            open=1,
            presses=(Press("Report", moved),),
            asks="level",
            level=level,
            optional=True,
        )


#: Who goes to war with a moment, or stays out of it, as far as no clause says: pairs, the one who would declare first.
_PAIRS = {
    "war of Germany and Russia": (("italy", "russia"),),
    "entry of United States": (("germany", "usa"), ("italy", "usa"), ("japan", "usa")),
    "entry of Japan": (("japan", "britain"), ("japan", "usa"), ("japan", "russia")),
}


def _partners(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    for one, other in _PAIRS[it.id]:
        if s.powers[one].surrendered or s.powers[other].surrendered:
            continue
        line, fought = f"{called(one)} and {called(other)}", at_war(s, one, other)
        begin = Press("At war", (ReportWar(between=(one, other), declared_by=one),))
        yield MomentLine(
            id=line,
            title=f"{line}{' are at war' if fought else ''}",
            clause="WC.7",
            whose=(one, other),
            open=int(not fought),
            presses=() if fought else (begin, _as_it_is(it, line, "At peace")),
            optional=True,
        )


def _rest(s: State, it: Moment, said: Said) -> Iterator[MomentLine]:
    """What chapters that are played outside say of it beside the rules: reported on the map, or nothing."""
    name = called(it.about)
    yield MomentLine(
        id="the rest",
        title=f"What else your own chapters say of {name}: report it on the map",
        clause="WC.7",
        whose=concerned(s, it),
        open=1,
        presses=(_as_it_is(it, "the rest", "Nothing more"),),
        optional=True,
    )


def _as_it_is(it: Moment, line: str, label: str) -> Press:
    return Press(label, (ReportMoment(moment=it.id, line=line, says=label),))


#: Which lines each kind of moment has; what clauses do at once needs none.
LINES: dict[Kind, tuple[Callable[[State, Moment, Said], Iterator[MomentLine]], ...]] = {
    "fall": (_peace, _zone, _ground, _counters, _colonies, _tracks),
    "war": (_partners, _tracks),
    "entry": (_partners, _tracks),
    "surrender": (_tracks, _rest),
    "switch": (_rest,),
}
#: The clauses that hold from a moment on, told beside what was done at once.
SINCE: dict[str, tuple[str, ...]] = {
    "fall of France": ("38.24", "40.523", "82.41", "85.493"),
    "fall of Italy": ("38.24", "88.431"),
    "fall of Britain": ("70.16", "70.26", "71.154", "72.164", "82.13D", "82.81C", "40.332B", "40.523"),
    "fall of Germany": ("81.44B",),
    "war of Germany and Russia": ("36.11B(7)", "40.35", "40.36", "81.42", "81.44B", "84.23"),
    "entry of United States": ("36.11D(6)", "36.11D(12)", "40.331A", "40.332B", "78.51", "89.42"),
    "entry of Japan": ("35.32", "71.13", "72.13", "84.33", "89.51A"),
    "surrender of Australia": ("71.51C", "71.51D", "71.51F", "71.53", "40.332D"),
    "surrender of India": ("72.51C", "72.51D", "72.51F", "72.53", "72.51H"),
}


NOTHING_SAID = Said()


def lines(s: State, it: Moment, said: Said = NOTHING_SAID) -> tuple[MomentLine, ...]:
    """The lines of a moment as they stand; what has been settled as it is waits no more."""
    return tuple(_settled(s, it, line) for make in LINES[it.kind] for line in make(s, it, said))


def _settled(s: State, it: Moment, line: MomentLine) -> MomentLine:
    words = settled(s, it.id, line.id)
    if not line.open or not words:
        return line
    return msgspec.structs.replace(line, title=f"{line.title}: {words}", open=0, worded=True)


def _and(names: Iterable[str]) -> str:
    found = list(names)
    return " and ".join([*([", ".join(found[:-1])] if len(found) > 1 else []), *found[-1:]])


# -- what players say of it ---------------------------------------------------------------------------------------


@remembered("WC.30", "How players settled a line of a great moment, or its headline where they settled all of it")
def settled(s: State, moment: str, line: str) -> str:
    return ""


@order("WC.30", "A line of a great moment is settled as it stands, or all of it under a headline", on=ReportMoment)
def report_moment(p: Proceedings, cmd: ReportMoment) -> None:
    it = next(one for one in begun(p.s) if one.id == cmd.moment)
    if cmd.reopen:
        p.do(Reported("moment", f"{it.title}, {cmd.line}: open again"))
        settled.forget(p, cmd.moment, cmd.line)
        return
    says = cmd.says.strip() or ("as it is" if cmd.line else it.title)
    p.do(Reported("moment", f"{it.title}, {cmd.line}: {says}" if cmd.line else says))
    settled.note(p, says, "reported by the players", cmd.moment, cmd.line)


@limit("WC.30", "Only a great moment that has come is settled", on=ReportMoment)
def moments_that_came(s: State, cmd: ReportMoment) -> Choice:
    return Choice("moment", tuple(it.id for it in begun(s)), "no great moment has come yet")


@limit("WC.30", "Only a line that was settled by word is opened again", on=ReportMoment, when=lambda s, cmd: cmd.reopen)
def settled_before(s: State, cmd: ReportMoment) -> str | None:
    worded = bool(cmd.line) and settled(s, cmd.moment, cmd.line)
    return None if worded else "it was not settled by word: what was reported is changed by another report, or undone"


@limit("WC.30", "Only a line that a great moment has is settled", on=ReportMoment, when=lambda s, cmd: bool(cmd.line))
def line_is_there(s: State, cmd: ReportMoment) -> Choice:
    it = next((one for one in begun(s) if one.id == cmd.moment), None)
    known = tuple(line.id for line in lines(s, it)) if it is not None else ()
    return Choice("line", known, f"{cmd.moment} has these lines: {', '.join(known) or 'none'}")
