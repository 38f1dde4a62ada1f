"""Steps release the interpreter's lock, and any thread may call a crowd."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import flock

import flockwork as fw


def test_other_threads_run_during_a_step() -> None:
    crowd = flock(20_000, world=fw.World.torus(3_000, 3_000)).build()
    crowd.set_threads(1)
    done = threading.Event()

    def step() -> None:
        crowd.step(100)
        done.set()

    thread = threading.Thread(target=step)
    thread.start()
    naps = 0
    while not done.is_set():
        time.sleep(0.001)
        naps += 1
    thread.join()
    assert naps > 10


def test_calls_take_turns_with_a_long_step() -> None:
    crowd, steps = flock(1_000).build(), 50_000
    thread = threading.Thread(target=crowd.step, args=(steps,))
    thread.start()
    ticks = [crowd.tick for _ in range(3)]
    crowd.set_threads(1)
    assert max(ticks) < steps and crowd.tick < steps
    thread.join()
    assert crowd.tick == steps


def test_calls_take_turns_with_steps_of_a_crowd_that_has_grown() -> None:
    """Regression: steps of the empty crowd set how many steps of the full one ran at once."""
    program = """
import threading, time
import numpy as np
import flockwork as fw
behaviors = [fw.Separation(), fw.Alignment(), fw.Cohesion()]
species = fw.Species("fish", 0, behaviors=behaviors)
crowd = fw.Scene(world=fw.World.torus(4000, 4000), species=[species]).build()
threading.Thread(target=crowd.step, args=(10**12,), daemon=True).start()
time.sleep(1)
crowd.spawn("fish", np.random.default_rng(1).uniform(0, 4000, (20_000, 2)))
time.sleep(0.2)
start = time.perf_counter()
assert crowd.tick > 0
print(time.perf_counter() - start, flush=True)
"""
    child = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=60)
    assert float(child.stdout) < 2


def test_calls_from_several_threads_are_the_same_as_in_turn() -> None:
    together, alone = flock().build(), flock().build()

    def step() -> None:
        for _ in range(50):
            together.step()
            assert len(together) == 205

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.step(200)
    assert together.tick == 200
    assert together.state_hash() == alone.state_hash()


def test_arguments_may_call_the_crowd_back(crowd: fw.Crowd) -> None:
    class Curious:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            crowd.step()
            return np.full(len(crowd), 2.0)

    class CuriousSpecies(fw.Species):
        def _data(self) -> dict[str, object]:
            crowd.step()
            return crowd.scene.species[0]._data()

    crowd.set("mass", Curious())
    crowd.set_species(CuriousSpecies("fish"))
    assert crowd.tick == 3, "once for the array, twice for the species, which is checked as it is made"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    crowd = flock(20_000, world=fw.World.torus(3_000, 3_000)).build()
    crowd.set_threads(threads)
    assert crowd.threads == threads
    crowd.step(3)
    other = flock(20_000, world=fw.World.torus(3_000, 3_000)).build()
    other.step(3)
    assert crowd.state_hash() == other.state_hash()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_many_steps() -> None:
    program = """
import flockwork as fw
crowd = fw.Scene.named("stress").with_agents(1000).build()
try:
    print("ready", flush=True)
    crowd.step(2**63)
except KeyboardInterrupt:
    print("ended", crowd.tick > 0)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout and child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0].startswith("ended")
