"""Control with history, zones of control, boxes and seas."""

from __future__ import annotations

import pytest

from warcabinet.board import boxes, control, seas, supply, zoc
from warcabinet.board.control import Control, fall_1939
from warcabinet.board.maps import europe, pacific
from warcabinet.kernel.errors import WarCabinetError


def test_fall_1939() -> None:
    held = fall_1939()
    assert held["europe/L31"] == "germany"
    assert held["europe/MM29"] == "britain"
    assert held["europe/M35"] == "poland"
    assert held["europe/J39"] == "poland"
    assert held["pacific/S20"] == "japan"
    assert held["pacific/L22"] == "communist_china"
    assert held["pacific/W21"] == "usa"
    assert held["pacific/II11"] == "dutch_east_indies"
    assert set(held) == {h.key for one in (europe(), pacific()) for h in one if h.is_land}


def test_giving_hexes_leaves_the_old_control_alone() -> None:
    before = Control(fall_1939())
    after = before.give(["europe/M35"], "germany")
    assert (before["europe/M35"], after["europe/M35"]) == ("poland", "germany")
    assert len(before) == len(after)


def test_history_knows_who_held_a_hex_when_the_frame_opened() -> None:
    now = Control(fall_1939()).give(["europe/M35"], "germany")
    assert now.at_start("europe/M35") == "poland"
    assert not now.held_since_start("europe/M35", "germany")
    assert now.held_since_start("europe/L31", "germany")
    twice = now.give(["europe/M35"], "russia")
    assert twice.at_start("europe/M35") == "poland"
    back = twice.give(["europe/M35"], "poland")
    assert back.former == {}
    assert Control({}).give(["europe/M35"], "germany").at_start("europe/M35") is None
    later = twice.open_frame()
    assert later.at_start("europe/M35") == "russia"
    assert later.held_since_start("europe/M35", "russia")


def test_an_unknown_hex_cannot_be_given() -> None:
    with pytest.raises(WarCabinetError, match="Z99"):
        Control(fall_1939()).give(["europe/Z99"], "germany")
    with pytest.raises(WarCabinetError, match="europe/K28"):
        Control(fall_1939()).give(["K28"], "germany")


def test_holdings_are_kept_by_identity() -> None:
    one = europe()
    mine = Control(fall_1939())
    assert control.holdings(one, mine) is control.holdings(one, mine)
    other = mine.give(["europe/M35"], "germany")
    gained = control.held(one, other, ["germany"]) & ~control.held(one, mine, ["germany"])
    assert one.ids(gained) == ("M35",)
    assert control.held(one, other.get, ["germany"]) == control.held(one, other, ["germany"])


def test_a_zone_covers_six_hexes_but_no_strait_and_no_water() -> None:
    one = europe()
    assert set(one.ids(zoc.zone(one, ["L31"]))) == {h.id for h in one.neighbours("L31")}
    assert not zoc.in_zone(one, "AA33", ["AA32"])
    assert not zoc.in_zone(one, "BB7", ["AA7"])
    assert zoc.in_zone(one, "LL31", ["LL30"]), "the canal is a river (88.341)"
    # 81.32: a zone in Manchuria reaches beyond its border.
    far = pacific()
    beyond = {far[i].country for i in far.ids(zoc.zone(far, ["I26", "I29"]))}
    assert {"china", "korea"} <= beyond


def test_a_zone_cuts_a_line() -> None:
    one = europe()
    free = supply.trace(one, ["L31"], ["M35"], one.land & ~zoc.zone(one, ["M33"]))
    assert free.found
    assert not set(free.path) & set(one.ids(zoc.zone(one, ["M33"])))


def test_boxes_and_the_hexes_they_touch() -> None:
    assert boxes.touching("europe/A62", "ground") == ("urals",)
    assert boxes.touching("pacific/CC2") == ("india_box",)
    assert boxes.touching("pacific/NN18") == ()
    assert set(boxes.touching("europe/MM30")) == {"south_africa", "india_box", "australia_box", "ethiopia"}
    with pytest.raises(WarCabinetError, match="sea_supply"):
        boxes.box("urals").hexes("sea supply")
    with pytest.raises(WarCabinetError, match="urals"):
        boxes.box("ural")


def test_ways_between_boxes() -> None:
    assert boxes.joined("pacific_us", "atlantic_us", "strategic_redeployment")
    assert boxes.joined("south_africa", "ethiopia", "strategic_redeployment")
    assert boxes.joined("ethiopia", "india_box", "naval_redeployment")
    assert not boxes.joined("ethiopia", "india_box", "base_change")
    assert not boxes.joined("urals", "india_box", "grant")
    with pytest.raises(WarCabinetError, match="india_box"):
        boxes.joined("urals", "india_bx", "grant")
    assert len(boxes.routes()) == 16


def test_ships_need_water_and_known_passages() -> None:
    with pytest.raises(WarCabinetError, match="no water"):
        seas.sail(europe(), "L31")
    with pytest.raises(WarCabinetError, match="kattegat"):
        seas.sail(europe(), "J32", ["kategat"])
    with pytest.raises(WarCabinetError, match="black_sea"):
        seas.sea_hexes(europe(), "blak_sea")


def test_the_black_sea_opens_through_the_bosporus_only() -> None:
    one = europe()
    naples = one.bits(["AA22"])
    assert not seas.sail(one, "V35") & naples
    assert seas.sail(one, "V35", ["bosporus"]) & naples
    assert not seas.sail(one, "V35", ["kattegat", "suez", "gibraltar"]) & naples
