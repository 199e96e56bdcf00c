"""Who may grant BRPs to whom, since when and how much (40.3); for Russia also in `grants`, for China in `china`."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps, ReportGrantCondition
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.rules.common.alliances import at_war, went_to_war
from warcabinet.rules.common.pieces import friendly
from warcabinet.rules.kinds import definition, limit, opening, order, remembered, value

WEST = "western allies"
# Every pair of grantor and recipient that 40.3 lists.
LISTED = {
    "germany": ("italy",),
    "usa": ("britain", "france", "russia", "china", *COMMONWEALTH),
    "britain": ("france", "russia", "china"),
    "france": ("russia",),
}
# For whom U.S. grants before its war with Germany are counted together.
OVER_THE_ATLANTIC = ("britain", "france", "canada", "south_africa")
IN_THE_PACIFIC = ("australia", "india")


@opening("40.31", "To whom a power may grant at all", on=GrantBrps)
def recipients_open(s: State, cmd: GrantBrps) -> Choice:
    return Choice("to", LISTED.get(cmd.power, ()), "this power may grant to nobody")


@limit("40.31", "Only the grants that are listed may be made", on=GrantBrps)
def listed_pair(s: State, cmd: GrantBrps) -> str | None:
    if cmd.power not in LISTED:
        return f"{called(cmd.power)} may not grant BRPs"
    if cmd.to in LISTED.get(cmd.power, ()):
        return None
    return f"{called(cmd.power)} may not grant BRPs to {called(cmd.to)}"


@limit("40.32B", on=GrantBrps, displaces=listed_pair, when=lambda s, cmd: cmd.power == "italy" and cmd.to != "japan")
def italy_grants_nothing(s: State, cmd: GrantBrps) -> str:
    """Italy grants nothing."""
    return "Italy may not grant BRPs"


@limit("40.32C", on=GrantBrps, displaces=listed_pair, when=lambda s, cmd: cmd.power == "japan" or cmd.to == "japan")
def japan_stands_apart(s: State, cmd: GrantBrps) -> str:
    """Japan neither grants nor receives BRPs."""
    return "Japan may neither grant nor receive BRPs"


@limit("40.34C", on=GrantBrps, displaces=listed_pair, when=lambda s, cmd: cmd.power == "britain" and cmd.to == "usa")
def nothing_for_the_usa(s: State, cmd: GrantBrps) -> str:
    """Britain grants nothing to the United States."""
    return "Britain may not grant BRPs to the United States"


@limit(
    "40.35",
    on=GrantBrps,
    displaces=listed_pair,
    when=lambda s, cmd: cmd.power == "france" and cmd.to in ("britain", "usa"),
)
def france_grants_no_ally(s: State, cmd: GrantBrps) -> str:
    """France grants nothing to Britain or the United States."""
    return f"France may not grant BRPs to {called(cmd.to)}"


@limit("40.36", on=GrantBrps, displaces=listed_pair, when=lambda s, cmd: cmd.power == "russia" and cmd.to != "japan")
def russia_grants_nothing(s: State, cmd: GrantBrps) -> str:
    """Russia grants nothing."""
    return "Russia may not grant BRPs"


@definition("40.32A", "Germany may grant to Italy, whether Italy is at war or neutral")
def germany_may_grant_to_italy(s: State) -> bool:
    return True


@limit("40.32A", on=GrantBrps, when=lambda s, cmd: cmd.power == "germany" and cmd.to == "italy")
def italy_is_a_partner(s: State, cmd: GrantBrps) -> str | None:
    """Germany grants to an Italy that is on its side."""
    if at_war(s, "germany", "italy") or s.powers["italy"].surrendered:
        return "Italy has left the Axis"
    germany_may_grant_to_italy(s)
    return None


# -- The United States --------------------------------------------------------------------------------------------


def granted_over_the_atlantic(s: State) -> int:
    """What the U.S. granted Britain, France, Canada and South Africa this turn."""
    sent = 0
    for to in OVER_THE_ATLANTIC:
        kind = "granted for construction" if to in COMMONWEALTH else "granted"
        sent += total(s, kind, f"usa {to}", "turn")
    return sent


@value("40.331A", "Before its war with Germany the U.S. grants one BRP a turn for each USAT level above 25, at most 25")
def american_grant_limit(s: State) -> int:
    usat = s.tracks.get("usat", 0)
    note("tension", "40.331A", usat, "usat")
    return min(25, max(0, usat - 25))


@limit(
    "40.331A",
    on=GrantBrps,
    when=lambda s, cmd: cmd.power == "usa" and cmd.to in OVER_THE_ATLANTIC,
    also=("70.15C(2)", "70.25B(2)"),
)
def within_american_limit(s: State, cmd: GrantBrps) -> Bound | None:
    """Until it fights Germany, tension limits what the U.S. grants Britain, France, Canada and South Africa."""
    if at_war(s, "usa", "germany"):
        return None
    left = max(0, american_grant_limit(s) - granted_over_the_atlantic(s))
    return Bound("brp", most=left, text="what tension lets the United States grant this turn")


@definition("40.331A", "Paris is under Allied control")
def paris_is_allied(s: State) -> bool:
    return friendly(s, place_key("Paris"), WEST)


@limit("40.331A", on=GrantBrps, when=lambda s, cmd: cmd.power == "usa" and cmd.to == "france")
def american_grants_need_paris(s: State, cmd: GrantBrps) -> str | None:
    """The U.S. grants to France only while Paris is Allied."""
    return None if paris_is_allied(s) else "Paris is not under Allied control"


@limit(
    "40.332B",
    on=GrantBrps,
    also=("71.153B", "72.163B"),
    when=lambda s, cmd: cmd.power == "usa" and cmd.to in IN_THE_PACIFIC,
)
def pacific_grants_need_war(s: State, cmd: GrantBrps) -> str | None:
    """The U.S. grants to Australia and India once it went to war with Japan, or Britain surrendered."""
    if went_to_war(s, "usa", "japan") or s.powers["britain"].surrendered:
        return None
    return "the United States and Japan have not gone to war, and Britain has not surrendered"


@limit("40.332D", on=GrantBrps, when=lambda s, cmd: cmd.to in ("china", "india") and cmd.by == "australia")
def australia_box_is_open(s: State, cmd: GrantBrps) -> str | None:
    """An Australian surrender closes the Australia box to grants."""
    return None if s.countries["australia"].status == "commonwealth" else "Australia has surrendered"


# -- Britain and France --------------------------------------------------------------------------------------------


@remembered("40.34A", "All restrictions on Anglo-French cooperation have been lifted, as the players report")
def cooperation_unrestricted(s: State) -> bool:
    return False


@remembered("40.243", "British units may be built in Canada, as the players report")
def british_units_built_in_canada(s: State) -> bool:
    return False


CONDITIONS = {
    "Anglo-French cooperation unrestricted": cooperation_unrestricted,
    "British units may be built in Canada": british_units_built_in_canada,
}


@order("40.34A", on=ReportGrantCondition, also=("40.243",))
def report_grant_condition(p: Proceedings, cmd: ReportGrantCondition) -> None:
    """What other chapters decide and grants depend on is reported."""
    CONDITIONS[cmd.what].note(p, cmd.holds, "reported by the players")


@limit("40.34A", on=GrantBrps, when=lambda s, cmd: cmd.power == "britain" and cmd.to == "france")
def british_grants_to_france(s: State, cmd: GrantBrps) -> str | None:
    """Britain grants to France once cooperation is unrestricted, and while Paris is Allied."""
    if not cooperation_unrestricted(s):
        return "restrictions on Anglo-French cooperation have not been lifted"
    return None if paris_is_allied(s) else "Paris is not under Allied control"
