"""Help shows the meaning, range, unit and default of every class and field."""

import inspect
import re
from pathlib import Path

import pytest
from test_refusals import definitions

import flockwork as fw
from flockwork import _engine

PARAMETERS = Path(__file__).parents[3] / "docs" / "parameters.toml"
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
CLASSES = {
    "": fw.Scene,
    "world": fw.World,
    "points": None,
    "obstacles": fw.Obstacle,
    "walls": fw.Wall,
    "paths": fw.Path,
    "flow": fw.FlowField,
    "flows.wind": fw.FlowField,
    "routes": fw.Route,
    "scatter.obstacles": fw.Scattered,
    "scatter.walls": fw.Scattered,
    "species": fw.Species,
    "species.start": fw.Start,
    "species.start.place.circle": fw.Circle,
    "species.start.place.box": fw.Box,
    "species.start.place.clusters": fw.Clusters,
    "species.locomotion.car_like": fw.CarLike,
}


def documented() -> list[tuple[str, str, str]]:
    """Table, name and comment of every documented field."""
    table, found = "", []
    for line in PARAMETERS.read_text().splitlines():
        if line.startswith("["):
            table = line.strip("[]")
        entry = re.match(r"(?:# )?(\w+) = .*?   # (.*)", line)
        if entry:
            found.append((table, *entry.groups()))
    return found


def test_ranges_and_units_in_help_are_the_documented_ones() -> None:
    compared = 0
    for table, name, comment in documented():
        made = CLASSES.get(table)
        if made is None or name not in made._fields:
            assert table in ("points", "species.columns", "species.probabilities") or "behaviors" in table, (table, name)
            continue
        about = made._fields[name][1]
        numbers = re.match(rf"(?:whole |each )*({NUMBER})\.\.({NUMBER})(?: ([^.,;]+))?", comment)
        if numbers is None:
            assert about.high is None or "within" in comment or "that of low" in comment, (table, name)
            continue
        low, high, unit = numbers.groups()
        if (table, name) != ("", "agents"):  # The minimum is the number of agents in the other species.
            assert about.low == float(low), (table, name)
        assert (about.high, about.unit) == (float(high), (unit or "").strip()), (table, name)
        compared += 1
    assert compared > 35


def test_every_field_has_a_line_of_help() -> None:
    for made in definitions():
        text = inspect.getdoc(type(made)) or ""
        for name, (_, about) in made._fields.items():
            line = next((line for line in text.splitlines() if line.startswith(f"{name}: ")), None)
            assert line and about.meaning and ("default " in line or "required" in line), (type(made), name)
            assert about.low is None or f"{about.low:g}" in line, line


def test_behaviors_say_what_they_do_and_who_described_it() -> None:
    for name, about, _ in _engine.behaviors():
        title = "".join(part.capitalize() for part in name.split("_"))
        text = inspect.getdoc(getattr(fw, title)) or ""
        assert about.strip() and text.splitlines()[0].endswith((".", ")")), text
        assert "crate::" not in text, text
    assert "Buckland 2004" in (fw.Seek.__doc__ or "") and "Reynolds 1999" in (fw.Seek.__doc__ or "")


@pytest.mark.parametrize("thing", [fw.draw, fw.animate, fw.Crowd.step, fw.Crowd.neighbor_rows])
def test_calls_show_their_defaults(thing: object) -> None:
    signature = inspect.signature(thing)  # type: ignore[arg-type]
    assert "..." not in str(signature) and inspect.getdoc(thing)
