"""The result of `Crowd.explain`: why an agent moves as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, ...]
"""Two numbers, or three in a world with depth."""


@dataclass(frozen=True)
class Mark:
    """A shape to draw for a quantity that a behavior computes with, in world units."""

    feature: str
    """The meaning of the mark: `"target"`, `"predicted"`, `"range"`, `"neighborhood"`, `"feeler"`, `"hit"`,
    `"detection_box"`, `"threat"`, `"wander_circle"`, `"wander_target"`, `"hiding_spot"`, `"chosen_hiding_spot"`,
    `"waypoint"`, `"tube"`, `"goal"`, `"span"` or `"clear_area"`."""
    shape: Literal["point", "line", "circle", "box"]
    points: list[Point]
    """The point, the ends of the line, the center of the circle, or the four corners of the box."""
    radius: float | None
    """The radius of the circle (in a world with depth, of a sphere); None for other shapes."""


@dataclass(frozen=True, eq=False)
class Contribution:
    """One behavior's contribution to the steering force."""

    number: int
    """The behavior's position in its species' list, from 0."""
    behavior: str
    """The behavior's name."""
    force: Point
    """The behavior's weighted force, mass · units/s²."""
    kept: Point
    """The part of `force` that the prioritized sum kept; all of `force` with the other methods."""
    marks: list[Mark]
    """The quantities from which the force was computed."""
    neighbors: NDArray[np.uint64] | None
    """Ids of the behavior's neighbors, or None if the behavior uses its species' neighborhood."""


@dataclass(frozen=True)
class Cells:
    """A block of the grid's cells; in a world with depth, in the agent's layer, seen from above."""

    low: tuple[float, float]
    """The lower left corner of the block."""
    size: tuple[float, float]
    """Width and height of a cell."""
    columns: int
    """Number of cells in a row."""
    rows: int
    """Number of rows."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why an agent will move as it does in the next step."""

    force: Point
    """The combined steering force, mass · units/s²."""
    contributions: list[Contribution]
    """The contribution of each behavior, in order of evaluation."""
    unreached: list[tuple[int, str]]
    """Number and name of each behavior that was not evaluated: the force was used up, or dithering skipped it."""
    neighbors: NDArray[np.uint64]
    """Ids of the agents that the agent sees."""
    view_distance: float
    """The distance within which the agent sees neighbors, world units."""
    query: tuple[Point, Point]
    """The low and the high corner of the box that contains everything the agent may see."""
    cells: list[Cells]
    """The cells that are searched for neighbors, a block for each group of species that are sorted
    apart; empty if all pairs of agents are compared."""
