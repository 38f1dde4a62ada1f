"""Explanations, forces, and neighbors of all agents at once."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import flock

import flockwork as fw


def pairs(offsets: np.ndarray, indices: np.ndarray) -> set[tuple[int, int]]:
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return set(zip(rows.tolist(), indices.tolist()))


def test_rows_of_neighbors_are_what_each_agent_sees(crowd: fw.Crowd) -> None:
    crowd.step(3)
    offsets, indices = crowd.neighbor_rows()
    assert offsets.dtype == np.int64 and indices.dtype == np.int32 and offsets[-1] == len(indices)
    slots = crowd.ids("slot")
    for row, id in enumerate(slots.tolist()):
        assert slots[indices[offsets[row] : offsets[row + 1]]].tolist() == crowd.neighbors(id).tolist()


def test_rows_within_a_distance_are_those_of_all_pairs(crowd: fw.Crowd) -> None:
    crowd.step(3)
    at, (width, height) = np.stack([crowd.x, crowd.y], 1).astype(float), crowd.world_size
    offset = at[:, np.newaxis] - at
    offset -= np.round(offset / (width, height)) * (width, height)
    distance = np.hypot(offset[..., 0], offset[..., 1])
    np.fill_diagonal(distance, np.inf)
    for radius in [0, 3, 40, 170, 1_000]:
        assert not (abs(distance - radius) < 1e-4).any(), "rounding decides nothing here"
        assert pairs(*crowd.neighbor_rows(radius)) == set(zip(*map(np.ndarray.tolist, np.nonzero(distance <= radius))))


def test_rows_are_those_of_scipy_on_a_torus() -> None:
    spatial = pytest.importorskip("scipy.spatial")
    crowd = fw.Scene.named("stress").with_agents(3_000).build()
    crowd.step(5)
    at = np.stack([crowd.x, crowd.y], 1).astype(float)
    tree = spatial.cKDTree(at, boxsize=crowd.world_size)
    found = tree.query_ball_point(at, 40, return_sorted=False)
    expected = {(row, other) for row, others in enumerate(found) for other in others if other != row}
    assert pairs(*crowd.neighbor_rows(40)) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process")
def test_rows_that_do_not_fit_into_memory_are_refused() -> None:
    program = """
import resource
import flockwork as fw
crowd = fw.Scene(world=fw.World.torus(9, 9), species=[fw.Species("fish", 20_000)]).build()
crowd.set_threads(1)
resource.setrlimit(resource.RLIMIT_AS, (1_200_000_000, -1))
try:
    crowd.neighbor_rows(9)
except MemoryError as refusal:
    assert "1.6 GB" in str(refusal) or "memory is needed" in str(refusal)
    print("refused")
assert len(crowd.neighbor_rows(0.01)[0]) == 20_001
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "refused\n"


def test_queries_of_many_points_are_those_of_each(crowd: fw.Crowd) -> None:
    points = np.random.default_rng(1).uniform(-50, 450, (30, 2)).astype("f4")
    for species in (None, "shark"):
        offsets, ids = crowd.agents_within_each(points, 60, species)
        boxes, inside = crowd.agents_in_each_rectangle(points, points + 70, species)
        nearest = crowd.nearest_agents_to_each(points, 4, species)
        for k, point in enumerate(points):
            assert ids[offsets[k] : offsets[k + 1]].tolist() == crowd.agents_within(point, 60, species).tolist()
            assert (
                inside[boxes[k] : boxes[k + 1]].tolist()
                == crowd.agents_in_rectangle(point, point + 70, species).tolist()
            )
            assert nearest[k].tolist() == crowd.nearest_agents(point, 4, species).tolist()
    assert crowd.nearest_agents_to_each(points, 10**6, "shark").shape == (30, 5)
    assert crowd.nearest_agents_to_each([], 3).shape[0] == 0
    offsets, ids = crowd.agents_within_each([], 9)
    assert offsets.tolist() == [0] and len(ids) == 0
    with pytest.raises(fw.FlockworkError, match="highs = an array of shape .* must be an array of 30 x 2"):
        crowd.agents_in_each_rectangle(points, points[1:])


def test_few_or_no_points_and_agents_have_rows_of_the_usual_length() -> None:
    species = [fw.Species("fish", 50), fw.Species("shark", 2), fw.Species("none", 0)]
    crowd = fw.Scene(world=fw.World.torus(100, 100), species=species).build()
    no_points = np.empty((0, 2))
    assert crowd.nearest_agents_to_each(no_points, 3).shape == (0, 3)
    assert crowd.nearest_agents_to_each(no_points, 3, "shark").shape == (0, 2)
    assert crowd.nearest_agents_to_each(np.zeros((4, 2)), 3, "shark").shape == (4, 2)
    assert crowd.nearest_agents_to_each(np.zeros((4, 2)), 3, "none").shape == (4, 0)


def test_points_that_are_not_finite_are_refused_by_their_names(crowd: fw.Crowd) -> None:
    nan = float("nan")
    for field, call in {
        "center": lambda: crowd.agents_within((nan, 0), 5),
        "to": lambda: crowd.nearest_agents((0, np.inf)),
        "centers[1]": lambda: crowd.agents_within_each([(0, 0), (0, nan)], 5),
        "high": lambda: crowd.agents_in_rectangle((0, 0), (nan, 1)),
        "end": lambda: crowd.displacement((0, 0), (1, nan)),
        "columns[\"hunger\"]": lambda: crowd.spawn("fish", (1, 1), (1, 0), columns={"hunger": "x"}),
    }.items():
        with pytest.raises(fw.FlockworkError) as refusal:
            call()
        assert refusal.value.field == field


def test_forces_are_those_of_explanations(crowd: fw.Crowd) -> None:
    crowd.step(2)
    before = crowd.state_hash()
    forces, shares = crowd.forces(), crowd.force_shares()
    for id in (0, 7, 203):
        explanation = crowd.explain(id)
        assert tuple(forces[id]) == explanation.force
        assert explanation.neighbors.tolist() == crowd.neighbors(id).tolist()
        names = [one.behavior for one in explanation.contributions] + [name for _, name in explanation.unreached]
        species = crowd.scene.species[int(crowd.species()[id])]
        assert sorted(names) == sorted(behavior._tag or "" for behavior in species.behaviors)
        assert explanation.view_distance == species.view_distance
    np.testing.assert_allclose(shares, np.hypot(*forces.T) / crowd.get("max_force"), atol=1e-5)
    np.testing.assert_array_equal(crowd.forces("slot"), forces[crowd.ids("slot").astype(int)])
    assert crowd.state_hash() == before


def test_explanations_say_what_behaviors_compute_with() -> None:
    crowd = fw.Scene.named("wander").with_agents(12).build()
    crowd.step(5)
    marks = [mark for part in crowd.explain(0).contributions for mark in part.marks]
    circle = next(mark for mark in marks if mark.feature == "wander_circle")
    assert circle.shape == "circle" and circle.radius and len(circle.points) == 1
    target = next(mark for mark in marks if mark.feature == "wander_target")
    assert np.hypot(*np.subtract(target.points[0], circle.points[0])) == pytest.approx(circle.radius, rel=1e-3)


def test_contributions_can_be_compared() -> None:
    cohesion = fw.Species("fish", 20, behaviors=[fw.Cohesion(distance=50)])
    crowd = fw.Scene(world=fw.World.torus(50, 50), species=[cohesion]).build()
    [one] = crowd.explain(0).contributions
    assert one in [one] and one != crowd.explain(1).contributions[0]


def test_interpolation_takes_the_shortest_path(crowd: fw.Crowd) -> None:
    before = crowd.positions()
    crowd.step(4)
    after = crowd.positions()
    np.testing.assert_array_equal(crowd.interpolate(before, after, 0), before)
    between = crowd.interpolate(before, after, 0.5)
    for start, middle, end in zip(before, between, after):
        offset = np.array(crowd.displacement(start, end))
        np.testing.assert_allclose(crowd.displacement(start, middle), offset / 2, atol=1e-3)
    with pytest.raises(fw.FlockworkError, match="share"):
        crowd.interpolate(before, after, 2)
    with pytest.raises(fw.FlockworkError, match="end = an array of shape"):
        crowd.interpolate(before, after[1:], 0.5)


def test_smoothed_headings_are_the_mean_of_the_latest() -> None:
    crowd = flock().build()
    assert crowd.smoothed_headings() is None
    crowd.set_heading_samples(3)
    latest = [crowd.headings()]
    for _ in range(4):
        crowd.step()
        latest.append(crowd.headings())
    smoothed = crowd.smoothed_headings()
    assert smoothed is not None
    np.testing.assert_allclose(smoothed, np.mean(latest[-3:], axis=0), atol=1e-5)
    by_slot = crowd.smoothed_headings("slot")
    assert by_slot is not None
    np.testing.assert_array_equal(by_slot, smoothed[crowd.ids("slot").astype(int)])
    crowd.set_heading_samples(None)
    assert crowd.smoothed_headings() is None


def test_obstacles_and_walls_include_scattered_ones() -> None:
    scene = flock(
        world=fw.World.bounded(400, 300),
        obstacles=[fw.Obstacle((50, 60), 7)],
        walls=[fw.Wall([(1, 1), (99, 1), (99, 50)], closed=True)],
        scatter=fw.Scatter(obstacles=fw.Scattered(4), walls=fw.Scattered(2)),
    )
    crowd = scene.build()
    assert len(crowd.obstacles) == 5 and crowd.obstacles[0] == scene.obstacles[0]
    assert len(crowd.walls) == 5 and crowd.walls[0] == fw.Wall([(1, 1), (99, 1)])
    assert [wall.two_sided for wall in crowd.walls] == [False, False, False, True, True]
    # A scene with these obstacles and walls has the same scenery, without randomness.
    fixed = flock(world=scene.world, obstacles=crowd.obstacles, walls=crowd.walls).build()
    assert fixed.obstacles == crowd.obstacles and fixed.walls == crowd.walls


def test_columns_come_as_a_dictionary_of_arrays(crowd: fw.Crowd) -> None:
    crowd.step(2)
    for order in ("id", "slot"):
        columns = crowd.to_dict(order)  # type: ignore[arg-type]
        assert {"id", "species", "x", "vy", "hx", "mass", "hunger"} <= set(columns)
        names = np.array([species.name for species in crowd.scene.species])
        np.testing.assert_array_equal(columns["species"], names[crowd.species(order)])  # type: ignore[arg-type]
        assert all(type(column) is np.ndarray and len(column) == 205 for column in columns.values())
        np.testing.assert_array_equal(columns["id"], crowd.ids(order))  # type: ignore[arg-type]
        np.testing.assert_array_equal(columns["y"], crowd.positions(order)[:, 1])  # type: ignore[arg-type]
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(crowd.to_dict()).shape == (205, 17)


def test_rays_meet_the_first_wall_or_obstacle() -> None:
    scene = fw.Scene(world=fw.World.bounded(100, 100), species=[fw.Species("a", 20)])
    scene.obstacles, scene.walls = [fw.Obstacle((50, 50), 5)], [fw.Wall([(80, 0), (80, 100)])]
    crowd = scene.build()
    assert crowd.ray((0, 50), (100, 50)) == ("obstacle", 0, (45, 50), 45)
    assert crowd.ray((0, 10), (90, 10)) == ("wall", 0, (80, 10), 80)
    assert crowd.ray((0, 10), (70, 10)) is None
    crowd.set("position", (50, 50), crowd.ids()[0])
    assert crowd.ids()[0] in crowd.agents_in_scenery()


def test_agents_can_be_made_immovable() -> None:
    species = [fw.Species("a", 20), fw.Species("rock", 2, immovable=True)]
    crowd = fw.Scene(world=fw.World.torus(200, 200), species=species, non_penetration=2).build()
    assert crowd.get("immovable").tolist() == 20 * [0] + 2 * [1]
    crowd.set("immovable", 1, crowd.ids()[:3])
    assert crowd.get("immovable").sum() == 5
    with pytest.raises(fw.FlockworkError, match="must be 0 or 1"):
        crowd.set("immovable", 0.5)
