"""Finland and Sweden: who joins, fights or helps whom, and the iron ore on its way to Germany (84.23, 86.2, 86.4)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import DeclineAssociation, ReportBorderWar, ReportOperation, ReportSupply
from warcabinet.model.events import Determined, StatusChanged, WarBegan
from warcabinet.model.names import called
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import kind_name
from warcabinet.rules.common.diplomacy import result_at_most
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force, step_of
from warcabinet.rules.common.pieces import NEUTRAL, STANDS_ALONE, friendly
from warcabinet.rules.common.presence import Presence, barred, unless_excused
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, war_between
from warcabinet.rules.countries.scandinavia import waters_mined
from warcabinet.rules.economy.spending import construction_sum
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.areas import stays_in_its_areas
from warcabinet.rules.minors.association import associate, takes_in
from warcabinet.rules.minors.geography import at_home, stranded
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.limits import armor_admitted, axis_armor_in_finland, only_axis_limited
from warcabinet.rules.minors.operations import at_peace, neutrals_attack_nobody
from warcabinet.rules.minors.standing import just_associated
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought


@definition("84.23", "Russia has fought Finland for its border hexes, as reported, or as its having taken them shows")
def border_was_fought_for(s: State) -> bool:
    border = s.countries["finnish_border"]
    taken = (border.status, border.by) == ("conquered", "russia") and "russia" not in attackers_of(s, "finland")
    return taken or border_war_fought(s, "finland")


@effect(
    "84.23", on=WarBegan, when=lambda s, began: set(began.between) == {"germany", "russia"} and border_was_fought_for(s)
)
def finland_joins(p: Proceedings, began: WarBegan) -> None:
    """After a border war Finland associates with Germany when Germany and Russia go to war."""
    _join_germany(p)


@effect(
    "84.23",
    on=Determined,
    when=lambda s, e: e.rule == "border_war_fought" and e.args == ("finland",) and at_war(s, "germany", "russia"),
)
def finland_had_fought(p: Proceedings, known: Determined) -> None:
    """Finland joins a Germany at war with Russia, too, where its border war becomes known only later."""
    _join_germany(p)


@effect(
    "84.23",
    on=StatusChanged,
    when=lambda s, it: it.country == "finnish_border" and at_war(s, "germany", "russia") and border_was_fought_for(s),
)
def finland_has_lost_its_border(p: Proceedings, changed: StatusChanged) -> None:
    """Finland joins a Germany at war with Russia, too, where Russia has taken the border hexes without a reported
    war.
    """
    _join_germany(p)


def _join_germany(p: Proceedings) -> None:
    free = p.s.countries["finland"].status in STANDS_ALONE
    if free and takes_in(p.s, "germany", "finland"):
        associate(p, "finland", "germany", "84.23", "Germany and Russia are at war", "war")


@limit(
    "84.23",
    on=DeclineAssociation,
    when=lambda s, cmd: (cmd.country, cmd.power) == ("finland", "germany") and border_was_fought_for(s),
)
def finland_is_not_refused(s: State, cmd: DeclineAssociation) -> str | None:
    """Germany does not refuse a Finland that associates by itself after a border war, however that went on."""
    if not just_associated(s, "finland", "germany"):
        return None
    return "Finland associates automatically after a border war, since Germany and Russia are at war: it is not refused"


@definition("86.22", "A power may name a country as a diplomatic target at any time of the year, with or without DPs")
def always_a_target(s: State, power: str, country: str) -> bool:
    return (power, country) == ("germany", "finland")


@limit("86.23", on=ReportSupply, when=lambda s, cmd: only_axis_limited(s, cmd.country))
def one_armor_unit_supplied(s: State, cmd: ReportSupply) -> Bound:
    # A report of the initial determination replaces an earlier one; after combat what was reported then is used up.
    """Of the Axis armor inside Finland and supplied through it there is no more than one unit."""
    most = 1 if s.place.step.name == "initial supply determination" else armor_admitted(s)
    left = max(0, most - axis_armor_in_finland(s))
    return Bound("armor", most=left, text="one Axis armor unit in and through Finland")


@limit(
    "86.24",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.nation == "finland"
        and cmd.mission in ("attack", "attrition")
        and s.countries["finland"].status in NEUTRAL
        and not attackers_of(s, "finland")
    ),
    displaces=neutrals_attack_nobody,
)
def finns_fight_for_their_hexes(s: State, cmd: ReportOperation) -> str | None:
    """A Finland that is in no declared war fights for its own hexes, until the border war escalates."""
    if not border_war_fought(s, "finland"):
        return unless_excused(cmd, "Finland is neutral, and there is no border war")
    if border_war_escalated(s, "finland") or (cmd.at and cmd.at in home_hexes("finland")):
        return None
    return "in a border war Finland fights for its own hexes only"


# Units that do not suffer the -1 DM of a minor country's units that defend abroad, by the clause that says so.
TOUGH = {"finland": "86.25", "sweden": "86.44"}


@definition("86.25", "A nation's units defend outside their own country without the -1 DM", covers=("86.44",))
def tough_abroad(s: State, nation: str) -> bool:
    if nation in TOUGH:
        note("tough", TOUGH[nation], True, nation)
    return nation in TOUGH


@limit(
    "86.25",
    on=ReportOperation,
    when=lambda s, cmd: cmd.against in TOUGH and bool(cmd.at) and cmd.at not in home_hexes(cmd.against),
    also=("86.44",),
)
def tough_defenders(s: State, cmd: ReportOperation) -> Refusal | None:
    """Finns and Swedes who are attacked outside their own country do not suffer the -1 DM."""
    if cmd.dm is None or cmd.dm >= 0:
        return None
    told = f"units of {called(cmd.against)} defend outside their own country without the -1 DM"
    refused = unless_excused(cmd, told)
    return Refusal(TOUGH[cmd.against], refused) if refused else None


ALONG_NORWAY = ("Winter", "Spring")
LOSS = 5
# When the Axis construction oil effects are determined is in a chapter that is not at hand (R-0861).
DETERMINED_AT = {"a": "end of diplomatic phase", "b": "unit construction"}


def allies_control(s: State, place: str) -> bool:
    return any(friendly(s, place_key(place), side) for side in ("western allies", "russia"))


@definition("86.42A", "The Allies control Stockholm")
def stockholm_allied(s: State) -> bool:
    return allies_control(s, "Stockholm")


@definition("86.42B", "Germany attacked Sweden, which outlasted the first attack (R-0056)")
def sweden_survived(s: State) -> bool:
    war = war_between(s, "germany", "sweden")
    return war is not None and war.declared_by == "germany" and (s.turn > war.since or _attack_is_over(s))


def _attack_is_over(s: State) -> bool:
    """Whether the player turn of the attack is past; its combat phase is enough where ore is judged later (R-0861)."""
    if s.player == "allied":
        return True
    late = reading_in_force(s, "R-0861") == "b"
    return late and s.step >= step_of("germany", "post-combat supply determination")


@definition("86.42C", "Sweden leans to the Allies: the result that holds for it is 0 or below")
def sweden_refuses(s: State) -> bool:
    return result_at_most(s, "sweden", 0)


@definition("86.32", covers=("86.32A", "86.32B"), also=("86.42D",))
def coast_route_cut(s: State, season: str) -> bool:
    """In winter and spring ore goes along Norway: past Bergen, and through waters that may be mined."""
    if season not in ALONG_NORWAY:
        return False
    if allies_control(s, "Bergen"):
        note("bergen_allied", "86.32A", True)
        return True
    german = holder(s, place_key("Bergen")) == "germany"
    if waters_mined(s) and not german:
        note("waters_mined", "86.32B", True)
        return True
    return False


@definition("86.42", "Iron ore shipments to Germany are interrupted in a season, as things stand")
def iron_ore_interrupted(s: State, season: str) -> bool:
    # One cause is enough, and several weigh no more; all are looked at, so that the explanation names each.
    causes = (stockholm_allied(s), sweden_survived(s), sweden_refuses(s), coast_route_cut(s, season))
    return any(causes)


@remembered("86.421", until="turn")
def iron_ore_loss(s: State) -> int:
    # Germany's own turn is over: what the Allies do now is judged in the next.
    """What the German construction limit loses this turn because iron ore is interrupted."""
    if s.player == "allied":
        return 0
    return LOSS if iron_ore_interrupted(s, calendar.SEASONS[s.season]) else 0


@value("86.421", adds_to=construction_sum, when=lambda s, power: power == "germany" and iron_ore_loss(s) > 0)
def without_iron_ore(s: State, power: str) -> int:
    """Interrupted iron ore lowers the German construction limit by five."""
    return -iron_ore_loss(s)


def determination_step(s: State) -> str:
    return DETERMINED_AT[reading_in_force(s, "R-0861")]


@effect(
    "86.421",
    when=lambda s: s.player == "axis" and s.options.scope != "pacific" and s.place.step.name == determination_step(s),
)
def determine_iron_ore(p: Proceedings) -> None:
    """Whether iron ore is interrupted this turn is settled with the Axis construction oil effects."""
    loss = iron_ore_loss(p.s)
    if loss or _in_question(p.s):
        told = "interrupted" if loss else "not interrupted"
        iron_ore_loss.note(p, loss, f"iron ore was {told}")


def _in_question(s: State) -> bool:
    """Whether the rest of the player turn could make it otherwise: not while Norway and Sweden are plain neutrals."""
    return any(s.countries[it].status != "neutral" for it in ("norway", "sweden")) or waters_mined(s)


REMEDIES = (
    (stockholm_allied, "the loss of Stockholm by the Allies"),
    (sweden_survived, "the German conquest of Sweden"),
    (sweden_refuses, "a better diplomatic result for Sweden"),
)


def remedies(s: State, season: str) -> str:
    """What would have to come about for the ore to flow again: all of it."""
    found = [told for rule, told in REMEDIES if rule(s)]
    if coast_route_cut(s, season):
        found.append("German control of Bergen")
    return " and ".join(found)


@foresees
def ore_to_be_interrupted(s: State) -> list[Foreseen]:
    """The next turn in which the ore will not come, should nothing change; summer and fall are all that is spared."""
    if s.options.scope == "pacific" or s.powers["germany"].surrendered:
        return []
    when = next_step_of(s, "germany", determination_step(s))
    turn, step = calendar.split(when)
    for later in range(turn, turn + 3):
        season = calendar.SEASONS[calendar.season(later)]
        if iron_ore_interrupted(s, season):
            text = (
                f"Iron ore is interrupted: the construction limit is {LOSS} BRPs lower in {calendar.turn_name(later)}"
            )
            due = calendar.moment(later, step)
            return [Foreseen(due, "86.421", text, "germany", "sweden", remedies(s, season))]
    return []


def _helps_finland(s: State, nation: str) -> bool:
    """A Sweden that is nobody's ally; an ally's units have Finland among their areas anyhow (86.51)."""
    return nation == "sweden" and s.countries["sweden"].status != "allied" and border_war_escalated(s, "finland")


@definition("86.43", displaces=in_area, when=lambda s, nation, place: _helps_finland(s, nation))
def swedes_in_finland(s: State, nation: str, place: str) -> bool:
    """After an escalation of the border war Swedish units have Finland open to them."""
    return at_home(nation, place) or at_home("finland", place)


@barred(
    "86.43",
    acts=("enter",),
    when=lambda s, it: it.regular and _helps_finland(s, it.nation),
    displaces=stays_in_its_areas,
)
def only_infantry_helps(s: State, it: Presence) -> str | None:
    """Of Sweden infantry alone goes to Finland; all others stay at home, and a neutral one sets up nothing else."""
    if not in_area(s, it.nation, it.at):
        return f"Swedish units stay in Sweden and Finland; {it.place} lies in neither"
    if kind_name(it.units[0]) == "infantry":
        return None
    kept = it.reported and s.countries["sweden"].status in NEUTRAL
    if kept or not at_home("sweden", it.at):
        return "only Swedish infantry fights in Finland"
    return f"{it.place} is no port" if stranded(it.units[0], it.at) else None


@limit(
    "86.43",
    on=ReportOperation,
    when=lambda s, cmd: cmd.nation == "sweden" and cmd.mission in ("attack", "attrition") and at_peace(s, "sweden"),
    displaces=neutrals_attack_nobody,
)
def swedes_fight_in_finland(s: State, cmd: ReportOperation) -> str | None:
    """A Sweden that nobody leads or has attacked fights in Finland only, once the border war there has escalated."""
    if not border_war_escalated(s, "finland"):
        return "Sweden is neutral, and the border war in Finland has not escalated"
    if cmd.branch != "ground":
        return "only Swedish infantry fights in Finland"
    return None if cmd.at and at_home("finland", cmd.at) else "Swedish infantry fights in Finland only"


@limit("86.43", on=ReportBorderWar, when=lambda s, cmd: cmd.escalated)
def finnish_war_escalates(s: State, cmd: ReportBorderWar) -> str | None:
    """Of Russia's border wars only that with Finland escalates."""
    return None if cmd.country == "finland" else "only the border war with Finland escalates so that others join it"
