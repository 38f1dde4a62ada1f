"""What tests share: small crowds of every kind, and the same calls in Rust."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import flockwork as fw

HERE = Path(__file__).parent


def flock(agents: int = 200, **changes: object) -> fw.Scene:
    """A small flock with two species, a column and accelerations from outside."""
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


@pytest.fixture
def crowd() -> fw.Crowd:
    return flock().build()


@pytest.fixture(scope="session")
def rust() -> Path:
    """The program that makes calls in Rust."""
    if shutil.which("cargo") is None:
        pytest.skip("there is no cargo here to compare with Rust")
    command = ["cargo", "build", "--release", "--quiet", "--package", "calls", "--message-format=json"]
    built = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, check=True, text=True)
    programs = (json.loads(line).get("executable") for line in built.stdout.splitlines())
    return Path(next(filter(None, programs)))
