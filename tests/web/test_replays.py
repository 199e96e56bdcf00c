"""Replays for people outside: only where the table allows it, to be read only, without what is anybody's own."""

from __future__ import annotations

from typing import Any


def test_an_outsider_reads_a_replay_where_the_table_allows_it(two: Any, person: Any) -> None:
    axis, allies = two
    axis.do(do="spend", power="germany", brp=7, on="other")
    axis.post("/talk", text="a word among us")
    assert allies.post("/replays", since=0).status_code == 403
    assert allies.call("PUT", f"/tables/{axis.table}/watching", on=True).status_code == 403
    assert axis.call("PUT", f"/tables/{axis.table}/watching", on=True).status_code == 200
    assert axis.get().json()["watching"]
    link = allies.post("/replays", since=0).json()["link"]
    assert axis.post("/replays", since=0).json()["link"] != link  # each knows who made it
    assert allies.post("/replays", since=0).json()["link"] == link
    stranger = person("Eve").client
    page = stranger.get(link)
    assert page.status_code == 200
    assert "7 BRPs" in page.text
    assert "a word among us" not in page.text
    assert stranger.get(f"{link}x").status_code == 404
    # What comes later is not in it; taken back, no link opens any more.
    axis.do(do="spend", power="germany", brp=11, on="other")
    assert "11 BRPs" not in stranger.get(link).text
    axis.call("PUT", f"/tables/{axis.table}/watching", on=False)
    assert stranger.get(link).status_code == 404
