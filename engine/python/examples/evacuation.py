"""People leave a room through its only door: the jam at the door, and the number of people outside over time.

Solid walls withstand any pressure, so the door is the only way out.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection

import flockwork as fw

EVERY = 30


def main() -> None:
    options = style.options(__doc__, agents=2_000, steps=2_400).parse_args()
    style.start(options.out)
    scene = fw.Scene.named("evacuation")
    scene.agents = options.agents
    crowd = scene.build()
    door_x = scene.walls[0].points[0][0]

    figure, axes = plt.subplots(1, 3, figsize=(12, 3.1), width_ratios=[1, 1, 1.25])
    shown = iter(zip(axes, [0.2, 0.5]))
    picture, share = next(shown)
    out = []
    for step in range(0, options.steps, EVERY):
        crowd.step(EVERY)
        out.append(int((crowd.x > door_x).sum()))
        if picture is not None and step >= share * options.steps:
            draw(picture, crowd, scene)
            picture, share = next(shown, (None, 1.0))
    seconds = np.arange(1, len(out) + 1) * EVERY / 60
    axes[2].plot(seconds, out, color=style.BLUE)
    axes[2].set(xlabel="seconds", ylabel="people outside", ylim=(0, options.agents))
    print(f"{out[-1]} of {options.agents} are outside after {crowd.time:.0f} s")
    figure.tight_layout()
    style.finish(options.out)


def draw(axes: Axes, crowd: fw.Crowd, scene: fw.Scene) -> None:
    """Draws the room, and its people to scale."""
    sizes = 2 * crowd.get("radius", order="slot")
    places = np.column_stack([crowd.x, crowd.y])
    circles = EllipseCollection(sizes, sizes, 0, units="xy", offsets=places, transOffset=axes.transData)
    circles.set(facecolor=style.ORANGE, linewidth=0)
    axes.add_collection(circles)
    axes.plot(*np.array(scene.walls[0].points).T, color="black", linewidth=1)
    style.as_map(axes, crowd.world_size)
    axes.set_title(f"after {crowd.time:.0f} s")


if __name__ == "__main__":
    main()
