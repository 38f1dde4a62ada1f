"""Moving obstacles are agents: this program drives cars through a crowd and shows the wakes that they leave."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection

import flockwork as fw

LANES, CAR, SPEED = 3, 9.0, 60.0
"""The speed is in units/s."""


def main() -> None:
    options = style.options(__doc__, agents=9_000, steps=240).parse_args()
    style.start(options.out)
    side = 6.0 * np.sqrt(options.agents)
    walker = fw.Species("walker", options.agents, radius=[1.5, 2.0], max_speed=12.0, behaviors=[fw.Wander(weight=30)])
    car = fw.Species("car", 2 * LANES, radius=CAR, max_speed=1e-3, immovable=True)
    crowd = fw.Scene(world=fw.World.torus(side, side), species=[walker, car], non_penetration=8).build()
    cars = crowd.ids(species="car")
    for step in range(options.steps):
        along = (np.arange(2 * LANES) % 2 * side / 2 + step * SPEED / 60) % side
        lane = (np.arange(2 * LANES) // 2 + 0.5) * side / LANES
        crowd.set("position", np.column_stack([along, lane]), cars)
        crowd.step()

    figure, axes = plt.subplots(figsize=(5, 5))
    draw(axes, crowd)
    print(f"the deepest walker is {deepest(crowd):.2f} units inside a car")
    figure.tight_layout()
    style.finish(options.out)


def deepest(crowd: fw.Crowd) -> float:
    """How far walkers are inside cars, in world units."""
    places, sizes = crowd.get("position"), crowd.get("radius")
    is_car = crowd.get("immovable") > 0
    offsets = np.abs(places[is_car][:, None] - places[~is_car][None])
    offsets = np.minimum(offsets, crowd.world_size - offsets)
    gaps = np.hypot(*np.moveaxis(offsets, 2, 0)) - sizes[is_car][:, None] - sizes[~is_car]
    return max(0.0, float(-gaps.min()))


def draw(axes: Axes, crowd: fw.Crowd) -> None:
    """Draws all agents to scale."""
    sizes, is_car = 2 * crowd.get("radius", order="slot"), crowd.get("immovable", order="slot") > 0
    places = np.column_stack([crowd.x, crowd.y])
    for color, kind in [(style.GRAY, ~is_car), (style.ORANGE, is_car)]:
        circles = EllipseCollection(
            sizes[kind], sizes[kind], 0, units="xy", offsets=places[kind], transOffset=axes.transData
        )
        circles.set(facecolor=color, linewidth=0)
        axes.add_collection(circles)
    style.as_map(axes, crowd.world_size)
    axes.set_title(f"{int(is_car.sum())} cars in a crowd of {len(crowd)}")


if __name__ == "__main__":
    main()
