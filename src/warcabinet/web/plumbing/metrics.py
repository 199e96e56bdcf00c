"""What whoever runs the server watches: counters, times and gauges in the text that Prometheus reads."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping

BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
#: Labels come from what strangers send; beyond so many kinds they are counted together.
MOST_KINDS = 400
#: What is there before it happens, so that its first time is seen to grow.
FROM_THE_START = ("conflicts", "orders", "refusals", "storage_errors")


class Metrics:
    """Counted in this process; nothing of it is personal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str], float] = {(it, ""): 0.0 for it in FROM_THE_START}
        self._times: dict[str, list[float]] = {}

    def count(self, name: str, labels: str = "", by: float = 1) -> None:
        with self._lock:
            key = (name, labels)
            if key not in self._counts and len(self._counts) >= MOST_KINDS:
                key = (name, 'more="yes"')
            self._counts[key] = self._counts.get(key, 0) + by

    def time(self, kind: str, seconds: float) -> None:
        """How long something took: a count for each bucket, the sum and the number."""
        with self._lock:
            found = self._times.setdefault(kind, [0.0] * (len(BUCKETS) + 3))
            found[bisect_left(BUCKETS, seconds)] += 1
            found[-2] += seconds
            found[-1] += 1

    def counted(self, name: str) -> float:
        return sum(value for (it, _), value in self._counts.items() if it == name)

    def text(self, gauges: Mapping[str, float]) -> str:
        """All of it, as Prometheus reads it."""
        with self._lock:
            counts, times = dict(self._counts), {kind: list(found) for kind, found in self._times.items()}
        lines = []
        for name in sorted({name for name, _ in counts}):
            lines.append(f"# TYPE warcabinet_{name}_total counter")
            for (it, labels), value in sorted(counts.items()):
                if it == name:
                    lines.append(f"warcabinet_{name}_total{{{labels}}} {value:g}")
        if times:
            lines.append("# TYPE warcabinet_seconds histogram")
        for kind, found in sorted(times.items()):
            below = 0.0
            for bound, n in zip((*map(str, BUCKETS), "+Inf"), found, strict=False):
                below += n
                lines.append(f'warcabinet_seconds_bucket{{of="{kind}",le="{bound}"}} {below:g}')
            lines.append(f'warcabinet_seconds_sum{{of="{kind}"}} {found[-2]:g}')
            lines.append(f'warcabinet_seconds_count{{of="{kind}"}} {found[-1]:g}')
        for name, value in gauges.items():
            lines += [f"# TYPE warcabinet_{name} gauge", f"warcabinet_{name} {value:g}"]
        return "\n".join(lines) + "\n"
