"""Whoever must decide is told: by e-mail and webhook, in digests, and never at the cost of a move."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks import ROLL
from receivers import Box, mail_server, receiver
from starlette.testclient import TestClient

from conftest import ALLIES, AXIS, Player, plenty
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.plumbing import webhook
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app

MINUTE = 60.0
SIDES = [{"title": "Axis", "powers": AXIS, "mine": True}, {"title": "Allies", "powers": ALLIES, "mine": False}]


@pytest.fixture
def mails() -> Iterator[Box]:
    with mail_server() as box:
        yield box


@pytest.fixture
def hooks() -> Iterator[Box]:
    with receiver() as box:
        yield box


@pytest.fixture
def settings(tmp_path: Path, mails: Box) -> Settings:
    more = {"smtp": mails.address, "mail_from": "table@example.org", "public_url": "https://war.example.org"}
    return plenty(tmp_path / "data", private_webhooks=True, **more)


@pytest.fixture
def app(settings: Settings) -> Any:
    """Without the threads: each test says when the herald looks and sends."""
    return create_app(settings)


def told(player: Player, after: float = 5 * MINUTE) -> int:
    """Let the herald look round now, and send what is due so much later."""
    herald = player.client.app.state.server.herald
    herald.look()
    return int(herald.send(time.time() + after))


def with_mail(player: Player, mails: Box, address: str = "ben@example.org") -> Player:
    """Give an address, send the test, and open the link in it."""
    assert player.call("PUT", "/me/notices", mail={"address": address}).status_code == 200
    assert player.call("POST", "/me/notices/test", way="mail").json()["done"]
    link = re.search(r"/notices/confirm/(\S+)", mails.got.pop().get_content())
    assert link is not None
    assert player.call("POST", "/notices/confirm", secret=link[1]).status_code == 200
    return player


def hand_over(axis: Player) -> None:
    assert axis.post("/advance", to="Fall 1939, Allied").status_code == 200


def test_a_mail_tells_whose_move_it_is_and_where(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    told(axis)
    assert mails.got == []  # it is not their move yet
    hand_over(axis)
    told(axis)
    (mail,) = mails.got
    assert mail["to"] == "ben@example.org"
    assert mail["subject"] == "Your turn: A game, Fall 1939, Allied, start of player turn"
    text = mail.get_content()
    assert f"https://war.example.org/tables/{axis.table}" in text
    assert "must mobilize now: Britain" in text.replace("Must", "must")
    told(axis, 60 * MINUTE)
    assert len(mails.got) == 1  # told once


def test_nobody_writes_to_an_address_whose_reader_did_not_agree(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    refused = allies.call("PUT", "/me/notices", mail={"address": "victim@example.org", "on": True})
    assert refused.status_code == 409
    assert allies.call("PUT", "/me/notices", mail={"address": "victim@example.org"}).status_code == 200
    hand_over(axis)
    told(axis)
    assert mails.got == []
    with_mail(allies, mails)
    # The link of one address does not agree for another.
    allies.call("PUT", "/me/notices", mail={"address": "one@example.org"})
    allies.call("POST", "/me/notices/test", way="mail")
    link = re.search(r"/notices/confirm/(\S+)", mails.got.pop().get_content())
    allies.call("PUT", "/me/notices", mail={"address": "victim@example.org"})
    assert link is not None
    assert allies.call("POST", "/notices/confirm", secret=link[1]).status_code == 404
    for address in ("nobody", "a@b\r\nBcc: x@example.org", "a b@example.org", "<a@example.org>"):
        assert allies.call("PUT", "/me/notices", mail={"address": address}).status_code == 400, address


def test_tests_are_few(two: tuple[Player, Player], mails: Box) -> None:
    _, allies = two
    allies.call("PUT", "/me/notices", mail={"address": "victim@example.org"})
    codes = [allies.call("POST", "/me/notices/test", way="mail").status_code for _ in range(9)]
    assert codes.count(200) == 6
    assert codes[-1] == 429


def test_several_turns_are_one_message(person: Callable[[str], Player], mails: Box) -> None:
    ben = person("Ben")
    for n in range(3):
        axis = person(f"Ada {n}").create(seats=SIDES).mobilize("italy", "japan")
        ben.join(axis.invite("seat2"))
        if not n:
            with_mail(ben, mails)
        hand_over(axis)
        axis.client.app.state.server.herald.look()
    assert told(axis, 30.0) == 0  # the window is still open
    assert told(axis) == 1
    (mail,) = mails.got
    assert mail["subject"] == "3 tables wait for you"
    assert mail.get_content().count("https://war.example.org/tables/") == 3


def test_at_most_one_mail_in_so_many_minutes(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    every = allies.call("PUT", "/me/notices", mail={"address": "ben@example.org", "on": True, "every": 1}).json()
    assert every["mail"]["every"] == 10  # the server's least
    hand_over(axis)
    told(axis)
    herald = axis.client.app.state.server.herald
    axis.post("/undo")
    allies.post("/consent", agree=True)
    herald.look()
    hand_over(axis)
    herald.look()
    now = time.time()
    assert herald.send(now + 9 * MINUTE) == 0
    assert herald.send(now + 16 * MINUTE) == 1
    assert len(mails.got) == 2


def test_who_is_at_the_table_gets_none(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    hand_over(axis)
    allies.call("PUT", f"/tables/{axis.table}/looked", line=0)
    told(axis)
    assert mails.got == []


def test_who_has_moved_already_is_not_told_any_more(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    hand_over(axis)
    axis.client.app.state.server.herald.look()
    allies.mobilize("britain")
    assert allies.post("/advance", to="end of player turn").status_code == 200
    assert allies.post("/advance").status_code == 200
    assert axis.get().json()["position"]["clock"]["part"] == "axis"
    told(axis)
    assert mails.got == []


def test_an_undo_that_asks_for_consent_is_told(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    axis.do(**ROLL)
    assert axis.post("/undo").json()["asked"]
    told(axis)
    assert "asks to undo the last move" in mails.got[0].get_content()


def test_the_link_in_every_mail_stops_them(two: tuple[Player, Player], mails: Box, app: Any) -> None:
    axis, allies = two
    with_mail(allies, mails)
    hand_over(axis)
    told(axis)
    stop = mails.got[0]["list-unsubscribe"].strip("<>")
    assert mails.got[0]["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    path = stop.removeprefix("https://war.example.org")
    stranger = TestClient(app)
    assert stranger.get(path).status_code == 200  # looking at it does nothing
    assert allies.call("GET", "/me/notices").json()["mail"]["on"]
    assert stranger.post("/notices/stop/" + "0" * 16 + "-" + "0" * 32).status_code == 404
    assert stranger.post(path).status_code == 200
    assert not allies.call("GET", "/me/notices").json()["mail"]["on"]


def test_a_failing_mail_server_is_tried_again_and_given_up(two: tuple[Player, Player], mails: Box) -> None:
    axis, allies = two
    with_mail(allies, mails)
    hand_over(axis)
    herald = axis.client.app.state.server.herald
    herald.look()
    mails.answers = ["451 later"] * 5
    now, tries = time.time() + 2 * MINUTE, 0
    for minute in range(0, 400, 1):
        tries += int(herald.send(now + minute * MINUTE))
    assert tries == 5
    assert mails.answers == []
    assert mails.got == []
    assert "could not take it" in allies.call("GET", "/me/notices").json()["mail_state"]["trouble"]


def test_a_mail_server_that_hangs_holds_up_no_move(tmp_path: Path) -> None:
    """The server accepts and says nothing; moves go on while the herald waits for it."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as dead:
        address = f"smtp://127.0.0.1:{dead.getsockname()[1]}"
        more = {"smtp": address, "mail_from": "t@example.org", "digest_seconds": 0.0, "notice_seconds": 30.0}
        app = create_app(plenty(tmp_path / "data", **more))
        with TestClient(app):
            axis = Player(app, "Ada").create(seats=SIDES).mobilize("italy", "japan")
            ben = Player(app, "Ben").join(axis.invite("seat2"))
            hall = app.state.server.hall
            ben.call("PUT", "/me/notices", mail={"address": "ben@example.org"})
            (person,) = [it.id for it in hall.sitters(axis.table)["seat2"]]
            hall.notices.change_way(person, "mail", on=True, confirmed=1.0)
            hand_over(axis)
            dead.settimeout(20)
            taken, _ = dead.accept()  # the mail is under way now
            with taken:
                assert any(thread.name.startswith("sender") for thread in threading.enumerate())
                ben.mobilize("britain")
                assert ben.post("/advance").status_code == 200


@pytest.mark.parametrize(("form", "words"), [("json", "text"), ("slack", "text"), ("discord", "content")])
def test_a_webhook_gets_what_its_service_takes(two: tuple[Player, Player], hooks: Box, form: str, words: str) -> None:
    axis, allies = two
    wish = {"address": hooks.address, "form": form, "on": True}
    assert allies.call("PUT", "/me/notices", webhook=wish).status_code == 200
    assert allies.call("POST", "/me/notices/test", way="webhook").json()["done"]
    hand_over(axis)
    told(axis)
    test, turn = hooks.got
    assert "this is a test" in test[words]
    assert "Fall 1939, Allied" in turn[words]
    if form == "json":
        assert turn["event"] == "your_turn"
        assert turn["tables"][0]["table"] == axis.table
        assert turn["tables"][0]["seat"] == "Allies"
    else:
        assert set(turn) <= {words, "allowed_mentions"}


def test_names_that_players_chose_call_nobody() -> None:
    assert webhook.dressed("slack", "<!channel> & <@U1>", {}) == {"text": "&lt;!channel&gt; &amp; &lt;@U1&gt;"}
    assert webhook.dressed("discord", "@everyone", {})["allowed_mentions"] == {"parse": []}


def test_a_webhook_is_tried_again_but_not_followed_elsewhere(two: tuple[Player, Player], hooks: Box) -> None:
    axis, allies = two
    allies.call("PUT", "/me/notices", webhook={"address": hooks.address, "on": True})
    hooks.answers = [302, 500]
    hand_over(axis)
    herald = axis.client.app.state.server.herald
    herald.look()
    now = time.time() + 2 * MINUTE
    herald.send(now)
    assert "answered 302" in allies.call("GET", "/me/notices").json()["webhook_state"]["trouble"]
    herald.send(now + 2 * MINUTE)
    assert hooks.got == []
    herald.send(now + 10 * MINUTE)
    assert len(hooks.got) == 1
    assert allies.call("GET", "/me/notices").json()["webhook_state"]["trouble"] == ""


INSIDE = (
    "https://127.0.0.1/x",
    "https://localhost:8039/x",
    "https://10.1.2.3/x",
    "https://192.168.0.1/x",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x",
    "https://[fd00::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[64:ff9b::7f00:1]/x",
    "https://[2002:7f00:1::]/x",
    "https://0.0.0.0/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://100.64.0.1/x",
)


@pytest.mark.parametrize("url", INSIDE)
def test_a_webhook_does_not_reach_into_private_networks(url: str) -> None:
    with pytest.raises(webhook.NotSent, match=r"private network"):
        webhook.deliver(url, {}, private=False, seconds=0.2)


def test_a_name_that_changes_its_meaning_gains_nothing(hooks: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked at first it is outside, connected to it would be inside: it is resolved once."""
    import socket

    asked = []
    port = int(hooks.address.split(":")[2].split("/")[0])

    def resolve(host: str, at: int, *args: Any, **more: Any) -> list[Any]:
        asked.append(host)
        address = "203.0.113.9" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, at))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(webhook.NotSent):
        webhook.deliver(f"https://rebind.example:{port}/", {}, private=False, seconds=0.2)
    assert hooks.got == []
    assert len(asked) == 1


NO_ADDRESS = (
    *("ftp://x.org/", "https://a:b@x.org/", "http://x.org/", "https:///x", "https://x.org/ y"),
    *("https://x.org:0/", "https://x.org:99999/", "file:///etc/passwd"),
)


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address_of_a_webhook_is_refused(url: str) -> None:
    with pytest.raises(webhook.NotSent):
        webhook.checked(url, private=False)


def test_settings_that_cannot_work_are_said_at_the_start(tmp_path: Path) -> None:
    for more in ({"smtp": "localhost:25", "mail_from": "a@b.org"}, {"smtp": "smtp://localhost", "mail_from": ""}):
        with pytest.raises(WarCabinetError, match=r"smtp|mail_from"):
            create_app(plenty(tmp_path / "data", **more))


def test_two_processes_send_one_message(two: tuple[Player, Player], hooks: Box) -> None:
    """The second finds it taken in hand."""
    axis, allies = two
    allies.call("PUT", "/me/notices", webhook={"address": hooks.address, "on": True})
    hand_over(axis)
    server = axis.client.app.state.server
    server.herald.look()
    now = time.time() + 2 * MINUTE
    (way,) = server.hall.notices.due(now, 0.0)
    assert server.hall.notices.take_in_hand(way, now)
    assert not server.hall.notices.take_in_hand(way, now)
    assert server.hall.notices.due(now, 0.0) == []
    assert server.hall.notices.due(now + 3 * MINUTE, 0.0) != []  # the first one died with it


def test_the_view_says_whose_move_it_is(two: tuple[Player, Player]) -> None:
    axis, allies = two
    assert [(it["seat"], it["mine"]) for it in axis.get().json()["waiting"]] == [("seat1", True)]
    assert [(it["seat"], it["mine"]) for it in allies.get().json()["waiting"]] == [("seat1", False)]
    hand_over(axis)
    assert [(it["seat"], it["mine"]) for it in allies.get().json()["waiting"]] == [("seat2", True)]


def test_a_standing_order_that_stops_is_told_as_a_turn_is(two: tuple[Player, Player], hooks: Box, mails: Box) -> None:
    """Who left a power to an order is told by every way when it stops, and not when it only acts."""
    axis, allies = two
    with_mail(allies, mails)
    wish = {"address": hooks.address, "form": "json", "on": True, "every": 0}
    assert allies.call("PUT", "/me/notices", webhook=wish).status_code == 200
    order = "{each: 'Allied, combat', do: spend, power: france, brp: 900, 'on': other}"
    dear = f"plan: Dear\nuntil: Winter 1945\norders:\n  - {order}\n"
    for power in ALLIES:
        text = dear if power == "france" else ""
        left = allies.call("PUT", f"/tables/{allies.table}/minders/{power}", text=text, mode="act")
        assert left.status_code == 200, left.text
    told(axis)
    assert (mails.got, hooks.got) == ([], [])
    hand_over(axis)
    told(axis)
    (mail,) = mails.got
    assert "The standing order of France stops: " in mail.get_content()
    assert "39.22" in mail.get_content()
    assert len(hooks.got) == 1
    assert [it["kind"] for it in allies.get().json()["waiting"]] == ["stopped"]
    assert told(axis, after=10 * MINUTE) == 0
