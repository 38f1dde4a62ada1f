"""Checks that agents with the custom behavior `KeepClear` end up farther from each other."""

import numpy as np

import flockwork as fw


def nearest(behaviors: list[fw.Behavior]) -> float:
    """Mean distance to the nearest other agent after 300 steps."""
    people = fw.Species("crowd", 400, max_speed=20, behaviors=[*behaviors, fw.Wander(weight=20)])
    crowd = fw.Scene(world=fw.World.torus(300, 300), species=[people]).build()
    crowd.step(300)
    offset = crowd.positions()[:, np.newaxis] - crowd.positions()
    offset -= 300 * np.round(offset / 300)
    distance = np.hypot(offset[..., 0], offset[..., 1])
    return float(np.partition(distance, 1, axis=1)[:, 1].mean())


clear = fw.KeepClear(weight=5_000, distance=14)  # type: ignore[attr-defined]
print(f"{clear}: {nearest([clear]):.1f} units to the nearest, {nearest([]):.1f} without")
assert nearest([clear]) > 1.5 * nearest([])
