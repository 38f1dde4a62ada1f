"""The cost of stepping from Python, as a ratio to the same steps in Rust:

python engine/python/tests/ratio.py

Python and Rust run in turns on one thread. Times are processor time, which other programs disturb least.
Each line shows the median ratio of the blocks, with its 95 % confidence interval.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import flockwork as fw

HERE = Path(__file__).parent


def calls_in_rust() -> Path:
    """Builds the program that makes calls in Rust, and returns its path."""
    command = ["cargo", "build", "--release", "--quiet", "--package", "calls", "--message-format=json"]
    built = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, check=True, text=True)
    programs = (json.loads(line).get("executable") for line in built.stdout.splitlines())
    return Path(next(filter(None, programs)))


class Rust:
    """A crowd of the Rust program, in a separate process."""

    def __init__(self, scene: fw.Scene, folder: Path) -> None:
        file = folder / "scene.toml"
        file.write_text(scene.to_toml())
        self.child = subprocess.Popen([calls_in_rust()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.call(f"scene {file}")
        self.call("threads 1")

    def call(self, line: str) -> str:
        assert self.child.stdin and self.child.stdout
        print(line, file=self.child.stdin, flush=True)
        return self.child.stdout.readline().strip()

    def seconds(self) -> float:
        """Processor time so far, in seconds. Linux only."""
        return int(Path(f"/proc/{self.child.pid}/schedstat").read_text().split()[0]) / 1e9

    def block(self, steps: int) -> float:
        before = self.seconds()
        self.call(f"step {steps}")
        return self.seconds() - before


def step(crowd: fw.Crowd) -> object:
    return crowd.step()


def views(crowd: fw.Crowd) -> object:
    crowd.step()
    return crowd.x, crowd.y


def positions(crowd: fw.Crowd) -> object:
    crowd.step()
    return crowd.positions()


def accelerated(crowd: fw.Crowd) -> object:
    crowd.step()
    x, y = crowd.x, crowd.y
    crowd.set("acceleration_x", x, order="slot")
    crowd.set("acceleration_y", y, order="slot")
    return x, y


WAYS: dict[str, Callable[[fw.Crowd], object]] = {
    "step": step,
    "step, views of x and y held": views,
    "step, positions by id": positions,
    "step, two columns read and two set": accelerated,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=100_000)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--steps", type=int, default=5, help="steps before and after a block in Python")
    options = parser.parse_args()
    scene = fw.Scene.named("stress").with_agents(options.agents)
    # The weight is 0, so accelerations do not move agents.
    scene.species[0].behaviors.append(fw.External(weight=0))
    crowds = {way: scene.build() for way in WAYS}
    for crowd in crowds.values():
        crowd.set_threads(1)
    ratios: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        others = {way: Rust(scene, Path(folder)) for way in WAYS}
        for _ in range(options.blocks):
            for way, act in WAYS.items():
                before = others[way].block(options.steps)
                start, kept = time.thread_time(), None
                for _ in range(2 * options.steps):
                    kept = act(crowds[way])
                took = time.thread_time() - start
                del kept
                ratios[way].append(took / (before + others[way].block(options.steps)))
        ours, theirs = f"{crowds['step'].state_hash():016x}", others["step"].call("hash")
        assert ours == theirs, "both have taken the same steps"
        for other in others.values():
            other.child.terminate()
            other.child.wait()
    print(f"{options.agents:,} agents, {options.blocks} blocks of {2 * options.steps} steps")
    generator = np.random.default_rng(1)
    for way, values in ratios.items():
        medians = np.median(generator.choice(values, (2_000, len(values))), axis=1)
        low, high = np.percentile(medians, [2.5, 97.5])
        print(f"{way}: {np.median(values):.3f} [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
