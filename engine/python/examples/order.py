"""Order against noise: agents adopt the mean heading of their neighbors, plus a random angle.

The model is that of Vicsek et al. (1995). This script adds the noise: once per step, numpy turns all headings
at once.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style

import flockwork as fw

NEIGHBORS = 12.0
SPEED = 0.3
"""World units per step. The view distance is 1 unit."""


def scene(agents: int) -> fw.Scene:
    align = fw.FlockRules(weight=1e6, alignment=1, cohesion=0, separation=0)
    bird = fw.Species(
        "bird",
        agents,
        view_distance=1,
        max_speed=60 * SPEED,
        max_force=1e9,
        locomotion="constant_speed",
        start=fw.Start(heading=0),
        behaviors=[align],
    )
    return fw.Scene(world=fw.World(mean_neighbors=NEIGHBORS), species=[bird])


def run(agents: int, noise: float, steps: int) -> tuple[float, fw.Crowd]:
    """Returns the order parameter, averaged over the second half of a run, and the crowd."""
    crowd = scene(agents).build()
    generator = np.random.default_rng(1)
    orders = []
    for step in range(steps):
        crowd.step()
        angle = np.arctan2(crowd.hy, crowd.hx)
        angle += generator.uniform(-np.pi, np.pi, agents).astype("f4") * np.float32(noise)
        crowd.set("heading", np.stack([np.cos(angle), np.sin(angle)], axis=1), order="slot")
        if step >= steps // 2:
            orders.append(crowd.alignment_order())
    return float(np.mean(orders)), crowd


def main() -> None:
    parser = style.options(__doc__, agents=100_000, steps=600)
    parser.add_argument("--levels", type=int, default=13, help="how many levels of noise")
    options = parser.parse_args()
    style.start(options.out)
    levels = np.linspace(0, 1, options.levels)
    figure, (curve, near, far) = plt.subplots(1, 3, figsize=(10, 3.2), width_ratios=[1.25, 1, 1])
    for agents, color in [
        (options.agents // 100, style.GRAY),
        (options.agents // 10, style.BLUE),
        (options.agents, style.ORANGE),
    ]:
        orders = [run(agents, noise, options.steps)[0] for noise in levels]
        curve.plot(levels, orders, "o-", color=color, markersize=3.5, linewidth=1.2, label=f"{agents:,} agents")
        print(agents, np.round(orders, 3))
    curve.set(xlabel="noise (share of a full turn)", ylabel="order parameter", ylim=(-0.02, 1.04))
    curve.legend()
    for axes, noise in [(near, 0.25), (far, 0.6)]:
        order, crowd = run(options.agents, noise, options.steps)
        width, height = crowd.world_size
        angle = np.arctan2(crowd.hy, crowd.hx)
        axes.scatter(crowd.x, crowd.y, c=angle, cmap="twilight", vmin=-np.pi, vmax=np.pi, s=0.25, linewidths=0)
        style.as_map(axes, (width, height))
        axes.set_title(f"noise {noise:g}: order {order:.2f}")
    figure.tight_layout()
    style.finish(options.out)


if __name__ == "__main__":
    main()
