"""Calls with every accepted type of argument. `test_stubs.py` runs them and checks their types."""

from collections import UserDict
from types import MappingProxyType
from typing import SupportsFloat, SupportsIndex

import numpy as np

import flockwork as fw


def calls() -> fw.Crowd:
    """Makes the calls on a small crowd."""
    loop = fw.Path("loop", [(10, 10), [90, 20], np.array([50.0, 90.0])], closed=True)
    rules: list[fw.Behavior] = [fw.Seek(target=np.array([5.0, 6.0])), fw.Seek(target="own")]
    fish = fw.Species("fish", 20, max_speed=[50, 100], columns={"hunger": (0, 1)}, behaviors=rules)
    ants = fw.Species("ant", 5, mass=np.float64(2), behaviors=[fw.PathFollowing(path="loop")])
    hunter = fw.Pursuit(evader=MappingProxyType(fw.nearest("fish", distance=np.float32(50))))
    shark = fw.Species("shark", 1, behaviors=[hunter, fw.Evade(pursuer=fw.member("ant", np.int64(2)))])
    scene = fw.Scene(
        world=fw.World.torus(100, 100),
        species=[fish, ants, shark],
        paths=[loop],
        obstacles=[fw.Obstacle((30, 40), 3), fw.Obstacle([60, 40], 3), fw.Obstacle(np.array([60, 80]), 3)],
        points={"lure": (1, 2), "other": [3, 4]},
    )
    crowd = scene.with_agents(np.int32(40)).build()
    crowd.step(np.int64(3))
    ids = crowd.ids()
    mixed: list[SupportsIndex] = [np.uint32(0), 1]
    for some in (ids[:2], ids[:2].tolist(), tuple(ids[:2]), mixed, range(2)):
        crowd.set("hunger", np.float32(0.5), some)
        crowd.set_own_targets(some, ids[5])
        crowd.set_own_targets(some, [3, np.uint64(4)])
    crowd.set_own_targets(ids)
    crowd.set_own_target(ids[1], ids[2])
    crowd.set_own_target(np.int16(1), (3, 4))
    for columns in ({"hunger": 1}, UserDict({"hunger": [1.0]}), MappingProxyType({"hunger": np.ones(1)})):
        crowd.spawn("fish", [[5, 5]], columns=columns)
    numbers: list[SupportsFloat] = [1, np.float32(2)]
    for point in ((1, 2), numbers, np.array([1, 2]), range(1, 3)):
        crowd.set_point("lure", point)
        crowd.agents_within(point, np.float32(9))
        crowd.nearest_agents(point, np.uint8(2))
        crowd.agents_in_rectangle(point, [50, 60.5])
    crowd.agents_within_each([(1, 2), [3, 4]], 5)
    crowd.agents_within_each(np.array([[1, 2], [3, 4]]), np.int64(5))
    crowd.explain(ids[0])
    crowd.neighbors(np.uint64(0))
    crowd.neighbor_rows(np.float32(20))
    crowd.set_steps_per_second(np.float32(30))
    crowd.set_non_penetration(np.int8(1))
    crowd.set_solid(np.bool_(True))
    crowd.set_seed(np.uint64(7))
    crowd.set_heading_samples(np.int64(3))
    crowd.set("waypoint", 1, crowd.ids(species="ant"))
    crowd.restore(memoryview(crowd.snapshot()))
    return fw.Crowd.from_snapshot(bytearray(crowd.snapshot()))


if __name__ == "__main__":
    calls()
