"""From longitude and latitude to the plane of a board.

The fitted projection is given by its samples: the longitude and latitude of every hex centre (`tables/grid-*.csv`).
Projection and affine map bring a point close; the rest, a smooth warp of at most a few hexes, is interpolated between
the samples. `fit.py` makes such a grid from the anchors and compares it with the one in use.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.interpolate import RBFInterpolator

from warcabinet.board import hexes

TABLES = Path(__file__).parent / "tables"
RADIUS_KM = 6371.0

_ROBINSON_X = [1, 0.9986, 0.9954, 0.99, 0.9822, 0.973, 0.96, 0.9427, 0.9216, 0.8962, 0.8679, 0.835, 0.7986, 0.7597]
_ROBINSON_X += [0.7186, 0.6732, 0.6213, 0.5722, 0.5322]
_ROBINSON_Y = [0, 0.062, 0.124, 0.186, 0.248, 0.31, 0.372, 0.434, 0.4958, 0.5571, 0.6176, 0.6769, 0.7346, 0.7903]
_ROBINSON_Y += [0.8435, 0.8936, 0.9394, 0.9761, 1]


def polyconic(lon: np.ndarray, lat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """American polyconic, central meridian 11.4 E, origin at the equator."""
    lam, phi = np.radians(lon - 11.4), np.radians(np.where(np.abs(lat) < 1e-6, 1e-6, lat))
    e = lam * np.sin(phi)
    cot = 1 / np.tan(phi)
    return RADIUS_KM * cot * np.sin(e), RADIUS_KM * (phi + cot * (1 - np.cos(e)))


def robinson(lon: np.ndarray, lat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Robinson, central meridian 164.2 E."""
    nodes = np.arange(0, 91, 5)
    lam = np.radians(((lon - 164.2) + 180) % 360 - 180)
    absolute = np.clip(np.abs(lat), 0, 90)
    x = 0.8487 * RADIUS_KM * np.interp(absolute, nodes, _ROBINSON_X) * lam
    y = 1.3523 * RADIUS_KM * np.interp(absolute, nodes, _ROBINSON_Y) * np.sign(lat)
    return x, y


_AFFINE = {
    "europe": (polyconic, (26.7912, 0.00845625, 0.00145999), (61.2639, 0.00162293, -0.00882454)),
    "pacific": (robinson, (48.3785, 0.00387738, -0.00062740), (24.1656, -0.00041946, -0.00416908)),
}


def affine(board: str, lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
    """Projection and affine map, without the warp."""
    project, ax, ay = _AFFINE[board]
    x, y = project(lon, lat)
    return np.stack([ax[0] + ax[1] * x + ax[2] * y, ay[0] + ay[1] * x + ay[2] * y], axis=-1)


class Transform:
    """Longitude and latitude to the plane, for one board."""

    def __init__(self, board: str) -> None:
        self.board = board
        rows = list(csv.DictReader((TABLES / f"grid-{board}.csv").open()))
        target = np.array([hexes.centre(hexes.parse_id(r["hex"])) for r in rows])
        lon = np.array([float(r["lon"]) for r in rows])
        lat = np.array([float(r["lat"]) for r in rows])
        start = affine(board, lon, lat)
        self._warp = RBFInterpolator(start, target - start, neighbors=24, smoothing=0.02, kernel="thin_plate_spline")
        self.worst = float(np.abs(self(lon, lat) - target).max())

    def __call__(self, lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
        start = affine(self.board, np.asarray(lon, float), np.asarray(lat, float))
        return start + self._warp(start)
