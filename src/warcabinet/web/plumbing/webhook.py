"""Post a message to an address that a person gave: out into the world, and never back into the server's own network.

The name is resolved once and every address it stands for is looked at; the connection goes to the address that was
looked at, so that a name which changes its meaning in between gains nothing. Redirections are not followed.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

import msgspec

from warcabinet.kernel.errors import WarCabinetError

Form = Literal["json", "slack", "discord"]
#: What an answer may hold before we stop reading.
MOST = 16 * 1024


class NotSent(WarCabinetError):
    """A message could not be delivered, and why."""


def checked(url: str, private: bool) -> SplitResult:
    """An address that a webhook may have: http or https, a host, nobody's name and password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotSent("this is no address of a webhook") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or not url.isascii():
        raise NotSent("a webhook's address begins with https:// and names a host")
    if any(c.isspace() or not c.isprintable() for c in url):
        raise NotSent("this is no address of a webhook")
    if parts.username or parts.password:
        raise NotSent("leave name and password out of a webhook's address")
    if parts.scheme == "http" and not private:
        raise NotSent("a webhook's address begins with https://")
    return parts


def _addresses(host: str, port: int, private: bool) -> list[tuple[Any, ...]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotSent(f"there is no host called {host}") from None
    if not private and not all(_outside(str(it[4][0])) for it in found):
        raise NotSent(f"{host} lies in a private network; this server does not post there")
    return list(found)


def _outside(address: str) -> bool:
    """Whether an address is of the world outside; those that wrap another are judged by it."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        # 64:ff9b::/96 leads to the address in its last four bytes, through the network's own gate.
        gate = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in ipaddress.ip_network("64:ff9b::/96") else None
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or gate
        if inner is not None:
            return _outside(str(inner))
    site = isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local  # fec0::/10, private before there was fc00::/7
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not site


class _Plain(http.client.HTTPConnection):
    """A connection to an address that was looked at, whatever the host's name means by then."""

    def __init__(self, host: str, port: int, found: tuple[Any, ...], timeout: float, tls: bool) -> None:
        super().__init__(host, port, timeout=timeout)
        self._found, self._tls = found, tls

    def connect(self) -> None:
        family, kind, proto, _, address = self._found
        self.sock = socket.socket(family, kind, proto)
        self.sock.settimeout(self.timeout)
        self.sock.connect(address)
        if self._tls:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def deliver(url: str, body: Any, *, private: bool, seconds: float) -> None:
    """Post a message; whatever goes wrong is said in a line that a person can use."""
    parts = checked(url, private)
    tls = parts.scheme == "https"
    host, port = str(parts.hostname), parts.port or (443 if tls else 80)
    found = _addresses(host, port, private)[0]
    line = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _Plain(host, port, found, seconds, tls)
    # Whoever answers a byte at a time is let go as well.
    late = threading.Timer(3 * seconds, connection.cut)
    late.daemon = True
    late.start()
    try:
        headers = {"content-type": "application/json", "user-agent": "warcabinet", "connection": "close"}
        connection.request("POST", line, msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        answer.read(MOST)
        status = answer.status
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotSent(f"{host} could not be reached ({type(error).__name__})") from None
    finally:
        late.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise NotSent(f"{host} answered {status}")


def dressed(form: Form, text: str, data: dict[str, Any]) -> dict[str, Any]:
    """A message as its receiver takes it; names that players chose call nobody and lead nowhere."""
    if form == "slack":
        return {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")[:4000]}
    if form == "discord":
        return {"content": text[:1900], "allowed_mentions": {"parse": []}}
    return {"event": "your_turn", "text": text, **data}
