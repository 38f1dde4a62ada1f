"""Views of columns keep their values, whatever happens to the crowd."""

import gc
import os
import random
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
from conftest import deep, flock

import flockwork as fw

VIEWS = ["x", "y", "vx", "vy", "hx", "hy"]


VIEWS_IN_SPACE = [*VIEWS, "z", "vz", "hz"]


def view(crowd: fw.Crowd, name: str) -> np.ndarray:
    return crowd.column("hunger") if name == "hunger" else getattr(crowd, name)


def change(crowd: fw.Crowd, pick: random.Random) -> None:
    """Makes a random call that changes or moves columns."""
    ids = crowd.ids()
    some = ids[:: pick.randint(4, 20)]
    kind = pick.randrange(9)
    axes = len(crowd.world_size)
    if kind == 0:
        crowd.set("position", [pick.uniform(0, size) for size in crowd.world_size], some)
    elif kind == 1:
        crowd.set("heading", (pick.uniform(-1, 1), 0.5, 0.3)[:axes])
    elif kind == 2:
        crowd.set("hunger", pick.random(), some)
    elif kind == 3:
        at = np.random.default_rng(pick.randrange(99)).uniform(0, 200, (pick.randint(0, len(ids) // 4 + 9), axes))
        crowd.spawn("fish", at, (1, 0, 0)[:axes])
    elif kind == 4:
        crowd.remove(some)
    elif kind == 5:
        crowd.restore(crowd.snapshot())
    elif kind == 6:
        species = crowd.scene.species[0]
        species.columns["hunger"] = 0.5
        species.columns[f"more{pick.randrange(9)}"] = 1.0
        crowd.set_species(species)
    elif kind == 7 and len(ids):
        crowd.neighbors(int(ids[0]))
    else:
        crowd.step(pick.randint(1, 3))


@pytest.mark.parametrize("locomotion", ["point_mass", "constant_speed"])
@pytest.mark.parametrize("depth", [None, 200])
@pytest.mark.parametrize("seed", range(10))
def test_held_views_never_change(seed: int, depth: float | None, locomotion: str) -> None:
    pick = random.Random(seed)
    scene = flock() if depth is None else deep()
    views = VIEWS if depth is None else VIEWS_IN_SPACE
    for species in scene.species:
        species.locomotion = locomotion
    crowd = scene.build()
    held: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(120):
        for name in pick.sample([*views, "hunger"], pick.randint(0, 3)):
            shown = view(crowd, name)
            part = shown[pick.randint(0, 5) :: pick.randint(1, 3)] if pick.random() < 0.5 else shown
            held.append((part, part.copy()))
        change(crowd, pick)
        if pick.random() < 0.2:
            # Drop half of the views, so their memory is reused.
            pick.shuffle(held)
            del held[len(held) // 2 :]
    del crowd
    gc.collect()
    for shown, before in held:
        np.testing.assert_array_equal(shown, before)


def test_views_are_what_is_copied() -> None:
    crowd = flock().build()
    crowd.step(3)
    np.testing.assert_array_equal(np.stack([crowd.x, crowd.y], 1), crowd.positions("slot"))
    np.testing.assert_array_equal(np.stack([crowd.vx, crowd.vy], 1), crowd.velocities("slot"))
    np.testing.assert_array_equal(np.stack([crowd.hx, crowd.hy], 1), crowd.headings("slot"))
    np.testing.assert_array_equal(crowd.column("hunger"), crowd.get("hunger", order="slot"))


def test_third_components_are_views_unless_they_are_computed() -> None:
    crowd = deep().build()
    for name in ["z", "vz", "hz"]:
        first, second = getattr(crowd, name), getattr(crowd, name)
        assert np.shares_memory(first, second) and not first.flags.writeable
    scene = deep()
    for species in scene.species:
        species.locomotion = "constant_speed"
    crowd = scene.build()
    assert np.shares_memory(crowd.hz, crowd.hz) and not np.shares_memory(crowd.vz, crowd.vz)


def test_views_of_one_moment_share_memory() -> None:
    crowd = flock().build()
    first, second = crowd.x, crowd.x
    assert np.shares_memory(first, second)
    assert not first.flags.owndata
    crowd.step()
    third = crowd.x
    assert np.shares_memory(first, second) and not np.shares_memory(first, third)


def test_whoever_holds_nothing_pays_nothing() -> None:
    crowd = flock().build()
    address = crowd.x.ctypes.data
    crowd.set("hunger", 1.0)
    assert crowd.x.ctypes.data == address, "the column stays where it is"


def test_views_cannot_be_written(crowd: fw.Crowd) -> None:
    shown = crowd.x
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        shown.flags.writeable = True
    with pytest.raises(ValueError, match="WRITEABLE"):
        shown[1:].flags.writeable = True


def test_copies_can_be_written(crowd: fw.Crowd) -> None:
    before = crowd.state_hash()
    for copy in [crowd.positions(), crowd.get("mass"), crowd.ids(), crowd.species()]:
        copy[:] = 0
    assert crowd.state_hash() == before


def test_a_view_outlives_its_crowd() -> None:
    shown = flock().build().x
    gc.collect()
    assert len(shown) == 205 and np.isfinite(shown).all()


def test_nothing_leaks() -> None:
    crowd = flock().build()
    shown = crowd.x
    memory = weakref.ref(shown)
    crowd.step()
    crowds = sys.getrefcount(crowd)
    del shown
    assert memory() is None
    gone = weakref.ref(crowd)
    assert crowds == 2
    del crowd
    assert gone() is None


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say how much memory is used")
def test_memory_that_nobody_looks_at_any_more_is_freed() -> None:
    crowd = flock(50_000, world=fw.World.torus(5_000, 5_000)).build()

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = 0
    for step in range(220):
        held = [view(crowd, name) for name in [*VIEWS, "hunger"]]
        crowd.step()
        if step == 20:
            before = resident()
    assert len(held) == 7
    # Each step detaches 1.4 MB of columns.
    assert resident() - before < 50e6


# Large freed blocks go back to the system, and reading them crashes the program.
@pytest.mark.parametrize("agents", [3_000, 60_000])
def test_views_are_read_by_other_threads_while_the_crowd_goes_on(agents: int) -> None:
    crowd = flock(agents, world=fw.World.torus(5_000, 5_000)).build()
    stop = threading.Event()
    wrong: list[str] = []

    def look() -> None:
        pick = random.Random(threading.get_ident())
        while not stop.is_set():
            name = pick.choice([*VIEWS, "hunger"])
            shown = view(crowd, name)
            # numpy sorts without the interpreter's lock, and steps run without it.
            sums = {float(np.sort(shown).sum(dtype=np.float64)) for _ in range(20)}
            if len(sums) > 1:
                wrong.append(name)

    def go_on(seed: int) -> None:
        pick = random.Random(seed)
        for _ in range(40):
            try:
                change(crowd, pick)
            except fw.NoSuchAgent:
                pass  # Another thread has removed the agent.
            except Exception as error:
                wrong.append(repr(error))

    watchers = [threading.Thread(target=look) for _ in range(3)]
    drivers = [threading.Thread(target=go_on, args=(seed,)) for seed in range(3)]
    for thread in watchers + drivers:
        thread.start()
    for thread in drivers:
        thread.join()
    stop.set()
    for thread in watchers:
        thread.join()
    assert not wrong
