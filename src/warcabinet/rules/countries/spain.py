"""Spain: an attack on Portugal brings it to Germany (84.24)."""

from __future__ import annotations

from warcabinet.model.events import WarBegan
from warcabinet.model.play import Play
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.promises import promise
from warcabinet.rules.common.worth import worth
from warcabinet.rules.countries.finland import finland_joins
from warcabinet.rules.kinds import effect
from warcabinet.rules.minors.association import associate_spain


@effect(
    "84.24",
    "A Western declaration of war on Portugal brings Spain to Germany in the next Axis diplomatic phase",
    on=WarBegan,
    after=finland_joins,
    when=lambda s, began: (
        "portugal" in began.between
        and faction(s, began.declared_by) == "western allies"
        and s.countries["spain"].status in ("neutral", "penetrated", "controlled")
    ),
)
def spain_takes_sides(p: Play, began: WarBegan) -> None:
    when = next_step_of(p.s, "germany", "end of diplomatic phase")
    promise(p, associate_spain, when, "germany", "spain", worth(p.s, "spain"))
