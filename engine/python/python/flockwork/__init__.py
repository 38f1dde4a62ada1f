"""Steering behaviors for massive crowds: a SIMD engine in Rust, with bit-identical results.

>>> import flockwork as fw
>>> crowd = fw.Scene.named("stress").with_agents(1_000).build()
>>> crowd.step(10)
>>> crowd.x.shape
(1000,)
"""

# Type checkers treat names imported as themselves (`X as X`) as exported.
from ._engine import Crowd as Crowd, Table as Table, __version__ as __version__
from .behaviors import *
from .behaviors import Behavior as Behavior
from .drawing import Film as Film, animate as animate, draw as draw
from .errors import (
    FileError as FileError,
    FileMissing as FileMissing,
    FlatWorld as FlatWorld,
    FlockworkError as FlockworkError,
    FlockworkWarning as FlockworkWarning,
    Forked as Forked,
    NoSuchAgent as NoSuchAgent,
    OutOfMemory as OutOfMemory,
    SnapshotVersion as SnapshotVersion,
    UnknownName as UnknownName,
    WrongType as WrongType,
)
from .explanation import (
    Cells as Cells,
    Contribution as Contribution,
    Explanation as Explanation,
    Mark as Mark,
)
from .scene import (
    Box as Box,
    CarLike as CarLike,
    Circle as Circle,
    Clusters as Clusters,
    FlowField as FlowField,
    Line as Line,
    Obstacle as Obstacle,
    Path as Path,
    Route as Route,
    Scatter as Scatter,
    Scattered as Scattered,
    Scene as Scene,
    Species as Species,
    Start as Start,
    Wall as Wall,
    World as World,
    agent as agent,
    member as member,
    nearest as nearest,
    scene_names as scene_names,
)
