"""Answers that never change: browsers keep them under their mark."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from warcabinet.web.table.endpoints import Kept


def kept_response(request: Request, kept: Kept, forever: bool) -> Response:
    """What never changes: kept by the browser for good under its mark; else it asks whether it still has it."""
    headers = {
        "etag": f'"{kept.mark}"',
        "cache-control": "public, max-age=31536000, immutable" if forever else "public, no-cache",
        "vary": "accept-encoding",
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(kept.packed, 200, {**headers, "content-encoding": "gzip"}, kept.media)
    return Response(kept.content, 200, headers, kept.media)
