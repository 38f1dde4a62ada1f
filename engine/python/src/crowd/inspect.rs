use flockwork::{Point, Simulation};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::Crowd;
use crate::agents::{axes, in_order};
use crate::arguments::{InOrder, argument};
use crate::explanation;
use crate::memory::Memory;

type Array<'py> = Bound<'py, PyAny>;

#[pymethods]
impl Crowd {
    /// The ids of the agents that an agent sees.
    fn neighbors<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Array<'py>> {
        let id = argument("id", id).id()?;
        Memory::ids(self.try_read(py, |crowd| crowd.neighbors(id))?).array(py)
    }

    /// The neighbors of all agents in compressed sparse row format. Returns `(offsets, indices)`:
    /// the neighbors of the agent in slot k are the slots `indices[offsets[k]:offsets[k + 1]]`.
    /// Slots are the rows of `x`, `y` and all other arrays in slot order; `ids("slot")` maps slots
    /// to ids.
    ///
    /// Without a distance, neighbors are the visible agents that an agent's behaviors use.
    /// With a distance in world units, neighbors are all other agents within that distance,
    /// even across the seam of a torus.
    #[pyo3(signature = (distance=None))]
    fn neighbor_rows<'py>(
        &self,
        py: Python<'py>,
        distance: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let distance = distance.map(|distance| argument("distance", distance).number());
        let distance = distance.transpose()?;
        let rows = self.try_read(py, |crowd| crowd.neighbor_rows(distance))?;
        Ok((Memory::offsets(rows.offsets).array(py)?, Memory::rows(rows.indices).array(py)?))
    }

    /// Mean number of pairs tested per agent, and mean and maximum number of visible neighbors.
    fn neighbor_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.read(py, Simulation::neighbor_counts)?;
        let numbers = PyDict::new(py);
        numbers.set_item("mean_neighbors", counts.mean_neighbors)?;
        numbers.set_item("max_neighbors", counts.max_neighbors)?;
        numbers.set_item("pairs_per_agent", counts.pairs_per_agent)?;
        Ok(numbers)
    }

    /// The combined steering force on each agent in the next step,
    /// in mass · units/s², as an n × 2 array; in a world with depth, n × 3.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn forces<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Array<'py>> {
        let forces = self.try_read(py, |crowd| {
            let forces = in_order(crowd, order.0, crowd.forces())?;
            Ok(Memory::vectors_in(axes(crowd), forces))
        })?;
        forces.array(py)
    }

    /// The fraction of its maximum force that each agent will use in the next step, from 0 to 1.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn force_shares<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Array<'py>> {
        let shares = self.try_read(py, |crowd| {
            let shares = crowd.force_shares();
            in_order(crowd, order.0, shares)
        })?;
        Memory::numbers(shares).array(py)
    }

    /// Explains an agent's next step: what the agent sees, and the force of each behavior.
    fn explain<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Array<'py>> {
        let id = argument("id", id).id()?;
        let (axes, explanation) =
            self.try_read(py, |crowd| Ok((axes(crowd), crowd.explain(id)?)))?;
        explanation::python(py, axes, explanation)
    }

    /// The mean of each agent's latest headings, as an n × 2 array (in a world with depth, n × 3),
    /// or None if the scene does not set `heading_samples`.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn smoothed_headings<'py>(
        &self,
        py: Python<'py>,
        order: InOrder,
    ) -> PyResult<Option<Array<'py>>> {
        let headings = self.try_read(py, |crowd| {
            let agents = crowd.agents();
            let smoothed = (0..crowd.len()).map(|slot| agents.smoothed_heading(slot));
            if crowd.scene().heading_samples.is_none() {
                return Ok(None);
            }
            let headings = in_order(crowd, order.0, smoothed.flatten().collect())?;
            Ok(Some(Memory::vectors_in(axes(crowd), headings)))
        })?;
        headings.map(|headings| headings.array(py)).transpose()
    }

    /// All obstacles, including scattered ones: a list of `Obstacle`.
    #[getter]
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let obstacles: Vec<_> = self.read(py, |crowd| crowd.obstacles().collect())?;
        let class = py.import("flockwork.scene")?.getattr("Obstacle")?;
        let made = obstacles.into_iter().map(|one| class.call1((one.center.to_vec(), one.radius)));
        PyList::new(py, made.collect::<PyResult<Vec<_>>>()?)
    }

    /// All walls, including scattered ones: a list of `Wall` with two points each. In a world with
    /// depth, these stand upright, and polygons with three or more points `[x, y, z]` follow.
    #[getter]
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let walls: Vec<_> = self.read(py, |crowd| {
            let straight =
                crowd.walls().map(|wall| (wall.ends.map(Point::from).into(), wall.two_sided));
            let polygons = crowd.scene().walls.iter().filter(|wall| wall.points[0].len() == 3);
            straight.chain(polygons.map(|wall| (wall.points.clone(), wall.two_sided))).collect()
        })?;
        let class = py.import("flockwork.scene")?.getattr("Wall")?;
        let made = walls.into_iter().map(|(points, two_sided): (Vec<Point>, bool)| {
            let points: Vec<_> = points.iter().map(|point| point.to_vec()).collect();
            class.call1((points, false, two_sided))
        });
        PyList::new(py, made.collect::<PyResult<Vec<_>>>()?)
    }

    /// The alignment of the crowd: the length of its mean heading, from 0 to 1.
    fn alignment_order(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, Simulation::alignment_order)
    }
}
