"""The cost of a flock: mesa's example, scipy's `cKDTree`, numba with a grid, and flockwork.

All have the same world, view distance and density, and run on one thread. scipy, numba and flockwork follow the
same rules from the same start. The script checks that they find the same number of neighbors, and that every agent
is in the same place after a step. mesa's example has its own rules for alignment, cohesion and separation; only its
number of neighbors is checked. Each flock grows until a step would take too long. Times are processor time.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any, Protocol

import numpy as np
from flocks import FORCE, SPEED, VIEW, NumbaFlock, ScipyFlock

import flockwork as fw

NEIGHBORS = 12.0
SIZES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000]


class Flock(Protocol):
    def step(self) -> None: ...
    def neighbors(self) -> float: ...


class Flockwork:
    """The same rules in the engine, with steps of 1 second."""

    def __init__(self, position: np.ndarray, heading: np.ndarray, side: float) -> None:
        rules = fw.FlockRules(weight=FORCE * SPEED, alignment=1, cohesion=1, separation=1)
        bird = fw.Species(
            "bird", view_distance=VIEW, max_speed=SPEED, max_force=1e9, locomotion="constant_speed", behaviors=[rules]
        )
        scene = fw.Scene(world=fw.World.torus(side, side), species=[bird], steps_per_second=1)
        self.crowd = scene.build()
        self.crowd.set_threads(1)
        self.crowd.spawn("bird", position, heading)

    @property
    def position(self) -> np.ndarray:
        return self.crowd.positions()

    def step(self) -> None:
        self.crowd.step()

    def neighbors(self) -> float:
        return self.crowd.neighbor_counts()["mean_neighbors"]


class Mesa:
    """mesa's own example, with agents moved to the common start."""

    def __init__(self, position: np.ndarray, heading: np.ndarray, side: float) -> None:
        from mesa.examples.basic.boid_flockers.model import BoidFlockers

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model: Any = BoidFlockers(len(position), side, side, speed=SPEED, vision=VIEW)
        for agent, at, direction in zip(self.model.agents, position, heading):
            agent.position, agent.direction = at, direction.copy()

    def step(self) -> None:
        self.model.step()

    def neighbors(self) -> float:
        # mesa does not count an agent as its own neighbor.
        found = [len(agent.get_neighbors_in_radius(VIEW)[0]) for agent in self.model.agents]
        return float(np.mean(found))


KINDS: dict[str, Any] = {"mesa": Mesa, "scipy cKDTree": ScipyFlock, "numba, grid": NumbaFlock, "flockwork": Flockwork}


def start(agents: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Random positions and headings, at the common density. Positions are exact in single precision."""
    generator = np.random.default_rng(1)
    side = float(np.float32((agents * np.pi * VIEW**2 / NEIGHBORS) ** 0.5))
    position = generator.uniform(0, side, (agents, 2)).astype("f4").astype("f8")
    angle = generator.uniform(0, 2 * np.pi, agents)
    return position, np.stack([np.cos(angle), np.sin(angle)], axis=1), side


def check(agents: int) -> None:
    """Checks that all flocks do the same work."""
    begin = start(agents)
    flocks = {name: kind(*begin) for name, kind in KINDS.items()}
    counts = {name: flock.neighbors() for name, flock in flocks.items()}
    print(f"neighbors of {agents} agents:", ", ".join(f"{name} {count:.3f}" for name, count in counts.items()))
    assert max(counts.values()) - min(counts.values()) < 0.01
    del flocks["mesa"]
    for flock in flocks.values():
        flock.step()
    expected = flocks["scipy cKDTree"].position
    for name, flock in flocks.items():
        away = np.abs(flock.position - expected)
        away = np.minimum(away, begin[2] - away).max()
        print(f"{name}: at most {away:.1e} units from scipy's agents after a step")
        assert away < 1e-3


def seconds_per_step(flock: Flock, budget: float) -> float:
    """The time of the fastest of several steps, in seconds of processor time."""
    flock.step()
    best, spent = float("inf"), 0.0
    while spent < budget:
        begin = time.process_time()
        flock.step()
        took = time.process_time() - begin
        best, spent = min(best, took), spent + took
    return best


def largest(kind: Any, sizes: list[int], budget: float) -> dict[int, float]:
    """Seconds per step at each size, up to the first size at which three steps exceed the budget."""
    times: dict[int, float] = {}
    for agents in sizes:
        times[agents] = seconds_per_step(kind(*start(agents)), budget)
        if times[agents] * 3 > budget:
            break
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for the steps of one size")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the largest size")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.largest]
    check(min(1_000, options.largest))
    ours = largest(Flockwork, sizes, options.budget)
    print("\n| flock | agents | ns per agent-step | flockwork at that size | times as fast |")
    print("| --- | --- | --- | --- | --- |")
    for name, kind in KINDS.items():
        times = ours if name == "flockwork" else largest(kind, sizes, options.budget)
        agents, took = max(times.items())
        each, other = took / agents * 1e9, ours.get(agents, took) / agents * 1e9
        print(f"| {name} | {agents:,} | {each:,.0f} | {other:,.0f} | {each / other:,.0f} |")


if __name__ == "__main__":
    main()
