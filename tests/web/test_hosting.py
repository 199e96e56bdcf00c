"""docs/server.md leads to a server: its commands are carried out as they stand, with a real nginx and without systemd.

Paths lie below a folder of the test and ports are free ones; `systemctl`, `certbot`, `useradd` and pip are stood in
for, because a test changes nothing of the machine. What the page writes to a file is written by the page's own words.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from warcabinet.bench.own_server import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
NAME = "war.example.org"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the page is about Linux")


def steps(heading: str) -> str:
    """The commands that the page gives after a heading, in their order, up to the next one."""
    _, _, after = PAGE.partition(heading)
    assert after, heading
    (block, *_) = re.findall(r"```console\n(.*?)```", after, re.DOTALL)
    return re.sub(r"^# ", "", str(block), flags=re.MULTILINE)


FIRST = ("## For friends", "**systemd**", "**Reverse proxy and TLS.**", "**Backup.**")


class Machine:
    """A machine on which the page is followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port, self.behind, self.other = free_port(), free_port(), free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for folder in ("etc/systemd/system", "etc/nginx/snippets", "etc/nginx/sites-available", "srv"):
            (root / folder).mkdir(parents=True)
        (root / "etc/nginx/sites-enabled").mkdir()
        (root / "etc/nginx/nginx.conf").write_text(
            f"daemon off; pid {root}/nginx.pid; error_log {root}/nginx.log;\nevents {{}}\n"
            f"http {{ access_log off; client_body_temp_path {root}/body; proxy_temp_path {root}/proxy;"
            f" fastcgi_temp_path {root}/f; uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;\n"
            "include sites-enabled/*; }\n"
        )

    def follow(self, heading: str) -> None:
        """Carry out one block, line by line; what is stood in for happens where its line stands."""
        text = re.sub(r"(?<![\w.])/(srv|etc)/", rf"{self.root}/\1/", steps(heading))
        text = text.replace("listen 443", f"listen 127.0.0.1:{self.port}").replace("8039", str(self.behind))
        text = text.replace("listen 8443", f"listen 127.0.0.1:{self.other}").replace(":8443", f":{self.other}")
        for command in re.findall(r"(?:.*<<'END'\n(?:.*\n)*?END\n|.*\n)", text):
            words = shlex.split(command.partition("\n")[0])
            stand_in = getattr(self, f"_{Path(words[0]).name.replace('-', '_')}", None)
            if stand_in:
                stand_in(*words[1:])
            else:
                subprocess.run(["sh", "-euc", command], check=True)

    # -- what is stood in for

    def _apt_get(self, *words: str) -> None:
        assert words[0] == "install"

    def _useradd(self, *words: str) -> None:
        Path(words[words.index("--home-dir") + 1]).mkdir()

    def _python3(self, *words: str) -> None:
        assert words[:2] == ("-m", "venv")
        (Path(words[2]) / "bin").mkdir(parents=True)

    def _pip(self, *words: str) -> None:
        """The program that is tested, under the name by which the unit starts it."""
        assert words[-1] == "warcabinet"
        where = self.root / "srv/warcabinet/venv/bin/warcabinet"
        where.write_text(f'#!/bin/sh\nexec {sys.executable} -m warcabinet "$@"\n')
        where.chmod(0o755)

    def _install(self, *words: str) -> None:
        """Without the owner, whom only root can name and who is not on this machine."""
        rest = list(words)
        for owner in ("-o", "-g"):
            del rest[rest.index(owner) : rest.index(owner) + 2]
        subprocess.run(["install", *rest], check=True)

    def _certbot(self, *words: str) -> None:
        name = words[words.index("-d") + 1]
        live = self.root / "etc/letsencrypt/live" / name
        live.mkdir(parents=True)
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        make += ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
        make += ["-keyout", str(live / "privkey.pem"), "-out", str(live / "fullchain.pem")]
        subprocess.run(make, check=True, capture_output=True)

    def _systemctl(self, *words: str) -> None:
        what, names = words[0], [it for it in words[1:] if it != "--now"]
        if what == "daemon-reload" or (names and names[0].endswith(".timer")):
            return
        if names == ["nginx"]:
            self.start_nginx()
            return
        (unit,) = names
        if what in ("stop", "restart"):
            self.stop(unit)
        if what in ("enable", "start", "restart"):
            self.start(unit)

    def unit(self, name: str) -> dict[str, str]:
        text = (self.root / f"etc/systemd/system/{name}").read_text()
        return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)

    def start(self, name: str) -> None:
        unit = self.unit(f"{name}.service")
        words = [*shlex.split(unit["ExecStart"]), *(["--port", str(self.behind)] if name == "warcabinet" else [])]
        if unit.get("Type") == "oneshot":
            subprocess.run(words, cwd=self.root, check=True, capture_output=True)
        else:
            self.running[name] = subprocess.Popen(words, cwd=unit["WorkingDirectory"], stderr=subprocess.DEVNULL)

    def stop(self, name: str) -> None:
        process = self.running.pop(name, None)
        if process:
            process.terminate()
            process.wait(30)

    def start_nginx(self) -> None:
        self.stop("nginx")
        assert NGINX is not None
        self.running["nginx"] = subprocess.Popen(
            [NGINX, "-c", str(self.root / "etc/nginx/nginx.conf"), "-e", str(self.root / "nginx.log")]
        )

    # -- who visits it

    def visit(self, origin: str) -> httpx.Client:
        """A browser that knows the certificate and looks for the name on this machine."""
        certificate = self.root / f"etc/letsencrypt/live/{NAME}/fullchain.pem"
        trust = ssl.create_default_context(cafile=str(certificate))
        host = origin.removeprefix("https://")
        _, _, port = host.partition(":")
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{port or self.port}",
            headers={"host": host, "origin": origin},
            verify=trust,
            timeout=20,
            trust_env=False,
        )
        client.event_hooks["request"] = [lambda request: request.extensions.update(sni_hostname=NAME)]
        return client


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    for name in list(made.running):
        made.stop(name)


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


@pytest.mark.skipif(NGINX is None, reason="no nginx here: install Debian's package `nginx`")
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


def written(heading: str) -> dict[str, str]:
    """The files that a block of the page writes, by name."""
    return dict(re.findall(r"cat > (\S+) <<'END'\n(.*?)^END$", steps(heading), re.DOTALL | re.MULTILINE))


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
