"""What may be done against the Australia and India boxes and out of them: attrition and bombing (71.24-71.33)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import ReportBombing
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.commonwealth.boxed import BOXED, JAPAN, WEST, clause, country_in, has_surrendered
from warcabinet.rules.commonwealth.passing_into_boxes import left
from warcabinet.rules.kinds import definition, limit, value

INTERCEPTIONS = ("intercept naval mission", "attack sea supply")


def aimed_at(cmd: ReportOperation) -> str:
    """The country against whose box, or in whose box, an operation takes place."""
    return country_in(cmd.at) if cmd.at else ""


def flown_from(cmd: ReportOperation) -> str:
    """The country out of whose box an operation is carried out onto the mapboard."""
    country = country_in(cmd.origin) if cmd.origin else ""
    return "" if country and cmd.at and place_key(cmd.at) == place_key(cmd.origin) else country


def named(country: str) -> str:
    return f"the {called(country)} box"


# -- ground -------------------------------------------------------------------------------------------------------


def _ground_attack(cmd: ReportOperation) -> bool:
    return cmd.branch == "ground" and cmd.mission == "attack"


@limit(
    "71.25",
    "No ground attack is made out of a box, or into it",
    on=ReportOperation,
    also=("72.25",),
    when=lambda s, cmd: _ground_attack(cmd) and bool(aimed_at(cmd) or flown_from(cmd)),
)
def no_ground_attack_at_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd) or flown_from(cmd)
    return Refusal(clause(country, "25"), f"ground units attack neither into {named(country)} nor out of it")


@value(
    "71.31",
    "The hexes that form one attrition zone with a country's box; none once it has surrendered",
    also=("72.31",),
)
def attrition_zone(s: State, country: str) -> tuple[str, ...]:
    return () if has_surrendered(s, country) else box(BOXED[country].box).hexes("ground")


@limit(
    "71.31",
    "Ground units fight by attrition only between a box and the hexes beside it, until a surrender",
    on=ReportOperation,
    also=("72.31",),
    when=lambda s, cmd: cmd.branch == "ground" and cmd.mission == "attrition" and bool(_attrition_at(cmd)),
)
def attrition_beside_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = _attrition_at(cmd)
    other = cmd.origin if aimed_at(cmd) else cmd.at
    if has_surrendered(s, country):
        return Refusal(clause(country, "31"), f"{called(country)} has surrendered: nobody fights at its box")
    if other and place_key(other) in attrition_zone(s, country):
        return None
    return Refusal(clause(country, "31"), f"only units beside {named(country)} and in it meet in attrition")


def _attrition_at(cmd: ReportOperation) -> str:
    return aimed_at(cmd) or flown_from(cmd)


@limit(
    "71.31",
    "Ground units in a box carry out no offensive operation but attrition",
    on=ReportOperation,
    also=("72.31",),
    when=lambda s, cmd: (
        cmd.branch == "ground" and cmd.mission not in ("attack", "attrition", "sea escort") and bool(aimed_at(cmd))
    ),
)
def no_ground_operation_in_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd)
    return Refusal(clause(country, "31"), f"ground units fight in {named(country)} by attrition only")


@limit(
    "71.31",
    "No attrition result takes a box",
    on=ReportControl,
    also=("72.31",),
    when=lambda s, cmd: any(country_in(it) for it in cmd.places),
)
def box_is_not_taken(s: State, cmd: ReportControl) -> Refusal | None:
    country = next(country_in(it) for it in cmd.places if country_in(it))
    return Refusal(clause(country, "31"), f"{named(country)} is not captured; {called(country)} can only surrender")


@limit(
    "71.31",
    "Units in the Australia or India box capture no hex by advancing after attrition",
    on=MoveUnits,
    also=("72.31",),
    when=lambda s, cmd: cmd.how == "advance" and bool(left(cmd)),
)
def no_advance_out_of_box(s: State, cmd: MoveUnits) -> Refusal | None:
    country = left(cmd)
    return Refusal(clause(country, "31"), f"no hex is captured by an attrition advance from {named(country)}")


# -- air ----------------------------------------------------------------------------------------------------------


def _japanese_air(s: State, cmd: ReportOperation) -> bool:
    return cmd.branch == "air" and bool(aimed_at(cmd)) and side_of(s, cmd.nation) == JAPAN


@limit(
    "71.24",
    "Japanese aircraft fly into a box only to bomb",
    on=ReportOperation,
    also=("72.24",),
    when=lambda s, cmd: _japanese_air(s, cmd) and cmd.mission not in ("attack", "bombing"),
)
def japan_only_bombs_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd)
    return Refusal(clause(country, "24"), f"Japanese aircraft fly into {named(country)} only to bomb")


@limit(
    "71.32",
    "Aircraft in a box are not attacked: bombing is the one offensive air operation",
    on=ReportOperation,
    also=("72.32",),
    when=lambda s, cmd: _japanese_air(s, cmd) and cmd.mission == "attack",
)
def air_units_in_box_are_safe(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd)
    return Refusal(clause(country, "32"), f"aircraft in {named(country)} are not attacked; it may be bombed")


@limit(
    "71.24",
    "Western Allied aircraft in a box fly no missions onto the mapboard",
    on=ReportOperation,
    also=("72.24",),
    when=lambda s, cmd: cmd.branch == "air" and bool(flown_from(cmd)) and side_of(s, cmd.nation) == WEST,
)
def no_mission_out_of_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = flown_from(cmd)
    return Refusal(clause(country, "24"), f"aircraft in {named(country)} fly no missions onto the mapboard")


@value("71.32", "The front to which a box belongs for offensive operations", also=("72.32",))
def front_of_box(s: State, country: str) -> tuple[str, ...]:
    return box(BOXED[country].box).fronts


@limit(
    "71.321",
    "Only a box of the Western Allies is bombed at their cost, and Britain bears it",
    on=ReportBombing,
    also=("72.321",),
    when=lambda s, cmd: cmd.area in BOXED,
)
def box_is_british(s: State, cmd: ReportBombing) -> Refusal | None:
    if has_surrendered(s, cmd.area):
        told = f"{called(cmd.area)} has surrendered: bombing its box costs nobody BRPs"
        return Refusal(clause(cmd.area, "321"), told)
    return None


# -- at sea -------------------------------------------------------------------------------------------------------


@definition(
    "71.33",
    "What goes by sea between a box and another place can be intercepted: only on the mapboard",
    also=("72.33", "71.223B", "72.223B"),
)
def can_be_intercepted(s: State, country: str, place: str) -> bool:
    """Whether the way between a box and a place leads over hexes; from box to box it does not."""
    between_boxes = place_key(place).startswith("box/")
    if between_boxes:
        note("between_boxes", clause(country, "223B"), True, place)
    return not between_boxes


@limit(
    "71.33",
    "What goes by sea to or from a box is met on mapboard hexes only",
    on=ReportOperation,
    also=("72.33",),
    when=lambda s, cmd: cmd.mission in INTERCEPTIONS and bool(aimed_at(cmd)),
)
def met_on_the_mapboard(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd)
    return Refusal(clause(country, "33"), f"ships are not intercepted in {named(country)}, only on mapboard hexes")


@limit(
    "71.223B",
    "What is redeployed by sea between boxes is not intercepted by the Japanese",
    on=ReportOperation,
    also=("72.223B",),
    when=lambda s, cmd: (
        cmd.mission in INTERCEPTIONS
        and s.place.step.name == "redeployment"
        and bool(aimed_at(cmd))
        and side_of(s, cmd.nation) == JAPAN
    ),
)
def redeployment_is_safe(s: State, cmd: ReportOperation) -> Refusal | None:
    country = aimed_at(cmd)
    told = f"naval redeployment between {named(country)} and another box is not intercepted"
    return Refusal(clause(country, "223B"), told)


@limit(
    "71.71",
    "Ships that are based in a box operate out of it, and no others",
    on=ReportOperation,
    also=("72.71",),
    when=lambda s, cmd: cmd.branch == "naval" and bool(flown_from(cmd)),
)
def ships_operate_from_box(s: State, cmd: ReportOperation) -> Refusal | None:
    country = flown_from(cmd)
    if side_of(s, cmd.nation) == WEST and not has_surrendered(s, country):
        return None
    return Refusal(clause(country, "71"), f"no ships of {called(cmd.nation)} are based in {named(country)}")
