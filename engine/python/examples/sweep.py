"""A sweep with replicates on all processors: the order of a flock by its weight of alignment, as a table.

Each run has its own seed, and a row in the table.
"""

from __future__ import annotations

import itertools
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import matplotlib.pyplot as plt
import pandas as pd
import style

import flockwork as fw


def scene(agents: int, alignment: float, seed: int) -> fw.Scene:
    fish = fw.Species(
        "fish",
        agents,
        view_distance=30,
        behaviors=[fw.Separation(weight=300), fw.Alignment(weight=alignment), fw.Wander(weight=150)],
    )
    return fw.Scene(world=fw.World(mean_neighbors=12), species=[fish], seed=seed)


def run(setting: tuple[int, int, float, int]) -> dict[str, float]:
    """Returns a row of the table: the parameters and results of one run."""
    agents, steps, alignment, seed = setting
    crowd = scene(agents, alignment, seed).build()
    crowd.set_threads(1)
    crowd.step(steps)
    return {
        "alignment": alignment,
        "seed": seed,
        "order": crowd.alignment_order(),
        "neighbors": crowd.neighbor_counts()["mean_neighbors"],
    }


def main() -> None:
    parser = style.options(__doc__, agents=2_000, steps=1_500)
    parser.add_argument("--replicates", type=int, default=8, help="runs with different seeds at each weight")
    options = parser.parse_args()
    style.start(options.out)
    weights = [0.0, 20.0, 40.0, 50.0, 60.0, 80.0, 120.0]
    settings = [
        (options.agents, options.steps, weight, seed)
        for weight, seed in itertools.product(weights, range(1, options.replicates + 1))
    ]
    # Crowds do not survive `fork`, so processes are spawned, and each run builds its own crowd.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as processes:
        table = pd.DataFrame(processes.map(run, settings))
    summary = table.groupby("alignment")[["order", "neighbors"]].agg(["mean", "std"])
    print(summary.round(3))

    _, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot(table["alignment"], table["order"], "o", color=style.GRAY, markersize=3, label="one run")
    order = summary["order"]
    axes.errorbar(order.index, order["mean"], order["std"], color=style.BLUE, capsize=3, label="mean ± deviation")
    axes.set(xlabel="weight of alignment", ylabel="order", ylim=(-0.02, 1.02))
    axes.legend()
    style.finish(options.out)


if __name__ == "__main__":
    main()
