"""The examples run at small sizes, and the programs in the documentation run unchanged."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import flockwork as fw

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def run(program: Path, *options: str) -> str:
    command = [sys.executable, program, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("name", ["order", "predators", "epidemic", "evacuation", "routes", "cars", "live", "sweep"])
def test_examples_draw_their_picture(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    if name == "sweep":
        pytest.importorskip("pandas")
    picture = tmp_path / "picture.png"
    fewer = {"order": ["--levels", "3"], "sweep": ["--replicates", "1"]}.get(name, [])
    run(EXAMPLES / f"{name}.py", "--agents", "400", "--steps", "60", "--out", str(picture), *fewer)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_more_noise_is_less_order() -> None:
    pytest.importorskip("matplotlib")
    sys.path.insert(0, str(EXAMPLES))
    from order import run as order_at

    orders = [order_at(500, noise, 60)[0] for noise in (0.0, 0.4, 1.0)]
    assert orders[0] > 0.99 > 0.9 > orders[1] > 0.3 > orders[2]


def test_peers_follow_the_same_rules() -> None:
    for name in ("mesa", "networkx", "numba", "scipy"):
        pytest.importorskip(name)
    said = run(EXAMPLES / "peers.py", "--budget", "0.01", "--largest", "300")
    assert "flockwork: at most" in said and said.count("| 300 |") + said.count("| 100 |") == 4


def test_neighbors_are_those_of_scipy() -> None:
    pytest.importorskip("scipy")
    said = run(EXAMPLES / "neighbors.py", "--agents", "500", "--rounds", "1")
    assert said.startswith("500 agents") and said.count("times as long") == 2


def test_the_ratio_is_of_equal_steps(rust: Path) -> None:
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("the system does not say how long a process ran")
    said = run(HERE / "ratio.py", "--agents", "500", "--blocks", "3", "--steps", "2")
    assert said.count("[") == 4


def programs(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (HERE.parents[2] / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md", "engine/python/README.md"])
def test_the_programs_of_the_documentation_run(page: str) -> None:
    names: dict[str, object] = {}
    assert programs(page)
    for program in programs(page):
        exec(program, names)


def test_sums_over_neighbors_include_agents_that_see_nobody() -> None:
    """Regression: the page's sums were shorter than the crowd if the last slots saw nobody."""
    crowd = fw.Scene(world=fw.World.torus(4_000, 4_000), species=[fw.Species("fish", 0)]).build()
    crowd.spawn("fish", np.array([[10, 10], [12, 10], [2_000, 2_000], [3_000, 3_000]]), headings=(1, 0))
    crowd.step()
    (program,) = (program for program in programs("docs/python.md") if "np.bincount" in program)
    names = {"np": np, "crowd": crowd}
    exec(program, names)
    np.testing.assert_allclose(np.sort(names["alignment"]), [0, 0, 1, 1])
