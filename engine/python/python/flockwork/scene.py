"""Scenes: the definitions of crowds. Names, defaults and ranges are the same as in scene files."""

from __future__ import annotations

import dataclasses
import os
import tomllib
import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, field
from typing import Annotated, Any, Literal, SupportsFloat, SupportsIndex, Union

from . import _engine
from .behaviors import TARGET, Behavior, behavior_from
from .definition import Definition, definition, fit
from .errors import FlockworkWarning
from .kinds import FLAG, NUMBER, POINT, TEXT, WHOLE, About, Point, plain

Value = Union[float, Sequence[float]]
"""One number for all agents, or a range (low, high) from which each agent draws its own number."""

_UNITS = "world units"
_FORCE = "mass·units/s²"
_PER_AGENT = ": one number for all agents, or a pair from which each draws its own"


def _is_own_target(value: Any) -> bool:
    if not isinstance(value, dict):
        return value is None or value == "previous"
    return list(value) in (["single_file"], ["each_of"]) and all(isinstance(name, str) for name in value.values())


_OWN_TARGET = plain('"previous", {"single_file": species}, {"each_of": species} or None', _is_own_target)


@definition
class World(Definition):
    """The size of the world, and the topology of its edges."""

    _path = "world."
    topology: Annotated[Literal["torus", "bounded", "open"], About("Topology of the edges")] = "torus"
    width: Annotated[float | None, About("Extent along x", 1e-3, 1e7, _UNITS)] = None
    height: Annotated[float | None, About("Extent along y", 1e-3, 1e7, _UNITS)] = None
    mean_neighbors: Annotated[
        float | None,
        About(
            "In place of width and height: the mean number of neighbors that agents of the first species see, which "
            "sets the size of a square world",
            1e-3,
            1e6,
        ),
    ] = None
    depth: Annotated[float | None, About("Extent along z; without it, the world is flat", 1e-3, 1e7, _UNITS)] = None
    dimensions: Annotated[
        int | None, About("Number of dimensions of a world sized by mean_neighbors; with 3, it is a cube", 2, 3)
    ] = None

    @classmethod
    def torus(cls, width: float, height: float, depth: float | None = None) -> World:
        """A world that wraps around: left joins right, and bottom joins top. With a depth, it has three dimensions."""
        return cls("torus", width, height, depth=depth)

    @classmethod
    def bounded(cls, width: float, height: float, depth: float | None = None) -> World:
        """A world enclosed in a rectangle, or with a depth, in a box."""
        return cls("bounded", width, height, depth=depth)

    @classmethod
    def open(cls, width: float, height: float, depth: float | None = None) -> World:
        """A world without edges. Agents start in a rectangle of this size, or with a depth, in a box."""
        return cls("open", width, height, depth=depth)


@definition
class CarLike(Definition):
    """Locomotion like that of a car: a point mass with separate force limits forward, backward and sideways."""

    _tag, _path = "car_like", "car_like."
    throttle: Annotated[float, About("Maximum force forward", 0, 1e9, _FORCE)]
    brake: Annotated[float, About("Maximum force backward", 0, 1e9, _FORCE)]
    steering: Annotated[float, About("Maximum force to either side", 0, 1e9, _FORCE)]


@definition
class Circle(Definition):
    """A circle to start in; in a world with depth, a sphere."""

    _tag, _path = "circle", "circle."
    center: Annotated[Point, About("Center", -1e7, 1e7, _UNITS)]
    radius: Annotated[float, About("Radius", 0, 1e7, _UNITS)]


@definition
class Box(Definition):
    """A rectangle to start in; in a world with depth, a box."""

    _tag, _path = "box", "box."
    low: Annotated[Point, About("The corner with the smallest coordinates", -1e7, 1e7, _UNITS)]
    high: Annotated[Point, About("The corner with the largest coordinates", -1e7, 1e7, _UNITS)]


@definition
class Clusters(Definition):
    """Circles around random centers to start in; in a world with depth, spheres."""

    _tag, _path = "clusters", "clusters."
    count: Annotated[int, About("Number of circles, at random positions", 1, 1e6)]
    radius: Annotated[float, About("Radius of each circle", 0, 1e7, _UNITS)]


@definition
class Start(Definition):
    """The initial area, heading and speed of a species' agents."""

    _path = "start."
    place: Annotated[Literal["anywhere"] | Circle | Box | Clusters, About("The area to start in")] = "anywhere"
    heading: Annotated[
        float | None, About("Counterclockwise from the right; None for random headings", -360, 360, "degrees")
    ] = None
    speed: Annotated[float | None, About("Initial speed; None for 1", 0, 1, "of the maximum speed")] = None


@definition
class Species(Definition):
    """Agents with common parameters, and the behaviors that steer them, in order of priority."""

    _path = "species."
    name: Annotated[str, About("Name in targets and errors")]
    agents: Annotated[int, About("Initial number of agents", 0, 1e9)] = 0
    _: KW_ONLY
    view_distance: Annotated[float, About("Maximum distance to a visible neighbor", 1e-3, 1e6, _UNITS)] = 50.0
    field_of_view: Annotated[float, About("Full angle of view", 0, 360, "degrees")] = 360.0
    view_includes_radius: Annotated[
        bool, About("If true, agents see a neighbor once its rim is in view; otherwise, once its center is")
    ] = False
    max_speed: Annotated[Value, About("Maximum speed" + _PER_AGENT, 1e-3, 1e5, "units/s")] = 150.0
    max_force: Annotated[Value, About("Maximum steering force" + _PER_AGENT, 0, 1e9, _FORCE)] = 400.0
    mass: Annotated[Value, About("Divides the force" + _PER_AGENT, 1e-3, 1e6)] = 1.0
    radius: Annotated[Value, About("Radius of the bounding circle" + _PER_AGENT, 0, 1e4, _UNITS)] = 3.0
    immovable: Annotated[
        bool, About("If true, non_penetration does not push the agents: it pushes others off them by the whole overlap")
    ] = False
    max_turn_rate: Annotated[float | None, About("Maximum turn rate of the heading", 0, 1e4, "rad/s")] = None
    max_climb: Annotated[
        float | None, About("In a world with depth: maximum angle between heading and ground", 0, 89, "degrees")
    ] = None
    combine: Annotated[
        Literal["prioritized", "weighted_sum", "dithered"], About("How forces are combined")
    ] = "prioritized"
    locomotion: Annotated[
        Literal["point_mass", "constant_speed"] | CarLike, About("How the combined force moves an agent")
    ] = "point_mass"
    start: Annotated[Start, About("Initial area, heading and speed of the agents")] = field(default_factory=Start)
    own_target: Annotated[
        Literal["previous"] | dict[str, str] | None,
        _OWN_TARGET,
        About('Meaning of the target "own": "previous", {"single_file": species} or {"each_of": species}'),
    ] = None
    probabilities: Annotated[
        dict[str, float],
        About("For dithering: the probability that each behavior runs, by name of the behavior", 1e-3, 1),
    ] = field(default_factory=dict)
    columns: Annotated[
        dict[str, Value],
        About("Initial values of per-agent columns, by name" + _PER_AGENT, -1e9, 1e9),
    ] = field(default_factory=dict)
    behaviors: Annotated[list[Behavior], About("Up to 64 steering behaviors, highest priority first")] = field(
        default_factory=list
    )

    def _check(self) -> None:
        _engine.check_one_species(self)


@definition
class Obstacle(Definition):
    """A circle to avoid or hide behind; in a world with depth, a sphere."""

    _path = "obstacle."
    center: Annotated[Point, About("Center", -1e7, 1e7, _UNITS)]
    radius: Annotated[float, About("Radius", 0, 1e6, _UNITS)]


@definition
class Wall(Definition):
    """A chain of straight walls. The front of each wall is on the left for a walk along the points.

    In a world with depth, these walls stand upright, as high as the world. With points [x, y, z], the wall is a convex
    polygon, e.g. a floor or a ramp. Its front is the side from which the points run counterclockwise.
    """

    _path = "wall."
    points: Annotated[list[Point], About("At least 2 points, or at least 3 of a polygon", -1e7, 1e7, _UNITS)]
    closed: Annotated[bool, About("If true, joins the last point to the first")] = False
    two_sided: Annotated[
        bool, About("If true, the wall pushes agents behind it back instead of pulling them through")
    ] = False


@definition
class Path(Definition):
    """A chain of waypoints. Behaviors refer to it by name."""

    _path = "path."
    name: Annotated[str, About("Name in behaviors")]
    points: Annotated[list[Point], About("At least 2 points", -1e7, 1e7, _UNITS)]
    closed: Annotated[bool, About("If true, the first waypoint follows the last")] = False


@definition
class FlowField(Definition):
    """A grid of directions that covers the world, row by row from the bottom."""

    _path = "flow."
    columns: Annotated[int, About("Number of directions along x", 1, 4096)]
    degrees: Annotated[list[float], About("Directions, row by row from the bottom", -360, 360, "degrees")]


@definition
class Line(Definition):
    """A straight line, as the goal of a route."""

    _tag, _path = "line", "line."
    a: Annotated[Point, About("One end", -1e7, 1e7, _UNITS)]
    b: Annotated[Point, About("The other end", -1e7, 1e7, _UNITS)]


_OneGoal = Union[Annotated[Point, POINT], str, Line, Box]


@definition
class Route(Definition):
    """The shortest way to a goal around walls and obstacles, for flow_following; in flat worlds."""

    _path = "route."
    name: Annotated[str, About("Name in behaviors")]
    goal: Annotated[
        _OneGoal | list[_OneGoal],
        About("A point [x, y], the name of a point, a Line, a Box, or a list of these: then the nearest counts"),
    ]
    radius: Annotated[
        float | None,
        About("Radius for which there is room; None for the largest radius that follows the route", 0, 1e4, _UNITS),
    ] = None
    cell: Annotated[
        float | None, About("Size of its cells; None for 0.7 of the smallest radius that follows it", 0, 1e4, _UNITS)
    ] = None


@definition
class Scattered(Definition):
    """Obstacles or walls to place at random, without touching each other."""

    _path = "scattered."
    count: Annotated[int, About("Number of obstacles or walls", 0, 1e6)] = 0
    _: KW_ONLY
    per_thousand_agents: Annotated[
        float, About("Additional number per thousand agents, up to 1e6 in all", 0, 1e4)
    ] = 0.0
    size: Annotated[
        tuple[float, float], About("The smallest and largest radius or length", 0, 1e5, _UNITS)
    ] = (10.0, 30.0)
    gap: Annotated[float, About("Minimum gap between any two", 0, 1e5, _UNITS)] = 10.0


@definition
class Scatter(Definition):
    """Obstacles and walls to place at random."""

    _path = "scatter."
    obstacles: Annotated[Scattered | None, About("Circles to avoid or hide behind")] = None
    walls: Annotated[Scattered | None, About("Straight two-sided walls")] = None


@definition
class Scene(Definition):
    """The definition of a crowd: a world, its scenery, its species, and a seed.

    Values of species and behaviors are checked when they are set; `build` checks the scene as a whole.
    """

    _: KW_ONLY
    name: Annotated[str, About("The scene's name in commands")] = "untitled"
    about: Annotated[str, About("Description of the scene")] = ""
    seed: Annotated[int, About("Seed of all random numbers", 0)] = 1
    start_seed: Annotated[
        int | None,
        About("Separate seed of what is drawn at the start: positions, headings, values, scattered scenery", 0),
    ] = None
    steps_per_second: Annotated[float, About("Steps per simulated second", 1, 1e5, "1/s")] = 60.0
    world: Annotated[World, About("Size of the plane, and topology of its edges")] = field(
        default_factory=World
    )
    solid: Annotated[
        bool, About("If true, walls and obstacles stop agents; otherwise, agents only react to them")
    ] = False
    non_penetration: Annotated[int, About("Passes per step that push overlapping agents apart", 0, 64)] = 0
    non_penetration_per_second: Annotated[
        float | None, About("Such passes per simulated second, in place of non_penetration; 1 to 64 per step", 60, 3840, "1/s")
    ] = None
    heading_samples: Annotated[
        int | None, About("Number of headings averaged by a smoothed heading; None for no smoothed headings", 1, 100)
    ] = None
    cell_size: Annotated[
        float | None, About("Height of the grid's cells, for experiments", 0.25, 16, "view distances")
    ] = None
    agents: Annotated[
        int | None,
        About("Total number of agents; the first species gets all that the other species do not take", 0, 1e9),
    ] = None
    points: Annotated[
        dict[str, Point], About("Named points, which can be targets and can be moved", -1e7, 1e7, _UNITS)
    ] = field(default_factory=dict)
    obstacles: Annotated[list[Obstacle], About("Circles to avoid or hide behind")] = field(default_factory=list)
    walls: Annotated[list[Wall], About("Chains of straight walls")] = field(default_factory=list)
    paths: Annotated[list[Path], About("Waypoints, for path_following and stay_on_path")] = field(
        default_factory=list
    )
    flow: Annotated[FlowField | None, About("Directions over the whole world, for flow_following")] = None
    flows: Annotated[dict[str, FlowField], About("More directions over the world, by name")] = field(
        default_factory=dict
    )
    routes: Annotated[list[Route], About("Ways to goals around scenery, for flow_following")] = field(
        default_factory=list
    )
    scatter: Annotated[Scatter | None, About("Obstacles and walls at random places")] = None
    species: Annotated[list[Species], About("Up to 255 species; agents get their ids in this order")] = field(
        default_factory=list
    )

    @classmethod
    def named(cls, name: str) -> Scene:
        """Returns a scene that comes with the engine. `scene_names` lists these scenes."""
        return cls._from_text(_engine.named_scene(fit("name", name, TEXT)))

    @classmethod
    def parse(cls, text: str, file: str = "scene.toml") -> Scene:
        """Makes a scene from the text of a scene file. Errors show `file` as the file's name."""
        return cls._from_text(_engine.parsed_scene(fit("text", text, TEXT), fit("file", file, TEXT)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """Loads a scene from a scene file, or from the book's `params.ini`."""
        return cls._from_text(_engine.loaded_scene(fit("path", path, _FILE)))

    @classmethod
    def _from_text(cls, text: str) -> Scene:
        data = tomllib.loads(text)
        made = {name: _READ[name](value) if name in _READ else value for name, value in data.items()}
        return cls(**made)

    def with_agents(self, agents: SupportsIndex) -> Scene:
        """Returns the scene with this many agents in total. The first species takes the number left by the others."""
        return self._from_text(dataclasses.replace(self, agents=fit("agents", agents, WHOLE)).to_toml())

    def to_toml(self) -> str:
        """Returns the scene as the text of a scene file."""
        return _engine.scene_text(self)

    def check(self) -> None:
        """Checks all fields as `build` does, without building a crowd.

        `build` may still fail for lack of room or memory.
        """
        _engine.check(self)

    def build(self) -> _engine.Crowd:
        """Builds the crowd, with all agents in their initial state."""
        crowd = _engine.build(self)
        for message in self._doubts():
            warnings.warn(message, FlockworkWarning, stacklevel=2)
        return crowd

    def _doubts(self) -> list[str]:
        """Warnings about parts that can be built, but probably do not do what was intended."""
        return [
            f"species[{number}].behaviors[{place}].{behavior._tag}.{parameter} = 'own', but own_target of `{kind.name}` "
            "is None: without `Crowd.set_own_target`, the behavior does nothing"
            for number, kind in enumerate(self.species)
            if kind.own_target is None
            for place, behavior in enumerate(kind.behaviors)
            for parameter, (accepted, _) in behavior._fields.items()
            if accepted is TARGET and behavior.__dict__[parameter] == "own"
        ]


def _start(data: dict[str, Any]) -> Start:
    place = data.pop("place")
    if isinstance(place, dict):
        ((kind, values),) = place.items()
        place = {"circle": Circle, "box": Box, "clusters": Clusters}[kind](**values)
    return Start(place, **data)


def _species(data: dict[str, Any]) -> Species:
    data["start"] = _start(data["start"])
    data["behaviors"] = [behavior_from(one) for one in data["behaviors"]]
    if isinstance(data["locomotion"], dict):
        data["locomotion"] = CarLike(**data["locomotion"]["car_like"])
    return Species(**data)


def _goal(data: Any) -> Any:
    return _goals(data) if _is_list_of_goals(data) else _goals(data)[0]


def _goals(data: Any) -> list[Any]:
    """The goals in a list, in which scene files may nest lists: the nearest of all counts."""
    if _is_list_of_goals(data):
        return [goal for one in data for goal in _goals(one)]
    if not isinstance(data, dict):
        return [data]
    ((kind, values),) = data.items()
    return [Box(**values) if kind == "box" else Line(**values)]


def _is_list_of_goals(data: Any) -> bool:
    return isinstance(data, list) and not any(isinstance(one, (int, float)) for one in data)


_READ: dict[str, Any] = {
    "world": lambda data: World(**data),
    "obstacles": lambda data: [Obstacle(**one) for one in data],
    "walls": lambda data: [Wall(**one) for one in data],
    "paths": lambda data: [Path(**one) for one in data],
    "flow": lambda data: FlowField(**data),
    "flows": lambda data: {name: FlowField(**one) for name, one in data.items()},
    "routes": lambda data: [Route(**{**one, "goal": _goal(one["goal"])}) for one in data],
    "scatter": lambda data: Scatter(**{name: Scattered(**one) for name, one in data.items()}),
    "species": lambda data: [_species(one) for one in data],
}


_FILE = plain("a path", lambda value: isinstance(value, (str, os.PathLike)))


def scene_names() -> list[str]:
    """The names of the scenes that come with the engine, for `Scene.named`."""
    return _engine.scene_names()


def nearest(
    species: str,
    distance: SupportsFloat | None = None,
    field_of_view: SupportsFloat | None = None,
    *,
    line_of_sight: bool = False,
) -> dict[str, str | float | bool]:
    """A target: for each agent, the nearest visible agent of a species.

    An agent sees others within `distance` world units and a full angle of `field_of_view` degrees. Both default to the
    values of the agent's own species. With `line_of_sight`, walls and obstacles hide agents behind them.
    """
    target: dict[str, str | float | bool] = {"nearest": fit("species", species, TEXT)}
    for name, value in [("distance", distance), ("field_of_view", field_of_view)]:
        if value is not None:
            target[name] = fit(name, value, NUMBER)
    if fit("line_of_sight", line_of_sight, FLAG):
        target["line_of_sight"] = True
    return target


def member(species: str, number: SupportsIndex) -> dict[str, str | int]:
    """A target: one of the initial agents of a species, numbered from 0."""
    return {"species": fit("species", species, TEXT), "number": fit("number", number, WHOLE, About("", 0, 2**32 - 1))}


def agent(id: SupportsIndex) -> dict[str, int]:
    """A target: the agent with this id."""
    whole = fit("id", id, WHOLE)
    return {"index": whole & 0xFFFF_FFFF, "generation": whole >> 32}
