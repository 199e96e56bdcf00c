"""Norway: the mining of its waters, with and without its consent, and heavy water (86.3)."""

from __future__ import annotations

from warcabinet.kernel.limits import Choice
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.countries import MineWaters, ReactionRoll
from warcabinet.model.events import Closed, Reported, StatusChanged, TrackMoved
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import neutral_power
from warcabinet.rules.common.diplomacy import diplomatic_modifier, result_at_most
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.pieces import BOUND, faction, friendly
from warcabinet.rules.common.promises import promise, promised
from warcabinet.rules.kinds import definition, due, effect, limit, opening, order, remembered, value

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
    attacked = any("norway" in it.between and it.declared_by == "germany" for it in s.wars)
    return with_west and faction(s, standing.by) == WEST and attacked


def _freed_by_west(s: State) -> bool:
    """Whether a Norway that the West holds was taken from Germany, and not attacked by the West (R-2160)."""
    declared = (it.declared_by for it in s.wars if "norway" in it.between)
    attacked = any(it in powers() and faction(s, it) == WEST for it in declared)
    return not attacked


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
    told = f"announced by {powers()[cmd.power].name} in {calendar.turn_name(p.s.turn)}"
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
    return None if cmd.power in _miners(s) else f"{powers()[cmd.power].name} is no Western Allied power in the war"


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
    return f"{powers()[cmd.power].name} has no reaction die roll for {called(cmd.country)}"


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
