"""Folders as earlier releases left them, games under way in them: `warcabinet serve` takes them up, and play goes on.

`folder-0.1.0` was written by the server of that release: three tables, of which one waits for consent to an undo.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import FIXTURES, ROLL, settings_of
from starlette.testclient import TestClient

from warcabinet import __version__
from warcabinet.bench.own_server import served
from warcabinet.store import examine, open_game
from warcabinet.web.server.app import create_app

CAMPAIGN, ALONE, COPY = "c77442bc4e", "6aa881f532", "aaeecaf17f"
ADA = {"warcabinet": "TAYIto6MBCHkE3gslMRmauosLKXtwK3m"}
BEN = {"warcabinet": "UKdNZXxyXqY4Xy32mGnzmrheBkxYAsJA"}
EVE = {"warcabinet": "FUnq_yjylsO3PVpNRi3yAY8L3vR-S9L7"}
TOKEN = {"authorization": "Bearer wct_Prf34mMgg4BXev3gdxNoqedjUxkHDJKT"}
BENCH = "8JluDgLyOdot5YApYE1z_KQ8xBL7gr7I"
SPEND = {"do": "spend", "power": "germany", "brp": 4, "on": "other"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "folder-0.1.0", tmp_path / "data"))


def levels(file: Path) -> list[Any]:
    game = open_game(file)
    return [game.head.id, *(game.figure(f"powers.{power}.brp") for power in ("germany", "britain", "italy", "russia"))]


def test_people_of_0_1_0_are_still_signed_in_and_play_on(data: Path) -> None:
    app = create_app(settings_of(data))
    at = f"/api/v1/tables/{CAMPAIGN}"
    ada, ben, eve = (TestClient(app, cookies=cookie) for cookie in (ADA, BEN, EVE))
    bot = TestClient(app, headers=TOKEN)
    assert [who.get(at).json()["head"] for who in (ada, ben, eve, bot)] == [6, 6, 6, 6]
    assert ada.get(f"{at}/notes").json()["text"] == "Poland first"
    assert "only for you" in ben.get(f"{at}/talk").text
    assert "only for you" not in eve.get(f"{at}/talk").text
    # The undo that waited for consent still does, and Ben gives it.
    assert ben.post(f"{at}/consent", json={"agree": True}).json()["done"]
    # Its rules stay until both who play agree to those of this release.
    refused = ada.post(f"{at}/do", json=SPEND)
    assert (refused.status_code, refused.json()["rules"]) == (409, True)
    assert ada.get(f"{at}/rules").json()["table"] == "0.1.0"
    assert not ada.post(f"{at}/rules/agree", json={}).json()["done"]
    assert ben.post(f"{at}/rules/agree", json={}).json()["done"]
    assert ada.get(f"{at}/rules").json()["table"] == __version__
    assert ada.post(f"{at}/do", json=SPEND).json()["head"] == 8
    came = {"do": "report_brp", "power": "britain", "brp": 4, "cause": "other"}
    assert bot.post(f"{at}/do", json=came).json()["head"] == 9
    # Dice are sealed from the first throw of the new server on.
    assert ada.post(f"{at}/do", json=ROLL).json()["head"] == 10
    assert ada.get(f"{at}/dice").json()[-1]["first"] > 6
    joined = TestClient(app).post("/api/v1/join", json={"invitation": BENCH, "name": "Fay"})
    assert joined.status_code == 200, joined.text
    app.state.server.tables.close()
    assert levels(data / "games" / f"{CAMPAIGN}.wcg") == [10, 136, 124, 75, 140]
    assert examine(data / "games" / f"{CAMPAIGN}.wcg").ok


def test_the_server_of_today_serves_a_folder_of_0_1_0(data: Path, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        eve = httpx.Client(base_url=f"{server.base}/api/v1", cookies=EVE, timeout=60)
        assert {it["table"] for it in eve.get("/tables").json()} == {CAMPAIGN, ALONE, COPY}
        at = f"/tables/{ALONE}"
        assert len(eve.get(f"{at}/rules").json()["differences"]) > 0
        assert eve.post(f"{at}/rules/agree", json={}).json()["done"]
        gone_on = eve.post(f"{at}/advance", json={"to": ""})
        assert gone_on.status_code == 200, gone_on.text
        assert eve.post(f"{at}/undo", json={}).json()["done"]
        assert eve.get(f"/tables/{COPY}").json()["head"] == 2
    head, *brps = levels(data / "games" / f"{ALONE}.wcg")
    assert (head > 34, brps) == (True, [168, 130, 75, 140])
    assert all(examine(file).ok for file in (data / "games").glob("*.wcg"))


def test_a_folder_of_0_1_0_is_taken_up_once(data: Path) -> None:
    for _ in range(2):
        app = create_app(settings_of(data))
        ada = TestClient(app, cookies=ADA)
        assert ada.get(f"/api/v1/tables/{CAMPAIGN}/rules").json()["table"] == "0.1.0"
        opened = app.state.server
        for it in (opened.tables, opened.hall, opened.folder):
            it.close()
