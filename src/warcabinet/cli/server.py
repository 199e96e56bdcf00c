"""The table in the browser: `serve`; who lost the way in: `let-in`; from a folder to a database: `rehouse`."""

from __future__ import annotations

import time
from pathlib import Path

import click

from warcabinet.cli.play import json_option
from warcabinet.cli.show import console, print_json
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.hall_database import FILE
from warcabinet.web.hall.rehouse import rehouse as carry_over
from warcabinet.web.plumbing.settings import Settings, read_settings
from warcabinet.web.server.serve import serve as run_server


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("games"))
@click.option("--host", default="127.0.0.1", show_default=True, help="the address to listen on; 0.0.0.0 for friends")
@click.option("--port", default=8039, show_default=True, type=click.IntRange(1, 65535))
@click.option("--open/--no-open", "open_browser", default=False, help="open the page in a browser")
@click.option("--root-path", default="", help="the path under which a reverse proxy serves it, such as /war")
@click.option("--secure", is_flag=True, help="cookies over https only (behind a proxy that speaks it)")
@click.option("--trusted-proxies", default="", help="whose forwarded headers are believed (default: this machine's)")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="a TOML file with limits and quotas")
@click.option("--database", default="", help="hall and games in PostgreSQL: postgresql://user@host/name")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="processes; needs --database")
@click.option("--public-url", default="", envvar="WARCABINET_PUBLIC_URL", help="where it is reached from outside")
@click.option("--smtp", default="", envvar="WARCABINET_SMTP", help="for e-mail: smtp+starttls://user:password@host:587")
@click.option("--mail-from", default="", envvar="WARCABINET_MAIL_FROM", help="the address from which e-mail is sent")
@click.option("--private-webhooks", is_flag=True, help="webhooks may lead into private networks")
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
    public_url: str,
    smtp: str,
    mail_from: str,
    private_webhooks: bool,
) -> None:
    """Serve tables in the browser; FOLDER keeps the games."""
    if folder.exists() and not folder.is_dir():
        raise WarCabinetError(f"{folder} is a file; name a folder for the games")
    named = {"root_path": root_path, "secure": secure, "trusted_proxies": trusted_proxies, "database": database}
    named |= {"public_url": public_url, "smtp": smtp, "mail_from": mail_from, "private_webhooks": private_webhooks}
    given = {name: value for name, value in named.items() if value}
    settings = read_settings(file, data=folder, **given) if file else Settings(folder, **given)  # type: ignore[arg-type]
    run_server(folder, host, port, open_browser, settings=settings, workers=workers)


@click.command("let-in")
@click.argument("folder")
@click.argument("name", default="")
@click.option("--public-url", default="http://localhost:8039", envvar="WARCABINET_PUBLIC_URL", show_default=True)
def let_in(folder: str, name: str, public_url: str) -> None:
    """A link that lets someone back in who lost every browser; FOLDER is the server's, or its database's URL.

    The server may go on running. Without a NAME everybody is listed, with the tables that they host.
    """
    hall = _hall(folder)
    try:
        found = hall.people.called(name)
        if not found:
            raise WarCabinetError(f"nobody here is called {name}")
        if not name or len(found) > 1:
            for person in found:
                hosts = [row.title for row in hall.tables_of(person.id) if row.host == person.id]
                click.echo(f"{person.id}  {person.name}" + (f"  hosts {', '.join(hosts)}" if hosts else ""))
            if name:
                raise WarCabinetError("several people are called so: give the id in place of the name")
            return
        secret = hall.people.new_link(found[0].id, "device", "let in", time.time() + 24 * 3600, 10_000)
        click.echo(f"For a day, once, {found[0].name} is known wherever this is opened:")
        click.echo(f"{public_url.rstrip('/')}/device/{secret}")
    finally:
        hall.close()


def _hall(folder: str) -> Hall:
    if "://" in folder:
        return Hall(folder)
    if not (Path(folder) / FILE).exists():
        raise WarCabinetError(f"{folder} is not the folder of a server: it has no {FILE}")
    return Hall(Path(folder))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--database", required=True, help="an empty PostgreSQL: postgresql://user@host/name")
@json_option
def rehouse(folder: Path, database: str, as_json: bool) -> None:
    """Carry hall and games of a server's FOLDER into an empty PostgreSQL, whole and verified, or not at all.

    The server is stopped meanwhile. The folder stays as a backup; from then on `serve --database` serves the tables.
    """

    def tell(done: int, of: int) -> None:
        if not as_json and (done == of or done % 10 == 0):
            console.print(f"{done} of {of} games")

    went = carry_over(folder, database, tell)
    if as_json:
        print_json(went)
    else:
        console.print(f"{went.tables} tables with {went.moves} moves, and {went.people} people, are in the database.")


COMMANDS = (serve, let_in, rehouse)
