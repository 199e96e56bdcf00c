"""The commands of docs/server.md carried out as they stand, with a real nginx and without systemd.

Paths lie below a folder of the test and ports are free ones; `systemctl`, `certbot`, `useradd` and pip are stood in
for, because a test changes nothing of the machine. What the page writes to a file is written by the page's own words.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import httpx

from warcabinet.bench.own_server import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
NO_NGINX = "no nginx here: install Debian's package `nginx`"
NAME = "war.example.org"


def steps(heading: str) -> str:
    """The commands that the page gives after a heading, in their order, up to the next one."""
    _, _, after = PAGE.partition(heading)
    assert after, heading
    (block, *_) = re.findall(r"```console\n(.*?)```", after, re.DOTALL)
    return re.sub(r"^# ", "", str(block), flags=re.MULTILINE)


def written(heading: str) -> dict[str, str]:
    """The files that a block of the page writes, by name."""
    return dict(re.findall(r"cat > (\S+) <<'END'\n(.*?)^END$", steps(heading), re.DOTALL | re.MULTILINE))


#: What Debian's packages bring.
OF_NGINX = (f"etc/nginx/{it}" for it in ("snippets", "sites-available", "sites-enabled", "conf.d"))
FOLDERS = ("srv", "etc/systemd/system", *OF_NGINX)


class Machine:
    """A machine on which the page is followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port, self.behind, self.other = free_port(), free_port(), free_port()
        #: What stands on the page, and what stands for it here.
        self.instead = {
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "listen 8443": f"listen 127.0.0.1:{self.other}",
            ":8443": f":{self.other}",
            "127.0.0.1:8039": f"127.0.0.1:{self.behind}",
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for folder in FOLDERS:
            (root / folder).mkdir(parents=True)
        (root / "etc/nginx/nginx.conf").write_text(
            f"daemon off; pid {root}/nginx.pid; error_log {root}/nginx.log;\nevents {{}}\n"
            f"http {{ access_log off; client_body_temp_path {root}/body; proxy_temp_path {root}/proxy;"
            f" fastcgi_temp_path {root}/f; uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;\n"
            "include conf.d/*.conf; include sites-enabled/*; }\n"
        )

    def end(self) -> None:
        for name in list(self.running):
            self.stop(name)

    def follow(self, heading: str) -> None:
        """Carry out one block, line by line; what is stood in for happens where its line stands."""
        text = re.sub(r"(?<![\w.])/(srv|etc)/", rf"{self.root}/\1/", steps(heading))
        for told, here in self.instead.items():
            text = text.replace(told, here)
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
