"""Denmark, Finland, Norway and Sweden: the Kattegat, border war, mines, iron ore, and help for Finland (86)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import europe
from warcabinet.board.seas import passages
from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar, events
from warcabinet.model.agenda import Lapsed, OfArea, Promise
from warcabinet.model.commands.countries import MineWaters, ReactionRoll
from warcabinet.model.commands.minors import DeclineAssociation, ReportBorderWar, ReportOperation, ReportSupply
from warcabinet.model.names import called, powers
from warcabinet.model.places import NOWHERE, PARTISANS, Place, area_holder, board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import kind_name
from warcabinet.rules.common import war_and_peace
from warcabinet.rules.common.diplomacy import diplomatic_modifier, lapse, promise, promised, result_at_most
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force, step_of
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, STANDS_ALONE, armed_units_at, faction, friendly, patron
from warcabinet.rules.common.presence import Presence, barred, unless_excused
from warcabinet.rules.common.ways import carried_past
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.economy.spending import construction_sum
from warcabinet.rules.kinds import definition, due, effect, limit, order, remembered, value
from warcabinet.rules.minors.association import associate, associate_survivor, takes_in
from warcabinet.rules.minors.attack import newly_attacked
from warcabinet.rules.minors.geography import at_home, stranded
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.limits import armor_admitted, axis_armor_in_finland, only_axis_limited
from warcabinet.rules.minors.operations import at_peace, neutrals_attack_nobody
from warcabinet.rules.minors.restrictions import stays_in_its_areas
from warcabinet.rules.minors.standing import just_associated
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought, change_status
from warcabinet.rules.minors.voyages import Voyage, strait

MINED_IN = (calendar.FALL, calendar.WINTER)
WEST = "western allies"


@definition("86.36", "Germany controls Norway, by a diplomatic result or by conquest")
def germany_controls_norway(s: State) -> bool:
    standing = s.countries["norway"]
    return standing.by == "germany" and standing.status in ("controlled", "conquered", *BOUND)


# -- mining -------------------------------------------------------------------------------------------------------


@remembered("86.33", "The Western Allies have announced that they mine Norwegian waters")
def mining_announced(s: State) -> bool:
    return False


@remembered("86.36", "A mine field has been laid and Germany has not gained Norway since")
def mines_laid(s: State) -> bool:
    return False


@definition("86.36", "Norwegian waters are mined now (R-0057)")
def waters_mined(s: State) -> bool:
    return mines_laid(s)


@definition("86.34", "Norway consents: a result of 0 or less is in effect, or it joined the West after a German attack")
def norway_consents(s: State) -> bool:
    if result_at_most(s, "norway", 0):
        return True
    standing = s.countries["norway"]
    # One that the West conquered it freed from Germany, unless it had attacked it (R-2160).
    attackers = {faction(s, it) for it in war_and_peace.declarers(s, "norway")}
    freed = standing.status == "conquered" and WEST not in attackers
    with_west = (freed or standing.status in BOUND) and faction(s, standing.by) == WEST
    return with_west and war_and_peace.declared(s, "germany", "norway")


def _miners(s: State) -> tuple[str, ...]:
    """The Western Allies; the U.S. is none of them before it goes to war."""
    there = (it for it in powers() if faction(s, it) == WEST and not s.powers[it].surrendered)
    return tuple(it for it in there if it != "usa" or not war_and_peace.neutral_power(s, it))


def why_not_mined(s: State) -> str:
    """What stands in the way of mining now, whoever asks; nothing if it is open."""
    if s.season not in MINED_IN:
        return f"mining is announced in fall and winter; it is {calendar.turn_name(s.turn)}"
    if germany_controls_norway(s):
        return "Germany controls Norway"
    if waters_mined(s):
        return "Norwegian waters are mined already; the decision is not taken back"
    return ""


@definition("86.33", "The Western Allies may announce the mining of Norwegian waters in this player turn")
def mining_possible(s: State) -> bool:
    return s.player == "allied" and s.options.scope != "pacific" and bool(_miners(s)) and not why_not_mined(s)


@order("86.33", "Norwegian waters are mined, for good", on=MineWaters, phases=("declarations of war", "mining"))
def mine_waters(p: Proceedings, cmd: MineWaters) -> None:
    consent = norway_consents(p.s)
    told = f"announced by {called(cmd.power)} in {calendar.turn_name(p.s.turn)}"
    mining_announced.note(p, True, told)
    mines_laid.under("86.33").note(p, True, told)
    if not consent:
        p.run(tension_falls)
        p.run(norway_resents)
        p.run(germany_reacts)


@limit("86.33", on=MineWaters)
def west_mines(s: State, cmd: MineWaters) -> Iterator[Finding]:
    """The Western Allies mine Norwegian waters, in fall or winter, unless Germany controls Norway, and not twice."""
    yield Choice("power", _miners(s), "Western Allied powers mine them, once they are in the war")
    yield why_not_mined(s) or None


@effect(
    "86.36",
    on=events.StatusChanged,
    when=lambda s, changed: changed.country == "norway" and mines_laid(s) and germany_controls_norway(s),
)
def mining_ends(p: Proceedings, changed: events.StatusChanged) -> None:
    """The mining ends when Germany gains control of Norway."""
    mines_laid.forget(p)


# -- without consent ----------------------------------------------------------------------------------------------


@remembered("86.35", "How often Norwegian waters were mined without Norway's consent")
def minings_without_consent(s: State) -> int:
    return 0


@effect("86.35A", "Mining without consent lowers U.S.-Axis tension by one")
def tension_falls(p: Proceedings) -> None:
    now = p.s.tracks.get("usat", 0)
    if now > 0:
        p.do(events.TrackMoved("usat", now - 1))
    else:
        p.do(events.Reported("tension", "U.S.-Axis tension would fall by one, and is at 0 already (R-0862)"))


@effect("86.35B", "Mining without consent adds one to all diplomatic die rolls for Norway from now on")
def norway_resents(p: Proceedings) -> None:
    told = f"without Norwegian consent in {calendar.turn_name(p.s.turn)}"
    minings_without_consent.under("86.35B").note(p, minings_without_consent(p.s) + 1, told)


@value(
    "86.35B",
    adds_to=diplomatic_modifier,
    when=lambda s, country: country == "norway" and bool(minings_without_consent(s)),
)
def norwegian_resentment(s: State, country: str) -> int:
    """After mining without consent one is added to die rolls for Norway."""
    return minings_without_consent(s)


@effect("86.35C", "Mining without consent gives Germany a reaction die roll in its next diplomatic phase")
def germany_reacts(p: Proceedings) -> None:
    if p.s.powers["germany"].surrendered:
        return
    when = next_step_of(p.s, "germany", "end of diplomatic phase")
    promise(p, reaction_lapses, when, "germany", "norway")


@due("86.35C", averted_by="making it: reaction_roll")
def reaction_lapses(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """The right to a reaction die roll for Norway ends with this diplomatic phase."""
    return Lapsed("no reaction die was rolled")


@order("86.35C", on=ReactionRoll, phases=("diplomatic phase",))
def reaction_roll(p: Proceedings, cmd: ReactionRoll) -> None:
    """A reaction die is rolled; the tables that turn it into a result are used outside."""
    face = p.roll(f"reaction die roll for {called(cmd.country)}")
    modifier = diplomatic_modifier(p.s, cmd.country)
    for it in promised(p.s, reaction_lapses, about=cmd.country, power=cmd.power):
        p.do(events.Closed(it.id, "done"))
    p.do(events.Reported("reaction die roll", f"{called(cmd.country)}: {face} {modifier:+} is {face + modifier}"))


@limit("86.35C", "A reaction die roll is made where an enemy's act has given it", on=ReactionRoll)
def reaction_given(s: State, cmd: ReactionRoll) -> Choice:
    found = tuple(it.about for it in promised(s, reaction_lapses, power=cmd.power))
    told = f"{' and '.join(map(called, found)) or 'no country'}"
    return Choice("country", found, f"{called(cmd.power)} has a reaction die roll for {told}")


# -- heavy water --------------------------------------------------------------------------------------------------


@value("86.37")
def controlled_reaction_modifier(s: State) -> int:
    """What Norwegian heavy water adds to German die rolls for controlled reaction research."""
    oslo = any(friendly(s, OSLO, side) for side in (WEST, "russia"))
    if oslo:
        note("oslo_allied", "86.37A", True)
    refused = result_at_most(s, "norway", 2)
    if refused:
        note("norwegian_result", "86.37B", True)
    return -2 if oslo or refused else 0


KATTEGAT = "kattegat"
#: A hex of the Atlantic, which stands for all that lies beyond it.
ATLANTIC = place_key("Plymouth")
OSLO, BERGEN, STOCKHOLM, COPENHAGEN = map(place_key, ("Oslo", "Bergen", "Stockholm", "Copenhagen"))


@effect(
    "86.122",
    on=events.WarBegan,
    # With a garrison that fights Germany it has joined the garrison's power instead (82.34).
    when=lambda s, began: (
        "denmark" in began.between and began.declared_by == "germany" and s.countries["denmark"].status not in BOUND
    ),
)
def denmark_does_not_resist(p: Proceedings, began: events.WarBegan) -> None:
    """Denmark does not resist Germany: all its hexes are German from the start of the player turn, its BRPs follow."""
    was = area_holder(p.s, "denmark")
    # Where enemies of Germany stand, they hold the hex (R-1864).
    foes = {
        key
        for key in home_hexes("denmark")
        for it in armed_units_at(p.s, key)
        if war_and_peace.at_war(p.s, "germany", patron(p.s, it.nation))
    }
    undefended = tuple(it for it in home_hexes("denmark") if it not in foes)
    p.do(events.ControlChanged(undefended, "germany", backdated=True))
    p.do(events.AreaTaken("denmark", was, "germany"))
    lapse(p, "denmark", "it does not resist", associate_survivor)
    change_status(p, "denmark", "conquered", "germany", "86.122", "it does not resist German occupation")
    war_and_peace.make_peace(p, "denmark")


@definition(
    "86.122",
    displaces=fully_supplied,
    when=lambda s, power, place: (
        power == "germany"
        and place in home_hexes("denmark")
        and s.countries["denmark"].by == "germany"
        and war_and_peace.went_to_war(s, "germany", "denmark")
        and newly_attacked(s, "denmark")
    ),
)
def danish_hexes_supplied(s: State, power: str, place: Place) -> bool:
    """In the turn of the German declaration of war all Danish hexes are fully supplied by Germany."""
    return holder(s, place) == "germany"


# -- the Kattegat -------------------------------------------------------------------------------------------------


@definition("86.13", "Ships pass the Kattegat only while Copenhagen and H33 are in friendly or neutral hands")
def kattegat_open(s: State, nation: str) -> bool:
    shores = passages(europe())[KATTEGAT].needs
    return not any(_hostile(s, nation, holder(s, f"europe/{id_}")) for id_ in shores)


def _hostile(s: State, nation: str, held_by: str) -> bool:
    """Whether a holder is an enemy: himself at war with the nation or its power, or beside someone who is."""
    if held_by == PARTISANS:
        return True
    mine = {nation, patron(s, nation)} - {""}
    theirs = {held_by, patron(s, held_by) if held_by in s.countries else ""} - {""}
    return any(war_and_peace.at_war(s, one, other) for one in mine for other in theirs)


def past_kattegat(s: State, it: Voyage) -> bool:
    """Whether a voyage leads through the Kattegat and in no other way.

    Whatever lies off the board, boxes and the Pacific, is reached from the Baltic over the Atlantic, and raiders that
    name no place go there.
    """
    to = it.to or (ATLANTIC if it.how == "raid" else NOWHERE)
    if not (it.origin and to):
        return False
    if it.past is carried_past and kattegat_open(s, it.nation):
        return False  # the least costly question first: it is mostly open
    here = it.origin if board_of(it.origin) == europe().name else ATLANTIC
    return it.past(s, it.nation, KATTEGAT, here, to if board_of(to) == europe().name else ATLANTIC)


@strait("86.13", passes=past_kattegat)
def kattegat_is_shut(s: State, it: Voyage) -> str | None:
    """Ships, and what they carry, do not pass a Kattegat that an enemy shuts: nor is D35 invaded from the Baltic."""
    if kattegat_open(s, it.nation):
        return None
    origin, to = it.named[0], it.named[1] or "the Atlantic"
    return f"the Kattegat lies between {origin} and {to}, and an enemy of {called(it.nation)} holds Copenhagen or H33"


@definition("84.23", "Russia has fought Finland for its border hexes, as reported, or as its having taken them shows")
def border_was_fought_for(s: State) -> bool:
    border = s.countries["finnish_border"]
    taken = (border.status, border.by) == ("conquered", "russia") and "russia" not in war_and_peace.attackers_of(
        s, "finland"
    )
    return taken or border_war_fought(s, "finland")


def _drawn_in(s: State, news: events.Fact) -> bool:
    """Whether Germany and Russia go to war, or it becomes known during their war that Finland had fought Russia."""
    if isinstance(news, events.WarBegan):
        told = set(news.between) == {"germany", "russia"}
    elif isinstance(news, events.Determined):
        told = (news.rule, news.args) == (border_war_fought.name, ("finland",))
    else:
        told = isinstance(news, events.StatusChanged) and news.country == "finnish_border"
    return told and war_and_peace.at_war(s, "germany", "russia") and border_was_fought_for(s)


@effect("84.23", on=(events.WarBegan, events.Determined, events.StatusChanged), when=_drawn_in)
def finland_joins(p: Proceedings, news: events.Fact) -> None:
    """After a border war Finland associates with Germany when Germany and Russia go to war."""
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
        and not war_and_peace.attackers_of(s, "finland")
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
    covers=("86.44",),
    excusable=True,
)
def tough_defenders(s: State, cmd: ReportOperation) -> Refusal | None:
    """Finns and Swedes who are attacked outside their own country do not suffer the -1 DM."""
    if cmd.dm is None or cmd.dm >= 0:
        return None
    told = f"units of {called(cmd.against)} defend outside their own country without the -1 DM"
    return Refusal(TOUGH[cmd.against], told)


ALONG_NORWAY = ("Winter", "Spring")
LOSS = 5
# When the Axis construction oil effects are determined is in a chapter that is not at hand (R-0861).
DETERMINED_AT = {"a": "end of diplomatic phase", "b": "unit construction"}


def allies_control(s: State, place: Place) -> bool:
    return any(friendly(s, place, side) for side in ("western allies", "russia"))


@definition("86.42A", "The Allies control Stockholm")
def stockholm_allied(s: State) -> bool:
    return allies_control(s, STOCKHOLM)


@definition("86.42B", "Germany attacked Sweden, which outlasted the first attack (R-0056)")
def sweden_survived(s: State) -> bool:
    war = war_and_peace.war_between(s, "germany", "sweden")
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


@definition("86.32", also=("86.42D",))
def coast_route_cut(s: State, season: str) -> bool:
    """In winter and spring ore goes along Norway: past Bergen, and through waters that may be mined."""
    if season not in ALONG_NORWAY:
        return False
    if allies_control(s, BERGEN):
        note("bergen_allied", "86.32A", True)
        return True
    german = holder(s, BERGEN) == "germany"
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
    # While Norway and Sweden are plain neutrals the rest of the player turn cannot make it otherwise.
    plain = all(p.s.countries[it].status == "neutral" for it in ("norway", "sweden")) and not waters_mined(p.s)
    if loss or not plain:
        told = "interrupted" if loss else "not interrupted"
        iron_ore_loss.note(p, loss, f"iron ore was {told}")


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
def swedes_in_finland(s: State, nation: str, place: Place) -> bool:
    """After an escalation of the border war Swedish units have Finland open to them."""
    return at_home(nation, place) or at_home("finland", place)


@barred(
    "86.43",
    acts=("enter",),
    when=lambda s, it: _helps_finland(s, it.nation) and it.regular,
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
