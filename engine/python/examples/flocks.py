"""One flock in two common Python styles: scipy's `cKDTree` with numpy, and numba with a grid.

Both follow the rules of the engine's `FlockRules` at constant speed, in double precision: the mean heading,
the offset to the center, and the offset from near neighbors, each as a unit vector, change the velocity.
"""

from __future__ import annotations

import numba
import numpy as np
from scipy.spatial import cKDTree

VIEW = 10.0
SPEED = 1.0
"""World units per step."""
FORCE = 0.5
"""Length of the vector that each rule adds to the heading, a unit vector, per step."""


class ScipyFlock:
    """Finds all pairs of neighbors with a k-d tree, and sums over arrays of pairs."""

    def __init__(self, position: np.ndarray, heading: np.ndarray, side: float) -> None:
        self.position, self.heading, self.side = position % side, heading.copy(), side

    def pairs(self) -> np.ndarray:
        return cKDTree(self.position, boxsize=self.side).query_pairs(VIEW, output_type="ndarray")

    def step(self) -> None:
        agents, pairs = len(self.position), self.pairs()
        # Each pair counts for both agents.
        here, there = np.concatenate([pairs, pairs[:, ::-1]]).T
        offset = self.position[there] - self.position[here]
        offset -= self.side * np.round(offset / self.side)
        near = offset / (offset**2).sum(axis=1, keepdims=True)

        def total(values: np.ndarray) -> np.ndarray:
            return np.stack([np.bincount(here, values[:, axis], agents) for axis in (0, 1)], axis=1)

        force = unit(total(self.heading[there])) + unit(total(offset)) - unit(total(near))
        self.heading = unit(self.heading + FORCE * force)
        self.position = (self.position + SPEED * self.heading) % self.side

    def neighbors(self) -> float:
        return 2 * len(self.pairs()) / len(self.position)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Normalizes vectors; zero vectors stay zero."""
    length = np.hypot(vectors[:, 0], vectors[:, 1])[:, np.newaxis]
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


class NumbaFlock:
    """Sorts agents into cells as wide as the view distance. Compiled for one thread."""

    def __init__(self, position: np.ndarray, heading: np.ndarray, side: float) -> None:
        self.position, self.heading, self.side = position % side, heading.copy(), side
        self.counted = 0

    def step(self) -> None:
        self.position, self.heading, self.counted = numba_step(self.position, self.heading, self.side)

    def neighbors(self) -> float:
        return numba_step(self.position, self.heading, self.side)[2] / len(self.position)


@numba.njit(fastmath=True)
def numba_step(position, heading, side):  # type: ignore[no-untyped-def]
    agents, cells = len(position), max(3, int(side / VIEW))
    # A counting sort makes the agents of a cell contiguous in memory.
    cell = np.empty(agents, np.int64)
    first = np.zeros(cells * cells + 1, np.int64)
    for k in range(agents):
        column = min(int(position[k, 0] / side * cells), cells - 1)
        row = min(int(position[k, 1] / side * cells), cells - 1)
        cell[k] = row * cells + column
        first[cell[k] + 1] += 1
    first = np.cumsum(first)
    free, order = first.copy(), np.empty(agents, np.int64)
    for k in range(agents):
        order[free[cell[k]]] = k
        free[cell[k]] += 1
    at, facing = position[order], heading[order]

    moved, turned, counted = np.empty_like(position), np.empty_like(heading), 0
    half, sums = side / 2, np.empty((3, 2))
    for k in range(agents):
        x, y = at[k]
        row, column = divmod(cell[order[k]], cells)
        sums[:] = 0
        for r in range(row - 1, row + 2):
            for c in range(column - 1, column + 2):
                near = (r % cells) * cells + c % cells
                for other in range(first[near], first[near + 1]):
                    dx, dy = at[other, 0] - x, at[other, 1] - y
                    dx -= side * ((dx > half) - (dx < -half))
                    dy -= side * ((dy > half) - (dy < -half))
                    squared = dx * dx + dy * dy
                    if other != k and squared < VIEW * VIEW:
                        counted += 1
                        sums[0, 0] += facing[other, 0]
                        sums[0, 1] += facing[other, 1]
                        sums[1, 0] += dx
                        sums[1, 1] += dy
                        sums[2, 0] -= dx / squared
                        sums[2, 1] -= dy / squared
        hx, hy = facing[k]
        for rule in range(3):
            length = np.hypot(sums[rule, 0], sums[rule, 1])
            if length > 0:
                hx += FORCE * sums[rule, 0] / length
                hy += FORCE * sums[rule, 1] / length
        length = np.hypot(hx, hy)
        here = order[k]
        turned[here, 0], turned[here, 1] = hx / length, hy / length
        moved[here, 0] = (x + SPEED * turned[here, 0]) % side
        moved[here, 1] = (y + SPEED * turned[here, 1]) % side
    return moved, turned, counted
