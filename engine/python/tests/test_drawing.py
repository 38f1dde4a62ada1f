"""Pictures and films show the crowd, and notebooks show both."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import flock

import flockwork as fw

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

EXAMPLES = Path(__file__).parents[1] / "examples"


def pixels(png: bytes) -> np.ndarray:
    import io

    shown: np.ndarray = matplotlib.image.imread(io.BytesIO(png))
    return shown[..., :3]


def colored(picture: np.ndarray) -> int:
    """The number of pixels that are neither white nor gray."""
    return int((np.ptp(picture, axis=-1) > 0.15).sum())


@pytest.mark.parametrize("color", ["heading", "speed", "species"])
@pytest.mark.parametrize("agents", [0, 1, 200, 6_000])
def test_agents_are_drawn_where_they_are(color: str, agents: int) -> None:
    import matplotlib.pyplot as plt

    crowd = flock(agents).build()
    axes = fw.draw(crowd, color=color)
    assert axes.get_xlim() == (0, 400) and axes.get_ylim() == (0, 300)
    plt.close(axes.figure)  # type: ignore[arg-type]


def test_an_agent_is_drawn_at_its_position_and_nowhere_else() -> None:
    crowd = fw.Scene(world=fw.World.torus(400, 300), species=[fw.Species("a")]).build()
    empty = pixels(crowd._repr_png_() or b"")
    assert colored(empty) == 0
    crowd.spawn("a", (300, 75), (1, 0))
    shown = pixels(crowd._repr_png_() or b"")
    y, x = np.nonzero(np.ptp(shown, axis=-1) > 0.15)
    height, width = shown.shape[:2]
    assert x.mean() / width == pytest.approx(0.75, abs=0.02) and y.mean() / height == pytest.approx(0.75, abs=0.02)


def test_points_are_drawn_beside_larger_agents() -> None:
    dots, disks = fw.Species("dot", 20, radius=0), fw.Species("disk", 5)
    crowd = fw.Scene(world=fw.World.torus(100, 100), species=[dots, disks]).build()
    figure = fw.draw(crowd).figure
    [agents] = [one for one in figure.axes[0].collections if len(one.get_paths()) == 25]
    assert all(np.isfinite(path.vertices).all() for path in agents.get_paths())


def test_scenery_is_drawn_also_across_the_seam() -> None:
    crowd = flock(0, obstacles=[fw.Obstacle((0, 0), 30)], walls=[fw.Wall([(100, 100), (200, 200)])]).build()
    axes = fw.draw(crowd)
    obstacles, walls, _ = axes.collections
    assert len(obstacles.get_paths()) == 9 and len(walls.get_paths()) == 1


def test_films_are_written_and_shown(tmp_path: Path) -> None:
    crowd = flock().build()
    film = fw.animate(crowd, 4, steps_per_frame=2, size=2)
    assert crowd.tick == 8
    film.save(tmp_path / "film.gif")
    film.save(str(tmp_path / "film.html"))
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF8")
    assert (tmp_path / "film.html").read_text().count("data:image/png;base64") == 4
    assert crowd.tick == 8, "showing a film again changes nothing"
    image = pytest.importorskip("PIL.Image")
    with image.open(tmp_path / "film.gif") as film_:
        assert film_.n_frames == 4
    with pytest.raises(fw.WrongType, match="file = 'film.mp4'"):
        film.save("film.mp4")


def test_a_film_that_starts_at_rest_colors_agents_by_their_speed() -> None:
    # Regression: the fastest agent of the first frame set the scale, so all others had one color.
    species = fw.Species("a", 50, start=fw.Start(speed=0), behaviors=[fw.Wander()])
    crowd = fw.Scene(world=fw.World.torus(400, 300), species=[species]).build()
    film = fw.animate(crowd, 9, color="speed", size=2)
    first, *_, last = film._moments
    assert last.speed.max() > 2 * first.speed.max()
    colors = [film._picture._colors(moment) for moment in (first, last)]
    assert len(np.unique(colors[0], axis=0)) == 1 and len(np.unique(colors[1], axis=0)) > 5


def test_a_film_shows_agents_of_an_open_world_wherever_they_go() -> None:
    # Regression: the agents of the first frame set the shown area, and moved out of it.
    crowd = fw.Scene(world=fw.World.open(40, 30), species=[fw.Species("a", 9, max_speed=100)]).build()
    film = fw.animate(crowd, 20, steps_per_frame=10, size=2)
    [axes] = film._picture.figure.axes
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    for moment in film._moments:
        assert left < moment.x.min() and moment.x.max() < right
        assert low < moment.y.min() and moment.y.max() < high


def test_without_matplotlib_crowds_are_text_and_drawing_says_what_is_missing() -> None:
    program = """
import sys
sys.modules["matplotlib"] = None
import flockwork as fw
crowd = fw.Scene.named("flock").with_agents(9).build()
assert crowd._repr_png_() is None
for draw in (fw.draw, fw.animate):
    try:
        draw(crowd)
    except ImportError as error:
        assert "pip install 'flockwork[draw]'" in str(error)
    else:
        sys.exit("it was drawn")
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "first.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in data for data in shown) and any("<img" in data.get("text/html", "") for data in shown)
