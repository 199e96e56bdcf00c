"""What whoever runs the server can choose."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Settings(msgspec.Struct, frozen=True):
    """Where games are kept, how it is reached, and how much one client may ask for."""

    data: Path
    root_path: str = ""
    #: Cookies only over https: set it when the server stands behind a proxy that speaks https.
    secure: bool = False
    #: Addresses of proxies whose forwarded headers are believed.
    trusted_proxies: str = "127.0.0.1"
    body_limit: int = 64 * 1024
    import_limit: int = 32 * 1024 * 1024
    #: Requests that a client may make a second in the long run, and at once after a pause.
    rate: float = 40.0
    burst: int = 400
    #: Games that are kept open in memory; others are opened again when someone asks.
    tables_open: int = 256
    listeners_per_table: int = 200
    tables_per_person: int = 200
