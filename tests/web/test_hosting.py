"""docs/server.md leads to a server: behind nginx on 443, on another port and under a path; backed up and restored."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hosting import NAME, NGINX, NO_NGINX, ROOT, Machine, steps, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the page is about Linux")
FIRST = ("## For friends", "**systemd**", "**Reverse proxy and TLS.**", "**Backup.**")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.end()


def answered(client: httpx.Client, path: str) -> httpx.Response:
    until = time.monotonic() + 60
    while True:
        try:
            answer = client.get(path)
            if answer.status_code < 500:
                return answer
        except httpx.HTTPError:
            pass
        assert time.monotonic() < until, "no answer for a minute"
        time.sleep(0.05)


def plays(client: httpx.Client, base: str) -> str:
    """A table is made, its page and what that needs are there, an order is heard of at once."""
    api = f"{base}/api/v1"
    made = client.post(f"{api}/tables", json={"title": "A", "name": "Ada"})
    assert made.status_code == 201, made.text
    assert "secure" in made.headers["set-cookie"].lower()
    table, at = made.json()["table"], f"{api}/tables/{made.json()['table']}"
    assert made.json()["url"] == f"{base}/tables/{table}"
    page = client.get(made.json()["url"])
    needed = re.findall(r'(?:src|href)="([^"#]+\.(?:js|css))"', page.text)
    assert needed
    assert [client.get(it).status_code for it in needed] == [200] * len(needed)
    with client.stream("GET", f"{at}/events") as stream:
        lines = stream.iter_lines()
        while next(lines) != "event: hello":
            pass
        began = time.monotonic()
        assert client.post(f"{at}/do", json={"do": "roll", "purpose": "weather"}).status_code == 200
        while next(lines) != "event: move":
            pass
        assert time.monotonic() - began < 5, "what is buffered comes when the stream ends"
        assert json.loads(next(lines).removeprefix("data: "))["id"] == 2
    assert client.get(f"{base}/metrics").status_code == 404
    return str(table)


@pytest.mark.skipif(NGINX is None, reason=NO_NGINX)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here: install Debian's package `openssl`")
def test_the_page_leads_to_a_server_behind_nginx_that_is_backed_up_restored_and_upgraded(machine: Machine) -> None:
    for heading in FIRST:
        machine.follow(heading)
    with machine.visit(f"https://{NAME}") as ada:
        assert answered(ada, "/health").json()["status"] == "ok"
        table = plays(ada, "")
        at = f"/api/v1/tables/{table}"
        machine.start("warcabinet-backup")
        assert ada.post(f"{at}/talk", json={"text": "after the backup"}).status_code == 201
        machine.follow("**Restore.**")
        assert answered(ada, at).json()["head"] == 2
        assert "after the backup" not in ada.get(f"{at}/talk").text
        time.sleep(1)  # so that the next backup has another name
        machine.follow("**Upgrade.**")
        assert answered(ada, at).json()["head"] == 2
        assert len(list((machine.root / "srv/warcabinet/backup").iterdir())) == 2
    machine.follow("*On another port*")
    with machine.visit(f"https://{NAME}:{machine.other}") as ben:
        answered(ben, "/health")
        plays(ben, "")
    machine.follow("*Under a path*")
    with machine.visit(f"https://{NAME}:{machine.other}") as eve:
        answered(eve, "/war/health")
        plays(eve, "/war")
        assert eve.get("/health").status_code == 404


def test_the_units_are_such_as_systemd_takes(tmp_path: Path) -> None:
    units = {Path(it).name: text for heading in ("**systemd**", "**Backup.**") for it, text in written(heading).items()}
    assert set(units) == {"warcabinet.service", "warcabinet-backup.service", "warcabinet-backup.timer"}
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("no systemd here: its units are not verified")
    program = tmp_path / "srv/warcabinet/venv/bin/warcabinet"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    for name, text in units.items():
        (tmp_path / name).write_text(text.replace("/srv/", f"{tmp_path}/srv/"))
    verify = [analyze, "verify", "--man=no", *(str(tmp_path / name) for name in units)]
    done = subprocess.run(verify, capture_output=True, text=True, check=False, timeout=60)
    assert [line for line in done.stderr.splitlines() if "warcabinet" in line] == []
    calendar = [analyze, "calendar", re.findall("OnCalendar=(.*)", units["warcabinet-backup.timer"])[0]]
    assert subprocess.run(calendar, capture_output=True, check=False, timeout=60).returncode == 0


def test_the_container_takes_the_steps_of_the_page() -> None:
    file = (ROOT / "Containerfile").read_text(encoding="utf-8")
    taken = [
        re.sub(r' --no-cache-dir "/source\[postgres\]" && .*', " warcabinet", it) for it in re.findall("RUN (.*)", file)
    ]
    page = steps("## For friends").splitlines()
    assert "apt-get install" in taken[0]
    assert taken[1:] == [it for it in page if it.startswith(("useradd", "python3", "/srv", "install -d"))]
    (command,) = re.findall("CMD (.*)", file)
    unit = written("**systemd**")["/etc/systemd/system/warcabinet.service"]
    assert json.loads(command) == re.findall("ExecStart=(.*)", unit)[0].split()
    (user,) = re.findall("USER (.*)", file)
    assert f"User={user}\n" in unit
    # What is nobody else's to read is given to the image's user.
    mounted = re.findall(r"--volume \S+:(\S+)", steps("**In a container.**"))
    assert [it.split(",")[-1] for it in mounted] == ["U"] * 3
