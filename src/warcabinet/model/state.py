"""The state of a game: everything that events can change, and nothing that they cannot.

Immutable; an event makes a new state that shares all it did not touch. Map keys are strings and no field is
untyped, so a state survives the way to JSON and back unchanged. Books, pieces, agenda and annals have indexes of their
own: they are written without them, and read into them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.kernel.rules import Determination
from warcabinet.model import calendar
from warcabinet.model.accounts import account_named
from warcabinet.model.agenda import Agenda, Matter, Promise
from warcabinet.model.allegiances import Allegiance
from warcabinet.model.calendar import player_at, step_at
from warcabinet.model.convoys import Consignment, Convoy
from warcabinet.model.ledger import Books
from warcabinet.model.names import StatusName
from warcabinet.model.operations import Operation
from warcabinet.model.pieces import Pieces

Count = Annotated[int, Meta(ge=0)]
ByPower = dict[str, Count]
FrameKind = Literal["year", "turn", "player turn", "phase"]


class Frame(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A stretch of time that is open now; `before` keeps who held what changed hands since it opened."""

    kind: FrameKind
    since: int
    before: dict[str, str] = {}


#: The stretches of time that are always open, in the order in which a state has them.
FRAMES: tuple[FrameKind, ...] = ("year", "turn", "player turn", "phase")
_FRAMES = {kind: place for place, kind in enumerate(FRAMES)}


class Standing(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A country's political status: with whom, since when, and by which clause."""

    status: StatusName = "neutral"
    by: str = ""
    since: int = 0
    clause: str = ""
    reason: str = ""

    @property
    def words(self) -> str:
        """How it stands, as one says of it that it is so."""
        return {"colony": "a colony", "commonwealth": "in the Commonwealth"}.get(self.status, self.status)


class War(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    between: tuple[str, str]
    since: int
    declared_by: str = ""
    ended: int | None = None


class Happening(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened this year and that a rule may ask about later: how much, to whom, when."""

    moment: int
    kind: str
    key: str
    amount: int = 0


_Row = tuple["_Row", Happening] | None


class Annals:
    """All happenings of the year, oldest first. Never changed: another happening makes new annals.

    Rules ask for one kind at a time, and most kinds have not happened at all.
    """

    __slots__ = ("_kinds", "_latest")

    def __init__(self, happenings: Iterable[Happening] = ()) -> None:
        #: The last happening, with what came before it told in the same way: the whole row is asked for seldom.
        self._latest: _Row = None
        #: Each kind, with the latest moment of it: mostly that is too long ago for whoever asks.
        self._kinds: dict[str, tuple[int, tuple[Happening, ...]]] = {}
        for it in happenings:
            self._latest = self._latest, it
            self._kinds[it.kind] = self._more(it)

    def with_(self, made: Happening) -> Annals:
        new = Annals.__new__(Annals)
        new._latest = self._latest, made
        new._kinds = {**self._kinds, made.kind: self._more(made)}
        return new

    def _more(self, made: Happening) -> tuple[int, tuple[Happening, ...]]:
        known = self._kinds.get(made.kind)
        return (made.moment, (made,)) if known is None else (max(known[0], made.moment), (*known[1], made))

    @property
    def _all(self) -> tuple[Happening, ...]:
        found, row = [], self._latest
        while row is not None:
            row, it = row
            found.append(it)
        return tuple(reversed(found))

    def of(self, kind: str) -> tuple[Happening, ...]:
        """Everything of one kind."""
        known = self._kinds.get(kind)
        return () if known is None else known[1]

    def lately(self, kind: str, since: int) -> tuple[Happening, ...]:
        """Everything of one kind, if any of it is from a moment on; mostly none is."""
        known = self._kinds.get(kind)
        return () if known is None or known[0] < since else known[1]

    def among(self, kinds: tuple[str, ...], since: int = 0) -> Sequence[Happening]:
        """Everything of these kinds from a moment on, in the order in which it happened."""
        found: Sequence[Happening] = ()
        for kind in kinds:
            known = self._kinds.get(kind)
            if known is not None and known[0] >= since:
                if found:
                    return [it for it in self._all if it.moment >= since and it.kind in kinds]
                found = [it for it in known[1] if it.moment >= since]
        return found

    def __iter__(self) -> Iterator[Happening]:
        return iter(self._all)

    def __len__(self) -> int:
        return sum(len(found) for _, found in self._kinds.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Annals) and self._all == other._all

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return f"Annals({list(self._all)})"


def told(text: str) -> Meta:
    """What an option means, for the documents."""
    return Meta(description=text)


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was agreed or settled before the first turn: edition, scope, and what the prequel games left behind."""

    edition: Annotated[Literal["classic", "prequel"], told("which edition of the rules is played")] = "classic"
    scope: Annotated[Literal["global", "europe", "pacific"], told("which theaters are played")] = "global"
    start: Annotated[str, told("the first turn of the game")] = "Fall 1939"
    original_german_base: Annotated[Count, told("the German base before any growth (35.33A, 35.42)")] = 150
    china_lobby_steps: Annotated[Count, told("steps of China Lobby research (35.31E)")] = 6
    china_lobby_results: Annotated[Count, told("China Lobby results (35.31E)")] = 0
    burma_road_steps: Annotated[Count, told("steps of Burma Road research (40.84)")] = 0
    burma_road_result: Annotated[bool, told("Burma Road research brought a result (40.84B)")] = False
    united_front: Annotated[bool, told("the United Front existed when the prequel on Asia ended (79.81A)")] = True
    national_unity_results: Annotated[Count, told("National Unity results (79.31B, 79.81B)")] = 0
    sinkiang_road: Annotated[bool, told("China achieved the Sinkiang Road result (79.41A)")] = False
    communist_regions: Annotated[
        str,
        told("regions that Communist China starts with, and their sources: `Shensi: Yenan; Kansu: Lanchow` (79.41A)"),
    ] = "Shensi: Yenan; Kansu: Lanchow"
    communist_hexes: Annotated[
        str, told("the hexes of Communist China, if the prequel left it others than the board shows (79.21)")
    ] = ""
    kmt_steps: Annotated[Count, told("steps of KMT research (39.11C)")] = 6
    tiles: Annotated[ByPower, told("by power: BRPs of tiles and trade pacts, for a start in spring (35.11A)")] = {}
    idle_factories: Annotated[ByPower, told("by power: idle factories not yet mobilized (36.11)")] = {}
    # Of Japan's original four three wait for tension or date (36.11C).
    civilian_factories: Annotated[
        ByPower, told("by power: civilian factories not yet mobilized (36.11); not named, Russia has five, Japan four")
    ] = {}
    mobilization: Annotated[
        Literal["scheduled", "judged", "reported"],
        told("the schedule of mobilizations is kept, only judges orders, or is left to reports (36.11)"),
    ] = "reported"
    declarations: Annotated[
        Literal["ordered", "reported"],
        told("a neutral's hexes are taken only after a declared war, or wars are left to reports (82.41)"),
    ] = "reported"
    set_up: Annotated[
        Literal["ordered", "reported"],
        told("forces that stand on the boards from the start are set up before play goes on, or are left to reports"),
    ] = "reported"
    forces: Annotated[
        Literal["listed", "counted", "none"],
        told(
            "the scenario's own forces stand on the boards from the start, are only counted (the books alone, WC.29), "
            "or there are nobody's but what is set or reported"
        ),
    ] = "none"
    counters: Annotated[
        Literal["listed", "free"],
        told(
            "counters that the list of a power does not have need a word from the player, or no list is asked (WC.28)"
        ),
    ] = "free"
    counter_list: Annotated[
        str,
        told(
            "a list of the table's own, such as `italy: 2 armor 2-5, 10 army air; china: ...`, for the powers it names"
        ),
    ] = ""
    storm_over_asia_mobilizations: Annotated[Count, told("Japanese ones made in Storm Over Asia (36.341E)")] = 4
    japanese_shipbuilding_increased: Annotated[
        bool, told("one of Japan's mobilizations before the game increased shipbuilding (36.341E)")
    ] = False
    british_armor_steps: Annotated[Count, told("steps of British armor research (36.32C)")] = 0
    british_armor_result: Annotated[bool, told("Britain achieved an armor result (36.32C)")] = False
    british_shipbuilding_increased: Annotated[bool, told("Britain did so in Gathering Storm (36.341D)")] = False
    russian_armor_mobilized: Annotated[Count, told("Russian 3-5 armor units mobilized before (36.32C)")] = 0
    russian_armor_research: Annotated[bool, told("Russia has completed its armor research (36.32C)")] = False
    russian_military_counters: Annotated[
        Count, told("Russian military counters at the end of Storm Over Asia: what starts in Siberia (81.41A)")
    ] = 3
    japanese_combat_results: Annotated[
        Count, told("+1s for Japan, on balance, in the Russo-Japanese combat of Storm Over Asia (81.31C, 81.41B)")
    ] = 0
    russian_combat_results: Annotated[Count, told("+1s for Russia, on balance, in the same combat")] = 0
    missing_japanese_armor: Annotated[Count, told("armor factors that Japan lacks for Manchuria at first (81.31A)")] = 0
    missing_japanese_infantry: Annotated[Count, told("infantry factors that it lacks there at first (81.42B)")] = 0
    missing_japanese_air: Annotated[Count, told("army air factors that it lacks there at first (81.42B)")] = 0

    @property
    def counted(self) -> bool:
        """Whether the table keeps the books alone: units are counted, and stand on the players' own map (WC.29)."""
        return self.forces == "counted"


#: What an operation can be about; a tagged struct for each kind.
Undertaking = Convoy | Consignment | Allegiance
OpenOperation = Operation[Undertaking]


class PowerState(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What can change about a major power besides its accounts."""

    faction: str
    surrendered: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """A position in the game."""

    scenario: str
    turn: int
    step: int
    frames: tuple[Frame, ...]
    options: Options
    powers: dict[str, PowerState]
    ledger: Books = Books()
    pieces: Pieces = Pieces()
    countries: dict[str, Standing] = {}
    wars: tuple[War, ...] = ()
    control: dict[str, str] = {}
    tracks: dict[str, int] = {}
    results: dict[str, str] = {}
    transports: dict[str, int] = {}
    happenings: Annals = Annals()
    agenda: Agenda = Agenda()
    promised: int = 0
    determinations: dict[str, dict[str, Determination]] = {}
    readings: dict[str, str] = {}
    corrected: dict[str, str] = {}
    operations: tuple[OpenOperation, ...] = ()
    opened: int = 0

    @property
    def waiting(self) -> OpenOperation | None:
        """The operation that must be answered before anything else: the last one opened."""
        return self.operations[-1] if self.operations else None

    @property
    def moment(self) -> int:
        return self.turn * calendar.ROOM + self.step

    @property
    def place(self) -> calendar.Place:
        return step_at(self.step)

    @property
    def year(self) -> int:
        return calendar.year(self.turn)

    @property
    def season(self) -> int:
        return calendar.season(self.turn)

    @property
    def player(self) -> str:
        """Whose player turn it is: axis, allied, or nobody's during the year start."""
        return player_at(self.step)

    def at(self, turn: int, step: int) -> State:
        """The same position at another moment."""
        return msgspec.structs.replace(self, turn=turn, step=step)

    def frame(self, kind: FrameKind) -> Frame:
        """The open stretch of time of this kind."""
        return self.frames[_FRAMES[kind]]

    def since(self, kind: FrameKind) -> int:
        """When the open stretch of time of this kind began."""
        return self.frames[_FRAMES[kind]].since

    def fingerprint(self) -> str:
        """A hash that is the same exactly for equal states."""
        return hashlib.sha256(_SORTED.encode(self)).hexdigest()


def _written(part: Any) -> Any:
    """A part of the state with an index of its own, as it is stored."""
    match part:
        case Books():
            return {str(account): amount for account, amount in part.items()}
        case Pieces():
            return part.stored()
        case Agenda() | Annals():
            return list(part)
    raise NotImplementedError(type(part))


def _read(kind: type, stored: Any) -> Any:
    if kind is Pieces:
        return Pieces.restored(msgspec.convert(stored, dict[str, dict[str, dict[str, int]]]))
    if kind is Books:
        balances = msgspec.convert(stored, dict[str, int])
        return Books.holding((account_named(text), amount) for text, amount in balances.items())
    if kind is Agenda:
        return Agenda(msgspec.convert(stored, list[Promise[Matter]]))
    if kind is Annals:
        return Annals(msgspec.convert(stored, list[Happening]))
    raise NotImplementedError(kind)


_SORTED = msgspec.json.Encoder(order="deterministic", enc_hook=_written)
_AS_IT_IS = msgspec.json.Encoder(enc_hook=_written)


def encode(state: State) -> bytes:
    """A state for storing. Its maps keep their order: rules that walk through them must find it again."""
    return _AS_IT_IS.encode(state)


_DECODER = msgspec.json.Decoder(State, dec_hook=_read)


def decode(data: bytes) -> State:
    return _DECODER.decode(data)


def correction_note(state: State, figure: str) -> str:
    """What the referee said when setting a figure that has not changed since, for every explanation that reads it."""
    reason = state.corrected.get(figure)
    return f"set by the referee: {reason}" if reason else ""


def total(state: State, kind: str, key: str, within: FrameKind) -> int:
    """The sum of what happened of one kind to one key within an open stretch of time."""
    start = state.frames[_FRAMES[within]].since
    found = state.happenings.lately(kind, start)
    return sum([h.amount for h in found if h.key == key and h.moment >= start]) if found else 0


def happened(state: State, kind: str, key: str, within: FrameKind) -> bool:
    start = state.frames[_FRAMES[within]].since
    found = state.happenings.lately(kind, start)
    return bool([h for h in found if h.key == key and h.moment >= start]) if found else False


def happened_to(state: State, kinds: tuple[str, ...], within: FrameKind) -> list[str]:
    """Everything to which one of these happened, each once, in order."""
    found = state.happenings.among(kinds, state.frames[_FRAMES[within]].since)
    return list(dict.fromkeys([it.key for it in found])) if found else []
