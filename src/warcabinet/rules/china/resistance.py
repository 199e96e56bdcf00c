"""The Chinese resistance level: reported as a Chinese player turn ends, in force in the next game turn (78.31).

The table behind it (61) is played outside. What hangs on the level asks `chinese_resistance`.
"""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.politics import ReportTrack
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, correction_note
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.kinds import definition, effect, limit, remembered, value

TRACK = "chinese_resistance"
END = "end of player turn"


@value("78.31", "The Chinese resistance level in force this game turn: what the last Chinese player turn ended with")
def chinese_resistance(s: State) -> int:
    start = s.since("turn")
    moved = [it.amount for it in s.happenings.of("stood before at") if it.key == TRACK and it.moment >= start]
    level = moved[0] if moved else s.tracks.get(TRACK, 0)
    note("track", "78.31", level, TRACK, text=correction_note(s, f"tracks.{TRACK}"))
    return level


@limit("78.31", on=ReportTrack, when=lambda s, cmd: cmd.track == TRACK)
def resistance_found_at_the_end(s: State, cmd: ReportTrack) -> str | None:
    """The Chinese resistance level is found as the Chinese player turn ends."""
    if s.player == "allied" and s.place.step.name == END:
        return None
    return "the Chinese Resistance Table is consulted at the end of the Allied player turn, for the next game turn"


@remembered("78.31", "The Chinese resistance level that was in force in the last game turn")
def resistance_in_last_turn(s: State) -> int:
    return 0


@effect("78.31", "The level of the turn that ends is kept, where a clause asks for the last turn's (R-0073)")
def keep_resistance(p: Proceedings) -> None:
    if p.s.player == "allied" and chinese_resistance(p.s) != resistance_in_last_turn(p.s):
        resistance_in_last_turn.note(p, chinese_resistance(p.s), "in force in the turn that ended")


@value("78.923")
def resistance_from_last_turn(s: State) -> int:
    """The level `from the last turn`: what the last Chinese player turn found, or what was in force then (R-0073)."""
    return resistance_in_last_turn(s) if reading_in_force(s, "R-0073") == "b" else chinese_resistance(s)


# -- Nationalists and Communists ----------------------------------------------------------------------------------


@definition("79.81A", "The United Front exists: always in the classic game, else as the prequel on Asia left it")
def united_front(s: State) -> bool:
    return s.options.edition == "classic" or s.options.united_front


@definition("79.81B")
def resistance_unites(s: State) -> bool:
    """The level from the last Chinese player turn lets Nationalists and Communists cooperate: +2 or more."""
    return chinese_resistance(s) >= 2


@definition("79.81", "Nationalist-Communist cooperation is restricted, unless United Front and +2", also=("78.71",))
def cooperation_restricted(s: State) -> bool:
    return not (united_front(s) and resistance_unites(s))


@definition("79.31B")
def joint_attacks(s: State) -> bool:
    """Both may attack Japan together: restrictions have fallen, or after a second National Unity result."""
    return not cooperation_restricted(s) or _unity(s) >= 2


def _unity(s: State) -> int:
    """National Unity results; there are none in the classic game."""
    return s.options.national_unity_results if s.options.edition == "prequel" else 0


@definition("79.11", "The full restrictions do not apply: fallen, or eased by National Unity research (R-0089)")
def restrictions_eased(s: State) -> bool:
    return not cooperation_restricted(s) or _unity(s) >= 1
