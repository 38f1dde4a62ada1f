"""Every call refuses invalid arguments, with an error that shows their name, their value and the allowed values."""

import inspect
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from conftest import flock

import flockwork as fw
from flockwork.definition import Definition

POINTS = [[1.0, 2.0], [3.0, 4.0]]
# A valid argument for each parameter, by name.
TAKEN: dict[str, Any] = {
    "agents": 300,
    "axes": None,
    "center": (1, 2),
    "centers": POINTS,
    "color": "heading",
    "columns": None,
    "count": 2,
    "crowd": None,
    "distance": 5.0,
    "end": (5, 6),
    "field_of_view": 90,
    "flow": fw.FlowField(1, [0.0]),
    "file": "scene.toml",
    "frames": 1,
    "frames_per_second": 30,
    "headings": POINTS,
    "high": (9, 9),
    "highs": POINTS,
    "id": 3,
    "ids": [1, 2],
    "iterations": 1,
    "line_of_sight": True,
    "low": (0, 0),
    "lows": POINTS,
    "n": 1,
    "name": "lure",
    "number": 0,
    "order": "slot",
    "path": "missing.toml",
    "points": POINTS,
    "positions": POINTS,
    "radius": 5.0,
    "route": "out",
    "samples": 5,
    "scene": None,
    "seed": 3,
    "share": 0.5,
    "size": 2,
    "snapshot": None,
    "solid": True,
    "species": "fish",
    "start": (1, 2),
    "steps_per_frame": 1,
    "steps_per_second": 60,
    "target": 3,
    "targets": [1, 2],
    "text": "",
    "threads": 1,
    "to": (1, 2),
    "values": [1, 2],
    "velocities": POINTS,
    "what": "mass",
    "height": 9,
    "width": 9,
    "depth": 9,
}
# Valid arguments of calls that differ from TAKEN.
OTHERS: dict[str, dict[str, Any]] = {
    "interpolate": {"start": POINTS, "end": POINTS},
    "set_species": {"species": flock().species[0]},
    "save": {"file": "film.gif"},
    "named": {"name": "flock"},
}
NUMBERS = {
    "radius", "distance", "share", "size", "frames_per_second", "steps_per_second", "n", "count", "threads",
    "iterations", "samples", "seed", "id", "target", "number", "agents", "frames", "steps_per_frame", "width", "height",
    "depth", "field_of_view",
}  # fmt: skip
MAY_BE_NONE = {"species", "ids", "target", "distance", "samples", "axes", "width", "height", "depth", "field_of_view"}
# Words of Rust and PyO3 that must not appear in errors.
FOREIGN = re.compile(r"enum|Sequence|Vec\b|Some\(|expected|PyObject|extract|u64|f32|_data")


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    crowd, scene = flock().build(), flock()
    film = pytest.importorskip("matplotlib") and fw.animate(crowd, 1, size=1)
    for owner in (crowd, scene, fw.World, film):
        for name, thing in inspect.getmembers(owner):
            if not name.startswith("_") and callable(thing):
                yield name, thing
    for name in ("nearest", "member", "agent", "draw", "animate"):
        yield name, getattr(fw, name)


def wrong(parameter: inspect.Parameter, taken: Any) -> list[Any]:
    # Regression: a memoryview, which has a shape but no dtype, raised an AttributeError.
    values: list[Any] = [object(), {1: 2}, memoryview(np.zeros((2, 3)))]
    if parameter.default is not None and parameter.name not in MAY_BE_NONE:
        values.append(None)
    if parameter.name in NUMBERS:
        values += ["many", True, np.True_, [1, 2, 3], 1j]
    elif isinstance(taken, str):
        values += [3, 2.5, b"text", ["text"]]
    elif taken is not None:
        values += ["text", np.zeros((2, 3)), [["x", "y"]]]
    return values


def test_every_argument_of_every_call_refuses_what_it_does_not_take() -> None:
    refused = 0
    for name, call in calls():
        parameters = inspect.signature(call).parameters
        crowd = getattr(call, "__self__", None)
        before = crowd.state_hash() if isinstance(crowd, fw.Crowd) else 0
        for parameter in parameters.values():
            given = {
                each: (TAKEN | OTHERS.get(name, {}))[each]
                for each, one in parameters.items()
                if one.default is inspect.Parameter.empty or each == parameter.name
            }
            if "crowd" in given:
                given["crowd"] = flock().build()
            for value in wrong(parameter, given[parameter.name]):
                with pytest.raises(fw.WrongType) as refusal:
                    call(**(given | {parameter.name: value}))
                error, context = str(refusal.value), f"{name}({parameter.name}={value!r}): {refusal.value}"
                assert re.match(rf"(world\.)?{parameter.name}\b", error), context
                assert " must be " in error and refusal.value.allowed, context
                assert not FOREIGN.search(error), context
                if not isinstance(value, np.ndarray):
                    # The error may name a part of the dictionary instead of the dictionary.
                    parts = [value, *value] if isinstance(value, dict) else [value]
                    named = any(f"({type(part).__name__})" in error for part in parts)
                    assert named or "[" in error, context
                refused += 1
        if isinstance(crowd, fw.Crowd):
            assert crowd.state_hash() == before, name
    assert refused > 300, refused


def definitions() -> list[Definition]:
    scene = fw.Scene.parse((Path(__file__).parents[3] / "docs" / "parameters.toml").read_text())
    assert scene.scatter and scene.scatter.walls and scene.flow
    parts: list[Any] = [scene, scene.world, scene.obstacles[0], scene.walls[0], scene.paths[0], scene.flow]
    parts += [scene.scatter, scene.scatter.walls, *scene.species, *scene.species[0].behaviors]
    parts += [scene.routes[0], fw.Line((0, 0), (1, 1))]
    parts += [species.start for species in scene.species] + [scene.species[1].locomotion]
    parts += [species.start.place for species in scene.species] + [fw.External()]
    return parts


def test_every_field_of_every_definition_refuses_what_it_does_not_take() -> None:
    seen = set()
    for made in definitions():
        seen.add(type(made))
        for name, (kind, _) in made._fields.items():
            before = made.__dict__[name]
            for value in [object(), 1j, [object()], {"a": object()}]:
                with pytest.raises(fw.WrongType) as refusal:
                    setattr(made, name, value)
                error = str(refusal.value)
                assert error.startswith(made._path + name) and " must be " in error, error
                assert not FOREIGN.search(error), error
                assert made.__dict__[name] is before, "it keeps its value"
            if kind.allowed.startswith(("a number", "a whole")):
                for value in ["fast", True, np.True_]:
                    with pytest.raises(fw.WrongType, match=name):
                        setattr(made, name, value)
    every = {thing for thing in vars(fw).values() if inspect.isclass(thing) and issubclass(thing, Definition)}
    assert every - {fw.Behavior} == seen


@pytest.mark.parametrize("value", ["false", "no", 1, 0, None, [], "True"])
def test_flags_are_only_true_or_false(value: object) -> None:
    for made, name in [
        (fw.Cohesion(), "normalized"),
        (fw.Wander(), "scaled"),
        (fw.Species("fish"), "view_includes_radius"),
        (fw.Wall([(0, 0), (1, 0)]), "two_sided"),
        (fw.Path("p", [(0, 0), (1, 0)]), "closed"),
    ]:
        with pytest.raises(fw.WrongType, match=rf"{name} = .* must be True or False"):
            setattr(made, name, value)
        for flag in (True, np.False_):
            setattr(made, name, flag)


def test_what_was_accepted_in_silence() -> None:
    with pytest.raises(fw.WrongType, match=r'world.topology = 100 \(int\): must be "torus", "bounded" or "open"'):
        fw.World(100, 100)  # type: ignore[arg-type]
    seek = fw.Seek(target="own")
    with pytest.warns(fw.FlockworkWarning, match=r"species\[0\].behaviors\[0\].seek.target = 'own'"):
        fw.Scene(world=fw.World.torus(9, 9), species=[fw.Species("a", 1, behaviors=[seek])]).build()
    with pytest.raises(fw.WrongType, match="values = '3'"):
        flock().build().set("mass", "3")
    with pytest.raises(fw.WrongType, match="values = "):
        flock().build().set("mass", [1.0, None], [1, 2])  # type: ignore[list-item]
    with pytest.raises(fw.WrongType, match="agents = True"):
        fw.Species("fish", True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in fw.scene_names():
            fw.Scene.named(name).build()


@pytest.mark.parametrize("value", [{"singlefile": "b"}, {"each_of": "b", "single_file": "b"}, {"each_of": 3}, {}, "next"])
def test_own_targets_are_one_of_the_three_forms(value: Any) -> None:
    # Regression: the refused value was shown as the parser's message, and what is allowed was not.
    with pytest.raises(fw.WrongType, match=r'species.own_target = .*: must be "previous", {"single_file"') as refusal:
        fw.Species("a", own_target=value)
    assert refusal.value.value == repr(value) and refusal.value.allowed
    for taken in ("previous", {"single_file": "b"}, {"each_of": "b"}, None):
        assert fw.Species("a", own_target=taken).own_target == taken


def test_numbers_of_agents_beyond_the_engine_are_refused() -> None:
    with pytest.raises(fw.FlockworkError, match="number = 4294967296: must be a whole number from 0 to 4294967295"):
        fw.member("a", 2**32)
    for target in ({"species": "a", "number": 2**32}, {"index": -1, "generation": 0}):
        with pytest.raises(fw.WrongType, match="seek.target = .*: must be a point"):
            fw.Seek(target=target)


def test_queries_of_no_points_refuse_wrong_arguments() -> None:
    crowd, none = flock().build(), np.empty((0, 2))
    for query in (
        lambda: crowd.agents_within_each(none, -5),
        lambda: crowd.agents_within_each(none, 5, "typo"),
        lambda: crowd.agents_in_each_rectangle(none, none, "typo"),
        lambda: crowd.nearest_agents_to_each(none, 2, "typo"),
        lambda: crowd.route_distance("typo", none),
    ):
        with pytest.raises(fw.FlockworkError):
            query()
    offsets, ids = crowd.agents_within_each(none, 5, "fish")
    assert offsets.tolist() == [0] and len(ids) == 0
    offsets, ids = crowd.agents_in_each_rectangle(none, none)
    assert offsets.tolist() == [0] and len(ids) == 0
    assert crowd.nearest_agents_to_each(none, 2).shape == (0, 2)


def test_whole_numbers_out_of_range_are_refused_in_words() -> None:
    crowd = flock().build()
    for refuse, said in [
        (lambda: crowd.step(-1), r"n = -1: must be a whole number from 0 to 2\*\*64 - 1"),
        (lambda: crowd.step(2**64), "n = 18446744073709551616: must be a whole number"),
        (lambda: crowd.set_threads(-2), "threads = -2: must be a whole number from 1 to 1024"),
        (lambda: crowd.remove([3, -1]), "ids = -1: must be 0 or larger"),
        (lambda: fw.Species("fish", -1), "species.agents = -1: must be a whole number from 0 to 1000000000"),
        (lambda: fw.Scene(non_penetration=2**40), "non_penetration = 1099511627776: must be a whole number from 0 to 64"),
        (lambda: fw.Scene(seed=2**64), "seed = 18446744073709551616: must be a whole number from 0"),
        (lambda: crowd.set("mass", 1e300), r"values = 1e\+300: must be numbers of single precision, within ±3.4e38"),
        (lambda: crowd.agents_within((1, 1), 1e39), r"radius = 1e\+39: must be a number of single precision"),
    ]:
        with pytest.raises(fw.FlockworkError, match=said):
            refuse()


def test_an_id_given_twice_is_said_to_be_given_twice() -> None:
    crowd = flock().build()
    with pytest.raises(fw.FlockworkError, match="ids = agent 1, given twice") as refusal:
        crowd.remove([1, 2, 1])
    assert refusal.value.value == "agent 1, given twice" and not isinstance(refusal.value, fw.NoSuchAgent)
    crowd.remove(0)
    again = crowd.spawn("fish", (1, 1), (1, 0))
    with pytest.raises(fw.FlockworkError, match=f"ids = agent {again}, given twice"):
        crowd.remove([again, again])
    assert len(crowd) == 205


def test_refusals_name_agents_as_python_does() -> None:
    crowd = flock().build()
    crowd.remove(0)
    old = crowd.spawn("fish", (1, 1), (1, 0))
    crowd.remove(old)
    with pytest.raises(fw.NoSuchAgent, match=f"agent {old} does not exist"):
        crowd.get("mass", old)
    again = crowd.spawn("fish", (1, 1), (1, 0))
    with pytest.raises(fw.FlockworkError, match=f"max_speed of agent {again} = -1") as refusal:
        crowd.set("max_speed", -1, again)
    assert refusal.value.field == f"max_speed of agent {again}"
    runaway = fw.Scene(world=fw.World.open(9, 9), species=[fw.Species("a", max_speed=100)]).build()
    runaway.spawn("a", (1e7, 0), (1, 0))
    with pytest.raises(fw.FlockworkError, match="agent 0 would move to"):
        runaway.step(10)


def test_arrays_that_are_not_aligned_count_as_their_copies() -> None:
    def misaligned(values: np.ndarray) -> np.ndarray:
        raw = b"-" + values.tobytes()
        shown = np.frombuffer(raw, values.dtype, offset=1, count=values.size).reshape(values.shape)
        assert not shown.flags.aligned
        return shown

    crowd, other = flock().build(), flock().build()
    ids = crowd.ids()[:40]
    at = np.linspace(1, 250, 80, dtype="f4").reshape(40, 2)
    for twin, same in ((crowd, misaligned), (other, np.copy)):
        twin.set("mass", same(np.linspace(1, 2, 40, dtype="f4")), same(ids))
        twin.set("position", same(at), same(ids.astype("i8")))
        twin.set("hunger", same(np.linspace(0, 1, 205)))
        twin.spawn("fish", same(at), same(at))
        twin.remove(same(ids[:5]))
        assert len(twin.agents_within(same(at[0]), 90)) > 0
        assert len(twin.nearest_agents_to_each(same(at), 3)) == 40
    assert crowd.state_hash() == other.state_hash()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("agents", [200, 60_000])
def test_a_crowd_of_the_parent_is_refused_after_fork(agents: int) -> None:
    program = f"""
import os, sys
import flockwork as fw
scene = fw.Scene(world=fw.World.torus(5_000, 5_000), species=[fw.Species("fish", {agents})])
crowd = scene.build()
crowd.set_threads(2)
crowd.step()
saved, shown = crowd.snapshot(), crowd.x
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for call in [crowd.step, crowd.snapshot, crowd.forces, crowd.state_hash, lambda: len(crowd), lambda: crowd.x,
             lambda: crowd.agents_within((1, 1), 9), lambda: crowd.set("mass", 2), lambda: repr(crowd),
             lambda: crowd.tick, lambda: crowd.vx, crowd.neighbor_rows, crowd.table]:
    try:
        call()
    except fw.Forked as refusal:
        assert "fork" in str(refusal) and refusal.code == "forked"
    else:
        sys.exit("a call was not refused")
# Crowds that the child builds work, and views made before the fork stay valid.
assert len(shown) == {agents}
mine = fw.Crowd.from_snapshot(saved)
mine.set_threads(2)
mine.step()
del crowd, shown
sys.exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=120, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr


def test_fields_have_the_types_that_help_shows() -> None:
    for made in definitions():
        hints = get_type_hints(type(made))
        for name, parameter in inspect.signature(type(made)).parameters.items():
            assert parameter.annotation == hints[name], (type(made), name)
