"""The type stubs match the module."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import typed
from behavior_stubs import stubs

import flockwork as fw
from flockwork import behaviors


def test_the_stubs_of_behaviors_are_those_of_the_engine() -> None:
    file = Path(inspect.getfile(behaviors)).with_suffix(".pyi")
    assert file.read_text() == stubs(), "run tests/behavior_stubs.py again"


def test_stubs_and_module_agree(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "flockwork"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_programs_pass_strict_checks_of_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("matplotlib")
    folder = Path(__file__).parents[1] / "examples"
    examples = ("order", "predators", "epidemic", "evacuation", "routes", "cars", "live", "sweep", "own_wheel/try")
    for checked in ([str(folder / f"{name}.py") for name in examples], ["-p", "flockwork"]):
        command = [sys.executable, "-m", "mypy", "--strict", *checked]
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout


def test_what_runs_passes_strict_checks_of_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", str(Path(typed.__file__))]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    assert len(typed.calls()) == 43


def test_everything_says_what_it_is() -> None:
    for thing in [fw, *vars(fw).values()]:
        if inspect.isclass(thing) or inspect.isfunction(thing) or inspect.ismodule(thing):
            assert inspect.getdoc(thing), thing
    for name, thing in vars(fw.Crowd).items():
        if not name.startswith("_"):
            assert inspect.getdoc(thing), name
