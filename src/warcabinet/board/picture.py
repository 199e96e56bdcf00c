"""From SVG to PNG, with the optional package resvg-py."""

from __future__ import annotations

import importlib
from typing import Any

from warcabinet.kernel.errors import WarCabinetError


def rasterize(svg: str) -> bytes:
    """The drawing as PNG bytes."""
    try:
        resvg: Any = importlib.import_module("resvg_py")
    except ImportError:
        raise WarCabinetError(
            "PNG pictures need the package resvg-py: pip install 'warcabinet[png]' (or write an .svg file instead)"
        ) from None
    # Condensed faces, where the machine has them, keep fallback fonts within the measured widths.
    return bytes(resvg.svg_to_bytes(svg_string=svg.replace("<svg ", '<svg font-stretch="condensed" ', 1)))
