"""A table opened with seats by power: mine, one for a friend, and the rest left to stewards."""

from __future__ import annotations

from typing import Any

from steps import ask, invitation, join


def test_seats_are_chosen_by_power_and_stewards_keep_the_rest(someone: Any, server: Any) -> None:
    anna = someone()
    anna.goto(server.address + "/")
    anna.fill("#name", "Anna")
    anna.check("input[name=plan][value=axis]")
    assert anna.input_value("#seat-japan") == "me"
    assert anna.input_value("#seat-britain") == "invite"
    anna.select_option("#seat-japan", "invite 2")
    assert anna.is_checked("input[name=plan][value=own]")
    for power in ("usa", "china", "russia"):
        anna.select_option(f"#seat-{power}", "steward")
    assert "2 links to send: Britain, France; Japan" in anna.inner_text("#seats-said")
    anna.click("#new-table button[type=submit]")
    anna.wait_for_selector("body[data-ready=yes]")
    table = anna.get_attribute("body", "data-table")
    seats = {
        it["title"]: it for it in anna.context.request.get(f"{server.address}/api/v1/tables/{table}").json()["seats"]
    }
    assert seats["Germany, Italy"]["people"] == ["Anna"]
    assert seats["Russia, United States, China"]["people"] == []

    ben = someone()
    join(ben, invitation(anna, "seat2"), "Ben")
    assert "Britain, France" in ben.inner_text("#holds")

    anna.goto(server.address + "/")
    row = f"#tables [data-table='{table}']"
    anna.wait_for_selector(f"{row} .minded:has-text('stewards')")
    assert "Ben" in anna.inner_text(row)
    assert anna.get_attribute("#plans-link", "href").endswith("#plans")
    anna.click("#plans-link")
    anna.wait_for_selector("body[data-view=plans][data-ready=yes]")
    minders = anna.context.request.get(f"{server.address}/api/v1/tables/{table}/plans").json()["minders"]
    assert {it["power"] for it in minders if it["minded"]} == {"russia", "usa", "china"}

    # A file that is dropped waits with its name until it is imported, seated as chosen.
    save = anna.context.request.get(f"{server.address}/api/v1/tables/{table}/export").text()
    anna.goto(server.address + "/")
    anna.check("input[name=scenario][value=own]")
    assert anna.is_visible("#own-position")
    anna.set_input_files("#save", {"name": "ours.jsonl", "mimeType": "text/plain", "buffer": save.encode()})
    anna.click("#import button")
    anna.wait_for_selector("body.table[data-ready=yes]")
    assert ask(anna, f"{server.address}/api/v1/tables/{anna.get_attribute('body', 'data-table')}/what-if")["table"]
