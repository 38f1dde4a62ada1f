"""Common fixtures: a small crowd, and a program that makes calls in Rust."""

import shutil
from pathlib import Path

import pytest
from ratio import calls_in_rust

import flockwork as fw


def flock(agents: int = 200, **changes: object) -> fw.Scene:
    """A small flock with two species, a column and external accelerations."""
    rules = [fw.Separation(weight=200), fw.Alignment(weight=200), fw.Cohesion(), fw.External()]
    sharks = fw.Species("shark", 5, max_speed=90, behaviors=[fw.Pursuit(evader=fw.nearest("fish"))])
    fish = fw.Species("fish", agents, columns={"hunger": (0, 1)}, behaviors=[*rules, fw.Wander()])
    settings: dict[str, object] = {
        "world": fw.World.torus(400, 300),
        "species": [fish, sharks],
        "points": {"lure": (10, 10)},
        "seed": 3,
    }
    return fw.Scene(**(settings | changes))  # type: ignore[arg-type]


#: Size of the world of `deep`.
DEEP = (400.0, 300.0, 200.0)


def deep(agents: int = 200, **changes: object) -> fw.Scene:
    """The small flock in a world with depth."""
    settings: dict[str, object] = {"world": fw.World.torus(*DEEP), "points": {"lure": (10, 10, 10)}}
    return flock(agents, **(settings | changes))


@pytest.fixture
def crowd() -> fw.Crowd:
    return flock().build()


@pytest.fixture(scope="session")
def rust() -> Path:
    """Path of the program that makes calls in Rust."""
    if shutil.which("cargo") is None:
        pytest.skip("there is no cargo here to compare with Rust")
    return calls_in_rust()
