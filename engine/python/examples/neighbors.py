"""All agents' neighbors on a torus: flockwork's `neighbor_rows` against scipy's `query_ball_point`.

Both run in turns, with the same points and the same number of threads. Each round gives a ratio of times;
the result is the median.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy.spatial import cKDTree

import flockwork as fw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=100_000)
    parser.add_argument("--neighbors", type=float, default=16, help="their mean number")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()

    fish = fw.Species("fish", options.agents, view_distance=10)
    scene = fw.Scene(world=fw.World(mean_neighbors=options.neighbors), species=[fish])
    crowd = scene.build()
    crowd.set_threads(options.threads)
    crowd.step(3)
    at = np.stack([crowd.x, crowd.y], axis=1).astype(float)

    ratios = {"to search": [], "with the tree": []}  # type: dict[str, list[float]]
    for _ in range(options.rounds):
        start = time.perf_counter()
        offsets, indices = crowd.neighbor_rows(10)
        ours = time.perf_counter() - start
        start = time.perf_counter()
        tree = cKDTree(at, boxsize=crowd.world_size)
        built = time.perf_counter()
        found = tree.query_ball_point(at, 10, workers=options.threads, return_sorted=False)
        end = time.perf_counter()
        ratios["to search"].append((end - built) / ours)
        ratios["with the tree"].append((end - start) / ours)

    # scipy counts each point as its own neighbor. It uses doubles, so pairs at the distance limit may differ.
    rows = np.repeat(np.arange(options.agents), np.diff(offsets))
    theirs = np.repeat(np.arange(options.agents), [len(others) for others in found])
    others = np.concatenate([np.asarray(row, dtype=np.int64) for row in found])
    ours_set = np.sort(rows * options.agents + indices)
    theirs_set = np.sort((theirs * options.agents + others)[theirs != others])
    different = np.setxor1d(ours_set, theirs_set)
    offset = at[different // options.agents] - at[different % options.agents]
    offset -= np.round(offset / crowd.world_size) * crowd.world_size
    assert (abs(np.hypot(*offset.T) - 10) < 1e-4).all(), "the same pairs"
    print(f"{options.agents:,} agents, {len(indices):,} pairs, {len(different)} decided by rounding")
    for what, values in ratios.items():
        low, median, high = np.percentile(values, [25, 50, 75])
        print(f"scipy takes {median:.1f} times as long {what} (quartiles {low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()
