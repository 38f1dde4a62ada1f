# Written by tests/behavior_stubs.py.
from collections.abc import Mapping
from typing import Any, Literal

from .definition import Definition
from .kinds import Kind, Point

_Target = str | Point | Mapping[str, Any]
TARGET: Kind

class Behavior(Definition): ...

def behavior_from(data: dict[str, dict[str, Any]]) -> Behavior: ...

class Separation(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class Alignment(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class Cohesion(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    normalized: bool
    """If true, the force is normalized before it is weighted, as the book's weights assume."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., normalized: bool = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class VelocityMatching(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    time_constant: float
    """Time over which the velocity difference would vanish."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., time_constant: float = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class FlockRules(Behavior):
    weight: float
    """Scales the force."""
    alignment: float
    """Weight of alignment: the direction of the mean heading."""
    cohesion: float
    """Weight of cohesion: the direction to the mean position."""
    separation: float
    """Weight of separation."""
    near_separation: bool
    """If true, separation weights each neighbor by 1/distance; if false, it is the negative of cohesion."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., alignment: float = ..., cohesion: float = ..., separation: float = ..., near_separation: bool = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class Seek(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    target: _Target
    """The target to seek."""
    def __init__(self, *, weight: float = ..., target: _Target) -> None: ...

class Flee(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    target: _Target
    """The target to flee from."""
    panic_distance: float | None
    """Distance beyond which there is no force; none for no limit. The book uses 100."""
    def __init__(self, *, weight: float = ..., target: _Target, panic_distance: float | None = ...) -> None: ...

class Arrive(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    target: _Target
    """The target to arrive at."""
    deceleration: Literal["fast", "normal", "slow"]
    """How early to brake."""
    deceleration_tweaker: float
    """The time to cover the remaining distance at `fast`; `normal` takes twice as long, `slow` three times."""
    def __init__(self, *, weight: float = ..., target: _Target, deceleration: Literal["fast", "normal", "slow"] = ..., deceleration_tweaker: float = ...) -> None: ...

class Pursuit(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    evader: _Target
    """The target to pursue."""
    turnaround: float
    """Time for turning: this value times (1 − cos of the turn angle) is added to the prediction time. Buckland uses 0.5: one second for a half-turn."""
    def __init__(self, *, weight: float = ..., evader: _Target, turnaround: float = ...) -> None: ...

class Evade(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior. The book uses 2."""
    pursuer: _Target
    """The target to evade."""
    threat_range: float | None
    """Distance beyond which the pursuer is ignored; none for no limit. The book uses 100."""
    def __init__(self, *, weight: float = ..., pursuer: _Target, threat_range: float | None = ...) -> None: ...

class Wander(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    radius: float
    """Radius of the circle, in world units (bounding radii if `scaled`)."""
    distance: float
    """Distance of the circle ahead of the agent, in the units of `radius`."""
    jitter: float
    """Maximum displacement of the target along each axis per second, in 60 equal parts (or per step), in the units of `radius`."""
    jitter_per_step: bool
    """If true, `jitter` is a displacement per step instead of per second."""
    scaled: bool
    """If true, all lengths are multiplied by the agent's bounding radius."""
    noise: float | None
    """If set, coherent noise moves the target through this many random points per second, and `jitter` has no effect."""
    def __init__(self, *, weight: float = ..., radius: float = ..., distance: float = ..., jitter: float = ..., jitter_per_step: bool = ..., scaled: bool = ..., noise: float | None = ...) -> None: ...

class Interpose(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    a: _Target
    """One target."""
    b: _Target
    """The other target."""
    def __init__(self, *, weight: float = ..., a: _Target, b: _Target) -> None: ...

class Hide(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    hunter: _Target
    """The target to hide from."""
    gap: float
    """The distance from an obstacle's rim to the hiding spot behind it."""
    search_distance: float | None
    """Maximum distance to the rim of a usable obstacle; none for no limit, which takes time in proportion to the number of obstacles."""
    memory: float | None
    """The agent keeps hiding for this long after it last saw the hunter; if none, it always hides."""
    mutual: bool
    """If true, the agent hides only while it and the hunter see each other; the hunter sees the half-plane ahead of it."""
    bias: float
    """Penalty on spots ahead of the hunter: multiplies the distance to a spot by 1 + bias·cos of the angle between the hunter's heading and the direction to the obstacle."""
    threat_distance: float | None
    """Distance beyond which the hunter is ignored; none for no limit."""
    def __init__(self, *, weight: float = ..., hunter: _Target, gap: float = ..., search_distance: float | None = ..., memory: float | None = ..., mutual: bool = ..., bias: float = ..., threat_distance: float | None = ...) -> None: ...

class HideInFlock(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    threat: _Target
    """The target to hide from."""
    threat_range: float | None
    """Distance beyond which the threat is ignored; none for no limit."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., threat: _Target, threat_range: float | None = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class OffsetPursuit(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    leader: _Target
    """The leader to follow."""
    offset: Point
    """Position to keep, as distances ahead and to the left of the leader."""
    above: float | None
    """Distance of the position above the leader; no effect in flat worlds."""
    abreast: int
    """Agents per row; 0 gives all agents the same position."""
    spacing: float
    """Distance between neighboring formation positions."""
    def __init__(self, *, weight: float = ..., leader: _Target, offset: Point = ..., above: float | None = ..., abreast: int = ..., spacing: float = ...) -> None: ...

class LeaderFollowing(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    leader: _Target
    """The leader to follow."""
    distance: float
    """Distance behind the leader at which to arrive."""
    clear_ahead: float
    """Length of the area to keep clear ahead of the leader."""
    clear_aside: float
    """Half the width of the area to keep clear ahead of the leader."""
    def __init__(self, *, weight: float = ..., leader: _Target, distance: float = ..., clear_ahead: float = ..., clear_aside: float = ...) -> None: ...

class PathFollowing(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior. Buckland uses 10."""
    path: str
    """The name of one of the scene's paths."""
    waypoint_distance: float
    """The distance within which a waypoint counts as visited."""
    def __init__(self, *, weight: float = ..., path: str, waypoint_distance: float = ...) -> None: ...

class StayOnPath(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    path: str
    """The name of one of the scene's paths."""
    radius: float
    """Radius of the tube around the path."""
    prediction: float
    """How many seconds ahead the position is predicted."""
    ahead: float
    """Distance along the path from the nearest point to the point to seek; must exceed `radius`."""
    def __init__(self, *, weight: float = ..., path: str, radius: float = ..., prediction: float = ..., ahead: float = ...) -> None: ...

class FlowFollowing(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    flow: str | None
    """The name of one of the scene's flow fields; if none, the field without a name."""
    route: str | None
    """The name of one of the scene's routes, instead of a flow field."""
    sway: float
    """Largest deviation from the route's direction, to either side. It changes at random all the time, which breaks jams at doors."""
    def __init__(self, *, weight: float = ..., flow: str | None = ..., route: str | None = ..., sway: float = ...) -> None: ...

class Cruise(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    speed: float
    """The speed to maintain."""
    def __init__(self, *, weight: float = ..., speed: float = ...) -> None: ...

class ObstacleAvoidance(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    box_length: float
    """Length of the detection box at rest; at full speed it is twice as long."""
    def __init__(self, *, weight: float = ..., box_length: float = ...) -> None: ...

class LookAhead(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    max_see_ahead: float
    """Length of the look-ahead line at full speed."""
    max_avoid_force: float
    """Magnitude of the unweighted force."""
    def __init__(self, *, weight: float = ..., max_see_ahead: float = ..., max_avoid_force: float = ...) -> None: ...

class WallAvoidance(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    feelers: Literal["three", "sweeping"]
    """Arrangement of feelers."""
    feeler_length: float
    """Length of the feeler straight ahead."""
    sweep_angle: float
    """Maximum swing of a sweeping feeler to either side."""
    sweep_period: float
    """Duration of one full sweep, there and back."""
    def __init__(self, *, weight: float = ..., feelers: Literal["three", "sweeping"] = ..., feeler_length: float = ..., sweep_angle: float = ..., sweep_period: float = ...) -> None: ...

class Containment(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    prediction: float
    """How many seconds ahead the position is predicted."""
    margin: float
    """Distance to keep from the edges, at most half the shorter side of the world."""
    def __init__(self, *, weight: float = ..., prediction: float = ..., margin: float = ...) -> None: ...

class CollisionAvoidance(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    horizon: float
    """Time horizon: later collisions are ignored."""
    margin: float
    """Distance to keep between bounding circles."""
    distance: float | None
    """View distance of the behavior; if none, the view distance of its species."""
    field_of_view: float | None
    """Full viewing angle of the behavior; if none, the agent's field of view."""
    species: list[str]
    """The names of the species that count as neighbors."""
    def __init__(self, *, weight: float = ..., horizon: float = ..., margin: float = ..., distance: float | None = ..., field_of_view: float | None = ..., species: list[str] = ...) -> None: ...

class External(Behavior):
    weight: float
    """Multiplier applied to the force; 0 disables the behavior."""
    def __init__(self, *, weight: float = ...) -> None: ...

__all__ = [
    "Separation",
    "Alignment",
    "Cohesion",
    "VelocityMatching",
    "FlockRules",
    "Seek",
    "Flee",
    "Arrive",
    "Pursuit",
    "Evade",
    "Wander",
    "Interpose",
    "Hide",
    "HideInFlock",
    "OffsetPursuit",
    "LeaderFollowing",
    "PathFollowing",
    "StayOnPath",
    "FlowFollowing",
    "Cruise",
    "ObstacleAvoidance",
    "LookAhead",
    "WallAvoidance",
    "Containment",
    "CollisionAvoidance",
    "External",
]
