"""Spring 1941, Axis redeployment: both garrisons of chapter 81 at full strength, as in the example of 81.42."""

POSITION = """
scenario: classic-1939
turn: Spring 1941
phase: redeployment
set: {powers.japan.brp: 96, powers.russia.brp: 121}
units:
  - {nation: japan, type: armor, strength: 2-3, at: Harbin, count: 2}
  - {nation: japan, type: armor, strength: 1-3, at: Mukden, count: 2}
  - {nation: japan, type: infantry, strength: 3-2, at: Harbin, count: 3}
  - {nation: japan, type: infantry, strength: 2-2, at: pacific/F31, count: 3}
  - {nation: japan, type: infantry, strength: 1-2, at: Mukden, count: 3}
  - {nation: japan, type: army air, at: Harbin, count: 5}
  - {nation: russia, type: armor, strength: 3-3, at: Vladivostok, count: 1}
  - {nation: russia, type: armor, strength: 3-3, at: Chita, count: 1}
  - {nation: russia, type: infantry, strength: 3-2, at: Khabarovsk, count: 2}
  - {nation: russia, type: infantry, strength: 2-2, at: Irkutsk, count: 4}
  - {nation: russia, type: infantry, strength: 1-2, at: Ulan Bator, count: 4}
  - {nation: russia, type: army air, at: Chita, count: 5}
"""

#: A 3-2 goes from Harbin to Canton.
WITHDRAWN = {
    "do": "move",
    "nation": "japan",
    "unit": "infantry 3-2",
    "from": "Harbin",
    "to": "Canton",
    "how": "naval redeployment",
}
