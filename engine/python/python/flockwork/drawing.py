"""Pictures and films of crowds, with matplotlib: `pip install 'flockwork[draw]'`."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._engine import Crowd
from .definition import fit, fit_number
from .kinds import WHOLE, About, choice, plain

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection
    from matplotlib.figure import Figure

_Floats = NDArray[np.floating[Any]]

MOST_ARROWS = 5_000
"""The maximum number of agents to draw as arrows; larger crowds are drawn as points."""
_GRAY, _EDGE = "#6b7280", "#c9cdd3"
_SPECIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_COLORS = choice(("heading", "speed", "species"))
_CROWD = plain("a Crowd", lambda value: isinstance(value, Crowd))
_FILM = plain(
    "the path of a .gif or .html file",
    lambda value: isinstance(value, (str, os.PathLike)) and os.fspath(value).lower().endswith((".gif", ".html")),
)
# The outline of an arrow that points right and has length 1.
_ARROW = np.array([[0.55, 0.0], [-0.45, 0.32], [-0.28, 0.0], [-0.45, -0.32]])


def draw(crowd: Crowd, axes: Axes | None = None, *, color: str = "heading") -> Axes:
    """Draws the agents, obstacles and walls of a crowd with matplotlib.

    A world with depth is seen from above: the picture shows x and y.

    crowd: the crowd to draw
    axes: the axes to draw into (default: new axes with the world's aspect ratio)
    color: the meaning of colors: "heading", "speed" or "species" (default "heading")
    """
    fit("crowd", crowd, _CROWD)
    fit("color", color, _COLORS)
    if axes is None:
        import_matplotlib()
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=_shape(crowd, 6.4), layout="constrained")
        axes = figure.add_subplot()
    elif not hasattr(axes, "add_collection"):
        fit("axes", axes, plain("matplotlib axes", lambda value: False))
    _Picture(crowd, axes, color, [_Moment.of(crowd)])
    return axes


def animate(
    crowd: Crowd,
    frames: int = 100,
    *,
    steps_per_frame: int = 2,
    frames_per_second: int = 30,
    color: str = "heading",
    size: float = 6.4,
) -> Film:
    """Steps a crowd and films it. A notebook shows the film; `Film.save` writes it as GIF or HTML.

    A world with depth is seen from above, as in `draw`.

    crowd: the crowd to film; it takes `frames * steps_per_frame` steps
    frames: the number of frames (1 to 10000, default 100)
    steps_per_frame: steps between two frames (1 to 1000000, default 2)
    frames_per_second: the speed of the film (1 to 100, default 30)
    color: the meaning of colors: "heading", "speed" or "species" (default "heading")
    size: the longer side of the frames (1 to 40 inches, default 6.4)
    """
    fit("crowd", crowd, _CROWD)
    frames = fit("frames", frames, WHOLE, About("", 1, 10_000))
    steps_per_frame = fit("steps_per_frame", steps_per_frame, WHOLE, About("", 1, 1_000_000))
    frames_per_second = fit("frames_per_second", frames_per_second, WHOLE, About("", 1, 100))
    fit("color", color, _COLORS)
    size = fit_number("size", size, 1, 40)
    axes = _figure(crowd, size).add_subplot()
    moments = []
    for _ in range(frames):
        moments.append(_Moment.of(crowd))
        crowd.step(steps_per_frame)
    return Film(_Picture(crowd, axes, color, moments), moments, frames_per_second)


class Film:
    """A film made by `animate`. Notebooks show it."""

    def __init__(self, picture: _Picture, moments: list[_Moment], frames_per_second: int) -> None:
        self._picture, self._moments, self._frames_per_second = picture, moments, frames_per_second

    def animation(self) -> FuncAnimation:
        """Returns the film as a matplotlib animation."""
        from matplotlib.animation import FuncAnimation

        interval = 1_000 / self._frames_per_second
        return FuncAnimation(self._picture.figure, self._picture.show, self._moments, interval=interval)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the film.

        file: a path that ends in .gif or .html
        """
        fit("file", file, _FILM)
        if os.fspath(file).lower().endswith(".html"):
            with open(file, "w", encoding="utf-8") as page:
                page.write(self._repr_html_())
        else:
            from matplotlib.animation import PillowWriter

            self.animation().save(os.fspath(file), writer=PillowWriter(fps=self._frames_per_second), dpi=100)

    def _repr_html_(self) -> str:
        import matplotlib

        # The limit is in megabytes; matplotlib drops frames beyond it.
        with matplotlib.rc_context({"animation.embed_limit": 1_000}):
            return str(self.animation().to_jshtml(fps=self._frames_per_second))


def import_matplotlib() -> None:
    """Raises an error that explains the installation if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'flockwork[draw]'", name="matplotlib") from error


def _png(crowd: Crowd) -> bytes | None:
    """Returns a picture for notebooks, or None without matplotlib."""
    try:
        figure = _figure(crowd, 6.4)
    except ImportError:
        return None
    _Picture(crowd, figure.add_subplot(), "heading", [_Moment.of(crowd)])
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    return written.getvalue()


def _figure(crowd: Crowd, size: float) -> Figure:
    """A figure without a window."""
    import_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_shape(crowd, size), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _shape(crowd: Crowd, size: float) -> tuple[float, float]:
    """Width and height in inches, with the world's aspect ratio. `size` is the longer side."""
    width, height = crowd.world_size[:2]
    longer = max(width, height)
    return size * max(width / longer, 0.2), size * max(height / longer, 0.2)


@dataclass(frozen=True)
class _Moment:
    """The drawn columns of a crowd at one time, in slot order. Views never change, so none are copied."""

    x: _Floats
    y: _Floats
    hx: _Floats
    hy: _Floats
    speed: _Floats
    radius: _Floats
    species: NDArray[np.uint8]

    @classmethod
    def of(cls, crowd: Crowd) -> _Moment:
        speed = np.linalg.norm(crowd.velocities("slot"), axis=1)
        radius = crowd.get("radius", order="slot")
        return cls(crowd.x, crowd.y, crowd.hx, crowd.hy, speed, radius, crowd.species("slot"))


class _Picture:
    """A crowd in axes: fixed scenery, and agents that can be shown at each of `moments`. Shows the first."""

    def __init__(self, crowd: Crowd, axes: Axes, color: str, moments: list[_Moment]) -> None:
        from matplotlib.collections import PathCollection, PolyCollection

        figure = axes.get_figure(root=True)
        assert figure is not None
        self.figure = figure
        moment = moments[0]
        low, high = _extent(crowd, moments)
        _prepare(axes, low, high)
        _scenery(crowd, axes)
        self._color = color
        self._fastest = max(float(crowd.get("max_speed").max(initial=0)), 1e-9)
        usual_radius = float(np.median(moment.radius)) if len(moment.radius) else 0.0
        self._usual_radius = usual_radius or 1.0
        span, agents = high - low, max(len(moment.x), 1)
        spacing = float(np.sqrt(span.prod() / agents))
        self._length = float(np.clip(0.6 * spacing, 0.004 * span.max(), 0.018 * span.max()))
        self._agents: Collection
        if agents <= MOST_ARROWS:
            self._agents = PolyCollection([], linewidths=0)
            axes.add_collection(self._agents)
        else:
            # The size is in points (1/72 inch), and about as large as the space between agents.
            across = axes.get_window_extent().width / figure.dpi * 72
            points = float(np.clip(0.7 * spacing / span[0] * across, 0.35, 3.0))
            self._agents = axes.scatter([], [], s=points**2, linewidths=0)
            assert isinstance(self._agents, PathCollection)
        self.show(moment)
        names = [species.name for species in crowd.scene.species]
        if color == "species" and len(names) > 1:
            _legend(axes, names)

    def show(self, moment: _Moment) -> list[Collection]:
        from matplotlib.collections import PolyCollection

        at = np.stack([moment.x, moment.y], axis=1)
        if isinstance(self._agents, PolyCollection):
            # Large agents get larger arrows, within limits that keep every agent visible.
            sizes = self._length * np.clip(moment.radius / self._usual_radius, 0.7, 3)
            # In a world with depth, arrows of agents that climb or dive are as long as the others.
            course = np.arctan2(moment.hy, moment.hx)
            ahead = (np.stack([np.cos(course), np.sin(course)], axis=1) * sizes[:, np.newaxis])[:, np.newaxis]
            aside = np.stack([-ahead[..., 1], ahead[..., 0]], axis=-1)
            corners = at[:, np.newaxis] + _ARROW[:, :1] * ahead + _ARROW[:, 1:] * aside
            self._agents.set_verts(list(corners))
        else:
            self._agents.set_offsets(at)
        self._agents.set_facecolor(list(self._colors(moment)))
        return [self._agents]

    def _colors(self, moment: _Moment) -> _Floats:
        if self._color == "heading":
            turns = np.arctan2(moment.hy, moment.hx) / (2 * np.pi)
            headings: _Floats = _HEADINGS[np.round(turns * len(_HEADINGS)).astype(int) % len(_HEADINGS)]
            return headings
        import matplotlib
        from matplotlib.colors import to_rgb

        if self._color == "speed":
            shares: _Floats = matplotlib.colormaps["viridis"](0.9 * np.clip(moment.speed / self._fastest, 0, 1))
            return shares
        colors: _Floats = np.array([to_rgb(color) for color in _SPECIES])[moment.species % len(_SPECIES)]
        return colors


def _extent(crowd: Crowd, moments: list[_Moment]) -> tuple[_Floats, _Floats]:
    """The low and the high corner of the shown area: the world, enlarged to all agents if it is open."""
    low, high = np.zeros(2), np.array(crowd.world_size[:2], dtype=float)
    if crowd.scene.world.topology == "open" and len(crowd):
        for moment in moments:
            at = np.stack([moment.x, moment.y], axis=1).astype(float)
            low, high = np.minimum(low, at.min(axis=0)), np.maximum(high, at.max(axis=0))
        low, high = low - 0.03 * (high - low), high + 0.03 * (high - low)
    return low, high


def _prepare(axes: Axes, low: _Floats, high: _Floats) -> None:
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(visible=True, color=_EDGE)


def _scenery(crowd: Crowd, axes: Axes) -> None:
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle

    scene, (width, height) = crowd.scene, crowd.world_size[:2]
    # On a torus, obstacles that cross the seam appear on both sides.
    turns = [-1, 0, 1] if scene.world.topology == "torus" else [0]
    circles = [
        Circle((obstacle.center[0] + right * width, obstacle.center[1] + up * height), obstacle.radius)
        for obstacle in crowd.obstacles
        for right in turns
        for up in turns
    ]
    axes.add_collection(PatchCollection(circles, facecolor="#e5e7eb", edgecolor=_GRAY, linewidths=0.8))
    # The outline of a polygon ends where it begins.
    chains = [wall.points if len(wall.points) == 2 else [*wall.points, wall.points[0]] for wall in crowd.walls]
    lines = [[(point[0], point[1]) for point in chain] for chain in chains]
    axes.add_collection(LineCollection(lines, colors=_GRAY, linewidths=1.6))


def _legend(axes: Axes, names: list[str]) -> None:
    from matplotlib.lines import Line2D

    colors = [_SPECIES[number % len(_SPECIES)] for number in range(len(names))]
    handles = [
        Line2D([], [], color=color, marker="o", linestyle="", markersize=5, label=name)
        for name, color in zip(names, colors)
    ]
    axes.legend(handles=handles, loc="upper right", framealpha=0.85, edgecolor=_EDGE, fontsize="small")


def _wheel(steps: int) -> _Floats:
    """Colors by heading, with constant chroma in OKLab. Up is lighter than down, for color-blind users."""
    angle = np.arange(steps) / steps * 2 * np.pi
    lightness, chroma, hue = 0.6 + 0.13 * np.sin(angle), 0.13, angle + 0.6
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    cones = (
        np.stack(
            [
                lightness + 0.3963377774 * a + 0.2158037573 * b,
                lightness - 0.1055613458 * a - 0.0638541728 * b,
                lightness - 0.0894841775 * a - 1.2914855480 * b,
            ]
        )
        ** 3
    )
    linear = (
        np.array(
            [
                [4.0767416621, -3.3077115913, 0.2309699292],
                [-1.2684380046, 2.6097574011, -0.3413193965],
                [-0.0041960863, -0.7034186147, 1.7076147010],
            ]
        )
        @ cones
    )
    linear = np.clip(linear, 0, 1)
    colors: _Floats = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055).T
    return colors


_HEADINGS = _wheel(256)
