"""Finland: it joins Germany when the war with Russia comes (84.23)."""

from __future__ import annotations

from warcabinet.model.events import WarBegan
from warcabinet.model.play import Play
from warcabinet.rules.kinds import effect
from warcabinet.rules.minors.association import associate, border_war_fought, may_join
from warcabinet.rules.minors.pacific import philippines_will_pay


@effect(
    "84.23",
    "After a border war Finland associates with Germany when Germany and Russia go to war",
    on=WarBegan,
    after=philippines_will_pay,
    when=lambda s, began: set(began.between) == {"germany", "russia"} and border_war_fought(s, "finland"),
)
def finland_joins(p: Play, began: WarBegan) -> None:
    free = p.s.countries["finland"].status in ("neutral", "independent", "penetrated", "controlled")
    if free and may_join(p.s, "finland", "germany"):
        associate(p, "finland", "germany", "84.23", "Germany and Russia are at war", "war")
