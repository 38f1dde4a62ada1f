"""People leave a building along a route, or by seeking alone: lines of equal distance, and the number of people outside.

People who only seek the goal get stuck wherever the straight line to it leads into a pocket of walls.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection

import flockwork as fw

EVERY, EARLY = 30, 10
"""Steps between two counts, and how many counts there are when the first map is drawn."""


def main() -> None:
    options = style.options(__doc__, agents=2_000, steps=7_200).parse_args()
    style.start(options.out)
    scene = fw.Scene.named("routes")
    scene.agents = options.agents
    walls = [np.array(wall.points) for wall in scene.walls]

    figure, axes = plt.subplot_mosaic([["route", "out"], ["seek", "out"]], figsize=(11, 5), width_ratios=[1.1, 1])
    picture, jam, curves = axes["route"], axes["seek"], axes["out"]
    for follows in (True, False):
        if not follows:
            scene.species[0].behaviors = [fw.WallAvoidance(feeler_length=20), fw.Seek(target=[950, 300])]
            scene.routes = []
        crowd = scene.build()
        out = []
        for _ in range(0, options.steps, EVERY):
            crowd.step(EVERY)
            out.append(int((crowd.x > walls[0][0, 0]).sum()))
            if follows and len(out) == EARLY:
                draw(picture, crowd, walls)
                contours(picture, crowd)
                picture.set_title(f"along the route, after {crowd.time:.0f} s")
        if not follows:
            draw(jam, crowd, walls)
            jam.set_title(f"without a route, after {crowd.time:.0f} s")
        name, color = ("follow the route", style.BLUE) if follows else ("only seek", style.ORANGE)
        curves.plot(np.arange(1, len(out) + 1) * EVERY / 60, out, color=color, label=name)
        print(f"{out[-1]} of {options.agents} who {name} are outside after {crowd.time:.0f} s")
    curves.set(xlabel="seconds", ylabel="people outside", ylim=(0, 1.02 * options.agents))
    curves.legend(loc="center right")
    figure.tight_layout()
    style.finish(options.out)


def draw(axes: Axes, crowd: fw.Crowd, walls: list[np.ndarray]) -> None:
    """Draws the building, and its people to scale."""
    sizes = 2 * crowd.get("radius", order="slot")
    places = np.column_stack([crowd.x, crowd.y])
    circles = EllipseCollection(sizes, sizes, 0, units="xy", offsets=places, transOffset=axes.transData)
    circles.set(facecolor=style.ORANGE, linewidth=0, zorder=2)
    axes.add_collection(circles)
    for wall in walls:
        axes.plot(*wall.T, color="black", linewidth=1)
    style.as_map(axes, crowd.world_size)


def contours(axes: Axes, crowd: fw.Crowd) -> None:
    """Draws lines of equal distance to the route's goal."""
    x, y = (np.linspace(0, size, 200) for size in crowd.world_size)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    distances = crowd.route_distance("out", places).reshape(200, 200)
    shown = np.where(np.isfinite(distances), distances, np.nan)
    axes.contour(x, y, shown, levels=np.arange(0, 2500, 50), colors=style.BLUE, linewidths=0.7, zorder=3)


if __name__ == "__main__":
    main()
