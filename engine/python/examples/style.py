"""The style of the examples' pictures, and their common command-line options."""

from __future__ import annotations

import argparse

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, GRAY = "#0072b2", "#d55e00", "#009e73", "#999999"


def options(about: str | None, agents: int, steps: int) -> argparse.ArgumentParser:
    """Returns a parser with `--agents`, `--steps` and `--out`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--agents", type=int, default=agents, help="how many agents there are")
    parser.add_argument("--steps", type=int, default=steps, help="how many steps they take")
    parser.add_argument("--out", help="the picture to write; without it, a window shows it")
    return parser


def start(out: str | None) -> None:
    """Sets the style. Writing a file needs no display."""
    if out:
        matplotlib.use("Agg")
    plt.rcParams.update(
        {
            "figure.dpi": 110,
            "font.size": 9,
            "axes.titlesize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "legend.frameon": False,
        }
    )


def as_map(axes: Axes, size: tuple[float, ...]) -> None:
    """Turns axes into a map of the world, without ticks."""
    axes.set(xlim=(0, size[0]), ylim=(0, size[1]), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(visible=True, color="#cccccc")


def finish(out: str | None) -> None:
    """Writes the picture to a file, or shows it in a window."""
    if out:
        plt.savefig(out, bbox_inches="tight")
        plt.close()
    else:
        plt.show()
