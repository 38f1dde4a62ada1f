"""Steering behaviors for massive crowds: a SIMD engine in Rust, with bit-identical results.

>>> import flockwork as fw
>>> crowd = fw.Scene.named("stress").with_agents(1_000).build()
>>> crowd.step(10)
>>> crowd.x.shape
(1000,)
"""

from ._engine import Crowd, Table, __version__
from .behaviors import *
from .behaviors import Behavior
from .errors import FileError, FileMissing, FlockworkError, NoSuchAgent, OutOfMemory, UnknownName
from .scene import (
    Box,
    CarLike,
    Circle,
    Clusters,
    FlowField,
    Obstacle,
    Path,
    Scatter,
    Scattered,
    Scene,
    Species,
    Start,
    Wall,
    World,
    agent,
    member,
    nearest,
    scene_names,
)
