"""Pieces, accounts and promises: indexes that are kept up must say what a count from scratch says."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcabinet.figures.position import DueLine, Position, set_up
from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import Misplaced
from warcabinet.model.accounts import (
    Account,
    Annual,
    Base,
    Bombed,
    Brp,
    Deferred,
    DeferredFrom,
    DeferredGone,
    IcValue,
    Mobilization,
    Oil,
    Shipbuilding,
    ShipbuildingFrom,
    Sink,
    Source,
    Spared,
    World,
    account_named,
)
from warcabinet.model.agenda import Agenda, OfArea, Promise
from warcabinet.model.apply import blank
from warcabinet.model.pieces import (
    LOST,
    OUT_OF_PLAY,
    UNBUILT,
    At,
    Built,
    Mobilized,
    Pieces,
    Produced,
    Track,
    Where,
    piece_account,
    piece_named,
)
from warcabinet.model.state import decode, encode
from warcabinet.rules.common.diplomacy import promised
from warcabinet.rules.economy.timing import lose_area, receive_conquest
from warcabinet.rules.kinds import due

PLACES: tuple[Where, ...] = (At("europe/K28"), At("europe/M25"), At("box/urals"), UNBUILT, Track(7766), OUT_OF_PLAY)
MOVES = st.lists(
    st.tuples(
        st.sampled_from(("germany", "poland")),
        st.sampled_from(("armor 3-5", "infantry 1-3", "army air")),
        st.integers(1, 4),
        st.sampled_from(PLACES),
        st.sampled_from(PLACES),
    ),
    max_size=30,
)


def moved(steps: list[tuple[str, str, int, Where, Where]]) -> Pieces:
    pieces = Pieces()
    for nation, unit, count, origin, to in steps:
        pieces = pieces.moved(nation, unit, count, origin, to)
    return pieces


@given(MOVES)
def test_every_index_says_the_same(steps: list[tuple[str, str, int, Where, Where]]) -> None:
    pieces = moved(steps)
    assert pieces.imbalance() == {}
    stacks = list(pieces.stacks())
    for place in ("europe/K28", "europe/M25", "box/urals"):
        assert sorted(pieces.at(place), key=str) == sorted((it for it in stacks if it.place == place), key=str)
    for nation in ("germany", "poland"):
        assert list(pieces.of(nation)) == [it for it in stacks if it.nation == nation]
        for unit in ("armor 3-5", "army air"):
            assert list(pieces.of_kind(nation, unit)) == [it for it in pieces.of(nation) if it.unit == unit]
    for nation, where, unit, count in pieces.everything():
        total = sum(n for who, what, n, _, to in steps if (who, what, to) == (nation, unit, where))
        total -= sum(n for who, what, n, origin, _ in steps if (who, what, origin) == (nation, unit, where))
        assert pieces.count(nation, where, unit) == count == total != 0


@given(MOVES, st.randoms(use_true_random=False))
def test_the_order_owes_nothing_to_the_past(steps: list[tuple[str, str, int, Where, Where]], luck: object) -> None:
    shuffled = list(steps)
    luck.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other, stored = moved(steps), moved(shuffled), Pieces.restored(moved(steps).stored())
    assert one == other == stored
    assert list(one.everything()) == list(other.everything()) == list(stored.everything())
    for place in ("europe/K28", "europe/M25", "box/urals"):
        assert list(one.at(place)) == list(other.at(place)) == list(stored.at(place))


def test_a_move_shares_what_it_does_not_touch() -> None:
    before = moved([("poland", "infantry 1-3", 3, OUT_OF_PLAY, At("europe/M32"))])
    after = before.moved("germany", "armor 4-6", 1, OUT_OF_PLAY, At("europe/K28"))
    assert after._nations["poland"] is before._nations["poland"]
    assert after._places["europe/M32"] is before._places["europe/M32"]
    assert after._off["poland"] is before._off["poland"]
    assert list(before.at("europe/K28")) == []


@pytest.mark.parametrize(
    "where", [*PLACES, LOST, Built(), Produced(), Mobilized(("1",)), Mobilized(("europe 1", "europe 2"), deferred=True)]
)
def test_where_units_are_is_read_as_it_is_written(where: Where) -> None:
    assert piece_named(piece_account("usa", where, "armor 3-5")) == ("usa", where, "armor 3-5")


@pytest.mark.parametrize(
    "account",
    [
        Brp("germany"),
        Base("italy"),
        Annual("japan", "thailand"),
        Mobilization("usa", "europe", 7766),
        Deferred("japan", 7766, "1"),
        DeferredFrom("japan", "1"),
        DeferredGone("used"),
        Shipbuilding("japan"),
        Shipbuilding("usa", "pacific"),
        ShipbuildingFrom("usa", "pacific 1"),
        IcValue("ic_moscow"),
        Bombed("ic_moscow"),
        Spared("essen", 7770, "allied"),
        Oil("urals"),
        World("annual"),
        Source("brp", "mobilization"),
        Sink("brp", "unit construction"),
    ],
)
def test_an_account_is_read_as_it_is_written(account: Account) -> None:
    assert account_named(str(account)) == account


@dataclass(frozen=True)
class _Line:
    id: int
    effect: str
    about: str
    power: str
    due: int


LINES = st.lists(
    st.builds(
        _Line,
        st.integers(1, 20),
        st.sampled_from(("lose_area", "minor_pays")),
        st.sampled_from(("greece", "norway")),
        st.sampled_from(("germany", "britain")),
        st.integers(1, 9),
    ),
    unique_by=lambda it: it.id,
)


@given(LINES, st.sets(st.integers(1, 20)), st.integers(0, 10))
def test_the_agenda_finds_what_a_scan_would(lines: list[_Line], closed: set[int], now: int) -> None:
    promises = [Promise(it.id, it.due, it.effect, "35.73", 0, it.power, OfArea(it.about)) for it in lines]
    agenda = Agenda()
    for made in promises:
        agenda = agenda.with_(made)
    for id in closed:
        agenda = agenda.without(id)
    left = [it for it in promises if it.id not in closed]
    assert list(agenda) == left
    assert agenda == Agenda(left)
    assert agenda.soonest == Agenda(left).soonest
    assert agenda.fallen_due(now) == next((it for it in left if it.due <= now), None)
    for effects in ((), ("lose_area",), ("lose_area", "minor_pays")):
        for about in (None, "greece"):
            for power in ("", "britain"):
                wanted = [
                    it
                    for it in left
                    if (not effects or it.effect in effects) and about in (None, it.about) and power in ("", it.power)
                ]
                assert list(agenda.find(*effects, about=about, power=power)) == wanted


def test_a_due_rule_says_what_its_promises_are_about() -> None:
    def of_nothing(p, due_now) -> int:  # type: ignore[no-untyped-def]
        return 0

    with pytest.raises(Misplaced, match="of_nothing: a due rule takes a Promise"):
        due("85.52D", "for a test")(of_nothing)


def test_a_position_promises_only_what_is_about_an_area() -> None:
    line = DueLine("36.353", "Fall 1940, Axis, start of player turn", "japan", "thailand")
    with pytest.raises(WarCabinetError, match="enter_force_pool is about more than an area"):
        set_up(Position("classic-1939", agenda=(line,)))


def test_the_same_is_promised_once_and_lapses_by_what_it_is_about() -> None:
    game = Game.new()
    game.do({"do": "report_conquest", "area": "france", "by": "germany", "brp": 40})
    game.do({"do": "report_conquest", "area": "france", "by": "germany", "brp": 40})
    found = promised(game.state, receive_conquest, about="france")
    assert [(it.power, it.of, it.brp) for it in found] == [("germany", OfArea("france"), 40)]
    assert promised(game.state, receive_conquest, about="france", power="italy") == ()
    assert promised(game.state, lose_area, about="france") == ()


def test_a_state_is_read_as_it_was_stored() -> None:
    game = Game.new(options={"forces": "none"})
    game.do({"do": "report_units", "nation": "germany", "unit": "armor 4-6", "at": "Berlin", "count": 2})
    stored = decode(encode(game.state))
    assert stored == game.state != blank()
    assert stored.fingerprint() == game.state.fingerprint()
