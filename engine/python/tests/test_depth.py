"""Worlds with depth: arrays have three columns, and points three numbers."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import DEEP, deep, flock

import flockwork as fw

SIZE = np.array(DEEP)


def offsets(points: np.ndarray, center: np.ndarray) -> np.ndarray:
    """The shortest offsets from a center to points, across the seam if necessary."""
    offset = points.astype(float) - center
    return offset - np.round(offset / SIZE) * SIZE


@pytest.fixture
def crowd() -> fw.Crowd:
    return deep().build()


def test_arrays_have_a_column_for_each_axis(crowd: fw.Crowd) -> None:
    crowd.step(30)
    agents = len(crowd)
    for array in [crowd.positions(), crowd.velocities(), crowd.headings(), crowd.forces(), crowd.get("position")]:
        assert array.shape == (agents, 3) and array.dtype == np.float32
        assert np.isfinite(array).all() and np.ptp(array[:, 2]) > 0
    assert crowd.world_size == (400, 300, 200)
    assert ((crowd.positions() >= 0) & (crowd.positions() <= SIZE)).all()
    np.testing.assert_allclose(np.linalg.norm(crowd.headings(), axis=1), 1, atol=1e-5)
    assert crowd.smoothed_headings() is None
    crowd.set_heading_samples(5)
    crowd.step()
    smoothed = crowd.smoothed_headings()
    assert smoothed is not None and smoothed.shape == (agents, 3)
    assert repr(crowd) == "Crowd(fish: 200, shark: 5; torus of 400 x 300 x 200; step 31)"


@pytest.mark.parametrize("locomotion", ["point_mass", "constant_speed"])
def test_third_components_are_those_of_the_copies(locomotion: str) -> None:
    scene = deep()
    for species in scene.species:
        species.locomotion = locomotion
    crowd = scene.build()
    crowd.step(3)
    held = []
    for names, copied in [
        (("x", "y", "z"), crowd.positions("slot")),
        (("vx", "vy", "vz"), crowd.velocities("slot")),
        (("hx", "hy", "hz"), crowd.headings("slot")),
    ]:
        for axis, name in enumerate(names):
            shown = getattr(crowd, name)
            np.testing.assert_array_equal(shown, copied[:, axis])
            assert not shown.flags.writeable
            held.append((shown, copied[:, axis]))
    crowd.step()
    for shown, before in held:
        np.testing.assert_array_equal(shown, before)


def test_tables_have_third_components_only_in_worlds_with_depth(crowd: fw.Crowd) -> None:
    columns = crowd.to_dict()
    assert list(columns)[2:11] == ["x", "y", "z", "vx", "vy", "vz", "hx", "hy", "hz"]
    np.testing.assert_array_equal(columns["z"], crowd.positions()[:, 2])
    np.testing.assert_array_equal(columns["vz"], crowd.velocities()[:, 2])
    assert repr(crowd.table()) == "Table(205 agents, 21 columns)"
    assert list(flock().build().to_dict())[2:8] == ["x", "y", "vx", "vy", "hx", "hy"]


def test_a_flat_crowd_has_no_third_components() -> None:
    crowd = flock().build()
    for name in ["z", "vz", "hz"]:
        assert not hasattr(crowd, name)
        with pytest.raises(fw.FlatWorld, match=f"`{name}`: .* flat") as refusal:
            getattr(crowd, name)
        assert (refusal.value.code, refusal.value.field) == ("flat_world", name)


def test_what_was_set_is_what_is_read(crowd: fw.Crowd) -> None:
    generator = np.random.default_rng(1)
    ids = generator.permutation(crowd.ids())[:50]
    at = generator.uniform(1, 199, (50, 3)).astype("f4")
    crowd.set("position", at, ids)
    np.testing.assert_array_equal(crowd.get("position", ids), at)
    np.testing.assert_array_equal(crowd.get("position", int(ids[7])), at[7])
    np.testing.assert_array_equal(crowd.positions()[ids.astype(int)], at)
    crowd.set("position", crowd.positions()[::-1], order="slot")
    crowd.set("heading", (0, 0, 3), 4)
    np.testing.assert_array_equal(crowd.get("heading", 4), [0, 0, 1])
    crowd.set("velocity", (0, 3, 4), 4)
    np.testing.assert_allclose(crowd.get("heading", 4), [0, 0.6, 0.8], atol=1e-6)


def test_own_targets_and_points_have_three_numbers() -> None:
    seekers = fw.Species("a", 5, own_target="previous", behaviors=[fw.Seek(target="own"), fw.Seek(target="lure")])
    crowd = deep(species=[seekers]).build()
    crowd.set("own_target", np.arange(15).reshape(5, 3))
    np.testing.assert_array_equal(crowd.get("own_target"), np.arange(15).reshape(5, 3))
    crowd.set_own_target(2, (7, 8, 9))
    np.testing.assert_array_equal(crowd.get("own_target", 2), [7, 8, 9])
    crowd.set_point("lure", (1, 2, 3))
    assert crowd.scene.points == {"lure": [1, 2, 3]}
    with pytest.raises(fw.WrongType, match=r"target = .* or a point \[x, y, z\]"):
        crowd.set_own_target(2, 1.5)  # type: ignore[arg-type]


def test_agents_are_spawned_in_space(crowd: fw.Crowd) -> None:
    one = crowd.spawn("fish", (10, 20, 30), (0, 0, 1), columns={"hunger": 0.5})
    assert tuple(crowd.get("position", one)) == (10, 20, 30) and tuple(crowd.get("heading", one)) == (0, 0, 1)
    many = crowd.spawn("fish", np.full((3, 3), 9.0), velocities=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(crowd.get("velocity", many), np.eye(3))
    # Omitted headings are random in all three dimensions.
    drawn = crowd.get("heading", crowd.spawn("fish", np.full((50, 3), 9.0)))
    assert np.abs(drawn[:, 2]).max() > 0.5


def test_queries_find_what_numpy_finds(crowd: fw.Crowd) -> None:
    crowd.step(2)
    at, species = crowd.positions(), crowd.species()
    generator = np.random.default_rng(2)
    centers = generator.uniform(0, SIZE, (20, 3)).astype("f4")
    starts, found = crowd.agents_within_each(centers, 60, "fish")
    box_starts, boxed = crowd.agents_in_each_rectangle(centers - 40, centers + 40)
    nearest = crowd.nearest_agents_to_each(centers, 4)
    assert nearest.shape == (20, 4) and len(found) > 20 and len(boxed) > 20
    for number, center in enumerate(centers):
        offset = offsets(at, center)
        distance = np.linalg.norm(offset, axis=1)
        assert not (abs(distance - 60) < 1e-4).any(), "rounding decides nothing here"
        near = np.flatnonzero((distance <= 60) & (species == 0)).tolist()
        assert found[starts[number] : starts[number + 1]].tolist() == near
        assert crowd.agents_within(center, 60, "fish").tolist() == near
        inside = np.flatnonzero((abs(offset) <= 40).all(axis=1)).tolist()
        assert boxed[box_starts[number] : box_starts[number + 1]].tolist() == inside
        assert crowd.agents_in_rectangle(center - 40, center + 40).tolist() == inside
        assert nearest[number].tolist() == np.argsort(distance)[:4].tolist()
        assert crowd.nearest_agents(center, 4).tolist() == nearest[number].tolist()


def test_distances_count_across_the_upper_seam(crowd: fw.Crowd) -> None:
    assert crowd.displacement((1, 1, 1), (399, 299, 198)) == (-2, -2, -3)
    between = crowd.interpolate([[10, 10, 1]], [[20, 10, 199]], 0.5)
    assert between.shape == (1, 3)
    np.testing.assert_allclose(between % SIZE, [[15, 10, 0]], atol=1e-4)
    assert flock().build().displacement((1, 1), (399, 299)) == (-2, -2)


def test_neighbors_are_those_within_a_sphere(crowd: fw.Crowd) -> None:
    crowd.step(2)
    starts, indices = crowd.neighbor_rows(50)
    at = np.stack([crowd.x, crowd.y, crowd.z], axis=1)
    for row in range(len(crowd)):
        distance = np.linalg.norm(offsets(at, at[row]), axis=1)
        expected = set(np.flatnonzero(distance <= 50).tolist()) - {row}
        assert set(indices[starts[row] : starts[row + 1]].tolist()) == expected


def test_explanations_have_three_numbers(crowd: fw.Crowd) -> None:
    crowd.step(3)
    explained = [crowd.explain(int(id)) for id in crowd.ids()]
    forces = crowd.forces()
    for why, force in zip(explained, forces):
        np.testing.assert_allclose(why.force, force, rtol=1e-4, atol=1e-2)
        assert len(why.query[0]) == len(why.query[1]) == 3
        assert all(len(part.force) == len(part.kept) == 3 for part in why.contributions)
        assert all(len(point) == 3 for part in why.contributions for mark in part.marks for point in mark.points)
    assert any(part.marks for why in explained for part in why.contributions)
    flat = flock().build().explain(0)
    assert len(flat.force) == len(flat.query[0]) == len(flat.contributions[0].kept) == 2


def test_accelerations_from_outside_lift_agents(crowd: fw.Crowd) -> None:
    assert "acceleration_z" in crowd.columns and "acceleration_z" not in flock().build().columns
    before = crowd.velocities()[:, 2].mean()
    crowd.set("acceleration_z", 20)
    crowd.step(30)
    assert crowd.velocities()[:, 2].mean() > before + 5


def test_climbs_are_limited() -> None:
    birds = fw.Species("bird", 100, max_climb=20, behaviors=[fw.Wander()])
    crowd = deep(species=[birds]).build()
    crowd.step(20)
    assert abs(crowd.hz).max() == pytest.approx(np.sin(np.radians(20)), abs=1e-4)
    with pytest.raises(fw.FlockworkError, match="species.max_climb = 90.0: must be from 0 to 89 degrees"):
        birds.max_climb = 90
    with pytest.raises(fw.FlockworkError, match=r"species\[0\].max_climb"):
        flock(species=[fw.Species("bird", 1, max_climb=20)]).build()


def test_everything_with_a_place_survives_the_way_through_a_scene_file() -> None:
    kinds = [
        fw.Species("a", 9, start=fw.Start(fw.Circle((50, 60, 70), 20)), max_climb=45, behaviors=[fw.Containment()]),
        fw.Species("b", 9, start=fw.Start(fw.Box((1, 2, 3), (40, 50, 60))), behaviors=[fw.PathFollowing(path="loop")]),
        fw.Species("c", 9, start=fw.Start(fw.Clusters(2, 9)), behaviors=[fw.Seek(target=(1, 2, 3))]),
        fw.Species("d", 9, behaviors=[fw.OffsetPursuit(leader=fw.member("a", 0), above=5), fw.WallAvoidance()]),
    ]
    upright, floor = fw.Wall([(10, 10), (20, 20)]), fw.Wall([(0, 0, 5), (90, 0, 5), (90, 90, 5)], two_sided=True)
    scene = fw.Scene(
        world=fw.World.bounded(400, 300, 200),
        points={"lure": (10, 20, 30)},
        obstacles=[fw.Obstacle((100, 100, 100), 30)],
        walls=[floor, upright],
        paths=[fw.Path("loop", [(10, 10, 10), (90, 90, 90), (10, 90, 90)], closed=True)],
        species=kinds,
    )
    again = fw.Scene.parse(scene.to_toml())
    assert again == scene and again.to_toml() == scene.to_toml()
    assert eval(repr(scene), vars(fw)) == scene
    crowd, twin = scene.build(), again.build()
    for one in (crowd, twin):
        one.step(20)
    assert crowd.state_hash() == twin.state_hash() == fw.Crowd.from_snapshot(crowd.snapshot()).state_hash()
    assert crowd.obstacles == scene.obstacles
    assert crowd.walls == [upright, floor]


FLAT_CALLS: list[tuple[str, Callable[[fw.Crowd, Any], Any]]] = [
    ("center", lambda crowd, one: crowd.agents_within(one, 5)),
    ("centers", lambda crowd, one: crowd.agents_within_each([one], 5)),
    ("low", lambda crowd, one: crowd.agents_in_rectangle(one, one)),
    ("lows", lambda crowd, one: crowd.agents_in_each_rectangle([one], [one])),
    ("to", lambda crowd, one: crowd.nearest_agents(one)),
    ("points", lambda crowd, one: crowd.nearest_agents_to_each([one])),
    ("start", lambda crowd, one: crowd.displacement(one, one)),
    ("start", lambda crowd, one: crowd.interpolate([one], [one], 0.5)),
    ("to", lambda crowd, one: crowd.set_point("lure", one)),
    ("target", lambda crowd, one: crowd.set_own_target(0, one)),
    ("positions", lambda crowd, one: crowd.spawn("fish", one)),
    ("positions", lambda crowd, one: crowd.spawn("fish", [one, one])),
    ("values", lambda crowd, one: crowd.set("position", one)),
    ("values", lambda crowd, one: crowd.set("heading", [one] * len(crowd))),
]


@pytest.mark.parametrize(("name", "call"), FLAT_CALLS)
def test_a_wrong_count_of_numbers_is_refused_in_both_kinds_of_world(name: str, call: Callable[..., Any]) -> None:
    for crowd, wrong, allowed in [
        (flock().build(), (1, 2, 3), r"\[x, y\]"),
        (deep().build(), (1, 2), r"\[x, y, z\] in a world with depth"),
        (deep().build(), (1, 2, 3, 4), r"\[x, y, z\] in a world with depth"),
    ]:
        before = crowd.state_hash()
        with pytest.raises(fw.WrongType, match=f"^{name} = .*must be .*{allowed}"):
            call(crowd, wrong)
        assert crowd.state_hash() == before


def test_the_second_of_two_vectors_is_counted_too(crowd: fw.Crowd) -> None:
    for name, call in [
        ("headings", lambda: crowd.spawn("fish", (1, 2, 3), (1, 0))),
        ("velocities", lambda: crowd.spawn("fish", (1, 2, 3), velocities=(1, 0))),
        ("end", lambda: crowd.displacement((1, 2, 3), (1, 2))),
        ("high", lambda: crowd.agents_in_rectangle((1, 2, 3), (9, 9))),
    ]:
        with pytest.raises(fw.WrongType, match=rf"^{name} = .*\[x, y, z\] in a world with depth"):
            call()
    with pytest.raises(fw.FlockworkError, match="end = .*must be an array of 2 x 3 numbers"):
        crowd.interpolate([[1, 2, 3], [4, 5, 6]], [[1, 2, 3]], 0.5)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("points.lure", lambda one: {"points": {"lure": one}}),
        ("obstacles[0].center", lambda one: {"obstacles": [fw.Obstacle(one, 3)]}),
        ("paths[0].points[0]", lambda one: {"paths": [fw.Path("p", [one, one])]}),
        ("start.place.circle.center", lambda one: {"species": [fw.Species("a", 1, start=fw.Start(fw.Circle(one, 3)))]}),
        ("seek.target", lambda one: {"species": [fw.Species("a", 1, behaviors=[fw.Seek(target=one)])]}),
    ],
)
def test_scenes_with_a_wrong_count_of_numbers_are_refused(field: str, changes: Callable[..., Any]) -> None:
    for make, wrong, allowed in [
        (flock, (1, 2, 3), "two numbers in a flat world"),
        (deep, (1, 2), "three numbers in a world with depth"),
    ]:
        with pytest.raises(fw.FlockworkError, match=re.escape(field) + ".*" + allowed):
            make(**changes(wrong)).build()  # type: ignore[operator]
    for wrong in [(1,), (1, 2, 3, 4)]:
        with pytest.raises(fw.WrongType, match=r"\[x, y, z\]"):
            deep(**changes(wrong))


@pytest.mark.parametrize("agents", [300, 6_000])
def test_a_picture_shows_x_and_y(agents: int) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    floor = fw.Wall([(0, 0, 5), (90, 0, 5), (90, 90, 5)])
    crowd = deep(agents, obstacles=[fw.Obstacle((200, 150, 100), 30)], walls=[floor]).build()
    axes = fw.draw(crowd, color="speed")
    assert axes.get_xlim() == (0, 400) and axes.get_ylim() == (0, 300)
    _, walls, drawn = axes.collections
    np.testing.assert_array_equal(walls.get_paths()[0].vertices, [[0, 0], [90, 0], [90, 90], [0, 0]])
    if agents == 6_000:
        np.testing.assert_array_equal(drawn.get_offsets(), np.stack([crowd.x, crowd.y], axis=1))
    else:
        # An agent that climbs straight up is drawn, too.
        crowd.set("heading", (0, 0, 1))
        corners = fw.draw(crowd).collections[2].get_paths()[0].vertices
        assert np.ptp(np.asarray(corners), axis=0).min() > 1
    plt.close("all")
