"""How fast the supply search is, beside the breadth-first searches of scipy and rustworkx on the same graph."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

from warcabinet.board import supply
from warcabinet.board.maps import Board, both

_BATCH = 20


def supply_bench(repeat: int = 400) -> dict[str, Any]:
    """Microseconds of one search over all land of each board; `ratio` is ours by the quickest of the others.

    `path_ratio` is the same with the line traced hex by hex, which the others leave to their caller.
    """
    return {one.name: _bench_board(one, repeat) for one in both()}


def _bench_board(one: Board, repeat: int) -> dict[str, Any]:
    # The largest land mass, from one of its ends: nothing is cut, so every search has to visit all of it.
    start = max(("V8", "A62") if one.name == "europe" else ("A23", "BB3"), key=lambda i: len(one.ids(_mass(one, i))))
    mass = _mass(one, start)
    far = one.ids(mass)[-1]
    runs: dict[str, Callable[[], object]] = {
        "reach": lambda: supply.reach(one, [start], one.land),
        "path": lambda: supply.trace(one, [start], [far], one.land),
        "cut": lambda: supply.trace(one, [start], [far], one.land & ~one.bits([far])),
    }
    others = {name: run for name, run in (("scipy", _scipy(one, start)), ("rustworkx", _rustworkx(one, start))) if run}
    found: dict[str, Any] = {"hexes": len(one.ids(mass)), **_microseconds(runs | others, repeat)}
    if others:
        quickest = min(found[name] for name in others)
        found["ratio"] = round(found["reach"] / quickest, 2)
        found["path_ratio"] = round(found["path"] / quickest, 2)
    return found


def _mass(one: Board, start: str) -> int:
    return supply.reach(one, [start], one.land)


def _microseconds(runs: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """The best of many short batches, taken in turns: what else the machine does only ever adds, and to all alike."""
    best = {name: float("inf") for name in runs}
    for run in runs.values():
        run()
    for _ in range(max(1, repeat // _BATCH)):
        for name, run in runs.items():
            begun = time.perf_counter()
            for _ in range(_BATCH):
                run()
            best[name] = min(best[name], (time.perf_counter() - begun) / _BATCH)
    return {name: round(seconds * 1e6, 1) for name, seconds in best.items()}


def _edges(one: Board) -> tuple[dict[str, int], list[tuple[int, int]]]:
    ids = one.ids(one.land)
    index = {id_: i for i, id_ in enumerate(ids)}
    edges = [
        (index[id_], index[other])
        for id_ in ids
        for other in one.ids(one.spread(one.bits([id_]), one.ground_sides))
        if other in index
    ]
    return index, edges


def _scipy(one: Board, start: str) -> Callable[[], object] | None:
    try:
        sparse: Any = importlib.import_module("scipy.sparse")
        graph: Any = importlib.import_module("scipy.sparse.csgraph")
    except ImportError:
        return None
    index, edges = _edges(one)
    ends = ([a for a, _ in edges], [b for _, b in edges])
    matrix = sparse.csr_matrix(([1] * len(edges), ends), shape=(len(index), len(index)))
    return lambda: graph.breadth_first_order(matrix, index[start], directed=True, return_predecessors=True)


def _rustworkx(one: Board, start: str) -> Callable[[], object] | None:
    try:
        library: Any = importlib.import_module("rustworkx")
    except ImportError:
        return None
    index, edges = _edges(one)
    graph = library.PyDiGraph()
    graph.add_nodes_from(list(index))
    graph.add_edges_from([(a, b, None) for a, b in edges])
    return lambda: library.bfs_successors(graph, index[start])
