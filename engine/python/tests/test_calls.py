"""Random sequences of calls from Python give the same results and hash as the same calls in Rust."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import flock

import flockwork as fw

SEQUENCES = 1_000
CALLS = 12


def text(values: object) -> str:
    return " ".join(repr(float(value)) for value in np.asarray(values, dtype="f4").ravel())


def numbers(ids: object) -> str:
    return "".join(f"{id} " for id in np.asarray(ids).ravel())


class Player:
    """Makes random calls from Python, and records the calls and their results."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.pick, self.folder = random.Random(seed), folder
        self.calls: list[str] = []
        self.said: list[str] = []
        world = getattr(fw.World, self.pick.choice(["torus", "bounded", "open"]))(400, 300)
        self.scene = flock(self.pick.choice([0, 1, 20]), world=world, seed=seed)
        if self.pick.random() < 0.5:
            self.scene.species[0].locomotion = "constant_speed"
        if self.pick.random() < 0.8:
            self.scene.species[1].own_target = {"each_of": "fish"}
            self.scene.species[1].behaviors.append(fw.Seek(target="own"))
        self.crowd = self.scene.build()
        self.kept: bytes | None = None
        self.held: list[np.ndarray] = []
        self.note(f"scene {self.file(self.scene)}", "")

    def file(self, scene: fw.Scene) -> Path:
        path = self.folder / f"{len(self.calls)}.toml"
        path.write_text(scene.to_toml())
        return path

    def note(self, call: str, said: str) -> None:
        self.calls.append(call)
        self.said.append(said)

    def play(self) -> None:
        for _ in range(CALLS):
            kind = self.pick.choice([self.step, self.step, self.set, self.set, self.spawn, self.remove, self.other])
            if self.pick.random() < 0.3:
                self.held = [self.crowd.x, self.crowd.hy, self.crowd.column("hunger")]
            call, act = kind()
            try:
                said = act()
            except fw.FlockworkError as error:
                said = error.code
            self.note(call, said or "")
        self.note("hash", f"{self.crowd.state_hash():016x}")

    def some(self) -> np.ndarray:
        """Returns random ids, sometimes with an id that does not exist."""
        ids = self.crowd.ids()
        picked = self.pick.sample(list(ids), self.pick.randint(0, len(ids)))
        if self.pick.random() < 0.1:
            picked.append(self.pick.choice([500, 2**32, 2**64 - 1]))
        return np.array(picked, dtype="u8")

    def points(self, count: int) -> np.ndarray:
        points = np.array([[self.pick.uniform(0, 400), self.pick.uniform(0, 300)] for _ in range(count)])
        points = points.reshape(count, 2).astype("f4")
        if count and self.pick.random() < 0.1:
            points[-1] = self.pick.choice([np.nan, np.inf, 1e30])
        return points

    def step(self):
        steps = self.pick.randint(0, 3)
        return f"step {steps}", lambda: self.crowd.step(steps)

    def set(self):
        what = self.pick.choice(
            [
                *("position", "velocity", "heading", "own_target"),
                *("max_speed", "mass", "radius", "hunger", "acceleration_x", "none"),
            ]
        )
        # Python checks the property before the ids, and Rust afterwards, so wrong properties are tested without ids.
        order = "id" if what == "none" else self.pick.choice(["id", "slot", "some"])
        ids = self.some()
        count = len(ids) if order == "some" else len(self.crowd)
        count += self.pick.random() < 0.05
        if what in ("position", "velocity", "heading", "own_target"):
            values = self.points(count)
        else:
            values = np.array([self.pick.uniform(0, 9) for _ in range(count)], dtype="f4")
        agents = numbers(ids) if order == "some" else order
        if order == "some":
            return f"set {what} {agents};{text(values)}", lambda: self.crowd.set(what, values, ids)
        return f"set {what} {agents};{text(values)}", lambda: self.crowd.set(what, values, order=order)

    def spawn(self):
        species = self.pick.choice(["fish", "fish", "shark", "whale"])
        at = self.points(self.pick.randint(0, 5))
        given: dict[str, object] = {}
        if self.pick.random() < 0.7:
            given["headings"] = self.points(len(at)) - 150
        if self.pick.random() < 0.4:
            given["velocities"] = (self.points(len(at)) - 150) / np.float32(8)
        if self.pick.random() < 0.4:
            given["columns"] = {"hunger": np.array([self.pick.uniform(0, 9) for _ in at], dtype="f4")}
        said = {**given, "columns": given.get("columns", {}).get("hunger")}  # type: ignore[union-attr]
        said = [f"{name} {text(values)}" for name, values in said.items() if values is not None]
        call = ";".join([f"spawn {species} {text(at)}", *said])
        return call, lambda: numbers(self.crowd.spawn(species, at, **given))

    def remove(self):
        ids = self.some()[: self.pick.randint(0, 6)]
        if len(ids) and self.pick.random() < 0.1:
            ids = np.append(ids, ids[0])
        return f"remove {numbers(ids)}", lambda: self.crowd.remove(ids)

    def other(self):
        kind = self.pick.randrange(8)
        if kind == 0:
            return "keep", self.keep
        if kind == 1:
            return "restore", lambda: self.crowd.restore(self.kept) if self.kept else None
        if kind == 2:
            threads = self.pick.choice([0, 1, 2])
            return f"threads {threads}", lambda: self.crowd.set_threads(threads)
        if kind == 3:
            at = self.points(1)[0]
            return f"point lure {text(at)}", lambda: self.crowd.set_point("lure", tuple(map(float, at)))
        if kind == 4:
            id = int(self.pick.choice([*self.crowd.ids(), 77]))
            return f"neighbors {id}", lambda: numbers(self.crowd.neighbors(id))
        if kind == 5:
            ids, species = self.some()[:4], self.pick.choice(["fish", "shark", "whale"])
            return f"convert {species} {numbers(ids)}", lambda: self.crowd.change_species(ids, species)
        if kind == 6:
            id, other = (int(self.pick.choice([*self.crowd.ids(), 77])) for _ in range(2))
            return f"aim {id} {other}", lambda: self.crowd.set_own_target(id, other)
        fish = self.scene.species[0]
        fish.view_distance = self.pick.uniform(5, 60)
        fish.max_speed = self.pick.choice([50.0, (20.0, 60.0)])
        return f"species {self.file(self.scene)}", lambda: self.crowd.set_species(fish)

    def keep(self) -> None:
        self.kept = self.crowd.snapshot()


def test_the_same_calls_in_rust_give_the_same_hash(rust: Path, tmp_path: Path) -> None:
    calls: list[str] = []
    ours: list[str] = []
    for seed in range(SEQUENCES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        player = Player(seed, folder)
        player.play()
        calls += player.calls
        ours += player.said
    replayed = subprocess.run([rust], input="\n".join(calls), stdout=subprocess.PIPE, text=True, check=True)
    said = replayed.stdout.splitlines()
    assert len(said) == len(ours)
    for call, here, there in zip(calls, ours, said):
        assert here.strip() == there.strip(), call
    refused = sum("_" in one for one in ours)
    assert refused > SEQUENCES / 10, "some calls are refused, with the same code"


def test_a_snapshot_goes_on_alike(crowd: fw.Crowd) -> None:
    crowd.step(5)
    other = fw.Crowd.from_snapshot(crowd.snapshot())
    crowd.step(5)
    other.step(5)
    assert crowd.state_hash() == other.state_hash()
    with pytest.raises(fw.FlockworkError, match="not a valid snapshot"):
        crowd.restore(b"nonsense")


def test_another_version_of_a_snapshot_is_told_from_a_damaged_one(crowd: fw.Crowd) -> None:
    saved = bytearray(crowd.snapshot())
    saved[-1] ^= 1
    with pytest.raises(fw.FlockworkError) as refusal:
        crowd.restore(saved)
    assert refusal.value.code == "snapshot" and not isinstance(refusal.value, fw.SnapshotVersion)
    saved[8] += 1
    with pytest.raises(fw.SnapshotVersion, match="the format of the snapshot is version") as refusal:
        fw.Crowd.from_snapshot(saved)
    assert refusal.value.code == "snapshot_version"
