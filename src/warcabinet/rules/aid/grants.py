"""BRP grants in general: who may grant to whom, what it costs, transports, and construction limits (40.1 to 40.3).

What every grant needs; who may grant to whom besides Russia is in `pairs`. Grants are happenings of a pair of powers:
`granted`, `grant received` and `grant returned`.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.names import with_role
from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Account
from warcabinet.model.commands.aid import GrantBrps, JoinConvoy, ReportGrantCondition, SailConvoy
from warcabinet.model.commands.economy import ReportBrp
from warcabinet.model.happenings import Granted, befell, deed_of, sum_of
from warcabinet.model.names import called, powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import friendly
from warcabinet.rules.common.war_and_peace import at_war, went_to_war
from warcabinet.rules.economy.base import brps_not_kept
from warcabinet.rules.economy.spending import available, construction_sum, spendable
from warcabinet.rules.kinds import definition, effect, limit, opening, order, remembered, value

WESTERN_ALLIES = ("britain", "france", "usa")
TO_RUSSIA = (SailConvoy, JoinConvoy)
GrantToRussia = SailConvoy | JoinConvoy
ANY_GRANT = (SailConvoy, JoinConvoy, GrantBrps)
Grant = SailConvoy | JoinConvoy | GrantBrps


def recipient(cmd: Grant) -> str:
    """To whom an order grants: a convoy to Murmansk is for Russia."""
    return cmd.to if isinstance(cmd, GrantBrps) else "russia"


@definition("40.36", "Russia may receive grants once it has gone to war with Germany")
def russia_may_receive(s: State) -> bool:
    return went_to_war(s, "russia", "germany")


#: By which clause each of the Western Allies may grant to Russia.
TO_RUSSIA_BY = {"britain": "40.34B", "france": "40.35", "usa": "40.331B"}


@definition("40.31", covers=tuple(TO_RUSSIA_BY.values()))
def may_grant_to_russia(s: State, power: str) -> bool:
    """The Western Allies may grant to Russia once it has gone to war with Germany, the U.S. at war itself."""
    if power not in TO_RUSSIA_BY:
        return False
    allowed = russia_may_receive(s) and (power != "usa" or at_war(s, "usa", "germany"))
    note("by_its_clause", TO_RUSSIA_BY[power], allowed, power)
    return allowed


@limit("40.31", on=ANY_GRANT, when=lambda s, cmd: recipient(cmd) == "russia", covers=tuple(TO_RUSSIA_BY.values()))
def grants_to_russia_wait(s: State, cmd: Grant) -> Refusal | None:
    """Only the Western Allies grant BRPs to Russia, and only once it has gone to war with Germany."""
    if may_grant_to_russia(s, cmd.power):
        return None
    if cmd.power not in TO_RUSSIA_BY:  # of the order grant `listed_pair` tells it
        told = f"{called(cmd.power)} may not grant BRPs to Russia"
        return None if isinstance(cmd, GrantBrps) else Refusal("40.31", told)
    peace = cmd.power == "usa" and not at_war(s, "usa", "germany")
    told = "the United States are not at war with Germany" if peace else "Russia and Germany have not gone to war"
    return Refusal(TO_RUSSIA_BY[cmd.power], told)


@definition("40.21", "A grantor has an unlimited supply source at home: a key economic area of its own (R-0434)")
def has_supply_source(s: State, power: str) -> bool:
    if s.powers[power].surrendered:
        return False
    own = with_role("key_area", power)
    return not own or any(holder(s, it.key) == power for it in own)


@limit("40.21", "A grant starts from a supply source that the grantor controls at home", on=ANY_GRANT)
def grant_has_source(s: State, cmd: Grant) -> str | None:
    name = powers()[cmd.power].name
    return None if has_supply_source(s, cmd.power) else f"{name} has no supply source at home any more"


@limit("35.24", on=ANY_GRANT, covers=("83.43",))
def granted_brps_are_kept(s: State, cmd: Grant) -> Refusal | str | None:
    """Only BRPs that the scenario keeps can be granted, and to a power that has not surrendered."""
    refused = brps_not_kept(s, cmd.power)
    if refused:
        return refused
    to = recipient(cmd)
    return brps_not_kept(s, to) if to in powers() else None


@limit("40.11", on=ReportBrp, when=lambda s, cmd: cmd.cause == "grant")
def granted_by_order(s: State, cmd: ReportBrp) -> str:
    """BRPs pass from one power to another by the order for it."""
    return "BRPs are granted by the order grant, to Murmansk by sail_convoy"


# -- What a grant costs -------------------------------------------------------------------------------------------


@value("40.23A(1)")
def grantable(s: State, power: str) -> int:
    """A grant is taken from the BRPs that the grantor has; under another reading as far as deficits go (R-0026)."""
    if reading_in_force(s, "R-0026") != "b":
        return available(s, power)
    note("on_deficit", "39.21", True, power)
    return spendable(s, power)


@limit("40.23A(1)", "No more is granted than the grantor has", on=ANY_GRANT)
def grantor_has_brps(s: State, cmd: Grant) -> Bound:
    return Bound("brp", most=grantable(s, cmd.power), text="the grant leaves the grantor's total at once")


@effect("40.23A")
def make_grant(p: Proceedings, power: str, to: str, brp: int, route: str, account: Account) -> None:
    """A grant leaves the grantor's total as it is announced, and counts for its construction limit."""
    note("costs_nothing_more", "40.225", brp, power, to)
    move_brps(p, power, -brp, f"grant to {powers()[to].name} by {route}", account, "40.23A(1)")
    p.do(befell(p.s, Granted("granted", power, to), brp))


@effect("40.23B(1)")
def receive_grant(p: Proceedings, power: str, to: str, brp: int) -> None:
    """A grant by sea joins the recipient's total as soon as its interception is over, and counts for its limit."""
    note("arrives_at_once", "40.12", brp, power, to)
    note("completed_in_its_player_turn", "40.224", brp, power, to)
    note("recipient_gains", "40.23B", brp, power, to)
    p.do(befell(p.s, Granted("grant received", power, to), brp))


# -- Construction limits -------------------------------------------------------------------------------------------


def _grants(s: State, kind: str, power: str, place: int) -> list[tuple[Granted, int]]:
    """This turn's grants made (the power in the first place of the pair) or received (in the second), one by one."""
    since = s.since("turn")
    about = ((deed_of(Granted, it), it.amount) for it in s.happenings.lately(kind, since) if it.moment >= since)
    return [(it, brp) for it, brp in about if it is not None and (it.power, it.to)[place] == power]


def _thirds(grants: list[tuple[Granted, int]]) -> int:
    """One for every three BRPs of all together."""
    for it, brp in grants:
        note("grant", "", brp, it.power, it.to)
    return sum(brp for _, brp in grants) // 3


@value("40.23A(2)", adds_to=construction_sum, when=lambda s, power: bool(_grants(s, "granted", power, 0)))
def construction_granted(s: State, power: str) -> int:
    """Every three BRPs granted this turn lower the grantor's construction limit by one."""
    return -_thirds(_grants(s, "granted", power, 0))


@value("40.23B(2)", adds_to=construction_sum, when=lambda s, power: bool(_grants(s, "grant received", power, 1)))
def construction_received(s: State, power: str) -> int:
    """Every three BRPs received this turn raise the recipient's construction limit by one."""
    return _thirds(_grants(s, "grant received", power, 1))


WEST = "western allies"
# Every pair of grantor and recipient that 40.3 lists.
LISTED = {
    "germany": ("italy",),
    "usa": ("britain", "france", "russia", "china", *COMMONWEALTH),
    "britain": ("france", "russia", "china"),
    "france": ("russia",),
}
# For whom U.S. grants before its war with Germany are counted together.
#: Who grants to France only while Paris is Allied, by which clause.
PARIS = place_key("Paris")
TO_PARIS = {"britain": "40.34A", "usa": "40.331A"}
OVER_THE_ATLANTIC = ("britain", "france", "canada", "south_africa")
IN_THE_PACIFIC = ("australia", "india")


@opening("40.31", "To whom a power may grant at all", on=GrantBrps)
def recipients_open(s: State, cmd: GrantBrps) -> Choice:
    return Choice("to", LISTED.get(cmd.power, ()), "this power may grant to nobody")


@limit("40.31", on=GrantBrps)
def listed_pair(s: State, cmd: GrantBrps) -> Refusal | None:
    """Only the grants that are listed may be made; of powers and countries the nearest clause tells."""
    name, to = called(cmd.power), called(cmd.to)
    if cmd.to not in (*powers(), *COMMONWEALTH):
        return Refusal("40.11", f"{to} is no major power, and not one of the Commonwealth: it receives no BRPs")
    if "japan" in (cmd.power, cmd.to):
        return Refusal("40.32C", "Japan may neither grant nor receive BRPs")
    if cmd.to in LISTED.get(cmd.power, ()):
        return None
    if cmd.power not in LISTED:
        nearest = {"italy": "40.32B", "russia": "40.36"}.get(cmd.power, "40.31")
        return Refusal(nearest, f"{name} may not grant BRPs")
    pairs = {("britain", "usa"): "40.34C", ("france", "britain"): "40.35", ("france", "usa"): "40.35"}
    return Refusal(pairs.get((cmd.power, cmd.to), "40.31"), f"{name} may not grant BRPs to {to}")


# -- The United States --------------------------------------------------------------------------------------------


def granted_over_the_atlantic(s: State) -> int:
    """What the U.S. granted Britain, France, Canada and South Africa this turn."""
    sent = 0
    for to in OVER_THE_ATLANTIC:
        kind = "granted for construction" if to in COMMONWEALTH else "granted"
        sent += sum_of(s, Granted(kind, "usa", to), "turn")
    return sent


@value("40.331A", "Before its war with Germany the U.S. grants one BRP a turn for each USAT level above 25, at most 25")
def american_grant_limit(s: State) -> int:
    usat = s.tracks.get("usat", 0)
    note("tension", "40.331A", usat, "usat")
    return min(25, max(0, usat - 25))


@definition("40.331A", "Paris is under Allied control")
def paris_is_allied(s: State) -> bool:
    return friendly(s, PARIS, WEST)


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


@limit("40.31", on=GrantBrps)
def grantor_may_grant_now(s: State, cmd: GrantBrps) -> Iterator[Bound | Refusal]:
    """Germany grants to an Italy on its side, Britain to France once they cooperate; to France while Paris is Allied.

    Until it fights Germany, tension limits what the U.S. grants over the Atlantic; to Australia and India it grants
    once it went to war with Japan, or Britain surrendered. An Australian surrender closes the Australia box.
    """
    power, to = cmd.power, cmd.to
    if (power, to) == ("germany", "italy") and (at_war(s, "germany", "italy") or s.powers["italy"].surrendered):
        yield Refusal("40.32A", "Italy has left the Axis")
    if (power, to) == ("britain", "france") and not cooperation_unrestricted(s):
        yield Refusal("40.34A", "restrictions on Anglo-French cooperation have not been lifted")
    elif to == "france" and power in TO_PARIS and not paris_is_allied(s):
        yield Refusal(TO_PARIS[power], "Paris is not under Allied control")
    if power == "usa" and to in OVER_THE_ATLANTIC and not at_war(s, "usa", "germany"):
        left = max(0, american_grant_limit(s) - granted_over_the_atlantic(s))
        text, also = "what tension lets the United States grant this turn", ("70.15C(2)", "70.25B(2)")
        yield Bound("brp", most=left, text=text, clause="40.331A", also=also)
    opened = went_to_war(s, "usa", "japan") or s.powers["britain"].surrendered
    if power == "usa" and to in IN_THE_PACIFIC and not opened:
        told = "the United States and Japan have not gone to war, and Britain has not surrendered"
        note("americans_may_pay", "72.163B" if to == "india" else "71.153B", False, to)
        yield Refusal("40.332B", told, also=("71.153B", "72.163B"))
    if to in ("china", "india") and cmd.by == "australia" and s.countries["australia"].status != "commonwealth":
        yield Refusal("40.332D", "Australia has surrendered")
