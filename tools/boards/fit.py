"""Fit the projection of a board to its anchors and compare with the grid in use.

    python tools/boards/fit.py europe [--write]

Projection and affine map are fixed; a smooth warp (a Gaussian process through the residuals) brings the anchors home.
`--write` replaces `tables/grid-<board>.csv`: do that when a new quoted id has become an anchor, then run build.py and
look at the differences.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src")]

import handkept  # noqa: E402
import numpy as np  # noqa: E402
from scipy.optimize import fsolve  # noqa: E402
from transform import affine  # noqa: E402

from warcabinet.board import hexes  # noqa: E402


def kernel(board: str, square: np.ndarray) -> np.ndarray:
    """How far an anchor's pull reaches, by squared distance in hexes."""
    if board == "europe":
        return 0.25 * np.exp(-square / 32) + np.exp(-square / 200)
    return 0.81 * np.exp(-square / 98)


def target(row: dict[str, str]) -> tuple[float, float]:
    """Where an anchor belongs: the middle of its hexes, or an end of the side between them."""
    centres = [hexes.centre(hexes.parse_id(id_)) for id_ in row["hexes"].split()]
    x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
    half_side = 0.5 / np.sqrt(3)
    return x, y + {"": 0.0, "north": -half_side, "south": half_side}[row["corner"]]


class Fit:
    """Affine map and warp of one board."""

    def __init__(self, board: str) -> None:
        self.board = board
        self.rows = handkept.of("anchors", board)
        lon = np.array([float(r["lon"]) for r in self.rows])
        lat = np.array([float(r["lat"]) for r in self.rows])
        self.start = affine(board, lon, lat)
        self.target = np.array([target(r) for r in self.rows])
        noise = np.diag([(float(r["sigma"]) / 2) ** 2 for r in self.rows])
        gram = kernel(board, self._squares(self.start)) + noise
        self.weights = np.linalg.solve(gram, self.target - self.start)

    def _squares(self, points: np.ndarray) -> np.ndarray:
        return ((points[:, None, :] - self.start[None, :, :]) ** 2).sum(-1)

    def __call__(self, lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
        start = affine(self.board, lon, lat)
        return start + kernel(self.board, self._squares(start)) @ self.weights

    def inverse(self, point: tuple[float, float], guess: tuple[float, float]) -> tuple[float, float]:
        """The longitude and latitude of a point of the plane."""

        def miss(at: np.ndarray) -> np.ndarray:
            return self(np.array([at[0]]), np.array([at[1]]))[0] - point

        lon, lat = fsolve(miss, guess)
        return float(lon), float(lat)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", choices=("europe", "pacific"))
    parser.add_argument("--write", action="store_true", help="replace the grid")
    args = parser.parse_args()
    fit = Fit(args.board)
    after = fit.start + kernel(args.board, fit._squares(fit.start)) @ fit.weights
    for row, before, now, goal in zip(fit.rows, fit.start, after, fit.target, strict=True):
        print(f"{row['name']:32} {np.hypot(*(before - goal)):5.2f} {np.hypot(*(now - goal)):5.2f}")
    grid = handkept.load("grid-" + args.board)
    lon, lat = (np.array([float(r[k]) for r in grid]) for k in ("lon", "lat"))
    ids = [hexes.parse_id(r["hex"]) for r in grid]
    gap = np.hypot(*(fit(lon, lat) - np.array([hexes.centre(at) for at in ids])).T)
    rms = np.sqrt((gap**2).mean())
    print(f"against the grid in use: rms {rms:.2f}, median {np.median(gap):.2f}, worst {gap.max():.2f}")
    if args.write:
        _write(args.board, fit, grid, ids)
    return 0


def _write(board: str, fit: Fit, grid: list[dict[str, str]], ids: list[hexes.Axial]) -> None:
    with (handkept.FOLDER / f"grid-{board}.csv").open("w", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["hex", "lon", "lat"])
        for row, at in zip(grid, ids, strict=True):
            lon, lat = fit.inverse(hexes.centre(at), (float(row["lon"]), float(row["lat"])))
            writer.writerow([row["hex"], f"{(lon + 180) % 360 - 180:.2f}", f"{lat:.2f}"])


if __name__ == "__main__":
    sys.exit(main())
