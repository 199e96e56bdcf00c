"""The table in the browser: `warcabinet serve`."""

from __future__ import annotations

from pathlib import Path

import click

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.serve import serve as run_server
from warcabinet.web.settings import Settings, read_settings


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("games"))
@click.option("--host", default="127.0.0.1", show_default=True, help="the address to listen on; 0.0.0.0 for friends")
@click.option("--port", default=8039, show_default=True)
@click.option("--open/--no-open", "open_browser", default=False, help="open the page in a browser")
@click.option("--root-path", default="", help="the path under which a reverse proxy serves it, such as /war")
@click.option("--secure", is_flag=True, help="cookies over https only (behind a proxy that speaks it)")
@click.option("--trusted-proxies", default="", help="whose forwarded headers are believed (default: this machine's)")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="a TOML file with limits and quotas")
@click.option("--database", default="", help="hall and games in PostgreSQL: postgresql://user@host/name")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="processes; needs --database")
def serve(
    folder: Path,
    host: str,
    port: int,
    open_browser: bool,
    root_path: str,
    secure: bool,
    trusted_proxies: str,
    file: Path | None,
    database: str,
    workers: int,
) -> None:
    """Serve tables in the browser; FOLDER keeps the games."""
    if folder.exists() and not folder.is_dir():
        raise WarCabinetError(f"{folder} is a file; name a folder for the games")
    named = {"root_path": root_path, "secure": secure, "trusted_proxies": trusted_proxies, "database": database}
    given = {name: value for name, value in named.items() if value}
    settings = read_settings(file, data=folder, **given) if file else Settings(folder, **given)  # type: ignore[arg-type]
    run_server(folder, host, port, open_browser, settings=settings, workers=workers)


COMMANDS = (serve,)
