"""Scenes made in Python equal scenes from files, and errors say what is wrong."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import flock

import flockwork as fw


@pytest.mark.parametrize("name", fw.scene_names())
def test_a_scene_survives_the_way_through_python(name: str) -> None:
    scene = fw.Scene.named(name)
    again = fw.Scene.parse(scene.to_toml())
    assert again == scene
    assert again.to_toml() == scene.to_toml()
    # Evaluating the repr creates an equal scene.
    assert eval(repr(scene), vars(fw)) == scene
    small = scene.with_agents(300)
    assert fw.Scene.parse(small.to_toml()) == small
    assert len(small.build()) == 300


def test_everything_that_scenes_have_can_be_said_in_python() -> None:
    text = (Path(__file__).parents[3] / "docs" / "parameters.toml").read_text()
    scene = fw.Scene.parse(text)
    assert eval(repr(scene), vars(fw)) == scene
    assert fw.Scene.parse(scene.to_toml()) == scene


def test_parameters_that_are_none_although_their_defaults_are_not() -> None:
    # Regression: behaviors of an embedding crate lost them on the way from Rust.
    text = """
world = { topology = "torus", width = 400, height = 300 }
[[species]]
behaviors = [{ separation = { none = ["distance", "species"], weight = 9 } }]
"""
    assert fw.Scene.parse(text).species[0].behaviors == [fw.Separation(weight=9)]
    made = fw.behaviors.behavior_from({"separation": {"none": ["distance", "species"], "weight": 9}})
    assert made == fw.Separation(weight=9)


def test_goals_may_be_nested_in_scene_files() -> None:
    """Regression: a list of goals in a list was refused."""
    text = """
world = { topology = "bounded", width = 40, height = 30 }
points = { exit = [9, 9] }
routes = [{ name = "out", radius = 1, goal = [[[1, 2], [{ line = { a = [3, 4], b = [5, 6] } }]], [], "exit"] }]
"""
    scene = fw.Scene.parse(text)
    assert scene.routes[0].goal == [[1, 2], fw.Line((3, 4), (5, 6)), "exit"]
    assert fw.Crowd.from_snapshot(scene.build().snapshot()).scene == scene


def test_builders_give_the_scene_of_the_text() -> None:
    text = """
seed = 7
world = { topology = "bounded", width = 400, height = 300 }
points = { lure = [1, 2] }
obstacles = [{ center = [50, 60], radius = 7 }]
[[species]]
name = "fish"
agents = 30
max_speed = [10, 20]
locomotion = { car_like = { throttle = 1, brake = 2, steering = 3 } }
start = { place = { clusters = { count = 2, radius = 9 } }, heading = 90 }
behaviors = [{ separation = { weight = 9 } }, { seek = { target = "lure" } }]
"""
    fish = fw.Species(
        "fish",
        30,
        max_speed=(10, 20),
        locomotion=fw.CarLike(throttle=1, brake=2, steering=3),
        start=fw.Start(fw.Clusters(2, 9), heading=90),
        behaviors=[fw.Separation(weight=9), fw.Seek(target="lure")],
    )
    scene = fw.Scene(
        seed=7,
        world=fw.World.bounded(400, 300),
        points={"lure": (1, 2)},
        obstacles=[fw.Obstacle((50, 60), 7)],
        species=[fish],
    )
    assert scene.to_toml() == fw.Scene.parse(text).to_toml()
    assert scene.build().state_hash() == fw.Scene.parse(text).build().state_hash()


def test_numbers_of_numpy_are_numbers() -> None:
    scene = flock()
    scene.species[0].max_speed = np.float32(33)
    scene.obstacles = [fw.Obstacle(np.array([1, 2]), np.int64(3))]
    assert "max_speed = 33.0" in scene.to_toml()


def test_a_point_of_numpy_is_a_target_and_stays_where_it_was() -> None:
    point = np.array([5.0, 6.0])
    seek = fw.Seek(target=point)
    species = fw.Species("agent", 5, max_speed=np.array([50, 100]), behaviors=[seek])
    point[:] = 50
    assert "target=[5.0, 6.0]" in repr(seek)
    assert "max_speed=[50, 100]" in repr(species)
    assert len(fw.Scene(world=fw.World.torus(100, 100), species=[species]).build()) == 5


def test_a_value_out_of_range_is_refused_where_it_is_set() -> None:
    with pytest.raises(fw.FlockworkError) as refusal:
        fw.Separation(weight=-1)
    error = refusal.value
    assert (error.code, error.field, error.value) == ("out_of_range", "separation.weight", "-1.0")
    assert error.allowed == "from 0 to 1000000"
    assert str(error) == "separation.weight = -1.0: must be from 0 to 1000000"

    fish = fw.Species("fish", 10)
    with pytest.raises(fw.FlockworkError, match=r"species.max_speed = -3.0: must be from 0.001 to 100000 units/s"):
        fish.max_speed = -3
    assert fish.max_speed == 150, "it keeps its value"
    with pytest.raises(fw.FlockworkError, match="species.mass"):
        fish.mass = float("nan")
    with pytest.raises(fw.FlockworkError, match="species.agents"):
        fw.Species("fish", 2_000_000_000)


def test_a_value_of_a_wrong_type_is_refused() -> None:
    for wrong in ["fast", [1, 2, 3], None, {}]:
        with pytest.raises(fw.WrongType, match="max_speed") as refusal:
            fw.Species("fish", 10, max_speed=wrong)
        assert refusal.value.code == "wrong_type" and refusal.value.field == "species.max_speed"
    with pytest.raises(fw.FlockworkError, match="agents"):
        fw.Species("fish", -1)
    with pytest.raises(fw.FlockworkError, match="agents"):
        fw.Species("fish", 2**70)
    with pytest.raises(fw.FlockworkError):
        fw.Seek(target=object())
    with pytest.raises(fw.FlockworkError, match=r"species\[0\]"):
        fw.Scene(species=[3]).build()


def test_names_that_do_not_exist_are_refused_with_the_nearest() -> None:
    fish = fw.Species("fish")
    with pytest.raises(AttributeError, match="did you mean `max_speed`"):
        fish.maxspeed = 3
    with pytest.raises(TypeError, match="strength"):
        fw.Separation(strength=1)
    with pytest.raises(TypeError, match="target"):
        fw.Seek()
    with pytest.raises(fw.UnknownName) as refusal:
        fw.Scene.named("stres")
    assert refusal.value.nearest == "stress" and "sharks" in refusal.value.known
    assert refusal.value.field is None
    with pytest.raises(fw.UnknownName, match="lure") as refusal:
        flock(points={"lure": (0, 0)}, species=[fw.Species("a", behaviors=[fw.Seek(target="luer")])]).build()
    assert refusal.value.field == "species[0].behaviors[0].seek.target"


def test_files_that_are_missing_or_wrong() -> None:
    with pytest.raises(FileNotFoundError) as refusal:
        fw.Scene.load("missing.toml")
    assert isinstance(refusal.value, fw.FlockworkError) and refusal.value.code == "file"
    with pytest.raises(fw.FlockworkError, match=r"mine.toml:2: ") as refusal:
        fw.Scene.parse("seed = 1\nnon_penetration = 100", "mine.toml")


def test_a_crowd_too_large_is_refused() -> None:
    with pytest.raises(MemoryError) as refusal:
        fw.Scene(
            world=fw.World.torus(1e6, 1e6), species=[fw.Species("fish", 1_000_000_000)], heading_samples=100
        ).build()
    assert isinstance(refusal.value, fw.FlockworkError) and refusal.value.code == "memory"


def test_parameters_change_while_the_crowd_runs(crowd: fw.Crowd) -> None:
    fish = crowd.scene.species[0]
    fish.behaviors[0].weight = 7
    fish.max_speed = (20, 30)
    crowd.set_species(fish)
    assert crowd.scene.species[0] == fish
    speeds = crowd.get("max_speed", crowd.ids(species="fish"))
    assert speeds.min() >= 20 and speeds.max() <= 30 and len(set(speeds)) > 100
    crowd.set_steps_per_second(30)
    crowd.set_non_penetration(2)
    scene = crowd.scene
    assert (scene.steps_per_second, scene.non_penetration) == (30, 2)
    with pytest.raises(fw.FlockworkError, match="non_penetration"):
        crowd.set_non_penetration(100)
    crowd.set_solid(True)
    assert crowd.scene.solid
    with pytest.raises(fw.FlockworkError, match="solid"):
        crowd.set_solid("yes")  # type: ignore[arg-type]


def test_a_rate_of_steps_that_changes_lets_time_run_on() -> None:
    crowd = flock().build()
    crowd.step(60)
    crowd.set_steps_per_second(240)
    crowd.step(60)
    assert crowd.time == pytest.approx(1.25)


def test_speeds_that_were_written_count_for_the_length_of_a_step() -> None:
    crowd = fw.Scene(world=fw.World.torus(100, 100), species=[fw.Species("agent", 3, max_speed=10)]).build()
    crowd.set("max_speed", [5000], crowd.ids()[:1])
    with pytest.raises(fw.FlockworkError, match=r"at least 50 1/s.*the largest max_speed override is 5000 units/s"):
        crowd.set_steps_per_second(1)
    with pytest.raises(fw.FlockworkError, match=r"max_speed of agent .* = 7000.0: must be from 0.001 to 6000 units/s"):
        crowd.set("max_speed", [7000], crowd.ids()[:1])
    crowd.set_steps_per_second(50)


def test_replicates_start_alike_and_go_on_by_their_own_seeds() -> None:
    starts = [flock(seed=seed, start_seed=3).build() for seed in (3, 4)]
    assert starts[0].state_hash() == starts[1].state_hash() == flock().build().state_hash()
    for crowd in starts:
        crowd.step(20)
    assert starts[0].state_hash() != starts[1].state_hash()
    saved = starts[0].snapshot()
    hashes = []
    for seed in (3, 4, 4):
        crowd = fw.Crowd.from_snapshot(saved)
        crowd.set_seed(seed)
        assert (crowd.scene.seed, crowd.scene.start_seed) == (seed, 3)
        crowd.step(20)
        hashes.append(crowd.state_hash())
    starts[0].step(20)
    assert hashes[0] == starts[0].state_hash() != hashes[1] == hashes[2]


def test_definitions_and_crowds_can_be_pickled(crowd: fw.Crowd) -> None:
    scene = crowd.scene
    assert pickle.loads(pickle.dumps(scene)) == scene
    crowd.step()
    assert pickle.loads(pickle.dumps(crowd)).state_hash() == crowd.state_hash()


def test_what_things_say_of_themselves(crowd: fw.Crowd) -> None:
    separation = "Separation(weight=2, distance=None, field_of_view=None, species=['fish'])"
    assert repr(fw.Separation(weight=2, species=["fish"])) == separation
    assert repr(fw.Species("fish", 3, mass=2)) == "Species(name='fish', agents=3, mass=2)"
    crowd.step(2)
    assert repr(crowd) == "Crowd(fish: 200, shark: 5; torus of 400 x 300; step 2)"
    assert repr(crowd.table()) == "Table(205 agents, 17 columns)"
    assert "weight: Multiplier applied to the force; 0 disables the behavior (0 to 1e+06, default 200.0)" in (fw.Separation.__doc__ or "")
