"""Two hosts on one database behind one nginx: restarted by turns under load, nothing is lost and no page goes stale."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hosting import NGINX, NO_NGINX, Machine, written

from warcabinet.bench.own_postgres import HOW, programs, running
from warcabinet.bench.own_server import free_port
from warcabinet.store import examine
from warcabinet.store.database import database, one_of_many

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "endure"))
pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'warcabinet[postgres]'")

from soak import Plan, hosts, soak_at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the page is about Linux")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    where = programs()
    if where is None:
        assert os.environ.get("CI") != "true", HOW
        pytest.skip(HOW)
    with running(where) as at:
        yield at


@pytest.mark.skipif(NGINX is None, reason=NO_NGINX)
def test_a_rolling_restart_under_load_loses_nothing_and_a_dump_brings_it_back(url: str, tmp_path: Path) -> None:
    machine, told, port = Machine(tmp_path), list[str](), free_port()
    with hosts(tmp_path, url, workers=1) as here:
        snippet = "etc/nginx/snippets/warcabinet.conf"
        (tmp_path / snippet).write_text(written("**Reverse proxy and TLS.**")[f"/{snippet}"])
        machine.instead = {f"10.0.0.{n}:8039": f"127.0.0.1:{host.port}" for n, host in enumerate(here, start=1)}
        site = f"server {{ listen 127.0.0.1:{port}; location / {{ include snippets/warcabinet.conf; }} }}\n"
        (tmp_path / "etc/nginx/sites-enabled/warcabinet").write_text(site)
        machine.follow("**Two machines, one database.**")
        try:
            plan = Plan(2, tables=2, workers=1, pause=0.05, kill_every=0, restart_every=0.5, restarts=2)
            faults = soak_at(here, [f"http://127.0.0.1:{port}"], url, plan, random.Random(1), told.append)
            assert list(faults) == []
        finally:
            machine.end()
    assert "2 hosts restarted" in told[-1]
    _comes_back(url, tmp_path)


def _comes_back(url: str, folder: Path) -> None:
    """What `pg_dump` took is there again in another database, every game whole."""
    where, dump = programs(), str(folder / "night.dump")
    assert where is not None
    plain = url.replace("+psycopg", "")
    subprocess.run([where / "pg_dump", "--format=custom", f"--file={dump}", plain], check=True)
    engine = database(url)[0]
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.execute(sa.text("create database again"))
        tables = db.execute(sa.text("select id from tables")).scalars().all()
    engine.dispose()
    again = plain.rpartition("/")[0] + "/again"
    subprocess.run([where / "pg_restore", f"--dbname={again}", dump], check=True)
    assert len(tables) == 2
    for table in tables:
        assert examine(one_of_many(again.replace("://", "+psycopg://"), table)).ok
