//! A running crowd in Python: its steps, its state and its parameters.
//!
//! A crowd may be used from any thread. Calls run one at a time and release the GIL (detach from
//! the interpreter), so other Python threads keep running. No Python code runs during a call:
//! a closure that gets the crowd has no access to the interpreter.
//!
//! Threads and locks do not survive `fork`, so a child process rejects the crowds of its parent.

use std::process;
use std::time::{Duration, Instant};

use flockwork::{Error, FlowField, Scene, Simulation, Snapshot, Species, Target};
use parking_lot::FairMutex;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::agents::{axes, described, size};
use crate::arguments::{Steps, argument};
use crate::definitions::read;
use crate::error::{engine_error, forked};
use crate::memory::Running;

mod inspect;
mod properties;
mod queries;

/// `step` begins no further step after this time until it has checked for Ctrl-C and let calls from
/// other threads run.
const TURN: Duration = Duration::from_millis(50);

/// A running crowd; `Scene.build` creates one.
///
/// Arrays in slot order (`x`, `y`, `vx`, `vy`, `hx`, `hy`, `column`) are read-only views.
/// So are `z`, `vz` and `hz` in a world with depth. If all agents move at constant speed,
/// velocities are copies. Array contents never change, even when the crowd steps. Steps may change
/// the slot order; `ids("slot")` maps slots to ids.
/// `positions`, `get` and similar methods return copies, by default in id order.
///
/// An id is an integer that identifies an agent permanently. The initial agents have the ids
/// 0, 1, 2, …
#[pyclass(frozen, weakref, module = "flockwork")]
pub(crate) struct Crowd {
    /// Fair, so that calls from other threads take turns with a long `step`.
    running: FairMutex<Running>,
    /// Id of the process that built the crowd.
    process: u32,
}

impl Crowd {
    pub(crate) fn new(crowd: Simulation) -> Self {
        Self { running: FairMutex::new(Running::new(crowd)), process: process::id() }
    }

    /// Calls `act` with the crowd locked and the GIL released.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Running) -> T + Send,
    ) -> PyResult<T> {
        if process::id() != self.process {
            return Err(forked(py, self.process));
        }
        Ok(py.detach(|| act(&mut self.running.lock())))
    }

    fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Simulation) -> T + Send,
    ) -> PyResult<T> {
        self.with(py, |running| read(running.read()))
    }

    fn try_read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Simulation) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.read(py, read)?.map_err(engine_error)
    }

    fn axes(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, axes)
    }

    fn write<T: Send>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut Simulation) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.with(py, |running| write(running.write()))?.map_err(engine_error)
    }
}

#[pyfunction]
pub(crate) fn build(py: Python<'_>, scene: &Bound<'_, PyAny>) -> PyResult<Crowd> {
    let scene: Scene = read(scene)?;
    py.detach(|| scene.build()).map(Crowd::new).map_err(engine_error)
}

#[pymethods]
impl Crowd {
    /// Builds a crowd from a snapshot's bytes. The new crowd continues exactly like the original.
    #[staticmethod]
    fn from_snapshot(py: Python<'_>, snapshot: &Bound<'_, PyAny>) -> PyResult<Self> {
        let snapshot = argument("snapshot", snapshot).bytes()?;
        let crowd = py.detach(|| Snapshot::from_bytes(&snapshot)?.build());
        crowd.map(Self::new).map_err(engine_error)
    }

    /// The state as bytes. A crowd restored from them continues identically on any machine.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.read(py, |crowd| crowd.snapshot().to_bytes())?))
    }

    /// Restores the state from a snapshot of this or another crowd.
    fn restore(&self, py: Python<'_>, snapshot: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = argument("snapshot", snapshot).bytes()?;
        let snapshot = py.detach(|| Snapshot::from_bytes(&bytes)).map_err(engine_error)?;
        self.write(py, |crowd| {
            crowd.restore(&snapshot);
            Ok(())
        })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let snapshot = slf.get().snapshot(slf.py())?;
        Ok((slf.get_type().getattr("from_snapshot")?, (snapshot,)))
    }

    /// Takes `n` steps. Other Python threads keep running. Their calls to this crowd run before,
    /// between or after the steps. Ctrl-C takes effect between steps. If a step fails, those before it
    /// remain in effect.
    #[pyo3(signature = (n=Steps(1)), text_signature = "($self, n=1)")]
    fn step(&self, py: Python<'_>, n: Steps) -> PyResult<()> {
        let mut left = n.0;
        while left > 0 {
            left = self.write(py, |crowd| {
                let (start, mut left) = (Instant::now(), left);
                while left > 0 && start.elapsed() < TURN {
                    crowd.step()?;
                    left -= 1;
                }
                Ok(left)
            })?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// The number of steps taken.
    #[getter]
    fn tick(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Simulation::tick)
    }

    /// Simulated seconds since the start.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, Simulation::time)
    }

    /// A 64-bit hash of the state. It is the same for any number of threads, on any machine,
    /// in Python and in Rust.
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Simulation::state_hash)
    }

    /// Duration of each stage of the last step, in seconds.
    #[getter]
    fn stage_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let times = self.read(py, Simulation::stage_times)?;
        let seconds = PyDict::new(py);
        seconds.set_item("sort", times.sort.as_secs_f64())?;
        seconds.set_item("steer", times.steer.as_secs_f64())?;
        seconds.set_item("non_penetration", times.non_penetration.as_secs_f64())?;
        seconds.set_item("smooth", times.smooth.as_secs_f64())?;
        Ok(seconds)
    }

    /// The number of threads that share a step. Small crowds use one thread.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |crowd| crowd.execution().threads)
    }

    /// Sets the number of threads that share a step: 1 to 1024.
    /// Results do not depend on this number.
    fn set_threads(&self, py: Python<'_>, threads: &Bound<'_, PyAny>) -> PyResult<()> {
        let threads = argument("threads", threads).whole("from 1 to 1024")?;
        self.write(py, |crowd| crowd.set_execution(crowd.execution().threads(threads)))
    }

    /// A copy of the scene, with all parameter changes since the start.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.read(py, |crowd| crowd.scene().to_toml())?;
        py.import("flockwork.scene")?.getattr("Scene")?.call_method1("_from_text", (text,))
    }

    /// Replaces the parameters and behaviors of the crowd's species named `species.name`.
    /// The number of agents does not change.
    fn set_species(&self, py: Python<'_>, species: &Bound<'_, PyAny>) -> PyResult<()> {
        argument("species", species).definition("Species")?;
        let species: Species = read(species)?;
        self.write(py, |crowd| crowd.set_species(&species))
    }

    /// Replaces obstacles, walls, paths, flow fields, routes and scattered scenery with those of
    /// another scene.
    fn set_scenery(&self, py: Python<'_>, scene: &Bound<'_, PyAny>) -> PyResult<()> {
        argument("scene", scene).definition("Scene")?;
        let scene: Scene = read(scene)?;
        self.write(py, |crowd| crowd.set_scenery(&scene))
    }

    /// Moves one of the scene's named points.
    fn set_point(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        to: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let name = argument("name", name).text("the name of one of the scene's points")?;
        let to = argument("to", to).point(self.axes(py)?)?;
        self.write(py, |crowd| crowd.set_point(&name, to))
    }

    /// Replaces a flow field: `Scene.flow`, or the one with this name in `Scene.flows`.
    #[pyo3(signature = (flow, name=None))]
    fn set_flow(
        &self,
        py: Python<'_>,
        flow: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        argument("flow", flow).definition("FlowField")?;
        let flow: FlowField = read(flow)?;
        let allowed = "the name of one of the scene's flow fields";
        let name = name.map(|name| argument("name", name).text(allowed)).transpose()?;
        self.write(py, |crowd| crowd.set_flow(name.as_deref(), flow))
    }

    /// Sets the number of steps per simulated second: 1 to 1e5.
    fn set_steps_per_second(
        &self,
        py: Python<'_>,
        steps_per_second: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let steps_per_second = argument("steps_per_second", steps_per_second).number()?;
        self.write(py, |crowd| crowd.edit(|scene| scene.steps_per_second = steps_per_second))
    }

    /// Sets the number of passes per step that push overlapping agents apart: 0 to 64.
    fn set_non_penetration(&self, py: Python<'_>, iterations: &Bound<'_, PyAny>) -> PyResult<()> {
        let iterations = argument("iterations", iterations).whole("from 0 to 64")?;
        self.write(py, |crowd| {
            crowd.edit(|scene| {
                (scene.non_penetration, scene.non_penetration_per_second) = (iterations, None);
            })
        })
    }

    /// Sets whether walls and obstacles stop agents.
    fn set_solid(&self, py: Python<'_>, solid: &Bound<'_, PyAny>) -> PyResult<()> {
        let solid = argument("solid", solid).flag()?;
        self.write(py, |crowd| crowd.edit(|scene| scene.solid = solid))
    }

    /// Smooths each agent's heading over its latest `samples` headings, from 1 to 100.
    /// None disables smoothing. Smoothing restarts from the current headings.
    #[pyo3(signature = (samples))]
    fn set_heading_samples(
        &self,
        py: Python<'_>,
        samples: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let samples = samples.map(|samples| argument("samples", samples).whole("from 1 to 100"));
        let samples = samples.transpose()?;
        self.write(py, |crowd| crowd.edit(|scene| scene.heading_samples = samples))
    }

    /// Sets the random seed for later steps, e.g. to run replicates from one snapshot. Values drawn
    /// at the start stay the same, and the scene's `start_seed` keeps the old seed.
    fn set_seed(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seed = argument("seed", seed).whole("from 0 to 2**64 - 1")?;
        self.write(py, |crowd| crowd.edit(|scene| scene.seed = seed))
    }

    /// Sets an agent's own target: the id of another agent, or a point `[x, y]` (in a world with
    /// depth, `[x, y, z]`). None clears it.
    /// `set("own_target", points, ids)` and `set_own_targets` set those of many agents at once.
    #[pyo3(signature = (id, target=None))]
    fn set_own_target(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        target: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let id = argument("id", id).id()?;
        let axes = self.axes(py)?;
        let target =
            target.map(|target| argument("target", target).own_target(axes)).transpose()?;
        self.write(py, |crowd| crowd.set_own_target(id, target.unwrap_or_default()))
    }

    /// Sets the own targets of many agents: the ids of other agents, one for all or one for each.
    /// None clears them. On error, no target changes.
    #[pyo3(signature = (ids, targets=None))]
    fn set_own_targets(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        targets: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ids = argument("ids", ids).ids()?.values;
        let targets: Vec<Target> = match targets {
            Some(targets) => {
                let others = argument("targets", targets).ids()?.for_each(ids.len());
                others.into_iter().map(Target::Agent).collect()
            }
            None => vec![Target::Unset; ids.len()],
        };
        self.write(py, |crowd| crowd.set_own_targets(&ids, &targets))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, Simulation::len)
    }

    /// True if the agent is in the crowd, False once it has been removed.
    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = argument("id", id).id()?;
        self.read(py, |crowd| crowd.contains(id))
    }

    /// Width and height of the world, and depth if it has one, in world units.
    #[getter]
    fn world_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.read(py, size)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, described)
    }

    /// A picture for notebooks, if matplotlib is installed.
    fn _repr_png_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("flockwork.drawing")?.getattr("_png")?.call1((slf,))
    }
}
