"""`python -m warcabinet` is the same as `warcabinet`."""

from __future__ import annotations

from warcabinet.cli.main import main

main()
