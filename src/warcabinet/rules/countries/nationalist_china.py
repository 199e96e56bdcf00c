"""Nationalist China joins the Western Allies (78.11, 78.51)."""

from __future__ import annotations

from warcabinet.model.events import PowerChanged
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import same_faction, went_to_war
from warcabinet.rules.kinds import effect


def china_is_to_join(s: State) -> bool:
    """Whether an Allied player turn starts, after war between Japan and the U.S. broke out, with China still alone."""
    return s.player == "allied" and went_to_war(s, "japan", "usa") and not same_faction(s, "china", "usa")


@effect(
    "78.51",
    "China joins the Western Allies as the Allied player turn starts after war broke out between Japan and the U.S.",
    when=china_is_to_join,
    also=("78.11",),
)
def china_joins_the_west(p: Proceedings) -> None:
    p.do(PowerChanged("china", faction=p.s.powers["usa"].faction))
