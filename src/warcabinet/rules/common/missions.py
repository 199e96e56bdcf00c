"""Missions of units in combat, by what they do: attack, attack out of a country, leave a base, are carried."""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportOperation

#: Offensive operations and attrition belong to a player turn; otherwise units also meet an enemy in his.
ATTACKS = ("attack", "attrition")
#: Missions by which a country, or whoever stands in it, is attacked.
HOSTILE = ("attack", "attrition", "bombing", "shore bombardment")
#: Missions by which units attack out of a country, whether or not it is said whom.
SALLIES = (*HOSTILE, "attack sea supply", "raid", "submarine interception")
#: Missions that are flown or sailed, whichever units are named.
FLOWN_OR_SAILED = (
    *("intercept naval mission", "submarine interception", "intercept air transport", "defensive air support"),
    *("attack sea supply", "sea escort", "shore bombardment", "bombing", "raid"),
)
#: Missions for which aircraft and ships leave a base of their own; what ships carry may come from another port.
FROM_BASES = (*SALLIES, *FLOWN_OR_SAILED)


def attacks(cmd: ReportOperation) -> bool:
    return cmd.mission in ATTACKS and bool(cmd.at)


def hostile(cmd: ReportOperation) -> bool:
    return cmd.mission in HOSTILE and bool(cmd.at)
