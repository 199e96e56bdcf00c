"""Denmark and Norway: the Kattegat, the mining of waters with and without consent, heavy water (86.2, 86.3)."""

from __future__ import annotations

from warcabinet.board.maps import europe
from warcabinet.board.seas import passages
from warcabinet.kernel.limits import Choice
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.countries import MineWaters, ReactionRoll
from warcabinet.model.events import AreaTaken, Closed, ControlChanged, Reported, StatusChanged, TrackMoved, WarBegan
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, area_holder, board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.diplomacy import diplomatic_modifier, lapse, promise, promised, result_at_most
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.pieces import BOUND, armed_units_at, faction, friendly, patron
from warcabinet.rules.common.war_and_peace import at_war, declared, declarers, make_peace, neutral_power, went_to_war
from warcabinet.rules.common.ways import carried_past
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, due, effect, limit, opening, order, remembered, value
from warcabinet.rules.minors.association import associate_survivor
from warcabinet.rules.minors.own_turn import newly_attacked
from warcabinet.rules.minors.status import change_status
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
    with_west = standing.status in BOUND or (standing.status == "conquered" and _freed_by_west(s))
    attacked = declared(s, "germany", "norway")
    return with_west and faction(s, standing.by) == WEST and attacked


def _freed_by_west(s: State) -> bool:
    """Whether a Norway that the West holds was taken from Germany, and not attacked by the West (R-2160)."""
    return all(faction(s, it) != WEST for it in declarers(s, "norway"))


def _miners(s: State) -> tuple[str, ...]:
    """The Western Allies; the U.S. is none of them before it goes to war."""
    there = (it for it in powers() if faction(s, it) == WEST and not s.powers[it].surrendered)
    return tuple(it for it in there if it != "usa" or not neutral_power(s, it))


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


@opening("86.33", "Western Allied powers that are in the war", on=MineWaters)
def who_may_mine(s: State, cmd: MineWaters) -> Choice:
    return Choice("power", _miners(s), "no Western Allied power is left")


@limit("86.33", "The Western Allies mine Norwegian waters", on=MineWaters)
def west_mines(s: State, cmd: MineWaters) -> str | None:
    return None if cmd.power in _miners(s) else f"{called(cmd.power)} is no Western Allied power in the war"


@limit("86.33", "Mining is announced in fall or winter, unless Germany controls Norway, and not twice", on=MineWaters)
def mining_open(s: State, cmd: MineWaters) -> str | None:
    return why_not_mined(s) or None


@effect(
    "86.36",
    on=StatusChanged,
    when=lambda s, changed: changed.country == "norway" and mines_laid(s) and germany_controls_norway(s),
)
def mining_ends(p: Proceedings, changed: StatusChanged) -> None:
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
        p.do(TrackMoved("usat", now - 1))
    else:
        p.do(Reported("tension", "U.S.-Axis tension would fall by one, and is at 0 already (R-0862)"))


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
def reaction_lapses(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """The right to a reaction die roll for Norway ends with this diplomatic phase."""
    p.do(Closed(due_now.id, "lapsed", "no reaction die was rolled"))
    return 0


@order("86.35C", on=ReactionRoll, phases=("diplomatic phase",))
def reaction_roll(p: Proceedings, cmd: ReactionRoll) -> None:
    """A reaction die is rolled; the tables that turn it into a result are used outside."""
    face = p.roll(f"reaction die roll for {called(cmd.country)}")
    modifier = diplomatic_modifier(p.s, cmd.country)
    for it in promised(p.s, reaction_lapses, about=cmd.country, power=cmd.power):
        p.do(Closed(it.id, "done"))
    p.do(Reported("reaction die roll", f"{called(cmd.country)}: {face} {modifier:+} is {face + modifier}"))


@opening("86.35C", "Countries for which the power may make a reaction die roll", on=ReactionRoll)
def reactions_open(s: State, cmd: ReactionRoll) -> Choice:
    found = tuple(it.about for it in promised(s, reaction_lapses, power=cmd.power))
    return Choice("country", found, "nothing has given the power a reaction die roll")


@limit("86.35C", "A reaction die roll is made where an enemy's act has given it", on=ReactionRoll)
def reaction_given(s: State, cmd: ReactionRoll) -> str | None:
    if promised(s, reaction_lapses, about=cmd.country, power=cmd.power):
        return None
    return f"{called(cmd.power)} has no reaction die roll for {called(cmd.country)}"


# -- heavy water --------------------------------------------------------------------------------------------------


@value("86.37", covers=("86.37A", "86.37B"))
def controlled_reaction_modifier(s: State) -> int:
    """What Norwegian heavy water adds to German die rolls for controlled reaction research."""
    oslo = any(friendly(s, place_key("Oslo"), side) for side in (WEST, "russia"))
    if oslo:
        note("oslo_allied", "86.37A", True)
    refused = result_at_most(s, "norway", 2)
    if refused:
        note("norwegian_result", "86.37B", True)
    return -2 if oslo or refused else 0


KATTEGAT = "kattegat"
#: A hex of the Atlantic, which stands for all that lies beyond it.
ATLANTIC = place_key("Plymouth")


@effect(
    "86.122",
    on=WarBegan,
    # With a garrison that fights Germany it has joined the garrison's power instead (82.34).
    when=lambda s, began: (
        "denmark" in began.between and began.declared_by == "germany" and s.countries["denmark"].status not in BOUND
    ),
)
def denmark_does_not_resist(p: Proceedings, began: WarBegan) -> None:
    """Denmark does not resist Germany: all its hexes are German from the start of the player turn, its BRPs follow."""
    was = area_holder(p.s, "denmark")
    p.do(ControlChanged(_undefended(p.s), "germany", backdated=True))
    p.do(AreaTaken("denmark", was, "germany"))
    lapse(p, "denmark", "it does not resist", associate_survivor)
    change_status(p, "denmark", "conquered", "germany", "86.122", "it does not resist German occupation")
    make_peace(p, "denmark")


def _undefended(s: State) -> tuple[str, ...]:
    """The Danish hexes that pass to Germany: those in which no enemies of Germany stand, or all of them (R-1864)."""
    return tuple(
        it for it in home_hexes("denmark") if not any(_fights_germany(s, unit) for unit in armed_units_at(s, it))
    )


def _fights_germany(s: State, stack: Stack) -> bool:
    leader = patron(s, stack.nation)
    return leader != "" and at_war(s, "germany", leader)


@definition(
    "86.122",
    displaces=fully_supplied,
    when=lambda s, power, place: (
        power == "germany"
        and place_key(place) in home_hexes("denmark")
        and s.countries["denmark"].by == "germany"
        and went_to_war(s, "germany", "denmark")
        and newly_attacked(s, "denmark")
    ),
)
def danish_hexes_supplied(s: State, power: str, place: str) -> bool:
    """In the turn of the German declaration of war all Danish hexes are fully supplied by Germany."""
    return holder(s, place_key(place)) == "germany"


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
    return any(at_war(s, one, other) for one in mine for other in theirs)


def past_kattegat(s: State, it: Voyage) -> bool:
    """Whether a voyage leads through the Kattegat and in no other way.

    Whatever lies off the board, boxes and the Pacific, is reached from the Baltic over the Atlantic, and raiders that
    name no place go there.
    """
    to = it.to or (ATLANTIC if it.how == "raid" else "")
    if not (it.origin and to):
        return False
    if it.past is carried_past and kattegat_open(s, it.nation):
        return False  # the least costly question first: it is mostly open
    here, there = (end if board_of(end) == europe().name else ATLANTIC for end in (it.origin, to))
    return it.past(s, it.nation, KATTEGAT, here, there)


@strait("86.13", passes=past_kattegat)
def kattegat_is_shut(s: State, it: Voyage) -> str | None:
    """Ships, and units that they carry, do not pass a Kattegat that an enemy shuts: nor is D35 invaded from the
    Baltic.
    """
    if kattegat_open(s, it.nation):
        return None
    origin, to = it.named[0], it.named[1] or "the Atlantic"
    return f"the Kattegat lies between {origin} and {to}, and an enemy of {called(it.nation)} holds Copenhagen or H33"
