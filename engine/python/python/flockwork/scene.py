"""Scenes: the definitions that crowds start from. Names, defaults and ranges are those of scene files."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Union

from . import _engine
from .behaviors import Behavior, behavior_from
from .definition import Definition

Point = tuple[float, float]
Value = Union[float, tuple[float, float]]
"""One number for all agents, or a pair to draw from for each."""


@dataclass(repr=False, eq=False)
class World(Definition):
    """The size of the plane, and what happens at its edge."""

    topology: Literal["torus", "bounded", "open"] = "torus"
    width: float | None = None
    height: float | None = None
    mean_neighbors: float | None = None
    """Instead of width and height: a square in which an agent of the first species sees this many others on average."""

    @classmethod
    def torus(cls, width: float, height: float) -> World:
        """Left meets right and bottom meets top."""
        return cls("torus", width, height)

    @classmethod
    def bounded(cls, width: float, height: float) -> World:
        """A closed box."""
        return cls("bounded", width, height)

    @classmethod
    def open(cls, width: float, height: float) -> World:
        """No edges; agents start in a rectangle of this size."""
        return cls("open", width, height)


@dataclass(repr=False, eq=False)
class CarLike(Definition):
    """Locomotion of a point mass that is driven like a car: a limit for each direction of the force."""

    throttle: float
    brake: float
    steering: float
    _tag = "car_like"


@dataclass(repr=False, eq=False)
class Circle(Definition):
    """A circle to start in."""

    center: Point
    radius: float
    _tag = "circle"


@dataclass(repr=False, eq=False)
class Box(Definition):
    """A rectangle to start in."""

    low: Point
    high: Point
    _tag = "box"


@dataclass(repr=False, eq=False)
class Clusters(Definition):
    """Circles around random centers to start in."""

    count: int
    radius: float
    _tag = "clusters"


@dataclass(repr=False, eq=False)
class Start(Definition):
    """Where and how the agents of a species start."""

    place: Literal["anywhere"] | Circle | Box | Clusters = "anywhere"
    heading: float | None = None
    """Degrees, counterclockwise from the right; random by default."""
    speed: float | None = None
    """As a share of the maximum speed."""


@dataclass(repr=False, eq=False)
class Species(Definition):
    """Agents that share parameters, and the behaviors that steer them, in order of priority."""

    name: str
    agents: int = 0
    _: KW_ONLY
    view_distance: float = 50.0
    field_of_view: float = 360.0
    """Degrees."""
    view_includes_radius: bool = False
    max_speed: Value = 150.0
    """Units/s."""
    max_force: Value = 400.0
    mass: Value = 1.0
    radius: Value = 3.0
    max_turn_rate: float | None = None
    """Radians per second."""
    combine: Literal["prioritized", "weighted_sum", "dithered"] = "prioritized"
    locomotion: Literal["point_mass", "constant_speed"] | CarLike = "point_mass"
    start: Start = field(default_factory=Start)
    own_target: Literal["previous"] | dict[str, str] | None = None
    """`"previous"`, `{"single_file": species}` or `{"each_of": species}`."""
    probabilities: dict[str, float] = field(default_factory=dict)
    """For dithering, by the name of the behavior."""
    columns: dict[str, Value] = field(default_factory=dict)
    """Numbers of the agents, by name: what they hold at the start."""
    behaviors: list[Behavior] = field(default_factory=list)

    def _check(self) -> None:
        _engine.check_one_species(self)


@dataclass(repr=False, eq=False)
class Obstacle(Definition):
    """A circle to avoid or hide behind."""

    center: Point
    radius: float


@dataclass(repr=False, eq=False)
class Wall(Definition):
    """A chain of straight walls, whose front is on the left."""

    points: list[Point]
    closed: bool = False
    two_sided: bool = False


@dataclass(repr=False, eq=False)
class Path(Definition):
    """A chain of waypoints, by the name that behaviors refer to."""

    name: str
    points: list[Point]
    closed: bool = False


@dataclass(repr=False, eq=False)
class FlowField(Definition):
    """A grid of directions that covers the world, row by row from the bottom."""

    columns: int
    degrees: list[float]


@dataclass(repr=False, eq=False)
class Scattered(Definition):
    """Obstacles or walls to place at random."""

    count: int = 0
    _: KW_ONLY
    per_thousand_agents: float = 0.0
    size: tuple[float, float] = (10.0, 30.0)
    gap: float = 10.0


@dataclass(repr=False, eq=False)
class Scatter(Definition):
    """What to place at random."""

    obstacles: Scattered | None = None
    walls: Scattered | None = None


@dataclass(repr=False, eq=False)
class Scene(Definition):
    """The definition of a crowd: a world, its scenery, its species, and a seed.

    Values of species and behaviors are checked as they are set; `build` checks how all of it fits.
    """

    _: KW_ONLY
    name: str = "untitled"
    about: str = ""
    seed: int = 1
    steps_per_second: float = 60.0
    world: World = field(default_factory=World)
    non_penetration: int = 0
    """How many times per step overlapping agents are pushed apart."""
    heading_samples: int | None = None
    cell_size: float | None = None
    agents: int | None = None
    """How many agents the scene starts with: the first species has those that the others leave."""
    points: dict[str, Point] = field(default_factory=dict)
    obstacles: list[Obstacle] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    flow: FlowField | None = None
    scatter: Scatter | None = None
    species: list[Species] = field(default_factory=list)

    @classmethod
    def named(cls, name: str) -> Scene:
        """One of the scenes that come with the engine: see `scene_names`."""
        return cls._from_text(_engine.named_scene(name))

    @classmethod
    def parse(cls, text: str, file: str = "scene.toml") -> Scene:
        """A scene from the text of a scene file; `file` names it in errors."""
        return cls._from_text(_engine.parsed_scene(text, file))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """A scene from a scene file, or from the book's `params.ini`."""
        return cls._from_text(_engine.loaded_scene(path))

    @classmethod
    def _from_text(cls, text: str) -> Scene:
        data = tomllib.loads(text)
        made = {name: _READ[name](value) if name in _READ else value for name, value in data.items()}
        return cls(**made)

    def with_agents(self, agents: int) -> Scene:
        """The same scene with this many agents in total: the first species has those that the others leave."""
        return self._from_text(dataclasses.replace(self, agents=agents).to_toml())

    def to_toml(self) -> str:
        """The text of a scene file."""
        return _engine.scene_text(self)

    def check(self) -> None:
        """Checks everything that `build` checks."""
        _engine.check(self)

    def build(self) -> _engine.Crowd:
        """The crowd, with all agents at their start."""
        return _engine.build(self)


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


_READ: dict[str, Any] = {
    "world": lambda data: World(**data),
    "obstacles": lambda data: [Obstacle(**one) for one in data],
    "walls": lambda data: [Wall(**one) for one in data],
    "paths": lambda data: [Path(**one) for one in data],
    "flow": lambda data: FlowField(**data),
    "scatter": lambda data: Scatter(**{name: Scattered(**one) for name, one in data.items()}),
    "species": lambda data: [_species(one) for one in data],
}


def scene_names() -> list[str]:
    """The names that `Scene.named` knows."""
    return _engine.scene_names()


def nearest(species: str) -> dict[str, str]:
    """A target: for each agent, the nearest agent of a species that it sees."""
    return {"nearest": species}


def member(species: str, number: int) -> dict[str, str | int]:
    """A target: one of the agents of a species at the start, counted from 0."""
    return {"species": species, "number": number}


def agent(id: int) -> dict[str, int]:
    """A target: the agent with this id."""
    return {"index": id & 0xFFFF_FFFF, "generation": id >> 32}
