"""Reading and writing per-agent attributes, and spatial queries."""

import numpy as np
import pytest

import flockwork as fw


def test_what_was_set_is_what_is_read(crowd: fw.Crowd) -> None:
    crowd.step(2)
    generator = np.random.default_rng(1)
    ids = generator.permutation(crowd.ids())[:50]
    for what, values in [
        ("position", generator.uniform(1, 299, (50, 2))),
        ("max_speed", generator.uniform(20, 90, 50)),
        ("radius", generator.uniform(1, 5, 50)),
        ("hunger", generator.normal(size=50)),
    ]:
        crowd.set(what, values, ids)
        np.testing.assert_array_equal(crowd.get(what, ids), values.astype("f4"))
        np.testing.assert_array_equal(crowd.get(what, int(ids[7])), values[7].astype("f4"))
        every = crowd.get(what)
        np.testing.assert_array_equal(every[ids.astype(int)], values.astype("f4"))
        crowd.set(what, every[::-1], order="slot")
        np.testing.assert_array_equal(crowd.get(what, order="slot"), every[::-1])


def test_one_value_is_that_of_all(crowd: fw.Crowd) -> None:
    crowd.set("mass", 2)
    assert (crowd.get("mass") == 2).all()
    crowd.set("position", [5, 6], crowd.ids(species="shark"))
    assert (crowd.get("position", crowd.ids(species="shark")) == [5, 6]).all()
    crowd.set("heading", (0, 3), 4)
    np.testing.assert_array_equal(crowd.get("heading", 4), [0, 1])


def test_orders_agree(crowd: fw.Crowd) -> None:
    crowd.step(5)
    crowd.remove(crowd.ids()[::3])
    crowd.spawn("fish", [[1, 2], [3, 4]], (1, 0))
    crowd.step(2)
    ids, slots = crowd.ids(), crowd.ids("slot")
    assert sorted(slots & 0xFFFFFFFF) == list(ids & 0xFFFFFFFF)
    by_id = dict(zip(slots, np.stack([crowd.x, crowd.y], 1)))
    np.testing.assert_array_equal(crowd.positions(), [by_id[id] for id in ids])
    species = dict(zip(slots, crowd.species("slot")))
    assert list(crowd.species()) == [species[id] for id in ids]
    assert set(crowd.ids(species="shark")) == {id for id in ids if species[id] == 1}


def test_spawn_and_remove(crowd: fw.Crowd) -> None:
    one = crowd.spawn("fish", (10, 20), (1, 0))
    assert one == 205
    assert tuple(crowd.get("position", one)) == (10, 20)
    many = crowd.spawn("shark", np.full((3, 2), 9.0), [[1, 0], [0, 1], [1, 1]])
    assert list(many) == [206, 207, 208]
    assert one in crowd
    crowd.remove(one)
    crowd.remove(many)
    assert len(crowd) == 205
    assert one not in crowd and 0 in crowd
    with pytest.raises(fw.NoSuchAgent) as refusal:
        crowd.get("mass", one)
    assert refusal.value.code == "no_such_agent"
    again = crowd.spawn("fish", (10, 20), (1, 0))
    assert again not in (one, *many) and again > 2**32, "an index is used again, an id never"


def test_questions(crowd: fw.Crowd) -> None:
    crowd.step()
    at = crowd.positions()
    near = crowd.agents_within((200, 150), 50)
    distance = np.hypot(*(at - [200, 150]).T)
    assert list(near) == list(np.flatnonzero(distance <= 50))
    assert crowd.nearest_agents((200, 150))[0] == distance.argmin()
    # A count larger than the crowd returns all agents.
    assert len(crowd.nearest_agents((200, 150), 2**64 - 1)) == len(crowd)
    inside = crowd.agents_in_rectangle((10, 10), (90, 90), "fish")
    expected = ((at >= 10) & (at <= 90)).all(1) & (crowd.species() == 0)
    assert list(inside) == list(np.flatnonzero(expected))
    assert crowd.displacement((1, 1), (399, 299)) == (-2, -2)
    seen = [len(crowd.neighbors(int(id))) for id in crowd.ids()]
    assert crowd.neighbor_counts()["mean_neighbors"] == pytest.approx(np.mean(seen))
    assert sum(crowd.stage_times.values()) > 0


def test_forces_from_outside(crowd: fw.Crowd) -> None:
    before = crowd.velocities()[:, 1].mean()
    crowd.set("acceleration_y", 50 - crowd.y / 10, order="slot")
    for _ in range(30):
        crowd.step()
    assert crowd.velocities()[:, 1].mean() > before + 5


@pytest.mark.parametrize(
    ("what", "values", "ids"),
    [
        ("position", np.zeros((5, 3)), None),
        ("position", np.zeros(3), None),
        ("position", [[1, 2], [3]], None),
        ("position", "here", None),
        ("position", None, None),
        ("position", [[np.nan, 1]], [3]),
        ("position", [1e30, 1], 3),
        ("mass", np.zeros((2, 2)), None),
        ("mass", [1, 2, 3], None),
        ("mass", -1, 3),
        ("mass", 1, [1.5]),
        ("mass", 1, [True, False]),
        ("mass", 1, "all"),
        ("mass", 1, 2**70),
        ("mass", 1, -1),
        ("mass", 1, [[1, 2]]),
        ("mass", 1, {1: 2}),
        ("hunger", np.inf, 3),
        ("hungr", 1, None),
        ("velocity", (1e6, 0), 3),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    crowd: fw.Crowd, what: str, values: object, ids: object
) -> None:
    before = crowd.state_hash()
    with pytest.raises((ValueError, TypeError, LookupError)):
        crowd.set(what, values, ids)  # type: ignore[arg-type]
    assert crowd.state_hash() == before


def test_calls_that_make_no_sense(crowd: fw.Crowd) -> None:
    before = crowd.state_hash()
    for call in [
        lambda: crowd.step(-1),
        lambda: crowd.step(1.5),
        lambda: crowd.step(2**64),
        lambda: crowd.set_threads(0),
        lambda: crowd.set_threads(10**9),
        lambda: crowd.get("positions"),
        lambda: crowd.get("mass", order="random"),
        lambda: crowd.column("missing"),
        lambda: crowd.ids(species="whale"),
        lambda: crowd.spawn("whale", (1, 1), (1, 0)),
        lambda: crowd.spawn("fish", (1, 1), (0, 0)),
        lambda: crowd.spawn("fish", [[1, 1], [2, 1e9]], (1, 0)),
        lambda: crowd.spawn("fish", [[1, 1], [2, 2]], [[1, 0]]),
        lambda: crowd.remove([1, 1]),
        lambda: crowd.remove([1, 999]),
        lambda: crowd.agents_within((0, np.nan), 5),
        lambda: crowd.agents_within((0, 0, 0), 5),
        lambda: crowd.agents_within((0, 0), -5),
        lambda: crowd.nearest_agents((0, 0), -1),
        lambda: crowd.neighbors(999),
        lambda: crowd.set_point("missing", (1, 1)),
        lambda: crowd.restore(b""),
        lambda: crowd.set_species(3),
        lambda: fw.Crowd(),
        lambda: setattr(crowd, "x", 1),
    ]:
        with pytest.raises((ValueError, TypeError, LookupError, OverflowError, AttributeError)):
            call()
    assert crowd.state_hash() == before


def test_a_step_that_is_refused_is_not_taken() -> None:
    crowd = fw.Scene(world=fw.World.open(100, 100), species=[fw.Species("fish", max_speed=100)]).build()
    crowd.spawn("fish", (1e7, 0), (1, 0))
    with pytest.raises(fw.FlockworkError, match="the step was not taken") as refusal:
        crowd.step(100)
    assert refusal.value.code == "runaway"
    assert crowd.tick < 100


def test_the_refusal_of_a_name_knows_all_names(crowd: fw.Crowd) -> None:
    with pytest.raises(fw.UnknownName, match="property `mas`") as refusal:
        crowd.get("mas")
    assert {"mass", "position", "hunger", "acceleration_x"} <= set(refusal.value.known)


def test_refusals_of_names_suggest_the_nearest(crowd: fw.Crowd) -> None:
    """Regression: properties, columns and species had no suggestion."""
    for ask, nearest in [
        (lambda: crowd.get("mas"), "mass"),
        (lambda: crowd.column("hungr"), "hunger"),
        (lambda: crowd.ids(species="fsh"), "fish"),
    ]:
        with pytest.raises(fw.UnknownName, match="did you mean") as refusal:
            ask()
        assert refusal.value.nearest == nearest


def test_an_empty_crowd() -> None:
    crowd = fw.Scene(world=fw.World.torus(100, 100), species=[fw.Species("fish")]).build()
    crowd.step(3)
    assert crowd.x.shape == (0,) and crowd.positions().shape == (0, 2) and len(crowd.ids()) == 0
    crowd.set("position", np.zeros((0, 2)))
    crowd.set("mass", [])
    crowd.remove([])
    assert len(crowd.spawn("fish", [], (1, 0))) == 0
    assert len(crowd.table()) == 0


def test_built_in_properties_shadow_columns_of_the_same_name_in_tables() -> None:
    columns = {"x": 5, "id": 6, "species": 7, "mass": 8, "hunger": 9}
    fish = fw.Species("fish", 2, columns=columns)
    crowd = fw.Scene(world=fw.World.torus(100, 100), species=[fish]).build()
    arrays = crowd.to_dict()
    np.testing.assert_array_equal(arrays["x"], crowd.positions()[:, 0])
    np.testing.assert_array_equal(arrays["id"], crowd.ids())
    assert list(arrays["species"]) == ["fish", "fish"]
    assert list(arrays["mass"]) == [1, 1] and list(arrays["hunger"]) == [9, 9]


def test_the_table_is_the_crowd(crowd: fw.Crowd) -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    crowd.step(2)
    table = crowd.table()
    frames = {"polars": polars.DataFrame(table), "pyarrow": pyarrow.table(table)}
    pandas = pytest.importorskip("pandas", minversion="3.0")
    frames["pandas"] = pandas.DataFrame.from_arrow(table)
    for kind, frame in frames.items():
        assert list(frame["id"].to_numpy()) == list(crowd.ids()), kind
        np.testing.assert_array_equal(frame["x"].to_numpy(), crowd.positions()[:, 0])
        np.testing.assert_array_equal(frame["hunger"].to_numpy(), crowd.get("hunger"))
        names = frame["species"].to_pylist() if kind == "pyarrow" else list(frame["species"])
        assert names == [["fish", "shark"][number] for number in crowd.species()], kind
    crowd.step(2)
    assert (frames["polars"]["x"].to_numpy() != crowd.positions()[:, 0]).any(), "it is a copy"
