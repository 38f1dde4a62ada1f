"""Predator and prey: sharks eat the fish that they reach, breed when full and starve without food.

Fish breed while there is room.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import style

import flockwork as fw

SIZE = (1600.0, 900.0)
REACH = 6.0
EVERY = 6
"""Steps between meals."""
ROOM = 6_000
"""The number of fish that the sea can feed."""


def scene(fish: int) -> fw.Scene:
    shoal = fw.Species(
        "fish",
        fish,
        view_distance=25,
        max_speed=50,
        behaviors=[
            fw.Evade(pursuer=fw.nearest("shark"), weight=2),
            fw.Separation(weight=200),
            fw.Alignment(weight=100),
            fw.Cohesion(weight=40),
            fw.Wander(weight=100),
        ],
    )
    sharks = fw.Species(
        "shark",
        fish // 40,
        view_distance=70,
        max_speed=65,
        radius=8,
        columns={"energy": (0.4, 1)},
        behaviors=[fw.Pursuit(evader=fw.nearest("fish")), fw.Separation(weight=300), fw.Wander()],
    )
    return fw.Scene(world=fw.World.torus(*SIZE), species=[shoal, sharks], seed=4)


def live(crowd: fw.Crowd, generator: np.random.Generator) -> None:
    """Applies meals, births and deaths."""
    sharks = crowd.ids(species="shark")
    energy = crowd.get("energy", sharks) - 0.006
    eaten: set[int] = set()
    for number, at in enumerate(crowd.get("position", sharks).tolist()):
        prey = [id for id in crowd.agents_within(at, REACH, "fish").tolist() if id not in eaten]
        if prey and energy[number] < 1.5:
            eaten.add(prey[0])
            energy[number] += 0.05
    crowd.remove(list(eaten))

    full = energy > 1.2
    energy[full] /= 2
    born = spawn(crowd, "shark", crowd.get("position", sharks[full]), generator)
    crowd.set("energy", energy, sharks)
    crowd.set("energy", energy[full], born)
    crowd.remove(sharks[energy <= 0])

    fish = crowd.ids(species="fish")
    chance = 0.012 * max(0.0, 1 - len(fish) / ROOM)
    parents = fish[generator.random(len(fish)) < chance]
    spawn(crowd, "fish", crowd.get("position", parents), generator)


def spawn(crowd: fw.Crowd, species: str, at: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Spawns young agents beside their parents, and returns their ids."""
    angle = generator.uniform(0, 2 * np.pi, len(at))
    young = at + 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    heading = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    born: np.ndarray = crowd.spawn(species, np.mod(young, SIZE), heading)
    return born


def main() -> None:
    options = style.options(__doc__, agents=3_000, steps=12_000).parse_args()
    style.start(options.out)
    generator = np.random.default_rng(2)
    crowd = scene(options.agents).build()
    steps = []
    for _ in range(0, options.steps, EVERY):
        crowd.step(EVERY)
        live(crowd, generator)
        steps.append(np.bincount(crowd.species(), minlength=2))
    counts = np.array(steps)
    print("fish and sharks:", *counts[:: max(1, len(counts) // 10)].tolist())

    figure, (sea, time) = plt.subplots(1, 2, figsize=(10, 3.2), width_ratios=[1.4, 1])
    species = crowd.species("slot")
    fish, shark = species == 0, species == 1
    sea.quiver(crowd.x[fish], crowd.y[fish], crowd.hx[fish], crowd.hy[fish], color=style.BLUE, scale=130, width=0.0018)
    sea.scatter(crowd.x[shark], crowd.y[shark], color=style.ORANGE, s=14, linewidths=0)
    style.as_map(sea, SIZE)
    seconds = np.arange(1, len(counts) + 1) * EVERY / 60
    time.plot(seconds, counts[:, 0], color=style.BLUE, label="fish")
    time.plot(seconds, counts[:, 1] * 10, color=style.ORANGE, label="sharks × 10")
    time.set(xlabel="seconds", ylim=(0, None))
    time.legend()
    figure.tight_layout()
    style.finish(options.out)


if __name__ == "__main__":
    main()
