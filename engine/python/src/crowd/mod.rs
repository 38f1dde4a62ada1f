//! A running crowd in Python: steps, what agents have, who is where.
//!
//! Any thread may call a crowd. Calls wait for each other without holding up other Python threads, and no
//! Python code runs while one is carried out: a closure that gets the crowd cannot have the interpreter.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flockwork::internal::lent::Column;
use flockwork::{AgentId, Error, Order, Scene, Simulation, Snapshot, Species, Vector};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::agents::{all, described, ids, of_species, set, species};
use crate::arguments::{self, What, own_column, property};
use crate::definitions::read;
use crate::error::refused;
use crate::memory::{Memory, Running, id_of, number_of};
use crate::table::{Contents, Table};

/// How long steps may go on before Python looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// A running crowd. `Scene.build` makes one.
///
/// Arrays in the order of slots (`x`, `y`, `vx`, `vy`, `hx`, `hy`, `column`) are read-only views,
/// without a copy where the crowd stores the numbers. Their contents never change, whatever the
/// crowd does later. The order of slots changes from step to step; `ids("slot")` says who is in
/// which. `positions`, `get` and the like return copies, by default in the order of ids.
///
/// An id is a whole number that the agent keeps for good. Agents of the start have 0, 1, 2, ...
#[pyclass(frozen, weakref, module = "flockwork")]
pub(crate) struct Crowd(Mutex<Running>);

impl Crowd {
    pub(crate) fn new(crowd: Simulation) -> Self {
        Self(Mutex::new(Running::new(crowd)))
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&Simulation) -> T + Send) -> T {
        py.detach(|| read(self.lock().read()))
    }

    /// As [`Self::read`], with the engine's refusal as an exception.
    fn try_read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Simulation) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.read(py, read).map_err(refused)
    }

    fn write<T: Send>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut Simulation) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        py.detach(|| write(self.lock().write())).map_err(refused)
    }

    fn view<'py>(&self, py: Python<'py>, column: Column) -> PyResult<Bound<'py, PyAny>> {
        let lent = py.detach(|| self.lock().lend(column));
        Memory::lent(lent).array(py)
    }

    /// A velocity's coordinate: a column of its own, or computed from headings.
    fn velocity<'py>(
        &self,
        py: Python<'py>,
        column: Column,
        axis: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let computed = |running: &mut Running| {
            let (lent, crowd) = (running.lend(column), running.read());
            if lent.length == crowd.len() {
                return Ok(Memory::lent(lent));
            }
            let velocities = all(crowd, Vector::Velocity, Order::Slot)?;
            let axis = velocities.iter().map(|velocity| velocity[axis]).collect();
            Ok(Memory::numbers(axis).read_only())
        };
        py.detach(|| computed(&mut self.lock())).map_err(refused)?.array(py)
    }

    fn vectors<'py>(
        &self,
        py: Python<'py>,
        vector: Vector,
        order: Order,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.try_read(py, |crowd| all(crowd, vector, order).map(Memory::vectors))?.array(py)
    }

    fn found<'py>(
        &self,
        py: Python<'py>,
        ask: impl FnOnce(&Simulation, &mut Vec<AgentId>) -> Result<(), Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut found = Vec::new();
        self.try_read(py, |crowd| ask(crowd, &mut found))?;
        Memory::ids(found).array(py)
    }
}

#[pymethods]
impl Crowd {
    /// A crowd in the state of a snapshot, from which the same steps follow.
    #[staticmethod]
    fn from_snapshot(py: Python<'_>, snapshot: Vec<u8>) -> PyResult<Self> {
        let crowd = py.detach(|| Snapshot::from_bytes(&snapshot)?.build());
        crowd.map(Self::new).map_err(refused)
    }

    /// The state as bytes: the same steps follow from it on any machine.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.read(py, |crowd| crowd.snapshot().to_bytes()))
    }

    /// Restores the state of a snapshot, of this crowd or another.
    fn restore(&self, py: Python<'_>, snapshot: Vec<u8>) -> PyResult<()> {
        let snapshot = py.detach(|| Snapshot::from_bytes(&snapshot)).map_err(refused)?;
        self.write(py, |crowd| {
            crowd.restore(&snapshot);
            Ok(())
        })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let snapshot = slf.get().snapshot(slf.py());
        Ok((slf.get_type().getattr("from_snapshot")?, (snapshot,)))
    }

    /// Takes `n` steps. Other Python threads run meanwhile; their calls to this crowd come before, after,
    /// or between steps. Ctrl-C ends it between two steps.
    #[pyo3(signature = (n=1))]
    fn step(&self, py: Python<'_>, n: u64) -> PyResult<()> {
        let (mut left, mut at_once) = (n, 1);
        while left > 0 {
            let start = Instant::now();
            let steps = left.min(at_once);
            self.write(py, |crowd| crowd.run(steps))?;
            left -= steps;
            if start.elapsed() < PATIENCE {
                at_once *= 2;
            }
            py.check_signals()?;
        }
        Ok(())
    }

    /// The number of steps taken.
    #[getter]
    fn tick(&self, py: Python<'_>) -> u64 {
        self.read(py, Simulation::tick)
    }

    /// Simulated seconds since the start.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.read(py, Simulation::time)
    }

    /// A 64-bit hash of the state. It is the same for any number of threads, on any machine, from Python
    /// and from Rust.
    fn state_hash(&self, py: Python<'_>) -> u64 {
        self.read(py, Simulation::state_hash)
    }

    /// Seconds that the stages of the last step took.
    #[getter]
    fn stage_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let times = self.read(py, Simulation::stage_times);
        let seconds = PyDict::new(py);
        seconds.set_item("sort", times.sort.as_secs_f64())?;
        seconds.set_item("steer", times.steer.as_secs_f64())?;
        seconds.set_item("non_penetration", times.non_penetration.as_secs_f64())?;
        seconds.set_item("smooth", times.smooth.as_secs_f64())?;
        Ok(seconds)
    }

    /// How many threads share a step. Small crowds use one.
    #[getter]
    fn threads(&self, py: Python<'_>) -> usize {
        self.read(py, Simulation::threads)
    }

    /// Sets how many threads share a step: 1 to 1024. The result is the same.
    fn set_threads(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        self.write(py, |crowd| crowd.set_threads(threads))
    }

    /// The scene, with all changes of parameters since the start: a copy.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.read(py, |crowd| crowd.scene().to_toml());
        py.import("flockwork.scene")?.getattr("Scene")?.call_method1("_from_text", (text,))
    }

    /// Replaces the parameters and behaviors of the species of the same name. Its number of agents
    /// does not change.
    fn set_species(&self, py: Python<'_>, species: &Bound<'_, PyAny>) -> PyResult<()> {
        let species: Species = read(species)?;
        self.write(py, |crowd| crowd.set_species(&species))
    }

    /// Replaces obstacles and walls with those of another scene.
    fn set_scenery(&self, py: Python<'_>, scene: &Bound<'_, PyAny>) -> PyResult<()> {
        let scene: Scene = read(scene)?;
        self.write(py, |crowd| crowd.set_scenery(&scene))
    }

    /// Moves one of the scene's named points.
    fn set_point(&self, py: Python<'_>, name: &str, to: [f32; 2]) -> PyResult<()> {
        self.write(py, |crowd| crowd.set_point(name, to))
    }

    /// Sets the number of steps per simulated second.
    fn set_steps_per_second(&self, py: Python<'_>, steps_per_second: f32) -> PyResult<()> {
        self.write(py, |crowd| crowd.set_steps_per_second(steps_per_second))
    }

    /// Sets how many times per step overlapping agents are pushed apart.
    fn set_non_penetration(&self, py: Python<'_>, iterations: u32) -> PyResult<()> {
        self.write(py, |crowd| crowd.set_non_penetration(iterations))
    }

    /// Sets an agent's own target, or clears it.
    #[pyo3(signature = (id, target=None))]
    fn set_own_target(&self, py: Python<'_>, id: u64, target: Option<u64>) -> PyResult<()> {
        self.write(py, |crowd| crowd.set_own_target(id_of(id), target.map(id_of)))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.read(py, Simulation::len)
    }

    /// Width and height of the world.
    #[getter]
    fn world_size(&self, py: Python<'_>) -> (f32, f32) {
        self.read(py, Simulation::world_size).into()
    }

    /// Positions in the order of slots: a view.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Column::X)
    }

    /// Positions in the order of slots: a view.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Column::Y)
    }

    /// Velocities in the order of slots: a view, or a copy in crowds of constant speed.
    #[getter]
    fn vx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.velocity(py, Column::Vx, 0)
    }

    /// Velocities in the order of slots: a view, or a copy in crowds of constant speed.
    #[getter]
    fn vy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.velocity(py, Column::Vy, 1)
    }

    /// Headings, of length 1, in the order of slots: a view.
    #[getter]
    fn hx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Column::Hx)
    }

    /// Headings, of length 1, in the order of slots: a view.
    #[getter]
    fn hy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Column::Hy)
    }

    /// The names of the columns that the scene defines.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Vec<String> {
        self.read(py, |crowd| crowd.columns().map(str::to_owned).collect())
    }

    /// A column that the scene defines, in the order of slots: a view.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let lend = |running: &mut Running| Ok(running.lend(own_column(running.read(), name)?));
        let lent = py.detach(|| lend(&mut self.lock())).map_err(refused)?;
        Memory::lent(lent).array(py)
    }

    /// The ids of all agents, or of one species.
    #[pyo3(signature = (order="id", species=None))]
    fn ids<'py>(
        &self,
        py: Python<'py>,
        order: &str,
        species: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let order = arguments::order(order)?;
        let ids = self.try_read(py, |crowd| match species {
            Some(name) => of_species(crowd, order, name),
            None => Ok(ids(crowd, order)),
        })?;
        Memory::ids(ids).array(py)
    }

    /// The number of each agent's species among those of the scene.
    #[pyo3(signature = (order="id"))]
    fn species<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Bound<'py, PyAny>> {
        let order = arguments::order(order)?;
        self.try_read(py, |crowd| species(crowd, order).map(Memory::bytes))?.array(py)
    }

    /// Positions: n × 2 numbers.
    #[pyo3(signature = (order="id"))]
    fn positions<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Position, arguments::order(order)?)
    }

    /// Velocities: n × 2 numbers, units/s.
    #[pyo3(signature = (order="id"))]
    fn velocities<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Velocity, arguments::order(order)?)
    }

    /// Headings: n × 2 numbers, each of length 1.
    #[pyo3(signature = (order="id"))]
    fn headings<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Heading, arguments::order(order)?)
    }

    /// What agents have: `"position"`, `"velocity"`, `"heading"`, `"max_speed"`, `"max_force"`, `"mass"`,
    /// `"radius"`, `"field_of_view"`, or a column. Of all, in the given order; of the agents with these
    /// ids; or of one.
    #[pyo3(signature = (what, ids=None, *, order="id"))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        what: &str,
        ids: Option<&Bound<'py, PyAny>>,
        order: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids = ids.map(arguments::ids).transpose()?;
        let order = arguments::order(order)?;
        let is_one = ids.as_ref().is_some_and(|ids| ids.is_one);
        let memory = self.try_read(py, |crowd| {
            Ok(match (property(crowd, what)?, &ids) {
                (What::Vector(vector), None) => Memory::vectors(all(crowd, vector, order)?),
                (What::Vector(vector), Some(ids)) => {
                    Memory::vectors(crowd.get_many(vector, &ids.values)?)
                }
                (What::Number(number), None) => Memory::numbers(all(crowd, number, order)?),
                (What::Number(number), Some(ids)) => {
                    Memory::numbers(crowd.get_many(number, &ids.values)?)
                }
            })
        })?;
        let array = memory.array(py)?;
        if is_one { array.get_item(0) } else { Ok(array) }
    }

    /// Sets what agents have: see `get` for what. Of all, in the given order; of the agents with
    /// these ids; or of one. A single value applies to all. Either all are set, or none.
    #[pyo3(signature = (what, values, ids=None, *, order="id"))]
    fn set(
        &self,
        py: Python<'_>,
        what: &str,
        values: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        order: &str,
    ) -> PyResult<()> {
        let agents = (ids.map(arguments::ids).transpose()?, arguments::order(order)?);
        match self.try_read(py, |crowd| property(crowd, what))? {
            What::Vector(vector) => {
                let values = arguments::vectors(values)?;
                self.write(py, |crowd| set(crowd, vector, agents, values))
            }
            What::Number(number) => {
                let values = arguments::numbers(values)?;
                self.write(py, |crowd| set(crowd, number, agents, values))
            }
        }
    }

    /// Adds an agent, or one at each of n × 2 positions, with one heading for all or one for each. Returns
    /// its id, or theirs. Either all are added, or none.
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        positions: &Bound<'py, PyAny>,
        headings: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (positions, headings) = (arguments::vectors(positions)?, arguments::vectors(headings)?);
        let headings = headings.for_each(positions.values.len());
        let added =
            self.write(py, |crowd| crowd.spawn_many(species, &positions.values, &headings))?;
        match (positions.is_one, &added[..]) {
            (true, [one]) => Ok(number_of(*one).into_pyobject(py)?.into_any()),
            _ => Memory::ids(added).array(py),
        }
    }

    /// Removes the agent with this id, or all with these ids. Either all are removed, or none.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = arguments::ids(ids)?.values;
        self.write(py, |crowd| crowd.remove_many(&ids))
    }

    /// The ids of the agents at most `radius` from a point: of all, or of a species.
    #[pyo3(signature = (center, radius, species=None))]
    fn agents_within<'py>(
        &self,
        py: Python<'py>,
        center: [f32; 2],
        radius: f32,
        species: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.found(py, |crowd, found| crowd.agents_within(center, radius, species, found))
    }

    /// The ids of the agents in a rectangle: of all, or of a species. On a torus it may reach across the
    /// seam.
    #[pyo3(signature = (low, high, species=None))]
    fn agents_in_rectangle<'py>(
        &self,
        py: Python<'py>,
        low: [f32; 2],
        high: [f32; 2],
        species: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.found(py, |crowd, found| crowd.agents_in_rectangle([low, high], species, found))
    }

    /// The ids of the `count` agents nearest to a point, the nearest first: of all, or of a species.
    #[pyo3(signature = (to, count=1, species=None))]
    fn nearest_agents<'py>(
        &self,
        py: Python<'py>,
        to: [f32; 2],
        count: usize,
        species: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.found(py, |crowd, found| crowd.nearest_agents(to, count, species, found))
    }

    /// The ids of the agents that an agent sees.
    fn neighbors<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyAny>> {
        let seen = self.write(py, |crowd| crowd.neighbors(id_of(id)))?;
        Memory::ids(seen).array(py)
    }

    /// How many neighbors agents see, as a mean and at most, and how many pairs are tested for each agent.
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let census = self.write(py, |crowd| Ok(crowd.census()))?;
        let numbers = PyDict::new(py);
        numbers.set_item("mean_neighbors", census.mean_neighbors)?;
        numbers.set_item("max_neighbors", census.max_neighbors)?;
        numbers.set_item("pairs_per_agent", census.pairs_per_agent)?;
        Ok(numbers)
    }

    /// The way from one point to another: on a torus, the shortest.
    fn displacement(&self, py: Python<'_>, start: [f32; 2], end: [f32; 2]) -> (f32, f32) {
        self.read(py, |crowd| crowd.displacement(start, end)).into()
    }

    /// How aligned the crowd is: the length of its mean heading, from 0 to 1.
    fn alignment_order(&self, py: Python<'_>) -> f64 {
        self.read(py, Simulation::alignment_order)
    }

    /// A copy of the crowd that polars, pandas, pyarrow and others read as a table.
    #[pyo3(signature = (order="id"))]
    fn table(&self, py: Python<'_>, order: &str) -> PyResult<Table> {
        let order = arguments::order(order)?;
        self.try_read(py, |crowd| Contents::of(crowd, order))?.table()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.read(py, described)
    }
}
