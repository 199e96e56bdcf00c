"""Commands: what someone at the table asks for. Orders are judged by the rules; reports bring in what happened
outside them; the referee may rule and correct.

The names and fields here are public: cases, the command line, pages and `docs/commands.md` are made from them.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.kernel.why import Answer
from warcabinet.model.state import StatusName


def _kind(kind: str, text: str) -> Meta:
    return Meta(description=text, extra={"kind": kind})


PowerName = Annotated[str, _kind("power", "a major power")]
AreaName = Annotated[str, _kind("area", "a country, colony, key economic area, industrial center or major power")]
CountryName = Annotated[str, _kind("country", "a minor country or colony")]
PlaceName = Annotated[str, _kind("place", "a hex, city or box")]
TrackName = Annotated[str, _kind("track", "a tension or resistance track")]
Brp = Annotated[int, Meta(ge=0, description="Basic Resource Points", extra={"kind": "brp"})]
SignedBrp = Annotated[int, Meta(description="Basic Resource Points, negative for a loss", extra={"kind": "brp"})]
FigureValue = int | str | bool | None | list[Any] | dict[str, Any]
Text = Annotated[str, Meta(description="a few words for the log")]


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """What every command carries: the seat that gives it (empty: the whole table) and the last event it had seen."""

    seat: str = ""
    seq_seen: int | None = None


class Advance(Command, tag="advance"):
    """Go on to the next step of the sequence of play."""


class Spend(Command, tag="spend"):
    """Spend BRPs: on offensive operations, unit construction, a declaration of war, or otherwise."""

    power: PowerName
    brp: Annotated[int, Meta(ge=1, description="Basic Resource Points", extra={"kind": "brp"})]
    on: Literal["offensive operations", "unit construction", "declaration of war", "other"]
    note: Text = ""


class Roll(Command, tag="roll"):
    """Roll one die for something at the table; the face goes into the log."""

    purpose: Text


class ReportControl(Command, tag="report_control"):
    """Hexes, cities or boxes came under a power's control; all that follows for areas and BRPs is automatic."""

    places: Annotated[tuple[PlaceName, ...], Meta(min_length=1)]
    by: PowerName


class ReportConquest(Command, tag="report_conquest"):
    """A major power was conquered, or an area whose places are not on a board; its yearly value is given."""

    area: AreaName
    by: PowerName
    brp: Brp


class ReportStatus(Command, tag="report_status"):
    """A minor country's political status changed; `brp` overrides what its BRPs are worth to the power."""

    country: CountryName
    status: StatusName
    power: Annotated[str, _kind("power or none", "the power concerned; empty for neutral or independent")] = ""
    brp: int | None = None


class ReportBombing(Command, tag="report_bombing"):
    """Bombing, flying bombs or rockets cost a power BRPs; never prorated, never a loss of base."""

    power: PowerName
    brp: Brp
    area: Annotated[str, _kind("area or none", "what was hit, if it has economic value")] = ""
    by: Literal["bombing", "flying bombs", "rockets"] = "bombing"


class ReportBrp(Command, tag="report_brp"):
    """A power gained or lost BRPs through a chapter that is played outside: named, and never prorated."""

    power: PowerName
    brp: SignedBrp
    cause: Literal["transports", "submarine warfare", "partisans", "grant", "oil", "resistance", "other"]
    note: Text = ""


class ReportBase(Command, tag="report_base"):
    """A power's BRP base changed during the year: a mobilization (level too), oil effects, or another cause."""

    power: PowerName
    brp: SignedBrp
    cause: Literal["mobilization", "oil", "other"]
    note: Text = ""


class ReportTrack(Command, tag="report_track"):
    """A tension or resistance level stands at a new value."""

    track: TrackName
    level: int


class ReportWar(Command, tag="report_war"):
    """War broke out between two powers, or a power and a country."""

    between: Annotated[
        tuple[Annotated[str, _kind("belligerent", "a power or country")], ...], Meta(min_length=2, max_length=2)
    ]
    declared_by: Annotated[str, _kind("belligerent or none", "who declared it")] = ""


class ReportPeace(Command, tag="report_peace"):
    """A war between two belligerents ended."""

    between: Annotated[
        tuple[Annotated[str, _kind("belligerent", "a power or country")], ...], Meta(min_length=2, max_length=2)
    ]


class ReportSurrender(Command, tag="report_surrender"):
    """A major power surrendered, or re-entered the war."""

    power: PowerName
    surrendered: bool = True


class ReportPool(Command, tag="report_pool"):
    """Units were added to a power's force pool unbuilt, lost, or (with a negative count) built or removed."""

    power: PowerName
    unit: Annotated[str, _kind("unit", "a unit type with its strength, such as 'armor 3-5' or 'army air'")]
    count: int
    eliminated_by: Annotated[str, _kind("power or none", "who eliminated them")] = ""


class ReportOil(Command, tag="report_oil"):
    """Whether a power uses the oil that its BRP growth requires in the coming year start."""

    power: PowerName
    used_for_growth: bool


class Rule(Command, tag="rule"):
    """The referee fixes the result of a value or definition, with a reason; every explanation shows it."""

    rule: Annotated[str, _kind("rule", "a value or definition by name")]
    is_: Annotated[Answer, Meta(description="the result that shall hold")] = msgspec.field(name="is")
    reason: Annotated[str, Meta(min_length=1, description="why")]
    args: Annotated[tuple[str, ...], Meta(description="for whom or what, in the rule's order")] = ()


class Release(Command, tag="release"):
    """The referee lifts an earlier ruling; the figure is computed again."""

    rule: Annotated[str, _kind("rule", "a value or definition by name")]
    args: tuple[str, ...] = ()


class Correct(Command, tag="correct"):
    """The referee sets a figure of the state to what it should be, with a reason."""

    figure: Annotated[str, _kind("figure", "a path such as powers.germany.brp")]
    to: Annotated[FigureValue, Meta(description="the value that is right")]
    reason: Annotated[str, Meta(min_length=1, description="why")]


class ChooseReading(Command, tag="choose_reading"):
    """Choose a reading of a numbered ruling for this game."""

    ruling: Annotated[str, _kind("ruling", "a ruling such as R-0002")]
    reading: str
    reason: Text = ""


AnyCommand = (
    Advance
    | Spend
    | Roll
    | ReportControl
    | ReportConquest
    | ReportStatus
    | ReportBombing
    | ReportBrp
    | ReportBase
    | ReportTrack
    | ReportWar
    | ReportPeace
    | ReportSurrender
    | ReportPool
    | ReportOil
    | Rule
    | Release
    | Correct
    | ChooseReading
)

REFEREE = "referee"
REFEREE_ONLY = (Rule, Release, Correct)


@cache
def command_types() -> dict[str, type[Command]]:
    """Every command by the name under which it is given, orders first."""
    return {_tag(kind): kind for kind in AnyCommand.__args__}


def _tag(kind: type[Command]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def name_of(command: Command | type[Command]) -> str:
    return _tag(command if isinstance(command, type) else type(command))


def is_report(kind: type[Command]) -> bool:
    return _tag(kind).startswith("report_")


class Field(msgspec.Struct, frozen=True):
    """A field of a command as forms and documents need it."""

    name: str
    attribute: str
    kind: str
    text: str
    required: bool
    default: Answer | tuple[()] = None
    among: tuple[str, ...] = ()
    many: bool = False


@cache
def fields(kind: type[Command]) -> tuple[Field, ...]:
    """The fields of a command, without those that every command carries."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return tuple(_field(f) for f in info.fields if f.name not in ("seat", "seq_seen"))


def _field(f: msgspec.inspect.Field) -> Field:
    kind, text, among, many = _describe(f.type)
    default = None if f.default is msgspec.NODEFAULT else f.default
    return Field(f.encode_name, f.name, kind, text, f.required, default, among, many)


def _describe(t: msgspec.inspect.Type) -> tuple[str, str, tuple[str, ...], bool]:
    """Kind, description, choices and plurality of a field's type."""
    ins = msgspec.inspect
    if isinstance(t, ins.Metadata):
        kind, text, among, many = _describe(t.type)
        extra = t.extra or {}
        schema = t.extra_json_schema or {}
        return str(extra.get("kind", kind)), str(schema.get("description", text)), among, many
    if isinstance(t, ins.LiteralType):
        return "choice", "", tuple(map(str, t.values)), False
    if isinstance(t, ins.VarTupleType):
        kind, text, among, _ = _describe(t.item_type)
        return kind, text, among, True
    if isinstance(t, ins.TupleType):
        kind, text, among, _ = _describe(t.item_types[0])
        return kind, text, among, True
    if isinstance(t, ins.IntType):
        return "number", "", (), False
    if isinstance(t, ins.BoolType):
        return "yes or no", "", (), False
    if isinstance(t, ins.UnionType):
        inner = [_describe(m) for m in t.types if not isinstance(m, ins.NoneType)]
        return inner[0] if len(inner) == 1 else ("any", "", (), False)
    return ("text" if isinstance(t, ins.StrType) else "any"), "", (), False
