"""A grant is followed from one ledger to the other: by land, over the sea, turned back, and while it is under way."""

from __future__ import annotations

from positions import CONVOY, SAILING, game_of
from warcabinet.game import Game
from warcabinet.views.trails import End, Trail, Trails


def trail(g: Game, account: str) -> Trail:
    """Of the last entry of an account."""
    found = Trails(g).of(account, g.ledger(account)[-1])
    assert found is not None
    return found


def told(ends: tuple[End, ...]) -> set[tuple[str, int]]:
    return {(it.account, it.amount) for it in ends}


def test_by_land_the_givers_entry_is_the_receivers() -> None:
    axis = "scenario: classic-1939\nturn: Summer 1942\nplayer: axis\nphase: initial supply determination\n"
    g = game_of(
        axis + "set: {powers.germany.brp: 50, powers.italy.brp: 10}\n",
        {"do": "grant", "power": "germany", "to": "italy", "by": "land", "brp": 7},
    )
    assert told(trail(g, "brp/germany").ends) == {("brp/italy", 7)}
    assert told(trail(g, "brp/italy").ends) == {("brp/germany", -7)}


def test_a_convoy_of_two_leads_to_russia_with_what_befell_it_and_back_to_both() -> None:
    g = game_of(CONVOY, *(command for command, _ in SAILING))
    russia = trail(g, "brp/russia")
    # Eight and twelve sailed; two, one and three hits, and four transports carry all fourteen that are left.
    assert told(russia.ends) == {("brp/britain", -8), ("brp/usa", -12), ("brp/sink/convoys", 6)}
    assert [it.lost for it in russia.between if it.lost] == [2, 1, 3]
    for giver in ("brp/britain", "brp/usa"):
        found = trail(g, giver)
        assert told(found.ends) == {("brp/russia", 14), ("brp/sink/convoys", 6)}
        assert found.between == russia.between
        assert (found.under_way, found.passage) == (0, "")
        # Where the other end says it is, there it is.
        end = next(it for it in found.ends if it.account == "brp/russia")
        assert end.move == g.ledger("brp/russia")[-1].move


def test_what_is_under_way_says_how_much_and_where() -> None:
    g = game_of(CONVOY, *(command for command, _ in SAILING[:5]))
    found = trail(g, "brp/britain")
    assert found.ends == ()
    assert (found.under_way, found.passage) == (8, "brp/sea/murmansk/britain")
    assert [it.lost for it in found.between if it.lost] == [2]


def test_a_convoy_that_turns_back_leads_to_the_givers_own_ledger() -> None:
    aborted = {"do": "report_convoy_attack", "hits": 5, "outcome": "convoy aborts"}
    g = game_of(CONVOY, *(command for command, _ in SAILING[:4]), aborted)
    sent = g.ledger("brp/usa")[-2]
    assert sent.amount == -12
    found = Trails(g).of("brp/usa", sent)
    assert found is not None
    assert told(found.ends) == {("brp/usa", 9), ("brp/sink/convoys", 3)}
    assert told(trail(g, "brp/usa").ends) == {("brp/usa", -12), ("brp/sink/convoys", 3)}


def test_a_second_convoy_is_not_taken_for_the_first() -> None:
    g = game_of(CONVOY, *(command for command, _ in SAILING[:2]), {"do": "let_convoy_pass", "power": "germany"})
    g.advance("post-combat supply determination")
    first = g.ledger("brp/russia")[-1]
    g.do({"do": "grant", "power": "usa", "to": "britain", "by": "atlantic", "brp": 5})
    g.do({"do": "let_grant_pass", "power": "germany"})
    found = Trails(g).of("brp/russia", first)
    assert found is not None
    assert told(found.ends) == {("brp/britain", -8), ("brp/usa", -12)}
    assert told(trail(g, "brp/britain").ends) == {("brp/usa", -5)}
    assert told(trail(g, "brp/sea/atlantic/usa").ends) == {("brp/britain", 5)}


def test_what_no_other_power_has_part_in_has_no_trail() -> None:
    g = game_of(CONVOY, {"do": "report_brp", "power": "usa", "brp": -3, "cause": "other"})
    assert Trails(g).of("brp/usa", g.ledger("brp/usa")[-1]) is None
    assert Trails(g).of("base/usa", g.ledger("base/usa")[-1]) is None
