"""Read a long plan in a process of its own: `python -m warcabinet.plans.intake` (see `apart`)."""

from __future__ import annotations

import msgspec

from warcabinet.plans.form import Gist, plan_of
from warcabinet.store.apart import Limits, Processes, obey

#: Twice the longest plan that ships. One that is no longer is read in less time than a process takes to start.
SHORT = 16_000


def gist_of(name: str, text: str, limits: Limits, processes: Processes) -> Gist:
    """What a plan holds; whatever is wrong with it is said with its line."""
    if len(text) <= SHORT:
        return plan_of(name, text).gist()
    found = processes.carry_out("warcabinet.plans.intake", "the plan", name, text, limits)
    return msgspec.json.decode(found, type=Gist)


def _read(name: str, limits: Limits, text: str) -> Gist:
    return plan_of(name, text).gist()


if __name__ == "__main__":
    obey("the plan", str, _read)
