"""When each power mobilizes (36.11, 36.41): what its schedule calls for now, and what cannot be put off.

`mobilization_due` says that a mobilization must be made before the game goes on; `mobilization_open` that it may be
made now. Both look at the step under way: mobilizations belong to the start of the own player turn.
"""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.events import Happened, TrackMoved, WarBegan
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import player_of, went_to_war
from warcabinet.rules.economy.base import effective_tension, track
from warcabinet.rules.economy.mobilization_record import THEATERS, begun, half_done, mobilizations_made, mobilized_now
from warcabinet.rules.economy.timing import CALLS, level_was_reached
from warcabinet.rules.kinds import definition, effect, remembered, value

START = "start of player turn"
EUROPEANS = ("germany", "italy", "britain", "france")
ENEMY = {"europe": "germany", "pacific": "japan"}
TENSION = {"europe": "usat", "pacific": "usjt"}

# The dates on which mobilizations come at the latest, with their bullets.
AMERICAN = {
    "europe": (("36.11D(2)", "Summer 1940"), ("36.11D(3)", "Winter 1940"), ("36.11D(4)", "Summer 1941")),
    "pacific": (("36.11D(8)", "Winter 1940"), ("36.11D(9)", "Summer 1941"), ("36.11D(10)", "Winter 1941")),
}
AMERICAN_DATES = {theater: tuple(date for _, date in lines) for theater, lines in AMERICAN.items()}
AMERICAN_LATER = {"europe": "36.11D(5)", "pacific": "36.11D(11)"}
AMERICAN_AT_WAR = {"europe": "36.11D(6)", "pacific": "36.11D(12)"}
#: When the U.S. mobilizes by the level of tension: it is fixed only after its player turn has begun (R-0009).
AMERICAN_MOMENT = "end of diplomatic phase"
# Turns from each Russian mobilization to the next; factories beyond the five of the list come one a turn as well.
RUSSIAN_GAPS = ((2, "36.11B(3)"), (2, "36.11B(4)"), (1, "36.11B(5)"), (1, "36.11B(6)"))

# The table of effective tension: what each face of the die adds to the level.
TENSION_DIE = {1: -2, 2: -1, 3: 0, 4: 0, 5: 1, 6: 2}


def scheduled(s: State, *rest: object) -> bool:
    """Whether this game keeps the schedule, or takes mobilizations as they are ordered and reported."""
    return s.options.mobilization == "scheduled"


def judged(s: State) -> bool:
    """Whether orders to mobilize are held against the schedule, though perhaps nothing falls due by itself."""
    return s.options.mobilization != "reported"


def theaters_of(power: str) -> tuple[str, ...]:
    return THEATERS if power == "usa" else ("",)


def at_start(s: State, power: str) -> bool:
    """The start of the power's own player turn."""
    return s.player == player_of(power) and s.place.step.name == START


@value("36.11A")
def european_mobilizations(s: State, power: str) -> int:
    """Italy and Britain have one mobilization in the classic game; after the prequel each factory is one."""
    if s.options.edition == "prequel":
        return s.options.civilian_factories.get(power, 0) + s.options.idle_factories.get(power, 0)
    return 1 if power in ("italy", "britain") else 0


#: By which clause each power mobilizes; China never does (36.11E).
SCHEDULES = {**dict.fromkeys(EUROPEANS, "36.11A"), "russia": "36.11B", "japan": "36.11C", "usa": "36.11D"}


@definition("36.11", covers=("36.11A", "36.11B", "36.11C", "36.11C(4)", "36.11D"), also=("36.11E",))
def mobilization_due(s: State, power: str, theater: str) -> bool:
    """A mobilization must be made now; where no schedule calls for one, none is due."""
    if power not in SCHEDULES or theater not in theaters_of(power) or mobilized_now(s, power, theater):
        return False
    due = _called_for(s, power, theater)
    note("by_its_schedule", SCHEDULES[power], due, power)
    return due


def _called_for(s: State, power: str, theater: str) -> bool:
    """Whether a power's schedule calls for a mobilization now.

    The European powers mobilize a factory a turn from the first turn on, which in the classic game is the only one.
    Russia finishes a half first; the U.S. mobilizes as the Allied diplomatic phase ends.
    """
    if power == "russia":
        return russian_half_due(s) or russian_call(s) != ""
    if power == "usa":
        return s.player == "allied" and s.place.step.name == AMERICAN_MOMENT and american_call(s, theater) != ""
    if power == "japan":
        if s.options.edition == "classic" and _free_japanese(s):
            return at_start(s, "japan")
        if s.player == "allied":
            note("dates_to_its_own_turn", "36.11C(4)", True, "japan")
        return japan_is_called(s)
    first = calendar.parse_turn(s.options.start)
    in_time = s.turn >= first if s.options.edition == "prequel" else s.turn == first
    left = mobilizations_made(s, power, "") < european_mobilizations(s, power)
    return at_start(s, power) and in_time and left


def _free_japanese(s: State) -> bool:
    """Whether Japan has a mobilization left that no tension level calls for."""
    return mobilizations_made(s, "japan", "") < free_japanese_mobilizations(s)


@definition("36.11")
def mobilization_open(s: State, power: str, theater: str) -> bool:
    """A mobilization may be made now: it is due, idle Russian factories are left, Japan or the U.S. may be early."""
    if power == "usa":
        if theater not in THEATERS or mobilized_now(s, "usa", theater) or s.player != "allied":
            return False
        # What no die decides may be mobilized from the start of the player turn.
        early = (START, "diplomatic phase", "end of diplomatic phase")
        note("by_its_schedule", "36.11D", call := american_call(s, theater), theater)
        return s.place.step.name in early and call != ""
    may_begin = at_start(s, power) and not mobilized_now(s, power)
    if power == "russia" and russian_idle_factories(s) > 0:
        # As the prequel game permits, which is for the players to say.
        note("idle_factories", "36.11B(1)", may_begin, power)
        return may_begin
    if mobilization_due(s, power, theater) or power != "japan" or not may_begin:
        return mobilization_due(s, power, theater)
    note("before_it_must", "36.11C", True, power)
    return _free_japanese(s) or (japanese_tension_call(s) in CALLS and reading_in_force(s, "R-0014") == "a")


# -- Russia ------------------------------------------------------------------------------------------------------


@definition("36.11B(7)", "War with Germany or Japan puts Russian mobilization on a war footing")
def russia_mobilizes_for_war(s: State) -> bool:
    if went_to_war(s, "russia", "germany"):
        return True
    return reading_in_force(s, "R-0007") == "a" and went_to_war(s, "russia", "japan")


@value("36.11B", "How many mobilizations of civilian factories Russia has: five in the classic game")
def russian_mobilizations(s: State) -> int:
    return s.options.civilian_factories.get("russia", 5) if s.options.edition == "prequel" else 5


@value("36.11B(1)", "Idle factories that Russia has yet to mobilize, at the pace of the prequel game")
def russian_idle_factories(s: State) -> int:
    idle = s.options.idle_factories.get("russia", 0) if s.options.edition == "prequel" else 0
    return max(0, idle - mobilizations_made(s, "russia", ""))


def russian_civilian(s: State) -> tuple[int, ...]:
    """The turns in which Russia began to mobilize civilian factories; idle ones came before."""
    idle = s.options.idle_factories.get("russia", 0) if s.options.edition == "prequel" else 0
    return begun(s, "russia")[idle:]


def russian_gap(made: int) -> tuple[int, str]:
    """How many turns after its last mobilization Russia makes the next at peace, with the bullet that says so."""
    return RUSSIAN_GAPS[min(made, len(RUSSIAN_GAPS)) - 1]


@definition("36.41A", "A Russian mobilization that is half done is completed in the next turn, war or no war")
def russian_half_due(s: State) -> bool:
    began = half_done(s)
    return began is not None and began < s.turn and at_start(s, "russia")


@value("36.11B", covers=("36.11B(2)", *(clause for _, clause in RUSSIAN_GAPS)))
def russian_call(s: State) -> str:
    """The bullet that calls for a Russian mobilization now, if one does."""
    turns = russian_civilian(s)
    if russian_idle_factories(s) or len(turns) >= russian_mobilizations(s) or half_done(s) is not None:
        return ""
    if not turns and s.player == "allied" and level_was_reached(s, "rgt", 10):
        note("first_mobilization", "36.11B(2)", "the RGT level has reached 10", "russia")
        return "36.11B(2)"
    if not at_start(s, "russia"):
        return ""
    if russia_mobilizes_for_war(s):
        return "36.11B(7)"
    if not turns:
        return ""
    gap, clause = russian_gap(len(turns))
    due = turns[-1] + gap
    note("next_mobilization", clause, calendar.turn_name(due), "russia")
    return clause if s.turn >= due else ""


@definition("36.41A", "The next Russian mobilization takes two turns: one of the first two, and at peace")
def takes_two_turns(s: State) -> bool:
    if half_done(s) is not None or russia_mobilizes_for_war(s):
        return False
    return russian_idle_factories(s) == 0 and len(russian_civilian(s)) < 2


@definition("36.21C", "The Russian mobilization made now brings an industrial center: in its first turn (R-0005)")
def brings_ic(s: State) -> bool:
    return half_done(s) is None


# -- Japan -------------------------------------------------------------------------------------------------------


ORIGINAL_JAPANESE_FACTORIES = 4


@value("36.11C(1)")
def free_japanese_mobilizations(s: State) -> int:
    """Japanese mobilizations that no tension level calls for: one; after the prequel each factory left beyond four."""
    if s.options.edition != "prequel":
        return 1
    civilian = s.options.civilian_factories.get("japan", ORIGINAL_JAPANESE_FACTORIES)
    return 1 + max(0, civilian - ORIGINAL_JAPANESE_FACTORIES) + s.options.idle_factories.get("japan", 0)


@value("36.11C(2)", "The tension level at which Japan's next mobilization comes at the latest; none after three")
def japanese_tension_call(s: State) -> int:
    # A free mobilization left unused does not put off the call for the three others.
    return 10 * (max(0, mobilizations_made(s, "japan", "") - free_japanese_mobilizations(s)) + 1)


@definition("36.11C(2)", "The USJT level itself has reached the ten, twenty or thirty of Japan's next mobilization")
def tension_calls_japan(s: State) -> bool:
    call = japanese_tension_call(s)
    return call in CALLS and level_was_reached(s, "usjt", call)


def triggered_by_tension(s: State) -> bool:
    """Whether the Japanese mobilization made now is one that tension triggers; the free ones leave tension alone."""
    return not _free_japanese(s) and tension_calls_japan(s)


@definition("36.11C(2)", "USJT or the corresponding American mobilization calls for Japan's next mobilization")
def japan_is_called(s: State) -> bool:
    call = japanese_tension_call(s)
    if call not in CALLS:
        return False
    if tension_calls_japan(s):
        return True
    before = CALLS.index(call)
    latest = calendar.parse_turn(AMERICAN["pacific"][before][1])
    american = len(begun(s, "usa", "pacific")) > before
    return american or s.moment > calendar.moment(latest, calendar.step_index("allied", "end of diplomatic phase"))


@effect("36.11C(3)", "A mobilization that tension triggered in the turn of the attack raises USJT by one", on=WarBegan)
def tension_before_attack(p: Proceedings, war: WarBegan) -> None:
    if set(war.between) == {"japan", "usa"} and war.declared_by == "japan":
        p.do(Happened(Happening(p.s.moment, "japan attacks", "usa")))
        if happened(p.s, "mobilized on tension", "japan", "turn"):
            p.do(TrackMoved("usjt", track(p.s, "usjt") + 1))


# -- The United States -------------------------------------------------------------------------------------------


@value("36.11D", "American mobilizations still to come: twelve in both theaters together (R-0001)")
def american_mobilizations_left(s: State, theater: str) -> int:
    return 12 - mobilizations_made(s, "usa", theater if reading_in_force(s, "R-0001") == "b" else "")


@value(
    "36.11D",
    covers=(
        *(clause for lines in AMERICAN.values() for clause, _ in lines),
        *AMERICAN_LATER.values(),
        *AMERICAN_AT_WAR.values(),
    ),
)
def american_call(s: State, theater: str) -> str:
    """The bullet that calls for an American mobilization in a theater now, if one does."""
    if american_mobilizations_left(s, theater) <= 0:
        return ""
    if went_to_war(s, "usa", ENEMY[theater]):
        note("at_war", AMERICAN_AT_WAR[theater], "every turn", theater)
        return AMERICAN_AT_WAR[theater]
    made = mobilizations_made(s, "usa", theater)
    if made >= 3:
        note("after_the_third", AMERICAN_LATER[theater], "every turn", theater)
        return AMERICAN_LATER[theater]
    clause, date = AMERICAN[theater][made]
    level = 10 * (made + 1)
    by_date = s.turn >= calendar.parse_turn(date)
    # The effective level of a turn is not known before the diplomatic phase has ended.
    by_level = s.place.step.name == AMERICAN_MOMENT and effective_tension(s, TENSION[theater]) >= level
    note("next_mobilization", clause, f"level {level} or {date}", theater)
    return clause if by_date or by_level or effective_level_stands(s, theater, level) else ""


@remembered("36.11D")
def effective_level_stands(s: State, theater: str, level: int) -> bool:
    """An effective level was reached while another mobilization took the turn, though it sank again."""
    return False


@effect("36.11D", "Effective levels that still call for a mobilization after the diplomatic phase go on doing so")
def keep_effective_levels(p: Proceedings) -> None:
    if p.s.player != "allied" or not judged(p.s):
        return
    for theater, name in TENSION.items():
        for level in CALLS[mobilizations_made(p.s, "usa", theater) :]:
            if effective_tension(p.s, name) >= level and not effective_level_stands.noted(p.s, theater, level):
                told = f"the effective {name.upper()} level has reached {level}"
                effective_level_stands.note(p, True, told, theater, level)


@effect("36.11D", "At the end of the Allied diplomatic phase a die fixes each effective tension level for the turn")
def determine_effective_tension(p: Proceedings) -> None:
    if p.s.player != "allied":
        return
    for theater in THEATERS:
        name = TENSION[theater]
        stands = track(p.s, name)
        if happened(p.s, "effective level reported", name, "player turn"):
            continue  # the players gave it themselves
        # Without tension no die is thrown, and one that was thrown before tells no more (R-0301).
        calm = stands <= 0
        if calm or went_to_war(p.s, "usa", ENEMY[theater]):
            level = stands
        else:
            level = stands + TENSION_DIE[p.roll(f"effective {name.upper()} level, nominal {stands}")]
        if p.s.tracks.get(f"effective_{name}", stands if calm else None) != level:
            p.do(TrackMoved(f"effective_{name}", level))


@effect("36.11D", "An effective level that is reported needs no die", on=TrackMoved)
def note_reported_level(p: Proceedings, moved: TrackMoved) -> None:
    rolling = p.s.place.step.name == "end of diplomatic phase" and p.s.player == "allied"
    if moved.track.startswith("effective_") and not rolling:
        name = moved.track.removeprefix("effective_")
        p.do(Happened(Happening(p.s.moment, "effective level reported", name, moved.to)))
