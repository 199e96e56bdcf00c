"""What whoever runs the server can choose, all of it. The defaults are for a server that strangers can reach.

`warcabinet serve --settings FILE` reads them from a TOML file by the same names.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError

MB = 1024 * 1024


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where games are kept, how it is reached, and how much one client may ask for."""

    data: Path
    #: Hall and games in PostgreSQL instead of files in the data folder.
    database: str = ""
    root_path: str = ""
    #: Cookies only over https: set it when the server stands behind a proxy that speaks https.
    secure: bool = False
    #: Addresses of proxies whose forwarded headers are believed.
    trusted_proxies: str = "127.0.0.1"
    #: Addresses that may read /metrics.
    metrics_from: str = "127.0.0.1 ::1"

    # -- telling people that it is their turn
    #: Where the server is reached from outside, such as https://war.example.org: links in messages begin with it.
    public_url: str = ""
    #: smtp://host:25, smtps://user:password@host, smtp+starttls://user:password@host:587; empty: no e-mail.
    smtp: str = ""
    mail_from: str = ""
    #: Seconds in which several turns become one message.
    digest_seconds: float = 60.0
    #: At most one e-mail to a person in so many minutes, whatever they wish.
    mail_minutes: float = 10.0
    #: Whether webhooks may lead to this machine and to private networks.
    private_webhooks: bool = False
    #: Seconds that a mail server or a webhook may take.
    notice_seconds: float = 10.0

    # -- a request
    body_limit: int = 64 * 1024
    #: The same for a position, as a file or on the desk of the set-up editor.
    position_limit: int = 512 * 1024
    #: Seconds in which a request must have arrived, head and body.
    request_seconds: float = 20.0
    #: Requests that a client may make a second in the long run, and at once after a pause.
    rate: float = 40.0
    burst: int = 400
    #: Seconds of the processor that one person's requests may take in a minute; after a pause four times that.
    share_seconds: float = 30.0
    #: Seconds of a processor for one page about a long game, in a process of its own with the memory of an import.
    page_seconds: float = 30.0
    #: Connections of one address; a trusted proxy's are everybody's.
    connections_per_address: int = 200
    #: Lines of log a second, those of a traceback as well; what is more is counted and said in one line.
    log_lines: int = 100

    # -- an import
    import_limit: int = 16 * MB
    import_moves: int = 20_000
    import_seconds: float = 30.0
    import_memory: int = 1024 * MB
    imports_at_once: int = 1

    # -- tables and people
    #: Tables, imports, demonstrations and copies that one address may make in an hour.
    tables_per_hour: int = 30
    tables_per_person: int = 40
    tables_on_server: int = 2000
    #: No new table where less than this is free on the disk.
    free_disk: int = 512 * MB
    #: Days that a deleted table can be called back.
    days_to_change_mind: float = 7.0
    spectators_per_table: int = 200
    links_per_table: int = 60
    tokens_per_person: int = 20
    devices_per_person: int = 20
    #: How long a link for another browser can be used.
    device_link_minutes: float = 10.0
    #: Lines that one person may say in a minute.
    talk_per_minute: int = 30

    # -- plans
    #: Futures in one run of a plan, seconds that it may take, and runs at once on the server; each takes a core.
    futures_per_run: int = 2_000
    run_seconds: float = 900.0
    runs_at_once: int = 2
    #: Seconds of a processor for reading one long plan, in a process of its own with the memory of an import.
    plan_seconds: float = 10.0

    #: Seconds in a minute that stewards and standing orders may take at all tables of one host.
    steward_seconds: float = 20.0

    # -- what is open at once
    #: Games that are kept open in memory; others are opened again when someone asks.
    tables_open: int = 256
    listeners_per_table: int = 200
    #: Streams of one person at one table: so many windows.
    listeners_per_person: int = 8
    listeners_on_server: int = 2000

    @property
    def proxies(self) -> frozenset[str]:
        """The addresses that are everybody's."""
        return frozenset(it.strip() for it in self.trusted_proxies.split(","))


def settings_from(told: dict[str, Any]) -> Settings:
    return msgspec.convert(told, Settings, dec_hook=lambda kind, given: kind(given))


def read_settings(file: Path, **given: Any) -> Settings:
    """Settings from a TOML file; what the command line gives goes first."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        return settings_from({**told, **given})
    except OSError as error:
        raise WarCabinetError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise WarCabinetError(f"{file}: {error}") from None
