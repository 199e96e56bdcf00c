"""A position in which a Murmansk convoy can sail and be met, and a whole convoy step by step, for several tests."""

from __future__ import annotations

from typing import Any

POSITION = """
scenario: classic-1939
turn: Summer 1942
player: allied
phase: initial supply determination
set:
  transports: {atlantic: 6}
  powers.britain.brp: 60
  powers.usa.brp: 100
  powers.russia.brp: 20
  control: {germany: [Bergen]}
  wars:
    - {between: [germany, russia], since: Summer 1941, declared_by: germany}
    - {between: [germany, britain], since: Fall 1939}
    - {between: [germany, usa], since: Winter 1941}
units:
  - {nation: germany, type: army air, at: Bergen, count: 4}
  - {nation: germany, type: cruiser, at: Bergen, count: 2}
  - {nation: germany, type: submarine, at: Bergen, count: 2}
  - {nation: germany, type: submarine, at: Atlantic SW box, count: 12}
  - {nation: britain, type: destroyer, at: Scapa Flow, count: 6}
  - {nation: britain, type: carrier, at: Scapa Flow}
"""

#: From sailing to arrival: each command, and whom the game then waits for (nobody: the convoy is over).
WHOLE: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    (
        {
            "do": "sail_convoy",
            "power": "britain",
            "brp": 8,
            "escorts": ["4 destroyer at Scapa Flow"],
            "merge_with": ["usa"],
        },
        ("usa",),
    ),
    ({"do": "join_convoy", "power": "usa", "brp": 12}, ("germany",)),
    (
        {
            "do": "oppose_convoy",
            "power": "germany",
            "air": ["4 army air at Bergen"],
            "ships": ["2 cruiser at Bergen"],
            "submarines": ["2 submarine at Bergen", "2 submarine at Atlantic SW box"],
        },
        ("germany",),
    ),
    ({"do": "attack_convoy", "power": "germany", "by": "air", "submarines": 2}, ("germany",)),
    (
        {"do": "report_convoy_attack", "hits": 2, "raiders_lost": ["1 army air"], "escorts_lost": ["destroyer"]},
        ("germany",),
    ),
    ({"do": "report_convoy_attack", "hits": 1, "transports_sunk": 1}, ("germany",)),
    ({"do": "attack_convoy", "power": "germany", "by": "ships"}, ("germany",)),
    ({"do": "report_convoy_attack", "hits": 3, "outcome": "germany withdraws"}, ("germany",)),
    ({"do": "attack_convoy", "power": "germany", "by": "submarines", "submarines": 2}, ("germany",)),
    ({"do": "report_convoy_attack"}, ("germany",)),
    ({"do": "call_off_attacks", "power": "germany"}, ("germany",)),
    ({"do": "return_raiders", "power": "germany", "submarines_to": "Atlantic SW box"}, ()),
)
