"""Border wars of Russia with Finland and Rumania: fought undeclared, and reported (82.34, 82.41, 84.21A, 84.23)."""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportBorderWar
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import PARTS, home_hexes
from warcabinet.rules.common.pieces import STANDS_ALONE, faction
from warcabinet.rules.kinds import definition, effect, order, remembered
from warcabinet.rules.minors.attack import garrison_in_the_way
from warcabinet.rules.minors.limits import counts_against_limit
from warcabinet.rules.minors.status import wages_war


@remembered("84.23", "Russia has fought a border war with a country")
def border_war_fought(s: State, country: str) -> bool:
    return False


def russians_invaded(s: State, country: str) -> bool:
    """Whether Russians are in a country by a border war, and not as the guests of a result that came after it."""
    standing = s.countries[country]
    guests = standing.status == "controlled" and faction(s, standing.by) == faction(s, "russia")
    return border_war_fought(s, country) and not guests


def no_garrison(s: State, country: str) -> bool:
    """Whether they fight the country as those do who declared war on it, and so are no garrison of it (R-0493)."""
    return country in PARTS.values() and russians_invaded(s, country)


@definition("82.34", displaces=garrison_in_the_way, when=lambda s, country, attacker: no_garrison(s, country))
def border_war_is_in_no_way(s: State, country: str, attacker: str) -> tuple[str, ...]:
    """Russians who came by a border war keep nobody else from attacking the country: they are invaders (R-0493)."""
    return tuple(it for it in garrison_in_the_way.general(s, country, attacker) if it != "russia")


@definition(
    "82.32",
    displaces=counts_against_limit,
    when=lambda s, nation, unit, country: nation == "russia" and country == "rumania" and russians_invaded(s, country),
)
def not_among_guests(s: State, nation: str, unit: str, country: str) -> bool:
    """Russians who came to Rumania by a border war are not among the foreign factors that its limit counts."""
    return False


@remembered("86.43", "Russia's border war with a country has escalated, as reported")
def border_war_escalated(s: State, country: str) -> bool:
    return False


def full_scale_war(s: State, country: str) -> bool:
    """Whether a border war has become a full scale war, which peace ends, a conquest, or an alliance with Russia."""
    standing = s.countries[country]
    with_russia = standing.by != "" and faction(s, standing.by) == faction(s, "russia")
    return standing.status != "conquered" and not with_russia and border_war_escalated(s, country)


@definition(
    "84.23",
    displaces=wages_war,
    when=lambda s, nation, power: (nation, power) == ("finland", "russia") and full_scale_war(s, nation),
)
def finland_wages_war(s: State, nation: str, power: str) -> bool:
    """A border war that has escalated is a full scale war of Finland with Russia, though nobody declared it
    (R-2480).
    """
    return True


def ends_full_scale_war(s: State, between: tuple[str, ...]) -> str:
    """The country whose border war with Russia, a full scale one that nobody declared, a peace between two ends."""
    country = next((it for it in between if it in s.countries), "")
    return country if "russia" in between and country and full_scale_war(s, country) else ""


@effect("84.23", "Peace ends a border war that had escalated; that it was fought stays known")
def end_full_scale_war(p: Proceedings, country: str) -> None:
    border_war_escalated.forget(p, country)


@definition("82.41", also=("86.24",))
def fought_over(s: State, power: str, place: str) -> bool:
    """Russia fights border wars undeclared: for Rumania, the Finnish border hexes, or once it escalates all of
    Finland.
    """
    if power != "russia":
        return False
    country = next((it for it in PARTS.values() if place in home_hexes(it)), "")
    if not country or s.countries[country].status not in STANDS_ALONE:
        return False
    # A garrison of a power at peace with Russia keeps it out of a border war as well (82.34).
    if not border_war_fought(s, country) or garrison_in_the_way(s, country, power):
        return False
    return country != "finland" or place in home_hexes("finnish_border") or border_war_escalated(s, country)


@order("84.21A", "A border war is fought; it brings no association", on=ReportBorderWar)
def report_border_war(p: Proceedings, cmd: ReportBorderWar) -> None:
    border_war_fought.under("84.21A").note(p, True, "a border war with Russia was reported", cmd.country)
    if cmd.escalated:
        border_war_escalated.under("86.43").note(p, True, "the border war was reported to have escalated", cmd.country)
