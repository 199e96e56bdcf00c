"""One process among several: it serves the port that its parent holds."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys

import msgspec

from warcabinet.game.engine import NEW_OBJECTS_IN_TALK, at_rest
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.settings import settings_from
from warcabinet.web.server.serve import Server, log_to, make_server


def main() -> None:
    settings = settings_from(msgspec.json.decode(os.environ["WARCABINET_SETTINGS"]))
    log_to(most=settings.log_lines)
    try:
        server = make_server(settings, "", 0)
    except WarCabinetError as error:
        # The database may be away for a moment: the parent tries again.
        log("trouble", error=str(error))
        sys.exit(1)
    at_rest(NEW_OBJECTS_IN_TALK)
    listening = socket.socket(fileno=int(sys.argv[1]))
    asyncio.run(_serve(server, listening))


async def _serve(server: Server, listening: socket.socket) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    print("ready", flush=True)
    parent = os.getppid()
    while not serving.done():
        await asyncio.wait([serving], timeout=1)
        if os.getppid() != parent:
            # Whoever started it was killed: a server that comes in its place needs the port.
            server.handle_exit(signal.SIGTERM, None)
    await serving


if __name__ == "__main__":
    main()
