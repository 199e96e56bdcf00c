"""Nobody waits for the disk but the tests of what is on it after a loss of power; servers of their own always do."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

database = importlib.import_module("warcabinet.store.database")  # a function of the package has the same name


@contextmanager
def nobody_waits_for_it() -> Iterator[None]:
    """What this process writes is with the system at once, and on the disk whenever that likes."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("WITH_A_LOG", "ALONE"):
            patch.setattr(database, name, "OFF")
        patch.setattr(database, "_sync", lambda path: None)
        yield
