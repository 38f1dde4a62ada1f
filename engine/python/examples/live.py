"""A flock, live in matplotlib: it follows the mouse."""

from __future__ import annotations

import matplotlib.pyplot as plt
import style
from matplotlib.animation import FuncAnimation
from matplotlib.backend_bases import Event, MouseEvent

import flockwork as fw

SIZE = (1600.0, 900.0)


def scene(agents: int) -> fw.Scene:
    fish = fw.Species(
        "fish",
        agents,
        view_distance=40,
        behaviors=[
            fw.Separation(weight=250),
            fw.Alignment(weight=200),
            fw.Cohesion(weight=60),
            fw.Seek(weight=0.4, target="mouse"),
            fw.Wander(weight=60),
        ],
    )
    middle = (SIZE[0] / 2, SIZE[1] / 2)
    return fw.Scene(world=fw.World.torus(*SIZE), points={"mouse": middle}, species=[fish])


def main() -> None:
    options = style.options(__doc__, agents=1_500, steps=300).parse_args()
    style.start(options.out)
    crowd = scene(options.agents).build()
    figure, axes = plt.subplots(figsize=(8, 4.5))
    style.as_map(axes, SIZE)
    # Positions are ordered by id, so each arrow always shows the same fish.
    at, heading = crowd.positions(), crowd.headings()
    fish = axes.quiver(*at.T, *heading.T, at[:, 0], cmap="viridis", scale=110, width=0.0015, pivot="mid")

    def lead(event: Event) -> None:
        if isinstance(event, MouseEvent) and event.xdata is not None and event.ydata is not None:
            crowd.set_point("mouse", (event.xdata, event.ydata))

    def draw(_frame: int) -> None:
        crowd.step()
        fish.set_offsets(crowd.positions())
        fish.set_UVC(*crowd.headings().T)

    figure.canvas.mpl_connect("motion_notify_event", lead)
    if options.out:
        for frame in range(options.steps):
            draw(frame)
    else:
        animation = FuncAnimation(figure, draw, interval=16, cache_frame_data=False)
        figure.canvas.mpl_connect("close_event", lambda _: animation.pause())
    print(f"order {crowd.alignment_order():.2f}")
    style.finish(options.out)


if __name__ == "__main__":
    main()
