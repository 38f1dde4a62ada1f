"""An epidemic in a column: ill people infect others nearby, walk more slowly, and recover.

The rule is numpy code over whole columns, once every few steps: it counts the ill in each cell of a grid,
and the more there are, the more likely the others in the cell are to fall ill.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style

import flockwork as fw

NEVER = -1.0
"""The value in column `ill` before an infection; afterwards, it is the seconds since the infection."""
DURATION = 12.0
CELL = 10.0
CHANCE = 0.3
EVERY = 6
HEALTHY, SLOW = 40.0, 12.0


def scene(people: int) -> fw.Scene:
    side = 15.0 * people**0.5
    person = fw.Species(
        "person",
        people,
        max_speed=HEALTHY,
        view_distance=12,
        columns={"ill": NEVER},
        behaviors=[fw.Separation(weight=300), fw.Wander(weight=300)],
    )
    return fw.Scene(world=fw.World.torus(side, side), species=[person], seed=5)


def spread(crowd: fw.Crowd, generator: np.random.Generator, seconds: float) -> None:
    """Applies the infections and recoveries since the last call, `seconds` ago."""
    ill = crowd.column("ill").copy()
    sick = (ill >= 0) & (ill < DURATION)
    column, row = (crowd.x // CELL).astype(int), (crowd.y // CELL).astype(int)
    cell = row * (int(crowd.world_size[0] // CELL) + 1) + column
    sick_in_cell = np.bincount(cell[sick], minlength=cell.max() + 1)[cell]
    caught = (ill < 0) & (generator.random(len(ill)) > (1 - CHANCE) ** sick_in_cell)
    ill[sick] += seconds
    ill[caught] = 0
    crowd.set("ill", ill, order="slot")
    ids = crowd.ids("slot")
    crowd.set("max_speed", SLOW, ids[caught])
    crowd.set("max_speed", HEALTHY, ids[sick & (ill >= DURATION)])


def kinds(crowd: fw.Crowd) -> np.ndarray:
    """Returns 0 for agents that were never ill, 1 for the ill, 2 for the recovered."""
    ill = crowd.column("ill")
    return np.where(ill < 0, 0, np.where(ill < DURATION, 1, 2))


def main() -> None:
    options = style.options(__doc__, agents=12_000, steps=6_000).parse_args()
    style.start(options.out)
    generator = np.random.default_rng(6)
    crowd = scene(options.agents).build()
    middle = [side / 2 for side in crowd.world_size]
    crowd.set("ill", 0.0, crowd.nearest_agents(middle, 20))

    colors = np.array([style.GRAY, style.ORANGE, style.BLUE])
    figure, axes = plt.subplots(1, 4, figsize=(12, 2.9), width_ratios=[1, 1, 1, 1.25])
    shown = iter(zip(axes, [0.15, 0.4, 0.75]))
    picture, share = next(shown)
    counts = []
    for step in range(0, options.steps, EVERY):
        crowd.step(EVERY)
        spread(crowd, generator, EVERY / 60)
        kind = kinds(crowd)
        counts.append(np.bincount(kind, minlength=3))
        if picture is not None and step >= share * options.steps:
            picture.scatter(crowd.x, crowd.y, c=colors[kind], s=1.2, linewidths=0)
            style.as_map(picture, crowd.world_size)
            picture.set_title(f"after {crowd.time:.0f} s")
            picture, share = next(shown, (None, 1.0))
    seconds = np.arange(1, len(counts) + 1) * EVERY / 60
    time = axes[3]
    for number, label in enumerate(["never ill", "ill", "recovered"]):
        time.plot(seconds, np.array(counts)[:, number], color=colors[number], label=label)
    time.set(xlabel="seconds", ylim=(0, None))
    time.legend()
    print("never ill, ill, recovered:", *counts[-1].tolist())
    figure.tight_layout()
    style.finish(options.out)


if __name__ == "__main__":
    main()
