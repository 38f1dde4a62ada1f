"""Why an agent moves as it does: what `Crowd.explain` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]


@dataclass(frozen=True)
class Mark:
    """Something that a behavior computes with, to draw, in world units."""

    feature: str
    """What it stands for: `"target"`, `"predicted"`, `"range"`, `"neighborhood"`, `"feeler"`, `"hit"`, `"detection_box"`,
    `"threat"`, `"wander_circle"`, `"wander_target"`, `"hiding_spot"`, `"hiding_place"`, `"waypoint"`, `"tube"`,
    `"place"`, `"span"` or `"clear_way"`."""
    shape: Literal["point", "line", "circle", "box"]
    points: list[Point]
    """The point, the ends of the line, the center of the circle, or the four corners of the box."""
    radius: float | None
    """The circle's."""


@dataclass(frozen=True)
class Contribution:
    """What one behavior contributes to the force."""

    number: int
    """The behavior's position in its species' list, from 0."""
    behavior: str
    """Its name."""
    force: Point
    """Its weighted force, mass · units/s²."""
    kept: Point
    """What the prioritized sum kept of it; with the other methods, all of it."""
    marks: list[Mark]
    """What it was computed from."""
    neighbors: NDArray[np.uint64] | None
    """The ids of the agents that it counts as neighbors, if its neighborhood is not that of the species."""


@dataclass(frozen=True)
class Cells:
    """A block of the grid's cells."""

    low: Point
    """Its lower left corner."""
    size: Point
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
    """What each behavior contributed, in order of evaluation."""
    unreached: list[tuple[int, str]]
    """The behaviors that were not evaluated, since the force was used up or by dithering: number and name."""
    neighbors: NDArray[np.uint64]
    """The ids of the agents that it sees."""
    view_distance: float
    """How far it looks for neighbors, world units."""
    query: tuple[Point, Point]
    """The low and the high corner of the box of all that it may see."""
    cells: Cells | None
    """The cells in which it looks for neighbors."""
